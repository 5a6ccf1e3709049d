//! Lowers `provider NAME, for: TYPE { … }`.

use super::attribute::placed;
use super::block::{Bindings, BlockKind, TypeScope};
use super::directives::{Placed, arity, no_condition, only_options, only_parts, option, unknown, words};
use super::refused::{DirectiveScope, refused};
use super::untranslated::untranslated;
use super::words::{PROVIDER_DIRECTIVES, PROVIDER_WORDS};
use super::{NameKind, Sink};
use crate::diagnostics::{Code, Diagnostic, Help, nearest};
use crate::source::Span;
use crate::syntax::ast::{Declaration, Directive, DirectiveBlock, Expr, Opt};
use crate::types::{
    CommandDef, Confine, ConfineTest, DeclaredDef, DeclaredKind, FEATURE, FactTest, FactValue, ProgramDef, ProviderBody, ProviderDef,
    Setting, TypeDef,
};
use crate::value::{EcoString, Symbol, Value};
use indexmap::IndexMap;
use std::rc::Rc;
use std::sync::Arc;

/// Collects the methods that blocks may call from all providers, and returns the location of each definition.
pub(super) fn collect_methods(
    providers: &[&Declaration],
    of_features: Vec<(Symbol, Span)>,
    foreign: &IndexMap<Symbol, Arc<TypeDef>>,
    scope: &mut TypeScope<'_>,
) -> IndexMap<Symbol, Span> {
    let mut methods: IndexMap<Symbol, Span> = IndexMap::new();
    let sink = scope.sink;
    let mut declare = |name: &str, span: Span| {
        let first = *methods.entry(name.into()).or_insert(span);
        sink.define_again(NameKind::Method, span, first);
        (EcoString::from(name), first)
    };
    for (method, span) in &of_features {
        declare(method.as_str(), *span);
    }
    for directive in providers.iter().flat_map(|p| &p.body.directives) {
        let names = || directive.args.iter().flat_map(|a| words(a, "a method's name", sink));
        match directive.name.name.as_str() {
            "queries" => {
                scope.queries.extend(names().map(|(name, span)| declare(name, span)));
            }
            "actions" => {
                scope.actions.extend(names().map(|(name, span)| declare(name, span)));
            }
            name if !PROVIDER_DIRECTIVES.contains(&name) => scope.queries.extend([declare(name, directive.name.span)]),
            _ => {}
        }
    }
    // Methods of a feature are actions, unless a provider lists them as queries or their name ends with `?`.
    for (method, span) in of_features {
        if method.as_str().ends_with('?') {
            scope.queries.insert(method.text(), span);
        } else if !scope.queries.contains_key(method.as_str()) {
            scope.actions.insert(method.text(), span);
        }
    }
    // Providers inherit the methods of a parent from another type.
    for (of, provider) in foreign.values().flat_map(|t| t.providers.values().map(move |p| (t, p))) {
        let declared = |name: &Symbol| (name.text(), of.method_span(name));
        scope.queries.extend(provider.queries.iter().chain(provider.settings.keys()).map(declared));
        scope.actions.extend(provider.actions.iter().map(declared));
    }
    methods
}

