//! Builds syntax trees without spans.

use rtype_lang::source::Span;
use rtype_lang::syntax::ast::{BinaryOp, Block, Call, Closure, Expr, ExprKind, Ident, Quote, RegexLit, StrLit, StrPart, UnaryOp};
use rtype_lang::value::Flags;

/// How tightly an expression binds, as in the grammar of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Binding {
    Statement,
    Ternary,
    Or,
    And,
    Comparison,
    Sum,
    Product,
    Unary,
    Postfix,
}

pub fn expr(kind: ExprKind) -> Expr {
    Expr { kind, span: Span::NONE }
}

pub fn ident(name: &str) -> Ident {
    Ident { name: name.into(), span: Span::NONE }
}

pub fn name(text: &str) -> Expr {
    expr(ExprKind::Name(text.into()))
}

pub fn literal(parts: Vec<StrPart>, quote: Quote) -> StrLit {
    StrLit { parts, quote, span: Span::NONE }
}

pub fn string(text: &str) -> Expr {
    expr(ExprKind::Str(literal(vec![StrPart::Text(text.into())], Quote::Double)))
}

pub fn block(statements: Vec<Expr>) -> Block {
    Block { statements, span: Span::NONE }
}

pub fn closure(params: Vec<Ident>, statements: Vec<Expr>) -> Closure {
    Closure { params, body: block(statements), span: Span::NONE }
}

/// Returns whether a statement at most gives variables values that are read.
pub fn has_no_effect(statement: &Expr) -> bool {
    match &statement.kind {
        ExprKind::Let(_, value) => only_reads(value),
        ExprKind::Assign { target, value, .. } => matches!(target.kind, ExprKind::Name(_)) && only_reads(value),
        _ => only_reads(statement),
    }
}

/// Returns whether an expression reads a variable, an attribute or a constant, and nothing else.
pub fn only_reads(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Nil | ExprKind::Bool(_) | ExprKind::Int(_) | ExprKind::Symbol(_) | ExprKind::Name(_) => true,
        ExprKind::Method(of, call) => of.kind == ExprKind::SelfRef && call.args.is_empty() && call.closure.is_none(),
        _ => false,
    }
}

pub fn call(name: &str, args: Vec<Expr>) -> Expr {
    expr(ExprKind::Call(Call { name: ident(name), args, named: Vec::new(), closure: None, parens: true }))
}

pub fn method(receiver: Expr, name: &str, args: Vec<Expr>, closure: Option<Closure>) -> Expr {
    let parens = !args.is_empty();
    let call = Call { name: ident(name), args, named: Vec::new(), closure, parens };
    expr(ExprKind::Method(Box::new(operand(receiver, Binding::Postfix)), call))
}

pub fn attribute(name: &str) -> Expr {
    method(expr(ExprKind::SelfRef), name, Vec::new(), None)
}

pub fn not(value: Expr) -> Expr {
    match value.kind {
        ExprKind::Unary(UnaryOp::Not, inner) => *inner,
        _ => expr(ExprKind::Unary(UnaryOp::Not, Box::new(operand(value, Binding::Unary)))),
    }
}

pub fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    let level = binding_of(op);
    let right_level = match level {
        Binding::Or => Binding::And,
        Binding::And => Binding::Comparison,
        Binding::Comparison => Binding::Sum,
        Binding::Sum => Binding::Product,
        _ => Binding::Unary,
    };
    // Comparisons are not associative.
    let left_level = if level == Binding::Comparison { Binding::Sum } else { level };
    let (left, right) = (Box::new(operand(left, left_level)), Box::new(operand(right, right_level)));
    expr(ExprKind::Binary { op, op_span: Span::NONE, left, right })
}

fn binding_of(op: BinaryOp) -> Binding {
    match op {
        BinaryOp::Or => Binding::Or,
        BinaryOp::And => Binding::And,
        BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Intersect => Binding::Sum,
        BinaryOp::Power | BinaryOp::Multiply | BinaryOp::Modulo => Binding::Product,
        _ => Binding::Comparison,
    }
}

fn binding(value: &Expr) -> Binding {
    match &value.kind {
        ExprKind::Binary { op, .. } => binding_of(*op),
        ExprKind::Unary(..) => Binding::Unary,
        ExprKind::Ternary(..) => Binding::Ternary,
        ExprKind::Int(n) if *n < 0 => Binding::Unary,
        ExprKind::If { .. }
        | ExprKind::Match(..)
        | ExprKind::Try { .. }
        | ExprKind::Fail(_)
        | ExprKind::Return(_)
        | ExprKind::Next(_)
        | ExprKind::Let(..)
        | ExprKind::Assign { .. }
        | ExprKind::Modified(..)
        | ExprKind::Range { .. } => Binding::Statement,
        _ => Binding::Postfix,
    }
}

/// Gives a statement the place of the code that it is translated from. Literals are printed as the place has them, and get none.
pub fn anchored(value: Expr, span: Span) -> Expr {
    use ExprKind::{Array, Float, Int, Map, Paren, Super, Words};
    let is_literal =
        matches!(value.kind, Array(_) | Float(_) | Int(_) | Map(_) | Paren(_) | Super(_) | Words(_) | ExprKind::Untranslated(_));
    if is_literal { value } else { Expr { span, ..value } }
}

/// Returns the span with which the printer keeps the layout of a Ruby block. A short block is printed on one line: its span is the end of its code.
pub fn span_of_block(block: &Block, code: Span) -> Span {
    let is_tall = |e: &Expr| matches!(e.kind, ExprKind::If { .. } | ExprKind::Match(..) | ExprKind::Try { .. });
    match block.statements.as_slice() {
        _ if code.is_none() => code,
        [] => code,
        [only] if !is_tall(only) => Span::new(code.end.saturating_sub(1), code.end),
        _ => code,
    }
}

/// Returns whether the text of an expression begins with a brace.
pub fn begins_with_brace(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Map(_) => true,
        ExprKind::Index(of, _) | ExprKind::Method(of, _) | ExprKind::Ternary(of, ..) => begins_with_brace(of),
        ExprKind::Binary { left, .. } => begins_with_brace(left),
        _ => false,
    }
}

/// Puts an operand in parentheses if it binds less tightly.
pub fn operand(value: Expr, least: Binding) -> Expr {
    if binding(&value) >= least { value } else { expr(ExprKind::Paren(Box::new(value))) }
}

pub fn regex(source: String, flags: Flags) -> Expr {
    expr(ExprKind::Regex(RegexLit { source: source.into(), flags, source_span: Span::NONE }))
}
