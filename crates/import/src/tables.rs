//! Tables of lambdas and procs, `CHECKS = { tcp: ->(x) { … } }`: a call of an entry becomes the call of a function that chooses by the key.

use super::block::*;
use super::budget::DECLARATION;
use super::class_functions::{Own, of_module};
use super::eval::{OBJECT, Proc, ProcCode, RubyValue};
use super::items::LoadedRuby;
use super::known::{StaticValue, fixed};
use super::lambdas::InlinedLambda;
use super::parts::left_call;
use super::plain::{is_changing, receivers};
use super::ruby::{self, ByteRange, is_word, name};
use super::type_decl::{Fragment, Reader};
use ruby_prism::{CallNode, Node, Visit};
use std::rc::Rc;

/// A table whose entries translated code calls.
pub(super) struct RequestedTable<'p> {
    /// The name of its function in the type file.
    function: String,
    at: ByteRange,
    file: usize,
    /// The keys as written, each with the code.
    entries: Vec<(String, Rc<Proc<'p>>)>,
    is_done: bool,
}

impl RequestedTable<'_> {
    /// Returns whether its function has this name.
    pub(super) fn is_named(&self, function: &str) -> bool {
        self.function == function
    }
}

/// What is known of a table of lambdas.
pub(super) struct LambdaTable {
    /// The function that calls an entry: its first argument is the key.
    pub function: String,
    /// The keys as written.
    pub keys: Vec<String>,
    /// How many arguments each entry takes.
    pub arity: usize,
}

/// Maximum number of entries of a table.
const MAX_ENTRIES: usize = 64;

impl<'p> Reader<'_, '_, 'p> {
    /// Returns the table of lambdas that a constant is.
    pub(super) fn lambda_table(&self, at: &ByteRange) -> Option<LambdaTable> {
        let RubyValue::Hash(hash) = self.loaded.constant_at(self.file, at)? else { return None };
        let pairs = hash.pairs.borrow().clone();
        if !hash.default.borrow().is_nil() || hash.default_block.is_some() || self.is_changed_table(self.slice(at)) {
            return None;
        }
        if pairs.is_empty() || pairs.len() > MAX_ENTRIES {
            return None;
        }
        let ruby = self.loaded.ruby.borrow();
        let entry = |(key, value): (RubyValue<'p>, RubyValue<'p>)| {
            let RubyValue::Proc(code) = value else { return None };
            // Others are patterns in a `match`.
            let key =
                fixed(&ruby, &key).filter(|key| matches!(key, StaticValue::Text(_) | StaticValue::Symbol(_) | StaticValue::Integer(_)))?;
            Some((key.written()?, code))
        };
        let entries: Vec<(String, Rc<Proc<'p>>)> = pairs.into_iter().map(entry).collect::<Option<_>>()?;
        drop(ruby);
        let arities: Vec<usize> = entries.iter().map(|(_, code)| Some(params_of(code)?.len())).collect::<Option<_>>()?;
        let arity = arities.first().copied().filter(|first| arities.iter().all(|n| n == first))?;
        let keys: Vec<String> = entries.iter().map(|(key, _)| key.clone()).collect();
        let mut all = self.tables.borrow_mut();
        let is_same = |known: &&RequestedTable<'p>| {
            known.entries.len() == entries.len() && known.entries.iter().zip(&entries).all(|(a, b)| Rc::ptr_eq(&a.1, &b.1))
        };
        if let Some(known) = all.iter().find(is_same) {
            return Some(LambdaTable { function: known.function.clone(), keys, arity });
        }
        let last = self.slice(at).rsplit("::").next().unwrap_or_default().to_lowercase();
        let free = |f: &String| is_word(f) && !self.is_function(f) && !all.iter().any(|t| t.function == *f);
        let function = (1..=MAX_ENTRIES).map(|n| if n == 1 { format!("{last}_entry") } else { format!("{last}_entry_{n}") }).find(free)?;
        all.push(RequestedTable { function: function.clone(), at: at.clone(), file: self.file, entries, is_done: false });
        Some(LambdaTable { function, keys, arity })
    }

    /// Returns a constant map, as written, and what it gives for other keys.
    pub(super) fn map_with_default(&self, at: &ByteRange) -> Option<(String, String)> {
        let RubyValue::Hash(hash) = self.loaded.constant_at(self.file, at)? else { return None };
        let default = hash.default.borrow().clone();
        if default.is_nil() || hash.default_block.is_some() || self.is_changed_table(self.slice(at)) {
            return None;
        }
        let pairs = hash.pairs.borrow().iter().map(|(k, v)| Some((self.loaded.fixed(k)?, self.loaded.fixed(v)?))).collect::<Option<_>>()?;
        Some((StaticValue::Map(pairs).written()?, self.loaded.fixed(&default)?.written()?))
    }

