//! The resource and the attribute that a diagnostic is about.

use super::{Code, Diagnostic};
use crate::redact::Redactor;
use crate::source::Span;
use std::fmt::Display;

/// The subject of a diagnostic about a resource. The message begins with the subject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageSubject {
    /// The attribute that causes the finding, if known.
    pub attribute: Option<String>,
    /// The message without the resource and the attribute.
    pub message: String,
}

impl Diagnostic {
    /// Creates a diagnostic about a resource. Its message is `RESOURCE: MESSAGE`, or with an attribute `` RESOURCE: `ATTRIBUTE`: MESSAGE ``.
    pub fn of_resource(code: Code, span: Span, resource: &dyn Display, attribute: Option<&str>, message: impl Into<String>) -> Diagnostic {
        let message = message.into();
        let whole = match attribute {
            Some(attribute) => format!("{resource}: `{attribute}`: {message}"),
            None => format!("{resource}: {message}"),
        };
        let subject = MessageSubject { attribute: attribute.map(str::to_owned), message };
        Diagnostic { subject: Some(Box::new(subject)), ..Diagnostic::new(code, span, whole) }
    }

    /// Names the attribute that causes the finding, if the message does not begin with the attribute.
    #[must_use]
    pub fn caused_by(mut self, attribute: &str) -> Diagnostic {
        if let Some(subject) = &mut self.subject {
            subject.attribute = Some(attribute.to_owned());
        }
        self
    }

    /// Returns the attribute that causes the finding, if known.
    pub fn attribute(&self) -> Option<&str> {
        self.subject.as_ref()?.attribute.as_deref()
    }

    /// Returns the message without the resource and the attribute.
    pub fn bare_message(&self) -> &str {
        self.subject.as_ref().map_or(&self.message, |subject| &subject.message)
    }
}

impl MessageSubject {
    /// Redacts secrets.
    pub(super) fn redact(&mut self, redactor: &Redactor) {
        self.message = redactor.redact(&self.message);
        self.attribute = self.attribute.take().map(|attribute| redactor.redact(&attribute));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_begins_with_the_subject() {
        let of = |attribute| Diagnostic::of_resource(Code::InvalidValue, Span::NONE, &"User[x]: y]: z", attribute, "`a`: b");
        assert_eq!(of(Some("uid")).message, "User[x]: y]: z: `uid`: `a`: b");
        assert_eq!((of(Some("uid")).attribute(), of(Some("uid")).bare_message()), (Some("uid"), "`a`: b"));
        assert_eq!(of(None).message, "User[x]: y]: z: `a`: b");
        assert_eq!((of(None).attribute(), of(None).caused_by("gid").attribute()), (None, Some("gid")));
    }

    /// The attribute may be computed: `fail "…", at: self.password`.
    #[test]
    fn the_attribute_and_the_message_are_redacted() {
        let redactor = Redactor::default();
        redactor.add("s3cretmarker", false);
        let found = Diagnostic::of_resource(Code::InvalidValue, Span::NONE, &"User[x]", Some("s3cretmarker"), "not s3cretmarker");
        let subject = found.redacted(&redactor).subject.unwrap();
        assert!(!format!("{subject:?}").contains("s3cretmarker"), "{subject:?}");
    }

    #[test]
    fn without_a_subject_the_message_is_bare() {
        let plain = Diagnostic::new(Code::InvalidValue, Span::NONE, "a]: `b`: c");
        assert_eq!((plain.attribute(), plain.bare_message()), (None, "a]: `b`: c"));
    }
}
