//! Files with one record per line, like Puppet's `ParsedFile`: other lines are kept, new records are appended.
//!
//! Unlike in Puppet, lines of unchanged records are preserved, and no `# HEADER` with the time is added; an existing
//! one is an ordinary comment.

mod lines;

pub use lines::{Continuation, RecordLines};

use super::{Opener, TextFiles, edit, one_line, predicted_error};
use crate::{Change, Need, ProviderError, Reading, Replace, Request, Resource, State, System};
use rtype_lang::value::{EcoString, Symbol, Value};

/// A format of records.
pub trait RecordFormat {
    /// The content of a line.
    type Record;

    /// Returns the file of resources whose attribute `target` is not set.
    fn file(&self) -> Option<EcoString>;

    /// Parses a logical line, `None` if it is not a record.
    fn parse(&self, line: &str) -> Option<Self::Record>;

    /// Returns how lines of the format are continued.
    fn continuation(&self) -> Continuation {
        Continuation::Never
    }

    /// Returns whether the last of several records with the same name is effective on the machine. Otherwise the first is.
    fn last_wins(&self) -> bool {
        false
    }

    /// Returns whether the record belongs to the resource.
    fn is_of(&self, record: &Self::Record, request: Request<'_>) -> bool;

    /// Formats the line of a record that is created or changed.
    ///
    /// # Errors
    /// If a required value is missing.
    fn print(&self, was: Option<&Self::Record>, wish: &RecordChange<'_, '_>) -> Result<String, ProviderError>;

    /// Returns the files that may contain the record of a resource; a new record is added to the first file. By default, as in Puppet, the
    /// files are the resource's `target` and [`RecordFormat::file`].
    ///
    /// # Errors
    /// If a target is not an absolute path.
    fn files(&self, system: &System, request: Request<'_>) -> Result<Vec<EcoString>, ProviderError> {
        let _ = system;
        let target = request.resource.wanted("target");
        let own = target.as_text().filter(|_| !target.is_absent()).map(full_path).transpose()?;
        let default = self.file().filter(|path| Some(path) != own.as_ref());
        Ok(own.into_iter().chain(default).collect())
    }

    /// Returns the attributes of a new file.
    fn new_file(&self) -> Replace {
        Replace::default()
    }
}

/// The desired values of a record.
pub struct RecordChange<'c, 'a> {
    change: &'c Change<'a>,
    /// Whether the record is created.
    made: bool,
}

impl RecordChange<'_, '_> {
    /// Returns the value of the resource's namevar.
    pub fn name(&self) -> &str {
        self.change.name
    }

    /// Returns the resource.
    pub fn resource(&self) -> &dyn Resource {
        self.change.resource
    }

    /// Returns the request to read the resource.
    pub fn request(&self) -> Request<'_> {
        self.change.request()
    }

    /// Returns the desired value of a property: `None` if it is not set, `:absent` if it should have no value.
    pub fn value(&self, property: &str) -> Option<Value> {
        match self.change.should.get(property) {
            Some(value) => Some(value.unwrapped().clone()),
            None if self.made => Some(self.change.resource.wanted(property)).filter(|value| !value.is_nil()),
            None => None,
        }
    }

    /// Returns the desired value as text, or that of `was` if it is not set. `None` for empty text and `:absent`.
    pub fn text(&self, property: &str, was: Option<&str>) -> Option<String> {
        let text = match self.value(property) {
            None => was.map(String::from),
            // Use the first of several acceptable values.
            Some(Value::Array(values)) => values.first().map(|v| v.unwrapped().to_text().to_string()),
            Some(value) if value.is_nil() || value.is_absent() => None,
            Some(value) => Some(value.to_text().to_string()),
        };
        text.filter(|t| !t.is_empty())
    }

    /// Returns the desired value as a list of texts, or that of `was` if it is not set.
    pub fn list(&self, property: &str, was: Option<&[String]>) -> Vec<String> {
        match self.value(property) {
            None => was.unwrap_or_default().to_vec(),
            Some(Value::Array(values)) => {
                let given = values.iter().filter(|v| !v.is_nil() && !v.is_absent());
                given.map(|v| v.unwrapped().to_text().to_string()).collect()
            }
            Some(value) if value.is_nil() || value.is_absent() => Vec::new(),
            Some(value) => vec![value.to_text().to_string()],
        }
    }
}

/// Returns the path, if it is a full one.
///
/// # Errors
/// When it is not.
pub fn full_path(path: &str) -> Result<EcoString, ProviderError> {
    if path.starts_with('/') { Ok(path.into()) } else { Err(ProviderError::new(format!("the target `{path}` is not an absolute path"))) }
}

/// An opener for files of this format.
pub fn opener<F: RecordFormat>(format: &F) -> impl Fn(&str, &[u8]) -> Result<RecordLines<F::Record>, ProviderError> {
    |_, bytes| Ok(RecordLines::new(bytes, format.continuation(), |line| format.parse(line)))
}

