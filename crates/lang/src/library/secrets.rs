//! Marks secrets in type files and in the Ruby from which they were translated.

use super::loading::Loading;
use crate::source::Span;
use std::ops::Range;

impl Loading {
    /// Redacts a span, and the same literal in the source from which the span was translated.
    pub(super) fn hide(&mut self, secret: Span) {
        self.secrets.add(secret);
        let origin = self.sources.origin(secret);
        if origin == secret {
            return;
        }
        let written = self.sources.slice(secret);
        let word = written.trim_matches(['"', '\'', '\\']).to_owned();
        // A quoted string is redacted only as a whole literal, because a short string may occur by chance inside other code.
        let forms = if written.starts_with(['"', '\'']) { vec![format!("'{word}'"), format!("\"{word}\"")] } else { vec![word.clone()] };
        let Some(source) = self.sources.find(origin).filter(|_| !word.is_empty()) else { return };
        let found = forms.iter().flat_map(|form| source.text().match_indices(form.as_str()));
        let places: Vec<Span> = found.map(|(at, form)| source.span_of(at..at + form.len())).collect();
        places.into_iter().for_each(|place| self.secrets.add(place));
    }

    /// Redacts the string literals in code that handles a secret, because they may reveal it.
    pub(super) fn hide_literals(&mut self, code: Span) {
        let found: Vec<Span> = literals(self.sources.slice(code))
            .into_iter()
            .map(|r| Span::new(code.start + r.start as u32, code.start + r.end as u32))
            .collect();
        found.into_iter().for_each(|literal| self.hide(literal));
    }
}

/// Returns the ranges of the string literals in code, with their quotes. The code may itself be a quoted string.
fn literals(code: &str) -> Vec<Range<usize>> {
    let outer = ["\"\"\"", "\"", "'"].into_iter().find(|q| code.len() > 2 * q.len() && code.starts_with(q) && code.ends_with(q));
    let outer = outer.map_or(0, str::len);
    let Some(inner) = code.get(outer..code.len() - outer) else { return Vec::new() };
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some((from, quote)) = inner.get(at..).and_then(|rest| rest.char_indices().find(|(_, c)| matches!(c, '"' | '\''))) {
        let from = at + from;
        let Some(length) = inner.get(from + 1..).and_then(|rest| rest.find(quote)) else { break };
        at = from + length + 2;
        if length > 1 {
            found.push(outer + from..outer + at);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::literals;

    #[test]
    fn texts_in_code_are_found_with_their_quotes() {
        let shown = |code: &str| literals(code).into_iter().map(|r| code.get(r).unwrap().to_owned()).collect::<Vec<_>>();
        assert_eq!(shown("{ f(\"ab\", 'cd') }"), ["\"ab\"", "'cd'"]);
        assert_eq!(shown("\"f('ab')\""), ["'ab'"]);
        assert_eq!(shown("\"f(\\\"ab\\\")\""), ["\"ab\\\""]);
        assert_eq!(shown("\"\"\"\nf(\"ab\")\n\"\"\""), ["\"ab\""]);
        assert!(shown("it's").is_empty() && shown("").is_empty() && shown("\"").is_empty() && shown("''").is_empty());
    }
}
