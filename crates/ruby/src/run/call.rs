//! Method calls, blocks, `super` and `yield`.

use super::classes::{ClassKey, ClassState};
use super::frame::{Activation, Arguments, Environment, Frame, MethodBody, MethodEntry, Visibility};
use super::natives::Call;
use super::value::{ProcCell, ProcCode, RuntimeValue, UnknownReason, UnknownValue};
use super::{Eval, Flow, Interpreter};
use crate::hir::{BodyId, CallArgs, CallBlock, CallStyle, Hir, HirText, MethodCall, SuperCall};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

impl<'h> Interpreter<'h> {
    pub(crate) fn call_expr(&mut self, frame: &Frame, call: &MethodCall) -> Eval {
        let receiver = self.eval(frame, call.receiver)?;
        let id = self.number();
        let arguments = match self.call_arguments(frame, &call.args, id) {
            Err(Flow::Unknown(why)) => {
                self.lose(&receiver, &why)?;
                return Err(Flow::Unknown(why));
            }
            arguments => arguments?,
        };
        if call.style == CallStyle::Bare
            && let Some(error) = self.unknown_name(frame, &receiver, call)?
        {
            return Err(error);
        }
        let may_be_private = call.style != CallStyle::Explicit || self.is_self(frame, call.receiver);
        let height = self.doubt.pending.len();
        let result = self.dispatch(frame, &receiver, &call.name, arguments, may_be_private);
        if !matches!(call.args.block, Some(CallBlock::Literal(_))) {
            return result;
        }
        self.settle(height, result, &mut |_, result| match result {
            Err(Flow::Break(of, value)) if of == id => Ok(value),
            other => other,
        })
    }

    /// Returns the error for a name that is neither a variable nor a method.
    fn unknown_name(&mut self, frame: &Frame, receiver: &RuntimeValue, call: &MethodCall) -> Eval<Option<Flow>> {
        let class = self.class_of(receiver);
        if matches!(receiver, RuntimeValue::Unknown(_)) || self.find_method(class, &call.name).is_some() {
            return Ok(None);
        }
        let missing: HirText = "method_missing".into();
        let is_handled = self.find_method(class, &missing).is_some_and(|entry| !matches!(entry.body, MethodBody::Native(..)));
        if is_handled || self.classes.lost(class).is_some() || self.loader.missing.is_some() {
            return Ok(None);
        }
        let shown = self.describe_receiver(&frame.self_value)?;
        let error = self.raise::<()>("NameError", format!("undefined local variable or method `{}' for {shown}", call.name));
        Ok(error.err())
    }

    fn call_arguments(&mut self, frame: &Frame, args: &CallArgs, id: u64) -> Eval<Arguments> {
        let positional = self.elements(frame, &args.positional)?;
        let keywords = self.pairs(frame, &args.keywords)?;
        let block = match args.block {
            None => None,
            Some(CallBlock::Literal(body)) => match self.closure(frame, body, false, id) {
                RuntimeValue::Proc(block) => Some(block),
                _ => None,
            },
            Some(CallBlock::Pass(value)) => {
                let value = self.eval(frame, value)?;
                self.as_block(value)?
            }
        };
        Ok(Arguments { positional, keywords, block })
    }

    /// Converts the value in `&value` to a block.
    fn as_block(&mut self, value: RuntimeValue) -> Eval<Option<Rc<ProcCell>>> {
        match value {
            RuntimeValue::Nil => Ok(None),
            RuntimeValue::Proc(block) => Ok(Some(block)),
            RuntimeValue::Unknown(why) => Err(Flow::Unknown(why)),
            other if self.responds(&other, "to_proc") => match self.send(&other, "to_proc", Arguments::default())? {
                RuntimeValue::Proc(block) => Ok(Some(block)),
                _ => self.unknown_because("this block is not supported"),
            },
            other => {
                let class = self.real_class_name(&other);
                self.raise("TypeError", format!("wrong argument type {class} (expected Proc)"))
            }
        }
    }

