//! EPP templates: text with the tags `<% … %>`, `<%= … %>` and `<%# … %>`.

use super::super::token::{TokenKind, Trivia};
use super::Lexer;
use rtype_lang::diagnostics::Code;

/// The part of a template that contains the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TemplateMode {
    Text,
    /// Between `<%` and `%>`.
    Code,
    /// Between `<%=` and `%>`.
    Value,
}

impl Lexer<'_> {
    pub(super) fn begin_template(&mut self) {
        self.push(TokenKind::TemplateStart, 0, 0, None);
        self.template_text(false);
    }

    pub(super) fn ends_tag(&self, pos: usize) -> bool {
        let text = self.slice(pos, self.region.limit);
        text.starts_with("%>") || text.starts_with("-%>")
    }

    /// Reads `%>` or `-%>` and the text after it.
    pub(super) fn end_tag(&mut self) {
        let trims = self.byte(self.region.pos) == b'-';
        let length = if trims { 3 } else { 2 };
        if self.template == Some(TemplateMode::Value) {
            self.emit(TokenKind::RenderEnd, length);
        } else {
            self.region.pos += length;
        }
        self.template_text(trims);
    }

    pub(super) fn unbalanced_tag(&mut self) {
        let end = self.text.len();
        let start = self.text.rfind("<%").unwrap_or(end);
        self.error(Code::Unclosed, start, 2.min(end - start), "unclosed tag: no `%>` follows");
    }

    /// Reads text up to the next tag with code.
    fn template_text(&mut self, trims_start: bool) {
        let start = self.region.pos;
        let mut text = String::new();
        let mut trims = trims_start;
        self.template = Some(TemplateMode::Text);
        loop {
            let from = self.region.pos;
            let rest = self.slice(from, self.region.limit);
            let at = rest.find("<%");
            let part = rest.get(..at.unwrap_or(rest.len())).unwrap_or_default();
            let part = if trims { without_line_start(part) } else { part };
            trims = false;
            text.push_str(&part.replace("%%>", "%>"));
            let Some(at) = at else {
                self.region.pos = self.region.limit;
                // Puppet keeps the text at the end even if only blanks were trimmed from it.
                if start < self.region.limit {
                    self.push(TokenKind::RenderText, start, self.region.limit, Some(text.into()));
                }
                return;
            };
            let tag = from + at;
            match self.byte(tag + 2) {
                b'%' => {
                    text.push_str("<%");
                    self.region.pos = tag + 3;
                }
                b'#' => match self.template_comment(tag, &mut text) {
                    Some(trims_next) => trims = trims_next,
                    None => return self.template_part(start, tag, text),
                },
                next => {
                    let (mode, length) = match next {
                        b'=' => (TemplateMode::Value, 3),
                        b'-' => (TemplateMode::Code, 3),
                        _ => (TemplateMode::Code, 2),
                    };
                    if next == b'-' {
                        text.truncate(text.trim_end_matches([' ', '\t']).len());
                    }
                    self.template_part(start, tag, text);
                    self.template = Some(mode);
                    self.region.pos = tag;
                    if mode == TemplateMode::Value {
                        self.emit(TokenKind::RenderStart, length);
                    } else {
                        self.region.pos = tag + length;
                        if self.region.pos >= self.region.limit {
                            self.unbalanced_tag();
                            self.template = Some(TemplateMode::Text);
                        }
                    }
                    return;
                }
            }
        }
    }

    fn template_part(&mut self, start: usize, end: usize, text: String) {
        if !text.is_empty() {
            self.push(TokenKind::RenderText, start, end, Some(text.into()));
        }
    }

    /// Skips a comment. Returns whether it ends with `-%>`, or `None` if it is unclosed.
    fn template_comment(&mut self, tag: usize, text: &mut String) -> Option<bool> {
        // `%%>` does not end a comment.
        let body = self.slice(tag + 3, self.region.limit);
        let mut from = 0;
        let end = loop {
            let Some(at) = body.get(from..).and_then(|b| b.find("%>")) else {
                self.error(Code::Unclosed, tag, 3, "unclosed comment: no `%>` follows");
                self.region.pos = self.region.limit;
                return None;
            };
            let at = from + at;
            if at == 0 || body.as_bytes().get(at - 1) != Some(&b'%') {
                break at + 2;
            }
            from = at + 2;
        };
        if body.starts_with('-') {
            text.truncate(text.trim_end_matches([' ', '\t']).len());
        }
        let after = tag + 3 + end;
        self.out.comments.push(Trivia { start: tag as u32, end: after as u32 });
        self.region.pos = after;
        Some(body.get(..end).is_some_and(|b| b.ends_with("-%>")))
    }
}

/// Removes blanks at the start, and the line break after them.
fn without_line_start(text: &str) -> &str {
    let rest = text.trim_start_matches([' ', '\t']);
    rest.strip_prefix("\r\n").or_else(|| rest.strip_prefix('\n')).unwrap_or(rest)
}
