//! Which errors code can raise, so that a `rescue` of some classes can be translated.

use super::block::*;
use super::ruby::{self, name};
use rtype_lang::eval::error_class;
use ruby_prism::{CallNode, Node, Visit};
use std::collections::BTreeSet;

/// Errors of a call.
struct Raises {
    /// For a text.
    text: &'static str,
    /// For another value.
    other: &'static str,
    /// Kinds for which no other error occurs.
    kinds: &'static [&'static str],
}

/// Returns what a call raises if its argument is not valid.
fn raises(call: &CallNode<'_>) -> Option<Raises> {
    let class = call.receiver().as_ref().and_then(ruby::constant);
    let raises = |text, other, kinds| Some(Raises { text, other, kinds });
    match (class.as_deref(), name(&call.name()).as_str()) {
        (None, "Integer" | "Float") if call.receiver().is_none() => raises("ArgumentError", "TypeError", &["String", "Numeric"]),
        (Some("URI"), "parse") => raises("URI::InvalidURIError", "URI::InvalidURIError", &["String"]),
        (None, "URI") if call.receiver().is_none() => raises("URI::InvalidURIError", "ArgumentError", &["String"]),
        (Some("IPAddr"), "new") => raises("IPAddr::InvalidAddressError", "IPAddr::AddressFamilyError", &["String"]),
        (Some("JSON"), "parse") => raises("JSON::ParserError", "TypeError", &["String"]),
        (Some("Regexp"), "new") => raises("RegexpError", "TypeError", &["String", "Regexp"]),
        _ => None,
    }
}

/// Methods that fail for no receiver of a known kind, and with no argument of such a kind.
const TOTAL: &[&str] = &[
    "to_s",
    "to_i",
    "to_f",
    "strip",
    "downcase",
    "upcase",
    "empty?",
    "nil?",
    "==",
    "!=",
    "length",
    "size",
    "is_a?",
    "kind_of?",
    "!",
    "=~",
    "!~",
    "inspect",
    "to_sym",
    "first",
    "last",
    "[]",
    "split",
    "chomp",
    "is_number?",
    "respond_to?",
    "class",
    "zero?",
    "between?",
];

/// Methods of addresses and URIs, which are known to be valid where they are called.
const OF_PARSED: &[&str] = &[
    "scheme", "host", "port", "path", "query", "fragment", "userinfo", "user", "ipv4?", "ipv6?", "to_s", "==", "!=", "nil?", "is_a?",
    "kind_of?", "prefix",
];

/// What a body may raise.
#[derive(Default)]
pub(super) struct Errors {
    /// Classes of errors.
    pub(super) classes: BTreeSet<String>,
    /// The source of the arguments for which the other errors occur, with the kinds for which they do not.
    pub(super) guards: Vec<(String, &'static [&'static str], &'static str)>,
    /// Locals with parsed values.
    parsed: Vec<String>,
    /// Locals that are errors.
    handled: Vec<String>,
}

