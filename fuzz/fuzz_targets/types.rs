#![no_main]

// Any text is parsed and lowered; the types in it are used with arbitrary values.
libfuzzer_sys::fuzz_target!(|text: &str| {
    let mut bytes = arbitrary::Unstructured::new(text.as_bytes());
    rtype_testkit::random::exercise::text(text, &mut bytes);
});
