//! The state shared by all commands: types, machine and providers.

use crate::app::begin_run;
use crate::app::check::{CheckSession, input_of, is_type_file};
use crate::app::compile::{CompileOptions, Compiler, this_machine};
use crate::app::environment;
use crate::app::hidden::Hidden;
use crate::app::input::{self, Boundary, Collected, FileAccess};
use crate::app::ruby;
use rtype_author::check::config::{self, Config, ConfigSetting};
use rtype_author::check::{Input, LeftOut, LeftOutReason, Root};
use rtype_lang::diagnostics::{Code, Diagnostic, Redactions, Tally};
use rtype_lang::library::{Loaded, STDIN, TypeLoader, TypeSet};
use rtype_lang::source::{Source, SourceMap, Span};
use rtype_lang::types::TypeDef;
use rtype_lang::value::{EcoString, ResourceRef};
use rtype_model::manifest::{DataFormat, Declarations, Declared, DeclaredValue, from_source, holds_resources, is_data, suspects};
use rtype_model::resource::{BlockMessage, Catalog};
use rtype_provider::ruby::{RubyHost, RubyOptions};
use rtype_provider::{Machine, NativeProviders, System};
use rtype_system::{named, process};
use serde_json::Value as Json;
use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The configuration for commands that run programs, unless the user names another configuration.
const MACHINE_CONFIG: &str = "/etc/rtype/rtype.toml";

/// Returns whether a configuration names type directories. A configuration that cannot be parsed counts as naming some.
fn names_types(path: &Path) -> bool {
    let text = FileAccess::Any.read(&path.to_string_lossy(), false).ok();
    let source = text.and_then(|text| SourceMap::new().add("", text).ok());
    source.and_then(|source| config::parse(&source, Root::default()).ok()).is_none_or(|config| !config.types.is_empty())
}

/// Options of a session.
#[derive(Debug)]
pub struct SessionOptions<'a> {
    /// Type directories in addition to the built-in ones.
    pub types: &'a [PathBuf],
    /// Directories of Puppet modules.
    pub modulepath: &'a [PathBuf],
    /// The configuration to use instead of the nearest `rtype.toml`.
    pub config: Option<&'a Path>,
    /// Whether links may lead out of the repository.
    pub allow_outside: bool,
    /// Whether providers start programs. Only files that no other user controls are trusted then.
    pub runs_programs: bool,
    /// The time limit in seconds per resource for providers that exist only in Ruby; `None` to not run them.
    pub ruby_providers: Option<u64>,
    /// Whether to print more detail.
    pub verbose: bool,
    /// The maximum number of findings shown.
    pub max_findings: usize,
}

/// Returns the Ruby code for providers in Ruby: the modules in the module path, and all directories of types that are modules.
fn ruby_options(options: &SessionOptions, time_limit: u64) -> RubyOptions {
    let absolute = |path: &PathBuf| std::path::absolute(path).unwrap_or_else(|_| path.clone());
    let modulepath: Vec<PathBuf> = options.modulepath.iter().map(absolute).collect();
    let directories = |path: &PathBuf| {
        let mut found: Vec<PathBuf> = named::entries(path).into_iter().flatten().map(|entry| entry.path()).collect();
        found.sort();
        found
    };
    let modules = options.types.iter().map(absolute).chain(modulepath.iter().flat_map(directories));
    let libraries = modules.map(|module| module.join("lib")).filter(|path| named::is_dir(path)).collect();
    RubyOptions { modulepath, libraries, time_limit, is_verbose: options.verbose }
}

/// The output for the diagnostics of a session.
pub trait Show {
    /// Prints a diagnostic.
    ///
    /// # Errors
    /// If the diagnostic cannot be written.
    fn diagnostic(&mut self, diagnostic: &Diagnostic, sources: &SourceMap, secrets: &Redactions) -> io::Result<()>;
}

