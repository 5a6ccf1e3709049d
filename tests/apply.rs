//! Runs: `apply/*.txt` contains resources and the state before the run. The snapshot contains the events, the requests to the provider in
//! order, and the state after the run. The types are in `apply/types.rtype`.

use crate::common;
use indexmap::IndexMap;
use rtype_engine::NativeBackend;
use rtype_engine::apply::{ApplyOptions, Event, EventStatus, Listener, ResourceOutcome, ResourceStatus, RunContext, Skip, apply};
use rtype_engine::report::summary;
use rtype_engine::state::SavedState as Memory;
use rtype_lang::diagnostics::Diagnostic;
use rtype_lang::eval::LogLevel;
use rtype_lang::library::TypeSet;
use rtype_lang::redact::{Foreign, Redactor};
use rtype_lang::syntax::parse_manifest;
use rtype_lang::value::{ResourceRef, Symbol, Value, inspect};
use rtype_model::declare::{DeclareOptions, Purpose, declare};
use rtype_model::manifest::{from_manifest, from_source};
use rtype_model::resource::{Context, NoCatalog};
use rtype_provider::{
    Change, ListedResource, Machine, NativeProviders, Operation, Provider, ProviderError, Reading, Request, Select, State, System,
};
use std::fmt::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// The state by type and name, and the requests.
#[derive(Default)]
struct World {
    things: IndexMap<(String, String), IndexMap<String, Value>>,
    asked: Vec<String>,
}

/// A provider in memory. Four attributes of a resource name a faulty property or action: it fails (`fails`), has no effect (`sticks`),
/// cannot be read (`breaks`), or cannot be read while its value is `red` (`locks`).
struct Fake {
    type_name: &'static str,
    world: Arc<Mutex<World>>,
    batch: usize,
}

impl Fake {
    fn asked(&self, text: String) {
        self.world.lock().unwrap().asked.push(text);
    }

    fn named(request: &Request<'_>, how: &str, what: &str) -> bool {
        match request.resource.wanted(how) {
            Value::Array(all) => all.iter().any(|v| v.as_text() == Some(what)),
            one => one.as_text() == Some(what),
        }
    }

    fn put(&self, request: &Request<'_>, property: &str, value: &Value) -> Result<(), ProviderError> {
        self.asked(format!("set {}[{}] {property} = {}", self.type_name, request.name, inspect(value)));
        if Fake::named(request, "fails", property) {
            return Err(ProviderError::new(format!("{property} is stuck, and {} did not help", inspect(value.unwrapped()))));
        }
        if !Fake::named(request, "sticks", property) {
            let key = (self.type_name.to_owned(), request.name.to_owned());
            self.world.lock().unwrap().things.entry(key).or_default().insert(property.to_owned(), value.unwrapped().clone());
        }
        Ok(())
    }
}

