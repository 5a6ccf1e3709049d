//! Completion in type files.

use super::names::KnownNames;
use super::{Candidates, CompletionItem, CompletionScope, Definitions, ItemKind as Kind, code, resources, snippet};
use crate::docs::{WordDoc, language};
use crate::editor::cursor::{Cursor, CursorBody as Body};
use crate::editor::line_cursor::{Completion, LineCursor};
use crate::editor::tokens::TypeTokenKind as TokenKind;
use rtype_lang::library::TypeSet;
use rtype_lang::lower::{ATTRIBUTE_WORDS, KINDS, NameKind, OPTIONS, PROVIDER_WORDS, TYPE_WORDS, Word};
use rtype_lang::source::Span;
use rtype_lang::syntax::ast::TEST_WORDS;
use rtype_model::manifest::Declarations;

/// Keywords at the top level of a file: name, snippet, description.
const ITEMS: &[(&str, &str, &str)] = &[
    ("type", "type ${1:name} {\n\tdesc \"$2\"\n\n\tnewparam name {\n\t\tisnamevar\n\t\tdesc \"$3\"\n\t}\n\n\t$0\n}", "a type"),
    ("provider", "provider ${1:name}, for: ${2:type} {\n\tdesc \"$3\"\n\t$0\n}", "a provider of a type"),
    ("kind", "kind ${1:name} {\n\t$0\n}", "directives that attributes share"),
    ("mixin", "mixin ${1:name} {\n\t$0\n}", "directives that types share"),
    ("fn", "fn ${1:name}(${2:value}) {\n\t$0\n}", "a function for blocks"),
    ("const", "const ${1:NAME} = $0", "a constant for blocks and directives"),
    ("typealias", "typealias ${1:Name} = $0", "a name of a data type"),
    ("feature", "feature ${1:name}, \"$2\" { $0 }", "a feature of the platform"),
    ("test", "test \"$1\" {\n\t${2:type} { '$3': $4 }\n\texpect $0\n}", "a test of a type"),
    ("use", "use \"$0\"", "the kinds, mixins, functions and constants of another file"),
];

/// The context of a completion.
pub(super) struct Context<'a> {
    types: &'a TypeSet,
    definitions: &'a dyn Definitions,
    names: KnownNames<'a>,
    pub cursor: Cursor<'a>,
}

/// Returns the completions after `before` in a type file.
pub fn in_types(document: &CompletionScope<'_>, before: &str) -> Candidates {
    let cursor = Cursor::new(before);
    let names = KnownNames::new(document.types, document.source, document.owner);
    // Resources in a test are declared as in a manifest.
    let resource = cursor.frames.iter().find_map(|f| if let Body::Resource(at) = f.body { Some(at) } else { None });
    let context = Context { types: document.types, definitions: document.definitions, names, cursor };
    if let Some(at) = resource {
        let mut found = resources::in_resources(document.types, &Declarations::default(), before.get(at..).unwrap_or_default());
        if found.items.is_empty() {
            // The type is in this file, which may have errors.
            found.items = context.resource(before.get(at..).unwrap_or_default());
        }
        found.start += at;
        return found;
    }
    let items = context.items();
    Candidates { start: context.cursor.start, partial: context.cursor.partial.to_owned(), items }
}

