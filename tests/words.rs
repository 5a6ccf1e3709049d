//! Comments, messages, documents and names use plain, current English. `words.txt` lists words to avoid and their replacements,
//! `words-allowed.txt` lists exceptions with reasons.

use regex::{Regex, RegexBuilder};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The number of phrases that are neither replaced nor allowed. Lower the number with each change that removes some, and never raise it.
const PHRASES_LEFT: usize = 0;

/// The number of identifiers that are neither replaced nor allowed. Lower the number with each change that removes some, and never raise
/// it.
const IDENTIFIERS_LEFT: usize = 0;

/// The maximum numbers of phrases and identifiers that the list of exceptions may cover.
const MAX_ALLOWED: (usize, usize) = (100, 50);

/// The extensions of files with prose of the project.
const EXTENSIONS: &[&str] = &["rs", "md", "rtype", "pest", "toml", "yml", "yaml", "lua", "ts", "js", "sh", "py"];

/// Recorded results, Puppet's own prose, generated files and code with intended mistakes.
const SKIPPED: &[&str] = &[
    "tests/oracle",
    "tests/corpus",
    "tests/regex",
    "tests/fixtures",
    "tests/snapshots",
    "tests/catalogs",
    "tests/lab/scenarios",
    "tests/puppet",
    "tests/schemas",
    "tests/proof",
    "CODE_OF_CONDUCT.md",
    "fuzz/corpus",
    "editors/vscode/out",
];

#[derive(Deserialize)]
struct Vocabulary {
    phrase: Vec<Entry>,
    identifier: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    pattern: String,
    #[serde(default)]
    unless: Vec<String>,
    write: String,
}

impl Entry {
    fn regex(&self, ignore_case: bool) -> Regex {
        RegexBuilder::new(&self.pattern).case_insensitive(ignore_case).build().unwrap()
    }

    /// Returns the occurrences of the wording in a string.
    fn matches<'t>(&self, regex: &Regex, text: &'t str) -> Vec<&'t str> {
        let excepted = |end: usize| self.unless.iter().any(|next| starts_with_words(&text[end..], next));
        regex.find_iter(text).filter(|m| !excepted(m.end())).map(|m| m.as_str()).collect()
    }
}

/// Returns whether a string begins with these words, followed by the end of a word.
fn starts_with_words(text: &str, words: &str) -> bool {
    text.strip_prefix(words).is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
}

/// An exception: a fragment of a line, and the file.
struct Exception {
    path: String,
    fragment: String,
}

fn exceptions() -> Vec<Exception> {
    let text = fs::read_to_string("tests/words-allowed.txt").unwrap();
    for group in text.split("\n\n").filter(|group| !group.trim().is_empty()) {
        assert!(
            group.trim_start().starts_with("# "),
            "tests/words-allowed.txt: a group of exceptions starts with `# ` and its reason:\n{group}"
        );
    }
    let entries = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let split =
        entries.map(|line| line.split_once(": ").unwrap_or_else(|| panic!("tests/words-allowed.txt: `path: fragment` expected: {line}")));
    split.map(|(path, fragment)| Exception { path: path.to_owned(), fragment: fragment.to_owned() }).collect()
}

/// Collects the files with prose of the project.
fn files(directory: &Path, out: &mut Vec<String>) {
    let mut entries: Vec<_> = fs::read_dir(directory).unwrap().map(|e| e.unwrap().path()).collect();
    entries.sort();
    for entry in entries {
        let path = entry.strip_prefix(".").unwrap_or(&entry).to_str().unwrap().to_owned();
        let name = entry.file_name().unwrap().to_str().unwrap();
        if name == "target"
            || name == "node_modules"
            || (name.starts_with('.') && name != ".ci")
            || SKIPPED.iter().any(|s| path.starts_with(s))
        {
            continue;
        }
        if entry.is_symlink() {
            continue;
        }
        if entry.is_dir() {
            files(&entry, out);
        } else if path.starts_with(".ci/") || entry.extension().is_some_and(|e| EXTENSIONS.iter().any(|x| e == *x)) {
            out.push(path);
        }
    }
}

