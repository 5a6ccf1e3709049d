//! Schedules: decide if a resource may be managed at the time of the run.
//!
//! Follows Puppet's `Puppet::Type::Schedule` and the default schedules in `Puppet::Transaction::AdditionalResourceGenerator`.

use super::Run;
use jiff::{SignedDuration, Zoned, civil::Time};
use rtype_lang::diagnostics::{Code, Diagnostic};
use rtype_lang::value::Value;
use rtype_model::resource::{Catalog, Instance};

/// Name of both the metaparameter and the type.
const SCHEDULE: &str = "schedule";

/// The times at which resources may be managed.
#[derive(Debug, Default)]
struct Schedule {
    period: Option<Period>,
    /// Maximum number of times per period.
    repeat: i64,
    /// True for calendar periods, false for distances.
    by_clock: bool,
    ranges: Vec<(Time, Time)>,
    weekdays: Vec<i64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Period {
    Hourly,
    Daily,
    Weekly,
    Monthly,
    Never,
}

impl Period {
    fn named(name: &str) -> Option<Period> {
        Some(match name {
            "hourly" => Period::Hourly,
            "daily" => Period::Daily,
            "weekly" => Period::Weekly,
            "monthly" => Period::Monthly,
            "never" => Period::Never,
            _ => return None,
        })
    }

    fn seconds(self) -> i64 {
        match self {
            Period::Hourly => 3600,
            Period::Daily => 24 * 3600,
            Period::Weekly => 7 * 24 * 3600,
            Period::Monthly => 30 * 24 * 3600,
            Period::Never => i64::MAX,
        }
    }

    /// Returns true if two times are in the same calendar period.
    fn same(self, one: &Zoned, other: &Zoned) -> bool {
        match self {
            Period::Hourly => one.date() == other.date() && one.hour() == other.hour(),
            Period::Daily => one.date() == other.date(),
            Period::Weekly => one.date().iso_week_date().week() == other.date().iso_week_date().week() && one.year() == other.year(),
            Period::Monthly => one.year() == other.year() && one.month() == other.month(),
            Period::Never => true,
        }
    }
}

impl Schedule {
    /// Returns a predefined schedule: named like the period, or `puppet`.
    fn standard(name: &str) -> Option<Schedule> {
        let (period, repeat) = if name == "puppet" { (Period::Hourly, 2) } else { (Period::named(name)?, 1) };
        Some(Schedule { period: Some(period), repeat, ..Schedule::default() })
    }

    fn of(instance: &Instance) -> Schedule {
        let numbers = |value: &Value| -> Vec<i64> {
            match value {
                Value::Array(parts) => parts.iter().filter_map(|v| if let Value::Int(n) = v { Some(*n) } else { None }).collect(),
                _ => Vec::new(),
            }
        };
        let time = |value: &Value| -> Option<Time> {
            let parts = numbers(value);
            let part = |i: usize| parts.get(i).and_then(|n| i8::try_from(*n).ok());
            Time::new(part(0)?, part(1)?, part(2)?, 0).ok()
        };
        let range = |value: &Value| match value {
            Value::Array(ends) => Some((time(ends.first()?)?, time(ends.get(1)?)?)),
            _ => None,
        };
        let ranges = match instance.get("range").unwrapped() {
            Value::Array(ranges) => ranges.iter().filter_map(range).collect(),
            _ => Vec::new(),
        };
        let weekdays = match instance.get("weekday").unwrapped() {
            Value::Map(days) => days.keys().filter_map(|day| if let Value::Int(n) = day { Some(*n) } else { None }).collect(),
            _ => Vec::new(),
        };
        Schedule {
            period: instance.get("period").as_text().and_then(Period::named),
            repeat: if let Value::Int(n) = instance.get("repeat") { n } else { 1 },
            by_clock: instance.get("periodmatch").as_text() == Some("number"),
            ranges,
            weekdays,
        }
    }

    /// Returns true if resources may be managed at `now`; `last` is the time of the resource's last check.
    fn allows(&self, now: &Zoned, last: Option<&Zoned>) -> bool {
        if !self.ranges.is_empty() && !self.ranges.iter().any(|(from, to)| self.is_within(now, *from, *to)) {
            return false;
        }
        if self.ranges.is_empty() && !self.is_day(now) {
            return false;
        }
        match (self.period, last) {
            (Some(Period::Never), _) => false,
            (Some(period), Some(last)) if self.by_clock => !period.same(now, last),
            (Some(period), Some(last)) => {
                let since = now.timestamp().as_second().saturating_sub(last.timestamp().as_second());
                since >= period.seconds() / self.repeat.max(1)
            }
            _ => true,
        }
    }

    fn is_day(&self, day: &Zoned) -> bool {
        self.weekdays.is_empty() || self.weekdays.contains(&i64::from(day.weekday().to_sunday_zero_offset()))
    }

