//! Definitions of attributes.

use super::{CodeBlock, Default, Node, Op};
use crate::source::Span;
use crate::value::{ComparisonMode, DataType, EcoString, Regex, Symbol};
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, OnceLock};

/// The kind of an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// A part of the resource's state: read, compared and changed.
    Property,
    /// Configures how the resource is managed; never compared.
    Param,
    /// A parameter that every type has.
    Metaparam,
}

/// How several desired values of a property are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, std::default::Default)]
pub enum ArrayMatching {
    /// The property is in sync if any desired value matches.
    #[default]
    First,
    /// The current value must match the whole list.
    All,
}

/// The definition of one attribute.
#[derive(Clone, Debug)]
pub struct AttributeDef {
    /// The name of the attribute.
    pub name: Symbol,
    /// The span of the name.
    pub span: Span,
    /// Property, parameter or metaparameter.
    pub role: Role,
    /// The documentation.
    pub doc: String,
    /// `true` after `isnamevar`. On a property this only allows title patterns to set the property.
    pub namevar: bool,
    /// The span of `required` for a required attribute.
    pub required: Option<Span>,
    /// The reason why the attribute cannot be set.
    pub readonly: Option<String>,
    /// The span of `init_only` if the attribute can only be set when the resource is created.
    pub init_only: Option<Span>,
    /// `true` if values are always redacted.
    pub sensitive: bool,
    /// The message about the replacement of a deprecated attribute.
    pub deprecated: Option<String>,
    /// The data type; strings are converted to the data type if no information is lost.
    pub data_type: Option<DataType>,
    /// The span of the data type.
    pub data_type_span: Span,
    /// The allowed values; empty if any value is allowed.
    pub values: ValueSet,
    /// The default value.
    pub default: Option<Default>,
    /// How several desired values are compared (properties only).
    pub array_matching: ArrayMatching,
    /// Required provider features; without them the attribute is ignored.
    pub required_features: Vec<Symbol>,
    /// `true` if `ensurable` defined the attribute: `present`/`absent`, `exists?`, changes reported as created/removed.
    pub ensurable: bool,
    /// The steps that validate a value, in order.
    pub validate: Layers,
    /// The steps that munge a value into its canonical form, in order.
    pub munge: Layers,
    /// The reason why munging is not idempotent (`conversion`).
    pub conversion: Option<String>,
    /// Converts the string from a title (`from_title`).
    pub from_title: Option<CodeBlock>,
    /// Converts the canonical form back when the attribute is read (`unmunge`).
    pub unmunge: Option<CodeBlock>,
    /// Computes the desired value from all declared values (`should`).
    pub should: Option<CodeBlock>,
    /// `true` if the declared values are compared instead of the result of `should` (`should shown`).
    pub compares_given: bool,
    /// Decides whether the property is in sync, replacing all other comparison (`insync`).
    pub insync: Option<CodeBlock>,
    /// The comparison of the current and the desired value.
    pub compare: Compare,
    /// Formats the current value for messages (`is_to_s`).
    pub is_to_s: Option<CodeBlock>,
    /// Formats the desired value for messages (`should_to_s`).
    pub should_to_s: Option<CodeBlock>,
    /// Formats the message of a change (`change_to_s`).
    pub change_to_s: Option<CodeBlock>,
    /// Replacements for the values in messages.
    pub redact: Option<Redact>,
    /// Reads the current value instead of the provider (`retrieve`).
    pub retrieve: Option<CodeBlock>,
    /// Changes the machine instead of the provider (`sync`).
    pub sync: Option<CodeBlock>,
    /// The native kind, if any.
    pub native: Option<NativeKind>,
}

impl AttributeDef {
    /// Returns `true` if the current value comes from a provider: the property has neither a `retrieve` block nor an `insync` block
    /// that ignores the current value.
    pub fn is_read_by_provider(&self) -> bool {
        let decides = |code: &CodeBlock| {
            let is_current = |node: &Node| match node.op {
                Op::Local(slot) => slot < code.inner.params,
                // A function may read the current value as well.
                Op::Is(_) | Op::Super(_) | Op::CallFn(..) => true,
                _ => false,
            };
            !code.inner.body.any(&is_current)
        };
        self.role == Role::Property && self.retrieve.is_none() && !self.insync.as_ref().is_some_and(decides)
    }
}

