//! `rtype schema [TYPE|PATH…]`

use super::Exit;
use super::arguments::Schema;
use super::output::Console;
use crate::app::session::Session;
use rtype_author::docs::{self, Page};
use std::io;

pub fn run(arguments: &Schema, session: &mut Session, output: &mut Console) -> io::Result<Exit> {
    let (types, found) = session.chosen_types(&arguments.what);
    let failed = session.show(&found, output)?;
    if types.is_empty() {
        return Ok(Exit::Findings);
    }
    let page = |path: String, schema: serde_json::Value| {
        let text = serde_json::to_string_pretty(&schema).unwrap_or_default();
        Page { path, text: format!("{text}\n") }
    };
    let whole = || if arguments.what.is_empty() { docs::schema_of_all(&types) } else { docs::schema(&types) };
    let pages: Vec<Page> = match arguments.output {
        None => vec![page("resources.json".into(), whole())],
        Some(_) => {
            let each = types.iter().map(|t| page(format!("{}.json", t.name), docs::schema(std::slice::from_ref(t))));
            each.chain([page("resources.json".into(), whole())]).collect()
        }
    };
    output.pages(&pages, arguments.output.as_deref(), &session.access)?;
    Ok(if failed { Exit::Findings } else { Exit::Clean })
}
