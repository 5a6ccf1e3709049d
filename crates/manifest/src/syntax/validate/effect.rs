//! Statements whose value is not used.

use super::super::token::TokenKind;
use super::super::tree::{Expression, ExpressionKind, ResourceForm};
use super::Validator;
use rtype_lang::diagnostics::{Code, Diagnostic};

/// Constructs of other Puppet programs or versions.
const FOREIGN: &[(&str, &str)] = &[
    ("plan", "plans are run by Bolt; they are not supported in manifests"),
    ("application", "application orchestration was removed in Puppet 6"),
    ("site", "application orchestration was removed in Puppet 6"),
    ("for", "`for` is not a keyword: loop with `$array.each |$element| { … }`"),
    ("foreach", "`foreach` is not a keyword: loop with `$array.each |$element| { … }`"),
    ("not", "`not` is not an operator: write `!`"),
    ("import", "`import` was removed in Puppet 4: put each class into its own file"),
];

/// Returns `true` if a statement does nothing but compute a value.
pub(super) fn has_no_effect(expression: &Expression) -> bool {
    use ExpressionKind as Kind;
    match &expression.kind {
        Kind::Undef | Kind::Default | Kind::Boolean(_) | Kind::Integer { .. } | Kind::Float(_) => true,
        Kind::Text(_) | Kind::Pattern(_) | Kind::Interpolated(_) | Kind::Heredoc(_) => true,
        Kind::Name(_) | Kind::TypeName(_) | Kind::Variable(_) => true,
        Kind::Array(_) | Kind::Hash(_) | Kind::Access(_) | Kind::Selector(_) | Kind::Unary(..) => true,
        Kind::Paren(inner) => has_no_effect(inner),
        Kind::Binary(binary) => !matches!(
            binary.operator,
            TokenKind::Matches
                | TokenKind::NotMatches
                | TokenKind::Before
                | TokenKind::Notify
                | TokenKind::Require
                | TokenKind::Subscribe
                | TokenKind::Assign
                | TokenKind::Append
                | TokenKind::Delete
        ),
        Kind::Block(statements) => statements.iter().all(has_no_effect),
        Kind::If(conditional) => {
            let is_idle = |body: &[Expression]| body.iter().all(has_no_effect);
            conditional.branches.iter().all(|b| has_no_effect(&b.condition) && is_idle(&b.body))
                && conditional.otherwise.as_deref().is_none_or(is_idle)
        }
        Kind::Case(case) => has_no_effect(&case.subject) && case.options.iter().all(|o| o.values.iter().chain(&o.body).all(has_no_effect)),
        _ => false,
    }
}

/// Names a kind of expression in messages.
pub(super) fn describe(expression: &Expression) -> &'static str {
    use ExpressionKind as Kind;
    match &expression.kind {
        Kind::Undef => "`undef`",
        Kind::Default => "`default`",
        Kind::Boolean(_) => "boolean",
        Kind::Integer { .. } | Kind::Float(_) => "number",
        Kind::Text(_) | Kind::Interpolated(_) => "string",
        Kind::Heredoc(_) => "heredoc",
        Kind::Pattern(_) => "regex",
        Kind::Name(_) => "name",
        Kind::TypeName(_) => "type",
        Kind::Variable(_) => "variable",
        Kind::Array(_) => "array",
        Kind::Hash(_) => "hash",
        Kind::Access(_) => "access by index",
        Kind::Selector(_) => "selector",
        Kind::If(conditional) if conditional.is_unless => "`unless`",
        Kind::If(_) => "`if`",
        Kind::Case(_) => "`case`",
        Kind::Call(_) | Kind::Method(_) => "call",
        Kind::Resource(_) | Kind::Defaults(_) | Kind::Override(_) => "resource",
        Kind::Collector(_) => "collector",
        Kind::Definition(_) | Kind::Node(_) | Kind::TypeAlias(_) => "definition",
        _ => "expression",
    }
}

impl Validator {
    /// Reports the first statement, other than the last, that only computes a value.
    pub(super) fn unused_values(&mut self, statements: &[Expression]) {
        if let Some(name) = untitled_resource(statements).filter(|_| self.is_complete) {
            let span = statements.first().map_or_else(Default::default, |s| s.span);
            let found = Diagnostic::new(Code::Syntax, span, format!("missing title of the resource `{name}`"));
            return self.report(found.help(format!("write `{name} {{ 'title': … }}`")));
        }
        let Some((_, others)) = statements.split_last() else { return };
        let Some((at, unused)) = others.iter().enumerate().find(|(_, s)| has_no_effect(s)) else { return };
        if self.is_foreign(unused) || !self.is_complete {
            return;
        }
        let next = statements.get(at + 1);
        let found = Diagnostic::new(Code::Syntax, unused.span, format!("unused value: this {} has no effect", describe(unused)));
        self.report(match (&unused.kind, next.map(|n| &n.kind)) {
            (ExpressionKind::Name(name), Some(ExpressionKind::Text(_) | ExpressionKind::Interpolated(_) | ExpressionKind::Variable(_))) => {
                found.help(format!("a call of `{name}` needs parentheses: `{name}(…)`"))
            }
            (ExpressionKind::Name(name), Some(ExpressionKind::Resource(resource))) if resource.form == ResourceForm::Regular => {
                found.help(format!("`{name}` is not a keyword: remove the word, or add an operator"))
            }
            (ExpressionKind::Variable(name), Some(_)) => found.help(format!("an operator such as `=` is missing after `${name}`")),
            _ => found,
        });
    }

    fn is_foreign(&mut self, unused: &Expression) -> bool {
        let ExpressionKind::Name(name) = &unused.kind else { return false };
        let Some((_, message)) = FOREIGN.iter().find(|(foreign, _)| foreign == name) else { return false };
        self.error(unused.span, *message);
        true
    }

    /// Reports an unused value at the end of a body.
    pub(super) fn last_value(&mut self, body: &[Expression], owner: &str) {
        let Some(last) = body.last().filter(|last| self.is_complete && has_no_effect(last)) else { return };
        let is_untitled = matches!(&last.kind, ExpressionKind::Block(inner) if untitled_resource(inner).is_some());
        if !is_untitled {
            self.error(last.span, format!("unused value: {owner} cannot end with this {}, which has no effect", describe(last)));
        }
    }
}

/// Returns the name in `name { attribute => value }`, which Puppet reads as a name and a hash.
fn untitled_resource(statements: &[Expression]) -> Option<&str> {
    match statements {
        [Expression { kind: ExpressionKind::Name(name), .. }, Expression { kind: ExpressionKind::Hash(_), .. }] => Some(name),
        _ => None,
    }
}
