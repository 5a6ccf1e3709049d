//! `Puppet::Type.newtype(:x) do … end` → the directives of a type.

use super::block::{Block, Reason, Scope, first_line};
use super::ruby::{self, Place, description, is_word, name, quoted};
use ruby_prism::{CallNode, DefNode, Node};

/// A directive of the result, and what it was made of.
#[derive(Clone, Debug, Default)]
pub struct Piece {
    /// The directive without the braces of its children; a comment may stand before it.
    pub text: String,
    /// What stands in its braces.
    pub children: Vec<Piece>,
    /// Where it stands in the Ruby text.
    pub at: Place,
    /// What stands behind `untranslated` in its place; empty where nothing of the type depends on it.
    pub kept: String,
    /// Why it could not be translated.
    pub residue: Option<Reason>,
    /// How many blocks of code it is.
    pub blocks: usize,
}

/// A type as it was found.
#[derive(Clone, Debug)]
pub struct Found {
    /// Its name.
    pub name: String,
    /// Where it is named.
    pub at: Place,
    /// Constants and helpers before it.
    pub before: Vec<Piece>,
    /// Whether changes of its own refresh it.
    pub self_refresh: bool,
    /// Its directives.
    pub body: Vec<Piece>,
}

/// The types that a file declares.
pub fn find(source: &str, nodes: Vec<Node<'_>>) -> Vec<Found> {
    let (mut outside, mut types) = (Vec::new(), Vec::new());
    walk(nodes, &mut outside, &mut types, 0);
    types.iter().filter_map(|call| new_type(source, call, &outside)).collect()
}

fn walk<'p>(nodes: Vec<Node<'p>>, outside: &mut Vec<Node<'p>>, types: &mut Vec<CallNode<'p>>, depth: usize) {
    for node in nodes {
        if let Some(module) = node.as_module_node().filter(|_| depth < 8) {
            walk(ruby::statements(module.body()), outside, types, depth + 1);
        } else if let Some(call) = node.as_call_node().filter(|c| name(&c.name()) == "newtype") {
            types.push(call);
        } else {
            outside.push(node);
        }
    }
}

fn new_type(source: &str, call: &CallNode<'_>, outside: &[Node<'_>]) -> Option<Found> {
    let module = ruby::constant(&call.receiver()?)?;
    if !matches!(module.as_str(), "Puppet::Type" | "Type") {
        return None;
    }
    let (plain, named) = ruby::arguments(call.arguments());
    let named_by = plain.first()?;
    let type_name = ruby::symbol(named_by).or_else(|| ruby::text(named_by))?;
    let self_refresh = named.iter().any(|(k, v)| ruby::symbol(k).as_deref() == Some("self_refresh") && v.as_true_node().is_some());
    let body = ruby::block(call).map(|b| ruby::statements(b.body())).unwrap_or_default();
    let mut reader = Reader { source, scope: Scope::default() };
    reader.look_around(outside);
    reader.look_around(&body);
    let mut before = Vec::new();
    for node in outside {
        if node.as_constant_write_node().is_some() {
            before.extend(reader.constant(node));
        } else if !is_require(node) {
            before.push(reader.left(node, "", "it stands outside of the type"));
        }
    }
    let mut pieces = Vec::new();
    for node in &body {
        match reader.constant(node) {
            Some(constant) => before.push(constant),
            None => pieces.extend(reader.type_directive(node)),
        }
    }
    Some(Found { name: type_name, at: ruby::place(named_by), before, self_refresh, body: pieces })
}

fn is_require(node: &Node<'_>) -> bool {
    node.as_call_node().is_some_and(|c| matches!(name(&c.name()).as_str(), "require" | "require_relative") && c.receiver().is_none())
}

/// The methods of Puppet's types that a type may replace; everything else is a helper.
const HOOKS: &[&str] = &[
    "initialize",
    "retrieve",
    "retrieve_resource",
    "exists?",
    "flush",
    "instances",
    "set_sensitive_parameters",
    "set_default",
    "set_parameters",
    "should",
    "value",
    "[]=",
    "suitable?",
    "refresh",
    "generate",
    "eval_generate",
    "pre_run_check",
    "title_patterns",
    "self_refresh?",
    "insync?",
    "properties",
    "evaluate",
    "finish",
    "autorequire",
    "ancestors",
    "present?",
    "name",
    "title",
    "path",
    "builddepends",
    "munge",
    "isomorphic?",
    "to_resource",
    "newattr",
    "uniqueness_key",
    "validate",
];

