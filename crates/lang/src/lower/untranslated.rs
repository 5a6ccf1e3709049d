//! Lowers `untranslated BLOCK, "why", ruby: "…"` to a block with an unknown result, for the given reason. The importer writes this
//! directive for code that it cannot translate.

use super::Sink;
use super::directives::{Placed, word};
use crate::diagnostics::{Code, Diagnostic};
use crate::syntax::ast::{Block, Closure, Directive, DirectiveBlock, Expr, ExprKind, Ident};
use crate::types::Role;

/// The directives that may be untranslated: directives with a block.
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
    "defaultfor",
];

/// Returns `true` if a block may be left untranslated, completely or in part. The run then handles the unknown parts of the resource.
pub fn may_be_untranslated(block: &str) -> bool {
    BLOCKS.contains(&block)
}

/// Returns `true` if a directive is `untranslated attribute`.
pub(super) fn is_untranslated_attribute(directive: &Directive) -> bool {
    let is_it = |argument: &Expr| matches!(&argument.kind, ExprKind::Word(word) if word == "attribute");
    directive.name.name == "untranslated" && directive.args.first().is_some_and(is_it)
}

/// Returns the directives that `untranslated` names, each with a block that fails for the given reason; `role` is the role of the
/// enclosing attribute. `untranslated attribute` replaces the blocks that convert, check and compare the attribute.
pub(super) fn untranslated(placed: &Placed<'_>, role: Option<Role>, sink: &Sink) -> Vec<Directive> {
    let directive = placed.directive;
    let example = "write `untranslated munge, \"why\", ruby: \"…\"`";
    let [name, between @ .., why] = directive.args.as_slice() else {
        let d = Diagnostic::new(Code::WrongArity, directive.name.span, "`untranslated` takes the name of a block and the reason");
        sink.report(d.help(example));
        return Vec::new();
    };
    let Some((block, span)) = word(name, "the name of a block", sink) else { return Vec::new() };
    let blocks: &[&str] = match role {
        Some(Role::Property) if block == "attribute" => &["validate", "munge", "insync"],
        Some(_) if block == "attribute" => &["validate", "munge"],
        _ if may_be_untranslated(block) => &[block],
        _ => {
            let d = Diagnostic::new(Code::WrongArgument, span, format!("`{block}` cannot be left untranslated"));
            sink.report(d.help(example));
            return Vec::new();
        }
    };
    if !matches!(why.kind, ExprKind::Str(_)) {
        sink.report(Diagnostic::new(Code::WrongArgument, why.span, "the reason is a text").help(example));
        return Vec::new();
    }
    let reached = Expr { kind: ExprKind::Untranslated(Box::new(why.clone())), span: why.span };
    let body = Block { statements: vec![reached], span: directive.span };
    let failing = |block: &&str| Directive {
        name: Ident { name: (*block).into(), span },
        // In Puppet, these blocks replace the checks and conversions that the attribute has without them.
        is_override: role.is_some() && matches!(*block, "validate" | "munge"),
        args: between.to_vec(),
        options: Vec::new(),
        condition: None,
        block: Some(DirectiveBlock::Code(Closure { params: Vec::new(), body: body.clone(), span: directive.span })),
        span: directive.span,
    };
    blocks.iter().map(failing).collect()
}
