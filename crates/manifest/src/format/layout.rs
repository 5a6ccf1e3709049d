//! Lines: indentation, blanks, aligned arrows and commas.

use super::facts::{Body, Facts};
use super::items::{Item, ItemKind, Items, comment_kind};
use super::spacing::{Before, blanks, ends_operand, is_binary, is_operator, is_unary};
use crate::syntax::token::TokenKind;
use std::collections::BTreeMap;

/// A token of a line with the blanks before it.
struct LineToken<'a> {
    text: &'a str,
    blanks: usize,
    /// The group of an arrow that may be aligned.
    group: Option<usize>,
}

/// A line of the result, or lines of heredocs.
enum Line<'a> {
    Blank,
    Verbatim(&'a str),
    Code { indent: usize, tokens: Vec<LineToken<'a>> },
}

/// An open bracket.
struct Open {
    offset: usize,
    /// The indentation of the line with the bracket; for the block of a condition in several lines, of the first line.
    indent: usize,
    is_brace: bool,
}

struct Layout<'a> {
    text: &'a str,
    facts: &'a Facts,
    lines: Vec<Line<'a>>,
    open: Vec<Open>,
    before: Before,
    /// The resources whose titles begin a line.
    indented: Vec<Body>,
    /// The indentation of the current line, less the extra indentation of continued operations.
    base: usize,
    /// The kind of the piece before, with comments.
    last_item: Option<ItemKind>,
}

/// Lays out the tokens of a manifest.
pub(super) fn layout(text: &str, Items { all: items, rest }: &Items, facts: &Facts) -> String {
    let mut layout = Layout {
        text,
        facts,
        lines: Vec::new(),
        open: Vec::new(),
        before: Before::default(),
        indented: Vec::new(),
        base: 0,
        last_item: None,
    };
    for (number, item) in items.iter().enumerate() {
        let item = Item { kind: comment_kind(text, item), ..*item };
        let last_end = number.checked_sub(1).and_then(|n| items.get(n)).map_or(0, |i| i.end);
        layout.item(&item, last_end, items.get(number..).unwrap_or_default());
    }
    if let Some((start, end)) = *rest {
        layout.lines.push(Line::Verbatim(text.get(start..end).unwrap_or_default()));
    }
    align(&mut layout.lines);
    print(&layout.lines)
}

impl<'a> Layout<'a> {
    fn item(&mut self, item: &Item, last_end: usize, rest: &[Item]) {
        let first = self.lines.is_empty();
        if first || item.breaks > 0 {
            if !first
                && item.breaks > 0
                && self.facts.without_comma.contains(&last_end)
                && item.kind == ItemKind::Token(TokenKind::BraceClose)
            {
                self.append(LineToken { text: ",", blanks: 0, group: None });
            }
            if let Some((start, end)) = item.heredocs {
                self.lines.push(Line::Verbatim(self.text.get(start..end).unwrap_or_default()));
            }
            if item.breaks > 1 && !first {
                self.lines.push(Line::Blank);
            }
            let indent = self.indent(item, rest);
            self.lines.push(Line::Code { indent, tokens: Vec::new() });
        }
        let is_first = matches!(self.lines.last(), Some(Line::Code { tokens, .. }) if tokens.is_empty());
        let had = item.start.saturating_sub(last_end);
        let blanks = match item.kind {
            _ if is_first => 0,
            ItemKind::Token(kind) if !matches!(self.last_item, Some(ItemKind::BlockComment)) => blanks(&self.before, kind, had),
            ItemKind::LineComment => had.max(1),
            _ => had.min(1),
        };
        let text = self.text.get(item.start..item.end).unwrap_or_default();
        let text = if item.kind == ItemKind::LineComment { text.trim_end() } else { text };
        let group = self.facts.groups.get(&item.start).copied();
        self.append(LineToken { text, blanks, group });
        self.remember(item);
    }

    fn append(&mut self, piece: LineToken<'a>) {
        if let Some(Line::Code { tokens, .. }) = self.lines.last_mut() {
            tokens.push(piece);
        }
    }

    /// Returns the indentation of the line that begins with a piece.
    fn indent(&mut self, item: &Item, rest: &[Item]) -> usize {
        let closing =
            |i: &&Item| matches!(i.kind, ItemKind::Token(TokenKind::BraceClose | TokenKind::ParenClose | TokenKind::BracketClose));
        let closers = rest.iter().enumerate().take_while(|(n, i)| closing(i) && (*n == 0 || i.breaks == 0)).count();
        if let Some(number) = self.open.len().checked_sub(closers.max(1))
            && closers > 0
        {
            self.base = self.open.get(number).map_or(0, |open| open.indent);
            return self.base;
        }
        let base = self.open.last().map_or(0, |open| open.indent + 2);
        self.indented.retain(|body| body.end > item.start);
        let bracket = self.open.last().map_or(0, |open| open.offset);
        let is_attribute = self.indented.iter().any(|body| body.title_end <= item.start && body.title > bracket);
        if let Ok(number) = self.facts.bodies.binary_search_by_key(&item.start, |body| body.title) {
            self.indented.extend(self.facts.bodies.get(number));
        }
        let base = base + if is_attribute { 2 } else { 0 };
        let (continues, is_operation) = self.continues(item);
        let indent = if continues { base + 2 } else { base };
        self.base = if is_operation { base } else { indent };
        indent
    }

