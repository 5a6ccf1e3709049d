//! The commands of the REPL.

use super::answer::Answer;
use super::backend::ReplSession;
use crate::app::cursor::Takes;
use rtype_author::check::{explain_as_text, suggested_code};
use rtype_author::docs::{self, Sections};
use rtype_engine::report;
use rtype_lang::diagnostics::{Code, Help, did_you_mean, nearest, suggest_nearest};
use rtype_lang::source::Span;
use rtype_lang::types::builtin::Function;
use rtype_lang::value::{ResourceRef, Value};

/// A command.
#[derive(Debug)]
pub struct ReplCommand {
    /// The name without the colon.
    pub name: &'static str,
    /// The arguments.
    pub arguments: &'static str,
    /// A one-line description.
    pub summary: &'static str,
    /// A longer description.
    pub help: &'static str,
    pub(super) takes: Takes,
}

/// All commands, in the order of `:help`.
pub const COMMANDS: &[ReplCommand] = &[
    ReplCommand {
        name: "help",
        arguments: "[COMMAND]",
        summary: "these lines, or more about one command",
        help: "",
        takes: Takes::Command,
    },
    ReplCommand { name: "types", arguments: "", summary: "all types, a line each", help: "", takes: Takes::Nothing },
    ReplCommand {
        name: "describe",
        arguments: "TYPE…",
        summary: "the attributes and providers of a type",
        help: "As `rtype describe TYPE`; `--short`, `--providers` and `--meta` do the same here.",
        takes: Takes::Type,
    },
    ReplCommand {
        name: "list",
        arguments: "TYPE [PATTERN]",
        summary: "the resources of a type on this machine, as a table",
        help: "`User` does the same as `:list user`. A pattern selects the titles that contain it; `*` and `?` match any characters:\n  \
               :list package lib*",
        takes: Takes::TypeAndTitle,
    },
    ReplCommand {
        name: "load",
        arguments: "FILE",
        summary: "load types (.rtype) or resources (.pp, .json, .yaml)",
        help: "A type that is loaded again takes the place of the older one, and its resources are built anew.\n\
               A directory loads all such files in it.",
        takes: Takes::File,
    },
    ReplCommand {
        name: "reload",
        arguments: "",
        summary: "read all loaded files again, after they have been edited",
        help: "Types from `--types` directories are read again, too. A type whose file has errors now stays as it was.",
        takes: Takes::Nothing,
    },
    ReplCommand {
        name: "edit",
        arguments: "[TYPE | FILE]",
        summary: "open the last input, or a loaded type or file, in an editor",
        help: "The editor is `$VISUAL`, `$EDITOR` or vi. What has changed is entered, or loaded again.",
        takes: Takes::Type,
    },
    ReplCommand {
        name: "resources",
        arguments: "[TYPE | Type[title]]",
        summary: "the status of declared resources, and defaults of types; one resource as a table",
        help: "",
        takes: Takes::TypeOrResource,
    },
    ReplCommand {
        name: "is",
        arguments: "[Type[title]] {…}",
        summary: "pretend a current state instead of reading the machine",
        help: "  :is User[bob] { ensure: present, uid: 1001, groups: [\"adm\"] }\n  \
               :is { ensure => absent }          of the last resource, in Puppet's notation\n  \
               :is User[bob] off                 the machine counts again\n\
               Properties that are not named are absent, but `ensure`; `:is {}`: it does not exist.",
        takes: Takes::State,
    },
    ReplCommand {
        name: "providers",
        arguments: "TYPE [--why]",
        summary: "which providers work here; with --why, everything about them",
        help: "",
        takes: Takes::TypeAndWhy,
    },
    ReplCommand {
        name: "facts",
        arguments: "[NAME]",
        summary: "the facts of this machine; with a name, those of a structure",
        help: "  :facts os.release\nBlocks and `confine` read the same facts: `fact(\"os.family\")`.",
        takes: Takes::Fact,
    },
    ReplCommand {
        name: "explain",
        arguments: "CODE",
        summary: "what a diagnostic means, with an example and a fix",
        help: "The same as `rtype explain CODE`: `:explain RT021`.",
        takes: Takes::Code,
    },
    ReplCommand {
        name: "test",
        arguments: "[TYPE]",
        summary: "run the tests of loaded type files, or those of a type",
        help: "The same as `rtype test`; a part of a test's title selects it, too. Edited files count after `:reload`.",
        takes: Takes::Type,
    },
    ReplCommand {
        name: "trace",
        arguments: "[Type[title]]",
        summary: "how each value came about, and why it is in sync or not",
        help: "Without a name, of the last resource. Each step names the rule that did it, with its file and line.",
        takes: Takes::Resource,
    },
    ReplCommand {
        name: "json",
        arguments: "[Type[title]]",
        summary: "the status of resources as JSON",
        help: "The same as `rtype inspect --format json`; of one resource, only its object.",
        takes: Takes::Resource,
    },
    ReplCommand {
        name: "plan",
        arguments: "",
        summary: "the changes that a run would make with all that is declared, in its order",
        help: "Nothing is changed. Tests of resources, such as `onlyif` of exec, are run.",
        takes: Takes::Nothing,
    },
    ReplCommand {
        name: "noop",
        arguments: "",
        summary: "a run that changes nothing, reported like `rtype apply --noop`",
        help: "",
        takes: Takes::Nothing,
    },
    ReplCommand {
        name: "apply",
        arguments: "",
        summary: "bring the machine into the declared state; asks first",
        help: "The next line says whether: `y` does it, anything else does not.",
        takes: Takes::Nothing,
    },
    ReplCommand {
        name: "forget",
        arguments: "Type[title]|TYPE|all",
        summary: "forget a resource, the resources of a type, or all resources; types stay",
        help: "Pretended states and orders of the resources are forgotten, too; with a type or `all`, also the defaults of types.",
        takes: Takes::TypeOrResource,
    },
    ReplCommand {
        name: "clear",
        arguments: "",
        summary: "forget all declared resources, pretended states and defaults; types stay",
        help: "",
        takes: Takes::Nothing,
    },
    ReplCommand { name: "quit", arguments: "", summary: "end, as Ctrl-D does", help: "", takes: Takes::Nothing },
];

