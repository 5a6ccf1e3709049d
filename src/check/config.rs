//! `rtype.toml`: what a repository wants of its checks.

use super::select::{Root, Selection, Selector};
use crate::diagnostics::{Code, Diagnostic, Profile, Severity, did_you_mean};
use crate::source::{Source, Span};
use globset::{GlobBuilder, GlobMatcher};
use indexmap::IndexMap;
use serde::Deserialize;
use std::path::PathBuf;
use toml::Spanned;

/// The name of the file.
pub const FILE: &str = "rtype.toml";

/// A path that the file names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// As written: relative to the file.
    pub path: PathBuf,
    /// Where it is written.
    pub span: Span,
}

/// What the file says.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// Files that are left out when folders are walked.
    pub exclude: Vec<GlobMatcher>,
    /// Directories of types, as written: relative to the file.
    pub types: Vec<Setting>,
    /// What is told.
    pub selection: Selection,
    /// How many warnings are borne.
    pub max_warnings: Option<usize>,
    /// The baseline, as written: relative to the file.
    pub baseline: Option<Setting>,
    /// How wide formatted text may be.
    pub line_width: Option<usize>,
}

/// The file as it is written.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct Written {
    required_version: Option<Spanned<String>>,
    types: Vec<Spanned<PathBuf>>,
    exclude: Vec<Spanned<String>>,
    profile: Option<Profile>,
    select: Vec<Spanned<String>>,
    ignore: Vec<Spanned<String>>,
    max_warnings: Option<usize>,
    baseline: Option<Spanned<PathBuf>>,
    line_width: Option<usize>,
    severity: IndexMap<Spanned<String>, Severity>,
    per_file: IndexMap<Spanned<String>, Vec<Spanned<String>>>,
}

/// Files that are told less.
#[derive(Clone, Debug)]
pub struct PerFile {
    /// Which files, from the folder of the configuration.
    pub files: GlobMatcher,
    /// What they are not told.
    pub ignore: Vec<Selector>,
}

/// Reads the configuration; `root` tells how names of files relate to the folder in which it stands.
///
/// # Errors
/// RT408 for each mistake: keys and rules that do not exist, patterns that are none, another version of rtype.
pub fn parse(source: &Source, root: Root) -> Result<Config, Vec<Diagnostic>> {
    let written: Written = toml::from_str(source.text()).map_err(|error| vec![explain(&error, source)])?;
    let mut found = Vec::new();
    if let Some(version) = &written.required_version {
        found.extend(wrong_version(version, source));
    }
    let codes = |list: &[Spanned<String>], found: &mut Vec<Diagnostic>| -> Vec<Selector> {
        list.iter().filter_map(|text| selector(text, source, found)).collect()
    };
    let (select, ignore) = (codes(&written.select, &mut found), codes(&written.ignore, &mut found));
    let mut severities = IndexMap::new();
    for (code, severity) in &written.severity {
        for code in codes(std::slice::from_ref(code), &mut found).iter().flat_map(Selector::codes) {
            severities.insert(code, *severity);
        }
    }
    let mut per_file = Vec::new();
    for (pattern, list) in &written.per_file {
        let ignore = codes(list, &mut found);
        per_file.extend(matcher(pattern, source, &mut found).map(|files| PerFile { files, ignore }));
    }
    let exclude = written.exclude.iter().filter_map(|pattern| matcher(pattern, source, &mut found)).collect();
    if !found.is_empty() {
        return Err(found);
    }
    let setting = |path: Spanned<PathBuf>| Setting { span: source.span_of(path.span()), path: path.into_inner() };
    let profile = written.profile.unwrap_or(Profile::Default);
    Ok(Config {
        exclude,
        types: written.types.into_iter().map(setting).collect(),
        selection: Selection { profile, select, ignore, severities, per_file, root },
        max_warnings: written.max_warnings,
        baseline: written.baseline.map(setting),
        line_width: written.line_width,
    })
}

fn matcher(pattern: &Spanned<String>, source: &Source, found: &mut Vec<Diagnostic>) -> Option<GlobMatcher> {
    match GlobBuilder::new(pattern.get_ref()).literal_separator(true).build() {
        Ok(glob) => Some(glob.compile_matcher()),
        Err(error) => {
            let message = format!("this is no pattern of files: {}", error.kind());
            found.push(
                Diagnostic::new(Code::BadConfiguration, source.span_of(pattern.span()), message)
                    .help("`*` stands for a part of a name, `**` for any folders: `types/legacy/**`"),
            );
            None
        }
    }
}

fn selector(text: &Spanned<String>, source: &Source, found: &mut Vec<Diagnostic>) -> Option<Selector> {
    Selector::parse(text.get_ref())
        .map_err(|help| {
            let message = format!("there is no rule `{}`", text.get_ref());
            found.push(Diagnostic::new(Code::BadConfiguration, source.span_of(text.span()), message).help(help));
        })
        .ok()
}

fn wrong_version(wanted: &Spanned<String>, source: &Source) -> Option<Diagnostic> {
    let own = env!("CARGO_PKG_VERSION");
    let problem = match semver::VersionReq::parse(wanted.get_ref()) {
        Ok(range) if semver::Version::parse(own).is_ok_and(|own| range.matches(&own)) => return None,
        Ok(_) => Diagnostic::new(
            Code::BadConfiguration,
            source.span_of(wanted.span()),
            format!("this is rtype {own}, which the repository does not want"),
        )
        .help("install a version that fits, or change `required-version`"),
        Err(error) => {
            Diagnostic::new(Code::BadConfiguration, source.span_of(wanted.span()), format!("this is no range of versions: {error}"))
                .help("write `>=0.1`, `0.1` or `=0.1.3`")
        }
    };
    Some(problem)
}

/// What the TOML reader has to say, in our words where we know better.
fn explain(error: &toml::de::Error, source: &Source) -> Diagnostic {
    let span = error.span().map_or(Span::NONE, |range| source.span_of(range));
    let message = error.message();
    let mut words = message.split('`');
    let (what, wrong) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let said = match what {
        "unknown field " => Some(format!("`{FILE}` has no key `{wrong}`")),
        "unknown variant " => Some(format!("`{wrong}` is none of the words that can stand here")),
        _ => None,
    };
    if let Some(said) = said {
        let known: Vec<&str> = words.skip(1).step_by(2).collect();
        return Diagnostic::new(Code::BadConfiguration, span, said).maybe_help(did_you_mean(wrong, known.iter().copied()));
    }
    let line = message.lines().next().unwrap_or_default();
    Diagnostic::new(Code::BadConfiguration, span, format!("this cannot be read: {line}"))
        .help("docs/linter.md shows all keys; texts stand in quotes, lists in brackets")
}
