//! Translates `IPAddr`: an address is a text, which Ruby shows as that of its network.

use super::block::*;
use super::ruby::{self, name};
use super::things::Thing;
use ruby_prism::{CallNode, Node};

impl BlockTranslator<'_> {
    /// Returns whether a node is an `IPAddr`.
    pub(super) fn is_address(&self, node: &Node<'_>) -> bool {
        if let Some(local) = node.as_local_variable_read_node() {
            return self.addresses.contains(&ruby::local(&local.name()));
        }
        if let Some(inner) = node.as_parentheses_node() {
            let inner = ruby::statements(inner.body());
            return matches!(inner.as_slice(), [one] if self.is_address(one));
        }
        node.as_call_node().is_some_and(|c| match (name(&c.name()).as_str(), c.receiver()) {
            ("new", Some(of)) => ruby::constant(&of).as_deref() == Some("IPAddr"),
            ("mask", Some(of)) => self.is_address(&of),
            _ => false,
        })
    }

    /// Translates an `IPAddr` as a value.
    pub(super) fn address_value(&mut self, node: &Node<'_>) -> Text {
        let text = "|_| address.ip_network.ip_address";
        Ok(format!("{}.then {{ |address| object(\"IPAddr\", {{network: address.ip_network}}) {{ {text} }} }}", self.address(node)?))
    }

    /// Translates an `IPAddr` to its text, with the prefix.
    pub(super) fn address(&mut self, node: &Node<'_>) -> Text {
        if let Some(local) = node.as_local_variable_read_node() {
            return Ok(ruby::local(&local.name()));
        }
        if let Some(inner) = node.as_parentheses_node()
            && let [one] = ruby::statements(inner.body()).as_slice()
        {
            return self.deeper(node, |block| block.address(one));
        }
        let unknown = || no(node, "`IPAddr.new` is not supported");
        let Some(call) = node.as_call_node() else { return unknown() };
        let given = ruby::arguments(call.arguments()).0;
        match (name(&call.name()).as_str(), call.receiver(), given.as_slice()) {
            ("new", _, [text]) => Ok(format!("ip({})", self.expr(text, TERNARY)?)),
            ("new", _, [number, family]) => {
                let is_ipv4 = ruby::constant(family).as_deref() == Some("Socket::AF_INET");
                if !is_ipv4 || self.kind(number) != Some(Kind::Integer) {
                    return unknown();
                }
                let n = self.expr(number, OPERAND)?;
                let bytes = format!("[16777216, 65536, 256, 1].map {{ |x| {n}.div(x) % 256 }}.join(\".\")");
                Ok(format!("({n}.between?(0, 4294967295) ? {bytes} : fail(\"invalid address: #{{{n}}}\"))"))
            }
            ("mask", Some(of), [length]) => {
                let of = self.address(&of)?;
                Ok(format!("ip(\"#{{{of}.ip_network.ip_address}}/#{{{}}}\")", self.expr(length, TERNARY)?))
            }
            _ => unknown(),
        }
    }

    /// Translates a call of a method of an `IPAddr`.
    pub(super) fn address_call(&mut self, call: &CallNode<'_>) -> Text<Option<(String, u8)>> {
        let Some(receiver) = call.receiver() else { return Ok(None) };
        let method = name(&call.name());
        let plain = ruby::arguments(call.arguments()).0;
        let node = call.as_node();
        if !self.is_address(&receiver) || self.is_address(&node) {
            return Ok(None);
        }
        let of = self.address(&receiver)?;
        Ok(Some(match (method.as_str(), plain.as_slice()) {
            ("ipv4?" | "ipv6?", []) => (format!("{of}.{method}"), OPERAND),
            ("to_s", []) => (format!("{of}.ip_network.ip_address"), OPERAND),
            ("prefix", []) => (format!("{of}.ip_network.ip_prefix"), OPERAND),
            ("nil?" | "!", []) => (format!("{of}.nil?"), OPERAND),
            ("is_a?" | "kind_of?" | "instance_of?", [class]) => ((ruby::constant(class).as_deref() == Some("IPAddr")).to_string(), OPERAND),
            ("include?" | "===", [other]) => {
                let other = if self.is_address(other) { self.address(other)? } else { self.expr(other, OPERAND)? };
                (format!("{other}.in_network?({of})"), OPERAND)
            }
            ("==" | "!=", [other]) if self.is_address(other) => {
                let other = self.address(other)?;
                (format!("{of}.ip_network.ip_address {method} {other}.ip_network.ip_address"), COMPARE)
            }
            _ => return no(&node, NOT_A_VALUE),
        }))
    }

    /// Translates a method that no other value has than an address, which a function may have made.
    pub(super) fn of_made_address(&mut self, receiver: &Node<'_>, method: &str, plain: &[Node<'_>]) -> Text<Option<(String, u8)>> {
        let asked = match (method, plain) {
            ("prefix", []) => "ip_prefix",
            ("ipv4?" | "ipv6?", []) => method,
            _ => return Ok(None),
        };
        let is_value = self.thing(receiver) == Thing::Value && ruby::constant(receiver).is_none() && !self.is_address(receiver);
        if !is_value || self.kind(receiver).is_some() || self.scope.attributes.contains(method) {
            return Ok(None);
        }
        Ok(Some((format!("{}[:network].{asked}", self.expr(receiver, OPERAND)?), OPERAND)))
    }

    /// Translates an assignment of an `IPAddr` to a local.
    pub(super) fn assign_address(&mut self, variable: String, value: &Node<'_>, top: bool) -> Text {
        if !top && self.locals.contains(&variable) && !self.addresses.contains(&variable) {
            // The local may have another value, too.
            let value = self.address_value(value)?;
            return self.assign(variable, &value, top);
        }
        let text = self.address(value)?;
        let assigned = self.assign(variable.clone(), &text, top)?;
        self.addresses.push(variable);
        Ok(assigned)
    }

    /// Translates the text of an `IPAddr` in an interpolated string.
    pub(super) fn address_text(&mut self, node: &Node<'_>) -> Text<Option<String>> {
        if !self.is_address(node) {
            return Ok(None);
        }
        Ok(Some(format!("{}.ip_network.ip_address", self.address(node)?)))
    }
}
