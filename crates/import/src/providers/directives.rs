//! The directives of a provider.

use super::ProviderWriter;
use crate::lower::{BlockRole, FunctionTable, Lowered, TypeContext, UntranslatedCode, UntranslatedReason, build, slice};
use crate::puppet::{DeclaredBlock, DeclaredDirective};
use crate::report::directive::{coded, option};
use crate::report::words;
use rtype_lang::syntax::ast::{BinaryOp, Closure, Expr, ExprKind, Opt};
use rtype_ruby::hir::{Element, ExprId, HirKind, MethodCall, Pair};
use rtype_ruby::run::{CodeSource, PlainValue};
use std::sync::Arc;

/// Declarations that affect whether a provider is suitable or preferred, or what it can do.
pub(super) const DECIDING: &[&str] =
    &["commands", "optional_commands", "has_command", "confine", "defaultfor", "notdefaultfor", "has_feature", "has_features"];

/// Combines several values of an option of `confine`.
enum Combination {
    /// All must hold.
    All,
    /// One must hold.
    Any,
}

impl ProviderWriter<'_, '_> {
    pub(super) fn directives(&mut self) {
        let class = self.draft.provider.class;
        if let Some(doc) = self.file.run.class_instance_variable(class, "@doc") {
            self.description(&doc);
        }
        let all = self.file.directives_of(class);
        let is_undecided = |directive: &DeclaredDirective| {
            let word = directive.word.as_str();
            directive.is_conditional && (DECIDING.contains(&word) || word == "method_missing")
        };
        // A statement with undecided declarations is translated as a whole.
        let undecided: Vec<ExprId> = all.iter().filter(|d| is_undecided(d)).filter_map(|d| self.statement_with(d)).collect();
        let mut done: Vec<ExprId> = Vec::new();
        for directive in all {
            match self.statement_with(&directive).filter(|statement| undecided.contains(statement)) {
                Some(statement) if done.contains(&statement) => {}
                Some(statement) => {
                    done.push(statement);
                    if let Err(reason) = self.conditional(statement) {
                        self.leave_code(reason);
                    }
                }
                None if is_undecided(&directive) => {
                    self.leave(UntranslatedReason::Conditional(directive.word.clone()), &directive);
                }
                None => self.directive(&directive),
            }
        }
    }

    fn directive(&mut self, directive: &DeclaredDirective) {
        match directive.word.as_str() {
            "desc" | "doc=" => self.description(directive.arguments.first().unwrap_or(&PlainValue::Nil)),
            "commands" | "optional_commands" => self.commands(directive),
            "has_command" => self.has_command(directive),
            "confine" => self.confine(directive),
            "defaultfor" | "notdefaultfor" => self.defaultfor(directive),
            "has_feature" | "has_features" => self.has_feature(directive),
            "__leaves_early" => {
                let call = self.draft.provider.call.clone();
                self.leave(UntranslatedReason::Form("an error under a condition"), &call);
            }
            "method_missing" => {
                let method = directive.first_word().unwrap_or_default();
                self.leave_default(UntranslatedReason::Method(method.into()), directive);
            }
            _ => {}
        }
    }

    fn description(&mut self, doc: &PlainValue) {
        if let Some(text) = doc.word() {
            self.push("desc", vec![words::description(text)], Vec::new());
        }
    }

    fn commands(&mut self, directive: &DeclaredDirective) {
        if directive.options.is_empty() {
            return self.leave(UntranslatedReason::Computed("the commands".into()), directive);
        }
        let mut options = Vec::new();
        for (key, program) in &directive.options {
            match (key.word(), program) {
                (Some(key), PlainValue::Str(program)) => options.push(option(key, build::string(program))),
                // The program of an optional command does not affect whether the provider is suitable.
                _ if directive.word == "optional_commands" => {}
                (Some(key), _) => self.computed(directive, key, &Combination::All, &which),
                (None, _) => self.leave(UntranslatedReason::Computed("the name of a command".into()), directive),
            }
        }
        if !options.is_empty() {
            self.push(&directive.word, Vec::new(), options);
        }
    }

