//! Compares the parser and the compiler with recorded results of Puppet.
//!
//!     cargo run --release --example language -- --cases FILE.. --results FILE.. [--worlds FILE] [--machines FILE] [--modulepath DIR]
//!         [--facts FILE] [--report FILE]
//!     cargo run --release --example language -- --files FILE..      (prints one JSON tree per file)
//!
//! Cases and results are lines of JSON, plain or compressed. A case has `id`, `area`, `code` and `mode`; a result has `value`, `resources`,
//! `catalog`, `ast` or `error`. The report is a JSON list of `id`, `outcome` and `detail`; the last line printed is the count of each outcome.

#![allow(clippy::indexing_slicing, clippy::string_slice, reason = "a case with a wrong form may end the measurement")]

mod compiled;
mod disk;
mod rich;
mod translated;

use compiled::Measurement;
use flate2::read::GzDecoder;
use rtype_lang::source::SourceMap;
use rtype_manifest::syntax::{Form, Parsed, parse, pn};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};

type Failure = Box<dyn std::error::Error>;

/// The options of the command line with their values.
type Options = BTreeMap<String, Vec<String>>;

fn main() -> Result<(), Failure> {
    let mut options = Options::new();
    let mut option = String::new();
    for argument in std::env::args().skip(1) {
        match argument.strip_prefix("--") {
            Some(name) => {
                option = name.to_owned();
                options.entry(option.clone()).or_default();
            }
            None => options.entry(option.clone()).or_default().push(argument),
        }
    }
    if let Some(files) = options.get("files") {
        return print_trees(files);
    }
    if let Some(files) = options.get("format") {
        return format_files(files);
    }
    if let Some(files) = options.get("time") {
        return time(files);
    }
    measure(&options)
}

/// Compares all cases with their results.
fn measure(options: &Options) -> Result<(), Failure> {
    let cases = read(options.get("cases").ok_or("--cases is missing")?)?;
    let results = read(options.get("results").ok_or("--results is missing")?)?;
    let results: BTreeMap<&str, &Value> = results.iter().filter_map(|r| Some((r["id"].as_str()?, r))).collect();
    let mut machine = Measurement::new(options)?;
    let mut counts: BTreeMap<&str, usize> = ["agree", "deviate", "unsupported", "disagree"].map(|outcome| (outcome, 0)).into();
    let mut report = Vec::new();
    for case in &cases {
        let Some(expected) = case["id"].as_str().and_then(|id| results.get(id)) else { continue };
        if expected.get("harness").is_some() {
            continue;
        }
        let (outcome, detail) = if case["mode"] == "parse" { compare(case, expected)? } else { machine.compare(case, expected)? };
        *counts.entry(outcome).or_default() += 1;
        let detail = if outcome == "agree" { json!({ "messages": detail.get("messages") }) } else { detail };
        report.push(json!({ "id": case["id"], "outcome": outcome, "area": case["area"], "code": case["code"], "detail": detail }));
    }
    if let Some(file) = options.get("report").and_then(|f| f.first()) {
        std::fs::write(file, serde_json::to_string_pretty(&report)?)?;
    }
    println!("{}", json!(counts));
    Ok(())
}

fn read(files: &[String]) -> Result<Vec<Value>, Failure> {
    let mut all = Vec::new();
    for file in files {
        let mut text = String::new();
        let opened = std::fs::File::open(file)?;
        if file.ends_with(".gz") {
            GzDecoder::new(opened).read_to_string(&mut text)?;
        } else {
            std::io::BufReader::new(opened).read_to_string(&mut text)?;
        }
        for line in text.lines() {
            all.push(serde_json::from_str(line)?);
        }
    }
    Ok(all)
}

