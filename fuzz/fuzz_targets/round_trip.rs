#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| rtype_testkit::random::round::trip(text));
