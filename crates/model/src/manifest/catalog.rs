//! Converts the tree from a JSON or YAML source to declarations.
//!
//! The top-level value determines the shape: a list of resources; a compiled catalog (has `resources`, see `compiled`); one resource (has
//! `type` and `title`); types with titles, as `puppet resource --to_yaml` and Hiera write them.

use super::declared::{Builder, Declarations, Declared, DeclaredValue, bad_title, is_relationship, parse_reference, type_symbol};
use super::parts::PartSpans;
use super::{compiled, rich};
use indexmap::IndexMap;
use rtype_lang::data::{DataNode, Kind};
use rtype_lang::diagnostics::{Code, Diagnostic, Help, OriginLine, attribute_twice, nearest};
use rtype_lang::source::Span;
use rtype_lang::value::{EcoString, EcoVec, REDACTED, Symbol, Value};
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

const SHAPES: &str = "a resource `{type, title, parameters}`, a list of resources, a map of types and titles, or a compiled catalog";
/// Keys of a resource in a list; keys that occur only in catalogs come last.
pub(super) const KEYS: &[&str] = &[
    "type",
    "title",
    "parameters",
    "sensitive_parameters",
    "redacted",
    "tags",
    "file",
    "line",
    "exported",
    "virtual",
    "kind",
    "aliases",
    "ext_parameters",
    "code_id",
    "resource",
    "certname",
    "environment",
];

/// Names that other tools use for `parameters`.
const SYNONYMS: &[&str] = &["params", "attributes", "attrs", "properties", "options", "args", "arguments"];

pub(super) fn from_node(root: &DataNode) -> (Declarations, Vec<Diagnostic>) {
    let mut reader = Reader::default();
    match compiled::find(root) {
        Ok(Some(catalog)) => reader.catalog(&catalog),
        Ok(None) => reader.any(root),
        Err(wrong) => reader.builder.report(*wrong),
    }
    reader.builder.finish()
}

/// Converts nodes to declarations.
#[derive(Default)]
pub(super) struct Reader {
    pub(super) builder: Builder,
    /// Interned file names of manifests, shared by resources from the same file.
    files: HashSet<Arc<str>>,
}

impl Reader {
    /// Reads any shape except a compiled catalog.
    fn any(&mut self, root: &DataNode) {
        match &root.kind {
            Kind::Null => {}
            Kind::Array(items) => {
                for item in items {
                    if let Some(declared) = self.resource(item, true) {
                        self.builder.add(declared);
                    }
                }
            }
            Kind::Object(pairs) => match (root.get("type"), root.get("title")) {
                (Some(DataNode { kind: Kind::Str(_), .. }), _) => {
                    if let Some(declared) = self.resource(root, true) {
                        self.builder.add(declared);
                    }
                }
                _ => {
                    self.repeated_keys(pairs);
                    pairs.iter().for_each(|(name, titles)| self.titles(name, titles));
                }
            },
            _ => self.wrong(root.span, format!("the text holds {}, not resources", root.what()), SHAPES),
        }
    }

    pub(super) fn wrong(&mut self, span: Span, message: impl Into<String>, help: impl Into<Help>) {
        self.builder.report(Diagnostic::new(Code::BadInput, span, message).help(help));
    }

    /// Reads `{type, title, parameters}`.
    pub(super) fn resource(&mut self, node: &DataNode, strict: bool) -> Option<Declared> {
        let Kind::Object(pairs) = &node.kind else {
            self.wrong(
                node.span,
                format!("a resource is an object, this is {}", node.what()),
                "write `{\"type\": …, \"title\": …, \"parameters\": {…}}`",
            );
            return None;
        };
        self.repeated_keys(pairs);
        // If `type` is missing, unknown keys are not reported, because the list is not a list of resources.
        let misplaced = if strict && node.get("type").is_some() { self.unknown_keys(pairs) } else { Vec::new() };
        if let Some(origin) = self.origin(node) {
            self.builder.found.origins.push((node.span, origin));
        }
        let (type_name, type_span) = self.type_name(node, node.get("type"))?;
        let (title, title_span) = self.title(node, node.get("title"))?;
        let mut attributes = match node.get("parameters") {
            Some(parameters) => self.parameters(parameters),
            // Without `parameters`, misplaced attributes are among the unknown keys.
            None => self.attributes(&misplaced),
        };
        self.hide(node.get("sensitive_parameters"), &mut attributes);
        let declared = Declared { type_name, type_span, title, title_span, is_title_computed: false, attributes, span: node.span };
        if let Some(DataNode { kind: Kind::Array(tags), .. }) = node.get("tags") {
            let tags = tags.iter().filter_map(DataNode::text).cloned().collect();
            self.builder.found.tags.insert(declared.reference(), tags);
        }
        Some(declared)
    }

