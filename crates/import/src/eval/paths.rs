//! `Pathname`s: paths below the module, with which code finds its other files.

use super::value::{CallArguments, Name, RubyValue};
use super::{Eval, Evaluator, RubyFrame};
use crate::ruby;
use ruby_prism::Node;

impl<'w> Evaluator<'_, 'w> {
    /// Calls a method of a `Pathname`; `None` if it is not known.
    pub(super) fn path_call(
        &mut self,
        frame: &RubyFrame<'w>,
        node: &Node<'w>,
        path: &str,
        method: &str,
        given: &CallArguments<'w>,
    ) -> Option<Eval<'w>> {
        let words: Vec<String> = given.plain.iter().map(RubyValue::word).collect::<Option<_>>()?;
        let of_file = |ruby: &mut Self, method: &str| {
            let plain = std::iter::once(RubyValue::str(path)).chain(given.plain.iter().cloned()).collect();
            ruby.module_file(frame, node, ("IO", method), &CallArguments { plain, ..given.clone() })
        };
        // What Ruby does with other forms of paths is not repeated here.
        let is_simple =
            |path: &str| path == "/" || !path.is_empty() && !path.ends_with('/') && !path.contains("//") && !path.starts_with('~');
        let is_clean = |path: &str| is_simple(path) && path.split('/').all(|part| part != "." && part != "..");
        // `..` leaves a directory only at the start.
        let rest = |path: &str| path.trim_end_matches('/').trim_start_matches("../").trim_start_matches("..").to_owned();
        let may_follow = |next: &str| {
            let leaves = next.starts_with("..") && !path.starts_with('/');
            next.starts_with('/') || !leaves && (rest(next).is_empty() || is_clean(next.trim_start_matches("../")))
        };
        if !is_simple(path) || matches!(method, "+" | "/" | "join") && !(is_clean(path) && words.iter().all(|next| may_follow(next))) {
            return None;
        }
        Some(Ok(match (method, words.as_slice()) {
            ("to_s" | "to_path" | "to_str", []) => RubyValue::str(path),
            ("+" | "/", [_]) | ("join", _) => words.iter().fold(RubyValue::path(path), |path, next| {
                let path = path.word().unwrap_or_default();
                if next.starts_with('/') { RubyValue::path(next) } else { RubyValue::path(&joined(&path, next)) }
            }),
            ("dirname" | "parent", []) => RubyValue::path(&ruby::dirname(path)),
            ("basename", _) if path == "/" => return None,
            ("basename", []) => RubyValue::path(path.rsplit('/').next().unwrap_or_default()),
            ("basename", [suffix]) if !path.rsplit('/').next().unwrap_or_default().starts_with('.') => {
                let name = path.rsplit('/').next().unwrap_or_default();
                let bare = if suffix == ".*" {
                    name.rsplit_once('.').map(|(bare, _)| bare)
                } else {
                    name.strip_suffix(suffix.as_str()).filter(|bare| !bare.is_empty())
                };
                RubyValue::path(bare.unwrap_or(name))
            }
            ("expand_path" | "realpath" | "cleanpath", []) if path.starts_with('/') => RubyValue::path(&ruby::join("/", path)),
            ("expand_path", [directory]) if directory.starts_with('/') => RubyValue::path(&ruby::join(directory, path)),
            ("absolute?", []) => RubyValue::Bool(path.starts_with('/')),
            ("relative?", []) => RubyValue::Bool(!path.starts_with('/')),
            ("exist?", []) => return of_file(self, "exist?"),
            ("read" | "binread" | "readlines", []) => return of_file(self, method),
            ("glob", [pattern]) => {
                let all =
                    self.module_file(frame, node, ("Dir", "glob"), &CallArguments::of(vec![RubyValue::str(joined(path, pattern))]))?;
                return Some(all.map(|found| {
                    let found = self.items_of(&found).unwrap_or_default();
                    RubyValue::array(found.iter().filter_map(RubyValue::word).map(|p| RubyValue::path(&p)).collect())
                }));
            }
            _ => return None,
        }))
    }
}

/// Joins two paths; `..` at the start of the second one leaves a directory of the first.
fn joined(path: &str, next: &str) -> String {
    if path.starts_with('/') { ruby::join(path, next) } else { format!("{path}/{next}") }
}

impl<'w> RubyValue<'w> {
    /// Returns a `Pathname`.
    pub fn path(path: &str) -> RubyValue<'w> {
        RubyValue::Path(Name::from(path))
    }
}
