//! `rtype test [PATH…]`

use super::Exit;
use super::arguments::{Test, TextOrJson};
use super::output::Console;
use crate::app::session::Session;
use rtype_author::testing::Suite;
use rtype_lang::diagnostics::{Code, Diagnostic, Tally};
use rtype_lang::source::Span;
use std::io;

pub fn run(arguments: &Test, session: &mut Session, output: &mut Console) -> io::Result<Exit> {
    let paths = if arguments.paths.is_empty() { vec![".".to_owned()] } else { arguments.paths.clone() };
    let (mut files, mut found) = session.collect(&paths, &["rtype", "rb"]);
    files.retain(|file| {
        let is_types = file.extension().is_some_and(|e| e == "rtype" || e == "rb");
        if !is_types {
            let message = format!("`{}` is not a type file: tests are next to types", file.display());
            found.push(
                Diagnostic::new(Code::NothingToCheck, Span::NONE, message).help("name files that end in `.rtype`, or directories of them"),
            );
        }
        is_types
    });
    let loaded = session.load_types(&files, &mut found);
    let tests = session.types.tests(&loaded);
    found.extend(tests.diagnostics.iter().cloned());
    let types: Vec<_> = loaded.into_iter().flat_map(|loaded| loaded.types).collect();
    let failed = session.show(&found, output)?;
    let suite = Suite::run(&types, &tests, arguments.filter.as_deref(), &session.types, &session.natives);
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
