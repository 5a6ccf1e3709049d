//! Lowers the body of a type: expands mixins, assigns indexes to attributes, then lowers each directive.

use super::attribute::placed;
use super::block::{Bindings, BlockKind, Bound, TypeScope};
use super::checks::is_key;
use super::directives::{Placed, arity, body, code, only_options, only_parts, option, unknown, word};
use super::functions::{collect_functions, lower_functions};
use super::names::Names;
use super::relations::{auto_relation, title_pattern};
use super::untranslated::untranslated;
use super::values::lists_false;
use super::words::{ATTRIBUTE_WORDS, TYPE_DIRECTIVES, TYPE_WORDS};
use super::{NameKind, ParentTypes, Sink};
use crate::diagnostics::{Code, Diagnostic, did_you_mean};
use crate::source::Span;
use crate::syntax::ast::{Call, Declaration, Directive, DirectiveBlock, Expr, ExprKind, FeatureDecl, Ident};
use crate::types::{AttrId, AttributeDef, FeatureDef, Program, RelationKind, Role, TitlePattern, TypeCheck, TypeDef};
use crate::value::{EcoString, Symbol, Value};
use indexmap::{IndexMap, IndexSet};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// The prelude's mixin that every type includes.
pub(super) const METAPARAMETERS: &str = "metaparameters";

/// The maximum depth of mixins that include each other.
const MAX_MIXINS: usize = 16;

/// Reserved names, which every resource has. The namevar may be called `title`.
const RESERVED: &[&str] = &["title", "provider"];

/// The declaration of an attribute before it is lowered.
struct Declared<'a> {
    name: Ident,
    role: Role,
    placed: Placed<'a>,
    ensurable: bool,
}

pub(super) fn lower_type(declaration: &Declaration, names: &Names<'_>, foreign: &ParentTypes, sink: &Sink) -> Option<TypeDef> {
    if let Some(param) = declaration.params.first() {
        sink.error(Code::WrongArity, param.name.span, "a type takes no parameters");
    }
    lower_bound(declaration, &Rc::default(), names, foreign, sink)
}

/// Binds the parameters of a kind or mixin to no value, to lower the kind or mixin alone.
pub(super) fn unbound(declaration: &Declaration) -> Bindings {
    let bound = |span| Bound { value: Value::Nil, span };
    Rc::new(declaration.params.iter().map(|p| (p.name.name.clone(), bound(p.name.span))).collect())
}

