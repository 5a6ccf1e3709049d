//! What it does: Reports names and values of facts that are probably misspelled, in `confine`, `defaultfor`, `fact("…")` and the
//! `facts` of tests: a name similar to a fact of Facter, a member or key that a structured fact does not have, and a value similar to a
//! usual one, such as `Debain` for `os.family`.
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
use rtype_lang::syntax::ast::{BinaryOp, Block, Call, Closure, Directive, Expr, ExprKind, FnDecl, TestDecl, TestStep};
use rtype_lang::syntax::visit::{Visit, walk, walk_block, walk_directive, walk_expr, walk_function, walk_test};
use rtype_lang::types::facts::{fact_members, fact_names, fact_values};
use rtype_lang::value::EcoString;
use std::collections::{HashMap, HashSet};

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
    /// Keys of structured facts: the fact, the key and its span. Only strings are found.
    keys: Vec<(String, Key, Span)>,
    /// The locals that hold a fact, with the name of the fact.
    locals: HashMap<EcoString, String>,
    of_tests: Vec<(String, Span)>,
    /// Keys in the maps of facts that tests set.
    keys_of_tests: Vec<(String, Key, Span)>,
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

    fn closure(&mut self, closure: &'a Closure, of: Option<&'a Directive>) {
        let outside = self.locals.clone();
        if of.is_some() {
            self.locals.clear();
        }
        let is_param = |name: &EcoString| closure.params.iter().any(|param| param.name == *name);
        self.locals.retain(|name, _| !is_param(name));
        self.block(&closure.body);
        // A local that the closure assigns may hold any value afterwards.
        let inside = std::mem::replace(&mut self.locals, outside);
        if of.is_none() {
            self.locals.retain(|name, fact| inside.get(name) == Some(fact) || is_param(name));
        }
    }

    fn block(&mut self, block: &'a Block) {
        // A local that a block declares hides a local of the same name, which has its value again after the block.
        let declared = block.statements.iter().filter_map(|s| if let ExprKind::Let(names, _) = &s.kind { Some(names) } else { None });
        let hidden: Vec<_> = declared.flatten().map(|name| (&name.name, self.locals.get(&name.name).cloned())).collect();
        walk_block(self, block);
        hidden.into_iter().for_each(|(name, fact)| self.assign(name, fact));
    }

    fn function(&mut self, function: &'a FnDecl) {
        let outside = std::mem::take(&mut self.locals);
        walk_function(self, function);
        self.locals = outside;
    }

    fn expr(&mut self, expr: &'a Expr) {
        match &expr.kind {
            ExprKind::Call(call) if call.name.name == "fact" => {
                if let (Some(name), [argument, ..]) = (self.fact(expr), call.args.as_slice()) {
                    self.names.push((name, argument.span));
                }
            }
            ExprKind::Index(structure, keys) => self.keys_of(structure, keys),
            ExprKind::Method(structure, Call { name, args, .. }) if is_lookup(&name.name) => {
                let count = if name.name == "dig" { args.len() } else { 1 };
                self.keys_of(structure, args.get(..count).unwrap_or_default());
            }
            ExprKind::Binary { op: BinaryOp::Equal | BinaryOp::NotEqual, left, right, .. } => {
                for (asked, value) in [(left, right), (right, left)] {
                    self.fact(asked).into_iter().for_each(|name| self.value_of(&name, value));
                }
            }
            ExprKind::Method(list, Call { name, args, .. }) if name.name == "include?" => {
                args.iter().for_each(|arg| self.fact(arg).into_iter().for_each(|name| self.value_of(&name, list)));
            }
            ExprKind::Match(asked, arms) => {
                if let Some(name) = self.fact(asked) {
                    arms.iter().flat_map(|arm| &arm.patterns).for_each(|pattern| self.value_of(&name, pattern));
                }
            }
            ExprKind::Let(names, value) => {
                walk_expr(self, expr);
                let fact = self.fact(value).filter(|_| names.len() == 1);
                names.iter().for_each(|name| self.assign(&name.name, fact.clone()));
                return;
            }
            ExprKind::Assign { target, .. } => {
                walk_expr(self, expr);
                if let ExprKind::Name(name) = &target.kind {
                    self.assign(name, None);
                }
                return;
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
                pairs.iter().for_each(|(key, value)| self.set_in_test(None, key, value));
            }
        }
        walk_test(self, test);
    }
}

impl Uses {
    fn misspelled(&self) -> Vec<Diagnostic> {
        let path = |(fact, key, _): &(String, Key, Span)| format!("{fact}.{}", key.text());
        let used: HashSet<String> = self.names.iter().map(|(name, _)| name.clone()).chain(self.keys.iter().map(path)).collect();
        let set: HashSet<String> = self.of_tests.iter().map(|(name, _)| name.clone()).chain(self.keys_of_tests.iter().map(path)).collect();
        let names = self.names.iter().filter(|(name, _)| !set.contains(name));
        let of_tests = self.of_tests.iter().filter(|(name, _)| !used.contains(name));
        let names = names.chain(of_tests).filter_map(|(name, span)| wrong_name(name, *span));
        let keys = self.keys.iter().filter(|key| !set.contains(&path(key)));
        let keys = keys.chain(self.keys_of_tests.iter().filter(|key| !used.contains(&path(key))));
        let keys = keys.filter_map(|(fact, key, span)| wrong_key(fact, key, *span));
        let values = self.values.iter().filter_map(|(fact, value, span)| wrong_value(fact, value, *span));
        names.chain(keys).chain(values).collect()
    }

