//! `records`: text files with a record in each line.

use super::{Record, file_path, key, key_of, listed_file, new_file, record};
use crate::text::records::{self, RecordChange, RecordFormat};
use crate::text::{
    TextFiles,
    records::{Continuation, RecordLines},
};
use crate::{Change, ListedResource, Need, Provider, ProviderError, Reading, Request, Resource, ResourceShape, Select, State, System};
use rtype_lang::value::{EcoString, Map, Symbol, Value};
use std::cell::RefCell;
use std::collections::HashSet;
use std::sync::Arc;

/// Reads and writes lines as `parse` and `print` say.
pub struct DeclaredRecords {
    shape: ResourceShape,
}

impl DeclaredRecords {
    /// Creates a provider for resources of this shape.
    pub fn new(shape: ResourceShape) -> DeclaredRecords {
        DeclaredRecords { shape }
    }
}

/// A line format whose blocks are evaluated for one resource.
struct Lines<'a> {
    shape: &'a ResourceShape,
    settings: &'a dyn Resource,
    continuation: Continuation,
    last_wins: bool,
    /// The error of a block for a line. Such a line must not be treated as one that is not a record.
    failed: RefCell<Option<ProviderError>>,
}

impl<'a> Lines<'a> {
    fn new(shape: &'a ResourceShape, settings: &'a dyn Resource) -> Result<Lines<'a>, ProviderError> {
        let word = |name: &str| settings.setting(name).map(|value| if value.is_nil() { EcoString::new() } else { value.to_text() });
        let unknown = |name: &str, allowed: &str, word: &str| Err(ProviderError::new(format!("`{name}` must be {allowed}, not `{word}`")));
        let continuation = match word("continuation")?.as_str() {
            "" => Continuation::Never,
            "indented" => Continuation::Indented,
            "backslash" => Continuation::Backslash,
            other => return unknown("continuation", "`indented` or `backslash`", other),
        };
        let last_wins = match word("duplicates")?.as_str() {
            "" | "first" => false,
            "last" => true,
            other => return unknown("duplicates", "`first` or `last`", other),
        };
        Ok(Lines { shape, settings, continuation, last_wins, failed: RefCell::new(None) })
    }

    fn record(&self, line: &str) -> Result<Option<Record>, ProviderError> {
        record(self.shape, &self.settings.ask("parse", &[Value::str(line)])?)
    }

    /// Opens a file; one with a line that `parse` fails at is not understood.
    fn open(&self, path: &str, bytes: &[u8]) -> Result<RecordLines<Record>, ProviderError> {
        let document = RecordLines::new(bytes, self.continuation, |line| self.parse(line));
        match self.failed.take() {
            Some(error) => Err(error.context(format!("{path}: "))),
            None => Ok(document),
        }
    }

    fn state(&self, record: &Record, path: &str, select: Select<'_>) -> State {
        let of = |name: &str| match (record.get(name), name) {
            (Some(value), _) => Some(value.clone()),
            (None, "ensure") => Some(Value::sym("present")),
            (None, "target") => Some(Value::str(path)),
            (None, _) => Some(Value::sym("absent")),
        };
        self.shape.state_of(&of, select, &format!("{path} says that")).unwrap_or_default()
    }
}

impl RecordFormat for Lines<'_> {
    type Record = Record;

    fn file(&self) -> Option<EcoString> {
        file_path(self.settings).ok()
    }

    fn parse(&self, line: &str) -> Option<Record> {
        self.record(line).unwrap_or_else(|error| {
            self.failed.borrow_mut().get_or_insert(error);
            None
        })
    }

    fn continuation(&self) -> Continuation {
        self.continuation
    }

    fn last_wins(&self) -> bool {
        self.last_wins
    }

    fn is_of(&self, record: &Record, request: Request<'_>) -> bool {
        key_of(self.shape, record) == key(self.shape, request)
    }

    fn files(&self, _: &System, request: Request<'_>) -> Result<Vec<EcoString>, ProviderError> {
        let target = request.resource.wanted("target");
        let own = target.as_text().filter(|_| !target.is_absent()).map(records::full_path).transpose()?;
        let default = match file_path(request.resource) {
            Err(error) if own.is_none() => return Err(error),
            default => default.ok().filter(|path| Some(path) != own.as_ref()),
        };
        Ok(own.into_iter().chain(default).collect())
    }

    fn print(&self, was: Option<&Record>, wish: &RecordChange<'_, '_>) -> Result<String, ProviderError> {
        let mut record = was.cloned().unwrap_or_default();
        let names = self.shape.namevars.iter().map(Symbol::text).zip(key(self.shape, wish.request()));
        record.extend(names.map(|(name, value)| (name, Value::Str(value))));
        for name in self.shape.attributes.keys().filter(|n| !self.shape.namevars.contains(n) && n.as_str() != "ensure") {
            let value = match self.shape.is_property(name.as_str()) {
                true => wish.value(name.as_str()),
                false => Some(wish.resource().wanted(name.as_str())).filter(|v| !v.is_nil()),
            };
            match value {
                None => {}
                Some(value) if value.is_nil() || value.is_absent() => drop(record.shift_remove(name.as_str())),
                Some(value) => drop(record.insert(name.text(), value)),
            }
        }
        let map: Map = record.into_iter().map(|(name, value)| (Value::sym(name), value)).collect();
        let line = wish.resource().ask("print", &[Value::Map(Arc::new(map))])?;
        match line.unwrapped() {
            Value::Str(line) => Ok(line.to_string()),
            other => Err(ProviderError::new(format!("`print` gives the line, not {}", other.kind_name()))),
        }
    }
}

