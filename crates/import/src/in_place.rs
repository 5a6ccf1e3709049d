//! Translates in-place changes of values: values of the language are immutable, so the local is assigned a new one.

use super::block::*;
use super::kinds::Kind;
use super::nodes::visiting;
use super::places::{NIL_UNCHANGED, RECEIVER};
use super::ruby::{self, name};
use super::spread::splat;
use ruby_prism::{CallNode, Node, Visit};

/// Methods that change their receiver in place, here without the `!` that others have.
const CHANGING: &[&str] = &[
    "push",
    "append",
    "concat",
    "insert",
    "unshift",
    "prepend",
    "delete_if",
    "keep_if",
    "delete_at",
    "clear",
    "replace",
    "update",
    "store",
    "fill",
    "shift",
    "pop",
];

/// Methods that return a new value, which nothing else can see. Those with an in-place variant are not repeated here.
const MAKE_NEW: &[&str] = &[
    "flat_map",
    "split",
    "dup",
    "clone",
    "keys",
    "values",
    "+",
    "-",
    "&",
    "|",
    "*",
    "%",
    "join",
    "chars",
    "lines",
    "bytes",
    "scan",
    "zip",
    "transpose",
    "partition",
    "group_by",
    "each_slice",
    "each_cons",
    "take",
    "drop",
    "take_while",
    "drop_while",
    "transform_values",
    "transform_keys",
    "ljust",
    "rjust",
    "center",
    "format",
    "each_with_object",
    "captures",
    "rpartition",
    "filter_map",
    "grep",
    "grep_v",
    "product",
    "combination",
    "permutation",
    "succ",
    "next",
    "inspect",
    "new",
    "push",
    "append",
    "concat",
    "insert",
    "unshift",
    "prepend",
];

/// Methods whose in-place variant returns the changed receiver.
const GIVE_THEMSELVES: &[&str] = &["sort", "sort_by", "map", "collect", "reverse", "merge", "concat", "fill", "shuffle", "rotate"];

/// Methods that return their receiver after they have called the block with its elements.
const GIVE_RECEIVER: &[&str] = &["each", "each_pair", "each_key", "each_value", "each_with_index", "each_index", "reverse_each"];

/// Looks for code that changes what a local contains.
#[derive(Default)]
struct ChangesOf<'a> {
    local: &'a str,
    is_found: bool,
    /// Whether the local is assigned, too.
    is_assigned: bool,
    /// Whether a `break` or `redo` leaves the code.
    leaves: bool,
}

impl<'a> ChangesOf<'a> {
    fn within(local: &'a str, code: &Node<'_>) -> ChangesOf<'a> {
        let mut changes = ChangesOf { local, ..ChangesOf::default() };
        visiting(code, || changes.visit(code));
        changes
    }

    fn note(&mut self, receiver: Option<Node<'_>>) {
        self.is_found |= receiver.is_some_and(|of| ruby::is_local(&of, self.local));
    }
}

impl<'p> Visit<'p> for ChangesOf<'_> {
    fn visit_call_node(&mut self, node: &CallNode<'p>) {
        if is_changing(&name(&node.name())) {
            self.note(node.receiver());
        }
        ruby_prism::visit_call_node(self, node);
    }

    fn visit_local_variable_write_node(&mut self, node: &ruby_prism::LocalVariableWriteNode<'p>) {
        self.is_assigned |= ruby::local(&node.name()) == self.local;
        ruby_prism::visit_local_variable_write_node(self, node);
    }

    fn visit_break_node(&mut self, node: &ruby_prism::BreakNode<'p>) {
        self.leaves = true;
        ruby_prism::visit_break_node(self, node);
    }

    fn visit_index_and_write_node(&mut self, node: &ruby_prism::IndexAndWriteNode<'p>) {
        self.note(node.receiver());
        ruby_prism::visit_index_and_write_node(self, node);
    }

    fn visit_index_operator_write_node(&mut self, node: &ruby_prism::IndexOperatorWriteNode<'p>) {
        self.note(node.receiver());
        ruby_prism::visit_index_operator_write_node(self, node);
    }

    fn visit_index_or_write_node(&mut self, node: &ruby_prism::IndexOrWriteNode<'p>) {
        self.note(node.receiver());
        ruby_prism::visit_index_or_write_node(self, node);
    }
}

