//! Scans the bytes once before pest does: whitespace, comments, brackets and quotes.
//!
//! pest cannot determine which of a hundred braces is missing, and must not see code that is nested too deeply. This pass knows just
//! enough of the syntax (strings, interpolation, regexes, text blocks, word lists, comments) to count brackets. pest parses a copy of
//! the source with missing brackets and quotes inserted and superfluous ones removed, so that a missing brace is one error. In the copy
//! each run of whitespace, comments and line breaks is a single byte: pest needs far more time for a byte than this pass, and in most
//! files a third of the bytes are whitespace or comments.

mod conditions;
mod deep;
mod heredoc;
mod misspelt;
mod pass;
mod problem;
mod quotes;
mod ruby;
mod text;

use super::ast::Comment;
use crate::diagnostics::Diagnostic;
use crate::source::{Source, Span};
use pass::Pass;
use problem::Problem;
use std::ops::Range;
use text::Copied;

/// The language of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// Type files (`.rtype`).
    Types,
    /// Manifests (`.pp`).
    Manifest,
}

/// The result of scanning a source.
pub(crate) struct Scan {
    pub comments: Vec<Comment>,
    pub diagnostics: Vec<Diagnostic>,
    /// The maximum depth of nested brackets and conditions, with its offset.
    pub depth: usize,
    pub deepest: usize,
    copy: Copied,
    /// The offsets in the copy of closing braces outside all other brackets.
    closed: Vec<usize>,
}

impl Scan {
    pub fn new(source: &Source, dialect: Dialect) -> Scan {
        let text = source.text();
        let mut pass = Pass::new(text, dialect, 0, 0);
        pass.run();
        let unclosed = pass.problems.iter().filter(|p| matches!(p, Problem::Unclosed { open: b'{', .. })).count();
        let unopened = pass.problems.iter().filter(|p| matches!(p, Problem::Unopened { close: b'}', .. })).count();
        if unclosed + unopened > 0 {
            // There are errors: scan again, using indentation to locate them.
            let mut guided = Pass::new(text, dialect, unclosed, unopened);
            guided.run();
            let brackets = |pass: &Pass<'_>| pass.problems.iter().filter(|p| !matches!(p, Problem::Misspelt { .. })).count();
            if brackets(&guided) <= brackets(&pass) {
                pass = guided;
            }
        }
        let copy = Copied::new(source, pass.cuts, pass.edits);
        let comment = |&(start, end, own_line): &(usize, usize, bool)| Comment { span: source.span_of(start..end), own_line };
        Scan {
            comments: pass.comments.iter().map(comment).collect(),
            diagnostics: pass.problems.iter().map(|problem| problem.diagnostic(source)).collect(),
            depth: pass.depth,
            deepest: pass.deepest,
            closed: pass.closed.iter().filter_map(|at| copy.find(source.base() + *at as u32)).collect(),
            copy,
        }
    }

    /// Returns the copy for pest.
    pub fn text(&self) -> &str {
        &self.copy.text
    }

    /// Returns the span in the source map of a byte range in the copy.
    pub fn span(&self, start: usize, end: usize) -> Span {
        self.copy.span(start, end)
    }

    /// Returns the offsets in the copy where declarations may begin (in manifests: any line without indentation).
    pub fn item_starts(&self, source: &Source, dialect: Dialect) -> Vec<usize> {
        let text = self.text();
        let begins = |at: usize| {
            let in_source = (self.place(at) - source.base()) as usize;
            let is_first = in_source == 0 || source.text().get(..in_source).is_some_and(|before| before.ends_with('\n'));
            let word = text.get(at..).and_then(|rest| rest.split([' ', '\n']).next()).unwrap_or("");
            is_first && (dialect == Dialect::Manifest || is_item_word(word))
        };
        std::iter::once(0).chain(text.match_indices(['\n', ';']).map(|(i, _)| i + 1)).filter(|at| begins(*at)).collect()
    }

    /// Splits the copy into parts with about `size` bytes that can be parsed independently.
    ///
    ///
    /// A part ends with a brace at the end of a line, and the next part begins with a declaration's keyword.
    pub fn parts(&self, dialect: Dialect, size: usize) -> Vec<Range<usize>> {
        let text = self.text();
        let begins = |at: usize| {
            let word =
                text.get(at..).and_then(|rest| rest.split(|c: char| !(c.is_alphanumeric() || "_:".contains(c))).next()).unwrap_or("");
            let behind = text.get(at + word.len()..).unwrap_or("");
            match dialect {
                Dialect::Types => is_item_word(word) && behind.starts_with(' '),
                // A resource or resource defaults. The excluded words continue the previous statement and may be followed by a brace.
                Dialect::Manifest => !matches!(word, "" | "else" | "in" | "and" | "or") && behind.trim_start_matches(' ').starts_with('{'),
            }
        };
        let mut parts = Vec::new();
        let mut start = 0;
        for end in &self.closed {
            if *end >= start + size && text.get(*end..).is_some_and(|rest| rest.starts_with('\n')) && begins(end + 1) {
                parts.push(start..end + 1);
                start = end + 1;
            }
        }
        parts.push(start..text.len());
        parts
    }

    /// Removes `start..end` from the copy.
    pub fn leave_out(&mut self, start: usize, end: usize) {
        self.copy.leave_out(start, end);
    }

    /// Returns a byte's position in the source map.
    pub fn place(&self, at: usize) -> u32 {
        self.copy.place(at)
    }
}

/// Returns `true` if a declaration begins with this word.
fn is_item_word(word: &str) -> bool {
    matches!(word, "type" | "provider" | "kind" | "mixin" | "fn" | "const" | "typealias" | "test" | "use")
}

