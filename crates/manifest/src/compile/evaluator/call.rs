//! Calls of functions and lambdas.

use super::labels;
use super::{ManifestEvaluator, definitions::FunctionSignature};
use crate::compile::context::CallContext;
use crate::compile::failure::{EvaluationFailure, EvaluationFailureKind};
use crate::compile::function::{Api, KnownFunction, ParsedSignature};
use crate::compile::scope::{LambdaClosure, Owner, VariableScope};
use crate::compile::text::display;
use crate::compile::types::{
    IntegerBounds, NamedSignature, Type, callable, describe_mismatch, describe_signatures, infer_exact, signature,
};
use crate::compile::value::ManifestValue;
use crate::syntax::tree::{ChainedCall, Expression, ExpressionKind, FunctionCall, LambdaExpression, Parameter};
use ecow::EcoString;
use rtype_lang::source::Span;
use std::sync::Arc;

/// The names with the values of parameters.
pub type Bindings = Vec<(EcoString, ManifestValue)>;

impl ManifestEvaluator {
    pub(crate) fn call(
        &mut self,
        call: &FunctionCall,
        whole: &Expression,
        scope: &Arc<VariableScope>,
    ) -> Result<ManifestValue, EvaluationFailure> {
        let at = labels::anchor(whole);
        match &call.function.kind {
            ExpressionKind::Name(name) => {
                let arguments = self.unfold(&call.arguments, scope)?;
                let lambda = self.closure(call.lambda.as_ref(), scope)?;
                self.call_function(name, arguments, lambda, scope, at)
            }
            ExpressionKind::TypeName(_) | ExpressionKind::Access(_) => {
                let of = self.eval(&call.function, scope)?;
                let mut arguments = vec![of];
                arguments.extend(self.unfold(&call.arguments, scope)?);
                let lambda = self.closure(call.lambda.as_ref(), scope)?;
                self.call_function("new", arguments, lambda, scope, at)
            }
            _ => {
                let text = format!(
                    "Illegal expression. {} is unacceptable as function name in a Function Call",
                    labels::capital_label_of(&call.function)
                );
                Err(EvaluationFailure::at(labels::anchor(&call.function), text))
            }
        }
    }

    pub(crate) fn method(&mut self, call: &ChainedCall, scope: &Arc<VariableScope>) -> Result<ManifestValue, EvaluationFailure> {
        let at = Span::new(call.anchor.start, call.anchor.start);
        let mut arguments = self.unfold(std::slice::from_ref(&call.receiver), scope)?;
        if let [receiver] = arguments.as_slice()
            && let Some(value) = attribute_of(receiver, &call.name.text)
        {
            return Ok(value);
        }
        arguments.extend(self.unfold(&call.arguments, scope)?);
        let lambda = self.closure(call.lambda.as_ref(), scope)?;
        self.call_function(&call.name.text, arguments, lambda, scope, at)
    }

    /// Returns a lambda with its scope.
    fn closure(
        &mut self,
        code: Option<&LambdaExpression>,
        scope: &Arc<VariableScope>,
    ) -> Result<Option<Arc<LambdaClosure>>, EvaluationFailure> {
        let Some(code) = code else { return Ok(None) };
        let code = self.definitions.lambda(code);
        let types = self.parameter_types(&code.parameters, scope)?;
        let returns = match &code.returns {
            Some(returns) => Some(self.type_of(returns, scope)?),
            None => None,
        };
        Ok(Some(Arc::new(LambdaClosure { code, scope: scope.clone(), types, returns })))
    }

    fn parameter_types(&mut self, parameters: &[Parameter], scope: &Arc<VariableScope>) -> Result<Vec<Option<Type>>, EvaluationFailure> {
        let mut has_optional = false;
        for parameter in parameters {
            let is_optional = parameter.default.is_some() || parameter.is_splat;
            if has_optional && !is_optional {
                let text = format!("Parameter ${} is required but appears after optional parameters", parameter.name.text);
                return Err(EvaluationFailure::at(at_parameter(parameter), text));
            }
            has_optional |= is_optional;
        }
        parameters.iter().map(|parameter| parameter.kind.as_ref().map(|kind| self.type_of(kind, scope)).transpose()).collect()
    }

    /// Evaluates an expression that must be a type.
    pub(crate) fn type_of(&mut self, expression: &Expression, scope: &Arc<VariableScope>) -> Result<Type, EvaluationFailure> {
        match self.eval(expression, scope)? {
            ManifestValue::Type(of) => Ok((*of).clone()),
            _ => Err(EvaluationFailure::unsupported("a type expression without a type").or_at(labels::anchor(expression))),
        }
    }

