//! Attributes whose `munge` or `validate` assigns others: `munge { |v| resource[:source] = v }`. The assignments move to `finalize`.

use super::block::{AttributeContext, Text, Untranslated};
use super::hooks::checks_of_should;
use super::in_place::is_changing;
use super::items::ClassItem;
use super::ruby::{self, is_word, name};
use super::type_decl::{Fragment, Reader};
use rtype_lang::syntax::written_symbol;
use ruby_prism::{CallNode, Node};
use std::collections::BTreeSet;

/// The attribute whose `munge` or `validate` assigns others.
#[derive(Clone, Debug)]
pub(super) struct Assigner {
    pub name: String,
    pub is_param: bool,
}

impl<'p> Reader<'_, '_, 'p> {
    /// Translates the value of `munge`; empty if it only assigns and returns the value unchanged.
    pub(super) fn munge_value(&self, owner: &AttributeContext, params: &[String], body: Vec<Node<'_>>, is_param: bool) -> Text {
        let bars = params.join(", ");
        let at = body.first().map(ruby::place);
        self.block(Some(owner), |block| {
            block.only_values = true;
            let code = block.whole(params, body)?;
            self.moved(owner, is_param, &block.writes).map_err(|text| Untranslated { text, at: at.unwrap_or_default() })?;
            let as_it_is = !block.writes.is_empty() && code == format!("{{ |{bars}| {bars} }}");
            Ok(if as_it_is { String::new() } else { code })
        })
    }

    /// Translates what `validate` checks.
    pub(super) fn checks(&self, owner: &AttributeContext, params: &[String], body: Vec<Node<'_>>, is_param: bool) -> Text {
        let at = body.first().map(ruby::place);
        self.block(Some(owner), |block| {
            block.only_values = true;
            block.own.checks = true;
            block.own.given.extend(params.iter().cloned());
            block.own.arguments.extend(params.iter().cloned());
            let code = block.whole(params, body)?;
            self.moved(owner, is_param, &block.writes).map_err(|text| Untranslated { text, at: at.unwrap_or_default() })?;
            Ok(code)
        })
    }

    /// Fails if assignments cannot move to `finalize`.
    fn moved(&self, owner: &AttributeContext, is_param: bool, writes: &[String]) -> Result<(), String> {
        match writes.first() {
            Some(written) if owner.is_kind => Err(format!("a kind that assigns the attribute `{written}` is not supported")),
            _ => self.is_order_known(is_param, &owner.name, writes),
        }
    }

    /// Fails if Puppet may set assigned attributes before or after the one that assigns them.
    fn is_order_known(&self, is_param: bool, attribute: &str, writes: &[String]) -> Result<(), String> {
        let too_late = |written: &&String| self.is_seen_early(written) && !self.moves_to_default(is_param, attribute, written);
        if let Some(written) = writes.iter().find(too_late) {
            return Err(format!("it assigns `{written}`, which others read before `finalize`"));
        }
        // An identity is set first, and a property that is declared as a param is in another list.
        let is_first = |of: &str| self.scope.in_titles.contains(of) || self.scope.property_namevar.as_deref() == Some(of);
        let has_place = |of: &str| (of == "ensure" || self.scope.property_order.contains(of)) && !is_first(of);
        let known = |written: &&String| is_param || !self.scope.properties.contains(*written) || has_place(attribute) && has_place(written);
        match writes.iter().find(|written| !known(written)) {
            Some(written) => Err(format!("a property that assigns the property `{written}` is not supported")),
            None => Ok(()),
        }
    }

    /// Translates the assignments in the `munge` or `validate` of an attribute.
    pub(super) fn writes_in(&mut self, item: &ClassItem<'p>) -> Vec<Fragment> {
        let is_param = item.is("newparam");
        let Some(attribute) = item.first_word().filter(|_| is_param || item.is("newproperty")) else { return Vec::new() };
        let items = self.attribute_items(item);
        let mut pieces: Vec<Fragment> = items.iter().filter_map(|i| self.checks_in(&attribute, i)).collect();
        for rule in ["validate", "munge"] {
            pieces.extend(items.iter().rfind(|i| i.is(rule)).and_then(|i| self.writes_of(&attribute, is_param, i)));
        }
        pieces
    }

