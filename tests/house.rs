//! Rules about the sources that the compiler does not check: names that stay out of the code, file sizes, dependencies of the crates.

use regex::Regex;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The maximum length of a source file.
const MAX_LINES: usize = 600;

/// The directory of native providers.
const NATIVE: &str = "crates/provider/src/native/";

/// The dependencies within the workspace that each crate may have (docs/architecture.md).
const LAYERS: &[(&str, &[&str])] = &[
    ("lang", &[]),
    ("model", &["lang"]),
    ("manifest", &["lang", "model", "ruby"]),
    ("author", &["lang", "manifest", "model"]),
    ("import", &["lang", "ruby"]),
    ("ruby", &["lang"]),
    ("system", &[]),
    ("provider", &["lang", "model", "system"]),
    ("engine", &["lang", "model", "provider", "system"]),
    ("agent", &["engine", "lang", "model", "provider", "system"]),
    ("wasm", &["author", "lang", "manifest", "model"]),
    ("testkit", &["author", "engine", "import", "lang", "manifest", "model", "provider"]),
];

/// Strings in the sources that equal the name of a standard type but mean something else.
const HOMONYMS: &[(&str, &str, &str)] = &[
    ("crates/agent/src/catalog.rs", "resources", "a key of catalogs"),
    ("crates/agent/src/client.rs", "resources", "a key of catalogs"),
    ("crates/import/examples/compare.rs", "file", "a key of the importer's report"),
    ("crates/manifest/src/compile/builtin/convert.rs", "host", "a part of URIs"),
    ("src/cli/compile.rs", "resources", "a key of catalogs"),
    ("crates/manifest/src/compile/caller.rs", "file", "a function of Puppet"),
    ("crates/manifest/src/compile/catalog/finish.rs", "notify", "a metaparameter"),
    ("crates/manifest/src/compile/catalog/mod.rs", "file", "the type whose titles lose a slash at the end"),
    ("crates/manifest/src/compile/catalog/mod.rs", "notify", "a metaparameter"),
    ("crates/manifest/src/compile/catalog/mod.rs", "schedule", "a metaparameter"),
    ("crates/manifest/src/compile/catalog/mod.rs", "stage", "a metaparameter"),
    ("crates/manifest/src/compile/catalog/output.rs", "file", "a key of catalogs"),
    ("crates/manifest/src/compile/catalog/output.rs", "resources", "a key of catalogs"),
    ("crates/manifest/src/compile/evaluator/class.rs", "stage", "what contains classes"),
    ("crates/manifest/src/compile/evaluator/main_manifest.rs", "stage", "what contains classes"),
    ("crates/manifest/src/functions/files.rs", "file", "a function of Puppet"),
    ("crates/manifest/src/functions/stdlib/resources.rs", "package", "what a function of the module stdlib declares"),
    ("crates/manifest/src/compile/evaluator/resource.rs", "file", "the type whose titles lose a slash at the end"),
    ("crates/manifest/src/compile/evaluator/resource.rs", "stage", "what contains classes"),
    ("crates/manifest/src/compile/native.rs", "exec", "a type of Puppet itself"),
    ("crates/manifest/src/compile/native.rs", "file", "a type of Puppet itself"),
    ("crates/manifest/src/compile/native.rs", "filebucket", "a type of Puppet itself"),
    ("crates/manifest/src/compile/native.rs", "group", "a type of Puppet itself"),
    ("crates/manifest/src/compile/native.rs", "notify", "a type of Puppet itself"),
    ("crates/manifest/src/compile/native.rs", "package", "a type of Puppet itself"),
    ("crates/manifest/src/compile/native.rs", "resources", "a type of Puppet itself"),
    ("crates/manifest/src/compile/native.rs", "schedule", "a type of Puppet itself"),
    ("crates/manifest/src/compile/native.rs", "service", "a type of Puppet itself"),
    ("crates/manifest/src/compile/native.rs", "stage", "a type of Puppet itself"),
    ("crates/manifest/src/compile/native.rs", "tidy", "a type of Puppet itself"),
    ("crates/manifest/src/compile/native.rs", "user", "a type of Puppet itself"),
    ("crates/manifest/src/compile/uri.rs", "host", "a part of URIs"),
    ("crates/import/src/puppet/setup.rs", "file", "a class of Ruby"),
    ("crates/import/src/lower/machine.rs", "file", "a class of Ruby"),
    ("crates/import/src/facts/mod.rs", "resources", "a method of the catalog"),
    ("crates/import/src/idiom/mod.rs", "resources", "a method of the catalog"),
    ("crates/import/src/lower/calls.rs", "resources", "a method of the catalog"),
    ("crates/import/src/lower/catalog.rs", "resources", "a method of the catalog"),
    ("crates/lang/src/types/facts.rs", "augeas", "a fact of Facter"),
    ("crates/agent/src/files.rs", "file", "a kind of file in Puppet's protocol"),
    ("crates/engine/src/report/provenance.rs", "stage", "a container of classes"),
    ("crates/agent/src/report/mod.rs", "file", "a key of Puppet's reports"),
    ("crates/agent/src/report/described.rs", "file", "a key of Puppet's reports"),
    ("crates/agent/src/report/mod.rs", "host", "a key of Puppet's reports"),
    ("crates/agent/src/report/mod.rs", "resources", "a key of catalogs and of Puppet's reports"),
    ("crates/agent/src/report/described.rs", "resources", "a key of catalogs and of Puppet's reports"),
    ("crates/agent/src/status.rs", "resources", "a name of metrics"),
    ("crates/author/src/check/left_out.rs", "file", "the kind of a skipped file without a known extension"),
    ("crates/provider/src/facts/network.rs", "host", "the scope of an address"),
    ("crates/lang/src/types/builtin.rs", "host", "a part of a URI"),
    ("crates/import/src/library.rs", "host", "a part of a URI"),
    ("crates/import/src/library.rs", "file", "a module of Ruby"),
    ("crates/import/src/api/definition.rs", "notify", "a metaparameter"),
    ("crates/import/src/api/definition.rs", "schedule", "a metaparameter"),
    ("crates/import/src/api/definition.rs", "stage", "a metaparameter"),
    ("crates/import/src/lower/library.rs", "file", "a class of Ruby"),
    ("crates/import/src/api_refusals.rs", "notify", "a metaparameter"),
    ("crates/import/src/api_refusals.rs", "schedule", "a metaparameter"),
    ("crates/import/src/api_refusals.rs", "stage", "a metaparameter"),
    ("crates/import/src/settle.rs", "notify", "a metaparameter"),
    ("crates/import/src/core_names.rs", "group", "a method of an instance of `File::Stat`"),
    ("crates/import/src/raised.rs", "host", "a part of a URI"),
    ("crates/import/src/raised.rs", "user", "a part of a URI"),
    ("crates/import/src/spread.rs", "file", "a module of Ruby"),
    ("crates/import/src/eval/native.rs", "file", "a class of Ruby"),
    ("crates/import/src/catalog.rs", "resources", "a method of the catalog"),
    ("crates/import/src/catalog_values.rs", "resources", "a method of the catalog"),
    ("crates/import/src/catalog_values.rs", "file", "a method of resources"),
    ("crates/provider/src/ruby/mod.rs", "resources", "a key of the protocol"),
    ("crates/model/src/resource/kinds/file.rs", "file", "the scheme of a URI"),
    ("crates/lang/src/lower/type_body.rs", "host", "where resources of a type can live: host, device, both"),
    ("crates/author/src/editor/completion/types.rs", "host", "where resources of a type can live: host, device, both"),
    ("crates/author/src/editor/completion/code.rs", "resources", "a method of the catalog"),
    ("src/lsp/index/found.rs", "resources", "a method of the catalog"),
    ("crates/model/src/manifest/catalog.rs", "file", "the key in a catalog for the file that declares a resource"),
    ("crates/lang/src/diagnostics/render/summary.rs", "file", "counts files in a sentence"),
    ("crates/system/src/stat.rs", "file", "a kind of file in Ruby's words"),
    ("crates/provider/src/system/name_service.rs", "group", "a database of the name service"),
    ("crates/author/src/check/secrets.rs", "file", "a word in the description of what holds a secret"),
    ("crates/lang/src/lower/ruby.rs", "file", "a module of Ruby"),
    ("crates/author/src/check/format/json.rs", "file", "a key of reports"),
    ("crates/lang/src/types/mod.rs", "notify", "a metaparameter"),
    ("crates/lang/src/types/mod.rs", "schedule", "a metaparameter"),
    ("crates/lang/src/types/mod.rs", "stage", "a metaparameter"),
    ("crates/model/src/manifest/declared.rs", "notify", "a metaparameter"),
    ("crates/author/src/editor/candidates.rs", "notify", "a metaparameter"),
    ("crates/model/src/resource/complete.rs", "notify", "a metaparameter"),
    ("crates/lang/src/types/mod.rs", "notify", "a kind of relation"),
    ("crates/model/src/manifest/compiled.rs", "stage", "what only contains resources in a compiled catalog"),
    ("crates/model/src/manifest/compiled.rs", "resources", "a key of catalogs"),
    ("crates/author/src/diff/catalogs/relations.rs", "notify", "a metaparameter"),
    ("crates/author/src/docs/schema/mod.rs", "resources", "a key of catalogs"),
    ("crates/engine/src/report/mod.rs", "resources", "a key of reports"),
    ("crates/provider/src/external/mod.rs", "file", "a key of the protocol"),
    ("crates/provider/src/external/conversation.rs", "resources", "a key of the protocol"),
    ("crates/engine/src/apply/harness.rs", "schedule", "a metaparameter"),
    ("crates/engine/src/apply/schedule.rs", "schedule", "a metaparameter, which the engine itself keeps to"),
    ("crates/lang/src/lower/calls.rs", "resources", "a method of the catalog"),
    ("src/repl/commands.rs", "resources", "a command"),
    ("crates/lang/src/types/builtin.rs", "resources", "a word in messages"),
    ("crates/wasm/src/declare.rs", "resources", "a key of responses"),
    ("crates/wasm/src/report.rs", "file", "a key of responses"),
    ("crates/wasm/src/service.rs", "resources", "a text of a request"),
    ("crates/lang/src/types/builtin.rs", "augeas", "a feature of platforms"),
    ("crates/manifest/src/check/names.rs", "file", "a function that reads a file of a module"),
    ("crates/manifest/src/syntax/pn.rs", "resources", "a key of Puppet's trees"),
];

