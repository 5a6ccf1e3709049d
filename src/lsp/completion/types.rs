//! Completion in type files.

use super::names::KnownNames;
use super::{Candidates, Item, code, resources, snippet};
use crate::app::cursor::{Completion, LineCursor};
use crate::lsp::analysis::Analysis;
use crate::lsp::cursor::{Cursor, CursorBody as Body};
use crate::lsp::describe;
use crate::lsp::index::File;
use crate::lsp::tokens::TypeTokenKind as TokenKind;
use crate::lsp::workspace::Workspace;
use lsp_types::CompletionItemKind as Kind;
use rtype_author::docs::{WordDoc, language};
use rtype_lang::lower::{ATTRIBUTE_WORDS, KINDS, NameKind, OPTIONS, PROVIDER_WORDS, TYPE_WORDS, Word};
use rtype_lang::source::Span;
use rtype_lang::syntax::ast::{self, TEST_WORDS};
use rtype_model::manifest::Declarations;
use rtype_system::named;

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
    pub workspace: &'a Workspace,
    file: &'a File,
    analysis: &'a Analysis,
    names: KnownNames<'a>,
    pub cursor: Cursor<'a>,
}

/// Returns the completions after `before` in a type file.
pub(super) fn candidates(workspace: &Workspace, file: &File, analysis: &Analysis, before: &str) -> Candidates {
    let cursor = Cursor::new(before);
    let names = KnownNames::new(analysis, &describe::type_name(file, &cursor));
    // Resources in a test are declared as in a manifest.
    let resource = cursor.frames.iter().find_map(|f| if let Body::Resource(at) = f.body { Some(at) } else { None });
    let context = Context { workspace, file, analysis, names, cursor };
    if let Some(at) = resource {
        let mut found = resources::candidates(&analysis.types, &Declarations::default(), before.get(at..).unwrap_or_default());
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
    fn items(&self) -> Vec<Item> {
        let cursor = &self.cursor;
        let line = cursor.line();
        if let Some(inside) = &cursor.inside {
            return match (inside.kind, line.as_slice()) {
                (TokenKind::Str(false), ["use"]) => self.uses(),
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
            Body::File if first.is_empty() => ITEMS.iter().map(|(w, t, d)| Item::new(*w, Kind::KEYWORD, "", *d).template(*t)).collect(),
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
    fn argument(&self, body: &Body, first: &str, rest: &[&str]) -> Vec<Item> {
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
                self.visible(NameKind::Mixin, Kind::MODULE).into_iter().filter(|i| i.label != "metaparameters").collect()
            }
            (Body::Type(_), "apply_to") => plain(&["host", "device", "both"]),
            (Body::Type(_), "isomorphic") => plain(&["false", "true"]),
            (Body::Type(_), "instances") => plain(&["none"]),
            (Body::Attribute(_) | Body::Kind(_), "type") => self.data_types(),
            (Body::Attribute(_), "defaultto") => self.values(),
            (Body::Attribute(_), "aliasvalue") if behind_comma => self.values(),
            (Body::Attribute(_) | Body::Kind(_), "array_matching") => plain(&["first", "all"]),
            (Body::Attribute(_) | Body::Kind(_), "compare") => docs_of("comparison", Kind::ENUM_MEMBER),
            (Body::Provider { .. }, "has_feature" | "has_features") => self.features(),
            (Body::Provider { .. }, "queries" | "actions") => self.asked(),
            (Body::Test, "rejects") if rest.is_empty() => self.attributes(),
            (Body::Provider { .. }, "confine" | "defaultfor" | "notdefaultfor") => options(),
            _ if behind_comma => options(),
            _ => Vec::new(),
        }
    }

    /// Completes after `option:`.
    fn option_value(&self, of: &str, option: &str) -> Vec<Item> {
        match (of, option) {
            (_, "kind") => {
                let built_in = KINDS.iter().filter(|k| k.of.is_empty());
                let built_in = built_in.map(|k| Item::new(k.name, Kind::CLASS, k.written, k.doc)).collect::<Vec<_>>();
                let own = self.visible(NameKind::Kind, Kind::CLASS).into_iter().filter(|i| KINDS.iter().all(|k| k.name != i.label));
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

    fn options_of_kind(&self, of: &str, line: &[&str]) -> Vec<Item> {
        match line {
            [.., option, ":"] => self.option_value(of, option),
            _ => options(of),
        }
    }

    /// Completes attributes and values in the resource of a test.
    fn resource(&self, before: &str) -> Vec<Item> {
        match LineCursor::before(before, &|_| None).completion {
            Completion::Attributes { given, .. } => {
                let fresh = self.attributes().into_iter().filter(|i| !given.contains(&i.label));
                fresh.map(|i| Item { insert: Some(format!("{} => $0", i.label)), ..i }).collect()
            }
            Completion::Values { attribute, .. } => self.values_of(Some(&attribute)),
            _ => Vec::new(),
        }
    }

    /// Returns names as candidates, with what their authors wrote.
    fn items_of(&self, names: Vec<Span>, kind: Kind) -> Vec<Item> {
        let item = |name: Span| {
            let found = self.workspace.definition(&self.analysis.table, name);
            let (written, author) = found.map(|d| (describe::written(&d), describe::author(&d))).unwrap_or_default();
            Item::new(self.names.attribute_name(name), kind, written, author)
        };
        names.into_iter().map(item).collect()
    }

    fn visible(&self, of: NameKind, kind: Kind) -> Vec<Item> {
        self.items_of(self.names.visible(of), kind)
    }

    pub fn types(&self) -> Vec<Item> {
        let here = self.names.types_here().into_iter().map(|name| self.names.text(name).to_owned());
        self.analysis.types.names().into_iter().chain(here).map(|n| Item::new(n, Kind::CLASS, "type", "")).collect()
    }

    /// Returns the attributes of the type or mixin at the cursor.
    fn attribute_spans(&self) -> Vec<Span> {
        let Some(Body::Mixin(mixin)) = self.cursor.frames.get(1).map(|f| &f.body) else { return self.names.of_type(NameKind::Attribute) };
        let items = self.file.ast().into_iter().flat_map(|a| &a.items);
        let whole = items.filter_map(|i| if let ast::Item::Mixin(d) = i { Some(d) } else { None }).find(|d| d.name.name == mixin.as_str());
        let here = |span: Span| self.analysis.source.span_of(self.file.source.range(span));
        whole.map(|d| self.names.within(here(d.span), NameKind::Attribute)).unwrap_or_default()
    }

    /// Returns an attribute of the type or mixin at the cursor.
    fn attribute_span(&self, name: &str) -> Option<Span> {
        self.attribute_spans().into_iter().find(|span| self.names.attribute_name(*span) == name)
    }

    /// Returns the data type of an attribute of the type at the cursor.
    pub fn data_type_of(&self, attribute: &str) -> Option<String> {
        describe::data_type(&self.workspace.definition(&self.analysis.table, self.attribute_span(attribute)?)?)
    }

    /// Returns the attributes of the type at the cursor. Those of other files, such as metaparameters, come last.
    pub fn attributes(&self) -> Vec<Item> {
        let (own, others): (Vec<_>, Vec<_>) = self.attribute_spans().into_iter().partition(|name| self.names.is_beside_type(*name));
        let others = self.items_of(others, Kind::FIELD).into_iter().map(|i| i.rank(2));
        self.items_of(own, Kind::FIELD).into_iter().chain(others).collect()
    }

    /// Returns the values of an attribute or, without one, of all attributes in the file of the type.
    pub fn values_of(&self, attribute: Option<&str>) -> Vec<Item> {
        let attributes = match attribute {
            Some(name) => self.attribute_span(name).into_iter().collect(),
            None => self.attribute_spans().into_iter().filter(|name| self.names.is_beside_type(*name)).collect::<Vec<_>>(),
        };
        let values = attributes.into_iter().flat_map(|attribute| self.names.members(attribute, NameKind::Value));
        self.items_of(values.collect(), Kind::ENUM_MEMBER)
    }

    /// Returns the values of the attribute at the cursor.
    fn values(&self) -> Vec<Item> {
        self.cursor.attribute().map(|a| self.values_of(Some(a))).unwrap_or_default()
    }

    pub fn features(&self) -> Vec<Item> {
        self.items_of(self.names.of_type(NameKind::Feature), Kind::INTERFACE)
    }

    /// Returns the queries, actions and settings of the type's providers.
    pub fn methods(&self) -> Vec<Item> {
        self.items_of(self.names.of_type(NameKind::Method), Kind::METHOD)
    }

    /// Returns the provider methods that blocks of the type call, declared or not.
    fn asked(&self) -> Vec<Item> {
        self.names.asked().into_iter().map(|name| Item::new(self.names.text(name), Kind::METHOD, "asked in the type", "")).collect()
    }

    fn providers(&self) -> Vec<Item> {
        self.items_of(self.names.of_type(NameKind::Provider), Kind::MODULE)
    }

    pub fn platform(&self) -> Vec<Item> {
        self.visible(NameKind::Platform, Kind::INTERFACE).into_iter().chain(docs_of("platform", Kind::INTERFACE)).collect()
    }

    pub fn data_types(&self) -> Vec<Item> {
        self.visible(NameKind::DataType, Kind::CLASS).into_iter().chain(docs_of("data type", Kind::CLASS)).collect()
    }

    /// Returns the functions of the type at the cursor, and the functions and constants of files.
    pub fn shared(&self) -> Vec<Item> {
        let functions = self.names.of_type(NameKind::Function).into_iter().chain(self.names.visible(NameKind::Function));
        let mut items = self.items_of(functions.collect(), Kind::FUNCTION);
        items.extend(self.visible(NameKind::Constant, Kind::CONSTANT));
        items
    }

    fn test_words(&self) -> Vec<Item> {
        let words = TEST_WORDS.iter().map(|(w, written, doc)| Item::new(*w, Kind::KEYWORD, *written, *doc));
        let own = self.names.types_here().into_iter().map(|name| {
            let name = self.names.text(name);
            Item::new(name, Kind::CLASS, "type", "").template(format!("{name} {{ '$1': $0 }}")).rank(0)
        });
        own.chain(words).chain(self.types().into_iter().map(|i| i.rank(2))).collect()
    }

    /// Returns the files that `use` can name.
    fn uses(&self) -> Vec<Item> {
        let mut items = Vec::new();
        let path = std::path::Path::new(self.file.source.name());
        let home = path.parent().map(rtype_lang::library::types_directory).filter(|h| h.is_absolute());
        for folder in home.iter().flat_map(|h| [h.clone(), h.join("kinds"), h.join("mixins"), h.join("shared")]) {
            let entries = named::entries(&folder).into_iter().flatten();
            for path in entries.map(|e| e.path()).filter(|p| p.extension().is_some_and(|e| e == "rtype")) {
                let Some(inside) = home.as_ref().and_then(|h| path.strip_prefix(h).ok()).and_then(|p| p.to_str()) else { continue };
                items.push(Item::new(inside.trim_end_matches(".rtype"), Kind::FILE, "", ""));
            }
        }
        items
    }
}

/// Converts a table of keywords to candidates.
fn words(table: &[Word], wanted: impl Fn(&Word) -> bool) -> Vec<Item> {
    let item = |w: &Word| Item::new(w.name, Kind::KEYWORD, w.written, w.doc).template(snippet::template(w.name, w.written));
    table.iter().filter(|w| wanted(w)).map(item).collect()
}

fn attribute_words() -> Vec<Item> {
    let mut all = words(ATTRIBUTE_WORDS, |_| true);
    all.push(Item::new("override", Kind::KEYWORD, "override validate | munge", "takes the place of all checks or steps before it").rank(2));
    all
}

/// Returns the options that are allowed after a word.
fn options(of: &str) -> Vec<Item> {
    let here = OPTIONS.iter().filter(|o| o.of.contains(&of));
    here.map(|o| Item::new(o.name, Kind::PROPERTY, o.written, o.doc).template(format!("{}: ", o.name))).collect()
}

fn plain(values: &[&str]) -> Vec<Item> {
    values.iter().map(|v| Item::new(*v, Kind::ENUM_MEMBER, "", "")).collect()
}

/// Returns a group of the language reference.
pub(super) fn docs_of(group: &str, kind: Kind) -> Vec<Item> {
    let item = |w: WordDoc| Item::new(w.name, kind, w.written, w.doc);
    language(None).into_iter().filter(|w| w.group == group).map(item).collect()
}
