//! Sources and positions in them.
//!
//! All files of a [`SourceMap`] share one numbering of bytes, so that a [`Span`] of eight bytes identifies both a file and a range in
//! it. This module does not read files: callers provide the content.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// A range of bytes in a [`SourceMap`], from `start` up to but excluding `end`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    /// The first byte, counted across all files of the map.
    pub start: u32,
    /// The byte after the last byte.
    pub end: u32,
}

impl Span {
    /// The span of something outside all files, such as a built-in default.
    pub const NONE: Span = Span { start: 0, end: 0 };

    /// Creates a span from `start` up to but excluding `end`.
    pub fn new(start: u32, end: u32) -> Span {
        Span { start, end: end.max(start) }
    }

    /// Returns `true` if this is [`Span::NONE`].
    pub fn is_none(self) -> bool {
        self == Span::NONE
    }

    /// Returns the smallest span that contains both; [`Span::NONE`] is ignored.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        if self.is_none() {
            other
        } else if other.is_none() {
            self
        } else {
            Span::new(self.start.min(other.start), self.end.max(other.end))
        }
    }

    /// Returns the span shifted by this number of bytes; [`Span::NONE`] stays.
    #[must_use]
    pub fn moved(self, by: u32) -> Span {
        if self.is_none() { self } else { Span::new(self.start.saturating_add(by), self.end.saturating_add(by)) }
    }

    /// Returns `true` if `other` is inside this span.
    pub fn contains(self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Returns the length in bytes.
    pub fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    /// Returns `true` if the length is 0.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }
}

impl std::fmt::Debug for Span {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}

/// A position for display: line and column start at 1, columns are Unicode code points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The line, from 1.
    pub line: u32,
    /// The column in code points, from 1.
    pub column: u32,
}

/// A source with its name.
#[derive(Debug)]
pub struct Source {
    name: String,
    text: String,
    base: u32,
    line_starts: OnceLock<Vec<u32>>,
    /// The number of characters before each piece with [`PIECE`] bytes.
    marks: OnceLock<Vec<Units>>,
}

/// The distance in bytes between cached character counts. The counts keep conversions fast if a line is as long as the source.
const PIECE: usize = 512;

/// The length of a source in both units for columns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Units {
    characters: u32,
    utf16: u32,
}

impl Units {
    fn of(bytes: &[u8]) -> Units {
        let characters = bytes.iter().filter(|b| (**b & 0xc0) != 0x80).count() as u32;
        // Characters of four bytes are two units in UTF-16.
        Units { characters, utf16: characters + bytes.iter().filter(|b| **b >= 0xf0).count() as u32 }
    }

    fn plus(self, other: Units) -> Units {
        Units { characters: self.characters + other.characters, utf16: self.utf16 + other.utf16 }
    }
}

impl Source {
    /// Returns the name for display: the path as the user gave it, or a name such as `<stdin>`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the whole source.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the position of the source's first byte in the source map.
    pub fn base(&self) -> u32 {
        self.base
    }

    /// Returns the span of the whole source.
    pub fn span(&self) -> Span {
        Span::new(self.base, self.base + self.text.len() as u32)
    }

    /// Returns the span of a byte range in this source.
    pub fn span_of(&self, range: std::ops::Range<usize>) -> Span {
        Span::new(self.base + range.start as u32, self.base + range.end as u32)
    }

    /// Returns the byte range of a span in this source, limited to the source and rounded down to character boundaries.
    pub fn range(&self, span: Span) -> std::ops::Range<usize> {
        let clamp = |at: u32| {
            let mut at = (at.saturating_sub(self.base) as usize).min(self.text.len());
            while !self.text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        clamp(span.start)..clamp(span.end)
    }

    /// Returns the part of the source at a span.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(self.range(span)).unwrap_or_default()
    }

    /// Returns the line, from 1, of a byte in the source map.
    pub fn line(&self, at: u32) -> u32 {
        self.line_of(at).0 as u32 + 1
    }

    /// Returns the line and column of a byte in the source map.
    pub fn position(&self, at: u32) -> Position {
        let (line, start) = self.line_of(at);
        let upto = self.range(Span::new(at, at)).start;
        Position {
            line: line as u32 + 1,
            column: self.units_before(upto).characters.saturating_sub(self.units_before(start).characters) + 1,
        }
    }

    /// Returns the byte in the source map at a position, limited to the line and to the source.
    pub fn at(&self, position: Position) -> u32 {
        let starts = self.line_starts();
        let Some(start) = starts.get((position.line as usize).saturating_sub(1)).map(|s| *s as usize) else {
            return self.base + self.text.len() as u32;
        };
        let end = starts.get(position.line as usize).map_or(self.text.len(), |next| *next as usize - 1);
        let found = self.forward(start..end, position.column.saturating_sub(1), |units| units.characters, |_| 1);
        self.base + found as u32
    }