    /// Returns whether the line continues an expression of the line before, and whether that is an operation such as `and`.
    fn continues(&self, item: &Item) -> (bool, bool) {
        let ItemKind::Token(kind) = item.kind else { return (false, false) };
        let Some(last) = self.before.last.filter(|_| !self.before.is_unary) else { return (false, false) };
        let is_operation = is_binary(last) || is_binary(kind) && ends_operand(last) && kind != TokenKind::Times;
        let is_value = matches!(last, TokenKind::Arrow | TokenKind::PlusArrow) || is_operator(last) && !is_binary(last);
        let is_part = matches!(kind, TokenKind::Question | TokenKind::Dot | TokenKind::Inherits) || kind == TokenKind::Assign;
        // In parentheses, operands are indented already.
        let in_braces = self.open.last().is_none_or(|open| open.is_brace);
        (is_value || is_part || is_operation && in_braces, is_operation)
    }

    /// Keeps track of brackets and of the token before the next piece.
    fn remember(&mut self, item: &Item) {
        self.last_item = Some(item.kind);
        let ItemKind::Token(kind) = item.kind else { return };
        let indent = match self.lines.last() {
            Some(Line::Code { indent, .. }) => *indent,
            _ => 0,
        };
        let offset = item.start;
        match kind {
            TokenKind::BraceOpen => {
                let is_block = self.before.last.is_some_and(|last| ends_operand(last) && last != TokenKind::Name);
                self.open.push(Open { offset, indent: if is_block { self.base } else { indent }, is_brace: true });
            }
            TokenKind::SelectorBrace => self.open.push(Open { offset, indent, is_brace: true }),
            TokenKind::ParenOpen | TokenKind::LineParen | TokenKind::BracketOpen | TokenKind::ListStart => {
                self.open.push(Open { offset, indent, is_brace: false });
            }
            TokenKind::BraceClose | TokenKind::ParenClose | TokenKind::BracketClose => {
                self.open.pop();
            }
            _ => {}
        }
        let is_unary = is_unary(&self.before, kind);
        let in_pipes = if kind == TokenKind::Pipe { !self.before.in_pipes } else { self.before.in_pipes };
        self.before = Before { last: Some(kind), second: self.before.last, in_pipes, is_unary };
    }
}

/// Aligns the arrows of each group whose pairs begin lines of their own.
fn align(lines: &mut [Line<'_>]) {
    let mut widths: BTreeMap<usize, usize> = BTreeMap::new();
    let arrow = |tokens: &[LineToken<'_>]| -> Option<(usize, usize, usize)> {
        let at = tokens.iter().position(|p| p.group.is_some())?;
        let group = tokens.get(at)?.group?;
        let key = tokens.get(..at)?;
        if key.is_empty() || key.iter().any(|p| p.text.contains('\n')) {
            return None;
        }
        Some((at, group, key.iter().map(|p| p.blanks + p.text.chars().count()).sum()))
    };
    // Pairs in one line with others are not aligned.
    let is_alone = |tokens: &[LineToken<'_>], group: usize| tokens.iter().filter(|p| p.group == Some(group)).count() == 1;
    for line in lines.iter() {
        if let Line::Code { indent, tokens } = line
            && let Some((_, group, width)) = arrow(tokens)
            && is_alone(tokens, group)
            && begins_with_key(tokens)
        {
            let width = indent + width;
            let largest = widths.entry(group).or_default();
            *largest = width.max(*largest);
        }
    }
    for line in lines {
        if let Line::Code { indent, tokens } = line
            && let Some((at, group, width)) = arrow(tokens)
            && is_alone(tokens, group)
            && begins_with_key(tokens)
            && let Some(largest) = widths.get(&group)
            && let Some(piece) = tokens.get_mut(at)
        {
            piece.blanks = largest - (*indent + width) + 1;
        }
    }
}

/// Returns `true` unless a bracket or a title precedes the key in its line.
fn begins_with_key(tokens: &[LineToken<'_>]) -> bool {
    let key = tokens.iter().take_while(|p| p.group.is_none());
    let mut depth = 0i32;
    for piece in key {
        match piece.text {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => depth -= 1,
            ":" => return false,
            _ => {}
        }
    }
    depth == 0
}

fn print(lines: &[Line<'_>]) -> String {
    let mut out = String::new();
    for line in lines {
        match line {
            Line::Blank => out.push('\n'),
            Line::Verbatim(text) => {
                out.push_str(text);
                if !text.ends_with('\n') {
                    out.push('\n');
                }
            }
            Line::Code { indent, tokens } => {
                out.extend(std::iter::repeat_n(' ', *indent));
                for piece in tokens {
                    out.extend(std::iter::repeat_n(' ', piece.blanks));
                    out.push_str(piece.text);
                }
                out.push('\n');
            }
        }
    }
    out
}
