//! Whether `instances` of a provider lists what the native one lists: all settings of the file, called `section/setting`.

use super::Folding;
use super::interpreter::{Interpreter, Stop};
use super::value::Val;
use crate::ruby::{self, name};
use ruby_prism::{CallNode, IfNode, NextNode, UnlessNode, Visit};
use std::collections::BTreeMap;

/// Methods that build the list.
const LOOPS: &[&str] = &["each", "map", "flat_map", "collect"];

impl Folding<'_, '_> {
    /// Returns whether the provider lists the settings of its file in the way of the native one.
    pub(super) fn is_listed(&self) -> Result<bool, Stop> {
        let mut own = self.interpreter();
        let Some((level, def)) = own.method("instances", true, 0)? else { return Ok(self.base.is_some()) };
        let mut listing = Listing { own: &mut own, level, section: None, setting: None, has_name: false, filters: false };
        ruby::statements(def.body()).iter().for_each(|node| listing.visit(node));
        Ok(listing.has_name && !listing.filters)
    }
}

/// A method that builds a resource for each setting of each section.
struct Listing<'l, 'a, 'p> {
    own: &'l mut Interpreter<'a, 'p>,
    level: usize,
    /// The local that is the name of a section, within the loop.
    section: Option<String>,
    /// The local that is the name of a setting, within the inner loop.
    setting: Option<String>,
    has_name: bool,
    /// Whether it leaves out settings.
    filters: bool,
}

impl Listing<'_, '_, '_> {
    /// Returns whether a resource is called by its section and its setting.
    fn is_named(&mut self, call: &CallNode<'_>) -> bool {
        let (Some(section), Some(setting)) = (&self.section, &self.setting) else { return false };
        let (section, setting) = (section.clone(), setting.clone());
        let (plain, mut named) = ruby::arguments(call.arguments());
        named.extend(plain.iter().filter_map(|n| n.as_hash_node()).filter_map(|h| ruby::pairs(&h.elements())).flatten());
        let Some((_, title)) = named.iter().find(|(key, _)| ruby::symbol(key).as_deref() == Some("name")) else { return false };
        let locals = BTreeMap::from([(section, Val::Text("s".into())), (setting, Val::Text("t".into()))]);
        self.own.expression(title, self.level, locals).is_ok_and(|title| title == Val::Text("s/t".into()))
    }
}

impl<'p> Visit<'p> for Listing<'_, '_, '_> {
    fn visit_call_node(&mut self, call: &CallNode<'p>) {
        let method = name(&call.name());
        if method == "new" && call.receiver().is_none_or(|r| r.as_self_node().is_some()) {
            self.has_name = self.is_named(call);
            self.filters |= !self.has_name;
            return;
        }
        let inner = call.receiver().and_then(|r| r.as_call_node());
        let block = ruby::block(call).and_then(|b| ruby::block_params(&b));
        if let (Some(inner), Some(params), true) = (inner, block, LOOPS.contains(&method.as_str())) {
            let of = name(&inner.name());
            let (arguments, _) = ruby::arguments(inner.arguments());
            let is_of_section = arguments.first().and_then(|a| a.as_local_variable_read_node()).map(|l| name(&l.name()));
            match (of.as_str(), params.as_slice()) {
                ("section_names", [section]) if self.section.is_none() => self.section = Some(section.clone()),
                ("get_settings", [setting, _]) if is_of_section.is_some() && is_of_section == self.section => {
                    self.setting = Some(setting.clone());
                }
                _ => self.filters = true,
            }
        } else if matches!(method.as_str(), "select" | "reject" | "filter" | "find" | "delete_if" | "keep_if" | "first" | "uniq") {
            self.filters = true;
        }
        ruby_prism::visit_call_node(self, call);
    }

    fn visit_if_node(&mut self, node: &IfNode<'p>) {
        self.filters |= self.section.is_some();
        ruby_prism::visit_if_node(self, node);
    }

    fn visit_unless_node(&mut self, node: &UnlessNode<'p>) {
        self.filters |= self.section.is_some();
        ruby_prism::visit_unless_node(self, node);
    }

    fn visit_next_node(&mut self, _: &NextNode<'p>) {
        self.filters = true;
    }
}