    /// Returns the number of characters before a byte in this source.
    fn units_before(&self, byte: usize) -> Units {
        let bytes = self.text.as_bytes();
        let marks = self.marks();
        let piece = (byte / PIECE).min(marks.len().saturating_sub(1));
        let before = marks.get(piece).copied().unwrap_or_default();
        before.plus(Units::of(bytes.get(piece * PIECE..byte).unwrap_or_default()))
    }

    fn marks(&self) -> &[Units] {
        self.marks.get_or_init(|| {
            let pieces = self.text.as_bytes().chunks(PIECE).map(Units::of);
            pieces.scan(Units::default(), |sum, piece| Some(std::mem::replace(sum, sum.plus(piece)))).collect()
        })
    }

    /// Returns the first byte in a line with at least `wanted` units before it, or the end of the line.
    fn forward(&self, line: std::ops::Range<usize>, wanted: u32, unit: impl Fn(&Units) -> u32, width: impl Fn(char) -> u32) -> usize {
        let target = unit(&self.units_before(line.start)).saturating_add(wanted);
        let piece = self.marks().partition_point(|mark| unit(mark) < target).saturating_sub(1);
        let mut from = (piece * PIECE).max(line.start);
        while !self.text.is_char_boundary(from) {
            from += 1;
        }
        let mut at = unit(&self.units_before(from));
        for (byte, c) in self.text.get(from..line.end).unwrap_or_default().char_indices() {
            if at >= target {
                return from + byte;
            }
            at += width(c);
        }
        line.end
    }

    /// Returns the column of a byte in the source map in UTF-16 units from 0, as in the language server protocol.
    pub fn utf16_column(&self, at: u32) -> u32 {
        let (_, start) = self.line_of(at);
        let upto = self.range(Span::new(at, at)).start;
        self.units_before(upto).utf16.saturating_sub(self.units_before(start).utf16)
    }

    /// Returns the byte of this source at a column in UTF-16 units from 0, in the line with the byte range `line`.
    pub fn at_utf16(&self, line: std::ops::Range<usize>, column: u32) -> usize {
        self.forward(line, column, |units| units.utf16, |c| c.len_utf16() as u32)
    }

    /// Returns the byte offsets of all line starts; computed once.
    pub fn line_starts(&self) -> &[u32] {
        self.line_starts.get_or_init(|| {
            std::iter::once(0).chain(self.text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i as u32 + 1)).collect()
        })
    }

    fn line_of(&self, at: u32) -> (usize, usize) {
        let starts = self.line_starts();
        let at = at.saturating_sub(self.base);
        let line = starts.partition_point(|s| *s <= at).saturating_sub(1);
        (line, starts.get(line).copied().unwrap_or(0) as usize)
    }
}

/// All sources in a run or session. The map only grows, and clones share it. Spans are valid only in their own map.
#[derive(Debug, Clone, Default)]
pub struct SourceMap(Arc<Sources>);

#[derive(Debug, Default)]
struct Sources {
    texts: boxcar::Vec<Arc<Source>>,
    derived: boxcar::Vec<Derived>,
    /// Held while a source is added, so that sources are in the order of their bytes.
    adding: Mutex<()>,
}

/// A source generated from other sources.
#[derive(Debug, Clone)]
struct Derived {
    text: Span,
    /// The pieces with the spans from which they were generated.
    pieces: Vec<(Span, Span)>,
}

/// The error for more than 4 GiB of sources in a map.
#[derive(Debug, thiserror::Error)]
#[error("the sources of one run are larger than 4 GiB together")]
pub struct TooLarge;

impl SourceMap {
    /// Creates an empty map.
    pub fn new() -> SourceMap {
        SourceMap::default()
    }

    /// Returns a map with the same sources. Sources added to either map do not appear in the other.
    #[must_use]
    pub fn fork(&self) -> SourceMap {
        let texts = self.0.texts.iter().map(|(_, text)| Arc::clone(text)).collect();
        let derived = self.0.derived.iter().map(|(_, derived)| derived.clone()).collect();
        SourceMap(Arc::new(Sources { texts, derived, adding: Mutex::default() }))
    }

    /// Adds a source with its name for display.
    ///
    ///
    /// # Errors
    ///
    /// Returns [`TooLarge`] if the bytes of all sources could no longer be addressed with 32 bits.
    pub fn add(&self, name: impl Into<String>, text: impl Into<String>) -> Result<Arc<Source>, TooLarge> {
        let (name, text) = (name.into(), text.into());
        let length = u32::try_from(text.len()).map_err(|_| TooLarge)?;
        // A panic in this thread never leaves an incomplete state.
        let _adding = self.0.adding.lock().unwrap_or_else(PoisonError::into_inner);
        self.add_next(name, text, length)
    }

