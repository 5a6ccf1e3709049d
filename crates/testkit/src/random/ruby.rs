//! Ruby files with missing, duplicated or misplaced pieces, and properties of all translations.

use arbitrary::{Result, Unstructured};
use rtype_import::{NoRubyFiles, import};
use rtype_lang::library::TypeSet;
use rtype_lang::source::SourceMap;
use rtype_lang::syntax::format;

/// Returns a source's words, numbers, blanks and operators, separately.
fn tokens(text: &str) -> Vec<&str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if is_word(first) { rest.find(|c| !is_word(c)).unwrap_or(rest.len()) } else { first.len_utf8() };
        let (token, more) = rest.split_at(length);
        out.push(token);
        rest = more;
    }
    out
}

/// Returns a few adjacent elements of a list.
fn piece(length: usize, most: usize, bytes: &mut Unstructured<'_>) -> Result<std::ops::Range<usize>> {
    let from = bytes.int_in_range(0..=length.saturating_sub(1))?;
    Ok(from..(from + bytes.int_in_range(1..=most)?).min(length))
}

/// Returns a Ruby source with a few random changes: pieces are removed, or replaced with pieces from another source. Most changes replace a
/// single word, so that much of the result is still valid Ruby.
pub fn mutated(texts: &[String], bytes: &mut Unstructured<'_>) -> Result<String> {
    let other = bytes.choose(texts)?;
    let mut text = bytes.choose(texts)?.clone();
    for _ in 0..bytes.int_in_range(1..=4)? {
        let way = bytes.int_in_range(0..=9u8)?;
        if way > 6 {
            let mut lines: Vec<&str> = text.lines().collect();
            let others: Vec<&str> = other.lines().collect();
            let (here, there) = (piece(lines.len(), 2, bytes)?, piece(others.len(), 3, bytes)?);
            let there = others.get(there).unwrap_or_default().iter().copied();
            match way {
                7 => drop(lines.drain(here)),
                8 => drop(lines.splice(here, there)),
                _ => drop(lines.splice(here.start..here.start, there)),
            }
            text = lines.join("\n");
            continue;
        }
        let (mut here, there) = (tokens(&text), tokens(other));
        if way > 0 {
            let is_word = |token: &&str| token.starts_with(|c: char| c.is_alphanumeric());
            let places: Vec<usize> = here.iter().enumerate().filter(|(_, t)| is_word(t)).map(|(i, _)| i).collect();
            let words: Vec<&str> = there.iter().copied().filter(|t| is_word(t)).collect();
            if places.is_empty() || words.is_empty() {
                continue;
            }
            let (place, word) = (*bytes.choose(&places)?, *bytes.choose(&words)?);
            drop(here.splice(place..=place, [word]));
        } else {
            let (one, another) = (piece(here.len(), 8, bytes)?, piece(there.len(), 30, bytes)?);
            drop(here.splice(one, there.get(another).unwrap_or_default().iter().copied()));
        }
        text = here.concat();
    }
    Ok(text)
}

/// Imports a Ruby source, and asserts a loadable, formatted translation. Returns true if there is a translation.
pub fn imported(text: &str) -> bool {
    let sources = SourceMap::default();
    let Ok(source) = sources.add("fuzz.rb", text) else { return false };
    let (types, _) = import(&source, &mut NoRubyFiles, 100);
    for one in &types {
        let mut library = TypeSet::default();
        let Ok(result) = library.sources.add(format!("{}.rtype", one.path), one.text.as_str()) else { continue };
        library.load_text(&result, None);
        let wrong: Vec<String> = library.diagnostics().into_iter().filter(|d| d.is_error()).map(|d| d.message).collect();
        assert!(wrong.is_empty() || !one.needs.is_empty(), "{wrong:?}\n{}\n--- from\n{text}", one.text);
        assert_eq!(format(&result, 100).as_deref(), Ok(one.text.as_str()), "from\n{text}");
        assert!(one.translated <= one.blocks, "from\n{text}");
    }
    !types.is_empty()
}
