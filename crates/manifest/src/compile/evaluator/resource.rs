//! Declarations, defaults and overrides of resources.

use super::access::flatten;
use super::load::plain_name;
use super::{ManifestEvaluator, Override, labels};
use crate::compile::catalog::{CatalogKind, CatalogResource, ParameterValue, is_metaparameter};
use crate::compile::environment::{NativeType, Strictness};
use crate::compile::failure::EvaluationFailure;
use crate::compile::logs::Level;
use crate::compile::scope::VariableScope;
use crate::compile::text::label::label;
use crate::compile::types::{Type, infer_generic};
use crate::compile::value::ManifestValue;
use crate::syntax::tree::{AttributeOperation, AttributeSettings, Expression, ExpressionKind, ResourceExpression, ResourceForm};
use ecow::EcoString;
use indexmap::IndexMap;
use rtype_lang::source::Span;
use std::sync::Arc;

/// The parameters of a declaration.
pub type Parameters = IndexMap<EcoString, ParameterValue>;

/// How resources are declared.
#[derive(Clone, Copy, Debug)]
pub struct ResourceDeclaration {
    /// Whether they are virtual.
    pub is_virtual: bool,
    /// Whether they are exported.
    pub is_exported: bool,
    /// Whether a function declares them.
    pub is_from_function: bool,
    /// The place.
    pub span: Span,
}

impl ManifestEvaluator {
    pub(crate) fn resource(
        &mut self,
        resource: &ResourceExpression,
        whole: &Expression,
        scope: &Arc<VariableScope>,
    ) -> Result<ManifestValue, EvaluationFailure> {
        let at = labels::anchor(whole);
        let type_name = self.resource_type_name(&resource.kind, scope)?;
        if resource.form == ResourceForm::Exported {
            let text = "You cannot collect exported resources without storeconfigs being set; the export is ignored";
            self.log(Level::Warning, text.into(), Some(at));
        }
        let mut seen: Vec<ManifestValue> = Vec::new();
        let mut bodies: Vec<(Vec<EcoString>, Parameters)> = Vec::new();
        let mut defaults = Parameters::new();
        for body in &resource.bodies {
            let title_at = labels::anchor(&body.title);
            let titles = self.eval(&body.title, scope)?;
            if titles == ManifestValue::Undef {
                return Err(EvaluationFailure::at(title_at, "Missing title. The title expression resulted in undef"));
            }
            let titles = flatten(&[titles]);
            for (index, title) in titles.iter().enumerate() {
                check_title(index, title, title_at)?;
                if seen.contains(title) {
                    let title = crate::compile::text::display(title);
                    return Err(EvaluationFailure::at(
                        at,
                        format!("The title '{title}' has already been used in this resource expression"),
                    ));
                }
                seen.push(title.clone());
            }
            let parameters = self.attributes(&body.attributes, at, scope)?;
            if titles.contains(&ManifestValue::Default) {
                defaults.clone_from(&parameters);
            }
            bodies.push((titles.iter().filter_map(|title| title.as_str().map(EcoString::from)).collect(), parameters));
        }
        let declaration = ResourceDeclaration {
            is_virtual: resource.form != ResourceForm::Regular,
            is_exported: resource.form == ResourceForm::Exported,
            is_from_function: false,
            span: at,
        };
        let mut references = Vec::new();
        for (titles, parameters) in bodies {
            let mut all = defaults.clone();
            all.extend(parameters);
            references.extend(self.create_resources(&type_name, &titles, &all, declaration, scope)?);
        }
        Ok(ManifestValue::array(references))
    }

