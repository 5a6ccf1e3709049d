//! `service/systemd`: units, managed with `systemctl`.
//!
//! Follows `puppet/provider/service/systemd.rb` of Puppet 7.23. Puppet calls `is-active` and `is-enabled` for each
//! unit and uses their exit statuses; here, one `show` and one `is-enabled` serve many units, and their output is
//! mapped to what the exit statuses would be.

use super::{given, units};
use crate::native::common::{Property, pick};
use crate::{Change, ListedResource, Need, Provider, ProviderError, Reading, Request, Select, System, Thing};
use indexmap::IndexMap;
use rtype_lang::redact::{Foreign, RawOutput};
use rtype_lang::value::Value;
use std::sync::Arc;

/// How many units go into one call, so that the command line stays short.
const BATCH: usize = 200;

/// The states of unit files whose units `puppet resource service` lists.
const LISTED: [&str; 6] = ["disabled", "enabled", "masked", "indirect", "bad", "static"];

/// The states for which `systemctl is-enabled` succeeds, as its manual page lists them for systemd 252.
const COUNT_AS_ENABLED: [&str; 6] = ["enabled", "enabled-runtime", "alias", "static", "generated", "transient"];

/// Reads and controls services.
///
/// `ensure` is `:running` or `:stopped`; as in Puppet, a unit that systemd does not know is stopped and not enabled.
/// `enable` is `:true`, `:false`, or `:mask`, the last only if `mask` is desired: otherwise a masked unit is simply
/// not enabled. A static unit counts as enabled, an indirect one does not; the query `cached_enabled?` distinguishes
/// them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Systemd;

/// What is known of a unit.
#[derive(Debug, Default, Clone)]
struct Unit {
    active: bool,
    /// The word that `is-enabled` says; empty where it says none.
    file_state: String,
}

/// Runs `systemctl`. Its exit status says something of the units rather than of itself, so that only a lost connection counts
/// as an error.
fn systemctl(system: &System, arguments: &[&str]) -> Result<(RawOutput, Option<i32>), ProviderError> {
    let output = system.run("systemctl", arguments)?;
    let lost = ["Failed to connect to", "System has not been booted with systemd", "Connection timed out"];
    match output.stderr.for_parsing().lines().find(|line| lost.iter().any(|l| line.contains(l))) {
        Some(line) => Err(ProviderError::new(Foreign::output(line))
            .context("systemctl does not reach systemd: ")
            .help("check that systemd runs and that you may talk to it")),
        None => Ok((output.stdout, output.status)),
    }
}

/// Returns whether systemctl accepts the name as one unit: templates have no state, and patterns match many units.
fn is_single(name: &str) -> bool {
    !name.is_empty() && !name.contains("@.") && !name.ends_with('@') && !name.contains(['*', '?', '['])
}

/// Returns for each unit whether it is active, and the state of its file; `None` for a name that `show` rejects.
fn show(system: &System, names: &[&str]) -> Result<Vec<Option<Unit>>, ProviderError> {
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let mut arguments = vec!["show", "--property=Id", "--property=ActiveState", "--property=UnitFileState", "--"];
    arguments.extend(names);
    let (text, _) = systemctl(system, &arguments)?;
    let blocks: Vec<Unit> = text.for_parsing().split("\n\n").filter(|b| !b.trim().is_empty()).map(block).collect();
    if blocks.len() == names.len() {
        return Ok(blocks.into_iter().map(Some).collect());
    }
    // One rejected name fails the whole call: bisect the batch to isolate it.
    let (left, right) = names.split_at(names.len() / 2);
    if left.is_empty() {
        return Ok(vec![None]);
    }
    let mut units = show(system, left)?;
    units.extend(show(system, right)?);
    Ok(units)
}

fn block(text: &str) -> Unit {
    let mut unit = Unit::default();
    for (key, value) in text.lines().filter_map(|l| l.split_once('=')) {
        match key {
            // `is-active` succeeds for both.
            "ActiveState" => unit.active = matches!(value, "active" | "reloading"),
            "UnitFileState" => unit.file_state = value.trim().into(),
            _ => {}
        }
    }
    unit
}

