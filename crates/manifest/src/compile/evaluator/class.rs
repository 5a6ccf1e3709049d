//! Classes, defined types and nodes.

use super::definitions::{ClassDefinition, KnownNode};
use super::load::plain_name;
use super::{ManifestEvaluator, compare};
use crate::compile::catalog::{CatalogKind, CatalogResource, METAPARAMETERS, ParameterValue, RELATIONS, ResourceFlags};
use crate::compile::context::CallContext;
use crate::compile::failure::{EvaluationFailure, EvaluationFailureKind, ReportedPosition};
use crate::compile::scope::{Owner, VariableScope};
use crate::compile::types::{NamedParameter, Type, describe_parameters};
use crate::compile::value::ManifestValue;
use crate::syntax::tree::{Expression, ExpressionKind};
use ecow::EcoString;
use indexmap::{IndexMap, IndexSet};
use rtype_lang::source::Span;
use std::sync::Arc;

/// A node definition with the match variables of its regex.
type MatchingNode = (Arc<KnownNode>, EcoString, Option<Arc<Vec<ManifestValue>>>);

/// Returns the name in a list of hosts; regexes have none.
pub fn node_name(host: &Expression) -> Option<EcoString> {
    match &host.kind {
        ExpressionKind::Default => Some("default".into()),
        ExpressionKind::Text(text) | ExpressionKind::Name(text) => Some(text.to_lowercase()),
        ExpressionKind::Integer { value, .. } => Some(ecow::eco_format!("{value}")),
        ExpressionKind::Float(value) => Some(crate::compile::text::float_text(*value).into()),
        _ => None,
    }
}

impl ManifestEvaluator {
    /// Returns the index of a class in the catalog, which is evaluated if it is new.
    ///
    /// # Errors
    /// Returns an error if the class is unknown, or the failure of its code.
    pub(crate) fn include_class(&mut self, name: &str, scope: &Arc<VariableScope>) -> Result<usize, EvaluationFailure> {
        let Some(class) = self.find_class(name)? else {
            let shown = if name.starts_with("::") { name.to_owned() } else { format!("::{name}") };
            return Err(EvaluationFailure::new(format!("Could not find class {shown} for {}", self.environment.node)));
        };
        let name = plain_name(&class.definition.name.text);
        if self.class_scopes.contains_key(&name)
            && let Some(found) = self.catalog.find("class", &name)
        {
            return Ok(found);
        }
        let index = self.ensure_class(&class, scope)?;
        self.evaluate_class(index, &class)?;
        Ok(index)
    }

    /// Adds the resource of a class without evaluating it.
    fn ensure_class(&mut self, class: &ClassDefinition, scope: &Arc<VariableScope>) -> Result<usize, EvaluationFailure> {
        let name = plain_name(&class.definition.name.text);
        if let Some(found) = self.catalog.find("class", &name) {
            return Ok(found);
        }
        let resource = self.new_resource(CatalogKind::Class, "class", &name, None, scope);
        self.ensure_parent(class, scope)?;
        self.add_resource(resource)
    }

    /// Adds the resource of the parent class.
    pub(crate) fn ensure_parent(&mut self, class: &ClassDefinition, scope: &Arc<VariableScope>) -> Result<(), EvaluationFailure> {
        let Some(parent) = &class.definition.parent else { return Ok(()) };
        self.budget.enter()?;
        let found = self.find_class(&parent.text)?;
        let result = match found {
            Some(parent) => self.ensure_class(&parent, scope).map(|_| ()),
            None => {
                let text = format!(
                    "Could not find parent resource type '{}' of type hostclass in {}",
                    if parent.text.starts_with("::") { parent.text.to_string() } else { format!("::{}", parent.text) },
                    self.environment.name
                );
                Err(EvaluationFailure::plain(Some(class.definition.name.span), text))
            }
        };
        self.budget.leave();
        result
    }

    /// Returns a resource with the tags and defaults that it has from its declaration.
    pub(crate) fn new_resource(
        &self,
        kind: CatalogKind,
        type_name: &str,
        title: &str,
        span: Option<Span>,
        scope: &Arc<VariableScope>,
    ) -> CatalogResource {
        let mut resource = CatalogResource {
            kind,
            type_name: type_name.into(),
            title: title.into(),
            given_title: None,
            parameters: IndexMap::new(),
            tags: IndexSet::new(),
            span,
            flags: ResourceFlags::default(),
            scope: scope.base(),
            sensitive: Vec::new(),
            source: scope.source(),
        };
        let _ = resource.tag(type_name);
        if crate::compile::catalog::is_tag(title) && !(type_name == "class" && title == "main") {
            let _ = resource.tag(title);
        }
        resource
    }