#[test]
fn crates_use_only_what_the_architecture_allows() {
    for (name, allowed) in LAYERS {
        let manifest: toml::Table = std::fs::read_to_string(format!("crates/{name}/Cargo.toml")).unwrap().parse().unwrap();
        let used: BTreeSet<&str> = manifest["dependencies"].as_table().unwrap().keys().filter_map(|d| d.strip_prefix("rtype-")).collect();
        let allowed: BTreeSet<&str> = allowed.iter().copied().collect();
        assert!(used.is_subset(&allowed), "crates/{name} depends on {used:?}, docs/architecture.md allows {allowed:?}");
    }
    let documented = std::fs::read_to_string("docs/architecture.md").unwrap();
    for entry in std::fs::read_dir("crates").unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let allowed = LAYERS.iter().find(|(layer, _)| *layer == name).unwrap_or_else(|| panic!("crates/{name} is missing in LAYERS")).1;
        let uses = if allowed.is_empty() { "–".to_owned() } else { allowed.join(", ") };
        let row = documented.lines().find(|line| line.starts_with(&format!("| `crates/{name}` |"))).unwrap();
        assert_eq!(row.split('|').nth(4).map(str::trim), Some(uses.as_str()), "docs/architecture.md: {name}");
    }
}

/// The rows `| `dependency` | crates | purpose |` in docs/architecture.md are the direct dependencies in the manifests.
#[test]
fn every_dependency_has_its_purpose() {
    let mut used: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for name in LAYERS.iter().map(|(name, _)| *name).filter(|name| *name != "testkit").chain(["rtype"]) {
        let path = if name == "rtype" { "Cargo.toml".to_owned() } else { format!("crates/{name}/Cargo.toml") };
        let manifest: toml::Table = std::fs::read_to_string(path).unwrap().parse().unwrap();
        for dependency in manifest["dependencies"].as_table().unwrap().keys().filter(|d| !d.starts_with("rtype-")) {
            used.entry(dependency.clone()).or_default().insert(name.to_owned());
        }
    }
    let page = std::fs::read_to_string("docs/architecture.md").unwrap();
    let section = page.split_once("\n## Dependencies\n").unwrap().1.split("\n## ").next().unwrap();
    let row = Regex::new(r"(?m)^\| `([^`]+)` \| ([a-z, ]+) \| [^|]+ \|$").unwrap();
    let documented: BTreeMap<String, BTreeSet<String>> =
        row.captures_iter(section).map(|row| (row[1].to_owned(), row[2].split(", ").map(str::to_owned).collect())).collect();
    assert_eq!(documented, used, "the table of dependencies in docs/architecture.md (left) differs from the manifests (right)");
}

