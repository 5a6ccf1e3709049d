//! Methods of a provider: settings, queries, actions, and replaced methods of the parent.

use super::{ProvidedType, ProviderDraft, ProviderWriter, is_text};
use crate::lower::{BlockRole, FunctionTable, TypeContext, TypeNames, build, lower, slice};
use crate::provider_body::{CODE, TAKEN};
use crate::puppet::{LoadedFile, ProviderMethod, PuppetProvider};
use crate::report::directive::{coded, new};
use crate::report::words;
use rtype_lang::library::{TypeSet, standard};
use rtype_lang::syntax::ast::{Closure, Directive, Expr, ExprKind};
use rtype_lang::syntax::visit::{Visit, walk_expr};
use rtype_ruby::hir::HirKind;
use rtype_ruby::run::{CodeSource, PlainValue};
use std::collections::BTreeSet;

/// The maximum number of providers that inherit from each other.
const MAX_PARENTS: usize = 8;

/// Names after `provider.` that are not methods of providers in Ruby.
const WORDS: &[&str] = &["name", "has?", "class", "nil?", "default_target", "resource", "respond_to?"];

impl PuppetProvider {
    /// Returns the body of the provider.
    pub(super) fn body(&self) -> Option<&CodeSource> {
        self.code.as_ref()
    }
}

impl ProviderWriter<'_, '_> {
    /// Returns whether objects of the class have a public method.
    pub(super) fn answers(&self, method: &str) -> bool {
        let provider = &self.draft.provider;
        match provider.method(method, false) {
            Some(known) => known.is_public,
            None => self.declares(method),
        }
    }

    /// Returns whether `commands` or `mk_resource_methods` define a method.
    fn declares(&self, method: &str) -> bool {
        let attribute = method.strip_suffix('=').unwrap_or(method);
        self.file.run.ancestors_of(self.draft.provider.class).into_iter().flat_map(|class| self.file.directives_of(class)).any(|declared| {
            match declared.word.as_str() {
                "mk_resource_methods" => attribute != "name" && self.owner.has_attribute(attribute),
                _ => declared.commands().iter().any(|command| command == method),
            }
        })
    }

    /// Translates methods that return a constant or a value of the resource to settings.
    pub(super) fn settings(&mut self) {
        // A provider of a type without attributes exists to be inherited from.
        let is_inherited = !self.owner.has_attributes && self.owner.features.is_some();
        let has_all = self.draft.provider.parent.is_some() || is_inherited;
        let mut known = BTreeSet::new();
        let own: Vec<(String, bool, CodeSource)> = self
            .draft
            .provider
            .methods
            .iter()
            .filter(|method| method.is_own)
            .filter_map(|method| Some((method.name.to_string(), method.of_class, method.code.clone()?)))
            .collect();
        let mut all: Vec<(u32, Directive)> = Vec::new();
        for (method, of_class, code) in &own {
            let is_code = CODE.contains(&method.as_str()) || self.owner.has_attribute(method);
            let is_setting = crate::ruby::is_word(method) && !TAKEN.contains(&method.as_str()) && !is_code && !has_params(code);
            let is_wanted = has_all || self.owner.calls.asked.contains(method);
            let features = self.owner.features.as_deref().unwrap_or_default();
            let by_feature = *of_class && features.iter().any(|(_, methods)| methods.contains(method));
            if !is_setting || !is_wanted || by_feature || !(self.answers(method) || *of_class) {
                continue;
            }
            let code = match own.iter().find(|(name, is_class, _)| name == method && *is_class) {
                Some((.., class)) if !of_class && asks_class(code, method) => class,
                _ => code,
            };
            if !known.contains(method)
                && let Some(directive) = self.setting(method, code)
            {
                known.insert(method.clone());
                let at = code.hir.body(code.body).map(|body| body.origin.start).unwrap_or_default();
                all.push((at, directive));
            }
        }
        all.sort_by_key(|(at, _)| *at);
        self.draft.settings = known;
        self.draft.directives.extend(all.into_iter().map(|(_, directive)| directive));
    }

    fn setting(&mut self, method: &str, code: &CodeSource) -> Option<Directive> {
        let closure = self.lowered(code)?;
        let [only] = closure.body.statements.as_slice() else { return None };
        if is_text(only) {
            return Some(Directive { args: vec![only.clone()], ..new(method) });
        }
        let mut reads = Reads { names: &self.owner.names, reads: false, is_known: true };
        reads.expr(only);
        (reads.reads && reads.is_known).then(|| coded(method, closure))
    }

    fn lowered(&mut self, code: &CodeSource) -> Option<Closure> {
        let mut functions = FunctionTable::default();
        let context = TypeContext { run: &mut self.file.run, names: &self.owner.names, functions: &mut functions };
        let lowered = lower(context, code, &BlockRole::of_provider()).ok()?;
        (lowered.effects.parts.is_empty() && lowered.params.is_empty()).then(|| lowered.closure())
    }

