//! Lowers statements that users enter at a prompt.

use super::block::{Bindings, BlockKind, BlockResult, TypeScope};
use super::functions::{collect_functions, features, lower_functions};
use super::names::Names;
use super::{Sink, test};
use crate::diagnostics::{Diagnostic, Outcome};
use crate::source::Span;
use crate::syntax::ast::{Ast, Block, Ident};
use crate::types::{CodeBlock, Program, TypeDef};
use crate::value::EcoString;
use indexmap::IndexMap;

/// Statements with access to a resource, `is` and `should`.
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

/// Names that entered statements can use.
#[derive(Clone, Copy, Default)]
pub struct EnteredScope<'a> {
    /// Files with functions, constants and platform features to use; the first definition of a name counts.
    pub definitions: &'a [&'a Ast],
    /// Variables. Their values are the arguments of the code.
    pub variables: &'a [EcoString],
    /// The type of the resource. Without a type, statements have no access to a resource.
    pub type_def: Option<&'a TypeDef>,
}

/// Entered statements, ready to run.
#[derive(Debug)]
pub struct EnteredCode {
    /// The statements; their parameters are [`EnteredScope::variables`].
    pub code: CodeBlock,
    /// The type's functions, followed by the functions in the definitions.
    pub program: Program,
    /// The variables and the locals of the outermost block, with their slots. A later entry replaces earlier entries with the same
    /// name.
    pub variables: Vec<(EcoString, u16)>,
}

/// Lowers statements. The value is `None` after an error.
pub fn lower_entered(block: &Block, entered: EnteredScope<'_>) -> Outcome<Option<EnteredCode>> {
    let sink = Sink::default();
    let empty = Ast { items: Vec::new(), comments: Vec::new(), span: Span::NONE };
    let names = Names::collect(&empty, entered.definitions, &sink);
    let (mut scope, kind) = match entered.type_def {
        Some(type_def) => (test::scope(type_def, &names, &sink), OF_RESOURCE),
        None => (machine(&names, &sink), BlockKind { sees_is: false, sees_self: false, ..OF_RESOURCE }),
    };
    let program = add_functions(&mut scope, entered.type_def.map(|t| t.program.as_ref()));
    let bindings = Bindings::default();
    let lowerer = scope.lowerer(kind, &bindings);
    for name in entered.variables {
        lowerer.declare(&Ident { name: name.clone(), span: Span::NONE });
    }
    let body = lowerer.statements(block);
    let variables = lowerer.visible_locals();
    let code = lowerer.finish(entered.variables.len(), body, block.span);
    let failed = sink.error_count() > 0;
    let mut diagnostics = sink.diagnostics.into_inner();
    diagnostics.sort_by_key(Diagnostic::span);
    Outcome { value: (!failed).then_some(EnteredCode { code, program, variables }), diagnostics }
}

/// Adds the functions in the definitions to a scope, where they shadow functions of the type. Returns all functions, the type's
/// functions first, because the type's own blocks call functions by number.
fn add_functions(scope: &mut TypeScope<'_>, of_type: Option<&Program>) -> Program {
    let mut program = of_type.cloned().unwrap_or_default();
    let first = program.functions.len() as u16;
    let of_type = std::mem::take(&mut scope.functions);
    let sources = collect_functions(scope, &[]);
    for signature in scope.functions.values_mut() {
        signature.id += first;
    }
    for (name, signature) in of_type {
        scope.functions.entry(name).or_insert(signature);
    }
    program.functions.extend(lower_functions(scope, &sources));
    program.features.extend(features(&sources).into_iter().map(|(name, id)| (name, id + first)));
    program
}

/// Returns the scope of code without a resource.
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
