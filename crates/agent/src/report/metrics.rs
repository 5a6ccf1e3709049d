//! The metrics of a report.
//!
//! Follows Puppet 7.23's `lib/puppet/transaction/report.rb` and `lib/puppet/util/metric.rb`.

use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::time::Duration;

/// Counts of resources, changes and events.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    pub total: usize,
    pub skipped: usize,
    pub failed: usize,
    pub failed_to_restart: usize,
    pub restarted: usize,
    pub changed: usize,
    pub out_of_sync: usize,
    pub corrective: usize,
    pub changes: usize,
    pub events: EventTally,
}

/// Counts of events.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct EventTally {
    pub total: usize,
    failure: usize,
    success: usize,
    noop: usize,
    audit: usize,
}

impl EventTally {
    /// Returns the counts by status.
    pub fn by_status(&mut self) -> [(&mut usize, &'static str); 4] {
        [(&mut self.failure, "failure"), (&mut self.success, "success"), (&mut self.noop, "noop"), (&mut self.audit, "audit")]
    }
}

/// Values with their names.
type Values = Vec<(String, f64)>;

impl Tally {
    /// Returns the metric `resources`.
    pub fn resources(&self) -> Values {
        named(&[
            ("total", self.total),
            ("skipped", self.skipped),
            ("failed", self.failed),
            ("failed_to_restart", self.failed_to_restart),
            ("restarted", self.restarted),
            ("changed", self.changed),
            ("out_of_sync", self.out_of_sync),
            ("scheduled", 0),
            ("corrective_change", self.corrective),
        ])
    }

    /// Returns the metric `events`. Like Puppet, leaves out the last two counts if they are zero.
    pub fn events(&self) -> Values {
        let EventTally { total, failure, success, noop, audit } = self.events;
        let mut values = named(&[("total", total), ("failure", failure), ("success", success)]);
        values.extend(named(&[("noop", noop), ("audit", audit)]).into_iter().filter(|(_, count)| *count > 0.0));
        values
    }
}

fn named(counts: &[(&str, usize)]) -> Values {
    counts.iter().map(|(name, count)| ((*name).to_owned(), *count as f64)).collect()
}

/// Returns the metric `time`.
pub(super) fn times(types: &BTreeMap<String, f64>, steps: &BTreeMap<&'static str, f64>, total: Duration) -> Values {
    let mut values: Values = types.iter().map(|(name, time)| (name.clone(), *time)).collect();
    values.extend(steps.iter().map(|(name, time)| ((*name).to_owned(), *time)));
    values.push(("total".to_owned(), total.as_secs_f64()));
    values
}

/// Returns a metric with labels.
pub(super) fn metric(name: &str, values: Values) -> (String, Json) {
    let label = |name: &str| super::capitalized(&name.replace('_', " "));
    let values: Vec<Json> = values.into_iter().map(|(name, value)| json!([name, label(&name), value])).collect();
    (name.to_owned(), json!({"name": name, "label": label(name), "values": values}))
}
