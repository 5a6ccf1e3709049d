//! Builds the top-level items of a type file.

use super::{Builder, P};
use crate::diagnostics::{Code, nearest};
use crate::source::Span;
use crate::syntax::ast::*;
use crate::syntax::expected::Expected;
use crate::syntax::hints;
use crate::syntax::parser::Rule;

impl Builder<'_> {
    /// Builds the items of `types_file`.
    pub fn types(&mut self, file: P<'_>) -> Vec<Item> {
        let mut items = Vec::new();
        // `true` if the last declaration has no braces, so that the source after it may be its body.
        let mut is_open = false;
        for pair in file.into_inner() {
            let span = self.span_of(&pair);
            if pair.as_rule() == Rule::bad_item && is_open {
                items.push(Item::Error(span));
                continue;
            }
            is_open = pair.as_rule() == Rule::declaration && pair.clone().into_inner().any(|part| part.as_rule() == Rule::missing_block);
            match pair.as_rule() {
                Rule::use_item => items.push(self.use_item(pair)),
                Rule::declaration => items.push(self.declaration(pair)),
                Rule::fn_item => items.push(Item::Fn(self.fn_decl(pair))),
                Rule::const_item => items.push(Item::Const(self.const_decl(pair))),
                Rule::alias_item => items.push(Item::TypeAlias(self.alias_decl(pair))),
                Rule::feature_item => items.push(Item::Feature(self.feature(pair))),
                Rule::test_item => items.push(Item::Test(self.test(pair))),
                Rule::ruby_newtype => {
                    self.ruby_newtype(pair);
                    items.push(Item::Error(span));
                }
                Rule::bad_item => {
                    self.bad_item(&pair);
                    items.push(Item::Error(span));
                }
                Rule::junk => self.junk(&pair, Expected::LineEnd),
                Rule::stray => self.stray(&pair),
                _ => {}
            }
        }
        items
    }

    /// Reports a superfluous closing bracket, unless the scanner has already reported bracket errors.
    pub(super) fn stray(&mut self, pair: &P<'_>) {
        if !self.diagnostics.iter().any(|d| matches!(d.code, Code::Unclosed | Code::Unopened)) {
            self.junk(pair, Expected::Declaration);
        }
    }

    fn use_item(&mut self, pair: P<'_>) -> Item {
        let span = self.span_of(&pair);
        let Some(part) = pair.into_inner().next() else { return Item::Error(span) };
        let path_span = self.span_of(&part);
        match part.as_rule() {
            Rule::string => match self.string(part).plain() {
                Some(path) => Item::Use(Use { path, path_span, span }),
                None => {
                    self.error(
                        Code::Syntax,
                        path_span,
                        "the path of `use` is fixed text",
                        "write it without `#{…}`, as in `use \"kinds/cron\"`",
                    );
                    Item::Error(span)
                }
            },
            Rule::bad_use => {
                let written = part.as_str().trim_start_matches(':').to_owned();
                self.mark(&part);
                self.error(Code::Syntax, path_span, format!("the path `{written}` needs quotes"), format!("write `use \"{written}\"`"));
                Item::Use(Use { path: written.into(), path_span, span })
            }
            _ => {
                self.missing(&part, Expected::PathAfterUse);
                Item::Error(span)
            }
        }
    }

    /// Reports words after the name of a declaration without a comma: `provider x for y`, `type x inherits y`. Returns the intended
    /// option.
    fn words_after_name(&mut self, word: &str, name: &Ident, part: &P<'_>) -> Option<Opt> {
        let at = part.as_span().start();
        let text = self.text();
        let found = hints::token(text, at).to_owned();
        let after = at + found.len();
        let value_at = after + text.get(after..).map_or(0, |rest| rest.len() - rest.trim_start_matches([' ', ':', '=', '>']).len());
        let value = hints::token(text, value_at).to_owned();
        let span = self.span(at, after);
        let is_name = value.starts_with(|c: char| c.is_alphabetic());
        match (word, found.as_str()) {
            ("provider", "for" | "of") if is_name => {
                let help = format!("write `provider {}, for: {value}`", name.name);
                self.error(Code::MissingComma, span, format!("missing comma before `{found}`"), help);
                let place = self.span(value_at, value_at + value.len());
                let value = Expr { kind: ExprKind::Word(value.as_str().into()), span: place };
                Some(Opt { name: Ident { name: "for".into(), span }, value })
            }
            ("type", "inherits" | "extends" | "parent") => {
                let help = "put shared attributes into a `mixin` and `include` it in both types";
                self.error(Code::Syntax, span, format!("types cannot inherit: `{found}`"), help);
                None
            }
            _ => {
                self.missing_comma(part);
                None
            }
        }
    }

    fn declaration(&mut self, pair: P<'_>) -> Item {
        let span = self.span_of(&pair);
        let mut word = "";
        let mut name = Ident { name: "".into(), span };
        let (mut params, mut args, mut options) = (Vec::new(), Vec::new(), Vec::new());
        let mut body = Body { directives: Vec::new(), span: Span::new(span.end, span.end) };
        let mut named = false;
        let mut missing_comma = false;
        for part in pair.into_inner() {
            let place = self.span_of(&part);
            match part.as_rule() {
                Rule::declaration_word => word = part.as_str(),
                Rule::name => {
                    name = self.ident(&part);
                    named = true;
                }
                Rule::bad_symbol | Rule::string if !named => {
                    let written = part.as_str();
                    let plain = hints::bare_word(written);
                    let code = if written.starts_with(':') { Code::SymbolInDirective } else { Code::Syntax };
                    self.error(
                        code,
                        place,
                        format!("the name of a {word} is a bare word, not `{}`", hints::one_line(written)),
                        format!("write `{word} {plain}`"),
                    );
                    name = Ident { name: plain.into(), span: place };
                    named = true;
                }
                Rule::bad_name => {
                    let written = part.as_str();
                    let plain = match written.rsplit_once("::") {
                        Some((_, last)) => last.replace('-', "_"),
                        None => written.replace('-', "_"),
                    };
                    let file = if word == "type" { format!(", in a file called `{plain}.rtype`") } else { String::new() };
                    self.error(
                        Code::Syntax,
                        place,
                        format!("invalid name `{written}`: names are made of letters, digits and `_`"),
                        format!("write `{word} {plain}`{file}"),
                    );
                    name = Ident { name: plain.into(), span: place };
                    named = true;
                }
                Rule::hole if !named => {
                    self.missing(&part, Expected::NameAfter(word));
                    named = true;
                }
                Rule::params => params = self.params(part),
                // After a missing comma, the following words are part of the same error.
                Rule::darg if missing_comma => {
                    let said = self.diagnostics.len();
                    self.directive_argument(part, word, &mut Vec::new(), &mut Vec::new());
                    self.diagnostics.truncate(said);
                }
                Rule::darg => self.directive_argument(part, word, &mut args, &mut options),
                Rule::missing_comma => {
                    if !missing_comma {
                        options.extend(self.words_after_name(word, &name, &part));
                    }
                    missing_comma = true;
                }
                Rule::hole => self.missing(&part, Expected::OptionAfterComma),
                Rule::body => body = self.body(part),
                Rule::ruby_do => self.ruby_do(part),
                Rule::missing_block => self.missing(&part, Expected::Brace),
                _ => self.rest(part, Expected::HeadEnd),
            }
        }
        if let Some(extra) = args.first() {
            let written = hints::one_line(self.source.slice(extra.span)).to_owned();
            self.error(Code::Syntax, extra.span, format!("`{written}` is not an option"), "options are written `key: value`");
        }
        let declaration = Declaration { name, params, options, body, span };
        match word {
            "type" => Item::Type(declaration),
            "provider" => Item::Provider(declaration),
            "kind" => Item::Kind(declaration),
            _ => Item::Mixin(declaration),
        }
    }

    fn params(&mut self, pair: P<'_>) -> Vec<Param> {
        let mut params = Vec::new();
        for part in pair.into_inner() {
            if part.as_rule() != Rule::param {
                self.rest(part, Expected::ParametersEnd);
                continue;
            }
            let mut inner = part.into_inner();
            let Some(first) = inner.next() else { continue };
            let name = self.local(&first);
            let default = inner.next().map(|value| self.value(Some(value), Expected::ValueAfter("=")));
            params.push(Param { name, default });
        }
        params
    }

    pub(super) fn fn_decl(&mut self, pair: P<'_>) -> FnDecl {
        let span = self.span_of(&pair);
        let mut decl = FnDecl {
            name: Ident { name: "".into(), span },
            params: Vec::new(),
            body: Block { statements: Vec::new(), span: Span::new(span.end, span.end) },
            span,
        };
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::name => decl.name = self.ident(&part),
                Rule::params => decl.params = self.params(part),
                Rule::block => decl.body = self.block(part),
                Rule::missing_params => self.missing(&part, Expected::ParenthesisAndParameters),
                _ => self.missing(&part, Expected::Brace),
            }
        }
        decl
    }

    fn feature(&mut self, pair: P<'_>) -> FeatureDecl {
        let span = self.span_of(&pair);
        let mut doc = None;
        let mut test = FnDecl {
            name: Ident { name: "".into(), span },
            params: Vec::new(),
            body: Block { statements: Vec::new(), span: Span::new(span.end, span.end) },
            span,
        };
        let mut named = false;
        for part in pair.into_inner() {
            let place = self.span_of(&part);
            match part.as_rule() {
                Rule::name | Rule::bad_symbol => {
                    let written = part.as_str();
                    if part.as_rule() == Rule::bad_symbol {
                        self.symbol_in_directive(written, hints::bare_word(written), place);
                    }
                    test.name = Ident { name: hints::bare_word(written).into(), span: place };
                    named = true;
                }
                Rule::hole if !named => {
                    self.missing(&part, Expected::NameAfter("feature"));
                    named = true;
                }
                Rule::string => doc = Some(self.string(part)),
                Rule::hole => self.missing(&part, Expected::FeatureMeaning),
                Rule::block => test.body = self.block(part),
                Rule::feature_methods | Rule::missing_block => {
                    self.mark(&part);
                    if test.name.name.is_empty() {
                        continue;
                    }
                    self.error(
                        Code::Syntax,
                        test.name.span,
                        format!("missing block of the platform feature `{}`", test.name.name),
                        "write `feature NAME, \"what it means\" { which(\"zfs\") }`; declare features of providers in the body of a type",
                    );
                }
                _ => self.rest(part, Expected::Brace),
            }
        }
        FeatureDecl { doc, test }
    }

    pub(super) fn const_decl(&mut self, pair: P<'_>) -> ConstDecl {
        let (name, value, span) = self.named_value(pair);
        ConstDecl { name, value, span }
    }

    pub(super) fn alias_decl(&mut self, pair: P<'_>) -> TypeAliasDecl {
        let (name, value, span) = self.named_value(pair);
        TypeAliasDecl { name, value, span }
    }

    fn named_value(&mut self, pair: P<'_>) -> (Ident, Expr, Span) {
        let span = self.span_of(&pair);
        let mut name = Ident { name: "".into(), span };
        let mut value = self.error_expr(span);
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::name => name = self.ident(&part),
                Rule::missing_equals => self.missing(&part, Expected::EqualsAndValue),
                _ => value = self.value(Some(part), Expected::ValueAfter("=")),
            }
        }
        (name, value, span)
    }

    fn test(&mut self, pair: P<'_>) -> TestDecl {
        let span = self.span_of(&pair);
        let mut title = StrLit { parts: Vec::new(), quote: Quote::Double, span };
        let mut steps = Vec::new();
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::string => title = self.string(part),
                Rule::hole => self.missing(&part, Expected::TestDescription),
                Rule::steps => {
                    self.in_test = true;
                    for step in part.into_inner() {
                        self.step(step, &mut steps);
                    }
                    self.in_test = false;
                }
                _ => self.missing(&part, Expected::Brace),
            }
        }
        TestDecl { title, steps, span }
    }

    fn step(&mut self, pair: P<'_>, steps: &mut Vec<TestStep>) {
        let span = self.span_of(&pair);
        match pair.as_rule() {
            Rule::given => {
                let mut inner = pair.into_inner();
                if let Some(word) = inner.next() {
                    let word = self.ident(&word);
                    let value = self.value(inner.next(), Expected::BracedBlock);
                    steps.push(TestStep::Setup(word, value));
                }
            }
            Rule::also => {
                let statements = self.statements(pair);
                steps.push(TestStep::Also(statements, span));
            }
            Rule::m_resource => {
                let resource = self.resource(pair);
                steps.push(TestStep::Declare(resource));
            }
            Rule::expect => {
                let value = self.value(pair.into_inner().next(), Expected::ConditionAfterExpect);
                steps.push(TestStep::Expect(value, span));
            }
            Rule::rejects => {
                let (mut name, mut pattern) = (None, None);
                for part in pair.into_inner() {
                    match part.as_rule() {
                        Rule::reject_name => {
                            if let Some(inner) = part.into_inner().next() {
                                if inner.as_rule() == Rule::bad_symbol {
                                    let written = inner.as_str().to_owned();
                                    let place = self.span_of(&inner);
                                    self.symbol_in_directive(&written, hints::bare_word(&written), place);
                                }
                                let place = self.span_of(&inner);
                                name = Some(Ident { name: hints::bare_word(inner.as_str()).into(), span: place });
                            }
                        }
                        _ => pattern = Some(self.value(Some(part), Expected::PatternOrText)),
                    }
                }
                steps.push(TestStep::Rejects(name, pattern, span));
            }
            Rule::bad_given => {
                let Some(word) = pair.into_inner().next() else { return };
                let (name, place) = (word.as_str().to_owned(), self.span_of(&word));
                let near = nearest(&name, TEST_WORDS.iter().map(|(w, _, _)| *w)).map(|w| format!("did you mean `{w}`? "));
                let all: Vec<String> = TEST_WORDS.iter().map(|(w, _, _)| format!("`{w}`")).collect();
                let help = format!("{}words are {}", near.unwrap_or_default(), all.join(", "));
                self.error(Code::Syntax, place, format!("a test has no word `{name}`"), help);
            }
            _ => self.rest(pair, Expected::TestStatement),
        }
    }
}