/// The steps of `validate` or `munge`.
#[derive(Clone, Debug, std::default::Default)]
pub struct Layers {
    /// The steps in the order in which they run.
    pub steps: Vec<ValueStep>,
    /// The steps that an `override` replaced, for `super`.
    pub dropped: Option<Box<Layers>>,
}

/// One step of `validate` or `munge`.
#[derive(Clone, Debug)]
pub enum ValueStep {
    /// In `validate`: only the values in [`AttributeDef::values`] are allowed. In `munge`: a literal or alias becomes its symbol.
    Values,
    /// The validation or munging of the native kind.
    Native,
    /// A block with the value as its parameter.
    Code(CodeBlock),
    /// `matches /…/`
    Matches(Matches),
    /// `readonly "why"`: no value is allowed.
    Readonly(Span),
}

/// `matches /re/, message: "…"`
#[derive(Clone, Debug)]
pub struct Matches {
    /// The pattern that the value must match.
    pub regex: Arc<Regex>,
    /// Computes the message, with the value as its parameter.
    pub message: Option<CodeBlock>,
    /// The span of the directive.
    pub span: Span,
}

/// The allowed values of an attribute.
#[derive(Clone, std::default::Default)]
pub struct ValueSet {
    /// The values in the order of the file.
    pub values: Vec<AllowedValue>,
    /// Other names for literals.
    pub aliases: Vec<Alias>,
    index: OnceLock<ValueIndex>,
}

/// The positions of literals and aliases by name.
#[derive(Clone, Debug, Default)]
struct ValueIndex {
    literals: HashMap<Symbol, usize>,
    aliases: HashMap<Symbol, usize>,
}

/// An allowed value.
#[derive(Clone, Debug)]
pub struct AllowedValue {
    /// The condition for a value.
    pub matcher: Matcher,
    /// The span of the value in the file.
    pub span: Span,
    /// The name of the event if this value is set.
    pub event: Option<Symbol>,
    /// Provider features that the value requires; without them it is refused.
    pub required_features: Vec<Symbol>,
    /// `true` if setting the value drops pending refreshes of the resource.
    pub invalidate_refreshes: bool,
    /// The block that sets the value, instead of the provider.
    pub action: Option<CodeBlock>,
}

/// The condition for an allowed value.
#[derive(Clone, Debug, PartialEq)]
pub enum Matcher {
    /// A value with this name; it becomes the symbol.
    Literal(Symbol),
    /// A value whose string matches; it is kept unchanged.
    Regex(Arc<Regex>),
}

/// `aliasvalue`
#[derive(Clone, Debug)]
pub struct Alias {
    /// The alias.
    pub name: Symbol,
    /// The literal that the alias refers to.
    pub target: Symbol,
    /// The span of the alias itself.
    pub name_span: Span,
    /// The span of the directive.
    pub span: Span,
}

/// Omits the index, because fingerprints of types use this output.
impl fmt::Debug for ValueSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ValueSet").field("values", &self.values).field("aliases", &self.aliases).finish()
    }
}

impl ValueSet {
    /// Returns the values to be changed.
    pub(crate) fn values_mut(&mut self) -> &mut Vec<AllowedValue> {
        self.index.take();
        &mut self.values
    }

    /// Returns the aliases to be changed.
    pub(crate) fn aliases_mut(&mut self) -> &mut Vec<Alias> {
        self.index.take();
        &mut self.aliases
    }

    /// The first duplicate counts.
    fn index(&self) -> &ValueIndex {
        self.index.get_or_init(|| {
            let mut index = ValueIndex::default();
            for (place, value) in self.values.iter().enumerate() {
                if let Matcher::Literal(literal) = &value.matcher {
                    index.literals.entry(literal.clone()).or_insert(place);
                }
            }
            for (place, alias) in self.aliases.iter().enumerate() {
                index.aliases.entry(alias.name.clone()).or_insert(place);
            }
            index
        })
    }

