//! The table of text formats in `docs/providers.md`. Each cell about unusual bytes is tested with a file, and each provider of a text file
//! has a row.

use super::declared::Lab;
use super::text_formats::{EXAMPLES, Example};
use rtype_provider::{FILE_FORMATS, FileFormat, NativeProviders};

/// The result of a run that changes the second entry of a file.
struct Run {
    before: Vec<u8>,
    after: Vec<u8>,
    errors: String,
    context: String,
}

impl Run {
    /// Applies the change of an example to a file, and asserts that a second run changes nothing.
    fn of(example: &Example, before: &[u8]) -> Run {
        let mut lab = example.lab("").with_bytes(example.path, before);
        let manifest = example.declared(example.change);
        let (events, counts) = lab.try_run(&manifest).unwrap_or_else(|errors| panic!("{manifest}: {errors:?}"));
        let after = lab.bytes(example.path);
        let context =
            format!("{}: {events:?}\n{:?}\n{:?}", example.format, before.escape_ascii().to_string(), after.escape_ascii().to_string());
        if counts.has_failed() {
            assert_eq!(before, after, "{context}");
        } else {
            let (again, counts) = lab.try_run(&manifest).unwrap();
            assert!(counts.is_quiet(), "a second run does something: {again:?}\n{context}");
        }
        let errors = if counts.has_failed() { events.join("\n") } else { String::new() };
        Run { before: before.to_vec(), after, errors, context }
    }

    fn assert_failed(&self, parts: &[&str]) {
        assert!(parts.iter().all(|part| self.errors.contains(part)), "{parts:?}\n{}", self.context);
    }

    /// Asserts that the entry has changed, and that the bytes around the entry have not.
    fn assert_changed(&self, start: &[u8], end: &[u8]) {
        let is_kept = self.after.starts_with(start) && self.after.ends_with(end);
        assert!(self.errors.is_empty() && self.before != self.after && is_kept, "{}", self.context);
    }
}

fn example_of(format: &str) -> Option<&'static Example> {
    EXAMPLES.iter().find(|example| example.format == format)
}

/// Inserts bytes at the end of the last line of an entry.
fn at_end(entry: &str, bytes: &[u8]) -> Vec<u8> {
    [entry.trim_end_matches('\n').as_bytes(), bytes, b"\n"].concat()
}

#[test]
fn byte_order_mark_is_what_the_table_says() {
    for format in FILE_FORMATS {
        let Some(example) = example_of(format.name) else { continue };
        let Example { head, entries: [_, entry, last], .. } = example;
        let run = Run::of(example, format!("\u{feff}{head}{entry}{last}").as_bytes());
        match format.mark {
            "skipped" => run.assert_changed(format!("\u{feff}{head}").as_bytes(), last.as_bytes()),
            // The first entry has another name, so the run adds an entry or changes nothing. In fstab, the entry has another device; in
            // authorized_keys, another option.
            "part of the first word" if ["fstab", "authorized_keys"].contains(&format.name) => run.assert_changed(b"", last.as_bytes()),
            "part of the first word" => assert!(run.after.starts_with(&run.before), "{}", run.context),
            "the crontab fails" => run.assert_failed(&["line 1 is not a valid crontab line"]),
            other => panic!("{}: {other}", format.name),
        }
    }
}

#[test]
fn zero_bytes_are_what_the_table_says() {
    for format in FILE_FORMATS {
        let Some(example) = example_of(format.name) else { continue };
        let Example { head, entries: [first, entry, last], .. } = example;
        let (start, number) = (format!("{head}{first}"), format!("{head}{first}{entry}").lines().count());
        let run = Run::of(example, &[start.as_bytes(), &at_end(entry, b"\0x"), last.as_bytes()].concat());
        match format.zero {
            "the entry fails" => run.assert_failed(&[&format!("line {number} of {} contains a zero byte", example.path)]),
            "ends the line, which is not changed" => run.assert_failed(&["contains a zero byte and is not changed", "line"]),
            "part of the command" | "part of the value" | "part of the line" => run.assert_changed(start.as_bytes(), last.as_bytes()),
            other => panic!("{}: {other}", format.name),
        }
    }
}

#[test]
fn carriage_returns_are_what_the_table_says() {
    for format in FILE_FORMATS {
        let Some(example) = example_of(format.name) else { continue };
        let Example { head, entries: [first, entry, last], .. } = example;
        let crlf = |text: &str| text.replace('\n', "\r\n");
        let (start, end) = (crlf(&format!("{head}{first}")), crlf(last));
        let run = Run::of(example, format!("{start}{}{end}", crlf(entry)).as_bytes());
        run.assert_changed(start.as_bytes(), end.as_bytes());
        let new = run.after.get(start.len()..run.after.len() - end.len()).unwrap();
        let has_lf = String::from_utf8_lossy(new).split_inclusive('\n').any(|line| !line.ends_with("\r\n"));
        match format.line_ends {
            "line ends" => assert!(!has_lf, "{}", run.context),
            "part of the command" | "part of the last word" => assert!(has_lf, "{}", run.context),
            other => panic!("{}: {other}", format.name),
        }
    }
}