    /// Calls a function by its name.
    ///
    /// # Errors
    /// Returns the failure of the function, or an error if it is unknown.
    pub fn call_function(
        &mut self,
        name: &str,
        arguments: Vec<ManifestValue>,
        lambda: Option<Arc<LambdaClosure>>,
        scope: &Arc<VariableScope>,
        at: Span,
    ) -> Result<ManifestValue, EvaluationFailure> {
        let name = name.strip_prefix("::").unwrap_or(name);
        let environment = self.environment.clone();
        // A function that a manifest defines hides a function of Puppet with the same name.
        let is_hidden = self.definitions.functions.contains_key(name);
        if let Some(known) = environment.functions.get(name).filter(|known| !is_hidden && self.is_available(known)) {
            return self.call_native(known, &arguments, lambda.as_ref(), scope, at);
        }
        if let Some(function) = self.find_function(name)? {
            return self.call_puppet(name, &function.definition, arguments, lambda.as_ref());
        }
        #[cfg(feature = "ruby")]
        if let Some(value) = self.call_ruby(name, &arguments, lambda.as_ref(), scope, at)? {
            return Ok(value);
        }
        #[cfg(not(feature = "ruby"))]
        if self.is_ruby_function(name) {
            return Err(EvaluationFailure::unsupported(format!("the function `{name}` is written in Ruby")));
        }
        Err(EvaluationFailure::at(at, format!("Unknown function: '{name}'.")))
    }

    /// Returns `true` if the module of a function is on the module path.
    fn is_available(&self, known: &KnownFunction) -> bool {
        known.module.is_empty() || self.environment.files.module_directory(known.module).is_some()
    }

    #[cfg(not(feature = "ruby"))]
    /// Returns `true` if a module or the environment has a file in Ruby for a function.
    fn is_ruby_function(&self, name: &str) -> bool {
        let path = name.replace("::", "/");
        let relatives = [format!("lib/puppet/functions/{path}.rb"), format!("lib/puppet/parser/functions/{path}.rb")];
        if let Some((module, _)) = name.split_once("::") {
            return relatives.iter().any(|r| self.environment.files.module_path_of(module, r).is_some())
                || relatives.iter().any(|r| self.environment.files.environment_file(r).is_some());
        }
        self.environment.files.any_module_file(&relatives).is_some()
    }

    pub(crate) fn call_native(
        &mut self,
        known: &KnownFunction,
        arguments: &[ManifestValue],
        lambda: Option<&Arc<LambdaClosure>>,
        scope: &Arc<VariableScope>,
        at: Span,
    ) -> Result<ManifestValue, EvaluationFailure> {
        let name = known.function.name;
        self.refuse_all_facts(name, arguments)?;
        let body = match &known.function.api {
            Api::Typed(_) => self.dispatch(known, arguments, lambda)?,
            Api::Legacy { arity, is_statement, body } => {
                check_arity(name, *arity, arguments.len())?;
                let arguments: Vec<ManifestValue> = arguments.iter().map(legacy_argument).collect();
                let mut context = CallContext { evaluator: self, scope: scope.clone(), span: at, name: name.into() };
                let value = body(&mut context, &arguments, lambda)?;
                return Ok(if *is_statement { ManifestValue::Undef } else { value });
            }
        };
        let (body, is_mistake) = body;
        let mut context = CallContext { evaluator: self, scope: scope.clone(), span: at, name: name.into() };
        let result = body(&mut context, arguments, lambda);
        match result {
            Err(failure) if is_mistake && *failure.kind() == EvaluationFailureKind::Error => {
                Err(EvaluationFailure::new(format!("'{}' {}", shown_name(known.function.name), failure.text())))
            }
            result => result,
        }
    }

    /// Returns the code of the first signature that accepts the arguments.
    fn dispatch(
        &mut self,
        known: &KnownFunction,
        arguments: &[ManifestValue],
        lambda: Option<&Arc<LambdaClosure>>,
    ) -> Result<(crate::compile::function::FunctionBody, bool), EvaluationFailure> {
        let lambda_type = lambda.map(|lambda| Type::Callable(Arc::new(callable(lambda))));
        let signatures = known.signatures()?;
        let fits = |signature: &&ParsedSignature| accepts(&signature.callable, arguments, lambda_type.as_ref());
        if let Some(found) = signatures.iter().filter(|s| !s.is_for_mistakes).find(fits) {
            return Ok((found.body, false));
        }
        if let Some(found) = signatures.iter().filter(|s| s.is_for_mistakes).find(fits) {
            return Ok((found.body, true));
        }
        let named: Vec<NamedSignature<'_>> = signatures
            .iter()
            .filter(|s| !s.is_for_mistakes)
            .map(|s| NamedSignature { callable: &s.callable, names: &s.names, block_name: &s.block_name })
            .collect();
        let types: Vec<Type> = arguments.iter().map(infer_exact).collect();
        Err(EvaluationFailure::new(describe_signatures(Some(shown_name(known.function.name)), &named, &types, lambda_type.as_ref())))
    }

