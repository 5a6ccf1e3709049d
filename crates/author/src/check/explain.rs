//! The page of a code: the reported problem, the reason, an example, and a better version.

use super::rule;
use include_dir::{Dir, include_dir};
use rtype_lang::diagnostics::Code;

/// Pages of codes without a rule.
static PAGES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/src/check/pages");

/// The parts of a page for other formats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodePage {
    /// The reported problem, as one paragraph.
    pub summary: String,
    /// The reason for the rule, as one paragraph.
    pub reason: Option<String>,
    /// The whole page in Markdown.
    pub text: String,
}

impl CodePage {
    /// Returns a code's page. A test ensures that every code has a page.
    pub fn of(code: Code) -> Option<CodePage> {
        let text = page(code)?;
        Some(CodePage { summary: paragraph(&text, SUMMARY)?, reason: paragraph(&text, REASON), text })
    }
}

/// How the paragraphs of a page begin.
const SUMMARY: &str = "What it does: ";
const REASON: &str = "Why: ";

/// Returns the paragraph with this beginning as one line of sentences, without the beginning.
fn paragraph(page: &str, label: &str) -> Option<String> {
    let text = page.split("\n\n").find_map(|paragraph| paragraph.strip_prefix(label))?;
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut letters = line.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect())
}

/// Returns a page in Markdown without its heading. A test ensures that every code has a page.
pub fn page(code: Code) -> Option<String> {
    match rule(code) {
        Some(rule) => Some(head_comment(rule.text)),
        None => PAGES.get_file(format!("{}.md", code.info().id)).and_then(|f| f.contents_utf8()).map(str::to_owned),
    }
}

/// Returns a page with its heading, such as `# RT012 regex-trailing-newline`, and a line about when the code is reported.
pub fn explain(code: Code) -> Option<String> {
    let info = code.info();
    let (severity, profile) = (info.severity.name(), info.profile.name());
    let suppression = if super::is_ignorable(code) { "" } else { "; cannot be suppressed" };
    Some(format!("# {} {}\n\n{severity}, from profile `{profile}` on{suppression}\n\n{}", info.id, info.name, page(code)?))
}

/// Returns a page as plain text; links become `text (docs/target)`.
pub fn explain_as_text(code: Code) -> Option<String> {
    let page = explain(code)?;
    let mut out = String::new();
    let mut rest = page.as_str();
    while let Some((before, link)) = rest.split_once('[') {
        let parts = link.split_once("](").and_then(|(text, tail)| Some((text, tail.split_once(')')?)));
        out.push_str(before);
        match parts.filter(|(text, (target, _))| !text.contains(['[', ']', '\n']) && !target.contains(['\n', ' '])) {
            Some((text, (target, after))) => {
                let directory = if target.contains("://") { "" } else { "docs/" };
                out.push_str(&format!("{text} ({directory}{target})"));
                rest = after;
            }
            None => {
                out.push('[');
                rest = link;
            }
        }
    }
    out.push_str(rest);
    Some(out)
}

/// Returns a file's leading `//!` comment.
fn head_comment(text: &str) -> String {
    let lines = text.lines().map_while(|line| line.strip_prefix("//!"));
    let mut page: String = lines.map(|line| format!("{}\n", line.strip_prefix(' ').unwrap_or(line))).collect();
    page.truncate(page.trim_end().len());
    page.push('\n');
    page
}