impl Provider for DeclaredRecords {
    fn needs(&self, system: &System, request: Request<'_>, properties: &[&str]) -> Vec<Need> {
        let Ok(lines) = Lines::new(&self.shape, request.resource) else { return Vec::new() };
        records::needs(&lines, system, request, properties, &|path, bytes| lines.open(path, bytes))
    }

    fn keeps_to_plan(&self) -> bool {
        true
    }

    fn reads(&self) -> &'static [&'static str] {
        &[]
    }

    fn can_read(&self, property: &str) -> bool {
        self.shape.is_property(property)
    }

    fn can_write(&self, property: &str) -> bool {
        self.shape.is_property(property)
    }

    fn actions(&self) -> &'static [&'static str] {
        &["create", "destroy"]
    }

    fn get(&self, system: &System, requests: &[Request<'_>], select: Select<'_>) -> Vec<Reading> {
        let Some(first) = requests.first() else { return Vec::new() };
        let lines = match Lines::new(&self.shape, first.resource) {
            Ok(lines) => lines,
            Err(error) => return requests.iter().map(|_| Reading::Error(error.clone())).collect(),
        };
        let open = |path: &str, bytes: &[u8]| lines.open(path, bytes);
        let mut files = TextFiles::new(system, &open);
        let read = |request: &Request<'_>| records::read(&lines, &mut files, *request, |record, path| lines.state(record, path, select));
        requests.iter().map(read).collect()
    }

    fn instances(&self, _: &System, _: Select<'_>) -> Result<Vec<ListedResource>, ProviderError> {
        Err(ProviderError::new("a provider of records lists nothing without its settings"))
    }

    fn instances_of(&self, system: &System, settings: &dyn Resource, select: Select<'_>) -> Result<Vec<ListedResource>, ProviderError> {
        let lines = Lines::new(&self.shape, settings)?;
        let open = |path: &str, bytes: &[u8]| lines.open(path, bytes);
        let mut files = TextFiles::new(system, &open);
        let path = listed_file(settings)?;
        let mut seen = HashSet::new();
        let mut found = Vec::new();
        let mut records: Vec<&Record> = files.open(&path)?.iter().map(|(_, record)| record).collect();
        // Of records with the same key, the effective record is listed.
        if lines.last_wins {
            records.reverse();
        }
        for record in records {
            let key = key_of(&self.shape, record);
            if seen.insert(key.clone()) {
                let mut state = lines.state(record, &path, select);
                if key.len() > 1 {
                    state.extend(self.shape.namevars.iter().cloned().zip(key.iter().cloned().map(|part| Ok(Value::Str(part)))));
                }
                found.push(ListedResource { name: key.join("/").into(), state });
            }
        }
        if lines.last_wins {
            found.reverse();
        }
        Ok(found)
    }

    fn flush(&self, system: &System, changes: &mut [Change<'_>]) -> Vec<Result<(), ProviderError>> {
        let Some(settings) = changes.first().map(|c| c.resource) else { return Vec::new() };
        match Lines::new(&self.shape, settings).and_then(|lines| Ok((lines, new_file(changes)?))) {
            Ok((lines, new)) => records::flush_with(&lines, system, changes, new, &|path, bytes| lines.open(path, bytes)),
            Err(e) => changes.iter().map(|_| Err(e.clone())).collect(),
        }
    }

    fn batch(&self, _: &System) -> usize {
        records::BATCH
    }
}
