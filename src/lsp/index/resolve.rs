//! Finds the files whose names completion offers: those that a file uses, and those of its types.

use super::{File, Name, Owner};
use crate::app::input::FileAccess;
use crate::lsp::documents::Language;
use rtype_lang::library::{Unsaved, standard, types_directory};
use rtype_lang::source::Span;
use rtype_lang::syntax::ast::Item;
use rtype_system::named;
use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

/// The file that all others implicitly use.
const PRELUDE: &str = "<rtype>/prelude.rtype";

/// The maximum number of files that one may use.
const MAX_USES: usize = 256;

/// The location of a declaration.
#[derive(Clone, Debug)]
pub(in crate::lsp) struct Definition {
    pub file: Rc<File>,
    pub span: Span,
}

/// Finds and indexes files. They are cached until something changes.
#[derive(Debug, Default)]
pub(in crate::lsp) struct Resolver {
    pub directories: Vec<PathBuf>,
    pub unsaved: Arc<Unsaved>,
    pub access: FileAccess,
    files: RefCell<HashMap<String, Option<Rc<File>>>>,
}

impl Resolver {
    /// Sets the sources of files, and clears the cache except for embedded files.
    pub fn forget(&mut self, directories: Vec<PathBuf>, unsaved: Arc<Unsaved>, access: FileAccess) {
        self.directories = directories;
        self.unsaved = unsaved;
        self.access = access;
        self.files.borrow_mut().retain(|name, _| name.starts_with('<'));
    }

    /// Drops what is known of one text.
    pub fn forget_text(&mut self, name: &str, unsaved: Arc<Unsaved>) {
        self.unsaved = unsaved;
        self.files.borrow_mut().remove(name);
    }

    /// Returns a file of types or resources by its name in the library.
    pub fn file(&self, name: &str) -> Option<Rc<File>> {
        if let Some(known) = self.files.borrow().get(name) {
            return known.clone();
        }
        let path = Path::new(name);
        let text = match name.strip_prefix("<rtype>/").and_then(|n| n.strip_suffix(".rtype")) {
            Some(inside) => standard(inside).map(str::to_owned),
            None => match self.unsaved.get(path) {
                Some(text) => Some(text.to_string()),
                None if named::is_file(path) => self.access.read(name, false).ok(),
                None => None,
            },
        };
        let file = text.and_then(|text| File::new(name, &text, Language::of(path, "rtype"))).map(Rc::new);
        self.files.borrow_mut().insert(name.to_owned(), file.clone());
        file
    }

    /// Returns an open document in a supported language.
    pub fn put(&self, name: &str, file: Rc<File>) {
        self.files.borrow_mut().insert(name.to_owned(), Some(file));
    }

    /// Returns the file that a `use` in another file refers to.
    pub fn used(&self, from: &File, path: &str) -> Option<Rc<File>> {
        let inside = !path.is_empty() && Path::new(path).components().all(|c| matches!(c, Component::Normal(_)));
        if !inside {
            return None;
        }
        let home = home(from);
        let above = home.as_deref().and_then(Path::parent).map(Path::to_owned);
        let beside = home.into_iter().chain(above).find_map(|h| self.file(&h.join(format!("{path}.rtype")).to_string_lossy()));
        beside.or_else(|| self.file(&format!("<rtype>/{path}.rtype")))
    }

    /// Returns the files whose kinds, mixins and functions a file sees, itself first.
    pub fn visible(&self, from: &Rc<File>) -> Vec<Rc<File>> {
        let mut seen = vec![Rc::clone(from)];
        let mut next = 0;
        while let Some(file) = seen.get(next).cloned() {
            next += 1;
            let paths =
                file.ast().into_iter().flat_map(|a| &a.items).filter_map(|i| if let Item::Use(u) = i { Some(&u.path) } else { None });
            for found in paths.filter_map(|p| self.used(&file, p)) {
                if seen.len() < MAX_USES && !seen.iter().any(|s| s.source.name() == found.source.name()) {
                    seen.push(found);
                }
            }
        }
        seen.extend(home(from).map(|h| self.folder(&h.join("features"))).unwrap_or_default());
        seen.extend(self.file(PRELUDE).filter(|p| p.source.name() != from.source.name()));
        seen
    }

