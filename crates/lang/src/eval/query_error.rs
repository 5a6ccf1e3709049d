//! Errors in queries that blocks send to the provider, the catalog and the machine.

use super::Failure;
use crate::diagnostics::Diagnostic;
use crate::redact::Redacted;
use crate::value::{EcoString, Symbol};

/// The reason why a block got no answer from the provider, the catalog or the machine, or why its action was not performed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum QueryError {
    /// An action in a context that cannot change anything.
    #[error("actions are run by apply only")]
    OnlyApply,
    /// A provider's action, called in a context that cannot change anything.
    #[error("`provider.{0}` changes the machine: only apply does that")]
    IsAction(EcoString),
    /// A query in a context that does not read the machine.
    #[error("`provider.{0}` cannot be evaluated here: the machine is not read")]
    NothingIsRead(EcoString),
    /// A property in a context that only reads other properties.
    #[error("it is not read here")]
    PropertyNotRead,
    /// The resources of a type cannot be listed.
    #[error("the resources of `{0}` cannot be listed here")]
    NotListed(Symbol),
    /// A type that does not exist or has errors.
    #[error("unknown or invalid type `{0}`")]
    UnknownType(EcoString),
    /// The provider has no code that could answer a query.
    #[error("the provider `{provider}` has no code yet that could answer `{method}`")]
    NoCode {
        /// The provider.
        provider: Symbol,
        /// The query.
        method: EcoString,
    },
    /// No provider of the resource can be used here; contains the reason, which rtype itself wrote.
    #[error("{0}")]
    ProviderUnusable(String),
    /// The provider did not report on the resource.
    #[error("its provider returned no result")]
    NoAnswer,
    /// A provider query in a test, without a declared answer.
    #[error("`{0}` would query a machine: declare its answer in the test with `answers {{ {0}: … }}`")]
    NotInTest(EcoString),
    /// The block of a provider's setting failed.
    #[error("`provider.{name}`: {failure}")]
    Setting {
        /// The setting.
        name: EcoString,
        /// The failure of the block.
        failure: Box<Failure>,
    },
    /// A string does not match the format in the provider's `rows`.
    #[error("`provider.rows`: {0}")]
    Rows(String),
    /// A failed block that answers the query or performs the action.
    #[error(transparent)]
    Block(#[from] Box<Failure>),
    /// Listing the resources of a type failed with a diagnostic.
    #[error("{}", .0.message)]
    Diagnostic(Box<Diagnostic>),
    /// A message from a provider or the operating system.
    #[error("{0}")]
    Reported(Redacted),
}

impl From<Failure> for QueryError {
    fn from(failure: Failure) -> QueryError {
        QueryError::Block(Box::new(failure))
    }
}
