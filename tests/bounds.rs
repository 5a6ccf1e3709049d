//! Input that requires too many resources. rtype itself accepts or rejects all input quickly.
//!
//! In release builds, each case takes less than a second, except for the largest files. Debug builds get smaller inputs and more time.
//! `cargo test --test it bounds:: -- --nocapture` prints the times.

use assert_cmd::Command;
use std::fmt::Write;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The time limit of each case. Debug builds on a busy machine need much longer than the documented ten seconds.
const PATIENCE: Duration = Duration::from_secs(if cfg!(debug_assertions) { 120 } else { 10 });
/// The factor by which the largest inputs are reduced.
const MUCH: usize = 8;

/// Runs the program on a file. Returns the status and the output.
fn run(what: &str, arguments: &[&str], name: &str, text: &str) -> (i32, String) {
    let directory = TempDir::new().unwrap();
    std::fs::write(directory.path().join(name), text).unwrap();
    let begun = Instant::now();
    let output = Command::cargo_bin("rtype").unwrap().args(arguments).arg(name).current_dir(directory.path()).output().unwrap();
    let spent = begun.elapsed();
    println!("{what:40} {:>6} ms, {} KB", spent.as_millis(), text.len() / 1024);
    let printed = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(spent < PATIENCE, "{what} took {spent:?}");
    assert!(!printed.contains("panicked"), "{what}: {printed}");
    (output.status.code().unwrap_or_else(|| panic!("{what} ended by a signal: {:?}", output.status)), printed)
}

fn refused(what: &str, arguments: &[&str], name: &str, text: &str, code: &str) {
    let (status, printed) = run(what, arguments, name, text);
    let shown: String = printed.chars().take(2_000).collect();
    assert!(status == 1 && printed.contains(code), "{what}: {status} {shown}");
}

fn accepted(what: &str, arguments: &[&str], name: &str, text: &str) {
    let (status, printed) = run(what, arguments, name, text);
    let shown: String = printed.chars().take(2_000).collect();
    assert!(status == 0, "{what}: {status} {shown}");
}

/// Returns a type with a property block, and a test that sets the property.
fn block(body: &str, value: &str) -> String {
    format!(
        "type t {{\n  newparam name\n  newproperty p {{\n    munge {{ |v|\n      {body}\n    }}\n  }}\n}}\ntest \"it ends\" {{\n  t {{ 'a': p => {value} }}\n  expect self.p == 1\n}}\n"
    )
}

#[test]
fn blocks_end() {
    let evil = format!("'{}b'", "a".repeat(5_000));
    for (what, body, value, code) in [
        ("an endless loop", "1_000_000_000_000.times { |i| i }", "'x'", "RT504"),
        ("loops in loops", "9999.times { |i| 9999.times { |k| i * k } }", "'x'", "RT504"),
        ("doubling", "let x = \"ab\"\n      999.times { |i| x = x + x }\n      x", "'x'", "RT504"),
        ("a product of lists", "9999.times.product(9999.times)", "'x'", "RT504"),
        ("a power", "7 ** 999_999_999", "'x'", "RT504"),
        ("a regex that backtracks", "v =~ /^(a|a|aa)*(?!x)\\1$/ ? 1 : 2", evil.as_str(), "RT50"),
        ("a regex of nested repeats", "v =~ /^((a+)+)+$/ ? 1 : 1", evil.as_str(), ""),
        ("a regex made too large", "re(\"((((a{99}){99}){99}){99})\")", "'x'", "RT504"),
        ("itself", "self.p", "'x'", "RT50"),
    ] {
        let (status, printed) = run(what, &["test"], "t.rtype", &block(body, value));
        assert!(status < 2 && printed.contains(code), "{what}: {status} {printed}");
    }
    let recursive = "fn f(n) { f(n + 1) + f(n + 2) }\n".to_owned() + &block("f(0)", "'x'");
    refused("a function that calls itself twice", &["test"], "t.rtype", &recursive, "RT504");
}