    fn resource_type_name(&mut self, kind: &Expression, scope: &Arc<VariableScope>) -> Result<EcoString, EvaluationFailure> {
        if let ExpressionKind::Name(name) = &kind.kind {
            return Ok(name.clone());
        }
        let value = self.eval(kind, scope)?;
        let is_reference = match &kind.kind {
            ExpressionKind::TypeName(_) => true,
            ExpressionKind::Access(access) => matches!(access.target.kind, ExpressionKind::TypeName(_)),
            _ => false,
        };
        let actual = match &value {
            ManifestValue::Type(of) if is_reference => match &**of {
                Type::Class(None) => return Ok("class".into()),
                Type::Resource(Some(name), None) => return Ok(name.clone()),
                Type::Class(_) | Type::Resource(Some(_), _) => of.to_string(),
                _ => infer_generic(&value).to_string(),
            },
            _ => infer_generic(&value).to_string(),
        };
        let text = format!("Illegal Resource Type expression, expected result to be a type name, or untitled Resource, got {actual}");
        Err(EvaluationFailure::at(labels::anchor(kind), text))
    }

    /// Evaluates attributes; each may be set once.
    pub(crate) fn attributes(
        &mut self,
        attributes: &[AttributeOperation],
        whole: Span,
        scope: &Arc<VariableScope>,
    ) -> Result<Parameters, EvaluationFailure> {
        let mut parameters = Parameters::new();
        let source = scope.source();
        for attribute in attributes {
            let span = Some(Span::new(attribute.span.start, attribute.span.start));
            let value = self.eval(&attribute.value, scope)?;
            if contains_iterator(&value) {
                let text = "Error while evaluating a '=>' expression, Use of an Iterator is not supported here";
                return Err(EvaluationFailure::at(Span::new(attribute.span.start, attribute.span.start), text));
            }
            let entries: Vec<(EcoString, ManifestValue)> = match (&attribute.name, value) {
                (Some(name), value) => vec![(name.text.clone(), value)],
                (None, ManifestValue::Hash(map)) => {
                    map.iter().map(|(key, value)| (crate::compile::text::display(key).into(), value.clone())).collect()
                }
                (None, other) => {
                    let text = format!("Expected value of type Hash, got {}", infer_generic(&other));
                    return Err(EvaluationFailure::at(labels::anchor(&attribute.value), text));
                }
            };
            for (name, value) in entries {
                if parameters.contains_key(&name) {
                    return Err(EvaluationFailure::at(whole, format!("The attribute '{name}' has already been set")));
                }
                parameters.insert(name, ParameterValue { value, span, appends: attribute.appends, source: source.clone() });
            }
        }
        Ok(parameters)
    }

    /// Declares resources and returns their references.
    ///
    /// # Errors
    /// Returns an error if the type is unknown or a resource is declared already.
    pub(crate) fn create_resources(
        &mut self,
        type_name: &str,
        titles: &[EcoString],
        parameters: &Parameters,
        declaration: ResourceDeclaration,
        scope: &Arc<VariableScope>,
    ) -> Result<Vec<ManifestValue>, EvaluationFailure> {
        let name = plain_name(type_name);
        if name == "class" {
            return self.create_classes(titles, parameters, declaration, scope);
        }
        let native = if name.contains(':') { None } else { self.environment.types.find(&name, &self.environment.files) };
        let kind = match native {
            Some(known) => CatalogKind::Native(known),
            None if self.find_define(&name)?.is_some() => CatalogKind::Defined,
            None => return Err(EvaluationFailure::new(format!("Unknown resource type: '{type_name}'"))),
        };
        let mut references = Vec::new();
        for title in titles {
            let resource = self.declared(kind.clone(), &name, title, parameters, declaration, scope)?;
            self.add_resource(resource)?;
            references.push(ManifestValue::of_type(Type::Resource(Some(name.clone()), Some(title.clone()))));
        }
        Ok(references)
    }

    fn create_classes(
        &mut self,
        titles: &[EcoString],
        parameters: &Parameters,
        declaration: ResourceDeclaration,
        scope: &Arc<VariableScope>,
    ) -> Result<Vec<ManifestValue>, EvaluationFailure> {
        let mut references = Vec::new();
        for title in titles {
            let Some(class) = self.find_class(title)? else {
                return Err(EvaluationFailure::new(format!("Could not find declared class {title}")));
            };
            let name = plain_name(&class.definition.name.text);
            let resource = self.declared(CatalogKind::Class, "class", &name, parameters, declaration, scope)?;
            self.ensure_parent(&class, scope)?;
            let index = self.add_resource(resource)?;
            self.evaluate_class(index, &class)?;
            // Puppet's value of a class declaration is a reference with the title of the resource.
            let title = crate::compile::types::display::capitalized(&name);
            references.push(ManifestValue::of_type(Type::Resource(Some("class".into()), Some(title.into()))));
        }
        Ok(references)
    }

