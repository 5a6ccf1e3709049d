//! Definitions: methods, classes, modules, aliases, and `defined?`.

use super::classes::{ClassKey, ClassState};
use super::frame::{Arguments, Frame, LexicalScope, MethodBody, Visibility};
use super::journal::Storage;
use super::value::RuntimeValue;
use super::{Eval, Flow, Interpreter};
use crate::hir::{BodyId, ConstantPath, ConstantScope, ExprId, HirKind, HirText};
use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

/// A class's maximum number of ancestors. Method lookup visits every ancestor.
const MAX_ANCESTORS: usize = 300;

impl Interpreter<'_> {
    pub(crate) fn definition(&mut self, frame: &Frame, kind: &HirKind) -> Eval {
        match kind {
            HirKind::Def { singleton, name, body } => self.def(frame, *singleton, name, *body),
            HirKind::Class { path, superclass, body } => self.class(frame, path, *superclass, *body),
            HirKind::Module { path, body } => self.module(frame, path, *body),
            HirKind::SingletonClass { object, body } => {
                let object = self.eval(frame, *object)?;
                let class = self.singleton_class(&object)?;
                if let Some(state) = self.classes.change(class) {
                    state.attached = Some(object);
                }
                self.class_body(frame, class, RuntimeValue::Class(class), *body)
            }
            HirKind::Alias { new, old } => {
                let new = self.eval(frame, *new)?;
                let old = self.eval(frame, *old)?;
                let (new, old) = (self.text_of(&new)?, self.text_of(&old)?);
                self.alias(frame.definee, &new, &old)?;
                Ok(RuntimeValue::Nil)
            }
            HirKind::Undef(names) => {
                for name in names {
                    let name = self.eval(frame, *name)?;
                    let name = self.text_of(&name)?;
                    self.undefine(frame.definee, &name)?;
                }
                Ok(RuntimeValue::Nil)
            }
            HirKind::Defined(operand) => self.defined(frame, *operand),
            _ => self.unknown_because("this expression is not supported"),
        }
    }

    fn def(&mut self, frame: &Frame, singleton: Option<ExprId>, name: &HirText, body: BodyId) -> Eval {
        let code = MethodBody::Code { hir: Arc::clone(&frame.hir), body, lexical: Rc::clone(&frame.lexical) };
        if let Some(object) = singleton {
            let object = self.eval(frame, object)?;
            let class = self.singleton_class(&object)?;
            self.add_method(class, name, Visibility::Public, code)?;
            return Ok(RuntimeValue::Sym(HirText::clone(name)));
        }
        let is_top = frame.lexical.outer.is_none() && frame.definee == self.known.object;
        let visibility = match &**name {
            "initialize" | "initialize_copy" | "respond_to_missing?" => Visibility::Private,
            _ if is_top && frame.visibility.get() == Visibility::Public => Visibility::Private,
            _ => frame.visibility.get(),
        };
        if visibility == Visibility::ModuleFunction {
            let meta = self.singleton_class_of(frame.definee);
            self.add_method(meta, name, Visibility::Public, code.clone())?;
            self.add_method(frame.definee, name, Visibility::Private, code)?;
        } else {
            self.add_method(frame.definee, name, visibility, code)?;
        }
        Ok(RuntimeValue::Sym(HirText::clone(name)))
    }

    /// Defines a method, and calls the class's hook `method_added`.
    pub(crate) fn add_method(&mut self, class: ClassKey, name: &HirText, visibility: Visibility, body: MethodBody) -> Eval<()> {
        self.spend_bytes(128)?;
        self.touch(|| Storage::Class(class))?;
        self.classes.define(class, HirText::clone(name), visibility, body);
        let (object, hook) = match self.classes.get(class).and_then(|state| state.attached.clone()) {
            Some(attached) => (attached, "singleton_method_added"),
            None => (RuntimeValue::Class(class), "method_added"),
        };
        self.call_hook(&object, hook, vec![RuntimeValue::Sym(HirText::clone(name))])
    }

    /// Calls a hook if the program defines it.
    pub(crate) fn call_hook(&mut self, object: &RuntimeValue, hook: &str, arguments: Vec<RuntimeValue>) -> Eval<()> {
        let class = self.class_of(object);
        let is_defined =
            self.find_method(class, &hook.into()).is_some_and(|entry| !matches!(entry.body, MethodBody::Missing | MethodBody::Native(..)));
        if is_defined {
            self.send(object, hook, Arguments::of(arguments))?;
        }
        Ok(())
    }

    /// Raises the error for a missing method. If a superclass is unknown, the method may exist and the result is unknown.
    pub(crate) fn undefined_method<T>(&mut self, class: ClassKey, shown: ClassKey, name: &str) -> Eval<T> {
        if let Some(why) = self.classes.lost(class) {
            return Err(Flow::Unknown(why));
        }
        let label = self.class_label(shown);
        let kind = if self.classes.is_module(shown) { "module" } else { "class" };
        self.raise("NameError", format!("undefined method `{name}' for {kind} `{label}'"))
    }

    pub(crate) fn alias(&mut self, class: ClassKey, new: &str, old: &str) -> Eval<()> {
        let found = self.find_method(class, &old.into());
        let found = match found {
            None if self.classes.is_module(class) => self.find_method(self.known.object, &old.into()),
            other => other,
        };
        let Some(entry) = found else {
            return self.undefined_method(class, class, old);
        };
        self.touch(|| Storage::Class(class))?;
        // The entry keeps the name and owner, which `super` in the method needs.
        if let Some(state) = self.classes.change(class) {
            state.methods.insert(new.into(), entry);
        }
        Ok(())
    }

    pub(crate) fn undefine(&mut self, class: ClassKey, name: &str) -> Eval<()> {
        if self.find_method(class, &name.into()).is_none() {
            return self.undefined_method(class, class, name);
        }
        self.touch(|| Storage::Class(class))?;
        self.classes.define(class, name.into(), Visibility::Public, MethodBody::Undefined);
        Ok(())
    }

    /// Returns a constant's class and name.
    fn container(&mut self, frame: &Frame, path: &ConstantPath) -> Eval<ClassKey> {
        match path.scope {
            ConstantScope::Lexical => Ok(frame.lexical.class),
            ConstantScope::Top => Ok(self.known.object),
            ConstantScope::Of(scope) => match self.eval(frame, scope)? {
                RuntimeValue::Class(class) => Ok(class),
                RuntimeValue::Unknown(why) => Err(Flow::Unknown(why)),
                other => {
                    let shown = self.inspect(&other)?;
                    self.raise("TypeError", format!("{shown} is not a class/module"))
                }
            },
        }
    }

    fn class(&mut self, frame: &Frame, path: &ConstantPath, superclass: Option<ExprId>, body: BodyId) -> Eval {
        let container = self.container(frame, path)?;
        let superclass = match superclass {
            Some(superclass) => Some(self.eval(frame, superclass)?),
            None => None,
        };
        let existing = match self.own_constant(container, &path.name)? {
            None if container == frame.lexical.class && frame.lexical.outer.is_none() => {
                self.own_constant(self.known.object, &path.name)?
            }
            other => other,
        };
        let key = match existing {
            Some(RuntimeValue::Class(class)) if !self.classes.is_module(class) => {
                self.check_superclass(class, superclass.as_ref(), &path.name)?;
                class
            }
            Some(RuntimeValue::Unknown(why)) => return Err(Flow::Unknown(why)),
            Some(_) => return self.raise("TypeError", format!("{} is not a class", path.name)),
            None => {
                let (superclass, lost) = match superclass {
                    None => (self.known.object, None),
                    Some(RuntimeValue::Class(class)) if !self.classes.is_module(class) => (class, None),
                    Some(RuntimeValue::Unknown(why)) => (self.known.object, Some(why)),
                    Some(other) => return self.not_a_superclass(&other),
                };
                let name = self.constant_path(container, &path.name);
                let class = self.new_class(Some(name), superclass)?;
                if let Some(state) = self.classes.change(class) {
                    state.lost = lost;
                }
                self.define_constant(container, &path.name, RuntimeValue::Class(class))?;
                self.call_hook(&RuntimeValue::Class(superclass), "inherited", vec![RuntimeValue::Class(class)])?;
                class
            }
        };
        self.class_body(frame, key, RuntimeValue::Class(key), body)
    }

    fn check_superclass(&mut self, class: ClassKey, superclass: Option<&RuntimeValue>, name: &str) -> Eval<()> {
        let current = self.classes.get(class).and_then(|state| state.superclass).map(|superclass| self.classes.real(superclass));
        match superclass {
            None | Some(RuntimeValue::Unknown(_)) => Ok(()),
            Some(RuntimeValue::Class(wanted)) if Some(*wanted) == current => Ok(()),
            Some(RuntimeValue::Class(_)) => self.raise("TypeError", format!("superclass mismatch for class {name}")),
            Some(other) => self.not_a_superclass(other),
        }
    }

    fn not_a_superclass<T>(&mut self, value: &RuntimeValue) -> Eval<T> {
        let class = self.real_class_name(value);
        self.raise("TypeError", format!("superclass must be an instance of Class (given an instance of {class})"))
    }

    pub(crate) fn new_class(&mut self, name: Option<HirText>, superclass: ClassKey) -> Eval<ClassKey> {
        self.spend_bytes(512)?;
        if self.classes.ancestors(superclass).len() > MAX_ANCESTORS {
            return Err(Flow::Stop(super::RunError::Exhausted("classes nest too deeply".into())));
        }
        Ok(self.classes.add(ClassState { name, superclass: Some(superclass), ..ClassState::default() }))
    }

    fn module(&mut self, frame: &Frame, path: &ConstantPath, body: BodyId) -> Eval {
        let container = self.container(frame, path)?;
        let key = match self.own_constant(container, &path.name)? {
            Some(RuntimeValue::Class(class)) if self.classes.is_module(class) => class,
            Some(RuntimeValue::Unknown(why)) => return Err(Flow::Unknown(why)),
            Some(_) => return self.raise("TypeError", format!("{} is not a module", path.name)),
            None => {
                self.spend_bytes(512)?;
                let name = self.constant_path(container, &path.name);
                let class = self.classes.add(ClassState { name: Some(name), is_module: true, ..ClassState::default() });
                self.define_constant(container, &path.name, RuntimeValue::Class(class))?;
                class
            }
        };
        self.class_body(frame, key, RuntimeValue::Class(key), body)
    }

    fn class_body(&mut self, frame: &Frame, class: ClassKey, self_value: RuntimeValue, body: BodyId) -> Eval {
        let hir = Arc::clone(&frame.hir);
        let Some(code) = hir.body(body) else { return Ok(RuntimeValue::Nil) };
        let inner = Frame {
            body,
            variables: self.variables(&hir, body, None),
            self_value,
            lexical: Rc::new(LexicalScope { class, outer: Some(Rc::clone(&frame.lexical)) }),
            definee: class,
            method: None,
            home: 0,
            visibility: Rc::new(Cell::new(Visibility::Public)),
            ..frame.clone()
        };
        self.in_call(|run| run.eval(&inner, code.root))
    }

    /// Evaluates `defined?`.
    fn defined(&mut self, frame: &Frame, operand: ExprId) -> Eval {
        let hir = Arc::clone(&frame.hir);
        let Some(body) = hir.body(frame.body) else { return Ok(RuntimeValue::Nil) };
        let answer = match body.kind(operand) {
            HirKind::Variable(name) if name.starts_with("@@") => self.class_variable_owner(frame, name).map(|_| "class variable"),
            HirKind::Variable(name) if name.starts_with('@') => {
                let value = self.instance_variable(&frame.self_value, name)?;
                if let Some(RuntimeValue::Unknown(why)) = value {
                    return Err(Flow::Unknown(why));
                }
                value.map(|_| "instance-variable")
            }
            HirKind::Variable(name) => {
                let is_known = self.globals.contains_key(name) || matches!(&**name, "$stdout" | "$stderr" | "$0" | "$:" | "$!" | "$~");
                is_known.then_some("global-variable")
            }
            HirKind::Constant(path) => match self.read_constant(frame, path) {
                Ok(RuntimeValue::Unknown(why)) => return Err(Flow::Unknown(why)),
                Ok(_) => Some("constant"),
                Err(Flow::Raise(_)) => None,
                Err(flow) => return Err(flow),
            },
            HirKind::Yield(_) => frame.method.as_ref().and_then(|method| method.block.as_ref()).map(|_| "yield"),
            HirKind::Super(_) => {
                let class = self.class_of(&frame.self_value);
                let found = frame.method.as_ref().and_then(|m| self.classes.find_after(class, m.entry.owner, &m.entry.name));
                found.map(|_| "super")
            }
            HirKind::Group(_) | HirKind::AroundMatch(_) => {
                let value = self.eval(frame, operand)?;
                (!value.is_nil()).then_some("global-variable")
            }
            HirKind::Call(call) => {
                let receiver = match self.eval(frame, call.receiver) {
                    Ok(RuntimeValue::Unknown(why)) => return Err(Flow::Unknown(why)),
                    Ok(receiver) => receiver,
                    Err(Flow::Raise(_)) => return Ok(RuntimeValue::Nil),
                    Err(flow) => return Err(flow),
                };
                let class = self.class_of(&receiver);
                let may_be_private = call.style != crate::hir::CallStyle::Explicit || self.is_self(frame, call.receiver);
                let entry = self.find_method(class, &call.name);
                entry.filter(|entry| may_be_private || entry.visibility == Visibility::Public).map(|_| "method")
            }
            _ => Some("expression"),
        };
        Ok(answer.map_or(RuntimeValue::Nil, RuntimeValue::str))
    }
}
