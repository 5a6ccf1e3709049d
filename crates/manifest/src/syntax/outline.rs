//! The brackets and lines of the tokens of a source with mistakes.

use super::token::{Token, TokenKind};
use rtype_lang::source::Source;
use std::ops::Range;

/// What an opening bracket begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Construct {
    /// Statements.
    Block,
    /// The options of a `case`.
    Case,
    /// The entries of a selector.
    Selector,
    /// The bodies of a resource.
    Resource,
    /// A hash, or the attributes of defaults and overrides.
    Hash,
    /// Parameters.
    Parameters,
    /// Arguments, or an expression in parentheses.
    Paren,
    /// An array, or keys.
    Bracket,
}

/// The brackets and lines of tokens.
pub(super) struct Outline<'a> {
    kinds: &'a [u8],
    /// For each token, its innermost open bracket.
    parents: Vec<Option<usize>>,
    /// The brackets that are open at the end.
    pub open: Vec<usize>,
    /// For each token, its column if it begins a line.
    columns: Vec<Option<usize>>,
    /// Brackets closed by a bracket with less indentation: their closing bracket is probably missing.
    pub suspects: Vec<usize>,
}

impl<'a> Outline<'a> {
    pub fn new(source: &Source, tokens: &[Token], kinds: &'a [u8]) -> Outline<'a> {
        let mut outline =
            Outline { kinds, parents: Vec::with_capacity(kinds.len()), open: Vec::new(), columns: Vec::new(), suspects: Vec::new() };
        let lines: Vec<(usize, usize)> = source.line_starts().iter().map(|start| line(source.text(), *start as usize)).collect();
        let line_of = |t: &Token| lines.partition_point(|l| l.0 <= t.start as usize).checked_sub(1).and_then(|n| lines.get(n)).copied();
        let column = |t: &Token| line_of(t).filter(|l| l.0 + l.1 == t.start as usize).map(|l| l.1);
        outline.columns = tokens.iter().map(column).collect();
        let indents: Vec<usize> = tokens.iter().map(|t| line_of(t).map_or(0, |l| l.1)).collect();
        for (at, kind) in kinds.iter().enumerate() {
            if matches!(kind, b'}' | b')' | b']') {
                // Only a bracket of the same kind is closed; others stay open.
                if outline.open.last().and_then(|open| kinds.get(*open)).is_some_and(|open| matches_bracket(*open, *kind)) {
                    let open = outline.open.pop();
                    let (inner, outer) = (open.and_then(|o| indents.get(o)), outline.columns.get(at).copied().flatten());
                    if let (Some(open), Some(inner), Some(outer)) = (open, inner, outer)
                        && outer < *inner
                    {
                        outline.suspects.push(open);
                    }
                }
            }
            outline.parents.push(outline.open.last().copied());
            if matches!(kind, b'{' | b'^' | b'(' | b'_' | b'[' | b'`') {
                outline.open.push(at);
            }
        }
        outline
    }

    /// Returns the innermost bracket that is open before a token.
    pub fn opener(&self, at: usize) -> Option<usize> {
        match at.checked_sub(1) {
            None => None,
            Some(before) => {
                if self.kinds.get(before).is_some_and(|k| matches!(k, b'{' | b'^' | b'(' | b'_' | b'[' | b'`')) {
                    Some(before)
                } else {
                    self.parents.get(before).copied().flatten()
                }
            }
        }
    }

    /// Returns what the bracket around a token begins.
    pub fn construct(&self, at: usize) -> Option<Construct> {
        self.opener(at).map(|open| self.construct_of(open))
    }

    fn construct_of(&self, open: usize) -> Construct {
        let before = open.checked_sub(1).and_then(|b| self.kinds.get(b)).copied();
        match self.kinds.get(open) {
            Some(b'^') => Construct::Selector,
            Some(b'[' | b'`') => Construct::Bracket,
            Some(b'(' | b'_') => {
                let keyword = open.checked_sub(2).and_then(|k| self.kinds.get(k));
                if matches!(keyword, Some(b'B' | b'C' | b'p')) { Construct::Parameters } else { Construct::Paren }
            }
            _ if matches!(before, Some(b':' | b'|' | b'D')) => Construct::Block,
            _ => self.brace(open),
        }
    }

    /// Finds the keyword at the start of the statement that a brace belongs to.
    fn brace(&self, open: usize) -> Construct {
        let parent = self.parents.get(open).copied().flatten();
        let mut at = open;
        while let Some(before) = at.checked_sub(1) {
            at = before;
            if self.parents.get(at).copied().flatten() != parent {
                if Some(at) == parent {
                    break;
                }
                continue;
            }
            match self.kinds.get(at) {
                Some(b'A') => return Construct::Case,
                Some(b'B') if at + 1 == open => return Construct::Resource,
                Some(b'B' | b'C' | b'D' | b'E' | b'F' | b'H' | b'p' | b'y' | b'T') => return Construct::Block,
                Some(b'}' | b';' | b'9' | b',' | b'5') => break,
                _ => {}
            }
        }
        let before = open.checked_sub(1).and_then(|b| self.kinds.get(b));
        if matches!(before, Some(b'd' | b'B')) { Construct::Resource } else { Construct::Hash }
    }

    /// Returns the tokens of the statement around an unexpected token.
    pub fn statement(&self, at: usize) -> Range<usize> {
        let is_end = at >= self.kinds.len();
        let at = at.min(self.kinds.len().saturating_sub(1));
        let mut block = if is_end { None } else { self.opener(at) };
        let mut inner = at;
        while let Some(open) = block {
            if self.construct_of(open) == Construct::Block {
                break;
            }
            inner = open;
            block = self.opener(open);
        }
        let first = block.map_or(0, |open| open + 1);
        let start = self.start(first, inner, at);
        start..self.end(start, at).max(at.min(start + 1)).max(start + 1).max(if self.is_closing(at) { at } else { at + 1 })
    }

    fn is_closing(&self, at: usize) -> bool {
        self.kinds.get(at) == Some(&b'}')
    }

    fn column(&self, at: usize) -> Option<usize> {
        self.columns.get(at).copied().flatten()
    }

    /// Returns the last token up to `inner` that begins a line of the block's own statements.
    fn start(&self, first: usize, inner: usize, at: usize) -> usize {
        let Some(column) = self.column(first) else { return self.start_in_line(first, inner) };
        let block = self.parents.get(first).copied().flatten();
        let begins = |t: usize| {
            self.parents.get(t).copied().flatten() == block
                && self.column(t).is_some_and(|c| c <= column)
                && !matches!(self.kinds.get(t), Some(b'}' | b')' | b']'))
        };
        let last = (first..=inner).rev().find(|t| begins(*t)).unwrap_or(first);
        // A statement that begins at the unexpected token follows an incomplete one.
        if last == at && last > first {
            return (first..last).rev().find(|t| begins(*t)).unwrap_or(first);
        }
        last
    }

    /// Without lines, a statement begins after `;` or `}`, or at a keyword.
    fn start_in_line(&self, first: usize, inner: usize) -> usize {
        let block = self.parents.get(first).copied().flatten();
        let mut start = first;
        for at in first..inner {
            let is_here = self.parents.get(at).copied().flatten() == block;
            match self.kinds.get(at) {
                Some(b';') if is_here => start = at + 1,
                Some(b'A' | b'B' | b'C' | b'F' | b'H' | b'p' | b'y' | b'@' | b'&') if is_here && at > start => start = at,
                _ => {}
            }
        }
        start
    }

    /// Returns the end of a statement: before the next line that is indented no more, or before the end of the block.
    fn end(&self, start: usize, at: usize) -> usize {
        let block = self.parents.get(start).copied().flatten();
        let indent = self.column(start);
        for next in start + 1..self.kinds.len() {
            let is_here = self.parents.get(next).copied().flatten() == block;
            let is_closing = matches!(self.kinds.get(next), Some(b'}' | b')' | b']'));
            if let (Some(column), Some(indent)) = (self.column(next), indent) {
                if is_closing && column < indent {
                    return next;
                }
                // Titles may be indented as the resource.
                let is_title = matches!(self.kinds.get(next + 1), Some(b':' | b'9'));
                if next > at && !is_closing && column <= indent && (is_here || !is_title) {
                    return next;
                }
                continue;
            }
            if next < at {
                continue;
            }
            // The bracket that closes the block has the parent of the block.
            let closes_block = is_closing
                && block.is_some()
                && self.parents.get(next).copied().flatten() == block.and_then(|b| self.parents.get(b).copied().flatten());
            if closes_block && !is_here {
                return next;
            }
            if is_here
                && indent.is_none()
                && next > at
                && matches!(self.kinds.get(next), Some(b'A' | b'B' | b'C' | b'F' | b'H' | b'p' | b'y' | b'@' | b'&'))
            {
                return next;
            }
        }
        self.kinds.len()
    }
}

fn matches_bracket(open: u8, close: u8) -> bool {
    matches!((open, close), (b'{' | b'^', b'}') | (b'(' | b'_', b')') | (b'[' | b'`', b']'))
}

/// Returns the start of a line and the number of blanks there.
fn line(text: &str, start: usize) -> (usize, usize) {
    let blanks = text.as_bytes().get(start..).map_or(0, |line| line.iter().take_while(|b| matches!(b, b' ' | b'\t')).count());
    (start, blanks)
}

/// Returns the kind of a token.
pub(super) fn kind(tokens: &[Token], at: usize) -> Option<TokenKind> {
    tokens.get(at).map(|t| t.kind)
}