impl Context<'_> {
    fn items(&self) -> Vec<CompletionItem> {
        let cursor = &self.cursor;
        let line = cursor.line();
        if let Some(inside) = &cursor.inside {
            return match (inside.kind, line.as_slice()) {
                (TokenKind::Str(false), ["use"]) => self.files(),
                (TokenKind::Symbol, _) => code::symbols(self),
                (TokenKind::Str(_), _) if matches!(cursor.inner().map(|f| &f.body), Some(Body::Call(name)) if name == "feature") => {
                    self.platform()
                }
                (TokenKind::Str(_), [.., "parent", ":"]) => self.providers(),
                _ => Vec::new(),
            };
        }
        // Inside the parentheses or brackets of a directive, complete its own options.
        let body = cursor.frames.iter().rev().map(|f| &f.body).find(|b| !matches!(b, Body::Brackets)).cloned().unwrap_or(Body::File);
        let brackets = cursor.inner().is_some_and(|f| f.body == Body::Brackets);
        let outer: Vec<&str> = match brackets {
            true => {
                cursor.frames.iter().rev().find(|f| f.body != Body::Brackets).map(|f| f.line.iter().map(|t| t.text(cursor.text)).collect())
            }
            false => None,
        }
        .unwrap_or(line);
        let outer: Vec<&str> = outer.into_iter().filter(|w| *w != "[").collect();
        let (first, rest) = match outer.split_first() {
            Some((&"override", rest)) => rest.split_first().map_or(("", rest), |(f, r)| (*f, r)),
            Some((first, rest)) => (*first, rest),
            None => ("", outer.as_slice()),
        };
        if cursor.block().is_some() || body == Body::Test && first == "expect" {
            return code::candidates(self);
        }
        match body {
            Body::Call(of) => self.options_of_kind(&of, &outer),
            Body::File if first.is_empty() => {
                ITEMS.iter().map(|(w, t, d)| CompletionItem::new(*w, Kind::Keyword, "", *d).template(*t)).collect()
            }
            Body::Type(_) | Body::Mixin(_) if first.is_empty() => words(TYPE_WORDS, |w| w.name != "const"),
            Body::Attribute(_) | Body::Kind(_) if outer.is_empty() => attribute_words(),
            Body::Attribute(_) | Body::Kind(_) if outer == ["override"] => {
                words(ATTRIBUTE_WORDS, |w| matches!(w.name, "validate" | "munge" | "unmunge" | "insync" | "should"))
            }
            Body::Provider { .. } if first.is_empty() => words(PROVIDER_WORDS, |_| true),
            Body::Test if first.is_empty() => self.test_words(),
            Body::TitlePatterns if outer.contains(&"=>") => self.attributes(),
            Body::TitlePatterns => Vec::new(),
            Body::TestSetup(word) => match word.as_str() {
                "features" => self.platform(),
                "is" => self.attributes(),
                "answers" => self.methods(),
                _ => Vec::new(),
            },
            Body::Resource(_) | Body::Code(_) | Body::Brackets => Vec::new(),
            body => self.argument(&body, first, rest),
        }
    }

    /// Completes after the first word of a directive.
    fn argument(&self, body: &Body, first: &str, rest: &[&str]) -> Vec<CompletionItem> {
        if let [.., option, ":"] = rest {
            return self.option_value(first, option);
        }
        if matches!(rest, [.., option, ":", _] if self.cursor.inner().is_some_and(|f| f.body == Body::Brackets) && *option != ",") {
            let option = rest.iter().rev().skip_while(|w| **w != ":").nth(1).copied().unwrap_or_default();
            return self.option_value(first, option);
        }
        let behind_comma = rest.last() == Some(&",");
        let options = || options(first);
        match (body, first) {
            (Body::File, "type" | "provider" | "kind") if behind_comma => options(),
            (Body::Type(_) | Body::Mixin(_), "autorequire" | "autobefore" | "autonotify" | "autosubscribe") => self.types(),
            (Body::Type(_) | Body::Mixin(_), "include") if rest.is_empty() => {
                // Metaparameters always exist.
                self.visible(NameKind::Mixin, Kind::Module).into_iter().filter(|i| i.label != "metaparameters").collect()
            }
            (Body::Type(_), "apply_to") => plain(&["host", "device", "both"]),
            (Body::Type(_), "isomorphic") => plain(&["false", "true"]),
            (Body::Type(_), "instances") => plain(&["none"]),
            (Body::Attribute(_) | Body::Kind(_), "type") => self.data_types(),
            (Body::Attribute(_), "defaultto") => self.values(),
            (Body::Attribute(_), "aliasvalue") if behind_comma => self.values(),
            (Body::Attribute(_) | Body::Kind(_), "array_matching") => plain(&["first", "all"]),
            (Body::Attribute(_) | Body::Kind(_), "compare") => docs_of("comparison", Kind::EnumMember),
            (Body::Provider { .. }, "has_feature" | "has_features") => self.features(),
            (Body::Provider { .. }, "queries" | "actions") => self.asked(),
            (Body::Test, "rejects") if rest.is_empty() => self.attributes(),
            (Body::Provider { .. }, "confine" | "defaultfor" | "notdefaultfor") => options(),
            _ if behind_comma => options(),
            _ => Vec::new(),
        }
    }

    /// Completes after `option:`.
    fn option_value(&self, of: &str, option: &str) -> Vec<CompletionItem> {
        match (of, option) {
            (_, "kind") => {
                let built_in = KINDS.iter().filter(|k| k.of.is_empty());
                let built_in = built_in.map(|k| CompletionItem::new(k.name, Kind::Class, k.written, k.doc)).collect::<Vec<_>>();
                let own = self.visible(NameKind::Kind, Kind::Class).into_iter().filter(|i| KINDS.iter().all(|k| k.name != i.label));
                own.map(|i| i.rank(0)).chain(built_in).collect()
            }
            (_, "array_matching") => plain(&["all", "first"]),
            (_, "required_features") => self.features(),
            (_, "namevar" | "boolean" | "self_refresh" | "invalidate_refreshes" | "arrays") => plain(&["true", "false"]),
            (_, "membership") => self.attributes(),
            (_, "show") => plain(&["changed"]),
            ("provider", "for") => self.types(),
            ("provider", "parent" | "source") => self.providers(),
            ("confine" | "defaultfor" | "notdefaultfor", "feature") => self.platform(),
            ("feature", "methods") => self.asked(),
            _ => Vec::new(),
        }
    }

    fn options_of_kind(&self, of: &str, line: &[&str]) -> Vec<CompletionItem> {
        match line {
            [.., option, ":"] => self.option_value(of, option),
            _ => options(of),
        }
    }

    /// Completes attributes and values in the resource of a test.
    fn resource(&self, before: &str) -> Vec<CompletionItem> {
        match LineCursor::before(before, &|_| None).completion {
            Completion::Attributes { given, .. } => {
                let fresh = self.attributes().into_iter().filter(|i| !given.contains(&i.label));
                fresh.map(|i| CompletionItem { insert: Some(format!("{} => $0", i.label)), ..i }).collect()
            }
            Completion::Values { attribute, .. } => self.values_of(Some(&attribute)),
            _ => Vec::new(),
        }
    }

    /// Returns names as candidates, with the authors' descriptions.
    fn items_of(&self, names: Vec<Span>, kind: Kind) -> Vec<CompletionItem> {
        let item = |name: Span| {
            let (written, author) = self.definitions.description(name);
            CompletionItem::new(self.names.attribute_name(name), kind, written, author)
        };
        names.into_iter().map(item).collect()
    }

    fn visible(&self, of: NameKind, kind: Kind) -> Vec<CompletionItem> {
        self.items_of(self.names.visible(of), kind)
    }

    pub fn types(&self) -> Vec<CompletionItem> {
        let here = self.names.types_here().into_iter().map(|name| self.names.text(name).to_owned());
        self.types.names().into_iter().chain(here).map(|n| CompletionItem::new(n, Kind::Class, "type", "")).collect()
    }

    /// Returns the attributes of the type or mixin at the cursor.
    fn attribute_spans(&self) -> Vec<Span> {
        let Some(Body::Mixin(mixin)) = self.cursor.frames.get(1).map(|f| &f.body) else { return self.names.of_type(NameKind::Attribute) };
        self.definitions.mixin(mixin).map(|span| self.names.within(span, NameKind::Attribute)).unwrap_or_default()
    }

    /// Returns an attribute of the type or mixin at the cursor.
    fn attribute_span(&self, name: &str) -> Option<Span> {
        self.attribute_spans().into_iter().find(|span| self.names.attribute_name(*span) == name)
    }

    /// Returns an attribute's data type in the type at the cursor.
    pub fn data_type_of(&self, attribute: &str) -> Option<String> {
        self.definitions.data_type(self.attribute_span(attribute)?)
    }

    /// Returns the attributes of the type at the cursor. Attributes from other files, such as metaparameters, come last.
    pub fn attributes(&self) -> Vec<CompletionItem> {
        let (own, others): (Vec<_>, Vec<_>) = self.attribute_spans().into_iter().partition(|name| self.names.is_beside_type(*name));
        let others = self.items_of(others, Kind::Field).into_iter().map(|i| i.rank(2));
        self.items_of(own, Kind::Field).into_iter().chain(others).collect()
    }

    /// Returns the values of an attribute. Without an attribute, returns the values of all attributes in the type's file.
    pub fn values_of(&self, attribute: Option<&str>) -> Vec<CompletionItem> {
        let attributes = match attribute {
            Some(name) => self.attribute_span(name).into_iter().collect(),
            None => self.attribute_spans().into_iter().filter(|name| self.names.is_beside_type(*name)).collect::<Vec<_>>(),
        };
        let values = attributes.into_iter().flat_map(|attribute| self.names.members(attribute, NameKind::Value));
        self.items_of(values.collect(), Kind::EnumMember)
    }

    /// Returns the values of the attribute at the cursor.
    fn values(&self) -> Vec<CompletionItem> {
        self.cursor.attribute().map(|a| self.values_of(Some(a))).unwrap_or_default()
    }

    pub fn features(&self) -> Vec<CompletionItem> {
        self.items_of(self.names.of_type(NameKind::Feature), Kind::Interface)
    }

    /// Returns the queries, actions and settings of the type's providers.
    pub fn methods(&self) -> Vec<CompletionItem> {
        self.items_of(self.names.of_type(NameKind::Method), Kind::Method)
    }

    /// Returns the provider methods that blocks of the type call, declared or not.
    fn asked(&self) -> Vec<CompletionItem> {
        self.names
            .asked()
            .into_iter()
            .map(|name| CompletionItem::new(self.names.text(name), Kind::Method, "asked in the type", ""))
            .collect()
    }

    fn providers(&self) -> Vec<CompletionItem> {
        self.items_of(self.names.of_type(NameKind::Provider), Kind::Module)
    }

    pub fn platform(&self) -> Vec<CompletionItem> {
        self.visible(NameKind::Platform, Kind::Interface).into_iter().chain(docs_of("platform", Kind::Interface)).collect()
    }

    pub fn data_types(&self) -> Vec<CompletionItem> {
        self.visible(NameKind::DataType, Kind::Class).into_iter().chain(docs_of("data type", Kind::Class)).collect()
    }

    /// Returns the functions in the type at the cursor, and the functions and constants in files.
    pub fn shared(&self) -> Vec<CompletionItem> {
        let functions = self.names.of_type(NameKind::Function).into_iter().chain(self.names.visible(NameKind::Function));
        let mut items = self.items_of(functions.collect(), Kind::Function);
        items.extend(self.visible(NameKind::Constant, Kind::Constant));
        items
    }

    fn test_words(&self) -> Vec<CompletionItem> {
        let words = TEST_WORDS.iter().map(|(w, written, doc)| CompletionItem::new(*w, Kind::Keyword, *written, *doc));
        let own = self.names.types_here().into_iter().map(|name| {
            let name = self.names.text(name);
            CompletionItem::new(name, Kind::Class, "type", "").template(format!("{name} {{ '$1': $0 }}")).rank(0)
        });
        own.chain(words).chain(self.types().into_iter().map(|i| i.rank(2))).collect()
    }

    /// Returns the files that `use` can name.
    fn files(&self) -> Vec<CompletionItem> {
        self.definitions.files().into_iter().map(|name| CompletionItem::new(name, Kind::File, "", "")).collect()
    }
}

