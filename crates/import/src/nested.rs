//! Translates classes within a type to kinds: class-level settings become parameters, methods become functions of the file.

use super::attribute::{METHODS, Of};
use super::block::{AttributeContext, BlockTranslator, COMPARE, OPERAND, TERNARY, Text, UNARY, no};
use super::eval::ClassId;
use super::items::{ClassItem, Located, ParentClass};
use super::overrides::is_attribute_hook;
use super::ruby::{self, name};
use super::type_decl::{Fragment, Reader};
use rtype_lang::syntax::written_symbol;
use ruby_prism::{CallNode, DefNode, Node};
use std::collections::{BTreeMap, BTreeSet};

/// Puppet's default format of values.
pub(super) const SHOWN: &str = r##"fn shown(value, depth = 1) {
match value {
Array => "[#{value.map { |v| v.nil? ? "undef" : shown(v, depth) }.join(", ")}]"
Hash => "{\n#{value.map { |k, v| "#{"  " * depth}#{shown(k)} => #{v.nil? ? "undef" : shown(v, depth + 1)}" }.join(",\n")}\n#{"  " * (depth - 1)}}"
String | Symbol => "'#{value}'"
Float => format("%f", value)
_ => value.to_s
}
}"##;

/// What is known about a class within a type.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Nested {
    /// Class-level settings of its attributes (`self.limits = [0, 9]`), and methods that only some of them have: the parameters of
    /// the kind.
    pub settings: BTreeSet<String>,
    /// The parameters of settings that locals have the names of.
    pub renamed: BTreeMap<String, String>,
    /// Settings that are computed by a method of the class, from what its attributes call it with.
    pub computed: BTreeSet<String>,
    /// The values of settings that are methods of the class.
    pub defaults: BTreeMap<String, String>,
    /// Methods that its code calls on itself.
    pub called: BTreeSet<String>,
    /// What methods of Puppet's classes of lists and of keys and values return.
    pub answers: BTreeMap<&'static str, String>,
    /// Functions translated from its other methods.
    pub helpers: BTreeMap<String, String>,
    /// Functions translated from its format methods.
    pub shown: BTreeMap<String, String>,
    /// Whether these are functions of the type, for one attribute.
    pub of_type: bool,
    /// Whether its `should=` flattens lists.
    pub flat: bool,
    /// Whether it formats the result of `should` like all desired values because it takes the first element of a list itself: if
    /// that is a symbol, and always for the attributes with these names.
    pub first: Option<BTreeSet<String>>,
}

impl Nested {
    /// Returns the parameter of the kind that a setting becomes.
    fn parameter<'n>(&'n self, setting: &'n str) -> &'n str {
        self.renamed.get(setting).map_or(setting, String::as_str)
    }

    /// Returns the arguments that pass all settings on to the kind of the class above.
    fn passed_on(&self) -> Vec<String> {
        self.settings.iter().map(|setting| self.parameter(setting)).map(|word| format!("{word}: {word}")).collect()
    }

