//! Provider capabilities as data, for tools that examine providers without running them.

mod agreement;
mod hello;
mod rows;

pub use agreement::{disagreements, of_hello};
pub use hello::{Hello, HelloError, List, MINOR, Needs, Noop, PROTOCOL};
pub use rows::{RowsError, rows};

use crate::resource::QueryContext;
use rtype_lang::diagnostics::Diagnostic;
use rtype_lang::eval::QueryError;
use rtype_lang::types::ProgramDef;
use rtype_lang::value::Value;
use std::path::{Path, PathBuf};

/// Capabilities of a provider's native code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Capabilities {
    /// Properties that it can read.
    pub reads: &'static [&'static str],
    /// Properties that it can change.
    pub writes: &'static [&'static str],
    /// Methods that value blocks may call.
    pub queries: &'static [&'static str],
    /// Methods that action blocks may call.
    pub actions: &'static [&'static str],
}

/// A provider's program, as far as known without running the program.
#[derive(Clone, Debug, PartialEq)]
pub enum ProgramDescription {
    /// The program does not exist.
    Missing(PathBuf),
    /// Reading the description file next to the program is not permitted.
    Refused(Diagnostic),
    /// The description file is not a valid answer to `hello`.
    Invalid(String),
    /// The program has no description file.
    None,
    /// The program's answer to `hello`.
    Hello(Box<Hello>),
}

/// Decides whether a file may be read.
pub type MayRead<'a> = &'a dyn Fn(&Path) -> Result<(), Diagnostic>;

/// Access to provider implementations.
pub trait Providers: Sync {
    /// Returns the types and providers with native code, by name.
    fn names(&self) -> Vec<(String, String)>;

    /// Returns the capabilities of a provider's native code; `None` if the provider has no native code.
    fn capabilities(&self, type_name: &str, provider: &str) -> Option<Capabilities>;

    /// Returns the description of a provider's program.
    fn program(&self, def: &ProgramDef, may_read: MayRead<'_>) -> ProgramDescription;

    /// Returns true if native code is available, so that a provider without code is an error.
    fn has_native_code(&self) -> bool {
        true
    }

    /// Evaluates `insync?` with native code that does not access a machine, such as version comparison.
    ///
    /// # Errors
    /// Returns an error if the code is missing or fails.
    fn in_sync(&self, asked: &QueryContext<'_>, arguments: &[Value]) -> Result<Value, QueryError>;
}

/// Used without providers, such as by a checker in a browser. Checks that need provider code are skipped.
#[derive(Clone, Copy, Debug)]
pub struct UnknownProviders;

impl Providers for UnknownProviders {
    fn names(&self) -> Vec<(String, String)> {
        Vec::new()
    }

    fn capabilities(&self, _: &str, _: &str) -> Option<Capabilities> {
        None
    }

    fn program(&self, _: &ProgramDef, _: MayRead<'_>) -> ProgramDescription {
        ProgramDescription::None
    }

    fn has_native_code(&self) -> bool {
        false
    }

    fn in_sync(&self, _: &QueryContext<'_>, _: &[Value]) -> Result<Value, QueryError> {
        Err(QueryError::ProviderUnusable("this program has no native code".to_owned()))
    }
}
