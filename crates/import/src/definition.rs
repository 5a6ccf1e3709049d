//! Translates what a provider of the Resource API asks `context.type`, which is known when the type is loaded.
//!
//! Follows `Puppet::ResourceApi::BaseTypeDefinition` of the library 1.8.16.

use super::block::*;
use super::eval::RubyValue;
use super::items::LoadedRuby;
use super::known::StaticValue;
use super::ruby::{self, name};
use super::things::Thing;
use rtype_lang::syntax::{quote, written_symbol};
use ruby_prism::{CallNode, Node};

/// The constant with the attributes of a type.
#[derive(Clone, Debug)]
pub struct TypeDefinition {
    /// The name of the constant.
    pub constant: String,
    /// Its value: a map of the attributes; `None` if not all are known.
    pub attributes: Option<String>,
    is_ensurable: bool,
    features: Vec<String>,
    /// The attributes that identify a resource, in the order of their declarations.
    pub namevars: Vec<String>,
}

impl TypeDefinition {
    /// Returns the definition of a type.
    pub fn new<'p>(
        type_name: &str,
        attributes: Option<&RubyValue<'p>>,
        features: Vec<String>,
        namevars: Vec<String>,
        loaded: &LoadedRuby<'_, 'p>,
    ) -> TypeDefinition {
        let attributes = attributes.and_then(|v| loaded.fixed(v));
        let names = |known: &StaticValue| matches!(known, StaticValue::Map(pairs) if pairs.iter().any(|(k, _)| k.word().as_deref() == Some("ensure")));
        let (is_ensurable, attributes) = (attributes.as_ref().is_some_and(names), attributes.and_then(|v| v.written()));
        TypeDefinition { constant: format!("{}_ATTRIBUTES", type_name.to_uppercase()), attributes, is_ensurable, features, namevars }
    }
}

impl BlockTranslator<'_> {
    /// Translates a call on `context.type`; `None` if the receiver is something else.
    pub(super) fn of_type_definition(&self, call: &CallNode<'_>, method: &str) -> Text<Option<(String, u8)>> {
        let is_type = |of: &Node<'_>| {
            of.as_call_node().is_some_and(|c| {
                let of_context = |r: Node<'_>| self.thing(&r) == Thing::Context;
                name(&c.name()) == "type" && c.arguments().is_none() && c.receiver().is_some_and(of_context)
            })
        };
        let (Some(definition), true) = (&self.scope.definition, call.receiver().is_some_and(|r| is_type(&r))) else { return Ok(None) };
        let plain = ruby::arguments(call.arguments()).0;
        let text = match (method, plain.as_slice(), call.block()) {
            ("name", [], None) => quote(&self.scope.type_name),
            ("attributes", [], None) if definition.attributes.is_some() => definition.constant.clone(),
            ("ensurable?", [], None) if definition.attributes.is_some() => definition.is_ensurable.to_string(),
            ("namevars", [], None) => {
                format!("[{}]", definition.namevars.iter().map(|n| written_symbol(n)).collect::<Vec<_>>().join(", "))
            }
            ("feature?", [feature], None) => match ruby::text(feature) {
                Some(feature) => definition.features.contains(&feature).to_string(),
                None => return no(&call.as_node(), "a computed feature is not supported"),
            },
            _ => return no(&call.as_node(), format!("the method `{method}` of the type of the context is not supported")),
        };
        Ok(Some((text, OPERAND)))
    }
}
