//! What a compilation is given: node, facts, settings, files, types and functions.

use super::context::CallContext;
use super::failure::EvaluationFailure;
use super::files::ModuleFiles;
use super::function::KnownFunctions;
use super::value::ManifestValue;
use ecow::EcoString;
use indexmap::IndexMap;
use rtype_lang::value::Regex;
use std::sync::Arc;

/// Looks up a class parameter; `None` without a value.
pub type ParameterLookup = fn(&mut CallContext<'_>, &str) -> Result<Option<ManifestValue>, EvaluationFailure>;

/// The attributes of a resource type.
#[derive(Clone, Debug)]
pub struct NativeType {
    /// The attributes without metaparameters; `None` if they are not known.
    pub attributes: Option<Vec<EcoString>>,
    /// The attribute that the title sets, if there is one.
    pub namevar: Option<EcoString>,
    /// The identifying attributes of a type with several of them, in alphabetical order.
    pub keys: Vec<EcoString>,
    /// The patterns that divide titles into attributes.
    pub title_patterns: Vec<TitleAttributes>,
    /// Whether two resources may manage the same object, as for `exec`.
    pub is_isomorphic: bool,
}

/// A pattern of titles. Each group sets an attribute.
#[derive(Clone, Debug)]
pub struct TitleAttributes {
    /// The pattern.
    pub regex: Arc<Regex>,
    /// The attributes of the groups.
    pub attributes: Vec<EcoString>,
}

impl NativeType {
    /// Returns a type whose attributes are not known.
    pub fn unknown() -> NativeType {
        NativeType { attributes: None, namevar: None, keys: Vec::new(), title_patterns: Vec::new(), is_isomorphic: true }
    }

    /// Returns the attributes that the patterns find in a title; `None` if no pattern matches.
    pub fn title_attributes(&self, title: &str) -> Option<Vec<(EcoString, ManifestValue)>> {
        self.title_patterns.iter().find_map(|pattern| {
            let groups = pattern.regex.captures_at(title, 0)?;
            let group = |at: usize| groups.get(at + 1).cloned().flatten().and_then(|range| title.get(range));
            let value = |at: usize| group(at).map_or(ManifestValue::Undef, ManifestValue::from);
            Some(pattern.attributes.iter().enumerate().map(|(at, name)| (name.clone(), value(at))).collect())
        })
    }
}

/// Finds resource types that are not written in Puppet's language.
pub trait ResourceTypes: Send + Sync {
    /// Returns a type by its lower-case name.
    fn find(&self, name: &str, files: &ModuleFiles) -> Option<NativeType>;
}

/// How strictly mistakes are judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Strictness {
    /// `strict = off`
    Off,
    /// `strict = warning`
    #[default]
    Warning,
    /// `strict = error`
    Error,
}

/// The limits of a compilation.
#[derive(Clone, Copy, Debug)]
pub struct EvaluationLimits {
    /// The maximum number of steps; each element that a function creates is a step.
    pub steps: usize,
    /// The maximum nesting of calls and expressions.
    pub depth: usize,
    /// The maximum number of resources.
    pub resources: usize,
    /// The maximum number of bytes; an element of a collection counts as 16.
    pub bytes: usize,
}

impl Default for EvaluationLimits {
    fn default() -> EvaluationLimits {
        EvaluationLimits { steps: 20_000_000, depth: 1_000, resources: 100_000, bytes: 512 << 20 }
    }
}

/// The input of a compilation.
pub struct Environment {
    /// The name of the environment: `production`.
    pub name: EcoString,
    /// The certificate name of the node.
    pub node: EcoString,
    /// Variables of the top scope: facts by their names, and values of an ENC.
    pub variables: IndexMap<EcoString, ManifestValue>,
    /// `$facts`
    pub facts: ManifestValue,
    /// `$trusted`
    pub trusted: ManifestValue,
    /// `$server_facts`
    pub server_facts: ManifestValue,
    /// Settings of Puppet by name.
    pub settings: IndexMap<EcoString, ManifestValue>,
    /// The setting `strict`.
    pub strict: Strictness,
    /// The setting `strict_variables`.
    pub has_strict_variables: bool,
    /// The files of the environment and the modules.
    pub files: ModuleFiles,
    /// The functions.
    pub functions: Arc<KnownFunctions>,
    /// The resource types.
    pub types: Arc<dyn ResourceTypes>,
    /// The lookup of class parameters, if data is supported.
    pub lookup: Option<ParameterLookup>,
    /// The limits.
    pub limits: EvaluationLimits,
}
