//! Checks of manifests that are not compiled: the declared resources, with the values that do not depend on variables, and the classes
//! and defined types that the checked files define.

mod compare;
#[cfg(feature = "compile")]
mod data;
mod data_files;
mod definition;
mod facts;
mod modules;
mod names;
#[cfg(not(feature = "compile"))]
mod no_data;
mod scope;
mod settings;
#[cfg(feature = "compile")]
mod typed;
mod value;

#[cfg(feature = "compile")]
pub use data::check_data;
pub use data_files::{DataAnalysis, DataPlace, Hierarchies};
pub use definition::KnownDefinitions;
pub use facts::facts_in;
#[cfg(not(feature = "compile"))]
pub use no_data::check_data;

use modules::Modules;
use names::Names;
use scope::Variables;

use crate::syntax::tree::{
    AttributeOperation, Expression, ExpressionKind, FunctionCall, ResourceExpression, ResourceForm, ResourceInstance,
};
use crate::syntax::{Parsed, visit};
use ecow::EcoString;
use indexmap::IndexMap;
use rtype_lang::diagnostics::{Diagnostic, Redactions};
use rtype_lang::library::TypeSet;
use rtype_lang::source::{Source, Span};
use rtype_lang::types::TypeDef;
use rtype_lang::value::{ResourceRef, Symbol, Value};
use rtype_model::manifest::{CopyLimit, Declarations, Declared, DeclaredValue, count, declared_twice, is_relationship, suspects};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The resources of a manifest.
pub struct Analysis {
    /// The declared resources in the order of the source. Values that depend on variables, functions or facts are [`Value::Unknown`].
    pub declarations: Declarations,
    /// Mistakes in declarations of classes and defined types.
    pub diagnostics: Vec<Diagnostic>,
    /// The number of titles and attribute values that are unknown.
    pub computed: usize,
    /// The number of values that were not compared with the data type of their parameter, because the type is not known.
    pub untyped: usize,
    /// Counts calls of functions that no module on the module path defines.
    pub unknown_calls: usize,
}

/// Returns the resources that a manifest declares anywhere: in classes, conditions and lambdas.
pub fn analyse(source: &Source, parsed: &Parsed, types: &TypeSet, definitions: &mut KnownDefinitions) -> Analysis {
    let secrets = suspects(source);
    let checked = definitions.modules();
    let modules = Modules::of(source, types, &checked);
    let mut walk = Walk {
        modules: &modules,
        source,
        types,
        definitions,
        secrets,
        defaulted: HashSet::new(),
        resources: Vec::new(),
        set: Vec::new(),
        computed: 0,
        copies: CopyLimit::default(),
        diagnostics: Vec::new(),
        untyped: 0,
        unknown_calls: 0,
    };
    let expressions = all_expressions(parsed);
    for expression in &expressions {
        walk.note_defaults(expression);
    }
    for expression in &expressions {
        if let ExpressionKind::Resource(resource) = &expression.kind {
            names(resource).for_each(|name| walk.definitions.search(&name, walk.modules));
        }
    }
    for expression in &expressions {
        if let ExpressionKind::Resource(resource) = &expression.kind {
            walk.resource(resource);
        }
    }
    walk.body(&parsed.tree.statements);
    for expression in &expressions {
        match &expression.kind {
            ExpressionKind::Definition(definition) => walk.body(definition.body.as_deref().unwrap_or_default()),
            ExpressionKind::Node(node) => walk.body(node.body.as_deref().unwrap_or_default()),
            _ => {}
        }
    }
    // After a syntax error a part of the statements is missing.
    if !parsed.diagnostics.iter().any(Diagnostic::is_error) {
        walk.program(parsed, &expressions);
    }
    walk.finish(parsed)
}

/// Returns all expressions, in the order of the source.
fn all_expressions(parsed: &Parsed) -> Vec<&Expression> {
    let mut open: Vec<&Expression> = parsed.tree.statements.iter().collect();
    let mut found = Vec::new();
    while let Some(expression) = open.pop() {
        found.push(expression);
        visit::children(expression, &mut |child| open.push(child));
    }
    found.sort_by_key(|expression| expression.span.start);
    found
}

