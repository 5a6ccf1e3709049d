//! Where lines break: a list of tokens → text of some width.
//!
//! The printer writes tokens: text, places where the line may break, and groups of these. A group stands on one line
//! if it fits and nothing in it forces it apart; else every break of its own becomes a line break, those inside its
//! inner groups only where they do not fit in turn. Widths are sums that are made once, so the time is linear.

use super::super::ast::Comment;
use crate::source::{Source, Span};

/// A step of the layout.
#[derive(Debug)]
pub(super) enum Token {
    /// Bytes of the printer's text.
    Text(usize, usize),
    /// A place where the line may break; `flat` stands there if it does not. No comment may stand before a bare one.
    Break { flat: &'static str, indent: usize, blank: bool, fill: bool, bare: bool },
    /// A group: the token that ends it, whether it is broken whatever its width, whether a group in it is.
    Begin { end: usize, forced: bool, holds: bool },
    /// Its end.
    End,
    /// Text that stands only if the group around it is broken.
    IfBroken(&'static str),
    /// Blanks that stand only if the group around it is broken.
    Pad(usize),
    /// From here on lines are indented further by some levels if the group (the token of this number) is broken.
    Nest { group: usize, levels: usize },
    /// Up to here.
    Unnest { group: usize, levels: usize },
    /// A comment on a line of its own.
    Line { comment: Comment, indent: usize, blank: bool },
    /// A comment behind what stands on the line.
    Behind { comment: Comment, indent: usize },
    /// Where a unit of the source begins.
    UnitStart(Span),
    /// Where it ends.
    UnitEnd,
}

/// Where a unit of the source (an item, a directive) came to stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unit {
    /// Its place in the source; a comment behind it on its line is part of it.
    pub source: Span,
    /// Its first byte in the text, the indentation included.
    pub start: usize,
    /// The byte behind it.
    pub end: usize,
}

/// How a group is laid out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// On one line.
    Flat,
    /// Its own breaks are none, groups in it decide for themselves.
    Loose,
    /// Its own breaks are line breaks.
    Broken,
}

/// Widths up to each token, and where the next break is.
struct Widths {
    upto: Vec<usize>,
    next_break: Vec<usize>,
    /// The next break that certainly is one.
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

    /// From one token to the next certain line break.
    fn head(&self, from: usize) -> usize {
        let until = self.next_forced.get(from).copied().unwrap_or(from);
        self.upto(until).saturating_sub(self.upto(from))
    }

    /// From one token to the next break behind another one, both on one line.
    fn line(&self, from: usize, end: usize) -> usize {
        let until = self.next_break.get(end).copied().unwrap_or(end);
        self.upto(until).saturating_sub(self.upto(from))
    }
}

/// For each token the next one that is marked, itself included.
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

/// Writes lines.
pub(super) struct Layout<'a> {
    source: &'a Source,
    width: usize,
    out: String,
    /// How many columns the line has.
    column: usize,
    /// The indentation of a line that has begun, and holds nothing yet.
    begun: Option<usize>,
    /// Whether a comment stands on this line, so that nothing can follow, and how the next line is indented.
    ended: Option<usize>,
    /// Comments that go to the end of this line; all but the first get lines of their own, with this indentation.
    behind: Vec<(Comment, usize)>,
    base: usize,
    pub units: Vec<Unit>,
    /// Units whose first letter has not been written.
    starts: Vec<usize>,
    /// Units behind which nothing stands yet.
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

    /// The text, with one line break at its end.
    pub fn run(mut self, tokens: &[Token], text: &str) -> (String, Vec<Unit>) {
        let widths = Widths::new(tokens, text);
        // Outside of all groups lines break.
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

    /// Where the next letter would stand.
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

    /// A comment behind a unit on its line belongs to it.
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
