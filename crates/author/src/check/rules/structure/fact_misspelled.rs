//! What it does: Reports names and values of facts that are probably misspelled, in `confine`, `defaultfor`, `fact("…")` and the
//! `facts` of tests: a name similar to a fact of Facter, a member that a structured fact does not have, and a value similar to a usual
//! one, such as `Debain` for `os.family`.
//!
//! Why: An unknown fact is nil. The provider is then never suitable, or the branch is never executed. Modules may define
//! facts, so a name is accepted if it is not similar to a known fact, or if a test in the file sets it.
//!
//! Example:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty color
//! }
//! provider hinge, for: door { confine "os.famly": Debian }
//! ```
//!
//! Better:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty color
//! }
//! provider hinge, for: door { confine "os.family": Debian }
//! ```

use crate::check::{FileSubject, Sink};
use rtype_lang::diagnostics::{Code, Diagnostic, Help, did_you_mean, nearest};
use rtype_lang::eval::setting_names;
use rtype_lang::source::Span;
use rtype_lang::syntax::ast::{BinaryOp, Block, Call, Directive, Expr, ExprKind, TestDecl, TestStep};
use rtype_lang::syntax::visit::{Visit, walk, walk_block, walk_directive, walk_expr};
use rtype_lang::types::facts::{fact_members, fact_names, fact_values};
use std::collections::HashSet;

pub fn check(subject: &FileSubject<'_>, sink: &mut Sink<'_>) {
    let mut uses = Uses::default();
    walk(&mut uses, subject.ast);
    uses.misspelled().into_iter().for_each(|found| sink.report(found));
}

/// Returns the findings in statements outside of a file, such as an input at the prompt.
pub fn misspelled_facts(block: &Block) -> Vec<Diagnostic> {
    let mut uses = Uses::default();
    walk_block(&mut uses, block);
    uses.misspelled()
}

#[derive(Default)]
struct Uses {
    names: Vec<(String, Span)>,
    of_tests: Vec<(String, Span)>,
    values: Vec<(String, String, Span)>,
}

impl<'a> Visit<'a> for Uses {
    fn directive(&mut self, directive: &'a Directive) {
        if matches!(directive.name.name.as_str(), "confine" | "defaultfor" | "notdefaultfor") && directive.block.is_none() {
            for option in &directive.options {
                let name = option.name.name.as_str();
                if !matches!(name, "message" | "exists" | "feature" | "true" | "false" | "any") {
                    self.names.push((name.to_owned(), option.name.span));
                    self.value_of(name, &option.value);
                }
            }
        }
        walk_directive(self, directive);
    }

    fn expr(&mut self, expr: &'a Expr) {
        match &expr.kind {
            ExprKind::Call(call) if call.name.name == "fact" => {
                if let Some((name, span)) = fact(expr) {
                    self.names.push((name, span));
                }
            }
            ExprKind::Binary { op: BinaryOp::Equal | BinaryOp::NotEqual, left, right, .. } => {
                for (asked, value) in [(left, right), (right, left)] {
                    fact(asked).into_iter().for_each(|(name, _)| self.value_of(&name, value));
                }
            }
            ExprKind::Method(list, Call { name, args, .. }) if name.name == "include?" => {
                args.iter().filter_map(fact).for_each(|(name, _)| self.value_of(&name, list));
            }
            ExprKind::Match(asked, arms) => {
                if let Some((name, _)) = fact(asked) {
                    arms.iter().flat_map(|arm| &arm.patterns).for_each(|pattern| self.value_of(&name, pattern));
                }
            }
            _ => {}
        }
        walk_expr(self, expr);
    }

    fn test(&mut self, test: &'a TestDecl) {
        for step in &test.steps {
            if let TestStep::Setup(word, Expr { kind: ExprKind::Map(pairs), .. }) = step
                && word.name == "facts"
            {
                for (key, value) in pairs {
                    let Some(name) = text(key) else { continue };
                    self.value_of(&name, value);
                    self.of_tests.push((name, key.span));
                }
            }
        }
    }
}

impl Uses {
    fn misspelled(&self) -> Vec<Diagnostic> {
        let used: HashSet<&str> = self.names.iter().map(|(name, _)| name.as_str()).collect();
        let set: HashSet<&str> = self.of_tests.iter().map(|(name, _)| name.as_str()).collect();
        let names = self.names.iter().filter(|(name, _)| !set.contains(name.as_str()));
        let of_tests = self.of_tests.iter().filter(|(name, _)| !used.contains(name.as_str()));
        let names = names.chain(of_tests).filter_map(|(name, span)| wrong_name(name, *span));
        let values = self.values.iter().filter_map(|(fact, value, span)| wrong_value(fact, value, *span));
        names.chain(values).collect()
    }

