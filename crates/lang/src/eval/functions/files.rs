//! The functions `files_below` and `file_text`.

use crate::eval::call::{BuiltinCall, Eval};
use crate::eval::interpreter::Interpreter;
use crate::eval::{Failure, FileBelow, Walk, Walked};
use crate::value::{Map, Value};
use std::sync::Arc;

/// The steps and bytes granted per file found, in addition to the block's limits, because the block does not choose the size of a
/// directory.
const STEPS: u64 = 2_000;
const BYTES: usize = 8 << 10;

/// Evaluates `files_below(path, {depth: 1, ignore: ["*.bak"], matches: ["*.log"], links: :follow})`.
pub(super) fn below(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>) -> Eval {
    let path = call.text(0)?;
    let how = how(call)?;
    match it.frame.scope.world().files_below(&path, &how) {
        Ok(Walked::Unknown) => Err(Failure::unknown(call.span).into()),
        Ok(Walked::Nothing) => Ok(Value::Nil),
        Ok(Walked::Files(files)) => {
            it.meter.grant(files.len() as u64 * STEPS, files.len() * BYTES);
            Ok(Value::array(files.into_iter().map(to_value)))
        }
        Err(error) => Err(call.unanswered(error)),
    }
}

/// The steps and bytes granted for each byte of a file, for reading, parsing as JSON or YAML, and combining.
const STEPS_OF_TEXT: u64 = 2;
const BYTES_OF_TEXT: usize = 16;

/// Evaluates `file_text(path)`.
pub(super) fn text(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>) -> Eval {
    let text = it.frame.scope.world().file_text(&call.text(0)?).map_err(|error| call.unanswered(error))?;
    match &text {
        Value::Unknown => return Err(Failure::unknown(call.span).into()),
        Value::Binary(bytes) => it.meter.grant(bytes.len() as u64 * STEPS_OF_TEXT, bytes.len() * BYTES_OF_TEXT),
        Value::Str(text) => it.meter.grant(text.len() as u64 * STEPS_OF_TEXT, text.len() * BYTES_OF_TEXT),
        _ => {}
    }
    Ok(text)
}

fn how(call: &BuiltinCall<'_>) -> Eval<Walk> {
    let mut how = Walk::default();
    let given = match call.arg(1) {
        Value::Nil => return Ok(how),
        Value::Map(map) => map,
        other => return Err(call.takes("a map", other)),
    };
    let texts = |value: &Value| match value {
        Value::Nil | Value::Bool(false) => Vec::new(),
        Value::Array(all) => all.iter().map(|v| v.to_text().to_string()).collect(),
        one => vec![one.to_text().to_string()],
    };
    for (name, value) in given.iter() {
        match (name.to_text().as_str(), value) {
            ("depth", Value::Nil) => {}
            ("depth", Value::Int(depth)) => how.depth = Some(u32::try_from(*depth).unwrap_or(0)),
            ("depth", other) => return Err(call.takes("a whole number as `depth`", other)),
            ("ignore", value) => how.ignore = texts(value),
            ("matches", value) => how.matches = texts(value),
            ("links", value) => how.follow = value.is_sym("follow"),
            (other, _) => return Err(call.fail(format!("`files_below` knows `depth`, `ignore`, `matches` and `links`, not `{other}`"))),
        }
    }
    Ok(how)
}

fn to_value(file: FileBelow) -> Value {
    let int = |n: i64| Value::Int(n);
    let pairs = [
        ("path", Value::str(file.path)),
        ("relative", Value::str(file.relative)),
        ("type", Value::sym(file.kind)),
        ("mode", Value::str(format!("{:04o}", file.mode))),
        ("uid", int(file.uid.into())),
        ("gid", int(file.gid.into())),
        ("size", int(i64::try_from(file.size).unwrap_or(i64::MAX))),
        ("mtime", int(file.mtime)),
        ("atime", int(file.atime)),
        ("ctime", int(file.ctime)),
    ];
    Value::Map(Arc::new(Map::from_iter(pairs.map(|(name, value)| (Value::sym(name), value)))))
}
