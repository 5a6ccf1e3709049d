//! Reads YAML like Ruby's YAML library, which Puppet uses. An event parser handles the syntax, [`super::scalar`] the scalars.

use super::keys::{EqualNumbers, Pairs};
use super::node::{DataNode, Kind, MAX_DEPTH, too_deep, too_large};
use super::scalar::{self, Scalar, ScalarClass};
use super::yaml_mistake::{self, Mistake};
use crate::diagnostics::{Code, Diagnostic, blank_in_line, unexpected_blank};
use crate::source::{Source, Span};
use granit_parser::{ErrorKind, Event, Parser, ScalarStyle, ScanError, StructureStyle, Tag};
use std::collections::HashMap;

/// The rules for reading YAML.
#[derive(Clone, Copy, Debug, Default)]
pub struct YamlRules {
    /// With `strict`, a second document is an error, and repeated keys are kept for the caller, who reports them. Ruby ignores further
    /// documents and keeps the last value of a key.
    pub strict: bool,
    /// Scalars with these classes are read as strings. Scalars with other classes are errors.
    pub as_text: &'static [ScalarClass],
}

type Fallible<T> = Result<T, Box<Diagnostic>>;

/// The maximum work for a document: [`NODE`] for each node, [`COPIED`] for each node that an alias copies. Without a limit, a small
/// file with aliases of aliases would become a huge tree.
const MAX_WORK: usize = 4_000_000;
const NODE: usize = 2;
const COPIED: usize = 20;

/// Parses the first YAML document. An empty file is `null`.
///
///
/// # Errors
///
/// Returns the first error.
pub fn parse_yaml(source: &Source, rules: YamlRules) -> Fallible<DataNode> {
    // The YAML parser would be a tenth of the browser module, which gets resources in Puppet's syntax.
    if cfg!(target_arch = "wasm32") {
        let found = Diagnostic::new(Code::BadInput, source.span_of(0..0), "YAML is not supported here");
        return Err(Box::new(found.help("write Puppet's syntax or JSON")));
    }
    let text = source.text();
    if let Some((at, c)) = text.char_indices().find(|(_, c)| matches!(c, '\u{85}' | '\u{2028}' | '\u{2029}')) {
        let found = Diagnostic::new(Code::BadInput, source.span_of(at..at + c.len_utf8()), "a line break that only YAML 1.1 has");
        return Err(Box::new(found.help("write it as an escape in double quotes: `\\N`, `\\L` or `\\P`")));
    }
    let options = granit_parser::options! { emit_anchor_events: true, emit_comments: false };
    let mut builder = Builder { rules, open: Vec::new(), anchors: HashMap::new(), root: None, work: 0 };
    for event in Parser::new_from_str_with_options(text, options) {
        let (event, span) = event.map_err(|error| problem(source, &error))?;
        let span = source.span_of(span.byte_range().map_or(0..0, |r| r.start.min(text.len())..r.end.min(text.len())));
        match event {
            Event::DocumentStart(..) if builder.root.is_some() => {
                let found = Diagnostic::new(Code::BadInput, span, "the file has more than one YAML document");
                return Err(Box::new(found.help("write one file for each document")));
            }
            Event::DocumentEnd if !rules.strict => break,
            Event::Scalar(text, style @ (ScalarStyle::Literal | ScalarStyle::Folded), anchor, tag) => {
                let text = block_text(source, span, &text, builder.open.is_empty())?;
                builder.add(Event::Scalar(text.into(), style, anchor, tag), span)?;
            }
            event => builder.add(event, span)?,
        }
    }
    Ok(builder.root.unwrap_or_else(|| DataNode::new(Kind::Null, source.span())))
}

/// Returns the content of a block scalar as Ruby's parser reads it, which differs from YAML 1.2: no newline is added to a last line
/// without a newline, and a block scalar as the whole document needs indented lines.
fn block_text<'t>(source: &Source, span: Span, text: &'t str, is_document: bool) -> Fallible<&'t str> {
    let range = source.range(span);
    let (written, after) = source.text().split_at_checked(range.end).unwrap_or((source.text(), ""));
    // The span begins at the first character of the content, after its indentation.
    let content = written.get(range.start..).unwrap_or_default();
    let begins_line = written.get(..range.start).is_some_and(|before| before.ends_with('\n'));
    let is_flush = begins_line && !content.is_empty() && !content.starts_with([' ', '\n', '\r']);
    if is_document && (is_flush || content.lines().skip(1).any(|line| !line.is_empty() && !line.starts_with(' '))) {
        let found = Diagnostic::new(Code::BadInput, span, "the lines of a block scalar that is the whole document are not indented");
        return Err(Box::new(found.help("indent the lines")));
    }
    let last = written.rsplit('\n').next().unwrap_or_default();
    let is_open = after.is_empty() && !last.trim().is_empty() && !last.ends_with('\r');
    Ok(if is_open { text.strip_suffix('\n').unwrap_or(text) } else { text })
}