    /// Creates a proc from code in a frame.
    pub(crate) fn closure(&mut self, frame: &Frame, body: BodyId, is_lambda: bool, id: u64) -> RuntimeValue {
        self.captured.push(Rc::downgrade(&frame.variables));
        let frame = Frame { breaks: id, ..frame.clone() };
        RuntimeValue::Proc(Rc::new(ProcCell { code: ProcCode::Body(body), frame, is_lambda }))
    }

    /// Returns a value's class: the singleton class, if there is one.
    pub(crate) fn class_of(&self, value: &RuntimeValue) -> ClassKey {
        let name = match value {
            RuntimeValue::Object(object) => return object.class.get(),
            RuntimeValue::Class(class) => {
                let mut next = Some(*class);
                while let Some(key) = next {
                    let Some(state) = self.classes.get(key) else { break };
                    if let Some(singleton) = state.singleton {
                        return singleton;
                    }
                    next = state.superclass;
                }
                return if self.classes.is_module(*class) { self.known.module } else { self.known.class };
            }
            RuntimeValue::Nil => "NilClass",
            RuntimeValue::Bool(true) => "TrueClass",
            RuntimeValue::Bool(false) => "FalseClass",
            RuntimeValue::Int(_) => "Integer",
            RuntimeValue::Float(_) => "Float",
            RuntimeValue::Sym(_) => "Symbol",
            RuntimeValue::Str(_) => "String",
            RuntimeValue::Array(_) => "Array",
            RuntimeValue::Hash(_) => "Hash",
            RuntimeValue::Range(_) => "Range",
            RuntimeValue::Regex(_) => "Regexp",
            RuntimeValue::Match(_) => "MatchData",
            RuntimeValue::Proc(_) => "Proc",
            RuntimeValue::Method(method) if method.receiver.is_none() => "UnboundMethod",
            RuntimeValue::Method(_) => "Method",
            RuntimeValue::Unknown(_) => "Object",
        };
        self.core_class(name)
    }

    pub(crate) fn singleton_class_of(&mut self, class: ClassKey) -> ClassKey {
        self.classes.singleton_of_class(class, self.known.class, self.known.module)
    }

    /// Returns an object's singleton class. Creates the class if missing.
    pub(crate) fn singleton_class(&mut self, value: &RuntimeValue) -> Eval<ClassKey> {
        match value {
            RuntimeValue::Class(class) => {
                self.touch(|| super::journal::Storage::Class(*class))?;
                Ok(self.singleton_class_of(*class))
            }
            RuntimeValue::Object(object) => {
                let class = object.class.get();
                if self.classes.is_singleton(class) {
                    return Ok(class);
                }
                self.touch(|| super::journal::Storage::Object(Rc::clone(object)))?;
                let state = ClassState { superclass: Some(class), attached: Some(RuntimeValue::Nil), ..ClassState::default() };
                let singleton = self.classes.add(state);
                object.class.set(singleton);
                Ok(singleton)
            }
            RuntimeValue::Int(_) | RuntimeValue::Sym(_) | RuntimeValue::Float(_) => self.raise("TypeError", "can't define singleton"),
            _ => self.unsupported("singleton classes of Ruby's own objects are not supported"),
        }
    }

    pub(crate) fn find_method(&mut self, class: ClassKey, name: &HirText) -> Option<Rc<MethodEntry>> {
        self.classes.find(class, name)
    }

    /// Returns true if a value has a public method.
    pub(crate) fn responds(&mut self, value: &RuntimeValue, name: &str) -> bool {
        let class = self.class_of(value);
        self.find_method(class, &name.into()).is_some_and(|entry| entry.visibility == Visibility::Public)
    }

    /// Calls a method, private or not, from the interpreter.
    pub(crate) fn send(&mut self, receiver: &RuntimeValue, name: &str, arguments: Arguments) -> Eval {
        self.invoke(None, receiver, &name.into(), arguments, true)
    }

    /// Calls a method from code.
    pub(crate) fn dispatch(
        &mut self,
        frame: &Frame,
        receiver: &RuntimeValue,
        name: &HirText,
        arguments: Arguments,
        may_be_private: bool,
    ) -> Eval {
        self.invoke(Some(frame), receiver, name, arguments, may_be_private)
    }

