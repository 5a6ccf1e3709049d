//! `newparam` and `newproperty` with their contents.

use super::block::{AttributeContext, Untranslated};
use super::defaults::falsy_default;
use super::eval::{ClassId, MODULE, RubyValue};
use super::items::ClassItem;
use super::known::StaticValue;
use super::nested::{is_property, list_answers};
use super::overrides::{ATTRIBUTE, declares_attribute};
use super::patterns::recognised;
use super::ruby::{self, ByteRange, description, is_word, name};
use super::type_decl::{Fragment, Reader};
use rtype_lang::syntax::{quote, written_symbol};
use ruby_prism::{DefNode, Node};
use std::rc::Rc;

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

/// Options that affect Puppet's attributes and cannot be translated. Unlisted options have no effect.
const CLASS_OPTIONS: &[&str] = &["name", "doc", "metaparam", "retrieve", "unmanaged", "default", "element", "attributes", "prefix"];

/// Comment on a value that `munge` only assigns to another attribute.
const HANDED_ON: &str = "# Another attribute gets its value: see `finalize`.";

/// The context of an attribute's directives.
#[derive(Default)]
pub(super) struct Of<'p> {
    pub(super) owner: AttributeContext,
    /// Its methods.
    pub(super) defs: Vec<(usize, Rc<DefNode<'p>>)>,
    pub(super) values: bool,
    pub(super) literals: bool,
    pub(super) kind: bool,
    /// Whether it has its own validation, which replaces the check of allowed values.
    pub(super) rules: bool,
    /// Whether it converts its values itself.
    pub(super) munges: bool,
    /// Whether it is a parameter.
    pub(super) param: bool,
    /// Whether title patterns set it.
    pub(super) titled: bool,
    /// Whether it is the namevar.
    pub(super) identifies: bool,
    /// Whether values have blocks of their own that set them.
    pub(super) acts: bool,
    /// Blocks of the class that it builds upon, which replace what Puppet does with listed values: the check, and the conversion.
    pub(super) of_class: (bool, bool),
}

