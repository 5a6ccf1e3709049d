//! Reports assignments in place of conditions: `=` written for `==`.

use super::block::{BlockKind, BlockLowerer, BlockResult};
use crate::diagnostics::{Code, Diagnostic};
use crate::syntax::ast::{Block, Expr, ExprKind};

impl BlockKind {
    /// Returns `true` if the block returns a condition.
    pub(super) fn gives_truth(self) -> bool {
        self.gives == BlockResult::Condition
    }
}

impl BlockLowerer<'_> {
    /// Reports assignments as the value of an expression used as a condition.
    pub(super) fn refuse_assignment(&self, expr: &Expr) {
        let block = |block: &Block| self.refuse_assignment_at_end(block);
        match &expr.kind {
            // Other assignment targets are refused in such a block anyway.
            ExprKind::Assign { target, .. } if matches!(target.kind, ExprKind::Name(_)) => {
                let d = Diagnostic::new(Code::NotAllowedHere, expr.span, "expected a condition, found an assignment");
                self.scope.sink.report(d.help("compare with `==`"));
            }
            ExprKind::Paren(inner) | ExprKind::Modified(inner, _) => self.refuse_assignment(inner),
            ExprKind::Ternary(_, yes, no) => {
                self.refuse_assignment(yes);
                self.refuse_assignment(no);
            }
            ExprKind::If { branches, otherwise } => {
                branches.iter().map(|(_, b)| b).chain(otherwise).for_each(block);
            }
            ExprKind::Match(_, arms) => arms.iter().for_each(|arm| block(&arm.body)),
            ExprKind::Try { body, otherwise, .. } => {
                block(body);
                block(otherwise);
            }
            _ => {}
        }
    }

    /// Reports an assignment as the last statement of a block used as a condition.
    pub(super) fn refuse_assignment_at_end(&self, block: &Block) {
        if let Some(last) = block.statements.last() {
            self.refuse_assignment(last);
        }
    }
}