    /// Adds the sources of another map, in their order. Returns the number of bytes by which their spans are shifted.
    ///
    ///
    /// # Errors
    ///
    /// Returns [`TooLarge`] if the bytes of all sources could no longer be addressed with 32 bits.
    pub fn append(&self, other: &SourceMap) -> Result<u32, TooLarge> {
        let _adding = self.0.adding.lock().unwrap_or_else(PoisonError::into_inner);
        let by = self.last().map_or(0, |last| last.span().end);
        for source in other.iter() {
            self.add_next(source.name.clone(), source.text.clone(), source.span().end - source.base)?;
        }
        for (_, derived) in other.0.derived.iter() {
            let pieces = derived.pieces.iter().map(|(piece, origin)| (piece.moved(by), origin.moved(by))).collect();
            self.0.derived.push(Derived { text: derived.text.moved(by), pieces });
        }
        Ok(by)
    }

    fn add_next(&self, name: String, text: String, length: u32) -> Result<Arc<Source>, TooLarge> {
        // Byte 0 belongs to no file, so that `Span::NONE` is outside all files. A byte between files separates the end of a file from
        // the start of the next.
        let base = self.last().map_or(0, |last| last.span().end).checked_add(1).ok_or(TooLarge)?;
        base.checked_add(length).and_then(|end| end.checked_add(1)).ok_or(TooLarge)?;
        let source = Arc::new(Source { name, text, base, line_starts: OnceLock::new(), marks: OnceLock::new() });
        self.0.texts.push(Arc::clone(&source));
        Ok(source)
    }

    fn last(&self) -> Option<&Arc<Source>> {
        self.0.texts.get(self.0.texts.count().checked_sub(1)?)
    }

    /// Returns the file in which a span starts.
    pub fn find(&self, span: Span) -> Option<&Arc<Source>> {
        if span.is_none() {
            return None;
        }
        // The first source that begins after the span. A source that is just being added is not there yet.
        let (mut from, mut to) = (0, self.0.texts.count());
        while from < to {
            let middle = from.midpoint(to);
            match self.0.texts.get(middle) {
                Some(source) if source.base <= span.start => from = middle + 1,
                _ => to = middle,
            }
        }
        let source = self.0.texts.get(from.checked_sub(1)?)?;
        (span.start <= source.span().end).then_some(source)
    }

    /// Returns the source at a span, empty outside all files.
    pub fn slice(&self, span: Span) -> &str {
        self.find(span).map_or("", |s| s.slice(span))
    }

    /// Returns `name:line:column` for the start of a span.
    pub fn locate(&self, span: Span) -> Option<String> {
        let source = self.find(span)?;
        let at = source.position(span.start);
        Some(format!("{}:{}:{}", source.name(), at.line, at.column))
    }

    /// Records the original spans for the pieces of a generated source.
    pub fn derive(&self, text: &Source, pieces: Vec<(Span, Span)>) {
        self.0.derived.push(Derived { text: text.span(), pieces });
    }

    /// Returns `true` if a source was generated from other sources: a type file from Ruby.
    pub fn is_derived(&self, text: &Source) -> bool {
        self.0.derived.iter().any(|(_, derived)| derived.text == text.span())
    }

    /// Returns the span in the original from which the smallest piece around `span` was generated, or `span` itself if the source was
    /// not generated.
    pub fn origin(&self, span: Span) -> Span {
        let Some((_, derived)) = self.0.derived.iter().find(|(_, d)| !span.is_none() && d.text.contains(span)) else { return span };
        let around = derived.pieces.iter().filter(|(piece, _)| piece.contains(span));
        around.min_by_key(|(piece, _)| piece.len()).map_or(span, |(_, origin)| *origin)
    }

    /// Returns all sources in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Source>> {
        self.0.texts.iter().map(|(_, source)| source)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_names_file_and_place() {
        let map = SourceMap::new();
        let one = map.add("one", "a\nbé€d\n").unwrap();
        let two = map.add("two", "x").unwrap();
        let d = one.span_of(8..9);
        assert_eq!(one.text().get(8..9), Some("d").filter(|_| one.text().is_char_boundary(8)));
        assert_eq!(map.find(d).unwrap().name(), "one");
        assert_eq!(map.find(two.span_of(0..1)).unwrap().name(), "two");
        assert_eq!(map.slice(two.span()), "x");
        assert_eq!(map.find(Span::NONE).map(|s| s.name().to_owned()), None);
        assert_eq!(map.locate(one.span_of(2..3)).unwrap(), "one:2:1");
        // Inside a character, the range begins with it.
        assert_eq!((one.range(one.span_of(4..8)), one.slice(one.span_of(4..8))), (3..8, "é€"));
    }