    /// Evaluates the code of a class.
    pub(crate) fn evaluate_class(&mut self, index: usize, class: &Arc<ClassDefinition>) -> Result<(), EvaluationFailure> {
        let Some(resource) = self.catalog.get_mut(index) else { return Ok(()) };
        if resource.flags.is_evaluated {
            return Ok(());
        }
        resource.flags.is_evaluated = true;
        let outer = resource.scope.clone();
        let name = resource.title.clone();
        self.add_scope_tags(index);
        self.budget.enter()?;
        let mut parent_scope = outer.clone();
        if let Some(parent) = class.definition.parent.as_ref().map(|p| plain_name(&p.text)) {
            let found = (self.catalog.find("class", &parent), self.definitions.class(&parent).cloned());
            if let (Some(parent_index), Some(parent_class)) = found {
                self.evaluate_class(parent_index, &parent_class)?;
                parent_scope = self.class_scopes.get(&parent).cloned().unwrap_or(parent_scope);
            }
        }
        let scope = VariableScope::new(Owner::Class(name.clone()), Some(parent_scope.clone()), index, class.module.clone());
        self.catalog.classes.push(name.clone());
        self.set_parameters(index, class, &scope, &parent_scope)?;
        self.add_stage_edge(index)?;
        let body = class.definition.body.as_deref().unwrap_or_default();
        let result = self.block(body, &scope);
        self.budget.leave();
        ends_normally(result)
    }

    /// Evaluates the code of a resource of a defined type.
    pub(crate) fn evaluate_define(&mut self, index: usize) -> Result<(), EvaluationFailure> {
        let Some(resource) = self.catalog.get_mut(index) else { return Ok(()) };
        resource.flags.is_evaluated = true;
        let (outer, span, name) = (resource.scope.clone(), resource.span, resource.type_name.clone());
        let Some(define) = self.find_define(&name)? else { return Ok(()) };
        self.add_scope_tags(index);
        let scope = VariableScope::new(Owner::Define(name), Some(outer.clone()), index, define.module.clone());
        self.budget.enter()?;
        let result = self.set_parameters(index, &define, &scope, &outer).and_then(|()| {
            let body = define.definition.body.as_deref().unwrap_or_default();
            ends_normally(self.block(body, &scope))
        });
        self.budget.leave();
        result.map_err(|failure| self.in_resource(failure, span))
    }

    /// Adds the declaration of a defined type to the error of its code.
    fn in_resource(&self, failure: EvaluationFailure, span: Option<Span>) -> EvaluationFailure {
        if !failure.is_error() {
            return failure;
        }
        let text = format!("Evaluation Error: Error while evaluating a Resource Statement, {}", self.message(&failure));
        EvaluationFailure::plain(span, text)
    }

    /// Returns the text of a failure with its place, as Puppet prints it.
    pub fn message(&self, failure: &EvaluationFailure) -> String {
        let Some(span) = failure.span() else { return failure.text().to_owned() };
        let (file, line) = self.place(span);
        let column = self.sources.find(span).map_or(0, |source| source.position(span.start).column);
        let file = file.map(|file| format!("file: {file}, ")).unwrap_or_default();
        match failure.reported_position() {
            ReportedPosition::Column => format!("{} ({file}line: {line}, column: {column})", failure.text()),
            ReportedPosition::Line => format!("{} ({file}line: {line})", failure.text()),
            ReportedPosition::Nowhere => failure.text().to_owned(),
        }
    }

    /// Adds the tags of the container.
    pub(crate) fn add_scope_tags(&mut self, index: usize) {
        let Some(resource) = self.catalog.get(index) else { return };
        let container = resource.scope.resource;
        if resource.flags.has_scope_tags || container == index {
            return;
        }
        let tags = self.catalog.get(container).map(|container| container.tags.clone()).unwrap_or_default();
        if let Some(resource) = self.catalog.get_mut(index) {
            resource.tags.extend(tags);
            resource.flags.has_scope_tags = true;
        }
    }

