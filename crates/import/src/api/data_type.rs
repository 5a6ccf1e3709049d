//! Puppet's data types as written in Ruby texts: `Optional[Array[String[1]]]`, and the type aliases of modules.

use crate::lower::{build, regex};
use rtype_lang::syntax::ast::{Expr, ExprKind};
use rtype_lang::value::{DataType, Member, Regex, TypeArg, Value};
use rtype_ruby::hir::RegexFlags;
use std::sync::Arc;

/// The maximum nesting of a data type, aliases included.
const MAX_DEPTH: usize = 24;

/// A part of a data type.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum TypePart {
    /// A data type with its arguments: `Integer`, `Array[String]`.
    Type(String, Vec<TypePart>),
    /// A text in quotes, or a word that begins with a small letter.
    Text(String),
    /// A regex.
    Regex(String),
    /// An integer.
    Int(i64),
    /// A number with a fraction.
    Float(f64),
    /// `true` or `false`.
    Bool(bool),
    /// `default`: no limit.
    Default,
    /// The members of a `Struct`.
    Members(Vec<(TypePart, TypePart)>),
}

/// Parses a data type.
pub(super) fn parse(text: &str) -> Option<TypePart> {
    let mut parser = TypeParser { rest: text };
    let found = parser.part(MAX_DEPTH)?;
    parser.skip();
    (parser.rest.is_empty() && matches!(found, TypePart::Type(..))).then_some(found)
}

/// Parses the file of a type alias, `type Motd::Port = …`. Returns the data type.
pub(super) fn parse_alias(text: &str, name: &str) -> Option<TypePart> {
    let mut parser = TypeParser { rest: text };
    (parser.word()? == "type").then_some(())?;
    parser.word()?.eq_ignore_ascii_case(name).then_some(())?;
    parser.take("=")?;
    let found = parser.part(MAX_DEPTH)?;
    parser.skip();
    parser.rest.is_empty().then_some(found)
}

/// The text that is not parsed yet.
struct TypeParser<'t> {
    rest: &'t str,
}

impl<'t> TypeParser<'t> {
    /// Skips blanks and comments.
    fn skip(&mut self) {
        self.rest = self.rest.trim_start();
        while let Some(comment) = self.rest.strip_prefix('#') {
            self.rest = comment.split_once('\n').map_or("", |(_, next)| next).trim_start();
        }
    }

    fn take(&mut self, wanted: &str) -> Option<()> {
        self.skip();
        self.rest = self.rest.strip_prefix(wanted)?;
        Some(())
    }

    /// Takes letters, digits and the signs inside of names and numbers.
    fn word(&mut self) -> Option<&'t str> {
        self.skip();
        let is_inside = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':' | '-' | '.');
        let length = self.rest.find(|c| !is_inside(c)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }

    /// Takes the characters up to a closing sign. A backslash keeps the next character.
    fn quoted(&mut self, quote: char, keeps_backslash: bool) -> Option<String> {
        let mut letters = self.rest.char_indices().skip(1);
        let mut out = String::new();
        while let Some((at, letter)) = letters.next() {
            if letter == quote {
                self.rest = self.rest.get(at + letter.len_utf8()..)?;
                return Some(out);
            }
            if letter == '\\' {
                let (_, next) = letters.next()?;
                if next != quote && (keeps_backslash || next != '\\') {
                    out.push('\\');
                }
                out.push(next);
                continue;
            }
            out.push(letter);
        }
        None
    }

    fn part(&mut self, depth: usize) -> Option<TypePart> {
        let depth = depth.checked_sub(1)?;
        self.skip();
        match self.rest.chars().next()? {
            quote @ ('\'' | '"') => self.quoted(quote, false).map(TypePart::Text),
            '/' => self.quoted('/', true).map(TypePart::Regex),
            '{' => self.members(depth),
            _ => {
                let word = self.word()?;
                self.named(word, depth)
            }
        }
    }

    fn named(&mut self, word: &str, depth: usize) -> Option<TypePart> {
        if let Ok(number) = word.parse() {
            return Some(TypePart::Int(number));
        }
        let is_number = word.starts_with(|c: char| c.is_ascii_digit() || c == '-');
        if let Some(number) = word.parse().ok().filter(|_| is_number) {
            return Some(TypePart::Float(number));
        }
        match word {
            "true" | "false" => return Some(TypePart::Bool(word == "true")),
            "default" => return Some(TypePart::Default),
            _ if !word.starts_with(char::is_uppercase) => return Some(TypePart::Text(word.to_owned())),
            _ => {}
        }
        if self.take("[").is_none() {
            return Some(TypePart::Type(word.to_owned(), Vec::new()));
        }
        let mut args = Vec::new();
        while self.take("]").is_none() {
            args.push(self.part(depth)?);
            if self.take(",").is_none() {
                self.take("]")?;
                break;
            }
        }
        Some(TypePart::Type(word.to_owned(), args))
    }

    /// Parses `{name => T, Optional[name] => T}`.
    fn members(&mut self, depth: usize) -> Option<TypePart> {
        self.take("{")?;
        let mut all = Vec::new();
        while self.take("}").is_none() {
            let key = self.part(depth)?;
            self.take("=>")?;
            all.push((key, self.part(depth)?));
            if self.take(",").is_none() {
                self.take("}")?;
                break;
            }
        }
        Some(TypePart::Members(all))
    }
}

