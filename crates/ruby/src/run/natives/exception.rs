//! Errors.

use super::super::errors::MESSAGE;
use super::super::frame::Arguments;
use super::super::value::RuntimeValue;
use super::{MANY, NativeMethod};
use crate::hir::HirText;

/// Returns an error's hidden variable.
fn hidden(call: &super::Call<'_>, name: &str) -> RuntimeValue {
    match &call.receiver {
        RuntimeValue::Object(object) => object.get(name).unwrap_or_default(),
        _ => RuntimeValue::Nil,
    }
}

pub(super) const METHODS: &[NativeMethod] = &[
    ("initialize", 0, MANY, |run, call| {
        let name: HirText = MESSAGE.into();
        let all = call.all(run)?;
        run.set_instance_variable(&call.receiver, &name, all.into_iter().next().unwrap_or_default())?;
        Ok(RuntimeValue::Nil)
    }),
    ("message", 0, 0, |run, call| {
        let text = run.send(&call.receiver, "to_s", Arguments::default())?;
        let text = run.interpolated(&text)?;
        run.new_str(text)
    }),
    ("to_s", 0, 0, |run, call| run.message_of(&call.receiver)),
    ("inspect", 0, 0, |run, call| {
        let class = run.class_label(run.classes.real(run.class_of(&call.receiver)));
        let text = run.send(&call.receiver, "to_s", Arguments::default())?;
        let text = run.interpolated(&text)?;
        run.new_str(if text.is_empty() { class } else { format!("#<{class}: {text}>") })
    }),
    ("backtrace", 0, 0, |run, call| match hidden(call, "backtrace") {
        RuntimeValue::Nil if hidden(call, "cause").is_nil() && run.globals.get("$!").is_none_or(|error| !error.is_same(&call.receiver)) => {
            Ok(RuntimeValue::Nil)
        }
        RuntimeValue::Nil => run.unknown_because("backtraces are not supported"),
        list => Ok(list),
    }),
    ("set_backtrace", 1, 1, |run, call| {
        let name: HirText = "backtrace".into();
        run.set_instance_variable(&call.receiver, &name, call.arg(0))?;
        Ok(call.arg(0))
    }),
    ("cause", 0, 0, |_, call| Ok(hidden(call, "cause"))),
    ("exception", 0, 1, |run, call| {
        if !call.has(0) || call.arg(0).is_same(&call.receiver) {
            return Ok(call.receiver.clone());
        }
        let copy = run.send(&call.receiver, "clone", Arguments::default())?;
        let name: HirText = MESSAGE.into();
        run.set_instance_variable(&copy, &name, call.arg(0))?;
        Ok(copy)
    }),
    ("==", 1, 1, |run, call| {
        let other = call.arg(0);
        if call.receiver.is_same(&other) {
            return Ok(RuntimeValue::Bool(true));
        }
        if run.class_of(&other) != run.class_of(&call.receiver) {
            return Ok(RuntimeValue::Bool(false));
        }
        let mine = run.send(&call.receiver, "message", Arguments::default())?;
        let theirs = run.send(&other, "message", Arguments::default())?;
        Ok(RuntimeValue::Bool(run.equal(&mine, &theirs)?))
    }),
];

pub(super) const CLASS: &[NativeMethod] = &[("exception", 0, MANY, |run, call| run.send(&call.receiver, "new", call.arguments.clone()))];

pub(super) const NAME_ERROR: &[NativeMethod] = &[("name", 0, 0, |_, call| Ok(hidden(call, "name"))), RECEIVER];
pub(super) const KEY_ERROR: &[NativeMethod] = &[("key", 0, 0, |_, call| Ok(hidden(call, "key"))), RECEIVER];
pub(super) const STOP_ITERATION: &[NativeMethod] = &[("result", 0, 0, |_, call| Ok(hidden(call, "result")))];
pub(super) const SYSTEM_EXIT: &[NativeMethod] = &[("status", 0, 0, |_, call| Ok(hidden(call, "status")))];

const RECEIVER: NativeMethod = ("receiver", 0, 0, |_, call| Ok(hidden(call, "receiver")));
