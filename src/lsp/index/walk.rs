//! Indexes the names of declarations and directives.

use super::blocks::Blocks;
use super::{Collector, Name, Owner, manifest};
use rtype_lang::syntax::ast::{
    Ast, Body, ConstDecl, Declaration, Directive, DirectiveBlock, Expr, ExprKind, FnDecl, Item, Opt, TestDecl, TestStep, TypeAliasDecl,
};
use rtype_lang::value::EcoString;

/// The context of a visit.
#[derive(Clone, Debug)]
pub(super) struct Scope {
    pub owner: Owner,
    /// The attribute whose body is visited.
    pub attribute: Option<EcoString>,
    /// Whether a test's resource may also contain expected results.
    pub test: bool,
}

impl Scope {
    fn of(owner: Owner) -> Scope {
        Scope { owner, attribute: None, test: false }
    }

    /// Returns the type, where there is one.
    pub fn type_name(&self) -> EcoString {
        match &self.owner {
            Owner::Type(name) => name.clone(),
            _ => EcoString::new(),
        }
    }
}

/// Visits a type file.
pub(super) fn types(names: &mut Collector<'_>, ast: &Ast) {
    for item in &ast.items {
        match item {
            Item::Use(used) => names.uses(names.letters(used.path_span), Name::File(used.path.clone())),
            Item::Type(d) => {
                names.declares(d.name.span, Name::Type(d.name.name.clone()));
                let scope = Scope::of(Owner::Type(d.name.name.clone()));
                options(names, "type", &d.options, &scope);
                body(names, &d.body, "types", &scope);
            }
            Item::Provider(d) => provider(names, d),
            Item::Kind(d) => {
                names.declares(d.name.span, Name::Kind(d.name.name.clone()));
                let scope = Scope::of(Owner::Kind(d.name.name.clone()));
                options(names, "kind", &d.options, &scope);
                let scope = Scope { attribute: Some(d.name.name.clone()), ..scope };
                body(names, &d.body, "attributes", &scope);
            }
            Item::Mixin(d) => {
                names.declares(d.name.span, Name::Mixin(d.name.name.clone()));
                let scope = Scope::of(Owner::Mixin(d.name.name.clone()));
                body(names, &d.body, "types", &scope);
            }
            Item::Fn(f) => function(names, f, None, &Scope::of(Owner::None)),
            Item::Const(c) => constant(names, c),
            Item::Feature(f) => {
                names.declares(f.test.name.span, Name::Platform(f.test.name.name.clone()));
                Blocks::new(names, &Scope::of(Owner::None)).block(&f.test.body);
            }
            Item::TypeAlias(a) => alias(names, a),
            Item::Test(t) => test(names, t),
            Item::Error(_) => {}
        }
    }
}

fn constant(names: &mut Collector<'_>, c: &ConstDecl) {
    names.declares(c.name.span, Name::Constant(c.name.name.clone()));
    Blocks::new(names, &Scope::of(Owner::None)).expr(&c.value);
}

fn alias(names: &mut Collector<'_>, a: &TypeAliasDecl) {
    names.declares(a.name.span, Name::Alias(a.name.name.clone()));
    Blocks::new(names, &Scope::of(Owner::None)).data_type(&a.value);
}

fn function(names: &mut Collector<'_>, f: &FnDecl, within: Option<EcoString>, scope: &Scope) {
    names.declares(f.name.span, Name::Function(within, f.name.name.clone()));
    let mut blocks = Blocks::new(names, scope);
    f.params.iter().filter_map(|p| p.default.as_ref()).for_each(|e| blocks.expr(e));
    blocks.block(&f.body);
}

fn provider(names: &mut Collector<'_>, d: &Declaration) {
    let target = d.options.iter().find(|o| o.name.name == "for").and_then(|o| word(&o.value)).unwrap_or_default();
    names.declares(d.name.span, Name::Provider(target.clone(), d.name.name.clone()));
    let scope = Scope::of(Owner::Type(target));
    options(names, "provider", &d.options, &scope);
    body(names, &d.body, "providers", &scope);
}

/// A bare word or a text without interpolation.
pub(super) fn word(e: &Expr) -> Option<EcoString> {
    match &e.kind {
        ExprKind::Word(w) | ExprKind::Symbol(w) | ExprKind::Name(w) => Some(w.clone()),
        ExprKind::Str(s) => s.plain(),
        ExprKind::Bool(b) => Some(if *b { "true".into() } else { "false".into() }),
        _ => None,
    }
}

/// Returns the words of a list, or the one word.
fn words(e: &Expr) -> Vec<(EcoString, &Expr)> {
    match &e.kind {
        ExprKind::Array(all) => all.iter().filter_map(|e| Some((word(e)?, e))).collect(),
        _ => word(e).map(|w| (w, e)).into_iter().collect(),
    }
}