/// Lowers the body of a type, or a mixin's body as if it were a type's, with the mixin's parameters.
pub(super) fn lower_bound(
    declaration: &Declaration,
    none: &Bindings,
    names: &Names<'_>,
    foreign: &ParentTypes,
    sink: &Sink,
) -> Option<TypeDef> {
    only_options(&declaration.options, "type", sink);
    let mut scope = TypeScope { owner: declaration.name.span, ..new_scope(names, sink, false) };
    let mut directives = Vec::new();
    unfold(&scope, placed(&declaration.body, none), &mut directives, 0);
    let meta = names.mixins.get(METAPARAMETERS);
    let mut meta_directives = Vec::new();
    if let Some(mixin) = meta {
        unfold(&scope, placed(&mixin.body, &Rc::default()), &mut meta_directives, 0);
    }

    let providers: Vec<&Declaration> = names.providers_of(&declaration.name.name).collect();
    let declared = declare(&scope, &directives, &meta_directives);
    scope.has_providers = !providers.is_empty();
    scope.attribute_spans = declared.iter().map(|d| d.name.span).collect();
    scope.attributes = declared.iter().enumerate().map(|(i, d)| (Symbol::from(d.name.name.clone()), AttrId(i as u16))).collect();
    if scope.has_providers {
        scope.attributes.insert("provider".into(), AttrId(declared.len() as u16));
    }
    let (features, feature_methods) = features(&scope, &directives);
    scope.features = features.iter().map(|(name, f)| (name.text(), f.span)).collect();
    scope.falsy = falsy(&scope, &declared);
    let foreign = super::foreign::types_of(&providers, &declaration.name.name, foreign, sink);
    let methods = super::provider::collect_methods(&providers, feature_methods, &foreign, &mut scope);
    let functions = collect_functions(&mut scope, &directives);
    record_members(&scope, &providers);

    let mut attributes: Vec<AttributeDef> = Vec::with_capacity(declared.len() + usize::from(scope.has_providers));
    attributes.extend(
        declared.iter().map(|d| if d.ensurable { scope.ensurable(&d.placed) } else { scope.attribute(&d.placed, &d.name, d.role) }),
    );
    if scope.has_providers {
        attributes.push(provider_attribute(&directives, declaration.name.span));
    }

    let mut type_def = TypeDef {
        name: declaration.name.name.clone().into(),
        span: declaration.name.span,
        doc: String::new(),
        self_refresh: option(&declaration.options, "self_refresh")
            .and_then(|e| scope.literals(none).value(e))
            .is_some_and(|v| v.is_truthy()),
        isomorphic: true,
        lists_instances: true,
        applies_to_host: true,
        features,
        attributes: Vec::new(),
        by_name: scope.attributes.clone(),
        namevars: Vec::new(),
        order: Vec::new(),
        title_patterns: Vec::new(),
        checks: Vec::new(),
        autorelations: Vec::new(),
        late_finalizes: Vec::new(),
        pre_run_checks: Vec::new(),
        refresh: None,
        title: None,
        generate: None,
        canonicalize: None,
        eval_generate: None,
        purges: None,
        reads_raw: Vec::new(),
        methods,
        program: Arc::default(),
        providers: IndexMap::new(),
        foreign,
    };
    let mut own_patterns = false;
    for placed in &directives {
        type_directive(&scope, placed, &mut type_def, &mut own_patterns);
    }
    scope.check_namevars(&declaration.name.name, declaration.name.span, &attributes, &type_def.title_patterns, own_patterns);
    type_def.namevars = identity(&scope, &attributes, &type_def.title_patterns);
    type_def.order = order(&attributes, &type_def.namevars, &scope);
    type_def.attributes = attributes;
    type_def.providers = providers.iter().map(|p| scope.provider(p)).map(|p| (p.name.clone(), p)).collect();
    super::foreign::check_parents(&type_def, &providers, sink);
    type_def.program = Arc::new(Program {
        functions: lower_functions(&scope, &functions),
        attributes: scope.attributes.clone(),
        features: super::functions::features(&functions),
    });
    super::declared::check(&type_def, &providers, sink);
    // The raw values that blocks in a parent's type read are unknown here, so all raw values are kept.
    let foreign = !type_def.foreign.is_empty();
    type_def.reads_raw = if foreign { scope.attributes.values().copied().collect() } else { scope.reads_raw.take().into_iter().collect() };
    Some(type_def)
}

/// Records the attributes, features, methods and providers of a type.
fn record_members(scope: &TypeScope<'_>, providers: &[&Declaration]) {
    let member = |kind: NameKind, name: Span| scope.sink.member(scope.owner, kind, name);
    scope.attribute_spans.iter().for_each(|name| member(NameKind::Attribute, *name));
    scope.features.values().for_each(|name| member(NameKind::Feature, *name));
    scope.queries.values().chain(scope.actions.values()).for_each(|name| member(NameKind::Method, *name));
    providers.iter().for_each(|p| member(NameKind::Provider, p.name.span));
}

/// Checks a kind alone, without a type that uses the kind.
pub(super) fn check_kind(kind: &Declaration, names: &Names<'_>, sink: &Sink) {
    only_options(&kind.options, "kind", sink);
    // Directives that depend on the parameters' values are checked where the kind is used.
    let depends = ["newvalue", "newvalues", "aliasvalue", "type", "defaultto", "matches"];
    lower_kind(kind, &depends, names, sink);
}

/// Lowers the body of a kind except for some directives, without a type that uses the kind.
pub(super) fn lower_kind(kind: &Declaration, except: &[&str], names: &Names<'_>, sink: &Sink) {
    let mut scope = new_scope(names, sink, true);
    let bindings = unbound(kind);
    collect_functions(&mut scope, &[]);
    let mut attribute = TypeScope::blank(&kind.name, Role::Property);
    attribute.ensurable = true;
    let body: Vec<_> = placed(&kind.body, &bindings).into_iter().filter(|p| !except.contains(&p.directive.name.name.as_str())).collect();
    scope.attribute_body(&body, &mut attribute);
}

/// Checks a platform feature alone.
pub(super) fn check_feature(feature: &FeatureDecl, names: &Names<'_>, sink: &Sink) {
    let mut scope = new_scope(names, sink, true);
    collect_functions(&mut scope, &[]);
    let none: Bindings = Rc::default();
    if let Some(doc) = &feature.doc {
        scope.literals(&none).text(doc);
    }
    scope.code(&[], &feature.test.body, feature.test.span, BlockKind::FEATURE, &none);
}