impl BlockTranslator<'_> {
    /// Translates the statements `x << y`, `x.capitalize!` and `x[k] = v`.
    pub(super) fn in_place(&mut self, call: &CallNode<'_>, last: bool) -> Text<Option<String>> {
        let (Some(receiver), method) = (call.receiver(), name(&call.name())) else { return Ok(None) };
        let node = call.as_node();
        if let Some(added) = self.added(call)? {
            return Ok(Some(added));
        }
        let (plain, _) = ruby::arguments(call.arguments());
        if let Some(changed) = self.each_changed(call)? {
            return Ok(Some(changed));
        }
        if let Some(found) = self.first_found(call)? {
            return Ok(Some(found));
        }
        if method == "[]=" && self.is_resource(&receiver) {
            return self.written(&node, &plain, last).map(Some);
        }
        let Some(variable) = self.local_of(&receiver) else { return Ok(None) };
        if !self.locals.contains(&variable) {
            return Ok(None);
        }
        let is_list = self.lists.contains(&variable);
        if call.is_safe_navigation() && is_changing(&method) {
            return no(&node, format!("`&.{method}` is not supported"));
        }
        if let ("<<" | "push" | "append" | "concat", [added]) = (method.as_str(), plain.as_slice()) {
            self.remember_added(&variable, added);
        }
        if call.is_safe_navigation() {
            return Ok(None);
        }
        let value = match (method.as_str(), plain.as_slice()) {
            ("[]=", [key, value]) if self.deleted_value(value) && !is_list => {
                let (key, value, taken) = (self.expr(key, TERNARY)?, self.value(value)?, self.unused("taken"));
                format!("{value}.then {{ |{taken}| {variable}.merge({{{key} => {taken}}}) }}")
            }
            ("<<" | "concat", [added]) if self.texts.contains(&variable) => format!("{variable} + {}", self.expr(added, TIMES)?),
            ("<<", [added]) if is_list => format!("{variable}.push({})", self.expr(added, TERNARY)?),
            ("<<", [added]) => {
                let added = self.expr(added, TIMES)?;
                format!("{variable}.is_a?(Array) ? {variable}.push({added}) : {variable} + {added}")
            }
            ("[]=", [key, value]) => {
                let index = self.index_of(&variable, key);
                if let Some(Ok(index)) = &index {
                    let value = self.replacement(call, value, |block| block.expr(value, TERNARY))?;
                    self.changes_element(&node, &variable)?;
                    return Ok(Some(format!("{variable} = {variable}[0...{index}] + [{value}] + {variable}.drop({index} + 1)")));
                }
                if is_list || key.as_integer_node().is_some() || key.as_regular_expression_node().is_some() || index.is_some() {
                    return no(&node, "an element that is replaced is not supported");
                }
                let key = self.expr(key, TERNARY)?;
                let value = self.replacement(call, value, |block| block.expr(value, TERNARY))?;
                format!("{variable}.merge({{{key} => {value}}})")
            }
            ("shift", []) if self.kind(&receiver) == Some(Kind::Map) => return no(&node, "`shift` of a map is not supported"),
            ("shift", []) if !last => format!("{variable}.drop(1)"),
            ("pop", []) if !last => format!("{variable}[0...-1]"),
            ("delete", [key]) if !last => {
                let is_known = is_list || self.kind(&receiver).is_some() || ruby::symbol(key).is_some();
                let rest = self.call_rest(call)?;
                // Of a text, `delete` makes a new one.
                let guard = if is_known { String::new() } else { format!("{variable}.is_a?(String) ? {variable} : ") };
                format!("{guard}{variable}.delete{rest}")
            }
            ("delete_if" | "reject!", []) if !last || method == "delete_if" => format!("{variable}.reject{}", self.call_rest(call)?),
            ("keep_if", []) => format!("{variable}.select{}", self.call_rest(call)?),
            ("update" | "merge!", _) => format!("{variable}.merge{}", self.call_rest(call)?),
            ("slice!", _) => return no(&node, "`slice!` is not supported"),
            ("push" | "append" | "insert" | "unshift" | "prepend" | "concat", _) => format!("{variable}.{method}{}", self.call_rest(call)?),
            _ => {
                let Some(bare) = method.strip_suffix('!') else { return Ok(None) };
                if last && NIL_UNCHANGED.contains(&bare) && !matches!(bare, "delete" | "slice") {
                    return Ok(None);
                }
                if last && !GIVE_THEMSELVES.contains(&bare) {
                    return no(&node, format!("using the result of `{method}` is not supported"));
                }
                format!("{variable}.{bare}{}", self.call_rest(call)?)
            }
        };
        self.changes_element(&node, &variable)?;
        Ok(Some(format!("{variable} = {value}")))
    }

    /// Translates the value of `h[k] = v`, which may change `h[k]` in place.
    pub(super) fn replacement(&mut self, call: &CallNode<'_>, value: &Node<'_>, read: impl FnOnce(&mut Self) -> Text) -> Text {
        let end = call.closing_loc().map(|at| ruby::at(&at).end);
        let target = end.and_then(|end| self.source.get(ruby::place(&call.as_node()).start..end)).map(str::to_owned);
        let target = target.filter(|target| ruby::without_comments(value.location().as_slice()).matches(target.as_str()).count() == 1);
        let replaced = std::mem::replace(&mut self.own.replaced, target);
        let text = read(self);
        self.own.replaced = replaced;
        text
    }

    /// Rejects a call that changes a value in place which other code can see: it would only give the changed value.
    pub(super) fn changes_only_new(&self, node: &Node<'_>, receiver: &Node<'_>, method: &str) -> Text<()> {
        if CHANGING.contains(&method) && !self.is_provider(receiver) && !is_new(receiver, MAX_DEPTH) {
            return no(node, format!("`{method}` changes a value in place"));
        }
        Ok(())
    }

    /// Returns whether a node removes an element of a local, which changes it before it is assigned to.
    fn deleted_value(&self, node: &Node<'_>) -> bool {
        node.as_call_node().is_some_and(|c| {
            name(&c.name()) == "delete"
                && c.receiver().is_some_and(|r| r.as_local_variable_read_node().is_some() && self.kind(&r).is_none())
        })
    }

    /// Translates `x << a << b`.
    fn added(&mut self, call: &CallNode<'_>) -> Text<Option<String>> {
        let (mut parts, mut left) = (Vec::new(), call.as_node());
        while let Some(call) = left.as_call_node().filter(|c| name(&c.name()) == "<<" && parts.len() < MAX_DEPTH) {
            let (Some(receiver), Some(added)) = (call.receiver(), ruby::arguments(call.arguments()).0.pop()) else { return Ok(None) };
            parts.push(added);
            left = receiver;
        }
        let local = left.as_local_variable_read_node().map(|l| ruby::local(&l.name())).filter(|l| self.locals.contains(l));
        let Some(variable) = local.filter(|_| parts.len() > 1) else { return Ok(None) };
        parts.reverse();
        let parts: Text<Vec<String>> = parts.iter().map(|p| self.expr(p, TIMES)).collect();
        self.changes_element(&call.as_node(), &variable)?;
        if self.texts.contains(&variable) {
            return Ok(Some(format!("{variable} = {variable} + {}", parts?.join(" + "))));
        }
        if self.lists.contains(&variable) {
            return Ok(Some(format!("{variable} = {variable}.push({})", parts?.join(", "))));
        }
        no(&call.as_node(), "`<<` to something that may be a text or a list is not supported")
    }

    /// Records that changing an element in place also changes its list, which must not be read afterwards.
    pub(super) fn changes_element(&mut self, node: &Node<'_>, variable: &str) -> Text<()> {
        if self.own.arguments.contains(variable) {
            return no(node, format!("`{variable}` is changed in place, also for the caller"));
        }
        match self.elements.iter().rev().find(|(param, _)| param == variable) {
            None => Ok(()),
            Some((_, Some(of))) => {
                if self.own.arguments.contains(of) {
                    return no(node, format!("the elements of `{of}` are changed in place, also for the caller"));
                }
                self.stale.insert(of.clone());
                Ok(())
            }
            Some((_, None)) => no(node, "an element that changes in place is not supported"),
        }
    }

    /// Returns the local of `xs.each { … }` if the block changes it in place: Ruby returns the changed value, `each` of the language the
    /// value that it began with.
    pub(super) fn changed_receiver(&self, node: &Node<'_>) -> Option<String> {
        let call = node.as_call_node().filter(|call| GIVE_RECEIVER.contains(&name(&call.name()).as_str()))?;
        let local = self.local_of(&call.receiver()?).filter(|local| self.locals.contains(local))?;
        let is_changed = ChangesOf::within(&local, &ruby::block(&call)?.body()?).is_found;
        is_changed.then_some(local)
    }

    /// Rejects a loop whose value is used although it has changed the elements of the local that it loops over.
    pub(super) fn refuse_stale_loop(&self, node: &Node<'_>) -> Text<()> {
        let call = node.as_call_node().filter(|call| GIVE_RECEIVER.contains(&name(&call.name()).as_str()));
        let of = call.and_then(|call| call.receiver()).and_then(|of| self.local_of(&of)).filter(|local| self.stale.contains(local));
        match of {
            Some(local) => no(node, format!("the elements of `{local}` were changed in place")),
            None => Ok(()),
        }
    }

    /// Rejects a loop whose value is used although it changes the local that it loops over.
    pub(super) fn refuse_changed_loop(&self, node: &Node<'_>) -> Text<()> {
        let is_statement = self.own.loops.as_ref() == Some(&ruby::place(node));
        match self.changed_receiver(node).filter(|_| !is_statement) {
            Some(local) => no(node, format!("the value of a loop that changes `{local}` is not supported")),
            None => Ok(()),
        }
    }

    /// Translates `xs.each { |x| x[k] = v }` to an assignment of the list of changed elements.
    pub(super) fn each_changed(&mut self, call: &CallNode<'_>) -> Text<Option<String>> {
        let (Some(receiver), "each" | "each_pair") = (call.receiver(), name(&call.name()).as_str()) else { return Ok(None) };
        let local = receiver.as_local_variable_read_node().map(|l| ruby::local(&l.name())).filter(|l| self.locals.contains(l));
        let (Some(list), Some(closure)) = (local, ruby::block(call)) else { return Ok(None) };
        let params = ruby::block_params(&closure).unwrap_or_default();
        let (Some(body), Some(param)) = (closure.body(), params.last().filter(|_| params.len() <= 2)) else { return Ok(None) };
        let changes = ChangesOf::within(param, &body);
        let is_key_changed = params.first().filter(|key| *key != param).is_some_and(|key| {
            let of_key = ChangesOf::within(key, &body);
            of_key.is_found || of_key.is_assigned
        });
        let changes_list = self.changed_receiver(&call.as_node()).is_some();
        if !changes.is_found || changes.is_assigned || changes.leaves || changes_list || is_key_changed {
            return Ok(None);
        }
        let result = if params.len() == 1 { param.clone() } else { format!("[{}]", params.join(", ")) };
        let inner = self.closure_giving(&params, &[], &[], &ruby::statements(closure.body()), &result)?;
        self.changes_element(&call.as_node(), &list)?;
        let of_pairs = if params.len() == 1 { "" } else { &format!(".then {{ |pairs| {list}.is_a?(Hash) ? pairs.to_h : pairs }}") };
        Ok(Some(format!("{list} = {list}.map{inner}{of_pairs}")))
    }

    /// Records the parameters of a closure that count the elements of a local.
    pub(super) fn note_indexes(&mut self, call: &CallNode<'_>, params: &[String]) {
        let of = call.receiver();
        let (param, list) = match name(&call.name()).as_str() {
            "each_with_index" => (params.get(1), of.as_ref().and_then(|of| self.local_of(of))),
            "each_index" => (params.first(), of.as_ref().and_then(|of| self.local_of(of))),
            "times" | "upto" | "downto" | "step" => (params.first(), None),
            "each" if of.is_some_and(|of| of.as_range_node().is_some() || of.as_parentheses_node().is_some()) => (params.first(), None),
            _ => return,
        };
        if let Some(param) = param {
            self.own.indexes.insert(param.clone(), list);
        }
    }

    /// Returns the index in `x[i] = v` for an index that counts the elements of `x`; the error is for one that counts others.
    fn index_of(&self, variable: &str, key: &Node<'_>) -> Option<Result<String, ()>> {
        let local = ruby::local(&key.as_local_variable_read_node()?.name());
        let of = self.own.indexes.get(&local)?;
        Some(if of.as_deref() == Some(variable) { Ok(local) } else { Err(()) })
    }

    /// Translates `xs.each { |x| if c; found = x; break; end }` to a search for the first match.
    pub(super) fn first_found(&mut self, call: &CallNode<'_>) -> Text<Option<String>> {
        let (Some(list), "each", Some(closure)) = (call.receiver(), name(&call.name()).as_str(), ruby::block(call)) else {
            return Ok(None);
        };
        let params = ruby::block_params(&closure).unwrap_or_default();
        let body = ruby::statements(closure.body());
        let ([param], [only]) = (params.as_slice(), body.as_slice()) else { return Ok(None) };
        let Some(branch) = only.as_if_node().filter(|b| b.subsequent().is_none()) else { return Ok(None) };
        let inner = ruby::statements(branch.statements().map(|s| s.as_node()));
        let [write, leave] = inner.as_slice() else { return Ok(None) };
        let found = match (write.as_local_variable_write_node(), write.as_instance_variable_write_node()) {
            (Some(write), _) => Some(ruby::local(&write.name())).filter(|_| ruby::is_local(&write.value(), param)),
            (_, Some(write)) => self.own_state(&name(&write.name())).filter(|_| ruby::is_local(&write.value(), param)),
            _ => None,
        };
        let left = leave.as_break_node().is_some_and(|b| b.arguments().is_none());
        let Some(found) = found.filter(|f| left && self.locals.contains(f)) else { return Ok(None) };
        let list = self.expr(&list, OPERAND)?;
        self.locals.push(param.clone());
        let test = self.condition(&branch.predicate(), TERNARY);
        self.locals.pop();
        Ok(Some(format!("{found} = {list}.find {{ |{param}| {} }} || {found}", test?)))
    }

    /// Translates `self[:x] = v`.
    fn written(&mut self, node: &Node<'_>, plain: &[Node<'_>], last: bool) -> Text {
        let [key, value] = plain else { return no(node, "this assignment is not supported") };
        let Some(attribute) = ruby::symbol(key) else {
            if self.attribute.is_some() || self.only_values {
                return no(node, "an attribute whose name is computed cannot be written here");
            }
            self.writes.push(String::new());
            return Ok(format!("self[{}] = {}", self.expr(key, TERNARY)?, self.expr(value, TERNARY)?));
        };
        self.writes.push(attribute.clone());
        let value = self.expr(value, TERNARY)?;
        if self.only_values {
            return Ok(if last { value } else { String::new() });
        }
        Ok(self.assigned(&attribute, &value))
    }

    /// Returns the assignment of an attribute, unless its explicit value overwrites it.
    pub(super) fn assigned(&self, attribute: &str, value: &str) -> String {
        if let Some((only, local)) = &self.own.assigned_to {
            return if only == attribute { format!("{local} = {value}") } else { String::new() };
        }
        if self.own.dropped.iter().any(|of| of == attribute) {
            return String::new();
        }
        match self.is_guarded(attribute) {
            true => format!("if {} {{\nself.{attribute} = {value}\n}}", self.may_assign(attribute)),
            false => format!("self.{attribute} = {value}"),
        }
    }

    /// Returns whether an attribute is assigned only if it has no explicit value.
    pub(super) fn is_guarded(&self, attribute: &str) -> bool {
        let by = self.own.assigner.as_ref();
        by.is_some_and(|by| self.scope.attributes.contains(attribute) && self.scope.is_overwritten(by.is_param, &by.name, attribute))
    }

    /// Returns the local that says whether an attribute had no explicit value before the assignments.
    pub(super) fn may_assign(&self, attribute: &str) -> String {
        self.unused(&format!("may_set_{attribute}"))
    }

    /// Translates `x[k] ||= v`, `self[:x] ||= v` and `x[k] += v`.
    pub(super) fn index_write(&mut self, node: &Node<'_>) -> Text<Option<String>> {
        let (receiver, arguments, value, operator) = if let Some(write) = node.as_index_or_write_node() {
            (write.receiver(), write.arguments(), write.value(), "||".to_owned())
        } else if let Some(write) = node.as_index_operator_write_node() {
            (write.receiver(), write.arguments(), write.value(), name(&write.binary_operator()))
        } else {
            return Ok(None);
        };
        let (plain, _) = ruby::arguments(arguments);
        let (Some(receiver), [key]) = (receiver, plain.as_slice()) else { return no(node, "this assignment is not supported") };
        if self.is_resource(&receiver) {
            let Some(attribute) = ruby::symbol(key).filter(|_| matches!(operator.as_str(), "||" | "+" | "-")) else {
                return no(node, "this assignment is not supported");
            };
            self.writes.push(attribute.clone());
            if operator != "||" {
                let value = self.expr(&value, TIMES)?;
                let changed = format!("self.{attribute} {operator} {value}");
                return Ok(Some(if self.only_values { String::new() } else { self.assigned(&attribute, &changed) }));
            }
            let value = self.expr(&value, TERNARY)?;
            if self.only_values {
                return Ok(Some(String::new()));
            }
            if self.own.assigned_to.is_some() || self.own.dropped.contains(&attribute) {
                return Ok(Some(self.assigned(&attribute, &value)));
            }
            let test = if self.scope.falsy.contains(&attribute) {
                format!("if self.{attribute}.nil?")
            } else {
                format!("unless self.{attribute}")
            };
            return Ok(Some(format!("self.{attribute} = {value} {test}")));
        }
        let Some(variable) = self.local_of(&receiver).filter(|l| self.locals.contains(l)).filter(|v| !self.lists.contains(v)) else {
            return no(node, "this assignment is not supported");
        };
        if !matches!(operator.as_str(), "||" | "+" | "-" | "&") {
            return no(node, format!("`{operator}=` is not supported"));
        }
        let key = self.expr(key, TERNARY)?;
        let value = self.expr(&value, TIMES)?;
        self.changes_element(node, &variable)?;
        Ok(Some(format!("{variable} = {variable}.merge({{{key} => {variable}[{key}] {operator} {value}}})")))
    }

    /// Translates `a, b = list`.
    pub(super) fn several(&mut self, node: &Node<'_>, top: bool) -> Text<Option<String>> {
        let Some(write) = node.as_multi_write_node() else { return Ok(None) };
        let names: Option<Vec<String>> =
            write.lefts().iter().map(|l| l.as_local_variable_target_node().map(|l| ruby::local(&l.name()))).collect();
        let plain = write.rest().is_none() && write.rights().iter().count() == 0 && splat(&write.value()).is_none();
        let Some(names) = names.filter(|_| plain) else { return self.spread(&write, top).map(Some) };
        let value = self.expr(&write.value(), TERNARY)?;
        if write.value().as_call_node().is_some_and(|c| name(&c.name()) == "split") {
            self.texts.extend(names.iter().cloned());
        }
        if (top || self.closures > 0) && names.iter().all(|n| !self.locals.contains(n)) {
            self.locals.extend(names.iter().cloned());
            return Ok(Some(format!("let {} = {value}", names.join(", "))));
        }
        let all = (0..).map(|i| if i == 0 { "parts".to_owned() } else { format!("parts{i}") }).find(|n| !self.locals.contains(n));
        let all = all.unwrap_or_default();
        let whole = self.elements_of(value, &write.value());
        let mut lines = vec![format!("let {all} = {whole}")];
        for (i, one) in names.into_iter().enumerate() {
            lines.push(self.assign(one, &format!("{all}[{i}]"), false)?);
        }
        Ok(Some(lines.join("\n")))
    }

    /// Records the kind of value of a local.
    pub(super) fn remember(&mut self, variable: &str, value: &Node<'_>) {
        let keys: Option<Vec<String>> = value
            .as_hash_node()
            .and_then(|h| ruby::pairs(&h.elements()))
            .map(|pairs| pairs.iter().filter_map(|(key, _)| ruby::symbol(key)).collect());
        if let Some(key) = ["title", "name"].iter().find(|k| keys.iter().flatten().any(|key| key == *k)) {
            self.titles.insert(variable.to_owned(), (*key).to_owned());
        }
        if is_list(value) {
            self.lists.push(variable.to_owned());
        } else if is_text(value) || value.as_local_variable_read_node().is_some_and(|l| self.texts.contains(&ruby::local(&l.name()))) {
            self.texts.push(variable.to_owned());
        }
    }
}

