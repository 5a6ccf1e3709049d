//! Translates the types of Puppet's Resource API: `Puppet::ResourceApi.register_type(name: …, attributes: …)`.
//!
//! Follows `puppet/resource_api.rb`, `type_definition.rb`, `property.rb` and `parameter.rb` of the library 1.8.16. Its attributes check values
//! as they are given, and convert nothing.

use super::api_provider::ApiProvider;
use super::api_refusals::refusal;
use super::block::TypeScope;
use super::data_types::{TypeAliases, is_boolean, takes_booleans, takes_lists, without_optional};
use super::definition::TypeDefinition;
use super::eval::{DeclaredType, RubyPattern, RubyValue};
use super::extended::on_one_line;
use super::items::LoadedRuby;
use super::ruby::{self, ByteRange, description, is_word};
use super::type_decl::{Fragment, Reader, TypeDeclaration};
use super::unchecked::left_at;
use super::values::{Foreknown, ObjectValues};
use rtype_lang::source::Source;
use rtype_lang::syntax::{quote, written_symbol};
use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::sync::Arc;

/// An attribute of the definition.
struct Attribute {
    name: String,
    desc: String,
    /// The data type as written in Puppet.
    data_type: String,
    behaviour: Option<String>,
    default: Option<String>,
}

impl Attribute {
    fn is_property(&self) -> bool {
        !matches!(self.behaviour.as_deref(), Some("namevar" | "parameter" | "read_only"))
    }

    /// Returns the property that the library adds to a type without one, so that `insync?` of the provider is called.
    fn trigger() -> Attribute {
        Attribute {
            name: "rsapi_custom_insync_trigger".to_owned(),
            desc: "Makes Puppet compare a resource without properties; not to be set.".to_owned(),
            data_type: "Enum[do_not_specify_in_manifest]".to_owned(),
            behaviour: None,
            default: Some(quote("do_not_specify_in_manifest")),
        }
    }
}

/// Returns the type that a call declares.
pub(super) fn declared<'p>(
    texts: &[Arc<Source>],
    loaded: &LoadedRuby<'_, 'p>,
    declared: &DeclaredType<'p>,
    known: Foreknown,
) -> (TypeDeclaration, Foreknown) {
    let definition = declared.resource_api.as_ref().map(entries).unwrap_or_default();
    let at = declared.at.clone();
    let source = texts.get(declared.file).map_or("", |t| t.text());
    let scope = TypeScope { type_name: declared.name.clone(), ..TypeScope::default() };
    let (requested, tables, left, classes) = (RefCell::default(), RefCell::default(), RefCell::default(), BTreeMap::new());
    let values = RefCell::new(ObjectValues::new(known));
    let reader = Reader {
        texts,
        loaded,
        file: declared.file,
        source,
        scope,
        requested,
        tables,
        left,
        values,
        type_class: None,
        classes,
        object: None,
        selects_errors: OnceCell::new(),
    };
    let mut translator = Translator {
        reader,
        loaded,
        at: at.clone(),
        file: declared.file,
        body: Vec::new(),
        scope: TypeScope::default(),
        aliases: TypeAliases::default(),
    };
    translator.scope.type_name.clone_from(&declared.name);
    translator.read(&declared.name, &definition);
    let alias = |text: String| Fragment { at: at.clone(), file: declared.file, text, ..Fragment::default() };
    let mut before: Vec<Fragment> = translator.aliases.declared().into_iter().map(alias).collect();
    let (of_file, of_type) = translator.reader.requested_functions();
    let asks = |definition: &&TypeDefinition| {
        of_file.iter().chain(&translator.body).chain(&of_type).any(|p| p.text.contains(&definition.constant))
    };
    if let Some(definition) = translator.reader.scope.definition.as_ref().filter(asks)
        && let Some(attributes) = &definition.attributes
    {
        before.push(alias(format!("const {} = {attributes}", definition.constant)));
    }
    before.extend(of_file);
    let known = translator.reader.values.borrow().foreknown();
    let Translator { mut body, scope, .. } = translator;
    body.extend(of_type);
    let refused = declared.resource_api.as_ref().and_then(|definition| refusal(definition, &at, declared.file, loaded));
    (TypeDeclaration { name: declared.name.clone(), at, before, self_refresh: false, body, scope, refused }, known)
}