    /// Calls a function in Puppet's language.
    fn call_puppet(
        &mut self,
        name: &str,
        definition: &Arc<crate::syntax::tree::Definition>,
        arguments: Vec<ManifestValue>,
        lambda: Option<&Arc<LambdaClosure>>,
    ) -> Result<ManifestValue, EvaluationFailure> {
        let global = self.node_scope.clone().unwrap_or_else(|| self.top.clone());
        let signature = self.function_signature(name, definition, &global)?;
        if lambda.is_some() {
            return Err(EvaluationFailure::new(format!("'{name}' does not expect a block")));
        }
        let names: Vec<String> = definition.parameters.iter().map(|p| p.name.text.to_string()).collect();
        let named = NamedSignature { callable: &signature.callable, names: &names, block_name: "block" };
        let fits = signature.callable.arity().contains_size(arguments.len())
            && (arguments.iter().enumerate()).all(|(at, argument)| {
                signature.callable.parameters.as_ref().and_then(|p| p.element(at)).is_none_or(|of| of.is_instance(argument))
            });
        if !fits {
            let types: Vec<Type> = arguments.iter().map(infer_exact).collect();
            return Err(EvaluationFailure::new(describe_signatures(Some(name), &[named], &types, None)));
        }
        let function = VariableScope::new(Owner::Function(name.into()), Some(global.clone()), global.resource, global.module.clone());
        let scope = function.local_with(Owner::Local);
        let bindings = self.bind(name, &definition.parameters, arguments, &scope)?;
        self.check_bindings(Some(name), &definition.parameters, &signature.types, &signature.callable, &bindings)?;
        bind_all(&scope, bindings)?;
        let result = match self.block(definition.body.as_deref().unwrap_or_default(), &scope) {
            Err(failure) => match failure.kind() {
                // Puppet checks the type of no value that `return` gives.
                EvaluationFailureKind::Return(value) => return Ok(value.clone()),
                EvaluationFailureKind::Next(value) => value.clone(),
                _ => return Err(failure),
            },
            Ok(value) => value,
        };
        returned(name, signature.returns.as_ref(), result)
    }

    fn function_signature(
        &mut self,
        name: &str,
        definition: &crate::syntax::tree::Definition,
        scope: &Arc<VariableScope>,
    ) -> Result<Arc<FunctionSignature>, EvaluationFailure> {
        if let Some(known) = self.definitions.signatures.get(name) {
            return Ok(known.clone());
        }
        let types = self.parameter_types(&definition.parameters, scope)?;
        let returns = definition.returns.as_ref().map(|returns| self.type_of(returns, scope)).transpose()?;
        let callable = signature(&definition.parameters, &types, returns.as_ref());
        let known = Arc::new(FunctionSignature { types, returns, callable });
        self.definitions.signatures.insert(name.into(), known.clone());
        Ok(known)
    }

    /// Returns the values of parameters: the arguments, or the defaults.
    fn bind(
        &mut self,
        name: &str,
        parameters: &[Parameter],
        arguments: Vec<ManifestValue>,
        scope: &Arc<VariableScope>,
    ) -> Result<Bindings, EvaluationFailure> {
        let names: Vec<EcoString> = parameters.iter().map(|p| p.name.text.clone()).collect();
        let inner = scope.local_with(Owner::Parameters(names.clone()));
        let count = arguments.len();
        let mut arguments = arguments.into_iter();
        for (at, parameter) in parameters.iter().enumerate() {
            let value = match (&parameter.default, at < count, parameter.is_splat) {
                (Some(default), false, is_splat) => {
                    let value = self.default_value(name, &names, &parameter.name.text, default, &inner)?;
                    if is_splat && value.as_array().is_none() { ManifestValue::array(vec![value]) } else { value }
                }
                (default, true, true) => {
                    let rest: Vec<ManifestValue> = arguments.by_ref().collect();
                    match (rest.as_slice(), default) {
                        ([ManifestValue::Undef], Some(default)) => {
                            let value = self.default_value(name, &names, &parameter.name.text, default, &inner)?;
                            if value.as_array().is_none() { ManifestValue::array(vec![value]) } else { value }
                        }
                        _ => ManifestValue::array(rest),
                    }
                }
                (None, false, true) => ManifestValue::array(Vec::new()),
                (None, false, false) => {
                    let text = format!("Parameter ${} is required but no value was given", parameter.name.text);
                    return Err(EvaluationFailure::at(at_parameter(parameter), text));
                }
                (_, true, false) => arguments.next().unwrap_or(ManifestValue::Undef),
            };
            inner.set(&parameter.name.text, value);
        }
        Ok(inner.variables())
    }