fn is_list(node: &Node<'_>) -> bool {
    let Some(call) = node.as_call_node() else { return node.as_array_node().is_some() };
    match (name(&call.name()).as_str(), call.receiver()) {
        ("new", Some(of)) => ruby::constant(&of).as_deref() == Some("Array"),
        ("dup" | "clone", Some(of)) => of.as_array_node().is_some(),
        ("map" | "collect" | "split" | "sort" | "sort_by" | "uniq" | "flatten" | "compact" | "keys" | "values" | "scan", Some(_)) => true,
        ("Array", None) => true,
        _ => false,
    }
}

fn is_text(node: &Node<'_>) -> bool {
    let Some(call) = node.as_call_node() else { return ruby::text(node).is_some() || node.as_interpolated_string_node().is_some() };
    match (name(&call.name()).as_str(), call.receiver()) {
        ("new", Some(of)) => ruby::constant(&of).as_deref() == Some("String"),
        ("dup" | "clone" | "+@", Some(of)) => {
            ruby::text(&of).is_some() || of.as_call_node().is_some_and(|c| matches!(name(&c.name()).as_str(), "to_s" | "join" | "strip"))
        }
        ("to_s" | "strip" | "downcase" | "upcase" | "join" | "sub" | "gsub" | "chomp" | "capitalize", Some(_)) => true,
        _ => ruby::text(node).is_some(),
    }
}

