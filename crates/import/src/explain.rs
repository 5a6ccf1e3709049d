//! Shows the imported text next to the Ruby that it was translated from.

use super::Imported;
use super::ruby::dedented_end;
use rtype_lang::source::SourceMap;
use rtype_lang::syntax::format;
use rtype_lang::value::REDACTED;

/// Separator between the columns.
const BETWEEN: &str = " │ ";

/// Formats Ruby on the left and the type file on the right, piece by piece, in lines of `width` columns. `secrets` are masked
/// before wrapping.
pub fn side_by_side(imported: &Imported, sources: &SourceMap, width: usize, secrets: &[String]) -> String {
    let masked = |text: &str| secrets.iter().fold(text.to_owned(), |text, secret| text.replace(secret, REDACTED));
    let half = width.saturating_sub(BETWEEN.chars().count()) / 2;
    let mut out = String::new();
    let mut last = None;
    let mut parts: Vec<_> = imported.pieces.iter().filter(|p| p.depth == 1).collect();
    parts.sort_by_key(|p| p.range.start);
    for part in parts {
        let Some(source) = sources.find(part.origin) else { continue };
        let raw = imported.raw.get(part.range.clone()).unwrap_or_default();
        let right = laid_out(raw, half.max(20)).unwrap_or_else(|| raw.trim().to_owned());
        if right.is_empty() {
            continue;
        }
        if last != Some(source.name()) {
            row(source.name(), &format!("{}.rtype", imported.path), half, &mut out);
            last = Some(source.name());
        }
        out.push_str(&format!("{0}─┼─{0}\n", "─".repeat(half)));
        let line = source.line(part.origin.start);
        let left = format!("# {line}\n{}", dedented_end(source.slice(part.origin)));
        let (left, right): (Vec<String>, Vec<String>) = (lines(&masked(&left), half), lines(&masked(&right), half));
        for i in 0..left.len().max(right.len()) {
            let side = |lines: &[String]| lines.get(i).cloned().unwrap_or_default();
            row(&side(&left), &side(&right), half, &mut out);
        }
    }
    out
}

fn row(left: &str, right: &str, half: usize, out: &mut String) {
    let blanks = half.saturating_sub(left.chars().count());
    let line = format!("{left}{}{BETWEEN}{right}", " ".repeat(blanks));
    out.push_str(line.trim_end());
    out.push('\n');
}

/// Formats a piece as in its file, without its indentation.
fn laid_out(raw: &str, width: usize) -> Option<String> {
    let laid_out = |text: &str, width: usize| {
        let sources = SourceMap::default();
        let source = sources.add("piece", text).ok()?;
        format(&source, width).ok()
    };
    // A directive of a type, or a top-level item.
    let Some(inside) = laid_out(&format!("type t {{\n{raw}}}\n"), width + 2) else { return laid_out(raw, width) };
    let inside = inside.strip_prefix("type t {\n")?.strip_suffix("}\n")?;
    let lines = inside.lines().map(|l| l.strip_prefix("  ").unwrap_or(l));
    Some(lines.collect::<Vec<_>>().join("\n").trim_end().to_owned())
}

/// Splits text into lines of at most `width` characters.
fn lines(text: &str, width: usize) -> Vec<String> {
    let mut out = Vec::new();
    for line in text.lines() {
        let letters: Vec<char> = line.chars().collect();
        if letters.is_empty() {
            out.push(String::new());
        }
        out.extend(letters.chunks(width.max(1)).map(|c| c.iter().collect::<String>()));
    }
    out
}
