//! Tests the table of references for small files.

use super::{NameKind, Reference, References};
use crate::lower::{ParentTypes, SharedRegexes, lower, lower_tests};
use crate::source::{SourceMap, Span};
use crate::syntax::parse_types;
use crate::types::TypeDef;
use std::sync::Arc;

/// Returns the references in `text` as `name:line → kind line`, where `text` uses the file `used`.
fn table(text: &str, used: &str) -> Vec<String> {
    let sources = SourceMap::new();
    let (source, other) = (sources.add("a.rtype", text).unwrap(), sources.add("b.rtype", used).unwrap());
    let (ast, _) = parse_types(&source);
    let (context, _) = parse_types(&other);
    let lowered = lower(&ast, &[&context], ParentTypes::new(), &SharedRegexes::default());
    assert_eq!(lowered.diagnostics, [], "{text}");
    let mut find = |name: &str| -> Option<Arc<TypeDef>> { lowered.types.iter().find(|t| t.name.as_str() == name).cloned() };
    let tests = lower_tests(&ast, &[&context], &mut find);
    assert_eq!(tests.diagnostics, [], "{text}");
    let at = |span: Span| sources.locate(span).map_or("elsewhere".to_owned(), |at| at.replace(".rtype:", ""));
    let line = |r: &Reference| format!("{} {:?} {} → {}", sources.slice(r.span), r.kind, at(r.span), at(r.target));
    lowered.references.iter().chain(&tests.references).filter(|r| !r.defines).map(line).collect()
}

#[test]
fn uses_refer_to_definitions() {
    let text = r#"const SMALL = %w[a b]
typealias Size = Integer[1, 9]
fn twice(n) { n * 2 }
kind color(first) { newvalues first, green }
mixin named { newparam name }
type lamp {
  include named
  feature dimmable, "can be dimmed", methods: [dim]
  newproperty ensure { newvalues on, off; aliasvalue up, on; defaultto off }
  newproperty color, kind: color(red), required_features: dimmable
  newproperty level {
    type Size
    validate { |v| fail "no" if v > twice(2) && SMALL.include?(v) && self.color == :red }
    sync { provider.dim(2) }
  }
  autorequire lamp { self.name }
}
provider wire, for: lamp { has_feature dimmable; queries [level] }
provider long, for: lamp, parent: wire { }
test "is on" {
  lamp { 'x': ensure => 'up' }
  expect self.ensure == :on
}
"#;
    let lines = table(text, "");
    let expected = [
        "n Local a3:15 → a3:10",
        "first Local a4:31 → a4:12",
        "named Mixin a7:11 → a5:7",
        "on Value a9:58 → a9:34",
        "off Value a9:72 → a9:38",
        "color Kind a10:28 → a4:6",
        "dimmable Feature a10:59 → a8:11",
        "Size DataType a12:10 → a2:11",
        "v Local a13:33 → a13:17",
        "twice Function a13:37 → a3:4",
        "SMALL Constant a13:49 → a1:7",
        "v Local a13:64 → a13:17",
        "color Attribute a13:75 → a10:15",
        "dim Method a14:21 → a8:48",
        "lamp Type a16:15 → a6:6",
        "name Attribute a16:27 → a5:24",
        "lamp Type a18:21 → a6:6",
        "dimmable Feature a18:40 → a8:11",
        "lamp Type a19:21 → a6:6",
        "wire Provider a19:35 → a18:10",
        "lamp Type a21:3 → a6:6",
        "ensure Attribute a21:15 → a9:15",
        "'up' Value a21:25 → a9:54",
        "ensure Attribute a22:15 → a9:15",
    ];
    assert_eq!(lines, expected, "{lines:#?}");
}

#[test]
fn uses_refer_to_other_files() {
    let used =
        "const LIMIT = 3\nfn half(n) { n + 2 }\nmixin sized { newproperty size { validate { |v| fail \"no\" if half(v) > LIMIT } } }\n";
    let lines = table("type t {\n  include sized\n  newparam name\n  validate { fail \"no\" if half(4) == self.size }\n}\n", used);
    let expected = [
        "sized Mixin a2:11 → b3:7",
        "half Function a4:27 → b2:4",
        "size Attribute a4:43 → b3:27",
        "n Local b2:14 → b2:9",
        "half Function b3:62 → b2:4",
        "v Local b3:67 → b3:46",
        "LIMIT Constant b3:72 → b1:7",
    ];
    assert_eq!(lines, expected, "{lines:#?}");
}

#[test]
fn declarations_that_no_type_uses_have_references() {
    let text = "const A = [1]\nconst B = A\nfn f(x = 1) { g(x) }\nfn g(y) { y }\nmixin m(p) { newproperty size { newvalues p; munge { |v| self.size + v } } }\nkind k { munge { |v| g(v) } }\n";
    let lines = table(text, "");
    let expected = [
        "A Constant a2:11 → a1:7",
        "g Function a3:15 → a4:4",
        "x Local a3:17 → a3:6",
        "y Local a4:11 → a4:6",
        "p Local a5:43 → a5:9",
        "size Attribute a5:63 → a5:26",
        "v Local a5:70 → a5:55",
        "g Function a6:22 → a4:4",
        "v Local a6:24 → a6:19",
    ];
    assert_eq!(lines, expected, "{lines:#?}");
}