/// Aliases of commands, as known from other programs.
const ALIASES: &[(&str, &str)] = &[("?", "help"), ("exit", "quit"), ("q", "quit"), ("p", "providers")];

/// Returns the command with this name or unambiguous prefix. Otherwise, returns the names of all commands with this prefix.
pub(super) fn find(name: &str) -> Result<&'static ReplCommand, Vec<&'static str>> {
    let name = ALIASES.iter().find(|(alias, _)| *alias == name).map_or(name, |(_, name)| name);
    if let Some(exact) = COMMANDS.iter().find(|c| c.name == name) {
        return Ok(exact);
    }
    let fitting: Vec<&'static ReplCommand> = COMMANDS.iter().filter(|c| !name.is_empty() && c.name.starts_with(name)).collect();
    match fitting.as_slice() {
        [only] => Ok(only),
        all => Err(all.iter().map(|c| c.name).collect()),
    }
}

/// Returns whether a line is a command that needs no colon: users of other prompts try `exit` and `help trace` first. `help { 'x': }` is
/// not a command.
pub(super) fn is_word(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let topics = match words.next() {
        Some("help" | "?") => 1,
        Some("quit" | "exit") => 0,
        _ => return false,
    };
    let rest: Vec<&str> = words.collect();
    rest.len() <= topics && rest.iter().all(|topic| topic.starts_with(|c: char| c.is_alphanumeric() || c == ':'))
}

/// Returns the probable command in an input without a colon: `types`, `is User['x'] …`.
pub(super) fn without_colon(text: &str) -> Option<&'static str> {
    let (word, rest) = text.trim().split_once(char::is_whitespace).unwrap_or((text.trim(), ""));
    let known = COMMANDS.iter().map(|c| (c.name, c.name)).chain(ALIASES.iter().copied());
    let (_, name) = known.into_iter().find(|(name, _)| *name == word)?;
    // `resources { 'x': … }` declares a resource.
    (!rest.trim_start().starts_with('{')).then_some(name)
}

/// Keywords that begin expressions.
const OF_EXPRESSIONS: &[&str] = &["self", "super", "nil", "true", "false", "not", "if", "unless", "match", "try", "return"];

/// Keywords that begin statements, or that follow a word in an expression or in a manifest.
const OF_STATEMENTS: &[&str] =
    &["let", "fail", "next", "expect", "in", "and", "or", "class", "define", "node", "include", "function", "else", "elsif"];

