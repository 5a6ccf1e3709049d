//! Evaluates what is known when a type is loaded: literals, and values that Ruby computes from them. Types are declared in loops
//! over such values, which are used in names and patterns. Values that depend on a machine or a resource are not known.

use super::budget::{BYTES, BudgetFrame};
use super::modules::RubyModules;
use super::ruby::{self, name};
use rtype_lang::syntax::{quote, written_symbol};
use rtype_lang::value::versioncmp;
use ruby_prism::{CallNode, Node};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// The version of Puppet whose behaviour is assumed.
const PUPPET_VERSION: &str = "7.23.0";
/// Maximum number of steps to compute one value.
const MAX_STEPS: usize = 10_000;
const MAX_DEPTH: usize = 48;
/// Maximum size of a value in bytes.
const MAX_VALUE: usize = 1 << 20;

/// A value that is known when the type is loaded.
#[derive(Clone, Debug, PartialEq)]
pub enum StaticValue {
    Nil,
    Bool(bool),
    Integer(i64),
    Symbol(String),
    Text(String),
    /// Source and flags, as in Ruby.
    Regex(String, String),
    List(Vec<StaticValue>),
    Map(Vec<(StaticValue, StaticValue)>),
    /// A Ruby class used as a value; becomes a symbol of that name.
    Class(String),
    /// A function that returns its argument.
    Identity,
}

/// Locals by name.
pub type Locals = BTreeMap<String, StaticValue>;

impl StaticValue {
    /// Returns the text of a symbol or string.
    pub fn word(&self) -> Option<String> {
        match self {
            StaticValue::Symbol(word) | StaticValue::Text(word) => Some(word.clone()),
            _ => None,
        }
    }

    /// Returns the approximate size in bytes.
    pub fn weight(&self) -> usize {
        let inside = match self {
            StaticValue::Nil | StaticValue::Bool(_) | StaticValue::Integer(_) | StaticValue::Identity => 0,
            StaticValue::Symbol(text) | StaticValue::Text(text) | StaticValue::Class(text) => text.len(),
            StaticValue::Regex(source, flags) => source.len() + flags.len(),
            StaticValue::List(items) => items.iter().map(StaticValue::weight).sum(),
            StaticValue::Map(pairs) => pairs.iter().map(|(k, v)| k.weight() + v.weight()).sum(),
        };
        inside + BYTES
    }

    pub fn is_true(&self) -> bool {
        !matches!(self, StaticValue::Nil | StaticValue::Bool(false))
    }

    /// Returns the value as written in blocks.
    pub fn written(&self) -> Option<String> {
        Some(match self {
            StaticValue::Nil => "nil".to_owned(),
            StaticValue::Bool(b) => b.to_string(),
            StaticValue::Integer(n) => n.to_string(),
            StaticValue::Symbol(word) | StaticValue::Class(word) => written_symbol(word),
            StaticValue::Text(text) => quote(text),
            StaticValue::Regex(source, flags) => ruby::regex(source, flags.contains('i'), flags.contains('m'), flags.contains('x')),
            StaticValue::List(items) => format!("[{}]", items.iter().map(StaticValue::written).collect::<Option<Vec<_>>>()?.join(", ")),
            StaticValue::Map(pairs) => {
                let pairs: Option<Vec<String>> = pairs.iter().map(|(k, v)| Some(format!("{} => {}", k.written()?, v.written()?))).collect();
                format!("{{{}}}", pairs?.join(", "))
            }
            StaticValue::Identity => return None,
        })
    }

    /// Returns the result of `to_s`.
    pub fn text(&self) -> Option<String> {
        Some(match self {
            StaticValue::Nil => String::new(),
            StaticValue::Bool(b) => b.to_string(),
            StaticValue::Integer(n) => n.to_string(),
            StaticValue::Symbol(word) | StaticValue::Text(word) | StaticValue::Class(word) => word.clone(),
            // Without flags, the difference to Ruby's `(?-mix:…)` does not matter.
            StaticValue::Regex(source, flags) if flags.is_empty() => format!("(?:{source})"),
            _ => return None,
        })
    }
}