    /// Returns the allowed value listed under this name.
    pub fn literal(&self, text: &str) -> Option<&AllowedValue> {
        self.index().literals.get(text).and_then(|place| self.values.get(*place))
    }

    /// Returns the alias with this name.
    fn alias(&self, name: &str) -> Option<&Alias> {
        self.index().aliases.get(name).and_then(|place| self.aliases.get(*place))
    }

    /// Returns the location of a literal or alias; empty for other names.
    pub fn span_of(&self, text: &str) -> Span {
        let alias = || self.alias(text).map(|alias| alias.name_span);
        self.literal(text).map(|value| value.span).or_else(alias).unwrap_or(Span::NONE)
    }

    /// Returns `true` if no values are listed, so that any value is allowed.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Returns the allowed value that matches `text`: literals and aliases before regexes.
    ///
    /// Follows Puppet's `Puppet::Parameter::ValueCollection#match?`.
    pub fn find(&self, text: &str) -> Option<&AllowedValue> {
        self.literal(text)
            .or_else(|| self.alias(text).and_then(|alias| self.literal(alias.target.as_str())))
            .or_else(|| self.values.iter().find(|v| matches!(&v.matcher, Matcher::Regex(r) if r.is_match(text))))
    }

    /// Returns the literals in the order of the file.
    pub fn literals(&self) -> impl Iterator<Item = &Symbol> {
        self.values.iter().filter_map(|v| match &v.matcher {
            Matcher::Literal(s) => Some(s),
            Matcher::Regex(_) => None,
        })
    }

    /// Returns the regexes in the order of the file.
    pub fn regexes(&self) -> impl Iterator<Item = &Arc<Regex>> {
        self.values.iter().filter_map(|v| match &v.matcher {
            Matcher::Regex(r) => Some(r),
            Matcher::Literal(_) => None,
        })
    }
}

/// The comparison of the current and the desired value.
#[derive(Clone, Debug)]
pub enum Compare {
    /// With a named comparison.
    Named(ComparisonMode),
    /// With a block that takes `is` and `should`.
    Code(CodeBlock),
}

/// `redact is: "…", should: "…" if c`
#[derive(Clone, Debug)]
pub struct Redact {
    /// The replacement for the current value.
    pub is: EcoString,
    /// The replacement for the desired value.
    pub should: EcoString,
    /// Redact only if this condition is true.
    pub condition: Option<CodeBlock>,
}

/// Kinds of attributes implemented in Rust, because blocks cannot express them or should not have to.
#[derive(Clone, Debug, PartialEq)]
pub enum NativeKind {
    /// Puppet's `Property::List`: an unordered list, joined with the delimiter in messages.
    List {
        /// The parameter with the value `minimum` or `inclusive`; `None`: always inclusive.
        membership: Option<Symbol>,
        /// The separator between elements.
        delimiter: EcoString,
        /// `true` if order matters (`Property::OrderedList`).
        ordered: bool,
    },
    /// Puppet's `Property::KeyValue`.
    KeyValue {
        /// The parameter with the value `minimum` or `inclusive`.
        membership: Option<Symbol>,
        /// The separator between key and value.
        separator: EcoString,
        /// The separator between pairs.
        delimiter: EcoString,
        /// `true` if messages show only the pairs that change.
        only_changed: bool,
    },
    /// Puppet's `Parameter::Path`: a fully qualified path.
    Path {
        /// `true` if a list of paths is allowed.
        arrays: bool,
    },
    /// Options for a package tool: strings and maps, compared as declared.
    PackageOptions,
    /// A file's owner: a name or a number, compared by number.
    FileOwner,
    /// A file's group: a name or a number, compared by number.
    FileGroup,
    /// A file's mode: octal or symbolic.
    FileMode,
    /// A file's content: a string, compared by checksum with the file's current content.
    FileContent,
    /// The source of a file's content.
    FileSource,
    /// References to resources, as in `require`.
    Relationship,
    /// The names of the properties to audit.
    Audit,
}
