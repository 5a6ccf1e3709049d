//! `rtype completions SHELL`, and the candidates that its scripts ask for when the user presses Tab.

mod bash;
mod values;

use super::Exit;
use super::arguments::{Arguments, Completions, TestFormat};
use super::output::Console;
use bash::Bash;
use clap::{Arg, Command, ValueHint};
use clap_complete::ArgValueCompleter;
use clap_complete::env::{CompleteEnv, Elvish, EnvCompleter, Fish, Powershell, Shells, Zsh};
use rtype_author::check::format::Format;
use rtype_lang::diagnostics::printable_text;
use rtype_provider::NativeProviders;
use rtype_system::process;
use std::ffi::{OsStr, OsString};
use std::io;
use values::Request;

/// The environment variable that the scripts set to the name of their shell.
const VARIABLE: &str = "RTYPE_COMPLETE";

const SHELLS: &[&dyn EnvCompleter] = &[&Bash, &Elvish, &Fish, &Powershell, &Zsh];

pub fn run(arguments: &Completions, output: &mut Console) -> io::Result<Exit> {
    let name = arguments.shell.to_string();
    let mut script = Vec::new();
    if let Some(shell) = Shells(SHELLS).completer(&name) {
        shell.write_registration(VARIABLE, "rtype", "rtype", "rtype", &mut script)?;
    }
    output.print(&format!("{}\n", String::from_utf8_lossy(&script).trim()))?;
    if name == "zsh" {
        // In a directory of `$fpath`, the script becomes the body of the completion function. The body runs for the first time at the first
        // Tab.
        output.print("if [[ $funcstack[1] == _rtype ]]; then _clap_dynamic_completer_rtype; fi\n")?;
    }
    Ok(Exit::Clean)
}

/// Prints the candidates for the script of a shell. Returns `None` if this process was not started for completion.
pub fn answer(natives: &NativeProviders) -> Option<Exit> {
    let shell = process::variable(VARIABLE)?;
    let all: Vec<OsString> = std::env::args_os().collect();
    let command = || {
        let words: Vec<String> = all.iter().skip_while(|a| *a != "--").skip(1).map(|a| a.to_string_lossy().into_owned()).collect();
        let words = if shell == "bash" { bash::words(&words) } else { words };
        dynamic(Request::of(&words, natives))
    };
    let request = CompleteEnv::with_factory(command).var(VARIABLE).shells(Shells(SHELLS));
    match request.try_complete(all.clone(), process::working_directory().ok().as_deref()) {
        Ok(answered) => answered.then_some(Exit::Clean),
        Err(error) => {
            eprint!("{}", printable_text(&error.to_string()));
            Some(Exit::Usage)
        }
    }
}

/// Returns the command line with the values of its arguments.
fn dynamic(request: Request) -> Command {
    type Values = fn(&Request, &OsStr) -> Vec<clap_complete::CompletionCandidate>;
    let add = move |id: &'static str, values: Values| {
        let request = request.clone();
        let completer = ArgValueCompleter::new(move |current: &OsStr| values(&request, current));
        move |command: Command| command.mut_arg(id, |argument| argument.add(completer))
    };
    Arguments::commands()
        .mut_subcommands(|command| command.mut_args(with_paths).mut_subcommands(|command| command.mut_args(with_paths)))
        .mut_subcommand("describe", add("names", Request::types_and_paths))
        .mut_subcommand("doc", add("what", Request::types_and_paths))
        .mut_subcommand("schema", add("what", Request::types_and_paths))
        .mut_subcommand("resource", add("type_name", Request::types))
        .mut_subcommand("resource", add("title", Request::titles))
        .mut_subcommand("resource", add("attributes", Request::attributes))
        .mut_subcommand("explain", add("codes", Request::codes))
        .mut_subcommand("check", add("select", Request::codes))
        .mut_subcommand("check", add("ignore", Request::codes))
        .mut_subcommand("check", add("reports", Request::reports::<Format>))
        .mut_subcommand("test", add("reports", Request::reports::<TestFormat>))
}

/// Completes paths for arguments with a name such as `FILE`.
fn with_paths(argument: Arg) -> Arg {
    let names = argument.get_value_names().unwrap_or_default();
    let is_path = names.iter().any(|name| name.split('|').any(|name| matches!(name, "PATH" | "FILE" | "DIR" | "PROGRAM" | "OLD" | "NEW")));
    if is_path { argument.value_hint(ValueHint::AnyPath) } else { argument }
}
