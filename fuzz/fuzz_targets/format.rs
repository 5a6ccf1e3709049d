#![no_main]

use rtype_testkit::random::layout::{Language, holds, tampered};

libfuzzer_sys::fuzz_target!(|input: (u8, Vec<(u16, u8, u8)>, &str)| {
    let (width, changes, text) = input;
    let text = tampered(text, changes.get(..12).unwrap_or(&changes));
    let language = if width % 8 == 0 { Language::Manifest } else { Language::Types };
    holds(&text, language, 20 + usize::from(width));
});
