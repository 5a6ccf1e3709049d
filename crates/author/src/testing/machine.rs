//! The simulated machine of a test: a standard Debian 12, modified by the test.

use rtype_lang::eval::{Coverage, FileBelow, QueryError, Walk, Walked, World};
use rtype_lang::types::{ProviderBody, TestBinaries, TestGiven, TypeDef};
use rtype_lang::value::{EcoString, Map, Value};
use rtype_model::providers::Providers;
use rtype_model::resource::{Backend, QueryContext};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

/// The default machine.
const ORDINARY: &str = include_str!("machine.json");

/// The parts of an ordinary machine, borrowed from `machine.json`.
#[derive(serde::Deserialize)]
struct Ordinary {
    #[serde(borrow)]
    paths: BTreeMap<&'static str, &'static str>,
}

/// A simulated machine.
#[derive(Clone, Debug, Default)]
pub struct Simulated {
    /// Facts by name; structured facts are maps with string keys.
    pub facts: Map,
    /// Platform features, `true` if present; other features are absent.
    pub features: Map,
    /// Settings of the run.
    pub settings: Map,
    /// Available programs.
    pub binaries: TestBinaries,
    /// Existing absolute paths, each with the kind of file.
    pub paths: BTreeMap<&'static str, &'static str>,
    /// Programs of other systems. They exist only if a test lists them.
    pub missing: Vec<EcoString>,
    /// The seconds since 1970, if known.
    pub now: Option<i64>,
    /// Legacy fact names, with the current fact's dotted path.
    legacy: Arc<Map>,
    users: Arc<Map>,
    groups: Arc<Map>,
    homes: Arc<Map>,
    ports: Arc<Map>,
    coverage: Option<Rc<Coverage>>,
}

impl Simulated {
    /// Returns a standard Debian 12, on which all requested programs exist.
    pub fn debian() -> Simulated {
        let json = rtype_lang::data::json_from_text(ORDINARY).unwrap_or_default();
        let part = |name: &str| match json.get(name).map(Value::from_json) {
            Some(Value::Map(map)) => map.as_ref().clone(),
            _ => Map::new(),
        };
        let list = |name: &str| -> Vec<EcoString> {
            let items = json.get(name).and_then(|p| p.as_array()).into_iter().flatten();
            items.filter_map(|p| p.as_str()).map(EcoString::from).collect()
        };
        let mut machine = Simulated {
            facts: part("facts"),
            features: part("features"),
            settings: part("settings"),
            binaries: TestBinaries::All,
            paths: serde_json::from_str(ORDINARY).map(|ordinary: Ordinary| ordinary.paths).unwrap_or_default(),
            now: None,
            missing: list("missing"),
            legacy: Arc::new(part("legacy")),
            users: Arc::new(part("users")),
            groups: Arc::new(part("groups")),
            homes: Arc::new(part("homes")),
            ports: Arc::new(part("ports")),
            coverage: None,
        };
        let facts = std::mem::take(&mut machine.facts);
        machine.merge_facts(&facts);
        machine
    }

    /// Returns the machine, which then records the parts that the tests reach.
    pub(super) fn recording(mut self, coverage: &Rc<Coverage>) -> Simulated {
        self.coverage = Some(Rc::clone(coverage));
        self
    }

    /// Returns the machine with the modifications of a test.
    #[must_use]
    pub fn with_given(&self, given: &TestGiven) -> Simulated {
        let mut machine = self.clone();
        machine.merge_facts(&given.facts);
        machine.features.extend(given.features.iter().map(|(k, v)| (k.clone(), v.clone())));
        machine.settings.extend(given.settings.iter().map(|(k, v)| (k.clone(), v.clone())));
        machine.binaries = given.binaries.clone();
        machine
    }

    /// Merges facts. Other members of structured facts are kept, legacy names are updated, and nil removes a fact.
    pub fn merge_facts(&mut self, over: &Map) {
        if over.is_empty() {
            return;
        }
        let legacy = Arc::clone(&self.legacy);
        deepen(&mut self.facts, over);
        for (old, new) in legacy.iter() {
            let Some(path) = new.as_text() else { continue };
            if let Some(value) = over.get(old) {
                let deep = path
                    .rsplit('.')
                    .fold(value.clone(), |inner, key| Value::Map(Arc::new([(Value::str(key), inner)].into_iter().collect())));
                if let Value::Map(deep) = deep {
                    deepen(&mut self.facts, &deep);
                }
            } else if path.split('.').next().is_some_and(|first| over.contains_key(&Value::str(first))) {
                self.facts.insert(old.clone(), lookup(&self.facts, path));
            }
        }
        self.facts.retain(|_, v| !v.is_nil());
    }

    /// Returns the kind of file at a path.
    fn kind_of(&self, path: &str) -> Option<&'static str> {
        self.paths.get(path).copied()
    }
}

/// Merges maps recursively.
fn deepen(facts: &mut Map, over: &Map) {
    for (key, value) in over {
        let merged = match (facts.get(key), value) {
            (Some(Value::Map(old)), Value::Map(new)) => {
                let mut old = old.as_ref().clone();
                deepen(&mut old, new);
                Value::Map(Arc::new(old))
            }
            _ => value.clone(),
        };
        facts.insert(key.clone(), merged);
    }
}

fn lookup(facts: &Map, path: &str) -> Value {
    let mut parts = path.split('.');
    let first = parts.next().and_then(|name| facts.get(&Value::str(name)));
    let found = parts.fold(first, |value, key| match value {
        Some(Value::Map(map)) => map.get(&Value::str(key)),
        _ => None,
    });
    found.cloned().unwrap_or_default()
}

