//! Data types as Puppet prints them.

use super::{Callable, FloatBounds, IntegerBounds, KeyForm, StructMember, TimeBounds, Tuple, Type};
use crate::compile::text::{float_text, puppet_quote, timespan_text, timestamp_text};
use crate::compile::value::ManifestValue;
use std::cell::Cell;
use std::fmt::{self, Display, Formatter, Write as _};

/// How types are printed.
#[derive(Clone, Copy, Default)]
struct Printer<'p> {
    /// The number of aliases that are still printed with their types; `None` prints only their names.
    expansions: Option<&'p Cell<usize>>,
    /// The aliases that are being expanded, innermost first.
    outer: Option<&'p OuterAlias<'p>>,
    /// Whether the types of single strings show the string.
    shows_literals: bool,
}

/// An alias whose type is being printed.
struct OuterAlias<'p> {
    name: &'p str,
    outer: Option<&'p OuterAlias<'p>>,
}

/// A type is printed with at most this many aliases expanded.
const MAX_EXPANSIONS: usize = 1_000;

impl Display for Type {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut out = String::new();
        Printer::default().print(self, &mut out);
        f.write_str(&out)
    }
}

impl Type {
    /// Returns the text with all aliases replaced by `Name = Type`.
    pub fn expanded_text(&self) -> String {
        let mut out = String::new();
        let expansions = Cell::new(MAX_EXPANSIONS);
        Printer { expansions: Some(&expansions), ..Printer::default() }.print(self, &mut out);
        out
    }

    /// Returns a text that differs for different types.
    pub fn exact_text(&self) -> String {
        let mut out = String::new();
        Printer { shows_literals: true, ..Printer::default() }.print(self, &mut out);
        out
    }
}