impl BlockTranslator<'_> {
    /// Returns the errors that statements can raise; `None` if that is not known.
    pub(super) fn errors_in(&self, body: &[Node<'_>]) -> Option<Errors> {
        let mut errors = Errors::default();
        body.iter().all(|node| self.collect_errors(node, &mut errors, MAX_DEPTH)).then_some(errors)
    }

    /// Returns whether statements that come after others raise no error.
    pub(super) fn raises_nothing_after(&self, before: &[Node<'_>], body: &[Node<'_>]) -> bool {
        let parsed = self.errors_in(before).map(|known| known.parsed).unwrap_or_default();
        let mut errors = Errors { parsed, ..Errors::default() };
        let is_known = body.iter().all(|node| self.collect_errors(node, &mut errors, MAX_DEPTH));
        is_known && errors.classes.is_empty() && errors.guards.is_empty()
    }

    /// Returns the errors that what handles errors of these names can raise.
    pub(super) fn errors_of_handlers(&self, body: &[Node<'_>], names: &[String]) -> Option<Errors> {
        let mut errors = Errors { handled: names.to_vec(), ..Errors::default() };
        body.iter().all(|node| self.collect_errors(node, &mut errors, MAX_DEPTH)).then_some(errors)
    }

    /// Returns whether code may raise one of the errors that only certain functions raise ([`is_special`]).
    pub(super) fn may_raise(&self, node: &Node<'_>) -> bool {
        let mut calls = RaisingCalls(false);
        calls.visit(node);
        calls.0
    }

    fn collect_errors(&self, node: &Node<'_>, errors: &mut Errors, depth: usize) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        let body =
            |errors: &mut Errors, body: Option<Node<'_>>| ruby::statements(body).iter().all(|n| self.collect_errors(n, errors, depth));
        let literal = node.as_nil_node().is_some()
            || node.as_true_node().is_some()
            || node.as_false_node().is_some()
            || node.as_integer_node().is_some()
            || node.as_float_node().is_some()
            || node.as_symbol_node().is_some()
            || node.as_string_node().is_some()
            || node.as_regular_expression_node().is_some()
            || node.as_local_variable_read_node().is_some()
            || node.as_self_node().is_some()
            || ruby::constant(node).is_some();
        if literal || self.attribute_read(node).is_some() {
            return true;
        }
        if let Some(string) = node.as_interpolated_string_node() {
            return string.parts().iter().all(|part| match part.as_embedded_statements_node() {
                Some(inner) => body(errors, inner.statements().map(|s| s.as_node())),
                None => true,
            });
        }
        if let Some(list) = node.as_array_node() {
            return list.elements().iter().all(|e| self.collect_errors(&e, errors, depth));
        }
        if let Some(inner) = node.as_parentheses_node() {
            return body(errors, inner.body());
        }
        if let Some(write) = node.as_local_variable_write_node() {
            if write.value().as_call_node().is_some_and(|c| raises(&c).is_some()) {
                errors.parsed.push(name(&write.name()));
            }
            return self.collect_errors(&write.value(), errors, depth);
        }
        if let Some(branch) = node.as_if_node() {
            return self.collect_errors(&branch.predicate(), errors, depth)
                && body(errors, branch.statements().map(|s| s.as_node()))
                && branch.subsequent().is_none_or(|n| match n.as_else_node() {
                    Some(other) => body(errors, other.statements().map(|s| s.as_node())),
                    None => self.collect_errors(&n, errors, depth),
                });
        }
        if let Some(branch) = node.as_unless_node() {
            return self.collect_errors(&branch.predicate(), errors, depth)
                && body(errors, branch.statements().map(|s| s.as_node()))
                && branch.else_clause().is_none_or(|e| body(errors, e.statements().map(|s| s.as_node())));
        }
        if let Some(both) = node.as_and_node() {
            return self.collect_errors(&both.left(), errors, depth) && self.collect_errors(&both.right(), errors, depth);
        }
        if let Some(both) = node.as_or_node() {
            return self.collect_errors(&both.left(), errors, depth) && self.collect_errors(&both.right(), errors, depth);
        }
        if let Some(leave) = node.as_return_node() {
            return leave.arguments().is_none_or(|a| a.arguments().iter().all(|n| self.collect_errors(&n, errors, depth)));
        }
        node.as_call_node().is_some_and(|call| self.call_errors(&call, errors, depth))
    }

    fn call_errors(&self, call: &CallNode<'_>, errors: &mut Errors, depth: usize) -> bool {
        let (plain, named) = ruby::arguments(call.arguments());
        if call.block().is_some() || !named.is_empty() {
            return false;
        }
        let method = name(&call.name());
        let of_self = call.receiver().is_none_or(|r| r.as_self_node().is_some());
        if of_self && matches!(method.as_str(), "raise" | "fail") {
            let class = match plain.as_slice() {
                [class, _] => self.error_class(class),
                [class] if ruby::constant(class).is_some() => self.error_class(class),
                [message] if ruby::text(message).is_some() || message.as_interpolated_string_node().is_some() => {
                    Some(if method == "raise" { "RuntimeError" } else { "Puppet::Error" }.to_owned())
                }
                _ => None,
            };
            let Some(class) = class else { return false };
            errors.classes.insert(class);
            return plain.iter().all(|n| self.collect_errors(n, errors, depth));
        }
        if let Some(raises) = raises(call) {
            let [argument] = plain.as_slice() else { return false };
            errors.classes.insert(raises.text.to_owned());
            let kind = self.kind(argument);
            let fits = kind == Some(Kind::Text) || raises.kinds.contains(&"Numeric") && matches!(kind, Some(Kind::Integer | Kind::Float));
            if !fits && raises.other != raises.text {
                errors.guards.push((self.slice(argument), raises.kinds, raises.other));
            }
            return self.collect_errors(argument, errors, depth);
        }
        let Some(receiver) = call.receiver() else { return false };
        let is_parsed = |n: &Node<'_>| {
            n.as_call_node().is_some_and(|c| raises(&c).is_some())
                || n.as_local_variable_read_node().is_some_and(|l| errors.parsed.contains(&name(&l.name())))
        };
        let parsed = is_parsed(&receiver);
        let never =
            matches!(method.as_str(), "nil?" | "==" | "!=" | "to_s" | "is_a?" | "kind_of?" | "!" | "inspect" | "class" | "respond_to?");
        let numbers = ["<", ">", "<=", ">=", "+", "-", "*", "between?"].contains(&method.as_str())
            && (parsed || self.kind(&receiver) == Some(Kind::Integer))
            && plain.iter().all(|n| matches!(self.kind(n), Some(Kind::Integer | Kind::Float)) || is_parsed(n));
        let includes = matches!(method.as_str(), "include?" | "member?") && self.kind(&receiver) == Some(Kind::List);
        let is_error = receiver.as_local_variable_read_node().is_some_and(|l| errors.handled.contains(&name(&l.name())));
        let fits = never
            || is_error && method == "message"
            || numbers
            || includes
            || parsed && OF_PARSED.contains(&method.as_str())
            || self.kind(&receiver).is_some() && TOTAL.contains(&method.as_str()) && plain.iter().all(|n| self.kind(n).is_some());
        fits && self.collect_errors(&receiver, errors, depth) && plain.iter().all(|n| self.collect_errors(n, errors, depth))
    }
}

