//! Infers the kind of a value from the expression that computes it, and which value it shares with others.

use super::block::*;
use super::parameters::Parameters;
use super::ruby::{self, name};
use ruby_prism::{
    DefNode, LocalVariableAndWriteNode, LocalVariableOperatorWriteNode, LocalVariableOrWriteNode, LocalVariableTargetNode,
    LocalVariableWriteNode, Node, ReturnNode, Visit,
};

/// The kind of a value, if it is the same for every value that an expression has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Symbol,
    Integer,
    Float,
    List,
    Map,
    Bool,
    Nil,
}

/// Methods with a result of one kind for every receiver that has them.
const RESULTS: &[(Kind, &[&str])] = &[
    (
        Kind::Text,
        &[
            "to_s",
            "inspect",
            "join",
            "strip",
            "lstrip",
            "rstrip",
            "chomp",
            "chop",
            "gsub",
            "sub",
            "tr",
            "tr_s",
            "squeeze",
            "rjust",
            "ljust",
            "center",
            "to_json",
            "to_yaml",
            "hexdigest",
            "shellescape",
            "delete_prefix",
            "delete_suffix",
            "dirname",
            "basename",
            "extname",
        ],
    ),
    (Kind::Symbol, &["to_sym", "intern"]),
    (Kind::Integer, &["to_i", "length", "size", "ord", "hex", "oct", "bytesize", "bit_length", "div"]),
    (Kind::Float, &["to_f", "fdiv"]),
    (
        Kind::List,
        &[
            "map",
            "collect",
            "flat_map",
            "split",
            "sort",
            "sort_by",
            "uniq",
            "flatten",
            "keys",
            "values",
            "scan",
            "chars",
            "lines",
            "bytes",
            "to_a",
            "entries",
            "zip",
            "each_slice",
            "each_cons",
            "captures",
            "values_at",
            "filter_map",
            "grep",
            "transpose",
            "product",
            "permutation",
            "combination",
            "partition",
            "rpartition",
            "divmod",
            "digits",
            "find_all",
            "rotate",
            "upto",
            "take",
            "drop",
        ],
    ),
    (Kind::Map, &["to_h", "merge", "transform_values", "transform_keys", "group_by", "tally", "invert", "named_captures", "except"]),
    (
        Kind::Bool,
        &[
            "!",
            "==",
            "!=",
            "<",
            "<=",
            ">",
            ">=",
            "!~",
            "nil?",
            "empty?",
            "include?",
            "member?",
            "key?",
            "has_key?",
            "is_a?",
            "kind_of?",
            "start_with?",
            "end_with?",
            "match?",
            "any?",
            "all?",
            "none?",
            "one?",
            "zero?",
            "between?",
            "even?",
            "odd?",
            "positive?",
            "eql?",
            "negative?",
            "respond_to?",
            "instance_of?",
            "casecmp?",
            "value?",
            "has_value?",
        ],
    ),
];

/// Methods that return a part of their receiver, or the receiver itself.
const PARTS: &[&str] =
    &["[]", "fetch", "dig", "first", "last", "find", "detect", "values_at", "to_a", "to_h", "itself", "max_by", "min_by", "at"];

