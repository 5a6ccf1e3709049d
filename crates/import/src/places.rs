//! Translates changes of elements at any depth, `h[:a][:b] = v`, and results of methods that change their receiver.

use super::block::*;
use super::core_calls::is_short;
use super::kinds::Kind;
use super::ruby::{self, name};
use super::spread::method_of;
use ruby_prism::{CallNode, Node};

/// A local and the keys that lead to an element of it.
pub(super) struct ElementPath {
    local: String,
    keys: Vec<(String, bool)>,
}

/// Methods whose in-place variant returns nil if nothing changes.
pub(super) const NIL_UNCHANGED: &[&str] = &[
    "gsub",
    "sub",
    "strip",
    "lstrip",
    "rstrip",
    "chomp",
    "chop",
    "squeeze",
    "tr",
    "tr_s",
    "delete",
    "downcase",
    "upcase",
    "capitalize",
    "swapcase",
    "uniq",
    "compact",
    "flatten",
    "reject",
    "select",
    "filter",
    "delete_prefix",
    "delete_suffix",
    "slice",
];

/// Methods whose in-place variant always returns the receiver.
pub(super) const RECEIVER: &[&str] = &["sort", "sort_by", "map", "collect", "reverse", "merge", "rotate", "shuffle"];

impl BlockTranslator<'_> {
    /// Returns whether all that code adds to a list are lists that it makes there: `runs << [id]`.
    fn has_own_elements(&self, list: &str) -> bool {
        let code = self.source.get(self.range.clone()).unwrap_or_default();
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let mut uses = code.match_indices(list).filter(|(at, word)| {
            let (before, after) = (code.get(..*at).unwrap_or_default(), code.get(at + word.len()..).unwrap_or_default());
            !before.ends_with(is_name) && !after.starts_with(is_name)
        });
        uses.all(|(at, word)| {
            let rest = code.get(at + word.len()..).unwrap_or_default().trim_start();
            let added = ["<<", "= ", "+=", ".push(", ".append("].iter().find_map(|how| rest.strip_prefix(how));
            let others = [".unshift", ".prepend", ".insert", ".concat", ".replace", "||="];
            added.is_none_or(|added| added.trim_start().starts_with('[')) && !others.iter().any(|how| rest.starts_with(how))
        })
    }

    /// Returns the place of an element, `h[:a][:b]`, of a local.
    pub(super) fn place(&mut self, node: &Node<'_>) -> Text<Option<ElementPath>> {
        let (mut keys, mut of) = (Vec::new(), None);
        for _ in 0..MAX_DEPTH {
            let here = of.as_ref().unwrap_or(node);
            if self.only_element(here).is_some() {
                break;
            }
            let (receiver, arguments) = if let Some(target) = here.as_index_target_node() {
                (Some(target.receiver()), target.arguments())
            } else if let Some(write) = here.as_index_or_write_node() {
                (write.receiver(), write.arguments())
            } else {
                let Some(call) = here.as_call_node().filter(|c| c.block().is_none() && !c.is_safe_navigation()) else { break };
                // Only lists have a last element.
                if name(&call.name()) == "last" && call.arguments().is_none() {
                    keys.push(("-1".to_owned(), false));
                    of = call.receiver();
                    if of.is_none() {
                        break;
                    }
                    continue;
                }
                if name(&call.name()) != "[]" {
                    break;
                }
                (call.receiver(), call.arguments())
            };
            let (plain, named) = ruby::arguments(arguments);
            let (Some(receiver), [key], []) = (receiver, plain.as_slice(), named.as_slice()) else { return Ok(None) };
            if key.as_range_node().is_some() {
                return Ok(None);
            }
            // Elements of lists have numbers; a key that may be one is put with a method that both have.
            let is_key = matches!(self.kind(key), Some(Kind::Text | Kind::Symbol));
            keys.push((self.expr(key, TERNARY)?, is_key));
            of = Some(receiver);
        }
        let Some(local) = of.and_then(|of| self.local_of(&of)).filter(|l| self.locals.contains(l)) else { return Ok(None) };
        keys.reverse();
        Ok(Some(ElementPath { local, keys }))
    }

    pub(super) fn local_of(&self, node: &Node<'_>) -> Option<String> {
        if let Some(element) = self.only_element(node) {
            return Some(element.to_owned());
        }
        match (node.as_local_variable_read_node(), node.as_instance_variable_read_node()) {
            (Some(local), _) => Some(ruby::local(&local.name())),
            (_, Some(state)) => self.own_state(&name(&state.name())),
            _ => None,
        }
    }

    /// Returns the assignment that puts a value at a place.
    pub(super) fn put(&mut self, node: &Node<'_>, place: &ElementPath, value: &str) -> Text {
        let ElementPath { local, keys } = place;
        if self.defaults.contains_key(local) && keys.len() > 1 {
            return no(node, "an element of a map with a default is not supported");
        }
        self.changes_element(node, local)?;
        let is_map = self.kinds.get(local) != Some(&Kind::List) && !self.lists.contains(local);
        let mut value = value.to_owned();
        for depth in (0..keys.len()).rev() {
            let Some((key, is_key)) = keys.get(depth) else { break };
            let of = keys.iter().take(depth).fold(local.clone(), |of, (key, _)| format!("{of}[{key}]"));
            let plain = *is_key || depth == 0 && is_map && !key.bytes().all(|b| b.is_ascii_digit() || b == b'-');
            value = if plain && (depth > 0 || is_map) {
                format!("{of}.merge({{{key} => {value}}})")
            } else {
                format!("{of}.put({key}, {value})")
            };
        }
        Ok(format!("{local} = {value}"))
    }

    /// Returns the expression that reads a place.
    pub(super) fn at(&self, place: &ElementPath) -> String {
        let default = self.defaults.get(&place.local);
        match (default, place.keys.as_slice()) {
            (Some(default), [(key, _)]) => format!("{}.fetch({key}, {default})", place.local),
            _ => place.keys.iter().fold(place.local.clone(), |of, (key, _)| format!("{of}[{key}]")),
        }
    }

    /// Puts the text of a value at an index target.
    pub(super) fn put_at(&mut self, target: &Node<'_>, value: String) -> Text {
        if let Some(index) = target.as_index_target_node()
            && self.is_resource(&index.receiver())
        {
            let (plain, _) = ruby::arguments(index.arguments());
            let [key] = plain.as_slice() else { return no(target, "this assignment is not supported") };
            let Some(attribute) = ruby::symbol(key) else { return no(target, "this assignment is not supported") };
            self.writes.push(attribute.clone());
            return Ok(match self.only_values {
                true => String::new(),
                false => self.assigned(&attribute, &value),
            });
        }
        match self.place(target)? {
            Some(place) => self.put(target, &place, &value),
            None => no(target, "an assignment to these is not supported"),
        }
    }

    /// Translates statements that change an element: `h[:a] << v`, `h[:a][:b] = v`, `h[:a].merge!(v)`.
    pub(super) fn element_change(&mut self, call: &CallNode<'_>, last: bool) -> Text<Option<String>> {
        let (Some(receiver), method) = (call.receiver(), method_of(call)) else { return Ok(None) };
        let (plain, named) = ruby::arguments(call.arguments());
        let node = call.as_node();
        // `(h[k] ||= []) << v`: the element is there before.
        let grouped = receiver.as_parentheses_node().map(|inner| ruby::statements(inner.body())).unwrap_or_default();
        let made = grouped.into_iter().next().filter(|inner| inner.as_index_or_write_node().is_some());
        let before = match &made {
            Some(made) if !last && method != "[]=" && self.place(made)?.is_some() => Some(self.statement(made, false, false)?),
            _ => None,
        };
        let receiver = if before.is_some() { made.unwrap_or(receiver) } else { receiver };
        // The local itself is handled by `in_place`.
        // The last element must not be known by another name.
        let is_last = |c: &CallNode<'_>| {
            let list = c.receiver().and_then(|of| of.as_local_variable_read_node()).map(|l| ruby::local(&l.name()));
            name(&c.name()) == "last" && c.arguments().is_none() && list.is_some_and(|list| self.has_own_elements(&list))
        };
        let is_element =
            |n: &Node<'_>| n.as_call_node().is_some_and(|c| name(&c.name()) == "[]" || is_last(&c)) || n.as_index_or_write_node().is_some();
        if method == "[]=" {
            let [key, value] = plain.as_slice() else { return Ok(None) };
            let is_number = self.kind(key) == Some(Kind::Integer) || self.local_of(&receiver).is_some_and(|l| self.lists.contains(&l));
            if self.is_resource(&receiver) || !is_element(&receiver) && !is_number {
                return Ok(None);
            }
            let of = match is_element(&receiver) {
                true => self.place(&receiver)?,
                false => self.local_of(&receiver).filter(|l| self.locals.contains(l)).map(|local| ElementPath { local, keys: Vec::new() }),
            };
            let Some(mut place) = of.filter(|_| !last || self.closures > 0) else { return Ok(None) };
            let is_key = matches!(self.kind(key), Some(Kind::Text | Kind::Symbol));
            place.keys.push((self.expr(key, TERNARY)?, is_key));
            // `h[:a][k] = h[:b].delete(x)`: the element is gone before.
            if let Some(from) = value.as_call_node().filter(|c| name(&c.name()) == "delete" && c.block().is_none())
                && let ([gone], Some(of)) = (ruby::arguments(from.arguments()).0.as_slice(), from.receiver())
                && of.as_call_node().is_some_and(|c| name(&c.name()) == "[]")
                && let Some(source) = self.place(&of)?
            {
                let (here, gone) = (self.at(&source), self.expr(gone, TERNARY)?);
                let taken = self.unused("taken");
                self.locals.push(taken.clone());
                let removed = self.put(&node, &source, &format!("{here}.delete({gone})"))?;
                let put = self.put(&node, &place, &taken)?;
                return Ok(Some(format!("let {taken} = {here}[{gone}]\n{removed}\n{put}")));
            }
            let value = self.replacement(call, value, |block| block.value(value))?;
            return self.put(&node, &place, &value).map(Some);
        }
        if !is_element(&receiver) {
            return Ok(None);
        }
        let appends = matches!(
            method.as_str(),
            "<<" | "push" | "append" | "concat" | "insert" | "unshift" | "prepend" | "merge!" | "update" | "delete"
        );
        let bare = method.strip_suffix('!').filter(|m| RECEIVER.contains(m) || NIL_UNCHANGED.contains(m));
        if !appends && bare.is_none() || last && (method == "delete" || bare.is_some_and(|b| NIL_UNCHANGED.contains(&b))) {
            return Ok(None);
        }
        let Some(place) = self.place(&receiver)? else { return Ok(None) };
        let here = self.at(&place);
        let value = match (method.as_str(), plain.as_slice()) {
            ("<<", [added]) if named.is_empty() => {
                let is_list = self.list_values.contains(&place.local) || self.defaults.get(&place.local).is_some_and(|d| d == "[]");
                match (is_list, self.expr(added, TERNARY)?) {
                    (true, added) => format!("{here}.push({added})"),
                    (false, added) => format!("({here}.is_a?(Array) ? {here}.push({added}) : {here}.concat({added}))"),
                }
            }
            ("merge!" | "update", _) => format!("{here}.merge{}", self.call_rest(call)?),
            ("delete", [_]) => format!("{here}.delete{}", self.call_rest(call)?),
            _ => format!("{here}.{}{}", bare.unwrap_or(&method), self.call_rest(call)?),
        };
        let put = self.put(&node, &place, &value)?;
        let put = before.map_or_else(|| put.clone(), |before| format!("{before}\n{put}"));
        Ok(Some(if call.is_safe_navigation() { format!("unless {here}.nil? {{\n{put}\n}}") } else { put }))
    }

    /// Translates `h[:a] ||= v`, `h[:a][:b] += v` of any depth.
    pub(super) fn element_operator(&mut self, node: &Node<'_>) -> Text<Option<String>> {
        let (receiver, arguments, value, operator) = if let Some(write) = node.as_index_or_write_node() {
            (write.receiver(), write.arguments(), write.value(), "||".to_owned())
        } else if let Some(write) = node.as_index_and_write_node() {
            (write.receiver(), write.arguments(), write.value(), "&&".to_owned())
        } else if let Some(write) = node.as_index_operator_write_node() {
            (write.receiver(), write.arguments(), write.value(), name(&write.binary_operator()))
        } else {
            return Ok(None);
        };
        let (plain, _) = ruby::arguments(arguments);
        let (Some(receiver), [key]) = (receiver, plain.as_slice()) else { return Ok(None) };
        if self.is_resource(&receiver) {
            return Ok(None);
        }
        let of = match self.local_of(&receiver) {
            Some(local) => Some(ElementPath { local, keys: Vec::new() }).filter(|p| self.locals.contains(&p.local)),
            None => self.place(&receiver)?,
        };
        let Some(mut place) = of else { return Ok(None) };
        let is_plain = place.keys.is_empty() && !self.lists.contains(&place.local) && !self.defaults.contains_key(&place.local);
        let is_key = matches!(self.kind(key), Some(Kind::Text | Kind::Symbol));
        if operator == "||" && place.keys.is_empty() && self.kind(&value) == Some(Kind::List) {
            self.list_values.insert(place.local.clone());
        }
        if is_plain && matches!(operator.as_str(), "||" | "+" | "-" | "&") {
            return Ok(None);
        }
        place.keys.push((self.expr(key, TERNARY)?, is_key));
        let here = self.at(&place);
        let value = self.operated(node, &here, self.kind_at(&place), &operator, &value)?;
        let written = self.put(node, &place, &value)?;
        // `&&=` stores nothing where there is nothing.
        Ok(Some(if operator == "&&" { format!("if {here} {{\n{written}\n}}") } else { written }))
    }

    fn kind_at(&self, place: &ElementPath) -> Option<Kind> {
        let default = self.defaults.get(&place.local)?;
        default.bytes().all(|b| b.is_ascii_digit()).then_some(Kind::Integer)
    }

    /// Returns `here operator value`.
    pub(super) fn operated(&mut self, node: &Node<'_>, here: &str, kind: Option<Kind>, operator: &str, value: &Node<'_>) -> Text {
        Ok(match operator {
            "||" | "&&" => format!("{here} {operator} {}", self.expr(value, COMPARE)?),
            "+" | "-" | "&" => format!("{here} {operator} {}", self.expr(value, TIMES)?),
            "*" | "%" | "**" => format!("{here} {operator} {}", self.expr(value, UNARY)?),
            "/" => {
                let other = self.kind(value);
                let value = self.expr(value, TERNARY)?;
                divided(here, kind, &value, other)
            }
            "|" => {
                let other = self.kind(value);
                let value = self.expr(value, TERNARY)?;
                match united(here, kind, &value, other) {
                    Some(text) => text,
                    None => return no(node, "`|` of values that are not known to be lists or numbers is not supported"),
                }
            }
            "<<" => {
                let value = self.expr(value, TERNARY)?;
                match kind {
                    Some(Kind::List) => format!("{here}.push({value})"),
                    Some(Kind::Text) => format!("{here} + {value}"),
                    _ => format!("({here}.is_a?(Array) ? {here}.push({value}) : {here}.concat({value}))"),
                }
            }
            _ => return no(node, format!("`{operator}=` is not supported")),
        })
    }

    /// Translates the assigned value `h.delete(k)` of a local that may be a text, a list or a map.
    pub(super) fn deleted(&mut self, node: &Node<'_>) -> Text<Option<String>> {
        let Some(call) = node.as_call_node().filter(|c| method_of(c) == "delete" && c.block().is_none()) else { return Ok(None) };
        let plain = ruby::arguments(call.arguments()).0;
        let local = call.receiver().filter(|r| self.kind(r).is_none()).and_then(|r| self.local_of(&r));
        let (Some(local), [key]) = (local.filter(|l| self.locals.contains(l)), plain.as_slice()) else { return Ok(None) };
        if !may_be_element(key) {
            return Ok(None);
        }
        self.changes_element(node, &local)?;
        let (key, old) = (self.expr(key, TERNARY)?, self.unused("was"));
        let of_list = format!("{local}.is_a?(Array) ? ({local}.include?({key}) ? {key} : nil) : {local}.delete({key})");
        Ok(Some(format!(
            "({local}.is_a?(Hash) ? {local}[{key}] : {of_list}).then {{ |{old}|\n{local} = {local}.delete({key}) unless {local}.is_a?(String)\n{old}\n}}"
        )))
    }

    /// Translates `x.delete(y)` as a value: the rest of a text, or what is removed from a list or a map.
    pub(super) fn deleted_from(&mut self, call: &CallNode<'_>, receiver: &Node<'_>, of: &str, rest: &str) -> Text<(String, u8)> {
        let node = call.as_node();
        let plain = ruby::arguments(call.arguments()).0;
        let of_text = (format!("{of}.delete_chars{rest}"), OPERAND);
        let [key] = plain.as_slice() else { return Ok(of_text) };
        let local = self.local_of(receiver);
        let method = receiver.as_call_node().map(|c| method_of(&c));
        // What is a part of something, or a value of the resource, is changed there.
        let is_part = method.as_deref().is_some_and(|m| matches!(m, "[]" | "fetch" | "dig" | "first" | "last" | "should" | "value"));
        let is_read_later = local.as_ref().is_some_and(|local| self.is_used_after(&node, local));
        let kind = self.kind(receiver);
        if kind == Some(Kind::Text) {
            return Ok(of_text);
        }
        let is_word = may_be_element(key);
        if kind.is_none() && !is_word && (is_part || local.is_some() && (self.closures > 0 || is_read_later)) {
            return Ok(of_text);
        }
        if let Some(local) = local.as_ref().filter(|local| is_word && self.own.arguments.contains(*local)) {
            self.changes_element(&node, local)?;
        }
        let is_literal = receiver.as_hash_node().is_some() || receiver.as_array_node().is_some();
        if is_part || is_read_later || local.is_none() && method.is_none() && !is_literal {
            let left = Untranslated { text: "`delete` of an element that is not a text is not supported".into(), at: ruby::place(&node) };
            if !is_short(of) || matches!(kind, Some(Kind::List | Kind::Map)) {
                return Err(left);
            }
            let left = self.own.parts.also(left);
            return Ok((format!("{of}.is_a?(String) ? {of}.delete_chars{rest} : {left}"), TERNARY));
        }
        let (key, whole) = (self.expr(key, TERNARY)?, self.unused("whole"));
        let (of_list, of_map) = (format!("({whole}.include?({key}) ? {key} : nil)"), format!("{whole}[{key}]"));
        let removed = match kind {
            Some(Kind::List) => of_list,
            Some(Kind::Map) => of_map,
            _ => format!("{whole}.is_a?(Hash) ? {of_map} : {whole}.is_a?(Array) ? {of_list} : {whole}.delete_chars({key})"),
        };
        Ok((format!("{of}.then {{ |{whole}| {removed} }}"), OPERAND))
    }

    /// Returns the test whether `sub!` or `gsub!` finds something to replace, even by the same; `None` for other methods.
    fn replaces(&mut self, bare: &str, text: &str, plain: &[Node<'_>]) -> Text<Option<String>> {
        let ("sub" | "gsub", Some(pattern)) = (bare, plain.first()) else { return Ok(None) };
        let is_text = ruby::text(pattern).is_some() || pattern.as_interpolated_string_node().is_some();
        let found = self.expr(pattern, TERNARY)?;
        if is_text {
            return Ok(Some(format!("{text}.include?({found})")));
        }
        let is_regex = pattern.as_regular_expression_node().is_some()
            || pattern.as_interpolated_regular_expression_node().is_some()
            || pattern.as_call_node().is_some_and(|c| c.receiver().as_ref().and_then(ruby::constant).as_deref() == Some("Regexp"));
        match is_regex {
            true => Ok(Some(format!("{text}.match?({found})"))),
            false => no(pattern, "a pattern that may be a text or a regex is not supported"),
        }
    }

    /// Translates the result of a method that changes a local, `x.gsub!(…)` or `h.delete(k)`, as an operand.
    pub(super) fn changed_value(&mut self, call: &CallNode<'_>, receiver: &Node<'_>, method: &str) -> Text<Option<(String, u8)>> {
        let (plain, named) = ruby::arguments(call.arguments());
        let bare = method.strip_suffix('!');
        let local = self.local_of(receiver).filter(|l| self.locals.contains(l));
        let Some(local) = local else {
            // A new value, which nothing else refers to.
            let is_new = receiver.as_call_node().is_some_and(|c| {
                matches!(
                    method_of(&c).as_str(),
                    "dup" | "clone" | "to_a" | "split" | "map" | "gsub" | "sub" | "select" | "reject" | "+" | "join"
                )
            });
            let Some(bare) = bare.filter(|b| is_new && NIL_UNCHANGED.contains(b) && !matches!(*b, "delete" | "slice")) else {
                return Ok(None);
            };
            let of = self.expr(receiver, OPERAND)?;
            let old = self.unused("was");
            let changed = format!("{old}.{bare}{}", self.call_rest(call)?);
            if let Some(found) = self.replaces(bare, &old, &plain)? {
                return Ok(Some((format!("{of}.then {{ |{old}| {found} ? {changed} : nil }}"), OPERAND)));
            }
            return Ok(Some((format!("{of}.then {{ |{old}| {changed} == {old} ? nil : {changed} }}"), OPERAND)));
        };
        let kind = self.kind(receiver);
        let node = call.as_node();
        let old = self.unused("was");
        let text = match (method, plain.as_slice(), bare) {
            ("delete", [key], _) if named.is_empty() && call.block().is_none() => {
                let is_map_key = ruby::symbol(key).is_some();
                let key = self.expr(key, TERNARY)?;
                let found = match kind {
                    Some(Kind::Map) => format!("{local}[{key}]"),
                    Some(Kind::List) => format!("({local}.include?({key}) ? {key} : nil)"),
                    None if is_map_key => {
                        format!("({local}.is_a?(Array) ? ({local}.include?({key}) ? {key} : nil) : {local}[{key}])")
                    }
                    _ => return Ok(None),
                };
                self.changes_element(&node, &local)?;
                let taken = format!("{found}.then {{ |{old}|\n{local} = {local}.delete({key})\n{old}\n}}");
                return Ok(Some((taken, OPERAND)));
            }
            ("shift" | "pop", [], _) if kind == Some(Kind::List) && call.block().is_none() => {
                let (taken, rest) = if method == "shift" { ("[0]", ".drop(1)") } else { ("[-1]", "[0...-1]") };
                format!("{local}{taken}.then {{ |{old}|\n{local} = {local}{rest}\n{old}\n}}")
            }
            ("push" | "append" | "insert" | "unshift" | "prepend" | "concat" | "update" | "merge!" | "replace", _, _) => {
                // A list of a `tap` or a condition.
                let value = match method {
                    "replace" => return Ok(None),
                    "update" | "merge!" => format!("{local}.merge{}", self.call_rest(call)?),
                    _ => format!("{local}.{method}{}", self.call_rest(call)?),
                };
                format!("{local}.then {{ |{old}| {local} = {value} }}")
            }
            (_, _, Some(bare)) if NIL_UNCHANGED.contains(&bare) && !matches!(bare, "slice") => {
                let changed = format!("{local}.{bare}{}", self.call_rest(call)?);
                if let Some(found) = self.replaces(bare, &local, &plain)? {
                    self.changes_element(&node, &local)?;
                    let text = format!("{found}.then {{ |{old}|\nif {old} {{\n{local} = {changed}\n}} else {{\nnil\n}}\n}}");
                    return Ok(Some((text, OPERAND)));
                }
                format!("{changed}.then {{ |{old}|\nif {old} == {local} {{\nnil\n}} else {{\n{local} = {old}\n}}\n}}")
            }
            (_, _, Some(bare)) if RECEIVER.contains(&bare) => {
                format!("{local}.{bare}{}.then {{ |{old}| {local} = {old} }}", self.call_rest(call)?)
            }
            _ => return Ok(None),
        };
        self.changes_element(&node, &local)?;
        Ok(Some((text, OPERAND)))
    }
}

