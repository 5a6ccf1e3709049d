//! `hiera.yaml`: the levels of a hierarchy, and the data files of each level.

use super::interpolation::Interpolation;
use crate::compile::context::CallContext;
use crate::compile::failure::EvaluationFailure;
use crate::compile::value::{ManifestValue, ValueMap};
use crate::functions::bridge::from_plain;
use globset::GlobBuilder;
use rtype_lang::value::{parse_json, parse_yaml};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The name of the file with the hierarchy.
pub const CONFIGURATION: &str = "hiera.yaml";

/// The maximum number of files that are listed for a glob.
const MOST_FILES: usize = 10_000;

/// Data functions that read a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    /// `yaml_data`
    Yaml,
    /// `json_data`
    Json,
    /// `eyaml_lookup_key`, without keys: encrypted values are refused.
    Eyaml,
}

/// How a level names its data files.
#[derive(Clone, Debug)]
pub enum Locations {
    /// Paths with interpolated expressions.
    Paths(Vec<String>),
    /// Patterns with interpolated expressions.
    Globs(Vec<String>),
    /// The variable, the name of an element, and the path with it.
    Mapped(String, String, String),
}

/// A level of a hierarchy.
#[derive(Clone, Debug)]
pub struct HierarchyLevel {
    name: String,
    /// The data function.
    pub reader: Reader,
    /// The directory of the data, relative to the configuration.
    pub directory: String,
    /// The files.
    pub locations: Locations,
}

/// A file that a level names.
#[derive(Clone, Debug)]
pub struct DataFile {
    /// The name of the level.
    pub level: String,
    /// The path.
    pub path: PathBuf,
    /// Whether values may be encrypted.
    pub is_encrypted: bool,
    /// The data; `None` if there is no such file.
    pub data: Option<Arc<ValueMap>>,
}

/// The data of an environment or of a module.
#[derive(Clone, Debug)]
pub struct Layer {
    root: PathBuf,
    /// The module, which limits the keys.
    pub module: Option<String>,
    levels: Vec<HierarchyLevel>,
    /// The levels that are searched if no layer has a key.
    pub fallback: Vec<HierarchyLevel>,
}

fn unsupported(path: &Path, what: &str) -> EvaluationFailure {
    EvaluationFailure::unsupported(format!("{what} in {}", path.display()))
}

/// Returns the error for a level for which neither it nor the defaults name a function.
fn without_function(path: &Path, name: &str) -> EvaluationFailure {
    let text = format!(
        "One of data_hash, lookup_key, data_dig, or hiera3_backend must be defined in hierarchy '{name}' (file: {})",
        path.display()
    );
    EvaluationFailure::plain(None, text)
}

/// The parts of a configuration.
struct Written {
    hierarchy: ManifestValue,
    fallback: Option<ManifestValue>,
    defaults: ManifestValue,
}

impl Written {
    /// Returns the parts with Puppet's defaults; `None` for other versions of Hiera.
    fn of(config: &ManifestValue) -> Option<Written> {
        if config.get("version") != Some(&ManifestValue::Integer(5)) {
            return None;
        }
        let entries = |pairs: [(&str, &str); 2]| ManifestValue::hash(pairs.map(|(key, value)| (key.into(), value.into())).to_vec());
        let common = || ManifestValue::array(vec![entries([("name", "Common"), ("path", "common.yaml")])]);
        Some(Written {
            hierarchy: config.get("hierarchy").cloned().unwrap_or_else(common),
            fallback: config.get("default_hierarchy").cloned(),
            // The defaults of a file replace all of these.
            defaults: config.get("defaults").cloned().unwrap_or_else(|| entries([("datadir", "data"), ("data_hash", "yaml_data")])),
        })
    }
}

/// The levels of a configuration that can be read, without the data of a node.
pub struct ReadableLevels {
    /// The levels of the hierarchy, then of the default hierarchy.
    pub levels: Vec<HierarchyLevel>,
    /// Whether no level is malformed or has a data function that is not supported.
    pub is_complete: bool,
}

