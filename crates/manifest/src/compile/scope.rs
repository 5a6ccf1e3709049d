//! Scopes of variables, and lambdas.

use super::value::ManifestValue;
use crate::syntax::tree::{LambdaExpression, Parameter};
use ecow::EcoString;
use indexmap::IndexMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A lambda with the scope in which it was written.
#[derive(Debug)]
pub struct LambdaClosure {
    /// The code.
    pub code: Arc<LambdaExpression>,
    /// The scope around it.
    pub scope: Arc<VariableScope>,
    /// The evaluated types of the parameters.
    pub types: Vec<Option<super::types::Type>>,
    /// The type of the result.
    pub returns: Option<super::types::Type>,
}

impl LambdaClosure {
    /// Returns the parameters.
    pub fn parameters(&self) -> &[Parameter] {
        &self.code.parameters
    }

    /// Returns the minimum and maximum number of arguments.
    pub fn arity(&self) -> (usize, Option<usize>) {
        let required = self.parameters().iter().filter(|p| p.default.is_none() && !p.is_splat).count();
        let most = (!self.parameters().iter().any(|p| p.is_splat)).then_some(self.parameters().len());
        (required, most)
    }
}

/// What a scope belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Owner {
    /// The top scope.
    Top,
    /// A node definition.
    Node,
    /// A class with its name.
    Class(EcoString),
    /// A resource of a defined type.
    Define(EcoString),
    /// A function in Puppet's language, with its name.
    Function(EcoString),
    /// A lambda, a template or another block.
    Local,
    /// The parameters that are being evaluated, by name.
    Parameters(Vec<EcoString>),
}

/// Variables, with the scope in which unknown names are looked up.
#[derive(Debug)]
pub struct VariableScope {
    /// A number that no other scope has.
    pub number: usize,
    /// What the scope belongs to.
    pub owner: Owner,
    /// The scope around: lexical for blocks, dynamic for classes and defined types.
    pub parent: Option<Arc<VariableScope>>,
    /// The index of the containing resource: a class or a defined type.
    pub resource: usize,
    /// The module that contains the code.
    pub module: EcoString,
    variables: Mutex<IndexMap<EcoString, ManifestValue>>,
    matches: Mutex<Option<Arc<Vec<ManifestValue>>>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns `true` if two values are the same object, so that a change of one changes the other.
#[cfg(feature = "ruby")]
pub(crate) fn is_same_object(a: &ManifestValue, b: &ManifestValue) -> bool {
    match (a, b) {
        (ManifestValue::Array(a), ManifestValue::Array(b)) => Arc::ptr_eq(a, b),
        (ManifestValue::Hash(a), ManifestValue::Hash(b)) => Arc::ptr_eq(a, b),
        _ => false,
    }
}

impl VariableScope {
    /// Returns an empty scope.
    pub fn new(owner: Owner, parent: Option<Arc<VariableScope>>, resource: usize, module: EcoString) -> Arc<VariableScope> {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        Arc::new(VariableScope { number, owner, parent, resource, module, variables: Mutex::default(), matches: Mutex::default() })
    }

    /// Returns the scope of a block: variables go to this scope, everything else belongs to the scope around.
    pub fn local(self: &Arc<VariableScope>) -> Arc<VariableScope> {
        self.local_with(Owner::Local)
    }

    /// Returns a scope inside this scope.
    pub fn local_with(self: &Arc<VariableScope>, owner: Owner) -> Arc<VariableScope> {
        VariableScope::new(owner, Some(self.clone()), self.resource, self.module.clone())
    }

    /// Returns the scope of the class, defined type, node or manifest around.
    pub fn base(self: &Arc<VariableScope>) -> Arc<VariableScope> {
        let mut at = self.clone();
        while let (Owner::Local | Owner::Parameters(_) | Owner::Function(_), Some(parent)) = (&at.owner, &at.parent) {
            at = parent.clone();
        }
        at
    }

    /// Returns the name of the class, defined type or node; empty in the main manifest.
    pub fn source(self: &Arc<VariableScope>) -> EcoString {
        match &self.base().owner {
            Owner::Class(name) | Owner::Define(name) => name.clone(),
            _ => EcoString::new(),
        }
    }

    /// Returns a variable of this scope alone.
    pub fn own(&self, name: &str) -> Option<ManifestValue> {
        lock(&self.variables).get(name).cloned()
    }

    /// Sets a variable of this scope. Returns `false` if it is already set.
    pub fn set(&self, name: &str, value: ManifestValue) -> bool {
        let mut variables = lock(&self.variables);
        let is_new = !variables.contains_key(name);
        if is_new {
            variables.insert(name.into(), value);
        }
        is_new
    }

    /// Replaces a variable of this scope.
    pub fn replace(&self, name: &str, value: ManifestValue) {
        lock(&self.variables).insert(name.into(), value);
    }

    /// Returns all variables of this scope.
    pub fn variables(&self) -> Vec<(EcoString, ManifestValue)> {
        lock(&self.variables).iter().map(|(name, value)| (name.clone(), value.clone())).collect()
    }

    /// Counts the variables of this scope with the same object.
    #[cfg(feature = "ruby")]
    pub(crate) fn count_object(&self, value: &ManifestValue) -> usize {
        lock(&self.variables).values().filter(|known| is_same_object(known, value)).count()
    }

    /// Replaces an object in the variables of this scope.
    #[cfg(feature = "ruby")]
    pub(crate) fn replace_object(&self, old: &ManifestValue, new: &ManifestValue) {
        for value in lock(&self.variables).values_mut().filter(|known| is_same_object(known, old)) {
            *value = new.clone();
        }
    }

    /// Returns the groups of the last match.
    pub fn matches(&self) -> Option<Arc<Vec<ManifestValue>>> {
        lock(&self.matches).clone()
    }

    /// Sets the groups of the last match.
    pub fn set_matches(&self, groups: Option<Arc<Vec<ManifestValue>>>) {
        *lock(&self.matches) = groups;
    }
}
