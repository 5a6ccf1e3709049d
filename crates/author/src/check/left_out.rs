//! Files that a run did not check, by kind and reason.

use super::{Checked, limits::ComputedValues};
use indexmap::IndexMap;
use rtype_lang::diagnostics::Code;
use std::path::Path;

/// A file or directory that a run did not check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// The path, for messages; empty if a finding names the path.
    pub path: String,
    /// The reason why the file or directory was not checked.
    pub reason: LeftOutReason,
}

/// The reason why a file or directory was not checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LeftOutReason {
    /// JSON or YAML without resources.
    NoResources,
    /// JSON or YAML with a syntax error, or with several documents.
    NotData,
    /// Ruby that is neither a type nor a provider.
    NoTypeOrProvider,
    /// `exclude` in `rtype.toml`.
    Excluded,
    /// A file with a leading dot in its name.
    Hidden,
    /// A directory with a leading dot in its name.
    HiddenDirectory,
    /// A directory of dependencies or build output.
    Vendored,
    /// A symbolic link to a directory.
    LinkedDirectory,
    /// A directory that is nested too deeply.
    TooDeep,
    /// A file with a name that is not UTF-8.
    BadName,
    /// A file or directory that cannot be read.
    Unreadable,
    /// A file that is not UTF-8.
    NotText,
    /// A file above the maximum size.
    TooLarge,
    /// A symbolic link to a target outside of the repository.
    OutsideRepository,
}

impl LeftOutReason {
    /// Returns the reason for a code that reports an unread file; `None` for other codes.
    pub fn of(code: Code) -> Option<LeftOutReason> {
        match code {
            Code::CannotRead => Some(LeftOutReason::Unreadable),
            Code::NotUtf8 | Code::NotText => Some(LeftOutReason::NotText),
            Code::TooLarge => Some(LeftOutReason::TooLarge),
            Code::OutsideRoot => Some(LeftOutReason::OutsideRepository),
            _ => None,
        }
    }

    /// Returns the identifier in machine-readable output.
    pub fn id(self) -> &'static str {
        match self {
            LeftOutReason::NoResources => "no-resources",
            LeftOutReason::NotData => "not-data",
            LeftOutReason::NoTypeOrProvider => "no-type-or-provider",
            LeftOutReason::Excluded => "excluded",
            LeftOutReason::Hidden | LeftOutReason::HiddenDirectory => "hidden",
            LeftOutReason::Vendored => "vendored",
            LeftOutReason::LinkedDirectory => "linked-directory",
            LeftOutReason::TooDeep => "too-deep",
            LeftOutReason::BadName => "bad-name",
            LeftOutReason::Unreadable => "unreadable",
            LeftOutReason::NotText => "not-text",
            LeftOutReason::TooLarge => "too-large",
            LeftOutReason::OutsideRepository => "outside-repository",
        }
    }

    /// Returns the reason as part of a sentence.
    pub(super) fn text(self) -> &'static str {
        match self {
            LeftOutReason::NoResources => "no resources",
            LeftOutReason::NotData => "syntax errors or several documents",
            LeftOutReason::NoTypeOrProvider => "no type or provider",
            LeftOutReason::Excluded => "excluded by `rtype.toml`",
            LeftOutReason::Hidden | LeftOutReason::HiddenDirectory => "hidden",
            LeftOutReason::Vendored => "target, node_modules or vendor",
            LeftOutReason::LinkedDirectory => "linked",
            LeftOutReason::TooDeep => "nested too deeply",
            LeftOutReason::BadName => "name is not UTF-8",
            LeftOutReason::Unreadable => "unreadable",
            LeftOutReason::NotText => "not UTF-8 text",
            LeftOutReason::TooLarge => "too large",
            LeftOutReason::OutsideRepository => "outside of the repository",
        }
    }
}

impl LeftOut {
    /// Returns the kind of the file in the singular, or `directory`.
    pub fn kind(&self) -> &'static str {
        use LeftOutReason::{HiddenDirectory, LinkedDirectory, TooDeep, Vendored};
        match self.reason {
            HiddenDirectory | LinkedDirectory | TooDeep | Vendored => "directory",
            _ => match Path::new(&self.path).extension().and_then(|e| e.to_str()) {
                Some("rtype") => "type file",
                Some("rb") => "Ruby file",
                Some("pp") => "manifest",
                Some("json" | "yaml" | "yml") => "data file",
                _ => "file",
            },
        }
    }
}

