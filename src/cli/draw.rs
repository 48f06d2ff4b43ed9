//! `cgdsl draw` and `cgdsl tree`: a position comes in; its picture, or that of what follows it, goes to the standard output or into a file.

use super::args::{Draw, PictureFormat};
use super::run::Run;
use crate::diagnostic::{Code, Diagnostic};
use crate::report::Document;
use crate::report::draw::{self, scene::Scene};
use crate::report::lattice;
use crate::report::paper::Format as Paper;
use crate::session::figure::{Figure, figure};
use crate::session::tree::Tree;
use crate::session::{Card, Disk, Lattice, Session};
use serde::Serialize;

/// What `draw --json` says.
#[derive(Serialize)]
struct Drawn {
    file: String,
    #[serde(flatten)]
    figure: Figure,
    drawing: Vec<String>,
    description: String,
}

impl PictureFormat {
    /// The format that a file's name ends with.
    fn of(path: &str) -> Option<PictureFormat> {
        let (_, ending) = path.rsplit_once('.')?;
        Some(match ending.to_ascii_lowercase().as_str() {
            "svg" => PictureFormat::Svg,
            "tex" | "tikz" => PictureFormat::Tikz,
            "dot" | "gv" => PictureFormat::Dot,
            "txt" => PictureFormat::Text,
            _ => return None,
        })
    }
}

/// What is wanted: as said, else by the name of the file; text on the standard output.
pub fn format_of(
    said: Option<PictureFormat>,
    output: Option<&str>,
) -> Result<PictureFormat, String> {
    match (said, output) {
        (Some(format), _) => Ok(format),
        (None, None | Some("-")) => Ok(PictureFormat::Text),
        (None, Some(path)) => PictureFormat::of(path).ok_or_else(|| {
            format!("`{path}` does not say which picture it is: end it in .svg, .tex, .dot or .txt, or say --format")
        }),
    }
}

/// A document, or its picture alone.
pub fn tikz(scene: &Scene, body: bool) -> String {
    let picture = draw::tikz(scene);
    if body {
        picture
    } else {
        draw::standalone(&picture)
    }
}

impl Run<'_> {
    /// The format that is wanted; none, and why, where that cannot be known.
    fn picture_format(&mut self, args: &Draw) -> Option<PictureFormat> {
        let format = format_of(args.format, args.output.as_deref());
        format.map_err(|why| self.output.error(&why)).ok()
    }

    /// Prints a picture, or writes it into a file.
    pub(super) fn deliver(&mut self, text: &str, output: Option<&str>) -> u8 {
        match output {
            None | Some("-") => self.output.text(text),
            Some(path) => {
                if let Err(e) = std::fs::write(path, text) {
                    self.output.error(&format!("{path}: {e}"));
                    return 2;
                }
            }
        }
        0
    }

    /// `cgdsl draw`
    pub fn draw(&mut self, args: &Draw, lattice: bool) -> u8 {
        let Some(format) = self.picture_format(args) else {
            return 2;
        };
        let world = Disk;
        let mut session = Session::new(&world, self.settings(false));
        let (loaded, position) = match self.one_position(&mut session, &args.file, &args.position) {
            Ok(found) => found,
            Err(plain) => return self.failed("cgdsl/error/1", plain),
        };
        let found = match lattice {
            false => figure(&position),
            true => match session.lattice(&loaded, &position) {
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
        let text = match format {
            PictureFormat::Text => {
                let color = self.output.look().color && args.output.is_none();
                let mut text = draw::painted(&figure, color).join("\n");
                text.push('\n');
                text
            }
            PictureFormat::Svg => draw::svg(&draw::scene(&figure)),
            PictureFormat::Tikz => tikz(&draw::scene(&figure), args.body),
            PictureFormat::Dot => draw::dot(&figure),
        };
        self.deliver(&text, args.output.as_deref())
    }

    /// The coalitions that win, of a position of three or more players.
    fn coalitions(&mut self, card: &Card, format: PictureFormat, args: &Draw) -> u8 {
        if self.output.json {
            self.output
                .error("the coalitions are in the JSON of `cgdsl eval`");
            return 2;
        }
        let text = match format {
            PictureFormat::Text => lattice::text(card),
            PictureFormat::Svg => lattice::svg(card),
            PictureFormat::Tikz => lattice::scene(card).map(|scene| tikz(&scene, args.body)),
            PictureFormat::Dot => {
                self.output
                    .error("coalitions are drawn as text, SVG or TikZ, not as DOT");
                return 2;
            }
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
        // TikZ sets values in mathematics.
        let marks = (format == PictureFormat::Tikz && !self.output.json).then_some(Paper::Latex);
        let mut session = Session::new(&world, self.settings_for(false, marks));
        let (loaded, position) = match self.one_position(&mut session, &args.file, &args.position) {
            Ok(found) => found,
            Err(plain) => return self.failed("cgdsl/error/1", plain),
        };
        let tree = match session.tree(&loaded, &position, depth) {
            Ok(tree) => tree,
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
            self.output
                .document(&Document::new("cgdsl/tree/1", grown, Vec::new()));
            return 0;
        }
        let color = self.output.look().color && args.output.is_none();
        let text = match format {
            PictureFormat::Text => draw::tree_text(&tree, color),
            PictureFormat::Svg => draw::svg(&draw::tree_scene(&tree)),
            PictureFormat::Tikz => tikz(&draw::tree_scene(&tree), args.body),
            PictureFormat::Dot => draw::tree_dot(&tree),
        };
        self.deliver(&text, args.output.as_deref())
    }
}