impl<'p> Reader<'_, '_, 'p> {
    pub(super) fn attribute(&mut self, item: &ClassItem<'p>) -> Fragment {
        let word = item.word.as_str();
        let Some(attribute) = item.first_word().filter(|w| !w.is_empty()) else {
            return self.left(item, "validate", "the attribute's name is computed");
        };
        let mut items = self.attribute_items(item);
        let mut of = Of { param: word == "newparam", titled: self.scope.in_titles.contains(&attribute), ..self.look(&attribute, &items) };
        let parent = item.class.and_then(|c| self.kind_of(c));
        of.owner.class = item.class;
        of.owner.compares_given = item.class.is_some_and(|class| self.compares_given(class));
        of.owner.remembered = item.class.map(|class| self.loaded.remembered(class, &items)).unwrap_or_default();
        let base = parent.as_ref().map(|p| p.base.clone()).unwrap_or_default();
        let is_true = |key: &str| item.option(key).is_some_and(|value| value.is_true() == Some(true));
        let identifies = attribute == "name" || is_true("namevar") || items.iter().any(|i| i.is("isnamevar"));
        of.identifies = identifies;
        let made_property = is_property(&base);
        if made_property && word == "newparam" {
            self.scope.late_properties.insert(attribute.clone());
        }
        let mut text = format!("{} {attribute}", if made_property { "newproperty" } else { word });
        let mut first = Vec::new();
        for (key, value) in &item.named {
            match key.as_str() {
                "namevar" if value.is_true() == Some(true) => first.push(self.namevar(item, &of)),
                // Puppet ignores `isnamevar`.
                "boolean" | "namevar" | "isnamevar" | "parent" => {}
                // The value of a parameter is always used as a whole.
                "array_matching" if word == "newparam" => {}
                "array_matching" => match value.word().as_deref() {
                    Some("all") => {
                        of.owner.all = true;
                        text.push_str(", array_matching: all");
                    }
                    Some(_) => {}
                    None => first.push(self.left(item, "insync", "whether all values of a list are compared is computed")),
                },
                "required_features" => {
                    let Some(mut list) = self.words(value) else {
                        first.push(self.left(item, "validate", "the features are computed"));
                        continue;
                    };
                    // A feature that no type can declare.
                    if list.iter().any(|f| !is_word(f.strip_suffix('?').unwrap_or(f))) {
                        first.push(self.left(item, "validate", "the name of a feature cannot be written"));
                        continue;
                    }
                    for feature in list.iter_mut().filter(|f| !self.scope.features.iter().any(|(known, _)| known == *f)) {
                        self.scope.undeclared.insert(feature.clone());
                        *feature = format!("undeclared_{feature}");
                    }
                    text.push_str(&format!(", required_features: [{}]", list.join(", ")));
                }
                option if !CLASS_OPTIONS.contains(&option) => {
                    let comment = format!("# Puppet knows no option `{option}`, and passes over it.");
                    first.push(self.ready(item, "", comment));
                }
                option => first.push(self.left(item, "validate", &format!("the option `{option}` is not known"))),
            }
        }
        // Puppet asks this method whether all values of a list are compared.
        let matches_all = item.class.filter(|_| made_property || word == "newproperty").and_then(|c| self.loaded.answer(c, "match_all?"));
        let of_class = item.class.filter(|_| word == "newproperty" && !of.owner.all);
        let of_class = of_class.and_then(|c| self.loaded.answer_of_class(c, "array_matching"));
        let set = items
            .iter()
            .filter(|i| word == "newproperty" && matches!(i.word.as_str(), "array_matching=" | "@array_matching"))
            .filter_map(ClassItem::first_word)
            .next_back();
        let matches_all = matches_all.or_else(|| set.map(|how| Some(StaticValue::Bool(how == "all"))));
        let matches_all =
            matches_all.or_else(|| of_class.map(|how| how.map(|how| StaticValue::Bool(how.word().as_deref() == Some("all")))));
        match matches_all {
            Some(Some(StaticValue::Bool(true))) if !of.owner.all => {
                of.owner.all = true;
                text.push_str(", array_matching: all");
            }
            Some(None) => first.push(self.left(item, "insync", "whether all values of a list are compared is computed")),
            _ => {}
        }
        if let Some(parent) = parent.filter(|_| item.option("parent").is_some()) {
            let name = if parent.name.is_empty() { &parent.base } else { &parent.name };
            match self.kind(name, item.class, &mut items) {
                Some(kind) if kind.is_empty() => {}
                Some(kind) => {
                    of.kind = true;
                    of.of_class = self.rules_of_class(name);
                    text.push_str(&format!(", kind: {kind}"));
                    of.owner.nested.answers = list_answers(&kind);
                    first.extend(self.inherited(item, name, &of));
                    if let Some(nested) = self.scope.nested.get(name) {
                        let own = std::mem::replace(&mut of.owner.nested, nested.clone()).shown;
                        of.owner.nested.shown.retain(|method, _| !own.contains_key(method));
                        for (method, function) in &nested.helpers {
                            of.owner.helpers.entry(method.clone()).or_insert_with(|| function.clone());
                        }
                    }
                }
                None => first.extend(self.unread(item, identifies, "the class that the attribute builds upon is not supported")),
            }
        }
        of.owner.plain_formats = self.plain_formats(item);
        if let Some(unknown) = item.class.and_then(|c| self.loaded.unknown(c)) {
            first.extend(self.unread(item, identifies, &format!("what the attribute builds upon was not read: {}", unknown.reason)));
        }
        if item.class.is_some_and(|class| self.loaded.has_prepended(class)) {
            let reason = "a module in front of the attribute's class is not supported";
            first.extend(self.unread(item, identifies, reason));
        }
        // In Puppet, a parameter of this name is always the namevar.
        let says = items.iter().any(|i| i.is("isnamevar"));
        let named = first.iter().any(|p| p.text == "isnamevar");
        if word == "newparam" && attribute == "name" && !named && !says {
            first.push(self.ready(item, "", "isnamevar"));
        }
        if identifies && self.scope.has_unread_patterns {
            first.push(self.left(item, "munge", "these title patterns are not understood"));
        } else if let Some(code) = self.made_from_title(&attribute) {
            first.push(self.coded(item, "from_title", code));
        }
        let mut piece = self.ready(item, "validate", text);
        piece.children = first;
        piece.children.extend(self.attribute_directives(&items, &of));
        if made_property && word == "newparam" {
            piece.children.retain(|c| !c.text.starts_with("insync ") && c.kept != "insync" && !c.text.contains("`def insync?`"));
            let text = "# In Puppet it is declared as a param, and never compared.\ninsync { |is| true }";
            piece.children.push(self.ready(item, "insync", text));
        }
        recognised(&mut piece, of.owner.all, of.kind);
        piece
    }