/// The state of one run.
pub struct Session {
    /// The types.
    pub types: TypeSet,
    /// Native providers.
    pub natives: NativeProviders,
    /// The machine.
    pub machine: Machine,
    /// Whether to print more detail.
    pub verbose: bool,
    /// The settings in `rtype.toml`.
    pub config: Config,
    /// The files that may be opened in addition to the files named by the user.
    pub access: FileAccess,
    /// A configuration that was found but is not used.
    ignored: Option<PathBuf>,
    /// The directories to search for types.
    directories: Vec<PathBuf>,
    /// The directories to search for Puppet modules.
    pub modulepath: Vec<PathBuf>,
    /// The maximum number of findings shown.
    pub max_findings: usize,
    /// The problems with the options and the configuration.
    unusable: Vec<Diagnostic>,
    /// The number of type diagnostics already shown.
    shown: usize,
    /// Secrets that the declarations do not mark.
    pub hidden: Hidden,
}

impl Session {
    /// Begins a run. [`Session::show`] prints the problems with the options and the configuration.
    pub fn new(options: &SessionOptions, natives: NativeProviders) -> Session {
        let mut session = Session {
            types: TypeSet::default(),
            natives,
            machine: Machine::new(System::host()),
            verbose: options.verbose,
            max_findings: options.max_findings,
            config: Config::default(),
            access: FileAccess::Any,
            ignored: None,
            directories: options.types.to_vec(),
            modulepath: options.modulepath.to_vec(),
            unusable: Vec::new(),
            shown: 0,
            hidden: Hidden::default(),
        };
        session.natives.programs.tell_more(options.verbose);
        if let Some(seconds) = options.ruby_providers {
            session.natives.programs.run_ruby(ruby_options(options, seconds));
            session.machine = session.machine.with_ruby(session.natives.programs.ruby().cloned());
        }
        session.look_at_options(options);
        session.configure(options);
        if session.is_usable() {
            session.start_afresh();
        }
        session
    }

    /// Checks the directories named by options.
    fn look_at_options(&mut self, options: &SessionOptions) {
        let types = options.types.iter().map(|path| ("--types", path));
        let modules = options.modulepath.iter().map(|path| ("--modulepath", path));
        for (option, path) in types.chain(modules) {
            let checked = input::directory(option, path);
            let checked = if options.runs_programs { checked.and_then(|()| input::trusted(path).map(drop)) } else { checked };
            self.unusable.extend(checked.err());
        }
    }

    /// Reads `rtype.toml`.
    fn configure(&mut self, options: &SessionOptions) {
        let here = process::working_directory().unwrap_or_default();
        let (named, runs_programs) = (options.config, options.runs_programs);
        let nearest = || input::find_above(&here, config::FILE);
        let path = match named {
            Some(path) => Some(path.to_owned()),
            None if runs_programs => {
                let machine = Path::new(MACHINE_CONFIG);
                self.ignored = nearest().filter(|path| path != machine && names_types(path));
                named::is_file(machine).then(|| machine.to_owned())
            }
            None => nearest(),
        };
        let folder = path.as_ref().and_then(|path| Some(here.join(path).parent()?.to_owned()));
        self.access = match (runs_programs, options.allow_outside) {
            (true, _) => FileAccess::Trusted,
            (false, true) => FileAccess::Any,
            (false, false) => FileAccess::Within(Boundary::around(&here, folder.as_deref())),
        };
        self.access.admit(&here);
        options.types.iter().chain(options.modulepath).for_each(|path| self.access.admit(path));
        // Commands that change the machine search only the modules that the command line names.
        if !runs_programs && options.modulepath.is_empty() {
            self.modulepath = environment::module_path(&self.access);
        }
        let (Some(path), Some(folder)) = (path, folder) else { return };
        // Show files in the working directory with relative paths.
        let shown = path.strip_prefix(&here).unwrap_or(&path);
        let root = Root { inside: here.strip_prefix(&folder).unwrap_or(Path::new("")).to_owned(), folder: folder.clone() };
        self.types.set_files(Arc::new(self.access.clone()));
        let read = self.access.check(shown).and_then(|()| self.types.read(&shown.to_string_lossy())).map_err(|d| vec![d]);
        match read.and_then(|source| config::parse(&source, root)) {
            Ok(config) => {
                let from_here = |path: &PathBuf| match folder.join(path).strip_prefix(&here) {
                    Ok(below) if below.as_os_str().is_empty() => PathBuf::from("."),
                    Ok(below) => below.to_owned(),
                    Err(_) => folder.join(path),
                };
                let at = |setting: &ConfigSetting| ConfigSetting { path: from_here(&setting.path), span: setting.span };
                let (types, baseline): (Vec<ConfigSetting>, _) = (config.types.iter().map(at).collect(), config.baseline.as_ref().map(at));
                for setting in types.iter().chain(&baseline) {
                    let directory = types.iter().any(|one| one.span == setting.span);
                    let found = match self.access.check(&setting.path) {
                        Err(why) => Diagnostic::new(why.code, setting.span, why.message).maybe_help(why.help),
                        Ok(_) if directory && !named::is_dir(&setting.path) => {
                            let message = format!("`types`: the directory `{}` does not exist", setting.path.display());
                            let help = "name directories relative to the configuration";
                            Diagnostic::new(Code::BadConfiguration, setting.span, message).help(help)
                        }
                        Ok(_) => continue,
                    };
                    self.unusable.push(found);
                }
                self.directories.extend(types.iter().map(|setting| setting.path.clone()));
                self.config = Config { baseline, types, ..config };
            }
            Err(found) => self.unusable.extend(found),
        }
    }

