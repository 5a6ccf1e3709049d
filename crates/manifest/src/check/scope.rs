//! Variables: each is read after its assignment, and assigned once.
//!
//! A scope is the body of a class, a defined type, a function, a node or a lambda, or the top of a file. The walk follows the order of
//! evaluation, which is the order of the source, and keeps for each scope which variables are assigned on every path so far, and which on
//! some path.

use super::definition::{KnownDefinitions, Membership, plain_name};
use super::facts::{KnownFacts, fact_keys};
use super::modules::Modules;
use crate::syntax::token::TokenKind;
use crate::syntax::tree::{
    CaseExpression, Conditional, Definition, DefinitionKind, Expression, ExpressionKind, LambdaExpression, Parameter, SelectorExpression,
};
use crate::syntax::visit;
use ecow::EcoString;
use indexmap::{IndexMap, IndexSet};
use rtype_lang::diagnostics::{Code, Diagnostic, did_you_mean};
use rtype_lang::source::Span;
use rtype_lang::types::facts::fact_names;
use std::collections::{HashMap, HashSet};

/// Variables that every scope has.
const BUILTIN: &[&str] = &[
    "name",
    "title",
    "module_name",
    "caller_module_name",
    "facts",
    "trusted",
    "server_facts",
    "servername",
    "serverip",
    "serverip6",
    "serverversion",
    "environment",
    "clientcert",
    "clientversion",
    "clientnoop",
    "pe_serverversion",
    "agent_specified_environment",
];

/// Functions that read variables of the caller by name.
const READERS: &[&str] = &["template", "inline_template", "inline_epp", "getvar", "defined", "lookup", "hiera"];

/// Finds mistakes in the use of variables.
pub(super) struct Variables<'w> {
    pub definitions: &'w mut KnownDefinitions,
    pub modules: &'w Modules<'w>,
    pub facts: &'w mut KnownFacts,
    pub found: Vec<Diagnostic>,
    scopes: Vec<Scope>,
    depth: usize,
    /// Whether a part of the file was nested too deeply to be walked.
    is_limited: bool,
}

/// The levels of nesting up to which expressions are walked.
const MAX_DEPTH: usize = 300;

/// A scope that is being walked.
struct Scope {
    kind: ScopeKind,
    /// The first assignment of each variable anywhere in the scope.
    assigned: HashMap<EcoString, Span>,
    /// The variables that are assigned on every path so far.
    certain: IndexMap<EcoString, Span>,
    /// The variables that are assigned on some path so far.
    possible: IndexSet<EcoString>,
    /// The variables that are read in the scope or its lambdas.
    read: HashSet<EcoString>,
    /// Whether a function of the body may read variables by name.
    has_reader: bool,
}

#[derive(Clone, PartialEq, Eq)]
enum ScopeKind {
    /// The top of a file, or a node block.
    Global,
    Class {
        name: EcoString,
        has_parent: bool,
    },
    Define,
    Function,
    /// Reads the variables of the enclosing scope.
    Lambda,
}