    /// Translates the checks in `def should=(value); super; raise … if …; end`, which see the value as it was given.
    fn checks_in(&mut self, attribute: &str, item: &ClassItem<'p>) -> Option<Fragment> {
        let def = item.def.as_ref().filter(|_| item.is("def") && item.method().as_deref() == Some("should="))?;
        let checks = checks_of_should(def).filter(|checks| !checks.is_empty())?;
        let param = ruby::def_params(def)?.into_iter().next()?;
        self.enter(item);
        let owner = AttributeContext { outside: true, ..self.owner(attribute, &[]) };
        let symbol = written_symbol(attribute);
        let code = self.block(Some(&owner), |block| {
            block.own.about = Some(attribute.to_owned());
            block.whole(std::slice::from_ref(&param), checks)
        });
        let code = code.map(|code| {
            let inner =
                code.strip_prefix(&format!("{{ |{param}| ")).and_then(|c| c.strip_suffix('}')).unwrap_or_default().trim().to_owned();
            format!("validate {{\nif self.set?({symbol}) {{\nlet {param} = self.raw({symbol})\n{inner}\n}}\n}}")
        });
        Some(self.coded(item, "validate", code))
    }

    fn writes_of(&self, attribute: &str, is_param: bool, rule: &ClassItem<'p>) -> Option<Fragment> {
        let (params, body) = writing_code(rule)?;
        let owner = self.owner(attribute, &[]);
        let (code, writes, unset) = self.block(Some(&owner), |b| {
            b.own.assigner = Some(Assigner { name: attribute.to_owned(), is_param });
            b.own.dropped = self.written_in(rule).into_iter().filter(|of| self.moves_to_default(is_param, attribute, of)).collect();
            let code = b.whole(&params, body);
            b.writes.retain(|written| !b.own.dropped.contains(written));
            let overwritten: BTreeSet<&String> = b.writes.iter().filter(|written| b.is_guarded(written)).collect();
            let mut unset = String::new();
            for of in overwritten {
                let local = b.may_assign(of);
                // `||=` assigns without it.
                if code.as_ref().is_ok_and(|code| code.contains(&local)) {
                    // A default does not count: Puppet would not have set it yet.
                    unset.push_str(&format!("let {local} = self.declared({}).nil?\n", written_symbol(of)));
                }
            }
            (code, b.writes.clone(), unset)
        });
        self.is_order_known(is_param, attribute, &writes).ok()?;
        let (false, Ok(code), [param]) = (writes.is_empty(), code, params.as_slice()) else { return None };
        let symbol = written_symbol(attribute);
        let test = format!("self.set?({symbol})");
        let inner = code.strip_prefix(&format!("{{ |{param}| "))?.strip_suffix('}')?.trim();
        let text = match writes.as_slice() {
            [only] if is_param && inner == format!("self.{only} = {param}") => {
                format!("finalize {{ self.{only} = self.raw({symbol}) if {test} }}")
            }
            _ if is_param => format!("finalize {{\nif {test} {{\n{unset}let {param} = self.raw({symbol})\n{inner}\n}}\n}}"),
            // Each value of a property is converted.
            _ => format!("finalize {{\n{unset}[self.raw({symbol})].flatten(1).each {{ |{param}|\n{inner}\n}} if {test}\n}}"),
        };
        Some(self.ready(rule, "validate", text))
    }
}