    pub(super) fn invoke(
        &mut self,
        frame: Option<&Frame>,
        receiver: &RuntimeValue,
        name: &HirText,
        arguments: Arguments,
        may_be_private: bool,
    ) -> Eval {
        if let RuntimeValue::Unknown(why) = receiver {
            return self.call_unknown(why, arguments);
        }
        let class = self.class_of(receiver);
        let Some(entry) = self.find_method(class, name) else {
            return self.method_missing(frame, receiver, name, arguments, "undefined method");
        };
        let is_allowed = match entry.visibility {
            Visibility::Public | Visibility::ModuleFunction => true,
            Visibility::Private => may_be_private,
            Visibility::Protected => may_be_private || frame.is_some_and(|f| self.may_call_protected(f, &entry)),
        };
        if !is_allowed {
            let kind = if entry.visibility == Visibility::Private { "private" } else { "protected" };
            return self.method_missing(frame, receiver, name, arguments, &format!("{kind} method"));
        }
        self.call_entry(frame, &entry, receiver, name, arguments)
    }

    fn may_call_protected(&mut self, frame: &Frame, entry: &MethodEntry) -> bool {
        let own = self.class_of(&frame.self_value);
        self.classes.is_a(own, entry.owner)
    }

    /// Calls a method on an unknown value. The block may run any number of times, arguments may change, and the method may raise an error,
    /// which matters while code handles errors.
    pub(crate) fn call_unknown(&mut self, why: &Rc<UnknownValue>, arguments: Arguments) -> Eval {
        self.lose(&RuntimeValue::Unknown(Rc::clone(why)), why)?;
        for value in arguments.positional.iter().chain(arguments.keywords.iter().map(|(_, value)| value)) {
            self.lose(value, why)?;
        }
        if let Some(block) = arguments.block {
            self.lose(&RuntimeValue::Proc(block), why)?;
        }
        if self.doubt.watched == 0 || self.is_strict {
            return Err(Flow::Unknown(Rc::clone(why)));
        }
        let unknown = RuntimeValue::Unknown(Rc::clone(why));
        self.fork(why, &mut [&mut |_| Ok(unknown.clone()), &mut |_| Err(Flow::Raise(unknown.clone()))])
    }

    /// Runs a block that unknown code may call repeatedly.
    fn repeat_block(&mut self, block: &Rc<ProcCell>, why: &Rc<UnknownValue>) -> Eval<()> {
        let address = Rc::as_ptr(block) as usize;
        if self.doubt.repeated.contains(&address) {
            return Ok(());
        }
        self.doubt.repeated.push(address);
        let unknown = RuntimeValue::Unknown(Rc::clone(why));
        let height = self.doubt.pending.len();
        let result = self.repeat_unknown(why, &mut |run| {
            let result = run.call_proc(block, unknown_arguments(block, &unknown));
            run.as_value(result)
        });
        let id = block.frame.breaks;
        let result = self.settle(height, result, &mut |_, result| match result {
            Err(Flow::Break(of, _)) if of == id => Ok(unknown.clone()),
            other => other,
        });
        self.doubt.repeated.pop();
        result.map(drop)
    }

