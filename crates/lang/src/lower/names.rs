//! Collects the top-level declarations in a file and in the files that it uses.

use super::expr::is_constant;
use super::{NameKind, Sink};
use crate::diagnostics::{Code, Diagnostic, did_you_mean, nearest};
use crate::source::Span;
use crate::syntax::ast::{Ast, ConstDecl, Declaration, FeatureDecl, FnDecl, Item, TypeAliasDecl};
use indexmap::{IndexMap, IndexSet};

/// The maximum number of constants that a word is compared with.
const MOST_COMPARED: usize = 100;

/// Declarations by name. Declarations in the file take precedence over declarations in used files.
#[derive(Default)]
pub(super) struct Names<'a> {
    pub kinds: IndexMap<&'a str, &'a Declaration>,
    pub mixins: IndexMap<&'a str, &'a Declaration>,
    pub functions: IndexMap<&'a str, &'a FnDecl>,
    pub consts: IndexMap<&'a str, &'a ConstDecl>,
    pub platform: IndexMap<&'a str, &'a FeatureDecl>,
    pub aliases: IndexMap<&'a str, &'a TypeAliasDecl>,
    /// The types in the file itself, with the spans of their names.
    pub types: IndexMap<&'a str, Span>,
    /// The providers by their type; the key is empty for providers without a type.
    providers: IndexMap<&'a str, IndexMap<&'a str, &'a Declaration>>,
}

impl<'a> Names<'a> {
    /// Records a misspelled name as a use of the constant with the most similar name, so that it is not reported as unused.
    pub fn refer_similar(&self, name: &str, span: Span, sink: &Sink) {
        let similar = nearest(name, self.consts_outside(span)).and_then(|similar| self.consts.get(similar));
        similar.into_iter().for_each(|constant| sink.refer(NameKind::Constant, span, constant.name.span));
    }

