//! Sessions that run the tests in type files.

use crate::app::input::Collected;
use crate::app::session::Session;
use rtype_author::testing::Suite;
use rtype_lang::diagnostics::{Code, Diagnostic, Outcome};
use rtype_lang::source::Span;
use rtype_lang::types::{TestDef, TypeDef};
use std::sync::Arc;

/// The types in files and their tests.
pub(crate) struct TestSession {
    types: Vec<Arc<TypeDef>>,
    tests: Outcome<Vec<TestDef>>,
    /// The problems with the files and the tests. Problems with the types are recorded in the type set.
    pub diagnostics: Vec<Diagnostic>,
}

impl TestSession {
    /// Loads the types in files and directories; without paths, the types in the working directory.
    pub fn load(paths: &[String], session: &mut Session) -> TestSession {
        let here = [".".to_owned()];
        let Collected { mut files, mut diagnostics, .. } = session.collect(if paths.is_empty() { &here } else { paths }, &["rtype", "rb"]);
        files.retain(|file| {
            let is_types = file.extension().is_some_and(|e| e == "rtype" || e == "rb");
            if !is_types {
                let message = format!("`{}` is not a type file: tests are next to types", file.display());
                let d = Diagnostic::new(Code::NothingToCheck, Span::NONE, message);
                diagnostics.push(d.help("name files that end in `.rtype`, or directories of them"));
            }
            is_types
        });
        let loaded = session.load_types(&files, &mut diagnostics);
        let tests = session.types.tests(&loaded);
        diagnostics.extend(tests.diagnostics.iter().cloned());
        TestSession { types: loaded.into_iter().flat_map(|loaded| loaded.types).collect(), tests, diagnostics }
    }

    /// Returns the errors in the files, the types and the tests.
    pub fn errors<'s>(&'s self, types: &'s [Diagnostic]) -> Vec<&'s Diagnostic> {
        self.diagnostics.iter().chain(types).filter(|d| d.is_error()).collect()
    }

    /// Runs the tests. With `filter`, runs only tests whose title contains the filter, or whose type is named like the filter. With
    /// `coverage`, also records the reached parts of the types.
    pub fn run(&self, filter: Option<&str>, coverage: bool, session: &Session) -> Suite {
        let run = if coverage { Suite::run_with_coverage } else { Suite::run };
        run(&self.types, &self.tests, filter, &session.types, &session.natives)
    }
}