impl Provider for Fake {
    fn reads(&self) -> &'static [&'static str] {
        &["ensure", "color", "shades", "size", "secret"]
    }
    fn writes(&self) -> &'static [&'static str] {
        &["color", "shades", "size", "secret"]
    }
    fn actions(&self) -> &'static [&'static str] {
        &["create", "destroy", "polish"]
    }
    fn batch(&self, _: &System) -> usize {
        self.batch
    }
    fn get(&self, _: &System, requests: &[Request<'_>], _: Select<'_>) -> Vec<Reading> {
        let names: Vec<&str> = requests.iter().map(|r| r.name).collect();
        self.asked(format!("get {}: {}", self.type_name, names.join(" ")));
        let world = self.world.lock().unwrap();
        let one = |request: &Request<'_>| {
            if Fake::named(request, "breaks", "ensure") {
                return Reading::Error(ProviderError::new("the shelf is locked").help("find the key"));
            }
            let Some(thing) = world.things.get(&(self.type_name.to_owned(), request.name.to_owned())) else { return Reading::Absent };
            let read = |(name, value): (&String, &Value)| {
                let locked = Fake::named(request, "locks", name) && value.as_text() == Some("red");
                let broken = locked || Fake::named(request, "breaks", name);
                let value = if broken { Err(ProviderError::new(format!("{name} cannot be seen"))) } else { Ok(value.clone()) };
                (Symbol::from(name.as_str()), value)
            };
            Reading::Present(thing.iter().map(read).collect::<State>())
        };
        requests.iter().map(one).collect()
    }
    fn instances(&self, _: &System, _: Select<'_>) -> Result<Vec<ListedResource>, ProviderError> {
        let world = self.world.lock().unwrap();
        let own = world.things.iter().filter(|((t, _), _)| t == self.type_name);
        let state = |thing: &IndexMap<String, Value>| thing.iter().map(|(n, v)| (Symbol::from(n.as_str()), Ok(v.clone()))).collect();
        Ok(own.map(|((_, name), thing)| ListedResource { name: name.as_str().into(), state: state(thing) }).collect())
    }
    fn set(&self, _: &System, change: &mut Change<'_>, property: &str, value: &Value) -> Result<(), ProviderError> {
        if self.batch > 1 {
            change.should.insert(property.into(), value.clone());
            return Ok(());
        }
        self.put(&change.request(), property, value)
    }
    fn call(&self, _: &System, change: &mut Change<'_>, action: &str, _: &[Value]) -> Result<Value, ProviderError> {
        if self.batch > 1 {
            return change.note(action);
        }
        self.asked(format!("{action} {}[{}]", self.type_name, change.name));
        if Fake::named(&change.request(), "fails", action) {
            return Err(ProviderError::new("the disk is full").help("free some space"));
        }
        let key = (self.type_name.to_owned(), change.name.to_owned());
        let mut world = self.world.lock().unwrap();
        match action {
            "create" => drop(world.things.insert(key, [("ensure".to_owned(), Value::sym("present"))].into())),
            "destroy" => drop(world.things.shift_remove(&key)),
            "polish" => change.log(LogLevel::Notice, "how it shines"),
            _ => {}
        }
        Ok(Value::Nil)
    }
    fn flush(&self, _: &System, changes: &mut [Change<'_>]) -> Vec<Result<(), ProviderError>> {
        if self.batch == 1 {
            return changes.iter().map(|_| Ok(())).collect();
        }
        let names: Vec<&str> = changes.iter().map(|c| c.name).collect();
        self.asked(format!("flush {}: {}", self.type_name, names.join(" ")));
        let write = |change: &mut Change<'_>| {
            if change.operation() == Operation::Create {
                self.put(&change.request(), "ensure", &Value::sym("present"))?;
                if let shades @ Value::Array(_) = change.value("shades") {
                    self.put(&change.request(), "shades", &shades)?;
                }
            }
            change.exists = None;
            std::mem::take(&mut change.should).iter().try_for_each(|(name, value)| self.put(&change.request(), name.as_str(), value))
        };
        changes.iter_mut().map(write).collect()
    }
}

/// Records events.
#[derive(Default)]
struct Diary(String, Redactor);