/// Checks a mixin alone, without a type that includes the mixin.
pub(super) fn check_mixin(mixin: &Declaration, names: &Names<'_>, sink: &Sink) {
    only_options(&mixin.options, "mixin", sink);
    let scope = new_scope(names, sink, true);
    for directive in &mixin.body.directives {
        if !TYPE_DIRECTIVES.contains(&directive.name.name.as_str()) {
            unknown(directive, TYPE_DIRECTIVES, "a mixin", scope.sink);
        }
    }
}

pub(super) fn new_scope<'a>(names: &'a Names<'a>, sink: &'a Sink, open: bool) -> TypeScope<'a> {
    TypeScope {
        names,
        sink,
        owner: Span::NONE,
        attributes: Default::default(),
        open,
        falsy: IndexSet::new(),
        features: IndexMap::new(),
        attribute_spans: Vec::new(),
        functions: IndexMap::new(),
        queries: IndexMap::new(),
        actions: IndexMap::new(),
        has_providers: false,
        reads_raw: RefCell::default(),
    }
}

/// Replaces each `include` by the directives of the mixin.
fn unfold<'a>(scope: &TypeScope<'a>, directives: Vec<Placed<'a>>, out: &mut Vec<Placed<'a>>, depth: usize) {
    for placed_here in directives {
        let directive = placed_here.directive;
        if directive.name.name != "include" {
            out.push(placed_here);
            continue;
        }
        only_type_parts(directive, scope.sink);
        if depth > MAX_MIXINS {
            scope.sink.error(Code::NestingTooDeep, directive.span, "mixins that include each other without end");
            return;
        }
        if !arity(directive, 1, 1, "include NAME", scope.sink) {
            continue;
        }
        let Some(argument) = directive.args.first() else {
            continue;
        };
        let (name, span, call): (&EcoString, Span, Option<&Call>) = match &argument.kind {
            ExprKind::Word(w) => (w, argument.span, None),
            ExprKind::Call(call) => (&call.name.name, call.name.span, Some(call)),
            ExprKind::Error => continue,
            _ => {
                scope.sink.error(Code::WrongArgument, argument.span, "a mixin's name is expected here");
                continue;
            }
        };
        match scope.names.mixins.get(name.as_str()) {
            Some(mixin) => {
                scope.sink.refer(NameKind::Mixin, span, mixin.name.span);
                if scope.sink.count_values(mixin.body.directives.len() + 1, span).is_none() {
                    return;
                }
                let bindings = scope.bind(mixin, call, span, &placed_here.bindings);
                unfold(scope, placed(&mixin.body, &bindings), out, depth + 1);
            }
            None if name.starts_with(|c: char| c.is_uppercase()) => {
                scope.sink.report(Diagnostic::new(Code::Refused, span, format!("`{name}` is a module of Ruby, not a mixin of rtype")).help(
                    "its functions are built in, or can be written as `fn`; put attributes and checks that types share into a `mixin`",
                ))
            }
            None => {
                let d = Diagnostic::new(Code::UnknownName, span, format!("unknown mixin `{name}`"));
                let known = scope.names.mixins.keys().copied().filter(|n| *n != METAPARAMETERS);
                scope.sink.report(
                    d.help(
                        did_you_mean(name, known)
                            .unwrap_or_else(|| "declare it with `mixin NAME { … }`, or name its file with `use \"…\"`".into()),
                    ),
                );
            }
        }
    }
}

