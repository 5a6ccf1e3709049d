#![no_main]

// Any text is checked as types and as resources, with all rules, and fixed.
libfuzzer_sys::fuzz_target!(|text: &str| rtype_testkit::random::lint::text(text));