/// Returns the names of the class or defined type that a declaration may be of.
fn names(resource: &ResourceExpression) -> impl Iterator<Item = EcoString> {
    let plain = |name: &str| EcoString::from(name.strip_prefix("::").unwrap_or(name));
    let is_class = matches!(&resource.kind.kind, ExpressionKind::Name(name) if name == "class");
    let title = |body: &ResourceInstance| match &body.title.kind {
        ExpressionKind::Text(title) | ExpressionKind::Name(title) if is_class => Some(plain(title)),
        _ => None,
    };
    let own = match &resource.kind.kind {
        ExpressionKind::Name(name) if !is_class => Some(plain(name)),
        _ => None,
    };
    own.into_iter().chain(resource.bodies.iter().filter_map(title).collect::<Vec<_>>())
}

/// Makes the provider of a resource unknown if the type does not have it, and a module that may define it was not found.
fn hide_unread_provider(declared: &mut Declared, types: &TypeSet, modules: &Modules<'_>) -> bool {
    let Some(given) = declared.attributes.get_mut("provider") else { return false };
    let Some(name) = given.value.as_text().map(EcoString::from) else { return false };
    let is_unread = |type_def: &TypeDef| !type_def.providers.contains_key(name.as_str()) && modules.lacks_dependencies();
    let hides = types.load(declared.type_name.as_str()).is_some_and(|type_def| is_unread(&type_def));
    if hides {
        given.value = Value::Unknown;
    }
    hides
}

/// Returns whether a call declares resources that are computed.
fn declares(call: &FunctionCall) -> bool {
    let functions = ["create_resources", "ensure_resource", "ensure_resources", "ensure_packages", "stdlib::ensure_packages"];
    matches!(&call.function.kind, ExpressionKind::Name(name) if functions.contains(&name.trim_start_matches("::")))
}

struct Walk<'w> {
    modules: &'w Modules<'w>,
    source: &'w Source,
    types: &'w TypeSet,
    definitions: &'w mut KnownDefinitions,
    secrets: Redactions,
    /// The attributes of types for which the file has resource defaults: `File { owner => root }`.
    defaulted: HashSet<(Symbol, EcoString)>,
    resources: Vec<Declared>,
    /// The attributes that defaults, overrides and collectors set, as resources.
    set: Vec<Declared>,
    /// The number of values in `set`, and of resources, that are not known.
    computed: usize,
    copies: CopyLimit,
    diagnostics: Vec<Diagnostic>,
    untyped: usize,
    unknown_calls: usize,
}

