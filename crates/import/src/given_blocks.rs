//! Translates methods that get a block: each becomes a function for that block, whose code is written where the method calls it.

use super::block::*;
use super::class_functions::Own;
use super::nodes::visiting;
use super::parameters::{Argument, Parameters};
use super::ruby::{self, name};
use super::things::Thing;
use ruby_prism::{ArgumentsNode, CallNode, DefNode, Node, Visit};
use std::rc::Rc;

/// The name of the block of a method that has no parameter for it.
const YIELD: &str = "yield";

/// The block that a method gets.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct GivenBlock {
    /// Number of its parameters.
    params: usize,
    /// Whether it is a lambda or a method, which take no other number of arguments.
    is_strict: bool,
    /// Locals of the caller that its code reads. They are its last parameters here.
    captured: Vec<String>,
    /// That of them which its code changes. The closure gives it, and so does the function.
    changes: Option<String>,
    /// Its code as a closure, ` { |x, captured| … }`.
    closure: String,
    /// Whether it needs the resource.
    pub is_of_type: bool,
    /// Number of blocks that the code of one is written in.
    depth: usize,
}

/// The block of the method that a function is translated from.
#[derive(Clone, Debug)]
pub(super) struct OwnBlock {
    /// Its parameter, or [`YIELD`].
    pub name: String,
    pub given: Option<Rc<GivenBlock>>,
}

impl GivenBlock {
    /// Returns the parameters of the function that has it, for what its code reads.
    pub fn parameters(&self) -> Vec<String> {
        self.captured.iter().map(|local| parameter(local)).collect()
    }

    /// Returns the parameter that its code changes.
    pub fn changed(&self) -> Option<String> {
        self.changes.as_deref().map(parameter)
    }

    /// Returns which local a call changes that passes these on.
    pub fn change<'l>(&self, passed: &'l [String]) -> Option<&'l String> {
        let at = self.captured.iter().position(|local| Some(local) == self.changes.as_ref())?;
        passed.get(at)
    }

    /// Returns a call of it with these arguments.
    fn called(&self, arguments: &[String]) -> Option<String> {
        let mut all: Vec<String> = match (self.params, arguments) {
            (0, _) => Vec::new(),
            (wanted, given) if wanted == given.len() => given.to_vec(),
            _ if self.is_strict => return None,
            // A single argument that is a list is taken apart.
            (wanted, [only]) => {
                let parts: Vec<String> = (0..wanted).map(|at| format!("whole[{at}]")).chain(self.parameters()).collect();
                let list = format!("({only}).then {{ |whole| whole.is_a?(Array) ? whole : [whole] }}");
                return Some(format!("{list}.then {{ |whole| [{}] }}.then{}", parts.join(", "), self.closure));
            }
            (wanted, given) => given.iter().cloned().chain(std::iter::repeat("nil".to_owned())).take(wanted).collect(),
        };
        all.extend(self.parameters());
        let given = match all.as_slice() {
            [] => "nil".to_owned(),
            [one] => format!("({one})"),
            several => format!("[{}]", several.join(", ")),
        };
        Some(format!("{given}.then{}", self.closure))
    }

    /// Returns a closure that calls it.
    fn as_closure(&self) -> Option<String> {
        if self.changes.is_some() {
            return None;
        }
        if self.captured.is_empty() {
            return Some(self.closure.clone());
        }
        let params: Vec<String> = (1..=self.params).map(|n| format!("given_{n}")).collect();
        let bars = if params.is_empty() { "_".to_owned() } else { params.join(", ") };
        Some(format!(" {{ |{bars}| {} }}", self.called(&params)?))
    }
}

/// Returns the name of the block of a method: its parameter, or [`YIELD`] if it only calls it.
pub(super) fn block_of(def: &DefNode<'_>) -> Option<String> {
    if let Some(block) = def.parameters().and_then(|list| list.block()) {
        let name = block.as_block_parameter_node().and_then(|b| b.name());
        return Some(name.map_or_else(|| YIELD.to_owned(), |n| ruby::local(&n)));
    }
    def.body().is_some_and(|body| calls_block(&body)).then(|| YIELD.to_owned())
}

