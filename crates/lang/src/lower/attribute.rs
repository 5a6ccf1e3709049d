//! Lowers `newparam` and `newproperty`, with options, kind and body, to [`AttributeDef`]s.

use super::NameKind;
use super::block::{Bindings, BlockKind, Bound, TypeScope};
use super::directives::{Placed, arity, body, code, only_options, only_parts, option, unknown, word};
use super::expr::single;
use super::untranslated::{is_untranslated_attribute, untranslated};
use super::values::value_name;
use super::words::{ATTRIBUTE_DIRECTIVES, ATTRIBUTE_WORDS, KINDS, options_of};
use crate::diagnostics::{Code, Diagnostic, did_you_mean};
use crate::source::Span;
use crate::syntax::ast::{Body, Call, Declaration, Directive, DirectiveBlock, Expr, ExprKind, Ident, Opt, Quote};
use crate::types::{
    ArrayMatching, AttributeDef, CodeBlock, Compare, Default as TypeDefault, Layers, Matches, NativeKind, Redact, Role, ValueSet, ValueStep,
};
use crate::value::{ComparisonMode, EcoString, Value};
use indexmap::IndexMap;
use std::rc::Rc;

/// Directives about the comparison with the machine, for properties only.
const COMPARING: &[&str] =
    &["insync", "compare", "is_to_s", "should_to_s", "change_to_s", "retrieve", "sync", "should", "redact", "init_only"];

/// The maximum number of kinds in a chain.
const MAX_KINDS: usize = 16;