#[test]
fn the_functions_of_the_five_walks_exist() {
    let page = std::fs::read_to_string("docs/architecture.md").unwrap();
    let section = page.split_once("\n## Five walks\n").unwrap().1.split("\n## ").next().unwrap();
    let path = Regex::new(r"`(?:\w+::)+(\w+)`").unwrap();
    let all: String = sources().into_iter().map(|(_, text)| text).collect();
    let names: Vec<&str> = path.captures_iter(section).map(|found| found.get(1).unwrap().as_str()).collect();
    assert!(names.len() >= 25, "only {} names were found", names.len());
    for name in names {
        let definition = Regex::new(&format!(r"\b(fn|struct|enum|trait) {name}\b")).unwrap();
        assert!(definition.is_match(&all), "docs/architecture.md names `{name}`, which does not exist");
    }
}

#[test]
fn only_one_crate_accesses_the_machine() {
    let lifts = Regex::new(r"(allow|expect)\([^)]*clippy::disallowed_methods").unwrap();
    for (path, text) in sources().into_iter().filter(|(path, _)| !path.starts_with("crates/system/")) {
        assert!(!lifts.is_match(&text), "{path}: only crates/system turns this lint off, use its functions");
        let is_root = path == "src/lib.rs" || (path.starts_with("crates/") && path.ends_with("/src/lib.rs"));
        assert!(!is_root || text.contains("#![cfg_attr(not(test), deny(clippy::disallowed_methods))]"), "{path} must turn this lint on");
    }
}

