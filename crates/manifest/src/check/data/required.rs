//! Parameters without a default that neither a declaration nor data give.
//!
//! Only classes of modules in a control repository are checked, whose data can be read as a whole.

use super::{DataCheck, parsed};
use crate::check::definition::plain_name;
use crate::check::modules::Modules;
use crate::functions::data::CONFIGURATION;
use crate::syntax::tree::{Expression, ExpressionKind, ResourceExpression};
use crate::syntax::{Parsed, visit};
use ecow::EcoString;
use rtype_lang::data::Kind;
use rtype_lang::diagnostics::{Code, Diagnostic};
use rtype_lang::source::{Source, Span};
use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

/// A declaration of a class.
struct ClassUse {
    name: EcoString,
    span: Span,
    /// The names of the given parameters; `None` if an expression computes them.
    given: Option<Vec<EcoString>>,
    is_include: bool,
}

impl DataCheck<'_> {
    /// Reports classes whose parameters have no value.
    pub(super) fn required(&mut self, manifests: &[(&Source, &Parsed)]) {
        let uses: Vec<(&Source, Vec<ClassUse>)> = manifests.iter().map(|(source, parsed)| (*source, uses(parsed))).collect();
        // `include` takes the parameters of a declaration elsewhere.
        let declared = uses.iter().flat_map(|(_, uses)| uses).filter(|class| !class.is_include).map(|class| class.name.clone());
        let declared: HashSet<EcoString> = declared.collect();
        let checked = self.definitions.modules();
        for (source, uses) in &uses {
            let modules = Modules::of(source, self.modules.types(), &checked);
            let root = modules.environment();
            for class in uses.iter().filter(|class| !class.is_include || !declared.contains(&class.name)) {
                self.class(class, root.as_deref());
            }
        }
    }

    fn class(&mut self, class: &ClassUse, root: Option<&Path>) {
        self.definitions.search(&class.name, self.modules);
        let Some((known, given)) = self.definitions.class_parameters(&class.name).zip(class.given.as_ref()) else { return };
        let missing: Vec<_> = known.required.iter().filter(|name| !given.contains(name)).collect();
        if missing.is_empty() {
            return;
        }
        let module = class.name.split("::").next().unwrap_or_default();
        let keys = root.and_then(|root| self.keys(root)).zip(self.keys_of_module(module));
        let Some((environment, of_module)) = keys else {
            self.all.required += missing.len();
            return;
        };
        for name in missing {
            let key = format!("{}::{name}", class.name);
            if !environment.contains(key.as_str()) && !of_module.contains(key.as_str()) {
                let message = format!("the parameter `{name}` of the class `{}` is missing", class.name);
                let found = Diagnostic::new(Code::RequiredMissing, class.span, message).also(known.span, "its parameters");
                self.all.diagnostics.push(found.help(format!("add `{key}` to the data, or declare the class with `{name} => …`")));
            }
        }
    }

    fn keys_of_module(&mut self, module: &str) -> Option<Arc<HashSet<EcoString>>> {
        let directory = self.modules.directories(module).into_iter().next()?;
        let files = self.modules.types().files();
        if !files.exists(&directory.join(CONFIGURATION)) {
            return Some(Arc::default());
        }
        self.keys(&directory)
    }

    /// Returns the keys of the data of a directory; `None` if they are not all known.
    fn keys(&mut self, root: &Path) -> Option<Arc<HashSet<EcoString>>> {
        if let Some(known) = self.keys.get(root) {
            return known.clone();
        }
        let found = self.read_keys(root).map(Arc::new);
        self.keys.insert(root.to_owned(), found.clone());
        found
    }

    fn read_keys(&mut self, root: &Path) -> Option<HashSet<EcoString>> {
        let types = self.modules.types();
        let files = types.files();
        let mut keys = HashSet::new();
        for (path, reader) in self.hierarchies.files(root, &*files)? {
            let name = path.to_string_lossy();
            let source = files.read(&name, false).and_then(|text| types.keep(&name, text)).ok()?;
            let data = parsed(&source, reader).ok()?;
            match &data.kind {
                Kind::Object(pairs) => {
                    for (key, _) in pairs {
                        let key = key.text()?;
                        if key.contains("%{") {
                            return None;
                        }
                        keys.insert(key.clone());
                    }
                }
                Kind::Null => {}
                _ => return None,
            }
        }
        Some(keys)
    }
}

/// Returns the declarations of classes in a manifest.
fn uses(parsed: &Parsed) -> Vec<ClassUse> {
    let mut open: Vec<&Expression> = parsed.tree.statements.iter().collect();
    let mut found = Vec::new();
    while let Some(expression) = open.pop() {
        match &expression.kind {
            ExpressionKind::Call(call) => {
                if matches!(&call.function.kind, ExpressionKind::Name(name) if matches!(name.as_str(), "include" | "contain" | "require")) {
                    let includes = call.arguments.iter().flat_map(named);
                    found.extend(includes.map(|(name, span)| ClassUse { name, span, given: Some(Vec::new()), is_include: true }));
                }
            }
            ExpressionKind::Resource(resource) => found.extend(declared(resource)),
            _ => {}
        }
        visit::children(expression, &mut |child| open.push(child));
    }
    found.sort_by_key(|class| class.span.start);
    found
}

fn declared(resource: &ResourceExpression) -> Vec<ClassUse> {
    if !matches!(&resource.kind.kind, ExpressionKind::Name(name) if name == "class") {
        return Vec::new();
    }
    let has_defaults = resource.bodies.iter().any(|body| matches!(body.title.kind, ExpressionKind::Default));
    let mut all = Vec::new();
    for body in &resource.bodies {
        let given: Option<Vec<EcoString>> = body.attributes.iter().map(|attribute| Some(attribute.name.as_ref()?.text.clone())).collect();
        let given = given.filter(|_| !has_defaults);
        all.extend(named(&body.title).into_iter().map(|(name, span)| ClassUse { name, span, given: given.clone(), is_include: false }));
    }
    all
}

/// Returns the names of classes in an expression, with their places.
fn named(expression: &Expression) -> Vec<(EcoString, Span)> {
    match &expression.kind {
        ExpressionKind::Text(name) | ExpressionKind::Name(name) => vec![(plain_name(&name.to_lowercase()), expression.span)],
        ExpressionKind::Array(names) => names.iter().flat_map(named).collect(),
        _ => Vec::new(),
    }
}
