//! `rtype check PATH…`

use super::Exit;
use super::arguments::{Check, ProfileName};
use super::output::Console;
use super::report;
use super::watch::repeat;
use crate::app::check::files::{CheckPurpose, CheckRequest, EXTENSIONS, FileCheck, Fixes, WrittenBaseline};
use crate::app::session::{Session, Show};
use rtype_author::check::format::Format;
use rtype_author::check::{Selection, Selector, SelectorError};
use rtype_lang::diagnostics::{Diagnostic, Profile, printable};
use std::io;
use std::path::Path;

pub fn run(arguments: &Check, session: &mut Session, output: &mut Console) -> io::Result<Exit> {
    let selection = match selection(arguments, session) {
        Ok(selection) => selection,
        Err(why) => return wrong(output, &format!("{why}; {}", why.help())),
    };
    if !arguments.watch {
        return once(arguments, &selection, session, output);
    }
    repeat(&arguments.paths, EXTENSIONS, session, output, |session, output| once(arguments, &selection, session, output))
}

/// Returns the rules selected by the configuration and the command line.
fn selection(arguments: &Check, session: &Session) -> Result<Selection, SelectorError> {
    let mut selection = session.config.selection.clone();
    match arguments.profile {
        Some(ProfileName::Min) => selection.profile = Profile::Min,
        Some(ProfileName::Default) => selection.profile = Profile::Default,
        Some(ProfileName::Strict) => selection.profile = Profile::Strict,
        None => {}
    }
    for text in &arguments.select {
        selection.select.push(Selector::parse(text)?);
    }
    for text in &arguments.ignore {
        selection.ignore.push(Selector::parse_ignored(text)?);
    }
    Ok(selection)
}

fn wrong(output: &mut Console, message: &str) -> io::Result<Exit> {
    output.flush()?;
    eprintln!("rtype: {}", printable(message));
    Ok(Exit::Usage)
}

fn once(arguments: &Check, selection: &Selection, session: &mut Session, output: &mut Console) -> io::Result<Exit> {
    if arguments.statistics && !matches!(arguments.reports.format, None | Some(Format::Full | Format::Concise | Format::Json)) {
        return wrong(output, "`--statistics` supports only the formats full, concise and json; use `--report` for other formats");
    }
    let request = CheckRequest {
        paths: &arguments.paths,
        stdin: arguments.stdin_filename.as_deref(),
        baseline: arguments.baseline.as_deref(),
        purpose: purpose(arguments),
        since: arguments.since.as_deref(),
        selection,
    };
    let mut check = match FileCheck::run(&request, session) {
        Ok(check) => check,
        Err(diagnostic) => {
            output.diagnostic(&diagnostic, &session.types.sources, &session.types.secrets)?;
            return Ok(Exit::Usage);
        }
    };
    let (mut after, mut unwritten) = (Vec::new(), false);
    match request.purpose {
        CheckPurpose::NewBaseline => {
            let written = check.write_baseline(session);
            return new_baseline(written, session, output);
        }
        CheckPurpose::Adopt => return adopt(arguments, check, session, output),
        CheckPurpose::Fix | CheckPurpose::Suppress => {
            let suppresses = request.purpose == CheckPurpose::Suppress;
            let mut fixes = if suppresses { check.suppressions(session) } else { check.fixes(arguments.unsafe_fixes, session) };
            if arguments.diff {
                return diff(&check, &fixes, session, output);
            }
            unwritten = write_fixed(arguments, &mut fixes, session, output)?;
            let dropped = fixes.dropped.iter();
            after.extend(dropped.map(|name| format!("the changes of {name} would have made new errors and were left out\n")));
            after.push(format!("{} {}\n", findings(fixes.count()), if suppresses { "suppressed" } else { "fixed" }));
            check.check_fixed(&fixes, session);
            let rest = check.checked.findings.len();
            if suppresses && rest > 0 {
                after.push(format!(
                    "{} cannot be suppressed by a comment: fix, or add `--update-baseline` to write them to the baseline\n",
                    findings(rest)
                ));
            }
        }
        CheckPurpose::Report => {}
    }
    check.limit(session);
    let remarks = remarks(&check, after, session);
    let written = report::write(arguments, &check.checked, &remarks, session, output)?;
    Ok(match written && !unwritten {
        false => Exit::Usage,
        true if check.has_failed(arguments.max_warnings, session) && !arguments.exit_zero => Exit::Findings,
        true => Exit::Clean,
    })
}

