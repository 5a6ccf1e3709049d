//! Errors of native kinds.

use rtype_lang::value::mode::ModeError;
use rtype_lang::value::{EcoString, Symbol};

/// The reason for rejecting or not comparing a value. Most reasons contain the value and must not be shown if the value is sensitive.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(in crate::resource) enum KindError {
    /// The value or an element has the wrong kind.
    #[error("expected {expected}, found {found}")]
    WrongKind { expected: &'static str, found: &'static str },
    /// A list has both names and lists of names.
    #[error("expected names or lists of names, found both in one list")]
    MixedList,
    /// A list for a parameter that accepts a single path.
    #[error("only one path is accepted, not a list")]
    ListOfPaths,
    #[error("must be a fully qualified path")]
    RelativePath,
    /// A pair without the separator.
    #[error("key/value pairs must be separated by `{0}`")]
    NoSeparator(EcoString),
    #[error("must be a hash, or an array of key/value pairs as strings")]
    NoPairs,
    /// `audit` names an attribute that the type does not have.
    #[error("`{attribute}` cannot be audited: `{type_name}` has no such attribute")]
    CannotAudit { attribute: EcoString, type_name: Symbol },
    #[error("`{0}` is not a reference to a resource: write it like `Service['ssh']`")]
    BadReference(EcoString),
    #[error("`{text}` is not a source: {reason}")]
    BadSource { text: EcoString, reason: SourceError },
    /// An owner or group without an account on this machine.
    #[error("`{0}` does not exist on this machine")]
    NoAccount(EcoString),
    #[error("unknown checksum type `{0}`")]
    UnknownChecksum(EcoString),
    #[error(transparent)]
    Mode(#[from] ModeError),
}

/// The reason for rejecting a file's source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(in crate::resource) enum SourceError {
    #[error("give an absolute path or a URI")]
    Relative,
    #[error("a slash must follow the scheme")]
    NoSlash,
    #[error("the scheme must be `file`, `puppet`, `http` or `https`")]
    UnknownScheme,
    #[error("its host is invalid")]
    BadHost,
}
