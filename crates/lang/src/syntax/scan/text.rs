//! The copy of a source that pest parses, with a mapping back to the source.

use crate::source::{Source, Span};

/// A run of whitespace and comments; `stands_for` is its replacement in the copy.
pub(super) struct Cut {
    pub start: usize,
    pub end: usize,
    pub stands_for: u8,
    /// The position of the replacement in the source.
    pub place: usize,
}

/// The insertion or removal of a bracket or quote.
pub(super) struct BracketEdit {
    pub at: usize,
    pub remove: usize,
    pub insert: &'static str,
}

/// The copy.
pub(super) struct Copied {
    pub text: String,
    /// The mapping to the source: each run extends to the start of the next run, and the last run marks the end.
    runs: Vec<Run>,
}

/// Bytes contiguous both in the source and in the copy.
#[derive(Clone, Copy)]
struct Run {
    /// The offset of the first byte in the copy.
    at: usize,
    /// The position of the first byte in the source map.
    place: u32,
}

impl Run {
    fn place_of(self, at: usize) -> u32 {
        self.place + at.saturating_sub(self.at) as u32
    }
}

impl Copied {
    pub fn new(source: &Source, cuts: Vec<Cut>, mut edits: Vec<BracketEdit>) -> Copied {
        edits.sort_by_key(|e| e.at);
        let text = source.text();
        let mut writer = Writer { source, out: String::with_capacity(text.len()), runs: Vec::new(), done: 0, ends_blank: false };
        let mut cuts = cuts.into_iter().peekable();
        for edit in edits {
            while let Some(cut) = cuts.next_if(|c| c.start < edit.at) {
                writer.cut(&cut);
            }
            writer.copy_until(edit.at);
            writer.insert(edit.insert, edit.at);
            writer.done = writer.done.max(edit.at + edit.remove);
        }
        for cut in cuts {
            writer.cut(&cut);
        }
        writer.copy_until(text.len());
        writer.mark(source.span().end);
        Copied { text: writer.out, runs: writer.runs }
    }

    /// Removes `start..end`.
    pub fn leave_out(&mut self, start: usize, end: usize) {
        if start < end && self.text.is_char_boundary(start) && self.text.is_char_boundary(end) {
            let behind = Run { at: end, place: self.place(end) };
            self.text.replace_range(start..end, "");
            let (before, rest) = (self.runs.iter().take_while(|r| r.at < start), self.runs.iter().skip_while(|r| r.at <= end));
            let moved = std::iter::once(&behind).chain(rest).map(|r| Run { at: r.at - (end - start), ..*r });
            self.runs = before.copied().chain(moved).collect();
        }
    }

    /// Returns the index of the run around a byte.
    fn run_of(&self, at: usize) -> usize {
        self.runs.partition_point(|r| r.at <= at).saturating_sub(1)
    }

    pub fn place(&self, at: usize) -> u32 {
        self.place_from(self.run_of(at), at)
    }

    /// Returns the source position of a byte in the run `near` or shortly after it.
    fn place_from(&self, mut near: usize, at: usize) -> u32 {
        while self.runs.get(near + 1).is_some_and(|next| next.at <= at) {
            near += 1;
        }
        // The end has a separate, empty run.
        self.runs.get(near).map_or(0, |run| run.place_of(at.min(self.text.len())))
    }

    /// Returns the offset in the copy for a source position, if the copy contains the byte.
    pub fn find(&self, place: u32) -> Option<usize> {
        let run = self.runs.get(self.runs.partition_point(|r| r.place <= place).checked_sub(1)?)?;
        let at = run.at + (place - run.place) as usize;
        (self.place(at) == place).then_some(at)
    }

    /// Returns the source span of a byte range. Whitespace after the range is excluded: the span ends with the last byte. An inserted
    /// byte has the position of the byte after it, and no length.
    pub fn span(&self, start: usize, end: usize) -> Span {
        let run = self.run_of(start);
        let from = self.place_from(run, start);
        if end <= start {
            return Span::new(from, from);
        }
        let (last, to) = (self.place_from(run, end - 1), self.place_from(run, end));
        Span::new(from, to.min(last + 1))
    }
}

struct Writer<'s> {
    source: &'s Source,
    out: String,
    runs: Vec<Run>,
    /// The end of the processed source.
    done: usize,
    /// `true` if the last byte represents whitespace, so that more whitespace adds nothing.
    ends_blank: bool,
}

impl Writer<'_> {
    /// Maps the next byte of the copy to a source position.
    fn mark(&mut self, place: u32) {
        let at = self.out.len();
        if self.runs.last().is_none_or(|run| run.place_of(at) != place) {
            self.runs.push(Run { at, place });
        }
    }

    fn cut(&mut self, cut: &Cut) {
        if cut.end <= self.done {
            return;
        }
        self.copy_until(cut.start);
        self.blank(char::from(cut.stands_for), cut.place);
        self.done = cut.end;
    }

    fn copy_until(&mut self, end: usize) {
        let Some(part) = self.source.text().get(self.done..end).filter(|part| !part.is_empty()) else { return };
        // A single space is not a cut, but must not follow an inserted space.
        let part = match part.as_bytes() {
            [only @ (b' ' | b'\n' | b';')] if self.ends_blank => {
                self.blank(char::from(*only), self.done);
                self.done = end;
                return;
            }
            [b' ' | b'\n', ..] if self.ends_blank => {
                self.blank(char::from(part.as_bytes().first().copied().unwrap_or(b' ')), self.done);
                self.done += 1;
                part.get(1..).unwrap_or("")
            }
            _ => part,
        };
        self.mark(self.source.base() + self.done as u32);
        self.out.push_str(part);
        self.ends_blank = part.ends_with([' ', '\n']);
        self.done = end;
    }

    fn insert(&mut self, text: &str, at: usize) {
        for c in text.chars() {
            if matches!(c, ' ' | '\n') {
                self.blank(c, at);
            } else {
                self.mark(self.source.base() + at as u32);
                self.out.push(c);
                self.ends_blank = false;
            }
        }
    }

    /// Adds whitespace. For adjacent whitespace the strongest is kept: `;`, then a line break, then a space.
    fn blank(&mut self, c: char, at: usize) {
        if !self.ends_blank {
            self.mark(self.source.base() + at as u32);
            self.out.push(c);
            self.ends_blank = true;
        } else if c == ';' || (c == '\n' && self.out.ends_with(' ')) {
            self.out.pop();
            self.out.push(c);
        }
    }
}