    #[test]
    fn appended_texts_keep_their_order_and_origins() {
        let (map, other) = (SourceMap::new(), SourceMap::new());
        map.add("one", "1").unwrap();
        let ruby = other.add("two.rb", "ruby").unwrap();
        let made = other.add("two", "made").unwrap();
        other.derive(&made, vec![(made.span_of(0..2), ruby.span_of(1..3))]);
        let by = map.append(&other).unwrap();
        assert_eq!(map.iter().map(|s| s.name()).collect::<Vec<_>>(), ["one", "two.rb", "two"]);
        let moved = made.span_of(0..1).moved(by);
        assert_eq!((map.slice(moved), map.slice(map.origin(moved))), ("m", "ub"));
        assert_eq!(Span::NONE.moved(by), Span::NONE);
    }

    #[test]
    fn clones_share_their_texts_and_forks_do_not() {
        let map = SourceMap::new();
        map.add("one", "1").unwrap();
        let (shared, fork) = (map.clone(), map.fork());
        let (two, three) = (shared.add("two", "2").unwrap(), fork.add("three", "3").unwrap());
        assert_eq!((map.slice(two.span()), fork.slice(three.span())), ("2", "3"));
        assert_eq!((map.iter().count(), fork.iter().count()), (2, 2));
    }

    #[test]
    fn a_piece_of_a_text_comes_from_the_smallest_place() {
        let map = SourceMap::new();
        let (ruby, made) = (map.add("a.rb", "newparam :x").unwrap(), map.add("a.rtype", "type a { newparam x }").unwrap());
        let pieces = vec![(made.span(), ruby.span_of(0..1)), (made.span_of(9..19), ruby.span_of(9..11))];
        map.derive(&made, pieces);
        assert_eq!(map.origin(made.span_of(18..19)), ruby.span_of(9..11));
        assert_eq!(map.origin(made.span_of(5..6)), ruby.span_of(0..1));
        assert_eq!(map.origin(ruby.span_of(3..4)), ruby.span_of(3..4));
        assert_eq!(map.origin(Span::NONE), Span::NONE);
    }

    #[test]
    fn columns_count_code_points_and_utf16_units() {
        let map = SourceMap::new();
        let source = map.add("f", "é😀x").unwrap();
        let x = source.span_of(6..7);
        assert_eq!(source.slice(x), "x");
        assert_eq!(source.position(x.start), Position { line: 1, column: 3 });
        assert_eq!(source.utf16_column(x.start), 3);
        assert_eq!(source.at(Position { line: 1, column: 3 }), x.start);
        assert_eq!(source.at(Position { line: 1, column: 9 }), x.end);
        assert_eq!(source.at(Position { line: 9, column: 1 }), x.end);
    }

    #[test]
    fn columns_of_long_lines_are_counted_from_where_the_line_begins() {
        let text = format!("ü\n{}\n{}", "aé€😀".repeat(5_000), "é".repeat(5_000));
        let map = SourceMap::new();
        let source = map.add("f", text.clone()).unwrap();
        for (at, _) in text.char_indices().step_by(997) {
            let line = text[..at].matches('\n').count();
            let column = text[..at].chars().rev().take_while(|c| *c != '\n').count();
            let (place, byte) = (Position { line: line as u32 + 1, column: column as u32 + 1 }, source.span_of(at..at).start);
            assert_eq!(source.position(byte), place, "{at}");
            assert_eq!(source.at(place), byte, "{at}");
            let line_start = text[..at].rfind('\n').map_or(0, |n| n + 1);
            let line_end = text[at..].find('\n').map_or(text.len(), |n| at + n);
            let utf16: usize = text[line_start..at].chars().map(char::len_utf16).sum();
            assert_eq!(source.utf16_column(byte), utf16 as u32, "{at}");
            assert_eq!(source.at_utf16(line_start..line_end, utf16 as u32), at, "{at}");
        }
    }

    #[test]
    fn a_span_past_the_text_is_cut() {
        let map = SourceMap::new();
        let source = map.add("f", "é").unwrap();
        assert_eq!(source.slice(Span::new(source.base(), source.base() + 99)), "é");
        assert_eq!(source.slice(Span::new(source.base() + 1, source.base() + 2)), "é");
    }

    #[test]
    fn spans_are_eight_bytes() {
        assert_eq!(std::mem::size_of::<Span>(), 8);
    }
}