    /// Translates `has_command(:name, 'path') do is_optional; environment … end`.
    fn has_command(&mut self, directive: &DeclaredDirective) {
        let is_optional = match &directive.block {
            DeclaredBlock::Code(code) => calls_of_self(code).iter().any(|name| &**name == "is_optional"),
            _ => false,
        };
        let word = if is_optional { "optional_commands" } else { "commands" };
        match directive.arguments.as_slice() {
            [name, PlainValue::Str(program)] if name.word().is_some() => {
                let key = name.word().unwrap_or_default();
                self.push(word, Vec::new(), vec![option(key, build::string(program))]);
            }
            [_, _] if is_optional => {}
            [_, _] => {
                let call = self.call_of(directive);
                let program = call.as_ref().and_then(|call| match call.args.positional.get(1) {
                    Some(Element::Plain(id)) => Some(*id),
                    _ => None,
                });
                match program {
                    Some(program) => self.code(directive, program, &Combination::All, &which),
                    None => self.leave(UntranslatedReason::Computed("the command".into()), directive),
                }
            }
            _ => self.leave(UntranslatedReason::Computed("the command".into()), directive),
        }
    }

    fn confine(&mut self, directive: &DeclaredDirective) {
        if directive.options.is_empty() || !matches!(directive.block, DeclaredBlock::None) {
            return self.leave(UntranslatedReason::Computed("the condition".into()), directive);
        }
        let for_binary = directive.option("for_binary") == Some(&PlainValue::Bool(true));
        let mut options: Vec<Opt> = Vec::new();
        for (key, value) in &directive.options {
            let Some(key) = key.word() else {
                self.leave(UntranslatedReason::Computed("the condition".into()), directive);
                continue;
            };
            let same = |value: Expr| value;
            match (key, value) {
                ("for_binary", _) => {}
                ("true" | "false", PlainValue::Bool(holds)) => {
                    let holds = build::expr(ExprKind::Bool((key == "true") == *holds));
                    self.draft.directives.push(coded("confine", build::closure(Vec::new(), vec![holds])));
                }
                ("true", _) => self.computed(directive, key, &Combination::All, &same),
                ("false", _) => self.computed(directive, key, &Combination::All, &build::not),
                ("any", _) => self.computed(directive, key, &Combination::Any, &same),
                ("exists", PlainValue::Str(_)) if for_binary => self.computed(directive, key, &Combination::All, &which),
                ("exists", _) if for_binary => self.computed(directive, key, &Combination::All, &which),
                ("feature", _) => match self.platforms(value) {
                    Ok(()) => options.extend(values(value).map(|value| option(key, value))),
                    Err(reason) => self.leave(reason, directive),
                },
                _ => match values(value) {
                    Some(value) => options.push(option(key, value)),
                    // In Puppet, a regex never fits.
                    None if matches!(value, PlainValue::Regex(..)) => {
                        options.push(option(key, build::expr(ExprKind::Array(Vec::new()))));
                    }
                    None if key == "exists" => {
                        self.computed(directive, key, &Combination::All, &|path| build::call("exists", vec![path]));
                    }
                    None => self.leave(UntranslatedReason::Computed(format!("`{key}`")), directive),
                },
            }
        }
        if !options.is_empty() {
            self.push("confine", Vec::new(), options);
        }
    }

    fn defaultfor(&mut self, directive: &DeclaredDirective) {
        let mut options = Vec::new();
        for (key, value) in &directive.options {
            let known = key.word().zip(fact_values(value));
            let Some((key, value)) = known.filter(|(key, value)| *key != "feature" || matches!(value.kind, ExprKind::Word(_))) else {
                return self.leave_default(UntranslatedReason::Computed(format!("`{}`", directive.word)), directive);
            };
            if key == "feature"
                && let Some(PlainValue::Sym(_) | PlainValue::Str(_)) = directive.option("feature")
                && let Err(reason) = self.platforms(directive.option("feature").unwrap_or(&PlainValue::Nil))
            {
                return self.leave_default(reason, directive);
            }
            options.push(option(key, value));
        }
        let word = directive.word.as_str();
        // If several rows match, Puppet uses the first one, and the language the longest one.
        let is_longer = self.draft.directives.iter().any(|d| d.name.name == "defaultfor" && d.options.len() < options.len());
        if options.is_empty() || word == "defaultfor" && is_longer {
            return self.leave_default(UntranslatedReason::Form("a `defaultfor` with more facts than an earlier `defaultfor`"), directive);
        }
        self.push(word, Vec::new(), options);
    }

