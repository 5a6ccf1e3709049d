//! Counts conditions, which nest without brackets: `a ? b : c ? d : e`, `if if a`.
//!
//! The parser calls itself for each condition as it does for a bracket. In WebAssembly, where no code can measure the stack, only this
//! count protects the stack.

use super::Dialect;
use super::pass::Pass;

impl Pass<'_> {
    /// Counts a condition that begins here.
    pub(super) fn condition(&mut self, at: usize) {
        if self.dialect == Dialect::Types {
            self.conditions += 1;
            self.note_depth(at);
        }
    }

    /// Counts the keyword of a condition, and skips a question mark at the end of a name: `self.x?`.
    pub(super) fn condition_word(&mut self, at: usize) {
        let word = self.text.get(at..self.at).unwrap_or_default();
        if matches!(word, "if" | "unless" | "match") {
            self.condition(at);
        } else if self.dialect == Dialect::Types && self.byte(self.at) == b'?' && !word.is_empty() {
            self.at += 1;
        }
    }

    pub(super) fn note_depth(&mut self, at: usize) {
        let depth = self.frames.len() + self.conditions;
        if depth > self.depth {
            self.depth = depth;
            self.deepest = at;
        }
    }

    /// Ends the conditions of a statement at a line break or semicolon, unless an operator before or after it continues the statement.
    pub(super) fn end_conditions(&mut self, blank: usize, stands_for: u8) {
        let before = blank.checked_sub(1).map_or(b' ', |at| self.byte(at));
        let after = self.byte(self.at);
        let ends = |byte: u8| {
            byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'"' | b'\'' | b')' | b']' | b'}' | b'/' | b';') || byte >= 0x80
        };
        let continues = matches!(after, b'?' | b':' | b'.' | b'&' | b'|');
        if stands_for == b';' || ends(before) && !continues {
            self.conditions = self.frames.last().map_or(0, |frame| frame.conditions);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::source::SourceMap;
    use crate::syntax::scan::{Dialect, Scan};

    fn depth(text: &str) -> usize {
        let source = SourceMap::new().add("x", text).unwrap();
        Scan::new(&source, Dialect::Types).depth
    }

    #[test]
    fn conditions_without_brackets_count_as_nesting() {
        for text in ["a ? ", "1?", "if ", "match ", "a ?\n", "a\n? ", "a ? # b\n", "a ? (1) + ", "a ? f { |x|\n y\n z } + ", "a ? [1\n] + "]
        {
            let depth = depth(&format!("fn f() {{ {}1 }}", text.repeat(50)));
            assert!((51..=60).contains(&depth), "{depth}: {text:?}");
        }
    }

    #[test]
    fn statements_do_not_nest() {
        for text in [
            "let x = a ? b : c\n",
            "x if y;",
            "self.a?\nself.b? ? 1 : 2\n",
            "\"a ? b ? c ? d\"\n",
            "if a { b ? c : d }\n",
            "x ? /a?b?c?/ : 1\n",
        ] {
            let depth = depth(&format!("fn f() {{\n{}1 }}", text.repeat(50)));
            assert!(depth <= 5, "{depth}: {text:?}");
        }
    }

    #[test]
    fn real_types_need_no_large_stack() {
        for path in crate::library::standard_paths() {
            let depth = depth(crate::library::standard(&path).unwrap());
            assert!(depth < 12, "{path}: {depth}");
        }
    }
}
