//! Loading types, looking at them, and checking files with them.

use super::problem::{Problem, Problems};
use super::resources::Resources;
use crate::app::check::{CheckSession, input_of};
use rtype_author::check::Selection;
use rtype_lang::diagnostics::Diagnostic;
use rtype_lang::eval::UnknownWorld;
use rtype_lang::library::{self, TypeSet};
use rtype_lang::source::Source;
use rtype_lang::types::{AttributeDef, Role, TypeDef};
use rtype_lang::value::Value;
use rtype_model::providers::Providers;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Collects type files.
///
/// The types of the standard library are always loaded. An added type replaces the standard type with the same name.
///
/// ```
/// let types = rtype::Loader::new()
///     .text("lamp.rtype", "\
/// type lamp {
///   newparam name { isnamevar }
///   newproperty level { type Integer[0, 100] }
/// }
/// ")
///     .load()?;
/// assert!(types.get("lamp").is_some());
/// assert!(types.get("user").is_some());
/// # Ok::<(), rtype::Problems>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Loader {
    texts: Vec<(String, String)>,
    directories: Vec<PathBuf>,
}

impl Loader {
    /// Begins with the standard library alone.
    pub fn new() -> Loader {
        Loader::default()
    }

    /// Adds the content of a type file. Problems refer to the file as `name`, which should end in `.rtype`.
    #[must_use]
    pub fn text(mut self, name: impl Into<String>, text: impl Into<String>) -> Loader {
        self.texts.push((name.into(), text.into()));
        self
    }

    /// Adds a directory of type files, read from the disk when the types are loaded. Earlier directories take precedence.
    ///
    /// ```no_run
    /// let types = rtype::Loader::new().directory("/etc/rtype/types").load()?;
    /// # Ok::<(), rtype::Problems>(())
    /// ```
    #[cfg(feature = "native")]
    #[must_use]
    pub fn directory(mut self, path: impl Into<PathBuf>) -> Loader {
        self.directories.push(path.into());
        self
    }

    /// Loads all types.
    ///
    /// # Errors
    /// If a file cannot be read, or a type has errors.
    pub fn load(self) -> Result<Types, Problems> {
        let loader = library::TypeLoader::new(self.directories);
        #[cfg(feature = "native")]
        let loader = loader.with_files(Arc::new(crate::app::input::FileAccess::Any));
        let mut types = loader.load();
        let sources: Result<Vec<Arc<Source>>, Diagnostic> = self.texts.into_iter().map(|(name, text)| types.keep(&name, text)).collect();
        let sources = sources.map_err(|diagnostic| Problems::new(problems([&diagnostic], &types)))?;
        let texts: Vec<(&Source, Option<&Path>)> = sources.iter().map(|source| (&**source, None)).collect();
        types.load_texts(&texts);
        for name in types.names() {
            types.load(&name);
        }
        let diagnostics = types.diagnostics();
        let errors: Vec<&Diagnostic> = diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).collect();
        if !errors.is_empty() {
            return Err(Problems::new(problems(errors, &types)));
        }
        Ok(Types { types })
    }
}

pub(super) fn problems<'a>(diagnostics: impl IntoIterator<Item = &'a Diagnostic>, types: &TypeSet) -> Vec<Problem> {
    diagnostics.into_iter().map(|diagnostic| Problem::new(diagnostic, &types.sources, &types.secrets)).collect()
}

/// Loaded types. Clones are cheap and share the types.
#[derive(Clone)]
pub struct Types {
    types: TypeSet,
}

impl Types {
    /// Returns an independent type set for one more source. The source is dropped together with the set.
    pub(super) fn fork(&self) -> TypeSet {
        self.types.fork()
    }

    /// Returns the names of all types, sorted.
    ///
    /// ```
    /// let types = rtype::Loader::new().load()?;
    /// assert!(types.names().iter().any(|name| name == "file"));
    /// # Ok::<(), rtype::Problems>(())
    /// ```
    pub fn names(&self) -> Vec<String> {
        self.types.names()
    }

    /// Returns a type by name.
    pub fn get(&self, name: &str) -> Option<ResourceType> {
        self.types.load(name).map(|def| ResourceType { def })
    }

    /// Checks a source as `rtype check` does with the default profile, and returns the problems, sorted by location. The source contains
    /// types if its name ends in `.rtype`, otherwise resources: a manifest, or JSON and YAML according to the extension.
    ///
    /// ```
    /// let types = rtype::Loader::new().load()?;
    /// let found = types.check("site.pp", "user { 'ada': ensure => gone }");
    /// assert_eq!((found.len(), found[0].location.as_ref().map(|l| l.column)), (1, Some(25)));
    /// # Ok::<(), rtype::Problems>(())
    /// ```
    pub fn check(&self, name: &str, text: &str) -> Vec<Problem> {
        let mut types = self.fork();
        let source = match types.keep(name, text.to_owned()) {
            Ok(source) => source,
            Err(diagnostic) => return problems([&diagnostic], &types),
        };
        let session = CheckSession { providers: &*providers(), world: &UnknownWorld, selection: &Selection::default() };
        problems(&session.run_one(input_of(source, None), &mut types), &types)
    }