fn compare(case: &Value, expected: &Value) -> Result<(&'static str, Value), Failure> {
    let sources = SourceMap::new();
    let source = sources.add("case.pp", case["code"].as_str().unwrap_or_default()).map_err(|_| "the case is too long")?;
    let parsed = parse(&source, Form::Manifest);
    let first = parsed.diagnostics.iter().find(|d| d.is_error());
    let lines: Vec<u32> = parsed.diagnostics.iter().filter(|d| d.is_error()).map(|d| source.line(d.span().start)).collect();
    let describe = |d: &rtype_lang::diagnostics::Diagnostic| {
        let at = source.position(d.span().start);
        let help = d.help.as_ref().map(|help| format!(" (help: {help})")).unwrap_or_default();
        format!("{}:{}: {}{help}", at.line, at.column, d.message)
    };
    let detail = json!({
        "messages": parsed.diagnostics.iter().map(describe).collect::<Vec<_>>(),
        "message": first.map(|d| d.message.clone()),
        "lines": lines,
        "tree": if first.is_none() { pn(&parsed.tree) } else { Value::Null },
        "expected": expected,
    });
    let Some(error) = expected.get("error") else {
        let agrees = first.is_none() && same(&pn(&parsed.tree), &expected["ast"]);
        return Ok((if agrees { "agree" } else { "disagree" }, detail));
    };
    let mut known: Vec<u64> = error["line"].as_u64().into_iter().collect();
    if known.is_empty() {
        let logs = expected["logs"].as_array().map(Vec::as_slice).unwrap_or_default();
        known.extend(logs.iter().filter(|log| log["level"] == "err").filter_map(|log| log["line"].as_u64()).take(1));
    }
    Ok(match (lines.first(), known.first()) {
        (None, _) => ("disagree", detail),
        // Puppet has no line for an unexpected end, and errors of Ruby.
        (Some(_), None) => ("agree", detail),
        (Some(line), Some(known)) if u64::from(*line) == *known => ("agree", detail),
        _ => ("deviate", detail),
    })
}

/// Compares trees; numbers by their value.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| same(a, b))),
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        _ => a == b,
    }
}

fn parse_file(file: &str) -> Result<Parsed, Failure> {
    let form = if file.ends_with(".epp") { Form::Template } else { Form::Manifest };
    let source = SourceMap::new().add(file, std::fs::read_to_string(file)?).map_err(|_| "the file is too long")?;
    Ok(parse(&source, form))
}

fn print_trees(files: &[String]) -> Result<(), Failure> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for file in lists(files)? {
        let parsed = parse_file(&file)?;
        let error = parsed.diagnostics.iter().find(|d| d.is_error());
        let line = match error {
            Some(error) => json!({ "file": file, "error": error.message, "at": error.span().start }),
            None => json!({ "file": file, "ast": pn(&parsed.tree) }),
        };
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// Replaces `@FILE` with the lines of the file.
fn lists(files: &[String]) -> Result<Vec<String>, Failure> {
    let mut all = Vec::new();
    for file in files {
        match file.strip_prefix('@') {
            Some(list) => all.extend(std::fs::read_to_string(list)?.lines().map(str::to_owned)),
            None => all.push(file.clone()),
        }
    }
    Ok(all)
}

/// Formats files and says which are unchanged by the formatter, and which change again in a second pass.
fn format_files(files: &[String]) -> Result<(), Failure> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for file in lists(files)?.into_iter().filter(|f| f.ends_with(".pp")) {
        let text = std::fs::read_to_string(&file)?;
        let pass = |text: &str| {
            let source = SourceMap::new().add(file.clone(), text).ok()?;
            rtype_manifest::format::format(&source).ok()
        };
        let Some(first) = pass(&text) else {
            *counts.entry("errors").or_default() += 1;
            continue;
        };
        let is_stable = pass(&first).as_ref() == Some(&first);
        let outcome = if !is_stable {
            "unstable"
        } else if first == text {
            "same"
        } else {
            "changed"
        };
        *counts.entry(outcome).or_default() += 1;
        if outcome != "same" {
            let target = std::path::Path::new("/tmp/formatted").join(file.replace('/', "+"));
            std::fs::create_dir_all("/tmp/formatted")?;
            std::fs::write(target, first)?;
        }
        if outcome == "unstable" {
            println!("{file}");
        }
    }
    println!("{}", json!(counts));
    Ok(())
}

/// Prints how many bytes per second become trees.
fn time(files: &[String]) -> Result<(), Failure> {
    let sources = SourceMap::new();
    let mut all = Vec::new();
    for file in lists(files)? {
        let form = if file.ends_with(".epp") { Form::Template } else { Form::Manifest };
        all.push((sources.add(file.clone(), std::fs::read_to_string(&file)?).map_err(|_| "the file is too long")?, form));
    }
    let bytes: usize = all.iter().map(|(source, _)| source.text().len()).sum();
    let mut best = f64::INFINITY;
    for _ in 0..5 {
        let start = std::time::Instant::now();
        let count: usize = all.iter().map(|(source, form)| parse(source, *form).tree.statements.len()).sum();
        best = best.min(start.elapsed().as_secs_f64());
        assert!(count > 0);
    }
    println!("{} files, {bytes} bytes, {best:.3} s, {:.1} MB/s", all.len(), bytes as f64 / best / 1e6);
    Ok(())
}
