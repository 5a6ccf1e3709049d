//! The facts to send to the server.
//!
//! Follows Puppet 7.23's `lib/puppet/configurer/fact_handler.rb` and facter's `facts.d`.

use rtype_lang::data::{ScalarClass, YamlRules, json_from_text, parse_text, parse_yaml};
use rtype_lang::redact::Redactor;
use rtype_lang::value::to_json;
use rtype_provider::{Command, Machine, System};
use serde_json::{Map, Value as Json, json};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The value of the fact `puppetversion`.
const PUPPET: &str = "7.23.0";
/// The time limit for a program in `facts.d`.
const TIME_LIMIT: Duration = Duration::from_secs(60);
/// The time limit for facter, which also runs the Ruby facts in modules. Puppet sets no limit. On a busy machine, a minute is not enough.
const FACTER_TIME_LIMIT: Duration = Duration::from_secs(600);
/// The time for which facts are valid on the server.
const VALID: Duration = Duration::from_secs(1800);
/// The directories for an administrator's facts: facter's directories, and the agent's own.
const PLACES: [&str; 4] = ["/etc/facter/facts.d", "/etc/puppetlabs/facter/facts.d", "/opt/puppetlabs/facter/facts.d", "/etc/rtype/facts.d"];

/// The settings that affect a run's facts.
#[derive(Clone, Copy, Debug)]
pub struct FactOptions<'a> {
    /// The name of the node.
    pub certname: &'a str,
    /// The environment in the settings.
    pub environment: Option<&'a str>,
    /// True if the run is in noop mode.
    pub noop: bool,
    /// The directory for the server's facts.
    pub plugins: &'a Path,
    /// True to run facter. Facter's facts take precedence over rtype's facts, and include facts that modules define in Ruby.
    pub facter: bool,
}

/// Returns a machine's facts in the server's format, and the errors about unreadable facts.
pub fn facts_of(machine: &Machine, options: FactOptions<'_>) -> (Json, Vec<String>) {
    let FactOptions { certname, environment, noop, plugins, facter: with_facter } = options;
    let mut problems = Vec::new();
    let mut values = Map::new();
    for (name, value) in machine.all_facts() {
        values.insert(name, serde_json::to_value(value).unwrap_or_default());
    }
    if let Some(isa) = instruction_set(machine.system()) {
        if let Some(processors) = values.get_mut("processors").and_then(Json::as_object_mut) {
            processors.insert("isa".into(), isa.as_str().into());
        }
        values.insert("hardwareisa".into(), isa.into());
    }
    if with_facter {
        match facter(machine.system(), plugins) {
            Ok(found) => values.extend(found),
            Err(why) => problems.push(format!("facter: {why}")),
        }
    }
    for directory in PLACES.iter().map(PathBuf::from).chain([plugins.join("facts.d")]) {
        external(machine.system(), &directory, &mut values, &mut problems);
    }
    values.insert("clientcert".into(), certname.into());
    for name in ["clientversion", "puppetversion"] {
        values.insert(name.into(), PUPPET.into());
    }
    values.insert("clientnoop".into(), noop.into());
    if let Some(environment) = environment {
        values.insert("agent_specified_environment".into(), environment.into());
    }
    let now = jiff::Timestamp::now();
    let expires = now.checked_add(VALID).unwrap_or(now);
    (json!({"name": certname, "values": values, "timestamp": now, "expiration": expires}), problems)
}

/// Returns the output of `uname -p`, like facter. The kernel does not know the value: distributions build the program with `unknown` or
/// with the machine name.
fn instruction_set(system: &System) -> Option<String> {
    system.which("uname")?;
    let output = system.command("uname").arg("-p").time_limit(Some(TIME_LIMIT)).run().ok()?;
    Some(output.stdout.for_parsing().trim().to_owned()).filter(|isa| !isa.is_empty())
}

fn facter(system: &System, plugins: &Path) -> Result<Map<String, Json>, String> {
    let custom = plugins.join("lib/facter");
    rtype_system::trust::check_all(&custom).map_err(|why| why.message)?;
    if system.which("facter").is_none() {
        return Err("it is not installed".into());
    }
    let mut facter = system.command("facter").args(["--json", "--show-legacy", "--custom-dir"]).arg(custom);
    // Facts in modules may use Puppet's library.
    if system.which("puppet").is_some() {
        facter = facter.arg("--puppet");
    }
    answer(facter, FACTER_TIME_LIMIT)
}

/// Runs facter within a time limit, and returns the facts.
fn answer(facter: Command<'_>, limit: Duration) -> Result<Map<String, Json>, String> {
    let output = facter.time_limit(Some(limit)).run().map_err(|e| e.describe(&Redactor::new()))?;
    // If a module's fact fails, the status is 1, but the output contains all other facts.
    object(json_from_text(output.stdout.for_parsing())?)
}

fn object(json: Json) -> Result<Map<String, Json>, String> {
    match json {
        Json::Object(object) => Ok(object),
        _ => Err("expected a map of facts".into()),
    }
}

/// Returns the output of a program.
fn printed(program: Command<'_>) -> Result<String, String> {
    let output = program.time_limit(Some(TIME_LIMIT)).succeed().map_err(|e| e.describe(&Redactor::new()))?;
    Ok(output.stdout.for_parsing().to_owned())
}

