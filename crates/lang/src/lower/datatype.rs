//! Lowers data types: `Integer[1, 65535]`, `Struct[{mode => String}]`, aliases.

use super::NameKind;
use super::block::BlockLowerer;
use super::literal::Literals;
use crate::diagnostics::{Code, Diagnostic, Help, nearest};
use crate::source::Span;
use crate::syntax::ast::{Expr, ExprKind};
use crate::value::{DataType, DataTypeError, Member, TypeArg, Value};

/// The maximum nesting depth of data types.
const MAX_DEPTH: u32 = 32;

/// Returns `true` if this is the name of a built-in data type.
pub(super) fn is_data_type(name: &str) -> bool {
    DataType::names().any(|n| n == name)
}

impl BlockLowerer<'_> {
    /// Lowers `Name` or `Name[…]` in an expression.
    pub fn data_type(&self, name: &str, arguments: &[Expr], span: Span) -> Option<DataType> {
        if let Some(d) = self.ruby_module(name, span).filter(|_| !is_data_type(name)) {
            self.scope.sink.report(d);
            return None;
        }
        let literals = Literals { names: self.scope.names, bindings: self.bindings, sink: self.scope.sink };
        literals.named_type(name, arguments, span, 0)
    }
}

impl Literals<'_> {
    /// Lowers an expression that must be a data type.
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

    pub(super) fn named_type(&self, name: &str, arguments: &[Expr], span: Span, depth: u32) -> Option<DataType> {
        if depth > MAX_DEPTH {
            self.sink.error(Code::NestingTooDeep, span, "data types are nested too deep");
            return None;
        }
        if let Some(alias) = self.names.aliases.get(name) {
            self.sink.refer(NameKind::DataType, span, alias.name.span);
            if !arguments.is_empty() {
                return self.bad(span, format!("the alias `{name}` takes no arguments"));
            }
            return self.type_at(&alias.value, depth + 1);
        }
        let mut parts = Vec::new();
        for argument in arguments {
            self.part(argument, depth, &mut parts)?;
        }
        match DataType::from_parts(name, &parts) {
            Ok(data_type) => Some(data_type),
            Err(error @ DataTypeError::TooLarge(_)) => {
                let d = Diagnostic::new(Code::BadDataType, span, error.to_string());
                self.sink.report(
                    d.help("write one regex with `|` in place of many, such as `Pattern[/\\A(red|green)\\z/]`, or a wider data type"),
                );
                None
            }
            Err(error) => {
                let message = error.to_string();
                if is_data_type(name) {
                    return self.bad(span, message);
                }
                let known = || DataType::TABLE.iter().map(|(name, _, _)| *name).chain(self.names.aliases.keys().copied());
                let near = DataType::known_elsewhere(name).or_else(|| nearest(name, known()));
                match near {
                    Some(near) => {
                        let d = Diagnostic::new(Code::BadDataType, span, message);
                        self.sink.report(d.help(Help::suggestion(near)));
                        None
                    }
                    None => self.bad(span, message),
                }
            }
        }
    }

    /// Lowers one argument in the brackets; a splat adds several.
    fn part(&self, argument: &Expr, depth: u32, out: &mut Vec<TypeArg>) -> Option<()> {
        match &argument.kind {
            ExprKind::Name(n) | ExprKind::Word(n) if n == "default" => out.push(TypeArg::Default),
            ExprKind::Map(pairs) => {
                let members = pairs.iter().map(|(key, value)| self.member(key, value, depth));
                out.push(TypeArg::Members(members.collect::<Option<_>>()?));
            }
            ExprKind::Index(..) => out.push(TypeArg::Type(self.type_at(argument, depth + 1)?)),
            ExprKind::Name(n) | ExprKind::Word(n) if self.is_misspelt_constant(n, argument.span) => {
                return self.unknown_constant(n, argument.span);
            }
            ExprKind::Name(n) | ExprKind::Word(n) if self.is_type_name(n) => out.push(TypeArg::Type(self.type_at(argument, depth + 1)?)),
            _ => match self.value(argument)? {
                Value::Array(values) => out.extend(values.iter().cloned().map(TypeArg::Value)),
                // The missing argument has been reported at the use of the kind.
                Value::Nil => out.push(TypeArg::Default),
                Value::Sym(s) => out.push(TypeArg::Value(Value::Str(s.text()))),
                value => out.push(TypeArg::Value(value)),
            },
        }
        Some(())
    }

    /// Returns `true` for a capitalized word that is neither a constant nor a parameter.
    fn is_type_name(&self, name: &str) -> bool {
        name.starts_with(|c: char| c.is_uppercase()) && !self.names.consts.contains_key(name) && !self.bindings.contains_key(name)
    }

    /// Returns `true` if a word resembles a constant, and is neither a data type nor a parameter.
    fn is_misspelt_constant(&self, name: &str, span: Span) -> bool {
        self.is_type_name(name) && !self.is_data_type(name) && self.names.misspelt_constant(name, span).is_some()
    }

    /// Lowers `name => T` or `Optional[name] => T`.
    fn member(&self, key: &Expr, value: &Expr, depth: u32) -> Option<Member> {
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
        Some(Member { name, optional, data_type: self.type_at(value, depth + 1)? })
    }
}
