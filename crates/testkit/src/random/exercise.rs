//! Properties of every loadable type and every readable resource file. For all values, blocks fail only in documented ways, with a location
//! and in time, and no output contains a secret.

use super::program::{ATTRIBUTES, MARKER, value};
use arbitrary::Unstructured;
use indexmap::IndexMap;
use rtype_author::docs;
use rtype_author::testing::{Simulated, Suite};
use rtype_engine::report;
use rtype_engine::{Current, judge};
use rtype_lang::diagnostics::{Code, Diagnostic, Renderer, Style, to_json};
use rtype_lang::eval::{Failure, LogLevel, QueryError, UnknownWorld};
use rtype_lang::library::TypeSet;
use rtype_lang::redact::Redactor;
use rtype_lang::source::{SourceMap, Span};
use rtype_lang::types::{AttrId, Role, TypeDef};
use rtype_lang::value::{EcoString, Symbol, Value};
use rtype_model::declare::{DeclareOptions, KnownResources, declare};
use rtype_model::manifest::{
    DataFormat, Declarations, Declared, DeclaredValue, PrintedResource, from_data, from_source, to_json as list_json, to_puppet, to_yaml,
};
use rtype_model::providers::disagreements;
use rtype_model::resource::{Actor, Backend, Context, Instance, MessageLog, NoCatalog, QueryContext, act, refresh};
use rtype_provider::NativeProviders;
use std::sync::Arc;

/// The ways in which a block may fail. rtype checks names, arities and rights when it loads a type. At run time, only computed names,
/// missing methods on a value, and queries without a machine can fail these checks.
const FAILURES: &[Code] = &[
    Code::BlockFailed,
    Code::FuelSpent,
    Code::CallsTooDeep,
    Code::ValueTooLarge,
    Code::WrongReceiver,
    Code::NoArm,
    Code::UnknownAttribute,
    Code::NotAllowedHere,
    Code::WrongArity,
    // An attribute's rules reject a value set by `finalize` or `sync`.
    Code::InvalidValue,
];

/// Loads a source as types. If the source has no errors, exercises the types. Returns true if the source has no errors.
pub fn text(text: &str, bytes: &mut Unstructured<'_>) -> bool {
    if shows(text) {
        return false;
    }
    let mut library = TypeSet::default();
    let Ok(source) = library.sources.add("fuzz.rtype", text) else { return false };
    let loaded = library.load_text(&source, None);
    let (tests, types) = (library.tests([&loaded]), loaded.types);
    let diagnostics: Vec<_> = library.diagnostics().into_iter().chain(tests.diagnostics.clone()).collect();
    printed(&diagnostics, &library);
    // The file name is not part of the input.
    let loaded = diagnostics.iter().all(|d| !d.is_error() || d.code == Code::FileNameMismatch);
    if !loaded {
        return false;
    }
    let natives = NativeProviders::standard();
    for type_def in types.iter().take(4) {
        printed(&disagreements(type_def, &natives, &|_| Ok(())), &library);
        let doc = docs::describe(type_def, Some(&Simulated::debian()), &natives, &library.sources);
        hidden(&docs::text(
            &doc,
            docs::Sections { metaparams: true, ..docs::Sections::default() },
            docs::Look { width: 80, colors: false },
        ));
        hidden(&docs::json(std::slice::from_ref(&doc)).to_string());
        exercise(type_def, &mut library, bytes);
    }
    let suite = Suite::run(&types, &tests, None, &library, &natives);
    printed(&suite.failures().cloned().collect::<Vec<_>>(), &library);
    hidden(&suite.text(&library.sources));
    hidden(&suite.json(&library.sources).to_string());
    true
}