#[test]
fn a_method_of_several_providers_has_one_target() {
    let text = "type t {\n  newparam name\n  validate { fail \"no\" if provider.ask }\n}\nprovider a, for: t { queries [ask] }\nprovider b, for: t { queries [ask] }\n";
    let sources = SourceMap::new();
    let source = sources.add("t.rtype", text).unwrap();
    let lowered = lower(&parse_types(&source).0, &[], ParentTypes::new(), &SharedRegexes::default());
    let methods: Vec<_> = lowered.references.iter().filter(|r| r.kind == NameKind::Method).collect();
    assert_eq!(methods.len(), 3);
    assert!(methods.iter().all(|r| r.target == methods[1].span));
    assert_eq!(methods.iter().map(|r| r.defines).collect::<Vec<_>>(), [false, true, true]);
}

/// Returns the members of `of` as `kind name`, sorted by position; the members of the whole source if `of` is empty.
fn members(texts: &[&str], of: &str) -> Vec<String> {
    let sources = SourceMap::new();
    let parsed: Vec<_> = texts.iter().map(|text| sources.add("t.rtype", *text).unwrap()).map(|s| (parse_types(&s).0, s)).collect();
    let ((ast, source), used) = parsed.split_first().unwrap();
    let used: Vec<_> = used.iter().map(|(ast, _)| ast).collect();
    let lowered = lower(ast, &used, ParentTypes::new(), &SharedRegexes::default());
    let all: References = lowered.references.iter().copied().collect();
    let all = all.with_members(lowered.members);
    let start = all.iter().find(|r| r.defines && sources.slice(r.span) == of).map_or(source.span(), |r| r.span);
    let kinds = [
        NameKind::Type,
        NameKind::Provider,
        NameKind::Attribute,
        NameKind::Value,
        NameKind::Feature,
        NameKind::Method,
        NameKind::Platform,
        NameKind::Kind,
        NameKind::Mixin,
        NameKind::Function,
        NameKind::Constant,
        NameKind::DataType,
    ];
    let shown = |kind: NameKind, name: Span| {
        let undeclared = if all.is_definition(name) { "" } else { " undeclared" };
        format!("{kind:?} {}{undeclared}", sources.slice(name))
    };
    kinds.into_iter().flat_map(|kind| all.members(start, kind).map(move |name| shown(kind, name)).collect::<Vec<_>>()).collect()
}

#[test]
fn members_of_a_type_are_its_own_and_those_of_its_mixins_and_kinds() {
    let text = r#"kind color { newvalues red; aliasvalue crimson, red }
mixin named { newparam name }
mixin unused { newparam other }
type lamp {
  include named
  feature dimmable, "", methods: [dim]
  fn twice(n) { n * 2 }
  newproperty hue, kind: color { newvalues green }
  newproperty level { validate { |v| fail "no" if provider.volts > v || provider.has?(:fuse) } }
}
provider wire, for: lamp { queries [ohms]; plug "here" }
"#;
    let of_type = [
        "Provider wire",
        "Attribute name",
        "Attribute hue",
        "Attribute level",
        "Feature dimmable",
        "Method dim",
        "Method volts undeclared",
        "Method :fuse undeclared",
        "Method ohms",
        "Method plug",
        "Function twice",
    ];
    assert_eq!(members(&[text], "lamp"), of_type);
    assert_eq!(members(&[text], "hue"), ["Value red", "Value crimson", "Value green"]);
    assert_eq!(members(&[text], "unused"), ["Attribute other"]);
}

#[test]
fn a_type_with_errors_has_members() {
    let text = "type lamp {\n  newproperty light { newvalues on, off; nonsense }\n  newproperty level { type }\n  newparam\n}\n";
    assert_eq!(members(&[text], "lamp"), ["Attribute light", "Attribute level"]);
    assert_eq!(members(&[text], "light"), ["Value on", "Value off"]);
}

#[test]
fn a_file_sees_names_that_nothing_uses() {
    let used =
        "kind color { }\nmixin named { }\nconst LIMIT = 3\nfn half(n) { n }\ntypealias Size = Integer\nfeature modern, \"\" { true }\n";
    let of_file =
        ["Type t", "Platform modern", "Kind own", "Kind color", "Mixin named", "Function half", "Constant LIMIT", "DataType Size"];
    assert_eq!(members(&["type t { newparam name }\nkind own { }\n", used], ""), of_file);
}

#[test]
fn every_type_has_the_metaparameters() {
    let prelude = "mixin metaparameters {\n  newparam noop { newvalues true; munge { |v| v } }\n}\n";
    assert_eq!(members(&["type t { newparam name }\n", prelude], "t"), ["Attribute name", "Attribute noop"]);
    assert_eq!(members(&["type t { newparam name }\n", prelude], "noop"), ["Value true"]);
}

#[test]
fn tests_of_a_type_with_errors_have_references() {
    let text = "type lamp {\n  newparam name\n  newproperty light { newvalues on; nonsense }\n}\ntest \"a\" {\n  is { light: :on }\n  lamp { 'a': light => 'on' }\n  expect self.light == :on\n}\n";
    let mut types = crate::library::TypeSet::default();
    let source = types.keep("lamp.rtype", text.to_owned()).unwrap();
    let loaded = types.load_text(&source, None);
    let before = types.diagnostic_count();
    assert_eq!((loaded.types.len(), types.tests([&loaded]).value.len()), (0, 0));
    assert_eq!(types.diagnostic_count(), before);
    let uses: Vec<String> = types.references().iter().filter(|r| !r.defines).filter_map(|r| types.sources.locate(r.span)).collect();
    let expected = ["6:8", "7:3", "7:15", "7:24", "8:15"].map(|at| format!("lamp.rtype:{at}"));
    assert_eq!(uses, expected);
}