    /// Forgets a value's content, because unknown code may change it, and runs the blocks that unknown code may call.
    pub(crate) fn lose(&mut self, value: &RuntimeValue, why: &Rc<UnknownValue>) -> Eval<()> {
        use super::journal::Storage;
        let mut open = vec![value.clone()];
        let mut seen = std::collections::HashSet::new();
        while let Some(value) = open.pop() {
            if value.address().is_some_and(|address| !seen.insert(address)) {
                continue;
            }
            self.spend(1)?;
            match &value {
                RuntimeValue::Str(cell) if !cell.frozen.get() => {
                    self.touch(|| Storage::Str(Rc::clone(cell)))?;
                    cell.lost.borrow_mut().get_or_insert_with(|| Rc::clone(why));
                }
                RuntimeValue::Array(cell) => {
                    open.extend(cell.content.borrow().iter().cloned());
                    if !cell.frozen.get() {
                        self.touch(|| Storage::Array(Rc::clone(cell)))?;
                        cell.lost.borrow_mut().get_or_insert_with(|| Rc::clone(why));
                    }
                }
                RuntimeValue::Hash(cell) => {
                    open.extend(cell.content.borrow().entries.values().map(|(_, value)| value.clone()));
                    if !cell.frozen.get() {
                        self.touch(|| Storage::Hash(Rc::clone(cell)))?;
                        cell.lost.borrow_mut().get_or_insert_with(|| Rc::clone(why));
                    }
                }
                RuntimeValue::Object(object) => {
                    open.extend(object.variables.content.borrow().values().cloned());
                    if !object.variables.frozen.get() {
                        self.touch(|| Storage::Object(Rc::clone(object)))?;
                        object.variables.lost.borrow_mut().get_or_insert_with(|| Rc::clone(why));
                    }
                }
                RuntimeValue::Unknown(unknown) => open.extend(unknown.options.iter().cloned()),
                RuntimeValue::Proc(block) => self.repeat_block(block, why)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// Calls `method_missing`, or raises the error.
    fn method_missing(
        &mut self,
        frame: Option<&Frame>,
        receiver: &RuntimeValue,
        name: &HirText,
        mut arguments: Arguments,
        what: &str,
    ) -> Eval {
        let class = self.class_of(receiver);
        let missing: HirText = "method_missing".into();
        if let Some(entry) = self.find_method(class, &missing)
            && !matches!(entry.body, MethodBody::Missing | MethodBody::Native(..))
        {
            arguments.positional.insert(0, RuntimeValue::Sym(HirText::clone(name)));
            return self.call_entry(frame, &entry, receiver, &missing, arguments);
        }
        if let Some(why) = self.classes.lost(class).or_else(|| self.missing_ancestor(class)) {
            self.lose(receiver, &why)?;
            return self.call_unknown(&why, arguments);
        }
        self.no_method(receiver, name, what)
    }

    pub(crate) fn no_method<T>(&mut self, receiver: &RuntimeValue, name: &str, what: &str) -> Eval<T> {
        let shown = self.describe_receiver(receiver)?;
        let for_what = if what == "undefined method" { "for" } else { "called for" };
        let error = self.raise("NoMethodError", format!("{what} `{name}' {for_what} {shown}"));
        if let Err(Flow::Raise(RuntimeValue::Object(object))) = &error {
            object.variables.content.borrow_mut().insert("name".into(), RuntimeValue::sym(name));
            object.variables.content.borrow_mut().insert("receiver".into(), receiver.clone());
        }
        error
    }

    /// Returns the first missing file, which may define further methods for a class. Returns `None` if Ruby itself defines the class.
    fn missing_ancestor(&self, class: ClassKey) -> Option<Rc<UnknownValue>> {
        self.loader.missing.as_ref().filter(|_| self.classes.get(class).is_some_and(|state| !state.is_core)).map(Rc::clone)
    }

    pub(crate) fn call_entry(
        &mut self,
        frame: Option<&Frame>,
        entry: &Rc<MethodEntry>,
        receiver: &RuntimeValue,
        name: &HirText,
        arguments: Arguments,
    ) -> Eval {
        match &entry.body {
            MethodBody::Code { hir, body, lexical } => {
                let (hir, body, lexical) = (Arc::clone(hir), *body, Rc::clone(lexical));
                self.callers.push(self.site);
                let result = self.run_method(entry, &hir, body, lexical, receiver, arguments);
                self.callers.pop();
                result
            }
            MethodBody::Proc(code) => {
                let code = Rc::clone(code);
                self.run_proc_method(entry, &code, receiver, arguments)
            }
            MethodBody::Native(function, min, max) => {
                let given = arguments.positional.len() + usize::from(!arguments.keywords.is_empty());
                if given < *min || given > *max {
                    return self.wrong_arity(given, *min, *max);
                }
                // Methods with an alias use their first name.
                let call = Call { frame, receiver: receiver.clone(), name: HirText::clone(&entry.name), arguments };
                let result = self.in_call(|run| function(run, &call));
                if let Err(Flow::Unknown(why)) = &result
                    && super::natives::changes_receiver(&entry.name)
                {
                    self.lose(receiver, why)?;
                    if let RuntimeValue::Class(class) = receiver {
                        self.touch(|| super::journal::Storage::Class(*class))?;
                        if let Some(state) = self.classes.change(*class) {
                            state.lost.get_or_insert_with(|| Rc::clone(why));
                        }
                    }
                }
                result
            }
            MethodBody::Reader(variable) => {
                if !arguments.positional.is_empty() {
                    return self.wrong_arity(arguments.positional.len(), 0, 0);
                }
                Ok(self.instance_variable(receiver, variable)?.unwrap_or_default())
            }
            MethodBody::Writer(variable) => {
                let [value] = arguments.positional.as_slice() else { return self.wrong_arity(arguments.positional.len(), 1, 1) };
                self.set_instance_variable(receiver, variable, value.clone())?;
                Ok(value.clone())
            }
            MethodBody::Embedded => self.call_embedded(entry, receiver, name, arguments),
            MethodBody::Missing => self.call_missing(entry, receiver, name, arguments),
            MethodBody::Unknown(why) => {
                let why = Rc::clone(why);
                self.lose(receiver, &why)?;
                self.call_unknown(&why, arguments)
            }
            MethodBody::Undefined => self.no_method(receiver, name, "undefined method"),
        }
    }

    fn call_embedded(&mut self, entry: &MethodEntry, receiver: &RuntimeValue, name: &HirText, arguments: Arguments) -> Eval {
        let owner = match self.classes.get(entry.owner).and_then(|class| class.attached.clone()) {
            Some(RuntimeValue::Class(class)) => class,
            _ => entry.owner,
        };
        let given = arguments.clone();
        let call = super::EmbeddedCall {
            owner,
            receiver: receiver.clone(),
            name: name.to_string(),
            positional: arguments.positional,
            keywords: arguments.keywords,
            block: arguments.block.map(RuntimeValue::Proc),
            origin: self.site,
        };
        let host = Rc::clone(&self.host);
        match self.in_call(|run| host.call(run, call)) {
            Err(Flow::Unknown(why)) => self.call_unknown(&why, given),
            result => result,
        }
    }

    /// Calls a Ruby method without an implementation here. The rtype language may implement the method; otherwise the result is unknown.
    fn call_missing(&mut self, entry: &MethodEntry, receiver: &RuntimeValue, name: &HirText, arguments: Arguments) -> Eval {
        if arguments.block.is_none()
            && arguments.keywords.is_empty()
            && let Some(result) = self.lang_method(receiver, name, &arguments.positional)?
        {
            return Ok(result);
        }
        let class = self.class_label(entry.owner);
        let reason = UnknownReason::Method { class, name: name.to_string() };
        let why = Rc::new(UnknownValue { reason, origin: self.site, options: Vec::new() });
        self.lose(receiver, &why)?;
        self.call_unknown(&why, arguments)
    }

    /// Returns the variables for a starting body.
    pub(crate) fn variables(&mut self, hir: &Hir, body: BodyId, outer: Option<Rc<Environment>>) -> Rc<Environment> {
        let count = hir.body(body).map_or(0, |body| body.locals.len());
        Rc::new(Environment { slots: RefCell::new(vec![RuntimeValue::Nil; count + 1]), outer, born: super::value::create() })
    }

    fn run_method(
        &mut self,
        entry: &Rc<MethodEntry>,
        hir: &Arc<Hir>,
        body: BodyId,
        lexical: Rc<super::frame::LexicalScope>,
        receiver: &RuntimeValue,
        arguments: Arguments,
    ) -> Eval {
        let home = self.number();
        let variables = self.variables(hir, body, None);
        let activation = Activation { entry: Rc::clone(entry), block: arguments.block.clone(), is_block: false };
        let frame = Frame {
            hir: Arc::clone(hir),
            body,
            variables,
            self_value: receiver.clone(),
            definee: lexical.class,
            lexical,
            method: Some(Rc::new(activation)),
            home,
            breaks: 0,
            visibility: Rc::new(Cell::new(Visibility::Public)),
        };
        let Some(code) = hir.body(body) else { return Ok(RuntimeValue::Nil) };
        let height = self.doubt.pending.len();
        let result = self.in_call(|run| {
            run.bind(&frame, &code.params, arguments, true)?;
            run.eval(&frame, code.root)
        });
        self.end_method(height, home, result)
    }

    /// Ends a method. `return` sets the method's result.
    fn end_method(&mut self, height: usize, home: u64, result: Eval) -> Eval {
        self.settle(height, result, &mut |_, result| match result {
            Err(Flow::Return(of, value)) if of == home => Ok(value),
            other => other,
        })
    }

    /// Runs a method defined by `define_method`.
    fn run_proc_method(&mut self, entry: &Rc<MethodEntry>, code: &Rc<ProcCell>, receiver: &RuntimeValue, arguments: Arguments) -> Eval {
        if !matches!(code.code, ProcCode::Body(_)) {
            return self.call_proc(code, arguments);
        }
        let activation = Activation { entry: Rc::clone(entry), block: arguments.block.clone(), is_block: true };
        let frame = Frame { self_value: receiver.clone(), method: Some(Rc::new(activation)), ..code.frame.clone() };
        let code = ProcCell { code: code.code.clone(), frame, is_lambda: true };
        self.call_proc(&Rc::new(code), arguments)
    }

    pub(crate) fn super_expr(&mut self, frame: &Frame, call: &SuperCall) -> Eval {
        let Some(method) = frame.method.as_ref().map(Rc::clone) else {
            return self.raise("RuntimeError", "super called outside of method");
        };
        if call.is_implicit && method.is_block {
            return self.raise(
                "RuntimeError",
                "implicit argument passing of super from method defined by define_method() is not supported. Specify all arguments explicitly.",
            );
        }
        let id = self.number();
        let mut arguments = self.call_arguments(frame, &call.args, id)?;
        if call.args.block.is_none() {
            arguments.block.clone_from(&method.block);
        }
        let class = self.class_of(&frame.self_value);
        let name = HirText::clone(&method.entry.name);
        let height = self.doubt.pending.len();
        let result = match self.classes.find_after(class, method.entry.owner, &name) {
            Some(entry) => self.call_entry(Some(frame), &entry, &frame.self_value, &name, arguments),
            None => match self.classes.lost(class).or_else(|| self.missing_ancestor(class)) {
                Some(why) => self.call_unknown(&why, arguments),
                None => {
                    let shown = self.describe_receiver(&frame.self_value)?;
                    self.raise("NoMethodError", format!("super: no superclass method `{name}' for {shown}"))
                }
            },
        };
        self.settle(height, result, &mut |_, result| match result {
            Err(Flow::Break(of, value)) if of == id => Ok(value),
            other => other,
        })
    }

    pub(crate) fn yield_expr(&mut self, frame: &Frame, args: &CallArgs) -> Eval {
        let arguments = self.call_arguments(frame, args, 0)?;
        let Some(block) = frame.method.as_ref().and_then(|method| method.block.as_ref()).map(Rc::clone) else {
            return self.raise("LocalJumpError", "no block given (yield)");
        };
        self.call_proc(&block, arguments)
    }
}

/// Returns as many unknown arguments as a block, lambda or method takes.
fn unknown_arguments(code: &ProcCell, unknown: &RuntimeValue) -> Arguments {
    let (hir, body) = match &code.code {
        ProcCode::Body(body) => (&code.frame.hir, *body),
        ProcCode::Method(method) => match &method.entry.body {
            MethodBody::Code { hir, body, .. } => (hir, *body),
            MethodBody::Proc(block) => return unknown_arguments(block, unknown),
            _ => return Arguments::of(vec![unknown.clone()]),
        },
        _ => return Arguments::of(vec![unknown.clone()]),
    };
    let Some(params) = hir.body(body).map(|body| &body.params) else { return Arguments::default() };
    let required = params.keywords.iter().filter(|keyword| keyword.default.is_none());
    Arguments {
        positional: vec![unknown.clone(); params.required.len() + params.optional.len() + params.post.len()],
        keywords: required.map(|keyword| (RuntimeValue::Sym(HirText::clone(&keyword.name)), unknown.clone())).collect(),
        block: None,
    }
}
