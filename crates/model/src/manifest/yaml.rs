//! A YAML parser that keeps source spans.

use super::data::{AS_TEXT, Kind, MAX_DEPTH, Node, too_deep, too_large};
use super::yaml_mistake::{self, Mistake};
use rtype_lang::diagnostics::{Code, Diagnostic};
use rtype_lang::source::{Source, Span};
use rtype_lang::value::Value;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_saphyr::{Location, Spanned, Tagged};
use std::fmt;

/// Parses a YAML text into a tree. An empty text is `null`.
///
/// Words are read by the rules of YAML 1.1, like Puppet's YAML library: `yes` and `on` are true, `0644` is an octal number.
pub(super) fn parse(source: &Source) -> Result<Node, Box<Diagnostic>> {
    // The parser would be a tenth of a module for browsers, which get resources in Puppet's syntax.
    if cfg!(target_arch = "wasm32") {
        let found = Diagnostic::new(Code::BadInput, source.span_of(0..0), "YAML is not supported here");
        return Err(Box::new(found.help("write Puppet's syntax or JSON")));
    }
    let options = serde_saphyr::options! {
        // The budget prevents a small text with aliases from expanding to a huge tree.
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
        // Decoded by this module, because the bytes need not be valid UTF-8.
        ignore_binary_tag_for_string: true,
        non_finite_float_policy: serde_saphyr::options::NonFiniteFloatPolicy::AsString,
        emit_comments: false,
        with_snippet: false,
    };
    let tree: Option<Tree> = serde_saphyr::from_str_with_options(source.text(), options).map_err(|e| problem(source, &e))?;
    Ok(match tree {
        Some(tree) => {
            let root = tree.place(source);
            within_64_bits(source, &root)?;
            root
        }
        None => Node::new(Kind::Null, source.span()),
    })
}

/// Refuses integers that the parser has read as floats.
fn within_64_bits(source: &Source, node: &Node) -> Result<(), Box<Diagnostic>> {
    match &node.kind {
        Kind::Float(_) => {
            let text = source.text().get(source.range(node.defined)).unwrap_or_default();
            let digits = text.trim_start_matches(['-', '+']);
            let is_integer = digits.starts_with("0x") || digits.bytes().all(|b| b.is_ascii_digit() || b == b'_');
            let error = || Box::new(Diagnostic::new(Code::BadInput, node.span, too_large(text)).help(AS_TEXT));
            if is_integer { Err(error()) } else { Ok(()) }
        }
        Kind::Array(items) => items.iter().try_for_each(|item| within_64_bits(source, item)),
        Kind::Object(pairs) => {
            pairs.iter().try_for_each(|(key, value)| within_64_bits(source, key).and_then(|()| within_64_bits(source, value)))
        }
        Kind::Null | Kind::Bool(_) | Kind::Int(_) | Kind::Str(_) | Kind::Bytes(_) => Ok(()),
    }
}

