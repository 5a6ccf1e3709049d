//! Determines the parts of types that the tests reach.

use crate::check::blocks::{BlockRole, blocks};
use indexmap::IndexMap;
use rtype_lang::diagnostics::printable;
use rtype_lang::eval::Coverage;
use rtype_lang::source::{SourceMap, Span};
use rtype_lang::types::{AttributeDef, Matcher, Node, Op, Role, TypeDef, ValueStep};
use rtype_lang::value::Symbol;
use serde_json::{Value as Json, json};
use std::fmt::Write;
use std::sync::Arc;

/// An unreached part of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreached {
    /// The type.
    pub type_name: Symbol,
    /// The kind of part: `value`, `branch`, `failure` and so on.
    pub kind: &'static str,
    /// A description of the missing test.
    pub message: String,
    /// The location.
    pub span: Span,
}

/// The number of reached parts in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FileCoverage {
    /// The number of reached parts.
    pub reached: usize,
    /// The number of all parts.
    pub total: usize,
}

/// The coverage of a test run.
#[derive(Clone, Debug, Default)]
pub struct CoverageReport {
    /// Counts by file.
    pub files: IndexMap<String, FileCoverage>,
    /// The unreached parts, by location.
    pub unreached: Vec<Unreached>,
}

impl CoverageReport {
    /// Compares the parts of types with the reached parts. Only parts in the types' own files count, not the standard library or shared
    /// files.
    pub(super) fn new(types: &[Arc<TypeDef>], reached: &Coverage, sources: &SourceMap) -> CoverageReport {
        let file_of = |span: Span| sources.find(span).map(|s| s.name().to_owned());
        let mut report = CoverageReport::default();
        for type_def in types {
            report.files.extend(file_of(type_def.span).map(|name| (name, FileCoverage::default())));
        }
        let mut parts: IndexMap<Span, Unreached> = IndexMap::new();
        for part in types.iter().flat_map(|t| parts_of(t)) {
            parts.entry(part.span).or_insert(part);
        }
        for (span, part) in parts {
            let Some(counts) = file_of(span).and_then(|name| report.files.get_mut(&name)) else { continue };
            counts.total += 1;
            if reached.has_reached(span) {
                counts.reached += 1;
            } else {
                report.unreached.push(part);
            }
        }
        report.unreached.sort_by_key(|part| part.span);
        report
    }

    /// Returns the counts of all files together.
    pub fn total(&self) -> FileCoverage {
        let sum = |a: FileCoverage, b: &FileCoverage| FileCoverage { reached: a.reached + b.reached, total: a.total + b.total };
        self.files.values().fold(FileCoverage::default(), sum)
    }

    /// Formats the unreached parts and a summary.
    pub fn text(&self, sources: &SourceMap) -> String {
        let mut out = String::new();
        // Parts inside an unreached block or branch are counted, but not listed.
        let mut outer = Span::NONE;
        for part in &self.unreached {
            if !outer.is_none() && outer.contains(part.span) {
                continue;
            }
            outer = part.span;
            let location = sources.locate(part.span).unwrap_or_default();
            let _ = writeln!(out, "{}: {}", printable(&location), printable(&part.message));
        }
        let all = self.total();
        let _ = writeln!(out, "coverage: {} ({} of {})", all.percentage(), all.reached, all.total);
        out
    }

    /// Formats the coverage as JSON.
    pub fn json(&self, sources: &SourceMap) -> Json {
        let counts = |c: &FileCoverage| json!({"percent": c.percent(), "reached": c.reached, "total": c.total});
        let unreached = self.unreached.iter().map(|part| {
            json!({
                "type": part.type_name.as_str(),
                "kind": part.kind,
                "message": part.message,
                "place": sources.locate(part.span),
            })
        });
        let files: serde_json::Map<_, _> = self.files.iter().map(|(name, c)| (name.clone(), counts(c))).collect();
        let all = self.total();
        json!({
            "percent": all.percent(),
            "reached": all.reached,
            "total": all.total,
            "files": files,
            "unreached": unreached.collect::<Vec<_>>(),
        })
    }
}

