//! Requests and responses.

use crate::complete::complete;
use crate::declare::declare;
use crate::hover::hover;
use crate::report;
use rtype_author::check::{self, Input, Selection};
use rtype_lang::diagnostics::{Diagnostic, Profile};
use rtype_lang::eval::{UnknownWorld, begin_run};
use rtype_lang::library::{TypeLoader, TypeSet};
use rtype_lang::source::Source;
use rtype_lang::syntax::{self, LINE_WIDTH};
use rtype_manifest::format as manifest;
use rtype_model::providers::UnknownProviders;
use serde::Deserialize;
use serde_json::{Value as Json, json};
use std::path::Path;
use std::sync::Arc;

/// A request: a method with its parameters.
#[derive(Debug, Deserialize)]
#[serde(tag = "method", rename_all = "lowercase")]
enum Request {
    Check {
        #[serde(flatten)]
        texts: Texts,
        profile: Option<Profile>,
    },
    Format {
        text: String,
        language: Pane,
        width: Option<usize>,
    },
    Complete {
        #[serde(flatten)]
        texts: Texts,
        pane: Pane,
        offset: usize,
    },
    Hover {
        #[serde(flatten)]
        texts: Texts,
        pane: Pane,
        offset: usize,
    },
    Declare {
        #[serde(flatten)]
        texts: Texts,
    },
    Version,
}

/// A request's sources.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Texts {
    /// Type definitions.
    pub types: String,
    /// Resources in Puppet's syntax.
    pub resources: String,
    /// The current state of resources, in the same syntax.
    pub state: String,
}

/// Selects one source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Pane {
    Types,
    Resources,
    State,
}

impl Texts {
    /// Returns a pane's source.
    pub(crate) fn of(&self, pane: Pane) -> &str {
        match pane {
            Pane::Types => &self.types,
            Pane::Resources => &self.resources,
            Pane::State => &self.state,
        }
    }
}

/// The standard types, shared by all requests.
pub struct Service {
    base: TypeSet,
}

impl Default for Service {
    fn default() -> Service {
        Service { base: TypeLoader::default().load() }
    }
}

impl Service {
    /// Carries out a request, and returns the response: an object with `ok` or `error`.
    pub fn call(&self, request: &str) -> String {
        // The run budget applies to a single request.
        begin_run();
        match serde_json::from_str::<Request>(request) {
            Ok(request) => json!({ "ok": self.answer(request) }),
            Err(error) => json!({ "error": format!("invalid request: {error}") }),
        }
        .to_string()
    }

    fn answer(&self, request: Request) -> Json {
        match request {
            Request::Check { texts, profile } => self.check(&texts, profile.unwrap_or(Profile::Default)),
            Request::Format { text, language, width } => formatted(&text, language, width.unwrap_or(LINE_WIDTH)),
            Request::Complete { texts, pane, offset } => complete(&self.load(&texts.types), &texts, pane, offset),
            Request::Hover { texts, pane, offset } => hover(&self.load(&texts.types), &texts, pane, offset),
            Request::Declare { texts } => declare(self.load(&texts.types), &texts),
            Request::Version => json!(env!("CARGO_PKG_VERSION")),
        }
    }

    /// Returns the types in a source and the standard types. Errors are recorded in the set.
    fn load(&self, text: &str) -> TypeSet {
        let mut types = self.base.fork();
        if let Ok(source) = types.keep(&types_file(text), text.to_owned()) {
            types.load_text(&source, None);
        }
        types
    }

    fn check(&self, texts: &Texts, profile: Profile) -> Json {
        let mut types = self.base.fork();
        let mut inputs = Vec::new();
        let mut before: Vec<Diagnostic> = Vec::new();
        let mut add = |name: &str, text: &str, input: fn(Arc<Source>) -> Input| match types.keep(name, text.to_owned()) {
            Ok(source) => inputs.push(input(source)),
            Err(diagnostic) => before.push(diagnostic),
        };
        add(&types_file(&texts.types), &texts.types, |source| Input::Types(source, None));
        if !texts.resources.trim().is_empty() {
            add(RESOURCES, &texts.resources, Input::Resources);
        }
        let selection = Selection { profile, ..Selection::default() };
        let checked = check::run(&inputs, before, &mut types, &UnknownProviders, &UnknownWorld, &selection);
        let found: Vec<Diagnostic> = checked.findings.into_iter().map(|finding| finding.diagnostic).collect();
        json!({ "diagnostics": report::diagnostics(&found, &types) })
    }
}

/// The file name for resources in diagnostics.
pub(crate) const RESOURCES: &str = "site.pp";
/// The file name for the current state in diagnostics.
pub(crate) const STATE: &str = "state.pp";

/// Returns a type file's name: the first type's name.
pub(crate) fn types_file(text: &str) -> String {
    let name = text.lines().find_map(|line| line.strip_prefix("type ")?.split_whitespace().next());
    let name = name.filter(|name| name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_'));
    format!("{}.rtype", name.unwrap_or("types"))
}

/// Returns the pane for a file name.
pub(crate) fn pane_of(name: &str) -> &'static str {
    match name {
        RESOURCES => "resources",
        STATE => "state",
        _ if Path::new(name).extension().is_some_and(|extension| extension == "rtype") && !name.starts_with('<') => "types",
        _ => "library",
    }
}

fn formatted(text: &str, pane: Pane, width: usize) -> Json {
    let types = TypeLoader::default().load();
    let name = match pane {
        Pane::Types => types_file(text),
        Pane::Resources => RESOURCES.to_owned(),
        Pane::State => STATE.to_owned(),
    };
    let source = types.keep(&name, text.to_owned()).map_err(|why| vec![why]);
    let result = source.and_then(|source| match pane {
        Pane::Types => syntax::format(&source, width),
        Pane::Resources | Pane::State => manifest::format(&source),
    });
    match result {
        Ok(text) => json!({ "text": text }),
        Err(found) => json!({ "diagnostics": report::diagnostics(&found, &types) }),
    }
}
