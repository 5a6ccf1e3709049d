//! Translates enumerators (`text.each_char.map`), closures that return one of their parameters (`tap`, `each_with_object`), and
//! maps with a default.

use super::block::*;
use super::ruby::{self, name};
use super::spread::{closure_params, method_of};
use ruby_prism::{BlockNode, CallNode, Node};

/// Methods that return an enumerator without a closure, with the list that it enumerates.
const ENUMERATORS: &[(&str, &str)] = &[
    ("each", ""),
    ("each_entry", ""),
    ("each_pair", ""),
    ("to_enum", ""),
    ("each_char", ".chars"),
    ("each_line", ".lines"),
    ("each_byte", ".bytes"),
    ("each_key", ".keys"),
    ("each_value", ".values"),
    ("reverse_each", ".reverse"),
    ("each_index", ".then { |list| 0.upto(list.length - 1) }"),
];

/// Methods of lists that an enumerator has, too.
pub(super) const OF_LISTS: &[&str] = &[
    "map",
    "collect",
    "select",
    "filter",
    "reject",
    "find",
    "detect",
    "each_with_index",
    "to_a",
    "entries",
    "any?",
    "all?",
    "none?",
    "flat_map",
    "group_by",
    "partition",
    "sort_by",
    "inject",
    "reduce",
    "sum",
    "count",
    "with_index",
    "each_slice",
    "each_cons",
    "first",
    "filter_map",
    "each_with_object",
    "with_object",
    "min_by",
    "max_by",
    "to_h",
    "zip",
    "find_index",
    "one?",
    "take_while",
    "drop_while",
    "tally",
    "uniq",
    "include?",
];

