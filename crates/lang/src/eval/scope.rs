//! The context of a block: resource, provider and catalog, each as a trait that `resource` implements.

use super::{Coverage, QueryError, World};
use crate::diagnostics::{Code as DiagnosticCode, Help};
use crate::source::Span;
use crate::types::{AttrId, Program};
use crate::value::{EcoString, ResourceRef, Symbol, Value};

/// The context in which a block runs.
pub trait Scope {
    /// Returns the functions and attribute names of the type.
    fn program(&self) -> &Program;
    /// Returns the machine.
    fn world(&self) -> &dyn World;
    /// Returns the recorder of reached parts, if the run records coverage. This is not an access to the machine, after which a block's
    /// result could not be reused.
    fn coverage(&self) -> Option<&Coverage>;
    /// Returns the reference of the resource itself.
    fn reference(&self) -> ResourceRef;
    /// Evaluates `self.x`: the current value of the attribute, the desired value for a property, nil if it is not set. Sensitive
    /// values are wrapped in [`Value::Sensitive`].
    fn attribute(&self, id: AttrId) -> Value;
    /// Evaluates `self.set?(:x)`.
    fn is_set(&self, id: AttrId) -> bool;
    /// Evaluates `self.declared(:x)`: the value in the declaration or title; nil without a value, and for the only namevar.
    fn declared(&self, id: AttrId) -> Value;
    /// Evaluates `self.raw(:x)`: the value as given, before `munge`.
    fn raw(&self, id: AttrId) -> Value;
    /// Evaluates `self.values(:x)`: the list of all desired values, or nil for an unset attribute.
    fn values(&self, id: AttrId) -> Value;
    /// Evaluates `self.managed?`.
    fn is_managed(&self) -> bool;
    /// Evaluates `is(:x)`: the current value of a property on the machine.
    ///
    /// # Errors
    /// Returns a failure if the value cannot be read here.
    fn current(&self, id: AttrId) -> Result<Value, Failure>;
    /// Evaluates `self.x = v`, allowed only in `finalize`: the value is validated and munged.
    ///
    /// # Errors
    /// Returns a failure if assignment is not allowed here or the value is refused.
    fn assign(&self, id: AttrId, value: Value) -> Result<(), Failure>;
    /// Evaluates `self.x = v` if `v` is left in Ruby: the attribute becomes unknown, and the block goes on.
    ///
    ///
    /// # Errors
    ///
    /// Returns the failure itself, which ends the block, in contexts where attributes do not become unknown.
    fn assign_untranslated(&self, id: AttrId, failure: Failure) -> Result<(), Failure> {
        let _ = id;
        Err(failure)
    }
    /// Returns the provider, if the type has a suitable one.
    fn provider(&self) -> Option<&dyn ProviderQuery>;
    /// Returns the other resources.
    fn catalog(&self) -> Option<&dyn CatalogQuery>;
    /// Evaluates `file_of(r)` and `line_of(r)`: the location of a resource's declaration, if known.
    fn declared_at(&self, resource: &ResourceRef) -> Option<(EcoString, u32)> {
        self.catalog()?.declared_at(resource)
    }
    /// Logs a message, in which secrets have been redacted. `attribute` is the attribute of the block. By default, the message is discarded.
    fn log(&self, attribute: Option<&Symbol>, level: LogLevel, message: &str) {
        let _ = (attribute, level, message);
    }
    /// Evaluates `remember(:name, value)` in a block of `attribute`. Only the comparison of properties implements this.
    fn remember(&self, attribute: Option<&Symbol>, name: &str, value: &Value) {
        let _ = (attribute, name, value);
    }
    /// Evaluates `remembered(:name)` in a block of `attribute`.
    fn remembered(&self, attribute: Option<&Symbol>, name: &str) -> Value {
        let _ = (attribute, name);
        Value::Nil
    }
    /// Evaluates `sync(:x)`: brings an attribute in sync if it is set and out of sync. Only the engine implements this.
    ///
    /// # Errors
    /// Returns the reason if it cannot be synced.
    fn sync(&self, id: AttrId) -> Result<(), QueryError> {
        let _ = id;
        Err(QueryError::OnlyApply)
    }
    /// Evaluates `sync_others()`: brings all attributes in sync except the attribute of the running block. Only the engine implements
    /// this.
    ///
    ///
    /// # Errors
    ///
    /// Returns the reason if the attributes cannot be synced.
    fn sync_others(&self) -> Result<(), QueryError> {
        Err(QueryError::OnlyApply)
    }
    /// Evaluates `provider.x = v`. Only the engine implements this.
    ///
    /// # Errors
    /// Returns the reason if the value cannot be set.
    fn set_provider(&self, name: &str, value: &Value) -> Result<(), QueryError> {
        let _ = (name, value);
        Err(QueryError::OnlyApply)
    }
}

