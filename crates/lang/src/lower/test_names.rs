//! Records names in the resources of a test.

use super::names::Names;
use super::{NameKind, Sink};
use crate::syntax::ast::{AttributeDecl, ChainOperand, Ident, PuppetExpr, PuppetValue, ResourceDecl, Statement, TestDecl, TestStep};
use crate::types::{AttributeDef, TypeDef};
use crate::value::EcoString;
use std::sync::Arc;

/// Records the names of types, attributes and values in a test's resources.
pub(super) fn record(decl: &TestDecl, names: &Names<'_>, find: &mut dyn FnMut(&str) -> Option<Arc<TypeDef>>, sink: &Sink) {
    let mut recorder = TestNames { names, find, sink };
    for step in &decl.steps {
        match step {
            TestStep::Declare(r) => recorder.resource(r),
            TestStep::Also(statements, _) => statements.iter().for_each(|s| recorder.statement(s)),
            TestStep::Setup(..) | TestStep::Expect(..) | TestStep::Rejects(..) => {}
        }
    }
}

struct TestNames<'a> {
    names: &'a Names<'a>,
    find: &'a mut dyn FnMut(&str) -> Option<Arc<TypeDef>>,
    sink: &'a Sink,
}

impl TestNames<'_> {
    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Resource(r) => self.resource(r),
            Statement::Defaults(d) => self.attributes(&d.type_name, &d.attributes),
            Statement::Chain(operands, ..) => operands.iter().for_each(|operand| match operand {
                ChainOperand::References(e) => self.value(e, None),
                ChainOperand::Resource(r) => self.resource(r),
            }),
            Statement::Uncompiled(..) | Statement::Error(_) => {}
        }
    }

    fn resource(&mut self, r: &ResourceDecl) {
        let all: Vec<AttributeDecl> = r.bodies.iter().flat_map(|b| b.attributes.iter().cloned()).collect();
        self.attributes(&r.type_name, &all);
    }

    fn type_name(&self, name: &Ident) -> EcoString {
        let lower = name.name.to_lowercase();
        self.sink.refer_type(&lower, name.span, self.names);
        lower
    }

    fn attributes(&mut self, type_name: &Ident, attributes: &[AttributeDecl]) {
        let name = self.type_name(type_name);
        let type_def = (self.find)(&name);
        for given in attributes {
            let attribute = type_def.as_ref().and_then(|t| t.attribute_named(&given.name.name));
            if let Some(attribute) = attribute.filter(|a| a.name.as_str() != "provider") {
                self.sink.refer(NameKind::Attribute, given.name.span, attribute.span);
            }
            self.value(&given.value, attribute);
        }
    }

    fn value(&self, value: &PuppetExpr, attribute: Option<&AttributeDef>) {
        match &value.kind {
            PuppetValue::Str(text) => {
                if let Some(attribute) = attribute {
                    self.sink.refer(NameKind::Value, value.span, attribute.values.span_of(text));
                }
            }
            PuppetValue::Array(all) => all.iter().for_each(|e| self.value(e, attribute)),
            PuppetValue::Interpolated(all) => all.iter().for_each(|e| self.value(e, None)),
            PuppetValue::Hash(pairs) => pairs.iter().flat_map(|(key, value)| [key, value]).for_each(|e| self.value(e, None)),
            PuppetValue::Sensitive(inner) | PuppetValue::Binary(inner) => self.value(inner, attribute),
            PuppetValue::Reference(name, titles) => {
                self.type_name(name);
                titles.iter().for_each(|e| self.value(e, None));
            }
            _ => {}
        }
    }
}