    /// Returns the diagnostic about a configuration that was found but is not used.
    pub fn ignored_configuration(&self) -> Option<Diagnostic> {
        let path = input::relative(&self.ignored.as_ref()?.to_string_lossy());
        let message = format!("ignored `{path}`: this command runs programs, and anybody may have put it there");
        let help = format!("name it with `--config {path}` to use it, or name types with `--types` and `--modulepath`");
        Some(Diagnostic::new(Code::ConfigurationIgnored, Span::NONE, message).help(help))
    }

    /// Returns the files that the user names, and the files in named directories.
    pub fn collect(&mut self, paths: &[String], extensions: &[&str]) -> Collected {
        paths.iter().for_each(|path| self.admit(Path::new(path)));
        input::collect(paths, extensions, &self.access)
    }

    /// Removes files excluded by the configuration, even if the user named them.
    pub fn exclude(&self, found: &mut Collected) {
        let root = &self.config.selection.root;
        found.files.retain(|file| {
            let path = file.to_string_lossy().into_owned();
            let place = root.place(&path);
            let is_excluded = self.config.exclude.is_match(&place);
            if is_excluded {
                found.left_out.push(LeftOut { path, reason: LeftOutReason::Excluded });
            }
            !is_excluded
        });
    }

    /// Returns whether to check a file found in a directory. JSON and YAML files must contain resources, unless they cannot be read.
    pub fn holds_resources(&self, file: &Path, types: &[String]) -> bool {
        let name = file.to_string_lossy();
        let Some(format) = DataFormat::of(&name) else { return true };
        let Ok(text) = self.access.read(&name, false) else { return true };
        let sources = SourceMap::new();
        let is_type = |name: &str| types.iter().any(|known| known == name);
        sources.add(name.as_ref(), text).is_ok_and(|source| holds_resources(&source, format, &is_type))
    }

    /// Returns whether a JSON or YAML file can be read as one document; also for files of other formats, and files that cannot be read.
    pub fn is_data(&self, file: &Path) -> bool {
        let name = file.to_string_lossy();
        let (Some(format), Ok(text)) = (DataFormat::of(&name), self.access.read(&name, false)) else { return true };
        SourceMap::new().add(name.as_ref(), text).is_ok_and(|source| is_data(&source, format))
    }

    /// Allows access to a path named by the user, anywhere.
    pub fn admit(&mut self, path: &Path) {
        self.access.admit(path);
        self.types.set_files(Arc::new(self.access.clone()));
    }

    /// Returns whether the configuration can be used.
    pub fn is_usable(&self) -> bool {
        self.unusable.is_empty()
    }

    /// Drops all loaded types and sources.
    pub fn start_afresh(&mut self) {
        self.types = self.new_types();
        self.types.share_redactor(self.machine.system().redactor());
        self.shown = 0;
        begin_run();
    }

    fn new_types(&self) -> TypeSet {
        let loader = TypeLoader::new(self.directories.clone()).with_modules(&self.modulepath, ruby::translator());
        loader.with_files(Arc::new(self.access.clone())).load()
    }

