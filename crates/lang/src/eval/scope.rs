//! What a block sees: its resource, provider and catalog, each behind a trait that `resource` implements.

use super::World;
use crate::diagnostics::Code as DiagnosticCode;
use crate::source::Span;
use crate::types::{AttrId, Program};
use crate::value::{EcoString, ResourceRef, Symbol, Value};

/// Everything around a running block.
pub trait Scope {
    /// Functions and attribute names of the type.
    fn program(&self) -> &Program;
    /// The machine.
    fn world(&self) -> &dyn World;
    /// The name of the resource itself.
    fn reference(&self) -> ResourceRef;
    /// `self.x`: what the attribute is now, `nil` when unset; for properties the wanted value.
    /// Sensitive attributes come wrapped in [`Value::Sensitive`].
    fn attribute(&self, id: AttrId) -> Value;
    /// `self.set?(:x)`
    fn is_set(&self, id: AttrId) -> bool;
    /// `self.raw(:x)`: as given, before munge.
    fn raw(&self, id: AttrId) -> Value;
    /// `self.managed?`
    fn is_managed(&self) -> bool;
    /// `is(:x)`: what a property is on the machine now.
    ///
    /// # Errors
    /// When it cannot be read here.
    fn current(&self, id: AttrId) -> Result<Value, Failure>;
    /// `self.x = v`, in `finalize` only: validates and munges again.
    ///
    /// # Errors
    /// When writing is not allowed here or the value is refused.
    fn assign(&self, id: AttrId, value: Value) -> Result<(), Failure>;
    /// The provider, if the type has one and one is suitable.
    fn provider(&self) -> Option<&dyn ProviderQuery>;
    /// The other resources.
    fn catalog(&self) -> Option<&dyn CatalogQuery>;
    /// A message of the block; secrets are redacted.
    fn log(&self, level: LogLevel, message: &str) {
        self.world().log(level, message);
    }
    /// `sync(:x)`: brings an attribute in sync if it is set and out of sync. Only the engine does this.
    ///
    /// # Errors
    /// Why it was not done.
    fn sync(&self, id: AttrId) -> Result<(), String> {
        let _ = id;
        Err(ONLY_APPLY.into())
    }
    /// `sync_others()`: brings all but the attribute whose block it is in sync. Only the engine does this.
    ///
    /// # Errors
    /// Why it was not done.
    fn sync_others(&self) -> Result<(), String> {
        Err(ONLY_APPLY.into())
    }
    /// `provider.x = v`. Only the engine does this.
    ///
    /// # Errors
    /// Why it was not done.
    fn set_provider(&self, name: &str, value: &Value) -> Result<(), String> {
        let _ = (name, value);
        Err(ONLY_APPLY.into())
    }
}

const ONLY_APPLY: &str = "actions are run by apply only";

/// The weight of a block's message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LogLevel {
    /// For those who look for a mistake.
    Debug,
    /// Of little weight.
    Info,
    /// Worth reading.
    Notice,
    /// Probably not what is wanted.
    Warning,
    /// Something went wrong.
    Err,
}

impl LogLevel {
    /// The name that Puppet has for it.
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

/// The provider as blocks see it.
pub trait ProviderQuery {
    /// Its name.
    fn name(&self) -> Symbol;
    /// `provider.has?(:m)`: a feature, a query or an action of this name.
    fn has(&self, name: &str) -> bool;
    /// `provider.m(…)`
    ///
    /// # Errors
    /// A message when there is no such query or it fails.
    fn call(&self, method: &str, arguments: &[Value]) -> Result<Value, String>;
}

/// The other resources as blocks see them.
pub trait CatalogQuery {
    /// The resources of a type, all when `None`.
    fn resources(&self, type_name: Option<&str>) -> Vec<ResourceRef>;
    /// The resource of this type and title (or identity).
    fn find(&self, type_name: &str, title: &str) -> Option<ResourceRef>;
    /// An attribute of a resource, `nil` when unset.
    fn attribute(&self, resource: &ResourceRef, name: &str) -> Value;
    /// `catalog.instances(:t)`: what there is of a type on the machine, managed or not; unknown where nobody looks.
    ///
    /// # Errors
    /// Why it cannot be listed.
    fn instances(&self, type_name: &str) -> Result<Value, String> {
        let _ = type_name;
        Ok(Value::Unknown)
    }
    /// `catalog.type(:t)`: what there is to know of a type, declared or not; `nil` where there is none of that name.
    fn type_facts(&self, type_name: &str) -> Value {
        let _ = type_name;
        Value::Unknown
    }
    /// The file and the line where something declared stands, where that is known.
    fn place_of(&self, span: Span) -> Option<(EcoString, u32)> {
        let _ = span;
        None
    }
}

/// What `super` runs.
pub type Base<'a> = dyn Fn(&[Value]) -> Result<Value, Failure> + 'a;

/// What a block is run with, beside its arguments.
pub struct Frame<'a> {
    /// What it sees.
    pub scope: &'a dyn Scope,
    /// The attribute whose block it is; its name is `attribute`.
    pub attribute: Option<&'a Symbol>,
    /// `is`, in insync, messages and actions.
    pub is: Option<&'a Value>,
    /// `should`, likewise.
    pub should: Option<&'a Value>,
    /// What `super` runs, with the arguments; `None` where there is nothing.
    pub base: Option<&'a Base<'a>>,
}

/// Why a block gave no value.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// `RT301` for the author's `fail`, others for what the block did wrong.
    pub code: DiagnosticCode,
    /// What to tell the user; secrets are redacted.
    pub message: String,
    /// Where in the block.
    pub span: Span,
    /// The attribute that `fail … at:` blames.
    pub at: Option<EcoString>,
    /// Whether it only failed because a value is not known yet: the rule waits.
    pub unknown: bool,
}

impl Failure {
    /// A failure of the block at a place.
    pub fn new(code: DiagnosticCode, span: Span, message: impl Into<String>) -> Failure {
        Failure { code, message: message.into(), span, at: None, unknown: false }
    }

    /// A value that is read is not known yet.
    pub fn unknown(span: Span) -> Failure {
        Failure { unknown: true, ..Failure::new(DiagnosticCode::BlockFailed, span, "a value is not known yet") }
    }
}
