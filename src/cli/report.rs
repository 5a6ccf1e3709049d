//! Writes findings to standard output and to files, as requested by `--format` and `--report`.

use super::arguments::Check;
use super::output::{Console, is_github};
use crate::app::session::Session;
use rtype_author::check::Checked;
use rtype_author::check::format::{Format, Results, render, render_statistics};
use rtype_lang::diagnostics::{Renderer, Style, printable, printable_json, printable_text};
use std::io;

/// Reports the findings. Returns whether all reports could be written.
///
/// # Errors
/// If standard output cannot be written.
pub fn write(arguments: &Check, checked: &Checked, remarks: &[String], session: &Session, output: &mut Console) -> io::Result<bool> {
    let results = Results { checked, sources: &session.types.sources, secrets: &session.types.secrets, remarks };
    let reports = &arguments.reports;
    let format = reports.format.unwrap_or(Format::Full);
    if arguments.statistics {
        output.print(&render_statistics(format == Format::Json, &results))?;
    } else {
        let text = render(format, &results, output.renderer());
        let text = match format {
            Format::Full => output.without_commands(&text),
            Format::Json | Format::Jsonl | Format::Sarif | Format::Gitlab | Format::Rdjson => printable_json(&text).into_owned(),
            Format::Concise | Format::Github | Format::Junit | Format::Checkstyle => text,
        };
        output.print(&text)?;
    }
    // Workflow commands in addition to the readable log, so that GitHub marks the affected lines.
    if reports.format.is_none() && is_github() {
        output.print(&render(Format::Github, &results, output.renderer()))?;
    }
    output.flush()?;
    if format == Format::Json || (format != Format::Full && !arguments.statistics) {
        remarks.iter().for_each(|line| eprint!("{}", printable_text(line)));
        checked.not_checked_text().iter().for_each(|text| eprintln!("{text}"));
    }
    let plain = Renderer::new(Style::Plain);
    let mut written = true;
    for (format, path) in &reports.reports {
        if let Err(why) = session.access.write_named(&path.to_string_lossy(), &render(*format, &results, &plain)) {
            eprintln!("rtype: {}", printable(&why.message));
            written = false;
        }
    }
    Ok(written)
}