impl BlockTranslator<'_> {
    /// Returns the list that an enumerator enumerates: `text.each_char`.
    pub(super) fn enumerated(&mut self, node: &Node<'_>) -> Text<Option<String>> {
        let Some(call) = node.as_call_node().filter(|c| c.block().is_none()) else { return Ok(None) };
        let method = method_of(&call);
        let given = ruby::arguments(call.arguments()).0;
        if let ("with_index", Some(inner)) = (method.as_str(), call.receiver()) {
            let gives_parts = inner.as_call_node().is_some_and(|c| matches!(method_of(&c).as_str(), "each_slice" | "each_cons"));
            let list = match gives_parts {
                true => Some(self.expr(&inner, OPERAND)?),
                false => self.deeper(node, |block| block.enumerated(&inner))?,
            };
            return match (list, given.as_slice()) {
                (Some(list), []) => Ok(Some(format!("{list}.each_with_index"))),
                (Some(list), [first]) if first.as_integer_node().is_some() => {
                    let from = self.slice(first);
                    Ok(Some(format!("{list}.each_with_index.map {{ |element, at| [element, at + {from}] }}")))
                }
                _ => Ok(None),
            };
        }
        if !given.is_empty() {
            return Ok(None);
        }
        let Some((_, list)) = ENUMERATORS.iter().find(|(m, _)| *m == method) else { return Ok(None) };
        let Some(receiver) = call.receiver().filter(|r| !self.is_resource(r)) else { return Ok(None) };
        if let Some(numbers) = self.numbers(&receiver)? {
            return Ok(Some(format!("{numbers}{list}")));
        }
        Ok(Some(format!("{}{list}", self.expr(&receiver, OPERAND)?)))
    }

    /// Translates `value.tap { |v| … }`.
    pub(super) fn tapped(&mut self, receiver: &Node<'_>, closure: &BlockNode<'_>) -> Text<(String, u8)> {
        let params = ruby::block_params(closure).unwrap_or_default();
        let [param] = params.as_slice() else { return no(receiver, "a closure with such parameters is not supported") };
        let of = self.expr(receiver, OPERAND)?;
        let elements = self.elements.len();
        let kept = self.kinds.clone();
        self.kinds.remove(param);
        self.remember(param, receiver);
        match receiver.as_local_variable_read_node().map(|l| ruby::local(&l.name())) {
            Some(local) => self.elements.push((param.clone(), Some(local))),
            None if self.attribute_read(receiver).is_some() => self.elements.push((param.clone(), None)),
            None => self.remember_kind(param, receiver, true),
        }
        let body = self.closure_giving(&params, &[], &[], &ruby::statements(closure.body()), param);
        self.elements.truncate(elements);
        self.kinds = kept;
        Ok((format!("{of}.then{}", body?), OPERAND))
    }

    /// Translates `xs.each_with_object({}) { |x, all| … }` to a `reduce`.
    pub(super) fn collected(
        &mut self,
        call: &CallNode<'_>,
        receiver: &Node<'_>,
        start: &Node<'_>,
        closure: &BlockNode<'_>,
    ) -> Text<(String, u8)> {
        let unknown = || no(&call.as_node(), "a closure with such parameters is not supported");
        let Some(params) = closure_params(closure, "each_with_object") else { return unknown() };
        let [element, all] = params.names.as_slice() else { return unknown() };
        let of = match self.enumerated(receiver)? {
            Some(list) => list,
            None => self.expr(receiver, OPERAND)?,
        };
        let start_text = if self.default_of(start).is_some() { "({})".to_owned() } else { self.expr(start, TERNARY)? };
        let elements = self.elements.len();
        let (kinds, defaults) = (self.kinds.clone(), self.defaults.clone());
        self.remember(all, start);
        self.remember_kind(all, start, true);
        self.remember_default(all, start);
        let list = receiver.as_local_variable_read_node().map(|l| ruby::local(&l.name()));
        self.elements.push((element.clone(), list.clone()));
        self.elements.extend(params.apart.iter().map(|n| (n.clone(), list.clone())));
        let body =
            self.closure_giving(&[all.clone(), element.clone()], &params.apart, &params.lines, &ruby::statements(closure.body()), all);
        self.elements.truncate(elements);
        (self.kinds, self.defaults) = (kinds, defaults);
        if let Some(local) = start.as_local_variable_read_node().map(|l| ruby::local(&l.name())) {
            self.stale.insert(local);
        }
        Ok((format!("{of}.reduce({start_text}){}", body?), OPERAND))
    }

    /// Translates the statement `xs.each { … break … }` to `any?`, which ends where its closure returns true.
    pub(super) fn left_early(&mut self, call: &CallNode<'_>) -> Text<Option<String>> {
        let (Some(receiver), Some(closure)) = (call.receiver(), ruby::block(call)) else { return Ok(None) };
        if !self.slice(&closure.as_node()).contains("break") {
            return Ok(None);
        }
        let given = ruby::arguments(call.arguments()).0;
        let of = match (name(&call.name()).as_str(), given.as_slice()) {
            ("each" | "each_pair" | "each_entry", []) => match (self.enumerated(&receiver)?, self.numbers(&receiver)?) {
                (Some(list), _) | (None, Some(list)) => list,
                (None, None) => self.expr(&receiver, OPERAND)?,
            },
            ("each_value", []) => format!("{}.values", self.expr(&receiver, OPERAND)?),
            ("each_key", []) => format!("{}.keys", self.expr(&receiver, OPERAND)?),
            ("each_char", []) => format!("{}.chars", self.expr(&receiver, OPERAND)?),
            ("each_line", []) => format!("{}.lines", self.expr(&receiver, OPERAND)?),
            ("reverse_each", []) => format!("{}.reverse", self.expr(&receiver, OPERAND)?),
            ("times", []) => format!("0.upto({} - 1)", self.expr(&receiver, ADD)?),
            ("upto" | "downto", [to]) => format!("{}.{}({})", self.expr(&receiver, OPERAND)?, name(&call.name()), self.expr(to, TERNARY)?),
            _ => return Ok(None),
        };
        let Some(mut params) = closure_params(&closure, "each") else { return Ok(None) };
        if params.names.is_empty() {
            params.names.push("_".to_owned());
        }
        let list = receiver.as_local_variable_read_node().map(|l| ruby::local(&l.name()));
        let (elements, resources) = (self.elements.len(), self.resources.len());
        self.elements.extend(params.names.iter().chain(&params.apart).map(|n| (n.clone(), list.clone())));
        let found = self.resource_params(call, &params.names);
        self.resources.extend(found);
        self.own.is_left = true;
        let body = self.closure_giving(&params.names, &params.apart, &params.lines, &ruby::statements(closure.body()), "false");
        self.forget_resources(resources, &params.names);
        self.elements.truncate(elements);
        Ok(Some(format!("{of}.any?{}", body?)))
    }

    /// Translates `reduce(:merge)`, `inject({}, :merge)` and `reduce(&:merge)`: the method is called with each element, unless it is an operator.
    pub(super) fn folded_by_name(&mut self, call: &CallNode<'_>) -> Text<Option<String>> {
        let (plain, named) = ruby::arguments(call.arguments());
        let given = call.block().map(|block| block.as_block_argument_node().and_then(|b| b.expression()));
        let (method, start) = match (given, plain.as_slice()) {
            (Some(Some(method)), []) => (ruby::symbol(&method), None),
            (Some(Some(method)), [start]) => (ruby::symbol(&method), Some(start)),
            (None, [method]) => (ruby::symbol(method), None),
            (None, [start, method]) => (ruby::symbol(method), Some(start)),
            _ => return Ok(None),
        };
        let is_fold = matches!(name(&call.name()).as_str(), "reduce" | "inject") && named.is_empty();
        let Some(method) = method.filter(|method| is_fold && ruby::is_word(method)) else { return Ok(None) };
        let start = start.map(|start| Ok(format!("({})", self.expr(start, TERNARY)?))).transpose()?.unwrap_or_default();
        Ok(Some(format!("{start} {{ |all, one| all.{method}(one) }}")))
    }

    /// Translates a closure that returns one of its parameters, regardless of its statements.
    pub(super) fn closure_giving(
        &mut self,
        params: &[String],
        apart: &[String],
        lines: &[String],
        body: &[Node<'_>],
        result: &str,
    ) -> Text {
        let (locals, lists, texts) = (self.locals.len(), self.lists.len(), self.texts.len());
        self.locals.extend(params.iter().chain(apart).cloned());
        self.closures += 1;
        self.results.push(Some(result.to_owned()));
        self.own.operands.push(Vec::new());
        let is_left = std::mem::take(&mut self.own.is_left);
        self.own.breaks.push(is_left);
        let mut out: Vec<String> = lines.to_vec();
        let first = out.len();
        let mut failed = None;
        for node in body {
            match self.statement(node, false, false) {
                Ok(line) => out.push(line),
                Err(reason) => {
                    failed = Some(reason);
                    break;
                }
            }
        }
        self.results.pop();
        self.own.breaks.pop();
        let operands = self.own.operands.pop().unwrap_or_default();
        out.splice(first..first, operands.into_iter().map(|local| format!("let {local} = nil")));
        self.closures -= 1;
        self.locals.truncate(locals);
        self.lists.truncate(lists);
        self.texts.truncate(texts);
        if let Some(reason) = failed {
            return Err(reason);
        }
        out.retain(|line| !line.is_empty());
        out.push(result.to_owned());
        Ok(format!(" {{ |{}| {}\n}}", params.join(", "), out.join("\n")))
    }

    /// Translates `xs.map.with_index(1) { |x, i| … }` and `xs.each.with_index { … }`.
    pub(super) fn with_index(
        &mut self,
        call: &CallNode<'_>,
        receiver: &Node<'_>,
        plain: &[Node<'_>],
        closure: &BlockNode<'_>,
    ) -> Text<Option<(String, u8)>> {
        let Some(inner) = receiver.as_call_node().filter(|c| c.block().is_none() && c.arguments().is_none()) else { return Ok(None) };
        let method = method_of(&inner);
        let how = match method.as_str() {
            "map" | "collect" | "flat_map" | "each_with_index" => method.as_str(),
            "select" | "filter" | "reject" => method.as_str(),
            _ if ENUMERATORS.iter().any(|(m, _)| *m == method) => "each",
            _ => return Ok(None),
        };
        let Some(of) = inner.receiver() else { return Ok(None) };
        let Some(params) = closure_params(closure, "with_index") else { return Ok(None) };
        let (Some(index), true) = (params.names.get(1), params.names.len() == 2 && how != "each_with_index") else { return Ok(None) };
        let list = match self.enumerated(receiver)? {
            Some(list) if how == "each" => list,
            _ => match self.numbers(&of)? {
                Some(numbers) => numbers,
                None => self.expr(&of, OPERAND)?,
            },
        };
        let shift = match plain {
            [] => None,
            [n] if self.slice(n) == "0" => None,
            [n] => Some(self.expr(n, ADD)?),
            _ => return Ok(None),
        };
        let rest = self.closure_rest(call, closure)?;
        let rest = match shift {
            None => rest,
            Some(shift) => {
                let bars = format!("|{}| ", params.names.join(", "));
                rest.replacen(&bars, &format!("{bars}{index} = {index} + {shift}\n"), 1)
            }
        };
        let text = match how {
            "each" => format!("{list}.each_with_index{rest}"),
            "select" | "filter" | "reject" => format!("{list}.each_with_index.{how}{rest}.map {{ |x| x[0] }}"),
            _ => format!("{list}.each_with_index.{how}{rest}"),
        };
        Ok(Some((text, OPERAND)))
    }

    /// Translates the closure of a call.
    pub(super) fn closure_rest(&mut self, call: &CallNode<'_>, _closure: &BlockNode<'_>) -> Text {
        let rest = self.call_rest(call)?;
        // Arguments of the call are not those of the method that replaces it.
        let start = rest.find(" { |").unwrap_or(0);
        Ok(rest.get(start..).unwrap_or_default().to_owned())
    }

    /// Records the default of `Hash.new(0)` and `Hash.new { |h, k| h[k] = [] }`.
    pub(super) fn remember_default(&mut self, variable: &str, value: &Node<'_>) {
        if let Some(default) = self.default_of(value) {
            self.defaults.insert(variable.to_owned(), default);
        }
    }

    /// Returns the default that the map still has which `each_with_object(Hash.new(0))` returns.
    pub(super) fn collected_default(&mut self, value: &Node<'_>) -> Option<String> {
        let call = value.as_call_node().filter(|c| matches!(method_of(c).as_str(), "each_with_object" | "with_object"))?;
        match ruby::arguments(call.arguments()).0.as_slice() {
            [start] => self.default_of(start),
            _ => None,
        }
    }

    /// Returns the default of a new map.
    pub(super) fn default_of(&mut self, value: &Node<'_>) -> Option<String> {
        let call = value.as_call_node().filter(|c| method_of(c) == "new")?;
        if call.receiver().as_ref().and_then(ruby::constant).as_deref() != Some("Hash") {
            return None;
        }
        let (plain, named) = ruby::arguments(call.arguments());
        let simple = |n: &Node<'_>| {
            n.as_integer_node().is_some() || n.as_nil_node().is_some() || n.as_false_node().is_some() || ruby::text(n).is_some()
        };
        match (plain.as_slice(), ruby::block(&call)) {
            ([only], None) if named.is_empty() && simple(only) => self.expr(only, TERNARY).ok(),
            ([], Some(closure)) => {
                let params = ruby::block_params(&closure)?;
                let body = ruby::statements(closure.body());
                let ([map, key], [only]) = (params.as_slice(), body.as_slice()) else { return None };
                let write = only.as_call_node().filter(|c| name(&c.name()) == "[]=")?;
                let of = ruby::local(&write.receiver()?.as_local_variable_read_node()?.name());
                let (plain, _) = ruby::arguments(write.arguments());
                let [at, value] = plain.as_slice() else { return None };
                let at = ruby::local(&at.as_local_variable_read_node()?.name());
                let empty = value.as_array_node().is_some_and(|a| a.elements().iter().count() == 0)
                    || value.as_hash_node().is_some_and(|h| h.elements().iter().count() == 0);
                (of == *map && at == *key && (empty || simple(value))).then(|| self.expr(value, TERNARY).ok())?
            }
            _ => None,
        }
    }
}