#[test]
fn mutually_recursive_blocks_end() {
    let mut text = "type t {\n  newparam name\n  newproperty a40\n".to_owned();
    for i in 0..40 {
        let _ = writeln!(text, "  newproperty a{i} {{ should {{ |v| [self.a{}, self.a{}] }} }}", i + 1, i + 1);
    }
    text += "}\ntest \"it ends\" {\n  t { 'a': a0 => 1, a40 => 2 }\n  expect insync(:a0)\n}\n";
    let attributes: String = (0..=40).map(|i| format!("a{i} => 1, ")).collect();
    text = text.replace("a0 => 1, a40 => 2", &attributes);
    let (status, _) = run("forty properties that read each other", &["test"], "t.rtype", &text);
    assert!(status < 2);
}

#[test]
fn recursive_generation_ends() {
    let text = "type t {\n  newparam name\n  generate { resource(:t, self.name + \"x\", {}) }\n}\ntest \"it ends\" {\n  t { 'a': }\n  expect generate == []\n}\n";
    let (status, printed) = run("generate without end", &["test"], "t.rtype", text);
    assert!(status == 1, "{printed}");
    let many = "type t {\n  newparam name\n  generate { name.length > 6 ? [] : 9.times { |i| i }.map { |i| resource(:t, name + i.to_s, {}) } }\n}\ntest \"it ends\" {\n  t { 'a': }\n  expect generate == []\n}\n"
        .replace("name.length", "self.name.length")
        .replace("name + i", "self.name + i");
    let (status, _) = run("resources that multiply", &["test"], "t.rtype", &many.replace("9.times { |i| i }", "9.times"));
    assert!(status == 1);
}

#[test]
fn large_values_end() {
    let long = "x".repeat(1 << 20);
    run("a title of a megabyte", &["check"], "x.pp", &format!("user {{ '{long}': ensure => present }}\n"));
    run("a refused value of a megabyte", &["check"], "x.pp", &format!("user {{ 'a': uid => '{long}', ensure => '{long}' }}\n"));
    let array = "'a', ".repeat(1_000_000 / MUCH);
    run("an array of a million", &["check"], "x.pp", &format!("user {{ 'a': groups => [{array}] }}\n"));
    run(
        "an array of a million in JSON",
        &["check"],
        "x.json",
        &format!("[{{\"type\": \"user\", \"title\": \"a\", \"parameters\": {{\"groups\": [{}1]}}}}]", "1,".repeat(1_000_000 / MUCH)),
    );
    for (what, name, open, close) in [("x.pp", "x.pp", "[", "]"), ("x.json", "x.json", "[", "]"), ("x.yaml", "x.yaml", "[", "]")] {
        let deep = format!("{}1{}", open.repeat(10_000), close.repeat(10_000));
        let text = match name {
            "x.pp" => format!("user {{ 'a': groups => {deep} }}"),
            "x.json" => format!("[{{\"type\": \"user\", \"title\": \"a\", \"parameters\": {{\"groups\": {deep}}}}}]"),
            _ => format!("user:\n  a:\n    groups: {deep}\n"),
        };
        refused(&format!("10,000 nested arrays in {what}"), &["check"], name, &text, "RT");
    }
}

#[test]
fn large_files_end() {
    let mut types = String::new();
    while types.len() < (10 << 20) / MUCH {
        let i = types.len();
        let _ = write!(types, "type t{i} {{\n  newparam name\n  newproperty p {{ munge {{ |v| v.to_s.strip }} }}\n}}\n");
    }
    accepted("a type file of 10 MB", &["check"], "x.rtype", &types);
    let resources: String = (0..100_000 / MUCH).map(|i| format!("notify {{ 'n{i}': message => 'm' }}\n")).collect();
    accepted("100,000 resources", &["check"], "x.pp", &resources);
    refused("10 MB of one line", &["check"], "x.pp", &"user { 'a': uid => 1 } ".repeat((10 << 20) / 23 / MUCH), "RM003");
    refused("10 MB of letters", &["check"], "x.rtype", &"x".repeat((10 << 20) / MUCH), "RT201");
}

#[test]
fn types_with_many_attributes_or_providers_end() {
    let attributes: String = (0..60_000 / MUCH).map(|i| format!("  newparam p{i}\n")).collect();
    accepted("a type with 60,000 attributes", &["check"], "t.rtype", &format!("type t {{\n  newparam name\n{attributes}}}\n"));
    let providers: String =
        (0..30_000 / MUCH).map(|i| format!("provider p{i}, for: t{i} {{ }}\ntype t{i} {{ newparam name }}\n")).collect();
    accepted("30,000 types with a provider each", &["check"], "x.rtype", &providers);
}

