//! The directives of a type.

use super::{TypeReport, titles, words};
use crate::facts::{SelfObject, possible_writes};
use crate::lower::{self, BlockRole, LoweredBlock, UntranslatedCode, UntranslatedReason, build};
use crate::overrides::{ATTRIBUTE, TYPE, is_type_class_hook, is_type_hook, kept_of_hook, only_lists};
use crate::puppet::{DeclaredBlock, DeclaredDirective, DeclaredMethod, PuppetType};
use rtype_lang::source::Span;
use rtype_lang::syntax::ast::{Body, Closure, Directive, DirectiveBlock, Expr, ExprKind, Opt, TitlePatternRow};
use rtype_ruby::hir::{HirKind, SourceRange, Target};
use rtype_ruby::run::{CodeSource, PlainValue};

/// The automatic relations to other resources.
const RELATIONS: &[&str] = &["autorequire", "autobefore", "autonotify", "autosubscribe"];

/// Returns a directive without arguments.
pub(crate) fn new(name: &str) -> Directive {
    Directive {
        name: build::ident(name),
        is_override: false,
        args: Vec::new(),
        options: Vec::new(),
        condition: None,
        block: None,
        span: Span::NONE,
    }
}

/// Returns a directive with a block of code.
pub(crate) fn coded(name: &str, closure: Closure) -> Directive {
    let is_override = name.starts_with("override ");
    let name = name.strip_prefix("override ").unwrap_or(name);
    Directive { is_override, block: Some(DirectiveBlock::Code(closure)), ..new(name) }
}

pub(crate) fn option(name: &str, value: rtype_lang::syntax::ast::Expr) -> Opt {
    Opt { name: build::ident(name), value }
}

impl TypeReport<'_, '_> {
    pub(super) fn type_directives(&mut self, declared: &PuppetType) -> Vec<Directive> {
        let mut out = Vec::new();
        for directive in &declared.directives {
            self.count_block(directive);
            let made = self.type_directive(directive);
            out.extend(made.map(|made| self.placed(made, directive.origin)));
        }
        if let Some(why) = self.file.run.unknown_methods(declared.class) {
            let reason = UntranslatedReason::Computed(format!("what the type builds upon ({why})"));
            let left = self.untranslated(TYPE, None, UntranslatedCode { reason, origin: declared.origin });
            out.push(left);
        }
        for method in &declared.methods {
            let made = match is_title_patterns(method) {
                true => self.title_patterns(declared),
                false => self.type_method(declared, method).into_iter().collect(),
            };
            out.extend(made.into_iter().map(|made| self.placed(made, origin_of(method).unwrap_or_default())));
        }
        let has_namevar = self.names.attributes.contains("name") || declared.directives.iter().any(|d| self.is_namevar(d));
        if !has_namevar && !declared.directives.iter().any(|d| d.word == "newparam") {
            // In Puppet this type has no namevar, and every title is refused.
            out.push(Directive { args: vec![words::word("name")], ..new("newparam") });
            let row = TitlePatternRow {
                pattern: build::regex("([^\\s\\S])".into(), Default::default()),
                attributes: vec![build::ident("name")],
                span: Span::NONE,
            };
            out.push(Directive { block: Some(DirectiveBlock::TitlePatterns(vec![row], Span::NONE)), ..new("title_patterns") });
        }
        for feature in std::mem::take(&mut self.undeclared) {
            let name = format!("undeclared_{feature}");
            out.insert(0, Directive { args: vec![words::member(&name)], ..new("feature") });
        }
        let calls = std::mem::take(&mut self.calls);
        for (function, origin, parts, constants) in self.functions.reachable(calls) {
            self.constants.extend(constants);
            self.left.extend(parts.into_iter().map(|part| ("helper".to_owned(), part)));
            let made = Directive { block: Some(DirectiveBlock::Fn(Box::new(function))), ..new("fn") };
            out.push(self.placed(made, origin));
        }
        in_order(&mut out);
        self.properties_last(declared, &mut out);
        if let Some(namevar) = self.property_namevar(declared) {
            let pattern = build::regex("(.*)".into(), rtype_lang::value::Flags { dot_all: true, ..Default::default() });
            let row = TitlePatternRow { pattern, attributes: vec![build::ident(&namevar)], span: Span::NONE };
            out.push(Directive { block: Some(DirectiveBlock::TitlePatterns(vec![row], Span::NONE)), ..new("title_patterns") });
        }
        leave_all(&mut out);
        for name in std::mem::take(&mut self.unknown) {
            let is_it = |d: &&mut Directive| match &*d.name.name {
                "newparam" | "newproperty" => matches!(d.args.first().map(|arg| &arg.kind), Some(ExprKind::Word(word)) if *word == name),
                "ensurable" => name == "ensure",
                _ => false,
            };
            if let Some(directive) = out.iter_mut().find(is_it) {
                leave_attribute(directive, &build::string("code that is left in Ruby may assign it"));
            }
        }
        out
    }

