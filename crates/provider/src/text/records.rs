//! Files with one record per line, like Puppet's `ParsedFile`: other lines are kept, new records are appended.
//!
//! Unlike in Puppet, lines of unchanged records are preserved, and no `# HEADER` with the time is added; an existing
//! one is an ordinary comment.

use super::{Document, Opener, Text, TextFiles, edit, one_line};
use crate::{Change, Need, ProviderError, Reading, Replace, Request, Resource, State, System};
use rtype_lang::value::{EcoString, Symbol, Value};

/// A format of records.
pub trait RecordFormat {
    /// The content of a line.
    type Record;

    /// Returns the file of resources whose attribute `target` is not set.
    fn file(&self) -> Option<EcoString>;

    /// Parses a line, `None` if it is not a record.
    fn parse(&self, line: &str) -> Option<Self::Record>;

    /// Returns whether the record belongs to the resource.
    fn is_of(&self, record: &Self::Record, request: Request<'_>) -> bool;

    /// Formats the line of a record that is created or changed.
    ///
    /// # Errors
    /// If a required value is missing.
    fn print(&self, was: Option<&Self::Record>, wish: &RecordChange<'_, '_>) -> Result<String, ProviderError>;

    /// Returns the files that may contain the record of a resource, the one where it belongs first. By default, as in
    /// Puppet, these are its `target` and [`RecordFormat::file`].
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

/// A file whose lines may be records.
#[derive(Clone, Debug)]
pub struct RecordLines<R> {
    text: Text,
    records: Vec<Option<R>>,
}

impl<R> Document for RecordLines<R> {
    fn to_bytes(&self) -> Vec<u8> {
        self.text.bytes()
    }
}

impl<R> RecordLines<R> {
    /// Parses the content of a file.
    pub fn new(bytes: &[u8], parse: impl Fn(&str) -> Option<R>) -> RecordLines<R> {
        let text = Text::new(bytes);
        let records = text.lines().map(|line| parse(&line)).collect();
        RecordLines { text, records }
    }

    /// Returns the records in order, with their line indexes from 0.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &R)> {
        self.records.iter().enumerate().filter_map(|(line, record)| Some((line, record.as_ref()?)))
    }

    /// Returns the record in a line.
    pub fn record(&self, line: usize) -> Option<&R> {
        self.records.get(line)?.as_ref()
    }

    /// Returns the first record that fits.
    pub fn find(&self, fits: impl Fn(&R) -> bool) -> Option<(usize, &R)> {
        self.iter().find(|(_, record)| fits(record))
    }

    /// Returns the lines of the file.
    pub fn text(&self) -> &Text {
        &self.text
    }

    /// Puts another record into a line.
    pub fn replace(&mut self, line: usize, text: &str, record: R) {
        self.text.replace(line, text);
        if let Some(place) = self.records.get_mut(line) {
            *place = Some(record);
        }
    }

    /// Adds a record after the last line.
    pub fn push(&mut self, text: &str, record: R) {
        self.text.push(text);
        self.records.push(Some(record));
    }

    /// Takes out each record that fits, with its line; says whether there was one.
    pub fn remove(&mut self, fits: impl Fn(&R) -> bool) -> bool {
        let lines: Vec<usize> = self.iter().filter(|(_, record)| fits(record)).map(|(line, _)| line).collect();
        for line in lines.iter().rev() {
            self.text.remove(*line);
            self.records.remove(*line);
        }
        !lines.is_empty()
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
    |_, bytes| Ok(RecordLines::new(bytes, |line| format.parse(line)))
}

/// Returns the first record of a resource, with its file and its line.
///
/// # Errors
/// When a file that had to be looked into cannot be read.
pub fn find<F: RecordFormat>(
    format: &F,
    files: &mut TextFiles<'_, RecordLines<F::Record>>,
    request: Request<'_>,
) -> Result<Option<(EcoString, usize)>, ProviderError> {
    for path in format.files(files.system(), request)? {
        if let Some((line, _)) = files.open(&path)?.find(|r| format.is_of(r, request)) {
            return Ok(Some((path, line)));
        }
    }
    Ok(None)
}

/// What a change of a record needs: the directory of the file where the record belongs.
pub fn needs<F: RecordFormat>(format: &F, system: &System, request: Request<'_>) -> Vec<Need> {
    if request.resource.wanted("ensure").is_absent() {
        return Vec::new();
    }
    let file = format.files(system, request).ok().and_then(|files| files.into_iter().next());
    file.and_then(|file| Need::directory_of(&file)).into_iter().collect()
}

/// Returns why the record of a resource cannot be written with planned changes of these properties; `None` if it can, or if the file cannot be read.
pub fn refused<F: RecordFormat>(
    format: &F,
    files: &mut TextFiles<'_, RecordLines<F::Record>>,
    request: Request<'_>,
    properties: &[&str],
) -> Option<ProviderError> {
    if properties.is_empty() || request.resource.wanted("ensure").is_absent() {
        return None;
    }
    let reading = Reading::Absent;
    let mut change = Change::new(request, &reading);
    let desired = properties.iter().map(|name| (Symbol::from(*name), request.resource.wanted(name)));
    change.should.extend(desired.filter(|(name, value)| name.as_str() != "ensure" && !value.is_nil()));
    let found = find(format, files, request).ok()?;
    let document = found.as_ref().and_then(|(path, line)| Some((files.open(path).ok()?, *line)));
    let was = document.and_then(|(document, line)| document.record(line));
    printed(format, was, &RecordChange { change: &change, made: was.is_none() }).err()
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
        Ok(Some((path, line))) => match files.open(&path).map(|document| document.record(line)) {
            Ok(Some(record)) => Reading::Present(state(record, &path)),
            Ok(None) => Reading::Absent,
            Err(error) => Reading::Error(error),
        },
        Ok(None) => Reading::Absent,
        Err(error) => Reading::Error(error),
    }
}

/// Writes what was noted: records are made, changed, removed, or moved to another file when `target` changes. See [`edit`].
///
/// Of several records with the same name the first is changed, which is the one that is read; removing takes all, for else the next
/// would come to light.
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
    edit(system, changes, new, open, |files, change| {
        if change.exists.is_none() && change.should.is_empty() {
            return Ok(());
        }
        let request = change.request();
        let paths = format.files(system, request)?;
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
        // First, so that it is written before a record goes elsewhere.
        files.open(&own)?;
        let Some((path, line)) = find(format, files, request)? else {
            if !made {
                return Err(ProviderError::new(format!("`{}` is no longer in {own}", change.name)).help("run again"));
            }
            let (text, record) = printed(format, None, &wish)?;
            files.open(&own)?.push(&text, record);
            return Ok(());
        };
        let document = files.open(&path)?;
        if document.text().raw(line).is_some_and(|raw| std::str::from_utf8(raw).is_err()) {
            let number = line + 1;
            return Err(
                ProviderError::new(format!("line {number} of {path} is not UTF-8 and is not changed")).help("convert the file to UTF-8")
            );
        }
        let was = document.record(line);
        let (text, record) = printed(format, was, &wish)?;
        if moves && path != own {
            document.remove(|r| format.is_of(r, request));
            files.open(&own)?.push(&text, record);
        } else {
            document.replace(line, &text, record);
        }
        Ok(())
    })
}

/// Returns the new line, and the record as it will be read from it. A line that would be read as nothing, or as another record, would be
/// added again in each run.
fn printed<F: RecordFormat>(
    format: &F,
    was: Option<&F::Record>,
    wish: &RecordChange<'_, '_>,
) -> Result<(String, F::Record), ProviderError> {
    let text = format.print(was, wish)?;
    let record = format.parse(one_line(&text)?).filter(|r| format.is_of(r, wish.change.request()));
    let record = record.ok_or_else(|| ProviderError::new(format!("a line for `{}` would not be read as such", wish.name())))?;
    Ok((text, record))
}