impl ReadableLevels {
    /// Reads the text of a `hiera.yaml`; `None` for other versions of Hiera, and for malformed YAML.
    pub fn of(text: &str) -> Option<ReadableLevels> {
        let written = Written::of(&from_plain(&parse_yaml(text).ok()?).ok()?)?;
        let lists = [Some(&written.hierarchy), written.fallback.as_ref()].into_iter().flatten();
        let (mut levels, mut is_complete) = (Vec::new(), true);
        for list in lists {
            is_complete &= list.as_array().is_some();
            for level in list.as_array().unwrap_or_default() {
                match named_level(Path::new(CONFIGURATION), level, &written.defaults) {
                    Ok(level) => levels.push(level),
                    Err(_) => is_complete = false,
                }
            }
        }
        Some(ReadableLevels { levels, is_complete })
    }
}

impl HierarchyLevel {
    /// Returns the level of a configuration without a hierarchy.
    fn common(directory: &str) -> HierarchyLevel {
        let locations = Locations::Paths(vec!["common.yaml".to_owned()]);
        HierarchyLevel { name: "Common".to_owned(), reader: Reader::Yaml, directory: directory.to_owned(), locations }
    }
}

impl Layer {
    /// Reads the hierarchy in a directory; `None` if a module has none.
    ///
    /// # Errors
    /// Refuses configurations that are malformed or not supported.
    pub fn read(context: &mut CallContext<'_>, root: PathBuf, module: Option<&str>) -> Result<Option<Layer>, EvaluationFailure> {
        let path = root.join(CONFIGURATION);
        let module = module.map(str::to_owned);
        if !context.exists(&path)? {
            if module.is_some() {
                return Ok(None);
            }
            return Ok(Some(Layer { root, module, levels: vec![HierarchyLevel::common("data")], fallback: Vec::new() }));
        }
        let written = Written::of(&parse(context, &path, Reader::Yaml)?);
        let written = written.ok_or_else(|| unsupported(&path, "a version of Hiera other than 5"))?;
        let levels = read_levels(&path, &written.hierarchy, &written.defaults)?;
        let fallback = written.fallback.map_or(Ok(Vec::new()), |levels| read_levels(&path, &levels, &written.defaults))?;
        Ok(Some(Layer { root, module, levels, fallback }))
    }

    /// Returns the files of each level, the highest first.
    ///
    /// # Errors
    /// Refuses files that cannot be read or parsed.
    pub fn data(&self, context: &mut CallContext<'_>, is_fallback: bool) -> Result<Vec<Vec<DataFile>>, EvaluationFailure> {
        let levels = if is_fallback { &self.fallback } else { &self.levels };
        let mut all = Vec::with_capacity(levels.len());
        for level in levels {
            let mut files = Vec::new();
            for path in self.files(context, level)? {
                let data = if context.exists(&path)? { Some(self.file(context, &path, level.reader)?) } else { None };
                files.push(DataFile { level: level.name.clone(), path, is_encrypted: level.reader == Reader::Eyaml, data });
            }
            all.push(files);
        }
        Ok(all)
    }

    /// Returns the name of the layer for people.
    pub fn name(&self) -> String {
        self.module.as_ref().map_or_else(|| "environment".to_owned(), |module| format!("module {module}"))
    }

    /// Returns the paths of the data files of a level, also of missing files.
    fn files(&self, context: &mut CallContext<'_>, level: &HierarchyLevel) -> Result<Vec<PathBuf>, EvaluationFailure> {
        let interpolate = |context: &mut CallContext<'_>, text: &str| Interpolation::path().text(context, text);
        let directory = self.root.join(interpolate(context, &level.directory)?);
        let mut found = Vec::new();
        match &level.locations {
            Locations::Paths(paths) => {
                for path in paths {
                    found.push(directory.join(interpolate(context, path)?));
                }
            }
            Locations::Globs(globs) => {
                for glob in globs {
                    let glob = interpolate(context, glob)?;
                    found.extend(matching(context, &directory, &glob)?);
                }
            }
            Locations::Mapped(variable, name, path) => {
                let elements = match Interpolation::variable(context, variable)? {
                    ManifestValue::Array(elements) => elements.to_vec(),
                    ManifestValue::Undef => Vec::new(),
                    element @ ManifestValue::String(_) => vec![element],
                    _ => return Err(EvaluationFailure::unsupported("`mapped_paths` of a variable that is not a string or an array")),
                };
                for element in elements {
                    let path = Interpolation::with(name, element).text(context, path)?;
                    found.push(directory.join(path));
                }
            }
        }
        Ok(found)
    }