/// Converts a table of keywords to candidates.
fn words(table: &[Word], wanted: impl Fn(&Word) -> bool) -> Vec<CompletionItem> {
    let item = |w: &Word| CompletionItem::new(w.name, Kind::Keyword, w.written, w.doc).template(snippet::template(w.name, w.written));
    table.iter().filter(|w| wanted(w)).map(item).collect()
}

fn attribute_words() -> Vec<CompletionItem> {
    let mut all = words(ATTRIBUTE_WORDS, |_| true);
    all.push(
        CompletionItem::new("override", Kind::Keyword, "override validate | munge", "takes the place of all checks or steps before it")
            .rank(2),
    );
    all
}

/// Returns the options that are allowed after a word.
fn options(of: &str) -> Vec<CompletionItem> {
    let here = OPTIONS.iter().filter(|o| o.of.contains(&of));
    here.map(|o| CompletionItem::new(o.name, Kind::Property, o.written, o.doc).template(format!("{}: ", o.name))).collect()
}

fn plain(values: &[&str]) -> Vec<CompletionItem> {
    values.iter().map(|v| CompletionItem::new(*v, Kind::EnumMember, "", "")).collect()
}

/// Returns a group of the language reference.
pub(super) fn docs_of(group: &str, kind: Kind) -> Vec<CompletionItem> {
    let item = |w: WordDoc| CompletionItem::new(w.name, kind, w.written, w.doc);
    language(None).into_iter().filter(|w| w.group == group).map(item).collect()
}
