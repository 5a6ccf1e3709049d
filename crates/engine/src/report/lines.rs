//! Reports a run as JSON Lines while it progresses. `docs/report.schema.json` describes the objects.

use super::provenance::Provenance;
use crate::InitialValue;
use crate::apply::{Counts, Event, EventStatus, Listener, ResourceOutcome, ResourceStatus, Skip};
use rtype_lang::diagnostics::printable_json;
use rtype_lang::eval::LogLevel;
use rtype_lang::redact::{Foreign, Redactor};
use rtype_lang::source::SourceMap;
use rtype_lang::value::{REDACTED, ResourceRef, Value};
use rtype_model::resource::Instance;
use serde::Serialize;
use serde_json::{Map, Value as Json};
use std::collections::HashMap;
use std::io::{self, Write};

/// Version of the format.
pub const REPORT_VERSION: u32 = 1;

/// The JSON Schema of a line.
pub const SCHEMA: &str = include_str!("schema.json");

/// The run's input and mode.
#[derive(Clone, Debug, Default)]
pub struct RunMode {
    /// True if changes are only reported.
    pub noop: bool,
    /// True if resources are kept in memory.
    pub simulated: bool,
    /// The resources' files and containers.
    pub provenance: Provenance,
}

/// A listener that writes JSON Lines.
pub struct Lines<W: Write> {
    out: W,
    sources: SourceMap,
    redactor: Redactor,
    mode: RunMode,
    version: String,
    /// Maps generated resources to their generators, and resources with a changed title to their declared references.
    origins: HashMap<ResourceRef, ResourceRef>,
    /// The first write error. After an error, no more lines are written.
    failed: Option<io::Error>,
}

/// Keys whose values may contain a secret.
const TEXTS: [&str; 9] = ["resource", "title", "containment_path", "message", "previous", "desired", "attributes", "why", "diff"];

/// A line; the fields are described in `docs/report.schema.json`.
#[expect(clippy::large_enum_variant, reason = "a line is written and dropped at once")]
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Line<'a> {
    Run {
        report: u32,
        rtype: &'a str,
        noop: bool,
        configuration_version: &'a str,
        time: jiff::Timestamp,
    },
    Event {
        resource: DisplayReference<'a>,
        #[serde(rename = "type")]
        type_name: &'a str,
        title: &'a str,
        containment_path: Vec<String>,
        configuration_version: &'a str,
        property: Option<&'a str>,
        name: &'a str,
        status: EventStatus,
        message: String,
        corrective: bool,
        time: jiff::Timestamp,
        #[serde(skip_serializing_if = "Option::is_none")]
        previous: Option<Json>,
        #[serde(skip_serializing_if = "Option::is_none")]
        desired: Option<Json>,
        #[serde(skip_serializing_if = "Map::is_empty")]
        attributes: Map<String, Json>,
    },
    Difference {
        resource: DisplayReference<'a>,
        diff: String,
        time: jiff::Timestamp,
    },
    Log {
        resource: Option<DisplayReference<'a>>,
        level: &'a str,
        message: String,
        time: jiff::Timestamp,
    },
    Resource {
        resource: DisplayReference<'a>,
        #[serde(rename = "type")]
        type_name: &'a str,
        title: &'a str,
        containment_path: Vec<String>,
        status: &'a str,
        refreshed: bool,
        refresh_failed: bool,
        seconds: f64,
        time: jiff::Timestamp,
        #[serde(skip_serializing_if = "Option::is_none")]
        why: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        file: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        line: Option<u32>,
    },
    Summary {
        resources: Resources,
        changes: Changes,
        seconds: f64,
        exit: u8,
    },
}

/// Serializes a reference as `Type[title]`.
struct DisplayReference<'a>(&'a ResourceRef);

impl Serialize for DisplayReference<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self.0)
    }
}

#[derive(Serialize)]
struct Resources {
    total: usize,
    changed: usize,
    would_change: usize,
    failed: usize,
    skipped: usize,
    refreshed: usize,
    refresh_failed: usize,
}

#[derive(Serialize)]
struct Changes {
    made: usize,
    corrective: usize,
}

impl<W: Write> Lines<W> {
    /// Creates the listener and writes the first line, which describes the run.
    pub fn new(out: W, sources: SourceMap, redactor: Redactor, mode: RunMode, begun: &jiff::Zoned) -> Lines<W> {
        let time = begun.timestamp();
        let version = mode.provenance.version(time);
        let noop = mode.noop;
        let mut lines = Lines { out, sources, redactor, mode, version, origins: HashMap::new(), failed: None };
        let version = lines.version.clone();
        lines.write(&Line::Run { report: REPORT_VERSION, rtype: env!("CARGO_PKG_VERSION"), noop, configuration_version: &version, time });
        lines
    }

    /// Returns a resource's containers, followed by the resource.
    fn path(&self, reference: &ResourceRef) -> Vec<String> {
        let mut origin = reference;
        // A generated resource may generate others.
        for _ in 0..self.origins.len() {
            let Some(generator) = self.origins.get(origin) else { break };
            origin = generator;
        }
        self.mode.provenance.path(origin, reference)
    }

