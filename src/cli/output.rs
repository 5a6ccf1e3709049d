//! The destinations of results and diagnostics, and their colours.

use super::arguments::Color;
use crate::app::input::FileAccess;
use crate::app::is_dumb_terminal;
use crate::app::session::Show;
use rtype_author::docs::Page;
use rtype_lang::diagnostics::{Diagnostic, Redactions, Renderer, Style, printable_json, printable_text};
use rtype_lang::source::SourceMap;
use rtype_lang::value::REDACTED;
use rtype_model::manifest::blacked_out;
use rtype_model::text_diff;
use rtype_system::{named, process};
use std::borrow::Cow;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::Path;

/// Limits the renderer to the width of the terminal; output to files is not wrapped.
fn fitting(renderer: Renderer, terminal: bool) -> Renderer {
    match terminal.then(terminal_size::terminal_size).flatten() {
        Some((width, _)) => renderer.width(usize::from(width.0)),
        None if terminal => renderer,
        None => renderer.unwrapped(),
    }
}

/// Returns whether the output is read by GitHub's runner.
pub fn is_github() -> bool {
    process::variable("GITHUB_ACTIONS").is_some_and(|value| value == "true")
}

/// Returns a random word, so that no checked file can contain it on purpose.
fn unguessable() -> String {
    let part = || RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", part(), part())
}

/// Returns the content of a page with control characters escaped.
fn page_text(page: &Page) -> Cow<'_, str> {
    let is_json = Path::new(&page.path).extension().is_some_and(|e| e == "json");
    if is_json { printable_json(&page.text) } else { printable_text(&page.text) }
}

/// The output of a command. Results go to standard output, diagnostics to standard error. The diagnostics of `check` are results.
pub struct Console {
    stdout: BufWriter<io::Stdout>,
    color_stdout: bool,
    renderer_stdout: Renderer,
    renderer_stderr: Renderer,
    aside: bool,
    /// The token that ends `::stop-commands::`. Set only under GitHub's runner.
    runner_token: Option<String>,
}

