//! The interface for embedders: files, classes and methods in Rust.

use super::classes::{ClassKey, ClassState};
use super::frame::{Arguments, MethodBody, Visibility};
use super::{Eval, Evaluation, Flow, Interpreter, RuntimeValue, UnknownReason, UnknownValue};
use crate::hir::SourceRange;
use std::rc::Rc;

/// The files that code may read.
pub trait SourceFiles {
    /// Returns the path and source for the file named in `require` or `load`.
    fn find(&self, feature: &str) -> Option<(String, String)>;
}

/// A sandbox without files.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoSourceFiles;

impl SourceFiles for NoSourceFiles {
    fn find(&self, _: &str) -> Option<(String, String)> {
        None
    }
}

/// A call to a method defined by the embedder.
pub struct EmbeddedCall {
    /// The class or module for which the method was defined.
    pub owner: ClassKey,
    /// The receiver.
    pub receiver: RuntimeValue,
    /// The name of the method.
    pub name: String,
    /// The positional arguments.
    pub positional: Vec<RuntimeValue>,
    /// The keyword arguments.
    pub keywords: Vec<(RuntimeValue, RuntimeValue)>,
    /// The block. The embedder may keep the block and call it later.
    pub block: Option<RuntimeValue>,
    /// The call in the source.
    pub origin: SourceRange,
}

/// Defines classes and methods in Rust.
pub trait Embedder {
    /// Calls a method registered with [`Interpreter::define_method`].
    ///
    /// # Errors
    /// Returns the error from a block's code, [`Interpreter::error`], or [`Interpreter::not_known`].
    fn call(&self, run: &mut Interpreter<'_>, call: EmbeddedCall) -> Evaluation;

    /// Returns the value for a constant that no file defines. The path has `::` between the names. Without a value, the constant is unknown
    /// if a file was not found, and otherwise a `NameError`.
    fn missing_constant(&self, run: &mut Interpreter<'_>, path: &str) -> Option<RuntimeValue> {
        let _ = (run, path);
        None
    }
}

/// Ruby without further classes.
#[derive(Clone, Copy, Debug, Default)]
pub struct PlainRuby;

impl Embedder for PlainRuby {
    fn call(&self, run: &mut Interpreter<'_>, call: EmbeddedCall) -> Evaluation {
        run.not_known(format!("`{}` is not defined", call.name))
    }
}

impl Interpreter<'_> {
    /// Defines a class or module below `Object`, or returns the existing one.
    pub fn define_class(&mut self, path: &str, superclass: Option<ClassKey>, is_module: bool) -> ClassKey {
        let (outer, name) = match path.rsplit_once("::") {
            Some((outer, name)) => (self.define_class(outer, None, true), name),
            None => (self.known.object, path),
        };
        if let Some(RuntimeValue::Class(known)) = self.classes.get(outer).and_then(|class| class.constants.get(name)) {
            return *known;
        }
        let superclass = (!is_module).then(|| superclass.unwrap_or(self.known.object));
        let key = self.classes.add(ClassState { name: Some(path.into()), is_module, superclass, ..ClassState::default() });
        if let Some(class) = self.classes.change(outer) {
            class.constants.insert(name.into(), RuntimeValue::Class(key));
        }
        key
    }

    /// Defines a method implemented by [`Embedder::call`], on the instances or on the class itself.
    pub fn define_method(&mut self, class: ClassKey, name: &str, of_class: bool) {
        let class = if of_class { self.singleton_class_of(class) } else { class };
        self.classes.define(class, name.into(), Visibility::Public, MethodBody::Embedded);
    }

    /// Defines a Ruby constant that depends on the machine, such as `RUBY_VERSION`.
    pub fn define_global_constant(&mut self, name: &str, value: RuntimeValue) {
        if let Some(class) = self.classes.change(self.known.object) {
            class.constants.insert(name.into(), value);
        }
    }

    /// Calls a method.
    ///
    /// # Errors
    /// Returns how the code was left.
    pub fn call_method(&mut self, receiver: &RuntimeValue, name: &str, arguments: Vec<RuntimeValue>) -> Evaluation {
        let result = self.send(receiver, name, Arguments::of(arguments));
        self.as_value(result)
    }

    /// Calls a block.
    ///
    /// # Errors
    /// Returns how the code was left.
    pub fn call_block(&mut self, block: &RuntimeValue, arguments: Vec<RuntimeValue>) -> Evaluation {
        match block {
            RuntimeValue::Proc(code) => {
                let code = Rc::clone(code);
                let result = self.call_proc(&code, Arguments::of(arguments));
                self.as_value(result)
            }
            _ => self.not_known("this is not a block"),
        }
    }

    /// Creates an error with this class, to end an evaluation.
    pub fn error(&mut self, class: &str, message: &str) -> Unwound {
        match self.raise::<()>(class, message) {
            Err(flow) => flow,
            Ok(()) => Flow::Retry,
        }
    }

    /// Ends an evaluation because the embedder does not know the result.
    ///
    /// # Errors
    /// Always; the expression has an unknown value.
    pub fn not_known(&self, reason: impl Into<String>) -> Eval {
        let reason = UnknownReason::Embedder(reason.into());
        Err(Flow::Unknown(Rc::new(UnknownValue { reason, origin: self.site, options: Vec::new() })))
    }
}

/// How code was left.
type Unwound = super::Unwind;
