//! The state of the server: open documents, type directories, and cached results.

use super::analysis::{Analysis, analyse, severity};
use super::documents::{Document, Language, alone};
use super::error::RequestError;
use super::index::{Definition, File, Resolver};
use super::mentions::Mentions;
use super::navigation;
use super::places::{Encoding, uri_of};
use super::standard::EmbeddedFiles;
use super::table::Table;
use crate::app::input::{self, Boundary, FileAccess};
use crate::app::ruby;
use indexmap::{IndexMap, IndexSet};
use lsp_types::{
    CodeDescription, Diagnostic as LspDiagnostic, DiagnosticRelatedInformation, Location, NumberOrString, PublishDiagnosticsParams,
    TextDocumentIdentifier, TextDocumentPositionParams, Uri,
};
use rtype_author::check::Root;
use rtype_author::check::config::{self, Config};
use rtype_lang::diagnostics::{Code, Diagnostic, Tally};
use rtype_lang::library::{TypeLoader, TypeSet, Unsaved, standard_paths, types_directory};
use rtype_lang::redact::Redactor;
use rtype_lang::source::{Source, Span};
use rtype_provider::{Machine, NativeProviders, System};
use rtype_system::named;
use std::cell::OnceCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

/// The maximum number of diagnostics published for a document.
pub(super) const MAX_PUBLISHED: usize = 1_000;

/// The result of a request about a document.
pub(super) type Answer<T> = Result<T, RequestError>;

/// The state of a server.
pub(super) struct Workspace {
    /// The unit of columns.
    pub encoding: Encoding,
    /// Whether the client supports snippets: completions with placeholders.
    pub snippets: bool,
    /// Whether the client supports offsets as labels of parameters.
    pub label_offsets: bool,
    /// Whether the client links diagnostic codes to pages (`codeDescription`).
    pub code_descriptions: bool,
    /// The open workspace folders, without a slash at the end.
    pub folders: Vec<PathBuf>,
    /// Type directories that the command line or the client names.
    pub types: Vec<PathBuf>,
    allow_outside: bool,
    /// Embedded files that the client can open.
    pub embedded: EmbeddedFiles,
    documents: IndexMap<Uri, Document>,
    natives: NativeProviders,
    machine: Machine,
    analyses: IndexMap<Uri, Rc<Analysis>>,
    /// Tables of the names in all files that may refer to a definition, by definition.
    programs: HashMap<Mentions, Rc<Table>>,
    /// The names of the files in the workspace, found on first use.
    names_of_files: OnceCell<Vec<String>>,
    /// Finds and indexes files.
    pub resolver: Resolver,
}

impl Workspace {
    pub fn new(types: &[PathBuf], allow_outside: bool, natives: NativeProviders, embedded: EmbeddedFiles) -> Workspace {
        Workspace {
            encoding: Encoding::Utf16,
            snippets: false,
            label_offsets: false,
            code_descriptions: false,
            folders: Vec::new(),
            types: types.iter().map(|p| absolute(p)).collect(),
            allow_outside,
            embedded,
            documents: IndexMap::new(),
            natives,
            machine: Machine::new(System::host()),
            analyses: IndexMap::new(),
            programs: HashMap::new(),
            names_of_files: OnceCell::new(),
            resolver: Resolver::default(),
        }
    }

    /// Returns all open documents.
    pub fn documents(&self) -> impl Iterator<Item = &Document> {
        self.documents.values()
    }

    /// Returns an open document.
    ///
    /// # Errors
    /// If the document is not open.
    pub fn document(&self, id: &TextDocumentIdentifier) -> Answer<&Document> {
        self.documents.get(&id.uri).ok_or_else(|| RequestError::NotOpen(id.uri.as_str().to_owned()))
    }

    /// Opens, changes or, with `None`, closes a document.
    pub fn put(&mut self, uri: Uri, document: Option<Document>) {
        match document {
            Some(document) => {
                let path = document.path.clone();
                // An edit does not change which files exist.
                if self.documents.insert(uri, document).is_some() {
                    return self.forget_text(&path);
                }
            }
            None => drop(self.documents.shift_remove(&uri)),
        }
        self.forget();
    }

    /// Drops all results that depend on the content of a document.
    fn forget_text(&mut self, path: &Path) {
        self.analyses.retain(|uri, analysis| self.documents.get(uri).is_some_and(|d| d.path != path) && !analysis.has_read(path));
        self.programs.clear();
        self.resolver.forget_text(&path.to_string_lossy(), Arc::new(self.unsaved()));
    }