    /// Returns the only namevar if it is a property and the type has no title patterns. Puppet's pattern sets the attribute.
    pub(super) fn property_namevar(&self, declared: &PuppetType) -> Option<String> {
        let has_patterns = declared.methods.iter().any(is_title_patterns);
        let is_property = |d: &&DeclaredDirective| d.word == "newproperty" || d.class.is_some_and(|class| self.is_property(class));
        let found = declared.directives.iter().find(|d| self.is_namevar(d) && is_property(d)).filter(|_| !has_patterns)?;
        found.first_word().map(str::to_owned)
    }

    /// Moves the parameters that are properties after all other attributes, as Puppet does.
    fn properties_last(&self, declared: &PuppetType, directives: &mut Vec<Directive>) {
        let params: Vec<&DeclaredDirective> = declared.directives.iter().filter(|d| d.word == "newparam").collect();
        let is_late = |directive: &Directive| {
            let name = match directive.args.first().map(|arg| &arg.kind) {
                Some(ExprKind::Word(name)) if directive.name.name == "newproperty" => name,
                _ => return false,
            };
            params.iter().any(|param| param.first_word() == Some(name) && param.class.is_some_and(|class| self.is_property(class)))
        };
        let (late, mut rest): (Vec<Directive>, Vec<Directive>) = std::mem::take(directives).into_iter().partition(is_late);
        let is_attribute = |d: &Directive| matches!(d.name.name.as_str(), "newparam" | "newproperty" | "ensurable");
        let last = rest.iter().rposition(is_attribute).map_or(rest.len(), |at| at + 1);
        rest.splice(last..last, late);
        *directives = rest;
    }

    pub(super) fn is_namevar(&self, directive: &DeclaredDirective) -> bool {
        let is_true = directive.is_set("namevar");
        let says = directive.class.is_some_and(|class| self.file.directives_of(class).iter().any(|d| d.word == "isnamevar"));
        directive.word == "newproperty" && is_true || directive.word == "newparam" && (is_true || says)
    }

    /// Translates code, or returns the directive in its place.
    pub(super) fn code(
        &mut self,
        block: &str,
        target: Option<&str>,
        directive: &DeclaredDirective,
        role: &BlockRole,
        finish: impl FnOnce(LoweredBlock) -> Result<Directive, UntranslatedReason>,
    ) -> Directive {
        let lowered = match &directive.block {
            DeclaredBlock::Code(code) => self.lowered(code, role),
            DeclaredBlock::Symbol(name) => {
                let body = build::method(build::name("value"), name, Vec::new(), None);
                let closure = build::closure(vec![build::ident("value")], vec![body]);
                let params = closure.params.into_iter().map(|name| rtype_lang::syntax::ast::Param { name, default: None }).collect();
                Ok(LoweredBlock { params, body: closure.body, effects: Default::default() })
            }
            DeclaredBlock::None | DeclaredBlock::Other => {
                Err(UntranslatedCode { reason: UntranslatedReason::Computed("the block".into()), origin: directive.origin })
            }
        };
        let finished = lowered.and_then(|lowered| {
            let effects = lowered.effects.clone();
            finish(lowered).map(|made| (made, effects)).map_err(|reason| UntranslatedCode { reason, origin: directive.origin })
        });
        let is_left = !matches!(&finished, Ok((_, effects)) if effects.parts.is_empty());
        if let DeclaredBlock::Code(code) = &directive.block
            && is_left
            && matches!(block, "validate" | "munge" | "defaultto")
        {
            self.may_write(code, role);
        }
        match finished {
            Ok((made, effects)) => {
                self.translated += 1;
                self.left.extend(effects.parts.into_iter().map(|part| (block.to_owned(), part)));
                self.calls.extend(effects.calls);
                self.constants.extend(effects.constants);
                made
            }
            Err(mut left) => {
                left.origin = directive.origin;
                self.untranslated(block, target, left)
            }
        }
    }

