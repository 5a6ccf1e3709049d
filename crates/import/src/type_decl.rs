//! Translates `Puppet::Type.newtype(:x) do … end` to the directives of a type.

use super::block::{AttributeContext, BlockTranslator, TypeScope, Untranslated, first_line};
use super::budget::ROUND;
use super::expand::{ClassItem, NestedClass, expand};
use super::known::{Folder, Locals, StaticValue};
use super::modules::RubyModules;
use super::nested::SHOWN;
use super::patterns::gathered;
use super::ruby::{self, ByteRange, description, is_word, name};
use rtype_lang::source::Source;
use rtype_lang::syntax::quote;
use ruby_prism::{CallNode, DefNode, Node};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A directive of the result, with its Ruby origin.
#[derive(Clone, Debug, Default)]
pub struct Fragment {
    /// The directive without the braces of its children; may start with a comment.
    pub text: String,
    /// The directives in its braces.
    pub children: Vec<Fragment>,
    /// Location in the Ruby text.
    pub at: ByteRange,
    /// Index of that text.
    pub file: usize,
    /// Whether it is a function of a mixin, which is only included if it is called.
    pub mixed_in: bool,
    /// The argument of `untranslated` in its place; empty if it can be dropped without affecting the type.
    pub kept: String,
    /// Why it could not be translated.
    pub residue: Option<Untranslated>,
    /// Number of code blocks.
    pub blocks: usize,
}

/// An imported type.
#[derive(Clone, Debug)]
pub struct TypeDeclaration {
    /// Name of the type.
    pub name: String,
    /// Location of its name.
    pub at: ByteRange,
    /// Constants and helpers before it.
    pub before: Vec<Fragment>,
    /// Whether its own changes refresh it.
    pub self_refresh: bool,
    /// Its directives.
    pub body: Vec<Fragment>,
    /// The names available to its blocks.
    pub scope: TypeScope,
}

/// Returns the types that the first text declares.
pub fn find(texts: &[Arc<Source>], modules: &RubyModules<'_>) -> Vec<TypeDeclaration> {
    modules.types.iter().filter_map(|call| modules.budget.spend(ROUND).and_then(|()| new_type(texts, modules, call))).collect()
}

fn new_type<'p>(texts: &[Arc<Source>], modules: &RubyModules<'p>, call: &CallNode<'p>) -> Option<TypeDeclaration> {
    let module = ruby::constant(&call.receiver()?)?;
    if !matches!(module.as_str(), "Puppet::Type" | "Type") {
        return None;
    }
    let (plain, named) = ruby::arguments(call.arguments());
    let named_by = plain.first()?;
    let type_name = ruby::symbol(named_by).or_else(|| ruby::text(named_by))?;
    let self_refresh = named.iter().any(|(k, v)| ruby::symbol(k).as_deref() == Some("self_refresh") && v.as_true_node().is_some());
    let body = ruby::block(call).map(|b| ruby::statements(b.body())).unwrap_or_default();
    let expanded = expand(modules, body, 0, &Locals::new());
    let source = texts.first().map_or("", |t| t.text());
    let mut reader = Reader { texts, modules, file: 0, source, scope: TypeScope::default(), classes: expanded.classes };
    reader.scope.type_name.clone_from(&type_name);
    for node in &modules.outside {
        reader.scope.outside.extend(node.as_def_node().filter(|d| d.receiver().is_none()).map(|d| name(&d.name())));
        reader.look_around(node);
    }
    for item in &expanded.items {
        reader.enter(item);
        reader.look_around(&item.node);
    }
    let (mut before, mut pieces, mut last) = (Vec::new(), Vec::new(), Vec::new());
    reader.leave();
    for node in &modules.outside {
        if node.as_constant_write_node().is_some() {
            before.extend(reader.constant(node));
        } else if let Some(def) = node.as_def_node().filter(|d| d.receiver().is_none()) {
            pieces.push(Fragment { mixed_in: true, ..reader.type_method(node, &def) });
        } else if !is_load_path(node) {
            before.push(reader.left(node, "", "it is outside of the type"));
        }
    }
    for class in std::mem::take(&mut reader.classes).into_iter().collect::<Vec<_>>() {
        if let Some(mut found) = reader.class(&class.1) {
            before.append(&mut found);
            reader.classes.insert(class.0, class.1);
        }
    }
    for item in &expanded.items {
        reader.enter(item);
        match reader.constant(&item.node) {
            Some(constant) => before.push(constant),
            None => {
                pieces.extend(reader.helpers_in(&item.node));
                let piece = reader.type_directive(&item.node).map(|p| Fragment { mixed_in: item.mixed_in, ..p });
                if item.node.as_def_node().is_some_and(|d| name(&d.name()) == "exists?" && !reader.forwards(&d))
                    && let Some(ensure) = pieces.iter_mut().find(|p| p.text == "ensurable")
                {
                    let body = item.node.as_def_node().map(|d| ruby::statements(d.body())).unwrap_or_default();
                    ensure.children.push(reader.exists(&item.node, body));
                    continue;
                }
                // `initialize` runs after `validate`.
                let is_last = item.node.as_def_node().is_some_and(|d| name(&d.name()) == "initialize");
                if is_last { &mut last } else { &mut pieces }.extend(piece);
                reader.writes_in(&item.node).into_iter().for_each(|p| before_rules(&mut pieces, p));
            }
        }
    }
    if before.iter().chain(&pieces).any(|p| p.text.starts_with("fn ") && p.text.contains("shown(")) {
        before.insert(0, Fragment { at: ruby::place(named_by), text: SHOWN.to_owned(), ..Fragment::default() });
    }
    for feature in &reader.scope.undeclared {
        let text = format!("# In Puppet the type declares no `{feature}`, so that no provider has it.\nfeature undeclared_{feature}");
        pieces.insert(0, Fragment { at: ruby::place(named_by), text, kept: "validate".into(), ..Fragment::default() });
    }
    pieces.append(&mut last);
    drop_uncalled(&mut pieces);
    let has_params = reader.scope.namevar.is_some() || reader.scope.attributes.contains("name");
    if !has_params && expanded.items.iter().all(|i| i.node.as_call_node().is_none_or(|c| name(&c.name()) != "newparam")) {
        pieces.extend(no_namevar(ruby::place(named_by)));
    }
    Some(TypeDeclaration { name: type_name, at: ruby::place(named_by), before, self_refresh, body: pieces, scope: reader.scope })
}

