//! Evaluates Ruby as it runs while a type is loaded: files, classes, methods, loops. It reads the files of the module path only,
//! and has no programs and no clock.
//!
//! What depends on a machine is [`Unknown`], with the place that it comes from. A condition on it keeps both branches.

mod arguments;
mod assign;
mod call;
mod classes;
mod collections;
mod control;
mod core;
mod data;
mod define;
mod enumerable;
mod files;
mod hashes;
mod host;
mod kernel;
mod load;
mod matching;
mod modules;
mod native;
mod paths;
mod structs;
mod uris;
mod value;
mod versions;

pub use classes::{Class, ClassDeclaration, ClassId, ClassTable, Cref, HostClass, Method, MethodBody, OBJECT};
pub use host::DeclaredType;
pub use load::{MODULE, ParsedTexts, Texts, is_installed, is_library};
pub use native::PUPPET_VERSION;
pub use value::{CallArguments, MAX_NESTING, Name, Proc, ProcCode, RubyPattern, RubyScope, RubyValue, Unknown};

use crate::budget::{Budget, BudgetFrame};
use crate::files::RubyFiles;
use crate::ruby::{self, name};
use rtype_lang::source::Source;
use ruby_prism::Node;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::{Rc, Weak};
use std::sync::Arc;
use value::MethodFrame;

/// The result of running code.
pub type Eval<'w, T = RubyValue<'w>> = Result<T, Flow<'w>>;

