//! Plots a sequence of values, in characters on the terminal or as a picture in a file: `seq --plot` and `table --plot`.

use super::args::{PictureFormat, Seq};
use super::draw::{format_of, written};
use super::run::Run;
use crate::engine::sequence::rare_values;
use crate::report::draw::histogram::Histogram;
use crate::report::draw::plot::{Plot, Series};
use crate::report::draw::scene::Scene;
use crate::report::idempotents::Idempotents;

/// The width of a plot in characters where no terminal determines it.
const COLUMNS: usize = 80;

/// A proven period.
#[derive(Clone, Copy)]
pub(super) struct Proven {
    pub(super) preperiod: u64,
    pub(super) period: u64,
    pub(super) saltus: u64,
}

impl Proven {
    /// The first period as a range of heaps, with its name.
    fn shaded(self) -> (f64, f64, String) {
        let (from, to) = (self.preperiod, self.preperiod.saturating_add(self.period));
        let saltus = match self.saltus {
            0 => String::new(),
            s => format!(", saltus {s}"),
        };
        let name = format!("period {} from n = {from}{saltus}", self.period);
        (from as f64, to as f64, name)
    }
}

/// The nim-values of heaps 0, 1, 2, .. as a plot, with rare and common values distinguished.
pub(super) fn nim_values(ruleset: &str, values: &[u64], period: Option<Proven>) -> Plot {
    let small: Vec<u16> = values
        .iter()
        .filter_map(|v| u16::try_from(*v).ok())
        .collect();
    let rare = rare_values(&small).filter(|_| small.len() == values.len());
    let of = |name: &str, keep: &dyn Fn(u64) -> bool| Series {
        name: name.to_owned(),
        points: (0u32..)
            .zip(values)
            .filter(|(_, v)| keep(**v))
            .map(|(n, v)| (f64::from(n), *v as f64))
            .collect(),
    };
    let series = match rare {
        Some(rare) => {
            let rare = move |v: u64| u16::try_from(v).is_ok_and(&rare);
            vec![
                of("common values", &|v| !rare(v)),
                of("rare values", &|v| rare(v)),
            ]
        }
        None => vec![of("nim-values", &|_| true)],
    };
    Plot {
        title: format!(
            "{ruleset}: nim-values of heaps 0 to {}",
            values.len().saturating_sub(1)
        ),
        axes: ["heap".to_owned(), "nim-value".to_owned()],
        series,
        shaded: period.map(Proven::shaded),
        joined: false,
    }
}

/// Whether a file name is that of a picture.
pub(super) fn is_plot(path: &str) -> bool {
    matches!(
        PictureFormat::of(path),
        Some(PictureFormat::Svg | PictureFormat::Tikz | PictureFormat::Typst)
    )
}

impl Seq {
    /// Whether a plot is requested, by the option or by the file name.
    pub(super) fn plots(&self) -> bool {
        self.plot || self.output.as_deref().is_some_and(is_plot)
    }
}

impl Run<'_> {
    /// The plot in the format of its file, or in characters; `None` if the format does not support plots.
    pub(super) fn plotted(&mut self, plot: &Plot, output: Option<&str>) -> Option<String> {
        self.as_picture(output, |columns| plot.text(columns), || plot.scene())
    }

    /// The same for a histogram.
    pub(super) fn histogram(&mut self, of: &Histogram, output: Option<&str>) -> Option<String> {
        self.as_picture(output, |columns| of.text(columns), || of.scene())
    }

    /// The same for the idempotents of a misère quotient.
    pub(super) fn idempotents(
        &mut self,
        of: &Idempotents<'_>,
        output: Option<&str>,
    ) -> Option<String> {
        self.as_picture(output, |_| of.text(), || of.scene())
    }

    fn as_picture(
        &mut self,
        output: Option<&str>,
        text: impl FnOnce(usize) -> String,
        scene: impl FnOnce() -> Scene,
    ) -> Option<String> {
        match self.plot_format(output)? {
            PictureFormat::Text => Some(text(match self.output.width() {
                0 => COLUMNS,
                width => width,
            })),
            format => Some(written(&scene(), format, false)),
        }
    }

    /// The format implied by a file name; `None`, after a message, if plots do not support it.
    pub(super) fn plot_format(&mut self, output: Option<&str>) -> Option<PictureFormat> {
        match format_of(None, output) {
            Ok(PictureFormat::Dot) => {
                self.output.error(
                    "a plot is not a graph: end the file's name in .svg, .tex, .typ or .txt",
                );
                None
            }
            Ok(format) => Some(format),
            Err(why) => {
                self.output.error(&why);
                None
            }
        }
    }

    /// Prints the plot of nim-values, if one is requested. Returns an exit code on failure.
    pub(super) fn plot_values(
        &mut self,
        args: &Seq,
        values: impl Iterator<Item = u64>,
        period: Option<Proven>,
    ) -> u8 {
        let values: Vec<u64> = values.collect();
        let plot = nim_values(args.ruleset(), &values, period);
        match self.plotted(&plot, args.output.as_deref()) {
            Some(text) => {
                self.output.text(&text);
                0
            }
            None => 2,
        }
    }
}
