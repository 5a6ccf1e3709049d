//! `rtype import`: Ruby files and their translations.

mod licences;

use arbitrary::Unstructured;
use assert_cmd::Command;
use rtype_import::{RubyFiles, import};
use rtype_lang::diagnostics::{Code, Renderer, Style};
use rtype_lang::library::TypeSet;
use rtype_lang::source::{Source, SourceMap};
use rtype_lang::syntax::format;
use rtype_testkit::random::ruby;
use std::fmt::Write as _;
use std::sync::Arc;

/// An empty module path. Code in strings is added to the sources.
struct OnlyCode<'s>(&'s SourceMap);

impl RubyFiles for OnlyCode<'_> {
    fn read(&mut self, _path: &str) -> Option<Arc<Source>> {
        None
    }

    fn list(&mut self, _directory: &str) -> Vec<String> {
        Vec::new()
    }

    fn code(&mut self, of: &Source, line: u32, text: &str) -> Option<Arc<Source>> {
        self.0.add(format!("{}:{line}", of.name()), text).ok()
    }
}

/// Returns the translation of a Ruby source, and the diagnostics.
fn show(name: &str, text: &str) -> String {
    let sources = SourceMap::default();
    let source = sources.add(name, text).unwrap();
    let (types, diagnostics) = import(&source, &mut OnlyCode(&sources), 100);
    let mut out = String::new();
    for one in types {
        let mut library = TypeSet::default();
        let result = library.sources.add(format!("{}.rtype", one.path), &one.text).unwrap();
        let types = library.load_text(&result, None).types.len();
        assert_eq!(types, usize::from(one.type_name.is_some()), "{:?}", library.diagnostics());
        assert!(!library.diagnostics().iter().any(|d| d.is_error()), "{:?}", library.diagnostics());
        assert_eq!(format(&result, 100).unwrap(), one.text);
        writeln!(out, "{}---", one.text).unwrap();
        for residue in &one.residues {
            let of = sources.iter().find(|s| (s.span().start..=s.span().end).contains(&residue.span.start)).unwrap();
            writeln!(out, "{}: {}", of.position(residue.span.start).line, residue.reason).unwrap();
        }
        writeln!(out, "{} of {} blocks", one.translated, one.blocks).unwrap();
    }
    let renderer = Renderer::new(Style::Plain);
    diagnostics.iter().for_each(|d| writeln!(out, "{}", renderer.render(d, &sources, &Default::default())).unwrap());
    out
}

#[test]
fn types_are_translated() {
    insta::glob!("import/*.rb", |path| {
        let name = path.file_name().unwrap().to_str().unwrap();
        crate::common::assert_fixture(path, &show(name, &std::fs::read_to_string(path).unwrap()));
    });
}

/// A type, parameter or property that replaces a method of Puppet is never completely translated, because the effect of the method is
/// unknown. Each line of the recorded table contains a method. A replaced method may also be translated, be an error, or be left out with a
/// comment about the missing effect.
#[test]
fn replaced_methods_of_puppet_are_left_in_ruby() {
    let mut claimed = String::new();
    for line in include_str!("../crates/import/data/puppet-hooks.txt").lines() {
        let sign = line.find(['#', '.']).unwrap();
        let (of, method) = (&line[..sign], &line[sign + 1..]);
        let def =
            format!("def {}{method}(*args)\n  raise Puppet::Error, 'own'\nend", if line[sign..].starts_with('.') { "self." } else { "" });
        let places: &[&str] = if of == "type" { &["type"] } else { &["parameter", "property"] };
        for place in places {
            let at = |wanted: &str| if *place == wanted { def.as_str() } else { "" };
            let text = format!(
                "Puppet::Type.newtype(:one) do\nensurable\n{}\nnewparam(:name)\nnewparam(:p) do\nnewvalues(:a, :b)\n{}\nend\nnewproperty(:q) do\nnewvalues(:a, :b)\n{}\nend\nend\n",
                at("type"),
                at("parameter"),
                at("property")
            );
            let sources = SourceMap::default();
            let (types, diagnostics) = import(&sources.add("one.rb", text).unwrap(), &mut OnlyCode(&sources), 100);
            let is_usable = types.iter().all(|one| one.type_name.is_some());
            assert!(of == "type" || is_usable, "{place} {line}");
            let is_said =
                types.iter().all(|one| !one.residues.is_empty() || one.text.contains("Left out") || one.text.contains("fail \"own\""))
                    || !diagnostics.is_empty();
            if !is_said {
                writeln!(claimed, "{place} {line}").unwrap();
            }
        }
    }
    // A parameter is never compared.
    assert_eq!(claimed, "parameter attribute#match_all?\nparameter attribute.array_matching\n");
}

