//! Breaks lines: lays out a list of tokens for a line width.
//!
//! The printer writes tokens: text, breaks (positions where the line may break) and groups. A group is printed on one line if it fits
//! and is not forced to break. Otherwise each of its own breaks becomes a line break, while inner groups break only if they do not fit
//! either. Widths are prefix sums, computed once, so layout takes linear time.

use super::super::ast::Comment;
use crate::source::{Source, Span};

/// A layout instruction.
#[derive(Debug)]
pub(super) enum Token {
    /// A byte range in the printer's buffer.
    Text(usize, usize),
    /// A possible line break, printed as `flat` if the line does not break. No comment may precede a `bare` break.
    Break { flat: &'static str, indent: usize, blank: bool, fill: bool, bare: bool },
    /// The start of a group: the index of its end, `forced` if the group must break, and `holds` if a group inside it must break.
    Begin { end: usize, forced: bool, holds: bool },
    /// The end of a group.
    End,
    /// Characters printed only if the enclosing group is broken.
    IfBroken(&'static str),
    /// Spaces printed only if the enclosing group is broken.
    Pad(usize),
    /// Indents the following lines by some levels if the group with this token index is broken.
    Nest { group: usize, levels: usize },
    /// Ends the indentation of a `Nest`.
    Unnest { group: usize, levels: usize },
    /// A comment on a separate line.
    Line { comment: Comment, indent: usize, blank: bool },
    /// A comment at the end of the line.
    Behind { comment: Comment, indent: usize },
    /// The start of a unit in the source.
    UnitStart(Span),
    /// The end of a unit.
    UnitEnd,
}

/// The position in the output of a unit (an item or directive).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unit {
    /// The span in the source, including a comment after it on the same line.
    pub source: Span,
    /// The offset of the first byte in the output, including the indentation.
    pub start: usize,
    /// The offset after the last byte.
    pub end: usize,
}

/// The layout of a group.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// On one line, including all inner groups.
    Flat,
    /// The group's own breaks do not break the line, but inner groups may break.
    Loose,
    /// The group's own breaks are line breaks.
    Broken,
}

/// The width before each token, and the index of the next break.
struct Widths {
    upto: Vec<usize>,
    next_break: Vec<usize>,
    /// The index of the next certain break.
    next_forced: Vec<usize>,
}

impl Widths {
    fn new(tokens: &[Token], text: &str) -> Widths {
        let mut upto = Vec::with_capacity(tokens.len() + 1);
        let mut sum = 0;
        for token in tokens {
            upto.push(sum);
            sum += match token {
                Token::Text(from, to) => first_line(text.get(*from..*to).unwrap_or_default()).chars().count(),
                Token::Break { flat, .. } => flat.len(),
                _ => 0,
            };
        }
        upto.push(sum);
        let mut forced_groups = Vec::new();
        let forced: Vec<bool> = tokens
            .iter()
            .map(|token| {
                match token {
                    Token::Begin { forced, .. } => forced_groups.push(*forced),
                    Token::End => drop(forced_groups.pop()),
                    _ => {}
                }
                let is_break = matches!(token, Token::Break { fill: false, .. }) && forced_groups.last().copied().unwrap_or(true);
                is_break || matches!(token, Token::Line { .. })
            })
            .collect();
        let next_break = next(tokens.iter().map(|token| matches!(token, Token::Break { .. })));
        let next_forced = next(forced.into_iter());
        Widths { upto, next_break, next_forced }
    }

    fn upto(&self, token: usize) -> usize {
        self.upto.get(token).copied().unwrap_or(0)
    }

    /// Returns the width from a token to the next certain line break.
    fn head(&self, from: usize) -> usize {
        let until = self.next_forced.get(from).copied().unwrap_or(from);
        self.upto(until).saturating_sub(self.upto(from))
    }

