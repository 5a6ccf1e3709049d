//! Functions and templates written in Ruby, which run in the sandbox of `rtype-ruby`.
//!
//! The code sees the part of Puppet that `api.rb` defines. It reads no files but those of modules, and every value that the interpreter does
//! not know ends the evaluation as not supported.

mod erb;
mod function;
mod host;
mod template;
mod values;

pub(crate) use template::{inline_template, template};

use crate::compile::environment::Environment;
use crate::compile::evaluator::ManifestEvaluator;
use crate::compile::failure::EvaluationFailure;
use host::{CallSite, RubyHost, SharedHost};
use rtype_lang::source::SourceMap;
use rtype_ruby::run::{Interpreter, RunError, RunLimits, RuntimeValue};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

/// The classes and methods of Puppet that templates and functions call, in Ruby.
const API: &str = include_str!("api.rb");
/// The maximum steps and bytes of one call, and the nesting of calls.
const LIMITS: RunLimits = RunLimits { steps: 5_000_000, bytes: 256 << 20, calls: 600 };

/// Interpreters and functions of an evaluation.
#[derive(Default)]
pub(crate) struct RubyState {
    /// Interpreters that no call uses. Ruby code can call functions that run Ruby code.
    idle: Vec<RubyRunner>,
    functions: HashMap<String, Arc<function::RubyFunction>>,
    /// Variables with values that Puppet's language does not have, by the number of the scope.
    hidden: HashSet<(usize, String)>,
}

impl RubyState {
    /// Returns `true` if a variable of any scope has a value that Puppet's language does not have.
    pub(crate) fn is_hidden(&self, name: &str) -> bool {
        self.hidden.iter().any(|(_, known)| known == name)
    }

    /// Hides a variable; `false` if it is hidden.
    fn hide(&mut self, scope: usize, name: &str) -> bool {
        self.hidden.insert((scope, name.to_owned()))
    }
}

/// An interpreter with Puppet's part of the API.
struct RubyRunner {
    run: Interpreter<'static>,
    host: Rc<RubyHost>,
    /// The files with functions that were run.
    loaded: HashSet<String>,
}

/// How Ruby code was left.
enum Left {
    /// By the interpreter.
    Run(RunError),
    /// By a failure of the evaluation.
    Failure(EvaluationFailure),
}

impl From<RunError> for Left {
    fn from(error: RunError) -> Left {
        Left::Run(error)
    }
}

impl From<EvaluationFailure> for Left {
    fn from(failure: EvaluationFailure) -> Left {
        Left::Failure(failure)
    }
}

impl RubyRunner {
    fn new(environment: Arc<Environment>) -> Result<RubyRunner, RunError> {
        let host = Rc::new(RubyHost::new(environment));
        let shared = Rc::new(SharedHost(Rc::clone(&host)));
        let mut run = Interpreter::new(shared.clone(), shared, LIMITS, true)?;
        let class = run.define_class("RtypeHost", None, false);
        for method in host::METHODS {
            run.define_method(class, method, true);
        }
        run.run("puppet.rb", API)?;
        Ok(RubyRunner { run, host, loaded: HashSet::new() })
    }

    /// Calls a method of the API.
    fn host_call(&mut self, method: &str, arguments: Vec<RuntimeValue>) -> rtype_ruby::run::Evaluation {
        match self.run.existing_constant("RtypeHost") {
            Some(owner) => self.run.call_method(&owner, method, arguments),
            None => self.run.not_known("the API is missing"),
        }
    }

    /// Gives the variables that the code has set to the scope of the call.
    fn keep_set_variables(&mut self) -> rtype_ruby::run::Evaluation<()> {
        let scope = self.host_call("scope", Vec::new())?;
        let set = self.run.call_method(&scope, "__set", Vec::new())?;
        for (name, value) in self.run.hash_entries(&set)? {
            let name = self.run.string_text(&name)?;
            let host = Rc::clone(&self.host);
            if let Ok(value) = values::from_ruby(&mut self.run, &host, &value, values::Symbols::Refused) {
                host.with(&mut self.run, |context| {
                    context.scope.set(&name, value);
                    let number = context.scope.number;
                    context.evaluator.ruby.hidden.remove(&(number, name));
                    Ok(())
                })?;
            }
        }
        Ok(())
    }

