//! The importer over the tree of Ruby: how directives and blocks are translated, and that each translated type loads.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests may panic")]

use rtype_import::{NoRubyFiles, compile};
use rtype_lang::library::TypeSet;
use rtype_lang::source::SourceMap;

/// Returns the type files of a Ruby text.
fn imported(name: &str, ruby: &str) -> Vec<(String, String)> {
    let source = SourceMap::new().add(name, ruby).unwrap();
    let (types, _) = compile::import(&source, &mut NoRubyFiles);
    types.into_iter().map(|made| (made.path, made.text)).collect()
}

/// Returns the first error of a type file.
fn error(name: &str, text: &str) -> Option<String> {
    let mut types = TypeSet::default();
    let source = types.sources.add(format!("{name}.rtype"), text).unwrap();
    types.load_text(&source, None);
    types.diagnostics().into_iter().find(|d| d.is_error()).map(|d| d.message.clone())
}

/// Rows of `blocks.rb`: the body of a property `value`, and after `#=>` its translation. `UPDATE_BLOCKS=1` writes the translations again.
#[test]
fn blocks_are_translated() {
    let path = "tests/compile/blocks.rb";
    let recorded = std::fs::read_to_string(path).unwrap();
    let mut rows = Vec::new();
    for row in recorded.trim_end().split("\n# --\n") {
        let body: Vec<&str> = row.lines().filter(|line| !line.starts_with("#=> ")).collect();
        let body = body.join("\n");
        let ruby = format!(
            "Puppet::Type.newtype(:shelf) do\nnewparam(:name, namevar: true)\nnewparam(:wide, boolean: true) {{ newvalues(:true, :false) }}\n\
             newproperty(:value) do\n{body}\nend\nend\n"
        );
        let made = imported("shelf.rb", &ruby);
        let [(name, text)] = made.as_slice() else { panic!("{body}") };
        assert_eq!(error(name, text), None, "{text}");
        let shown = text.split_once("newproperty value").map_or("", |(_, rest)| rest).trim_end().trim_end_matches('}').trim_end();
        rows.push(format!("{body}\n{}", shown.lines().map(|line| format!("#=> {line}\n")).collect::<String>()));
    }
    let rows = rows.join("# --\n");
    if std::env::var_os("UPDATE_BLOCKS").is_some() {
        std::fs::write(path, &rows).unwrap();
    }
    assert!(recorded == rows, "{rows}");
}

#[test]
fn each_translated_type_loads() {
    let mut paths: Vec<_> = std::fs::read_dir("../../tests/import").unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == "rb"));
    paths.sort();
    let mut count = 0;
    for path in paths {
        let ruby = std::fs::read_to_string(&path).unwrap();
        for (name, text) in imported(&path.to_string_lossy(), &ruby) {
            assert_eq!(error(&name, &text), None, "{}\n{text}", path.display());
            count += 1;
        }
    }
    assert!(count > 50, "only {count} types");
}

/// Methods of Ruby that a file replaces are not taken for Ruby's.
#[test]
fn replaced_methods_are_left_in_ruby() {
    for (before, code) in [
        ("class String; def strip; 'x'; end; end", "v.strip"),
        ("def Integer(v); 1; end", "Integer(v)"),
        ("module Kernel; def _(v); 'x'; end; end", "_('a')"),
    ] {
        let ruby = format!("{before}\nPuppet::Type.newtype(:x) {{ newparam(:name) {{ munge {{ |v| {code} }} }} }}");
        let made = imported("x.rb", &ruby);
        assert_eq!(made.len(), 1);
        assert!(made.iter().all(|(_, text)| text.contains("untranslated munge")), "{made:?}");
    }
}

#[test]
fn deep_code_is_left_in_ruby() {
    for code in ["(".repeat(3_000) + "v" + &")".repeat(3_000), format!("v{}", " + 1".repeat(3_000)), format!("{}v", "!".repeat(1_500))] {
        let made = imported("x.rb", &format!("Puppet::Type.newtype(:x) {{ newparam(:name) {{ munge {{ |v| {code} }} }} }}"));
        assert_eq!(made.len(), 1);
    }
}
