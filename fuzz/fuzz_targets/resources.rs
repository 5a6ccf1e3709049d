#![no_main]

// Any text is read as a manifest, as JSON, as YAML and as what it looks like; what it declares is built.
libfuzzer_sys::fuzz_target!(|text: &str| rtype_fuzz::exercise::declarations(text));
