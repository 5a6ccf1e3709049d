//! Translates what Ruby code asks of the class of a value: its name, and whether it is a certain one.

use super::block::*;
use super::ruby::{self, name};
use rtype_lang::syntax::quote;
use ruby_prism::{CallNode, Node};

impl BlockTranslator<'_> {
    /// Returns the class name in `resource.class.to_s`, or its last part.
    pub(super) fn class_name(&self, node: &Node<'_>) -> Option<String> {
        let call = node.as_call_node()?;
        let of = call.receiver()?;
        match name(&call.name()).as_str() {
            "to_s" | "inspect" => self.own_class_text(&of),
            "last" | "[]" => {
                let given = ruby::arguments(call.arguments()).0;
                let last = given.is_empty() || matches!(given.as_slice(), [at] if self.slice(at) == "-1");
                let split = of.as_call_node().filter(|c| last && name(&c.name()) == "split")?;
                let by = ruby::arguments(split.arguments()).0;
                let class = split.receiver().filter(|r| r.as_call_node().is_some_and(|c| name(&c.name()) == "to_s"))?;
                let class = self.class_name(&class)?;
                matches!(by.as_slice(), [by] if ruby::text(by).as_deref() == Some("::"))
                    .then(|| class.rsplit("::").next().map(str::to_owned))?
            }
            _ => None,
        }
    }

    /// Returns the text of `self.class` and `resource.class`, the constants that Puppet makes for the classes of attributes and types.
    pub(super) fn own_class_text(&self, node: &Node<'_>) -> Option<String> {
        let constant = |word: &str| word.split_at_checked(1).map(|(first, rest)| first.to_uppercase() + &rest.to_lowercase());
        let of_type = format!("Puppet::Type::{}", constant(&self.scope.type_name)?);
        if self.is_own_class(node) {
            return Some(of_type);
        }
        let own = self.attribute.filter(|own| is_class_of_self(node) && !own.is_kind && !own.is_module && !own.is_object)?;
        let prefix = if self.scope.properties.contains(&own.name) { "" } else { "Parameter" };
        Some(format!("{of_type}::{prefix}{}", constant(&own.name)?))
    }

    /// Returns `x` of `x.class`.
    pub(super) fn class_of<'p>(&self, node: &Node<'p>) -> Option<Node<'p>> {
        let call = node.as_call_node().filter(|c| name(&c.name()) == "class" && c.arguments().is_none())?;
        let of = call.receiver()?;
        let is_error = of.as_local_variable_read_node().is_some_and(|local| self.errors.contains(&ruby::local(&local.name())));
        (!is_error && !self.is_resource(&of) && of.as_self_node().is_none() && !self.is_provider(&of)).then_some(of)
    }

    /// Returns the local that has the class of the handled error in `e.class`.
    pub(super) fn class_of_error(&self, node: &Node<'_>) -> Option<String> {
        let call = node.as_call_node().filter(|c| name(&c.name()) == "class" && c.arguments().is_none())?;
        let error = ruby::local(&call.receiver()?.as_local_variable_read_node()?.name());
        self.errors.contains(&error).then(|| self.class_local(&error))
    }

    /// Translates `x.class == String`, `[String, Array].include?(x.class)` and `x.class.name`.
    pub(super) fn class_test(
        &mut self,
        call: &CallNode<'_>,
        receiver: &Node<'_>,
        method: &str,
        plain: &[Node<'_>],
    ) -> Text<Option<(String, u8)>> {
        if let (Some(of), "name" | "to_s", []) = (self.class_of(receiver), method, plain) {
            return Ok(Some((format!("type_of({})", self.expr(&of, TERNARY)?), OPERAND)));
        }
        if let (Some(class), "name" | "to_s", []) = (self.class_of_error(receiver), method, plain) {
            return Ok(Some((class, OPERAND)));
        }
        if let (Some(class), "==" | "!=", [other]) = (self.class_of_error(receiver), method, plain)
            && let Some(named) = self.error_class(other)
        {
            return Ok(Some((format!("{class} {method} {}", quote(&named)), COMPARE)));
        }
        let any = (method == "any?").then(|| any_class(call)).flatten();
        if let (Some(of), Some(list)) = (any, receiver.as_array_node()) {
            let classes = list.elements().iter().map(|e| ruby::constant(&e)).collect();
            return self.one_of_classes(call, &of, classes, false).map(Some);
        }
        let [argument] = plain else { return Ok(None) };
        if method == "instance_of?" && !self.is_resource(receiver) && !self.is_provider(receiver) && ruby::constant(argument).is_some() {
            return self.one_of_classes(call, receiver, vec![ruby::constant(argument)], false).map(Some);
        }
        let (of, classes) = match method {
            "==" | "!=" => match (self.class_of(receiver), self.class_of(argument)) {
                (Some(of), None) => (of, vec![ruby::constant(argument)]),
                (None, Some(of)) => (of, vec![ruby::constant(receiver)]),
                (Some(one), Some(other)) => {
                    let (one, other) = (self.expr(&one, TERNARY)?, self.expr(&other, TERNARY)?);
                    return Ok(Some((format!("type_of({one}) {method} type_of({other})"), COMPARE)));
                }
                _ => return Ok(None),
            },
            "include?" => match (self.class_of(argument), receiver.as_array_node()) {
                (Some(of), Some(list)) => (of, list.elements().iter().map(|e| ruby::constant(&e)).collect()),
                _ => return Ok(None),
            },
            _ => return Ok(None),
        };
        self.one_of_classes(call, &of, classes, method == "!=").map(Some)
    }

    fn one_of_classes(&mut self, call: &CallNode<'_>, of: &Node<'_>, classes: Vec<Option<String>>, not: bool) -> Text<(String, u8)> {
        let of = self.expr(of, OPERAND)?;
        let mut tests = Vec::new();
        for class in classes {
            tests.push(match class.as_deref() {
                Some(c @ ("String" | "Array" | "Hash" | "Integer" | "Float" | "Symbol" | "Regexp")) => format!("{of}.is_a?({c})"),
                Some("Range") => format!("type_of({of}) == \"Range\""),
                Some("TrueClass") => format!("{of} == true"),
                Some("FalseClass") => format!("{of} == false"),
                Some("NilClass") => format!("{of}.nil?"),
                // Blocks see what is within.
                Some("Puppet::Pops::Types::PSensitiveType::Sensitive") => "false".to_owned(),
                _ => return no(&call.as_node(), "this class is not supported"),
            });
        }
        let (text, binds) = match tests.as_slice() {
            [one] => (one.clone(), if one.contains(" == ") { COMPARE } else { OPERAND }),
            _ => (tests.join(" || "), OR),
        };
        Ok(if not { (format!("!{}", wrap(text, binds, UNARY)), UNARY) } else { (text, binds) })
    }
}

/// Returns `x` of `{ |type| x.is_a?(type) }`.
fn any_class<'p>(call: &CallNode<'p>) -> Option<Node<'p>> {
    let block = ruby::block(call)?;
    let body = ruby::statements(block.body());
    let params = ruby::block_params(&block)?;
    let ([param], [only]) = (params.as_slice(), body.as_slice()) else { return None };
    let test = only.as_call_node().filter(|c| matches!(name(&c.name()).as_str(), "is_a?" | "kind_of?"))?;
    let class = ruby::arguments(test.arguments()).0.pop()?;
    (ruby::local(&class.as_local_variable_read_node()?.name()) == *param).then(|| test.receiver())?
}

/// Returns whether a node is `self.class`.
pub(super) fn is_class_of_self(node: &Node<'_>) -> bool {
    node.as_call_node().is_some_and(|c| name(&c.name()) == "class" && c.receiver().is_some_and(|r| r.as_self_node().is_some()))
}
