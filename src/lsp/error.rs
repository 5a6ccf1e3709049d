//! Errors of requests.

use lsp_server::ErrorCode;
use rtype_lang::diagnostics::Diagnostic;
use std::fmt;

/// The error response to a request.
#[derive(Debug)]
pub(super) enum ResponseError {
    /// The client cancelled the request.
    Cancelled,
    /// A request before `initialize`.
    NotInitialized,
    /// A request after `shutdown`.
    ShutDown,
    /// The server does not support the method.
    UnsupportedMethod(String),
    /// The parameters cannot be read.
    InvalidParams(serde_json::Error),
    /// The result cannot be written.
    InvalidResult(serde_json::Error),
    /// The server panicked in this method.
    Panicked(String),
    /// The request cannot be fulfilled.
    Failed(RequestError),
}

impl ResponseError {
    /// Returns the protocol's code of the error.
    pub fn code(&self) -> ErrorCode {
        match self {
            ResponseError::Cancelled => ErrorCode::RequestCanceled,
            ResponseError::NotInitialized => ErrorCode::ServerNotInitialized,
            ResponseError::ShutDown => ErrorCode::InvalidRequest,
            ResponseError::UnsupportedMethod(_) => ErrorCode::MethodNotFound,
            ResponseError::InvalidParams(_) => ErrorCode::InvalidParams,
            ResponseError::InvalidResult(_) | ResponseError::Panicked(_) => ErrorCode::InternalError,
            ResponseError::Failed(_) => ErrorCode::RequestFailed,
        }
    }
}

impl fmt::Display for ResponseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ResponseError::Cancelled => f.write_str("request cancelled"),
            ResponseError::NotInitialized => f.write_str("`initialize` comes first"),
            ResponseError::ShutDown => f.write_str("the server is shut down"),
            ResponseError::UnsupportedMethod(method) => write!(f, "unsupported method `{method}`"),
            ResponseError::InvalidParams(error) => write!(f, "the parameters are not what the protocol says: {error}"),
            ResponseError::InvalidResult(error) => error.fmt(f),
            ResponseError::Panicked(method) => write!(f, "internal error in `{method}`"),
            ResponseError::Failed(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ResponseError {}

/// The error of a request about a document. The server reports it as `RequestFailed`.
#[derive(Debug)]
pub(super) enum RequestError {
    /// The document with this URI is not open.
    NotOpen(String),
    /// The file has a language without names.
    NoNames(String),
    /// The document is larger than a source may be.
    TooLarge,
    /// The formatter failed.
    FormatFailed(Box<Diagnostic>),
    /// The position is not on a name.
    NoName,
    /// The name cannot be renamed.
    NotRenamable(String, RenameObstacle),
    /// The new name is not valid.
    InvalidName(String, NameRule),
    /// The new name is a keyword.
    Keyword(String),
    /// The new name is already in use.
    NameTaken(String),
}

/// The reason why a name cannot be renamed.
#[derive(Debug)]
pub(super) enum RenameObstacle {
    /// The name is a keyword or a directive.
    Keyword,
    /// The name is a type, and the type's file has the same name.
    Type,
    /// The name is a value. Blocks may use the value without naming the attribute.
    Value,
    /// The name is the path of a file.
    Path,
    /// The definition is unknown.
    Undefined,
    /// The definition is in the standard library.
    StandardLibrary,
    /// The definition is in Ruby.
    Ruby,
    /// The name is derived from this other name.
    DefinedAs(String),
    /// The name is a native provider.
    Native,
}

/// The syntax of a valid name.
#[derive(Clone, Copy, Debug)]
pub(super) enum NameRule {
    /// Letters, digits and underscores after a capital letter.
    Capitalized,
    /// Lower-case letters, digits and underscores.
    Lowercase,
}

impl fmt::Display for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RequestError::NotOpen(uri) => write!(f, "`{uri}` is not open"),
            RequestError::NoNames(file) => write!(f, "`{file}` has no names to look up"),
            RequestError::TooLarge => f.write_str("the text is too large"),
            RequestError::FormatFailed(diagnostic) => f.write_str(&diagnostic.message),
            RequestError::NoName => f.write_str("no name at this position"),
            RequestError::NotRenamable(name, obstacle) => write!(f, "cannot rename `{name}`: {obstacle}"),
            RequestError::InvalidName(name, rule) => write!(f, "invalid name `{name}`: it must {rule}"),
            RequestError::Keyword(name) => write!(f, "`{name}` is a keyword"),
            RequestError::NameTaken(name) => write!(f, "`{name}` already exists"),
        }
    }
}

impl std::error::Error for RequestError {}

impl fmt::Display for RenameObstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RenameObstacle::Keyword => f.write_str("it is a keyword"),
            RenameObstacle::Type => f.write_str("a type is named like its file; rename the file, then the type and its uses"),
            RenameObstacle::Value => f.write_str("blocks may compare the value without naming the attribute"),
            RenameObstacle::Path => f.write_str("it is a path"),
            RenameObstacle::Undefined => f.write_str("its definition is unknown"),
            RenameObstacle::StandardLibrary => f.write_str("it is defined in the standard library"),
            RenameObstacle::Ruby => f.write_str("it is defined in Ruby"),
            RenameObstacle::DefinedAs(text) => write!(f, "`{text}` defines it"),
            RenameObstacle::Native => f.write_str("its native code is found by its name"),
        }
    }
}

impl fmt::Display for NameRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NameRule::Capitalized => "begin with a capital letter, followed by letters, digits and `_`",
            NameRule::Lowercase => "consist of lower-case letters, digits and `_`",
        })
    }
}
