//! One provider of Puppet, in the process that runs them.

use super::{RubyHost, lock};
use crate::external::{Fault, Object, Refusal, to_wire};
use crate::{
    Change, Decider, ErrorKind, FileValue, FileValues, ListedResource, Operation, Provider, ProviderError, Reading, Request, Resource,
    ResourceShape, Select, State, System,
};
use indexmap::IndexMap;
use rtype_lang::types::{RelationKind, Role, TypeDef};
use rtype_lang::value::{EcoString, ResourceRef, Symbol, Value};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value as Json, json};
use std::sync::Arc;

/// How many changes one request has: they are read again together.
const BATCH: usize = 64;

/// A provider that exists only in Ruby.
pub struct RubyProvider {
    shape: ResourceShape,
    provider: Option<EcoString>,
    host: Arc<RubyHost>,
}

#[derive(Deserialize)]
struct GetAnswer {
    resources: Vec<Item>,
}

/// A resource as it is on the machine.
#[derive(Deserialize)]
struct Item {
    title: EcoString,
    #[serde(default)]
    state: Object,
    #[serde(default)]
    insync: IndexMap<EcoString, bool>,
    #[serde(default)]
    error: Option<Fault>,
}

#[derive(Deserialize)]
struct SetAnswer {
    results: Vec<Changed>,
}

#[derive(Deserialize)]
struct Changed {
    title: EcoString,
    #[serde(default)]
    error: Option<Fault>,
    /// Why some properties could not be set.
    #[serde(default)]
    failed: IndexMap<EcoString, Fault>,
}

#[derive(Deserialize)]
struct RelationsAnswer {
    relations: Vec<WrittenRelation>,
}

/// An automatic relation.
#[derive(Deserialize)]
struct WrittenRelation {
    kind: WrittenKind,
    #[serde(rename = "type")]
    type_name: EcoString,
    title: EcoString,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum WrittenKind {
    Require,
    Before,
    Notify,
    Subscribe,
}

impl WrittenRelation {
    fn relation(self) -> (RelationKind, ResourceRef) {
        let kind = match self.kind {
            WrittenKind::Require => RelationKind::Require,
            WrittenKind::Before => RelationKind::Before,
            WrittenKind::Notify => RelationKind::Notify,
            WrittenKind::Subscribe => RelationKind::Subscribe,
        };
        (kind, ResourceRef { type_name: Symbol::from(self.type_name), title: self.title })
    }
}

impl RubyProvider {
    /// Creates a provider for resources of this shape; without a name, for a type without providers.
    pub fn new(shape: ResourceShape, provider: Option<EcoString>, host: Arc<RubyHost>) -> RubyProvider {
        RubyProvider { shape, provider, host }
    }

    fn item(&self, request: Request<'_>) -> Json {
        // Ruby divides the title into several namevars, and its defaults complete them.
        let namevar = Some(&self.shape.namevars).filter(|names| names.len() == 1).and_then(|names| names.first());
        item(request, namevar, &|name| self.shape.attributes.contains_key(name))
    }

    fn ask<T: DeserializeOwned>(&self, system: &System, op: &str, mut question: Json, resources: usize) -> Result<T, Refusal> {
        if let Some(question) = question.as_object_mut() {
            question.insert("type".to_owned(), self.shape.type_name.as_str().into());
            question.insert("provider".to_owned(), self.provider.as_deref().into());
        }
        let answer = self.host.ask(system, op, question, resources)?;
        self.shape.learn(&answer, system.redactor());
        T::deserialize(&Json::Object(answer.clone())).map_err(|e| Refusal::Broken(self.host.misunderstood(op, &answer, &e.to_string())))
    }