/// The level of a log message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LogLevel {
    /// Details for debugging.
    Debug,
    /// An informational message.
    Info,
    /// A normal but noteworthy event.
    Notice,
    /// A probable mistake.
    Warning,
    /// An error.
    Err,
}

impl LogLevel {
    /// Returns Puppet's name of the level.
    pub fn name(self) -> &'static str {
        match self {
            LogLevel::Debug => "debug",
            LogLevel::Info => "info",
            LogLevel::Notice => "notice",
            LogLevel::Warning => "warning",
            LogLevel::Err => "err",
        }
    }
}

/// The provider as seen by blocks.
pub trait ProviderQuery {
    /// Returns the name of the provider, if known.
    fn name(&self) -> Option<Symbol>;
    /// Evaluates `provider.has?(:m)`: `true` if the provider has a feature, query or action with this name; `None` if unknown.
    fn has(&self, name: &str) -> Option<bool>;
    /// Evaluates `provider.m(…)`.
    ///
    ///
    /// # Errors
    ///
    /// Returns the reason if the query does not exist or fails.
    fn call(&self, method: &str, arguments: &[Value]) -> Result<Value, QueryError>;
}

/// The catalog as seen by blocks.
pub trait CatalogQuery {
    /// Returns the resources of a type, or all resources.
    fn resources(&self, type_name: Option<&str>) -> Vec<ResourceRef>;
    /// Returns the resource with this type and title (or identity).
    fn find(&self, type_name: &str, title: &str) -> Option<ResourceRef>;
    /// Returns an attribute of a resource, or nil for an unset attribute.
    fn attribute(&self, resource: &ResourceRef, name: &str) -> Value;
    /// Evaluates `catalog.present?`: whether the resource is in the catalog. It is not while a generated resource gets its values.
    fn has_resource(&self) -> bool {
        true
    }
    /// Evaluates `catalog.instances(:t)`: the resources of a type that exist on the machine, managed or not; unknown if the machine is
    /// not read.
    ///
    /// # Errors
    /// Returns the reason if they cannot be listed.
    fn instances(&self, type_name: &str) -> Result<Value, QueryError> {
        let _ = type_name;
        Ok(Value::Unknown)
    }
    /// Evaluates `catalog.type(:t)`: facts about a type, even if the catalog does not use the type; nil for an unknown type.
    fn type_facts(&self, type_name: &str) -> Value {
        let _ = type_name;
        Value::Unknown
    }
    /// Returns the location of a resource's declaration in the catalog, if known.
    fn declared_at(&self, resource: &ResourceRef) -> Option<(EcoString, u32)> {
        let _ = resource;
        None
    }
    /// Returns the file and line of a declaration, if known.
    fn place_of(&self, span: Span) -> Option<(EcoString, u32)> {
        let _ = span;
        None
    }
}

/// The function that `super` calls.
pub type Base<'a> = dyn Fn(&[Value]) -> Result<Value, Failure> + 'a;

/// The context for running a block, apart from the arguments.
pub struct Frame<'a> {
    /// The resource, provider, catalog and machine.
    pub scope: &'a dyn Scope,
    /// The attribute to which the block belongs; its name is `attribute`.
    pub attribute: Option<&'a Symbol>,
    /// The value of `is`, in `insync`, message and action blocks.
    pub is: Option<&'a Value>,
    /// The value of `should`, in `insync`, message and action blocks.
    pub should: Option<&'a Value>,
    /// The function for `super`; `None` without a function to call.
    pub base: Option<&'a Base<'a>>,
}

