//! Values of arguments: types, titles on this machine, attributes and their values, codes, reports.

use super::super::arguments::Arguments;
use crate::app::begin_run;
use crate::app::candidates::listed;
use crate::app::session::{Session, SessionOptions};
use clap::{ArgMatches, CommandFactory, ValueEnum};
use clap_complete::CompletionCandidate;
use clap_complete::engine::{PathCompleter, ValueCompleter};
use rtype_author::docs::summary;
use rtype_lang::diagnostics::CODES;
use rtype_lang::types::{Role, TypeDef};
use rtype_provider::NativeProviders;
use std::any::Any;
use std::ffi::OsStr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::Duration;

/// The maximum time that Tab waits for the titles on this machine.
const PATIENCE: Duration = Duration::from_secs(2);

/// The words before the cursor, parsed.
#[derive(Clone)]
pub(super) struct Request {
    types: Vec<PathBuf>,
    modulepath: Vec<PathBuf>,
    config: Option<PathBuf>,
    allow_outside: bool,
    /// Whether the command runs programs, so that it reads only the configuration of the machine.
    runs_programs: bool,
    /// The type of the resource on the command line.
    type_name: Option<String>,
    natives: NativeProviders,
}

impl Request {
    /// Reads the words of an unfinished command line. The last word is at the cursor.
    pub fn of(words: &[String], natives: &NativeProviders) -> Request {
        let before = words.split_last().map_or(words, |(_, before)| before);
        let all = Arguments::command().ignore_errors(true).try_get_matches_from(before).unwrap_or_default();
        let (command, matches) = all.subcommand().unwrap_or(("", &all));
        let types = values(matches, "types");
        Request {
            types,
            modulepath: values(matches, "modulepath"),
            config: values(matches, "config").pop(),
            allow_outside: values(matches, "allow_outside").contains(&true),
            runs_programs: command == "resource",
            type_name: values::<String>(matches, "type_name").pop(),
            natives: natives.clone(),
        }
    }

    fn session(&self) -> Option<Session> {
        begin_run();
        let options = SessionOptions {
            types: &self.types,
            modulepath: &self.modulepath,
            config: self.config.as_deref(),
            allow_outside: self.allow_outside,
            runs_programs: self.runs_programs,
            ruby_providers: None,
            verbose: false,
            max_findings: 0,
        };
        Some(Session::new(&options, self.natives.clone())).filter(Session::is_usable)
    }

    fn type_def(&self) -> Option<(Session, Arc<TypeDef>)> {
        let session = self.session()?;
        let type_def = session.types.load(&self.type_name.as_ref()?.to_lowercase())?;
        Some((session, type_def))
    }

    /// Returns type names.
    pub fn types(&self, current: &OsStr) -> Vec<CompletionCandidate> {
        let Some((session, current)) = self.session().zip(current.to_str()) else { return Vec::new() };
        let mut names = session.types.names();
        names.retain(|name| name.starts_with(&current.to_lowercase()));
        let described = |name: String| {
            let about = session.types.load(&name).map(|type_def| summary(&type_def.doc));
            candidate(name, about.as_deref())
        };
        names.into_iter().map(described).collect()
    }

    /// Returns type names, or paths if no name matches.
    pub fn types_and_paths(&self, current: &OsStr) -> Vec<CompletionCandidate> {
        let names = self.types(current);
        if names.is_empty() { PathCompleter::any().complete(current) } else { names }
    }

    /// Returns the titles of resources on this machine. Tab never runs programs of types named on the command line.
    pub fn titles(&self, current: &OsStr) -> Vec<CompletionCandidate> {
        let is_own = self.types.is_empty() && self.modulepath.is_empty() && self.config.is_none();
        let Some((session, type_def)) = self.type_def().filter(|_| is_own) else { return Vec::new() };
        let titles = titles_of(session, type_def, &current.to_string_lossy());
        if titles.is_empty() && current.to_string_lossy().starts_with('/') { PathCompleter::any().complete(current) } else { titles }
    }

