//! The catalog: resources, edges and classes.

pub mod finish;
pub mod output;

use super::environment::NativeType;
use super::failure::EvaluationFailure;
use super::scope::VariableScope;
use super::types::display::capitalized;
use super::value::ManifestValue;
use ecow::EcoString;
use indexmap::{IndexMap, IndexSet};
use rtype_lang::source::Span;
use std::collections::HashMap;
use std::sync::Arc;

/// The metaparameters, except relations.
pub const METAPARAMETERS: &[&str] = &["alias", "audit", "export", "loglevel", "noop", "schedule", "stage", "tag"];

/// The metaparameters that name other resources.
pub const RELATIONS: &[&str] = &["before", "consume", "notify", "require", "subscribe"];

/// Returns `true` for metaparameters.
pub fn is_metaparameter(name: &str) -> bool {
    METAPARAMETERS.contains(&name) || RELATIONS.contains(&name)
}

/// What a resource is.
#[derive(Clone, Debug)]
pub enum CatalogKind {
    /// A resource of a type that is not written in Puppet's language.
    Native(NativeType),
    /// A resource of a defined type.
    Defined,
    /// A class.
    Class,
    /// A node definition.
    Node,
}

/// The value of a parameter.
#[derive(Clone, Debug)]
pub struct ParameterValue {
    /// The value.
    pub value: ManifestValue,
    /// The place.
    pub span: Option<Span>,
    /// Whether the value is added to the present value: `+>`.
    pub appends: bool,
    /// The class or defined type that sets the parameter.
    pub source: EcoString,
}

/// The states of a resource.
#[derive(Clone, Copy, Debug, Default)]
pub struct ResourceFlags {
    /// Whether the resource is virtual.
    pub is_virtual: bool,
    /// Whether the resource is exported.
    pub is_exported: bool,
    /// Whether a function declared the resource: without a file, Puppet then calls the file `unknown`.
    pub is_from_function: bool,
    /// Whether the body of the class or defined type was evaluated.
    pub is_evaluated: bool,
    /// Whether the resource has the tags of its container.
    pub has_scope_tags: bool,
}

/// A resource of the catalog.
#[derive(Debug)]
pub struct CatalogResource {
    /// What it is.
    pub kind: CatalogKind,
    /// The lower-case qualified name of the type.
    pub type_name: EcoString,
    /// The title.
    pub title: EcoString,
    /// The title that a function declared, if it is not a string.
    pub given_title: Option<ManifestValue>,
    /// The parameters.
    pub parameters: IndexMap<EcoString, ParameterValue>,
    /// The tags.
    pub tags: IndexSet<EcoString>,
    /// The place of the declaration.
    pub span: Option<Span>,
    /// The states.
    pub flags: ResourceFlags,
    /// The scope of the declaration.
    pub scope: Arc<VariableScope>,
    /// The parameters that were declared as `Sensitive`.
    pub sensitive: Vec<EcoString>,
    /// The class or defined type of the declaration.
    pub source: EcoString,
}

/// Returns the reference of a resource: `File[/x]`, `Class[Foo::Bar]`.
pub fn reference(type_name: &str, title: &str) -> String {
    if type_name == "class" && title != "main" {
        return format!("Class[{}]", capitalized(title));
    }
    format!("{}[{title}]", capitalized(type_name))
}

impl CatalogResource {
    /// Returns the reference.
    pub fn reference(&self) -> String {
        reference(&self.type_name, &self.title)
    }

    /// Returns `true` for classes.
    pub fn is_class(&self) -> bool {
        matches!(self.kind, CatalogKind::Class)
    }

    /// Returns the value of a parameter.
    pub fn value(&self, name: &str) -> Option<&ManifestValue> {
        self.parameters.get(name).map(|parameter| &parameter.value).filter(|value| !matches!(value, ManifestValue::Undef))
    }

    /// Returns the value of an attribute, or the title, as queries see it.
    pub fn query(&self, name: &str) -> ManifestValue {
        if name == "title" {
            return ManifestValue::String(self.title.clone());
        }
        self.parameters.get(name).map_or(ManifestValue::Undef, |parameter| parameter.value.clone())
    }