struct Translator<'a, 'l, 'p> {
    reader: Reader<'a, 'l, 'p>,
    loaded: &'a LoadedRuby<'l, 'p>,
    at: ByteRange,
    file: usize,
    body: Vec<Fragment>,
    scope: TypeScope,
    aliases: TypeAliases,
}

/// How the provider compares the properties of a type.
struct CustomInsync {
    /// The function that its method `insync?` becomes.
    function: String,
    /// The title that it gets.
    title: String,
    /// Code that computes the maps `current` and `wanted`.
    before: String,
    /// Whether it may return a message as well.
    has_messages: bool,
}

type Entries<'p> = Vec<(String, RubyValue<'p>)>;

impl<'p> Translator<'_, '_, 'p> {
    fn read(&mut self, name: &str, definition: &Entries<'p>) {
        if let Some(text) = find(definition, "desc").or_else(|| find(definition, "docs")).and_then(RubyValue::word) {
            self.add("", format!("desc {}", description(&unindented(&text))));
        }
        let features = find(definition, "features").map(words).unwrap_or_default();
        if features.iter().any(|f| f == "remote_resource") {
            self.add("", "apply_to device".to_owned());
        }
        let written = find(definition, "attributes");
        let attributes = written.map(entries).unwrap_or_default();
        if attributes.is_empty() {
            self.left("validate", "the attributes of the type are computed");
        }
        let mut attributes: Vec<Attribute> = attributes.iter().map(|(name, options)| self.attribute(name, options)).collect();
        let has_property = attributes.iter().any(|a| a.behaviour.is_none());
        if features.iter().any(|f| f == "custom_insync") && !has_property {
            attributes.insert(0, Attribute::trigger());
        }
        // Puppet puts it before all other properties.
        if let Some(at) = attributes.iter().position(|a| a.name == "ensure" && a.is_property())
            && let Some(first) = attributes.iter().position(Attribute::is_property)
        {
            let ensure = attributes.remove(at);
            attributes.insert(first, ensure);
        }
        for attribute in &attributes {
            self.scope.attributes.insert(attribute.name.clone());
            match attribute.behaviour.as_deref() {
                Some("namevar") => self.scope.namevar = Some(attribute.name.clone()),
                Some("parameter" | "read_only") => {
                    self.scope.params.insert(attribute.name.clone());
                }
                _ => {
                    self.scope.properties.insert(attribute.name.clone());
                }
            }
        }
        let namevars = attributes.iter().filter(|a| a.behaviour.as_deref() == Some("namevar")).map(|a| a.name.clone()).collect();
        self.reader.scope.definition = Some(TypeDefinition::new(name, written, features.clone(), namevars, self.loaded));
        let compares = features.iter().any(|f| f == "custom_insync").then(|| self.custom_insync(name, &attributes));
        let within = self.place_of("attributes");
        for attribute in &attributes {
            let first = self.body.len();
            self.declare(name, attribute, compares.as_ref());
            let at = self.loaded.entry(self.file, &within, &attribute.name).unwrap_or_else(|| within.clone());
            for piece in self.body.iter_mut().skip(first).filter(|piece| piece.residue.is_none()) {
                piece.at = at.clone();
                piece
                    .children
                    .iter_mut()
                    .filter(|child| child.residue.is_none() && child.file == self.file)
                    .for_each(|child| child.at = at.clone());
            }
        }
        if attributes.iter().any(|a| a.name == "name") {
            self.add("", "title { self.name }".to_owned());
        }
        self.relations(definition);
        self.title_patterns(definition);
        self.required(&attributes);
        if features.iter().any(|f| f == "canonicalize") {
            self.canonicalize(name);
        }
    }

