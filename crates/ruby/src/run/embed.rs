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

    /// Sets the limits for the next code.
    pub fn set_limits(&mut self, limits: super::RunLimits) {
        self.budget.steps.set(limits.steps);
        self.budget.bytes.set(limits.bytes);
        self.budget.calls.set(limits.calls);
    }

    /// Returns the remaining bytes.
    pub fn bytes_left(&self) -> u64 {
        self.budget.bytes.get()
    }

    /// Returns the last call that was evaluated.
    pub fn last_call(&self) -> SourceRange {
        self.site
    }

    /// Creates a string.
    ///
    /// # Errors
    /// Returns the exceeded limit.
    pub fn create_string(&mut self, text: &str) -> Evaluation {
        self.new_str(text)
    }

    /// Creates a list.
    ///
    /// # Errors
    /// Returns the exceeded limit.
    pub fn create_array(&mut self, items: Vec<RuntimeValue>) -> Evaluation {
        self.new_array(items)
    }

    /// Creates a hash.
    ///
    /// # Errors
    /// Returns the exceeded limit, or the error of a key's methods.
    pub fn create_hash(&mut self, pairs: Vec<(RuntimeValue, RuntimeValue)>) -> Evaluation {
        self.new_hash(pairs)
    }

    /// Returns the characters of a string.
    ///
    /// # Errors
    /// Returns an unknown value if the string is not known.
    pub fn string_text(&mut self, value: &RuntimeValue) -> Evaluation<String> {
        self.text_of(value)
    }

    /// Returns the elements of a list; nothing for other values.
    ///
    /// # Errors
    /// Returns an unknown value if the elements are not known.
    pub fn array_items(&mut self, value: &RuntimeValue) -> Evaluation<Vec<RuntimeValue>> {
        match value {
            RuntimeValue::Array(list) => self.items(list),
            _ => Ok(Vec::new()),
        }
    }

    /// Returns the pairs of a hash; nothing for other values.
    ///
    /// # Errors
    /// Returns an unknown value if the pairs are not known.
    pub fn hash_entries(&mut self, value: &RuntimeValue) -> Evaluation<Vec<(RuntimeValue, RuntimeValue)>> {
        match value {
            RuntimeValue::Hash(hash) => self.hash_pairs(hash),
            _ => Ok(Vec::new()),
        }
    }

    /// Returns the pattern of a regex without flags.
    pub fn regex_source(&self, value: &RuntimeValue) -> Option<String> {
        match value {
            RuntimeValue::Regex(regex) if regex.flags == crate::hir::RegexFlags::default() => Some(regex.source.to_string()),
            _ => None,
        }
    }

    /// Returns an instance variable of an object with a class of this name.
    pub fn variable_of(&self, value: &RuntimeValue, class: &str, variable: &str) -> Option<RuntimeValue> {
        match value {
            RuntimeValue::Object(object) if *self.classes.name(self.classes.real(object.class.get())) == *class => object.get(variable),
            _ => None,
        }
    }

    /// Returns the name of a value's class.
    pub fn class_name_of(&mut self, value: &RuntimeValue) -> String {
        self.real_class_name(value).to_string()
    }

    /// Sets an instance variable.
    ///
    /// # Errors
    /// Returns an error if the object is frozen.
    pub fn assign_variable(&mut self, object: &RuntimeValue, name: &str, value: RuntimeValue) -> Evaluation<()> {
        self.set_instance_variable(object, &name.into(), value).map(drop)
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
