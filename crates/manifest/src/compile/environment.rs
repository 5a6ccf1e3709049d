//! What a compilation is given: node, facts, settings, files, types and functions.

use super::context::CallContext;
use super::failure::EvaluationFailure;
use super::files::ModuleFiles;
use super::function::KnownFunctions;
use super::value::ManifestValue;
use ecow::EcoString;
use indexmap::IndexMap;
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
    /// Whether two resources may manage the same object, as for `exec`.
    pub is_isomorphic: bool,
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
