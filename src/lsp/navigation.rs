//! Navigation between definitions and uses of names, and renaming.

use super::documents::Language;
use super::error::{NameRule, RenameObstacle, RequestError};
use super::index::{File, Name, Occurrence};
use super::mentions::Mentions;
use super::semantic::KEYWORDS;
use super::table::{Table, attribute_name};
use super::tokens::{TypeToken as Token, TypeTokenKind as Kind, tokens};
use super::workspace::{Answer, Workspace};
use crate::app::input;
use indexmap::IndexMap;
use lsp_types::{
    DocumentChanges, DocumentHighlight, DocumentHighlightKind, DocumentHighlightParams, GotoDefinitionParams, GotoDefinitionResponse,
    Location, OneOf, OptionalVersionedTextDocumentIdentifier, PrepareRenameResponse, Range, ReferenceParams, RenameParams,
    TextDocumentEdit, TextDocumentPositionParams, TextEdit, Uri, WorkspaceEdit,
};
use rtype_lang::lower::{ATTRIBUTE_WORDS, NameKind, PROVIDER_WORDS, Reference, TYPE_WORDS};
use rtype_lang::source::Span;
use rtype_lang::syntax::ast::Item;
use std::collections::HashSet;
use std::path::PathBuf;
use std::rc::Rc;

/// The maximum number of files to search. Repositories of types are smaller.
const MOST_FILES: usize = 5000;

/// The name at the cursor, and the table with its definition.
struct NamedAt {
    table: Rc<Table>,
    name: Reference,
}

impl NamedAt {
    fn text(&self) -> &str {
        self.table.types.sources.slice(self.name.span)
    }

    /// Returns the name as written in the definition; empty if the definition is unknown.
    fn defined_as(&self) -> &str {
        self.table.types.sources.slice(self.name.target)
    }

    /// Returns the name of the file with the definition.
    fn file_name(&self) -> &str {
        self.table.types.sources.find(self.name.target).map_or("", |s| s.name())
    }
}

/// Finds the name at a position. If the document does not depend on the definition, searches the whole workspace.
fn name_at(w: &mut Workspace, place: &TextDocumentPositionParams) -> Answer<Option<NamedAt>> {
    let (analysis, byte) = w.at(place)?;
    let table = Rc::clone(&analysis.table);
    let Some(name) = table.at(analysis.source.base() + byte as u32) else { return Ok(None) };
    if name.target.is_none() {
        let word = table.types.sources.slice(name.span).to_owned();
        let all = w.program(&Mentions { words: vec![word], ..Mentions::default() });
        let found = all.same(&table, name.span).and_then(|span| all.at(span.start)).filter(|found| !found.target.is_none());
        if let Some(name) = found {
            return Ok(Some(NamedAt { table: all, name }));
        }
    }
    Ok(Some(NamedAt { table, name }))
}

/// Returns the files of the workspace that may refer to a definition.
pub(super) fn files(w: &Workspace, mentions: &Mentions) -> Vec<Rc<File>> {
    let is_mentioned = |n: &String| w.resolver.text(n).is_some_and(|text| mentions.are_in(&text));
    let names: Vec<String> = w.names_of_files().iter().filter(|n| is_mentioned(n)).cloned().collect();
    w.resolver.files(&names)
}

/// Returns the names of the workspace files, sorted.
pub(super) fn names_of_files(w: &Workspace) -> Vec<String> {
    let folders: Vec<String> = w.folders.iter().chain(&w.types).map(|f| f.to_string_lossy().into_owned()).collect();
    let mut paths = input::collect_as_given(&folders, &["rtype", "pp"], &w.access()).files;
    for document in w.documents().filter(|d| matches!(d.language, Language::Types | Language::Puppet)) {
        // Also search the files next to an open type file that is not in the workspace.
        let beside = document
            .path
            .parent()
            .filter(|p| p.is_absolute())
            .map(|p| rtype_lang::library::types_directory(p).to_string_lossy().into_owned());
        if document.language == Language::Types
            && w.folders.iter().all(|f| !document.path.starts_with(f))
            && w.embedded.name_of(&document.path).is_none()
        {
            paths.extend(input::collect_as_given(beside.as_slice(), &["rtype", "pp"], &w.access()).files);
        }
        paths.push(document.path.clone());
    }
    let mut names: Vec<String> =
        paths.iter().map(|p: &PathBuf| w.embedded.name_of(p).unwrap_or_else(|| p.to_string_lossy().into_owned())).collect();
    names.sort();
    names.dedup();
    names.truncate(MOST_FILES);
    names
}

