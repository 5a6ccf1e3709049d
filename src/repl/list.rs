//! `:list TYPE [PATTERN]` and `User`: the resources of a type on this machine, as a table.

use super::answer::Answer;
use super::backend::ReplSession;
use super::commands::Arguments;
use rtype_engine::{Listed, instance, instances};
use rtype_lang::diagnostics::{Code, Diagnostic, Paint, clipped, columns, did_you_mean, padded, printable};
use rtype_lang::redact::Redactor;
use rtype_lang::source::Span;
use rtype_lang::types::TypeDef;
use rtype_lang::value::{ResourceRef, Value};
use rtype_model::manifest::PrintedResource;
use rtype_model::resource::one_line;
use std::sync::Arc;

/// The maximum width of a value in columns.
const CELL: usize = 24;

/// The maximum width of a title in columns.
const TITLE: usize = 40;

/// Runs `:list TYPE [PATTERN]`.
pub(super) fn command(session: &mut ReplSession, arguments: &Arguments<'_>, answer: &mut Answer) {
    let (name, pattern) = arguments.text.split_once(char::is_whitespace).unwrap_or((arguments.text, ""));
    let span = Span::new(arguments.at, arguments.at + name.len() as u32);
    run(session, &name.to_lowercase(), Some(pattern.trim()).filter(|pattern| !pattern.is_empty()), span, answer);
}

/// Lists the resources of a type with titles that match a pattern.
pub(super) fn run(session: &mut ReplSession, name: &str, pattern: Option<&str>, span: Span, answer: &mut Answer) {
    let Some((type_def, listed)) = session.listed(name, span, answer) else { return };
    let total = listed.resources.len();
    let matching: Vec<PrintedResource> =
        listed.resources.into_iter().filter(|r| pattern.is_none_or(|pattern| matches(&r.title, pattern))).collect();
    if !matching.is_empty() {
        let redactor = session.machine.system().redactor();
        answer.say(redactor.redact(&table(&type_def, &matching, redactor, session.look.width, session.look.colors)));
    }
    let plural = if total == 1 { "" } else { "s" };
    answer.say(match pattern {
        Some(pattern) => format!("{} of {total} `{name}` resource{plural} match `{pattern}`", matching.len()),
        None => format!("{total} `{name}` resource{plural}"),
    });
}

impl ReplSession {
    /// Returns the resources of a type on this machine, and reports errors.
    fn listed(&mut self, name: &str, span: Span, answer: &mut Answer) -> Option<(Arc<TypeDef>, Listed)> {
        let type_def = self.known_type(name, span, answer)?;
        let mut listed = instances(&type_def, &self.natives, &self.machine);
        let failed = listed.diagnostics.iter().any(Diagnostic::is_error);
        answer.report(listed.diagnostics.drain(..));
        // After an error, an empty list would mean that no resource exists.
        (!failed || !listed.resources.is_empty()).then_some((type_def, listed))
    }

    /// Returns the current value of an attribute on this machine. If the value cannot be read, reports the reason and returns `None`.
    pub(super) fn on_machine(&mut self, resource: &ResourceRef, attribute: &str, span: Span, answer: &mut Answer) -> Option<Value> {
        let Some(type_def) = self.types.load(resource.type_name.as_str()) else {
            answer.report([self.types.unknown_type(resource.type_name.as_str(), span)]);
            return None;
        };
        if type_def.attribute_named(attribute).is_none() {
            let near = did_you_mean(attribute, type_def.attributes.iter().map(|a| a.name.as_str()));
            let message = format!("type `{}` has no attribute `{attribute}`", type_def.name);
            answer.report([Diagnostic::new(Code::UnknownName, span, message).maybe_help(near)]);
            return None;
        }
        let listed = instance(&type_def, &resource.title, &self.natives, &self.machine);
        answer.report(listed.diagnostics);
        let mut found = listed.resources.into_iter().next()?.attributes.into_iter();
        Some(found.find(|(name, _)| name == attribute).map_or(Value::sym("absent"), |(_, value)| value))
    }
}

