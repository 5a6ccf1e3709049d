//! For people: the message, the places in their sources, the way out.

use super::excerpt::{CONTEXT, Excerpt};
use super::printable;
use crate::diagnostics::{Diagnostic, Label, Redactions, Severity};
use crate::source::SourceMap;
use miette::{GraphicalReportHandler, GraphicalTheme, LabeledSpan, SourceCode};
use std::fmt::{self, Display};

/// How to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Box drawing, for a terminal.
    Graphical {
        /// Whether to colour it.
        color: bool,
    },
    /// ASCII without colours, for files and pipes.
    Plain,
}

/// The width of [`Style::Plain`], which must not depend on who looks at it.
const PLAIN_WIDTH: usize = 100;
const TAB_WIDTH: usize = 4;

/// Draws diagnostics as text.
#[derive(Clone, Debug)]
pub struct Renderer {
    handler: GraphicalReportHandler,
    theme: GraphicalTheme,
}

impl Renderer {
    /// A renderer of this style. Nothing is guessed from the environment: the caller knows where the text goes.
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

    /// The same for lines of `columns`: the width of the terminal.
    #[must_use]
    pub fn width(mut self, columns: usize) -> Renderer {
        // Paths and options are not broken at their slashes and hyphens.
        let handler = self.handler.with_word_separator(textwrap::WordSeparator::AsciiSpace);
        self.handler = handler.with_word_splitter(textwrap::WordSplitter::NoHyphenation).with_width(columns.clamp(40, 160));
        self
    }

    /// The same without a limit for the length of lines: for files and pipes, where programs search them.
    #[must_use]
    pub fn unwrapped(mut self) -> Renderer {
        self.handler = self.handler.with_wrap_lines(false);
        self
    }

    /// Draws one diagnostic; ends with a newline. What `secrets` covers is masked.
    pub fn render(&self, diagnostic: &Diagnostic, sources: &SourceMap, secrets: &Redactions) -> String {
        let diagnostic = &diagnostic.clone().at_origin(sources).redacted(secrets.redactor());
        let head = format!("{}[{}]:", word(diagnostic.severity), diagnostic.code);
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
                help: diagnostic.help.as_deref().filter(|_| i == last).map(str::to_owned),
                part,
            };
            let mut drawn = String::new();
            // Writing to a String fails only when miette refuses a span; the message must come out all the same.
            if handler.render_report(&mut drawn, &report).is_err() {
                drawn = format!("  {}[{}]: {}\n", word(diagnostic.severity), diagnostic.code, report.message);
            }
            if i == 0 {
                out.push_str(drawn.strip_prefix("  ").unwrap_or(&drawn));
            } else {
                // A further place has no message of its own: its snippet follows the first one's.
                out.push_str(drawn.split_once('\n').map_or("", |(_, rest)| rest));
            }
        }
        out.lines().flat_map(|line| [line.trim_end(), "\n"]).collect()
    }
}

/// The word for a severity.
fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

/// What a diagnostic shows in one place.
#[derive(Debug, Default)]
struct Part {
    excerpt: Option<Excerpt>,
    labels: Vec<LabeledSpan>,
}

/// The labels by excerpt, the main label's first, then those of its file, then those of others.
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
                // miette heads the excerpt with the place of the primary label.
                if i == 0 { LabeledSpan::new_primary_with_span(text, place) } else { LabeledSpan::new_with_span(text, place) }
            });
            Part { labels: labels.collect(), excerpt: Some(excerpt) }
        })
        .collect()
}

/// What miette is given.
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
        // Help may have several lines; each is one of ours or quotes the user.
        Some(Box::new(help.lines().map(printable).collect::<Vec<_>>().join("\n")))
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.part.excerpt.as_ref().map(|e| e as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        Some(Box::new(self.part.labels.iter().cloned()))
    }
}
