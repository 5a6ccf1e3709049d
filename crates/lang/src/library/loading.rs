//! Loads types on demand and remembers them.

use super::home::{Home, RUBY_TYPES, key_of, type_name, word_before};
use super::trees::{ParsedText, SyntaxTrees, parse};
use super::{Loaded, PRELUDE, STANDARD, TypeLoader, expected_name, follow_ups, types_directory};
use crate::diagnostics::{Code, Diagnostic, Outcome, Redactions, suggest_nearest};
use crate::lower::{Lowered, MemberName, ParentTypes, Reference, SharedRegexes, Unread, foreign_parents, lower, lower_tests, unread};
use crate::source::{Source, SourceMap, Span, TooLarge};
use crate::syntax::ast::{Ast, Declaration, ExprKind, Item};
use crate::types::{ProviderBody, ProviderDef, Registry, TestDef, TypeDef};
use indexmap::{IndexMap, IndexSet};
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// A parsed file.
#[derive(Debug)]
pub(super) struct Parsed {
    pub ast: Arc<Ast>,
    /// The unparsed regions of the source.
    pub unread: Unread,
    /// The origin that `use` searches first.
    pub home: Home,
    /// Earlier inputs in the session, newest first. The file can use their definitions.
    pub session: Vec<Arc<Parsed>>,
    /// The types without errors, set once the file is lowered.
    pub types: OnceLock<Vec<Arc<TypeDef>>>,
    /// The names in the file, set with the types.
    pub references: OnceLock<Arc<[Reference]>>,
}

/// The files lowered together with a file: the files it uses, further providers for its types, the prelude, features.
type Used = Vec<Arc<Parsed>>;

impl Parsed {
    pub fn new(ast: Arc<Ast>, unread: Unread, home: Home, session: Vec<Arc<Parsed>>) -> Parsed {
        Parsed { ast, unread, home, session, types: OnceLock::new(), references: OnceLock::new() }
    }

    fn lower(&self, used: &Used, foreign: ParentTypes, regexes: &SharedRegexes) -> Lowered {
        let asts: Vec<&Ast> = used.iter().map(|p| &*p.ast).collect();
        lower(&self.ast, &asts, foreign, regexes).without_consequences(&self.ast, &self.unread)
    }
}

/// The results of loading so far.
#[derive(Clone, Debug)]
pub(super) struct Loading {
    pub loader: Arc<TypeLoader>,
    pub sources: SourceMap,
    pub secrets: Redactions,
    /// The types loaded so far.
    pub registry: Registry,
    /// Types with errors. They are not used, but tests can name their declarations.
    with_errors: IndexMap<String, Arc<TypeDef>>,
    /// All diagnostics so far, in the order of loading.
    pub diagnostics: Vec<Diagnostic>,
    pub parsed: IndexMap<String, Option<Arc<Parsed>>>,
    tried: IndexSet<String>,
    /// Sources in memory that contain tests.
    tested: Vec<Arc<Parsed>>,
    /// Sources entered at a prompt that define types, and types lowered again with an entered provider, oldest first.
    entered: Vec<Arc<Parsed>>,
    pub prelude: Option<Arc<Parsed>>,
    modules: OnceLock<Vec<PathBuf>>,
    /// The names in all lowered files.
    pub references: Vec<Arc<[Reference]>>,
    /// The owners of these names.
    pub members: Vec<Arc<[MemberName]>>,
    /// The files that other files use.
    pub used_files: Vec<Reference>,
    /// The regexes of all types.
    pub regexes: SharedRegexes,
    /// The syntax trees of earlier sets with the same sources.
    pub trees: Option<SyntaxTrees>,
}

