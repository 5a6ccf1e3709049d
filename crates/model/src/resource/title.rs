//! Parses titles into namevars.

use rtype_lang::source::Span;
use rtype_lang::types::{AttrId, TypeDef};
use rtype_lang::value::EcoString;

/// Namevars from a title.
#[derive(Default)]
pub struct ParsedTitle {
    /// The attributes that the title sets.
    pub values: Vec<(AttrId, EcoString)>,
    /// Attributes with a group that took no part in the match.
    pub unmatched: Vec<AttrId>,
    /// The matching pattern; `None` if the whole title is the namevar.
    pub row: Option<Span>,
}

/// Parses a title; `None` if no pattern matches.
///
/// Follows Puppet's `Puppet::Resource#parse_title`: the first matching pattern sets its attributes.
pub fn parse(type_def: &TypeDef, title: &str) -> Option<ParsedTitle> {
    if type_def.title_patterns.is_empty() {
        let [only] = type_def.namevars.as_slice() else { return None };
        return Some(ParsedTitle { values: vec![(*only, title.into())], ..ParsedTitle::default() });
    }
    type_def.title_patterns.iter().find_map(|pattern| {
        let groups = pattern.regex.captures_at(title, 0)?;
        let text = |i: usize| groups.get(i + 1).cloned().flatten().and_then(|r| title.get(r));
        let (mut values, mut unmatched) = (Vec::new(), Vec::new());
        for (i, id) in pattern.attributes.iter().enumerate() {
            match text(i) {
                Some(text) => values.push((*id, text.into())),
                None => unmatched.push(*id),
            }
        }
        Some(ParsedTitle { values, unmatched, row: Some(pattern.span) })
    })
}