    /// Translates `insync?` of the provider, which compares all properties.
    fn custom_insync(&mut self, name: &str, attributes: &[Attribute]) -> Result<CustomInsync, String> {
        let ApiProvider::Loaded(class) = self.loaded.ruby.borrow_mut().api_provider(name) else {
            return Err("the provider with `insync?` is not in the module path".to_owned());
        };
        let Some((function, has_messages)) = self.reader.provider_insync(class) else {
            return Err("the provider has no method `insync?` that is known here".to_owned());
        };
        let named = |wanted: &dyn Fn(&Attribute) -> bool| -> Vec<String> {
            attributes.iter().filter(|a| wanted(a)).map(|a| written_symbol(&a.name)).collect()
        };
        let namevars = attributes.iter().filter(|a| a.behaviour.as_deref() == Some("namevar"));
        let namevars: Vec<String> = namevars.map(|a| format!("{} => self.{}", written_symbol(&a.name), a.name)).collect();
        let names = format!("{{{}}}", namevars.join(", "));
        let title = match attributes.iter().filter(|a| a.behaviour.as_deref() == Some("namevar")).collect::<Vec<_>>().as_slice() {
            [only] => format!("self.{}", only.name),
            _ => names.clone(),
        };
        let properties = named(&Attribute::is_property).join(", ");
        let given = named(&|a| !matches!(a.behaviour.as_deref(), Some("namevar" | "read_only"))).join(", ");
        // Values as the library has them: strings for `ensure`, no key for what is not there.
        let current = "is(k) == :absent && k != :ensure ? all : all.merge({k => k == :ensure ? is(k).to_s : is(k)})";
        let before = format!(
            "let current = [{properties}].reduce({names}) {{ |all, k| {current} }}\n\
             let wanted = [{given}].reduce({names}) {{ |all, k| self.set?(k) ? all.merge({{k => self.raw(k)}}) : all }}"
        );
        Ok(CustomInsync { function, title, before, has_messages })
    }

    /// Translates `canonicalize` of the provider, which the type calls with its declared values.
    fn canonicalize(&mut self, name: &str) {
        let at = self.place_of("features");
        let provider = self.loaded.ruby.borrow_mut().api_provider(name);
        let piece = match provider {
            ApiProvider::Loaded(class) => self.reader.canonicalize(class, &at),
            ApiProvider::OnlyDevices => {
                let message = quote(&format!("the type `{name}` has providers for devices only, none for hosts"));
                self.piece("validate", format!("# In Puppet its values are converted by the provider.\nvalidate {{ fail {message} }}"))
            }
            ApiProvider::Unknown => left_at(at, self.file, "canonicalize", "the provider with `canonicalize` is not in the module path"),
        };
        self.body.push(piece);
    }

    fn attribute(&self, name: &str, options: &RubyValue<'p>) -> Attribute {
        let options = entries(options);
        let word = |key: &str| find(&options, key).and_then(RubyValue::word);
        let default = find(&options, "default").filter(|v| !v.is_nil());
        Attribute {
            name: name.to_owned(),
            desc: word("desc").unwrap_or_default(),
            data_type: word("type").unwrap_or_default(),
            behaviour: word("behaviour").or_else(|| word("behavior")),
            default: default.and_then(|v| self.loaded.fixed(v)).and_then(|v| v.written()),
        }
    }

    fn add(&mut self, kept: &str, text: String) {
        let piece = self.piece(kept, text);
        self.body.push(piece);
    }

    fn piece(&self, kept: &str, text: String) -> Fragment {
        Fragment { at: self.at.clone(), file: self.file, kept: kept.to_owned(), text, ..Fragment::default() }
    }

    fn left(&mut self, kept: &str, reason: &str) {
        self.body.push(left_at(self.place_of("name"), self.file, kept, reason));
    }

    /// Returns the location of an entry of the definition.
    fn place_of(&self, key: &str) -> ByteRange {
        self.loaded.entry(self.file, &self.at, key).unwrap_or_else(|| self.at.clone())
    }

