//! Compares compiled manifests with recorded results.

use super::disk::Disk;
use super::{Failure as AnyError, Options, rich, translated};
use indexmap::IndexMap;
use rtype_lang::source::SourceMap;
use rtype_manifest::compile::environment::{Environment, EvaluationLimits, Strictness};
use rtype_manifest::compile::evaluator::ManifestEvaluator;
use rtype_manifest::compile::failure::{EvaluationFailure, EvaluationFailureKind, ReportedPosition};
use rtype_manifest::compile::files::ModuleFiles;
use rtype_manifest::compile::function::KnownFunctions;
use rtype_manifest::compile::logs::{Level, LogMessage};
use rtype_manifest::compile::native::NativeTypes;
use rtype_manifest::compile::value::ManifestValue;
use serde_json::{Map, Value as Json, json};
use std::path::PathBuf;
use std::sync::Arc;

/// The facts of all cases.
const FACTS: &str = include_str!("debian12.json");
/// The name of the node, unless a case names another.
const NODE: &str = "oracle.example.com";
/// Resources that results leave out.
const ALWAYS: &[&str] = &["Stage[main]", "Class[Settings]", "Class[main]"];

/// What all cases share.
pub struct Measurement {
    facts: Map<String, Json>,
    machines: Json,
    worlds: Json,
    module_path: Vec<PathBuf>,
    functions: Arc<KnownFunctions>,
    types: Arc<NativeTypes>,
    directory: PathBuf,
}

impl Drop for Measurement {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.directory);
    }
}

/// What a compilation gives, in the form of the results.
#[derive(Default)]
struct Answer {
    value: Json,
    error: Option<Json>,
    logs: Vec<Json>,
    report: Map<String, Json>,
    catalog: Json,
    unsupported: Option<String>,
    is_syntax: bool,
    /// Whether a message is of the parser.
    has_syntax_logs: bool,
}

impl Measurement {
    /// Reads the files that the options name.
    pub fn new(options: &Options) -> Result<Measurement, AnyError> {
        let read = |name: &str| -> Result<Json, AnyError> {
            match options.get(name).and_then(|files| files.first()) {
                Some(file) => Ok(serde_json::from_str(&std::fs::read_to_string(file)?)?),
                None => Ok(Json::Null),
            }
        };
        let facts = match read("facts")? {
            Json::Object(facts) => facts,
            _ => serde_json::from_str(FACTS)?,
        };
        let module_path = options.get("modulepath").into_iter().flatten().flat_map(|paths| paths.split(':')).map(PathBuf::from);
        let directory = std::env::temp_dir().join(format!("language-{}", std::process::id()));
        let module_path: Vec<PathBuf> = module_path.map(|path| path.canonicalize().unwrap_or(path)).collect();
        Ok(Measurement {
            facts,
            machines: read("machines")?,
            worlds: read("worlds")?,
            functions: Arc::new(rtype_manifest::functions::table()),
            types: Arc::new(NativeTypes::new(translated::types(&module_path), false)),
            directory,
            module_path,
        })
    }

    /// Returns the directory of a world, whose files are written once.
    fn world(&self, name: &str) -> Result<PathBuf, AnyError> {
        let directory = self.directory.join(name);
        if !directory.exists() {
            for (path, text) in self.worlds[name].as_object().ok_or("unknown world")? {
                let file = directory.join(path);
                std::fs::create_dir_all(file.parent().ok_or("a path without a directory")?)?;
                std::fs::write(file, text.as_str().unwrap_or_default())?;
            }
        }
        Ok(directory.canonicalize()?)
    }

