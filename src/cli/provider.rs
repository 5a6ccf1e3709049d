//! `rtype provider test PROGRAM`

use super::arguments::{ProviderArgs, ProviderTest, ProviderVerb, TextOrJson};
use super::output::Console;
use super::{Exit, lifecycle};
use crate::app::session::Session;
use crate::app::target::Target;
use rtype_engine::{CheckOutcome, Conformance, Trial, Violation, conform};
use rtype_lang::diagnostics::{Code, Diagnostic, printable_lines};
use rtype_lang::redact::Redactor;
use rtype_lang::source::Span;
use rtype_lang::types::{ProviderBody, ProviderDef, TypeDef};
use rtype_model::declare::{KnownResources, Purpose};
use rtype_provider::external::{ExternalProgram, Programs};
use rtype_provider::program_of;
use rtype_system::named;
use serde_json::json;
use std::io;
use std::path::Path;

pub fn run(arguments: &ProviderArgs, session: &mut Session, output: &mut Console) -> io::Result<Exit> {
    let ProviderVerb::Test(arguments) = &arguments.what;
    test(arguments, session, output)
}

fn test(arguments: &ProviderTest, session: &mut Session, output: &mut Console) -> io::Result<Exit> {
    let path = Path::new(&arguments.program);
    session.types.look_beside(path);
    let unusable = |message: String, help: &str| Diagnostic::new(Code::CannotRead, Span::NONE, message).help(help);
    if !named::is_file(path) && lifecycle::is_type(&arguments.program, session) {
        return lifecycle::run(arguments, session, output);
    }
    if !named::is_file(path) {
        let wrong = unusable(format!("cannot find the program `{}`", path.display()), "specify its path");
        session.show(&[wrong], output)?;
        return Ok(Exit::Usage);
    }
    let machine = session.machine.clone();
    let mut names = arguments.type_names.clone();
    if names.is_empty() {
        let absolute = std::path::absolute(path)?.to_string_lossy().as_ref().into();
        let program =
            ExternalProgram { path: absolute, directory: None, arguments: Vec::new(), time_limit: std::time::Duration::from_secs(10) };
        match Programs::default().hello("", &program, machine.system()) {
            Ok(hello) => names.push(hello.type_name),
            Err(e) => {
                let refused = Conformance { check: "it says what it is", outcome: CheckOutcome::Failed(Violation::from(e)) };
                return print(arguments, &[refused], machine.system().redactor(), output);
            }
        }
    }
    let mut all = Vec::new();
    for name in names {
        let Some(type_def) = session.types.load(&name) else {
            let mut found = Vec::new();
            if !session.types.names().contains(&name) {
                found.push(session.types.unknown_type(&name, Span::NONE));
            }
            session.show(&found, output)?;
            return Ok(Exit::Usage);
        };
        let Some((provider, program)) = provider_of(&type_def, path) else {
            let message = format!("no provider of `{name}` says `program \"{}\"`", path.display());
            session.show(&[unusable(message, "the path there is relative to the type's file")], output)?;
            return Ok(Exit::Usage);
        };
        let natives = session.natives.clone();
        let target = Target { machine: &machine, natives: &natives, strict: false };
        let backend = target.backend();
        let mut found = Vec::new();
        let declarations = arguments.resources.as_ref().map(|file| session.declarations(file, &mut found).unwrap_or_default());
        let declared = target.declare(&declarations.unwrap_or_default(), &session.types, Purpose::Check);
        found.extend(declared.diagnostics);
        if session.show(&found, output)? {
            return Ok(Exit::Usage);
        }
        let known = KnownResources::new(&declared.catalog, &session.types, Some(&backend));
        let of_it = declared.catalog.iter().filter(|i| i.type_def.name == type_def.name && i.provider() == Some(&provider.name));
        let trial = Trial {
            program,
            of: (&type_def, provider),
            resources: of_it.cloned().collect(),
            system: machine.system(),
            context: target.context(&backend, &known),
        };
        all.extend(conform(&trial));
    }
    print(arguments, &all, machine.system().redactor(), output)
}

/// Returns the provider of a type that this program implements.
fn provider_of<'a>(type_def: &'a TypeDef, path: &Path) -> Option<(&'a ProviderDef, ExternalProgram)> {
    let wanted = named::real_path(path).ok()?;
    type_def.providers.values().find_map(|provider| {
        let ProviderBody::Program(def) = &provider.body else { return None };
        let program = program_of(def);
        let found = program.find(&rtype_provider::System::host()).ok()?;
        (named::real_path(&found).ok()? == wanted).then_some((provider, program))
    })
}

fn print(arguments: &ProviderTest, all: &[Conformance], redactor: &Redactor, output: &mut Console) -> io::Result<Exit> {
    let words = |outcome: &CheckOutcome| match outcome {
        CheckOutcome::Passed => ("ok", String::new()),
        CheckOutcome::Failed(violation) => ("failed", redactor.redact(&violation.describe(redactor))),
        CheckOutcome::Skipped(why) => ("skipped", why.to_string()),
    };
    let count = |word: &str| all.iter().filter(|c| words(&c.outcome).0 == word).count();
    let (passed, failed, skipped) = (count("ok"), count("failed"), count("skipped"));
    match arguments.format {
        TextOrJson::Json => {
            let check = |c: &Conformance| {
                let (outcome, why) = words(&c.outcome);
                json!({"check": c.check, "outcome": outcome, "why": if why.is_empty() { None } else { Some(why) }})
            };
            let checks: Vec<_> = all.iter().map(check).collect();
            output
                .json(&json!({"program": arguments.program, "checks": checks, "passed": passed, "failed": failed, "skipped": skipped}))?;
        }
        TextOrJson::Text => {
            for conformance in all {
                let (word, why) = words(&conformance.outcome);
                let why = if why.is_empty() { why } else { format!(": {why}") };
                output.print(&format!("{word:<8} {}{}\n", conformance.check, printable_lines(&why)))?;
            }
            output.print(&format!("{passed} passed, {failed} failed, {skipped} skipped\n"))?;
        }
    }
    Ok(if failed > 0 { Exit::Findings } else { Exit::Clean })
}
