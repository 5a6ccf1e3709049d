//! The report of a run, in format 12 of Puppet, which PuppetDB and its dashboards read.
//!
//! Follows Puppet 7.23's `lib/puppet/transaction/report.rb`, `lib/puppet/resource/status.rb` and `lib/puppet/transaction/event.rb`.

use jiff::Timestamp;
use rtype_engine::apply::{Counts, Event, EventStatus, Listener, ResourceOutcome, ResourceStatus, Skip};
use rtype_lang::eval::LogLevel;
use rtype_lang::redact::{Foreign, REDACTED, Redactor};
use rtype_lang::value::{ResourceRef, Value};
use serde_json::{Map, Value as Json, json};
use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

/// The version of Puppet that the report is written like.
const PUPPET: &str = "7.23.0";
/// The most log lines of one report.
const MOST_LOGS: usize = 10_000;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportStatus {
    /// Something failed.
    Failed,
    /// Something was changed.
    Changed,
    /// Nothing was.
    Unchanged,
}

impl ReportStatus {
    /// Returns the word for it.
    pub fn name(self) -> &'static str {
        match self {
            ReportStatus::Failed => "failed",
            ReportStatus::Changed => "changed",
            ReportStatus::Unchanged => "unchanged",
        }
    }
}

/// What a catalog says of a resource.
#[derive(Debug, Default)]
struct Declared {
    tags: Json,
    file: Json,
    line: Json,
    path: Vec<String>,
}

/// A report that is written while resources are applied.
#[derive(Debug)]
pub struct Report {
    host: String,
    begun: Timestamp,
    noop: bool,
    transaction: String,
    redactor: Redactor,
    /// The environment.
    pub environment: String,
    /// Which catalog was applied: `not_used`, `explicitly_requested` or `on_failure`.
    pub cached: &'static str,
    /// The server of `server_list` that was used, with its port.
    pub server: Option<String>,
    /// Seconds of each step before resources were applied.
    pub times: BTreeMap<&'static str, f64>,
    catalog: Json,
    declared: HashMap<String, Declared>,
    logs: Vec<Json>,
    resources: Map<String, Json>,
    times_by_type: BTreeMap<String, f64>,
    is_corrective: bool,
    would_change: bool,
    events: BTreeMap<&'static str, usize>,
    failed: bool,
}

impl Report {
    /// Begins a report.
    pub fn new(host: &str, environment: &str, transaction: &str, noop: bool, redactor: Redactor) -> Report {
        Report {
            host: host.to_owned(),
            begun: Timestamp::now(),
            noop,
            transaction: transaction.to_owned(),
            redactor,
            environment: environment.to_owned(),
            cached: "not_used",
            server: None,
            times: BTreeMap::new(),
            catalog: Json::Null,
            declared: HashMap::new(),
            logs: Vec::new(),
            resources: Map::new(),
            times_by_type: BTreeMap::new(),
            is_corrective: false,
            would_change: false,
            events: BTreeMap::new(),
            failed: false,
        }
    }

    /// Takes tags, lines and containers of resources from a catalog, and its version.
    pub fn describe(&mut self, catalog: &Json) {
        let list = |name: &str| catalog.get(name).and_then(Json::as_array).map(Vec::as_slice).unwrap_or_default();
        let text = |json: &Json, name: &str| json.get(name).and_then(Json::as_str).unwrap_or_default().to_owned();
        let holders: HashMap<String, String> = list("edges").iter().map(|e| (text(e, "target"), text(e, "source"))).collect();
        for resource in list("resources") {
            let name = format!("{}[{}]", text(resource, "type"), text(resource, "title"));
            let mut path = vec![name.clone()];
            // A container contains what is in it once; the limit is for catalogs that are wrong.
            while let Some(holder) = path.last().and_then(|last| holders.get(last)).filter(|_| path.len() < 100) {
                path.push(holder.clone());
            }
            path.reverse();
            let part = |key: &str| resource.get(key).cloned().unwrap_or_default();
            self.declared.insert(name, Declared { tags: part("tags"), file: part("file"), line: part("line"), path });
        }
        let key = |name: &str| catalog.get(name).cloned().unwrap_or_default();
        self.catalog = json!({"version": key("version"), "catalog_uuid": key("catalog_uuid"), "code_id": key("code_id")});
    }

    /// Returns the version of the catalog.
    pub fn version(&self) -> String {
        match self.catalog.get("version") {
            Some(Json::String(version)) => version.clone(),
            Some(Json::Null) | None => String::new(),
            Some(other) => other.to_string(),
        }
    }

