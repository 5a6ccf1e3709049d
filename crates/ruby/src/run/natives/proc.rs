//! Procs and methods as objects.

use super::super::frame::{Frame, MethodBody};
use super::super::value::{MethodCell, ProcCell, ProcCode, RuntimeValue};
use super::super::{Eval, Interpreter};
use super::{Call, MANY, NativeMethod};
use crate::hir::{Hir, Params, Target};
use std::rc::Rc;

fn own(run: &mut Interpreter<'_>, call: &Call<'_>) -> Eval<Rc<ProcCell>> {
    match &call.receiver {
        RuntimeValue::Proc(block) => Ok(Rc::clone(block)),
        _ => run.unknown_because("this receiver is not supported"),
    }
}

fn invoke(run: &mut Interpreter<'_>, call: &Call<'_>) -> Eval {
    let block = own(run, call)?;
    run.call_proc(&block, call.arguments.clone())
}

pub(super) const METHODS: &[NativeMethod] = &[
    ("call", 0, MANY, invoke),
    ("()", 0, MANY, invoke),
    ("yield", 0, MANY, invoke),
    ("===", 0, MANY, invoke),
    ("[]", 0, MANY, invoke),
    ("to_proc", 0, 0, |_, call| Ok(call.receiver.clone())),
    ("lambda?", 0, 0, |run, call| Ok(RuntimeValue::Bool(own(run, call)?.is_lambda))),
    ("arity", 0, 0, |run, call| {
        let block = own(run, call)?;
        match params_of(&block) {
            Some((hir, params)) => Ok(RuntimeValue::Int(arity(&hir, &params, block.is_lambda))),
            None => Ok(RuntimeValue::Int(-2)),
        }
    }),
    ("parameters", 0, 0, |run, call| {
        let block = own(run, call)?;
        match (&block.code, block.frame.hir.body(block_body(&block.code))) {
            (ProcCode::Body(_), Some(body)) => parameters(run, body, block.is_lambda),
            _ => run.unknown_because("the parameters of this proc are not known"),
        }
    }),
    (">>", 1, 1, |run, call| compose(run, call, false)),
    ("<<", 1, 1, |run, call| compose(run, call, true)),
    ("inspect", 0, 0, |run, _| run.unknown_because("the text of a proc is not supported")),
    ("to_s", 0, 0, |run, _| run.unknown_because("the text of a proc is not supported")),
];

pub(super) const CLASS: &[NativeMethod] = &[("new", 0, 0, |run, call| match call.block() {
    Some(block) => Ok(RuntimeValue::Proc(block)),
    None => run.raise("ArgumentError", "tried to create Proc object without a block"),
})];

fn block_body(code: &ProcCode) -> crate::hir::BodyId {
    match code {
        ProcCode::Body(body) => *body,
        _ => crate::hir::ArenaId::from_position(usize::MAX >> 33),
    }
}

fn params_of(block: &ProcCell) -> Option<(std::sync::Arc<Hir>, Params)> {
    let ProcCode::Body(body) = block.code else { return None };
    let hir = std::sync::Arc::clone(&block.frame.hir);
    let params = hir.body(body)?.params.clone();
    Some((hir, params))
}

/// Returns the number of arguments; negative if there may be more.
fn arity(_: &Hir, params: &Params, is_strict: bool) -> i64 {
    let required_keyword = params.keywords.iter().any(|keyword| keyword.default.is_none());
    let required = i64::try_from(params.required.len() + params.post.len()).unwrap_or(0) + i64::from(required_keyword);
    // A block's optional parameters do not count.
    let has_optional = is_strict && !params.optional.is_empty();
    let has_optional_keyword = !required_keyword && is_strict && super::super::arguments::takes_keywords(params);
    if params.rest.is_some() || has_optional || has_optional_keyword { -required - 1 } else { required }
}

fn parameters(run: &mut Interpreter<'_>, body: &crate::hir::HirBody, is_strict: bool) -> Eval {
    let name_of = |local: crate::hir::LocalId| body.locals.get(local).map_or("", |local| &*local.name).to_owned();
    let mut all: Vec<(&str, String)> = Vec::new();
    let positional = if is_strict { "req" } else { "opt" };
    let target = |target: &Target| match target {
        Target::Local(local) => name_of(local.local),
        _ => String::new(),
    };
    all.extend(body.params.required.iter().map(|param| (positional, target(param))));
    all.extend(body.params.optional.iter().map(|(local, _)| ("opt", name_of(*local))));
    all.extend(body.params.rest.iter().map(|local| ("rest", name_of(*local))));
    all.extend(body.params.post.iter().map(|param| (positional, target(param))));
    for keyword in &body.params.keywords {
        all.push((if keyword.default.is_some() { "key" } else { "keyreq" }, keyword.name.to_string()));
    }
    all.extend(body.params.keyword_rest.iter().map(|local| ("keyrest", name_of(*local))));
    all.extend(body.params.block.iter().map(|local| ("block", name_of(*local))));
    let mut list = Vec::new();
    for (kind, name) in all {
        let mut pair = vec![RuntimeValue::sym(kind)];
        if !name.is_empty() && !name.starts_with("__") {
            pair.push(RuntimeValue::sym(&name));
        }
        list.push(run.new_array(pair)?);
    }
    run.new_array(list)
}

