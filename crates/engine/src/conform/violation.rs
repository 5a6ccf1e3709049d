//! How a program can fail a conformance check.

use rtype_lang::redact::{Foreign, Redactor};
use rtype_lang::value::{EcoString, Symbol};
use rtype_provider::external::SidecarError;
use rtype_provider::{MissingCode, ProviderError};
use serde_json::Value as Json;
use std::io;

/// Why a program does not conform. Parts may come from the program, so a violation can only be printed through a redactor.
#[derive(Debug)]
pub enum Violation {
    /// The provider of the program failed.
    Provider(ProviderError),
    /// The provider failed for this resource.
    Resource(EcoString, ProviderError),
    /// The provider has no code.
    MissingCode(MissingCode),
    /// The program cannot be started.
    NotStarted(io::Error),
    /// The program's description file cannot be used.
    Sidecar(SidecarError),
    /// The program's description file differs from the answer to `hello`.
    SidecarDiffers,
    /// The program disagrees with its type.
    TypeDiffers(Vec<String>),
    /// The answer is not a JSON object.
    NotAnObject(Foreign),
    /// The answer exceeds the maximum line length.
    AnswerTooLong,
    /// The program did not answer in time.
    Timeout,
    /// The program ended before its answer.
    Ended,
    /// The answer to an invalid request has no `error`.
    ErrorMissing(Json),
    /// The answer does not repeat the request's `id`.
    WrongId(Json),
    /// The answer to a valid request is an error.
    UnexpectedError(Json),
    /// The answer to `set` has no results.
    ResultMissing(Json),
    /// The program answered `hello` incorrectly after the checked request.
    LaterAnswer(Foreign),
    /// The program did not answer `hello` after the checked request.
    LaterTimeout,
    /// The program ended unsuccessfully after the checked request.
    LaterEnd(String),
    /// The program ended unsuccessfully after its input was closed.
    UnsuccessfulEnd(String),
    /// A nonexistent resource was reported as present.
    Invented(EcoString),
    /// A property's value differs when the resource is requested by name.
    ValueDiffers {
        /// The property.
        property: Symbol,
        /// The name of the resource.
        name: EcoString,
    },
    /// The type's `canonicalize` changes its own results.
    NotStable(EcoString),
    /// The type's `canonicalize` failed.
    CanonicalizeFailed(EcoString, String),
    /// A listed resource is not found by name.
    NotFoundByName(EcoString),
    /// A resource was changed in spite of `noop`.
    ChangedByNoop(EcoString),
    /// A property does not have the desired value after it was set.
    NotInSync {
        /// The property.
        property: Symbol,
        /// The name of the resource.
        name: EcoString,
    },
    /// The program reports changes to properties already in sync.
    ChangedAgain {
        /// The properties.
        properties: Vec<String>,
        /// The title of the resource.
        title: Json,
    },
    /// A killed program left a resource that is neither unchanged nor absent.
    Torn {
        /// When the program was killed, in milliseconds after the request.
        after: u64,
        /// The name of the resource.
        name: EcoString,
    },
    /// The resources could not be created again after the program was killed.
    NotRestored {
        /// When the program was killed, in milliseconds after the request.
        after: u64,
        /// Why.
        cause: Box<Violation>,
    },
}

impl Violation {
    /// Returns the violation in one line, with secrets redacted.
    pub fn describe(&self, redactor: &Redactor) -> String {
        match self {
            Violation::Provider(error) => redactor.reveal(&error.message),
            Violation::Resource(name, error) => format!("`{name}`: {}", redactor.reveal(&error.message)),
            Violation::MissingCode(missing) => missing.to_string(),
            Violation::NotStarted(error) => format!("it cannot be started: {error}"),
            Violation::Sidecar(error) => redactor.redact(&error.to_string()),
            Violation::SidecarDiffers => "the file next to it differs from its answer to `hello`".to_owned(),
            Violation::TypeDiffers(differences) => redactor.redact(&differences.join("; ")),
            Violation::NotAnObject(answer) => format!("it answered `{}`, which is not a JSON object", redactor.reveal(answer)),
            Violation::AnswerTooLong => "it answered with a line of more than 16 MiB".to_owned(),
            Violation::Timeout => "it did not answer".to_owned(),
            Violation::Ended => "it ended without an answer".to_owned(),
            Violation::ErrorMissing(answer) => redactor.redact(&format!("it answered `{answer}` without an `error`")),
            Violation::WrongId(answer) => redactor.redact(&format!("it answered `{answer}` without the `id` of the question")),
            Violation::UnexpectedError(error) => redactor.redact(&format!("it answered with an error: {error}")),
            Violation::ResultMissing(answer) => redactor.redact(&format!("it answered `{answer}` without `results`")),
            Violation::LaterAnswer(answer) => format!("afterwards it answered `{}` to `hello`", redactor.reveal(answer)),
            Violation::LaterTimeout => "afterwards it did not answer `hello`".to_owned(),
            Violation::LaterEnd(how) => format!("afterwards it {how}"),
            Violation::UnsuccessfulEnd(how) => format!("it {how}"),
            Violation::Invented(name) => format!("it reports `{name}` as present"),
            Violation::ValueDiffers { property, name } => {
                format!("`{property}` of `{name}` has another value when it is requested by name")
            }
            Violation::NotStable(name) => format!("`canonicalize` changes values of `{name}` that it returned"),
            Violation::CanonicalizeFailed(name, why) => redactor.redact(&format!("`canonicalize` fails for `{name}`: {why}")),
            Violation::NotFoundByName(name) => format!("`{name}` is listed, but not found by name"),
            Violation::ChangedByNoop(name) => format!("`{name}` has changed"),
            Violation::NotInSync { property, name } => format!("`{property}` of `{name}` does not have the value that was set"),
            Violation::ChangedAgain { properties, title } => {
                redactor.redact(&format!("it reports changes of {} of {title}", properties.join(", ")))
            }
            Violation::Torn { after, name } => format!("killed after {after} ms, it left `{name}` neither unchanged nor absent"),
            Violation::NotRestored { after, cause } => format!("killed after {after} ms, afterwards: {}", cause.describe(redactor)),
        }
    }
}

impl From<ProviderError> for Violation {
    fn from(error: ProviderError) -> Violation {
        Violation::Provider(error)
    }
}

impl From<MissingCode> for Violation {
    fn from(missing: MissingCode) -> Violation {
        Violation::MissingCode(missing)
    }
}
