//! Renders diagnostics as text: the message, excerpts of the sources, and the help.

use super::excerpt::{CONTEXT, Excerpt};
use super::printable;
use crate::diagnostics::{Diagnostic, Help, Label, Redactions, Severity};
use crate::source::SourceMap;
use miette::{GraphicalReportHandler, GraphicalTheme, LabeledSpan, SourceCode};
use std::fmt::{self, Display};

/// The style of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Box-drawing characters, for a terminal.
    Graphical {
        /// `true` to use colors.
        color: bool,
    },
    /// ASCII without colors, for files and pipes.
    Plain,
}

/// The line width of [`Style::Plain`], which must not depend on the environment.
const PLAIN_WIDTH: usize = 100;
const TAB_WIDTH: usize = 4;

/// Renders diagnostics as text.
#[derive(Clone, Debug)]
pub struct Renderer {
    handler: GraphicalReportHandler,
    theme: GraphicalTheme,
}

impl Renderer {
    /// Creates a renderer. The renderer does not inspect the environment, because only the caller knows the destination of the output.
    pub fn new(style: Style) -> Renderer {
        let theme = match style {
            Style::Graphical { color: true } => GraphicalTheme::unicode(),
            Style::Graphical { color: false } => GraphicalTheme::unicode_nocolor(),
            Style::Plain => GraphicalTheme::none(),
        };
        let handler = GraphicalReportHandler::new_themed(theme.clone())
            .with_width(PLAIN_WIDTH)
            .tab_width(TAB_WIDTH)
            .with_context_lines(CONTEXT)
            .with_break_words(false)
            .with_urls(false)
            .without_cause_chain()
            .without_syntax_highlighting();
        Renderer { handler, theme }
    }

    /// Sets the line width in columns, usually the terminal's width.
    #[must_use]
    pub fn width(mut self, columns: usize) -> Renderer {
        // Does not break paths and options at slashes and hyphens.
        let handler = self.handler.with_word_separator(textwrap::WordSeparator::AsciiSpace);
        self.handler = handler.with_word_splitter(textwrap::WordSplitter::NoHyphenation).with_width(columns.clamp(40, 160));
        self
    }

    /// Disables wrapping, for files and pipes with lines for programs.
    #[must_use]
    pub fn unwrapped(mut self) -> Renderer {
        self.handler = self.handler.with_wrap_lines(false);
        self
    }

    /// Renders a diagnostic, ending with a newline. Secrets are masked.
    pub fn render(&self, diagnostic: &Diagnostic, sources: &SourceMap, secrets: &Redactions) -> String {
        let diagnostic = &diagnostic.clone().at_origin(sources).redacted(secrets.redactor());
        let head = format!("{}[{}]:", diagnostic.severity.name(), diagnostic.code);
        let mut theme = self.theme.clone();
        theme.characters.error.clone_from(&head);
        theme.characters.warning.clone_from(&head);
        theme.characters.advice = head;
        let handler = self.handler.clone().with_theme(theme);

        let mut parts = by_excerpt(diagnostic, sources, secrets);
        if parts.is_empty() {
            parts.push(Part::default());
        }
        let last = parts.len() - 1;

        let mut out = String::new();
        for (i, part) in parts.into_iter().enumerate() {
            let report = Report {
                message: if i == 0 { printable(&diagnostic.message) } else { String::new() },
                severity: diagnostic.severity,
                help: diagnostic.help.as_ref().filter(|_| i == last).map(Help::to_string),
                part,
            };
            let mut drawn = String::new();
            // Writing to a String fails only if miette rejects a span; the message must be printed anyway.
            if handler.render_report(&mut drawn, &report).is_err() {
                drawn = format!("  {}[{}]: {}\n", diagnostic.severity.name(), diagnostic.code, report.message);
            }
            if i == 0 {
                out.push_str(drawn.strip_prefix("  ").unwrap_or(&drawn));
            } else {
                // Further excerpts have no message, and follow the first excerpt.
                out.push_str(drawn.split_once('\n').map_or("", |(_, rest)| rest));
            }
        }
        out.lines().flat_map(|line| [line.trim_end(), "\n"]).collect()
    }
}

/// An excerpt in a diagnostic, with its labels.
#[derive(Debug, Default)]
struct Part {
    excerpt: Option<Excerpt>,
    labels: Vec<LabeledSpan>,
}

/// Groups labels by excerpt: first the excerpt with the primary label, then other excerpts from the same file, then excerpts from other
/// files.
fn by_excerpt(diagnostic: &Diagnostic, sources: &SourceMap, secrets: &Redactions) -> Vec<Part> {
    let mut files: Vec<(_, Vec<&Label>)> = Vec::new();
    for label in &diagnostic.labels {
        let Some(source) = sources.find(label.span) else { continue };
        match files.iter_mut().find(|(known, _)| std::sync::Arc::ptr_eq(known, source)) {
            Some((_, labels)) => labels.push(label),
            None => files.push((std::sync::Arc::clone(source), vec![label])),
        }
    }
    let excerpts = files.iter().flat_map(|(source, labels)| {
        let spans: Vec<_> = labels.iter().map(|l| l.span).collect();
        Excerpt::all(source, &spans, secrets).into_iter().map(move |(excerpt, shown)| (excerpt, shown, labels))
    });
    excerpts
        .map(|(excerpt, shown, labels)| {
            let origin = shown.iter().find_map(|(i, _)| labels.get(*i)?.origin.as_ref());
            let excerpt = match origin {
                Some(origin) => excerpt.compiled_from(origin),
                None => excerpt,
            };
            let labels = shown.into_iter().map(|(i, range)| {
                let text = labels.get(i).map(|l| printable(&l.text)).filter(|t| !t.is_empty());
                let place = (range.start, range.len());
                // miette shows the position of the primary label above the excerpt.
                if i == 0 { LabeledSpan::new_primary_with_span(text, place) } else { LabeledSpan::new_with_span(text, place) }
            });
            Part { labels: labels.collect(), excerpt: Some(excerpt) }
        })
        .collect()
}

/// The report for miette.
#[derive(Debug)]
struct Report {
    message: String,
    severity: Severity,
    help: Option<String>,
    part: Part,
}

impl Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Report {}

impl miette::Diagnostic for Report {
    fn severity(&self) -> Option<miette::Severity> {
        Some(match self.severity {
            Severity::Error => miette::Severity::Error,
            Severity::Warning => miette::Severity::Warning,
            Severity::Note => miette::Severity::Advice,
        })
    }

    fn help<'a>(&'a self) -> Option<Box<dyn Display + 'a>> {
        let help = self.help.as_deref()?;
        // Help may consist of several lines.
        Some(Box::new(help.lines().map(printable).collect::<Vec<_>>().join("\n")))
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.part.excerpt.as_ref().map(|e| e as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        Some(Box::new(self.part.labels.iter().cloned()))
    }
}
