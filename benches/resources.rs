//! What a resource costs: 100,000 of a type are declared (validated, munged, defaulted) and compared with a state, and what
//! they take up in memory is counted.
//!
//! `cargo bench --bench resources [TYPE…]`; `benches/resources-against-puppet` puts Puppet's figures beside these.
//! Prints one line a type: `TYPE NANOSECONDS_A_RESOURCE BYTES_A_RESOURCE`.
#![allow(missing_docs, clippy::unwrap_used, reason = "a benchmark")]

use peak_alloc::PeakAlloc;
use rtype::engine::declare_into;
use rtype::eval::World;
use rtype::library::Library;
use rtype::manifest::{Declarations, Declared, Given};
use rtype::resource::{Catalog, Context, NoCatalog, Status, compare_all};
use rtype::source::Span;
use rtype::types::AttrId;
use rtype::value::{EcoString, Value};
use std::time::Instant;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

const COUNT: usize = 5_000;
const ROUNDS: usize = 2;

/// A machine of Debian's on which everything needed is installed.
struct Debian;

impl World for Debian {
    fn fact(&self, path: &str) -> Value {
        match path {
            "kernel" => Value::str("Linux"),
            "os.family" | "osfamily" | "os.name" | "operatingsystem" => Value::str("Debian"),
            _ => Value::Nil,
        }
    }
    fn feature(&self, name: &str) -> bool {
        matches!(name, "posix" | "root" | "libshadow" | "manages_symlinks")
    }
    fn which(&self, command: &str) -> Option<String> {
        Some(format!("/usr/bin/{command}"))
    }
    fn exists(&self, _: &str) -> bool {
        true
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
}

fn file(i: usize) -> Declared {
    let content = format!("listen = {i}\n");
    let attributes = [("ensure", "file"), ("owner", "root"), ("group", "root"), ("mode", "0644"), ("content", &content)];
    declared("file", format!("/etc/application/conf.d/{i}.conf"), &attributes)
}

fn user(i: usize) -> Declared {
    let uid = (1000 + i).to_string();
    let home = format!("/home/user{i}");
    let attributes =
        [("ensure", "present"), ("uid", uid.as_str()), ("gid", "100"), ("home", &home), ("shell", "/bin/bash"), ("managehome", "true")];
    declared("user", format!("user{i}"), &attributes)
}

fn cron(i: usize) -> Declared {
    let (command, minute) = (format!("/usr/local/bin/job --number {i}"), (i % 60).to_string());
    let attributes = [("command", command.as_str()), ("user", "root"), ("minute", &minute), ("hour", "*/2"), ("weekday", "monday")];
    declared("cron", format!("job {i}"), &attributes)
}

fn declared(type_name: &str, title: String, attributes: &[(&str, &str)]) -> Declared {
    Declared {
        type_name: type_name.into(),
        type_span: Span::NONE,
        title: title.into(),
        title_span: Span::NONE,
        attributes: attributes.iter().map(|(n, v)| ((*n).into(), Given::new(Value::str(*v), Span::NONE, Span::NONE))).collect(),
        span: Span::NONE,
    }
}

/// The bytes of a declaration's texts that do not fit into values: what any program would have to keep.
fn strings(declared: &Declared) -> usize {
    let long = |text: &str| if text.len() > EcoString::INLINE_LIMIT { text.len() } else { 0 };
    long(&declared.title) + declared.attributes.values().map(|g| g.value.as_text().map_or(0, long)).sum::<usize>()
}

fn measure(name: &str, make: fn(usize) -> Declared) {
    let resources: Vec<Declared> = (0..COUNT).map(make).collect();
    let texts = resources.iter().map(strings).sum::<usize>() / COUNT;
    let declarations = Declarations { resources, ..Declarations::default() };
    let mut library = Library::new(Vec::new());
    library.load(name).unwrap();
    let context = Context { world: &Debian, catalog: &NoCatalog, backend: None, strict: false, trace: false, offline: false };

    let (mut best, mut bytes) = (f64::MAX, 0);
    for _ in 0..ROUNDS {
        let before = ALLOCATOR.current_usage();
        let start = Instant::now();
        let declared = declare_into(Catalog::default(), &declarations, &mut library, context);
        let in_between = start.elapsed();
        bytes = (ALLOCATOR.current_usage() - before) / COUNT;
        assert!(declared.diagnostics.is_empty(), "{:?}", declared.diagnostics.first());
        assert_eq!(declared.catalog.len(), COUNT);

        let start = Instant::now();
        let mut different = 0;
        for instance in declared.catalog.iter() {
            let type_def = &instance.type_def;
            let absent = Value::sym("absent");
            let is = |id: AttrId| {
                let ensure = type_def.attribute(id).is_some_and(|a| a.name == "ensure");
                Ok(if ensure { instance.get("ensure") } else { absent.clone() })
            };
            let verdict = compare_all(instance, &is, Context { catalog: &declared.catalog, ..context });
            different += verdict.properties.iter().filter(|c| matches!(c.status, Status::OutOfSync(_))).count();
        }
        assert!(different >= COUNT);
        best = best.min((in_between + start.elapsed()).as_nanos() as f64 / COUNT as f64);
    }
    println!("{name} {best:.0} {} of {bytes} ({texts} of texts)", bytes - texts);
}

fn main() {
    type Make = fn(usize) -> Declared;
    let types: [(&str, Make); 3] = [("file", file), ("user", user), ("cron", cron)];
    let wanted: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    for (name, make) in types {
        if wanted.is_empty() || wanted.iter().any(|w| w == name) {
            measure(name, make);
        }
    }
}
