//! Blanks between two pieces in one line.

use crate::syntax::token::TokenKind;

/// The pieces before a piece, and whether a lambda's parameters are open.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Before {
    pub last: Option<TokenKind>,
    pub second: Option<TokenKind>,
    pub in_pipes: bool,
    /// Whether the piece before is an operator with one operand.
    pub is_unary: bool,
}

/// Returns `true` if a token may end an operand, so that an operator after it has two operands.
pub(super) fn ends_operand(kind: TokenKind) -> bool {
    use TokenKind as Kind;
    matches!(
        kind,
        Kind::Variable
            | Kind::String
            | Kind::Word
            | Kind::Name
            | Kind::Number
            | Kind::ClassRef
            | Kind::Boolean
            | Kind::Undef
            | Kind::Default
            | Kind::Regex
            | Kind::Heredoc
            | Kind::Private
            | Kind::Attr
            | Kind::Type
            | Kind::BracketClose
            | Kind::BraceClose
            | Kind::ParenClose
            | Kind::CollectClose
            | Kind::ExportClose
    )
}

/// Returns `true` for operators between two operands of an operation: arithmetic, comparisons and logic.
pub(super) fn is_binary(kind: TokenKind) -> bool {
    (b'I'..=b'Z').contains(&(kind as u8))
}

/// Returns `true` for operators that continue an expression in the next line.
pub(super) fn is_operator(kind: TokenKind) -> bool {
    is_binary(kind) || matches!(kind, TokenKind::Assign | TokenKind::Append | TokenKind::Delete | TokenKind::Question | TokenKind::Dot)
}

/// Returns `true` if the operator has one operand.
pub(super) fn is_unary(before: &Before, kind: TokenKind) -> bool {
    match kind {
        TokenKind::Not | TokenKind::At | TokenKind::AtAt => true,
        TokenKind::Minus => !before.last.is_some_and(ends_operand),
        // `Integer *$rest` among parameters.
        TokenKind::Times => before.in_pipes || !before.last.is_some_and(ends_operand),
        _ => false,
    }
}

/// Returns the number of blanks before a token inside a line. `had` is the number in the source.
pub(super) fn blanks(before: &Before, kind: TokenKind, had: usize) -> usize {
    use TokenKind as Kind;
    let Some(last) = before.last else { return 0 };
    let keeps = had.min(1);
    match (last, kind) {
        (Kind::ParenOpen | Kind::LineParen | Kind::BracketOpen | Kind::ListStart, _) => 0,
        // Options of `case` and resources in one line are often aligned.
        (_, Kind::Colon) if had > 1 => had,
        (Kind::Colon, _) => had.max(1),
        (_, Kind::ParenClose | Kind::BracketClose | Kind::Comma | Kind::Semicolon | Kind::Colon | Kind::Dot) => 0,
        (Kind::Dot, _) => 0,
        (Kind::BraceOpen | Kind::SelectorBrace, Kind::BraceClose) => keeps,
        (Kind::Times, Kind::Arrow) => 1,
        // Parameters and assignments that are aligned stay aligned.
        (Kind::Variable, Kind::Assign) | (Kind::ClassRef | Kind::BracketClose, Kind::Variable) => had.max(1),
        (Kind::Pipe, Kind::Pipe) => 0,
        (Kind::Pipe, _) if before.in_pipes => 0,
        (_, Kind::Pipe) if before.in_pipes => 0,
        _ if before.is_unary => 0,
        (_, Kind::BracketOpen) if ends_operand(last) => 0,
        (_, Kind::ParenOpen) => paren(before, last, keeps),
        _ => 1,
    }
}

/// Calls have no blank before their arguments. Classes and defined types have a blank before their parameters.
fn paren(before: &Before, last: TokenKind, keeps: usize) -> usize {
    match before.second {
        Some(TokenKind::Class | TokenKind::Define) => 1,
        Some(TokenKind::Function) => 0,
        _ if last == TokenKind::Name || last == TokenKind::Type => 0,
        _ if ends_operand(last) => keeps,
        _ => 1,
    }
}
