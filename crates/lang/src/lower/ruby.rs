//! Ruby functions, locals and modules used in Puppet's types, each with an alternative.

use crate::diagnostics::{Code, Diagnostic};
use crate::source::Span;

const PROGRAMS: &str =
    "programs are run by the provider's native code: declare the method with `queries [m]` or `actions [m]`, and ask `provider.m`";
const PATHS: &str =
    "use the path methods of strings: `p.absolute?`, `p.basename`, `path(p, \"x\")`; `exists(p)` checks whether a path exists";
const SAME: &str = "a block gives the same for the same; what depends on time or chance is asked of the provider";
const ATTRIBUTES: &str = "an attribute is read as `self.x`, and `self.raw(:x)` is what was given";
const DOCUMENTS: &str = "write `parse_json(text)`, `to_json(value)`, `parse_yaml(text)`, `to_yaml(value)`";

const MODULES: &[(&[&str], &str)] = &[
    (&["Facter"], "write `fact(\"os.family\")`"),
    (
        &["Puppet"],
        "settings are `setting(\"name\")`, features `feature(\"name\")`, other types `catalog.type(:name)`, messages `warning(\"…\")`",
    ),
    (&["File", "FileTest", "FileUtils", "Dir", "Pathname", "IO"], PATHS),
    (&["Regexp"], "write `re(text)`, and `re_escape(text)` for literal text"),
    (&["URI"], "write `uri(text)`; `u.scheme`, `u.host` and so on are methods of strings"),
    (&["IPAddr"], "write `ip(text)`; `a.ipv4?`, `a.in_network?(n)` and so on are methods of texts"),
    (&["Time", "Date", "DateTime", "Random"], SAME),
    (&["Etc", "Process"], "write `current_user()`, `uid_of(name)`, `gid_of(name)`, `home_dir(name)`"),
    (&["JSON", "YAML"], DOCUMENTS),
    (&["Digest"], "write `md5(text)`, `sha256(text)`"),
    (&["Gem"], "write `gem_versioncmp(a, b)`, `gem_satisfies(version, \"~> 1.2\")`"),
    (&["Open3", "Kernel", "ENV"], PROGRAMS),
];

const FUNCTIONS: &[(&[&str], &str)] = &[
    (&["execute", "execpipe", "system", "spawn"], PROGRAMS),
    (&["property", "parameter", "value", "should"], ATTRIBUTES),
    (&["rand", "sleep"], SAME),
    (&["absolute_path?"], "write `path.absolute?`"),
    (&["_", "n_"], "write the text itself, with values in it as `#{x}`"),
    (&["raise", "devfail"], "write `fail \"…\"`"),
];

fn find(table: &[(&[&str], &'static str)], name: &str) -> Option<&'static str> {
    table.iter().find(|(names, _)| names.contains(&name)).map(|(_, instead)| *instead)
}

/// Returns the alternative to a Ruby function.
pub(super) fn function(name: &str) -> Option<&'static str> {
    find(FUNCTIONS, name)
}

/// Returns the alternative to a local in Puppet's blocks.
pub(super) fn local(name: &str) -> Option<&'static str> {
    match name {
        "resource" => Some(ATTRIBUTES),
        "facts" | "trusted" => Some("read facts with a function: `fact(\"os.family\")`"),
        _ => None,
    }
}

/// Returns `true` for functions that Puppet's blocks call as `self.fail`, and rtype's blocks without `self`.
pub(super) fn statement(name: &str) -> bool {
    ["fail", "debug", "info", "notice", "warning", "err"].contains(&name)
}

/// Returns a diagnostic for the use of a Ruby module.
pub(super) fn module(name: &str, span: Span) -> Option<Diagnostic> {
    let instead = find(MODULES, name)?;
    Some(Diagnostic::new(Code::RubyCode, span, format!("`{name}` is a module of Ruby")).help(instead))
}
