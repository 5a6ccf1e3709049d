//! The directives of an attribute.

use super::directive::{coded, in_order, new, option, origin_of};
use super::{TypeReport, words};
use crate::facts::{Fact, SelfObject};
use crate::lower::{BlockRole, UntranslatedCode, UntranslatedReason, build};
use crate::overrides::{ATTRIBUTE, is_attribute_class_hook, is_attribute_hook};
use crate::puppet::{DeclaredBlock, DeclaredDirective, DeclaredMethod, without_replaced};
use rtype_lang::syntax::ast::{Body, Directive, DirectiveBlock, Expr, ExprKind};
use rtype_lang::typing::Kinds;
use rtype_ruby::run::PlainValue;

/// Methods of Puppet's attributes, the blocks they become, their number of parameters, and whether they have a result.
const METHODS: &[(&str, &str, usize, bool)] = &[
    ("insync?", "insync", 1, true),
    ("should", "should", 0, true),
    ("is_to_s", "is_to_s", 1, true),
    ("should_to_s", "should_to_s", 1, true),
    ("change_to_s", "change_to_s", 2, true),
    ("retrieve", "retrieve", 0, true),
    ("sync", "sync", 0, false),
    ("unmunge", "unmunge", 1, true),
    ("validate", "override validate", 1, false),
    ("munge", "override munge", 1, true),
    ("unsafe_validate", "override validate", 1, false),
    ("unsafe_munge", "override munge", 1, true),
];

/// The facts about an attribute on which the form of the directives depends.
struct AttributeForm {
    name: String,
    has_values: bool,
    has_literals: bool,
    has_kind: bool,
    /// Whether `super` in a block calls a method of Puppet.
    is_lowest: bool,
}

/// Returns whether the method of Puppet with the same name calls the block of a directive.
fn is_block(word: &str) -> bool {
    matches!(word, "validate" | "munge")
}

/// Returns whether an attribute of the kind `boolean` checks values in its conversion alone. Puppet's property accepts them in any case.
fn only_munges(attribute: &Directive, children: &[Directive]) -> bool {
    let is_boolean = attribute.options.iter().any(|o| matches!(&o.value.kind, ExprKind::Name(kind) if kind == "boolean"));
    let has = |name: &str| children.iter().any(|d| d.name.name == name);
    let is_plain = attribute.name.name == "newproperty" && !has("newvalues") && !has("newvalue");
    is_boolean && (has("munge") || is_plain) && !has("validate")
}

