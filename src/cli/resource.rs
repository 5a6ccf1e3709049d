//! `rtype resource TYPE [TITLE [ATTRIBUTE=VALUE…]]`

use super::Exit;
use super::apply::run_declarations;
use super::arguments::{ResourceArgs, ResourceFormat, Running, TextOrJson};
use super::output::Console;
use crate::app::session::Session;
use rtype_engine::{instance, instances};
use rtype_lang::source::Span;
use rtype_model::manifest::{Declarations, from_source, quoted, to_json, to_puppet, to_yaml};
use rtype_provider::PURGE_LIMIT;
use std::io;

pub fn run(arguments: &ResourceArgs, session: &mut Session, output: &mut Console) -> io::Result<Exit> {
    let name = arguments.type_name.to_lowercase();
    if let (Some(title), false) = (&arguments.title, arguments.attributes.is_empty()) {
        return apply_one(&name, title, arguments, session, output);
    }
    let loaded = session.types.load(&name);
    let Some(type_def) = loaded else {
        let mut more = Vec::new();
        if !session.types.names().contains(&name) {
            more.push(session.types.unknown_type(&name, Span::NONE));
        }
        session.show(&more, output)?;
        return Ok(Exit::Findings);
    };
    let listed = match &arguments.title {
        Some(title) => instance(&type_def, title, &session.natives, &session.machine),
        None => instances(&type_def, &session.natives, &session.machine),
    };
    let failed = session.show(&listed.diagnostics, output)?;
    let redactor = session.machine.system().redactor();
    let text = match arguments.format {
        ResourceFormat::Puppet => redactor.redact(&to_puppet(&listed.resources)),
        ResourceFormat::Json => {
            let mut json = to_json(&listed.resources);
            redactor.redact_json(&mut json);
            format!("{}\n", serde_json::to_string_pretty(&json).unwrap_or_default())
        }
        ResourceFormat::Yaml => redactor.redact(&to_yaml(&listed.resources)),
    };
    output.print(&text)?;
    Ok(if failed { Exit::Findings } else { Exit::Clean })
}

/// Applies a resource given on the command line. The resource is written out as a declaration, so that errors have locations.
fn apply_one(name: &str, title: &str, arguments: &ResourceArgs, session: &mut Session, output: &mut Console) -> io::Result<Exit> {
    let mut text = format!("{name} {{ {}:\n", quoted(title));
    for (attribute, value) in &arguments.attributes {
        let value = match value.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            Some(list) => {
                let items: Vec<String> = list.split(',').filter(|i| !i.trim().is_empty()).map(|item| quoted(item.trim())).collect();
                format!("[{}]", items.join(", "))
            }
            None => quoted(value),
        };
        text.push_str(&format!("  {attribute} => {value},\n"));
    }
    text.push_str("}\n");
    let mut found = Vec::new();
    let declarations = match session.types.keep("<arguments>", text) {
        Ok(source) => {
            let (declarations, more) = from_source(&source, &session.machine);
            session.types.secrets.extend(&declarations.secrets);
            found.extend(more);
            declarations
        }
        Err(d) => {
            found.push(d);
            Declarations::default()
        }
    };
    let running = Running {
        noop: arguments.noop,
        tags: Vec::new(),
        detailed_exitcodes: false,
        no_diff: false,
        state_dir: None,
        wait_for_lock: 0,
        quiet: false,
        format: TextOrJson::Text,
        report: None,
        purge_limit: PURGE_LIMIT,
        strict: false,
        ruby: arguments.ruby.clone(),
    };
    run_declarations(declarations, found, &running, session, output)
}