impl BlockTranslator<'_> {
    /// Returns the kind of the values of an expression.
    pub(super) fn kind(&self, node: &Node<'_>) -> Option<Kind> {
        self.kind_of(node, MAX_DEPTH)
    }

    fn kind_of(&self, node: &Node<'_>, depth: usize) -> Option<Kind> {
        let depth = depth.checked_sub(1)?;
        if let Some(inner) = node.as_parentheses_node() {
            let inner = ruby::statements(inner.body());
            return self.kind_of(inner.last()?, depth);
        }
        if let Some(local) = node.as_local_variable_read_node() {
            let local = ruby::local(&local.name());
            if let Some(kind) = self.kinds.get(&local) {
                return Some(*kind);
            }
            return match (self.lists.contains(&local), self.texts.contains(&local)) {
                (true, false) => Some(Kind::List),
                (false, true) => Some(Kind::Text),
                _ => None,
            };
        }
        if let Some(kind) = literal_kind(node) {
            return Some(kind);
        }
        if let Some(branch) = node.as_if_node() {
            let one = |statements: Option<ruby_prism::StatementsNode<'_>>| {
                let nodes = ruby::statements(statements.map(|s| s.as_node()));
                nodes.last().and_then(|last| self.kind_of(last, depth))
            };
            let other = branch.subsequent().and_then(|n| n.as_else_node()).and_then(|e| e.statements());
            return one(branch.statements()).filter(|kind| one(other) == Some(*kind));
        }
        let call = node.as_call_node().filter(|c| !c.is_safe_navigation())?;
        let method = name(&call.name());
        let plain = ruby::arguments(call.arguments()).0;
        let Some(receiver) = call.receiver() else {
            return match method.as_str() {
                "Integer" if plain.len() <= 2 && !plain.is_empty() => {
                    Some(Kind::Integer).filter(|_| ruby::arguments(call.arguments()).1.is_empty())
                }
                "Float" => Some(Kind::Float),
                "Array" => Some(Kind::List),
                // The desired values of a property that compares all of them.
                "should" if plain.is_empty() && self.wanted.is_none() && self.attribute.is_some_and(|of| of.all && !of.is_module) => {
                    Some(Kind::List)
                }
                "String" | "format" | "sprintf" => Some(Kind::Text),
                _ => self.methods?.returned_kind(&self.receiver_of(&call)?, self.attribute, &method),
            };
        };
        match (method.as_str(), ruby::constant(&receiver).as_deref(), plain.as_slice()) {
            ("new", Some("Hash"), _) => return Some(Kind::Map),
            ("new", Some("Array"), _) => return Some(Kind::List),
            ("new", Some("String"), _) => return Some(Kind::Text),
            (
                "dup" | "clone" | "freeze" | "tap" | "+@" | "-@" | "compact" | "select" | "reject" | "reverse" | "downcase" | "upcase",
                None,
                _,
            ) => {
                return self.kind_of(&receiver, depth);
            }
            ("<<" | ">>" | "^", None, [_]) => return self.kind_of(&receiver, depth).filter(|k| *k == Kind::Integer),
            ("+" | "-" | "*" | "%" | "&" | "|" | "div" | "**", None, [other]) => {
                let (left, right) = (self.kind_of(&receiver, depth)?, self.kind_of(other, depth));
                return match (method.as_str(), left, right) {
                    (_, Kind::Integer, Some(Kind::Integer)) if method != "**" => Some(Kind::Integer),
                    ("+", Kind::Text, _) | ("*" | "%", Kind::Text, _) => Some(Kind::Text),
                    ("+" | "-" | "&" | "|", Kind::List, _) => Some(Kind::List),
                    _ => None,
                };
            }
            // The method of a class, or of a resource, may be anything.
            (_, Some(_), _) => return self.methods?.returned_kind(&self.receiver_of(&call)?, self.attribute, &method),
            _ => {}
        }
        if self.is_resource(&receiver) || self.is_provider(&receiver) {
            return None;
        }
        // `partition` of a text is a list of texts, `delete` and `values` of a list differ from those of a map.
        RESULTS.iter().find(|(_, methods)| methods.contains(&method.as_str())).map(|(kind, _)| *kind)
    }

    /// Records the kind of a local, and the values that it shares.
    pub(super) fn remember_kind(&mut self, variable: &str, value: &Node<'_>, always: bool) {
        let before = self.kinds.get(variable).copied();
        let is_sure = always || !self.locals.iter().any(|l| l == variable) || before == self.kind(value);
        match self.kind(value).filter(|_| is_sure) {
            Some(kind) => {
                self.kinds.insert(variable.to_owned(), kind);
            }
            None => {
                self.kinds.remove(variable);
            }
        }
        self.defaults.remove(variable);
        if self.is_uri(value) && self.is_assigned_once(variable) {
            self.own.uris.insert(variable.to_owned());
        }
        self.remember_match(variable, value);
        let plain = value.as_array_node().is_some_and(|l| {
            let plain = |n: &Node<'_>| ruby::text(n).is_some() || ruby::symbol(n).is_some() || n.as_integer_node().is_some();
            l.elements().iter().all(|e| plain(&e))
        });
        if plain && is_sure {
            self.plain_lists.insert(variable.to_owned())
        } else {
            self.plain_lists.remove(variable)
        };
        self.stale.remove(variable);
        self.elements.retain(|(shared, of)| shared != variable && of.as_deref() != Some(variable));
        // What an attribute holds is not changed with the local.
        if self.shares_attribute(value, MAX_DEPTH) {
            self.elements.push((variable.to_owned(), None));
        }
        let Some((root, is_whole)) = self.shared(value, MAX_DEPTH) else { return };
        if root == variable {
            return;
        }
        if is_whole {
            self.elements.push((root.clone(), Some(variable.to_owned())));
        }
        self.elements.push((variable.to_owned(), Some(root)));
    }

    /// Returns whether the code assigns a local once.
    fn is_assigned_once(&self, variable: &str) -> bool {
        let range = if self.range.is_empty() { 0..self.source.len() } else { self.range.clone() };
        self.mentions().assignments(variable, &range) == 1
    }

    /// Returns the local whose value an expression is, or a part of, and whether it is the whole value.
    fn shared(&self, node: &Node<'_>, depth: usize) -> Option<(String, bool)> {
        let depth = depth.checked_sub(1)?;
        if let Some(local) = node.as_local_variable_read_node() {
            let local = ruby::local(&local.name());
            return self.locals.contains(&local).then_some((local, true));
        }
        if let Some(inner) = node.as_parentheses_node() {
            return self.shared(ruby::statements(inner.body()).last()?, depth);
        }
        let call = node.as_call_node()?;
        let method = name(&call.name());
        if !PARTS.contains(&method.as_str()) || matches!(self.kind(node), Some(Kind::Integer | Kind::Symbol | Kind::Bool)) {
            return None;
        }
        // A part of a string is a new string.
        let receiver = call.receiver()?;
        if self.kind(&receiver) == Some(Kind::Text) {
            return None;
        }
        self.shared(&receiver, depth).map(|(local, _)| (local, false))
    }

    /// Returns whether an expression may be the value of an attribute, or a part of it.
    fn shares_attribute(&self, node: &Node<'_>, depth: usize) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        let of = |node: &Node<'_>| self.shares_attribute(node, depth);
        if let Some(inner) = node.as_parentheses_node() {
            return ruby::statements(inner.body()).last().is_some_and(of);
        }
        if let Some(either) = node.as_or_node() {
            return of(&either.left()) || of(&either.right());
        }
        let of_call = |call: ruby_prism::CallNode<'_>| {
            let part = PARTS.contains(&name(&call.name()).as_str()) && self.kind(node) != Some(Kind::Text);
            part && call.receiver().is_some_and(|receiver| self.kind(&receiver) != Some(Kind::Text) && of(&receiver))
        };
        self.attribute_read(node).is_some() || node.as_call_node().is_some_and(of_call)
    }

    /// Translates `x ||= v`, `x &&= v`, `x += v` and the other operators.
    pub(super) fn operator_write(&mut self, node: &Node<'_>) -> Text<Option<String>> {
        let (variable, operator, value) = if let Some(write) = node.as_local_variable_or_write_node() {
            (ruby::local(&write.name()), "||".to_owned(), write.value())
        } else if let Some(write) = node.as_local_variable_and_write_node() {
            (ruby::local(&write.name()), "&&".to_owned(), write.value())
        } else if let Some(write) = node.as_local_variable_operator_write_node() {
            (ruby::local(&write.name()), name(&write.binary_operator()), write.value())
        } else {
            return Ok(None);
        };
        self.join_match(&variable, &value);
        let kind = self.kinds.get(&variable).copied().or_else(|| self.texts.contains(&variable).then_some(Kind::Text));
        if operator == "<<" {
            self.changes_element(node, &variable)?;
        }
        let new = match (operator.as_str(), kind, self.kind(&value)) {
            ("+" | "-" | "*" | "%" | "/" | "|" | "&", Some(Kind::Integer), Some(Kind::Integer)) => Some(Kind::Integer),
            ("+" | "-" | "|" | "&" | "<<", Some(Kind::List), _) => Some(Kind::List),
            ("+" | "<<" | "*", Some(Kind::Text), _) => Some(Kind::Text),
            ("||" | "&&", Some(kind), Some(same)) if kind == same => Some(kind),
            _ => None,
        };
        let text = self.operated(node, &variable, kind, &operator, &value)?;
        match new {
            Some(kind) => self.kinds.insert(variable.clone(), kind),
            None => self.kinds.remove(&variable),
        };
        self.elements.retain(|(shared, of)| operator == "<<" || *shared != variable && of.as_ref() != Some(&variable));
        self.assign(variable, &text, false).map(Some)
    }

    /// Translates the value of an assignment.
    pub(super) fn value(&mut self, node: &Node<'_>) -> Text {
        if let Some(text) = self.deleted(node)? {
            return Ok(text);
        }
        self.expr(node, TERNARY)
    }
}

