//! `rtype apply FILE…`

use super::Exit;
use super::arguments::{Apply, Redacting, Running, TextOrJson};
use super::output::Console;
use crate::app::compile::CompileOptions;
use crate::app::hidden::Hidden;
use crate::app::is_dumb_terminal;
use crate::app::session::Session;
use crate::app::target::Target;
use rtype_engine::apply::{ApplyOptions, Counts, Listener};
use rtype_engine::report::{Lines, Live, Provenance, RunMode, Tee};
use rtype_lang::diagnostics::Diagnostic;
use rtype_lang::value::EcoString;
use rtype_model::declare::Purpose;
use rtype_model::manifest::Declarations;
use rtype_provider::Machine;
use rtype_provider::interrupt::{self, Graceful};
use rtype_system::Tree;
use rtype_system::{named, process};
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The buffer size for a line of JSON, so that each line is written at once when complete.
const LINE: usize = 1 << 16;

pub fn run(arguments: &Apply, session: &mut Session, output: &mut Console) -> io::Result<Exit> {
    if !hide(&arguments.redacting, session, output)? {
        return Ok(Exit::Findings);
    }
    if arguments.simulate {
        session.natives.simulate();
    }
    let mut found = Vec::new();
    let mut declarations = match &arguments.execute {
        Some(code) => session.compiled(CompileOptions::of_code(code), &mut found),
        None => session.declarations_of(&arguments.files, &mut found),
    };
    if arguments.noop_all {
        declarations.remove_attribute("noop");
    }
    run_declarations(declarations, found, &arguments.running, session, output)
}

/// Adds secrets from another program to the session. Returns `false` if they cannot be read: no resource may be read then, because an error
/// might show a secret.
pub fn hide(arguments: &Redacting, session: &mut Session, output: &mut Console) -> io::Result<bool> {
    match Hidden::read(arguments.redact.as_deref(), arguments.sensitive, session.machine.system().redactor()) {
        Ok(hidden) => session.hidden = hidden,
        Err(why) => return session.show(&[why], output).map(|_| false),
    }
    Ok(true)
}

/// Applies declarations, unless there are errors.
pub fn run_declarations(
    declarations: Declarations,
    found: Vec<Diagnostic>,
    arguments: &Running,
    session: &mut Session,
    output: &mut Console,
) -> io::Result<Exit> {
    // From here on, the first signal lets the run finish the current resource.
    let stop = interrupt::graceful();
    let run = RunArguments {
        running: arguments,
        stop: &stop,
        listener: None,
        skip_tags: &[],
        sets_aside: false,
        show_diff: !arguments.no_diff,
        exit_of,
    };
    Ok(run_all(declarations, found, run, session, output)?.exit)
}

/// The options of a run.
pub struct RunArguments<'a> {
    /// The options on the command line.
    pub running: &'a Running,
    /// Set when the run should stop.
    pub stop: &'a Graceful,
    /// An additional listener for events.
    pub listener: Option<&'a mut dyn Listener>,
    /// Tags to skip: resources with one of these tags are not applied.
    pub skip_tags: &'a [String],
    /// Whether resources with errors are left out. If `false`, a single error prevents all changes.
    pub sets_aside: bool,
    /// Whether differences in contents are shown.
    pub show_diff: bool,
    /// Computes the exit status, with or without `--detailed-exitcodes`.
    pub exit_of: fn(&Counts, bool) -> Exit,
}

/// The result of a run.
#[cfg_attr(not(feature = "agent"), allow(dead_code, reason = "the agent reads all of it"))]
pub struct RunResult {
    /// The exit status.
    pub exit: Exit,
    /// The counts of the run. `None` if errors prevented the run.
    pub counts: Option<Counts>,
    /// The errors that prevented the run.
    pub errors: Vec<Diagnostic>,
}

impl RunResult {
    fn refused(errors: Vec<Diagnostic>) -> RunResult {
        RunResult { exit: Exit::Findings, counts: None, errors }
    }
}

