//! Values in JSON and YAML, including Puppet's rich data: `{"__ptype": "Sensitive", "__pvalue": …}`.

use super::puppet_value::duplicate_keys;
use rtype_lang::data::{DataNode, Kind};
use rtype_lang::diagnostics::{Code, Diagnostic, Findings, Redactions};
use rtype_lang::source::Span;
use rtype_lang::value::{EcoString, Map, REDACTED, Value};
use std::sync::Arc;

/// Returns a node's value. Adds secret locations to `secrets` and errors to `diagnostics`.
pub(super) fn value(node: &DataNode, secrets: &mut Redactions, diagnostics: &mut Findings) -> Value {
    match &node.kind {
        Kind::Null => Value::Nil,
        Kind::Bool(b) => Value::Bool(*b),
        Kind::Int(n) => Value::Int(*n),
        Kind::Float(n) => Value::Float(*n),
        Kind::Str(s) => Value::Str(s.clone()),
        Kind::Bytes(value) => value.clone(),
        Kind::Array(items) => Value::array(items.iter().map(|i| value(i, secrets, diagnostics))),
        Kind::Object(pairs) => {
            if let Some(name) = node.get("__ptype") {
                return rich(node, name, secrets, diagnostics);
            }
            let spans = pairs.iter().map(|(key, _)| key.span);
            let pairs: Vec<_> = pairs.iter().map(|(k, v)| (value(k, secrets, diagnostics), value(v, secrets, diagnostics))).collect();
            duplicate_keys(pairs.iter().map(|(key, _)| key).zip(spans), diagnostics);
            Value::Map(Arc::new(pairs.into_iter().collect::<Map>()))
        }
    }
}

/// Returns the diagnostic for a secret that was replaced when the catalog was written.
pub(super) fn redacted(span: Span) -> Diagnostic {
    Diagnostic::new(Code::BadInput, span, "the secret was redacted when the catalog was written")
        .help("write the catalog with `rtype compile --output FILE`")
}

fn rich(node: &DataNode, name: &DataNode, secrets: &mut Redactions, diagnostics: &mut Findings) -> Value {
    let inner = node.get("__pvalue");
    let text = inner.and_then(DataNode::text);
    match (name.text().map_or("", EcoString::as_str), inner, text) {
        ("Sensitive", Some(inner), _) => {
            secrets.add(inner.span);
            secrets.add(inner.defined);
            if text.is_some_and(|text| text == REDACTED) {
                diagnostics.push(redacted(inner.span));
            }
            Value::Sensitive(Arc::new(value(inner, secrets, diagnostics).unwrapped().clone()))
        }
        ("Deferred" | "DeferredValue", ..) => {
            // Search the arguments for secrets. Other findings, such as types, concern only the function.
            if let Some(arguments) = node.get("arguments") {
                value(arguments, secrets, &mut Findings::default());
            }
            Value::Unknown
        }
        ("Default", ..) => Value::str("default"),
        ("Binary", _, Some(text)) => Value::from_base64(text).unwrap_or_else(|| {
            let span = inner.map_or(node.span, |i| i.span);
            let d = Diagnostic::new(Code::BadInput, span, "the value of a `Binary` is not valid base64");
            diagnostics.push(d.help("encode the bytes as base64: `{\"__ptype\": \"Binary\", \"__pvalue\": \"bGFi\"}`"));
            Value::Unknown
        }),
        ("Regexp", _, Some(text)) => Value::Str(ecow::eco_format!("/{text}/")),
        // A hash with keys other than strings: a list alternating between keys and values.
        ("Hash", Some(DataNode { kind: Kind::Array(items), .. }), _) => {
            let values: Vec<_> = items.iter().map(|i| value(i, secrets, diagnostics)).collect();
            let pairs = values.chunks_exact(2).filter_map(|pair| match pair {
                [k, v] => Some((k.clone(), v.clone())),
                _ => None,
            });
            Value::Map(Arc::new(pairs.collect::<Map>()))
        }
        // Symbols, timestamps, versions …: use their string form, like a catalog without rich data.
        (_, _, Some(text)) => Value::Str(text.clone()),
        (kind, ..) => {
            diagnostics.push(
                Diagnostic::new(Code::BadInput, node.span, format!("values of the type `{kind}` are not understood"))
                    .help("understood are Sensitive, Deferred, Default, Regexp, Binary, Hash, and all whose `__pvalue` is a string"),
            );
            Value::Unknown
        }
    }
}
