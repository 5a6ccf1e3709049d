//! Methods of all objects.

use super::super::classes::ClassKey;
use super::super::frame::{Arguments, MethodBody, Visibility};
use super::super::journal::Storage;
use super::super::value::{MethodCell, ObjectCell, ProcCell, ProcCode, RuntimeValue, SharedCell};
use super::super::{Eval, Flow, Interpreter};
use super::{Call, MANY, NativeMethod, known};
use crate::hir::HirText;
use std::rc::Rc;

pub(super) const BASIC: &[NativeMethod] = &[
    ("initialize", 0, 0, |_, _| Ok(RuntimeValue::Nil)),
    ("==", 1, 1, |_, call| Ok(RuntimeValue::Bool(call.receiver.is_same(known(&call.arg(0))?)))),
    ("equal?", 1, 1, |_, call| Ok(RuntimeValue::Bool(call.receiver.is_same(known(&call.arg(0))?)))),
    ("!", 0, 0, |_, call| call.receiver.truth().map(|truth| RuntimeValue::Bool(!truth)).map_err(Flow::Unknown)),
    ("!=", 1, 1, |run, call| {
        let is_equal = match &call.receiver {
            object @ RuntimeValue::Object(_) => run.send(object, "==", call.arguments.clone())?.truth().map_err(Flow::Unknown)?,
            other => run.equal(other, &call.arg(0))?,
        };
        Ok(RuntimeValue::Bool(!is_equal))
    }),
    ("__send__", 1, MANY, send),
    ("__id__", 0, 0, |run, _| run.unknown_because("object identifiers are not supported")),
    ("instance_eval", 0, 3, instance_eval),
    ("instance_exec", 0, MANY, |run, call| {
        let Some(block) = call.block() else { return run.raise("LocalJumpError", "no block given (yield)") };
        let definee = definee_of(run, &call.receiver)?;
        let arguments = Arguments { block: None, ..call.arguments.clone() };
        run.call_proc_as(&block, &call.receiver, definee, arguments)
    }),
    ("method_missing", 1, MANY, |run, call| {
        let name = run.text_of(&call.arg(0))?;
        run.no_method(&call.receiver, &name, "undefined method")
    }),
    ("singleton_method_added", 1, 1, |_, _| Ok(RuntimeValue::Nil)),
];