/// Returns the location of a span. In a source imported from Ruby, returns the location in the Ruby file.
fn location(w: &Workspace, table: &Table, span: Span) -> Option<Location> {
    let sources = &table.types.sources;
    w.location(sources.find(sources.origin(span))?, sources.origin(span))
}

/// `textDocument/definition`
pub(super) fn definition(w: &mut Workspace, params: GotoDefinitionParams) -> Answer<Option<GotoDefinitionResponse>> {
    let Some(at) = name_at(w, &params.text_document_position_params)? else { return Ok(None) };
    Ok(location(w, &at.table, at.name.target).map(GotoDefinitionResponse::Scalar))
}

/// Returns the words that a file must contain to refer to a name.
fn mentions(at: &NamedAt) -> Mentions {
    let also_standard = at.file_name().starts_with('<');
    let mut words = vec![at.text().to_owned(), at.defined_as().to_owned()];
    match at.name.kind {
        // A path has several spellings.
        NameKind::File => words.clear(),
        // Every namevar can be written as `name`, and `ensurable` declares `ensure`.
        NameKind::Attribute => words.extend(["name", "ensure"].map(str::to_owned).into_iter().filter(|_| is_special(at))),
        _ if words.iter().any(|word| word.contains(['\\', '\'', '"'])) => words.clear(),
        _ => {}
    }
    words.iter_mut().for_each(|word| *word = word.trim_end_matches('?').to_owned());
    words.sort();
    words.dedup();
    let owner = at.table.owner(at.name.target).map(|owner| at.table.types.sources.slice(owner).to_owned());
    Mentions { words, owner, also_standard }
}

/// Returns whether an attribute can be spelled differently from its declaration.
fn is_special(at: &NamedAt) -> bool {
    let namevars = |t: &std::sync::Arc<rtype_lang::types::TypeDef>| t.attributes.iter().any(|a| a.namevar && a.span == at.name.target);
    at.defined_as() != at.text() || at.table.types.registry().iter().any(namevars)
}

/// Returns the name together with the table of the whole workspace. A local keeps the table of its document, because it occurs in no other
/// file.
fn everywhere(w: &mut Workspace, at: NamedAt) -> NamedAt {
    if at.name.kind == NameKind::Local {
        return at;
    }
    let table = w.program(&mentions(&at));
    match table.same(&at.table, at.name.target) {
        Some(target) => {
            NamedAt { name: Reference { target, span: table.same(&at.table, at.name.span).unwrap_or(target), ..at.name }, table }
        }
        None => at,
    }
}

/// `textDocument/references`
pub(super) fn references(w: &mut Workspace, params: ReferenceParams) -> Answer<Option<Vec<Location>>> {
    let Some(at) = name_at(w, &params.text_document_position)?.filter(|at| !at.name.target.is_none()) else { return Ok(None) };
    let at = everywhere(w, at);
    let names = at.table.of(at.name.target).filter(|r| params.context.include_declaration || !r.defines);
    let mut locations: Vec<Location> = names.filter_map(|r| location(w, &at.table, r.span)).collect();
    // The order of sources depends on earlier edits.
    locations.sort_by(|a, b| (a.uri.as_str(), a.range.start, a.range.end).cmp(&(b.uri.as_str(), b.range.start, b.range.end)));
    locations.dedup();
    Ok(Some(locations))
}

