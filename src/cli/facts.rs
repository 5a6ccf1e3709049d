//! `rtype facts`

use super::Exit;
use super::output::Console;
use crate::app::session::Session;
use serde_json::{Map, Value as Json};
use std::io;

pub fn run(session: &Session, output: &mut Console) -> io::Result<Exit> {
    let mut all = Map::new();
    for (name, value) in session.machine.facts() {
        let mut inside = &mut all;
        let mut parts = name.split('.').peekable();
        while let Some(part) = parts.next() {
            if parts.peek().is_none() {
                inside.insert(part.to_owned(), value.to_json());
                break;
            }
            let structure = inside.entry(part.to_owned()).or_insert_with(|| Json::Object(Map::new()));
            let Json::Object(members) = structure else { break };
            inside = members;
        }
    }
    output.json(&Json::Object(all))?;
    Ok(Exit::Clean)
}
