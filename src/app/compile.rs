//! Compiles manifests to catalogs of nodes.

use super::environment;
use super::input::{self, FileAccess};
use super::session::Session;
use rtype_lang::data::{YamlRules, parse_json, parse_yaml};
use rtype_lang::diagnostics::{Code, Diagnostic, Redactions};
use rtype_lang::source::{SourceMap, Span};
use rtype_lang::value::EcoString;
use rtype_manifest::check::facts_in;
use rtype_manifest::compile::catalog::output::rich;
use rtype_manifest::compile::environment::{Environment, EvaluationLimits, Strictness};
use rtype_manifest::compile::evaluator::ManifestEvaluator;
use rtype_manifest::compile::failure::EvaluationFailure;
use rtype_manifest::compile::files::{ModuleFiles, ReadFiles};
use rtype_manifest::compile::function::KnownFunctions;
use rtype_manifest::compile::native::NativeTypes;
use rtype_manifest::compile::types::Type;
use rtype_manifest::compile::value::ManifestValue;
use rtype_manifest::functions;
use rtype_manifest::functions::data::{KeyTrace, explained};
use rtype_manifest::syntax::{Form, parse};
use rtype_model::manifest::{DataFormat, suspects};
use rtype_provider::Machine;
use rtype_system::named;
use serde_json::{Map, Value as Json, json};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// The value of `$serverversion` and `$clientversion`, which modules compare.
const PUPPET: &str = "7.23.0";

/// A node: a certificate name and facts.
pub struct CatalogNode {
    /// The certificate name.
    pub name: String,
    /// The facts by name.
    pub facts: Map<String, Json>,
    /// Whether the facts of modules are missing, because rtype collected the facts.
    pub lacks_facts_of_modules: bool,
}

/// What is compiled, and how.
#[derive(Default)]
pub struct CompileOptions {
    /// The code to compile instead of a file.
    pub code: Option<String>,
    /// The main manifest, a file or a directory.
    pub manifest: Option<String>,
    /// The name of the environment.
    pub environment: EcoString,
    /// Whether unknown variables and other doubtful code are errors, as in Puppet 8.
    pub is_strict: bool,
    /// Whether the catalog is for this machine, without a server.
    pub is_local: bool,
}

impl CompileOptions {
    /// Returns the options for a manifest that is applied to this machine.
    pub fn of_file(path: &str) -> CompileOptions {
        CompileOptions { manifest: Some(path.to_owned()), ..CompileOptions::local() }
    }

    /// Returns the options for code that is applied to this machine.
    pub fn of_code(code: &str) -> CompileOptions {
        CompileOptions { code: Some(code.to_owned()), ..CompileOptions::local() }
    }

    fn local() -> CompileOptions {
        CompileOptions { environment: "production".into(), is_local: true, ..CompileOptions::default() }
    }
}

/// The result of a compilation.
pub struct CompiledNode {
    /// The catalog, or the value of a lookup; `None` if the compilation failed.
    pub result: Option<Json>,
    /// The messages and errors.
    pub diagnostics: Vec<Diagnostic>,
    /// The texts to which the diagnostics refer.
    pub sources: SourceMap,
    /// The secrets in these texts.
    pub secrets: Redactions,
}

/// Compiles manifests for several nodes.
pub struct Compiler {
    options: CompileOptions,
    /// The main manifests: names and texts.
    manifests: Vec<(String, String)>,
    directory: Option<PathBuf>,
    module_path: Vec<PathBuf>,
    access: FileAccess,
    functions: Arc<KnownFunctions>,
    types: Arc<NativeTypes>,
    /// The facts that the modules define.
    facts_of_modules: HashSet<EcoString>,
}

impl Compiler {
    /// Reads the main manifest: the code, the file or directory of the options, or else that of the environment in the working directory.
    ///
    /// # Errors
    /// Returns why the main manifest is missing or cannot be read.
    pub fn new(session: &mut Session, options: CompileOptions) -> Result<Compiler, Vec<Diagnostic>> {
        let manifests = match (&options.code, &options.manifest) {
            (Some(code), _) => vec![("<code>".to_owned(), code.clone())],
            (None, Some(path)) => main_manifests(session, path)?,
            (None, None) => match environment::main_manifest(&session.access) {
                Some(path) => main_manifests(session, &path.to_string_lossy())?,
                None => return Err(vec![no_manifest()]),
            },
        };
        let directory = environment::directory();
        let module_path = session.modulepath.iter().map(|path| std::path::absolute(path).unwrap_or_else(|_| path.clone())).collect();
        let types = Arc::new(NativeTypes::new(session.types.clone(), true));
        let functions = Arc::new(functions::table());
        let facts_of_modules = facts_in(&session.types, &modules_in(&session.modulepath));
        Ok(Compiler { options, manifests, directory, module_path, access: session.access.clone(), functions, types, facts_of_modules })
    }

