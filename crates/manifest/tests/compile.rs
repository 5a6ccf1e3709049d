//! The compiler of manifests.
#![cfg(feature = "compile")]

use rtype_lang::library::TypeLoader;
use rtype_lang::source::SourceMap;
use rtype_manifest::compile::environment::{Environment, EvaluationLimits};
use rtype_manifest::compile::evaluator::ManifestEvaluator;
use rtype_manifest::compile::files::ModuleFiles;
use rtype_manifest::compile::native::NativeTypes;
use rtype_manifest::compile::text::display;
use std::path::Path;
use std::sync::Arc;

mod disk;
mod fixture;

use disk::Disk;

/// All tests have the same environment: the table of functions and the types are read once.
static ENVIRONMENT: std::sync::LazyLock<Arc<Environment>> = std::sync::LazyLock::new(|| Arc::new(environment()));

fn evaluator() -> ManifestEvaluator {
    ManifestEvaluator::new(ENVIRONMENT.clone(), SourceMap::new())
}

fn environment() -> Environment {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/environment");
    let limits = EvaluationLimits { steps: 100_000, ..EvaluationLimits::default() };
    let files = ModuleFiles::new(Box::new(Disk), Some(directory.clone()), vec![directory.join("modules")]);
    Environment { limits, ..fixture::environment(files) }
}

/// Returns the value of the last expression as text, or the message of the failure with its place.
fn evaluate(code: &str) -> String {
    let mut evaluator = evaluator();
    match evaluator.compile(vec![(String::new(), code.to_owned())]) {
        Ok(value) => display(&value),
        Err(failure) => evaluator.message(&failure),
    }
}

