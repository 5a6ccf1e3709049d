//! Turns diagnostics into findings: selected, not suppressed, without duplicates, sorted.

use super::limits::{CheckLimits, ComputedValues};
use super::suppress::{Structure, Suppression, suppressions};
use super::{Input, LeftOut, Root, Selection, is_ignorable};
use foldhash::quality::FixedState;
use indexmap::{IndexMap, IndexSet};
use rtype_lang::diagnostics::{Brief, Code, Diagnostic, RunFindings, Severity, Tally};
use rtype_lang::library::{Loaded, TypeSet, is_ruby};
use rtype_lang::redact::Redactor;
use rtype_lang::source::{SourceMap, Span};
use rtype_lang::syntax::ast::{Ast, Directive, DirectiveBlock, Item};
use rtype_model::manifest::Declarations;
use sha2::{Digest, Sha256};
use std::collections::{HashMap, HashSet};
use std::hash::BuildHasher;
use std::path::Path;

/// A diagnostic in the result of a run.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The diagnostic, with its severity in this run.
    pub diagnostic: Diagnostic,
    /// Identifies the finding within a run and is stable when lines move: 32 hexadecimal digits, a digest of the code, the file, the
    /// enclosing item and the finding's source text.
    pub fingerprint: String,
    /// The enclosing item: `type door/newproperty port`, `File[/etc/motd]`; empty at the top level of a file.
    pub item: String,
    /// The span of the outermost enclosing item, such as a type or a resource; [`Span::NONE`] at the top level of a file.
    pub scope: Span,
}

/// The result of a run.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    /// Reported findings, sorted by file, location and code.
    pub findings: Vec<Finding>,
    /// Findings suppressed by a comment, with the reason given there.
    pub suppressed: Vec<(Finding, Option<String>)>,
    /// Names of the checked files, in the order given.
    pub files: Vec<String>,
    /// Findings that are counted but not kept.
    pub counted: Vec<Counted>,
    /// Findings dropped by [`Checked::limit`].
    pub not_shown: Tally,
    /// Number of suppressed findings dropped by [`Checked::limit`].
    pub suppressed_not_shown: usize,
    /// Parts of Ruby files that were not checked, once [`Checked::take_limits`] has counted them.
    pub limits: CheckLimits,
    /// Titles and values in manifests that were not checked, because only a compiler can compute them.
    pub computed: ComputedValues,
    /// Files and directories that were not checked.
    pub left_out: Vec<LeftOut>,
}

/// A finding that is counted but not kept.
#[derive(Clone, Copy, Debug)]
pub struct Counted {
    pub(super) code: Code,
    pub(super) severity: Severity,
    pub(super) span: Span,
    fingerprint: u128,
}

impl Counted {
    pub(super) fn fingerprint(&self) -> String {
        hexadecimal(self.fingerprint)
    }
}

impl Checked {
    /// Returns the result with secrets redacted.
    #[must_use]
    pub(super) fn redacted(&self, redactor: &Redactor) -> Checked {
        let redacted = |finding: &Finding| Finding { diagnostic: finding.diagnostic.clone().redacted(redactor), ..finding.clone() };
        Checked {
            findings: self.findings.iter().map(redacted).collect(),
            suppressed: self.suppressed.iter().map(|(finding, why)| (redacted(finding), why.clone())).collect(),
            ..self.clone()
        }
    }

    /// Returns the number of findings with a severity.
    pub fn count(&self, severity: Severity) -> usize {
        let shown = self.shown().filter(|d| d.severity == severity).count();
        shown + self.counted.iter().filter(|c| c.severity == severity).count() + self.not_shown.of(severity)
    }

    /// Returns the number of findings per severity, including those that are not shown.
    pub fn tally(&self, sources: &SourceMap) -> Tally {
        let mut tally = self.not_shown.clone();
        self.shown().for_each(|d| tally.add(d, sources));
        self.counted.iter().for_each(|c| tally.add_at(c.severity, c.span, sources));
        tally
    }

    /// Adds a finding about the whole run, without a location in a file.
    pub fn add(&mut self, diagnostic: Diagnostic) {
        let fingerprint = hexadecimal(digest(&[diagnostic.code.info().id, &diagnostic.message]));
        self.findings.insert(0, Finding { diagnostic, fingerprint, item: String::new(), scope: Span::NONE });
    }

