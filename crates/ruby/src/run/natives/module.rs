//! Classes and modules: names, ancestors, constants and instances.

use super::super::classes::{ClassKey, ClassState};
use super::super::frame::Arguments;
use super::super::journal::Storage;
use super::super::value::{ObjectCell, RuntimeValue};
use super::super::{Eval, Flow, Interpreter};
use super::{Call, MANY, NativeMethod, known};
use crate::hir::HirText;
use std::rc::Rc;

pub(super) const METHODS: &[NativeMethod] = &[
    ("name", 0, 0, |run, call| {
        let class = call.class(run)?;
        let name = run.classes.name(class);
        Ok(if name.is_empty() { RuntimeValue::Nil } else { RuntimeValue::str(name.to_string()) })
    }),
    ("to_s", 0, 0, label),
    ("inspect", 0, 0, label),
    ("===", 1, 1, |run, call| {
        let class = call.class(run)?;
        run.is_of_class(known(&call.arg(0))?, class).map(RuntimeValue::Bool)
    }),
    ("==", 1, 1, |_, call| Ok(RuntimeValue::Bool(call.receiver.is_same(known(&call.arg(0))?)))),
    ("<", 1, 1, |run, call| compare(run, call, false, false)),
    ("<=", 1, 1, |run, call| compare(run, call, true, false)),
    (">", 1, 1, |run, call| compare(run, call, false, true)),
    (">=", 1, 1, |run, call| compare(run, call, true, true)),
    ("<=>", 1, 1, |run, call| {
        let (a, RuntimeValue::Class(b)) = (call.class(run)?, call.arg(0)) else { return Ok(RuntimeValue::Nil) };
        Ok(if a == b {
            RuntimeValue::Int(0)
        } else if run.classes.is_a(a, b) {
            RuntimeValue::Int(-1)
        } else if run.classes.is_a(b, a) {
            RuntimeValue::Int(1)
        } else {
            RuntimeValue::Nil
        })
    }),
    ("hash", 0, 0, |run, call| run.hash_number(&call.receiver).map(RuntimeValue::Int)),
    ("ancestors", 0, 0, |run, call| {
        let class = call.class(run)?;
        if let Some(why) = run.classes.lost(class) {
            return Err(Flow::Unknown(why));
        }
        let all = run.classes.ancestors(class).into_iter().map(RuntimeValue::Class).collect();
        run.new_array(all)
    }),
    ("included_modules", 0, 0, |run, call| {
        let class = call.class(run)?;
        let all = run.classes.ancestors(class).into_iter().filter(|key| run.classes.is_module(*key) && *key != class);
        let all: Vec<RuntimeValue> = all.map(RuntimeValue::Class).collect();
        run.new_array(all)
    }),
    ("include?", 1, 1, |run, call| {
        let (class, RuntimeValue::Class(module)) = (call.class(run)?, call.arg(0)) else {
            return run.raise("TypeError", "wrong argument type (expected Module)");
        };
        Ok(RuntimeValue::Bool(class != module && run.classes.is_module(module) && run.classes.is_a(class, module)))
    }),
    ("include", 1, MANY, |run, call| mix_in(run, call, "included")),
    ("prepend", 1, MANY, |run, call| mix_in(run, call, "prepended")),
    ("constants", 0, 1, |run, call| {
        let class = call.class(run)?;
        let mut names: Vec<HirText> = Vec::new();
        for ancestor in run.classes.ancestors(class) {
            let is_own = ancestor == class || (ancestor != run.known.object && !matches!(call.arg(0), RuntimeValue::Bool(false)));
            if let Some(state) = run.classes.get(ancestor).filter(|_| is_own) {
                names.extend(state.constants.keys().filter(|name| !names.contains(name)).cloned().collect::<Vec<_>>());
            }
        }
        run.new_array(names.into_iter().map(RuntimeValue::Sym).collect())
    }),
    ("const_get", 1, 2, |run, call| {
        let mut class = call.class(run)?;
        let path = run.text_of(&call.arg(0))?;
        let mut value = RuntimeValue::Class(class);
        for (at, name) in path.split("::").filter(|name| !name.is_empty()).enumerate() {
            value = run.constant_of(class, &name.into(), at == 0)?;
            match known(&value)? {
                RuntimeValue::Class(inner) => class = *inner,
                _ => break,
            }
        }
        Ok(value)
    }),
    ("const_set", 2, 2, |run, call| {
        let class = call.class(run)?;
        let name: HirText = run.text_of(&call.arg(0))?.into();
        if !name.starts_with(char::is_uppercase) {
            return run.raise("NameError", format!("wrong constant name {name}"));
        }
        run.define_constant(class, &name, call.arg(1))?;
        Ok(call.arg(1))
    }),
    ("const_defined?", 1, 2, |run, call| {
        let mut class = call.class(run)?;
        let path = run.text_of(&call.arg(0))?;
        for name in path.split("::").filter(|name| !name.is_empty()) {
            let name: HirText = name.into();
            let mut found = None;
            for ancestor in run.classes.ancestors(class) {
                found = run.own_constant(ancestor, &name)?;
                if found.is_some() || matches!(call.arg(1), RuntimeValue::Bool(false)) {
                    break;
                }
            }
            match found {
                None if run.loader.missing.is_some() => return run.unknown_because("a missing file may define this constant"),
                None => return Ok(RuntimeValue::Bool(false)),
                Some(RuntimeValue::Class(inner)) => class = inner,
                Some(RuntimeValue::Unknown(why)) => return Err(Flow::Unknown(why)),
                Some(_) => {}
            }
        }
        Ok(RuntimeValue::Bool(true))
    }),
    ("remove_const", 1, 1, |run, call| {
        let class = call.class(run)?;
        let name = run.text_of(&call.arg(0))?;
        run.touch(|| Storage::Class(class))?;
        let removed = run.classes.change(class).and_then(|state| state.constants.shift_remove(name.as_str()));
        match removed {
            Some(value) => Ok(value),
            None => run.raise("NameError", format!("constant {name} not defined")),
        }
    }),
    ("autoload", 2, 2, |run, call| {
        let class = call.class(run)?;
        let (name, path) = (run.text_of(&call.arg(0))?, run.text_of(&call.arg(1))?);
        run.touch(|| Storage::Class(class))?;
        if let Some(state) = run.classes.change(class) {
            state.autoloads.insert(name.into(), path);
        }
        Ok(RuntimeValue::Nil)
    }),
    ("class_variable_get", 1, 1, |run, call| {
        let class = call.class(run)?;
        let name = run.text_of(&call.arg(0))?;
        let owners = run.classes.ancestors(class);
        let found = owners.into_iter().find_map(|key| run.classes.get(key)?.variables.get(name.as_str()).cloned());
        match found {
            Some(value) => Ok(value),
            None => {
                let label = run.class_label(class);
                run.raise("NameError", format!("uninitialized class variable {name} in {label}"))
            }
        }
    }),
    ("class_variable_set", 2, 2, |run, call| {
        let class = call.class(run)?;
        let name = run.text_of(&call.arg(0))?;
        run.touch(|| Storage::Class(class))?;
        if let Some(state) = run.classes.change(class) {
            state.variables.insert(name.into(), call.arg(1));
        }
        Ok(call.arg(1))
    }),
    ("class_variable_defined?", 1, 1, |run, call| {
        let class = call.class(run)?;
        let name = run.text_of(&call.arg(0))?;
        let has = |key: ClassKey| run.classes.get(key).is_some_and(|state| state.variables.contains_key(name.as_str()));
        Ok(RuntimeValue::Bool(run.classes.ancestors(class).into_iter().any(has)))
    }),
    ("class_variables", 0, 1, |run, call| {
        let names = run.variable_names(&call.receiver, "@@")?;
        run.new_array(names)
    }),
    ("class_eval", 0, 3, class_eval),
    ("module_eval", 0, 3, class_eval),
    ("class_exec", 0, MANY, class_exec),
    ("module_exec", 0, MANY, class_exec),
    ("included", 1, 1, |_, _| Ok(RuntimeValue::Nil)),
    ("extended", 1, 1, |_, _| Ok(RuntimeValue::Nil)),
    ("prepended", 1, 1, |_, _| Ok(RuntimeValue::Nil)),
    ("method_added", 1, 1, |_, _| Ok(RuntimeValue::Nil)),
    ("private_constant", 0, MANY, |run, call| hide_constants(run, call, true)),
    ("public_constant", 0, MANY, |run, call| hide_constants(run, call, false)),
    ("deprecate_constant", 0, MANY, |_, _| Ok(RuntimeValue::Nil)),
];

