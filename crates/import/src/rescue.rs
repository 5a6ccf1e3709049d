//! Translates `begin … rescue … end`. A `rescue` of specific errors is translated only if no others can occur, or if all result in
//! a failure.

use super::block::*;
use super::ruby::{self, name};
use ruby_prism::Node;

impl BlockTranslator<'_> {
    pub(super) fn begin(&mut self, begin: &ruby_prism::BeginNode<'_>, node: &Node<'_>) -> Text<(String, u8)> {
        let inner = ruby::statements(begin.statements().map(|s| s.as_node()));
        let Some(rescue) = begin.rescue_clause() else { return no(node, "`begin` of this form is not supported") };
        if rescue.subsequent().is_some() || begin.ensure_clause().is_some() || begin.else_clause().is_some() {
            return no(node, "`begin` of this form is not supported");
        }
        let handler = ruby::statements(rescue.statements().map(|s| s.as_node()));
        // `try` catches what a `rescue` of `StandardError` does; if the handler fails as well, other errors fail in any case.
        let all = rescue.exceptions().iter().all(|class| matches!(ruby::constant(&class).as_deref(), Some("StandardError" | "Exception")));
        let mut before = String::new();
        if !all && !handler.last().is_some_and(always_fails) {
            let class = match rescue.exceptions().iter().next() {
                Some(class) if rescue.exceptions().iter().count() == 1 => ruby::constant(&class),
                _ => None,
            };
            // It raises this error for all invalid strings and for values that are not strings.
            if class.as_deref() == Some("URI::InvalidURIError") && is_uri(&inner) {
                return self.handled(&inner, None, &handler, String::new());
            }
            match number_of(&inner).filter(|_| class.as_deref() == Some("ArgumentError")) {
                // For a value that is neither a string nor a number, Ruby raises a different error.
                Some(local) => {
                    before = format!("fail \"can't convert #{{type_of({local})}} into Integer\" unless ");
                    before.push_str(&format!("{local}.is_a?(String) || {local}.is_a?(Numeric)\n"));
                }
                None => return no(node, "`rescue` of some errors only is not supported"),
            }
        }
        let error = match rescue.reference() {
            None => None,
            Some(reference) => match reference.as_local_variable_target_node() {
                Some(local) => Some(ruby::local(&local.name())),
                None => return no(node, "`begin` of this form is not supported"),
            },
        };
        self.handled(&inner, error, &handler, before)
    }

    /// Translates to `try { … } else { … }`.
    fn handled(&mut self, inner: &[Node<'_>], error: Option<String>, handler: &[Node<'_>], before: String) -> Text<(String, u8)> {
        let inner = self.branch(inner)?;
        // A bare `raise` raises the same error again.
        let again = handler.iter().any(is_bare_raise);
        let error = error.or_else(|| again.then(|| "message".to_owned()));
        self.errors.extend(error.clone());
        let other = self.branch(handler);
        if let Some(error) = error {
            self.errors.pop();
            let bars = format!("{{ |{error}|\n");
            return Ok((format!("{before}try {inner} else {}", other?.replacen("{\n", &bars, 1)), OPERAND));
        }
        Ok((format!("{before}try {inner} else {}", other?), OPERAND))
    }
}

/// Returns whether the body is only `x = URI.parse(text)`.
fn is_uri(body: &[Node<'_>]) -> bool {
    let [only] = body else { return false };
    let value = only.as_local_variable_write_node().map(|w| w.value());
    value
        .and_then(|v| v.as_call_node())
        .is_some_and(|c| name(&c.name()) == "parse" && c.receiver().as_ref().and_then(ruby::constant).as_deref() == Some("URI"))
}

/// Returns `x` of `x = Integer(x)` before code that cannot fail.
fn number_of(body: &[Node<'_>]) -> Option<String> {
    let (first, rest) = body.split_first()?;
    let write = first.as_local_variable_write_node()?;
    let value = write.value();
    let call = value.as_call_node().filter(|c| name(&c.name()) == "Integer" && c.receiver().is_none() && c.block().is_none())?;
    let given = ruby::arguments(call.arguments()).0;
    let [only] = given.as_slice() else { return None };
    let local = ruby::local(&only.as_local_variable_read_node()?.name());
    (local == ruby::local(&write.name()) && rest.iter().all(|n| is_harmless(n, 8))).then_some(local)
}

/// Returns whether a node cannot fail if the local in it is a number.
fn is_harmless(node: &Node<'_>, depth: usize) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    let all = |body: Option<Node<'_>>| ruby::statements(body).iter().all(|n| is_harmless(n, depth));
    if let Some(branch) = node.as_if_node() {
        return branch.subsequent().is_none() && is_harmless(&branch.predicate(), depth) && all(branch.statements().map(|s| s.as_node()));
    }
    if let Some(leave) = node.as_return_node() {
        return leave.arguments().is_none_or(|a| a.arguments().iter().all(|n| is_harmless(&n, depth)));
    }
    if let Some(call) = node.as_call_node() {
        let known = matches!(name(&call.name()).as_str(), "between?" | "to_s" | "+" | "==" | "<" | ">" | "<=" | ">=");
        let plain = ruby::arguments(call.arguments()).0;
        return known && call.receiver().is_some_and(|r| is_harmless(&r, depth)) && plain.iter().all(|n| is_harmless(n, depth));
    }
    node.as_local_variable_read_node().is_some() || node.as_integer_node().is_some() || ruby::text(node).is_some()
}

fn is_bare_raise(node: &Node<'_>) -> bool {
    node.as_call_node().is_some_and(|c| name(&c.name()) == "raise" && c.receiver().is_none() && c.arguments().is_none())
}

/// Returns whether a statement always fails.
fn always_fails(node: &Node<'_>) -> bool {
    node.as_call_node().is_some_and(|c| {
        matches!(name(&c.name()).as_str(), "raise" | "fail" | "devfail") && c.receiver().is_none_or(|r| r.as_self_node().is_some())
    })
}
