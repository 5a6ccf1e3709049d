//! Finds blocks left in Ruby that affect a whole run, such as its order.

use super::verdict::view_of;
use super::{Context, Instance, Phase, generated};
use rtype_lang::eval::{Failure, Frame, run};
use rtype_lang::types::{CodeBlock, TypeCheck, TypeDef};

/// The message about a rule that cannot be checked without a machine or a compiler.
pub const UNDECIDED: &str = "not checked: a rule depends on an unknown value";

/// A block left in Ruby on which a run depends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undecided {
    /// The directive: `pre_run_check`.
    pub block: String,
    /// The reason that the importer gives.
    pub reason: String,
}

/// Returns true if part of a type's blocks or functions is left in Ruby. Otherwise, [`undecided`] returns an empty list for all the type's
/// resources.
pub fn may_be_undecided(type_def: &TypeDef) -> bool {
    let checks = type_def.checks.iter().map(|check| match check {
        TypeCheck::Finalize(code) | TypeCheck::Validate(code) => code,
    });
    let optional = [&type_def.generate, &type_def.eval_generate].into_iter().flatten();
    let blocks = checks.chain(&type_def.pre_run_checks).chain(&type_def.late_finalizes).chain(optional);
    let functions = type_def.program.functions.iter().map(|function| &function.code);
    blocks.chain(functions).any(CodeBlock::has_untranslated)
}

/// Returns the instance's blocks that affect the run and fail because of code left in Ruby. Relation blocks are excluded, because building
/// the order evaluates them. The catalog must be complete.
pub fn undecided(instance: &Instance, context: Context<'_>) -> Vec<Undecided> {
    let type_def = &*instance.type_def;
    let view = view_of(instance, context, None);
    let fails = |code: &CodeBlock| {
        let frame = Frame { scope: &view, attribute: None, is: None, should: None, base: None };
        run(code, &[], &frame).err().filter(Failure::is_untranslated)
    };
    let mut found = Vec::new();
    let mut add = |block: String, reason: String| found.push(Undecided { block, reason });
    if let Some(failure) = generated(instance, Phase::Early, None, context).err().filter(Failure::is_untranslated) {
        add("generate".to_owned(), failure.message);
    }
    // Blocks only partly left in Ruby run after the resource has been read.
    let late = type_def.eval_generate.iter().map(|code| ("eval_generate", code));
    let late = late.chain(type_def.late_finalizes.iter().map(|code| ("late_finalize", code))).filter(|(_, code)| code.is_untranslated());
    for (block, code) in type_def.pre_run_checks.iter().map(|code| ("pre_run_check", code)).chain(late) {
        if let Some(failure) = fails(code) {
            add(block.to_owned(), failure.message);
        }
    }
    found
}