/// Returns the parameter and the statements of a rule that may assign attributes.
pub(super) fn writing_code<'p>(rule: &ClassItem<'p>) -> Option<(Vec<String>, Vec<Node<'p>>)> {
    let closure = rule.closure()?;
    let params = closure.params.clone().filter(|p| p.len() == 1)?;
    let mut body = closure.body;
    // The checks were made before.
    if rule.is("validate") && body.iter().all(|n| is_write(n) || n.as_local_variable_write_node().is_none()) && body.iter().any(is_write) {
        body.retain(is_write);
    }
    // The value itself was converted before.
    if body.last().is_some_and(|last| last.as_local_variable_read_node().is_some() || last.as_call_node().is_some() && !is_write(last)) {
        body.pop();
    }
    Some((params, body))
}

/// Returns the code of `defaultto …`.
pub(super) fn default_code(text: &str) -> String {
    let given = text.trim_start_matches("defaultto ");
    match given.strip_prefix('{').and_then(|g| g.strip_suffix('}')) {
        Some(code) => code.trim().to_owned(),
        None if is_word(given) && !matches!(given, "true" | "false") => written_symbol(given),
        None => given.to_owned(),
    }
}

/// Returns the name of the attribute in `resource[name] = v`, `resource[name] ||= v`, and in `resource[name] << v` and other changes in
/// place.
pub(super) fn changed<'n>(node: &Node<'n>, of_self: bool) -> Option<Node<'n>> {
    let (receiver, arguments) = if let Some(call) = node.as_call_node() {
        let (method, of) = (name(&call.name()), call.receiver()?);
        let read = if is_changing(&method) { attribute_read(&of) } else { None };
        match read {
            Some(read) => (read.receiver(), read.arguments()),
            None if method == "[]=" => (Some(of), call.arguments()),
            None => return None,
        }
    } else if let Some(write) = node.as_index_or_write_node() {
        (write.receiver(), write.arguments())
    } else if let Some(write) = node.as_index_and_write_node() {
        (write.receiver(), write.arguments())
    } else if let Some(write) = node.as_index_operator_write_node() {
        (write.receiver(), write.arguments())
    } else {
        return None;
    };
    let of = receiver.filter(|of| of_self && of.as_self_node().is_some() || is_resource(of));
    of.and(ruby::arguments(arguments).0.into_iter().next())
}

/// Returns the call at the start of a chain that may read an attribute. In `resource[:x].first`, `first` returns a part of the value.
fn attribute_read<'n>(of: &Node<'n>) -> Option<CallNode<'n>> {
    let mut read = of.as_call_node()?;
    while let Some(inner) = value_of(&read) {
        read = inner;
    }
    may_read_attribute(&read).then_some(read)
}

/// Returns whether a call may read an attribute: `resource[:x]`, `value(:x)` or `should(:x)`, also of another receiver.
pub(super) fn may_read_attribute(call: &CallNode<'_>) -> bool {
    let has_name = matches!(name(&call.name()).as_str(), "[]" | "value" | "should");
    has_name && value_of(call).is_none() && ruby::arguments(call.arguments()).0.len() == 1
}

/// Returns the receiver of a call, if it is a call that returns something else than the resource.
fn value_of<'n>(call: &CallNode<'n>) -> Option<CallNode<'n>> {
    call.receiver().filter(|of| !is_resource(of)).and_then(|of| of.as_call_node())
}

/// Recognizes `resource`, `self.resource` and `@resource`.
pub(super) fn is_resource(of: &Node<'_>) -> bool {
    let of_self = |c: &CallNode<'_>| c.receiver().is_none_or(|of| of.as_self_node().is_some());
    of.as_call_node().is_some_and(|c| name(&c.name()) == "resource" && of_self(&c))
        || of.as_instance_variable_read_node().is_some_and(|v| name(&v.name()) == "@resource")
}

/// Recognizes `resource[:x] = v`.
fn is_write(node: &Node<'_>) -> bool {
    node.as_call_node().is_some_and(|c| name(&c.name()) == "[]=") && changed(node, false).is_some()
}
