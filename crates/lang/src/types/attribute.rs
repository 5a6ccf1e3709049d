//! Attributes: what a type says of each.

use super::{Code, Default};
use crate::source::Span;
use crate::value::{Comparison, DataType, EcoString, Regex, Symbol};
use std::sync::Arc;

/// What an attribute is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Part of the machine's state: read, compared, changed.
    Property,
    /// Tells how, and is never compared.
    Param,
    /// Every type has it.
    Metaparam,
}

/// How several wanted values of a property are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, std::default::Default)]
pub enum ArrayMatching {
    /// One that matches is enough.
    #[default]
    First,
    /// The list as a whole is wanted.
    All,
}

/// An attribute of a type.
#[derive(Clone, Debug)]
pub struct AttributeDef {
    /// Its name.
    pub name: Symbol,
    /// Where its name stands.
    pub span: Span,
    /// What it is for.
    pub role: Role,
    /// What its author says of it.
    pub doc: String,
    /// Whether `isnamevar` stands on it. On a property it only lets title patterns fill it.
    pub namevar: bool,
    /// Whether it must be given; where the word stands.
    pub required: Option<Span>,
    /// Why it cannot be set.
    pub readonly: Option<String>,
    /// Whether its value is always redacted.
    pub sensitive: bool,
    /// What to use instead.
    pub deprecated: Option<String>,
    /// What its values must be, text coerced where nothing is lost.
    pub data_type: Option<DataType>,
    /// Where that is said.
    pub data_type_span: Span,
    /// The values it may have; empty when any.
    pub values: ValueSet,
    /// What it is unless given.
    pub default: Option<Default>,
    /// How several wanted values are meant (properties).
    pub array_matching: ArrayMatching,
    /// The features without which it is ignored.
    pub required_features: Vec<Symbol>,
    /// Whether `ensurable` made it: present/absent, `exists?`, changes worded created/removed.
    pub ensurable: bool,
    /// What checks a value, in order.
    pub validate: Layers,
    /// What turns a value into its canonical form, in order.
    pub munge: Layers,
    /// Why making a canonical value canonical again may change it (`conversion`).
    pub conversion: Option<String>,
    /// Turns the canonical form back for reading (`unmunge`).
    pub unmunge: Option<Code>,
    /// Makes the wanted value of all wanted values (`should`).
    pub should: Option<Code>,
    /// Decides whether it is in sync, instead of everything else (`insync`).
    pub insync: Option<Code>,
    /// How both sides are compared.
    pub compare: Compare,
    /// How the current value is worded.
    pub is_to_s: Option<Code>,
    /// How the wanted value is worded.
    pub should_to_s: Option<Code>,
    /// How a change is worded.
    pub change_to_s: Option<Code>,
    /// Texts instead of the values in messages.
    pub redact: Option<Redact>,
    /// Reads the current value instead of the provider (`retrieve`).
    pub retrieve: Option<Code>,
    /// Changes the machine instead of the provider (`sync`).
    pub sync: Option<Code>,
    /// The native kind that it is of.
    pub native: Option<NativeKind>,
}

/// The steps of `validate` or `munge`.
#[derive(Clone, Debug, std::default::Default)]
pub struct Layers {
    /// What runs, in order.
    pub steps: Vec<Step>,
    /// What an `override` dropped, for its `super`.
    pub dropped: Option<Box<Layers>>,
}

/// One step of `validate` or `munge`.
#[derive(Clone, Debug)]
pub enum Step {
    /// In validate: the value must be one of [`AttributeDef::values`]. In munge: a literal or alias becomes its symbol.
    Values,
    /// What the native kind does.
    Native,
    /// A block with the value as parameter.
    Code(Code),
    /// `matches /…/`
    Matches(Matches),
    /// `readonly "why"`: no value is allowed.
    Readonly(Span),
}

/// `matches /re/, message: "…"`
#[derive(Clone, Debug)]
pub struct Matches {
    /// Must match.
    pub regex: Arc<Regex>,
    /// Gives the message; sees `value` as its parameter.
    pub message: Option<Code>,
    /// The directive.
    pub span: Span,
}

/// The values that an attribute may have.
#[derive(Clone, Debug, std::default::Default)]
pub struct ValueSet {
    /// In the order written.
    pub values: Vec<AllowedValue>,
    /// Other names of literals.
    pub aliases: Vec<Alias>,
}

