//! The text of a crontab, as Puppet's cron module takes it apart.
//!
//! Follows `provider/cron/crontab.rb` of puppetlabs-cron_core 1.1.0 and `util/fileparsing.rb` of Puppet 7.23: which
//! lines are comments, environment settings or jobs, and which settings belong to which job.

use std::collections::HashSet;

/// When a job runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum When<'a> {
    /// `@daily`, without the sign.
    Special(&'a str),
    /// Minute, hour, day of the month, month, weekday; as written, `*` for any.
    Fields([&'a str; 5]),
}

/// A job of a crontab.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Job<'a> {
    /// The name that a `# Puppet Name: …` comment above it gives.
    pub(super) name: Option<&'a str>,
    /// Whether a later job has the same name. Resources with that name manage the later job.
    pub(super) is_superseded: bool,
    /// Its times.
    pub(super) when: When<'a>,
    /// What is run, to the end of the line, blanks at the end included.
    pub(super) command: &'a str,
    /// The settings between its name and the job, as written.
    pub(super) environment: Vec<&'a str>,
    /// The line with its name, from 0.
    pub(super) name_at: Option<usize>,
    /// The lines with its settings.
    pub(super) environment_at: Vec<usize>,
    /// Its own line.
    pub(super) at: usize,
}

impl Job<'_> {
    /// Returns whether the job has no name, or a later job has the same name.
    pub(super) fn is_unmanaged(&self) -> bool {
        self.name.is_none() || self.is_superseded
    }
}

/// A line that is not valid in a crontab.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BadLine {
    /// Its number, from 1.
    pub(super) number: usize,
}

/// Returns whether cron(8) skips the character before and between words. A carriage return is a letter to it.
fn blank(c: char) -> bool {
    matches!(c, ' ' | '\t')
}

/// Splits off the first word of a line; returns it and the text after the following blanks. `None` if the line has
/// only one word.
fn word(line: &str) -> Option<(&str, &str)> {
    let (word, rest) = line.split_once(blank)?;
    let rest = rest.trim_start_matches(blank);
    (!rest.is_empty()).then_some((word, rest))
}

/// A `NAME = value` line; the name is letters, digits and underscores.
fn is_setting(line: &str) -> bool {
    let Some((name, _)) = line.split_once('=') else {
        return false;
    };
    let name = name.trim_end_matches(blank);
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Times and command of a job line without blanks before it.
fn job(line: &str) -> Option<(When<'_>, &str)> {
    let (first, rest) = word(line)?;
    if let Some(special) = first.strip_prefix('@')
        && !special.is_empty()
        && special.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    {
        return Some((When::Special(special), rest));
    }
    let (second, rest) = word(rest)?;
    let (third, rest) = word(rest)?;
    let (fourth, rest) = word(rest)?;
    let (fifth, rest) = word(rest)?;
    Some((When::Fields([first, second, third, fourth, fifth]), rest))
}

/// Returns the jobs of a crontab in order.
///
/// Settings belong to a job if they are between its name and the job. As in Puppet, if a named job has no settings,
/// those that follow it belong to the next job.
///
/// # Errors
/// The first line that is not blank, a comment, a setting or a job.
pub(super) fn jobs(text: &str) -> Result<Vec<Job<'_>>, BadLine> {
    let mut jobs = Vec::new();
    let mut name = None;
    // Some while settings are collected for a job.
    let mut settings: Option<Vec<(usize, &str)>> = None;
    for (index, line) in text.split('\n').enumerate() {
        let start = line.trim_start_matches(blank);
        if start.is_empty() {
            continue;
        }
        if start.starts_with('#') {
            // cron ignores comments, so a carriage return at the end does not matter.
            let comment = line.strip_suffix('\r').unwrap_or(line);
            if let Some((_, given)) = comment.split_once("Puppet Name: ").filter(|(_, given)| !given.is_empty()) {
                name = Some((index, given));
                settings = Some(Vec::new());
            }
        } else if is_setting(start) {
            if let Some(settings) = &mut settings {
                settings.push((index, line));
            }
        } else {
            let (when, command) = job(start).ok_or(BadLine { number: index + 1 })?;
            let collected = match &mut settings {
                Some(collected) if !collected.is_empty() => settings.take().unwrap_or_default(),
                _ => Vec::new(),
            };
            let (environment_at, environment) = collected.into_iter().unzip();
            let (name_at, name) = name.take().unzip();
            jobs.push(Job { name, is_superseded: false, when, command, environment, name_at, environment_at, at: index });
        }
    }
    let mut names = HashSet::new();
    for job in jobs.iter_mut().rev() {
        job.is_superseded = job.name.is_some_and(|name| !names.insert(name));
    }
    Ok(jobs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_between_name_and_job_belong_to_the_job() {
        let found = jobs("MAILTO=x\n# Puppet Name: a\nPATH = /bin\n FOO=\"1 2\"\n0 2,4 * * 1-5 /bin/x  y \n").unwrap();
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].name, Some("a"));
        assert_eq!(found[0].environment, ["PATH = /bin", " FOO=\"1 2\""]);
        assert_eq!(found[0].when, When::Fields(["0", "2,4", "*", "*", "1-5"]));
        assert_eq!(found[0].command, "/bin/x  y ");
    }

    #[test]
    fn settings_after_a_named_job_without_settings_go_to_the_next_job() {
        let found = jobs("# Puppet Name: a\n@daily /bin/a\nLATE=1\n@reboot\t/bin/b\n").unwrap();
        assert_eq!((found[0].name, found[1].name), (Some("a"), None));
        assert!(found[0].environment.is_empty());
        assert_eq!(found[1].environment, ["LATE=1"]);
        assert_eq!(found[1].when, When::Special("reboot"));
    }

    #[test]
    fn only_the_last_job_with_a_name_is_managed() {
        let found = jobs("# Puppet Name: a\n@daily x\n# Puppet Name: b\n@daily y\n# Puppet Name: a\n@daily z\n@daily w\n").unwrap();
        assert_eq!(found.iter().map(Job::is_unmanaged).collect::<Vec<_>>(), [true, false, false, true]);
    }

    #[test]
    fn names_keep_blanks_and_empty_names_are_ignored() {
        let found = jobs("# Puppet Name: größe \n* * * * * a\n# Puppet Name: \n* * * * * b\n").unwrap();
        assert_eq!((found[0].name, found[1].name), (Some("größe "), None));
    }

    #[test]
    fn invalid_job_is_reported_with_its_line_number() {
        for text in ["# x\nnonsense", "\n* * * * cmd", "\n@daily", "\n* * * * *   "] {
            assert_eq!(jobs(text).unwrap_err().number, 2, "{text}");
        }
    }

    #[test]
    fn a_carriage_return_is_a_letter_except_in_comments() {
        let found = jobs("# Puppet Name: x\r\n* * * * * a\r\n").unwrap();
        assert_eq!((found[0].name, found[0].command), (Some("x"), "a\r"));
        assert_eq!(jobs("@daily a\n\r\n").unwrap_err().number, 2);
    }
}
