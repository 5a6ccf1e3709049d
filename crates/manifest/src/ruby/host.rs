//! The only access of Ruby code to the evaluation: it reads variables and settings, calls functions, and logs.

use super::values::{Symbols, from_ruby, to_ruby};
use crate::compile::context::CallContext;
use crate::compile::environment::{Environment, Strictness};
use crate::compile::evaluator::ManifestEvaluator;
use crate::compile::failure::{EvaluationFailure, EvaluationFailureKind};
use crate::compile::logs::Level;
use crate::compile::scope::{LambdaClosure, VariableScope};
use crate::compile::text::display;
use crate::compile::value::ManifestValue;
use ecow::EcoString;
use rtype_lang::source::Span;
use rtype_ruby::run::{
    EmbeddedCall, Embedder, Evaluation, Interpreter, RunError, RuntimeValue, SourceFiles, UnknownReason, UnknownValue, Unwind,
};
use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

/// A declared function of the 3.x API.
#[derive(Clone, Debug)]
pub(super) struct LegacyDeclaration {
    pub(super) is_value: bool,
    pub(super) arity: i64,
}

/// A declared way to call a function of the 4.x API: method, parameters (kind, type, name), lambda (optional, type, name), type of the
/// result, and whether the method takes the scope.
pub(super) type Dispatch = (String, Vec<(String, String, String)>, Option<(bool, String, String)>, Option<String>, bool);

/// The place of the call.
#[derive(Clone)]
pub(super) struct CallSite {
    pub(super) scope: Arc<VariableScope>,
    pub(super) span: Span,
    pub(super) name: EcoString,
}

/// The embedder of the interpreter.
pub(super) struct RubyHost {
    pub(super) environment: Arc<Environment>,
    /// The evaluator, while Ruby code runs.
    pub(super) evaluator: RefCell<Option<ManifestEvaluator>>,
    pub(super) site: RefCell<Option<CallSite>>,
    /// The failure of a function that Ruby code called.
    pub(super) failure: RefCell<Option<EvaluationFailure>>,
    pub(super) lambdas: RefCell<Vec<Arc<LambdaClosure>>>,
    pub(super) legacy: RefCell<std::collections::HashMap<String, LegacyDeclaration>>,
    pub(super) typed: RefCell<std::collections::HashMap<String, Vec<Dispatch>>>,
    opaque: RefCell<Vec<ManifestValue>>,
    /// The lists and hashes that the code has read by `lookupvar`, with their Ruby objects.
    read: RefCell<Vec<(RuntimeValue, ManifestValue)>>,
}

/// The functions of `RtypeHost`.
pub(super) const METHODS: &[&str] = &[
    "lookup",
    "has",
    "call",
    "legacy",
    "legacy_call",
    "log",
    "setting",
    "digest",
    "address",
    "opaque_text",
    "opaque_equal",
    "call_lambda",
    "define3",
    "define4",
    "native",
    "form_encoded",
    "settable",
];

impl RubyHost {
    pub(super) fn new(environment: Arc<Environment>) -> RubyHost {
        RubyHost {
            environment,
            evaluator: RefCell::default(),
            site: RefCell::default(),
            failure: RefCell::default(),
            lambdas: RefCell::default(),
            legacy: RefCell::default(),
            typed: RefCell::default(),
            opaque: RefCell::default(),
            read: RefCell::default(),
        }
    }

    /// Keeps a value that has no Ruby object.
    pub(super) fn keep(&self, value: ManifestValue) -> i64 {
        let mut kept = self.opaque.borrow_mut();
        kept.push(value);
        i64::try_from(kept.len() - 1).unwrap_or(i64::MAX)
    }

    /// Keeps the texts of a `Sensitive` value, which Ruby code can take out.
    pub(super) fn keep_secret(&self, inner: &ManifestValue) {
        if let Some(evaluator) = &*self.evaluator.borrow() {
            evaluator.logs.keep_secret(inner);
        }
    }

    /// Returns a kept value.
    pub(super) fn kept(&self, handle: i64) -> Option<ManifestValue> {
        self.opaque.borrow().get(usize::try_from(handle).ok()?).cloned()
    }

