//! Prints syntax trees: with an indentation of two spaces, a maximum line width, and all comments and single blank lines preserved.
//!
//! Comments are not part of the tree. The printer has a list of comments, and prints each comment before the next element that may
//! begin a line, or at the end of the line that the comment followed. Hence no comment is lost, and comments stay in order. Trees
//! without spans (created by a program) are printed in the default layout.
//!
//! The printer generates a list of tokens; `layout` decides where lines break. A group is forced to break if the source has a line
//! break at the group's first break.

mod expr;
mod item;
mod layout;
mod literal;
mod resource;
mod text_block;

use super::ast::{Ast, Comment, Item};
use crate::source::{Source, Span};
use layout::{Layout, Token};

pub(crate) use layout::Unit;
pub use literal::{escape, quote, symbol};

/// The default line width in columns.
pub const LINE_WIDTH: usize = 100;

/// Returns a type file in canonical form. Parsing the result gives the same tree, apart from spans.
pub fn print_types(ast: &Ast, source: &Source) -> String {
    lay_out_types(ast, source, LINE_WIDTH).0
}

/// Returns a type file in canonical form for a line width, with the positions of its items and directives.
pub(super) fn lay_out_types(ast: &Ast, source: &Source, width: usize) -> (String, Vec<Unit>) {
    let mut printer = Printer::new(source, &ast.comments);
    printer.lines("", &ast.items, Item::span, |p, item| p.item(item));
    printer.lay_out(width)
}

/// Generates tokens and keeps track of comments.
struct Printer<'a> {
    source: &'a Source,
    comments: &'a [Comment],
    text: String,
    tokens: Vec<Token>,
    indent: usize,
    /// The additional levels of indentation, depending on the broken groups.
    nested: usize,
    /// The open groups.
    open: Vec<Open>,
    /// `true` if a blank line is allowed here: not at the start of a file or block.
    may_be_blank: bool,
}

/// A group that has not ended.
struct Open {
    token: usize,
    /// `true` if the group is forced to break.
    forced: bool,
    /// `true` if a group inside it is forced to break.
    holds: bool,
}

/// Brackets around a list separated by commas.
#[derive(Clone, Copy)]
struct Brackets {
    open: &'static str,
    close: &'static str,
    /// The output after `open` and before `close` if both are on one line.
    blank: &'static str,
    /// The span of the brackets, or a larger span.
    span: Span,
    /// `true` if short elements share lines if they do not all fit on one.
    fill: bool,
    /// The output after the last element if each element has a separate line.
    last: &'static str,
}

impl Brackets {
    fn new(open: &'static str, close: &'static str, span: Span) -> Brackets {
        Brackets { open, close, blank: "", span, fill: false, last: "," }
    }
}