    /// Creates a resource with parameters and resource defaults.
    fn declared(
        &mut self,
        kind: CatalogKind,
        type_name: &str,
        title: &str,
        parameters: &Parameters,
        declaration: ResourceDeclaration,
        scope: &Arc<VariableScope>,
    ) -> Result<CatalogResource, EvaluationFailure> {
        self.budget.resources(self.catalog.resources.len())?;
        let mut resource = self.new_resource(kind, type_name, title, Some(declaration.span), scope);
        resource.flags.is_virtual = declaration.is_virtual;
        resource.flags.is_exported = declaration.is_exported;
        resource.flags.is_from_function = declaration.is_from_function;
        for (name, parameter) in parameters {
            if name == "tag" {
                resource.tag_value(&parameter.value)?;
            }
            resource.parameters.insert(name.clone(), parameter.clone());
        }
        for (name, parameter) in self.type_defaults(scope, type_name) {
            if !resource.parameters.contains_key(&name) {
                if name == "tag" {
                    resource.tag_value(&parameter.value)?;
                }
                resource.parameters.insert(name, parameter);
            }
        }
        Ok(resource)
    }

    /// Adds a resource to the catalog.
    ///
    /// # Errors
    /// Returns an error if the resource, or another name of it, is declared already.
    pub(crate) fn add_resource(&mut self, resource: CatalogResource) -> Result<usize, EvaluationFailure> {
        let reference = resource.reference();
        if let Some(existing) = self.catalog.find_titled(&resource.type_name, &resource.title) {
            let first = self.catalog.get(existing).map(|existing| self.declared_at(existing)).unwrap_or_default();
            let again = self.declared_at(&resource);
            let first = if first.is_empty() { String::new() } else { format!(" at {first}") };
            let again = if again.is_empty() { String::new() } else { format!(" {again}") };
            let text = format!("Duplicate declaration: {reference} is already declared{first}; cannot redeclare{again}");
            return Err(EvaluationFailure::new(text));
        }
        let (is_class, is_stage) = (resource.is_class(), resource.type_name == "stage");
        let container = resource.scope.resource;
        let has_stage = resource.value("stage").is_some();
        let index = self.catalog.insert(resource);
        self.add_aliases(index)?;
        if !is_class && has_stage {
            let text = format!("Only classes can set 'stage'; normal resources like {reference} cannot change run stage");
            return Err(EvaluationFailure::new(text));
        }
        if !is_class && !is_stage && index != container {
            self.catalog.edges.insert((container, index));
        }
        Ok(index)
    }

