//! Definitions of types: plain immutable data in a [`Registry`] that belongs to the caller.

mod attribute;
pub mod builtin;
mod expr;
pub mod facts;
mod provider;
mod registry;
mod test;

pub use attribute::*;
pub use expr::*;
pub use provider::*;
pub use registry::Registry;
pub use test::*;

use crate::debug::structure;
use crate::source::Span;
use crate::value::{Regex, Symbol, Value};
use indexmap::IndexMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// Puppet's eleven metaparameters, which all types, classes and defined types have.
pub const METAPARAMETERS: &[&str] =
    &["alias", "audit", "before", "loglevel", "noop", "notify", "require", "schedule", "stage", "subscribe", "tag"];

/// Attribute names with their indexes. Uses a fast hasher, because names are looked up for every value of every resource.
pub type AttributeNames = IndexMap<Symbol, AttrId, foldhash::fast::RandomState>;

/// The index of an attribute in [`TypeDef::attributes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AttrId(pub u16);

/// A resource type.
#[derive(Clone, Debug)]
pub struct TypeDef {
    /// The name of the type.
    pub name: Symbol,
    /// The span of the name.
    pub span: Span,
    /// The documentation.
    pub doc: String,
    /// `true` if a resource that changes also refreshes itself (`self_refresh: true`).
    pub self_refresh: bool,
    /// `true` if two resources with the same identity are duplicates; `isomorphic false` allows both.
    pub isomorphic: bool,
    /// `true` if existing resources can be listed; `instances none` rules it out.
    pub lists_instances: bool,
    /// `true` if resources are managed on this host; `apply_to device` rules it out.
    pub applies_to_host: bool,
    /// Provider features by name.
    pub features: IndexMap<Symbol, FeatureDef>,
    /// The methods of the type's providers, with the spans of the first definitions.
    pub methods: IndexMap<Symbol, Span>,
    /// The type's properties and parameters in definition order, then `provider` if the type has providers, then metaparameters.
    pub attributes: Vec<AttributeDef>,
    /// The index of each attribute by name.
    pub by_name: AttributeNames,
    /// The attributes that identify a resource, in definition order; never empty.
    pub namevars: Vec<AttrId>,
    /// The order in which attributes are set: namevars, provider, properties (`ensure` first), parameters, metaparameters.
    pub order: Vec<AttrId>,
    /// The title patterns in the order in which they are tried.
    pub title_patterns: Vec<TitlePattern>,
    /// The type's `finalize` and `validate` blocks, in the order of the file.
    pub checks: Vec<TypeCheck>,
    /// The `late_finalize` blocks, in the order of the file.
    pub late_finalizes: Vec<CodeBlock>,
    /// `autorequire`, `autobefore`, `autonotify` and `autosubscribe`.
    pub autorelations: Vec<AutoRelation>,
    /// The `pre_run_check` blocks.
    pub pre_run_checks: Vec<CodeBlock>,
    /// The `refresh` block.
    pub refresh: Option<CodeBlock>,
    /// `title`: computes the replacement for the declared title.
    pub title: Option<CodeBlock>,
    /// `canonicalize`: converts the declared values, and the current values, together.
    pub canonicalize: Option<CodeBlock>,
    /// `generate`: computes further resources before the run.
    pub generate: Option<CodeBlock>,
    /// `eval_generate`: computes further resources when the resource is evaluated.
    pub eval_generate: Option<CodeBlock>,
    /// `purges`: returns true if a resource removes undeclared resources without a limit.
    pub purges: Option<CodeBlock>,
    /// The attributes with raw values that blocks read (`self.raw(:x)`); other raw values are not kept.
    pub reads_raw: Vec<AttrId>,
    /// The functions and names shared by the blocks.
    pub program: Arc<Program>,
    /// The providers in the order of their files.
    pub providers: IndexMap<Symbol, ProviderDef>,
    /// Other types with parents of this type's providers, by name.
    pub foreign: IndexMap<Symbol, Arc<TypeDef>>,
}