/// Assigns indexes to the attributes, and reports duplicate and reserved names.
fn declare<'a>(scope: &TypeScope<'_>, directives: &[Placed<'a>], meta: &[Placed<'a>]) -> Vec<Declared<'a>> {
    let mut declared: IndexMap<EcoString, Declared<'a>> = IndexMap::new();
    for (placed_here, is_meta) in directives.iter().map(|p| (p, false)).chain(meta.iter().map(|p| (p, true))) {
        let directive = placed_here.directive;
        let (role, ensurable) = match directive.name.name.as_str() {
            "newproperty" => (Role::Property, false),
            "ensurable" => (Role::Property, true),
            "newparam" if is_meta => (Role::Metaparam, false),
            "newparam" => (Role::Param, false),
            _ => continue,
        };
        let name = if ensurable {
            Ident { name: "ensure".into(), span: directive.name.span }
        } else {
            let example = format!("{} NAME {{ … }}", directive.name.name);
            if !arity(directive, 1, 1, &example, scope.sink) {
                continue;
            }
            let Some((name, span)) = directive.args.first().and_then(|a| word(a, "a name", scope.sink)) else {
                continue;
            };
            Ident { name: name.into(), span }
        };
        scope.sink.define(NameKind::Attribute, name.span);
        if let Some(first) = declared.get(&name.name) {
            if is_meta {
                shadowed(scope, first);
                continue;
            }
            scope.sink.report(
                Diagnostic::new(Code::DuplicateAttribute, name.span, format!("the attribute `{}` is declared twice", name.name))
                    .label("again here")
                    .also(first.name.span, "first declared here")
                    .help("delete one of them, or merge what they say"),
            );
            continue;
        }
        let identifies = name.name == "title" && is_marked(directive);
        if RESERVED.contains(&name.name.as_str()) && !is_meta && !identifies {
            scope.sink.report(
                Diagnostic::new(Code::ReservedAttribute, name.span, format!("`{}` is a name that every resource has already", name.name))
                    .help("give the attribute another name"),
            );
            continue;
        }
        let placed = Placed { directive, bindings: Rc::clone(&placed_here.bindings) };
        declared.insert(name.name.clone(), Declared { name, role, placed, ensurable });
    }
    declared.into_values().collect()
}

/// Returns `true` if an attribute is marked as a namevar.
fn is_marked(directive: &Directive) -> bool {
    let in_body =
        matches!(&directive.block, Some(DirectiveBlock::Body(body)) if body.directives.iter().any(|d| d.name.name == "isnamevar"));
    in_body || directive.options.iter().any(|option| option.name.name == "namevar")
}

/// Reports an attribute with the name of a metaparameter: an error for a property, a note for a parameter, which replaces the
/// metaparameter.
fn shadowed(scope: &TypeScope<'_>, own: &Declared<'_>) {
    let name = &own.name.name;
    if own.role == Role::Property {
        scope.sink.report(
            Diagnostic::new(Code::ReservedAttribute, own.name.span, format!("`{name}` is a metaparameter and cannot be a property"))
                .help("give the property another name"),
        );
    } else {
        scope.sink.report(
            Diagnostic::new(Code::MetaparameterShadowed, own.name.span, format!("the param `{name}` takes the place of the metaparameter"))
                .help("resources of this type lose the metaparameter; give the param another name unless that is meant"),
        );
    }
}

fn provider_attribute(directives: &[Placed<'_>], span: Span) -> AttributeDef {
    let mut attribute = TypeScope::blank(&Ident { name: "provider".into(), span }, Role::Param);
    attribute.doc = "The provider that reads and changes the machine for this resource.".into();
    let inner = directives.iter().filter(|p| p.directive.name.name == "provider").filter_map(|p| body(p.directive));
    attribute.namevar = inner.flat_map(|b| &b.directives).any(|d| d.name.name == "isnamevar");
    attribute
}

/// Checks `provider { isnamevar }`. Providers are declared outside the type.
fn provider_directive(directive: &Directive, of: &Symbol, scope: &TypeScope<'_>) {
    let inner = body(directive).map(|body| body.directives.as_slice()).unwrap_or_default();
    let name = directive.args.first().and_then(|name| if let ExprKind::Word(name) = &name.kind { Some(name.as_str()) } else { None });
    let other = inner.iter().find(|inner| inner.name.name != "isnamevar");
    if !directive.args.is_empty() || other.is_some() || inner.is_empty() {
        let message = "a provider is declared at the top level of a file, not inside its type";
        let help = format!("move it after the type: `provider {}, for: {of} {{ … }}`", name.unwrap_or("NAME"));
        scope.sink.report(Diagnostic::new(Code::MisplacedDirective, directive.name.span, message).help(help));
        return;
    }
    for inner in inner {
        only_parts(inner, ATTRIBUTE_WORDS, scope.sink);
        arity(inner, 0, 0, "isnamevar", scope.sink);
    }
    if !scope.has_providers {
        let message = format!("the provider cannot identify resources of `{of}`: the type has no providers");
        let help = format!("declare one: `provider NAME, for: {of} {{ … }}`");
        scope.sink.report(Diagnostic::new(Code::NotAllowedHere, directive.name.span, message).help(help));
    }
}

/// Returns a type's declared features, and the methods required by the features, with the spans of their names.
fn features(scope: &TypeScope<'_>, directives: &[Placed<'_>]) -> (IndexMap<Symbol, FeatureDef>, Vec<(Symbol, Span)>) {
    let mut features: IndexMap<Symbol, FeatureDef> = IndexMap::new();
    let mut required = Vec::new();
    for placed in directives.iter().filter(|p| p.directive.name.name == "feature") {
        let directive = placed.directive;
        if !arity(directive, 1, 2, "feature NAME, \"what it means\"", scope.sink) {
            continue;
        }
        let Some((name, span)) = directive.args.first().and_then(|a| word(a, "a feature's name", scope.sink)) else {
            continue;
        };
        let literals = scope.literals(&placed.bindings);
        let doc = directive.args.get(1).and_then(|a| literals.string(a, "a description")).unwrap_or_default().trim().to_owned();
        let methods: Vec<(Symbol, Span)> = option(&directive.options, "methods").map(|e| method_names(e, scope.sink)).unwrap_or_default();
        scope.sink.define(NameKind::Feature, span);
        if let Some(first) = features.get(name) {
            scope.sink.report(
                Diagnostic::new(Code::DuplicateItem, span, format!("the feature `{name}` is declared twice"))
                    .also(first.span, "first declared here"),
            );
            continue;
        }
        features.insert(name.into(), FeatureDef { doc, methods: methods.iter().map(|(method, _)| method.clone()).collect(), span });
        required.extend(methods);
    }
    (features, required)
}