    /// Returns the format methods of an attribute that its other methods call.
    pub fn of_attribute(attribute: &str, items: &[ClassItem<'_>]) -> Nested {
        let mut nested = Nested { of_type: true, ..Nested::default() };
        let defs: Vec<_> = items.iter().filter_map(|i| i.def.clone()).collect();
        for method in ["is_to_s", "should_to_s"] {
            let calls = |d: &std::rc::Rc<DefNode<'_>>| ruby::without_comments(d.location().as_slice()).contains(&format!("{method}("));
            let (own, others): (Vec<_>, Vec<_>) = defs.iter().partition(|d| name(&d.name()) == method);
            if !own.is_empty() && others.into_iter().any(calls) {
                nested.shown.insert(method.to_owned(), format!("{attribute}_{method}"));
            }
        }
        nested
    }

    /// Returns whether `should_to_s` without a value, which formats all desired values, yields the same for the result of this
    /// `should`.
    pub fn words_should(&self, attribute: &str, def: &DefNode<'_>) -> bool {
        let Some(first) = &self.first else { return true };
        let code = squeezed(def);
        // The first element unchanged and nothing else of the list; a derived value would be formatted differently.
        let as_it_is = |(at, first): (usize, &str)| {
            let before = code.get(..at).unwrap_or_default();
            let after = code.get(at + first.len()..).unwrap_or_default();
            (before.is_empty() || before.ends_with("Array "))
                && (after.is_empty() || after.starts_with(" else ") || after.starts_with(" end"))
        };
        let rest = code.replace("@should[0]", "").replace("if @should.is_a? Array", "").replace("if @should ", "");
        let takes_first = code.contains("@should[0]") && code.match_indices("@should[0]").all(as_it_is) && !rest.contains("@should");
        symbol_or_list(&code) || takes_first && first.contains(attribute)
    }

    /// Adapts a block on all desired values, which are flattened first.
    pub fn flattened(&self, code: String, values: &str) -> String {
        match code.strip_prefix(&format!("{{ |{values}| ")) {
            Some(rest) if self.flat => format!("{{ |{values}| \n{values} = {values}.flatten\n{}", rest.trim_start()),
            _ => code,
        }
    }
}

/// Returns whether a class creates properties in Puppet, even if `newparam` declares them.
pub(super) fn is_property(class: &str) -> bool {
    class.starts_with("Puppet::Property")
        || matches!(class, "Puppet::Type::File::Owner" | "Puppet::Type::File::Group" | "Puppet::Type::File::Mode")
}

/// Returns the body of a method on one line, without comments.
fn squeezed(def: &DefNode<'_>) -> String {
    let code = def.body().map(|body| ruby::without_comments(body.location().as_slice())).unwrap_or_default();
    code.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Recognizes `if @should && @should[0] == :absent; :absent; else @should; end`.
fn symbol_or_list(code: &str) -> bool {
    let symbol = code.strip_prefix("if @should && @should[0] == ").and_then(|rest| rest.split(' ').next()).unwrap_or_default();
    symbol.starts_with(':') && code == format!("if @should && @should[0] == {symbol} {symbol} else @should end")
}

/// Recognizes `if v.is_a?(Array) && (name == :x || v[0].is_a?(Symbol)); v = v[0]; end`. Returns the attributes for which the first
/// element is always taken.
fn takes_first(def: &DefNode<'_>) -> Option<BTreeSet<String>> {
    let list = def.parameters()?;
    let optional = list.optionals().iter().next()?;
    let value = name(&optional.as_optional_parameter_node()?.name());
    let code = squeezed(def);
    let (_, rest) = code.split_once(&format!("if {value}.is_a?(Array) && ("))?;
    let (tests, _) = rest.split_once(&format!(") {value} = {value}[0] end"))?;
    let tests: Vec<&str> = tests.split(" || ").collect();
    let others: Option<BTreeSet<String>> = tests
        .iter()
        .filter(|t| **t != format!("{value}[0].is_a?(Symbol)"))
        .map(|t| t.strip_prefix("name == :").filter(|n| ruby::is_word(n)).map(str::to_owned))
        .collect();
    others.filter(|o| o.len() < tests.len())
}

/// A class that attributes inherit from.
#[derive(Clone)]
pub struct NestedClass<'p> {
    pub parent: ParentClass,
    /// Its declarations, with those that it inherits from other classes of Ruby code, down to the one that becomes a kind itself.
    pub items: Vec<ClassItem<'p>>,
    /// The name of the class that it builds on and that becomes a kind itself, because its methods call those with `super`.
    pub above: Option<String>,
    /// The number of such classes.
    pub depth: usize,
}

/// Maximum number of classes that build on each other and become kinds.
const MAX_ABOVE: usize = 8;

impl<'p> Reader<'_, '_, 'p> {
    /// Records the class that an attribute inherits from, unless it is Puppet's.
    pub(super) fn parent_class(&mut self, item: &ClassItem<'p>) {
        if let Some(parent) = item.class.and_then(|c| self.kind_of(c)) {
            self.note_class(parent, MAX_ABOVE);
        }
    }

