//! Functions that nothing calls.

use super::type_decl::Fragment;

/// Returns whether a piece is the function of this name.
pub(super) fn is_function(piece: &Fragment, name: &str) -> bool {
    piece.text.strip_prefix("fn ").and_then(|rest| rest.strip_prefix(name)).is_some_and(|rest| rest.starts_with('('))
}

/// Returns whether a piece calls a function.
pub(super) fn calls(piece: &Fragment, function: &str) -> bool {
    piece.text.contains(&format!("{function}(")) || piece.children.iter().any(|c| calls(c, function))
}

/// Drops functions of mixins that are not called.
pub(super) fn drop_uncalled(pieces: &mut Vec<Fragment>) {
    loop {
        let called = |piece: &Fragment| {
            let name = piece.text.strip_prefix("fn ").and_then(|t| t.split('(').next());
            name.is_some_and(|name| pieces.iter().any(|p| !is_function(p, name) && calls(p, name)))
        };
        let Some(at) = pieces.iter().position(|p| p.mixed_in && !called(p)) else { return };
        pieces.remove(at);
    }
}