    /// Translates an attribute.
    fn declare(&mut self, type_name: &str, attribute: &Attribute, compares: Option<&Result<CustomInsync, String>>) {
        let name = &attribute.name;
        let behaviour = attribute.behaviour.as_deref();
        let is_param = !attribute.is_property();
        let data_type = self.aliases.read(&attribute.data_type, self.loaded);
        let (plain, lists, is_known) = (without_optional(&data_type.expanded), takes_lists(&data_type.expanded), data_type.is_known);
        let has_booleans = takes_booleans(&data_type.expanded);
        let (data_type, missing) = (data_type.written, data_type.missing);
        let all = if !is_param && lists { ", array_matching: all" } else { "" };
        let mut piece = Fragment { at: self.place_of(name), ..self.piece("validate", String::new()) };
        piece.text = format!("{} {name}{all}", if is_param { "newparam" } else { "newproperty" });
        let (mut children, mut insync) = (Vec::new(), None);
        let mut child = |kept: &str, text: String| children.push(self.piece(kept, text));
        if behaviour == Some("namevar") {
            child("", "isnamevar".to_owned());
        }
        if behaviour == Some("init_only") {
            child("", "init_only".to_owned());
        }
        child("", format!("desc {}", description(&format!("{} (a {})", unindented(&attribute.desc), attribute.data_type))));
        let wrong = quote(&format!("{type_name}.{name} expects a value of type {}", attribute.data_type));
        let symbol = written_symbol(name);
        if behaviour == Some("read_only") {
            child("", format!("readonly {}", quote(&format!("Attempting to set `{name}` read_only attribute"))));
        } else if is_param && is_known {
            child("validate", format!("validate {{ |value| fail {wrong} unless value.is_a?({data_type}) }}"));
        } else if !is_param && is_known && name != "ensure" {
            // A property takes each element of a list by itself here, and the whole list in the library.
            let test = format!("self.raw({symbol}).is_a?({data_type})");
            let test = if has_booleans { format!("[:true, :false].include?(self.raw({symbol})) || {test}") } else { test };
            child("validate", format!("validate {{ |_| fail {wrong} unless {test} }}"));
        }
        if name == "ensure" && !is_param {
            // The value stays a string; `should` gives a symbol.
            child("", "newvalues absent, present".to_owned());
            child("munge", "override munge { |value| value.to_s }".to_owned());
            child("should", "should { |values| values[0].to_sym }".to_owned());
            insync = Some("is.to_s == should.to_s");
        } else if !is_param && (lists || has_booleans) {
            // `should` gives symbols for booleans.
            let one = if has_booleans { "values[0] == true ? :true : values[0] == false ? :false : values[0]" } else { "values[0]" };
            // A list is one value, also if it is empty.
            let whole = if lists { format!("self.raw({symbol}).is_a?(Array) ? values : ") } else { String::new() };
            child("should", format!("should {{ |values| {whole}{one} }}"));
            insync = Some(match (lists, has_booleans) {
                (false, true) if is_boolean(plain) => "is.to_s == should.to_s",
                (_, true) => "is == should || is.to_s == should.to_s && [:true, :false].include?(should)",
                (_, false) => "is == should",
            });
        }
        match (insync, compares.filter(|_| !is_param)) {
            (_, Some(Ok(custom))) => {
                let CustomInsync { function, title, before, has_messages } = custom;
                let call = format!("{function}({title}, {symbol}, current, wanted)");
                let otherwise = insync.unwrap_or("super(is)");
                let text = match has_messages {
                    true => format!("let result, change = Array({call})\nremember(:change, change)\nresult.nil? ? {otherwise} : result"),
                    false => format!("let result = {call}\nresult.nil? ? {otherwise} : result"),
                };
                let at = self.place_of(name);
                children.push(Fragment { at, ..self.piece("insync", format!("insync {{ |is|\n{before}\n{text}\n}}")) });
                if *has_messages {
                    let text = "change_to_s { |is, should| remembered(:change) || super(is, should) }";
                    children.push(self.piece("change_to_s", text.to_owned()));
                }
            }
            (Some(insync), _) => children.push(self.piece("insync", format!("insync {{ |is| {insync} }}"))),
            (None, _) => {}
        }
        match attribute.default.as_deref() {
            Some(default) if name == "ensure" => children.push(self.piece("", format!("defaultto {}", default.trim_matches('"')))),
            Some(default) => children.push(self.piece("defaultto", format!("defaultto {{ {default} }}"))),
            None => {}
        }
        if !is_known {
            let reason = match missing {
                Some(alias) => format!("the type alias `{alias}` is not in the module path"),
                None => format!("the data type `{}` is not supported", attribute.data_type),
            };
            children.push(left_at(self.place_of(name), self.file, "validate", &reason));
        }
        piece.children = children;
        if let Some(Err(reason)) = compares.filter(|_| !is_param) {
            piece.children.push(left_at(self.place_of(name), self.file, "insync", reason));
        }
        self.body.push(piece);
        if name == "ensure" && !is_param {
            self.add("validate", format!("validate {{ fail {wrong}, at: :ensure if self.raw(:ensure).is_a?(Array) }}"));
        } else if !is_param && is_known && lists {
            // A list without elements has nothing that the property would check.
            let test = format!("self.raw({symbol}) == [] && !self.raw({symbol}).is_a?({data_type})");
            self.add("validate", format!("validate {{ fail {wrong}, at: :{name} if {test} }}"));
        } else if !is_param && is_known {
            self.add("validate", format!("validate {{ fail {wrong}, at: :{name} if self.raw({symbol}) == [] }}"));
        }
    }