impl TypePart {
    /// Returns the names of type aliases: qualified names.
    pub(super) fn aliases(&self) -> Vec<&str> {
        let mut all = Vec::new();
        self.names(&mut |name| {
            if name.contains("::") {
                all.push(name);
            }
        });
        all
    }

    fn names<'t>(&'t self, visit: &mut impl FnMut(&'t str)) {
        let mut open = vec![self];
        while let Some(part) = open.pop() {
            match part {
                TypePart::Type(name, args) => {
                    visit(name);
                    open.extend(args);
                }
                TypePart::Members(members) => open.extend(members.iter().flat_map(|(key, value)| [key, value])),
                _ => {}
            }
        }
    }

    /// Returns the expression in the language. The names of aliases have no colons.
    pub(super) fn expr(&self) -> Expr {
        match self {
            TypePart::Type(name, args) => {
                let name = build::name(&name.replace("::", ""));
                if args.is_empty() {
                    return name;
                }
                build::expr(ExprKind::Index(Box::new(name), args.iter().map(TypePart::expr).collect()))
            }
            TypePart::Text(text) => build::string(text),
            TypePart::Regex(source) => {
                let (source, flags) = regex::regex(source, RegexFlags::default());
                build::regex(source, flags)
            }
            TypePart::Int(number) => build::expr(ExprKind::Int(*number)),
            TypePart::Float(number) => build::expr(ExprKind::Float(*number)),
            TypePart::Bool(value) => build::expr(ExprKind::Bool(*value)),
            TypePart::Default => build::name("default"),
            TypePart::Members(members) => {
                build::expr(ExprKind::Map(members.iter().map(|(key, value)| (key.key(), value.expr())).collect()))
            }
        }
    }

    /// Returns the expression of a member's name.
    fn key(&self) -> Expr {
        match self {
            TypePart::Text(name) if crate::ruby::is_word(name) => build::name(name),
            TypePart::Type(optional, args) if args.len() == 1 => {
                let keys = args.iter().map(TypePart::key).collect();
                build::expr(ExprKind::Index(Box::new(build::name(optional)), keys))
            }
            other => other.expr(),
        }
    }

    /// Returns the data type of the language; none if the language does not have it. `alias` returns the meaning of a type alias.
    pub(super) fn data_type(&self, alias: &impl Fn(&str) -> Option<TypePart>) -> Option<DataType> {
        self.within(alias, MAX_DEPTH)
    }

    fn within(&self, alias: &impl Fn(&str) -> Option<TypePart>, depth: usize) -> Option<DataType> {
        let depth = depth.checked_sub(1)?;
        let TypePart::Type(name, args) = self else { return None };
        if name.contains("::") {
            return alias(name).filter(|_| args.is_empty())?.within(alias, depth);
        }
        let args: Option<Vec<TypeArg>> = args.iter().map(|arg| arg.argument(alias, depth)).collect();
        DataType::from_parts(name, &args?).ok()
    }