    /// Returns the methods that format the values of an attribute as those of any property: which no Ruby code replaces.
    pub(super) fn plain_formats(&self, item: &ClassItem<'p>) -> Vec<&'static str> {
        let Some(class) = item.class.filter(|class| self.has_plain_format(*class)) else { return Vec::new() };
        let defined: BTreeSet<String> = self.loaded.of_attribute(class, None).iter().filter_map(ClassItem::method).collect();
        ["is_to_s", "should_to_s"].into_iter().filter(|method| !defined.contains(*method)).collect()
    }

    /// Returns whether the format of values that a property of this class inherits in the end is that of any property.
    pub(super) fn has_plain_format(&self, class: ClassId) -> bool {
        let base = self.kind_of(class).map(|parent| parent.base).unwrap_or_default();
        let mut defined = self.loaded.of_attribute(class, None).into_iter().filter_map(|item| item.method());
        matches!(base.as_str(), "Puppet::Property" | "Puppet::Property::Ensure") && !defined.any(|m| m == "format_value_for_display")
    }

    /// Returns what joins the desired value of a property of this class, as written, if it is a list that Puppet joins.
    pub(super) fn list_delimiter(&self, class: ClassId) -> Option<String> {
        let base = self.kind_of(class)?.base;
        if !matches!(base.as_str(), "Puppet::Property::List" | "Puppet::Property::OrderedList") {
            return None;
        }
        let items = self.loaded.of_attribute(class, None);
        // These give something else.
        let changes = |method: &str| matches!(method, "should" | "dearrayify" | "add_should_with_current");
        if items.iter().filter_map(ClassItem::method).any(|method| changes(&method)) {
            return None;
        }
        match items.iter().rev().find(|item| item.method().as_deref() == Some("delimiter")) {
            Some(own) => self.loaded.result(own)?.written(),
            None => Some("\",\"".to_owned()),
        }
    }

    /// Returns whether properties of this class are compared by Puppet's own `insync?`, which takes the values that are given and does not
    /// ask `should`.
    pub(super) fn compares_given(&self, class: ClassId) -> bool {
        let base = self.kind_of(class).map(|parent| parent.base).unwrap_or_default();
        if !matches!(base.as_str(), "Puppet::Property" | "Puppet::Property::Boolean") {
            return false;
        }
        let items = self.loaded.of_attribute(class, None);
        let own = items.iter().filter(|item| item.method().as_deref() == Some("insync?"));
        let calls_above = |item: &ClassItem<'p>| {
            item.def.as_ref().map_or(item.block.is_some(), |def| ruby::without_comments(def.location().as_slice()).contains("super"))
        };
        own.map(calls_above).next_back().unwrap_or(true)
    }

    fn note_class(&mut self, class: ParentClass, depth: usize) {
        if class.is_native || class.name.is_empty() || self.classes.contains_key(&class.name) {
            return;
        }
        let above = self.kind_of(class.class).filter(|above| !above.is_native && !above.name.is_empty() && depth > 0);
        let above = above.filter(|above| self.loaded.calls_above(class.class, above.class));
        let stop = above.as_ref().map(|above| above.class);
        let (items, of) = (self.loaded.of_attribute(class.class, stop), above.as_ref().map(|above| above.name.clone()));
        above.into_iter().for_each(|above| self.note_class(above, depth.saturating_sub(1)));
        let depth = of.as_ref().and_then(|of| self.classes.get(of)).map_or(0, |above| above.depth + 1);
        self.classes.insert(class.name.clone(), NestedClass { items, parent: class, above: of, depth });
    }