/// A list or map that has not been read to its end.
struct Open {
    span: Span,
    anchor: usize,
    is_flow: bool,
    items: Items,
}

enum Items {
    List { items: Vec<DataNode>, is_ordered_map: bool },
    Map { pairs: Pairs, key: Option<Key> },
}

struct Key {
    node: DataNode,
    is_merge: bool,
}

/// The syntax of a node.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Scalar { is_tagged_str: bool },
    List,
    Map,
    Alias,
}

/// A node that aliases can refer to.
struct Anchored {
    node: DataNode,
    size: Size,
}

/// The size of a tree.
#[derive(Clone, Copy)]
struct Size {
    /// The number of nodes; a long string counts as several nodes.
    nodes: usize,
    /// The nesting depth of lists and maps.
    depth: usize,
}

struct Builder {
    rules: YamlRules,
    open: Vec<Open>,
    anchors: HashMap<usize, Anchored>,
    root: Option<DataNode>,
    work: usize,
}

impl Builder {
    fn add(&mut self, event: Event<'_>, span: Span) -> Fallible<()> {
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                let tag = tag.as_deref().map(full_tag);
                let kind = self.scalar(&text, style, tag.as_deref(), span)?;
                let form = Form::Scalar { is_tagged_str: tag.as_deref() == Some("tag:yaml.org,2002:str") };
                self.finish(DataNode::new(kind, span), anchor, form)
            }
            Event::SequenceStart(style, anchor, tag) => {
                let tag = tag.as_deref().map(full_tag).unwrap_or_default();
                let is_object = ["!seq:", "!ruby/"].iter().any(|prefix| tag.starts_with(prefix));
                self.refuse_object(&tag, is_object, span)?;
                let is_ordered_map = matches!(tag.as_str(), "!omap" | "tag:yaml.org,2002:omap");
                self.start(span, anchor, style, Items::List { items: Vec::new(), is_ordered_map })
            }
            Event::MappingStart(style, anchor, tag) => {
                let tag = tag.as_deref().map(full_tag).unwrap_or_default();
                let name = tag.strip_prefix("tag:yaml.org,2002:").or_else(|| tag.strip_prefix('!')).unwrap_or_default();
                let is_object = matches!(name, "str" | "set" | "omap") || ["!str:", "!map:", "!ruby/"].iter().any(|p| tag.starts_with(p));
                self.refuse_object(&tag, is_object, span)?;
                self.start(span, anchor, style, Items::Map { pairs: Pairs::new(self.rules.strict), key: None })
            }
            Event::SequenceEnd | Event::MappingEnd => self.end(span),
            Event::Alias(id) => self.alias(id, span),
            // Ruby's parser ends the name at such a character, and reads the rest as a value.
            Event::Anchor(_, name) if name.contains(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))) => {
                self.error(span, format!("invalid character in the anchor `{name}`"), "use letters, digits, `-` and `_`")
            }
            _ => Ok(()),
        }
    }

    fn error<T>(&self, span: Span, message: impl Into<String>, help: &str) -> Fallible<T> {
        Err(Box::new(Diagnostic::new(Code::BadInput, span, message).help(help)))
    }

    fn refuse_object(&self, tag: &str, is_object: bool, span: Span) -> Fallible<()> {
        if is_object {
            return self.error(span, format!("the tag `{tag}` makes a Ruby object here"), "remove the tag: values are plain data");
        }
        Ok(())
    }

    fn scalar(&self, text: &str, style: ScalarStyle, tag: Option<&str>, span: Span) -> Fallible<Kind> {
        let scalar = match tag {
            // With the tag `!`, quoted scalars are resolved like plain scalars.
            Some("!") => Some(scalar::plain(text)),
            Some(tag) => scalar::tagged(text, tag),
            None if style == ScalarStyle::Plain && text.starts_with('?') && self.open.last().is_some_and(|open| open.is_flow) => {
                return self.error(span, "a value without quotes in brackets cannot start with `?`", "put it in quotes");
            }
            None if style == ScalarStyle::Plain => {
                if let Some((at, blank)) = blank_outside(text).filter(|_| self.rules.strict) {
                    let from = span.start + at as u32;
                    let is_one_line = span.len() == text.len();
                    let place = if is_one_line { Span::new(from, from + blank.len_utf8() as u32) } else { span };
                    return Err(Box::new(unexpected_blank(Code::BadInput, place, blank)));
                }
                Some(scalar::plain(text))
            }
            None => Some(Scalar::Str(text.into())),
        };
        match scalar {
            Some(Scalar::Null) => Ok(Kind::Null),
            Some(Scalar::Bool(b)) => Ok(Kind::Bool(b)),
            Some(Scalar::Int(n)) => Ok(Kind::Int(n)),
            Some(Scalar::Float(n)) => Ok(Kind::Float(n)),
            Some(Scalar::Str(text)) => Ok(Kind::Str(text)),
            Some(Scalar::Bytes(value)) => Ok(Kind::Bytes(value)),
            Some(Scalar::Ruby(class, text)) if self.rules.as_text.contains(&class) => Ok(Kind::Str(text)),
            Some(Scalar::Ruby(class, _)) => {
                let what = class.with_article();
                self.error(span, format!("YAML reads `{text}` as {what}, not as a string"), "put it in quotes")
            }
            Some(Scalar::TooLarge(text)) => Err(too_large(&text, span)),
            Some(Scalar::Invalid) => self.error(span, format!("`{text}` is not a valid YAML number"), "put it in quotes"),
            None => self.refuse_object(tag.unwrap_or_default(), true, span).map(|()| Kind::Null),
        }
    }

    fn spend(&mut self, work: usize, span: Span) -> Fallible<()> {
        self.work = self.work.saturating_add(work);
        if self.work <= MAX_WORK {
            return Ok(());
        }
        let found = Diagnostic::new(Code::TooLarge, span, "the YAML is larger than rtype reads");
        Err(Box::new(found.help("split the file, or use fewer aliases")))
    }

    fn start(&mut self, span: Span, anchor: usize, style: StructureStyle, items: Items) -> Fallible<()> {
        // The elements of a list or map are one level deeper.
        if self.open.len() >= MAX_DEPTH {
            return Err(too_deep(span));
        }
        self.open.push(Open { span, anchor, is_flow: style == StructureStyle::Flow, items });
        Ok(())
    }

    fn end(&mut self, end: Span) -> Fallible<()> {
        let Some(Open { span, anchor, items, is_flow }) = self.open.pop() else { return Ok(()) };
        let (kind, last, form) = match items {
            Items::List { items, is_ordered_map: false } => {
                let last = items.last().map(|last| (last.span, last.defined));
                (Kind::Array(items), last, Form::List)
            }
            Items::List { items, .. } => (self.ordered_map(items, span)?, None, Form::Map),
            Items::Map { pairs, .. } => {
                let pairs = pairs.into_pairs();
                let last = pairs.last().map(|(_, value)| (value.span, value.defined));
                (Kind::Object(pairs), last, Form::Map)
            }
        };
        let (last, last_defined) = if is_flow { (Some(end), Some(end)) } else { (last.map(|l| l.0), last.map(|l| l.1)) };
        let node = DataNode { kind, span: whole(span, last), defined: whole(span, last_defined) };
        self.finish(node, anchor, form)
    }

    /// Converts a list with the tag `!omap` and one-pair maps as elements to a map.
    fn ordered_map(&self, items: Vec<DataNode>, span: Span) -> Fallible<Kind> {
        let mut all = Pairs::default();
        for item in items {
            let pair = match item.kind {
                Kind::Object(pairs) if pairs.len() == 1 => pairs.into_iter().next(),
                _ => None,
            };
            match pair {
                Some((key, value)) => drop(all.insert(key, value)),
                None => return self.error(span, "an element of `!omap` is not a map with one key", "write each element as `- key: value`"),
            }
        }
        Ok(Kind::Object(all.into_pairs()))
    }

    fn alias(&mut self, id: usize, span: Span) -> Fallible<()> {
        let Some(Anchored { node, size }) = self.anchors.get(&id) else {
            let message = "an anchor contains an alias of itself";
            return self.error(span, message, "write the value instead of the alias");
        };
        if self.open.len() + size.depth > MAX_DEPTH {
            return Err(too_deep(span));
        }
        let work = size.nodes.saturating_mul(COPIED);
        let copy = copied_to(node, span);
        self.spend(work, span)?;
        self.finish(copy, 0, Form::Alias)
    }

    /// Adds a finished node to the enclosing list or map; the outermost node becomes the root.
    fn finish(&mut self, node: DataNode, anchor: usize, form: Form) -> Fallible<()> {
        self.spend(NODE, node.span)?;
        if anchor != 0 {
            let size = size(&node);
            self.spend(size.nodes.saturating_mul(NODE), node.span)?;
            self.anchors.insert(anchor, Anchored { node: node.clone(), size });
        }
        match self.open.last_mut() {
            None => self.root = Some(node),
            Some(Open { items: Items::List { items, .. }, .. }) => items.push(node),
            Some(Open { items: Items::Map { pairs, key }, .. }) => match key.take() {
                None => {
                    let is_merge = node.text().is_some_and(|text| text == "<<") && form != Form::Scalar { is_tagged_str: true };
                    *key = Some(Key { node, is_merge });
                }
                Some(Key { is_merge: true, .. }) if !matches!(form, Form::Scalar { .. }) && pairs.merge(&node, form == Form::List) => {}
                Some(Key { node: key, .. }) => {
                    if let Err(EqualNumbers(key)) = pairs.insert(key, node) {
                        let message = "two keys of a map are the same number, as an integer and as a float";
                        return self.error(key.span, message, "put one of them in quotes");
                    }
                }
            },
        }
        Ok(())
    }
}

