//! What it does: Reports statements after `return`, `next` and `fail`, and `match` arms after an arm that matches everything they
//! match.
//!
//! Why: This code never runs. A condition is missing, or the order is wrong.
//!
//! Example:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty color {
//!     munge { |v|
//!       match v {
//!         /\Ared/     => "red"
//!         /\Areddish/ => "pink"
//!         _           => v
//!       }
//!     }
//!   }
//! }
//! ```
//!
//! Better:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty color {
//!     munge { |v|
//!       match v {
//!         /\Areddish/ => "pink"
//!         /\Ared/     => "red"
//!         _           => v
//!       }
//!     }
//!   }
//! }
//! ```
//!
//! Regexes are compared by the strings that they match.

use crate::check::{FileSubject, Sink};
use rtype_lang::source::Span;
use rtype_lang::syntax::ast::{Arm, Block, Expr, ExprKind};
use rtype_lang::syntax::visit::{Visit, walk, walk_block, walk_expr};
use rtype_lang::value::Regex;
use std::cell::OnceCell;

pub fn check(file: &FileSubject<'_>, sink: &mut Sink<'_>) {
    walk(&mut Reach { sink }, file.ast);
}

struct Reach<'s, 'k> {
    sink: &'s mut Sink<'k>,
}

impl<'a> Visit<'a> for Reach<'_, '_> {
    fn block(&mut self, block: &'a Block) {
        if let Some(end) = block.statements.iter().position(leaves)
            && let (Some(last), Some(first)) = (block.statements.get(end), block.statements.get(end + 1))
        {
            let rest = block.statements.last().map_or(first.span, |l| first.span.to(l.span));
            let found = self.sink.finding(rest, "this is never reached");
            self.sink.report(found.also(last.span, "leaves here in any case").help("drop it, or make what leaves conditional"));
        }
        walk_block(self, block);
    }

    fn expr(&mut self, expr: &'a Expr) {
        if let ExprKind::Match(_, arms) = &expr.kind {
            self.arms(arms);
        }
        walk_expr(self, expr);
    }
}

/// Returns `true` if the code after a statement is unreachable.
fn leaves(expr: &Expr) -> bool {
    let block = |b: &Block| b.statements.iter().any(leaves);
    match &expr.kind {
        ExprKind::Return(_) | ExprKind::Next(_) | ExprKind::Fail(..) | ExprKind::Untranslated(_) => true,
        ExprKind::Paren(inner) => leaves(inner),
        ExprKind::If { branches, otherwise: Some(otherwise) } => block(otherwise) && branches.iter().all(|(_, b)| block(b)),
        ExprKind::Match(_, arms) => !arms.is_empty() && arms.iter().all(|a| block(&a.body)),
        _ => false,
    }
}

/// An arm's pattern, with the regex if the pattern is a regex.
struct Seen<'a> {
    pattern: &'a Expr,
    regex: OnceCell<Option<Regex>>,
}

impl Seen<'_> {
    fn regex(&self) -> Option<&Regex> {
        let compile = || match &self.pattern.kind {
            ExprKind::Regex(literal) => Regex::new(&literal.source, literal.flags).ok(),
            _ => None,
        };
        self.regex.get_or_init(compile).as_ref()
    }

    /// Returns `true` if this pattern matches everything that another pattern matches.
    fn covers(&self, other: &Seen<'_>) -> bool {
        match (&self.pattern.kind, &other.pattern.kind) {
            (ExprKind::Name(name), _) if name == "_" || name == "Any" => true,
            (ExprKind::Name(a), ExprKind::Name(b)) => a == b,
            (ExprKind::Name(name), ExprKind::Str(text)) => name == "String" && text.plain().is_some(),
            (ExprKind::Name(name), ExprKind::Symbol(_)) => name == "Symbol",
            (ExprKind::Name(name), ExprKind::Int(_)) => name == "Integer",
            (ExprKind::Name(name), ExprKind::Bool(_)) => name == "Boolean",
            (ExprKind::Str(a), ExprKind::Str(b)) => a.plain().is_some() && a.plain() == b.plain(),
            (ExprKind::Symbol(a), ExprKind::Symbol(b)) => a == b,
            (ExprKind::Int(a), ExprKind::Int(b)) => a == b,
            (ExprKind::Bool(a), ExprKind::Bool(b)) => a == b,
            (ExprKind::Nil, ExprKind::Nil) => true,
            (ExprKind::Regex(_), ExprKind::Str(text)) => {
                text.plain().is_some_and(|text| self.regex().is_some_and(|regex| regex.is_match(&text)))
            }
            (ExprKind::Regex(_), ExprKind::Symbol(text)) => self.regex().is_some_and(|regex| regex.is_match(text)),
            (ExprKind::Regex(a), ExprKind::Regex(b)) => {
                let includes = || self.regex().zip(other.regex()).and_then(|(a, b)| a.includes(b)) == Some(true);
                (a.source == b.source && a.flags == b.flags) || includes()
            }
            _ => false,
        }
    }
}

/// Maximum number of patterns in a `match` for which all pairs are compared.
const MANY: usize = 64;

impl Reach<'_, '_> {
    fn arms(&mut self, arms: &[Arm]) {
        let mut seen: Vec<Seen<'_>> = Vec::new();
        for arm in arms {
            let before = seen.len();
            for pattern in &arm.patterns {
                let pattern = Seen { pattern, regex: OnceCell::new() };
                match seen.iter().take(MANY).find(|s| s.covers(&pattern)) {
                    Some(earlier) => self.report(arm, pattern.pattern.span, earlier.pattern.span),
                    None => seen.push(pattern),
                }
            }
            if arm.guard.is_some() {
                seen.truncate(before);
            }
        }
    }

    fn report(&mut self, arm: &Arm, span: Span, earlier: Span) {
        let what = if arm.patterns.len() == 1 { "this arm" } else { "this pattern" };
        let found = self.sink.finding(span, format!("{what} is never reached"));
        self.sink.report(found.also(earlier, "takes all of it").help("drop it, or put it first"));
    }
}