    /// Forgets what belongs to one call.
    pub(super) fn reset(&self) {
        self.opaque.borrow_mut().clear();
        self.read.borrow_mut().clear();
        self.lambdas.borrow_mut().clear();
        self.failure.borrow_mut().take();
    }

    /// Refuses code that has changed a value that it has read by `lookupvar`: in Puppet, the variable has the changed value, too.
    pub(super) fn refuse_changes(&self, run: &mut Interpreter<'_>) -> Evaluation<()> {
        for (object, value) in self.read.take() {
            if from_ruby(run, self, &object, Symbols::Refused)? != value {
                run.not_known("the code changes the value of a variable that it has looked up")?;
            }
        }
        Ok(())
    }

    /// Runs code with the evaluation that called Ruby.
    pub(super) fn with<T>(
        &self,
        run: &mut Interpreter<'_>,
        code: impl FnOnce(&mut CallContext<'_>) -> Result<T, EvaluationFailure>,
    ) -> Evaluation<T> {
        let (evaluator, site) = (self.evaluator.borrow_mut().take(), self.site.borrow().clone());
        let (Some(mut evaluator), Some(site)) = (evaluator, site) else { return Err(stop(run, "the scope is missing".into())) };
        let mut context = CallContext { evaluator: &mut evaluator, scope: site.scope, span: site.span, name: site.name };
        let result = code(&mut context);
        self.evaluator.replace(Some(evaluator));
        result.map_err(|failure| self.failed(run, failure))
    }

    /// Returns how Ruby code is left by a failure of the evaluation: errors can be handled by the code, the others end it.
    fn failed(&self, run: &mut Interpreter<'_>, failure: EvaluationFailure) -> Unwind {
        let text = failure.text().to_owned();
        let is_error = failure.is_error() && !failure.is_syntax();
        self.failure.replace(Some(failure));
        if is_error { run.error("Puppet::ParseError", &text) } else { stop(run, text) }
    }

    fn answer(&self, run: &mut Interpreter<'_>, call: &EmbeddedCall) -> Evaluation {
        let argument = |at: usize| call.positional.get(at).cloned().unwrap_or_default();
        match call.name.as_str() {
            "lookup" => {
                let name = run.string_text(&argument(0))?;
                let value = self.with(run, |context| lookup(context, &name))?;
                let object = to_ruby(run, self, &value)?;
                if matches!(value, ManifestValue::String(_) | ManifestValue::Array(_) | ManifestValue::Hash(_)) {
                    self.read.borrow_mut().push((object.clone(), value));
                }
                Ok(object)
            }
            "has" => {
                let name = run.string_text(&argument(0))?;
                let value = self.with(run, |context| {
                    check_visible(context, &name)?;
                    Ok(context.variable(name.strip_prefix("::").unwrap_or(&name)))
                })?;
                Ok(RuntimeValue::Bool(value.is_some_and(|value| value != ManifestValue::Undef)))
            }
            "call" | "legacy_call" => self.call_function(run, call),
            "settable" => {
                let name = run.string_text(&argument(0))?;
                self.with(run, |context| settable(context, &name))?;
                Ok(RuntimeValue::Nil)
            }
            "native" => self.call_native(run, call),
            "form_encoded" => {
                let text = run.string_text(&argument(0))?;
                run.create_string(&form_encoded(&text))
            }
            "legacy" => {
                let name = run.string_text(&argument(0))?;
                Ok(RuntimeValue::Bool(self.with(run, |context| Ok(context.has_legacy_function(&name)))?))
            }
            "log" => {
                let (level, text) = (run.string_text(&argument(0))?, run.string_text(&argument(1))?);
                self.with(run, |context| {
                    if let Some(level) = Level::ALL.into_iter().find(|known| known.name() == level) {
                        context.log(level, text);
                    }
                    Ok(())
                })?;
                Ok(RuntimeValue::Nil)
            }
            "setting" => {
                let name = run.string_text(&argument(0))?;
                match self.with(run, |context| Ok(context.setting(&name)))? {
                    Some(value) => to_ruby(run, self, &value),
                    None => run.not_known(format!("the setting `{name}` is not known")),
                }
            }
            "opaque_text" | "opaque_equal" => {
                let kept = |value: RuntimeValue| match value {
                    RuntimeValue::Int(handle) => self.kept(handle).unwrap_or(ManifestValue::Undef),
                    _ => ManifestValue::Undef,
                };
                let (first, second) = (kept(argument(0)), kept(argument(1)));
                if call.name == "opaque_equal" { Ok(RuntimeValue::Bool(first == second)) } else { run.create_string(&display(&first)) }
            }
            "digest" => {
                let (kind, text) = (run.string_text(&argument(0))?, run.string_text(&argument(1))?);
                match digest(&kind, &text, matches!(argument(2), RuntimeValue::Bool(true))) {
                    Some(digest) => run.create_string(&digest),
                    None => run.not_known(format!("the digest `{kind}`")),
                }
            }
            "address" => address(run, &argument(0)),
            "call_lambda" => self.call_lambda(run, &argument(0), &argument(1)),
            _ => self.define(run, call),
        }
    }

    fn call_function(&self, run: &mut Interpreter<'_>, call: &EmbeddedCall) -> Evaluation {
        let [name, arguments] = call.positional.as_slice() else { return run.not_known("a call without a list of arguments") };
        let name = run.string_text(name)?;
        let items = run.array_items(arguments)?;
        let is_legacy = call.name == "legacy_call";
        if is_legacy && items.iter().any(|item| matches!(item, RuntimeValue::Nil)) {
            return run.not_known(format!("`nil` as an argument of `function_{name}`"));
        }
        let values = items.iter().map(|item| from_ruby(run, self, item, Symbols::Undef)).collect::<Evaluation<Vec<_>>>()?;
        if name == "template" || name == "inline_template" {
            return super::template::nested(run, self, &name, &values);
        }
        let result = self.with(run, |context| {
            if is_legacy && !context.has_legacy_function(&name) {
                return Err(EvaluationFailure::unsupported(format!("`function_{name}` of a function without the 3.x API")));
            }
            context.call(&name, values, None)
        })?;
        to_ruby(run, self, &result)
    }

    /// Calls a function of the table, whether or not its module is on the module path: Ruby's libraries have the same function.
    fn call_native(&self, run: &mut Interpreter<'_>, call: &EmbeddedCall) -> Evaluation {
        let [name, arguments] = call.positional.as_slice() else { return run.not_known("a call without a list of arguments") };
        let name = run.string_text(name)?;
        let items = run.array_items(arguments)?;
        let values = items.iter().map(|item| from_ruby(run, self, item, Symbols::Refused)).collect::<Evaluation<Vec<_>>>()?;
        let result = self.with(run, |context| {
            let refuse = |text: &str| EvaluationFailure::unsupported(format!("`{name}` of this value: {text}"));
            let functions = context.evaluator.environment.functions.clone();
            let known = functions.get(&name).ok_or_else(|| refuse("there is no such function"))?;
            let (scope, span) = (context.scope.clone(), context.span);
            let result = context.evaluator.call_native(known, &values, None, &scope, span);
            result.map_err(|failure| refuse(failure.text()))
        })?;
        to_ruby(run, self, &result)
    }

    fn call_lambda(&self, run: &mut Interpreter<'_>, number: &RuntimeValue, arguments: &RuntimeValue) -> Evaluation {
        let RuntimeValue::Int(number) = number else { return run.not_known("a lambda without a number") };
        let lambda = usize::try_from(*number).ok().and_then(|number| self.lambdas.borrow().get(number).cloned());
        let Some(lambda) = lambda else { return run.not_known("the lambda of an earlier call") };
        let items = run.array_items(arguments)?;
        let values = items.iter().map(|item| from_ruby(run, self, item, Symbols::Undef)).collect::<Evaluation<Vec<_>>>()?;
        let result = self.with(run, |context| context.call_lambda(&lambda, values))?;
        to_ruby(run, self, &result)
    }

    /// Keeps what a file with a function declares.
    fn define(&self, run: &mut Interpreter<'_>, call: &EmbeddedCall) -> Evaluation {
        let plain: Vec<serde_json::Value> = call.positional.iter().map(|value| json(run, value)).collect::<Evaluation<_>>()?;
        let (Some(name), Some(second)) = (plain.first().and_then(|name| name.as_str()), plain.get(1)) else {
            return run.not_known("a function without a name");
        };
        if call.name == "define3" {
            let arity = plain.get(2).and_then(serde_json::Value::as_i64).unwrap_or(-1);
            self.legacy.borrow_mut().insert(name.to_lowercase(), LegacyDeclaration { is_value: second == "rvalue", arity });
            return Ok(RuntimeValue::Nil);
        }
        match serde_json::from_value::<Vec<Dispatch>>(second.clone()) {
            Ok(dispatches) => {
                self.typed.borrow_mut().insert(name.to_owned(), dispatches);
                Ok(RuntimeValue::Nil)
            }
            Err(_) => run.not_known(format!("the dispatches of the function `{name}`")),
        }
    }
}

/// Returns the hexadecimal digits of a digest; the input is a text, or bytes in hexadecimal digits.
fn digest(kind: &str, text: &str, is_hexadecimal: bool) -> Option<String> {
    let pairs = || (0..text.len()).step_by(2).map(|at| u8::from_str_radix(text.get(at..at + 2)?, 16).ok());
    let bytes = if is_hexadecimal { pairs().collect::<Option<Vec<u8>>>()? } else { text.as_bytes().to_vec() };
    rtype_lang::value::digest::hex(kind, &bytes)
}

/// Returns a text as a value of a form (`CGI.escape`).
fn form_encoded(text: &str) -> String {
    let encoded = |byte: u8| match byte {
        b' ' => "+".to_owned(),
        b'_' | b'.' | b'-' | b'~' => char::from(byte).to_string(),
        byte if byte.is_ascii_alphanumeric() => char::from(byte).to_string(),
        byte => format!("%{byte:02X}"),
    };
    text.bytes().map(encoded).collect()
}

/// Returns a list of texts, numbers and flags.
fn json(run: &mut Interpreter<'_>, value: &RuntimeValue) -> Evaluation<serde_json::Value> {
    Ok(match value {
        RuntimeValue::Bool(value) => (*value).into(),
        RuntimeValue::Int(number) => (*number).into(),
        RuntimeValue::Str(_) => run.string_text(value)?.into(),
        RuntimeValue::Array(_) => {
            let items = run.array_items(value)?;
            serde_json::Value::Array(items.iter().map(|item| json(run, item)).collect::<Evaluation<_>>()?)
        }
        _ => serde_json::Value::Null,
    })
}

/// Returns how the code ends because something is not supported.
fn stop(run: &Interpreter<'_>, message: String) -> Unwind {
    Unwind::Stop(RunError::Unsupported { message, origin: run.last_call() })
}

/// Refuses variables that Ruby code set to objects that Puppet's language does not have.
fn check_visible(context: &CallContext<'_>, name: &str) -> Result<(), EvaluationFailure> {
    let name = name.rsplit_once("::").map_or(name, |(_, leaf)| leaf);
    if context.evaluator.ruby.is_hidden(name) {
        return Err(EvaluationFailure::unsupported(format!("the variable `{name}`, whose value is an object of Ruby")));
    }
    Ok(())
}

/// Prepares a variable that code sets.
fn settable(context: &mut CallContext<'_>, name: &str) -> Result<(), EvaluationFailure> {
    if context.scope.own(name).is_some() {
        return Err(EvaluationFailure::new(format!("Cannot reassign variable '${name}'")));
    }
    let is_name = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') && !name.bytes().all(|b| b.is_ascii_digit());
    if !is_name || matches!(name, "trusted" | "facts" | "server_facts") {
        return Err(EvaluationFailure::unsupported(format!("`setvar` of `{name}`")));
    }
    let number = context.scope.number;
    if !context.evaluator.ruby.hide(number, name) {
        return Err(EvaluationFailure::unsupported(format!("a second `setvar` of `{name}`")));
    }
    Ok(())
}

/// Returns a variable as `scope.lookupvar` does.
fn lookup(context: &mut CallContext<'_>, name: &str) -> Result<ManifestValue, EvaluationFailure> {
    if let Some(value) = context.variable(name) {
        return Ok(value);
    }
    let bare = name.strip_prefix("::").unwrap_or(name);
    check_visible(context, bare)?;
    if matches!(bare, "module_name" | "caller_module_name") || bare.bytes().all(|b| b.is_ascii_digit()) {
        return Ok(ManifestValue::Undef);
    }
    if bare.starts_with("settings::") {
        return Err(EvaluationFailure::unsupported(format!("the setting `${name}` is not known")));
    }
    let environment = context.evaluator.environment.clone();
    if environment.has_strict_variables || environment.strict == Strictness::Error {
        return Err(EvaluationFailure::unsupported(format!("the unknown variable `{name}` in Ruby with strict settings")));
    }
    if environment.strict == Strictness::Warning {
        let reason = match bare.rsplit_once("::") {
            None => String::new(),
            Some((class, _)) if context.evaluator.find_class(class)?.is_some() => format!("class {class} has not been evaluated"),
            Some((class, _)) => format!("class {class} could not be found"),
        };
        context.warn_once(&format!("Variable: {bare}"), &format!("Undefined variable '{bare}'; {reason}"), None);
    }
    Ok(ManifestValue::Undef)
}

/// Returns the version of an address and its text; `nil` if it is none.
fn address(run: &mut Interpreter<'_>, value: &RuntimeValue) -> Evaluation {
    if !matches!(value, RuntimeValue::Str(_)) {
        return run.not_known("an address that is not a string");
    }
    let text = run.string_text(value)?;
    let (address, prefix) = text.split_once('/').map_or((text.as_str(), None), |(address, prefix)| (address, Some(prefix)));
    if address.contains('%') {
        return run.not_known("an address with a zone");
    }
    let address = address.strip_prefix('[').and_then(|inner| inner.strip_suffix(']')).filter(|a| a.contains(':')).unwrap_or(address);
    let Ok(address) = address.parse::<std::net::IpAddr>() else { return Ok(RuntimeValue::Nil) };
    let (version, bits) = if address.is_ipv4() { (4, 32) } else { (6, 128) };
    let shown = match prefix {
        None => run.create_string(&address.to_string())?,
        Some(prefix) => match prefix.parse::<u32>() {
            Ok(length) if length <= bits => RuntimeValue::Nil,
            Ok(_) => return Ok(RuntimeValue::Nil),
            Err(_) => return run.not_known("an address with a mask"),
        },
    };
    run.create_array(vec![RuntimeValue::Int(version), shown])
}

/// Hosts are shared by the interpreter and its owner.
pub(super) struct SharedHost(pub(super) Rc<RubyHost>);

impl Embedder for SharedHost {
    fn call(&self, run: &mut Interpreter<'_>, call: EmbeddedCall) -> Evaluation {
        self.0.answer(run, &call)
    }