    /// Returns the names of the constants, without the constant whose value is at `span`.
    pub fn consts_outside(&self, span: Span) -> impl Iterator<Item = &'a str> {
        self.consts.iter().filter(move |(_, constant)| !constant.span.contains(span)).map(|(name, _)| *name)
    }

    /// Returns the constant that a word in capitals probably names, where the word would otherwise be text.
    ///
    /// Short words, words with other digits and words with further letters at an end resemble each other by chance, as `KB` and `GB`, `SHA1` and
    /// `SHA2`, or `HTTP` and `HTTPS` do. So do words of files with many constants.
    pub fn misspelt_constant(&self, word: &str, span: Span) -> Option<&'a str> {
        if self.consts.len() > MOST_COMPARED {
            return None;
        }
        let near = is_constant(word).then(|| nearest(word, self.consts_outside(span))).flatten()?;
        let letters = |name: &str| name.chars().filter(|c| !c.is_ascii_digit()).collect::<Vec<_>>();
        let (mut given, mut meant) = (letters(word), letters(near));
        let has_other_digits = given == meant;
        given.sort_unstable();
        meant.sort_unstable();
        let distance = || strsim::damerau_levenshtein(word, near);
        let is_close = match word.len() {
            ..5 => given == meant,
            5 | 6 => distance() == 1,
            _ => distance() <= 2,
        };
        (is_close && !has_other_digits && !word.starts_with(near) && !word.ends_with(near)).then_some(near)
    }

    pub fn collect(file: &'a Ast, context: &[&'a Ast], sink: &Sink) -> Names<'a> {
        let mut names = Names::default();
        names.add(file, Some(sink));
        for other in context {
            names.add(other, None);
        }
        names
    }

    /// Adds the declarations of a file, and reports duplicates to `sink`, if given. Without `sink`, the first declaration of a name
    /// takes precedence.
    fn add(&mut self, file: &'a Ast, sink: Option<&Sink>) {
        let twice = |what: &str, name: &str, first: Option<Span>, second: Span| {
            if let (Some(first), Some(sink)) = (first, sink) {
                sink.report(
                    Diagnostic::new(Code::DuplicateItem, second, format!("the {what} `{name}` is declared twice"))
                        .label("again here")
                        .also(first, "first declared here")
                        .help("give one of them another name, or delete it"),
                );
            }
        };
        for item in &file.items {
            match item {
                Item::Kind(d) => match self.kinds.get(d.name.name.as_str()) {
                    Some(first) => twice("kind", &d.name.name, Some(first.name.span), d.name.span),
                    None => drop(self.kinds.insert(&d.name.name, d)),
                },
                Item::Mixin(d) => match self.mixins.get(d.name.name.as_str()) {
                    Some(first) => twice("mixin", &d.name.name, Some(first.name.span), d.name.span),
                    None => drop(self.mixins.insert(&d.name.name, d)),
                },
                Item::Fn(f) => match self.functions.get(f.name.name.as_str()) {
                    Some(first) => twice("function", &f.name.name, Some(first.name.span), f.name.span),
                    None => drop(self.functions.insert(&f.name.name, f)),
                },
                Item::Const(c) => match self.consts.get(c.name.name.as_str()) {
                    Some(first) => twice("const", &c.name.name, Some(first.name.span), c.name.span),
                    None => drop(self.consts.insert(&c.name.name, c)),
                },
                Item::Feature(f) => match self.platform.get(f.test.name.name.as_str()) {
                    Some(first) => twice("feature", &f.test.name.name, Some(first.test.name.span), f.test.name.span),
                    None => drop(self.platform.insert(&f.test.name.name, f)),
                },
                Item::TypeAlias(a) => match self.aliases.get(a.name.name.as_str()) {
                    Some(first) => twice("typealias", &a.name.name, Some(first.name.span), a.name.span),
                    None => drop(self.aliases.insert(&a.name.name, a)),
                },
                Item::Type(t) => {
                    // Types of other files are not visible.
                    if sink.is_some()
                        && let Some(first) = self.types.insert(t.name.name.as_str(), t.name.span)
                    {
                        twice("type", &t.name.name, Some(first), t.name.span);
                    }
                }
                Item::Provider(p) => {
                    let of_type = self.providers.entry(target(p).map_or("", |(name, _)| name)).or_default();
                    match of_type.get(p.name.name.as_str()) {
                        Some(first) => twice("provider", &p.name.name, Some(first.name.span), p.name.span),
                        None => drop(of_type.insert(&p.name.name, p)),
                    }
                }
                Item::Use(_) | Item::Test(_) | Item::Error(_) => {}
            }
        }
    }

    /// Records the names that the items in a file define, and the visible names from other files. Uses in the prelude's mixin are only
    /// recorded for the prelude.
    pub fn record_definitions(&self, file: &Ast, sink: &Sink) {
        let prelude = self.mixins.get(super::type_body::METAPARAMETERS).map(|m| m.span);
        sink.references.ignore(prelude.filter(|mixin| !file.span.contains(*mixin)).unwrap_or(Span::NONE));
        for item in &file.items {
            let (kind, name) = match item {
                Item::Type(d) => (NameKind::Type, &d.name),
                Item::Kind(d) => (NameKind::Kind, &d.name),
                Item::Mixin(d) => (NameKind::Mixin, &d.name),
                Item::Provider(d) => (NameKind::Provider, &d.name),
                Item::Fn(f) => (NameKind::Function, &f.name),
                Item::Const(c) => (NameKind::Constant, &c.name),
                Item::Feature(f) => (NameKind::Platform, &f.test.name),
                Item::TypeAlias(a) => (NameKind::DataType, &a.name),
                Item::Use(_) | Item::Test(_) | Item::Error(_) => continue,
            };
            sink.define(kind, name.span);
            if let Item::Kind(d) | Item::Mixin(d) = item {
                d.params.iter().for_each(|p| sink.define(NameKind::Local, p.name.span));
            }
        }
        let declarations = |all: &IndexMap<&str, &Declaration>| all.values().map(|d| d.name.span).collect::<Vec<_>>();
        for (kind, names) in [
            (NameKind::Kind, declarations(&self.kinds)),
            (NameKind::Mixin, declarations(&self.mixins)),
            (NameKind::Function, self.functions.values().map(|f| f.name.span).collect()),
            (NameKind::Constant, self.consts.values().map(|c| c.name.span).collect()),
            (NameKind::Platform, self.platform.values().map(|f| f.test.name.span).collect()),
            (NameKind::DataType, self.aliases.values().map(|a| a.name.span).collect()),
            (NameKind::Type, self.types.values().copied().collect()),
        ] {
            for name in names {
                sink.define(kind, name);
                sink.member(file.span, kind, name);
            }
        }
    }

    /// Returns the providers for a type, in the order of their declarations.
    pub fn providers_of<'s>(&'s self, type_name: &str) -> impl Iterator<Item = &'a Declaration> + use<'s, 'a> {
        self.providers.get(type_name).into_iter().flat_map(|of_type| of_type.values().copied())
    }

    /// Reports providers that no type would use: without `for:`, or for a type that neither the file nor its directory names.
    pub fn check_provider_targets(&self, file: &Ast, sink: &Sink) {
        let types: IndexSet<&str> =
            file.items.iter().filter_map(|i| if let Item::Type(t) = i { Some(t.name.name.as_str()) } else { None }).collect();
        for item in &file.items {
            let Item::Provider(p) = item else { continue };
            match target(p) {
                None => sink.report(
                    Diagnostic::new(
                        Code::WrongArgument,
                        p.name.span,
                        format!("the provider `{}` does not say for which type it is", p.name.name),
                    )
                    .help(format!("write `provider {}, for: TYPE {{ … }}`", p.name.name)),
                ),
                Some((name, span)) if !types.is_empty() && !types.contains(&name) => sink.report(
                    Diagnostic::new(Code::UnknownType, span, format!("unknown type `{name}` in this file"))
                        .maybe_help(did_you_mean(name, types.iter().copied())),
                ),
                Some(_) => {}
            }
        }
    }
}

/// Returns the type named in a provider's `for:`.
pub(super) fn target(provider: &Declaration) -> Option<(&str, Span)> {
    use crate::syntax::ast::ExprKind;
    let option = provider.options.iter().find(|o| o.name.name == "for")?;
    match &option.value.kind {
        ExprKind::Word(w) => Some((w, option.value.span)),
        _ => None,
    }
}
