//! Finds comments in a YAML source; the parser drops comments.

use rtype_lang::data::{DataNode, Kind};
use rtype_lang::source::{Source, Span};

/// Returns comment locations: from a `#` at the start of a word and outside values to the end of the line.
pub fn comments(source: &Source, root: &DataNode) -> Vec<Span> {
    let text = source.text();
    if !text.contains('#') {
        return Vec::new();
    }
    let mut values = Vec::new();
    scalars(root, &mut values);
    values.sort_by_key(|span| span.start);
    let in_value = |at: Span| {
        let behind = values.partition_point(|v| v.start <= at.start);
        behind.checked_sub(1).and_then(|i| values.get(i)).is_some_and(|v| at.start < v.end)
    };
    let mut found = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let begins_word = |at: usize| line.get(..at).is_some_and(|before| before.is_empty() || before.ends_with([' ', '\t']));
        let end = start + line.trim_end().len();
        let span = |(at, _): (usize, &str)| source.span_of(start + at..end);
        found.extend(line.match_indices('#').filter(|(at, _)| begins_word(*at)).map(span).find(|s| !in_value(*s)));
        start += line.len();
    }
    found
}

/// Collects the locations of scalar keys and values.
fn scalars(node: &DataNode, out: &mut Vec<Span>) {
    match &node.kind {
        Kind::Array(items) => items.iter().for_each(|item| scalars(item, out)),
        Kind::Object(pairs) => pairs.iter().for_each(|(key, value)| {
            scalars(key, out);
            scalars(value, out);
        }),
        _ => out.extend([node.span, node.defined]),
    }
}
