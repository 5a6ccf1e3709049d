//! Errors of what blocks ask of the provider, the catalog and the machine.

use super::Failure;
use crate::diagnostics::Diagnostic;
use crate::redact::Redacted;
use crate::value::{EcoString, Symbol};

/// The reason why a block got no answer from the provider, the catalog or the machine, or why its action was not performed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum QueryError {
    /// An action in a place where nothing can be changed.
    #[error("actions are run by apply only")]
    OnlyApply,
    /// A method of the provider that is an action, called in a place where nothing can be changed.
    #[error("`provider.{0}` changes the machine: only apply does that")]
    IsAction(EcoString),
    /// A query in a place where the machine is not read.
    #[error("`provider.{0}` cannot be evaluated here: the machine is not read")]
    NothingIsRead(EcoString),
    /// A property in a place where only other ones are read.
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
    /// No provider of the resource can be used here; contains the reason, which does not come from outside.
    #[error("{0}")]
    ProviderUnusable(String),
    /// The provider did not report on the resource.
    #[error("its provider returned no result")]
    NoAnswer,
    /// A query of a test for which it declares no answer.
    #[error("`{0}` would query a machine: declare its answer in the test with `answers {{ {0}: … }}`")]
    NotInTest(EcoString),
    /// The block of a provider's setting failed.
    #[error("`provider.{name}`: {failure}")]
    Setting {
        /// The setting.
        name: EcoString,
        /// The failure of its block.
        failure: Box<Failure>,
    },
    /// A text is not in the format of the provider's `rows`.
    #[error("`provider.rows`: {0}")]
    Rows(String),
    /// A block that answers the query, or that performs the action, failed.
    #[error(transparent)]
    Block(#[from] Box<Failure>),
    /// Listing the resources of a type failed with a diagnostic.
    #[error("{}", .0.message)]
    Diagnostic(Box<Diagnostic>),
    /// The message of a provider or of the operating system.
    #[error("{0}")]
    Reported(Redacted),
}

impl From<Failure> for QueryError {
    fn from(failure: Failure) -> QueryError {
        QueryError::Block(Box::new(failure))
    }
}
