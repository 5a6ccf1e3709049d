//! Parameters of templates in Puppet's language: `epp('module/file.epp', { 'name' => … })`.

use super::Values;
use super::functions::FunctionUse;
use crate::check::modules::is_module_name;
use crate::syntax::tree::{Expression, ExpressionKind, HashEntry, Parameter};
use crate::syntax::{Form, parse};
use ecow::EcoString;
use rtype_lang::diagnostics::{Code, Diagnostic, did_you_mean};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

impl Values<'_> {
    /// Compares the hash of a call of `epp` with the parameters of the template. Templates without parameters get any names.
    pub(super) fn template(&mut self, call: &FunctionUse<'_>) {
        let (file, given) = match call.arguments.as_slice() {
            [file] => (file, Some(Vec::new())),
            [file, Expression { kind: ExpressionKind::Hash(entries), .. }] => (file, named(entries)),
            _ => return,
        };
        let ExpressionKind::Text(name) = &file.kind else { return };
        let (Some(given), Some(path)) = (given, self.template_file(name)) else { return };
        let Some(parameters) = self.template_parameters(&path) else { return };
        let subject = format!("template `{name}`");
        for (key, entry) in &given {
            let Some(parameter) = parameters.iter().find(|parameter| parameter.name.text == *key) else {
                let known = parameters.iter().map(|parameter| parameter.name.text.as_str());
                let message = format!("the {subject} has no parameter `{key}`");
                let found = Diagnostic::new(Code::UnknownResourceAttribute, entry.key.span, message);
                self.found.push(found.maybe_help(did_you_mean(key, known)));
                continue;
            };
            if let Some(kind) = &parameter.kind
                && !matches!(entry.value.kind, ExpressionKind::Undef)
            {
                self.compare(&subject, key, kind, &entry.value);
            }
        }
        for parameter in parameters.iter().filter(|parameter| parameter.default.is_none() && !parameter.is_splat) {
            let name = &parameter.name.text;
            if !given.iter().any(|(key, _)| key == name) {
                let message = format!("the parameter `{name}` of the {subject} is missing");
                let found = Diagnostic::new(Code::RequiredMissing, file.span, message);
                self.found.push(found.also(parameter.name.span, "the parameter").help(format!("add `'{name}' => …` to the hash")));
            }
        }
    }

    /// Returns the path of a template; `None` for names that are computed or lead out of the module.
    fn template_file(&self, name: &str) -> Option<PathBuf> {
        let (module, path) = name.split_once('/').filter(|(module, _)| is_module_name(module))?;
        let is_inside = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
        let files = self.modules.types().files();
        let paths = self.modules.directories(module).into_iter().map(|directory| directory.join("templates").join(path));
        is_inside.then_some(paths)?.find(|path| files.exists(path))
    }

    /// Returns the parameters of a template; `None` without a list of parameters, and for files that cannot be read.
    fn template_parameters(&mut self, path: &Path) -> Option<Arc<Vec<Parameter>>> {
        if let Some(known) = self.definitions.typed.templates.get(path) {
            return known.clone();
        }
        let types = self.modules.types();
        let name = path.to_string_lossy();
        let source = types.files().read(&name, false).and_then(|text| types.keep(&name, text)).ok();
        let parsed = source.map(|source| parse(&source, Form::Template)).filter(|p| !p.diagnostics.iter().any(Diagnostic::is_error));
        let parameters = parsed.and_then(|parsed| parsed.tree.template).and_then(|head| head.parameters).map(Arc::new);
        self.definitions.typed.templates.insert(path.to_owned(), parameters.clone());
        parameters
    }
}

/// Returns the entries of a hash by their keys; `None` if a key is computed.
fn named(entries: &[HashEntry]) -> Option<Vec<(EcoString, &HashEntry)>> {
    let named = |entry: &HashEntry| match &entry.key.kind {
        ExpressionKind::Text(key) | ExpressionKind::Name(key) => Some(key.clone()),
        _ => None,
    };
    entries.iter().map(|entry| Some((named(entry)?, entry))).collect()
}
