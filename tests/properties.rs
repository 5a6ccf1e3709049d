//! A type that `check` accepts never causes an internal error, and no output contains a secret. The programs are generated from arbitrary
//! bytes, with the same code as in the fuzz targets.

use arbitrary::Unstructured;
use proptest::prelude::*;
use rtype_testkit::random::{exercise, program};
use std::cell::Cell;

/// The minimum number of loadable programs among 100 generated programs.
const LOADED: u32 = 60;

/// Bytes. The debug output shows the program generated from the bytes.
#[derive(Clone)]
struct Seed(Vec<u8>);

impl std::fmt::Debug for Seed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&program::program(&mut Unstructured::new(&self.0)))
    }
}

#[test]
fn accepted_types_run_without_internal_errors() {
    let (tried, loaded) = (Cell::new(0), Cell::new(0));
    let config = ProptestConfig { cases: 120, max_shrink_iters: 100, failure_persistence: None, ..ProptestConfig::default() };
    let bytes = prop::collection::vec(any::<u8>(), 0..4000).prop_map(Seed);
    proptest::test_runner::TestRunner::new(config)
        .run(&bytes, |Seed(bytes)| {
            let mut bytes = Unstructured::new(&bytes);
            let text = program::program(&mut bytes);
            tried.set(tried.get() + 1);
            loaded.set(loaded.get() + u32::from(exercise::text(&text, &mut bytes)));
            Ok(())
        })
        .unwrap();
    assert!(loaded.get() * 100 >= tried.get() * LOADED, "only {} of {} programs load", loaded.get(), tried.get());
}

/// Exercises the types in a source with several sets of values.
fn accepted(text: &str, seeds: u8) {
    for seed in 0..seeds {
        let bytes: Vec<u8> = (0..400u16).map(|i| (i as u8).wrapping_mul(31).wrapping_add(seed.wrapping_mul(97)) ^ (i >> 3) as u8).collect();
        assert!(exercise::text(text, &mut Unstructured::new(&bytes)), "it does not load: {text}");
    }
}

fn thing(body: &str) -> String {
    format!("type thing {{\n  newparam name\n  newproperty secret {{ sensitive }}\n{body}}}\n")
}

/// Blocks that run each other: `self.x` runs the `should` block of `x`, with a separate frame and budget.
#[test]
fn mutually_recursive_blocks_end() {
    accepted(&thing("  newproperty alpha { should { |v| self.alpha } }\n"), 2);
    accepted(&thing("  newproperty alpha { should { |v| self.beta } }\n  newproperty beta { should { |v| self.alpha } }\n"), 2);
    accepted(&thing("  newproperty alpha { should { |v| catalog.resources(:thing).map { |r| r.alpha } } }\n"), 2);
    // Each block reads the next block's value twice: 2 to the power of 30 blocks.
    let chain: String =
        (0..30).map(|i| format!("  newproperty a{i} {{ should {{ |v| [self.a{}, self.a{}] }} }}\n", i + 1, i + 1)).collect();
    accepted(&thing(&format!("{chain}  newproperty a30\n")), 2);
    let costly = "  newproperty alpha {\n    munge { |v| 300_000.times { |i| i }\n      v }\n    override munge { |v| 10_000.times { |i| super(v) }\n      v }\n  }\n";
    accepted(&thing(costly), 2);
    accepted(
        &thing(
            "  newproperty alpha { munge { |v| 100_000.times { |i| i }\n      v } }\n  finalize { 10_000.times { |i| self.alpha = i } }\n",
        ),
        2,
    );
}

/// Blocks that return the value of a sensitive attribute.
#[test]
fn values_derived_from_secrets_are_secret() {
    for block in [
        "munge { |v| self.secret }",
        "munge { |v| [self.secret, v] }",
        "unmunge { |v| self.secret }",
        "should { |v| self.secret }",
        "retrieve { self.secret }",
        "retrieve { [self.secret, 1] }",
        "defaultto { self.secret }",
        "munge { |v| sensitive(v) }",
        "munge { |v| self.secret }\n    change_to_s { |is, should| \"#{is} to #{should}\" }",
        "should { |v| self.secret }\n    is_to_s { |v| super }\n    should_to_s { |v| super(v) }",
    ] {
        accepted(&thing(&format!("  newproperty alpha {{\n    {block}\n  }}\n")), 24);
    }
    for kind in ["path", "file_mode", "file_source", "file_content", "file_owner", "key_value", "list", "package_options"] {
        accepted(&thing(&format!("  newproperty alpha, kind: {kind}\n  newparam membership\n")), 24);
    }
}