/// Inserts a piece before the checks of the whole resource: in Puppet it runs while attributes are set.
fn before_rules(pieces: &mut Vec<Fragment>, piece: Fragment) {
    let is_rule = |p: &Fragment| p.text.starts_with("validate ") || p.text.starts_with("finalize {\nself.");
    let at = pieces.iter().position(is_rule).unwrap_or(pieces.len());
    pieces.insert(at, piece);
}

/// Returns the directives of a type without a namevar, all of whose resources Puppet rejects, because no pattern matches their
/// titles.
fn no_namevar(at: ByteRange) -> [Fragment; 2] {
    let pattern = "# In Puppet this type has no namevar, and every title is refused.\ntitle_patterns {\n/([^\\s\\S])/ => name\n}";
    let piece = |text: &str| Fragment { at: at.clone(), text: text.to_owned(), kept: "validate".into(), ..Fragment::default() };
    [piece("newparam name"), piece(pattern)]
}

/// Drops functions of mixins that are not called.
fn drop_uncalled(pieces: &mut Vec<Fragment>) {
    fn calls(piece: &Fragment, function: &str) -> bool {
        piece.text.contains(&format!("{function}(")) || piece.children.iter().any(|c| calls(c, function))
    }
    loop {
        let called = |piece: &Fragment| {
            let name = piece.text.strip_prefix("fn ").and_then(|t| t.split('(').next());
            name.is_some_and(|name| pieces.iter().any(|p| p.at != piece.at && calls(p, name)))
        };
        let Some(at) = pieces.iter().position(|p| p.mixed_in && !called(p)) else { return };
        pieces.remove(at);
    }
}

/// Returns whether a statement only loads files or changes the load path.
fn is_load_path(node: &Node<'_>) -> bool {
    let Some(call) = node.as_call_node() else { return false };
    let searches = |body: Option<Node<'_>>| ruby::statements(body).iter().all(is_load_path);
    match call.receiver() {
        None => matches!(name(&call.name()).as_str(), "require" | "require_relative"),
        Some(receiver)
            if receiver.as_global_variable_read_node().is_some_and(|g| matches!(name(&g.name()).as_str(), "$LOAD_PATH" | "$:")) =>
        {
            true
        }
        // Recognizes `File.expand_path(…).tap { |dir| $LOAD_PATH.unshift(dir) unless … }`.
        Some(_) => {
            name(&call.name()) == "tap"
                && ruby::block(&call).is_some_and(|b| {
                    ruby::statements(b.body()).iter().all(|n| match n.as_unless_node() {
                        Some(unless) => searches(unless.statements().map(|s| s.as_node())),
                        None => is_load_path(n),
                    })
                })
        }
    }
}