    /// Sets the variables of the parameters of a class or defined type.
    fn set_parameters(
        &mut self,
        index: usize,
        class: &Arc<ClassDefinition>,
        scope: &Arc<VariableScope>,
        caller: &Arc<VariableScope>,
    ) -> Result<(), EvaluationFailure> {
        let Some(resource) = self.catalog.get(index) else { return Ok(()) };
        let (title, reference, is_class) = (resource.title.clone(), resource.reference(), resource.is_class());
        scope.set("module_name", ManifestValue::String(class.module.clone()));
        scope.set("caller_module_name", ManifestValue::String(caller.module.clone()));
        if is_class {
            self.class_scopes.insert(title.clone(), scope.clone());
            self.look_parameters_up(index, class, scope)?;
        }
        let given = self.catalog.get(index).and_then(|r| r.given_title.clone()).unwrap_or(ManifestValue::String(title));
        scope.set("title", given.clone());
        let name = self.catalog.get(index).and_then(|r| r.value("name").cloned());
        scope.set("name", name.unwrap_or(given));
        let values = self.parameter_values(index, class, scope, &reference)?;
        self.check_parameters(class, &reference, &values)?;
        for (name, value) in values {
            scope.replace(&name, value);
        }
        Ok(())
    }

    /// Looks parameters without a value up in data.
    fn look_parameters_up(
        &mut self,
        index: usize,
        class: &Arc<ClassDefinition>,
        scope: &Arc<VariableScope>,
    ) -> Result<(), EvaluationFailure> {
        let name = plain_name(&class.definition.name.text);
        for parameter in &class.definition.parameters {
            let is_given = self.catalog.get(index).and_then(|r| r.value(&parameter.name.text)).is_some();
            if is_given {
                continue;
            }
            let key = format!("{name}::{}", parameter.name.text);
            let Some(value) = self.look_up(&key, scope, parameter.span)? else { continue };
            if value == ManifestValue::Undef && parameter.default.is_some() {
                continue;
            }
            let source = name.clone();
            if let Some(resource) = self.catalog.get_mut(index) {
                resource.parameters.insert(parameter.name.text.clone(), ParameterValue { value, span: None, appends: false, source });
            }
        }
        Ok(())
    }

    /// Looks a key up in data.
    fn look_up(&mut self, key: &str, scope: &Arc<VariableScope>, span: Span) -> Result<Option<ManifestValue>, EvaluationFailure> {
        match self.environment.lookup {
            Some(lookup) => {
                let mut context = CallContext { evaluator: self, scope: scope.clone(), span, name: "lookup".into() };
                lookup(&mut context, key)
            }
            None => {
                let module = key.split("::").next().unwrap_or_default();
                let files = &self.environment.files;
                if files.environment_file("hiera.yaml").is_some() || files.module_path_of(module, "hiera.yaml").is_some() {
                    return Err(EvaluationFailure::unsupported("the lookup of class parameters in Hiera data"));
                }
                Ok(None)
            }
        }
    }

    fn parameter_values(
        &mut self,
        index: usize,
        class: &Arc<ClassDefinition>,
        scope: &Arc<VariableScope>,
        reference: &str,
    ) -> Result<IndexMap<EcoString, ManifestValue>, EvaluationFailure> {
        let parameters = &class.definition.parameters;
        let names: Vec<EcoString> = parameters.iter().map(|p| p.name.text.clone()).collect();
        let inner = scope.local_with(Owner::Parameters(names.clone()));
        let Some(resource) = self.catalog.get(index) else { return Ok(IndexMap::new()) };
        for (name, parameter) in &resource.parameters {
            if name != "name" && name != "title" {
                inner.set(name, parameter.value.clone());
            }
        }
        for parameter in parameters {
            let Some(default) = &parameter.default else { continue };
            let name = &parameter.name.text;
            if inner.own(name).is_some_and(|value| value != ManifestValue::Undef) {
                continue;
            }
            let value = self.default_value(reference, &names, name, default, &inner)?;
            inner.replace(name, value.clone());
            let source = plain_name(&class.definition.name.text);
            if let Some(resource) = self.catalog.get_mut(index) {
                resource.parameters.insert(name.clone(), ParameterValue { value: value.clone(), span: None, appends: false, source });
                if name == "tag" {
                    resource.tag_value(&value)?;
                }
            }
        }
        let values: IndexMap<EcoString, ManifestValue> = inner.variables().into_iter().collect();
        let declared = names.iter().filter_map(|name| values.get(name).map(|value| (name.clone(), value.clone())));
        let rest = values.iter().filter(|(name, _)| !names.contains(name)).map(|(name, value)| (name.clone(), value.clone()));
        Ok(rest.chain(declared).collect())
    }

    pub(crate) fn check_parameters(
        &self,
        class: &ClassDefinition,
        reference: &str,
        values: &IndexMap<EcoString, ManifestValue>,
    ) -> Result<(), EvaluationFailure> {
        let any = Type::Any;
        let builtin = ["name"].iter().chain(METAPARAMETERS).chain(RELATIONS);
        let mut parameters: Vec<NamedParameter<'_>> = builtin.map(|name| NamedParameter { name, of: &any, is_required: false }).collect();
        for (parameter, of) in class.definition.parameters.iter().zip(&class.types) {
            let name = parameter.name.text.as_str();
            parameters.retain(|known| known.name != name);
            let of = of.as_ref().unwrap_or(&any);
            parameters.push(NamedParameter { name, of, is_required: parameter.default.is_none() });
        }
        let names: Vec<&str> = values.keys().map(EcoString::as_str).collect();
        match describe_parameters(reference, &parameters, |name| values.get(name), &names) {
            Some(text) => Err(EvaluationFailure::new(text)),
            None => Ok(()),
        }
    }

