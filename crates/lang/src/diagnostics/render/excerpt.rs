//! The few lines of a source that a diagnostic shows.
//!
//! miette is never given a whole file: finding a line number in its own way walks from the first byte,
//! which is quadratic over many diagnostics of a large file, and a compiled catalog is one line of
//! megabytes. An excerpt cuts small windows around the labels, replaces what a terminal would act upon by as many
//! bytes, and secrets by masks of one length: labels are given in offsets of the text that is shown.

use super::{is_unprintable, printable};
use crate::diagnostics::{Origin, Redactions};
use crate::redact::REDACTED;
use crate::source::{Source, Span};
use miette::{MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};
use std::ops::Range;

/// Lines shown before and after a label.
pub(super) const CONTEXT: usize = 1;
/// A label over more lines is shown by its first line only.
const MAX_LABEL_LINES: usize = 8;
/// A line with more bytes is cut around the label, and stands alone.
const MAX_LINE: usize = 300;
/// What of a cut line stands before and behind the label's start.
const CUT_BEFORE: usize = 40;
const CUT_AFTER: usize = 100;
/// How far around an excerpt secrets are searched by value: one may begin before it or end after it.
const AROUND: usize = 1024;

/// A window into one source.
#[derive(Debug)]
pub(super) struct Excerpt {
    name: String,
    /// Where it starts in the file. All other offsets are those of its text.
    start: usize,
    /// The number of its first line, from 0.
    line: usize,
    /// The column at which it starts, from 0; not 0 for a line that is cut.
    column: usize,
    text: String,
    masks: Vec<Mask>,
}

/// What is shown for one line of a secret.
#[derive(Debug)]
struct Mask {
    /// The secret's range in the file.
    secret: Range<usize>,
    /// The range of the mask in the text of the excerpt.
    shown: Range<usize>,
    /// How many columns the secret takes.
    columns: usize,
}

/// What an excerpt underlines: the number of a span and its range in the text of the excerpt.
pub(super) type Shown = (usize, Range<usize>);

impl Excerpt {
    /// The excerpts that show `spans` of `source`. The one with the first span comes first, the others follow
    /// in the order of the file.
    pub(super) fn all(source: &Source, spans: &[Span], secrets: &Redactions) -> Vec<(Excerpt, Vec<Shown>)> {
        let shown = spans.iter().map(|span| label_range(source, source.range(*span))).enumerate();
        let (mut lines, mut cut) = (Vec::new(), Vec::new());
        for (i, range) in shown {
            let around = whole_lines(source, &range);
            if longest_line(source, &around) > MAX_LINE { cut.push((i, range)) } else { lines.push((around, vec![(i, range)])) }
        }
        lines.sort_by_key(|(around, _)| around.start);
        let mut windows: Vec<(Range<usize>, Vec<Shown>)> = Vec::new();
        for (around, label) in lines {
            match windows.last_mut() {
                Some((last, labels)) if around.start <= last.end => {
                    last.end = last.end.max(around.end);
                    labels.extend(label);
                }
                _ => windows.push((around, label)),
            }
        }
        let mut all: Vec<_> = windows
            .into_iter()
            .map(|(around, labels)| (Excerpt::whole(source, around, &labels, secrets), labels))
            .chain(cut.into_iter().map(|label| (Excerpt::cut(source, &label.1, secrets), vec![label])))
            .map(|(excerpt, labels)| {
                let labels = labels.into_iter().map(|(i, range)| (i, excerpt.shown(range))).collect::<Vec<_>>();
                (excerpt, labels)
            })
            .collect();
        all.sort_by_key(|(excerpt, labels)| (!labels.iter().any(|(i, _)| *i == 0), excerpt.start));
        all
    }

    /// The same, headed by the place where what it shows was written.
    pub(super) fn compiled_from(self, origin: &Origin) -> Excerpt {
        Excerpt { name: format!("{} in {}", printable(&origin.to_string()), self.name), ..self }
    }

    /// Whole lines.
    fn whole(source: &Source, range: Range<usize>, labels: &[Shown], secrets: &Redactions) -> Excerpt {
        let (mut text, masks) = masked(source, range.clone(), secrets);
        if labels.iter().any(|(_, label)| label.start == source.text().len()) {
            // Room for a caret at the end of the file.
            text.push(' ');
        }
        let line = source.position(source.base() + range.start as u32).line as usize - 1;
        Excerpt { name: printable(source.name()), start: range.start, line, column: 0, text, masks }
    }