    /// A range that extends past midnight belongs to the day on which it begins.
    fn is_within(&self, now: &Zoned, from: Time, to: Time) -> bool {
        let time = now.time();
        if from <= to {
            return (from..=to).contains(&time) && self.is_day(now);
        }
        let yesterday = now.checked_sub(SignedDuration::from_hours(24)).unwrap_or_else(|_| now.clone());
        (time >= from && self.is_day(now)) || (time <= to && self.is_day(&yesterday))
    }
}

/// Returns an error for each resource with an unknown schedule.
pub(super) fn unknown(catalog: &Catalog) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for instance in catalog.iter() {
        let named = instance.get(SCHEDULE);
        let Some(name) = named.unwrapped().as_text() else { continue };
        if catalog.get(SCHEDULE, name).is_none() && Schedule::standard(name).is_none() {
            let slot = instance.type_def.id_of(SCHEDULE).and_then(|id| instance.slot(id));
            let message = format!("{}: unknown schedule `{name}`", instance.label());
            found.push(
                Diagnostic::new(Code::UnknownReference, slot.map_or(instance.span, |s| s.span), message)
                    .help("declare it; `hourly`, `daily`, `weekly`, `monthly`, `never` and `puppet` are there without that"),
            );
        }
    }
    found
}

impl Run<'_> {
    /// Returns true if the resource's schedule includes the time of the run.
    pub(super) fn is_scheduled(&self, instance: &Instance) -> bool {
        let named = self.catalog.inherited(instance, SCHEDULE);
        let Some(name) = named.unwrapped().as_text() else { return true };
        let declared = self.catalog.get(SCHEDULE, name).map(|i| Schedule::of(i));
        let Some(schedule) = declared.or_else(|| Schedule::standard(name)) else { return true };
        let zone = self.options.now.time_zone().clone();
        let last = self.state.last_checked(&instance.label()).map(|at| at.to_zoned(zone));
        schedule.allows(&self.options.now, last.as_ref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Zoned {
        format!("{text}[UTC]").parse().unwrap()
    }

    fn time(text: &str) -> Time {
        text.parse().unwrap()
    }

    // 2026-11-22 is a Sunday.

    #[test]
    fn a_period_is_a_distance_that_can_be_divided() {
        let daily = Schedule { period: Some(Period::Daily), repeat: 2, ..Schedule::default() };
        let last = at("2026-11-22T08:00:00+00:00");
        assert!(!daily.allows(&at("2026-11-22T19:59:59+00:00"), Some(&last)));
        assert!(daily.allows(&at("2026-11-22T20:00:00+00:00"), Some(&last)));
        assert!(daily.allows(&last, None));
    }

    #[test]
    fn by_the_clock_a_new_hour_is_a_new_period() {
        let hourly = Schedule { period: Some(Period::Hourly), repeat: 1, by_clock: true, ..Schedule::default() };
        let last = at("2026-11-22T08:59:00+00:00");
        assert!(hourly.allows(&at("2026-11-22T09:00:00+00:00"), Some(&last)));
        assert!(!hourly.allows(&at("2026-11-22T08:59:59+00:00"), Some(&last)));
    }

    #[test]
    fn periods_have_a_length_and_a_beginning() {
        let all = [Period::Hourly, Period::Daily, Period::Weekly, Period::Monthly];
        assert_eq!(all.map(Period::seconds), [3_600, 86_400, 604_800, 2_592_000]);
        let same = |one: &str, other: &str| all.map(|period| period.same(&at(one), &at(other)));
        assert_eq!(same("2026-11-21T08:00:00+00:00", "2026-11-21T08:59:59+00:00"), [true; 4]);
        assert_eq!(same("2026-11-21T08:00:00+00:00", "2026-11-22T08:00:00+00:00"), [false, false, true, true]);
        // A week ends with its Sunday.
        assert_eq!(same("2026-11-22T08:00:00+00:00", "2026-11-23T08:00:00+00:00"), [false, false, false, true]);
        assert_eq!(same("2026-11-30T08:00:00+00:00", "2026-12-01T08:00:00+00:00"), [false, false, true, false]);
        // The same month and the same week in another year.
        assert_eq!(same("2026-11-20T08:00:00+00:00", "2025-11-20T08:00:00+00:00"), [false; 4]);
    }

    #[test]
    fn a_range_beyond_midnight_belongs_to_the_day_on_which_it_begins() {
        let saturday_night =
            Schedule { ranges: vec![(time("22:00:00"), time("04:00:00"))], weekdays: vec![6], repeat: 1, ..Schedule::default() };
        assert!(saturday_night.allows(&at("2026-11-22T03:00:00+00:00"), None));
        assert!(!saturday_night.allows(&at("2026-11-22T23:00:00+00:00"), None));
        assert!(saturday_night.allows(&at("2026-11-21T23:00:00+00:00"), None));
        assert!(!saturday_night.allows(&at("2026-11-21T12:00:00+00:00"), None));
    }

    #[test]
    fn never_is_never_and_some_schedules_need_no_declaration() {
        assert!(!Schedule::standard("never").unwrap().allows(&at("2026-11-22T03:00:00+00:00"), None));
        assert_eq!(Schedule::standard("puppet").unwrap().repeat, 2);
        assert!(Schedule::standard("sometimes").is_none());
    }
}
