//! The copy of a text that pest reads, and the way back.

use crate::source::{Source, Span};

/// A run of blanks and comments: `stands_for` is what pest gets for it.
pub(super) struct Cut {
    pub start: usize,
    pub end: usize,
    pub stands_for: u8,
    /// Where that stands.
    pub place: usize,
}

/// A bracket or quote that is missing or too much.
pub(super) struct Edit {
    pub at: usize,
    pub remove: usize,
    pub insert: &'static str,
}

/// The copy.
pub(super) struct Copied {
    pub text: String,
    /// For each byte of the copy, and for its end, the map-wide place that it has in the source.
    places: Vec<u32>,
}

impl Copied {
    pub fn new(source: &Source, cuts: Vec<Cut>, mut edits: Vec<Edit>) -> Copied {
        edits.sort_by_key(|e| e.at);
        let text = source.text();
        let mut writer = Writer {
            source,
            out: String::with_capacity(text.len()),
            places: Vec::with_capacity(text.len() + 1),
            done: 0,
            ends_blank: false,
        };
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
        writer.places.push(source.span().end);
        Copied { text: writer.out, places: writer.places }
    }

    /// Leaves `start..end` out.
    pub fn leave_out(&mut self, start: usize, end: usize) {
        if start < end && self.text.is_char_boundary(start) && self.text.is_char_boundary(end) {
            self.text.replace_range(start..end, "");
            self.places.drain(start..end);
        }
    }

    pub fn place(&self, at: usize) -> u32 {
        self.places.get(at).or(self.places.last()).copied().unwrap_or(0)
    }

    /// Blanks behind the end do not belong to it, so the end is where its last byte ends; an inserted byte has
    /// the place of the byte behind it, and no length.
    pub fn span(&self, start: usize, end: usize) -> Span {
        let (from, to) = (self.place(start), self.place(end));
        let last = self.place(end.saturating_sub(1));
        Span::new(from, if end <= start { from } else { to.min(last + 1) })
    }
}

struct Writer<'s> {
    source: &'s Source,
    out: String,
    places: Vec<u32>,
    /// How far the source has been dealt with.
    done: usize,
    /// Whether the last byte stands for blanks: then more blanks add nothing.
    ends_blank: bool,
}

impl Writer<'_> {
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
        // A single blank is no cut, but must not stand beside an inserted one.
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
        let base = self.source.base();
        self.places.extend(base + self.done as u32..base + end as u32);
        self.out.push_str(part);
        self.ends_blank = part.ends_with([' ', '\n']);
        self.done = end;
    }

    fn insert(&mut self, text: &str, at: usize) {
        for c in text.chars() {
            if matches!(c, ' ' | '\n') {
                self.blank(c, at);
            } else {
                self.out.push(c);
                self.places.push(self.source.base() + at as u32);
                self.ends_blank = false;
            }
        }
    }

    /// Of several blanks beside each other the strongest stays: `;` before a line break before a blank.
    fn blank(&mut self, c: char, at: usize) {
        if !self.ends_blank {
            self.out.push(c);
            self.places.push(self.source.base() + at as u32);
            self.ends_blank = true;
        } else if c == ';' || (c == '\n' && self.out.ends_with(' ')) {
            self.out.pop();
            self.out.push(c);
        }
    }
}
