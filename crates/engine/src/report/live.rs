//! Reports a run to a terminal while it progresses: one line per change in Puppet's format, and a progress bar.

use super::lines::skipped;
use super::{diff_lines, initial_lines, location};
use crate::apply::{Counts, Event, EventStatus, Listener, ResourceOutcome, ResourceStatus, Skip};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rtype_lang::diagnostics::{Paint, printable, printable_lines};
use rtype_lang::eval::LogLevel;
use rtype_lang::redact::{Foreign, Redactor};
use rtype_lang::source::{SourceMap, Span};
use rtype_lang::value::ResourceRef;
use std::io::{self, Write};
use std::time::Duration;

/// The last line of a simulated run.
pub const SIMULATED_RUN: &str = "simulated: resources are in memory, and this machine was not changed";

/// A listener that writes human-readable lines.
pub struct Live<W: Write> {
    out: W,
    colors: bool,
    verbose: bool,
    /// True to omit the summary after a run without changes and failures.
    quiet: bool,
    /// True if resources are in memory, so that no change was made to this machine.
    simulated: bool,
    bar: ProgressBar,
    redactor: Redactor,
    sources: Option<SourceMap>,
    /// The first write error. After an error, no more lines are written.
    failed: Option<io::Error>,
}

impl<W: Write> Live<W> {
    /// Creates the listener. `terminal` is true if standard error is a terminal, where a progress bar can be shown. `verbose` also shows
    /// messages with all levels and skipped resources.
    pub fn new(out: W, redactor: Redactor, colors: bool, terminal: bool, verbose: bool) -> Live<W> {
        let target = if terminal { ProgressDrawTarget::stderr_with_hz(10) } else { ProgressDrawTarget::hidden() };
        let style =
            ProgressStyle::with_template("{spinner} {pos}/{len} {elapsed} {wide_msg}").unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = ProgressBar::with_draw_target(Some(0), target).with_style(style);
        if terminal {
            bar.enable_steady_tick(Duration::from_millis(200));
        }
        Live { out, colors, verbose, quiet: false, simulated: false, bar, redactor, sources: None, failed: None }
    }

    /// Shows the location of a type's failed block or setting in these sources.
    #[must_use]
    pub fn with_sources(self, sources: SourceMap) -> Live<W> {
        Live { sources: Some(sources), ..self }
    }

    /// Omits the summary after a run without changes and failures.
    #[must_use]
    pub fn with_quiet(self, quiet: bool) -> Live<W> {
        Live { quiet, ..self }
    }

    /// Marks the run as simulated, as reported in the last line.
    #[must_use]
    pub fn with_simulated(self, simulated: bool) -> Live<W> {
        Live { simulated, ..self }
    }

    /// Writes the location of a failed block or setting.
    fn location(&mut self, span: Option<Span>) {
        if let Some(location) = span.zip(self.sources.as_ref()).and_then(|(span, sources)| location(span, sources)) {
            self.line(Paint::Bad, &format!("  at {location}"));
        }
    }

    fn line(&mut self, paint: Paint, text: &str) {
        if self.failed.is_some() {
            return;
        }
        let text = self.redactor.redact(text);
        // Control characters in program output and files must not reach the terminal.
        let text = printable_lines(&text);
        let text = paint.text(&text, self.colors);
        let out = &mut self.out;
        self.failed = self.bar.suspend(|| writeln!(out, "{text}").and_then(|()| out.flush())).err();
    }

    /// Writes the summary line.
    ///
    /// # Errors
    /// Returns the first write error.
    pub fn finish(mut self, counts: &Counts, seconds: f64) -> io::Result<W> {
        self.bar.finish_and_clear();
        if !self.quiet || !counts.is_quiet() || counts.has_failed() {
            self.line(Paint::Plain, &summary(counts, seconds));
            if self.simulated {
                self.line(Paint::Plain, SIMULATED_RUN);
            }
        }
        self.failed.map_or(Ok(self.out), Err)
    }
}

/// Formats a resource's reference on one line, even if the title has several.
fn name(reference: &ResourceRef) -> String {
    printable(&reference.to_string())
}