/// Returns the words of a line without brackets, quotes and operators, except for operators at the end of the last word.
fn split_plain(text: &str) -> Option<Vec<&str>> {
    let is_plain = |word: &str| word.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '*' | ':'));
    let is_operator = |c: char| matches!(c, '+' | '-' | '*' | '&' | '|' | '=' | '!' | '<' | '>' | '~' | '.');
    let text = text.trim();
    let words: Vec<&str> = text.trim_end_matches(is_operator).split_whitespace().collect();
    (text.lines().count() == 1 && words.iter().all(|word| is_plain(word))).then_some(words)
}

/// Returns whether an input is a line of words that cannot begin an expression: `lst user lib*`. An operator at the end of such a line
/// does not continue it.
pub(super) fn is_sentence(text: &str) -> bool {
    split_plain(text).is_some_and(|words| words.len() > 1 && words.iter().take(2).all(|word| is_name(word)))
}

/// Returns whether an input is an unknown word and an operator: `lst *`. The operator does not continue the input, because the word is no
/// operand.
pub(super) fn is_unknown_operand(text: &str, is_known: impl Fn(&str) -> bool) -> bool {
    split_plain(text).is_some_and(|words| matches!(words.as_slice(), [word] if *word != text.trim() && is_name(word) && !is_known(word)))
}

/// Returns whether a word is neither a keyword nor a function.
fn is_name(word: &str) -> bool {
    let is_keyword = OF_EXPRESSIONS.contains(&word) || OF_STATEMENTS.contains(&word) || Function::named(word).is_some();
    word.starts_with(char::is_alphabetic) && !is_keyword
}

/// Returns the first of several words that form neither a declaration nor an expression: `lst user`. Types, variables and keywords are
/// excluded, because other errors describe them better.
pub(super) fn unknown_word(text: &str, is_known: impl Fn(&str) -> bool) -> Option<&str> {
    let first = split_plain(text)?.first().copied().filter(|first| first.starts_with(char::is_alphabetic))?;
    let has_more = text.split_whitespace().nth(1).is_some();
    (has_more && !OF_EXPRESSIONS.contains(&first) && !is_known(first)).then_some(first)
}

/// Suggests a similar command for an unknown word.
pub(super) fn similar_command(word: &str) -> Option<Help> {
    nearest(word, COMMANDS.iter().map(|c| c.name)).map(|near| Help::suggestion(format!(":{near}")))
}

/// The help for an unknown command without a similar one.
const LIST_COMMANDS: &str = "list the commands with `:help`";

/// Executes a command. `base` is the position of the command in the sources.
pub(super) fn run(backend: &mut ReplSession, text: &str, base: u32, answer: &mut Answer) {
    let trimmed = text.trim();
    let lead = (text.len() - text.trim_start().len()) as u32;
    let word = trimmed.split(char::is_whitespace).next().unwrap_or_default();
    // `:is{…}` needs no blank.
    let word = word.split('{').next().unwrap_or_default();
    let name = word.trim_start_matches(':');
    let rest = trimmed.get(word.len()..).unwrap_or_default();
    let blanks = (rest.len() - rest.trim_start().len()) as u32;
    let rest_at = base + lead + word.len() as u32 + blanks;
    let rest = rest.trim();
    let span = Span::new(base + lead, base + lead + word.len() as u32);
    let arguments = Arguments { text: rest, at: rest_at, span: Span::new(rest_at, rest_at + rest.len() as u32) };
    let command = match find(name) {
        Ok(command) => command,
        Err(several) if several.len() > 1 => {
            let names: Vec<_> = several.iter().map(|n| format!("`:{n}`")).collect();
            return answer.wrong(span, format!("`:{name}` is the beginning of several commands"), format!("write {}", names.join(" or ")));
        }
        Err(_) => {
            return answer.wrong(span, format!("unknown command `:{name}`"), similar_command(name).unwrap_or_else(|| LIST_COMMANDS.into()));
        }
    };
    if command.takes == Takes::Nothing && !rest.is_empty() {
        return answer.wrong(arguments.span, format!("`:{}` takes no arguments", command.name), format!("write `:{}`", command.name));
    }
    let needs_more = !command.arguments.is_empty() && !command.arguments.starts_with('[');
    if rest.is_empty() && needs_more {
        let usage = format!("write `:{} {}`", command.name, command.arguments);
        return answer.wrong(span, format!("`:{}` requires an argument", command.name), usage);
    }
    match command.name {
        "help" => help(rest, arguments.span, answer),
        "types" => types(backend, answer),
        "describe" => describe(backend, &arguments, answer),
        "list" => super::list::command(backend, &arguments, answer),
        "load" => backend.load(rest, answer),
        "reload" => backend.reload(answer),
        "edit" => super::edit::run(backend, &arguments, answer),
        "resources" => resources(backend, &arguments, answer),
        "is" => super::pretend::run(backend, &arguments, answer),
        "providers" => providers(backend, &arguments, answer),
        "facts" => facts(backend, &arguments, answer),
        "explain" => explain(&arguments, answer),
        "test" => backend.test(rest, answer),
        "trace" => {
            if let Some(one) = one(backend, &arguments, answer)
                && let Some(inspected) = backend.inspect(std::slice::from_ref(&one)).first()
            {
                answer.say(super::trace::text(inspected, &backend.types.sources));
            }
        }
        "json" => json(backend, &arguments, answer),
        "plan" => backend.plan(answer),
        "noop" => backend.rehearse(answer),
        "apply" => backend.ask_to_apply(answer),
        "forget" => forget(backend, &arguments, answer),
        "clear" => backend.clear(answer),
        _ => answer.quit = true,
    }
}

