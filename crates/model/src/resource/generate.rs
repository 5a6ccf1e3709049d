//! Values that resources produce: further resources from `generate`, and results from their type's functions.

use super::verdict::{PropertyReader, view_of};
use super::{Context, Instance};
use crate::manifest::{Declared, DeclaredValue};
use rtype_lang::diagnostics::Code;
use rtype_lang::eval::{Failure, Frame, run};
use rtype_lang::source::Span;
use rtype_lang::types::CodeBlock;
use rtype_lang::value::{Map, Symbol, Value, inspect};

/// When a resource generates other resources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Before a run, with a complete catalog: `generate`.
    Early,
    /// During a run, when the resource is due: `eval_generate`.
    Late,
    /// Both phases, for use without a run.
    Both,
}

/// Returns the resources that an instance generates within the complete catalog, in order.
///
/// Attributes from `eval_generate` are merged into a resource with the same reference from `generate`. Generated resources have the
/// instance's source location. Sensitive values remain sensitive; nil values are omitted.
///
/// # Errors
/// Returns the block's failure, or an error if the result is not a list of resources.
pub fn generated(
    instance: &Instance,
    phase: Phase,
    current: Option<PropertyReader<'_>>,
    context: Context<'_>,
) -> Result<Vec<Declared>, Failure> {
    let generate = instance.type_def.generate.as_ref().filter(|_| phase != Phase::Late);
    let late = instance.type_def.eval_generate.as_ref().filter(|_| phase != Phase::Early);
    let mut made: Vec<Declared> = resources(instance, generate, current, context)?;
    let early = made.len();
    let late = match resources(instance, late, current, context) {
        // The result is usable without the unknown parts.
        Err(failure) if failure.is_unknown() && !failure.is_untranslated() && phase == Phase::Both => Vec::new(),
        late => late?,
    };
    for late in late {
        match made.iter_mut().take(early).find(|m| m.reference() == late.reference()) {
            Some(early) => early.attributes.extend(late.attributes),
            None => made.push(late),
        }
    }
    Ok(made)
}

/// Evaluates a single block.
fn resources(
    instance: &Instance,
    code: Option<&CodeBlock>,
    current: Option<PropertyReader<'_>>,
    context: Context<'_>,
) -> Result<Vec<Declared>, Failure> {
    let Some(code) = code else { return Ok(Vec::new()) };
    let view = view_of(instance, context, current);
    let value = run(code, &[], &Frame { scope: &view, attribute: None, is: None, should: None, base: None })?;
    let mut found = Vec::new();
    collect(&value, instance.span, &mut found)
        .map_err(|e| Failure::new(Code::GenerateFailed, Span::new(code.inner.span.start, code.inner.span.start + 1), e.to_string()))?;
    Ok(found)
}

/// Calls a type's function without arguments. Returns `None` if the function does not exist.
pub fn call(instance: &Instance, name: &str, context: Context<'_>) -> Option<Result<Value, Failure>> {
    let functions = &instance.type_def.program.functions;
    let function = functions.iter().find(|f| f.name.as_str() == name && f.code.inner.params == 0)?;
    let view = view_of(instance, context, None);
    Some(run(&function.code, &[], &Frame { scope: &view, attribute: None, is: None, should: None, base: None }))
}

/// Collects the resources in a result. Lists may be nested. Nil, unknown values and existing resources in the catalog are skipped.
fn collect<'a>(value: &'a Value, place: Span, found: &mut Vec<Declared>) -> Result<(), NotAResource<'a>> {
    match value {
        Value::Nil | Value::Unknown | Value::Resource(_) => Ok(()),
        Value::Array(items) => items.iter().try_for_each(|item| collect(item, place, found)),
        Value::Map(map) => {
            found.push(declared(map, place).ok_or(NotAResource(value))?);
            Ok(())
        }
        other => Err(NotAResource(other)),
    }
}

/// A value returned by `generate` that is not a resource.
struct NotAResource<'a>(&'a Value);

impl std::fmt::Display for NotAResource<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let shown = if self.0.has_secret() { "a sensitive value".to_owned() } else { super::canonical::shorten(&inspect(self.0)) };
        write!(f, "`generate` gives resources made by `resource(:type, title, {{…}})`, not {shown}")
    }
}

/// Converts a map returned by `resource(…)` to a declaration.
fn declared(map: &Map, place: Span) -> Option<Declared> {
    let part = |name: &str| map.get(&Value::sym(name));
    let Value::Map(parameters) = part("parameters")? else { return None };
    let attributes = parameters.iter().filter(|(_, value)| !value.is_nil()).map(|(name, value)| {
        // The secret does not occur in the source, so redacting the generating resource's location would hide nothing.
        let span = if value.has_secret() { Span::NONE } else { place };
        Some((name.as_text()?.into(), DeclaredValue::new(value.clone(), span, place)))
    });
    Some(Declared {
        type_name: Symbol::from(part("type")?.as_text()?),
        type_span: place,
        title: part("title")?.as_text()?.into(),
        title_span: place,
        is_title_computed: false,
        attributes: attributes.collect::<Option<_>>()?,
        span: place,
    })
}
