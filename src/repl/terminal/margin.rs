//! The prompt of continued lines.
//!
//! rustyline has a single prompt, and computes the cursor position from the edited line alone. So each continued line starts with a margin
//! of blanks, as wide as the prompt, and the continuation prompt is drawn over the margin. Entered, completed and stored inputs contain no
//! margins.

use super::indent;

/// The prompt.
pub(super) const PROMPT: &str = "rtype> ";

/// Returns the prompt of a continued line, as wide as [`PROMPT`]. The prompt shows the innermost open brackets and quotes.
fn continued(before: &str) -> String {
    const WIDTH: usize = PROMPT.len() - 2;
    let open = indent::open(before);
    let skipped = open.chars().count().saturating_sub(WIDTH);
    let open: String = open.chars().skip(skipped).collect();
    format!("{:>WIDTH$}> ", if open.is_empty() { "..." } else { &open })
}

/// The margin of a continued line: special blanks that users never type.
pub(super) const MARGIN: &str = "\u{a0}\u{a0}\u{a0}\u{a0}\u{a0}\u{a0}\u{2007}";

/// The last blank of a margin, which occurs nowhere else.
pub(super) const MARGIN_END: char = '\u{2007}';

/// Adds a margin to each continued line of an input.
pub(super) fn with_margins(text: &str) -> String {
    text.replace('\n', &format!("\n{MARGIN}"))
}

/// Removes the margins from an edited input.
pub(super) fn without_margins(line: &str) -> String {
    line.replace(MARGIN, "")
}

/// Returns the entered input: without margins, and without the indentation of empty lines.
pub(super) fn entered(line: &str) -> String {
    let text = |line: &str| match line.strip_prefix(MARGIN) {
        Some(rest) if rest.trim().is_empty() => String::new(),
        _ => without_margins(line),
    };
    line.split('\n').map(text).collect::<Vec<_>>().join("\n")
}

/// Returns a line for the screen. `text` is the line without margins, possibly with colours.
pub(super) fn drawn(line: &str, text: &str, colors: bool) -> String {
    let plain = without_margins(line);
    let mut before = 0;
    let mut out = String::with_capacity(line.len() + text.len());
    for (at, (line, text)) in line.split('\n').zip(text.split('\n')).enumerate() {
        if at > 0 {
            out.push('\n');
        }
        if line.starts_with(MARGIN) {
            let prompt = continued(plain.get(..before).unwrap_or_default());
            out.push_str(&if colors { format!("\x1b[32m{prompt}\x1b[0m") } else { prompt });
        }
        before += line.strip_prefix(MARGIN).unwrap_or(line).len() + 1;
        out.push_str(text);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn margins_are_as_wide_as_the_prompt() {
        assert_eq!(MARGIN.chars().count(), PROMPT.len());
        for text in ["", "user { 'a':\n", "[[[[[[[{", "user { 'it"] {
            assert_eq!(continued(text).chars().count(), PROMPT.len(), "{text}");
        }
        assert!(MARGIN.ends_with(MARGIN_END) && MARGIN.matches(MARGIN_END).count() == 1);
    }

    #[test]
    fn entered_text_has_no_margins_and_no_indentation_of_empty_lines() {
        let line = with_margins("type x {\n  \n  newparam y\n");
        assert_eq!(entered(&line), "type x {\n\n  newparam y\n");
        // Pasted lines have no margin, and stay unchanged.
        assert_eq!(entered("a\n  \n        b"), "a\n  \n        b");
    }

    #[test]
    fn the_prompt_is_drawn_in_place_of_margins() {
        assert_eq!(drawn(&with_margins("a {\n  b"), "a {\n  b", false), "a {\n    {>   b");
        let nested = "x { 'a': b => [\n  { c => 'd\n";
        assert_eq!(drawn(&with_margins(nested), nested, false), "x { 'a': b => [\n   {[>   { c => 'd\n {[{'> ");
        assert_eq!(drawn(&with_margins("1 +\n2"), "1 +\n2", false), "1 +\n  ...> 2");
        assert_eq!(drawn("a {\n  b", "a {\n  b", false), "a {\n  b");
    }
}