    /// Returns the data of a file; keys of modules must begin with the name of the module.
    fn file(&self, context: &mut CallContext<'_>, path: &Path, reader: Reader) -> Result<Arc<ValueMap>, EvaluationFailure> {
        let data = parse(context, path, reader)?;
        let ManifestValue::Hash(data) = data else {
            if reader == Reader::Json {
                return Err(unsupported(path, "JSON that is not an object"));
            }
            let text = format!("{}: file does not contain a valid yaml hash", path.display());
            context.warn_deprecated(&text, &text);
            return Ok(Arc::default());
        };
        let Some(module) = &self.module else { return Ok(data) };
        let is_own = |key: &ManifestValue| {
            let key = key.as_str().unwrap_or_default();
            key == "lookup_options" || key.strip_prefix(module.as_str()).is_some_and(|rest| rest.starts_with("::"))
        };
        if data.keys().all(is_own) {
            return Ok(data);
        }
        let function = if reader == Reader::Json { "json_data" } else { "yaml_data" };
        let text = format!(
            "Module '{module}': Value returned from data_hash function '{function}', when using location '{}', must use keys qualified with \
             the name of the module",
            path.display()
        );
        context.warn_deprecated(&text, &text);
        let own = data.iter().filter(|(key, _)| is_own(key)).map(|(key, value)| (key.clone(), value.clone()));
        Ok(Arc::new(own.collect()))
    }
}

/// Parses a file.
fn parse(context: &mut CallContext<'_>, path: &Path, reader: Reader) -> Result<ManifestValue, EvaluationFailure> {
    let files = &context.evaluator.environment.clone().files;
    if let Some(known) = files.data(path) {
        return Ok(known);
    }
    let bytes = context.read_file(path)?;
    let text = String::from_utf8(bytes).map_err(|_| unsupported(path, "text that is not UTF-8"))?;
    let parsed = match reader {
        Reader::Yaml | Reader::Eyaml => parse_yaml(&text),
        Reader::Json => parse_json(&text),
    };
    let plain = parsed.map_err(|error| EvaluationFailure::unsupported(format!("{}: {error}", path.display())))?;
    let value = from_plain(&plain)?;
    files.keep_data(path, value.clone());
    Ok(value)
}

/// The keys of a level that select data files or a data function.
const KEYS: [&str; 10] = ["name", "path", "paths", "glob", "globs", "mapped_paths", "datadir", "data_hash", "lookup_key", "options"];

fn read_levels(path: &Path, levels: &ManifestValue, defaults: &ManifestValue) -> Result<Vec<HierarchyLevel>, EvaluationFailure> {
    let levels = levels.as_array().ok_or_else(|| unsupported(path, "a hierarchy that is not a list"))?;
    let mut read: Vec<HierarchyLevel> = Vec::with_capacity(levels.len());
    for level in levels {
        let level = named_level(path, level, defaults)?;
        if read.iter().any(|known| known.name == level.name) {
            return Err(unsupported(path, &format!("two levels with the name `{}`", level.name)));
        }
        read.push(level);
    }
    Ok(read)
}

fn named_level(path: &Path, level: &ManifestValue, defaults: &ManifestValue) -> Result<HierarchyLevel, EvaluationFailure> {
    let map = level.as_map().ok_or_else(|| unsupported(path, "a level that is not a map"))?;
    if let Some(key) = map.keys().find(|key| !key.as_str().is_some_and(|key| KEYS.contains(&key))) {
        return Err(unsupported(path, &format!("the key `{}` of a level", crate::compile::text::display(key))));
    }
    let name = level.get("name").and_then(ManifestValue::as_str).ok_or_else(|| unsupported(path, "a level without a name"))?;
    read_level(path, name, level, defaults)
}