fn body(names: &mut Collector<'_>, body: &Body, place: &'static str, scope: &Scope) {
    for directive in &body.directives {
        one(names, directive, place, scope);
    }
}

fn one(names: &mut Collector<'_>, d: &Directive, place: &'static str, scope: &Scope) {
    let name = d.name.name.as_str();
    names.word(d.name.span, "directive", place, name);
    let mut inner = scope.clone();
    let mut body_place = "attributes";
    let owner = || scope.owner.clone();
    let type_name = scope.type_name();
    let mut rest = d.args.as_slice();
    match (place, name) {
        ("types", "newparam" | "newproperty") => {
            if let Some((first, more)) = rest.split_first() {
                rest = more;
                if let Some(attribute) = word(first) {
                    names.declares(names.letters(first.span), Name::Attribute(owner(), attribute.clone()));
                    inner.attribute = Some(attribute);
                }
            }
        }
        ("types", "ensurable") => {
            // The word declares the property `ensure`.
            names.declares(d.name.span, Name::Attribute(owner(), "ensure".into()));
            inner.attribute = Some("ensure".into());
        }
        ("types", "provider") => inner.attribute = Some("provider".into()),
        ("types", "feature") => {
            if let Some((first, more)) = rest.split_first()
                && let Some(feature) = word(first)
            {
                rest = more;
                names.declares(names.letters(first.span), Name::Feature(type_name.clone(), feature));
            }
        }
        ("types", "autorequire" | "autobefore" | "autonotify" | "autosubscribe") => {
            for (target, e) in rest.iter().flat_map(words) {
                names.uses(names.letters(e.span), Name::Type(target));
            }
            rest = &[];
        }
        ("types", "include") => {
            for e in rest {
                match &e.kind {
                    ExprKind::Call(call) => {
                        names.uses(call.name.span, Name::Mixin(call.name.name.clone()));
                        let mut blocks = Blocks::new(names, scope);
                        call.args.iter().chain(call.named.iter().map(|o| &o.value)).for_each(|a| blocks.argument(a));
                    }
                    _ => words(e).into_iter().for_each(|(w, e)| names.uses(names.letters(e.span), Name::Mixin(w))),
                }
            }
            rest = &[];
        }
        ("attributes", "newvalue" | "newvalues") => {
            let attribute = scope.attribute.clone().unwrap_or_default();
            for (value, e) in rest.iter().flat_map(words) {
                names.declares(names.letters(e.span), Name::Value(owner(), attribute.clone(), value));
            }
        }
        ("attributes", "aliasvalue") => {
            let attribute = scope.attribute.clone().unwrap_or_default();
            if let [alias, value] = rest {
                for (e, declares) in [(alias, true), (value, false)] {
                    let Some(w) = word(e) else { continue };
                    let name = Name::Value(owner(), attribute.clone(), w);
                    if declares { names.declares(names.letters(e.span), name) } else { names.uses(names.letters(e.span), name) }
                }
            }
        }
        ("attributes", "defaultto") => {
            let attribute = scope.attribute.clone().unwrap_or_default();
            for (value, e) in rest.iter().flat_map(words) {
                names.uses(names.letters(e.span), Name::Value(owner(), attribute.clone(), value));
            }
        }
        ("attributes", "type") => {
            let mut blocks = Blocks::new(names, scope);
            rest.iter().for_each(|e| blocks.data_type(e));
            rest = &[];
        }
        ("attributes", "compare") => {
            for (w, e) in rest.iter().flat_map(words) {
                names.word(e.span, "comparison", "", &w);
            }
        }
        ("providers", "has_feature" | "has_features") => {
            for (w, e) in rest.iter().flat_map(words) {
                names.uses(names.letters(e.span), Name::Feature(type_name.clone(), w));
            }
        }
        ("providers", "queries" | "actions") => {
            for (w, e) in rest.iter().flat_map(words) {
                names.declares(names.letters(e.span), Name::Method(type_name.clone(), w));
            }
        }
        ("providers", setting) if !rtype_lang::lower::PROVIDER_WORDS.iter().any(|w| w.name == setting) => {
            names.declares(d.name.span, Name::Method(type_name.clone(), setting.into()));
        }
        _ => {}
    }
    let mut blocks = Blocks::new(names, scope);
    rest.iter().for_each(|e| blocks.argument(e));
    if let Some(condition) = &d.condition {
        blocks.expr(&condition.test);
    }
    options(names, name, &d.options, scope);
    match &d.block {
        Some(DirectiveBlock::Body(inside)) => {
            if place == "attributes" {
                body_place = place;
            }
            body(names, inside, body_place, &inner);
        }
        Some(DirectiveBlock::Code(closure)) => Blocks::new(names, scope).closure(closure),
        Some(DirectiveBlock::TitlePatterns(rows, _)) => {
            for row in rows {
                Blocks::new(names, scope).expr(&row.pattern);
                for attribute in &row.attributes {
                    names.uses(attribute.span, Name::Attribute(owner(), attribute.name.clone()));
                }
            }
        }
        Some(DirectiveBlock::Fn(f)) => {
            let within = match &scope.owner {
                Owner::Type(name) | Owner::Mixin(name) => Some(name.clone()),
                _ => None,
            };
            function(names, f, within, scope);
        }
        Some(DirectiveBlock::Const(c)) => constant(names, c),
        Some(DirectiveBlock::TypeAlias(a)) => alias(names, a),
        None => {}
    }
}

