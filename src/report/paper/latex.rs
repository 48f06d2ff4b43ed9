//! Writes blocks as LaTeX for `\input`: booktabs tables and TikZ pictures. The first line names the packages that are needed.

use super::{Block, Part, Simple, lines, parts, simple};
use crate::report::draw::scene::seen;
use crate::report::draw::{escape_latex, scene, tikz};
use std::fmt::Write;

/// A value as mathematics.
fn value(text: &str) -> String {
    match simple(text) {
        Some(Simple::Star("")) => r"$\ast$".to_owned(),
        Some(Simple::Star(n)) => format!(r"$\ast {n}$"),
        Some(Simple::Number {
            minus,
            above,
            below,
        }) => {
            let sign = if minus { "-" } else { "" };
            match below {
                "1" if minus => format!("$-{above}$"),
                "1" => above.to_owned(),
                _ => format!(r"${sign}\frac{{{above}}}{{{below}}}$"),
            }
        }
        None => format!("${text}$"),
    }
}

/// A marked text in a line.
pub fn inline(text: &str) -> String {
    parts(text)
        .into_iter()
        .map(|part| match part {
            Part::Words(t) => words(t),
            Part::Value(t) => value(t),
            Part::Code(t) => format!(r"\texttt{{{}}}", escape_latex(t)),
        })
        .collect()
}

/// Text, with comparisons as mathematical signs.
fn words(text: &str) -> String {
    escape_latex(text)
        .replace("$<$=", r"$\le$")
        .replace("$>$=", r"$\ge$")
}

fn cell(text: &str) -> String {
    let all: Vec<String> = lines(text).into_iter().map(inline).collect();
    all.join(r" \newline ")
}

/// A number that stands alone is set as mathematics, for its minus sign.
fn number(text: &str) -> String {
    match text.strip_prefix('-') {
        Some(n) if !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()) => format!("${text}$"),
        _ => cell(text),
    }
}

/// Writes the blocks.
pub fn write(blocks: &[Block]) -> String {
    let mut out = String::from(r"% needs \usepackage{booktabs}");
    let drawn = |b: &Block| matches!(b, Block::Picture(p) if p.figure.is_some());
    if blocks.iter().any(drawn) {
        out.push_str(r" and \usepackage{tikz}");
    }
    out.push('\n');
    for (i, block) in blocks.iter().enumerate() {
        if i > 0 || !matches!(block, Block::Table { .. }) {
            out.push('\n');
        }
        match block {
            Block::Head(text) | Block::Title(text) => {
                let _ = writeln!(out, "\\medskip\n\\noindent {}\\par", inline(text));
            }
            Block::Text(text) => {
                let _ = writeln!(out, "{}\\par", cell(text));
            }
            Block::List(items) => {
                out.push_str("\\begin{itemize}\n");
                for item in items {
                    let _ = writeln!(out, "  \\item {}", inline(item));
                }
                out.push_str("\\end{itemize}\n");
            }
            Block::Picture(picture) => match &picture.figure {
                Some(figure) => {
                    let _ = writeln!(
                        out,
                        "\\begin{{center}}\n{}\\end{{center}}",
                        tikz(&scene(figure))
                    );
                }
                None => {
                    let text = without_end(picture.drawing.join("\n"));
                    let _ = writeln!(out, "\\begin{{verbatim}}\n{text}\n\\end{{verbatim}}");
                }
            },
            Block::Facts(rows) => {
                let all: Vec<String> = rows.iter().map(|(_, text)| cell(text)).collect();
                let (open, close) = stretched(&all.concat());
                let _ = writeln!(
                    out,
                    "{open}\\noindent\\begin{{tabular}}{{@{{}}lp{{0.72\\linewidth}}@{{}}}}\n\\toprule"
                );
                for ((key, _), text) in rows.iter().zip(all) {
                    let _ = writeln!(
                        out,
                        "{} & \\raggedright {} \\tabularnewline",
                        cell(key),
                        text
                    );
                }
                let _ = writeln!(out, "\\bottomrule\n\\end{{tabular}}\\par{close}\\medskip");
            }
            Block::Table {
                head,
                rows,
                right,
                about,
            } => {
                let one_line = about.split_whitespace().collect::<Vec<_>>().join(" ");
                if !one_line.is_empty() {
                    let _ = writeln!(out, "% {}", super::plain(&one_line));
                }
                let columns = columns(head, rows, *right);
                let lines: Vec<String> = rows
                    .iter()
                    .map(|row| {
                        let cells: Vec<String> = row.iter().map(|c| number(c)).collect();
                        format!("{} \\\\\n", cells.join(" & "))
                    })
                    .collect();
                let lines = lines.concat();
                let (open, close) = stretched(&lines);
                let head: Vec<String> = head.iter().map(|c| corner(c)).collect();
                let _ = writeln!(
                    out,
                    "{open}\\noindent\\begin{{tabular}}{{{columns}}}\n\\toprule\n{} \\\\\n\\midrule\n{lines}\\bottomrule\n\\end{{tabular}}\\par{close}\\medskip",
                    head.join(" & ")
                );
            }
        }
    }
    out
}

/// A text without the words that would end a `verbatim` early, which cannot be shown. Where they are left out, they may form
/// again from what was around them.
fn without_end(mut text: String) -> String {
    const END: &str = "\\end{verbatim}";
    while text.contains(END) {
        text = text.replace(END, "");
    }
    text
}

/// The start and end of a table. Rows with fractions are set further apart, so that the fractions do not touch.
fn stretched(body: &str) -> (&'static str, &'static str) {
    match body.contains(r"\frac") {
        true => (r"{\renewcommand{\arraystretch}{1.4}", "}"),
        false => ("", ""),
    }
}

/// The column types, for words or for right-aligned values: wide columns break their lines and share the remaining width of
/// the page.
fn columns(head: &[String], rows: &[Vec<String>], right: bool) -> String {
    let most = if right { 36 } else { 18 };
    let wide: Vec<bool> = (0..head.len())
        .map(|c| {
            let all = rows.iter().filter_map(|r| r.get(c));
            all.flat_map(|t| t.lines()).any(|l| seen(l) > most)
        })
        .collect();
    let count = wide.iter().filter(|w| **w).count();
    let left = 0.94 - 0.13 * (wide.len() - count) as f64;
    wide.iter()
        .map(|w| match w {
            true => format!("p{{{:.2}\\linewidth}}", left.max(0.3) / count as f64),
            false => if right { "r" } else { "l" }.to_owned(),
        })
        .collect()
}

/// The head of a column; for a table over two variables, the corner names both.
fn corner(text: &str) -> String {
    match text.split_once(" \\ ") {
        Some((a, b)) => format!(r"${} \backslash {}$", escape_latex(a), escape_latex(b)),
        None => number(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_drawing_ends_its_environment() {
        let nested = "a\\end{verb\\end{verb\\end{verbatim}atim}atim}b";
        assert_eq!(without_end(nested.to_owned()), "ab");
        assert_eq!(without_end("\\end{table}".to_owned()), "\\end{table}");
    }
}
