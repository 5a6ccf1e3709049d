//! What programs say of themselves in `rtype-provider/1`.

use serde::Deserialize;
use serde_json::Value as Json;

/// The version of the protocol.
pub const PROTOCOL: u64 = 1;

/// Whether a program can tell what it would do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Noop {
    /// It takes `noop: true`.
    Native,
    /// It is never asked to.
    #[default]
    None,
}

/// How much it costs a program to list all that there is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum List {
    /// Nothing to speak of.
    #[default]
    Cheap,
    /// Much: it is only done where all that there is shall be seen.
    Expensive,
    /// It cannot be done.
    No,
}

/// What a program cannot do without.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Needs {
    /// Programs, by name or path.
    pub commands: Vec<String>,
    /// To be root.
    pub root: bool,
    /// One of these systems, as `uname -s` names them, in any case; any when empty.
    pub os: Vec<String>,
}

/// What a program says of itself: its answer to `hello`, and what stands in the file beside it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Hello {
    /// The version of the protocol that it speaks.
    pub protocol: u64,
    /// Its name.
    pub name: String,
    /// Its own version.
    pub version: String,
    /// The type that it is for.
    #[serde(rename = "type")]
    pub type_name: String,
    /// What it can be asked for: `get`, `set`.
    pub ops: Vec<String>,
    /// Whether it can tell what it would do.
    #[serde(default)]
    pub noop: Noop,
    /// How many changes one `set` may hold.
    #[serde(default = "one")]
    pub batch: usize,
    /// Whether it can list all that there is.
    #[serde(default)]
    pub list: List,
    /// The features of the type that it has.
    #[serde(default)]
    pub features: Vec<String>,
    /// The properties that it reads.
    pub attributes_read: Vec<String>,
    /// The properties that it changes.
    #[serde(default)]
    pub attributes_write: Vec<String>,
    /// Whether it takes bytes that are not text, as `{"__ptype": "Binary", "__pvalue": base64}`, and may answer with such.
    #[serde(default)]
    pub bytes: bool,
    /// What it cannot do without.
    #[serde(default)]
    pub needs: Needs,
}

fn one() -> usize {
    1
}

impl Hello {
    /// What a program says of itself, out of its words.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn parse(json: &Json) -> Result<Hello, String> {
        // Another version may have other fields: that it is another one comes first.
        match json.get("protocol").and_then(Json::as_u64) {
            Some(PROTOCOL) => {}
            Some(other) => return Err(format!("it speaks version {other} of the protocol, this program version {PROTOCOL}")),
            None => return Err(format!("`protocol` is missing, it should be {PROTOCOL}")),
        }
        let hello = Hello::deserialize(json).map_err(|e| e.to_string())?;
        if let Some(op) = hello.ops.iter().find(|op| !["get", "set"].contains(&op.as_str())) {
            return Err(format!("`ops` has `{op}`, there are `get` and `set`"));
        }
        if !hello.ops.iter().any(|op| op == "get") {
            return Err("`ops` lacks `get`: what cannot be read cannot be compared".to_owned());
        }
        if hello.batch == 0 {
            return Err("`batch` is 0, it should be 1 or more".to_owned());
        }
        Ok(hello)
    }

    /// Whether it can change anything.
    pub fn sets(&self) -> bool {
        self.ops.iter().any(|op| op == "set")
    }
}