    /// Returns the width from a token to the first break after a later token, both on one line.
    fn line(&self, from: usize, end: usize) -> usize {
        let until = self.next_break.get(end).copied().unwrap_or(end);
        self.upto(until).saturating_sub(self.upto(from))
    }
}

/// Returns for each token the index of the next marked token, which may be the token itself.
fn next(marked: impl DoubleEndedIterator<Item = bool> + ExactSizeIterator) -> Vec<usize> {
    let count = marked.len();
    let mut next = count;
    let mut out: Vec<usize> = std::iter::once(count)
        .chain(marked.enumerate().rev().map(|(i, is)| {
            next = if is { i } else { next };
            next
        }))
        .collect();
    out.reverse();
    out
}

fn first_line(text: &str) -> &str {
    text.split('\n').next().unwrap_or(text)
}

/// Writes the output.
pub(super) struct Layout<'a> {
    source: &'a Source,
    width: usize,
    out: String,
    /// The width of the current line.
    column: usize,
    /// The indentation of a new, still empty line.
    begun: Option<usize>,
    /// The indentation of the next line if this line ends with a comment, so that nothing can follow.
    ended: Option<usize>,
    /// Comments for the end of this line. All but the first get separate lines, with this indentation.
    behind: Vec<(Comment, usize)>,
    base: usize,
    pub units: Vec<Unit>,
    /// Units whose first character has not been written.
    starts: Vec<usize>,
    /// Units that end at the current position.
    ends: Vec<usize>,
    open_units: Vec<usize>,
}

