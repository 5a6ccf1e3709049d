//! Candidates for what is typed at the cursor.

use super::backend::ReplSession;
use super::commands::{self, COMMANDS};
use super::{input, type_completion};
use crate::app::candidates::{RELATIONS, is_bare, listed};
use crate::app::cursor::{Completion, LineCursor};
use rtype_lang::diagnostics::CODES;
use rtype_lang::types::{AttributeDef, NativeKind, Role, TypeDef};
use rtype_lang::value::DataType;
use rtype_system::named;
use std::path::Path;
use std::sync::Arc;

/// More are of no help to anybody.
pub(super) const MOST: usize = 200;

/// What may take the place of the text from a start to the cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// What is shown in a list.
    pub display: String,
    /// What is put into the line.
    pub replacement: String,
}

/// Returns the candidates for the text before the cursor, and where they start in it; `after` is the rest of the input.
pub fn complete(backend: &mut ReplSession, before: &str, after: &str) -> (usize, Vec<Candidate>) {
    if input::is_type_text(before) {
        return type_completion::complete(backend, before, after);
    }
    if let Some(found) = type_completion::complete_expression(backend, before) {
        return found;
    }
    let cursor = LineCursor::before(before, &|name| commands::find(name).ok().map(|c| c.takes));
    let mut found = candidates(backend, &cursor);
    found.retain(|c| c.display.starts_with(&cursor.partial) && !c.display.contains(char::is_control));
    found.truncate(MOST);
    (cursor.start, found)
}

fn candidates(backend: &mut ReplSession, cursor: &LineCursor) -> Vec<Candidate> {
    match &cursor.completion {
        Completion::Nothing => Vec::new(),
        Completion::Commands => {
            COMMANDS.iter().map(|c| ended(format!(":{}", c.name), if c.arguments.is_empty() { "" } else { " " })).collect()
        }
        Completion::Topics => COMMANDS.iter().map(|c| ended(c.name.to_owned(), "")).collect(),
        Completion::Codes => CODES.iter().map(|code| ended(code.info().id.to_owned(), "")).collect(),
        Completion::Facts => backend.machine.facts().into_iter().map(|(name, _)| ended(name, "")).collect(),
        // Definitions of types begin an input, too.
        Completion::Types if cursor.start == 0 => {
            types(backend, " { '").into_iter().chain(type_completion::complete(backend, &cursor.partial, "").1).collect()
        }
        Completion::Types if cursor.partial.is_empty() => types(backend, " { '"),
        Completion::Types => types(backend, ""),
        Completion::TypesOrWhy => types(backend, "").into_iter().chain([ended("--why".into(), "")]).collect(),
        Completion::TypesOrReferences => types(backend, "").into_iter().chain(references(backend)).collect(),
        Completion::References => references(backend),
        Completion::Files => files(&cursor.partial, ""),
        Completion::Titles(type_name) => titles(backend, type_name, cursor),
        Completion::Declared(type_name) => {
            let titles = backend.references().filter(|r| r.type_name.as_str() == type_name).map(|r| r.title.to_string());
            titles.map(|t| quoted(t, cursor, "]")).collect()
        }
        Completion::Attributes { type_name, state, given } => {
            let Some(type_def) = type_of(backend, type_name.as_deref()) else { return Vec::new() };
            let of_role = |role: Role| type_def.attributes.iter().filter(move |a| a.role == role);
            let all: Vec<&AttributeDef> = match state {
                true => of_role(Role::Property).collect(),
                // The type's own come first.
                false => of_role(Role::Property).chain(of_role(Role::Param)).chain(of_role(Role::Metaparam)).collect(),
            };
            let end = if *state { ": " } else { " => " };
            let fresh = all.iter().filter(|a| !given.iter().any(|g| g == a.name.as_str()));
            fresh.map(|a| ended(a.name.to_string(), end)).collect()
        }
        Completion::Values { type_name, attribute } => {
            let Some(type_def) = type_of(backend, type_name.as_deref()) else { return Vec::new() };
            let Some(attribute) = type_def.attribute_named(attribute) else { return Vec::new() };
            values(backend, &type_def, attribute, cursor)
        }
    }
}