fn compose(run: &mut Interpreter<'_>, call: &Call<'_>, is_reversed: bool) -> Eval {
    let other = call.arg(0);
    if !run.responds(&other, "call") {
        return run.raise("TypeError", "callable object is expected");
    }
    let own = call.receiver.clone();
    let (first, second) = if is_reversed { (other, own) } else { (own, other) };
    let Some(frame) = call.frame.cloned().or_else(|| run.plain_frame()) else { return run.unknown_because("no code is running") };
    Ok(RuntimeValue::Proc(Rc::new(ProcCell { code: ProcCode::Compose(first, second), frame, is_lambda: true })))
}

fn method(run: &mut Interpreter<'_>, call: &Call<'_>) -> Eval<Rc<MethodCell>> {
    match &call.receiver {
        RuntimeValue::Method(method) => Ok(Rc::clone(method)),
        _ => run.unknown_because("this receiver is not supported"),
    }
}

fn call_method(run: &mut Interpreter<'_>, call: &Call<'_>) -> Eval {
    let method = method(run, call)?;
    run.call_method_cell(&method, call.arguments.clone())
}

fn method_arity(run: &mut Interpreter<'_>, call: &Call<'_>) -> Eval {
    let method = method(run, call)?;
    Ok(RuntimeValue::Int(match &method.entry.body {
        MethodBody::Code { hir, body, .. } => hir.body(*body).map_or(0, |code| arity(hir, &code.params, true)),
        MethodBody::Proc(block) => params_of(block).map_or(-1, |(hir, params)| arity(&hir, &params, true)),
        MethodBody::Reader(_) => 0,
        MethodBody::Writer(_) => 1,
        _ => return run.unknown_because("the arity of this method is not known"),
    }))
}

fn method_name(_: &mut Interpreter<'_>, call: &Call<'_>) -> Eval {
    match &call.receiver {
        RuntimeValue::Method(method) => Ok(RuntimeValue::Sym(method.entry.name.clone())),
        _ => Ok(RuntimeValue::Nil),
    }
}

fn method_owner(run: &mut Interpreter<'_>, call: &Call<'_>) -> Eval {
    Ok(RuntimeValue::Class(method(run, call)?.entry.owner))
}

fn method_parameters(run: &mut Interpreter<'_>, call: &Call<'_>) -> Eval {
    let method = method(run, call)?;
    match &method.entry.body {
        MethodBody::Code { hir, body, .. } => match hir.body(*body) {
            Some(code) => parameters(run, code, true),
            None => Ok(RuntimeValue::Nil),
        },
        _ => run.unknown_because("the parameters of this method are not known"),
    }
}

pub(super) const METHOD: &[NativeMethod] = &[
    ("call", 0, MANY, call_method),
    ("===", 0, MANY, call_method),
    ("[]", 0, MANY, call_method),
    ("to_proc", 0, 0, |run, call| {
        let code = ProcCode::Method(method(run, call)?);
        let Some(frame) = call.frame.cloned().or_else(|| run.plain_frame()) else { return run.unknown_because("no code is running") };
        Ok(RuntimeValue::Proc(Rc::new(ProcCell { code, frame, is_lambda: true })))
    }),
    ("arity", 0, 0, method_arity),
    ("name", 0, 0, method_name),
    ("owner", 0, 0, method_owner),
    ("parameters", 0, 0, method_parameters),
    ("receiver", 0, 0, |run, call| Ok(method(run, call)?.receiver.clone().unwrap_or_default())),
    ("unbind", 0, 0, |run, call| {
        let entry = Rc::clone(&method(run, call)?.entry);
        Ok(RuntimeValue::Method(Rc::new(MethodCell { receiver: None, entry })))
    }),
    (">>", 1, 1, |run, call| compose(run, call, false)),
    ("<<", 1, 1, |run, call| compose(run, call, true)),
];

pub(super) const UNBOUND: &[NativeMethod] = &[
    ("arity", 0, 0, method_arity),
    ("name", 0, 0, method_name),
    ("owner", 0, 0, method_owner),
    ("parameters", 0, 0, method_parameters),
    ("bind", 1, 1, |run, call| {
        let entry = Rc::clone(&method(run, call)?.entry);
        Ok(RuntimeValue::Method(Rc::new(MethodCell { receiver: Some(call.arg(0)), entry })))
    }),
    ("bind_call", 1, MANY, |run, call| {
        let entry = Rc::clone(&method(run, call)?.entry);
        let mut arguments = call.arguments.clone();
        let receiver = arguments.positional.remove(0);
        let bound = MethodCell { receiver: Some(receiver), entry };
        run.call_method_cell(&bound, arguments)
    }),
];

impl Interpreter<'_> {
    /// Returns a frame for procs without code.
    pub(crate) fn plain_frame(&mut self) -> Option<Frame> {
        let text = Hir::parse("", &crate::hir::ParseSettings::default()).ok()?;
        let hir = std::sync::Arc::new(text);
        let body = hir.main();
        let variables = self.variables(&hir, body, None);
        let object = self.known.object;
        Some(Frame {
            hir,
            body,
            variables,
            self_value: RuntimeValue::Nil,
            lexical: Rc::new(super::super::frame::LexicalScope { class: object, outer: None }),
            definee: object,
            method: None,
            home: 0,
            breaks: 0,
            visibility: Rc::new(std::cell::Cell::new(super::super::frame::Visibility::Public)),
        })
    }
}