/// Statements that the importer does not understand, with their place (`type`, `param p`, `property q`, `validate` of the type, or a
/// statement after it), and the attributes to which Puppet may give other values. `=default` means that the default may also differ.
const NOT_UNDERSTOOD: &[(&str, &str, &str)] = &[
    ("frobnicate :x", "type", "p q r"),
    ("frobnicate :x", "p", "p"),
    ("frobnicate :x", "q", "q"),
    ("Elsewhere.extend_type(self)", "type", "p q r"),
    ("prepend(Elsewhere)", "type", "p q r"),
    ("prepend(Module.new { def []=(n, v); super(n, 1); end })", "type", "p q r"),
    ("def set_parameters(hash); super(Elsewhere.of(hash)); end", "type", "p q r"),
    ("def newattr(name); Elsewhere.of(name); super; end", "type", "p q r"),
    ("def []=(name, value); super(name, Elsewhere.of(value)); end", "type", "p q r"),
    ("alias_method :old, :[]=\ndef []=(name, value); old(name, 1); end", "type", "p q r"),
    ("def managed? = true", "type", "p q r"),
    ("include(Module.new { def managed?; true; end })", "type", "p q r"),
    ("def initialize(hash); hash[:r] = 1; super; end", "type", "p q r"),
    ("def initialize(*args); super; self[:r] = Elsewhere.of(1); end", "type", "r"),
    ("def initialize(*args); super; Elsewhere.fill(self); end", "type", "p q r"),
    ("def finish; super; self[:r] = 1; end", "type", "p q r"),
    ("def munge(value); Elsewhere.of(value); end", "p", "p"),
    ("def munge(value); Elsewhere.of(value); end", "q", "q"),
    ("def unsafe_munge(value); super + '1'; end\nmunge { |v| v.upcase }", "q", "q"),
    ("def should=(value); super(Elsewhere.of(value)); end", "q", "q"),
    ("def insync?(is); Elsewhere.same(is, should); end", "q", "q"),
    ("def value=(value); @value = Elsewhere.of(value); end", "p", "p"),
    ("def value=(value); @should = Elsewhere.of(value); end", "q", "q"),
    ("def value; Elsewhere.of(super); end", "p", "p"),
    ("def value; Elsewhere.of(super); end", "q", "q"),
    ("def default; Elsewhere.of(1); end", "q", "q"),
    ("def initialize(*args); super; @should = [1]; end", "q", "q"),
    ("munge { |v| resource[:r] = Elsewhere.of(v); v }", "q", "q r"),
    ("munge { |v| resource.send(:[]=, :r, v); v }", "q", "p q r"),
    ("munge { |v| other = resource; other[:r] = Elsewhere.of(v); v }", "q", "p q r"),
    ("munge { |v| [resource].each { |x| x[:r] = Elsewhere.of(v) }; v }", "q", "p q r"),
    ("validate { |v| resource[:r] = Elsewhere.of(v) }", "p", "r"),
    ("defaultto { resource[:r] = Elsewhere.of(1) }", "q", "q r"),
    ("self[:r] = Elsewhere.of(1)", "validate", "r"),
    ("self[:r] = 'x'.crypt('ab') if catalog", "validate", "r"),
    ("self.send(:[]=, :r, 1)", "validate", "p q r"),
    ("fill", "validate", "r"),
    ("Elsewhere.fill(self)", "validate", "p q r"),
    ("delete(:r)", "validate", "p q r"),
    ("@parameters.delete(:r)", "validate", "p q r"),
    ("eachproperty { |property| property.should = 1 }", "validate", "p q r"),
    ("parameter(:p).value = 'b'", "validate", "p q r"),
    ("if same = catalog\nself[:r] = 1\nend", "validate", "r"),
    ("newattr(:r).value = 1", "validate", "p q r"),
    (
        "alias_method :old, :[]=\nnewparam(:s) { validate { |v| resource.fill_old; Elsewhere.of(v) } }\ndef fill_old; old(:r, 1); end",
        "type",
        "p q r",
    ),
    ("define_method(:default) { Elsewhere.of(1) }", "q", "q=default"),
    ("extend Elsewhere", "q", "q q=default"),
    ("include Elsewhere", "p", "p p=default"),
    ("prepend Elsewhere", "q", "q q=default"),
    ("Elsewhere.set_up(self)", "q", "q q=default"),
    ("Elsewhere.set_up([self])", "q", "q q=default"),
    ("Elsewhere.set_up(of: { all: [self] })", "type", "p q r"),
    ("Elsewhere.set_up(-> { newproperty(:x) })", "type", "p q r"),
    ("frobnicate if Elsewhere.on?", "q", "q q=default"),
    ("munge { |v| self.resource[:r] = Elsewhere.of(v); v }", "q", "q r"),
    ("munge { |v| resource.value(:r) << Elsewhere.of(v); v }", "q", "q r"),
    ("munge { |v| resource.should(:r).first << Elsewhere.of(v); v }", "q", "q r"),
    ("munge { |v| l = resource[:r]; l << Elsewhere.of(v); v }", "q", "q r"),
    ("def list; self[:r]; end\nnewparam(:s) { munge { |v| l = resource.list; l << Elsewhere.of(v); v } }", "type", "r"),
    ("munge { |v| l = [resource[:r]]; l.first[:x] = Elsewhere.of(v); v }", "q", "q r"),
    ("munge { |v| [resource[:r]].each { |l| l << Elsewhere.of(v) }; v }", "q", "q r"),
    ("munge { |v| resource.to_hash[:r] << Elsewhere.of(v); v }", "q", "p q r"),
    ("munge { |v| resource.class.set_up(instance_variable_get(:@resource), v) }", "q", "p q r"),
    ("munge { |v| resource.original_parameters[:r] = Elsewhere.of(v); v }", "q", "p q r"),
    ("munge { |v| Elsewhere.of(resource.provider.convert(v)) }", "q", "p q r"),
    ("define_method(:fill) { |&code| code.call(resource) }\nmunge { |v| fill(&:x); Elsewhere.of(v) }", "q", "p q r"),
];

