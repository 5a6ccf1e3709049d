//! Action blocks: `act/*.txt` contains types, resources and the current state. The snapshot contains the requests to the actor in order,
//! and the event of each change.

use crate::common;
use indexmap::IndexMap;
use rtype_lang::eval::{LogLevel, NoWorld, QueryError};
use rtype_lang::library::TypeSet;
use rtype_lang::redact::Redactor;
use rtype_lang::source::SourceMap;
use rtype_lang::syntax::parse_manifest;
use rtype_lang::types::AttrId;
use rtype_lang::value::{Symbol, Value, inspect};
use rtype_model::declare::{DeclareOptions, KnownResources, declare};
use rtype_model::manifest::from_manifest;
use rtype_model::resource::{Actor, Context, NoCatalog, act, compare_all, refresh};
use std::cell::RefCell;
use std::fmt::Write;

/// Records requests; setters change the state.
struct Recorder<'a> {
    state: RefCell<IndexMap<Symbol, Value>>,
    out: &'a RefCell<String>,
}

impl Recorder<'_> {
    fn say(&self, text: &str) {
        let _ = writeln!(self.out.borrow_mut(), "    {text}");
    }
}

fn reported(message: &str) -> QueryError {
    QueryError::Reported(Redactor::default().redacted(&message.into()))
}

impl Actor for Recorder<'_> {
    fn call(&self, method: &str, arguments: &[Value]) -> Result<Value, QueryError> {
        self.say(&format!("{method}({})", arguments.iter().map(inspect).collect::<Vec<_>>().join(", ")));
        match method {
            "broken" => Err(reported("it is broken")),
            "create" => Ok(self.state.borrow_mut().insert("ensure".into(), Value::sym("present")).unwrap_or_default()),
            name if name.ends_with('?') => Ok(Value::Bool(name.starts_with("is"))),
            _ => Ok(Value::str(method)),
        }
    }
    fn set(&self, property: &str, value: &Value) -> Result<(), QueryError> {
        self.say(&format!("{property} = {}", inspect(value)));
        if property == "stuck" {
            return Err(reported("it is stuck"));
        }
        self.state.borrow_mut().insert(property.into(), value.unwrapped().clone());
        Ok(())
    }
    fn read(&self, property: &str) -> Result<Value, QueryError> {
        let value = self.state.borrow().get(property).cloned().unwrap_or(Value::sym("absent"));
        self.say(&format!("read {property}: {}", inspect(&value)));
        Ok(value)
    }
    fn log(&self, level: LogLevel, message: &str) {
        self.say(&format!("{level:?}: {message}"));
    }
}

fn run(text: &str) -> String {
    let parts = common::sections(text);
    let part = |name: &str| parts.iter().find(|(n, _)| n == name).map(|(_, t)| t.clone()).unwrap_or_default();
    let mut library = TypeSet::default();
    let types = library.sources.add("types", part("types")).unwrap();
    library.load_text(&types, None);
    let mut shown = common::show(&library.diagnostics(), &library.sources);
    let read = |name: &str, sources: &SourceMap| {
        let source = sources.add(name, part(name)).unwrap();
        from_manifest(&parse_manifest(&source).0, &NoWorld).0
    };
    let declarations = read("resources", &library.sources);
    let is = read("is", &library.sources);
    let context = Context { world: &NoWorld, catalog: &NoCatalog, backend: None, strict: false, trace: false, offline: false, log: None };
    let declared = declare(&declarations, &library, context, DeclareOptions::default());
    shown += &common::show(&declared.diagnostics, &library.sources);
    let out = RefCell::new(shown);
    let known = KnownResources::new(&declared.catalog, &library, None);
    let context = Context { catalog: &known, ..context };
    for instance in declared.catalog.iter() {
        let there = is.resources.iter().find(|d| d.reference() == instance.reference());
        let there = there.map(|d| common::state(&instance.type_def, d)).unwrap_or_default();
        let actor = Recorder { state: RefCell::new(there.clone()), out: &out };
        let _ = writeln!(out.borrow_mut(), "\n{}", instance.reference());
        let current = |id: AttrId| -> Result<Value, QueryError> {
            let name = instance.type_def.attribute(id).unwrap().name.to_string();
            Ok(there.get(name.as_str()).cloned().unwrap_or(Value::sym("absent")))
        };
        for change in compare_all(instance, &current, context).plan() {
            let _ = writeln!(out.borrow_mut(), "  {}", change.name);
            let done = act(instance, change.id, change.is.as_ref().unwrap(), context, &actor);
            let line = match done {
                Ok(event) => format!("{}{}", event.name, if event.invalidate_refreshes { ", drops refreshes" } else { "" }),
                Err(failure) => format!("failed: {}", failure.message),
            };
            let _ = writeln!(out.borrow_mut(), "  => {line}");
        }
        if instance.type_def.refresh.is_some() {
            let _ = writeln!(out.borrow_mut(), "  refresh (self: {})", instance.type_def.self_refresh);
            if let Err(failure) = refresh(instance, context, &actor) {
                let _ = writeln!(out.borrow_mut(), "  => failed: {}", failure.message);
            }
        }
    }
    out.into_inner().lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

#[test]
fn actions_are_requested_in_order() {
    insta::glob!("act/*.txt", |path| {
        common::assert_fixture(path, &run(&std::fs::read_to_string(path).unwrap()));
    });
}
