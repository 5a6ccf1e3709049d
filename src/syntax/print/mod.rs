//! Ast → text: two blanks a level, comments and single blank lines kept, line breaks where the author had them
//! inside brackets.
//!
//! Comments are no part of the tree. The printer has the list of them and writes each before the first thing
//! behind it that begins a line, or at the end of the line behind which it stood, so that none is lost and their
//! order never changes. Trees without places (made by a program) are printed with the layout of the house.

mod expr;
mod item;
mod resource;

use super::ast::{Ast, Comment};
use crate::source::{Source, Span};

/// The text of a type file in canonical form. Parsing it gives the same tree, spans apart.
pub fn print_types(ast: &Ast, source: &Source) -> String {
    let mut printer = Printer::new(source, &ast.comments);
    for item in &ast.items {
        printer.item(item);
    }
    printer.comments_before(u32::MAX);
    printer.out
}

/// Writes lines and keeps track of comments.
struct Printer<'a> {
    source: &'a Source,
    comments: &'a [Comment],
    out: String,
    indent: usize,
    line_start: bool,
    /// The place in the source of what was written last; blank lines are counted from here.
    last: u32,
}

impl<'a> Printer<'a> {
    fn new(source: &'a Source, comments: &'a [Comment]) -> Printer<'a> {
        Printer { source, comments, out: String::new(), indent: 0, line_start: true, last: source.base() }
    }

    fn push(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        if self.line_start {
            for _ in 0..self.indent {
                self.out.push_str("  ");
            }
            self.line_start = false;
        }
        self.out.push_str(text);
    }

    fn newline(&mut self) {
        if !self.line_start {
            while self.out.ends_with(' ') {
                self.out.pop();
            }
            self.out.push('\n');
            self.line_start = true;
        }
    }

    /// Text of the source as it stands; empty for what has no place.
    fn written(&self, span: Span) -> &'a str {
        if span.is_none() { "" } else { self.source.slice(span) }
    }

    /// Pushes text of the source; line breaks become plain ones.
    fn verbatim(&mut self, span: Span) {
        let text = self.written(span);
        if text.contains('\r') {
            let clean = text.replace("\r\n", "\n");
            self.push(&clean);
        } else {
            self.push(text);
        }
    }

    /// Whether the author broke the line between two places.
    fn broken(&self, from: u32, to: u32) -> bool {
        from != 0 && to != 0 && from < to && self.source.slice(Span::new(from, to)).contains('\n')
    }

    /// Whether a text with braces should be printed over several lines.
    fn is_tall(&self, span: Span) -> bool {
        !span.is_none() && self.source.slice(span).contains('\n')
    }

    /// The blank line that stood before `start`, if one did.
    fn blank_line(&mut self, start: u32) {
        if !self.line_start || self.last == 0 || start <= self.last {
            return;
        }
        let gap = self.source.slice(Span::new(self.last, start));
        // A line with nothing but blanks between two line breaks.
        let lines: Vec<&str> = gap.split('\n').collect();
        let inner = lines.get(1..lines.len().saturating_sub(1)).unwrap_or_default();
        let blank = inner.iter().any(|line| line.trim().is_empty());
        if blank && !self.out.is_empty() && !self.out.ends_with("\n\n") && !self.out.ends_with("{\n") {
            self.out.push('\n');
        }
    }

    /// Writes the comments that stand before `to`, each on a line of its own or at the end of the line.
    fn comments_before(&mut self, to: u32) {
        while let Some((comment, rest)) = self.comments.split_first() {
            if comment.span.start >= to {
                return;
            }
            self.comments = rest;
            let text = self.source.slice(comment.span).trim_end();
            if comment.own_line {
                self.newline();
            }
            if self.line_start {
                self.blank_line(comment.span.start);
                self.push(text);
            } else {
                self.push("  ");
                self.push(text);
            }
            self.newline();
            self.last = comment.span.end;
        }
    }

    /// Begins something that stands on a line of its own.
    fn line(&mut self, span: Span) {
        if !span.is_none() {
            // A comment at the end of the line before belongs there; that line has been ended already.
            self.comments_before(span.start);
        }
        self.newline();
        if !span.is_none() {
            self.blank_line(span.start);
        }
    }

    /// Ends it, with the comment that stood behind it on its line.
    fn end_line(&mut self, span: Span) {
        if !span.is_none() {
            self.last = self.last.max(span.end);
            self.trailing_comment(span.end);
        }
        self.newline();
    }

    fn trailing_comment(&mut self, end: u32) {
        if let Some((comment, rest)) = self.comments.split_first()
            && !comment.own_line
            && comment.span.start >= end
            && !self.broken(end, comment.span.start)
            && self.source.slice(Span::new(end, comment.span.start)).trim_matches([' ', '\t', ',', ';']).is_empty()
        {
            self.comments = rest;
            self.push("  ");
            self.push(self.source.slice(comment.span).trim_end());
            self.last = comment.span.end;
            self.newline();
        }
    }

    /// What stands between two parts: the author's line break, with its comments, or `inline`.
    fn gap(&mut self, from: u32, to: u32, inline: &str) {
        if self.broken(from, to) {
            self.comments_before(to);
            self.newline();
        } else {
            self.push(inline);
        }
    }

    /// `{ … }` around things that stand on lines of their own.
    fn braces<T>(&mut self, span: Span, things: &[T], place: impl Fn(&T) -> Span, mut print: impl FnMut(&mut Self, &T)) {
        self.open_braces(span, "", things, place, &mut print);
    }

    fn open_braces<T>(&mut self, span: Span, head: &str, things: &[T], place: impl Fn(&T) -> Span, print: &mut impl FnMut(&mut Self, &T)) {
        self.push("{");
        if !head.is_empty() {
            self.push(" ");
            self.push(head);
        }
        // Without places: the braces of a declaration stand on lines of their own, others if there is more than one.
        let tall = if span.is_none() { things.len() > usize::from(self.indent > 0) } else { self.is_tall(span) };
        if !tall {
            if things.is_empty() {
                self.push(if head.is_empty() { "}" } else { " }" });
                return;
            }
            self.push(" ");
            for (i, thing) in things.iter().enumerate() {
                if i > 0 {
                    self.push("; ");
                }
                print(self, thing);
            }
            self.push(" }");
            return;
        }
        self.indent += 1;
        let first = things.first().map_or(span.end, |t| place(t).start);
        if let Some(comment) = self.comments.first()
            && !comment.own_line
            && comment.span.start < first
        {
            self.comments_before(comment.span.start + 1);
        }
        self.newline();
        self.last = self.last.max(span.start);
        for thing in things {
            let place = place(thing);
            self.line(place);
            print(self, thing);
            self.end_line(place);
        }
        if !span.is_none() {
            self.comments_before(span.end);
        }
        self.newline();
        self.indent -= 1;
        self.push("}");
        self.last = self.last.max(span.end);
    }

    /// Parts with commas between them, in brackets that begin at `open` and end at `close`.
    fn list<T>(&mut self, open: u32, close: u32, parts: &[T], place: impl Fn(&T) -> Span, mut print: impl FnMut(&mut Self, &T)) {
        self.indent += 1;
        let mut before = open;
        for (i, part) in parts.iter().enumerate() {
            let span = place(part);
            if i > 0 {
                self.push(",");
            }
            self.gap(before, span.start, if i > 0 { " " } else { "" });
            print(self, part);
            before = span.end;
        }
        self.indent -= 1;
        if self.broken(before, close) && !parts.is_empty() {
            self.indent += 1;
            self.comments_before(close);
            self.indent -= 1;
            self.newline();
        }
    }
}
