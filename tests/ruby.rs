//! Puppet types in Ruby instead of type files. All commands accept them, and diagnostics refer to the Ruby source.

use assert_cmd::Command;

const MODULE: &str = "tests/ruby/modules/shop";
const FILE: &str = "tests/ruby/modules/shop/lib/puppet/type/lantern.rb";

/// Returns the output and exit status of a run.
fn run(arguments: &[&str], input: &str) -> String {
    let mut command = Command::cargo_bin("rtype").unwrap();
    let output = command.env_clear().args(arguments).write_stdin(input).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let all = format!("$ rtype {}\n{}{}", arguments.join(" "), text(output.stdout), text(output.stderr));
    assert!(!all.contains("opensesame"), "a secret is shown: {all}");
    format!("{}\n[{}]\n", all.trim_end(), output.status.code().unwrap())
}

/// A file and a module cause the same findings, located in the Ruby source and without fixes of the generated code.
#[test]
fn check_reports_locations_in_ruby() {
    let found = |path: &str| run(&["check", path], "").split_once('\n').unwrap().1.replace(", 1 resource file", "");
    assert_eq!(found(FILE), found(MODULE));
    insta::assert_snapshot!(run(&["check", "--select", "ALL", MODULE], "") + &run(&["check", "--format", "json", FILE], ""));
}

/// An untranslated part is a limit of the importer, not a fault of the author. It is counted, and listed on request. Copies of other
/// modules are not read.
#[test]
fn limits_are_no_findings() {
    let module = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = module.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    let of_type = |name: &str, body: &str| {
        format!("Puppet::Type.newtype(:{name}) do\n  @doc = 'X.'\n  newparam(:name, namevar: true) {{ desc 'Y.' }}\n{body}end\n")
    };
    write("lib/puppet/type/clock.rb", &of_type("clock", "  newproperty(:time) { desc 'Z.'; munge { |v| Chronic.parse(v) } }\n"));
    write("spec/fixtures/modules/other/lib/puppet/type/other.rb", &of_type("other", "  validate { Other.call }\n"));
    // The kind of an unknown value is unknown, and functions that other files may call do not count as unused.
    write(
        "lib/puppet/type/bell.rb",
        &of_type(
            "bell",
            "  def chime\n    self[:tone].to_s\n  end\n  newproperty(:tone) do\n    desc 'Z.'\n    munge { |v| Tone.of(v) }\n    def insync?(is)\n      is == should.name\n    end\n  end\n",
        ),
    );
    let functions = tempfile::tempdir().unwrap();
    std::fs::write(functions.path().join("metadata.json"), "{}").unwrap();
    std::fs::create_dir(functions.path().join("manifests")).unwrap();
    assert_eq!(run(&["check", functions.path().to_str().unwrap()], "").lines().last(), Some("[1]"));
    let module = module.path().to_str().unwrap();
    let check = |options: &[&str]| run(&[&["check"], options, &[module]].concat(), "").replace(module, "MODULE");
    insta::assert_snapshot!(
        check(&[]) + &check(&["--verbose", "--format", "concise"]) + &check(&["--select", "RT067", "--format", "concise"])
    );
}

#[test]
fn resources_find_types_of_modules() {
    insta::assert_snapshot!(
        run(&["check", "--types", MODULE, "tests/ruby/site.pp"], "")
            + &run(&["check", "--modulepath", "tests/ruby/modules", "tests/ruby/site.pp"], "")
            + &run(&["inspect", "--modulepath", "tests/ruby/modules", "tests/ruby/site.pp"], "")
            + &run(&["check", "tests/ruby/site.pp"], "")
    );
}

#[test]
fn ruby_types_are_described_and_tested() {
    insta::assert_snapshot!(
        run(&["describe", FILE], "")
            + &run(&["describe", "--short", "--modulepath", "tests/ruby/modules", "lantern"], "")
            + &run(&["doc", MODULE], "")
            + &run(&["test", MODULE], "")
    );
}

#[test]
fn the_repl_loads_ruby_types() {
    insta::assert_snapshot!(run(
        &["repl", "--no-history", MODULE],
        "lantern { 'a': colour => 'blue' }\n:load tests/ruby/modules/shop/lib/puppet/type/lantern.rb\n"
    ));
}

#[test]
fn ruby_and_translation_are_shown_side_by_side() {
    insta::assert_snapshot!(run(&["import", "--explain", FILE], ""));
}

/// Constructs that cannot be written differently in Ruby, and findings that depend on unread modules, are not reported.
#[test]
fn constructs_of_ruby_and_unread_modules_are_not_reported() {
    let check = |options: &[&str]| run(&[&["check", "--format", "concise"], options, &["tests/ruby/authors/silent"]].concat(), "");
    insta::assert_snapshot!(check(&[]) + &check(&["--verbose"]));
}

#[test]
fn mistakes_of_authors_are_findings() {
    insta::assert_snapshot!(run(&["check", "--format", "concise", "tests/ruby/authors/reported"], ""));
}

#[test]
fn limits_are_counted_in_reports() {
    let json = |options: &[&str]| -> serde_json::Value {
        let arguments = [&["check", "--format", "json"], options, &["tests/ruby/authors/silent"]].concat();
        let output = Command::cargo_bin("rtype").unwrap().args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let (short, long) = (json(&[]), json(&["--verbose"]));
    let limits = short["counts"]["limits"].as_u64().unwrap();
    assert!(limits > 0, "{short}");
    assert_eq!((&short["findings"], &short["counts"]["errors"]), (&serde_json::json!([]), &serde_json::json!(0)));
    assert_eq!((long["counts"]["limits"].as_u64(), long["counts"]["notes"].as_u64()), (Some(limits), Some(limits)));
}

/// rtype reads the Ruby files of a neighbouring module if a type needs them. Findings in these files are reported when the neighbouring
/// module is checked.
#[test]
fn findings_in_other_modules_are_reported_there() {
    let modules = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = modules.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    let class = "module PuppetX\n  class Named < Puppet::Property\n    validate do |value|\n      unused = value.to_s\n      fail 'no' if value == 'x'\n    end\n  end\nend\n";
    let of_type = |name: &str| {
        format!(
            "require_relative '../../../../base/lib/puppet_x/named'\nrequire 'puppet_x/named'\nPuppet::Type.newtype(:{name}) do\n  newparam(:name, namevar: true)\n  newproperty(:label, parent: PuppetX::Named)\nend\n"
        )
    };
    write("base/lib/puppet_x/named.rb", class);
    write("base/lib/puppet/type/inner.rb", &of_type("inner").replace("../../../../base/lib/", "../../"));
    write("site/lib/puppet/type/outer.rb", &of_type("outer"));
    let check = |module: &str| run(&["check", "--format", "concise", modules.path().join(module).to_str().unwrap()], "");
    assert!(check("site").trim_end().ends_with("[0]"), "{}", check("site"));
    assert!(check("base").contains("named.rb:3:5: RT056"), "{}", check("base"));
}
