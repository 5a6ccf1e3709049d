//! Completion in type files.

use super::{Candidates, Item, code, resources, snippet};
use crate::app::cursor::{Completion, LineCursor};
use crate::lsp::cursor::{Body, Cursor};
use crate::lsp::describe;
use crate::lsp::index::{Definition, File, Name, Owner};
use crate::lsp::tokens::Kind as TokenKind;
use crate::lsp::workspace::Workspace;
use lsp_types::CompletionItemKind as Kind;
use rtype_author::docs::{WordDoc, language};
use rtype_lang::lower::{ATTRIBUTE_WORDS, KINDS, OPTIONS, PROVIDER_WORDS, TYPE_WORDS, Word};
use rtype_lang::syntax::ast::TEST_WORDS;
use rtype_model::manifest::Declarations;
use rtype_system::named;
use std::rc::Rc;

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
    pub file: &'a Rc<File>,
    pub cursor: Cursor<'a>,
}

/// Returns the completions after `before` in a type file.
pub(super) fn candidates(workspace: &Workspace, file: &Rc<File>, before: &str) -> Candidates {
    let cursor = Cursor::new(before);
    // Resources in a test are declared as in a manifest.
    let resource = cursor.frames.iter().find_map(|f| if let Body::Resource(at) = f.body { Some(at) } else { None });
    if let Some(at) = resource {
        let context = Context { workspace, file, cursor };
        let mut found = resources::candidates(&workspace.types(), &Declarations::default(), before.get(at..).unwrap_or_default());
        if found.items.is_empty() {
            // The type is in this file, which may have errors.
            found.items = context.resource(before.get(at..).unwrap_or_default());
        }
        found.start += at;
        return found;
    }
    let context = Context { workspace, file, cursor };
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
            Body::TitlePatterns if outer.contains(&"=>") => self.attributes(|_| true),
            Body::TitlePatterns => Vec::new(),
            Body::TestSetup(word) => match word.as_str() {
                "features" => self.platform(),
                "is" => self.attributes(|_| true),
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
                self.visible(Kind::MODULE, |n| match n {
                    // Metaparameters always exist.
                    Name::Mixin(m) if m != "metaparameters" => Some(m.to_string()),
                    _ => None,
                })
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
            (Body::Test, "rejects") if rest.is_empty() => self.attributes(|_| true),
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
                let own = self.visible(Kind::CLASS, |n| match n {
                    Name::Kind(k) if KINDS.iter().all(|b| b.name != k) => Some(k.to_string()),
                    _ => None,
                });
                own.into_iter().map(|i| i.rank(0)).chain(built_in).collect()
            }
            (_, "array_matching") => plain(&["all", "first"]),
            (_, "required_features") => self.features(),
            (_, "namevar" | "boolean" | "self_refresh" | "invalidate_refreshes" | "arrays") => plain(&["true", "false"]),
            (_, "membership") => self.attributes(|_| true),
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

    /// Returns the type at the cursor: the one that contains it, or that the surrounding test is for.
    pub fn type_name(&self) -> String {
        self.cursor.type_name().map(str::to_owned).or_else(|| describe::tested_type(self.file, self.cursor.start)).unwrap_or_default()
    }

    /// Completes attributes and values in the resource of a test.
    fn resource(&self, before: &str) -> Vec<Item> {
        match LineCursor::before(before, &|_| None).completion {
            Completion::Attributes { given, .. } => {
                let fresh = self.attributes(|_| true).into_iter().filter(|i| !given.contains(&i.label));
                fresh.map(|i| Item { insert: Some(format!("{} => $0", i.label)), ..i }).collect()
            }
            Completion::Values { attribute, .. } => self.values_of(&attribute),
            _ => Vec::new(),
        }
    }

    /// Returns the files of the type at the cursor.
    fn type_files(&self) -> Vec<Rc<File>> {
        self.workspace.resolver.type_files(self.file, &self.type_name())
    }

    fn declared(&self, files: &[Rc<File>], kind: Kind, wanted: impl Fn(&Name) -> Option<String>) -> Vec<Item> {
        let mut items: Vec<Item> = Vec::new();
        for file in files {
            for occurrence in file.occurrences.iter().filter(|o| o.declares) {
                let Some(label) = wanted(&occurrence.name).filter(|l| items.iter().all(|i| i.label != *l)) else { continue };
                let found = Definition { file: Rc::clone(file), span: occurrence.span };
                items.push(Item::new(label, kind, describe::written(&found), describe::author(&found)));
            }
        }
        items
    }

    fn visible(&self, kind: Kind, wanted: impl Fn(&Name) -> Option<String>) -> Vec<Item> {
        self.declared(&self.workspace.resolver.visible(self.file), kind, wanted)
    }

    pub fn types(&self) -> Vec<Item> {
        self.workspace.types().names().into_iter().map(|n| Item::new(n, Kind::CLASS, "type", "")).collect()
    }

    /// Returns the attributes of the type at the cursor.
    pub fn attributes(&self, wanted: impl Fn(&Name) -> bool) -> Vec<Item> {
        let owner = match self.cursor.frames.get(1).map(|f| &f.body) {
            Some(Body::Mixin(mixin)) => Owner::Mixin(mixin.as_str().into()),
            _ => Owner::Type(self.type_name().into()),
        };
        let mut files = self.type_files();
        files.extend(self.workspace.resolver.visible(self.file));
        let mut items = self.declared(&files, Kind::FIELD, |n| match n {
            Name::Attribute(of, a) if *of == owner && wanted(n) => Some(a.to_string()),
            _ => None,
        });
        // Attributes of mixins, including metaparameters, come after the type's own.
        let more = self.declared(&files, Kind::FIELD, |n| match n {
            Name::Attribute(Owner::Mixin(_), a) if wanted(n) => {
                let Owner::Type(of) = &owner else { return None };
                self.workspace.resolver.attribute(self.file, of, a).map(|_| a.to_string())
            }
            _ => None,
        });
        items.extend(more.into_iter().map(|i| i.rank(2)));
        items
    }

    /// Returns the values of the attribute at the cursor.
    fn values(&self) -> Vec<Item> {
        self.cursor.attribute().map(|a| self.values_of(a)).unwrap_or_default()
    }

    fn values_of(&self, attribute: &str) -> Vec<Item> {
        self.declared(&[Rc::clone(self.file)], Kind::ENUM_MEMBER, |n| match n {
            Name::Value(_, of, value) if of == attribute => Some(value.to_string()),
            _ => None,
        })
    }

    pub fn features(&self) -> Vec<Item> {
        let of = self.type_name();
        self.declared(&self.type_files(), Kind::INTERFACE, |n| match n {
            Name::Feature(t, feature) if *t == of => Some(feature.to_string()),
            _ => None,
        })
    }

    /// Returns the queries, actions and settings of the type's providers.
    pub fn methods(&self) -> Vec<Item> {
        let of = self.type_name();
        self.declared(&self.type_files(), Kind::METHOD, |n| match n {
            Name::Method(t, method) if *t == of => Some(method.to_string()),
            _ => None,
        })
    }

    /// Returns the provider methods that blocks of the type call, declared or not.
    fn asked(&self) -> Vec<Item> {
        let of = self.type_name();
        let files = self.type_files();
        let names = files.iter().flat_map(|f| &f.occurrences).filter_map(|o| match &o.name {
            Name::Method(t, method) if *t == of => Some(method.to_string()),
            _ => None,
        });
        let mut names: Vec<String> = names.collect();
        names.sort();
        names.dedup();
        names.into_iter().map(|n| Item::new(n, Kind::METHOD, "asked in the type", "")).collect()
    }

    fn providers(&self) -> Vec<Item> {
        let line = self.cursor.line();
        let of =
            line.windows(3).find(|w| matches!(w, ["for", ":", _])).and_then(|w| w.last()).map_or(self.type_name(), |t| (*t).to_owned());
        let files = self.workspace.resolver.type_files(self.file, &of);
        self.declared(&files, Kind::MODULE, |n| match n {
            Name::Provider(t, provider) if *t == of => Some(provider.to_string()),
            _ => None,
        })
    }

    pub fn platform(&self) -> Vec<Item> {
        let own = self.visible(Kind::INTERFACE, |n| if let Name::Platform(p) = n { Some(p.to_string()) } else { None });
        own.into_iter().chain(docs_of("platform", Kind::INTERFACE)).collect()
    }

    pub fn data_types(&self) -> Vec<Item> {
        let own = self.visible(Kind::CLASS, |n| if let Name::Alias(a) = n { Some(a.to_string()) } else { None });
        own.into_iter().chain(docs_of("data type", Kind::CLASS)).collect()
    }

    /// Returns the functions and constants of files.
    pub fn shared(&self) -> Vec<Item> {
        let mut items = self.visible(Kind::FUNCTION, |n| match n {
            Name::Function(_, f) => Some(f.to_string()),
            _ => None,
        });
        items.extend(self.visible(Kind::CONSTANT, |n| if let Name::Constant(c) = n { Some(c.to_string()) } else { None }));
        items
    }

    fn test_words(&self) -> Vec<Item> {
        let words = TEST_WORDS.iter().map(|(w, written, doc)| Item::new(*w, Kind::KEYWORD, *written, *doc));
        let own = self.file.occurrences.iter().filter_map(|o| match &o.name {
            Name::Type(t) if o.declares => {
                Some(Item::new(t.as_str(), Kind::CLASS, "type", "").template(format!("{t} {{ '$1': $0 }}")).rank(0))
            }
            _ => None,
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
