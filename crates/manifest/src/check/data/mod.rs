//! The data of Hiera: keys and values of data files against the parameters of classes.
//!
//! A file is data if a `hiera.yaml` above it can reach it for some node. Nothing is said about the values of keys whose options merge or
//! convert values, and about keys that code looks up by name.

mod mentions;
mod options;
mod places;
mod required;

use super::data_files::{DataAnalysis, DataPlace, Hierarchies};
use super::definition::KnownDefinitions;
use super::modules::Modules;
use super::typed::{Actual, GivenValue, Values};
use crate::functions::data::{OPTIONS, Reader};
use crate::syntax::Parsed;
use ecow::EcoString;
use mentions::Mentions;
use options::AllOptions;
use rtype_lang::data::{DataNode, Kind, ScalarClass, YamlRules, parse_json, parse_yaml};
use rtype_lang::diagnostics::{Code, Diagnostic, suggest_nearest};
use rtype_lang::library::TypeSet;
use rtype_lang::source::Source;
use rtype_lang::types::METAPARAMETERS;
use rtype_model::manifest::{is_suspect, suspects, yaml_comments};
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

/// A data file.
struct DataFile<'s> {
    source: &'s Source,
    reader: Reader,
    /// The directory of the hierarchy.
    root: PathBuf,
    /// The module whose data the file has; `None` for the data of an environment.
    module: Option<EcoString>,
    /// The data; `None` for malformed files.
    node: Option<DataNode>,
}

/// A key that belongs to the parameter of a class.
struct ParameterKey<'d> {
    file: &'d DataFile<'d>,
    key: &'d DataNode,
    value: &'d DataNode,
    text: &'d EcoString,
    class: &'d str,
    parameter: &'d str,
}

/// Checks data files. `manifests` are the checked manifests, which may look up keys.
pub fn check_data(
    data: &[(&Source, DataPlace)],
    manifests: &[(&Source, &Parsed)],
    types: &TypeSet,
    definitions: &mut KnownDefinitions,
    hierarchies: &mut Hierarchies,
) -> DataAnalysis {
    let mut all = DataAnalysis::default();
    let files: Vec<DataFile<'_>> = data.iter().map(|(source, place)| DataFile::read(source, place, types, definitions, &mut all)).collect();
    let checked = definitions.modules();
    let modules = Modules::without_file(types, &checked);
    let mut check =
        DataCheck { modules: &modules, definitions, hierarchies, options: HashMap::new(), keys: HashMap::new(), all, unknown: Vec::new() };
    let mut shared = AllOptions::default();
    for node in files.iter().filter_map(|file| file.node.as_ref()) {
        shared.add(node);
        check.all.diagnostics.extend(options::malformed(node));
    }
    files.iter().for_each(|file| check.file(file, &shared));
    check.required(manifests);
    check.finish(&files, manifests)
}

impl<'s> DataFile<'s> {
    fn read(
        source: &'s Source,
        place: &DataPlace,
        types: &TypeSet,
        definitions: &mut KnownDefinitions,
        all: &mut DataAnalysis,
    ) -> DataFile<'s> {
        let module = definitions.add_module_of_data(&place.root, types);
        all.secrets.extend(&suspects(source));
        let node = match parsed(source, place.reader) {
            Ok(node) => Some(node),
            Err(mut why) => {
                if why.code == Code::BadInput {
                    why.code = Code::InvalidDataFile;
                }
                all.diagnostics.push(*why);
                None
            }
        };
        all.comments.push(node.as_ref().filter(|_| place.reader != Reader::Json).map_or_else(Vec::new, |node| yaml_comments(source, node)));
        let node = node.filter(|node| match &node.kind {
            Kind::Object(_) => true,
            Kind::Null => false,
            _ => {
                let found = Diagnostic::new(Code::InvalidDataFile, node.span, format!("the data is {}, not a map of keys", node.what()));
                all.diagnostics.push(found.help("write `key: value`"));
                false
            }
        });
        DataFile { source, reader: place.reader, root: place.root.clone(), module, node }
    }

    fn pairs(&self) -> &[(DataNode, DataNode)] {
        match self.node.as_ref().map(|node| &node.kind) {
            Some(Kind::Object(pairs)) => pairs,
            _ => &[],
        }
    }
}

