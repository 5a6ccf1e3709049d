#![no_main]

// A program generated from the bytes, which usually loads; its types are used with arbitrary values.
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let mut bytes = arbitrary::Unstructured::new(bytes);
    let text = rtype_testkit::random::program::program(&mut bytes);
    rtype_testkit::random::exercise::text(&text, &mut bytes);
});
