//! `:load`, `:reload`, and types entered at the prompt.

use super::answer::Answer;
use super::backend::{Entry, ReplSession};
use super::expression::reusable_definition;
use crate::app::check::CheckSession;
use crate::app::input::{self, Collected};
use rtype_author::check::Input;
use rtype_author::testing::Suite;
use rtype_lang::debug::structure;
use rtype_lang::diagnostics::{Diagnostic, Outcome};
use rtype_lang::lower::{EnteredScope, lower_entered};
use rtype_lang::source::{Source, Span};
use rtype_lang::syntax::ast::{Block, Expr, ExprKind, Item};
use rtype_lang::syntax::parse_types;
use rtype_lang::types::{Registry, TestDef, TypeDef};
use rtype_lang::value::{ResourceRef, Value, inspect};
use rtype_model::manifest::{Declarations, from_source, suspects};
use std::path::Path;
use std::sync::Arc;

/// The file extensions that `:load` reads in directories.
const EXTENSIONS: &[&str] = &["rtype", "pp", "json", "yaml", "yml", "rb"];

/// An input that `:reload` loads again.
#[derive(Clone, Debug)]
pub(super) enum Loaded {
    /// A type file.
    Types(String),
    /// A file of resources.
    Resources(String),
    /// Types entered at the prompt: the name and content of the source.
    Typed(String, String),
}

impl ReplSession {
    /// Runs `:load FILE`.
    pub fn load(&mut self, path: &str, answer: &mut Answer) {
        let Collected { files, diagnostics: found, .. } = input::collect(&[path.to_owned()], EXTENSIONS, &self.access);
        answer.report(found);
        // Load types first, so that resources can use them.
        let (types, resources): (Vec<_>, Vec<_>) =
            input::ruby_types(&files).into_iter().partition(|f| f.extension().is_some_and(|e| e == "rtype" || e == "rb"));
        for file in types {
            let name = file.to_string_lossy().into_owned();
            if self.load_types(&name, answer) {
                self.remember(Loaded::Types(name));
            }
        }
        for file in resources {
            let name = file.to_string_lossy().into_owned();
            if name == "-" {
                answer.wrong(Span::NONE, "standard input is where commands come from", "name a file");
                continue;
            }
            if self.load_resources(&name, answer) {
                self.remember(Loaded::Resources(name));
            }
        }
    }

    fn remember(&mut self, loaded: Loaded) {
        let name = |l: &Loaded| match l {
            Loaded::Types(name) | Loaded::Resources(name) | Loaded::Typed(name, _) => name.clone(),
        };
        let wanted = name(&loaded);
        self.loaded.retain(|l| name(l) != wanted);
        self.loaded.push(loaded);
    }

    /// Loads types entered at the prompt, and keeps functions, constants, kinds and mixins for later inputs. An input with errors changes
    /// nothing.
    pub(super) fn take_types(&mut self, source: &Arc<Source>, answer: &mut Answer) {
        let Some(source) = self.with_computed_constants(source, answer) else { return };
        let source = &source;
        let before = self.types.registry();
        let mut types = self.types.clone();
        let loaded = types.load_entered(source, &self.workspace.definitions);
        let mut reported = self.reported;
        let mut found = types.new_diagnostics(&mut reported);
        found.extend(self.errors_in_definitions(&loaded));
        if found.iter().any(Diagnostic::is_error) {
            self.types.secrets.extend(&suspects(source));
            answer.report(found);
            if loaded.ast().items.len() > 1 {
                answer.say("nothing is defined: the input has errors");
            }
            return;
        }
        (self.types, self.reported) = (types, reported);
        answer.report(found);
        let changed = report_types(&loaded.types, &before, answer);
        for (what, name) in loaded.ast().items.iter().filter_map(reusable_definition) {
            answer.say(format!("{what} `{name}` is defined"));
        }
        self.keep_definitions(&loaded);
        let has_tests = loaded.ast().items.iter().any(|item| matches!(item, Item::Test(_)));
        self.texts.insert(source.name().to_owned(), loaded);
        if has_tests && changed.is_empty() {
            // Run the tests in the input immediately.
            let tests = self.types.tests(self.texts.get(source.name()));
            self.run_tests(&[], &tests, None, answer);
        }
        self.remember(Loaded::Typed(source.name().to_owned(), source.text().to_owned()));
        self.rebuild(&changed, &[], answer);
    }

