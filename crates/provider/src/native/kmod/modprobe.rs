//! `kmod/modprobe`: the configuration of a kernel module in `/etc/modules-load.d` and a file in `/etc/modprobe.d`.
//!
//! This type does not exist in Puppet; the formats are those of modprobe.d(5) and modules-load.d(5).

use super::table::{FileReader, Table, same};
use crate::native::common::{Property, pick};
use crate::{Change, ListedResource, Operation, Provider, ProviderError, Reading, Request, Select, State, System};
use rtype_lang::value::{EcoString, Map, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

const LOAD: &str = "/etc/modules-load.d";
const MODPROBE: &str = "/etc/modprobe.d";
/// Where Debian has kept the modules to load since before there was a directory.
const MODULES: &str = "/etc/modules";

/// The properties that are stored in the target file.
const IN_TARGET: [&str; 4] = ["options", "blacklist", "aliases", "install"];

/// Reads and writes the files of modprobe.
#[derive(Clone, Copy, Debug, Default)]
pub struct Modprobe;

/// Returns the files of a directory that count, in the order of their names.
fn files(system: &System, directory: &str) -> Result<Vec<String>, ProviderError> {
    let names = system.names(directory)?.into_iter().filter(|name| name.ends_with(".conf"));
    Ok(names.map(|name| format!("{directory}/{name}")).collect())
}

/// Returns all files that list modules to load at boot, except those that belong to packages.
fn load_files(system: &System) -> Result<Vec<String>, ProviderError> {
    let mut files = files(system, LOAD)?;
    // On Debian, a file in this directory links to `/etc/modules`.
    if let Some(old) = system.look(MODULES, true)? {
        let leads_there = |file: &String| system.look(file, true).ok().flatten().is_some_and(|stat| stat.is_same(&old));
        if !files.iter().any(leads_there) {
            files.push(MODULES.into());
        }
    }
    Ok(files)
}

fn target(request: Request<'_>) -> EcoString {
    match request.resource.wanted("target") {
        Value::Str(target) => target,
        _ => format!("{MODPROBE}/{}.conf", request.name).into(),
    }
}

/// Returns whether a line is of this kind and about the module.
fn is(words: &[String], property: &str, module: &str) -> bool {
    let [command, rest @ ..] = words else { return false };
    match (property, command.as_str()) {
        ("options", "options") | ("install", "install") | ("blacklist", "blacklist") => rest.first().is_some_and(|m| same(m, module)),
        ("aliases", "alias") => rest.get(1).is_some_and(|m| same(m, module)),
        _ => false,
    }
}

/// Returns the configuration of a module in a file, by property.
fn said(table: &Table, module: &str) -> BTreeMap<&'static str, Value> {
    let mut said = BTreeMap::new();
    let (mut options, mut aliases) = (Map::default(), Vec::new());
    for (words, rest) in table.words_and_rest() {
        if is(words, "options", module) {
            for option in words.get(2..).unwrap_or_default() {
                let (name, value) = option.split_once('=').unwrap_or((option, ""));
                options.insert(Value::str(name), Value::str(value.trim_matches('"')));
            }
        } else if is(words, "install", module) {
            said.entry("install").or_insert_with(|| Value::str(rest));
        } else if is(words, "blacklist", module) {
            said.insert("blacklist", Value::sym("true"));
        } else if is(words, "aliases", module) {
            aliases.extend(words.get(1).map(|alias| Value::str(alias.as_str())));
        }
    }
    if !options.is_empty() {
        said.insert("options", Value::Map(Arc::new(options)));
    }
    if !aliases.is_empty() {
        said.insert("aliases", Value::array(aliases));
    }
    said
}

/// Returns the state of a module, `None` if it is not configured.
fn state(mut said: BTreeMap<&'static str, Value>, load: bool, select: Select<'_>) -> Option<State> {
    if said.is_empty() && !load {
        return None;
    }
    let truth = |truth: bool| Value::sym(if truth { "true" } else { "false" });
    let blacklist = truth(said.contains_key("blacklist"));
    let mut take = |name: &'static str, otherwise: Value| (name, Ok(said.remove(name).unwrap_or(otherwise)));
    let properties: [Property; 6] = [
        ("ensure", Ok(Value::sym("present"))),
        ("load", Ok(truth(load))),
        // No options are options, too: who wants none says `{}`.
        take("options", Value::Map(Arc::default())),
        ("blacklist", Ok(blacklist)),
        take("aliases", Value::sym("absent")),
        take("install", Value::sym("absent")),
    ];
    Some(pick(select, properties))
}

