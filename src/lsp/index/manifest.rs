//! Indexes names in resource declarations.

use super::{Collector, Name};
use rtype_lang::source::Span;
use rtype_lang::syntax::ast::{AttributeDecl, ChainOperand, PuppetExpr, PuppetValue, ResourceDecl, Statement, Uncompiled};
use rtype_lang::value::EcoString;

pub(super) fn statements(names: &mut Collector<'_>, statements: &[Statement]) {
    for statement in statements {
        match statement {
            Statement::Resource(r) => resource(names, r),
            Statement::Defaults(d) => {
                names.uses(d.type_name.span, Name::Type(d.type_name.name.clone()));
                attributes(names, &d.type_name.name, &d.attributes);
            }
            Statement::Chain(operands, _, _) => operands.iter().for_each(|o| match o {
                ChainOperand::References(e) => value(names, e),
                ChainOperand::Resource(r) => resource(names, r),
            }),
            Statement::Uncompiled(all, _) => all.iter().for_each(|one| uncompiled(names, one)),
            Statement::Error(_) => {}
        }
    }
}

/// Records the names in a collector or an override.
fn uncompiled(names: &mut Collector<'_>, Uncompiled { type_name, titles: all, attributes }: &Uncompiled) {
    names.uses(type_name.span, Name::Type(type_name.name.clone()));
    all.iter().for_each(|title| titles(names, &type_name.name, title, false));
    for attribute in attributes {
        names.uses(attribute.span, Name::Attribute(type_name.name.clone(), attribute.name.clone()));
    }
}

pub(super) fn resource(names: &mut Collector<'_>, r: &ResourceDecl) {
    let type_name = &r.type_name.name;
    names.uses(r.type_name.span, Name::Type(type_name.clone()));
    for body in &r.bodies {
        titles(names, type_name, &body.title, true);
        attributes(names, type_name, &body.attributes);
    }
}

fn titles(names: &mut Collector<'_>, type_name: &EcoString, title: &PuppetExpr, declares: bool) {
    match &title.kind {
        PuppetValue::Array(all) => all.iter().for_each(|t| titles(names, type_name, t, declares)),
        PuppetValue::Str(text) => {
            let name = Name::Resource(type_name.clone(), text.clone());
            let span = names.letters(title.span);
            if declares { names.declares(span, name) } else { names.uses(span, name) }
        }
        _ => value(names, title),
    }
}

fn attributes(names: &mut Collector<'_>, type_name: &EcoString, attributes: &[AttributeDecl]) {
    for attribute in attributes {
        if attribute.name.name != "*" {
            names.uses(attribute.name.span, Name::Attribute(type_name.clone(), attribute.name.name.clone()));
        }
        values(names, (type_name, &attribute.name.name), &attribute.value);
        value(names, &attribute.value);
    }
}

/// Records the strings in the value of an attribute.
fn values(names: &mut Collector<'_>, of: (&EcoString, &EcoString), e: &PuppetExpr) {
    match &e.kind {
        PuppetValue::Str(text) => {
            let span = names.letters(e.span);
            names.uses(span, Name::Value(of.0.clone(), of.1.clone(), text.clone()));
        }
        PuppetValue::Array(all) => all.iter().for_each(|e| values(names, of, e)),
        PuppetValue::Sensitive(inner) => values(names, of, inner),
        _ => {}
    }
}

fn value(names: &mut Collector<'_>, e: &PuppetExpr) {
    match &e.kind {
        PuppetValue::Array(all) | PuppetValue::Interpolated(all) => all.iter().for_each(|e| value(names, e)),
        PuppetValue::Hash(pairs) => pairs.iter().for_each(|(k, v)| {
            value(names, k);
            value(names, v);
        }),
        PuppetValue::Sensitive(inner) | PuppetValue::Binary(inner) => value(names, inner),
        PuppetValue::Reference(type_name, all) => {
            names.uses(Span::new(type_name.span.start, type_name.span.end), Name::Type(type_name.name.clone()));
            all.iter().for_each(|t| titles(names, &type_name.name, t, false));
        }
        _ => {}
    }
}