pub(super) const CLASS: &[NativeMethod] = &[
    ("inherited", 1, 1, |_, _| Ok(RuntimeValue::Nil)),
    ("superclass", 0, 0, |run, call| {
        let class = call.class(run)?;
        let superclass = run.classes.get(class).and_then(|state| state.superclass);
        Ok(superclass.map_or(RuntimeValue::Nil, RuntimeValue::Class))
    }),
    ("allocate", 0, 0, |run, call| {
        let class = call.class(run)?;
        allocate(run, class)
    }),
    ("new", 0, MANY, |run, call| {
        let class = call.class(run)?;
        let object = allocate(run, class)?;
        run.send(&object, "initialize", call.arguments.clone())?;
        Ok(object)
    }),
];

pub(super) const CLASS_CLASS: &[NativeMethod] = &[("new", 0, 1, |run, call| {
    let superclass = match known(&call.arg(0))? {
        RuntimeValue::Nil if !call.has(0) => run.known.object,
        RuntimeValue::Class(class) if !run.classes.is_module(*class) => *class,
        _ => return run.raise("TypeError", "superclass must be a Class"),
    };
    let class = run.new_class(None, superclass)?;
    let value = RuntimeValue::Class(class);
    run.call_hook(&RuntimeValue::Class(superclass), "inherited", vec![value.clone()])?;
    if let Some(block) = call.block() {
        run.eval_in_class(&block, class, Arguments::of(vec![value.clone()]))?;
    }
    Ok(value)
})];

