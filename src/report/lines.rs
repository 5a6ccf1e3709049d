//! A run as JSON lines, while it goes: one object a line. `docs/report.schema.json` describes them.

use crate::engine::apply::{Counts, Event, EventStatus, Fate, Listener, ResourceOutcome, Skip};
use crate::eval::LogLevel;
use crate::source::SourceMap;
use crate::value::{REDACTED, ResourceRef, Value};
use serde_json::{Value as Json, json};
use std::io::{self, Write};

/// The version of the lines' shape.
pub const REPORT_VERSION: u32 = 1;

/// The JSON Schema of a line.
pub const SCHEMA: &str = include_str!("../../docs/report.schema.json");

/// Writes lines.
pub struct Lines<W: Write> {
    out: W,
    sources: SourceMap,
    /// The first error of the writer, after which nothing more is written.
    failed: Option<io::Error>,
}

impl<W: Write> Lines<W> {
    /// Begins with the line that tells of the run itself.
    pub fn new(out: W, sources: SourceMap, noop: bool, begun: &jiff::Zoned) -> Lines<W> {
        let mut lines = Lines { out, sources, failed: None };
        lines.line(&json!({
            "kind": "run",
            "report": REPORT_VERSION,
            "rtype": env!("CARGO_PKG_VERSION"),
            "noop": noop,
            "time": begun.timestamp().to_string(),
        }));
        lines
    }

    fn line(&mut self, line: &Json) {
        if self.failed.is_none() {
            self.failed = writeln!(self.out, "{line}").err();
        }
    }

    /// Ends with the line that counts.
    ///
    /// # Errors
    /// The first one that happened while anything was written.
    pub fn finish(mut self, counts: &Counts, seconds: f64, exit: u8) -> io::Result<W> {
        let resources = json!({
            "total": counts.total,
            "changed": counts.changed,
            "would_change": counts.would_change,
            "failed": counts.failed,
            "skipped": counts.skipped,
            "refreshed": counts.refreshed,
            "refresh_failed": counts.refresh_failed,
        });
        let changes = json!({ "made": counts.changes, "corrective": counts.corrective });
        self.line(&json!({ "kind": "summary", "resources": resources, "changes": changes, "seconds": seconds, "exit": exit }));
        match self.failed {
            Some(error) => Err(error),
            None => self.out.flush().map(|()| self.out),
        }
    }
}

/// A value without what must not be told.
fn shown(value: &Value) -> Json {
    if value.has_secret() { json!(REDACTED) } else { serde_json::to_value(value).unwrap_or(Json::Null) }
}

impl<W: Write> Listener for Lines<W> {
    fn event(&mut self, reference: &ResourceRef, event: &Event) {
        let mut line = json!({
            "kind": "event",
            "resource": reference.to_string(),
            "type": reference.type_name.as_str(),
            "title": reference.title.as_str(),
            "property": event.property.as_ref().map(|p| p.as_str()),
            "name": event.name.as_str(),
            "status": event.status,
            "message": event.message,
            "corrective": event.corrective,
            "time": event.time.to_string(),
        });
        if let (Some(_), Some(line)) = (&event.property, line.as_object_mut()) {
            line.insert("previous".into(), shown(&event.previous));
            if event.status != EventStatus::Audit {
                line.insert("desired".into(), shown(&event.desired));
            }
        }
        self.line(&line);
    }

    fn log(&mut self, reference: Option<&ResourceRef>, level: LogLevel, message: &str) {
        let resource = reference.map(ToString::to_string);
        self.line(&json!({ "kind": "log", "resource": resource, "level": level.name(), "message": message }));
    }

    fn done(&mut self, outcome: &ResourceOutcome) {
        let reference = &outcome.reference;
        let (fate, why) = match &outcome.fate {
            Fate::InSync => ("in_sync", None),
            Fate::Changed => ("changed", None),
            Fate::WouldChange => ("would_change", None),
            Fate::Failed => ("failed", outcome.failure.clone()),
            Fate::Skipped(why) => ("skipped", Some(skipped(why))),
        };
        let mut line = json!({
            "kind": "resource",
            "resource": reference.to_string(),
            "type": reference.type_name.as_str(),
            "title": reference.title.as_str(),
            "fate": fate,
            "refreshed": outcome.refreshed,
            "refresh_failed": outcome.refresh_failed,
            "seconds": outcome.time.as_secs_f64(),
        });
        if let Some(line) = line.as_object_mut() {
            if let Some(why) = why {
                line.insert("why".into(), json!(why));
            }
            if let Some(source) = self.sources.find(outcome.span) {
                line.insert("file".into(), json!(source.name()));
                line.insert("line".into(), json!(source.position(outcome.span.start).line));
            }
        }
        self.line(&line);
    }
}

/// Why a resource was passed over, in words.
pub(super) fn skipped(why: &Skip) -> String {
    match why {
        Skip::Dependencies(failed) => {
            let names: Vec<String> = failed.iter().map(|r| format!("`{r}`")).collect();
            format!("it depends on {}, which failed", names.join(", "))
        }
        Skip::Schedule => "its schedule says that it is not its time".into(),
        Skip::Tags => "it has none of the tags that are asked for".into(),
        Skip::Stopped => "the run was stopped".into(),
    }
}
