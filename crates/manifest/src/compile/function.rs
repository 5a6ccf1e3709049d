//! The table of functions.

use super::context::CallContext;
use super::failure::EvaluationFailure;
use super::scope::LambdaClosure;
use super::types::{Callable, NamedType, Type};
use super::value::ManifestValue;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

/// The Rust code of a signature.
pub type FunctionBody = fn(&mut CallContext<'_>, &[ManifestValue], Option<&Arc<LambdaClosure>>) -> Result<ManifestValue, EvaluationFailure>;

/// One way to call a function.
pub struct Signature {
    /// The parameters with Puppet's data types: `(String[1] $pattern, Integer $count?, Any *$rest, Callable[1, 1] &block?)`. A parameter
    /// with `?` is optional, `*` takes any number of arguments, `+` at least one; `&` is the lambda. A signature after `!` is for wrong
    /// arguments: it is tried last, its code returns the error, and messages leave it out. Types that messages call by a name of their
    /// own follow: `(Formats $format) where Formats = Array[String]; …`, each after those that it uses.
    pub parameters: &'static str,
    /// The code.
    pub body: FunctionBody,
}

/// The API in which Puppet implements a function. Functions of the 3.x and the 4.x API check arguments and report errors differently.
pub enum Api {
    /// Signatures with data types (4.x): tried in order.
    Typed(&'static [Signature]),
    /// The function checks its arguments itself (3.x). A negative arity is a minimum: `-2` is one argument or more.
    Legacy {
        /// The arity.
        arity: i32,
        /// Whether the function has no value.
        is_statement: bool,
        /// The code.
        body: FunctionBody,
    },
}

/// A function with its signatures.
pub struct FunctionRow {
    /// The qualified name.
    pub name: &'static str,
    /// The parameters and the code.
    pub api: Api,
}

/// A parsed signature.
pub struct ParsedSignature {
    /// The signature as a type.
    pub callable: Callable,
    /// The names of the parameters, for messages.
    pub names: Vec<String>,
    /// The name of the lambda, for messages.
    pub block_name: String,
    /// Whether the signature is for wrong arguments.
    pub is_for_mistakes: bool,
    /// The code.
    pub body: FunctionBody,
}

/// The functions of Puppet itself or of a module.
pub struct Table {
    /// The module that brings the functions; empty for functions of Puppet itself. They are unknown without the module.
    pub module: &'static str,
    /// The functions.
    pub rows: &'static [FunctionRow],
}

/// A function with its parsed signatures.
pub struct KnownFunction {
    /// The row.
    pub function: &'static FunctionRow,
    /// The module of the function; empty for functions of Puppet itself.
    pub module: &'static str,
    parsed: OnceLock<Result<Vec<ParsedSignature>, EvaluationFailure>>,
}

impl KnownFunction {
    /// Returns the parsed signatures.
    ///
    /// # Errors
    /// Returns the mistake in a signature of the table.
    pub fn signatures(&self) -> Result<&[ParsedSignature], EvaluationFailure> {
        let Api::Typed(signatures) = &self.function.api else { return Ok(&[]) };
        let parse = || signatures.iter().map(|s| parse_signature(s.parameters, s.body)).collect();
        self.parsed.get_or_init(parse).as_ref().map(Vec::as_slice).map_err(Clone::clone)
    }
}

/// All functions that are written in Rust.
#[derive(Default)]
pub struct KnownFunctions(HashMap<&'static str, KnownFunction>);

impl KnownFunctions {
    /// Returns the table of some functions. Later rows replace earlier rows with the same name.
    pub fn new(tables: impl IntoIterator<Item = &'static Table>) -> KnownFunctions {
        let rows = tables.into_iter().flat_map(|table| table.rows.iter().map(|function| (function, table.module)));
        KnownFunctions(
            rows.map(|(function, module)| (function.name, KnownFunction { function, module, parsed: OnceLock::new() })).collect(),
        )
    }

    /// Returns a function.
    pub fn get(&self, name: &str) -> Option<&KnownFunction> {
        self.0.get(name)
    }

    /// Returns all functions.
    pub fn iter(&self) -> impl Iterator<Item = &KnownFunction> {
        self.0.values()
    }
}

/// Parses `(String $a, Integer $b?, Any *$c, Callable &block)`.
fn parse_signature(text: &str, body: FunctionBody) -> Result<ParsedSignature, EvaluationFailure> {
    let (text, aliases) = text.split_once(" where ").unwrap_or((text, ""));
    let aliases = local_aliases(aliases)?;
    let (signature, is_for_mistakes) = text.trim().strip_prefix('!').map_or((text.trim(), false), |rest| (rest, true));
    let inner = signature.strip_prefix('(').and_then(|t| t.strip_suffix(')')).ok_or_else(|| malformed(text))?;
    let mut types = Vec::new();
    let mut names = Vec::new();
    let (mut least, mut most, mut block) = (0, Some(0), None);
    let mut block_name = String::new();
    for part in split(inner) {
        let at = part.rfind(char::is_whitespace).ok_or_else(|| malformed(text))?;
        let (kind, name) = part.split_at(at);
        let kind = Type::parse(kind.trim())?.with_aliases(&aliases);
        let name = name.trim();
        let (name, is_optional) = name.strip_suffix('?').map_or((name, false), |name| (name, true));
        if name.starts_with('&') {
            block_name = name.trim_start_matches(['&', '$']).to_owned();
            block = Some(if is_optional { Type::Optional(Arc::new(kind)) } else { kind });
            continue;
        }
        let is_many = name.starts_with(['*', '+']);
        least += i64::from(!is_optional && !name.starts_with('*'));
        most = if is_many { None } else { most.map(|most| most + 1) };
        types.push(kind);
        names.push(name.trim_start_matches(['*', '+', '$']).to_owned());
    }
    Ok(ParsedSignature { callable: Callable::new(types, least, most, block), names, block_name, is_for_mistakes, body })
}

/// Parses `A = Integer; B = Array[A]`.
fn local_aliases(text: &str) -> Result<Vec<Type>, EvaluationFailure> {
    let mut aliases: Vec<Type> = Vec::new();
    for part in text.split("; ").filter(|part| !part.trim().is_empty()) {
        let (name, of) = part.split_once('=').ok_or_else(|| malformed(text))?;
        let target = OnceLock::from(Type::parse(of.trim())?.with_aliases(&aliases).normalized());
        aliases.push(Type::Alias(Arc::new(NamedType { name: name.trim().into(), target })));
    }
    Ok(aliases)
}

/// Splits at the commas outside of brackets and strings.
fn split(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start, mut quote, mut in_regex) = (Vec::new(), 0_i32, 0, false, false);
    for (at, c) in text.char_indices() {
        match c {
            '/' if !quote => in_regex = !in_regex,
            '\'' if !in_regex => quote = !quote,
            _ if quote || in_regex => {}
            '[' | '{' | '(' => depth += 1,
            ']' | '}' | ')' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text.get(start..at).unwrap_or_default());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text.get(start..).unwrap_or_default());
    parts.into_iter().map(str::trim).filter(|part| !part.is_empty()).collect()
}

fn malformed(text: &str) -> EvaluationFailure {
    EvaluationFailure::unsupported(format!("malformed signature `{text}`"))
}