/// Returns the word of `is-enabled` for each name, in order. It differs from `show` for aliases and for init scripts.
pub(super) fn file_states(system: &System, names: &[&str]) -> Result<Vec<String>, ProviderError> {
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let mut arguments = vec!["is-enabled", "--"];
    arguments.extend(names);
    let (text, _) = systemctl(system, &arguments)?;
    let words: Vec<String> = text.for_parsing().lines().map(|l| l.trim().to_owned()).collect();
    if words.len() == names.len() {
        return Ok(words);
    }
    // A name that is-enabled cannot answer for ends the whole call.
    let (left, right) = names.split_at(names.len() / 2);
    if left.is_empty() {
        return Ok(vec![words.into_iter().next().unwrap_or_default()]);
    }
    let mut states = file_states(system, left)?;
    states.extend(file_states(system, right)?);
    Ok(states)
}

/// Reads the units of these names; each answer may fail by itself.
fn read(system: &System, names: &[&str], enable: bool) -> Result<Vec<Unit>, ProviderError> {
    let single: Vec<&str> = names.iter().copied().filter(|n| is_single(n)).collect();
    let mut shown: IndexMap<&str, Option<Unit>> = IndexMap::new();
    for batch in single.chunks(BATCH) {
        shown.extend(batch.iter().copied().zip(show(system, batch)?));
    }
    let unit = |name: &&str| shown.get(*name).cloned().flatten().unwrap_or_default();
    let mut units: Vec<Unit> = names.iter().map(unit).collect();
    if !enable {
        return Ok(units);
    }
    // systemctl calls another program for init scripts, whose output is out of order: query these separately. A unit
    // without a file fails the call, so it is skipped unless it may have an init script.
    let (mut together, mut alone) = (Vec::new(), Vec::new());
    for (index, (name, unit)) in names.iter().zip(&units).enumerate() {
        match unit.file_state.as_str() {
            "" if is_single(name) && !init_script(system, name) => {}
            "" if !is_single(name) => together.push((index, *name)),
            "" | "generated" => alone.push((index, *name)),
            _ => together.push((index, *name)),
        }
    }
    let mut set = |index: usize, state: String| {
        if let Some(unit) = units.get_mut(index) {
            unit.file_state = state;
        }
    };
    for batch in together.chunks(BATCH) {
        let names: Vec<&str> = batch.iter().map(|(_, name)| *name).collect();
        for ((index, _), state) in batch.iter().zip(file_states(system, &names)?) {
            set(*index, state);
        }
    }
    for (index, name) in alone {
        for state in file_states(system, &[name])? {
            set(index, state);
        }
    }
    Ok(units)
}

fn init_script(system: &System, name: &str) -> bool {
    let name = name.strip_suffix(".service").unwrap_or(name);
    !name.contains('/') && system.exists(&format!("/etc/init.d/{name}"))
}

/// Puppet's `enable` for the word of `is-enabled`.
fn enable(state: &str, mask_wanted: bool) -> Value {
    if state == "masked" && mask_wanted {
        return Value::sym("mask");
    }
    // systemctl says success for `indirect`, too; Puppet takes it for not enabled.
    Value::sym(if COUNT_AS_ENABLED.contains(&state) { "true" } else { "false" })
}

/// What `ensure` is: the resource's own status command goes before systemd's word, as in Puppet.
fn ensure(system: &System, request: &Request<'_>, active: bool) -> Result<Value, ProviderError> {
    let running = given::status(system, request.resource).unwrap_or(Ok(active))?;
    Ok(Value::sym(if running { "running" } else { "stopped" }))
}

impl Provider for Systemd {
    /// A unit that systemd does not know needs a file, unless it is only stopped, disabled or masked.
    fn needs(&self, system: &System, request: Request<'_>, properties: &[&str]) -> Vec<Need> {
        let wants = |property: &str, value: &str| properties.contains(&property) && request.resource.wanted(property).to_text() == value;
        let is_started = wants("ensure", "running") && request.resource.wanted("start").is_nil();
        if (!is_started && !wants("enable", "true")) || units::is_known(system, request.name) {
            return Vec::new();
        }
        let any_of = units::files(request.name).map(|path| Thing::File(path.into())).collect();
        vec![Need { any_of, failure: format!("systemd has no unit `{}`", request.name).into() }]
    }