impl TypeReport<'_, '_> {
    pub(super) fn attribute(&mut self, call: &DeclaredDirective) -> Directive {
        let origin = call.origin;
        let (Some(name), Some(class)) = (call.first_word().map(str::to_owned), call.class) else {
            let reason = UntranslatedReason::Computed("the name of the attribute".into());
            return self.untranslated("validate", None, UntranslatedCode { reason, origin });
        };
        // The classes of allowed values are not inherited, nor are texts and options.
        let is_inherited = |d: &DeclaredDirective| matches!(d.word.as_str(), "validate" | "munge" | "unmunge" | "defaultto" | "nodefault");
        let parents = self.file.parents_of(class).into_iter().flat_map(|parent| self.file.directives_of(parent)).filter(is_inherited);
        let own = self.file.directives_of(class);
        let mut all: Vec<DeclaredDirective> = parents.filter(|d| !own.iter().any(|own| own.word == d.word)).collect();
        all.extend(own);
        let mut inside = without_replaced(all);
        let is_listed = |d: &&DeclaredDirective| matches!(d.word.as_str(), "newvalue" | "newvalues" | "aliasvalue" | "defaultvalues");
        let is_literal =
            |d: &DeclaredDirective| d.word == "defaultvalues" || d.arguments.iter().any(|value| !matches!(value, PlainValue::Regex(..)));
        let mut form = AttributeForm {
            has_values: inside.iter().any(|d| is_listed(&d)),
            has_literals: inside.iter().filter(is_listed).any(is_literal),
            has_kind: false,
            is_lowest: self.file.parents_of(class).is_empty(),
            name: name.clone(),
        };
        let mut made = match call.word.as_str() {
            "ensurable" => new("ensurable"),
            "newparam" if self.is_property(class) => {
                Directive { args: vec![build::expr(ExprKind::Word(name.as_str().into()))], ..new("newproperty") }
            }
            word => Directive { args: vec![build::expr(ExprKind::Word(name.as_str().into()))], ..new(word) },
        };
        let mut children = self.options(call, &name, &mut made);
        let mut methods = self.file.methods_of(class);
        // The methods call the code of the blocks, unless the attribute replaces them.
        let replaces = |word: &str| methods.iter().any(|method| !method.of_class && *method.name == *word);
        let replaced: Vec<String> = inside.iter().map(|d| d.word.clone()).filter(|word| is_block(word) && replaces(word)).collect();
        inside.retain(|d| !replaced.contains(&d.word));
        methods.iter_mut().filter(|method| replaced.iter().any(|word| **word == *method.name)).for_each(|method| method.is_lowest = false);
        match self.kind(call, class, &mut methods) {
            Ok(None) => {}
            Ok(Some(kind)) => {
                form.has_kind = true;
                made.options.push(option("kind", kind));
            }
            Err(reason) => {
                let left = self.untranslated(ATTRIBUTE, None, UntranslatedCode { reason, origin });
                let why = left.args.last().cloned().into_iter();
                children.push(left);
                let args = std::iter::once(words::word("defaultto")).chain(why).collect();
                if !inside.iter().any(|d| d.word == "isnamevar") {
                    children.push(Directive { args, ..new("untranslated") });
                }
            }
        }
        let says = inside.iter().any(|d| d.word == "isnamevar");
        let is_true = call.is_set("namevar");
        if made.name.name == "newparam" && !says && (is_true || name == "name") {
            children.insert(0, new("isnamevar"));
        }
        // Puppet ignores `isnamevar` in properties. In the language, titles set namevars only.
        let is_property = made.name.name != "newparam";
        inside.retain(|d| d.word != "isnamevar" || !is_property);
        if is_property && (self.titled.contains_key(&name) && says || self.is_namevar(call)) {
            children.insert(0, new("isnamevar"));
        }
        if let Some(Some(code)) = self.titled.get(&name).cloned() {
            let of_text = vec![Fact::value(Kinds::ANY)];
            let role = BlockRole { self_object: SelfObject::Module, params: of_text, ..BlockRole::of_type(true) };
            let directive = DeclaredDirective { word: "from_title".to_owned(), block: DeclaredBlock::Code(code), ..call.clone() };
            self.blocks += 1;
            let converted = self.code(ATTRIBUTE, None, &directive, &role, |code| Ok(coded("from_title", code.closure())));
            children.push(converted);
        }
        for directive in &inside {
            self.count_block(directive);
            let made = self.attribute_directive(directive, &form);
            children.extend(made.map(|made| self.placed(made, directive.origin)));
        }
        if methods.iter().any(|method| !method.of_class && &*method.name == "should=") && is_property {
            let why = build::string(&UntranslatedReason::Hook("should=".into()).to_string());
            children.push(Directive { args: vec![words::word("should"), why], ..new("untranslated") });
            methods.retain(|method| &*method.name != "should");
        }
        if is_property && call.word == "newparam" {
            // Puppet does not compare parameters.
            methods.retain(|method| !matches!(&*method.name, "insync?" | "retrieve" | "sync"));
            children.push(coded("insync", build::closure(vec![build::ident("is")], vec![build::expr(ExprKind::Bool(true))])));
        }
        for method in methods {
            let made = self.attribute_method(&method, &form, call);
            children.extend(made.map(|made| self.placed(made, origin_of(&method).unwrap_or_default())));
        }
        in_order(&mut children);
        if only_munges(&made, &children) {
            // In Puppet, only `munge` of this kind refuses values.
            children.insert(0, coded("override validate", build::closure(vec![build::ident("value")], Vec::new())));
        }
        if !children.is_empty() {
            made.block = Some(DirectiveBlock::Body(Body { directives: children, span: self.names.span(origin) }));
        }
        crate::idiom::rewrite_attribute(&mut made);
        if matches!(&made.block, Some(DirectiveBlock::Body(body)) if body.directives.is_empty()) {
            made.block = None;
        }
        made
    }

    /// Translates the options of an attribute. Returns the directives that they become.
    fn options(&mut self, call: &DeclaredDirective, name: &str, made: &mut Directive) -> Vec<Directive> {
        let mut children = Vec::new();
        for (key, value) in &call.options {
            let key = key.word().unwrap_or_default();
            let unsupported = |what: String| UntranslatedCode { reason: UntranslatedReason::Computed(what), origin: call.origin };
            match (key, value) {
                ("boolean" | "namevar" | "isnamevar" | "parent", _) => {}
                ("array_matching", _) if call.word == "newparam" => {}
                ("array_matching", value) => match value.word() {
                    Some("all") => made.options.push(option("array_matching", words::word("all"))),
                    Some(_) => {}
                    None => {
                        let left = self.untranslated("insync", None, unsupported(format!("`array_matching` of `{name}`")));
                        children.push(left);
                    }
                },
                ("required_features", value) => match words::all(value) {
                    Some(mut list) if list.iter().all(|feature| crate::ruby::is_word(feature.strip_suffix('?').unwrap_or(feature))) => {
                        for feature in list.iter_mut().filter(|feature| !self.features.contains(*feature)) {
                            self.undeclared.insert(feature.clone());
                            *feature = format!("undeclared_{feature}");
                        }
                        made.options.push(option("required_features", words::list(&list)));
                    }
                    _ => {
                        let left = self.untranslated("validate", None, unsupported("a required feature".into()));
                        children.push(left);
                    }
                },
                (key, _) if self.is_ignored(call, key) => {}
                (key, _) => {
                    let left = self.untranslated("validate", None, unsupported(format!("the option `{key}`")));
                    children.push(left);
                }
            }
        }
        children
    }

