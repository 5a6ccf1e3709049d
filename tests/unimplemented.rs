//! Types without an implementation on this machine. Commands that read, list or change their resources fail, and dependent resources are
//! skipped. `--simulate` keeps the resources in memory.

use crate::common::site::Site;
use rtype_engine::{Current, read};
use rtype_import::{RubyFiles, import};
use rtype_lang::library::{TypeLoader, TypeSet};
use rtype_lang::source::{Source, SourceMap};
use rtype_lang::syntax::parse_manifest;
use rtype_lang::types::{ProviderBody, TypeDef};
use rtype_model::declare::{DeclareOptions, declare};
use rtype_model::manifest::from_manifest;
use rtype_model::resource::{Context, NoCatalog, titled};
use rtype_provider::{Machine, NativeProviders, System};
use serde_json::Value as Json;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

/// Returns whether the type or one of its providers contains code, apart from `native`.
fn has_own_code(type_def: &TypeDef) -> bool {
    let is_code = |body: &ProviderBody| !matches!(body, ProviderBody::None | ProviderBody::Native(_));
    type_def.providers.values().any(|p| type_def.worker(p).is_some_and(|(_, p)| is_code(&p.body)))
}

/// Returns whether rtype can read resources of a type without any native code.
fn is_read_without_code(type_def: &Arc<TypeDef>, machine: &Machine) -> bool {
    let natives = NativeProviders::default();
    let context = Context { world: machine, catalog: &NoCatalog, backend: None, strict: false, trace: false, offline: false, log: None };
    let Ok((instance, _)) = titled(type_def, "/x", context).or_else(|_| titled(type_def, "x", context)) else { return false };
    let readings = read(&[Arc::new(instance)], &natives, machine.system(), context);
    let is_read = |current: &Current| !matches!(current, Current::Unavailable(_));
    !has_own_code(type_def) && readings.iter().any(is_read)
}

/// Returns the names of types with resources that rtype can read without any native code.
fn read_without_code(types: &TypeSet, machine: &Machine) -> BTreeSet<String> {
    let loaded = types.names().into_iter().filter_map(|name| types.load(&name));
    loaded.filter(|type_def| is_read_without_code(type_def, machine)).map(|type_def| type_def.name.to_string()).collect()
}

struct NoFiles;

impl RubyFiles for NoFiles {
    fn read(&mut self, _: &str) -> Option<Arc<Source>> {
        None
    }
    fn list(&mut self, _: &str) -> Vec<String> {
        Vec::new()
    }
    fn code(&mut self, _: &Source, _: u32, _: &str) -> Option<Arc<Source>> {
        None
    }
}

fn files_below(directory: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            found.extend(files_below(&entry, extension));
        } else if entry.extension().is_some_and(|e| e == extension) {
            found.push(entry);
        }
    }
    found.sort();
    found
}

/// Without native code, only types without properties and types with `retrieve` or `insync` blocks are read.
#[test]
fn types_without_code_are_not_read() {
    let machine = Machine::new(System::at("/nonexistent"));
    let standard = read_without_code(&TypeSet::default(), &machine);
    let expected = ["anchor", "concat_file", "concat_fragment", "filebucket", "notify", "resources", "schedule", "stage", "tidy"];
    assert_eq!(standard.iter().map(String::as_str).collect::<Vec<_>>(), expected);

    let written = TypeLoader::new(vec!["tests/corpus/types".into(), "examples/types".into()]).load();
    let mut others: BTreeSet<String> = read_without_code(&written, &machine).difference(&standard).cloned().collect();
    let mut count = written.names().len();
    for path in files_below(Path::new("tests/import"), "rb") {
        let sources = SourceMap::default();
        let Ok(source) = sources.add(path.to_string_lossy(), std::fs::read_to_string(&path).unwrap()) else { continue };
        for one in import(&source, &mut NoFiles, 100).0 {
            let mut types = TypeSet::default();
            let text = types.sources.add(format!("{}.rtype", one.path), &one.text).unwrap();
            types.load_text(&text, None);
            let Some(type_def) = one.type_name.as_deref().and_then(|name| types.load(name)) else { continue };
            let name = &type_def.name;
            count += 1;
            if is_read_without_code(&type_def, &machine) && type_def.needs_provider() {
                others.insert(format!("{}: {name}", path.display()));
            }
        }
    }
    assert!(count > 100, "{count}");
    let written = |name: &String| written.load(name).is_none_or(|type_def| type_def.needs_provider());
    others.retain(written);
    assert_eq!(others, BTreeSet::new());
}

