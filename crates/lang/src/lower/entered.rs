//! Lowers statements that are not part of a file: what users enter at a prompt.

use super::block::{Bindings, BlockKind, BlockResult, TypeScope};
use super::names::Names;
use super::{Sink, test};
use crate::diagnostics::{Diagnostic, Outcome};
use crate::source::Span;
use crate::syntax::ast::{Ast, Block};
use crate::types::{CodeBlock, TypeDef};
use indexmap::IndexMap;

/// Statements that see a resource and what it is compared with.
const OF_RESOURCE: BlockKind = BlockKind {
    name: "an expression",
    of: "prompts",
    params: &[],
    gives: BlockResult::Other("any value"),
    action: false,
    sees_is: true,
    writes_self: false,
    has_super: false,
    sees_self: true,
    sees_outcomes: false,
    bare_attributes: true,
};

/// Lowers statements that see a resource of a type; without a type, they see the machine only. The value is absent if there is an error.
pub fn lower_entered(block: &Block, type_def: Option<&TypeDef>) -> Outcome<Option<CodeBlock>> {
    let sink = Sink::default();
    let empty = Ast { items: Vec::new(), comments: Vec::new(), span: Span::NONE };
    let names = Names::collect(&empty, &[], &sink);
    let (scope, kind) = match type_def {
        Some(type_def) => (test::scope(type_def, &names, &sink), OF_RESOURCE),
        None => (machine(&names, &sink), BlockKind { sees_is: false, sees_self: false, ..OF_RESOURCE }),
    };
    let code = scope.code(&[], block, block.span, kind, &Bindings::default());
    let failed = sink.error_count() > 0;
    let mut diagnostics = sink.diagnostics.into_inner();
    diagnostics.sort_by_key(Diagnostic::span);
    Outcome { value: (!failed).then_some(code), diagnostics }
}

/// Returns the scope of code that has no resource.
fn machine<'a>(names: &'a Names<'a>, sink: &'a Sink) -> TypeScope<'a> {
    TypeScope {
        names,
        sink,
        owner: Span::NONE,
        attributes: Default::default(),
        attribute_spans: Vec::new(),
        open: false,
        falsy: Default::default(),
        features: IndexMap::new(),
        functions: IndexMap::new(),
        queries: IndexMap::new(),
        actions: IndexMap::new(),
        has_providers: false,
        reads_raw: Default::default(),
    }
}