pub(super) const METHODS: &[NativeMethod] = &[
    ("===", 1, 1, |run, call| Ok(RuntimeValue::Bool(run.equal(&call.receiver, &call.arg(0))?))),
    ("==", 1, 1, |run, call| match &call.receiver {
        RuntimeValue::Object(_) => Ok(RuntimeValue::Bool(call.receiver.is_same(known(&call.arg(0))?))),
        other => Ok(RuntimeValue::Bool(run.equal(other, &call.arg(0))?)),
    }),
    ("eql?", 1, 1, |run, call| Ok(RuntimeValue::Bool(eql(run, &call.receiver, &call.arg(0))?))),
    ("=~", 1, 1, |_, _| Ok(RuntimeValue::Nil)),
    ("!~", 1, 1, |run, call| {
        let found = match call.frame {
            Some(frame) => run.dispatch(frame, &call.receiver, &"=~".into(), call.arguments.clone(), true)?,
            None => run.send(&call.receiver, "=~", call.arguments.clone())?,
        };
        found.truth().map(|truth| RuntimeValue::Bool(!truth)).map_err(Flow::Unknown)
    }),
    ("<=>", 1, 1, |run, call| Ok(if run.equal(&call.receiver, &call.arg(0))? { RuntimeValue::Int(0) } else { RuntimeValue::Nil })),
    ("hash", 0, 0, |run, call| match &call.receiver {
        RuntimeValue::Object(_) => run.unknown_because("addresses are not supported"),
        other => run.hash_number(other).map(RuntimeValue::Int),
    }),
    ("class", 0, 0, |run, call| Ok(RuntimeValue::Class(run.classes.real(run.class_of(&call.receiver))))),
    ("singleton_class", 0, 0, |run, call| run.singleton_class(&call.receiver).map(RuntimeValue::Class)),
    ("nil?", 0, 0, |_, call| Ok(RuntimeValue::Bool(call.receiver.is_nil()))),
    ("is_a?", 1, 1, is_a),
    ("kind_of?", 1, 1, is_a),
    ("instance_of?", 1, 1, |run, call| match known(&call.arg(0))? {
        RuntimeValue::Class(class) => Ok(RuntimeValue::Bool(run.classes.real(run.class_of(&call.receiver)) == *class)),
        _ => run.raise("TypeError", "class or module required"),
    }),
    ("inspect", 0, 0, inspect),
    ("to_s", 0, 0, |run, call| {
        let text = match &call.receiver {
            RuntimeValue::Object(_) => run.plain_inspect(&call.receiver)?,
            RuntimeValue::Nil => String::new(),
            other => run.inspect(other)?,
        };
        run.new_str(text)
    }),
    ("freeze", 0, 0, |run, call| {
        run.freeze(&call.receiver)?;
        Ok(call.receiver.clone())
    }),
    ("frozen?", 0, 0, |run, call| {
        match &call.receiver {
            RuntimeValue::Str(cell) => run.check_known(&**cell)?,
            RuntimeValue::Array(cell) => run.check_known(&**cell)?,
            RuntimeValue::Hash(cell) => run.check_known(&**cell)?,
            RuntimeValue::Object(object) => run.check_known(&object.variables)?,
            RuntimeValue::Class(_) => return run.unknown_because("`frozen?` of classes is not supported"),
            _ => {}
        }
        Ok(RuntimeValue::Bool(is_frozen(&call.receiver)))
    }),
    ("dup", 0, 0, |run, call| copy(run, call, false)),
    ("clone", 0, 1, |run, call| copy(run, call, true)),
    ("itself", 0, 0, |_, call| Ok(call.receiver.clone())),
    ("respond_to?", 1, 2, respond_to),
    ("respond_to_missing?", 2, 2, |_, _| Ok(RuntimeValue::Bool(false))),
    ("send", 1, MANY, send),
    ("public_send", 1, MANY, |run, call| {
        let mut arguments = call.arguments.clone();
        let name = run.text_of(&arguments.positional.remove(0))?;
        run.send_public(&call.receiver, &name, arguments)
    }),
    ("method", 1, 1, |run, call| {
        let name = run.text_of(&call.arg(0))?;
        let class = run.class_of(&call.receiver);
        match run.find_method(class, &name.as_str().into()) {
            Some(entry) => Ok(RuntimeValue::Method(Rc::new(MethodCell { receiver: Some(call.receiver.clone()), entry }))),
            None => run.undefined_method(class, run.classes.real(class), &name),
        }
    }),
    ("methods", 0, 1, |run, call| {
        let class = run.class_of(&call.receiver);
        let names = run.method_names(class, true, |visibility| visibility != Visibility::Private)?;
        run.new_array(names)
    }),
    ("singleton_methods", 0, 1, |run, call| {
        let class = run.class_of(&call.receiver);
        let mut names = Vec::new();
        let mut next = Some(class);
        while let Some(singleton) = next.filter(|class| run.classes.is_singleton(*class)) {
            let is_core = matches!(run.classes.get(singleton).and_then(|s| s.attached.clone()), Some(RuntimeValue::Class(c)) if run.classes.get(c).is_some_and(|c| c.is_core));
            if !is_core {
                names.extend(run.method_names(singleton, false, |visibility| visibility != Visibility::Private)?);
            }
            next = run.classes.get(singleton).and_then(|state| state.superclass);
        }
        run.new_array(names)
    }),
    ("instance_variables", 0, 0, |run, call| {
        let names = run.variable_names(&call.receiver, "@")?;
        run.new_array(names)
    }),
    ("instance_variable_get", 1, 1, |run, call| {
        let name = variable_name(run, call)?;
        Ok(run.instance_variable(&call.receiver, &name)?.unwrap_or_default())
    }),
    ("instance_variable_set", 2, 2, |run, call| {
        let name = variable_name(run, call)?;
        run.set_instance_variable(&call.receiver, &name, call.arg(1))?;
        Ok(call.arg(1))
    }),
    ("instance_variable_defined?", 1, 1, |run, call| {
        let name = variable_name(run, call)?;
        Ok(RuntimeValue::Bool(run.instance_variable(&call.receiver, &name)?.is_some()))
    }),
    ("remove_instance_variable", 1, 1, |run, call| {
        let name = variable_name(run, call)?;
        let RuntimeValue::Object(object) = &call.receiver else { return run.unknown_because("this receiver is not supported") };
        run.touch(|| Storage::Object(Rc::clone(object)))?;
        Ok(object.variables.content.borrow_mut().shift_remove(&name).unwrap_or_default())
    }),
    ("extend", 1, MANY, |run, call| {
        for module in &call.arguments.positional {
            let RuntimeValue::Class(key) = known(module)? else {
                let class = run.real_class_name(module);
                return run.raise("TypeError", format!("wrong argument type {class} (expected module)"));
            };
            let singleton = run.singleton_class(&call.receiver)?;
            run.touch(|| Storage::Class(singleton))?;
            if let Some(state) = run.classes.change(singleton) {
                state.includes.retain(|module| module != key);
                state.includes.push(*key);
            }
            run.call_hook(module, "extended", vec![call.receiver.clone()])?;
        }
        Ok(call.receiver.clone())
    }),
    ("define_singleton_method", 1, 2, |run, call| {
        let name: HirText = run.text_of(&call.arg(0))?.into();
        let body = match (call.block(), call.arg(1)) {
            (Some(block), _) | (None, RuntimeValue::Proc(block)) => MethodBody::Proc(block),
            (None, RuntimeValue::Method(method)) => method.entry.body.clone(),
            _ => return run.raise("ArgumentError", "tried to create Proc object without a block"),
        };
        let class = run.singleton_class(&call.receiver)?;
        run.add_method(class, &name, Visibility::Public, body)?;
        Ok(RuntimeValue::Sym(name))
    }),
];