/// Returns whether code of a method calls the method's block by `yield`, or asks for it.
pub(super) fn calls_block(code: &Node<'_>) -> bool {
    let mut found = Yields(false);
    visiting(code, || found.visit(code));
    found.0
}

/// Looks for `yield` and `block_given?` of a method itself.
struct Yields(bool);

impl<'p> Visit<'p> for Yields {
    fn visit_yield_node(&mut self, _: &ruby_prism::YieldNode<'p>) {
        self.0 = true;
    }

    fn visit_call_node(&mut self, node: &CallNode<'p>) {
        self.0 |= node.receiver().is_none() && node.name().as_slice() == b"block_given?";
        ruby_prism::visit_call_node(self, node);
    }

    fn visit_def_node(&mut self, _: &DefNode<'p>) {}
}

/// Looks for what a block cannot do in another function.
#[derive(Default)]
struct Leaves<'p>(Option<Node<'p>>);

impl<'p> Visit<'p> for Leaves<'p> {
    fn visit_branch_node_enter(&mut self, node: Node<'p>) {
        let ends = node.as_return_node().is_some() || node.as_break_node().is_some();
        let is_super = node.as_super_node().is_some() || node.as_forwarding_super_node().is_some();
        let keeps = node.as_instance_variable_write_node().is_some() || node.as_instance_variable_or_write_node().is_some();
        if ends || is_super || keeps {
            self.0 = Some(node);
        }
    }

    fn visit_lambda_node(&mut self, _: &ruby_prism::LambdaNode<'p>) {}
}