    /// Returns an input of constants with the values of their expressions, as for `let`: `const LIMIT = BASE + 1`. In files, constants are
    /// literals. Reports an error and returns `None` if an expression fails, or if its value cannot be written as a literal.
    fn with_computed_constants(&mut self, source: &Arc<Source>, answer: &mut Answer) -> Option<Arc<Source>> {
        let (ast, found) = parse_types(source);
        let has_others = ast.items.iter().any(|item| !matches!(item, Item::Const(_)));
        let mut text = source.text().to_owned();
        for item in ast.items.iter().rev().filter(|_| found.is_empty() && !has_others) {
            let Item::Const(constant) = item else { continue };
            let expression = &constant.value;
            if !self.is_computed(expression) {
                continue;
            }
            let value = self.value_of(expression, &ast, answer)?;
            if !has_literal(&value) {
                let help = format!("keep it in a variable: `let {} = …`", constant.name.name.to_lowercase());
                answer.wrong(expression.span, format!("the value of `{}` cannot be written as a literal", constant.name.name), help);
                return None;
            }
            let offset = |at: u32| (at - source.base()) as usize;
            text.replace_range(offset(expression.span.start)..offset(expression.span.end), &inspect(&value));
        }
        if text == source.text() {
            return Some(Arc::clone(source));
        }
        self.types.sources.add(source.name(), text).map_err(|e| answer.wrong(source.span(), e.to_string(), "enter a shorter value")).ok()
    }

    /// Returns the errors in functions and constants, because loading an input without types does not check them.
    fn errors_in_definitions(&self, loaded: &rtype_lang::library::Loaded) -> Vec<Diagnostic> {
        let constant = |item: &Item| match item {
            Item::Const(c) => Some(Expr { kind: ExprKind::Name(c.name.name.clone()), span: c.name.span }),
            _ => None,
        };
        let items = &loaded.ast().items;
        let names_function = |item: &Item| matches!(item, Item::Fn(_) | Item::Const(_));
        if !items.iter().any(names_function) || items.iter().any(|item| matches!(item, Item::Type(_))) {
            return Vec::new();
        }
        let block = Block { statements: items.iter().filter_map(constant).collect(), span: loaded.ast().span };
        let definitions = std::iter::once(loaded).chain(&self.workspace.definitions).map(rtype_lang::library::Loaded::ast);
        let definitions: Vec<_> = definitions.collect();
        lower_entered(&block, EnteredScope { definitions: &definitions, ..EnteredScope::default() }).diagnostics
    }

    fn keep_definitions(&mut self, loaded: &rtype_lang::library::Loaded) {
        if loaded.ast().items.iter().any(|item| reusable_definition(item).is_some()) {
            self.workspace.definitions.insert(0, loaded.clone());
        }
    }

    fn load_types(&mut self, path: &str, answer: &mut Answer) -> bool {
        if let Err(why) = self.access.check(Path::new(path)) {
            answer.report([why]);
            return false;
        }
        let Some(input) = self.read_types(path, answer) else { return false };
        let changed = self.load_text(&input, answer);
        self.rebuild(&changed, &[], answer);
        true
    }

    /// Reads a type file, which may be written in Ruby.
    fn read_types(&self, path: &str, answer: &mut Answer) -> Option<Input> {
        let read = self.types.read_types(path);
        answer.report(read.diagnostics);
        let folder = Path::new(path).parent().filter(|_| !rtype_lang::library::is_ruby(Path::new(path)));
        Some(Input::Types(read.value?, folder.map(|folder| directory(folder).to_owned())))
    }

    fn read(&mut self, path: &str, answer: &mut Answer) -> Option<Arc<Source>> {
        self.types.read(path).map_err(|d| answer.report([d])).ok()
    }

