//! Reports a run as JSON Lines while it progresses. `docs/report.schema.json` describes the objects.

use crate::apply::{Counts, Event, EventStatus, Listener, ResourceOutcome, ResourceStatus, Skip};
use rtype_lang::diagnostics::printable_json;
use rtype_lang::eval::LogLevel;
use rtype_lang::redact::{Foreign, Redactor};
use rtype_lang::source::SourceMap;
use rtype_lang::value::{REDACTED, ResourceRef, Value};
use serde::Serialize;
use serde_json::Value as Json;
use std::collections::HashMap;
use std::io::{self, Write};

/// Version of the format.
pub const REPORT_VERSION: u32 = 1;

/// The JSON Schema of a line.
pub const SCHEMA: &str = include_str!("schema.json");

/// Where resources are declared, by `Type[title]`: the lines of a manifest that a compiled catalog names.
pub type Locations = HashMap<String, (String, u32)>;

/// The mode of a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct RunMode {
    /// Whether changes are only reported.
    pub noop: bool,
    /// Whether resources are kept in memory.
    pub simulated: bool,
}

/// A listener that writes JSON Lines.
pub struct Lines<W: Write> {
    out: W,
    sources: SourceMap,
    redactor: Redactor,
    locations: Locations,
    /// The first write error; nothing more is written after it.
    failed: Option<io::Error>,
}

/// Keys whose values may contain a secret.
const TEXTS: [&str; 7] = ["resource", "title", "message", "previous", "desired", "why", "diff"];

/// A line; the fields are described in `docs/report.schema.json`.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Line<'a> {
    Run {
        report: u32,
        rtype: &'a str,
        noop: bool,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        simulated: bool,
        time: jiff::Timestamp,
    },
    Event {
        resource: DisplayReference<'a>,
        #[serde(rename = "type")]
        type_name: &'a str,
        title: &'a str,
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
        status: &'a str,
        refreshed: bool,
        refresh_failed: bool,
        seconds: f64,
        time: jiff::Timestamp,
        #[serde(skip_serializing_if = "Option::is_none")]
        why: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        file: Option<&'a str>,
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
        let RunMode { noop, simulated } = mode;
        let mut lines = Lines { out, sources, redactor, locations: Locations::new(), failed: None };
        write(
            &mut lines.out,
            &mut lines.failed,
            &lines.redactor,
            &Line::Run { report: REPORT_VERSION, rtype: env!("CARGO_PKG_VERSION"), noop, simulated, time: begun.timestamp() },
        );
        lines
    }

    /// Reports these locations instead of those in the texts that were read.
    #[must_use]
    pub fn with_locations(self, locations: Locations) -> Lines<W> {
        Lines { locations, ..self }
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
        write(&mut self.out, &mut self.failed, &self.redactor, &Line::Summary { resources, changes, seconds, exit });
        match self.failed {
            Some(error) => Err(error),
            None => self.out.flush().map(|()| self.out),
        }
    }
}

fn write(out: &mut impl Write, failed: &mut Option<io::Error>, redactor: &Redactor, line: &Line<'_>) {
    if failed.is_none() {
        let redacted = serde_json::to_value(line).map(|mut json| {
            // Values from a fixed set of words are never secret.
            let texts = json.as_object_mut().into_iter().flatten();
            texts.filter(|(key, _)| TEXTS.contains(&key.as_str())).for_each(|(_, value)| redactor.redact_json(value));
            json
        });
        let written = redacted.map_err(io::Error::from).and_then(|json| out.write_all(printable_json(&json.to_string()).as_bytes()));
        *failed = written.and_then(|()| out.write_all(b"\n")).err();
    }
}

/// Serializes a value; secrets are redacted.
fn shown(value: &Value) -> Json {
    if value.has_secret() { REDACTED.into() } else { serde_json::to_value(value).unwrap_or(Json::Null) }
}

impl<W: Write> Listener for Lines<W> {
    fn event(&mut self, reference: &ResourceRef, event: &Event) {
        let of_property = event.property.is_some();
        let line = Line::Event {
            resource: DisplayReference(reference),
            type_name: reference.type_name.as_str(),
            title: &reference.title,
            property: event.property.as_ref().map(|p| p.as_str()),
            name: event.name.as_str(),
            status: event.status,
            message: self.redactor.reveal(&event.message),
            corrective: event.corrective,
            time: event.time,
            previous: of_property.then(|| shown(&event.previous)),
            desired: (of_property && event.status != EventStatus::Audit).then(|| shown(&event.desired)),
        };
        write(&mut self.out, &mut self.failed, &self.redactor, &line);
    }

    fn difference(&mut self, reference: &ResourceRef, diff: &Foreign) {
        let diff = self.redactor.reveal(diff);
        let line = Line::Difference { resource: DisplayReference(reference), diff, time: jiff::Timestamp::now() };
        write(&mut self.out, &mut self.failed, &self.redactor, &line);
    }

    fn log(&mut self, reference: Option<&ResourceRef>, level: LogLevel, message: &Foreign) {
        let message = self.redactor.reveal(message);
        write(
            &mut self.out,
            &mut self.failed,
            &self.redactor,
            &Line::Log { resource: reference.map(DisplayReference), level: level.name(), message, time: jiff::Timestamp::now() },
        );
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
        let source = self.sources.find(outcome.span);
        let declared = self.locations.get(&reference.to_string());
        let declared = declared.map(|(file, line)| (file.as_str(), *line));
        let declared = declared.or_else(|| source.map(|source| (source.name(), source.line(outcome.span.start))));
        let line = Line::Resource {
            resource: DisplayReference(reference),
            type_name: reference.type_name.as_str(),
            title: &reference.title,
            status,
            refreshed: outcome.refreshed,
            refresh_failed: outcome.refresh_failed,
            seconds: outcome.time.as_secs_f64(),
            time: jiff::Timestamp::now(),
            why,
            file: declared.map(|(file, _)| file),
            line: declared.map(|(_, line)| line),
        };
        write(&mut self.out, &mut self.failed, &self.redactor, &line);
    }
}

/// Describes why a resource was skipped.
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