/// Reads a source as resources in every format, and builds them with the standard types.
#[allow(dead_code, reason = "the tests make programs only")]
pub fn declarations(text: &str) {
    if shows(text) {
        return;
    }
    let mut library = TypeSet::default();
    for name in ["fuzz.pp", "<stdin>", "fuzz.json", "fuzz.yaml"] {
        let Ok(source) = library.sources.add(name, text) else { return };
        let (declarations, found) = match name {
            "fuzz.json" => from_data(&source, DataFormat::Json),
            "fuzz.yaml" => from_data(&source, DataFormat::Yaml),
            _ => from_source(&source, &UnknownWorld),
        };
        library.secrets.extend(&declarations.secrets);
        printed(&found, &library);
        build(&declarations, &mut library, &mut Unstructured::new(text.as_bytes()));
    }
}

/// Exercises a type: several resources with arbitrary values, on simulated, unknown and randomly answering machines.
pub fn exercise(type_def: &Arc<TypeDef>, library: &mut TypeSet, bytes: &mut Unstructured<'_>) {
    let own: Vec<_> = type_def.attributes.iter().filter(|a| a.role != Role::Metaparam).collect();
    let mut resources: Vec<Declared> = Vec::new();
    for title in ["one", "/two/é", ""] {
        let mut attributes: IndexMap<EcoString, DeclaredValue> = IndexMap::new();
        for attribute in &own {
            if bytes.ratio(1u8, 2).unwrap_or(false) {
                let value = value(bytes, 3);
                if !value.is_nil() {
                    let value = if attribute.sensitive && !value.has_secret() { Value::str(MARKER) } else { value };
                    attributes.insert(attribute.name.text(), DeclaredValue::new(value, Span::NONE, Span::NONE));
                }
            }
        }
        let span = Span::NONE;
        resources.push(Declared {
            type_name: type_def.name.clone(),
            type_span: span,
            title: title.into(),
            title_span: span,
            is_title_computed: false,
            attributes,
            span,
        });
    }
    build(&Declarations { resources, ..Declarations::default() }, library, bytes);
}

fn build(declarations: &Declarations, library: &mut TypeSet, bytes: &mut Unstructured<'_>) {
    let offline =
        Context { world: &UnknownWorld, catalog: &NoCatalog, backend: None, strict: true, trace: false, offline: true, log: None };
    let declared = declare(declarations, library, offline, DeclareOptions::default());
    printed(&declared.diagnostics, library);
    let machine = Simulated::debian();
    let answers = Answers { ready: (0..4).map(|_| value(bytes, 2)).collect() };
    let log = MessageLog::default();
    let online = Context {
        world: &machine,
        catalog: &NoCatalog,
        backend: Some(&answers),
        strict: false,
        trace: true,
        offline: false,
        log: Some(&log),
    };
    let declared = declare(declarations, library, online, DeclareOptions::default());
    printed(&declared.diagnostics, library);
    let mut inspected = Vec::new();
    {
        let known = KnownResources::new(&declared.catalog, library, None);
        let context = Context { catalog: &known, ..online };
        for instance in declared.catalog.iter() {
            let state = state(instance, bytes);
            changes(instance, &state, context);
            inspected.push(judge(Arc::clone(instance), Current::Stated(state), context));
        }
        for one in &inspected {
            for comparison in &one.verdict.properties {
                hidden(&format!("{comparison:?}"));
            }
            hidden(&format!("{:?}", one.relations.unresolved));
        }
    }
    // An empty redactor: values are hidden only because they are wrapped.
    let redactor = Redactor::new();
    hidden(&report::text(&inspected, &library.sources, &redactor, false));
    hidden(&report::json(&inspected, &redactor).to_string());
    log.take().iter().for_each(|message| hidden(&message.message));
    let shown: Vec<PrintedResource> = Vec::new();
    drop((to_puppet(&shown), list_json(&shown), to_yaml(&shown)));
    printed(&library.diagnostics(), library);
}

/// Returns a state for the machine. Only sensitive attributes contain the secret.
fn state(instance: &Instance, bytes: &mut Unstructured<'_>) -> IndexMap<Symbol, Value> {
    let mut state = IndexMap::new();
    for (i, attribute) in instance.type_def.attributes.iter().enumerate().filter(|(_, a)| a.role == Role::Property) {
        let closed = attribute.sensitive || instance.slot(AttrId(i as u16)).is_some_and(|s| s.value.has_secret());
        let is = if closed { Value::str(MARKER) } else { value(bytes, 2) };
        if bytes.ratio(3u8, 4).unwrap_or(false) {
            state.insert(attribute.name.clone(), is);
        }
    }
    state
}

