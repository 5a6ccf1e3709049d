//! Assignments.

use super::frame::{Arguments, Frame};
use super::journal::Storage;
use super::value::RuntimeValue;
use super::{Eval, Flow, Interpreter};
use crate::hir::{CallArgs, ConstantPath, ConstantScope, ExprId, HirKind, HirText, MultiTarget, Target};
use std::rc::Rc;

impl Interpreter<'_> {
    pub(crate) fn assignment(&mut self, frame: &Frame, target: &Target, value: ExprId) -> Eval {
        match target {
            Target::Attribute { receiver, name } => {
                let is_self = self.is_self(frame, *receiver);
                let receiver = self.eval(frame, *receiver)?;
                let value = self.eval(frame, value)?;
                self.set_attribute(frame, &receiver, name, value.clone(), is_self)?;
                Ok(value)
            }
            Target::Index { receiver, args } => {
                let receiver = self.eval(frame, *receiver)?;
                let mut arguments = self.elements_of(frame, args)?;
                let value = self.eval(frame, value)?;
                arguments.push(value.clone());
                let name: HirText = "[]=".into();
                self.dispatch(frame, &receiver, &name, Arguments::of(arguments), true)?;
                Ok(value)
            }
            other => {
                let value = self.eval(frame, value)?;
                self.assign(frame, other, value.clone())?;
                Ok(value)
            }
        }
    }

    pub(crate) fn is_self(&self, frame: &Frame, id: ExprId) -> bool {
        frame.hir.body(frame.body).is_some_and(|body| matches!(body.kind(id), HirKind::SelfValue))
    }

    fn elements_of(&mut self, frame: &Frame, args: &CallArgs) -> Eval<Vec<RuntimeValue>> {
        let mut items = self.elements(frame, &args.positional)?;
        if !args.keywords.is_empty() {
            let pairs = self.pairs(frame, &args.keywords)?;
            items.push(self.new_hash(pairs)?);
        }
        Ok(items)
    }

    fn set_attribute(&mut self, frame: &Frame, receiver: &RuntimeValue, name: &str, value: RuntimeValue, is_self: bool) -> Eval<()> {
        let name: HirText = format!("{name}=").into();
        self.dispatch(frame, receiver, &name, Arguments::of(vec![value]), is_self)?;
        Ok(())
    }

    /// Assigns a value to a target.
    pub(crate) fn assign(&mut self, frame: &Frame, target: &Target, value: RuntimeValue) -> Eval<()> {
        match target {
            Target::Local(local) => self.set_local(frame, *local, value),
            Target::Variable(name) => self.set_variable(frame, name, value),
            Target::Constant(path) => self.set_constant(frame, path, value),
            Target::Index { receiver, args } => {
                let receiver = self.eval(frame, *receiver)?;
                let mut arguments = self.elements_of(frame, args)?;
                arguments.push(value);
                let name: HirText = "[]=".into();
                self.dispatch(frame, &receiver, &name, Arguments::of(arguments), true)?;
                Ok(())
            }
            Target::Attribute { receiver, name } => {
                let is_self = self.is_self(frame, *receiver);
                let receiver = self.eval(frame, *receiver)?;
                self.set_attribute(frame, &receiver, name, value, is_self)
            }
            Target::Multiple(multi) => self.destructure(frame, multi, value),
            Target::Discard => Ok(()),
        }
    }

    /// Assigns a list's elements to several targets.
    pub(crate) fn destructure(&mut self, frame: &Frame, multi: &MultiTarget, value: RuntimeValue) -> Eval<()> {
        if let RuntimeValue::Unknown(why) = &value {
            let unknown = RuntimeValue::Unknown(Rc::clone(why));
            for target in multi.before.iter().chain(&multi.rest).chain(&multi.after) {
                self.assign(frame, target, unknown.clone())?;
            }
            return Ok(());
        }
        let items = self.destructured(&value)?;
        let before = multi.before.len();
        let after = multi.after.len();
        for (at, target) in multi.before.iter().enumerate() {
            self.assign(frame, target, items.get(at).cloned().unwrap_or_default())?;
        }
        let rest_end = items.len().saturating_sub(after).max(before.min(items.len()));
        if let Some(rest) = &multi.rest {
            let middle = items.get(before..rest_end).unwrap_or_default().to_vec();
            let list = self.new_array(middle)?;
            self.assign(frame, rest, list)?;
        }
        let first = if multi.rest.is_some() { rest_end.max(before) } else { before };
        for (at, target) in multi.after.iter().enumerate() {
            self.assign(frame, target, items.get(first + at).cloned().unwrap_or_default())?;
        }
        Ok(())
    }

    /// Returns the values for several targets: a list's elements, otherwise the value itself.
    pub(crate) fn destructured(&mut self, value: &RuntimeValue) -> Eval<Vec<RuntimeValue>> {
        match value {
            RuntimeValue::Array(list) => self.items(list),
            RuntimeValue::Object(_) if self.responds(value, "to_ary") => {
                let list = self.send(value, "to_ary", Arguments::default())?;
                self.splatted(&list)
            }
            other => Ok(vec![other.clone()]),
        }
    }

    fn set_variable(&mut self, frame: &Frame, name: &HirText, value: RuntimeValue) -> Eval<()> {
        if name.starts_with("@@") {
            let class = self.class_variable_owner(frame, name).unwrap_or_else(|| self.class_variable_scope(frame));
            self.touch(|| Storage::Class(class))?;
            if let Some(state) = self.classes.change(class) {
                state.variables.insert(HirText::clone(name), value);
            }
            return Ok(());
        }
        if name.starts_with('@') {
            return self.set_instance_variable(&frame.self_value, name, value);
        }
        if &**name == "$~" {
            return self.set_last_match(frame, value);
        }
        self.set_global(name, value)
    }

    pub(crate) fn set_global(&mut self, name: &str, value: RuntimeValue) -> Eval<()> {
        self.touch(|| Storage::Global(name.into()))?;
        self.globals.insert(name.into(), value);
        Ok(())
    }

    pub(crate) fn set_instance_variable(&mut self, object: &RuntimeValue, name: &HirText, value: RuntimeValue) -> Eval<()> {
        match object {
            RuntimeValue::Object(cell) => {
                if cell.variables.frozen.get() {
                    return self.frozen(object);
                }
                self.touch(|| Storage::Object(Rc::clone(cell)))?;
                self.spend_bytes(32)?;
                cell.variables.content.borrow_mut().insert(HirText::clone(name), value);
                Ok(())
            }
            RuntimeValue::Class(class) => {
                self.touch(|| Storage::Class(*class))?;
                if let Some(state) = self.classes.change(*class) {
                    state.variables.insert(HirText::clone(name), value);
                }
                Ok(())
            }
            RuntimeValue::Unknown(why) => Err(Flow::Unknown(Rc::clone(why))),
            RuntimeValue::Int(_) | RuntimeValue::Sym(_) | RuntimeValue::Nil | RuntimeValue::Bool(_) | RuntimeValue::Float(_) => {
                self.frozen(object)
            }
            _ => self.unsupported("instance variables of Ruby's own objects are not supported"),
        }
    }

    fn set_constant(&mut self, frame: &Frame, path: &ConstantPath, value: RuntimeValue) -> Eval<()> {
        let class = match path.scope {
            ConstantScope::Lexical => frame.lexical.class,
            ConstantScope::Top => self.known.object,
            ConstantScope::Of(scope) => match self.eval(frame, scope)? {
                RuntimeValue::Class(class) => class,
                _ => return self.unknown_because("this constant is not supported"),
            },
        };
        self.define_constant(class, &path.name, value)
    }

    /// Defines a constant. A class without a name gets the constant's name.
    pub(crate) fn define_constant(&mut self, class: super::ClassKey, name: &HirText, value: RuntimeValue) -> Eval<()> {
        self.touch(|| Storage::Class(class))?;
        if let RuntimeValue::Class(named) = value
            && self.classes.name(named).is_empty()
        {
            let path = self.constant_path(class, name);
            self.touch(|| Storage::Class(named))?;
            if let Some(state) = self.classes.change(named) {
                state.name = Some(path);
            }
        }
        if let Some(state) = self.classes.change(class) {
            state.constants.insert(HirText::clone(name), value);
        }
        Ok(())
    }

    /// Returns a constant's full name.
    pub(crate) fn constant_path(&self, class: super::ClassKey, name: &str) -> HirText {
        let outer = self.classes.name(class);
        if class == self.known.object || outer.is_empty() { name.into() } else { format!("{outer}::{name}").into() }
    }

    pub(crate) fn set_last_match(&mut self, frame: &Frame, found: RuntimeValue) -> Eval<()> {
        let scope = Self::method_scope(frame);
        self.set_slot(&scope, 0, found)
    }
}