    /// Returns whether Puppet ignores an option of an attribute.
    fn is_ignored(&self, call: &DeclaredDirective, option: &str) -> bool {
        let is_read = matches!(option, "" | "attributes" | "doc" | "retrieve") || is_attribute_class_hook(&format!("{option}="));
        let is_plain = |class| self.file.parents_of(class).is_empty() && self.file.run.unknown_methods(class).is_none();
        !is_read && (call.word == "newparam" || call.class.is_some_and(is_plain))
    }

    fn attribute_directive(&mut self, directive: &DeclaredDirective, form: &AttributeForm) -> Option<Directive> {
        let origin = directive.origin;
        let word = directive.word.clone();
        if directive.is_conditional {
            let reason = UntranslatedReason::Conditional(word);
            return Some(self.untranslated(ATTRIBUTE, None, UntranslatedCode { reason, origin }));
        }
        let early = BlockRole {
            is_early: true,
            super_params: form.is_lowest.then_some(1),
            super_is_nothing: !form.has_values && !form.has_kind,
            ..BlockRole::of_attribute(&form.name, 1, word == "munge")
        };
        Some(match word.as_str() {
            "desc" | "doc=" => Directive { args: vec![words::description(directive.first_word()?)], ..new("desc") },
            "isnamevar" | "nodefault" | "defaultvalues" => new(&word),
            "isrequired" => return None,
            "newvalues" | "newvalue" => self.values(directive, form),
            "aliasvalue" => {
                let values: Option<Vec<_>> = directive.arguments.iter().map(words::allowed).collect();
                match values {
                    Some(args) if args.len() == 2 => Directive { args, ..new("aliasvalue") },
                    _ => self.computed("validate", "a value", directive),
                }
            }
            "validate" => {
                let block = if form.has_values || form.has_kind { "override validate" } else { "validate" };
                self.code("validate", None, directive, &early, |code| Ok(coded(block, code.closure())))
            }
            "munge" => {
                let block = if form.has_literals || form.has_kind { "override munge" } else { "munge" };
                self.code("munge", None, directive, &early, |code| Ok(coded(block, code.closure())))
            }
            "unmunge" => {
                let role = BlockRole::of_attribute(&form.name, 1, true);
                self.code("unmunge", None, directive, &role, |code| Ok(coded("unmunge", code.closure())))
            }
            "defaultto" => return self.default(directive, form),
            "array_matching=" if directive.first_word() == Some("first") => return None,
            "sensitive" => new("sensitive"),
            other => {
                let name = if other == "method_missing" { directive.first_word().unwrap_or(other) } else { other };
                let reason = UntranslatedReason::Directive(name.to_owned());
                self.untranslated(ATTRIBUTE, None, UntranslatedCode { reason, origin })
            }
        })
    }

    fn computed(&mut self, block: &str, what: &str, directive: &DeclaredDirective) -> Directive {
        let reason = UntranslatedReason::Computed(what.into());
        self.untranslated(block, None, UntranslatedCode { reason, origin: directive.origin })
    }

    fn values(&mut self, directive: &DeclaredDirective, form: &AttributeForm) -> Directive {
        let mut flat = Vec::new();
        for value in &directive.arguments {
            match value {
                PlainValue::Array(items) if directive.word == "newvalues" => flat.extend(items.iter()),
                other => flat.push(other),
            }
        }
        let values: Option<Vec<_>> = flat.into_iter().map(words::allowed).collect();
        let Some(args) = values.filter(|values| !values.is_empty()) else { return self.computed("validate", "a value", directive) };
        let mut options = Vec::new();
        for (key, value) in &directive.options {
            match (key.word().unwrap_or_default(), words::all(value).as_deref()) {
                (key @ ("event" | "required_features"), Some([only])) if crate::ruby::is_word(only) => {
                    options.push(option(key, words::word(only)));
                }
                ("invalidate_refreshes", _) if *value == PlainValue::Bool(true) => {
                    options.push(option("invalidate_refreshes", build::expr(ExprKind::Bool(true))));
                }
                ("call", _) => {}
                _ => return self.computed("validate", "an option of the value", directive),
            }
        }
        let made = Directive { args, options, ..new(&directive.word) };
        if matches!(directive.block, DeclaredBlock::None) {
            return made;
        }
        let role = BlockRole::of_attribute(&form.name, 0, false);
        let target = directive.first_word().map(str::to_owned);
        self.code("newvalue", target.as_deref(), directive, &role, |code| {
            Ok(Directive { block: Some(DirectiveBlock::Code(code.closure())), ..made })
        })
    }

