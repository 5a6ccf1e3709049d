//! `rtype lookup KEY`

use super::Exit;
use super::arguments::Lookup;
use super::compile::{node, show, write};
use super::output::Console;
use crate::app::compile::{CompileOptions, Compiler};
use crate::app::input;
use crate::app::session::Session;
use rtype_lang::diagnostics::printable_text;
use rtype_lang::redact::Redactor;
use rtype_lang::value::REDACTED;
use rtype_manifest::compile::catalog::output::rich;
use rtype_manifest::compile::value::ManifestValue;
use rtype_manifest::functions::data::{FileOutcome, KeyTrace, SearchedFile};
use rtype_model::manifest::is_suspect;
use serde_json::{Map, Value as Json, json};
use std::io;

pub fn run(arguments: &Lookup, session: &mut Session, output: &mut Console) -> io::Result<Exit> {
    let options = CompileOptions {
        // Without code, the main manifest is compiled.
        code: (!arguments.compile).then(String::new),
        environment: arguments.node.environment.as_str().into(),
        ..CompileOptions::default()
    };
    let compiler = match Compiler::new(session, options) {
        Ok(compiler) => compiler,
        Err(found) => return session.show(&found, output).map(|_| Exit::Findings),
    };
    let node = match node(&arguments.node, session) {
        Ok(node) => node,
        Err(found) => return session.show(&[found], output).map(|_| Exit::Findings),
    };
    let (mut found, searched) = compiler.lookup(&node, &request(arguments));
    if let Some(path) = &arguments.output {
        let is_wrong = show(&found, session.verbose, output)?;
        return match found.result.filter(|_| !is_wrong) {
            Some(value) if !write(path, &value, session, output)? => Ok(Exit::Clean),
            _ => Ok(Exit::Findings),
        };
    }
    let redactor = found.secrets.redactor().clone();
    let printer = ValuePrinter { is_secret: secrets_in(&searched, &redactor), redactor };
    if arguments.explain {
        for trace in &searched {
            output.print(&printable_text(&printer.trace(trace)))?;
        }
    }
    let is_wrong = session.show(&[], output)? | show(&found, session.verbose, output)?;
    let Some(value) = found.result.as_mut().filter(|_| !is_wrong) else {
        if !compiler.has_data() {
            eprintln!("help: no data was searched; run this in a control repository, a directory with `environment.conf` and `hiera.yaml`");
        } else if !arguments.explain {
            eprintln!("help: `--explain` shows the files that were searched, and what each has");
        }
        return Ok(Exit::Findings);
    };
    printer.hide(value, printer.is_secret);
    output.json(value)?;
    Ok(Exit::Clean)
}

/// Returns the options for the function `lookup`.
fn request(arguments: &Lookup) -> Json {
    let mut request = Map::new();
    request.insert("name".to_owned(), json!(arguments.keys));
    if let Some(strategy) = &arguments.merge {
        let mut merge = Map::from_iter([("strategy".to_owned(), json!(strategy))]);
        if let Some(prefix) = &arguments.knock_out_prefix {
            merge.insert("knockout_prefix".to_owned(), json!(prefix));
        }
        for (name, is_set) in [("sort_merged_arrays", arguments.sort_merged_arrays), ("merge_hash_arrays", arguments.merge_hash_arrays)] {
            if is_set {
                merge.insert(name.to_owned(), json!(true));
            }
        }
        request.insert("merge".to_owned(), Json::Object(merge));
    }
    for (name, value) in [("value_type", &arguments.value_type), ("default_value", &arguments.default)] {
        if let Some(value) = value {
            request.insert(name.to_owned(), json!(value));
        }
    }
    Json::Object(request)
}

