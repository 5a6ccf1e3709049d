//! A run's report in Puppet's report format 12, for PuppetDB and dashboards.
//!
//! Follows Puppet 7.23's `lib/puppet/transaction/report.rb`, `lib/puppet/resource/status.rb` and `lib/puppet/transaction/event.rb`.

mod described;
mod metrics;

use described::{Described, described_in, generated_from};
use jiff::Timestamp;
use metrics::{Tally, metric, times};
use rtype_engine::apply::{Counts, Event, EventStatus, Listener, ResourceOutcome, ResourceStatus, Skip};
use rtype_engine::report::Provenance;
use rtype_lang::eval::LogLevel;
use rtype_lang::redact::{Foreign, REDACTED, Redactor};
use rtype_lang::value::{ResourceRef, Symbol, Value};
use rtype_model::resource::Instance;
use rtype_system::process;
use serde_json::{Map, Value as Json, json};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::{Duration, Instant};

/// The emulated version of Puppet.
const PUPPET: &str = "7.23.0";
/// The maximum number of log lines in a report.
const MOST_LOGS: usize = 10_000;

/// The status of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportStatus {
    /// A resource or the run failed.
    Failed,
    /// A resource was changed.
    Changed,
    /// No resource was changed.
    Unchanged,
}

impl ReportStatus {
    /// Returns the status as written in reports.
    pub fn name(self) -> &'static str {
        match self {
            ReportStatus::Failed => "failed",
            ReportStatus::Changed => "changed",
            ReportStatus::Unchanged => "unchanged",
        }
    }
}

/// A report under construction, which listens to the run.
#[derive(Debug)]
pub struct Report {
    host: String,
    begun: Timestamp,
    noop: bool,
    transaction: String,
    redactor: Redactor,
    /// The environment.
    pub environment: String,
    /// The use of a cached catalog: `not_used`, `explicitly_requested` or `on_failure`.
    pub cached: &'static str,
    /// The host and port of the compiling server, from `server_list`.
    pub server: Option<String>,
    /// Each step's duration in seconds, before the resources.
    pub times: BTreeMap<&'static str, f64>,
    /// True to include log lines with the level `info`.
    pub verbose: bool,
    catalog: Json,
    resources_of_catalog: HashMap<String, Described>,
    logs: Vec<Json>,
    resources: Map<String, Json>,
    times_by_type: BTreeMap<String, f64>,
    tally: Tally,
    /// Failed resources that the report already names as the cause of skipped resources.
    named_failures: HashSet<ResourceRef>,
    would_change: bool,
    failed: bool,
    /// The times when the catalog arrived, the first resource began, and the last resource was finished.
    clock: [Option<Instant>; 3],
}