    /// Returns whether some code changes a constant in place.
    fn is_changed_table(&self, constant: &str) -> bool {
        let last = |text: &str| text.rsplit("::").next().unwrap_or_default().to_owned();
        let wanted = last(constant);
        let is_it = |of: Option<Node<'_>>| of.as_ref().and_then(ruby::constant).is_some_and(|c| last(&c) == wanted);
        (0..self.texts.len()).any(|file| {
            self.loaded.nodes(file).iter().filter_map(|(_, node)| node.as_call_node()).any(|call| {
                let method = name(&call.name());
                (is_changing(&method) || method.starts_with("default")) && is_it(receivers(&call).pop())
            })
        })
    }

    /// Translates the tables that translated code uses.
    pub(super) fn requested_tables(&mut self) -> Vec<Fragment> {
        let mut pieces = Vec::new();
        loop {
            let next = self.tables.borrow_mut().iter_mut().find(|t| !t.is_done).map(|table| {
                table.is_done = true;
                (table.function.clone(), table.at.clone(), table.file, table.entries.clone())
            });
            let Some((function, at, file, entries)) = next else { return pieces };
            if self.loaded.budget.spend(DECLARATION).is_none() {
                return pieces;
            }
            let code = self.table_function(&function, &entries);
            self.go(file);
            pieces.push(Fragment { mixed_in: true, ..self.coded(&at, "", code) });
        }
    }

    fn table_function(&mut self, function: &str, entries: &[(String, Rc<Proc<'p>>)]) -> Text {
        let (mut arms, mut arity) = (Vec::new(), 0);
        for (key, code) in entries {
            self.go(code.file);
            self.scope.known.clear();
            let class = if let RubyValue::Class(class) = code.self_value { class } else { OBJECT };
            let owner = of_module(class, &Own::Module);
            let node = match &code.code {
                ProcCode::Lambda(lambda) => lambda.as_node(),
                ProcCode::Block(block) => block.as_node(),
                ProcCode::Symbol(_) | ProcCode::Method(..) => continue,
            };
            let params = params_of(code).unwrap_or_default();
            arity = params.len();
            let lambda = match self.block(Some(&owner), |block| block.lambda_of(&node, Some(params), body_of(code), code.is_lambda)) {
                Ok(lambda) => lambda,
                Err(reason) => {
                    arms.push(format!("{key} => {}", left_call(&reason)));
                    self.left.borrow_mut().push(reason);
                    continue;
                }
            };
            let given = (1..=arity).map(|n| format!("given_{n}")).collect::<Vec<_>>();
            let given = match given.as_slice() {
                [] => "nil".to_owned(),
                [one] => one.clone(),
                several => format!("[{}]", several.join(", ")),
            };
            arms.push(format!("{key} => {given}.then{}", lambda.closure));
        }
        let given: String = (1..=arity).map(|n| format!(", given_{n}")).collect();
        arms.push("_ => fail(\"undefined method `call' for nil:NilClass\")".to_owned());
        Ok(format!("fn {function}(key{given}) {{ match key {{\n{}\n}} }}", arms.join("\n")))
    }
}

impl<'p> LoadedRuby<'_, 'p> {
    /// Returns the value of the constant at a place.
    fn constant_at(&self, file: usize, at: &ByteRange) -> Option<RubyValue<'p>> {
        let node = self.node(file, at, &|n| n.as_constant_read_node().is_some() || n.as_constant_path_node().is_some())?;
        let frame = self.frame_at(file, at);
        self.ruby.borrow_mut().eval(&frame, &node).ok()
    }
}

fn params_of(code: &Proc<'_>) -> Option<Vec<String>> {
    match &code.code {
        ProcCode::Lambda(lambda) => ruby::lambda_params(lambda),
        ProcCode::Block(block) => ruby::block_params(block),
        ProcCode::Symbol(_) | ProcCode::Method(..) => None,
    }
}

fn body_of<'p>(code: &Proc<'p>) -> Vec<Node<'p>> {
    match &code.code {
        ProcCode::Lambda(lambda) => ruby::statements(lambda.body()),
        ProcCode::Block(block) => ruby::statements(block.body()),
        ProcCode::Symbol(_) | ProcCode::Method(..) => Vec::new(),
    }
}

