//! Values of the interpreted methods: constants, values of the resource, and what a document has.

use rtype_lang::syntax::{quote, written_symbol};

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Val {
    Nil,
    Bool(bool),
    Text(String),
    Sym(String),
    Int(i64),
    List(Vec<Val>),
    /// An attribute of the resource.
    Attr(String),
    /// A written expression over the resource.
    Code(String),
    /// The argument of a setter: the desired value.
    Param,
    /// The current value of the setting.
    Current,
    /// Whether the setting is missing in the document.
    IsAbsent,
    /// Whether the document has the setting.
    Exists,
    Document(Box<Document>),
    Resource,
    /// The attributes that are set.
    Attributes,
    /// The class of the resource.
    Type,
    Own,
    OwnClass,
    /// What the native provider has for a method that nothing overrides.
    Hook(String),
    /// The result of a statement.
    Done,
}

/// A document that a method opens.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Document {
    /// Name of its class; `None` if it is that of the native provider.
    pub class: Option<String>,
    pub arguments: Vec<Val>,
}

/// A condition.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Cond {
    Constant(bool),
    Code(String),
}

impl Val {
    /// Writes the value as an expression; `None` if it is not one.
    pub fn written(&self) -> Option<String> {
        Some(match self {
            Val::Nil => "nil".into(),
            Val::Bool(value) => value.to_string(),
            Val::Text(text) => quote(text),
            Val::Sym(word) => written_symbol(word),
            Val::Int(number) => number.to_string(),
            Val::List(items) => format!("[{}]", items.iter().map(Val::written).collect::<Option<Vec<_>>>()?.join(", ")),
            Val::Attr(attribute) => format!("self.{attribute}"),
            Val::Code(code) => code.clone(),
            _ => return None,
        })
    }

    /// Writes the value as an operand.
    pub fn operand(&self) -> Option<String> {
        match self {
            Val::Code(code) if code.contains(' ') => Some(format!("({code})")),
            other => other.written(),
        }
    }

    /// Returns whether the value is known.
    pub fn is_constant(&self) -> bool {
        match self {
            Val::Nil | Val::Bool(_) | Val::Text(_) | Val::Sym(_) | Val::Int(_) => true,
            Val::List(items) => items.iter().all(Val::is_constant),
            _ => false,
        }
    }

    /// Returns the value as a condition; `None` if it is not one.
    pub fn condition(&self) -> Option<Cond> {
        match self {
            Val::Nil | Val::Bool(false) => Some(Cond::Constant(false)),
            known if known.is_constant() => Some(Cond::Constant(true)),
            Val::List(_) | Val::Document(_) | Val::Own | Val::OwnClass | Val::Resource | Val::Type => Some(Cond::Constant(true)),
            Val::Attr(_) | Val::Code(_) => Some(Cond::Code(self.written()?)),
            _ => None,
        }
    }
}
