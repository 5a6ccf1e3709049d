//! Types of the resources that a block looks up in the catalog.

use super::walk::word;
use rtype_lang::syntax::ast::{Call, Expr, ExprKind, StrPart};
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

/// Methods whose result is an element of the receiver.
const ELEMENT: &[&str] = &["find", "first", "last", "min_by", "max_by"];
/// Methods whose result is a list of elements of the receiver.
const ELEMENTS: &[&str] = &["select", "reject", "sort_by", "reverse", "uniq", "compact", "take", "drop"];

/// The locals in scope. Inner ones hide outer ones with the same name.
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
                    let is_one_of = |methods: &[&str]| methods.contains(&call.name.name.as_str());
                    // `first(2)` is a list.
                    if is_one_of(ELEMENT) && call.args.is_empty() {
                        Some(CatalogResources::One(type_name))
                    } else if is_one_of(ELEMENTS) || is_one_of(ELEMENT) {
                        Some(CatalogResources::Many(type_name))
                    } else {
                        None
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
