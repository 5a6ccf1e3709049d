//! `rtype resource TYPE [TITLE]`

use super::Exit;
use super::arguments::{ResourceArgs, ResourceFormat};
use super::output::Output;
use super::session::Session;
use crate::engine::instances;
use crate::manifest::{to_json, to_puppet, to_yaml};
use crate::source::Span;
use std::io;

pub fn run(arguments: &ResourceArgs, session: &mut Session, output: &mut Output) -> io::Result<Exit> {
    let name = arguments.type_name.to_lowercase();
    let loaded = session.library.load(&name);
    let Some(type_def) = loaded else {
        let mut more = Vec::new();
        if !session.library.names().contains(&name) {
            more.push(session.library.unknown_type(&name, Span::NONE));
        }
        session.show(&more, output)?;
        return Ok(Exit::Findings);
    };
    let listed = instances(&type_def, arguments.title.as_deref(), &session.natives, &session.machine);
    let failed = session.show(&listed.diagnostics, output)?;
    let text = match arguments.format {
        ResourceFormat::Puppet => to_puppet(&listed.resources),
        ResourceFormat::Json => {
            let json = to_json(&listed.resources);
            format!("{}\n", serde_json::to_string_pretty(&json).unwrap_or_default())
        }
        ResourceFormat::Yaml => to_yaml(&listed.resources),
    };
    output.print(&text)?;
    Ok(if failed { Exit::Findings } else { Exit::Clean })
}
