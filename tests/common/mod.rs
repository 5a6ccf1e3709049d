//! Helpers shared by several test files.

pub mod editor;
pub mod machine;
pub mod secrets;
pub mod site;

use indexmap::IndexMap;
use rtype_lang::diagnostics::Diagnostic;
use rtype_lang::source::SourceMap;
use rtype_lang::types::TypeDef;
use rtype_lang::value::{Symbol, Value};
use rtype_model::manifest::Declared;
use std::fmt::Write;
use std::path::Path;

/// Returns the commands in `docs/cli.md`.
pub fn commands() -> std::collections::BTreeSet<String> {
    let output = assert_cmd::Command::cargo_bin("rtype").unwrap().args(["doc", "--cli"]).output().unwrap();
    let page = String::from_utf8(output.stdout).unwrap();
    let headings = page.lines().filter_map(|line| line.strip_prefix("## `rtype ")?.strip_suffix('`'));
    headings.map(str::to_owned).collect()
}

/// Renders diagnostics for snapshots: line, underlined code, diagnostic code, message, other locations, help.
pub fn show(diagnostics: &[Diagnostic], sources: &SourceMap) -> String {
    let mut out = String::new();
    for d in diagnostics {
        if let Some(source) = sources.find(d.span()) {
            let at = source.position(d.span().start);
            let line = source.text().lines().nth(at.line as usize - 1).unwrap_or_default();
            let length = source.slice(d.span()).lines().next().unwrap_or_default().chars().count().max(1);
            let _ = writeln!(out, "{:>3} | {line}", at.line);
            let _ = writeln!(out, "    | {}{} {}", " ".repeat(at.column as usize - 1), "^".repeat(length), d.labels[0].text);
        }
        let _ = writeln!(out, "{:?} {} {}", d.severity, d.code, d.message);
        for label in d.labels.iter().skip(1) {
            let _ =
                writeln!(out, "  at {}: `{}` {}", sources.locate(label.span).unwrap_or_default(), sources.slice(label.span), label.text);
        }
        if let Some(help) = &d.help {
            let _ = writeln!(out, "  help: {help}");
        }
        if let Some(fix) = &d.fix {
            let _ = writeln!(out, "  fix ({}): {}", if fix.safe { "safe" } else { "unsafe" }, fix.title);
            for edit in &fix.edits {
                let _ = writeln!(
                    out,
                    "    {}: `{}` -> `{}`",
                    sources.locate(edit.span).unwrap_or_default(),
                    sources.slice(edit.span),
                    edit.text
                );
            }
        }
        out.push('\n');
    }
    // Trailing blanks are invisible in a snapshot.
    out.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

/// Compares output with the snapshot of a fixture, in the same directory: `a.pp.snap` for `a.pp`.
pub fn assert_fixture(fixture: &Path, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(fixture.parent().unwrap().canonicalize().unwrap());
    settings.set_snapshot_suffix("");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.remove_input_file();
    settings.bind(|| insta::assert_snapshot!(fixture.file_name().unwrap().to_str().unwrap(), text));
}

/// Splits a fixture at lines `=== name`.
pub fn sections(text: &str) -> Vec<(String, String)> {
    let mut parts: Vec<(String, String)> = Vec::new();
    for line in text.lines() {
        match line.strip_prefix("=== ") {
            Some(name) => parts.push((name.trim().to_owned(), String::new())),
            None => {
                if let Some((_, body)) = parts.last_mut() {
                    body.push_str(line);
                    body.push('\n');
                }
            }
        }
    }
    parts
}

/// Returns the state that a machine would report. Strings that are allowed values of the property become symbols.
pub fn state(type_def: &TypeDef, declared: &Declared) -> IndexMap<Symbol, Value> {
    let word = |name: &str, value: &Value| match value {
        Value::Str(s) if s == "absent" || type_def.attribute_named(name).is_some_and(|a| a.values.literals().any(|l| l.as_str() == s)) => {
            Value::Sym(s.clone().into())
        }
        other => other.clone(),
    };
    declared.attributes.iter().map(|(name, given)| (Symbol::from(name.clone()), word(name, &given.value))).collect()
}