#[test]
fn last_lines_without_a_newline_are_what_the_table_says() {
    for format in FILE_FORMATS {
        let Some(example) = example_of(format.name) else { continue };
        let Example { head, entries: [first, entry, _], .. } = example;
        let start = format!("{head}{first}");
        let run = Run::of(example, format!("{start}{}", entry.trim_end()).as_bytes());
        match format.last_line {
            "complete" => run.assert_changed(start.as_bytes(), b""),
            "the crontab fails: cron ignores it" => run.assert_failed(&["cron ignores", "has no newline at the end"]),
            other => panic!("{}: {other}", format.name),
        }
    }
}

#[test]
fn lines_that_are_not_utf8_are_kept_and_not_changed() {
    for example in EXAMPLES {
        let Example { head, entries: [first, entry, last], comment, .. } = example;
        let start = format!("{head}{first}");
        // A module name with other bytes belongs to another module.
        if example.format != "modules-load.d" {
            let entry = match example.format {
                "authorized_keys" => [b"\xe9,", entry.as_bytes()].concat(),
                _ => at_end(entry, b" \xe9"),
            };
            let run = Run::of(example, &[start.as_bytes(), &entry, last.as_bytes()].concat());
            run.assert_failed(&["is not UTF-8 and is not changed", "line"]);
        }
        for hostile in [&b"\xe9\xff"[..], b"\0", "\u{a0}".as_bytes(), "\u{feff}\u{85}\u{2028}".as_bytes(), b"\x0b\x0c\x1b"] {
            let comment = at_end(comment, hostile);
            let (start, end) = ([start.as_bytes(), &comment].concat(), [&comment, last.as_bytes()].concat());
            let run = Run::of(example, &[&start, entry.as_bytes(), &end].concat());
            run.assert_changed(&start, &end);
        }
    }
}

#[test]
fn no_break_spaces_are_letters() {
    for example in EXAMPLES {
        let Example { head, entries: [first, entry, last], .. } = example;
        let start = format!("{head}{first}");
        let odd = entry.replace([' ', '\t'], "\u{a0}");
        let run = Run::of(example, format!("{start}{odd}{last}").as_bytes());
        if run.errors.is_empty() && odd != *entry {
            let text = String::from_utf8(run.after.clone()).unwrap();
            let is_kept = text.contains(odd.lines().last().unwrap());
            assert!(text.starts_with(&start) && text.contains(last) && is_kept, "{}", run.context);
        } else if run.errors.is_empty() {
            run.assert_changed(start.as_bytes(), last.as_bytes());
        } else {
            run.assert_failed(&["line"]);
        }
    }
}

