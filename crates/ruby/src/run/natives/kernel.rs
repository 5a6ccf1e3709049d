//! Functions that every object can call.

use super::super::errors::MESSAGE;
use super::super::frame::Arguments;
use super::super::value::{ObjectCell, ProcCell, ProcCode, RuntimeValue, UnknownReason, UnknownValue};
use super::super::{Eval, Flow, Interpreter};
use super::{Call, MANY, NativeMethod, known};
use std::rc::Rc;

pub(super) const METHODS: &[NativeMethod] = &[
    ("puts", 0, MANY, |run, call| {
        let all = call.all(run)?;
        if all.is_empty() {
            run.write("\n")?;
        }
        all.iter().try_for_each(|value| put(run, value, 0))?;
        Ok(RuntimeValue::Nil)
    }),
    ("print", 0, MANY, |run, call| {
        for value in call.all(run)? {
            let text = run.interpolated(&value)?;
            run.write(&text)?;
        }
        Ok(RuntimeValue::Nil)
    }),
    ("p", 0, MANY, |run, call| {
        let all = call.all(run)?;
        for value in &all {
            let text = run.inspect(value)?;
            run.write(&format!("{text}\n"))?;
        }
        Ok(match all.len() {
            0 => RuntimeValue::Nil,
            1 => all.into_iter().next().unwrap_or_default(),
            _ => run.new_array(all)?,
        })
    }),
    ("pp", 0, MANY, |run, call| {
        for value in call.all(run)? {
            let text = run.inspect(&value)?;
            if text.len() > 79 {
                return run.unknown_because("the line breaks of `pp` are not supported");
            }
            run.write(&format!("{text}\n"))?;
        }
        Ok(call.arg(0))
    }),
    ("putc", 1, 1, |run, call| {
        let text = run.text_of(&call.arg(0))?;
        let first: String = text.chars().take(1).collect();
        run.write(&first)?;
        Ok(call.arg(0))
    }),
    ("require", 1, 1, |run, call| {
        let feature = run.text_of(&call.arg(0))?;
        run.require(&feature, false)
    }),
    ("require_relative", 1, 1, |run, call| {
        let feature = run.text_of(&call.arg(0))?;
        let own = call.frame.map(|frame| frame.hir.path.to_string()).unwrap_or_default();
        let path = own.rsplit_once('/').map_or_else(|| feature.clone(), |(directory, _)| format!("{directory}/{feature}"));
        run.require(&path, false)
    }),
    ("load", 1, 2, |run, call| {
        let feature = run.text_of(&call.arg(0))?;
        run.require(&feature, true)
    }),
    ("raise", 0, 3, raise),
    ("fail", 0, 3, raise),
    ("lambda", 0, 0, |run, call| match call.block() {
        Some(block) => Ok(RuntimeValue::Proc(as_lambda(&block))),
        None => run.raise("ArgumentError", "tried to create Proc object without a block"),
    }),
    ("proc", 0, 0, |run, call| match call.block() {
        Some(block) => Ok(RuntimeValue::Proc(block)),
        None => run.raise("ArgumentError", "tried to create Proc object without a block"),
    }),
    ("block_given?", 0, 0, |_, call| {
        let method = call.frame.and_then(|frame| frame.method.as_ref());
        Ok(RuntimeValue::Bool(method.is_some_and(|method| method.block.is_some())))
    }),
    ("__method__", 0, 0, |_, call| {
        let method = call.frame.and_then(|frame| frame.method.as_ref());
        Ok(method.map_or(RuntimeValue::Nil, |method| RuntimeValue::Sym(method.entry.name.clone())))
    }),
    ("__dir__", 0, 0, |_, call| {
        let path = call.frame.map(|frame| frame.hir.path.to_string()).unwrap_or_default();
        Ok(RuntimeValue::str(path.rsplit_once('/').map_or(".", |(directory, _)| directory)))
    }),
    ("format", 1, MANY, |run, call| {
        let mut all = call.all(run)?;
        let pattern = all.remove(0);
        run.format(&pattern, &all)
    }),
    ("sprintf", 1, MANY, |run, call| {
        let mut all = call.all(run)?;
        let pattern = all.remove(0);
        run.format(&pattern, &all)
    }),
    ("Integer", 1, 3, super::number::integer),
    ("Float", 1, 2, super::number::float),
    ("String", 1, 1, |run, call| {
        let text = run.interpolated(&call.arg(0))?;
        run.new_str(text)
    }),
    ("Array", 1, 1, |run, call| {
        let value = call.arg(0);
        match known(&value)? {
            RuntimeValue::Array(_) => Ok(value),
            other => {
                let items = run.splatted(other)?;
                run.new_array(items)
            }
        }
    }),
    ("catch", 0, 1, catch),
    ("throw", 1, 2, throw),
    ("at_exit", 0, 0, |run, _| run.unknown_because("`at_exit` is not supported")),
    ("eval", 1, 4, |run, _| run.unsupported("`eval` of a text is not supported")),
    ("exit", 0, 1, |run, call| {
        let status = match call.arg(0) {
            RuntimeValue::Nil | RuntimeValue::Bool(true) => 0,
            RuntimeValue::Bool(false) => 1,
            other => run.int_of(&other)?,
        };
        exit(run, status, "exit")
    }),
    ("abort", 0, 1, |run, call| {
        let message = if call.has(0) { run.text_of(&call.arg(0))? } else { "exit".into() };
        exit(run, 1, &message)
    }),
    // The calling method may change the further arguments, and call the block.
    ("__unsupported", 1, MANY, |run, call| {
        let reason = UnknownReason::Other(format!("{} is not supported", run.text_of(&call.arg(0))?));
        let why = Rc::new(UnknownValue { reason, origin: run.site, options: Vec::new() });
        let positional = call.arguments.positional.get(1..).unwrap_or_default().to_vec();
        run.call_unknown(&why, Arguments { positional, ..call.arguments.clone() })
    }),
    ("warn", 0, MANY, |_, _| Ok(RuntimeValue::Nil)),
];