/// All code that starts programs: the source file, the terminal of the programs, and the programs.
const STARTS: &[(&str, &str, &str)] = &[
    ("crates/provider/src/system/command.rs", "Detached", "programs of providers, `exec` and facts"),
    ("crates/provider/src/system/talk.rs", "Detached", "provider programs"),
    ("src/app/input/revision.rs", "Detached", "git, for `diff --since`: reads local objects, asks for no password"),
    ("src/repl/terminal/foreground.rs", "Shared", "the editor in which the user types"),
    ("src/repl/terminal/foreground.rs", "Shared", "the pager in which the user scrolls"),
];

/// `clippy.toml` forbids all other ways to start a program.
#[test]
fn programs_are_started_in_few_places() {
    let call = Regex::new(r"(?s)\bstart\(.*?Terminal::(\w+)").unwrap();
    let sources = sources().into_iter().filter(|(path, _)| path != "crates/system/src/start.rs");
    let found: Vec<(String, String)> = sources
        .filter(|(_, text)| text.contains("Terminal::"))
        .flat_map(|(path, text)| call.captures_iter(&text).map(|found| (path.clone(), found[1].to_owned())).collect::<Vec<_>>())
        .collect();
    let listed: Vec<(String, String)> = STARTS.iter().map(|(path, terminal, _)| ((*path).to_owned(), (*terminal).to_owned())).collect();
    assert_eq!(found, listed, "programs are started (left) in other places than `STARTS` lists (right)");
    let rules = std::fs::read_to_string("clippy.toml").unwrap();
    for method in ["new", "spawn", "output", "status"] {
        assert!(rules.contains(&format!("\"std::process::Command::{method}\"")), "clippy.toml allows `Command::{method}`");
    }
}

