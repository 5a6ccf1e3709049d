//! `rtype diff OLD.json NEW.json`

use super::super::Exit;
use super::super::arguments::{Diff, DiffFormat};
use super::super::output::Console;
use crate::app::input;
use crate::app::session::{Session, Show};
use rtype_author::diff::DiffSource;
use rtype_author::diff::catalogs::{IgnorePatterns, Version, compare, json, markdown, text};
use rtype_lang::diagnostics::Diagnostic;
use rtype_lang::eval::UnknownWorld;
use rtype_model::declare::{DeclareOptions, Declaring, declare};
use rtype_model::manifest::Declarations;
use rtype_model::resource::{Context, NoCatalog};
use std::fmt;
use std::io::{self, Write};
use std::path::Path;

/// The extensions of resource files.
const RESOURCES: &[&str] = &["pp", "json", "yaml", "yml"];

fn is_resources(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|e| RESOURCES.iter().any(|r| e == *r))
}

/// A wrong combination of arguments for `rtype diff`.
#[derive(Debug)]
pub enum DiffUsage {
    /// Types were compared with an option for catalogs.
    OnlyForCatalogs(&'static str),
    /// Catalogs were compared with an option for types.
    OnlyForTypes(&'static str),
    /// `--since` with a catalog.
    RevisionOfCatalog,
    /// A catalog was compared with a path of types.
    Mixed {
        /// The catalog.
        catalog: String,
        /// The path of types.
        types: String,
    },
}

impl fmt::Display for DiffUsage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DiffUsage::OnlyForCatalogs(option) => write!(f, "`{option}` applies to catalogs, not to types"),
            DiffUsage::OnlyForTypes(option) => write!(f, "`{option}` applies to types, not to catalogs"),
            DiffUsage::RevisionOfCatalog => {
                f.write_str("`--since` compares types: compile both catalogs and name them, `rtype diff OLD.json NEW.json`")
            }
            DiffUsage::Mixed { catalog, types } => write!(
                f,
                "cannot compare resources in `{catalog}` with types in `{types}`: name two catalogs, or two type files or directories"
            ),
        }
    }
}

impl std::error::Error for DiffUsage {}

/// Returns the two catalogs to compare; `None` to compare types.
///
/// # Errors
/// If the combination of arguments is invalid.
pub fn catalogs(arguments: &Diff) -> Result<Option<(&str, &str)>, DiffUsage> {
    let (old, new) = (arguments.old.as_str(), arguments.new.as_deref());
    match (is_resources(old), new.map(is_resources)) {
        (false, None | Some(false)) if arguments.ignore.is_empty() => Ok(None),
        (false, None | Some(false)) => Err(DiffUsage::OnlyForCatalogs("--ignore")),
        (true, None) => Err(DiffUsage::RevisionOfCatalog),
        (true, Some(true)) if arguments.strict => Err(DiffUsage::OnlyForTypes("--strict")),
        (true, Some(true)) => Ok(new.map(|new| (old, new))),
        (is_catalog, Some(_)) => {
            let (old, new) = (old.to_owned(), new.unwrap_or_default().to_owned());
            let (catalog, types) = if is_catalog { (old, new) } else { (new, old) };
            Err(DiffUsage::Mixed { catalog, types })
        }
    }
}

/// Compares two catalogs.
///
/// # Errors
/// If the output cannot be written.
pub fn run(arguments: &Diff, (old, new): (&str, &str), mut before: Session, after: &mut Session, output: &mut Console) -> io::Result<Exit> {
    let ignored = match IgnorePatterns::parse(arguments.ignore.iter().map(String::as_str)) {
        Ok(ignored) => ignored,
        Err(invalid) => {
            output.flush()?;
            eprintln!("rtype: {invalid}");
            return Ok(Exit::Usage);
        }
    };
    let (was, is) = match (load(old, &mut before), load(new, after)) {
        (Ok(was), Ok(is)) => (was, is),
        (was, is) => {
            output.flush()?;
            was.err().iter().flatten().try_for_each(|d| output.diagnostic(d, &before.types.sources, &before.types.secrets))?;
            is.err().iter().flatten().try_for_each(|d| output.diagnostic(d, &after.types.sources, &after.types.secrets))?;
            io::stderr().write_all(b"nothing is compared\n")?;
            return Ok(Exit::Usage);
        }
    };
    let side = |session: &'_ Session| session.types.sources.clone();
    let (old_sources, new_sources) = (side(&before), side(after));
    let version =
        |(declarations, declaring), sources| Version { declarations, catalog: declaring, side: DiffSource { sources, renamed: None } };
    let mut differences = compare(version((&was.0, &was.1.catalog), &old_sources), version((&is.0, &is.1.catalog), &new_sources), &ignored);
    for place in differences.iter_mut().flat_map(|d| [&mut d.old_place, &mut d.new_place]).flatten() {
        place.file = input::relative(&place.file);
    }
    let redactor = after.types.secrets.redactor();
    redactor.extend(before.types.secrets.redactor());
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

/// Reads the resources in a file without a machine. Invalid resources are not reported here, but by `rtype check`.
fn load(path: &str, session: &mut Session) -> Result<(Declarations, Declaring), Vec<Diagnostic>> {
    let mut found = Vec::new();
    let declarations = session.declarations(path, &mut found);
    found.retain(Diagnostic::is_error);
    match declarations {
        Some(declarations) if found.is_empty() => {
            let offline =
                Context { world: &UnknownWorld, catalog: &NoCatalog, backend: None, strict: false, trace: false, offline: true, log: None };
            let declaring = declare(&declarations, &session.types, offline, DeclareOptions::default());
            Ok((declarations, declaring))
        }
        _ => Err(found),
    }
}
