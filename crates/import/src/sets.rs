//! Translates sets, which are lists without duplicates here: what is asked of a set does not depend on their order.

use super::block::*;
use super::kinds::Kind;
use super::ruby::{self, name};
use super::spread::method_of;
use ruby_prism::{CallNode, Node};

/// Methods of sets that lists have, too, with the same result.
const OF_LISTS: &[&str] = &[
    "empty?",
    "any?",
    "all?",
    "none?",
    "one?",
    "size",
    "length",
    "count",
    "to_a",
    "sort",
    "sort_by",
    "map",
    "collect",
    "flat_map",
    "each",
    "join",
    "first",
    "min",
    "max",
    "find",
    "detect",
    "reduce",
    "inject",
    "sum",
    "group_by",
    "partition",
    "include?",
    "member?",
];

impl BlockTranslator<'_> {
    /// Translates an expression that is a set to the list of its elements; `None` for other nodes.
    pub(super) fn set_list(&mut self, node: &Node<'_>) -> Text<Option<String>> {
        if let Some(inner) = node.as_parentheses_node()
            && let [one] = ruby::statements(inner.body()).as_slice()
        {
            return self.deeper(node, |block| block.set_list(one));
        }
        if let Some(local) = node.as_local_variable_read_node().map(|l| ruby::local(&l.name())) {
            return Ok(self.own.sets.contains(&local).then_some(local));
        }
        let Some(call) = node.as_call_node().filter(|c| !c.is_safe_navigation()) else { return Ok(None) };
        let Some(receiver) = call.receiver() else { return Ok(None) };
        let (plain, named) = ruby::arguments(call.arguments());
        let method = name(&call.name());
        if ruby::constant(&receiver).as_deref() == Some("Set") && named.is_empty() {
            let elements = match (method.as_str(), plain.as_slice()) {
                ("new", []) => return Ok(Some("[]".to_owned())),
                ("new", [of]) if self.kind(of) == Some(Kind::List) => self.expr(of, OPERAND)?,
                ("new", [of]) => {
                    let of = self.expr(of, OPERAND)?;
                    format!("({of}.nil? ? [] : {of}.to_a)")
                }
                ("[]", _) => {
                    let elements: Text<Vec<String>> = plain.iter().map(|n| self.expr(n, TERNARY)).collect();
                    format!("[{}]", elements?.join(", "))
                }
                _ => return Ok(None),
            };
            let Some(closure) = ruby::block(&call) else { return Ok(Some(format!("{elements}.uniq"))) };
            return Ok(Some(format!("{elements}.map{}.uniq", self.closure_rest(&call, &closure)?)));
        }
        match (method.as_str(), plain.as_slice()) {
            ("to_set", []) if call.block().is_none() => {
                if let Some(list) = self.set_list(&receiver)? {
                    return Ok(Some(list));
                }
                Ok(Some(format!("{}.uniq", self.expr(&receiver, OPERAND)?)))
            }
            ("dup" | "clone" | "freeze", []) if call.block().is_none() => self.deeper(node, |block| block.set_list(&receiver)),
            ("select" | "filter" | "reject", []) => {
                let Some(list) = self.deeper(node, |block| block.set_list(&receiver))? else { return Ok(None) };
                Ok(Some(format!("{list}.{method}{}", self.call_rest(&call)?)))
            }
            ("|" | "+" | "union" | "&" | "intersection" | "-" | "difference" | "^", [other]) => {
                let Some(list) = self.deeper(node, |block| block.set_list(&receiver))? else { return Ok(None) };
                let other = self.set_or_list(other)?;
                Ok(Some(match method.as_str() {
                    "|" | "+" | "union" => format!("{list}.union({other})"),
                    "&" | "intersection" => format!("({list} & {other})"),
                    "^" => format!("(({other}.uniq - {list}) + ({list} - {other}))"),
                    _ => format!("({list} - {other})"),
                }))
            }
            _ => Ok(None),
        }
    }

    fn set_or_list(&mut self, node: &Node<'_>) -> Text {
        match self.set_list(node)? {
            Some(list) => Ok(list),
            None => self.expr(node, OPERAND),
        }
    }

    /// Translates a method that is called on a set.
    pub(super) fn set_call(&mut self, call: &CallNode<'_>, receiver: &Node<'_>, plain: &[Node<'_>]) -> Text<Option<(String, u8)>> {
        let Some(list) = self.set_list(receiver)? else { return Ok(None) };
        let (node, method) = (call.as_node(), method_of(call));
        if let ("inspect" | "to_s", []) = (method.as_str(), plain) {
            return Ok(Some((format!("\"#<Set: {{#{{{list}.map {{ |x| x.inspect }}.join(\", \")}}}}>\""), OPERAND)));
        }
        if let [other] = plain
            && let Some(other) = self.set_list(other)?
        {
            // Duplicates do not matter here.
            let bare = |list: &str| list.strip_suffix(".uniq").unwrap_or(list).to_owned();
            let (list, other) = (bare(&list), bare(&other));
            let (less, more) = (format!("({list} - {other}).empty?"), format!("({other} - {list}).empty?"));
            return Ok(Some(match method.as_str() {
                "==" => (format!("{less} && {more}"), AND),
                "!=" => (format!("!({less} && {more})"), UNARY),
                "subset?" | "<=" => (less, OPERAND),
                "superset?" | ">=" => (more, OPERAND),
                "proper_subset?" | "<" => (format!("{less} && !{more}"), AND),
                "proper_superset?" | ">" => (format!("{more} && !{less}"), AND),
                "disjoint?" => (format!("({list} & {other}).empty?"), OPERAND),
                "intersect?" => (format!("!({list} & {other}).empty?"), UNARY),
                _ => return no(&node, format!("the method `{method}` of a set is not supported")),
            }));
        }
        if OF_LISTS.contains(&method.as_str()) {
            return Ok(Some((format!("{list}.{method}{}", self.call_rest(call)?), OPERAND)));
        }
        no(&node, format!("the method `{method}` of a set is not supported"))
    }

    /// Translates a statement that changes a local that is a set.
    pub(super) fn set_change(&mut self, call: &CallNode<'_>) -> Text<Option<String>> {
        let local = call.receiver().and_then(|of| of.as_local_variable_read_node()).map(|l| ruby::local(&l.name()));
        let Some(local) = local.filter(|local| self.own.sets.contains(local)) else { return Ok(None) };
        let plain = ruby::arguments(call.arguments()).0;
        let [other] = plain.as_slice() else { return Ok(None) };
        let text = match name(&call.name()).as_str() {
            "<<" | "add" => format!("{local} = {local}.union([{}])", self.expr(other, TERNARY)?),
            "delete" => format!("{local} = {local} - [{}]", self.expr(other, TERNARY)?),
            "merge" => format!("{local} = {local}.union({})", self.set_or_list(other)?),
            "subtract" => format!("{local} = {local} - {}", self.set_or_list(other)?),
            _ => return Ok(None),
        };
        Ok(Some(text))
    }

    /// Translates the assignment of a set.
    pub(super) fn assign_set(&mut self, variable: &str, value: &Node<'_>, top: bool) -> Text<Option<String>> {
        let is_known = self.own.sets.contains(variable);
        let Some(list) = self.set_list(value)? else {
            return if is_known { no(value, "a local that is a set and another value is not supported") } else { Ok(None) };
        };
        if !is_known && self.locals.iter().any(|l| l == variable) {
            return no(value, "a local that is a set and another value is not supported");
        }
        self.own.sets.insert(variable.to_owned());
        self.assign(variable.to_owned(), &list, top).map(Some)
    }
}
