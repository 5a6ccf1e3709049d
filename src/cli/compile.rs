//! `rtype compile [FILE]`

use super::Exit;
use super::arguments::{Compile, NodeArguments};
use super::output::Console;
use crate::app::compile::{CatalogNode, CompileOptions, CompiledNode, Compiler, node_of_facts, nodes_in, this_machine};
use crate::app::session::{Session, Show};
use rayon::prelude::*;
use rtype_lang::diagnostics::{Code, Diagnostic, printable_json};
use rtype_lang::library::TypeSet;
use rtype_lang::source::Span;
use rtype_lang::value::REDACTED;
use rtype_model::manifest::is_suspect;
use rtype_system::named;
use serde_json::Value as Json;
use std::io;
use std::path::Path;

pub fn run(arguments: &Compile, session: &mut Session, output: &mut Console) -> io::Result<Exit> {
    let options = CompileOptions {
        code: arguments.execute.clone(),
        manifest: arguments.manifest.clone(),
        environment: arguments.node.environment.as_str().into(),
        is_strict: arguments.strict,
        is_local: false,
    };
    let compiler = match Compiler::new(session, options) {
        Ok(compiler) => compiler,
        Err(found) => return session.show(&found, output).map(|_| Exit::Findings),
    };
    if let (Some(facts), Some(directory)) = (&arguments.all_nodes, &arguments.output) {
        return all(&compiler, facts, directory, session, output);
    }
    let node = match node(&arguments.node, session) {
        Ok(node) => node,
        Err(found) => return session.show(&[found], output).map(|_| Exit::Findings),
    };
    let compiled = compiler.compile(&node);
    if session.show(&[], output)? | show(&compiled, session.verbose, output)? {
        return Ok(Exit::Findings);
    }
    let Some(mut catalog) = compiled.result else { return Ok(Exit::Findings) };
    match &arguments.output {
        Some(path) if write(path, &catalog, session, output)? => return Ok(Exit::Findings),
        Some(_) => {}
        None => {
            let hidden = redact(&mut catalog, &session.types);
            output.json(&catalog)?;
            if hidden > 0 {
                eprintln!("note: {hidden} secret values are redacted; `--output FILE` writes the complete catalog");
            }
        }
    }
    Ok(Exit::Clean)
}

/// Returns the node of the command line; without `--facts`, this machine.
pub fn node(arguments: &NodeArguments, session: &mut Session) -> Result<CatalogNode, Diagnostic> {
    let name = arguments.node.as_deref();
    match &arguments.facts {
        Some(path) => node_of_facts(path, session, name),
        None => Ok(this_machine(&session.machine, name)),
    }
}

/// Compiles and writes the catalogs of all nodes. A node that fails does not keep the others from being compiled.
fn all(compiler: &Compiler, facts: &Path, directory: &Path, session: &mut Session, output: &mut Console) -> io::Result<Exit> {
    let nodes = match nodes_in(facts, session) {
        Ok(nodes) => nodes,
        Err(found) => return session.show(&[found], output).map(|_| Exit::Findings),
    };
    session.admit(directory);
    let made = session.access.check_named(directory).and_then(|()| {
        named::make_directories(directory).map_err(|why| {
            let message = format!("cannot create `{}`: {why}", directory.display());
            Diagnostic::new(Code::CannotWrite, Span::NONE, message).help("name a directory that this user may write")
        })
    });
    if let Err(found) = made {
        return session.show(&[found], output).map(|_| Exit::Findings);
    }
    let mut failed = 0;
    // A part of the nodes at a time: catalogs and texts of thousands of nodes do not fit into memory.
    for part in nodes.chunks(4 * rayon::current_num_threads().max(1)) {
        let read: Vec<_> = part.iter().map(|(name, path)| node_of_facts(path, session, Some(name))).collect();
        let compiled: Vec<Result<CompiledNode, Diagnostic>> =
            read.into_par_iter().map(|node| node.map(|node| compiler.compile(&node))).collect();
        for ((name, _), compiled) in part.iter().zip(compiled) {
            let is_wrong = match compiled {
                Err(found) => session.show(&[found], output)?,
                Ok(compiled) => {
                    let is_wrong = show(&compiled, session.verbose, output)?;
                    match compiled.result.filter(|_| !is_wrong) {
                        Some(catalog) => write(&directory.join(format!("{name}.json")), &catalog, session, output)?,
                        None => true,
                    }
                }
            };
            if is_wrong {
                eprintln!("{name}: not compiled");
                failed += 1;
            }
        }
    }
    eprintln!("{} of {} nodes compiled", nodes.len() - failed, nodes.len());
    let is_wrong = session.show(&[], output)?;
    Ok(if failed > 0 || is_wrong { Exit::Findings } else { Exit::Clean })
}

/// Shows the messages and errors of a compilation; returns whether there is an error.
pub fn show(compiled: &CompiledNode, is_verbose: bool, output: &mut Console) -> io::Result<bool> {
    let shown = compiled.diagnostics.iter().filter(|found| is_verbose || !found.is_detail());
    shown.clone().try_for_each(|found| output.diagnostic(found, &compiled.sources, &compiled.secrets))?;
    Ok(compiled.diagnostics.iter().any(Diagnostic::is_error))
}

/// Writes a result to a file of its own; returns whether that failed.
pub fn write(path: &Path, catalog: &Json, session: &mut Session, output: &mut Console) -> io::Result<bool> {
    let text = format!("{}\n", printable_json(&serde_json::to_string_pretty(catalog)?));
    let failed = session.access.write_private(&path.to_string_lossy(), &text).err();
    session.show(failed.as_slice(), output)
}

/// Replaces the values of secret parameters: those that the manifest or the type marks as sensitive, and parameters of classes and defined
/// types with a name such as `password`. Returns the number of replaced values.
fn redact(catalog: &mut Json, types: &TypeSet) -> usize {
    let mut hidden = 0;
    for resource in catalog["resources"].as_array_mut().into_iter().flatten() {
        let type_def = resource["type"].as_str().and_then(|name| types.load(&name.to_lowercase()));
        let marked = resource["sensitive_parameters"].as_array().cloned().unwrap_or_default();
        let is_secret = |name: &str| match type_def.as_ref().and_then(|type_def| type_def.attribute_named(name)) {
            _ if marked.iter().any(|marked| marked == name) => true,
            Some(attribute) => attribute.sensitive,
            None => is_suspect(name),
        };
        let mut names = Vec::new();
        for (name, value) in resource["parameters"].as_object_mut().into_iter().flatten() {
            if is_secret(name) {
                *value = REDACTED.into();
                names.push(Json::from(name.as_str()));
            } else {
                hidden += redact_inside(value);
            }
        }
        hidden += names.len();
        if !names.is_empty() {
            resource["sensitive_parameters"] = Json::Array(names);
        }
    }
    hidden
}

/// Replaces the secrets inside of a list or hash. Returns their number.
fn redact_inside(value: &mut Json) -> usize {
    match value {
        Json::Object(members) if members.get("__ptype").is_some_and(|of| of == "Sensitive") => {
            members.insert("__pvalue".to_owned(), REDACTED.into());
            1
        }
        Json::Object(members) => members.values_mut().map(redact_inside).sum(),
        Json::Array(elements) => elements.iter_mut().map(redact_inside).sum(),
        _ => 0,
    }
}
