//! Keeps secrets out of program arguments, which all users of the machine can read.

use super::System;
use crate::{ProviderError, Resource};
use rtype_lang::redact::Redactor;
use rtype_lang::value::Symbol;
use std::borrow::Cow;
use std::sync::Arc;

/// The secret attributes of the current resources, each with a redactor that knows the values.
pub(super) type ArgumentSecrets = Arc<[(Symbol, Redactor)]>;

impl System {
    /// Returns a system that refuses to start programs with a secret of these resources in their arguments. Secrets of other resources are
    /// not checked, because a name that is not secret may have the same text.
    pub fn guarding<'r>(&self, resources: impl IntoIterator<Item = &'r dyn Resource>) -> Cow<'_, System> {
        let mut secrets = Vec::new();
        for resource in resources {
            for attribute in resource.attributes().into_iter().filter(|attribute| resource.is_secret(attribute.as_str())) {
                let values = Redactor::new();
                for value in [resource.wanted(attribute.as_str()), resource.given(attribute.as_str())] {
                    values.add_value(&value, true, &|_| false);
                }
                secrets.push((attribute, values));
            }
        }
        if secrets.is_empty() { Cow::Borrowed(self) } else { Cow::Owned(System { secrets: secrets.into(), ..self.clone() }) }
    }

    /// Checks that an argument of a program contains no secret.
    ///
    /// # Errors
    /// If it contains one.
    pub(crate) fn check_argument(&self, program: &str, argument: &str) -> Result<(), ProviderError> {
        let Some((attribute, _)) = self.secrets.iter().find(|(_, values)| values.is_in(argument) || values.is_word(argument)) else {
            return Ok(());
        };
        let message = format!("cannot run `{program}`: the secret `{attribute}` would be an argument, which all users can read");
        Err(ProviderError::new(message).help(format!("set `{attribute}` to a value that is not `Sensitive`")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rtype_lang::value::Value;

    /// A resource with one secret attribute.
    struct WithSecret(&'static str);

    impl Resource for WithSecret {
        fn wanted(&self, attribute: &str) -> Value {
            if attribute == "ensure" { Value::str(self.0) } else { Value::Nil }
        }
        fn is_secret(&self, attribute: &str) -> bool {
            attribute == "ensure"
        }
        fn attributes(&self) -> Vec<Symbol> {
            vec!["ensure".into()]
        }
    }

    #[test]
    fn secrets_are_refused_as_arguments() {
        let host = System::host();
        let resource = WithSecret("1.0-hunter2");
        let guarded = host.guarding([&resource as &dyn Resource]);
        for argument in ["1.0-hunter2", "shop=1.0-hunter2"] {
            let error = guarded.run("true", &[argument]).unwrap_err();
            assert_eq!(error.to_string(), "cannot run `true`: the secret `ensure` would be an argument, which all users can read");
            assert_eq!(guarded.command("true").arg(argument).may_show_secrets().run().unwrap().status, Some(0));
        }
        assert_eq!(guarded.run("true", &["shop"]).unwrap().status, Some(0));
        assert_eq!(guarded.command("true").stdin("1.0-hunter2").run().unwrap().status, Some(0));
        // A short secret may be a part of another word.
        let resource = WithSecret("1.0");
        let guarded = host.guarding([&resource as &dyn Resource]);
        for (argument, is_refused) in [("1.0", true), ("shop=1.0", true), ("21.05", false)] {
            assert_eq!(guarded.run("true", &[argument]).is_err(), is_refused, "{argument}");
        }
        // The text is not secret in other resources.
        assert_eq!(host.run("true", &["1.0-hunter2"]).unwrap().status, Some(0));
    }
}
