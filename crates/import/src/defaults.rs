//! Computed defaults that may be `false`, which Puppet ignores as it ignores nil.

use super::block::{Text, Untranslated};
use super::nodes::visiting;
use super::ruby::{self, ByteRange, name};
use ruby_prism::{CallNode, Node, ReturnNode, Visit};

/// Maximum depth of branches.
const MAX_DEPTH: usize = 32;

/// How a default may be `false`.
pub(super) enum FalsyDefault {
    Never,
    /// It is one expression.
    Expression,
    /// It is the last one of several statements.
    Statements,
    /// It is the value of a `return`.
    Returned,
}

impl FalsyDefault {
    /// Returns the code of the default so that it is nil instead.
    pub(super) fn drop_false(self, code: String, at: &ByteRange) -> Text {
        let inner = code.strip_prefix('{').and_then(|code| code.strip_suffix('}')).unwrap_or(&code).trim();
        match self {
            FalsyDefault::Never => Ok(code),
            // Only closures and blocks have locals.
            FalsyDefault::Expression if !inner.contains("let ") => Ok(format!("{{ ({inner}) || nil }}")),
            FalsyDefault::Expression | FalsyDefault::Statements => Ok(format!("{{\nnil.then {{ |_|\n{inner}\n}} || nil\n}}")),
            FalsyDefault::Returned => {
                Err(Untranslated { text: "a default that `return` may make `false` is not supported".into(), at: at.clone() })
            }
        }
    }
}

/// Returns how a default with this body may be `false`; `is_falsy` says which attributes may be.
pub(super) fn falsy_default(body: &[Node<'_>], is_falsy: &dyn Fn(&str) -> bool) -> FalsyDefault {
    let mut returns = Returns { may: false, is_falsy };
    body.iter().for_each(|node| visiting(node, || returns.visit(node)));
    let last_may = body.last().is_some_and(|last| may_be_false(last, is_falsy, MAX_DEPTH));
    let is_modified = body.last().is_some_and(is_modifier);
    match (returns.may, last_may, body.len()) {
        (true, ..) => FalsyDefault::Returned,
        (_, true, 1) if !is_modified => FalsyDefault::Expression,
        (_, true, _) => FalsyDefault::Statements,
        _ => FalsyDefault::Never,
    }
}

/// Recognizes `x if y` and `x unless y`, which are statements in the language.
fn is_modifier(node: &Node<'_>) -> bool {
    node.as_if_node().is_some_and(|branch| branch.if_keyword_loc().is_some() && branch.end_keyword_loc().is_none())
        || node.as_unless_node().is_some_and(|branch| branch.end_keyword_loc().is_none())
}

struct Returns<'a> {
    may: bool,
    is_falsy: &'a dyn Fn(&str) -> bool,
}

impl<'p> Visit<'p> for Returns<'_> {
    fn visit_return_node(&mut self, node: &ReturnNode<'p>) {
        let value = node.arguments().and_then(|a| a.arguments().iter().next());
        self.may |= value.is_some_and(|value| may_be_false(&value, self.is_falsy, MAX_DEPTH));
    }
}

fn may_be_false(node: &Node<'_>, is_falsy: &dyn Fn(&str) -> bool, depth: usize) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return true };
    let of = |node: &Node<'_>| may_be_false(node, is_falsy, depth);
    let last = |statements: Option<ruby_prism::StatementsNode<'_>>| {
        ruby::statements(statements.map(|s| s.as_node())).last().is_some_and(|last| may_be_false(last, is_falsy, depth))
    };
    if node.as_false_node().is_some() || node.as_local_variable_read_node().is_some() {
        return true;
    }
    if let Some(inner) = node.as_parentheses_node() {
        return ruby::statements(inner.body()).last().is_some_and(of);
    }
    if let Some(and) = node.as_and_node() {
        return of(&and.left()) || of(&and.right());
    }
    if let Some(or) = node.as_or_node() {
        return of(&or.right());
    }
    if let Some(branch) = node.as_if_node() {
        return last(branch.statements()) || branch.subsequent().is_some_and(|next| of(&next));
    }
    if let Some(branch) = node.as_else_node() {
        return last(branch.statements());
    }
    if let Some(branch) = node.as_unless_node() {
        return last(branch.statements()) || branch.else_clause().is_some_and(|other| last(other.statements()));
    }
    if let Some(case) = node.as_case_node() {
        let whens = case.conditions().iter().filter_map(|when| when.as_when_node()).any(|when| last(when.statements()));
        return whens || case.else_clause().is_some_and(|other| last(other.statements()));
    }
    if let Some(rescued) = node.as_rescue_modifier_node() {
        return of(&rescued.expression()) || of(&rescued.rescue_expression());
    }
    if let Some(begin) = node.as_begin_node() {
        let mut clause = begin.rescue_clause();
        let mut handled = false;
        while let Some(rescue) = clause {
            handled |= last(rescue.statements());
            clause = rescue.subsequent();
        }
        return last(begin.statements()) || handled;
    }
    node.as_call_node().is_some_and(|call| call_may_be_false(&call, is_falsy))
}

fn call_may_be_false(call: &CallNode<'_>, is_falsy: &dyn Fn(&str) -> bool) -> bool {
    let method = name(&call.name());
    let Some(of) = call.receiver() else {
        // A method of the attribute or type.
        return ruby::is_word(method.trim_end_matches('?')) && !method.starts_with(|c: char| c.is_ascii_uppercase());
    };
    if method == "[]" {
        let key = ruby::arguments(call.arguments()).0.first().and_then(ruby::symbol);
        let is_resource = of.as_call_node().is_some_and(|c| name(&c.name()) == "resource")
            || of.as_instance_variable_read_node().is_some_and(|v| name(&v.name()) == "@resource");
        return !is_resource || key.is_none_or(|key| is_falsy(&key));
    }
    matches!(method.as_str(), "==" | "!=" | "!" | "<" | ">" | "<=" | ">=" | "=~" | "fetch" | "dig" | "send") || method.ends_with('?')
}
