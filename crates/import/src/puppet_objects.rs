//! Translates what blocks ask of Puppet's objects: of the declaration of the resource, of its values as a map, of facts and of types.

use super::block::*;
use super::ruby::{self, name};
use rtype_lang::syntax::{quote, written_symbol};
use ruby_prism::{CallNode, Node};

/// The settings that `setting(…)` has; Puppet has more, each with a value.
const SETTINGS: &[&str] =
    &["show_diff", "default_schedules", "digest_algorithm", "default_file_terminus", "clientbucketdir", "purge_limit", "maximum_uid"];

/// Returns whether the language has a setting of Puppet.
pub(super) fn is_setting(name: &str) -> bool {
    SETTINGS.contains(&name)
}

impl BlockTranslator<'_> {
    /// Translates a call of one of these objects; `None` for other receivers.
    pub(super) fn puppet_object(&mut self, receiver: &Node<'_>, method: &str, plain: &[Node<'_>]) -> Text<Option<(String, u8)>> {
        if self.is_declaration(receiver) {
            return self.of_declaration(method, plain);
        }
        if let ([wanted], Some(_)) = (plain, self.asked_resource(receiver, "to_hash"))
            && let Some(attribute) = ruby::symbol(wanted).filter(|w| w != "provider" && self.scope.attributes.contains(w))
        {
            return Ok(match method {
                "[]" => Some((format!("self.{attribute}"), OPERAND)),
                "key?" | "has_key?" | "include?" | "member?" => Some((format!("self.set?({})", written_symbol(&attribute)), OPERAND)),
                _ => None,
            });
        }
        if let Some(fact) = fact(receiver) {
            let read = match ruby::symbol(&fact).or_else(|| ruby::text(&fact)) {
                Some(known) => format!("fact({})", quote(&known)),
                None => format!("fact({})", self.expr(&fact, TERNARY)?),
            };
            return Ok(match (method, plain) {
                ("value", []) => {
                    let failure = "fail(\"undefined method `value' for nil:NilClass\")";
                    Some((format!("{read}.nil? ? {failure} : {read}"), TERNARY))
                }
                ("nil?", []) => Some((format!("{read}.nil?"), OPERAND)),
                _ => None,
            });
        }
        if let ("nil?", [], Some(known)) = (method, plain, self.type_exists(receiver)?) {
            return Ok(Some((format!("{known}.nil?"), OPERAND)));
        }
        Ok(None)
    }

    /// Translates `provider.send(property)`, where the local is one of some properties.
    pub(super) fn sent_to_provider(&self, wanted: &Node<'_>) -> Option<(String, u8)> {
        let local = ruby::local(&wanted.as_local_variable_read_node()?.name());
        let names = self.symbols.get(&local).filter(|names| names.iter().all(|n| self.scope.properties.contains(n)))?;
        let (last, before) = names.split_last()?;
        let tests: String = before.iter().map(|n| format!("{local} == {} ? provider.{n} : ", written_symbol(n))).collect();
        Some((format!("{tests}provider.{last}"), if before.is_empty() { OPERAND } else { TERNARY }))
    }

    /// Translates `Puppet::Type.type(:x)` and `Facter.fact(:x)` as conditions.
    pub(super) fn puppet_condition(&mut self, node: &Node<'_>) -> Text<Option<(String, u8)>> {
        if fact(node).is_some() {
            return Ok(self.puppet_object(node, "nil?", &[])?.map(|(text, _)| (format!("!{text}"), UNARY)));
        }
        Ok(self.type_exists(node)?.map(|known| (format!("!{known}.nil?"), UNARY)))
    }

    /// Returns the information about a type in `Puppet::Type.type(x)`, nil if there is no such type.
    fn type_exists(&mut self, node: &Node<'_>) -> Text<Option<String>> {
        let Some(call) = node.as_call_node().filter(|c| name(&c.name()) == "type") else { return Ok(None) };
        if call.receiver().as_ref().and_then(ruby::constant).as_deref() != Some("Puppet::Type") {
            return Ok(None);
        }
        let (plain, named) = ruby::arguments(call.arguments());
        let ([wanted], true) = (plain.as_slice(), named.is_empty()) else { return Ok(None) };
        let wanted = match ruby::symbol(wanted).or_else(|| ruby::text(wanted)) {
            Some(known) => written_symbol(&known),
            None => format!("{}.to_s.to_sym", self.expr(wanted, OPERAND)?),
        };
        Ok(Some(format!("catalog.type({wanted})")))
    }

    /// Translates `original_parameters[:x]` and similar: the declaration.
    fn of_declaration(&mut self, method: &str, plain: &[Node<'_>]) -> Text<Option<(String, u8)>> {
        let [wanted, rest @ ..] = plain else { return Ok(None) };
        // Metaparameters and the provider are not attributes of the type in the language.
        let Some(attribute) = ruby::symbol(wanted).filter(|w| w != "provider" && self.scope.attributes.contains(w)) else {
            return Ok(None);
        };
        let read = format!("self.declared({})", written_symbol(&attribute));
        Ok(match (method, rest) {
            ("[]" | "dig", []) => Some((read, OPERAND)),
            ("key?" | "has_key?" | "include?" | "member?", []) => Some((format!("!{read}.nil?"), UNARY)),
            ("fetch", [default]) => {
                let default = self.expr(default, TERNARY)?;
                Some((format!("{read}.nil? ? {default} : {read}"), TERNARY))
            }
            _ => None,
        })
    }

    fn is_declaration(&self, node: &Node<'_>) -> bool {
        if let Some(variable) = node.as_instance_variable_read_node() {
            return self.attribute.is_none() && name(&variable.name()) == "@original_parameters";
        }
        self.asked_resource(node, "original_parameters").is_some()
    }

    /// Returns the call of a method of the resource without arguments.
    fn asked_resource<'p>(&self, node: &Node<'p>, method: &str) -> Option<CallNode<'p>> {
        let call = node.as_call_node().filter(|c| name(&c.name()) == method && c.arguments().is_none() && c.block().is_none())?;
        call.receiver().map_or(self.attribute.is_none(), |of| self.is_resource(&of)).then_some(call)
    }

    /// Returns all values given for the attribute itself: `@shouldorig`.
    pub(super) fn all_given(&self, owner: &AttributeContext) -> String {
        format!("[self.raw({})].flatten(1)", owner.symbol())
    }
}

/// Returns `x` of `Facter.fact(x)` and `Facter[x]`.
fn fact<'p>(node: &Node<'p>) -> Option<Node<'p>> {
    let call = node.as_call_node().filter(|c| matches!(name(&c.name()).as_str(), "fact" | "[]"))?;
    if call.receiver().as_ref().and_then(ruby::constant).as_deref() != Some("Facter") {
        return None;
    }
    let (mut plain, named) = ruby::arguments(call.arguments());
    (plain.len() == 1 && named.is_empty()).then(|| plain.pop())?
}