    fn has_feature(&mut self, directive: &DeclaredDirective) {
        let names: Option<Vec<String>> = directive.arguments.iter().map(|name| name.word().map(str::to_owned)).collect();
        let Some(names) = names.filter(|names| !names.is_empty()) else {
            return self.leave(UntranslatedReason::Computed("the feature".into()), directive);
        };
        for name in names {
            self.claim(&name);
        }
    }

    /// Returns the call of a declaration in the body of the provider.
    pub(super) fn call_of(&self, directive: &DeclaredDirective) -> Option<MethodCall> {
        call_in(self.body.as_ref()?, directive)
    }

    /// Translates the value of an option whose value is not known when the provider is loaded.
    fn computed(&mut self, directive: &DeclaredDirective, key: &str, with: &Combination, wrap: &dyn Fn(Expr) -> Expr) {
        if let Some(code) = self.file.option_block(directive.origin, key) {
            return match self.condition_of(&code, wrap) {
                Ok(closure) => self.condition(closure),
                Err(left) => self.leave_code(UntranslatedCode { origin: directive.origin, ..left }),
            };
        }
        let value = self.body.as_ref().and_then(|body| option_in(body, &self.call_of(directive)?, key));
        match value {
            Some(value) => self.code(directive, value, with, wrap),
            None => self.leave(UntranslatedReason::Computed(format!("`{key}`")), directive),
        }
    }

    /// Translates the block of an option. Only a block with one statement can be an operand.
    fn condition_of(&mut self, code: &CodeSource, wrap: &dyn Fn(Expr) -> Expr) -> Lowered<Closure> {
        let mut functions = FunctionTable::default();
        let context = TypeContext { run: &mut self.file.run, names: &self.owner.names, functions: &mut functions };
        let mut closure = crate::lower::lower(context, code, &BlockRole::of_provider())?.closure();
        match closure.body.statements.pop() {
            Some(only) if closure.body.statements.is_empty() => closure.body.statements.push(wrap(only)),
            Some(last) if wrap(last.clone()) == last => closure.body.statements.push(last),
            _ => {
                let origin = code.hir.body(code.body).map(|body| body.origin).unwrap_or_default();
                return Err(UntranslatedCode { reason: UntranslatedReason::Form("a condition of several statements"), origin });
            }
        }
        Ok(closure)
    }

    pub(super) fn condition(&mut self, closure: Closure) {
        self.draft.blocks += 1;
        self.draft.translated += 1;
        self.draft.directives.push(coded("confine", closure));
    }

    /// Translates a computed value to a condition.
    fn code(&mut self, directive: &DeclaredDirective, value: ExprId, with: &Combination, wrap: &dyn Fn(Expr) -> Expr) {
        let Some(body) = self.body.clone() else {
            return self.leave(UntranslatedReason::Computed("the condition".into()), directive);
        };
        let role = BlockRole::of_provider();
        let translated = slice::in_body(&mut self.file.run, &self.owner.names, &body, &role, |lowering| {
            let HirKind::Array(items) = lowering.kind(value) else {
                return lowering.slice(&[value], |lowering| Ok(wrap(lowering.condition(value)?)));
            };
            lowering.slice(&[value], |lowering| {
                let mut all: Option<Expr> = None;
                for item in &items {
                    let (Element::Plain(id) | Element::Splat(id)) = item;
                    if matches!(item, Element::Splat(_)) {
                        return lowering.fail(UntranslatedReason::Form("`*` among conditions"), lowering.origin(*id));
                    }
                    let next = wrap(lowering.condition(*id)?);
                    let op = if matches!(with, Combination::All) { BinaryOp::And } else { BinaryOp::Or };
                    all = Some(all.map_or_else(|| next.clone(), |before| build::binary(op, before, next.clone())));
                }
                Ok(all.unwrap_or_else(|| build::expr(ExprKind::Bool(matches!(with, Combination::All)))))
            })
        });
        match translated {
            Ok((statements, parts)) => {
                let block = crate::idiom::rewrite_result(build::block(statements));
                self.condition(build::closure(Vec::new(), block.statements));
                parts.into_iter().for_each(|part| self.note(part));
            }
            Err(left) => self.leave_code(UntranslatedCode { origin: directive.origin, ..left }),
        }
    }
}

