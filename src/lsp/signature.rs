//! Signatures of the call or directive at the cursor.

use super::completion::{OF_CATALOG, OF_PROVIDER, OF_SELF};
use super::cursor::{Cursor, CursorBody};
use super::describe;
use super::documents::Language;
use super::tokens::{TypeToken as Token, TypeTokenKind as Kind, tokens};
use super::workspace::{Answer, Workspace};
use lsp_types::{
    Documentation, MarkupContent, MarkupKind, ParameterInformation, ParameterLabel, SignatureHelp, SignatureHelpParams,
    SignatureInformation,
};
use rtype_author::docs::language;

/// The call or directive around the cursor, with incomplete arguments.
#[derive(Debug, PartialEq, Eq)]
struct Call<'t> {
    name: &'t str,
    /// The byte offset of the name.
    at: usize,
    /// The word before the dot; empty if the receiver is another expression.
    receiver: Option<&'t str>,
    /// The index of the argument at the cursor.
    argument: usize,
}

/// `textDocument/signatureHelp`
pub(super) fn signature(w: &mut Workspace, params: SignatureHelpParams) -> Answer<Option<SignatureHelp>> {
    let place = params.text_document_position_params;
    if w.document(&place.text_document)?.language != Language::Types {
        return Ok(None);
    }
    let (file, byte) = w.place(&place)?;
    let before = file.source.text().get(..byte).unwrap_or_default();
    let Some((call, is_directive)) = call(before).map(|c| (c, false)).or_else(|| directive(before).map(|c| (c, true))) else {
        return Ok(None);
    };
    let mut found = if is_directive { directives(before, call.name) } else { built_in(&call) };
    if !is_directive && (found.is_empty() || call.receiver == Some("provider")) {
        let analysis = w.analysis(&place.text_document)?;
        let name = analysis.table.at(analysis.source.base() + call.at as u32);
        let definition = name.and_then(|name| w.definition(&analysis.table, name.target));
        found.extend(definition.map(|d| (describe::written(&d), describe::author(&d))).filter(|(written, _)| written.contains('(')));
    }
    let signatures: Vec<_> = found.into_iter().map(|(written, doc)| information(w, &call, written, doc)).collect();
    let active_parameter = signatures.first().and_then(|first: &SignatureInformation| first.active_parameter);
    Ok((!signatures.is_empty()).then_some(SignatureHelp { signatures, active_signature: Some(0), active_parameter }))
}

fn information(w: &Workspace, call: &Call<'_>, written: String, doc: String) -> SignatureInformation {
    let units = |text: &str| text.encode_utf16().count() as u32;
    let all = parameters(&written, call.name);
    // Further arguments of a variadic function belong to the last parameter.
    let active = all.len().checked_sub(1).map(|last| call.argument.min(last) as u32);
    let label = |(start, end): (usize, usize)| {
        let before = |at: usize| units(written.get(..at).unwrap_or_default());
        match w.label_offsets {
            true => ParameterLabel::LabelOffsets([before(start), before(end)]),
            false => ParameterLabel::Simple(written.get(start..end).unwrap_or_default().to_owned()),
        }
    };
    let parameters = Some(all.into_iter().map(|range| ParameterInformation { label: label(range), documentation: None }).collect());
    let documentation = Some(doc).filter(|doc| !doc.is_empty());
    SignatureInformation {
        documentation: documentation.map(|value| Documentation::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value })),
        active_parameter: active,
        parameters,
        label: written,
    }
}

/// Returns the innermost call with an open parenthesis before the cursor.
fn call(before: &str) -> Option<Call<'_>> {
    let all = tokens(before);
    // Open brackets, each with the character, the token index and the number of commas.
    let mut open: Vec<(char, usize, usize)> = Vec::new();
    for (index, token) in all.iter().enumerate() {
        match token.kind {
            Kind::Open(bracket) => open.push((bracket, index, 0)),
            Kind::Close(_) => drop(open.pop()),
            Kind::Sign if token.text(before) == "," => open.iter_mut().last().into_iter().for_each(|(_, _, commas)| *commas += 1),
            _ => {}
        }
    }
    if all.last().is_some_and(|last| last.kind == Kind::Comment) {
        return None;
    }
    let inner = open.into_iter().rev().take_while(|(bracket, ..)| matches!(bracket, '(' | '['));
    inner.filter(|(bracket, ..)| *bracket == '(').find_map(|(_, index, argument)| {
        let callee = all.get(index.checked_sub(1)?)?;
        // `if (` is not a call.
        let touches = all.get(index).is_some_and(|open| open.range.start == callee.range.end);
        if callee.kind != Kind::Word || !touches {
            return None;
        }
        let token = |back: usize| all.get(index.checked_sub(back)?);
        let has_receiver = token(2).is_some_and(|dot| dot.kind == Kind::Sign && matches!(dot.text(before), "." | "&."));
        let receiver = has_receiver.then(|| token(3).filter(|t| t.kind == Kind::Word).map_or("", |t| t.text(before)));
        Some(Call { name: callee.text(before), at: callee.range.start, receiver, argument })
    })
}