    fn environment(&self, case: &Json) -> Result<Environment, AnyError> {
        let node = case["node"].as_str().unwrap_or(NODE);
        let mut facts = self.facts.clone();
        facts.insert("clientversion".into(), json!("7.23.0"));
        facts.insert("clientnoop".into(), json!(false));
        facts.insert("hostname".into(), json!(node.split('.').next().unwrap_or_default()));
        facts.insert("clientcert".into(), json!(node));
        let machine = case["machine"].as_str().map(|name| &self.machines[name]);
        for (name, value) in machine.and_then(Json::as_object).into_iter().chain(case["facts"].as_object()).flatten() {
            facts.insert(name.clone(), value.clone());
        }
        facts.retain(|_, value| !value.is_null());
        let mut trusted = json!({
            "authenticated": "remote", "certname": node, "extensions": { "pp_role": "web" },
            "hostname": node.split('.').next(), "domain": node.split_once('.').map(|(_, domain)| domain), "external": {},
        });
        for (name, value) in case["trusted"].as_object().into_iter().flatten() {
            trusted[name] = value.clone();
        }
        let server = json!({ "serverversion": "7.23.0", "servername": "server.example.com", "serverip": "192.0.2.1" });
        let variables = facts.iter().chain(server.as_object().into_iter().flatten());
        let variables: IndexMap<ecow::EcoString, ManifestValue> =
            variables.map(|(name, value)| (name.into(), ManifestValue::from(value))).collect();
        let settings = &case["settings"];
        let strict = match settings["strict"].as_str() {
            Some("off") => Strictness::Off,
            Some("error") => Strictness::Error,
            _ => Strictness::Warning,
        };
        let mut known: IndexMap<ecow::EcoString, ManifestValue> = IndexMap::new();
        for (name, value) in settings.as_object().into_iter().flatten() {
            known.insert(name.into(), ManifestValue::from(value));
        }
        let directory = case["world"].as_str().map(|name| self.world(name)).transpose()?;
        let own = directory.as_ref().map(|directory| directory.join("modules"));
        let module_path = own.into_iter().chain(self.module_path.iter().cloned()).collect();
        Ok(Environment {
            name: "production".into(),
            node: node.into(),
            variables,
            facts: ManifestValue::from(&Json::Object(facts)),
            trusted: ManifestValue::from(&trusted),
            server_facts: ManifestValue::from(&json!({
                "serverversion": "7.23.0", "servername": "server.example.com", "serverip": "192.0.2.1", "environment": "production",
            })),
            settings: known,
            strict,
            has_strict_variables: settings["strict_variables"] == true,
            files: ModuleFiles::new(Box::new(Disk), directory, module_path),
            functions: self.functions.clone(),
            types: self.types.clone(),
            lookup: Some(rtype_manifest::functions::data::parameter),
            limits: EvaluationLimits::default(),
        })
    }

    fn run(&self, case: &Json) -> Result<Answer, AnyError> {
        let environment = Arc::new(self.environment(case)?);
        let mut evaluator = ManifestEvaluator::new(environment, SourceMap::new());
        let code = case["code"].as_str().unwrap_or_default().to_owned();
        let evaluated = evaluator.evaluate(vec![(String::new(), code)]);
        let mut answer = Answer::default();
        let result = match evaluated {
            Ok(value) => {
                answer.value = self.hide(&rich::dump(&value));
                evaluator.complete()
            }
            Err(failure) => Err(failure),
        };
        match result {
            Ok(()) => {
                answer.report = evaluator.catalog().report(&evaluator, &|value| self.hide(&rich::dump(value)), ALWAYS);
                if case["mode"] == "catalog" {
                    answer.catalog = self.hide(&evaluator.to_json());
                }
            }
            Err(failure) => self.failed(&evaluator, &failure, &mut answer),
        }
        let logs = evaluator.logs().iter().filter(|log| log.level >= Level::Warning);
        answer.logs = logs.map(|log| self.log(&evaluator, log)).collect();
        answer.has_syntax_logs = evaluator.logs().iter().any(|log| log.is_syntax);
        Ok(answer)
    }

    fn failed(&self, evaluator: &ManifestEvaluator, failure: &EvaluationFailure, answer: &mut Answer) {
        if matches!(failure.kind(), EvaluationFailureKind::Unsupported | EvaluationFailureKind::Limit) {
            answer.unsupported = Some(failure.text().to_owned());
            return;
        }
        answer.is_syntax = failure.is_syntax();
        let mut error = Map::new();
        error.insert("text".into(), json!(self.hide_text(failure.text())));
        if let (Some(span), true) = (failure.span(), failure.reported_position() != ReportedPosition::Nowhere) {
            let (file, line) = evaluator.place(span);
            error.insert("line".into(), json!(line));
            if failure.reported_position() == ReportedPosition::Column {
                error.insert("pos".into(), json!(evaluator.column(span)));
            }
            if let Some(file) = file {
                error.insert("file".into(), json!(self.hide_text(&file)));
            }
        }
        answer.error = Some(Json::Object(error));
    }

