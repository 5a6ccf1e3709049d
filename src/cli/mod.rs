//! The command line: one file per command, no logic.

#[cfg(feature = "agent")]
mod agent;
mod apply;
mod arguments;
mod check;
mod command;
mod compile;
mod completions;
mod describe;
mod diff;
mod doc;
mod examples;
mod explain;
mod facts;
mod fmt;
#[cfg(feature = "import")]
mod import;
#[cfg(feature = "import")]
mod import_report;
mod inspect;
mod kind;
mod lifecycle;
mod lookup;
#[cfg(feature = "lsp")]
mod lsp;
mod new;
mod output;
mod provider;
#[cfg(feature = "repl")]
mod repl;
mod report;
mod resource;
mod schema;
mod test;
mod usage;
mod watch;

pub use arguments::Arguments;

use crate::app::begin_run;
use crate::app::session::{Session, Show};
use arguments::Verb;
use clap::Parser;
use output::Console;
use rtype_lang::diagnostics::{Redactions, printable, printable_lines, printable_text};
use rtype_lang::eval::run_exhausted;
use rtype_lang::source::SourceMap;
use rtype_provider::{NativeProviders, interrupt};
use rtype_system::process;
use std::io::Write;
use std::mem::ManuallyDrop;
use std::process::ExitCode;

/// The outcome of a command. [`Exit::code`] converts it to the exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// Success.
    Clean = 0,
    /// Findings, or unusable input.
    Findings = 1,
    /// Wrong usage, or output that cannot be written. If exit status 2 means changes, the process exits with 1.
    Usage = 2,
    /// `inspect --exit-code`: out of sync. `apply --detailed-exitcodes`: changes, made or pending. The process exits with 2.
    Changed = 3,
    /// `apply --detailed-exitcodes`: a resource failed. `inspect --exit-code`: the state of a resource is unknown.
    Failed = 4,
    /// `apply --detailed-exitcodes`: changes and failures. `inspect --exit-code`: both of the above.
    ChangedAndFailed = 6,
}

impl Exit {
    /// Returns the process's exit code.
    pub fn code(self) -> u8 {
        match self {
            Exit::Usage if usage::counts_changes(process::arguments()) => Exit::Findings as u8,
            Exit::Changed => Exit::Usage as u8,
            other => other as u8,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}

/// Runs the command line of this process with the providers that come with rtype.
pub fn main() -> ExitCode {
    main_with(NativeProviders::standard())
}

/// Runs the command line of this process with custom providers.
pub fn main_with(natives: NativeProviders) -> ExitCode {
    process::limit_umask();
    if let Some(exit) = completions::answer(&natives) {
        return exit.into();
    }
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version are results; all other errors are wrong usage.
            let wrong = error.use_stderr();
            match usage::unknown_command(&error) {
                Some(message) => eprint!("{message}"),
                None if wrong => eprint!("{}", printable_text(&error.render().to_string())),
                None => return exit_of(error.print().and_then(|()| std::io::stdout().flush()).map(|()| Exit::Clean)),
            }
            return Exit::Usage.into();
        }
    };
    let mut output = Console::new(arguments.color);
    // The process exit returns all memory at once. Dropping every value would take a twentieth of a check's time.
    let mut session = ManuallyDrop::new(Session::new(&arguments.session(), natives.clone()));
    let needs_no_types = matches!(arguments.verb, Verb::Completions(_) | Verb::Explain(_));
    if !needs_no_types && !session.is_usable() {
        drop(session.show(&[], &mut output));
        return Exit::Usage.into();
    }
    if let Some(note) = session.ignored_configuration()
        && let Err(error) = output.diagnostic(&note, &session.types.sources, &session.types.secrets)
    {
        eprintln!("rtype: cannot write: {error}");
        return Exit::Usage.into();
    }
    let programs = session.natives.programs.clone();
    let redactor = session.machine.system().redactor().clone();
    if !arguments.verb.is_server() {
        begin_run();
    }
    if arguments.verb.runs_programs() {
        interrupt::watch();
    }
    let result = match &arguments.verb {
        #[cfg(feature = "agent")]
        Verb::Agent(a) => agent::run(a, &arguments, &natives, &mut output),
        Verb::Apply(a) => apply::run(a, &mut session, &mut output),
        Verb::Check(a) => check::run(a, &mut session, &mut output),
        Verb::Compile(a) => compile::run(a, &mut session, &mut output),
        Verb::Completions(a) => completions::run(a, &mut output),
        Verb::Describe(a) => describe::run(a, &mut session, &mut output),
        Verb::Doc(a) => doc::run(a, &mut session, &mut output),
        Verb::Explain(a) => explain::run(a, &mut output),
        Verb::Facts => facts::run(&session, &mut output),
        Verb::Diff(a) => diff::run(a, Session::new(&arguments.session(), natives), &mut session, &mut output),
        Verb::Fmt(a) => fmt::run(a, &mut session, &mut output),
        #[cfg(feature = "import")]
        Verb::Import(a) => import::run(a, &mut session, &mut output),
        Verb::Inspect(a) => inspect::run(a, &mut session, &mut output),
        Verb::Lookup(a) => lookup::run(a, &mut session, &mut output),
        #[cfg(feature = "lsp")]
        Verb::Lsp => lsp::run(&arguments.types, arguments.allow_outside, natives),
        Verb::New(a) => new::run(a, &mut session, &mut output),
        Verb::Provider(a) => provider::run(a, &mut session, &mut output),
        #[cfg(feature = "repl")]
        Verb::Repl(a) => repl::run(a, ManuallyDrop::into_inner(session), &mut output),
        Verb::Resource(a) => resource::run(a, &mut session, &mut output),
        Verb::Schema(a) => schema::run(a, &mut session, &mut output),
        Verb::Test(a) => test::run(a, &mut session, &mut output),
    };
    // Report messages of the programs after the programs have ended, so that no message is lost.
    for log in programs.end() {
        if arguments.verbose || matches!(log.level, "notice" | "warning" | "error") {
            eprintln!("{}: {}: {}", printable(log.program.as_ref()), log.level, printable_lines(&redactor.reveal(&log.message)));
        }
    }
    // Resources refused because of the limit are already errors. `check` reports the limit as a finding, and the REPL reports it after each
    // input.
    let exhausted = run_exhausted().filter(|_| !matches!(arguments.verb, Verb::Check(_)) && !arguments.verb.is_prompt());
    let result = result.and_then(|exit| match exhausted {
        Some(why) => output.diagnostic(&why, &SourceMap::default(), &Redactions::new()).map(|()| exit.max(Exit::Findings)),
        None => Ok(exit),
    });
    let result = result.and_then(|exit| match output.flush() {
        // A closed pipe does not change the exit status of a completed command.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(exit),
        flushed => flushed.map(|()| exit),
    });
    exit_of(result)
}

/// Returns the exit status of a command, and reports output that could not be written.
fn exit_of(result: std::io::Result<Exit>) -> ExitCode {
    match result {
        Ok(exit) => exit.into(),
        // The reader of the output has closed the pipe.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("rtype: cannot write: {error}");
            Exit::Usage.into()
        }
    }
}
