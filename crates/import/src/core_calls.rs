//! Translates methods of Ruby's values that the language does not have under the same name, and closures of other forms.

use super::block::*;
use super::core_names::{NAMES, UNKNOWN};
use super::enumerators::OF_LISTS;
use super::kinds::Kind;
use super::known::StaticValue;
use super::places::{divided, united};
use super::ruby;
use super::spread::method_of;
use rtype_lang::types::builtin::{Method, ValueKind as BuiltinReceiver};
use ruby_prism::{CallNode, IfNode, Node};

impl BlockTranslator<'_> {
    /// Translates a call of such a method.
    pub(super) fn core_call(
        &mut self,
        call: &CallNode<'_>,
        receiver: &Node<'_>,
        method: &str,
        plain: &[Node<'_>],
        named: &[(Node<'_>, Node<'_>)],
    ) -> Text<Option<(String, u8)>> {
        let node = call.as_node();
        if self.is_resource(receiver) || self.is_provider(receiver) || call.is_safe_navigation() {
            return Ok(None);
        }
        if let Some(found) = self.splat_call(call, receiver, method)? {
            return Ok(Some(found));
        }
        if named.is_empty()
            && let Some(found) = self.set_call(call, receiver, plain)?
        {
            return Ok(Some(found));
        }
        if let ("nonzero?", []) = (method, plain) {
            let number = self.unused("number");
            return Ok(Some((format!("{}.then {{ |{number}| {number}.zero? ? nil : {number} }}", self.expr(receiver, OPERAND)?), OPERAND)));
        }
        let closure = ruby::block(call);
        if let Some(class) = ruby::constant(receiver).filter(|c| !self.scope.constants.contains(c))
            && (self.known_range(receiver).is_some() || !self.is_data(receiver))
        {
            return match (method, plain) {
                ("===" | "include?" | "cover?" | "member?", [value]) if named.is_empty() && self.known_range(receiver).is_some() => {
                    self.within(receiver, value)
                }
                ("===", [value]) if named.is_empty() => self.tested(value, &class),
                _ => Ok(None),
            };
        }
        if let Some(closure) = &closure {
            match (method, plain) {
                ("collect_concat", []) => {
                    let of = self.expr(receiver, OPERAND)?;
                    return Ok(Some((format!("{of}.flat_map{}", self.closure_rest(call, closure)?), OPERAND)));
                }
                ("yield_self", []) => {
                    let of = self.expr(receiver, OPERAND)?;
                    return Ok(Some((format!("{of}.then{}", self.closure_rest(call, closure)?), OPERAND)));
                }
                ("tap", []) => return self.tapped(receiver, closure).map(Some),
                ("each_with_object" | "with_object", [start]) => return self.collected(call, receiver, start, closure).map(Some),
                ("with_index" | "each_with_index", _) => {
                    if let Some(found) = self.with_index(call, receiver, plain, closure)? {
                        return Ok(Some(found));
                    }
                }
                ("grep", [pattern]) => {
                    let kept = self.grepped(receiver, pattern, "select")?;
                    return match kept {
                        Some(kept) => {
                            let body = with_match(self.closure_rest(call, closure)?, &self.expr(pattern, ADD)?);
                            Ok(Some((format!("{kept}.map{body}"), OPERAND)))
                        }
                        None => Ok(None),
                    };
                }
                ("each_entry", []) => {
                    let of = self.expr(receiver, OPERAND)?;
                    return Ok(Some((format!("{of}.each{}", self.closure_rest(call, closure)?), OPERAND)));
                }
                ("reverse_each", []) => {
                    let of = self.expr(receiver, OPERAND)?;
                    return Ok(Some((format!("{of}.reverse.each{}", self.closure_rest(call, closure)?), OPERAND)));
                }
                _ => {}
            }
        }
        if let Some(list) = self.enumerated(receiver)?
            && OF_LISTS.contains(&method)
            && method != "with_index"
        {
            return Ok(Some(match method {
                "to_a" | "entries" => (format!("{list}.to_a"), OPERAND),
                _ => (format!("{list}.{method}{}", self.call_rest(call)?), OPERAND),
            }));
        }
        if call.block().is_some() {
            return self.chooses_by_value(call).map(|()| None);
        }
        match (method, plain) {
            ("sort" | "max" | "min" | "minmax", []) => self.sorted_values(receiver, method),
            // The language's own takes the symbols of operators that calculate.
            ("reduce" | "inject", [operator])
                if let Some(symbol) = ruby::symbol(operator).filter(|s| !matches!(s.as_str(), "+" | "-" | "*" | "**" | "%" | "&")) =>
            {
                let both = match symbol.as_str() {
                    "==" | "!=" => format!("a {symbol} b"),
                    "merge" => "a.merge(b)".to_owned(),
                    _ => return no(&node, format!("`{method}` with this method is not supported")),
                };
                Ok(Some((format!("{}.reduce {{ |a, b| {both} }}", self.expr(receiver, OPERAND)?), OPERAND)))
            }
            ("ascii_only?", []) => Ok(Some((format!("!({} =~ /[^\\x00-\\x7f]/)", self.expr(receiver, ADD)?), UNARY))),
            ("assoc", [key]) => {
                let (of, key) = (self.expr(receiver, OPERAND)?, self.expr(key, COMPARE)?);
                let pair = self.unused("pair");
                Ok(Some((format!("{of}.find {{ |{pair}| {pair}.is_a?(Array) && {pair}[0] == {key} }}"), OPERAND)))
            }
            ("instance_of?", [class]) => {
                let Some(class) = ruby::constant(class) else { return Ok(None) };
                let Some(pattern) = exact_class(&class) else { return Ok(None) };
                let of = self.expr(receiver, OPERAND)?;
                Ok(Some(match pattern {
                    "true" | "false" | "nil" => (format!("{of} == {pattern}"), COMPARE),
                    _ => (format!("{of}.is_a?({pattern})"), OPERAND),
                }))
            }
            ("is_a?" | "kind_of?", [class]) if named.is_empty() => {
                if let Some(data) = self.local_class(class) {
                    return Ok(Some((format!("{}.is_a?({data})", self.expr(receiver, OPERAND)?), OPERAND)));
                }
                let Some(class) = ruby::constant(class) else { return Ok(None) };
                if !matches!(class.as_str(), "Comparable" | "Enumerable" | "Object" | "BasicObject" | "Kernel" | "Range") {
                    return Ok(None);
                }
                self.tested(receiver, &class)
            }
            ("===", [value]) => {
                if receiver.as_regular_expression_node().is_some() {
                    return Ok(Some((format!("{} =~ {}", self.expr(value, ADD)?, self.expr(receiver, ADD)?), COMPARE)));
                }
                Ok(match self.within(receiver, value)? {
                    Some(found) => Some(found),
                    None if matches!(self.kind(receiver), Some(Kind::Text | Kind::Symbol | Kind::Integer | Kind::List | Kind::Map)) => {
                        Some((format!("{} == {}", self.expr(receiver, ADD)?, self.expr(value, ADD)?), COMPARE))
                    }
                    None => None,
                })
            }
            ("include?" | "cover?" | "member?", [value]) => self.within(receiver, value),
            ("/", [other]) => {
                let (kind, of_other) = (self.kind(receiver), self.kind(other));
                let left = self.expr(receiver, OPERAND)?;
                let right = self.expr(other, OPERAND)?;
                Ok(Some((divided(&left, kind, &right, of_other), OPERAND)))
            }
            ("|", [other]) => {
                let (kind, of_other) = (self.kind(receiver), self.kind(other));
                if kind == Some(Kind::Bool) {
                    let (left, right) = (self.condition(receiver, OR)?, self.condition(other, AND)?);
                    return Ok(Some((format!("{left} || {right}"), OR)));
                }
                let (left, right) = (self.expr(receiver, OPERAND)?, self.expr(other, TERNARY)?);
                match united(&left, kind, &right, of_other) {
                    Some(text) => Ok(Some((text, OPERAND))),
                    // Which of the two it is shows when it runs.
                    None if ruby::is_word(&left) => {
                        let truth =
                            format!("[nil, true, false].include?({left}) ? ({left} || {right} ? true : false) : {left}.union({right})");
                        Ok(Some((format!("{left}.is_a?(Integer) ? {left}.bit_or({right}) : {truth}"), TERNARY)))
                    }
                    None => no(&node, "`|` of values that are not known to be lists or numbers is not supported"),
                }
            }
            ("<<" | ">>", [count]) if self.kind(receiver) == Some(Kind::Integer) || method == ">>" && self.kind(receiver).is_none() => {
                let (of, by) = (self.expr(receiver, OPERAND)?, self.expr(count, OPERAND)?);
                let shifted = |of: &str, left: bool, by: &str| {
                    if left { format!("{of} * 2 ** {by}") } else { format!("{of}.div(2 ** {by})") }
                };
                if count.as_integer_node().is_some() && !by.starts_with(['-', '(']) {
                    return Ok(Some((shifted(&of, method == "<<", &by), TIMES)));
                }
                let (same, other) = (shifted("n", method == "<<", "by"), shifted("n", method != "<<", "-by"));
                Ok(Some((format!("[{of}, {by}].then {{ |n, by| by < 0 ? {other} : {same} }}"), OPERAND)))
            }
            ("~", []) if matches!(self.kind(receiver), None | Some(Kind::Integer)) => {
                Ok(Some((format!("-{} - 1", self.expr(receiver, OPERAND)?), ADD)))
            }
            ("^", [other]) if self.kind(receiver) == Some(Kind::Integer) || self.kind(other) == Some(Kind::Integer) => {
                let (left, right) = (self.expr(receiver, OPERAND)?, self.expr(other, OPERAND)?);
                Ok(Some((format!("[{left}, {right}].then {{ |n, other| n.bit_or(other) - n.bit_and(other) }}"), OPERAND)))
            }
            ("^", [other]) if self.kind(receiver) == Some(Kind::Bool) && self.kind(other) == Some(Kind::Bool) => {
                let (left, right) = (self.expr(receiver, ADD)?, self.expr(other, ADD)?);
                Ok(Some((format!("{left} != {right}"), COMPARE)))
            }
            ("&", [other]) if self.kind(receiver) == Some(Kind::Bool) => {
                let (left, right) = (self.condition(receiver, AND)?, self.condition(other, COMPARE)?);
                Ok(Some((format!("{left} && {right}"), AND)))
            }
            ("send" | "public_send" | "__send__", [wanted, arguments @ ..]) if named.is_empty() => {
                if let Some(choice) = wanted.as_if_node()
                    && self.decided(&choice.predicate()).is_none()
                    && let Some(found) = self.sent_either(receiver, &choice, arguments)?
                {
                    return Ok(Some(found));
                }
                let known = || (self.fold)(&ruby::place(wanted), &self.locals).and_then(|v| v.word());
                let Some(wanted) = ruby::symbol(wanted).or_else(|| ruby::text(wanted)).or_else(known) else { return Ok(None) };
                self.sent(receiver, &wanted, arguments)
            }
            ("max" | "min", [count]) => {
                let of = self.expr(receiver, OPERAND)?;
                let back = if method == "max" { ".reverse" } else { "" };
                Ok(Some((format!("{of}.sort{back}.take({})", self.expr(count, TERNARY)?), OPERAND)))
            }
            ("grep", [pattern]) => Ok(self.grepped(receiver, pattern, "select")?.map(|t| (t, OPERAND))),
            ("grep_v", [pattern]) => Ok(self.grepped(receiver, pattern, "reject")?.map(|t| (t, OPERAND))),
            ("any?" | "all?" | "none?" | "one?", [pattern]) => Ok(self.grepped(receiver, pattern, method)?.map(|t| (t, OPERAND))),
            ("transform_keys", [names]) if names.as_hash_node().is_some() => {
                let of = self.expr(receiver, OPERAND)?;
                Ok(Some((format!("{of}.transform_keys {{ |k| {}.fetch(k, k) }}", self.expr(names, OPERAND)?), OPERAND)))
            }
            ("fetch_values", [_, ..]) => {
                let of = self.expr(receiver, OPERAND)?;
                let keys: Text<Vec<String>> = plain.iter().map(|k| self.expr(k, TERNARY)).collect();
                let keys: Vec<String> = keys?.iter().map(|k| format!("{of}.fetch({k})")).collect();
                Ok(Some((format!("[{}]", keys.join(", ")), OPERAND)))
            }
            ("nil?", []) if is_search(receiver) => {
                // `=~` returns a place or nil.
                Ok(Some((format!("!{}", self.condition(receiver, UNARY)?), UNARY)))
            }
            ("lines", [])
                if let [(key, value)] = named
                    && ruby::symbol(key).as_deref() == Some("chomp")
                    && value.as_true_node().is_some() =>
            {
                Ok(Some((format!("{}.lines.map {{ |line| line.chomp }}", self.expr(receiver, OPERAND)?), OPERAND)))
            }
            ("next", []) => Ok(Some((format!("{}.succ", self.expr(receiver, OPERAND)?), OPERAND))),
            ("to_str" | "to_ary" | "to_hash", []) => {
                let same = matches!(
                    (self.kind(receiver), method),
                    (Some(Kind::Text), "to_str") | (Some(Kind::List), "to_ary") | (Some(Kind::Map), "to_hash")
                );
                if same { Ok(Some((self.expr(receiver, OPERAND)?, OPERAND))) } else { no(&node, format!("unknown method `{method}`")) }
            }
            ("entries", []) => Ok(Some((format!("{}.to_a", self.expr(receiver, OPERAND)?), OPERAND))),
            ("integer?", []) => {
                let (of, is_number) = (self.expr(receiver, OPERAND)?, matches!(self.kind(receiver), Some(Kind::Integer | Kind::Float)));
                // Only numbers have the method.
                let failure = "fail(\"undefined method `integer?'\", error: \"NoMethodError\")";
                Ok(Some(match is_number || !is_short(&of) {
                    true => (format!("{of}.is_a?(Integer)"), OPERAND),
                    false => (format!("({of}.is_a?(Numeric) ? {of}.is_a?(Integer) : {failure})"), OPERAND),
                }))
            }
            ("frozen?", []) => no(&node, "`frozen?` is not supported"),
            ("eql?" | "equal?", [other])
                if other.as_nil_node().is_some() || other.as_true_node().is_some() || other.as_false_node().is_some() =>
            {
                Ok(Some((format!("{} == {}", self.expr(receiver, ADD)?, self.expr(other, ADD)?), COMPARE)))
            }
            _ => match self.changed_value(call, receiver, method)? {
                Some(found) => Ok(Some(found)),
                None => {
                    self.check_known(&node, receiver, method, plain)?;
                    Ok(None)
                }
            },
        }
    }

    /// Rejects methods that only values of Ruby have: in the language, the name would be that of an attribute.
    fn check_known(&self, node: &Node<'_>, receiver: &Node<'_>, method: &str, plain: &[Node<'_>]) -> Text<()> {
        let is_value = self.kind(receiver).is_some() || !NAMES.contains(&method);
        if plain.is_empty() && is_value && UNKNOWN.contains(&method) && Method::named(method).is_none() {
            return no(node, format!("unknown method `{method}`"));
        }
        Ok(())
    }

    /// Rejects methods that values of this kind have in Ruby, but not here: every resource that reaches one would be refused.
    pub(super) fn fits_kind(&self, node: &Node<'_>, receiver: &Node<'_>, method: &str) -> Text<()> {
        let (kind, class) = match self.kind(receiver) {
            Some(Kind::Text) => (BuiltinReceiver::Str, "String"),
            Some(Kind::List) => (BuiltinReceiver::List, "Array"),
            Some(Kind::Map) => (BuiltinReceiver::Map, "Hash"),
            _ => return Ok(()),
        };
        let in_ruby = || rtype_lang::eval::ruby_methods::kinds_with(method).is_some_and(|mut kinds| kinds.any(|of| of == class));
        match Method::named(method) {
            Some(known) if !known.belongs_to(kind) && in_ruby() => no(node, format!("`{method}` of {} is not supported", kind.plural())),
            _ => Ok(()),
        }
    }

    /// Translates a method whose name is known when the type is loaded.
    fn sent(&mut self, receiver: &Node<'_>, method: &str, arguments: &[Node<'_>]) -> Text<Option<(String, u8)>> {
        let same = Method::named(method).is_some() && !matches!(method, "delete" | "push" | "insert" | "concat" | "unshift" | "prepend");
        if !same || self.is_resource(receiver) {
            return Ok(None);
        }
        let of = self.expr(receiver, OPERAND)?;
        let given: Text<Vec<String>> = arguments.iter().map(|a| self.expr(a, TERNARY)).collect();
        let given = given?;
        let given = if given.is_empty() { String::new() } else { format!("({})", given.join(", ")) };
        Ok(Some((format!("{of}.{method}{given}"), OPERAND)))
    }

    /// Translates `x.send(c ? :a : :b)`.
    fn sent_either(&mut self, receiver: &Node<'_>, choice: &IfNode<'_>, arguments: &[Node<'_>]) -> Text<Option<(String, u8)>> {
        let only = |statements: Option<ruby_prism::StatementsNode<'_>>| {
            let nodes = ruby::statements(statements.map(|s| s.as_node()));
            if let [one] = nodes.as_slice() { ruby::symbol(one).or_else(|| ruby::text(one)) } else { None }
        };
        let other = choice.subsequent().and_then(|n| n.as_else_node()).and_then(|e| e.statements());
        let (Some(yes), Some(other)) = (only(choice.statements()), only(other)) else { return Ok(None) };
        let test = self.condition(&choice.predicate(), OR)?;
        let (Some((yes, _)), Some((other, _))) = (self.sent(receiver, &yes, arguments)?, self.sent(receiver, &other, arguments)?) else {
            return Ok(None);
        };
        Ok(Some((format!("{test} ? {yes} : {other}"), TERNARY)))
    }

    /// Translates `Class === value` and `value.is_a?(Class)`.
    pub(super) fn tested(&mut self, value: &Node<'_>, class: &str) -> Text<Option<(String, u8)>> {
        let kinds = match class {
            "Comparable" => "Variant[String, Symbol, Numeric]",
            "Enumerable" => "Variant[Array, Hash]",
            "Object" | "BasicObject" | "Kernel" => return Ok(Some(("true".into(), OPERAND))),
            "String" | "Array" | "Hash" | "Integer" | "Float" | "Numeric" | "Symbol" | "Regexp" => class,
            "TrueClass" => "Boolean[true]",
            "FalseClass" => "Boolean[false]",
            "NilClass" => "Undef",
            "Range" => return Ok(Some((format!("type_of({}) == \"Range\"", self.expr(value, TERNARY)?), COMPARE))),
            _ => return Ok(None),
        };
        Ok(Some((format!("{}.is_a?({kinds})", self.expr(value, OPERAND)?), OPERAND)))
    }

    /// Translates `(1..9).include?(value)`, which is false for a value that is not a number.
    pub(super) fn within(&mut self, range: &Node<'_>, value: &Node<'_>) -> Text<Option<(String, u8)>> {
        let Some(Bounds { from, to, excludes }) = self.bounds(range)? else {
            let Some(range) = self.range(range)? else { return Ok(None) };
            return Ok(Some((format!("{range}.include?({})", self.expr(value, TERNARY)?), OPERAND)));
        };
        let is_number = matches!(self.kind(value), Some(Kind::Integer | Kind::Float));
        let of = self.expr(value, OPERAND)?;
        let upper = if excludes { "<" } else { "<=" };
        let test = match (from, to) {
            (Some(from), Some(to)) if !excludes => format!("{of}.between?({from}, {to})"),
            (Some(from), Some(to)) => format!("{of} >= {from} && {of} < {to}"),
            (Some(from), None) => format!("{of} >= {from}"),
            (None, Some(to)) => format!("{of} {upper} {to}"),
            (None, None) => return Ok(None),
        };
        Ok(Some(if is_number {
            let binds = if test.contains(" && ") {
                AND
            } else if test.contains(".between?(") {
                OPERAND
            } else {
                COMPARE
            };
            (test, binds)
        } else {
            (format!("{of}.is_a?(Numeric) && {test}"), AND)
        }))
    }

    /// Translates a range as a value, unless it is one of texts.
    pub(super) fn range(&mut self, node: &Node<'_>) -> Text<Option<String>> {
        if let Some(inner) = node.as_parentheses_node()
            && let [one] = ruby::statements(inner.body()).as_slice()
        {
            return self.deeper(node, |block| block.range(one));
        }
        let Some(range) = node.as_range_node() else { return Ok(None) };
        let mut limits = Vec::new();
        for limit in [range.left(), range.right()] {
            if limit.as_ref().is_some_and(|l| matches!(self.kind(l), Some(Kind::Text | Kind::Symbol))) {
                return Ok(None);
            }
            limits.push(limit.map_or_else(|| Ok("nil".to_owned()), |l| self.expr(&l, TERNARY))?);
        }
        let excludes = if range.is_exclude_end() { ", true" } else { "" };
        Ok(Some(format!("range({}{excludes})", limits.join(", "))))
    }

    /// Returns the limits of a range of numbers.
    fn bounds(&mut self, node: &Node<'_>) -> Text<Option<Bounds>> {
        if let Some(inner) = node.as_parentheses_node() {
            let inner = ruby::statements(inner.body());
            return match inner.as_slice() {
                [one] => self.deeper(node, |block| block.bounds(one)),
                _ => Ok(None),
            };
        }
        if let Some((from, to, excludes)) = self.known_range(node) {
            let text = |n: Option<i64>| n.map(|n| n.to_string());
            return Ok(Some(Bounds { from: text(from), to: text(to), excludes }));
        }
        let Some(range) = node.as_range_node() else { return Ok(None) };
        let (from, to) = (range.left(), range.right());
        let is_number = |n: &Option<Node<'_>>| n.as_ref().is_some_and(|n| matches!(self.kind(n), Some(Kind::Integer | Kind::Float)));
        if !is_number(&from) && !is_number(&to) {
            return Ok(None);
        }
        let from = from.map(|n| self.expr(&n, ADD)).transpose()?;
        let to = to.map(|n| self.expr(&n, ADD)).transpose()?;
        Ok(Some(Bounds { from, to, excludes: range.is_exclude_end() }))
    }

    /// Returns a range that a constant or local is, if it is known when the type is loaded.
    pub(super) fn known_range(&self, node: &Node<'_>) -> Option<(Option<i64>, Option<i64>, bool)> {
        let known = match node.as_local_variable_read_node().map(|l| ruby::local(&l.name())) {
            Some(local) => match self.own.ranges.get(&local) {
                Some(range) => return Some(*range),
                None => self.scope.known.get(&local).filter(|_| !self.locals.contains(&local)).cloned(),
            },
            None if ruby::constant(node).is_some() || self.is_of_known_object(node) => (self.fold)(&ruby::place(node), &self.locals),
            None => None,
        };
        match known? {
            StaticValue::Range(from, to, excludes) => Some((from, to, excludes)),
            _ => None,
        }
    }

    /// Returns the data type of the class that a local is, if that is known.
    fn local_class(&self, node: &Node<'_>) -> Option<&'static str> {
        let local = ruby::local(&node.as_local_variable_read_node()?.name());
        match self.scope.known.get(&local).filter(|_| !self.locals.contains(&local)) {
            Some(StaticValue::Native(class)) => class_pattern(class),
            _ => None,
        }
    }

    /// Translates elements that match a pattern.
    fn grepped(&mut self, receiver: &Node<'_>, pattern: &Node<'_>, method: &str) -> Text<Option<String>> {
        let test = match (ruby::constant(pattern), pattern.as_regular_expression_node()) {
            (_, Some(_)) => format!("x =~ {}", self.expr(pattern, ADD)?),
            (Some(class), _) if class_pattern(&class).is_some() => format!("x.is_a?({})", class_pattern(&class).unwrap_or_default()),
            _ => return Ok(None),
        };
        let of = match self.enumerated(receiver)? {
            Some(list) => list,
            None => self.expr(receiver, OPERAND)?,
        };
        Ok(Some(format!("{of}.{method} {{ |x| {test} }}")))
    }
}

/// The limits of a range.
struct Bounds {
    from: Option<String>,
    to: Option<String>,
    /// Whether the upper one is not part of it.
    excludes: bool,
}

/// Returns whether a node is `a =~ b`.
pub(super) fn is_search(node: &Node<'_>) -> bool {
    if let Some(inner) = node.as_parentheses_node() {
        let inner = ruby::statements(inner.body());
        return matches!(inner.as_slice(), [one] if is_search(one));
    }
    node.as_call_node().is_some_and(|c| method_of(&c) == "=~") || node.as_match_write_node().is_some()
}

/// Returns the data type of a class without subclasses.
fn exact_class(class: &str) -> Option<&'static str> {
    Some(match class {
        "String" => "String",
        "Array" => "Array",
        "Hash" => "Hash",
        "Integer" => "Integer",
        "Float" => "Float",
        "Symbol" => "Symbol",
        "Regexp" => "Regexp",
        "TrueClass" => "true",
        "FalseClass" => "false",
        "NilClass" => "nil",
        _ => return None,
    })
}