impl<'a> Layout<'a> {
    pub fn new(source: &'a Source, width: usize) -> Layout<'a> {
        Layout {
            source,
            width,
            out: String::with_capacity(source.text().len() + source.text().len() / 8),
            column: 0,
            begun: Some(0),
            ended: None,
            behind: Vec::new(),
            base: 0,
            units: Vec::new(),
            starts: Vec::new(),
            ends: Vec::new(),
            open_units: Vec::new(),
        }
    }

    /// Returns the output, which ends with one line break.
    pub fn run(mut self, tokens: &[Token], text: &str) -> (String, Vec<Unit>) {
        let widths = Widths::new(tokens, text);
        // Outside of groups each break is a line break.
        let mut modes: Vec<Mode> = Vec::new();
        let mut broken_groups = vec![false; tokens.len()];
        for (i, token) in tokens.iter().enumerate() {
            let mode = modes.last().copied().unwrap_or(Mode::Broken);
            let broken = mode == Mode::Broken;
            match token {
                Token::Text(from, to) => self.text(text.get(*from..*to).unwrap_or_default()),
                Token::Begin { end, forced, holds } => {
                    let left = self.width.saturating_sub(self.column());
                    let mode = match () {
                        () if mode == Mode::Flat => Mode::Flat,
                        () if *forced => Mode::Broken,
                        () if *holds && widths.head(i) <= left => Mode::Loose,
                        () if *holds || widths.line(i, *end) > left => Mode::Broken,
                        () => Mode::Flat,
                    };
                    if let Some(slot) = broken_groups.get_mut(i) {
                        *slot = mode == Mode::Broken;
                    }
                    modes.push(mode);
                }
                Token::End => {
                    modes.pop();
                }
                Token::Break { flat, indent, blank, fill, bare } => {
                    let fits = || self.column() + widths.line(i, i + 1) <= self.width;
                    let stays = if *fill { mode == Mode::Flat || fits() } else { !broken };
                    if stays && self.ended.is_none() {
                        self.text(flat);
                    } else {
                        let behind = if *bare { std::mem::take(&mut self.behind) } else { Vec::new() };
                        self.newline(indent + self.base, *blank && broken);
                        self.behind.extend(behind);
                    }
                }
                Token::IfBroken(text) if broken => self.text(text),
                Token::Pad(count) if broken => self.text(&" ".repeat(*count)),
                Token::Nest { group, levels } if broken_groups.get(*group).copied().unwrap_or(false) => self.base += levels,
                Token::Unnest { group, levels } if broken_groups.get(*group).copied().unwrap_or(false) => self.base -= levels,
                Token::Line { comment, indent, blank } => self.comment(*comment, indent + self.base, *blank),
                Token::Behind { comment, indent } => {
                    if self.begun.is_some() || self.ended.is_some() {
                        self.comment(*comment, self.ended.or(self.begun).unwrap_or(0), false);
                    } else {
                        self.behind.push((*comment, indent + self.base));
                    }
                    self.extend_units(comment.span);
                }
                Token::UnitStart(span) => {
                    let unit = self.units.len();
                    self.units.push(Unit { source: *span, start: self.out.len(), end: self.out.len() });
                    self.starts.push(unit);
                    self.open_units.push(unit);
                }
                Token::UnitEnd => {
                    if let Some(unit) = self.open_units.pop() {
                        self.end_unit(unit);
                        self.ends.push(unit);
                    }
                }
                Token::IfBroken(_) | Token::Pad(_) | Token::Nest { .. } | Token::Unnest { .. } => {}
            }
        }
        if !self.out.is_empty() || !self.behind.is_empty() {
            self.newline(0, false);
        }
        (self.out, self.units)
    }

    /// Returns the column of the next character.
    fn column(&self) -> usize {
        match (self.ended, self.begun) {
            (Some(indent), _) | (None, Some(indent)) => indent * 2,
            _ => self.column,
        }
    }

    fn text(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        if let Some(indent) = self.ended {
            self.newline(indent, false);
        }
        self.ends.clear();
        let line_start = self.out.len();
        if let Some(indent) = self.begun.take() {
            self.out.extend(std::iter::repeat_n("  ", indent));
            self.column = indent * 2;
        }
        for unit in self.starts.drain(..) {
            if let Some(unit) = self.units.get_mut(unit) {
                unit.start = line_start;
            }
        }
        self.out.push_str(text);
        match text.rsplit_once('\n') {
            Some((_, last)) => self.column = last.chars().count(),
            None => self.column += text.chars().count(),
        }
    }

    /// Ends the line and begins the next one.
    fn newline(&mut self, indent: usize, blank: bool) {
        let mut first = self.begun.is_none();
        for (comment, indent) in std::mem::take(&mut self.behind) {
            if first {
                self.out.push_str("  ");
            } else {
                self.out.push('\n');
                self.out.extend(std::iter::repeat_n("  ", indent));
            }
            first = false;
            self.push_comment(comment);
        }
        while self.out.ends_with(' ') {
            self.out.pop();
        }
        let ends = std::mem::take(&mut self.ends);
        ends.into_iter().for_each(|unit| self.end_unit(unit));
        if self.begun.is_none() {
            self.out.push('\n');
        }
        if blank && !self.out.is_empty() && !self.out.ends_with("\n\n") {
            self.out.push('\n');
        }
        self.begun = Some(indent);
        self.ended = None;
    }

    fn end_unit(&mut self, unit: usize) {
        let end = self.out.len();
        if let Some(unit) = self.units.get_mut(unit) {
            unit.end = end;
        }
    }

    /// Extends the units that end here by a comment after them on the same line.
    fn extend_units(&mut self, comment: Span) {
        for unit in &self.ends {
            if let Some(unit) = self.units.get_mut(*unit) {
                unit.source = unit.source.to(comment);
            }
        }
    }

    fn comment(&mut self, comment: Comment, indent: usize, blank: bool) {
        self.newline(indent, blank);
        self.begun = None;
        self.out.extend(std::iter::repeat_n("  ", indent));
        self.push_comment(comment);
        self.column = self.width;
        self.ended = Some(indent);
    }

    fn push_comment(&mut self, comment: Comment) {
        let text = self.source.slice(comment.span).trim_end();
        if text.contains('\r') {
            self.out.push_str(&text.replace("\r\n", "\n"));
        } else {
            self.out.push_str(text);
        }
    }
}
