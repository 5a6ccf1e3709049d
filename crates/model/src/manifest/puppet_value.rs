//! Evaluates values written in Puppet's syntax.

use rtype_lang::diagnostics::{Code, Diagnostic, Findings, Redactions, Severity};
use rtype_lang::eval::World;
use rtype_lang::source::Span;
use rtype_lang::syntax::ast::{Ident, PuppetExpr, PuppetValue};
use rtype_lang::value::{EcoString, Map, REDACTED, ResourceRef, Symbol, Value};
use serde_json::{Value as Json, json};
use std::collections::HashMap;
use std::fmt::Write;
use std::sync::Arc;

/// Evaluates values and collects diagnostics.
pub struct PuppetReader<'a> {
    world: &'a dyn World,
    /// Spans inside `Sensitive(…)`.
    pub secrets: Redactions,
    /// Diagnostics so far.
    pub diagnostics: Findings,
}

impl<'a> PuppetReader<'a> {
    /// Creates a reader that takes facts from `world`.
    pub fn new(world: &'a dyn World) -> PuppetReader<'a> {
        PuppetReader { world, secrets: Redactions::new(), diagnostics: Findings::default() }
    }

    /// Returns the value. Returns `None` after reporting that the value cannot be evaluated.
    pub fn value(&mut self, expr: &PuppetExpr) -> Option<Value> {
        Some(match &expr.kind {
            PuppetValue::Undef => Value::Nil,
            PuppetValue::Bool(b) => Value::Bool(*b),
            PuppetValue::Int(n) => Value::Int(*n),
            PuppetValue::Float(n) => Value::Float(*n),
            PuppetValue::Str(s) => Value::Str(s.clone()),
            PuppetValue::Default => self.as_text(expr.span, "`default`", "default".into()),
            PuppetValue::Regex(source) => self.as_text(expr.span, "a regex", ecow::eco_format!("/{source}/")),
            PuppetValue::Interpolated(parts) => self.interpolated(parts)?,
            PuppetValue::Array(items) => {
                let items: Vec<_> = items.iter().map(|item| self.value(item)).collect();
                Value::array(items.into_iter().collect::<Option<Vec<_>>>()?)
            }
            PuppetValue::Hash(pairs) => {
                let spans = pairs.iter().map(|(key, _)| key.span);
                let pairs: Vec<_> = pairs.iter().map(|(k, v)| Some((self.value(k)?, self.value(v)?))).collect();
                let pairs = pairs.into_iter().collect::<Option<Vec<_>>>()?;
                duplicate_keys(pairs.iter().map(|(key, _)| key).zip(spans), &mut self.diagnostics);
                Value::Map(Arc::new(pairs.into_iter().collect::<Map>()))
            }
            PuppetValue::Reference(name, titles) => {
                let mut all: Vec<_> = self.references(name, titles)?.into_iter().map(|r| Value::Resource(Arc::new(r))).collect();
                if all.len() == 1 { all.pop()? } else { Value::array(all) }
            }
            PuppetValue::Sensitive(inner) => {
                self.secrets.add(inner.span);
                let value = self.value(inner)?.unwrapped().clone();
                // A default may be unused but is still a secret. A word that could be an allowed value is registered later with its
                // attribute.
                let is_word = |text: &str| text.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
                if value.as_text().is_some_and(|text| !is_word(text)) {
                    self.secrets.redactor().add_value(&value, true, &|_| false);
                }
                Value::Sensitive(Arc::new(value))
            }
            PuppetValue::Binary(inner) => match self.value(inner)? {
                Value::Unknown => Value::Unknown,
                // The diagnostic must not show the wrapped value.
                value => match value.unwrapped().as_text().and_then(Value::from_base64) {
                    Some(bytes) if value.has_secret() => Value::Sensitive(Arc::new(bytes)),
                    Some(bytes) => bytes,
                    None => {
                        let d = Diagnostic::new(Code::InvalidValue, inner.span, "`Binary` takes a string of valid base64");
                        self.diagnostics.push(d.help("encode the bytes as base64: `Binary('bGFi')`"));
                        return None;
                    }
                },
            },
            PuppetValue::Deferred(args) => {
                // Errors in the arguments are reported, and secrets noted.
                args.iter().try_for_each(|arg| self.value(arg).map(drop))?;
                Value::Unknown
            }
            PuppetValue::Fact(path) => self.world.fact(path),
            PuppetValue::Variable(_) | PuppetValue::Error => return None,
        })
    }

    /// Returns the rich data for a value accepted by [`Self::value`], with the deferred function calls.
    pub(super) fn rich(&mut self, expr: &PuppetExpr) -> Option<Json> {
        let typed = |name: &str, value: Json| json!({"__ptype": name, "__pvalue": value});
        Some(match &expr.kind {
            PuppetValue::Array(items) => items.iter().map(|item| self.rich(item)).collect::<Option<Json>>()?,
            PuppetValue::Hash(pairs) => {
                let pairs: Vec<_> = pairs.iter().map(|(k, v)| Some((self.value(k)?.to_text().to_string(), self.rich(v)?))).collect();
                Json::Object(pairs.into_iter().collect::<Option<serde_json::Map<_, _>>>()?)
            }
            PuppetValue::Sensitive(inner) => typed("Sensitive", self.rich(inner)?),
            PuppetValue::Binary(inner) => typed("Binary", self.rich(inner)?),
            PuppetValue::Deferred(args) => {
                let (name, arguments) = args.split_first()?;
                let arguments = arguments.first().map_or(Some(json!([])), |list| self.rich(list))?;
                json!({"__ptype": "Deferred", "name": self.value(name)?.to_text().to_string(), "arguments": arguments})
            }
            // An argument for a deferred function must be known.
            _ => Some(self.value(expr)?).filter(|value| !value.has_unknown())?.unwrapped().to_json(),
        })
    }

    /// Converts a value that catalogs cannot represent to a string. Warns, like Puppet.
    fn as_text(&mut self, span: Span, what: &str, text: EcoString) -> Value {
        let warning = Diagnostic::new(Code::InvalidValue, span, format!("{what} as a value becomes the string `{text}`"));
        self.diagnostics.push(Diagnostic { severity: Severity::Warning, ..warning.help("write it as a string if that is meant") });
        Value::Str(text)
    }

    /// Evaluates an interpolated string. The result is secret if a part is secret, and unknown if a part is unknown.
    fn interpolated(&mut self, parts: &[PuppetExpr]) -> Option<Value> {
        let (mut text, mut unknown, mut secret) = (EcoString::new(), false, false);
        for part in parts {
            let value = self.value(part)?;
            unknown |= value.has_unknown();
            secret |= value.has_secret();
            write_text(&mut text, value.unwrapped());
        }
        Some(match (unknown, secret) {
            (true, _) => Value::Unknown,
            (_, true) => Value::Sensitive(Arc::new(Value::Str(text))),
            _ => Value::Str(text),
        })
    }

    /// Returns the resources in a reference such as `File['/a', '/b']`.
    pub fn references(&mut self, name: &Ident, titles: &[PuppetExpr]) -> Option<Vec<ResourceRef>> {
        let type_name = Symbol::from(name.name.to_lowercase());
        if titles.is_empty() {
            self.diagnostics.push(
                Diagnostic::new(Code::InvalidValue, name.span, format!("`{}` names a type, not a resource", name.name))
                    .help(format!("name a resource by its title: `{}['title']`", name.name)),
            );
            return None;
        }
        let titles = self.titles(titles)?;
        Some(titles.into_iter().map(|(title, _)| ResourceRef { type_name: type_name.clone(), title }).collect())
    }

    /// Returns titles with their spans, arrays flattened. Returns `None` after reporting an invalid title.
    pub(super) fn titles(&mut self, exprs: &[PuppetExpr]) -> Option<Vec<(EcoString, Span)>> {
        let mut titles = Vec::new();
        let mut complete = true;
        for expr in exprs {
            // Each element of a literal array keeps its own span.
            if let PuppetValue::Array(items) = &expr.kind {
                match self.titles(items) {
                    Some(inner) => titles.extend(inner),
                    None => complete = false,
                }
                continue;
            }
            match self.value(expr) {
                Some(value) => complete &= self.title(&value, expr.span, &mut titles),
                None => complete = false,
            }
        }
        complete.then_some(titles)
    }

    fn title(&mut self, value: &Value, span: Span, titles: &mut Vec<(EcoString, Span)>) -> bool {
        let message = match value {
            Value::Str(s) if s.is_empty() => "the title is empty".into(),
            Value::Str(s) => {
                titles.push((s.clone(), span));
                return true;
            }
            // A fact may evaluate to a list.
            Value::Array(items) => return items.iter().all(|item| self.title(item, span, titles)),
            Value::Nil => "the title is undef".into(),
            Value::Unknown => "a title cannot be a deferred value".into(),
            Value::Sensitive(_) => "a title cannot be sensitive".into(),
            other => format!("`{}` is {}, not a title", other, other.kind_name()),
        };
        self.diagnostics.push(super::declared::bad_title(span, message));
        false
    }
}

/// Reports duplicate keys in a hash, like Puppet's parser.
pub(super) fn duplicate_keys<'v>(keys: impl Iterator<Item = (&'v Value, Span)>, diagnostics: &mut Findings) {
    let mut first: HashMap<&Value, Span> = HashMap::new();
    for (key, span) in keys.filter(|(key, _)| !key.has_secret() && !key.has_unknown()) {
        if let Some(earlier) = first.get(key) {
            // Puppet 7 warns and uses the last value; Puppet 8 reports an error.
            let d = Diagnostic::new(Code::AttributeTwice, span, format!("duplicate key `{}`: the last value counts", key.to_text()));
            let d = Diagnostic { severity: Severity::Warning, ..d };
            diagnostics.push(d.also(*earlier, "first used here").help("remove one of the two"));
        } else {
            first.insert(key, span);
        }
    }
}

/// Writes a value as Puppet's interpolation does.
fn write_text(out: &mut EcoString, value: &Value) {
    match value {
        Value::Array(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                out.push_str(if i > 0 { ", " } else { "" });
                write_text(out, item);
            }
            out.push(']');
        }
        Value::Map(map) => {
            out.push('{');
            for (i, (k, v)) in map.iter().enumerate() {
                out.push_str(if i > 0 { ", " } else { "" });
                write_text(out, k);
                out.push_str(" => ");
                write_text(out, v);
            }
            out.push('}');
        }
        Value::Sensitive(_) => out.push_str(REDACTED),
        other => {
            // Writing to a string cannot fail.
            let _ = write!(out, "{other}");
        }
    }
}