/// Returns the names in a list of methods. Names that end with `!`, which only Ruby providers have, are strings.
fn method_names(expr: &Expr, sink: &Sink) -> Vec<(Symbol, Span)> {
    let one = |expr: &Expr| match &expr.kind {
        ExprKind::Str(text) if text.plain().is_some_and(|text| text.ends_with('!')) => {
            text.plain().map(|text| (Symbol::from(&*text), expr.span))
        }
        _ => word(expr, "a method's name", sink).map(|(name, span)| (name.into(), span)),
    };
    match &expr.kind {
        ExprKind::Array(items) => items.iter().filter_map(one).collect(),
        _ => one(expr).into_iter().collect(),
    }
}

/// Returns the attributes with `:false` among their own values or their kind's values.
fn falsy(scope: &TypeScope<'_>, declared: &[Declared<'_>]) -> IndexSet<AttrId> {
    let mut found = IndexSet::new();
    for (i, d) in declared.iter().enumerate() {
        let literals = scope.literals(&d.placed.bindings);
        let directives = body(d.placed.directive).map(|b| b.directives.as_slice()).unwrap_or_default();
        let munges = directives.iter().any(|d| d.name.name == "munge");
        let kind = option(&d.placed.directive.options, "kind").and_then(|k| match &k.kind {
            ExprKind::Word(w) => scope.names.kinds.get(w.as_str()),
            ExprKind::Call(c) => scope.names.kinds.get(c.name.name.as_str()),
            _ => None,
        });
        let of_kind = kind.is_some_and(|k| {
            k.body.directives.iter().any(|d| lists_false(d, &literals)) && !k.body.directives.iter().any(|d| d.name.name == "munge")
        });
        // A `munge` block may return a real `false`.
        if !munges && (of_kind || directives.iter().any(|d| lists_false(d, &literals))) {
            found.insert(AttrId(i as u16));
        }
    }
    found
}

