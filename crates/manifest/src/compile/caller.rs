//! The position of the calling code, and warnings that are logged once per position.

use super::context::CallContext;
use super::failure::EvaluationFailure;
use super::logs::Level;
use super::scope::Owner;
use ecow::EcoString;
use std::path::Path;

/// The functions of Puppet itself that have the 3.x API, some of which only refer to the 4.x API.
const CORE_LEGACY: &[&str] = &[
    "assert_type",
    "binary_file",
    "break",
    "contain",
    "create_resources",
    "defined",
    "dig",
    "digest",
    "each",
    "epp",
    "fail",
    "file",
    "filter",
    "find_file",
    "fqdn_rand",
    "generate",
    "hiera",
    "hiera_array",
    "hiera_hash",
    "hiera_include",
    "include",
    "inline_epp",
    "inline_template",
    "lest",
    "lookup",
    "map",
    "match",
    "md5",
    "new",
    "next",
    "realize",
    "reduce",
    "regsubst",
    "require",
    "return",
    "reverse_each",
    "scanf",
    "sha1",
    "sha256",
    "shellquote",
    "slice",
    "split",
    "sprintf",
    "step",
    "strftime",
    "tag",
    "tagged",
    "template",
    "then",
    "type",
    "versioncmp",
    "with",
];

impl CallContext<'_> {
    /// Logs a warning of Puppet once for each key, with the place if there is one.
    pub fn warn_once(&mut self, key: &str, text: &str, place: Option<(&str, u32)>) {
        if self.evaluator.logs.warned.insert(key.to_owned()) {
            let place = match place {
                Some((file, line)) => format!("(file: {file}, line: {line})"),
                None => "(file & line not available)".to_owned(),
            };
            self.evaluator.log(Level::Warning, EcoString::from(format!("{text}\n   {place}")), None);
        }
    }

    /// Logs a deprecation with its complete text, once for each key.
    pub fn warn_deprecated(&mut self, key: &str, text: &str) {
        if self.evaluator.logs.warned.insert(format!("deprecation {key}")) {
            self.evaluator.log(Level::Warning, text.into(), None);
        }
    }

    /// Returns the files and lines of the calls around the function, the innermost first. The main manifest is at line 0.
    pub fn stack(&self) -> Vec<(Option<String>, u32)> {
        let mut frames = vec![self.place()];
        let mut scope = Some(&self.scope);
        while let Some(current) = scope {
            // Calls around classes and resources are not known.
            if matches!(current.owner, Owner::Class(_) | Owner::Define(_) | Owner::Function(_)) {
                return frames;
            }
            scope = current.parent.as_ref();
        }
        frames.push((None, 0));
        frames
    }

    /// Returns `true` for a file of the environment or the module path.
    ///
    /// # Errors
    /// Refuses other files: whether they exist depends on the machine.
    pub fn exists(&self, path: &Path) -> Result<bool, EvaluationFailure> {
        let files = self.evaluator.files();
        let is_inside = |root: &Path| path.starts_with(root);
        let is_known = files.environment.iter().chain(&files.module_path).any(|root| is_inside(root));
        if !is_known {
            return Err(EvaluationFailure::unsupported(format!("`{}` is outside of the environment and the module path", path.display())));
        }
        Ok(files.is_file(path))
    }

    /// Returns `true` if a function has the 3.x API.
    pub fn has_legacy_function(&self, name: &str) -> bool {
        let relative = format!("lib/puppet/parser/functions/{name}.rb");
        CORE_LEGACY.contains(&name) || self.evaluator.files().any_module_file(&[relative]).is_some()
    }

    /// Returns the class or defined type of the calling code: `Class apache`, `Definition apache::vhost`.
    pub fn definition(&self) -> String {
        let mut scope = Some(&self.scope);
        while let Some(current) = scope {
            match &current.owner {
                Owner::Class(name) => return format!("Class {name}"),
                Owner::Define(name) => return format!("Definition {name}"),
                _ => scope = current.parent.as_ref(),
            }
        }
        "Class ".to_owned()
    }
}