/// One allowed value.
#[derive(Clone, Debug)]
pub struct AllowedValue {
    /// What matches it.
    pub matcher: Matcher,
    /// Where it stands.
    pub span: Span,
    /// The event that setting it gives.
    pub event: Option<Symbol>,
    /// The features without which it is refused.
    pub required_features: Vec<Symbol>,
    /// Whether refreshes that still wait for the resource are dropped.
    pub invalidate_refreshes: bool,
    /// What sets it.
    pub action: Option<Code>,
}

/// What matches an allowed value.
#[derive(Clone, Debug, PartialEq)]
pub enum Matcher {
    /// A value whose text is this; it becomes the symbol.
    Literal(Symbol),
    /// A value whose text matches; it stays what it is.
    Regex(Arc<Regex>),
}

/// `aliasvalue`
#[derive(Clone, Debug)]
pub struct Alias {
    /// The other name.
    pub name: Symbol,
    /// The literal that it stands for.
    pub target: Symbol,
    /// The directive.
    pub span: Span,
}

impl ValueSet {
    /// Whether any value is allowed because none is listed.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The allowed value that `text` is: literals and aliases before regexes.
    ///
    /// Follows Puppet's `Puppet::Parameter::ValueCollection#match?`.
    pub fn find(&self, text: &str) -> Option<&AllowedValue> {
        let literal = |wanted: &str| self.values.iter().find(|v| matches!(&v.matcher, Matcher::Literal(s) if s.as_str() == wanted));
        literal(text)
            .or_else(|| self.aliases.iter().find(|a| a.name.as_str() == text).and_then(|a| literal(a.target.as_str())))
            .or_else(|| self.values.iter().find(|v| matches!(&v.matcher, Matcher::Regex(r) if r.is_match(text))))
    }

    /// The literals in order.
    pub fn literals(&self) -> impl Iterator<Item = &Symbol> {
        self.values.iter().filter_map(|v| match &v.matcher {
            Matcher::Literal(s) => Some(s),
            Matcher::Regex(_) => None,
        })
    }

    /// The regexes in order.
    pub fn regexes(&self) -> impl Iterator<Item = &Arc<Regex>> {
        self.values.iter().filter_map(|v| match &v.matcher {
            Matcher::Regex(r) => Some(r),
            Matcher::Literal(_) => None,
        })
    }
}

/// How the current and the wanted value are compared.
#[derive(Clone, Debug)]
pub enum Compare {
    /// In a way that has a name.
    Named(Comparison),
    /// By a block with `is, should`.
    Code(Code),
}

/// `redact is: "…", should: "…" if c`
#[derive(Clone, Debug)]
pub struct Redact {
    /// Instead of the current value.
    pub is: EcoString,
    /// Instead of the wanted value.
    pub should: EcoString,
    /// Only when this is true.
    pub condition: Option<Code>,
}

/// Kinds whose work is done in Rust because blocks cannot do it or should not have to.
#[derive(Clone, Debug, PartialEq)]
pub enum NativeKind {
    /// Puppet's `Property::List`: a list without order, joined with the delimiter in messages.
    List {
        /// The param that says `minimum` or `inclusive`; `None`: always inclusive.
        membership: Option<Symbol>,
        /// Between the elements.
        delimiter: EcoString,
        /// Whether order counts (`Property::OrderedList`).
        ordered: bool,
    },
    /// Puppet's `Property::KeyValue`.
    KeyValue {
        /// The param that says `minimum` or `inclusive`.
        membership: Option<Symbol>,
        /// Between key and value.
        separator: EcoString,
        /// Between pairs.
        delimiter: EcoString,
        /// Whether messages show only what changes.
        only_changed: bool,
    },
    /// Puppet's `Parameter::Path`: a fully qualified path.
    Path {
        /// Whether a list of paths is allowed.
        arrays: bool,
    },
    /// Options of a package tool: texts and maps, compared as given.
    PackageOptions,
    /// The owner of a file: a name or a number, compared by number.
    FileOwner,
    /// The group of a file, likewise.
    FileGroup,
    /// The mode of a file: octal or symbolic.
    FileMode,
    /// The content of a file: text, compared by checksum with what is there.
    FileContent,
    /// Where a file's content comes from.
    FileSource,
    /// References to resources, as in `require`.
    Relationship,
    /// The names of properties to watch.
    Audit,
}