/// Returns the prose in a line: the whole line of a document, the strings and comments in code.
fn prose(path: &str, line: &str, strings: &Regex, comment: &Regex) -> String {
    if path.ends_with(".md") {
        return line.to_owned();
    }
    let mut parts: Vec<&str> = strings.captures_iter(line).map(|c| c.get(1).unwrap().as_str()).collect();
    parts.extend(comment.captures(line).map(|c| c.get(1).unwrap().as_str()));
    if path.ends_with(".rtype") {
        // Strings may span several lines.
        parts = vec![line];
    }
    parts.join(" | ")
}

#[test]
fn text_and_names_are_plain_english() {
    let vocabulary: Vocabulary = toml::from_str(&fs::read_to_string("tests/words.txt").unwrap()).unwrap();
    let phrases: Vec<(Regex, &Entry)> = vocabulary.phrase.iter().map(|e| (e.regex(true), e)).collect();
    let identifiers: Vec<(Regex, &Entry)> = vocabulary.identifier.iter().map(|e| (e.regex(false), e)).collect();
    let strings = Regex::new(r#""((?:[^"\\]|\\.)*)""#).unwrap();
    let comment = Regex::new(r"(?:^|\s)(?://[/!]?|#)\s(.*)$").unwrap();
    let exceptions = exceptions();

    let mut paths = Vec::new();
    files(Path::new("."), &mut paths);
    assert!(paths.iter().any(|path| path == "src/main.rs"), "the test runs in the directory of the package");

    let mut used = vec![false; exceptions.len()];
    let mut allowed = (0, 0);
    let (mut text, mut names) = (Vec::new(), Vec::new());
    for path in &paths {
        let content = String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned();
        for (number, line) in content.lines().enumerate() {
            let readable = prose(path, line, &strings, &comment);
            // The texts there are Puppet's own messages.
            let of_compiler = ["crates/manifest/src/compile/", "crates/manifest/src/functions/", "crates/manifest/tests/"];
            let is_compiler = of_compiler.iter().any(|directory| path.starts_with(directory));
            let code = if is_compiler { strings.replace_all(line, "") } else { line.into() };
            for (entries, line_text, found, covered) in
                [(&phrases, readable.as_str(), &mut text, &mut allowed.0), (&identifiers, &*code, &mut names, &mut allowed.1)]
            {
                for (regex, entry) in entries {
                    for wording in entry.matches(regex, line_text) {
                        match exceptions.iter().position(|e| e.path == *path && line.contains(&e.fragment)) {
                            Some(index) => {
                                used[index] = true;
                                *covered += 1;
                            }
                            None => found.push(format!(
                                "{path}:{}: `{}`, write {}: {}",
                                number + 1,
                                wording.trim(),
                                entry.write,
                                line.trim().chars().take(120).collect::<String>()
                            )),
                        }
                    }
                }
            }
        }
    }

    let unused: Vec<String> =
        exceptions.iter().zip(&used).filter(|(_, used)| !**used).map(|(e, _)| format!("{}: {}", e.path, e.fragment)).collect();
    assert!(unused.is_empty(), "unused exceptions in tests/words-allowed.txt:\n{}", unused.join("\n"));
    assert!(
        allowed.0 <= MAX_ALLOWED.0 && allowed.1 <= MAX_ALLOWED.1,
        "tests/words-allowed.txt covers {} phrases and {} identifiers, at most {} and {} are allowed",
        allowed.0,
        allowed.1,
        MAX_ALLOWED.0,
        MAX_ALLOWED.1
    );
    for (found, left, constant) in [(text, PHRASES_LEFT, "PHRASES_LEFT"), (names, IDENTIFIERS_LEFT, "IDENTIFIERS_LEFT")] {
        println!("{} left, {constant} is {left}", found.len());
        assert!(found.len() <= left, "{}\n\n{} places, {constant} is {left}:\n{}", found.join("\n"), found.len(), by_directory(&found));
    }
}

/// Counts occurrences by top-level directory.
fn by_directory(found: &[String]) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for place in found {
        *counts.entry(place.split(['/', ':']).next().unwrap()).or_default() += 1;
    }
    counts.iter().map(|(directory, count)| format!("{count:6} {directory}")).collect::<Vec<_>>().join("\n")
}
