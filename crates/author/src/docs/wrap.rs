//! Wraps text.

use super::prose::Fence;
use rtype_lang::diagnostics::{columns, printable, printable_lines};

/// Wraps paragraphs to `width` columns, each line indented by `indent` spaces. Indented lines are kept as they are; lines in fenced
/// blocks are indented relative to their fence.
pub(super) fn wrap(out: &mut String, text: &str, width: usize, indent: usize) {
    let mut paragraph: Vec<&str> = Vec::new();
    let mut fence = None::<Fence>;
    for line in text.trim().lines() {
        if let Some(open) = fence {
            if open.ends(line) {
                fence = None;
            } else {
                let depth = if line.trim().is_empty() { 0 } else { indent + 4 };
                hanging(out, "", open.line(line), usize::MAX, depth);
            }
            continue;
        }
        fence = Fence::begins(line);
        if fence.is_some() {
            flush(out, &mut paragraph, width, indent);
            continue;
        }
        let verbatim = line.starts_with([' ', '\t']) || is_item(line);
        if verbatim || line.trim().is_empty() {
            flush(out, &mut paragraph, width, indent);
            if !line.trim().is_empty() {
                hanging(out, "", line.trim_end(), if is_item(line) { width } else { usize::MAX }, indent);
            } else {
                out.push('\n');
            }
        } else {
            paragraph.extend(line.split_whitespace());
        }
    }
    flush(out, &mut paragraph, width, indent);
}

/// Returns `true` if a line is a list item, which starts a new line.
fn is_item(line: &str) -> bool {
    line.starts_with("- ") || line.starts_with("* ")
}

fn flush(out: &mut String, paragraph: &mut Vec<&str>, width: usize, indent: usize) {
    if !paragraph.is_empty() {
        fill(out, "", paragraph.iter().copied(), width, indent, indent);
        paragraph.clear();
    }
}

/// Writes `head` and the text, with a hanging indent.
pub(super) fn hanging(out: &mut String, head: &str, text: &str, width: usize, indent: usize) {
    if width == usize::MAX {
        out.extend(std::iter::repeat_n(' ', indent));
        out.push_str(head);
        out.push_str(&printable_lines(text));
        out.push('\n');
        return;
    }
    let rest = indent + columns(head);
    fill(out, head, text.split_whitespace(), width, indent, rest);
}

fn fill<'a>(out: &mut String, head: &str, words: impl Iterator<Item = &'a str>, width: usize, indent: usize, rest: usize) {
    out.extend(std::iter::repeat_n(' ', indent));
    out.push_str(head);
    let mut column = indent + columns(head);
    let mut first = true;
    for word in words {
        let word = printable(word);
        let length = columns(&word);
        if !first && column + 1 + length > width {
            out.push('\n');
            out.extend(std::iter::repeat_n(' ', rest));
            column = rest;
        } else if !first {
            out.push(' ');
            column += 1;
        }
        out.push_str(&word);
        column += length;
        first = false;
    }
    // A head without text would leave trailing spaces.
    out.truncate(out.trim_end_matches(' ').len());
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrapped(text: &str, width: usize) -> String {
        let mut out = String::new();
        wrap(&mut out, text, width, 2);
        out
    }

    #[test]
    fn paragraphs_are_filled_and_code_is_left_alone() {
        assert_eq!(wrapped("one two three four", 11), "  one two\n  three\n  four\n");
        assert_eq!(wrapped("a\nb\n\n    code  here\nc", 40), "  a b\n\n      code  here\n  c\n");
        assert_eq!(wrapped("a\n\n```puppet\nb  {\n\n  c }\n```\nd", 40), "  a\n\n      b  {\n\n        c }\n  d\n");
        assert_eq!(wrapped("a:\n   ~~~\n   b\n     c\n   ~~~\nd", 40), "  a:\n      b\n        c\n  d\n");
        assert_eq!(wrapped("- a\n- b", 40), "  - a\n  - b\n");
        assert_eq!(wrapped("averyveryverylongword x", 8), "  averyveryverylongword\n  x\n");
        assert_eq!(wrapped("", 8), "");
    }

    #[test]
    fn a_head_hangs() {
        let mut out = String::new();
        hanging(&mut out, "Values: ", "aaa, bbb, ccc", 16, 2);
        assert_eq!(out, "  Values: aaa,\n          bbb,\n          ccc\n");
    }
}
