//! Converts a manifest's syntax tree to declarations.

use super::declared::{
    AllDefaults, Builder, Declarations, Declared, DeclaredValue, Edge, EdgeKind, TypeDefaults, bad_title, count, is_relationship,
    type_symbol,
};
use super::parts::PartSpans;
use super::puppet_value::PuppetReader;
use indexmap::IndexMap;
use rtype_lang::diagnostics::{Code, Diagnostic, attribute_twice};
use rtype_lang::eval::World;
use rtype_lang::source::Span;
use rtype_lang::syntax::ast::{
    Arrow, AttributeDecl, ChainOperand, DefaultsDecl, Manifest, PuppetExpr, PuppetValue, ResourceBody, ResourceDecl, Statement,
};
use rtype_lang::value::{EcoString, ResourceRef, Symbol, Value};
use std::collections::HashMap;
use std::sync::Arc;

type Attributes = IndexMap<EcoString, DeclaredValue>;

/// Returns a manifest's declarations. Reports all errors and keeps the usable declarations.
pub fn from_manifest(manifest: &Manifest, world: &dyn World) -> (Declarations, Vec<Diagnostic>) {
    from_statements(&manifest.statements, world)
}

/// Returns the declarations in statements, such as a `test` block's body.
pub fn from_statements(statements: &[Statement], world: &dyn World) -> (Declarations, Vec<Diagnostic>) {
    from_statements_after(statements, world, &AllDefaults::new())
}

/// Returns the declarations in statements. Defaults from `earlier` sources also apply, unless the statements declare the same defaults.
pub(super) fn from_statements_after(statements: &[Statement], world: &dyn World, earlier: &AllDefaults) -> (Declarations, Vec<Diagnostic>) {
    let mut lowering = Lowering {
        builder: Builder::default(),
        reader: PuppetReader::new(world),
        defaults: AllDefaults::new(),
        default_counts: HashMap::new(),
    };
    // `File { … }` applies to the whole source, regardless of its position.
    for statement in statements {
        if let Statement::Defaults(defaults) = statement {
            lowering.defaults(defaults);
        }
    }
    lowering.builder.found.defaults = lowering.defaults.clone();
    for (type_name, defaults) in earlier {
        let known = lowering.defaults.entry(type_name.clone()).or_insert_with(|| defaults.clone());
        for (name, value) in &defaults.attributes {
            known.attributes.entry(name.clone()).or_insert_with(|| value.clone());
        }
    }
    lowering.default_counts = lowering.defaults.iter().map(|(name, given)| (name.clone(), count_all(&given.attributes))).collect();
    for statement in statements {
        match statement {
            Statement::Resource(decl) => {
                lowering.resource(decl);
            }
            Statement::Chain(operands, arrows, _) => lowering.chain(operands, arrows),
            Statement::Defaults(_) | Statement::Uncompiled(..) | Statement::Error(_) => {}
        }
    }
    let Lowering { mut builder, reader, .. } = lowering;
    builder.found.secrets = reader.secrets;
    let (found, mut diagnostics) = builder.finish();
    diagnostics.extend(reader.diagnostics.into_vec());
    diagnostics.sort_by_key(Diagnostic::span);
    (found, diagnostics)
}

struct Lowering<'a> {
    builder: Builder,
    reader: PuppetReader<'a>,
    defaults: AllDefaults,
    /// The number of values in each type's defaults.
    default_counts: HashMap<Symbol, usize>,
}

