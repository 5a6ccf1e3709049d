//! Selects the findings to report and their severities.

use super::config::PerFile;
use indexmap::IndexMap;
use rtype_lang::diagnostics::{CODES, Code, Diagnostic, Profile, Severity, nearest};
use std::path::{Component, Path, PathBuf};

/// A set of codes: `RT011`, `RT0`, `RM`, `regex-line-anchors`, `ALL`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selector(Vec<Code>);

impl Selector {
    /// Parses a code, a prefix of codes, a short name or `ALL`.
    ///
    /// # Errors
    /// If no code matches.
    pub fn parse(text: &str) -> Result<Selector, SelectorError> {
        let upper = text.trim().to_ascii_uppercase();
        let is_prefix = upper.starts_with("RT") || upper.starts_with("RM");
        let codes: Vec<Code> = match Code::named(text.trim()) {
            Some(code) => vec![code],
            None if upper == "ALL" => CODES.to_vec(),
            None if is_prefix => CODES.iter().copied().filter(|c| c.info().id.starts_with(&upper)).collect(),
            None => Vec::new(),
        };
        if codes.is_empty() {
            let known = CODES.iter().flat_map(|c| [c.info().id, c.info().name]);
            return Err(SelectorError::Unknown { text: text.to_owned(), nearest: nearest(text.trim(), known) });
        }
        Ok(Selector(codes))
    }

    /// Parses a selector of codes to ignore.
    ///
    /// # Errors
    /// If no code matches, or if all matching codes are always reported.
    pub fn parse_ignored(text: &str) -> Result<Selector, SelectorError> {
        let selector = Selector::parse(text)?;
        match selector.0.first() {
            Some(code) if !selector.codes().any(is_ignorable) => Err(SelectorError::NotIgnorable { text: text.to_owned(), code: *code }),
            _ => Ok(selector),
        }
    }

    /// Iterates over the codes.
    pub fn codes(&self) -> impl Iterator<Item = Code> + '_ {
        self.0.iter().copied()
    }

    /// Returns `true` if the selector contains a code.
    pub fn holds(&self, code: Code) -> bool {
        self.0.contains(&code)
    }
}

/// The reason why a selector cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SelectorError {
    /// No code matches.
    Unknown {
        /// The selector as written.
        text: String,
        /// The most similar code or short name.
        nearest: Option<&'static str>,
    },
    /// All matching codes are always reported.
    NotIgnorable {
        /// The selector as written.
        text: String,
        /// The first matching code.
        code: Code,
    },
}

impl SelectorError {
    /// Returns the help of the error message.
    pub fn help(&self) -> String {
        match self {
            SelectorError::Unknown { nearest: Some(near), .. } => format!("did you mean `{near}`?"),
            SelectorError::Unknown { nearest: None, .. } => {
                "list the codes with `rtype explain --list`; `RT0` selects all that start with it, `ALL` all".to_owned()
            }
            SelectorError::NotIgnorable { code, .. } if code.is_syntax() => {
                "fix the syntax error, which prevents further checks, or add it to a baseline".to_owned()
            }
            SelectorError::NotIgnorable { .. } => "fix the error, which prevents further checks".to_owned(),
        }
    }
}

impl std::fmt::Display for SelectorError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SelectorError::Unknown { text, .. } => write!(f, "unknown rule `{text}`"),
            SelectorError::NotIgnorable { text, .. } => write!(f, "`{text}` is always reported"),
        }
    }
}

impl std::error::Error for SelectorError {}

/// The reported findings.
#[derive(Clone, Debug)]
pub struct Selection {
    /// The profile, which selects codes by default.
    pub profile: Profile,
    /// Codes reported in addition to the profile.
    pub select: Vec<Selector>,
    /// Codes that are not reported; takes precedence over `select`.
    pub ignore: Vec<Selector>,
    /// Severities that differ from the default.
    pub severities: IndexMap<Code, Severity>,
    /// Codes that are not reported in some files.
    pub per_file: Vec<PerFile>,
    /// Relates file names to the directory of the repository.
    pub root: Root,
    /// Maximum number of findings to keep per severity; further findings are only counted.
    pub most_kept: usize,
}

/// The directory of the repository and the working directory within it.
#[derive(Clone, Debug, Default)]
pub struct Root {
    /// Absolute path of the repository; empty without a repository.
    pub folder: PathBuf,
    /// Path from the repository to the working directory.
    pub inside: PathBuf,
}

impl Root {
    /// Converts a name from the command line to a path relative to the repository, with slashes and without dots.
    pub fn place(&self, name: &str) -> String {
        let path = Path::new(name);
        let path = match path.strip_prefix(&self.folder) {
            Ok(below) if path.is_absolute() && !self.folder.as_os_str().is_empty() => below.to_owned(),
            _ => self.inside.join(path),
        };
        let mut parts: Vec<String> = Vec::new();
        for part in path.components() {
            match part {
                Component::Normal(part) => parts.push(part.to_string_lossy().into_owned()),
                Component::ParentDir if parts.last().is_some_and(|p| p != "..") => drop(parts.pop()),
                Component::ParentDir => parts.push("..".to_owned()),
                Component::RootDir => parts.push(String::new()),
                Component::CurDir | Component::Prefix(_) => {}
            }
        }
        parts.join("/")
    }
}

/// Default number of findings to keep per severity: ten times the number shown by default.
pub(super) const MOST_KEPT: usize = 10_000;

impl Default for Selection {
    fn default() -> Self {
        Selection {
            profile: Profile::Default,
            select: Vec::new(),
            ignore: Vec::new(),
            severities: IndexMap::new(),
            per_file: Vec::new(),
            root: Root::default(),
            most_kept: MOST_KEPT,
        }
    }
}

/// Returns `true` if a code may be ignored. Syntax errors and errors of the run (`RT4nn`) may not, because they report unchecked input.
pub fn is_ignorable(code: Code) -> bool {
    let is_of_run = code.info().id.starts_with("RT4");
    code.info().severity != Severity::Error || !(code.is_syntax() || is_of_run)
}

impl Selection {
    /// Returns `true` if findings with this code are reported.
    pub fn tells(&self, code: Code) -> bool {
        if !is_ignorable(code) {
            return true;
        }
        let chosen = code.info().profile <= self.profile || self.select.iter().any(|s| s.holds(code));
        chosen && !self.ignore.iter().any(|s| s.holds(code))
    }

    /// Returns `true` if findings with this code are reported in a file with this name.
    pub fn tells_in(&self, code: Code, file: &str) -> bool {
        if self.per_file.is_empty() { self.tells(code) } else { self.tells_at(code, &self.root.place(file)) }
    }

    /// Like [`Self::tells_in`], with a path relative to the repository.
    pub fn tells_at(&self, code: Code, place: &str) -> bool {
        let quiet = || self.per_file.iter().any(|p| p.ignore.iter().any(|s| s.holds(code)) && p.files.is_match(place));
        self.tells(code) && (!is_ignorable(code) || !quiet())
    }

    /// Returns the finding with its configured severity.
    pub fn weigh(&self, mut diagnostic: Diagnostic) -> Diagnostic {
        diagnostic.severity = self.weight(diagnostic.code).unwrap_or(diagnostic.severity);
        diagnostic
    }

    /// Returns the configured severity of a code.
    pub(super) fn weight(&self, code: Code) -> Option<Severity> {
        self.severities.get(&code).copied().filter(|_| is_ignorable(code))
    }
}