    /// Reads resources together. If that ends the process, each one is read alone: the others can be read.
    fn read(&self, system: &System, items: &[Json], attributes: &Json) -> Result<IndexMap<EcoString, Item>, ProviderError> {
        let one = |items: &[Json]| self.ask(system, "get", json!({"names": items, "attrs": attributes}), items.len());
        let found: GetAnswer = match one(items) {
            Ok(found) => found,
            Err(Refusal::Broken(e)) if items.len() > 1 && e.kind == ErrorKind::Protocol => {
                let mut all = IndexMap::new();
                for item in items {
                    all.extend(self.read(system, std::slice::from_ref(item), attributes).or_else(|e| failed_item(item, e))?);
                }
                return Ok(all);
            }
            Err(refusal) => return Err(refusal.error()),
        };
        Ok(found.resources.into_iter().map(|item| (item.title.clone(), item)).collect())
    }

    /// Converts one resource of an answer.
    fn reading(&self, item: &Item, select: Select<'_>) -> Reading {
        if let Some(fault) = &item.error {
            return Reading::Error(fault.error());
        }
        let insync = item.insync.iter().map(|(name, verdict)| (Symbol::from(name.clone()), *verdict)).collect();
        lock(&self.host.verdicts).insert(self.verdict_key(item.title.clone()), insync);
        let Some(mut state) = self.state(&item.state, select) else { return Reading::Absent };
        if let Select::Only(wanted) = select {
            // Only what is declared is read; others of the batch may declare more.
            for name in wanted.iter().filter(|name| name.as_str() != "ensure") {
                let unread = || Err(ProviderError::new("only declared properties are read by providers in Ruby"));
                state.entry(name.clone()).or_insert_with(unread);
            }
        }
        Reading::Present(state)
    }

    /// Converts the state of a resource; `None` if the resource does not exist. If `ensure` is declared and the Ruby code returns nil for
    /// it, the other properties are converted anyway, because Puppet compares them.
    fn state(&self, item: &Object, select: Select<'_>) -> Option<State> {
        if !item.get("ensure").is_some_and(Json::is_null) {
            return self.shape.state(item, select, "ruby");
        }
        let rest: Object = item.iter().filter(|(name, _)| *name != "ensure").map(|(name, value)| (name.clone(), value.clone())).collect();
        let mut state = self.shape.state(&rest, select, "ruby")?;
        state.insert(Symbol::from("ensure"), Ok(Value::sym("absent")));
        Some(state)
    }

    fn verdict_key(&self, title: EcoString) -> super::VerdictKey {
        (self.shape.type_name.clone(), self.provider.clone(), title)
    }

