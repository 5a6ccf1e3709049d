//! Translates lambdas and procs: their code is written where they are called.

use super::block::*;
use super::ruby::{self, name};
use rtype_lang::syntax::quote;
use ruby_prism::{CallNode, Node};
use std::collections::BTreeSet;

/// A lambda or proc.
#[derive(Clone, Debug)]
pub struct InlinedLambda {
    /// Its parameters.
    params: Vec<String>,
    /// Its code as a closure, ` { |x| … }`.
    pub(super) closure: String,
    /// Number of locals where it was made.
    locals: usize,
}

impl InlinedLambda {
    /// Returns a lambda whose code reads no locals but its parameters.
    pub(super) fn new(params: Vec<String>, closure: String) -> InlinedLambda {
        InlinedLambda { params, closure, locals: usize::MAX }
    }

    /// Returns whether it has so many parameters.
    pub(super) fn takes(&self, count: usize) -> bool {
        self.params.len() == count
    }
}

/// How `return` leaves the code of a lambda or proc.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LambdaBody {
    /// Number of closures around its statements.
    pub closures: usize,
    /// Whether `return` returns from it, as in a lambda, and not from the method around it.
    pub returns: bool,
}

impl BlockTranslator<'_> {
    /// Translates `->(x) { … }`, `lambda { |x| … }` and `proc { |x| … }`; `None` for other nodes.
    pub(super) fn lambda(&mut self, node: &Node<'_>) -> Text<Option<InlinedLambda>> {
        let (params, body, returns) = if let Some(lambda) = node.as_lambda_node() {
            (ruby::lambda_params(&lambda), ruby::statements(lambda.body()), true)
        } else if let Some(call) = node.as_call_node()
            && let Some(block) = ruby::block(&call)
            && let Some(returns) = makes_lambda(&call)
        {
            (ruby::block_params(&block), ruby::statements(block.body()), returns)
        } else {
            return Ok(None);
        };
        self.lambda_of(node, params, body, returns).map(Some)
    }

    /// Translates the code of a lambda or proc; `returns` is whether `return` leaves it.
    pub(super) fn lambda_of(
        &mut self,
        node: &Node<'_>,
        params: Option<Vec<String>>,
        body: Vec<Node<'_>>,
        returns: bool,
    ) -> Text<InlinedLambda> {
        let Some(params) = params else { return no(node, "a lambda with such parameters is not supported") };
        let locals = self.locals.len();
        let given = if params.is_empty() { vec!["_".to_owned()] } else { params.clone() };
        let outer = self.own.lambda.replace(LambdaBody { closures: self.closures + 1, returns });
        let discards = std::mem::replace(&mut self.own.discards, false);
        let closure = self.closure(&given, &body);
        self.own.lambda = outer;
        self.own.discards = discards;
        let closure = closure?;
        if closure.len() > MAX_LAMBDA {
            return no(node, format!("a lambda of more than {MAX_LAMBDA} bytes, with those that it calls, is not supported"));
        }
        Ok(InlinedLambda { params, closure, locals })
    }

    /// Records a local that is a lambda or proc.
    pub(super) fn assign_lambda(&mut self, variable: &str, value: &Node<'_>) -> Text<bool> {
        let is_known = self.own.lambdas.contains_key(variable);
        let Some(lambda) = self.lambda(value)? else {
            return if is_known { no(value, "a local that is a lambda and another value is not supported") } else { Ok(false) };
        };
        if is_known || self.closures > 0 || self.locals.iter().any(|l| l == variable) {
            return no(value, "a local that is one of several lambdas is not supported");
        }
        self.own.lambdas.insert(variable.to_owned(), lambda);
        Ok(true)
    }

    /// Returns the closure of a local or constant that is a lambda or proc.
    pub(super) fn lambda_closure(&self, node: &Node<'_>) -> Text<Option<InlinedLambda>> {
        let local = node.as_local_variable_read_node().map(|l| ruby::local(&l.name()));
        let constant = || ruby::constant(node).and_then(|c| self.scope.lambdas.get(&c));
        let Some(lambda) = local.and_then(|l| self.own.lambdas.get(&l)).or_else(constant) else { return Ok(None) };
        // Its code must not read other locals that have the same names here.
        let later = self.locals.get(lambda.locals..).unwrap_or_default();
        let mut words = lambda.closure.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        if ruby::constant(node).is_none() && words.any(|w| later.iter().any(|l| l == w) && !lambda.params.iter().any(|p| p == w)) {
            return no(node, "a lambda with a local of the same name as another one here is not supported");
        }
        Ok(Some(lambda.clone()))
    }

    /// Translates the call of a lambda or proc: `f.call(x)`, `f.(x)` and `f[x]`.
    pub(super) fn lambda_call(&mut self, receiver: &Node<'_>, method: &str, plain: &[Node<'_>]) -> Text<Option<(String, u8)>> {
        if let Some(found) = self.of_table(receiver, method, plain)? {
            return Ok(Some(found));
        }
        if !matches!(method, "call" | "[]" | "yield" | "===") {
            return Ok(None);
        }
        if method == "[]"
            && let Some(found) = self.of_map_with_default(receiver, plain)?
        {
            return Ok(Some(found));
        }
        if let Some(found) = self.table_call(receiver, plain)? {
            return Ok(Some(found));
        }
        let made = if receiver.as_local_variable_read_node().is_some() { None } else { self.lambda(receiver)? };
        let lambda = match made {
            Some(_) => made,
            None => self.lambda_closure(receiver)?,
        };
        let Some(lambda) = lambda else { return Ok(None) };
        if plain.len() != lambda.params.len() || plain.iter().any(|n| n.as_splat_node().is_some()) {
            return no(receiver, "these arguments of a lambda are not supported");
        }
        let given = match plain {
            [] => "nil".to_owned(),
            [one] => self.expr(one, OPERAND)?,
            several => {
                let several: Text<Vec<String>> = several.iter().map(|n| self.expr(n, TERNARY)).collect();
                format!("[{}]", several?.join(", "))
            }
        };
        Ok(Some((format!("{given}.then{}", lambda.closure), OPERAND)))
    }

    /// Translates `&f` and `&method(:f)`, the block of a call.
    pub(super) fn given_block(&self, node: &Node<'_>) -> Text<Option<String>> {
        if let Some(closure) = self.own_block_closure(node).map(Some).or(self.lambda_closure(node)?.map(|lambda| Some(lambda.closure))) {
            return Ok(closure);
        }
        let Some(call) = node.as_call_node().filter(|c| name(&c.name()) == "method" && c.receiver().is_none()) else { return Ok(None) };
        let wanted = ruby::arguments(call.arguments()).0;
        let [wanted] = wanted.as_slice() else { return Ok(None) };
        let Some(wanted) = ruby::symbol(wanted).or_else(|| ruby::text(wanted)) else { return Ok(None) };
        let function = match wanted.as_str() {
            "Integer" | "Float" | "Array" | "String" => Some(wanted),
            _ => self.function_named(&wanted),
        };
        Ok(function.map(|function| format!(" {{ |x| {function}(x) }}")))
    }

    /// Translates the block of a call. A method that gets an element and more takes them as parameters.
    pub(super) fn given_block_of(&self, call: &CallNode<'_>, node: &Node<'_>) -> Text<Option<String>> {
        let is_method = node.as_call_node().is_some_and(|c| name(&c.name()) == "method");
        if is_method && gives_several(call) {
            return no(node, "a method that gets an element and more is not supported here");
        }
        self.given_block(node)
    }

    /// Translates `send("#{x}_check", v)` to a `match` of the methods whose names fit.
    pub(super) fn sent_by_text(&mut self, wanted: &Node<'_>, arguments: &[Node<'_>]) -> Text<Option<String>> {
        let parts: Vec<Node<'_>> = match (wanted.as_interpolated_string_node(), wanted.as_interpolated_symbol_node()) {
            (Some(text), _) => text.parts().iter().collect(),
            (_, Some(symbol)) => symbol.parts().iter().collect(),
            _ => return Ok(None),
        };
        let literal = |part: Option<&Node<'_>>| {
            part.and_then(|p| p.as_string_node()).map(|s| String::from_utf8_lossy(s.unescaped()).into_owned()).unwrap_or_default()
        };
        let (start, end) = (literal(parts.first()), literal(parts.last()));
        let mut names: BTreeSet<String> = self.attribute.map(|owner| owner.helpers.keys().cloned().collect()).unwrap_or_default();
        if self.attribute.is_none() {
            names.extend(self.scope.functions.iter().cloned());
        }
        names.retain(|name| name.len() >= start.len() + end.len() && name.starts_with(&start) && name.ends_with(&end));
        if names.is_empty() || names.len() > MAX_SENT {
            return Ok(None);
        }
        let given: Text<Vec<String>> = arguments.iter().map(|a| self.expr(a, TERNARY)).collect();
        let given = given?.join(", ");
        let mut text = String::from("\"");
        for part in &parts {
            self.part(part, &mut text)?;
        }
        let of = self.unused("sent");
        let mut arms: Vec<String> = Vec::new();
        for name in &names {
            let Some(function) = self.function_named(name) else { return Ok(None) };
            arms.push(format!("{} => {function}({given})", quote(name)));
        }
        arms.push(format!("_ => fail(\"undefined method `#{{{of}}}'\")"));
        Ok(Some(format!("{text}\".then {{ |{of}| match {of} {{\n{}\n}} }}", arms.join("\n"))))
    }

    /// Returns the function that a method without a receiver becomes.
    pub(super) fn function_named(&self, method: &str) -> Option<String> {
        if let Some(function) = self.attribute.and_then(|owner| owner.helpers.get(method)) {
            return Some(function.clone());
        }
        if self.scope.functions.contains(method) && (self.attribute.is_none() || self.scope.outside.contains(method)) {
            return Some(self.scope.function_word(method));
        }
        let is_module = self.attribute.is_some_and(|o| o.is_module) && self.own.this.is_none();
        if is_module { (self.function_of)(&Caller::Own, method) } else { None }
    }
}

/// Maximum size of the translated code of a lambda, in bytes: it is written at each call, also of lambdas that call it.
const MAX_LAMBDA: usize = 8192;

/// Maximum number of methods that a computed name may be of.
const MAX_SENT: usize = 20;

/// Returns whether a call makes a lambda, from which `return` returns, or a proc; `None` for other calls.
fn makes_lambda(call: &CallNode<'_>) -> Option<bool> {
    let class = call.receiver().map(|of| ruby::constant(&of).unwrap_or_default());
    match (name(&call.name()).as_str(), class.as_deref()) {
        ("lambda", None | Some("Kernel")) => Some(true),
        ("proc", None | Some("Kernel")) | ("new", Some("Proc")) => Some(false),
        _ => None,
    }
}

/// Returns whether a closure of a call gets more than the element: its index, or an object.
fn gives_several(call: &CallNode<'_>) -> bool {
    let several = |method: &str| {
        matches!(method, "each_with_index" | "with_index" | "each_with_object" | "with_object" | "each_pair" | "inject" | "reduce")
    };
    let of = call.receiver().and_then(|of| of.as_call_node()).map(|of| name(&of.name()));
    several(&name(&call.name())) || of.is_some_and(|of| several(&of))
}