fn variable_name(run: &mut Interpreter<'_>, call: &Call<'_>) -> Eval<HirText> {
    let name = run.text_of(&call.arg(0))?;
    let is_valid = name.strip_prefix('@').is_some_and(|rest| rest.starts_with(|c: char| c.is_alphabetic() || c == '_'));
    if !is_valid {
        return run.raise("NameError", format!("`{name}' is not allowed as an instance variable name"));
    }
    Ok(name.into())
}

fn is_a(run: &mut Interpreter<'_>, call: &Call<'_>) -> Eval {
    match known(&call.arg(0))? {
        RuntimeValue::Class(class) => run.is_of_class(&call.receiver, *class).map(RuntimeValue::Bool),
        _ => run.raise("TypeError", "class or module required"),
    }
}

fn send(run: &mut Interpreter<'_>, call: &Call<'_>) -> Eval {
    let mut arguments = call.arguments.clone();
    let name: HirText = run.text_of(&arguments.positional.remove(0))?.into();
    match call.frame {
        Some(frame) => run.dispatch(frame, &call.receiver, &name, arguments, true),
        None => run.send(&call.receiver, &name, arguments),
    }
}

fn respond_to(run: &mut Interpreter<'_>, call: &Call<'_>) -> Eval {
    let name: HirText = run.text_of(&call.arg(0))?.into();
    let with_private = call.arg(1).truth().map_err(Flow::Unknown)?;
    let class = run.class_of(&call.receiver);
    if let Some(entry) = run.find_method(class, &name) {
        if let MethodBody::Unknown(why) = &entry.body {
            return Err(Flow::Unknown(Rc::clone(why)));
        }
        return Ok(RuntimeValue::Bool(entry.visibility == Visibility::Public || with_private));
    }
    if let Some(why) = run.classes.lost(class) {
        return Err(Flow::Unknown(why));
    }
    let given = vec![RuntimeValue::Sym(name), RuntimeValue::Bool(with_private)];
    let answer = run.send(&call.receiver, "respond_to_missing?", Arguments::of(given))?;
    answer.truth().map(RuntimeValue::Bool).map_err(Flow::Unknown)
}

/// Returns the class in which `def` defines methods while code runs with another `self`.
fn definee_of(run: &mut Interpreter<'_>, value: &RuntimeValue) -> Eval<Option<ClassKey>> {
    match value {
        RuntimeValue::Object(_) | RuntimeValue::Class(_) => run.singleton_class(value).map(Some),
        _ => Ok(None),
    }
}

