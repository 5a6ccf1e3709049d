//! Parses the Markdown in `desc`: paragraphs, lists, `code` and fenced blocks.
//!
//! HTML is treated as plain text. Lines indented by at least one space after an empty line are verbatim.

use pulldown_cmark::{CodeBlockKind, CowStr, Event, Options, Parser, Tag, TagEnd};

/// Returns the Markdown events in a description, with HTML converted to plain text.
pub(super) fn events(markdown: &str) -> impl Iterator<Item = Event<'_>> {
    Parser::new_ext(markdown, Options::ENABLE_TABLES).filter_map(|event| match event {
        Event::Html(text) | Event::InlineHtml(text) => Some(Event::Text(text)),
        Event::Start(Tag::HtmlBlock) | Event::End(TagEnd::HtmlBlock) => None,
        other => Some(other),
    })
}

/// An open fenced code block: its fence and indentation.
#[derive(Clone, Copy)]
pub(super) struct Fence {
    mark: char,
    length: usize,
    indent: usize,
}

impl Fence {
    /// Returns the block that a line opens.
    pub fn begins(line: &str) -> Option<Fence> {
        let text = line.trim_start();
        let mark = text.chars().next().filter(|c| matches!(c, '`' | '~'))?;
        let length = text.chars().take_while(|c| *c == mark).count();
        let is_fence = length >= 3 && !text.get(length..).unwrap_or("").contains('`');
        is_fence.then_some(Fence { mark, length, indent: line.len() - text.len() })
    }

    /// Returns `true` if a line closes the block.
    pub fn ends(self, line: &str) -> bool {
        let text = line.trim();
        text.chars().count() >= self.length && text.chars().all(|c| c == self.mark)
    }

    /// Returns a line without the fence's indentation.
    pub fn line(self, line: &str) -> &str {
        let blanks = line.len() - line.trim_start_matches([' ', '\t']).len();
        line.get(self.indent.min(blanks)..).unwrap_or("").trim_end()
    }
}

/// Converts a description to standard Markdown: indented lines become code blocks, indented more than Markdown requires.
pub(super) fn markdown(doc: &str) -> String {
    let mut out = String::new();
    let (mut fence, mut listed, mut verbatim, mut blank) = (None::<Fence>, false, false, true);
    for line in doc.trim().lines() {
        let text = line.trim_start();
        if let Some(open) = fence {
            // In a list, the indentation determines the list item to which the block belongs.
            out.push_str(if listed { line.trim_end() } else { open.line(line) });
            out.push('\n');
            fence = Some(open).filter(|_| !open.ends(line));
            continue;
        }
        fence = Fence::begins(line);
        let indented = line.starts_with([' ', '\t']);
        let item = text.starts_with("- ") || text.starts_with("* ") || text.split_once(". ").is_some_and(|(n, _)| n.parse::<u8>().is_ok());
        if !text.is_empty() {
            listed = if indented { listed || item } else { item };
            verbatim = indented && !listed && fence.is_none() && (blank || verbatim);
        }
        if verbatim && !text.is_empty() {
            out.push_str("    ");
        }
        blank = text.is_empty();
        let line = fence.filter(|_| !listed).map_or(line, |open| open.line(line));
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// Returns the plain text, on one line.
pub(super) fn plain(doc: &str) -> String {
    let source = markdown(doc);
    let mut out = String::new();
    for event in events(&source) {
        match event {
            Event::Text(text) | Event::Code(text) => out.push_str(&text),
            Event::SoftBreak | Event::HardBreak | Event::End(_) => out.push(' '),
            _ => {}
        }
    }
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the language and content of each fenced block.
pub(super) fn fences(doc: &str) -> Vec<(String, String)> {
    let source = markdown(doc);
    let (mut found, mut open): (Vec<(String, String)>, bool) = (Vec::new(), false);
    for event in events(&source) {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
                open = true;
                found.push((language(&info).to_owned(), String::new()));
            }
            Event::End(TagEnd::CodeBlock) => open = false,
            Event::Text(text) if open => {
                if let Some((_, block)) = found.last_mut() {
                    block.push_str(&text);
                }
            }
            _ => {}
        }
    }
    found
}

/// Returns the first word after a fence.
pub(super) fn language<'a>(info: &'a CowStr<'_>) -> &'a str {
    info.split([' ', ',']).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_indented_is_code() {
        assert_eq!(markdown("a\n\n  b  c\n  d\n\ne"), "a\n\n      b  c\n      d\n\ne\n");
        assert_eq!(markdown("- a\n  b\n- c"), "- a\n  b\n- c\n");
        assert_eq!(markdown("a\n  b"), "a\n  b\n");
        assert_eq!(markdown("a:\n      ```\n      b\n        c\n      ```\nd"), "a:\n```\nb\n  c\n```\nd\n");
        assert_eq!(markdown("~~~\n```\n  x\n~~~\n\n  y"), "~~~\n```\n  x\n~~~\n\n      y\n");
        assert_eq!(markdown("```puppet\n\n  x\n```"), "```puppet\n\n  x\n```\n");
    }

    #[test]
    fn words_are_found_without_marks() {
        assert_eq!(plain("The `mode`, *as*\ntext.\n\n- one\n- <b>two</b>"), "The mode, as text. one <b>two</b>");
        assert_eq!(fences("a\n\n```puppet, x\nuser { 'a': }\n```\n"), [("puppet".to_owned(), "user { 'a': }\n".to_owned())]);
    }
}
