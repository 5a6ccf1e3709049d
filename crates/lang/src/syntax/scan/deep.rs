//! More brackets inside each other than the parser could bear.

use super::is_item_word;
use super::pass::Pass;
use super::problem::Problem;
use super::text::Edit;

impl Pass<'_> {
    /// Leaves the part with too many brackets out of the copy and goes on behind it, so that it costs no more than
    /// the statement it stands in: from the first bracket of the line with the deepest one (or of the whole item)
    /// to the next line that is indented no more than that.
    pub(super) fn bury(&mut self) {
        let Some((at, line)) = self.frames.last().map(|f| (f.at, f.line)) else { return };
        let last = self.frames.len() - 1;
        // Where the brackets open on many lines, no line is better than another: the whole item goes.
        let on_a_line = self.frames.iter().position(|f| f.line == line).filter(|i| *i < last);
        let index = on_a_line.unwrap_or(0);
        let Some((open, mut from, indent, line)) = self.frames.get(index).map(|f| (f.open, f.at, f.indent, f.line)) else { return };
        // What stands there instead must be no mistake of its own.
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
        self.edits.push(Edit { at: from, remove: 0, insert: instead });
        self.problems.push(Problem::TooDeep { at });
        self.too_deep = true;
        self.frames.truncate(index);
        self.forget_openers();
        self.at = end;
        self.new_line();
    }

    /// The start of the next line that is indented by no more than `indent` and closes nothing there; of the next
    /// `item`, if that is asked for.
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