    /// Adds a log line that is of no resource. An error makes the run a failed one.
    pub fn log_line(&mut self, level: &str, message: &Foreign) {
        self.failed |= level == "err";
        self.push_log(level, "Puppet", message, None);
    }

    fn push_log(&mut self, level: &str, source: &str, message: &Foreign, of: Option<&str>) {
        if self.logs.len() >= MOST_LOGS {
            return;
        }
        let declared = of.and_then(|name| self.declared.get(name));
        let message = self.redactor.reveal(message);
        let part = |get: fn(&Declared) -> &Json| declared.map(get).cloned().unwrap_or_default();
        let (tags, file, line) = (part(|d| &d.tags), part(|d| &d.file), part(|d| &d.line));
        let tags = if tags.is_null() { json!([level]) } else { tags };
        self.logs.push(json!({
            "level": level, "message": message, "source": source, "tags": tags, "time": Timestamp::now(), "file": file, "line": line,
        }));
    }

    fn path(&self, name: &str) -> Vec<String> {
        self.declared.get(name).map_or_else(|| vec![name.to_owned()], |declared| declared.path.clone())
    }

    fn shown(&self, value: &Value) -> Json {
        if value.has_secret() {
            return REDACTED.into();
        }
        let mut json = serde_json::to_value(value).unwrap_or_default();
        self.redactor.redact_json(&mut json);
        match json {
            Json::String(_) | Json::Bool(_) | Json::Number(_) | Json::Null | Json::Array(_) => json,
            other => other.to_string().into(),
        }
    }

    fn event_json(&self, event: &Event) -> Json {
        let status = match event.status {
            EventStatus::Success => "success",
            EventStatus::Failure => "failure",
            EventStatus::Noop => "noop",
            EventStatus::Audit => "audit",
        };
        json!({
            "audited": event.status == EventStatus::Audit,
            "property": event.property.as_ref().map(|p| p.as_str()),
            "previous_value": self.shown(&event.previous),
            "desired_value": self.shown(&event.desired),
            "historical_value": null,
            "message": self.redactor.reveal(&event.message),
            "name": event.name.as_str(),
            "status": status,
            "time": event.time,
            "redacted": event.previous.has_secret() || event.desired.has_secret(),
            "corrective_change": event.corrective,
        })
    }

    /// Returns how the run ended.
    pub fn status(&self, counts: &Counts) -> ReportStatus {
        match () {
            () if self.failed || counts.has_failed() => ReportStatus::Failed,
            () if counts.changed > 0 || counts.refreshed > 0 => ReportStatus::Changed,
            () => ReportStatus::Unchanged,
        }
    }

    /// Returns the report. `completed`: all resources had their turn.
    pub fn finish(mut self, counts: &Counts, total: Duration, completed: bool) -> Json {
        let status = self.status(counts);
        let metrics = self.metrics(counts, total);
        // Names and messages may repeat a secret of any resource.
        for resource in self.resources.values_mut() {
            self.redactor.redact_json(resource);
        }
        let part = |name: &str| self.catalog.get(name).cloned().unwrap_or_default();
        json!({
            "host": self.host,
            "time": self.begun,
            "configuration_version": part("version"),
            "transaction_uuid": self.transaction,
            "report_format": 12,
            "puppet_version": PUPPET,
            "status": status.name(),
            "transaction_completed": completed,
            "noop": self.noop,
            "noop_pending": self.would_change,
            "environment": self.environment,
            "corrective_change": self.is_corrective,
            "catalog_uuid": part("catalog_uuid"),
            "code_id": part("code_id"),
            "job_id": null,
            "cached_catalog_status": self.cached,
            "server_used": self.server,
            "logs": self.logs,
            "metrics": metrics,
            "resource_statuses": self.resources,
        })
    }

