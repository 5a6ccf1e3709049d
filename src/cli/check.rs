//! `rtype check PATH…`

use super::Exit;
use super::arguments::Check;
use super::output::Output;
use super::report;
use super::session::Session;
use crate::check::{self, Selection};
use crate::diagnostics::{Profile, Severity};
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
    let told = report::tell(&arguments.reports, &checked, session, output)?;
    let findings = checked.findings.iter().any(|f| f.diagnostic.severity > Severity::Note);
    Ok(match told {
        false => Exit::Other,
        true if findings => Exit::Findings,
        true => Exit::Clean,
    })
}
