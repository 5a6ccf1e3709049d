//! Finds and indexes files by their names.

use super::{File, Tree};
use crate::app::input::FileAccess;
use crate::lsp::documents::Language;
use rtype_lang::library::{SyntaxTrees, Unsaved, standard};
use rtype_lang::source::{Source, Span};
use rtype_system::named;
use std::cell::RefCell;
use std::collections::HashMap;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

/// The location of a declaration.
#[derive(Clone, Debug)]
pub(in crate::lsp) struct Definition {
    pub file: Rc<File>,
    pub span: Span,
}

/// Finds and indexes files. Files are cached until a change.
#[derive(Debug, Default)]
pub(in crate::lsp) struct Resolver {
    pub unsaved: Arc<Unsaved>,
    pub access: FileAccess,
    /// The syntax trees of the type files that have been searched for a name.
    pub trees: SyntaxTrees,
    texts: RefCell<HashMap<String, Option<Arc<str>>>>,
    files: RefCell<HashMap<String, Option<Rc<File>>>>,
}

impl Resolver {
    /// Sets the sources of files, and clears the cache. Embedded files stay in the cache.
    pub fn forget(&mut self, unsaved: Arc<Unsaved>, access: FileAccess) {
        self.unsaved = unsaved;
        self.access = access;
        self.files.borrow_mut().retain(|name, _| name.starts_with('<'));
        self.texts.borrow_mut().clear();
    }

    /// Drops all syntax trees if most of their files have changed.
    pub fn drop_outdated_trees(&mut self) {
        if self.trees.is_mostly_outdated() {
            self.trees = SyntaxTrees::default();
            self.files.borrow_mut().clear();
        }
    }

    /// Drops the cached content and names of a file.
    pub fn forget_text(&mut self, name: &str, unsaved: Arc<Unsaved>) {
        self.unsaved = unsaved;
        self.files.borrow_mut().remove(name);
        self.texts.borrow_mut().remove(name);
    }

    /// Returns the content of a file. `name` is the library's name of the file.
    pub fn text(&self, name: &str) -> Option<Arc<str>> {
        if let Some(known) = self.texts.borrow().get(name) {
            return known.clone();
        }
        let path = Path::new(name);
        let text = match name.strip_prefix("<rtype>/").and_then(|n| n.strip_suffix(".rtype")) {
            Some(inside) => standard(inside).map(Arc::from),
            None => match self.unsaved.get(path) {
                Some(text) => Some(Arc::clone(text)),
                None if named::is_file(path) => self.access.read(name, false).ok().map(Arc::from),
                None => None,
            },
        };
        self.texts.borrow_mut().insert(name.to_owned(), text.clone());
        text
    }

    /// Returns a file of types or resources. `name` is the library's name of the file.
    pub fn file(&self, name: &str) -> Option<Rc<File>> {
        if let Some(known) = self.files.borrow().get(name) {
            return known.clone();
        }
        let file = self.text(name).and_then(|text| File::new(name, &text, Language::of(Path::new(name), "rtype"))).map(Rc::new);
        self.files.borrow_mut().insert(name.to_owned(), file.clone());
        file
    }

    /// Returns files of types or resources by the library's names. Only changed files are parsed, several at a time.
    pub fn files(&self, names: &[String]) -> Vec<Rc<File>> {
        let is_unknown =
            |name: &&String| !self.files.borrow().contains_key(*name) && Language::of(Path::new(name), "rtype") == Language::Types;
        let unknown: Vec<(&str, Arc<str>)> = names.iter().filter(is_unknown).filter_map(|name| Some((&**name, self.text(name)?))).collect();
        let texts: Vec<(&str, &str)> = unknown.iter().map(|(name, text)| (*name, &**text)).collect();
        for ((name, _), parsed) in unknown.iter().zip(self.trees.update(&texts)) {
            let file = parsed.map(|(source, parsed)| Rc::new(File::indexed(source, Tree::Types(Arc::clone(&parsed.ast)))));
            self.files.borrow_mut().insert((*name).to_owned(), file);
        }
        names.iter().filter_map(|name| self.file(name)).collect()
    }

    /// Returns the indexed file of a source that types were read from. For a type in Ruby, the source is the translation.
    pub fn file_of(&self, source: &Source) -> Option<Rc<File>> {
        if let Some(Some(known)) = self.files.borrow().get(source.name())
            && known.source.text() == source.text()
        {
            return Some(Rc::clone(known));
        }
        let file = Rc::new(File::new(source.name(), source.text(), Language::of(Path::new(source.name()), "rtype"))?);
        self.put(source.name(), Rc::clone(&file));
        Some(file)
    }

    /// Adds an open document in a supported language to the cache.
    pub fn put(&self, name: &str, file: Rc<File>) {
        self.files.borrow_mut().insert(name.to_owned(), Some(file));
    }
}