/// The reason why a provider that a declaration names cannot be used does not mention the other providers.
#[test]
fn messages_about_a_chosen_provider_do_not_mention_others() {
    let machine = Machine::new(System::at("/nonexistent"));
    let context = Context { world: &machine, catalog: &NoCatalog, backend: None, strict: false, trace: false, offline: false, log: None };
    let types = TypeSet::default();
    let (mut count, mut wrong) = (0, Vec::new());
    for type_def in types.names().into_iter().filter_map(|name| types.load(&name)).filter(|t| t.providers.len() > 1) {
        for provider in type_def.providers.keys() {
            let text = format!("{} {{ '/x': provider => {provider} }}", type_def.name);
            let source = types.sources.add(format!("{}-{provider}.pp", type_def.name), &text).unwrap();
            let (declarations, _) = from_manifest(&parse_manifest(&source).0, &machine);
            let declared = declare(&declarations, &types, context, DeclareOptions::default());
            for instance in declared.catalog.iter().filter(|i| i.type_def.name == type_def.name) {
                let readings = read(&[Arc::clone(instance)], &NativeProviders::standard(), machine.system(), context);
                let Some(Current::Unavailable(why)) = readings.first() else { continue };
                count += 1;
                let message = why.to_string();
                let others = type_def.providers.keys().filter(|other| *other != provider);
                let named = others.filter(|other| message.contains(&format!("`{other}` is unsuitable"))).count();
                if named > 0 || message.contains(&instance.reference().to_string()) {
                    wrong.push(message);
                }
            }
        }
    }
    assert!(count > 80, "{count}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The attributes of the types below.
const BODY: &str = "  newparam name { isnamevar }\n  newproperty size\n";

/// A type for each way to lack an implementation, with the reason in the messages of all commands.
const LACKING: [(&str, &str); 5] = [
    ("alone", "`alone` has no provider; `--ruby-providers` runs those of modules"),
    ("ensured", "`ensured` has no provider; `--ruby-providers` runs those of modules"),
    ("declared", "provider `plain` is declared, but has no implementation; `--ruby-providers` runs those of modules"),
    ("unbuilt", "provider `built` of `unbuilt` is `native`, but this program does not contain its code"),
    ("remote", "`remote` is managed on devices, not on this host, and rtype has no transport to devices"),
];

fn site() -> Site {
    let site = Site::new("");
    site.write("types/alone.rtype", &format!("type alone {{\n{BODY}}}\n"));
    site.write("types/ensured.rtype", &format!("type ensured {{\n{BODY}  ensurable\n}}\n"));
    site.write("types/declared.rtype", &format!("type declared {{\n{BODY}}}\nprovider plain, for: declared {{ }}\n"));
    site.write("types/unbuilt.rtype", &format!("type unbuilt {{\n{BODY}}}\nprovider built, for: unbuilt {{ native }}\n"));
    site.write("types/remote.rtype", &format!("type remote {{\n  apply_to device\n{BODY}}}\nprovider file, for: remote {{\n  records\n  file_path \"@/records\"\n  parse {{ |line| nil }}\n  to_line {{ \"\" }}\n}}\n"));
    // Types in Ruby without a provider in the module path.
    site.write("modules/m/lib/puppet/type/ra.rb", "require 'puppet/resource_api'\nPuppet::ResourceApi.register_type(\n  name: 'ra',\n  desc: 'x',\n  attributes: {\n    ensure: { type: 'Enum[present, absent]', desc: 'x', default: 'present' },\n    name: { type: 'String', desc: 'x', behaviour: :namevar },\n    size: { type: 'Optional[Integer]', desc: 'x' },\n  },\n)\n");
    site.write("modules/m/lib/puppet/type/far.rb", "require 'puppet/resource_api'\nPuppet::ResourceApi.register_type(\n  name: 'far',\n  desc: 'x',\n  features: ['remote_resource'],\n  attributes: {\n    name: { type: 'String', desc: 'x', behaviour: :namevar },\n    size: { type: 'Optional[Integer]', desc: 'x' },\n  },\n)\n");
    site.write("modules/m/lib/puppet/type/classic.rb", "Puppet::Type.newtype(:classic) do\n  @doc = 'x'\n  ensurable\n  newparam(:name, namevar: true) { desc 'x' }\n  newproperty(:size) { desc 'x' }\nend\n");
    site
}

/// Returns the output and exit status of a command in the directory of a site.
fn run(site: &Site, arguments: &[&str]) -> (String, i32) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rtype"));
    let output = command.current_dir(site.path()).args(arguments).args(["--types", "types", "--modulepath", "modules"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
    (text.split_whitespace().collect::<Vec<_>>().join(" "), output.status.code().unwrap())
}

/// Returns the types in [`LACKING`], and types in Ruby without an implementation.
fn all() -> Vec<(&'static str, &'static str)> {
    let ruby = [("ra", "`ra` has no provider"), ("classic", "`classic` has no provider"), ("far", "`far` is managed on devices")];
    LACKING.into_iter().chain(ruby).collect()
}

#[test]
fn no_command_pretends_to_manage_a_type_without_code() {
    let site = site();
    for (name, why) in all() {
        let ensures = ["ensured", "ra", "classic"].contains(&name);
        let bodies = if ensures { vec!["size => 3", "ensure => absent"] } else { vec!["size => 3"] };
        for body in bodies {
            site.write("site.pp", &format!("{name} {{ 'x': {body} }}\nnotify {{ 'after': require => {}['x'] }}\n", capitalized(name)));
            for noop in [&[][..], &["--noop"]] {
                let (text, status) = run(&site, &[&["apply", "--state-dir", "state", "--report", "run.jsonl", "site.pp"], noop].concat());
                assert_eq!(status, 1, "{name} {body}: {text}");
                assert!(text.contains(why) && text.contains("2 resources: 1 failed, 1 skipped"), "{name} {body}: {text}");
                let statuses: Vec<Json> =
                    site.report("run.jsonl").into_iter().filter(|l| l["kind"] == "resource").map(|l| l["status"].clone()).collect();
                assert_eq!(statuses, ["failed", "skipped"], "{name}");
            }
            let (text, status) = run(&site, &["inspect", "site.pp", "--exit-code"]);
            assert!(text.contains(why) && text.contains("1 unknown") && status == 6, "{name} {body}: {status} {text}");
        }
        // Values on the command line are strings. An Integer of the Resource API refuses strings.
        let given = if ["ra", "far"].contains(&name) { "loglevel=notice" } else { "size=3" };
        let (text, status) = run(&site, &["resource", name, "x", given]);
        assert!(status == 1 && text.contains(why), "{name}: {text}");
        for arguments in [&["resource", name, "x"][..], &["resource", name]] {
            let (text, status) = run(&site, arguments);
            assert!(status == 1 && text.contains(&format!("nothing here can read `{name}`")), "{name}: {text}");
        }
    }
}

#[test]
fn simulated_resources_are_in_memory() {
    let site = site();
    for (name, _) in all() {
        site.write(
            "site.pp",
            &format!("{name} {{ 'x': size => 3 }}\nfile {{ '@/new': ensure => file, require => {}['x'] }}\n", capitalized(name)),
        );
        let (text, status) = run(&site, &["apply", "--simulate", "--state-dir", "state", "--report", "run.jsonl", "site.pp"]);
        assert_eq!(status, 0, "{name}: {text}");
        assert!(text.contains("2 resources: 2 changed") && text.ends_with("this machine was not changed"), "{name}: {text}");
        assert_eq!(site.report("run.jsonl")[0]["simulated"], true);
        assert!(!site.path().join("new").exists() && !site.path().join("state").exists(), "{name}");
        let (text, status) = run(&site, &["inspect", "--simulate", "--exit-code", "site.pp"]);
        assert!(text.contains("0 in sync, 2 out of sync") && status == 2, "{name}: {text}");
    }
}

#[test]
fn embedding_program_can_simulate() {
    let text = format!("type alone {{\n{BODY}}}\n");
    let types = rtype::Loader::new().text("alone.rtype", text).load().unwrap();
    let resources = types.declare("site.pp", "alone { 'x': size => 3 }").unwrap();
    let state = tempfile::tempdir().unwrap();
    let host = rtype::Host::local().state_directory(state.path()).unwrap();
    let counts = host.apply(&resources, &mut |_| {}).unwrap();
    assert_eq!((counts.changed, counts.failed), (0, 1));
    assert_eq!(host.plan(&resources).unwrap()[0].status, rtype::StepStatus::Failed);
    let compared = &host.compare(&resources).unwrap()[0];
    assert_eq!(compared.in_sync, None);
    assert_eq!(host.simulated().apply(&resources, &mut |_| {}).unwrap().changed, 1);
}

fn capitalized(name: &str) -> String {
    name[..1].to_uppercase() + &name[1..]
}
