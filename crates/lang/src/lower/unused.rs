//! Records the references in declarations that no type in their file uses.
//!
//!
//! Mixins, functions and constants are lowered where a type uses them. Unused ones are lowered here alone; problems in them are not
//! reported, because most depend on the type.

use super::block::Bindings;
use super::functions::{collect_functions, lower_functions};
use super::literal::Literals;
use super::names::Names;
use super::type_body::{lower_bound, lower_kind, new_scope, unbound};
use super::{ParentTypes, Sink};
use crate::syntax::ast::{Ast, Item};
use std::rc::Rc;

/// Records the references in unused mixins, kinds, constants and data types and, in a file without types, in functions.
pub(super) fn record(file: &Ast, names: &Names<'_>, foreign: &ParentTypes, sink: &Sink) {
    let is_shared = |item: &Item| !matches!(item, Item::Type(_) | Item::Provider(_) | Item::Test(_) | Item::Use(_) | Item::Error(_));
    if !file.items.iter().any(is_shared) {
        return;
    }
    let used = sink.references.targets();
    let alone = Sink::default();
    let none: Bindings = Rc::default();
    let literals = Literals { names, bindings: &none, sink: &alone };
    for item in &file.items {
        match item {
            Item::Mixin(mixin) if !used.contains(&mixin.name.span) => drop(lower_bound(mixin, &unbound(mixin), names, foreign, &alone)),
            Item::Kind(kind) if !used.contains(&kind.name.span) => lower_kind(kind, &[], names, &alone),
            Item::Const(constant) if !used.contains(&constant.name.span) => drop(literals.value(&constant.value)),
            Item::TypeAlias(alias) if !used.contains(&alias.name.span) => drop(literals.data_type(&alias.value)),
            _ => {}
        }
    }
    if !names.types.is_empty() {
        return sink.references.extend(&alone.references);
    }
    let mut scope = new_scope(names, &alone, true);
    let functions = collect_functions(&mut scope, &[]);
    lower_functions(&scope, &functions);
    sink.references.extend(&alone.references);
}
