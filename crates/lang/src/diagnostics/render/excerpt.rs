//! Excerpts of sources for diagnostics.
//!
//! miette never gets a whole file. It searches line numbers from the first byte, which takes quadratic time for many diagnostics in a
//! large file. A compiled catalog is a single line with several megabytes. An excerpt is a small window around the labels. Control
//! characters are replaced by the same number of bytes, and secrets by masks with a constant length. Label offsets refer to the
//! resulting excerpt.

use super::{is_unprintable, printable};
use crate::diagnostics::{OriginLine, Redactions};
use crate::redact::REDACTED;
use crate::source::{Source, Span};
use miette::{MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};
use std::ops::Range;

/// The number of context lines before and after a label.
pub(super) const CONTEXT: usize = 1;
/// The maximum number of lines in a label. For a longer label, only the first line is shown.
const MAX_LABEL_LINES: usize = 8;
/// The maximum length of a line in bytes. A longer line is cut around the label and shown without context.
const MAX_LINE: usize = 300;
/// The number of bytes shown before and after the label's start in a cut line.
const CUT_BEFORE: usize = 40;
const CUT_AFTER: usize = 100;
/// The number of bytes around an excerpt to search for secret values, which may extend beyond the excerpt.
const AROUND: usize = 1024;

/// A window of a source.
#[derive(Debug)]
pub(super) struct Excerpt {
    name: String,
    /// The start offset in the file. All other offsets are relative to the excerpt.
    start: usize,
    /// The first line's number, from 0.
    line: usize,
    /// The start column, from 0; only a cut line can start at another column than 0.
    column: usize,
    text: String,
    masks: Vec<Mask>,
}

/// The mask for a line in a secret.
#[derive(Debug)]
struct Mask {
    /// The range of the secret in the file.
    secret: Range<usize>,
    /// The range of the mask in the excerpt.
    shown: Range<usize>,
    /// The width of the secret in columns.
    columns: usize,
}

/// An underlined range: the span's index, and the range in the excerpt.
pub(super) type ExcerptLine = (usize, Range<usize>);

impl Excerpt {
    /// Returns excerpts that show `spans`: the excerpt with the first span, then the others in file order.
    pub(super) fn all(source: &Source, spans: &[Span], secrets: &Redactions) -> Vec<(Excerpt, Vec<ExcerptLine>)> {
        let shown = spans.iter().map(|span| label_range(source, source.range(*span))).enumerate();
        let (mut lines, mut cut) = (Vec::new(), Vec::new());
        for (i, range) in shown {
            let around = whole_lines(source, &range);
            if longest_line(source, &around) > MAX_LINE { cut.push((i, range)) } else { lines.push((around, vec![(i, range)])) }
        }
        lines.sort_by_key(|(around, _)| around.start);
        let mut windows: Vec<(Range<usize>, Vec<ExcerptLine>)> = Vec::new();
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

    /// Adds the line from which the source was generated to the heading of the excerpt.
    pub(super) fn compiled_from(self, origin: &OriginLine) -> Excerpt {
        Excerpt { name: format!("{} in {}", printable(&origin.to_string()), self.name), ..self }
    }

    /// Creates an excerpt of whole lines.
    fn whole(source: &Source, range: Range<usize>, labels: &[ExcerptLine], secrets: &Redactions) -> Excerpt {
        let (mut text, masks) = masked(source, range.clone(), secrets);
        if labels.iter().any(|(_, label)| label.start == source.text().len()) {
            // A space to underline a label at the end of the file.
            text.push(' ');
        }
        let line = source.position(source.base() + range.start as u32).line as usize - 1;
        Excerpt { name: printable(source.name()), start: range.start, line, column: 0, text, masks }
    }

    /// Creates an excerpt from part of a long line.
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

    /// Maps a range in the file to the excerpt. A range that overlaps a secret is extended to the whole mask, because an end within the
    /// secret would reveal the secret's length.
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

    /// Replaces three bytes at an offset by dots, if they are whole characters and not part of a mask.
    fn dots(&mut self, at: usize) {
        let is_masked = self.masks.iter().any(|m| m.shown.start < at + 3 && at < m.shown.end);
        let text = &mut self.text;
        if !is_masked && text.is_char_boundary(at) && text.is_char_boundary(at + 3) && at + 3 <= text.len() {
            text.replace_range(at..at + 3, "...");
        }
    }

    /// Returns the number of columns before an offset, from the start of the line or excerpt in the file.
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
        // Without context, miette expects exactly the span, from which it determines line and column.
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

/// Returns the range of the lines in `range`, with up to `before` and `after` more lines.
fn around(text: &str, range: Range<usize>, before: usize, after: usize) -> (usize, usize) {
    let head = text.get(..range.start).unwrap_or_default();
    let from = head.rmatch_indices('\n').nth(before).map_or(0, |(at, _)| at + 1);
    // A newline at the end of a label belongs to the last line.
    let last = range.end.max(range.start + 1) - 1;
    let tail = text.get(last..).unwrap_or_default();
    let to = tail.match_indices('\n').nth(after).map_or(text.len(), |(at, _)| last + at + 1);
    (from, to)
}

/// Returns the range to underline; long labels are shortened to their first line.
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

/// Returns the byte range of a label's lines with context.
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
    // Uses line starts instead of the source, which may have several megabytes.
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

/// Returns the last character boundary at or before an offset.
fn boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Returns a range of the source with masks for secrets and without control characters.
fn masked(source: &Source, range: Range<usize>, secrets: &Redactions) -> (String, Vec<Mask>) {
    let text = source.text().get(range.clone()).unwrap_or_default();
    let mut out = String::with_capacity(text.len() + 1);
    let mut masks = Vec::new();
    let mut at = range.start;
    for secret in hidden(source, &range, secrets) {
        out.push_str(&shown(source.text().get(at..secret.start).unwrap_or_default()));
        at = secret.end;
        // Each line has a separate mask, so that line numbers stay the same.
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

/// Returns the disjoint ranges of secrets within a range, in order: marked spans, and other occurrences of the same values, for example
/// in comments.
fn hidden(source: &Source, range: &Range<usize>, secrets: &Redactions) -> Vec<Range<usize>> {
    let text = source.text();
    let from = boundary(text, range.start.saturating_sub(AROUND));
    let to = boundary(text, range.end.saturating_add(AROUND));
    let found = secrets.redactor().find(text.get(from..to).unwrap_or_default());
    let by_value = found.into_iter().map(|r| (r.start + from).max(range.start)..(r.end + from).min(range.end));
    let marked = secrets.within(source.span_of(range.clone())).into_iter().map(|s| source.range(s));
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

/// Replaces each control character by the same number of bytes.
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
