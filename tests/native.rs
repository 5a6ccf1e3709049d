//! Native providers of declarations with parents: rtype finds them, passes the settings, and requests only properties that they read.

use crate::common;
use rtype_engine::report;
use rtype_engine::{NativeBackend, inspect, instance, instances};
use rtype_lang::eval::NoWorld;
use rtype_lang::library::TypeSet;
use rtype_lang::syntax::parse_manifest;
use rtype_lang::value::{Symbol, Value};
use rtype_model::declare::{DeclareOptions, declare};
use rtype_model::manifest::{from_manifest, to_puppet};
use rtype_model::resource::{Context, NoCatalog};
use rtype_provider::{ListedResource, Machine, NativeProviders, Provider, ProviderError, Reading, Request, Select, State, System};
use std::sync::Arc;

/// A native provider that returns the settings it received.
struct Keyed;

/// A native provider that lists a single resource with the provider's name.
struct Named(&'static str);

impl Provider for Named {
    fn reads(&self) -> &'static [&'static str] {
        &["ensure", "value"]
    }
    fn get(&self, _: &System, requests: &[Request<'_>], _: Select<'_>) -> Vec<Reading> {
        requests.iter().map(|_| Reading::Absent).collect()
    }
    fn instances(&self, _: &System, _: Select<'_>) -> Result<Vec<ListedResource>, ProviderError> {
        Ok(vec![ListedResource { name: self.0.into(), state: state(Value::sym("x")) }])
    }
}

fn state(value: Value) -> State {
    [(Symbol::from("ensure"), Ok(Value::sym("present"))), (Symbol::from("value"), Ok(value))].into_iter().collect()
}

impl Provider for Keyed {
    fn reads(&self) -> &'static [&'static str] {
        &["ensure", "value"]
    }
    fn queries(&self) -> &'static [&'static str] {
        &["path?"]
    }
    fn get(&self, _: &System, requests: &[Request<'_>], _: Select<'_>) -> Vec<Reading> {
        let read = |request: &Request<'_>| match (request.resource.setting("path"), request.resource.setting("section")) {
            (Ok(path), Ok(section)) => Reading::Present(state(Value::str(format!("{path}[{section}]{}", request.name)))),
            (Err(e), _) | (_, Err(e)) => Reading::Error(e),
        };
        requests.iter().map(read).collect()
    }
    fn instances(&self, _: &System, _: Select<'_>) -> Result<Vec<ListedResource>, ProviderError> {
        Err(ProviderError::new("the path is missing"))
    }
    fn instances_of(
        &self,
        _: &System,
        settings: &dyn rtype_provider::Resource,
        _: Select<'_>,
    ) -> Result<Vec<ListedResource>, ProviderError> {
        let path = settings.setting("path")?;
        Ok(vec![ListedResource { name: "one".into(), state: state(path) }])
    }
    fn query(&self, _: &System, request: Request<'_>, _: &str, _: &[Value]) -> Result<Value, ProviderError> {
        request.resource.setting("path")
    }
}

const TYPES: &str = r#"
type keyed { newparam name; ensurable; newproperty value }
provider ini, for: keyed {
  path { "/etc/#{self.name}" }
  section "main"
  queries [path?]
  native
}
type glance { newparam name; ensurable; newproperty value; newproperty more; newproperty asked { defaultto { provider.path? } } }
provider child, for: glance, parent: "keyed/ini" {
  path "/etc/glance"
  section { self.name.split("/")[0] }
}
provider broken, for: glance, parent: "keyed/ini" { path "/"; section { fail "no section" } }
type line { newparam name; ensurable; newproperty ip; newproperty more }
provider hosts, for: line, parent: "host/parsed" { }
type run { newparam name; ensurable }
provider script, for: run { program "run.py" }
"#;

fn session(f: impl FnOnce(&mut TypeSet, &NativeProviders, &Machine) -> String) -> String {
    let mut library = TypeSet::default();
    let source = library.sources.add("types", TYPES).unwrap();
    library.load_text(&source, None);
    assert!(library.diagnostics().is_empty(), "{}", common::show(&library.diagnostics(), &library.sources));
    let mut natives = NativeProviders::standard();
    natives.register("keyed", "ini", Arc::new(Keyed));
    f(&mut library, &natives, &Machine::new(System::at("tests/fixtures/roots/debian")))
}

fn read(manifest: &str) -> String {
    session(|library, natives, machine| {
        let source = library.sources.add("resources", manifest).unwrap();
        let (declarations, _) = from_manifest(&parse_manifest(&source).0, &NoWorld);
        let backend = NativeBackend { natives, system: machine.system() };
        let context = Context {
            world: machine,
            catalog: &NoCatalog,
            backend: Some(&backend),
            strict: false,
            trace: false,
            offline: false,
            log: None,
        };
        let declared = declare(&declarations, library, context, DeclareOptions::default());
        let mut out = common::show(&declared.diagnostics, &library.sources);
        for one in inspect(&declared.catalog, natives, machine.system(), Context { catalog: &declared.catalog, ..context }, false) {
            report::resource(&mut out, &one, &rtype_lang::source::SourceMap::new(), machine.system().redactor(), false);
        }
        out
    })
}