impl Printer<'_> {
    fn print(self, of: &Type, out: &mut String) {
        match of {
            Type::Any => out.push_str("Any"),
            Type::Undef => out.push_str("Undef"),
            Type::Default => out.push_str("Default"),
            Type::Unit => out.push_str("Unit"),
            Type::Scalar => out.push_str("Scalar"),
            Type::ScalarData => out.push_str("ScalarData"),
            Type::Data => out.push_str("Data"),
            Type::RichData => out.push_str("RichData"),
            Type::Numeric => out.push_str("Numeric"),
            Type::CatalogEntry => out.push_str("CatalogEntry"),
            Type::Binary => out.push_str("Binary"),
            Type::SemVerRange => out.push_str("SemVerRange"),
            Type::TypeSet => out.push_str("TypeSet"),
            Type::TypeAlias => out.push_str("TypeAlias"),
            Type::Boolean(value) => list(out, "Boolean", &value.iter().map(bool::to_string).collect::<Vec<_>>()),
            Type::Integer(bounds) => list(out, "Integer", &range(*bounds)),
            Type::Float(bounds) => list(out, "Float", &float_range(*bounds)),
            Type::Timestamp(bounds) => list(out, "Timestamp", &time_range(*bounds, timestamp_text)),
            Type::Timespan(bounds) => list(out, "Timespan", &time_range(*bounds, timespan_text)),
            Type::String(bounds) => list(out, "String", &size(*bounds)),
            Type::Collection(bounds) => list(out, "Collection", &size(*bounds)),
            Type::Literal(text) if self.shows_literals => list(out, "String", &[puppet_quote(text)]),
            Type::Literal(_) => out.push_str("String"),
            Type::Regexp(pattern) => list(out, "Regexp", &pattern.iter().map(|p| delimited(&p.source)).collect::<Vec<_>>()),
            Type::Pattern(patterns) => list(out, "Pattern", &patterns.iter().map(|p| delimited(&p.source)).collect::<Vec<_>>()),
            Type::SemVer(ranges) => list(out, "SemVer", &ranges.iter().map(|r| format!("'{r}'")).collect::<Vec<_>>()),
            Type::Enum(enumeration) => {
                let mut parts: Vec<String> = enumeration.values.iter().map(|v| puppet_quote(v)).collect();
                if enumeration.ignores_case {
                    parts.push("true".to_owned());
                }
                list(out, "Enum", &parts);
            }
            _ => self.print_compound(of, out),
        }
    }

    fn text(self, of: &Type) -> String {
        let mut out = String::new();
        self.print(of, &mut out);
        out
    }

    fn print_compound(self, of: &Type, out: &mut String) {
        match of {
            Type::Array(element, bounds) => {
                let mut parts = Vec::new();
                if *bounds == IntegerBounds::new(0, 0) {
                    parts.extend(["0".to_owned(), "0".to_owned()]);
                } else if **element != Type::Any || *bounds != IntegerBounds::SIZE {
                    parts.push(self.text(element));
                    parts.extend(size(*bounds));
                }
                list(out, "Array", &parts);
            }
            Type::Hash(types, bounds) => {
                let mut parts = Vec::new();
                if *bounds == IntegerBounds::new(0, 0) {
                    parts.extend(["0".to_owned(), "0".to_owned()]);
                } else if types.0 != Type::Any || types.1 != Type::Any || *bounds != IntegerBounds::SIZE {
                    parts.extend([self.text(&types.0), self.text(&types.1)]);
                    parts.extend(size(*bounds));
                }
                list(out, "Hash", &parts);
            }
            Type::Tuple(tuple) => list(out, "Tuple", &self.tuple_parts(tuple)),
            Type::Struct(members) => self.structure(members, out),
            Type::Variant(types) => list(out, "Variant", &types.iter().map(|t| self.text(t)).collect::<Vec<_>>()),
            Type::Optional(inner) => self.wrapper("Optional", inner, out),
            Type::NotUndef(inner) => self.wrapper("NotUndef", inner, out),
            Type::Iterable(inner) => self.wrapper("Iterable", inner, out),
            Type::Iterator(inner) => self.wrapper("Iterator", inner, out),
            Type::Sensitive(inner) => self.wrapper("Sensitive", inner, out),
            Type::Type(inner) => self.wrapper("Type", inner, out),
            Type::Callable(callable) => self.callable(callable, out),
            Type::Class(name) => list(out, "Class", &name.iter().map(ToString::to_string).collect::<Vec<_>>()),
            Type::Resource(None, _) => out.push_str("Resource"),
            Type::Resource(Some(name), title) => list(out, &capitalized(name), &title.iter().map(|t| puppet_quote(t)).collect::<Vec<_>>()),
            Type::Runtime(runtime, name) => {
                let name = name.as_ref().map(|name| puppet_quote(name));
                list(out, "Runtime", &runtime.iter().map(ToString::to_string).chain(name).collect::<Vec<_>>());
            }
            _ => self.print_named(of, out),
        }
    }

    fn print_named(self, of: &Type, out: &mut String) {
        match of {
            Type::Uri(None) => out.push_str("URI"),
            Type::Uri(Some(parameters)) => {
                let parts: Vec<String> = parameters.iter().map(|(k, v)| format!("{} => {}", puppet_quote(k), value_text(v))).collect();
                let _ = write!(out, "URI[{{{}}}]", parts.join(", "));
            }
            Type::Init(of, arguments) => {
                let of = of.iter().map(|of| self.text(of));
                list(out, "Init", &of.chain(arguments.iter().map(value_text)).collect::<Vec<_>>());
            }
            Type::Object(None) => out.push_str("Object"),
            Type::Object(Some(of)) if of.name.is_empty() => {
                let _ = write!(out, "Object[{}]", value_text(&of.init));
            }
            Type::Object(Some(of)) => out.push_str(&of.name),
            Type::Alias(alias) => {
                out.push_str(&alias.name);
                let (Some(expansions), Some(target)) = (self.expansions, alias.target.get()) else { return };
                let is_inside = std::iter::successors(self.outer, |level| level.outer).any(|level| level.name == alias.name);
                if !is_inside && expansions.get() > 0 {
                    expansions.set(expansions.get() - 1);
                    out.push_str(" = ");
                    let level = OuterAlias { name: &alias.name, outer: self.outer };
                    Printer { outer: Some(&level), ..self }.print(target, out);
                }
            }
            Type::Reference(text) => {
                let _ = write!(out, "TypeReference[{}]", puppet_quote(text));
            }
            _ => {}
        }
    }

    fn wrapper(self, name: &str, inner: &Type, out: &mut String) {
        match inner {
            Type::Any if name != "Optional" => out.push_str(name),
            Type::Unit if name == "Optional" => out.push_str(name),
            Type::Literal(text) if name == "Optional" || name == "NotUndef" => list(out, name, &[puppet_quote(text)]),
            _ => list(out, name, &[self.text(inner)]),
        }
    }

    fn tuple_parts(self, tuple: &Tuple) -> Vec<String> {
        let mut parts: Vec<String> = tuple.types.iter().map(|t| self.text(t)).collect();
        parts.extend(tuple.size.map(range).unwrap_or_default());
        parts
    }

    fn structure(self, members: &[StructMember], out: &mut String) {
        if members.is_empty() {
            out.push_str("Struct");
            return;
        }
        let entry = |member: &StructMember| {
            let name = puppet_quote(&member.name);
            let allows_undef = member.value.accepts(&Type::Undef);
            let key = match member.form {
                KeyForm::Optional if allows_undef => name,
                KeyForm::Optional => format!("Optional[{name}]"),
                _ if allows_undef => format!("NotUndef[{name}]"),
                _ => name,
            };
            format!("{key} => {}", self.text(&member.value))
        };
        let _ = write!(out, "Struct[{{{}}}]", members.iter().map(entry).collect::<Vec<_>>().join(", "));
    }

    fn callable_parts(self, callable: &Callable) -> Vec<String> {
        let Some(tuple) = &callable.parameters else { return Vec::new() };
        let mut parts: Vec<String> = tuple.types.iter().filter(|t| !matches!(t, Type::Unit)).map(|t| self.text(t)).collect();
        if tuple.types.is_empty() {
            parts.extend(["0".to_owned(), "0".to_owned()]);
        } else {
            parts.extend(tuple.size.map(range).unwrap_or_default());
        }
        parts.extend(callable.block.iter().map(|block| self.text(block)));
        parts
    }

    fn callable(self, callable: &Callable, out: &mut String) {
        let parts = self.callable_parts(callable);
        match &callable.returns {
            None => list(out, "Callable", &parts),
            Some(returns) => {
                let _ = write!(out, "Callable[[{}], {}]", parts.join(", "), self.text(returns));
            }
        }
    }
}