/// Parses a data file as Puppet does.
fn parsed(source: &Source, reader: Reader) -> Result<DataNode, Box<Diagnostic>> {
    match reader {
        Reader::Json => parse_json(source, 0),
        Reader::Yaml | Reader::Eyaml => parse_yaml(source, YamlRules { strict: false, as_text: &[ScalarClass::Symbol] }),
    }
}

struct DataCheck<'c> {
    modules: &'c Modules<'c>,
    definitions: &'c mut KnownDefinitions,
    hierarchies: &'c mut Hierarchies,
    /// The options in the data of modules; `None` if a part of the data cannot be read.
    options: HashMap<EcoString, Option<AllOptions>>,
    /// The keys in the data of directories; `None` if they are not all known.
    keys: HashMap<PathBuf, Option<Arc<HashSet<EcoString>>>>,
    all: DataAnalysis,
    /// The keys of parameters that the class does not have.
    unknown: Vec<(EcoString, Diagnostic, bool)>,
}

impl DataCheck<'_> {
    fn file(&mut self, file: &DataFile<'_>, shared: &AllOptions) {
        let mut foreign = HashSet::new();
        for (key, value) in file.pairs() {
            let Some(text) = key.text().filter(|text| *text != OPTIONS && !text.contains("%{")) else { continue };
            let module = text.split("::").next().unwrap_or_default();
            if let Some(own) = file.module.as_ref().filter(|own| *own != module || !text.contains("::")) {
                if foreign.insert(text) {
                    self.all.diagnostics.push(foreign_key(key, text, own));
                }
                continue;
            }
            if let Some((class, parameter)) = text.rsplit_once("::").filter(|(_, parameter)| !parameter.contains('.')) {
                self.key(&ParameterKey { file, key, value, text, class, parameter }, shared);
            }
        }
    }

    /// Checks a key that may be a parameter of a class.
    fn key(&mut self, at: &ParameterKey<'_>, shared: &AllOptions) {
        let class = at.class.strip_prefix("::").unwrap_or(at.class);
        self.definitions.search(class, self.modules);
        let Some(known) = self.definitions.class_parameters(class) else { return };
        let parameter = self.definitions.parameter(true, class, at.parameter).map(|known| (known.kind.clone(), known.is_required));
        let Some((kind, is_required)) = parameter else {
            if !METAPARAMETERS.contains(&at.parameter) {
                let help = suggest_nearest(at.parameter, known.names.iter().map(EcoString::as_str));
                let is_near = help.is_some();
                let message = format!("the class `{class}` has no parameter `{}`", at.parameter);
                let found = Diagnostic::new(Code::UnknownDataKey, at.key.span, message).also(known.span, "its parameters");
                let help = help.unwrap_or_else(|| "remove the key: no code looks it up".into());
                self.unknown.push((at.text.clone(), found.help(help), is_near));
            }
            return;
        };
        let Some(effects) = self.effects(class, at, shared) else {
            self.all.changed += 1;
            return;
        };
        let is_sensitive = effects.is_sensitive || is_suspect(at.text) || kind.as_ref().is_some_and(|kind| self.mentions_secret(kind));
        if is_sensitive {
            self.all.secrets.add(at.value.span);
            self.all.secrets.add(at.value.defined);
        }
        // A key without a value gives a parameter its default.
        if effects.changes || matches!(at.value.kind, Kind::Null) && !is_required {
            self.all.changed += usize::from(effects.changes);
            return;
        }
        if let Some(kind) = kind {
            let is_secret = is_sensitive || self.all.secrets.touches(at.value.span);
            self.compare(at, class, &kind, is_secret);
        }
    }

    fn compare(&mut self, at: &ParameterKey<'_>, class: &str, kind: &crate::syntax::tree::Expression, is_secret: bool) {
        let mut values = Values::new(self.definitions, self.modules, &self.all.secrets);
        let of = |text: &_| Actual::of_data(at.value, at.file.reader, text);
        let given = GivenValue { span: at.value.span, of: &of, is_secret };
        values.compare_given(&format!("class `{class}`"), at.parameter, kind, &given);
        let (mut found, untyped) = (values.found, values.untyped);
        if matches!(at.value.kind, Kind::Null) {
            found.iter_mut().for_each(|found| found.help = Some("write a value, or remove the key".into()));
        }
        self.all.diagnostics.extend(found);
        self.all.untyped += untyped;
    }

    /// Returns what options can do with the values of a key; `None` if the options in the data of the module are not known.
    fn effects(&mut self, class: &str, at: &ParameterKey<'_>, shared: &AllOptions) -> Option<options::Effects> {
        let module = EcoString::from(class.split("::").next().unwrap_or_default());
        if !self.options.contains_key(&module) {
            let options = self.module_options(&module);
            self.options.insert(module.clone(), options);
        }
        let of_module = self.options.get(&module)?.as_ref()?.effects(at.text);
        let shared = shared.effects(at.text);
        Some(options::Effects { changes: shared.changes || of_module.changes, is_sensitive: shared.is_sensitive || of_module.is_sensitive })
    }

    /// Reads the options in the data of a module.
    fn module_options(&mut self, module: &str) -> Option<AllOptions> {
        let types = self.modules.types();
        let files = types.files();
        let mut options = AllOptions::default();
        for directory in self.modules.directories(module) {
            if !files.exists(&directory.join(crate::functions::data::CONFIGURATION)) {
                continue;
            }
            for (path, reader) in self.hierarchies.files(&directory, &*files)? {
                let name = path.to_string_lossy();
                let source = files.read(&name, false).and_then(|text| types.keep(&name, text)).ok()?;
                options.add(&parsed(&source, reader).ok()?);
            }
        }
        Some(options)
    }

    fn mentions_secret(&mut self, kind: &crate::syntax::tree::Expression) -> bool {
        self.definitions.type_of(kind, self.modules).is_some_and(|of| of.to_string().contains("Sensitive"))
    }

    /// Reports the unknown keys that no code looks up.
    fn finish(mut self, files: &[DataFile<'_>], manifests: &[(&Source, &Parsed)]) -> DataAnalysis {
        if self.unknown.is_empty() {
            return self.all;
        }
        let mut mentions = Mentions::of(self.unknown.iter().map(|(key, ..)| key.as_str()).collect());
        files.iter().for_each(|file| mentions.data(file.source.text()));
        manifests.iter().for_each(|(source, parsed)| mentions.manifest(source.text(), parsed));
        let roots: HashSet<&PathBuf> = files.iter().map(|file| &file.root).collect();
        mentions.modules(self.modules, &roots.into_iter().cloned().collect::<Vec<_>>());
        let is_reported = |key: &str, is_near: bool| mentions.unused.contains(key) && (is_near || !mentions.has_computed);
        let found = self.unknown.iter().filter(|(key, _, is_near)| is_reported(key, *is_near));
        let found: Vec<_> = found.map(|(_, found, _)| found.clone()).collect();
        self.all.diagnostics.extend(found);
        self.all
    }
}

fn foreign_key(key: &DataNode, text: &str, module: &str) -> Diagnostic {
    let message = format!("the key `{text}` in the data of the module `{module}` does not begin with `{module}::`");
    let found = Diagnostic::new(Code::ForeignDataKey, key.span, message);
    let own = text.rsplit("::").next().unwrap_or(text);
    found.help(format!("Puppet ignores `{text}` here: write `{module}::{own}`, or write `{text}` in the data of the environment"))
}
