//! Manifests and templates: parsed and printed without a panic; the formatter keeps their meaning.
#![no_main]

use rtype_testkit::random::{layout, manifest};

libfuzzer_sys::fuzz_target!(|input: (Vec<(u16, u8, u8)>, &str)| {
    let (changes, text) = input;
    let text = layout::tampered(text, changes.get(..12).unwrap_or(&changes));
    manifest::text(&text);
});