    /// Translates a class that attributes inherit from: its functions and its kind. `None` if it inherits from anything but Puppet's
    /// base classes.
    pub(super) fn class(&mut self, path: &str, class: &NestedClass<'p>) -> Option<Vec<Fragment>> {
        let base = class.parent.base.clone();
        self.go(class.parent.file);
        let mut items = class.items.clone();
        let above = match &class.above {
            Some(above) => Some(self.scope.nested.get(above).filter(|_| self.classes.contains_key(above))?.clone()),
            None => None,
        };
        // What the code of the class above calls on itself must be its own.
        let replaces = |above: &Nested| items.iter().filter_map(ClassItem::method).any(|method| above.called.contains(&method));
        if above.as_ref().is_some_and(replaces) {
            self.inline_class(class.above.as_deref().unwrap_or_default());
            return None;
        }
        let kind = match (&class.above, &above) {
            (Some(of), Some(above)) => self.kind_with(of, above.passed_on()),
            _ => self.kind(&base, Some(class.parent.class), &mut items)?,
        };
        let word = self.kind_word(path);
        let at = self.class_place(class);
        let mut of = Of { kind: !kind.is_empty(), param: base.starts_with("Puppet::Parameter"), ..self.look(&word, &items) };
        let mut nested = self.nested(class, &mut items, &of);
        if let Some(above) = above {
            nested.called.extend(above.called);
            nested.settings.extend(above.settings);
            nested.computed.extend(above.computed);
            nested.renamed.extend(above.renamed);
            nested.defaults.extend(above.defaults);
            // What the class itself says instead.
            let above = class.above.as_ref().and_then(|of| self.classes.get(of)).map(|above| above.parent.class);
            let own = class.parent.class;
            for setting in nested.settings.clone() {
                if !above.is_some_and(|above| self.loaded.overrides_class_method(own, above, &setting)) {
                    continue;
                }
                let Some(value) = self.loaded.class_result(own, &setting).and_then(|value| value.written_in_arguments()) else {
                    self.inline_class(class.above.as_deref().unwrap_or_default());
                    return None;
                };
                nested.defaults.insert(setting, value);
            }
        }
        of.owner.is_kind = true;
        let matching = self.loaded.answer_of_class(class.parent.class, "array_matching").flatten();
        of.owner.all |= matching.and_then(|how| how.word()).as_deref() == Some("all");
        of.owner.class = Some(class.parent.class);
        of.owner.compares_given = self.compares_given(class.parent.class);
        of.owner.nested = nested.clone();
        for (_, def) in &of.defs {
            let method = name(&def.name());
            let is_hook = METHODS.iter().any(|(theirs, _, _)| *theirs == method) || is_attribute_hook(&method);
            if !is_hook && ruby::is_word(method.trim_end_matches('?')) {
                // A function of the type would hide one of the same name.
                of.owner.helpers.insert(method.clone(), format!("{word}_{method}"));
            }
        }
        nested.helpers.clone_from(&of.owner.helpers);
        nested.called.extend(self.loaded.called_on_self(&class.items));
        self.scope.nested.insert(path.to_owned(), nested.clone());
        let default = |s: &String| nested.defaults.get(s).map_or("nil", String::as_str).to_owned();
        let settings: Vec<String> = nested.settings.iter().map(|s| format!("{} = {}", nested.parameter(s), default(s))).collect();
        let settings = if settings.is_empty() { String::new() } else { format!("({})", settings.join(", ")) };
        let text = format!("kind {word}{settings}{}", if kind.is_empty() { kind } else { format!(", kind: {kind}") });
        let mut piece = self.ready(&at, "", text);
        piece.children = self.inherited(&at, &base, &of);
        piece.children.extend(self.attribute_directives(&items, &of));
        if piece.children.is_empty() {
            piece.text.push_str(" {\n}");
        }
        let mut pieces = self.class_functions(&items, &of);
        pieces.push(piece);
        Some(pieces)
    }

    /// Returns the location of the class.
    fn class_place(&self, class: &NestedClass<'p>) -> super::ruby::ByteRange {
        let around = self.loaded.innermost(class.parent.file, &class.parent.at, &|n| n.as_class_node().is_some());
        around.map_or_else(|| class.parent.at.clone(), |n| ruby::place(&n))
    }

    /// Returns the settings of the class. Items that only declare them are removed.
    fn nested(&self, class: &NestedClass<'p>, items: &mut Vec<ClassItem<'p>>, of: &Of<'_>) -> Nested {
        let code = ruby::without_comments(self.slice(&self.class_place(class)).as_bytes());
        let mut nested = Nested::default();
        items.retain(|item| {
            let method = item.method().filter(|m| item.is("def self") && self.is_overridden(class.parent.class, m)).unwrap_or_default();
            if code.contains(&format!("self.class.{method}"))
                && ruby::is_word(&method)
                && let Some(value) = self.loaded.result(item).and_then(|v| v.written_in_arguments())
            {
                nested.defaults.insert(method.clone(), value);
                nested.settings.insert(method);
                return false;
            }
            let declared = item.method().filter(|m| item.is("def self") && self.is_class_setting(class.parent.class, m));
            if let Some(setting) = declared.filter(|setting| ruby::is_word(setting)) {
                let default = self.loaded.class_result(class.parent.class, &setting).and_then(|v| v.written_in_arguments());
                nested.defaults.extend(default.map(|default| (setting.clone(), default)));
                nested.computed.insert(setting.clone());
                nested.settings.insert(setting);
                return false;
            }
            let Some(setting) = item.reads.as_ref().filter(|_| item.is("def self")) else {
                return !item.is("def self") || item.def.is_some();
            };
            // Settings that are never read have no effect.
            if ruby::is_word(setting) && code.contains(&format!("self.class.{setting}")) {
                nested.settings.insert(setting.clone());
            }
            false
        });
        for (_, rest) in code.match_indices("respond_to?(:").filter_map(|(at, word)| Some((at, code.get(at + word.len()..)?))) {
            let method = rest.split(')').next().unwrap_or_default();
            if ruby::is_word(method) && !of.defs.iter().any(|(_, d)| name(&d.name()) == method) {
                nested.settings.insert(method.to_owned());
            }
        }
        let is_local = |setting: &&String| self.any_mentions(|mentions| mentions.has_local(setting));
        nested.renamed = nested.settings.iter().filter(is_local).map(|s| (s.clone(), format!("{s}_of_class"))).collect();
        let def = |wanted: &str| of.defs.iter().map(|(_, d)| d).find(|d| name(&d.name()) == wanted);
        nested.flat = def("should=").is_some_and(|d| squeezed(d) == "super @should.flatten!");
        for method in ["is_to_s", "should_to_s"].into_iter().filter(|m| def(m).is_some()) {
            nested.shown.insert(method.to_owned(), format!("{}_{method}", of.owner.name));
        }
        let gives = def("should").is_none_or(|d| symbol_or_list(&squeezed(d)));
        nested.first = def("should_to_s").and_then(|d| takes_first(d)).filter(|_| gives && def("should").is_some());
        nested
    }

