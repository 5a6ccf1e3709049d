//! Methods of classes and modules: definition, visibility and queries.

use super::super::classes::ClassKey;
use super::super::frame::{MethodBody, MethodEntry, Visibility};
use super::super::journal::Storage;
use super::super::value::{MethodCell, RuntimeValue};
use super::super::{Eval, Interpreter};
use super::{Call, MANY, NativeMethod, known};
use crate::hir::HirText;
use std::rc::Rc;

pub(super) const METHODS: &[NativeMethod] = &[
    ("attr_reader", 0, MANY, |run, call| accessors(run, call, true, false)),
    ("attr", 0, MANY, |run, call| accessors(run, call, true, false)),
    ("attr_writer", 0, MANY, |run, call| accessors(run, call, false, true)),
    ("attr_accessor", 0, MANY, |run, call| accessors(run, call, true, true)),
    ("define_method", 1, 2, |run, call| {
        let class = call.class(run)?;
        let name: HirText = run.text_of(&call.arg(0))?.into();
        let body = match (call.block(), known(&call.arg(1))?) {
            (Some(block), _) => MethodBody::Proc(block),
            (None, RuntimeValue::Proc(block)) => MethodBody::Proc(Rc::clone(block)),
            (None, RuntimeValue::Method(method)) => method.entry.body.clone(),
            _ => return run.raise("ArgumentError", "tried to create Proc object without a block"),
        };
        let visibility = match call.frame {
            Some(frame) if frame.definee == class && frame.self_value.is_same(&call.receiver) => frame.visibility.get(),
            _ => Visibility::Public,
        };
        run.add_method(class, &name, visibility, body)?;
        Ok(RuntimeValue::Sym(name))
    }),
    ("alias_method", 2, 2, |run, call| {
        let class = call.class(run)?;
        let (new, old) = (run.text_of(&call.arg(0))?, run.text_of(&call.arg(1))?);
        run.alias(class, &new, &old)?;
        Ok(RuntimeValue::sym(&new))
    }),
    ("undef_method", 0, MANY, |run, call| {
        let class = call.class(run)?;
        for name in &call.arguments.positional {
            let name = run.text_of(name)?;
            run.undefine(class, &name)?;
        }
        Ok(call.receiver.clone())
    }),
    ("remove_method", 0, MANY, |run, call| {
        let class = call.class(run)?;
        for name in &call.arguments.positional {
            let name = run.text_of(name)?;
            run.touch(|| Storage::Class(class))?;
            let removed = run.classes.change(class).and_then(|state| state.methods.shift_remove(name.as_str()));
            if removed.is_none() {
                let label = run.class_label(class);
                return run.raise("NameError", format!("method `{name}' not defined in {label}"));
            }
        }
        Ok(call.receiver.clone())
    }),
    ("public", 0, MANY, |run, call| visibility(run, call, Visibility::Public)),
    ("protected", 0, MANY, |run, call| visibility(run, call, Visibility::Protected)),
    ("private", 0, MANY, |run, call| visibility(run, call, Visibility::Private)),
    ("module_function", 0, MANY, |run, call| visibility(run, call, Visibility::ModuleFunction)),
    ("private_class_method", 0, MANY, |run, call| {
        let class = call.class(run)?;
        let meta = run.singleton_class_of(class);
        set_all(run, meta, &call.arguments.positional, Visibility::Private)?;
        Ok(RuntimeValue::Nil)
    }),
    ("public_class_method", 0, MANY, |run, call| {
        let class = call.class(run)?;
        let meta = run.singleton_class_of(class);
        set_all(run, meta, &call.arguments.positional, Visibility::Public)?;
        Ok(RuntimeValue::Nil)
    }),
    ("instance_methods", 0, 1, |run, call| names(run, call, |visibility| visibility != Visibility::Private)),
    ("public_instance_methods", 0, 1, |run, call| names(run, call, |visibility| visibility == Visibility::Public)),
    ("private_instance_methods", 0, 1, |run, call| names(run, call, |visibility| visibility == Visibility::Private)),
    ("protected_instance_methods", 0, 1, |run, call| names(run, call, |visibility| visibility == Visibility::Protected)),
    ("method_defined?", 1, 2, |run, call| is_defined(run, call, |visibility| visibility != Visibility::Private)),
    ("public_method_defined?", 1, 2, |run, call| is_defined(run, call, |visibility| visibility == Visibility::Public)),
    ("private_method_defined?", 1, 2, |run, call| is_defined(run, call, |visibility| visibility == Visibility::Private)),
    ("protected_method_defined?", 1, 2, |run, call| is_defined(run, call, |visibility| visibility == Visibility::Protected)),
    ("instance_method", 1, 1, |run, call| {
        let class = call.class(run)?;
        let name = run.text_of(&call.arg(0))?;
        match run.find_method(class, &name.as_str().into()) {
            Some(entry) => Ok(RuntimeValue::Method(Rc::new(MethodCell { receiver: None, entry }))),
            None => run.undefined_method(class, class, &name),
        }
    }),
];

