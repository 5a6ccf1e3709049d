//! Keys of data that code looks up by name.

use crate::check::modules::Modules;
use crate::syntax::tree::{Expression, ExpressionKind, Segment};
use crate::syntax::{Form, Parsed, parse, visit};
use rtype_lang::library::Files;
use rtype_lang::source::SourceMap;
use std::collections::HashSet;
use std::path::PathBuf;

/// The functions that look up a key.
const FUNCTIONS: [&str; 5] = ["lookup", "hiera", "hiera_array", "hiera_hash", "hiera_include"];

/// Calls of these functions in Ruby code.
const RUBY_CALLS: [&str; 8] = ["'lookup'", "\"lookup\"", "(:lookup", "function_lookup", "'hiera", "\"hiera", "(:hiera", "function_hiera"];

/// The directories of a module with code.
const DIRECTORIES: [&str; 5] = ["manifests", "functions", "plans", "templates", "lib/puppet"];

/// Limits how many files and directories are searched.
const MAX_FILES: usize = 20_000;

/// The code that looks up keys, and the keys that no code looks up.
pub(super) struct Mentions<'k> {
    /// The keys that were not found so far.
    pub unused: HashSet<&'k str>,
    /// Whether code looks up keys that are computed.
    pub has_computed: bool,
}

impl<'k> Mentions<'k> {
    /// Creates the search for keys.
    pub fn of(keys: HashSet<&'k str>) -> Mentions<'k> {
        Mentions { unused: keys, has_computed: false }
    }

    /// Searches a checked manifest.
    pub fn manifest(&mut self, text: &str, parsed: &Parsed) {
        self.words(text);
        if !FUNCTIONS.iter().any(|function| text.contains(function)) {
            return;
        }
        let mut open: Vec<&Expression> = parsed.tree.statements.iter().collect();
        while let Some(expression) = open.pop() {
            if let Some(key) = looked_up(expression) {
                self.key(key);
            }
            visit::children(expression, &mut |child| open.push(child));
        }
    }

    /// Searches the interpolated expressions of a data file.
    pub fn data(&mut self, text: &str) {
        for rest in text.split("%{").skip(1) {
            self.words(rest.split_once('}').map_or(rest, |(expression, _)| expression));
        }
    }

    /// Removes the keys that a text has as words.
    fn words(&mut self, text: &str) {
        for word in text.split(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | ':' | '-')) {
            self.unused.remove(word.trim_matches(':'));
        }
    }

    /// Searches the code of all modules, and of the environments in some directories.
    pub fn modules(&mut self, modules: &Modules<'_>, environments: &[PathBuf]) {
        let files = modules.types().files();
        let all = modules.all();
        let roots = all.iter().chain(environments);
        let mut open: Vec<PathBuf> = roots.flat_map(|root| DIRECTORIES.map(|directory| root.join(directory))).collect();
        let mut seen = 0;
        while let Some(path) = open.pop() {
            if self.unused.is_empty() {
                return;
            }
            seen += 1;
            if seen > MAX_FILES {
                self.unused.clear();
                return;
            }
            if files.is_directory(&path) {
                open.extend(files.entries(&path));
            } else {
                self.file(&path, &*files);
            }
        }
    }

    fn file(&mut self, path: &std::path::Path, files: &dyn Files) {
        let name = path.to_string_lossy();
        if !files.exists(path) || files.check(path).is_err() {
            return;
        }
        let Ok(text) = files.read(&name, false) else { return };
        if name.ends_with(".pp") {
            if !FUNCTIONS.iter().any(|function| text.contains(function)) {
                self.words(&text);
            } else if let Ok(source) = SourceMap::new().add(&*name, text.clone()) {
                self.manifest(&text, &parse(&source, Form::Manifest));
            }
        } else {
            self.words(&text);
            self.has_computed |= RUBY_CALLS.iter().any(|call| text.contains(call)) || name.ends_with(".epp") && text.contains("lookup(");
        }
    }

    /// Notes a key that is looked up. A key with variables is any key with the same beginning and end.
    fn key(&mut self, key: &Expression) {
        match &key.kind {
            ExpressionKind::Text(_) | ExpressionKind::Name(_) => {}
            ExpressionKind::Array(keys) => keys.iter().for_each(|key| self.key(key)),
            ExpressionKind::Interpolated(segments) => {
                let text = |segment: Option<&Segment>| match segment {
                    Some(Segment::Text(text)) => text.to_string(),
                    _ => String::new(),
                };
                let (start, end) = (text(segments.first()), text(segments.last()));
                self.has_computed |= start.is_empty() && end.is_empty();
                if !start.is_empty() || !end.is_empty() {
                    self.unused.retain(|key| !(key.starts_with(&start) && key.ends_with(&end)));
                }
            }
            ExpressionKind::Hash(options) => {
                let name = options
                    .iter()
                    .find(|entry| matches!(&entry.key.kind, ExpressionKind::Text(key) | ExpressionKind::Name(key) if key == "name"));
                match name {
                    Some(entry) => self.key(&entry.value),
                    None => self.has_computed = true,
                }
            }
            _ => self.has_computed = true,
        }
    }
}

/// Returns the key that a call looks up.
fn looked_up(expression: &Expression) -> Option<&Expression> {
    match &expression.kind {
        ExpressionKind::Call(call) => {
            let ExpressionKind::Name(name) = &call.function.kind else { return None };
            FUNCTIONS.contains(&name.trim_start_matches("::")).then(|| call.arguments.first())?
        }
        ExpressionKind::Method(call) => FUNCTIONS.contains(&call.name.text.as_str()).then_some(&call.receiver),
        _ => None,
    }
}