impl BlockTranslator<'_> {
    /// Returns the table of lambdas that a node names.
    pub(super) fn lambda_table(&self, node: &Node<'_>) -> Option<LambdaTable> {
        ruby::constant(node)?;
        self.methods?.lambda_table(&ruby::place(node))
    }

    /// Translates `TABLE[key]` of a map with a default.
    pub(super) fn of_map_with_default(&mut self, receiver: &Node<'_>, plain: &[Node<'_>]) -> Text<Option<(String, u8)>> {
        let local = receiver.as_local_variable_read_node().map(|l| ruby::local(&l.name()));
        if let ([key], Some(default), Some(local)) = (plain, local.as_ref().and_then(|l| self.defaults.get(l)).cloned(), &local) {
            return Ok(Some((format!("{local}.fetch({}, {default})", self.expr(key, TERNARY)?), OPERAND)));
        }
        let table = ruby::constant(receiver).and_then(|_| self.methods?.map_with_default(&ruby::place(receiver)));
        let ([key], Some((map, default))) = (plain, table) else { return Ok(None) };
        Ok(Some((format!("{map}.fetch({}, {default})", self.expr(key, TERNARY)?), OPERAND)))
    }

    /// Translates `TABLE[key].call(x)` and `TABLE.fetch(key).call(x)`.
    pub(super) fn table_call(&mut self, receiver: &Node<'_>, plain: &[Node<'_>]) -> Text<Option<(String, u8)>> {
        let Some(call) = receiver.as_call_node().filter(|c| c.block().is_none()) else { return Ok(None) };
        let keys = ruby::arguments(call.arguments()).0;
        let (true, Some(of), [key]) = (matches!(name(&call.name()).as_str(), "[]" | "fetch"), call.receiver(), keys.as_slice()) else {
            return Ok(None);
        };
        let Some(table) = self.lambda_table(&of).filter(|table| table.arity == plain.len()) else { return Ok(None) };
        let given: Text<Vec<String>> = [key].into_iter().chain(plain).map(|n| self.expr(n, TERNARY)).collect();
        Ok(Some((format!("{}({})", table.function, given?.join(", ")), OPERAND)))
    }

    /// Translates what is asked of a table itself: its keys.
    pub(super) fn of_table(&mut self, receiver: &Node<'_>, method: &str, plain: &[Node<'_>]) -> Text<Option<(String, u8)>> {
        if !matches!(method, "keys" | "key?" | "has_key?" | "include?" | "member?") {
            return Ok(None);
        }
        let Some(table) = self.lambda_table(receiver) else { return Ok(None) };
        let keys = format!("[{}]", table.keys.join(", "));
        Ok(match (method, plain) {
            ("keys", []) => Some((keys, OPERAND)),
            ("keys", _) => None,
            (_, [key]) => Some((format!("{keys}.include?({})", self.expr(key, TERNARY)?), OPERAND)),
            _ => None,
        })
    }

    /// Translates a loop over a table, `TABLE.each { |key, entry| … }`, to one over its keys.
    pub(super) fn table_loop(&mut self, call: &CallNode<'_>, method: &str) -> Text<Option<(String, u8)>> {
        let (Some(of), Some(block)) = (call.receiver(), ruby::block(call)) else { return Ok(None) };
        if !matches!(method, "each" | "each_pair" | "map" | "flat_map" | "all?" | "any?" | "none?") || call.arguments().is_some() {
            return Ok(None);
        }
        let Some([key, entry]) = ruby::block_params(&block).and_then(|p| <[String; 2]>::try_from(p).ok()) else { return Ok(None) };
        let Some(table) = self.lambda_table(&of).filter(|_| !self.locals.contains(&entry)) else { return Ok(None) };
        let mut rebinds = Rebinds { locals: [&key, &entry], found: false };
        ruby::statements(block.body()).iter().for_each(|node| rebinds.visit(node));
        if rebinds.found {
            return no(&call.as_node(), "a loop over a table that changes its parameters is not supported");
        }
        let outer = self.own.lambdas.insert(entry.clone(), Self::table_entry(&table, &key));
        let closure = self.closure(std::slice::from_ref(&key), &ruby::statements(block.body()));
        match outer {
            Some(outer) => self.own.lambdas.insert(entry, outer),
            None => self.own.lambdas.remove(&entry),
        };
        let method = if method == "each_pair" { "each" } else { method };
        Ok(Some((format!("[{}].{method}{}", table.keys.join(", "), closure?), OPERAND)))
    }

    /// Returns the entry of a key that is in a local.
    fn table_entry(table: &LambdaTable, key: &str) -> InlinedLambda {
        let given: Vec<String> = (1..=table.arity.max(1)).map(|n| format!("given_{n}")).collect();
        let passed: String = given.iter().take(table.arity).map(|g| format!(", {g}")).collect();
        InlinedLambda::new(given.clone(), format!(" {{ |{}| {}({key}{passed}) }}", given.join(", "), table.function))
    }
}

/// Looks for code that gives one of two locals another value, or is a closure with a parameter of its name.
struct Rebinds<'a> {
    locals: [&'a String; 2],
    found: bool,
}

impl<'p> Visit<'p> for Rebinds<'_> {
    fn visit_branch_node_enter(&mut self, node: Node<'p>) {
        let local = node.as_local_variable_write_node().map(|w| name(&w.name()));
        let local = local.or_else(|| node.as_local_variable_operator_write_node().map(|w| name(&w.name())));
        let local = local.or_else(|| node.as_local_variable_or_write_node().map(|w| name(&w.name())));
        let local = local.or_else(|| node.as_local_variable_and_write_node().map(|w| name(&w.name())));
        self.found |= local.is_some_and(|local| self.locals.iter().any(|known| **known == local));
    }

    fn visit_leaf_node_enter(&mut self, node: Node<'p>) {
        let local = node.as_local_variable_target_node().map(|w| name(&w.name()));
        let local = local.or_else(|| node.as_required_parameter_node().map(|w| name(&w.name())));
        self.found |= local.is_some_and(|local| self.locals.iter().any(|known| **known == local));
    }
}
