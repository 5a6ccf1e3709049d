//! The prompt of continued lines.
//!
//! rustyline has one prompt, and computes the position of the cursor from the text alone. So each continued line starts with a margin of
//! blanks, as wide as the prompt, and the continuation prompt is drawn in its place. What is entered, completed or kept has no margins.

/// The prompt.
pub(super) const PROMPT: &str = "rtype> ";

/// The prompt of continued lines: as wide as [`PROMPT`].
pub(super) const CONTINUED: &str = "  ...> ";

/// The placeholder of [`CONTINUED`] in a line that is edited: blanks that are never typed.
pub(super) const MARGIN: &str = "\u{a0}\u{a0}\u{a0}\u{a0}\u{a0}\u{a0}\u{2007}";

/// The last blank of a margin, which is nowhere else.
pub(super) const MARGIN_END: char = '\u{2007}';

/// Returns a text with a margin in each continued line.
pub(super) fn with_margins(text: &str) -> String {
    text.replace('\n', &format!("\n{MARGIN}"))
}

/// Returns a text that is edited without its margins.
pub(super) fn without_margins(line: &str) -> String {
    line.replace(MARGIN, "")
}

/// Returns the text that was entered: without margins, and without the indentation of empty lines.
pub(super) fn entered(line: &str) -> String {
    let text = |line: &str| match line.strip_prefix(MARGIN) {
        Some(rest) if rest.trim().is_empty() => String::new(),
        _ => without_margins(line),
    };
    line.split('\n').map(text).collect::<Vec<_>>().join("\n")
}

/// Returns a line for the screen: `text` is the line without margins, perhaps with colours.
pub(super) fn drawn(line: &str, text: &str, colors: bool) -> String {
    let prompt = if colors { format!("\x1b[32m{CONTINUED}\x1b[0m") } else { CONTINUED.to_owned() };
    let mut out = String::with_capacity(line.len() + text.len());
    for (at, (line, text)) in line.split('\n').zip(text.split('\n')).enumerate() {
        if at > 0 {
            out.push('\n');
        }
        if line.starts_with(MARGIN) {
            out.push_str(&prompt);
        }
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
        assert_eq!(CONTINUED.len(), PROMPT.len());
        assert!(MARGIN.ends_with(MARGIN_END) && MARGIN.matches(MARGIN_END).count() == 1);
    }

    #[test]
    fn entered_text_has_no_margins_and_no_indentation_of_empty_lines() {
        let line = with_margins("type x {\n  \n  newparam y\n");
        assert_eq!(entered(&line), "type x {\n\n  newparam y\n");
        // Pasted lines have no margin, and stay as they are.
        assert_eq!(entered("a\n  \n        b"), "a\n  \n        b");
    }

    #[test]
    fn the_prompt_is_drawn_in_place_of_margins() {
        assert_eq!(drawn(&with_margins("a {\n  b"), "a {\n  b", false), "a {\n  ...>   b");
        assert_eq!(drawn("a {\n  b", "a {\n  b", false), "a {\n  b");
    }
}
