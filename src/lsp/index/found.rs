//! Types of the resources that a block looks up in the catalog.

use super::walk::word;
use rtype_lang::syntax::ast::{Call, Expr, ExprKind, StrPart};
use rtype_lang::types::builtin::{Method, Traits, ValueKind};
use rtype_lang::value::EcoString;

/// Resources of the catalog, with the name of their type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CatalogResources {
    One(EcoString),
    Many(EcoString),
}

impl CatalogResources {
    /// Returns an element of a list.
    pub fn element(&self) -> Option<CatalogResources> {
        match self {
            CatalogResources::Many(type_name) => Some(CatalogResources::One(type_name.clone())),
            CatalogResources::One(_) => None,
        }
    }
}

/// The locals in scope. Inner locals hide outer locals with the same name.
#[derive(Debug, Default)]
pub(super) struct Locals(Vec<(EcoString, Option<CatalogResources>)>);

impl Locals {
    pub fn add(&mut self, name: &str, found: Option<CatalogResources>) {
        self.0.push((name.into(), found));
    }

    pub fn count(&self) -> usize {
        self.0.len()
    }

    pub fn truncate(&mut self, count: usize) {
        self.0.truncate(count);
    }

    /// Returns the resources that an expression finds.
    pub fn found(&self, e: &Expr) -> Option<CatalogResources> {
        match &e.kind {
            ExprKind::Name(name) => self.0.iter().rev().find(|(local, _)| local == name)?.1.clone(),
            ExprKind::Paren(inner) => self.found(inner),
            ExprKind::Method(receiver, call) => match &receiver.kind {
                ExprKind::Name(name) if name == "catalog" => in_catalog(call),
                _ => {
                    let CatalogResources::Many(type_name) = self.found(receiver)? else { return None };
                    let method = Method::named(&call.name.name)?;
                    let is_element = method.is(Traits::PART) && method.receivers().contains(&ValueKind::List);
                    match method {
                        // `first(2)` is a list.
                        Method::First | Method::Last if !call.args.is_empty() => Some(CatalogResources::Many(type_name)),
                        Method::At | Method::Fetch => Some(CatalogResources::One(type_name)),
                        _ if is_element && call.args.is_empty() => Some(CatalogResources::One(type_name)),
                        _ if method.is(Traits::ELEMENTS) => Some(CatalogResources::Many(type_name)),
                        _ => None,
                    }
                }
            },
            _ => None,
        }
    }
}

/// Returns the resources that `catalog.find(:t, title)`, `catalog.find("T[title]")` or `catalog.resources(:t)` finds.
fn in_catalog(call: &Call) -> Option<CatalogResources> {
    let argument = call.args.first()?;
    match call.name.name.as_str() {
        "resources" => Some(CatalogResources::Many(word(argument)?)),
        "find" => {
            let name = match &argument.kind {
                ExprKind::Str(text) => {
                    text.parts.first().and_then(|part| if let StrPart::Text(text) = part { Some(text.clone()) } else { None })
                }
                _ => word(argument),
            }?;
            Some(CatalogResources::One(name.split('[').next().unwrap_or_default().trim_start_matches("::").to_lowercase().into()))
        }
        _ => None,
    }
}