    /// Returns another session with the same options that has not read any files.
    pub fn beside(&self) -> Session {
        Session {
            types: self.new_types(),
            natives: self.natives.clone(),
            machine: self.machine.clone(),
            verbose: self.verbose,
            max_findings: self.max_findings,
            config: self.config.clone(),
            access: self.access.clone(),
            ignored: None,
            directories: self.directories.clone(),
            modulepath: self.modulepath.clone(),
            unusable: Vec::new(),
            shown: 0,
            hidden: Hidden::default(),
        }
    }

    /// Marks the secrets in a source that this session does not load otherwise, by loading it in a second session.
    pub fn note_secrets(&mut self, source: &Source) {
        let texts = vec![(source.name().to_owned(), source.text().to_owned())];
        let (other, inputs, _) = self.check_apart(texts, &self.config.selection);
        let words = inputs.iter().flat_map(|input| other.types.secrets.words(input.source()));
        for word in words {
            let places = source.text().match_indices(&word).map(|(at, _)| source.span_of(at..at + word.len()));
            places.for_each(|place| self.types.secrets.add(place));
        }
    }

    /// Reads the files to check, as named on the command line. Types next to the type files become available. Standard input is shown under
    /// the name `stdin`.
    pub fn inputs(&mut self, files: &[PathBuf], stdin: Option<&Path>, diagnostics: &mut Vec<Diagnostic>) -> Vec<Input> {
        let (mut texts, mut inputs) = (Vec::new(), Vec::new());
        stdin.into_iter().for_each(|name| self.admit(name));
        let (ruby, others): (Vec<PathBuf>, Vec<PathBuf>) =
            input::ruby_types(files).into_iter().partition(|file| rtype_lang::library::is_ruby(file));
        for made in self.types.read_ruby_types(&ruby) {
            inputs.extend(made.report_to(diagnostics).map(|made| Input::Types(made, None)));
        }
        for file in others {
            let name = stdin.filter(|_| file.as_os_str() == "-").unwrap_or(&file).to_string_lossy().into_owned();
            match self.access.read(&file.to_string_lossy(), true) {
                Ok(text) => texts.push((if name == "-" { STDIN.to_owned() } else { name }, text)),
                Err(d) => diagnostics.push(d),
            }
        }
        inputs.extend(self.inputs_of(texts, diagnostics));
        inputs
    }

    /// Like [`Session::inputs`], for sources already in memory.
    pub fn inputs_of(&mut self, texts: Vec<(String, String)>, diagnostics: &mut Vec<Diagnostic>) -> Vec<Input> {
        let names = texts.iter().map(|(name, _)| Path::new(name));
        names.filter(|name| is_type_file(name)).for_each(|name| self.types.look_beside(name));
        let mut inputs = Vec::new();
        for (name, text) in texts {
            match self.types.keep(&name, text) {
                Ok(source) => inputs.push(input_of(source, Some(Path::new(&name).parent().unwrap_or(Path::new(".")).to_owned()))),
                Err(d) => diagnostics.push(d),
            }
        }
        inputs
    }

    /// Loads the types in files. Types next to these files become available.
    pub fn load_types(&mut self, files: &[PathBuf], diagnostics: &mut Vec<Diagnostic>) -> Vec<Loaded> {
        let inputs = self.inputs(files, None, diagnostics);
        inputs.iter().filter_map(|input| CheckSession::load(input, &mut self.types)).collect()
    }

    /// Returns whether an argument is the path of types rather than a type name.
    pub fn is_path(text: &str) -> bool {
        text.contains(['/', '.']) || named::is_dir(Path::new(text))
    }

