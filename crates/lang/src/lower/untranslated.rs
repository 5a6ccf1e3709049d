//! Lowers `untranslated BLOCK, "why", ruby: "…"`, which the importer writes for code it cannot translate, to a block whose
//! result is not known, for the given reason.

use super::Sink;
use super::directives::{Placed, word};
use crate::diagnostics::{Code, Diagnostic};
use crate::syntax::ast::{Block, Closure, Directive, DirectiveBlock, Expr, ExprKind, Ident};

/// The directives that may be untranslated: those with a block.
const BLOCKS: &[&str] = &[
    "validate",
    "munge",
    "from_title",
    "unmunge",
    "should",
    "insync",
    "is_to_s",
    "should_to_s",
    "change_to_s",
    "retrieve",
    "sync",
    "defaultto",
    "newvalue",
    "autorequire",
    "autobefore",
    "autonotify",
    "autosubscribe",
    "canonicalize",
    "finalize",
    "pre_run_check",
    "generate",
    "eval_generate",
    "refresh",
    "confine",
];

/// Returns whether a block may be left untranslated, as a whole or in part: what is not known of a resource then is handled where it runs.
pub fn may_be_untranslated(block: &str) -> bool {
    BLOCKS.contains(&block)
}

/// Returns the directive that `untranslated` names, with a block that fails for the given reason. `is_attribute` is true in the body of an
/// attribute.
pub(super) fn untranslated(placed: &Placed<'_>, is_attribute: bool, sink: &Sink) -> Option<Directive> {
    let directive = placed.directive;
    let example = "write `untranslated munge, \"why\", ruby: \"…\"`";
    let [name, between @ .., why] = directive.args.as_slice() else {
        let d = Diagnostic::new(Code::WrongArity, directive.name.span, "`untranslated` takes the name of a block and the reason");
        sink.report(d.help(example));
        return None;
    };
    let (block, span) = word(name, "the name of a block", sink)?;
    if !may_be_untranslated(block) {
        let d = Diagnostic::new(Code::WrongArgument, span, format!("`{block}` cannot be left untranslated"));
        sink.report(d.help(example));
        return None;
    }
    if !matches!(why.kind, ExprKind::Str(_)) {
        sink.report(Diagnostic::new(Code::WrongArgument, why.span, "the reason is a text").help(example));
        return None;
    }
    let reached = Expr { kind: ExprKind::Untranslated(Box::new(why.clone())), span: why.span };
    let body = Block { statements: vec![reached], span: directive.span };
    Some(Directive {
        name: Ident { name: block.into(), span },
        // In Puppet, these blocks replace the checks and conversions that the attribute has without them.
        is_override: is_attribute && matches!(block, "validate" | "munge"),
        args: between.to_vec(),
        options: Vec::new(),
        condition: None,
        block: Some(DirectiveBlock::Code(Closure { params: Vec::new(), body, span: directive.span })),
        span: directive.span,
    })
}
