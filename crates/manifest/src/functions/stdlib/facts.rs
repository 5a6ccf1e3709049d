//! Functions that look at facts and at the calling code.

use crate::compile::context::Context;
use crate::compile::failure::Failure;
use crate::compile::function::Function;
use crate::compile::value::Value;
use crate::functions::collections::element;
use crate::functions::refused::{needs_clock, refuse};
use crate::functions::ruby::{integer, to_s};
use crate::functions::{Block, Evaluated, argument, legacy, no_method, signature, statement, text, typed};

/// The functions of this file.
pub const TABLE: &[Function] = &[
    statement("assert_private", -1, assert_private),
    statement("pry", -1, refuse),
    legacy("time", -1, time),
    typed("fact", &[signature("(String $fact_name)", fact)]),
    typed("os_version_gte", &[signature("(String[1] $os, String[1] $version)", os_version_gte)]),
];

fn assert_private(context: &mut Context<'_>, arguments: &[Value], _: Block<'_>) -> Evaluated {
    if arguments.len() > 1 {
        let given = arguments.len();
        return Err(Failure::new(format!("assert_private(): Wrong number of arguments given ({given}}}) for 0 or 1)")));
    }
    let mut lookup = |name: &str| context.variable(name).unwrap_or(Value::Undef);
    if lookup("module_name") == lookup("caller_module_name") {
        return Ok(Value::Undef);
    }
    let message = match arguments.first() {
        Some(Value::String(message)) => message.to_string(),
        _ => format!("{} is private", context.definition()),
    };
    Err(Failure::new(message))
}

fn time(_: &mut Context<'_>, arguments: &[Value], _: Block<'_>) -> Evaluated {
    match arguments.len() {
        0 | 1 => Err(needs_clock("time")),
        given => Err(Failure::new(format!("time(): Wrong number of arguments given {given} for 0 or 1"))),
    }
}

/// Splits a path of keys at dots outside of quotes.
fn path(name: &str) -> Vec<String> {
    let mut keys = Vec::new();
    let mut rest = name;
    while !rest.is_empty() {
        if let Some(quoted) = rest.strip_prefix('"') {
            match quoted.split_once('"') {
                Some((key, after)) if !key.is_empty() => {
                    keys.push(key.to_owned());
                    rest = after;
                }
                _ => rest = quoted,
            }
            continue;
        }
        let end = rest.find(['.', '"']).unwrap_or(rest.len());
        if end == 0 {
            rest = rest.get(1..).unwrap_or_default();
            continue;
        }
        let (key, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
        keys.push(key.to_owned());
        rest = after;
    }
    keys
}

fn fact(context: &mut Context<'_>, arguments: &[Value], _: Block<'_>) -> Evaluated {
    let name = text(arguments, 0);
    let mut current = context.variable("facts").unwrap_or(Value::Undef);
    let mut walked: Vec<String> = Vec::new();
    for key in path(name) {
        let path = walked.join(".");
        let place = format!("fact request for {name} returning nil: '{path}'");
        current = match &current {
            Value::Undef => return Ok(Value::Undef),
            Value::Hash(map) => map.get(&Value::from(key.as_str())).cloned().unwrap_or(Value::Undef),
            Value::Array(elements) => match integer(&key) {
                Ok(index) => element(elements, index),
                Err(_) => {
                    context.warn(format!("{place} is an array; cannot index to '{key}'"));
                    Value::Undef
                }
            },
            _ => {
                context.warn(format!("{place} is not a collection; cannot walk to '{key}'"));
                Value::Undef
            }
        };
        walked.push(if key.contains('.') { format!("\"{key}\"") } else { key });
    }
    Ok(current)
}

fn os_version_gte(context: &mut Context<'_>, arguments: &[Value], _: Block<'_>) -> Evaluated {
    let facts = context.variable("facts").unwrap_or(Value::Undef);
    let of = |name: &str| facts.get(name).cloned().unwrap_or(Value::Undef);
    if of("operatingsystem") != *argument(arguments, 0) {
        return Ok(Value::Boolean(false));
    }
    match of("operatingsystemmajrelease") {
        release @ Value::String(_) => {
            let order = rtype_lang::value::versioncmp(&to_s(&release), text(arguments, 1));
            Ok(Value::Boolean(order.is_ge()))
        }
        other => Err(no_method(&other, "scan")),
    }
}
