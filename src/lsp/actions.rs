//! Code actions: fixes for findings.

use super::analysis::Analysis;
use super::workspace::{Answer, MAX_PUBLISHED, Workspace};
use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, Command, DocumentChanges, OneOf,
    OptionalVersionedTextDocumentIdentifier, TextDocumentEdit, TextEdit, WorkspaceEdit,
};
use rtype_author::check::{suppressions, touch};
use rtype_author::editor::suggestion::suggested;
use rtype_lang::diagnostics::{Diagnostic, Fix};
use rtype_lang::source::Source;

/// The action for applying all safe fixes.
pub(super) const FIX_ALL: CodeActionKind = CodeActionKind::new("source.fixAll.rtype");

/// The command for explaining the code in its argument.
pub(super) const EXPLAIN: &str = "rtype.explain";

/// `textDocument/codeAction`
pub(super) fn actions(w: &mut Workspace, params: CodeActionParams) -> Answer<Option<Vec<CodeActionOrCommand>>> {
    let analysis = w.analysis(&params.text_document)?;
    let version = w.document(&params.text_document)?.version;
    let asked = |kind: &CodeActionKind| {
        let wanted = params.context.only.as_ref();
        wanted.is_none_or(|only| only.iter().any(|o| kind.as_str() == o.as_str() || kind.as_str().starts_with(&format!("{}.", o.as_str()))))
    };
    let edit = |edits: Vec<TextEdit>| {
        let text_document = OptionalVersionedTextDocumentIdentifier { uri: params.text_document.uri.clone(), version: Some(version) };
        let edits = edits.into_iter().map(OneOf::Left).collect();
        WorkspaceEdit {
            document_changes: Some(DocumentChanges::Edits(vec![TextDocumentEdit { text_document, edits }])),
            ..WorkspaceEdit::default()
        }
    };
    let written = |fix: &Fix| -> Vec<TextEdit> {
        let edits = fix.edits.iter();
        edits.map(|e| TextEdit { range: w.encoding.range(&analysis.source, e.span), new_text: e.text.clone() }).collect()
    };
    let place = |position| analysis.source.base() + w.encoding.byte(&analysis.source, position) as u32;
    let (start, end) = (place(params.range.start), place(params.range.end));
    let is_asked = |d: &&Diagnostic| d.span().start <= end && start <= d.span().end;
    let fixes = analysis.diagnostics.iter().filter_map(|d| Some((d, usable(d, &analysis.source)?)));
    let shown = analysis.diagnostics.iter().take(MAX_PUBLISHED).filter(is_asked);
    let mut out = Vec::new();
    if asked(&CodeActionKind::QUICKFIX) {
        for (diagnostic, fix) in shown.clone().filter_map(|d| Some((d, usable(d, &analysis.source)?))) {
            let published = w.published(diagnostic, &analysis);
            out.push(CodeActionOrCommand::CodeAction(CodeAction {
                title: fix.title.clone(),
                kind: Some(CodeActionKind::QUICKFIX),
                edit: Some(edit(written(fix))),
                is_preferred: Some(fix.safe),
                diagnostics: Some(vec![published]),
                ..CodeAction::default()
            }));
        }
        for diagnostic in shown.clone().filter(|d| usable(d, &analysis.source).is_none()) {
            let Some((span, word)) = suggested(diagnostic, &analysis.source) else { continue };
            let published = w.published(diagnostic, &analysis);
            let change = TextEdit { range: w.encoding.range(&analysis.source, span), new_text: word.to_owned() };
            out.push(CodeActionOrCommand::CodeAction(CodeAction {
                title: format!("Change to `{word}`"),
                kind: Some(CodeActionKind::QUICKFIX),
                edit: Some(edit(vec![change])),
                diagnostics: Some(vec![published]),
                ..CodeAction::default()
            }));
        }
        for (diagnostic, comment) in suppressions(shown.clone(), &analysis.source) {
            let change = TextEdit { range: w.encoding.range(&analysis.source, comment.span), new_text: comment.text };
            out.push(CodeActionOrCommand::CodeAction(CodeAction {
                title: format!("Suppress {} with a comment", diagnostic.code),
                kind: Some(CodeActionKind::QUICKFIX),
                edit: Some(edit(vec![change])),
                diagnostics: Some(vec![w.published(diagnostic, &analysis)]),
                ..CodeAction::default()
            }));
        }
        out.extend(explanations(w, &analysis, shown));
    }
    if asked(&FIX_ALL) {
        let mut taken: Vec<&Fix> = Vec::new();
        for (_, fix) in fixes.filter(|(_, fix)| fix.safe) {
            let touches = |a: &Fix| a.edits.iter().any(|a| fix.edits.iter().any(|b| touch(a.span, b.span)));
            if !taken.iter().any(|t| touches(t)) {
                taken.push(fix);
            }
        }
        if !taken.is_empty() {
            out.push(CodeActionOrCommand::CodeAction(CodeAction {
                title: "Fix all that can be fixed safely".to_owned(),
                kind: Some(FIX_ALL),
                edit: Some(edit(taken.into_iter().flat_map(written).collect())),
                ..CodeAction::default()
            }));
        }
    }
    Ok(Some(out))
}

/// Returns an action per code for showing the page about the code.
fn explanations<'d>(w: &Workspace, analysis: &Analysis, shown: impl Iterator<Item = &'d Diagnostic>) -> Vec<CodeActionOrCommand> {
    let mut explained = Vec::new();
    let mut out = Vec::new();
    for diagnostic in shown {
        if explained.contains(&diagnostic.code) {
            continue;
        }
        explained.push(diagnostic.code);
        let title = format!("Explain {}", diagnostic.code);
        let arguments = Some(vec![diagnostic.code.info().id.into()]);
        out.push(CodeActionOrCommand::CodeAction(CodeAction {
            title: title.clone(),
            kind: Some(CodeActionKind::QUICKFIX),
            command: Some(Command { title, command: EXPLAIN.to_owned(), arguments }),
            diagnostics: Some(vec![w.published(diagnostic, analysis)]),
            ..CodeAction::default()
        }));
    }
    out
}

/// Returns the fix of a diagnostic if the fix only changes this document.
fn usable<'d>(diagnostic: &'d Diagnostic, source: &Source) -> Option<&'d Fix> {
    let fix = diagnostic.fix.as_deref()?;
    (!fix.edits.is_empty() && fix.edits.iter().all(|e| source.span().contains(e.span))).then_some(fix)
}
