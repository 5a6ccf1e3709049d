//! Handles brackets with too many levels for the parser.

use super::is_item_word;
use super::pass::Pass;
use super::problem::Problem;
use super::text::BracketEdit;

impl Pass<'_> {
    /// Cuts the part with too many brackets out of the copy and continues after it, so that only the enclosing statement is lost. The
    /// part extends from the first bracket on the deepest bracket's line (or from the start of the item) to the next line with the same
    /// or less indentation.
    pub(super) fn bury(&mut self) {
        let Some((at, line)) = self.frames.last().map(|f| (f.at, f.line)) else { return };
        let last = self.frames.len() - 1;
        // If the brackets are opened on many lines, no line is a better choice than another, so the whole item is cut.
        let on_a_line = self.frames.iter().position(|f| f.line == line).filter(|i| *i < last);
        let index = on_a_line.unwrap_or(0);
        let Some((open, mut from, indent, line)) = self.frames.get(index).map(|f| (f.open, f.at, f.indent, f.line)) else { return };
        // The replacement must not cause further errors.
        let mut instead = match open {
            b'{' => "{}",
            b'[' => "[]",
            b'(' => "(nil)",
            _ => "#{nil}\"",
        };
        if index == 0 && !is_item_word(self.word_at(line + indent)) {
            from = line;
            instead = "";
        }
        let end = self.next_line_outside(at, indent, on_a_line.is_none());
        self.cut_out(from, end, b'\n');
        self.edits.push(BracketEdit { at: from, remove: 0, insert: instead });
        self.problems.push(Problem::TooDeep { at });
        self.too_deep = true;
        self.frames.truncate(index);
        self.forget_openers();
        self.at = end;
        self.new_line();
    }

    /// Returns the start of the next line with at most `indent` spaces of indentation and no leading closing bracket, or of the next
    /// item if `item` is set.
    fn next_line_outside(&self, at: usize, indent: usize, item: bool) -> usize {
        let mut start = at;
        while let Some(length) = self.text.get(start..).and_then(|rest| rest.find('\n')) {
            start += length + 1;
            let line = self.text.get(start..).unwrap_or("");
            let inner = line.trim_start_matches([' ', '\t']);
            let depth = line.len() - inner.len();
            if item && !is_item_word(self.word_at(start + depth)) {
                continue;
            }
            if depth < indent || (depth == indent && !inner.starts_with(['}', ']', ')', '\r', '\n'])) {
                return start;
            }
        }
        self.bytes.len()
    }
}
