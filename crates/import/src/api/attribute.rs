//! An attribute of a Resource API type.

use super::data_type::{is_boolean, takes_booleans, takes_lists};
use super::definition::{ApiAttribute, Behaviour, Definition};
use super::{option, refuse};
use crate::lower::build::{self, ident};
use crate::report::directive::{coded, new};
use crate::report::words;
use rtype_lang::syntax::ast::{BinaryOp, Closure, Condition, Directive, Expr, ExprKind};
use rtype_lang::value::DataType;

/// Writes an attribute.
pub(super) struct AttributeWriter<'a> {
    attribute: &'a ApiAttribute,
    /// The data type; none if the language does not have it.
    data_type: Option<&'a DataType>,
    expr: Option<Expr>,
    wrong: String,
}

/// The directives of an attribute.
pub(super) struct WrittenAttribute {
    /// The declaration.
    pub directive: Directive,
    /// The directives of its body.
    pub children: Vec<Directive>,
    /// Directives of the type after the declaration.
    pub after: Vec<Directive>,
    /// The number of blocks with code.
    pub blocks: usize,
}

impl<'a> AttributeWriter<'a> {
    pub(super) fn new(
        definition: &Definition,
        attribute: &'a ApiAttribute,
        data_type: Option<&'a DataType>,
        expr: Option<Expr>,
    ) -> AttributeWriter<'a> {
        let wrong = format!("{}.{} expects a value of type {}", definition.name, attribute.name, attribute.data_type);
        AttributeWriter { attribute, data_type, expr, wrong }
    }

    pub(super) fn write(self) -> WrittenAttribute {
        let name = &self.attribute.name;
        let is_param = !self.attribute.is_property();
        let mut directive = Directive { args: vec![words::word(name)], ..new(if is_param { "newparam" } else { "newproperty" }) };
        if !is_param && self.takes_lists() {
            directive.options.push(option("array_matching", words::word("all")));
        }
        let mut children = Vec::new();
        match self.attribute.behaviour {
            Behaviour::Namevar => children.push(new("isnamevar")),
            Behaviour::InitOnly => children.push(new("init_only")),
            _ => {}
        }
        let doc = format!("{} (a {})", crate::ruby::dedented(&self.attribute.doc).trim(), self.attribute.data_type);
        children.push(Directive { args: vec![words::description(&doc)], ..new("desc") });
        children.extend(self.checks());
        if !is_param {
            children.extend(self.conversions());
        }
        children.extend(self.default());
        let blocks = children.iter().filter(|child| child.block.is_some()).count();
        WrittenAttribute { directive, children, after: self.whole().into_iter().collect(), blocks }
    }

    fn is_ensure(&self) -> bool {
        self.attribute.name == "ensure" && self.attribute.is_property()
    }

    fn takes_lists(&self) -> bool {
        self.data_type.is_some_and(takes_lists)
    }

    fn takes_booleans(&self) -> bool {
        self.data_type.is_some_and(takes_booleans)
    }

    /// Returns `self.raw(:name)`, the value before conversion.
    fn raw(&self) -> Expr {
        let name = build::expr(ExprKind::Symbol(self.attribute.name.as_str().into()));
        build::method(build::expr(ExprKind::SelfRef), "raw", vec![name], None)
    }

    fn has_type(&self, value: Expr) -> Option<Expr> {
        Some(build::method(value, "is_a?", vec![self.expr.clone()?], None))
    }

    /// Returns the check of the data type. A property gets each element of a list by itself, and the library checks the whole list.
    fn checks(&self) -> Option<Directive> {
        if self.attribute.behaviour == Behaviour::ReadOnly {
            let message = format!("Attempting to set `{}` read_only attribute", self.attribute.name);
            return Some(Directive { args: vec![build::string(&message)], ..new("readonly") });
        }
        if self.is_ensure() {
            return None;
        }
        let (param, test) = if self.attribute.is_property() {
            let test = self.has_type(self.raw())?;
            ("_", if self.takes_booleans() { build::binary(BinaryOp::Or, is_boolean_symbol(self.raw()), test) } else { test })
        } else {
            ("value", self.has_type(build::name("value"))?)
        };
        let refusal = refuse(&self.wrong, None, Condition { negated: true, test });
        Some(coded("validate", build::closure(vec![ident(param)], vec![refusal])))
    }

    /// Returns the directives that convert and compare values of a property.
    fn conversions(&self) -> Vec<Directive> {
        let compared = |test: Expr| coded("insync", build::closure(vec![ident("is")], vec![test]));
        let text = |value: Expr| build::method(value, "to_s", Vec::new(), None);
        let same_text = || build::binary(BinaryOp::Equal, text(build::name("is")), text(build::name("should")));
        let same = || build::binary(BinaryOp::Equal, build::name("is"), build::name("should"));
        let first = || build::expr(ExprKind::Index(Box::new(build::name("values")), vec![build::expr(ExprKind::Int(0))]));
        if self.is_ensure() {
            // The value stays a text; the desired value is a symbol.
            let munge: Closure = build::closure(vec![ident("value")], vec![text(build::name("value"))]);
            let should = build::closure(vec![ident("values")], vec![build::method(first(), "to_sym", Vec::new(), None)]);
            return vec![
                Directive { args: vec![words::word("absent"), words::word("present")], ..new("newvalues") },
                coded("override munge", munge),
                coded("should", should),
                compared(same_text()),
            ];
        }
        let (lists, booleans) = (self.takes_lists(), self.takes_booleans());
        if !lists && !booleans {
            return Vec::new();
        }
        let mut value = first();
        for (truth, symbol) in [(false, "false"), (true, "true")].into_iter().filter(|_| booleans) {
            let test = build::binary(BinaryOp::Equal, first(), build::expr(ExprKind::Bool(truth)));
            value = choice(test, build::expr(ExprKind::Symbol(symbol.into())), value);
        }
        if lists {
            // A list is one value, also if it is empty.
            let is_list = build::method(self.raw(), "is_a?", vec![build::name("Array")], None);
            value = choice(is_list, build::name("values"), value);
        }
        let insync = match (self.data_type.is_some_and(is_boolean), booleans) {
            (true, _) => same_text(),
            (false, true) => {
                let by_text = build::binary(BinaryOp::And, same_text(), is_boolean_symbol(build::name("should")));
                build::binary(BinaryOp::Or, same(), by_text)
            }
            (false, false) => same(),
        };
        vec![coded("should", build::closure(vec![ident("values")], vec![value])), compared(insync)]
    }

    fn default(&self) -> Option<Directive> {
        let default = self.attribute.default.clone()?;
        let word = match &default.kind {
            ExprKind::Str(text) => text.plain(),
            ExprKind::Symbol(name) => Some(name.clone()),
            _ => None,
        };
        match word.filter(|_| self.is_ensure()) {
            Some(word) => Some(Directive { args: vec![words::word(&word)], ..new("defaultto") }),
            None => Some(coded("defaultto", build::closure(Vec::new(), vec![default]))),
        }
    }

    /// Returns the check of lists without elements, of which a property checks nothing.
    fn whole(&self) -> Option<Directive> {
        if !self.attribute.is_property() {
            return None;
        }
        let name = &self.attribute.name;
        let test = if self.is_ensure() {
            build::method(self.raw(), "is_a?", vec![build::name("Array")], None)
        } else {
            let is_empty = build::binary(BinaryOp::Equal, self.raw(), build::expr(ExprKind::Array(Vec::new())));
            match self.has_type(self.raw())? {
                test if self.takes_lists() => build::binary(BinaryOp::And, is_empty, build::not(test)),
                _ => is_empty,
            }
        };
        let refusal = refuse(&self.wrong, Some(name), Condition { negated: false, test });
        Some(coded("validate", build::closure(Vec::new(), vec![refusal])))
    }
}

/// Returns `[:true, :false].include?(value)`.
fn is_boolean_symbol(value: Expr) -> Expr {
    let symbols = ["true", "false"].map(|name| build::expr(ExprKind::Symbol(name.into())));
    build::method(build::expr(ExprKind::Array(symbols.into())), "include?", vec![value], None)
}

fn choice(test: Expr, then: Expr, otherwise: Expr) -> Expr {
    build::expr(ExprKind::Ternary(Box::new(test), Box::new(then), Box::new(otherwise)))
}