    /// Loads the types in a source and reports them. Returns the names of the changed types.
    fn load_text(&mut self, input: &Input, answer: &mut Answer) -> Vec<String> {
        let before = self.types.registry();
        // The files that the source uses, and its providers, may have changed as well. The tests are not run here.
        let types = self.take(input);
        answer.report(self.types.new_diagnostics(&mut self.reported));
        report_types(&types, &before, answer)
    }

    /// Adds the types in a source to the session, and keeps the source for running tests.
    fn take(&mut self, input: &Input) -> Vec<Arc<TypeDef>> {
        let Some(loaded) = CheckSession::load(input, &mut self.types) else { return Vec::new() };
        let types = loaded.types.clone();
        if let Input::Types(source, _) = input {
            self.texts.insert(source.name().to_owned(), loaded);
        }
        types
    }

    /// Runs `:test`.
    pub(super) fn test(&self, filter: &str, answer: &mut Answer) {
        if self.texts.is_empty() {
            return answer.say("no type file is loaded; `:load FILE` loads one");
        }
        let tests = self.types.tests(self.texts.values());
        let types: Vec<Arc<TypeDef>> = self.texts.values().flat_map(|loaded| loaded.types.iter().cloned()).collect();
        let filter = Some(filter).filter(|filter| !filter.is_empty());
        self.run_tests(&types, &tests, filter, answer);
    }

    fn run_tests(&self, types: &[Arc<TypeDef>], tests: &Outcome<Vec<TestDef>>, filter: Option<&str>, answer: &mut Answer) {
        answer.report(tests.diagnostics.iter().cloned());
        let suite = Suite::run(types, tests, filter, &self.types, &self.natives);
        answer.report(suite.failures().cloned());
        match filter {
            Some(filter) if suite.is_empty() => answer.say(format!("no test fits `{filter}`")),
            _ => answer.say(suite.text(&self.types.sources)),
        }
    }

    /// Rebuilds and shows the resources of these types, except resources declared in `files`.
    fn rebuild(&mut self, types: &[String], files: &[String], answer: &mut Answer) {
        let is_affected = |r: &ResourceRef, e: &Entry| {
            types.iter().any(|t| t == r.type_name.as_str()) && !e.file.as_ref().is_some_and(|f| files.contains(f))
        };
        let affected: Vec<(ResourceRef, Entry)> =
            self.declared.iter().filter(|(r, e)| is_affected(r, e)).map(|(r, e)| (r.clone(), e.clone())).collect();
        if affected.is_empty() {
            return;
        }
        for (reference, _) in &affected {
            self.drop_instance(reference);
        }
        let resources = affected.into_iter().map(|(_, e)| e.declared).collect();
        let built = self.build(&Declarations { resources, ..Declarations::default() }, answer);
        self.show(&built, answer);
    }

    fn load_resources(&mut self, path: &str, answer: &mut Answer) -> bool {
        let Some(source) = self.read(path, answer) else { return false };
        let (declarations, found) = from_source(&source, &self.machine);
        self.types.secrets.extend(&declarations.secrets);
        answer.report(found);
        // Remove what the file no longer declares.
        let gone: Vec<ResourceRef> = self
            .declared
            .iter()
            .filter(|(r, e)| e.file.as_deref() == Some(path) && !declarations.resources.iter().any(|d| d.reference() == **r))
            .map(|(r, _)| r.clone())
            .collect();
        for reference in gone {
            self.declared.shift_remove(&reference);
            self.drop_instance(&reference);
            answer.say(format!("{reference} is no longer in `{path}`"));
        }
        // Loading a file again replaces the resources of the file without a message.
        self.declared.retain(|_, e| e.file.as_deref() != Some(path));
        self.declare(declarations, Some(path), answer);
        true
    }