impl<'w> Variables<'w> {
    pub fn new(definitions: &'w mut KnownDefinitions, modules: &'w Modules<'w>, facts: &'w mut KnownFacts) -> Variables<'w> {
        Variables { definitions, modules, facts, found: Vec::new(), scopes: Vec::new(), depth: 0, is_limited: false }
    }

    /// Walks the statements of a file.
    pub fn file(&mut self, statements: &[Expression]) {
        self.scope(ScopeKind::Global, &[], statements);
    }

    fn scope(&mut self, kind: ScopeKind, parameters: &[Parameter], body: &[Expression]) {
        let mut assigned = HashMap::new();
        assignments(body).for_each(|(name, span)| _ = assigned.entry(name).or_insert(span));
        parameters.iter().for_each(|p| _ = assigned.insert(p.name.text.clone(), p.name.span));
        let (certain, possible) = (IndexMap::new(), IndexSet::new());
        self.scopes.push(Scope { kind, assigned, certain, possible, read: HashSet::new(), has_reader: false });
        for parameter in parameters {
            parameter.kind.iter().chain(&parameter.default).for_each(|e| self.expression(e));
            self.define(&parameter.name.text, parameter.name.span);
        }
        self.body(body);
        let Some(scope) = self.scopes.pop() else { return };
        self.unused(&scope, parameters);
        if scope.kind == ScopeKind::Lambda
            && let Some(outer) = self.scopes.last_mut()
        {
            let inner = scope.read.into_iter().filter(|name| !scope.assigned.contains_key(name));
            outer.read.extend(inner);
            outer.has_reader |= scope.has_reader;
        }
    }

    /// Reports variables that are assigned and never read. Variables of classes can be read from elsewhere.
    fn unused(&mut self, scope: &Scope, parameters: &[Parameter]) {
        if scope.has_reader || matches!(scope.kind, ScopeKind::Global | ScopeKind::Class { .. }) {
            return;
        }
        let is_parameter = |name: &EcoString| parameters.iter().any(|p| p.name.text == *name);
        let mut unused: Vec<_> = scope.assigned.iter().filter(|(name, _)| !scope.read.contains(*name) && !is_parameter(name)).collect();
        unused.sort_by_key(|(_, span)| span.start);
        for (name, span) in unused.into_iter().filter(|(name, _)| !name.starts_with('_')) {
            let found = Diagnostic::new(Code::UnusedVariable, *span, format!("the variable `${name}` is never read"));
            self.found.push(found.help("remove the assignment, or begin the name with `_`"));
        }
    }

    fn body(&mut self, body: &[Expression]) {
        body.iter().for_each(|statement| self.expression(statement));
    }

    /// Walks an expression. Chains such as `a + b + c` and `a.b.c`, which can be long, take no stack.
    fn expression(&mut self, expression: &Expression) {
        let mut chain = Vec::new();
        let mut first = expression;
        loop {
            first = match &first.kind {
                ExpressionKind::Binary(binary) if binary.operator != TokenKind::Assign => {
                    chain.push(first);
                    &binary.left
                }
                ExpressionKind::Method(call) => {
                    chain.push(first);
                    &call.receiver
                }
                ExpressionKind::Paren(inner) | ExpressionKind::Unary(_, inner) => inner,
                ExpressionKind::Access(access) if fact_keys(first).is_none() => {
                    chain.push(first);
                    &access.target
                }
                _ => break,
            };
        }
        if self.depth == MAX_DEPTH {
            if !std::mem::replace(&mut self.is_limited, true) {
                let message = format!("variables are not checked in expressions that are nested more than {MAX_DEPTH} levels deep");
                self.found.push(Diagnostic::new(Code::NotChecked, first.span, message).help("assign the inner expression to a variable"));
            }
            return;
        }
        self.depth += 1;
        self.operand(first);
        chain.into_iter().rev().for_each(|link| self.link(link));
        self.depth -= 1;
    }

    /// Walks the second operand, arguments or keys of a link of a chain.
    fn link(&mut self, link: &Expression) {
        match &link.kind {
            ExpressionKind::Binary(binary) if matches!(binary.operator, TokenKind::And | TokenKind::Or) => {
                self.branch(|walk| walk.expression(&binary.right));
            }
            ExpressionKind::Binary(binary) => self.expression(&binary.right),
            ExpressionKind::Method(call) => {
                call.arguments.iter().for_each(|argument| self.expression(argument));
                call.lambda.iter().for_each(|lambda| self.lambda(lambda));
            }
            ExpressionKind::Access(access) => access.keys.iter().for_each(|key| self.expression(key)),
            _ => {}
        }
    }

    fn operand(&mut self, expression: &Expression) {
        match &expression.kind {
            ExpressionKind::Variable(name) => self.read(name, expression.span),
            // The rest of the chain was walked.
            ExpressionKind::Binary(binary) => {
                self.expression(&binary.right);
                for (name, span) in targets(&binary.left) {
                    self.define(&name, span);
                }
            }
            ExpressionKind::If(conditional) => self.conditional(conditional),
            ExpressionKind::Case(case) => self.case(case),
            ExpressionKind::Selector(selector) => self.selector(selector),
            ExpressionKind::Call(call) => {
                if let ExpressionKind::Name(name) = &call.function.kind
                    && READERS.contains(&name.as_str())
                    && let Some(scope) = self.scopes.last_mut()
                {
                    scope.has_reader = true;
                }
                call.arguments.iter().for_each(|argument| self.expression(argument));
                call.lambda.iter().for_each(|lambda| self.lambda(lambda));
            }
            ExpressionKind::Definition(definition) => self.definition(definition),
            ExpressionKind::Node(node) => self.scope(ScopeKind::Global, &[], node.body.as_deref().unwrap_or_default()),
            // Names in queries are attributes.
            ExpressionKind::Collector(collector) => collector.attributes.iter().for_each(|a| self.expression(&a.value)),
            _ => match fact_keys(expression) {
                Some(keys) => self.facts.check(&keys, self.modules, &mut self.found),
                None => visit::children(expression, &mut |child| self.expression(child)),
            },
        }
    }

    fn definition(&mut self, definition: &Definition) {
        let kind = match definition.kind {
            DefinitionKind::Class => ScopeKind::Class { name: definition.name.text.clone(), has_parent: definition.parent.is_some() },
            DefinitionKind::Define => ScopeKind::Define,
            DefinitionKind::Function => ScopeKind::Function,
        };
        self.scope(kind, &definition.parameters, definition.body.as_deref().unwrap_or_default());
    }

    fn lambda(&mut self, lambda: &LambdaExpression) {
        self.scope(ScopeKind::Lambda, &lambda.parameters, &lambda.body);
    }

    /// Walks a part that may not run, and returns the variables that it assigns on every path.
    fn branch(&mut self, walk: impl FnOnce(&mut Self)) -> IndexMap<EcoString, Span> {
        let before = self.scopes.last().map_or(0, |scope| scope.certain.len());
        walk(self);
        self.scopes.last_mut().map(|scope| scope.certain.split_off(before)).unwrap_or_default()
    }

    /// Keeps the variables that all paths assign; `None` is a path that ends.
    fn join(&mut self, paths: Vec<Option<IndexMap<EcoString, Span>>>) {
        let mut paths = paths.into_iter().flatten();
        let (Some(scope), Some(mut all)) = (self.scopes.last_mut(), paths.next()) else { return };
        for path in paths {
            all.retain(|name, _| path.contains_key(name));
        }
        scope.certain.extend(all);
    }

    fn conditional(&mut self, conditional: &Conditional) {
        let mut paths = Vec::new();
        for branch in &conditional.branches {
            self.expression(&branch.condition);
            let assigned = self.branch(|walk| walk.body(&branch.body));
            paths.push(Some(assigned).filter(|_| !ends(&branch.body)));
        }
        let otherwise = conditional.otherwise.as_deref().unwrap_or_default();
        let assigned = self.branch(|walk| walk.body(otherwise));
        paths.push(Some(assigned).filter(|_| !ends(otherwise)));
        self.join(paths);
    }

    fn case(&mut self, case: &CaseExpression) {
        self.expression(&case.subject);
        let mut paths = Vec::new();
        let mut has_default = false;
        for option in &case.options {
            option.values.iter().for_each(|value| self.expression(value));
            has_default |= option.values.iter().any(|value| matches!(value.kind, ExpressionKind::Default));
            let assigned = self.branch(|walk| walk.body(&option.body));
            paths.push(Some(assigned).filter(|_| !ends(&option.body)));
        }
        if !has_default {
            paths.push(Some(self.branch(|_| {})));
        }
        self.join(paths);
    }

    fn selector(&mut self, selector: &SelectorExpression) {
        self.expression(&selector.subject);
        for entry in &selector.entries {
            self.expression(&entry.key);
            self.branch(|walk| walk.expression(&entry.value));
        }
    }

    fn define(&mut self, name: &EcoString, span: Span) {
        let Some(scope) = self.scopes.last_mut() else { return };
        if let Some(first) = scope.certain.get(name) {
            let found = Diagnostic::new(Code::VariableReassigned, span, format!("the variable `${name}` is assigned twice"));
            self.found.push(found.also(*first, "assigned here first").help("use another name: a variable cannot be changed"));
        } else {
            scope.certain.insert(name.clone(), span);
        }
        scope.possible.insert(name.clone());
    }

    fn read(&mut self, name: &EcoString, span: Span) {
        if let Some((class, member)) = name.rsplit_once("::") {
            match class.strip_prefix("::").unwrap_or(class) {
                "" => self.top_scope(member, span),
                class => self.qualified(class, member, span),
            }
            return;
        }
        let mut later = None;
        for scope in self.scopes.iter_mut().rev() {
            scope.read.insert(name.clone());
            if scope.possible.contains(name) {
                return;
            }
            later = later.or(scope.assigned.get(name).copied());
            if scope.kind != ScopeKind::Lambda {
                break;
            }
        }
        if self.is_outside(name) {
            self.facts.note_legacy(name, span, &format!("${name}"), &mut self.found);
            return;
        }
        let found = match later {
            Some(place) => Diagnostic::new(Code::UnknownVariable, span, format!("the variable `${name}` is read before it is assigned"))
                .also(place, "assigned here")
                .help("move the assignment before this line"),
            None => {
                let visible: Vec<EcoString> = self.visible().collect();
                let mut names: Vec<&str> = visible.iter().map(EcoString::as_str).collect();
                fact_names().for_each(|name| names.push(name));
                let found = Diagnostic::new(Code::UnknownVariable, span, format!("unknown variable `${name}`"));
                match did_you_mean(name, names) {
                    Some(help) => found.help(help),
                    None => found.help(format!("assign it before; if a node classifier sets it, read it as `$::{name}`")),
                }
            }
        };
        self.found.push(found);
    }

    /// Returns `true` unless the variable can only be one of the current class, defined type or function.
    fn is_outside(&mut self, name: &str) -> bool {
        let is_number = name.bytes().all(|b| b.is_ascii_digit());
        if is_number || BUILTIN.contains(&name) || self.definitions.is_global(name) || self.facts.is_fact(name, self.modules) {
            return true;
        }
        let body = self.scopes.iter().rfind(|scope| scope.kind != ScopeKind::Lambda);
        match body.map(|scope| scope.kind.clone()) {
            Some(ScopeKind::Class { name: class, has_parent: true }) => {
                self.definitions.membership(&class, name, self.modules) != Membership::Missing
            }
            _ => false,
        }
    }

    /// Returns the variables that the current place can read.
    fn visible(&self) -> impl Iterator<Item = EcoString> + '_ {
        let body = self.scopes.iter().rposition(|scope| scope.kind != ScopeKind::Lambda).unwrap_or(0);
        self.scopes.iter().skip(body).flat_map(|scope| scope.possible.iter().cloned())
    }

    /// Only names that resemble a fact are reported: other variables at top scope can come from a node classifier.
    fn top_scope(&mut self, name: &str, span: Span) {
        if BUILTIN.contains(&name) || self.definitions.is_global(name) || self.facts.is_fact(name, self.modules) {
            self.facts.note_legacy(name, span, &format!("$::{name}"), &mut self.found);
        } else if let Some(help) = did_you_mean(name, fact_names().collect::<Vec<_>>()) {
            self.found.push(Diagnostic::new(Code::UnknownVariable, span, format!("unknown variable `$::{name}`")).help(help));
        }
    }

    fn qualified(&mut self, class: &str, member: &str, span: Span) {
        if class == "settings" || self.definitions.membership(class, member, self.modules) != Membership::Missing {
            return;
        }
        let found = Diagnostic::new(Code::UnknownVariable, span, format!("the class `{class}` has no variable `${member}`"));
        let help = did_you_mean(member, self.definitions.members(&plain_name(class)));
        self.found.push(found.maybe_help(help));
    }
}

