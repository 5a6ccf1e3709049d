//! Interprets methods of a provider over what is known: attributes of the resource stay expressions, calls of a document are
//! recorded.

use super::chain::Level;
use super::conditions::Uses;
use super::documents::Documents;
use super::value::{Cond, Document, Val};
use crate::block::{AttributeContext, BlockTranslator, Untranslated};
use crate::provider::ProvidedType;
use crate::ruby::{self, name};
use ruby_prism::{CallNode, DefNode, IfNode, Node, Visit};
use std::collections::BTreeMap;

/// Maximum nesting of methods and expressions.
pub(super) const MAX_DEPTH: usize = 64;

/// Maximum number of evaluated expressions.
const MAX_STEPS: usize = 20_000;

/// Maximum length of a written expression.
const MAX_CODE: usize = 10_000;

/// Methods of the native provider that a class may override.
pub const HOOKS: &[&str] =
    &["section", "setting", "separator", "file_path", "section_prefix", "section_suffix", "indent_char", "indent_width"];

/// Why a method cannot be interpreted.
#[derive(Debug)]
pub(super) enum Stop {
    /// It depends on the current value.
    Current,
    Reason(String),
}

pub(super) type EvalResult<T = Val> = Result<T, Stop>;

pub fn stop<T>(reason: impl Into<String>) -> EvalResult<T> {
    Err(Stop::Reason(reason.into()))
}

/// The result of statements.
pub(super) enum Flow {
    Value(Val),
    Return(Val),
}

/// What a method does.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Effect {
    Set {
        section: Val,
        setting: Val,
        separator: Option<Val>,
        value: Val,
        document: Val,
    },
    Remove {
        section: Val,
        setting: Val,
        document: Val,
    },
    Save,
    /// The method of the native provider.
    Base(String),
}

/// What assignments to the resource mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// None are allowed.
    Value,
    /// They are written as statements of `finalize`.
    Finalize,
    /// The document is changed; an attribute may only be assigned its own value.
    Change,
}

/// The method that runs.
pub(super) struct Frame<'m> {
    method: &'m str,
    level: usize,
    of_class: bool,
    arguments: Vec<Val>,
    pub(super) locals: BTreeMap<String, Val>,
}

pub(super) struct Interpreter<'a, 'p> {
    pub owner: &'a ProvidedType<'a>,
    pub levels: &'a [Level<'p>],
    pub has_base: bool,
    pub documents: &'a Documents,
    /// The current value; `None` if it is not known.
    pub sample: Option<Val>,
    pub mode: Mode,
    pub effects: Vec<Effect>,
    /// Where values were read.
    pub read: Vec<(Val, Val, Val)>,
    /// Statements of `finalize`.
    pub lines: Vec<String>,
    /// A property that keeps its current value, which may be none.
    pub kept: bool,
    pub(super) depth: usize,
    steps: usize,
}

