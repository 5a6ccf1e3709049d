//! Translates `Puppet::Type.newtype(:x) do … end` to the directives of a type.

use super::api_refusals::TypeRefusal;
use super::block::{AttributeContext, BlockTranslator, Caller, TypeScope, Untranslated};
use super::budget::ROUND;
use super::class_functions::RequestedFunction;
use super::early_writes::assigned_defaults;
use super::eval::{ClassId, DeclaredType, RubyValue, Unknown};
use super::hooks::{calls_only_super, hidden};
use super::items::{ClassItem, LoadedRuby, Located};
use super::nested::{NestedClass, SHOWN, calls_shown, is_property, kind_words};
use super::overrides::{TYPE, is_type_class_hook, is_type_hook, kept_of_hook, only_lists};
use super::parts::parts_of;
use super::patterns::gathered;
use super::provider_methods::methods_of_feature;
use super::resource_api;
use super::ruby::{self, ByteRange, description, is_word, name};
use super::tables::RequestedTable;
use super::titles::{in_puppets_order, no_namevar};
use super::uncalled::{calls, drop_uncalled, is_function};
use super::unchecked::{LeftWrite, before_rules, leave_all, left_at};
use super::values::{Foreknown, ObjectValues};
use rtype_lang::source::Source;
use rtype_lang::syntax::quote;
use ruby_prism::{DefNode, Node};
use std::cell::{OnceCell, RefCell};
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
    /// Why parts of it are left in Ruby.
    pub parts: Vec<Untranslated>,
    /// Number of code blocks.
    pub blocks: usize,
    /// Attributes that the type's code may change if a part of the code is left in Ruby.
    pub(super) possible: Vec<LeftWrite>,
}

/// An imported type.
#[derive(Clone, Debug)]
pub struct TypeDeclaration {
    /// Name of the type.
    pub name: String,
    /// Location of its declaration.
    pub at: ByteRange,
    /// Constants and helpers before it.
    pub before: Vec<Fragment>,
    /// Whether its own changes refresh it.
    pub self_refresh: bool,
    /// Its directives.
    pub body: Vec<Fragment>,
    /// The names available to its blocks.
    pub scope: TypeScope,
    /// Why Puppet refuses the type, or all of its resources.
    pub refused: Option<TypeRefusal>,
}

/// Returns the types that loading the first text declares.
pub fn find<'p>(texts: &[Arc<Source>], loaded: &LoadedRuby<'_, 'p>) -> Vec<TypeDeclaration> {
    let declared: Vec<DeclaredType<'p>> = loaded.ruby.borrow().types.iter().filter(|t| t.loaded_by == 0).cloned().collect();
    let translate = |found: &DeclaredType<'p>, known: Foreknown| match &found.resource_api {
        Some(_) => Some(resource_api::declared(texts, loaded, found, known)),
        None => new_type(texts, loaded, found, known),
    };
    let mut types = Vec::new();
    for found in &declared {
        let (mut known, mut last) = (Foreknown::default(), None);
        while let Some((translated, learnt)) = loaded.budget.spend(ROUND).and_then(|()| translate(found, known.clone())) {
            last = Some(translated);
            if !known.learn(learnt) {
                break;
            }
        }
        types.extend(last);
    }
    types
}

