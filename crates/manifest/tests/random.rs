//! The compiler with random programs.
#![cfg(feature = "compile")]

use proptest::prelude::*;
use rtype_lang::source::SourceMap;
use rtype_manifest::compile::environment::{Environment, EvaluationLimits};
use rtype_manifest::compile::evaluator::ManifestEvaluator;
use rtype_manifest::compile::files::ModuleFiles;
use rtype_manifest::compile::text::display;
use std::sync::{Arc, LazyLock};

mod disk;
mod fixture;
#[path = "random/program.rs"]
mod program;

static ENVIRONMENT: LazyLock<Arc<Environment>> = LazyLock::new(|| {
    let limits = EvaluationLimits { steps: 20_000, depth: 200, resources: 200, bytes: 4 << 20 };
    Arc::new(Environment { limits, ..fixture::environment(ModuleFiles::new(Box::new(disk::Disk), None, Vec::new())) })
});

/// Returns the value, the messages and the catalog of a program, or its error with the place.
fn outcome(code: &str) -> String {
    let mut evaluator = ManifestEvaluator::new(ENVIRONMENT.clone(), SourceMap::new());
    let result = evaluator.compile(vec![(String::new(), code.to_owned())]);
    let logs: Vec<String> = evaluator.logs().iter().map(|log| log.text.to_string()).collect();
    match result {
        Ok(value) => format!("{} {logs:?} {}", display(&value), evaluator.to_json()),
        Err(failure) => format!("{:?} {} {logs:?}", failure.kind(), evaluator.message(&failure)),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// Programs end with a value or an error, and with the same one each time.
    #[test]
    fn random_programs_have_one_outcome(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        let code = program::program(&bytes);
        prop_assert_eq!(outcome(&code), outcome(&code), "{}", code);
    }
}

/// The generator makes programs that the parser accepts; some name `default` twice, which is an error.
#[test]
fn most_random_programs_are_evaluated() {
    let mut state = 1_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        u8::try_from(state >> 24).unwrap_or_default()
    };
    let programs: Vec<String> = (0..100).map(|_| program::program(&(0..200).map(|_| next()).collect::<Vec<u8>>())).collect();
    let is_valid = |code: &&String| {
        let source = SourceMap::new().add("random.pp", code.as_str()).expect("a short program");
        let parsed = rtype_manifest::syntax::parse(&source, rtype_manifest::syntax::Form::Manifest);
        !parsed.diagnostics.iter().any(rtype_lang::diagnostics::Diagnostic::is_error)
    };
    let valid = programs.iter().filter(is_valid).count();
    assert!(valid > 50, "{valid} of 100: {:?}", programs.iter().find(|code| !is_valid(code)));
}