    /// Writes the last line, which contains the counts.
    ///
    /// # Errors
    /// Returns the first write error.
    pub fn finish(mut self, counts: &Counts, seconds: f64, exit: u8) -> io::Result<W> {
        let resources = Resources {
            total: counts.total,
            changed: counts.changed,
            would_change: counts.would_change,
            failed: counts.failed,
            skipped: counts.skipped,
            refreshed: counts.refreshed,
            refresh_failed: counts.refresh_failed,
        };
        let changes = Changes { made: counts.changes, corrective: counts.corrective };
        self.write(&Line::Summary { resources, changes, seconds, exit });
        match self.failed {
            Some(error) => Err(error),
            None => self.out.flush().map(|()| self.out),
        }
    }

    fn write(&mut self, line: &Line<'_>) {
        if self.failed.is_some() {
            return;
        }
        let redacted = serde_json::to_value(line).map(|mut json| {
            if let Some(json) = json.as_object_mut() {
                // Values from a fixed set are never secret.
                let texts = json.iter_mut().filter(|(key, _)| TEXTS.contains(&key.as_str()));
                texts.for_each(|(_, value)| self.redactor.redact_json(value));
                if self.mode.simulated {
                    json.insert("simulated".to_owned(), true.into());
                }
            }
            json
        });
        let out = &mut self.out;
        let written = redacted.map_err(io::Error::from).and_then(|json| out.write_all(printable_json(&json.to_string()).as_bytes()));
        self.failed = written.and_then(|()| out.write_all(b"\n")).err();
    }
}

/// Serializes a value; secrets are redacted.
fn shown(value: &Value) -> Json {
    if value.has_secret() { REDACTED.into() } else { serde_json::to_value(value).unwrap_or(Json::Null) }
}

/// Serializes attributes; secrets are redacted.
pub(super) fn attributes(initial: &[InitialValue]) -> Map<String, Json> {
    initial.iter().map(|one| (one.name.to_string(), shown(&one.value))).collect()
}

impl<W: Write> Listener for Lines<W> {
    fn resource(&mut self, instance: &Instance) {
        // The containers are known by the declared title, which the type may change.
        let declared = || ResourceRef { type_name: instance.type_def.name.clone(), title: instance.title.clone() };
        let origin = instance.generated_by().cloned().unwrap_or_else(declared);
        if origin != instance.label() {
            self.origins.insert(instance.label(), origin);
        }
    }

    fn event(&mut self, reference: &ResourceRef, event: &Event) {
        let of_property = event.property.is_some();
        let version = self.version.clone();
        let line = Line::Event {
            resource: DisplayReference(reference),
            type_name: reference.type_name.as_str(),
            title: &reference.title,
            containment_path: self.path(reference),
            configuration_version: &version,
            property: event.property.as_ref().map(|p| p.as_str()),
            name: event.name.as_str(),
            status: event.status,
            message: self.redactor.reveal(&event.message),
            corrective: event.reverts(),
            time: event.time,
            previous: of_property.then(|| shown(&event.previous)),
            desired: (of_property && event.status != EventStatus::Audit).then(|| shown(&event.desired)),
            attributes: attributes(&event.initial),
        };
        self.write(&line);
    }

    fn difference(&mut self, reference: &ResourceRef, diff: &Foreign) {
        let diff = self.redactor.reveal(diff);
        let line = Line::Difference { resource: DisplayReference(reference), diff, time: jiff::Timestamp::now() };
        self.write(&line);
    }

    fn log(&mut self, reference: Option<&ResourceRef>, level: LogLevel, message: &Foreign) {
        let message = self.redactor.reveal(message);
        self.write(&Line::Log { resource: reference.map(DisplayReference), level: level.name(), message, time: jiff::Timestamp::now() });
    }

    fn done(&mut self, outcome: &ResourceOutcome) {
        let reference = &outcome.reference;
        let (status, why) = match &outcome.status {
            ResourceStatus::InSync => ("in_sync", None),
            ResourceStatus::Changed => ("changed", None),
            ResourceStatus::WouldChange => ("would_change", None),
            ResourceStatus::Failed => ("failed", outcome.failure.as_ref().map(|why| self.redactor.reveal(why))),
            ResourceStatus::Skipped(why) => ("skipped", Some(skipped(why))),
        };
        let (file, line) = self.mode.provenance.line(outcome.span, &self.sources).unzip();
        let line = Line::Resource {
            resource: DisplayReference(reference),
            type_name: reference.type_name.as_str(),
            title: &reference.title,
            containment_path: self.path(reference),
            status,
            refreshed: outcome.refreshed,
            refresh_failed: outcome.refresh_failed,
            seconds: outcome.time.as_secs_f64(),
            time: jiff::Timestamp::now(),
            why,
            file,
            line,
        };
        self.write(&line);
    }
}

/// Describes the reason for skipping a resource.
pub(super) fn skipped(why: &Skip) -> String {
    match why {
        Skip::Dependencies(failed) => {
            let names: Vec<String> = failed.iter().map(|r| format!("`{r}`")).collect();
            format!("it depends on {}, which failed", names.join(", "))
        }
        Skip::Schedule => "its schedule says that it is not its time".into(),
        Skip::Tags => "it has none of the tags that are asked for".into(),
        Skip::SkipTags => "it has one of the tags that are skipped".into(),
        Skip::Stopped => "the run was stopped".into(),
    }
}
