//! `rtype import --report FILE`: the imported and the untranslated parts. `docs/import.schema.json` is the schema.

use rtype_import::Imported;
use rtype_lang::diagnostics::Diagnostic;
use rtype_lang::source::{SourceMap, Span};
use serde::Serialize;

/// A type, or the providers of a type that was not imported.
#[derive(Serialize)]
struct Row<'a> {
    /// The Ruby file.
    file: String,
    /// The name of the type; `None` if unknown.
    name: Option<&'a str>,
    /// `complete`, `partial` or `refused`.
    status: &'static str,
    attributes: usize,
    blocks: Blocks,
    /// The reasons why the import is not complete.
    reasons: Vec<Reason<'a>>,
}

/// The numbers of code blocks.
#[derive(Default, Serialize)]
struct Blocks {
    total: usize,
    translated: usize,
}

/// A part that was not translated.
#[derive(Serialize)]
struct Reason<'a> {
    file: String,
    line: u32,
    /// The directive, such as `munge`; `helper`, `provider` or `refused`.
    kind: &'a str,
    reason: &'a str,
}

/// Returns the report.
pub fn json(imported: &[Imported], found: &[Diagnostic], sources: &SourceMap) -> String {
    let place = |span: Span| sources.find(span).map_or((String::new(), 0), |s| (s.name().to_owned(), s.line(span.start)));
    let mut rows: Vec<Row<'_>> = imported
        .iter()
        .map(|one| Row {
            file: one.pieces.first().map(|p| place(p.origin).0).unwrap_or_default(),
            name: one.type_name.as_deref(),
            status: if one.residues.is_empty() { "complete" } else { "partial" },
            attributes: one.attributes,
            blocks: Blocks { total: one.blocks, translated: one.translated },
            reasons: one
                .residues
                .iter()
                .map(|residue| {
                    let (file, line) = place(residue.span);
                    Reason { file, line, kind: &residue.kind, reason: &residue.reason }
                })
                .collect(),
        })
        .collect();
    for refused in found.iter().filter(|d| d.is_error()) {
        let (file, line) = place(refused.span());
        let stem = file.rsplit('/').next().and_then(|f| f.strip_suffix(".rb"));
        let known = imported.iter().any(|i| i.type_name.is_some() && i.type_name.as_deref() == stem);
        if !known {
            let reasons = vec![Reason { file: file.clone(), line, kind: "refused", reason: &refused.message }];
            rows.push(Row { file, name: None, status: "refused", attributes: 0, blocks: Blocks::default(), reasons });
        }
    }
    serde_json::to_string_pretty(&rows).unwrap_or_default() + "\n"
}
