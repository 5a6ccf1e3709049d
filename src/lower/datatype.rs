//! Data types as written: `Integer[1, 65535]`, `Struct[{mode => String}]`, aliases.

use super::block::BlockLowerer;
use super::literal::Literals;
use crate::diagnostics::{Code, Diagnostic, nearest};
use crate::source::Span;
use crate::syntax::ast::{Expr, ExprKind};
use crate::value::{Bounds, DataType, Member, Value};

/// All names of data types.
const NAMES: &[&str] = &[
    "Any",
    "Undef",
    "Boolean",
    "Integer",
    "Float",
    "Numeric",
    "String",
    "Symbol",
    "Enum",
    "Pattern",
    "Array",
    "Hash",
    "Struct",
    "Tuple",
    "Optional",
    "Variant",
    "Sensitive",
    "AbsolutePath",
    "Regexp",
    "Scalar",
    "NilClass",
    "TrueClass",
    "FalseClass",
];

/// How deep data types may nest.
const MAX_DEPTH: u32 = 32;

/// Whether this is the name of a data type.
pub(super) fn is_data_type(name: &str) -> bool {
    NAMES.contains(&name)
}

impl BlockLowerer<'_> {
    /// `Name`, `Name[…]` in an expression.
    pub fn data_type(&self, name: &str, arguments: &[Expr], span: Span) -> Option<DataType> {
        let literals = Literals { names: self.scope.names, bindings: self.bindings, sink: self.scope.sink };
        literals.named_type(name, arguments, span, 0)
    }
}