impl BlockTranslator<'_> {
    /// Matches the arguments of a call, with its block, to parameters; `None` if that is not known.
    pub(super) fn bound_with_block<'p>(&mut self, call: &CallNode<'p>, of: &Parameters) -> Text<Option<Vec<(Thing, Argument<'p>)>>> {
        if call.block().is_none() || of.block.is_none() {
            return Ok(self.bound(call, of));
        }
        let given = self.given(call)?;
        let Some(mut bound) = self.bound_at(&call.as_node(), call.arguments(), of) else { return Ok(None) };
        if let (Some(last), Some((block, passed))) = (bound.last_mut(), given) {
            *last = (Thing::Block(block), Argument::Locals(passed));
        }
        Ok(Some(bound))
    }

    /// Translates the block that a call gives, and what is passed for the locals that it reads.
    fn given(&mut self, call: &CallNode<'_>) -> Text<Option<(Rc<GivenBlock>, Vec<String>)>> {
        let node = call.as_node();
        let Some(block) = call.block() else { return Ok(None) };
        let is_strict = block.as_block_argument_node().is_some();
        let mut changes: Option<String> = None;
        let (params, closure) = if let Some(argument) = block.as_block_argument_node() {
            let Some(of) = argument.expression() else { return Ok(self.passed_on()) };
            if self.is_own_block(&of) {
                return Ok(self.passed_on());
            }
            match (self.given_block(&of)?, ruby::symbol(&of)) {
                (Some(closure), _) => (bars(&closure), closure),
                (None, Some(method)) => match self.function_of_values(&method, 0, &ruby::place(&block)) {
                    Some(function) => (vec!["x".to_owned()], format!(" {{ |x| {function}(x) }}")),
                    None => (vec!["x".to_owned()], format!(" {{ |x| x.{method} }}")),
                },
                _ => return no(&block, "this block is not supported"),
            }
        } else {
            let Some(closure) = block.as_block_node() else { return no(&block, "this block is not supported") };
            let has_own = closure.parameters().and_then(|p| p.as_block_parameters_node()).is_some_and(|p| p.locals().iter().count() > 0);
            let Some(params) = ruby::block_params(&closure).filter(|_| !has_own) else {
                return no(&block, "a block with such parameters is not supported");
            };
            let body = ruby::statements(closure.body());
            if self.only_passes_on(&params, &body) {
                return Ok(self.passed_on());
            }
            let mut leaves = Leaves::default();
            visiting(&block, || leaves.visit(&block));
            if let Some(node) = leaves.0 {
                return no(&node, format!("`{}` in a block of another method is not supported", ruby::first_line(&self.slice(&node))));
            }
            let given = if params.is_empty() { vec!["_".to_owned()] } else { params };
            let text = self.block_code(&given, &body, None)?;
            // What changes a local gives it.
            if let Some(changed) = self.locals.clone().iter().find(|local| !given.contains(local) && assigns(&text, local)) {
                changes = Some(changed.clone());
                (given.clone(), self.block_code(&given, &body, Some(changed))?)
            } else {
                (given, text)
            }
        };
        let depth = 1 + self.own.block.as_ref().and_then(|own| own.given.as_ref()).map_or(0, |outer| outer.depth);
        if depth > MAX_BLOCKS || closure.len() > MAX_TEXT {
            return no(&block, "blocks that other blocks call are not supported to that depth");
        }
        let words = |text: &str, local: &str| text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|word| word == local);
        let mut captured: Vec<String> = Vec::new();
        for local in &self.locals {
            if !params.contains(local) && !captured.contains(local) && words(&closure, local) {
                captured.push(local.clone());
            }
        }
        if let Some(changed) = captured.iter().chain(&params).find(|local| changes.as_ref() != Some(local) && assigns(&closure, local)) {
            return no(&node, format!("a block that changes `{changed}` is not supported here"));
        }
        if let Some(word) = self.own_word(&closure, &params) {
            return no(&node, format!("a block of another method that uses `{word}` is not supported"));
        }
        let is_module = matches!(Own::of(self.attribute), Own::Module | Own::Provider);
        let has_things = self.own.things.values().any(Thing::is_of_type) || !self.selves.is_empty() || !self.providers.is_empty();
        let has_outer = self.own.block.as_ref().and_then(|own| own.given.as_ref()).is_some_and(|outer| outer.is_of_type);
        let is_of_type = !is_module || has_things || has_outer;
        let own: Vec<String> = if params == ["_"] { Vec::new() } else { params.clone() };
        let all: Vec<String> = own.iter().chain(&captured).cloned().collect();
        let all = if all.is_empty() { vec!["_".to_owned()] } else { all };
        let closure = closure.replacen(&format!("|{}|", params.join(", ")), &format!("|{}|", all.join(", ")), 1);
        let passed = captured.clone();
        Ok(Some((Rc::new(GivenBlock { params: own.len(), is_strict, captured, changes, closure, is_of_type, depth }), passed)))
    }

    /// Returns a word in the code of a block that only means the same where the block is written: a value of the attribute's block, or
    /// a group of a match before.
    fn own_word(&self, closure: &str, params: &[String]) -> Option<&'static str> {
        let code = without_texts(closure);
        let has = |word: &str| code.split(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '.' && c != ':').any(|w| w == word);
        let is_free = |word: &&str| !params.iter().chain(&self.locals).any(|local| local == word);
        if let Some(word) = ["should", "is", "super"].into_iter().filter(is_free).find(|word| has(word)) {
            return Some(word);
        }
        let reads_group = closure.split('$').skip(1).any(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        (reads_group && !closure.contains("=~") && !closure.contains("sub(")).then_some("$1")
    }

    fn block_code(&mut self, params: &[String], body: &[Node<'_>], changes: Option<&str>) -> Text {
        let discards = std::mem::replace(&mut self.own.discards, changes.is_some());
        let text = match changes {
            Some(changed) => self.closure_giving(params, &[], &[], body, changed),
            None => self.closure(params, body),
        };
        self.own.discards = discards;
        text
    }

    /// Translates `yield x` as a statement, of a block that changes a local of its caller.
    pub(super) fn yielded_change(&mut self, node: &Node<'_>) -> Text<Option<String>> {
        let Some(changed) = self.own.block.as_ref().and_then(|own| own.given.as_ref()).and_then(|block| block.changed()) else {
            return Ok(None);
        };
        let is_unused = self.own.discards;
        let arguments = match (node.as_yield_node(), node.as_call_node()) {
            (Some(call), _) if is_unused => call.arguments(),
            (_, Some(call)) if is_unused && name(&call.name()) == "call" && call.receiver().is_some_and(|of| self.is_own_block(&of)) => {
                call.arguments()
            }
            _ => return Ok(None),
        };
        Ok(Some(format!("{changed} = {}", self.called_block(node, arguments)?)))
    }

    /// Returns the block of this method, as it is passed on.
    fn passed_on(&self) -> Option<(Rc<GivenBlock>, Vec<String>)> {
        let block = self.own.block.as_ref()?.given.clone()?;
        let passed = block.parameters();
        Some((block, passed))
    }

    /// Returns whether a block only calls that of this method: `{ |x| yield x }`.
    fn only_passes_on(&self, params: &[String], body: &[Node<'_>]) -> bool {
        let [only] = body else { return false };
        let arguments = match (only.as_yield_node(), only.as_call_node()) {
            (Some(call), _) => call.arguments(),
            (_, Some(call)) if name(&call.name()) == "call" && call.receiver().is_some_and(|of| self.is_own_block(&of)) => call.arguments(),
            _ => return false,
        };
        let (plain, named) = ruby::arguments(arguments);
        let locals: Option<Vec<String>> = plain.iter().map(|a| Some(ruby::local(&a.as_local_variable_read_node()?.name()))).collect();
        named.is_empty() && self.own.block.as_ref().is_some_and(|own| own.given.is_some()) && locals.as_deref() == Some(params)
    }

    /// Returns whether an expression is the block of this method.
    fn is_own_block(&self, node: &Node<'_>) -> bool {
        let local = node.as_local_variable_read_node().map(|l| ruby::local(&l.name()));
        self.own.block.as_ref().is_some_and(|own| local.as_ref() == Some(&own.name)) && !self.locals.contains(&local.unwrap_or_default())
    }

    /// Returns the closure that calls the block of this method: `list.each(&block)`.
    pub(super) fn own_block_closure(&self, node: &Node<'_>) -> Option<String> {
        self.own.block.as_ref().filter(|_| self.is_own_block(node))?.given.as_ref()?.as_closure()
    }

    /// Translates `yield x`, `block.call(x)`, `block_given?`, `block.nil?` and `block`.
    pub(super) fn yielded(&mut self, node: &Node<'_>) -> Text<Option<(String, u8)>> {
        let Some(own) = self.own.block.clone() else { return Ok(None) };
        let arguments = if let Some(call) = node.as_yield_node() {
            call.arguments()
        } else if let Some(call) = node.as_call_node() {
            if let Some(given) = self.has_block(node) {
                return Ok(Some((given.to_string(), OPERAND)));
            }
            let is_call = matches!(name(&call.name()).as_str(), "call" | "[]" | "yield" | "===") && call.block().is_none();
            match call.receiver() {
                Some(of) if is_call && self.is_own_block(&of) => call.arguments(),
                _ => return Ok(None),
            }
        } else if self.is_own_block(node) {
            return match own.given {
                None => Ok(Some(("nil".to_owned(), OPERAND))),
                Some(_) => no(node, format!("`{}` is a block, not a value", own.name)),
            };
        } else {
            return Ok(None);
        };
        let Some(block) = own.given else { return Ok(Some(("fail(\"no block given (yield)\")".to_owned(), OPERAND))) };
        if block.changes.is_some() {
            return no(node, "the value of a block that changes a local is not supported");
        }
        Ok(Some((self.called_block(node, arguments)?, OPERAND)))
    }

    fn called_block(&mut self, node: &Node<'_>, arguments: Option<ArgumentsNode<'_>>) -> Text {
        let (plain, named) = ruby::arguments(arguments);
        if !named.is_empty() || plain.iter().any(|a| a.as_splat_node().is_some()) {
            return no(node, "these arguments of a block are not supported");
        }
        let given: Text<Vec<String>> = plain.iter().map(|a| self.expr(a, TERNARY)).collect();
        let block = self.own.block.as_ref().and_then(|own| own.given.clone());
        let given = given?;
        match block.and_then(|block| block.called(&given)) {
            Some(call) => Ok(call),
            None => no(node, "a block that gets fewer or more arguments than it has parameters is not supported"),
        }
    }

    /// Returns whether a condition is true that only depends on whether this method has a block: `block_given?`, `block`, `block.nil?`.
    pub(super) fn has_block(&self, test: &Node<'_>) -> Option<bool> {
        let is_given = self.own.block.as_ref()?.given.is_some();
        if self.is_own_block(test) {
            return Some(is_given);
        }
        let call = test.as_call_node()?;
        match (name(&call.name()).as_str(), call.receiver()) {
            ("block_given?", None) => Some(is_given),
            ("nil?", Some(of)) if self.is_own_block(&of) => Some(!is_given),
            ("!", Some(of)) => self.has_block(&of).map(|given| !given),
            _ => None,
        }
    }
}

/// Returns the local of the caller that the block of a call changes.
pub(super) fn changed_by_block<'b>(bound: &'b [(Thing, Argument<'_>)]) -> Option<&'b String> {
    match bound.last()? {
        (Thing::Block(block), Argument::Locals(passed)) => block.change(passed),
        _ => None,
    }
}

/// Returns code without what its texts say; what is filled in stays.
fn without_texts(code: &str) -> String {
    let mut out = String::new();
    // For each open text or filled in part, whether it is a text; braces in the part are counted.
    let mut open: Vec<(bool, usize)> = Vec::new();
    let mut letters = code.chars().peekable();
    while let Some(letter) = letters.next() {
        match (open.last_mut(), letter) {
            (Some((true, _)), '\\') => {
                letters.next();
            }
            (Some((true, _)), '"') => {
                open.pop();
                out.push(' ');
            }
            (Some((true, _)), '#') if letters.peek() == Some(&'{') => {
                letters.next();
                open.push((false, 0));
                out.push(' ');
            }
            (Some((true, _)), _) => {}
            (_, '"') => open.push((true, 0)),
            (Some((false, 0)), '}') => {
                open.pop();
                out.push(' ');
            }
            (Some((false, braces)), '{') => {
                *braces += 1;
                out.push(letter);
            }
            (Some((false, braces)), '}') => {
                *braces -= 1;
                out.push(letter);
            }
            _ => out.push(letter),
        }
    }
    out
}

/// Returns the parameter of a function for a local that a block reads.
fn parameter(local: &str) -> String {
    format!("block_{local}")
}

/// Returns the parameters of a closure.
fn bars(closure: &str) -> Vec<String> {
    let between = closure.split('|').nth(1).unwrap_or_default();
    between.split(", ").filter(|p| !p.is_empty()).map(str::to_owned).collect()
}

/// Returns whether code assigns to a local, or to a part of it.
pub(super) fn assigns(code: &str, local: &str) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    code.match_indices(local).any(|(at, _)| {
        let (Some(before), Some(after)) = (code.get(..at), code.get(at + local.len()..)) else { return false };
        if before.ends_with(|c| is_word(c) || matches!(c, '.' | '@' | '$' | ':')) || after.starts_with(is_word) {
            return false;
        }
        let mut rest = after;
        while let Some(inside) = rest.strip_prefix('[') {
            let mut open = 1_usize;
            let end = inside.char_indices().find(|(_, c)| {
                open = match c {
                    '[' => open + 1,
                    ']' => open.saturating_sub(1),
                    _ => open,
                };
                open == 0
            });
            let Some(after) = end.and_then(|(end, _)| inside.get(end + 1..)) else { return false };
            rest = after;
        }
        let rest = rest.trim_start().trim_start_matches(['+', '-', '*', '/', '|', '&']);
        rest.strip_prefix('=').is_some_and(|rest| !rest.starts_with(['=', '~', '>']))
    })
}

/// Maximum number of blocks whose code is written in each other.
const MAX_BLOCKS: usize = 4;

/// Maximum size of the translated code of a block, in bytes.
const MAX_TEXT: usize = 8192;
