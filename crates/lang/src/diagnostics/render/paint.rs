//! Colors of text output.

use anstyle::{AnsiColor, Style};

/// The role of a part in text output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    /// The heading of a page.
    Title,
    /// The name of an item that the following lines describe.
    Heading,
    /// The name of a part, or a planned change.
    Name,
    /// In sync, added, done.
    Good,
    /// Unknown, or a warning.
    Unsure,
    /// Out of sync, removed, failed.
    Bad,
    /// Less important than the rest of the line.
    Faint,
    /// Ordinary text.
    Plain,
}

impl Paint {
    /// Returns the string, wrapped in terminal codes if `colors` is set.
    pub fn text(self, text: &str, colors: bool) -> String {
        let color = |color: AnsiColor| color.on_default();
        let style = match self {
            Paint::Title => Style::new().bold().underline(),
            Paint::Heading => Style::new().bold(),
            Paint::Name => color(AnsiColor::Cyan),
            Paint::Good => color(AnsiColor::Green),
            Paint::Unsure => color(AnsiColor::Yellow),
            Paint::Bad => color(AnsiColor::Red),
            Paint::Faint => Style::new().dimmed(),
            Paint::Plain => Style::new(),
        };
        if colors { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }
}
