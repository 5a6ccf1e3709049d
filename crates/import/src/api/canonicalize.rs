//! The method `canonicalize(context, resources)` of a provider. The type calls it with its declared values and with the current ones.

use super::ApiWriter;
use crate::facts::{Fact, SelfObject};
use crate::lower::{BlockRole, FunctionTable, LoweredBlock, TypeContext, TypeNames, build, lower};
use crate::report::directive::coded;
use rtype_lang::syntax::ast::{ExprKind, Failing};
use rtype_lang::typing::Kinds;
use rtype_ruby::hir::{ArenaId, BodyId, CallBlock, ExprId, HirBody, HirKind, LocalId, LocalRef, Target};
use rtype_ruby::run::{CodeSource, RuntimeValue};

/// The provider of a type, as Puppet finds it on a host.
enum HostProvider {
    /// The code of its method `canonicalize`.
    Loaded(CodeSource),
    /// There are only providers for devices.
    OnlyDevices,
    /// The method is not known.
    Unknown,
}

/// What the method does with the list of resources.
enum Conversion {
    /// It returns the list.
    Nothing,
    /// It runs a block for each resource, which changes the resource, or returns another one.
    Each { block: BodyId, returns: bool },
}

impl ApiWriter<'_, '_> {
    /// Translates the method of the provider.
    pub(super) fn canonicalize(&mut self) {
        self.blocks.0 += 1;
        let code = match self.host_provider() {
            HostProvider::Loaded(code) => code,
            HostProvider::OnlyDevices => {
                let message = format!("the type `{}` has providers for devices only, none for hosts", self.definition.name);
                let failing = Failing { message: build::string(&message), at: None, error: None };
                let failing = build::expr(ExprKind::Fail(Box::new(failing)));
                self.out.push(coded("validate", build::closure(Vec::new(), vec![failing])));
                self.blocks.1 += 1;
                return;
            }
            HostProvider::Unknown => {
                return self.leave("canonicalize", None, "the provider with `canonicalize` is not in the module path");
            }
        };
        match code.hir.body(code.body).and_then(conversion) {
            Some(Conversion::Nothing) => self.blocks.1 += 1,
            Some(Conversion::Each { block, returns }) => match self.converted(&code, block, returns) {
                Some(made) => {
                    self.blocks.1 += 1;
                    self.out.push(coded("canonicalize", made.closure()));
                }
                None => self.leave("canonicalize", None, "the method `canonicalize` of the provider is not supported"),
            },
            None => self.leave("canonicalize", None, "the method `canonicalize` of the provider is not supported"),
        }
    }

    fn host_provider(&mut self) -> HostProvider {
        let name = self.definition.name.clone();
        if !self.file.has_file(&format!("puppet/provider/{name}/{name}")) {
            let is_empty = self.file.provider_files(&name).is_empty();
            return if is_empty { HostProvider::Unknown } else { HostProvider::OnlyDevices };
        }
        if self.file.load_providers(&name).is_err() {
            return HostProvider::Unknown;
        }
        let class: String = name.split('_').map(capitalized).collect();
        let Some(RuntimeValue::Class(class)) = self.file.run.existing_constant(&format!("Puppet::Provider::{class}::{class}")) else {
            return HostProvider::Unknown;
        };
        let ancestors = self.file.run.ancestors_of(class);
        let mut methods = ancestors.into_iter().flat_map(|class| self.file.run.own_methods(class));
        let found = methods.find(|method| &*method.name == "canonicalize").and_then(|method| method.code);
        found.map_or(HostProvider::Unknown, HostProvider::Loaded)
    }

    /// Translates the block for one resource.
    fn converted(&mut self, method: &CodeSource, block: BodyId, returns: bool) -> Option<LoweredBlock> {
        let body = method.hir.body(block)?;
        // `next` leaves the block, and the resource stays as it is by then.
        if body.exprs.iter().any(|(_, expr)| matches!(expr.kind, HirKind::Next(_))) {
            return None;
        }
        let code = CodeSource { body: block, block: None, ..method.clone() };
        let role = BlockRole {
            self_object: SelfObject::Module,
            params: vec![Fact::value(Kinds::MAP)],
            owns_params: true,
            ..BlockRole::of_type(returns)
        };
        let (names, mut functions) = (TypeNames::default(), FunctionTable::default());
        let context = TypeContext { run: &mut self.file.run, names: &names, functions: &mut functions };
        let mut made = lower(context, &code, &role).ok()?;
        let effects = &made.effects;
        let is_whole = effects.parts.is_empty() && effects.calls.is_empty() && effects.constants.is_empty();
        let [param] = made.params.as_slice() else { return None };
        if !returns {
            made.body.statements.push(build::name(&param.name.name));
        }
        is_whole.then_some(made)
    }
}

/// Returns what a method does with its second parameter.
fn conversion(body: &HirBody) -> Option<Conversion> {
    let [_, Target::Local(list)] = body.params.required.as_slice() else { return None };
    let statements = match body.kind(body.root) {
        HirKind::Seq(all) => all.clone(),
        _ => vec![body.root],
    };
    let is_list = |id: ExprId| is_local(body, id, list.local);
    match statements.as_slice() {
        [only] if is_list(*only) => Some(Conversion::Nothing),
        [each, rest @ ..] => {
            let HirKind::Call(call) = body.kind(*each) else { return None };
            let block = match call.args.block {
                Some(CallBlock::Literal(block)) if is_list(call.receiver) && call.args.positional.is_empty() => block,
                _ => return None,
            };
            match (&*call.name, rest) {
                ("each", []) => Some(Conversion::Each { block, returns: false }),
                ("each", [last]) if is_list(*last) => Some(Conversion::Each { block, returns: false }),
                ("map" | "collect", []) => Some(Conversion::Each { block, returns: true }),
                _ => None,
            }
        }
        [] => None,
    }
}

fn is_local(body: &HirBody, id: ExprId, local: LocalId) -> bool {
    matches!(body.kind(id), HirKind::Local(LocalRef { depth: 0, local: read }) if read.position() == local.position())
}

fn capitalized(part: &str) -> String {
    let mut letters = part.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
