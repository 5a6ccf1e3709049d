//! Problems with types, files and resources.

use rtype_lang::diagnostics::{Diagnostic, Redactions, Renderer, Severity, Style};
use rtype_lang::source::SourceMap;
use std::fmt;

/// A problem with types or resources, as `rtype check` reports it. Secrets are redacted.
///
/// `Display` prints the problem together with the affected source line.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Problem {
    /// The stable code, such as `RT203`; `rtype explain CODE` describes it.
    pub code: String,
    /// The severity. Types and resources with errors cannot be used.
    pub severity: Severity,
    /// A description of the problem, as a sentence.
    pub message: String,
    /// The allowed values, or a way to solve the problem.
    pub help: Option<String>,
    /// The location in a source file, if the problem has a location.
    pub location: Option<Location>,
    rendered: String,
}

/// A location in a source file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Location {
    /// The name of the file, as the caller gave it.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
}

impl Problem {
    pub(super) fn new(diagnostic: &Diagnostic, sources: &SourceMap, secrets: &Redactions) -> Problem {
        let redacted = |text: &String| secrets.redactor().redact(text);
        let location = sources.find(diagnostic.span()).map(|source| {
            let position = source.position(diagnostic.span().start);
            Location { file: source.name().to_owned(), line: position.line, column: position.column }
        });
        Problem {
            code: diagnostic.code.to_string(),
            severity: diagnostic.severity,
            message: redacted(&diagnostic.message),
            help: diagnostic.help.as_ref().map(|help| redacted(&help.to_string())),
            location,
            rendered: Renderer::new(Style::Plain).unwrapped().render(diagnostic, sources, secrets),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.rendered)
    }
}

/// All problems of a type or resource file that cannot be used. At least one problem is an error.
///
/// ```
/// let broken = rtype::Loader::new().text("lamp.rtype", "type lamp { newparam name { isnamevar } newproperty }");
/// let problems = broken.load().unwrap_err();
/// assert_eq!(problems.iter().next().unwrap().location.as_ref().unwrap().line, 1);
/// ```
#[derive(Clone, Debug)]
pub struct Problems(Vec<Problem>);

impl Problems {
    pub(super) fn new(problems: Vec<Problem>) -> Problems {
        Problems(problems)
    }

    /// Returns the problems in the order in which they were found.
    pub fn iter(&self) -> impl Iterator<Item = &Problem> {
        self.0.iter()
    }
}

impl IntoIterator for Problems {
    type Item = Problem;
    type IntoIter = std::vec::IntoIter<Problem>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|problem| writeln!(f, "{problem}"))
    }
}

impl std::error::Error for Problems {}