impl TypeScope<'_> {
    /// Returns an attribute with a name and role and defaults for everything else.
    pub(super) fn blank(name: &Ident, role: Role) -> AttributeDef {
        AttributeDef {
            name: name.name.clone().into(),
            span: name.span,
            role,
            doc: String::new(),
            namevar: false,
            required: None,
            readonly: None,
            init_only: None,
            sensitive: false,
            deprecated: None,
            data_type: None,
            data_type_span: Span::NONE,
            values: ValueSet::default(),
            default: None,
            array_matching: ArrayMatching::First,
            required_features: Vec::new(),
            ensurable: false,
            validate: Layers { steps: vec![ValueStep::Values], dropped: None },
            munge: Layers { steps: vec![ValueStep::Values], dropped: None },
            conversion: None,
            from_title: None,
            unmunge: None,
            should: None,
            compares_given: false,
            insync: None,
            compare: Compare::Named(ComparisonMode::Default),
            is_to_s: None,
            should_to_s: None,
            change_to_s: None,
            redact: None,
            retrieve: None,
            sync: None,
            native: None,
        }
    }

    /// Lowers `newparam name, options { body }` and `newproperty name, options { body }`.
    pub(super) fn attribute(&self, placed: &Placed<'_>, name: &Ident, role: Role) -> AttributeDef {
        let options = &placed.directive.options;
        let mut attribute = TypeScope::blank(name, role);
        let mut directives = Vec::new();
        if let Some(kind) = option(options, "kind") {
            self.kind(kind, &placed.bindings, &mut directives, &mut attribute, 0);
            if role != Role::Property {
                // A kind serves properties and params.
                directives.retain(|placed| !COMPARING.contains(&placed.directive.name.name.as_str()));
            }
        }
        if let Some(own) = body(placed.directive) {
            directives.extend(own.directives.iter().map(|d| Placed { directive: d, bindings: Rc::clone(&placed.bindings) }));
        }
        if let Some(value) = option(options, "array_matching") {
            self.array_matching(value, &mut attribute);
        }
        attribute.required_features = self.feature_list(option(options, "required_features"));
        if let Some(value) = option(options, "namevar") {
            attribute.namevar = self.literals(&placed.bindings).value(value).is_some_and(|v| v.is_truthy());
        }
        self.attribute_body(&directives, &mut attribute);
        attribute
    }

    /// Applies the directives of an attribute in order, the kind's directives first.
    pub(super) fn attribute_body(&self, directives: &[Placed<'_>], attribute: &mut AttributeDef) {
        // `untranslated attribute` counts after the directives of the attribute, also if a kind contains it.
        let is_whole = |placed: &&Placed<'_>| is_untranslated_attribute(placed.directive);
        for placed in directives.iter().filter(|p| !is_whole(p)).chain(directives.iter().filter(is_whole)) {
            self.attribute_directive(placed, attribute);
        }
        if attribute.sensitive {
            directives.iter().for_each(|placed| self.hide(placed.directive));
        }
        let aliases = attribute.values.aliases.iter().map(|a| a.name_span);
        for value in attribute.values.values.iter().map(|v| v.span).chain(aliases) {
            self.sink.member(attribute.span, NameKind::Value, value);
        }
        self.check_aliases(directives, &attribute.values);
        self.refer_defaults(directives, attribute);
        self.check_list_type(attribute);
        self.check_default(attribute);
    }

    /// Records the values that defaults name.
    fn refer_defaults(&self, directives: &[Placed<'_>], attribute: &AttributeDef) {
        if attribute.values.is_empty() {
            return;
        }
        for argument in directives.iter().filter(|p| p.directive.name.name == "defaultto").flat_map(|p| &p.directive.args) {
            let all = if let ExprKind::Array(all) = &argument.kind { all.as_slice() } else { std::slice::from_ref(argument) };
            for value in all {
                if let Some(text) = value_name(value) {
                    self.sink.refer(NameKind::Value, value.span, attribute.values.span_of(&text));
                }
            }
        }
    }

    /// Hides the secrets in a directive on a sensitive attribute: the default, and the Ruby of an untranslated block.
    fn hide(&self, directive: &Directive) {
        match (directive.name.name.as_str(), &directive.block) {
            ("defaultto", Some(DirectiveBlock::Code(closure))) => self.sink.secret_code.borrow_mut().push(closure.span),
            ("defaultto", _) => directive.args.iter().for_each(|a| self.sink.secret(a.span)),
            ("untranslated", _) => self.sink.secret_code.borrow_mut().extend(directive.options.iter().map(|o| o.value.span)),
            _ => {}
        }
    }

    /// Collects the directives of a kind and its base kinds, or sets the attribute's native kind.
    fn kind<'s>(&'s self, expr: &'s Expr, bindings: &Bindings, out: &mut Vec<Placed<'s>>, attribute: &mut AttributeDef, depth: usize) {
        if depth > MAX_KINDS {
            self.sink.error(Code::NestingTooDeep, expr.span, "kinds that build on each other without end");
            return;
        }
        let (name, span, call) = match &expr.kind {
            ExprKind::Word(w) | ExprKind::Symbol(w) => (w, expr.span, None),
            ExprKind::Call(call) => (&call.name.name, call.name.span, Some(call)),
            ExprKind::Error => return,
            _ => {
                return self.sink.error(Code::WrongArgument, expr.span, "a kind's name is expected here");
            }
        };
        if let Some(kind) = self.names.kinds.get(name.as_str()) {
            self.sink.refer(NameKind::Kind, span, kind.name.span);
            let inner = self.bind(kind, call, span, bindings);
            if let Some(parent) = option(&kind.options, "kind") {
                self.kind(parent, &inner, out, attribute, depth + 1);
            }
            out.extend(kind.body.directives.iter().map(|d| Placed { directive: d, bindings: Rc::clone(&inner) }));
        } else if let Some(native) = self.native_kind(name, call, bindings) {
            if matches!(native, NativeKind::List { .. } | NativeKind::KeyValue { .. }) && attribute.role == Role::Property {
                attribute.array_matching = ArrayMatching::All;
            }
            attribute.validate.steps.push(ValueStep::Native);
            attribute.munge.steps.push(ValueStep::Native);
            attribute.native = Some(native);
        } else {
            let offered = KINDS.iter().filter(|k| k.of.is_empty()).map(|k| k.name).filter(|k| !self.names.kinds.contains_key(k));
            let known = self.names.kinds.keys().copied().chain(offered);
            let d = Diagnostic::new(Code::UnknownKind, span, format!("unknown kind `{name}`"));
            self.sink.report(
                d.help(
                    did_you_mean(name, known)
                        .unwrap_or_else(|| "declare it with `kind NAME(…) { … }`, or name its file with `use \"…\"`".into()),
                ),
            );
        }
    }

    /// Binds the parameters of a kind or mixin to a call's arguments.
    pub(super) fn bind(&self, declaration: &Declaration, call: Option<&Call>, span: Span, bindings: &Bindings) -> Bindings {
        let outer = self.literals(bindings);
        let mut bound: IndexMap<EcoString, Bound> = IndexMap::new();
        let (args, named): (&[Expr], &[Opt]) = call.map_or((&[], &[]), |c| (&c.args, &c.named));
        let params = &declaration.params;
        for (param, argument) in params.iter().zip(args) {
            bound.insert(param.name.name.clone(), Bound { value: outer.value(argument).unwrap_or_default(), span: param.name.span });
        }
        for option in named {
            let param = params.iter().find(|p| p.name.name == option.name.name).map(|p| p.name.span);
            if let Some(param) = param {
                self.sink.refer(NameKind::Local, option.name.span, param);
            } else {
                let d = Diagnostic::new(
                    Code::UnknownOption,
                    option.name.span,
                    format!("`{}` has no parameter `{}`", declaration.name.name, option.name.name),
                );
                self.sink.report(d.maybe_help(did_you_mean(&option.name.name, params.iter().map(|p| p.name.name.as_str()))));
            }
            let value = outer.value(&option.value).unwrap_or_default();
            bound.insert(option.name.name.clone(), Bound { value, span: param.unwrap_or(Span::NONE) });
        }
        let missing = params.iter().filter(|p| p.default.is_none() && !bound.contains_key(&p.name.name)).count();
        let misnamed = named.iter().any(|o| params.iter().all(|p| p.name.name != o.name.name));
        if args.len() > params.len() || (missing > 0 && !misnamed) {
            let shown: Vec<_> = params.iter().map(|p| p.name.name.as_str()).collect();
            self.sink.report(
                Diagnostic::new(
                    Code::WrongArity,
                    span,
                    format!(
                        "`{}` takes {} argument{}, not {}",
                        declaration.name.name,
                        params.len(),
                        if params.len() == 1 { "" } else { "s" },
                        bound.len().max(args.len())
                    ),
                )
                .also(declaration.name.span, "declared here")
                .help(format!("it takes ({})", shown.join(", "))),
            );
        }
        for param in params {
            if !bound.contains_key(&param.name.name) {
                let so_far: Bindings = Rc::new(bound.clone());
                let value = param.default.as_ref().and_then(|e| self.literals(&so_far).value(e)).unwrap_or_default();
                bound.insert(param.name.name.clone(), Bound { value, span: param.name.span });
            }
        }
        Rc::new(bound)
    }

    fn native_kind(&self, name: &str, call: Option<&Call>, bindings: &Bindings) -> Option<NativeKind> {
        let literals = self.literals(bindings);
        if !KINDS.iter().any(|k| k.name == name) {
            return None;
        }
        if let Some(call) = call {
            only_options(&call.named, name, self.sink);
            if let Some(extra) = call.args.first() {
                let d = Diagnostic::new(Code::WrongArity, extra.span, format!("`{name}` takes named arguments only"));
                self.sink.report(d.maybe_help(options_of(name).first().map(|k| format!("write `{name}({k}: …)`"))));
            }
        }
        let named = |key: &str| call.and_then(|c| option(&c.named, key)).and_then(|e| literals.value(e));
        let text = |key: &str, or: &str| named(key).map_or_else(|| EcoString::from(or), |v| v.to_text());
        if let Some(Expr { kind: ExprKind::Word(param), span }) = call.and_then(|c| option(&c.named, "membership")) {
            self.attributes.get(param.as_str()).into_iter().for_each(|id| self.refer_attribute(*id, *span));
        }
        let membership = || named("membership").map(|v| v.to_text().into());
        Some(match name {
            "list" => NativeKind::List { membership: membership(), delimiter: text("delimiter", ","), ordered: false },
            "ordered_list" => NativeKind::List { membership: membership(), delimiter: text("delimiter", ","), ordered: true },
            "key_value" => NativeKind::KeyValue {
                membership: membership(),
                separator: text("separator", "="),
                delimiter: text("delimiter", ";"),
                only_changed: named("show").is_some_and(|v| v.to_text() == "changed"),
            },
            "path" => NativeKind::Path { arrays: named("arrays").is_some_and(|v| v.is_truthy()) },
            "package_options" => NativeKind::PackageOptions,
            "file_owner" => NativeKind::FileOwner,
            "file_group" => NativeKind::FileGroup,
            "file_mode" => NativeKind::FileMode,
            "file_content" => NativeKind::FileContent,
            "file_source" => NativeKind::FileSource,
            "relationship" => NativeKind::Relationship,
            "audit" => NativeKind::Audit,
            _ => return None,
        })
    }

    fn array_matching(&self, value: &Expr, attribute: &mut AttributeDef) {
        let Some((name, span)) = word(value, "`first` or `all`", self.sink) else {
            return;
        };
        match name {
            "all" if attribute.role != Role::Property => {
                let d = Diagnostic::new(Code::NotAllowedHere, span, "a param takes its value whole, it has no `array_matching`");
                self.sink.report(d.help("delete the option, or make it a property"));
            }
            "all" => attribute.array_matching = ArrayMatching::All,
            "first" => attribute.array_matching = ArrayMatching::First,
            _ => self.sink.report(
                Diagnostic::new(Code::WrongArgument, span, format!("`array_matching` is `first` or `all`, not `{name}`"))
                    .maybe_help(did_you_mean(name, ["first", "all"])),
            ),
        }
    }

    fn attribute_directive(&self, placed: &Placed<'_>, attribute: &mut AttributeDef) {
        let directive = placed.directive;
        let name = directive.name.name.as_str();
        let literals = self.literals(&placed.bindings);
        only_parts(directive, ATTRIBUTE_WORDS, self.sink);
        if directive.is_override && !matches!(name, "validate" | "munge") {
            let d = Diagnostic::new(Code::NotAllowedHere, directive.span, format!("`override` does not go with `{name}`"));
            self.sink.report(d.help("only `validate` and `munge` add up and can be overridden; the others always replace"));
        }
        let is_shown =
            name == "should" && matches!(directive.args.first().map(|arg| &arg.kind), Some(ExprKind::Word(word)) if word == "shown");
        let block = |kind: BlockKind| -> Option<CodeBlock> {
            let example = match kind.params {
                [] => format!("{name} {{ … }}"),
                params => format!("{name} {{ |{}| … }}", params.join(", ")),
            };
            let closure = code(directive, &example, self.sink)?;
            arity(directive, 0, usize::from(is_shown), &example, self.sink);
            Some(self.block(closure, kind, &placed.bindings))
        };
        match name {
            "untranslated" => {
                for failing in untranslated(placed, Some(attribute.role), self.sink) {
                    self.attribute_directive(&Placed { directive: &failing, bindings: Rc::clone(&placed.bindings) }, attribute);
                }
                return;
            }
            "desc" => attribute.doc = self.doc(directive, &placed.bindings),
            "isnamevar" => {
                self.bare(directive);
                attribute.namevar = true;
            }
            "init_only" => {
                self.bare(directive);
                attribute.init_only = Some(directive.name.span);
            }
            "required" => {
                self.bare(directive);
                attribute.required = Some(directive.name.span);
            }
            "sensitive" => {
                // The argument is optional; Puppet writes `sensitive true`.
                if arity(directive, 0, 1, "sensitive", self.sink) {
                    attribute.sensitive = directive.args.first().is_none_or(|a| literals.value(a).is_some_and(|v| v.is_truthy()));
                }
            }
            "readonly" | "deprecated" | "conversion" => {
                if arity(directive, 1, 1, &format!("{name} \"why\""), self.sink)
                    && let Some(why) = directive.args.first().and_then(|a| literals.string(a, "the reason"))
                {
                    match name {
                        "readonly" => {
                            attribute.readonly = Some(why.to_string());
                            attribute.validate.steps.insert(0, ValueStep::Readonly(directive.span));
                        }
                        "deprecated" => attribute.deprecated = Some(why.to_string()),
                        _ => attribute.conversion = Some(why.to_string()),
                    }
                }
            }
            "type" => {
                if arity(directive, 1, 1, "type Integer[1, 65535]", self.sink) {
                    attribute.data_type = directive.args.first().and_then(|a| literals.data_type(a));
                    attribute.data_type_span = directive.span;
                }
            }
            "newvalue" | "newvalues" => self.new_values(placed, &mut attribute.values),
            "aliasvalue" => self.alias_value(placed, &mut attribute.values),
            "defaultto" => self.defaultto(placed, attribute),
            "nodefault" => {
                self.bare(directive);
                attribute.default = None;
            }
            "defaultvalues" if attribute.ensurable => {
                self.bare(directive);
                self.default_ensure_values(attribute, directive.name.span);
                attribute.default = Some(TypeDefault::Code(super::ensure::present_when_managed(directive.name.span)));
            }
            "array_matching" => {
                if arity(directive, 1, 1, "array_matching all", self.sink)
                    && let Some(value) = directive.args.first()
                {
                    self.array_matching(value, attribute);
                }
            }
            "validate" | "munge" => {
                let kind = if name == "validate" { BlockKind::VALIDATE } else { BlockKind::MUNGE };
                if let Some(code) = block(kind) {
                    let layers = if name == "validate" { &mut attribute.validate } else { &mut attribute.munge };
                    if directive.is_override {
                        layers.dropped = Some(Box::new(std::mem::take(layers)));
                    }
                    layers.steps.push(ValueStep::Code(code));
                }
            }
            "matches" => self.matches(placed, attribute),
            "from_title" => attribute.from_title = block(BlockKind::FROM_TITLE),
            "unmunge" => replace(&mut attribute.unmunge, block(BlockKind::UNMUNGE)),
            "should" => {
                replace(&mut attribute.should, block(BlockKind::SHOULD));
                attribute.compares_given = is_shown;
            }
            "insync" => replace(&mut attribute.insync, block(BlockKind::INSYNC)),
            "is_to_s" => replace(&mut attribute.is_to_s, block(BlockKind::IS_TO_S)),
            "should_to_s" => replace(&mut attribute.should_to_s, block(BlockKind::SHOULD_TO_S)),
            "change_to_s" => replace(&mut attribute.change_to_s, block(BlockKind::CHANGE_TO_S)),
            "retrieve" => replace(&mut attribute.retrieve, block(BlockKind::RETRIEVE)),
            // A method left in Ruby may run before or after those that the block replaces.
            "sync" if attribute.sync.as_ref().is_some_and(CodeBlock::is_untranslated) => drop(block(BlockKind::SYNC)),
            "sync" => replace(&mut attribute.sync, block(BlockKind::SYNC)),
            "compare" => self.compare(placed, attribute),
            "redact" => self.redact(placed, attribute),
            _ => unknown(directive, ATTRIBUTE_DIRECTIVES, "an attribute", self.sink),
        }
        if attribute.role != Role::Property && COMPARING.contains(&name) {
            let d = Diagnostic::new(
                Code::NotAllowedHere,
                directive.name.span,
                format!("a param is never compared, `{name}` has no meaning here"),
            );
            self.sink.report(d.help("make the attribute a property, or delete the directive"));
        }
    }

    /// Checks that a directive has no arguments.
    fn bare(&self, directive: &Directive) {
        arity(directive, 0, 0, &directive.name.name, self.sink);
    }

    pub(super) fn doc(&self, directive: &Directive, bindings: &Bindings) -> String {
        if !arity(directive, 1, 1, "desc \"what it is for\"", self.sink) {
            return String::new();
        }
        let Some(argument) = directive.args.first() else { return String::new() };
        let text = self.literals(bindings).string(argument, "a description").unwrap_or_default();
        let is_block = matches!(&argument.kind, ExprKind::Str(text) if matches!(text.quote, Quote::Text));
        if is_block { text.trim().to_owned() } else { unindented(text.trim()) }
    }

    fn defaultto(&self, placed: &Placed<'_>, attribute: &mut AttributeDef) {
        let directive = placed.directive;
        match (&directive.block, directive.args.as_slice()) {
            (Some(DirectiveBlock::Code(closure)), []) => {
                attribute.default = Some(TypeDefault::Code(self.block(closure, BlockKind::DEFAULTTO, &placed.bindings)));
            }
            (None, [value]) => {
                attribute.default = self.literals(&placed.bindings).value(value).map(|v| TypeDefault::Value(v, value.span));
            }
            (_, arguments) if arguments.iter().any(|a| matches!(a.kind, ExprKind::Error)) => {}
            _ => {
                let d = Diagnostic::new(Code::WrongArity, directive.name.span, "`defaultto` takes one value or a block");
                self.sink.report(d.help("write `defaultto present`, `defaultto [a, b]` or `defaultto { … }`"));
            }
        }
    }

    fn matches(&self, placed: &Placed<'_>, attribute: &mut AttributeDef) {
        let directive = placed.directive;
        if !arity(directive, 1, 1, "matches /\\A\\d+\\z/, message: \"…\"", self.sink) {
            return;
        }
        let Some(pattern) = directive.args.first() else {
            return;
        };
        match self.literals(&placed.bindings).value(pattern) {
            Some(Value::Regex(regex)) => {
                let message = option(&directive.options, "message").map(|m| self.message(m, &placed.bindings));
                attribute.validate.steps.push(ValueStep::Matches(Matches { regex, message, span: directive.span }));
            }
            Some(other) => {
                let message = format!("`matches` takes a regex, not {}", other.kind_name());
                self.sink.report(Diagnostic::new(Code::WrongArgument, pattern.span, message).help("write it between slashes: `/…/`"));
            }
            None => {}
        }
    }

    /// Converts a `message:` to a block with the value as its parameter.
    fn message(&self, message: &Expr, bindings: &Bindings) -> CodeBlock {
        let value = Ident { name: "value".into(), span: Span::NONE };
        self.code(std::slice::from_ref(&value), &single(message), message.span, BlockKind::MESSAGE, bindings)
    }

    fn compare(&self, placed: &Placed<'_>, attribute: &mut AttributeDef) {
        let directive = placed.directive;
        match (&directive.block, directive.args.as_slice()) {
            (Some(DirectiveBlock::Code(closure)), []) => {
                attribute.compare = Compare::Code(self.block(closure, BlockKind::COMPARE, &placed.bindings));
            }
            (None, [how]) => {
                let Some((name, span)) = word(how, "a comparison's name", self.sink) else {
                    return;
                };
                match ComparisonMode::named(name) {
                    Some(comparison) => attribute.compare = Compare::Named(comparison),
                    None => self.sink.report(
                        Diagnostic::new(Code::WrongArgument, span, format!("unknown comparison `{name}`"))
                            .maybe_help(did_you_mean(name, ComparisonMode::NAMED.iter().map(|(n, _, _)| *n))),
                    ),
                }
            }
            _ => {
                let d = Diagnostic::new(Code::WrongArity, directive.name.span, "`compare` takes one name or a block");
                self.sink.report(d.help("write `compare unordered` or `compare { |is, should| … }`"));
            }
        }
    }

    fn redact(&self, placed: &Placed<'_>, attribute: &mut AttributeDef) {
        let directive = placed.directive;
        arity(directive, 0, 0, "redact is: \"…\", should: \"…\"", self.sink);
        let literals = self.literals(&placed.bindings);
        let text =
            |key: &str, or: &str| option(&directive.options, key).and_then(|e| literals.string(e, "the text")).unwrap_or_else(|| or.into());
        let condition = directive.condition.as_ref().map(|c| {
            let lowerer = self.lowerer(BlockKind::REDACT, &placed.bindings);
            let test = lowerer.condition(c);
            lowerer.finish(0, test, c.test.span)
        });
        attribute.redact = Some(Redact { is: text("is", "[redacted]"), should: text("should", "[redacted]"), condition });
    }
}

/// Removes the common indentation from all lines of a string but the first.
fn unindented(text: &str) -> String {
    let further = || text.lines().skip(1).filter(|line| !line.trim().is_empty());
    let common = further().map(|line| line.len() - line.trim_start_matches([' ', '\t']).len()).min().unwrap_or(0);
    let lines = text.lines().enumerate().map(|(i, line)| if i == 0 { line } else { line.get(common..).unwrap_or("").trim_end() });
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns the directives in a body, each with the bindings in effect there.
pub(super) fn placed<'a>(body: &'a Body, bindings: &Bindings) -> Vec<Placed<'a>> {
    body.directives.iter().map(|d| Placed { directive: d, bindings: Rc::clone(bindings) }).collect()
}

/// Replaces the block of a kind; `super` in the new block runs the replaced block.
fn replace(own: &mut Option<CodeBlock>, new: Option<CodeBlock>) {
    let before = own.take();
    *own = new.map(|new| new.replacing(before));
}