/// Returns the type that the cursor is in: `:is {…}` names none, then it is the last resource's.
fn type_of(backend: &mut ReplSession, name: Option<&str>) -> Option<Arc<TypeDef>> {
    let name = name.map(str::to_owned).or_else(|| backend.last().map(|r| r.type_name.to_string()))?;
    backend.types.load(&name)
}

fn types(backend: &ReplSession, end: &str) -> Vec<Candidate> {
    backend.types.names().into_iter().map(|n| ended(n, end)).collect()
}

fn references(backend: &ReplSession) -> Vec<Candidate> {
    backend.references().map(|r| ended(r.to_string(), "")).collect()
}

fn titles(backend: &mut ReplSession, type_name: &str, cursor: &LineCursor) -> Vec<Candidate> {
    let Some(type_def) = backend.types.load(type_name) else { return Vec::new() };
    let namevar = type_def.namevars.first().and_then(|id| type_def.attribute(*id));
    if type_def.namevars.len() == 1 && namevar.is_some_and(is_path) {
        return paths(backend, cursor);
    }
    let mut names: Vec<String> = backend.references().filter(|r| r.type_name.as_str() == type_name).map(|r| r.title.to_string()).collect();
    let on_machine = backend.titles.of(&type_def, &backend.natives, &backend.machine);
    names.extend(on_machine.iter().filter(|n| n.starts_with(&cursor.partial)).take(MOST).map(ToString::to_string));
    let mut seen = std::collections::HashSet::new();
    names.retain(|n| seen.insert(n.clone()));
    // Nothing known begins with a slash: it can only be a path.
    if cursor.partial.starts_with('/') && !names.iter().any(|n| n.starts_with(&cursor.partial)) {
        return paths(backend, cursor);
    }
    names.into_iter().map(|n| quoted(n, cursor, ": ")).collect()
}

fn values(backend: &ReplSession, type_def: &TypeDef, attribute: &AttributeDef, cursor: &LineCursor) -> Vec<Candidate> {
    let words = |all: Vec<String>| -> Vec<Candidate> { all.into_iter().map(|w| word(w, cursor)).collect() };
    if attribute.name.as_str() == "provider" {
        return words(type_def.providers.keys().map(ToString::to_string).collect());
    }
    if RELATIONS.contains(&attribute.name.as_str()) && attribute.role == Role::Metaparam {
        let named = |r: rtype_lang::value::ResourceRef| {
            let whole = r.to_string();
            let head = whole.split('[').next().unwrap_or_default();
            ended(format!("{head}['{}']", r.title), "")
        };
        return backend.references().map(named).collect();
    }
    let all = listed(attribute);
    if is_path(attribute) && all.is_empty() || cursor.partial.starts_with('/') {
        return paths(backend, cursor);
    }
    words(all)
}

fn is_path(attribute: &AttributeDef) -> bool {
    matches!(attribute.native, Some(NativeKind::Path { .. } | NativeKind::FileSource))
        || matches!(attribute.data_type, Some(DataType::AbsolutePath))
}

/// Paths on the machine, as far as they are absolute.
fn paths(backend: &ReplSession, cursor: &LineCursor) -> Vec<Candidate> {
    let root = backend.machine.system().path("/");
    let quote = cursor.quote.unwrap_or('\'');
    let found = if cursor.partial.starts_with('/') { files(&cursor.partial, &root.to_string_lossy()) } else { vec![ended("/".into(), "")] };
    found.into_iter().map(|c| Candidate { replacement: format!("{quote}{}", c.replacement), ..c }).collect()
}