impl Console {
    /// Chooses colours and box-drawing characters for both streams.
    pub fn new(color: Color) -> Console {
        let wants = |terminal: bool| match color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => terminal && process::variable("NO_COLOR").is_none_or(|v| v.is_empty()),
        };
        let style = |terminal: bool| {
            let color = wants(terminal);
            if terminal || color { Style::Graphical { color } } else { Style::Plain }
        };
        // Dumb terminals have neither colors nor box-drawing characters.
        let is_dumb = is_dumb_terminal();
        let (out, err) = (io::stdout().is_terminal() && !is_dumb, io::stderr().is_terminal() && !is_dumb);
        Console {
            stdout: BufWriter::new(io::stdout()),
            color_stdout: wants(out),
            renderer_stdout: fitting(Renderer::new(style(out)), out),
            renderer_stderr: fitting(Renderer::new(style(err)), err),
            aside: false,
            runner_token: is_github().then(unguessable),
        }
    }

    /// Returns whether results may be coloured.
    pub fn colors(&self) -> bool {
        self.color_stdout
    }

    /// Returns the maximum width of results in columns: the width of the terminal. Files get 80 columns, so that they do not depend on a
    /// terminal.
    pub fn width(&self) -> usize {
        let columns = io::stdout().is_terminal().then(terminal_size::terminal_size).flatten().map(|(w, _)| usize::from(w.0));
        columns.map_or(80, |c| c.clamp(40, 120))
    }

    /// Returns the renderer for diagnostics that are results.
    pub fn renderer(&self) -> &Renderer {
        if self.aside { &self.renderer_stderr } else { &self.renderer_stdout }
    }

    /// Sends further results to standard error, because standard output is complete.
    ///
    /// # Errors
    /// The same as for [`Console::print`].
    pub fn turn_aside(&mut self) -> io::Result<()> {
        self.aside = true;
        self.flush()
    }

    /// Prints a result as JSON.
    ///
    /// # Errors
    /// The same as for [`Console::print`].
    pub fn json(&mut self, json: &serde_json::Value) -> io::Result<()> {
        self.print(&printable_json(&serde_json::to_string_pretty(json).unwrap_or_default()))?;
        self.print("\n")
    }

    /// Prints changes to a file as a unified diff. The `secrets` and all values with secret-like names are redacted.
    ///
    /// # Errors
    /// The same as for [`Console::print`].
    pub fn diff(&mut self, name: &str, before: &str, after: &str, secrets: &[String]) -> io::Result<()> {
        let hidden = |text: &str| secrets.iter().fold(blacked_out(text), |text, secret| text.replace(secret, REDACTED));
        let (before, after) = (hidden(before), hidden(after));
        let text = self.without_commands(&text_diff::unified((name, &before), (name, &after)));
        if !self.color_stdout {
            return self.print(&text);
        }
        for line in text.split_inclusive('\n') {
            let color = match line.chars().next() {
                Some('+') => "32",
                Some('-') => "31",
                Some('@') => "36",
                _ => "0",
            };
            self.print(&format!("\u{1b}[{color}m{}\u{1b}[0m\n", line.trim_end_matches('\n')))?;
        }
        Ok(())
    }

    /// Prints a part of the result. Control characters other than colours are escaped.
    ///
    /// # Errors
    /// If the output cannot be written, for example because the reader has closed the pipe.
    pub fn print(&mut self, text: &str) -> io::Result<()> {
        let text = printable_text(text);
        if self.runner_token.is_none() || !text.contains("##[") {
            return self.write(&text);
        }
        // GitHub's runner finds commands such as `##[error]` anywhere in a line, except in a command `::error::`.
        let line = |line: &str| if line.starts_with("::") { line.to_owned() } else { line.replace("##[", "#\\u{23}[") };
        self.write(&text.split_inclusive('\n').map(line).collect::<String>())
    }

    /// Prints a file. Control characters are escaped only on a terminal.
    ///
    /// # Errors
    /// The same as for [`Console::print`].
    pub fn print_file(&mut self, text: &str) -> io::Result<()> {
        if io::stdout().is_terminal() { self.print(text) } else { self.write(text) }
    }

    fn write(&mut self, text: &str) -> io::Result<()> {
        if self.aside { io::stderr().write_all(text.as_bytes()) } else { self.stdout.write_all(text.as_bytes()) }
    }

    /// Writes pages to the output, or to files below a directory. A missing directory is created.
    ///
    /// # Errors
    /// The same as for [`Console::print`], or if a file cannot be written. The error names the file.
    pub fn pages(&mut self, pages: &[Page], folder: Option<&Path>, access: &FileAccess) -> io::Result<()> {
        let Some(folder) = folder else {
            let texts: Vec<_> = pages.iter().map(page_text).collect();
            return self.print(&texts.join("\n"));
        };
        let mut access = access.clone();
        access.admit(folder);
        let refused = |why: Diagnostic| io::Error::other(why.message.trim_start_matches("cannot write ").to_owned());
        for page in pages {
            let path = folder.join(&page.path);
            access.check(&path).map_err(refused)?;
            let parent = path.parent().unwrap_or(folder);
            named::make_directories(parent).map_err(|e| io::Error::new(e.kind(), format!("`{}`: {e}", path.display())))?;
            access.write(&path.to_string_lossy(), &page_text(page)).map_err(refused)?;
        }
        Ok(())
    }

    /// Prints a diagnostic as a result.
    ///
    /// # Errors
    /// The same as for [`Console::print`].
    pub fn finding(&mut self, diagnostic: &Diagnostic, sources: &SourceMap, secrets: &Redactions) -> io::Result<()> {
        let text = self.renderer_stdout.render(diagnostic, sources, secrets);
        self.print(&self.without_commands(&format!("{text}\n")))
    }

    /// Returns output that GitHub's runner cannot mistake for workflow commands. Source code may look like a command.
    pub fn without_commands(&self, text: &str) -> String {
        let is_command = |line: &str| line.trim_start().starts_with("::") || line.contains("##[");
        match &self.runner_token {
            Some(token) if text.lines().any(is_command) => format!("::stop-commands::{token}\n{text}::{token}::\n"),
            _ => text.to_owned(),
        }
    }

    /// Clears the screen of a terminal with colours.
    ///
    /// # Errors
    /// The same as for [`Console::print`].
    pub fn clear(&mut self) -> io::Result<()> {
        if self.color_stdout { self.write("\u{1b}[2J\u{1b}[H") } else { Ok(()) }
    }

    /// Flushes the output.
    ///
    /// # Errors
    /// The same as for [`Console::print`].
    pub fn flush(&mut self) -> io::Result<()> {
        self.stdout.flush()
    }
}

impl Show for Console {
    fn diagnostic(&mut self, diagnostic: &Diagnostic, sources: &SourceMap, secrets: &Redactions) -> io::Result<()> {
        self.stdout.flush()?;
        let text = self.renderer_stderr.render(diagnostic, sources, secrets);
        let text = self.without_commands(&format!("{text}\n"));
        io::stderr().write_all(printable_text(&text).as_bytes())
    }
}