impl Loading {
    pub fn new(loader: Arc<TypeLoader>, sources: SourceMap, secrets: Redactions) -> Loading {
        Loading {
            loader,
            sources,
            secrets,
            registry: Registry::default(),
            with_errors: IndexMap::new(),
            diagnostics: Vec::new(),
            parsed: IndexMap::new(),
            tried: IndexSet::new(),
            tested: Vec::new(),
            entered: Vec::new(),
            prelude: None,
            modules: OnceLock::new(),
            references: Vec::new(),
            members: Vec::new(),
            used_files: Vec::new(),
            regexes: SharedRegexes::default(),
            trees: None,
        }
    }

    /// Returns this state with other sources and secrets.
    pub fn with(self, sources: SourceMap, secrets: Redactions) -> Loading {
        Loading { sources, secrets, trees: None, ..self }
    }

    /// Adds a source, unless the shared syntax trees contain it.
    pub fn keep(&self, name: &str, text: String) -> Result<Arc<Source>, TooLarge> {
        match &self.trees {
            Some(trees) => trees.keep(name, text),
            None => self.sources.add(name, text),
        }
    }

    /// Parses a source, unless the shared syntax trees contain its tree.
    pub fn parse(&self, source: &Source) -> Arc<ParsedText> {
        self.trees.as_ref().map_or_else(|| Arc::new(parse(source)), |trees| trees.parse(source))
    }

    /// Returns the origins to search for types, in order. The search for modules starts when a type is first needed.
    fn homes(&self) -> Vec<Home> {
        let modules = self.modules.get_or_init(|| self.loader.modules());
        self.loader.homes().chain(modules.iter().cloned().map(Home::Module)).collect()
    }

    /// Returns the names of all available types, sorted.
    pub fn names(&self) -> Vec<String> {
        let mut names: IndexSet<String> = self.registry.iter().map(|t| t.name.to_string()).collect();
        for home in self.homes() {
            let (folder, extension) = match home {
                Home::Directory(directory) => (directory, "rtype"),
                Home::Module(lib) => (lib.join(RUBY_TYPES), "rb"),
                Home::Standard => continue,
            };
            names.extend(self.loader.files.entries(&folder).iter().filter_map(|path| word_before(path, extension)));
        }
        names.extend(STANDARD.files().filter_map(|f| type_name(f.path())));
        names.shift_remove(PRELUDE);
        let mut names: Vec<_> = names.into_iter().collect();
        names.sort();
        names
    }

    /// Returns the syntax tree for `use "path"` in `user`, if the used file has been read.
    pub fn read_as(&self, path: &str, user: &Source) -> Option<Arc<Parsed>> {
        let folder = types_directory(Path::new(user.name()).parent().unwrap_or(Path::new("")));
        let homes = [folder.parent().map(|p| Home::Directory(p.to_owned())), Some(Home::Standard)];
        // A source in memory may have a name without directory.
        let named = self.loader.directories().iter().cloned().map(Home::Directory);
        let mut homes = [Home::Directory(folder)].into_iter().chain(homes.into_iter().flatten()).chain(named);
        homes.find_map(|home| self.parsed.get(&home.key(path))?.clone())
    }

    /// Returns the type `name`, loading it if necessary. Problems are added to the diagnostics.
    pub fn load(&mut self, name: &str) -> Option<Arc<TypeDef>> {
        if let Some(loaded) = self.registry.get(name) {
            return Some(Arc::clone(loaded));
        }
        let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !plain || name == PRELUDE || !self.tried.insert(name.to_owned()) {
            return None;
        }
        for home in self.homes() {
            if let Some(parsed) = self.file(&home, name) {
                self.note_shadowing(&home, name, &parsed);
                self.lower(&parsed, Some(name));
                return self.registry.get(name).cloned();
            }
        }
        None
    }

    /// Loads the types in a source from the caller, such as a file to check or a REPL input.
    ///
    ///
    /// `directory` is searched first for used files and for providers.
    pub fn load_text(&mut self, source: &Source, directory: Option<&Path>) -> Loaded {
        let file = self.hand_over(source, directory, Vec::new(), &self.parse(source));
        self.lower_providers(&file);
        let types = self.lower(&file, expected_name(source).as_deref());
        Loaded { types, file }
    }