fn type_directive(scope: &TypeScope<'_>, placed: &Placed<'_>, type_def: &mut TypeDef, own_patterns: &mut bool) {
    let directive = placed.directive;
    let name = directive.name.name.as_str();
    let block = |kind: BlockKind| {
        let example = format!("{name} {{ … }}");
        let closure = code(directive, &example, scope.sink)?;
        arity(directive, 0, 0, &example, scope.sink);
        Some(scope.block(closure, BlockKind { name: kind.name, ..kind }, &placed.bindings))
    };
    only_type_parts(directive, scope.sink);
    let relation = match name {
        "autorequire" => Some(RelationKind::Require),
        "autobefore" => Some(RelationKind::Before),
        "autonotify" => Some(RelationKind::Notify),
        "autosubscribe" => Some(RelationKind::Subscribe),
        _ => None,
    };
    match name {
        "newparam" | "newproperty" | "ensurable" | "feature" | "fn" => {}
        "provider" => provider_directive(directive, &type_def.name, scope),
        "const" => scope.sink.report(
            Diagnostic::new(Code::MisplacedDirective, directive.name.span, "`const` is only allowed at the top level of a file")
                .help("move it above the type"),
        ),
        "untranslated" => {
            for failing in untranslated(placed, None, scope.sink) {
                let placed = Placed { directive: &failing, bindings: Rc::clone(&placed.bindings) };
                type_directive(scope, &placed, type_def, own_patterns);
            }
        }
        "desc" => type_def.doc = scope.doc(directive, &placed.bindings),
        "title_patterns" => {
            *own_patterns = true;
            if let Some(DirectiveBlock::TitlePatterns(rows, _)) = &directive.block {
                let rows = rows.iter().filter_map(|r| title_pattern(scope, r, &placed.bindings));
                type_def.title_patterns.extend(rows);
            }
        }
        "validate" => type_def.checks.extend(block(BlockKind::TYPE_VALIDATE).map(TypeCheck::Validate)),
        "finalize" => type_def.checks.extend(block(BlockKind::FINALIZE).map(TypeCheck::Finalize)),
        "late_finalize" => type_def.late_finalizes.extend(block(BlockKind::LATE_FINALIZE)),
        "pre_run_check" => type_def.pre_run_checks.extend(block(BlockKind::PRE_RUN_CHECK)),
        "refresh" => type_def.refresh = block(BlockKind::REFRESH),
        "title" => type_def.title = block(BlockKind::TITLE),
        "canonicalize" => type_def.canonicalize = block(BlockKind::CANONICALIZE),
        "generate" => type_def.generate = block(BlockKind::GENERATE),
        "purges" => type_def.purges = block(BlockKind::PURGES),
        "eval_generate" => type_def.eval_generate = block(BlockKind::EVAL_GENERATE),
        "isomorphic" | "instances" | "apply_to" => {
            if !arity(directive, 1, 1, &format!("{name} {}", if name == "isomorphic" { "false" } else { "none" }), scope.sink) {
                return;
            }
            let Some((value, span)) = directive.args.first().and_then(|a| word(a, "a word", scope.sink)) else {
                return;
            };
            let allowed: &[&str] = match name {
                "isomorphic" => &["true", "false"],
                "instances" => &["none"],
                _ => &["host", "device", "both"],
            };
            if !allowed.contains(&value) {
                let d = Diagnostic::new(Code::WrongArgument, span, format!("`{name}` does not take `{value}`"));
                scope.sink.report(d.maybe_help(did_you_mean(value, allowed.iter().copied())));
            }
            match name {
                "isomorphic" => type_def.isomorphic = value != "false",
                "instances" => type_def.lists_instances = false,
                _ => type_def.applies_to_host = value != "device",
            }
        }
        _ => match relation {
            Some(kind) => auto_relation(scope, placed, kind, type_def),
            None => unknown(directive, TYPE_DIRECTIVES, "a type", scope.sink),
        },
    }
}

/// Reports parts of a directive that the body of a type or mixin does not allow.
fn only_type_parts(directive: &Directive, sink: &Sink) {
    let name = &directive.name.name;
    only_parts(directive, TYPE_WORDS, sink);
    if directive.is_override {
        sink.error(Code::NotAllowedHere, directive.span, format!("`override` does not go with `{name}` of a type"));
    }
}

/// Returns the attributes that make up the identity: the key parameters, or without key parameters the attributes set by title
/// patterns.
fn identity(scope: &TypeScope<'_>, attributes: &[AttributeDef], patterns: &[TitlePattern]) -> Vec<AttrId> {
    let keys: Vec<AttrId> = attributes
        .iter()
        .filter(|a| a.role == Role::Param && is_key(a))
        .filter_map(|a| scope.attributes.get(a.name.as_str()).copied())
        .collect();
    if keys.is_empty() {
        patterns.iter().flat_map(|p| p.attributes.iter().copied()).collect::<IndexSet<_>>().into_iter().collect()
    } else {
        keys
    }
}

/// Returns the order in which attributes are set. Follows Puppet's `Puppet::Type.allattrs`.
fn order(attributes: &[AttributeDef], namevars: &[AttrId], scope: &TypeScope<'_>) -> Vec<AttrId> {
    let id = |a: &AttributeDef| scope.attributes.get(a.name.as_str()).copied();
    let of = |role: Role| attributes.iter().filter(move |a| a.role == role);
    // Namevars other than the first may depend on the provider.
    let mut order: IndexSet<AttrId> = namevars.iter().take(1).copied().collect();
    order.extend(attributes.iter().filter(|a| a.name.as_str() == "provider").filter_map(id));
    order.extend(namevars);
    order.extend(of(Role::Property).filter(|a| a.name.as_str() == "ensure").filter_map(id));
    order.extend(of(Role::Property).filter_map(id));
    order.extend(of(Role::Param).filter_map(id));
    order.extend(of(Role::Metaparam).filter_map(id));
    order.into_iter().collect()
}