fn options(names: &mut Collector<'_>, of: &str, options: &[Opt], scope: &Scope) {
    for Opt { name, value } in options {
        names.word(name.span, "option", of, &name.name);
        let letters = |names: &Collector<'_>, e: &Expr| names.letters(e.span);
        let type_name = scope.type_name();
        match (of, name.name.as_str()) {
            (_, "kind") => match &value.kind {
                ExprKind::Call(call) => {
                    names.uses(call.name.span, Name::Kind(call.name.name.clone()));
                    for option in &call.named {
                        names.word(option.name.span, "option", &call.name.name, &option.name.name);
                        match word(&option.value).filter(|_| option.name.name == "membership") {
                            Some(w) => names.uses(letters(names, &option.value), Name::Attribute(scope.owner.clone(), w)),
                            None => Blocks::new(names, scope).argument(&option.value),
                        }
                    }
                    call.args.iter().for_each(|a| Blocks::new(names, scope).argument(a));
                }
                _ => words(value).into_iter().for_each(|(w, e)| names.uses(letters(names, e), Name::Kind(w))),
            },
            (_, "required_features") => {
                words(value).into_iter().for_each(|(w, e)| names.uses(letters(names, e), Name::Feature(type_name.clone(), w)));
            }
            ("feature", "methods") => {
                words(value).into_iter().for_each(|(w, e)| names.declares(letters(names, e), Name::Method(type_name.clone(), w)));
            }
            ("provider", "for") => words(value).into_iter().for_each(|(w, e)| names.uses(letters(names, e), Name::Type(w))),
            ("provider", "parent" | "source") => words(value).into_iter().for_each(|(w, e)| {
                let (of, name) = w.split_once('/').map_or((type_name.clone(), w.clone()), |(t, n)| (t.into(), n.into()));
                names.uses(letters(names, e), Name::Provider(of, name));
            }),
            ("confine" | "defaultfor" | "notdefaultfor", "feature") => {
                words(value).into_iter().for_each(|(w, e)| names.uses(letters(names, e), Name::Platform(w)));
            }
            _ => Blocks::new(names, scope).argument(value),
        }
    }
}

fn test(names: &mut Collector<'_>, t: &TestDecl) {
    let declared = t.steps.iter().find_map(|s| if let TestStep::Declare(r) = s { Some(r.type_name.name.clone()) } else { None });
    let owner = declared.map_or(Owner::None, Owner::Type);
    let scope = Scope { test: true, ..Scope::of(owner.clone()) };
    for step in &t.steps {
        match step {
            TestStep::Setup(word, e) => {
                names.word(word.span, "test", "", &word.name);
                given(names, &word.name, e, &scope);
            }
            TestStep::Also(statements, _) => manifest::statements(names, statements),
            TestStep::Declare(declaration) => manifest::resource(names, declaration),
            TestStep::Expect(e, span) => {
                names.word(rtype_lang::source::Span::new(span.start, span.start + 6), "test", "", "expect");
                Blocks::new(names, &scope).expr(e);
            }
            TestStep::Rejects(attribute, message, span) => {
                names.word(rtype_lang::source::Span::new(span.start, span.start + 7), "test", "", "rejects");
                if let Some(attribute) = attribute {
                    names.uses(attribute.span, Name::Attribute(owner.clone(), attribute.name.clone()));
                }
                message.iter().for_each(|e| Blocks::new(names, &scope).expr(e));
            }
        }
    }
}

/// `is { ensure: :present }` names properties, `answers { m: 1 }` methods, `features { root: true }` the platform's.
fn given(names: &mut Collector<'_>, step: &str, e: &Expr, scope: &Scope) {
    if let ExprKind::Map(pairs) = &e.kind {
        for (key, value) in pairs {
            if let ExprKind::Symbol(w) = &key.kind {
                // `key:` includes the colon.
                let mut span = names.letters(key.span);
                if names.source.slice(span).ends_with(':') {
                    span.end -= 1;
                }
                match step {
                    "is" => names.uses(span, Name::Attribute(scope.owner.clone(), w.clone())),
                    "answers" => names.uses(span, Name::Method(scope.type_name(), w.clone())),
                    "features" => names.uses(span, Name::Platform(w.clone())),
                    _ => {}
                }
            }
            Blocks::new(names, scope).expr(value);
        }
    } else {
        Blocks::new(names, scope).expr(e);
    }
}