    fn argument(&self, alias: &impl Fn(&str) -> Option<TypePart>, depth: usize) -> Option<TypeArg> {
        Some(match self {
            TypePart::Type(..) => TypeArg::Type(self.within(alias, depth)?),
            TypePart::Text(text) => TypeArg::Value(Value::str(text.as_str())),
            TypePart::Regex(source) => {
                let (source, flags) = regex::regex(source, RegexFlags::default());
                TypeArg::Value(Value::Regex(Arc::new(Regex::new(&source, flags).ok()?)))
            }
            TypePart::Int(number) => TypeArg::Value(Value::Int(*number)),
            TypePart::Float(number) => TypeArg::Value(Value::Float(*number)),
            TypePart::Bool(value) => TypeArg::Value(Value::Bool(*value)),
            TypePart::Default => TypeArg::Default,
            TypePart::Members(members) => {
                let member = |(key, value): &(TypePart, TypePart)| {
                    let (name, optional) = match key {
                        TypePart::Text(name) => (name, false),
                        TypePart::Type(word, args) if word == "Optional" => match args.as_slice() {
                            [TypePart::Text(name)] => (name, true),
                            _ => return None,
                        },
                        _ => return None,
                    };
                    Some(Member { name: name.clone(), optional, data_type: value.within(alias, depth)? })
                };
                TypeArg::Members(members.iter().map(member).collect::<Option<_>>()?)
            }
        })
    }
}

/// Returns whether a value of a data type may be a list.
pub(super) fn takes_lists(data_type: &DataType) -> bool {
    match data_type {
        DataType::Any | DataType::Array(..) | DataType::Tuple(_) => true,
        DataType::Optional(inner) | DataType::Sensitive(inner) => takes_lists(inner),
        DataType::Variant(types) => types.iter().any(takes_lists),
        _ => false,
    }
}

/// Returns whether a value of a data type may be a boolean.
pub(super) fn takes_booleans(data_type: &DataType) -> bool {
    match data_type {
        DataType::Any | DataType::Scalar | DataType::Boolean | DataType::OneBoolean(_) => true,
        DataType::Optional(inner) | DataType::Sensitive(inner) => takes_booleans(inner),
        DataType::Variant(types) => types.iter().any(takes_booleans),
        _ => false,
    }
}

/// Returns whether the values of a data type are booleans only, apart from undef.
pub(super) fn is_boolean(data_type: &DataType) -> bool {
    match data_type {
        DataType::Boolean | DataType::OneBoolean(_) => true,
        DataType::Optional(inner) => matches!(**inner, DataType::Boolean | DataType::OneBoolean(_)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data_type(text: &str) -> Option<DataType> {
        parse(text)?.data_type(&|_| None)
    }

    #[test]
    fn data_types_are_those_of_the_language() {
        for (text, shown) in [
            ("Optional[Enum[present, 'absent']]", "Optional[Enum['present', 'absent']]"),
            ("Array[Variant[ Integer[0, default], Float[0.5, 1] ], 1]", "Array[Variant[Integer[0], Float[0.5, 1.0]], 1]"),
            ("Struct[{name => String[1], Optional[size] => Integer}]", "Struct[{'name' => String[1], Optional['size'] => Integer}]"),
            ("Pattern[/^[a-z\\/]+$/, /\\Ab\\z/]", "Pattern[/(?m:^[a-z\\/]+$)/, /\\Ab\\z/]"),
            ("Boolean[true]", "Boolean[true]"),
        ] {
            assert_eq!(data_type(text).map(|found| found.to_string()).as_deref(), Some(shown), "{text}");
        }
        for text in ["Enum", "String[", "String]", "Street::Name", "present", "", "Array[{]"] {
            assert_eq!(data_type(text), None, "{text}");
        }
    }

    #[test]
    fn aliases_are_read_without_comments() {
        let text = "# @summary A port.\ntype Motd::Port = Variant[\n  Integer[1], # or\n  Pattern[/#\\/x/],\n]\n";
        let found = parse_alias(text, "Motd::Port").unwrap();
        assert_eq!(found.data_type(&|_| None).unwrap().to_string(), "Variant[Integer[1], Pattern[/#\\/x/]]");
        assert_eq!(parse_alias(text, "Motd::Other"), None);
        assert_eq!(parse("Optional[Motd::Port]").unwrap().aliases(), ["Motd::Port"]);
    }

    #[test]
    fn deep_types_are_not_parsed() {
        assert_eq!(parse(&"Array[".repeat(5_000)), None);
    }
}