    /// Declares the resources in a manifest, or in JSON and YAML according to the extension. A host can read, compare and apply the
    /// declared resources.
    ///
    /// ```
    /// let types = rtype::Loader::new().load()?;
    /// let resources = types.declare("site.pp", "file { '/etc/motd': ensure => file, mode => 'u=rw,go=r' }")?;
    /// let motd = resources.iter().next().unwrap();
    /// assert_eq!((motd.reference(), motd.get("mode").unwrap().to_text()), ("File[/etc/motd]".to_owned(), "u=rw,go=r".into()));
    /// # Ok::<(), rtype::Problems>(())
    /// ```
    ///
    /// # Errors
    /// If the source has errors, or a resource is not valid.
    pub fn declare(&self, name: &str, text: &str) -> Result<Resources, Problems> {
        Resources::declare(self, name, text)
    }
}

/// Returns the native providers of this program, for checks.
#[cfg(feature = "native")]
fn providers() -> Box<dyn Providers> {
    Box::new(rtype_provider::NativeProviders::standard())
}

#[cfg(not(feature = "native"))]
fn providers() -> Box<dyn Providers> {
    Box::new(rtype_model::providers::UnknownProviders)
}

/// A type of resources.
///
/// ```
/// let types = rtype::Loader::new().load()?;
/// let user = types.get("user").unwrap();
/// let uid = user.attributes().find(|attribute| attribute.name() == "uid").unwrap();
/// assert_eq!(uid.kind(), rtype::AttributeKind::Property);
/// assert!(user.providers().any(|name| name == "useradd"));
/// # Ok::<(), rtype::Problems>(())
/// ```
#[derive(Clone)]
pub struct ResourceType {
    def: Arc<TypeDef>,
}

impl ResourceType {
    /// Returns the name.
    pub fn name(&self) -> &str {
        self.def.name.as_str()
    }

    /// Returns the documentation in Markdown.
    pub fn doc(&self) -> &str {
        &self.def.doc
    }

    /// Returns its attributes in the order of the definition, metaparameters last.
    pub fn attributes(&self) -> impl Iterator<Item = AttributeInfo<'_>> {
        self.def.attributes.iter().map(|def| AttributeInfo { def })
    }

    /// Returns the names of the providers.
    pub fn providers(&self) -> impl Iterator<Item = &str> {
        self.def.providers.keys().map(|name| name.as_str())
    }
}

/// An attribute of a type.
#[derive(Clone, Copy)]
pub struct AttributeInfo<'a> {
    def: &'a AttributeDef,
}

/// The kinds of attributes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AttributeKind {
    /// A state of the machine that is read, compared and changed.
    Property,
    /// A setting of the resource.
    Parameter,
    /// A setting that every type has, such as `require`.
    Metaparameter,
}

impl<'a> AttributeInfo<'a> {
    /// Returns the name.
    pub fn name(&self) -> &'a str {
        self.def.name.as_str()
    }

    /// Returns the documentation in Markdown.
    pub fn doc(&self) -> &'a str {
        &self.def.doc
    }

    /// Returns the kind.
    pub fn kind(&self) -> AttributeKind {
        match self.def.role {
            Role::Property => AttributeKind::Property,
            Role::Param => AttributeKind::Parameter,
            Role::Metaparam => AttributeKind::Metaparameter,
        }
    }

    /// Returns whether the attribute is part of a resource's identity.
    pub fn is_namevar(&self) -> bool {
        self.def.namevar
    }

    /// Returns whether every resource must set the attribute.
    pub fn is_required(&self) -> bool {
        self.def.required.is_some()
    }

    /// Returns whether the values are secrets.
    pub fn is_sensitive(&self) -> bool {
        self.def.sensitive
    }

    /// Returns the allowed values that the type lists; a regex, a data type or a block may allow further values.
    pub fn values(&self) -> impl Iterator<Item = Value> + use<'a> {
        self.def.values.literals().map(|literal| Value::sym(literal.to_string()))
    }
}

impl fmt::Debug for Types {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}

impl fmt::Debug for ResourceType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ResourceType").field(&self.name()).finish()
    }
}

impl fmt::Debug for AttributeInfo<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AttributeInfo").field(&self.name()).finish()
    }
}