/// Files and directories that begin so; below `root` where that is given.
fn files(partial: &str, root: &str) -> Vec<Candidate> {
    let (directory, _) = partial.rsplit_once('/').map_or(("", partial), |(d, f)| (partial.get(..=d.len()).unwrap_or(d), f));
    let real = format!("{}{directory}", root.trim_end_matches('/'));
    let real = if real.is_empty() { "." } else { real.as_str() };
    let Ok(entries) = named::entries(Path::new(real)) else { return Vec::new() };
    let mut found: Vec<Candidate> = entries
        .take(20 * MOST)
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let is_dir = named::is_dir(entry.path());
            Some(ended(format!("{directory}{name}"), if is_dir { "/" } else { "" }))
        })
        // Hidden ones are shown to who asks for them.
        .filter(|c| c.display.starts_with(partial) && (partial.ends_with('.') || !c.display.trim_start_matches(directory).starts_with('.')))
        .collect();
    found.sort_by(|a, b| a.display.cmp(&b.display));
    found
}

fn ended(display: String, end: &str) -> Candidate {
    Candidate { replacement: format!("{display}{end}"), display }
}

/// A text that needs quotes; `end` follows them.
fn quoted(text: String, cursor: &LineCursor, end: &str) -> Candidate {
    let quote = cursor.quote.unwrap_or('\'');
    let escaped = text.replace('\\', "\\\\").replace(quote, &format!("\\{quote}"));
    Candidate { replacement: format!("{quote}{escaped}{quote}{end}"), display: text }
}

/// A value: bare where it can be.
fn word(text: String, cursor: &LineCursor) -> Candidate {
    if is_bare(&text) && cursor.quote.is_none() { ended(text, "") } else { quoted(text, cursor, "") }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the replacements, and the line up to where they start.
    fn of(backend: &mut ReplSession, before: &str) -> String {
        let (start, found) = complete(backend, before, "");
        let all: Vec<_> = found.into_iter().map(|c| c.replacement).collect();
        format!("{}|{}", before.get(..start).unwrap(), all.join("|"))
    }

    #[test]
    fn each_place_has_its_candidates() {
        let mut backend = ReplSession::for_tests();
        backend.run("motd { 'here': text => 'x' }\nvault { 'v': }");
        let cases = [
            ("mo", "|motd { '|mount { '"),
            ("tes", "|test \""),
            ("type desk {\n  newpr", "type desk {\n  |newproperty "),
            (":re", "|:reload|:resources "),
            (":describe mo", ":describe |motd|mount"),
            (":help tr", ":help |trace"),
            (":trace V", ":trace |Vault[v]"),
            (":providers user --", ":providers user |--why"),
            (":resources mot", ":resources |motd"),
            ("motd { 'h", "motd { |'here': "),
            ("motd { 'x': t", "motd { 'x': |text => |tag => "),
            ("motd { 'x': text => 'a', t", "motd { 'x': text => 'a', |tag => "),
            ("motd { 'x': colour => ", "motd { 'x': colour => |red|green|rot"),
            ("motd { 'x': colour => 'r", "motd { 'x': colour => |'red'|'rot'"),
            ("motd { 'x': require => Va", "motd { 'x': require => |Vault['v']"),
            ("motd { 'x': require => Vault['", "motd { 'x': require => Vault[|'v']"),
            (":is Motd[here] { c", ":is Motd[here] { |colour: "),
            ("vault { 'v': secret => ", "vault { 'v': secret => |"),
            ("host { 'web", "host { |'web1.example.com': "),
            ("host { '/etc/ho", "host { |'/etc/hosts"),
            ("motd { 'x': text => '/etc/os", "motd { 'x': text => |'/etc/os-release"),
            (":load tests/repl/types/m", ":load |tests/repl/types/motd.rtype"),
            ("nonsense { 'x': ", "nonsense { 'x': |"),
        ];
        for (before, wanted) in cases {
            assert_eq!(of(&mut backend, before), wanted, "{before}");
        }
    }
}
