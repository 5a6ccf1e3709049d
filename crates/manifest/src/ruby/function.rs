//! Functions of modules.

use super::host::{CallSite, Dispatch};
use super::values::{Symbols, from_ruby, to_ruby};
use super::{RubyRunner, RubyTask};
use crate::compile::evaluator::ManifestEvaluator;
use crate::compile::evaluator::call::{accepts, check_arity, legacy_argument, returned};
use crate::compile::failure::EvaluationFailure;
use crate::compile::scope::{LambdaClosure, VariableScope};
use crate::compile::types::{Callable, NamedSignature, Type, callable, describe_signatures, infer_exact};
use crate::compile::value::ManifestValue;
use crate::syntax::Form;
use crate::syntax::tree::ExpressionKind;
use rtype_lang::source::Span;
use rtype_ruby::run::{Evaluation, RuntimeValue};
use std::path::PathBuf;
use std::sync::Arc;

/// A function that was declared.
pub(super) struct RubyFunction {
    path: PathBuf,
    /// The lower-case name, for which the file was found.
    name: String,
    api: RubyApi,
}

enum RubyApi {
    Legacy { is_value: bool, arity: i64 },
    Typed(Vec<RubySignature>),
}

/// A way to call a function of the 4.x API.
struct RubySignature {
    method: String,
    callable: Callable,
    names: Vec<String>,
    block_name: String,
    takes_scope: bool,
}

impl ManifestEvaluator {
    /// Returns the file in Ruby for a function.
    fn ruby_file(&self, name: &str) -> Option<PathBuf> {
        let path = name.replace("::", "/");
        let relatives = [format!("lib/puppet/functions/{path}.rb"), format!("lib/puppet/parser/functions/{path}.rb")];
        let files = &self.environment.files;
        if let Some((module, _)) = name.split_once("::") {
            let in_module = relatives.iter().find_map(|relative| files.module_path_of(module, relative));
            return in_module.or_else(|| relatives.iter().find_map(|relative| files.environment_file(relative)));
        }
        let in_environment = relatives.iter().find_map(|relative| files.environment_file(relative));
        in_environment.or_else(|| relatives.iter().find_map(|relative| files.any_module_file(std::slice::from_ref(relative))))
    }

    /// Calls a function that is written in Ruby; `None` if there is none.
    pub(crate) fn call_ruby(
        &mut self,
        name: &str,
        arguments: &[ManifestValue],
        lambda: Option<&Arc<LambdaClosure>>,
        scope: &Arc<VariableScope>,
        at: Span,
    ) -> Result<Option<ManifestValue>, EvaluationFailure> {
        let site = CallSite { scope: scope.clone(), span: at, name: name.into() };
        self.refuse_all_facts(name, arguments)?;
        let function = match self.ruby.functions.get(name) {
            Some(known) => known.clone(),
            None => {
                let Some(path) = self.ruby_file(name) else { return Ok(None) };
                let function = Arc::new(self.ruby_function(name, path, &site)?);
                self.ruby.functions.insert(name.to_owned(), function.clone());
                function
            }
        };
        match &function.api {
            RubyApi::Legacy { is_value, arity } => {
                check_arity(name, i32::try_from(*arity).unwrap_or(-1), arguments.len())?;
                let arguments: Vec<ManifestValue> = arguments.iter().map(legacy_argument).collect();
                let value = self.run_function(&function, site, |runner| {
                    let list = converted(runner, &arguments)?;
                    let list = runner.run.create_array(list)?;
                    let name = runner.run.create_string(&function.name)?;
                    let value = runner.host_call("run3", vec![name, list])?;
                    from_ruby(&mut runner.run, &runner.host.clone(), &value, Symbols::Undef)
                })?;
                Ok(Some(if *is_value { value } else { ManifestValue::Undef }))
            }
            RubyApi::Typed(signatures) => {
                let signature = chosen(name, signatures, arguments, lambda)?;
                let value =
                    self.run_function(&function, site, |runner| call_typed(runner, &function.name, signature, arguments, lambda))?;
                returned(&format!("function '{}'", signature.method), signature.callable.returns.as_ref(), value).map(Some)
            }
        }
    }

    /// Runs the file of a function.
    fn ruby_function(&mut self, name: &str, path: PathBuf, site: &CallSite) -> Result<RubyFunction, EvaluationFailure> {
        let is_typed = !path.components().any(|part| part.as_os_str() == "parser");
        let function = RubyFunction { path, name: name.to_owned(), api: RubyApi::Typed(Vec::new()) };
        let found = self.run_function(&function, site.clone(), |runner| {
            let typed = runner.host.typed.borrow().get(name).cloned();
            let legacy = runner.host.legacy.borrow().get(name).cloned();
            Ok((typed, legacy))
        })?;
        let api = match found {
            (Some(dispatches), _) if is_typed => {
                RubyApi::Typed(dispatches.into_iter().map(|dispatch| self.signature_of(dispatch)).collect::<Result<_, _>>()?)
            }
            (_, Some(legacy)) if !is_typed => RubyApi::Legacy { is_value: legacy.is_value, arity: legacy.arity },
            _ => {
                let path = function.path.display();
                return Err(EvaluationFailure::unsupported(format!("the file {path} does not define the function `{name}`")));
            }
        };
        Ok(RubyFunction { api, ..function })
    }