impl<'a> Printer<'a> {
    fn new(source: &'a Source, comments: &'a [Comment]) -> Printer<'a> {
        let text = String::with_capacity(source.text().len());
        Printer { source, comments, text, tokens: Vec::new(), indent: 0, nested: 0, open: Vec::new(), may_be_blank: false }
    }

    fn lay_out(mut self, width: usize) -> (String, Vec<Unit>) {
        self.comments_before(u32::MAX);
        Layout::new(self.source, width).run(&self.tokens, &self.text)
    }

    fn push(&mut self, text: &str) {
        if !text.is_empty() {
            let start = self.text.len();
            self.text.push_str(text);
            self.tokens.push(Token::Text(start, self.text.len()));
        }
    }

    /// Adds a break.
    fn line(&mut self, flat: &'static str) {
        self.tokens.push(Token::Break { flat, indent: self.indent, blank: false, fill: false, bare: false });
    }

    /// Adds a break that keeps a blank line before `start` in the source.
    fn line_before(&mut self, flat: &'static str, start: u32) {
        let blank = self.may_be_blank && self.blank_before(start);
        self.tokens.push(Token::Break { flat, indent: self.indent, blank, fill: false, bare: false });
    }

    fn begin(&mut self, forced: bool) -> usize {
        let number = self.tokens.len();
        self.open.push(Open { token: number, forced, holds: false });
        self.tokens.push(Token::Begin { end: number, forced, holds: false });
        number
    }

    /// Ends a group, which may be broken even if the enclosing group is not.
    fn end(&mut self) {
        let Some(group) = self.open.pop() else { return };
        let last = self.tokens.len();
        if let Some(Token::Begin { end, forced, holds }) = self.tokens.get_mut(group.token) {
            (*end, *forced, *holds) = (last, group.forced, group.holds);
        }
        self.tokens.push(Token::End);
        if let Some(around) = self.open.last_mut() {
            around.holds |= group.forced || group.holds;
        }
    }

    /// Adds a break with additional indentation, preceded by the comments before `next`.
    fn line_in(&mut self, levels: usize, flat: &'static str, next: Span) {
        self.indent += levels;
        self.comments_before_place(next);
        self.line(flat);
        self.indent -= levels;
    }

    /// Prints content with additional indentation if the group is broken.
    fn nested(&mut self, group: usize, levels: usize, print: impl FnOnce(&mut Self)) {
        self.tokens.push(Token::Nest { group, levels });
        self.nested += levels;
        print(self);
        self.nested -= levels;
        self.tokens.push(Token::Unnest { group, levels });
    }

    /// Forces the innermost open group to break.
    fn force(&mut self) {
        if let Some(group) = self.open.last_mut() {
            group.forced = true;
        }
    }

    /// Returns the width of all tokens from an index on, if printed on one line.
    fn width_from(&self, token: usize) -> usize {
        let width = |token: &Token| match token {
            Token::Text(from, to) => self.text.get(*from..*to).unwrap_or_default().chars().count(),
            Token::Break { flat, .. } => flat.len(),
            _ => 0,
        };
        self.tokens.get(token..).unwrap_or_default().iter().map(width).sum()
    }

    /// Aligns arrows, given the token and the width before each arrow. Arrows that would need more than `most` spaces are not aligned.
    fn align(&mut self, arrows: &[(usize, usize)], most: usize) {
        let widest = arrows.iter().map(|(_, width)| *width).max().unwrap_or(0);
        for (token, width) in arrows.iter().filter(|(_, width)| widest - width <= most) {
            if let Some(Token::Pad(count)) = self.tokens.get_mut(*token) {
                *count = widest - width;
            }
        }
    }

    /// Adds a token for the spaces before an arrow, for [`Printer::align`]; `from` is the first token on the arrow's left side.
    fn pad(&mut self, from: usize) -> (usize, usize) {
        let place = (self.tokens.len(), self.width_from(from));
        self.tokens.push(Token::Pad(0));
        place
    }

    /// Returns the source at a span, empty without a span.
    fn written(&self, span: Span) -> &'a str {
        if span.is_none() { "" } else { self.source.slice(span) }
    }

    /// Prints a part of the source unchanged except for line endings. Comments inside the part are printed with it.
    fn verbatim(&mut self, span: Span) {
        let text = self.written(span);
        while let Some((comment, rest)) = self.comments.split_first()
            && span.contains(comment.span)
        {
            self.comments = rest;
        }
        if text.contains('\r') {
            let clean = text.replace("\r\n", "\n");
            self.push(&clean);
        } else {
            self.push(text);
        }
    }

    /// Returns `true` if the source has a line break between two positions.
    fn broken(&self, from: u32, to: u32) -> bool {
        from != 0 && to != 0 && from < to && self.source.slice(Span::new(from, to)).contains('\n')
    }

    /// Returns `true` if a block spans several lines in the source.
    fn is_tall(&self, span: Span) -> bool {
        !span.is_none() && self.source.slice(span).contains('\n')
    }

    /// Returns `true` if a blank line precedes `start`.
    fn blank_before(&self, start: u32) -> bool {
        let before = self.source.slice(Span::new(self.source.base(), start)).trim_end_matches([' ', '\t', '\r']);
        before.strip_suffix('\n').is_some_and(|lines| lines.trim_end_matches([' ', '\t', '\r']).ends_with('\n'))
    }

    /// Prints the comments before `to`, each on a separate line or at the end of the line.
    fn comments_before(&mut self, to: u32) {
        while let Some((comment, rest)) = self.comments.split_first() {
            if comment.span.start >= to {
                return;
            }
            self.comments = rest;
            if comment.own_line || self.begins_line(comment.span.start) {
                let blank = self.may_be_blank && self.blank_before(comment.span.start);
                self.tokens.push(Token::Line { comment: *comment, indent: self.indent, blank });
            } else {
                self.tokens.push(Token::Behind { comment: *comment, indent: self.indent });
            }
            self.may_be_blank |= comment.own_line;
            self.force();
        }
    }

    /// Prints the comments before a span, if any.
    fn comments_before_place(&mut self, place: Span) {
        if !place.is_none() {
            self.comments_before(place.start);
        }
    }

    /// Returns `true` if a position is at the start of a line. A comment `/* … */` there gets a separate line, like `#` comments.
    fn begins_line(&self, start: u32) -> bool {
        let before = self.source.slice(Span::new(self.source.base(), start)).trim_end_matches([' ', '\t']);
        before.is_empty() || before.ends_with('\n')
    }

    /// Prints elements on separate lines, or separated by `flat`.
    fn lines<T>(&mut self, flat: &'static str, things: &[T], place: impl Fn(&T) -> Span, mut print: impl FnMut(&mut Self, &T)) {
        for (i, thing) in things.iter().enumerate() {
            let start = place(thing).start;
            self.comments_before(start);
            if i > 0 || !self.tokens.is_empty() {
                self.line_before(if i > 0 { flat } else { " " }, start);
            }
            print(self, thing);
            self.may_be_blank = true;
        }
    }

    /// Prints elements in braces as a group.
    fn braces<T>(&mut self, span: Span, head: &str, things: &[T], place: impl Fn(&T) -> Span, print: impl FnMut(&mut Self, &T)) {
        // Without spans, the blocks of declarations are printed over several lines, and other blocks only with more than one statement.
        let tall = if span.is_none() { things.len() > usize::from(self.indent > 0) } else { self.is_tall(span) };
        self.begin(tall);
        self.open_braces(span, head, "; ", things, place, print);
        self.end();
    }

    /// Prints elements in braces in the open group.
    fn open_braces<T>(
        &mut self,
        span: Span,
        head: &str,
        flat: &'static str,
        things: &[T],
        place: impl Fn(&T) -> Span,
        print: impl FnMut(&mut Self, &T),
    ) {
        self.push("{");
        if !head.is_empty() {
            self.push(" ");
            self.push(head);
        }
        self.indent += 1;
        self.may_be_blank = false;
        let before = self.comments.len();
        self.lines(flat, things, place, print);
        if !span.is_none() {
            self.comments_before(span.end.saturating_sub(1));
        }
        self.indent -= 1;
        if !things.is_empty() || !head.is_empty() || self.comments.len() < before {
            self.line(" ");
        }
        self.push("}");
        self.may_be_blank = true;
    }

    /// Prints a list in brackets as a group.
    fn list<T>(&mut self, brackets: Brackets, parts: &[T], place: impl Fn(&T) -> Span, mut print: impl FnMut(&mut Self, &T)) {
        let span = brackets.span;
        let forced = parts.first().is_some_and(|first| self.broken(span.start, place(first).start));
        let group = self.begin(forced);
        self.push(brackets.open);
        self.may_be_blank = false;
        let before = self.comments.len();
        for (i, part) in parts.iter().enumerate() {
            let start = place(part).start;
            if i > 0 {
                self.push(",");
            }
            self.indent += 1;
            self.comments_before_place(if span.is_none() { span } else { place(part) });
            self.line_before(if i > 0 { " " } else { brackets.blank }, start);
            self.indent -= 1;
            if let Some(Token::Break { fill, blank, .. }) = self.tokens.last_mut() {
                *fill = brackets.fill && i > 0 && !*blank;
            }
            self.nested(group, 1, |p| print(p, part));
            self.may_be_blank = true;
        }
        self.indent += 1;
        if !parts.is_empty() {
            self.tokens.push(Token::IfBroken(brackets.last));
        }
        if !span.is_none() {
            self.comments_before(span.end.saturating_sub(1));
        }
        self.indent -= 1;
        if !parts.is_empty() || self.comments.len() < before {
            self.line(brackets.blank);
        }
        self.push(brackets.close);
        self.may_be_blank = true;
        self.end();
    }
}