/// The reason why a block returned no value.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct Failure {
    /// `RT301` for `fail` in the block, other codes for errors of the block itself.
    pub code: DiagnosticCode,
    /// The cause.
    pub kind: FailureKind,
    /// The message for the user; secrets are redacted.
    pub message: String,
    /// The span in the block.
    pub span: Span,
    /// The attribute given with `fail …, at:`.
    pub at: Option<EcoString>,
    /// Help for the user.
    pub help: Option<Box<Help>>,
    /// The error class that Ruby would raise, if known.
    pub class: Option<EcoString>,
}

/// The cause of a block's failure.
#[derive(Clone, Debug, PartialEq)]
pub enum FailureKind {
    /// The block called `fail`.
    Fail,
    /// A value is not known yet, so the check is postponed.
    Unknown,
    /// The block needs Ruby that the importer could not translate; the message is the reason.
    Untranslated,
    /// The block or the run has used up its steps.
    Budget,
    /// The provider, the catalog or the machine gave no answer, or an action failed.
    Query(Box<QueryError>),
    /// Another error in the block, such as a value of the wrong kind; see the code.
    Error,
}

impl Failure {
    /// Creates a failure at a span.
    pub fn new(code: DiagnosticCode, span: Span, message: impl Into<String>) -> Failure {
        Failure { code, kind: FailureKind::Error, message: message.into(), span, at: None, help: None, class: None }
    }

    /// Creates the failure for a block without steps left.
    pub fn budget(code: DiagnosticCode, span: Span, message: impl Into<String>) -> Failure {
        Failure { kind: FailureKind::Budget, ..Failure::new(code, span, message) }
    }

    /// Creates the failure for a block with an unanswered query. If the answer depends on untranslated Ruby, the block's result is
    /// unknown as well.
    pub fn query(code: DiagnosticCode, span: Span, error: QueryError) -> Failure {
        if let QueryError::Setting { failure, .. } | QueryError::Block(failure) = &error
            && failure.is_untranslated()
        {
            return Failure::clone(failure);
        }
        let message = error.to_string();
        Failure { kind: FailureKind::Query(Box::new(error)), ..Failure::new(code, span, message) }
    }

    /// Creates the failure for reading a value that is still unknown.
    pub fn unknown(span: Span) -> Failure {
        Failure { kind: FailureKind::Unknown, ..Failure::new(DiagnosticCode::BlockFailed, span, "a value is not known yet") }
    }

    /// Creates the failure for a value that depends on untranslated Ruby.
    pub fn untranslated(span: Span, reason: impl Into<String>) -> Failure {
        Failure { kind: FailureKind::Untranslated, ..Failure::new(DiagnosticCode::BlockFailed, span, reason) }
    }

    /// Returns `true` if the block has no result only because a value is unknown: not known yet, or left in Ruby.
    pub fn is_unknown(&self) -> bool {
        matches!(self.kind, FailureKind::Unknown | FailureKind::Untranslated)
    }

    /// Returns `true` if the result depends on Ruby that could not be translated.
    pub fn is_untranslated(&self) -> bool {
        self.kind == FailureKind::Untranslated
    }
}

/// A context without a resource, a type and a machine.
#[derive(Default)]
pub(super) struct Nowhere {
    program: Program,
}

impl Scope for Nowhere {
    fn program(&self) -> &Program {
        &self.program
    }
    fn world(&self) -> &dyn World {
        &super::NoWorld
    }
    fn coverage(&self) -> Option<&Coverage> {
        None
    }
    fn reference(&self) -> ResourceRef {
        ResourceRef { type_name: "".into(), title: "".into() }
    }
    fn attribute(&self, _: AttrId) -> Value {
        Value::Unknown
    }
    fn is_set(&self, _: AttrId) -> bool {
        false
    }
    fn declared(&self, _: AttrId) -> Value {
        Value::Unknown
    }
    fn raw(&self, _: AttrId) -> Value {
        Value::Unknown
    }
    fn values(&self, _: AttrId) -> Value {
        Value::Unknown
    }
    fn is_managed(&self) -> bool {
        false
    }
    fn current(&self, _: AttrId) -> Result<Value, Failure> {
        Ok(Value::Unknown)
    }
    fn assign(&self, _: AttrId, _: Value) -> Result<(), Failure> {
        Ok(())
    }
    fn provider(&self) -> Option<&dyn ProviderQuery> {
        None
    }
    fn catalog(&self) -> Option<&dyn CatalogQuery> {
        None
    }
}