fn exit(run: &mut Interpreter<'_>, status: i64, message: &str) -> Eval {
    let error = run.raise::<()>("SystemExit", message);
    if let Err(Flow::Raise(RuntimeValue::Object(object))) = &error {
        object.variables.content.borrow_mut().insert("status".into(), RuntimeValue::Int(status));
    }
    error.map(|()| RuntimeValue::Nil)
}

fn put(run: &mut Interpreter<'_>, value: &RuntimeValue, depth: usize) -> Eval<()> {
    if let RuntimeValue::Array(list) = value {
        if depth > 100 {
            return run.unknown_because("values nest too deeply");
        }
        for item in run.items(list)? {
            put(run, &item, depth + 1)?;
        }
        return Ok(());
    }
    let text = run.interpolated(value)?;
    let end = if text.ends_with('\n') { "" } else { "\n" };
    run.write(&format!("{text}{end}"))
}

/// Returns a lambda with a block's code.
pub(super) fn as_lambda(block: &Rc<ProcCell>) -> Rc<ProcCell> {
    match &block.code {
        ProcCode::Body(body) => Rc::new(ProcCell { code: ProcCode::Body(*body), frame: block.frame.clone(), is_lambda: true }),
        _ => Rc::clone(block),
    }
}

/// Creates the error from the arguments to `raise`.
pub(crate) fn make_error(run: &mut Interpreter<'_>, call: &Call<'_>) -> Eval {
    let message = call.has(1).then(|| call.arg(1));
    match known(&call.arg(0))? {
        RuntimeValue::Str(_) => {
            let text = run.text_of(&call.arg(0))?;
            let error = run.raise::<()>("RuntimeError", text);
            error.map(|()| RuntimeValue::Nil)
        }
        class @ (RuntimeValue::Class(_) | RuntimeValue::Object(_)) if run.responds(class, "exception") => {
            let arguments = Arguments { positional: message.into_iter().collect(), keywords: Vec::new(), block: None };
            let error = run.send(class, "exception", arguments)?;
            match &error {
                RuntimeValue::Object(_) if run.is_instance(&error, "Exception") => Ok(error),
                RuntimeValue::Unknown(why) => Err(Flow::Unknown(Rc::clone(why))),
                _ => run.raise("TypeError", "exception object expected"),
            }
        }
        _ => run.raise("TypeError", "exception class/object expected"),
    }
}