    /// Translates the file that the resources of a table are in by default.
    pub(super) fn default_target(&mut self) {
        if !self.owner.calls.asked.iter().any(|method| method == "default_target") {
            return;
        }
        if let Some(PlainValue::Str(target)) = self.draft.provider.call.option("default_target") {
            let target = build::string(target);
            return self.push("default_target", vec![target], Vec::new());
        }
        if let Some(statements) = self.target_of_call() {
            let block = crate::idiom::rewrite_result(build::block(statements));
            return self.draft.directives.push(coded("default_target", build::closure(Vec::new(), block.statements)));
        }
        let code = self.draft.provider.method("default_target", true).filter(|method| method.is_own).and_then(|method| method.code.clone());
        if let Some(closure) = code.and_then(|code| self.lowered(&code)) {
            self.draft.directives.push(coded("default_target", closure));
        }
    }

    /// Translates the option `default_target` of the call of `provide`.
    fn target_of_call(&mut self) -> Option<Vec<Expr>> {
        let inner = self.body.clone()?;
        let parent = inner.hir.body(inner.body)?.parent?;
        let code = CodeSource { body: parent, block: None, ..inner };
        let call = super::directives::call_in(&code, &self.draft.provider.call)?;
        let value = super::directives::option_in(&code, &call, "default_target")?;
        let role = BlockRole::of_provider();
        let lowered = slice::in_body(&mut self.file.run, &self.owner.names, &code, &role, |lowering| {
            lowering.slice(&[value], |lowering| lowering.expr(value))
        });
        lowered.ok().filter(|(_, parts)| parts.is_empty()).map(|(statements, _)| statements)
    }

    /// Declares the methods that blocks of the type call and that the class has.
    pub(super) fn queries(&mut self) {
        let calls = &self.owner.calls;
        let (questions, deeds): (Vec<&String>, Vec<&String>) = calls.acted.iter().chain(&calls.named).partition(|m| m.ends_with('?'));
        let questions = questions.into_iter().filter(|method| !calls.asked.contains(*method));
        let queries: Vec<String> = distinct(calls.asked.iter().chain(questions).filter(|method| self.is_called(method)));
        let actions: Vec<String> =
            distinct(deeds.into_iter().filter(|method| self.is_called(method)).filter(|method| !queries.contains(*method)));
        for (word, methods) in [("actions", actions), ("queries", queries)] {
            if !methods.is_empty() {
                self.push(word, vec![words::list(&methods)], Vec::new());
            }
        }
    }

    fn is_called(&self, method: &str) -> bool {
        let provider = &self.draft.provider;
        let features = self.owner.features.as_deref().unwrap_or_default();
        let has = |methods: &[String]| methods.iter().all(|method| self.answers(method));
        let by_feature = features.iter().any(|(_, methods)| methods.iter().any(|m| m == method) && has(methods));
        let below_parent = provider.methods.iter().any(|m| &*m.name == method && m.is_below_parent);
        // Methods of a parent of the same type are inherited.
        let inherits = provider.parent.as_ref().is_some_and(|parent| parent.of == self.owner.name) && !below_parent;
        let has_method = self.answers(method) || provider.method(method, true).is_some();
        has_method
            && !WORDS.contains(&method)
            && !inherits
            && (method == "exists?" || !CODE.contains(&method))
            && !by_feature
            && (below_parent || !self.owner.has_for_all(method))
            && !self.draft.directives.iter().any(|directive| directive.name.name == method)
            && (!self.owner.has_attribute(method) || self.owner.calls.named.iter().any(|named| named == method))
    }

    /// Returns the parent in the language: none if its type is not known, or if the provider replaces methods of native code.
    pub(super) fn parent(&mut self, depth: usize) -> Option<String> {
        let parent = self.draft.provider.parent.clone()?;
        if self.replaces() && is_native(self.file, &parent.of, &parent.name, depth + 1) {
            return None;
        }
        Some(if parent.of == self.owner.name { parent.name } else { format!("{}/{}", parent.of, parent.name) })
    }

    /// Returns whether the class replaces methods of the parent that do not become settings.
    fn replaces(&self) -> bool {
        let methods = &self.draft.provider.methods;
        let (own, inherited): (Vec<&ProviderMethod>, Vec<&ProviderMethod>) = methods.iter().partition(|method| method.is_below_parent);
        own.into_iter().filter(|method| !self.draft.settings.contains(&*method.name)).any(|method| {
            let name = &*method.name;
            let of_all = CODE.contains(&name) || self.owner.has_attribute(name.strip_suffix('=').unwrap_or(name));
            of_all || inherited.is_empty() || inherited.iter().any(|other| other.name == method.name)
        })
    }
}

