//! Properties of the syntax for any text. Called by `tests/language/syntax_properties.rs` with seeded random texts and by
//! the fuzz targets in `fuzz/`.

use cgdsl::base::{FileId, Sources};
use cgdsl::diagnostic::{Style, has_errors, one_line, plain, render};
use cgdsl::syntax::{format, lexer, parse_entries, parse_expression, parse_file, printer};

#[path = "shape.rs"]
mod shape;
use shape::shape;

/// Lexer: the tokens cover the text without gaps.
pub fn tokens_cover(text: &str) {
    let mut at = 0;
    for token in lexer::lex(text) {
        assert_eq!(token.start as usize, at, "a gap in the tokens of {text:?}");
        assert!(token.end > token.start, "an empty token in {text:?}");
        at = token.end as usize;
    }
    assert_eq!(at, text.len(), "the tokens of {text:?} end early");
}

/// Parser, printer, diagnostics: nothing panics, every place lies in the text, and accepted text prints and reads back.
pub fn file_reads(text: &str) {
    let mut sources = Sources::default();
    let id = sources.add("file", text);
    let text = &*sources.get(id).expect("just added").text.to_string();
    let (file, diagnostics) = parse_file(id, text);
    assert_eq!(
        file.broken_count > 0,
        has_errors(&diagnostics),
        "{text:?}: {diagnostics:?}"
    );
    for diagnostic in diagnostics.iter().take(20) {
        assert!(
            !diagnostic.labels.is_empty(),
            "{diagnostic:?} has no place in {text:?}"
        );
        for label in &diagnostic.labels {
            assert!(
                text.get(label.span.range()).is_some(),
                "{diagnostic:?} lies outside {text:?}"
            );
        }
        let _ = (one_line(diagnostic, &sources), plain(diagnostic, &sources));
        let _ = render(diagnostic, &sources, Style::default());
    }
    for item in &file.items {
        assert!(text.get(item.span.range()).is_some());
    }
    let printed = printer::print_file(&file);
    let (again, complaints) = parse_file(id, &printed);
    assert!(
        !has_errors(&complaints),
        "{printed}\nof {text:?}: {complaints:?}"
    );
    let items = |f: &cgdsl::syntax::ast::File| {
        f.items
            .iter()
            .map(|i| shape(&(&i.doc, &i.kind)))
            .collect::<Vec<_>>()
    };
    assert_eq!(items(&file), items(&again), "{printed}\nof {text:?}");
}

/// The same for expressions and entries, as on the command line.
pub fn pieces_read(text: &str) {
    let id = FileId(0);
    if let (Some(expr), _) = parse_expression(id, text) {
        let printed = printer::print_expr(&expr);
        let (again, complaints) = parse_expression(id, &printed);
        assert_eq!(
            Some(shape(&expr)),
            again.map(|e| shape(&e)),
            "{printed} of {text:?}: {complaints:?}"
        );
    }
    if let (Some(entries), _) = parse_entries(id, text) {
        let printed = printer::print_entries(&entries);
        let (again, complaints) = parse_entries(id, &printed);
        assert_eq!(
            Some(shape(&entries)),
            again.map(|e| shape(&e)),
            "{printed} of {text:?}: {complaints:?}"
        );
    }
}

/// Layout: formatting twice is formatting once, tokens stay, trees stay.
pub fn layout_keeps(text: &str) {
    let text = text.trim_start_matches('\u{feff}');
    let once = format::format_file(text);
    assert_eq!(format::format_file(&once), once, "of {text:?}");
    let significant = |text: &str| -> Vec<String> {
        lexer::lex(text)
            .into_iter()
            .filter(|t| t.kind != lexer::TokenKind::Blank)
            .map(|t| {
                text[t.range()]
                    .replace("\r\n", "\n")
                    .trim_end_matches([' ', '\t', '\r', '\n', '\u{a0}'])
                    .to_string()
            })
            .collect()
    };
    assert_eq!(significant(text), significant(&once), "{once}\nof {text:?}");
    let (before, after) = (
        parse_file(FileId(0), text).0,
        parse_file(FileId(0), &once).0,
    );
    assert_eq!(shape(&before), shape(&after), "{once}\nof {text:?}");
}

/// All of it.
pub fn all(text: &str) {
    tokens_cover(text);
    file_reads(text);
    pieces_read(text);
    layout_keeps(text);
}