    fn folder(&self, folder: &Path) -> Vec<Rc<File>> {
        let entries = named::entries(folder).into_iter().flatten().map(|e| e.path());
        let mut paths: Vec<PathBuf> = entries.filter(|p| p.extension().is_some_and(|e| e == "rtype")).collect();
        paths.extend(self.unsaved.keys().filter(|p| p.parent() == Some(folder) && p.extension().is_some_and(|e| e == "rtype")).cloned());
        paths.sort();
        paths.dedup();
        paths.iter().filter_map(|p| self.file(&p.to_string_lossy())).collect()
    }

    /// Returns the file that declares a type, as one that names it sees it.
    pub fn type_file(&self, from: &Rc<File>, type_name: &str) -> Option<Rc<File>> {
        let plain = !type_name.is_empty() && type_name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !plain {
            return None;
        }
        let name = Name::Type(type_name.into());
        if from.declared(&name).is_some() {
            return Some(Rc::clone(from));
        }
        let homes = home(from).into_iter().chain(self.directories.iter().cloned());
        let file = homes.filter_map(|h| self.file(&h.join(format!("{type_name}.rtype")).to_string_lossy()));
        let file = file.chain(self.file(&format!("<rtype>/{type_name}.rtype"))).find(|f| f.declared(&name).is_some());
        // A type that is not saved yet is not in a file of its name.
        file.or_else(|| self.unsaved.keys().filter_map(|p| self.file(&p.to_string_lossy())).find(|f| f.declared(&name).is_some()))
    }

    /// Returns the file of a type and those of its providers.
    pub fn type_files(&self, from: &Rc<File>, type_name: &str) -> Vec<Rc<File>> {
        let mut files: Vec<Rc<File>> = self.type_file(from, type_name).into_iter().collect();
        let folders = files.first().and_then(|f| home(f)).into_iter().chain(home(from));
        let mut more: Vec<Rc<File>> = folders.flat_map(|h| self.folder(&h.join("providers").join(type_name))).collect();
        more.push(Rc::clone(from));
        for file in more {
            if !files.iter().any(|f| f.source.name() == file.source.name()) {
                files.push(file);
            }
        }
        files
    }

    /// Returns where a file that completion looks at defines an attribute: in its type, or in a mixin that the type includes.
    pub fn attribute(&self, from: &Rc<File>, type_name: &str, attribute: &str) -> Option<Definition> {
        let file = self.type_file(from, type_name)?;
        let own = (Owner::Type(type_name.into()), Rc::clone(&file));
        std::iter::once(own).chain(self.mixins(&file)).find_map(|(owner, file)| {
            let span = file.declared(&Name::Attribute(owner, attribute.into()))?;
            Some(Definition { file, span })
        })
    }

    /// Returns the mixins that a file of a type takes in, and those of every type.
    fn mixins<'f>(&'f self, file: &'f Rc<File>) -> impl Iterator<Item = (Owner, Rc<File>)> + 'f {
        let named = file.occurrences.iter().filter_map(|o| match &o.name {
            Name::Mixin(mixin) if !o.declares => {
                let declared = Name::Mixin(mixin.clone());
                let found = self.visible(file).into_iter().find(|f| f.declared(&declared).is_some())?;
                Some((Owner::Mixin(mixin.clone()), found))
            }
            _ => None,
        });
        let prelude = self.file(PRELUDE);
        let common = prelude.into_iter().flat_map(|p| {
            let mixins = p.occurrences.iter().filter_map(|o| match &o.name {
                Name::Mixin(mixin) if o.declares => Some(Owner::Mixin(mixin.clone())),
                _ => None,
            });
            mixins.map(|owner| (owner, Rc::clone(&p))).collect::<Vec<_>>()
        });
        named.chain(common)
    }
}

/// Returns the directory of types to which a file belongs.
fn home(file: &File) -> Option<PathBuf> {
    let path = Path::new(file.source.name());
    path.is_absolute().then(|| path.parent().map(types_directory)).flatten()
}
