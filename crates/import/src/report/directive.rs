//! The directives of a type.

use super::{TypeReport, words};
use crate::lower::{self, BlockRole, LoweredBlock, UntranslatedCode, UntranslatedReason, build};
use crate::overrides::{ATTRIBUTE, TYPE, is_type_class_hook, is_type_hook, kept_of_hook, only_lists};
use crate::puppet::{DeclaredBlock, DeclaredDirective, DeclaredMethod, LoadedFile, PuppetType};
use rtype_lang::source::Span;
use rtype_lang::syntax::ast::{Body, Closure, Directive, DirectiveBlock, ExprKind, Opt, TitlePatternRow};
use rtype_ruby::run::{CodeSource, PlainValue};

/// Returns a directive without arguments.
pub(super) fn new(name: &str) -> Directive {
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
pub(super) fn coded(name: &str, closure: Closure) -> Directive {
    let is_override = name.starts_with("override ");
    let name = name.strip_prefix("override ").unwrap_or(name);
    Directive { is_override, block: Some(DirectiveBlock::Code(closure)), ..new(name) }
}

pub(super) fn option(name: &str, value: rtype_lang::syntax::ast::Expr) -> Opt {
    Opt { name: build::ident(name), value }
}

impl TypeReport<'_, '_> {
    pub(super) fn type_directives(&mut self, declared: &PuppetType) -> Vec<Directive> {
        let mut out = Vec::new();
        for directive in &declared.directives {
            self.count_block(directive);
            out.extend(self.type_directive(directive));
        }
        if let Some(why) = self.file.run.unknown_methods(declared.class) {
            let reason = UntranslatedReason::Computed(format!("what the type builds upon ({why})"));
            let left = self.untranslated(TYPE, None, UntranslatedCode { reason, origin: declared.origin });
            out.push(left);
        }
        for method in &declared.methods {
            out.extend(self.type_method(declared, method));
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
        leave_all(&mut out);
        out
    }

    pub(super) fn is_namevar(&self, directive: &DeclaredDirective) -> bool {
        let is_true = directive.option("namevar") == Some(&PlainValue::Bool(true));
        let says = directive.class.is_some_and(|class| self.file.directives_of(class).iter().any(|d| d.word == "isnamevar"));
        matches!(directive.word.as_str(), "newparam" | "newproperty") && (is_true || says)
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
                Ok(LoweredBlock { closure, kinds: rtype_lang::typing::Kinds::ANY, parts: Vec::new() })
            }
            DeclaredBlock::None | DeclaredBlock::Other => {
                Err(UntranslatedCode { reason: UntranslatedReason::Computed("the block".into()), origin: directive.origin })
            }
        };
        let finished = lowered.and_then(|lowered| {
            let parts = lowered.parts.clone();
            finish(lowered).map(|made| (made, parts)).map_err(|reason| UntranslatedCode { reason, origin: directive.origin })
        });
        match finished {
            Ok((made, parts)) => {
                self.translated += 1;
                self.left.extend(parts.into_iter().map(|part| (block.to_owned(), part)));
                made
            }
            Err(mut left) => {
                left.origin = directive.origin;
                self.untranslated(block, target, left)
            }
        }
    }

    pub(super) fn lowered(&mut self, code: &CodeSource, role: &BlockRole) -> Result<LoweredBlock, UntranslatedCode> {
        lower::lower(&mut self.file.run, &self.names, code, role)
    }

    fn type_directive(&mut self, directive: &DeclaredDirective) -> Option<Directive> {
        let word = directive.word.as_str();
        if directive.is_conditional {
            let reason = UntranslatedReason::Conditional(word.to_owned());
            return Some(self.untranslated(TYPE, None, UntranslatedCode { reason, origin: directive.origin }));
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
            "autorequire" | "autobefore" | "autonotify" | "autosubscribe" => self.relation(directive),
            "validate" => self.code("validate", None, directive, &BlockRole::of_type(false), |block| Ok(coded("validate", block.closure))),
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
            let closure = Closure { params: Vec::new(), ..block.closure };
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
        if method.of_class && name == "title_patterns" {
            return Some(self.title_patterns(declared));
        }
        let is_hook = if method.of_class { is_type_class_hook(name) && !only_lists(name) } else { is_type_hook(name) };
        if !is_hook {
            return None;
        }
        let origin = method.code.as_ref().and_then(|code| Some(code.hir.body(code.body)?.origin)).unwrap_or(declared.origin);
        let word = match name {
            "refresh" | "pre_run_check" if !method.of_class => name,
            _ => {
                let reason = UntranslatedReason::Hook(method.name.clone());
                let kept = if method.of_class { TYPE } else { kept_of_hook(name) };
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
        let role = BlockRole { is_action: word == "refresh", ..BlockRole::of_type(false) };
        let word = word.to_owned();
        Some(self.code(&word, None, &directive, &role, |block| Ok(coded(&word, block.closure))))
    }

    /// Writes the patterns that the method returns.
    fn title_patterns(&mut self, declared: &PuppetType) -> Directive {
        let rows = title_rows(self.file, declared);
        match rows {
            Some(rows) => Directive { block: Some(DirectiveBlock::TitlePatterns(rows, Span::NONE)), ..new("title_patterns") },
            None => {
                let reason = UntranslatedReason::Directive("title_patterns".into());
                self.untranslated(TYPE, None, UntranslatedCode { reason, origin: declared.origin })
            }
        }
    }
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
        if !matches!(directive.name.name.as_str(), "newparam" | "newproperty" | "ensurable") {
            continue;
        }
        if !matches!(directive.block, Some(DirectiveBlock::Body(_))) {
            directive.block = Some(DirectiveBlock::Body(Body { directives: Vec::new(), span: Span::NONE }));
        }
        let Some(DirectiveBlock::Body(body)) = &mut directive.block else { continue };
        let identifies = body.directives.iter().any(|d| d.name.name == "isnamevar");
        for block in [ATTRIBUTE, "defaultto"] {
            if !identifies || block == ATTRIBUTE {
                body.directives.push(Directive { args: vec![words::word(block), reason.clone()], ..new("untranslated") });
            }
        }
    }
}

fn is_text(value: &rtype_lang::syntax::ast::Expr) -> bool {
    matches!(&value.kind, ExprKind::Str(text) if text.plain().is_some())
}

/// Returns the title patterns of a type, if they have no functions.
pub(super) fn title_rows(file: &mut LoadedFile<'_>, declared: &PuppetType) -> Option<Vec<TitlePatternRow>> {
    let class = rtype_ruby::run::RuntimeValue::Class(declared.class);
    let result = file.run.call_method(&class, "title_patterns", Vec::new()).ok()?;
    let patterns = file.run.plain(&result);
    rows(&patterns, &super::names_of(file, declared))
}

fn rows(patterns: &PlainValue, names: &lower::TypeNames) -> Option<Vec<TitlePatternRow>> {
    let PlainValue::Array(patterns) = patterns else { return None };
    let row = |pattern: &PlainValue| {
        let PlainValue::Array(parts) = pattern else { return None };
        let [regex @ PlainValue::Regex(..), PlainValue::Array(groups)] = parts.as_slice() else { return None };
        let attribute = |group: &PlainValue| match group {
            PlainValue::Array(group) => match group.as_slice() {
                [PlainValue::Sym(name)] if names.attributes.contains(name) => Some(build::ident(name)),
                _ => None,
            },
            _ => None,
        };
        let attributes = groups.iter().map(attribute).collect::<Option<Vec<_>>>()?;
        let pattern = match regex {
            PlainValue::Regex(source, flags) => {
                lower::literal_of(&PlainValue::Regex(crate::ruby::with_groups(source, attributes.len()).into(), *flags))?
            }
            _ => return None,
        };
        Some(TitlePatternRow { pattern, attributes, span: Span::NONE })
    };
    patterns.iter().map(row).collect()
}