    /// Returns `attribute=`, or `attribute=value` for attributes with a list of allowed values.
    pub fn attributes(&self, current: &OsStr) -> Vec<CompletionCandidate> {
        let Some(((_, type_def), current)) = self.type_def().zip(current.to_str()) else { return Vec::new() };
        let Some((name, value)) = current.split_once('=') else {
            let is_set = |a: &&rtype_lang::types::AttributeDef| a.role != Role::Metaparam && !a.namevar && a.readonly.is_none();
            let all = type_def.attributes.iter().filter(is_set).filter(|a| a.name.as_str().starts_with(current));
            return all.map(|a| candidate(format!("{}=", a.name), Some(&summary(&a.doc)))).collect();
        };
        let Some(attribute) = type_def.attributes.iter().find(|a| a.name.as_str() == name) else { return Vec::new() };
        if value.starts_with('/') {
            let paths = PathCompleter::any().complete(OsStr::new(value));
            return paths.into_iter().map(|path| path.add_prefix(format!("{name}="))).collect();
        }
        let values = if name == "provider" { type_def.providers.keys().map(ToString::to_string).collect() } else { listed(attribute) };
        values.into_iter().filter(|v| v.starts_with(value)).map(|v| candidate(format!("{name}={v}"), None)).collect()
    }

    /// Returns diagnostic codes, or code names if the word cannot be the start of a code.
    pub fn codes(&self, current: &OsStr) -> Vec<CompletionCandidate> {
        let current = current.to_string_lossy();
        let infos = || CODES.iter().map(|code| code.info());
        let codes: Vec<_> = infos().filter(|i| i.id.starts_with(&current.to_uppercase())).map(|i| candidate(i.id, Some(i.name))).collect();
        if !codes.is_empty() {
            return codes;
        }
        infos().filter(|i| i.name.starts_with(&*current)).map(|i| candidate(i.name, Some(i.id))).collect()
    }

    /// Returns `FORMAT=`, or paths after it.
    pub fn reports<F: ValueEnum>(&self, current: &OsStr) -> Vec<CompletionCandidate> {
        let current = current.to_string_lossy();
        if let Some((format, path)) = current.split_once('=') {
            let paths = PathCompleter::any().complete(OsStr::new(path));
            return paths.into_iter().map(|path| path.add_prefix(format!("{format}="))).collect();
        }
        let formats = F::value_variants().iter().filter_map(ValueEnum::to_possible_value).filter(|v| !v.is_hide_set());
        let fitting = formats.filter(|v| v.get_name().starts_with(&*current));
        fitting.map(|v| CompletionCandidate::new(format!("{}=", v.get_name())).help(v.get_help().cloned())).collect()
    }
}

/// Returns the titles of a type that start with a prefix; empty if the machine takes too long.
fn titles_of(session: Session, type_def: Arc<TypeDef>, current: &str) -> Vec<CompletionCandidate> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || sender.send(rtype_engine::titles(&type_def, &session.natives, &session.machine)));
    let titles = receiver.recv_timeout(PATIENCE).unwrap_or_default();
    // A title with control characters could change what the terminal shows.
    let fits = |title: &str| title.starts_with(current) && !title.contains(char::is_control);
    titles.iter().filter(|title| fits(title)).map(|title| candidate(title.as_str(), None)).collect()
}

fn candidate(value: impl Into<String>, about: Option<&str>) -> CompletionCandidate {
    CompletionCandidate::new(value.into()).help(about.filter(|about| !about.is_empty()).map(|about| about.to_owned().into()))
}

/// Returns the values of an argument; empty if the command does not have the argument.
fn values<T: Any + Clone + Send + Sync>(matches: &ArgMatches, id: &str) -> Vec<T> {
    matches.try_get_many::<T>(id).ok().flatten().into_iter().flatten().cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rtype_provider::{Machine, System};

    #[test]
    fn titles_are_those_of_the_machine() {
        let request = Request::of(&["rtype", "resource", "host", ""].map(str::to_owned), &NativeProviders::standard());
        let found = |current: &str| {
            let (mut session, type_def) = request.type_def().unwrap();
            session.machine = Machine::new(System::at("tests/fixtures/roots/debian"));
            let titles = titles_of(session, type_def, current);
            titles.iter().map(|title| title.get_value().to_string_lossy().into_owned()).collect::<Vec<_>>()
        };
        assert_eq!(found("web1"), ["web1.example.com"]);
        assert!(found("").contains(&"localhost".to_owned()));
    }
}