/// Returns the quotient, which is an integer for integers.
pub(super) fn divided(left: &str, kind: Option<Kind>, right: &str, other: Option<Kind>) -> String {
    match (kind, other) {
        (Some(Kind::Float), _) | (_, Some(Kind::Float)) => format!("{left}.fdiv({right})"),
        (Some(Kind::Integer), Some(Kind::Integer)) => format!("{left}.div({right})"),
        (Some(Kind::Integer), _) => format!("({right}.is_a?(Float) ? {left}.fdiv({right}) : {left}.div({right}))"),
        (_, Some(Kind::Integer)) => format!("({left}.is_a?(Float) ? {left}.fdiv({right}) : {left}.div({right}))"),
        _ => format!("({left}.is_a?(Float) || {right}.is_a?(Float) ? {left}.fdiv({right}) : {left}.div({right}))"),
    }
}

/// Returns the union of lists, or `|` of integers; `None` if it may be `|` of conditions.
pub(super) fn united(left: &str, kind: Option<Kind>, right: &str, other: Option<Kind>) -> Option<String> {
    match (kind, other) {
        (Some(Kind::List), _) | (_, Some(Kind::List)) => Some(format!("{left}.union({right})")),
        (Some(Kind::Integer), _) | (_, Some(Kind::Integer)) => Some(format!("{left}.bit_or({right})")),
        _ => None,
    }
}

/// Returns whether `delete(key)` may be meant for a list or a map. What has no letter is rarely an element: these are an error there.
fn may_be_element(key: &Node<'_>) -> bool {
    ruby::text(key).is_none_or(|text| text.contains(char::is_alphanumeric))
}