impl<'a, 'p> Interpreter<'a, 'p> {
    pub fn new(owner: &'a ProvidedType<'a>, levels: &'a [Level<'p>], has_base: bool, documents: &'a Documents) -> Self {
        let (effects, read, lines) = (Vec::new(), Vec::new(), Vec::new());
        let mode = Mode::Value;
        Interpreter { owner, levels, has_base, documents, sample: None, mode, effects, read, lines, kept: false, depth: 0, steps: 0 }
    }

    /// Returns the nearest definition of a method.
    pub fn method(&self, method: &str, of_class: bool, from: usize) -> EvalResult<Option<(usize, &'a DefNode<'p>)>> {
        let levels = self.levels;
        for (at, level) in levels.iter().enumerate().skip(from) {
            // The last definition counts.
            if let Some(found) = level.methods.iter().rev().find(|m| m.name == method && m.of_class == of_class) {
                return Ok(Some((at, &found.def)));
            }
            if level.opaque.iter().any(|m| m == method || m == "*") {
                return stop(format!("how `{method}` is defined is not understood"));
            }
        }
        Ok(None)
    }

    /// Calls a method; what nothing overrides is the native provider's.
    pub fn call_method(&mut self, method: &str, of_class: bool, from: usize, arguments: Vec<Val>) -> EvalResult {
        let Some((level, def)) = self.method(method, of_class, from)? else { return self.base(method, of_class) };
        if self.depth > MAX_DEPTH {
            return stop(format!("`{method}` calls itself"));
        }
        let Some(params) = ruby::def_params(def).filter(|p| p.len() == arguments.len()) else {
            return stop(format!("the parameters of `{method}` are not understood"));
        };
        let locals = params.into_iter().zip(arguments.iter().cloned()).collect();
        let mut frame = Frame { method, level, of_class, arguments, locals };
        self.depth += 1;
        let result = self.statements(&ruby::statements(def.body()), &mut frame);
        self.depth -= 1;
        Ok(match result? {
            Flow::Value(value) | Flow::Return(value) => value,
        })
    }

    /// Evaluates an expression in a class method.
    pub fn expression(&mut self, node: &Node<'_>, level: usize, locals: BTreeMap<String, Val>) -> EvalResult {
        self.expr(node, &mut Frame { method: "", level, of_class: true, arguments: Vec::new(), locals })
    }

    fn base(&mut self, method: &str, of_class: bool) -> EvalResult {
        let base = self.has_base && !of_class;
        match method {
            "exists?" if base => Ok(Val::Exists),
            "value" if base => self.sample.clone().map_or(Ok(Val::Current), Ok),
            "create" | "destroy" | "value=" if base && self.mode == Mode::Change => {
                self.effects.push(Effect::Base(method.to_owned()));
                Ok(Val::Done)
            }
            "ini_file" if base => Ok(Val::Document(Box::new(Document { class: None, arguments: Vec::new() }))),
            hook if base && HOOKS.contains(&hook) => Ok(Val::Hook(hook.to_owned())),
            _ => stop(format!("`{method}` is not defined")),
        }
    }

    pub(super) fn statements(&mut self, all: &[Node<'_>], frame: &mut Frame<'_>) -> EvalResult<Flow> {
        let mut last = Val::Nil;
        for node in all {
            match self.statement(node, frame)? {
                Flow::Return(value) => return Ok(Flow::Return(value)),
                Flow::Value(value) => last = value,
            }
        }
        Ok(Flow::Value(last))
    }

    pub(super) fn statement(&mut self, node: &Node<'_>, frame: &mut Frame<'_>) -> EvalResult<Flow> {
        if let Some(branch) = node.as_if_node() {
            return self.branch(&branch, frame);
        }
        if let Some(branch) = node.as_unless_node() {
            let otherwise = |this: &mut Self, frame: &mut Frame<'_>| match branch.else_clause() {
                Some(clause) => this.statements(&ruby::statements(clause.statements().map(|s| s.as_node())), frame),
                None => Ok(Flow::Value(Val::Nil)),
            };
            let body = ruby::statements(branch.statements().map(|s| s.as_node()));
            return self.either(&branch.predicate(), frame, &otherwise, &|this, frame| this.statements(&body, frame));
        }
        if let Some(returned) = node.as_return_node() {
            let values: Vec<Node<'_>> = returned.arguments().iter().flat_map(|a| a.arguments().iter()).collect();
            return match values.as_slice() {
                [] => Ok(Flow::Return(Val::Nil)),
                [one] => Ok(Flow::Return(self.expr(one, frame)?)),
                _ => self.unknown(node, frame),
            };
        }
        if let Some(write) = node.as_local_variable_write_node() {
            let value = self.expr(&write.value(), frame)?;
            frame.locals.insert(name(&write.name()), value.clone());
            return Ok(Flow::Value(value));
        }
        if node.as_instance_variable_write_node().is_some() {
            // Nothing that is interpreted reads it.
            return Ok(Flow::Value(Val::Done));
        }
        if let Some(call) = node.as_call_node().filter(|c| name(&c.name()) == "[]=") {
            return self.assignment(&call, frame).map(Flow::Value);
        }
        self.expr(node, frame).map(Flow::Value)
    }

    fn branch(&mut self, branch: &IfNode<'_>, frame: &mut Frame<'_>) -> EvalResult<Flow> {
        let body = ruby::statements(branch.statements().map(|s| s.as_node()));
        let otherwise = |this: &mut Self, frame: &mut Frame<'_>| match branch.subsequent() {
            None => Ok(Flow::Value(Val::Nil)),
            Some(next) => match (next.as_if_node(), next.as_else_node()) {
                (Some(next), _) => this.branch(&next, frame),
                (None, Some(clause)) => this.statements(&ruby::statements(clause.statements().map(|s| s.as_node())), frame),
                (None, None) => this.unknown(&next, frame),
            },
        };
        self.either(&branch.predicate(), frame, &|this, frame| this.statements(&body, frame), &otherwise)
    }

    /// Interprets `resource[:x] = v`.
    fn assignment(&mut self, call: &CallNode<'_>, frame: &mut Frame<'_>) -> EvalResult {
        let node = call.as_node();
        let receiver = call.receiver();
        if receiver.as_ref().and_then(Node::as_instance_variable_read_node).is_some_and(|v| name(&v.name()) != "@resource") {
            return Ok(Val::Done);
        }
        let is_resource = match &receiver {
            Some(receiver) => self.expr(receiver, frame)? == Val::Resource,
            None => false,
        };
        let (plain, _) = ruby::arguments(call.arguments());
        let ([key, value], true) = (plain.as_slice(), is_resource) else { return self.unknown(&node, frame).map(flat) };
        let key = ruby::symbol(key).or_else(|| ruby::text(key)).filter(|k| self.has(k));
        let Some(key) = key else { return self.unknown(&node, frame).map(flat) };
        let assigned = match self.expr(value, frame) {
            Ok(Val::Current) | Err(Stop::Current) if self.mode == Mode::Finalize && key == "value" => {
                let mut is_current = |sample: Val| {
                    self.sample = Some(sample.clone());
                    let found = self.expr(value, frame);
                    self.sample = None;
                    found.is_ok_and(|found| found == sample || found == Val::List(vec![sample]))
                };
                if !is_current(Val::Nil) || !is_current(Val::Text("s".into())) || self.kept {
                    return self.unknown(&node, frame).map(flat);
                }
                self.kept = true;
                self.lines.push("self.value = nil".into());
                return Ok(Val::Done);
            }
            assigned => assigned?,
        };
        match self.mode {
            Mode::Finalize if assigned.written().is_some() && assigned != Val::Nil => {
                self.lines.push(format!("self.{key} = {}", assigned.written().unwrap_or_default()));
                Ok(Val::Done)
            }
            Mode::Change if assigned == Val::Attr(key) => Ok(Val::Done),
            _ => self.unknown(&node, frame).map(flat),
        }
    }

    fn has(&self, attribute: &str) -> bool {
        attribute == "name" || self.owner.attributes.iter().any(|a| a == attribute)
    }

    pub(super) fn slice(&self, node: &Node<'_>, frame: &Frame<'_>) -> String {
        let text = self.levels.get(frame.level).map(|l| l.text).unwrap_or_default();
        ruby::first_line(text.get(ruby::place(node)).unwrap_or_default()).to_owned()
    }

    pub(super) fn unknown(&self, node: &Node<'_>, frame: &Frame<'_>) -> EvalResult<Flow> {
        stop(format!("`{}` in `{}` is not understood", self.slice(node, frame), frame.method))
    }

    pub(super) fn expr(&mut self, node: &Node<'_>, frame: &mut Frame<'_>) -> EvalResult {
        self.steps += 1;
        if self.depth > MAX_DEPTH || self.steps > MAX_STEPS {
            return stop("it is too long");
        }
        self.depth += 1;
        let value = self.expr_at(node, frame);
        self.depth -= 1;
        match value {
            Ok(Val::Code(code) | Val::Text(code)) if code.len() > MAX_CODE => stop("it is too long"),
            value => value,
        }
    }

    fn expr_at(&mut self, node: &Node<'_>, frame: &mut Frame<'_>) -> EvalResult {
        if let Some(inner) = node.as_parentheses_node() {
            return self.statements(&ruby::statements(inner.body()), frame).map(flat);
        }
        if let Some(text) = ruby::text(node) {
            return Ok(Val::Text(text));
        }
        if let Some(word) = ruby::symbol(node) {
            return Ok(Val::Sym(word));
        }
        if node.as_nil_node().is_some() {
            return Ok(Val::Nil);
        }
        if node.as_true_node().is_some() || node.as_false_node().is_some() {
            return Ok(Val::Bool(node.as_true_node().is_some()));
        }
        if let Some(number) = node.as_integer_node() {
            let number: Option<i32> = number.value().try_into().ok();
            return number.map_or_else(|| self.unknown(node, frame).map(flat), |n| Ok(Val::Int(n.into())));
        }
        if let Some(list) = node.as_array_node() {
            return list.elements().iter().map(|e| self.expr(&e, frame)).collect::<EvalResult<Vec<Val>>>().map(Val::List);
        }
        if let Some(read) = node.as_local_variable_read_node() {
            let known = frame.locals.get(&name(&read.name())).cloned();
            return known.map_or_else(|| self.unknown(node, frame).map(flat), Ok);
        }
        if let Some(joined) = node.as_interpolated_string_node() {
            let mut text = String::new();
            for part in joined.parts().iter() {
                let inner = part.as_embedded_statements_node().map(|e| ruby::statements(e.statements().map(|s| s.as_node())));
                match (inner, ruby::text(&part)) {
                    (Some(inner), _) => match self.statements(&inner, frame).map(flat)? {
                        Val::Text(part) => text.push_str(&part),
                        _ => return self.translated(node, frame),
                    },
                    (None, Some(part)) => text.push_str(&part),
                    (None, None) => return self.unknown(node, frame).map(flat),
                }
            }
            return Ok(Val::Text(text));
        }
        if node.as_self_node().is_some() {
            return Ok(if frame.of_class { Val::OwnClass } else { Val::Own });
        }
        if node.as_instance_variable_read_node().is_some_and(|v| name(&v.name()) == "@resource" && !frame.of_class) {
            return Ok(Val::Resource);
        }
        if node.as_if_node().is_some() || node.as_unless_node().is_some() {
            return match self.statement(node, frame)? {
                Flow::Value(value) => Ok(value),
                Flow::Return(_) => self.unknown(node, frame).map(flat),
            };
        }
        if let Some(and) = node.as_and_node() {
            return self.logical(&and.left(), &and.right(), true, frame);
        }
        if let Some(or) = node.as_or_node() {
            return self.logical(&or.left(), &or.right(), false, frame);
        }
        if let Some(memo) = node.as_instance_variable_or_write_node() {
            return self.expr(&memo.value(), frame);
        }
        if node.as_forwarding_super_node().is_some() {
            let (method, level, of_class) = (frame.method, frame.level, frame.of_class);
            return self.call_method(method, of_class, level + 1, frame.arguments.clone());
        }
        if let Some(up) = node.as_super_node() {
            let (plain, named) = ruby::arguments(up.arguments());
            if !named.is_empty() {
                return self.unknown(node, frame).map(flat);
            }
            let arguments = plain.iter().map(|a| self.expr(a, frame)).collect::<EvalResult<Vec<Val>>>()?;
            let (method, level, of_class) = (frame.method, frame.level, frame.of_class);
            return self.call_method(method, of_class, level + 1, arguments);
        }
        match node.as_call_node() {
            Some(call) => self.call(&call, frame),
            None => self.translated(node, frame),
        }
    }

    fn logical(&mut self, left: &Node<'_>, right: &Node<'_>, and: bool, frame: &mut Frame<'_>) -> EvalResult {
        let first = self.expr(left, frame)?;
        match first.condition() {
            _ if self.is_falsy(&first) => self.unknown(left, frame).map(flat),
            Some(Cond::Constant(value)) if value == and => self.expr(right, frame),
            Some(Cond::Constant(_)) => Ok(first),
            Some(Cond::Code(_)) => {
                let second = self.expr(right, frame)?;
                let (Some(a), Some(b)) = (first.operand(), second.operand()) else { return self.unknown(left, frame).map(flat) };
                Ok(Val::Code(format!("{a} {} {b}", if and { "&&" } else { "||" })))
            }
            None if matches!(first, Val::Current | Val::IsAbsent | Val::Exists) => Err(Stop::Current),
            None => self.unknown(left, frame).map(flat),
        }
    }

    fn call(&mut self, call: &CallNode<'_>, frame: &mut Frame<'_>) -> EvalResult {
        let (node, method) = (call.as_node(), name(&call.name()));
        let (plain, named) = ruby::arguments(call.arguments());
        if !named.is_empty() || call.block().is_some() {
            return self.translated(&node, frame);
        }
        if let Some(class) = call.receiver().as_ref().and_then(ruby::constant) {
            if let (Some(known), "new") = (self.documents.class(&class), method.as_str()) {
                let arguments = plain.iter().map(|a| self.expr(a, frame)).collect::<EvalResult<Vec<Val>>>()?;
                return Ok(Val::Document(Box::new(Document { class: Some(known.class.clone()), arguments })));
            }
            return self.translated(&node, frame);
        }
        let receiver = match call.receiver() {
            None if frame.of_class => Val::OwnClass,
            None => Val::Own,
            Some(receiver) => self.expr(&receiver, frame)?,
        };
        // What the resource is asked is translated as in blocks, unless it is one of a few questions.
        let is_question = matches!(method.as_str(), "==" | "!=" | "!" | "nil?" | "kind_of?" | "is_a?" | "[]" | "empty?");
        if matches!(receiver, Val::Attr(_) | Val::Code(_)) && !is_question {
            return self.translated(&node, frame);
        }
        let class = plain.first().and_then(ruby::constant);
        if let ("kind_of?" | "is_a?" | "instance_of?", Some(class)) = (method.as_str(), class) {
            return self.kind(&receiver, &class, &node, frame);
        }
        let arguments = plain.iter().map(|a| self.expr(a, frame)).collect::<EvalResult<Vec<Val>>>()?;
        match self.answer(&receiver, &method, arguments, frame.of_class)? {
            Some(value) => Ok(value),
            None if receiver == Val::Current => Err(Stop::Current),
            None => self.translated(&node, frame),
        }
    }

    fn kind(&mut self, receiver: &Val, class: &str, node: &Node<'_>, frame: &mut Frame<'_>) -> EvalResult {
        match (receiver, class) {
            (Val::Current, _) => Err(Stop::Current),
            (Val::List(_), "Array") => Ok(Val::Bool(true)),
            (Val::Text(_), "String") => Ok(Val::Bool(true)),
            (Val::List(_), "String") | (Val::Text(_) | Val::Nil, "Array") | (Val::Nil, "String") => Ok(Val::Bool(false)),
            (Val::Attr(_) | Val::Code(_), "Array" | "String") => {
                Ok(Val::Code(format!("{}.is_a?({class})", receiver.operand().unwrap_or_default())))
            }
            _ => self.unknown(node, frame).map(flat),
        }
    }

    /// Translates an expression that uses only the resource.
    fn translated(&self, node: &Node<'_>, frame: &Frame<'_>) -> EvalResult {
        let Some(level) = self.levels.get(frame.level) else { return self.unknown(node, frame).map(flat) };
        let mut uses = Uses::default();
        uses.visit(node);
        if uses.others {
            return self.unknown(node, frame).map(flat);
        }
        match BlockTranslator::new(self.owner.scope, level.text, Some(&AttributeContext::default())).single(node) {
            Ok(code) if !code.contains("provider") => Ok(Val::Code(code)),
            Ok(_) => self.unknown(node, frame).map(flat),
            Err(Untranslated { text, .. }) => stop(format!("`{}` in `{}`: {text}", self.slice(node, frame), frame.method)),
        }
    }
}

fn flat(flow: Flow) -> Val {
    match flow {
        Flow::Value(value) | Flow::Return(value) => value,
    }
}
