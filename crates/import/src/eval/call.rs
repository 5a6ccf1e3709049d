//! Calls: of methods, closures, `super`, `yield`.

use super::classes::{ClassId, HostClass, Method, MethodBody, OBJECT};
use super::value::{CallArguments, MethodFrame, Name, Proc, ProcCode, RubyValue, Unknown};
use super::{Eval, Evaluator, Flow, RubyFrame};
use crate::ruby::{self, name};
use ruby_prism::{ArgumentsNode, CallNode, Node};
use std::collections::BTreeSet;
use std::rc::Rc;

impl<'w> Evaluator<'_, 'w> {
    pub(super) fn call_node(&mut self, frame: &RubyFrame<'w>, call: &CallNode<'w>, node: &Node<'w>) -> Eval<'w> {
        let RubyValue::Class(class) = &frame.self_value else { return self.evaluated_call(frame, call, node) };
        let outer = self.site.clone();
        if frame.method.is_none() {
            self.site = Some((frame.file, ruby::place(node)));
        }
        let result = self.evaluated_call(frame, call, node);
        if let (Ok(RubyValue::Unknown(why)), None) = (&result, call.receiver())
            && (why.file, &why.at) == (frame.file, &ruby::place(node))
            && self.classes.unknown(*class).is_some()
        {
            self.unanswered.extend(self.site.clone());
        }
        self.site = outer;
        result
    }

    fn evaluated_call(&mut self, frame: &RubyFrame<'w>, call: &CallNode<'w>, node: &Node<'w>) -> Eval<'w> {
        let method = name(&call.name());
        let receiver = match call.receiver() {
            Some(receiver) if receiver.as_self_node().is_none() => Some(self.eval(frame, &receiver)?),
            _ => None,
        };
        if call.is_safe_navigation() && receiver.as_ref().is_some_and(RubyValue::is_nil) {
            return Ok(RubyValue::Nil);
        }
        let id = self.number();
        let mut given = self.arguments(frame, call.arguments())?;
        given.block = self.block(frame, call.block(), id)?.or(given.block);
        let written = call.is_attribute_write().then(|| given.plain.last().cloned()).flatten();
        let is_bare = receiver.is_none();
        let of = receiver.unwrap_or_else(|| frame.self_value.clone());
        let result = if is_bare { self.bare(frame, node, of, &method, given) } else { self.send(frame, node, of, &method, given) };
        match result {
            Err(Flow::Break(of, value)) if of == id => Ok(value),
            // The result of `x.y = v` is `v`.
            Ok(_) if written.is_some() => Ok(written.unwrap_or(RubyValue::Nil)),
            other => other,
        }
    }

    /// Returns the number of a new call.
    pub(super) fn number(&mut self) -> u64 {
        self.calls += 1;
        self.calls
    }

    pub(super) fn arguments(&mut self, frame: &RubyFrame<'w>, list: Option<ArgumentsNode<'w>>) -> Eval<'w, CallArguments<'w>> {
        let mut given = CallArguments::default();
        for node in list.iter().flat_map(|l| l.arguments().iter()) {
            if let Some(hash) = node.as_keyword_hash_node() {
                given.named = self.pairs(frame, hash.elements().iter())?;
            } else if node.as_forwarding_arguments_node().is_some() {
                let (plain, named) = frame.scope.forwarded();
                given.plain.extend(plain);
                given.named.extend(named);
                given.block = frame.method.as_ref().and_then(|m| m.arguments.block.clone());
            } else {
                given.plain.extend(self.items(frame, std::iter::once(node))?);
            }
        }
        Ok(given)
    }

    /// Evaluates the block of a call: `{ … }` or `&x`.
    fn block(&mut self, frame: &RubyFrame<'w>, block: Option<Node<'w>>, id: u64) -> Eval<'w, Option<Rc<Proc<'w>>>> {
        let Some(block) = block else { return Ok(None) };
        if let Some(block) = block.as_block_node() {
            let closure = self.closure(frame, ProcCode::Block(Rc::new(block)), false);
            return Ok(Some(Rc::new(Proc { breaks: id, ..closure })));
        }
        let Some(argument) = block.as_block_argument_node() else { return Ok(None) };
        let value = match argument.expression() {
            Some(inner) => self.eval(frame, &inner)?,
            None => frame.scope.get("&").unwrap_or(RubyValue::Nil),
        };
        Ok(match value {
            RubyValue::Proc(proc) => Some(proc),
            RubyValue::Sym(method) => Some(Rc::new(self.closure(frame, ProcCode::Symbol(method), true))),
            _ => None,
        })
    }

    /// Calls a method without a receiver.
    pub(super) fn bare(
        &mut self,
        frame: &RubyFrame<'w>,
        node: &Node<'w>,
        of: RubyValue<'w>,
        method: &str,
        given: CallArguments<'w>,
    ) -> Eval<'w> {
        if let Some(found) = self.ruby_method(&of, method) {
            return self.invoke(frame, node, &found, of, given);
        }
        if let RubyValue::Class(class) = of
            && let Some(result) = self.class_call(frame, node, class, method, &given)
        {
            return result;
        }
        if let Some(result) = self.kernel(frame, node, method, &given) {
            return result;
        }
        self.send(frame, node, of, method, given)
    }

    /// Calls a method of a value.
    pub(super) fn send(
        &mut self,
        frame: &RubyFrame<'w>,
        node: &Node<'w>,
        of: RubyValue<'w>,
        method: &str,
        given: CallArguments<'w>,
    ) -> Eval<'w> {
        self.spend(1)?;
        if let RubyValue::Unknown(why) = &of {
            return match method {
                "nil?" | "!" | "==" | "!=" => Ok(RubyValue::Unknown(Rc::clone(why))),
                _ => {
                    self.declare_unknown(frame, node, method, None, &given);
                    self.call_of_unknown(why, &given)
                }
            };
        }
        if let Some(found) = self.ruby_method(&of, method) {
            return self.invoke(frame, node, &found, of, given);
        }
        if let RubyValue::Class(class) = of
            && let Some(result) = self.class_call(frame, node, class, method, &given)
        {
            return result;
        }
        if let Some(result) = self.core(frame, node, &of, method, &given) {
            return result;
        }
        if let Some(missing) = self.ruby_method(&of, "method_missing") {
            let mut all = given;
            all.plain.insert(0, RubyValue::sym(method));
            return self.invoke(frame, node, &missing, of, all);
        }
        self.declare_unknown(frame, node, method, Some(&of), &given);
        let of = self.kind_of(&of);
        Ok(self.unknown(frame, node, format!("`{method}` of {of} is not supported")))
    }

    /// Records that an unread method may declare something in the types and attributes that its receiver and arguments contain.
    fn declare_unknown(
        &mut self,
        frame: &RubyFrame<'w>,
        node: &Node<'w>,
        method: &str,
        of: Option<&RubyValue<'w>>,
        given: &CallArguments<'w>,
    ) {
        let named = given.named.iter().flat_map(|(key, value)| [key, value]);
        for class in reached_classes(of.into_iter().chain(&given.plain).chain(named).cloned()) {
            if matches!(self.classes.host(class), Some(HostClass::Type | HostClass::Property | HostClass::Parameter)) {
                self.declare(class, frame, node, method, given, None);
            }
        }
    }

    /// Calls a method of something that is not known. Its block may run; what it declares is not lost.
    fn call_of_unknown(&mut self, why: &Rc<Unknown>, given: &CallArguments<'w>) -> Eval<'w> {
        if let Some(block) = &given.block
            && matches!(block.code, ProcCode::Block(_))
        {
            let frame = block.frame(Rc::clone(&block.scope));
            let one = CallArguments::of(vec![RubyValue::Unknown(Rc::clone(why))]);
            self.in_doubt(&frame, why, |ruby| ruby.call(block, one))?;
        }
        Ok(RubyValue::Unknown(Rc::clone(why)))
    }

    /// Returns the method of a value that Ruby code defines.
    pub fn ruby_method(&self, of: &RubyValue<'w>, method: &str) -> Option<Rc<Method<'w>>> {
        let found = match of {
            RubyValue::Class(class) => {
                self.classes.class_method(*class, method, None).or_else(|| self.classes.method(OBJECT, method, None))
            }
            RubyValue::Object(object) => self.classes.method(object.class, method, None),
            _ => self.classes.get(OBJECT).methods.get(method).cloned(),
        };
        found.filter(|m| !matches!(m.body, MethodBody::Native | MethodBody::Undefined))
    }

    /// Runs a method.
    pub fn invoke(
        &mut self,
        frame: &RubyFrame<'w>,
        node: &Node<'w>,
        method: &Rc<Method<'w>>,
        of: RubyValue<'w>,
        given: CallArguments<'w>,
    ) -> Eval<'w> {
        match &method.body {
            MethodBody::Native | MethodBody::Undefined => Ok(self.unknown(frame, node, format!("`{}` is not supported", method.name))),
            MethodBody::Reader(variable) => {
                let inner = RubyFrame { self_value: of, ..frame.clone() };
                Ok(self.instance_variable(&inner, variable).unwrap_or(RubyValue::Nil))
            }
            MethodBody::Writer(variable) => {
                let inner = RubyFrame { self_value: of, ..frame.clone() };
                let value = given.plain.into_iter().next().unwrap_or(RubyValue::Nil);
                self.set_instance_variable(&inner, variable, &value, ruby::place(node));
                Ok(value)
            }
            MethodBody::Proc(proc) => {
                let proc = Rc::clone(proc);
                let running = MethodFrame { name: Rc::clone(&method.name), owner: method.owner, arguments: given.clone() };
                self.call_with(&Proc { method: Some(Rc::new(running)), is_lambda: true, ..(*proc).clone() }, given, Some(of), None)
            }
            MethodBody::Def { node: def, file, cref } => {
                let id = Rc::as_ptr(method).cast::<()>();
                // Whether a method that calls itself ends is decided by a condition that is not known.
                if let Some(why) = self.doubt.last()
                    && self.active.iter().any(|(of, doubt)| *of == id && *doubt < self.doubt.len())
                {
                    return Ok(RubyValue::Unknown(Rc::clone(why)));
                }
                let home = self.number();
                let running = MethodFrame { name: Rc::clone(&method.name), owner: method.owner, arguments: given.clone() };
                let inner = RubyFrame {
                    self_value: of,
                    scope: self.scope(None),
                    cref: Rc::clone(cref),
                    definee: cref.class,
                    file: *file,
                    method: Some(Rc::new(running)),
                    home,
                    breaks: 0,
                };
                let (def, at) = (Rc::clone(def), ruby::at(&def.name_loc()));
                let what = format!("the method `{}`", method.name);
                let run = |ruby: &mut Self| {
                    ruby.bind(&inner, def.parameters().as_ref(), &given, true)?;
                    ruby.body(&inner, def.body())
                };
                self.active.push((id, self.doubt.len()));
                let result = self.within(&inner, at, || what, |ruby| ruby.nested(run));
                self.active.pop();
                let result = match result {
                    Err(Flow::Return(of, value)) if of == home => Ok(value),
                    other => other,
                };
                if self.unsure.remove(&home) {
                    let value = result?;
                    return Ok(if value.unknown().is_some() {
                        value
                    } else {
                        self.unknown(frame, node, "which branch of a method runs is not known")
                    });
                }
                result
            }
        }
    }

    /// Calls a closure.
    pub fn call(&mut self, proc: &Proc<'w>, given: CallArguments<'w>) -> Eval<'w> {
        self.call_with(proc, given, None, None)
    }

    /// Calls a closure with another `self`, and another class that `def` defines methods of.
    pub(super) fn call_with(
        &mut self,
        proc: &Proc<'w>,
        given: CallArguments<'w>,
        of: Option<RubyValue<'w>>,
        definee: Option<ClassId>,
    ) -> Eval<'w> {
        self.run_block(proc, given, of, definee, true)
    }

    /// Calls a closure; `unrolled` is whether it is a part of a loop for messages about the budget.
    pub(super) fn run_block(
        &mut self,
        proc: &Proc<'w>,
        given: CallArguments<'w>,
        of: Option<RubyValue<'w>>,
        definee: Option<ClassId>,
        unrolled: bool,
    ) -> Eval<'w> {
        let (parameters, body, at) = match &proc.code {
            ProcCode::Block(block) => (block.parameters(), block.body(), ruby::at(&block.location())),
            ProcCode::Lambda(lambda) => (lambda.parameters(), lambda.body(), ruby::at(&lambda.location())),
            ProcCode::Symbol(method) => {
                let mut plain = given.plain.into_iter();
                let of = plain.next().unwrap_or(RubyValue::Nil);
                let frame = proc.frame(Rc::clone(&proc.scope));
                let rest = CallArguments { plain: plain.collect(), ..CallArguments::default() };
                // Where the symbol is written is not kept.
                return self.send_unplaced(&frame, of, method, rest);
            }
            ProcCode::Method(method, of) => {
                let (method, of) = (Rc::clone(method), of.clone());
                let frame = proc.frame(Rc::clone(&proc.scope));
                return self.invoke_unplaced(&frame, &method, of, given);
            }
        };
        let scope = self.scope(Some(&proc.scope));
        let mut frame = proc.frame(scope);
        if let Some(of) = of {
            frame.self_value = of;
        }
        if let Some(definee) = definee {
            frame.definee = definee;
        }
        if proc.is_lambda {
            frame.home = self.number();
        }
        let home = frame.home;
        let run = |ruby: &mut Self| {
            ruby.bind_block(&frame, parameters, given)?;
            ruby.body(&frame, body)
        };
        let result = if unrolled { self.within(&frame, at, || "this loop".to_owned(), |ruby| ruby.nested(run)) } else { self.nested(run) };
        match result {
            Err(Flow::Next(value)) => Ok(value),
            Err(Flow::Return(of, value)) if proc.is_lambda && of == home => Ok(value),
            other => other,
        }
    }

    /// Calls a method where no node of the call exists.
    fn send_unplaced(&mut self, frame: &RubyFrame<'w>, of: RubyValue<'w>, method: &Name, given: CallArguments<'w>) -> Eval<'w> {
        match self.texts.program(frame.file) {
            Some(node) => self.send(frame, &node, of, method, given),
            None => Ok(RubyValue::Nil),
        }
    }

    fn invoke_unplaced(&mut self, frame: &RubyFrame<'w>, method: &Rc<Method<'w>>, of: RubyValue<'w>, given: CallArguments<'w>) -> Eval<'w> {
        match self.texts.program(frame.file) {
            Some(node) => self.invoke(frame, &node, method, of, given),
            None => Ok(RubyValue::Nil),
        }
    }

    /// Calls `super` with the block written there, or else with the block of the running method.
    pub(super) fn super_with(
        &mut self,
        frame: &RubyFrame<'w>,
        node: &Node<'w>,
        mut given: CallArguments<'w>,
        block: Option<Node<'w>>,
    ) -> Eval<'w> {
        let id = self.number();
        given.block = match block {
            Some(_) => self.block(frame, block, id)?,
            None => given.block.or_else(|| frame.method.as_ref().and_then(|m| m.arguments.block.clone())),
        };
        match self.super_call(frame, node, given) {
            Err(Flow::Break(of, value)) if of == id => Ok(value),
            other => other,
        }
    }

    /// `super` with the given arguments.
    fn super_call(&mut self, frame: &RubyFrame<'w>, node: &Node<'w>, given: CallArguments<'w>) -> Eval<'w> {
        let Some(running) = frame.method.clone() else { return Ok(self.unknown(frame, node, "`super` outside of a method")) };
        let found = match &frame.self_value {
            RubyValue::Class(class) => self.classes.class_method(*class, &running.name, Some(running.owner)),
            RubyValue::Object(object) => self.classes.method(object.class, &running.name, Some(running.owner)),
            _ => None,
        };
        match found {
            Some(method) => self.invoke(frame, node, &method, frame.self_value.clone(), given),
            None => match frame.self_value {
                RubyValue::Class(class) => match self.class_call(frame, node, class, &running.name, &given) {
                    Some(result) => result,
                    None => Ok(RubyValue::Nil),
                },
                // What Ruby's own classes do when an object is created or a hook is called.
                _ if matches!(&*running.name, "initialize" | "inherited" | "included" | "extended") => Ok(RubyValue::Nil),
                _ => Ok(self.unknown(frame, node, format!("`super` of `{}` is not supported", running.name))),
            },
        }
    }

    pub(super) fn yield_call(&mut self, frame: &RubyFrame<'w>, node: &Node<'w>, given: CallArguments<'w>) -> Eval<'w> {
        match frame.method.as_ref().and_then(|m| m.arguments.block.clone()) {
            Some(block) => self.call(&block, given),
            None if frame.method.is_some() => self.raise("LocalJumpError", "no block given (yield)"),
            None => Ok(self.unknown(frame, node, "`yield` outside of a method")),
        }
    }
}

/// Returns the classes among values, in collections and objects, and those on which closures would declare something.
fn reached_classes<'w>(values: impl Iterator<Item = RubyValue<'w>>) -> BTreeSet<ClassId> {
    let (mut classes, mut seen) = (BTreeSet::new(), BTreeSet::new());
    let mut next: Vec<RubyValue<'w>> = values.collect();
    while let Some(value) = next.pop() {
        let at = match &value {
            RubyValue::Class(class) => {
                classes.insert(*class);
                continue;
            }
            RubyValue::Array(items) | RubyValue::Set(items) => Rc::as_ptr(items).cast::<()>(),
            RubyValue::Hash(hash) => Rc::as_ptr(hash).cast(),
            RubyValue::Object(object) => Rc::as_ptr(object).cast(),
            RubyValue::Proc(proc) => Rc::as_ptr(proc).cast(),
            _ => continue,
        };
        // A list may contain itself.
        if !seen.insert(at) {
            continue;
        }
        match &value {
            RubyValue::Array(items) | RubyValue::Set(items) => next.extend(items.borrow().iter().cloned()),
            RubyValue::Hash(hash) => next.extend(hash.pairs.borrow().iter().flat_map(|(key, value)| [key.clone(), value.clone()])),
            RubyValue::Object(object) => next.extend(object.variables.borrow().values().cloned()),
            RubyValue::Proc(proc) => next.push(proc.self_value.clone()),
            _ => {}
        }
    }
    classes
}
