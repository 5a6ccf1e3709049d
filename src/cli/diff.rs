//! `rtype diff OLD NEW`, `rtype diff --since REVISION PATH`

mod catalogs;

use super::Exit;
use super::arguments::{Diff, DiffFormat};
use super::output::Console;
use crate::app::input::{Collected, Revision};
use crate::app::session::Session;
use indexmap::IndexSet;
use rtype_author::diff::{self, ChangeClass, DiffSource};
use rtype_lang::diagnostics::{Code, Diagnostic};
use rtype_lang::types::TypeDef;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

pub fn run(arguments: &Diff, mut before: Session, after: &mut Session, output: &mut Console) -> io::Result<Exit> {
    match catalogs::catalogs(arguments) {
        Ok(None) => {}
        Ok(Some(paths)) => return catalogs::run(arguments, paths, before, after, output),
        Err(usage) => {
            output.flush()?;
            eprintln!("rtype: {usage}");
            return Ok(Exit::Usage);
        }
    }
    let revision = match arguments.since.as_ref().map(|name| Revision::new(name, &arguments.old)).transpose() {
        Ok(revision) => revision,
        Err(diagnostic) => return fail("old", &before, None, &[diagnostic], output),
    };
    let prefix = revision.as_ref().map(Revision::prefix);
    prefix.iter().for_each(|folder| before.admit(Path::new(folder)));
    let shown = arguments.since.as_ref().map(|name| format!("{name}:"));
    let renamed = prefix.as_deref().zip(shown.as_deref());
    let path = match &revision {
        // A path that the revision does not contain had no types.
        Some(revision) => revision.path(),
        None => Some(arguments.old.clone()),
    };
    let was = match path.map_or(Ok(Vec::new()), |path| load(&path, &mut before)) {
        Ok(types) => types,
        Err(found) => return fail("old", &before, renamed, &found, output),
    };
    let is = match load(arguments.new.as_ref().unwrap_or(&arguments.old), after) {
        Ok(types) => types,
        Err(found) => return fail("new", after, None, &found, output),
    };
    let changes = diff::compare(&was, &is);
    let old = DiffSource { sources: &before.types.sources, renamed };
    let new = DiffSource { sources: &after.types.sources, renamed: None };
    match arguments.format {
        DiffFormat::Text => output.print(&diff::text(&changes, old, new, arguments.strict, output.colors()))?,
        DiffFormat::Json => output.json(&diff::json(&changes, old, new, arguments.strict))?,
        DiffFormat::Markdown => output.print(&diff::markdown(&changes))?,
    }
    let breaks = |class| class == ChangeClass::Breaking || (arguments.strict && class == ChangeClass::MayBreak);
    Ok(if changes.iter().any(|c| breaks(c.kind.class())) { Exit::Findings } else { Exit::Clean })
}

/// Returns the types of a file or directory.
fn load(path: &str, session: &mut Session) -> Result<Vec<Arc<TypeDef>>, Vec<Diagnostic>> {
    let Collected { files, diagnostics: mut found, .. } = session.collect(&[path.to_owned()], &["rtype"]);
    let types = session.load_types(&files, &mut found);
    found.extend(session.types.diagnostics());
    // Old versions are often placed next to new ones under another name.
    found.retain(|d| d.is_error() && d.code != Code::FileNameMismatch);
    if found.is_empty() { Ok(types.into_iter().flat_map(|loaded| loaded.types).collect()) } else { Err(found) }
}

/// Reports that a version cannot be compared.
fn fail(side: &str, session: &Session, renamed: Option<(&str, &str)>, found: &[Diagnostic], output: &mut Console) -> io::Result<Exit> {
    let types = &session.types;
    output.flush()?;
    // A file that another file uses is read twice. Report the errors only once.
    let mut reported = IndexSet::new();
    for diagnostic in found {
        let mut text = output.renderer().render(diagnostic, &types.sources, &types.secrets);
        if let Some((from, to)) = renamed {
            text = text.replace(from, to);
        }
        if reported.insert(text.clone()) {
            io::stderr().write_all(output.without_commands(&format!("{text}\n")).as_bytes())?;
        }
    }
    io::stderr().write_all(format!("the {side} version cannot be used: nothing is compared\n").as_bytes())?;
    Ok(Exit::Findings)
}