fn forget(backend: &mut ReplSession, arguments: &Arguments<'_>, answer: &mut Answer) {
    let named = parse_reference(arguments.text);
    let of_type = arguments.text.to_lowercase();
    let wanted = |r: &ResourceRef| match &named {
        Some(named) => r == named,
        None => of_type == "all" || r.type_name.as_str() == of_type,
    };
    let mut gone: Vec<ResourceRef> = backend.declared.keys().filter(|r| wanted(r)).cloned().collect();
    // A reference may also use a namevar value or an alias.
    if let Some(found) = named.as_ref().filter(|_| gone.is_empty()).and_then(|named| backend.find(named)) {
        if !backend.declared.contains_key(&found) {
            let help = "forget the resource that generates it; `:resources` shows which one it is";
            return answer.wrong(arguments.span, format!("`{found}` is generated"), help);
        }
        gone.push(found);
    }
    let forgets_defaults = named.is_none() && backend.forget_defaults(Some(of_type.as_str()).filter(|name| *name != "all"), answer);
    if gone.is_empty() && forgets_defaults {
        return;
    }
    if gone.is_empty() && of_type == "all" {
        return answer.say("no resource is declared");
    }
    if gone.is_empty() {
        let type_name = named.as_ref().map_or(of_type.as_str(), |named| named.type_name.as_str());
        let span = Span::new(arguments.span.start, arguments.span.start + type_name.len() as u32);
        if backend.known_type(type_name, span, answer).is_none() {
            return;
        }
        let names: Vec<String> = backend.declared.keys().map(ToString::to_string).collect();
        let near = did_you_mean(arguments.text, names.iter().map(String::as_str));
        let help = near.unwrap_or_else(|| "list declared resources with `:resources`".into());
        let what = if named.is_some() { "is not declared" } else { "has no declared resources" };
        return answer.wrong(arguments.span, format!("`{}` {what}", arguments.text), help);
    }
    backend.forget(&gone, answer);
}

/// The arguments of a command, and their location.
pub(super) struct Arguments<'a> {
    pub text: &'a str,
    pub at: u32,
    pub span: Span,
}

fn help(topic: &str, span: Span, answer: &mut Answer) {
    if topic.is_empty() {
        let mut out = String::from(
            "Declare resources as in Puppet to compare them with this machine: user { 'root': shell => '/bin/bash' }\n\
             Write types as in a file: type motd { newparam name { isnamevar } … }\n\
             Evaluate expressions: fact(\"os.family\"), 2 * 3, is(uid) and should(uid) of the last resource, User['root'].is(uid)\n\nCommands; unambiguous prefixes are accepted:\n",
        );
        for c in COMMANDS {
            out.push_str(&format!("  {:32} {}\n", format!(":{} {}", c.name, c.arguments), c.summary));
        }
        return answer.say(out);
    }
    match find(topic.trim_start_matches(':')) {
        Ok(c) => {
            let usage = format!(":{} {}", c.name, c.arguments);
            let more = if c.help.is_empty() { String::new() } else { format!("\n{}", c.help) };
            answer.say(format!("{}: {}{more}", usage.trim_end(), c.summary));
        }
        Err(_) => answer.wrong(span, format!("unknown command `{topic}`"), similar_command(topic).unwrap_or_else(|| LIST_COMMANDS.into())),
    }
}