#[test]
fn attributes_that_code_left_in_ruby_may_change_are_not_claimed() {
    let mut claimed = String::new();
    for (statement, place, affected) in NOT_UNDERSTOOD {
        let at = |wanted: &str| if *place == wanted { *statement } else { "" };
        let fill = if *statement == "fill" { "def fill; self[:r] = Elsewhere.of(1); end" } else { "" };
        let rule = if *place == "validate" { format!("validate do\n{statement}\nend") } else { String::new() };
        let text = format!(
            "Puppet::Type.newtype(:one) do\n{}\n{fill}\nnewparam(:name)\nnewparam(:p) do\nnewvalues(:a, :b)\n{}\nend\n\
             newproperty(:q) do\ndesc 'q'\n{}\nend\nnewproperty(:r) do\ndesc 'r'\nend\n{rule}\nend\n",
            at("type"),
            at("p"),
            at("q")
        );
        let sources = SourceMap::default();
        let (types, _) = import(&sources.add("one.rb", text).unwrap(), &mut OnlyCode(&sources), 100);
        let text = &types[0].text;
        for attribute in affected.split(' ') {
            let (attribute, block) = attribute.split_once('=').map_or((attribute, ""), |(attribute, _)| (attribute, " defaultto,"));
            let own = text.split("\n\n").any(|part| {
                let declares = part.trim_start().split(' ').nth(1) == Some(attribute);
                declares && part.contains(&format!("untranslated{block}"))
            });
            if !own && !text.contains(&format!("self.{attribute} = untranslated")) {
                writeln!(claimed, "{place}: {statement}: {attribute}\n{text}").unwrap();
            }
        }
    }
    assert_eq!(claimed, "");
}