/// Translates a type that `newtype` declares. Returns what is known of it then, too.
fn new_type<'p>(
    texts: &[Arc<Source>],
    loaded: &LoadedRuby<'_, 'p>,
    declared: &DeclaredType<'p>,
    known: Foreknown,
) -> Option<(TypeDeclaration, Foreknown)> {
    let self_refresh =
        declared.options.iter().any(|(k, v)| k.word().as_deref() == Some("self_refresh") && matches!(v, RubyValue::Bool(true)));
    let items = loaded.of_type(declared.class);
    let outside = loaded.outside(0);
    let source = texts.first().map_or("", |t| t.text());
    let mut reader = Reader {
        texts,
        loaded,
        file: 0,
        source,
        scope: TypeScope::default(),
        requested: RefCell::default(),
        tables: RefCell::default(),
        left: RefCell::default(),
        values: RefCell::new(ObjectValues::new(known)),
        type_class: Some(declared.class),
        classes: BTreeMap::new(),
        object: None,
        selects_errors: OnceCell::new(),
    };
    // A helper in another file may declare it.
    let at = if declared.file == 0 { declared.at.clone() } else { 0..0 };
    reader.scope.type_name.clone_from(&declared.name);
    for item in &outside {
        reader.scope.outside.extend(item.method());
        reader.look_around(item);
    }
    reader.scope.has_patterns = loaded.has_class_method(declared.class, "title_patterns");
    if reader.scope.has_patterns {
        reader.read_title_patterns(declared.class);
    }
    reader.note_methods(None, Some(declared.class));
    // The helpers of attributes get other names than the methods of the type, which may come after them.
    let (methods, others): (Vec<_>, Vec<_>) = items.iter().partition(|item| item.is("def"));
    for item in methods.into_iter().chain(others) {
        reader.enter(item);
        reader.look_around(item);
        reader.parent_class(item);
    }
    let (mut before, mut pieces, mut last) = (Vec::new(), Vec::new(), Vec::new());
    let (mut has_written_patterns, mut early) = (false, Vec::new());
    reader.leave();
    before.extend(reader.constants());
    for item in &outside {
        if let Some(def) = &item.def {
            pieces.push(Fragment { mixed_in: true, ..reader.type_method(item, def) });
        }
    }
    let mut classes: Vec<_> = std::mem::take(&mut reader.classes).into_iter().collect();
    classes.sort_by_key(|(_, class)| class.depth);
    reader.scope.kind_words = kind_words(classes.iter().map(|(path, _)| path));
    for class in classes {
        if let Some(mut found) = reader.class(&class.0, &class.1) {
            before.append(&mut found);
            reader.classes.insert(class.0, class.1);
        }
    }
    for item in &items {
        reader.enter(item);
        let possible = reader.left_writes(item);
        let noted = |piece: Fragment| Fragment { possible: possible.clone(), ..piece };
        pieces.extend(reader.helpers_in(item).into_iter().map(noted));
        // Puppet calls a hook of an included module although no translated code does.
        let mixed_in = item.mixed_in && !item.is_hook();
        let piece = reader.type_directive(item).map(|p| Fragment { mixed_in, ..p });
        if let Some(def) = item.def.as_ref().filter(|d| name(&d.name()) == "exists?" && !reader.forwards(d))
            && let Some(ensure) = pieces.iter_mut().find(|p| p.text == "ensurable")
        {
            ensure.children.push(reader.exists(item, ruby::statements(def.body())));
            continue;
        }
        has_written_patterns |= item.is("def self") && item.method().as_deref() == Some("title_patterns");
        // `initialize` runs after `validate`.
        let is_last = item.is("def") && item.method().as_deref() == Some("initialize");
        early.extend(reader.early_writes(item));
        if is_last { &mut last } else { &mut pieces }.extend(piece.map(noted));
        reader.writes_in(item).into_iter().map(noted).for_each(|p| before_rules(&mut pieces, p));
    }
    // A module that the type's class is extended with may have the method.
    if reader.scope.has_patterns && !has_written_patterns {
        pieces.push(reader.title_patterns(&at.clone()));
    }
    assigned_defaults(&mut pieces, &early);
    in_puppets_order(&mut pieces, &reader.scope);
    if let Some(namevar) = &reader.scope.property_namevar {
        pieces.push(Fragment { at: at.clone(), text: format!("title_patterns {{\n/(.*)/s => {namevar}\n}}"), ..Fragment::default() });
    }
    let (of_file, of_type) = reader.requested_functions();
    before.extend(of_file);
    pieces.extend(of_type);
    // A module that both the type and an attribute include has the same functions in both.
    let mut known = std::collections::BTreeSet::new();
    pieces.retain(|piece| !piece.text.starts_with("fn ") || piece.residue.is_some() || known.insert(piece.text.clone()));
    if before.iter().chain(&pieces).any(calls_shown) {
        before.insert(0, Fragment { at: at.clone(), text: SHOWN.to_owned(), ..Fragment::default() });
    }
    for feature in &reader.scope.undeclared {
        let text = format!("# In Puppet the type declares no `{feature}`, so that no provider has it.\nfeature undeclared_{feature}");
        pieces.insert(0, Fragment { at: at.clone(), text, kept: "validate".into(), ..Fragment::default() });
    }
    for item in items.iter().filter(|i| i.method().as_deref() == Some("set_sensitive_parameters")) {
        let body = item.def.as_ref().map(|d| ruby::statements(d.body())).unwrap_or_default();
        for hidden in hidden(&body).unwrap_or_default() {
            let is_it = |p: &&mut Fragment| p.text.split([' ', ',']).nth(1) == Some(hidden.as_str()) && p.text.starts_with("new");
            if let Some(piece) = pieces.iter_mut().find(is_it).filter(|p| !p.children.iter().any(|c| c.text == "sensitive")) {
                piece.children.push(reader.ready(item, "validate", "sensitive"));
            }
        }
    }
    pieces.append(&mut last);
    if let Some(unknown) = loaded.unknown(declared.class) {
        let reason = format!("what the type builds upon was not read: {}", unknown.reason);
        pieces.push(left_at(unknown.at.clone(), unknown.file, TYPE, &reason));
    }
    if loaded.has_prepended(declared.class) {
        pieces.push(left_at(at.clone(), 0, TYPE, "a module in front of the type's class is not supported"));
    }
    leave_all(&mut pieces);
    drop_uncalled(&mut pieces);
    // What is known of a value when the type is loaded needs no function.
    let is_called = |piece: &Fragment| {
        let name = piece.text.strip_prefix("fn ").and_then(|t| t.split('(').next());
        name.is_none_or(|name| pieces.iter().chain(&before).any(|p| !is_function(p, name) && calls(p, name)))
    };
    let needed: Vec<bool> = before.iter().map(|p| !p.mixed_in || is_called(p)).collect();
    let mut needed = needed.into_iter();
    before.retain(|_| needed.next().unwrap_or(true));
    let refused = reader.refused(&items, &pieces, &at);
    pieces.extend(reader.refused_titles(&pieces, &at));
    if !reader.has_namevar() && refused.as_ref().is_some_and(|refused| !refused.is_left_out) {
        pieces.extend(no_namevar(at.clone()));
    }
    let known = reader.values.borrow().foreknown();
    Some((TypeDeclaration { name: declared.name.clone(), at, before, self_refresh, body: pieces, scope: reader.scope, refused }, known))
}