    /// Returns whether there is an environment or a module, whose data can be searched.
    pub fn has_data(&self) -> bool {
        self.directory.is_some() || !self.module_path.is_empty()
    }

    /// Compiles the catalog of a node.
    pub fn compile(&self, node: &CatalogNode) -> CompiledNode {
        self.run(node, |evaluator| {
            evaluator.compile(self.manifests.clone())?;
            Ok(evaluator.to_json())
        })
    }

    /// Looks up data after the manifests were compiled. `request` is the hash of options of the function `lookup`, but for `value_type`, which
    /// is the text of a type. Also returns what was searched.
    pub fn lookup(&self, node: &CatalogNode, request: &Json) -> (CompiledNode, Vec<KeyTrace>) {
        let mut searched = Vec::new();
        let found = self.run(node, |evaluator| {
            evaluator.compile(self.manifests.clone())?;
            let mut options = Vec::new();
            for (name, value) in request.as_object().into_iter().flatten() {
                let value = match value.as_str().filter(|_| name == "value_type") {
                    Some(text) => ManifestValue::of_type(Type::parse(text)?),
                    None => ManifestValue::from(value),
                };
                options.push((ManifestValue::from(name.as_str()), value));
            }
            let (value, traces) = explained(evaluator, ManifestValue::hash(options));
            searched = traces;
            Ok(rich(&value?))
        });
        (found, searched)
    }

    fn run(&self, node: &CatalogNode, work: impl FnOnce(&mut ManifestEvaluator) -> Result<Json, EvaluationFailure>) -> CompiledNode {
        let sources = SourceMap::new();
        let refused = Arc::new(Mutex::new(Vec::new()));
        let mut evaluator = ManifestEvaluator::new(Arc::new(self.environment(node, Arc::clone(&refused))), sources.clone());
        let result = work(&mut evaluator);
        let mut diagnostics: Vec<Diagnostic> = evaluator.logs().iter().filter_map(|log| log.diagnostic()).collect();
        diagnostics.append(&mut refused.lock().unwrap_or_else(PoisonError::into_inner));
        diagnostics.extend(evaluator.files().refused().iter().map(|path| outside(path)));
        diagnostics.extend(result.as_ref().err().iter().flat_map(|failure| failed(failure, &sources)));
        // A file that may not be read could change the result.
        let result = result.ok().filter(|_| !diagnostics.iter().any(Diagnostic::is_error));
        let sources = if diagnostics.is_empty() { SourceMap::new() } else { shown(&sources) };
        let secrets = Redactions::new();
        secrets.redactor().extend(evaluator.secrets());
        // Messages show lines of the manifests, in which secrets need not be marked.
        sources.iter().for_each(|source| secrets.extend(&suspects(source)));
        CompiledNode { result, diagnostics, sources, secrets }
    }

    fn environment(&self, node: &CatalogNode, refused: Arc<Mutex<Vec<Diagnostic>>>) -> Environment {
        let mut facts = node.facts.clone();
        for (name, value) in [("clientcert", json!(node.name)), ("clientversion", json!(PUPPET)), ("clientnoop", json!(false))] {
            facts.entry(name).or_insert(value);
        }
        let (host, domain) = node.name.split_once('.').map_or((node.name.as_str(), None), |(host, domain)| (host, Some(domain)));
        let trusted = json!({
            "authenticated": if self.options.is_local { "local" } else { "remote" }, "certname": node.name, "extensions": {},
            "hostname": host, "domain": domain, "external": {},
        });
        let server = json!({ "serverversion": PUPPET });
        let variables = facts.iter().chain(server.as_object().into_iter().flatten());
        let server_facts = json!({ "serverversion": PUPPET, "environment": self.options.environment.as_str() });
        let reader = EnvironmentFiles { access: self.access.clone(), refused };
        let mut files = ModuleFiles::new(Box::new(reader), self.directory.clone(), self.module_path.clone());
        if node.lacks_facts_of_modules {
            files.unread_facts = self.facts_of_modules.iter().filter(|name| !facts.contains_key(name.as_str())).cloned().collect();
        }
        Environment {
            name: self.options.environment.clone(),
            node: node.name.as_str().into(),
            variables: variables.map(|(name, value)| (name.into(), ManifestValue::from(value))).collect(),
            facts: ManifestValue::from(&Json::Object(facts)),
            trusted: ManifestValue::from(&trusted),
            server_facts: ManifestValue::from(&server_facts),
            settings: indexmap::IndexMap::new(),
            strict: if self.options.is_strict { Strictness::Error } else { Strictness::Warning },
            has_strict_variables: self.options.is_strict,
            files,
            functions: Arc::clone(&self.functions),
            types: Arc::clone(&self.types) as Arc<_>,
            lookup: Some(functions::data::parameter),
            limits: EvaluationLimits::default(),
        }
    }
}

