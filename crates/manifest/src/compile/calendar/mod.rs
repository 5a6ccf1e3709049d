//! Formats of points in time and durations.

pub mod strftime;
pub mod strptime;
pub mod timespan;
