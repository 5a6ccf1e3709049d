#![no_main]

// Any Ruby is imported; the result can be loaded.
libfuzzer_sys::fuzz_target!(|text: &str| {
    rtype_testkit::random::ruby::imported(text);
});
