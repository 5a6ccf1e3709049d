//! `rtype.toml`: the configuration of a repository.

mod document;

use super::select::{Root, Selection, Selector, SelectorError};
use document::{Document, Text};
use globset::{Glob, GlobBuilder, GlobMatcher, GlobSet};
use rtype_lang::diagnostics::{Diagnostic, Profile, Severity};
use rtype_lang::source::{Source, Span};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use toml::Spanned;
use toml::de::DeValue;

/// The name of the file.
pub const FILE: &str = "rtype.toml";

/// A path in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigSetting {
    /// As written: relative to the file.
    pub path: PathBuf,
    /// Where it is written.
    pub span: Span,
}

/// The content of the file.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// Files to skip.
    pub exclude: GlobSet,
    /// Directories of types, as written: relative to the file.
    pub types: Vec<ConfigSetting>,
    /// The rules that are reported.
    pub selection: Selection,
    /// The largest accepted number of warnings.
    pub max_warnings: Option<usize>,
    /// The baseline, as written: relative to the file.
    pub baseline: Option<ConfigSetting>,
    /// The maximum width of formatted lines.
    pub line_width: Option<usize>,
}

/// Rules that are ignored for some files.
#[derive(Clone, Debug)]
pub struct PerFile {
    /// The files, relative to the directory of the configuration.
    pub files: GlobMatcher,
    /// The rules.
    pub ignore: Vec<Selector>,
}

/// Parses the configuration; `root` relates file names to its directory.
///
///
/// # Errors
///
/// Returns RT408 for each error: unknown keys and rules, values with a wrong type, invalid patterns, another rtype version.
pub fn parse(source: &Source, root: Root) -> Result<Config, Vec<Diagnostic>> {
    let table = document::parse(source).map_err(|wrong| vec![wrong])?;
    let mut read = Document { source, found: Vec::new() };
    let mut config = Config { selection: Selection { root, ..Selection::default() }, ..Config::default() };
    let setting = |text: Text| ConfigSetting { path: text.text.into(), span: text.span };
    for (key, value) in table.get_ref() {
        let name = key.get_ref().as_ref();
        let selection = &mut config.selection;
        match name {
            "required-version" => read.text(name, value).into_iter().for_each(|text| check_version(&text, &mut read)),
            "types" => config.types = read.texts(name, value).into_iter().map(setting).collect(),
            "exclude" => {
                let patterns = read.texts(name, value);
                let globs: Vec<Glob> = patterns.iter().filter_map(|pattern| glob(pattern, &mut read)).collect();
                match GlobSet::new(globs) {
                    Ok(set) => config.exclude = set,
                    Err(why) => read.report(read.span(key), format!("invalid file patterns: {}", why.kind()), "shorten the list"),
                }
            }
            "profile" => selection.profile = read.word(name, value, PROFILES).unwrap_or(Profile::Default),
            "select" => selection.select = selectors(name, value, Selector::parse, &mut read),
            "ignore" => selection.ignore = selectors(name, value, Selector::parse_ignored, &mut read),
            "max-warnings" => config.max_warnings = read.number(name, value, 0..=usize::MAX),
            "baseline" => config.baseline = read.text(name, value).map(setting),
            "line-width" => config.line_width = read.number(name, value, LINE_WIDTHS),
            "severity" => {
                for (code, severity) in read.entries(name, value) {
                    let codes = selector(&code, Selector::parse_ignored, &mut read);
                    let severity = read.word(&code.text, severity, SEVERITIES);
                    if let (Some(codes), Some(severity)) = (codes, severity) {
                        selection.severities.extend(codes.codes().map(|code| (code, severity)));
                    }
                }
            }
            "per-file" => {
                for (pattern, list) in read.entries(name, value) {
                    let ignore = selectors(&pattern.text, list, Selector::parse_ignored, &mut read);
                    selection.per_file.extend(glob(&pattern, &mut read).map(|files| PerFile { files: files.compile_matcher(), ignore }));
                }
            }
            _ => read.unknown(name, read.span(key), value),
        }
    }
    if read.found.is_empty() { Ok(config) } else { Err(read.found) }
}

const PROFILES: &[(&str, Profile)] = &[("min", Profile::Min), ("default", Profile::Default), ("strict", Profile::Strict)];
const SEVERITIES: &[(&str, Severity)] = &[("note", Severity::Note), ("warning", Severity::Warning), ("error", Severity::Error)];

/// Allowed widths of formatted lines.
pub const LINE_WIDTHS: RangeInclusive<usize> = 20..=1000;

fn glob(pattern: &Text, read: &mut Document<'_>) -> Option<Glob> {
    match GlobBuilder::new(&pattern.text).literal_separator(true).build() {
        Ok(glob) => Some(glob),
        Err(error) => {
            let help = "use `*` for part of a name and `**` for any directories: `types/legacy/**`";
            read.report(pattern.span, format!("invalid file pattern: {}", error.kind()), help);
            None
        }
    }
}

/// [`Selector::parse`] or [`Selector::parse_ignored`].
type ParseSelector = fn(&str) -> Result<Selector, SelectorError>;

fn selectors(key: &str, value: &Spanned<DeValue<'_>>, parse: ParseSelector, read: &mut Document<'_>) -> Vec<Selector> {
    read.texts(key, value).iter().filter_map(|text| selector(text, parse, read)).collect()
}

fn selector(text: &Text, parse: ParseSelector, read: &mut Document<'_>) -> Option<Selector> {
    parse(&text.text).map_err(|why| read.report(text.span, why.to_string(), why.help())).ok()
}

fn check_version(required: &Text, read: &mut Document<'_>) {
    let own = env!("CARGO_PKG_VERSION");
    match semver::VersionReq::parse(&required.text) {
        Ok(range) if semver::Version::parse(own).is_ok_and(|own| range.matches(&own)) => {}
        Ok(_) => read.report(
            required.span,
            format!("this is rtype {own}, but the repository requires `{}`", required.text),
            "install a matching version, or change `required-version`",
        ),
        Err(_) => {
            read.report(required.span, format!("invalid version range `{}`", required.text), "write `>=0.1`, `0.1` or `=0.1.3`");
        }
    }
}
