//! Expressions between the declarations of a body: their translation includes the assignments of the variables that they read.

use super::{BlockRole, BodyLowering, FunctionTable, Lowered, LoweringEffects, TypeNames, UntranslatedCode, UntranslatedReason};
use crate::facts::BodyFacts;
use rtype_lang::syntax::ast::Expr;
use rtype_ruby::hir::{ExprId, HirKind, LocalId};
use rtype_ruby::run::{CodeSource, Interpreter};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Translates parts of a body. Returns the parts that are left in Ruby, too.
///
/// # Errors
/// Returns the first part that cannot be translated, if `translate` does.
pub(crate) fn in_body<T>(
    run: &mut Interpreter<'_>,
    names: &TypeNames,
    code: &CodeSource,
    role: &BlockRole,
    translate: impl FnOnce(&mut BodyLowering<'_, '_, '_>) -> Lowered<T>,
) -> Lowered<(T, Vec<UntranslatedCode>)> {
    let mut functions = FunctionTable::default();
    let facts = BodyFacts::of(&code.hir, code.body, role.self_object, &role.params, None);
    let mut lowering = BodyLowering {
        run,
        functions: &mut functions,
        names,
        role,
        hir: Arc::clone(&code.hir),
        body: code.body,
        facts: &facts,
        block: code.block.clone(),
        class: code.class,
        depth: 0,
        nesting: 0,
        declared: BTreeSet::new(),
        handled: None,
        around: BTreeMap::new(),
        effects: LoweringEffects::default(),
    };
    let result = translate(&mut lowering)?;
    Ok((result, lowering.effects.parts))
}

impl BodyLowering<'_, '_, '_> {
    /// Returns the statements of the body.
    pub(crate) fn statements(&self) -> Vec<ExprId> {
        let Some(body) = self.hir.body(self.body) else { return Vec::new() };
        match body.kind(body.root) {
            HirKind::Seq(all) => all.clone(),
            _ => vec![body.root],
        }
    }

    /// Translates the assignments of the variables that some expressions read, and then the expressions with `finish`.
    pub(crate) fn slice(&mut self, values: &[ExprId], finish: impl FnOnce(&mut Self) -> Lowered) -> Lowered<Vec<Expr>> {
        let Some(first) = values.iter().map(|id| self.origin(*id).start).min() else {
            return self.fail(UntranslatedReason::Form("an empty condition"), Default::default());
        };
        let mut wanted: BTreeSet<LocalId> = BTreeSet::new();
        values.iter().for_each(|id| wanted.extend(self.locals_in(*id, 0).0));
        let needed = self.assigning(&mut wanted, first);
        let mut out = self.assignments_around(values.iter().chain(&needed).copied().collect())?;
        for statement in needed {
            self.statement(statement, false, &mut out)?;
        }
        let value = finish(self)?;
        out.push(value);
        Ok(out)
    }

    /// Returns the statements before an offset that assign variables. Adds the variables that these statements read.
    fn assigning(&self, wanted: &mut BTreeSet<LocalId>, before: u32) -> Vec<ExprId> {
        let mut all = Vec::new();
        let statements = self.statements().into_iter().filter(|id| self.origin(*id).start < before);
        for statement in statements.collect::<Vec<_>>().into_iter().rev() {
            let (read, assigned) = self.locals_in(statement, 0);
            if assigned.iter().any(|local| wanted.contains(local)) {
                wanted.extend(read);
                all.push(statement);
            }
        }
        all.reverse();
        all
    }

    /// Translates the assignments of the variables around the block that some expressions read and whose values are not known.
    fn assignments_around(&mut self, values: Vec<ExprId>) -> Lowered<Vec<Expr>> {
        let parent = self.hir.body(self.body).and_then(|body| body.parent);
        let (Some(parent), Some(block)) = (parent, self.block.clone()) else { return Ok(Vec::new()) };
        let mut wanted: BTreeSet<LocalId> = BTreeSet::new();
        values.iter().for_each(|id| wanted.extend(self.locals_in(*id, 1).0));
        wanted.retain(|local| super::literal_of(&self.run.outer_variable(&block, 1, *local)).is_none());
        let Some(start) = self.hir.body(self.body).map(|body| body.origin.start).filter(|_| !wanted.is_empty()) else {
            return Ok(Vec::new());
        };
        let code = CodeSource { hir: Arc::clone(&self.hir), body: parent, block: None, class: self.class };
        let (read, (statements, parts)) = (
            wanted.clone(),
            in_body(self.run, self.names, &code, self.role, |outer| {
                let mut out = Vec::new();
                for statement in outer.assigning(&mut wanted, start) {
                    outer.statement(statement, false, &mut out)?;
                }
                Ok(out)
            })?,
        );
        self.effects.parts.extend(parts);
        let hir = Arc::clone(&self.hir);
        if let Some(body) = hir.body(parent) {
            self.around.extend(read.into_iter().map(|local| ((1, local), super::local_name(body, local))));
        }
        Ok(statements)
    }

    /// Returns the mentioned and the assigned variables of an expression: of the body (0) or of a body around it.
    fn locals_in(&self, root: ExprId, beyond: u32) -> (Vec<LocalId>, Vec<LocalId>) {
        let (mut counts, mut assigned) = (BTreeMap::new(), Vec::new());
        self.mentions(root, beyond, &mut counts, &mut assigned);
        (counts.into_keys().collect(), assigned)
    }
}