    /// Runs code after the file of a function.
    fn run_function<T>(
        &mut self,
        function: &RubyFunction,
        site: CallSite,
        code: impl FnOnce(&mut RubyRunner) -> Evaluation<T>,
    ) -> Result<T, EvaluationFailure> {
        let path = function.path.display().to_string();
        let bytes = self.environment.files.read(&function.path)?;
        let text = String::from_utf8(bytes).map_err(|_| EvaluationFailure::unsupported(format!("the file {path}, which is not UTF-8")))?;
        let what = format!("the function `{}`", function.name);
        let task = RubyTask { what: &what, site };
        let run = |runner: &mut RubyRunner| {
            if runner.loaded.insert(path.clone()) {
                runner.run.run(&path, &text)?;
            }
            let mut value = None;
            let begun = runner.host_call("begin_call", Vec::new());
            let result = begun.and_then(|_| code(runner)).and_then(|found| {
                value = Some(found);
                runner.keep_set_variables().map(|()| RuntimeValue::Nil)
            });
            runner.finish(result)?;
            value.ok_or_else(|| EvaluationFailure::unsupported("a call without a value").into())
        };
        self.with_ruby(&task, run, |_, _, message| EvaluationFailure::new(message))
    }

    /// Returns a declared way to call a function with its types.
    fn signature_of(&mut self, dispatch: Dispatch) -> Result<RubySignature, EvaluationFailure> {
        let (method, parameters, block, returns, takes_scope) = dispatch;
        let (mut types, mut names, mut least, mut most) = (Vec::new(), Vec::new(), 0, Some(0));
        for (kind, of, name) in parameters {
            types.push(self.type_from_text(&of)?);
            names.push(name);
            least += i64::from(kind.is_empty() || kind == "+");
            most = if kind.is_empty() || kind == "?" { most.map(|most| most + 1) } else { None };
        }
        let (block, block_name) = match block {
            None => (None, String::new()),
            Some((is_optional, of, name)) => {
                let of = self.type_from_text(&of)?;
                (Some(if is_optional { Type::Optional(Arc::new(of)) } else { of }), name)
            }
        };
        let mut callable = Callable::new(types, least, most, block);
        callable.returns = returns.map(|text| self.type_from_text(&text)).transpose()?;
        Ok(RubySignature { method, callable, names, block_name, takes_scope })
    }

    /// Evaluates the text of a type, which may name aliases.
    fn type_from_text(&mut self, text: &str) -> Result<Type, EvaluationFailure> {
        if let Some(of) = Type::parse(text).ok().filter(|of| !matches!(of, Type::Resource(..))) {
            return Ok(of);
        }
        let parsed = self.parse("type", format!("$t = {text}"), Form::Manifest)?;
        let Some(ExpressionKind::Binary(assignment)) = parsed.tree.statements.first().map(|statement| &statement.kind) else {
            return Err(EvaluationFailure::unsupported(format!("the type `{text}`")));
        };
        let top = self.top.clone();
        self.type_of(&assignment.right, &top)
    }
}

/// Returns the first signature that accepts the arguments.
fn chosen<'s>(
    name: &str,
    signatures: &'s [RubySignature],
    arguments: &[ManifestValue],
    lambda: Option<&Arc<LambdaClosure>>,
) -> Result<&'s RubySignature, EvaluationFailure> {
    let lambda_type = lambda.map(|lambda| Type::Callable(Arc::new(callable(lambda))));
    if let Some(found) = signatures.iter().find(|signature| accepts(&signature.callable, arguments, lambda_type.as_ref())) {
        return Ok(found);
    }
    let named = |s: &'s RubySignature| NamedSignature { callable: &s.callable, names: &s.names, block_name: &s.block_name };
    let named: Vec<NamedSignature<'_>> = signatures.iter().map(named).collect();
    let types: Vec<Type> = arguments.iter().map(infer_exact).collect();
    Err(EvaluationFailure::new(describe_signatures(Some(name), &named, &types, lambda_type.as_ref())))
}

fn call_typed(
    runner: &mut RubyRunner,
    name: &str,
    signature: &RubySignature,
    arguments: &[ManifestValue],
    lambda: Option<&Arc<LambdaClosure>>,
) -> Evaluation<ManifestValue> {
    let list = converted(runner, arguments)?;
    let given = runner.run.create_array(list.clone())?;
    let number = match lambda {
        None => RuntimeValue::Nil,
        Some(lambda) => {
            runner.host.lambdas.borrow_mut().push(lambda.clone());
            RuntimeValue::Int(0)
        }
    };
    let (name, method) = (runner.run.create_string(name)?, runner.run.create_string(&signature.method)?);
    let value = runner.host_call("run4", vec![name, method, RuntimeValue::Bool(signature.takes_scope), given, number])?;
    let host = runner.host.clone();
    for (object, argument) in list.iter().zip(arguments) {
        let is_changed = from_ruby(&mut runner.run, &host, object, Symbols::Undef)? != *argument;
        if is_changed {
            runner.run.not_known("the function changes the value of an argument")?;
        }
    }
    from_ruby(&mut runner.run, &host, &value, Symbols::Refused)
}

fn converted(runner: &mut RubyRunner, values: &[ManifestValue]) -> Evaluation<Vec<RuntimeValue>> {
    let host = runner.host.clone();
    values.iter().map(|value| to_ruby(&mut runner.run, &host, value)).collect()
}