    /// Loads the types in a source entered at a prompt, which can use the definitions of earlier inputs in the session. A provider for
    /// a type outside of the source is added to the type.
    pub fn load_entered(&mut self, source: &Source, session: Vec<Arc<Parsed>>) -> Loaded {
        let file = self.hand_over(source, None, session, &self.parse(source));
        let mut types = self.lower(&file, None);
        self.entered.push(Arc::clone(&file));
        for (target, span) in provider_targets(&file.ast) {
            if !declares(&file.ast, &target) {
                types.extend(self.with_entered_provider(&file, &target, span));
            }
        }
        Loaded { types, file }
    }

    /// Lowers a type again with the providers in an entered file, which replace earlier providers with the same names.
    fn with_entered_provider(&mut self, file: &Arc<Parsed>, target: &str, span: Span) -> Option<Arc<TypeDef>> {
        let before = self.diagnostics.len();
        let type_def = self.load(target);
        let here = |file: &&Arc<Parsed>| type_def.as_ref().is_some_and(|t| file.ast.span.contains(t.span));
        let Some(owner) = self.entered.iter().rev().chain(self.parsed.values().flatten()).find(here).cloned() else {
            // A type that cannot be loaded has errors.
            if self.diagnostics.len() == before {
                self.diagnostics.push(self.unknown_type(target, span));
            }
            return None;
        };
        let is_known = |older: &&Arc<Parsed>, known: &[Arc<Parsed>]| known.iter().any(|known| known.ast.span == older.ast.span);
        let definitions = file.session.iter().filter(|older| older.ast.span != owner.ast.span);
        let providers = owner.session.iter().filter(|older| !is_known(older, &file.session));
        let older = definitions.chain(providers).map(|older| Arc::new(without_providers_of(older, &file.ast)));
        let session = std::iter::once(Arc::clone(file)).chain(older).collect();
        let ast = without_providers_of(&owner, &file.ast).ast;
        let whole = Arc::new(Parsed::new(ast, owner.unread.clone(), owner.home.clone(), session));
        let start = self.diagnostics.len();
        let types = self.lower(&whole, None);
        let found = self.diagnostics.split_off(start);
        self.diagnostics.extend(found.into_iter().filter(|d| file.ast.span.contains(d.span())));
        self.entered.push(whole);
        types.into_iter().find(|t| t.name.as_str() == target)
    }

    /// Loads the types in many sources, each with its directory. Independent sources are lowered in parallel.
    pub fn load_texts(&mut self, texts: &[(&Source, Option<&Path>)]) -> Vec<Loaded> {
        let parsed: Vec<_> = texts.par_iter().map(|(source, _)| self.parse(source)).collect();
        let files: Vec<Arc<Parsed>> =
            texts.iter().zip(parsed).map(|((s, directory), p)| self.hand_over(s, *directory, Vec::new(), &p)).collect();
        let mut alone: Vec<(&Source, &Arc<Parsed>, Used)> = Vec::new();
        let mut linked: Vec<(&Arc<Parsed>, Used)> = Vec::new();
        for (file, (source, _)) in files.iter().zip(texts) {
            self.lower_providers(file);
            let used = self.used(file, expected_name(source).as_deref());
            if foreign_parents(used.iter().map(|p| &*p.ast).chain([&*file.ast])).is_empty() {
                alone.push((source, file, used));
            } else {
                linked.push((file, used));
            }
        }
        let (trees, regexes) = (&self.trees, &self.regexes);
        let lower = |(source, file, used): &(&Source, &Arc<Parsed>, Used)| {
            let lower = || file.lower(used, ParentTypes::new(), regexes);
            let context = || used.iter().map(|p| p.ast.span).collect();
            trees.as_ref().map_or_else(lower, |trees| trees.lower(source, context(), lower))
        };
        let lowered: Vec<Lowered> = alone.par_iter().map(lower).collect();
        for ((_, file, _), lowered) in alone.into_iter().zip(lowered) {
            self.take(file, lowered);
        }
        for (file, used) in linked {
            self.lower_with(file, &used);
        }
        files.into_iter().map(|file| Loaded { types: file.types.get().cloned().unwrap_or_default(), file }).collect()
    }

