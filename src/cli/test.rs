//! `rtype test [PATH…]`

use super::Exit;
use super::arguments::{Test, TestFormat, TextOrJson};
use super::output::Console;
use super::watch::repeat;
use crate::app::check::suite::TestSession;
use crate::app::session::Session;
use rtype_author::testing::Suite;
use rtype_lang::diagnostics::{Diagnostic, Tally, printable};
use std::io;

/// The extensions of files with types and tests.
const EXTENSIONS: &[&str] = &["rtype", "rb"];

pub fn run(arguments: &Test, session: &mut Session, output: &mut Console) -> io::Result<Exit> {
    if !arguments.watch {
        return once(arguments, session, output);
    }
    let here = [".".to_owned()];
    let paths = if arguments.paths.is_empty() { &here } else { arguments.paths.as_slice() };
    repeat(paths, EXTENSIONS, session, output, |session, output| once(arguments, session, output))
}

fn once(arguments: &Test, session: &mut Session, output: &mut Console) -> io::Result<Exit> {
    let tests = TestSession::load(&arguments.paths, session);
    let failed = session.show(&tests.diagnostics, output)?;
    let suite = tests.run(arguments.filter.as_deref(), arguments.coverage || arguments.coverage_min.is_some(), session);
    match arguments.format {
        TextOrJson::Json => output.json(&suite.json(&session.types.sources))?,
        TextOrJson::Text => {
            failures(&suite, session, output)?;
            output.print(&suite.text(&session.types.sources))?;
            if failed {
                output.print("what has errors was not tested\n")?;
            }
        }
    }
    if !write_reports(arguments, &tests, &suite, session) {
        return Ok(Exit::Usage);
    }
    output.flush()?;
    let is_covered = is_covered(arguments, &suite);
    Ok(match &arguments.filter {
        _ if failed || suite.failed() > 0 || !is_covered => Exit::Findings,
        Some(filter) if suite.is_empty() => {
            output.print(&format!("no test fits `{filter}`\n"))?;
            Exit::Usage
        }
        _ => Exit::Clean,
    })
}

/// Shows the failures, up to the maximum number of findings.
fn failures(suite: &Suite, session: &Session, output: &mut Console) -> io::Result<()> {
    let mut left_out = Tally::default();
    for (i, diagnostic) in suite.failures().enumerate() {
        if i < session.max_findings {
            output.finding(diagnostic, &session.types.sources, &session.types.secrets)?;
        } else {
            left_out.add(diagnostic, &session.types.sources);
        }
    }
    if left_out.total() > 0 {
        output.finding(&Diagnostic::not_shown(&left_out), &session.types.sources, &session.types.secrets)?;
    }
    Ok(())
}

/// Writes the reports. Returns whether all reports could be written.
fn write_reports(arguments: &Test, tests: &TestSession, suite: &Suite, session: &Session) -> bool {
    let types = session.types.diagnostics();
    let mut written = true;
    for (format, path) in &arguments.reports {
        let text = match format {
            TestFormat::Junit => suite.junit(&tests.errors(&types), &session.types.sources, &session.types.secrets),
            TestFormat::Json => format!("{}\n", serde_json::to_string_pretty(&suite.json(&session.types.sources)).unwrap_or_default()),
        };
        if let Err(why) = session.access.write_named(&path.to_string_lossy(), &text) {
            eprintln!("rtype: {}", printable(&why.message));
            written = false;
        }
    }
    written
}

/// Returns whether the tests reach the coverage that `--coverage-min` requires.
fn is_covered(arguments: &Test, suite: &Suite) -> bool {
    let Some((minimum, coverage)) = arguments.coverage_min.zip(suite.coverage.as_ref()) else { return true };
    let percent = coverage.total().percent();
    let is_enough = percent >= f64::from(minimum);
    if !is_enough {
        eprintln!("rtype: coverage is {percent:.1}%, less than {minimum}%");
    }
    is_enough
}