pub(super) const MODULE_CLASS: &[NativeMethod] = &[("new", 0, 0, |run, call| {
    run.spend_bytes(512)?;
    let module = run.classes.add(ClassState { is_module: true, ..ClassState::default() });
    let value = RuntimeValue::Class(module);
    if let Some(block) = call.block() {
        run.eval_in_class(&block, module, Arguments::of(vec![value.clone()]))?;
    }
    Ok(value)
})];

fn label(run: &mut Interpreter<'_>, call: &Call<'_>) -> Eval {
    let class = call.class(run)?;
    let label = run.class_label(class);
    run.new_str(label)
}

fn compare(run: &mut Interpreter<'_>, call: &Call<'_>, or_equal: bool, is_reversed: bool) -> Eval {
    let (own, RuntimeValue::Class(other)) = (call.class(run)?, known(&call.arg(0))?.clone()) else {
        return run.raise("TypeError", "compared with non class/module");
    };
    let (lower, upper) = if is_reversed { (other, own) } else { (own, other) };
    if lower == upper {
        return Ok(RuntimeValue::Bool(or_equal));
    }
    Ok(if run.classes.is_a(lower, upper) {
        RuntimeValue::Bool(true)
    } else if run.classes.is_a(upper, lower) {
        RuntimeValue::Bool(false)
    } else {
        RuntimeValue::Nil
    })
}