    /// Registers a parsed source. From now on, a `use` of this path refers to this source.
    fn hand_over(&mut self, source: &Source, directory: Option<&Path>, session: Vec<Arc<Parsed>>, parsed: &ParsedText) -> Arc<Parsed> {
        let unread = unread(&parsed.diagnostics, source);
        self.diagnostics.extend(parsed.diagnostics.iter().cloned());
        let home = directory.map_or(Home::Standard, |d| Home::Directory(types_directory(d)));
        let file = Arc::new(Parsed::new(Arc::clone(&parsed.ast), unread, home, session));
        if directory.is_some() {
            self.parsed.insert(key_of(Path::new(source.name())), Some(Arc::clone(&file)));
        }
        if file.ast.items.iter().any(|i| matches!(i, Item::Test(_))) {
            self.tested.push(Arc::clone(&file));
        }
        file
    }

    /// Returns the tests in the file of a type, without reporting problems in them.
    pub fn tests_beside(&mut self, type_def: &TypeDef) -> Vec<TestDef> {
        let mut files = self.parsed.values().flatten().chain(&self.tested);
        let Some(file) = files.find(|f| f.ast.span.contains(type_def.span)).cloned() else { return Vec::new() };
        self.tests_in(&file).value
    }

    /// Returns the tests in a file, about any type.
    pub fn tests_in(&mut self, file: &Parsed) -> Outcome<Vec<TestDef>> {
        let mut context = Vec::new();
        // Unresolved `use` directives have already been reported.
        let reported = self.diagnostics.len();
        self.uses(&file.ast, &file.home, &mut context);
        self.diagnostics.truncate(reported);
        context.extend(file.session.iter().cloned());
        let asts: Vec<&Ast> = context.iter().map(|p| &*p.ast).collect();
        let lowered = lower_tests(&file.ast, &asts, &mut |name| self.load(name));
        if !self.with_errors.is_empty() {
            // Diagnostics in these tests would be consequences of the errors in their types.
            let of_errors = lower_tests(&file.ast, &asts, &mut |name| self.with_errors.get(name).cloned());
            self.references.push(of_errors.references.into());
            self.members.push(of_errors.members.into());
            of_errors.secrets.into_iter().for_each(|s| self.hide(s));
        }
        self.references.push(lowered.references.into());
        self.members.push(lowered.members.into());
        let mut diagnostics = lowered.diagnostics;
        lowered.secrets.into_iter().for_each(|s| self.hide(s));
        for (name, span) in lowered.unknown {
            // Errors in an existing type have already been reported.
            if !self.names().iter().any(|n| *n == *name) && !declares(&file.ast, &name) {
                diagnostics.push(self.unknown_type(&name, span));
            }
        }
        Outcome { value: lowered.tests, diagnostics }
    }

    /// Lowers the providers in a file without their type, together with the type, to report their problems.
    fn lower_providers(&mut self, file: &Parsed) {
        if file.ast.items.iter().any(|i| matches!(i, Item::Type(_))) {
            return;
        }
        for (target, span) in provider_targets(&file.ast) {
            let Some(owner) = self.file(&file.home, &target).or_else(|| self.file(&Home::Standard, &target)) else {
                let unknown = self.unknown_type(&target, span);
                self.diagnostics.push(unknown);
                continue;
            };
            let mut context = Vec::new();
            self.uses(&owner.ast, &owner.home, &mut context);
            context.extend(self.prelude());
            let asts: Vec<&Ast> = [&*file.ast].into_iter().chain(context.iter().map(|p| &*p.ast)).collect();
            let here = file.ast.span;
            let foreign = self.foreign(foreign_parents(asts.iter().copied().chain([&*owner.ast])));
            let lowered = lower(&owner.ast, &asts, foreign, &self.regexes);
            self.diagnostics.extend(lowered.diagnostics.into_iter().filter(|d| here.contains(d.span())));
            self.references.push(lowered.references.into_iter().filter(|r| here.contains(r.span)).collect());
            self.members.push(lowered.members.into());
        }
    }