#[test]
fn findings_are_limited() {
    let text: String = (0..3_000).map(|i| format!("file {{ '/x{i}': moode => '1' }}\n")).collect();
    let (status, printed) = run("three thousand errors", &["check"], "x.pp", &text);
    assert_eq!(status, 1);
    assert_eq!(printed.matches("error[RM002]").count(), 1_000);
    assert!(
        printed.contains("… and 2000 more findings are not shown") && printed.contains("3000 errors in 1 file"),
        "{}",
        &printed[printed.len() - 500..]
    );
    let (_, printed) = run("five of them", &["check", "--max-findings", "5", "--format", "concise"], "x.pp", &text);
    assert_eq!(printed.lines().count(), 6, "{printed}");
    let (_, printed) = run("all of them", &["check", "--max-findings", "0", "--format", "concise"], "x.pp", &text);
    assert_eq!(printed.lines().count(), 3_000);
    let (status, printed) = run("three thousand errors of apply", &["inspect", "--max-findings", "7"], "x.pp", &text);
    assert_eq!(printed.matches("error[RM002]").count(), 7, "{status}");
}

#[test]
fn findings_in_data_are_counted_beyond_a_limit() {
    let pair = |i: usize| format!("\"a{}\":1", i % 7);
    let attributes: Vec<String> = (0..30_000).map(pair).collect();
    let json = format!("{{\"file\":{{\"/x\":{{{}}}}}}}", attributes.join(","));
    let unknown: Vec<String> = (0..30_000).map(|i| format!("\"a{i}\":1")).collect();
    let unknown = format!("{{\"file\":{{\"/x\":{{{}}}}}}}", unknown.join(","));
    let titles = format!("{{\"file\":{{{}}}}}", vec!["\"/x\":{}"; 30_000].join(","));
    let many = "file { '/x': ensure => file }\n".repeat(30_000);
    for (what, name, text, code, more) in [
        ("an attribute given 30,000 times", "x.json", json, "RM011", 19_993),
        ("30,000 unknown attributes", "x.json", unknown, "RM002", 20_000),
        ("a resource declared 30,000 times in JSON", "x.json", titles, "RM003", 19_999),
        ("a resource declared 30,000 times", "x.pp", many, "RM003", 19_999),
    ] {
        let (status, printed) = run(what, &["check", "--max-findings", "0", "--format", "concise"], name, &text);
        assert_eq!(status, 1, "{what}");
        let of_code = printed.lines().filter(|l| l.contains(code)).count();
        assert!((9_900..=10_010).contains(&of_code), "{what}: {of_code}");
        assert!(printed.contains(&format!("… and {more} more findings are not shown")), "{what}: {}", &printed[printed.len() - 500..]);
    }
}

#[test]
fn all_blocks_of_a_run_share_a_budget() {
    let body = "let x = \"ab\"\n    18.times { |i| x = x + x }\n    8.times { |i| x + v }\n    v";
    let text = format!("type t {{\n  newparam name\n  newproperty p {{\n    munge {{ |v|\n    {body}\n    }}\n  }}\n}}\n");
    let directory = TempDir::new().unwrap();
    std::fs::write(directory.path().join("t.rtype"), text).unwrap();
    let run = |verb: &str, count: usize| {
        let resources: String = (0..count).map(|i| format!("t {{ 'n{i}': p => 'v{i}' }}\n")).collect();
        std::fs::write(directory.path().join("x.pp"), resources).unwrap();
        let output =
            Command::cargo_bin("rtype").unwrap().args([verb, "--types", ".", "x.pp"]).current_dir(directory.path()).output().unwrap();
        (output.status.code(), format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr)))
    };
    let (_, few) = run("check", 20);
    assert!(!few.contains("RT307") && !few.contains("RM005"), "{few}");
    for verb in ["check", "inspect"] {
        let (status, many) = run(verb, 200);
        assert_eq!(status, Some(1), "{many}");
        assert_eq!(many.matches("error[RT307]: the blocks of this run take more than 51000000 steps together").count(), 1, "{many}");
    }
}