/// `textDocument/documentHighlight`
pub(super) fn highlight(w: &mut Workspace, params: DocumentHighlightParams) -> Answer<Option<Vec<DocumentHighlight>>> {
    let (analysis, byte) = w.at(&params.text_document_position_params)?;
    let Some(name) = analysis.table.at(analysis.source.base() + byte as u32) else { return Ok(None) };
    let one = |r: &Reference| DocumentHighlight {
        range: w.encoding.range(&analysis.source, r.span),
        kind: Some(if r.defines { DocumentHighlightKind::WRITE } else { DocumentHighlightKind::READ }),
    };
    if name.target.is_none() {
        return Ok(Some(vec![one(&name)]));
    }
    let mut here: Vec<&Reference> = analysis.table.of(name.target).filter(|r| analysis.source.span().contains(r.span)).collect();
    here.dedup_by_key(|r| r.span);
    Ok(Some(here.into_iter().map(one).collect()))
}

/// Returns the reason why a name cannot be renamed.
fn obstacle(w: &Workspace, at: &NamedAt) -> Option<RenameObstacle> {
    let declared = at.defined_as();
    match at.name.kind {
        NameKind::Type => Some(RenameObstacle::Type),
        NameKind::Value => Some(RenameObstacle::Value),
        // `ensurable` declares `ensure`.
        NameKind::Attribute if at.name.defines && TYPE_WORDS.iter().any(|w| w.name == declared) => Some(RenameObstacle::Keyword),
        NameKind::File => Some(RenameObstacle::Path),
        _ if at.name.target.is_none() => Some(RenameObstacle::Undefined),
        _ if at.file_name().starts_with('<') => Some(RenameObstacle::StandardLibrary),
        _ if rtype_lang::library::is_ruby(at.file_name().as_ref()) => Some(RenameObstacle::Ruby),
        _ if declared != at.text() => Some(RenameObstacle::DefinedAs(declared.to_owned())),
        NameKind::Provider if is_native(w, at) => Some(RenameObstacle::Native),
        _ => None,
    }
}

/// Returns whether a provider's declaration contains `native`.
fn is_native(w: &Workspace, at: &NamedAt) -> bool {
    let Some(found) = w.definition(&at.table, at.name.target) else { return false };
    found.file.ast().into_iter().flat_map(|a| &a.items).any(|i| match i {
        Item::Provider(p) => p.name.span == found.span && p.body.directives.iter().any(|d| d.name.name == "native"),
        _ => false,
    })
}

/// Returns the name to rename, or the reason why it cannot be renamed.
fn renamed(w: &mut Workspace, place: &TextDocumentPositionParams) -> Answer<NamedAt> {
    let Some(at) = name_at(w, place)? else {
        let (file, byte) = w.place(place)?;
        let obstacle =
            |word: &Occurrence| if matches!(word.name, Name::Word(..)) { RenameObstacle::Keyword } else { RenameObstacle::Undefined };
        let keyword = file.at(byte).map(|word| (file.source.slice(word.span).to_owned(), obstacle(word)));
        let other = || Some((word_at(file.source.text(), byte)?, RenameObstacle::Undefined));
        return Err(keyword.or_else(other).map_or(RequestError::NoName, |(word, why)| RequestError::NotRenamable(word, why)));
    };
    match obstacle(w, &at) {
        Some(obstacle) => Err(RequestError::NotRenamable(at.text().to_owned(), obstacle)),
        None => Ok(at),
    }
}

/// Returns the word or symbol at a byte offset of a file, unless the word is a statement keyword. The end of a word belongs to the word.
fn word_at(text: &str, byte: usize) -> Option<String> {
    let is_here = |t: &Token| matches!(t.kind, Kind::Word | Kind::Symbol) && t.range.start <= byte && byte <= t.range.end;
    let word = tokens(text).into_iter().find(is_here)?.text(text).trim_start_matches(':').to_owned();
    (!KEYWORDS.contains(&word.as_str())).then_some(word)
}