    /// Returns the findings that are shown, except the finding with the number of dropped findings.
    fn shown(&self) -> impl Iterator<Item = &Diagnostic> {
        self.findings.iter().map(|f| &f.diagnostic).filter(|d| d.code != Code::MoreFindings)
    }

    /// Keeps at most `most` findings, the most severe and earliest ones, and adds one with the number of dropped findings.
    /// Suppressed findings are limited separately.
    pub fn limit(&mut self, most: usize, sources: &SourceMap) {
        self.suppressed_not_shown += self.suppressed.len().saturating_sub(most);
        self.suppressed.truncate(most);
        if self.findings.len() <= most && self.counted.is_empty() {
            return;
        }
        let mut kept: Vec<usize> = (0..self.findings.len()).collect();
        kept.sort_by_key(|i| std::cmp::Reverse(self.findings.get(*i).map(|f| f.diagnostic.severity)));
        kept.truncate(most);
        let kept: IndexSet<usize> = kept.into_iter().collect();
        let mut left_out = Tally::default();
        let mut i = 0;
        self.findings.retain(|finding| {
            let keep = kept.contains(&i);
            i += 1;
            if !keep {
                left_out.add(&finding.diagnostic, sources);
            }
            keep
        });
        std::mem::take(&mut self.counted).iter().for_each(|c| left_out.add_at(c.severity, c.span, sources));
        let diagnostic = Diagnostic::not_shown(&left_out);
        let fingerprint = hexadecimal(digest(&[diagnostic.code.info().id]));
        self.findings.push(Finding { diagnostic, fingerprint, item: String::new(), scope: Span::NONE });
        self.not_shown = left_out;
    }
}

/// Filters out unselected findings and findings that comments suppress. `asts` contains the type files and `declared` the declarations
/// in other files, both by start offset.
pub(super) fn finish(
    inputs: &[Input],
    asts: &IndexMap<u32, &Loaded>,
    declared: &IndexMap<u32, &Declarations>,
    found: RunFindings,
    types: &TypeSet,
    selection: &Selection,
) -> Checked {
    let sources = &types.sources;
    let (mut found, mut brief) = found.into_parts();
    let mut silencers: IndexMap<u32, Vec<Suppression>> = IndexMap::new();
    for input in inputs {
        let base = input.source().base();
        let structure = match (asts.get(&base), declared.get(&base)) {
            (Some(loaded), _) => Structure::Types(loaded.ast()),
            (None, Some(declarations)) => Structure::Resources(declarations),
            (None, None) => continue,
        };
        let (list, wrong) = suppressions(input.source(), structure);
        found.extend(wrong);
        silencers.insert(base, list);
    }
    // Rules run on whole types. Findings in files outside this run are left to the runs that check them.
    let checked: IndexSet<&str> = inputs.iter().map(|i| i.source().name()).collect();
    let is_asked_for =
        |code: Code, span: Span| super::rule(code).is_none() || sources.find(span).is_some_and(|s| checked.contains(s.name()));
    found.retain(|d| is_asked_for(d.code, d.span()));
    brief.retain(|b| is_asked_for(b.code, b.span));
    found.sort_by(|a, b| (a.span(), a.code, &a.message).cmp(&(b.span(), b.code, &b.message)));
    // A file that another one uses is read twice; its errors are reported once.
    let mut seen: HashSet<u64> = HashSet::new();
    let name = |span: Span| sources.find(span).map_or("", |s| s.name());
    let mut is_new = |b: Brief| seen.insert(FixedState::default().hash_one((sources.locate(b.span), b.code, b.message)));
    found.retain(|d| selection.tells_in(d.code, name(d.span())) && is_new(Brief::from(d)));
    brief.retain(|b| selection.tells_in(b.code, name(b.span)) && is_new(*b));
    let mut result = Checked { files: inputs.iter().map(|i| i.source().name().to_owned()).collect(), ..Checked::default() };
    let mut prints = Fingerprints { root: &selection.root, declared, seen: HashMap::new() };
    for mut diagnostic in found {
        if let Some(declarations) = sources.find(diagnostic.span()).and_then(|s| declared.get(&s.base())) {
            declarations.trace(&mut diagnostic);
        }
        let finding = prints.finding(selection.weigh(diagnostic), asts, types);
        let span = finding.diagnostic.span();
        let list = sources.find(span).and_then(|s| silencers.get_mut(&s.base()));
        let silencer = list.and_then(|l| l.iter_mut().find(|s| s.silences(finding.diagnostic.code, span)));
        match silencer.filter(|_| is_ignorable(finding.diagnostic.code)) {
            Some(silencer) => {
                silencer.used.insert(finding.diagnostic.code);
                result.suppressed.push((finding, silencer.reason.clone()));
            }
            None => result.findings.push(finding),
        }
    }
    for Brief { span, code, severity, .. } in brief {
        let severity = selection.weight(code).unwrap_or(severity);
        let (_, _, fingerprint) = prints.of(code, span, asts, types);
        let list = sources.find(span).and_then(|s| silencers.get_mut(&s.base()));
        let silencer = list.and_then(|l| l.iter_mut().find(|s| s.silences(code, span))).filter(|_| is_ignorable(code));
        match silencer {
            Some(silencer) => {
                silencer.used.insert(code);
                result.suppressed_not_shown += 1;
            }
            None => result.counted.push(Counted { code, severity, span, fingerprint }),
        }
    }
    for suppression in silencers.values().flatten() {
        for diagnostic in suppression.complaints(&|code| selection.tells(code)) {
            if selection.tells_in(diagnostic.code, name(diagnostic.span())) {
                result.findings.push(prints.finding(selection.weigh(diagnostic), asts, types));
            }
        }
    }
    for (finding, _) in &mut result.suppressed {
        finding.diagnostic = finding.diagnostic.clone().at_origin(sources);
    }
    for finding in &mut result.findings {
        finding.diagnostic = finding.diagnostic.clone().at_origin(sources);
    }
    keep_of_modules(inputs, sources, &mut result);
    // The more specific rule takes precedence over the error of the type, unless it is suppressed.
    let all = result.findings.iter().map(|f| (f.diagnostic.code, f.diagnostic.span()));
    let all = all.chain(result.counted.iter().map(|c| (c.code, c.span)));
    let superseded: HashSet<(Code, Span)> = all
        .flat_map(|(code, span)| super::rule(code).into_iter().flat_map(move |r| r.supersedes.iter().map(move |c| (*c, span))))
        .collect();
    result.findings.retain(|f| !superseded.contains(&(f.diagnostic.code, f.diagnostic.span())));
    result.counted.retain(|c| !superseded.contains(&(c.code, c.span)));
    result.findings.sort_by(|a, b| order(&a.diagnostic).cmp(&order(&b.diagnostic)));
    result
}

