//! `newparam` and `newproperty` with their contents.

use super::block::{AttributeContext, Untranslated, first_line};
use super::expand::{ClassItem, expand};
use super::known::{Folder, StaticValue};
use super::nested::is_property;
use super::patterns::recognised;
use super::ruby::{self, description, is_word, name};
use super::type_decl::{Fragment, Reader};
use rtype_lang::syntax::{quote, written_symbol};
use ruby_prism::{DefNode, Node};

/// Methods of Puppet's attributes, the blocks they become, and their number of parameters.
pub(super) const METHODS: &[(&str, &str, usize)] = &[
    ("insync?", "insync", 1),
    ("is_to_s", "is_to_s", 1),
    ("should_to_s", "should_to_s", 1),
    ("change_to_s", "change_to_s", 2),
    ("retrieve", "retrieve", 0),
    ("sync", "sync", 0),
    ("unmunge", "unmunge", 1),
    ("validate", "override validate", 1),
    ("munge", "override munge", 1),
    ("unsafe_validate", "override validate", 1),
    ("unsafe_munge", "override munge", 1),
];

/// Other methods of Puppet's attributes that an attribute may override.
pub(super) const ATTRIBUTE_HOOKS: &[&str] = &[
    "initialize",
    "should",
    "should=",
    "value",
    "value=",
    "set",
    "property_matches?",
    "safe_insync?",
    "insync_values?",
    "default",
    "name",
    "noop",
    "shouldorig",
    "format",
    "delimiter",
    "membership",
    "inclusive?",
    "sensitive",
    "call_valuemethod",
    "event_name",
];

/// Options that affect Puppet's attributes and cannot be translated. Unlisted options have no effect.
const CLASS_OPTIONS: &[&str] = &["name", "doc", "metaparam", "retrieve", "unmanaged", "default", "element", "attributes", "prefix"];

/// Comment on a value that `munge` only assigns to another attribute.
const HANDED_ON: &str = "# Another attribute gets its value: see `finalize`.";

/// The context of an attribute's directives.
#[derive(Default)]
pub(super) struct Of<'p> {
    pub(super) owner: AttributeContext,
    /// Its methods.
    pub(super) defs: Vec<DefNode<'p>>,
    pub(super) values: bool,
    pub(super) literals: bool,
    pub(super) kind: bool,
    /// Whether it has its own validation, which replaces the check of allowed values.
    pub(super) rules: bool,
    /// Whether it is a parameter.
    pub(super) param: bool,
    /// Whether title patterns set it.
    pub(super) titled: bool,
}