/// `textDocument/prepareRename`
pub(super) fn prepare_rename(w: &mut Workspace, place: TextDocumentPositionParams) -> Answer<Option<PrepareRenameResponse>> {
    let at = renamed(w, &place)?;
    let Some(source) = at.table.types.sources.find(at.name.span) else { return Err(RequestError::NoName) };
    let placeholder = at.text().to_owned();
    Ok(Some(PrepareRenameResponse::RangeWithPlaceholder { range: w.encoding.range(source, at.name.span), placeholder }))
}

/// `textDocument/rename`
pub(super) fn rename(w: &mut Workspace, params: RenameParams) -> Answer<Option<WorkspaceEdit>> {
    let at = renamed(w, &params.text_document_position)?;
    let new = params.new_name.trim();
    let at = everywhere(w, at);
    check_new(&at, new)?;
    let sources = &at.table.types.sources;
    let mut changes: IndexMap<Uri, Vec<TextEdit>> = IndexMap::new();
    let mut seen: HashSet<(String, Range)> = HashSet::new();
    // A namevar can also be given as `name`. These occurrences stay.
    for r in at.table.of(at.name.target).filter(|r| sources.slice(r.span) == at.defined_as()) {
        let Some(source) = sources.find(r.span) else { continue };
        let Some(uri) = w.uri(source.name()) else { continue };
        let range = w.encoding.range(source, r.span);
        if seen.insert((uri.as_str().to_owned(), range)) {
            changes.entry(uri).or_default().push(TextEdit { range, new_text: new.to_owned() });
        }
    }
    changes.sort_by(|a, _, b, _| a.as_str().cmp(b.as_str()));
    let version = |uri: &Uri| w.documents().find(|d| d.uri == *uri).map(|d| d.version);
    let edits = changes.into_iter().map(|(uri, edits)| TextDocumentEdit {
        text_document: OptionalVersionedTextDocumentIdentifier { version: version(&uri), uri },
        edits: edits.into_iter().map(OneOf::Left).collect(),
    });
    Ok(Some(WorkspaceEdit { document_changes: Some(DocumentChanges::Edits(edits.collect())), ..WorkspaceEdit::default() }))
}

/// Checks that the new name is valid and free.
fn check_new(at: &NamedAt, new: &str) -> Answer<()> {
    let kind = at.name.kind;
    let capital = matches!(kind, NameKind::Constant | NameKind::DataType);
    let asks = matches!(kind, NameKind::Method | NameKind::Function);
    let base = if asks { new.strip_suffix('?').unwrap_or(new) } else { new };
    let first = |c: char| if capital { c.is_ascii_uppercase() } else { c.is_ascii_lowercase() || c == '_' };
    let is_title = kind == NameKind::Resource;
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
    let directive = kind == NameKind::Method && PROVIDER_WORDS.iter().chain(TYPE_WORDS).chain(ATTRIBUTE_WORDS).any(|w| w.name == new);
    if !is_title && (reserved.contains(&new) || directive) {
        return Err(RequestError::Keyword(new.to_owned()));
    }
    if is_taken(at, new) { Err(RequestError::NameTaken(new.to_owned())) } else { Ok(()) }
}

/// Returns whether the new name already has a meaning at an occurrence of the old name.
fn is_taken(at: &NamedAt, new: &str) -> bool {
    let sources = &at.table.types.sources;
    // Blocks use the same syntax for several kinds of names.
    let kinds: &[NameKind] = match at.name.kind {
        NameKind::Attribute => &[NameKind::Attribute],
        NameKind::Feature => &[NameKind::Feature],
        NameKind::Method => &[NameKind::Method, NameKind::Feature, NameKind::Attribute],
        NameKind::Provider => &[NameKind::Provider],
        // Other names are visible in the whole file.
        kind => {
            let texts: Vec<Span> = at.table.of(at.name.target).filter_map(|r| sources.find(r.span)).map(|s| s.span()).collect();
            let is_same = |r: &&Reference| r.kind == kind && sources.slice(r.span) == new;
            return at.table.names().iter().filter(is_same).any(|r| texts.iter().any(|text| text.contains(r.span)));
        }
    };
    at.table.beside(&at.name).any(|(kind, name)| kinds.contains(&kind) && attribute_name(sources, name) == new)
}