/// Paths in resources may belong to another user. Providers access such paths by descriptor, and start programs by
/// `rtype_system::programs`.
#[test]
fn providers_do_not_access_paths_by_name() {
    let by_name: Vec<String> = sources().into_iter().filter(|(path, text)| reaches_by_name(path, text)).map(|(path, _)| path).collect();
    assert!(by_name.is_empty(), "use `Tree` or `programs` instead of `named`: {by_name:?}");
    assert!(reaches_by_name("crates/provider/src/x.rs", "use rtype_system::{Tree, named};"));
    assert!(reaches_by_name("crates/engine/src/x.rs", "fn f() { rtype_system::named::exists(\"/x\") }"));
    assert!(!reaches_by_name("src/app/input.rs", "use rtype_system::named;"));
    assert!(!reaches_by_name("crates/provider/src/x.rs", "fn f(named: bool) { let is_named = named; }"));
}

fn reaches_by_name(path: &str, text: &str) -> bool {
    let is_provider = ["crates/provider/", "crates/engine/"].iter().any(|of| path.starts_with(of));
    let uses = Regex::new(r"use rtype_system::[^;]*\bnamed\b|\bnamed::").unwrap();
    // The state directory is checked before it is used.
    is_provider && path != "crates/engine/src/state.rs" && uses.is_match(text)
}

#[test]
fn names_of_standard_types_are_only_in_their_providers() {
    let names = standard_types();
    assert!(names.len() >= 8, "{names:?}");
    let mut found: BTreeSet<(String, String)> = BTreeSet::new();
    for (path, text) in sources().into_iter().filter(|(path, _)| !path.starts_with(NATIVE)) {
        found.extend(type_names_in(&text, &names).into_iter().map(|name| (path.clone(), name)));
    }
    let known: BTreeSet<(String, String)> = HOMONYMS.iter().map(|(path, name, _)| ((*path).to_owned(), (*name).to_owned())).collect();
    let new: Vec<_> = found.difference(&known).collect();
    assert!(new.is_empty(), "what a type knows belongs into its .rtype file (or, if it is not a type's name, into HOMONYMS): {new:?}");
    let gone: Vec<_> = known.difference(&found).collect();
    assert!(gone.is_empty(), "no longer in the code, drop them from HOMONYMS: {gone:?}");
}

#[test]
fn names_of_types_are_found_in_strings() {
    let names = BTreeSet::from(["user".to_owned()]);
    assert_eq!(type_names_in("g(\"user\"); g(\"users\"); g(\"User\"); user();", &names), ["user", "user"]);
    assert!(type_names_in("// \"user\"\nlet a = 1;\n#[cfg(test)]\nmod tests { const A: &str = \"user\"; }", &names).is_empty());
}

