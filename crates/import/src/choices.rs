//! Conditionally allowed values: `if Facter.value(:x) == 'y'; newvalue(/a/); else newvalue(/b/); end`.

use super::attribute::Of;
use super::block::{TERNARY, Untranslated};
use super::eval::RubyValue;
use super::items::ClassItem;
use super::ruby::{self, name};
use super::type_decl::{Fragment, Reader};
use rtype_lang::syntax::quote;
use ruby_prism::{IfNode, Node};

impl Reader<'_, '_, '_> {
    /// Translates a choice between regexes to a validation rule. A regex does not change the value, so nothing else depends on it.
    pub(super) fn chosen_values(&self, node: &Node<'_>, of: &Of<'_>) -> Option<Fragment> {
        let branch = node.as_if_node()?;
        let (yes, other) = branches(&branch)?;
        let (yes, other) = (regexes(&yes)?, regexes(&other)?);
        if of.values || of.rules || of.kind {
            return None;
        }
        let code = self.chosen_rule(&branch, of, &yes, &other);
        Some(self.coded(node, "validate", code))
    }

    /// Returns whether a class of attributes, or one above it, checks and converts values itself.
    pub(super) fn rules_of_class(&self, class: &str) -> (bool, bool) {
        let Some(class) = self.classes.get(class).map(|class| class.parent.class) else { return (false, false) };
        let items = self.loaded.of_attribute(class, None);
        let has = |rule: &str| items.iter().any(|i| i.is(rule) || i.method().is_some_and(|m| m == format!("unsafe_{rule}")));
        (has("validate"), has("munge"))
    }

    /// Translates `newvalues` in an attribute whose class checks values itself: Puppet only makes symbols of the values listed.
    pub(super) fn unlisted(&self, item: &ClassItem<'_>, of: &Of<'_>) -> Fragment {
        if item.block.is_some() || !item.named.is_empty() {
            return self.left(
                item,
                "validate",
                "values with blocks or options in an attribute whose class checks values are not supported",
            );
        }
        let is_regex = |value: &&RubyValue<'_>| matches!(value, RubyValue::Regex(_));
        let words: Option<Vec<String>> = item.plain.iter().filter(|v| !is_regex(v)).map(|v| Some(quote(&v.word()?))).collect();
        let note = "# In Puppet no value is checked against this list: the class of the attribute checks values itself.";
        match words {
            None => self.left(item, "validate", "a value is computed"),
            Some(words) if words.is_empty() || of.munges || of.of_class.1 => self.ready(item, "validate", note),
            Some(words) => {
                let test = format!("[{}].include?(value.to_s) ? value.to_s.to_sym : value", words.join(", "));
                self.ready(item, "validate", format!("{note}\nmunge {{ |value| {test} }}"))
            }
        }
    }

    fn chosen_rule(&self, branch: &IfNode<'_>, of: &Of<'_>, yes: &[Node<'_>], other: &[Node<'_>]) -> Result<String, Untranslated> {
        self.block(Some(&of.owner), |block| {
            let test = block.condition(&branch.predicate(), TERNARY)?;
            let mut choice = |regexes: &[Node<'_>]| -> Result<String, Untranslated> {
                let patterns: Result<Vec<String>, Untranslated> = regexes.iter().map(|r| block.single(r)).collect();
                let patterns = patterns?;
                let fits: Vec<String> = patterns.iter().map(|p| format!("value.to_s =~ {p}")).collect();
                // A regex must be escaped within a string.
                let listed: Vec<String> =
                    regexes.iter().filter_map(Node::as_regular_expression_node).map(|r| shown(r.content_loc().as_slice())).collect();
                let fails = format!("fail \"Invalid value #{{value.inspect}}. Valid values match {}.\"", listed.join(", "));
                Ok(format!("{fails} unless {}", fits.join(" || ")))
            };
            let (yes, other) = (choice(yes)?, choice(other)?);
            Ok(format!("validate {{ |value|\nif {test} {{\n{yes}\n}} else {{\n{other}\n}}\n}}"))
        })
    }
}

/// Escapes a regex for use in a string.
fn shown(source: &[u8]) -> String {
    let text = rtype_lang::syntax::quote(&format!("/{}/", String::from_utf8_lossy(source)));
    text.trim_matches('"').to_owned()
}

/// Returns the statements of the `if` and `else` branches.
fn branches<'p>(branch: &IfNode<'p>) -> Option<(Vec<Node<'p>>, Vec<Node<'p>>)> {
    let other = branch.subsequent()?.as_else_node()?;
    let inside = |s: Option<ruby_prism::StatementsNode<'p>>| ruby::statements(s.map(|s| s.as_node()));
    Some((inside(branch.statements()), inside(other.statements())))
}

/// Returns the regexes of a body that only consists of `newvalue` and `newvalues`.
fn regexes<'p>(body: &[Node<'p>]) -> Option<Vec<Node<'p>>> {
    let mut all = Vec::new();
    for node in body {
        let call = node.as_call_node().filter(|c| c.receiver().is_none() && c.block().is_none())?;
        let (plain, named) = ruby::arguments(call.arguments());
        let is_list = matches!(name(&call.name()).as_str(), "newvalue" | "newvalues") && named.is_empty();
        if !is_list || plain.iter().any(|v| v.as_regular_expression_node().is_none()) {
            return None;
        }
        all.extend(plain);
    }
    (!all.is_empty()).then_some(all)
}