impl Report {
    /// Starts a report.
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
            verbose: false,
            catalog: Json::Null,
            resources_of_catalog: HashMap::new(),
            logs: Vec::new(),
            resources: Map::new(),
            times_by_type: BTreeMap::new(),
            tally: Tally::default(),
            named_failures: HashSet::new(),
            would_change: false,
            failed: false,
            clock: [None; 3],
        }
    }

    /// Reads the catalog version, and the resources' tags and lines. `provenance` contains the containers.
    pub fn describe(&mut self, catalog: &Json, provenance: &Provenance) {
        self.resources_of_catalog = described_in(catalog, provenance);
        let key = |name: &str| catalog.get(name).cloned().unwrap_or_default();
        self.catalog = json!({"version": key("version"), "catalog_uuid": key("catalog_uuid"), "code_id": key("code_id")});
        self.clock = [Some(process::now()), None, None];
        let version = self.version();
        if !version.is_empty() {
            self.push_log("info", "Puppet", &format!("Applying configuration version '{version}'"), None);
        }
    }

    /// Returns the version of the catalog.
    pub fn version(&self) -> String {
        match self.catalog.get("version") {
            Some(Json::String(version)) => version.clone(),
            Some(Json::Null) | None => String::new(),
            Some(other) => other.to_string(),
        }
    }

    /// Adds a log line that belongs to no resource. After an error, the run counts as failed.
    pub fn log_line(&mut self, level: &str, message: &Foreign) {
        self.failed |= level == "err";
        let message = self.redactor.reveal(message);
        self.push_log(level, "Puppet", &message, None);
    }

    /// Adds a log line. As in Puppet, the line has the resource's tags and location, and the level as a tag.
    fn push_log(&mut self, level: &str, source: &str, message: &str, of: Option<&str>) {
        if self.logs.len() >= MOST_LOGS || level == "debug" || (level == "info" && !self.verbose) {
            return;
        }
        let described = of.and_then(|name| self.resources_of_catalog.get(name));
        let mut tags = described.map(|d| d.tags.clone()).unwrap_or_default();
        if tags.iter().all(|tag| tag != level) {
            tags.push(level.to_owned());
        }
        let (file, line) = described.map(|d| (d.file.clone(), d.line.clone())).unwrap_or_default();
        // A title may repeat a secret.
        let source = self.redactor.redact(source);
        self.logs.push(json!({
            "level": level, "message": message, "source": source, "tags": tags, "time": Timestamp::now(), "file": file, "line": line,
        }));
    }

    fn path(&self, name: &str) -> Vec<String> {
        self.resources_of_catalog.get(name).map_or_else(|| vec![name.to_owned()], |described| described.path.clone())
    }

    /// Returns the source for log lines about a resource or a property.
    fn source(&self, name: &str, property: Option<&Symbol>) -> String {
        let mut source = format!("/{}", self.path(name).join("/"));
        if let Some(property) = property {
            source.push('/');
            source.push_str(property.as_str());
        }
        source
    }

    fn shown(&self, value: &Value) -> Json {
        if value.has_secret() {
            return REDACTED.into();
        }
        let mut json = without_types(serde_json::to_value(value).unwrap_or_default());
        self.redactor.redact_json(&mut json);
        json
    }

    /// Returns an event's message, as phrased by Puppet.
    fn message(&self, event: &Event) -> String {
        let text = self.redactor.reveal(&event.message);
        if event.property.is_none() {
            return match text.strip_prefix("failed to refresh: ") {
                Some(why) => format!("Failed to call refresh: {why}"),
                None => capitalized(&text),
            };
        }
        let noop = if event.status == EventStatus::Noop { " (noop)" } else { "" };
        let corrective = if event.corrective { " (corrective)" } else { "" };
        format!("{text}{noop}{corrective}")
    }

    fn event_json(&self, event: &Event) -> Json {
        let is_audit = event.status == EventStatus::Audit;
        let name = match (&event.property, event.status) {
            (Some(_), _) => event.name.as_str(),
            (None, EventStatus::Failure) => RESOURCE_ERROR,
            (None, _) => "refresh",
        };
        let is_secret = event.previous.has_secret() || event.desired.has_secret();
        let (previous, desired) = (self.shown(&event.previous), self.shown(&event.desired));
        // An audited property has no desired value, but a previous value.
        let (previous, desired, historical) = if is_audit { (desired, Json::Null, previous) } else { (previous, desired, Json::Null) };
        json!({
            "audited": is_audit,
            "property": event.property.as_ref().map(|p| p.as_str()),
            "previous_value": previous,
            "desired_value": desired,
            "historical_value": historical,
            "message": self.message(event),
            "name": name,
            "status": status_name(event.status),
            "time": event.time,
            "redacted": is_secret,
            "corrective_change": event.corrective,
        })
    }

    /// Adds the status of a resource.
    fn push_status(&mut self, reference: &ResourceRef, events: Vec<Json>, seconds: f64, outcome: Option<&ResourceOutcome>) {
        let name = reference.to_string();
        let count = |status: &str| events.iter().filter(|event| event.get("status").is_some_and(|s| s == status)).count();
        // The same rule as `add_event` in `lib/puppet/resource/status.rb`.
        let (changes, out_of_sync) = (count("success"), events.len() - count("audit"));
        let failed = count("failure") > 0 || outcome.is_some_and(|o| o.status == ResourceStatus::Failed);
        let failed_to_restart = outcome.is_some_and(|o| o.refresh_failed);
        let skipped = outcome.is_some_and(|o| matches!(o.status, ResourceStatus::Skipped(_)));
        let corrective = events.iter().any(|event| event.get("corrective_change") == Some(&Json::Bool(true)));
        self.tally.total += 1;
        self.tally.skipped += usize::from(skipped);
        self.tally.failed += usize::from(failed);
        self.tally.failed_to_restart += usize::from(failed_to_restart);
        self.tally.restarted += usize::from(outcome.is_some_and(|o| o.refreshed));
        self.tally.changed += usize::from(changes > 0);
        self.tally.out_of_sync += usize::from(out_of_sync > 0);
        self.tally.corrective += usize::from(corrective);
        self.tally.changes += changes;
        self.tally.events.total += events.len();
        for (of, status) in self.tally.events.by_status() {
            *of += count(status);
        }
        let path = self.path(&name);
        let described = self.resources_of_catalog.get(&name);
        let (file, line) = described.map(|d| (d.file.clone(), d.line.clone())).unwrap_or_default();
        let status = json!({
            "title": reference.title.as_str(),
            "file": file,
            "line": line,
            "resource": name,
            "resource_type": name.split('[').next().unwrap_or_default(),
            "provider_used": described.and_then(|d| d.provider.as_deref()),
            "containment_path": path,
            "evaluation_time": seconds,
            "tags": described.map(|d| d.tags.as_slice()).unwrap_or_default(),
            "time": Timestamp::now(),
            "failed": failed,
            "failed_to_restart": failed_to_restart,
            "changed": changes > 0,
            "out_of_sync": out_of_sync > 0,
            "skipped": skipped,
            "change_count": changes,
            "out_of_sync_count": out_of_sync,
            "events": events,
            "corrective_change": corrective,
        });
        self.resources.insert(name, status);
    }

    /// Returns the status of the run.
    pub fn status(&self, counts: &Counts) -> ReportStatus {
        match () {
            () if self.failed || self.tally.failed > 0 || counts.has_failed() => ReportStatus::Failed,
            () if self.tally.changes > 0 => ReportStatus::Changed,
            () => ReportStatus::Unchanged,
        }
    }

    /// Returns the report. `completed` means that all resources were evaluated.
    pub fn finish(mut self, counts: &Counts, total: Duration, completed: bool) -> Json {
        let status = self.status(counts);
        self.applied(completed);
        let metrics = self.metrics(total);
        // Names and messages may repeat a secret from any resource.
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
            "corrective_change": self.tally.corrective > 0,
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

    /// Records the duration of applying the catalog.
    fn applied(&mut self, completed: bool) {
        let [Some(arrived), first, last] = self.clock else { return };
        let all = arrived.elapsed().as_secs_f64();
        // Puppet records no time for a step that ended with an error.
        if completed || first.is_some() {
            self.times.insert("catalog_application", all);
        } else {
            self.times.insert("convert_catalog", all);
        }
        if let Some(first) = first {
            self.times.insert("convert_catalog", first.duration_since(arrived).as_secs_f64());
            self.times.insert("transaction_evaluation", last.unwrap_or(first).duration_since(first).as_secs_f64());
        }
        if completed {
            self.push_log("notice", "Puppet", &format!("Applied catalog in {all:.2} seconds"), None);
        }
    }

    fn metrics(&self, total: Duration) -> Json {
        let all: Map<String, Json> = [
            metric("resources", self.tally.resources()),
            metric("time", times(&self.times_by_type, &self.times, total)),
            metric("changes", vec![("total".to_owned(), self.tally.changes as f64)]),
            metric("events", self.tally.events()),
        ]
        .into_iter()
        .collect();
        all.into()
    }
}