impl TypeScope<'_> {
    pub(super) fn provider(&self, declaration: &Declaration) -> ProviderDef {
        let none: Bindings = Rc::default();
        let literals = self.literals(&none);
        only_options(&declaration.options, "provider", self.sink);
        self.sink.define(NameKind::Provider, declaration.name.span);
        if let Some((target, span)) = super::names::target(declaration) {
            self.sink.refer_type(target, span, self.names);
        }
        let text = |key: &str| option(&declaration.options, key).and_then(|e| Some((literals.value(e)?.to_text(), e.span)));
        let mut provider = ProviderDef {
            name: declaration.name.name.clone().into(),
            span: declaration.name.span,
            type_name: text("for").map(|(t, _)| t).unwrap_or_default().into(),
            doc: String::new(),
            parent: text("parent"),
            source: text("source").map(|(t, _)| t.into()),
            commands: IndexMap::new(),
            optional_commands: IndexMap::new(),
            confines: Vec::new(),
            defaultfor: Vec::new(),
            notdefaultfor: Vec::new(),
            is_default_unknown: false,
            features: IndexMap::new(),
            features_with: IndexMap::new(),
            queries: Vec::new(),
            actions: Vec::new(),
            settings: IndexMap::new(),
            finalizes: Vec::new(),
            body: ProviderBody::None,
        };
        for placed in placed(&declaration.body, &none) {
            self.provider_directive(&placed, &mut provider);
        }
        provider
    }

    fn provider_directive(&self, placed: &Placed<'_>, provider: &mut ProviderDef) {
        let directive = placed.directive;
        let name = directive.name.name.as_str();
        let literals = self.literals(&placed.bindings);
        if directive.is_override {
            self.sink.error(Code::NotAllowedHere, directive.span, "`override` has no meaning in a provider");
        }
        only_parts(directive, PROVIDER_WORDS, self.sink);
        match name {
            "untranslated" => {
                for mut failing in untranslated(placed, None, self.sink) {
                    // The provider is not suitable, and may be the default.
                    if failing.name.name == "defaultfor" {
                        failing.name.name = "confine".into();
                        provider.is_default_unknown = true;
                    }
                    self.provider_directive(&Placed { directive: &failing, bindings: Rc::clone(&placed.bindings) }, provider);
                }
            }
            "desc" => provider.doc = self.doc(directive, &placed.bindings),
            "commands" | "optional_commands" => {
                arity(directive, 0, 0, &format!("{name} useradd: \"useradd\""), self.sink);
                for Opt { name: key, value } in &directive.options {
                    let Some(command) = literals.string(value, "a command") else {
                        continue;
                    };
                    let list = if name == "commands" { &mut provider.commands } else { &mut provider.optional_commands };
                    list.insert(key.name.clone().into(), CommandDef { command, span: value.span });
                }
            }
            "confine" => self.confine(placed, provider),
            "defaultfor" | "notdefaultfor" => {
                arity(directive, 0, 0, &format!("{name} kernel: Linux"), self.sink);
                let tests = directive.options.iter().filter_map(|o| self.fact_test(o, &placed.bindings)).collect();
                if name == "defaultfor" { provider.defaultfor.push(tests) } else { provider.notdefaultfor.push(tests) }
            }
            "has_feature" | "has_features" => {
                let platform: Vec<Symbol> = match option(&directive.options, FEATURE).and_then(|e| Some((literals.value(e)?, e))) {
                    None => Vec::new(),
                    Some((value, expr)) => {
                        let names = value.as_array().map_or_else(|| vec![value.to_text()], |all| all.iter().map(Value::to_text).collect());
                        self.check_platforms(&names, expr);
                        names.into_iter().map(Symbol::from).collect()
                    }
                };
                for (feature, span) in directive.args.iter().flat_map(|a| words(a, "a feature's name", self.sink)) {
                    self.check_feature(feature, span);
                    provider.features.insert(feature.into(), span);
                    if !platform.is_empty() {
                        provider.features_with.insert(feature.into(), platform.clone());
                    }
                }
            }
            "queries" | "actions" => {
                let names = directive.args.iter().flat_map(|a| words(a, "a method's name", self.sink)).map(|(n, _)| Symbol::from(n));
                if name == "queries" { provider.queries.extend(names) } else { provider.actions.extend(names) }
            }
            "finalize" => {
                arity(directive, 0, 0, "finalize { self.x = … }", self.sink);
                match &directive.block {
                    Some(DirectiveBlock::Code(closure)) => {
                        provider.finalizes.push(self.block(closure, BlockKind::PROVIDER_FINALIZE, &placed.bindings));
                    }
                    _ => {
                        let d = Diagnostic::new(Code::WrongArity, directive.name.span, "`finalize` needs a block");
                        self.sink.report(d.help("write `finalize { self.x = … }`"));
                    }
                }
            }
            "native" => {
                arity(directive, 0, 0, "native", self.sink);
                self.set_body(provider, ProviderBody::Native(directive.name.span), directive);
            }
            "program" => {
                if arity(directive, 1, 1, "program \"./x.py\"", self.sink)
                    && let Some(argument) = directive.args.first()
                    && let Some(path) = literals.string(argument, "a program")
                {
                    let timeout = option(&directive.options, "timeout").and_then(|e| seconds(literals.value(e)?, e.span, self.sink));
                    let program = ProgramDef { path, directory: None, timeout, span: argument.span };
                    self.set_body(provider, ProviderBody::Program(program), directive);
                }
            }
            "records" | "command_lines" => {
                arity(directive, 0, 0, name, self.sink);
                let kind = if name == "records" { DeclaredKind::Records } else { DeclaredKind::CommandLines };
                self.set_body(provider, ProviderBody::Declared(DeclaredDef { kind, span: directive.name.span }), directive);
            }
            "keyed" => {
                arity(directive, 1, 1, "keyed value", self.sink);
                if let Some((property, span)) =
                    directive.args.first().and_then(|a| words(a, "a property's name", self.sink).into_iter().next())
                {
                    let kind = DeclaredKind::Keyed(property.into());
                    self.attributes.get(property).into_iter().for_each(|id| self.refer_attribute(*id, span));
                    self.set_body(provider, ProviderBody::Declared(DeclaredDef { kind, span: directive.name.span }), directive);
                }
            }
            _ => self.setting(placed, provider),
        }
    }

    fn set_body(&self, provider: &mut ProviderDef, body: ProviderBody, directive: &Directive) {
        if let Some(first) = provider.body.span() {
            self.sink.report(
                Diagnostic::new(
                    Code::DuplicateDirective,
                    directive.span,
                    "a provider has one body: `native`, `program`, `records`, `keyed` or `command_lines`",
                )
                .also(first, "the other one"),
            );
        }
        provider.body = body;
    }

    /// Lowers a named value or block. A name similar to a directive is reported as a typo.
    fn setting(&self, placed: &Placed<'_>, provider: &mut ProviderDef) {
        let directive = placed.directive;
        let name = &directive.name.name;
        if refused(directive, DirectiveScope::Provider, self.sink) {
            return;
        }
        no_condition(directive, directive.block.is_some(), self.sink);
        let setting = match (&directive.block, directive.args.as_slice()) {
            // `to_METHOD` gets the arguments of the method.
            (Some(DirectiveBlock::Code(closure)), []) if directive.options.is_empty() && is_method(name) => {
                Some(Setting::Code(self.code(&closure.params, &closure.body, closure.span, BlockKind::SETTING, &placed.bindings)))
            }
            (Some(DirectiveBlock::Code(closure)), []) if directive.options.is_empty() => {
                let kind = match name.as_str() {
                    "parse" => BlockKind::PARSE,
                    "print" => BlockKind::PRINT,
                    _ => BlockKind::SETTING,
                };
                Some(Setting::Code(self.block(closure, kind, &placed.bindings)))
            }
            (None, [value]) if directive.options.is_empty() => self.literals(&placed.bindings).value(value).map(Setting::Value),
            _ => {
                unknown(directive, PROVIDER_DIRECTIVES, "a provider", self.sink);
                return;
            }
        };
        if let Some(near) = nearest(name, PROVIDER_DIRECTIVES.iter().copied()) {
            let d = Diagnostic::new(Code::UnknownDirective, directive.name.span, format!("unknown directive `{name}` in a provider"));
            self.sink.report(d.help(Help::suggestion(near)));
            return;
        }
        if let Some(setting) = setting {
            provider.settings.insert(name.clone().into(), setting);
        }
    }

    fn confine(&self, placed: &Placed<'_>, provider: &mut ProviderDef) {
        let directive = placed.directive;
        let literals = self.literals(&placed.bindings);
        let message = option(&directive.options, "message").and_then(|e| literals.string(e, "a message")).map(|m| m.to_string());
        arity(directive, 0, 0, "confine kernel: [Linux, SunOS]", self.sink);
        if let Some(DirectiveBlock::Code(closure)) = &directive.block {
            for fact in directive.options.iter().filter(|o| o.name.name != "message") {
                let d = Diagnostic::new(Code::WrongArgument, fact.name.span, "`confine` takes facts or a block, not both");
                self.sink.report(d.help("write a second `confine` for the block"));
            }
            let test = ConfineTest::Code(self.block(closure, BlockKind::CONFINE, &placed.bindings));
            provider.confines.push(Confine { test, message, span: directive.span });
            return;
        }
        if !directive.options.iter().any(|o| o.name.name != "message") {
            let d = Diagnostic::new(Code::WrongArity, directive.name.span, "`confine` needs a condition");
            self.sink
                .report(d.help("write `confine kernel: Linux`, `confine exists: \"/path\"`, `confine feature: posix` or `confine { … }`"));
        }
        for option in &directive.options {
            let texts = |expr: &Expr| match literals.value(expr) {
                Some(Value::Array(values)) => values.iter().map(Value::to_text).collect(),
                Some(value) => vec![value.to_text()],
                None => Vec::new(),
            };
            let test = match option.name.name.as_str() {
                "message" => continue,
                "exists" => ConfineTest::Exists(texts(&option.value)),
                "feature" => {
                    let names = texts(&option.value);
                    self.check_platforms(&names, &option.value);
                    ConfineTest::Feature(names.into_iter().map(Symbol::from).collect())
                }
                "true" | "false" | "any" => {
                    let d = Diagnostic::new(
                        Code::Refused,
                        option.name.span,
                        format!("`confine {}:` does not exist in rtype", option.name.name),
                    );
                    self.sink.report(d.help("write the condition as a block: `confine { … }`"));
                    continue;
                }
                _ => match self.fact_test(option, &placed.bindings) {
                    Some(test) => ConfineTest::Fact(test),
                    None => continue,
                },
            };
            provider.confines.push(Confine { test, message: message.clone(), span: option.name.span.to(option.value.span) });
        }
    }

    /// Lowers `kernel: Linux` or `os.release.major: [/\A1[12]\z/, 13]`.
    fn fact_test(&self, option: &Opt, bindings: &Bindings) -> Option<FactTest> {
        let as_fact = |value: Value| match value {
            Value::Regex(r) => FactValue::Matches(r),
            other => FactValue::Is(other),
        };
        let values = match self.literals(bindings).value(&option.value)? {
            Value::Array(values) => values.iter().cloned().map(as_fact).collect(),
            value => vec![as_fact(value)],
        };
        if option.name.name == FEATURE {
            let name = |v: &FactValue| if let FactValue::Is(name) = v { Some(name.to_text()) } else { None };
            self.check_platforms(&values.iter().filter_map(name).collect::<Vec<_>>(), &option.value);
        }
        Some(FactTest { fact: option.name.name.clone(), values })
    }
}

/// Returns a timeout in seconds, and reports a value other than a positive integer.
fn seconds(value: Value, span: Span, sink: &Sink) -> Option<u64> {
    match value {
        Value::Int(n @ 1..) => u64::try_from(n).ok(),
        other => {
            let d = Diagnostic::new(Code::WrongArgument, span, format!("a limit of time is a whole number of seconds, not `{other}`"));
            sink.report(d.help("write `program \"./x.py\", timeout: 300`"));
            None
        }
    }
}

/// Returns `true` if a setting defines the commands of a method that the provider declares: `to_METHOD`.
fn is_method(setting: &str) -> bool {
    setting.starts_with("to_") && !matches!(setting, "to_list" | "to_read" | "to_create" | "to_update" | "to_delete")
}