    /// Returns types by name, and the types in files and directories; without arguments, all types. Errors in types are recorded in the
    /// type set; unknown names and missing files are returned.
    pub fn chosen_types(&mut self, what: &[String]) -> (Vec<Arc<TypeDef>>, Vec<Diagnostic>) {
        let (paths, names): (Vec<&String>, Vec<&String>) = what.iter().partition(|text| Session::is_path(text));
        let paths: Vec<String> = paths.into_iter().cloned().collect();
        let names: Vec<String> = if what.is_empty() { self.types.names() } else { names.into_iter().map(|n| n.to_lowercase()).collect() };
        let Collected { files, diagnostics: mut found, .. } = self.collect(&paths, &["rtype", "rb"]);
        let loaded = self.load_types(&files, &mut found);
        let mut types: Vec<Arc<TypeDef>> = loaded.into_iter().flat_map(|loaded| loaded.types).collect();
        let is_silent = found.is_empty() && !self.types.has_errors();
        if types.is_empty() && is_silent && !paths.is_empty() {
            let message = format!("no type in `{}`", paths.join("`, `"));
            found.push(
                Diagnostic::new(Code::CannotRead, Span::NONE, message)
                    .help("name types, files that end in `.rtype` or `.rb`, or directories of them"),
            );
        }
        for name in names {
            match self.types.load(&name) {
                Some(type_def) => types.push(type_def),
                // An existing but invalid type has already been reported.
                None if self.types.names().contains(&name) => {}
                None => found.push(self.types.unknown_type(&name, Span::NONE)),
            }
        }
        types.sort_by(|a, b| a.name.as_str().cmp(b.name.as_str()));
        types.dedup_by(|a, b| a.name == b.name);
        (types, found)
    }

    /// Reads the declarations in a file of any supported format.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn declarations(&mut self, path: &str, diagnostics: &mut Vec<Diagnostic>) -> Option<Declarations> {
        self.admit(Path::new(path));
        let source = self.types.read(path).map_err(|d| diagnostics.push(d)).ok()?;
        let (declarations, found) = self.read_declarations(&source);
        diagnostics.extend(found);
        Some(declarations)
    }

    /// Reads the declarations in a source. If Ruby may run, deferred values are replaced by the results of their functions.
    pub fn read_declarations(&mut self, source: &Source) -> (Declarations, Vec<Diagnostic>) {
        let (mut declarations, mut found) = from_source(source, &self.machine);
        if let Some(ruby) = self.natives.programs.ruby() {
            resolve(&mut declarations, ruby, &self.machine);
        }
        self.hidden.hide(source, &mut declarations, &mut found);
        self.types.secrets.extend(&declarations.secrets);
        (declarations, found)
    }

    /// Reads the declarations in several files and merges them. A manifest that is more than a list of resources is compiled for this
    /// machine.
    pub fn declarations_of(&mut self, paths: &[String], diagnostics: &mut Vec<Diagnostic>) -> Declarations {
        let mut declarations = Declarations::default();
        // Types are listed once: with modules that takes long.
        let known: HashSet<String> = if self.modulepath.is_empty() { HashSet::new() } else { self.types.names().into_iter().collect() };
        for path in paths {
            let mut found = Vec::new();
            let Some(mut more) = self.declarations(path, &mut found) else {
                diagnostics.append(&mut found);
                continue;
            };
            let is_program =
                found.iter().any(|d| d.code == Code::NeedsCompiler) || more.resources.iter().any(|d| self.is_defined(d, &known));
            if is_program && !more.is_compiled {
                found.clear();
                // Standard input was read before.
                let read = self.types.sources.iter().find(|source| path == "-" && source.name() == STDIN);
                let options = read.map_or_else(|| CompileOptions::of_file(path), |source| CompileOptions::of_code(source.text()));
                more = self.compiled(options, &mut found);
            }
            diagnostics.append(&mut found);
            diagnostics.extend(declarations.merge(more));
        }
        declarations
    }

    /// Returns whether only a compiler can know the type of a resource: it is not in the library, and there are modules.
    fn is_defined(&self, declared: &Declared, known: &HashSet<String>) -> bool {
        let name = declared.type_name.as_str();
        name.contains("::") || (!self.modulepath.is_empty() && !known.contains(name))
    }

    /// Compiles a manifest for this machine and returns the resources of its catalog.
    pub fn compiled(&mut self, options: CompileOptions, diagnostics: &mut Vec<Diagnostic>) -> Declarations {
        let compiler = match Compiler::new(self, options) {
            Ok(compiler) => compiler,
            Err(mut found) => {
                diagnostics.append(&mut found);
                return Declarations::default();
            }
        };
        let compiled = compiler.compile(&this_machine(&self.machine, None));
        self.types.secrets.redactor().extend(compiled.secrets.redactor());
        match self.types.sources.append(&compiled.sources) {
            Ok(by) => {
                let mut found: Vec<Diagnostic> = compiled.diagnostics.into_iter().map(|found| found.moved(by)).collect();
                for source in compiled.sources.iter().filter_map(|source| self.types.sources.find(source.span().moved(by))) {
                    let mut secret = Declarations::default();
                    self.hidden.hide(source, &mut secret, &mut found);
                    self.types.secrets.extend(&secret.secrets);
                    self.types.secrets.extend(&suspects(source));
                }
                diagnostics.append(&mut found);
            }
            Err(_) => {
                diagnostics.extend(compiled.diagnostics.into_iter().map(|found| Diagnostic::new(found.code, Span::NONE, found.message)))
            }
        }
        let Some(catalog) = compiled.result else { return Declarations::default() };
        match self.types.keep("catalog.json", catalog.to_string()) {
            Ok(source) => {
                let (declarations, mut found) = self.read_declarations(&source);
                diagnostics.append(&mut found);
                declarations
            }
            Err(why) => {
                diagnostics.push(why);
                Declarations::default()
            }
        }
    }

    /// Adds manifest locations to diagnostics about a compiled catalog.
    pub fn traced(&self, declarations: &Declarations, mut found: Vec<Diagnostic>) -> Vec<Diagnostic> {
        found.iter_mut().for_each(|diagnostic| {
            declarations.trace(diagnostic);
            shorten(diagnostic);
        });
        found
    }

    /// Prints `more` and all diagnostics that have not been printed yet; returns whether any is an error.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn show(&mut self, more: &[Diagnostic], output: &mut dyn Show) -> io::Result<bool> {
        let mut new = std::mem::take(&mut self.unusable);
        new.extend(self.types.new_diagnostics(&mut self.shown));
        let types = &self.types;
        let mut failed = false;
        let mut left_out = Tally::default();
        let mut shown = 0;
        for diagnostic in new.iter().chain(more) {
            failed |= diagnostic.is_error();
            if diagnostic.is_detail() && !self.verbose {
                continue;
            }
            if shown == self.max_findings {
                left_out.add(diagnostic, &types.sources);
                continue;
            }
            shown += 1;
            output.diagnostic(diagnostic, &types.sources, &types.secrets)?;
        }
        if left_out.total() > 0 {
            output.diagnostic(&Diagnostic::not_shown(&left_out), &types.sources, &types.secrets)?;
        }
        Ok(failed)
    }
}