/// Brings each property in sync. The actor only returns arbitrary answers.
fn changes(instance: &Instance, state: &IndexMap<Symbol, Value>, context: Context<'_>) {
    let actor = Listener { state };
    for (i, attribute) in instance.type_def.attributes.iter().enumerate().filter(|(_, a)| a.role == Role::Property) {
        let is = state.get(attribute.name.as_str()).cloned().unwrap_or(Value::sym("absent"));
        if let Err(failure) = act(instance, AttrId(i as u16), &is, context, &actor) {
            allowed(&failure, attribute.name.as_str());
        }
    }
    if let Err(failure) = refresh(instance, context, &actor) {
        allowed(&failure, "refresh");
    }
}

fn allowed(failure: &Failure, of: &str) {
    assert!(FAILURES.contains(&failure.code), "{of}: {} {}", failure.code, failure.message);
    // Failures in providers, and in attributes other than properties, have no location in a block.
    assert!(!failure.span.is_none() || failure.code == Code::BlockFailed, "{of}: no place: {} {}", failure.code, failure.message);
    hidden(&failure.message);
}

/// Renders diagnostics in every format.
pub fn printed(all: &[Diagnostic], library: &TypeSet) {
    for d in all.iter().take(50) {
        hidden(&d.message);
        for style in [Style::Plain, Style::Graphical { color: true }] {
            hidden(&Renderer::new(style).render(d, &library.sources, &library.secrets));
        }
        hidden(&to_json(d, &library.sources).to_string());
        places(d, &library.sources);
    }
}

/// Asserts that spans are in known sources and at character boundaries.
fn places(d: &Diagnostic, sources: &SourceMap) {
    for label in d.labels.iter().filter(|l| !l.span.is_none()) {
        let source = sources.find(label.span).unwrap_or_else(|| panic!("{}: a place outside of all texts", d.message));
        assert!(source.text().get(source.range(label.span)).is_some(), "{}: a place inside a letter", d.message);
    }
}

fn hidden(printed: &str) {
    assert!(!shows(printed), "a secret is shown: {printed}");
}

/// Returns true if a string contains eight consecutive letters of the secret. A fuzzer that observes comparisons soon finds shorter parts
/// itself.
pub fn shows(text: &str) -> bool {
    let lower = text.to_lowercase();
    (0..=MARKER.len() - 8).any(|start| lower.contains(MARKER.get(start..start + 8).unwrap_or(MARKER)))
}

/// Answers queries with a value from a short list, regardless of the query's name.
struct Answers {
    ready: Vec<Value>,
}

impl Backend for Answers {
    fn query(&self, _: &QueryContext<'_>, method: &str, arguments: &[Value]) -> Result<Value, QueryError> {
        let at = method.len() + arguments.len();
        match self.ready.get(at % (self.ready.len() + 1)) {
            Some(answer) => Ok(answer.clone()),
            None => Err(QueryError::NoAnswer),
        }
    }
}

struct Listener<'a> {
    state: &'a IndexMap<Symbol, Value>,
}

impl Actor for Listener<'_> {
    fn call(&self, method: &str, arguments: &[Value]) -> Result<Value, QueryError> {
        hidden(&format!("{method} {arguments:?}"));
        self.state.values().nth(method.len() % 5).cloned().ok_or(QueryError::NoAnswer)
    }
    fn set(&self, property: &str, value: &Value) -> Result<(), QueryError> {
        hidden(&format!("{property} {value:?}"));
        if ATTRIBUTES.contains(&property) { Ok(()) } else { Err(QueryError::NoAnswer) }
    }
    fn read(&self, property: &str) -> Result<Value, QueryError> {
        Ok(self.state.get(property).cloned().unwrap_or(Value::sym("absent")))
    }
    fn log(&self, level: LogLevel, message: &str) {
        hidden(&format!("{level:?} {message}"));
    }
}