/// Returns an invisible blank in a plain scalar that was written for a plain space: at an end, or after the `-` or the `key:` at the beginning.
fn blank_outside(text: &str) -> Option<(usize, char)> {
    let is_of_key = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let indicator =
        text.find([':', '-']).filter(|&at| text.starts_with('-') || text.get(..at).is_some_and(|key| key.chars().all(is_of_key)));
    text.char_indices().find(|(at, c)| {
        let is_indicated = *at == 0 || indicator.is_some_and(|before| before + 1 == *at) || at + c.len_utf8() == text.len();
        !c.is_ascii() && c.is_whitespace() && is_indicated
    })
}

fn size(node: &DataNode) -> Size {
    let sum = |children: &mut dyn Iterator<Item = &DataNode>| {
        children
            .map(size)
            .fold(Size { nodes: 1, depth: 1 }, |all, one| Size { nodes: all.nodes + one.nodes, depth: all.depth.max(one.depth + 1) })
    };
    match &node.kind {
        Kind::Str(text) => Size { nodes: 1 + text.len() / 16, depth: 0 },
        Kind::Array(items) => sum(&mut items.iter()),
        Kind::Object(pairs) => sum(&mut pairs.iter().flat_map(|(key, value)| [key, value])),
        _ => Size { nodes: 1, depth: 0 },
    }
}