/// Formats the summary, such as `12 resources: 3 changed, 9 in sync (0.2 s)`.
pub fn summary(counts: &Counts, seconds: f64) -> String {
    let in_sync = counts.total - counts.changed - counts.would_change - counts.failed - counts.skipped;
    let parts = [
        (counts.changed, "changed"),
        (counts.would_change, "would change"),
        (counts.failed, "failed"),
        (counts.skipped, "skipped"),
        (counts.refreshed, "refreshed"),
        (counts.refresh_failed, "failed to refresh"),
        (in_sync, "in sync"),
    ];
    let parts: Vec<String> = parts.iter().filter(|(n, what)| *n > 0 || *what == "in sync").map(|(n, what)| format!("{n} {what}")).collect();
    let corrective = if counts.corrective > 0 { format!("; {} changed outside of rtype", counts.corrective) } else { String::new() };
    let plural = if counts.total == 1 { "" } else { "s" };
    format!("{} resource{plural}: {}{corrective} ({seconds:.1} s)", counts.total, parts.join(", "))
}

impl<W: Write> Listener for Live<W> {
    fn turn(&mut self, reference: &ResourceRef, done: usize, of: usize) {
        if !self.bar.is_hidden() {
            self.bar.set_length(of as u64);
            self.bar.set_position(done as u64);
            self.bar.set_message(self.redactor.redact(&name(reference)));
        }
    }

    fn event(&mut self, reference: &ResourceRef, event: &Event) {
        let place = event.property.as_ref().map_or_else(|| name(reference), |p| format!("{}/{p}", name(reference)));
        let corrective = if event.reverts() { " (corrective)" } else { "" };
        let message = self.redactor.reveal(&event.message);
        let (paint, rest) = match event.status {
            EventStatus::Success => (Paint::Good, corrective.to_owned()),
            EventStatus::Noop => (Paint::Name, format!(" (noop){corrective}")),
            EventStatus::Failure => (Paint::Bad, String::new()),
            EventStatus::Audit => (Paint::Unsure, String::new()),
        };
        match event.log_level() {
            LogLevel::Debug | LogLevel::Info if !self.verbose => return,
            LogLevel::Debug | LogLevel::Info | LogLevel::Notice => self.line(paint, &format!("{place}: {message}{rest}")),
            LogLevel::Warning => self.line(Paint::Unsure, &format!("warning: {place}: {message}{rest}")),
            LogLevel::Err => self.line(Paint::Bad, &format!("error: {place}: {message}{rest}")),
        }
        for line in initial_lines(&event.initial, &self.redactor) {
            self.line(paint, &line);
        }
        if event.status == EventStatus::Failure {
            self.location(event.failed_at);
        }
    }

    fn difference(&mut self, _: &ResourceRef, diff: &Foreign) {
        for (paint, line) in diff_lines(&self.redactor.reveal(diff)) {
            self.line(paint, &line);
        }
    }

    fn log(&mut self, reference: Option<&ResourceRef>, level: LogLevel, message: &Foreign) {
        let message = self.redactor.reveal(message);
        let place = reference.map(|r| format!("{}: ", name(r))).unwrap_or_default();
        match level {
            LogLevel::Debug | LogLevel::Info if !self.verbose => {}
            LogLevel::Debug | LogLevel::Info | LogLevel::Notice => self.line(Paint::Plain, &format!("{place}{message}")),
            LogLevel::Warning => self.line(Paint::Unsure, &format!("warning: {place}{message}")),
            LogLevel::Err => self.line(Paint::Bad, &format!("error: {place}{message}")),
        }
    }

    fn done(&mut self, outcome: &ResourceOutcome) {
        let reference = name(&outcome.reference);
        match &outcome.status {
            ResourceStatus::Failed => {
                if let Some(why) = &outcome.failure {
                    let why = self.redactor.reveal(why);
                    self.line(Paint::Bad, &format!("error: {reference}: {why}"));
                    self.location(outcome.failed_at);
                }
            }
            ResourceStatus::Skipped(why @ (Skip::Dependencies(_) | Skip::Stopped)) => {
                self.line(Paint::Unsure, &format!("warning: {reference}: skipped, {}", skipped(why)));
            }
            ResourceStatus::Skipped(why) if self.verbose => self.line(Paint::Plain, &format!("{reference}: skipped, {}", skipped(why))),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_does_not_command_the_terminal() {
        let mut live = Live::new(Vec::new(), Redactor::new(), false, false, false);
        let reference = ResourceRef { type_name: "exec".into(), title: "x\u{1b}[2J".into() };
        live.log(Some(&reference), LogLevel::Notice, &"one\u{7}\ntwo\tthree".into());
        let text = String::from_utf8(live.finish(&Counts::default(), 0.0).unwrap()).unwrap();
        assert!(text.starts_with("Exec[x\\u{1b}[2J]: one\\u{7}\n  two\tthree\n"), "{text:?}");
    }
}
