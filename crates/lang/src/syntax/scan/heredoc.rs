//! Heredocs in Ruby and Puppet (`<<~EOT`, `@("EOT")`). Their lines are left out of the copy, so that they are one error.

use super::pass::Pass;
use super::problem::Problem;
use super::text::BracketEdit;

/// The maximum number of searches without a result. Each search reads the rest of the source.
const MAX_FAILED: usize = 10;

impl Pass<'_> {
    /// Reads the start of a heredoc, if the last line exists. The copy contains an empty string instead of the heredoc.
    pub(super) fn heredoc(&mut self, at: usize) -> bool {
        if self.heredoc.is_some() || self.failed_heredocs > MAX_FAILED {
            return false;
        }
        let Some((length, word)) = opener(self.ahead(at)) else { return false };
        let Some(start) = self.text.get(at..).and_then(|rest| rest.find('\n')).map(|newline| at + newline + 1) else { return false };
        let mut end = start;
        for line in self.text.get(start..).unwrap_or("").split_inclusive('\n') {
            end += line.len();
            if line.trim().trim_start_matches(['|', '-', ' ']) == word {
                // The last line's newline ends the heredoc's line.
                let end = end - line.len() + line.trim_end().len();
                self.problems.push(Problem::Heredoc { at, end: at + length });
                self.edits.push(BracketEdit { at, remove: length, insert: "\"\"" });
                self.heredoc = Some(start..end);
                self.at = at + length;
                return true;
            }
        }
        self.failed_heredocs += 1;
        false
    }
}

/// Returns the length of `<<~WORD`, and the word that ends the heredoc.
fn opener(text: &str) -> Option<(usize, &str)> {
    let (rest, close) = match text.strip_prefix("<<") {
        Some(rest) => (rest.strip_prefix(['-', '~']).unwrap_or(rest), ""),
        None => (text.strip_prefix("@(")?, ")"),
    };
    let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''));
    let rest = quote.and_then(|quote| rest.strip_prefix(quote)).unwrap_or(rest);
    let end = rest.find(|c: char| !(c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')).unwrap_or(rest.len());
    let (word, after) = rest.split_at_checked(end).filter(|(word, _)| !word.is_empty())?;
    let after = quote.map_or(Some(after), |quote| after.strip_prefix(quote))?;
    let after = match close {
        "" => after,
        // Escapes and the syntax of the content: `@("EOT"/n:json)`.
        close => after.split_once(close)?.1,
    };
    Some((text.len() - after.len(), word))
}

#[cfg(test)]
mod tests {
    use super::opener;

    #[test]
    fn heredocs_begin_with_a_word_in_capitals() {
        let cases =
            [("<<~EOT if x", Some((6, "EOT"))), ("<<-'A_1'", Some((8, "A_1"))), ("<<END", Some((5, "END"))), ("@(END)", Some((6, "END")))];
        for (text, expected) in cases {
            assert_eq!(opener(text), expected, "{text}");
        }
        assert_eq!(opener("@(\"END\"/L) ,"), Some((10, "END")));
        for text in ["<< END", "<<end", "@doc", "@(x)", "< END", "<<\"END"] {
            assert_eq!(opener(text), None, "{text}");
        }
    }
}