impl Walk<'_> {
    fn note_defaults(&mut self, expression: &Expression) {
        let ExpressionKind::Defaults(defaults) = &expression.kind else { return };
        let ExpressionKind::TypeName(name) = &defaults.target.kind else { return };
        let type_name = Symbol::from(name.to_lowercase());
        // Attributes that the type does not have are reported once, where the default is.
        let type_def = self.types.load(type_name.as_str());
        let is_known = |name: &str| type_def.as_ref().is_none_or(|type_def| type_def.id_declared_as(name).is_some());
        let names = defaults.attributes.iter().filter_map(|attribute| attribute.name.as_ref()).filter(|name| is_known(&name.text));
        self.defaulted.extend(names.map(|name| (type_name.clone(), name.text.clone())));
    }

    fn resource(&mut self, resource: &ResourceExpression) {
        let ExpressionKind::Name(name) = &resource.kind.kind else {
            // The type is computed: `Resource[$type] { … }`.
            self.computed += resource.bodies.len();
            return;
        };
        let name = name.strip_prefix("::").unwrap_or(name);
        let shared = resource.bodies.iter().find(|body| matches!(body.title.kind, ExpressionKind::Default));
        for body in resource.bodies.iter().filter(|body| !matches!(body.title.kind, ExpressionKind::Default)) {
            let attributes = self.attributes(name, body, shared);
            let titles = self.titles(&body.title);
            let copied = titles.len().saturating_sub(1) * attributes.values().map(|given| count(&given.value)).sum::<usize>();
            let inherited = attributes.values().filter(|given| given.is_default).count();
            if !self.copies.add(copied + inherited) {
                self.diagnostics.extend(self.copies.exceeded_at(body.span));
                return;
            }
            for (title, title_span, is_title_computed) in titles {
                let declared = Declared {
                    type_name: Symbol::from(name),
                    type_span: resource.kind.span,
                    title,
                    title_span,
                    is_title_computed,
                    attributes: attributes.clone(),
                    span: body.span,
                };
                self.resources.push(declared);
            }
        }
    }

    /// Checks statements that run together.
    fn body(&mut self, body: &[Expression]) {
        self.repeated(body);
        self.diagnostics.extend(names::declared_after_include(body));
    }

    /// Checks variables, facts, names of classes and files, and conditions.
    fn program(&mut self, parsed: &Parsed, expressions: &[&Expression]) {
        let mut names = Names { definitions: self.definitions, modules: self.modules, found: Vec::new(), undeclared: HashSet::new() };
        expressions.iter().for_each(|expression| names.expression(expression));
        self.diagnostics.extend(names.found);
        let mut facts = std::mem::take(&mut self.definitions.facts);
        let mut variables = Variables::new(self.definitions, self.modules, &mut facts);
        variables.file(&parsed.tree.statements);
        self.diagnostics.extend(variables.found);
        self.definitions.facts = facts;
        #[cfg(feature = "compile")]
        {
            let typed = typed::check(expressions, self.definitions, self.modules, &self.secrets);
            self.diagnostics.extend(typed.found);
            self.untyped += typed.untyped;
            self.unknown_calls += typed.unknown_calls;
        }
        for expression in expressions {
            self.settings(expression);
            match &expression.kind {
                ExpressionKind::Call(call) if declares(call) => self.computed += 1,
                ExpressionKind::Binary(binary) => self.diagnostics.extend(compare::comparison(expression, binary)),
                ExpressionKind::Case(case) => self.diagnostics.extend(compare::repeated_options(case)),
                _ => {}
            }
        }
    }

    /// Reports resources that the statements of one body, which run together, declare twice.
    fn repeated(&mut self, body: &[Expression]) {
        let mut seen: HashMap<(EcoString, EcoString), Span> = HashMap::new();
        for statement in body {
            let ExpressionKind::Resource(resource) = &statement.kind else { continue };
            let ExpressionKind::Name(name) = &resource.kind.kind else { continue };
            let bodies = resource.bodies.iter().filter(|_| resource.form == ResourceForm::Regular);
            let titles: Vec<_> = bodies.flat_map(|body| self.titles(&body.title)).collect();
            for (title, span, _) in titles.into_iter().filter(|(_, _, is_computed)| !is_computed) {
                let key = (EcoString::from(name.strip_prefix("::").unwrap_or(name)), title);
                match seen.get(&key) {
                    Some(first) => {
                        let reference = ResourceRef { type_name: Symbol::from(key.0.as_str()), title: key.1 };
                        self.diagnostics.push(declared_twice(&reference, span, *first));
                    }
                    None => _ = seen.insert(key, span),
                }
            }
        }
    }

    /// Returns the titles of a body with their locations, and whether each is computed.
    fn titles(&self, title: &Expression) -> Vec<(EcoString, Span, bool)> {
        let titles = match &title.kind {
            ExpressionKind::Array(titles) => titles.as_slice(),
            _ => std::slice::from_ref(title),
        };
        let one = |title: &Expression| match value::value(title, &self.secrets) {
            Value::Str(text) if !text.is_empty() => (text, title.span, false),
            _ => (EcoString::from(self.source.slice(title.span)), title.span, true),
        };
        titles.iter().map(one).collect()
    }

    /// Returns the attributes of a body, of the `default` body of the same declaration, and unknown values for what resource defaults and `* =>` may set.
    fn attributes(
        &self,
        type_name: &str,
        body: &ResourceInstance,
        shared: Option<&ResourceInstance>,
    ) -> IndexMap<EcoString, DeclaredValue> {
        let mut all = IndexMap::new();
        let mut is_complete = true;
        for (attribute, is_default) in
            body.attributes.iter().map(|a| (a, false)).chain(shared.into_iter().flat_map(|body| body.attributes.iter().map(|a| (a, true))))
        {
            is_complete &= self.attribute(attribute, is_default, &mut all);
        }
        let unknown = |span: Span| DeclaredValue { is_default: true, ..DeclaredValue::new(Value::Unknown, span, span) };
        let defaulted = self.defaulted.iter().filter(|(of, _)| of.as_str() == type_name);
        defaulted.for_each(|(_, name)| _ = all.entry(name.clone()).or_insert_with(|| unknown(body.span)));
        if !is_complete {
            let type_def = self.types.load(type_name);
            let attributes = type_def.iter().flat_map(|type_def| type_def.attributes.iter().map(|a| EcoString::from(a.name.as_str())));
            for name in attributes.chain(self.definitions.parameters(type_name).cloned()) {
                all.entry(name).or_insert_with(|| unknown(body.span));
            }
        }
        // An attribute of a native type is not set. A parameter without a default has the value `undef`, if its type allows that.
        if type_name != "class" && !self.definitions.has(type_name) {
            all.retain(|_, given| !given.value.is_nil());
        }
        all
    }

    /// Adds an attribute; returns `false` if the names of the attributes are computed.
    fn attribute(&self, attribute: &AttributeOperation, is_default: bool, all: &mut IndexMap<EcoString, DeclaredValue>) -> bool {
        let expression = &attribute.value;
        let Some(name) = &attribute.name else {
            let ExpressionKind::Hash(entries) = &expression.kind else { return false };
            return entries.iter().fold(true, |is_complete, entry| match value::value(&entry.key, &self.secrets) {
                Value::Str(name) => {
                    self.give(all, name, entry.key.span, &entry.value, is_default);
                    is_complete
                }
                _ => false,
            });
        };
        self.give(all, name.text.clone(), name.span, expression, is_default);
        true
    }

    fn give(
        &self,
        all: &mut IndexMap<EcoString, DeclaredValue>,
        name: EcoString,
        name_span: Span,
        expression: &Expression,
        is_default: bool,
    ) {
        let given = match &*name {
            name if is_relationship(name) => value::references(expression, &self.secrets),
            _ => value::value(expression, &self.secrets),
        };
        let parts = value::parts(expression).map(Arc::new);
        let given = DeclaredValue { parts, is_default, ..DeclaredValue::new(given, expression.span, name_span) };
        all.entry(name).or_insert(given);
    }

    fn finish(mut self, parsed: &Parsed) -> Analysis {
        let (defined, resources): (Vec<_>, Vec<_>) = self
            .resources
            .into_iter()
            .partition(|declared| declared.type_name == "class" || self.definitions.has(declared.type_name.as_str()));
        for declared in &defined {
            self.diagnostics.extend(self.definitions.check(declared));
        }
        let (mut resources, mut set) = (resources, self.set);
        let (types, modules) = (self.types, self.modules);
        resources.iter_mut().for_each(|declared| _ = hide_unread_provider(declared, types, modules));
        self.computed += set.iter_mut().filter_map(|declared| hide_unread_provider(declared, types, modules).then_some(())).count();
        let unknown = |declared: &Declared| {
            declared.attributes.values().filter(|given| given.value.has_unknown()).count() + usize::from(declared.is_title_computed)
        };
        let computed = self.computed + resources.iter().map(unknown).sum::<usize>();
        let resources = resources.into_iter().chain(set).collect();
        let comments =
            parsed.tokens.comments.iter().map(|comment| self.source.span_of(comment.start as usize..comment.end as usize)).collect();
        let declarations = Declarations { resources, comments, secrets: self.secrets, is_program: true, ..Declarations::default() };
        Analysis { declarations, diagnostics: self.diagnostics, computed, untyped: self.untyped, unknown_calls: self.unknown_calls }
    }
}