    fn reads(&self) -> &'static [&'static str] {
        &["ensure", "enable"]
    }

    fn queries(&self) -> &'static [&'static str] {
        &["cached_enabled?", "enabled?"]
    }

    fn actions(&self) -> &'static [&'static str] {
        &["start", "stop", "restart", "enable", "disable", "mask"]
    }

    fn call(&self, system: &System, change: &mut Change<'_>, action: &str, _: &[Value]) -> Result<Value, ProviderError> {
        units::perform(system, change, action).map(|()| Value::Nil)
    }

    fn get(&self, system: &System, requests: &[Request<'_>], select: Select<'_>) -> Vec<Reading> {
        let names: Vec<&str> = requests.iter().map(|r| r.name).collect();
        let units = match read(system, &names, select.wants("enable")) {
            Ok(units) => units,
            Err(error) => {
                return requests.iter().map(|_| Reading::Error(error.clone())).collect();
            }
        };
        let read = |(request, unit): (&Request<'_>, Unit)| {
            let mask_wanted = request.resource.wanted("enable").as_text() == Some("mask");
            let mut properties: Vec<Property> = vec![("enable", Ok(enable(&unit.file_state, mask_wanted)))];
            if select.wants("ensure") {
                properties.push(("ensure", ensure(system, request, unit.active)));
            }
            Reading::Present(pick(select, properties))
        };
        requests.iter().zip(units).map(read).collect()
    }

    fn instances(&self, system: &System, select: Select<'_>) -> Result<Vec<ListedResource>, ProviderError> {
        let arguments = ["list-unit-files", "--type=service", "--full", "--all", "--no-pager", "--no-legend"];
        let (text, status) = systemctl(system, &arguments)?;
        if status != Some(0) {
            return Err(ProviderError::new("`systemctl list-unit-files` failed"));
        }
        let listed = |line: &str| {
            let mut words = line.split_ascii_whitespace();
            let (name, state) = (words.next()?, words.next()?);
            LISTED.contains(&state).then(|| (name.to_owned(), state.to_owned()))
        };
        let listed: Vec<(String, String)> = text.for_parsing().lines().filter_map(listed).collect();
        let names: Vec<&str> = listed.iter().map(|(name, _)| name.as_str()).collect();
        // The list has said already what `is-enabled` would say.
        let units = read(system, &names, false)?;
        let found = |((name, state), unit): (&(String, String), Unit)| {
            let properties: [Property; 2] =
                [("enable", Ok(enable(state, false))), ("ensure", Ok(Value::sym(if unit.active { "running" } else { "stopped" })))];
            ListedResource { name: name.as_str().into(), state: pick(select, properties) }
        };
        Ok(listed.iter().zip(units).map(found).collect())
    }

    /// `enabled?` returns the value of `enable`; `cached_enabled?` returns the result of `systemctl is-enabled` as a
    /// map: its `output` and its `exitcode`.
    /// Name and form are those of the method that Puppet's provider decides by.
    fn query(&self, system: &System, request: Request<'_>, method: &str, _: &[Value]) -> Result<Value, ProviderError> {
        if !self.queries().contains(&method) {
            return Err(ProviderError::new(format!("the provider does not answer `{method}`")));
        }
        if method == "enabled?" {
            let unit = read(system, &[request.name], true)?.pop().unwrap_or_default();
            return Ok(enable(&unit.file_state, request.resource.wanted("enable").as_text() == Some("mask")));
        }
        let (text, status) = systemctl(system, &["is-enabled", "--", request.name])?;
        let exitcode = status.map_or(Value::Nil, |status| Value::Int(status.into()));
        let answer = [(Value::sym("output"), Value::str(text.for_parsing().trim_end())), (Value::sym("exitcode"), exitcode)];
        Ok(Value::Map(Arc::new(answer.into_iter().collect())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::native::common::testing::{Wants, error, get, get_wanting, line, present, root};

    fn shown(name: &str) -> String {
        line(&present(get(&Systemd, &root("systemd"), name)))
    }

    #[test]
    fn an_active_enabled_unit_is_running_and_enabled() {
        assert_eq!(shown("ssh"), "enable=:true ensure=:running");
        assert_eq!(shown("ssh.service"), "enable=:true ensure=:running");
    }

    #[test]
    fn a_static_unit_counts_as_enabled_and_an_indirect_one_does_not() {
        assert_eq!(shown("static"), "enable=:true ensure=:stopped");
        assert_eq!(shown("indirect"), "enable=:false ensure=:stopped");
    }

    #[test]
    fn alias_units_are_enabled() {
        assert_eq!(shown("alias"), "enable=:true ensure=:running");
    }

    #[test]
    fn masked_is_reported_only_if_desired() {
        assert_eq!(shown("masked"), "enable=:false ensure=:stopped");
        let wants = Wants(vec![("enable", Value::sym("mask"))]);
        assert_eq!(line(&present(get_wanting(&Systemd, &root("systemd"), "masked", &wants))), "enable=:mask ensure=:stopped");
    }

    #[test]
    fn an_unknown_unit_is_stopped_and_not_enabled() {
        assert_eq!(shown("nope"), "enable=:false ensure=:stopped");
    }

    #[test]
    fn an_init_script_is_asked_for_by_itself() {
        assert_eq!(shown("oldstyle"), "enable=:false ensure=:running");
    }

    #[test]
    fn a_template_is_never_running_but_may_be_enabled() {
        assert_eq!(shown("getty@.service"), "enable=:true ensure=:stopped");
    }

    #[test]
    fn a_batch_answers_in_order_even_around_names_that_systemctl_refuses() {
        let wants = Wants::default();
        let names = ["ssh", "nope", "bad/name", "masked", "getty@.service", "oldstyle", "alias"];
        let requests = names.map(|name| Request { name, resource: &wants as &dyn crate::Resource });
        let lines: Vec<_> = Systemd.get(&root("systemd"), &requests, Select::All).into_iter().map(|r| line(&present(r))).collect();
        let alone: Vec<_> = names.iter().map(|n| shown(n)).collect();
        assert_eq!(lines, alone);
    }

    #[test]
    fn ones_own_status_command_overrules_systemd() {
        let wants = |command: &str| Wants(vec![("status", Value::str(command))]);
        let read = |command| line(&present(get_wanting(&Systemd, &root("systemd"), "ssh", &wants(command))));
        assert_eq!(read("exit 3"), "enable=:true ensure=:stopped");
        assert_eq!(read("exit 0"), "enable=:true ensure=:running");
    }

    #[test]
    fn only_units_with_a_file_of_their_own_are_listed() {
        let all = Systemd.instances(&root("systemd"), Select::All).unwrap();
        let lines: Vec<_> = all.iter().map(|f| format!("{} {}", f.name, line(&f.state))).collect();
        assert_eq!(
            lines,
            [
                "getty@.service enable=:true ensure=:stopped",
                "indirect.service enable=:false ensure=:stopped",
                "masked.service enable=:false ensure=:stopped",
                "ssh.service enable=:true ensure=:running",
                "static.service enable=:true ensure=:stopped",
            ]
        );
    }

    #[test]
    fn what_is_enabled_says_can_be_asked() {
        let ask = |name| {
            let request = Request { name, resource: &Wants::default() };
            Systemd.query(&root("systemd"), request, "cached_enabled?", &[]).map(|v| v.to_string())
        };
        assert_eq!(ask("static").as_deref(), Ok(r#"{:output=>"static", :exitcode=>0}"#));
        assert_eq!(ask("nope").as_deref(), Ok(r#"{:output=>"", :exitcode=>1}"#));
    }

    #[test]
    fn without_a_running_systemd_nothing_is_known() {
        assert!(error(get(&Systemd, &root("systemd-off"), "ssh")).contains("has not been booted with systemd"));
        assert!(Systemd.instances(&root("systemd-off"), Select::All).is_err());
        assert_eq!(error(get(&Systemd, &root("empty"), "ssh")), "command `systemctl` not found");
    }
}
