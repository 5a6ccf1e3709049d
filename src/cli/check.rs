//! `rtype check PATH…`

use super::Exit;
use super::arguments::Check;
use super::output::Output;
use super::session::Session;
use crate::check::{self, Selection};
use crate::diagnostics::{Profile, Severity, summary};
use crate::input;
use std::io;

/// What is checked in directories.
const EXTENSIONS: &[&str] = &["rtype", "pp", "json", "yaml", "yml"];

pub fn run(arguments: &Check, session: &mut Session, output: &mut Output) -> io::Result<Exit> {
    let (files, mut found) = input::collect(&arguments.paths, EXTENSIONS);
    let inputs = session.inputs(&files, &mut found);
    let profile = if session.verbose { Profile::Strict } else { Profile::Default };
    let selection = Selection { profile, ..Selection::default() };
    let checked = check::run(&inputs, found, &mut session.library, &session.natives, &session.machine, &selection);
    let library = &session.library;
    for finding in &checked.findings {
        output.finding(&finding.diagnostic, &library.sources, &library.secrets)?;
    }
    let count = files.len();
    match summary(checked.findings.iter().map(|f| &f.diagnostic), &library.sources) {
        Some(text) => output.print(&format!("{text}\n"))?,
        None => output.print(&format!("{count} file{} checked, nothing found\n", if count == 1 { "" } else { "s" }))?,
    }
    let findings = checked.findings.iter().any(|f| f.diagnostic.severity > Severity::Note);
    Ok(if findings { Exit::Findings } else { Exit::Clean })
}
