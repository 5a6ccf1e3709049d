//! Programs as providers: `rtype-provider/1`, described in `docs/providers.md`.

mod conversation;
mod message;

pub use conversation::{Conversation, ExternalProgram, Log, Refusal, SidecarError};
pub use message::{Done, Fault, FaultKind, GetAnswer, Hello, List, Noop, Object, Restart, Set, to_wire};

use super::ruby::{RubyHost, RubyOptions, declared};
use super::shape::ResourceShape;
use super::{Change, ListedResource, Operation, Provider, ProviderError, Reading, Request, Select, System};
use indexmap::IndexMap;
use rtype_lang::data::json_error;
use rtype_lang::redact::Foreign;
use rtype_lang::types::TypeDef;
use rtype_lang::value::{EcoString, Symbol, Value};
use serde::Deserialize;
use serde_json::{Value as Json, json};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How often a thing is tried that says that trying again may help.
const TRIES: u32 = 3;

/// The running provider programs: one for each type and program.
#[derive(Clone, Debug, Default)]
pub struct Programs {
    is_verbose: bool,
    open: Arc<Mutex<Open>>,
    ruby: Option<Arc<RubyHost>>,
    catalog: SharedCatalog,
}

/// The resources of a run. Programs can request the resources of some types. Clones share the catalog.
pub type SharedCatalog = Arc<Mutex<Arc<Vec<Json>>>>;

type Open = IndexMap<(EcoString, ExternalProgram), Arc<Mutex<Conversation>>>;

impl Programs {
    /// Makes programs log verbosely to standard error.
    pub fn tell_more(&mut self, is_verbose: bool) {
        self.is_verbose = is_verbose;
    }

    /// Lets providers that exist only in Ruby be run.
    pub fn run_ruby(&mut self, options: RubyOptions) {
        self.ruby = Some(Arc::new(RubyHost::new(options)));
    }

    /// Returns the process that runs providers in Ruby, if they may be run.
    pub fn ruby(&self) -> Option<&Arc<RubyHost>> {
        self.ruby.as_ref()
    }

    /// Returns the resources that programs can request.
    pub fn catalog(&self) -> SharedCatalog {
        Arc::clone(&self.catalog)
    }