/// Returns whether a provider has native code, itself or by inheritance.
fn is_native(file: &mut LoadedFile<'_>, of: &str, name: &str, depth: usize) -> bool {
    if depth > MAX_PARENTS {
        return false;
    }
    if let Some(known) = standard(of).filter(|_| !file.is_imported(of)).and_then(|_| TypeSet::default().load(of)) {
        return known.providers.get(name).is_some_and(|provider| known.worker(provider).is_some());
    }
    let Some(provider) = file.providers_of(of).into_iter().find(|provider| provider.name == name) else { return false };
    let Some(parent) = provider.parent.clone() else { return false };
    let owner = ProvidedType::of_file(file, of);
    let draft = ProviderDraft::new(provider, None);
    let mut writer = ProviderWriter { file, owner: &owner, body: None, draft };
    writer.settings();
    !writer.replaces() && is_native(file, &parent.of, &parent.name, depth + 1)
}

/// Declares called methods that no provider is known to have. A class in another module may define them.
pub(super) fn declare_missing(drafts: &mut [ProviderDraft], owner: &ProvidedType) {
    let features = owner.features.as_deref().unwrap_or_default();
    let has = |draft: &ProviderDraft, method: &str| {
        draft.directives.iter().any(|directive| match directive.name.name.as_str() {
            "queries" | "actions" => directive.args.iter().any(|arg| lists(arg, method)),
            name => name == method,
        })
    };
    let missing: Vec<String> = owner
        .calls
        .asked
        .iter()
        .chain(&owner.calls.acted)
        .filter(|method| {
            let is_code = CODE.contains(&method.as_str()) && !matches!(method.as_str(), "query" | "properties");
            crate::ruby::is_word(method.trim_end_matches('?'))
                && !WORDS.contains(&method.as_str())
                && !is_code
                && !owner.has_for_all(method)
                && !features.iter().any(|(_, methods)| methods.contains(*method))
                && !owner.has_attribute(method)
                && !drafts.iter().any(|draft| has(draft, method))
        })
        .cloned()
        .collect();
    let is_query = |method: &&String| owner.calls.asked.contains(*method) || method.ends_with('?');
    let (queries, actions): (Vec<&String>, Vec<&String>) = missing.iter().partition(is_query);
    for draft in drafts.iter_mut().filter(|draft| draft.parent.is_none()) {
        for (word, methods) in [("actions", distinct(actions.iter().copied())), ("queries", distinct(queries.iter().copied()))] {
            if methods.is_empty() {
                continue;
            }
            let known = draft.directives.iter_mut().find(|directive| directive.name.name == word);
            match known.and_then(|directive| directive.args.first_mut()) {
                Some(Expr { kind: ExprKind::Array(items), .. }) => items.extend(methods.iter().map(|method| words::member(method))),
                _ => draft.directives.push(Directive { args: vec![words::list(&methods)], ..new(word) }),
            }
        }
    }
}

fn lists(argument: &Expr, method: &str) -> bool {
    matches!(&argument.kind, ExprKind::Array(items) if items.contains(&words::member(method)))
}

fn distinct<'m>(methods: impl Iterator<Item = &'m String>) -> Vec<String> {
    let mut known = BTreeSet::new();
    methods.filter(|method| known.insert(method.as_str())).cloned().collect()
}

fn has_params(code: &CodeSource) -> bool {
    code.hir.body(code.body).is_none_or(|body| {
        let params = &body.params;
        !params.required.is_empty() || !params.optional.is_empty() || params.rest.is_some() || !params.keywords.is_empty()
    })
}

/// Recognizes `def x; self.class.x; end`.
fn asks_class(code: &CodeSource, method: &str) -> bool {
    let Some(body) = code.hir.body(code.body) else { return false };
    let HirKind::Call(call) = body.kind(body.root) else { return false };
    let is_class = matches!(body.kind(call.receiver), HirKind::Call(of)
        if &*of.name == "class" && matches!(body.kind(of.receiver), HirKind::SelfValue));
    &*call.name == method && call.args.positional.is_empty() && is_class
}

/// Whether code reads attributes of the resource, and no others than those that are known.
struct Reads<'n> {
    names: &'n TypeNames,
    reads: bool,
    is_known: bool,
}

impl<'a> Visit<'a> for Reads<'_> {
    fn expr(&mut self, expr: &'a Expr) {
        match &expr.kind {
            ExprKind::Method(of, call) if of.kind == ExprKind::SelfRef => {
                self.reads = true;
                self.is_known &= call.name.name == "name" || self.names.attributes.contains(call.name.name.as_str());
            }
            ExprKind::Name(name) if name == "provider" => self.is_known = false,
            _ => {}
        }
        walk_expr(self, expr);
    }
}