/// Like [`run_declarations`], but returns counts and errors.
pub fn run_all(
    mut declarations: Declarations,
    mut found: Vec<Diagnostic>,
    run: RunArguments<'_>,
    session: &mut Session,
    output: &mut Console,
) -> io::Result<RunResult> {
    let begun = process::now();
    let RunArguments { running: arguments, stop, mut listener, skip_tags, sets_aside, show_diff, exit_of } = run;
    let mut system = session.machine.system().clone();
    if let Some(directory) = &arguments.state_dir {
        system = system.with_state(std::path::absolute(directory)?);
    }
    let modules: io::Result<Vec<PathBuf>> = session.modulepath.iter().map(std::path::absolute).collect();
    let machine = Machine::new(system.with_modulepath(modules?)).with_purge_limit(arguments.purge_limit);
    session.machine = machine.with_ruby(session.natives.programs.ruby().cloned());
    let machine = session.machine.clone();
    let natives = session.natives.clone();
    let target = Target { machine: &machine, natives: &natives, strict: arguments.strict };
    if sets_aside {
        let errors: Vec<Diagnostic> = found.iter().filter(|d| d.is_error()).cloned().collect();
        if declarations.set_aside(&errors) {
            found.retain(|d| !d.is_error());
        }
    }
    let declared = loop {
        let declared = target.declare(&declarations, &session.types, Purpose::Run);
        let errors: Vec<Diagnostic> = declared.diagnostics.iter().filter(|d| d.is_error()).cloned().collect();
        let before = declarations.unusable.len();
        // Setting a resource aside can invalidate resources that refer to it, so declare again.
        if !sets_aside || errors.is_empty() || !declarations.set_aside(&errors) || declarations.unusable.len() == before {
            break declared;
        }
    };
    found.extend(declared.diagnostics);
    let found = session.traced(&declarations, found);
    let is_wrong = session.show(&found, output)?;
    let errors: Vec<Diagnostic> = found.into_iter().filter(Diagnostic::is_error).collect();
    // The resources of a type with errors have been set aside.
    if is_wrong && !(sets_aside && errors.is_empty()) {
        nothing_changed(arguments, output)?;
        return Ok(RunResult::refused(errors));
    }
    let mut waiting = |message: &str| eprintln!("notice: {message}");
    let mut run = match target.begin(arguments.noop, Duration::from_secs(arguments.wait_for_lock), &mut waiting) {
        Ok(run) => run,
        Err(why) => return refused(why, session, output),
    };
    let options = ApplyOptions {
        noop: arguments.noop,
        tags: without_blanks(&arguments.tags),
        skip_tags: without_blanks(skip_tags),
        now: jiff::Zoned::now(),
        show_diff,
    };
    let redactor = machine.system().redactor();
    let sources = session.types.sources.clone();
    let simulated = natives.simulation().is_some();
    let mode = RunMode { noop: arguments.noop, simulated, provenance: Provenance::of(&declarations) };
    output.flush()?;
    let mut report = match &arguments.report {
        Some(path) => Some(Lines::new(create(path)?, sources.clone(), redactor.clone(), mode.clone(), &options.now)),
        None => None,
    };
    let catalog = declared.catalog;
    let mut go = |main: &mut dyn Listener| {
        let mut listeners: Vec<&mut dyn Listener> = vec![main];
        listeners.extend(report.as_mut().map(|r| r as &mut dyn Listener));
        // Reborrow for the duration of this run.
        listeners.extend(listener.as_mut().map(|l| &mut **l as &mut dyn Listener));
        run.apply(&declarations, catalog.clone(), &session.types, &options, stop.stopped(), &mut Tee(listeners))
    };
    let mut exit = Exit::Clean;
    // If output cannot be written, the run is still completed and its state is saved.
    let mut written = Ok(());
    let result = match arguments.format {
        TextOrJson::Text => {
            let terminal = io::stderr().is_terminal() && !is_dumb_terminal();
            let mut live = Live::new(io::stdout().lock(), redactor.clone(), output.colors(), terminal, session.verbose)
                .with_sources(sources)
                .with_quiet(arguments.quiet)
                .with_simulated(simulated);
            let result = go(&mut live);
            if let Ok(counts) = &result {
                written = live.finish(counts, begun.elapsed().as_secs_f64()).map(drop);
            }
            result
        }
        TextOrJson::Json => {
            let out = io::LineWriter::with_capacity(LINE, io::stdout().lock());
            let mut lines = Lines::new(out, sources, redactor.clone(), mode, &options.now);
            let result = go(&mut lines);
            if let Ok(counts) = &result {
                exit = exit_of(counts, arguments.detailed_exitcodes);
                written = lines.finish(counts, begun.elapsed().as_secs_f64(), exit.code()).map(drop);
            }
            result
        }
    };
    let counts = match result {
        Ok(counts) => counts,
        Err(found) => {
            session.show(&found, output)?;
            nothing_changed(arguments, output)?;
            return Ok(RunResult::refused(found));
        }
    };
    if exit == Exit::Clean {
        exit = exit_of(&counts, arguments.detailed_exitcodes);
    }
    if let Some(report) = report {
        let reported = report.finish(&counts, begun.elapsed().as_secs_f64(), exit.code()).map(drop);
        written = written.and(reported);
    }
    if let Err(why) = run.finish() {
        return refused(why, session, output);
    }
    match written {
        // A closed pipe does not change the exit status.
        Err(e) if e.kind() != io::ErrorKind::BrokenPipe => return Err(e),
        _ => {}
    }
    Ok(RunResult { exit, counts: Some(counts), errors: Vec::new() })
}