/// Methods of Puppet's types that a type may override; all others are helpers.
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

pub(super) struct Reader<'a, 'p> {
    texts: &'a [Arc<Source>],
    pub(super) modules: &'a RubyModules<'p>,
    /// Index of the current text.
    pub(super) file: usize,
    pub(super) source: &'a str,
    pub(super) scope: TypeScope,
    /// Classes within the type.
    pub(super) classes: BTreeMap<String, NestedClass<'p>>,
}

impl<'p> Reader<'_, 'p> {
    /// Switches to the file and locals of a declaration.
    pub(super) fn enter(&mut self, item: &ClassItem<'p>) {
        self.go(item.file);
        self.scope.known.clone_from(&item.known);
    }

    fn leave(&mut self) {
        self.go(0);
        self.scope.known.clear();
    }

    pub(super) fn go(&mut self, file: usize) {
        self.file = file;
        self.source = self.texts.get(file).map_or("", |t| t.text());
    }

    /// Evaluates a value that is known when the type is loaded.
    pub(super) fn fold(&self, node: &Node<'_>) -> Option<StaticValue> {
        let path = self.modules.paths.get(self.file).map_or("", String::as_str);
        Folder::new(self.modules, path).with(&self.scope.known).value(node)
    }

    /// Evaluates a name: a known symbol or string.
    pub(super) fn word(&self, node: &Node<'_>) -> Option<String> {
        self.fold(node)?.word()
    }

    pub(super) fn slice(&self, node: &Node<'_>) -> &str {
        self.source.get(ruby::place(node)).unwrap_or_default()
    }

    pub(super) fn left(&self, node: &Node<'_>, kept: &str, reason: &str) -> Fragment {
        let residue = Some(Untranslated { text: reason.to_owned(), at: ruby::place(node) });
        Fragment { at: ruby::place(node), file: self.file, kept: kept.to_owned(), residue, ..Fragment::default() }
    }

    pub(super) fn ready(&self, node: &Node<'_>, kept: &str, text: impl Into<String>) -> Fragment {
        Fragment { at: ruby::place(node), file: self.file, kept: kept.to_owned(), text: text.into(), ..Fragment::default() }
    }

    /// Returns the piece for a directive with a block, or for an untranslated one.
    pub(super) fn coded(&self, node: &Node<'_>, kept: &str, text: Result<String, Untranslated>) -> Fragment {
        let mut piece = match text {
            Ok(text) => self.ready(node, kept, text),
            Err(reason) => Fragment { residue: Some(reason), ..self.ready(node, kept, "") },
        };
        piece.blocks = 1;
        piece
    }

    /// Collects the names of attributes and functions before blocks are translated.
    pub(super) fn look_around(&mut self, node: &Node<'p>) {
        if let Some(def) = node.as_def_node() {
            let method = name(&def.name());
            if def.receiver().is_some() && method == "title_patterns" {
                let rows = self.title_rows(&def).unwrap_or_default();
                self.scope.in_titles.extend(rows.into_iter().flat_map(|(_, names)| names));
            } else if method == "name" {
                self.scope.has_name = true;
            } else if !HOOKS.contains(&method.as_str()) {
                self.scope.functions.insert(method);
            }
        }
        let Some(call) = node.as_call_node() else { return };
        let method = name(&call.name());
        if method == "ensurable" {
            self.scope.attributes.insert("ensure".into());
            self.scope.properties.insert("ensure".into());
            let body = ruby::block(&call).map(|b| ruby::statements(b.body())).unwrap_or_default();
            self.scope.add_helpers("ensure", &expand(self.modules, body, self.file, &self.scope.known).items);
        }
        if method == "alias_method" {
            let words: Vec<Option<String>> = ruby::arguments(call.arguments()).0.iter().map(|n| self.word(n)).collect();
            let is = |at: usize, word: &str| words.get(at).is_some_and(|w| w.as_deref() == Some(word));
            self.scope.title_is_name = self.scope.has_name && is(0, "title") && is(1, "name");
        }
        if method == "feature" {
            self.scope.features.extend(ruby::arguments(call.arguments()).0.first().and_then(|n| self.word(n)));
        }
        if !matches!(method.as_str(), "newparam" | "newproperty") {
            return;
        }
        let (plain, named) = ruby::arguments(call.arguments());
        let Some(attribute) = plain.first().and_then(|n| self.word(n)) else { return };
        let body = ruby::block(&call).map(|b| ruby::statements(b.body())).unwrap_or_default();
        let body = expand(self.modules, body, self.file, &self.scope.known).items;
        let calls = || body.iter().filter_map(|i| i.node.as_call_node());
        let says = |word: &str| calls().any(|c| name(&c.name()) == word);
        let namevar = named.iter().any(|(k, v)| ruby::symbol(k).as_deref() == Some("namevar") && v.as_true_node().is_some());
        if method == "newparam" && (namevar || says("isnamevar")) {
            self.scope.namevar = Some(attribute.clone());
        }
        let lists = calls().filter(|c| matches!(name(&c.name()).as_str(), "newvalues" | "newvalue")).any(|c| {
            let (plain, _) = ruby::arguments(c.arguments());
            plain.iter().any(|a| a.as_false_node().is_some() || ruby::symbol(a).or_else(|| ruby::text(a)).as_deref() == Some("false"))
        });
        if lists && !says("munge") {
            self.scope.falsy.insert(attribute.clone());
        }
        self.scope.add_helpers(&attribute, &body);
        if method == "newproperty" {
            self.scope.properties.insert(attribute.clone());
        } else {
            self.scope.params.push(attribute.clone());
        }
        self.scope.attributes.insert(attribute);
    }

    /// Translates `NAME = literal`.
    pub(super) fn constant(&mut self, node: &Node<'_>) -> Option<Fragment> {
        let write = node.as_constant_write_node()?;
        let constant = name(&write.name());
        Some(match self.block(None, |block| block.single(&write.value())) {
            Ok(value) => {
                self.scope.constants.insert(constant.clone());
                self.ready(node, "", format!("const {constant} = {value}"))
            }
            Err(reason) => Fragment { residue: Some(reason), ..self.ready(node, "", "") },
        })
    }

    pub(super) fn type_directive(&mut self, node: &Node<'p>) -> Option<Fragment> {
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
            // Messages and locals; code that reads such a local is left untranslated itself.
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
            // Functions; blocks that call one are left untranslated themselves.
            return None;
        }
        let block = ruby::block(&call);
        let body = || block.as_ref().map(|b| ruby::statements(b.body())).unwrap_or_default();
        let word = || plain.first().and_then(|n| self.word(n));
        Some(match method.as_str() {
            "desc" | "doc=" => match plain.first().and_then(|n| self.word(n)) {
                Some(text) => self.ready(node, "", format!("desc {}", description(&text))),
                None => self.left(node, "", "the description is computed"),
            },
            // Already covered by the method that it is an alias of.
            "alias_method" if self.scope.title_is_name && word().as_deref() == Some("title") => return None,
            "alias_method" if plain.len() == 2 && word().as_deref() == Some("title") => match plain.get(1).and_then(|n| self.word(n)) {
                Some(method) if self.scope.attributes.contains(&method) => {
                    self.ready(node, "validate", format!("title {{ self.{method} }}"))
                }
                _ => self.left(node, "validate", "this title is not supported"),
            },
            "require" | "private" | "attr_reader" | "attr_accessor" | "attr_writer" | "map_title_patterns" => return None,
            "ensurable" => {
                let mut piece = self.ready(node, "validate", "ensurable");
                let items = expand(self.modules, body(), self.file, &self.scope.known).items;
                let of = self.look("ensure", &items);
                piece.children = self.attribute_directives(&items, &of);
                piece
            }
            "newparam" | "newproperty" => self.attribute(node, &method, &plain, &named, body()),
            "feature" => {
                let Some(feature) = word().filter(|w| is_word(w.strip_suffix('?').unwrap_or(w))) else {
                    return Some(self.left(node, "validate", "the feature's name is computed"));
                };
                let mut text = format!("feature {feature}");
                if let Some(doc) = plain.get(1).and_then(ruby::text) {
                    text.push_str(&format!(", {}", quote(doc.split_whitespace().collect::<Vec<_>>().join(" ").as_str())));
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
                        let items: Vec<String> = items.iter().map(|t| quote(t)).collect();
                        return Some(self.coded(node, &kept, Ok(format!("{kept}, [{}]", items.join(", ")))));
                    }
                }
                let code = self.block(None, |block| {
                    block.names = true;
                    block.whole(&[], given)
                });
                self.coded(node, &kept, code.map(|c| format!("{kept} {}", gathered(c))))
            }
            "validate" => self.rules(node, body()),
            "apply_to_device" | "apply_to_host" | "apply_to_all" => {
                let target = match method.as_str() {
                    "apply_to_all" => "both",
                    other => other.trim_start_matches("apply_to_"),
                };
                self.ready(node, "", format!("apply_to {target}"))
            }
            _ => self.left(node, "validate", &format!("`{}` is not understood", first_line(self.slice(node)))),
        })
    }

    pub(super) fn code(
        &self,
        attribute: Option<&AttributeContext>,
        params: &[String],
        body: Vec<Node<'_>>,
    ) -> Result<String, Untranslated> {
        self.block(attribute, |block| block.whole(params, body))
    }

    /// Translates code; `attribute` as in [`BlockTranslator::new`].
    pub(super) fn block<T>(&self, attribute: Option<&AttributeContext>, run: impl FnOnce(&mut BlockTranslator<'_>) -> T) -> T {
        let fold = |node: &Node<'_>| self.fold(node);
        run(&mut BlockTranslator::new(&self.scope, self.source, attribute).folding(&fold))
    }

    /// Translates `def x … end` in a type.
    pub(super) fn type_method(&self, node: &Node<'_>, def: &DefNode<'_>) -> Fragment {
        let method = name(&def.name());
        if def.receiver().is_some() && method == "title_patterns" {
            return match self.title_patterns(def) {
                Some(rows) => self.coded(node, "validate", Ok(format!("title_patterns {{\n{rows}\n}}"))),
                None => self.coded(
                    node,
                    "validate",
                    Err(Untranslated { text: "these title patterns are not understood".into(), at: ruby::place(node) }),
                ),
            };
        }
        let hook = HOOKS.contains(&method.as_str());
        let kept = if hook { "validate" } else { "" };
        if def.receiver().is_some_and(|r| r.as_self_node().is_none()) || (hook && def.receiver().is_some()) {
            let text = format!("the method `{method}` is not supported");
            return self.coded(node, kept, Err(Untranslated { text, at: ruby::place(node) }));
        }
        let body = ruby::statements(def.body());
        match method.as_str() {
            "refresh" => self.coded(node, "refresh", self.code(None, &[], body).map(|c| format!("refresh {c}"))),
            "pre_run_check" => self.coded(node, "pre_run_check", self.code(None, &[], body).map(|c| format!("pre_run_check {c}"))),
            "initialize" => self.initialize(node, body),
            "name" if self.scope.title_is_name && def.receiver().is_none() => {
                self.coded(node, "validate", self.code(None, &[], body).map(|c| format!("title {c}")))
            }
            "eval_generate" => self.late(node, &body),
            "generate" => self.coded(node, "validate", self.code(None, &[], body).map(|c| format!("generate {c}"))),
            _ if self.forwards(def) => {
                let text = format!("# `def {method}` asks the provider, as is done without it.");
                self.coded(node, "", Ok(text))
            }
            _ if hook => self.coded(
                node,
                kept,
                Err(Untranslated { text: format!("the method `{method}` of Puppet's types is replaced"), at: ruby::place(node) }),
            ),
            _ => self.function(node, def, &method, None),
        }
    }

    /// Evaluates `[[/re/, [[:name], [:type]]], …]`: each pattern with the attributes that its groups set.
    fn title_rows(&self, def: &DefNode<'_>) -> Option<Vec<(String, Vec<String>)>> {
        let path = self.modules.paths.get(self.file).map_or("", String::as_str);
        let rows = Folder::new(self.modules, path).body(&ruby::statements(def.body()))?;
        let StaticValue::List(rows) = rows else { return None };
        let row = |row: StaticValue| {
            let StaticValue::List(parts) = row else { return None };
            let [StaticValue::Regex(source, flags), StaticValue::List(names)] = parts.as_slice() else { return None };
            let names: Option<Vec<String>> = names
                .iter()
                .map(|entry| match entry {
                    StaticValue::List(entry) => match entry.as_slice() {
                        [attribute] | [attribute, StaticValue::Identity] => attribute.word(),
                        _ => None,
                    },
                    other => other.word(),
                })
                .collect();
            let names = names?;
            // Puppet ignores groups without an attribute.
            let source = ruby::with_groups(source, names.len());
            Some((StaticValue::Regex(source, flags.clone()).written()?, names))
        };
        rows.into_iter().map(row).collect()
    }

    pub(super) fn title_patterns(&self, def: &DefNode<'_>) -> Option<String> {
        let rows: Vec<String> =
            self.title_rows(def)?.into_iter().map(|(pattern, names)| format!("{pattern} => {}", names.join(", "))).collect();
        Some(rows.join("\n"))
    }
}
