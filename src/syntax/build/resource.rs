//! Resource declarations.

use super::string::{Number, read_number, unescape_single};
use super::{Builder, P};
use crate::diagnostics::Code;
use crate::source::Span;
use crate::syntax::ast::*;
use crate::syntax::hints;
use crate::syntax::parser::Rule;
use crate::value::EcoString;

const COMPILE: &str = "compile the manifest with Puppet and hand over the catalog as JSON";

impl Builder<'_> {
    /// `manifest`
    pub fn manifest(&mut self, file: P<'_>) -> Vec<Statement> {
        self.statements(file)
    }

    /// The statements in a file or in `also { … }`.
    pub(super) fn statements(&mut self, pair: P<'_>) -> Vec<Statement> {
        let mut statements = Vec::new();
        for part in pair.into_inner() {
            let span = self.span_of(&part);
            match part.as_rule() {
                Rule::m_chain => {
                    let statement = self.chain(part);
                    statements.push(statement);
                }
                Rule::m_block | Rule::m_line => {
                    let start = part.as_span().start();
                    // A bracket too many on this line belongs to the same mistake; behind the line it was a blank.
                    let line = Span::new(span.start, self.scan.place(part.as_span().end() + 1));
                    self.diagnostics.retain(|d| d.code != Code::Unopened || !line.contains(d.span()));
                    if !self.is_follow_up(start, start) {
                        let diagnostic = hints::manifest_line(self.text(), start, part.as_span().end(), |a, b| self.span(a, b));
                        self.push(diagnostic);
                    }
                    statements.push(Statement::Error(span));
                }
                Rule::stray => self.stray(&part),
                Rule::unclosed => self.unclosed(&part),
                _ => {}
            }
        }
        statements
    }

    fn needs_compiler(&mut self, span: Span, what: &str) {
        self.error(Code::NeedsCompiler, span, format!("{what} needs Puppet's compiler"), COMPILE);
    }

    fn chain(&mut self, pair: P<'_>) -> Statement {
        let span = self.span_of(&pair);
        let mut operands: Vec<Statement> = Vec::new();
        let mut references: Vec<PuppetExpr> = Vec::new();
        let mut arrows = Vec::new();
        let mut failed = false;
        for part in pair.into_inner() {
            let place = self.span_of(&part);
            match part.as_rule() {
                Rule::m_resource => {
                    let resource = self.resource(part);
                    failed |= resource.bodies.is_empty() && resource.type_name.name == "class";
                    operands.push(Statement::Resource(resource));
                }
                Rule::m_reference_or_defaults => match self.reference_or_defaults(part) {
                    Some(Ok(defaults)) => operands.push(Statement::Defaults(defaults)),
                    Some(Err(reference)) => {
                        operands.push(Statement::Error(place));
                        references.push(reference);
                    }
                    None => failed = true,
                },
                Rule::m_reference_list => {
                    let list = part.into_inner().next().map(|list| self.puppet(list));
                    operands.push(Statement::Error(place));
                    references.extend(list);
                }
                Rule::arrow => arrows.push((
                    match part.as_str() {
                        "->" => Arrow::Before,
                        "~>" => Arrow::Notify,
                        "<-" => Arrow::Require,
                        _ => Arrow::Subscribe,
                    },
                    place,
                )),
                Rule::m_hole => {
                    self.missing(&part, "a resource or a reference behind the arrow");
                    failed = true;
                }
                _ => {
                    let code = part.as_str().trim_start();
                    self.mark(&part);
                    let start = part.as_span().end() - code.len();
                    let place = self.span(start, start + hints::token(code, 0).len());
                    self.needs_compiler(place, "an expression");
                    failed = true;
                }
            }
        }
        if failed {
            return Statement::Error(span);
        }
        if arrows.is_empty() {
            if let Some(reference) = references.first() {
                self.error(
                    Code::Syntax,
                    reference.span,
                    "a reference alone declares nothing",
                    "put it on an arrow, as in `File['/a'] -> Service['b']`, or declare the resource: `file { '/a': }`",
                );
            }
            return operands.into_iter().next().unwrap_or(Statement::Error(span));
        }
        let mut references = references.into_iter();
        let mut ends = Vec::new();
        for operand in operands {
            match operand {
                Statement::Resource(resource) => ends.push(ChainOperand::Resource(resource)),
                Statement::Defaults(defaults) => {
                    self.error(
                        Code::Syntax,
                        defaults.span,
                        "defaults cannot stand on an arrow",
                        "arrows join declarations and references like `File['/a']`",
                    );
                    return Statement::Error(span);
                }
                _ => ends.extend(references.next().map(ChainOperand::References)),
            }
        }
        Statement::Chain(ends, arrows, span)
    }

    /// `m_resource`
    pub(super) fn resource(&mut self, pair: P<'_>) -> ResourceDecl {
        let span = self.span_of(&pair);
        let mut decl = ResourceDecl { type_name: Ident { name: "".into(), span }, bodies: Vec::new(), span };
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::m_virtual => {
                    let place = self.span_of(&part);
                    let what = if part.as_str() == "@" { "a virtual resource" } else { "an exported resource" };
                    self.needs_compiler(place, what);
                }
                Rule::m_type => {
                    decl.type_name = self.ident(&part);
                    decl.type_name.name = decl.type_name.name.trim_start_matches("::").into();
                    if decl.type_name.name == "class" {
                        let place = decl.type_name.span;
                        self.needs_compiler(place, "a class");
                        return decl;
                    }
                }
                Rule::m_body => {
                    if let Some(body) = self.resource_body(part) {
                        decl.bodies.push(body);
                    }
                }
                Rule::unclosed => self.unclosed(&part),
                _ => {
                    let text = self.text();
                    let start = part.as_span().start();
                    if !self.is_follow_up(start, part.as_span().end()) {
                        let diagnostic = hints::resource_junk(text, start, |a, b| self.span(a, b));
                        self.push(diagnostic);
                    }
                }
            }
        }
        decl
    }

    fn resource_body(&mut self, pair: P<'_>) -> Option<ResourceBody> {
        let span = self.span_of(&pair);
        let mut parts = pair.into_inner();
        let first = parts.next()?;
        let first_start = first.as_span().start();
        let first_text = first.as_str().to_owned();
        let title = self.puppet(first);
        let mut attributes = Vec::new();
        let mut after_title = false;
        for part in parts {
            match part.as_rule() {
                Rule::m_no_colon => {
                    after_title = true;
                    let at = part.as_span().start();
                    let next = hints::token(self.text(), at);
                    if next == "=>" {
                        let place = title.span;
                        self.error(
                            Code::Syntax,
                            place,
                            "this resource has no title",
                            format!("a title and a colon come first: `{{ 'title': {first_text} => … }}`"),
                        );
                        self.bad_until = Some(at);
                        continue;
                    }
                    let at = first_start + first_text.len();
                    if self.is_follow_up(at, at) {
                        continue;
                    }
                    let place = self.span(first_start, at);
                    self.bad_until = Some(at);
                    self.error(
                        Code::Syntax,
                        place,
                        "a colon is missing behind the title",
                        format!("write `{}:`", hints::one_line(&first_text)),
                    );
                }
                Rule::m_attribute => attributes.extend(self.attribute(part)),
                Rule::missing_comma => self.missing_comma(&part),
                _ => {
                    if after_title {
                        self.mark(&part);
                    } else {
                        self.junk(&part, "an attribute, `;` or `}`");
                    }
                }
            }
        }
        Some(ResourceBody { title, attributes, span })
    }

    fn attribute(&mut self, pair: P<'_>) -> Option<AttributeDecl> {
        let mut parts = pair.into_inner();
        let first = parts.next()?;
        let mut name = self.ident(&first);
        name.name = name.name.trim_matches(['\'', '"']).into();
        let mut value = None;
        for part in parts {
            let place = self.span_of(&part);
            match part.as_rule() {
                Rule::m_arrow => {}
                Rule::m_bad_arrow => self.error(
                    Code::HashRocketOption,
                    place,
                    format!("an attribute is given with `=>`, not `{}`", part.as_str()),
                    format!("write `{} => …`", name.name),
                ),
                Rule::m_no_arrow => {
                    let expected = format!("`=>` behind `{}`", name.name);
                    self.missing(&part, &expected);
                }
                Rule::m_hole => {
                    let expected = format!("a value for `{}`", name.name);
                    self.missing(&part, &expected);
                    value = Some(PuppetExpr { kind: PuppetValue::Error, span: place });
                }
                Rule::m_tail => {
                    self.tail(&part);
                    value = Some(PuppetExpr { kind: PuppetValue::Error, span: place });
                }
                Rule::m_attribute_junk => self.junk(&part, "`,`, `;` or `}`"),
                _ => value = Some(self.puppet(part)),
            }
        }
        let span = name.span;
        Some(AttributeDecl { name, value: value.unwrap_or(PuppetExpr { kind: PuppetValue::Error, span }) })
    }

    /// An operator behind a value.
    fn tail(&mut self, pair: &P<'_>) {
        let text = pair.as_str().trim_start();
        let start = pair.as_span().end() - text.len();
        let token = hints::token(text, 0);
        let place = self.span(start, start + token.len());
        self.mark(pair);
        let what = if token == "?" { "a selector (`? { … }`)".to_owned() } else { format!("an expression with `{token}`") };
        self.needs_compiler(place, &what);
    }

    fn reference_or_defaults(&mut self, pair: P<'_>) -> Option<Result<DefaultsDecl, PuppetExpr>> {
        let span = self.span_of(&pair);
        let mut parts = pair.into_inner();
        let first = parts.next()?;
        let mut type_name = self.ident(&first);
        type_name.name = type_name.name.trim_start_matches("::").to_lowercase().into();
        let second = parts.next()?;
        match second.as_rule() {
            Rule::m_defaults => {
                let mut attributes = Vec::new();
                for part in second.into_inner() {
                    match part.as_rule() {
                        Rule::m_attribute => attributes.extend(self.attribute(part)),
                        Rule::missing_comma => self.missing_comma(&part),
                        Rule::unclosed => self.unclosed(&part),
                        _ => self.junk(&part, "an attribute or `}`"),
                    }
                }
                Some(Ok(DefaultsDecl { type_name, attributes, span }))
            }
            Rule::m_titles => {
                let span = type_name.span.to(self.span_of(&second));
                let titles = self.puppet_list(second);
                if let Some(rest) = parts.next() {
                    self.mark(&rest);
                    self.needs_compiler(span, "an override of a declared resource");
                    return None;
                }
                Some(Err(PuppetExpr { kind: PuppetValue::Reference(type_name, titles), span }))
            }
            _ => {
                self.mark(&second);
                self.needs_compiler(span, "a collector");
                None
            }
        }
    }

    fn puppet_list(&mut self, pair: P<'_>) -> Vec<PuppetExpr> {
        let mut items: Vec<PuppetExpr> = Vec::new();
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::missing_comma => self.missing_comma(&part),
                Rule::unclosed => self.unclosed(&part),
                Rule::m_tail => {
                    self.tail(&part);
                    if let Some(last) = items.last_mut() {
                        last.kind = PuppetValue::Error;
                    }
                }
                Rule::m_junk => self.junk(&part, "`,` or a closing bracket"),
                _ => items.push(self.puppet(part)),
            }
        }
        items
    }

    /// A value.
    fn puppet(&mut self, pair: P<'_>) -> PuppetExpr {
        let span = self.span_of(&pair);
        let written = pair.as_str();
        let kind = match pair.as_rule() {
            Rule::m_single => {
                let text = written.strip_prefix('\'').and_then(|t| t.strip_suffix('\'')).unwrap_or(written);
                PuppetValue::Str(unescape_single(text))
            }
            Rule::m_string => self.puppet_string(pair),
            Rule::m_number => match read_number(written).filter(|_| !written.contains('_')) {
                Some(Number::Int(n)) => PuppetValue::Int(n),
                Some(Number::Float(n)) => PuppetValue::Float(n),
                None => {
                    self.error(
                        Code::BadNumber,
                        span,
                        format!("`{written}` is not a number"),
                        format!("text that begins with a digit stands in quotes: `'{written}'`"),
                    );
                    PuppetValue::Error
                }
            },
            Rule::m_array => PuppetValue::Array(self.puppet_list(pair)),
            Rule::m_hash => self.puppet_hash(pair),
            Rule::m_regex => {
                let source = written.trim_start_matches('/');
                let source = source.strip_suffix('/').unwrap_or(source);
                PuppetValue::Regex(source.replace("\\/", "/").into())
            }
            Rule::m_variable => self.variable(pair),
            Rule::m_wrapped => self.wrapped(pair),
            Rule::m_reference => {
                let mut parts = pair.into_inner();
                let name = parts.next().map(|n| self.ident(&n));
                match (name, parts.next()) {
                    (Some(mut name), Some(titles)) => {
                        name.name = name.name.trim_start_matches("::").to_lowercase().into();
                        PuppetValue::Reference(name, self.puppet_list(titles))
                    }
                    _ => {
                        self.error(
                            Code::Syntax,
                            span,
                            format!("`{written}` is a data type, not a value"),
                            format!("text stands in quotes: `'{written}'`; a reference names a title: `{written}['…']`"),
                        );
                        PuppetValue::Error
                    }
                }
            }
            Rule::m_word => {
                let mut parts = pair.into_inner();
                let bare = parts.next().map_or("", |p| p.as_str());
                if let Some(call) = parts.next() {
                    self.mark(&call);
                    let place = self.span(call.as_span().start() - bare.len(), call.as_span().start());
                    let what = format!("a call of the function `{bare}`");
                    self.needs_compiler(place, &what);
                    PuppetValue::Error
                } else {
                    match bare {
                        "undef" => PuppetValue::Undef,
                        "default" => PuppetValue::Default,
                        "true" => PuppetValue::Bool(true),
                        "false" => PuppetValue::Bool(false),
                        "nil" | "null" => {
                            let message = format!("`{bare}` is called `undef` in manifests");
                            self.error(Code::Syntax, span, message, "write `undef`");
                            PuppetValue::Undef
                        }
                        _ => PuppetValue::Str(bare.into()),
                    }
                }
            }
            _ => {
                self.mark(&pair);
                self.needs_compiler(span, "a heredoc");
                PuppetValue::Error
            }
        };
        PuppetExpr { kind, span }
    }

    fn puppet_hash(&mut self, pair: P<'_>) -> PuppetValue {
        let mut entries = Vec::new();
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::m_entry => {
                    let mut key = None;
                    let mut value = None;
                    for piece in part.into_inner() {
                        let place = self.span_of(&piece);
                        match piece.as_rule() {
                            Rule::m_arrow => {}
                            Rule::m_bad_arrow => {
                                let message = format!("a hash pairs with `=>`, not `{}`", piece.as_str());
                                self.error(Code::HashRocketOption, place, message, "write `{ 'key' => value }`");
                            }
                            Rule::m_tail => {
                                self.tail(&piece);
                                value = Some(PuppetExpr { kind: PuppetValue::Error, span: place });
                            }
                            Rule::m_hole => {
                                self.missing(&piece, "a value behind `=>`");
                                value = Some(PuppetExpr { kind: PuppetValue::Error, span: place });
                            }
                            _ if key.is_none() => key = Some(self.puppet(piece)),
                            _ => value = Some(self.puppet(piece)),
                        }
                    }
                    if let (Some(key), Some(value)) = (key, value) {
                        entries.push((key, value));
                    }
                }
                Rule::missing_comma => self.missing_comma(&part),
                Rule::unclosed => self.unclosed(&part),
                _ => self.junk(&part, "`=>`, `,` or `}`"),
            }
        }
        PuppetValue::Hash(entries)
    }

    fn variable(&mut self, pair: P<'_>) -> PuppetValue {
        let span = self.span_of(&pair);
        let written = pair.as_str().to_owned();
        match pair.into_inner().next() {
            Some(path) if path.as_rule() == Rule::m_fact_path => PuppetValue::Fact(self.fact_path(path)),
            _ => {
                let what = format!("the variable `{}`", hints::one_line(&written));
                self.needs_compiler(span, &what);
                PuppetValue::Error
            }
        }
    }

    fn fact_path(&mut self, pair: P<'_>) -> EcoString {
        let mut path = String::new();
        for key in pair.into_inner() {
            let Some(key) = key.into_inner().next() else { continue };
            let key = self.puppet(key);
            if let PuppetValue::Str(text) = key.kind {
                if !path.is_empty() {
                    path.push('.');
                }
                path.push_str(&text);
            }
        }
        path.into()
    }

    fn wrapped(&mut self, pair: P<'_>) -> PuppetValue {
        let span = self.span_of(&pair);
        let mut parts = pair.into_inner();
        let word = parts.next().map_or("", |w| w.as_str());
        let args = parts.next();
        if word.starts_with("Deferred") {
            return PuppetValue::Deferred;
        }
        let mut args = args.map(|a| self.puppet_list(a)).unwrap_or_default();
        if args.len() != 1 {
            self.error(Code::Syntax, span, "`Sensitive` takes one value", "write `Sensitive('…')`");
            return PuppetValue::Error;
        }
        match args.pop() {
            Some(value) => PuppetValue::Sensitive(Box::new(value)),
            None => PuppetValue::Error,
        }
    }

    fn puppet_string(&mut self, pair: P<'_>) -> PuppetValue {
        let mut parts = Vec::new();
        let mut plain = true;
        for part in pair.into_inner() {
            let span = self.span_of(&part);
            let kind = match part.as_rule() {
                Rule::m_chunk => PuppetValue::Str(unescape_double(part.as_str())),
                Rule::m_dollar => {
                    plain = false;
                    match part.into_inner().next() {
                        Some(variable) => self.variable(variable),
                        None => PuppetValue::Error,
                    }
                }
                _ => {
                    plain = false;
                    match part.into_inner().next() {
                        Some(path) if path.as_rule() == Rule::m_fact_path => PuppetValue::Fact(self.fact_path(path)),
                        inner => {
                            let written = inner.map(|i| i.as_str().to_owned()).unwrap_or_default();
                            let what = format!("`${{{}}}` in a string", hints::one_line(&written));
                            self.needs_compiler(span, &what);
                            PuppetValue::Error
                        }
                    }
                }
            };
            parts.push(PuppetExpr { kind, span });
        }
        if !plain {
            return PuppetValue::Interpolated(parts);
        }
        match parts.pop().map(|p| p.kind) {
            Some(PuppetValue::Str(text)) => PuppetValue::Str(text),
            _ => PuppetValue::Str(EcoString::new()),
        }
    }
}

/// Escapes of `"…"` as Puppet has them; what it does not know stays as written.
fn unescape_double(text: &str) -> EcoString {
    let mut out = EcoString::new();
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match rest.next() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('r') => out.push('\r'),
            Some('s') => out.push(' '),
            Some(same @ ('$' | '"' | '\'' | '\\')) => out.push(same),
            Some('\n') => {}
            Some('u') => {
                let braces = rest.next_if_eq(&'{').is_some();
                let mut digits = String::new();
                while digits.len() < if braces { 6 } else { 4 } {
                    match rest.next_if(char::is_ascii_hexdigit) {
                        Some(digit) => digits.push(digit),
                        None => break,
                    }
                }
                let closed = !braces || rest.next_if_eq(&'}').is_some();
                match u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32).filter(|_| closed) {
                    Some(c) => out.push(c),
                    None => {
                        out.push_str("\\u");
                        out.push_str(&digits);
                    }
                }
            }
            Some(other) => {
                out.push('\\');
                out.push(other);
            }
            None => out.push('\\'),
        }
    }
    out
}
