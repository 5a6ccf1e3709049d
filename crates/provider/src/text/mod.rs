//! Text files that are changed a line at a time: what is not meant stays byte for byte.
//!
//! [`Text`] is a file as its lines; [`records`] is for files with one record a line, [`ini`] for files of sections and settings.
//! [`edit`] opens each file once for all changes of a flush and writes it once.

pub mod ini;
mod lines;
pub mod records;

pub use lines::{Text, one_line};

use super::{Change, ProviderError, Replace, System};
use indexmap::IndexMap;
use rtype_lang::value::EcoString;
use std::collections::BTreeSet;

/// What a file is read as, and written from.
pub trait Document: Sized {
    /// The bytes that are to stand in the file.
    fn to_bytes(&self) -> Vec<u8>;
}

impl Document for Text {
    fn to_bytes(&self) -> Vec<u8> {
        self.bytes()
    }
}

/// Makes a document of a file's bytes.
///
/// # Errors
/// When the file cannot be understood so far that it could be changed; the message names it.
pub type Opener<'a, D> = dyn Fn(&str, &[u8]) -> Result<D, ProviderError> + 'a;

/// An [`Opener`] that only takes lines apart.
///
/// # Errors
/// None.
pub fn open_text(_: &str, bytes: &[u8]) -> Result<Text, ProviderError> {
    Ok(Text::new(bytes))
}

/// How files are read and written.
pub trait Store {
    /// The machine on which they are.
    fn system(&self) -> &System;

    /// The bytes of a file, `None` when there is none.
    ///
    /// # Errors
    /// When it exists and cannot be read.
    fn read(&self, path: &str) -> Result<Option<Vec<u8>>, ProviderError> {
        self.system().read_bytes(path)
    }

    /// Writes a file, unless it is no longer what `old` says.
    ///
    /// # Errors
    /// Why it was not written.
    fn write(&self, path: &str, old: Option<&[u8]>, bytes: &[u8]) -> Result<(), ProviderError>;
}

/// Files that are replaced, and what new ones get.
struct Replaced<'a>(&'a System, Replace);

impl Store for Replaced<'_> {
    fn system(&self) -> &System {
        self.0
    }

    fn write(&self, path: &str, old: Option<&[u8]>, bytes: &[u8]) -> Result<(), ProviderError> {
        self.0.replace_unchanged(path, old, bytes, self.1)
    }
}

impl Store for System {
    fn system(&self) -> &System {
        self
    }

    fn write(&self, path: &str, old: Option<&[u8]>, bytes: &[u8]) -> Result<(), ProviderError> {
        self.replace_unchanged(path, old, bytes, Replace::default())
    }
}

/// Files by path, each read at most once. A file that is not there is an empty document.
pub struct Files<'a, D> {
    store: &'a dyn Store,
    open: &'a Opener<'a, D>,
    files: IndexMap<EcoString, Result<File<D>, ProviderError>>,
    /// What has been asked for since [`Files::asked`] was called last.
    asked: BTreeSet<usize>,
}

struct File<D> {
    old: Option<Vec<u8>>,
    document: D,
}

impl<'a, D: Document> Files<'a, D> {
    /// Nothing is read yet.
    pub fn new(store: &'a dyn Store, open: &'a Opener<'a, D>) -> Files<'a, D> {
        Files { store, open, files: IndexMap::new(), asked: BTreeSet::new() }
    }

    /// The machine on which the files are.
    pub fn system(&self) -> &'a System {
        self.store.system()
    }

    /// A file's document, to be read or changed.
    ///
    /// # Errors
    /// When the file cannot be read or understood.
    pub fn open(&mut self, path: &str) -> Result<&mut D, ProviderError> {
        let (store, open) = (self.store, self.open);
        let read = || {
            let old = store.read(path)?;
            let document = open(path, old.as_deref().unwrap_or_default())?;
            Ok(File { old, document })
        };
        let entry = self.files.entry(path.into());
        self.asked.insert(entry.index());
        match entry.or_insert_with(read) {
            Ok(file) => Ok(&mut file.document),
            Err(error) => Err(error.clone()),
        }
    }

    /// Whether the file was there when it was opened.
    ///
    /// # Errors
    /// When the file cannot be read or understood.
    pub fn existed(&mut self, path: &str) -> Result<bool, ProviderError> {
        self.open(path)?;
        Ok(self.files.get(path).is_some_and(|f| f.as_ref().is_ok_and(|f| f.old.is_some())))
    }

    fn asked(&mut self) -> BTreeSet<usize> {
        std::mem::take(&mut self.asked)
    }

    /// Writes one file, if its document says something else than it did.
    fn save(&self, index: usize) -> Result<(), ProviderError> {
        let Some((path, Ok(file))) = self.files.get_index(index) else { return Ok(()) };
        let bytes = file.document.to_bytes();
        if file.old.as_deref().unwrap_or_default() == bytes {
            return Ok(());
        }
        self.store.write(path, file.old.as_deref(), &bytes)
    }
}

/// Makes changes to files and writes each file once; answers in the order of `changes`, one each.
///
/// `one` makes one change. When it fails it must have changed nothing: others go on with the same documents. Where one
/// change needs several files (a record moves), the one that gains is opened first: it is written first, and when that fails the
/// others stay as they are. What was written is forgotten in the changes.
pub fn edit<D: Document>(
    system: &System,
    changes: &mut [Change<'_>],
    new: Replace,
    open: &Opener<'_, D>,
    one: impl FnMut(&mut Files<'_, D>, &Change<'_>) -> Result<(), ProviderError>,
) -> Vec<Result<(), ProviderError>> {
    edit_in(&Replaced(system, new), changes, open, one)
}

/// The same with files that are read and written in their own way.
pub fn edit_in<D: Document>(
    store: &dyn Store,
    changes: &mut [Change<'_>],
    open: &Opener<'_, D>,
    mut one: impl FnMut(&mut Files<'_, D>, &Change<'_>) -> Result<(), ProviderError>,
) -> Vec<Result<(), ProviderError>> {
    let mut files = Files::new(store, open);
    let mut results = Vec::with_capacity(changes.len());
    let mut used = Vec::with_capacity(changes.len());
    for change in changes.iter() {
        results.push(one(&mut files, change));
        used.push(files.asked());
    }
    for index in 0..files.files.len() {
        let users = || used.iter().enumerate().filter(|(_, used)| used.contains(&index)).map(|(user, _)| user);
        // One that has failed at an earlier file of its must not lose what it has in this one.
        let stuck =
            users().find_map(|u| used.get(u)?.iter().any(|i| *i < index).then(|| results.get(u)?.as_ref().err().cloned()).flatten());
        let saved = match stuck {
            Some(error) => Err(error),
            None => files.save(index),
        };
        if let Err(error) = saved {
            for user in users() {
                if let Some(result @ Ok(())) = results.get_mut(user) {
                    *result = Err(error.clone());
                }
            }
        }
    }
    for (change, result) in changes.iter_mut().zip(&results) {
        if result.is_ok() {
            change.should.clear();
            change.exists = None;
        }
    }
    results
}