    /// Ends the code of a call.
    fn finish(&mut self, result: rtype_ruby::run::Evaluation) -> Result<RuntimeValue, Left> {
        let host = Rc::clone(&self.host);
        let result = result.and_then(|value| host.refuse_changes(&mut self.run).map(|()| value));
        self.run.end(result).map_err(Left::Run)
    }
}

/// What runs: for the messages of refusals.
struct RubyTask<'t> {
    /// `the template /…/a.erb`, `the function x`
    what: &'t str,
    site: CallSite,
}

impl ManifestEvaluator {
    /// Runs Ruby code.
    fn with_ruby<T>(
        &mut self,
        task: &RubyTask<'_>,
        code: impl FnOnce(&mut RubyRunner) -> Result<T, Left>,
        error: impl FnOnce(&RubyRunner, &str, &str) -> EvaluationFailure,
    ) -> Result<T, EvaluationFailure> {
        let mut runner = match self.ruby.idle.pop() {
            Some(runner) => runner,
            None => RubyRunner::new(self.environment.clone())
                .map_err(|error| EvaluationFailure::unsupported(format!("Ruby code of Puppet itself: {error}")))?,
        };
        let (steps, bytes) = self.budget.left();
        let limits = RunLimits { steps: LIMITS.steps.min(steps), bytes: LIMITS.bytes.min(bytes), ..LIMITS };
        runner.run.set_limits(limits);
        runner.host.reset();
        let empty = ManifestEvaluator::new(self.environment.clone(), SourceMap::new());
        runner.host.evaluator.replace(Some(std::mem::replace(self, empty)));
        runner.host.site.replace(Some(task.site.clone()));
        let result = code(&mut runner);
        if let Some(evaluator) = runner.host.evaluator.take() {
            *self = evaluator;
        }
        let count = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        self.budget.spend(count(limits.steps.saturating_sub(runner.run.steps_left())))?;
        self.budget.allocate(count(limits.bytes.saturating_sub(runner.run.bytes_left())))?;
        let pending = runner.host.failure.take();
        let failure = match result {
            Ok(value) => {
                self.ruby.idle.push(runner);
                return Ok(value);
            }
            Err(Left::Failure(failure)) => failure,
            Err(Left::Run(RunError::Raised { class, message })) => {
                let failure = match pending {
                    // The error of a function that the code called has its own place.
                    Some(pending) if pending.text() == message && host::ends(&pending) => pending,
                    _ => error(&runner, &class, &message),
                };
                self.ruby.idle.push(runner);
                failure
            }
            Err(Left::Run(error)) => stopped(&runner, task.what, error, pending),
        };
        Err(failure)
    }
}

/// Returns the failure of code that the interpreter ended.
fn stopped(runner: &RubyRunner, what: &str, error: RunError, pending: Option<EvaluationFailure>) -> EvaluationFailure {
    match error {
        RunError::Exhausted(message) => EvaluationFailure::limit(format!("{what}: {message}")),
        RunError::Unsupported { message, origin } => {
            if let Some(pending) = pending.filter(|pending| pending.text() == message) {
                return pending;
            }
            let place = runner.run.place(origin).map(|(file, line)| format!(" ({file}, line {line})")).unwrap_or_default();
            EvaluationFailure::unsupported(format!("{what} is written in Ruby: {message}{place}"))
        }
        RunError::Parse(rtype_ruby::hir::HirError::Syntax { message, origin }) => {
            let place = runner.run.place(origin).map_or_else(|| what.to_owned(), |(file, line)| format!("{file}:{line}"));
            EvaluationFailure::new(format!("{place}: syntax error, {message}")).syntax()
        }
        other => EvaluationFailure::unsupported(format!("{what} is written in Ruby: {other}")),
    }
}