/// Returns `true` if all brackets and strings in a type file are closed, so that the input is complete.
pub fn is_complete(text: &str) -> bool {
    is_closed(text, Dialect::Types)
}

/// Returns `true` if all brackets and strings in a manifest are closed, so that the input is complete.
pub fn is_complete_manifest(text: &str) -> bool {
    is_closed(text, Dialect::Manifest)
}

fn is_closed(text: &str, dialect: Dialect) -> bool {
    let mut pass = Pass::new(text, dialect, 0, 0);
    pass.run();
    pass.too_deep || !pass.open_at_end
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceMap;

    fn balanced(text: &str) -> (String, Vec<String>) {
        let map = SourceMap::new();
        let source = map.add("x", text).unwrap();
        let scan = Scan::new(&source, Dialect::Types);
        let said = scan.diagnostics.iter().map(|d| format!("{} {}", d.code, map.locate(d.span()).unwrap())).collect();
        (scan.text().to_owned(), said)
    }

    #[test]
    fn a_forgotten_brace_is_found_by_indentation() {
        let (text, said) = balanced("type a {\n  newparam x {\n    desc \"y\"\n  newparam z {\n  }\n}\n");
        assert_eq!(said, ["RT202 x:2:14"]);
        assert_eq!(text, "type a {\nnewparam x {\ndesc \"y\"\n}\nnewparam z {\n}\n}\n");
    }

    #[test]
    fn blanks_and_comments_are_one_byte_and_keep_their_places() {
        let map = SourceMap::new();
        let source = map.add("x", "\u{FEFF}# a\n\n  type\ta \\\r\n{ # b\n  desc  \"c  # d\";  # e\n}  ").unwrap();
        let scan = Scan::new(&source, Dialect::Types);
        assert_eq!(scan.text(), "\ntype a {\ndesc \"c  # d\";}\u{20}");
        assert_eq!(scan.comments.len(), 3);
        for word in ["type", "a", "{", "desc", "\"c  # d\"", "}"] {
            let at = scan.text().find(word).unwrap();
            assert_eq!(map.slice(scan.span(at, at + word.len())), word);
        }
        assert_eq!(map.slice(scan.span(1, 9)), "type\ta \\\r\n{");
    }

    #[test]
    fn declarations_begin_at_the_start_of_a_line() {
        let map = SourceMap::new();
        let source = map.add("x", "type a {\n  type x; type y\n}\nword\nkind b {\n}\n").unwrap();
        let starts = |dialect| {
            let scan = Scan::new(&source, dialect);
            let lines = scan.item_starts(&source, dialect).into_iter().filter_map(|at| scan.text()[at..].lines().next());
            lines.map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(starts(Dialect::Types), ["type a {", "kind b {"]);
        // In a manifest, any word can begin a declaration.
        assert_eq!(starts(Dialect::Manifest), ["type a {", "}", "word", "kind b {", "}"]);
    }

    #[test]
    fn text_after_a_removed_part_keeps_its_place() {
        let map = SourceMap::new();
        let source = map.add("x", "type a {\n  desc \"1\"\n}\ntype b {\n  desc \"2\"\n}\ntype c {\n  desc  \"3\"\n}\n").unwrap();
        let mut scan = Scan::new(&source, Dialect::Types);
        let (start, end) = (scan.text().find("type b").unwrap(), scan.text().find("type c").unwrap());
        scan.leave_out(start, end);
        assert!(!scan.text().contains("\"2\""));
        for word in ["a", "\"1\"", "type c", "\"3\""] {
            let at = scan.text().find(word).unwrap();
            assert_eq!(map.slice(scan.span(at, at + word.len())), word);
        }
    }

    #[test]
    fn what_might_be_a_regex_keeps_its_blanks() {
        assert_eq!(balanced("x =~ /a  b/").0, "x =~ /a  b/");
        assert_eq!(balanced("x =~ / #  b/").0, "x =~ / #  b/");
        assert_eq!(balanced("x / a  / b").0, "x / a  / b");
    }

    #[test]
    fn ruby_is_left_out_up_to_its_end() {
        assert_eq!(balanced("a {\n  x do |v|\n    if v\n      {\n    end\n  end\n}").0, "a {\nx do |v|\nend\n}");
        assert_eq!(balanced("newtype(:a) do\n  x do\n\ntype b {\n}").0, "newtype(:a) do\ntype b {\n}");
        assert_eq!(balanced("f {\n  if x {\n    end\n  }\n}").0, "f {\nif x {\nend\n}\n}");
    }

    #[test]
    fn a_superfluous_brace_is_found_by_indentation() {
        let (_, said) = balanced("type a {\n  newparam x {\n  }\n  }\n  newparam z\n}\n");
        assert_eq!(said, ["RT203 x:4:3"]);
    }

    #[test]
    fn brackets_in_strings_regexes_and_comments_do_not_count() {
        for text in ["'{'", "\"{ #{ \"}\" } {\"", "/[{(]/", "# {", "\"\"\"\n { \"\"\"", "%w[{ (]", "a[/]/]"] {
            assert_eq!(balanced(text).1, Vec::<String>::new(), "{text}");
            assert!(is_complete(text), "{text}");
        }
    }

    #[test]
    fn the_repl_waits_for_what_is_open() {
        for text in ["type a {", "x = \"a", "f(", "\"#{", "\"\"\"", "['a'"] {
            assert!(!is_complete(text), "{text}");
        }
        assert!(is_complete("}"));
    }
}
