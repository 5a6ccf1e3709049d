//! `rtype fmt [PATH…]`

use super::Exit;
use super::arguments::Fmt;
use super::output::Console;
use crate::app::input::Collected;
use crate::app::session::Session;
use rtype_author::check::left_out_text;
use rtype_lang::diagnostics::{Code, Diagnostic, printable};
use rtype_lang::source::{Source, Span};
use rtype_lang::syntax::{self, LINE_WIDTH, apply};
use rtype_manifest::format as manifest;
use rtype_model::manifest::suspects;
use std::io;
use std::path::Path;

pub fn run(arguments: &Fmt, session: &mut Session, output: &mut Console) -> io::Result<Exit> {
    let paths = if arguments.paths.is_empty() { vec![".".to_owned()] } else { arguments.paths.clone() };
    let mut collected = session.collect(&paths, &["rtype", "pp"]);
    session.exclude(&mut collected);
    let Collected { files, left_out, diagnostics: mut found } = collected;
    if !left_out.is_empty() {
        eprintln!("not formatted: {}", left_out_text(&left_out));
    }
    if arguments.range.is_some() && files.len() != 1 {
        eprintln!("rtype: `--range` is about one file");
        return Ok(Exit::Usage);
    }
    let mut failed = session.show(&found, output)?;
    let (mut changed, mut unchanged) = (0, 0);
    for file in &files {
        let name = file.to_string_lossy();
        found.clear();
        match one(&name, arguments, session) {
            Ok((source, text)) => {
                let differs = text != source.text();
                if !arguments.only_shows() && name == "-" {
                    output.print_file(&text)?;
                } else if !differs {
                    unchanged += 1;
                } else if let Some(why) = show_or_write(&name, &source, &text, arguments, session, output)? {
                    found.push(why);
                } else {
                    changed += 1;
                }
            }
            Err(why) => found.extend(why),
        }
        failed |= session.show(&found, output)?;
    }
    output.flush()?;
    let to_stdout = files.iter().any(|f| f.as_os_str() == "-");
    if !to_stdout && changed + unchanged > 0 {
        let word = if arguments.only_shows() { "would be formatted" } else { "formatted" };
        eprintln!("{}", summary(word, changed, unchanged));
    }
    let differs = changed > 0 && arguments.only_shows();
    Ok(if failed || differs { Exit::Findings } else { Exit::Clean })
}

/// Returns a file and the formatted content.
fn one(name: &str, arguments: &Fmt, session: &mut Session) -> Result<(std::sync::Arc<Source>, String), Vec<Diagnostic>> {
    let shown = arguments.stdin_filename.as_deref().filter(|_| name == "-").unwrap_or(name);
    let text = session.access.read(name, true).map_err(|d| vec![d])?;
    let source = session.types.keep(if shown == "-" { rtype_lang::library::STDIN } else { shown }, text).map_err(|d| vec![d])?;
    let is_manifest = match Path::new(shown).extension().and_then(|e| e.to_str()) {
        Some("json" | "yaml" | "yml" | "epp") => {
            let message = format!("`{shown}` is neither a type file nor a manifest");
            return Err(vec![Diagnostic::new(Code::CannotRead, Span::NONE, message).help("`rtype fmt` formats .rtype and .pp")]);
        }
        extension => extension == Some("pp"),
    };
    session.types.secrets.extend(&suspects(&source));
    let width = arguments.line_width.or(session.config.line_width).unwrap_or(LINE_WIDTH);
    let range = arguments.range.map(|(from, to)| Span::new(source.at(from), source.at(to)));
    let edited = |edit: Option<_>| edit.map_or_else(|| source.text().to_owned(), |edit| apply(&source, &edit));
    let text = match (range, is_manifest) {
        (None, true) => manifest::format(&source),
        (None, false) => syntax::format(&source, width),
        (Some(range), true) => manifest::format_range(&source, range).map(edited),
        (Some(range), false) => syntax::format_range(&source, width, range).map(edited),
    };
    // Diffs and errors show parts of the file, so find the secrets that other commands would redact.
    if arguments.diff || text.is_err() {
        session.note_secrets(&source);
    }
    Ok((source, text?))
}

/// Writes a changed file, or shows the changes. Returns the error if the file cannot be written.
fn show_or_write(
    name: &str,
    source: &Source,
    text: &str,
    arguments: &Fmt,
    session: &Session,
    output: &mut Console,
) -> io::Result<Option<Diagnostic>> {
    if arguments.diff {
        output.diff(source.name(), source.text(), text, &session.types.secrets.words(source))?;
    } else if arguments.check {
        output.print(&format!("{}\n", printable(source.name())))?;
    } else {
        return Ok(session.access.write(name, text).err());
    }
    Ok(None)
}

fn summary(word: &str, changed: usize, unchanged: usize) -> String {
    let files = |n: usize| format!("{n} file{}", if n == 1 { "" } else { "s" });
    match (changed, unchanged) {
        (0, n) => format!("{} left as {}", files(n), if n == 1 { "it is" } else { "they are" }),
        (n, 0) => format!("{} {word}", files(n)),
        (n, rest) => format!("{} {word}, {rest} left as {}", files(n), if rest == 1 { "it is" } else { "they are" }),
    }
}