/// Unchecked files of the same kind and reason.
#[derive(Debug)]
pub struct LeftOutGroup<'a> {
    /// The kind of files, in the singular.
    pub kind: &'static str,
    /// The reason.
    pub reason: LeftOutReason,
    /// The number of files.
    pub count: usize,
    /// The paths of the files, except paths in findings.
    pub paths: Vec<&'a str>,
}

impl LeftOutGroup<'_> {
    /// Returns `3 manifests (need Puppet's compiler)`.
    pub fn text(&self) -> String {
        format!("{} ({})", counted(self.count, self.kind), self.reason.text())
    }
}

/// Groups files by kind and reason, in the order in which they were found.
pub fn left_out_groups(all: &[LeftOut]) -> Vec<LeftOutGroup<'_>> {
    let mut groups: IndexMap<(&str, LeftOutReason), LeftOutGroup<'_>> = IndexMap::new();
    for left_out in all {
        let (kind, reason) = (left_out.kind(), left_out.reason);
        let group = groups.entry((kind, reason)).or_insert(LeftOutGroup { kind, reason, count: 0, paths: Vec::new() });
        group.count += 1;
        group.paths.extend(Some(left_out.path.as_str()).filter(|path| !path.is_empty()));
    }
    groups.into_values().collect()
}

/// Returns `3 manifests (need Puppet's compiler), 1 file (unreadable)`; empty if all files were checked.
pub fn left_out_text(all: &[LeftOut]) -> String {
    left_out_groups(all).iter().map(LeftOutGroup::text).collect::<Vec<_>>().join(", ")
}

fn counted(count: usize, kind: &str) -> String {
    match (count, kind.strip_suffix('y')) {
        (1, _) => format!("1 {kind}"),
        (_, Some(stem)) => format!("{count} {stem}ies"),
        (_, None) => format!("{count} {kind}s"),
    }
}

impl Checked {
    /// Returns how many files of each kind were checked: type files, Ruby files, resource files.
    pub fn checked_kinds(&self) -> Vec<(&'static str, usize)> {
        let mut kinds = IndexMap::from([("type file", 0), ("Ruby file", 0), ("resource file", 0)]);
        for file in &self.files {
            let kind = match Path::new(file).extension().and_then(|e| e.to_str()) {
                Some("rtype") => "type file",
                Some("rb") => "Ruby file",
                _ => "resource file",
            };
            *kinds.entry(kind).or_default() += 1;
        }
        kinds.into_iter().filter(|(_, count)| *count > 0).collect()
    }

    /// Returns `checked 2 type files`.
    pub fn checked_text(&self) -> String {
        let kinds: Vec<String> = self.checked_kinds().into_iter().map(|(kind, count)| counted(count, kind)).collect();
        if kinds.is_empty() { "checked nothing".to_owned() } else { format!("checked {}", kinds.join(", ")) }
    }

    /// Returns `not checked: 3 manifests (need Puppet's compiler)`; `None` if everything was checked.
    pub fn not_checked_text(&self) -> Option<String> {
        let mut parts: Vec<String> = left_out_groups(&self.left_out).iter().map(LeftOutGroup::text).collect();
        if self.limits.parts > 0 {
            let (parts_of, files) = (counted(self.limits.parts, "part"), counted(self.limits.files, "Ruby file"));
            parts.push(format!("{parts_of} of {files} (not translated)"));
        }
        let ComputedValues { values, rules, resources, untyped, changed, required, calls, manifests } = self.computed;
        if values > 0 {
            let rules = if rules > 0 { format!(" and {}", counted(rules, "rule")) } else { String::new() };
            parts.push(format!("{}{rules} of {} (computed)", counted(values, "value"), counted(manifests, "manifest")));
        }
        if resources > 0 {
            parts.push(format!("{} (types of modules that are not on the module path)", counted(resources, "resource")));
        }
        if untyped > 0 {
            parts.push(format!("{} (unknown data types)", counted(untyped, "value")));
        }
        if changed > 0 {
            parts.push(format!("{} of data (may be merged or converted)", counted(changed, "value")));
        }
        if required > 0 {
            parts.push(format!("{} without a default (data not known)", counted(required, "parameter")));
        }
        if calls > 0 {
            parts.push(format!("{} (functions of modules that are not on the module path)", counted(calls, "call")));
        }
        (!parts.is_empty()).then(|| format!("not checked: {}", parts.join(", ")))
    }
}
