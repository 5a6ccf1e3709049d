//! Translates classes of errors: those that `raise` names, and those that a `rescue` selects.

use super::block::*;
use super::eval::Class;
use super::ruby::{self, ByteRange, name};
use super::type_decl::Reader;
use rtype_lang::eval::error_class;
use rtype_lang::syntax::quote;
use ruby_prism::{CallNode, Node, RescueNode};

/// Other names of classes of errors.
const ALIASES: &[(&str, &str)] = &[("YAML::SyntaxError", "Psych::SyntaxError"), ("YAML::Exception", "Psych::Exception")];

impl BlockTranslator<'_> {
    /// Returns the argument of `fail` with the class of its error, `, error: "Class"`, if a `rescue` may select by it.
    pub(super) fn error_argument(&self, call: &CallNode<'_>) -> String {
        let is_selected = self.own.is_selected || self.own.parts.is_function;
        let is_needed = is_selected && self.methods.is_some_and(|methods| methods.selects_errors());
        let (plain, _) = ruby::arguments(call.arguments());
        let Some(first) = plain.first() else { return String::new() };
        let of_new = first.as_call_node().filter(|new| name(&new.name()) == "new").and_then(|new| new.receiver());
        let is_text = self.kind(first) == Some(Kind::Text);
        let class = match name(&call.name()).as_str() {
            "devfail" => Some("Puppet::DevError".to_owned()),
            "raise" if is_text => Some("RuntimeError".to_owned()),
            // In methods of modules, this may also be that of Ruby.
            "fail" if is_text && self.attribute.is_none_or(|of| !of.is_module) && self.own.this.is_none() => {
                Some("Puppet::Error".to_owned())
            }
            _ => of_new.as_ref().or(Some(first)).filter(|class| ruby::constant(class).is_some()).and_then(|class| self.error_class(class)),
        };
        // No `rescue` without classes handles the others.
        let class = class.filter(|class| is_needed || !error_class::is_a(class, "StandardError"));
        class.map(|class| format!(", error: {}", quote(&class))).unwrap_or_default()
    }

    /// Returns whether what a handler reads as the message of such an error is another text than the one given: classes of Ruby code may
    /// make it, and those of the system add to it.
    pub(super) fn has_own_message(&self, class: &Node<'_>) -> bool {
        let is_read = self.own.is_selected || self.own.reads_message || self.own.parts.is_function;
        let of_system = ruby::constant(class).is_some_and(|class| class.trim_start_matches("::").starts_with("Errno::"));
        is_read && (of_system || self.methods.is_some_and(|methods| methods.has_own_message(&ruby::place(class))))
    }

    /// Returns the classes that a clause selects, with those of Ruby code that build upon them.
    pub(super) fn selected_classes(&self, rescue: &RescueNode<'_>) -> Vec<String> {
        let mut all = Vec::new();
        for class in rescue.exceptions().iter() {
            let written = || ruby::constant(&class).unwrap_or_else(|| self.slice(&class)).trim_start_matches("::").to_owned();
            all.push(self.error_class(&class).unwrap_or_else(written));
            all.extend(self.methods.map(|methods| methods.error_heirs(&ruby::place(&class))).unwrap_or_default());
        }
        if all.is_empty() {
            all.push("StandardError".to_owned());
        }
        all
    }

    /// Returns the whole name of a class of errors, if it is one of Ruby code or a known one.
    pub(super) fn error_class(&self, class: &Node<'_>) -> Option<String> {
        let written = ruby::constant(class)?;
        let found = self.methods.and_then(|methods| methods.error_class(&ruby::place(class)));
        let written = written.trim_start_matches("::");
        let known = ALIASES.iter().find(|(alias, _)| *alias == written).map_or(written, |(_, of)| of);
        // A class that is neither of Ruby code nor known has its whole name where that names a module.
        found.or_else(|| (error_class::known().any(|class| class == known) || known.contains("::")).then(|| known.to_owned()))
    }
}

impl Reader<'_, '_, '_> {
    /// Returns whether a `rescue` of the files of the type selects certain errors.
    pub(super) fn has_selecting_rescue(&self) -> bool {
        *self.selects_errors.get_or_init(|| {
            let selects = |rest: &str| {
                let class = rest.trim_start_matches([' ', ':']);
                let end = class.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '_' | ':')).unwrap_or(class.len());
                let of_all = ["StandardError", "LoadError"].contains(&class.get(..end).unwrap_or_default());
                class.starts_with(|c: char| c.is_ascii_uppercase()) && !of_all
            };
            // `rescue … => e` whose handler reads `e.class`.
            let reads = |text: &str, rest: &str| {
                let local = rest.lines().next().and_then(|line| line.split_once("=> ")).map(|(_, local)| local.trim());
                local.is_some_and(|local| text.contains(&format!("{local}.class")))
            };
            let texts = self.texts.iter().map(|text| text.text());
            texts.into_iter().any(|text| text.split("rescue").skip(1).any(|rest| selects(rest) || reads(text, rest)))
        })
    }

    /// Returns the name of the class of errors that a constant is.
    pub(super) fn named_error_class(&self, at: &ByteRange) -> Option<String> {
        let class = self.loaded.module_at(self.file, at)?;
        let ruby = self.loaded.ruby.borrow();
        ruby.classes.unknown(class).is_none().then(|| ruby.classes.get(class).name.clone())
    }

    /// Returns whether errors of a class make their message from what they are given.
    pub(super) fn makes_message(&self, at: &ByteRange) -> bool {
        let Some(class) = self.loaded.module_at(self.file, at) else { return false };
        let ruby = self.loaded.ruby.borrow();
        let of_ruby = ruby.classes.ancestors(class).into_iter().map(|id| ruby.classes.get(id)).filter(|class| !class.is_native);
        let makes = |class: &Class<'_>| ["initialize", "message", "to_s"].iter().any(|method| class.methods.contains_key(*method));
        of_ruby.into_iter().any(makes)
    }

    /// Returns the names of the classes of Ruby code that build upon a class.
    pub(super) fn error_heirs_of(&self, at: &ByteRange) -> Vec<String> {
        let Some(class) = self.loaded.module_at(self.file, at) else { return Vec::new() };
        let ruby = self.loaded.ruby.borrow();
        let builds_on = |id: &usize| *id != class && !ruby.classes.get(*id).is_native && ruby.classes.is_a(*id, class);
        ruby.classes.ids().filter(builds_on).map(|id| ruby.classes.get(id).name.clone()).collect()
    }
}
