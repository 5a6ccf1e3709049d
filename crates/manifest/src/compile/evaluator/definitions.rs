//! The classes, defined types, functions, aliases and nodes that are known.

use crate::compile::types::{Callable, Type};
use crate::syntax::tree::{Definition, LambdaExpression, NodeDefinition};
use ecow::EcoString;
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

/// A class or defined type.
#[derive(Debug)]
pub struct ClassDefinition {
    /// The code.
    pub definition: Arc<Definition>,
    /// The module of the file.
    pub module: EcoString,
    /// The types of the parameters.
    pub types: Vec<Option<Type>>,
}

/// A function in Puppet's language.
#[derive(Debug)]
pub struct FunctionDefinition {
    /// The code.
    pub definition: Arc<Definition>,
    /// The module of the file.
    pub module: EcoString,
}

/// The evaluated signature of a function.
#[derive(Debug)]
pub struct FunctionSignature {
    /// The types of the parameters.
    pub types: Vec<Option<Type>>,
    /// The type of the result.
    pub returns: Option<Type>,
    /// All of it as a type.
    pub callable: Callable,
}

/// A node definition.
#[derive(Debug)]
pub struct KnownNode {
    /// The code.
    pub definition: Arc<NodeDefinition>,
    /// The module of the file.
    pub module: EcoString,
}

/// What the loaded files define.
#[derive(Default)]
pub struct LoadedDefinitions {
    /// The classes by name.
    pub classes: HashMap<EcoString, Arc<ClassDefinition>>,
    /// The defined types by name.
    pub defines: HashMap<EcoString, Arc<ClassDefinition>>,
    /// The functions by name.
    pub functions: HashMap<EcoString, Arc<FunctionDefinition>>,
    /// Signatures of called functions, cached.
    pub signatures: HashMap<EcoString, Arc<FunctionSignature>>,
    /// The aliases by their lower-case names.
    pub aliases: HashMap<EcoString, Type>,
    /// The errors of unusable aliases by their lower-case names. They are reported where the alias is used.
    pub alias_errors: HashMap<EcoString, String>,
    /// The nodes in the order of the source.
    pub nodes: Vec<Arc<KnownNode>>,
    /// The files that were loaded.
    pub files: HashSet<PathBuf>,
    /// The lambdas by their first byte.
    pub lambdas: HashMap<u32, Arc<LambdaExpression>>,
}

impl LoadedDefinitions {
    /// Returns a class.
    pub fn class(&self, name: &str) -> Option<&Arc<ClassDefinition>> {
        self.classes.get(name)
    }

    /// Returns the code of a lambda, which is copied from the tree once.
    pub fn lambda(&mut self, code: &LambdaExpression) -> Arc<LambdaExpression> {
        self.lambdas.entry(code.span.start).or_insert_with(|| Arc::new(code.clone())).clone()
    }

    /// Returns `true` if a class is another class or inherits from it.
    pub fn is_child_of(&self, class: &str, ancestor: &str) -> bool {
        let mut at = EcoString::from(class);
        for _ in 0..100 {
            let parent = self.class(&at).and_then(|known| known.definition.parent.as_ref());
            let Some(parent) = parent else { return false };
            at = parent.text.strip_prefix("::").unwrap_or(&parent.text).to_lowercase().into();
            if at == ancestor {
                return true;
            }
        }
        false
    }
}
