//! Arguments of `rtype test`.

use super::argument_error::ArgumentError;
use super::{OUTPUT, TextOrJson, report_of};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

const COVERAGE: &str = "Coverage";

// `rtype test`
#[derive(Debug, Args)]
pub struct Test {
    /// Files and directories of types; the current directory if omitted
    #[arg(value_name = "PATH")]
    pub paths: Vec<String>,
    /// Run only tests whose title contains this text, or tests of this type
    #[arg(long, value_name = "TEXT")]
    pub filter: Option<String>,
    /// Run again when a file changes
    #[arg(long)]
    pub watch: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = TextOrJson::Text, help_heading = OUTPUT)]
    pub format: TextOrJson,
    /// Also write the results to a file: junit=rtype-test.xml (repeatable)
    #[arg(long = "report", value_name = "FORMAT=FILE", value_parser = test_report, help_heading = OUTPUT)]
    pub reports: Vec<(TestFormat, PathBuf)>,
    /// Report the values, branches, title patterns, relations and failures that no test reaches
    #[arg(long, help_heading = COVERAGE)]
    pub coverage: bool,
    /// Exit with status 1 if the tests reach less than this; implies --coverage
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u8).range(0..=100), help_heading = COVERAGE)]
    pub coverage_min: Option<u8>,
}

/// Formats of reports of `rtype test`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TestFormat {
    /// JUnit XML: one suite per file
    Junit,
    /// The same as `--format json`
    Json,
}

/// `junit=rtype-test.xml`
fn test_report(text: &str) -> Result<(TestFormat, PathBuf), ArgumentError> {
    report_of(text, "junit")
}