impl FileCoverage {
    /// Returns the reached share in percent, rounded down to tenths; 100 without parts.
    pub fn percent(self) -> f64 {
        let tenths = (self.reached * 1000).checked_div(self.total).unwrap_or(1000);
        f64::from(u32::try_from(tenths).unwrap_or(1000)) / 10.0
    }

    fn percentage(self) -> String {
        format!("{:.1}%", self.percent())
    }
}

/// Returns the parts of a type that tests can reach.
fn parts_of(type_def: &TypeDef) -> Vec<Unreached> {
    let mut parts = Parts { type_name: &type_def.name, all: Vec::new() };
    for attribute in type_def.attributes.iter().filter(|a| a.role != Role::Metaparam) {
        parts.attribute(attribute);
    }
    for pattern in &type_def.title_patterns {
        parts.add("title", pattern.span, format!("no test has a title that matches `{}`", pattern.regex));
    }
    for relation in &type_def.autorelations {
        let message = format!("no test expects `auto{}` of `{}`", relation.kind.metaparameter(), relation.target);
        parts.add("relation", relation.target_span, message);
    }
    let runs_on_machines = |role| matches!(role, BlockRole::Sync | BlockRole::Value(_) | BlockRole::Refresh | BlockRole::Confine);
    for block in blocks(type_def).into_iter().filter(|b| !runs_on_machines(b.role) && !b.code.inner.action) {
        let what = if block.role == BlockRole::Function { "function" } else { "block" };
        // The relation itself is reported.
        if block.role != BlockRole::Relation {
            parts.add("block", block.code.inner.span, format!("no test runs this {what}"));
        }
        block.code.inner.body.walk(&mut |node| parts.branches(node));
    }
    parts.all
}

struct Parts<'a> {
    type_name: &'a Symbol,
    all: Vec<Unreached>,
}

impl Parts<'_> {
    fn add(&mut self, kind: &'static str, span: Span, message: String) {
        self.all.push(Unreached { type_name: self.type_name.clone(), kind, message, span });
    }

    fn attribute(&mut self, attribute: &AttributeDef) {
        let name = &attribute.name;
        // `ensurable` lists its values without locations.
        for value in attribute.values.values.iter().filter(|v| !v.span.is_none() && !attribute.ensurable) {
            let message = match &value.matcher {
                Matcher::Literal(literal) => format!("no test sets `{name}` to `{literal}`"),
                Matcher::Regex(regex) => format!("no test sets `{name}` to a value that matches `{regex}`"),
            };
            self.add("value", value.span, message);
        }
        for alias in &attribute.values.aliases {
            self.add("value", alias.name_span, format!("no test sets `{name}` to the alias `{}`", alias.name));
        }
        for step in &attribute.validate.steps {
            if let ValueStep::Matches(matches) = step {
                self.add("failure", matches.span, format!("no test has a value of `{name}` that is rejected here"));
            }
        }
    }

    fn branches(&mut self, node: &Node) {
        let mut branch = |body: &Node, what: &str| {
            // The failure itself is reported instead.
            if !matches!(body.op, Op::Fail(..)) {
                self.add("branch", body.span, format!("no test reaches this {what}"));
            }
        };
        match &node.op {
            Op::If(branches, otherwise) => {
                branches.iter().for_each(|(_, body)| branch(body, "branch"));
                otherwise.iter().for_each(|body| branch(body, "`else` branch"));
            }
            Op::Match(_, arms) => arms.iter().for_each(|arm| branch(&arm.body, "arm")),
            Op::Try(_, handler) => branch(&handler.body, "`else` branch"),
            Op::Fail(..) => self.add("failure", node.span, "no test causes this failure".to_owned()),
            _ => {}
        }
    }
}