    /// Drops all cached results, because any file may have changed.
    pub fn forget(&mut self) {
        self.analyses.clear();
        self.programs.clear();
        self.names_of_files.take();
        self.resolver.forget(Arc::new(self.unsaved()), self.access());
    }

    /// Returns the names of an open document.
    ///
    /// # Errors
    /// If the document is not open, or its language has no names.
    pub fn file(&self, id: &TextDocumentIdentifier) -> Answer<Rc<File>> {
        let document = self.document(id)?;
        // The editor shows a copy of a standard library file; `name` is the name of the original.
        let name = self.embedded.name_of(&document.path).unwrap_or_else(|| document.path.to_string_lossy().into_owned());
        if name.starts_with('<') || Language::of(&document.path, "") == document.language {
            return self.resolver.file(&name).ok_or_else(|| RequestError::NoNames(name.clone()));
        }
        let file = File::new(&name, &document.text, document.language).ok_or_else(|| RequestError::NoNames(name.clone()))?;
        let file = Rc::new(file);
        self.resolver.put(&name, Rc::clone(&file));
        Ok(file)
    }

    /// Returns a definition in a table with the syntax tree around it.
    pub fn definition(&self, table: &Table, target: Span) -> Option<Definition> {
        let source = table.types.sources.find(target)?;
        let file = self.resolver.file_of(source)?;
        let span = file.source.span_of(source.range(target));
        Some(Definition { file, span })
    }

    /// Returns the names of an open document, and the byte offset of a position in the document.
    ///
    /// # Errors
    /// If the document is not open.
    pub fn place(&self, place: &TextDocumentPositionParams) -> Answer<(Rc<File>, usize)> {
        let file = self.file(&place.text_document)?;
        let byte = self.encoding.byte(&file.source, place.position);
        Ok((file, byte))
    }

    /// Returns the directories to search for types.
    pub fn directories(&self) -> IndexSet<PathBuf> {
        let mut all: IndexSet<PathBuf> = self.types.iter().cloned().collect();
        for document in self
            .documents
            .values()
            .filter(|d| d.language == Language::Types && d.path.is_absolute() && self.embedded.name_of(&d.path).is_none())
        {
            all.extend(document.path.parent().map(types_directory));
        }
        for folder in &self.folders {
            if let Some(config) = self.configuration(&folder.join(config::FILE)) {
                let access = self.access();
                let named = config.types.iter().map(|t| config.selection.root.folder.join(&t.path));
                all.extend(named.filter(|directory| access.check(directory).is_ok()));
            }
            all.extend([folder.clone(), folder.join("types")]);
        }
        all
    }

    /// Returns access to the files that may be read: files of the workspace, and files next to open documents.
    pub fn access(&self) -> FileAccess {
        let open = self.documents.values().map(|d| &d.path).filter(|p| p.is_absolute() && self.embedded.name_of(p).is_none());
        let mut named = self.folders.iter().chain(&self.types).chain(open);
        match named.next().filter(|_| !self.allow_outside) {
            Some(first) => {
                let directory = first.parent().filter(|_| named::is_file(first)).unwrap_or(first);
                let mut access = FileAccess::Within(Boundary::around(directory, None));
                named.for_each(|path| access.admit(path));
                access
            }
            None => FileAccess::Any,
        }
    }

    /// Returns the configuration for checks of a file; `None` if its repository has no usable `rtype.toml`. `rtype check` reports an
    /// unusable configuration.
    pub fn configuration(&self, path: &Path) -> Option<Config> {
        let file = input::find_above(path.parent().filter(|p| p.is_absolute())?, config::FILE)?;
        let root = file.parent()?.to_owned();
        let text = FileAccess::Within(Boundary::around(&root, Some(&root))).read(&file.to_string_lossy(), false).ok()?;
        config::parse(&*alone(&text)?, Root { folder: root, inside: PathBuf::new() }).ok()
    }

    /// Returns the contents of open documents, by path. They replace the files on disk.
    pub fn unsaved(&self) -> Unsaved {
        self.documents.values().map(|d| (d.path.clone(), Arc::clone(&d.text))).collect()
    }