    fn metrics(&self, counts: &Counts, total: Duration) -> Json {
        let metric = |name: &str, label: &str, values: Vec<(String, f64)>| {
            let values: Vec<Json> = values.into_iter().map(|(name, value)| json!([name, capitalized(&name), value])).collect();
            (name.to_owned(), json!({"name": name, "label": label, "values": values}))
        };
        let number = |name: &str, count: usize| (name.to_owned(), count as f64);
        let out_of_sync = counts.changed + counts.would_change + counts.failed;
        let mut times: Vec<(String, f64)> = self.times_by_type.iter().map(|(name, time)| (name.clone(), *time)).collect();
        times.extend(self.times.iter().map(|(name, time)| ((*name).to_owned(), *time)));
        times.push(("total".to_owned(), total.as_secs_f64()));
        let of = |name: &str| self.events.get(name).copied().unwrap_or_default();
        let all: Map<String, Json> = [
            metric(
                "resources",
                "Resources",
                vec![
                    number("total", counts.total),
                    number("skipped", counts.skipped),
                    number("failed", counts.failed),
                    number("failed_to_restart", counts.refresh_failed),
                    number("restarted", counts.refreshed),
                    number("changed", counts.changed),
                    number("out_of_sync", out_of_sync),
                    number("scheduled", 0),
                    number("corrective_change", counts.corrective),
                ],
            ),
            metric("time", "Time", times),
            metric("changes", "Changes", vec![number("total", counts.changes)]),
            metric(
                "events",
                "Events",
                vec![
                    number("total", of("success") + of("failure") + of("noop")),
                    number("failure", of("failure")),
                    number("success", of("success")),
                    number("noop", of("noop")),
                ],
            ),
        ]
        .into_iter()
        .collect();
        all.into()
    }
}

fn capitalized(name: &str) -> String {
    let text = name.replace('_', " ");
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

impl Listener for Report {
    fn event(&mut self, reference: &ResourceRef, event: &Event) {
        let name = reference.to_string();
        let (level, counted) = match event.status {
            EventStatus::Success => ("notice", "success"),
            EventStatus::Failure => ("err", "failure"),
            EventStatus::Noop => ("notice", "noop"),
            EventStatus::Audit => ("notice", "audit"),
        };
        *self.events.entry(counted).or_default() += 1;
        self.is_corrective |= event.corrective;
        self.would_change |= event.status == EventStatus::Noop;
        let mut source = format!("/{}", self.path(&name).join("/"));
        if let Some(property) = &event.property {
            source.push('/');
            source.push_str(property.as_str());
        }
        self.push_log(level, &source, &event.message, Some(&name));
    }

    fn log(&mut self, reference: Option<&ResourceRef>, level: LogLevel, message: &Foreign) {
        let name = reference.map(ToString::to_string);
        let source = name.as_ref().map_or_else(|| "Puppet".to_owned(), |name| format!("/{}", self.path(name).join("/")));
        self.push_log(level.name(), &source, message, name.as_deref());
    }

    fn done(&mut self, outcome: &ResourceOutcome) {
        let reference = &outcome.reference;
        let name = reference.to_string();
        let path = self.path(&name);
        if let Some(why) = &outcome.failure {
            self.push_log("err", &format!("/{}", path.join("/")), why, Some(&name));
        }
        if let ResourceStatus::Skipped(Skip::Dependencies(_)) = outcome.fate {
            let why = Foreign::from("Skipping because of failed dependencies");
            self.push_log("warning", &format!("/{}", path.join("/")), &why, Some(&name));
        }
        let resource_type = name.split('[').next().unwrap_or_default().to_owned();
        let seconds = outcome.time.as_secs_f64();
        *self.times_by_type.entry(reference.type_name.to_string()).or_default() += seconds;
        let events: Vec<Json> = outcome.events.iter().map(|event| self.event_json(event)).collect();
        let of_property = |status: EventStatus| outcome.events.iter().filter(|e| e.property.is_some() && e.status == status).count();
        let changes = of_property(EventStatus::Success);
        let out_of_sync = changes + of_property(EventStatus::Noop) + of_property(EventStatus::Failure);
        let declared = self.declared.get(&name);
        let part = |get: fn(&Declared) -> &Json| declared.map(get).cloned().unwrap_or_default();
        let tags = part(|d| &d.tags);
        let status = json!({
            "title": reference.title.as_str(),
            "file": part(|d| &d.file),
            "line": part(|d| &d.line),
            "resource": name,
            "resource_type": resource_type,
            "provider_used": null,
            "containment_path": path,
            "evaluation_time": seconds,
            "tags": if tags.is_null() { json!([]) } else { tags },
            "time": Timestamp::now(),
            "failed": outcome.fate == ResourceStatus::Failed,
            "failed_to_restart": outcome.refresh_failed,
            "changed": changes > 0,
            "out_of_sync": out_of_sync > 0,
            "skipped": matches!(outcome.fate, ResourceStatus::Skipped(_)),
            "change_count": changes,
            "out_of_sync_count": out_of_sync,
            "events": events,
            "corrective_change": outcome.events.iter().any(|e| e.corrective),
        });
        self.resources.insert(name, status);
    }
}