/// Returns the call of a declaration in a body.
pub(super) fn call_in(code: &CodeSource, directive: &DeclaredDirective) -> Option<MethodCall> {
    let body = code.hir.body(code.body).filter(|_| code.hir.file == directive.origin.file)?;
    let mut calls = body.exprs.iter().filter(|(_, expr)| expr.origin == directive.origin);
    calls.find_map(|(_, expr)| match &expr.kind {
        HirKind::Call(call) if *call.name == directive.word => Some((**call).clone()),
        _ => None,
    })
}

/// Returns the value of a named option of a call.
pub(super) fn option_in(code: &CodeSource, call: &MethodCall, key: &str) -> Option<ExprId> {
    let body = code.hir.body(code.body)?;
    let mut pairs: Vec<Pair> = call.args.keywords.clone();
    for argument in &call.args.positional {
        if let Element::Plain(id) = argument
            && let HirKind::Hash(inner) = body.kind(*id)
        {
            pairs.extend(inner.iter().cloned());
        }
    }
    pairs.iter().rev().find_map(|pair| match pair {
        Pair::Entry(name, value) => match body.kind(*name) {
            HirKind::Symbol(name) if &**name == key => Some(*value),
            HirKind::Str { text, .. } if &**text == key => Some(*value),
            _ => None,
        },
        Pair::Splat(_) => None,
    })
}

/// Returns the call that finds a program.
pub(super) fn which(program: Expr) -> Expr {
    match &program.kind {
        ExprKind::Call(call) if call.name.name == "which" => program,
        _ => build::call("which", vec![program]),
    }
}

/// Returns values that a fact, a platform feature or a path may have; `None` if one is not known or a regex.
fn values(value: &PlainValue) -> Option<Expr> {
    match value {
        PlainValue::Array(items) => Some(build::expr(ExprKind::Array(items.iter().map(values).collect::<Option<_>>()?))),
        PlainValue::Sym(name) | PlainValue::Str(name) => Some(words::fact(name)),
        PlainValue::Bool(_) | PlainValue::Int(_) => crate::lower::literal_of(value),
        _ => None,
    }
}

/// Returns values of a fact, or regexes. Puppet compares with small letters, which a regex with capitals never fits.
fn fact_values(value: &PlainValue) -> Option<Expr> {
    match value {
        PlainValue::Array(items) => Some(build::expr(ExprKind::Array(items.iter().map(fact_values).collect::<Option<_>>()?))),
        PlainValue::Regex(source, _) if source.chars().any(char::is_uppercase) => None,
        PlainValue::Regex(..) => crate::lower::literal_of(value),
        other => values(other),
    }
}

/// Returns the names of the methods that the statements of a block call on `self`.
fn calls_of_self(code: &CodeSource) -> Vec<Arc<str>> {
    let Some(body) = code.hir.body(code.body) else { return Vec::new() };
    let calls = body.exprs.iter().filter_map(|(_, expr)| match &expr.kind {
        HirKind::Call(call) if matches!(body.kind(call.receiver), HirKind::SelfValue) => Some(Arc::clone(&call.name)),
        _ => None,
    });
    calls.collect()
}