fn purpose(arguments: &Check) -> CheckPurpose {
    if arguments.fix_suppress && arguments.update_baseline {
        CheckPurpose::Adopt
    } else if arguments.update_baseline {
        CheckPurpose::NewBaseline
    } else if arguments.fix_suppress {
        CheckPurpose::Suppress
    } else if arguments.fix || arguments.unsafe_fixes || arguments.diff {
        CheckPurpose::Fix
    } else {
        CheckPurpose::Report
    }
}

/// Prints the fixes as a diff.
fn diff(check: &FileCheck, fixes: &Fixes, session: &Session, output: &mut Console) -> io::Result<Exit> {
    for file in &fixes.files {
        output.diff(&file.name, &file.before, &file.after, &check.secrets(&file.name, session))?;
    }
    output.flush()?;
    check.unread.iter().try_for_each(|why| output.diagnostic(why, &session.types.sources, &session.types.secrets))?;
    eprintln!("{} would go", findings(fixes.count()));
    Ok(if fixes.files.is_empty() && check.unread.is_empty() { Exit::Clean } else { Exit::Findings })
}

/// Writes each fixed file. Fixed standard input goes to standard output. Removes files that cannot be written from `fixes`. Returns whether
/// a write failed.
fn write_fixed(arguments: &Check, fixes: &mut Fixes, session: &Session, output: &mut Console) -> io::Result<bool> {
    let mut unwritten = Vec::new();
    for file in &fixes.files {
        if rtype_lang::library::STDIN == file.name || arguments.stdin_filename.as_deref() == Some(Path::new(&file.name)) {
            output.print_file(&file.after)?;
            output.turn_aside()?;
        } else if let Err(why) = session.access.write(&file.name, &file.after) {
            unwritten.push(file.name.clone());
            wrong(output, &why.message)?;
        }
    }
    fixes.files.retain(|file| !unwritten.contains(&file.name));
    Ok(!unwritten.is_empty())
}

/// Suppresses findings with comments, and writes the other findings to the baseline.
fn adopt(arguments: &Check, check: FileCheck, session: &mut Session, output: &mut Console) -> io::Result<Exit> {
    let mut fixes = check.suppressions(session);
    let unwritten = write_fixed(arguments, &mut fixes, session, output)?;
    output.print(&format!("{} suppressed\n", findings(fixes.count())))?;
    let written = check.write_baseline_of_fixed(&fixes, session);
    let exit = new_baseline(written, session, output)?;
    Ok(if unwritten { Exit::Usage } else { exit })
}

fn new_baseline(written: Result<WrittenBaseline, Box<Diagnostic>>, session: &Session, output: &mut Console) -> io::Result<Exit> {
    let written = match written {
        Ok(written) => written,
        Err(why) => return wrong(output, &why.message),
    };
    output.print(&format!("{} written to {}\n", findings(written.count), written.path.display()))?;
    for diagnostic in written.rest.iter().take(session.max_findings) {
        output.finding(diagnostic, &session.types.sources, &session.types.secrets)?;
    }
    Ok(if written.rest.is_empty() { Exit::Clean } else { Exit::Findings })
}

/// Returns the messages to report in addition to the findings.
fn remarks(check: &FileCheck, after: Vec<String>, session: &Session) -> Vec<String> {
    let mut remarks = Vec::new();
    if session.verbose {
        for (finding, reason) in &check.checked.suppressed {
            let place = session.types.sources.locate(finding.diagnostic.span()).unwrap_or_default();
            let reason = reason.as_ref().map(|r| format!(": {r}")).unwrap_or_default();
            remarks.push(format!("{place}: {} is allowed{reason}\n", finding.diagnostic.code));
        }
    }
    remarks.extend(after);
    if check.known > 0 {
        remarks.push(format!("{} of the baseline left out\n", findings(check.known)));
    }
    if check.unchanged > 0 {
        remarks.push(format!("{} outside of the changes left out\n", findings(check.unchanged)));
    }
    remarks
}

fn findings(count: usize) -> String {
    format!("{count} finding{}", if count == 1 { "" } else { "s" })
}
