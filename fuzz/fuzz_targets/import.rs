#![no_main]

// Any Ruby is imported; the result can be loaded.
libfuzzer_sys::fuzz_target!(|text: &str| {
    rtype_fuzz::ruby::imported(text);
});
