//! The machine and the declared resources.

use rtype_lang::eval::World;
use rtype_lang::library::TypeSet;
use rtype_lang::source::Span;
use rtype_lang::value::{EcoString, Value};
use rtype_model::manifest::{Declarations, Declared, DeclaredValue};
use rtype_model::resource::{Context, NoCatalog};

/// The number of resources of each type.
pub const COUNT: usize = 100_000;

/// Creates the declaration with this index.
pub type Make = fn(usize) -> Declared;

/// The types, and the functions that declare their resources.
pub const TYPES: [(&str, Make); 3] = [("file", file), ("user", user), ("cron", cron)];

/// Returns all declarations of a type, the library that contains it, and their context.
pub fn prepare(name: &str, make: Make) -> (Declarations, TypeSet, Context<'static>) {
    let declarations = Declarations { resources: (0..COUNT).map(make).collect(), ..Declarations::default() };
    let library = TypeSet::default();
    library.load(name).unwrap();
    let context = Context { world: &Debian, catalog: &NoCatalog, backend: None, strict: false, trace: false, offline: false, log: None };
    (declarations, library, context)
}

/// A Debian machine with everything that is needed installed.
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
        is_title_computed: false,
        attributes: attributes.iter().map(|(n, v)| ((*n).into(), DeclaredValue::new(Value::str(*v), Span::NONE, Span::NONE))).collect(),
        span: Span::NONE,
    }
}