    /// Returns the types, with the contents of open documents. Types of Puppet modules are included: a workspace folder that is a module,
    /// and the modules in each `modules` directory.
    pub fn types(&self) -> TypeSet {
        self.loader().load()
    }

    fn loader(&self) -> TypeLoader {
        let modules: Vec<PathBuf> = self.folders.iter().map(|f| f.join("modules")).collect();
        let loader = TypeLoader::new(self.directories().into_iter().collect()).with_modules(&modules, ruby::translator());
        loader.with_unsaved(Arc::new(self.unsaved())).with_files(Arc::new(self.access()))
    }

    /// Returns the analysis of a document, cached until the document or a file in the analysis changes.
    ///
    /// # Errors
    /// If the document is not open, or too large.
    pub fn analysis(&mut self, id: &TextDocumentIdentifier) -> Answer<Rc<Analysis>> {
        if let Some(known) = self.analyses.get(&id.uri) {
            return Ok(Rc::clone(known));
        }
        let document = self.document(id)?;
        let selection = self.configuration(&document.path).map(|c| c.selection).unwrap_or_default();
        let analysis =
            analyse(document, self.file(id).ok(), self.types(), &selection, &self.natives, &self.machine).ok_or(RequestError::TooLarge)?;
        let analysis = Rc::new(analysis);
        self.analyses.insert(id.uri.clone(), Rc::clone(&analysis));
        Ok(analysis)
    }

    /// Returns the names of the workspace files, sorted.
    pub fn names_of_files(&self) -> &[String] {
        self.names_of_files.get_or_init(|| navigation::names_of_files(self))
    }

    /// Returns the names in the files of the workspace that may refer to a definition.
    pub fn program(&mut self, mentions: &Mentions) -> Rc<Table> {
        if let Some(known) = self.programs.get(mentions) {
            return Rc::clone(known);
        }
        self.resolver.drop_outdated_trees();
        let mut types = self.loader().load_with(&self.resolver.trees);
        let (mut files, mut texts) = (Vec::new(), Vec::new());
        for file in navigation::files(self, mentions) {
            // Files of the standard library are loaded by type name.
            let text = Some(&file.source).filter(|s| !s.name().starts_with('<'));
            let Some(source) = text.and_then(|s| types.keep(s.name(), s.text().to_owned()).ok()) else {
                types.load(Path::new(file.source.name()).file_stem().and_then(|stem| stem.to_str()).unwrap_or_default());
                continue;
            };
            if file.ast().is_some() {
                texts.push((Arc::clone(&source), Path::new(source.name()).parent().map(Path::to_owned)));
            }
            files.push((file, source));
        }
        let texts: Vec<(&Source, Option<&Path>)> = texts.iter().map(|(s, directory)| (&**s, directory.as_deref())).collect();
        let loaded = types.load_texts(&texts);
        types.tests(&loaded);
        if mentions.also_standard {
            let may_refer = |path: &String| rtype_lang::library::standard(path).is_some_and(|text| mentions.are_in(text));
            standard_paths().filter(may_refer).for_each(|name| drop(types.load(&name)));
        }
        let table = Rc::new(Table::new(&types, &files));
        self.programs.insert(mentions.clone(), Rc::clone(&table));
        table
    }

    /// Returns a redactor for the secrets of the requested document. For a request without a document, the redactor knows the secrets of
    /// all open documents.
    pub fn redactor(&mut self, params: &serde_json::Value) -> Redactor {
        let named = params.get("textDocument").and_then(|id| serde_json::from_value::<TextDocumentIdentifier>(id.clone()).ok());
        let all = || self.documents.keys().map(|uri| TextDocumentIdentifier { uri: uri.clone() }).collect();
        let documents: Vec<_> = named.map_or_else(all, |id| vec![id]);
        let redactor = Redactor::new();
        for id in documents {
            if let Ok(analysis) = self.analysis(&id) {
                redactor.extend(analysis.types.secrets.redactor());
            }
        }
        redactor
    }

    /// Returns the analysis of an open document, and the byte offset of a position in the document.
    ///
    /// # Errors
    /// If the document is not open, or too large.
    pub fn at(&mut self, place: &TextDocumentPositionParams) -> Answer<(Rc<Analysis>, usize)> {
        let analysis = self.analysis(&place.text_document)?;
        let byte = self.encoding.byte(&analysis.source, place.position);
        Ok((analysis, byte))
    }

