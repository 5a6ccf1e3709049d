//! Methods of paths, which are strings. All but `expand`, which looks up home directories, only work on the string.

use super::unfit;
use crate::eval::call::{BuiltinCall, Eval};
use crate::eval::interpreter::Interpreter;
use crate::types::builtin::Method;
use crate::value::{EcoString, Value};

pub(super) fn call(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, method: Method, text: &EcoString) -> Eval {
    use Method as M;
    Ok(match method {
        M::IsAbsolute => Value::Bool(text.starts_with('/')),
        M::IsRelative => Value::Bool(!text.starts_with('/')),
        M::IsRoot => Value::Bool(!text.is_empty() && text.chars().all(|c| c == '/')),
        M::Dirname => Value::str(dirname(text)),
        M::Parent => Value::str(parent(text)),
        M::Basename => {
            let name = basename(text);
            let suffix = if call.has(0) { call.text(0)? } else { EcoString::new() };
            let shorter = match suffix.as_str() {
                ".*" => name.strip_suffix(extname(text)),
                suffix => name.strip_suffix(suffix),
            };
            Value::str(shorter.filter(|s| !s.is_empty()).unwrap_or(name))
        }
        M::Extname => Value::str(extname(text)),
        M::Ancestors => {
            let list = ancestors(text);
            // Each result copies the start of the path.
            let bytes = list.iter().map(|p| p.len() + 16).sum();
            it.meter.room(bytes, call.span)?;
            Value::array(list.into_iter().map(Value::from))
        }
        M::Expand => Value::str(expand(it, call, text)?),
        M::Clean => Value::str(clean(text)),
        M::IsWithin => {
            let (path, dir) = (clean(text), clean(&call.text(0)?));
            let below = path.strip_prefix(&dir).is_some_and(|rest| rest.is_empty() || rest.starts_with('/') || dir == "/");
            Value::Bool(below)
        }
        _ => return Err(unfit(call, &Value::Str(text.clone()))),
    })
}

/// Joins two paths with a single slash; an absolute second path replaces the first.
pub(in crate::eval) fn join(first: &str, second: &str) -> EcoString {
    if second.starts_with('/') || first.is_empty() {
        return second.into();
    }
    let slash = if first.ends_with('/') || second.is_empty() { "" } else { "/" };
    ecow::eco_format!("{first}{slash}{second}")
}

fn trimmed(path: &str) -> &str {
    let shorter = path.trim_end_matches('/');
    if shorter.is_empty() && !path.is_empty() { "/" } else { shorter }
}

fn dirname(path: &str) -> &str {
    match trimmed(path).rsplit_once('/') {
        Some((before, _)) if before.trim_end_matches('/').is_empty() => "/",
        Some((before, _)) => before.trim_end_matches('/'),
        None => ".",
    }
}

/// Returns the parent like Ruby's `Pathname#parent`: `.` is ignored at the end, and the parent of `..` is `../..`.
fn parent(path: &str) -> String {
    let path = undotted(path);
    if path == ".." || path.ends_with("/..") {
        return format!("{path}/..");
    }
    let above = match path {
        "" => "..",
        "/" => "/",
        _ => match path.rsplit_once('/') {
            Some((before, _)) if before.trim_end_matches('/').is_empty() => "/",
            Some((before, _)) => undotted(before),
            None => "",
        },
    };
    if above.is_empty() { ".".into() } else { above.into() }
}

/// Removes slashes and `.` at the end of a path; the path `.` becomes empty.
fn undotted(mut path: &str) -> &str {
    loop {
        path = trimmed(path);
        match path.strip_suffix("/.") {
            Some("") => return "/",
            Some(before) => path = before,
            None => return if path == "." { "" } else { path },
        }
    }
}

fn basename(path: &str) -> &str {
    let path = trimmed(path);
    match path.rsplit_once('/') {
        Some((_, "")) => "/",
        Some((_, name)) => name,
        None => path,
    }
}

/// Returns the extension with Ruby's rules: leading and trailing dots do not start an extension.
fn extname(path: &str) -> &str {
    let name = basename(path);
    let body = name.trim_start_matches('.');
    match body.rfind('.') {
        Some(dot) if dot + 1 < body.len() => body.get(dot..).unwrap_or_default(),
        _ => "",
    }
}

/// Returns the ancestors of a path, outermost first, without the path itself.
fn ancestors(path: &str) -> Vec<&str> {
    let path = trimmed(path);
    let mut found: Vec<&str> = Vec::new();
    for (at, _) in path.match_indices('/') {
        let above = path.get(..at).unwrap_or_default().trim_end_matches('/');
        let above = if above.is_empty() { "/" } else { above };
        if above != path && found.last() != Some(&above) {
            found.push(above);
        }
    }
    found
}

/// Removes `.`, `..` and repeated slashes.
fn clean(path: &str) -> String {
    let absolute = path.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|p| *p != "..") => {
                parts.pop();
            }
            ".." if absolute => {}
            part => parts.push(part),
        }
    }
    let joined = parts.join("/");
    match (absolute, joined.is_empty()) {
        (true, _) => format!("/{joined}"),
        (false, true) => ".".into(),
        (false, false) => joined,
    }
}

fn expand(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, text: &str) -> Eval<String> {
    let path = home(it, call, text)?;
    if path.starts_with('/') {
        return Ok(clean(&path));
    }
    if !call.has(0) {
        return Err(call.fail(format!("the path `{text}` is relative: `expand` needs the directory it is seen from")));
    }
    let base = home(it, call, &call.text(0)?)?;
    if !base.starts_with('/') {
        return Err(call.fail(format!("`expand` needs an absolute directory, not `{base}`")));
    }
    Ok(clean(&join(&base, &path)))
}

/// Replaces the `~` or `~user` at the start of a path by the home directory.
fn home(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, text: &str) -> Eval<EcoString> {
    let Some(rest) = text.strip_prefix('~') else { return Ok(text.into()) };
    let (user, below) = rest.split_once('/').unwrap_or((rest, ""));
    let world = it.frame.scope.world();
    let user = if user.is_empty() { world.current_user() } else { Some(user.into()) };
    let dir = user.as_deref().and_then(|u| world.home_dir(u));
    match dir {
        Some(dir) => Ok(join(&dir, below)),
        None => Err(call.fail(format!("the home directory of `{}` is not known", user.unwrap_or_default()))),
    }
}
