//! Kinds of attributes: Puppet's classes that attributes build upon.

use super::directive::option;
use super::{TypeReport, words};
use crate::lower::{BlockRole, UntranslatedReason, build};
use crate::puppet::{DeclaredDirective, DeclaredMethod};
use rtype_lang::syntax::ast::{Call, Expr, ExprKind, Opt};
use rtype_ruby::run::{ClassKey, PlainValue};

/// The classes with the kinds that they are; none for the classes without behaviour.
const KINDS: &[(&str, Option<&str>)] = &[
    ("Puppet::Parameter", None),
    ("Puppet::Property", None),
    ("Puppet::Property::Ensure", None),
    ("Puppet::Parameter::Boolean", Some("boolean")),
    ("Puppet::Property::Boolean", Some("boolean")),
    ("Puppet::Parameter::Path", Some("path")),
    ("Puppet::Parameter::PackageOptions", Some("package_options")),
    ("Puppet::Type::File::Owner", Some("file_owner")),
    ("Puppet::Type::File::Group", Some("file_group")),
    ("Puppet::Type::File::Mode", Some("file_mode")),
    ("Puppet::Property::List", Some("list")),
    ("Puppet::Property::OrderedList", Some("ordered_list")),
    ("Puppet::Property::KeyValue", Some("key_value")),
];

impl TypeReport<'_, '_> {
    /// Returns whether a class builds upon `Puppet::Property`. A parameter of such a class is a property.
    pub(super) fn is_property(&self, class: ClassKey) -> bool {
        self.file.base_of(class).is_some_and(|base| base.starts_with("Puppet::Property") || base.starts_with("Puppet::Type::File::"))
    }

    /// Returns the kind for the class that an attribute builds upon. Methods that configure the kind are removed.
    pub(super) fn kind(
        &mut self,
        call: &DeclaredDirective,
        class: ClassKey,
        methods: &mut Vec<DeclaredMethod>,
    ) -> Result<Option<Expr>, UntranslatedReason> {
        if let Some(why) = self.file.run.unknown_methods(class) {
            return Err(UntranslatedReason::Computed(format!("what the attribute builds upon ({why})")));
        }
        let is_unknown = matches!(call.option("parent"), Some(PlainValue::Unknown(_)));
        let base = self.file.base_of(class).filter(|_| !is_unknown).unwrap_or_default();
        let is_param = call.word == "newparam" && !self.is_property(class);
        let known = KINDS.iter().find(|(name, _)| *name == base);
        let unsupported = UntranslatedReason::Form("the class that the attribute builds upon");
        match known {
            // A property does not build upon a parameter, and the reverse.
            Some(_) if is_param != base.starts_with("Puppet::Parameter") => Err(unsupported),
            Some((_, None)) => Ok(None),
            Some((_, Some(kind @ ("list" | "ordered_list" | "key_value")))) => self.list_kind(kind, methods).map(Some).ok_or(unsupported),
            Some((_, Some(kind))) => Ok(Some(build::expr(ExprKind::Name((*kind).into())))),
            None => Err(unsupported),
        }
    }

    /// Returns the kind of a property with several elements.
    fn list_kind(&mut self, kind: &str, methods: &mut Vec<DeclaredMethod>) -> Option<Expr> {
        let is_map = kind == "key_value";
        let mut named: Vec<Opt> = Vec::new();
        match self.constant_method("inclusive?", methods) {
            Some(value) => (value?.kind == ExprKind::Bool(true)).then_some(())?,
            None => {
                let param = match self.constant_method("membership", methods) {
                    Some(value) => match value?.kind {
                        ExprKind::Symbol(name) => name.to_string(),
                        _ => return None,
                    },
                    None if is_map => "key_value_membership".to_owned(),
                    None => "membership".to_owned(),
                };
                named.push(option("membership", words::word(&param)));
            }
        }
        if is_map && let Some(separator) = self.constant_method("separator", methods) {
            named.push(option("separator", separator?));
        }
        let delimiter = match self.constant_method("delimiter", methods) {
            Some(value) => value?,
            None => build::string(if is_map { ";" } else { "," }),
        };
        named.push(option("delimiter", delimiter));
        let call = Call { name: build::ident(kind), args: Vec::new(), named, closure: None, parens: true };
        Some(build::expr(ExprKind::Call(call)))
    }

    /// Removes a method, and returns the literal that it returns.
    fn constant_method(&mut self, name: &str, methods: &mut Vec<DeclaredMethod>) -> Option<Option<Expr>> {
        let at = methods.iter().position(|method| !method.of_class && &*method.name == name)?;
        let code = methods.remove(at).code;
        let lowered = code.and_then(|code| self.lowered(&code, &BlockRole::of_type(true)).ok());
        Some(lowered.and_then(|lowered| match lowered.body.statements.as_slice() {
            [only] if matches!(only.kind, ExprKind::Str(_) | ExprKind::Symbol(_) | ExprKind::Bool(_)) => {
                Some(build::expr(only.kind.clone()))
            }
            _ => None,
        }))
    }
}