    /// Adds a tag with the parts of its name.
    ///
    /// # Errors
    /// Returns an error if the tag has characters that tags cannot have.
    pub fn tag(&mut self, tag: &str) -> Result<(), EvaluationFailure> {
        let tag = tag.to_lowercase();
        if !is_tag(&tag) {
            return Err(EvaluationFailure::new(format!("Invalid tag '{tag}'")));
        }
        self.tags.extend(tag.split("::").filter(|_| tag.contains("::")).map(EcoString::from));
        self.tags.insert(tag.into());
        Ok(())
    }

    /// Adds the tags of a value: a string, or a list of strings.
    ///
    /// # Errors
    /// Returns an error if a tag is not valid.
    pub fn tag_value(&mut self, value: &ManifestValue) -> Result<(), EvaluationFailure> {
        match value {
            ManifestValue::Undef => Ok(()),
            ManifestValue::Array(elements) => elements.iter().try_for_each(|element| self.tag_value(element)),
            other => self.tag(&super::text::display(other)),
        }
    }
}

/// Returns `true` for valid tags.
pub fn is_tag(tag: &str) -> bool {
    tag.starts_with(|c: char| c.is_alphanumeric() || c == '_')
        && tag.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | ':' | '.' | '-'))
}

/// Two sides of a relation: `->` is `before`, `~>` is `notify`.
#[derive(Clone, Debug)]
pub struct CatalogRelation {
    /// The first side.
    pub source: Operand,
    /// The second side.
    pub target: Operand,
    /// Whether changes are signalled.
    pub notifies: bool,
}

/// A side of a relation.
#[derive(Clone, Debug)]
pub enum Operand {
    /// The type and title of a resource.
    Resource(EcoString, EcoString),
    /// A collector by its number.
    Collector(usize),
}

/// The catalog under construction.
#[derive(Default)]
pub struct CatalogBuilder {
    /// The resources in the order of their declaration.
    pub resources: Vec<CatalogResource>,
    /// The index of a resource by type and title.
    index: HashMap<(EcoString, EcoString), usize>,
    /// Other names of resources: the type and the values of key attributes.
    aliases: HashMap<(EcoString, EcoString), usize>,
    /// The containers with their resources.
    pub edges: IndexSet<(usize, usize)>,
    /// The evaluated classes.
    pub classes: Vec<EcoString>,
    /// The relations of `->` and `~>`.
    pub relations: Vec<CatalogRelation>,
}

impl CatalogBuilder {
    /// Returns the index of a resource. Paths of files are the same with and without a slash at the end.
    pub fn find(&self, type_name: &str, title: &str) -> Option<usize> {
        let found = self.find_titled(type_name, title);
        let path = (type_name == "file" && title.len() > 1).then(|| title.trim_end_matches('/')).filter(|path| *path != title);
        found.or_else(|| self.find_titled(type_name, path?))
    }

    /// Returns the index of a resource by its exact title, its alias or the value of its identifying attribute.
    pub fn find_titled(&self, type_name: &str, title: &str) -> Option<usize> {
        let key = (EcoString::from(type_name), EcoString::from(title));
        self.index.get(&key).or_else(|| self.aliases.get(&key)).copied()
    }

    /// Returns the index of a resource by its title alone.
    pub fn find_exact(&self, type_name: &str, title: &str) -> Option<usize> {
        self.index.get(&(EcoString::from(type_name), EcoString::from(title))).copied()
    }

    /// Returns a resource.
    pub fn get(&self, at: usize) -> Option<&CatalogResource> {
        self.resources.get(at)
    }

    /// Returns a resource to change it.
    pub fn get_mut(&mut self, at: usize) -> Option<&mut CatalogResource> {
        self.resources.get_mut(at)
    }

    /// Adds a resource. Its type and title must not be in the catalog.
    pub fn insert(&mut self, resource: CatalogResource) -> usize {
        let at = self.resources.len();
        self.index.insert((resource.type_name.clone(), resource.title.clone()), at);
        self.resources.push(resource);
        at
    }

    /// Adds another name of a resource. Returns the resource that has the name already.
    pub fn alias(&mut self, at: usize, type_name: &str, key: &str) -> Option<usize> {
        let key = (EcoString::from(type_name), EcoString::from(key));
        match self.index.get(&key).or_else(|| self.aliases.get(&key)) {
            Some(other) if *other != at => Some(*other),
            _ => {
                self.aliases.insert(key, at);
                None
            }
        }
    }
}
