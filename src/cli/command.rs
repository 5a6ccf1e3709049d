//! Reference of the command line, generated from clap's definitions.

use clap::{Arg, Command};
use rtype_author::docs::Page;
use std::fmt::Write;

/// Returns the whole command line as one page of Markdown.
pub fn command_markdown(command: &Command) -> String {
    let mut out =
        String::from("# The command line\n\nThis page is made by `rtype doc --cli`, and a test compares it with the program.\n\n");
    // Writing to a `String` cannot fail, here and below.
    let _ = writeln!(out, "{}\n\n```text\n{}\n```\n", about(command), usage(command));
    let verbs: Vec<&Command> = command.get_subcommands().filter(is_documented).collect();
    out.push_str("| command | description |\n|---|---|\n");
    for verb in &verbs {
        let _ = writeln!(out, "| [`{0}`](#rtype-{0}) | {1} |", verb.get_name(), cell(&about(verb)));
    }
    out.push_str("\n## Global options\n\n");
    arguments(&mut out, command.get_arguments());
    for verb in verbs {
        let _ = writeln!(out, "## `rtype {}`\n\n{}.\n\n```text\n{}\n```\n", verb.get_name(), about(verb), usage(verb));
        arguments(&mut out, verb.get_arguments().filter(|a| !a.is_global_set()));
        for part in verb.get_subcommands().filter(is_documented) {
            let _ =
                writeln!(out, "### `rtype {} {}`\n\n{}.\n\n```text\n{}\n```\n", verb.get_name(), part.get_name(), about(part), usage(part));
            arguments(&mut out, part.get_arguments().filter(|a| !a.is_global_set()));
        }
        if let Some(more) = verb.get_after_help() {
            let _ = writeln!(out, "```text\n{}\n```\n", more.to_string().trim());
        }
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

/// Returns the pages for man(1): a page for the program, and a page for each command.
pub fn command_man(command: Command) -> Vec<Page> {
    let mut command = command.disable_help_subcommand(true);
    command.build();
    let name = command.get_name().to_owned();
    let mut pages = vec![man_page(command.clone(), &name)];
    for verb in command.get_subcommands().filter(is_documented) {
        pages.push(man_page(verb.clone(), &format!("{name}-{}", verb.get_name())));
    }
    pages
}

fn man_page(command: Command, name: &str) -> Page {
    let mut bytes = Vec::new();
    // Writing to a `Vec` cannot fail.
    let _ = clap_mangen::Man::new(command).title(name.to_uppercase()).render(&mut bytes);
    Page::new(format!("{name}.1"), String::from_utf8_lossy(&bytes).into_owned())
}

/// Returns whether rtype defines the command, unlike clap's `help`.
fn is_documented(command: &&Command) -> bool {
    !command.is_hide_set() && command.get_name() != "help"
}

fn about(command: &Command) -> String {
    command.get_about().map(ToString::to_string).unwrap_or_default()
}

fn usage(command: &Command) -> String {
    let text = command.clone().render_usage().to_string();
    text.trim_start_matches("Usage:").trim().to_owned()
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

fn arguments<'a>(out: &mut String, all: impl Iterator<Item = &'a Arg>) {
    let mut all = all.filter(|a| !a.is_hide_set() && !matches!(a.get_id().as_str(), "help" | "version")).peekable();
    if all.peek().is_none() {
        return;
    }
    out.push_str("| argument | meaning |\n|---|---|\n");
    for argument in all {
        let mut meaning = argument.get_help().map(ToString::to_string).unwrap_or_default();
        let values: Vec<String> = argument
            .get_possible_values()
            .iter()
            .filter(|v| !v.is_hide_set())
            .map(|v| match v.get_help() {
                Some(help) if !help.to_string().eq_ignore_ascii_case(v.get_name()) => {
                    format!("`{}` ({})", v.get_name(), within(&help.to_string()))
                }
                _ => format!("`{}`", v.get_name()),
            })
            .collect();
        if !values.is_empty() && argument.get_action().takes_values() {
            let _ = write!(meaning, ": {}", values.join(", "));
        }
        let defaults: Vec<String> = argument.get_default_values().iter().map(|v| format!("`{}`", v.to_string_lossy())).collect();
        if !defaults.is_empty() && argument.get_action().takes_values() {
            let _ = write!(meaning, "; {} unless given", defaults.join(", "));
        }
        let _ = writeln!(out, "| `{}` | {} |", cell(&name(argument)), cell(&meaning));
    }
    out.push('\n');
}

/// `-f, --format FORMAT`, `PATH…`
fn name(argument: &Arg) -> String {
    let values = argument.get_value_names().unwrap_or_default().join(" ");
    let takes = argument.get_action().takes_values();
    let many = argument.get_num_args().is_some_and(|n| n.max_values() > 1);
    let options: Vec<String> =
        argument.get_short().map(|s| format!("-{s}")).into_iter().chain(argument.get_long().map(|l| format!("--{l}"))).collect();
    match (options.is_empty(), takes) {
        (true, _) => format!("{values}{}", if many { "…" } else { "" }),
        (false, true) => format!("{} {values}", options.join(", ")),
        (false, false) => options.join(", "),
    }
}

/// Lower-cases the start of a sentence that becomes part of another sentence; capitalized names stay.
fn within(sentence: &str) -> String {
    let mut letters = sentence.chars();
    match (letters.next(), sentence.chars().nth(1)) {
        (Some(first), Some(second)) if second.is_lowercase() => first.to_lowercase().chain(letters).collect(),
        _ => sentence.to_owned(),
    }
}