/// Returns the local of `x.shift` or `x.pop`, with the index of the removed element and the remaining list.
pub(super) fn taken(node: &Node<'_>) -> Option<(String, &'static str, &'static str)> {
    let call = node.as_call_node().filter(|c| c.arguments().is_none() && c.block().is_none())?;
    let local = ruby::local(&call.receiver()?.as_local_variable_read_node()?.name());
    match name(&call.name()).as_str() {
        "shift" => Some((local, "[0]", ".drop(1)")),
        "pop" => Some((local, "[-1]", "[0...-1]")),
        _ => None,
    }
}

/// Returns whether a method changes its receiver in place.
pub(super) fn is_changing(method: &str) -> bool {
    let changes = method.strip_suffix('!').is_some_and(|bare| !bare.is_empty());
    CHANGING.contains(&method) || matches!(method, "<<" | "delete" | "[]=") || changes
}

/// Returns whether an expression makes a new value.
fn is_new(node: &Node<'_>, depth: usize) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    if let Some(inner) = node.as_parentheses_node() {
        return ruby::statements(inner.body()).last().is_some_and(|last| is_new(last, depth));
    }
    if let Some(call) = node.as_call_node() {
        let method = name(&call.name());
        // What changes in place returns its receiver.
        let of_new = !CHANGING.contains(&method.as_str()) || call.receiver().is_some_and(|of| is_new(&of, depth));
        // `delete` changes lists and maps, and a slice may be a part of what it is taken from.
        let has_variant = (NIL_UNCHANGED.contains(&method.as_str()) || RECEIVER.contains(&method.as_str()))
            && !matches!(method.as_str(), "delete" | "slice");
        return (has_variant || MAKE_NEW.contains(&method.as_str())) && of_new;
    }
    let is_list = node.as_array_node().is_some() || node.as_hash_node().is_some();
    is_list || node.as_string_node().is_some() || node.as_interpolated_string_node().is_some()
}