    /// Translates `autorequire: { file: '/etc/motd', user: '$owner' }` and the other relations.
    fn relations(&mut self, definition: &Entries<'p>) {
        for word in ["autorequire", "autobefore", "autosubscribe", "autonotify"] {
            for (of, values) in find(definition, word).map(entries).unwrap_or_default() {
                let of = of.to_lowercase();
                let items: Vec<String> = match self.loaded.fixed(&values) {
                    Some(_) => words(&values),
                    None => {
                        self.left(&format!("{word} {of}"), "what it names is computed");
                        continue;
                    }
                };
                let is_constant = items.iter().all(|i| !i.starts_with('$'));
                let items: Vec<String> = items
                    .iter()
                    .map(|item| match item.strip_prefix('$') {
                        Some(attribute) => format!("self[{}]", written_symbol(attribute)),
                        None => quote(item),
                    })
                    .collect();
                let list = items.join(", ");
                let text =
                    if is_constant { format!("{word} {of}, [{list}]") } else { format!("{word} {of} {{ [{list}].flatten.compact }}") };
                let piece = Fragment { blocks: 1, ..self.piece(&format!("{word} {of}"), text) };
                self.body.push(piece);
            }
        }
    }

    /// Translates patterns whose named groups are attributes.
    fn title_patterns(&mut self, definition: &Entries<'p>) {
        let Some(patterns) = find(definition, "title_patterns") else { return self.default_title_pattern() };
        let RubyValue::Array(patterns) = patterns else { return };
        let mut rows = Vec::new();
        for pattern in patterns.borrow().iter() {
            let row = match find(&entries(pattern), "pattern") {
                Some(RubyValue::Regex(regex)) => title_row(regex),
                _ => None,
            };
            let Some(row) = row else { return self.left("validate", "these title patterns are not understood") };
            rows.push(row);
        }
        if !rows.is_empty() {
            let piece = Fragment { blocks: 1, ..self.piece("validate", format!("title_patterns {{\n{}\n}}", rows.join("\n"))) };
            self.body.push(piece);
        }
    }