/// `import/register_type.txt` lists definitions, and whether the library 1.8.16 accepts or refuses each definition. The library accepts an
/// unusable type, but refuses all its resources.
#[test]
fn definitions_that_register_type_refuses_are_errors() {
    let mut differs = String::new();
    for line in include_str!("import/register_type.txt").lines() {
        let (recorded, definition) = line.split_once('\t').unwrap();
        let definition =
            if definition.starts_with("name:") || definition.contains(": ") { format!("{{ {definition} }}") } else { definition.into() };
        let text = format!("require 'puppet/resource_api'\nPuppet::ResourceApi.register_type({})\n", definition.replace("'T'", "'t'"));
        let sources = SourceMap::default();
        let (types, diagnostics) = import(&sources.add("t.rb", text).unwrap(), &mut OnlyCode(&sources), 100);
        let is_refused = types.is_empty() && diagnostics.iter().any(|d| d.is_error() && d.code == Code::RefusedByPuppet);
        if is_refused == (recorded == "accepted") {
            writeln!(differs, "{line}").unwrap();
        }
    }
    assert_eq!(differs, "");
}

/// In Puppet, a property with the name of a metaparameter replaces the metaparameter, and a parameter with the name of a relation fails.
#[test]
fn types_that_replace_metaparameters_are_refused() {
    let imported = |declaration: &str| {
        let text = format!("Puppet::Type.newtype(:one) do\nnewparam(:name)\n{declaration}\nend\n");
        let sources = SourceMap::default();
        import(&sources.add("one.rb", text).unwrap(), &mut OnlyCode(&sources), 100).0.len()
    };
    let names = ["alias", "audit", "before", "loglevel", "noop", "notify", "require", "schedule", "stage", "subscribe", "tag", "provider"];
    for name in names {
        assert_eq!(imported(&format!("newproperty(:{name})")), 0, "{name}");
    }
    for name in ["before", "notify", "require", "subscribe", "provider"] {
        assert_eq!(imported(&format!("newparam(:{name})")), 0, "{name}");
    }
}

/// Truncated sources and sources with missing pieces cause no panic, and the result can be loaded.
#[test]
fn no_text_causes_a_panic() {
    let read = |name: &str| std::fs::read_to_string(format!("tests/import/{name}.rb")).unwrap();
    let door = "Puppet::Type.newtype(:door) do\n  newparam(:name, namevar: true)\nend\n".to_owned();
    let providers = ["iron", "odd"].map(|p| read(&format!("providers/door/lib/puppet/provider/door/{p}")));
    let pieces = ["code", "residue", "hooks", "objects", "in_place", "late"].map(read);
    for text in pieces.into_iter().chain([door + &providers.concat()]) {
        let lines: Vec<&str> = text.lines().collect();
        for i in 0..lines.len() {
            show("x.rb", &lines[..i].join("\n"));
            show("x.rb", &[&lines[..i], &lines[i + 1..]].concat().join("\n"));
        }
    }
}

/// Returns the Ruby files in a directory.
fn rubies(directory: &str) -> Vec<String> {
    let entries = walkdir(directory.as_ref());
    entries.iter().map(|path| std::fs::read_to_string(path).unwrap()).collect()
}

fn walkdir(directory: &std::path::Path) -> Vec<std::path::PathBuf> {
    let mut all = Vec::new();
    for path in std::fs::read_dir(directory).unwrap().map(|e| e.unwrap().path()) {
        if path.is_dir() {
            all.extend(walkdir(&path));
        } else if path.extension().is_some_and(|e| e == "rb") {
            all.push(path);
        }
    }
    all.sort();
    all
}

/// Returns the bytes for the mutations, the same in each run.
fn choices(seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let step = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    };
    std::iter::repeat_with(step).take(256).collect()
}

#[test]
fn misplaced_fragments_cause_no_panic() {
    let texts = rubies("tests/import");
    let came_out = (0..300).filter(|seed| ruby::imported(&ruby::mutated(&texts, &mut Unstructured::new(&choices(*seed))).unwrap())).count();
    assert!(came_out > 20, "only {came_out} of 300 changed files are still types");
}