impl<'p> Reader<'_, 'p> {
    pub(super) fn attribute(
        &mut self,
        node: &Node<'p>,
        word: &str,
        plain: &[Node<'_>],
        named: &[(Node<'_>, Node<'_>)],
        body: Vec<Node<'p>>,
    ) -> Fragment {
        let Some(attribute) = plain.first().and_then(|n| self.word(n)).filter(|w| !w.is_empty()) else {
            return self.left(node, "validate", "the attribute's name is computed");
        };
        let mut items = expand(self.modules, body, self.file, &self.scope.known).items;
        let mut of = Of { param: word == "newparam", titled: self.scope.in_titles.contains(&attribute), ..self.look(&attribute, &items) };
        let parent = named.iter().find(|(k, _)| ruby::symbol(k).as_deref() == Some("parent")).and_then(|(_, v)| ruby::constant(v));
        let made_property = parent.is_some_and(|p| is_property(&p));
        let mut text = format!("{} {attribute}", if made_property { "newproperty" } else { word });
        let mut first = Vec::new();
        for (key, value) in named {
            let as_word = ruby::symbol(value).or_else(|| ruby::text(value));
            match ruby::symbol(key).as_deref() {
                Some("namevar") if value.as_true_node().is_some() => first.push(self.namevar(key, &of)),
                // Puppet ignores `isnamevar`.
                Some("boolean" | "namevar" | "isnamevar") => {}
                // The value of a parameter is always used as a whole.
                Some("array_matching") if word == "newparam" => {}
                Some("array_matching") if as_word.as_deref() == Some("all") => {
                    of.owner.all = true;
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
                    let Some(mut list) = list else { return self.left(node, "validate", "the features are computed") };
                    for feature in list.iter_mut().filter(|f| !self.scope.features.contains(*f)) {
                        self.scope.undeclared.insert(feature.clone());
                        *feature = format!("undeclared_{feature}");
                    }
                    text.push_str(&format!(", required_features: [{}]", list.join(", ")));
                }
                Some("parent") => match ruby::constant(value).as_deref().and_then(|class| self.kind(class, &mut items)) {
                    Some(kind) if kind.is_empty() => {}
                    Some(kind) => {
                        of.kind = true;
                        text.push_str(&format!(", kind: {kind}"));
                        first.extend(self.inherited(value, &of));
                        if let Some(nested) = ruby::constant(value).and_then(|c| self.scope.nested.get(&c)) {
                            of.owner.nested.clone_from(nested);
                        }
                    }
                    None => return self.left(node, "validate", "the class that the attribute builds upon is written in Ruby"),
                },
                Some(option) if !CLASS_OPTIONS.contains(&option) => {
                    let comment = format!("# Puppet knows no option `{option}`, and passes over it.");
                    first.push(self.ready(key, "", comment));
                }
                _ => return self.left(node, "validate", &format!("the option `{}` is not known", first_line(self.slice(key)))),
            }
        }
        // In Puppet, a parameter of this name is always the namevar.
        let says = items.iter().filter_map(|i| i.node.as_call_node()).any(|c| name(&c.name()) == "isnamevar");
        let named = first.iter().any(|p| p.text == "isnamevar");
        if word == "newparam" && attribute == "name" && !named && !says {
            first.push(self.ready(node, "", "isnamevar"));
        }
        let mut piece = self.ready(node, "validate", text);
        piece.children = first;
        piece.children.extend(self.attribute_directives(&items, &of));
        recognised(&mut piece, of.owner.all, of.kind);
        piece
    }

    /// Returns the kind for a class that attributes inherit from; empty for Puppet's own base classes. Methods that configure the
    /// kind are removed from `items`.
    pub(super) fn kind(&self, class: &str, items: &mut Vec<ClassItem<'p>>) -> Option<String> {
        let (kind, separators) = match class {
            "Puppet::Property" | "Puppet::Parameter" => return Some(String::new()),
            "Puppet::Parameter::Boolean" | "Puppet::Property::Boolean" => return Some("boolean".into()),
            "Puppet::Parameter::Path" => return Some("path".into()),
            "Puppet::Parameter::PackageOptions" => return Some("package_options".into()),
            "Puppet::Type::File::Owner" => return Some("file_owner".into()),
            "Puppet::Type::File::Group" => return Some("file_group".into()),
            "Puppet::Type::File::Mode" => return Some("file_mode".into()),
            "Puppet::Property::List" => ("list", false),
            "Puppet::Property::OrderedList" => ("ordered_list", false),
            "Puppet::Property::KeyValue" => ("key_value", true),
            _ => return self.classes.get(class).map(|_| self.nested_kind(class, items)),
        };
        let mut take = |wanted: &str| {
            let at = items.iter().position(|i| i.node.as_def_node().is_some_and(|d| name(&d.name()) == wanted))?;
            let def = items.remove(at).node.as_def_node()?;
            Some(Folder::new(self.modules, "").body(&ruby::statements(def.body())))
        };
        let mut arguments = Vec::new();
        match take("inclusive?") {
            Some(Some(StaticValue::Bool(true))) => {}
            Some(_) => return None,
            None => arguments.push(match take("membership") {
                Some(known) => format!("membership: {}", known?.word()?),
                None => "membership: membership".into(),
            }),
        }
        if separators && let Some(known) = take("separator") {
            arguments.push(format!("separator: {}", known?.written()?));
        }
        arguments.push(match take("delimiter") {
            Some(known) => format!("delimiter: {}", known?.written()?),
            None => format!("delimiter: {}", if separators { "\";\"" } else { "\",\"" }),
        });
        Some(format!("{kind}({})", arguments.join(", ")))
    }

    pub(super) fn attribute_directives(&mut self, items: &[ClassItem<'p>], of: &Of<'_>) -> Vec<Fragment> {
        let (file, known) = (self.file, self.scope.known.clone());
        let mut all = Vec::new();
        for item in items {
            self.enter(item);
            all.extend(self.attribute_directive(&item.node, of));
        }
        self.go(file);
        self.scope.known = known;
        all
    }

    pub(super) fn attribute_directive(&self, node: &Node<'_>, of: &Of<'_>) -> Option<Fragment> {
        let is_of = Some(&of.owner);
        if let Some(def) = node.as_def_node() {
            return self.attribute_method(node, &def, of);
        }
        if let Some(piece) = self.chosen_values(node, of) {
            return Some(piece);
        }
        let Some(call) = node.as_call_node().filter(|c| c.receiver().is_none_or(|r| r.as_self_node().is_some())) else {
            let says = node.as_call_node().filter(|c| c.receiver().as_ref().and_then(ruby::constant).as_deref() == Some("Puppet"));
            if says.is_some_and(|c| matches!(name(&c.name()).as_str(), "debug" | "info" | "notice" | "warning" | "deprecation_warning")) {
                return Some(self.ready(node, "", format!("# Left out, said when the type is loaded: `{}`", first_line(self.slice(node)))));
            }
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
            None => Err(Untranslated { text: "a block with such parameters".into(), at: ruby::place(node) }),
        };
        Some(match method.as_str() {
            "desc" => match plain.first().and_then(|n| self.word(n)) {
                Some(text) => self.ready(node, "", format!("desc {}", description(&text))),
                None => self.left(node, "", "the description is computed"),
            },
            "isnamevar" => self.namevar(node, of),
            "nodefault" | "defaultvalues" => self.ready(node, "validate", method),
            "attr_reader" if of.owner.list => self.ready(node, "", "should { |values| values }"),
            // Code that calls the generated methods is left untranslated itself.
            "isrequired" | "private" | "attr_reader" | "attr_accessor" | "attr_writer" | "include" | "extend" => return None,
            "sensitive" if plain.first().is_none_or(|v| v.as_true_node().is_some()) => self.ready(node, "validate", "sensitive"),
            "array_matching" => self.left(node, "validate", "`array_matching` is set in the body"),
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
                let code = match &params {
                    Some(params) => self.munge_value(&of.owner, params, body),
                    None => code(body),
                };
                self.coded(
                    node,
                    "munge",
                    code.map(|c| match c.is_empty() {
                        // It still replaces the conversion to symbols.
                        true if of.literals || of.kind => format!("{HANDED_ON}\n{word} {{ |v| v }}"),
                        true => HANDED_ON.to_owned(),
                        false => format!("{word} {c}"),
                    }),
                )
            }
            "unmunge" => self.coded(node, "unmunge", code(body).map(|c| format!("unmunge {c}"))),
            "newvalues" => match self.values(&plain).filter(|_| named.is_empty()) {
                Some(values) => self.ready(node, "validate", format!("newvalues {values}")),
                None => self.left(node, "validate", "a value is computed"),
            },
            "newvalue" => {
                let Some(value) = plain.first().and_then(|v| self.value(v)).filter(|v| !v.is_empty()) else {
                    return Some(self.left(node, "validate", "a value is computed"));
                };
                let mut text = format!("newvalue {value}");
                for (key, given) in &named {
                    match (ruby::symbol(key).as_deref(), ruby::symbol(given).or_else(|| ruby::text(given))) {
                        (Some("event" | "required_features"), Some(word)) if is_word(&word) => {
                            text.push_str(&format!(", {}: {word}", ruby::symbol(key).unwrap_or_default()));
                        }
                        (Some("required_features"), None) if ruby::only_symbol(given).is_some() => {
                            text.push_str(&format!(", required_features: {}", ruby::only_symbol(given).unwrap_or_default()));
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
                let code = self.block(is_of, |block| {
                    block.acting = true;
                    match &params {
                        Some(params) => block.whole(params, body),
                        None => Err(Untranslated { text: "a block with such parameters".into(), at: ruby::place(node) }),
                    }
                });
                self.coded(node, &format!("newvalue {value}"), code.map(|c| format!("{text} {c}")))
            }
            "aliasvalue" => match self.values(&plain) {
                Some(values) if plain.len() == 2 => self.ready(node, "validate", format!("aliasvalue {values}")),
                _ => self.left(node, "validate", "a value is computed"),
            },
            "defaultto" => return Some(self.default(node, of, &plain, has_block.then_some(body), &code)),
            _ => self.left(node, "validate", &format!("`{}` is not understood", first_line(self.slice(node)))),
        })
    }

    fn namevar(&self, node: &Node<'_>, of: &Of<'_>) -> Fragment {
        let says = if of.param || of.titled { "isnamevar" } else { "# In Puppet `isnamevar` of a property means nothing." };
        self.ready(node, "", says)
    }

    pub(super) fn default(
        &self,
        node: &Node<'_>,
        of: &Of<'_>,
        plain: &[Node<'_>],
        body: Option<Vec<Node<'_>>>,
        code: &dyn Fn(Vec<Node<'_>>) -> Result<String, Untranslated>,
    ) -> Fragment {
        const DROPPED: &str = "# Puppet drops the default `false`: it stays unset.";
        if let Some(body) = body {
            if let [only] = body.as_slice() {
                if only.as_false_node().is_some() {
                    return self.ready(node, "", DROPPED);
                }
                if ruby::text(only).is_some() || only.as_true_node().is_some() {
                    return self.coded(node, "defaultto", Ok(self.literal_default(only)));
                }
                // Puppet ignores a default of `false`.
                let asks = only.as_call_node().is_some_and(|c| {
                    let method = name(&c.name());
                    matches!(method.as_str(), "==" | "!=" | "!" | "<" | ">" | "<=" | ">=") || method.ends_with('?')
                });
                if asks {
                    let one = self.block(Some(&of.owner), |block| block.single(only));
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
            return match self.block(Some(&of.owner), |block| block.single(value)) {
                Ok(text) if value.as_hash_node().is_some() => self.ready(node, "defaultto", format!("defaultto ({text})")),
                Ok(text) if text.starts_with(':') => self.ready(node, "defaultto", format!("defaultto {{ {text} }}")),
                Ok(text) if value.as_array_node().is_some_and(|a| a.elements().iter().any(|e| ruby::symbol(&e).is_some())) => {
                    self.ready(node, "defaultto", format!("defaultto {{ {text} }}"))
                }
                Ok(text) => self.ready(node, "defaultto", format!("defaultto {text}")),
                Err(reason) => Fragment { residue: Some(reason), ..self.ready(node, "defaultto", "") },
            };
        }
        self.ready(node, "defaultto", self.literal_default(value))
    }

    pub(super) fn literal_default(&self, value: &Node<'_>) -> String {
        match (ruby::text(value), ruby::symbol(value)) {
            (Some(text), _) => format!("defaultto {}", quote(&text)),
            (_, Some(symbol)) if is_word(&symbol) => format!("defaultto {symbol}"),
            (_, Some(symbol)) => format!("defaultto {{ {} }}", written_symbol(&symbol)),
            _ => format!("defaultto {}", self.slice(value)),
        }
    }

    /// Returns a value as written in `newvalues`, where literals are symbols; empty for a value that nothing can equal.
    pub(super) fn value(&self, node: &Node<'_>) -> Option<String> {
        if let Some(splat) = node.as_splat_node() {
            let list = splat.expression()?;
            if let Some(constant) = ruby::constant(&list).filter(|c| self.scope.constants.contains(c)) {
                return Some(format!("*{constant}"));
            }
            let StaticValue::List(values) = self.fold(&list)? else { return None };
            let values: Option<Vec<String>> = values.iter().map(value).collect();
            return values.map(|v| v.join(", "));
        }
        match self.fold(node) {
            Some(known) => value(&known),
            None => self.block(None, |block| block.single(node)).ok().filter(|_| node.as_regular_expression_node().is_some()),
        }
    }

    /// Returns values as written in `newvalues`.
    fn values(&self, nodes: &[Node<'_>]) -> Option<String> {
        let values: Vec<String> = nodes.iter().map(|v| self.value(v)).collect::<Option<_>>()?;
        let values: Vec<String> = values.into_iter().filter(|v| !v.is_empty()).collect();
        (!values.is_empty()).then(|| values.join(", "))
    }
}

fn value(known: &StaticValue) -> Option<String> {
    match known {
        // No value equals nil.
        StaticValue::Nil => Some(String::new()),
        StaticValue::Symbol(word) | StaticValue::Text(word) => {
            Some(if is_word(word) || matches!(word.as_str(), "true" | "false") { word.clone() } else { quote(word) })
        }
        StaticValue::Bool(_) | StaticValue::Integer(_) | StaticValue::Regex(..) => known.written(),
        _ => None,
    }
}

impl<'p> Reader<'_, 'p> {
    pub(super) fn look(&self, attribute: &str, items: &[ClassItem<'p>]) -> Of<'p> {
        let defs = items.iter().filter_map(|i| i.node.as_def_node()).collect();
        let mut of = Of { owner: self.owner(attribute, items), defs, ..Of::default() };
        for call in items.iter().filter_map(|i| i.node.as_call_node()) {
            if matches!(name(&call.name()).as_str(), "newvalues" | "newvalue" | "aliasvalue") {
                of.values = true;
                let (plain, _) = ruby::arguments(call.arguments());
                of.literals |= plain.iter().any(|a| a.as_regular_expression_node().is_none());
            }
            of.literals |= name(&call.name()) == "defaultvalues";
            of.rules |= name(&call.name()) == "validate";
        }
        of.rules |= of.defs.iter().any(|d| matches!(name(&d.name()).as_str(), "validate" | "unsafe_validate"));
        of
    }
}