    /// Returns whether a class that inherits from this one has a class method of its own of that name.
    pub(super) fn is_overridden(&self, class: ClassId, method: &str) -> bool {
        let classes = &self.loaded.ruby.borrow().classes;
        classes.ids().any(|id| id != class && classes.get(id).class_methods.contains_key(method) && classes.ancestors(id).contains(&class))
    }

    /// Translates its methods to functions, if they are called.
    fn class_functions(&mut self, items: &[ClassItem<'p>], of: &Of<'_>) -> Vec<Fragment> {
        let mut pieces = Vec::new();
        for item in items {
            let Some(def) = item.def.as_ref().filter(|_| item.is("def")) else { continue };
            self.enter(item);
            let method = item.method().unwrap_or_default();
            if let Some(function) = of.owner.nested.shown.get(&method) {
                pieces.push(Fragment { mixed_in: true, ..self.wording(item, def, function, &of.owner) });
            } else if let Some(function) = of.owner.helpers.get(&method) {
                let piece = self.function(item, def, function, Some(&of.owner));
                // A function of the file has no attribute, and no class.
                let needs_class = piece.parts.iter().chain(&piece.residue).any(|left| left.text.contains("`class`"));
                if let Some(class) = of.owner.class.filter(|_| needs_class || reads_attribute(&piece.text, &of.owner.nested)) {
                    self.values.borrow_mut().inline(class);
                }
                pieces.push(piece);
            }
        }
        pieces
    }

    /// Translates `is_to_s` or `should_to_s` to a function that other code calls.
    pub(super) fn wording(&self, node: &impl Located, def: &DefNode<'_>, function: &str, owner: &AttributeContext) -> Fragment {
        let code = self.function_params(def, true, None).and_then(|(names, _)| {
            let code = self.block(Some(owner), |block| {
                block.words = true;
                block.whole(&names, ruby::statements(def.body()))
            })?;
            let value = names.join(", ");
            let code = code.strip_prefix(&format!("{{ |{value}| ")).map_or_else(|| code.clone(), |rest| format!("{{ {rest}"));
            let attribute = if owner.nested.of_type { "" } else { "attribute, " };
            Ok(format!("fn {function}({attribute}{value}) {code}"))
        });
        // Counted with the block.
        Fragment { blocks: 0, ..self.coded(node, "", code) }
    }

    /// Translates behaviour of a class in Puppet that its kind does not cover.
    pub(super) fn inherited(&self, class: &impl Located, named: &str, of: &Of<'_>) -> Vec<Fragment> {
        let text = match named {
            // In Puppet, it has no allowed values.
            "Puppet::Property::Boolean" if !of.rules => {
                "# In Puppet `munge` alone checks it, in any case of letters.\noverride validate { |value| }"
            }
            "Puppet::Type::File::Group" if !of.rules => {
                "validate { |group| fail \"Invalid group name '#{group.inspect}'\" if group.nil? || group == false || group == \"\" }"
            }
            _ => "",
        };
        let mut pieces = Vec::new();
        if !text.is_empty() {
            pieces.push(self.ready(class, "validate", text));
        }
        pieces
    }

    /// Returns the kind of an attribute that inherits from a class within the type, with its arguments.
    /// `own` is the class of the attribute itself.
    pub(super) fn nested_kind(&self, class: &str, own: Option<ClassId>, items: &mut Vec<ClassItem<'p>>) -> Option<String> {
        let Some(nested) = self.scope.nested.get(class) else { return Some(self.kind_with(class, Vec::new())) };
        // The code of the class would not call the attribute's own method.
        if items.iter().filter_map(ClassItem::method).any(|method| nested.called.contains(&method) && !nested.settings.contains(&method)) {
            self.inline_class(class);
            return None;
        }
        let mut arguments = Vec::new();
        let base = self.classes.get(class).map(|class| class.parent.class);
        for setting in &nested.settings {
            let result = |own: ClassId| self.loaded.class_result(own, setting)?.written_in_arguments();
            if nested.computed.contains(setting) {
                let Some(value) = own.map(result) else { continue };
                let Some(value) = value else {
                    self.inline_class(class);
                    return None;
                };
                arguments.extend(
                    Some(value)
                        .filter(|value| nested.defaults.get(setting) != Some(value))
                        .map(|value| format!("{}: {value}", nested.parameter(setting))),
                );
                continue;
            }
            let value = |item: &ClassItem<'p>| {
                if item.def.as_ref().is_some_and(|d| name(&d.name()) == *setting && d.parameters().is_none()) {
                    return self.loaded.result(item)?.written_in_arguments();
                }
                let given = item.plain.first().filter(|_| item.word == format!("@{setting}"))?;
                self.loaded.fixed(given)?.written_in_arguments()
            };
            let is_it =
                |item: &ClassItem<'p>| item.word == format!("@{setting}") || item.def.as_ref().is_some_and(|d| name(&d.name()) == *setting);
            // The last one counts, unless it builds on those before.
            let all: Vec<&ClassItem<'p>> = items.iter().filter(|item| is_it(item)).collect();
            let last = match all.as_slice() {
                [] if own.zip(base).is_some_and(|(own, base)| self.loaded.overrides_class_method(own, base, setting)) => {
                    own.and_then(result)
                }
                [] => continue,
                [only] => value(only),
                [.., _] => own.and_then(result),
            };
            let Some(value) = last else {
                self.inline_class(class);
                return None;
            };
            items.retain(|item| !is_it(item));
            arguments.push(format!("{}: {value}", nested.parameter(setting)));
        }
        Some(self.kind_with(class, arguments))
    }