/// Why code was left.
pub enum Flow<'w> {
    Next(RubyValue<'w>),
    /// `break` from the block of the call with this number.
    Break(u64, RubyValue<'w>),
    /// `return` from the method call with this number.
    Return(u64, RubyValue<'w>),
    Throw(RubyValue<'w>, RubyValue<'w>),
    Raise(RubyError<'w>),
    /// The budget is exhausted.
    Exhausted,
}

/// An exception.
pub struct RubyError<'w> {
    /// Its class by name.
    pub class: String,
    pub message: String,
    pub value: RubyValue<'w>,
}

/// What code runs in.
#[derive(Clone)]
pub struct RubyFrame<'w> {
    pub self_value: RubyValue<'w>,
    pub scope: Rc<RubyScope<'w>>,
    pub cref: Rc<Cref>,
    /// Where `def` defines methods.
    pub definee: ClassId,
    pub file: usize,
    /// The running method, for `super` and `yield`.
    pub method: Option<Rc<MethodFrame<'w>>>,
    /// The number of the method call that `return` ends.
    pub home: u64,
    /// The number of the call or loop that `break` ends.
    pub breaks: u64,
}

/// Evaluates the Ruby of a module path.
pub struct Evaluator<'a, 'w> {
    pub texts: &'a dyn ParsedTexts<'w>,
    files: &'a mut dyn RubyFiles,
    pub budget: Rc<Budget>,
    pub classes: ClassTable<'w>,
    globals: BTreeMap<String, RubyValue<'w>>,
    /// Files that were loaded, by path below `lib`, with the index of the text.
    loaded: BTreeMap<String, Option<usize>>,
    /// Files that are being loaded, outermost first.
    loading: Vec<usize>,
    /// The files of modules that code has read.
    data: Vec<Arc<Source>>,
    /// Conditions that are not known and decide whether the running code runs.
    doubt: Vec<Rc<Unknown>>,
    /// The call in the body of a class that is running, with the index of its file.
    site: Option<(usize, ruby::ByteRange)>,
    /// Calls in bodies of classes in which a method was called that may be defined by a class that was not read.
    pub unanswered: Vec<(usize, ruby::ByteRange)>,
    /// The running methods, each with the number of doubts when it was called.
    active: Vec<(*const (), usize)>,
    /// Method calls that may have returned earlier.
    unsure: BTreeSet<u64>,
    /// Number of method and block calls so far.
    calls: u64,
    /// Nesting of expressions in the running method or block, and of methods and blocks.
    depth: usize,
    running: usize,
    /// Number of enclosing `rescue`s of errors in loading files.
    rescues_load: usize,
    scopes: Vec<Weak<RubyScope<'w>>>,
    /// Types in the order in which they were declared, with their classes.
    pub types: Vec<host::DeclaredType<'w>>,
    /// Providers in the order in which they were declared.
    pub providers: Vec<host::DeclaredProvider>,
    /// Constants outside of all classes, in the order of their assignments.
    pub constants: Vec<WrittenConstant>,
    /// Objects that blocks refer to.
    objects: Vec<Rc<value::RubyObject<'w>>>,
    native: native::Native,
}

/// An assignment of a constant outside of all classes.
#[derive(Clone)]
pub struct WrittenConstant {
    pub name: Name,
    pub file: usize,
    pub at: ruby::ByteRange,
}

impl Drop for Evaluator<'_, '_> {
    fn drop(&mut self) {
        // Closures and the scopes that contain them refer to each other.
        self.scopes.iter().filter_map(Weak::upgrade).for_each(|scope| scope.clear());
    }
}

/// Maximum nesting of expressions in a method or block.
const MAX_DEPTH: usize = 500;
/// Maximum nesting of running methods and blocks.
const MAX_CALLS: usize = 300;
/// The stack is extended in steps of this size when less than the first number is left.
const STACK: (usize, usize) = (256 << 10, 2 << 20);

impl<'a, 'w> Evaluator<'a, 'w> {
    pub fn new(texts: &'a dyn ParsedTexts<'w>, files: &'a mut dyn RubyFiles, budget: &Rc<Budget>) -> Evaluator<'a, 'w> {
        let mut classes = ClassTable::default();
        let native = native::Native::define(&mut classes);
        Evaluator {
            texts,
            files,
            budget: Rc::clone(budget),
            classes,
            globals: BTreeMap::new(),
            loaded: BTreeMap::new(),
            loading: Vec::new(),
            data: Vec::new(),
            doubt: Vec::new(),
            site: None,
            unanswered: Vec::new(),
            active: Vec::new(),
            unsure: BTreeSet::new(),
            calls: 0,
            depth: 0,
            running: 0,
            rescues_load: 0,
            scopes: Vec::new(),
            types: Vec::new(),
            providers: Vec::new(),
            constants: Vec::new(),
            objects: Vec::new(),
            native,
        }
    }

    /// Returns the frame of a file's outermost code.
    pub fn top(&mut self, file: usize) -> RubyFrame<'w> {
        RubyFrame {
            self_value: RubyValue::Class(OBJECT),
            scope: self.scope(None),
            cref: Rc::new(Cref { class: OBJECT, outer: None }),
            definee: OBJECT,
            file,
            method: None,
            home: 0,
            breaks: 0,
        }
    }

    /// Creates a scope.
    fn scope(&mut self, outer: Option<&Rc<RubyScope<'w>>>) -> Rc<RubyScope<'w>> {
        let scope = outer.map_or_else(|| Rc::new(RubyScope::default()), RubyScope::inside);
        self.scopes.push(Rc::downgrade(&scope));
        scope
    }

    /// Returns a value that is not known because of code at a node.
    pub fn unknown(&self, frame: &RubyFrame<'w>, node: &Node<'w>, reason: impl Into<String>) -> RubyValue<'w> {
        RubyValue::Unknown(Rc::new(Unknown { reason: reason.into(), file: frame.file, at: ruby::place(node) }))
    }

    pub fn raise<T>(&self, class: &str, message: impl Into<String>) -> Eval<'w, T> {
        Err(Flow::Raise(RubyError { class: class.to_owned(), message: message.into(), value: RubyValue::Nil }))
    }

    /// Uses steps of the budget.
    pub fn spend(&self, steps: u64) -> Eval<'w, ()> {
        self.budget.spend(steps).ok_or(Flow::Exhausted)
    }

    /// Runs statements; the result is that of the last one.
    pub fn statements(&mut self, frame: &RubyFrame<'w>, nodes: &[Node<'w>]) -> Eval<'w> {
        let mut last = RubyValue::Nil;
        for node in nodes {
            last = self.eval(frame, node)?;
        }
        Ok(last)
    }

    pub fn body(&mut self, frame: &RubyFrame<'w>, body: Option<Node<'w>>) -> Eval<'w> {
        match body {
            Some(body) => self.eval(frame, &body),
            None => Ok(RubyValue::Nil),
        }
    }

    /// Runs code in a construct that is unrolled, which is named if the budget is exhausted in it.
    fn within<T>(
        &mut self,
        frame: &RubyFrame<'w>,
        at: ruby::ByteRange,
        what: impl FnOnce() -> String,
        run: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let budget = Rc::clone(&self.budget);
        budget.within(BudgetFrame { file: frame.file, at, what: what() }, || run(self))
    }

    /// Runs the code of a method or block.
    fn nested(&mut self, run: impl FnOnce(&mut Self) -> Eval<'w>) -> Eval<'w> {
        if self.running >= MAX_CALLS {
            self.budget.exhaust(true);
            return Err(Flow::Exhausted);
        }
        self.running += 1;
        let depth = std::mem::take(&mut self.depth);
        let result = run(self);
        self.depth = depth;
        self.running -= 1;
        result
    }

    /// Runs code that may not run in Ruby, because a condition is not known. Leaving it is not certain either.
    fn in_doubt(&mut self, frame: &RubyFrame<'w>, why: &Rc<Unknown>, run: impl FnOnce(&mut Self) -> Eval<'w>) -> Eval<'w> {
        self.doubt.push(Rc::clone(why));
        let result = run(self);
        self.doubt.pop();
        match result {
            Ok(value) => Ok(value),
            Err(Flow::Exhausted) => Err(Flow::Exhausted),
            Err(Flow::Return(home, _)) => {
                self.unsure.insert(home);
                Ok(RubyValue::Unknown(Rc::clone(why)))
            }
            Err(_) => {
                self.unsure.insert(frame.home);
                Ok(RubyValue::Unknown(Rc::clone(why)))
            }
        }
    }

    /// Evaluates a node.
    pub fn eval(&mut self, frame: &RubyFrame<'w>, node: &Node<'w>) -> Eval<'w> {
        self.spend(1)?;
        if self.depth >= MAX_DEPTH {
            return Ok(self.unknown(frame, node, "it nests too deeply"));
        }
        self.depth += 1;
        let value = stacker::maybe_grow(STACK.0, STACK.1, || self.any(frame, node));
        self.depth -= 1;
        if let Ok(value) = &value {
            // No step creates much more than has been paid for.
            self.budget.spend_bytes(value.weight()).ok_or(Flow::Exhausted)?;
        }
        value
    }

    fn any(&mut self, frame: &RubyFrame<'w>, node: &Node<'w>) -> Eval<'w> {
        if let Some(call) = node.as_call_node() {
            return self.call_node(frame, &call, node);
        }
        if let Some(list) = node.as_statements_node() {
            let nodes: Vec<Node<'w>> = list.body().iter().collect();
            return self.statements(frame, &nodes);
        }
        if let Some(value) = self.literal(frame, node) {
            return value;
        }
        if let Some(value) = self.variable(frame, node) {
            return value;
        }
        if let Some(value) = self.assignment(frame, node) {
            return value;
        }
        if let Some(value) = self.control(frame, node) {
            return value;
        }
        if let Some(value) = self.definition(frame, node) {
            return value;
        }
        Ok(self.unknown(frame, node, "this Ruby is not supported"))
    }

    fn literal(&mut self, frame: &RubyFrame<'w>, node: &Node<'w>) -> Option<Eval<'w>> {
        if let Some(symbol) = node.as_symbol_node() {
            return Some(Ok(RubyValue::sym(&String::from_utf8_lossy(symbol.unescaped()))));
        }
        if let Some(string) = node.as_string_node() {
            return Some(Ok(RubyValue::str(String::from_utf8_lossy(string.unescaped()))));
        }
        if node.as_nil_node().is_some() {
            return Some(Ok(RubyValue::Nil));
        }
        if node.as_true_node().is_some() || node.as_false_node().is_some() {
            return Some(Ok(RubyValue::Bool(node.as_true_node().is_some())));
        }
        if let Some(number) = node.as_integer_node() {
            let number = ruby::integer(&number);
            return Some(Ok(number.map_or_else(|| self.unknown(frame, node, "this number is too large"), RubyValue::Int)));
        }
        if let Some(number) = node.as_float_node() {
            return Some(Ok(RubyValue::Float(number.value())));
        }
        if let Some(list) = node.as_array_node() {
            let items = self.items(frame, list.elements().iter());
            return Some(items.map(RubyValue::array));
        }
        if let Some(hash) = node.as_hash_node() {
            return Some(self.pairs(frame, hash.elements().iter()).map(RubyValue::hash));
        }
        if let Some(hash) = node.as_keyword_hash_node() {
            return Some(self.pairs(frame, hash.elements().iter()).map(RubyValue::hash));
        }
        if let Some(string) = node.as_interpolated_string_node() {
            return Some(self.parts(frame, string.parts().iter()).map(|t| t.map_or_else(RubyValue::Unknown, RubyValue::str)));
        }
        if let Some(symbol) = node.as_interpolated_symbol_node() {
            return Some(self.parts(frame, symbol.parts().iter()).map(|t| t.map_or_else(RubyValue::Unknown, |t| RubyValue::sym(&t))));
        }
        if let Some(regex) = node.as_regular_expression_node() {
            let source = String::from_utf8_lossy(regex.content_loc().as_slice()).into_owned();
            let flags = flags(regex.is_ignore_case(), regex.is_multi_line(), regex.is_extended());
            return Some(Ok(RubyValue::Regex(Rc::new(RubyPattern { source, flags }))));
        }
        if let Some(regex) = node.as_interpolated_regular_expression_node() {
            let flags = flags(regex.is_ignore_case(), regex.is_multi_line(), regex.is_extended());
            let source = self.pattern(frame, regex.parts().iter());
            return Some(
                source.map(|s| s.map_or_else(RubyValue::Unknown, |source| RubyValue::Regex(Rc::new(RubyPattern { source, flags })))),
            );
        }
        if let Some(range) = node.as_range_node() {
            let end = |ruby: &mut Self, node: Option<Node<'w>>| node.map_or(Ok(RubyValue::Nil), |n| ruby.eval(frame, &n));
            return Some(end(self, range.left()).and_then(|first| {
                let last = end(self, range.right())?;
                Ok(RubyValue::Range(Rc::new((first, last, range.is_exclude_end()))))
            }));
        }
        if let Some(lambda) = node.as_lambda_node() {
            return Some(Ok(RubyValue::Proc(Rc::new(self.closure(frame, ProcCode::Lambda(Rc::new(lambda)), true)))));
        }
        if node.as_source_file_node().is_some() {
            return Some(Ok(RubyValue::str(self.path_of(frame.file))));
        }
        if let Some(line) = node.as_source_line_node() {
            return Some(Ok(self.unknown(frame, &line.as_node(), "the number of a line")));
        }
        if let Some(inner) = node.as_embedded_statements_node() {
            return Some(self.body(frame, inner.statements().map(|s| s.as_node())));
        }
        None
    }

    /// Creates a closure of the frame.
    pub fn closure(&self, frame: &RubyFrame<'w>, code: ProcCode<'w>, is_lambda: bool) -> Proc<'w> {
        Proc {
            code,
            file: frame.file,
            scope: Rc::clone(&frame.scope),
            self_value: frame.self_value.clone(),
            cref: Rc::clone(&frame.cref),
            definee: frame.definee,
            is_lambda,
            home: frame.home,
            breaks: 0,
            method: frame.method.clone(),
        }
    }

    /// Evaluates the items of a list, with `*` expanded.
    pub fn items(&mut self, frame: &RubyFrame<'w>, nodes: impl Iterator<Item = Node<'w>>) -> Eval<'w, Vec<RubyValue<'w>>> {
        let mut items = Vec::new();
        for node in nodes {
            match node.as_splat_node() {
                Some(splat) => {
                    let inner = match splat.expression() {
                        Some(inner) => self.eval(frame, &inner)?,
                        None => frame.scope.get("*").unwrap_or(RubyValue::Nil),
                    };
                    match self.items_of(&inner) {
                        Some(more) => items.extend(more),
                        None => items.push(inner),
                    }
                }
                None => items.push(self.eval(frame, &node)?),
            }
        }
        Ok(items)
    }

    /// Evaluates the pairs of a hash.
    pub fn pairs(&mut self, frame: &RubyFrame<'w>, nodes: impl Iterator<Item = Node<'w>>) -> Eval<'w, Vec<(RubyValue<'w>, RubyValue<'w>)>> {
        let mut pairs = Vec::new();
        for node in nodes {
            if let Some(pair) = node.as_assoc_node() {
                let key = self.eval(frame, &pair.key())?;
                let value = match pair.value().as_implicit_node() {
                    Some(implicit) => self.eval(frame, &implicit.value())?,
                    None => self.eval(frame, &pair.value())?,
                };
                pairs.push((key, value));
            } else if let Some(splat) = node.as_assoc_splat_node() {
                let inner = match splat.value() {
                    Some(inner) => self.eval(frame, &inner)?,
                    None => frame.scope.get("**").unwrap_or(RubyValue::Nil),
                };
                match inner {
                    RubyValue::Hash(hash) => pairs.extend(hash.pairs.borrow().iter().cloned()),
                    RubyValue::Nil => {}
                    other => pairs.push((other.clone(), other)),
                }
            }
        }
        Ok(pairs)
    }

    /// Returns the text of an interpolated string, or the part that is not known.
    fn parts(&mut self, frame: &RubyFrame<'w>, nodes: impl Iterator<Item = Node<'w>>) -> Eval<'w, Result<String, Rc<Unknown>>> {
        let (mut out, mut unknown) = (String::new(), None);
        for node in nodes {
            let value = self.eval(frame, &node)?;
            match self.text_of(frame, &node, &value)? {
                Ok(text) => out.push_str(&text),
                Err(why) => {
                    unknown.get_or_insert(why);
                }
            }
        }
        Ok(unknown.map_or(Ok(out), Err))
    }

    /// Returns the source of an interpolated regex.
    fn pattern(&mut self, frame: &RubyFrame<'w>, nodes: impl Iterator<Item = Node<'w>>) -> Eval<'w, Result<String, Rc<Unknown>>> {
        let nodes: Vec<Node<'w>> = nodes.collect();
        // Escapes in a regex stay as they are written.
        let written = |n: &Node<'w>| n.as_string_node().map(|t| String::from_utf8_lossy(t.content_loc().as_slice()).into_owned());
        let mut out = String::new();
        for (i, node) in nodes.iter().enumerate() {
            if let Some(text) = written(node) {
                out.push_str(&text);
                continue;
            }
            let closes = nodes.get(i + 1).and_then(written).is_some_and(|next| next.starts_with(')'));
            match self.eval(frame, node)? {
                // One pair of parentheses is enough.
                RubyValue::Regex(inner) if inner.flags.is_empty() && out.ends_with('(') && closes => out.push_str(&inner.source),
                RubyValue::Regex(inner) => out.push_str(&data::embedded(&inner)),
                other => match self.text_of(frame, node, &other)? {
                    Ok(text) => out.push_str(&text),
                    Err(why) => return Ok(Err(why)),
                },
            }
        }
        Ok(Ok(out))
    }

    fn variable(&mut self, frame: &RubyFrame<'w>, node: &Node<'w>) -> Option<Eval<'w>> {
        if let Some(read) = node.as_local_variable_read_node() {
            // Of code that runs later, the locals around it are known or not; in other code, a local without a value is nil.
            let missing =
                || if let RubyValue::Unknown(why) = &frame.self_value { RubyValue::Unknown(Rc::clone(why)) } else { RubyValue::Nil };
            return Some(Ok(frame.scope.get(&name(&read.name())).unwrap_or_else(missing)));
        }
        if node.as_self_node().is_some() {
            return Some(Ok(frame.self_value.clone()));
        }
        if let Some(read) = node.as_instance_variable_read_node() {
            return Some(Ok(self.instance_variable(frame, &name(&read.name())).unwrap_or(RubyValue::Nil)));
        }
        if let Some(read) = node.as_class_variable_read_node() {
            return Some(Ok(self.class_variable(frame, &name(&read.name())).unwrap_or(RubyValue::Nil)));
        }
        if let Some(read) = node.as_constant_read_node() {
            return Some(self.constant(frame, &name(&read.name()), node));
        }
        if let Some(path) = node.as_constant_path_node() {
            return Some(self.constant_path(frame, &path, node));
        }
        if let Some(read) = node.as_global_variable_read_node() {
            let of = name(&read.name());
            let known = self.globals.get(&of).cloned();
            return Some(Ok(match (known, of.as_str()) {
                (Some(value), _) => value,
                (None, "$LOAD_PATH" | "$:" | "$LOADED_FEATURES" | "$\"") => {
                    let list = RubyValue::array(Vec::new());
                    self.globals.insert(of, list.clone());
                    list
                }
                (None, "$!") => RubyValue::Nil,
                (None, _) => self.unknown(frame, node, format!("the global variable `{of}`")),
            }));
        }
        if let Some(capture) = node.as_numbered_reference_read_node() {
            let groups = frame.scope.groups();
            let at = usize::try_from(capture.number()).unwrap_or(usize::MAX);
            return Some(Ok(groups.and_then(|g| g.get(at).cloned()).unwrap_or(RubyValue::Nil)));
        }
        if let Some(back) = node.as_back_reference_read_node() {
            let groups = frame.scope.groups().filter(|_| name(&back.name()) == "$&");
            return Some(Ok(groups.and_then(|g| g.first().cloned()).unwrap_or_else(|| self.unknown(frame, node, "this part of a match"))));
        }
        if node.as_it_local_variable_read_node().is_some() {
            return Some(Ok(frame.scope.get("it").unwrap_or(RubyValue::Nil)));
        }
        None
    }

    /// Returns the instance variables' owner and a variable of it.
    pub fn instance_variable(&self, frame: &RubyFrame<'w>, variable: &str) -> Option<RubyValue<'w>> {
        match &frame.self_value {
            RubyValue::Class(id) => self.classes.get(*id).variables.get(variable).cloned(),
            RubyValue::Object(object) => object.variables.borrow().get(variable).cloned(),
            RubyValue::Unknown(why) => Some(RubyValue::Unknown(Rc::clone(why))),
            _ => None,
        }
    }

    /// Returns the class that class variables belong to, and a variable of it or what it inherits from.
    fn class_variable(&self, frame: &RubyFrame<'w>, variable: &str) -> Option<RubyValue<'w>> {
        let of = self.of_class_variables(frame);
        self.classes.ancestors(of).into_iter().find_map(|c| self.classes.get(c).shared.get(variable).cloned())
    }

    fn of_class_variables(&self, frame: &RubyFrame<'w>) -> ClassId {
        frame.cref.class
    }
}

/// Returns the flags of a regex.
fn flags(ignore_case: bool, multi_line: bool, extended: bool) -> String {
    [(ignore_case, 'i'), (multi_line, 'm'), (extended, 'x')].iter().filter(|(on, _)| *on).map(|(_, flag)| *flag).collect()
}

impl<'w> RubyScope<'w> {
    /// Returns the groups of the last match in this method.
    fn groups(&self) -> Option<Vec<RubyValue<'w>>> {
        let mut scope = Some(self);
        while let Some(at) = scope {
            if let Some(found) = at.matched.borrow().as_ref() {
                return Some(found.clone());
            }
            scope = at.outer.as_deref();
        }
        None
    }
}

impl<'w> Proc<'w> {
    /// Returns the frame that its code runs in.
    pub fn frame(&self, scope: Rc<RubyScope<'w>>) -> RubyFrame<'w> {
        RubyFrame {
            self_value: self.self_value.clone(),
            scope,
            cref: Rc::clone(&self.cref),
            definee: self.definee,
            file: self.file,
            method: self.method.clone(),
            home: self.home,
            breaks: self.breaks,
        }
    }
}
