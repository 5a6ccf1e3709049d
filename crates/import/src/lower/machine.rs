//! Methods of Puppet and Ruby that read the machine.

use super::build;
use super::{BodyLowering, Lowered};
use crate::facts::Denotation;
use rtype_lang::syntax::ast::{Expr, ExprKind};
use rtype_ruby::hir::{Element, HirKind, MethodCall, SourceRange};
use std::sync::Arc;

/// Methods of classes and modules with one argument, and the functions that do the same.
const FUNCTIONS: &[(&str, &[&str], &str)] = &[
    ("File", &["exist?", "exists?"], "exists"),
    ("Puppet::FileSystem", &["exist?"], "exists"),
    ("Puppet::Util", &["which"], "which"),
    ("Facter::Core::Execution", &["which"], "which"),
    ("Facter::Util::Resolution", &["which"], "which"),
    ("Facter", &["value", "[]"], "fact"),
    ("ENV", &["[]"], "env"),
    ("Puppet", &["[]"], "setting"),
];

impl BodyLowering<'_, '_, '_> {
    /// Translates a call that reads the machine: `Facter.value(:kernel)`, `Puppet.features.posix?`.
    pub(super) fn machine_call(&mut self, path: &str, call: &MethodCall, origin: SourceRange) -> Lowered<Option<Expr>> {
        let name = &*call.name;
        let [Element::Plain(_)] = call.args.positional.as_slice() else {
            let is_windows = (path, name) == ("Puppet::Util::Platform", "windows?") && call.args.positional.is_empty();
            return Ok(is_windows.then(|| build::call("feature", vec![build::string("windows")])));
        };
        let known = FUNCTIONS.iter().find(|(class, methods, _)| *class == path && methods.contains(&name));
        let Some((.., function)) = known else { return Ok(None) };
        let argument = self.only_argument(call, origin)?;
        let argument = match argument.kind {
            ExprKind::Symbol(name) => build::string(&name),
            kind => build::expr(kind),
        };
        Ok(Some(build::call(function, vec![argument])))
    }

    /// Translates `Puppet.features.posix?` and `Facter.fact(:kernel).value`.
    pub(super) fn machine_chain(&mut self, call: &MethodCall, origin: SourceRange) -> Lowered<Option<Expr>> {
        let hir = Arc::clone(&self.hir);
        let Some(HirKind::Call(of)) = hir.body(self.body).map(|body| body.kind(call.receiver)) else { return Ok(None) };
        let Denotation::Constant(path) = self.facts.get(of.receiver).denotes else { return Ok(None) };
        match (&*path, &*of.name, &*call.name, call.args.positional.as_slice()) {
            ("Puppet", "features", feature, []) => {
                Ok(feature.strip_suffix('?').map(|feature| build::call("feature", vec![build::string(feature)])))
            }
            ("Facter", "fact", "value", []) => {
                let fact = self.only_argument(of, origin)?;
                let fact = match fact.kind {
                    ExprKind::Symbol(name) => build::string(&name),
                    kind => build::expr(kind),
                };
                Ok(Some(build::call("fact", vec![fact])))
            }
            _ => Ok(None),
        }
    }
}
