//! Declared resources.

use super::problem::{Problem, Problems};
use super::types::{Types, problems};
use rtype_lang::diagnostics::Diagnostic;
use rtype_lang::eval::UnknownWorld;
#[cfg(feature = "native")]
use rtype_lang::library::TypeSet;
#[cfg(feature = "native")]
use rtype_lang::source::Source;
use rtype_lang::value::Value;
use rtype_model::declare::{DeclareOptions, declare};
use rtype_model::manifest::from_source;
use rtype_model::resource::{Catalog, Context, Instance, NoCatalog};
use std::fmt;
use std::sync::Arc;

/// Resources that were declared, with canonical values.
pub struct Resources {
    /// The types. A host declares the resources again, with the facts of the machine.
    #[cfg(feature = "native")]
    pub(super) types: TypeSet,
    #[cfg(feature = "native")]
    pub(super) source: Arc<Source>,
    catalog: Catalog,
    warnings: Vec<Problem>,
}

impl Resources {
    pub(super) fn declare(types: &Types, name: &str, text: &str) -> Result<Resources, Problems> {
        let types = types.fork();
        let before = types.diagnostic_count();
        let source = types.keep(name, text.to_owned()).map_err(|diagnostic| Problems::new(problems([&diagnostic], &types)))?;
        let (declarations, mut found) = from_source(&source, &UnknownWorld);
        types.secrets.extend(&declarations.secrets);
        let context =
            Context { world: &UnknownWorld, catalog: &NoCatalog, backend: None, strict: false, trace: false, offline: true, log: None };
        let declared = declare(&declarations, &types, context, DeclareOptions::default());
        found.extend(declared.diagnostics);
        found.extend(types.diagnostics_after(before));
        found.iter_mut().for_each(|diagnostic| declarations.trace(diagnostic));
        let is_error = found.iter().any(Diagnostic::is_error);
        let found = problems(&found, &types);
        if is_error {
            return Err(Problems::new(found));
        }
        Ok(Resources {
            #[cfg(feature = "native")]
            types,
            #[cfg(feature = "native")]
            source,
            catalog: declared.catalog,
            warnings: found,
        })
    }

    /// Returns the resources in the order of declaration. Each resource is followed by the resources that it generates.
    pub fn iter(&self) -> impl Iterator<Item = DeclaredResource<'_>> {
        self.catalog.iter().map(|instance| DeclaredResource { instance })
    }

    /// Returns the problems that are not errors.
    ///
    /// ```
    /// let types = rtype::Loader::new().load()?;
    /// let resources = types.declare("site.pp", "user { 'ada': uid => 1000 }")?;
    /// assert!(resources.warnings().is_empty());
    /// # Ok::<(), rtype::Problems>(())
    /// ```
    pub fn warnings(&self) -> &[Problem] {
        &self.warnings
    }
}

/// A declared resource.
///
/// ```
/// let types = rtype::Loader::new().load()?;
/// let resources = types.declare("site.pp", "user { 'ada': uid => '1000', groups => ['wheel'] }")?;
/// let ada = resources.iter().next().unwrap();
/// assert_eq!((ada.type_name(), ada.title()), ("user", "ada"));
/// assert_eq!(ada.get("uid"), Some(rtype::value::Value::Int(1000)));
/// assert_eq!(ada.get("shell"), None);
/// # Ok::<(), rtype::Problems>(())
/// ```
#[derive(Clone, Copy)]
pub struct DeclaredResource<'a> {
    instance: &'a Arc<Instance>,
}

impl<'a> DeclaredResource<'a> {
    /// Returns the name of the resource's type.
    pub fn type_name(&self) -> &'a str {
        self.instance.type_def.name.as_str()
    }

    /// Returns the title.
    pub fn title(&self) -> &'a str {
        self.instance.title.as_str()
    }

    /// Returns `Type[title]`.
    pub fn reference(&self) -> String {
        self.instance.reference().to_string()
    }

    /// Returns the canonical value of an attribute, given or by default; `None` for an attribute without a value. Secrets are wrapped in
    /// [`Value::Sensitive`].
    pub fn get(&self, attribute: &str) -> Option<Value> {
        Some(self.instance.get(attribute)).filter(|value| !value.is_nil())
    }

    /// Returns the names of all attributes with a value.
    pub fn attributes(&self) -> impl Iterator<Item = &'a str> {
        let def = &self.instance.type_def;
        self.instance.slots.iter().filter_map(|slot| def.attribute(slot.id).map(|attribute| attribute.name.as_str()))
    }
}

// Values may be secrets, so only names are printed.
impl fmt::Debug for Resources {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl fmt::Debug for DeclaredResource<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reference())
    }
}