/// Returns a copy of a node with an alias's span, so that diagnostics point to the alias.
fn copied_to(node: &DataNode, span: Span) -> DataNode {
    let kind = match &node.kind {
        Kind::Array(items) => Kind::Array(items.iter().map(|item| copied_to(item, span)).collect()),
        Kind::Object(pairs) => Kind::Object(pairs.iter().map(|(key, value)| (copied_to(key, span), copied_to(value, span))).collect()),
        other => other.clone(),
    };
    DataNode { kind, span, defined: node.defined }
}

fn full_tag(tag: &Tag) -> String {
    format!("{}{}", tag.handle(), tag.suffix())
}

/// Returns the span of a list or map, from its first token to the end of the last element.
fn whole(own: Span, last: Option<Span>) -> Span {
    last.filter(|last| last.end > own.start).map_or(own, |last| Span::new(own.start, last.end.max(own.end)))
}

fn problem(source: &Source, error: &ScanError) -> Box<Diagnostic> {
    let at = error.marker().byte_offset().unwrap_or_default().min(source.text().len());
    let end = source.text().get(at..).and_then(|rest| rest.chars().next()).map_or(at, |c| at + c.len_utf8());
    match error.kind() {
        ErrorKind::RecursionLimitExceeded => too_deep(source.span_of(at..end)),
        ErrorKind::UnknownAnchor => {
            let found = Diagnostic::new(Code::BadInput, source.span_of(at..end), "unknown anchor of an alias");
            Box::new(found.help("quote strings that start with `*` or `&`"))
        }
        _ => {
            let before = source.text().get(..at).and_then(|before| before.rfind('\n')).unwrap_or(at);
            if let Some(blank) = [at, before].into_iter().find_map(|at| blank_in_line(Code::BadInput, source, at)) {
                return Box::new(blank);
            }
            let Mistake { span, message, help } = yaml_mistake::explain(source, at);
            Box::new(Diagnostic::new(Code::BadInput, span, message).help(help))
        }
    }
}
