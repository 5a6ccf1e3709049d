//! Text files that are edited by line: everything else is preserved byte for byte.
//!
//! [`Text`] is a file as a list of lines; [`records`] is for files with one record per line, [`ini`] for INI files.
//! [`edit`] opens each file once for all changes of a flush and writes it once.

pub mod ini;
mod lines;
pub mod records;

pub use lines::{Text, is_blank, one_line};

use super::{Change, Need, ProviderError, Reading, Replace, Request, System, Thing};
use indexmap::IndexMap;
use rtype_lang::value::{EcoString, Symbol};
use std::cell::Cell;
use std::collections::BTreeSet;

/// A parsed file that can be edited and written.
pub trait Document: Sized {
    /// Returns the content of the file.
    fn to_bytes(&self) -> Vec<u8>;
}

impl Document for Text {
    fn to_bytes(&self) -> Vec<u8> {
        self.bytes()
    }
}

/// Parses the content of a file.
///
/// # Errors
/// If the file cannot be parsed well enough to be changed; the message names it.
pub type Opener<'a, D> = dyn Fn(&str, &[u8]) -> Result<D, ProviderError> + 'a;

/// An [`Opener`] that splits a file into lines and skips a byte order mark.
///
/// # Errors
/// Never fails.
pub fn open_text(_: &str, bytes: &[u8]) -> Result<Text, ProviderError> {
    Ok(Text::after_mark(bytes))
}

/// Returns an error if a file is in UTF-16. Lines in UTF-8 would damage the file.
fn check_not_utf16(path: &str, bytes: &[u8]) -> Result<(), ProviderError> {
    match bytes {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => {
            Err(ProviderError::new(format!("{path} is in UTF-16 and cannot be read as lines")).help("convert the file to UTF-8"))
        }
        _ => Ok(()),
    }
}

/// How files are read and written.
pub trait Store {
    /// Returns the machine that the files are on.
    fn system(&self) -> &System;

    /// Returns the content of a file, `None` if it does not exist.
    ///
    /// # Errors
    /// If it exists and cannot be read.
    fn read(&self, path: &str) -> Result<Option<Vec<u8>>, ProviderError> {
        self.system().read_bytes(path)
    }

    /// Writes a file, unless its content is no longer `old`.
    ///
    /// # Errors
    /// If it was not written.
    fn write(&self, path: &str, old: Option<&[u8]>, bytes: &[u8]) -> Result<(), ProviderError>;

    /// Returns whether a program checks the content of a file before it is written, so that one change may be the reason for an error.
    fn checks_content(&self) -> bool {
        false
    }
}

/// A store that replaces files, with the attributes of new files.
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

/// Files by path, each read at most once. A file that does not exist is an empty document.
pub struct TextFiles<'a, D> {
    store: &'a dyn Store,
    open: &'a Opener<'a, D>,
    files: IndexMap<EcoString, Result<File<D>, ProviderError>>,
    /// The files that have been used since the last call of [`TextFiles::asked`].
    asked: BTreeSet<usize>,
}

struct File<D> {
    old: Option<Vec<u8>>,
    document: D,
}

impl<'a, D: Document> TextFiles<'a, D> {
    /// Creates an empty set of files.
    pub fn new(store: &'a dyn Store, open: &'a Opener<'a, D>) -> TextFiles<'a, D> {
        TextFiles { store, open, files: IndexMap::new(), asked: BTreeSet::new() }
    }

    /// Returns the machine that the files are on.
    pub fn system(&self) -> &'a System {
        self.store.system()
    }

    /// Opens a file for reading or editing.
    ///
    /// # Errors
    /// If the file cannot be read or parsed.
    pub fn open(&mut self, path: &str) -> Result<&mut D, ProviderError> {
        let (store, open) = (self.store, self.open);
        let read = || {
            let old = store.read(path)?;
            let bytes = old.as_deref().unwrap_or_default();
            check_not_utf16(path, bytes)?;
            let document = open(path, bytes)?;
            Ok(File { old, document })
        };
        let entry = self.files.entry(path.into());
        self.asked.insert(entry.index());
        match entry.or_insert_with(read) {
            Ok(file) => Ok(&mut file.document),
            Err(error) => Err(error.clone()),
        }
    }

    /// Returns whether the file existed when it was opened.
    ///
    /// # Errors
    /// If the file cannot be read or parsed.
    pub fn existed(&mut self, path: &str) -> Result<bool, ProviderError> {
        self.open(path)?;
        Ok(self.files.get(path).is_some_and(|f| f.as_ref().is_ok_and(|f| f.old.is_some())))
    }

    fn asked(&mut self) -> BTreeSet<usize> {
        std::mem::take(&mut self.asked)
    }

    /// Writes a file if its document has changed.
    fn save(&self, index: usize) -> Result<(), ProviderError> {
        let Some((path, Ok(file))) = self.files.get_index(index) else { return Ok(()) };
        let bytes = file.document.to_bytes();
        if file.old.as_deref().unwrap_or_default() == bytes {
            return Ok(());
        }
        self.store.write(path, file.old.as_deref(), &bytes)
    }
}