impl Listener for Diary {
    fn event(&mut self, reference: &ResourceRef, event: &Event) {
        let property = event.property.as_ref().map(|p| format!("/{p}")).unwrap_or_default();
        let status = match event.status {
            EventStatus::Success => "did",
            EventStatus::Failure => "FAILED",
            EventStatus::Noop => "would",
            EventStatus::Audit => "audit",
        };
        let corrective = if event.corrective { " (corrective)" } else { "" };
        let _ = writeln!(self.0, "{status} {reference}{property}: {} <{}>{corrective}", self.1.reveal(&event.message), event.name);
    }
    fn log(&mut self, reference: Option<&ResourceRef>, level: LogLevel, message: &Foreign) {
        let message = self.1.reveal(message);
        let _ = writeln!(self.0, "{level:?} {}: {message}", reference.map(ToString::to_string).unwrap_or_default());
    }
    fn done(&mut self, outcome: &ResourceOutcome) {
        let why = match &outcome.status {
            ResourceStatus::Skipped(Skip::Dependencies(of)) => {
                format!(" because of {}", of.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
            }
            ResourceStatus::Skipped(why) => format!(" {why:?}"),
            _ => outcome.failure.as_ref().map(|f| format!(": {}", self.1.reveal(f))).unwrap_or_default(),
        };
        let status = format!("{:?}", outcome.status);
        let status = status.split('(').next().unwrap_or_default().to_owned();
        let _ = writeln!(self.0, "   {} {status}{why}", outcome.reference);
    }
}

/// Adds resources to the world.
fn put(world: &Mutex<World>, text: &str, library: &mut TypeSet, machine: &Machine) {
    let is = library.sources.add("is", text).unwrap();
    for thing in from_manifest(&parse_manifest(&is).0, machine).0.resources {
        let state = thing.attributes.iter().map(|(n, g)| (n.to_string(), g.value.clone()));
        let state = [("ensure".to_owned(), Value::sym("present"))].into_iter().chain(state).collect();
        world.lock().unwrap().things.insert((thing.type_name.to_string(), thing.title.to_string()), state);
    }
}

fn run(text: &str) -> String {
    let parts = common::sections(text);
    let part = |name: &str| parts.iter().find(|(n, _)| n == name).map(|(_, t)| t.clone()).unwrap_or_default();
    let world = Arc::new(Mutex::new(World::default()));
    let mut natives = NativeProviders::default();
    for (type_name, batch) in [("thing", 1), ("line", 100), ("late", 1), ("insatiable", 1), ("guest", 1), ("mute", 1), ("brick", 1)] {
        let name = "fake";
        natives.register(type_name, name, Arc::new(Fake { type_name, world: Arc::clone(&world), batch }));
    }
    let root = tempfile::tempdir().unwrap();
    let machine = Machine::new(System::at(root.path()));
    let mut library = TypeSet::default();
    let types = library.sources.add("types", include_str!("apply/types.rtype")).unwrap();
    library.load_text(&types, None);
    assert!(library.diagnostics().is_empty(), "{}", common::show(&library.diagnostics(), &library.sources));
    put(&world, &part("is"), &mut library, &machine);
    let mut memory = Memory::default();
    let mut out = String::new();
    // Sections `resources` and `again` are consecutive runs; `meanwhile` contains changes by others between them.
    for (name, text) in &parts {
        if name == "meanwhile" {
            put(&world, text, &mut library, &machine);
        }
        if !name.starts_with("resources") && !name.starts_with("again") {
            continue;
        }
        let options = name.split_whitespace().skip(1).collect::<Vec<_>>();
        let extension = if text.trim_start().starts_with('{') { "json" } else { "pp" };
        let source = library.sources.add(format!("{name}.{extension}"), text.clone()).unwrap();
        let (declarations, mut found) = from_source(&source, &machine);
        let backend = NativeBackend { natives: &natives, system: machine.system() };
        let context = Context {
            world: &machine,
            catalog: &NoCatalog,
            backend: Some(&backend),
            strict: false,
            trace: false,
            offline: false,
            log: None,
        };
        let declared = declare(&declarations, &library, context, DeclareOptions::new(Purpose::Run));
        found.extend(declared.diagnostics);
        world.lock().unwrap().asked.clear();
        let mut diary = Diary::default();
        let stopped = AtomicBool::new(options.contains(&"stopped"));
        let surroundings = RunContext { natives: &natives, machine: &machine, state: &mut memory, stopped: &stopped };
        let tags = options.iter().filter_map(|o| o.strip_prefix("tag=")).map(Into::into).collect();
        let now = options.iter().find_map(|o| o.strip_prefix("at=")).unwrap_or("2026-11-22T12:00:00+00:00[UTC]").parse().unwrap();
        let run_options = ApplyOptions { noop: options.contains(&"noop"), tags, skip_tags: Vec::new(), now, show_diff: false };
        if !name.starts_with("resources") {
            let _ = writeln!(out, "\n=== {name}");
        }
        if !found.iter().any(Diagnostic::is_error) {
            match apply(&declarations, declared.catalog, &library, surroundings, &run_options, &mut diary) {
                Ok(counts) => {
                    out.push_str(&diary.0);
                    let _ = writeln!(out, "\n{}", summary(&counts, 0.0).replace(" (0.0 s)", ""));
                }
                Err(cycles) => found.extend(cycles),
            }
        }
        out.push_str(&common::show(&found, &library.sources));
        let world = world.lock().unwrap();
        let _ = writeln!(out, "--- asked\n{}", world.asked.join("\n"));
        let _ = writeln!(out, "--- there");
        for ((type_name, name), thing) in &world.things {
            let state: Vec<String> = thing.iter().map(|(n, v)| format!("{n}={}", inspect(v))).collect();
            let _ = writeln!(out, "{type_name}[{name}] {}", state.join(" "));
        }
        if options.contains(&"noop") {
            let written = world.asked.iter().find(|a| !a.starts_with("get "));
            assert_eq!(written, None, "a run without changes has changed something");
        }
        assert!(!stopped.load(Ordering::Relaxed) || world.asked.is_empty());
    }
    out
}

#[test]
fn runs_match_their_snapshots() {
    insta::glob!("apply/*.txt", |path| {
        crate::common::assert_fixture(path, &run(&std::fs::read_to_string(path).unwrap()));
    });
}

#[test]
fn created_resources_have_the_values_of_should_blocks() {
    let happened = run("=== resources\nline { 'a': shades => [dark, light] }\n");
    assert!(happened.contains(r#"set line[a] shades = ["dark", "light"]"#), "{happened}");
}

/// A deferred value without a call of its function fails the resource. The message explains how to call the function.
#[test]
fn values_that_are_not_known_name_the_way_out() {
    let directory = tempfile::tempdir().unwrap();
    let catalog = directory.path().join("catalog.json");
    let parameters = r#"{"message": {"__ptype": "Deferred", "name": "answer", "arguments": []}}"#;
    let resource = format!(r#"{{"type": "Notify", "title": "a", "parameters": {parameters}}}"#);
    std::fs::write(&catalog, format!(r#"{{"name": "n", "version": 1, "resources": [{resource}], "edges": []}}"#)).unwrap();
    let output = assert_cmd::Command::cargo_bin("rtype").unwrap().args(["apply", "--noop"]).arg(&catalog).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("is not known yet; `--ruby-providers` calls the functions of deferred values"), "{said}");
}