    /// Adds the other names of a resource: `alias`, and the value of the attribute that identifies it.
    fn add_aliases(&mut self, index: usize) -> Result<(), EvaluationFailure> {
        let Some(resource) = self.catalog.get(index) else { return Ok(()) };
        let type_name = resource.type_name.clone();
        let mut keys: Vec<(String, String)> = Vec::new();
        if let Some(alias) = resource.value("alias") {
            for alias in flatten(std::slice::from_ref(alias)) {
                let alias = crate::compile::text::display(&alias);
                keys.push((alias.clone(), crate::compile::text::inspect::quoted(&alias)));
            }
        }
        if let Some((key, shown)) = self.composed_key(resource)? {
            keys.push((key, shown));
        } else if let CatalogKind::Native(NativeType { namevar: Some(namevar), is_isomorphic: true, .. }) = &resource.kind {
            let value = resource.value(namevar).or_else(|| resource.value("name")).cloned().unwrap_or_else(|| self.title_value(resource));
            let value = crate::compile::text::display(&value);
            if value != resource.title {
                keys.push((value.clone(), format!("[{}]", crate::compile::text::inspect::quoted(&value))));
            }
        }
        for (key, shown) in keys {
            let Some(other) = self.catalog.alias(index, &type_name, &key) else { continue };
            let (Some(resource), Some(existing)) = (self.catalog.get(index), self.catalog.get(other)) else { continue };
            let at = self.declared_at(resource);
            let at = if at.is_empty() { String::new() } else { format!(" at {at}") };
            let first = self.declared_at(existing);
            let first = if first.is_empty() { String::new() } else { format!(" {first}") };
            let taken = match shown.strip_prefix('[') {
                Some(values) => values.trim_end_matches(']').to_owned(),
                None => shown.clone(),
            };
            let text = format!(
                "Cannot alias {} to {shown}{at}; resource [{}, {taken}] already declared{first}",
                resource.reference(),
                crate::compile::text::inspect::quoted(&crate::compile::types::display::capitalized(&type_name)),
            );
            return Err(EvaluationFailure::new(text));
        }
        Ok(())
    }

    /// Returns the values of several identifying attributes as a key, and as Puppet shows them. The key is not a title.
    fn composed_key(&self, resource: &CatalogResource) -> Result<Option<(String, String)>, EvaluationFailure> {
        let CatalogKind::Native(known) = &resource.kind else { return Ok(None) };
        if known.keys.is_empty() || !known.is_isomorphic {
            return Ok(None);
        }
        let title = resource.title.as_str();
        let of_title = match known.title_attributes(title) {
            Some(found) => found,
            None if known.title_patterns.is_empty() => vec![("name".into(), ManifestValue::string(title))],
            None => {
                let text = format!("No set of title patterns matched the title {}.", crate::compile::text::inspect::quoted(title));
                return Err(EvaluationFailure::new(text));
            }
        };
        let value = |name: &EcoString| {
            let parsed = of_title.iter().find(|(known, _)| known == name).map(|(_, value)| value);
            let value = resource.value(name).or(parsed).filter(|value| **value != ManifestValue::Undef).cloned();
            value.or_else(|| (name == "name").then(|| ManifestValue::string(title)))
        };
        let values: Vec<Option<String>> = known.keys.iter().map(|name| Some(crate::compile::text::display(&value(name)?))).collect();
        let shown = |value: &Option<String>| value.as_deref().map_or("nil".to_owned(), crate::compile::text::inspect::quoted);
        let shown = values.iter().map(shown).collect::<Vec<_>>().join(", ");
        let key = values.into_iter().map(|value| value.map(|value| format!("{value}\0")).unwrap_or_default()).collect::<Vec<_>>();
        Ok(Some((key.join("\0"), format!("[{shown}]"))))
    }

    /// Returns the value that the title gives to the identifying attribute: paths lose a slash at the end.
    pub(crate) fn title_value(&self, resource: &CatalogResource) -> ManifestValue {
        let title = resource.title.as_str();
        if resource.type_name == "file" && title.len() > 1 {
            return ManifestValue::string(title.trim_end_matches('/'));
        }
        ManifestValue::string(title)
    }

    /// Returns `true` if a resource has a parameter of this name.
    pub(crate) fn has_parameter(&mut self, index: usize, name: &str) -> bool {
        let Some(resource) = self.catalog.get(index) else { return false };
        if is_metaparameter(name) || name == "name" {
            return true;
        }
        match &resource.kind {
            CatalogKind::Native(known) => known.attributes.as_ref().is_none_or(|all| all.iter().any(|known| known == name)),
            CatalogKind::Defined => {
                let define = self.definitions.defines.get(&resource.type_name);
                define.is_some_and(|define| define.definition.parameters.iter().any(|p| p.name.text == name))
            }
            CatalogKind::Class => {
                let class = self.definitions.class(&resource.title);
                class.is_some_and(|class| class.definition.parameters.iter().any(|p| p.name.text == name))
            }
            CatalogKind::Node => false,
        }
    }