/// The maximum number of a provider's ancestors; a longer chain contains a cycle.
const MAX_PARENTS: usize = 16;

impl TypeDef {
    /// Returns a hash that differs between versions of a type and is the same for all libraries with the same source.
    ///
    ///
    /// The hash is computed from the whole definition on each call: types are loaded in every run but rarely compared.
    pub fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        structure(self).hash(&mut hasher);
        hasher.finish()
    }

    /// Returns the attribute with this index.
    pub fn attribute(&self, id: AttrId) -> Option<&AttributeDef> {
        self.attributes.get(usize::from(id.0))
    }

    /// Returns the properties in the order in which they are brought in sync: `ensure`, then the others as they are declared. Follows
    /// Puppet's `Puppet::Type.properties`.
    pub fn synced(&self) -> impl Iterator<Item = AttrId> {
        let all = self.attributes.iter().zip(0..).filter(|(a, _)| a.role == Role::Property);
        let (ensure, others): (Vec<_>, Vec<_>) = all.partition(|(a, _)| a.name.as_str() == "ensure");
        ensure.into_iter().chain(others).map(|(_, id)| AttrId(id))
    }

    /// Returns the index of the attribute `name`.
    pub fn id_of(&self, name: &str) -> Option<AttrId> {
        self.by_name.get(name).copied()
    }

    /// Returns the index of a declaration's attribute `name`, where `name` may also refer to the only namevar.
    pub fn id_declared_as(&self, name: &str) -> Option<AttrId> {
        self.id_of(name).or(match self.namevars.as_slice() {
            [namevar] if name == "name" => Some(*namevar),
            _ => None,
        })
    }

    /// Returns the attribute `name`.
    pub fn attribute_named(&self, name: &str) -> Option<&AttributeDef> {
        self.attribute(self.id_of(name)?)
    }

    /// Returns the span of a provider method's first definition; empty for a definition in a parent's type.
    pub fn method_span(&self, method: &Symbol) -> Span {
        self.methods.get(method).copied().unwrap_or(Span::NONE)
    }

    /// Returns a provider and its parents, nearest first, each with its type.
    pub fn lineage<'a>(&'a self, provider: &'a ProviderDef) -> impl Iterator<Item = (&'a TypeDef, &'a ProviderDef)> {
        let parent = |(of, provider): &(&'a TypeDef, &'a ProviderDef)| {
            let (name, _) = provider.parent.as_ref()?;
            let (of, name) = match name.split_once('/') {
                Some((type_name, name)) => (&**of.foreign.get(type_name)?, name),
                None => (*of, name.as_str()),
            };
            Some((of, of.providers.get(name)?))
        };
        std::iter::successors(Some((self, provider)), parent).take(MAX_PARENTS)
    }

    /// Returns the provider that implements `provider`: itself or its nearest parent with a body.
    pub fn worker<'a>(&'a self, provider: &'a ProviderDef) -> Option<(&'a TypeDef, &'a ProviderDef)> {
        self.lineage(provider).find(|(_, p)| p.body != ProviderBody::None)
    }

    /// Returns `true` if resources can only be read with a provider's code. Types without properties need no provider, nor do types
    /// whose blocks read or compare all properties.
    pub fn needs_provider(&self) -> bool {
        self.attributes.iter().any(AttributeDef::is_read_by_provider)
    }

    /// Returns the properties in definition order.
    pub fn properties(&self) -> impl Iterator<Item = &AttributeDef> {
        self.attributes.iter().filter(|a| a.role == Role::Property)
    }

    /// Returns the parameters in definition order, `provider` last, without metaparameters.
    pub fn params(&self) -> impl Iterator<Item = &AttributeDef> {
        self.attributes.iter().filter(|a| a.role == Role::Param)
    }
}