    /// Runs `:reload`.
    pub(super) fn reload(&mut self, answer: &mut Answer) {
        let before = self.types.registry();
        self.types = self.types.reloaded();
        self.reported = 0;
        self.titles = super::titles::Titles::default();
        self.workspace.definitions.clear();
        let loaded = self.loaded.clone();
        let mut read = 0;
        for one in &loaded {
            match one {
                Loaded::Types(path) => {
                    if let Some(input) = self.read_types(path, answer) {
                        self.take(&input);
                        read += 1;
                    }
                }
                Loaded::Typed(name, text) => {
                    if let Ok(source) = self.types.sources.add(name.as_str(), text.as_str()) {
                        let loaded = self.types.load_entered(&source, &self.workspace.definitions);
                        self.keep_definitions(&loaded);
                        self.texts.insert(source.name().to_owned(), loaded);
                    }
                }
                Loaded::Resources(_) => {}
            }
        }
        let mut changed = Vec::new();
        for older in before.iter() {
            let name = older.name.to_string();
            let now = self.types.load(&name);
            answer.report(self.types.new_diagnostics(&mut self.reported));
            match now {
                Some(now) if same(older, &now) => {}
                Some(now) => {
                    answer.say(format!("type `{name}` has changed: {}", counts(&now)));
                    changed.push(name);
                }
                None => {
                    self.types.insert(Arc::clone(older));
                    answer.say(format!("type `{name}` stays as it was: what is there now cannot be used"));
                }
            }
        }
        let mut files = Vec::new();
        for one in &loaded {
            if let Loaded::Resources(path) = one
                && self.load_resources(path, answer)
            {
                read += 1;
                files.push(path.clone());
            }
        }
        self.rebuild(&changed, &files, answer);
        answer.say(format!("{read} file{} read again", if read == 1 { "" } else { "s" }));
    }
}

/// Reports each type as new, unchanged or replaced. Returns the names of all types.
fn report_types(types: &[Arc<TypeDef>], before: &Registry, answer: &mut Answer) -> Vec<String> {
    for type_def in types {
        let name = type_def.name.as_str();
        match before.get(name) {
            None => answer.say(format!("type `{name}` is loaded: {}", counts(type_def))),
            Some(older) if same(older, type_def) => answer.say(format!("type `{name}` is as it was")),
            Some(_) => answer.say(format!("type `{name}` takes the place of the older one: {}", counts(type_def))),
        }
    }
    types.iter().map(|type_def| type_def.name.to_string()).collect()
}

/// Returns the directory of a file; `.` for a bare file name.
fn directory(of: &Path) -> &Path {
    if of.as_os_str().is_empty() { Path::new(".") } else { of }
}

/// Returns whether two versions of a type are equal, ignoring source locations.
fn same(a: &TypeDef, b: &TypeDef) -> bool {
    let without_places = |t: &TypeDef| {
        let text = structure(t);
        // A span is formatted as `12..34`.
        let place = regex::Regex::new(r"\d+\.\.\d+|fingerprint: \d+");
        place.map_or_else(|_| text.clone(), |place| place.replace_all(&text, "").into_owned())
    };
    without_places(a) == without_places(b)
}

fn counts(type_def: &TypeDef) -> String {
    let plural = |n: usize, one: &str, many: &str| format!("{n} {}", if n == 1 { one } else { many });
    let params = type_def.params().filter(|a| a.name.as_str() != "provider").count();
    let providers = match type_def.providers.len() {
        0 => "no provider, `:is` pretends its state".to_owned(),
        n => plural(n, "provider", "providers"),
    };
    format!("{}, {}, {providers}", plural(type_def.properties().count(), "property", "properties"), plural(params, "param", "params"))
}

/// Returns whether a value can be written as a literal of a type file.
fn has_literal(value: &Value) -> bool {
    match value {
        Value::Nil | Value::Bool(_) | Value::Int(_) | Value::Str(_) | Value::Sym(_) | Value::Regex(_) => true,
        Value::Float(number) => number.is_finite(),
        Value::Array(elements) => elements.iter().all(has_literal),
        Value::Map(map) => map.iter().all(|(key, value)| has_literal(key) && has_literal(value)),
        Value::Binary(_) | Value::Sensitive(_) | Value::Resource(_) | Value::Object(_) | Value::Type(_) | Value::Unknown => false,
    }
}