    /// Returns the diagnostics to publish for a document.
    pub fn publish(&mut self, uri: &Uri) -> PublishDiagnosticsParams {
        let id = TextDocumentIdentifier { uri: uri.clone() };
        let version = self.documents.get(uri).map(|d| d.version);
        let diagnostics = match self.analysis(&id) {
            Ok(analysis) => {
                let mut left_out = Tally::default();
                analysis.diagnostics.iter().skip(MAX_PUBLISHED).for_each(|d| left_out.add(d, &analysis.types.sources));
                let more = (left_out.total() > 0).then(|| Diagnostic::not_shown(&left_out));
                analysis.diagnostics.iter().take(MAX_PUBLISHED).chain(&more).map(|d| self.published(d, &analysis)).collect()
            }
            // The document has been closed: clear its diagnostics.
            Err(_) => Vec::new(),
        };
        PublishDiagnosticsParams { uri: uri.clone(), diagnostics, version }
    }

    /// Converts a diagnostic to the protocol.
    pub fn published(&self, diagnostic: &Diagnostic, analysis: &Analysis) -> LspDiagnostic {
        let diagnostic = &diagnostic.clone().redacted(analysis.types.secrets.redactor());
        let find = |span: Span| analysis.types.sources.find(span);
        let range = |span: Span| find(span).map(|s| self.encoding.range(s, span)).unwrap_or_default();
        let mut message = diagnostic.message.clone();
        if let Some(help) = &diagnostic.help {
            message = format!("{message}\n{help}");
        }
        let also = diagnostic.labels.iter().skip(1).filter_map(|label| {
            let location = self.location(find(label.span)?, label.span)?;
            let message = if label.text.is_empty() { "here".to_owned() } else { label.text.clone() };
            Some(DiagnosticRelatedInformation { location, message })
        });
        let also: Vec<_> = also.collect();
        LspDiagnostic {
            range: range(diagnostic.span()),
            severity: Some(severity(diagnostic.severity)),
            code: Some(NumberOrString::String(diagnostic.code.info().id.to_owned())),
            code_description: self.code_description(diagnostic.code),
            source: Some("rtype".to_owned()),
            message,
            related_information: (!also.is_empty()).then_some(also),
            ..LspDiagnostic::default()
        }
    }

    /// Returns the `file:` URI of the page about a code. The program contains the pages, so no web server is needed.
    fn code_description(&self, code: Code) -> Option<CodeDescription> {
        let page = self.code_descriptions.then(|| self.embedded.page_of(code)).flatten()?;
        Some(CodeDescription { href: uri_of(&page)? })
    }

    /// Returns a location that the client can open.
    pub fn location(&self, source: &Source, span: Span) -> Option<Location> {
        Some(Location { uri: self.uri(source.name())?, range: self.encoding.range(source, span) })
    }

    /// Returns the URI of a file by the library's name. For an open file, returns the client's URI.
    pub fn uri(&self, name: &str) -> Option<Uri> {
        let path = Path::new(name);
        let open = self.documents.values().find(|d| d.path == path).map(|d| d.uri.clone());
        open.or_else(|| {
            uri_of(&self.embedded.path_of(name).unwrap_or_else(|| if name.ends_with(".rb") { absolute(path) } else { path.to_owned() }))
        })
    }
}

/// Returns the absolute path.
fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edit_keeps_what_does_not_depend_on_it() {
        let mut workspace = Workspace::new(&[], true, NativeProviders::default(), EmbeddedFiles::new(None));
        let put = |workspace: &mut Workspace, name: &str, text: &str| {
            let uri: Uri = format!("untitled:/{name}").parse().unwrap();
            workspace.put(uri.clone(), Some(Document::new(uri.clone(), "rtype", 1, text.to_owned())));
            TextDocumentIdentifier { uri }
        };
        let of = |name: &str| format!("type {name} {{ newparam name }}\n");
        let (one, two) = (put(&mut workspace, "one.rtype", &of("one")), put(&mut workspace, "two.rtype", &of("two")));
        let before = (workspace.analysis(&one).unwrap(), workspace.analysis(&two).unwrap());
        put(&mut workspace, "two.rtype", &of("two_b"));
        let after = (workspace.analysis(&one).unwrap(), workspace.analysis(&two).unwrap());
        assert!(Rc::ptr_eq(&before.0, &after.0));
        assert!(!Rc::ptr_eq(&before.1, &after.1));
    }
}
