//! Edits of a text. Edits that change what the text means are not made.

use crate::tree::fingerprint;
use std::collections::HashMap;
use std::ops::Range;

/// Replaces a byte range by a text.
#[derive(Clone, Debug)]
pub struct Edit {
    pub range: Range<usize>,
    pub text: String,
}

/// Creates an edit.
pub fn edit(range: Range<usize>, text: impl Into<String>) -> Edit {
    Edit { range, text: text.into() }
}

/// Edits that are made together or not at all, and the original names of the locals that they rename.
#[derive(Clone, Debug, Default)]
pub struct Group {
    pub edits: Vec<Edit>,
    pub names: HashMap<String, String>,
}

impl From<Edit> for Group {
    fn from(edit: Edit) -> Group {
        Group { edits: vec![edit], names: HashMap::new() }
    }
}

/// A text with edits.
#[derive(Debug)]
pub struct Edited {
    pub text: String,
    /// Original names of renamed locals.
    pub names: HashMap<String, String>,
    /// Number of groups that were applied.
    pub applied: usize,
}

/// Applies the groups of edits. A group that changes the fingerprint is left out. `None` if the text is not valid Ruby.
pub fn apply(text: &str, groups: &[Group]) -> Option<Edited> {
    let expected = fingerprint(text, &HashMap::new())?;
    let is_same = |some: &[Group]| {
        let edited = applied(text, some)?;
        (fingerprint(&edited.text, &edited.names)? == expected).then_some(edited)
    };
    let mut accepted = Vec::new();
    accept(groups, &mut accepted, &|some| is_same(some).is_some());
    is_same(&accepted)
}

/// Adds the groups that are valid together with those accepted before; halves the list until each rejected group is alone.
fn accept(groups: &[Group], accepted: &mut Vec<Group>, is_valid: &dyn Fn(&[Group]) -> bool) {
    if groups.is_empty() {
        return;
    }
    let all = [accepted.as_slice(), groups].concat();
    if is_valid(&all) {
        *accepted = all;
    } else if let (Some((first, second)), true) = (groups.split_at_checked(groups.len() / 2), groups.len() > 1) {
        accept(first, accepted, is_valid);
        accept(second, accepted, is_valid);
    }
}

/// Returns the text with all edits; `None` if two overlap.
fn applied(text: &str, groups: &[Group]) -> Option<Edited> {
    let mut edits: Vec<&Edit> = groups.iter().flat_map(|g| &g.edits).collect();
    edits.sort_by_key(|e| (e.range.start, e.range.end));
    let (mut out, mut end) = (String::new(), 0);
    for edit in edits {
        out.push_str(text.get(end..edit.range.start)?);
        out.push_str(&edit.text);
        end = edit.range.end;
    }
    out.push_str(text.get(end..)?);
    let names = groups.iter().flat_map(|g| g.names.clone()).collect();
    Some(Edited { text: out, names, applied: groups.len() })
}
