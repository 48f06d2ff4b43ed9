//! `cgdsl draw` and `cgdsl tree`: draws a position, or the tree of its followers, on standard output or into a file.

use super::args::{Draw, PictureFormat};
use super::run::Run;
use crate::diagnostic::{Code, Diagnostic};
use crate::report::Document;
use crate::report::draw::{self, scene::Scene};
use crate::report::lattice;
use crate::report::paper::Format as Paper;
use crate::session::figure::{Figure, figure};
use crate::session::tree::Tree;
use crate::session::{Card, Disk, Lattice, Session, Settings};
use serde::Serialize;

/// The content of `draw --json`.
#[derive(Serialize)]
struct Drawn {
    file: String,
    #[serde(flatten)]
    figure: Figure,
    drawing: Vec<String>,
    description: String,
}

/// What is drawn of a position.
#[derive(Clone, Copy)]
pub enum Drawing {
    /// The board.
    Board,
    /// The order of its options.
    Lattice,
    /// Its value as a graph.
    Value,
}

impl PictureFormat {
    /// The format implied by the extension of a file name.
    pub(super) fn of(path: &str) -> Option<PictureFormat> {
        let (_, ending) = path.rsplit_once('.')?;
        Some(match ending.to_ascii_lowercase().as_str() {
            "svg" => PictureFormat::Svg,
            "tex" | "tikz" => PictureFormat::Tikz,
            "typ" => PictureFormat::Typst,
            "dot" | "gv" => PictureFormat::Dot,
            "txt" => PictureFormat::Text,
            _ => return None,
        })
    }

    /// The format of a picture in a file: SVG unless the extension implies another.
    pub fn of_file(path: &str) -> PictureFormat {
        PictureFormat::of(path).unwrap_or(PictureFormat::Svg)
    }
}

/// The format to use: the requested one, otherwise that of the file name; text on standard output.
pub fn format_of(
    said: Option<PictureFormat>,
    output: Option<&str>,
) -> Result<PictureFormat, String> {
    match (said, output) {
        (Some(format), _) => Ok(format),
        (None, None | Some("-")) => Ok(PictureFormat::Text),
        (None, Some(path)) => PictureFormat::of(path).ok_or_else(|| {
            format!("`{path}` does not say which picture it is: end it in .svg, .tex, .typ, .dot or .txt, or say --format")
        }),
    }
}

/// A scene as a document, or only its picture; as SVG if the format has no scenes.
pub fn written(scene: &Scene, format: PictureFormat, body: bool) -> String {
    let (picture, document): (String, fn(&str) -> String) = match format {
        PictureFormat::Tikz => (draw::tikz(scene), draw::standalone),
        PictureFormat::Typst => (draw::typst(scene), draw::standalone_typst),
        PictureFormat::Svg | PictureFormat::Dot | PictureFormat::Text => return draw::svg(scene),
    };
    if body { picture } else { document(&picture) }
}

/// The format for papers in which values are marked up in a picture, if the format sets them as mathematics.
pub fn marks(format: PictureFormat) -> Option<Paper> {
    match format {
        PictureFormat::Tikz => Some(Paper::Latex),
        PictureFormat::Typst => Some(Paper::Typst),
        PictureFormat::Svg | PictureFormat::Dot | PictureFormat::Text => None,
    }
}