/// Returns the same texts at the same places, with names relative to the working directory.
fn shown(sources: &SourceMap) -> SourceMap {
    let shown = SourceMap::new();
    for source in sources.iter() {
        // The texts fit, because they did so before.
        let _ = shown.add(input::relative(source.name()), source.text());
    }
    shown
}

/// Returns the error for a file that a manifest or Hiera names, and that is not in the environment or a module.
fn outside(path: &Path) -> Diagnostic {
    let message = format!("`{}` leads out of the environment and the modules", input::relative(&path.to_string_lossy()));
    Diagnostic::new(Code::OutsideRoot, Span::NONE, message).help("copy the file into the environment or a module")
}

fn no_manifest() -> Diagnostic {
    let message = "nothing to compile: the working directory is not an environment with a main manifest";
    Diagnostic::new(Code::CannotRead, Span::NONE, message)
        .help("name a manifest, give code with `-e`, or run this in a control repository with `environment.conf` and `manifests`")
}

/// Reads a main manifest: a file, or all manifests in a directory and below, sorted by name.
fn main_manifests(session: &mut Session, path: &str) -> Result<Vec<(String, String)>, Vec<Diagnostic>> {
    session.admit(Path::new(path));
    let mut files = vec![path.to_owned()];
    if named::is_dir(path) {
        let found = session.collect(&[path.to_owned()], &["pp"]);
        if found.files.is_empty() {
            let none = Diagnostic::new(Code::CannotRead, Span::NONE, format!("no manifest in `{path}`"));
            return Err(if found.diagnostics.is_empty() { vec![none] } else { found.diagnostics });
        }
        files = found.files.iter().map(|file| file.to_string_lossy().into_owned()).collect();
        files.sort();
    }
    let absolute = |file: &str| std::path::absolute(file).map_or_else(|_| file.to_owned(), |path| path.to_string_lossy().into_owned());
    let read = |file: &String| {
        let text = session.access.read(file, true).map_err(|found| vec![found])?;
        Ok((if file == "-" { "<stdin>".to_owned() } else { absolute(file) }, text))
    };
    files.iter().map(read).collect()
}

/// Returns the diagnostics of a failure; for a syntax error, all mistakes of the file.
fn failed(failure: &EvaluationFailure, sources: &SourceMap) -> Vec<Diagnostic> {
    let source = failure.span().filter(|_| failure.is_syntax()).and_then(|span| sources.find(span));
    let Some(source) = source else { return vec![failure.diagnostic()] };
    let form = if Path::new(source.name()).extension().is_some_and(|e| e == "epp") { Form::Template } else { Form::Manifest };
    let found: Vec<Diagnostic> = parse(source, form).diagnostics.into_iter().filter(Diagnostic::is_error).collect();
    if found.is_empty() { vec![failure.diagnostic()] } else { found }
}

/// Returns the directories of the modules on a module path.
fn modules_in(module_path: &[PathBuf]) -> Vec<PathBuf> {
    module_path.iter().flat_map(|path| named::entries(path).into_iter().flatten()).map(|entry| entry.path()).collect()
}

/// The files that a compilation may read. What is refused is kept, so that a class in it is not just unknown.
struct EnvironmentFiles {
    access: FileAccess,
    refused: Arc<Mutex<Vec<Diagnostic>>>,
}

impl EnvironmentFiles {
    fn is_allowed(&self, path: &Path) -> bool {
        let Err(found) = self.access.check(path) else { return true };
        let mut refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        if !refused.contains(&found) {
            refused.push(found);
        }
        false
    }
}