    fn change(&self, change: &Change<'_>) -> Json {
        let mut item = self.item(change.request());
        let names: Vec<&str> = match change.operation() {
            Operation::Delete if change.should.is_empty() => vec!["ensure"],
            Operation::Create if change.should.is_empty() => vec!["ensure"],
            _ => change.should.keys().map(Symbol::as_str).collect(),
        };
        if let Some(item) = item.as_object_mut() {
            item.insert("attrs".to_owned(), json!(names));
        }
        item
    }
}

/// Describes a resource with all that is declared of it.
fn item(request: Request<'_>, namevar: Option<&Symbol>, is_own: &dyn Fn(&str) -> bool) -> Json {
    let resource = request.resource;
    let mut attributes = Object::new();
    let mut secrets = Vec::new();
    let mut unknown = Vec::new();
    // Ruby sets the defaults itself, and sets none for properties that are only audited.
    let is_sent = |name: &str| (is_own(name) || name == "audit") && !resource.is_default(name);
    for name in resource.attributes().iter().filter(|name| is_sent(name.as_str())) {
        let given = resource.given(name.as_str());
        if given.has_unknown() {
            unknown.push(name.to_string());
            continue;
        }
        attributes.insert(name.to_string(), to_wire(&given));
        if resource.is_secret(name.as_str()) {
            secrets.push(name.to_string());
        }
    }
    if let Some(namevar) = namevar {
        attributes.entry(namevar.to_string()).or_insert_with(|| request.name.into());
    }
    let checked = resource.checked().map(|checked| checked_to_wire(&checked, resource));
    json!({"title": title(request), "attributes": attributes, "secrets": secrets, "unknown": unknown, "checked": checked, "generated": resource.is_generated()})
}

/// Describes the values that the type file gives.
fn checked_to_wire(checked: &FileValues, resource: &dyn Resource) -> Json {
    let one = |(name, checked): (&Symbol, &FileValue)| {
        let is_secret = resource.is_secret(name.as_str());
        (name.to_string(), json!({"value": to_rich_wire(&checked.value), "rules": checked.has_rules, "secret": is_secret}))
    };
    let values: Object = checked.values.iter().map(one).collect();
    json!({"attributes": values, "validated": checked.is_validated})
}

/// Converts a value to Puppet's rich data, in which symbols are not strings.
fn to_rich_wire(value: &Value) -> Json {
    match value {
        Value::Sensitive(inner) => to_rich_wire(inner),
        Value::Sym(symbol) => json!({"__ptype": "Symbol", "__pvalue": symbol.as_str()}),
        Value::Array(items) => items.iter().map(to_rich_wire).collect(),
        Value::Map(map) => Json::Object(map.iter().map(|(k, v)| (k.unwrapped().to_text().to_string(), to_rich_wire(v))).collect()),
        other => to_wire(other),
    }
}

/// Describes a resource of the catalog.
pub(crate) fn declared(type_def: &TypeDef, request: Request<'_>) -> Json {
    let is_own = |name: &str| type_def.attribute_named(name).is_some_and(|a| a.role != Role::Metaparam);
    let mut declared = item(request, None, &is_own);
    if let Some(declared) = declared.as_object_mut() {
        declared.insert("type".to_owned(), type_def.name.as_str().into());
    }
    declared
}

/// Describes a resource of the catalog whose generated resources are not known.
pub(super) fn generator(type_def: &TypeDef, request: Request<'_>) -> Json {
    let mut declared = declared(type_def, request);
    if let Some(declared) = declared.as_object_mut() {
        declared.insert("generates".to_owned(), true.into());
    }
    declared
}

/// Describes a resource that could not be built.
pub(super) fn unusable(reference: &ResourceRef, why: &str) -> Json {
    json!({"type": reference.type_name.as_str(), "title": reference.title, "attributes": {}, "unusable": why})
}

fn title(request: Request<'_>) -> EcoString {
    request.resource.title().unwrap_or_else(|| request.name.into())
}

/// Returns the error of one resource in place of its state.
fn failed_item(item: &Json, error: ProviderError) -> Result<IndexMap<EcoString, Item>, ProviderError> {
    let Some(title) = item.get("title").and_then(Json::as_str).map(EcoString::from) else { return Err(error) };
    let fault = Fault { kind: crate::external::FaultKind::Failed, msg: error.message, attr: None, hint: error.help, retry: false };
    let item = Item { title: title.clone(), state: Object::new(), insync: IndexMap::new(), error: Some(fault) };
    Ok(IndexMap::from([(title, item)]))
}

impl Provider for RubyProvider {
    /// Puppet does not read again, and its providers may read something else than what they set: whether a command is due.
    fn fails_unconfirmed(&self) -> bool {
        false
    }

    fn reads(&self) -> &'static [&'static str] {
        &[]
    }

    fn can_read(&self, property: &str) -> bool {
        self.shape.is_property(property)
    }

    fn can_write(&self, property: &str) -> bool {
        self.shape.is_property(property)
    }