/// A provider feature declared by a type.
#[derive(Clone, Debug)]
pub struct FeatureDef {
    /// The documentation.
    pub doc: String,
    /// The required provider methods; if empty, providers declare the feature explicitly.
    pub methods: Vec<Symbol>,
    /// The span of the name.
    pub span: Span,
}

/// A pattern that splits titles into attributes.
#[derive(Clone, Debug)]
pub struct TitlePattern {
    /// The pattern that the title must match.
    pub regex: Arc<Regex>,
    /// The attributes that the groups set, in order.
    pub attributes: Vec<AttrId>,
    /// The span of the row.
    pub span: Span,
}

/// A block of the type about the resource as a whole.
#[derive(Clone, Debug)]
pub enum TypeCheck {
    /// `finalize { … }`: may assign `self.x = …`.
    Finalize(CodeBlock),
    /// `validate { … }`: may `fail`.
    Validate(CodeBlock),
}

/// The direction and kind of an automatic relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RelationKind {
    /// `autorequire`
    Require,
    /// `autobefore`
    Before,
    /// `autonotify`
    Notify,
    /// `autosubscribe`
    Subscribe,
}

impl RelationKind {
    /// Returns the corresponding metaparameter, such as `require`.
    pub fn metaparameter(self) -> &'static str {
        match self {
            RelationKind::Require => "require",
            RelationKind::Before => "before",
            RelationKind::Notify => "notify",
            RelationKind::Subscribe => "subscribe",
        }
    }

    /// Returns the directive for this kind of automatic relation: `autorequire` for `Require`.
    pub fn directive(self) -> &'static str {
        match self {
            RelationKind::Require => "autorequire",
            RelationKind::Before => "autobefore",
            RelationKind::Notify => "autonotify",
            RelationKind::Subscribe => "autosubscribe",
        }
    }
}

/// `autorequire file { … }`
#[derive(Clone, Debug)]
pub struct AutoRelation {
    /// The kind of relation.
    pub kind: RelationKind,
    /// The type of the related resources.
    pub target: Symbol,
    /// The span of the target's name.
    pub target_span: Span,
    /// Computes names or resources; nil values are dropped.
    pub names: CodeBlock,
}

/// The functions and names shared by the blocks of a type.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The functions; calls refer to them by index.
    pub functions: Vec<Function>,
    /// The indexes of attributes by name, for `self[e]` and messages.
    pub attributes: AttributeNames,
    /// Platform features defined in files, each with the index in `functions` of its test.
    pub features: IndexMap<Symbol, u16>,
}

/// A function defined in a file or type.
#[derive(Clone, Debug)]
pub struct Function {
    /// The name of the function.
    pub name: Symbol,
    /// The span of the name.
    pub span: Span,
    /// The body; the first `code.params` slots are the parameters.
    pub code: CodeBlock,
    /// The default values of the optional parameters, which come last.
    pub defaults: Vec<Node>,
}

/// The default value of an attribute.
#[derive(Clone, Debug)]
pub enum Default {
    /// A constant.
    Value(Value, Span),
    /// A block; the attribute stays unset if it returns nil.
    Code(CodeBlock),
}

#[cfg(test)]
mod tests {
    use crate::library::TypeSet;

    #[test]
    fn properties_are_synced_as_declared_after_ensure() {
        let mut types = TypeSet::default();
        let text = "type t {\n  newproperty b\n  newproperty name\n  ensurable\n  newparam x\n  newproperty a\n  title_patterns { /(.*)/ => name }\n}\n";
        let source = types.sources.add("t.rtype", text).unwrap();
        let loaded = types.load_text(&source, None);
        let type_def = &loaded.types[0];
        let names: Vec<&str> = type_def.synced().map(|id| type_def.attribute(id).unwrap().name.as_str()).collect();
        assert_eq!(names, ["ensure", "b", "name", "a"]);
    }
}
