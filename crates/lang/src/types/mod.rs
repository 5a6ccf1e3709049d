//! What a loaded type is: plain immutable data in a [`Registry`] that belongs to its caller.

mod attribute;
pub mod builtin;
mod expr;
mod provider;
mod registry;
mod test;

pub use attribute::*;
pub use expr::*;
pub use provider::*;
pub use registry::Registry;
pub use test::*;

use crate::source::Span;
use crate::value::{Regex, Symbol, Value};
use indexmap::IndexMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// Names of attributes and their places. They are looked up for every value of every resource.
pub type AttributeNames = IndexMap<Symbol, AttrId, foldhash::fast::RandomState>;

/// The place of an attribute in [`TypeDef::attributes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AttrId(pub u16);

/// A resource type.
#[derive(Clone, Debug)]
pub struct TypeDef {
    /// Its name.
    pub name: Symbol,
    /// Where the name stands.
    pub span: Span,
    /// What its author says of it.
    pub doc: String,
    /// Whether a resource that changes refreshes itself too (`self_refresh: true`).
    pub self_refresh: bool,
    /// `isomorphic false`: resources of the same identity may stand side by side.
    pub isomorphic: bool,
    /// `instances none`: listing all of them makes no sense.
    pub lists_instances: bool,
    /// Provider features by name.
    pub features: IndexMap<Symbol, FeatureDef>,
    /// Own properties and params in definition order, then `provider` if the type has providers, then metaparameters.
    pub attributes: Vec<AttributeDef>,
    /// Name → place in `attributes`.
    pub by_name: AttributeNames,
    /// The attributes that make up the identity, in definition order; never empty.
    pub namevars: Vec<AttrId>,
    /// The order in which attributes take their values: namevars, provider, properties (`ensure` first), params, metaparameters.
    pub order: Vec<AttrId>,
    /// How titles are read; tried in order.
    pub title_patterns: Vec<TitlePattern>,
    /// `finalize` and `validate` of the type, in the order written.
    pub checks: Vec<TypeCheck>,
    /// `late_finalize`, in the order written.
    pub late_finalizes: Vec<Code>,
    /// `autorequire` and its like.
    pub autorelations: Vec<AutoRelation>,
    /// `pre_run_check`.
    pub pre_run_checks: Vec<Code>,
    /// `refresh`.
    pub refresh: Option<Code>,
    /// `title`: what a resource is called in place of its declared title.
    pub title: Option<Code>,
    /// `generate`.
    pub generate: Option<Code>,
    /// `eval_generate`: what is added to that when the resource's turn comes.
    pub eval_generate: Option<Code>,
    /// `purges`: whether a resource removes what nobody declares, without a limit.
    pub purges: Option<Code>,
    /// The attributes whose values as given a block asks for (`self.raw(:x)`): only these are kept.
    pub reads_raw: Vec<AttrId>,
    /// What its blocks share.
    pub program: Arc<Program>,
    /// Its providers in the order of their files.
    pub providers: IndexMap<Symbol, ProviderDef>,
    /// Other types whose providers its own build upon, by name.
    pub foreign: IndexMap<Symbol, Arc<TypeDef>>,
}

/// How long a chain of parents may be: one that is longer goes round in a circle.
const MAX_PARENTS: usize = 16;

impl TypeDef {
    /// A number that tells two versions of a type apart: libraries that load one text find one number.
    ///
    /// Computed when asked, from everything that the type is: loading happens in every run, comparing seldom.
    pub fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        format!("{self:?}").hash(&mut hasher);
        hasher.finish()
    }

    /// The attribute at a place.
    pub fn attribute(&self, id: AttrId) -> Option<&AttributeDef> {
        self.attributes.get(usize::from(id.0))
    }

    /// The place of the attribute of this name.
    pub fn id_of(&self, name: &str) -> Option<AttrId> {
        self.by_name.get(name).copied()
    }

    /// The place of the attribute that a declaration calls so: `name` also means the one namevar that has another name.
    pub fn id_declared_as(&self, name: &str) -> Option<AttrId> {
        self.id_of(name).or(match self.namevars.as_slice() {
            [namevar] if name == "name" => Some(*namevar),
            _ => None,
        })
    }

    /// The attribute of this name.
    pub fn attribute_named(&self, name: &str) -> Option<&AttributeDef> {
        self.attribute(self.id_of(name)?)
    }

    /// A provider and those it builds upon, the nearest first, each with its type.
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

    /// Whose body does a provider's work: its own, or that of the nearest one it builds upon.
    pub fn worker<'a>(&'a self, provider: &'a ProviderDef) -> Option<(&'a TypeDef, &'a ProviderDef)> {
        self.lineage(provider).find(|(_, p)| p.body != ProviderBody::None)
    }

    /// The properties in definition order.
    pub fn properties(&self) -> impl Iterator<Item = &AttributeDef> {
        self.attributes.iter().filter(|a| a.role == Role::Property)
    }

    /// The params in definition order, `provider` last, without metaparameters.
    pub fn params(&self) -> impl Iterator<Item = &AttributeDef> {
        self.attributes.iter().filter(|a| a.role == Role::Param)
    }
}

/// A provider feature that a type declares.
#[derive(Clone, Debug)]
pub struct FeatureDef {
    /// What it means.
    pub doc: String,
    /// The provider methods that it needs; empty when it is only claimed.
    pub methods: Vec<Symbol>,
    /// Where its name stands.
    pub span: Span,
}

/// How a title is taken apart.
#[derive(Clone, Debug)]
pub struct TitlePattern {
    /// Must match.
    pub regex: Arc<Regex>,
    /// What its groups fill, in order.
    pub attributes: Vec<AttrId>,
    /// The row.
    pub span: Span,
}

/// A check of the whole resource.
#[derive(Clone, Debug)]
pub enum TypeCheck {
    /// `finalize { … }`: may write `self.x = …`.
    Finalize(Code),
    /// `validate { … }`: may `fail`.
    Validate(Code),
}

/// Which way an automatic relation points.
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
    /// The word in a resource declaration: `require`, …
    pub fn metaparameter(self) -> &'static str {
        match self {
            RelationKind::Require => "require",
            RelationKind::Before => "before",
            RelationKind::Notify => "notify",
            RelationKind::Subscribe => "subscribe",
        }
    }
}

/// `autorequire file { … }`
#[derive(Clone, Debug)]
pub struct AutoRelation {
    /// Which way.
    pub kind: RelationKind,
    /// The type of what it points at.
    pub target: Symbol,
    /// Where the target's name stands.
    pub target_span: Span,
    /// Gives names or resources; nils are dropped.
    pub names: Code,
}

/// What the blocks of a type share: functions and constants.
#[derive(Debug, Default)]
pub struct Program {
    /// Functions; calls name them by place.
    pub functions: Vec<Function>,
    /// Names of attributes by place, for `self[e]` and messages.
    pub attributes: AttributeNames,
    /// Features of the platform that files declare: the functions that tell whether they are there, by place.
    pub features: IndexMap<Symbol, u16>,
}

/// A function of a file or type.
#[derive(Debug)]
pub struct Function {
    /// Its name.
    pub name: Symbol,
    /// Its statements; the first `code.params` slots are its parameters.
    pub code: Code,
    /// Defaults of the last parameters, one each for the parameters that have one.
    pub defaults: Vec<Node>,
}

/// What an attribute is unless it is given.
#[derive(Clone, Debug)]
pub enum Default {
    /// A value.
    Value(Value, Span),
    /// What a block gives; nil leaves it unset.
    Code(Code),
}
