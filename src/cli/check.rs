//! `rtype check PATH…`

use super::Exit;
use super::arguments::{Check, ProfileName};
use super::output::Console;
use super::report;
use super::watch::Watch;
use crate::app::input;
use crate::app::session::{Session, Show, shorten};
use rtype_author::check::config;
use rtype_author::check::{self, Baseline, Checked, Selection, Selector, UnknownCode};
use rtype_lang::diagnostics::{Diagnostic, Profile, Severity};
use rtype_system::named;
use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};

/// What is checked in directories.
pub const EXTENSIONS: &[&str] = &["rtype", "pp", "json", "yaml", "yml", "rb"];

/// The file that `--update-baseline` writes unless something else is said.
const BASELINE: &str = "rtype-baseline.json";

pub fn run(arguments: &Check, session: &mut Session, output: &mut Console) -> io::Result<Exit> {
    let selection = match selection(arguments, session) {
        Ok(selection) => selection,
        Err(unknown) => return wrong(output, &format!("{unknown}; {}", unknown.help())),
    };
    if !arguments.watch {
        return once(arguments, &selection, session, output);
    }
    if let Some(missing) = arguments.paths.iter().find(|path| !named::exists(Path::new(path))) {
        return wrong(output, &format!("cannot watch `{missing}`: no such file or directory"));
    }
    let watch = match Watch::new(&arguments.paths, EXTENSIONS) {
        Ok(watch) => watch,
        Err(error) => return wrong(output, &format!("cannot watch for changes: {error}")),
    };
    loop {
        output.clear()?;
        once(arguments, &selection, session, output)?;
        output.print("watching for changes, Ctrl-C ends\n")?;
        output.flush()?;
        if !watch.wait() {
            return Ok(Exit::Clean);
        }
        session.start_afresh();
    }
}

/// What the configuration and the command line choose.
fn selection(arguments: &Check, session: &Session) -> Result<Selection, UnknownCode> {
    let mut selection = session.config.selection.clone();
    match arguments.profile {
        Some(ProfileName::Min) => selection.profile = Profile::Min,
        Some(ProfileName::Default) => selection.profile = Profile::Default,
        Some(ProfileName::Strict) => selection.profile = Profile::Strict,
        None => {}
    }
    for (texts, list) in [(&arguments.select, &mut selection.select), (&arguments.ignore, &mut selection.ignore)] {
        for text in texts {
            list.push(Selector::parse(text)?);
        }
    }
    Ok(selection)
}

fn wrong(output: &mut Console, message: &str) -> io::Result<Exit> {
    output.flush()?;
    eprintln!("rtype: {message}");
    Ok(Exit::Other)
}

fn once(arguments: &Check, selection: &Selection, session: &mut Session, output: &mut Console) -> io::Result<Exit> {
    let (mut files, mut found) = session.collect(&arguments.paths, EXTENSIONS);
    arguments.baseline.iter().for_each(|path| session.admit(path));
    let baseline_path = arguments.baseline.clone().or_else(|| session.config.baseline.as_ref().map(|setting| setting.path.clone()));
    // Of what directories hold, neither the baseline nor data without resources is an input.
    let own = baseline_path.clone().unwrap_or_else(|| PathBuf::from(BASELINE));
    let own = selection.root.place(&own.to_string_lossy());
    let named: HashSet<PathBuf> = arguments.paths.iter().map(|named| input::relative(named).into()).collect();
    let excluded = session.exclude(&mut files, &named);
    let mut others = 0;
    // Types that are checked are known by the names of their files.
    let is_types = |file: &&PathBuf| file.extension().is_some_and(|e| e == "rtype" || e == "rb");
    let mut types = session.types.names();
    types.extend(files.iter().filter(is_types).filter_map(|file| Some(file.file_stem()?.to_str()?.to_owned())));
    files.retain(|file| {
        let place = selection.root.place(&file.to_string_lossy());
        let is_named = named.contains(file);
        let is_other = !is_named && place != own && !session.holds_resources(file, &types);
        others += usize::from(is_other);
        is_named || !(is_other || place == own)
    });
    if files.is_empty() && others > 0 && found.is_empty() {
        found.push(input::nothing(&arguments.paths.join("`, `"), EXTENSIONS));
    }
    let inputs = session.inputs(&files, arguments.stdin_filename.as_deref(), &mut found);
    let unread = found.clone();
    let baseline = match baseline_path.as_ref().filter(|_| !arguments.update_baseline).map(|path| read_baseline(path, session)) {
        Some(Err(diagnostic)) => {
            output.diagnostic(&diagnostic, &session.types.sources, &session.types.secrets)?;
            return Ok(Exit::Other);
        }
        Some(Ok(baseline)) => Some(baseline),
        None => None,
    };
    // What is written to a baseline or fixed must be there; of what is reported, as many as are shown.
    let needs_all = arguments.update_baseline || arguments.fix || arguments.unsafe_fixes || arguments.diff;
    let shown = session.max_findings.saturating_add(baseline.as_ref().map_or(0, Baseline::len));
    let most_kept = if needs_all { usize::MAX } else { selection.most_kept.max(shown) };
    let selection = &Selection { most_kept, ..selection.clone() };
    let mut checked = check::run(&inputs, found, &mut session.types, &session.natives, &session.machine, selection);
    if arguments.update_baseline {
        let path = baseline_path.unwrap_or_else(|| PathBuf::from(BASELINE));
        return update_baseline(&path, &checked, selection, session, output);
    }
    let mut known = baseline.as_ref().map_or(0, |b| b.apply(&mut checked, selection));
    let mut after = Vec::new();
    if excluded > 0 {
        after.push(format!("{}\n", excluded_files(excluded)));
    }
    if arguments.fix || arguments.unsafe_fixes || arguments.diff {
        let (fixed, dropped) = fixes(arguments, &inputs, &checked, selection, session);
        for name in &dropped {
            after.push(format!("the changes of {name} would have made new errors and were left out\n"));
        }
        if arguments.diff {
            for file in &fixed {
                let source = inputs.iter().map(check::Input::source).find(|s| s.name() == file.name);
                let secrets = source.map(|s| session.types.secrets.words(s)).unwrap_or_default();
                output.diff(&file.name, &file.before, &file.after, &secrets)?;
            }
            let count: usize = fixed.iter().map(|f| f.fixes).sum();
            output.flush()?;
            unread.iter().try_for_each(|why| output.diagnostic(why, &session.types.sources, &session.types.secrets))?;
            eprintln!("{} would go", findings(count));
            return Ok(if fixed.is_empty() && unread.is_empty() { Exit::Clean } else { Exit::Findings });
        }
        for file in &fixed {
            if rtype_lang::library::STDIN == file.name || arguments.stdin_filename.as_deref() == Some(Path::new(&file.name)) {
                output.print(&file.after)?;
                output.turn_aside()?;
            } else if let Err(why) = session.access.write(&file.name, &file.after) {
                return wrong(output, &why.message);
            }
        }
        let count: usize = fixed.iter().map(|f| f.fixes).sum();
        after.push(format!("{} fixed\n", findings(count)));
        session.start_afresh();
        let texts = inputs.iter().map(|i| {
            let name = i.source().name();
            let text = fixed.iter().find(|f| f.name == name).map_or_else(|| i.source().text(), |f| &f.after);
            (name.to_owned(), text.to_owned())
        });
        let texts = texts.collect();
        let mut found = unread;
        let inputs = session.inputs_of(texts, &mut found);
        checked = check::run(&inputs, found, &mut session.types, &session.natives, &session.machine, selection);
        known = baseline.map_or(0, |b| b.apply(&mut checked, selection));
    }
    checked.limit(session.max_findings, &session.types.sources);
    checked.findings.iter_mut().map(|f| &mut f.diagnostic).for_each(shorten);
    let written = report::write(&arguments.reports, &checked, &remarks(&checked, known, after, session), session, output)?;
    let most = arguments.max_warnings.or(session.config.max_warnings).unwrap_or(0);
    let bad = checked.count(Severity::Error) > 0 || checked.count(Severity::Warning) > most;
    Ok(match written {
        false => Exit::Other,
        true if bad && !arguments.exit_zero => Exit::Findings,
        true => Exit::Clean,
    })
}

