//! Writes questions as a homework sheet: a complete LaTeX document, with or without solutions.

use super::draw::{escape_latex, scene, tikz};
use super::paper::{Format, inline};
use crate::session::figure::Figure;
use std::fmt::Write;

/// A question on a sheet.
pub struct Exercise {
    /// The question.
    pub question: String,
    /// The position it is about.
    pub figure: Option<Figure>,
    /// The answer, with its values in marks ([`crate::claim::MARKS`]).
    pub answer: Option<String>,
    /// The hints, which only the sheet with solutions shows.
    pub hints: Vec<String>,
}

/// The sheet as a LaTeX document.
#[must_use]
pub fn latex(title: &str, exercises: &[Exercise], solutions: bool) -> String {
    let mut out = String::from(
        "\\documentclass[11pt]{article}\n\\usepackage[T1]{fontenc}\n\\usepackage[utf8]{inputenc}\n\\usepackage{amssymb}\n\\usepackage{tikz}\n\\setlength{\\parindent}{0pt}\n\\begin{document}\n",
    );
    let kind = if solutions { ": solutions" } else { "" };
    let _ = writeln!(out, "\\section*{{{}{kind}}}", escape_latex(title));
    if !solutions {
        out.push_str("Name: \\hrulefill\n");
    }
    out.push_str("\\begin{enumerate}\n");
    for e in exercises {
        let _ = writeln!(out, "\\item {}", inline(&e.question, Format::Latex));
        if let Some(figure) = &e.figure {
            let _ = write!(out, "\\par\\smallskip\n{}", tikz(&scene(figure)));
        }
        match (&e.answer, solutions) {
            (Some(answer), true) => {
                let answer = inline(answer, Format::Latex);
                let _ = writeln!(out, "\\par\\smallskip\n\\textbf{{Answer.}} {answer}");
                for hint in &e.hints {
                    let hint = inline(hint, Format::Latex);
                    let _ = writeln!(out, "\\par\\textit{{Hint.}} {hint}");
                }
            }
            (None, true) => out.push_str("\\par\\smallskip\n\\textbf{Answer.} It is sealed.\n"),
            (_, false) => out.push_str("\\par\\vspace{2cm}\n"),
        }
    }
    out.push_str("\\end{enumerate}\n\\end{document}\n");
    out
}