impl ReadFiles for EnvironmentFiles {
    fn read(&self, path: &Path) -> Option<Vec<u8>> {
        let text = self.access.read(&path.to_string_lossy(), false);
        text.map_err(|found| self.refused.lock().unwrap_or_else(PoisonError::into_inner).push(found)).ok().map(String::into_bytes)
    }

    fn is_directory(&self, path: &Path) -> bool {
        named::is_dir(path) && self.is_allowed(path)
    }

    fn is_file(&self, path: &Path) -> bool {
        named::is_file(path) && self.is_allowed(path)
    }

    fn list(&self, path: &Path) -> Vec<PathBuf> {
        if !self.is_allowed(path) {
            return Vec::new();
        }
        let mut found: Vec<PathBuf> = named::entries(path).into_iter().flatten().map(|entry| entry.path()).collect();
        found.sort();
        found
    }

    fn resolve(&self, path: &Path) -> Option<PathBuf> {
        named::real_path(path).ok()
    }
}

/// Returns this machine as a node.
pub fn this_machine(machine: &Machine, name: Option<&str>) -> CatalogNode {
    let facts = machine.all_facts().into_iter().map(|(fact, value)| (fact, value.to_json())).collect();
    CatalogNode { lacks_facts_of_modules: true, ..named_node(facts, name) }
}

/// Reads the facts of a node from JSON or YAML: a map of facts, or a map with the map `values`, as Puppet stores it.
///
/// # Errors
/// Returns why the file cannot be read.
pub fn node_of_facts(path: &str, session: &mut Session, name: Option<&str>) -> Result<CatalogNode, Diagnostic> {
    session.admit(Path::new(path));
    let source = session.types.read(path)?;
    let read = match DataFormat::of(path) {
        Some(DataFormat::Yaml) => parse_yaml(&source, YamlRules { strict: false, as_text: &[] }),
        _ => parse_json(&source, 0),
    };
    let node = read.map_err(|found| *found)?;
    let Json::Object(mut all) = node.to_json() else {
        return Err(Diagnostic::new(Code::BadInput, node.span, format!("facts are a map of names and values, this is {}", node.what()))
            .help("`rtype facts`, `facter --json` and `puppet facts show` write such files"));
    };
    let known = all.get("name").and_then(Json::as_str).map(ToOwned::to_owned);
    match all.remove("values") {
        Some(Json::Object(values)) => Ok(named_node(values, name.or(known.as_deref()))),
        Some(other) => {
            all.insert("values".to_owned(), other);
            Ok(named_node(all, name))
        }
        None => Ok(named_node(all, name)),
    }
}

/// Returns a node with the name given, or else with the name in its facts.
fn named_node(facts: Map<String, Json>, name: Option<&str>) -> CatalogNode {
    let fact =
        |path: &str| path.split('.').try_fold(None, |at: Option<&Json>, part| Some(Some(at.map_or(facts.get(part), |v| v.get(part))?)))?;
    let known =
        ["clientcert", "networking.fqdn", "fqdn", "networking.hostname", "hostname"].into_iter().find_map(|path| fact(path)?.as_str());
    let name = name.or(known).unwrap_or("localhost").to_lowercase();
    CatalogNode { name, facts, lacks_facts_of_modules: false }
}

/// Returns the names of the nodes and the files of their facts in a directory: `web1.example.com.json`.
///
/// # Errors
/// Returns why the directory cannot be read, or that there are no such files.
pub fn nodes_in(path: &Path, session: &mut Session) -> Result<Vec<(String, String)>, Diagnostic> {
    input::directory("--all-nodes", path)?;
    session.admit(path);
    let mut found: Vec<(String, String)> = named::entries(path)
        .into_iter()
        .flatten()
        .map(|entry| entry.path())
        .filter(|file| DataFormat::of(&file.to_string_lossy()).is_some() && named::is_file(file))
        .filter_map(|file| Some((file.file_stem()?.to_string_lossy().into_owned(), file.to_string_lossy().into_owned())))
        .collect();
    found.sort();
    if found.is_empty() {
        let message = format!("no facts in `{}`", path.display());
        return Err(
            Diagnostic::new(Code::CannotRead, Span::NONE, message).help("name the files after their nodes: `web1.example.com.json`")
        );
    }
    Ok(found)
}