/// Drops findings in the Ruby of other modules, and all but the first finding in Ruby that several types share.
fn keep_of_modules(inputs: &[Input], sources: &SourceMap, result: &mut Checked) {
    let modules: HashSet<&str> = inputs.iter().filter_map(|input| module_of(input.source().name())).collect();
    let mut reported: HashSet<u64> = HashSet::new();
    let mut is_kept = |d: &Diagnostic| {
        let Some(source) = sources.find(d.span()).filter(|source| is_ruby(Path::new(source.name()))) else { return true };
        let is_here = super::rule(d.code).is_none() || d.code == Code::Untranslated;
        let is_here = is_here || module_of(source.name()).is_none_or(|module| modules.contains(module));
        is_here && reported.insert(FixedState::default().hash_one((sources.locate(d.span()), d.code, &d.message)))
    };
    result.findings.retain(|finding| is_kept(&finding.diagnostic));
    result.suppressed.retain(|(finding, _)| is_kept(&finding.diagnostic));
}

/// Returns the path of a Ruby file's module, in the spelling of the file's path.
fn module_of(file: &str) -> Option<&str> {
    file.rfind("lib/puppet").and_then(|at| file.get(..at))
}

fn order(diagnostic: &Diagnostic) -> (Span, Code, &str) {
    (diagnostic.span(), diagnostic.code, &diagnostic.message)
}

/// Computes fingerprints; equal findings are numbered so that every fingerprint of a run is unique.
struct Fingerprints<'a> {
    root: &'a Root,
    declared: &'a IndexMap<u32, &'a Declarations>,
    seen: HashMap<u128, usize>,
}