    /// Reports keys of the text's own structure that are repeated.
    fn repeated_keys(&mut self, pairs: &[(DataNode, DataNode)]) {
        let mut first: HashMap<&EcoString, Span> = HashMap::new();
        for (key, _) in pairs {
            let Some(name) = key.text() else { continue };
            match first.entry(name) {
                Entry::Vacant(entry) => {
                    entry.insert(key.span);
                }
                Entry::Occupied(entry) => {
                    let d = Diagnostic::new(Code::AttributeTwice, key.span, format!("duplicate key `{name}`"));
                    self.builder.report(d.also(*entry.get(), "first used here").help("remove one of the two"));
                }
            }
        }
    }

    fn origin(&mut self, node: &DataNode) -> Option<OriginLine> {
        let file = node.get("file")?.text()?;
        let Kind::Int(line) = node.get("line")?.kind else { return None };
        let line = u32::try_from(line).ok()?;
        if !self.files.contains(file.as_str()) {
            self.files.insert(Arc::from(file.as_str()));
        }
        Some(OriginLine { file: Arc::clone(self.files.get(file.as_str())?), line })
    }

    /// Reports unknown keys. Returns the keys that are attributes written at the wrong level.
    fn unknown_keys<'n>(&mut self, pairs: &'n [(DataNode, DataNode)]) -> Vec<(&'n DataNode, &'n DataNode)> {
        let text = |key: &DataNode| key.text().cloned().unwrap_or_default();
        // `name` in place of `title` is reported with the missing title.
        let untitled = pairs.iter().all(|(key, _)| text(key) != "title");
        let is_unknown = |name: &str| !(KEYS.contains(&name) || untitled && name == "name");
        let (mut attributes, mut other) = (Vec::new(), Vec::new());
        for (key, value) in pairs.iter().filter(|(key, _)| is_unknown(&text(key))) {
            let name = text(key);
            let map = if let Kind::Object(pairs) = &value.kind { Some(pairs) } else { None };
            let synonym = (map.is_some() && SYNONYMS.contains(&name.as_str())).then_some("parameters");
            match synonym.or_else(|| nearest(&name, KEYS.iter().copied())) {
                Some(near) => {
                    self.wrong(key.span, format!("unknown key `{name}`"), Help::suggestion(near));
                    attributes.extend(map.filter(|_| near == "parameters").into_iter().flatten().map(|(key, value)| (key, value)));
                }
                None => {
                    attributes.push((key, value));
                    other.push((key, name));
                }
            }
        }
        if let Some((first, _)) = other.first() {
            let names: Vec<String> = other.iter().map(|(_, name)| format!("`{name}`")).collect();
            let keys = if names.len() == 1 { "key" } else { "keys" };
            let help = "move attributes into `parameters`: a resource has `type`, `title` and `parameters`";
            self.wrong(first.span, format!("unknown {keys} {}", names.join(", ")), help);
        }
        attributes
    }

    fn type_name(&mut self, resource: &DataNode, node: Option<&DataNode>) -> Option<(Symbol, Span)> {
        let Some(node) = node else {
            self.wrong(resource.span, "a resource has no `type`", "write `\"type\": \"user\"`");
            return None;
        };
        match node.text().and_then(|t| type_symbol(t)) {
            Some(name) => Some((name, node.span)),
            None => {
                let shown = match node.text() {
                    Some(text) if text.is_empty() => "an empty string".into(),
                    Some(text) => format!("`{text}`"),
                    None => node.what().to_owned(),
                };
                self.wrong(
                    node.span,
                    format!("{shown} is not the name of a type"),
                    "a type's name has letters, digits and `_`, parts of it `::` between them",
                );
                None
            }
        }
    }

    fn title(&mut self, resource: &DataNode, node: Option<&DataNode>) -> Option<(EcoString, Span)> {
        match node.map(|n| (n.text(), n)) {
            Some((Some(text), node)) if !text.is_empty() => Some((text.clone(), node.span)),
            Some((Some(_), node)) => {
                self.builder.report(bad_title(node.span, "the title is empty"));
                None
            }
            Some((None, node)) => {
                self.builder.report(bad_title(node.span, format!("{} cannot be a title", node.what())));
                None
            }
            None => {
                match resource.entry("name") {
                    Some((key, _)) => self.wrong(key.span, "a resource has a `title`, not a `name`", "write `title` in its place"),
                    None => self.builder.report(bad_title(resource.span, "a resource has no `title`")),
                }
                None
            }
        }
    }

    fn parameters(&mut self, node: &DataNode) -> IndexMap<EcoString, DeclaredValue> {
        match &node.kind {
            Kind::Object(pairs) => self.attributes(&pairs.iter().map(|(key, value)| (key, value)).collect::<Vec<_>>()),
            Kind::Null => IndexMap::new(),
            _ => {
                self.wrong(node.span, format!("parameters are an object, this is {}", node.what()), "write `{\"name\": value}`");
                IndexMap::new()
            }
        }
    }

    fn attributes(&mut self, pairs: &[(&DataNode, &DataNode)]) -> IndexMap<EcoString, DeclaredValue> {
        let mut all: IndexMap<EcoString, DeclaredValue> = IndexMap::new();
        for (key, node) in pairs {
            let Some(name) = key.text() else {
                self.wrong(key.span, format!("the name of a parameter is a string, this is {}", key.what()), "put the name in quotes");
                continue;
            };
            if let Some(first) = all.get(name) {
                self.builder.report(attribute_twice(name, key.span, first.name_span));
                continue;
            }
            let mut value = rich::value(node, &mut self.builder.found.secrets, &mut self.builder.diagnostics);
            if is_relationship(name) {
                value = resources(value);
            }
            // Null means not set, like `undef`.
            if !value.is_nil() {
                let deferred = value.has_unknown().then(|| Arc::new(node.to_json()));
                let parts = PartSpans::of_node(node).map(Arc::new);
                all.insert(name.clone(), DeclaredValue { deferred, parts, ..DeclaredValue::new(value, node.span, key.span) });
            }
        }
        all
    }

    /// Marks the parameters listed in `sensitive_parameters` as sensitive.
    fn hide(&mut self, names: Option<&DataNode>, attributes: &mut IndexMap<EcoString, DeclaredValue>) {
        let Some(DataNode { kind: Kind::Array(names), .. }) = names else { return };
        for name in names.iter().filter_map(DataNode::text) {
            let Some(given) = attributes.get_mut(name) else { continue };
            self.builder.found.secrets.add(given.span);
            if *given.value.unwrapped() == Value::str(REDACTED) {
                self.builder.report(rich::redacted(given.span));
            }
            given.value = Value::Sensitive(Arc::new(given.value.unwrapped().clone()));
            given.sensitive = true;
        }
    }

    /// Reads `user: {root: {ensure: present}}`.
    fn titles(&mut self, name: &DataNode, titles: &DataNode) {
        let Some((type_name, type_span)) = self.type_name(name, Some(name)) else { return };
        let Kind::Object(pairs) = &titles.kind else {
            let help = match type_name.as_str() {
                "type" | "title" | "parameters" => "a resource has `type` and `title`, both strings".to_owned(),
                _ => format!("what can be read is {SHAPES}"),
            };
            return self.wrong(titles.span, format!("expected titles with attributes under `{type_name}`, found {}", titles.what()), help);
        };
        for (title, attributes) in pairs {
            // YAML reads a title such as `1001` as a number.
            let title = match &title.kind {
                Kind::Int(n) => DataNode::new(Kind::Str(ecow::eco_format!("{n}")), title.span),
                _ => title.clone(),
            };
            let Some((text, title_span)) = self.title(&title, Some(&title)) else { continue };
            let span = title.span.to(attributes.span);
            let attributes = self.parameters(attributes);
            self.builder.add(Declared {
                type_name: type_name.clone(),
                type_span,
                title: text,
                title_span,
                is_title_computed: false,
                attributes,
                span,
            });
        }
    }
}

/// Converts `"User[bob]"` in relationship values to references. Other text is kept; `resource` reports it.
fn resources(value: Value) -> Value {
    match value {
        Value::Str(text) => parse_reference(&text).map_or(Value::Str(text), |r| Value::Resource(Arc::new(r))),
        Value::Array(items) => Value::Array(items.into_iter().map(resources).collect::<EcoVec<_>>()),
        other => other,
    }
}