    /// Gives a directive without a span the span of the Ruby declaration that it translates.
    pub(super) fn placed(&self, directive: Directive, origin: SourceRange) -> Directive {
        let span = self.names.span(origin);
        if directive.span.is_none() { Directive { span, ..directive } } else { directive }
    }

    /// Collects the attributes that code which is left in Ruby may change.
    fn may_write(&mut self, code: &CodeSource, role: &BlockRole) {
        let names = &self.names;
        let method = |of: SelfObject, name: &str| match of {
            SelfObject::Resource => names.methods.get(name).cloned().flatten(),
            SelfObject::Attribute => names.of_attributes.get(role.attribute.as_ref()?)?.get(name).cloned().flatten(),
            SelfObject::Provider | SelfObject::Module => None,
        };
        let writes = possible_writes(code, role.self_object, &role.params, &method);
        let all = if writes.any { self.names.attributes.clone() } else { writes.named };
        self.unknown.extend(all.into_iter().filter(|name| Some(name) != role.attribute.as_ref()));
    }

    pub(super) fn lowered(&mut self, code: &CodeSource, role: &BlockRole) -> Result<LoweredBlock, UntranslatedCode> {
        let context = lower::TypeContext { run: &mut self.file.run, names: &self.names, functions: &mut self.functions };
        lower::lower(context, code, role)
    }

    fn type_directive(&mut self, directive: &DeclaredDirective) -> Option<Directive> {
        let word = directive.word.as_str();
        if directive.is_conditional && word != "desc" {
            let reason = UntranslatedReason::Conditional(word.to_owned());
            let left = UntranslatedCode { reason, origin: directive.origin };
            if RELATIONS.contains(&word)
                && let Some(target) = directive.first_word()
            {
                return Some(self.untranslated(word, Some(target), left));
            }
            if matches!(word, "newparam" | "newproperty" | "ensurable") {
                let mut made = self.attribute(directive);
                leave_attribute(&mut made, &build::string(&left.reason.to_string()));
                self.left.push((word.to_owned(), left));
                return Some(made);
            }
            return Some(self.untranslated(TYPE, None, left));
        }
        let computed = |what: &str| UntranslatedCode { reason: UntranslatedReason::Computed(what.into()), origin: directive.origin };
        Some(match word {
            "newtype" | "isomorphic" => return None,
            "desc" | "doc=" => {
                let text = directive.first_word()?;
                Directive { args: vec![words::description(text)], ..new("desc") }
            }
            "newparam" | "newproperty" | "ensurable" => self.attribute(directive),
            "feature" => {
                let Some(name) = directive.first_word() else {
                    return Some(self.untranslated("validate", None, computed("the name of the feature")));
                };
                let mut args = vec![words::member(name)];
                if let Some(doc) = directive.arguments.get(1).and_then(PlainValue::word) {
                    let doc: Vec<&str> = doc.split_whitespace().collect();
                    args.push(build::string(&doc.join(" ")));
                }
                let methods = directive.option("methods").and_then(words::all);
                let methods = methods.map(|m| m.into_iter().filter(|m| !m.ends_with('=')).collect::<Vec<_>>());
                let options = methods.map(|methods| option("methods", words::list(&methods))).into_iter().collect();
                Directive { args, options, ..new("feature") }
            }
            word if RELATIONS.contains(&word) => self.relation(directive),
            "validate" => {
                let role = BlockRole { may_assign: true, ..BlockRole::of_type(false) };
                self.code("validate", None, directive, &role, |block| {
                    let word = if block.effects.assigns { "finalize" } else { "validate" };
                    Ok(coded(word, block.closure()))
                })
            }
            "apply_to_device" | "apply_to_host" | "apply_to_all" => {
                let target = if word == "apply_to_all" { "both" } else { word.trim_start_matches("apply_to_") };
                Directive { args: vec![words::word(target)], ..new("apply_to") }
            }
            other => {
                let name = if other == "method_missing" { directive.first_word().unwrap_or(other) } else { other };
                let reason = UntranslatedReason::Directive(name.to_owned());
                self.untranslated(TYPE, None, UntranslatedCode { reason, origin: directive.origin })
            }
        })
    }