/// Returns the data type of a class that is shown as the class is, so that it can take its place as a value.
pub(super) fn class_value(class: &str) -> Option<&'static str> {
    match class {
        "Numeric" => Some("Numeric"),
        _ => exact_class(class).filter(|data| *data == class),
    }
}

/// Returns the data type of a class.
pub(super) fn class_pattern(class: &str) -> Option<&'static str> {
    Some(match class {
        "Numeric" => "Numeric",
        "TrueClass" => "Boolean[true]",
        "FalseClass" => "Boolean[false]",
        "NilClass" => "Undef",
        "Comparable" => "Variant[String, Symbol, Numeric]",
        "Enumerable" => "Variant[Array, Hash]",
        "Object" | "BasicObject" => "Any",
        other => exact_class(other)?,
    })
}

/// Returns whether an operand is so short that it can be written, and evaluated, twice.
pub(super) fn is_short(text: &str) -> bool {
    text.len() <= 60 && !text.contains('\n')
}

/// Searches again in a closure that gets what matched before and reads its groups.
fn with_match(closure: String, pattern: &str) -> String {
    let Some((bars, body)) = closure.strip_prefix(" { |").and_then(|rest| rest.split_once("| ")).filter(|(_, body)| body.contains('$'))
    else {
        return closure;
    };
    let param = if bars == "_" { "found" } else { bars };
    format!(" {{ |{param}|\n{param} =~ {pattern}\n{body}")
}