#[test]
#[ignore = "takes two minutes; the step `attack` of .ci/run"]
fn all_files_of_an_import_share_a_budget() {
    let directory = TempDir::new().unwrap();
    let alphabet: Vec<String> = ('a'..='z').map(|c| format!("'{c}'")).collect();
    let hostile = |i: usize| {
        let loops = format!("l = [{}]\n{}{}", alphabet.join(", "), "l.each do |x|\n".repeat(20), "end\n".repeat(20));
        format!("Puppet::Type.newtype(:x{i:03}) do\n  newparam(:name, namevar: true)\n{loops}\nend\n")
    };
    for i in 0..100 {
        std::fs::write(directory.path().join(format!("x{i:03}.rb")), hostile(i)).unwrap();
    }
    let names: Vec<String> = (0..100).map(|i| format!("x{i:03}.rb")).collect();
    let output = Command::cargo_bin("rtype").unwrap().arg("import").args(&names).current_dir(directory.path()).output().unwrap();
    let printed = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(printed.matches("error[RT420]").count(), 32, "{printed}");
    assert!(printed.contains("68 files from `x032.rb` on are not imported"), "{printed}");
    // The budget covers all files, for each command.
    let modules = directory.path().join("module/lib/puppet/type");
    std::fs::create_dir_all(&modules).unwrap();
    for i in 0..40 {
        std::fs::write(modules.join(format!("x{i:03}.rb")), hostile(i)).unwrap();
    }
    let site: String = (0..40).map(|i| format!("x{i:03} {{ 'a': }}\n")).collect();
    std::fs::write(directory.path().join("site.pp"), site).unwrap();
    // A file that is too expensive is a limit of the importer for a check, but an error for a run. Unread files are an error for both.
    let refused =
        ["8 files from `module/lib/puppet/type/x032.rb` on are not imported", "x011.rb` and the Ruby files after it are not imported"];
    for (command, severity, count, refused) in [
        (&["check", "--verbose", "module"][..], "note", 32, refused[0]),
        (&["inspect", "--modulepath", ".", "site.pp"], "error", 11, refused[1]),
    ] {
        let output = Command::cargo_bin("rtype").unwrap().args(command).current_dir(directory.path()).output().unwrap();
        let printed = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
        assert_eq!(output.status.code(), Some(1), "{printed}");
        assert_eq!(printed.matches("error[RT422]").count(), 1, "{printed}");
        assert_eq!(printed.matches(&format!("{severity}[RT420]")).count(), count, "{printed}");
        assert_eq!(printed.matches(refused).count(), 1, "{printed}");
    }
}