    fn relation(&mut self, directive: &DeclaredDirective) -> Directive {
        let word = directive.word.clone();
        let Some(target) = directive.first_word().map(str::to_owned).filter(|target| crate::ruby::is_word(target)) else {
            let reason = UntranslatedReason::Computed("the type of the relation".into());
            return self.untranslated("validate", None, UntranslatedCode { reason, origin: directive.origin });
        };
        let role = BlockRole { params: vec![crate::facts::Fact::resource()], ..BlockRole::of_type(true) };
        let args = vec![words::word(&target)];
        self.code(&word, Some(&target), directive, &role, |block| {
            let closure = Closure { params: Vec::new(), ..block.closure() };
            Ok(match closure.body.statements.as_slice() {
                [only] if is_text(only) => {
                    let list = build::expr(ExprKind::Array(vec![only.clone()]));
                    Directive { args: vec![words::word(&target), list], ..new(&word) }
                }
                [only] if matches!(&only.kind, ExprKind::Array(items) if items.iter().all(is_text)) => {
                    Directive { args: vec![words::word(&target), only.clone()], ..new(&word) }
                }
                _ => Directive { args: args.clone(), ..coded(&word, closure) },
            })
        })
    }

    fn type_method(&mut self, declared: &PuppetType, method: &DeclaredMethod) -> Option<Directive> {
        let name = &*method.name;
        let is_hook = if method.of_class { is_type_class_hook(name) && !only_lists(name) } else { is_type_hook(name) };
        if !is_hook {
            return None;
        }
        let origin = origin_of(method).unwrap_or(declared.origin);
        let is_title = |method: &DeclaredMethod| !method.of_class && &*method.name == "title";
        if name == "name" && declared.methods.iter().any(|other| is_title(other) && origin_of(other) == origin_of(method)) {
            // An alias of `title`.
            return None;
        }
        if name == "name" && !method.of_class {
            // Puppet shows the name of no resource. Code that calls the method is translated with it.
            return None;
        }
        let word = match name {
            "refresh" | "pre_run_check" | "title" if !method.of_class => name,
            _ => {
                let reason = UntranslatedReason::Hook(method.name.clone());
                if let ("initialize", Some(code)) = (name, &method.code)
                    && begins_with_super(code)
                {
                    if let Some(made) = self.initialize(code) {
                        return made;
                    }
                    self.may_write(code, &BlockRole::of_type(false));
                    return Some(self.untranslated("validate", None, UntranslatedCode { reason, origin }));
                }
                let kept = match name {
                    _ if method.of_class => TYPE,
                    "generate" | "eval_generate" => name,
                    _ => kept_of_hook(name),
                };
                return Some(self.untranslated(kept, None, UntranslatedCode { reason, origin }));
            }
        };
        let block = method.code.clone().map_or(DeclaredBlock::Other, DeclaredBlock::Code);
        let directive = DeclaredDirective {
            word: word.to_owned(),
            arguments: Vec::new(),
            options: Vec::new(),
            block,
            class: None,
            is_conditional: false,
            origin,
        };
        self.blocks += 1;
        let role = BlockRole::of_type(word == "title");
        let word = word.to_owned();
        Some(self.code(&word, None, &directive, &role, |block| Ok(coded(&word, block.closure()))))
    }

    /// Translates what `initialize` does after Puppet's own method; none if the code cannot be translated.
    fn initialize(&mut self, code: &CodeSource) -> Option<Option<Directive>> {
        let role = BlockRole { may_assign: true, super_params: None, super_is_nothing: true, ..BlockRole::of_type(false) };
        let lowered = self.lowered(code, &role).ok().filter(|lowered| lowered.effects.parts.is_empty())?;
        self.blocks += 1;
        self.translated += 1;
        self.calls.extend(lowered.effects.calls.iter().cloned());
        self.constants.extend(lowered.effects.constants.iter().cloned());
        let closure = lowered.closure();
        Some((!closure.body.statements.is_empty()).then(|| coded("finalize", closure)))
    }