    fn log(&self, evaluator: &ManifestEvaluator, log: &LogMessage) -> Json {
        let mut found = json!({ "level": log.level.name(), "message": self.hide_text(&log.text) });
        if let Some(span) = log.span {
            found["line"] = json!(evaluator.place(span).1);
            found["pos"] = json!(evaluator.column(span));
        }
        found
    }

    /// Replaces the directories of this machine by those of the results.
    fn hide_text(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for path in &self.module_path {
            text = text.replace(&path.display().to_string(), "/modules");
        }
        let Some(worlds) = self.worlds.as_object() else { return text };
        for name in worlds.keys() {
            text = text.replace(&self.directory.join(name).display().to_string(), "/env");
        }
        text
    }

    fn hide(&self, value: &Json) -> Json {
        let text = value.to_string();
        serde_json::from_str(&self.hide_text(&text)).unwrap_or(Json::Null)
    }

    /// Compares a case with its result.
    pub fn compare(&mut self, case: &Json, expected: &Json) -> Result<(&'static str, Json), AnyError> {
        let answer = self.run(case)?;
        if let Some(reason) = &answer.unsupported {
            return Ok(("unsupported", json!({ "reason": reason, "expected": expected })));
        }
        let differences = differences(case, &answer, expected);
        let outcome = match differences.as_slice() {
            [] => "agree",
            // Syntax errors have words of their own; the place is compared.
            ["error"] if answer.is_syntax && is_near(&answer, expected) => "deviate",
            ["logs"] if answer.has_syntax_logs && same_lines(&answer, expected) => "deviate",
            _ => "disagree",
        };
        let mut actual = answer.report.clone();
        actual.insert("value".into(), answer.value);
        actual.insert("error".into(), answer.error.unwrap_or(Json::Null));
        actual.insert("logs".into(), Json::Array(answer.logs));
        if case["mode"] == "catalog" && outcome == "disagree" {
            actual = Map::from_iter([("catalog".to_owned(), answer.catalog), ("error".to_owned(), actual["error"].clone())]);
        }
        Ok((outcome, json!({ "differences": differences, "actual": actual, "expected": expected })))
    }
}

/// Compares the levels and lines of messages.
fn same_lines(answer: &Answer, expected: &Json) -> bool {
    let line = |log: &Json| (log["level"].to_string(), log["line"].to_string());
    let wanted = expected["logs"].as_array().into_iter().flatten().filter(|log| is_compared(log)).map(line);
    answer.logs.iter().map(line).eq(wanted)
}

fn is_near(answer: &Answer, expected: &Json) -> bool {
    let line = answer.error.as_ref().map(|error| &error["line"]);
    expected["error"]["line"].is_null() || line == Some(&expected["error"]["line"])
}

/// Returns the names of what differs.
fn differences(case: &Json, answer: &Answer, expected: &Json) -> Vec<&'static str> {
    let mut found = Vec::new();
    match (&answer.error, expected.get("error")) {
        (None, None) => {}
        (Some(_), Some(error)) if error["ruby_error"] == true => return found,
        (Some(own), Some(error)) => {
            if !same_error(own, error) {
                found.push("error");
            }
        }
        _ => found.push("error"),
    }
    if case["mode"] == "catalog" {
        if expected.get("catalog").is_some() && !same_catalog(&answer.catalog, &expected["catalog"]) {
            found.push("catalog");
        }
        return found;
    }
    if expected.get("error").is_none() {
        if !same(&answer.value, expected.get("value").unwrap_or(&Json::Null)) {
            found.push("value");
        }
        for key in ["resources", "edges", "virtual", "classes"] {
            let own = answer.report.get(key).unwrap_or(&Json::Null);
            let is_same =
                if key == "edges" { same_set(own, expected.get(key)) } else { same(own, expected.get(key).unwrap_or(&Json::Null)) };
            if !is_same {
                found.push(key);
            }
        }
    }
    let logs: Vec<Json> = expected["logs"].as_array().into_iter().flatten().filter(|log| is_compared(log)).map(without_issue).collect();
    let is_logged = |log: &Json| log["level"] != "err" || answer.error.is_none();
    let own: Vec<&Json> = answer.logs.iter().filter(|log| is_logged(log)).collect();
    let wanted: Vec<&Json> = logs.iter().filter(|log| is_logged(log)).collect();
    if own != wanted && !answer.is_syntax {
        found.push("logs");
    }
    found
}

