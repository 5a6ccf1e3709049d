//! Which findings are told, and how much they weigh.

use crate::diagnostics::{CODES, Code, Diagnostic, Profile, Severity, nearest};
use indexmap::IndexMap;

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
            return Err(near.unwrap_or_else(|| "`rtype explain --list` shows all codes; `RT0` means all that begin so, `ALL` all".into()));
        }
        Ok(Selector(codes))
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
}

impl Default for Selection {
    fn default() -> Self {
        Selection { profile: Profile::Default, select: Vec::new(), ignore: Vec::new(), severities: IndexMap::new() }
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

    /// The finding with the weight that it has here.
    pub fn weigh(&self, mut diagnostic: Diagnostic) -> Diagnostic {
        if is_ignorable(diagnostic.code)
            && let Some(severity) = self.severities.get(&diagnostic.code)
        {
            diagnostic.severity = *severity;
        }
        diagnostic
    }
}
