//! The self-description of `rtype-provider/1` programs.

use serde::Deserialize;
use serde_json::Value as Json;

/// The protocol version.
pub const PROTOCOL: u64 = 1;

/// The protocol's minor version. A new minor version only has additions.
pub const MINOR: u64 = 1;

/// Operations in minor version 1, in addition to `get` and `set`.
const ADDED: &[&str] = &["providers", "catalog", "call", "refresh", "relations", "resolve", "end"];

/// A program's support for predicting changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Noop {
    /// It supports `noop: true`.
    Native,
    /// It does not; rtype never sends `noop`.
    #[default]
    None,
}

/// The cost of listing all resources.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum List {
    /// Negligible.
    #[default]
    Cheap,
    /// High: rtype lists only if all resources are requested.
    Expensive,
    /// Listing is not supported.
    No,
}

/// Requirements of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Needs {
    /// Required commands, by name or path.
    pub commands: Vec<String>,
    /// Whether it must run as root.
    pub root: bool,
    /// Supported systems as named by `uname -s`, case-insensitive; empty means any.
    pub os: Vec<String>,
}

/// A program's self-description: the answer to `hello`, and the contents of the description file next to the program.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Hello {
    /// Protocol version.
    pub protocol: u64,
    /// The supported minor version of the protocol.
    #[serde(default)]
    pub minor: u64,
    /// Provider name.
    pub name: String,
    /// Version of the program.
    pub version: String,
    /// Name of the managed type.
    #[serde(rename = "type")]
    pub type_name: String,
    /// Supported operations: `get`, `set`.
    pub ops: Vec<String>,
    /// The program's support for predicting changes.
    #[serde(default)]
    pub noop: Noop,
    /// Maximum number of changes per `set` request.
    #[serde(default = "one")]
    pub batch: usize,
    /// The cost of listing all resources, if supported.
    #[serde(default)]
    pub list: List,
    /// Supported features of the type.
    #[serde(default)]
    pub features: Vec<String>,
    /// Properties that it can read.
    pub attributes_read: Vec<String>,
    /// Properties that it can change.
    #[serde(default)]
    pub attributes_write: Vec<String>,
    /// Methods that all blocks may call. They read the machine.
    #[serde(default)]
    pub queries: Vec<String>,
    /// Methods that action blocks may call.
    #[serde(default)]
    pub actions: Vec<String>,
    /// Types for which rtype sends the run's resources to the program.
    #[serde(default)]
    pub catalog: Vec<String>,
    /// True if the program accepts and may return non-UTF-8 data, as `{"__ptype": "Binary", "__pvalue": base64}`.
    #[serde(default)]
    pub bytes: bool,
    /// Requirements of the program.
    #[serde(default)]
    pub needs: Needs,
}

fn one() -> usize {
    1
}

/// The reason why a self-description is invalid.
#[derive(Debug, thiserror::Error)]
pub enum HelloError {
    /// The program uses another version of the protocol.
    #[error("it speaks version {0} of the protocol, this program version {PROTOCOL}")]
    OtherVersion(u64),
    /// The protocol version is missing or not a number.
    #[error("`protocol` is missing, it should be {PROTOCOL}")]
    NoVersion,
    /// A field is missing or invalid.
    #[error(transparent)]
    Field(#[from] serde_json::Error),
    /// An unknown operation.
    #[error("`ops` has `{0}`, there are `get` and `set`")]
    UnknownOperation(String),
    /// The program cannot read resources.
    #[error("`ops` lacks `get`: what cannot be read cannot be compared")]
    NoGet,
    /// `ops` lacks an operation that another field requires.
    #[error("`{0}` requires `{1}` in `ops`, and `minor` 1")]
    NoOperation(&'static str, &'static str),
    /// No change fits into a request.
    #[error("`batch` is 0, it should be 1 or more")]
    EmptyBatch,
}

impl Hello {
    /// Parses a program's self-description.
    ///
    /// # Errors
    /// Returns an error if a field is missing or invalid, or the protocol version is not supported.
    pub fn parse(json: &Json) -> Result<Hello, HelloError> {
        // Check the version first, because another version may have other fields.
        match json.get("protocol").and_then(Json::as_u64) {
            Some(PROTOCOL) => {}
            Some(other) => return Err(HelloError::OtherVersion(other)),
            None => return Err(HelloError::NoVersion),
        }
        let hello = Hello::deserialize(json)?;
        if let Some(op) = hello.ops.iter().find(|op| !hello.may_have(op)) {
            return Err(HelloError::UnknownOperation(op.clone()));
        }
        if !hello.ops.iter().any(|op| op == "get") {
            return Err(HelloError::NoGet);
        }
        let requires = [("queries", &hello.queries, "call"), ("actions", &hello.actions, "call"), ("catalog", &hello.catalog, "catalog")];
        if let Some((field, _, op)) = requires.iter().find(|(_, list, op)| !list.is_empty() && !hello.ops.iter().any(|has| has == op)) {
            return Err(HelloError::NoOperation(field, op));
        }
        if hello.batch == 0 {
            return Err(HelloError::EmptyBatch);
        }
        Ok(hello)
    }

    fn may_have(&self, op: &str) -> bool {
        ["get", "set"].contains(&op) || (self.minor > 0 && ADDED.contains(&op))
    }

    /// Returns true if the program supports changes.
    pub fn sets(&self) -> bool {
        self.ops.iter().any(|op| op == "set")
    }
}