    /// Writes the patterns that the method returns.
    fn title_patterns(&mut self, declared: &PuppetType) -> Vec<Directive> {
        let Some(rows) = titles::title_rows(self.file, declared) else {
            let reason = UntranslatedReason::Directive("title_patterns".into());
            return vec![self.untranslated(TYPE, None, UntranslatedCode { reason, origin: declared.origin })];
        };
        let refusal = titles::refusal(&rows);
        let rows = rows.into_iter().map(|row| row.written).collect();
        let patterns = Directive { block: Some(DirectiveBlock::TitlePatterns(rows, Span::NONE)), ..new("title_patterns") };
        std::iter::once(patterns).chain(refusal).collect()
    }
}

/// Returns whether a method lists the title patterns.
pub(super) fn is_title_patterns(method: &DeclaredMethod) -> bool {
    method.of_class && &*method.name == "title_patterns"
}

/// Returns whether a method first calls the method of Puppet that it replaces. It may store constants before.
fn begins_with_super(code: &CodeSource) -> bool {
    let Some(body) = code.hir.body(code.body) else { return false };
    let all = match body.kind(body.root) {
        HirKind::Seq(all) => all.clone(),
        _ => vec![body.root],
    };
    let is_stored =
        |kind: &HirKind| matches!(kind, HirKind::Assign { target: Target::Variable(_), value } if lower::is_literal(body, *value));
    let first = all.iter().map(|id| body.kind(*id)).find(|kind| !is_stored(kind));
    matches!(first, Some(HirKind::Super(_)))
}

/// Returns the source of a method.
pub(super) fn origin_of(method: &DeclaredMethod) -> Option<SourceRange> {
    let code = method.code.as_ref()?;
    Some(code.hir.body(code.body)?.origin)
}

/// Sorts directives by their spans. A directive without a span keeps its place after the preceding directive.
pub(super) fn in_order(directives: &mut Vec<Directive>) {
    let mut last = 0;
    let mut placed: Vec<(u32, Directive)> = Vec::new();
    for directive in directives.drain(..) {
        last = if directive.span.is_none() { last } else { directive.span.start };
        placed.push((last, directive));
    }
    placed.sort_by_key(|(place, _)| *place);
    directives.extend(placed.into_iter().map(|(_, directive)| directive));
}

/// Leaves all attributes in Ruby if code of the type that may change them is.
fn leave_all(directives: &mut [Directive]) {
    let is_whole = |d: &Directive| {
        d.name.name == "untranslated" && matches!(d.args.first().map(|arg| &arg.kind), Some(ExprKind::Word(word)) if word == TYPE)
    };
    let Some(reason) = directives.iter().find(|d| is_whole(d)).and_then(|d| d.args.get(1)).cloned() else { return };
    for directive in directives.iter_mut() {
        if is_whole(directive) {
            if let Some(first) = directive.args.first_mut() {
                *first = words::word("validate");
            }
            continue;
        }
        if matches!(directive.name.name.as_str(), "newparam" | "newproperty" | "ensurable") {
            leave_attribute(directive, &reason);
        }
    }
}

/// Makes the value of an attribute unknown.
fn leave_attribute(directive: &mut Directive, reason: &Expr) {
    if !matches!(directive.block, Some(DirectiveBlock::Body(_))) {
        directive.block = Some(DirectiveBlock::Body(Body { directives: Vec::new(), span: Span::NONE }));
    }
    let Some(DirectiveBlock::Body(body)) = &mut directive.block else { return };
    let identifies = body.directives.iter().any(|d| d.name.name == "isnamevar");
    for block in [ATTRIBUTE, "defaultto"] {
        if !identifies || block == ATTRIBUTE {
            body.directives.push(Directive { args: vec![words::word(block), reason.clone()], ..new("untranslated") });
        }
    }
}

fn is_text(value: &rtype_lang::syntax::ast::Expr) -> bool {
    matches!(&value.kind, ExprKind::Str(text) if text.plain().is_some())
}
