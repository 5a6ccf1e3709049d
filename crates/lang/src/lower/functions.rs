//! Lowers functions of types and files.

use super::NameKind;
use super::block::{Bindings, BlockKind, FunctionSignature, TypeScope};
use super::directives::Placed;
use crate::diagnostics::{Code, Diagnostic, Help, nearest};
use crate::source::Span;
use crate::syntax::ast::{DirectiveBlock, Expr, ExprKind, FnDecl, Ident};
use crate::types::builtin::PLATFORM_FEATURES;
use crate::types::{Function, Node};
use crate::value::{EcoString, Symbol};
use indexmap::IndexMap;
use std::rc::Rc;

/// A function before lowering, with its kind of block.
pub(super) struct FunctionSource<'a> {
    function: &'a FnDecl,
    kind: BlockKind,
    bindings: Bindings,
}

/// Collects the functions of the type, then functions from the file and from the files that it uses.
pub(super) fn collect_functions<'a>(scope: &mut TypeScope<'a>, directives: &[Placed<'a>]) -> Vec<FunctionSource<'a>> {
    let mut sources = Vec::new();
    for placed in directives {
        if let Some(DirectiveBlock::Fn(function)) = &placed.directive.block {
            sources.push(FunctionSource { function, kind: BlockKind::TYPE_FN, bindings: Rc::clone(&placed.bindings) });
        }
    }
    for function in scope.names.functions.values() {
        sources.push(FunctionSource { function, kind: BlockKind::FILE_FN, bindings: Rc::default() });
    }
    for (i, source) in sources.iter().enumerate() {
        let function = source.function;
        scope.sink.define(NameKind::Function, function.name.span);
        let signature = FunctionSignature {
            id: i as u16,
            min: function.params.iter().take_while(|p| p.default.is_none()).count(),
            max: function.params.len(),
            span: function.name.span,
        };
        if source.kind.sees_self {
            scope.sink.member(scope.owner, NameKind::Function, function.name.span);
        }
        if let Some(first) = scope.functions.get(&function.name.name) {
            if source.kind.sees_self {
                scope.sink.report(
                    Diagnostic::new(
                        Code::DuplicateItem,
                        function.name.span,
                        format!("the function `{}` is declared twice", function.name.name),
                    )
                    .also(first.span, "first declared here"),
                );
            }
            continue;
        }
        scope.functions.insert(function.name.name.clone(), signature);
    }
    // After the functions, because calls cannot refer to features.
    for feature in scope.names.platform.values() {
        sources.push(FunctionSource { function: &feature.test, kind: BlockKind::FEATURE, bindings: Rc::default() });
    }
    sources
}

/// Returns the platform features, each with the index of its test block.
pub(super) fn features(sources: &[FunctionSource<'_>]) -> IndexMap<Symbol, u16> {
    let blocks = sources.iter().enumerate().filter(|(_, s)| s.kind.name == BlockKind::FEATURE.name);
    blocks.map(|(i, s)| (s.function.name.name.clone().into(), i as u16)).collect()
}

impl TypeScope<'_> {
    /// Checks the platform features in a list or one name.
    pub fn check_platforms(&self, names: &[EcoString], expr: &Expr) {
        let elements = if let ExprKind::Array(all) = &expr.kind { all.as_slice() } else { &[] };
        for (i, name) in names.iter().enumerate() {
            let element = elements.get(i).filter(|_| elements.len() == names.len());
            self.check_platform(name, element.unwrap_or(expr).span);
        }
    }

    /// Reports a platform feature that is neither declared nor built in.
    pub fn check_platform(&self, name: &str, span: Span) {
        if let Some(feature) = self.names.platform.get(name) {
            return self.sink.refer(NameKind::Platform, span, feature.test.name.span);
        }
        if PLATFORM_FEATURES.contains(&name) {
            return;
        }
        let d = Diagnostic::new(Code::UnknownName, span, format!("unknown platform feature `{name}`"));
        let known = PLATFORM_FEATURES.iter().copied().chain(self.names.platform.keys().copied());
        let near = nearest(name, known).map(Help::suggestion);
        self.sink.report(d.help(
            near.unwrap_or_else(|| format!("declare it at the top of the file: `feature {name}, \"what it means\" {{ … }}`").into()),
        ));
    }
}

pub(super) fn lower_functions(scope: &TypeScope<'_>, sources: &[FunctionSource<'_>]) -> Vec<Function> {
    sources
        .iter()
        .map(|source| {
            let function = source.function;
            let params: Vec<Ident> = function.params.iter().map(|p| p.name.clone()).collect();
            let code = scope.code(&params, &function.body, function.span, source.kind, &source.bindings);
            let default = |e: &Expr| -> Node { scope.lowerer(source.kind, &source.bindings).expr(e) };
            let defaults = function.params.iter().filter_map(|p| p.default.as_ref()).map(default).collect();
            Function { name: function.name.name.clone().into(), span: function.name.span, code, defaults }
        })
        .collect()
}