    /// Returns the untranslated parts of an attribute for code that was not read, which may declare anything. A namevar has no default.
    fn unread(&self, item: &ClassItem<'p>, identifies: bool, reason: &str) -> Vec<Fragment> {
        let blocks = [ATTRIBUTE, "defaultto"];
        blocks.into_iter().filter(|block| *block == ATTRIBUTE || !identifies).map(|block| self.left(item, block, reason)).collect()
    }

    /// Returns the kind for a class that attributes inherit from; empty for Puppet's own base classes. Methods that configure the
    /// kind are removed from `items`.
    pub(super) fn kind(&self, class: &str, own: Option<ClassId>, items: &mut Vec<ClassItem<'p>>) -> Option<String> {
        let (kind, separators) = match class {
            "Puppet::Property" | "Puppet::Parameter" => return Some(String::new()),
            "Puppet::Parameter::Boolean" | "Puppet::Property::Boolean" => return Some("boolean".into()),
            "Puppet::Parameter::Path" => {
                let calls = items.extract_if(.., |item| item.is("accept_arrays")).last();
                let accepts = calls.is_some_and(|call| call.plain.first().is_none_or(|given| given.is_true() == Some(true)));
                return Some(if accepts { "path(arrays: true)" } else { "path" }.into());
            }
            "Puppet::Parameter::PackageOptions" => return Some("package_options".into()),
            "Puppet::Type::File::Owner" => return Some("file_owner".into()),
            "Puppet::Type::File::Group" => return Some("file_group".into()),
            "Puppet::Type::File::Mode" => return Some("file_mode".into()),
            "Puppet::Property::List" => ("list", false),
            "Puppet::Property::OrderedList" => ("ordered_list", false),
            "Puppet::Property::KeyValue" => ("key_value", true),
            _ => return self.classes.get(class).and_then(|_| self.nested_kind(class, own, items)),
        };
        let mut take = |wanted: &str| {
            let at = items.iter().position(|i| (i.is("def") || i.is("define_method")) && i.method().as_deref() == Some(wanted))?;
            Some(self.loaded.result(&items.remove(at)))
        };
        let mut arguments = Vec::new();
        match take("inclusive?") {
            Some(Some(StaticValue::Bool(true))) => {}
            Some(_) => return None,
            None => arguments.push(match take("membership") {
                Some(known) => format!("membership: {}", known?.word()?),
                // The name of the param that Puppet's class asks.
                None if separators => "membership: key_value_membership".into(),
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
        let shows = items.extract_if(.., |item| separators && item.is("log_only_changed_or_new_keys=")).last();
        match shows.map(|item| item.plain.first().and_then(RubyValue::is_true)) {
            Some(None) => return None,
            Some(Some(true)) => arguments.push("show: changed".into()),
            _ => {}
        }
        Some(format!("{kind}({})", arguments.join(", ")))
    }

    pub(super) fn attribute_directives(&mut self, items: &[ClassItem<'p>], of: &Of<'_>) -> Vec<Fragment> {
        let (file, known) = (self.file, self.scope.known.clone());
        let mut all = Vec::new();
        let mut chosen: Option<(usize, ByteRange)> = None;
        for item in items {
            if chosen.as_ref().is_some_and(|(file, range)| item.file == *file && range.contains(&item.at.start)) {
                continue;
            }
            self.enter(item);
            if item.is_cut && item.def.is_none() {
                let hook = item.method().unwrap_or_else(|| item.word.clone());
                let block = METHODS.iter().find(|(theirs, ..)| *theirs == hook).map_or("validate", |(_, block, _)| *block);
                let block = if matches!(item.word.as_str(), "munge" | "unmunge" | "defaultto") { &item.word } else { block };
                all.push(self.left(
                    item,
                    block.trim_start_matches("override "),
                    "the method of another class that `super` calls is not supported",
                ));
                continue;
            }
            if let Some(piece) = item.condition.is_some().then(|| self.conditional(item, of)).flatten() {
                chosen = Some((item.file, piece.at.clone()));
                all.push(piece);
                continue;
            }
            let Some(piece) = self.attribute_directive(item, of) else { continue };
            // A statement that was not read may declare anything. A namevar has no default.
            let is_declaration = declares_attribute(&item.word) || item.is("def");
            let is_unread = piece.residue.is_some() && piece.kept == ATTRIBUTE && (item.condition.is_some() || !is_declaration);
            let default = (is_unread && !of.identifies).then(|| Fragment { kept: "defaultto".into(), ..piece.clone() });
            all.push(piece);
            all.extend(default);
        }
        self.go(file);
        self.scope.known = known;
        all
    }

    /// Translates the branch around values that depend on a condition.
    fn conditional(&mut self, item: &ClassItem<'p>, of: &Of<'_>) -> Option<Fragment> {
        let condition = item.condition.as_ref().filter(|_| matches!(item.word.as_str(), "newvalue" | "newvalues"))?;
        let branch = self.loaded.innermost(item.file, &item.at, &|n| n.as_if_node().is_some())?;
        self.go(item.file);
        let chosen = self.chosen_values(&branch, of);
        Some(chosen.unwrap_or_else(|| self.depends(&branch, "validate", "which values are allowed", condition)))
    }

    pub(super) fn attribute_directive(&self, item: &ClassItem<'p>, of: &Of<'_>) -> Option<Fragment> {
        let is_of = Some(&of.owner);
        if let Some(def) = &item.def {
            return self.attribute_method(item, def, of);
        }
        let word = item.first_word();
        if let Some(condition) = &item.condition {
            let kept = match item.word.as_str() {
                "desc" | "doc=" => "",
                word @ ("munge" | "unmunge" | "defaultto") => word,
                _ => ATTRIBUTE,
            };
            return Some(self.depends(item, kept, "whether it is declared", condition));
        }
        let closure = item.closure();
        let has_block = item.block.is_some();
        let params = closure.as_ref().map_or(Some(Vec::new()), |c| c.params.clone());
        let body = || item.closure().map(|c| c.body).unwrap_or_default();
        // While a value is checked and converted, the attribute has its previous value, if any.
        let early = matches!(item.word.as_str(), "validate" | "munge").then(|| AttributeContext { early: true, ..of.owner.clone() });
        let is_of = early.as_ref().or(is_of);
        let code = |body: Vec<Node<'_>>| match (&params, item.symbol_block()) {
            (_, Some(method)) => {
                symbol_code(&method).ok_or_else(|| Untranslated { text: format!("`&:{method}` is not supported"), at: item.at.clone() })
            }
            (Some(params), None) => self.code(is_of, params, body),
            (None, None) if let Some(apart) = item.closure().and_then(|c| c.apart) => {
                self.block(is_of, |block| block.whole_apart(&apart, body))
            }
            (None, None) => Err(Untranslated { text: "a block with such parameters".into(), at: item.at.clone() }),
        };
        // Puppet calls the method, which calls the block.
        if let (rule @ ("validate" | "munge"), true) = (item.word.as_str(), has_block)
            && let Some(class) = of.owner.class
            && let Some(method) =
                [rule.to_owned(), format!("unsafe_{rule}")].into_iter().find(|m| self.loaded.method_of(class, m).is_some())
        {
            let text = format!("the method `{method}` next to the block is not supported");
            return Some(self.coded(item, ATTRIBUTE, Err(Untranslated { text, at: item.at.clone() })));
        }
        Some(match item.word.as_str() {
            "desc" | "doc=" | "@doc" => match word {
                Some(text) => self.ready(item, "", format!("desc {}", description(&text))),
                None => self.left(item, "", "the description is computed"),
            },
            "isnamevar" => self.namevar(item, of),
            "nodefault" | "defaultvalues" => self.ready(item, "validate", item.word.as_str()),
            // Code that calls the generated methods is left untranslated itself.
            "def" if of.owner.list && item.reads.as_deref() == Some("should") => {
                self.ready(item, "", format!("{} {{ |values| values }}", of.owner.should_word()))
            }
            "def" if item.block.is_some() => return self.made_method(item, &of.owner),
            "isrequired" | "def" | "def self" | "alias_method" | "metaparam" => return None,
            variable if variable.starts_with('@') => return None,
            "sensitive" if item.plain.first().is_none_or(|v| v.is_true() == Some(true)) => self.ready(item, "validate", "sensitive"),
            // A class does not inherit it.
            "array_matching=" if of.kind || word.is_some() => return None,
            "array_matching" | "array_matching=" => self.left(item, "validate", "`array_matching` is set in the body"),
            "validate" => {
                let word = if of.values || of.kind {
                    "# In Puppet it replaces the check of the values listed.\noverride validate"
                } else {
                    "validate"
                };
                let owner = AttributeContext { replaces_nothing: !of.values && !of.kind, early: true, ..of.owner.clone() };
                let code = match &params {
                    Some(params) if item.symbol_block().is_none() => self.checks(&owner, params, body(), of.param),
                    _ => code(body()),
                };
                self.coded(item, "validate", code.map(|c| format!("{word} {c}")))
            }
            "munge" => {
                let word = if of.literals || of.kind { "override munge" } else { "munge" };
                let code = match (&params, item.symbol_block()) {
                    (Some(params), None) => self.munge_value(early.as_ref().unwrap_or(&of.owner), params, body(), of.param),
                    _ => code(body()),
                };
                self.coded(
                    item,
                    "munge",
                    code.map(|c| match c.is_empty() {
                        // It still replaces the conversion to symbols.
                        true if of.literals || of.kind => format!("{HANDED_ON}\n{word} {{ |v| v }}"),
                        true => HANDED_ON.to_owned(),
                        false => format!("{word} {c}"),
                    }),
                )
            }
            "unmunge" => self.coded(item, "unmunge", code(body()).map(|c| format!("unmunge {c}"))),
            "newvalue" | "newvalues" if of.of_class.0 => return Some(self.unlisted(item, of)),
            "newvalues" => match self.values(item).filter(|_| item.named.is_empty()) {
                Some(values) => self.ready(item, "validate", format!("newvalues {values}")),
                None => self.left(item, "validate", "a value is computed"),
            },
            "newvalue" => {
                let Some(value) = item.plain.first().and_then(|v| self.value(v)).filter(|v| !v.is_empty()) else {
                    return Some(self.left(item, "validate", "a value is computed"));
                };
                let mut text = format!("newvalue {value}");
                for (key, given) in &item.named {
                    match (key.as_str(), self.words(given).as_deref()) {
                        ("event" | "required_features", Some([word])) if is_word(word) => text.push_str(&format!(", {key}: {word}")),
                        ("invalidate_refreshes", _) if given.is_true() == Some(true) => text.push_str(", invalidate_refreshes: true"),
                        ("call", _) => {}
                        _ => return Some(self.left(item, "validate", "an option of the value is not known")),
                    }
                }
                if !has_block {
                    return Some(self.ready(item, "validate", text));
                }
                let code = self.block(is_of, |block| {
                    block.acting = true;
                    match &params {
                        Some(params) => block.whole(params, body()),
                        None => Err(Untranslated { text: "a block with such parameters".into(), at: item.at.clone() }),
                    }
                });
                self.coded(item, &format!("newvalue {value}"), code.map(|c| format!("{text} {c}")))
            }
            "aliasvalue" => match self.values(item) {
                Some(values) if item.plain.len() == 2 => self.ready(item, "validate", format!("aliasvalue {values}")),
                _ => self.left(item, "validate", "a value is computed"),
            },
            "defaultto" => return Some(self.default(item, of, has_block.then(body), &code)),
            _ => self.left(item, ATTRIBUTE, &format!("`{}` is not understood", ruby::first_line(self.slice(item)))),
        })
    }

    fn namevar(&self, node: &ClassItem<'p>, of: &Of<'_>) -> Fragment {
        let says = if of.param || of.titled { "isnamevar" } else { "# In Puppet `isnamevar` of a property means nothing." };
        self.ready(node, "", says)
    }

    pub(super) fn default(
        &self,
        node: &ClassItem<'p>,
        of: &Of<'_>,
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
            }
            let falsy = falsy_default(&body, &|attribute| self.scope.falsy.contains(attribute));
            return self.coded(
                node,
                "defaultto",
                code(body).and_then(|code| Ok(format!("defaultto {}", falsy.drop_false(code, &node.at)?))),
            );
        }
        let [value] = node.plain.as_slice() else { return self.left(node, "defaultto", "this default is not understood") };
        match value {
            RubyValue::Bool(false) => return self.ready(node, "", DROPPED),
            RubyValue::Nil => return self.ready(node, "", ""),
            RubyValue::Str(text) if !text.borrow().contains(MODULE) => {
                return self.ready(node, "defaultto", format!("defaultto {}", quote(&text.borrow())));
            }
            RubyValue::Sym(symbol) if is_word(symbol) => return self.ready(node, "defaultto", format!("defaultto {symbol}")),
            RubyValue::Sym(symbol) => return self.ready(node, "defaultto", format!("defaultto {{ {} }}", written_symbol(symbol))),
            _ => {}
        }
        // As it is written, if that can be said here, too; it may depend on the machine.
        let call = self.loaded.node(node.file, &node.at, &|n| n.as_call_node().is_some_and(|c| name(&c.name()) == "defaultto"));
        let argument = call.and_then(|c| c.as_call_node()).and_then(|c| ruby::arguments(c.arguments()).0.into_iter().next());
        let written = argument.as_ref().map(|argument| self.block(Some(&of.owner), |block| block.single(argument)));
        let fixed = self.loaded.fixed(value);
        match (written, fixed.as_ref().and_then(StaticValue::written)) {
            (_, Some(text)) if matches!(fixed, Some(StaticValue::Map(_))) => self.ready(node, "defaultto", format!("defaultto ({text})")),
            (_, Some(text)) if matches!(&fixed, Some(StaticValue::List(items)) if items.iter().any(|i| matches!(i, StaticValue::Symbol(_)))) => {
                self.ready(node, "defaultto", format!("defaultto {{ {text} }}"))
            }
            (_, Some(text)) if matches!(fixed, Some(StaticValue::Class(_))) => {
                self.ready(node, "defaultto", format!("defaultto {{ {text} }}"))
            }
            (_, Some(text)) => self.ready(node, "defaultto", format!("defaultto {text}")),
            (Some(Ok(text)), None) => self.ready(node, "defaultto", format!("defaultto {{ {text} }}")),
            (Some(Err(reason)), None) => Fragment { residue: Some(reason), ..self.ready(node, "defaultto", "") },
            (None, None) => self.left(node, "defaultto", "the default is computed"),
        }
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
    pub(super) fn value(&self, of: &RubyValue<'p>) -> Option<String> {
        value(&self.loaded.fixed(of)?)
    }

    /// Returns values as written in `newvalues`; a constant list keeps its name.
    fn values(&self, item: &ClassItem<'p>) -> Option<String> {
        let call = self.loaded.node(item.file, &item.at, &|n| n.as_call_node().is_some()).and_then(|n| n.as_call_node());
        let nodes = call.map(|c| ruby::arguments(c.arguments()).0).unwrap_or_default();
        if let [only] = nodes.as_slice()
            && let Some(list) = only.as_splat_node().and_then(|s| s.expression())
            && let Some(constant) = ruby::constant(&list).filter(|c| self.scope.constants.contains(c))
        {
            return Some(format!("*{constant}"));
        }
        let mut flat = Vec::new();
        for value in &item.plain {
            match value {
                RubyValue::Array(items) => flat.extend(items.borrow().iter().cloned()),
                other => flat.push(other.clone()),
            }
        }
        let values: Vec<String> = flat.iter().map(|v| self.value(v)).collect::<Option<_>>()?;
        let values: Vec<String> = values.into_iter().filter(|v| !v.is_empty()).collect();
        (!values.is_empty()).then(|| values.join(", "))
    }
}

/// Returns the code of `&:method`.
pub(super) fn symbol_code(method: &str) -> Option<String> {
    is_word(method.trim_end_matches(['?', '!'])).then(|| format!("{{ |value| value.{method} }}"))
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

impl<'p> Reader<'_, '_, 'p> {
    pub(super) fn look(&self, attribute: &str, items: &[ClassItem<'p>]) -> Of<'p> {
        let defs = items.iter().filter_map(|i| Some((i.file, i.def.clone()?))).collect();
        let mut of = Of { owner: self.owner(attribute, items), defs, ..Of::default() };
        // Values under a condition are chosen by it.
        for item in items.iter().filter(|i| i.condition.is_none()) {
            match item.word.as_str() {
                "newvalues" | "newvalue" | "aliasvalue" => {
                    of.acts |= item.block.is_some();
                    of.values = true;
                    of.literals |= item.plain.iter().any(|a| !matches!(a, RubyValue::Regex(_)));
                }
                "defaultvalues" => {
                    of.values = true;
                    of.literals = true;
                }
                "validate" => of.rules = true,
                "munge" => of.munges = true,
                _ => {}
            }
        }
        of.munges |= of.defs.iter().any(|(_, d)| matches!(name(&d.name()).as_str(), "munge" | "unsafe_munge"));
        of.rules |= of.defs.iter().any(|(_, d)| matches!(name(&d.name()).as_str(), "validate" | "unsafe_validate"));
        of
    }
}