fn is_loaded(tables: &[Table], module: &str) -> bool {
    tables.iter().flat_map(Table::words).any(|words| words.first().is_some_and(|m| same(m, module)))
}

/// Returns the lines for the desired value of a property.
fn lines(property: &str, module: &str, value: &Value) -> Result<Vec<String>, ProviderError> {
    Ok(match (property, value) {
        ("options", Value::Map(options)) => {
            let options: Result<Vec<String>, ProviderError> =
                options.iter().map(|(name, value)| option(&name.to_text(), &value.unwrapped().to_text())).collect();
            let options = options?;
            if options.is_empty() { Vec::new() } else { vec![format!("options {module} {}", options.join(" "))] }
        }
        ("blacklist", value) if value.is_sym("true") => vec![format!("blacklist {module}")],
        ("aliases", Value::Array(aliases)) => aliases.iter().map(|alias| format!("alias {} {module}", alias.to_text())).collect(),
        ("aliases", Value::Str(alias)) => vec![format!("alias {alias} {module}")],
        ("install", Value::Str(command)) => vec![format!("install {module} {command}")],
        _ => Vec::new(),
    })
}

fn option(name: &str, value: &str) -> Result<String, ProviderError> {
    if value.contains(['"', '\n']) {
        return Err(ProviderError::new(format!("the option `{name}` cannot have a double quote or a line break in its value")));
    }
    Ok(match value {
        "" => name.to_owned(),
        _ if value.contains(char::is_whitespace) => format!("{name}=\"{value}\""),
        _ => format!("{name}={value}"),
    })
}

fn write(system: &System, change: &mut Change<'_>) -> Result<(), ProviderError> {
    let (operation, module) = (change.operation(), change.name);
    if operation == Operation::Nothing {
        return Ok(());
    }
    let path = target(change.request());
    let mut table = Table::read(system, &path, FileReader::Modprobe)?;
    let mut wanted = Vec::new();
    for property in IN_TARGET {
        let value = change.value(property);
        if operation == Operation::Delete {
            table.set(|words| is(words, property, module), Vec::new())?;
        } else if !value.is_nil() {
            let new = lines(property, module, &value)?;
            wanted.extend(new.iter().cloned());
            table.set(|words| is(words, property, module), new)?;
        }
    }
    let load = change.value("load");
    if operation == Operation::Create && wanted.is_empty() && !load.is_sym("true") {
        return Err(ProviderError::new(format!("there is nothing to say of the module `{module}`"))
            .help("give `load`, `options`, `blacklist`, `aliases` or `install`"));
    }
    table.write(system)?;
    if operation == Operation::Delete || load.is_sym("false") {
        for file in load_files(system)? {
            let mut table = Table::read(system, &file, FileReader::ModulesLoad)?;
            table.set(|words| words.first().is_some_and(|m| same(m, module)), Vec::new())?;
            table.write(system)?;
        }
    } else if load.is_sym("true") {
        let mut table = Table::read(system, &format!("{LOAD}/{module}.conf"), FileReader::ModulesLoad)?;
        table.set(|words| words.first().is_some_and(|m| same(m, module)), vec![module.to_owned()])?;
        table.write(system)?;
    }
    change.should.clear();
    change.exists = None;
    Ok(())
}