    /// Returns the diagnostic for an unknown type, with a suggestion.
    pub fn unknown_type(&self, name: &str, span: Span) -> Diagnostic {
        let names = self.names();
        let near = suggest_nearest(name, names.iter().map(String::as_str).filter(|known| *known != name));
        Diagnostic::new(Code::UnknownType, span, format!("unknown type `{name}`"))
            .help(near.unwrap_or_else(|| "`rtype describe --list` shows all types; add your own with `--types DIR`, those of Puppet's modules with `--modulepath DIR`".into()))
    }

    fn lower(&mut self, file: &Arc<Parsed>, expected_name: Option<&str>) -> Vec<Arc<TypeDef>> {
        if file.types.get().is_none() {
            let used = self.used(file, expected_name);
            self.lower_with(file, &used);
        }
        file.types.get().cloned().unwrap_or_default()
    }

    fn lower_with(&mut self, file: &Arc<Parsed>, used: &Used) {
        let foreign = self.foreign(foreign_parents(used.iter().map(|p| &*p.ast).chain([&*file.ast])));
        let lowered = file.lower(used, foreign, &self.regexes);
        self.take(file, lowered);
    }

    /// Collects the files that a file must be lowered with.
    fn used(&mut self, file: &Parsed, expected_name: Option<&str>) -> Used {
        let mut used: Used = Vec::new();
        let types: Vec<_> = file
            .ast
            .items
            .iter()
            .filter_map(|i| if let Item::Type(t) = i { Some((t.name.name.to_string(), t.name.span)) } else { None })
            .collect();
        if let (Some(expected), [(only, span)]) = (expected_name, types.as_slice())
            && *only != expected.replace('-', "_")
            // Not derived from an invalid name.
            && self.sources.slice(*span) == only
        {
            self.diagnostics.push(
                Diagnostic::new(
                    Code::FileNameMismatch,
                    *span,
                    format!("type `{only}` must be defined in `{only}.rtype`, not in `{expected}.rtype`"),
                )
                .help(format!("rename the file to `{only}.rtype`: a type is found by the name of its file")),
            );
        }
        self.uses(&file.ast, &file.home, &mut used);
        used.extend(file.session.iter().cloned());
        for (name, _) in &types {
            for provider in self.all_provider_files(&file.home, name) {
                self.uses(&provider.ast, &provider.home, &mut used);
                used.push(provider);
            }
        }
        let prelude = self.prelude();
        used.extend(prelude);
        used.extend(self.features(&file.home, &file.ast));
        used
    }

    /// Stores the result of lowering a file.
    fn take(&mut self, file: &Parsed, lowered: Lowered) {
        follow_ups::drop_arguments_of_refused(&mut self.diagnostics, &lowered.diagnostics, &self.sources);
        self.diagnostics.extend(lowered.diagnostics);
        for secret in lowered.secrets {
            self.hide(secret);
        }
        lowered.secret_code.into_iter().for_each(|code| self.hide_literals(code));
        let types: Vec<Arc<TypeDef>> = lowered.types.into_iter().map(|t| self.with_directories(t)).collect();
        for type_def in &types {
            self.tried.insert(type_def.name.to_string());
            self.registry.insert(Arc::clone(type_def));
        }
        self.with_errors.extend(lowered.with_errors.into_iter().map(|t| (t.name.to_string(), t)));
        let references: Arc<[Reference]> = lowered.references.into();
        self.references.push(Arc::clone(&references));
        self.members.push(lowered.members.into());
        drop(file.references.set(references));
        // If types depend on each other in a cycle, they are lowered recursively: the first result is kept.
        drop(file.types.set(types));
    }