    /// Declares that the title is the first of several namevars, as the library does for types without patterns.
    fn default_title_pattern(&mut self) {
        let namevars = self.reader.scope.definition.as_ref().map(|d| d.namevars.as_slice()).unwrap_or_default();
        if let [first, _, ..] = namevars {
            self.add("validate", format!("title_patterns {{\n/(.*)/s => {first}\n}}"));
        }
    }

    /// Translates the rule that parameters without `Optional` are required.
    fn required(&mut self, attributes: &[Attribute]) {
        let needed =
            attributes.iter().filter(|a| a.behaviour.as_deref() == Some("parameter") && !a.data_type.trim_start().starts_with("Optional"));
        for attribute in needed {
            let text = quote(&format!("The following mandatory parameters were not provided:\n    *  {}", attribute.name));
            self.add("validate", format!("validate {{ fail {text} if self[{}].nil? }}", written_symbol(&attribute.name)));
        }
    }
}

/// Returns the entries of a hash by name.
fn entries<'p>(value: &RubyValue<'p>) -> Entries<'p> {
    match value {
        RubyValue::Hash(hash) => hash.pairs.borrow().iter().filter_map(|(k, v)| Some((k.word()?, v.clone()))).collect(),
        _ => Vec::new(),
    }
}

fn find<'e, 'p>(entries: &'e Entries<'p>, of: &str) -> Option<&'e RubyValue<'p>> {
    entries.iter().rev().find(|(key, _)| key == of).map(|(_, value)| value)
}

/// Returns the words of a list or of a single value.
fn words(value: &RubyValue<'_>) -> Vec<String> {
    match value {
        RubyValue::Array(items) => items.borrow().iter().flat_map(words).collect(),
        other => other.word().into_iter().collect(),
    }
}

/// Removes the common indentation of a text.
fn unindented(text: &str) -> String {
    let lines = || text.lines().filter(|l| !l.trim().is_empty());
    let common = lines().map(|l| l.len() - l.trim_start().len()).min().unwrap_or(0);
    text.lines().map(|l| l.get(common..).unwrap_or_default().trim_end()).collect::<Vec<_>>().join("\n").trim().to_owned()
}

/// Returns a pattern without names, and the attributes that its groups set.
fn title_row(regex: &RubyPattern) -> Option<String> {
    let (mut source, mut names) = (String::new(), Vec::new());
    let one_line = on_one_line(&regex.source, regex.flags.contains('x'));
    let mut rest = one_line.as_str();
    while let Some(at) = rest.find("(?<") {
        let (before, behind) = (rest.get(..at)?, rest.get(at + 3..)?);
        if behind.starts_with(['=', '!']) {
            source.push_str(before);
            source.push_str("(?<");
            rest = behind;
            continue;
        }
        // With named groups, the others do not capture.
        source.push_str(&uncaptured(before));
        let (name, behind) = behind.split_once('>')?;
        names.push(name.to_owned());
        source.push('(');
        rest = behind;
    }
    source.push_str(&if names.is_empty() { rest.to_owned() } else { uncaptured(rest) });
    let flags = &regex.flags;
    let written = ruby::regex(&source, flags.contains('i'), flags.contains('m'), flags.contains('x'));
    names.iter().all(|n| is_word(n)).then(|| format!("{written} => {}", names.join(", ")))
}

/// Makes the groups of a part of a pattern non-capturing.
fn uncaptured(part: &str) -> String {
    let mut out = String::new();
    let (mut letters, mut in_class) = (part.chars().peekable(), false);
    while let Some(c) = letters.next() {
        out.push(c);
        match c {
            '\\' => out.extend(letters.next()),
            '[' => in_class = true,
            ']' => in_class = false,
            '(' if !in_class && letters.peek() != Some(&'?') => out.push_str("?:"),
            _ => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_groups_become_attributes() {
        let pattern = |source: &str| title_row(&RubyPattern { source: source.to_owned(), flags: String::new() });
        assert_eq!(pattern("^(?<package>(a|b).*)-(?<manager>.*)$").unwrap(), "/(?m:^((?:a|b).*)-(.*)$)/ => package, manager");
    }
}