fn types(backend: &mut ReplSession, answer: &mut Answer) {
    let mut rows = Vec::new();
    for name in backend.types.names() {
        if let Some(type_def) = backend.types.load(&name) {
            rows.push((name, docs::summary(&type_def.doc)));
        }
    }
    answer.report(backend.types.new_diagnostics(&mut backend.reported));
    answer.say(docs::list(&rows, backend.look));
}

fn describe(backend: &mut ReplSession, arguments: &Arguments<'_>, answer: &mut Answer) {
    let mut sections = Sections::default();
    let mut names = Vec::new();
    for word in arguments.text.split_whitespace() {
        match word {
            "--short" | "-s" => sections.short = true,
            "--providers" | "-p" => sections.providers = true,
            "--meta" | "-m" => sections.metaparams = true,
            name => names.push(name),
        }
    }
    for name in names {
        if let Some(doc) = backend.describe(name, arguments, answer) {
            answer.say(docs::text(&doc, sections, backend.look));
        }
    }
}

fn providers(backend: &mut ReplSession, arguments: &Arguments<'_>, answer: &mut Answer) {
    let why = arguments.text.split_whitespace().any(|w| w == "--why");
    for name in arguments.text.split_whitespace().filter(|w| *w != "--why") {
        if let Some(doc) = backend.describe(name, arguments, answer) {
            answer.say(docs::providers(&doc, why, backend.look).trim_start().to_owned());
        }
    }
}

