//! Errors of the command line that clap cannot explain: commands that rtype does not have.

use super::Arguments;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory};
use rtype_lang::diagnostics::{nearest, printable};
use std::path::Path;

/// Commands of Puppet, linters and other tools, each with the equivalent rtype command.
const ELSEWHERE: &[(&str, &str)] = &[
    ("lint", "rtype check"),
    ("validate", "rtype check"),
    ("verify", "rtype check"),
    ("parser", "rtype check"),
    ("syntax", "rtype check"),
    ("format", "rtype fmt"),
    ("run", "rtype apply"),
    ("agent", "rtype apply"),
    ("sync", "rtype apply"),
    ("plan", "rtype apply --noop"),
    ("noop", "rtype apply --noop"),
    ("status", "rtype inspect"),
    ("show", "rtype resource"),
    ("get", "rtype resource"),
    ("list", "rtype describe --list"),
    ("types", "rtype describe --list"),
    ("docs", "rtype doc"),
    ("shell", "rtype repl"),
    ("convert", "rtype import"),
    ("version", "rtype --version"),
];

/// Describes an unknown command; `None` for any other error.
pub fn unknown_command(error: &clap::Error) -> Option<String> {
    let Some(ContextValue::String(wrong)) = error.get(ContextKind::InvalidSubcommand) else { return None };
    if error.kind() != ErrorKind::InvalidSubcommand {
        return None;
    }
    let mut command = Arguments::commands();
    let mut path = command.get_name().to_owned();
    let words: Vec<String> = rtype_system::process::arguments().collect();
    for word in words.iter().take_while(|word| *word != wrong) {
        if word != "help"
            && let Some(inner) = command.find_subcommand(word).cloned()
        {
            path = format!("{path} {word}");
            command = inner;
        }
    }
    let help = help_for(&command, &path, wrong);
    Some(format!("error: unknown command `{}`\n  help: {help}\n", printable(wrong)))
}

/// Returns whether exit status 2 means changes: with `rtype agent`, `--detailed-exitcodes` and `inspect --exit-code`.
pub fn counts_changes(mut words: impl Iterator<Item = String>) -> bool {
    let command = Arguments::command();
    while let Some(word) = words.next() {
        let Some(option) = word.strip_prefix('-') else {
            return match word.as_str() {
                "agent" => true,
                "apply" => words.any(|word| ["--detailed-exitcodes", "--detailed_exitcodes"].contains(&word.as_str())),
                "inspect" => words.any(|word| word == "--exit-code"),
                _ => false,
            };
        };
        let named = command.get_arguments().find(|arg| arg.get_long() == option.strip_prefix('-'));
        if named.is_some_and(|arg| arg.get_action().takes_values()) {
            words.next();
        }
    }
    false
}

fn help_for(command: &Command, path: &str, wrong: &str) -> String {
    let names = || command.get_subcommands().map(Command::get_name).filter(|name| *name != "help");
    let is_top = !path.contains(' ');
    if is_top && (Path::new(wrong).extension().is_some() || wrong.contains('/')) {
        return format!("write the command first: `{path} check {}`", printable(wrong));
    }
    if let Some((_, instead)) = ELSEWHERE.iter().find(|(name, _)| is_top && *name == wrong) {
        return format!("did you mean `{instead}`?");
    }
    let first = wrong.split(['-', '_', ':']).next().unwrap_or_default();
    match nearest(wrong, names()).or_else(|| names().find(|name| *name == first)) {
        Some(near) => format!("did you mean `{path} {near}`?"),
        None if names().next().is_none() => format!("`{path}` has no commands; write `{path} --help` for its arguments"),
        None => format!("use one of {}", names().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")),
    }
}
