//! Starting, stopping, enabling and masking of units for `service/systemd`.
//!
//! Follows `puppet/provider/service/systemd.rb` of Puppet 7.23. Only masked units are unmasked, because each
//! `systemctl unmask` makes systemd reload all units.

use super::given::{self, PATIENCE};
use super::systemd::file_states;
use crate::{Change, Output, ProviderError, System};
use rtype_lang::redact::Foreign;
use std::time::Duration;

/// How many lines of a unit's journal a failure shows.
const SHOWN_LINES: &str = "20";

/// Where files of units are.
const DIRECTORIES: [&str; 6] = [
    "/etc/systemd/system",
    "/run/systemd/system",
    "/usr/local/lib/systemd/system",
    "/lib/systemd/system",
    "/usr/lib/systemd/system",
    "/run/systemd/generator",
];

/// The endings of units' names.
const KINDS: [&str; 8] = ["service", "socket", "target", "timer", "mount", "path", "swap", "slice"];

/// Returns whether systemd knows the unit. True if systemd does not answer.
pub(super) fn is_known(system: &System, name: &str) -> bool {
    let unit = Unit { system, name };
    unit.ask(&["show", "--property=LoadState"]).map_or(true, |answer| answer.stdout.for_parsing().trim() != "LoadState=not-found")
}

/// Returns the possible paths of a unit's file, or of the init script from which systemd generates it.
pub(super) fn files(name: &str) -> impl Iterator<Item = String> {
    let is_whole = name.rsplit_once('.').is_some_and(|(_, kind)| KINDS.contains(&kind));
    let whole = if is_whole { name.to_owned() } else { format!("{name}.service") };
    // The file of `web@1.service` is `web@.service`.
    let template = whole.split_once('@').zip(whole.rsplit_once('.')).map(|((base, _), (_, kind))| format!("{base}@.{kind}"));
    let script = whole.strip_suffix(".service").map(|base| format!("/etc/init.d/{base}"));
    let names = std::iter::once(whole).chain(template);
    names.flat_map(|name| DIRECTORIES.map(|directory| format!("{directory}/{name}"))).chain(script)
}

/// Performs an action on the unit.
pub(super) fn perform(system: &System, change: &Change<'_>, action: &str) -> Result<(), ProviderError> {
    let unit = Unit { system, name: change.name };
    match action {
        "start" | "stop" | "restart" => {
            if action != "stop" {
                unit.reload_if_changed()?;
            }
            let done = match given::perform(system, change.resource, action) {
                Some(done) => done,
                None if action == "start" => unit.unmask().and_then(|()| unit.systemctl(action)),
                None => unit.systemctl(action),
            };
            done.map_err(|e| unit.with_journal(e))
        }
        "enable" => unit.unmask().and_then(|()| unit.systemctl("enable")),
        "disable" => unit.systemctl("disable"),
        "mask" => {
            if unit.has_files()? {
                unit.systemctl("disable")?;
            }
            unit.systemctl("mask")
        }
        _ => Err(ProviderError::new(format!("the provider cannot `{action}`"))),
    }
}

struct Unit<'a> {
    system: &'a System,
    name: &'a str,
}

