//! `rtype check PATH…`

use super::Exit;
use super::arguments::Check;
use super::output::Output;
use super::session::Session;
use crate::diagnostics::{Severity, summary};
use crate::engine::{declare, disagreements};
use crate::eval::UnknownWorld;
use crate::input;
use crate::resource::{Context, NoCatalog};
use indexmap::IndexSet;
use std::io;

/// What is checked in directories.
const EXTENSIONS: &[&str] = &["rtype", "pp", "json", "yaml", "yml"];

pub fn run(arguments: &Check, session: &mut Session, output: &mut Output) -> io::Result<Exit> {
    let (files, mut found) = input::collect(&arguments.paths, EXTENSIONS);
    let (types, resources): (Vec<_>, Vec<_>) = files.into_iter().partition(|f| f.extension().is_some_and(|e| e == "rtype"));
    session.load_types(&types, &mut found);
    // They are checked by being read.
    session.library.tests();
    for file in &resources {
        let name = if file.as_os_str() == "-" { "-".into() } else { file.to_string_lossy() };
        let Some(declarations) = session.declarations(&name, &mut found) else { continue };
        let offline = Context { world: &UnknownWorld, catalog: &NoCatalog, backend: None, strict: false, trace: false, offline: true };
        found.extend(declare(&declarations, &mut session.library, offline).diagnostics);
    }
    for type_def in session.library.registry.iter() {
        found.extend(disagreements(type_def, &session.natives));
    }
    let library = &session.library;
    found.extend(library.diagnostics.iter().cloned());
    found.sort_by(|a, b| (a.span(), a.code, &a.message).cmp(&(b.span(), b.code, &b.message)));
    // A file that another one uses is read twice; its mistakes are told once.
    let mut told = IndexSet::new();
    found.retain(|d| told.insert((library.sources.locate(d.span()), d.code, d.message.clone())));
    let shown: Vec<_> = found.iter().filter(|d| d.severity > Severity::Note || session.verbose).collect();
    for diagnostic in &shown {
        output.finding(diagnostic, &library.sources, &library.secrets)?;
    }
    let checked = types.len() + resources.len();
    match summary(shown.iter().copied(), &library.sources) {
        Some(text) => output.print(&format!("{text}\n"))?,
        None => output.print(&format!("{checked} file{} checked, nothing found\n", if checked == 1 { "" } else { "s" }))?,
    }
    let findings = shown.iter().any(|d| d.severity > Severity::Note);
    Ok(if findings { Exit::Findings } else { Exit::Clean })
}
