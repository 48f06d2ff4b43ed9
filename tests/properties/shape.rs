//! Compares trees without their places in the text.

/// A tree without its places.
pub fn shape(tree: &impl std::fmt::Debug) -> String {
    let text = format!("{tree:?}");
    let bytes = text.as_bytes();
    let digits = |mut at: usize| {
        while bytes.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
        at
    };
    let mut out = String::with_capacity(text.len());
    let mut kept = 0;
    let mut i = 0;
    while i < bytes.len() {
        if !bytes[i].is_ascii_digit() {
            i += 1;
            continue;
        }
        let file = digits(i);
        let end = (bytes.get(file) == Some(&b':'))
            .then(|| digits(file + 1))
            .filter(|at| *at > file + 1 && text[*at..].starts_with(".."))
            .map(|at| digits(at + 2));
        if let Some(end) = end {
            out.push_str(&text[kept..i]);
            kept = end;
            i = end;
        } else {
            i = file;
        }
    }
    out.push_str(&text[kept..]);
    out
}
