//! Navigation between declarations and uses of names, and renaming.

use super::documents::Language;
use super::error::{NameRule, RenameObstacle, RequestError};
use super::index::{Definition, File, Name, Occurrence};
use super::standard;
use super::workspace::{Answer, Workspace};
use crate::app::input;
use indexmap::IndexMap;
use lsp_types::{
    DocumentChanges, DocumentHighlight, DocumentHighlightKind, DocumentHighlightParams, GotoDefinitionParams, GotoDefinitionResponse,
    Location, OneOf, OptionalVersionedTextDocumentIdentifier, PrepareRenameResponse, ReferenceParams, RenameParams, TextDocumentEdit,
    TextDocumentPositionParams, TextEdit, Uri, WorkspaceEdit,
};
use rtype_lang::library::standard_paths;
use rtype_lang::lower::{ATTRIBUTE_WORDS, PROVIDER_WORDS, TYPE_WORDS};
use rtype_lang::source::Span;
use std::path::PathBuf;
use std::rc::Rc;

/// The maximum number of files to search. No repository of types has more.
const MOST_FILES: usize = 5000;

/// The name at the cursor, and the locations of its declaration.
struct Meaning {
    file: Rc<File>,
    occurrence: Occurrence,
    found: Option<Definition>,
}

fn meaning(w: &Workspace, place: &TextDocumentPositionParams) -> Answer<Option<Meaning>> {
    let (file, byte) = w.place(place)?;
    let Some(occurrence) = file.at(byte).cloned() else { return Ok(None) };
    let found = if occurrence.declares {
        Some(Definition { file: Rc::clone(&file), span: occurrence.span })
    } else {
        w.resolver.resolve(&file, &occurrence.name).or_else(|| elsewhere(w, &occurrence.name))
    };
    Ok(Some(Meaning { file, occurrence, found }))
}

/// A resource that is declared in another file.
fn elsewhere(w: &Workspace, name: &Name) -> Option<Definition> {
    if !matches!(name, Name::Resource(..)) {
        return None;
    }
    files(w, false).into_iter().find_map(|file| file.declared(name).map(|span| Definition { file, span }))
}

/// Returns all files of the workspace and, if requested, of the standard library.
pub(super) fn files(w: &Workspace, also_standard: bool) -> Vec<Rc<File>> {
    let folders: Vec<String> = w.folders.iter().chain(&w.types).map(|f| f.to_string_lossy().into_owned()).collect();
    let (mut paths, _) = input::collect_as_given(&folders, &["rtype", "pp"], &w.access());
    for document in w.documents().filter(|d| matches!(d.language, Language::Types | Language::Puppet)) {
        // The files next to an open type belong to it.
        let beside = document
            .path
            .parent()
            .filter(|p| p.is_absolute())
            .map(|p| rtype_lang::library::types_directory(p).to_string_lossy().into_owned());
        if document.language == Language::Types
            && w.folders.iter().all(|f| !document.path.starts_with(f))
            && standard::name_of(&document.path).is_none()
        {
            paths.extend(input::collect_as_given(beside.as_slice(), &["rtype", "pp"], &w.access()).0);
        }
        paths.push(document.path.clone());
    }
    let mut names: Vec<String> =
        paths.iter().map(|p: &PathBuf| standard::name_of(p).unwrap_or_else(|| p.to_string_lossy().into_owned())).collect();
    if also_standard {
        names.extend(standard_paths().map(|p| format!("<rtype>/{p}.rtype")));
    }
    names.sort();
    names.dedup();
    names.iter().take(MOST_FILES).filter_map(|n| w.resolver.file(n)).collect()
}

fn location(w: &Workspace, found: &Definition) -> Option<Location> {
    w.location(&found.file.source, found.span)
}

/// `textDocument/definition`
pub(super) fn definition(w: &mut Workspace, params: GotoDefinitionParams) -> Answer<Option<GotoDefinitionResponse>> {
    let Some(meaning) = meaning(w, &params.text_document_position_params)? else { return Ok(None) };
    Ok(meaning.found.and_then(|f| location(w, &f)).map(GotoDefinitionResponse::Scalar))
}

/// Returns all occurrences of the name declared at a location, by file.
fn places(w: &Workspace, found: &Definition, name: &Name, files: &[Rc<File>]) -> Vec<(Rc<File>, Vec<Occurrence>)> {
    let wanted = bare(name);
    let mut all = Vec::new();
    for file in files {
        let means = |o: &&Occurrence| {
            // Only occurrences with the same text need to be resolved.
            bare(&o.name) == wanted
                && match o.declares {
                    true => o.span == found.span && file.source.name() == found.file.source.name() || same_declared(o, name),
                    false => w.resolver.resolve(file, &o.name).or_else(|| elsewhere(w, &o.name)).is_some_and(|f| f.is(found)),
                }
        };
        let here: Vec<Occurrence> = file.occurrences.iter().filter(means).cloned().collect();
        if !here.is_empty() {
            all.push((Rc::clone(file), here));
        }
    }
    all
}