fn number_of(table: &Map, name: &str) -> Option<i64> {
    let number = |v: &Value| if let Value::Int(n) = v { Some(*n) } else { None };
    match name.parse::<i64>() {
        Ok(wanted) => table.values().filter_map(number).find(|n| *n == wanted),
        Err(_) => table.get(&Value::str(name)).and_then(number),
    }
}

fn name_of(table: &Map, number: i64) -> Option<EcoString> {
    table.iter().find(|(_, n)| **n == Value::Int(number)).map(|(name, _)| name.to_text())
}

impl World for Simulated {
    fn fact(&self, path: &str) -> Value {
        let name = path.to_lowercase();
        self.facts.get(&Value::str(name.as_str())).cloned().unwrap_or_else(|| lookup(&self.facts, &name))
    }

    fn feature(&self, name: &str) -> bool {
        self.features.get(&Value::str(name)).is_some_and(Value::is_truthy)
    }

    fn setting(&self, name: &str) -> Value {
        self.settings.get(&Value::str(name)).cloned().unwrap_or_default()
    }

    fn which(&self, command: &str) -> Option<String> {
        let base = command.rsplit('/').next().unwrap_or(command);
        let usual = || if command.starts_with('/') { command.to_owned() } else { format!("/usr/bin/{command}") };
        let foreign = self.missing.iter().any(|m| m == base);
        match &self.binaries {
            TestBinaries::All => (!foreign).then(usual),
            TestBinaries::Only(names) => names.iter().any(|n| n == command || n == base).then(usual),
            TestBinaries::Except(map) => match map.get(&Value::str(command)).or_else(|| map.get(&Value::str(base))) {
                Some(Value::Str(path)) => Some(path.to_string()),
                Some(there) if !there.is_truthy() => None,
                Some(_) => Some(usual()),
                None => (!foreign).then(usual),
            },
        }
    }

    fn exists(&self, path: &str) -> bool {
        self.kind_of(path).is_some()
    }

    fn now(&self) -> Option<i64> {
        self.now
    }

    /// Only the kind of the path itself is known.
    fn files_below(&self, path: &str, how: &Walk) -> Result<Walked, QueryError> {
        let Some(kind) = self.kind_of(path) else { return Ok(Walked::Nothing) };
        if how.depth != Some(0) && kind == "directory" {
            return Ok(Walked::Unknown);
        }
        let found =
            FileBelow { path: path.into(), relative: ".".into(), kind, mode: 0, uid: 0, gid: 0, size: 0, mtime: 0, atime: 0, ctime: 0 };
        Ok(Walked::Files(vec![found]))
    }

    /// The content of files is unknown.
    fn file_text(&self, path: &str) -> Result<Value, QueryError> {
        Ok(if self.exists(path) { Value::Unknown } else { Value::Nil })
    }

    fn current_user(&self) -> Option<EcoString> {
        Some(lookup(&self.facts, "identity.user").to_text())
    }

    fn uid_of(&self, user: &str) -> Option<i64> {
        number_of(&self.users, user)
    }

    fn gid_of(&self, group: &str) -> Option<i64> {
        number_of(&self.groups, group)
    }

    fn user_name(&self, number: i64) -> Option<EcoString> {
        name_of(&self.users, number)
    }

    fn group_name(&self, number: i64) -> Option<EcoString> {
        name_of(&self.groups, number)
    }

    fn home_dir(&self, user: &str) -> Option<EcoString> {
        self.homes.get(&Value::str(user)).map(Value::to_text)
    }

    fn service_port(&self, service: &str, _: &str) -> Option<i64> {
        number_of(&self.ports, service)
    }

    fn coverage(&self) -> Option<&Coverage> {
        self.coverage.as_deref()
    }
}

/// Answers provider queries with the answers that a test gives, otherwise from the given state.
pub struct Answers<'a> {
    /// Answers by method.
    pub ready: &'a Map,
    /// Returns the current value of a property.
    pub is: &'a dyn Fn(&str) -> Value,
    /// Native code that compares versions without accessing a machine.
    pub providers: &'a dyn Providers,
    /// `true` if a query without an answer was evaluated.
    pub unanswered: Cell<bool>,
}

impl<'a> Answers<'a> {
    /// Creates the backend.
    pub fn new(ready: &'a Map, is: &'a dyn Fn(&str) -> Value, providers: &'a dyn Providers) -> Answers<'a> {
        Answers { ready, is, providers, unanswered: Cell::new(false) }
    }
}

impl Backend for Answers<'_> {
    fn query(&self, asked: &QueryContext<'_>, method: &str, arguments: &[Value]) -> Result<Value, QueryError> {
        if let Some(answer) = self.ready.get(&Value::str(method)) {
            return Ok(answer.clone());
        }
        let is_query = || asked.type_def.lineage(asked.provider).any(|(_, p)| p.queries.iter().any(|q| q.as_str() == method));
        match method {
            "exists?" => Ok(Value::Bool(!(self.is)("ensure").is_absent())),
            "insync?" if matches!(asked.provider.body, ProviderBody::Native(_)) => self.providers.in_sync(asked, arguments),
            // Providers without code compare exact versions, never ranges.
            "insync?" => Ok(false.into()),
            _ if is_query() => {
                self.unanswered.set(true);
                Err(QueryError::NotInTest(method.into()))
            }
            property => Ok((self.is)(property)),
        }
    }

    /// A simulated machine only contains what the test declares.
    fn instances(&self, _: &TypeDef) -> Result<Value, QueryError> {
        Ok(Value::array([]))
    }
}
