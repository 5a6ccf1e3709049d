#![no_main]

// Any text is read as a manifest, JSON, YAML and in the detected format; its declarations are built.
libfuzzer_sys::fuzz_target!(|text: &str| rtype_testkit::random::exercise::declarations(text));