/// Evaluates known values.
pub struct Folder<'a, 'p> {
    modules: &'a RubyModules<'p>,
    /// The file that `__FILE__` refers to.
    file: String,
    locals: Locals,
    /// The module whose function is being evaluated.
    module: String,
    returned: Option<StaticValue>,
    steps: usize,
    depth: usize,
}

impl<'a, 'p> Folder<'a, 'p> {
    pub fn new(modules: &'a RubyModules<'p>, path: &str) -> Folder<'a, 'p> {
        Folder { modules, file: path.to_owned(), locals: Locals::new(), module: String::new(), returned: None, steps: MAX_STEPS, depth: 0 }
    }

    /// Sets known locals.
    pub fn with(mut self, locals: &Locals) -> Folder<'a, 'p> {
        match pay_for(self.modules, locals) {
            Some(()) => self.locals.clone_from(locals),
            None => self.steps = 0,
        }
        self
    }

    /// Returns the value of a body: that of its last statement, or what it returns.
    pub fn body(&mut self, nodes: &[Node<'_>]) -> Option<StaticValue> {
        let mut last = StaticValue::Nil;
        for node in nodes {
            last = self.value(node)?;
            if let Some(returned) = &self.returned {
                return Some(returned.clone());
            }
        }
        Some(last)
    }

    /// Returns the value of an expression, if it is known.
    pub fn value(&mut self, node: &Node<'_>) -> Option<StaticValue> {
        self.steps = self.steps.checked_sub(1)?;
        self.modules.budget.spend(1)?;
        if self.depth >= MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        let value = self.any(node);
        self.depth -= 1;
        // Pay for the size of the value, so that no step can create much more than has been paid for.
        let weight = value.as_ref()?.weight();
        self.modules.budget.spend_bytes(weight)?;
        value.filter(|_| weight <= MAX_VALUE)
    }

    fn any(&mut self, node: &Node<'_>) -> Option<StaticValue> {
        if let Some(word) = ruby::symbol(node) {
            return Some(StaticValue::Symbol(word));
        }
        if let Some(text) = ruby::text(node) {
            return Some(StaticValue::Text(text));
        }
        if node.as_nil_node().is_some() {
            return Some(StaticValue::Nil);
        }
        if node.as_true_node().is_some() || node.as_false_node().is_some() {
            return Some(StaticValue::Bool(node.as_true_node().is_some()));
        }
        if let Some(number) = node.as_integer_node() {
            let number: Option<i32> = number.value().try_into().ok();
            return number.map(|n| StaticValue::Integer(n.into()));
        }
        if node.as_source_file_node().is_some() {
            return Some(StaticValue::Text(self.file.clone()));
        }
        if let Some(string) = node.as_interpolated_string_node() {
            return self.parts(string.parts().iter().collect()).map(StaticValue::Text);
        }
        if let Some(symbol) = node.as_interpolated_symbol_node() {
            return self.parts(symbol.parts().iter().collect()).map(StaticValue::Symbol);
        }
        if let Some(regex) = node.as_regular_expression_node() {
            let source = std::str::from_utf8(regex.content_loc().as_slice()).ok()?.to_owned();
            return Some(StaticValue::Regex(source, flags(regex.is_ignore_case(), regex.is_multi_line(), regex.is_extended())));
        }
        if let Some(regex) = node.as_interpolated_regular_expression_node() {
            return self
                .pattern(regex.parts().iter().collect())
                .map(|source| StaticValue::Regex(source, flags(regex.is_ignore_case(), regex.is_multi_line(), regex.is_extended())));
        }
        if let Some(list) = node.as_array_node() {
            let mut items = Vec::new();
            for item in list.elements().iter() {
                match item.as_splat_node() {
                    Some(splat) => match self.value(&splat.expression()?)? {
                        StaticValue::List(more) => items.extend(more),
                        _ => return None,
                    },
                    None => items.push(self.value(&item)?),
                }
            }
            return Some(StaticValue::List(items));
        }
        if let Some(map) = node.as_hash_node() {
            let pairs = ruby::pairs(&map.elements())?;
            return pairs.iter().map(|(k, v)| Some((self.value(k)?, self.value(v)?))).collect::<Option<_>>().map(StaticValue::Map);
        }
        if let Some(inner) = node.as_parentheses_node() {
            return self.body(&ruby::statements(inner.body()));
        }
        if let Some(read) = node.as_local_variable_read_node() {
            return self.locals.get(&name(&read.name())).cloned();
        }
        if let Some(write) = node.as_local_variable_write_node() {
            let value = self.value(&write.value())?;
            self.locals.insert(name(&write.name()), value.clone());
            return Some(value);
        }
        if let Some(write) = node.as_local_variable_operator_write_node() {
            let (left, right) = (self.locals.get(&name(&write.name())).cloned()?, self.value(&write.value())?);
            let value = self.operated(&left, &name(&write.binary_operator()), &[right])?;
            self.locals.insert(name(&write.name()), value.clone());
            return Some(value);
        }
        if let Some(constant) = ruby::constant(node) {
            if constant == "Puppet::PUPPETVERSION" {
                return Some(StaticValue::Text(PUPPET_VERSION.to_owned()));
            }
            let Some((file, value)) = self.modules.constant(&constant, &self.module) else {
                return self.modules.bodies(&constant, &self.module).map(|(full, _)| StaticValue::Class(full));
            };
            return self.inside(file, Locals::new(), self.module.clone(), |folder| folder.value(&value));
        }
        if let Some(and) = node.as_and_node() {
            let left = self.value(&and.left())?;
            return if left.is_true() { self.value(&and.right()) } else { Some(left) };
        }
        if let Some(or) = node.as_or_node() {
            let left = self.value(&or.left())?;
            return if left.is_true() { Some(left) } else { self.value(&or.right()) };
        }
        if let Some(branch) = node.as_if_node() {
            let test = self.value(&branch.predicate())?;
            return match (test.is_true(), branch.subsequent()) {
                (true, _) => self.body(&ruby::statements(branch.statements().map(|s| s.as_node()))),
                (false, None) => Some(StaticValue::Nil),
                (false, Some(next)) => match next.as_else_node() {
                    Some(other) => self.body(&ruby::statements(other.statements().map(|s| s.as_node()))),
                    None => self.value(&next),
                },
            };
        }
        if let Some(branch) = node.as_unless_node() {
            let test = self.value(&branch.predicate())?;
            let body = if test.is_true() { branch.else_clause().and_then(|e| e.statements()) } else { branch.statements() };
            return self.body(&ruby::statements(body.map(|s| s.as_node())));
        }
        if let Some(leave) = node.as_return_node() {
            let values: Vec<Node<'_>> = leave.arguments().map(|a| a.arguments().iter().collect()).unwrap_or_default();
            let value = match values.as_slice() {
                [] => StaticValue::Nil,
                [one] => self.value(one)?,
                _ => return None,
            };
            self.returned = Some(value.clone());
            return Some(value);
        }
        if let Some(lambda) = node.as_lambda_node() {
            let list = lambda.parameters().and_then(|p| p.as_block_parameters_node()).and_then(|p| p.parameters());
            let params: Vec<Node<'_>> = list.map(|l| l.requireds().iter().collect()).unwrap_or_default();
            return identity(&params, &ruby::statements(lambda.body()));
        }
        self.call(&node.as_call_node()?)
    }

    fn parts(&mut self, parts: Vec<Node<'_>>) -> Option<String> {
        let mut out = String::new();
        for part in parts {
            match part.as_embedded_statements_node() {
                Some(embedded) => {
                    let inner = ruby::statements(embedded.statements().map(|s| s.as_node()));
                    out.push_str(&self.body(&inner)?.text()?);
                }
                None => out.push_str(&self.value(&part)?.text()?),
            }
            if out.len() > MAX_VALUE {
                return None;
            }
        }
        Some(out)
    }

    /// Returns the source of an interpolated regex.
    fn pattern(&mut self, parts: Vec<Node<'_>>) -> Option<String> {
        // Escapes in a regex are kept as written.
        let written = |part: &Node<'_>| part.as_string_node().and_then(|t| String::from_utf8(t.content_loc().as_slice().to_vec()).ok());
        let mut source = String::new();
        for (i, part) in parts.iter().enumerate() {
            if let Some(text) = written(part) {
                source.push_str(&text);
                continue;
            }
            let inner = ruby::statements(part.as_embedded_statements_node()?.statements().map(|s| s.as_node()));
            let closes = parts.get(i + 1).and_then(written).is_some_and(|next| next.starts_with(')'));
            match self.body(&inner)? {
                // One pair of parentheses is enough.
                StaticValue::Regex(inner, flags) if flags.is_empty() && source.ends_with('(') && closes => source.push_str(&inner),
                other => source.push_str(&other.text()?),
            }
        }
        Some(source)
    }

    fn call(&mut self, call: &CallNode<'_>) -> Option<StaticValue> {
        let method = name(&call.name());
        let (plain, named) = ruby::arguments(call.arguments());
        if !named.is_empty() {
            return None;
        }
        if let Some(block) = ruby::block(call) {
            let list = ruby::block_params(&block)?;
            if matches!(method.as_str(), "lambda" | "proc") && call.receiver().is_none() {
                let params = block.parameters()?.as_block_parameters_node()?.parameters()?;
                return identity(&params.requireds().iter().collect::<Vec<_>>(), &ruby::statements(block.body()));
            }
            let ([param], "map" | "collect" | "flat_map" | "select" | "reject") = (list.as_slice(), method.as_str()) else { return None };
            let StaticValue::List(items) = self.value(&call.receiver()?)? else { return None };
            let mut out = Vec::new();
            let budget = std::rc::Rc::clone(&self.modules.budget);
            let frame = BudgetFrame { file: self.number(), at: ruby::place(&call.as_node()), what: "this loop".to_owned() };
            for item in items {
                self.locals.insert(param.clone(), item.clone());
                let value = budget.within(frame.clone(), || self.body(&ruby::statements(block.body())))?;
                match (method.as_str(), value) {
                    ("flat_map", StaticValue::List(more)) => out.extend(more),
                    ("select", value) if value.is_true() => out.push(item),
                    ("reject", value) if !value.is_true() => out.push(item),
                    ("select" | "reject", _) => {}
                    (_, value) => out.push(value),
                }
            }
            return Some(StaticValue::List(out));
        }
        if let Some(argument) = call.block() {
            let shown = ruby::symbol(&argument.as_block_argument_node()?.expression()?)?;
            let ("map" | "collect", StaticValue::List(items)) = (method.as_str(), self.value(&call.receiver()?)?) else { return None };
            return items.iter().map(|i| operate(i, &shown, &[])).collect::<Option<_>>().map(StaticValue::List);
        }
        let mut arguments = Vec::new();
        for node in &plain {
            match node.as_splat_node() {
                Some(splat) => match self.value(&splat.expression()?)? {
                    StaticValue::List(more) => arguments.extend(more),
                    _ => return None,
                },
                None => arguments.push(self.value(node)?),
            }
        }
        let Some(receiver) = call.receiver() else {
            return if method == "_" { arguments.first().cloned() } else { self.function(&self.module.clone(), &method, arguments) };
        };
        if receiver.as_self_node().is_some() {
            return self.function(&self.module.clone(), &method, arguments);
        }
        let Some(module) = ruby::constant(&receiver) else {
            let of = self.value(&receiver)?;
            return self.operated(&of, &method, &arguments);
        };
        let words: Option<Vec<String>> = arguments.iter().map(StaticValue::word).collect();
        match (module.as_str(), method.as_str(), words.as_deref()) {
            ("File", "dirname", Some([path])) => Some(StaticValue::Text(ruby::dirname(path))),
            ("File", "join", Some(parts)) => Some(StaticValue::Text(parts.join("/"))),
            ("File", "expand_path", Some([path])) => Some(StaticValue::Text(ruby::join("/", path))),
            ("File", "expand_path", Some([path, folder])) => Some(StaticValue::Text(ruby::join(folder, path))),
            ("Puppet", "version", Some([])) => Some(StaticValue::Text(PUPPET_VERSION.to_owned())),
            ("Puppet::Util::Package", "versioncmp", Some([a, b])) => Some(StaticValue::Integer(match versioncmp(a, b) {
                Ordering::Less => -1,
                Ordering::Equal => 0,
                Ordering::Greater => 1,
            })),
            ("Regexp", "new", _) => match arguments.as_slice() {
                [StaticValue::Text(source)] => Some(StaticValue::Regex(source.clone(), String::new())),
                [regex @ StaticValue::Regex(..)] => Some(regex.clone()),
                _ => None,
            },
            _ => match self.modules.bodies(&module, &self.module).map(|(full, _)| full) {
                Some(full) => self.function(&full, &method, arguments),
                None => {
                    let of = self.value(&receiver)?;
                    self.operated(&of, &method, &arguments)
                }
            },
        }
    }

    /// Calls [`operate`] unless the result would be too large or take too long.
    fn operated(&self, of: &StaticValue, method: &str, arguments: &[StaticValue]) -> Option<StaticValue> {
        let count = |value: &StaticValue| if let StaticValue::List(items) = value { items.len() } else { 1 };
        if let (StaticValue::List(items), "join", [StaticValue::Text(between)]) = (of, method, arguments)
            && items.len().saturating_mul(between.len()) > MAX_VALUE
        {
            return None;
        }
        let compared = if method == "-" { count(of).saturating_mul(arguments.iter().map(count).sum()) } else { 1 };
        self.modules.budget.spend(compared as u64)?;
        operate(of, method, arguments)
    }

    /// Evaluates a function of a module.
    fn function(&mut self, module: &str, method: &str, arguments: Vec<StaticValue>) -> Option<StaticValue> {
        let (file, node) = self.modules.function(module, method)?;
        let def = node.as_def_node()?;
        let mut locals = Locals::new();
        let mut given = arguments.into_iter();
        if let Some(list) = def.parameters() {
            for param in list.requireds().iter() {
                locals.insert(name(&param.as_required_parameter_node()?.name()), given.next()?);
            }
            for param in list.optionals().iter() {
                let param = param.as_optional_parameter_node()?;
                let value = match given.next() {
                    Some(value) => value,
                    None => self.value(&param.value())?,
                };
                locals.insert(name(&param.name()), value);
            }
            if list.posts().iter().count() + list.keywords().iter().count() > 0 {
                return None;
            }
            if let Some(rest) = list.rest() {
                let rest = rest.as_rest_parameter_node()?;
                locals.insert(name(&rest.name()?), StaticValue::List(given.by_ref().collect()));
            }
        }
        if given.next().is_some() {
            return None;
        }
        let frame = BudgetFrame { file, at: ruby::at(&def.name_loc()), what: format!("the method `{method}`") };
        let budget = std::rc::Rc::clone(&self.modules.budget);
        budget.within(frame, || self.inside(file, locals, module.to_owned(), |folder| folder.body(&ruby::statements(def.body()))))
    }

    /// Returns the index of the current text.
    fn number(&self) -> usize {
        self.modules.paths.iter().position(|p| *p == self.file).unwrap_or(0)
    }

    fn inside(
        &mut self,
        file: usize,
        locals: Locals,
        module: String,
        run: impl FnOnce(&mut Self) -> Option<StaticValue>,
    ) -> Option<StaticValue> {
        let outer = std::mem::replace(&mut self.locals, locals);
        let outer_module = std::mem::replace(&mut self.module, module);
        let outer_file = std::mem::replace(&mut self.file, self.modules.paths.get(file).cloned().unwrap_or_default());
        let outer_return = self.returned.take();
        let value = run(self);
        (self.locals, self.module, self.file, self.returned) = (outer, outer_module, outer_file, outer_return);
        value
    }
}

/// Pays for a copy of locals.
pub fn pay_for(modules: &RubyModules<'_>, locals: &Locals) -> Option<()> {
    modules.budget.spend_bytes(locals.values().map(StaticValue::weight).sum())
}

fn flags(ignore_case: bool, multi_line: bool, extended: bool) -> String {
    [(ignore_case, 'i'), (multi_line, 'm'), (extended, 'x')].iter().filter(|(on, _)| *on).map(|(_, flag)| *flag).collect()
}

/// Recognizes `lambda { |x| x }`.
fn identity(params: &[Node<'_>], body: &[Node<'_>]) -> Option<StaticValue> {
    let ([param], [read]) = (params, body) else { return None };
    let same = name(&param.as_required_parameter_node()?.name()) == name(&read.as_local_variable_read_node()?.name());
    same.then_some(StaticValue::Identity)
}

/// Flattens nested lists.
fn flat(items: &[StaticValue]) -> Vec<StaticValue> {
    items.iter().flat_map(|item| if let StaticValue::List(inner) = item { flat(inner) } else { vec![item.clone()] }).collect()
}

/// Evaluates a method of a value.
fn operate(of: &StaticValue, method: &str, arguments: &[StaticValue]) -> Option<StaticValue> {
    let size = |n: usize| i64::try_from(n).ok().map(StaticValue::Integer);
    let truth = |b: bool| Some(StaticValue::Bool(b));
    Some(match (of, method, arguments) {
        (_, "freeze" | "dup" | "clone", []) => of.clone(),
        (_, "==", [other]) => return truth(of == other),
        (_, "!=", [other]) => return truth(of != other),
        (_, "!", []) => return truth(!of.is_true()),
        (_, "nil?", []) => return truth(*of == StaticValue::Nil),
        (StaticValue::Regex(..), "to_s", []) => return None,
        (_, "to_s", []) => StaticValue::Text(of.text()?),
        (StaticValue::Text(_) | StaticValue::Symbol(_), "to_sym" | "intern", []) => StaticValue::Symbol(of.text()?),
        (StaticValue::Text(t), "upcase", []) => StaticValue::Text(t.to_uppercase()),
        (StaticValue::Text(t), "downcase", []) => StaticValue::Text(t.to_lowercase()),
        (StaticValue::Text(t), "empty?", []) => return truth(t.is_empty()),
        (StaticValue::Text(a), "+", [StaticValue::Text(b)]) => StaticValue::Text(format!("{a}{b}")),
        (StaticValue::Text(a), "start_with?", [StaticValue::Text(b)]) => return truth(a.starts_with(b.as_str())),
        (StaticValue::Integer(a), "<" | ">" | "<=" | ">=", [StaticValue::Integer(b)]) => {
            let order = a.cmp(b);
            return truth(match method {
                "<" => order.is_lt(),
                ">" => order.is_gt(),
                "<=" => order.is_le(),
                _ => order.is_ge(),
            });
        }
        (StaticValue::Integer(a), "+", [StaticValue::Integer(b)]) => StaticValue::Integer(a.checked_add(*b)?),
        (StaticValue::List(items), "empty?", []) => return truth(items.is_empty()),
        (StaticValue::List(items), "count" | "length" | "size", []) => return size(items.len()),
        (StaticValue::List(items), "first", []) => items.first().cloned().unwrap_or(StaticValue::Nil),
        (StaticValue::List(items), "last", []) => items.last().cloned().unwrap_or(StaticValue::Nil),
        (StaticValue::List(items), "[]", [StaticValue::Integer(at)]) => {
            let at = usize::try_from(*at).ok()?;
            items.get(at).cloned().unwrap_or(StaticValue::Nil)
        }
        (StaticValue::List(items), "flatten", []) => StaticValue::List(flat(items)),
        (StaticValue::List(items), "include?", [one]) => return truth(items.contains(one)),
        (StaticValue::List(items), "join", [StaticValue::Text(between)]) => {
            StaticValue::Text(items.iter().map(StaticValue::text).collect::<Option<Vec<_>>>()?.join(between))
        }
        (StaticValue::List(a), "+" | "concat", [StaticValue::List(b)]) => StaticValue::List(a.iter().chain(b).cloned().collect()),
        (StaticValue::List(a), "-", [StaticValue::List(b)]) => StaticValue::List(a.iter().filter(|x| !b.contains(x)).cloned().collect()),
        (StaticValue::Map(pairs), "keys", []) => StaticValue::List(pairs.iter().map(|(k, _)| k.clone()).collect()),
        (StaticValue::Map(pairs), "values", []) => StaticValue::List(pairs.iter().map(|(_, v)| v.clone()).collect()),
        (StaticValue::Map(pairs), "[]", [key]) => pairs.iter().rev().find(|(k, _)| k == key).map_or(StaticValue::Nil, |(_, v)| v.clone()),
        _ => return None,
    })
}