    /// Sets the directory of a program provider to its declaration's directory.
    fn with_directories(&self, mut type_def: Arc<TypeDef>) -> Arc<TypeDef> {
        let is_program = |p: &ProviderDef| matches!(p.body, ProviderBody::Program(_));
        if !type_def.providers.values().any(is_program) {
            return type_def;
        }
        for provider in Arc::make_mut(&mut type_def).providers.values_mut() {
            if let ProviderBody::Program(program) = &mut provider.body {
                let name = self.sources.find(program.span).map(|s| s.name()).filter(|name| !name.starts_with('<'));
                program.directory = name.and_then(|name| Some(Path::new(name).parent()?.to_string_lossy().as_ref().into()));
            }
        }
        type_def
    }

    /// Loads the types with providers that are parents of other types' providers.
    fn foreign(&mut self, wanted: Vec<(String, Span)>) -> ParentTypes {
        let mut found = ParentTypes::new();
        for (name, span) in wanted {
            let loaded = match self.load(&name) {
                Some(type_def) => Ok(type_def),
                None if self.names().contains(&name) => continue,
                None => Err(self.unknown_type(&name, span)),
            };
            found.insert(name, loaded);
        }
        found
    }

    /// Adds a note if a type replaces a type in the standard library.
    fn note_shadowing(&mut self, home: &Home, name: &str, parsed: &Parsed) {
        if *home == Home::Standard || STANDARD.get_file(format!("{name}.rtype")).is_none() {
            return;
        }
        let span = parsed.ast.items.iter().find_map(|i| if let Item::Type(t) = i { Some(t.name.span) } else { None });
        self.diagnostics.push(
            Diagnostic::new(
                Code::TypeShadowed,
                span.unwrap_or_default(),
                format!("the type `{name}` takes the place of the standard library's"),
            )
            .help("it does so as a whole, with its providers; rename it unless that is meant"),
        );
    }
}

/// Returns `true` if a file defines the type `name`.
fn declares(file: &Ast, name: &str) -> bool {
    file.items.iter().any(|i| matches!(i, Item::Type(t) if t.name.name == name))
}

/// Returns the types that the providers of a file are for, each once.
fn provider_targets(file: &Ast) -> IndexMap<String, Span> {
    let mut targets = IndexMap::new();
    for item in &file.items {
        let Item::Provider(provider) = item else { continue };
        if let Some((target, span)) = provider_target(provider) {
            targets.entry(target.to_owned()).or_insert(span);
        }
    }
    targets
}

/// Returns the type that a provider is for.
fn provider_target(provider: &Declaration) -> Option<(&str, Span)> {
    let named = provider.options.iter().find(|o| o.name.name == "for")?;
    let ExprKind::Word(target) = &named.value.kind else { return None };
    Some((target, named.value.span))
}

/// Returns a copy of a file without the providers that `newer` declares again.
fn without_providers_of(file: &Parsed, newer: &Ast) -> Parsed {
    let is_same = |a: &Declaration, b: &Declaration| {
        a.name.name == b.name.name && provider_target(a).map(|(name, _)| name) == provider_target(b).map(|(name, _)| name)
    };
    let is_replaced = |older: &Declaration| newer.items.iter().any(|i| matches!(i, Item::Provider(p) if is_same(p, older)));
    let mut ast = Ast::clone(&file.ast);
    ast.items.retain(|item| !matches!(item, Item::Provider(p) if is_replaced(p)));
    Parsed::new(Arc::new(ast), file.unread.clone(), file.home.clone(), file.session.clone())
}