/// Returns the kind of a literal.
fn literal_kind(node: &Node<'_>) -> Option<Kind> {
    let literal = [
        (node.as_array_node().is_some(), Kind::List),
        (node.as_hash_node().is_some(), Kind::Map),
        (node.as_integer_node().is_some(), Kind::Integer),
        (node.as_float_node().is_some(), Kind::Float),
        (node.as_nil_node().is_some(), Kind::Nil),
        (node.as_true_node().is_some() || node.as_false_node().is_some(), Kind::Bool),
        (node.as_symbol_node().is_some() || node.as_interpolated_symbol_node().is_some(), Kind::Symbol),
        (ruby::text(node).is_some() || node.as_interpolated_string_node().is_some(), Kind::Text),
    ];
    literal.into_iter().find(|(is, _)| *is).map(|(_, kind)| kind)
}

/// Returns the kind of the values that a method returns, if it is the same for all: literals, and a local that only literals are
/// assigned to.
pub(super) fn returned_kind(def: &DefNode<'_>) -> Option<Kind> {
    let body = ruby::statements(def.body());
    let mut assigned = Assigned::default();
    body.iter().for_each(|node| assigned.visit(node));
    let parameters = Parameters::of(def);
    // It has a value in any case, and not one of the caller.
    let is_own = |local: &String| {
        let assigns = |node: &Node<'_>| node.as_local_variable_write_node().is_some_and(|write| name(&write.name()) == *local);
        parameters.are_known && !parameters.names().contains(local) && body.iter().any(assigns)
    };
    let kind = |local: Option<String>, kind: Option<Kind>| match local {
        Some(local) => {
            if !is_own(&local) {
                return None;
            }
            let mut kinds = assigned.locals.iter().filter(|(name, _)| *name == local).map(|(_, kind)| *kind);
            let first = kinds.next()??;
            kinds.all(|kind| kind == Some(first)).then_some(first)
        }
        None => kind,
    };
    let last = body.last()?;
    let of_last = kind(local_of(last), literal_kind(last))?;
    assigned.returned.iter().all(|(local, literal)| kind(local.clone(), *literal) == Some(of_last)).then_some(of_last)
}