impl Provider for Modprobe {
    fn reads(&self) -> &'static [&'static str] {
        &["ensure", "load", "options", "blacklist", "aliases", "install"]
    }

    fn get(&self, system: &System, requests: &[Request<'_>], select: Select<'_>) -> Vec<Reading> {
        let loads = load_files(system)
            .and_then(|files| files.iter().map(|f| Table::read(system, f, FileReader::ModulesLoad)).collect::<Result<Vec<_>, _>>());
        let read = |request: &Request<'_>| -> Result<Reading, ProviderError> {
            let load = loads.as_ref().map_err(Clone::clone).map(|tables| is_loaded(tables, request.name))?;
            let table = Table::read(system, &target(*request), FileReader::Modprobe)?;
            Ok(state(said(&table, request.name), load, select).map_or(Reading::Absent, Reading::Present))
        };
        requests.iter().map(|request| read(request).unwrap_or_else(Reading::Error)).collect()
    }

    /// Lists all modules. One that is configured in several files is listed with its own file, else with the first
    /// one.
    fn instances(&self, system: &System, select: Select<'_>) -> Result<Vec<ListedResource>, ProviderError> {
        let loads = load_files(system)?.iter().map(|f| Table::read(system, f, FileReader::ModulesLoad)).collect::<Result<Vec<_>, _>>()?;
        let read = |f: String| Table::read(system, &f, FileReader::Modprobe).map(|table| (f, table));
        let tables = files(system, MODPROBE)?.into_iter().map(read).collect::<Result<Vec<_>, _>>()?;
        let mut found: BTreeMap<String, Option<&(String, Table)>> = BTreeMap::new();
        for file in &tables {
            for words in file.1.words() {
                let module = if words.first().is_some_and(|w| w == "alias") { words.get(2) } else { words.get(1) };
                let Some(module) = module.map(|m| m.replace('-', "_")) else { continue };
                if IN_TARGET.iter().any(|property| is(words, property, &module)) {
                    let own = file.0 == format!("{MODPROBE}/{module}.conf");
                    let place = found.entry(module).or_insert(Some(file));
                    if own {
                        *place = Some(file);
                    }
                }
            }
        }
        for module in loads.iter().flat_map(Table::words).filter_map(|words| words.first()) {
            found.entry(module.replace('-', "_")).or_insert(None);
        }
        let shown = |(module, file): (String, Option<&(String, Table)>)| {
            let said = file.map(|(_, table)| said(table, &module)).unwrap_or_default();
            let mut state = state(said, is_loaded(&loads, &module), select)?;
            if let Some((path, _)) = file {
                state.insert("target".into(), Ok(Value::str(path.as_str())));
            }
            Some(ListedResource { name: module.into(), state })
        };
        Ok(found.into_iter().filter_map(shown).collect())
    }

    fn writes(&self) -> &'static [&'static str] {
        &["load", "options", "blacklist", "aliases", "install"]
    }

    fn actions(&self) -> &'static [&'static str] {
        &["create", "destroy"]
    }

    fn flush(&self, system: &System, changes: &mut [Change<'_>]) -> Vec<Result<(), ProviderError>> {
        changes.iter_mut().map(|change| write(system, change)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::native::common::testing::{Wants, get, line, present};

    const FILE: &str = "# about sound\nalias net-pf-10 ipv6\noptions snd-hda-intel index=0 \\\n  model=\"my laptop\"\n\nblacklist snd_hda_intel\n\
                        options ipv6 disable=1\ninstall snd_hda_intel /bin/sh -c  'false'";

    fn machine() -> (tempfile::TempDir, System) {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path();
        for sub in ["etc/modprobe.d", "etc/modules-load.d"] {
            std::fs::create_dir_all(root.join(sub)).unwrap();
        }
        std::fs::write(root.join("etc/modprobe.d/snd_hda_intel.conf"), FILE).unwrap();
        std::fs::write(root.join("etc/modules-load.d/some.conf"), "# boot\nloop\nsnd-hda-intel\n").unwrap();
        let system = System::at(root);
        (directory, system)
    }

    fn change(
        system: &System,
        module: &str,
        wants: Vec<(&'static str, Value)>,
        note: impl Fn(&mut Change<'_>),
    ) -> Result<(), ProviderError> {
        let wants = Wants(wants);
        let is = get(&Modprobe, system, module);
        let mut changes = [Change::new(Request { name: module, resource: &wants }, &is)];
        note(&mut changes[0]);
        Modprobe.flush(system, &mut changes).remove(0)
    }

    fn set(system: &System, property: &str, value: Value) {
        change(system, "snd_hda_intel", vec![], |c| drop(c.should.insert(property.into(), value.clone()))).unwrap();
    }

    fn file(system: &System) -> String {
        system.read("/etc/modprobe.d/snd_hda_intel.conf").unwrap().unwrap()
    }

    #[test]
    fn what_is_said_of_a_module_is_read() {
        let (_folder, system) = machine();
        let expected = r#"ensure=:present load=:true options={"index"=>"0", "model"=>"my laptop"} blacklist=:true aliases=:absent install="/bin/sh -c  'false'""#;
        assert_eq!(line(&present(get(&Modprobe, &system, "snd_hda_intel"))), expected);
        assert!(line(&present(get(&Modprobe, &system, "loop"))).starts_with("ensure=:present load=:true options={} blacklist=:false"));
        assert_eq!(get(&Modprobe, &system, "floppy"), Reading::Absent);
        let all: Vec<_> = Modprobe.instances(&system, Select::All).unwrap().into_iter().map(|f| f.name).collect();
        assert_eq!(all, ["ipv6", "loop", "snd_hda_intel"]);
    }

    #[test]
    fn other_lines_keep_their_bytes() {
        let (_folder, system) = machine();
        let options = Map::from_iter([(Value::str("index"), Value::str("1"))]);
        set(&system, "options", Value::Map(Arc::new(options)));
        let expected = FILE.replace("options snd-hda-intel index=0 \\\n  model=\"my laptop\"", "options snd_hda_intel index=1");
        assert_eq!(file(&system), expected);
    }

    #[test]
    fn aliases_that_stay_are_not_touched() {
        let (_folder, system) = machine();
        set(&system, "aliases", Value::array(["b", "a"].map(Value::str)));
        assert_eq!(file(&system), format!("{FILE}\nalias b snd_hda_intel\nalias a snd_hda_intel\n"));
        set(&system, "aliases", Value::array(["a", "c"].map(Value::str)));
        assert_eq!(file(&system), format!("{FILE}\nalias a snd_hda_intel\nalias c snd_hda_intel\n"));
    }

    #[test]
    fn undesired_lines_are_removed() {
        let (_folder, system) = machine();
        set(&system, "blacklist", Value::sym("false"));
        set(&system, "install", Value::sym("absent"));
        set(&system, "load", Value::sym("false"));
        assert!(!file(&system).contains("blacklist") && !file(&system).contains("install"));
        assert_eq!(system.read("/etc/modules-load.d/some.conf").unwrap().unwrap(), "# boot\nloop\n");
    }

    #[test]
    fn a_new_module_gets_files_of_its_own_and_leaves_none() {
        let (_folder, system) = machine();
        let wants = vec![("load", Value::sym("true")), ("blacklist", Value::sym("true"))];
        change(&system, "floppy", wants, |c| drop(c.note("create").unwrap())).unwrap();
        assert_eq!(system.read("/etc/modprobe.d/floppy.conf").unwrap().unwrap(), "blacklist floppy\n");
        assert_eq!(system.read("/etc/modules-load.d/floppy.conf").unwrap().unwrap(), "floppy\n");
        change(&system, "floppy", vec![], |c| drop(c.note("destroy").unwrap())).unwrap();
        assert!(!system.exists("/etc/modprobe.d/floppy.conf") && !system.exists("/etc/modules-load.d/floppy.conf"));
    }

    #[test]
    fn removing_leaves_what_is_said_of_others() {
        let (_folder, system) = machine();
        change(&system, "snd_hda_intel", vec![], |c| drop(c.note("destroy").unwrap())).unwrap();
        assert_eq!(file(&system), "# about sound\nalias net-pf-10 ipv6\n\noptions ipv6 disable=1\n");
        assert_eq!(get(&Modprobe, &system, "snd_hda_intel"), Reading::Absent);
    }

    #[test]
    fn nothing_to_say_is_said() {
        let (_folder, system) = machine();
        let result = change(&system, "floppy", vec![], |c| drop(c.note("create").unwrap()));
        assert_eq!(result.unwrap_err().message, "there is nothing to say of the module `floppy`");
    }

    #[test]
    fn lines_that_are_not_utf8_are_kept_and_not_changed() {
        let (_folder, system) = machine();
        let bytes = b"# caf\xe9\nblacklist loop\noptions loop \\\n a=\xff\n";
        std::fs::write(system.path("/etc/modprobe.d/loop.conf"), bytes).unwrap();
        let set = |property: &'static str, value: Value| {
            change(&system, "loop", vec![], |c| drop(c.should.insert(property.into(), value.clone())))
        };
        let refused = set("options", Value::Map(Arc::default())).unwrap_err();
        assert_eq!(refused.message, "line 3 of /etc/modprobe.d/loop.conf is not UTF-8 and is not changed");
        assert_eq!(system.read_bytes("/etc/modprobe.d/loop.conf").unwrap().unwrap(), bytes);
        set("blacklist", Value::sym("false")).unwrap();
        assert_eq!(system.read_bytes("/etc/modprobe.d/loop.conf").unwrap().unwrap(), b"# caf\xe9\noptions loop \\\n a=\xff\n");
    }

    #[test]
    fn lines_are_read_as_modprobe_reads_them() {
        let (_folder, system) = machine();
        std::fs::write(system.path("/etc/modprobe.d/loop.conf"), "options loop x\\\n=2 y=1\r\nblacklist loop\r\n# c \\\nblacklist loop")
            .unwrap();
        let read = line(&present(get(&Modprobe, &system, "loop")));
        assert!(read.contains(r#"options={"x"=>"2", "y"=>"1\r"} blacklist=:false"#), "{read}");
        std::fs::write(system.path("/etc/modprobe.d/loop.conf"), "blacklist nop\noptions nop a=1 \\\n").unwrap();
        let refused = change(&system, "loop", vec![], |c| drop(c.should.insert("blacklist".into(), Value::sym("true")))).unwrap_err();
        assert_eq!(refused.message, "line 2 of /etc/modprobe.d/loop.conf ends in a backslash and is not changed");
    }
}
