//! What is said in `rtype-provider/1`: a line of JSON each way.

use crate::ProviderError;
use rtype_lang::redact::Foreign;
use rtype_lang::value::Value;
pub use rtype_model::providers::{Hello, List, MINOR, Noop, PROTOCOL};
use serde::Deserialize;
use serde_json::Value as Json;

/// A JSON object.
pub type Object = serde_json::Map<String, Json>;

/// How many characters of what a program said a message shows.
const SHOWN: usize = 200;

/// The kind of a failure that a program reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// The request is invalid.
    Invalid,
    /// Something that is needed is not there.
    NotFound,
    /// It may not.
    Forbidden,
    /// It cannot do that.
    Unsupported,
    /// Another process is using the resource.
    Busy,
    /// A timeout.
    Timeout,
    /// Anything else.
    Failed,
}

/// A failure that a program reports.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Fault {
    /// Its kind.
    pub kind: FaultKind,
    /// What went wrong.
    pub msg: Foreign,
    /// The attribute that it is about.
    #[serde(default)]
    pub attr: Option<String>,
    /// The way out.
    #[serde(default)]
    pub hint: Option<Foreign>,
    /// Whether trying again may help.
    #[serde(default)]
    pub retry: bool,
}

impl Fault {
    /// Converts the failure to an error message.
    pub fn error(&self) -> ProviderError {
        let usual = (self.kind == FaultKind::Forbidden && !nix::unistd::Uid::effective().is_root()).then(|| "run as root".into());
        ProviderError { help: self.hint.clone().or(usual), ..ProviderError::new(self.msg.clone()) }
    }
}

/// The answer to `get`.
#[derive(Clone, Debug, Deserialize)]
pub struct GetAnswer {
    /// The resources. If `complete` is set, requested resources that are missing do not exist.
    pub resources: Vec<Object>,
    /// Whether the answer contains everything that was requested.
    pub complete: bool,
}

/// The answer to `set`.
#[derive(Clone, Debug, Deserialize)]
pub struct Set {
    /// One for each change.
    pub results: Vec<Done>,
}

/// Whether something has to be started anew for a change to take effect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Restart {
    /// Nothing.
    #[default]
    None,
    /// The service that it is about.
    Service,
    /// The machine.
    Host,
}

/// What became of one change.
#[derive(Clone, Debug, Deserialize)]
pub struct Done {
    /// The title of the changed resource.
    pub title: String,
    /// What was changed: `{attr: {was, is}}`.
    #[serde(default)]
    pub changed: Object,
    /// Whether it has done what a refresh would do.
    #[serde(default)]
    pub refresh_done: bool,
    /// What has to be started anew.
    #[serde(default)]
    pub restart: Restart,
    /// Why it was not done.
    #[serde(default)]
    pub error: Option<Fault>,
}

/// Converts a value for programs: symbols become strings, and secrets are unwrapped.
pub fn to_wire(value: &Value) -> Json {
    match value {
        Value::Sensitive(inner) => to_wire(inner),
        Value::Array(items) => Json::Array(items.iter().map(to_wire).collect()),
        Value::Map(map) => Json::Object(map.iter().map(|(k, v)| (k.unwrapped().to_text().to_string(), to_wire(v))).collect()),
        other => other.to_json(),
    }
}

/// Shortens a program's output for a message.
pub fn quoted(said: &[u8]) -> Foreign {
    let text = String::from_utf8_lossy(said);
    let text = text.trim_end();
    if text.is_empty() { "an empty line".into() } else { Foreign::from("`").then(Foreign::first_characters(text, SHOWN)).then("`") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn invalid_hello_is_explained() {
        let good = json!({"protocol": 1, "name": "x", "version": "1", "type": "lamp", "ops": ["get"], "attributes_read": []});
        let wrong = |key: &str, value: Json| {
            let mut json = good.clone();
            json[key] = value;
            Hello::parse(&json).unwrap_err().to_string()
        };
        assert_eq!(Hello::parse(&good).unwrap().batch, 1);
        assert_eq!(wrong("protocol", json!(2)), "it speaks version 2 of the protocol, this program version 1");
        assert_eq!(wrong("protocol", json!("1")), "`protocol` is missing, it should be 1");
        assert_eq!(wrong("ops", json!(["set"])), "`ops` lacks `get`: what cannot be read cannot be compared");
        assert_eq!(wrong("ops", json!(["get", "delete"])), "`ops` has `delete`, there are `get` and `set`");
        assert_eq!(wrong("batch", json!(0)), "`batch` is 0, it should be 1 or more");
        assert!(wrong("noop", json!("maybe")).contains("expected `native` or `none`"));
    }

    #[test]
    fn secrets_are_only_sent_to_programs() {
        let secret = Value::array([Value::Sensitive(std::sync::Arc::new(Value::str("pssst"))), Value::sym("present")]);
        assert_eq!(to_wire(&secret), json!(["pssst", "present"]));
        assert_ne!(secret.to_json(), json!(["pssst", "present"]));
    }
}