fn facts(backend: &ReplSession, arguments: &Arguments<'_>, answer: &mut Answer) {
    let all = backend.machine.facts();
    let is_wanted = |name: &str| {
        let rest = name.strip_prefix(arguments.text);
        arguments.text.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    let wanted: Vec<&(String, Value)> = all.iter().filter(|(name, _)| is_wanted(name)).collect();
    if wanted.is_empty() {
        let names = all.iter().flat_map(|(name, _)| {
            let structures = name.match_indices('.').filter_map(|(end, _)| name.get(..end));
            structures.chain([name.as_str()])
        });
        let help = suggest_nearest(arguments.text, names).unwrap_or_else(|| "list the facts with `:facts`".into());
        return answer.wrong(arguments.span, format!("unknown fact `{}`", arguments.text), help);
    }
    let width = wanted.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
    let lines: Vec<String> = wanted.iter().map(|(name, value)| format!("{name:width$}  {value}")).collect();
    answer.say(lines.join("\n"));
}

fn explain(arguments: &Arguments<'_>, answer: &mut Answer) {
    match Code::named(arguments.text).and_then(explain_as_text) {
        Some(page) => answer.say(page),
        None => {
            answer.wrong(arguments.span, format!("unknown code `{}`", arguments.text), suggested_code(arguments.text));
        }
    }
}

fn resources(backend: &mut ReplSession, arguments: &Arguments<'_>, answer: &mut Answer) {
    if arguments.text.contains('[') {
        if let Some(one) = one(backend, arguments, answer) {
            backend.show(&[one], answer);
        }
        return;
    }
    let wanted = arguments.text.to_lowercase();
    if !wanted.is_empty() && backend.known_type(&wanted, arguments.span, answer).is_none() {
        return;
    }
    let all: Vec<ResourceRef> = backend.references().filter(|r| wanted.is_empty() || r.type_name.as_str() == wanted).collect();
    let defaults = backend.defaults_text(Some(wanted.as_str()).filter(|name| !name.is_empty()));
    if all.is_empty() && defaults.is_empty() {
        let of = if wanted.is_empty() { String::new() } else { format!(" of the type `{wanted}`") };
        return answer.say(format!("no resource{of} is declared"));
    }
    let mut out = String::new();
    let inspected = backend.inspect(&all);
    backend.report_messages(answer);
    for one in inspected {
        let reference = one.instance.reference();
        let open: Vec<&str> = one.verdict.properties.iter().filter(|p| p.status.in_sync() != Some(true)).map(|p| p.name.as_str()).collect();
        let state = match one.in_sync() {
            Some(true) => "in sync".to_owned(),
            Some(false) => format!("out of sync: {}", open.join(", ")),
            None => format!("unknown: {}", open.join(", ")),
        };
        out.push_str(&format!("{reference}  {state}\n"));
    }
    for edge in backend.edges().filter(|_| wanted.is_empty()) {
        out.push_str(&format!("{edge}\n"));
    }
    out.push_str(&defaults);
    answer.say(out);
}

fn json(backend: &mut ReplSession, arguments: &Arguments<'_>, answer: &mut Answer) {
    let redactor = backend.types.secrets.redactor().clone();
    let json = if arguments.text.is_empty() {
        let all: Vec<ResourceRef> = backend.references().collect();
        report::json(&backend.inspect(&all), &redactor)
    } else {
        let Some(one) = one(backend, arguments, answer) else { return };
        match backend.inspect(&[one]).first() {
            Some(inspected) => report::resource_json(inspected, &redactor),
            None => return,
        }
    };
    answer.say(serde_json::to_string_pretty(&json).unwrap_or_default());
}

/// Returns the resource named by a command. Without a name, returns the resource of the last input.
pub(super) fn one(backend: &mut ReplSession, arguments: &Arguments<'_>, answer: &mut Answer) -> Option<ResourceRef> {
    if arguments.text.is_empty() {
        let last = backend.last();
        if last.is_none() {
            answer.wrong(Span::NONE, "no resource is declared yet", "declare one: `TYPE { 'title': … }`");
        }
        return last;
    }
    let Some(reference) = parse_reference(arguments.text) else {
        answer.wrong(
            arguments.span,
            format!("`{}` does not name a resource", arguments.text),
            "write its type and its title: `User[root]`",
        );
        return None;
    };
    let found = backend.find(&reference);
    if found.is_none() {
        let of_type = Span::new(arguments.span.start, arguments.span.start + reference.type_name.as_str().len() as u32);
        backend.known_type(reference.type_name.as_str(), of_type, answer)?;
        let names: Vec<String> = backend.references().map(|r| r.to_string()).collect();
        let near = nearest(&reference.to_string(), names.iter().map(String::as_str)).map(Help::suggestion);
        let title = rtype_model::manifest::quoted(&reference.title);
        answer.wrong(
            arguments.span,
            format!("`{reference}` is not declared"),
            near.unwrap_or_else(|| format!("declare it first: `{} {{ {title}: }}`", reference.type_name).into()),
        );
    }
    found
}

/// Parses a reference such as `User[root]` or `user['root']`.
pub(super) fn parse_reference(text: &str) -> Option<ResourceRef> {
    let (head, rest) = text.trim().split_once('[')?;
    let title = rest.strip_suffix(']')?.trim();
    let quoted = |q: char| title.strip_prefix(q).and_then(|t| t.strip_suffix(q));
    let title = quoted('\'').or_else(|| quoted('"')).unwrap_or(title);
    let is_name = !head.is_empty() && head.chars().all(|c| c.is_alphanumeric() || c == '_' || c == ':');
    (is_name && !title.is_empty()).then(|| ResourceRef { type_name: head.to_lowercase().into(), title: title.into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beginnings_are_enough_when_only_one_fits() {
        assert_eq!(find("d").map(|c| c.name), Ok("describe"));
        assert_eq!(find("res").map(|c| c.name), Ok("resources"));
        assert_eq!(find("q").map(|c| c.name), Ok("quit"));
        assert_eq!(find("re").map(|c| c.name), Err(vec!["reload", "resources"]));
        assert_eq!(find("t").map(|c| c.name), Err(vec!["types", "test", "trace"]));
        assert_eq!(find("").map(|c| c.name), Err(vec![]));
    }

    #[test]
    fn references_are_read_with_and_without_quotes() {
        for text in ["User[root]", "user['root']", " User[ \"root\" ] "] {
            assert_eq!(parse_reference(text).map(|r| r.to_string()).as_deref(), Some("User[root]"), "{text}");
        }
        assert_eq!(parse_reference("File[/a[b]]").map(|r| r.title.to_string()).as_deref(), Some("/a[b]"));
        for text in ["root", "User[", "User[]", "[x]", "a b[c]"] {
            assert_eq!(parse_reference(text), None, "{text}");
        }
    }
}