impl Literals<'_> {
    /// The data type that an expression writes.
    pub fn data_type(&self, expr: &Expr) -> Option<DataType> {
        self.type_at(expr, 0)
    }

    fn type_at(&self, expr: &Expr, depth: u32) -> Option<DataType> {
        match &expr.kind {
            ExprKind::Name(name) | ExprKind::Word(name) => self.named_type(name, &[], expr.span, depth),
            ExprKind::Index(head, arguments) => match &head.kind {
                ExprKind::Name(name) | ExprKind::Word(name) => self.named_type(name, arguments, expr.span, depth),
                _ => self.bad(expr.span, "a data type is expected here"),
            },
            ExprKind::Paren(inner) => self.type_at(inner, depth + 1),
            ExprKind::Error => None,
            _ => self.bad(expr.span, "a data type is expected here"),
        }
    }

    fn bad<T>(&self, span: Span, message: impl Into<String>) -> Option<T> {
        let d = Diagnostic::new(Code::BadDataType, span, message);
        self.sink.report(
            d.help("data types are written as in Puppet: `String`, `Integer[1, 65535]`, `Enum['a', 'b']`, `Optional[Array[String]]`"),
        );
        None
    }

    fn named_type(&self, name: &str, arguments: &[Expr], span: Span, depth: u32) -> Option<DataType> {
        if depth > MAX_DEPTH {
            self.sink.error(Code::NestingTooDeep, span, "data types are nested too deep");
            return None;
        }
        if let Some(alias) = self.names.aliases.get(name) {
            if !arguments.is_empty() {
                return self.bad(span, format!("the alias `{name}` takes no arguments"));
            }
            return self.type_at(&alias.value, depth + 1);
        }
        let inner = |i: usize| -> Option<DataType> {
            match arguments.get(i) {
                Some(e) => self.type_at(e, depth + 1),
                None => Some(DataType::Any),
            }
        };
        let at_most = |n: usize| -> Option<()> {
            if arguments.len() <= n {
                Some(())
            } else {
                self.bad(span, format!("`{name}` takes at most {n} arguments, not {}", arguments.len()))
            }
        };
        Some(match name {
            "Any" => DataType::Any,
            "Undef" | "NilClass" => DataType::Undef,
            "Boolean" => DataType::Boolean,
            "TrueClass" | "FalseClass" => {
                return self.bad(span, format!("`{name}` is Ruby's: compare with `== true` or `== false`, or write `Boolean`"));
            }
            "Numeric" => DataType::Numeric,
            "Symbol" => DataType::Symbol,
            "AbsolutePath" => DataType::AbsolutePath,
            "Regexp" => DataType::Regexp,
            "Scalar" => DataType::Scalar,
            "Integer" => {
                at_most(2)?;
                DataType::Integer(self.bounds(arguments)?)
            }
            "Float" => {
                at_most(2)?;
                DataType::Float(self.float_bounds(arguments)?)
            }
            "String" => {
                at_most(2)?;
                DataType::String(self.bounds(arguments)?)
            }
            "Enum" => {
                let mut texts = Vec::new();
                for argument in arguments {
                    match self.value(argument)? {
                        Value::Array(values) => texts.extend(values.iter().map(|v| v.to_text().to_string())),
                        other => texts.push(other.to_text().to_string()),
                    }
                }
                DataType::Enum(texts)
            }
            "Pattern" => {
                let mut patterns = Vec::new();
                for argument in arguments {
                    match self.value(argument)? {
                        Value::Regex(r) => patterns.push(r),
                        _ => {
                            return self.bad(argument.span, "`Pattern` takes regexes: `Pattern[/\\A\\d+\\z/]`");
                        }
                    }
                }
                DataType::Pattern(patterns)
            }
            "Array" => {
                at_most(3)?;
                DataType::Array(Box::new(inner(0)?), self.bounds(arguments.get(1..).unwrap_or_default())?)
            }
            "Hash" => {
                at_most(4)?;
                DataType::Hash(Box::new(inner(0)?), Box::new(inner(1)?), self.bounds(arguments.get(2..).unwrap_or_default())?)
            }
            "Tuple" => DataType::Tuple((0..arguments.len()).map(inner).collect::<Option<_>>()?),
            "Variant" => DataType::Variant((0..arguments.len()).map(inner).collect::<Option<_>>()?),
            "Optional" | "Sensitive" => {
                at_most(1)?;
                let of = match arguments.first() {
                    // Puppet allows `Optional['x']` for an optional enum of one.
                    Some(Expr { kind: ExprKind::Str(s), .. }) => DataType::Enum(vec![self.text(s)?.to_string()]),
                    _ => inner(0)?,
                };
                if name == "Optional" { DataType::Optional(Box::new(of)) } else { DataType::Sensitive(Box::new(of)) }
            }
            "Struct" => {
                let [Expr { kind: ExprKind::Map(pairs), .. }] = arguments else {
                    return self.bad(span, "`Struct` takes one map: `Struct[{mode => String}]`");
                };
                let mut members = Vec::new();
                for (key, value) in pairs {
                    let (key, optional) = match &key.kind {
                        ExprKind::Index(head, inner) if matches!(&head.kind, ExprKind::Name(n) | ExprKind::Word(n) if n == "Optional") => {
                            (inner.first()?, true)
                        }
                        _ => (key, false),
                    };
                    let name = match &key.kind {
                        ExprKind::Name(n) | ExprKind::Word(n) | ExprKind::Symbol(n) => n.to_string(),
                        _ => self.value(key)?.to_text().to_string(),
                    };
                    members.push(Member { name, optional, data_type: self.type_at(value, depth + 1)? });
                }
                DataType::Struct(members)
            }
            _ => {
                let d = Diagnostic::new(Code::BadDataType, span, format!("there is no data type `{name}`"));
                let known = NAMES.iter().copied().chain(self.names.aliases.keys().copied());
                let help =
                    nearest(name, known).map_or_else(|| format!("known are {}", NAMES.join(", ")), |n| format!("did you mean `{n}`?"));
                self.sink.report(d.help(help));
                return None;
            }
        })
    }

    fn bound(&self, argument: &Expr) -> Option<Option<Value>> {
        if matches!(&argument.kind, ExprKind::Name(n) | ExprKind::Word(n) if n == "default") {
            return Some(None);
        }
        match self.value(argument)? {
            value @ (Value::Int(_) | Value::Float(_)) => Some(Some(value)),
            // A parameter without a value; that has been told where the kind is used.
            Value::Nil => Some(None),
            other => self.bad(argument.span, format!("a limit is a number or `default`, not {}", other.kind_name())),
        }
    }

    fn bounds(&self, arguments: &[Expr]) -> Option<Bounds<i64>> {
        let whole = |i: usize| -> Option<Option<i64>> {
            let Some(argument) = arguments.get(i) else {
                return Some(None);
            };
            match self.bound(argument)? {
                None => Some(None),
                Some(Value::Int(n)) => Some(Some(n)),
                Some(_) => self.bad(argument.span, "a whole number is expected here"),
            }
        };
        self.ordered(Bounds { min: whole(0)?, max: whole(1)? }, arguments)
    }

    fn float_bounds(&self, arguments: &[Expr]) -> Option<Bounds<f64>> {
        let any = |i: usize| -> Option<Option<f64>> {
            let Some(argument) = arguments.get(i) else {
                return Some(None);
            };
            Some(match self.bound(argument)? {
                Some(Value::Int(n)) => Some(n as f64),
                Some(Value::Float(n)) => Some(n),
                _ => None,
            })
        };
        self.ordered(Bounds { min: any(0)?, max: any(1)? }, arguments)
    }

    fn ordered<T: PartialOrd + Copy>(&self, bounds: Bounds<T>, arguments: &[Expr]) -> Option<Bounds<T>> {
        if let (Some(min), Some(max), Some(last)) = (bounds.min, bounds.max, arguments.last())
            && min > max
        {
            return self.bad(last.span, "the upper limit is below the lower one");
        }
        Some(bounds)
    }
}
