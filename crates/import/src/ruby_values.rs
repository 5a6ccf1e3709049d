//! What is known of Ruby's values and constants: `respond_to?`, patterns of the standard library, ranges of integers.

use super::block::*;
use super::ruby;
use super::things::Thing;
use rtype_lang::eval::ruby_methods;
use ruby_prism::Node;

/// Kinds of values, as data types.
const ALL: &[&str] = &["Undef", "Boolean", "Integer", "Float", "String", "Symbol", "Array", "Hash"];

/// Patterns of Ruby's standard library.
const PATTERNS: &[(&str, &str)] = &[("Resolv::IPv4::Regex", IPV4), ("Resolv::IPv6::Regex", IPV6)];

const IPV4: &str = r"\A(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\z";

const IPV6: &str = concat!(
    r"\A(?:(?:\h{1,4}:){7}\h{1,4}",
    r"|((?:\h{1,4}(?::\h{1,4})*)?)::((?:\h{1,4}(?::\h{1,4})*)?)",
    r"|((?:\h{1,4}:){6})(\d+)\.(\d+)\.(\d+)\.(\d+)",
    r"|((?:\h{1,4}(?::\h{1,4})*)?)::((?:\h{1,4}:)*)(\d+)\.(\d+)\.(\d+)\.(\d+)",
    r"|[Ff][Ee]80(?::\h{1,4}){7}%[0-9A-Za-z\-]+",
    r"|[Ff][Ee]80:(?:((?:\h{1,4}(?::\h{1,4})*)?)::((?:\h{1,4}(?::\h{1,4})*)?)|:((?:\h{1,4}(?::\h{1,4})*)?))?:\h{1,4}%[0-9A-Za-z.\-]+)\z"
);

/// Methods of other objects of Ruby and Puppet, which no value has.
const OF_OBJECTS: &[&str] =
    &["call", "unwrap", "value", "strftime", "name=", "ref", "catalog", "provider", "should", "year", "to_path", "read"];

/// Returns the kinds of values that have a method; `None` if objects of the module may have it.
fn kinds_with(method: &str) -> Option<Vec<&'static str>> {
    ruby_methods::kinds_with(method).map(Iterator::collect).or_else(|| OF_OBJECTS.contains(&method).then(Vec::new))
}

/// Returns a pattern of Ruby's standard library as a regex of the language.
pub(super) fn pattern_constant(constant: &str) -> Option<String> {
    let (_, source) = PATTERNS.iter().find(|(name, _)| *name == constant.trim_start_matches("::"))?;
    Some(format!("/{source}/"))
}

impl BlockTranslator<'_> {
    /// Translates `value.respond_to?(:m)` of a value to a test of its kind.
    pub(super) fn responds(&mut self, receiver: &Node<'_>, method: &Node<'_>) -> Text<Option<(String, u8)>> {
        // The elements of a value are values.
        let mut of = None;
        while let Some(call) = of.as_ref().unwrap_or(receiver).as_call_node()
            && matches!(ruby::name(&call.name()).as_str(), "[]" | "fetch" | "dig" | "first" | "last" | "keys" | "values")
            && self.attribute_read(&call.as_node()).is_none()
            && let Some(inner) = call.receiver()
        {
            of = Some(inner);
        }
        let whole = receiver;
        let receiver = of.as_ref().unwrap_or(receiver);
        let local = receiver.as_local_variable_read_node().map(|l| ruby::local(&l.name()));
        let is_object = |local: &String| {
            [&self.resources, &self.providers, &self.selves, &self.paths, &self.accounts, &self.errors]
                .iter()
                .any(|all| all.contains(local))
                || self.resource_lists.contains(local)
                || self.parameters.contains_key(local)
                || self.own.things.contains_key(local)
        };
        let of_object =
            self.own.this.is_some() && receiver.as_instance_variable_read_node().is_some() && self.thing(receiver) == Thing::Value;
        let is_value = of_object || local.as_ref().map_or_else(|| self.attribute_read(receiver).is_some(), |local| !is_object(local));
        let Some(kinds) = ruby::symbol(method).or_else(|| ruby::text(method)).and_then(|m| kinds_with(&m)).filter(|_| is_value) else {
            return Ok(None);
        };
        let value = self.expr(whole, OPERAND)?;
        Ok(Some(match kinds.as_slice() {
            [] => ("false".to_owned(), OPERAND),
            all if all == ALL => ("true".to_owned(), OPERAND),
            [only] => (format!("{value}.is_a?({only})"), OPERAND),
            some => (format!("{value}.is_a?(Variant[{}])", some.join(", ")), OPERAND),
        }))
    }

    /// Translates a range of integers to the list of them: `(1..9)`, `(a.to_i...b.to_i)`.
    pub(super) fn numbers(&mut self, node: &Node<'_>) -> Text<Option<String>> {
        if let Some(inner) = node.as_parentheses_node() {
            let inner = ruby::statements(inner.body());
            return match inner.as_slice() {
                [one] => self.deeper(node, |block| block.numbers(one)),
                _ => Ok(None),
            };
        }
        if let Some((Some(from), Some(to), excludes)) = self.known_range(node) {
            return Ok(Some(format!("{from}.upto({})", if excludes { to - 1 } else { to })));
        }
        let Some(range) = node.as_range_node() else { return Ok(None) };
        let (Some(from), Some(to)) = (range.left(), range.right()) else { return Ok(None) };
        // A range has limits of one kind, and Ruby fails as well if the other one is not a number.
        let is_integer = |n: &Node<'_>| self.kind(n) == Some(Kind::Integer);
        if !is_integer(&from) && !is_integer(&to) {
            return Ok(None);
        }
        let (from, to) = (self.expr(&from, OPERAND)?, self.expr(&to, ADD)?);
        Ok(Some(if range.is_exclude_end() { format!("{from}.upto({to} - 1)") } else { format!("{from}.upto({to})") }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rtype_lang::value::{Flags, Regex};
    use serde_json::Value as Json;

    /// What Ruby answers, recorded by `tests/methods/record.rb`.
    fn recorded() -> Json {
        serde_json::from_str(include_str!("../../../tests/methods/import.json")).unwrap()
    }

    #[test]
    fn patterns_match_as_in_ruby() {
        let recorded = recorded();
        for (name, source) in PATTERNS {
            let regex = Regex::new(source, Flags::default()).unwrap();
            for row in recorded["patterns"][name].as_array().unwrap() {
                let text = row[0].as_str().unwrap();
                let groups =
                    regex.captures_at(text, 0).map(|all| all.into_iter().map(|r| r.map(|r| text[r].to_owned())).collect::<Vec<_>>());
                assert_eq!(serde_json::to_value(groups).unwrap(), row[1], "{name} {text}");
            }
        }
    }
}
