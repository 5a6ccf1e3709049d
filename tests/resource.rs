//! Declared resources: `resource/*.txt` contains types, resources and the state of a simulated machine. The snapshot contains every value
//! with its origin, and the verdict.

use crate::common;
use rtype_engine::report;
use rtype_engine::{Current, judge};
use rtype_lang::eval::{QueryError, World};
use rtype_lang::library::TypeSet;
use rtype_lang::redact::Redactor;
use rtype_lang::source::SourceMap;
use rtype_lang::syntax::parse_manifest;
use rtype_lang::value::{EcoString, Value, inspect};
use rtype_model::declare::{DeclareOptions, KnownResources, declare};
use rtype_model::manifest::from_manifest;
use rtype_model::resource::{Backend, Catalog, Context, NoCatalog, Origin, QueryContext};
use std::fmt::Write;

/// A simulated machine with few facts.
struct Machine;

impl World for Machine {
    fn fact(&self, path: &str) -> Value {
        match path {
            "kernel" => Value::str("Linux"),
            "os.family" => Value::str("Debian"),
            "os.release.major" => Value::str("12"),
            _ => Value::Nil,
        }
    }
    fn feature(&self, name: &str) -> bool {
        name == "posix"
    }
    fn which(&self, command: &str) -> Option<String> {
        (command != "missing").then(|| format!("/usr/bin/{command}"))
    }
    fn exists(&self, path: &str) -> bool {
        path == "/etc"
    }
    fn current_user(&self) -> Option<EcoString> {
        Some("root".into())
    }
    fn uid_of(&self, user: &str) -> Option<i64> {
        (user == "root").then_some(0)
    }
    fn gid_of(&self, group: &str) -> Option<i64> {
        (group == "root").then_some(0)
    }
    fn user_name(&self, number: i64) -> Option<EcoString> {
        (number == 0).then(|| "root".into())
    }
    fn group_name(&self, number: i64) -> Option<EcoString> {
        (number == 0).then(|| "root".into())
    }
}

/// Every provider returns the name of the query.
struct Echo;

impl Backend for Echo {
    fn query(&self, asked: &QueryContext<'_>, method: &str, arguments: &[Value]) -> Result<Value, QueryError> {
        let (provider, name) = (asked.provider, asked.name);
        if method == "broken" {
            return Err(QueryError::Reported(Redactor::default().redacted(&format!("{} does not answer", provider.name).into())));
        }
        Ok(Value::str(format!("{}.{method}({name}{})", provider.name, arguments.iter().map(|a| format!(", {a}")).collect::<String>())))
    }
}

fn run(text: &str) -> String {
    let parts = common::sections(text);
    let part = |name: &str| parts.iter().find(|(n, _)| n == name).map(|(_, t)| t.clone()).unwrap_or_default();
    let mut library = TypeSet::default();
    let types = library.sources.add("types", part("types")).unwrap();
    library.load_text(&types, None);
    let mut out = common::show(&library.diagnostics(), &library.sources);

    let read = |name: &str, sources: &SourceMap| {
        let source = sources.add(name, part(name)).unwrap();
        let (manifest, mut diagnostics) = parse_manifest(&source);
        let (declarations, more) = from_manifest(&manifest, &Machine);
        diagnostics.extend(more);
        (declarations, diagnostics)
    };
    let (declarations, diagnostics) = read("resources", &library.sources);
    out += &common::show(&diagnostics, &library.sources);
    let (is, diagnostics) = read("is", &library.sources);
    out += &common::show(&diagnostics, &library.sources);

    let context =
        Context { world: &Machine, catalog: &NoCatalog, backend: Some(&Echo), strict: false, trace: true, offline: false, log: None };
    let declared = declare(&declarations, &library, context, DeclareOptions::default());
    out += &common::show(&declared.diagnostics, &library.sources);
    let catalog: &Catalog = &declared.catalog;
    let known = KnownResources::new(catalog, &library, None);
    let context = Context { catalog: &known, ..context };
    for instance in catalog.iter() {
        let type_def = &instance.type_def;
        let current = is.resources.iter().find(|d| d.type_name == type_def.name && d.title == instance.title);
        let current = Current::Stated(current.map(|d| common::state(type_def, d)).unwrap_or_default());
        let _ = writeln!(out, "\n{}", instance.reference());
        for slot in instance.slots.iter() {
            let attribute = type_def.attribute(slot.id).unwrap();
            let origin = match slot.origin {
                Origin::Title => "title",
                Origin::Explicit => "given",
                Origin::Default => "default",
                Origin::Finalize => "finalize",
            };
            let _ = writeln!(out, "  {} = {} ({origin})", attribute.name, inspect(&slot.value));
        }
        report::resource(
            &mut out,
            &judge(instance.clone(), current, context),
            &rtype_lang::source::SourceMap::new(),
            &rtype_lang::redact::Redactor::new(),
            false,
        );
    }
    out.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

#[test]
fn resources_are_built_and_compared() {
    insta::glob!("resource/*.txt", |path| {
        common::assert_fixture(path, &run(&std::fs::read_to_string(path).unwrap()));
    });
}