/// Returns whether the value of a key is secret by its name or its options.
fn is_secret(trace: &KeyTrace) -> bool {
    let converts = trace.options.get("convert_to");
    let name = converts.and_then(|convert| convert.as_array().map_or(Some(convert), <[_]>::first)).and_then(ManifestValue::as_str);
    trace.key.rsplit("::").next().unwrap_or_default().split('.').any(is_suspect) || name.is_some_and(|name| name.starts_with("Sensitive"))
}

/// Adds the secrets of all searched keys, because values may refer to other keys. Returns whether a key that was asked for is secret.
fn secrets_in(searched: &[KeyTrace], redactor: &Redactor) -> bool {
    let printer = ValuePrinter { is_secret: false, redactor: redactor.clone() };
    for trace in searched {
        for step in &trace.steps {
            if let FileOutcome::Value(value) = &step.outcome {
                printer.hide(&mut rich(value), is_secret(trace));
            }
        }
    }
    searched.iter().any(|trace| trace.depth == 0 && is_secret(trace))
}

/// Prints values without their secrets.
struct ValuePrinter {
    /// Whether the value of the keys that were asked for is secret.
    is_secret: bool,
    redactor: Redactor,
}

impl ValuePrinter {
    /// Replaces the secrets in a value, and keeps their texts.
    fn hide(&self, value: &mut Json, is_secret: bool) {
        match value {
            Json::Object(members) if members.get("__ptype").is_some_and(|of| of == "Sensitive") => {
                if let Some(inner) = members.get_mut("__pvalue") {
                    self.hide(inner, true);
                }
            }
            Json::Object(members) if members.contains_key("__ptype") => {
                // A hash whose keys are not all strings has keys and values in turn.
                let mut is_of_secret_key = false;
                for (number, element) in members.get_mut("__pvalue").and_then(Json::as_array_mut).into_iter().flatten().enumerate() {
                    self.hide(element, is_secret || is_of_secret_key);
                    is_of_secret_key = number % 2 == 0 && element.as_str().is_some_and(is_suspect);
                }
            }
            Json::Object(members) => members.iter_mut().for_each(|(name, value)| self.hide(value, is_secret || is_suspect(name))),
            Json::Array(elements) => elements.iter_mut().for_each(|element| self.hide(element, is_secret)),
            Json::String(text) if is_secret => {
                self.redactor.add(text, false);
                REDACTED.clone_into(text);
            }
            Json::Null | Json::Bool(_) => {}
            other if is_secret => {
                self.redactor.add(&other.to_string(), false);
                *other = REDACTED.into();
            }
            other => self.redactor.redact_json(other),
        }
    }

    /// Returns the lines about the search for a key.
    fn trace(&self, trace: &KeyTrace) -> String {
        let indent = "  ".repeat(trace.depth);
        let mut text = format!("{indent}{}\n", self.redactor.redact(&trace.key));
        if trace.options != ManifestValue::Undef {
            text += &format!("{indent}  lookup_options: {}\n", self.value(&trace.options, false));
        }
        text += &format!("{indent}  merge: {}\n", trace.strategy);
        let width = trace.steps.iter().map(|step| path(step).chars().count()).max().unwrap_or(0).min(60);
        let mut place = String::new();
        for step in &trace.steps {
            let now = format!("{}, level `{}`", step.layer, step.level);
            if now != place {
                text += &format!("{indent}  {now}\n");
                place = now;
            }
            let outcome = match &step.outcome {
                FileOutcome::Missing => "no such file".to_owned(),
                FileOutcome::WithoutKey => "no such key".to_owned(),
                FileOutcome::Overridden => "has the key, but a higher level decides".to_owned(),
                FileOutcome::Value(value) => self.value(value, is_secret(trace)),
            };
            text += &format!("{indent}    {:width$}  {outcome}\n", path(step));
        }
        text
    }

    fn value(&self, value: &ManifestValue, is_secret: bool) -> String {
        let mut value = rich(value);
        self.hide(&mut value, is_secret);
        value.to_string()
    }
}

fn path(step: &SearchedFile) -> String {
    input::relative(&step.path.to_string_lossy())
}
