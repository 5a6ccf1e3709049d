//! Secrets that resources do not declare as secrets: another program knows them.

use crate::app::input;
use rtype_lang::diagnostics::{Code, Diagnostic, Redactions};
use rtype_lang::redact::Redactor;
use rtype_lang::source::{Source, Span};
use rtype_lang::value::Value;
use rtype_model::manifest::Declarations;
use rtype_system::process;
use std::io::{self, BufRead, Read};

/// The smallest integer that counts as a possible secret.
const LONG: u64 = 100_000;

/// Words that are too common to count as secrets.
const COMMON: &[&str] =
    &["true", "false", "yes", "no", "on", "off", "present", "absent", "running", "stopped", "installed", "latest", "mounted", "root"];

/// The secrets in the declarations of a run, in addition to the secrets that the declarations mark.
#[derive(Debug, Default)]
pub struct Hidden {
    texts: Redactor,
    all_values: bool,
}

impl Hidden {
    /// Reads secrets from a file, or from the first line of standard input, and adds them to the secrets of a run.
    ///
    /// # Errors
    /// If the file cannot be read, or is not a JSON list of strings. The message never quotes the file.
    pub fn read(path: Option<&str>, all_values: bool, redactor: &Redactor) -> Result<Hidden, Diagnostic> {
        let hidden = Hidden { texts: Redactor::new(), all_values };
        let Some(path) = path else { return Ok(hidden) };
        let text = if path == "-" { first_line().map_err(|e| unreadable(&input::reason(&e)))? } else { input::read_source(path)? };
        let texts: Vec<String> = serde_json::from_str(&text).map_err(|_| unreadable("it is not a JSON list of strings"))?;
        texts.iter().for_each(|text| hidden.texts.add(text, false));
        redactor.extend(&hidden.texts);
        Ok(hidden)
    }

    /// Marks the secrets in declarations. If all values are secret, also removes quoted values from errors.
    pub fn hide(&self, source: &Source, declarations: &mut Declarations, found: &mut [Diagnostic]) {
        if self.all_values {
            let whole = Redactions::new();
            whole.add(source.span());
            declarations.secrets.extend(&whole);
            found.iter_mut().for_each(|diagnostic| *diagnostic = without_quotes(diagnostic));
        }
        declarations.hide(&|value| if self.all_values { !is_common(value) } else { self.contains(value) });
    }

    fn contains(&self, value: &Value) -> bool {
        match value {
            Value::Array(items) => items.iter().any(|item| self.contains(item)),
            Value::Map(map) => map.iter().any(|(key, value)| self.contains(key) || self.contains(value)),
            Value::Str(text) => self.texts.is_in(text),
            Value::Int(_) | Value::Float(_) => self.texts.is_in(&value.to_text()),
            _ => false,
        }
    }
}

/// Returns the first line of standard input. The rest stays in the buffer.
fn first_line() -> io::Result<String> {
    let mut line = String::new();
    process::stdin().lock().take(input::MAX_BYTES).read_line(&mut line)?;
    Ok(line)
}

fn unreadable(why: &str) -> Diagnostic {
    Diagnostic::new(Code::CannotRead, Span::NONE, format!("cannot read the texts of `--redact`: {why}"))
        .help("write them as a JSON list of strings, such as `[\"secret\"]`")
}

/// Returns a diagnostic without any part that may quote a secret.
fn without_quotes(diagnostic: &Diagnostic) -> Diagnostic {
    let name = diagnostic.code.info().name;
    Diagnostic::new(diagnostic.code, diagnostic.span(), format!("{name} (details are hidden by `--sensitive`)"))
        .help("check the file with `rtype check` where its content may be shown")
}

/// Returns whether a value is too common to count as a secret.
fn is_common(value: &Value) -> bool {
    match value {
        Value::Nil | Value::Bool(_) | Value::Resource(_) => true,
        Value::Int(number) => number.unsigned_abs() < LONG,
        Value::Str(text) => {
            text.chars().count() < 2
                || COMMON.contains(&text.as_str())
                || text.parse::<u64>().is_ok_and(|number| number < LONG && text.len() < 6)
        }
        Value::Array(items) => items.iter().all(is_common),
        Value::Map(map) => map.iter().all(|(key, value)| is_common(key) && is_common(value)),
        _ => false,
    }
}