/// The event name for a failure in the resource itself.
const RESOURCE_ERROR: &str = "resource_error";

/// Returns the event for a resource that failed as a whole, as `fail_with_event` in `lib/puppet/resource/status.rb` does.
fn resource_error(message: &str) -> Json {
    json!({
        "audited": false, "property": null, "previous_value": null, "desired_value": null, "historical_value": null, "message": message,
        "name": RESOURCE_ERROR, "status": "failure", "time": Timestamp::now(), "redacted": false, "corrective_change": false,
    })
}

fn status_name(status: EventStatus) -> &'static str {
    match status {
        EventStatus::Success => "success",
        EventStatus::Failure => "failure",
        EventStatus::Noop => "noop",
        EventStatus::Audit => "audit",
    }
}

/// Converts rich data to plain data, like `lib/puppet/pops/serialization/to_stringified_converter.rb`.
fn without_types(json: Json) -> Json {
    match json {
        Json::Object(mut pairs) if pairs.contains_key("__ptype") => without_types(pairs.remove("__pvalue").unwrap_or_default()),
        Json::Object(pairs) => pairs.into_iter().map(|(key, value)| (key, without_types(value))).collect::<Map<_, _>>().into(),
        Json::Array(values) => values.into_iter().map(without_types).collect(),
        other => other,
    }
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

impl Listener for Report {
    fn resource(&mut self, instance: &Instance) {
        self.clock[1].get_or_insert_with(process::now);
        let name = instance.label().to_string();
        if !self.resources_of_catalog.contains_key(&name) {
            let known = |reference: &ResourceRef| self.resources_of_catalog.get(&reference.to_string());
            // The catalog has the declared title, which the type may change.
            let declared = ResourceRef { type_name: instance.type_def.name.clone(), title: instance.title.clone() };
            let generated = instance.generated_by().and_then(known).map(|generator| generated_from(generator, &name));
            if let Some(described) = generated.or_else(|| known(&declared).map(|described| described.renamed(&name))) {
                self.resources_of_catalog.insert(name.clone(), described);
            }
        }
        self.resources_of_catalog.entry(name.clone()).or_insert_with(|| Described::unknown(&name)).complete(instance);
    }

    fn event(&mut self, reference: &ResourceRef, event: &Event) {
        let name = reference.to_string();
        // Puppet has no event for a planned refresh.
        self.would_change |= event.status == EventStatus::Noop && event.property.is_some();
        let level = if event.property.is_some() || event.status == EventStatus::Failure { event.log_level() } else { LogLevel::Notice };
        let source = self.source(&name, event.property.as_ref());
        let message = self.message(event);
        self.push_log(level.name(), &source, &message, Some(&name));
    }

    fn log(&mut self, reference: Option<&ResourceRef>, level: LogLevel, message: &Foreign) {
        let name = reference.map(ToString::to_string);
        let message = self.redactor.reveal(message);
        // The type `notify` logs its message without a resource as source.
        let name = name.filter(|name| self.resources_of_catalog.get(name).is_none_or(|described| described.withpath != Some(false)));
        let source = name.as_ref().map_or_else(|| "Puppet".to_owned(), |name| self.source(name, None));
        self.push_log(level.name(), &source, &message, name.as_deref());
    }

    fn recorded(&mut self, reference: &ResourceRef, property: &Symbol, value: &Foreign) {
        let name = reference.to_string();
        let message = format!("audit change: newly-recorded value {}", self.redactor.reveal(value));
        let source = self.source(&name, Some(property));
        let before = self.logs.len();
        self.push_log("notice", &source, &message, Some(&name));
        // The line belongs to the property, so the property's name is added as a tag.
        let tags = self.logs.get_mut(before).and_then(|log| log.get_mut("tags")).and_then(Json::as_array_mut);
        tags.into_iter().for_each(|tags| tags.push(property.as_str().into()));
    }

    fn in_cycle(&mut self, reference: &ResourceRef) {
        self.push_status(reference, vec![resource_error("resource is part of a dependency cycle")], 0.0, None);
    }

    fn done(&mut self, outcome: &ResourceOutcome) {
        self.clock[2] = Some(process::now());
        let reference = &outcome.reference;
        let name = reference.to_string();
        let source = self.source(&name, None);
        let is_reported = |event: &&Event| event.property.is_some() || event.status != EventStatus::Noop;
        let mut events: Vec<Json> = outcome.events.iter().filter(is_reported).map(|event| self.event_json(event)).collect();
        if let Some(why) = &outcome.failure {
            let why = self.redactor.reveal(why);
            self.push_log("err", &source, &format!("Could not evaluate: {why}"), Some(&name));
            events.push(resource_error(&why));
        }
        if let ResourceStatus::Skipped(Skip::Dependencies(failed)) = &outcome.status {
            for one in failed.iter().filter(|one| self.named_failures.insert((*one).clone())).collect::<Vec<_>>() {
                self.push_log("notice", &source, &format!("Dependency {one} has failures: true"), Some(&name));
            }
            self.push_log("warning", &source, "Skipping because of failed dependencies", Some(&name));
        }
        let seconds = outcome.time.as_secs_f64();
        *self.times_by_type.entry(reference.type_name.to_string()).or_default() += seconds;
        self.push_status(reference, events, seconds, Some(outcome));
    }
}