/// Returns the file and line of the effective record of a resource.
///
/// # Errors
/// When a file that had to be looked into cannot be read.
pub fn find<F: RecordFormat>(
    format: &F,
    files: &mut TextFiles<'_, RecordLines<F::Record>>,
    request: Request<'_>,
) -> Result<Option<(EcoString, usize)>, ProviderError> {
    for path in format.files(files.system(), request)? {
        let mut all = files.open(&path)?.iter().filter(|(_, record)| format.is_of(record, request));
        let found = if format.last_wins() { all.last() } else { all.next() };
        if let Some((line, _)) = found {
            return Ok(Some((path, line)));
        }
    }
    Ok(None)
}

/// Returns the requirements of a change to a record: the record can be written, and the directory of its file exists.
pub fn needs<F: RecordFormat>(
    format: &F,
    system: &System,
    request: Request<'_>,
    properties: &[&str],
    open: &Opener<'_, RecordLines<F::Record>>,
) -> Vec<Need> {
    let refused = predicted_error(system, request, properties, open, |files, change| write(format, files, change));
    let file = match request.resource.wanted("ensure").is_absent() {
        true => None,
        false => format.files(system, request).ok().and_then(|files| files.into_iter().next()),
    };
    refused.into_iter().chain(file.and_then(|file| Need::directory_of(&file))).collect()
}

/// How many resources one flush takes: as many as follow one another, for each would write the whole file again.
pub const BATCH: usize = usize::MAX;

/// Reads one resource: `state` converts its record and the path of its file to the state.
pub fn read<F: RecordFormat>(
    format: &F,
    files: &mut TextFiles<'_, RecordLines<F::Record>>,
    request: Request<'_>,
    state: impl Fn(&F::Record, &str) -> State,
) -> Reading {
    match find(format, files, request) {
        Ok(Some((path, line))) => {
            let checked = files.open(&path).and_then(|document| document.check_zero(&path, line).map(|()| document.record(line)));
            match checked {
                Ok(Some(record)) => Reading::Present(state(record, &path)),
                Ok(None) => Reading::Absent,
                Err(error) => Reading::Error(error),
            }
        }
        Ok(None) => Reading::Absent,
        Err(error) => Reading::Error(error),
    }
}

/// Writes what was noted: records are made, changed, removed, or moved to another file when `target` changes. See [`edit`].
///
/// If several records have the same name, the effective record is read and changed. Deleting a resource removes all records with its name,
/// because otherwise another record would become effective.
pub fn flush<F: RecordFormat>(format: &F, system: &System, changes: &mut [Change<'_>]) -> Vec<Result<(), ProviderError>> {
    flush_with(format, system, changes, format.new_file(), &opener(format))
}

/// The same with an opener and with what new files get.
pub fn flush_with<F: RecordFormat>(
    format: &F,
    system: &System,
    changes: &mut [Change<'_>],
    new: Replace,
    open: &Opener<'_, RecordLines<F::Record>>,
) -> Vec<Result<(), ProviderError>> {
    edit(system, changes, new, open, |files, change| write(format, files, change))
}

/// Applies one change to the files.
fn write<F: RecordFormat>(format: &F, files: &mut TextFiles<'_, RecordLines<F::Record>>, change: &Change<'_>) -> Result<(), ProviderError> {
    if change.exists.is_none() && change.should.is_empty() {
        return Ok(());
    }
    let request = change.request();
    let paths = format.files(files.system(), request)?;
    let own = paths.first().cloned();
    let own =
        own.ok_or_else(|| ProviderError::new("`target` is not set").help("set `target`").of_kind(crate::ErrorKind::MissingAttribute))?;
    if change.exists == Some(false) {
        for path in &paths {
            files.open(path)?;
        }
        for path in &paths {
            files.open(path)?.remove(|r| format.is_of(r, request));
        }
        return Ok(());
    }
    let made = change.exists == Some(true);
    let wish = RecordChange { change, made };
    let moves = made || change.should.contains_key(&Symbol::from("target"));
    // The file that gains a record must be opened first; see `edit`.
    files.open(&own)?;
    let Some((path, line)) = find(format, files, request)? else {
        if !made {
            return Err(ProviderError::new(format!("`{}` is no longer in {own}", change.name)).help("run again"));
        }
        let (text, record) = printed(format, None, &wish)?;
        return files.open(&own)?.push(&own, &text, record);
    };
    let document = files.open(&path)?;
    document.check_utf8(&path, line)?;
    let was = document.record(line);
    let (text, record) = printed(format, was, &wish)?;
    if moves && path != own {
        files.open(&own)?.push(&own, &text, record)?;
        files.open(&path)?.remove(|r| format.is_of(r, request));
    } else {
        document.replace(line, &text, record);
    }
    Ok(())
}

/// Returns the new line, and the record as it will be read from it. A line that would be read as nothing, or as another record, would be
/// added again in each run.
fn printed<F: RecordFormat>(
    format: &F,
    was: Option<&F::Record>,
    wish: &RecordChange<'_, '_>,
) -> Result<(String, F::Record), ProviderError> {
    let text = format.print(was, wish)?;
    let read = RecordLines::single(one_line(&text)?, format.continuation(), |line| format.parse(line));
    let record = read.filter(|record| format.is_of(record, wish.change.request()));
    let record = record.ok_or_else(|| ProviderError::new(format!("a line for `{}` would not be read as such", wish.name())))?;
    Ok((text, record))
}