    /// Notes that the code of a class belongs to each attribute that inherits from it.
    fn inline_class(&self, class: &str) {
        let Some(class) = self.classes.get(class).map(|class| class.parent.class) else { return };
        self.values.borrow_mut().inline(class);
    }

    /// Returns the kind that a class becomes, with arguments.
    fn kind_with(&self, class: &str, arguments: Vec<String>) -> String {
        let kind = self.kind_word(class);
        if arguments.is_empty() { kind } else { format!("{kind}({})", arguments.join(", ")) }
    }

    /// Returns the name of the kind that a class becomes: the last part of its own, unless other classes have the same one.
    fn kind_word(&self, class: &str) -> String {
        self.scope.kind_words.get(class).cloned().unwrap_or_else(|| ruby::snake_case(class.rsplit("::").next().unwrap_or(class)))
    }
}

/// Returns what methods of Puppet's class of lists, or of keys and values, return in an attribute of a kind with these arguments.
pub(super) fn list_answers(kind: &str) -> BTreeMap<&'static str, String> {
    let mut answers = BTreeMap::new();
    let Some((name, arguments)) = kind.strip_suffix(')').and_then(|kind| kind.split_once('(')) else { return answers };
    if !matches!(name, "list" | "ordered_list" | "key_value") {
        return answers;
    }
    let argument = |wanted: &str| Some(arguments.split_once(&format!("{wanted}: "))?.1);
    let text = |wanted: &str| argument(wanted).and_then(|rest| rest.strip_prefix('"')).and_then(|rest| rest.split_once('"'));
    for word in ["delimiter", "separator"] {
        answers.extend(text(word).filter(|(text, _)| !text.ends_with('\\')).map(|(text, _)| (word, format!("\"{text}\""))));
    }
    if name == "key_value" {
        answers.entry("separator").or_insert_with(|| "\"=\"".to_owned());
    }
    match argument("membership").and_then(|rest| rest.split([',', ' ']).next()) {
        Some(membership) => {
            answers.insert("membership", format!(":{membership}"));
            answers.insert("inclusive?", format!("self[:{membership}] == :inclusive"));
        }
        None => drop(answers.insert("inclusive?", "true".to_owned())),
    }
    answers
}