    /// A piece of a long line.
    fn cut(source: &Source, range: &Range<usize>, secrets: &Redactions) -> Excerpt {
        let whole = source.text();
        let starts = source.line_starts();
        let line = starts.partition_point(|s| *s as usize <= range.start).saturating_sub(1);
        let line_start = starts.get(line).map_or(0, |s| *s as usize);
        let line_end = starts.get(line + 1).map_or(whole.len(), |s| (*s as usize).saturating_sub(1));
        let start = boundary(whole, range.start.saturating_sub(CUT_BEFORE)).max(line_start);
        let end = boundary(whole, range.start + CUT_AFTER).max(range.end).min(line_end.max(range.end));
        let (text, masks) = masked(source, start..end, secrets);
        let column = source.position(source.base() + start as u32).column as usize - 1;
        let mut excerpt = Excerpt { name: printable(source.name()), start, line, column, text, masks };
        if start > line_start {
            excerpt.dots(0);
        }
        let at = excerpt.text.len().saturating_sub(3);
        if end >= line_end {
            excerpt.text.push(' ');
        } else if at > excerpt.shown(range.clone()).end {
            excerpt.dots(at);
        }
        excerpt
    }

    /// Maps a range of the file to the text. A range that touches a secret covers its whole mask, since its end within the secret
    /// would reveal the secret's length.
    fn shown(&self, range: Range<usize>) -> Range<usize> {
        let place = |at: usize, is_end: bool| {
            let before = self.masks.partition_point(|m| m.secret.start < at).checked_sub(1).and_then(|i| self.masks.get(i));
            match before {
                Some(mask) if at < mask.secret.end && !is_end => mask.shown.start,
                Some(mask) => mask.shown.end + at.saturating_sub(mask.secret.end),
                None => at.saturating_sub(self.start),
            }
        };
        let start = place(range.start, false);
        start..if range.is_empty() { start } else { place(range.end, true) }
    }

    /// Three bytes at `at` become dots, where they are whole characters and not part of a mask.
    fn dots(&mut self, at: usize) {
        let is_masked = self.masks.iter().any(|m| m.shown.start < at + 3 && at < m.shown.end);
        let text = &mut self.text;
        if !is_masked && text.is_char_boundary(at) && text.is_char_boundary(at + 3) && at + 3 <= text.len() {
            text.replace_range(at..at + 3, "...");
        }
    }

    /// How many columns of the file are before a place in the text, from the start of the line or of the excerpt.
    fn columns_before(&self, at: usize) -> usize {
        let head = self.text.get(..at).unwrap_or_default();
        let line_start = head.rfind('\n').map_or(0, |newline| newline + 1);
        let first = if line_start == 0 { self.column } else { 0 };
        let mut columns = first + head.get(line_start..).unwrap_or_default().chars().count();
        for mask in self.masks.iter().filter(|m| m.shown.start >= line_start && m.shown.end <= at) {
            columns = columns + mask.columns - mask.shown.len();
        }
        columns
    }
}

impl SourceCode for Excerpt {
    fn read_span<'a>(&'a self, span: &SourceSpan, before: usize, after: usize) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let (start, end) = (span.offset(), span.offset() + span.len());
        let text = self.text.as_str();
        let within = |at: usize| Some(at).filter(|at| *at <= text.len()).ok_or(MietteError::OutOfBounds);
        let (from, to) = (within(start)?, within(end)?);
        // With no context asked for, miette wants the span itself: it takes line and column from it.
        let (from, to) = if before + after == 0 { (from, to) } else { around(text, from..to, before, after) };
        let data = text.get(from..to).ok_or(MietteError::OutOfBounds)?;
        let head = text.get(..from).unwrap_or_default();
        let lines_before = head.matches('\n').count();
        let column = self.columns_before(from);
        Ok(Box::new(MietteSpanContents::new_named(
            self.name.clone(),
            data.as_bytes(),
            (from, data.len()).into(),
            self.line + lines_before,
            column,
            data.matches('\n').count(),
        )))
    }
}

/// The lines that hold `range`, with `before` and `after` more, as far as `text` goes.
fn around(text: &str, range: Range<usize>, before: usize, after: usize) -> (usize, usize) {
    let head = text.get(..range.start).unwrap_or_default();
    let from = head.rmatch_indices('\n').nth(before).map_or(0, |(at, _)| at + 1);
    // The newline that a label ends with belongs to its line.
    let last = range.end.max(range.start + 1) - 1;
    let tail = text.get(last..).unwrap_or_default();
    let to = tail.match_indices('\n').nth(after).map_or(text.len(), |(at, _)| last + at + 1);
    (from, to)
}

