//! Loading types: each `lower/*.rtype` contains a mistake. The snapshot contains the diagnostics.

use crate::common;
use rtype_lang::library::TypeSet;
use rtype_lang::types::{Default, Role};

#[test]
fn mistakes_in_types_are_explained() {
    insta::glob!("lower/*.rtype", |path| {
        let mut library = rtype::app::input::types_in(vec!["tests/lower/types".into()]);
        // Only one mistake is about the file name.
        let own_name = path.ends_with("file_name_mismatch.rtype");
        let name = if own_name { "file_name_mismatch.rtype" } else { "t.rtype" };
        let source = library.sources.add(name, std::fs::read_to_string(path).unwrap()).unwrap();
        library.load_text(&source, Some("tests/lower/types".as_ref()));
        let mut diagnostics = library.diagnostics();
        assert!(!diagnostics.is_empty(), "nothing found");
        diagnostics.sort_by_key(rtype_lang::diagnostics::Diagnostic::span);
        common::assert_fixture(path, &common::show(&diagnostics, &library.sources));
    });
}

fn load(library: &mut TypeSet, text: &str) -> std::sync::Arc<rtype_lang::types::TypeDef> {
    let source = library.sources.add("test", text).unwrap();
    let types = library.load_text(&source, None).types;
    assert!(library.diagnostics().is_empty(), "{}", common::show(&library.diagnostics(), &library.sources));
    types.into_iter().next().unwrap()
}

#[test]
fn attributes_are_processed_in_puppets_order() {
    let mut library = TypeSet::default();
    let t = load(&mut library, "type t {\n newparam a\n newproperty b\n ensurable\n newparam id { isnamevar }\n newproperty c\n}\n");
    let names: Vec<_> = t.order.iter().map(|id| t.attribute(*id).unwrap()).map(|a| a.name.as_str()).take(6).collect();
    assert_eq!(names, ["id", "ensure", "b", "c", "a", "noop"]);
    assert_eq!(t.attribute_named("noop").unwrap().role, Role::Metaparam);
}

#[test]
fn a_default_of_false_is_kept() {
    let mut library = TypeSet::default();
    let t = load(&mut library, "type t {\n newparam name\n newparam p { defaultto false }\n}\n");
    assert!(matches!(&t.attribute_named("p").unwrap().default, Some(Default::Value(v, _)) if *v == rtype_lang::value::Value::Bool(false)));
}

#[test]
fn two_registries_hold_two_versions_of_a_type() {
    let (mut one, mut two) = (TypeSet::default(), TypeSet::default());
    let first = load(&mut one, "type t {\n newparam name\n newproperty color { newvalues red }\n}\n");
    let second = load(&mut two, "type t {\n newparam name\n newproperty color { newvalues red, green }\n}\n");
    assert_ne!(first.fingerprint(), second.fingerprint());
    let again = load(&mut TypeSet::default(), "type t {\n newparam name\n newproperty color { newvalues red }\n}\n");
    assert_eq!(first.fingerprint(), again.fingerprint());
    let values = |library: &TypeSet| library.registry().get("t").unwrap().attribute_named("color").unwrap().values.literals().count();
    assert_eq!((values(&one), values(&two)), (1, 2));
}

#[test]
fn a_kind_with_parameters_contributes_its_directives() {
    let mut library = TypeSet::default();
    let t = load(
        &mut library,
        "kind port(low, high = 65535) {\n type Integer[low, high]\n defaultto low\n}\ntype t {\n newparam name\n newproperty p, kind: port(1024)\n newproperty q, kind: port(1, high: 9)\n}\n",
    );
    let of = |name: &str| t.attribute_named(name).unwrap().data_type.clone().unwrap().to_string();
    assert_eq!((of("p").as_str(), of("q").as_str()), ("Integer[1024, 65535]", "Integer[1, 9]"));
}

#[test]
fn the_standard_library_loads_without_findings() {
    let library = TypeSet::default();
    for name in library.names() {
        assert!(library.load(&name).is_some(), "{name}");
    }
    // As in Puppet, two types replace a metaparameter with a parameter. rtype reports a note.
    let mut diagnostics = library.diagnostics();
    diagnostics.retain(|d| d.severity != rtype_lang::diagnostics::Severity::Note);
    assert!(diagnostics.is_empty(), "{}", common::show(&diagnostics, &library.sources));
}