fn list(out: &mut String, name: &str, parts: &[String]) {
    out.push_str(name);
    if !parts.is_empty() {
        let _ = write!(out, "[{}]", parts.join(", "));
    }
}

fn delimited(source: &str) -> String {
    let mut out = String::from("/");
    let mut is_escaped = false;
    for c in source.chars() {
        if c == '/' && !is_escaped {
            out.push('\\');
        }
        is_escaped = c == '\\' && !is_escaped;
        out.push(c);
    }
    out.push('/');
    out
}

/// Prints the bounds of a numeric type.
fn range(bounds: IntegerBounds) -> Vec<String> {
    if bounds == IntegerBounds::default() {
        return Vec::new();
    }
    let from = bounds.from.map_or("default".to_owned(), |from| from.to_string());
    std::iter::once(from).chain(bounds.to.map(|to| to.to_string())).collect()
}

/// Returns the parameters of a size.
fn size(bounds: IntegerBounds) -> Vec<String> {
    if bounds == IntegerBounds::SIZE { Vec::new() } else { range(bounds) }
}

fn float_range(bounds: FloatBounds) -> Vec<String> {
    if bounds.from.is_none() && bounds.to.is_none() {
        return Vec::new();
    }
    let from = bounds.from.map_or("default".to_owned(), float_text);
    std::iter::once(from).chain(bounds.to.map(float_text)).collect()
}

fn time_range(bounds: TimeBounds, text: fn(i128) -> String) -> Vec<String> {
    if bounds.from.is_none() && bounds.to.is_none() {
        return Vec::new();
    }
    let from = bounds.from.map_or("default".to_owned(), |from| format!("'{}'", text(from)));
    let to = bounds.to.filter(|to| bounds.from != Some(*to)).map(|to| format!("'{}'", text(to)));
    std::iter::once(from).chain(to).collect()
}

/// Returns a resource type's name with capital letters: `foo::bar` is `Foo::Bar`.
pub fn capitalized(name: &str) -> String {
    let capital = |part: &str| {
        let mut letters = part.chars();
        letters.next().map(|c| c.to_ascii_uppercase().to_string() + letters.as_str()).unwrap_or_default()
    };
    name.split("::").map(capital).collect::<Vec<_>>().join("::")
}

/// Returns the literal of a value, as in the parameters of types.
pub fn value_text(value: &ManifestValue) -> String {
    match value {
        ManifestValue::Undef => "undef".to_owned(),
        ManifestValue::Default => "default".to_owned(),
        ManifestValue::Boolean(value) => value.to_string(),
        ManifestValue::Integer(value) => value.to_string(),
        ManifestValue::Float(value) => float_text(*value),
        ManifestValue::String(text) => puppet_quote(text),
        ManifestValue::Uri(text) => format!("URI({})", puppet_quote(text)),
        ManifestValue::Regexp(pattern) => delimited(&pattern.source),
        ManifestValue::Array(elements) => format!("[{}]", elements.iter().map(value_text).collect::<Vec<_>>().join(", ")),
        ManifestValue::Hash(map) => {
            format!("{{{}}}", map.iter().map(|(k, v)| format!("{} => {}", value_text(k), value_text(v))).collect::<Vec<_>>().join(", "))
        }
        ManifestValue::Type(of) => of.to_string(),
        ManifestValue::Timestamp(at) => format!("'{}'", timestamp_text(*at)),
        ManifestValue::Timespan(nanos) => format!("'{}'", timespan_text(*nanos)),
        ManifestValue::SemVer(version) => format!("'{version}'"),
        ManifestValue::SemVerRange(range) => format!("'{range}'"),
        other => crate::compile::text::display(other),
    }
}
