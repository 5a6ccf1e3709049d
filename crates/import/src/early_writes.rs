//! Params that the `munge` of another param assigns, and that defaults read. Puppet sets defaults after all given values, so that what was
//! assigned is the default of the param unless it is given.

use super::effects::{changed, default_code, is_resource, writing_code};
use super::items::ClassItem;
use super::ruby::{self, ByteRange, name};
use super::type_decl::{Fragment, Reader};
use rtype_lang::syntax::written_symbol;
use ruby_prism::Node;
use std::collections::BTreeSet;

/// A param whose default is what another one assigns.
pub(super) struct EarlyWrite {
    of: String,
    /// Code that returns the value, or nil.
    code: String,
    at: ByteRange,
}

/// A rule that reads an attribute before `finalize`.
struct EarlyReader {
    rule: String,
    /// The param that it belongs to; none for a property.
    param: Option<String>,
}

impl<'p> Reader<'_, '_, 'p> {
    /// Returns the defaults, `munge` and `validate` of other attributes that read an attribute, which `finalize` assigns too late for them.
    fn early_readers(&self, written: &str) -> Vec<EarlyReader> {
        let nodes = self.loaded.nodes(self.file);
        let within = |at: &ByteRange, of: &ByteRange| of.start <= at.start && at.end <= of.end;
        let is_written = |node: &Node<'_>| changed(node, false).is_some_and(|key| ruby::symbol(&key).as_deref() == Some(written));
        let reads = |node: &Node<'_>| {
            let call = node.as_call_node().filter(|c| name(&c.name()) == "[]" && c.receiver().is_some_and(|of| is_resource(&of)));
            call.is_some_and(|c| ruby::arguments(c.arguments()).0.first().and_then(ruby::symbol).as_deref() == Some(written))
        };
        let param_around = |at: &ByteRange| {
            let declared = nodes.iter().filter(|(around, _)| within(at, around)).filter_map(|(_, node)| node.as_call_node());
            let params = declared.filter(|call| name(&call.name()) == "newparam");
            params.filter_map(|call| ruby::arguments(call.arguments()).0.first().and_then(ruby::symbol)).next_back()
        };
        let rules = nodes.iter().filter_map(|(at, node)| Some((at, node.as_call_node()?)));
        let readers = rules.filter_map(|(at, call)| {
            let rule = name(&call.name());
            if !matches!(rule.as_str(), "defaultto" | "munge" | "validate") || call.block().is_none() {
                return None;
            }
            let mut inside = nodes.iter().filter(|(inner, _)| within(inner, at));
            let is_reader = inside.clone().any(|(_, node)| reads(node)) && !inside.any(|(_, node)| is_written(node));
            is_reader.then(|| EarlyReader { rule, param: param_around(at) })
        });
        readers.collect()
    }

    /// Returns whether the default, `munge` or `validate` of another attribute reads an attribute.
    pub(super) fn is_seen_early(&self, written: &str) -> bool {
        !self.early_readers(written).is_empty()
    }

    /// Returns whether what a param assigns to another one can be the default of that one.
    pub(super) fn moves_to_default(&self, is_param: bool, attribute: &str, written: &str) -> bool {
        let place = |of: &str| self.scope.params.get_index_of(of);
        let readers = self.early_readers(written);
        let is_later =
            |reader: &EarlyReader| reader.rule == "defaultto" && reader.param.as_deref().is_some_and(|param| place(param) > place(written));
        let is_set_later = place(written).is_some() && self.scope.is_overwritten(is_param, attribute, written);
        is_param && is_set_later && !readers.is_empty() && readers.iter().all(is_later)
    }

    /// Returns the attributes that code assigns.
    pub(super) fn written_in(&self, item: &ClassItem<'p>) -> BTreeSet<String> {
        let nodes = self.loaded.inside(item.file, &item.at);
        nodes.iter().filter_map(|(_, node)| changed(node, false)).filter_map(|key| ruby::symbol(&key)).collect()
    }

    /// Returns what the `munge` or `validate` of a param assigns as defaults of others.
    pub(super) fn early_writes(&self, item: &ClassItem<'p>) -> Vec<EarlyWrite> {
        let Some(attribute) = item.first_word().filter(|_| item.is("newparam")) else { return Vec::new() };
        let items = self.attribute_items(item);
        let rules: Vec<&ClassItem<'p>> = ["validate", "munge"].iter().filter_map(|rule| items.iter().rfind(|i| i.is(rule))).collect();
        let written = self.written_in(item);
        let moved = written.iter().filter(|of| **of != attribute && self.moves_to_default(true, &attribute, of));
        moved.flat_map(|of| rules.iter().filter_map(|rule| self.early_write(&attribute, of, rule))).collect()
    }

    fn early_write(&self, attribute: &str, of: &str, rule: &ClassItem<'p>) -> Option<EarlyWrite> {
        let (params, body) = writing_code(rule)?;
        let owner = self.owner(attribute, &[]);
        let (code, is_written, local) = self.block(Some(&owner), |block| {
            let local = block.unused("assigned");
            block.locals.push(local.clone());
            block.own.assigned_to = Some((of.to_owned(), local.clone()));
            (block.whole(&params, body), block.writes.iter().any(|written| written == of), local)
        });
        let (true, Ok(code), [param]) = (is_written, code, params.as_slice()) else { return None };
        let symbol = written_symbol(attribute);
        let inner = code.strip_prefix(&format!("{{ |{param}| "))?.strip_suffix('}')?.trim();
        // It has no value yet.
        let inner = without_value(inner, of);
        let code = format!(
            "let {local} = nil\nif self.set?({symbol}) {{\nlet {param} = self.raw({symbol})\n{inner}\n}}\nreturn {local} unless {local}.nil?"
        );
        Some(EarlyWrite { of: of.to_owned(), code, at: rule.at.clone() })
    }
}

/// Returns code in which an attribute has no value. Another one may have a name that begins with its name.
fn without_value(code: &str, attribute: &str) -> String {
    let read = format!("self.{attribute}");
    let mut parts = code.split(read.as_str());
    let mut out = parts.next().unwrap_or_default().to_owned();
    for rest in parts {
        let is_whole = !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        out.push_str(if is_whole { "nil" } else { &read });
        out.push_str(rest);
    }
    out
}

/// Puts what others assign before the defaults.
pub(super) fn assigned_defaults(pieces: &mut [Fragment], early: &[EarlyWrite]) {
    for write in early {
        let is_it = |p: &&mut Fragment| p.text.starts_with("newparam ") && p.text.split([' ', ',']).nth(1) == Some(write.of.as_str());
        let Some(piece) = pieces.iter_mut().find(is_it) else { continue };
        match piece.children.iter_mut().find(|c| c.text.starts_with("defaultto ")) {
            Some(own) => own.text = format!("defaultto {{\n{}\n{}\n}}", write.code, default_code(&own.text)),
            None => {
                let text = format!("defaultto {{\n{}\nnil\n}}", write.code);
                piece.children.push(Fragment { text, at: write.at.clone(), file: piece.file, ..Fragment::default() });
            }
        }
    }
}