    fn value_of(&mut self, fact: &str, value: &Expr) {
        match &value.kind {
            ExprKind::Array(values) => values.iter().for_each(|value| self.value_of(fact, value)),
            ExprKind::Paren(value) => self.value_of(fact, value),
            _ => self.values.extend(text(value).map(|text| (fact.to_owned(), text, value.span))),
        }
    }
}

/// Returns the fact name in `fact("…")`, with the name's span.
fn fact(expr: &Expr) -> Option<(String, Span)> {
    match &expr.kind {
        ExprKind::Call(call) if call.name.name == "fact" => call.args.first().and_then(|name| Some((text(name)?, name.span))),
        ExprKind::Paren(inner) => fact(inner),
        _ => None,
    }
}

fn text(expr: &Expr) -> Option<String> {
    match &expr.kind {
        ExprKind::Str(text) => text.plain().map(|text| text.to_string()),
        ExprKind::Symbol(text) | ExprKind::Word(text) => Some(text.to_string()),
        _ => None,
    }
}

fn finding(span: Span, message: String, help: Option<Help>) -> Diagnostic {
    Diagnostic::new(Code::FactMisspelled, span, message).maybe_help(help)
}

fn wrong_name(name: &str, span: Span) -> Option<Diagnostic> {
    let (root, members) = name.split_once('.').map_or((name, None), |(root, members)| (root, Some(members)));
    if let Some(near) = similar(root, fact_names().chain(setting_names())).filter(|near| !is_custom(root, near)) {
        let near = members.map_or_else(|| near.to_owned(), |members| format!("{near}.{members}"));
        return Some(finding(span, format!("unknown fact `{name}`"), Some(Help::suggestion(near))));
    }
    let mut before = root.to_owned();
    let mut rest = members;
    while let (Some(path), Some(known)) = (rest, fact_members(&before)) {
        let (member, others) = path.split_once('.').map_or((path, None), |(member, others)| (member, Some(others)));
        if !known.clone().any(|known| known == member) {
            let begun = known.clone().find(|known| known.starts_with(member));
            let help = match begun.or_else(|| nearest(member, known.clone())) {
                Some(near) => {
                    let others = others.map(|others| format!(".{others}")).unwrap_or_default();
                    Some(Help::suggestion(format!("{before}.{near}{others}")))
                }
                None => did_you_mean(member, known),
            };
            return Some(finding(span, format!("the fact `{before}` has no member `{member}`"), help));
        }
        before = format!("{before}.{member}");
        rest = others;
    }
    None
}

/// Returns `true` if a name is probably not misspelled although it resembles a known name: it is as short as `uid`, or numbered like
/// the facts of each processor in addition to `processors`.
fn is_custom(name: &str, near: &str) -> bool {
    let unnumbered = name.trim_end_matches(|c: char| c.is_ascii_digit());
    name.chars().count() < 5 || unnumbered.len() < name.len() && near.strip_suffix('s') == Some(unnumbered)
}

fn wrong_value(fact: &str, value: &str, span: Span) -> Option<Diagnostic> {
    let near = fact_values(fact).and_then(|values| similar(value, values))?;
    Some(finding(span, format!("`{value}` is not a usual value of the fact `{fact}`"), Some(Help::suggestion(near))))
}

/// Returns the known name that an unknown name probably misspells. Names of a module's custom facts are often longer than a known name,
/// and may differ from it in few letters.
fn similar<'k>(name: &str, known: impl Iterator<Item = &'k str>) -> Option<&'k str> {
    let limit = if name.chars().count() < 8 { 1 } else { 2 };
    let lower = name.to_lowercase();
    let mut best: Option<(usize, &str)> = None;
    for known in known {
        let distance = strsim::damerau_levenshtein(&lower, &known.to_lowercase());
        if distance == 0 {
            return None;
        }
        let is_suffixed =
            lower.strip_prefix(&known.to_lowercase()).is_some_and(|rest| rest.starts_with(['_', '0', '1', '2']) || rest.len() == 1);
        if distance <= limit && known.len() > 3 && !is_suffixed && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, known));
        }
    }
    best.map(|(_, known)| known)
}