fn raise(run: &mut Interpreter<'_>, call: &Call<'_>) -> Eval {
    let current = run.globals.get("$!").cloned().unwrap_or_default();
    if !call.has(0) {
        return match current {
            RuntimeValue::Nil => run.raise("RuntimeError", "unhandled exception"),
            error => Err(Flow::Raise(error)),
        };
    }
    let error = match make_error(run, call) {
        Ok(error) | Err(Flow::Raise(error)) => error,
        Err(Flow::Unknown(why)) => return Err(Flow::Raise(RuntimeValue::Unknown(why))),
        other => return other,
    };
    run.note_raise();
    if let RuntimeValue::Object(object) = &error {
        let cause = call.arguments.keywords.iter().find(|(key, _)| matches!(key, RuntimeValue::Sym(name) if &**name == "cause"));
        let cause = cause.map_or(current, |(_, cause)| cause.clone());
        let mut variables = object.variables.content.borrow_mut();
        if !variables.contains_key("cause") && !cause.is_same(&error) {
            variables.insert("cause".into(), cause);
        }
        if call.has(2) {
            variables.insert("backtrace".into(), call.arg(2));
        }
    }
    Err(Flow::Raise(error))
}

fn throw(run: &mut Interpreter<'_>, call: &Call<'_>) -> Eval {
    let tag = call.arg(0);
    known(&tag)?;
    if run.catching.iter().any(|catching| catching.is_same(&tag) || matches!(catching, RuntimeValue::Unknown(_))) {
        return Err(Flow::Throw(tag, call.arg(1)));
    }
    let shown = run.inspect(&tag)?;
    run.raise("UncaughtThrowError", format!("uncaught throw {shown}"))
}

fn catch(run: &mut Interpreter<'_>, call: &Call<'_>) -> Eval {
    let tag = if call.has(0) { call.arg(0) } else { RuntimeValue::Object(ObjectCell::new(run.known.object)) };
    let Some(block) = call.block() else { return run.raise("LocalJumpError", "no block given") };
    let height = run.doubt.pending.len();
    run.catching.push(tag.clone());
    let result = run.call_proc(&block, Arguments::of(vec![tag.clone()]));
    run.catching.pop();
    run.settle(height, result, &mut |_, result| match result {
        Err(Flow::Throw(thrown, value)) if thrown.is_same(&tag) => Ok(value),
        other => other,
    })
}

impl Interpreter<'_> {
    /// Adds to the program's output.
    pub(crate) fn write(&mut self, text: &str) -> Eval<()> {
        self.spend_bytes(text.len())?;
        self.output.push_str(text);
        Ok(())
    }

    /// Evaluates `format`.
    pub(crate) fn format(&mut self, pattern: &RuntimeValue, values: &[RuntimeValue]) -> Eval {
        let text = self.text_of(pattern)?;
        let mut given = Vec::new();
        for value in values {
            given.push(self.format_argument(value, text.contains("%p"))?);
        }
        match rtype_lang::eval::format_text(&text, &given) {
            Some(result) => self.new_str(result.as_str()),
            None => self.unknown_because("this format is not supported"),
        }
    }

    /// Returns a language value for `format`. Other objects are converted to strings.
    fn format_argument(&mut self, value: &RuntimeValue, is_inspected: bool) -> Eval<rtype_lang::value::Value> {
        use rtype_lang::value::Value;
        if let Some(value) = super::super::convert::data(known(value)?, 64) {
            return Ok(value);
        }
        if is_inspected {
            return self.unknown_because("`%p` of this object is not supported");
        }
        Ok(Value::str(self.interpolated(value)?))
    }

    /// Returns the message of an error.
    pub(crate) fn message_of(&mut self, error: &RuntimeValue) -> Eval {
        if let RuntimeValue::Object(object) = error
            && let Some(message) = object.get(MESSAGE)
            && !message.is_nil()
        {
            let text = self.interpolated(&message)?;
            return self.new_str(text);
        }
        let class = self.class_label(self.classes.real(self.class_of(error)));
        self.new_str(class)
    }
}
