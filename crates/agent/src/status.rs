//! The last run's status: a file for people and programs, and metrics in Prometheus' text format.

use crate::error::AgentError;
use crate::store::OwnFiles;
use rtype_engine::apply::Counts;
use rtype_lang::diagnostics::printable_json;
use rtype_system::{Access, Tree};
use serde::Serialize;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The outcome of an agent run.
#[derive(Clone, Debug, Default, Serialize)]
pub struct RunStatus {
    /// `changed`, `unchanged` or `failed`, as in reports.
    pub status: &'static str,
    /// The start time of the run.
    pub time: jiff::Timestamp,
    /// The duration in seconds.
    pub seconds: f64,
    /// True if the run was in noop mode.
    pub noop: bool,
    /// The environment.
    pub environment: String,
    /// The catalog version, as named by the server.
    pub configuration_version: String,
    /// True if the run used the cached catalog from an earlier run.
    pub cached_catalog: bool,
    /// The reason why the catalog was not applied.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Resources and changes.
    pub counts: Counts,
}

/// The files that describe the last run.
#[derive(Debug)]
pub struct Statuses {
    store: OwnFiles,
    metrics: Option<PathBuf>,
}

impl Statuses {
    /// Uses the agent's directory below the state directory, and a file for metrics.
    pub fn new(state: &Path, metrics: Option<&Path>) -> Statuses {
        Statuses { store: OwnFiles::new(&state.join("agent")), metrics: metrics.map(Path::to_owned) }
    }

    /// Writes the status file and the metrics.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn save(&self, status: &RunStatus) -> Result<(), AgentError> {
        let text = format!("{}\n", printable_json(&serde_json::to_string_pretty(status).unwrap_or_default()));
        self.store.clear("status.json".as_ref());
        self.store.write("status.json".as_ref(), text.as_bytes(), 0o644)?;
        let Some(path) = &self.metrics else { return Ok(()) };
        let (Some(directory), Some(file)) = (path.parent(), path.file_name()) else { return Ok(()) };
        make_readable(directory).map_err(|e| AgentError::file(directory, &e))?;
        OwnFiles::new(directory).write(file.as_ref(), metrics(status).as_bytes(), 0o644)
    }
}

/// Creates a directory and the missing parents, readable for all users, because another program reads the metrics.
fn make_readable(directory: &Path) -> std::io::Result<()> {
    let tree = Tree::at("/");
    let mut missing = Vec::new();
    for path in directory.ancestors() {
        if tree.look(path, true)?.is_some() {
            break;
        }
        missing.push(path);
    }
    let access = Access { owner: None, group: None, mode: Some(0o755) };
    missing.into_iter().rev().try_for_each(|path| tree.make_directory(path, access))
}

/// Returns the metrics of a run.
fn metrics(status: &RunStatus) -> String {
    let RunStatus { counts, .. } = status;
    let mut out = String::new();
    let mut gauge = |name: &str, help: &str, values: &[(&str, f64)]| {
        // Writing to a `String` cannot fail.
        let _ = writeln!(out, "# HELP rtype_agent_{name} {help}\n# TYPE rtype_agent_{name} gauge");
        for (label, value) in values {
            let _ = writeln!(out, "rtype_agent_{name}{label} {value}");
        }
    };
    let flag = |yes: bool| if yes { 1.0 } else { 0.0 };
    gauge("last_run_timestamp_seconds", "When the last run began.", &[("", status.time.as_second() as f64)]);
    gauge("last_run_duration_seconds", "How long the last run took.", &[("", status.seconds)]);
    gauge("last_run_success", "Whether the last run had no failure.", &[("", flag(status.status != "failed"))]);
    gauge("cached_catalog", "Whether the last run used a catalog of an earlier one.", &[("", flag(status.cached_catalog))]);
    let resources = [
        ("{state=\"total\"}", counts.total as f64),
        ("{state=\"changed\"}", counts.changed as f64),
        ("{state=\"failed\"}", counts.failed as f64),
        ("{state=\"skipped\"}", counts.skipped as f64),
        ("{state=\"out_of_sync\"}", (counts.changed + counts.would_change + counts.failed) as f64),
    ];
    gauge("resources", "Resources of the last run by state; one may have several.", &resources);
    gauge("changes", "Changes of properties in the last run.", &[("", counts.changes as f64)]);
    gauge("corrective_changes", "Changes that reverted external changes.", &[("", counts.corrective as f64)]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_of_metrics_can_be_read_by_others() {
        use std::os::unix::fs::PermissionsExt;
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("a/b/rtype.prom");
        Statuses::new(&root.path().join("state"), Some(&path)).save(&RunStatus::default()).unwrap();
        for (file, mode) in [("a", 0o755), ("a/b", 0o755), ("a/b/rtype.prom", 0o644)] {
            assert_eq!(std::fs::metadata(root.path().join(file)).unwrap().permissions().mode() & 0o777, mode, "{file}");
        }
    }

    #[test]
    fn metrics_name_each_gauge_once() {
        let counts = Counts { total: 4, would_change: 1, changed: 1, failed: 1, ..Counts::default() };
        let text = metrics(&RunStatus { status: "changed", seconds: 0.5, counts, ..RunStatus::default() });
        assert!(text.contains("\nrtype_agent_resources{state=\"out_of_sync\"} 3\n"), "{text}");
        let types: Vec<&str> = text.lines().filter(|line| line.starts_with("# TYPE")).collect();
        assert_eq!(types.len(), text.matches("# HELP").count());
        assert!(text.lines().all(|line| line.starts_with('#') || line.rsplit(' ').next().is_some_and(|v| v.parse::<f64>().is_ok())));
    }
}