pub(super) struct Reader<'a, 'l, 'p> {
    pub(super) texts: &'a [Arc<Source>],
    pub(super) loaded: &'a LoadedRuby<'l, 'p>,
    /// Index of the current text.
    pub(super) file: usize,
    pub(super) source: &'a str,
    pub(super) scope: TypeScope,
    /// Functions of modules that translated code calls.
    pub(super) requested: RefCell<Vec<RequestedFunction<'p>>>,
    pub(super) tables: RefCell<Vec<RequestedTable<'p>>>,
    /// Why parts of the blocks that were translated last are left in Ruby.
    pub(super) left: RefCell<Vec<Untranslated>>,
    /// The objects that translated code uses as values.
    pub(super) values: RefCell<ObjectValues>,
    /// The class of the type.
    pub(super) type_class: Option<ClassId>,
    /// Classes that attributes inherit from, by name.
    pub(super) classes: BTreeMap<String, NestedClass<'p>>,
    /// The provider whose method is translated, of a type of the Resource API.
    pub(super) object: Option<RubyValue<'p>>,
    /// Whether a `rescue` selects certain errors.
    pub(super) selects_errors: OnceCell<bool>,
}

impl<'p> Reader<'_, '_, 'p> {
    /// Switches to the file and locals of a declaration.
    pub(super) fn enter(&mut self, item: &ClassItem<'p>) {
        self.go(item.code_file());
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

    pub(super) fn slice(&self, at: &impl Located) -> &str {
        let source = at.file().and_then(|f| self.texts.get(f)).map_or(self.source, |t| t.text());
        source.get(at.range()).unwrap_or_default()
    }

    pub(super) fn left(&self, at: &impl Located, kept: &str, reason: &str) -> Fragment {
        let residue = Some(Untranslated { text: reason.to_owned(), at: at.range() });
        Fragment { residue, ..self.ready(at, kept, "") }
    }

    /// Returns the piece for a part that depends on what is not known when the type is loaded; the reason is located there.
    pub(super) fn depends(&self, at: &impl Located, kept: &str, what: &str, on: &Unknown) -> Fragment {
        let mut piece = self.left(at, kept, &format!("{what} depends on {}", on.reason));
        if let Some(residue) = piece.residue.as_mut().filter(|_| on.file == piece.file) {
            residue.at = on.at.clone();
        }
        piece
    }

    pub(super) fn ready(&self, at: &impl Located, kept: &str, text: impl Into<String>) -> Fragment {
        let file = at.file().unwrap_or(self.file);
        Fragment { at: at.range(), file, kept: kept.to_owned(), text: text.into(), ..Fragment::default() }
    }

    /// Returns the piece for a directive with a block, or for an untranslated one.
    pub(super) fn coded(&self, at: &impl Located, kept: &str, text: Result<String, Untranslated>) -> Fragment {
        let found = self.left.take();
        let text = text.and_then(|text| parts_of(&text, found).map(|parts| (text, parts)));
        let mut piece = match text {
            Ok((text, parts)) => Fragment { parts, ..self.ready(at, kept, text) },
            Err(reason) => Fragment { residue: Some(reason), ..self.ready(at, kept, "") },
        };
        piece.blocks = 1;
        piece
    }

    /// Collects the names of attributes and functions before blocks are translated.
    pub(super) fn look_around(&mut self, item: &ClassItem<'p>) {
        if let Some(method) = item.method() {
            if method == "name" {
                self.scope.has_name = true;
            } else if !is_type_hook(&method) {
                self.scope.functions.insert(method);
            }
        }
        if item.is("ensurable") {
            self.scope.attributes.insert("ensure".into());
            self.scope.properties.insert("ensure".into());
            self.note_methods(Some("ensure"), item.class);
            self.scope.add_helpers("ensure", &self.attribute_items(item));
        }
        if item.is("alias_method") {
            let words: Vec<Option<String>> = item.plain.iter().map(RubyValue::word).collect();
            let is = |at: usize, word: &str| words.get(at).is_some_and(|w| w.as_deref() == Some(word));
            self.scope.title_is_name = self.scope.has_name && is(0, "title") && is(1, "name");
        }
        if item.is("feature")
            && let Some(feature) = item.first_word()
        {
            let methods = item.option("methods").and_then(|methods| self.words(methods));
            self.scope.features.push((feature, methods.unwrap_or_default()));
        }
        if !item.is("newparam") && !item.is("newproperty") {
            return;
        }
        let Some(attribute) = item.first_word() else { return };
        self.note_methods(Some(&attribute), item.class);
        if item.is("newparam")
            && item.option("boolean").is_some_and(|v| v.is_true() != Some(false))
            && let Some(methods) = &mut self.scope.methods
        {
            methods.insert(format!("{attribute}?"));
        }
        let body = self.attribute_items(item);
        let says = |word: &str| body.iter().any(|i| i.is(word));
        let namevar = item.option("namevar").is_some_and(|v| v.is_true() == Some(true));
        let is_namevar = namevar || says("isnamevar");
        if is_namevar && (item.is("newparam") || namevar) {
            let base = item.class.and_then(|c| self.kind_of(c)).map(|p| p.base).unwrap_or_default();
            if (item.is("newproperty") || is_property(&base)) && !self.scope.has_patterns {
                // Puppet's pattern for a single namevar.
                self.scope.in_titles.insert(attribute.clone());
                self.scope.property_namevar = Some(attribute.clone());
            }
            self.scope.namevar = Some(attribute.clone());
        }
        let lists = body.iter().filter(|i| matches!(i.word.as_str(), "newvalues" | "newvalue"));
        let mut values = lists.flat_map(|i| &i.plain);
        if values.any(|v| matches!(v, RubyValue::Bool(false)) || v.word().as_deref() == Some("false")) && !says("munge") {
            self.scope.falsy.insert(attribute.clone());
        }
        self.scope.add_helpers(&attribute, &body);
        let delimiter = item.class.and_then(|class| self.list_delimiter(class));
        self.scope.joined.extend(delimiter.map(|delimiter| (attribute.clone(), delimiter)));
        if item.is("newproperty") {
            self.scope.properties.insert(attribute.clone());
            self.scope.property_order.insert(attribute.clone());
        } else {
            self.scope.params.insert(attribute.clone());
        }
        self.scope.attributes.insert(attribute);
    }

    /// Returns the declarations of an attribute, without those of the class that becomes its kind.
    pub(super) fn attribute_items(&self, item: &ClassItem<'p>) -> Vec<ClassItem<'p>> {
        let Some(class) = item.class else { return Vec::new() };
        let parent = self.kind_of(class).filter(|p| !p.name.is_empty()).map(|p| p.class);
        self.loaded.of_attribute(class, parent)
    }

    pub(super) fn type_directive(&mut self, item: &ClassItem<'p>) -> Option<Fragment> {
        if item.is("def self") && item.method().as_deref() == Some("title_patterns") {
            return Some(self.title_patterns(item));
        }
        if let Some(def) = item.def.clone() {
            return Some(self.type_method(item, &def));
        }
        if let Some(condition) = &item.condition
            && !matches!(item.word.as_str(), "newparam" | "newproperty" | "ensurable" | "feature" | "desc" | "@doc")
        {
            return Some(self.depends(item, TYPE, "whether it is declared", condition));
        }
        let word = item.first_word();
        let closure = item.closure();
        let body = || item.closure().map(|c| c.body).unwrap_or_default();
        Some(match item.word.as_str() {
            "@doc" | "desc" | "doc=" => match word {
                Some(text) => self.ready(item, "", format!("desc {}", description(&text))),
                None => self.left(item, "", "the description is computed"),
            },
            "@isomorphic" if matches!(item.plain.first(), Some(RubyValue::Bool(false))) => self.ready(item, "validate", "isomorphic false"),
            variable if variable.starts_with('@') => return None,
            // Already covered by the method that it is an alias of.
            "alias_method" if self.scope.title_is_name && word.as_deref() == Some("title") => return None,
            "alias_method" if item.plain.len() == 2 && word.as_deref() == Some("title") => {
                match item.plain.get(1).and_then(RubyValue::word) {
                    Some(method) if self.scope.attributes.contains(&method) => {
                        self.ready(item, "validate", format!("title {{ self.{method} }}"))
                    }
                    _ => self.left(item, "validate", "this title is not supported"),
                }
            }
            "def" if item.block.is_some() => return Some(self.made_function(item, &item.method().unwrap_or_default(), None)),
            "newmetaparam" => self.left(item, "validate", "the metaparameter, which all types get, is not supported"),
            "alias_method" | "map_title_patterns" | "isomorphic" | "def" | "def self" => return None,
            "ensurable" => {
                let mut piece = self.ready(item, "validate", "ensurable");
                let items = self.attribute_items(item);
                let mut of = self.look("ensure", &items);
                of.owner.remembered = item.class.map(|class| self.loaded.remembered(class, &items)).unwrap_or_default();
                of.owner.plain_formats = self.plain_formats(item);
                piece.children = self.attribute_directives(&items, &of);
                piece
            }
            "newparam" | "newproperty" => self.attribute(item),
            "feature" => {
                let Some(feature) = word.filter(|w| is_word(w.strip_suffix('?').unwrap_or(w))) else {
                    return Some(self.left(item, "validate", "the feature's name is computed"));
                };
                let mut text = format!("feature {feature}");
                if let Some(doc) = item.plain.get(1).and_then(RubyValue::word) {
                    text.push_str(&format!(", {}", quote(doc.split_whitespace().collect::<Vec<_>>().join(" ").as_str())));
                }
                for (key, value) in &item.named {
                    match (key.as_str(), self.words(value)) {
                        ("methods", Some(methods)) => text.push_str(&format!(", methods: [{}]", methods_of_feature(&methods))),
                        _ => return Some(self.left(item, "validate", "an option of the feature is not known")),
                    }
                }
                self.ready(item, "validate", text)
            }
            method @ ("autorequire" | "autobefore" | "autonotify" | "autosubscribe") => {
                let Some(target) = word.filter(|w| is_word(w)) else { return Some(self.left(item, "validate", "the type is computed")) };
                let (given, kept) = (body(), format!("{method} {target}"));
                if let [only] = given.as_slice() {
                    let items: Option<Vec<String>> = match only.as_array_node() {
                        Some(list) => list.elements().iter().map(|e| ruby::text(&e)).collect(),
                        None => ruby::text(only).map(|t| vec![t]),
                    };
                    if let Some(items) = items {
                        let items: Vec<String> = items.iter().map(|t| quote(t)).collect();
                        return Some(self.coded(item, &kept, Ok(format!("{kept}, [{}]", items.join(", ")))));
                    }
                }
                // The block is called with the resource.
                let params = closure.as_ref().and_then(|c| c.params.clone()).unwrap_or_default();
                let code = self.block(None, |block| {
                    block.related = Some(target.to_owned());
                    block.selves.clone_from(&params);
                    block.whole(&[], given)
                });
                self.coded(item, &kept, code.map(|c| format!("{kept} {}", gathered(c))))
            }
            "validate" => self.rules(item, body()),
            method @ ("apply_to_device" | "apply_to_host" | "apply_to_all") => {
                let target = match method {
                    "apply_to_all" => "both",
                    other => other.trim_start_matches("apply_to_"),
                };
                self.ready(item, "", format!("apply_to {target}"))
            }
            _ => self.left(item, TYPE, &format!("`{}` is not understood", ruby::first_line(self.slice(item)))),
        })
    }

    /// Returns the words of a list or of a single value.
    pub(super) fn words(&self, value: &RubyValue<'p>) -> Option<Vec<String>> {
        match value {
            RubyValue::Array(items) => items.borrow().iter().map(RubyValue::word).collect(),
            other => other.word().map(|w| vec![w]),
        }
    }

    pub(super) fn code(
        &self,
        attribute: Option<&AttributeContext>,
        params: &[String],
        body: Vec<Node<'_>>,
    ) -> Result<String, Untranslated> {
        self.block(attribute, |block| block.whole(params, body))
    }

    /// Translates `define_method(:x) { |a| … }` in a type.
    pub(super) fn made_function(&self, item: &ClassItem<'p>, function: &str, owner: Option<&AttributeContext>) -> Fragment {
        let method = item.method().unwrap_or_default();
        let closure = item.closure();
        let Some((params, body)) = closure.and_then(|c| Some((c.params?, c.body))).filter(|_| !is_type_hook(&method)) else {
            let kept = if is_type_hook(&method) { kept_of_hook(&method) } else { "" };
            return self.left(item, kept, &format!("the method `{method}` that is made from a block is not supported"));
        };
        let code = self.code(owner, &params, body).map(|code| {
            let bars = format!("{{ |{}| ", params.join(", "));
            let code = code.strip_prefix(&bars).map_or_else(|| code.clone(), |rest| format!("{{ {rest}"));
            format!("fn {function}({}) {code}", params.join(", "))
        });
        self.coded(item, "", code)
    }

    /// Translates code; `attribute` as in [`BlockTranslator::new`].
    pub(super) fn block<T>(&self, attribute: Option<&AttributeContext>, run: impl FnOnce(&mut BlockTranslator<'_>) -> T) -> T {
        let fold = |at: &ByteRange, unknown: &[String]| self.fold(at, unknown);
        let function = |of: &Caller<'_>, method: &str| self.function_of(of, attribute, method);
        let block = BlockTranslator::new(&self.scope, self.source, attribute).folding(&fold, &function);
        let mut block = BlockTranslator { methods: Some(self), mentions: self.loaded.mentions(self.file), ..block };
        block.own.parts.is_allowed = true;
        let result = run(&mut block);
        self.left.borrow_mut().extend(block.left_parts().cloned());
        result
    }

    /// Translates `def x … end` in a type.
    pub(super) fn type_method(&self, node: &ClassItem<'p>, def: &DefNode<'_>) -> Fragment {
        let method = name(&def.name());
        let of_class = node.is("def self");
        let hook = if of_class { is_type_class_hook(&method) } else { is_type_hook(&method) };
        let kept = if !hook {
            ""
        } else if of_class {
            TYPE
        } else {
            kept_of_hook(&method)
        };
        if of_class && !hook && is_type_hook(&method) {
            return self.ready(node, "", format!("# Left out: `def self.{method}`. Puppet calls it on resources only."));
        }
        if of_class && only_lists(&method) {
            let text = format!("# Left out: `def self.{method}`, which only lists resources. The host of Ruby providers calls the method.");
            return self.ready(node, "", text);
        }
        if hook && of_class {
            let text = format!("the method `{method}` is not supported");
            return self.coded(node, kept, Err(Untranslated { text, at: node.at.clone() }));
        }
        let body = ruby::statements(def.body());
        match method.as_str() {
            "refresh" => self.coded(node, "refresh", self.code(None, &[], body).map(|c| format!("refresh {c}"))),
            "pre_run_check" => self.coded(node, "pre_run_check", self.code(None, &[], body).map(|c| format!("pre_run_check {c}"))),
            "initialize" => self.initialize(node, body),
            "name" if self.scope.title_is_name && !of_class => {
                self.coded(node, "validate", self.code(None, &[], body).map(|c| format!("title {c}")))
            }
            "eval_generate" => self.late(node, &body),
            "generate" if self.configures_providers(def, &body) => self.ready(
                node,
                "",
                "# Left out: `def generate`, which only sets attributes of provider classes. The host of Ruby providers calls the method.",
            ),
            "generate" => self.coded(node, "generate", self.code(None, &[], body).map(|c| format!("generate {c}"))),
            _ if self.forwards(def) => {
                let text = format!("# `def {method}` asks the provider, as is done without it.");
                self.coded(node, "", Ok(text))
            }
            // It only describes the resource in messages.
            "name" if !of_class => self.ready(node, "", "# Left out: `def name`. Code that calls it is left untranslated."),
            "set_sensitive_parameters" if let Some(found) = hidden(&body) => {
                let listed: Vec<String> = found.iter().map(|a| format!("`{a}`")).collect();
                self.ready(node, "", format!("# `def set_sensitive_parameters` makes {} sensitive.", listed.join(", ")))
            }
            "exists?" if !of_class && !self.scope.attributes.contains("ensure") => {
                self.ready(node, "", "# Left out: `def exists?`. Only `ensure` asks for it, and the type does not have it.")
            }
            "finish" if calls_only_super(&body) => self.ready(node, "", "# Left out: `def finish`, which only calls that of Puppet."),
            _ if hook => {
                let text = format!("the method `{method}` of Puppet's types is replaced");
                self.coded(node, kept, Err(Untranslated { text, at: node.at.clone() }))
            }
            _ => {
                let piece = self.function(node, def, &self.scope.function_word(&method), None);
                // It has done its work when the type was loaded.
                if of_class && piece.residue.is_some() && !self.is_called_on_class(&method) {
                    let text = format!("# Left out: `def self.{method}`, which is only called while Puppet loads the type.");
                    return self.ready(node, "", text);
                }
                piece
            }
        }
    }
}
