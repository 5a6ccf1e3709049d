//! `rtype inspect FILE…`

use super::Exit;
use super::apply::hide;
use super::arguments::{Inspect, TextOrJson};
use super::output::Console;
use crate::app::session::{Session, block_messages};
use crate::app::target::Target;
use rtype_engine::report;
use rtype_model::declare::Purpose;
use std::io;

pub fn run(arguments: &Inspect, session: &mut Session, output: &mut Console) -> io::Result<Exit> {
    if !hide(&arguments.redacting, session, output)? {
        return Ok(Exit::Findings);
    }
    if arguments.simulate {
        session.natives.simulate();
    }
    let mut found = Vec::new();
    let declarations = session.declarations_of(&arguments.files, &mut found);
    let machine = session.machine.clone();
    let natives = session.natives.clone();
    let target = Target { machine: &machine, natives: &natives, strict: arguments.strict };
    let declared = target.declare(&declarations, &session.types, Purpose::Check);
    found.extend(declared.diagnostics);
    let found = session.traced(&declarations, found);
    let failed = session.show(&found, output)?;
    let sources = session.types.sources.clone();
    let (inspected, messages) = target.inspect(&declared.catalog, &session.types, !arguments.no_diff);
    session.show(&block_messages(&messages, &declared.catalog), output)?;
    let redactor = machine.system().redactor();
    match arguments.format {
        TextOrJson::Text => output.print(&report::text(&inspected, &sources, redactor, output.colors()))?,
        TextOrJson::Json => {
            let mut json = report::json(&inspected, redactor);
            if let Some(json) = json.as_object_mut().filter(|_| arguments.simulate) {
                json.insert("simulated".to_owned(), true.into());
            }
            output.json(&json)?;
        }
    }
    if arguments.simulate && arguments.format == TextOrJson::Text {
        output.print(&format!("{}\n", report::SIMULATED_RUN))?;
    }
    let has = |in_sync: Option<bool>| arguments.exit_code && inspected.iter().any(|i| i.in_sync() == in_sync);
    Ok(match (failed, has(Some(false)), has(None)) {
        (true, ..) => Exit::Findings,
        (false, true, true) => Exit::ChangedAndFailed,
        (false, true, false) => Exit::Changed,
        (false, false, true) => Exit::Failed,
        (false, false, false) => Exit::Clean,
    })
}
