//! `rtype test [PATH…]`

use super::Exit;
use super::arguments::{Test, TextOrJson};
use super::output::Console;
use crate::app::check::suite::TestSession;
use crate::app::session::Session;
use rtype_lang::diagnostics::{Diagnostic, Tally};
use std::io;

pub fn run(arguments: &Test, session: &mut Session, output: &mut Console) -> io::Result<Exit> {
    let tests = TestSession::load(&arguments.paths, session);
    let failed = session.show(&tests.diagnostics, output)?;
    let suite = tests.run(arguments.filter.as_deref(), session);
    match arguments.format {
        TextOrJson::Json => output.json(&suite.json(&session.types.sources))?,
        TextOrJson::Text => {
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
            output.print(&suite.text(&session.types.sources))?;
            if failed {
                output.print("what has errors was not tested\n")?;
            }
        }
    }
    Ok(match &arguments.filter {
        _ if failed || suite.failed() > 0 => Exit::Findings,
        Some(filter) if suite.is_empty() => {
            output.print(&format!("no test fits `{filter}`\n"))?;
            Exit::Other
        }
        _ => Exit::Clean,
    })
}