impl Unit<'_> {
    fn systemctl(&self, verb: &str) -> Result<(), ProviderError> {
        self.systemctl_with(verb, &[])
    }

    fn systemctl_with(&self, verb: &str, options: &[&str]) -> Result<(), ProviderError> {
        // Without privileges it would prompt for a password at the terminal.
        let command = self.system.command("systemctl").arg(verb).args(options.iter().copied()).arg("--no-ask-password");
        command.args(["--", self.name]).time_limit(Some(PATIENCE)).succeed().map(drop)
    }

    fn ask(&self, arguments: &[&str]) -> Result<Output, ProviderError> {
        self.system.command("systemctl").args(arguments.iter().copied()).args(["--", self.name]).run()
    }

    /// Lets systemd read its units again if the file of this one has changed. As in Puppet, that this fails shows later.
    fn reload_if_changed(&self) -> Result<(), ProviderError> {
        let answer = self.ask(&["show", "--property=NeedDaemonReload"])?;
        if answer.stdout.for_parsing().trim() == "NeedDaemonReload=yes" {
            self.system.command("systemctl").args(["daemon-reload", "--no-ask-password"]).succeed()?;
        }
        Ok(())
    }

    fn unmask(&self) -> Result<(), ProviderError> {
        match file_states(self.system, &[self.name])?.first().map(String::as_str) {
            Some("masked") => self.systemctl("unmask"),
            Some("masked-runtime") => self.systemctl_with("unmask", &["--runtime"]),
            _ => Ok(()),
        }
    }

    fn has_files(&self) -> Result<bool, ProviderError> {
        Ok(self.ask(&["cat"])?.status == Some(0))
    }

    /// Adds the last output of the unit to a failure, if the journal can be read.
    fn with_journal(&self, error: ProviderError) -> ProviderError {
        let command =
            self.system.command("journalctl").args(["--quiet", "--no-pager", "--since=-5min", "-n", SHOWN_LINES, "-u", self.name]);
        let journal = command.time_limit(Some(Duration::from_secs(10))).run();
        match journal.map(|output| output.stdout) {
            Ok(said) if !said.is_blank() => {
                let journal = Foreign::from(format!("\nthe journal of {}:\n", self.name)).then(said.shown());
                ProviderError { message: error.message.then(journal), ..error }
            }
            _ => error,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::systemd::Systemd;
    use crate::native::common::testing::{Wants, executable};
    use crate::{Change, Provider, ProviderError, Reading, Request, State, System};
    use rtype_lang::value::Value;
    use std::os::unix::fs::symlink;
    use tempfile::TempDir;

    /// A machine whose systemctl records its arguments and knows the units `masked`, `changed` and `broken`.
    fn machine() -> TempDir {
        let root = TempDir::new().unwrap();
        let bin = root.path().join("usr/bin");
        std::fs::create_dir_all(&bin).unwrap();
        symlink("/bin/sh", bin.join("sh")).unwrap();
        let log = root.path().join("log");
        let programs = [
            (
                "systemctl",
                "case \"$*\" in\n'is-enabled -- masked') echo masked; exit 1 ;;\n'is-enabled -- volatile') echo masked-runtime; exit 1 ;;\n\
                 is-enabled*) echo disabled; exit 1 ;;\n'show --property=NeedDaemonReload -- changed') echo NeedDaemonReload=yes; exit ;;\n\
                 show*) echo NeedDaemonReload=no; exit ;;\n'cat -- new') exit 1 ;;\ncat*) exit 0 ;;\nesac\n\
                 echo \"$*\" >> LOG\ncase $* in *broken) echo 'Job for broken.service failed.' >&2; exit 1 ;; esac\n",
            ),
            ("journalctl", "echo 'broken[7]: no such port'\n"),
        ];
        for (name, text) in programs {
            let path = bin.join(name);
            executable(&path, &format!("#!/bin/sh\n{}", text.replace("LOG", log.to_str().unwrap())));
        }
        root
    }

    /// Returns the arguments of systemctl for an action, without the option that all calls share.
    fn commands(unit: &str, action: &str, wants: Vec<(&'static str, Value)>) -> Result<Vec<String>, ProviderError> {
        let root = machine();
        let (wants, read) = (Wants(wants), Reading::Present(State::new()));
        let mut change = Change::new(Request { name: unit, resource: &wants }, &read);
        Systemd.call(&System::at(root.path()), &mut change, action, &[])?;
        let log = std::fs::read_to_string(root.path().join("log")).unwrap_or_default();
        Ok(log.lines().map(|l| l.replace(" --no-ask-password", "")).collect())
    }

    #[test]
    fn actions_are_those_of_systemctl() {
        for action in ["start", "stop", "restart", "enable", "disable"] {
            assert_eq!(commands("cron", action, vec![]).unwrap(), [format!("{action} -- cron")]);
        }
        assert_eq!(commands("cron", "mask", vec![]).unwrap(), ["disable -- cron", "mask -- cron"]);
        assert_eq!(commands("new", "mask", vec![]).unwrap(), ["mask -- new"]);
    }

    #[test]
    fn a_unit_that_is_masked_is_unmasked_first() {
        assert_eq!(commands("masked", "start", vec![]).unwrap(), ["unmask -- masked", "start -- masked"]);
        assert_eq!(commands("masked", "enable", vec![]).unwrap(), ["unmask -- masked", "enable -- masked"]);
        assert_eq!(commands("volatile", "start", vec![]).unwrap(), ["unmask --runtime -- volatile", "start -- volatile"]);
        assert_eq!(commands("masked", "stop", vec![]).unwrap(), ["stop -- masked"]);
    }

    #[test]
    fn systemd_reads_its_units_again_where_the_file_has_changed() {
        assert_eq!(commands("changed", "start", vec![]).unwrap(), ["daemon-reload", "start -- changed"]);
        assert_eq!(commands("changed", "restart", vec![]).unwrap(), ["daemon-reload", "restart -- changed"]);
        assert_eq!(commands("changed", "stop", vec![]).unwrap(), ["stop -- changed"]);
    }

    #[test]
    fn ones_own_command_goes_before_systemctl() {
        for action in ["start", "stop", "restart"] {
            assert_eq!(commands("cron", action, vec![(action, "exit 0".into())]).unwrap(), Vec::<String>::new());
            let error = commands("cron", action, vec![(action, "echo no >&2; exit 4".into())]).unwrap_err();
            assert!(error.message.starts_with("`echo no >&2; exit 4` exited with 4: no"), "{error}");
        }
        // The declared command also runs for a masked unit.
        assert_eq!(commands("masked", "start", vec![("start", "exit 0".into())]).unwrap(), Vec::<String>::new());
    }

    #[test]
    fn a_failure_shows_what_the_unit_has_said() {
        let error = commands("broken", "start", vec![]).unwrap_err();
        assert_eq!(
            error.message,
            "`systemctl start --no-ask-password -- broken` exited with 1: Job for broken.service failed.\n\
             the journal of broken:\nbroken[7]: no such port"
        );
        let error = commands("broken", "enable", vec![]).unwrap_err();
        assert!(error.message.ends_with("Job for broken.service failed."), "{error}");
    }
}