    /// Evaluates the default of a parameter. It can read earlier parameters.
    pub(crate) fn default_value(
        &mut self,
        callee: &str,
        names: &[EcoString],
        name: &str,
        default: &Expression,
        scope: &Arc<VariableScope>,
    ) -> Result<ManifestValue, EvaluationFailure> {
        let result = self.guarded(scope, |evaluator| evaluator.eval(default, scope));
        result.map_err(|failure| match failure.kind() {
            EvaluationFailureKind::Unevaluated(other) => {
                let position = |wanted: &str| names.iter().position(|known| known == wanted);
                EvaluationFailure::new(if position(other) < position(name) {
                    format!("{callee}: expects a value for parameter ${other}")
                } else {
                    format!("{callee}: default expression for ${name} tries to illegally access not yet evaluated ${other}")
                })
            }
            _ => failure,
        })
    }

    fn check_bindings(
        &self,
        name: Option<&str>,
        parameters: &[Parameter],
        types: &[Option<Type>],
        callable: &crate::compile::types::Callable,
        bindings: &Bindings,
    ) -> Result<(), EvaluationFailure> {
        let mut values: Vec<ManifestValue> = Vec::new();
        for (parameter, (_, value)) in parameters.iter().zip(bindings) {
            match value {
                ManifestValue::Array(rest) if parameter.is_splat => values.extend(rest.iter().cloned()),
                value => values.push(value.clone()),
            }
        }
        let element = |at: usize| callable.parameters.as_ref().and_then(|tuple| tuple.element(at));
        let fits = callable.arity().contains_size(values.len())
            && values.iter().enumerate().all(|(at, value)| element(at).is_none_or(|of| of.is_instance(value)));
        let _ = types;
        if fits {
            return Ok(());
        }
        let names: Vec<String> = parameters.iter().map(|p| p.name.text.to_string()).collect();
        let named = NamedSignature { callable, names: &names, block_name: "block" };
        let types: Vec<Type> = values.iter().map(infer_exact).collect();
        Err(EvaluationFailure::new(describe_signatures(name, &[named], &types, None)))
    }

    /// Calls a lambda.
    ///
    /// # Errors
    /// Returns an error if the arguments do not fit, or the failure of the body.
    pub fn call_closure(&mut self, lambda: &Arc<LambdaClosure>, arguments: Vec<ManifestValue>) -> Result<ManifestValue, EvaluationFailure> {
        self.spend(1)?;
        let scope = lambda.scope.local();
        let parameters = lambda.parameters();
        let bindings = self.bind("lambda", parameters, arguments, &scope)?;
        let signature = callable(lambda);
        self.check_bindings(None, parameters, &lambda.types, &signature, &bindings)?;
        bind_all(&scope, bindings)?;
        let result = match self.block(&lambda.code.body, &scope) {
            Err(failure) => match failure.kind() {
                EvaluationFailureKind::Next(value) => value.clone(),
                _ => return Err(failure),
            },
            Ok(value) => value,
        };
        returned("lambda", lambda.returns.as_ref(), result)
    }

    /// Calls a lambda of an iteration.
    ///
    /// # Errors
    /// Returns the failure of the lambda.
    pub fn yield_to(&mut self, lambda: &Arc<LambdaClosure>, arguments: Vec<ManifestValue>) -> Result<ManifestValue, EvaluationFailure> {
        self.call_closure(lambda, arguments)
    }
}

fn at_parameter(parameter: &Parameter) -> Span {
    Span::new(parameter.span.start, parameter.span.start)
}

/// Sets variables of a new scope.
fn bind_all(scope: &Arc<VariableScope>, bindings: Bindings) -> Result<(), EvaluationFailure> {
    for (name, value) in bindings {
        if matches!(name.as_str(), "trusted" | "facts" | "server_facts") {
            return Err(EvaluationFailure::new(format!("Attempt to assign to a reserved variable name: '{name}'")));
        }
        scope.set(&name, value);
    }
    Ok(())
}

