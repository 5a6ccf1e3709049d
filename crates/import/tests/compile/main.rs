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

/// Compares rows of Ruby code with their translations, which follow `#=>`. `UPDATE_BLOCKS=1` writes the translations again.
fn compare_rows(path: &str, translate: impl Fn(&str) -> String) {
    let recorded = std::fs::read_to_string(path).unwrap();
    let mut rows = Vec::new();
    for row in recorded.trim_end().split("\n# --\n") {
        let body: Vec<&str> = row.lines().filter(|line| !line.starts_with("#=> ")).collect();
        let body = body.join("\n");
        let shown = translate(&body);
        rows.push(format!("{body}\n{}", shown.trim_end().lines().map(|line| format!("#=> {line}\n")).collect::<String>()));
    }
    let rows = rows.join("# --\n");
    if std::env::var_os("UPDATE_BLOCKS").is_some() {
        std::fs::write(path, &rows).unwrap();
    }
    assert!(recorded == rows, "{rows}");
}

/// Rows of `blocks.rb`: the body of a property `value`.
#[test]
fn blocks_are_translated() {
    compare_rows("tests/compile/blocks.rb", |body| {
        let ruby = format!(
            "Puppet::Type.newtype(:shelf) do\nnewparam(:name, namevar: true)\nnewparam(:wide, boolean: true) {{ newvalues(:true, :false) }}\n\
             newproperty(:value) do\n{body}\nend\nend\n"
        );
        let made = imported("shelf.rb", &ruby);
        let [(name, text)] = made.as_slice() else { panic!("{body}") };
        assert_eq!(error(name, text), None, "{text}");
        text.split_once("newproperty value").map_or("", |(_, rest)| rest).trim_end().trim_end_matches('}').trim_end().to_owned()
    });
}

/// Rows of `types.rb`: the body of a type.
#[test]
fn types_are_translated() {
    compare_rows("tests/compile/types.rb", |body| {
        let made = imported("shelf.rb", &format!("Puppet::Type.newtype(:shelf) do\n{body}\nend\n"));
        let [(name, text)] = made.as_slice() else { panic!("{body}") };
        assert_eq!(error(name, text), None, "{text}");
        text.clone()
    });
}

/// Rows of `api.rb`: calls of the Resource API.
#[test]
fn resource_api_types_are_translated() {
    compare_rows("tests/compile/api.rb", |ruby| {
        let source = SourceMap::new().add("shelf.rb", ruby).unwrap();
        let (types, refused) = compile::import(&source, &mut NoRubyFiles);
        match types.as_slice() {
            [made] => {
                assert_eq!(error(&made.path, &made.text), None, "{}", made.text);
                made.text.clone()
            }
            _ => refused.iter().map(|d| format!("{}\n", d.message)).collect(),
        }
    });
}

/// Rows of `providers.rb`: the body of a provider.
#[test]
fn providers_are_translated() {
    compare_rows("tests/compile/providers.rb", |body| {
        let ruby = format!(
            "Puppet::Type.newtype(:shelf) do\nnewparam(:name, namevar: true)\nnewproperty(:value)\nfeature :wide, 'Wide.'\n\
             feature :locking, 'Locks.', methods: [:lock, :unlock]\nend\nPuppet::Type.type(:shelf).provide(:wood) do\n{body}\nend\n"
        );
        let made = imported("shelf.rb", &ruby);
        let [(name, text)] = made.as_slice() else { panic!("{body}") };
        assert_eq!(error(name, text), None, "{text}");
        let (before, after) = text.split_once("type shelf").unwrap();
        format!("{before}provider{}", after.split_once("\nprovider").map_or(" is not declared", |(_, rest)| rest))
    });
}

/// Providers inherit from another type's provider, and methods become settings.
#[test]
fn settings_of_inherited_providers() {
    let made = imported(
        "shelf.rb",
        "Puppet::Type.newtype(:shelf) { newparam(:name); newproperty(:value) }\n\
         Puppet::Type.type(:shelf).provide(:ini, parent: Puppet::Type.type(:ini_setting).provider(:ruby)) do\n\
         def section; resource[:name].split('/', 2).first; end\ndef self.file_path; '/etc/shelf'; end\nend\n",
    );
    let [(name, text)] = made.as_slice() else { panic!("{made:?}") };
    assert_eq!(error(name, text), None, "{text}");
    let (_, provider) = text.split_once("provider ").unwrap();
    let expected = "ini, for: shelf, parent: \"ini_setting/ruby\" {\n  \
                    section { self.name.split(\"/\", 2).first }\n  file_path \"/etc/shelf\"\n}\n";
    assert_eq!(provider, expected);
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