impl Run<'_> {
    /// The format to use; `None`, after a message, if it cannot be determined.
    fn picture_format(&mut self, args: &Draw) -> Option<PictureFormat> {
        let format = format_of(args.format, args.output.as_deref());
        let format = format.map_err(|why| self.output.error(&why)).ok()?;
        let drawn = format != PictureFormat::Text;
        self.output
            .values_for(self.common, args.output.as_deref(), drawn);
        Some(format)
    }

    fn settings_of_picture(&self, format: PictureFormat) -> Settings {
        let marks = marks(format).filter(|_| !self.output.json);
        self.settings_for(false, marks)
    }

    /// Prints a picture, or writes it into a file.
    pub(super) fn deliver(&mut self, text: &str, output: Option<&str>) -> u8 {
        match output {
            None | Some("-") => self.output.drawing(text),
            Some(path) if !self.output.write(path, text) => return 2,
            Some(_) => {}
        }
        0
    }

    /// `cgdsl draw`
    pub fn draw(&mut self, args: &Draw, what: Drawing) -> u8 {
        let Some(format) = self.picture_format(args) else {
            return 2;
        };
        let world = Disk;
        let mut session = Session::new(&world, self.settings_of_picture(format));
        let (loaded, position) = match self.one_position(&mut session, &args.file, &args.position) {
            Ok(found) => found,
            Err(plain) => return self.failed("cgdsl/error/1", plain),
        };
        let found = match what {
            Drawing::Board => figure(&position),
            Drawing::Value => match session.value_figure(&loaded, &position) {
                Ok(figure) => Ok(figure),
                Err((d, limit)) => {
                    let plain = self.complain(&session, &[d]);
                    let code = self.failed("cgdsl/error/1", plain);
                    return if limit { 3 } else { code };
                }
            },
            Drawing::Lattice => match session.lattice(&loaded, &position) {
                Ok(Lattice::Options(figure)) => Ok(figure),
                Ok(Lattice::Coalitions(card)) => return self.coalitions(&card, format, args),
                Err((d, limit)) => {
                    let plain = self.complain(&session, &[d]);
                    let code = self.failed("cgdsl/error/1", plain);
                    return if limit { 3 } else { code };
                }
            },
        };
        let figure = match found {
            Ok(figure) => figure,
            Err(why) => {
                let plain = self.complain(&session, &[Diagnostic::error(Code::E0710, why)]);
                self.failed("cgdsl/error/1", plain);
                return 3;
            }
        };
        if self.output.json {
            let drawn = Drawn {
                file: args.file.clone(),
                drawing: draw::text(&figure),
                description: draw::describe(&figure),
                figure,
            };
            self.output
                .document(&Document::new("cgdsl/draw/1", drawn, Vec::new()));
            return 0;
        }
        let text = self.picture(&figure, format, args.body, args.output.as_deref());
        self.deliver(&text, args.output.as_deref())
    }

    /// A figure as text in a format.
    pub(super) fn picture(
        &self,
        figure: &Figure,
        format: PictureFormat,
        body: bool,
        output: Option<&str>,
    ) -> String {
        match format {
            PictureFormat::Text => {
                let color = self.output.look().color && output.is_none_or(|path| path == "-");
                draw::painted(figure, color).join("\n") + "\n"
            }
            PictureFormat::Dot => draw::dot(figure),
            _ => written(&draw::scene(figure), format, body),
        }
    }

    /// Draws the winning coalitions of a position with three or more players.
    fn coalitions(&mut self, card: &Card, format: PictureFormat, args: &Draw) -> u8 {
        if self.output.json {
            self.output
                .error("the coalitions are in the JSON of `cgdsl eval`");
            return 2;
        }
        let text = match format {
            PictureFormat::Text => lattice::text(card),
            PictureFormat::Dot => {
                self.output
                    .error("coalitions are drawn as text, SVG, TikZ or Typst, not as DOT");
                return 2;
            }
            _ => lattice::scene(card).map(|scene| written(&scene, format, args.body)),
        };
        match text {
            Ok(text) => self.deliver(&text, args.output.as_deref()),
            Err(none) => {
                self.output.error(&none.to_string());
                2
            }
        }
    }

    /// `cgdsl tree`
    pub fn tree(&mut self, args: &Draw, depth: usize) -> u8 {
        #[derive(Serialize)]
        struct Grown {
            file: String,
            #[serde(flatten)]
            tree: Tree,
        }
        let Some(format) = self.picture_format(args) else {
            return 2;
        };
        let world = Disk;
        let mut session = Session::new(&world, self.settings_of_picture(format));
        let (loaded, position) = match self.one_position(&mut session, &args.file, &args.position) {
            Ok(found) => found,
            Err(plain) => return self.failed("cgdsl/error/1", plain),
        };
        let (tree, limit) = match session.tree(&loaded, &position, depth) {
            Ok(found) => found,
            Err((d, limit)) => {
                let plain = self.complain(&session, &[d]);
                let code = self.failed("cgdsl/error/1", plain);
                return if limit { 3 } else { code };
            }
        };
        if self.output.json {
            let grown = Grown {
                file: args.file.clone(),
                tree,
            };
            let code = if limit.is_some() { 3 } else { 0 };
            let limit = self.complain(&session, limit.as_slice());
            self.output
                .document(&Document::new("cgdsl/tree/1", grown, limit));
            return code;
        }
        let color = self.output.look().color && args.output.is_none();
        let text = match format {
            PictureFormat::Text if args.output.is_none() => {
                self.output.text(&draw::tree_text(&tree, color));
                let cut = tree.nodes.iter().any(|n| n.level == depth);
                if cut && self.output.width() > 0 {
                    let deeper = depth + 1;
                    self.output.line(&format!(
                        "(down to {depth} moves; --depth {deeper} goes deeper, -o tree.svg draws it)"
                    ));
                }
                return self.cut_short(&session, limit, 0);
            }
            PictureFormat::Text => draw::tree_text(&tree, color),
            PictureFormat::Dot => draw::tree_dot(&tree),
            _ => written(&draw::tree_scene(&tree), format, args.body),
        };
        let code = self.deliver(&text, args.output.as_deref());
        self.cut_short(&session, limit, code)
    }

    /// The exit code after an answer that a limit has cut short, which is told, or after a whole one.
    fn cut_short(&mut self, session: &Session<'_>, limit: Option<Diagnostic>, whole: u8) -> u8 {
        let Some(limit) = limit else {
            return whole;
        };
        self.output.diagnostics(&[limit], session.sources());
        3
    }
}