/// Returns whether each `return` of a method returns nil.
pub(super) fn returns_only_nil(def: &DefNode<'_>) -> bool {
    let mut assigned = Assigned::default();
    ruby::statements(def.body()).iter().for_each(|node| assigned.visit(node));
    assigned.returned.iter().all(|returned| *returned == (None, Some(Kind::Nil)))
}

fn local_of(node: &Node<'_>) -> Option<String> {
    node.as_local_variable_read_node().map(|local| name(&local.name()))
}

/// What a method assigns to locals, and what it returns.
#[derive(Default)]
struct Assigned {
    locals: Vec<(String, Option<Kind>)>,
    /// The local, or the kind of the literal.
    returned: Vec<(Option<String>, Option<Kind>)>,
}

impl<'p> Visit<'p> for Assigned {
    fn visit_local_variable_write_node(&mut self, node: &LocalVariableWriteNode<'p>) {
        self.locals.push((name(&node.name()), literal_kind(&node.value())));
        ruby_prism::visit_local_variable_write_node(self, node);
    }

    fn visit_local_variable_target_node(&mut self, node: &LocalVariableTargetNode<'p>) {
        self.locals.push((name(&node.name()), None));
    }

    fn visit_local_variable_or_write_node(&mut self, node: &LocalVariableOrWriteNode<'p>) {
        self.locals.push((name(&node.name()), None));
        ruby_prism::visit_local_variable_or_write_node(self, node);
    }

    fn visit_local_variable_and_write_node(&mut self, node: &LocalVariableAndWriteNode<'p>) {
        self.locals.push((name(&node.name()), None));
        ruby_prism::visit_local_variable_and_write_node(self, node);
    }

    fn visit_local_variable_operator_write_node(&mut self, node: &LocalVariableOperatorWriteNode<'p>) {
        self.locals.push((name(&node.name()), None));
        ruby_prism::visit_local_variable_operator_write_node(self, node);
    }

    fn visit_return_node(&mut self, node: &ReturnNode<'p>) {
        let values: Vec<Node<'p>> = node.arguments().map(|given| given.arguments().iter().collect()).unwrap_or_default();
        self.returned.push(match values.as_slice() {
            [] => (None, Some(Kind::Nil)),
            [one] => (local_of(one), literal_kind(one)),
            _ => (None, Some(Kind::List)),
        });
        ruby_prism::visit_return_node(self, node);
    }
}

/// Returns whether a node is certainly a string or a symbol, for which `eql?` is `==`.
pub(super) fn is_word_like(node: &Node<'_>) -> bool {
    let converts =
        |c: &ruby_prism::CallNode<'_>| matches!(name(&c.name()).as_str(), "to_s" | "to_sym" | "downcase" | "upcase" | "strip" | "join");
    ruby::symbol(node).is_some() || ruby::text(node).is_some() || node.as_call_node().is_some_and(|c| converts(&c))
}
