//! Candidates for completing the word at the cursor.

use super::backend::ReplSession;
use super::commands::{self, COMMANDS};
use super::{input, type_completion};
use crate::app::candidates::{RELATIONS, is_bare, listed};
use crate::app::cursor::{Completion, LineCursor};
use rtype_lang::diagnostics::CODES;
use rtype_lang::eval::setting_names;
use rtype_lang::types::{AttrId, AttributeDef, NativeKind, Node, Op, Role, TypeDef};
use rtype_lang::value::DataType;
use rtype_system::named;
use std::path::Path;
use std::sync::Arc;

/// The maximum number of candidates. A longer list is not helpful.
pub(super) const MOST: usize = 200;

/// A candidate for the word at the cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The label in the list of candidates.
    pub display: String,
    /// The replacement in the line.
    pub replacement: String,
}

/// Returns the candidates for the input before the cursor, and the start position of the replaced part. `after` is the input after the
/// cursor.
pub fn complete(backend: &mut ReplSession, before: &str, after: &str) -> (usize, Vec<Candidate>) {
    if let Some(found) = in_question(backend, before) {
        return found;
    }
    if input::is_type_text(before) {
        return type_completion::complete(backend, before, after);
    }
    if let Some(found) = in_expression(backend, before) {
        return found;
    }
    let cursor = LineCursor::before(before, &|name| commands::find(name).ok().map(|c| c.takes));
    let mut found = candidates(backend, &cursor);
    found.retain(|c| c.display.starts_with(&cursor.partial) && !c.display.contains(char::is_control));
    found.truncate(MOST);
    (cursor.start, found)
}

/// Completes an expression. Returns the start of the completed word and the candidates; `None` if the input is not an expression.
fn in_expression(backend: &mut ReplSession, before: &str) -> Option<(usize, Vec<Candidate>)> {
    let is_reference = regex::Regex::new(r"^\s*(?:let\s+\w+\s*=\s*)?[A-Z]\w*\[").is_ok_and(|begins| begins.is_match(before));
    if !is_reference && !type_completion::is_expression(before) {
        return None;
    }
    let (start, mut found) = match in_call(backend, before) {
        Some(found) => found,
        None if is_reference => return None,
        None => type_completion::complete_expression(backend, before),
    };
    let partial = before.get(start..).unwrap_or_default();
    let is_word = !before.get(..start).unwrap_or_default().ends_with(['.', ':', '\'', '"', '(', '[']);
    let mut names: Vec<String> = backend.workspace.variables.keys().map(ToString::to_string).collect();
    names.extend(backend.workspace.defined().filter(|(what, _)| matches!(*what, "function" | "constant")).map(|(_, name)| name.to_owned()));
    if is_word && !partial.is_empty() {
        let named = names.into_iter().filter(|name| name.starts_with(partial) && !found.iter().any(|c| c.display == *name));
        found.splice(0..0, named.map(|name| ended(name, "")).collect::<Vec<_>>());
    }
    Some((start, found))
}

/// Completes the argument of `is(…)` and `should(…)`, the title in `User['…']` and the attribute in `User['root'].…`. Returns the start of
/// the completed word and the candidates.
fn in_call(backend: &mut ReplSession, before: &str) -> Option<(usize, Vec<Candidate>)> {
    let at = |pattern: &str| regex::Regex::new(pattern).ok()?.captures(before).map(|c| (c.get(1), c.get(2), c.get(3)));
    if let Some((Some(type_name), quote, Some(partial))) = at(r#"\b([A-Z]\w*)\[(['"]?)([^'"\]]*)$"#) {
        let type_def = backend.types.load(&type_name.as_str().to_lowercase())?;
        let names = known_titles(backend, &type_def, partial.as_str());
        let quote = quote.map(|quote| quote.as_str()).filter(|quote| !quote.is_empty());
        let start = quote.map_or(partial.start(), |_| partial.start() - 1);
        let quote = quote.and_then(|quote| quote.chars().next());
        let names = names.into_iter().filter(|name| name.starts_with(partial.as_str()) && !name.contains(char::is_control));
        return Some((start, names.take(MOST).map(|name| in_quotes(name, quote, "]")).collect()));
    }
    let (type_name, partial) = match at(r#"\b([A-Z]\w*)\[['"]?[^'"\]]*['"]?\]\.((?:is|should)\(\s*:?)?(\w*)$"#) {
        Some((Some(type_name), _, Some(partial))) => (type_name.as_str().to_lowercase(), partial),
        _ => (backend.last()?.type_name.to_string(), at(r"(?:^|[^\w.])(is|should)\(\s*(:?)(\w*)$")?.2?),
    };
    let type_def = backend.types.load(&type_name)?;
    let names = type_def.properties().chain(type_def.params()).map(|a| a.name.to_string()).collect();
    Some((partial.start(), fitting(partial.as_str(), names)))
}

