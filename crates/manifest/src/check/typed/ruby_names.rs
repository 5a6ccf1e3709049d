//! The names of the functions that modules define in Ruby or in Puppet's language, without a namespace.

use crate::check::modules::Modules;
use ecow::EcoString;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// The directories with functions, in modules and in an environment.
const DIRECTORIES: [&str; 3] = ["functions", "lib/puppet/functions", "lib/puppet/parser/functions"];

/// The calls in Ruby that define a function.
const DEFINITIONS: [&str; 2] = ["newfunction", "create_function"];

/// Returns the names of the functions that the modules on the module path, the checked modules and the environment define.
pub(super) fn plain_functions(modules: &Modules<'_>) -> HashSet<EcoString> {
    let files = modules.types().files();
    let roots = modules.all().into_iter().chain(modules.environment());
    let directories: Vec<PathBuf> = roots.flat_map(|root| DIRECTORIES.map(|directory| root.join(directory))).collect();
    let mut names = HashSet::new();
    for path in directories.iter().flat_map(|directory| files.entries(directory)) {
        let Some(stem) = path.file_stem().and_then(|stem| stem.to_str()) else { continue };
        names.insert(EcoString::from(stem));
        // A file can define several functions.
        if path.extension().is_some_and(|extension| extension == "rb")
            && let Ok(text) = files.read(&path.to_string_lossy(), false)
        {
            names.extend(DEFINITIONS.iter().flat_map(|definition| defined(&text, definition)));
        }
    }
    names
}

/// Returns the names after each call that defines a function.
fn defined<'t>(text: &'t str, definition: &'t str) -> impl Iterator<Item = EcoString> + 't {
    text.split(definition).skip(1).filter_map(|rest| {
        let name = rest.trim_start_matches(['(', ' ', ':', '\'', '"']);
        let end = name.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(name.len());
        name.get(..end).filter(|name| !name.is_empty()).map(EcoString::from)
    })
}

/// Returns the names of the modules in a `Puppetfile`; `None` if it has other Ruby code than calls of `mod`.
pub(in crate::check) fn puppetfile_modules(text: &str) -> Option<HashSet<EcoString>> {
    let mut names = HashSet::new();
    for line in text.lines().map(str::trim) {
        let line = line.split_once('#').map_or(line, |(code, _)| code.trim_end());
        let word = line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or_default();
        match word {
            "mod" => {
                let name = line.trim_start_matches("mod").trim_start_matches(['(', ' ', '\'', '"']);
                let end = name.find(['\'', '"'])?;
                let name = name.get(..end)?;
                names.insert(EcoString::from(name.rsplit(['/', '-']).next().unwrap_or(name)));
            }
            // Options of a module in the following lines.
            "" | "forge" | "moduledir" => {}
            _ if line.contains("=>") || Path::new(word).extension().is_none() && line.starts_with(&format!("{word}:")) => {}
            _ => return None,
        }
    }
    Some(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_of_a_puppetfile_are_read_unless_it_computes() {
        let text = "forge 'https://forge.example'\n\nmod 'puppetlabs/stdlib', '9.0.0' # used\nmod \"x-ntp\",\n  git: 'u',\n  :ref => 'a'\nmod 'own', :local => true\n";
        let mut names: Vec<_> = puppetfile_modules(text).unwrap().into_iter().collect();
        names.sort();
        assert_eq!(names, ["ntp", "own", "stdlib"]);
        assert!(puppetfile_modules("%w[a b].each do |m|\n  mod m\nend\n").is_none());
    }
}