#[test]
fn expressions_have_the_values_that_puppet_gives() {
    for (code, expected) in [
        // Paths of files with a slash at the end.
        ("file { '/x': }\ndefined(File['/x/'])", "true"),
        ("file { '/x': mode => '0644' }\nFile['/x/']['mode']", "0644"),
        // `^` and `$` match at line ends; with the option `m`, the dot matches newlines.
        (
            "$x = \"a\\nb\"\n[$x =~ /^b$/, $x =~ /\\Ab/, $x =~ /(?m:a.b)/, $x =~ /a.b/, $x =~ Pattern[/^b/]]",
            "[true, false, true, false, true]",
        ),
        ("regsubst(\"a\\na\", '^a', 'b', 'G')", "b\nb"),
        ("\"a\\nb\".match('^b')", "[b]"),
        ("[1, 2].map |$x| { $x * 2 }", "[2, 4]"),
        ("$h = { a => 1 }\n\"${h[a]} ${$h + { b => 2 }}\"", "1 {a => 1, b => 2}"),
        ("5 in [1, 5] and 'A' == 'a'", "true"),
        ("type C = Object[{ constants => { k => 3 } }]\n[C().k, URI('http://h/p').port, URI('http://h/p').host]", "[3, 80, h]"),
        ("function upcase($x) { mine }\nupcase('a')", "mine"),
        ("inline_epp('a<% return(5) %>x')", "5"),
        ("class a { $m = \"<${module_name}>\" }\ninclude a\n$a::m", "<>"),
        ("Integer[1, 5] < Numeric", "true"),
        ("function f(Integer $n) { if $n > 3 { return($n) } f($n + 1) }\nf(1)", "4"),
        ("type Port = Integer[1, 65535]\n80 =~ Port", "true"),
        ("sprintf('%s|%s|%s|%s', /a/, SemVer('1.2.3'), Timespan(3600), URI('http://a/b'))", "/a/|1.2.3|0-01:00:00.0|http://a/b"),
        ("sprintf('%p', [/b/, undef, { 'k' => SemVer('1.0.0') }])", r#"["/b/", nil, {"k"=>"1.0.0"}]"#),
        ("inline_epp('<% 2.each |$i| { %><%= $i %>;<% } %>')", "0;1;"),
    ] {
        assert_eq!(evaluate(code), expected, "{code}");
    }
}

#[test]
fn errors_have_the_texts_and_places_that_puppet_gives() {
    for (code, expected) in [
        (
            "SemVer('x')",
            "Evaluation Error: Error while evaluating a Function Call, 'new_Version' The string 'x' cannot be converted to a SemVer \
             (line: 1, column: 1)",
        ),
        (
            "file { '/a/': }\nfile { '/a': }",
            "Evaluation Error: Error while evaluating a Resource Statement, Duplicate declaration: File[/a] is already declared at \
             (line: 1); cannot redeclare (line: 2) (line: 2, column: 1)",
        ),
        (
            "notify { 'a': message => [[1].reverse_each] }",
            "Evaluation Error: Error while evaluating a '=>' expression, Use of an Iterator is not supported here (line: 1, column: 15)",
        ),
        (
            "class a(Integer $p) { }\nclass { 'a': p => 'x' }",
            "Evaluation Error: Error while evaluating a Resource Statement, Class[A]: parameter 'p' expects an Integer value, got String (line: 2, column: 1)",
        ),
        (
            "define d { fail('no') }\nd { 'x': }",
            "Evaluation Error: Error while evaluating a Resource Statement, Evaluation Error: Error while evaluating a Function Call, no (line: 1, column: 12) (line: 2)",
        ),
        (
            "notify { 'a': }\nnotify { 'a': }",
            "Evaluation Error: Error while evaluating a Resource Statement, Duplicate declaration: Notify[a] is already declared at (line: 1); cannot redeclare (line: 2) (line: 2, column: 1)",
        ),
    ] {
        assert_eq!(evaluate(code), expected, "{code}");
    }
}

#[test]
fn catalogs_have_resources_edges_and_relations() {
    let mut evaluator = evaluator();
    let code = "class a { notify { 'x': } }\ninclude a\nnotify { 'y': } -> Class['a']";
    assert!(evaluator.compile(vec![(String::new(), code.to_owned())]).is_ok());
    let catalog = evaluator.to_json();
    let texts: Vec<String> = catalog["resources"].as_array().unwrap().iter().map(|r| format!("{}[{}]", r["type"], r["title"])).collect();
    assert!(texts.contains(&"\"Notify\"[\"x\"]".to_owned()), "{texts:?}");
    assert!(catalog.to_string().contains("\"before\":[\"Class[A]\"]"), "{catalog}");
}

#[test]
fn facts_of_modules_that_are_not_known_are_refused() {
    let mut environment = environment();
    environment.files.unread_facts.insert("of_module".into());
    let environment = Arc::new(environment);
    let evaluate = |code: &str| {
        let mut evaluator = ManifestEvaluator::new(environment.clone(), SourceMap::new());
        evaluator.compile(vec![(String::new(), code.to_owned())]).map_or_else(|failure| failure.text().to_owned(), |value| display(&value))
    };
    for code in [
        "$facts['of_module']",
        "$f = $facts\n$f['of_module']",
        "$facts.dig('of_module', 'x')",
        "$facts.get('of_module.x', 1)",
        "getvar('facts.of_module')",
        "'Of_module' in $facts",
        "$facts.keys",
        "$facts.filter |$name, $value| { true }",
    ] {
        assert!(evaluate(code).contains("not known") || evaluate(code).contains("not evaluated"), "{code}: {}", evaluate(code));
    }
    for (code, expected) in [
        ("$facts.dig('kernel')", "Linux"),
        ("$facts.get('other', 1)", "1"),
        ("['kernel' in $facts, 'other' in $facts]", "[true, false]"),
        ("$facts.with |$f| { $f['kernel'] }", "Linux"),
    ] {
        assert_eq!(evaluate(code), expected, "{code}");
    }
}

/// The catalogs are Puppet's.
#[test]
fn titles_set_identifying_attributes() {
    let mut environment = environment();
    let mut types = TypeLoader::new(Vec::new()).load();
    let text = "type beam {\n  newparam side { isnamevar }\n  newparam colour { isnamevar }\n  newparam level\n  title_patterns { \
                /\\A([^:]+):([^:]+)\\z/ => side, colour }\n}\n";
    types.load_text(&types.keep("beam.rtype", text.into()).expect("a short text"), None);
    environment.types = Arc::new(NativeTypes::new(types, true));
    let environment = Arc::new(environment);
    let compile = |code: &str| {
        let mut evaluator = ManifestEvaluator::new(environment.clone(), SourceMap::new());
        match evaluator.compile(vec![(String::new(), code.to_owned())]) {
            Ok(_) => evaluator.to_json()["resources"].as_array().and_then(|all| all.last()).map(ToString::to_string).unwrap_or_default(),
            Err(failure) => evaluator.message(&failure),
        }
    };
    let beam = compile("beam { 'north:red': level => 3 }");
    assert!(beam.contains(r#""parameters":{"side":"north","colour":"red","level":3}"#), "{beam}");
    let twice = compile("beam { 'north:red': }\nbeam { 'x:y': side => 'north', colour => 'red' }");
    assert!(
        twice.contains(r#"Cannot alias Beam[x:y] to ["red", "north"] at (line: 2); resource ["Beam", "red", "north"] already"#),
        "{twice}"
    );
    let twice = compile("package { 'a': name => 'x' }\npackage { 'b': name => 'x' }");
    assert!(
        twice.contains(r#"to [nil, "x", nil] at (line: 2); resource ["Package", nil, "x", nil] already declared (line: 1)"#),
        "{twice}"
    );
    let two = compile("package { 'a': name => 'x' }\npackage { 'b': name => 'x', provider => 'gem' }");
    assert!(two.contains(r#""title":"b""#), "{two}");
}

#[test]
fn functions_declare_resources_with_any_title() {
    let mut evaluator = evaluator();
    let code = "define d { notify { \"n${title}\": message => $title } }\ncreate_resources('d', {80 => {}})";
    evaluator.compile(vec![(String::new(), code.to_owned())]).expect("the code is valid");
    let catalog = evaluator.to_json().to_string();
    assert!(catalog.contains(r#""message":80"#), "{catalog}");
    assert!(catalog.contains(r#""tags":["class","d"],"file":"unknown","line":2"#), "{catalog}");
    assert!(catalog.contains(r#""parameters":{"name":"80"}"#), "{catalog}");
}

/// The answers are those of Puppet 7 for the same environment.
#[test]
fn lookups_give_what_hiera_gives() {
    for (code, expected) in [
        ("lookup('servers')", "[a, b]"),
        ("lookup('servers', Array, 'unique')", "[a, b, c]"),
        ("lookup('users')", "[root, ada, bob]"),
        ("lookup('options')", "{cache => {size => 2}, tls => true}"),
        ("lookup('options', Hash, 'deep')", "{cache => {size => 2, path => /var/cache}, tls => true}"),
        ("lookup('options', Hash, 'hash')", "{cache => {size => 2}, tls => true}"),
        ("lookup('options.cache.size')", "2"),
        ("lookup('greeting')", "hello world, 100% on Linux"),
        ("lookup('same')", "{cache => {size => 2}, tls => true}"),
        ("lookup('only_extra')", "5400"),
        ("lookup('nowhere', {'default_value' => 'x'})", "x"),
        ("lookup('nowhere', undef, undef, [1])", "[1]"),
        ("lookup('nowhere') |$k| { \"block ${k}\" }", "block nowhere"),
        ("lookup(['nowhere', 'name'])", "world"),
        ("lookup('empty')", ""),
        ("lookup('site::port')", "8080"),
        ("lookup('other::key', {'default_value' => 'not from the module site'})", "not from the module site"),
        ("lookup('off')", "Function lookup() did not find a value for the name 'off'"),
        (
            "lookup('name', Integer)",
            "Evaluation Error: Error while evaluating a Function Call, Found value has wrong type, expects an Integer value, got String (line: 1, column: 1)",
        ),
        ("include site\n\"${site::port} ${site::root} ${site::limits}\"", "8080 /srv/site {files => 10, processes => 5}"),
        ("hiera('name')", "world"),
    ] {
        assert_eq!(evaluate(code), expected, "{code}");
    }
}

#[test]
fn bombs_are_errors() {
    let twice: String = (1..=40).map(|n| format!("$x{n} = {{a => $x{0}, b => [$x{0}]}}\n", n - 1)).collect();
    let shared = format!("$x0 = 'a'\n{twice}");
    let types: String = (1..=15).map(|n| format!("type T{n} = Struct[{{a => T{0}, b => T{0}}}]\n", n - 1)).collect();
    let either = |n: usize| format!("type T{n} = Variant[Struct[{{a => T{0}}}], Struct[{{a => T{0}, Optional[b] => Integer}}]]\n", n - 1);
    let choices: String = (1..=30).map(either).collect();
    let chain: String = (1..=30).map(|n| format!("$x{n} = {{a => $x{}}}\n", n - 1)).collect();
    let values: String = (1..=15).map(|n| format!("$x{n} = {{a => $x{0}, b => $x{0}}}\n", n - 1)).collect();
    for code in [
        "function f($n) { f($n + 1) }\nf(1)".to_owned(),
        "Integer[0, 9999999999].each |$x| { }".to_owned(),
        "1000000.each |$x| { $y = $x + 1 }".to_owned(),
        // Values whose parts are shared, and deep values.
        format!("{shared}notice($x40)"),
        format!("{shared}notify {{ 'x': message => $x40 }}"),
        format!("{shared}notice(type($x40), $x40 == $x39)"),
        "$y = Integer[0, 1000000].reduce([]) |$all, $x| { [$all] }".to_owned(),
        "$y = Integer[0, 1000000].reduce({}) |$all, $x| { $all + {b => $all} }".to_owned(),
        "$y = Integer[0, 1000000].reduce(Sensitive(1)) |$all, $x| { Sensitive([$all]) }".to_owned(),
        "$y = Integer[0, 1000000].reduce(Integer) |$all, $x| { Array[$all] }".to_owned(),
        "$y = Integer[0, 1000].reduce(Integer) |$all, $x| { Array[$all] }".to_owned(),
        "$y = Integer[0, 100].reduce(Integer) |$all, $x| { Tuple[$all, $all] }\nnotice($y)".to_owned(),
        "$y = Integer[0, 100].reduce(Integer) |$all, $x| { Variant[Array[$all], Tuple[$all]] }\nnotice($y =~ Type[$y])".to_owned(),
        "$y = Integer[0, 100].reduce(Integer) |$all, $x| { Callable[$all, $all] }\nnotice($y)".to_owned(),
        // Choices that multiply in each level.
        format!("type T0 = Integer\n{choices}$x0 = 'a'\n{chain}class c(T30 $p) {{ }}\nclass {{ 'c': p => $x30 }}"),
        // A mismatch in each of 32,768 parts.
        format!("type T0 = Integer\n{types}$x0 = 'a'\n{values}class c(T15 $p) {{ }}\nclass {{ 'c': p => $x15 }}"),
    ] {
        let mut evaluator = evaluator();
        assert!(evaluator.compile(vec![(String::new(), code.clone())]).is_err(), "{code}");
    }
}

/// An alias is the choice between what it refers to, and its text names the aliases inside.
#[test]
fn aliases_are_choices() {
    let code = "type A = Variant[B, Integer]\ntype B = Variant[A, String]\n[1 =~ A, 'x' =~ A, 1 =~ B, true =~ A, true =~ B, Boolean <= A]";
    assert_eq!(evaluate(code), "[true, true, true, false, false, false]");
    let code = "type N = Optional[L]\ntype L = Array[N]\n[[[undef]] =~ L, [[1]] =~ L, undef =~ N]";
    assert_eq!(evaluate(code), "[true, false, true]");
    let code = "type B = Array[Integer]\ntype A = Variant[B, String]\n\"${A}\"";
    assert_eq!(evaluate(code), "A = Variant[B = Array[Integer], String]");
}

/// Aliases that refer to each other end in an answer or an error, never in an endless search.
#[test]
fn cyclic_aliases_end() {
    for target in ["B", "Variant[B, A]", "Array[B]", "Optional[B]"] {
        let code = format!("type A = {target}\ntype B = Variant[C, B]\ntype C = B\n[1 =~ A, [[]] =~ A, A < B, B < A, A == B]");
        let answer = evaluate(&code);
        assert!(answer.starts_with('[') || answer.contains("alias"), "{code}: {answer}");
    }
}

#[test]
fn files_outside_of_the_module_path_are_not_read() {
    assert!(evaluate("epp('../../etc/passwd')").contains("Could not find template"));
}

/// Each line of the files is code, a tab, and what Puppet 7.23 answers; `\n` is a line break.
#[test]
fn functions_answer_as_recorded_from_puppet() -> std::io::Result<()> {
    let directory = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/functions");
    let mut count = 0;
    for entry in std::fs::read_dir(directory)? {
        let file = entry?.path();
        for line in std::fs::read_to_string(&file)?.lines() {
            let Some((code, expected)) = line.split_once('\t') else { continue };
            assert_eq!(evaluate(&code.replace("\\n", "\n")).replace('\n', "\\n"), expected, "{}: {code}", file.display());
            count += 1;
        }
    }
    assert!(count > 200, "only {count} lines were found");
    Ok(())
}
