//! Builds directives and their arguments.

use super::{Builder, P};
use crate::diagnostics::{Code, Help};
use crate::source::Span;
use crate::syntax::ast::*;
use crate::syntax::expected::Expected;
use crate::syntax::hints;
use crate::syntax::parser::Rule;
use crate::value::DataType;

/// The help for Ruby code that can be imported.
const IMPORT: &str = "rename the file to `.rb` and run `rtype import` on it";

impl Builder<'_> {
    /// Builds `{ directives }`.
    pub(super) fn body(&mut self, pair: P<'_>) -> Body {
        let span = self.span_of(&pair);
        let mut directives = Vec::new();
        for part in pair.into_inner() {
            let place = self.span_of(&part);
            match part.as_rule() {
                Rule::nested | Rule::titles | Rule::plain => {
                    let directive = self.directive(part);
                    directives.push(directive);
                }
                Rule::fn_item => {
                    let name = self.first_word(&part, "fn");
                    let decl = self.fn_decl(part);
                    directives.push(special(name, DirectiveBlock::Fn(Box::new(decl)), place));
                }
                Rule::const_item => {
                    let name = self.first_word(&part, "const");
                    let decl = self.const_decl(part);
                    directives.push(special(name, DirectiveBlock::Const(Box::new(decl)), place));
                }
                Rule::alias_item => {
                    let name = self.first_word(&part, "typealias");
                    let decl = self.alias_decl(part);
                    directives.push(special(name, DirectiveBlock::TypeAlias(Box::new(decl)), place));
                }
                Rule::ruby_directive => self.ruby(part),
                _ => self.rest(part, Expected::Directive),
            }
        }
        directives.shrink_to_fit();
        Body { directives, span }
    }

    fn first_word(&self, pair: &P<'_>, word: &str) -> Ident {
        let start = pair.as_span().start();
        Ident { name: word.into(), span: self.span(start, start + word.len()) }
    }

    fn directive(&mut self, pair: P<'_>) -> Directive {
        let span = self.span_of(&pair);
        let mut directive = special(Ident { name: "".into(), span }, DirectiveBlock::Body(Body::default()), span);
        directive.block = None;
        let before = self.diagnostics.len();
        for part in pair.into_inner() {
            let place = self.span_of(&part);
            let said = self.diagnostics.len();
            let is_head = matches!(part.as_rule(), Rule::darg | Rule::bad_parens | Rule::ruby_do);
            match part.as_rule() {
                Rule::override_word => directive.is_override = true,
                Rule::name | Rule::nested_word | Rule::titles_word => directive.name = self.ident(&part),
                Rule::darg => self.directive_argument(part, &directive.name.name.clone(), &mut directive.args, &mut directive.options),
                Rule::bad_parens => self.parenthesised(&mut directive, part),
                Rule::missing_comma => self.missing_comma(&part),
                Rule::hole => self.missing(&part, Expected::ArgumentAfterComma),
                Rule::guard => directive.condition = Some(self.guard(part)),
                Rule::body => directive.block = Some(DirectiveBlock::Body(self.body(part))),
                Rule::code => directive.block = Some(DirectiveBlock::Code(self.closure(part))),
                Rule::rows => {
                    let rows = self.rows(part);
                    directive.block = Some(DirectiveBlock::TitlePatterns(rows, place));
                }
                Rule::ruby_do => {
                    // Report `newparam(:x) do |y|` once, as a line of Ruby.
                    self.diagnostics.truncate(before);
                    self.ruby_do_of(part, &directive);
                    directive.block = Some(self.block_in_place_of_ruby(&directive.name, place));
                }
                Rule::missing_block => self.missing(&part, Expected::BraceAndRows),
                _ => {
                    self.rest(part, Expected::DirectiveEnd);
                    // The source with the syntax error may be an argument.
                    directive.args.push(self.error_expr(place));
                }
            }
            if is_head && self.is_misspelt(directive.name.span) {
                self.diagnostics.truncate(said);
            }
        }
        directive.args.shrink_to_fit();
        directive.options.shrink_to_fit();
        directive
    }

    /// Returns `true` if the scanner has reported the word as misspelled, so that errors next to it are consequences.
    fn is_misspelt(&self, word: Span) -> bool {
        self.scan.diagnostics.iter().any(|d| d.code == Code::UnknownDirective && d.span().start == word.start)
    }

    /// Reports the parentheses of `newparam(:x)`, and builds the directive as if they were absent.
    fn parenthesised(&mut self, directive: &mut Directive, pair: P<'_>) {
        let name = directive.name.name.clone();
        let place = self.span_of(&pair);
        let inside = pair.as_str().trim_start_matches('(').trim_end_matches(')').trim();
        let plain = inside
            .split(',')
            .map(|part| part.trim().trim_start_matches(':').replace(" =>", ":").replace("=>", ":"))
            .map(|part| part.replace(": :", ": "))
            .collect::<Vec<_>>()
            .join(", ");
        let help = match inside.starts_with('{') {
            true => format!("write a space before a map as value: `{name} ({})`", hints::one_line(inside)),
            false => format!("write `{name} {}`", hints::one_line(&plain)),
        };
        let symbols = std::mem::replace(&mut self.symbols_reported, true);
        let words = std::mem::replace(&mut self.words, true);
        let before = self.diagnostics.len();
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::argument => self.argument(part, &mut directive.args, &mut directive.options),
                _ => self.rest(part, Expected::ArgumentsEnd),
            }
        }
        // For `newproperty(:x, :boolean => true)` only the parentheses are reported.
        self.diagnostics.truncate(before);
        self.words = words;
        self.symbols_reported = symbols;
        self.error(Code::RubyCode, directive.name.span.to(place), format!("`{name}` takes its arguments without parentheses"), help);
    }

    /// Builds a `darg`: an argument or an option.
    pub(super) fn directive_argument(&mut self, pair: P<'_>, name: &str, args: &mut Vec<Expr>, options: &mut Vec<Opt>) {
        let mut inner = pair.into_inner();
        let Some(first) = inner.next() else { return };
        let Some(rocket) = inner.next() else {
            args.push(self.directive_value(first));
            return;
        };
        let text = first.as_str();
        let key_span = self.span_of(&first);
        if rocket.as_rule() == Rule::option_colon {
            self.option(first, inner.next(), options);
            return;
        }
        if name.starts_with("auto") && bare_key(&first).is_some() {
            return self.relation_rocket(first, rocket, args);
        }
        let words = std::mem::replace(&mut self.words, true);
        let symbols = std::mem::replace(&mut self.symbols_reported, true);
        self.rocket(text, key_span, rocket, options);
        self.symbols_reported = symbols;
        self.words = words;
    }

    /// Reports `autorequire package => ["x"]`, and builds the type and the list as arguments.
    fn relation_rocket(&mut self, target: P<'_>, rocket: P<'_>, args: &mut Vec<Expr>) {
        let start = rocket.as_span().start();
        let span = self.span(start, start + 2);
        let help = format!("write `{}, [\"…\"]`, or the names in a block: `{} {{ … }}`", target.as_str(), target.as_str());
        args.push(self.directive_value(target));
        self.error(Code::HashRocketOption, span, "expected a comma after the type, found `=>`", help);
        if let Some(list) = rocket.into_inner().next().filter(|list| list.as_rule() != Rule::hole) {
            args.push(self.directive_value(list));
        }
    }

    /// Builds an option such as `for: mount` or `"os.family": Debian`.
    fn option(&mut self, key: P<'_>, value: Option<P<'_>>, options: &mut Vec<Opt>) {
        let span = self.span_of(&key);
        if let Some(name) = bare_key(&key) {
            let name = Ident { name: name.into(), span };
            let value = self.option_value(&name.name, value);
            options.push(Opt { name, value });
            return;
        }
        let written = hints::one_line(key.as_str()).to_owned();
        let name = match self.directive_value(key).kind {
            ExprKind::Str(text) => text.plain(),
            _ => None,
        };
        let value = self.option_value(&written, value);
        match name {
            Some(name) => options.push(Opt { name: Ident { name, span }, value }),
            None => self.error(
                Code::Syntax,
                span,
                format!("`{written}` cannot be the key of an option"),
                "a key is a bare word, or fixed text in quotes",
            ),
        }
    }

    /// Builds a `dvalue`: the value of an argument or option.
    pub(super) fn directive_value(&mut self, pair: P<'_>) -> Expr {
        let span = self.span_of(&pair);
        let words = std::mem::replace(&mut self.words, true);
        let value = self.deeper(1, span, |b| b.directive_value_inner(pair, span));
        self.words = words;
        value
    }

    fn directive_value_inner(&mut self, pair: P<'_>, span: Span) -> Expr {
        let mut inner = pair.into_inner();
        let Some(first) = inner.next() else { return self.error_expr(span) };
        match first.as_rule() {
            Rule::splat => {
                let name = first.into_inner().next().map(|n| self.ident(&n));
                let kind = name.map_or(ExprKind::Error, ExprKind::Splat);
                Expr { kind, span }
            }
            Rule::bad_symbol => match first.into_inner().next() {
                Some(symbol) => self.primary(symbol),
                None => self.error_expr(span),
            },
            Rule::op_minus => {
                let text = inner.next().map(|n| format!("-{}", n.as_str())).unwrap_or_default();
                let kind = self.number(&text, span);
                Expr { kind, span }
            }
            Rule::word => self.word(first),
            Rule::bad_dvalue => {
                let (message, help) = hints::primary(first.as_str());
                let code = hints::primary_code(first.as_str());
                self.mark(&first);
                self.error(code, span, message, help);
                self.error_expr(span)
            }
            _ => self.primary(first),
        }
    }

    /// Builds a bare word, `cron_field(0, 7)` or `Integer[1, 2]`.
    fn word(&mut self, pair: P<'_>) -> Expr {
        let span = self.span_of(&pair);
        let levels = pair.clone().into_inner().len();
        self.deeper(levels, span, |b| {
            let mut parts = pair.into_inner();
            let Some(first) = parts.next() else { return b.error_expr(span) };
            if first.as_rule() == Rule::qualified {
                b.mark(&first);
                let help = DataType::known_elsewhere(first.as_str()).map_or_else(
                    || "Ruby's modules and Puppet's namespaces do not exist here: use a `mixin`, `kind`, `fn` or `const`".into(),
                    Help::suggestion,
                );
                let place = b.span_of(&first);
                b.error(Code::RubyCode, place, format!("names have no `::`: `{}`", first.as_str()), help);
                return b.error_expr(span);
            }
            let name = b.ident(&first);
            let kind = match first.as_str() {
                "nil" => ExprKind::Nil,
                "true" => ExprKind::Bool(true),
                "false" => ExprKind::Bool(false),
                _ => ExprKind::Word(name.name.clone()),
            };
            let mut result = Expr { kind, span: name.span };
            for part in parts {
                let end = b.span_of(&part);
                let span = name.span.to(end);
                let kind = match part.as_rule() {
                    Rule::arguments => {
                        let (args, named) = b.arguments(part);
                        ExprKind::Call(Call { name: name.clone(), args, named, closure: None, parens: true })
                    }
                    _ => ExprKind::Index(Box::new(result), b.index(part)),
                };
                result = Expr { kind, span };
            }
            result
        })
    }

    fn rows(&mut self, pair: P<'_>) -> Vec<TitlePatternRow> {
        let mut rows = Vec::new();
        for part in pair.into_inner() {
            if part.as_rule() != Rule::row {
                self.rest(part, Expected::RowEnd);
                continue;
            }
            let span = self.span_of(&part);
            let mut pattern = None;
            let mut attributes: Vec<Ident> = Vec::new();
            for piece in part.into_inner() {
                match piece.as_rule() {
                    Rule::operand => pattern = Some(self.operand(piece)),
                    Rule::row_name => {
                        let written = piece.as_str().to_owned();
                        let place = self.span_of(&piece);
                        let plain = hints::bare_word(&written);
                        if written.starts_with(':') {
                            self.symbol_in_directive(&written, plain, place);
                        }
                        attributes.push(Ident { name: plain.into(), span: place });
                    }
                    Rule::rocket => {}
                    Rule::missing_rocket => self.missing(&piece, Expected::RocketAndAttributes),
                    Rule::hole => self.missing(&piece, Expected::AttributesAfterRocket),
                    _ => self.junk(&piece, Expected::PatternAndRocket),
                }
            }
            let fills_nothing = matches!(attributes.as_slice(), [only] if only.name == "nil");
            // A row without attributes after the pattern has been reported.
            if let Some(pattern) = pattern.filter(|_| !attributes.is_empty()) {
                attributes.retain(|_| !fills_nothing);
                rows.push(TitlePatternRow { pattern, attributes, span });
            }
        }
        rows
    }

    /// Reports `newparam :x do … end`, with the corrected line as help.
    fn ruby_do_of(&mut self, pair: P<'_>, directive: &Directive) {
        let argument = |e: &Expr| hints::one_line(hints::bare_word(self.source.slice(e.span))).to_owned();
        let mut words = vec![directive.name.name.to_string()];
        words.extend(directive.args.first().map(argument));
        self.ruby_do_instead(pair, &words.join(" "));
    }

    /// Reports `do |x| … end`.
    pub(super) fn ruby_do(&mut self, pair: P<'_>) {
        self.ruby_do_instead(pair, "");
    }

    fn ruby_do_instead(&mut self, pair: P<'_>, head: &str) {
        let head = if head.is_empty() { String::new() } else { format!("{head} ") };
        let start = pair.as_span().start();
        let span = self.span(start, start + 2);
        let bars = pair.clone().into_inner().find(|p| p.as_rule() == Rule::ruby_bars);
        self.mark(&pair);
        let help = match bars {
            Some(bars) => format!("write `{head}{{ {} … }}`", hints::one_line(bars.as_str().trim())),
            None => format!("write `{head}{{ … }}`"),
        };
        let text = pair.as_str().trim_end();
        let mut diagnostic = crate::diagnostics::Diagnostic::new(Code::RubyBlock, span, "blocks use braces, not `do … end`").help(help);
        if text.ends_with("end") {
            let end = start + text.len();
            diagnostic = diagnostic.also(self.span(end - 3, end), "up to this `end`");
        }
        self.push(diagnostic);
    }

    /// Returns a placeholder for a block in Ruby syntax, so that the block is not reported as missing as well.
    fn block_in_place_of_ruby(&self, name: &Ident, span: Span) -> DirectiveBlock {
        if matches!(name.name.as_str(), "newparam" | "newproperty" | "ensurable" | "provider") {
            return DirectiveBlock::Body(Body { directives: Vec::new(), span });
        }
        let body = Block { statements: vec![self.error_expr(span)], span };
        DirectiveBlock::Code(Closure { params: Vec::new(), body, span })
    }

    /// Reports `def … end` and similar Ruby statements, or a single `end`.
    pub(super) fn ruby(&mut self, pair: P<'_>) {
        let start = pair.as_span().start();
        let word = hints::token(pair.as_str(), 0);
        let span = self.span(start, start + word.len());
        if self.is_follow_up(start, pair.as_span().end()) {
            return;
        }
        let (message, help) = match word {
            "def" => hints::method(hints::one_line(pair.as_str())),
            _ => hints::ruby_word(word),
        };
        self.error(Code::RubyCode, span, message, help);
    }

    /// Reports `Puppet::Type.newtype(:x) do … end`.
    pub(super) fn ruby_newtype(&mut self, pair: P<'_>) {
        let start = pair.as_span().start();
        let Some(head) = pair.clone().into_inner().next() else { return };
        let written = self.text().get(start..head.as_span().end()).unwrap_or("").to_owned();
        let text = written.trim_end();
        let span = self.span(start, start + text.len());
        let name = |text: &str| {
            let head = text.split('{').next().unwrap_or(text).trim_end();
            let inside = head.rsplit_once(['(', ' ']).map_or("", |(_, rest)| rest);
            hints::bare_word(inside.trim_end_matches(')')).to_owned()
        };
        let (message, help) = if text.contains(".provide") {
            ("this is a provider written in Ruby", format!("{IMPORT}, or write `provider NAME, for: TYPE {{ … }}`"))
        } else if !text.contains("newtype") {
            ("this is Ruby", hints::NO_RUBY.to_owned())
        } else {
            let name = Some(name(text)).filter(|n| !n.is_empty()).unwrap_or_else(|| "NAME".to_owned());
            ("this is a type written in Ruby", format!("{IMPORT}, or write `type {name} {{ … }}`"))
        };
        self.error(Code::RubyNewtype, span, message, help);
    }

    /// Reports unexpected text at the top level.
    pub(super) fn bad_item(&mut self, pair: &P<'_>) {
        let span = pair.as_span();
        if self.is_follow_up(span.start(), span.end()) {
            return;
        }
        let diagnostic = hints::bad_item(self.text(), span.start(), span.end(), |a, b| self.span(a, b));
        self.push(diagnostic);
    }
}

fn special(name: Ident, block: DirectiveBlock, span: Span) -> Directive {
    Directive { name, is_override: false, args: Vec::new(), options: Vec::new(), condition: None, block: Some(block), span }
}

/// Returns the word if the `dvalue` is a single word.
fn bare_key<'t>(dvalue: &P<'t>) -> Option<&'t str> {
    let word = dvalue.clone().into_inner().next().filter(|w| w.as_rule() == Rule::word)?;
    let mut parts = word.into_inner();
    let name = parts.next()?;
    parts.next().is_none().then(|| name.as_str())
}