/// Users do not understand Rust's debug format. A float is an exception: the debug format keeps the decimal point.
#[test]
fn messages_do_not_contain_debug_formats() {
    let format = Regex::new(r"\{\w*:#?\?\}").unwrap();
    let is_shipped = |path: &str| {
        !path.contains("/tests/") && !path.contains("/examples/") && !path.ends_with("/tests.rs") && path != "crates/lang/src/debug.rs"
    };
    let mut found = Vec::new();
    for (path, text) in sources().into_iter().filter(|(path, _)| is_shipped(path)) {
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        let formats = format.find_iter(code).map(|found| found.as_str()).filter(|format| *format != "{number:?}");
        found.extend(formats.map(|format| format!("{path}: {format}")));
    }
    assert!(found.is_empty(), "format the value for users; for hashes and comparisons, use `rtype_lang::debug`: {found:#?}");
}

#[test]
fn files_stay_short() {
    let long: Vec<String> = sources()
        .iter()
        .map(|(path, text)| (path, text.lines().count()))
        .filter(|(_, lines)| *lines > MAX_LINES)
        .map(|(path, lines)| format!("{path} has {lines} lines, at most {MAX_LINES} are allowed"))
        .collect();
    assert!(long.is_empty(), "{}", long.join("\n"));
}

#[test]
fn public_types_have_one_name() {
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        let renamed = text.lines().filter(|line| line.starts_with("pub use self::") && line.contains(" as "));
        wrong.extend(renamed.map(|line| format!("{path}: {line}")));
    }
    assert!(wrong.is_empty(), "a type is exported with two names; use one of them: {wrong:#?}");
}

#[test]
fn no_two_public_types_have_the_same_name() {
    let mut files: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (path, text) in sources() {
        for name in public_types_in(&text) {
            files.entry(name).or_default().push(path.clone());
        }
    }
    assert!(files.len() > 400, "only {} public types were found", files.len());
    files.retain(|_, paths| paths.len() > 1);
    assert!(files.is_empty(), "give each type a name of its own: {files:#?}");
}

#[test]
fn public_types_are_found_in_sources() {
    let text = "pub struct A;\npub(super) struct B;\nstruct C;\npub enum D {}\n    pub enum E {}\npub trait F {}\npub fn g() {}\n";
    assert_eq!(public_types_in(text), ["A", "D", "E", "F"]);
}

/// Returns the names of the public types that a source file defines, including those in macros.
fn public_types_in(text: &str) -> Vec<String> {
    let definition = Regex::new(r"(?m)^\s*pub (?:struct|enum|trait|type|union) (\w+)").unwrap();
    definition.captures_iter(text).map(|found| found[1].to_owned()).collect()
}

/// Returns the sources of the program and its crates, without files that contain only tests.
pub(crate) fn sources() -> Vec<(String, String)> {
    let mut paths = rust_files(Path::new("src"));
    paths.extend(rust_files(Path::new("crates")));
    paths.sort();
    assert!(paths.len() > 500);
    let only_tests = |p: &PathBuf| p.components().any(|c| ["tests", "tests.rs", "testkit"].iter().any(|name| c.as_os_str() == *name));
    paths.into_iter().filter(|p| !only_tests(p)).map(|p| (p.to_string_lossy().into_owned(), std::fs::read_to_string(&p).unwrap())).collect()
}

fn rust_files(directory: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let files = entries.map(|path| match path.is_dir() {
        true if path.ends_with("node_modules") => Vec::new(),
        true => rust_files(&path),
        false if path.extension().is_some_and(|e| e == "rs") => vec![path],
        false => Vec::new(),
    });
    files.flatten().collect()
}

fn standard_types() -> BTreeSet<String> {
    let files = std::fs::read_dir("stdlib-types").unwrap().map(|e| e.unwrap().path());
    let types = files.filter(|p| p.extension().is_some_and(|e| e == "rtype"));
    types.map(|p| p.file_stem().unwrap().to_string_lossy().into_owned()).filter(|n| n != "prelude").collect()
}

