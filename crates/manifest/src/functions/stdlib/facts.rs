//! Functions that look at facts and at the calling code.

use crate::compile::context::CallContext;
use crate::compile::failure::EvaluationFailure;
use crate::compile::function::FunctionRow;
use crate::compile::value::ManifestValue;
use crate::functions::collections::element;
use crate::functions::refused::{needs_clock, refuse};
use crate::functions::ruby::{integer, to_s};
use crate::functions::{Block, Evaluated, argument, legacy, no_method, signature, statement, text, typed};

/// The functions of this file.
pub const TABLE: &[FunctionRow] = &[
    statement("assert_private", -1, assert_private),
    statement("pry", -1, refuse),
    legacy("time", -1, time),
    typed("fact", &[signature("(String $fact_name)", fact)]),
    typed("os_version_gte", &[signature("(String[1] $os, String[1] $version)", os_version_gte)]),
];

fn assert_private(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    if arguments.len() > 1 {
        let given = arguments.len();
        return Err(EvaluationFailure::new(format!("assert_private(): Wrong number of arguments given ({given}}}) for 0 or 1)")));
    }
    let mut lookup = |name: &str| context.variable(name).unwrap_or(ManifestValue::Undef);
    if lookup("module_name") == lookup("caller_module_name") {
        return Ok(ManifestValue::Undef);
    }
    let message = match arguments.first() {
        Some(ManifestValue::String(message)) => message.to_string(),
        _ => format!("{} is private", context.definition()),
    };
    Err(EvaluationFailure::new(message))
}

fn time(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    match arguments.len() {
        0 | 1 => Err(needs_clock("time")),
        given => Err(EvaluationFailure::new(format!("time(): Wrong number of arguments given {given} for 0 or 1"))),
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

fn fact(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let name = text(arguments, 0);
    let mut current = context.variable("facts").unwrap_or(ManifestValue::Undef);
    let mut walked: Vec<String> = Vec::new();
    for key in path(name) {
        if walked.is_empty() && current.get(&key).is_none() {
            context.evaluator.refuse_unread_fact(&key)?;
        }
        let path = walked.join(".");
        let place = format!("fact request for {name} returning nil: '{path}'");
        current = match &current {
            ManifestValue::Undef => return Ok(ManifestValue::Undef),
            ManifestValue::Hash(map) => map.get(&ManifestValue::from(key.as_str())).cloned().unwrap_or(ManifestValue::Undef),
            ManifestValue::Array(elements) => match integer(&key) {
                Ok(index) => element(elements, index),
                Err(_) => {
                    context.warn(format!("{place} is an array; cannot index to '{key}'"));
                    ManifestValue::Undef
                }
            },
            _ => {
                context.warn(format!("{place} is not a collection; cannot walk to '{key}'"));
                ManifestValue::Undef
            }
        };
        walked.push(if key.contains('.') { format!("\"{key}\"") } else { key });
    }
    Ok(current)
}

fn os_version_gte(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let facts = context.variable("facts").unwrap_or(ManifestValue::Undef);
    let of = |name: &str| facts.get(name).cloned().unwrap_or(ManifestValue::Undef);
    if of("operatingsystem") != *argument(arguments, 0) {
        return Ok(ManifestValue::Boolean(false));
    }
    match of("operatingsystemmajrelease") {
        release @ ManifestValue::String(_) => {
            let order = rtype_lang::value::versioncmp(&to_s(&release), text(arguments, 1));
            Ok(ManifestValue::Boolean(order.is_ge()))
        }
        other => Err(no_method(&other, "scan")),
    }
}