/// Returns whether a name is declared in several places that mean one: a method by each provider that has it, a value by each `newvalues`.
fn same_declared(occurrence: &Occurrence, name: &Name) -> bool {
    matches!(name, Name::Method(..)) && occurrence.name == *name
}

/// Returns the letters of a name, without the question mark.
fn bare(name: &Name) -> &str {
    let text = match name {
        Name::Type(n)
        | Name::Provider(_, n)
        | Name::Attribute(_, n)
        | Name::Feature(_, n)
        | Name::Method(_, n)
        | Name::Value(_, _, n)
        | Name::Platform(n)
        | Name::Kind(n)
        | Name::Mixin(n)
        | Name::Function(_, n)
        | Name::Constant(n)
        | Name::Alias(n)
        | Name::Local(n, _)
        | Name::File(n)
        | Name::Resource(_, n)
        | Name::Word(_, _, n) => n,
    };
    text.strip_suffix('?').unwrap_or(text)
}

/// Returns the files to search: a local only occurs in its own file.
fn scope(w: &Workspace, meaning: &Meaning, found: &Definition) -> Vec<Rc<File>> {
    match &meaning.occurrence.name {
        Name::Local(..) => vec![Rc::clone(&meaning.file)],
        _ => {
            let mut all = files(w, found.file.source.name().starts_with('<'));
            for more in [&meaning.file, &found.file] {
                if !all.iter().any(|f| f.source.name() == more.source.name()) {
                    all.push(Rc::clone(more));
                }
            }
            all
        }
    }
}

/// `textDocument/references`
pub(super) fn references(w: &mut Workspace, params: ReferenceParams) -> Answer<Option<Vec<Location>>> {
    let Some(meaning) = meaning(w, &params.text_document_position)? else { return Ok(None) };
    let Some(found) = &meaning.found else { return Ok(None) };
    let files = scope(w, &meaning, found);
    let mut out = Vec::new();
    for (file, here) in places(w, found, &meaning.occurrence.name, &files) {
        let wanted = here.iter().filter(|o| params.context.include_declaration || !o.declares);
        out.extend(wanted.filter_map(|o| w.location(&file.source, o.span)));
    }
    Ok(Some(out))
}

/// `textDocument/documentHighlight`
pub(super) fn highlight(w: &mut Workspace, params: DocumentHighlightParams) -> Answer<Option<Vec<DocumentHighlight>>> {
    let Some(meaning) = meaning(w, &params.text_document_position_params)? else { return Ok(None) };
    let one = |span: Span, declares: bool| DocumentHighlight {
        range: w.encoding.range(&meaning.file.source, span),
        kind: Some(if declares { DocumentHighlightKind::WRITE } else { DocumentHighlightKind::READ }),
    };
    let Some(found) = &meaning.found else { return Ok(Some(vec![one(meaning.occurrence.span, false)])) };
    let all = places(w, found, &meaning.occurrence.name, &[Rc::clone(&meaning.file)]);
    Ok(Some(all.iter().flat_map(|(_, here)| here).map(|o| one(o.span, o.declares)).collect()))
}

/// Returns the declaration to rename, or why it cannot be renamed.
fn renamed<'m>(meaning: &'m Meaning, span_text: &str) -> Answer<&'m Definition> {
    let name = &meaning.occurrence.name;
    let word = bare(name);
    let refused = |obstacle| Err(RequestError::NotRenamable(word.to_owned(), obstacle));
    match name {
        Name::Word(..) => return refused(RenameObstacle::Keyword),
        Name::Type(_) => return refused(RenameObstacle::Type),
        Name::Value(..) => return refused(RenameObstacle::Value),
        Name::File(_) => return refused(RenameObstacle::Path),
        _ => {}
    }
    let Some(found) = &meaning.found else { return refused(RenameObstacle::Undefined) };
    if found.file.source.name().starts_with('<') {
        return refused(RenameObstacle::StandardLibrary);
    }
    if span_text != word && span_text.trim_end_matches('?') != word {
        return refused(RenameObstacle::DefinedAs(span_text.to_owned()));
    }
    if let Name::Provider(..) = name
        && native(found)
    {
        return refused(RenameObstacle::Native);
    }
    Ok(found)
}

/// Returns whether a provider's declaration says `native`.
fn native(found: &Definition) -> bool {
    use rtype_lang::syntax::ast::Item;
    found.file.ast().into_iter().flat_map(|a| &a.items).any(|i| match i {
        Item::Provider(p) => p.name.span == found.span && p.body.directives.iter().any(|d| d.name.name == "native"),
        _ => false,
    })
}