fn without_blanks(tags: &[String]) -> Vec<EcoString> {
    tags.iter().map(|tag| tag.trim()).filter(|tag| !tag.is_empty()).map(Into::into).collect()
}

/// Returns Puppet's exit statuses with `--detailed-exitcodes`. A run with `--noop` counts planned changes as changes.
fn exit_of(counts: &Counts, detailed: bool) -> Exit {
    match (counts.has_failed(), counts.is_quiet(), detailed) {
        (false, _, false) | (false, true, true) => Exit::Clean,
        (true, _, false) => Exit::Findings,
        (false, false, true) => Exit::Changed,
        (true, true, true) => Exit::Failed,
        (true, false, true) => Exit::ChangedAndFailed,
    }
}

/// Reports that errors prevented all changes. With JSON, standard output contains only events.
fn nothing_changed(arguments: &Running, output: &mut Console) -> io::Result<()> {
    match arguments.format {
        TextOrJson::Text => output.print("nothing was changed because of these errors\n"),
        TextOrJson::Json => Ok(()),
    }
}

fn refused(why: Diagnostic, session: &mut Session, output: &mut Console) -> io::Result<RunResult> {
    session.show(std::slice::from_ref(&why), output)?;
    Ok(RunResult::refused(vec![why]))
}

fn create(path: &Path) -> io::Result<io::BufWriter<std::fs::File>> {
    open_report(path).map(io::BufWriter::new).map_err(|e| io::Error::new(e.kind(), format!("`{}`: {e}", path.display())))
}

/// Opens a report for writing: creates or empties a regular file. Links of other users are refused. Descriptors opened by the shell and
/// devices that never block are accepted.
fn open_report(path: &Path) -> io::Result<std::fs::File> {
    use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
    let mut options = std::fs::File::options();
    options.write(true);
    if ["/dev/fd/", "/dev/std", "/proc/self/fd/"].iter().any(|open| path.to_string_lossy().starts_with(open)) {
        return named::open(path, &options);
    }
    let target = Tree::at("/").follow(&std::path::absolute(path)?)?.path();
    options.create(true).mode(0o600).custom_flags(nix::libc::O_NOFOLLOW | nix::libc::O_NONBLOCK | nix::libc::O_NOCTTY);
    let file = named::open(target, &options)?;
    let kind = file.metadata()?.file_type();
    if kind.is_file() {
        file.set_len(0)?;
    } else if !kind.is_char_device() {
        return Err(io::Error::other("it is not a regular file"));
    }
    Ok(file)
}
