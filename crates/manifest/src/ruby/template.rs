//! ERB templates.

use super::host::{CallSite, RubyHost};
use super::values::{Symbols, from_ruby, to_ruby};
use super::{RubyTask, erb};
use crate::compile::context::CallContext;
use crate::compile::failure::EvaluationFailure;
use crate::compile::scope::LambdaClosure;
use crate::compile::value::ManifestValue;
use rtype_ruby::run::{Evaluation, Interpreter, RuntimeValue, Unwind};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

type Block<'b> = Option<&'b Arc<LambdaClosure>>;
type Evaluated = Result<ManifestValue, EvaluationFailure>;

/// The file name of inline templates in error messages.
const INLINE: &str = "(erb)";

/// A template that was read.
struct Template {
    /// The path, which is also `__FILE__`.
    path: String,
    text: String,
    /// The name in the call; none for inline templates.
    name: Option<String>,
}

/// `template('module/file.erb', …)`
pub(crate) fn template(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let mut out = String::new();
    for name in arguments {
        let template = read(context, name)?;
        out.push_str(&render(context, &template)?);
    }
    Ok(ManifestValue::string(out))
}

/// `inline_template('text', …)`
pub(crate) fn inline_template(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let mut out = String::new();
    for text in arguments {
        out.push_str(&render(context, &inline(text)?)?);
    }
    Ok(ManifestValue::string(out))
}

fn inline(text: &ManifestValue) -> Result<Template, EvaluationFailure> {
    let text = text.as_str().ok_or_else(|| EvaluationFailure::unsupported("a template that is not a string"))?;
    Ok(Template { path: INLINE.into(), text: text.into(), name: None })
}

/// Reads the file of a template.
fn read(context: &mut CallContext<'_>, name: &ManifestValue) -> Result<Template, EvaluationFailure> {
    let name = name.as_str().ok_or_else(|| EvaluationFailure::unsupported("a template whose name is not a string"))?;
    let path = match name.starts_with('/') {
        true => context.exists(Path::new(name))?.then(|| PathBuf::from(name)),
        false => context.module_file("templates", name),
    };
    let path = path.ok_or_else(|| EvaluationFailure::new(format!("Could not find template '{name}'")))?;
    let text = String::from_utf8(context.read_file(&path)?);
    let text = text.map_err(|_| EvaluationFailure::unsupported(format!("the template {}, which is not UTF-8", path.display())))?;
    Ok(Template { path: path.display().to_string(), text, name: Some(name.to_owned()) })
}

impl Template {
    /// Returns the Ruby code of the template, line by line.
    fn code(&self) -> Result<String, EvaluationFailure> {
        if erb::reads_all_variables(&self.text) {
            let path = &self.path;
            return Err(EvaluationFailure::unsupported(format!("the template {path}, which reads variables by computed names")));
        }
        let code = erb::compile(&self.text);
        Ok(format!("class Puppet::Parser::TemplateWrapper; def __render; _erbout = +''; {code}\n_erbout; end; end"))
    }

    /// Returns the variables that the template names, if they have a value: the others are not defined for `defined?`.
    fn variables(&self, context: &mut CallContext<'_>) -> Variables {
        let names = erb::variable_names(&self.text).into_iter();
        let found = names.filter_map(|name| Some((name.to_owned(), context.variable(name)?)));
        found.filter(|(_, value)| *value != ManifestValue::Undef).collect()
    }

    /// Returns Puppet's error for an error of the code.
    fn error(&self, place: Option<(String, usize)>, message: &str) -> String {
        let Some(name) = &self.name else { return format!("Failed to parse inline template: {message}") };
        let (file, line) = place.unwrap_or_else(|| (self.path.clone(), 0));
        format!("Failed to parse template {name}:\n  Filepath: {file}\n  Line: {line}\n  Detail: {message}\n")
    }
}

type Variables = Vec<(String, ManifestValue)>;

/// Renders one template.
fn render(context: &mut CallContext<'_>, template: &Template) -> Result<String, EvaluationFailure> {
    let code = template.code()?;
    let variables = template.variables(context);
    let what = format!("the template {}", template.path);
    let site = CallSite { scope: context.scope.clone(), span: context.span, name: context.name.clone() };
    let task = RubyTask { what: &what, site };
    context.evaluator.with_ruby(
        &task,
        |runner| {
            runner.run.run(&template.path, &code)?;
            let result = runner.host_call("begin_call", Vec::new());
            let host = Rc::clone(&runner.host);
            let result = result.and_then(|_| render_with(&mut runner.run, &host, template, &variables));
            let result = result.and_then(|text| runner.keep_set_variables().map(|()| text));
            let text = runner.finish(result)?;
            let text = runner.run.string_text(&text);
            text.map_err(|_| EvaluationFailure::unsupported(format!("the text of {} is not known", template.path)).into())
        },
        |runner, _, message| EvaluationFailure::new(template.error(runner.run.raised_place(), message)),
    )
}

/// Renders templates for code that runs. The interpreter is the same, because a template sees the variables that the code has set.
pub(super) fn nested(run: &mut Interpreter<'_>, host: &RubyHost, function: &str, arguments: &[ManifestValue]) -> Evaluation {
    let mut out = String::new();
    for argument in arguments {
        let (template, code, variables) = host.with(run, |context| {
            let template = if function == "template" { read(context, argument)? } else { inline(argument)? };
            let (code, variables) = (template.code()?, template.variables(context));
            Ok((template, code, variables))
        })?;
        run.evaluate(&template.path, &code)?;
        match render_with(run, host, &template, &variables) {
            Ok(text) => out.push_str(&run.string_text(&text)?),
            Err(Unwind::Raise(error)) if !matches!(error, RuntimeValue::Unknown(_)) => {
                let message = run.call_method(&error, "message", Vec::new())?;
                let message = run.string_text(&message)?;
                let text = template.error(run.raised_place(), &message);
                return Err(run.error("Puppet::ParseError", &text));
            }
            Err(other) => return Err(other),
        }
    }
    run.create_string(&out)
}

/// Runs the code of a template with variables.
fn render_with(run: &mut Interpreter<'_>, host: &RubyHost, template: &Template, variables: &Variables) -> Evaluation {
    let (Some(class), Some(owner)) = (run.existing_constant("Puppet::Parser::TemplateWrapper"), run.existing_constant("RtypeHost")) else {
        return run.not_known("the API of templates is missing");
    };
    let scope = run.call_method(&owner, "scope", Vec::new())?;
    let file = if template.path == INLINE { RuntimeValue::Nil } else { run.create_string(&template.path)? };
    let wrapper = run.call_method(&class, "new", vec![scope.clone(), file])?;
    let mut given = Vec::new();
    for (name, value) in variables {
        let object = to_ruby(run, host, value)?;
        run.assign_variable(&wrapper, &format!("@{name}"), object.clone())?;
        given.push((object, value));
    }
    let set = run.call_method(&scope, "__set", Vec::new())?;
    for (name, value) in run.hash_entries(&set)? {
        let name = run.string_text(&name)?;
        run.assign_variable(&wrapper, &format!("@{name}"), value)?;
    }
    let text = run.call_method(&wrapper, "__render", Vec::new())?;
    // Its values are held once less then, so that the holders of the values below can be counted.
    host.refuse_changes(run)?;
    for (object, value) in given {
        let new = from_ruby(run, host, &object, Symbols::Refused)?;
        let is_kept = new == *value || host.with(run, |context| Ok(context.evaluator.change_in_place(&context.scope, value, &new)))?;
        if !is_kept {
            return run.not_known("the template changes a value that other code may share");
        }
    }
    Ok(text)
}