/// Returns the locations of comments: from a `#` at the start of a word and outside of values to the end of the line.
pub(super) fn comments(source: &Source, root: &Node) -> Vec<Span> {
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
fn scalars(node: &Node, out: &mut Vec<Span>) {
    match &node.kind {
        Kind::Array(items) => items.iter().for_each(|item| scalars(item, out)),
        Kind::Object(pairs) => pairs.iter().for_each(|(key, value)| {
            scalars(key, out);
            scalars(value, out);
        }),
        _ => out.extend([node.span, node.defined]),
    }
}

fn problem(source: &Source, error: &serde_saphyr::Error) -> Box<Diagnostic> {
    use serde_saphyr::{Error, budget::BudgetBreach};
    let span = error.location().map_or(source.span_of(0..0), |l| span_of(source, l));
    let diagnostic = |code, message: String, help: &str| Box::new(Diagnostic::new(code, span, message).help(help));
    let mut error = error.without_snippet();
    // Errors within an alias are wrapped in an error for the place where the alias is used.
    while let Error::AliasError { error: inner, .. } = error {
        error = inner.without_snippet();
    }
    match error {
        Error::Budget { breach: BudgetBreach::Depth { .. }, .. } => too_deep(span),
        Error::MultipleDocuments { .. } | Error::Budget { breach: BudgetBreach::Documents { .. }, .. } => {
            diagnostic(Code::BadInput, "the file has more than one YAML document".into(), "split it into files with one document each")
        }
        Error::Budget { .. }
        | Error::AliasReplayLimitExceeded { .. }
        | Error::AliasExpansionLimitExceeded { .. }
        | Error::AliasReplayCounterOverflow { .. }
        | Error::AliasReplayStackDepthExceeded { .. } => {
            let help = "split the file, or use fewer aliases";
            diagnostic(Code::TooLarge, "the YAML is larger than rtype reads".into(), help)
        }
        Error::DuplicateMappingKey { key, .. } => {
            let name = key.as_deref().map_or(String::new(), |k| format!(" `{k}`"));
            diagnostic(Code::AttributeTwice, format!("duplicate key{name}"), "remove one of the two")
        }
        Error::UnknownAnchor { .. } => {
            diagnostic(Code::BadInput, "unknown anchor of an alias".into(), "quote strings that start with `*` or `&`")
        }
        Error::RecursiveReferencesRequireWeakTypes { .. } => {
            diagnostic(Code::BadInput, "an anchor contains an alias of itself".into(), "write the value instead of the alias")
        }
        _ => {
            let at = source.range(span).start;
            let Mistake { span, message, help } = yaml_mistake::explain(source, at);
            Box::new(Diagnostic::new(Code::BadInput, span, message).help(help))
        }
    }
}

fn span_of(source: &Source, at: Location) -> Span {
    let text = source.text();
    let span = at.span();
    if let (Some(start), Some(length)) = (span.byte_offset(), span.byte_len()) {
        let start = (start as usize).min(text.len());
        return source.span_of(start..(start + length as usize).min(text.len()));
    }
    // Errors of the scanner only have a line and column.
    let line = (at.line() as usize).saturating_sub(1);
    let start = source.line_starts().get(line).map_or(text.len(), |s| *s as usize);
    let rest = text.get(start..).unwrap_or_default();
    let mut letters = rest.char_indices().skip((at.column() as usize).saturating_sub(1)).map(|(i, _)| start + i);
    let from = letters.next().unwrap_or(text.len());
    source.span_of(from..letters.next().unwrap_or(text.len()))
}

/// YAML tags of base64 values.
const BINARY: [&str; 2] = ["tag:yaml.org,2002:binary", "!binary"];

struct Tree(Spanned<Tagged<Raw>>);

enum Raw {
    Plain(Kind),
    Array(Vec<Tree>),
    Object(Vec<(Tree, Tree)>),
}

impl Tree {
    fn place(self, source: &Source) -> Node {
        // For an alias, the location of its use is what the reader of the file looks for.
        let (own, defined) = (span_of(source, self.0.referenced), span_of(source, self.0.defined));
        let Tagged(value, tag) = self.0.value;
        let (kind, last) = match value {
            Raw::Plain(Kind::Str(text)) if tag.as_deref().is_some_and(|tag| BINARY.contains(&tag)) => {
                // Text that is not valid base64 is kept as written, like Ruby's YAML library does.
                (Value::from_base64(&text).map_or(Kind::Str(text), Kind::Bytes), None)
            }
            Raw::Plain(kind) => (kind, None),
            Raw::Array(items) => {
                let items: Vec<_> = items.into_iter().map(|i| i.place(source)).collect();
                let last = items.last().map(|l| (l.span, l.defined));
                (Kind::Array(items), last)
            }
            Raw::Object(pairs) => {
                let pairs: Vec<_> = pairs.into_iter().map(|(k, v)| (k.place(source), v.place(source))).collect();
                let last = pairs.last().map(|(_, v)| (v.span, v.defined));
                (Kind::Object(pairs), last)
            }
        };
        Node { kind, span: whole(own, last.map(|l| l.0)), defined: whole(defined, last.map(|l| l.1)) }
    }
}

/// Returns the span of a list or map, which starts at its first token and ends with its last element.
fn whole(own: Span, last: Option<Span>) -> Span {
    last.filter(|last| last.end > own.start).map_or(own, |last| Span::new(own.start, last.end.max(own.end)))
}

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Tree, D::Error> {
        // Each level passes through a dozen generic stack frames, which are large without optimization: a hundred levels can
        // overflow the stack of a thread.
        stacker::maybe_grow(256 * 1024, 2 * 1024 * 1024, || Spanned::<Tagged<Raw>>::deserialize(deserializer).map(Tree))
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