/// Runs the same test with all files in the directory `RTYPE_RUBY`, for `RTYPE_SECONDS` seconds.
#[test]
#[ignore = "for searching by hand"]
fn misplaced_fragments_of_other_files_cause_no_panic() {
    let texts = rubies(&std::env::var("RTYPE_RUBY").unwrap());
    let seconds = std::env::var("RTYPE_SECONDS").map_or(60, |s| s.parse().unwrap());
    let begun = std::time::Instant::now();
    let mut seed = 0;
    while begun.elapsed().as_secs() < seconds {
        seed += 1;
        ruby::imported(&ruby::mutated(&texts, &mut Unstructured::new(&choices(seed))).unwrap());
    }
    println!("{seed} files");
}

/// Sources that are too long or too deep are left untranslated or rejected, without a stack overflow.
#[test]
fn deep_nesting_causes_no_stack_overflow() {
    let directory = tempfile::tempdir().unwrap();
    let many = |text: &str| text.repeat(9_000);
    for (name, code) in [
        ("parentheses", format!("{}v{}", many("("), many(")"))),
        ("branches", format!("if v == 1 then 2\n{}end", many("elsif v == 2 then 3\n"))),
        ("modifiers", format!("v{}", many(" if v"))),
        ("sum", format!("v{}", many(" + 1"))),
        ("text", format!("raise ArgumentError, 'a'{}", many(" + 'b'"))),
        ("copies", format!("v{}", many(".dup"))),
        ("path", format!("Pathname.new(v){}", many(".parent"))),
        ("constant", format!("A{}", many("::A"))),
        ("closures", format!("{}1{}", many("v.map { |a| "), many("}"))),
        ("nots", format!("{}v", many("!"))),
        ("choices", format!("(v =~ /a/){}", many(" || (v =~ /a/)"))),
        ("conditions", format!("(v =~ /a/){}", many(" && (v =~ /a/)"))),
        ("kept", format!("@kept ||= {}v{}", "[".repeat(900), "]".repeat(900))),
        ("yields", format!("def m(v)\n{} yield v {}\nend\nm(v) {{ |x| x }}", "[1].each { ".repeat(900), " }".repeat(900))),
        ("blocks", format!("resource.m(v) {{ |x| {}x{} }}", "[x].map { |x| ".repeat(900), " }".repeat(900))),
    ] {
        let file = directory.path().join(format!("{name}.rb"));
        let ruby =
            format!("Puppet::Type.newtype(:x) do\n  newparam(:n) do\n    isnamevar\n    munge do |v|\n{code}\n    end\n  end\nend\n");
        std::fs::write(&file, ruby).unwrap();
        let output = Command::cargo_bin("rtype").unwrap().arg("import").arg(&file).output().unwrap();
        let report = String::from_utf8(output.stderr).unwrap();
        match output.status.code() {
            Some(0) => {
                assert!(report.ends_with("1 type imported, 0 whole, 1 with residue; 0 of 1 blocks translated\n"), "{name}: {report}")
            }
            code => assert!(code == Some(1) && (report.contains("RT412") || report.contains("RT405")), "{name}: {report}"),
        }
    }
}

#[test]
fn required_files_are_read() {
    let output = Command::cargo_bin("rtype").unwrap().args(["import", "tests/import/lib/puppet/type/mixed.rb"]).output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    insta::assert_snapshot!(String::from_utf8(output.stdout).unwrap() + "---\n" + &errors);
}