/// Replaces deferred values by the results of their functions. A resource with a failing function is set aside.
fn resolve(declarations: &mut Declarations, ruby: &RubyHost, machine: &Machine) {
    let deferred: Vec<(ResourceRef, &EcoString, &mut DeclaredValue)> = declarations
        .resources
        .iter_mut()
        .flat_map(|declared| {
            let reference = declared.reference();
            let deferred = declared.attributes.iter_mut().filter(|(_, given)| given.deferred.is_some());
            deferred.map(move |(name, given)| (reference.clone(), name, given))
        })
        .collect();
    if deferred.is_empty() {
        return;
    }
    let calls: Vec<Json> = deferred.iter().map(|(_, _, given)| given.deferred.as_deref().cloned().unwrap_or_default()).collect();
    let results = ruby.resolve(machine, &calls);
    for ((reference, name, given), result) in deferred.into_iter().zip(results) {
        match result {
            Ok(value) => given.resolve(value),
            Err(e) => {
                let why = format!("{name}: the deferred value: {}", machine.system().redactor().reveal(&e.message));
                declarations.unusable.insert(reference, why);
            }
        }
    }
}

/// Shortens the paths of manifests to relative paths.
pub fn shorten(diagnostic: &mut Diagnostic) {
    for origin in diagnostic.labels.iter_mut().filter_map(|label| label.origin.as_mut()) {
        origin.file = input::relative(&origin.file).into();
    }
}

/// Returns block messages as diagnostics, at the titles of their resources.
pub(crate) fn block_messages(messages: &[BlockMessage], catalog: &Catalog) -> Vec<Diagnostic> {
    let span = |reference: &ResourceRef| catalog.named(reference).map_or(Span::NONE, |instance| instance.span);
    messages.iter().filter_map(|message| message.diagnostic(span(&message.reference))).collect()
}
