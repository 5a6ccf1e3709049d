//! Which findings are told, and how much they weigh.

use super::config::PerFile;
use indexmap::IndexMap;
use rtype_lang::diagnostics::{CODES, Code, Diagnostic, Profile, Severity, nearest};
use std::path::{Component, Path, PathBuf};

/// A choice of codes: `RT011`, `RT0`, `RM`, `regex-line-anchors`, `ALL`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selector(Vec<Code>);

impl Selector {
    /// The codes that a text stands for.
    ///
    /// # Errors
    /// When it stands for none: what was probably meant.
    pub fn parse(text: &str) -> Result<Selector, String> {
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
            let near = nearest(text.trim(), known).map(|n| format!("did you mean `{n}`?"));
            return Err(near
                .unwrap_or_else(|| "list the codes with `rtype explain --list`; `RT0` selects all that start with it, `ALL` all".into()));
        }
        Ok(Selector(codes))
    }

    /// The codes.
    pub fn codes(&self) -> impl Iterator<Item = Code> + '_ {
        self.0.iter().copied()
    }

    /// Whether a code is among them.
    pub fn holds(&self, code: Code) -> bool {
        self.0.contains(&code)
    }
}

/// What is told of what.
#[derive(Clone, Debug)]
pub struct Selection {
    /// What is asked for in general.
    pub profile: Profile,
    /// Told, too, whatever the profile says.
    pub select: Vec<Selector>,
    /// Not told; wins over `select`.
    pub ignore: Vec<Selector>,
    /// Another weight than the table's.
    pub severities: IndexMap<Code, Severity>,
    /// Files that are told less.
    pub per_file: Vec<PerFile>,
    /// How names of files relate to the folder that all of this is about.
    pub root: Root,
    /// How many findings of each severity are kept whole; the others are only counted.
    pub most_kept: usize,
}

/// The folder of the repository, and where in it the program runs.
#[derive(Clone, Debug, Default)]
pub struct Root {
    /// The repository's folder, as an absolute path; empty where there is none.
    pub folder: PathBuf,
    /// The path from there to the folder in which the program runs.
    pub inside: PathBuf,
}

impl Root {
    /// A name on the command line as a path from the repository's folder, with slashes and without dots.
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

/// How many findings of each severity a run keeps whole: ten times what is shown by default.
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

/// Whether a code may be silenced. What makes a type or resource unusable may not: everything behind it would be a guess.
pub fn is_ignorable(code: Code) -> bool {
    code.info().severity != Severity::Error || super::rule(code).is_some()
}

impl Selection {
    /// Whether findings of this code are told.
    pub fn tells(&self, code: Code) -> bool {
        if !is_ignorable(code) {
            return true;
        }
        let chosen = code.info().profile <= self.profile || self.select.iter().any(|s| s.holds(code));
        chosen && !self.ignore.iter().any(|s| s.holds(code))
    }

    /// Whether findings of this code are told in a file of this name.
    pub fn tells_in(&self, code: Code, file: &str) -> bool {
        if self.per_file.is_empty() { self.tells(code) } else { self.tells_at(code, &self.root.place(file)) }
    }

    /// The same for a file by its path from the repository's folder.
    pub fn tells_at(&self, code: Code, place: &str) -> bool {
        let quiet = || self.per_file.iter().any(|p| p.ignore.iter().any(|s| s.holds(code)) && p.files.is_match(place));
        self.tells(code) && (!is_ignorable(code) || !quiet())
    }

    /// The finding with the weight that it has here.
    pub fn weigh(&self, mut diagnostic: Diagnostic) -> Diagnostic {
        diagnostic.severity = self.weight(diagnostic.code).unwrap_or(diagnostic.severity);
        diagnostic
    }

    /// The severity that is configured for a code.
    pub(super) fn weight(&self, code: Code) -> Option<Severity> {
        self.severities.get(&code).copied().filter(|_| is_ignorable(code))
    }
}
