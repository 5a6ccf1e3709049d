//! Literals as Ruby writes them.

/// Returns a string in double quotes.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' | '#' => {
                out.push('\\');
                out.push(letter);
            }
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            control if control.is_control() => out.push_str(&format!("\\u{{{:x}}}", u32::from(control))),
            other => out.push(other),
        }
    }
    out.push('"');
    out
}

/// Returns a number with a fraction or an exponent.
pub(super) fn float(number: f64) -> String {
    let text = format!("{number:?}");
    if number < 0.0 { format!("({text})") } else { text }
}

/// Returns a regex source between slashes.
pub(super) fn regex_source(source: &str) -> String {
    let mut out = String::new();
    let mut letters = source.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => {
                out.push('\\');
                out.extend(letters.next());
            }
            '/' => out.push_str("\\/"),
            '#' if matches!(letters.peek(), Some('{' | '$' | '@')) => out.push_str("\\#"),
            other => out.push(other),
        }
    }
    out
}