/// Returns the messages to report in addition to the findings.
fn remarks(checked: &Checked, known: usize, after: Vec<String>, session: &Session) -> Vec<String> {
    let mut remarks = Vec::new();
    if session.verbose {
        for (finding, reason) in &checked.suppressed {
            let place = session.types.sources.locate(finding.diagnostic.span()).unwrap_or_default();
            let reason = reason.as_ref().map(|r| format!(": {r}")).unwrap_or_default();
            remarks.push(format!("{place}: {} is allowed{reason}\n", finding.diagnostic.code));
        }
    }
    remarks.extend(after);
    if known > 0 {
        remarks.push(format!("{} of the baseline left out\n", findings(known)));
    }
    remarks
}

fn fixes(
    arguments: &Check,
    inputs: &[check::Input],
    checked: &Checked,
    selection: &Selection,
    session: &Session,
) -> (Vec<check::Fixed>, Vec<String>) {
    let mut again = |texts: &[(String, String)]| {
        let mut found = Vec::new();
        let mut other = session.beside();
        let inputs = other.inputs_of(texts.to_vec(), &mut found);
        let checked = check::run(&inputs, found, &mut other.types, &other.natives, &other.machine, selection);
        (checked, other.types.sources)
    };
    check::fix(inputs, checked, &session.types.sources, arguments.unsafe_fixes, &mut again)
}

/// Says that files that were named are left out.
pub fn excluded_files(count: usize) -> String {
    let (files, are) = if count == 1 { ("file", "is") } else { ("files", "are") };
    format!("{count} named {files} {are} excluded by `{}`", config::FILE)
}

fn read_baseline(path: &Path, session: &mut Session) -> Result<Baseline, Diagnostic> {
    let source = session.types.read(&path.to_string_lossy())?;
    Baseline::parse(&source)
}

fn update_baseline(path: &Path, checked: &Checked, selection: &Selection, session: &mut Session, output: &mut Console) -> io::Result<Exit> {
    let mut baseline = Baseline::of(checked, &session.types.sources, &selection.root);
    if named::exists(path)
        && let Ok(old) = read_baseline(path, session)
    {
        let up: PathBuf = selection.root.inside.components().map(|_| "..").collect();
        baseline.keep(old, checked, selection, &|file| named::exists(up.join(file)));
    }
    if let Err(why) = session.access.write(&path.to_string_lossy(), &baseline.to_text()) {
        return wrong(output, &why.message);
    }
    output.print(&format!("{} written to {}\n", findings(baseline.len()), path.display()))?;
    let rest: Vec<_> = checked.findings.iter().filter(|f| !check::is_ignorable(f.diagnostic.code)).collect();
    for finding in rest.iter().take(session.max_findings) {
        output.finding(&finding.diagnostic, &session.types.sources, &session.types.secrets)?;
    }
    Ok(if rest.is_empty() { Exit::Clean } else { Exit::Findings })
}

fn findings(count: usize) -> String {
    format!("{count} finding{}", if count == 1 { "" } else { "s" })
}
