//! Arguments of the agent. As in `puppet agent`, each setting is also an option.

use super::Running;
use clap::error::Error;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use rtype_agent::{SETTING_FLAGS, SETTING_NAMES};
use std::path::PathBuf;

const SERVER: &str = "Server";

// `rtype agent`
#[derive(Debug, Args)]
pub struct AgentArguments {
    /// Run once and end
    #[arg(short, long)]
    pub onetime: bool,
    /// Run once, show differences of file contents, use no catalog of an earlier run, and exit as with `--detailed-exitcodes`
    #[arg(short, long)]
    pub test: bool,
    /// Read settings from this file instead of `/etc/rtype/agent.toml` or Puppet's `puppet.conf`
    #[arg(long, value_name = "FILE")]
    pub settings: Option<PathBuf>,
    /// Do not run from now on, and neither does Puppet's agent; the reason is shown to those who try
    #[arg(long, value_name = "REASON", num_args = 0..=1, default_missing_value = "reason not specified", conflicts_with_all = ["onetime", "test"])]
    pub disable: Option<String>,
    /// Run again after `--disable`
    #[arg(long, conflicts_with_all = ["disable", "onetime", "test"])]
    pub enable: bool,
    /// Show the SHA-256 digest of this node's certificate or certificate request
    #[arg(long, conflicts_with_all = ["disable", "enable", "onetime", "test"])]
    pub fingerprint: bool,
    /// Name of the server, with its port if that is not 8140
    #[arg(long, value_name = "NAME[:PORT]", help_heading = SERVER)]
    pub server: Option<String>,
    /// Name of this node in its certificate [default: the full name of this machine]
    #[arg(long, value_name = "NAME", help_heading = SERVER)]
    pub certname: Option<String>,
    /// Environment [default: what the server chooses]
    #[arg(long, value_name = "NAME", help_heading = SERVER)]
    pub environment: Option<String>,
    /// Time between two questions for a certificate that the server has not signed yet, such as `30` or `2m`; 0 to end instead
    #[arg(short, long, value_name = "TIME", help_heading = SERVER)]
    pub waitforcert: Option<String>,
    /// Directory that has Puppet's `puppet.conf`
    #[arg(long, value_name = "DIR", hide = true, conflicts_with = "settings")]
    pub confdir: Option<PathBuf>,
    /// Where messages go; only the console is supported
    #[arg(short, long, value_name = "WHERE", hide = true, value_parser = ["console"])]
    pub logdest: Option<String>,
    /// Other settings
    #[command(flatten)]
    pub given: GivenSettings,
    /// Options of the run
    #[command(flatten)]
    pub running: Running,
}

/// Settings that have been given as `--NAME=VALUE`, `--NAME VALUE` or, if they are `true` or `false`, as `--NAME` and `--no-NAME`.
#[derive(Debug, Default)]
pub struct GivenSettings(pub Vec<(&'static str, String)>);

/// Settings with a field in [`AgentArguments`].
const ABOVE: &[&str] = &["certname", "environment", "server", "tags", "waitforcert"];
/// Flags with a positive form that is an option with another meaning, or a field of [`AgentArguments`].
const ONLY_NEGATIVE: &[&str] = &["noop", "report"];
/// Ignored options, because the agent never goes to the background by itself.
const IGNORED: &str = "daemonize";

/// Returns the names of the options, and whether each option is a `true` or `false` setting.
fn options() -> impl Iterator<Item = (&'static str, bool)> {
    // `--ruby-providers` is an option of all commands that run providers.
    let others = SETTING_NAMES.iter().filter(|name| !ABOVE.contains(name) && **name != "ruby_providers");
    others.map(|name| (*name, SETTING_FLAGS.contains(name))).chain([(IGNORED, true)])
}

/// Returns the identifier of `--no-NAME`.
fn negative(name: &str) -> String {
    format!("no-{name}")
}

fn option(id: String, name: &str) -> Arg {
    let prefix = id.strip_suffix(name).unwrap_or_default().to_owned();
    let long = format!("{prefix}{}", name.replace('_', "-"));
    let underscored = format!("{prefix}{name}");
    let arg = Arg::new(id).hide(true);
    let arg = if long == underscored { arg } else { arg.alias(underscored) };
    arg.long(long)
}

impl Args for GivenSettings {
    fn augment_args(command: Command) -> Command {
        options().fold(command, |command, (name, is_flag)| {
            let command = match (is_flag, ONLY_NEGATIVE.contains(&name)) {
                (true, true) => command,
                (true, false) => {
                    let arg = option(name.to_owned(), name).num_args(0..=1).require_equals(true).default_missing_value("true");
                    command.arg(arg.overrides_with_all([name.to_owned(), negative(name)]))
                }
                (false, _) => {
                    let arg = option(name.to_owned(), name).num_args(1).overrides_with(name);
                    command.arg(if name == "serverport" { arg.alias("masterport") } else { arg })
                }
            };
            if !is_flag {
                return command;
            }
            let arg = option(negative(name), name).action(ArgAction::SetTrue);
            // The last given form takes precedence.
            let positive = (name != "report").then(|| name.to_owned());
            command.arg(arg.overrides_with_all(positive.into_iter().chain([negative(name)])))
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        GivenSettings::augment_args(command)
    }
}

impl FromArgMatches for GivenSettings {
    fn from_arg_matches(matches: &ArgMatches) -> Result<GivenSettings, Error> {
        let mut given = Vec::new();
        for (name, is_flag) in options().filter(|(name, _)| *name != IGNORED) {
            let value = if ONLY_NEGATIVE.contains(&name) { None } else { matches.get_one::<String>(name) };
            given.extend(value.map(|value| (name, value.clone())));
            if is_flag && matches.get_flag(&negative(name)) {
                given.push((name, "false".to_owned()));
            }
        }
        Ok(GivenSettings(given))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = GivenSettings::from_arg_matches(matches)?;
        Ok(())
    }
}
