//! The title patterns of a type.

use super::directive::coded;
use crate::lower::{self, build};
use crate::puppet::{LoadedFile, PuppetType};
use rtype_lang::source::Span;
use rtype_lang::syntax::ast::{Arm, Directive, Expr, ExprKind, Failing, TitlePatternRow};
use rtype_ruby::hir::{HirKind, Target};
use rtype_ruby::run::{CodeSource, PlainValue, RuntimeValue};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A row of title patterns.
pub(super) struct TitleRow {
    /// The row in the language. A row with an unknown attribute sets nothing.
    pub written: TitlePatternRow,
    /// The attributes and the functions that convert their texts.
    pub attributes: BTreeMap<String, Option<CodeSource>>,
    /// The unknown attribute, because of which Puppet refuses the titles.
    unknown: Option<String>,
}

/// Returns the title patterns of a type. The rows convert the text of an attribute in the same way.
pub(super) fn title_rows(file: &mut LoadedFile<'_>, declared: &PuppetType) -> Option<Vec<TitleRow>> {
    let class = RuntimeValue::Class(declared.class);
    let result = file.run.call_method(&class, "title_patterns", Vec::new()).ok()?;
    let names = super::names_of(file, declared);
    let patterns = file.run.list_items(&result)?;
    let rows: Vec<TitleRow> = patterns.iter().map(|pattern| title_row(file, pattern, &names)).collect::<Option<_>>()?;
    conversions(&rows).is_some().then_some(rows)
}

/// Returns the attributes that titles set, with their conversions; none if a conversion depends on the row.
pub(super) fn conversions(rows: &[TitleRow]) -> Option<BTreeMap<String, Option<CodeSource>>> {
    let mut all: BTreeMap<String, Option<CodeSource>> = BTreeMap::new();
    for (attribute, conversion) in rows.iter().filter(|row| row.unknown.is_none()).flat_map(|row| &row.attributes) {
        let is_same = match (all.get(attribute), conversion) {
            (None, _) | (Some(None), None) => true,
            (Some(Some(known)), Some(code)) => Arc::ptr_eq(&known.hir, &code.hir) && known.body == code.body,
            _ => false,
        };
        is_same.then_some(())?;
        all.insert(attribute.clone(), conversion.clone());
    }
    Some(all)
}

/// Returns a row of title patterns: `[/re/, [[:name], [:kind, conversion]]]`.
fn title_row(file: &mut LoadedFile<'_>, pattern: &RuntimeValue, names: &lower::TypeNames) -> Option<TitleRow> {
    let [regex, groups] = file.run.list_items(pattern)?.try_into().ok()?;
    let PlainValue::Regex(source, flags) = file.run.plain(&regex) else { return None };
    let (mut order, mut attributes) = (Vec::new(), BTreeMap::new());
    for group in file.run.list_items(&groups)? {
        let parts = file.run.list_items(&group).unwrap_or_else(|| vec![group.clone()]);
        let (name, conversion) = match parts.as_slice() {
            [name] => (name, None),
            [name, conversion] => (name, Some(file.run.block_source(conversion)?)),
            _ => return None,
        };
        let name = file.run.plain(name).word()?.to_owned();
        attributes.insert(name.clone(), conversion.filter(|code| !returns_argument(code)));
        order.push(name);
    }
    // Puppet ignores attributes without a group.
    let pattern = rtype_lang::value::Regex::new(&lower::regex::regex(&source, flags).0, Default::default());
    order.truncate(pattern.map_or(order.len(), |pattern| pattern.group_count()));
    let unknown = order.iter().find(|name| !names.attributes.contains(*name)).cloned();
    attributes.retain(|name, _| order.contains(name));
    let set: &[String] = if unknown.is_some() { &[] } else { &order };
    let pattern = lower::literal_of(&PlainValue::Regex(crate::ruby::with_groups(&source, set.len()).into(), flags))?;
    let written = TitlePatternRow { pattern, attributes: set.iter().map(|name| build::ident(name)).collect(), span: Span::NONE };
    Some(TitleRow { written, attributes, unknown })
}

/// Returns the check that refuses titles for which Puppet sets an unknown attribute.
pub(super) fn refusal(rows: &[TitleRow]) -> Option<Directive> {
    let last = rows.iter().rposition(|row| row.unknown.is_some())?;
    let arm = |pattern: Expr, body: Expr| Arm {
        patterns: vec![pattern],
        guard: None,
        body: build::block(vec![body]),
        braces: false,
        span: Span::NONE,
    };
    // The first row that matches decides.
    let mut arms: Vec<Arm> = rows
        .iter()
        .take(last + 1)
        .map(|row| {
            let body = match &row.unknown {
                Some(unknown) => {
                    let message = build::string(&format!("a title pattern sets `{unknown}`, which is not an attribute"));
                    ExprKind::Fail(Box::new(Failing { message, at: None, error: None }))
                }
                None => ExprKind::Nil,
            };
            arm(row.written.pattern.clone(), build::expr(body))
        })
        .collect();
    arms.push(arm(build::name("_"), build::expr(ExprKind::Nil)));
    let title = build::call("title", vec![build::expr(ExprKind::SelfRef)]);
    let body = build::expr(ExprKind::Match(Box::new(title), arms));
    Some(coded("validate", build::closure(Vec::new(), vec![body])))
}

/// Returns whether a block only returns its argument.
fn returns_argument(code: &CodeSource) -> bool {
    let Some(body) = code.hir.body(code.body) else { return false };
    let root = match body.kind(body.root) {
        HirKind::Seq(all) => match all.as_slice() {
            [only] => body.kind(*only),
            _ => return false,
        },
        root => root,
    };
    matches!((root, body.params.required.as_slice()), (HirKind::Local(read), [Target::Local(given)]) if read == given)
}