    /// Sets the resources that programs can request. Secret attributes are removed.
    pub fn declare<'r>(&self, resources: impl Iterator<Item = (&'r TypeDef, Request<'r>)>) {
        let resources = resources.map(|(type_def, request)| without_secrets(declared(type_def, request)));
        *lock(&self.catalog) = Arc::new(resources.collect());
    }

    /// Returns the conversation with a program about a type.
    pub fn of(&self, type_name: &str, program: &ExternalProgram) -> Arc<Mutex<Conversation>> {
        let level = if self.is_verbose { "debug" } else { "info" };
        let new = || Arc::new(Mutex::new(Conversation::new(program.clone(), type_name.into(), level)));
        Arc::clone(lock(&self.open).entry((type_name.into(), program.clone())).or_insert_with(new))
    }

    /// Returns the description of a program.
    ///
    /// # Errors
    /// If the program cannot be used.
    pub fn hello(&self, type_name: &str, program: &ExternalProgram, system: &System) -> Result<Hello, ProviderError> {
        lock(&self.of(type_name, program)).hello(system)
    }

    /// Ends all programs, and returns their remaining log messages.
    pub fn end(&self) -> Vec<Log> {
        let open: Vec<_> = lock(&self.open).values().cloned().collect();
        let end = |conversation: &Arc<Mutex<Conversation>>| {
            let mut conversation = lock(conversation);
            conversation.end();
            conversation.take_logs()
        };
        let of_ruby = self.ruby.as_ref().map(|ruby| ruby.end(&System::host()));
        open.iter().flat_map(end).chain(of_ruby.into_iter().flatten()).collect()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A program as a provider of a type.
pub struct External {
    shape: ResourceShape,
    conversation: Arc<Mutex<Conversation>>,
    catalog: SharedCatalog,
}

/// Removes the secret attributes of a resource in the catalog.
fn without_secrets(mut resource: Json) -> Json {
    let Some(object) = resource.as_object_mut() else { return resource };
    let secrets = object.remove("secrets");
    // The values that replace those of a Ruby type contain secrets, too, and only Ruby needs them.
    object.remove("checked");
    if let Some(attributes) = object.get_mut("attributes").and_then(Json::as_object_mut) {
        let secrets = secrets.iter().filter_map(Json::as_array).flatten().filter_map(Json::as_str);
        secrets.for_each(|name| drop(attributes.remove(name)));
    }
    resource
}

impl External {
    /// Creates a provider for resources of this shape.
    pub fn new(shape: ResourceShape, conversation: Arc<Mutex<Conversation>>, catalog: SharedCatalog) -> External {
        if shape.has_secrets() {
            lock(&conversation).keep_secrets();
        }
        External { shape, conversation, catalog }
    }

    /// Returns the description of the program, after sending the resources that its `hello` requests.
    fn begin(&self, conversation: &mut Conversation, system: &System) -> Result<Hello, ProviderError> {
        let hello = conversation.hello(system)?;
        if !hello.catalog.is_empty() {
            let catalog = Arc::clone(&lock(&self.catalog));
            let is_asked =
                |resource: &&Json| resource.get("type").and_then(Json::as_str).is_some_and(|t| hello.catalog.iter().any(|c| c == t));
            conversation.send_catalog(system, &catalog, &is_asked).map_err(Refusal::error)?;
        }
        Ok(hello)
    }

    /// Calls a method of the program for a resource.
    fn call_method(&self, system: &System, request: Request<'_>, method: &str, arguments: &[Value]) -> Result<Value, ProviderError> {
        let mut should = Object::new();
        for name in request.resource.attributes().iter().filter(|name| self.shape.is_property(name.as_str())) {
            should.insert(name.to_string(), to_wire(&request.resource.wanted(name.as_str())));
        }
        let arguments: Vec<Json> = arguments.iter().map(to_wire).collect();
        let namevars = self.names(request, true);
        let question = json!({"method": method, "arguments": arguments, "title": request.name, "namevars": namevars, "should": should});
        let mut conversation = lock(&self.conversation);
        self.begin(&mut conversation, system)?;
        let answer = conversation.ask(system, "call", question).map_err(Refusal::error)?;
        self.shape.learn(&answer, system.redactor());
        match answer.get("value") {
            Some(value) => Ok(Value::from_rich_json(value)),
            None => Err(conversation.misunderstood("call", &answer, "the `value` that the method returns, or `null`")),
        }
    }

    /// Requests resources by name, or all resources. Repeats the request after a temporary fault. Also returns whether the answer is
    /// complete.
    fn ask(&self, system: &System, names: Option<Vec<Json>>, select: Select<'_>) -> Result<(Vec<Object>, bool), ProviderError> {
        let mut conversation = lock(&self.conversation);
        let hello = self.begin(&mut conversation, system)?;
        if names.is_none() && hello.list == List::No {
            return Err(ProviderError::new(format!("`{}` cannot list what there is", conversation.name())));
        }
        let attributes = match select {
            Select::All => Json::Null,
            Select::Only(wanted) => wanted.iter().map(Symbol::as_str).filter(|a| hello.attributes_read.iter().any(|r| r == a)).collect(),
        };
        let question = json!({"names": names, "attrs": attributes});
        let mut tries = 1;
        loop {
            let answer = match conversation.ask(system, "get", question.clone()) {
                Ok(answer) => answer,
                Err(Refusal::Fault(fault)) if fault.retry && tries < TRIES => {
                    pause(&mut tries);
                    continue;
                }
                Err(refusal) => return Err(refusal.error()),
            };
            self.shape.learn(&answer, system.redactor());
            let got = match GetAnswer::deserialize(&Json::Object(answer.clone())) {
                Ok(got) => got,
                Err(e) => return Err(conversation.misunderstood("get", &answer, &e.to_string())),
            };
            if let Some(why) = got.resources.iter().find_map(|item| refuse(&self.shape, item, &hello)) {
                return Err(conversation.misunderstood("get", &answer, &why));
            }
            let may_help = |item: &Object| fault_of(item).is_some_and(|f| f.retry);
            if tries < TRIES && got.resources.iter().any(may_help) {
                pause(&mut tries);
                continue;
            }
            return Ok((got.resources, got.complete));
        }
    }

    /// Converts one resource of an answer.
    fn reading(&self, item: &Object, select: Select<'_>) -> Reading {
        let conversation = lock(&self.conversation);
        let fault = fault_of(item).map(|fault| (fault.error(), fault.attr));
        let mut state = match self.shape.state(item, select, conversation.name()) {
            None => return fault.map_or(Reading::Absent, |(error, _)| Reading::Error(error)),
            Some(state) => state,
        };
        match fault {
            None => Reading::Present(state),
            Some((error, Some(attribute))) => {
                state.insert(attribute.into(), Err(error));
                Reading::Present(state)
            }
            Some((error, None)) => Reading::Error(error),
        }
    }

    fn change(&self, change: &Change<'_>) -> Json {
        let properties = || change.resource.attributes().into_iter().filter(|a| self.shape.is_property(a.as_str()));
        let mut should = Object::new();
        for name in properties() {
            should.insert(name.to_string(), to_wire(&change.resource.wanted(name.as_str())));
        }
        for (name, value) in &change.should {
            should.insert(name.to_string(), to_wire(value));
        }
        let is = match change.is {
            Reading::Present(state) if change.was_there() => {
                let known = state.iter().filter_map(|(name, value)| Some((name.to_string(), to_wire(value.as_ref().ok()?))));
                Json::Object(known.collect())
            }
            _ => Json::Null,
        };
        let goes = change.exists == Some(false);
        let attributes: Vec<String> = match change.operation() {
            Operation::Delete => vec!["ensure".to_owned()],
            Operation::Create => should.keys().cloned().collect(),
            _ => change.should.keys().map(ToString::to_string).collect(),
        };
        let should = if goes { Json::Null } else { Json::Object(should) };
        let loc = change.resource.place().map(|(file, line)| json!({"file": file.as_str(), "line": line}));
        let namevars = self.names(change.request(), true);
        json!({"title": change.name, "loc": loc, "namevars": namevars, "is": is, "should": should, "attrs": attributes})
    }

    /// Returns what identifies a resource and the params that are set, because reading and changing may depend on
    /// them.
    fn names(&self, request: Request<'_>, with_secrets: bool) -> Json {
        let mut names = Object::new();
        for namevar in &self.shape.namevars {
            let given = request.resource.wanted(namevar.as_str());
            let value = if given.is_nil() { Json::from(request.name) } else { to_wire(&given) };
            names.insert(namevar.to_string(), value);
        }
        for name in request.resource.attributes().iter().filter(|a| self.shape.is_param(a.as_str())) {
            if with_secrets || !request.resource.is_secret(name.as_str()) {
                names.entry(name.to_string()).or_insert_with(|| to_wire(&request.resource.wanted(name.as_str())));
            }
        }
        Json::Object(names)
    }

    /// Sends one `set` request. Returns one result per change, in the same order.
    fn send(&self, system: &System, changes: &[&Change<'_>], conversation: &mut Conversation) -> Vec<Result<(), Fault>> {
        let failed =
            |message: Foreign, hint: Option<Foreign>| Fault { kind: FaultKind::Failed, msg: message, attr: None, hint, retry: false };
        let all = |fault: Fault| changes.iter().map(|_| Err(fault.clone())).collect();
        let sent: Vec<Json> = changes.iter().map(|c| self.change(c)).collect();
        let answer = match conversation.ask(system, "set", json!({"changes": sent, "noop": false})) {
            Ok(answer) => answer,
            Err(Refusal::Fault(fault)) => return all(fault),
            Err(Refusal::Broken(e)) => return all(failed(e.message, e.help)),
        };
        let mut results = match Set::deserialize(&Json::Object(answer.clone())) {
            Ok(set) => set.results,
            Err(e) => {
                let e = conversation.misunderstood("set", &answer, &e.to_string());
                return all(failed(e.message, e.help));
            }
        };
        let mut answers = Vec::new();
        for change in changes {
            let place = results.iter().position(|r| r.title == change.name);
            answers.push(match place.map(|place| results.remove(place)) {
                Some(Done { error: Some(fault), .. }) => Err(fault),
                Some(Done { restart, .. }) => {
                    conversation.note_restart(change.name, restart);
                    Ok(())
                }
                None => {
                    let why = format!("a result for each change, and none is for `{}`", change.name);
                    let e = conversation.misunderstood("set", &answer, &why);
                    Err(failed(e.message, e.help))
                }
            });
        }
        answers
    }
}

impl Provider for External {
    fn reads(&self) -> &'static [&'static str] {
        &[]
    }

    fn takes_bytes(&self, _: &str) -> bool {
        lock(&self.conversation).known().is_some_and(|hello| hello.bytes)
    }

    fn can_read(&self, property: &str) -> bool {
        match lock(&self.conversation).known() {
            Some(hello) => hello.attributes_read.iter().any(|a| a == property),
            None => self.shape.is_property(property),
        }
    }

    fn can_write(&self, property: &str) -> bool {
        match lock(&self.conversation).known() {
            Some(hello) => hello.attributes_write.iter().any(|a| a == property),
            None => self.shape.is_property(property),
        }
    }

    fn actions(&self) -> &'static [&'static str] {
        &["create", "destroy"]
    }

    fn get(&self, system: &System, requests: &[Request<'_>], select: Select<'_>) -> Vec<Reading> {
        let names: Vec<Json> = requests.iter().map(|r| self.names(*r, false)).collect();
        let keys: Vec<Vec<String>> = names.iter().map(|n| n.as_object().map(|n| self.shape.key(n)).unwrap_or_default()).collect();
        let all = |reading: Reading| requests.iter().map(|_| reading.clone()).collect();
        // What it needs may be there later in the run.
        if let Err(e) = lock(&self.conversation).hello(system) {
            return all(Reading::Error(e));
        }
        let (items, is_complete) = match self.ask(system, Some(names), select) {
            Ok(got) => got,
            Err(e) => return all(Reading::Unavailable(e)),
        };
        let items: IndexMap<Vec<String>, Object> = items.into_iter().map(|item| (self.shape.key(&item), item)).collect();
        let reading = |key: &Vec<String>| match items.get(key) {
            Some(item) => self.reading(item, select),
            None if is_complete => Reading::Absent,
            None => {
                let name = lock(&self.conversation).name().to_owned();
                Reading::Error(ProviderError::new(format!("`{name}` could not determine whether it exists")))
            }
        };
        keys.iter().map(reading).collect()
    }

    fn instances(&self, system: &System, select: Select<'_>) -> Result<Vec<ListedResource>, ProviderError> {
        let (items, is_complete) = self.ask(system, None, select)?;
        let mut found = Vec::new();
        for item in items {
            match self.reading(&item, select) {
                Reading::Present(mut state) => {
                    let key = self.shape.key(&item);
                    if key.len() > 1 {
                        let parts = self.shape.namevars.iter().cloned().zip(key.iter().map(|part| Ok(Value::str(part.as_str()))));
                        state.extend(parts);
                    }
                    found.push(ListedResource { name: key.join("/").into(), state });
                }
                Reading::Absent => {}
                Reading::Error(e) | Reading::Unavailable(e) => return Err(e),
            }
        }
        if is_complete {
            return Ok(found);
        }
        let name = lock(&self.conversation).name().to_owned();
        Err(ProviderError::new(format!("`{name}` could not list all resources")))
    }

    fn set(&self, _: &System, change: &mut Change<'_>, property: &str, value: &Value) -> Result<(), ProviderError> {
        if property == "ensure" {
            change.exists = Some(!value.unwrapped().is_absent());
        }
        change.should.insert(Symbol::from(property), value.clone());
        Ok(())
    }

    fn flush(&self, system: &System, changes: &mut [Change<'_>]) -> Vec<Result<(), ProviderError>> {
        let mut conversation = lock(&self.conversation);
        let hello = match self.begin(&mut conversation, system) {
            Ok(hello) if hello.sets() => hello,
            Ok(_) => {
                let e = ProviderError::new(format!("`{}` reads only", conversation.name()));
                return changes.iter().map(|_| Err(e.clone())).collect();
            }
            Err(e) => return changes.iter().map(|_| Err(e.clone())).collect(),
        };
        let mut answers = Vec::new();
        for changes in changes.chunks_mut(hello.batch.max(1)) {
            let is_asked = |c: &Change<'_>| c.operation() != Operation::Nothing || !c.should.is_empty();
            let mut results: Vec<Result<(), Fault>> = changes.iter().map(|_| Ok(())).collect();
            let mut open: Vec<usize> = changes.iter().enumerate().filter(|(_, c)| is_asked(c)).map(|(i, _)| i).collect();
            let mut tries = 0;
            while !open.is_empty() && tries < TRIES {
                if tries == 0 {
                    tries = 1
                } else {
                    pause(&mut tries)
                }
                let asked: Vec<&Change<'_>> = open.iter().filter_map(|i| changes.get(*i)).collect();
                let done = self.send(system, &asked, &mut conversation);
                for (i, result) in open.iter().zip(&done) {
                    if let Some(place) = results.get_mut(*i) {
                        *place = result.clone();
                    }
                }
                open = open.iter().zip(done).filter(|(_, r)| r.as_ref().is_err_and(|f| f.retry)).map(|(i, _)| *i).collect();
            }
            for (change, result) in changes.iter_mut().zip(results) {
                change.should.clear();
                change.exists = None;
                answers.push(result.map_err(|fault| fault.error()));
            }
        }
        answers
    }

    fn batch(&self, system: &System) -> usize {
        lock(&self.conversation).hello(system).map_or(1, |hello| hello.batch)
    }

    fn can_call(&self, action: &str) -> bool {
        let is_own = || lock(&self.conversation).known().is_some_and(|hello| hello.actions.iter().any(|own| own == action));
        ["create", "destroy", "delete"].contains(&action) || is_own()
    }

    fn call(&self, system: &System, change: &mut Change<'_>, action: &str, arguments: &[Value]) -> Result<Value, ProviderError> {
        change.note(action).or_else(|_| self.call_method(system, change.request(), action, arguments))
    }

    fn query(&self, system: &System, request: Request<'_>, method: &str, arguments: &[Value]) -> Result<Value, ProviderError> {
        let hello = lock(&self.conversation).hello(system)?;
        if !hello.queries.iter().any(|own| own == method) {
            let name = lock(&self.conversation).name().to_owned();
            let help = format!("list `{method}` in `queries` of `hello`, and answer `call`");
            return Err(ProviderError::new(format!("`{name}` does not answer `{method}`")).help(help));
        }
        self.call_method(system, request, method, arguments)
    }
}

fn pause(tries: &mut u32) {
    std::thread::sleep(Duration::from_secs(u64::from(*tries)));
    *tries += 1;
}

fn fault_of(item: &Object) -> Option<Fault> {
    Fault::deserialize(item.get("error").filter(|e| !e.is_null())?).ok()
}

/// Returns why this answer is invalid for a resource, if it is.
fn refuse(shape: &ResourceShape, item: &Object, hello: &Hello) -> Option<String> {
    if let Some(missing) = shape.namevars.iter().find(|n| item.get(n.as_str()).is_none_or(Json::is_null)) {
        return Some(format!("each resource has a `{missing}`"));
    }
    if let Some(error) = item.get("error").filter(|e| !e.is_null() && !shape.attributes.contains_key("error")) {
        return Fault::deserialize(error).err().map(|e| format!("`error` of a resource is an error ({})", json_error(&e)));
    }
    for name in item.keys().filter(|k| *k != "error") {
        if !shape.attributes.contains_key(name.as_str()) {
            return Some(format!("the type `{}` has no attribute `{name}`", shape.type_name));
        }
        if shape.is_property(name) && !hello.attributes_read.iter().any(|a| a == name) {
            return Some(format!("`hello` does not say that `{name}` is read"));
        }
    }
    None
}