    /// Puts a class into its stage.
    fn add_stage_edge(&mut self, index: usize) -> Result<(), EvaluationFailure> {
        let Some(resource) = self.catalog.get(index) else { return Ok(()) };
        let container = self.catalog.get(resource.scope.resource);
        let stage = resource.value("stage").or_else(|| container.and_then(|c| c.value("stage"))).cloned();
        let title = stage.as_ref().map_or("main".to_owned(), crate::compile::text::display);
        let Some(found) = self.catalog.find("stage", &title) else {
            return Err(EvaluationFailure::new(format!("Could not find stage {title} specified by {}", resource.reference())));
        };
        if let (Some(stage), true) = (stage, title != "main")
            && let Some(resource) = self.catalog.get_mut(index)
        {
            let source = EcoString::new();
            resource.parameters.entry("stage".into()).or_insert(ParameterValue { value: stage, span: None, appends: false, source });
        }
        self.catalog.edges.insert((found, index));
        Ok(())
    }

    /// Evaluates the node definition of the node.
    pub(crate) fn evaluate_node(&mut self) -> Result<(), EvaluationFailure> {
        if self.definitions.nodes.is_empty() {
            return Ok(());
        }
        let node = self.environment.node.to_lowercase();
        let found = self.matching_node(&node)?;
        let Some((known, name, groups)) = found else {
            let text = format!("Could not find node statement with name 'default' or '{}'", self.node_names(&node));
            return Err(EvaluationFailure::plain(None, text));
        };
        let top = self.top.clone();
        let resource = self.new_resource(CatalogKind::Node, "node", &name, None, &top);
        let index = self.add_resource(resource)?;
        if let Some(resource) = self.catalog.get_mut(index) {
            resource.flags.is_evaluated = true;
        }
        self.add_scope_tags(index);
        let scope = VariableScope::new(Owner::Node, Some(top.clone()), index, known.module.clone());
        self.catalog.classes.push(name.clone());
        if !known.module.is_empty() {
            scope.set("module_name", ManifestValue::String(known.module.clone()));
        }
        scope.set("title", ManifestValue::String(name.clone()));
        scope.set("name", ManifestValue::String(name));
        scope.set_matches(groups);
        self.node_scope = Some(scope.clone());
        let body = known.definition.body.as_deref().unwrap_or_default();
        ends_normally(self.block(body, &scope))
    }

    /// Returns the names under which Puppet looks for a node definition.
    fn node_names(&self, node: &str) -> String {
        node.to_owned()
    }

    fn matching_node(&mut self, node: &str) -> Result<Option<MatchingNode>, EvaluationFailure> {
        let nodes = self.definitions.nodes.clone();
        let hosts = || nodes.iter().flat_map(|known| known.definition.hosts.iter().map(move |host| (known, host)));
        for (known, host) in hosts() {
            if node_name(host).is_some_and(|name| name == node) {
                return Ok(Some((known.clone(), node.into(), None)));
            }
        }
        let probe = VariableScope::new(Owner::Local, None, 0, EcoString::new());
        for (known, host) in hosts() {
            let ExpressionKind::Pattern(source) = &host.kind else { continue };
            let pattern = crate::compile::value::ValuePattern::new(source)?;
            if compare::search(&pattern, node, Some(&probe)) {
                let letters: String =
                    source.to_lowercase().chars().filter(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | ':' | '.')).collect();
                let name = format!("__node_regexp__{}", letters.trim_start_matches('.'));
                return Ok(Some((known.clone(), name.into(), probe.matches())));
            }
        }
        let default = hosts().find(|(_, host)| matches!(host.kind, ExpressionKind::Default));
        Ok(default.map(|(known, _)| (known.clone(), "default".into(), None)))
    }
}

/// Returns the failure of code, except for `return`.
fn ends_normally(result: Result<ManifestValue, EvaluationFailure>) -> Result<(), EvaluationFailure> {
    match result {
        Err(failure) if matches!(failure.kind(), EvaluationFailureKind::Return(_) | EvaluationFailureKind::Next(_)) => Ok(()),
        Err(failure) => Err(failure),
        Ok(_) => Ok(()),
    }
}
