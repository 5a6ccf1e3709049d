#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| rtype_fuzz::round::trip(text));
