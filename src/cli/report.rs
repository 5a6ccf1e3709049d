//! Findings on standard output and in files, as `--format` and `--report` say.

use super::arguments::Reports;
use super::output::Output;
use super::session::Session;
use crate::check::Checked;
use crate::check::format::{Format, Results, render};
use crate::diagnostics::{Renderer, Style};
use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Tells what was found; whether all reports could be written.
///
/// # Errors
/// When standard output cannot be written.
pub fn tell(reports: &Reports, checked: &Checked, session: &Session, output: &mut Output) -> io::Result<bool> {
    let results = Results { checked, sources: &session.library.sources, secrets: &session.library.secrets };
    let printed = render(reports.format.unwrap_or(Format::Full), &results, output.renderer());
    output.print(&printed)?;
    // The log of a run stays readable for people, and the lines of the change are marked.
    if reports.format.is_none() && std::env::var_os("GITHUB_ACTIONS").is_some_and(|v| v == "true") {
        output.print(&render(Format::Github, &results, output.renderer()))?;
    }
    output.flush()?;
    let plain = Renderer::new(Style::Plain);
    let mut written = true;
    for (format, path) in &reports.reports {
        if let Err(error) = write(path, &render(*format, &results, &plain)) {
            eprintln!("rtype: cannot write the report `{}`: {error}", path.display());
            written = false;
        }
    }
    Ok(written)
}

/// Writes a file as a whole: who reads it meanwhile sees the old text or the new one. A link stays a link, and what is no file, such as
/// `/dev/stderr`, is written to.
fn write(path: &Path, text: &str) -> io::Result<()> {
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if target.exists() && !target.is_file() {
        return fs::OpenOptions::new().write(true).open(path)?.write_all(text.as_bytes());
    }
    let folder = target.parent().filter(|f| !f.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // A new file as others are made; what was there keeps its permissions.
    let mode = fs::metadata(&target).map_or(0o666, |m| m.permissions().mode() & 0o777);
    let mut file = tempfile::Builder::new().prefix(".rtype-").permissions(fs::Permissions::from_mode(mode)).tempfile_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.persist(&target).map(drop).map_err(|e| e.error)
}