fn accessors(run: &mut Interpreter<'_>, call: &Call<'_>, reads: bool, writes: bool) -> Eval {
    let class = call.class(run)?;
    let visibility = match call.frame {
        Some(frame) if frame.definee == class => frame.visibility.get(),
        _ => Visibility::Public,
    };
    let mut defined = Vec::new();
    for name in &call.arguments.positional {
        let name = run.text_of(name)?;
        let variable: HirText = format!("@{name}").into();
        if reads {
            run.add_method(class, &name.as_str().into(), visibility, MethodBody::Reader(HirText::clone(&variable)))?;
            defined.push(RuntimeValue::sym(&name));
        }
        if writes {
            let writer: HirText = format!("{name}=").into();
            run.add_method(class, &writer, visibility, MethodBody::Writer(variable))?;
            defined.push(RuntimeValue::Sym(writer));
        }
    }
    run.new_array(defined)
}

/// Changes the visibility for named methods, or for the following definitions.
fn visibility(run: &mut Interpreter<'_>, call: &Call<'_>, visibility: Visibility) -> Eval {
    let class = match &call.receiver {
        RuntimeValue::Class(class) => *class,
        _ => run.known.object,
    };
    if call.arguments.positional.is_empty() {
        if let Some(frame) = call.frame {
            frame.visibility.set(visibility);
        }
        return Ok(RuntimeValue::Nil);
    }
    let mut given = Vec::new();
    for name in &call.arguments.positional {
        match known(name)? {
            RuntimeValue::Array(list) => given.extend(run.items(list)?),
            other => given.push(other.clone()),
        }
    }
    if visibility == Visibility::ModuleFunction {
        let meta = run.singleton_class_of(class);
        for name in &given {
            let name: HirText = run.text_of(name)?.into();
            if let Some(entry) = run.find_method(class, &name) {
                run.touch(|| Storage::Class(meta))?;
                run.classes.define(meta, name, Visibility::Public, entry.body.clone());
            }
        }
        set_all(run, class, &given, Visibility::Private)?;
    } else {
        set_all(run, class, &given, visibility)?;
    }
    Ok(call.arg(0))
}

fn set_all(run: &mut Interpreter<'_>, class: ClassKey, names: &[RuntimeValue], visibility: Visibility) -> Eval<()> {
    for name in names {
        let names = match known(name)? {
            RuntimeValue::Array(list) => run.items(list)?,
            other => vec![other.clone()],
        };
        for name in names {
            let name: HirText = run.text_of(&name)?.into();
            let Some(entry) = run.find_method(class, &name) else {
                let kind = if run.classes.is_module(class) { "module" } else { "class" };
                let label = run.class_label(class);
                return run.raise("NameError", format!("undefined method `{name}' for {kind} `{label}'"));
            };
            run.touch(|| Storage::Class(class))?;
            // `super` inside an inherited method needs the original owner.
            let changed = MethodEntry { name: entry.name.clone(), owner: entry.owner, visibility, body: entry.body.clone() };
            if let Some(state) = run.classes.change(class) {
                state.methods.insert(name, Rc::new(changed));
            }
        }
    }
    Ok(())
}

fn names(run: &mut Interpreter<'_>, call: &Call<'_>, wanted: fn(Visibility) -> bool) -> Eval {
    let class = call.class(run)?;
    let with_ancestors = !matches!(call.arg(0), RuntimeValue::Bool(false));
    let names = run.method_names(class, with_ancestors, wanted)?;
    run.new_array(names)
}

fn is_defined(run: &mut Interpreter<'_>, call: &Call<'_>, wanted: fn(Visibility) -> bool) -> Eval {
    let class = call.class(run)?;
    let name = run.text_of(&call.arg(0))?;
    let entry = run.find_method(class, &name.as_str().into());
    if entry.is_none()
        && let Some(why) = run.classes.lost(class)
    {
        return Err(super::super::Flow::Unknown(why));
    }
    if let Some(MethodBody::Unknown(why)) = entry.as_ref().map(|entry| &entry.body) {
        return Err(super::super::Flow::Unknown(Rc::clone(why)));
    }
    Ok(RuntimeValue::Bool(entry.is_some_and(|entry| wanted(entry.visibility))))
}