/// Returns `true` if a body always ends the evaluation of the scope.
fn ends(body: &[Expression]) -> bool {
    let Some(ExpressionKind::Call(call)) = body.last().map(|last| &last.kind) else { return false };
    matches!(&call.function.kind, ExpressionKind::Name(name) if matches!(name.as_str(), "fail" | "return" | "break" | "next"))
}

/// Returns the variables that an assignment sets.
fn targets(left: &Expression) -> Vec<(EcoString, Span)> {
    match &left.kind {
        ExpressionKind::Variable(name) => vec![(name.clone(), left.span)],
        ExpressionKind::Array(items) => items.iter().flat_map(targets).collect(),
        _ => Vec::new(),
    }
}

/// Returns the variables that statements assign in their own scope, in the order of the source.
pub(super) fn assignments(body: &[Expression]) -> impl Iterator<Item = (EcoString, Span)> + use<> {
    let mut open: Vec<&Expression> = body.iter().collect();
    let mut found = Vec::new();
    while let Some(expression) = open.pop() {
        match &expression.kind {
            ExpressionKind::Binary(binary) if binary.operator == TokenKind::Assign => {
                found.extend(targets(&binary.left));
                open.push(&binary.right);
            }
            ExpressionKind::Call(call) => open.extend(&call.arguments),
            ExpressionKind::Method(call) => open.extend(call.arguments.iter().chain([&call.receiver])),
            ExpressionKind::Definition(_) | ExpressionKind::Node(_) => {}
            _ => visit::children(expression, &mut |child| open.push(child)),
        }
    }
    found.sort_by_key(|(_, span)| span.start);
    found.into_iter()
}
