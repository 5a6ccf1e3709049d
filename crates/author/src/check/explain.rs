//! The page of a code: the reported problem, the reason, an example, and a better version.

use super::rule;
use include_dir::{Dir, include_dir};
use rtype_lang::diagnostics::{CODES, Code, Help, nearest};

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

/// Returns how to correct an unknown code: a code with this number, a similar code or name, or the codes with the same beginning.
pub fn suggested_code(wrong: &str) -> Help {
    const MOST: usize = 8;
    let text = wrong.trim().to_uppercase();
    let number = text.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let ids = || CODES.iter().map(|code| code.info().id);
    let is_same = |id: &&str| number.len() <= 3 && id.get(2..) == Some(format!("{number:0>3}").as_str());
    let begun = |length: usize| -> Option<String> {
        let begun: Vec<_> = ids().filter(|id| text.get(..length).is_some_and(|text| id.starts_with(text))).collect();
        let shown: Vec<String> = begun.iter().take(MOST).map(|id| format!("`{id}`")).collect();
        let more = if begun.len() > MOST { " …" } else { "" };
        (!begun.is_empty()).then(|| format!("use one of {}{more}; `rtype explain --list` lists all codes", shown.join(", ")))
    };
    // `RT` alone begins every code of the checker.
    let listed = || (2..=text.len().min(4)).rev().filter(|length| *length > 2 || text.len() == 2).find_map(begun);
    // The family of the code is as given, if it has this number.
    let family = text.strip_suffix(number).unwrap_or_default();
    let numbered = || ids().filter(is_same).min_by_key(|id| family.is_empty() || !id.starts_with(family));
    let same = (!number.is_empty()).then(numbered).flatten().filter(|_| text == number || number.len() > 1);
    let near = || nearest(wrong, CODES.iter().flat_map(|code| [code.info().id, code.info().name])).filter(|_| text.len() > 3);
    match same.or_else(near) {
        Some(near) => Help::suggestion(near),
        None => listed().unwrap_or_else(|| "list all codes with `rtype explain --list`".to_owned()).into(),
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