impl Fingerprints<'_> {
    fn finding(&mut self, diagnostic: Diagnostic, asts: &IndexMap<u32, &Loaded>, types: &TypeSet) -> Finding {
        let (item, scope, fingerprint) = self.of(diagnostic.code, diagnostic.span(), asts, types);
        Finding { diagnostic, fingerprint: hexadecimal(fingerprint), item, scope }
    }

    /// Returns the path of enclosing items, the outermost item's span, and the fingerprint.
    fn of(&mut self, code: Code, span: Span, asts: &IndexMap<u32, &Loaded>, types: &TypeSet) -> (String, Span, u128) {
        let source = types.sources.find(span);
        let file = source.map(|s| self.root.place(s.name())).unwrap_or_default();
        let ast = source.and_then(|s| asts.get(&s.base())).map(|l| l.ast());
        let declarations = source.and_then(|s| self.declared.get(&s.base()));
        let resource = declarations.and_then(|d| around(&d.resources, |r| r.span, span));
        let item = ast.map(|ast| path_to(ast, span)).or(resource.map(|r| r.reference().to_string())).unwrap_or_default();
        let scope = ast.and_then(|ast| around(&ast.items, Item::span, span)).map(Item::span);
        let scope = scope.or(resource.map(|r| r.span)).unwrap_or(Span::NONE);
        // A digest of a secret could be used to guess it.
        let item = types.secrets.redactor().redact(&item);
        let about = types.sources.slice(span);
        let secret = types.secrets.touches(span) || types.secrets.is_in(about);
        let about = if secret { "" } else { about };
        let about: String = about.split_whitespace().collect::<Vec<_>>().join(" ");
        let print = digest(&[code.info().id, &file, &item, &about]);
        let earlier = self.seen.entry(print).and_modify(|n| *n += 1).or_insert(0);
        let fingerprint = if *earlier == 0 { print } else { digest(&[&hexadecimal(print), &earlier.to_string()]) };
        (item, scope, fingerprint)
    }
}

fn digest(parts: &[&str]) -> u128 {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update(part.as_bytes());
        hasher.update([0]);
    }
    hasher.finalize().iter().take(16).fold(0, |digest, byte| digest << 8 | u128::from(*byte))
}

fn hexadecimal(digest: u128) -> String {
    format!("{digest:032x}")
}

/// Returns the first item around a location, from a list sorted by location. Uses binary search, because there may be as many findings
/// as items.
fn around<T>(all: &[T], span_of: impl Fn(&T) -> Span, place: Span) -> Option<&T> {
    let behind = all.partition_point(|one| span_of(one).start <= place.start);
    let start = span_of(all.get(behind.checked_sub(1)?)?).start;
    // Titles in one declaration share a span.
    let first = all.partition_point(|one| span_of(one).start < start);
    all.get(first).filter(|one| span_of(one).contains(place))
}

/// Returns the path of items and directives around a location.
fn path_to(ast: &Ast, span: Span) -> String {
    let Some(item) = around(&ast.items, Item::span, span) else { return String::new() };
    let mut path = match item {
        Item::Type(d) => vec![format!("type {}", d.name.name)],
        Item::Provider(d) => vec![format!("provider {}", d.name.name)],
        Item::Kind(d) => vec![format!("kind {}", d.name.name)],
        Item::Mixin(d) => vec![format!("mixin {}", d.name.name)],
        Item::Fn(f) => vec![format!("fn {}", f.name.name)],
        Item::Const(c) => vec![format!("const {}", c.name.name)],
        Item::Feature(f) => vec![format!("feature {}", f.test.name.name)],
        Item::TypeAlias(t) => vec![format!("typealias {}", t.name.name)],
        Item::Test(t) => vec![format!("test {}", t.title.plain().unwrap_or_default())],
        Item::Use(_) | Item::Error(_) => Vec::new(),
    };
    let mut body = match item {
        Item::Type(d) | Item::Provider(d) | Item::Kind(d) | Item::Mixin(d) => Some(&d.body),
        _ => None,
    };
    while let Some(directive) = body.and_then(|b| around(&b.directives, |d| d.span, span)) {
        path.push(named(directive));
        body = if let Some(DirectiveBlock::Body(inner)) = &directive.block { Some(inner) } else { None };
    }
    path.join("/")
}

/// Formats a directive with its first argument, if that is a word.
fn named(directive: &Directive) -> String {
    use rtype_lang::syntax::ast::ExprKind;
    match directive.args.first().map(|a| &a.kind) {
        Some(ExprKind::Word(word)) => format!("{} {word}", directive.name.name),
        _ => directive.name.name.to_string(),
    }
}