/// Checks the type of a result.
pub(crate) fn returned(name: &str, returns: Option<&Type>, value: ManifestValue) -> Result<ManifestValue, EvaluationFailure> {
    match returns {
        Some(of) if !of.is_instance(&value) => {
            let actual = infer_exact(&value);
            Err(EvaluationFailure::new(describe_mismatch(&format!("value returned from {name} has wrong type,"), of, &actual)))
        }
        _ => Ok(value),
    }
}

/// Returns `true` if a signature accepts arguments and a lambda.
pub(crate) fn accepts(callable: &crate::compile::types::Callable, arguments: &[ManifestValue], lambda: Option<&Type>) -> bool {
    let block_fits = match (&callable.block, lambda) {
        (None, None) => true,
        (None, Some(_)) => false,
        (Some(block), Some(lambda)) => block.accepts(lambda),
        (Some(block), None) => matches!(block, Type::Optional(_)),
    };
    block_fits
        && callable.arity().contains_size(arguments.len())
        && arguments.iter().enumerate().all(|(at, argument)| {
            callable.parameters.as_ref().and_then(|tuple| tuple.element(at)).is_none_or(|of| of.is_instance(argument))
        })
}

/// Checks how many arguments a 3.x function is called with.
pub(crate) fn check_arity(name: &str, arity: i32, count: usize) -> Result<(), EvaluationFailure> {
    let count = i32::try_from(count).unwrap_or(i32::MAX);
    if arity >= 0 && count != arity {
        return Err(EvaluationFailure::new(format!("{name}(): Wrong number of arguments given ({count} for {arity})")));
    }
    if arity < 0 && count < -arity - 1 {
        return Err(EvaluationFailure::new(format!("{name}(): Wrong number of arguments given ({count} for minimum {})", -arity - 1)));
    }
    Ok(())
}

/// Returns an argument as functions of the old API get it: `undef` is an empty string, and values that Puppet 3 did not have are their text,
/// also inside of arrays and hashes (`Puppet::Pops::Evaluator::Runtime3Converter`).
pub(crate) fn legacy_argument(value: &ManifestValue) -> ManifestValue {
    match value {
        ManifestValue::Undef => ManifestValue::from(""),
        other => legacy_element(other),
    }
}

fn legacy_element(value: &ManifestValue) -> ManifestValue {
    match value {
        ManifestValue::Regexp(_)
        | ManifestValue::SemVer(_)
        | ManifestValue::SemVerRange(_)
        | ManifestValue::Timestamp(_)
        | ManifestValue::Timespan(_)
        | ManifestValue::Binary(_)
        | ManifestValue::Uri(_) => ManifestValue::string(display(value)),
        ManifestValue::Array(elements) => ManifestValue::array(elements.iter().map(legacy_element).collect()),
        ManifestValue::Hash(map) => ManifestValue::hash(map.iter().map(|(key, value)| (legacy_element(key), legacy_element(value)))),
        other => other.clone(),
    }
}

/// Returns the value of an attribute, or of a constant of the type.
fn attribute_of(value: &ManifestValue, name: &str) -> Option<ManifestValue> {
    match value {
        ManifestValue::Object(object) => object.attributes.get(name).cloned().or_else(|| {
            let of = object.object_type.attributes.iter().find(|of| of.name == name);
            of.filter(|of| of.is_constant).and_then(|of| of.value.clone())
        }),
        ManifestValue::Uri(text) => crate::compile::uri::attribute(text, name),
        _ => None,
    }
}

/// Tests of argument counts.
impl IntegerBounds {
    /// Returns `true` for exactly one argument.
    pub fn is_one(self) -> bool {
        self == IntegerBounds::new(1, 1)
    }
}

/// Returns the name of a function in messages: constructors have names of their own in Puppet.
fn shown_name(name: &'static str) -> &'static str {
    match name {
        "Integer.new" => "new",
        "Float.new" | "Regexp.new" => "new_float",
        "Numeric.new" => "new_numeric",
        "Boolean.new" => "new_boolean",
        "Array.new" => "new_array",
        "Hash.new" => "new_hash",
        "String.new" => "new_string",
        "Type.new" => "new_type",
        "SemVer.new" => "new_Version",
        "Binary.new" => "new_Binary",
        "Timespan.new" => "new_timespan",
        "Timestamp.new" => "new_timestamp",
        "SemVerRange.new" => "new_VersionRange",
        _ => name,
    }
}