fn read_level(path: &Path, name: &str, level: &ManifestValue, defaults: &ManifestValue) -> Result<HierarchyLevel, EvaluationFailure> {
    let entry = |name: &str| level.get(name).or_else(|| defaults.get(name));
    // A level with `lookup_key` ignores the `data_hash` of the defaults, and the reverse.
    let functions = |of: &ManifestValue| -> Vec<(&str, ManifestValue)> {
        ["data_hash", "lookup_key"].into_iter().filter_map(|kind| Some((kind, of.get(kind)?.clone()))).collect()
    };
    let own = functions(level);
    let given = if own.is_empty() { functions(defaults) } else { own };
    let reader = match given.as_slice() {
        [] => return Err(without_function(path, name)),
        [(kind, function)] => match (*kind, function.as_str()) {
            ("data_hash", Some("yaml_data")) => Reader::Yaml,
            ("data_hash", Some("json_data")) => Reader::Json,
            ("lookup_key", Some("eyaml_lookup_key")) => Reader::Eyaml,
            (kind, _) => return Err(unsupported(path, &format!("the {kind} function `{}`", crate::compile::text::display(function)))),
        },
        _ => {
            let text = "Only one of data_hash, lookup_key, data_dig, or hiera3_backend can be defined in hierarchy";
            return Err(EvaluationFailure::plain(None, format!("{text} '{name}' (file: {})", path.display())));
        }
    };
    let texts = |value: &ManifestValue| -> Result<Vec<String>, EvaluationFailure> {
        let elements = value.as_array().unwrap_or(std::slice::from_ref(value));
        let text =
            |element: &ManifestValue| element.as_str().map(str::to_owned).ok_or_else(|| unsupported(path, "a path that is not a string"));
        elements.iter().map(text).collect()
    };
    let given: Vec<(&str, &ManifestValue)> =
        ["path", "paths", "glob", "globs", "mapped_paths"].iter().filter_map(|name| Some((*name, level.get(name)?))).collect();
    let locations = match given.as_slice() {
        [] => Locations::Paths(Vec::new()),
        [("mapped_paths", value)] => match <[String; 3]>::try_from(texts(value)?) {
            Ok([variable, name, template]) => Locations::Mapped(variable, name, template),
            Err(_) => return Err(unsupported(path, "`mapped_paths` without three elements")),
        },
        [("path" | "paths", value)] => Locations::Paths(texts(value)?),
        [(_, value)] => Locations::Globs(texts(value)?),
        _ => return Err(unsupported(path, "a level with several kinds of paths")),
    };
    let directory = entry("datadir").and_then(ManifestValue::as_str).unwrap_or("data").to_owned();
    Ok(HierarchyLevel { name: name.to_owned(), reader, directory, locations })
}

/// Returns the files below a directory that match a pattern, in the order of their names.
fn matching(context: &CallContext<'_>, directory: &Path, glob: &str) -> Result<Vec<PathBuf>, EvaluationFailure> {
    let built = GlobBuilder::new(glob).literal_separator(true).build();
    let matcher = built.map_err(|error| EvaluationFailure::unsupported(error.to_string()))?.compile_matcher();
    let depth = if glob.contains("**") { 20 } else { glob.matches('/').count() + 1 };
    let mut found = Vec::new();
    let mut pending = vec![(directory.to_owned(), 1)];
    let mut seen = 0;
    while let Some((current, level)) = pending.pop() {
        for path in context.evaluator.files().list(&current) {
            seen += 1;
            if seen > MOST_FILES {
                return Err(EvaluationFailure::limit("too many files for a glob in hiera.yaml"));
            }
            let is_match = path.strip_prefix(directory).is_ok_and(|relative| matcher.is_match(relative));
            if is_match && context.exists(&path)? {
                found.push(path);
            } else if level < depth {
                pending.push((path, level + 1));
            }
        }
    }
    found.sort();
    Ok(found)
}
