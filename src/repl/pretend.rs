//! `:is Type[title] { ensure: present, … }`: sets a current state that replaces the machine's.

use super::answer::Answer;
use super::backend::ReplSession;
use super::commands::{Arguments, one};
use crate::app::lexer::{ResourceTokenKind as Kind, lex};
use rtype_author::pretend::{Stated, state_of};
use rtype_lang::diagnostics::{Code, Diagnostic};
use rtype_lang::source::{Source, SourceMap, Span};
use rtype_lang::syntax::ast::{Expr, ExprKind, Item, Statement, TestStep, UnaryOp};
use rtype_lang::syntax::{parse_manifest, parse_types};
use rtype_lang::value::{Map, Value};
use rtype_model::manifest::PuppetReader;
use std::sync::Arc;

/// Runs `:is`.
pub(super) fn run(backend: &mut ReplSession, arguments: &Arguments<'_>, answer: &mut Answer) {
    let (head, body) = match arguments.text.find('{') {
        Some(at) => (arguments.text.get(..at).unwrap_or_default().trim(), arguments.text.get(at..)),
        None => (arguments.text, None),
    };
    let (head, off) = match head.strip_suffix("off") {
        Some(rest) if body.is_none() && (rest.is_empty() || rest.ends_with([' ', ']'])) => (rest.trim(), true),
        _ => (head, false),
    };
    let named = Arguments { text: head, at: arguments.at, span: Span::new(arguments.at, arguments.at + head.len() as u32) };
    let Some(reference) = one(backend, &named, answer) else { return };
    let Some(instance) = backend.built(&reference) else { return };
    if off {
        backend.pretended.shift_remove(&reference);
        return backend.show(&[reference], answer);
    }
    let Some(body) = body else {
        let help = format!("write the state in braces: `:is {reference} {{ ensure: present }}`, or `:is {reference} off`");
        return answer.wrong(arguments.span, "no state is given", help);
    };
    let at = arguments.at + (arguments.text.len() - body.len()) as u32;
    let (stated, found) = parse(body, at, backend);
    let mut failed = found.iter().any(Diagnostic::is_error);
    answer.report(found);
    let state = state_of(&instance.type_def, &reference, stated, &backend.types.secrets);
    failed |= !state.diagnostics.is_empty();
    answer.report(state.diagnostics);
    if !failed {
        backend.pretended.insert(reference.clone(), state.value);
        backend.show(&[reference], answer);
    }
}

/// Parses `{…}` in rtype's syntax, or in Puppet's syntax if the body contains an arrow.
fn parse(body: &str, at: u32, backend: &ReplSession) -> (Vec<Stated>, Vec<Diagnostic>) {
    let is_puppet = lex(body).iter().any(|t| t.kind == Kind::Arrow);
    // The body is parsed inside a wrapper; locations are then mapped back to the input.
    let (before, inner, after) = match is_puppet {
        true => ("x { 'x': ", body.strip_prefix('{').unwrap_or(body), ""),
        false => ("test \"x\" {\nis ", body, "\n}"),
    };
    let scratch = SourceMap::new();
    let Ok(source) = scratch.add("is", format!("{before}{inner}{after}")) else { return (Vec::new(), Vec::new()) };
    let skipped = (body.len() - inner.len()) as u32;
    let place = |span: Span| {
        let shift = |n: u32| {
            let offset = n.saturating_sub(source.base() + before.len() as u32);
            at + skipped + offset.min(inner.len() as u32)
        };
        if span.is_none() { span } else { Span::new(shift(span.start), shift(span.end)) }
    };
    let (stated, mut found) = if is_puppet { puppet(&source, backend) } else { rtype(&source) };
    for d in &mut found {
        d.labels.iter_mut().for_each(|l| l.span = place(l.span));
    }
    let moved = |s: Stated| Stated { name_span: place(s.name_span), value_span: place(s.value_span), ..s };
    (stated.into_iter().map(moved).collect(), found)
}

fn puppet(source: &Source, backend: &ReplSession) -> (Vec<Stated>, Vec<Diagnostic>) {
    let (manifest, mut found) = parse_manifest(source);
    let mut reader = PuppetReader::new(&backend.machine);
    let mut stated = Vec::new();
    for statement in &manifest.statements {
        let Statement::Resource(resource) = statement else { continue };
        for attribute in resource.bodies.iter().flat_map(|b| &b.attributes) {
            let Some(value) = reader.value(&attribute.value) else { continue };
            stated.push(Stated {
                name: attribute.name.name.clone(),
                name_span: attribute.name.span,
                value,
                value_span: attribute.value.span,
            });
        }
    }
    found.extend(reader.diagnostics.into_vec());
    (stated, found)
}

fn rtype(source: &Source) -> (Vec<Stated>, Vec<Diagnostic>) {
    let (ast, mut found) = parse_types(source);
    let mut stated = Vec::new();
    // After syntax errors, further errors in the rest of the body are not helpful.
    let is_sound = found.is_empty();
    for item in &ast.items {
        let Item::Test(test) = item else { continue };
        for step in &test.steps {
            let TestStep::Setup(_, Expr { kind: ExprKind::Map(pairs), .. }) = step else { continue };
            for (key, value) in pairs {
                let (Some(name), Some(read)) = (literal(key), literal(value)) else {
                    if !is_sound {
                        continue;
                    }
                    found.push(
                        Diagnostic::new(Code::NotAllowedHere, value.span, "expected a literal value")
                            .help("write `text`, `\"text\"`, `12`, `true`, `[a, b]` or `{k: v}`"),
                    );
                    continue;
                };
                stated.push(Stated { name: name.to_text(), name_span: key.span, value: read, value_span: value.span });
            }
        }
    }
    (stated, found)
}

/// Returns the value of a literal. Bare words count as symbols.
fn literal(expr: &Expr) -> Option<Value> {
    Some(match &expr.kind {
        ExprKind::Nil => Value::sym("absent"),
        ExprKind::Bool(b) => Value::Bool(*b),
        ExprKind::Int(n) => Value::Int(*n),
        ExprKind::Float(n) => Value::Float(*n),
        ExprKind::Str(s) => Value::Str(s.plain()?),
        ExprKind::Symbol(s) | ExprKind::Word(s) | ExprKind::Name(s) => Value::sym(s.clone()),
        ExprKind::Words(words) => Value::array(words.iter().map(|w| Value::str(w.clone()))),
        ExprKind::Array(items) => Value::array(items.iter().map(literal).collect::<Option<Vec<_>>>()?),
        ExprKind::Map(pairs) => {
            let pairs = pairs.iter().map(|(k, v)| Some((Value::Str(literal(k)?.to_text()), literal(v)?)));
            Value::Map(Arc::new(pairs.collect::<Option<Map>>()?))
        }
        ExprKind::Paren(inner) => literal(inner)?,
        ExprKind::Unary(UnaryOp::Minus, inner) => match literal(inner)? {
            Value::Int(n) => Value::Int(n.checked_neg()?),
            Value::Float(n) => Value::Float(-n),
            _ => return None,
        },
        _ => return None,
    })
}
