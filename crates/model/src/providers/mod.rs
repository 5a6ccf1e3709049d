//! What providers can do, as data: for tools that look at providers without running them.

mod agreement;
mod hello;

pub use agreement::{disagreements, of_hello};
pub use hello::{Hello, List, Needs, Noop, PROTOCOL};

use crate::resource::Asked;
use rtype_lang::diagnostics::Diagnostic;
use rtype_lang::types::ProgramDef;
use rtype_lang::value::Value;
use std::path::{Path, PathBuf};

/// What the native code of a provider can do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Capabilities {
    /// The properties that it reads.
    pub reads: &'static [&'static str],
    /// The properties that it changes.
    pub writes: &'static [&'static str],
    /// The methods that value blocks may ask for.
    pub queries: &'static [&'static str],
    /// The methods that action blocks may call.
    pub actions: &'static [&'static str],
}

/// A program that a provider names, as far as it is known without running it.
#[derive(Clone, Debug, PartialEq)]
pub enum ProgramDescription {
    /// There is no such program.
    Missing(PathBuf),
    /// The file beside the program may not be read.
    Refused(Diagnostic),
    /// The file beside the program is not an answer to `hello`.
    Invalid(String),
    /// There is no file beside the program.
    None,
    /// What the program answers to `hello`.
    Hello(Box<Hello>),
}

/// Decides whether a file may be read.
pub type MayRead<'a> = &'a dyn Fn(&Path) -> Result<(), Diagnostic>;

/// The providers that a program has code for.
pub trait Providers: Sync {
    /// Returns the names of the types and providers for which there is native code.
    fn names(&self) -> Vec<(String, String)>;

    /// Returns what the native code of a provider can do; `None` when there is none.
    fn capabilities(&self, type_name: &str, provider: &str) -> Option<Capabilities>;

    /// Returns what is known of a provider's program.
    fn program(&self, def: &ProgramDef, may_read: MayRead<'_>) -> ProgramDescription;

    /// Answers `insync?` by native code, without a machine: code that compares versions.
    ///
    /// # Errors
    /// Why there is no answer.
    fn in_sync(&self, asked: &Asked<'_>, arguments: &[Value]) -> Result<Value, String>;
}