fn instance_eval(run: &mut Interpreter<'_>, call: &Call<'_>) -> Eval {
    if let Some(block) = call.block() {
        let definee = definee_of(run, &call.receiver)?;
        return run.call_proc_as(&block, &call.receiver, definee, Arguments::of(vec![call.receiver.clone()]));
    }
    run.unknown_because("`instance_eval` of a text is not supported")
}

fn inspect(run: &mut Interpreter<'_>, call: &Call<'_>) -> Eval {
    let RuntimeValue::Object(object) = &call.receiver else {
        let text = match &call.receiver {
            other @ (RuntimeValue::Match(_) | RuntimeValue::Proc(_) | RuntimeValue::Method(_)) => run.plain_inspect(other)?,
            other => run.inspect(other)?,
        };
        return run.new_str(text);
    };
    run.check_known(&object.variables)?;
    let plain = run.plain_inspect(&call.receiver)?;
    run.new_str(plain)
}

fn is_frozen(value: &RuntimeValue) -> bool {
    match value {
        RuntimeValue::Str(cell) => cell.frozen.get(),
        RuntimeValue::Array(cell) => cell.frozen.get(),
        RuntimeValue::Hash(cell) => cell.frozen.get(),
        RuntimeValue::Object(object) => object.variables.frozen.get(),
        RuntimeValue::Class(_) | RuntimeValue::Proc(_) | RuntimeValue::Match(_) | RuntimeValue::Method(_) => false,
        _ => true,
    }
}

/// Returns true if two values are equal and have the same class: `eql?`.
pub(crate) fn eql(run: &mut Interpreter<'_>, a: &RuntimeValue, b: &RuntimeValue) -> Eval<bool> {
    match (known(a)?, known(b)?) {
        (RuntimeValue::Object(_), _) => Ok(a.is_same(b)),
        (a, b) => {
            if std::mem::discriminant(a) != std::mem::discriminant(b) {
                return Ok(false);
            }
            let first = run.hash_key(a)?;
            Ok(first == run.hash_key(b)?)
        }
    }
}

fn copy(run: &mut Interpreter<'_>, call: &Call<'_>, is_clone: bool) -> Eval {
    let keyword = call.arguments.keywords.iter().find(|(key, _)| matches!(key, RuntimeValue::Sym(name) if &**name == "freeze"));
    let stays_frozen = is_clone && !matches!(keyword, Some((_, RuntimeValue::Bool(false))));
    let frozen = stays_frozen && is_frozen(&call.receiver);
    match &call.receiver {
        RuntimeValue::Str(_) => {
            let text = run.text_of(&call.receiver)?;
            let cell = SharedCell::new(text);
            cell.frozen.set(frozen);
            Ok(RuntimeValue::Str(cell))
        }
        RuntimeValue::Array(list) => {
            let items = run.items(list)?;
            let copied = run.new_array(items)?;
            if let RuntimeValue::Array(cell) = &copied {
                cell.frozen.set(frozen);
            }
            Ok(copied)
        }
        RuntimeValue::Hash(hash) => {
            run.check_known(&**hash)?;
            let mut content = hash.content.borrow().clone();
            run.spend_bytes(content.entries.len() * 64)?;
            content.iterations = 0;
            let cell = SharedCell::new(content);
            cell.frozen.set(frozen);
            Ok(RuntimeValue::Hash(cell))
        }
        RuntimeValue::Object(object) => {
            run.check_known(&object.variables)?;
            let class = object.class.get();
            let new = ObjectCell::new(if is_clone { class } else { run.classes.real(class) });
            new.variables.content.borrow_mut().clone_from(&object.variables.content.borrow());
            let value = RuntimeValue::Object(Rc::clone(&new));
            run.send(&value, "initialize_copy", Arguments::of(vec![call.receiver.clone()]))?;
            new.variables.frozen.set(frozen);
            Ok(value)
        }
        RuntimeValue::Proc(block) => {
            let code = match &block.code {
                ProcCode::Body(body) => ProcCode::Body(*body),
                _ => return Ok(call.receiver.clone()),
            };
            Ok(RuntimeValue::Proc(Rc::new(ProcCell { code, frame: block.frame.clone(), is_lambda: block.is_lambda })))
        }
        RuntimeValue::Class(_) => run.unknown_because("copies of classes are not supported"),
        other => Ok(other.clone()),
    }
}

