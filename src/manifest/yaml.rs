//! YAML with places.

use super::data::{Kind, MAX_DEPTH, Node, too_deep};
use crate::diagnostics::{Code, Diagnostic};
use crate::source::{Source, Span};
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_saphyr::{Location, Spanned};
use std::fmt;

/// The tree of a YAML text. An empty text is `null`.
///
/// Words are read as Puppet's YAML library reads them, by the rules of YAML 1.1: `yes` and `on` are true,
/// `0644` is an octal number.
pub(super) fn parse(source: &Source) -> Result<Node, Box<Diagnostic>> {
    let options = serde_saphyr::options! {
        // Aliases may be followed, but not until a small text has become a large one.
        budget: serde_saphyr::budget! {
            max_depth: MAX_DEPTH,
            max_documents: 1,
            max_events: 4_000_000,
            max_nodes: 2_000_000,
            max_aliases: 10_000,
            max_recorded_anchor_events: 1_000_000,
        },
        alias_limits: serde_saphyr::alias_limits! {
            max_total_replayed_events: 200_000,
        },
        legacy_octal_numbers: true,
        non_finite_float_policy: serde_saphyr::options::NonFiniteFloatPolicy::AsString,
        emit_comments: false,
        with_snippet: false,
    };
    let tree: Option<Tree> =
        serde_saphyr::from_str_with_options(source.text(), options).map_err(|e| problem(source, &e))?;
    Ok(match tree {
        Some(tree) => tree.place(source),
        None => Node { kind: Kind::Null, span: source.span() },
    })
}

fn problem(source: &Source, error: &serde_saphyr::Error) -> Box<Diagnostic> {
    let span = error.location().map_or(source.span_of(0..0), |l| span_of(source, l));
    let error = error.without_snippet();
    if let serde_saphyr::Error::Budget { breach, .. } = error {
        if let serde_saphyr::budget::BudgetBreach::Depth { .. } = breach {
            return too_deep(span);
        }
        let help = "the text has several documents, too many values or too many aliases: split it into files";
        return Box::new(Diagnostic::new(Code::TooLarge, span, "the YAML is larger than rtype reads").help(help));
    }
    // The library ends its messages with the place, which the label shows.
    let text = error.to_string();
    let text = text.split(" at line ").next().unwrap_or_default().trim_end_matches('.');
    let mut letters = text.chars();
    let text: String = letters.next().map(|c| c.to_lowercase().chain(letters).collect()).unwrap_or_default();
    let text = text.replace(['\n', '\r'], " ");
    Box::new(Diagnostic::new(Code::BadInput, span, format!("the text is not valid YAML: {text}")))
}

fn span_of(source: &Source, at: Location) -> Span {
    let span = at.span();
    let start = span.byte_offset().unwrap_or(0) as usize;
    let end = start + span.byte_len().unwrap_or(0) as usize;
    source.span_of(start.min(source.text().len())..end.min(source.text().len()))
}

struct Tree(Spanned<Raw>);

enum Raw {
    Plain(Kind),
    Array(Vec<Tree>),
    Object(Vec<(Tree, Tree)>),
}

impl Tree {
    fn place(self, source: &Source) -> Node {
        // Of an alias, the place where it is used is what its reader wrote.
        let own = span_of(source, self.0.referenced);
        match self.0.value {
            Raw::Plain(kind) => Node { kind, span: own },
            Raw::Array(items) => {
                let items: Vec<_> = items.into_iter().map(|i| i.place(source)).collect();
                Node { span: whole(own, items.last().map(|l| l.span)), kind: Kind::Array(items) }
            }
            Raw::Object(pairs) => {
                let pairs: Vec<_> = pairs.into_iter().map(|(k, v)| (k.place(source), v.place(source))).collect();
                Node { span: whole(own, pairs.last().map(|(_, v)| v.span)), kind: Kind::Object(pairs) }
            }
        }
    }
}

/// A list or map is located by its first token; it ends with its last element.
fn whole(own: Span, last: Option<Span>) -> Span {
    last.filter(|last| last.end > own.start).map_or(own, |last| Span::new(own.start, last.end.max(own.end)))
}

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Tree, D::Error> {
        Spanned::<Raw>::deserialize(deserializer).map(Tree)
    }
}

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Raw, D::Error> {
        deserializer.deserialize_any(RawVisitor)
    }
}

struct RawVisitor;

impl<'de> Visitor<'de> for RawVisitor {
    type Value = Raw;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value, a list or a map")
    }

    fn visit_unit<E>(self) -> Result<Raw, E> {
        Ok(Raw::Plain(Kind::Null))
    }

    fn visit_none<E>(self) -> Result<Raw, E> {
        Ok(Raw::Plain(Kind::Null))
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Raw, D::Error> {
        Raw::deserialize(deserializer)
    }

    fn visit_bool<E>(self, b: bool) -> Result<Raw, E> {
        Ok(Raw::Plain(Kind::Bool(b)))
    }

    fn visit_i64<E>(self, n: i64) -> Result<Raw, E> {
        Ok(Raw::Plain(Kind::Int(n)))
    }

    fn visit_u64<E>(self, n: u64) -> Result<Raw, E> {
        Ok(Raw::Plain(i64::try_from(n).map_or(Kind::Float(n as f64), Kind::Int)))
    }

    fn visit_i128<E>(self, n: i128) -> Result<Raw, E> {
        Ok(Raw::Plain(Kind::Float(n as f64)))
    }

    fn visit_u128<E>(self, n: u128) -> Result<Raw, E> {
        Ok(Raw::Plain(Kind::Float(n as f64)))
    }

    fn visit_f64<E>(self, n: f64) -> Result<Raw, E> {
        Ok(Raw::Plain(Kind::Float(n)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Raw, E> {
        Ok(Raw::Plain(Kind::Str(text.into())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Raw, A::Error> {
        let mut all = Vec::new();
        while let Some(item) = items.next_element()? {
            all.push(item);
        }
        Ok(Raw::Array(all))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut pairs: A) -> Result<Raw, A::Error> {
        let mut all = Vec::new();
        while let Some(pair) = pairs.next_entry()? {
            all.push(pair);
        }
        Ok(Raw::Object(all))
    }
}