    fn get(&self, system: &System, requests: &[Request<'_>], select: Select<'_>) -> Vec<Reading> {
        let items: Vec<Json> = requests.iter().map(|request| self.item(*request)).collect();
        let attributes = match select {
            Select::All => Json::Null,
            Select::Only(names) => names.iter().map(Symbol::as_str).collect(),
        };
        let found = match self.read(system, &items, &attributes) {
            Ok(found) => found,
            Err(e) => return requests.iter().map(|_| Reading::Error(e.clone())).collect(),
        };
        let missing = || Reading::Error(ProviderError::new("the provider in Ruby returned no result"));
        requests.iter().map(|request| found.get(&title(*request)).map_or_else(missing, |item| self.reading(item, select))).collect()
    }

    fn instances(&self, system: &System, select: Select<'_>) -> Result<Vec<ListedResource>, ProviderError> {
        let found: GetAnswer = self.ask(system, "get", json!({"names": null, "attrs": null}), BATCH).map_err(Refusal::error)?;
        let listed = found.resources.into_iter().filter_map(|item| match self.state(&item.state, select) {
            Some(mut state) => {
                let key = self.shape.key(&item.state);
                if key.len() > 1 {
                    state.extend(self.shape.namevars.iter().cloned().zip(key.into_iter().map(|part| Ok(Value::str(part.as_str())))));
                }
                Some(ListedResource { name: item.title, state })
            }
            None => None,
        });
        Ok(listed.collect())
    }

    fn set(&self, _: &System, change: &mut Change<'_>, property: &str, value: &Value) -> Result<(), ProviderError> {
        if property == "ensure" {
            change.exists = Some(!value.unwrapped().is_absent());
        }
        change.should.insert(Symbol::from(property), value.clone());
        Ok(())
    }

    fn flush(&self, system: &System, changes: &mut [Change<'_>]) -> Vec<Result<(), ProviderError>> {
        let is_asked = |c: &Change<'_>| c.operation() != Operation::Nothing || !c.should.is_empty();
        let mut answers = Vec::new();
        // One by one: a crash is the failure of one resource, and what was changed before it is known.
        for change in changes {
            let item = self.change(change);
            let answer = if is_asked(change) {
                self.ask(system, "set", json!({"changes": [item]}), 1)
            } else {
                Ok(SetAnswer { results: Vec::new() })
            };
            change.should.clear();
            change.exists = None;
            answers.push(
                match answer.map(|SetAnswer { results }| results.into_iter().find(|done| done.title == title(change.request()))) {
                    Err(refusal) => Err(refusal.error()),
                    Ok(None) => Ok(()),
                    Ok(Some(Changed { error, failed, .. })) => {
                        change.failed.extend(failed.into_iter().map(|(name, fault)| (Symbol::from(name), fault.error())));
                        error.map_or(Ok(()), |fault| Err(fault.error()))
                    }
                },
            );
        }
        answers
    }

    fn batch(&self, _: &System) -> usize {
        BATCH
    }

    fn decider(&self) -> Option<&dyn Decider> {
        Some(self)
    }

    fn query(&self, system: &System, request: Request<'_>, method: &str, arguments: &[Value]) -> Result<Value, ProviderError> {
        let arguments: Vec<Json> = arguments.iter().map(to_wire).collect();
        let question = json!({"name": self.item(request), "method": method, "arguments": arguments});
        let answer: Object = self.ask(system, "call", question, 1).map_err(Refusal::error)?;
        Ok(answer.get("value").map(Value::from_rich_json).unwrap_or_default())
    }
}

impl Decider for RubyProvider {
    fn is_in_sync(&self, request: Request<'_>, property: &str) -> Option<bool> {
        lock(&self.host.verdicts).get(&self.verdict_key(title(request)))?.get(property).copied()
    }

    fn refresh(&self, system: &System, request: Request<'_>) -> Result<(), ProviderError> {
        self.ask(system, "refresh", json!({"name": self.item(request)}), 1).map(|_: Json| ()).map_err(Refusal::error)
    }

    fn relations(&self, system: &System, request: Request<'_>) -> Result<Vec<(RelationKind, ResourceRef)>, ProviderError> {
        let question = json!({"name": self.item(request)});
        let answer: RelationsAnswer = self.ask(system, "relations", question, 1).map_err(Refusal::error)?;
        Ok(answer.relations.into_iter().map(WrittenRelation::relation).collect())
    }
}
