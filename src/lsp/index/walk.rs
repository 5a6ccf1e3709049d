//! Finds the keywords of a type file, and the names in the resources of its tests. The compiler resolves all other names.

use super::blocks::Blocks;
use super::{Collector, manifest};
use rtype_lang::lower::KINDS;
use rtype_lang::source::Span;
use rtype_lang::syntax::ast::{Ast, Body, Directive, DirectiveBlock, Expr, ExprKind, FnDecl, Item, Opt, TestDecl, TestStep};
use rtype_lang::types::builtin::PLATFORM_FEATURES;
use rtype_lang::value::EcoString;

/// Visits a type file.
pub(super) fn types(names: &mut Collector<'_>, ast: &Ast) {
    for item in &ast.items {
        match item {
            Item::Type(d) => {
                options(names, "type", &d.options);
                body(names, &d.body, "types");
            }
            Item::Provider(d) => {
                options(names, "provider", &d.options);
                body(names, &d.body, "providers");
            }
            Item::Kind(d) => {
                options(names, "kind", &d.options);
                body(names, &d.body, "attributes");
            }
            Item::Mixin(d) => body(names, &d.body, "types"),
            Item::Fn(f) => function(names, f),
            Item::Const(c) => Blocks::new(names).expr(&c.value),
            Item::Feature(f) => Blocks::new(names).block(&f.test.body),
            Item::TypeAlias(a) => Blocks::new(names).data_type(&a.value),
            Item::Test(t) => test(names, t),
            Item::Use(_) | Item::Error(_) => {}
        }
    }
}

fn function(names: &mut Collector<'_>, f: &FnDecl) {
    let mut blocks = Blocks::new(names);
    f.params.iter().filter_map(|p| p.default.as_ref()).for_each(|e| blocks.expr(e));
    blocks.block(&f.body);
}

/// Returns a bare word or a string without interpolation.
pub(super) fn word(e: &Expr) -> Option<EcoString> {
    match &e.kind {
        ExprKind::Word(w) | ExprKind::Symbol(w) | ExprKind::Name(w) => Some(w.clone()),
        ExprKind::Str(s) => s.plain(),
        _ => None,
    }
}

/// Records the words in a list, or a single word, if they are built-in names of this group.
fn built_in(names: &mut Collector<'_>, e: &Expr, group: &'static str, is_known: &dyn Fn(&str) -> bool) {
    let all = if let ExprKind::Array(all) = &e.kind { all.as_slice() } else { std::slice::from_ref(e) };
    for e in all {
        if let Some(w) = word(e).filter(|w| is_known(w)) {
            names.word(names.letters(e.span), group, "", &w);
        }
    }
}

/// Records the built-in platform features in an expression.
pub(super) fn platform(names: &mut Collector<'_>, e: &Expr) {
    built_in(names, e, "platform", &|w| PLATFORM_FEATURES.contains(&w));
}

fn body(names: &mut Collector<'_>, body: &Body, place: &'static str) {
    for directive in &body.directives {
        one(names, directive, place);
    }
}

fn one(names: &mut Collector<'_>, d: &Directive, place: &'static str) {
    let name = d.name.name.as_str();
    names.word(d.name.span, "directive", place, name);
    let mut blocks = Blocks::new(names);
    match (place, name) {
        ("attributes", "type") => d.args.iter().for_each(|e| blocks.data_type(e)),
        ("attributes", "compare") => d.args.iter().for_each(|e| built_in(names, e, "comparison", &|_| true)),
        _ => d.args.iter().for_each(|e| blocks.expr(e)),
    }
    let mut blocks = Blocks::new(names);
    d.condition.iter().for_each(|condition| blocks.expr(&condition.test));
    options(names, name, &d.options);
    match &d.block {
        Some(DirectiveBlock::Body(inside)) => body(names, inside, "attributes"),
        Some(DirectiveBlock::Code(closure)) => Blocks::new(names).block(&closure.body),
        Some(DirectiveBlock::TitlePatterns(rows, _)) => rows.iter().for_each(|row| Blocks::new(names).expr(&row.pattern)),
        Some(DirectiveBlock::Fn(f)) => function(names, f),
        Some(DirectiveBlock::Const(c)) => Blocks::new(names).expr(&c.value),
        Some(DirectiveBlock::TypeAlias(a)) => Blocks::new(names).data_type(&a.value),
        None => {}
    }
}

fn options(names: &mut Collector<'_>, of: &str, options: &[Opt]) {
    for Opt { name, value } in options {
        names.word(name.span, "option", of, &name.name);
        match (of, name.name.as_str()) {
            (_, "kind") => kind(names, value),
            ("confine" | "defaultfor" | "notdefaultfor", "feature") => platform(names, value),
            _ => Blocks::new(names).expr(value),
        }
    }
}

/// Records the name and options of a built-in kind.
fn kind(names: &mut Collector<'_>, value: &Expr) {
    let is_known = |w: &str| KINDS.iter().any(|k| k.name == w);
    let ExprKind::Call(call) = &value.kind else { return built_in(names, value, "kind", &is_known) };
    if is_known(&call.name.name) {
        names.word(call.name.span, "kind", "", &call.name.name);
    }
    for option in &call.named {
        names.word(option.name.span, "option", &call.name.name, &option.name.name);
    }
    call.args.iter().chain(call.named.iter().map(|o| &o.value)).for_each(|a| Blocks::new(names).expr(a));
}

fn test(names: &mut Collector<'_>, t: &TestDecl) {
    let keyword = |names: &mut Collector<'_>, span: Span, word: &str| {
        names.word(Span::new(span.start, span.start + word.len() as u32), "test", "", word);
    };
    for step in &t.steps {
        match step {
            TestStep::Setup(word, e) => {
                names.word(word.span, "test", "", &word.name);
                given(names, &word.name, e);
            }
            TestStep::Also(statements, _) => manifest::statements(names, statements),
            TestStep::Declare(declaration) => manifest::resource(names, declaration),
            TestStep::Expect(e, span) => {
                keyword(names, *span, "expect");
                Blocks::of_test(names).expr(e);
            }
            TestStep::Rejects(_, message, span) => {
                keyword(names, *span, "rejects");
                message.iter().for_each(|e| Blocks::of_test(names).expr(e));
            }
        }
    }
}

/// Visits the value of a test step. The keys in `features { root: true }` are platform features.
fn given(names: &mut Collector<'_>, step: &str, e: &Expr) {
    let ExprKind::Map(pairs) = &e.kind else { return Blocks::of_test(names).expr(e) };
    for (key, value) in pairs {
        if step == "features" {
            platform(names, key);
        }
        Blocks::of_test(names).expr(value);
    }
}