/// Completes the names in `fact("…")` and `setting("…")`.
fn in_question(backend: &ReplSession, before: &str) -> Option<(usize, Vec<Candidate>)> {
    let asked = regex::Regex::new(r#"\b(fact|setting)\(\s*["']([\w.]*)$"#).ok()?.captures(before)?;
    let partial = asked.get(2)?;
    let names = match asked.get(1)?.as_str() {
        "fact" => backend.machine.facts().into_iter().map(|(name, _)| name).collect(),
        _ => setting_names().map(str::to_owned).collect(),
    };
    Some((partial.start(), fitting(partial.as_str(), names)))
}

/// Returns the names that begin with the word before the cursor.
fn fitting(partial: &str, names: Vec<String>) -> Vec<Candidate> {
    let names = names.into_iter().filter(|name| name.starts_with(partial) && !name.contains(char::is_control));
    names.take(MOST).map(|name| ended(name, "")).collect()
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
        // A type definition may also begin an input.
        Completion::Types if cursor.start == 0 => {
            let names = backend.workspace.variables.keys().map(ToString::to_string);
            let defined = backend.workspace.defined().filter(|(what, _)| matches!(*what, "function" | "constant"));
            let names: Vec<String> =
                names.chain(defined.map(|(_, name)| name.to_owned())).filter(|name| !cursor.partial.is_empty() && *name != "_").collect();
            let named = names.into_iter().map(|name| ended(name, ""));
            named.chain(types(backend, " { '")).chain(type_completion::complete(backend, &cursor.partial, "").1).collect()
        }
        Completion::Types if cursor.partial.is_empty() => types(backend, " { '"),
        Completion::Types => types(backend, ""),
        Completion::TypesOrWhy => types(backend, "").into_iter().chain([ended("--why".into(), "")]).collect(),
        Completion::TypesOrReferences => types(backend, "").into_iter().chain(references(backend)).collect(),
        Completion::References => references(backend),
        Completion::Files => files(&cursor.partial, ""),
        Completion::Titles(type_name) => titles(backend, type_name, cursor),
        Completion::TitlesInReference(type_name) => {
            let Some(type_def) = backend.types.load(type_name) else { return Vec::new() };
            known_titles(backend, &type_def, &cursor.partial).into_iter().map(|title| quoted(title, cursor, "]")).collect()
        }
        Completion::PlainTitles(type_name) => {
            let Some(type_def) = backend.types.load(type_name) else { return Vec::new() };
            known_titles(backend, &type_def, &cursor.partial).into_iter().map(|title| ended(title, "")).collect()
        }
        Completion::Attributes { type_name, state, given } => {
            let Some(type_def) = type_of(backend, type_name.as_deref()) else { return Vec::new() };
            let of_role = |role: Role| type_def.attributes.iter().filter(move |a| a.role == role);
            let all: Vec<&AttributeDef> = match state {
                true => of_role(Role::Property).collect(),
                // The type's own attributes come first.
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

/// Returns the type at the cursor. `:is {…}` names no type and refers to the last resource.
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
    let names = known_titles(backend, &type_def, &cursor.partial);
    // No known title matches, so an absolute path is the only option.
    if cursor.partial.starts_with('/') && !names.iter().any(|n| n.starts_with(&cursor.partial)) {
        return paths(backend, cursor);
    }
    names.into_iter().map(|n| quoted(n, cursor, ": ")).collect()
}

/// Returns the titles of a type that are declared or exist on this machine.
fn known_titles(backend: &mut ReplSession, type_def: &Arc<TypeDef>, partial: &str) -> Vec<String> {
    let declared = backend.references().filter(|r| r.type_name == type_def.name).map(|r| r.title.to_string());
    let mut names: Vec<String> = declared.collect();
    let on_machine = backend.titles.of(type_def, &backend.natives, &backend.machine);
    names.extend(on_machine.iter().filter(|n| n.starts_with(partial)).take(MOST).map(ToString::to_string));
    let mut seen = std::collections::HashSet::new();
    names.retain(|n| seen.insert(n.clone()));
    names
}

/// Returns the target types of the automatic relations that read an attribute.
fn related_types(type_def: &TypeDef, attribute: &AttributeDef) -> Vec<String> {
    let Some(id) = type_def.id_of(attribute.name.as_str()) else { return Vec::new() };
    let reads = |node: &Node| reads_attribute(node, id, attribute.name.as_str());
    let related = type_def.autorelations.iter().filter(|relation| reads(&relation.names.inner.body));
    related.map(|relation| relation.target.to_string()).collect()
}

fn reads_attribute(node: &Node, id: AttrId, name: &str) -> bool {
    let is_read = match &node.op {
        Op::SelfAttr(read) | Op::SelfTrue(read) => *read == id,
        // `self.raw(:gid)`
        Op::Const(value) => value.as_text() == Some(name),
        _ => false,
    };
    is_read || node.children().into_iter().any(|child| reads_attribute(child, id, name))
}

fn values(backend: &mut ReplSession, type_def: &TypeDef, attribute: &AttributeDef, cursor: &LineCursor) -> Vec<Candidate> {
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
    if all.is_empty() && !cursor.partial.starts_with('/') {
        let related: Vec<Arc<TypeDef>> = related_types(type_def, attribute).iter().filter_map(|name| backend.types.load(name)).collect();
        let titles: Vec<String> = related.iter().flat_map(|related| known_titles(backend, related, &cursor.partial)).collect();
        if !titles.is_empty() {
            return titles.into_iter().map(|title| quoted(title, cursor, "")).collect();
        }
    }
    if is_path(attribute) && all.is_empty() || cursor.partial.starts_with('/') {
        return paths(backend, cursor);
    }
    words(all)
}

fn is_path(attribute: &AttributeDef) -> bool {
    matches!(attribute.native, Some(NativeKind::Path { .. } | NativeKind::FileSource))
        || matches!(attribute.data_type, Some(DataType::AbsolutePath))
}

/// Returns absolute paths on the machine.
fn paths(backend: &ReplSession, cursor: &LineCursor) -> Vec<Candidate> {
    let root = backend.machine.system().path("/");
    let quote = cursor.quote.unwrap_or('\'');
    let found = if cursor.partial.starts_with('/') { files(&cursor.partial, &root.to_string_lossy()) } else { vec![ended("/".into(), "")] };
    found.into_iter().map(|c| Candidate { replacement: format!("{quote}{}", c.replacement), ..c }).collect()
}

/// Returns the files and directories that start with `partial`. For paths on a machine, `root` is the root directory of the machine.
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
        // Hidden files are listed only after a dot.
        .filter(|c| c.display.starts_with(partial) && (partial.ends_with('.') || !c.display.trim_start_matches(directory).starts_with('.')))
        .collect();
    found.sort_by(|a, b| a.display.cmp(&b.display));
    found
}

fn ended(display: String, end: &str) -> Candidate {
    Candidate { replacement: format!("{display}{end}"), display }
}

/// Returns a candidate in quotes. `end` follows the closing quote.
fn quoted(text: String, cursor: &LineCursor, end: &str) -> Candidate {
    in_quotes(text, cursor.quote, end)
}

/// Returns a candidate in the kind of quotes that is already open, or in single quotes.
fn in_quotes(text: String, quote: Option<char>, end: &str) -> Candidate {
    let quote = quote.unwrap_or('\'');
    let escaped = text.replace('\\', "\\\\").replace(quote, &format!("\\{quote}"));
    Candidate { replacement: format!("{quote}{escaped}{quote}{end}"), display: text }
}

/// Returns a candidate for a value, without quotes if possible.
fn word(text: String, cursor: &LineCursor) -> Candidate {
    if is_bare(&text) && cursor.quote.is_none() { ended(text, "") } else { quoted(text, cursor, "") }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the start of the line and the replacements, separated by `|`.
    fn of(backend: &mut ReplSession, before: &str) -> String {
        let (start, found) = complete(backend, before, "");
        let all: Vec<_> = found.into_iter().map(|c| c.replacement).collect();
        format!("{}|{}", before.get(..start).unwrap(), all.join("|"))
    }

    #[test]
    fn each_place_has_its_candidates() {
        let mut backend = ReplSession::for_tests();
        backend.run(
            "type door {\n  newparam name { isnamevar }\n  newproperty hosts, array_matching: all\n  autorequire host { self.hosts }\n}",
        );
        backend.run("motd { 'here': text => 'x' }\nvault { 'v': }\nlet shade = 1\nfn double(v) { v * 2 }");
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
            // In expressions: variables, attributes of the last resource or of another resource, titles on the machine, facts.
            ("is(sec", "is(|secret"),
            ("should(:se", "should(:|secret"),
            ("let x = is(se", "let x = is(|secret"),
            ("Motd['here'].col", "Motd['here'].|colour"),
            ("Motd['here'].is(:col", "Motd['here'].is(:|colour"),
            ("Host['web", "Host[|'web1.example.com']"),
            ("let h = Host[\"web", "let h = Host[|\"web1.example.com\"]"),
            ("fact(\"os.fam", "fact(\"|os.family"),
            ("setting(\"show_d", "setting(\"|show_diff"),
            ("let s = setting('noo", "let s = setting('|noop"),
            (
                "type desk {\n  newparam name {\n    defaultto { fact(\"os.fam",
                "type desk {\n  newparam name {\n    defaultto { fact(\"|os.family",
            ),
            ("motd { 'x': require => Host['web", "motd { 'x': require => Host[|'web1.example.com']"),
            (
                "motd { 'x': require => [Host['localhost'], Host[\"web",
                "motd { 'x': require => [Host['localhost'], Host[|\"web1.example.com\"]",
            ),
            (":list host web", ":list host |web1.example.com"),
            (":list ho", ":list |host"),
            ("1 + shad", "1 + |shade"),
            ("doub", "|double"),
            ("door { 'x': hosts => ['web", "door { 'x': hosts => [|'web1.example.com'"),
        ];
        for (before, wanted) in cases {
            assert_eq!(of(&mut backend, before), wanted, "{before}");
        }
    }
}