    fn default(&mut self, directive: &DeclaredDirective, form: &AttributeForm) -> Option<Directive> {
        if !matches!(directive.block, DeclaredBlock::None) {
            let role = BlockRole::of_attribute(&form.name, 0, true);
            let is_nil = |e: &Expr| e.kind == ExprKind::Nil;
            let mut is_dropped = false;
            let falsy = self.names.falsy.clone();
            let made = self.code("defaultto", None, directive, &role, |mut code| {
                code.body = crate::idiom::without_false(code.body, &|name| falsy.contains(name));
                match code.body.statements.as_slice() {
                    [only] if is_nil(only) => {
                        is_dropped = true;
                        Ok(new("defaultto"))
                    }
                    [only] if matches!(&only.kind, ExprKind::Str(text) if text.plain().is_some()) => {
                        Ok(Directive { args: vec![only.clone()], ..new("defaultto") })
                    }
                    [only] if matches!(only.kind, ExprKind::Bool(true)) => Ok(Directive { args: vec![only.clone()], ..new("defaultto") }),
                    _ => Ok(coded("defaultto", code.closure())),
                }
            });
            return (!is_dropped).then_some(made);
        }
        let value = directive.arguments.first()?;
        Some(match value {
            PlainValue::Nil | PlainValue::Bool(false) => return None,
            PlainValue::Sym(name) if crate::ruby::is_word(name) => Directive { args: vec![words::word(name)], ..new("defaultto") },
            // Braces would be a block.
            PlainValue::Hash(_) => {
                let value = build::expr(ExprKind::Paren(Box::new(crate::lower::literal_of(value)?)));
                Directive { args: vec![value], ..new("defaultto") }
            }
            PlainValue::Sym(_) => {
                let value = crate::lower::literal_of(value)?;
                coded("defaultto", build::closure(Vec::new(), vec![value]))
            }
            other => match crate::lower::literal_of(other) {
                Some(value) => Directive { args: vec![value], ..new("defaultto") },
                None => self.computed("defaultto", "the default", directive),
            },
        })
    }

    fn attribute_method(&mut self, method: &DeclaredMethod, form: &AttributeForm, call: &DeclaredDirective) -> Option<Directive> {
        let name = &*method.name;
        let origin = origin_of(method).unwrap_or(call.origin);
        if method.of_class {
            let reason = UntranslatedReason::Hook(method.name.clone());
            return is_attribute_class_hook(name).then(|| self.untranslated(ATTRIBUTE, None, UntranslatedCode { reason, origin }));
        }
        let known = METHODS.iter().find(|(theirs, ..)| *theirs == name);
        let Some((_, block, params, has_result)) = known else {
            let reason = UntranslatedReason::Hook(method.name.clone());
            return is_attribute_hook(name).then(|| self.untranslated(ATTRIBUTE, None, UntranslatedCode { reason, origin }));
        };
        // Puppet does not compare parameters.
        if call.word == "newparam" && !matches!(*block, "unmunge" | "override validate" | "override munge" | "is_to_s" | "should_to_s") {
            return None;
        }
        self.blocks += 1;
        let is_early = block.starts_with("override");
        let role = BlockRole {
            is_comparison: *block == "insync",
            is_should: *block == "should",
            is_early,
            super_params: method.is_lowest.then_some(*params),
            ..BlockRole::of_attribute(&form.name, *params, *has_result)
        };
        let directive = DeclaredDirective {
            word: (*block).to_owned(),
            arguments: Vec::new(),
            options: Vec::new(),
            block: method.code.clone().map_or(DeclaredBlock::Other, DeclaredBlock::Code),
            class: None,
            is_conditional: false,
            origin,
        };
        let kept = block.trim_start_matches("override ");
        Some(self.code(kept, None, &directive, &role, |code| {
            let mut closure = code.closure();
            if *block == "should" {
                closure.params = vec![build::ident("values")];
            }
            Ok(coded(block, closure))
        }))
    }
}