#[test]
fn findings_of_many_files_are_counted_exactly_and_kept_in_part() {
    let directory = TempDir::new().unwrap();
    let file = |name: &str, mode: &str, count: usize| {
        let text: String = (0..count).map(|i| format!("file {{ '/{name}/{i}': ensure => file, mode => '{mode}' }}\n")).collect();
        std::fs::write(directory.path().join(name), text).unwrap();
    };
    let check = |arguments: &[&str]| {
        let output = Command::cargo_bin("rtype").unwrap().arg("check").args(arguments).current_dir(directory.path()).output().unwrap();
        let printed = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
        (printed, output.status.code())
    };
    for i in 0..3 {
        file(&format!("{i}.pp"), "999", 5_000);
    }
    let (printed, status) = check(&["."]);
    assert_eq!(printed.matches("error[").count(), 1_000, "{printed}");
    assert!(printed.contains("… and 14000 more findings are not shown") && printed.contains("\n15000 errors in 3 files\n"), "{printed}");
    assert_eq!(status, Some(1));
    assert!(printed.contains("[0.pp:1000:") && !printed.contains("[1.pp:"), "the first ones by place are shown");
    let (printed, _) = check(&[".", "--max-findings", "12000", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&printed).unwrap();
    assert_eq!((&report["counts"]["errors"], &report["counts"]["not_shown"]), (&15_000.into(), &3_000.into()), "{}", report["counts"]);
    // Suppressed findings and findings in the baseline do not count, whether rtype keeps them or not.
    for i in 0..3 {
        file(&format!("{i}.pp"), "777", 5_000);
    }
    let profile = ["--profile", "strict"];
    let (all, status) = check(&[&[".", "--format", "json"], &profile[..]].concat());
    let all: serde_json::Value = serde_json::from_str(&all).unwrap();
    assert!(all["counts"]["warnings"].as_u64().unwrap() >= 15_000 && status == Some(1), "{}", all["counts"]);
    let (printed, _) = check(&[&[".", "--update-baseline"], &profile[..]].concat());
    assert!(printed.contains("findings written to"), "{printed}");
    let (printed, status) = check(&[&[".", "--baseline", "rtype-baseline.json"], &profile[..]].concat());
    assert_eq!(status, Some(0), "{printed}");
    file("3.pp", "999", 1);
    let (printed, status) = check(&[&[".", "--baseline", "rtype-baseline.json"], &profile[..]].concat());
    assert!(status == Some(1) && printed.contains("[3.pp:1:"), "{printed}");
}

#[test]
fn nested_type_files_end() {
    let block = |body: &str| format!("type t {{\n  newparam name {{ munge {{ |v| {body} }} }}\n}}\n");
    for (open, close) in [
        ("(", ")"),
        ("[", "]"),
        ("{a => ", "}"),
        ("!", ""),
        ("- ", ""),
        ("if a { ", " }"),
        ("\"#{", "}\""),
        ("a ? b : ", ""),
        ("x.map { |a| ", "}"),
        ("1 + ", ""),
        ("a[", "]"),
        ("match a { 1 => ", "}"),
        ("try { ", "} else { |w| 1 }"),
        ("not ", ""),
    ] {
        let text = block(&format!("{}1{}", open.repeat(20_000), close.repeat(20_000)));
        refused(&format!("20,000 of `{open}`"), &["check"], "t.rtype", &text, "RT");
    }
    let blocks = format!("type t {{\n{}{}\n}}\n", "newparam a {".repeat(20_000), "}".repeat(20_000));
    refused("20,000 directives inside each other", &["check"], "t.rtype", &blocks, "RT");
    let types = format!("type t {{\n  newparam name {{ type {}Integer{} }}\n}}\n", "Array[".repeat(20_000), "]".repeat(20_000));
    refused("20,000 data types inside each other", &["check"], "t.rtype", &types, "RT");
    let cycle = "kind a = b\nkind b = a\nmixin m { include n }\nmixin n { include m }\ntype t { newparam name { kind a }\n include m }\n";
    refused("kinds and mixins that lead to each other", &["check"], "t.rtype", cycle, "RT");
    for regex in ["(a{1,1000}){1,1000}", "a{1,100000}{1,100000}", "(((((a{1,50}){1,50}){1,50}){1,50}){1,50})"] {
        let text = format!("type t {{\n  newparam name\n  newproperty p {{ newvalues /{regex}/ }}\n}}\n");
        refused(&format!("the regex {regex}"), &["check"], "t.rtype", &text, "RT");
    }
    let deep = format!("type t {{\n  newparam name\n  newproperty p {{ newvalues /{}a{}/ }}\n}}\n", "(".repeat(20_000), ")".repeat(20_000));
    refused("a regex of 20,000 groups", &["check"], "t.rtype", &deep, "RT");
    let documented = format!("type t {{\n  desc \"\"\"\n{}\n\"\"\"\n  newparam name\n}}\n", "*`[_( word\n".repeat(1_000_000 / MUCH));
    run("a description of 10 MB", &["doc"], "t.rtype", &documented);
}

/// Definitions that contain the definition before them several times.
#[test]
fn definitions_that_multiply_end() {
    let chain = |one: &dyn Fn(usize) -> String, from: &str, used: &str| {
        let chain = (1..=12).fold(from.to_owned(), |text, i| text + &one(i) + "\n");
        format!("{chain}type t {{\n  newparam name\n  {used}\n}}\n")
    };
    let four = |text: String, separator: &str| vec![text; 4].join(separator);
    let constant = |i: usize| format!("const C{i} = [{}]", four(format!("C{}", i - 1), ", "));
    let mixin = |i: usize| format!("mixin m{i} {{ {} }}", four(format!("include m{}", i - 1), "; "));
    let alias = |i: usize| format!("typealias T{i} = Variant[{}]", four(format!("T{}", i - 1), ", "));
    let constants = "const C0 = [1]\n";
    for (what, text, code) in [
        ("constants in a default", chain(&constant, constants, "newproperty p, array_matching: all { defaultto C12 }"), "RT304"),
        ("constants in a block", chain(&constant, constants, "newproperty p { munge { |v| C12.length } }"), "RT304"),
        ("mixins", chain(&mixin, "mixin m0 { autorequire user { ['a'] } }\n", "include m12"), "RT304"),
        ("aliases", chain(&alias, "typealias T0 = Boolean\n", "newproperty p { type T9 }"), "RT112"),
        ("tuples", chain(&|_| String::new(), "", "newparam p { type Tuple[Integer, String, 300000000, 300000000] }"), "RT112"),
    ] {
        refused(what, &["check"], "t.rtype", &text, code);
    }
}

#[test]
fn ruby_ends() {
    let of = |body: &str| format!("Puppet::Type.newtype(:x) do\n  newparam(:name, namevar: true)\n{body}\nend\n");
    let alphabet: Vec<String> = ('a'..='z').map(|c| format!("'{c}'")).collect();
    let loops = format!("l = [{}]\n{}{}", alphabet.join(", "), "l.each do |x|\n".repeat(20), "end\n".repeat(20));
    refused("Ruby loops in loops", &["import"], "x.rb", &of(&loops), "RT420");
    let (status, printed) = run("Ruby loops in loops, checked", &["check", "--verbose"], "x.rb", &of(&loops));
    assert!(status == 0 && printed.contains("note[RT420]"), "{printed}");
    let types: String = (0..2_000).map(|i| of("").replace(":x", &format!(":x{i}"))).collect();
    refused("two thousand types in a Ruby file", &["import"], "x.rb", &types, "RT420");
    refused("a Ruby number of a million digits", &["import"], "x.rb", &of(&format!("x = {}", "9".repeat(1_000_000))), "RT405");
    for operator in ["!", "- ", "not ", "~", "defined? "] {
        let text = of(&format!("x = {}1", operator.repeat(50_000)));
        refused(&format!("50,000 of `{operator}` in Ruby"), &["import"], "x.rb", &text, "RT405");
    }
    refused("two MB of Ruby", &["import"], "x.rb", &of(&"# x\n".repeat(500_000)), "RT405");
    run(
        "a Ruby value that is multiplied",
        &["import"],
        "x.rb",
        &of("x = 'a' * 1_000_000_000\nnewparam(x)\n(1..1_000_000_000).to_a.each { |i| newparam(i) }"),
    );
}

#[test]
fn aliases_in_yaml_do_not_explode() {
    let mut bomb = "a: &a [x, x, x, x, x, x, x, x, x]\n".to_owned();
    for (one, next) in ('a'..='y').zip('b'..='z') {
        let all = vec![format!("*{one}"); 9].join(", ");
        let _ = writeln!(bomb, "{next}: &{next} [{all}]");
    }
    refused("an alias bomb", &["check"], "x.yaml", &bomb, "RT");
    refused("an alias of itself", &["check"], "x.yaml", "user:\n  a: &a\n    groups: *a\n", "RT");
    let keys = "user:\n  a:\n    ? {? {? {? a : b} : c} : d}\n    : 1\n";
    run("keys that are maps", &["check"], "x.yaml", keys);
}

#[test]
fn the_parts_of_very_many_settings_are_not_compared() {
    let declared = |count: usize| -> String {
        let mut text = String::new();
        for number in 0..count {
            let part = format!("path => '/etc/default/app', setting => 'OPTS', subsetting => '-X{}', value => '1'", "x".repeat(number % 2));
            writeln!(text, "ini_subsetting {{ 'r{number}': {part} }}").unwrap();
        }
        text
    };
    let (_, printed) = run("500 settings with parts", &["check"], "site.pp", &declared(500));
    assert!(printed.contains("`-X` also matches the part `-Xx` of Ini_subsetting[r1]"), "{printed}");
    let (_, printed) = run("501 settings with parts", &["check"], "site.pp", &declared(501));
    assert_eq!(printed.matches("warning[RM038]").count(), 1, "{printed}");
    assert!(printed.contains("Ini_subsetting[r0]: the parts of 501 `ini_subsetting` resources are not compared"), "{printed}");
}