/// `textDocument/prepareRename`
pub(super) fn prepare_rename(w: &mut Workspace, place: TextDocumentPositionParams) -> Answer<Option<PrepareRenameResponse>> {
    let Some(meaning) = meaning(w, &place)? else { return Err(RequestError::NoName) };
    let declared = meaning.found.as_ref().map_or("", |f| f.file.source.slice(f.span)).to_owned();
    renamed(&meaning, &declared)?;
    let mut span = meaning.occurrence.span;
    if meaning.file.source.slice(span).ends_with('?') && !declared.ends_with('?') {
        span.end -= 1;
    }
    let placeholder = meaning.file.source.slice(span).to_owned();
    Ok(Some(PrepareRenameResponse::RangeWithPlaceholder { range: w.encoding.range(&meaning.file.source, span), placeholder }))
}

/// `textDocument/rename`
pub(super) fn rename(w: &mut Workspace, params: RenameParams) -> Answer<Option<WorkspaceEdit>> {
    let Some(meaning) = meaning(w, &params.text_document_position)? else { return Err(RequestError::NoName) };
    let declared = meaning.found.as_ref().map_or("", |f| f.file.source.slice(f.span)).to_owned();
    let found = renamed(&meaning, &declared)?;
    let new = params.new_name.trim();
    check_new(w, &meaning, found, new)?;
    let files = scope(w, &meaning, found);
    let asks = declared.ends_with('?');
    let mut changes: IndexMap<Uri, Vec<TextEdit>> = IndexMap::new();
    for (file, here) in places(w, found, &meaning.occurrence.name, &files) {
        let Some(uri) = w.uri(file.source.name()) else { continue };
        let edits = changes.entry(uri).or_default();
        for occurrence in here {
            let mut span = occurrence.span;
            // `self.x?` and `provider.feature?` refer to names that are declared without the question mark.
            if !asks && file.source.slice(span).ends_with('?') {
                span.end -= 1;
            }
            edits.push(TextEdit { range: w.encoding.range(&file.source, span), new_text: new.to_owned() });
        }
    }
    let version = |uri: &Uri| w.documents().find(|d| d.uri == *uri).map(|d| d.version);
    let edits = changes.into_iter().map(|(uri, edits)| TextDocumentEdit {
        text_document: OptionalVersionedTextDocumentIdentifier { version: version(&uri), uri },
        edits: edits.into_iter().map(OneOf::Left).collect(),
    });
    Ok(Some(WorkspaceEdit { document_changes: Some(DocumentChanges::Edits(edits.collect())), ..WorkspaceEdit::default() }))
}

/// Whether the new name is one, and free.
fn check_new(w: &Workspace, meaning: &Meaning, found: &Definition, new: &str) -> Answer<()> {
    let name = &meaning.occurrence.name;
    let capital = matches!(name, Name::Constant(_) | Name::Alias(_));
    let asks = matches!(name, Name::Method(..) | Name::Function(..));
    let base = if asks { new.strip_suffix('?').unwrap_or(new) } else { new };
    let first = |c: char| if capital { c.is_ascii_uppercase() } else { c.is_ascii_lowercase() || c == '_' };
    let is_title = matches!(name, Name::Resource(..));
    let fits = match is_title {
        true => !new.is_empty() && !new.contains(['\'', '"', '\\', '$', '\n']),
        false => base.starts_with(first) && base.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'),
    };
    if !fits {
        let rule = if capital { NameRule::Capitalized } else { NameRule::Lowercase };
        return Err(RequestError::InvalidName(new.to_owned(), rule));
    }
    let reserved = [
        "self", "true", "false", "nil", "if", "else", "elsif", "unless", "match", "try", "fail", "return", "next", "let", "super",
        "provider",
    ];
    let directive =
        matches!(name, Name::Method(..)) && PROVIDER_WORDS.iter().chain(TYPE_WORDS).chain(ATTRIBUTE_WORDS).any(|w| w.name == new);
    if !is_title && (reserved.contains(&new) || directive) {
        return Err(RequestError::Keyword(new.to_owned()));
    }
    let other = with(name, new);
    let taken = match &other {
        Name::Local(..) => found.file.occurrences.iter().any(|o| o.declares && matches!(&o.name, Name::Local(n, _) if n == new)),
        other => w.resolver.resolve(&found.file, other).is_some(),
    };
    if taken { Err(RequestError::NameTaken(new.to_owned())) } else { Ok(()) }
}

/// Returns the same kind of name with other letters.
fn with(name: &Name, new: &str) -> Name {
    let new = new.into();
    match name.clone() {
        Name::Provider(of, _) => Name::Provider(of, new),
        Name::Attribute(of, _) => Name::Attribute(of, new),
        Name::Feature(of, _) => Name::Feature(of, new),
        Name::Method(of, _) => Name::Method(of, new),
        Name::Platform(_) => Name::Platform(new),
        Name::Kind(_) => Name::Kind(new),
        Name::Mixin(_) => Name::Mixin(new),
        Name::Function(of, _) => Name::Function(of, new),
        Name::Constant(_) => Name::Constant(new),
        Name::Alias(_) => Name::Alias(new),
        Name::Local(_, at) => Name::Local(new, at),
        Name::Resource(of, _) => Name::Resource(of, new),
        other => other,
    }
}