    /// Adds a fact that a test sets, and the members that it sets in a map.
    fn set_in_test(&mut self, fact: Option<&str>, key: &Expr, value: &Expr) {
        let Some(name) = text(key) else { return };
        let path = fact.map_or(name.clone(), |fact| format!("{fact}.{name}"));
        self.value_of(&path, value);
        if let ExprKind::Map(members) = &value.kind {
            members.iter().for_each(|(key, value)| self.set_in_test(Some(&path), key, value));
        }
        match fact {
            Some(fact) => self.keys_of_tests.push((fact.to_owned(), Key::Str(name), key.span)),
            None => self.of_tests.push((name, key.span)),
        }
    }

    fn assign(&mut self, local: &EcoString, fact: Option<String>) {
        match fact {
            Some(fact) => self.locals.insert(local.clone(), fact),
            None => self.locals.remove(local),
        };
    }

    /// Adds the keys of a lookup in a structured fact.
    fn keys_of(&mut self, structure: &Expr, keys: &[Expr]) {
        let Some(mut fact) = self.fact(structure) else { return };
        for expr in keys {
            let Some(key) = Key::of(expr) else { return };
            let member = format!("{fact}.{}", key.text());
            self.keys.push((fact, key, expr.span));
            fact = member;
        }
    }

    /// Returns the name of the fact that an expression reads: `fact("os.family")`, `fact("os")["family"]`, `os["family"]` with a local.
    fn fact(&self, expr: &Expr) -> Option<String> {
        let member = |structure: &Expr, keys: &[Expr]| {
            keys.iter().try_fold(self.fact(structure)?, |fact, key| match Key::of(key)? {
                Key::Str(key) => Some(format!("{fact}.{key}")),
                Key::Symbol(_) => None,
            })
        };
        match &expr.kind {
            ExprKind::Call(call) if call.name.name == "fact" => call.args.first().and_then(text),
            ExprKind::Paren(inner) => self.fact(inner),
            ExprKind::Ternary(_, yes, no) => self.fact(yes).filter(|fact| self.fact(no).as_ref() == Some(fact)),
            ExprKind::If { branches, otherwise: Some(otherwise) } => {
                let result = |block: &Block| block.statements.last().and_then(|last| self.fact(last));
                let fact = result(otherwise)?;
                branches.iter().all(|(_, block)| result(block).as_ref() == Some(&fact)).then_some(fact)
            }
            ExprKind::Name(name) => self.locals.get(name).cloned(),
            ExprKind::Index(structure, keys) if keys.len() == 1 => member(structure, keys),
            ExprKind::Method(structure, Call { name, args, .. }) if is_lookup(&name.name) && (name.name == "dig" || args.len() == 1) => {
                member(structure, args)
            }
            _ => None,
        }
    }

    fn value_of(&mut self, fact: &str, value: &Expr) {
        match &value.kind {
            ExprKind::Array(values) => values.iter().for_each(|value| self.value_of(fact, value)),
            ExprKind::Paren(value) => self.value_of(fact, value),
            _ => self.values.extend(text(value).map(|text| (fact.to_owned(), text, value.span))),
        }
    }
}

/// A constant key of a lookup.
enum Key {
    Str(String),
    Symbol(String),
}

impl Key {
    fn of(expr: &Expr) -> Option<Key> {
        match &expr.kind {
            ExprKind::Symbol(name) => Some(Key::Symbol(name.to_string())),
            _ => text(expr).map(Key::Str),
        }
    }

    fn text(&self) -> &str {
        match self {
            Key::Str(text) | Key::Symbol(text) => text,
        }
    }
}

/// Returns `true` for methods that look up a key.
fn is_lookup(method: &str) -> bool {
    matches!(method, "dig" | "fetch" | "key?" | "has_key?")
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

/// Returns the finding about a key that a structured fact does not have.
fn wrong_key(fact: &str, key: &Key, span: Span) -> Option<Diagnostic> {
    let known = fact_members(fact)?;
    let (name, shown) = match key {
        Key::Str(name) if known.clone().any(|known| known == name) => return None,
        Key::Str(name) => (name, name.clone()),
        Key::Symbol(name) => (name, format!(":{name}")),
    };
    let near = known.clone().find(|known| known == name).or_else(|| known.clone().find(|known| known.starts_with(name.as_str())));
    let help = match near.or_else(|| nearest(name, known.clone())) {
        Some(near) => Some(Help::suggestion(format!("\"{near}\""))),
        None => did_you_mean(name, known),
    };
    Some(finding(span, format!("the fact `{fact}` has no member `{shown}`"), help))
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