/// What to underline: long labels are shown by their beginning.
fn label_range(source: &Source, range: Range<usize>) -> Range<usize> {
    let text = source.text();
    let covered = text.get(range.clone()).unwrap_or_default();
    let mut end = range.end;
    let first_line = covered.find('\n').unwrap_or(covered.len());
    if covered.bytes().filter(|b| *b == b'\n').count() >= MAX_LABEL_LINES || covered.lines().any(|l| l.len() > MAX_LINE) {
        end = range.start + covered.get(..first_line).unwrap_or_default().trim_end_matches('\r').len();
    }
    if longest_line(source, &whole_lines(source, &(range.start..end))) > MAX_LINE {
        end = end.min(boundary(text, range.start + CUT_AFTER)).min(range.start + first_line);
    }
    range.start..end.max(range.start)
}

/// The byte range of the lines around a label.
fn whole_lines(source: &Source, range: &Range<usize>) -> Range<usize> {
    let starts = source.line_starts();
    let first = starts.partition_point(|s| *s as usize <= range.start).saturating_sub(1 + CONTEXT);
    let last = range.end.max(range.start + 1) - 1;
    let after = starts.partition_point(|s| *s as usize <= last) + CONTEXT;
    let start = starts.get(first).map_or(0, |s| *s as usize);
    let end = starts.get(after).map_or(source.text().len(), |s| *s as usize);
    start..end
}

fn longest_line(source: &Source, range: &Range<usize>) -> usize {
    // Line starts tell it without looking at the text, which may be megabytes.
    let starts = source.line_starts();
    let first = starts.partition_point(|s| (*s as usize) < range.start);
    let mut longest = 0;
    let mut start = range.start;
    for next in starts.iter().skip(first + 1).map(|s| *s as usize).take_while(|s| *s <= range.end).chain([range.end]) {
        longest = longest.max(next.saturating_sub(start));
        start = next;
    }
    longest
}

/// The next character boundary at or before `at`.
fn boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The text of a range with masks for its secrets and nothing a terminal would act upon.
fn masked(source: &Source, range: Range<usize>, secrets: &Redactions) -> (String, Vec<Mask>) {
    let text = source.text().get(range.clone()).unwrap_or_default();
    let mut out = String::with_capacity(text.len() + 1);
    let mut masks = Vec::new();
    let mut at = range.start;
    for secret in hidden(source, &range, secrets) {
        out.push_str(&shown(source.text().get(at..secret.start).unwrap_or_default()));
        at = secret.end;
        // Lines keep their numbers, so each has its own mask.
        let mut start = secret.start;
        for line in source.text().get(secret).unwrap_or_default().split_inclusive('\n') {
            let content = line.trim_end_matches(['\n', '\r']);
            if !content.is_empty() {
                let mask = out.len()..out.len() + REDACTED.len();
                masks.push(Mask { secret: start..start + content.len(), shown: mask, columns: content.chars().count() });
                out.push_str(REDACTED);
            }
            out.push_str(line.get(content.len()..).unwrap_or_default());
            start += line.len();
        }
    }
    out.push_str(&shown(source.text().get(at..range.end).unwrap_or_default()));
    (out, masks)
}

/// The ranges of secrets within a range of the file, in order and apart: what was marked as secret, and where the same values appear
/// again, in a comment for instance.
fn hidden(source: &Source, range: &Range<usize>, secrets: &Redactions) -> Vec<Range<usize>> {
    let text = source.text();
    let from = boundary(text, range.start.saturating_sub(AROUND));
    let to = boundary(text, range.end.saturating_add(AROUND));
    let found = secrets.redactor().find(text.get(from..to).unwrap_or_default());
    let by_value = found.into_iter().map(|r| (r.start + from).max(range.start)..(r.end + from).min(range.end));
    let marked = secrets.within(source.span_of(range.clone())).map(|s| source.range(s));
    let mut all: Vec<Range<usize>> = marked.chain(by_value).filter(|r| !r.is_empty()).collect();
    all.sort_by_key(|r| r.start);
    let mut apart: Vec<Range<usize>> = Vec::new();
    for range in all {
        match apart.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => apart.push(range),
        }
    }
    apart
}

/// A text without anything a terminal would act upon, in as many bytes.
fn shown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(c) = letters.next() {
        let newline = c == '\n' || (c == '\r' && letters.peek() == Some(&'\n'));
        if !newline && c != '\t' && is_unprintable(c) {
            out.push_str(match c.len_utf8() {
                1 => "?",
                2 => "\u{b7}",
                3 => "\u{fffd}",
                _ => "\u{fffd}?",
            });
        } else {
            out.push(c);
        }
    }
    out
}
