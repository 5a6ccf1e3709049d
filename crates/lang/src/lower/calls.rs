//! Calls: functions, methods, and members of `self`, the provider and the catalog.

use super::NameKind;
use super::block::BlockLowerer;
use super::expr::{is_constant, is_name};
use super::ruby;
use crate::diagnostics::{Code, Diagnostic, Help, did_you_mean, nearest};
use crate::eval::setting_names;
use crate::source::Span;
use crate::syntax::ast::{Call, Expr, ExprKind};
use crate::types::builtin::{Arity, ClosureArgument, Function, Method, Traits};
use crate::types::{CatalogCall, Node, Op};
use crate::value::{EcoString, ResourceRef, Value};
use std::sync::Arc;

/// Names of methods in other languages, with the name to write instead.
const FOREIGN: &[(&str, &str)] = &[
    ("trim", "strip"),
    ("lower", "downcase"),
    ("lowercase", "downcase"),
    ("toLowerCase", "downcase"),
    ("upper", "upcase"),
    ("uppercase", "upcase"),
    ("toUpperCase", "upcase"),
    ("len", "length"),
    ("contains", "include?"),
    ("has", "include?"),
    ("contains_key", "key?"),
    ("startsWith", "start_with?"),
    ("starts_with", "start_with?"),
    ("endsWith", "end_with?"),
    ("ends_with", "end_with?"),
    ("replace", "gsub"),
    ("replace_all", "gsub"),
    ("fold", "reduce"),
    ("is_string", "is_a?(String)"),
    ("is_string?", "is_a?(String)"),
    ("is_array?", "is_a?(Array)"),
    ("is_hash?", "is_a?(Hash)"),
    ("is_int", "is_a?(Integer)"),
    ("respond_to?", "provider.has?(:m)"),
    ("instance_of?", "is_a?(T)"),
    ("class", "type_of(v)"),
];