    fn missing_constant(&self, run: &mut Interpreter<'_>, path: &str) -> Option<RuntimeValue> {
        let reason = UnknownReason::Embedder(format!("the constant `{path}` is not supported"));
        Some(RuntimeValue::Unknown(Rc::new(UnknownValue { reason, origin: run.last_call(), options: Vec::new() })))
    }
}

impl SourceFiles for SharedHost {
    fn find(&self, feature: &str) -> Option<(String, String)> {
        // Puppet itself is always loaded.
        if feature == "puppet" || feature.starts_with("puppet/") && !feature.starts_with("puppet/functions/") {
            return Some((format!("(Puppet)/{feature}"), String::new()));
        }
        let file = if feature.ends_with(".rb") { feature.to_owned() } else { format!("{feature}.rb") };
        let files = &self.0.environment.files;
        let path = if file.starts_with('/') { lexical(Path::new(&file)) } else { files.any_module_file(&[format!("lib/{file}")])? };
        let text = files.is_file(&path).then(|| files.read(&path).ok())??;
        Some((path.display().to_string(), String::from_utf8(text).ok()?))
    }
}

/// Returns a path without `.` and `..`.
fn lexical(path: &Path) -> std::path::PathBuf {
    let mut out = std::path::PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::ParentDir => {
                out.pop();
            }
            std::path::Component::CurDir => {}
            part => out.push(part),
        }
    }
    out
}

/// Returns `true` for failures that end the Ruby code.
pub(super) fn ends(failure: &EvaluationFailure) -> bool {
    !matches!(failure.kind(), EvaluationFailureKind::Error)
}
