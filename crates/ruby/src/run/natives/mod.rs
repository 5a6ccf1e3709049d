//! Ruby's library in Rust: methods that change objects, classes and control flow. The rest is in `prelude/*.rb`. For strings and numbers,
//! the rtype language provides the methods without side effects.

mod array;
mod exception;
mod hash;
mod kernel;
mod module;
mod module_methods;
mod number;
mod object;
mod proc;
mod regex;
mod string;

use super::classes::ClassKey;
use super::frame::{Arguments, Frame, MethodBody, NativeFunction, Visibility};
use super::value::{ProcCell, RuntimeValue};
use super::{Eval, Flow, Interpreter};
use crate::hir::HirText;
use std::rc::Rc;

/// A call to a Rust method.
pub(crate) struct Call<'c> {
    /// The caller's frame; none for calls from the interpreter.
    pub(crate) frame: Option<&'c Frame>,
    pub(crate) receiver: RuntimeValue,
    pub(crate) name: HirText,
    pub(crate) arguments: Arguments,
}

/// No maximum number of arguments.
pub(crate) const MANY: usize = usize::MAX;

/// A method with the minimum and maximum argument count.
pub(crate) type NativeMethod = (&'static str, usize, usize, NativeFunction);

impl Call<'_> {
    /// Returns an argument, `nil` if it is missing.
    pub(crate) fn arg(&self, at: usize) -> RuntimeValue {
        self.arguments.positional.get(at).cloned().unwrap_or_default()
    }

    pub(crate) fn has(&self, at: usize) -> bool {
        self.arguments.positional.len() > at
    }

    /// Returns the positional arguments. Keywords are a hash at the end.
    pub(crate) fn all(&self, run: &mut Interpreter<'_>) -> Eval<Vec<RuntimeValue>> {
        let mut all = self.arguments.positional.clone();
        if !self.arguments.keywords.is_empty() {
            all.push(run.new_hash(self.arguments.keywords.clone())?);
        }
        Ok(all)
    }

    pub(crate) fn block(&self) -> Option<Rc<ProcCell>> {
        self.arguments.block.as_ref().map(Rc::clone)
    }

    /// Returns the receiver as a class.
    pub(crate) fn class(&self, run: &mut Interpreter<'_>) -> Eval<ClassKey> {
        match &self.receiver {
            RuntimeValue::Class(class) => Ok(*class),
            _ => run.unknown_because("this receiver is not supported"),
        }
    }
}

/// Returns true if a method changes its receiver. If the method ends without a known value, the receiver is then unknown.
pub fn changes_receiver(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "<<",
        "[]=",
        "append",
        "clear",
        "concat",
        "default=",
        "default_proc=",
        "delete",
        "delete_at",
        "insert",
        "instance_variable_set",
        "pop",
        "prepend",
        "define_method",
        "attr_reader",
        "attr_writer",
        "attr_accessor",
        "alias_method",
        "const_set",
        "class_eval",
        "module_eval",
        "instance_eval",
        "send",
        "__send__",
        "public_send",
        "push",
        "rehash",
        "remove_instance_variable",
        "replace",
        "shift",
        "store",
        "unshift",
    ];
    name.ends_with('!') || NAMES.contains(&name)
}

/// Ends the evaluation if a value is unknown.
pub(crate) fn known(value: &RuntimeValue) -> Eval<&RuntimeValue> {
    match value {
        RuntimeValue::Unknown(why) => Err(Flow::Unknown(Rc::clone(why))),
        value => Ok(value),
    }
}

/// Defines the methods in Rust.
pub(super) fn define(run: &mut Interpreter<'_>) {
    let tables: &[(&str, bool, &[NativeMethod])] = &[
        ("Kernel", false, kernel::METHODS),
        ("Kernel", true, kernel::METHODS),
        ("Kernel", false, object::METHODS),
        ("BasicObject", false, object::BASIC),
        ("Module", false, module::METHODS),
        ("Module", false, module_methods::METHODS),
        ("Class", false, module::CLASS),
        ("Class", true, module::CLASS_CLASS),
        ("Module", true, module::MODULE_CLASS),
        ("Exception", false, exception::METHODS),
        ("Exception", true, exception::CLASS),
        ("NameError", false, exception::NAME_ERROR),
        ("KeyError", false, exception::KEY_ERROR),
        ("StopIteration", false, exception::STOP_ITERATION),
        ("SystemExit", false, exception::SYSTEM_EXIT),
        ("Array", false, array::METHODS),
        ("Array", true, array::CLASS),
        ("Hash", false, hash::METHODS),
        ("Hash", true, hash::CLASS),
        ("Integer", false, number::INTEGER),
        ("Float", false, number::FLOAT),
        ("Range", false, number::RANGE),
        ("Range", true, number::RANGE_CLASS),
        ("String", false, string::METHODS),
        ("String", true, string::CLASS),
        ("Symbol", false, string::SYMBOL),
        ("Regexp", false, regex::METHODS),
        ("Regexp", true, regex::CLASS),
        ("MatchData", false, regex::MATCH),
        ("Proc", false, proc::METHODS),
        ("Proc", true, proc::CLASS),
        ("Method", false, proc::METHOD),
        ("UnboundMethod", false, proc::UNBOUND),
    ];
    for (class, is_singleton, methods) in tables {
        let class = run.core_class(class);
        let class = if *is_singleton { run.singleton_class_of(class) } else { class };
        for (name, min, max, function) in *methods {
            let visibility = run.classes.own_method(class, name).map_or(Visibility::Public, |entry| entry.visibility);
            run.classes.define(class, (*name).into(), visibility, MethodBody::Native(*function, *min, *max));
        }
    }
    for name in ["allocate", "new"] {
        // Modules and values have no constructor.
        for class in ["Integer", "Float", "Symbol", "NilClass", "TrueClass", "FalseClass"] {
            let class = run.core_class(class);
            let meta = run.singleton_class_of(class);
            run.classes.define(meta, name.into(), Visibility::Public, MethodBody::Undefined);
        }
    }
}
