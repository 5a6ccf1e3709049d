//! Comments, each with its statement.

use super::{BodyId, ExprId, HirText, SourceRange};

/// A comment of the source.
#[derive(Clone, Debug)]
pub struct SourceComment {
    /// The comment with `#`, or from `=begin` to `=end`.
    pub text: HirText,
    /// The source.
    pub origin: SourceRange,
    /// Where the comment is.
    pub placement: CommentPlacement,
    /// The comment's statement; none after the last statement.
    pub statement: Option<(BodyId, ExprId)>,
}

/// Where a comment is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommentPlacement {
    /// On a separate line, before the statement.
    Before,
    /// After code on the same line. The statement begins on this line, or is the last statement before the comment.
    Trailing,
}

/// A statement with the offset of the first byte.
pub(super) type StatementStart = (u32, BodyId, ExprId);

/// Assigns each comment to a statement.
pub(super) fn attach(text: &str, found: Vec<(HirText, SourceRange)>, statements: &mut [StatementStart]) -> Vec<SourceComment> {
    statements.sort_by_key(|(start, body, _)| (*start, *body));
    found
        .into_iter()
        .map(|(comment, origin)| {
            let before = text.get(..origin.start as usize).unwrap_or_default();
            let line_start = before.rfind('\n').map_or(0, |at| at + 1);
            let is_alone = before.get(line_start..).is_none_or(|line| line.trim().is_empty());
            let next = statements.partition_point(|(start, ..)| *start < origin.start);
            let (placement, position) =
                if is_alone { (CommentPlacement::Before, Some(next)) } else { (CommentPlacement::Trailing, next.checked_sub(1)) };
            let first_of_line = position.map(|last| first_on_line(statements, last, line_start, is_alone));
            let statement = first_of_line.and_then(|at| statements.get(at)).map(|(_, body, expr)| (*body, *expr));
            SourceComment { text: comment, origin, placement, statement }
        })
        .collect()
}

/// Returns the index of the first statement on a trailing comment's line, or the given index.
fn first_on_line(statements: &[StatementStart], last: usize, line_start: usize, is_alone: bool) -> usize {
    if is_alone {
        return last;
    }
    let first = statements.partition_point(|(start, ..)| (*start as usize) < line_start);
    first.min(last)
}