/// Returns whether a title contains a pattern, ignoring case. `*` and `?` match any characters; a pattern with `*` or `?` must match the
/// whole title.
fn matches(title: &str, pattern: &str) -> bool {
    let (title, pattern) = (title.to_lowercase(), pattern.to_lowercase());
    if !pattern.contains(['*', '?']) {
        return title.contains(&pattern);
    }
    let regex = regex::escape(&pattern).replace("\\*", ".*").replace("\\?", ".");
    regex::Regex::new(&format!("(?s)^{regex}$")).is_ok_and(|regex| regex.is_match(&title))
}

/// Formats resources as a table with at most `width` columns: the title, then as many attributes as fit.
fn table(type_def: &TypeDef, resources: &[PrintedResource], redactor: &Redactor, width: usize, colors: bool) -> String {
    let is_shown = |value: &Value| !value.is_nil() && !value.is_absent();
    let given = |name: &str| resources.iter().any(|r| r.attributes.iter().any(|(n, value)| n == name && is_shown(value)));
    let all: Vec<&str> = type_def.properties().filter(|a| !a.sensitive).map(|a| a.name.as_str()).filter(|name| given(name)).collect();
    let cell = |resource: &PrintedResource, name: &str| {
        let value = resource.attributes.iter().find(|(n, _)| n == name).map(|(_, value)| value).filter(|value| is_shown(value));
        // Redact before clipping: a clipped secret would not be recognized.
        clipped(&printable(&redactor.redact(&value.map(one_line).unwrap_or_default())), CELL)
    };
    let title = |r: &PrintedResource| clipped(&printable(&redactor.redact(&r.title)), TITLE.min(width.saturating_sub(4)));
    let mut table: Vec<Vec<String>> = resources.iter().map(|r| vec![title(r)]).collect();
    let mut head = vec!["title"];
    let widest = |cells: &mut dyn Iterator<Item = &str>| cells.map(columns).max().unwrap_or_default();
    let mut widths = vec![widest(&mut table.iter().filter_map(|row| row.first()).map(String::as_str).chain(["title"]))];
    let mut left_out = Vec::new();
    for name in all {
        let cells: Vec<String> = resources.iter().map(|r| cell(r, name)).collect();
        let wanted = widest(&mut cells.iter().map(String::as_str).chain([name]));
        if 2 + widths.iter().map(|w| w + 2).sum::<usize>() + wanted > width {
            left_out.push(name);
            continue;
        }
        head.push(name);
        widths.push(wanted);
        table.iter_mut().zip(cells).for_each(|(row, cell)| row.push(cell));
    }
    let line = |cells: &mut dyn Iterator<Item = &str>| {
        let cells: Vec<String> = cells.zip(&widths).map(|(cell, width)| padded(cell, *width)).collect();
        format!("  {}", cells.join("  ")).trim_end().to_owned()
    };
    let mut out = format!("{}\n", Paint::Heading.text(&line(&mut head.iter().copied()), colors));
    for row in &table {
        out.push_str(&format!("{}\n", line(&mut row.iter().map(String::as_str))));
    }
    if !left_out.is_empty() {
        let label = format!("  not shown: {}", left_out.join(", "));
        out.push_str(&format!("{}\n", clipped(&label, width)));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_without_wildcards_match_parts_of_titles() {
        for (pattern, matching) in [("ss", true), ("SSH", true), ("ssh*", true), ("*d", true), ("s?hd", true), ("h", true), ("ssh?", true)]
        {
            assert_eq!(matches("sshd", pattern), matching, "{pattern}");
        }
        for pattern in ["ssh", "a.c", "*sshd.", "?"] {
            assert_eq!(matches("sshd", pattern), pattern == "ssh", "{pattern}");
        }
    }

    #[test]
    fn tables_fit_the_terminal_and_name_omitted_attributes() {
        let mut session = ReplSession::for_tests();
        for width in [60, 80, 120, 200] {
            session.look.width = width;
            let shown = session.run("Host").plain();
            assert!(shown.lines().all(|line| columns(line) <= width), "{width}:\n{shown}");
            assert!(shown.contains("web1.example.com"), "{shown}");
        }
        session.look.width = 60;
        insta::assert_snapshot!(session.run(":list host *1*").plain());
    }
}
