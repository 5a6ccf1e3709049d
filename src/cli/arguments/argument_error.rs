//! Errors of command-line arguments.

use rtype_author::check::config::LINE_WIDTHS;
use rtype_lang::diagnostics::nearest;
use std::fmt;

/// The reason why an argument is invalid. The command line prints the reason after the name of the argument.
#[derive(Debug)]
pub enum ArgumentError {
    /// `--report` without `FORMAT=`.
    ReportWithoutFormat(&'static str),
    /// `--report` with an unknown format.
    UnknownFormat {
        /// The name.
        name: String,
        /// The names of all formats.
        formats: Vec<String>,
    },
    /// `--report FORMAT=` without a file.
    ReportWithoutFile(String),
    /// `--report FORMAT=-`.
    ReportToStandardOutput(String),
    /// A line width out of range.
    LineWidth,
    /// An invalid range of positions.
    Range,
    /// A reference such as `User[x]` instead of a type.
    Reference {
        /// The type.
        type_name: String,
        /// The title.
        title: String,
    },
    /// An argument of `rtype resource` after the title that is not an assignment.
    NotAssignment,
    /// `ATTRIBUTE=>VALUE`.
    Arrow(String),
    /// An invalid name of an attribute.
    AttributeName(String),
}

impl fmt::Display for ArgumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ArgumentError::ReportWithoutFormat("junit") => f.write_str("write FORMAT=FILE, for example junit=rtype-test.xml"),
            ArgumentError::ReportWithoutFormat(example) => write!(f, "write FORMAT=FILE, for example {example}=rtype.{example}"),
            ArgumentError::UnknownFormat { name, formats } => {
                write!(f, "unknown format `{name}`; ")?;
                match nearest(name, formats.iter().map(String::as_str)) {
                    Some(near) => write!(f, "did you mean `{near}`?"),
                    None => write!(f, "expected one of {}", formats.join(", ")),
                }
            }
            ArgumentError::ReportWithoutFile(name) => write!(f, "missing file name, for example {name}=rtype.{name}"),
            ArgumentError::ReportToStandardOutput(name) => {
                write!(f, "reports go to files; `--format {name}` prints to standard output")
            }
            ArgumentError::LineWidth => write!(f, "expected a number from {} to {}", LINE_WIDTHS.start(), LINE_WIDTHS.end()),
            ArgumentError::Range => f.write_str("expected lines and columns from 1, as in `12:1-20:1`"),
            ArgumentError::Reference { type_name, title } => {
                write!(f, "expected a type, found a reference: write `rtype resource {type_name} {title}`")
            }
            ArgumentError::NotAssignment => f.write_str(
                "expected ATTRIBUTE=VALUE, which changes the machine; \
                 to read a resource, give its type and title only: `rtype resource TYPE TITLE`",
            ),
            ArgumentError::Arrow(name) => write!(f, "attributes are given with `=`, not `=>`: write `{name}=VALUE`"),
            ArgumentError::AttributeName(name) => write!(f, "invalid attribute name `{name}`"),
        }
    }
}

impl std::error::Error for ArgumentError {}