    pub(crate) fn defaults_of(
        &mut self,
        settings: &AttributeSettings,
        scope: &Arc<VariableScope>,
    ) -> Result<ManifestValue, EvaluationFailure> {
        let target = self.eval(&settings.target, scope)?;
        let name = match &target {
            ManifestValue::Type(of) => match &**of {
                Type::Resource(Some(name), None) => name.clone(),
                _ => return Err(illegal_defaults(&target, &settings.target)),
            },
            _ => return Err(illegal_defaults(&target, &settings.target)),
        };
        let parameters = self.attributes(&settings.attributes, labels::anchor(&settings.target), scope)?;
        let table = self.defaults.entry(number(scope)).or_default().entry(name.clone()).or_default();
        for (key, parameter) in parameters {
            if table.contains_key(&key) {
                let shown = crate::compile::types::display::capitalized(&name);
                let text = format!("Default already defined for {shown} {{ {key} }}; cannot redefine");
                return Err(EvaluationFailure::plain(parameter.span, text));
            }
            table.insert(key, parameter);
        }
        Ok(target)
    }

    /// Returns the defaults of a type in a scope: those of inner scopes win.
    pub(crate) fn type_defaults(&self, scope: &Arc<VariableScope>, type_name: &str) -> Parameters {
        let mut at = Some(scope.base());
        let mut chain = Vec::new();
        while let Some(scope) = at {
            chain.push(number(&scope));
            at = scope.parent.as_ref().map(VariableScope::base);
        }
        let mut found = Parameters::new();
        for scope in chain.into_iter().rev() {
            let table = self.defaults.get(&scope).and_then(|types| types.get(type_name));
            found.extend(table.into_iter().flatten().map(|(name, parameter)| (name.clone(), parameter.clone())));
        }
        found
    }

    pub(crate) fn overrides_of(
        &mut self,
        settings: &AttributeSettings,
        whole: &Expression,
        scope: &Arc<VariableScope>,
    ) -> Result<ManifestValue, EvaluationFailure> {
        let at = labels::anchor(whole);
        let targets = self.eval(&settings.target, scope)?;
        let parameters = self.attributes(&settings.attributes, at, scope)?;
        for target in flatten(std::slice::from_ref(&targets)) {
            let reference = match &target {
                ManifestValue::Type(of) => match &**of {
                    Type::Resource(Some(name), Some(title)) if name != "class" => Some((name.clone(), title.clone())),
                    Type::Resource(Some(name), None) if name != "class" => {
                        return Err(EvaluationFailure::new(format!("No title provided and :{name} is not a valid resource reference")));
                    }
                    _ => None,
                },
                _ => None,
            };
            let Some((name, title)) = reference else {
                return Err(EvaluationFailure::at(at, format!("Resource Override can only operate on resources, got: {}", label(&target))));
            };
            let change = Override { parameters: parameters.clone().into_iter().collect(), span: at, source: scope.source() };
            self.add_override(&name, &title, change, scope, false)?;
        }
        Ok(targets)
    }

    /// Applies an override, now or when the resource is declared.
    pub(crate) fn add_override(
        &mut self,
        name: &str,
        title: &str,
        change: Override,
        scope: &Arc<VariableScope>,
        may_replace: bool,
    ) -> Result<(), EvaluationFailure> {
        match self.catalog.find(name, title) {
            Some(index) => self.merge(index, change, scope, may_replace),
            None => {
                self.overrides.entry((name.into(), title.into())).or_default().push(change);
                Ok(())
            }
        }
    }