/// Returns the directive on the line of the cursor.
fn directive(before: &str) -> Option<Call<'_>> {
    let cursor = Cursor::new(before);
    if cursor.inside.as_ref().is_some_and(|inside| inside.kind == Kind::Comment) {
        return None;
    }
    let line: &[Token] = &cursor.inner()?.line;
    let name = line.first().filter(|first| first.kind == Kind::Word && first.range.end < before.len())?;
    let argument = line.iter().filter(|t| t.kind == Kind::Sign && t.text(before) == ",").count();
    Some(Call { name: name.text(before), at: name.range.start, receiver: None, argument })
}

/// Returns syntax and documentation of all directives named `name` that are allowed at the cursor.
fn directives(before: &str, name: &str) -> Vec<(String, String)> {
    let cursor = Cursor::new(before);
    let place = match cursor.inner().map(|frame| &frame.body) {
        Some(CursorBody::Type(_) | CursorBody::Mixin(_)) => "types",
        Some(CursorBody::Attribute(_) | CursorBody::Kind(_)) => "attributes",
        Some(CursorBody::Provider { .. }) => "providers",
        _ => return Vec::new(),
    };
    let all = language(None);
    let here = all.iter().filter(|w| w.name == name && matches!(w.group, "directive" | "block") && w.of.contains(&place));
    let options: Vec<String> =
        all.iter().filter(|w| w.group == "option" && w.of.contains(&name)).map(|w| format!("\n- `{}`: {}", w.written, w.doc)).collect();
    here.map(|w| (w.written.clone(), format!("{}\n{}", w.doc, options.concat()).trim_end().to_owned())).collect()
}

/// Returns syntax and documentation of the called built-in function or method.
fn built_in(call: &Call<'_>) -> Vec<(String, String)> {
    let table = match call.receiver {
        Some("self") => OF_SELF,
        Some("provider") => OF_PROVIDER,
        Some("catalog") => OF_CATALOG,
        _ => &[],
    };
    let own = table.iter().filter(|(name, ..)| *name == call.name);
    let own: Vec<_> = own.map(|(_, template, doc)| (template.replace("$1", "type").replace("$0", "name"), (*doc).to_owned())).collect();
    if !own.is_empty() || call.receiver == Some("provider") {
        return own;
    }
    let group = if call.receiver.is_some() { "method" } else { "function" };
    let all = language(None);
    all.iter().filter(|w| w.group == group && w.name == call.name).map(|w| (w.written.clone(), w.doc.clone())).collect()
}

/// Returns the byte ranges of the parameters in a signature such as `sub(a[, b]) [{ |x| … }]` or `newparam NAME, OPTIONS [{ … }]`.
fn parameters(written: &str, name: &str) -> Vec<(usize, usize)> {
    let start = written.find('(').map(|open| open + 1).or_else(|| written.find(' ').map(|blank| blank + 1));
    let Some(start) = start.filter(|start| *start >= name.len()) else { return Vec::new() };
    let rest = written.get(start..).unwrap_or_default();
    let end = rest.find(')').or_else(|| rest.find(" [{")).or_else(|| rest.find(" {")).unwrap_or(rest.len());
    let mut at = start;
    let mut all = Vec::new();
    for part in rest.get(..end).unwrap_or_default().split(',') {
        let inner = part.trim_matches([' ', '[', ']']);
        let skipped = part.find(inner).unwrap_or_default();
        if !inner.is_empty() {
            all.push((at + skipped, at + skipped + inner.len()));
        }
        at += part.len() + 1;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_innermost_open_call_is_found() {
        for (before, expected) in [
            ("type a { validate { |v| gsub(", Some(("gsub", None, 0))),
            ("v.gsub(/a,b/, ", Some(("gsub", Some("v"), 1))),
            ("f(1).gsub(", Some(("gsub", Some(""), 0))),
            ("f(g(1, 2), [3, ", Some(("f", None, 1))),
            ("f(1, g(2, 3), ", Some(("f", None, 2))),
            ("f(a) ", None),
            ("f { |x| ", None),
            ("f(1) { g ", None),
            ("if (", None),
            ("f(\"a, ", Some(("f", None, 0))),
            ("f(1, # why, ", None),
        ] {
            let found = call(before).map(|c| (c.name, c.receiver, c.argument));
            assert_eq!(found, expected, "{before}");
        }
    }

    #[test]
    fn parameters_of_signatures() {
        for (written, name, expected) in [
            ("sub(a[, b]) [{ |x| … }]", "sub", &["a", "b"] as &[&str]),
            ("format(a, …)", "format", &["a", "…"]),
            ("newparam NAME, OPTIONS [{ … }]", "newparam", &["NAME", "OPTIONS"]),
            ("fn short(text, most = 10)", "short", &["text", "most = 10"]),
            ("metaparams()", "metaparams", &[]),
        ] {
            let found: Vec<_> = parameters(written, name).into_iter().map(|(start, end)| &written[start..end]).collect();
            assert_eq!(found, expected, "{written}");
        }
    }
}