fn mix_in(run: &mut Interpreter<'_>, call: &Call<'_>, hook: &str) -> Eval {
    let class = call.class(run)?;
    for module in call.arguments.positional.iter().rev() {
        match module {
            RuntimeValue::Class(key) if run.classes.is_module(*key) => {
                run.touch(|| Storage::Class(class))?;
                let is_known = run.classes.ancestors(class).contains(key);
                let state = run.classes.change(class).filter(|_| !is_known);
                if let Some(state) = state {
                    if hook == "included" { state.includes.push(*key) } else { state.prepends.push(*key) }
                }
                run.call_hook(module, hook, vec![call.receiver.clone()])?;
            }
            RuntimeValue::Unknown(why) => {
                run.touch(|| Storage::Class(class))?;
                let why = Rc::clone(why);
                if let Some(state) = run.classes.change(class) {
                    state.lost.get_or_insert(why);
                }
            }
            other => {
                let name = run.real_class_name(other);
                return run.raise("TypeError", format!("wrong argument type {name} (expected module)"));
            }
        }
    }
    Ok(call.receiver.clone())
}

/// Ruby classes with plain objects as instances here.
const PLAIN: &[&str] = &["Object", "BasicObject", "Exception", "Set", "Enumerator", "Enumerator::Lazy", "Enumerator::Yielder", "Struct"];

fn allocate(run: &mut Interpreter<'_>, class: ClassKey) -> Eval {
    if let Some(why) = run.classes.lost(class) {
        return Err(Flow::Unknown(why));
    }
    if run.classes.is_singleton(class) {
        return run.raise("TypeError", "can't create instance of singleton class");
    }
    let core =
        run.classes.ancestors(class).into_iter().find(|key| run.classes.get(*key).is_some_and(|state| state.is_core && !state.is_module));
    let core = core.unwrap_or(run.known.object);
    let name = run.classes.name(core);
    let is_error = run.classes.is_a(core, run.core_class("Exception"));
    if !is_error && !PLAIN.contains(&&*name) {
        return run.unknown_because(format!("objects of `{name}` are not supported"));
    }
    run.spend_bytes(64)?;
    Ok(RuntimeValue::Object(ObjectCell::new(class)))
}

fn class_eval(run: &mut Interpreter<'_>, call: &Call<'_>) -> Eval {
    let class = call.class(run)?;
    if let Some(block) = call.block() {
        return run.eval_in_class(&block, class, Arguments::of(vec![call.receiver.clone()]));
    }
    let text = run.text_of(&call.arg(0))?;
    let hir = run.parse("(eval)", &text, Vec::new())?;
    let outer = call.frame.map(|frame| Rc::clone(&frame.lexical));
    let lexical = Rc::new(super::super::frame::LexicalScope { class, outer });
    run.run_in(&hir, call.receiver.clone(), class, lexical)
}

fn class_exec(run: &mut Interpreter<'_>, call: &Call<'_>) -> Eval {
    let class = call.class(run)?;
    let Some(block) = call.block() else { return run.raise("LocalJumpError", "no block given (yield)") };
    run.eval_in_class(&block, class, Arguments { block: None, ..call.arguments.clone() })
}

impl Interpreter<'_> {
    /// Runs a block with a class as `self`, in which `def` defines methods.
    pub(crate) fn eval_in_class(&mut self, block: &Rc<super::ProcCell>, class: ClassKey, arguments: Arguments) -> Eval {
        self.call_proc_as(block, &RuntimeValue::Class(class), Some(class), arguments)
    }
}

fn hide_constants(run: &mut Interpreter<'_>, call: &Call<'_>, is_private: bool) -> Eval {
    let class = call.class(run)?;
    run.touch(|| Storage::Class(class))?;
    for name in &call.arguments.positional {
        let name: HirText = run.text_of(name)?.into();
        let is_defined = |state: &ClassState| state.constants.contains_key(&name) || state.autoloads.contains_key(&name);
        if run.loader.missing.is_none() && run.classes.lost(class).is_none() && !run.classes.get(class).is_some_and(is_defined) {
            let path = run.constant_path(class, &name);
            return run.raise("NameError", format!("constant {path} not defined"));
        }
        if let Some(state) = run.classes.change(class) {
            state.private_constants.retain(|known| *known != name);
            if is_private {
                state.private_constants.push(name);
            }
        }
    }
    Ok(RuntimeValue::Nil)
}