impl Lowering<'_> {
    fn defaults(&mut self, decl: &DefaultsDecl) {
        let Some(type_name) = type_symbol(&decl.type_name.name) else { return };
        let mut given = self.attributes(&decl.attributes);
        given.values_mut().for_each(|g| g.is_default = true);
        let type_span = decl.type_name.span;
        let known = self.defaults.entry(type_name).or_insert_with(|| TypeDefaults { type_span, attributes: Attributes::new() });
        let known = &mut known.attributes;
        for (name, value) in given {
            match known.get(&name) {
                Some(first) => self.builder.report(
                    attribute_twice(&name, value.name_span, first.name_span).help("a type's default for an attribute is declared once"),
                ),
                None => {
                    known.insert(name, value);
                }
            }
        }
    }

    /// Adds the resources from a declaration and returns their references.
    fn resource(&mut self, decl: &ResourceDecl) -> Vec<ResourceRef> {
        if decl.type_name.name == "class" {
            self.builder.report(
                Diagnostic::new(Code::NeedsCompiler, decl.type_name.span, "declaring a class needs Puppet's compiler")
                    .help("compile with Puppet and hand over the catalog: `puppet catalog compile --render-as json`"),
            );
            return Vec::new();
        }
        // The parser accepts only valid type names here.
        let Some(type_name) = type_symbol(&decl.type_name.name) else { return Vec::new() };

        let shared = self.default_body(decl);
        let inherited = count_all(&shared) + self.default_counts.get(&type_name).copied().unwrap_or_default();
        let mut names = Vec::new();
        for body in decl.bodies.iter().filter(|b| !is_default(b)) {
            let attributes = self.attributes(&body.attributes);
            let Some(titles) = self.reader.titles(std::slice::from_ref(&body.title)) else { continue };
            let copied = inherited + if titles.len() > 1 { count_all(&attributes) } else { 0 };
            for (title, title_span) in titles {
                if !self.builder.copy(copied, body.span) {
                    return names;
                }
                let declared = Declared {
                    attributes: self.complete(&type_name, &attributes, &shared),
                    type_name: type_name.clone(),
                    type_span: decl.type_name.span,
                    title,
                    title_span,
                    is_title_computed: false,
                    span: body.span,
                };
                names.push(declared.reference());
                self.builder.add(declared);
            }
        }
        names
    }

    /// Returns the attributes from the `default:` body.
    fn default_body(&mut self, decl: &ResourceDecl) -> Attributes {
        let mut bodies = decl.bodies.iter().filter(|b| is_default(b));
        let Some(first) = bodies.next() else { return Attributes::new() };
        for again in bodies {
            self.builder.report(
                bad_title(again.title.span, "`default` is used twice in one declaration")
                    .label("used again here")
                    .also(first.title.span, "first used here")
                    .help("put all defaults into one body"),
            );
        }
        let mut shared = self.attributes(&first.attributes);
        shared.values_mut().for_each(|g| g.is_default = true);
        shared
    }

    /// Returns a resource's attributes: the resource's own first, then attributes from the `default:` body, then the type's defaults.
    fn complete(&self, type_name: &Symbol, own: &Attributes, shared: &Attributes) -> Attributes {
        let mut all = own.clone();
        let defaults = self.defaults.get(type_name).map(|defaults| &defaults.attributes);
        for (name, given) in shared.iter().chain(defaults.into_iter().flatten()) {
            all.entry(name.clone()).or_insert_with(|| given.clone());
        }
        // `undef` overrides a default; afterwards it can be dropped.
        all.retain(|_, given| !given.value.is_nil());
        all
    }

    /// Returns the attributes in a body, including attributes set to `undef`.
    fn attributes(&mut self, decls: &[AttributeDecl]) -> Attributes {
        let mut all = Attributes::new();
        for decl in decls {
            if decl.name.name == "*" {
                self.splat(decl, &mut all);
            } else if let Some(value) = self.reader.value(&decl.value) {
                // `[File['/a', '/b'], User['x']]` is a nested list.
                let value = if is_relationship(&decl.name.name) { flat(value) } else { value };
                let deferred = value.has_unknown().then(|| self.reader.rich(&decl.value).map(Arc::new)).flatten();
                let parts = PartSpans::of_expr(&decl.value).map(Arc::new);
                let given = DeclaredValue { deferred, parts, ..DeclaredValue::new(value, decl.value.span, decl.name.span) };
                self.give(&mut all, decl.name.name.clone(), given);
            }
        }
        all
    }

    /// Expands `* => { … }`.
    fn splat(&mut self, decl: &AttributeDecl, all: &mut Attributes) {
        // The pairs in a literal hash keep their own spans.
        if let PuppetValue::Hash(pairs) = &decl.value.kind {
            for (key, value) in pairs {
                let (Some(name), Some(given)) = (self.reader.value(key), self.reader.value(value)) else { continue };
                let parts = PartSpans::of_expr(value).map(Arc::new);
                self.give_named(all, &name, DeclaredValue { parts, ..DeclaredValue::new(given, value.span, key.span) });
            }
            return;
        }
        match self.reader.value(&decl.value) {
            Some(Value::Map(map)) => {
                for (name, value) in map.iter() {
                    self.give_named(all, name, DeclaredValue::new(value.clone(), decl.value.span, decl.name.span));
                }
            }
            Some(Value::Nil) | None => {}
            Some(other) => self.builder.report(
                Diagnostic::new(Code::InvalidValue, decl.value.span, format!("`*` takes a hash of attributes, not {}", other.kind_name()))
                    .help("write `* => { name => value }`"),
            ),
        }
    }

    fn give_named(&mut self, all: &mut Attributes, name: &Value, given: DeclaredValue) {
        match name.as_text() {
            Some(text) => self.give(all, text.into(), given),
            None => self.builder.report(
                Diagnostic::new(Code::InvalidValue, given.name_span, format!("an attribute's name is a string, not {}", name.kind_name()))
                    .help("write the name as a word or in quotes"),
            ),
        }
    }

    fn give(&mut self, all: &mut Attributes, name: EcoString, given: DeclaredValue) {
        match all.get(&name) {
            Some(first) => self.builder.report(attribute_twice(&name, given.name_span, first.name_span)),
            None => {
                all.insert(name, given);
            }
        }
    }

    fn chain(&mut self, operands: &[ChainOperand], arrows: &[(Arrow, Span)]) {
        let ends: Vec<_> = operands.iter().map(|operand| self.operand(operand)).collect();
        for (pair, (arrow, span)) in ends.windows(2).zip(arrows) {
            let [left, right] = pair else { continue };
            let (kind, first, second) = match arrow {
                Arrow::Before => (EdgeKind::Before, left, right),
                Arrow::Notify => (EdgeKind::Notify, left, right),
                Arrow::Require => (EdgeKind::Before, right, left),
                Arrow::Subscribe => (EdgeKind::Notify, right, left),
            };
            for from in first {
                if !self.builder.copy(second.len(), *span) {
                    return;
                }
                for to in second {
                    self.builder.found.edges.push(Edge { kind, from: from.clone(), to: to.clone(), span: *span });
                }
            }
        }
    }

    fn operand(&mut self, operand: &ChainOperand) -> Vec<ResourceRef> {
        match operand {
            ChainOperand::Resource(decl) => self.resource(decl),
            ChainOperand::References(expr) => {
                let mut names = Vec::new();
                self.references(expr, &mut names);
                names
            }
        }
    }

    fn references(&mut self, expr: &PuppetExpr, names: &mut Vec<ResourceRef>) {
        match &expr.kind {
            PuppetValue::Reference(name, titles) => names.extend(self.reader.references(name, titles).unwrap_or_default()),
            PuppetValue::Array(items) => items.iter().for_each(|item| self.references(item, names)),
            PuppetValue::Error => {}
            _ => self.builder.report(
                Diagnostic::new(Code::InvalidValue, expr.span, "an arrow must be between resources")
                    .help("write references such as `File['/a'] -> Service['b']`"),
            ),
        }
    }
}

fn flat(value: Value) -> Value {
    fn collect(value: &Value, all: &mut Vec<Value>) {
        match value.as_array() {
            Some(items) => items.iter().for_each(|item| collect(item, all)),
            None => all.push(value.clone()),
        }
    }
    if !value.as_array().is_some_and(|items| items.iter().any(|i| i.as_array().is_some())) {
        return value;
    }
    let mut all = Vec::new();
    collect(&value, &mut all);
    Value::array(all)
}

/// Counts the values in attributes.
fn count_all(attributes: &Attributes) -> usize {
    attributes.values().map(|given| count(&given.value)).sum()
}

fn is_default(body: &ResourceBody) -> bool {
    matches!(body.title.kind, PuppetValue::Default)
}