impl Interpreter<'_> {
    pub(crate) fn is_of_class(&mut self, value: &RuntimeValue, class: ClassKey) -> Eval<bool> {
        let own = self.class_of(value);
        if self.classes.is_a(own, class) {
            return Ok(true);
        }
        match self.classes.lost(own) {
            Some(why) => Err(Flow::Unknown(why)),
            None => Ok(false),
        }
    }

    pub(crate) fn freeze(&mut self, value: &RuntimeValue) -> Eval<()> {
        match value {
            RuntimeValue::Str(cell) => {
                self.touch(|| Storage::Str(Rc::clone(cell)))?;
                cell.frozen.set(true);
            }
            RuntimeValue::Array(cell) => {
                self.touch(|| Storage::Array(Rc::clone(cell)))?;
                cell.frozen.set(true);
            }
            RuntimeValue::Hash(cell) => {
                self.touch(|| Storage::Hash(Rc::clone(cell)))?;
                cell.frozen.set(true);
            }
            RuntimeValue::Object(object) => {
                self.touch(|| Storage::Object(Rc::clone(object)))?;
                object.variables.frozen.set(true);
            }
            _ => {}
        }
        Ok(())
    }

    /// Calls a public method.
    pub(crate) fn send_public(&mut self, receiver: &RuntimeValue, name: &str, arguments: Arguments) -> Eval {
        let class = self.class_of(receiver);
        let name: HirText = name.into();
        match self.find_method(class, &name) {
            Some(entry) if entry.visibility == Visibility::Private => self.no_method(receiver, &name, "private method"),
            _ => self.send(receiver, &name, arguments),
        }
    }

    /// Returns method names as symbols, with or without inherited methods.
    pub(crate) fn method_names(
        &mut self,
        class: ClassKey,
        with_ancestors: bool,
        wanted: impl Fn(Visibility) -> bool,
    ) -> Eval<Vec<RuntimeValue>> {
        let classes = if with_ancestors { self.classes.ancestors(class) } else { vec![class] };
        let mut names: indexmap::IndexMap<HirText, bool> = indexmap::IndexMap::new();
        for class in classes {
            if let Some(why) = self.classes.get(class).and_then(|state| state.lost.clone()) {
                return Err(Flow::Unknown(why));
            }
            for (name, entry) in self.classes.get(class).map(|state| &state.methods).into_iter().flatten() {
                let is_wanted = wanted(entry.visibility) && !matches!(entry.body, MethodBody::Undefined);
                if let MethodBody::Unknown(why) = &entry.body {
                    return Err(Flow::Unknown(Rc::clone(why)));
                }
                names.entry(HirText::clone(name)).or_insert(is_wanted);
            }
        }
        Ok(names.into_iter().filter(|(_, is_wanted)| *is_wanted).map(|(name, _)| RuntimeValue::Sym(name)).collect())
    }

    /// Returns variable names with a prefix as symbols.
    pub(crate) fn variable_names(&mut self, value: &RuntimeValue, prefix: &str) -> Eval<Vec<RuntimeValue>> {
        let names: Vec<HirText> = match value {
            RuntimeValue::Object(object) => {
                self.check_known(&object.variables)?;
                let variables = object.variables.content.borrow();
                variables.iter().map(|(name, value)| known(value).map(|_| HirText::clone(name))).collect::<Eval<_>>()?
            }
            RuntimeValue::Class(class) => {
                let variables = self.classes.get(*class).map(|state| &state.variables).into_iter().flatten();
                variables.map(|(name, value)| known(value).map(|_| HirText::clone(name))).collect::<Eval<_>>()?
            }
            _ => Vec::new(),
        };
        let is_wanted = |name: &HirText| name.strip_prefix(prefix).is_some_and(|rest| !rest.starts_with('@'));
        Ok(names.into_iter().filter(is_wanted).map(RuntimeValue::Sym).collect())
    }
}