/// Returns the names of the kinds that classes become, where the last part of the class's name is not enough.
pub(super) fn kind_words<'c>(classes: impl Iterator<Item = &'c String> + Clone) -> BTreeMap<String, String> {
    let last = |class: &str| ruby::snake_case(class.rsplit("::").next().unwrap_or(class));
    let whole = |class: &str| class.split("::").map(ruby::snake_case).collect::<Vec<_>>().join("_");
    let all = classes.clone();
    let is_shared = |class: &&String| all.clone().filter(|other| last(other) == last(class)).count() > 1;
    classes.filter(is_shared).map(|class| (class.clone(), whole(class))).collect()
}

impl BlockTranslator<'_> {
    /// Translates a call of the attribute's class, or of one of its methods.
    pub(super) fn nested_call(&mut self, call: &CallNode<'_>, method: &str, plain: &[Node<'_>]) -> Text<Option<(String, u8)>> {
        let Some(owner) = self.attribute else { return Ok(None) };
        let is_self = |of: Option<Node<'_>>| of.is_some_and(|r| r.as_self_node().is_some());
        let of_class = call.receiver().and_then(|r| r.as_call_node()).is_some_and(|c| name(&c.name()) == "class" && is_self(c.receiver()));
        let own = call.receiver().is_none() || is_self(call.receiver());
        let setting = |word: &str| owner.nested.settings.contains(word);
        Ok(match (method, plain) {
            ("name", []) if of_class && !owner.outside => Some(("attribute".into(), OPERAND)),
            ("name", []) if of_class && !owner.is_kind && !owner.is_module => Some((written_symbol(&owner.name), OPERAND)),
            (asked, []) if (of_class || own) && setting(asked) => Some((owner.nested.parameter(asked).to_owned(), OPERAND)),
            ("respond_to?", [wanted]) if own && ruby::symbol(wanted).is_some_and(|w| setting(&w)) => {
                Some((format!("!{}.nil?", owner.nested.parameter(&ruby::symbol(wanted).unwrap_or_default())), UNARY))
            }
            (shows, given) if own && let Some(function) = owner.nested.shown.get(shows) => {
                let value = match given {
                    [] if shows == "should_to_s" && owner.nested.first.is_some() => self.desired(owner),
                    [value] => self.expr(value, TERNARY)?,
                    _ => return no(&call.as_node(), format!("`{shows}` of all that is wanted is not supported")),
                };
                let attribute = if owner.nested.of_type { "" } else { "attribute, " };
                Some((format!("{function}({attribute}{value})"), OPERAND))
            }
            (asked, []) if own && let Some(answer) = owner.nested.answers.get(asked) => Some((answer.clone(), COMPARE)),
            (format, [value]) if own && owner.plain_formats.contains(&format) => {
                Some((format!("shown({})", self.expr(value, TERNARY)?), OPERAND))
            }
            _ => None,
        })
    }
}

/// Returns whether code reads the desired value, the resource, or a setting of the class.
fn reads_attribute(code: &str, nested: &Nested) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ':' | '"' | '?');
    let is_whole = |at: usize, word: &str| {
        let before = code.get(..at).and_then(|before| before.chars().next_back());
        let after = code.get(at + word.len()..).and_then(|after| after.chars().next());
        !before.is_some_and(is_part) && !after.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | ':' | '?' | '('))
    };
    ["should", "self"]
        .into_iter()
        .chain(nested.settings.iter().map(|setting| nested.parameter(setting)))
        .any(|word| code.match_indices(word).any(|(at, _)| is_whole(at, word)))
}

/// Returns whether a piece calls the function of Puppet's default format.
pub(super) fn calls_shown(piece: &Fragment) -> bool {
    let is_call = |at: usize| !piece.text.get(..at).is_some_and(|before| before.ends_with(|c: char| c.is_alphanumeric() || c == '_'));
    piece.text.match_indices("shown(").any(|(at, _)| is_call(at)) || piece.children.iter().any(calls_shown)
}
