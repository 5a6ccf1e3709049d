//! The text formats that providers read and write, for `docs/providers.md`.

/// A text format: a row of the table in `docs/providers.md`.
#[derive(Clone, Copy, Debug)]
pub struct FileFormat {
    /// The name of the format.
    pub name: &'static str,
    /// The types whose providers use it.
    pub types: &'static [&'static str],
    /// The beginning of comments.
    pub comments: &'static str,
    /// The syntax of line continuation.
    pub continued: &'static str,
    /// The syntax for special characters.
    pub quoting: &'static str,
    /// The effective entry if several entries have the same name, with the program that decides it.
    pub duplicates: &'static str,
    /// Whether names that differ only in case are the same.
    pub case: &'static str,
    /// Values that the provider refuses, because the file cannot contain them.
    pub refused: &'static str,
}

/// The text formats, in the order of the documentation.
pub const FILE_FORMATS: &[FileFormat] = &[
    FileFormat {
        name: "hosts",
        types: &["host"],
        comments: "`#` anywhere",
        continued: "never",
        quoting: "none",
        duplicates: "first (the resolver)",
        case: "the same",
        refused: "whitespace and `#` in names",
    },
    FileFormat {
        name: "fstab",
        types: &["mount"],
        comments: "`#` at the beginning",
        continued: "never",
        quoting: "`\\040` and other octal escapes in `device` and `name`",
        duplicates: "first (mount)",
        case: "different",
        refused: "whitespace in other fields",
    },
    FileFormat {
        name: "aliases",
        types: &["mailalias"],
        comments: "`#` at the beginning",
        continued: "by indented lines",
        quoting: "double quotes, `\\` before quotes and backslashes",
        duplicates: "first (postalias)",
        case: "the same",
        refused: "newlines, empty recipients",
    },
    FileFormat {
        name: "crontab",
        types: &["cron"],
        comments: "`#` at the beginning",
        continued: "never",
        quoting: "none",
        duplicates: "all jobs run; the last has the name",
        case: "different",
        refused: "newlines",
    },
    FileFormat {
        name: "authorized_keys",
        types: &["ssh_authorized_key"],
        comments: "`#` at the beginning",
        continued: "never",
        quoting: "double quotes in `options`",
        duplicates: "all; the first is changed",
        case: "different",
        refused: "newlines, whitespace in keys",
    },
    FileFormat {
        name: "known_hosts",
        types: &["sshkey"],
        comments: "`#` at the beginning",
        continued: "never",
        quoting: "none",
        duplicates: "all; the first is changed",
        case: "different",
        refused: "whitespace and commas in names; names that begin with `#`, `@` or `|`",
    },
    FileFormat {
        name: "sysctl.conf",
        types: &["sysctl"],
        comments: "`#` or `;` at the beginning",
        continued: "never",
        quoting: "none",
        duplicates: "last (sysctl sets the lines in order)",
        case: "different; `/` and `.` are the same",
        refused: "newlines, `=` in names, whitespace around values",
    },
    FileFormat {
        name: "INI",
        types: &["ini_setting", "ini_subsetting"],
        comments: "`#` or `;` at the beginning",
        continued: "depends on the reader: a setting that the next line may continue is not changed",
        quoting: "none",
        duplicates: "last; all are changed",
        case: "different",
        refused: "newlines, separators in names, the end of a header in section names",
    },
    FileFormat {
        name: "lines",
        types: &["file_line"],
        comments: "none",
        continued: "never",
        quoting: "none",
        duplicates: "all are the same line",
        case: "different",
        refused: "newlines",
    },
    FileFormat {
        name: "modprobe.d, modules-load.d",
        types: &["kmod"],
        comments: "`#` or `;` at the beginning",
        continued: "by a backslash",
        quoting: "double quotes in `options`",
        duplicates: "all count; of an option, the last",
        case: "different; `-` and `_` are the same",
        refused: "quotes, backslashes and `#` in names; files that are not UTF-8",
    },
];
