//! `rtype provider test TYPE[/PROVIDER]`

use super::Exit;
use super::arguments::{ProviderTest, TextOrJson};
use super::output::Console;
use crate::app::input;
use crate::app::lifecycle::{Case, Lifecycle, LifecycleFailure, LifecycleResult, StandIn};
use crate::app::session::Session;
use rtype_author::testing::accepted;
use rtype_lang::diagnostics::{Code, Diagnostic, printable};
use rtype_lang::source::Span;
use rtype_lang::types::{DeclaredKind, ProviderBody, ProviderDef, TypeDef};
use rtype_system::named;
use serde_json::json;
use std::fmt::Write;
use std::io;
use std::path::Path;

/// Returns whether an argument names a type, or a type and a provider.
pub fn is_type(argument: &str, session: &Session) -> bool {
    let (name, _) = argument.split_once('/').unwrap_or((argument, ""));
    session.types.names().iter().any(|known| known == name)
}

pub fn run(arguments: &ProviderTest, session: &mut Session, output: &mut Console) -> io::Result<Exit> {
    let (name, provider) = match arguments.program.split_once('/') {
        Some((name, provider)) => (name, Some(provider)),
        None => (arguments.program.as_str(), None),
    };
    let Some(type_def) = session.types.load(name) else {
        session.show(&[], output)?;
        return Ok(Exit::Usage);
    };
    let Some((provider, kind)) = provider_of(&type_def, provider) else {
        let message = format!("`{}` is not a declared provider", arguments.program);
        let help = "random resources are tested with `records`, `keyed` and `command_lines`; name a program by its path";
        return refuse(message, help, session, output);
    };
    let commands = match (&arguments.commands, kind) {
        (Some(directory), DeclaredKind::CommandLines) => match stand_ins(directory) {
            Ok(commands) => commands,
            Err(e) => {
                let message = format!("cannot read `{}`: {}", directory.display(), input::reason(&e));
                return refuse(message, "name a directory of programs", session, output);
            }
        },
        (None, DeclaredKind::CommandLines) => {
            let message = format!("the commands of `{}` would run on this machine", arguments.program);
            return refuse(message, "write programs that replace them, and name their directory with `--commands`", session, output);
        }
        _ => Vec::new(),
    };
    let tests = session.types.tests_beside(&type_def);
    let lifecycle = Lifecycle {
        type_def: type_def.clone(),
        provider,
        types: &session.types,
        natives: &session.natives,
        commands,
        accepted: tests.iter().filter_map(|test| accepted(test, &session.types, &session.natives)).collect(),
    };
    let result = lifecycle.run(arguments.seed, arguments.cases)?;
    let reproducer = result.failed.as_ref().and_then(|(_, case, failure)| reproducer(&lifecycle, kind, case, failure));
    match arguments.format {
        TextOrJson::Json => output.json(&json(arguments, &result, reproducer.as_deref()))?,
        TextOrJson::Text => output.print(&text(arguments, &result, reproducer.as_deref()))?,
    }
    Ok(match (&result.failed, result.passed) {
        (Some(_), _) => Exit::Findings,
        (None, 0) => Exit::Usage,
        (None, _) => Exit::Clean,
    })
}

/// Reports the reason why the provider cannot be tested.
fn refuse(message: String, help: &'static str, session: &mut Session, output: &mut Console) -> io::Result<Exit> {
    session.show(&[Diagnostic::new(Code::CannotRead, Span::NONE, message).help(help)], output)?;
    Ok(Exit::Usage)
}

/// Returns the programs in a directory.
fn stand_ins(directory: &Path) -> io::Result<Vec<StandIn>> {
    let files = named::entries(directory)?.filter(|entry| named::is_file(entry.path()));
    files.map(|entry| Ok(StandIn { name: entry.file_name(), content: named::read(entry.path())? })).collect()
}

/// Returns the declared provider with this name; without a name, the first declared provider.
fn provider_of<'a>(type_def: &'a TypeDef, name: Option<&str>) -> Option<(&'a ProviderDef, &'a DeclaredKind)> {
    type_def.providers.values().filter(|p| name.is_none_or(|name| p.name.as_str() == name)).find_map(|provider| match &provider.body {
        ProviderBody::Declared(declared) => Some((provider, &declared.kind)),
        _ => None,
    })
}

fn text(arguments: &ProviderTest, result: &LifecycleResult, reproducer: Option<&str>) -> String {
    let mut out = String::new();
    if let Some((number, _, failure)) = &result.failed {
        let (step, _) = failure.steps.last().cloned().unwrap_or_default();
        let _ = writeln!(out, "failed   case {number} of seed {}: {step}: {}", arguments.seed, printable(&failure.message));
        for (step, declarations) in &failure.steps {
            let _ = writeln!(out, "\n# {step}\n{}", lines(declarations));
        }
        if let Some(reproducer) = reproducer {
            let _ = writeln!(out, "\n# as a test\n{}", lines(reproducer));
        }
    }
    let skipped = if result.skipped > 0 { format!(", {} without a valid resource", result.skipped) } else { String::new() };
    let refused = if result.refused > 0 { format!(", {} refused by the provider", result.refused) } else { String::new() };
    let failed = usize::from(result.failed.is_some());
    let _ =
        writeln!(out, "{} of {} resources created, changed and removed, {failed} failed{skipped}{refused}", result.passed, arguments.cases);
    out
}

/// Escapes the control characters in each line.
fn lines(text: &str) -> String {
    text.lines().map(printable).collect::<Vec<_>>().join("\n")
}

fn json(arguments: &ProviderTest, result: &LifecycleResult, reproducer: Option<&str>) -> serde_json::Value {
    let failed = result.failed.as_ref().map(|(number, _, failure)| {
        let steps: Vec<_> = failure.steps.iter().map(|(step, text)| json!({"step": step, "declarations": text})).collect();
        json!({"case": number, "message": failure.message, "steps": steps, "test": reproducer})
    });
    json!({
        "provider": arguments.program,
        "seed": arguments.seed,
        "cases": arguments.cases,
        "passed": result.passed,
        "skipped": result.skipped,
        "refused": result.refused,
        "failure": failed,
    })
}

/// Returns a test for the type file that shows the failure, as far as a test without a machine can show it; `None` for a provider that runs
/// commands.
fn reproducer(of: &Lifecycle<'_>, kind: &DeclaredKind, case: &Case, failure: &LifecycleFailure) -> Option<String> {
    let other = case.other.as_ref().filter(|other| failure.titles.contains(&other.title) && !failure.titles.contains(&case.created.title));
    let own = if failure.steps.last().is_some_and(|(step, _)| *step == "change") { &case.changed } else { &case.created };
    let sample = other.unwrap_or(own);
    let expected = match kind {
        DeclaredKind::Records => {
            let namevar = of.type_def.namevars.first().and_then(|id| of.type_def.attribute(*id)).map_or("name", |a| a.name.as_str());
            let values: String = sample.attributes.iter().map(|(name, value)| format!(", {name}: {}", value.literal())).collect();
            format!("provider.parse(provider.print) == {{{namevar}: {}{values}}}", sample.title_literal())
        }
        DeclaredKind::Keyed(property) => {
            let value = sample.attributes.iter().find(|(name, _)| name == property.as_str()).map(|(_, value)| value.literal());
            format!("self.{property} == {}", value.unwrap_or_else(|| "nil".to_owned()))
        }
        DeclaredKind::CommandLines => return None,
    };
    Some(format!("test \"what is written is read\" {{\n  {}\n  expect {expected}\n}}\n", of.declaration(sample, "present")))
}
