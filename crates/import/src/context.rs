//! What blocks can refer to: the type, their attribute, and code that is known when the type is loaded.

use super::definition::TypeDefinition;
use super::eval::ClassId;
use super::known::{Locals, StaticValue};
use super::lambdas::InlinedLambda;
use super::nested::Nested;
use super::ruby::ByteRange;
use super::titles::TitleRow;
use indexmap::IndexSet;
use rtype_lang::syntax::written_symbol;
use std::collections::{BTreeMap, BTreeSet};

/// The names available to the blocks of a type.
#[derive(Clone, Debug, Default)]
pub struct TypeScope {
    /// Attributes of the type.
    pub attributes: BTreeSet<String>,
    /// Declared features of the type, in their order, with the methods that give them to a provider.
    pub features: Vec<(String, Vec<String>)>,
    /// Undeclared features that attributes require.
    pub undeclared: BTreeSet<String>,
    /// Name of the type.
    pub type_name: String,
    /// Whether it defines its own method `name`.
    pub has_name: bool,
    /// Whether that method is also the title.
    pub title_is_name: bool,
    /// Parameters in order of declaration.
    pub params: IndexSet<String>,
    /// Names of properties.
    pub properties: BTreeSet<String>,
    /// Properties without `ensure`, in order of declaration.
    pub property_order: IndexSet<String>,
    /// Attributes with the allowed value `:false`, which is truthy in Ruby.
    pub falsy: BTreeSet<String>,
    /// The names of kinds by class, where the last part of the class's name is not enough.
    pub kind_words: BTreeMap<String, String>,
    /// Properties whose desired value is one text in Ruby, with what is between the elements of the list, as written.
    pub joined: BTreeMap<String, String>,
    /// The namevar, which `self[:name]` also refers to.
    pub namevar: Option<String>,
    /// Attributes that title patterns set.
    pub in_titles: BTreeSet<String>,
    /// The title patterns.
    pub title_rows: Vec<TitleRow>,
    /// Whether the title patterns are not known, so that no value from a title is.
    pub has_unread_patterns: bool,
    /// Whether the type has title patterns of its own.
    pub has_patterns: bool,
    /// Properties that Ruby declares among the params, after all others.
    pub late_properties: BTreeSet<String>,
    /// The namevar, if it is a property.
    pub property_namevar: Option<String>,
    /// Constants that are lambdas or procs.
    pub lambdas: BTreeMap<String, InlinedLambda>,
    /// Translated constants.
    pub constants: BTreeSet<String>,
    /// Methods of the type.
    pub functions: BTreeSet<String>,
    /// All methods of its resources that Ruby defines; `None` if they are not all known.
    pub methods: Option<BTreeSet<String>>,
    /// The same for those attributes of which all methods are known.
    pub attribute_methods: BTreeMap<String, BTreeSet<String>>,
    /// What a type of the Resource API declares.
    pub definition: Option<TypeDefinition>,
    /// Locals outside the block with known values.
    pub known: Locals,
    /// Functions outside the type, which all code may call.
    pub outside: BTreeSet<String>,
    /// Functions translated from methods of attributes, by attribute and method.
    pub helpers: BTreeMap<(String, String), String>,
    /// Classes defined within the type.
    pub nested: BTreeMap<String, Nested>,
}

/// The attribute that a block belongs to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AttributeContext {
    /// Name of the attribute.
    pub name: String,
    /// Whether all elements of a list are compared (`array_matching: all`).
    pub all: bool,
    /// Whether its `should` always returns the list of all desired values.
    pub list: bool,
    /// Functions of the type translated from its methods.
    pub helpers: BTreeMap<String, String>,
    /// Whether some of its values need features of the provider.
    pub has_required_features: bool,
    /// Whether the block validates values in place of a check that accepts all of them.
    pub replaces_nothing: bool,
    /// Whether its values are allowed words that are not changed further.
    pub listed: bool,
    /// Whether the block becomes such a function, where `should` is not available.
    pub outside: bool,
    /// Whether the block checks or converts a value, while the attribute has its previous one, if any.
    pub early: bool,
    /// Whether the block compares values, and must change nothing.
    pub compares: bool,
    /// Instance variables that its blocks keep between the reading of the current value and the message, without `@`.
    pub remembered: BTreeSet<String>,
    /// The class within the type that it inherits from.
    pub nested: Nested,
    /// The methods of Puppet that format its values, which no Ruby code replaces.
    pub plain_formats: Vec<&'static str>,
    /// Whether Puppet's own comparison is used, which ignores what its `should` gives.
    pub compares_given: bool,
    /// Its class, or the module of a function.
    pub class: Option<ClassId>,
    /// Whether it is a class that attributes inherit from, whose blocks do not know the name of the attribute.
    pub is_kind: bool,
    /// Whether it is a function of a module, which has no attribute.
    pub is_module: bool,
    /// Whether it is a method of an object, a provider of the Resource API.
    pub is_object: bool,
}

/// Whose class method is called.
pub(super) enum Caller<'r> {
    /// The module that is named there.
    Module(&'r ByteRange),
    /// The attribute, the module of the function, or the provider.
    Own,
    /// The class of the attribute or provider.
    OwnClass,
}

/// Returns the function that a class method becomes.
pub(super) type FunctionOf<'a> = dyn Fn(&Caller<'_>, &str) -> Option<String> + 'a;

/// Evaluates the code at a place with locals whose values are not known.
pub(super) type Fold<'a> = dyn Fn(&ByteRange, &[String]) -> Option<StaticValue> + 'a;

impl AttributeContext {
    /// Returns the desired value; a function of the type reads it as the value of the attribute.
    pub fn should(&self) -> String {
        match self.outside || self.early {
            true if self.is_kind => "self[attribute]".into(),
            true => format!("self.{}", self.name),
            false => "should".into(),
        }
    }

    /// Returns the directive that its `should` becomes.
    pub fn should_word(&self) -> &'static str {
        if self.compares_given { "should shown" } else { "should" }
    }

    /// Returns the name of the attribute as an expression.
    pub fn symbol(&self) -> String {
        if self.is_kind { "attribute".into() } else { written_symbol(&self.name) }
    }
}