/// The report conforms to its schema, and lists refused files.
#[test]
fn the_report_lists_every_file() {
    let directory = tempfile::tempdir().unwrap();
    let report = directory.path().join("report.json");
    let files = ["choices", "resource_api", "no_type"].map(|name| format!("tests/import/{name}.rb"));
    let mut command = Command::cargo_bin("rtype").unwrap();
    command.arg("import").args(files).arg("-o").arg(directory.path().join("types")).arg("--report").arg(&report).assert().code(1);
    let text = std::fs::read_to_string(&report).unwrap();
    let schema: serde_json::Value = serde_json::from_str(&std::fs::read_to_string("docs/import.schema.json").unwrap()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<String> = validator.iter_errors(&serde_json::from_str(&text).unwrap()).map(|e| e.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    insta::assert_snapshot!(text);
}

/// A module with providers. They are in the file of their type, or in a separate file if the type is not in the module.
#[test]
fn providers_are_read() {
    let directory = tempfile::tempdir().unwrap();
    let output =
        Command::cargo_bin("rtype").unwrap().args(["import", "tests/import/providers/door", "-o"]).arg(directory.path()).output().unwrap();
    let mut out = String::new();
    for file in ["door", "door_config", "hinge", "providers/package/shelf"] {
        let text = std::fs::read_to_string(directory.path().join(format!("{file}.rtype"))).unwrap();
        writeln!(out, "# {file}.rtype\n{text}").unwrap();
    }
    insta::assert_snapshot!(out + "---\n" + &String::from_utf8(output.stderr).unwrap());
}

/// Methods that are equivalent to native code with other settings become settings. The other methods have a comment about their effect.
#[test]
fn overriding_methods_become_settings() {
    let output = Command::cargo_bin("rtype").unwrap().args(["import", "tests/import/providers/crate"]).output().unwrap();
    insta::assert_snapshot!(String::from_utf8(output.stdout).unwrap() + "---\n" + &String::from_utf8(output.stderr).unwrap());
}

/// Conditions around directives, and methods and constants in conditions.
#[test]
fn conditions_of_providers_are_translated() {
    let output = Command::cargo_bin("rtype").unwrap().args(["import", "tests/import/providers/gate"]).output().unwrap();
    insta::assert_snapshot!(String::from_utf8(output.stdout).unwrap() + "---\n" + &String::from_utf8(output.stderr).unwrap());
}

/// Platform features of a module, and methods that Puppet uses to select a provider.
#[test]
fn what_selects_a_provider_is_known_or_left_in_ruby() {
    let output = Command::cargo_bin("rtype").unwrap().args(["import", "tests/import/providers/lamp"]).output().unwrap();
    insta::assert_snapshot!(String::from_utf8(output.stdout).unwrap() + "---\n" + &String::from_utf8(output.stderr).unwrap());
}

/// A type can be loaded only together with the types of its providers' parents.
#[test]
fn providers_may_descend_from_providers_of_several_types() {
    let safe = "tests/import/providers/chain/lib/puppet/type/safe.rb";
    let output = Command::cargo_bin("rtype").unwrap().args(["import", safe]).output().unwrap();
    insta::assert_snapshot!(String::from_utf8(output.stdout).unwrap() + "---\n" + &String::from_utf8(output.stderr).unwrap());
}

/// A Resource API type with type aliases from the same module.
#[test]
fn resource_api_types_are_translated() {
    let output = Command::cargo_bin("rtype").unwrap().args(["import", "tests/import/modules/gate"]).output().unwrap();
    insta::assert_snapshot!(String::from_utf8(output.stdout).unwrap() + "---\n" + &String::from_utf8(output.stderr).unwrap());
}

/// A type that reads Ruby and data from other files of the same module.
#[test]
fn files_of_a_module_are_read() {
    let output = Command::cargo_bin("rtype").unwrap().args(["import", "tests/import/modules/parts"]).output().unwrap();
    insta::assert_snapshot!(String::from_utf8(output.stdout).unwrap() + "---\n" + &String::from_utf8(output.stderr).unwrap());
}

/// A link from a repository to an outside directory does not reveal the names in the directory.
#[test]
fn names_outside_of_the_repository_are_not_listed() {
    let directory = tempfile::tempdir().unwrap();
    let types = directory.path().join("here/lib/puppet/type");
    std::fs::create_dir_all(&types).unwrap();
    std::fs::create_dir_all(directory.path().join("here/.git")).unwrap();
    std::fs::create_dir(directory.path().join("there")).unwrap();
    std::fs::write(directory.path().join("there/hidden_name.rb"), "").unwrap();
    std::os::unix::fs::symlink(directory.path().join("there"), types.join("link")).unwrap();
    let text = "Puppet::Type.newtype(:seer) do\n  newparam(:name, namevar: true)\n  newproperty(:seen) { newvalues(*Dir[File.join(__dir__, 'link', '*.rb')]) }\nend\n";
    std::fs::write(types.join("seer.rb"), text).unwrap();
    let output = Command::cargo_bin("rtype").unwrap().args(["import", "."]).current_dir(directory.path().join("here")).output().unwrap();
    let output = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
    assert!(output.contains("type seer") && !output.contains("hidden_name"), "{output}");
}

/// Providers that inherit from the standard library read the same files as their Ruby originals.
#[test]
fn parent_settings_select_the_file() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("door.conf");
    std::fs::write(&file, "[main]\nwidth=80\n").unwrap();
    for part in ["type/door_config.rb", "provider/door_config/ini_setting.rb"] {
        let text = std::fs::read_to_string(format!("tests/import/providers/door/lib/puppet/{part}")).unwrap();
        let to = directory.path().join("door/lib/puppet").join(part);
        std::fs::create_dir_all(to.parent().unwrap()).unwrap();
        std::fs::write(to, text.replace("/etc/door.conf", file.to_str().unwrap())).unwrap();
    }
    let run = |arguments: &[&str]| Command::cargo_bin("rtype").unwrap().args(arguments).current_dir(directory.path()).output().unwrap();
    assert!(run(&["import", "door", "-o", "types"]).status.success());
    let output = run(&["resource", "door_config", "main/width", "--types", "types"]);
    let output = String::from_utf8(output.stdout).unwrap();
    assert!(output.contains("ensure => 'present'") && output.contains("value  => '80'"), "{output}");
}

#[test]
fn existing_files_are_not_overwritten() {
    let directory = tempfile::tempdir().unwrap();
    let run = |file: &str| {
        let output = Command::cargo_bin("rtype").unwrap().args(["import", file, "-o"]).arg(directory.path()).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let (code, output) = run("tests/import/residue.rb");
    assert_eq!(code, Some(0), "{output}");
    assert!(output.contains("tests/import/residue.rb:7: `Units.parse` is not supported"), "{output}");
    assert!(output.ends_with("1 type imported, 0 whole, 1 with residue; 1 of 5 blocks translated\n"), "{output}");
    let (code, output) = run("tests/import/residue.rb");
    assert!(code == Some(1) && output.contains("already exists"), "{output}");
    let (code, output) = run("tests/import/no_type.rb");
    assert!(code == Some(1) && output.contains("no type of Puppet"), "{output}");
}

/// Types with properties that the provider compares.
#[test]
fn properties_are_compared_by_the_provider() {
    let directory = tempfile::tempdir().unwrap();
    let output =
        Command::cargo_bin("rtype").unwrap().args(["import", "tests/import/modules/scale", "-o"]).arg(directory.path()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let file = directory.path().join("scale.rtype");
    let text = std::fs::read_to_string(&file).unwrap();
    insta::assert_snapshot!(text);
    // Follows `def_custom_insync?` of Puppet's Resource API.
    let tests = r#"
        test "missing" {
          is { weights: ["1"] }
          scale { 'a': weights => ['5', '1', '2'] }
          expect !insync(:weights) && change(:weights) == "adding 2, 5 to a"
        }
        test "more than declared" { is { weights: ["2", "1"] }; scale { 'a': weights => ['1'] }; expect insync(:weights) }
        test "no other" { is { weights: ["2", "1"] }; scale { 'a': weights => ['1'], exact => true }; expect !insync(:weights) }
        test "in any order" { is { weights: ["2", "1"] }; scale { 'a': weights => ['1', '2'], exact => true }; expect insync(:weights) }
        test "in any case" { is { label: "abc" }; scale { 'a': label => 'ABC' }; expect insync(:label) }
        test "no label" { is { limit: 1 }; scale { 'a': label => 'ABC' }; expect !insync(:label) }
        test "as without the provider" { is { limit: 1 }; scale { 'a': limit => 1 }; expect insync(:limit) && insync(:ensure) }
        test "differs without the provider" {
          is { limit: 2 }
          scale { 'a': limit => 1 }
          expect !insync(:limit) && change(:limit) == "limit changed 2 to 1"
        }
    "#;
    std::fs::write(&file, text + tests).unwrap();
    let output = Command::cargo_bin("rtype").unwrap().arg("test").arg(&file).output().unwrap();
    assert!(output.status.success(), "{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
}

/// In Ruby, `^` and `$` are the ends of a line, also in title patterns. The results are those of Puppet 7.23.
#[test]
fn line_anchors_of_title_patterns_mean_lines() {
    let directory = tempfile::tempdir().unwrap();
    let source = "Puppet::Type.newtype(:lined) do
  def self.title_patterns
    [[/^([^:]+):(.*)$/, [[:name], [:part]]], [/^(.*)$/m, [[:name]]]]
  end
  newparam(:name, namevar: true)
  newparam(:part, namevar: true)
end
";
    std::fs::write(directory.path().join("lined.rb"), source).unwrap();
    let file = directory.path().join("lined.rtype");
    let output = Command::cargo_bin("rtype").unwrap().arg("import").arg(directory.path().join("lined.rb")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let tests = r#"
        test "the first line" { lined { "a:b\nc": }; expect self.name == "a" && self.part == "b" }
        test "a class of characters matches line breaks" { lined { "x\na:b": }; expect self.name == "x\na" && self.part == "b" }
        test "the dot matches line breaks with m" { lined { "x\ny": }; expect self.name == "x\ny" && self.part.nil? }
        test "a line break at the end" { lined { "x\n": }; expect self.name == "x\n" }
    "#;
    std::fs::write(&file, String::from_utf8(output.stdout).unwrap() + tests).unwrap();
    let output = Command::cargo_bin("rtype").unwrap().arg("test").arg(&file).output().unwrap();
    assert!(output.status.success(), "{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
}

/// Puppet calls hooks itself: a hook of a module that the type includes, or is extended with, has the translation of a hook of the type.
#[test]
fn hooks_of_modules_are_those_of_the_type() {
    let hooks = include_str!("../crates/import/data/puppet-hooks.txt")
        .lines()
        .filter_map(|line| line.split_once(['#', '.']).filter(|(of, _)| *of == "type").map(|(_, name)| (name, line.contains('#'))));
    let optional =
        ["exists?", "flush", "refresh", "generate", "eval_generate", "self_refresh?", "pre_run_check", "autorequire", "evaluate", "finish"];
    let hooks: Vec<(&str, bool)> =
        hooks.chain(optional.map(|name| (name, true))).chain([("instances", false), ("suitable?", false)]).collect();
    let bare = translated(&shelf("", ""));
    for (hook, of_resource) in &hooks {
        let def = |receiver: &str| format!("def {receiver}{hook}(*all)\n    fail 'no' if all\n  end");
        let (of_type, word) = if *of_resource { (def(""), "include") } else { (def("self."), "extend") };
        let own = translated(&shelf("", &of_type));
        for (module, joined) in [
            (format!("module Wood\n  {}\nend\n", def("")), format!("{word} Wood")),
            (format!("module Oak\n  {}\nend\nmodule Wood\n  include Oak\nend\n", def("")), format!("{word} Wood")),
        ] {
            let mixed = translated(&shelf(&module, &joined));
            let as_methods = |texts: &[String]| texts.iter().map(|text| text.replace("def self.", "def ")).collect::<Vec<_>>();
            assert_eq!(as_methods(&mixed), as_methods(&own), "{hook}");
        }
        assert_ne!(own, bare, "{hook}");
    }
    assert!(hooks.len() > 100, "only {} hooks", hooks.len());
}

/// Returns a type in Ruby with code before it and in it.
fn shelf(before: &str, code: &str) -> String {
    format!("{before}Puppet::Type.newtype(:shelf) do\n  newparam(:name, namevar: true)\n  newproperty(:size)\n  {code}\nend\n")
}

/// Returns the type files of a Ruby text.
fn translated(ruby: &str) -> Vec<String> {
    let sources = SourceMap::default();
    let source = sources.add("shelf.rb", ruby).unwrap();
    import(&source, &mut OnlyCode(&sources), 100).0.into_iter().map(|one| one.text).collect()
}
