//! Translates `case` with lists of patterns: `when *LIST`.

use super::block::*;
use super::ruby;
use ruby_prism::Node;

impl BlockTranslator<'_> {
    /// Translates a `case` of a local in which a branch lists its patterns with `*` to a chain of tests.
    pub(super) fn case_of_lists(&mut self, of: &Node<'_>, whens: &[Node<'_>], otherwise: &[Node<'_>]) -> Text<Option<String>> {
        let conditions = |when: &Node<'_>| when.as_when_node().map(|w| w.conditions().iter().any(|c| c.as_splat_node().is_some()));
        if of.as_local_variable_read_node().is_none() || !whens.iter().any(|w| conditions(w) == Some(true)) {
            return Ok(None);
        }
        let value = self.expr(of, OPERAND)?;
        let mut out = String::new();
        for when in whens {
            let Some(when) = when.as_when_node() else { return no(when, "`in` patterns are not supported") };
            let tests: Text<Vec<String>> = when.conditions().iter().map(|c| self.matches(&value, &c)).collect();
            let body = self.branch(&ruby::statements(when.statements().map(|s| s.as_node())))?;
            let word = if out.is_empty() { "if" } else { " elsif" };
            out.push_str(&format!("{word} {} {body}", tests?.join(" || ")));
        }
        if !otherwise.is_empty() {
            out.push_str(&format!(" else {}", self.branch(otherwise)?));
        }
        Ok(Some(out))
    }

    /// Returns the test whether a value matches one pattern, or one of those in a list.
    fn matches(&mut self, value: &str, pattern: &Node<'_>) -> Text {
        let Some(list) = pattern.as_splat_node().and_then(|s| s.expression()) else {
            let text = self.pattern(pattern)?;
            let is_class = ruby::constant(pattern).is_some() && !matches!(text.as_str(), "true" | "false" | "nil");
            return Ok(match () {
                () if is_class => format!("{value}.is_a?({text})"),
                () if text.starts_with('/') => format!("({value}.is_a?(String) || {value}.is_a?(Symbol)) && {value}.to_s =~ {text}"),
                () => format!("{value} == {text}"),
            });
        };
        let text = self.expr(&list, OPERAND)?;
        if text.contains('/') {
            return no(pattern, "a list of patterns that may be regexes is not supported");
        }
        Ok(format!("{text}.include?({value})"))
    }
}