fn is_compared(log: &Json) -> bool {
    !matches!(log["level"].as_str(), Some("notice" | "info" | "debug"))
}

fn without_issue(log: &Json) -> Json {
    let mut copy = json!({ "level": log["level"], "message": log["message"] });
    for key in ["line", "pos"] {
        if let Some(value) = log.get(key).filter(|value| !value.is_null()) {
            copy[key] = value.clone();
        }
    }
    copy
}

/// Compares errors by text and place. Addresses of objects in Ruby's memory are not compared.
fn same_error(own: &Json, expected: &Json) -> bool {
    let text = expected["text"].as_str().or(expected["message"].as_str()).unwrap_or_default();
    let text = text.strip_prefix("Could not parse for environment production: ").unwrap_or(text);
    let text = without_address(text);
    let own_text = own["text"].as_str().unwrap_or_default();
    // Without `text`, the place is part of the message.
    let fits = own_text == text || (expected["text"].is_null() && text.strip_prefix(own_text).is_some_and(is_place));
    let same_place = ["line", "pos"].iter().all(|key| own.get(*key).unwrap_or(&Json::Null) == expected.get(*key).unwrap_or(&Json::Null));
    fits && same_place
}

fn is_place(rest: &str) -> bool {
    rest.is_empty() || (rest.starts_with(" (") && rest.ends_with(')')) || rest.starts_with(". Originally set")
}

fn without_address(text: &str) -> String {
    match (text.find(" by #<"), text.find(":0x0>")) {
        (Some(from), Some(to)) if from < to => format!("{}{}", &text[..from], &text[to + 5..]),
        _ => text.to_owned(),
    }
}

/// Compares values; numbers by their value and kind.
fn same(a: &Json, b: &Json) -> bool {
    match (a, b) {
        (Json::Array(a), Json::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Json::Object(a), Json::Object(b)) => a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| same(a, b))),
        (Json::Number(a), Json::Number(b)) => a.is_f64() == b.is_f64() && (a == b || a.as_f64() == b.as_f64()),
        _ => a == b,
    }
}

fn same_set(own: &Json, expected: Option<&Json>) -> bool {
    let sorted = |value: Option<&Json>| {
        let mut all: Vec<String> = value.and_then(Json::as_array).into_iter().flatten().map(Json::to_string).collect();
        all.sort();
        all
    };
    sorted(Some(own)) == sorted(expected)
}

/// Compares catalogs: resources, edges and classes, in any order.
fn same_catalog(own: &Json, expected: &Json) -> bool {
    let resources = |catalog: &Json| -> Vec<String> {
        let mut all: Vec<String> = catalog["resources"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|resource| {
                let mut resource = resource.clone();
                if let Some(tags) = resource["tags"].as_array_mut() {
                    tags.sort_by_key(Json::to_string);
                }
                sorted_keys(&resource).to_string()
            })
            .collect();
        all.sort();
        all
    };
    let mut classes = own["classes"].as_array().cloned().unwrap_or_default();
    let mut others = expected["classes"].as_array().cloned().unwrap_or_default();
    classes.sort_by_key(Json::to_string);
    others.sort_by_key(Json::to_string);
    classes == others && same_set(&own["edges"], expected.get("edges")) && resources(own) == resources(expected)
}

fn sorted_keys(value: &Json) -> Json {
    match value {
        Json::Object(map) => {
            let mut keys: Vec<&String> = map.keys().collect();
            keys.sort();
            keys.into_iter().map(|key| (key.clone(), sorted_keys(&map[key]))).collect()
        }
        Json::Array(all) => all.iter().map(sorted_keys).collect(),
        other => other.clone(),
    }
}
