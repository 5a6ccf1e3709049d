//! `rtype diff OLD.json NEW.json`

use super::super::Exit;
use super::super::arguments::{Diff, DiffFormat};
use super::super::output::Output;
use crate::app::input;
use crate::app::session::{Session, Show};
use rtype_author::diff::Side;
use rtype_author::diff::catalogs::{Ignored, Version, compare, json, markdown, text};
use rtype_lang::diagnostics::Diagnostic;
use rtype_lang::eval::UnknownWorld;
use rtype_model::declare::{Declaring, declare};
use rtype_model::manifest::Declarations;
use rtype_model::resource::{Context, NoCatalog};
use std::io::{self, Write};
use std::path::Path;

/// What resources are written in.
const RESOURCES: &[&str] = &["pp", "json", "yaml", "yml"];

fn is_resources(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|e| RESOURCES.iter().any(|r| e == *r))
}

/// Returns the two catalogs that are to be compared; nothing when types are.
///
/// # Errors
/// What is wrong with what was asked for, and the way out.
pub fn asked(arguments: &Diff) -> Result<Option<(&str, &str)>, String> {
    let (old, new) = (arguments.old.as_str(), arguments.new.as_deref());
    let is = |path: &str, there: bool| if there { format!("`{path}` holds resources") } else { format!("`{path}` is to hold types") };
    match (is_resources(old), new.map(is_resources)) {
        (false, None | Some(false)) if arguments.ignore.is_empty() => Ok(None),
        (false, None | Some(false)) => Err("`--ignore` is about resources, and types are compared here".into()),
        (true, None) => Err("`--since` compares types: compile both catalogs and name them, `rtype diff OLD.json NEW.json`".into()),
        (true, Some(true)) if arguments.strict => Err("`--strict` is about types, and catalogs are compared here".into()),
        (true, Some(true)) => Ok(new.map(|new| (old, new))),
        (one, Some(other)) => {
            let (was, now) = (is(old, one), is(new.unwrap_or_default(), other));
            Err(format!("{was}, {now}: name two catalogs, or two type files or directories of them"))
        }
    }
}

/// Compares two catalogs.
///
/// # Errors
/// When nothing can be written.
pub fn run(arguments: &Diff, (old, new): (&str, &str), mut before: Session, after: &mut Session, output: &mut Output) -> io::Result<Exit> {
    let ignored = match Ignored::parse(arguments.ignore.iter().map(String::as_str)) {
        Ok(ignored) => ignored,
        Err(message) => {
            output.flush()?;
            eprintln!("rtype: {message}");
            return Ok(Exit::Other);
        }
    };
    let (was, is) = match (load(old, &mut before), load(new, after)) {
        (Ok(was), Ok(is)) => (was, is),
        (was, is) => {
            output.flush()?;
            was.err().iter().flatten().try_for_each(|d| output.diagnostic(d, &before.library.sources, &before.library.secrets))?;
            is.err().iter().flatten().try_for_each(|d| output.diagnostic(d, &after.library.sources, &after.library.secrets))?;
            io::stderr().write_all(b"nothing is compared\n")?;
            return Ok(Exit::Other);
        }
    };
    let side = |session: &'_ Session| session.library.sources.clone();
    let (old_sources, new_sources) = (side(&before), side(after));
    let version = |(declarations, declaring), sources| Version { declarations, catalog: declaring, side: Side { sources, renamed: None } };
    let mut differences = compare(version((&was.0, &was.1.catalog), &old_sources), version((&is.0, &is.1.catalog), &new_sources), &ignored);
    for place in differences.iter_mut().flat_map(|d| [&mut d.old_place, &mut d.new_place]).flatten() {
        place.file = input::relative(&place.file);
    }
    let redactor = after.library.secrets.redactor();
    redactor.extend(before.library.secrets.redactor());
    match arguments.format {
        DiffFormat::Text => output.print(&redactor.redact(&text(&differences, output.colors())))?,
        DiffFormat::Json => {
            let mut json = json(&differences);
            redactor.redact_json(&mut json);
            output.json(&json)?;
        }
        DiffFormat::Markdown => output.print(&redactor.redact(&markdown(&differences)))?,
    }
    Ok(if differences.is_empty() { Exit::Clean } else { Exit::Findings })
}

/// Reads the resources of a file. `check` reports whether they are valid.
fn load(path: &str, session: &mut Session) -> Result<(Declarations, Declaring), Vec<Diagnostic>> {
    let mut found = Vec::new();
    let declarations = session.declarations(path, &mut found);
    found.retain(Diagnostic::is_error);
    match declarations {
        Some(declarations) if found.is_empty() => {
            let offline = Context { world: &UnknownWorld, catalog: &NoCatalog, backend: None, strict: false, trace: false, offline: true };
            let declaring = declare(&declarations, &mut session.library, offline);
            Ok((declarations, declaring))
        }
        _ => Err(found),
    }
}