/// Reads the files and runs the programs in a facts directory that no other user controls.
fn external(system: &System, directory: &Path, values: &mut Map<String, Json>, problems: &mut Vec<String>) {
    let place = directory.to_string_lossy().into_owned();
    let Ok(names) = system.names(&place) else { return };
    if names.is_empty() {
        return;
    }
    if let Err(why) = rtype_system::trust::check_all(directory) {
        problems.push(format!("{}: {}", why.message, why.help));
        return;
    }
    for name in names {
        let path = format!("{place}/{name}");
        match one(system, &path, &name) {
            Ok(facts) => {
                values.extend(facts.into_iter().filter(|(_, value)| !value.is_null()).map(|(name, value)| (name.to_lowercase(), value)))
            }
            Err(why) => problems.push(format!("facts in `{path}` are left out: {why}")),
        }
    }
}

fn one(system: &System, path: &str, name: &str) -> Result<Map<String, Json>, String> {
    let failed = |e: rtype_provider::ProviderError| e.describe(&Redactor::new());
    let is_program = system.look(path, true).map_err(failed)?.is_some_and(|stat| stat.is_file() && stat.mode() & 0o111 != 0);
    let extension = Path::new(name).extension().and_then(|e| e.to_str()).unwrap_or_default();
    let read = || system.read(path).map_err(failed).map(Option::unwrap_or_default);
    match extension {
        "json" => object(json_from_text(&read()?)?),
        // Facter reads dates and times as strings.
        "yaml" | "yml" => yaml(&read()?, &[ScalarClass::Date, ScalarClass::Time]),
        "txt" => Ok(lines(&read()?)),
        _ if is_program => {
            let text = printed(system.command(path))?;
            // A program prints JSON, YAML, or a fact per line.
            yaml(&text, &[ScalarClass::Symbol, ScalarClass::Time]).or_else(|why| {
                let facts = lines(&text);
                if facts.is_empty() && !text.trim().is_empty() { Err(why) } else { Ok(facts) }
            })
        }
        _ => Ok(Map::new()),
    }
}

/// Parses YAML. As in Ruby, JSON is parsed as YAML.
fn yaml(text: &str, as_text: &'static [ScalarClass]) -> Result<Map<String, Json>, String> {
    let node = parse_text(text, |source| parse_yaml(source, YamlRules { strict: false, as_text }))?;
    let json = to_json(&node.to_value(), false).ok_or("a value is binary data or a number that JSON cannot represent")?;
    object(json_from_text(&json)?)
}

/// Parses lines of the form `name=value`.
fn lines(text: &str) -> Map<String, Json> {
    text.lines().filter_map(|line| line.split_once('=')).map(|(name, value)| (name.trim().to_owned(), value.trim().into())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facter_may_fail_in_part_and_is_stopped_after_its_time() {
        let system = System::host();
        let shell = |code: &str| system.command("/bin/sh").args(["-c", code]);
        let found = answer(shell("echo '{\"role\": \"web\"}'; exit 1"), FACTER_TIME_LIMIT);
        assert_eq!(found.map(Json::from), Ok(json!({"role": "web"})));
        let stopped = answer(shell("sleep 3600"), Duration::from_millis(20)).unwrap_err();
        assert!(stopped.contains("took longer") || stopped.contains("time"), "{stopped}");
    }

    #[test]
    fn facts_of_files_are_what_facter_makes_of_them() {
        let root = tempfile::tempdir().unwrap();
        std::fs::write(root.path().join("a.txt"), "Key3=UP\n").unwrap();
        std::fs::write(root.path().join("b.yaml"), "y4: ~\nmode: 0123\nNested: {Kept: ~}\n").unwrap();
        let (mut values, mut problems) = (Map::new(), Vec::new());
        external(&System::host(), root.path(), &mut values, &mut problems);
        assert_eq!(Json::from(values), json!({"key3": "UP", "mode": 83, "nested": {"Kept": null}}));
        assert!(problems.is_empty(), "{problems:?}");
    }

    #[test]
    fn facts_of_a_run_are_those_of_its_settings() {
        let machine = Machine::new(System::host());
        let options = FactOptions { certname: "a", environment: None, noop: true, plugins: Path::new("/nowhere"), facter: false };
        let values = |options| facts_of(&machine, options).0["values"].clone();
        let of = values(options);
        assert_eq!(
            (&of["clientnoop"], &of["puppetversion"], of.get("agent_specified_environment")),
            (&json!(true), &json!("7.23.0"), None)
        );
        assert_eq!(values(FactOptions { environment: Some("dev"), ..options })["agent_specified_environment"], "dev");
    }

    #[test]
    fn files_of_facts_have_three_formats() {
        let root = tempfile::tempdir().unwrap();
        let put = |name: &str, text: &str| std::fs::write(root.path().join(name), text).unwrap();
        put("a.txt", "role = web\n# no fact\n");
        put("b.json", "{\"site\": {\"rack\": 4}}");
        put("c.yaml", "tier: [1, 2]\n");
        put("d.json", "{");
        let (mut values, mut problems) = (Map::new(), Vec::new());
        external(&System::host(), root.path(), &mut values, &mut problems);
        assert_eq!(Json::from(values), json!({"role": "web", "site": {"rack": 4}, "tier": [1, 2]}));
        assert!(problems.len() == 1 && problems[0].contains("d.json"), "{problems:?}");
    }
}
