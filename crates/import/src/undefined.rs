//! Translates what Ruby refuses when it runs: methods that nothing defines, and attributes that the type does not have.
//!
//! Both are known only if everything that could define them was read.

use super::block::BlockTranslator;
use super::eval::ClassId;
use super::items::LoadedRuby;
use super::ruby::{self, name};
use super::type_decl::Reader;
use rtype_lang::syntax::quote;
use ruby_prism::{CallNode, Node};
use std::collections::BTreeSet;

/// The instance methods of `Puppet::Type`, `Puppet::Property` and `Puppet::Parameter` in Puppet 7.23, with those of `Object` and `Kernel`
/// in Ruby 3.1.
const OF_PUPPET: &str = include_str!("../data/puppet-methods.txt");

/// Their classes and modules.
const LISTED: &[&str] = &[
    "Object",
    "Kernel",
    "BasicObject",
    "Puppet::Type",
    "Puppet::Property",
    "Puppet::Parameter",
    "Puppet::Util",
    "Puppet::Property::Ensure",
];

/// The attributes that every type has in Puppet 7.23.
pub(super) const METAPARAMS: &str = include_str!("../data/puppet-metaparams.txt");

/// Returns whether Puppet or Ruby defines a method for types and attributes, and may call it.
pub(super) fn is_of_puppet(method: &str) -> bool {
    OF_PUPPET.lines().any(|known| known == method)
}

impl LoadedRuby<'_, '_> {
    /// Returns the methods that Ruby code defines for the instances of a class; `None` if they are not all known.
    pub(super) fn method_names(&self, class: ClassId) -> Option<BTreeSet<String>> {
        let ruby = self.ruby.borrow();
        if !self.is_whole || !ruby.unanswered.is_empty() || ruby.classes.unknown(class).is_some() {
            return None;
        }
        let ancestors = ruby.classes.ancestors(class);
        // Of other classes and modules of Puppet, the methods are not listed here.
        let is_listed = |c: &ClassId| !ruby.classes.get(*c).is_native || LISTED.contains(&ruby.classes.get(*c).name.as_str());
        if !ancestors.iter().all(is_listed) {
            return None;
        }
        let names: BTreeSet<String> =
            ancestors.into_iter().flat_map(|c| ruby.classes.get(c).methods.keys().map(ToString::to_string).collect::<Vec<_>>()).collect();
        (!names.contains("method_missing")).then_some(names)
    }
}

impl Reader<'_, '_, '_> {
    /// Records the methods of the type, or of an attribute.
    pub(super) fn note_methods(&mut self, attribute: Option<&str>, class: Option<ClassId>) {
        let Some(names) = class.and_then(|class| self.loaded.method_names(class)) else { return };
        match attribute {
            Some(attribute) => {
                self.scope.attribute_methods.insert(attribute.to_owned(), names);
            }
            None => self.scope.methods = Some(names),
        }
    }
}

impl BlockTranslator<'_> {
    /// Returns the failure for a call, without a receiver, of a method that nothing defines.
    pub(super) fn undefined_method(&self, method: &str) -> Option<String> {
        match self.attribute {
            Some(owner) if owner.is_module || owner.is_object => None,
            Some(owner) => self.undefined_in(self.scope.attribute_methods.get(&owner.name)?, method),
            None => self.undefined_of_resource(method),
        }
    }

    /// Returns the failure for a call of a method that nothing defines for resources of the type.
    pub(super) fn undefined_of_resource(&self, method: &str) -> Option<String> {
        self.undefined_in(self.scope.methods.as_ref()?, method)
    }

    fn undefined_in(&self, defined: &BTreeSet<String>, method: &str) -> Option<String> {
        // Libraries define functions with the names of classes.
        let is_class = method.starts_with(|c: char| c.is_ascii_uppercase());
        let is_known =
            is_class || defined.contains(method) || self.scope.outside.contains(method) || OF_PUPPET.lines().any(|known| known == method);
        (!is_known).then(|| format!("fail({})", quote(&format!("undefined method `{method}'"))))
    }

    /// Returns whether a call checks that the provider has the features that a value needs, in an attribute none of whose values needs any.
    pub(super) fn checks_no_features(&self, call: &CallNode<'_>) -> bool {
        name(&call.name()) == "validate_features_per_value" && self.attribute.is_some_and(|o| !o.is_module && !o.has_required_features)
    }

    /// Returns whether a node is the `super` of a check that accepts all values, with arguments that cannot fail.
    pub(super) fn replaces_nothing(&self, node: &Node<'_>) -> bool {
        let Some(up) = node.as_super_node().filter(|_| self.attribute.is_some_and(|o| o.replaces_nothing)) else { return false };
        let (plain, named) = ruby::arguments(up.arguments());
        let is_plain = |n: &Node<'_>| {
            n.as_local_variable_read_node().is_some()
                || n.as_call_node().is_some_and(|c| c.receiver().is_none() && c.arguments().is_none() && name(&c.name()) == "resource")
        };
        named.is_empty() && up.block().is_none() && plain.iter().all(is_plain)
    }

    /// Returns the failure for reading an attribute that the type does not have.
    pub(super) fn invalid_attribute(&self, attribute: &str) -> Option<String> {
        let is_known =
            attribute == "name" || self.scope.attributes.contains(attribute) || METAPARAMS.lines().any(|known| known == attribute);
        self.scope.methods.as_ref().filter(|_| !is_known)?;
        Some(format!("fail({})", quote(&format!("Invalid parameter {attribute}(:{attribute})"))))
    }
}