impl BlockLowerer<'_> {
    fn arguments(&self, call: &Call) -> Vec<Node> {
        if let Some(named) = call.named.first() {
            let message = format!("`{}` takes no named arguments", call.name.name);
            self.scope
                .sink
                .report(Diagnostic::new(Code::WrongArity, named.name.span, message).help("write a map in braces, or leave the name out"));
        }
        call.args.iter().map(|a| self.expr(a)).collect()
    }

    fn nil(&self, span: Span) -> Node {
        Node { op: Op::Const(Value::Nil), span }
    }

    pub fn call_without_parens(&self, name: &EcoString, span: Span) -> Node {
        match Function::named(name) {
            Some(function) => Node { op: Op::Call(function, Vec::new(), None), span },
            None => self.nil(span),
        }
    }

    /// Lowers `f(a)`.
    pub fn call(&self, call: &Call, span: Span) -> Node {
        let name = call.name.name.as_str();
        if let Some(signature) = self.scope.functions.get(name) {
            self.scope.sink.refer(NameKind::Function, call.name.span, signature.span);
            // The result may be a resource.
            *self.sees_resources.borrow_mut() = true;
            let arguments = self.arguments(call);
            if !(signature.min..=signature.max).contains(&arguments.len()) {
                let takes = if signature.min == signature.max {
                    format!("{}", signature.min)
                } else {
                    format!("{} to {}", signature.min, signature.max)
                };
                self.scope.sink.report(
                    Diagnostic::new(Code::WrongArity, span, format!("`{name}` takes {takes} arguments, not {}", arguments.len()))
                        .also(signature.span, "declared here")
                        .help(format!("give it {takes}, or change the parameters of `{name}`")),
                );
            }
            if let Some(closure) = &call.closure {
                self.scope.sink.error(Code::WrongArity, closure.span, format!("`{name}` takes no block"));
            }
            return Node { op: Op::CallFn(signature.id, arguments), span };
        }
        if let Some(node) = self.outcome_call(call, span) {
            return node;
        }
        match (name, call.args.as_slice()) {
            // Code that the importer could not translate within a block.
            ("untranslated", [why]) if call.closure.is_none() && matches!(why.kind, ExprKind::Str(_)) => {
                return Node { op: Op::Untranslated(Box::new(self.expr(why))), span };
            }
            ("untranslated", _) => {
                let d = Diagnostic::new(Code::WrongArgument, span, "`untranslated` takes the reason, a text");
                self.scope.sink.report(d.help("write `untranslated(\"why\")`"));
                return self.nil(span);
            }
            ("is", [of]) if call.closure.is_none() => {
                if !self.kind.sees_is {
                    let d = Diagnostic::new(Code::NotAllowedHere, span, format!("`is(…)` is not available in `{}`", self.kind.name));
                    self.scope.sink.report(d.help("use it in `insync`, `compare`, messages and action blocks"));
                }
                let node = match (&of.kind, self.bare_attribute(of)) {
                    (_, Some(attribute)) => {
                        self.check_attribute(attribute, of.span);
                        Node { op: Op::Const(Value::sym(attribute.clone())), span: of.span }
                    }
                    (ExprKind::Symbol(attribute), _) => {
                        self.check_attribute(attribute, of.span);
                        self.expr(of)
                    }
                    _ => self.expr(of),
                };
                return Node { op: Op::Is(Some(Box::new(node))), span };
            }
            ("should", [Expr { kind: ExprKind::Symbol(name) | ExprKind::Name(name), span: at }]) if self.kind.bare_attributes => {
                self.needs_self("should", span);
                let op = self.check_attribute(name, *at).map_or(Op::Const(Value::Nil), Op::SelfAttr);
                return Node { op, span };
            }
            ("sync" | "sync_others", _) if !self.kind.action => {
                let d = Diagnostic::new(Code::NotAllowedHere, span, format!("`{}` cannot change the machine", self.kind.name));
                self.scope.sink.report(d.help("only action blocks may: `newvalue`, `sync`, `refresh`"));
                return self.nil(span);
            }
            _ => {}
        }
        let Some(function) = Function::named(name) else {
            let known = Function::ALL.iter().map(|f| f.name()).chain(self.scope.functions.keys().map(EcoString::as_str));
            let d = Diagnostic::new(Code::UnknownName, call.name.span, format!("unknown function `{name}`"));
            let help = if Method::named(name).is_some() {
                Some(Help::from(format!("`{name}` is a method: write `value.{name}`")))
            } else {
                ruby::function(name).map(Help::from).or_else(|| nearest(name, known).map(Help::suggestion))
            };
            self.scope.sink.report(d.maybe_help(help.or(Some("functions are made with `fn name(args) { … }`".into()))));
            call.args.iter().for_each(|a| drop(self.expr(a)));
            return self.nil(span);
        };
        let remembers = match function {
            Function::Remember => &["retrieve", "insync"][..],
            Function::Remembered => &["retrieve", "insync", "is_to_s", "should_to_s", "change_to_s"],
            _ => &[],
        };
        if !remembers.is_empty() && !remembers.contains(&self.kind.name) {
            let d = Diagnostic::new(Code::NotAllowedHere, span, format!("`{name}(…)` is not available in `{}`", self.kind.name));
            let (last, first) = (remembers.last().copied().unwrap_or_default(), remembers.split_last().map(|(_, all)| all.join("`, `")));
            self.scope.sink.report(d.help(format!("use it in `{}` and `{last}`", first.unwrap_or_default())));
        }
        // These functions take a resource, and their result does not depend on `self`.
        let of_given = matches!(name, "title" | "ref" | "type_name");
        if of_given || matches!(name, "resource" | "file_of" | "line_of" | "attributes" | "metaparams") {
            if !of_given {
                self.needs_self(name, span);
            }
            *self.sees_resources.borrow_mut() = true;
        }
        if function == Function::Feature {
            match call.args.first().map(|a| (&a.kind, a.span)) {
                Some((ExprKind::Symbol(feature), span)) => self.scope.check_platform(feature, span),
                Some((ExprKind::Str(text), span)) => {
                    if let Some(feature) = text.plain() {
                        self.scope.check_platform(&feature, span);
                    }
                }
                _ => {}
            }
        }
        if function == Function::Setting {
            self.check_setting(call);
        }
        let arguments = self.arguments(call);
        self.check_call(name, function.arity(), function.block(), arguments.len(), call, span);
        Node { op: Op::Call(function, arguments, call.closure.as_ref().map(|c| self.lambda(c))), span }
    }

    /// Reports an unknown setting.
    fn check_setting(&self, call: &Call) {
        let Some(argument) = call.args.first() else { return };
        let name = match &argument.kind {
            ExprKind::Symbol(name) => name.clone(),
            ExprKind::Str(text) => match text.plain() {
                Some(name) => name,
                None => return,
            },
            _ => return,
        };
        if !setting_names().any(|known| known == name) {
            let d = Diagnostic::new(Code::UnknownSetting, argument.span, format!("unknown setting `{name}`"));
            self.scope.sink.report(d.maybe_help(did_you_mean(&name, setting_names())));
        }
    }

    /// Returns the attribute that a bare word names. Locals and constants with the same name take precedence.
    fn bare_attribute<'e>(&self, of: &'e Expr) -> Option<&'e EcoString> {
        let ExprKind::Name(name) = &of.kind else { return None };
        let is_value = self.locals.borrow().iter().any(|(local, ..)| local == name)
            || self.bindings.contains_key(name)
            || self.scope.names.consts.contains_key(name.as_str());
        (self.kind.bare_attributes && !is_value).then_some(name)
    }

    fn check_call(&self, name: &str, arity: Arity, block: ClosureArgument, given: usize, call: &Call, span: Span) {
        // An argument with a syntax error has been reported, and may represent any number of arguments.
        if call.args.iter().any(|argument| matches!(argument.kind, ExprKind::Error)) {
            return;
        }
        let max = arity.max.map_or(usize::MAX, usize::from);
        if !(usize::from(arity.min)..=max).contains(&given) {
            let takes = match (arity.min, arity.max) {
                (0, Some(0)) => "no arguments".to_owned(),
                (a, Some(b)) if a == b => format!("{a} argument{}", if a == 1 { "" } else { "s" }),
                (a, Some(b)) => format!("{a} to {b} arguments"),
                (a, None) => format!("at least {a} argument{}", if a == 1 { "" } else { "s" }),
            };
            let d = Diagnostic::new(Code::WrongArity, span, format!("`{name}` takes {takes}, not {given}"));
            self.scope.sink.report(d.help(format!("`rtype describe --language {name}` describes it")));
        }
        match (&call.closure, block) {
            (Some(closure), ClosureArgument::No) => {
                self.scope.sink.error(Code::WrongArity, closure.span, format!("`{name}` takes no block"));
            }
            (None, ClosureArgument::Must) => {
                let d = Diagnostic::new(Code::WrongArity, span, format!("`{name}` needs a block"));
                self.scope.sink.report(d.help(format!("write `{name} {{ |x| … }}`")));
            }
            _ => {}
        }
    }

    /// Lowers `receiver.name(a) { |x| … }`.
    pub fn method(&self, receiver: &Expr, call: &Call, span: Span) -> Node {
        let name = call.name.name.as_str();
        if matches!(receiver.kind, ExprKind::SelfRef) {
            return self.self_method(call, span);
        }
        if is_name(receiver, "provider") && self.local("provider").is_none() {
            return self.provider_method(call, span);
        }
        if is_name(receiver, "catalog") && self.local("catalog").is_none() {
            return self.catalog_method(call, span);
        }
        if let ExprKind::Name(name) | ExprKind::Word(name) = &receiver.kind
            && let Some(d) = self.ruby_module(name, receiver.span)
        {
            self.scope.sink.report(d);
            call.args.iter().for_each(|a| drop(self.expr(a)));
            return self.nil(span);
        }
        let (before, is_unread) = (self.scope.sink.count(), matches!(receiver.kind, ExprKind::Error));
        let receiver = Box::new(self.expr(receiver));
        let is_error = is_unread || self.scope.sink.count() > before;
        let Some(method) = Method::named(name) else {
            let arguments = self.arguments(call);
            if arguments.is_empty() && call.closure.is_none() && *self.sees_resources.borrow() {
                return Node { op: Op::ResourceAttr(receiver, name.trim_end_matches('?').into()), span };
            }
            // The members of a receiver with an error are unknown.
            if is_error {
                return self.nil(span);
            }
            let d = Diagnostic::new(Code::UnknownMethod, call.name.span, format!("unknown method `{name}`"));
            let known = Method::ALL.iter().map(|m| m.name());
            let foreign = FOREIGN.iter().find(|(n, _)| *n == name).map(|(_, ours)| Help::from(format!("write `{ours}`")));
            let help = foreign.or_else(|| nearest(name, known).map(Help::suggestion));
            self.scope
                .sink
                .report(d.help(help.unwrap_or_else(|| "`rtype describe --language` lists the methods of every kind of value".into())));
            return self.nil(span);
        };
        let arguments = self.arguments(call);
        self.check_call(name, method.arity(), method.block(), arguments.len(), call, span);
        if let Some(closure) = call.closure.as_ref().filter(|_| method.is(Traits::CONDITION)) {
            self.refuse_assignment_at_end(&closure.body);
        }
        Node { op: Op::Method(method, receiver, arguments, call.closure.as_ref().map(|c| self.lambda(c))), span }
    }

    /// Returns a diagnostic for a Ruby module, as in `Facter.value(…)`, unless a local, constant or data type has this name.
    pub fn ruby_module(&self, name: &str, span: Span) -> Option<Diagnostic> {
        let names = &self.scope.names;
        let own = self.local(name).is_some() || names.consts.contains_key(name) || names.aliases.contains_key(name);
        if own { None } else { ruby::module(name, span) }
    }

    fn one_argument(&self, call: &Call, of: &str, span: Span) -> Box<Node> {
        let mut arguments = self.arguments(call);
        if arguments.len() != 1 {
            self.scope.sink.error(Code::WrongArity, span, format!("`{of}` takes 1 argument, not {}", arguments.len()));
        }
        Box::new(if arguments.is_empty() { self.nil(span) } else { arguments.swap_remove(0) })
    }

    /// Records which raw values the block reads: all values if the argument is not a constant.
    fn note_raw(&self, call: &Call) {
        let known = &self.scope.attributes;
        let mut reads = self.scope.reads_raw.borrow_mut();
        match call.args.first().map(|a| &a.kind) {
            Some(ExprKind::Symbol(name)) => reads.extend(known.get(name.as_str())),
            _ => reads.extend(known.values()),
        }
    }

    fn self_method(&self, call: &Call, span: Span) -> Node {
        let name = call.name.name.as_str();
        self.needs_self("self", span);
        let check_symbol = || {
            if let Some(argument) = call.args.first()
                && let Some(attribute) = name_of(argument)
            {
                self.check_attribute(&attribute, argument.span);
            }
        };
        let op = match name {
            "set?" => {
                check_symbol();
                Op::SelfIsSet(self.one_argument(call, "self.set?", span))
            }
            "declared" => {
                check_symbol();
                self.note_raw(call);
                Op::SelfDeclared(self.one_argument(call, "self.declared", span))
            }
            "raw" => {
                check_symbol();
                self.note_raw(call);
                Op::SelfRaw(self.one_argument(call, "self.raw", span))
            }
            "values" if !call.args.is_empty() => {
                check_symbol();
                Op::SelfValues(self.one_argument(call, "self.values", span))
            }
            "managed?" => Op::SelfManaged,
            _ if !self.scope.attributes.contains_key(name) && ruby::statement(name) => {
                let d = Diagnostic::new(Code::RubyCode, call.name.span, format!("`{name}` is not a method of `self`"));
                self.scope.sink.report(d.help(format!("write `{name} \"…\"`, without `self`")));
                return self.nil(span);
            }
            _ => {
                if let Some(extra) = call.args.first() {
                    self.scope.sink.error(Code::WrongArity, extra.span, format!("the attribute `{name}` takes no arguments"));
                }
                let (base, asks) = name.strip_suffix('?').map_or((name, false), |b| (b, true));
                match self.check_attribute(base, call.name.span) {
                    Some(id) if asks => Op::SelfTrue(id),
                    Some(id) => Op::SelfAttr(id),
                    None => Op::Const(Value::Nil),
                }
            }
        };
        Node { op, span }
    }

    /// Records the use of a provider method, a feature or, since providers have methods for properties, an attribute. Any other name is
    /// an undeclared method.
    pub fn refer_method(&self, name: &str, span: Span) {
        let (scope, base) = (self.scope, name.strip_suffix('?').unwrap_or(name));
        if let Some(method) = scope.queries.get(name).or_else(|| scope.actions.get(name)) {
            scope.sink.refer(NameKind::Method, span, *method);
        } else if let Some(feature) = scope.features.get(base) {
            scope.sink.refer(NameKind::Feature, span, *feature);
        } else if let Some(id) = scope.attributes.get(base) {
            scope.refer_attribute(*id, span);
        } else if !matches!(name, "features" | "satisfies?") {
            scope.sink.ask(span, scope.owner);
        }
    }

    fn provider_method(&self, call: &Call, span: Span) -> Node {
        let name = call.name.name.as_str();
        self.needs_self("provider", span);
        match name {
            "name" => {
                return Node { op: Op::ProviderName, span };
            }
            "has?" => {
                if let Some(Expr { kind: ExprKind::Symbol(method), span }) = call.args.first() {
                    self.refer_method(method, *span);
                    self.guarded.borrow_mut().push(method.clone());
                }
                return Node { op: Op::ProviderHas(self.one_argument(call, "provider.has?", span)), span };
            }
            _ => {}
        }
        let arguments = self.arguments(call);
        let scope = self.scope;
        self.refer_method(name, call.name.span);
        if let ("satisfies?", Some(Expr { kind: ExprKind::Symbol(feature), span })) = (name, call.args.first()) {
            self.refer_method(feature, *span);
        }
        let is_action = scope.actions.contains_key(name) || matches!(name, "create" | "destroy" | "flush" | "refresh");
        let is_feature =
            name.strip_suffix('?').is_some_and(|f| scope.features.contains_key(f)) || matches!(name, "features" | "satisfies?");
        let is_query = is_feature
            || scope.queries.contains_key(name)
            || scope.attributes.contains_key(name)
            || (!is_action && self.guarded.borrow().iter().any(|g| g == name));
        if is_query || scope.open {
            // The method is a query, or the type is unknown.
        } else if is_action {
            if !self.kind.action {
                let d = Diagnostic::new(Code::NotAllowedHere, call.name.span, format!("`provider.{name}` changes the machine"));
                scope.sink.report(
                    d.help("only action blocks may call it: `newvalue`, `sync`, `refresh`; a reading method is declared in `queries`"),
                );
            }
        } else if scope.has_providers {
            let (known, word): (Vec<&str>, _) = if self.kind.action {
                (scope.queries.keys().chain(scope.actions.keys()).map(EcoString::as_str).collect(), "actions")
            } else {
                (scope.queries.keys().map(EcoString::as_str).collect(), "queries")
            };
            let d = Diagnostic::new(Code::UnknownMethod, call.name.span, format!("no provider of the type has the method `{name}`"));
            let declare = format!("declare it in a provider: `{word} [{name}]`");
            scope.sink.report(d.help(match nearest(name, known) {
                Some(near) => Help::suggestion(near).or_else(format!("Else {declare}")),
                None => Help::from(declare),
            }));
        }
        Node { op: Op::Provider(name.into(), arguments), span }
    }

    fn catalog_method(&self, call: &Call, span: Span) -> Node {
        *self.sees_resources.borrow_mut() = true;
        if let Some(Expr { kind: ExprKind::Symbol(type_name), span }) = call.args.first() {
            self.scope.sink.refer_type(type_name, *span, self.scope.names);
        }
        if let ("find", [Expr { kind: ExprKind::Str(reference), span }]) = (call.name.name.as_str(), call.args.as_slice())
            && let Some(reference) = reference.plain()
            && !(reference.ends_with(']') && reference.contains('[') && reference.starts_with(char::is_uppercase))
        {
            let d = Diagnostic::new(Code::WrongArgument, *span, format!("`{reference}` is not a reference"));
            self.scope.sink.report(d.help("write `catalog.find(\"Type[title]\")` or `catalog.find(:type, title)`"));
        }
        let arguments = self.arguments(call);
        let (what, range) = match call.name.name.as_str() {
            "resources" => (CatalogCall::Resources, 0..=1),
            "find" => (CatalogCall::Find, 1..=2),
            "type" => (CatalogCall::Type, 1..=1),
            "instances" => (CatalogCall::Instances, 1..=1),
            "present?" => (CatalogCall::Present, 0..=0),
            other => {
                let d = Diagnostic::new(Code::UnknownMethod, call.name.span, format!("the catalog has no method `{other}`"));
                self.scope.sink.report(d.maybe_help(did_you_mean(other, ["resources", "find", "type", "instances", "present?"])));
                return self.nil(span);
            }
        };
        if !range.contains(&arguments.len()) {
            let example = "`catalog.resources(:t)`, `catalog.find(:t, title)`, `catalog.find(\"T[title]\")`, `catalog.type(:t)`, `catalog.instances(:t)` and `catalog.present?`";
            let d = Diagnostic::new(
                Code::WrongArity,
                span,
                format!("`catalog.{}` does not take {} arguments", call.name.name, arguments.len()),
            );
            self.scope.sink.report(d.help(format!("write {example}")));
        }
        Node { op: Op::Catalog(what, arguments), span }
    }

    /// Returns `true` if the name before `[` is an unknown constant rather than a data type or the type of a resource: the name is
    /// written in capitals, or differs from a constant's name only in case.
    fn is_meant_as_constant(&self, name: &str) -> bool {
        let consts = &self.scope.names.consts;
        let is_defined = self.local(name).is_some() || self.bindings.contains_key(name) || consts.contains_key(name);
        let is_similar = || name.starts_with(char::is_uppercase) && consts.keys().any(|known| known.eq_ignore_ascii_case(name));
        !is_defined && !self.is_known_in_capitals(name) && (is_constant(name) || is_similar())
    }

    /// Lowers `receiver[a, b]`, `Integer[1, 2]`, `User['bob']`.
    pub fn index(&self, receiver: &Expr, items: &[Expr], span: Span) -> Node {
        match &receiver.kind {
            ExprKind::SelfRef => {
                self.needs_self("self", span);
                let node = match items {
                    [one] if let Some(name) = name_of(one) => match self.check_attribute(&name, one.span) {
                        Some(id) => Op::SelfAttr(id),
                        None => Op::Const(Value::Nil),
                    },
                    [one] => Op::SelfIndex(Box::new(self.expr(one))),
                    _ => {
                        self.scope.sink.error(Code::WrongArity, span, "`self[…]` takes one attribute's name");
                        Op::Const(Value::Nil)
                    }
                };
                Node { op: node, span }
            }
            ExprKind::Name(name) if self.is_meant_as_constant(name) => {
                items.iter().for_each(|item| drop(self.expr(item)));
                self.unknown_name(name, receiver.span)
            }
            ExprKind::Name(name)
                if name.starts_with(|c: char| c.is_uppercase())
                    && self.local(name).is_none()
                    && !self.bindings.contains_key(name)
                    && !self.scope.names.consts.contains_key(name.as_str()) =>
            {
                // `User['bob']` is a resource, `Integer[1]` is a data type.
                if let [Expr { kind: ExprKind::Str(title), .. }] = items
                    && !super::datatype::is_data_type(name)
                    && let Some(title) = title.plain()
                {
                    let type_name = name.to_lowercase().as_str().into();
                    self.scope.sink.refer_type(&name.to_lowercase(), receiver.span, self.scope.names);
                    let reference = ResourceRef { type_name, title };
                    return Node { op: Op::Const(Value::Resource(Arc::new(reference))), span };
                }
                match self.data_type(name, items, span) {
                    Some(t) => Node { op: Op::Const(Value::Type(Arc::new(t))), span },
                    None => self.nil(span),
                }
            }
            _ => {
                let receiver = Box::new(self.expr(receiver));
                Node { op: Op::Index(receiver, items.iter().map(|i| self.expr(i)).collect()), span }
            }
        }
    }
}

/// Returns the name spelled by a symbol or a constant string.
fn name_of(expr: &Expr) -> Option<EcoString> {
    match &expr.kind {
        ExprKind::Symbol(name) => Some(name.clone()),
        ExprKind::Str(text) => text.plain(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_other_languages_are_no_methods_here() {
        let here: Vec<_> = FOREIGN.iter().filter(|(word, _)| Method::named(word).is_some()).collect();
        assert!(here.is_empty(), "these are methods and never asked for: {here:?}");
    }
}