/// Other methods that raise none of these errors for any receiver.
const OF_TEXTS: &[&str] =
    &["fetch", "start_with?", "end_with?", "key?", "join", "compact", "reverse", "capitalize", "lines", "chars", "freeze", "dup", "+"];

/// Looks for calls that may raise one of the errors that only certain functions raise: these, `raise` itself, and functions of Ruby code.
struct RaisingCalls(bool);

impl<'p> ruby_prism::Visit<'p> for RaisingCalls {
    fn visit_call_node(&mut self, node: &CallNode<'p>) {
        let is_plain = |of: Node<'p>| of.as_self_node().is_none() && ruby::constant(&of).is_none();
        let method = name(&node.name());
        let of_list = node.receiver().is_some_and(|r| r.as_array_node().is_some()) && matches!(method.as_str(), "include?" | "member?");
        let is_harmless = of_list
            || TOTAL.contains(&method.as_str()) && !matches!(method.as_str(), "[]" | "=~" | "!~")
            || OF_TEXTS.contains(&method.as_str());
        let has_block = node.block().is_some();
        self.0 |= raises(node).is_some() || has_block || !is_harmless || !node.receiver().is_some_and(is_plain);
        ruby_prism::visit_call_node(self, node);
    }

    fn visit_interpolated_regular_expression_node(&mut self, _: &ruby_prism::InterpolatedRegularExpressionNode<'p>) {
        self.0 = true;
    }

    fn visit_super_node(&mut self, _: &ruby_prism::SuperNode<'p>) {
        self.0 = true;
    }

    fn visit_forwarding_super_node(&mut self, _: &ruby_prism::ForwardingSuperNode<'p>) {
        self.0 = true;
    }

    fn visit_yield_node(&mut self, _: &ruby_prism::YieldNode<'p>) {
        self.0 = true;
    }
}

/// Returns whether only certain functions raise errors of a class, and Ruby's own methods do not.
pub(super) fn is_special(class: &str) -> bool {
    let class = class.trim_start_matches("::");
    ["IPAddr::", "URI::", "JSON::"].iter().any(|of| class.starts_with(of)) || class == "RegexpError"
}

/// Returns whether a `rescue` of these classes handles an error of a class.
pub(super) fn handles(rescued: &[String], class: &str) -> bool {
    rescued.iter().any(|of| error_class::is_a(class, of))
}