    /// Applies an override to a resource.
    pub(crate) fn merge(
        &mut self,
        index: usize,
        change: Override,
        scope: &Arc<VariableScope>,
        may_replace: bool,
    ) -> Result<(), EvaluationFailure> {
        let Some(resource) = self.catalog.get(index) else { return Ok(()) };
        let is_child = |evaluator: &ManifestEvaluator, own: &str, other: &str| may_replace || evaluator.definitions.is_child_of(own, other);
        if change.source != resource.source && !is_child(self, &change.source, &resource.source) {
            return Err(EvaluationFailure::plain(Some(change.span), "Only subclasses can override parameters"));
        }
        if resource.flags.is_evaluated {
            let at = self.location(resource.span);
            let defined = if at.is_empty() { String::new() } else { format!(", defined at {at},") };
            let text = format!("Attempt to override an already evaluated resource{defined} with new values");
            match self.environment.strict {
                Strictness::Error => return Err(EvaluationFailure::plain(Some(change.span), text)),
                Strictness::Warning => {
                    let text = format!("{text} {}", self.location(Some(change.span)));
                    self.log(Level::Warning, text.into(), None);
                }
                Strictness::Off => {}
            }
        }
        for (name, parameter) in change.parameters {
            self.override_parameter(index, &name, parameter, &change.source, scope, may_replace)?;
        }
        Ok(())
    }

    fn override_parameter(
        &mut self,
        index: usize,
        name: &EcoString,
        mut parameter: ParameterValue,
        source: &EcoString,
        scope: &Arc<VariableScope>,
        may_replace: bool,
    ) -> Result<(), EvaluationFailure> {
        let Some(resource) = self.catalog.get(index) else { return Ok(()) };
        let type_name = resource.type_name.clone();
        let container = resource.scope.clone();
        let is_default = |evaluator: &ManifestEvaluator, value: &ManifestValue| {
            evaluator.type_defaults(&container, &type_name).get(name).is_some_and(|default| default.value == *value)
        };
        if let Some(current) = resource.parameters.get(name).cloned() {
            if is_default(self, &parameter.value) {
                return Ok(());
            }
            let may_override = may_replace
                || self.definitions.is_child_of(source, &current.source)
                || (*source == current.source && is_default(self, &current.value));
            if !may_override {
                let at = self.location(current.span);
                let at = if at.is_empty() { String::new() } else { format!(" at {at}") };
                let text = format!("Parameter '{name}' is already set on {}{at}; cannot redefine", resource.reference());
                return Err(EvaluationFailure::plain(parameter.span, text));
            }
            if parameter.appends {
                parameter.value = ManifestValue::array(flatten(&[current.value, parameter.value]));
            }
        }
        let _ = scope;
        if let Some(resource) = self.catalog.get_mut(index) {
            if name == "tag" {
                resource.tag_value(&parameter.value)?;
            }
            resource.parameters.insert(name.clone(), parameter);
        }
        Ok(())
    }
}

/// Returns the number of the scope of a class, defined type or manifest.
fn number(scope: &Arc<VariableScope>) -> usize {
    scope.base().number
}

fn illegal_defaults(target: &ManifestValue, expression: &Expression) -> EvaluationFailure {
    let text =
        format!("Illegal Resource Type expression, expected result to be a type name, or untitled Resource, got {}", infer_generic(target));
    EvaluationFailure::at(labels::anchor(expression), text)
}

fn check_title(index: usize, title: &ManifestValue, at: Span) -> Result<(), EvaluationFailure> {
    let text = match title {
        ManifestValue::Undef => format!("Missing title at index {index}. The title expression resulted in an undef title"),
        ManifestValue::String(text) if text.is_empty() => {
            format!("Empty string title at {index}. Title strings must have a length greater than zero.")
        }
        ManifestValue::String(_) | ManifestValue::Default => return Ok(()),
        other => format!("Illegal title type at index {index}. Expected String, got {}", infer_generic(other)),
    };
    Err(EvaluationFailure::at(at, text))
}

/// Returns `true` if a value is an iterator or has one inside. Collectors are values of their own.
fn contains_iterator(value: &ManifestValue) -> bool {
    match value {
        ManifestValue::Iterator(sequence) => !matches!(sequence.element_type, crate::compile::types::Type::CatalogEntry),
        ManifestValue::Array(elements) => elements.iter().any(contains_iterator),
        ManifestValue::Hash(map) => map.values().any(contains_iterator),
        _ => false,
    }
}