/// Blocks that Puppet has as methods of an attribute, and ours.
const METHODS: &[(&str, &str, usize)] = &[
    ("insync?", "insync", 1),
    ("is_to_s", "is_to_s", 1),
    ("should_to_s", "should_to_s", 1),
    ("change_to_s", "change_to_s", 2),
    ("retrieve", "retrieve", 0),
    ("sync", "sync", 0),
    ("unsafe_validate", "override validate", 1),
    ("unsafe_munge", "override munge", 1),
];

/// The methods of Puppet's attributes that one may replace beside these.
const ATTRIBUTE_HOOKS: &[&str] = &[
    "initialize",
    "should=",
    "value",
    "value=",
    "validate",
    "munge",
    "unmunge",
    "set",
    "property_matches?",
    "safe_insync?",
    "insync_values?",
    "default",
    "name",
    "noop",
    "shouldorig",
    "change_to_s",
    "format",
    "delimiter",
    "membership",
    "inclusive?",
    "sensitive",
    "call_valuemethod",
    "event_name",
];

struct Reader<'a> {
    source: &'a str,
    scope: Scope,
}

/// What an attribute's directives depend on.
#[derive(Default)]
struct Of {
    all: bool,
    values: bool,
    literals: bool,
    kind: bool,
}

impl Reader<'_> {
    fn slice(&self, node: &Node<'_>) -> &str {
        self.source.get(ruby::place(node)).unwrap_or_default()
    }

    fn left(&self, node: &Node<'_>, kept: &str, reason: &str) -> Piece {
        let residue = Some(Reason { text: reason.to_owned(), at: ruby::place(node) });
        Piece { at: ruby::place(node), kept: kept.to_owned(), residue, ..Piece::default() }
    }

    fn ready(&self, node: &Node<'_>, kept: &str, text: impl Into<String>) -> Piece {
        Piece { at: ruby::place(node), kept: kept.to_owned(), text: text.into(), ..Piece::default() }
    }

    /// A directive with a block, or what keeps it from being one.
    fn coded(&self, node: &Node<'_>, kept: &str, text: Result<String, Reason>) -> Piece {
        let mut piece = match text {
            Ok(text) => self.ready(node, kept, text),
            Err(reason) => Piece { residue: Some(reason), ..self.ready(node, kept, "") },
        };
        piece.blocks = 1;
        piece
    }

    /// Names of attributes and functions, known before blocks are read.
    fn look_around(&mut self, nodes: &[Node<'_>]) {
        for node in nodes {
            if let Some(def) = node.as_def_node().filter(|d| d.receiver().is_none()) {
                let method = name(&def.name());
                if !HOOKS.contains(&method.as_str()) {
                    self.scope.functions.insert(method);
                }
            }
            let Some(call) = node.as_call_node() else { continue };
            let method = name(&call.name());
            if method == "ensurable" {
                self.scope.attributes.insert("ensure".into());
            }
            if !matches!(method.as_str(), "newparam" | "newproperty") {
                continue;
            }
            let (plain, named) = ruby::arguments(call.arguments());
            let Some(attribute) = plain.first().and_then(ruby::symbol) else { continue };
            let body = ruby::block(&call).map(|b| ruby::statements(b.body())).unwrap_or_default();
            let calls = || body.iter().filter_map(Node::as_call_node);
            let says = |word: &str| calls().any(|c| name(&c.name()) == word);
            let namevar = named.iter().any(|(k, v)| ruby::symbol(k).as_deref() == Some("namevar") && v.as_true_node().is_some());
            if namevar || says("isnamevar") {
                self.scope.namevar = Some(attribute.clone());
            }
            let lists = calls().filter(|c| matches!(name(&c.name()).as_str(), "newvalues" | "newvalue")).any(|c| {
                let (plain, _) = ruby::arguments(c.arguments());
                plain.iter().any(|a| a.as_false_node().is_some() || ruby::symbol(a).or_else(|| ruby::text(a)).as_deref() == Some("false"))
            });
            if lists && !says("munge") {
                self.scope.falsy.insert(attribute.clone());
            }
            self.scope.attributes.insert(attribute);
        }
    }

    /// `NAME = literal`
    fn constant(&mut self, node: &Node<'_>) -> Option<Piece> {
        let write = node.as_constant_write_node()?;
        let constant = name(&write.name());
        Some(match Block::new(&self.scope, self.source, None).single(&write.value()) {
            Ok(value) => {
                self.scope.constants.insert(constant.clone());
                self.ready(node, "", format!("const {constant} = {value}"))
            }
            Err(reason) => Piece { residue: Some(reason), ..self.ready(node, "", "") },
        })
    }

    fn type_directive(&mut self, node: &Node<'_>) -> Option<Piece> {
        if let Some(write) = node.as_instance_variable_write_node() {
            return Some(match (name(&write.name()).as_str(), ruby::text(&write.value())) {
                ("@doc", Some(text)) => self.ready(node, "", format!("desc {}", description(&text))),
                ("@doc", None) => self.left(node, "", "the description is computed"),
                ("@isomorphic", _) if write.value().as_false_node().is_some() => self.ready(node, "validate", "isomorphic false"),
                _ => self.left(node, "validate", "it is state of a Ruby object"),
            });
        }
        if let Some(def) = node.as_def_node() {
            return Some(self.type_method(node, &def));
        }
        let Some(call) = node.as_call_node().filter(|c| c.receiver().is_none_or(|r| r.as_self_node().is_some())) else {
            // Messages, and locals: what reads one is left itself.
            let says = node.as_call_node().is_some_and(|c| c.receiver().as_ref().and_then(ruby::constant).as_deref() == Some("Puppet"));
            let kept = if says || node.as_local_variable_write_node().is_some() { "" } else { "validate" };
            return Some(self.left(node, kept, "it is code that runs when the type is loaded"));
        };
        let method = name(&call.name());
        let (plain, named) = ruby::arguments(call.arguments());
        if matches!(method.as_str(), "include" | "extend")
            && plain.iter().all(|m| {
                ruby::constant(m).is_some_and(|m| {
                    matches!(
                        m.as_str(),
                        "Puppet::Util"
                            | "Puppet::Util::Errors"
                            | "Puppet::Util::Checksums"
                            | "Puppet::Util::Warnings"
                            | "Puppet::Util::Execution"
                    )
                })
            })
        {
            // Functions: blocks that call one are left themselves.
            return None;
        }
        let block = ruby::block(&call);
        let body = || block.as_ref().map(|b| ruby::statements(b.body())).unwrap_or_default();
        let word = || plain.first().and_then(|n| ruby::symbol(n).or_else(|| ruby::text(n)));
        Some(match method.as_str() {
            "desc" | "doc=" => match plain.first().and_then(ruby::text) {
                Some(text) => self.ready(node, "", format!("desc {}", description(&text))),
                None => self.left(node, "", "the description is computed"),
            },
            "require" | "private" | "attr_reader" | "attr_accessor" | "attr_writer" | "map_title_patterns" => return None,
            "ensurable" => {
                let mut piece = self.ready(node, "validate", "ensurable");
                let of = Of::look(&body());
                let given = body();
                piece.children = given.iter().filter_map(|n| self.attribute_directive(n, &of)).collect();
                piece
            }
            "newparam" | "newproperty" => self.attribute(node, &method, &plain, &named, body()),
            "feature" => {
                let Some(feature) = word().filter(|w| is_word(w)) else {
                    return Some(self.left(node, "validate", "the feature's name is computed"));
                };
                let mut text = format!("feature {feature}");
                if let Some(doc) = plain.get(1).and_then(ruby::text) {
                    text.push_str(&format!(", {}", quoted(doc.split_whitespace().collect::<Vec<_>>().join(" ").as_str())));
                }
                for (key, value) in &named {
                    let methods = value.as_array_node().map(|a| a.elements().iter().map(|e| ruby::symbol(&e)).collect::<Option<Vec<_>>>());
                    match (ruby::symbol(key).as_deref(), methods) {
                        (Some("methods"), Some(Some(methods))) => text.push_str(&format!(", methods: [{}]", methods.join(", "))),
                        _ => return Some(self.left(node, "validate", "an option of the feature is not known")),
                    }
                }
                self.ready(node, "validate", text)
            }
            "autorequire" | "autobefore" | "autonotify" | "autosubscribe" => {
                let Some(target) = word().filter(|w| is_word(w)) else { return Some(self.left(node, "validate", "the type is computed")) };
                let (given, kept) = (body(), format!("{method} {target}"));
                if let [only] = given.as_slice() {
                    let items: Option<Vec<String>> = match only.as_array_node() {
                        Some(list) => list.elements().iter().map(|e| ruby::text(&e)).collect(),
                        None => ruby::text(only).map(|t| vec![t]),
                    };
                    if let Some(items) = items {
                        let items: Vec<String> = items.iter().map(|t| quoted(t)).collect();
                        return Some(self.coded(node, &kept, Ok(format!("{kept}, [{}]", items.join(", ")))));
                    }
                }
                self.coded(node, &kept, self.code(None, &[], given).map(|c| format!("{kept} {c}")))
            }
            "validate" => self.coded(node, "validate", self.code(None, &[], body()).map(|c| format!("validate {c}"))),
            "apply_to_device" | "apply_to_host" | "apply_to_all" => {
                let target = match method.as_str() {
                    "apply_to_all" => "both",
                    other => other.rsplit('_').next().unwrap_or("host"),
                };
                self.ready(node, "", format!("apply_to {target}"))
            }
            _ => self.left(node, "validate", &format!("`{}` is not understood", first_line(self.slice(node)))),
        })
    }

    fn code(&self, attribute: Option<bool>, params: &[String], body: Vec<Node<'_>>) -> Result<String, Reason> {
        Block::new(&self.scope, self.source, attribute).whole(params, body)
    }

    /// `def x … end` in a type.
    fn type_method(&self, node: &Node<'_>, def: &DefNode<'_>) -> Piece {
        let method = name(&def.name());
        if def.receiver().is_some() && method == "title_patterns" {
            return match self.title_patterns(def) {
                Some(rows) => self.coded(node, "validate", Ok(format!("title_patterns {{\n{rows}\n}}"))),
                None => self.coded(
                    node,
                    "validate",
                    Err(Reason { text: "these title patterns are not understood".into(), at: ruby::place(node) }),
                ),
            };
        }
        let hook = HOOKS.contains(&method.as_str());
        let kept = if hook { "validate" } else { "" };
        let params = match self.params(def) {
            Ok(params) if def.receiver().is_none() => params,
            _ => {
                return self.coded(
                    node,
                    kept,
                    Err(Reason { text: format!("the method `{method}` has no counterpart"), at: ruby::place(node) }),
                );
            }
        };
        let body = ruby::statements(def.body());
        match method.as_str() {
            "refresh" => self.coded(node, "refresh", self.code(None, &[], body).map(|c| format!("refresh {c}"))),
            "pre_run_check" => self.coded(node, "pre_run_check", self.code(None, &[], body).map(|c| format!("pre_run_check {c}"))),
            _ if hook => self.coded(
                node,
                kept,
                Err(Reason { text: format!("the method `{method}` of Puppet's types is replaced"), at: ruby::place(node) }),
            ),
            _ => {
                let mut block = Block::new(&self.scope, self.source, None);
                let code = block.whole(&params, body);
                // The parameters of a function stand behind its name.
                let bars = format!("{{ |{}| ", params.join(", "));
                let code = code.map(|c| c.strip_prefix(&bars).map_or_else(|| c.clone(), |rest| format!("{{ {rest}")));
                self.coded(node, kept, code.map(|c| format!("fn {method}({}) {c}", params.join(", "))))
            }
        }
    }

    fn params(&self, def: &DefNode<'_>) -> Result<Vec<String>, Reason> {
        let Some(list) = def.parameters() else { return Ok(Vec::new()) };
        let count = list.optionals().iter().count() + list.posts().iter().count() + list.keywords().iter().count();
        let names = list.requireds().iter().map(|p| p.as_required_parameter_node().map(|p| name(&p.name()))).collect::<Option<Vec<_>>>();
        match names {
            Some(names) if count == 0 && list.rest().is_none() && list.keyword_rest().is_none() && list.block().is_none() => Ok(names),
            _ => Err(Reason { text: "parameters with defaults or of variable number".into(), at: ruby::at(&list.location()) }),
        }
    }

    /// `[[/re/, [[:name], [:type]]], …]`
    fn title_patterns(&self, def: &DefNode<'_>) -> Option<String> {
        let body = ruby::statements(def.body());
        let [only] = body.as_slice() else { return None };
        let mut rows = Vec::new();
        for row in only.as_array_node()?.elements().iter() {
            let parts: Vec<_> = row.as_array_node()?.elements().iter().collect();
            let [pattern, names] = parts.as_slice() else { return None };
            let pattern = Block::new(&self.scope, self.source, None).single(pattern).ok()?;
            let names: Option<Vec<String>> = names
                .as_array_node()?
                .elements()
                .iter()
                .map(|entry| {
                    let entry: Vec<_> = entry.as_array_node()?.elements().iter().collect();
                    if let [attribute] = entry.as_slice() { ruby::symbol(attribute) } else { None }
                })
                .collect();
            rows.push(format!("{pattern} => {}", names?.join(", ")));
        }
        Some(rows.join("\n"))
    }

    fn attribute(&self, node: &Node<'_>, word: &str, plain: &[Node<'_>], named: &[(Node<'_>, Node<'_>)], body: Vec<Node<'_>>) -> Piece {
        let Some(attribute) = plain.first().and_then(|n| ruby::symbol(n).or_else(|| ruby::text(n))).filter(|w| !w.is_empty()) else {
            return self.left(node, "validate", "the attribute's name is computed");
        };
        let mut of = Of::look(&body);
        let mut text = format!("{word} {attribute}");
        let mut first = Vec::new();
        for (key, value) in named {
            let as_word = ruby::symbol(value).or_else(|| ruby::text(value));
            match ruby::symbol(key).as_deref() {
                Some("namevar") if value.as_true_node().is_some() => first.push(self.ready(key, "", "isnamevar")),
                // Puppet passes over `isnamevar`.
                Some("boolean" | "namevar" | "isnamevar") => {}
                Some("array_matching") if as_word.as_deref() == Some("all") => {
                    of.all = true;
                    text.push_str(", array_matching: all");
                }
                Some("array_matching") => {}
                Some("required_features") => {
                    let list = match value.as_array_node() {
                        Some(list) => {
                            list.elements().iter().map(|e| ruby::symbol(&e).or_else(|| ruby::text(&e))).collect::<Option<Vec<_>>>()
                        }
                        None => as_word.map(|w| vec![w]),
                    };
                    let Some(list) = list else { return self.left(node, "validate", "the features are computed") };
                    text.push_str(&format!(", required_features: [{}]", list.join(", ")));
                }
                Some("parent") => match ruby::constant(value).as_deref() {
                    Some("Puppet::Parameter::Boolean" | "Puppet::Property::Boolean") => {
                        of.kind = true;
                        text.push_str(", kind: boolean");
                    }
                    Some("Puppet::Parameter::Path") => {
                        of.kind = true;
                        text.push_str(", kind: path");
                    }
                    Some("Puppet::Property" | "Puppet::Parameter") => {}
                    _ => return self.left(node, "validate", "the class that the attribute builds upon is written in Ruby"),
                },
                _ => return self.left(node, "validate", &format!("the option `{}` is not known", first_line(self.slice(key)))),
            }
        }
        // Puppet takes a param of this name for the namevar, whatever else is said.
        let says = body.iter().filter_map(Node::as_call_node).any(|c| name(&c.name()) == "isnamevar");
        if word == "newparam" && attribute == "name" && first.is_empty() && !says {
            first.push(self.ready(node, "", "isnamevar"));
        }
        let mut piece = self.ready(node, "validate", text);
        piece.children = first;
        piece.children.extend(body.iter().filter_map(|n| self.attribute_directive(n, &of)));
        piece
    }

    fn attribute_directive(&self, node: &Node<'_>, of: &Of) -> Option<Piece> {
        let is_of = Some(of.all);
        if let Some(def) = node.as_def_node() {
            let method = name(&def.name());
            let Some((_, ours, count)) = METHODS.iter().find(|(theirs, _, _)| *theirs == method) else {
                let kept = match method.as_str() {
                    "should" => "should",
                    _ if ATTRIBUTE_HOOKS.contains(&method.as_str()) => "validate",
                    // A helper: blocks that call it are left themselves.
                    _ => "",
                };
                return Some(self.coded(
                    node,
                    kept,
                    Err(Reason { text: format!("the method `{method}` of an attribute has no counterpart"), at: ruby::place(node) }),
                ));
            };
            let kept = ours.strip_prefix("override ").unwrap_or(ours);
            let code = self.params(&def).and_then(|params| {
                // A block may have fewer parameters than the method.
                let params = if params.len() > *count { params.get(..*count).unwrap_or_default().to_vec() } else { params };
                self.code(is_of, &params, ruby::statements(def.body()))
            });
            return Some(self.coded(node, kept, code.map(|c| format!("{ours} {c}"))));
        }
        let Some(call) = node.as_call_node().filter(|c| c.receiver().is_none_or(|r| r.as_self_node().is_some())) else {
            return Some(self.left(node, "validate", "it is code that runs when the type is loaded"));
        };
        let method = name(&call.name());
        let (plain, named) = ruby::arguments(call.arguments());
        let block = ruby::block(&call);
        let has_block = block.is_some();
        let params = block.as_ref().map_or(Some(Vec::new()), ruby::block_params);
        let body = block.as_ref().map(|b| ruby::statements(b.body())).unwrap_or_default();
        let code = |body: Vec<Node<'_>>| match &params {
            Some(params) => self.code(is_of, params, body),
            None => Err(Reason { text: "a block with such parameters".into(), at: ruby::place(node) }),
        };
        Some(match method.as_str() {
            "desc" => match plain.first().and_then(ruby::text) {
                Some(text) => self.ready(node, "", format!("desc {}", description(&text))),
                None => self.left(node, "", "the description is computed"),
            },
            "isnamevar" | "nodefault" | "defaultvalues" => self.ready(node, "validate", method),
            "isrequired" => return None,
            "sensitive" if plain.first().is_none_or(|v| v.as_true_node().is_some()) => self.ready(node, "validate", "sensitive"),
            "array_matching" => self.left(node, "validate", "`array_matching` stands in the body"),
            "validate" => {
                let word = if of.values || of.kind {
                    "# In Puppet it replaces the check of the values listed.\noverride validate"
                } else {
                    "validate"
                };
                self.coded(node, "validate", code(body).map(|c| format!("{word} {c}")))
            }
            "munge" => {
                let word = if of.literals || of.kind { "override munge" } else { "munge" };
                self.coded(node, "munge", code(body).map(|c| format!("{word} {c}")))
            }
            "unmunge" => self.coded(node, "unmunge", code(body).map(|c| format!("unmunge {c}"))),
            "newvalues" => match plain.iter().map(|v| self.value(v)).collect::<Option<Vec<_>>>().filter(|_| named.is_empty()) {
                Some(values) => self.ready(node, "validate", format!("newvalues {}", values.join(", "))),
                None => self.left(node, "validate", "a value is computed"),
            },
            "newvalue" => {
                let Some(value) = plain.first().and_then(|v| self.value(v)) else {
                    return Some(self.left(node, "validate", "a value is computed"));
                };
                let mut text = format!("newvalue {value}");
                for (key, given) in &named {
                    match (ruby::symbol(key).as_deref(), ruby::symbol(given).or_else(|| ruby::text(given))) {
                        (Some("event" | "required_features"), Some(word)) if is_word(&word) => {
                            text.push_str(&format!(", {}: {word}", ruby::symbol(key).unwrap_or_default()));
                        }
                        (Some("invalidate_refreshes"), None) if given.as_true_node().is_some() => {
                            text.push_str(", invalidate_refreshes: true")
                        }
                        (Some("call"), _) => {}
                        _ => return Some(self.left(node, "validate", "an option of the value is not known")),
                    }
                }
                if !has_block {
                    return Some(self.ready(node, "validate", text));
                }
                self.coded(node, &format!("newvalue {value}"), code(body).map(|c| format!("{text} {c}")))
            }
            "aliasvalue" => match plain.iter().map(|v| self.value(v)).collect::<Option<Vec<_>>>() {
                Some(values) if values.len() == 2 => self.ready(node, "validate", format!("aliasvalue {}", values.join(", "))),
                _ => self.left(node, "validate", "a value is computed"),
            },
            "defaultto" => return Some(self.default(node, &plain, has_block.then_some(body), &code)),
            _ => self.left(node, "validate", &format!("`{}` is not understood", first_line(self.slice(node)))),
        })
    }

    fn default(
        &self,
        node: &Node<'_>,
        plain: &[Node<'_>],
        body: Option<Vec<Node<'_>>>,
        code: &dyn Fn(Vec<Node<'_>>) -> Result<String, Reason>,
    ) -> Piece {
        const DROPPED: &str = "# Puppet drops the default `false`: it stays unset.";
        if let Some(body) = body {
            if let [only] = body.as_slice() {
                if only.as_false_node().is_some() {
                    return self.ready(node, "", DROPPED);
                }
                if ruby::text(only).is_some() || only.as_true_node().is_some() {
                    return self.coded(node, "defaultto", Ok(self.literal_default(only)));
                }
                // Puppet drops a default that is false.
                let asks = only.as_call_node().is_some_and(|c| {
                    let method = name(&c.name());
                    matches!(method.as_str(), "==" | "!=" | "!" | "<" | ">" | "<=" | ">=") || method.ends_with('?')
                });
                if asks {
                    let one = Block::new(&self.scope, self.source, Some(false)).single(only);
                    return self.coded(node, "defaultto", one.map(|e| format!("defaultto {{ ({e}) || nil }}")));
                }
            }
            return self.coded(node, "defaultto", code(body).map(|c| format!("defaultto {c}")));
        }
        let [value] = plain else { return self.left(node, "defaultto", "this default is not understood") };
        if value.as_false_node().is_some() {
            return self.ready(node, "", DROPPED);
        }
        if value.as_nil_node().is_some() {
            return self.ready(node, "", "");
        }
        if value.as_hash_node().is_some() || ruby::text(value).or_else(|| ruby::symbol(value)).is_none() {
            return match Block::new(&self.scope, self.source, Some(false)).single(value) {
                Ok(text) if value.as_hash_node().is_some() => self.ready(node, "defaultto", format!("defaultto ({text})")),
                Ok(text) if value.as_array_node().is_some_and(|a| a.elements().iter().any(|e| ruby::symbol(&e).is_some())) => {
                    self.ready(node, "defaultto", format!("defaultto {{ {text} }}"))
                }
                Ok(text) => self.ready(node, "defaultto", format!("defaultto {text}")),
                Err(reason) => Piece { residue: Some(reason), ..self.ready(node, "defaultto", "") },
            };
        }
        self.ready(node, "defaultto", self.literal_default(value))
    }

    fn literal_default(&self, value: &Node<'_>) -> String {
        match (ruby::text(value), ruby::symbol(value)) {
            (Some(text), _) => format!("defaultto {}", quoted(&text)),
            (_, Some(symbol)) if is_word(&symbol) => format!("defaultto {symbol}"),
            (_, Some(symbol)) => format!("defaultto {{ {} }}", ruby::symbol_literal(&symbol)),
            _ => format!("defaultto {}", self.slice(value)),
        }
    }

    /// A value as `newvalues` lists it: literals become symbols there.
    fn value(&self, node: &Node<'_>) -> Option<String> {
        if let Some(word) = ruby::symbol(node).or_else(|| ruby::text(node)) {
            return Some(if is_word(&word) || matches!(word.as_str(), "true" | "false") { word } else { quoted(&word) });
        }
        if let Some(splat) = node.as_splat_node() {
            if let Some(list) = splat.expression()?.as_array_node() {
                let values: Option<Vec<String>> = list.elements().iter().map(|e| self.value(&e)).collect();
                return values.map(|v| v.join(", "));
            }
            let constant = ruby::constant(&splat.expression()?)?;
            return self.scope.constants.contains(&constant).then(|| format!("*{constant}"));
        }
        let literal = node.as_regular_expression_node().is_some()
            || node.as_true_node().is_some()
            || node.as_false_node().is_some()
            || node.as_integer_node().is_some();
        if !literal {
            return None;
        }
        Block::new(&self.scope, self.source, None).single(node).ok()
    }
}

impl Of {
    fn look(body: &[Node<'_>]) -> Of {
        let mut of = Of::default();
        for call in body.iter().filter_map(Node::as_call_node) {
            if matches!(name(&call.name()).as_str(), "newvalues" | "newvalue" | "aliasvalue") {
                of.values = true;
                let (plain, _) = ruby::arguments(call.arguments());
                of.literals |= plain.iter().any(|a| a.as_regular_expression_node().is_none());
            }
            of.literals |= name(&call.name()) == "defaultvalues";
        }
        of
    }
}