/// The most bytes of a file in which changes are tried. A run without changes tries each resource alone: with larger files, it would read and
/// parse too much, and the failure is left to the run that makes the changes.
const TRIED: usize = 16 * 1024;

/// Files that are small enough to be read for each resource.
struct SmallFiles<'a> {
    store: &'a dyn Store,
    has_large: Cell<bool>,
}

impl Store for SmallFiles<'_> {
    fn system(&self) -> &System {
        self.store.system()
    }

    fn read(&self, path: &str) -> Result<Option<Vec<u8>>, ProviderError> {
        let is_large = self.system().look(path, true)?.is_some_and(|stat| stat.size > TRIED as u64);
        self.has_large.set(self.has_large.get() || is_large);
        if is_large { Ok(None) } else { self.store.read(path) }
    }

    fn write(&self, _: &str, _: Option<&[u8]>, _: &[u8]) -> Result<(), ProviderError> {
        Ok(())
    }
}

/// Tries a change of these properties on the current content of the files, without writing them. Returns the error as a [`Need`]: a file that an
/// earlier resource writes may have another content by then.
pub fn predicted_error<D: Document>(
    store: &dyn Store,
    request: Request<'_>,
    properties: &[&str],
    open: &Opener<'_, D>,
    one: impl FnOnce(&mut TextFiles<'_, D>, &Change<'_>) -> Result<(), ProviderError>,
) -> Option<Need> {
    let reading = Reading::Absent;
    let mut change = Change::new(request, &reading);
    for property in properties {
        let value = request.resource.wanted(property);
        match *property {
            "ensure" => change.exists = Some(!value.is_absent()),
            _ if !value.is_nil() => drop(change.should.insert(Symbol::from(*property), value)),
            _ => {}
        }
    }
    let small = SmallFiles { store, has_large: Cell::new(false) };
    let mut files = TextFiles::new(&small, open);
    let error = one(&mut files, &change).err().filter(|_| !small.has_large.get())?;
    let any_of = files.files.keys().map(|path| Thing::WrittenFile(path.clone())).collect();
    Some(Need { any_of, ..Need::impossible(&error) })
}

/// Applies changes to files and writes each file once. Returns one result per change, in the same order.
///
/// `one` applies one change. If it fails, it must not have changed anything, because other changes use the same
/// documents. If a change affects several files (a record moves), the one that gains the record must be opened first:
/// it is written first, and if that fails, the others are not written. If the store refuses a file with several changes, each change is
/// tried separately, so that one invalid change does not block the others. Changes that were written are cleared.
pub fn edit<D: Document>(
    system: &System,
    changes: &mut [Change<'_>],
    new: Replace,
    open: &Opener<'_, D>,
    mut one: impl FnMut(&mut TextFiles<'_, D>, &Change<'_>) -> Result<(), ProviderError>,
) -> Vec<Result<(), ProviderError>> {
    edit_in(&Replaced(system, new), changes, open, &mut one)
}

/// Applies one change to the open files.
pub type EditOne<'e, D> = dyn FnMut(&mut TextFiles<'_, D>, &Change<'_>) -> Result<(), ProviderError> + 'e;

/// Like [`edit`], with a custom way to read and write files.
pub fn edit_in<D: Document>(
    store: &dyn Store,
    changes: &mut [Change<'_>],
    open: &Opener<'_, D>,
    one: &mut EditOne<'_, D>,
) -> Vec<Result<(), ProviderError>> {
    let mut files = TextFiles::new(store, open);
    let mut results = Vec::with_capacity(changes.len());
    let mut used = Vec::with_capacity(changes.len());
    for change in changes.iter() {
        results.push(one(&mut files, change));
        used.push(files.asked());
    }
    let mut unsaved: Vec<Option<ProviderError>> = vec![None; changes.len()];
    for index in 0..files.files.len() {
        let users = || used.iter().enumerate().filter(|(_, used)| used.contains(&index)).map(|(user, _)| user);
        // A change whose earlier file could not be written must not lose its record in this one. A change that failed before that
        // edited no file.
        let stuck = users().find_map(|user| unsaved.get(user)?.clone());
        let saved = match stuck {
            Some(error) => Err(error),
            None => files.save(index),
        };
        if let Err(error) = saved {
            for user in users() {
                if let Some((place, result @ Ok(()))) = unsaved.get_mut(user).zip(results.get_mut(user)) {
                    *place = Some(error.clone());
                    *result = Err(error.clone());
                }
            }
        }
    }
    // One invalid change may be the reason why a file was refused. Each change is then written separately.
    if changes.len() > 1 && store.checks_content() {
        for ((change, result), error) in changes.iter_mut().zip(&mut results).zip(&unsaved) {
            if error.is_some() {
                *result = edit_in(store, std::slice::from_mut(change), open, &mut *one).pop().unwrap_or(Ok(()));
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