/// Returns strings that are the name of a type, declared or as a reference (`User`). Test modules are at the end of a file.
fn type_names_in(text: &str, names: &BTreeSet<String>) -> Vec<String> {
    let code = text.split("#[cfg(test)]\nmod tests").next().unwrap();
    let string = Regex::new(r#""([A-Za-z_]+)""#).unwrap();
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    let words = lines.flat_map(|line| string.captures_iter(line).map(|found| found[1].to_owned()).collect::<Vec<_>>());
    words.map(|word| format!("{}{}", word[..1].to_lowercase(), &word[1..])).filter(|word| names.contains(word)).collect()
}

#[test]
fn no_test_file_is_forgotten() {
    let main = std::fs::read_to_string("tests/main.rs").unwrap();
    let named: BTreeSet<&str> = main.lines().filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';')).collect();
    let entries = std::fs::read_dir("tests").unwrap().map(|entry| entry.unwrap().path());
    let rust = entries.filter(|path| path.extension().is_some_and(|e| e == "rs") && !path.ends_with("main.rs"));
    let forgotten: Vec<PathBuf> = rust.filter(|path| !path.file_stem().is_some_and(|s| named.contains(s.to_str().unwrap()))).collect();
    assert!(forgotten.is_empty(), "no line `mod NAME;` in tests/main.rs for {forgotten:?}");
}

/// Code that two programs need is in `crates/testkit`.
#[test]
fn source_files_are_not_included_by_path() {
    let tests = ["tests", "examples", "fuzz/fuzz_targets"].iter().flat_map(|directory| rust_files(Path::new(directory)));
    let included: Vec<PathBuf> = tests.filter(|file| std::fs::read_to_string(file).unwrap().contains(&format!("#[{}", "path ="))).collect();
    assert!(included.is_empty(), "move the code to crates/testkit: {included:?}");
}

#[test]
fn all_packages_have_the_version_of_the_crate() {
    let version = env!("CARGO_PKG_VERSION");
    for (file, expected) in [
        ("pyproject.toml", format!("version = \"{version}\"")),
        ("pyproject.toml", format!("\"rtype=={version}\"")),
        ("editors/vscode/package.json", format!("\"version\": \"{version}\"")),
        ("docs/install.md", format!("rtype_{version}_amd64.deb")),
        ("docs/ci.md", format!("rev: v{version}")),
        ("README.md", format!("rtype_{version}_amd64.deb")),
    ] {
        let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap();
        assert!(text.contains(&expected), "{file} does not say `{expected}`");
    }
}

/// Returns what `cargo tree` prints for the package with these features.
fn tree(features: &str, more: &[&str]) -> String {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let mut command = std::process::Command::new(cargo);
    command.args([
        "tree",
        "--locked",
        "--offline",
        "--package",
        "rtype",
        "--prefix",
        "none",
        "--no-default-features",
        "--features",
        features,
    ]);
    let output = command.args(more).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
#[ignore = "runs cargo; the step `embed` of .ci/run"]
fn a_program_that_embeds_the_checker_compiles_only_what_that_needs() {
    let crates = tree("", &["--edges", "normal"]);
    let names: BTreeSet<&str> = crates.lines().filter_map(|line| line.split(' ').next()).collect();
    assert!(names.contains("rtype-author") && names.contains("pest"), "{crates}");
    for front_end in ["clap", "rustyline", "lsp-types", "lsp-server", "notify", "mimalloc", "ureq", "nix", "rtype-system", "rtype-import"] {
        assert!(!names.contains(front_end), "{front_end}");
    }
    // A few lines of assembly extend the stack, and need a C compiler. No other dependency needs a C compiler.
    let compiled = tree("", &["--edges", "normal,build", "--invert", "cc", "--depth", "1"]);
    let compiled: Vec<&str> = compiled.lines().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(compiled, ["cc", "psm", "stacker"]);
    assert!(tree("import", &["--edges", "normal"]).contains("ruby-prism-sys"));
    assert!(!tree("native", &["--edges", "normal"]).contains("clap"));
}