fn list(type_name: &str, title: Option<&str>) -> String {
    session(|library, natives, machine| {
        let type_def = library.load(type_name).unwrap();
        let listed = match title {
            Some(title) => instance(&type_def, title, natives, machine),
            None => instances(&type_def, natives, machine),
        };
        to_puppet(&listed.resources) + &common::show(&listed.diagnostics, &library.sources)
    })
}

#[test]
fn native_providers_read_with_the_settings_of_the_child() {
    insta::assert_snapshot!(read(
        "glance { 'api/x': ensure => present, value => '/etc/glance[api]api/x', more => 'm' }
         keyed { 'k': value => 'v' }
         glance { 'api/y': value => 'v', provider => broken }"
    ));
}

#[test]
fn a_standard_parent_reads_for_a_user_defined_type() {
    insta::assert_snapshot!(read(
        "line { 'localhost': ensure => present, ip => '127.0.0.1', more => 'x' } line { 'nowhere': ensure => absent }"
    ));
}

#[test]
fn missing_programs_are_reported() {
    insta::assert_snapshot!(read("run { 'x': ensure => present }") + &list("run", None));
}

#[test]
fn providers_that_share_a_source_list_it_once() {
    let text = "type shared { newparam name; ensurable; newproperty value }
        provider one, for: shared { path \"/1\"; native }
        provider two, for: shared, source: one { path \"/2\"; native }
        provider three, for: shared { path \"/3\"; native }";
    let mut library = TypeSet::default();
    let source = library.sources.add("shared", text).unwrap();
    let types = library.load_text(&source, None).types;
    let mut natives = NativeProviders::standard();
    ["one", "two", "three"].iter().for_each(|name| natives.register("shared", name, Arc::new(Named(name))));
    let machine = Machine::new(System::at("tests/fixtures/roots/debian"));
    let listed = instances(&types[0], &natives, &machine).resources;
    // `two` would list the same resources as `one`, and `three` lists different resources.
    let found: Vec<_> = listed
        .iter()
        .map(|r| (r.title.to_string(), r.attributes.iter().find(|(n, _)| n == "provider").map(|(_, p)| p.to_text().to_string())))
        .collect();
    assert_eq!(found, [("one".to_owned(), None), ("three".to_owned(), Some("three".to_owned()))]);
}

#[test]
fn listing_uses_the_settings() {
    insta::assert_snapshot!([list("glance", None), list("glance", Some("a/b")), list("keyed", None), list("line", None)].join("\n"));
}

/// Listed titles identify the same resources again.
#[test]
fn listed_titles_refer_to_the_same_resource() {
    let mut found = std::collections::BTreeMap::<String, usize>::new();
    for root in ["debian", "dpkg", "hosts", "mounts", "recorded", "systemd", "titles"] {
        let machine = Machine::new(System::at(format!("tests/fixtures/roots/{root}")));
        let natives = NativeProviders::standard();
        let library = TypeSet::default();
        for name in library.names() {
            let Some(type_def) = library.load(&name).filter(|t| t.lists_instances) else { continue };
            for listed in instances(&type_def, &natives, &machine).resources {
                let again = instance(&type_def, &listed.title, &natives, &machine);
                let provider = listed.attributes.iter().any(|(name, _)| name == "provider");
                if provider {
                    continue;
                }
                *found.entry(name.clone()).or_default() += 1;
                let shown = to_puppet(&again.resources) + &common::show(&again.diagnostics, &library.sources);
                let again = again.resources.first().unwrap_or_else(|| panic!("{shown}"));
                assert_eq!(again.title, listed.title);
                let ensure =
                    |r: &rtype_model::manifest::PrintedResource| r.attributes.iter().find(|(n, _)| n == "ensure").map(|(_, v)| v.clone());
                assert_eq!(ensure(again), ensure(&listed), "{root}: {shown}");
            }
        }
    }
    for name in ["sshkey", "alternative_entry", "alternatives", "host"] {
        assert!(found.contains_key(name), "no {name} among {found:?}");
    }
}

#[test]
fn native_code_has_the_actions_that_its_type_declares() {
    let (types, natives) = (TypeSet::default(), NativeProviders::standard());
    let mut checked = 0;
    for name in types.names() {
        let type_def = types.load(&name).unwrap();
        for provider in type_def.providers.values() {
            let Some(code) = natives.get(&name, provider.name.as_str()) else { continue };
            for action in provider.actions.iter().map(Symbol::as_str) {
                assert!(code.actions().contains(&action), "{name}/{} cannot `{action}`", provider.name);
                checked += 1;
            }
        }
    }
    assert!(checked > 30, "only {checked} actions");
}