/// A file that rtype reads but does not write itself, with a listed resource.
struct ReadOnly {
    format: &'static str,
    type_name: &'static str,
    path: &'static str,
    text: &'static str,
    /// A part of the listed resource in the unchanged file.
    listed: &'static str,
    /// The table cells that the other fields test: mark, zero byte, line ends, last line.
    cells: [&'static str; 4],
    /// By column: another file, if needed, and a part of the listed resource or of the error.
    mark: &'static str,
    zero: (&'static str, &'static str),
    crlf: &'static str,
    last_line: &'static str,
}

const STATUS: &str = "Package: a\nStatus: install ok installed\nArchitecture: all\nVersion: 1.0\n";

/// The first attribute of a user without attributes from `/etc/shadow`. Those attributes have longer names.
const WITHOUT_SHADOW: &str = "  ensure => 'present'";

const READ_ONLY: &[ReadOnly] = &[
    ReadOnly {
        format: "passwd, group, shadow",
        type_name: "user",
        path: "/etc/passwd",
        text: "a:x:1:1::/h:/s\nb:x:2:2::/h:/s\n",
        listed: "user { 'a':",
        cells: ["part of the first word", "ends the line", "part of the last field; shadow: the line is skipped", "complete"],
        mark: "user { '\u{feff}a':",
        zero: ("a:x:1:1::/hh\0ome:/s\n", "'/hh'"),
        crlf: "\"/s\\r\"",
        last_line: "user { 'b':",
    },
    // The user in /etc/passwd has no entry if the mark is part of the name, or if the line is skipped.
    ReadOnly {
        format: "passwd, group, shadow",
        type_name: "user",
        path: "/etc/shadow",
        text: "a:*:19000:5:99999:7:::\n",
        listed: "password_min_age   =>",
        cells: ["part of the first word", "ends the line", "part of the last field; shadow: the line is skipped", "complete"],
        mark: WITHOUT_SHADOW,
        zero: ("a:*\0x:19000:5:99999:7:::\n", WITHOUT_SHADOW),
        crlf: WITHOUT_SHADOW,
        last_line: "password_min_age   =>",
    },
    ReadOnly {
        format: "dpkg's status, extended_states",
        type_name: "package",
        path: "/var/lib/dpkg/status",
        text: STATUS,
        listed: "package { 'a':",
        cells: ["the file fails", "part of the value", "line ends", "complete"],
        mark: "ends a package without a name",
        zero: ("Package: a\nStatus: install ok installed\nArchitecture: all\nVersion: 1.0\0-1\n", "1.0\\u{0}-1"),
        crlf: "'1.0'",
        last_line: "'1.0'",
    },
    ReadOnly {
        format: "alternatives",
        type_name: "alternatives",
        path: "/var/lib/dpkg/alternatives/ed",
        text: "manual\n/usr/bin/ed\n\n/bin/cat\n10\n\n",
        listed: "alternatives { 'ed':",
        cells: ["the file fails", "part of the value", "the file fails", "the file fails"],
        mark: "it is not in the format of update-alternatives",
        zero: ("manual\n/usr/bin/ed\n\n/bin/c\0at\n10\n\n", "alternatives { 'ed':"),
        crlf: "it is not in the format of update-alternatives",
        last_line: "it is not in the format of update-alternatives",
    },
];

#[test]
fn files_that_are_only_read_are_read_as_the_table_says() {
    for case in READ_ONLY {
        let format = FILE_FORMATS.iter().find(|format| format.name == case.format).unwrap();
        assert_eq!([format.mark, format.zero, format.line_ends, format.last_line], case.cells, "{}", case.format);
        let cells = [
            (case.text.to_owned(), "", case.listed),
            (format!("\u{feff}{}", case.text), format.mark, case.mark),
            (case.zero.0.to_owned(), format.zero, case.zero.1),
            (case.text.replace('\n', "\r\n"), format.line_ends, case.crlf),
            (case.text.trim_end().to_owned(), format.last_line, case.last_line),
        ];
        for (text, cell, expected) in cells {
            let programs = ["useradd", "usermod", "userdel", "chage", "chpasswd", "dpkg", "dpkg-deb", "dpkg-query", "update-alternatives"];
            let lab = programs.into_iter().fold(Lab::new(&[]), |lab, program| lab.program(program, ":"));
            let mut lab = lab
                .with("/etc/os-release", "ID=debian\nVERSION_ID=12\n")
                .with("/etc/passwd", "a:x:1:1::/h:/s\n")
                .with("/etc/group", "")
                .with("/etc/shadow", "")
                .with(case.path, &text);
            let (listed, errors) = lab.list(case.type_name);
            let found = if cell == "the file fails" { errors.join("\n") } else { listed };
            assert!(found.contains(expected), "{} {cell}: {expected}\n{found}\n{errors:?}", case.format);
        }
    }
}

/// Returns whether the source of a type's native providers reads a text file.
fn reads_text(type_name: &str) -> bool {
    let Ok(directory) = std::fs::read_dir(format!("crates/provider/src/native/{type_name}")) else { return false };
    let calls = regex::Regex::new(
        r#"Text(Files)?::|accounts::(passwd|groups|shadow)\(|database::group|Table::read|Database::read|system\.read(_bytes|_kept)?\(["A-Z]"#,
    );
    let calls = calls.unwrap();
    let sources = directory.map(|entry| std::fs::read_to_string(entry.unwrap().path()).unwrap_or_default());
    sources.into_iter().any(|source| calls.is_match(source.split("#[cfg(test)]").next().unwrap()))
}

#[test]
fn each_provider_that_reads_text_has_a_row() {
    let rows: Vec<&str> = FILE_FORMATS.iter().flat_map(|format| format.types).copied().collect();
    let natives = NativeProviders::standard();
    let native = natives.names().map(|(type_name, _)| type_name.to_owned()).filter(|name| reads_text(name));
    let types = std::fs::read_dir("stdlib-types").unwrap().map(|entry| entry.unwrap().path());
    let is_declared = |path: &std::path::PathBuf| {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        text.lines().any(|line| line == "  records" || line.starts_with("  keyed "))
    };
    let declared = types.filter(is_declared).map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned());
    let all: Vec<String> = native.chain(declared).collect();
    assert!(all.len() > 15, "{all:?}");
    for name in all {
        assert!(rows.contains(&name.as_str()), "`{name}` reads text files and has no row in FILE_FORMATS");
    }
}

#[test]
fn each_row_has_an_example() {
    for format in FILE_FORMATS {
        let is_read_only = READ_ONLY.iter().any(|case| case.format == format.name);
        assert!(is_read_only || example_of(format.name).is_some(), "{}", format.name);
    }
}

/// Returns the rows of a format in the two tables of the documentation.
fn documented(format: &FileFormat) -> [String; 2] {
    let types: Vec<String> = format.types.iter().map(|name| format!("`{name}`")).collect();
    let types = types.join(", ");
    let syntax = [format.name, &types, format.comments, format.continued, format.quoting, format.duplicates, format.case, format.refused]
        .join(" | ");
    let bytes = [format.name, format.reader, format.mark, format.zero, format.line_ends, format.last_line].join(" | ");
    [format!("| {syntax} |"), format!("| {bytes} |")]
}

#[test]
fn the_documentation_has_the_tables() {
    let page = std::fs::read_to_string("docs/providers.md").unwrap();
    for row in FILE_FORMATS.iter().flat_map(documented) {
        assert!(page.contains(&row), "docs/providers.md lacks the row\n{row}");
    }
}
