//! Which types accept which other types.

use super::guard::AliasGuard;
use super::{Callable, IntegerBounds, StructMember, TimeBounds, Tuple, Type};

/// Guards `accepts`: the exact texts of the accepting type and of the other type, where one is an alias.
pub type AcceptGuard = AliasGuard<(String, String)>;

impl Type {
    /// Returns `true` if all values of another type are values of this type.
    pub fn accepts(&self, other: &Type) -> bool {
        self.accepts_guarded(other, &mut AcceptGuard::default())
    }

    pub(super) fn accepts_guarded(&self, other: &Type, guard: &mut AcceptGuard) -> bool {
        if matches!(self, Type::Alias(_)) || matches!(other, Type::Alias(_)) {
            return self.accepts_alias(other, guard);
        }
        match (self, other) {
            (_, Type::Unit) | (Type::Unit | Type::Any, _) => true,
            (Type::Data, Type::Data) | (Type::RichData, Type::RichData | Type::Data) => true,
            (Type::NotUndef(_), Type::Variant(types)) if types.is_empty() => self.accepts_plain(other, guard),
            (Type::Variant(types), Type::Variant(_)) if types.is_empty() => true,
            (_, Type::Variant(types)) => !types.is_empty() && types.iter().all(|t| self.accepts_guarded(t, guard)),
            (_, Type::Data | Type::RichData) => other.expanded().is_some_and(|other| self.accepts_guarded(other, guard)),
            (_, Type::Optional(inner)) => {
                self.accepts_guarded(&Type::Undef, guard) && (matches!(**inner, Type::Unit) || self.accepts_guarded(inner, guard))
            }
            (_, Type::NotUndef(inner)) if !inner.accepts_guarded(&Type::Undef, guard) => self.accepts_guarded(inner, guard),
            _ => self.accepts_plain(other, guard),
        }
    }

    fn accepts_alias(&self, other: &Type, guard: &mut AcceptGuard) -> bool {
        let mut others = Vec::new();
        for choice in other.choices() {
            others.extend(choice.expanded().map_or_else(|| vec![choice], Type::choices));
        }
        let own = self.choices();
        // A type that is not known accepts nothing, not even itself.
        let is_known = !others.is_empty() && !matches!(own.as_slice(), [Type::Reference(_)]);
        is_known
            && guard.ask((self.exact_text(), other.exact_text()), |guard| {
                others.iter().all(|other| own.iter().any(|own| own.accepts_guarded(other, guard)))
            })
    }

    fn accepts_plain(&self, other: &Type, guard: &mut AcceptGuard) -> bool {
        match self {
            Type::Any | Type::Unit => true,
            Type::Data | Type::RichData => self.expanded().is_some_and(|own| own.accepts_guarded(other, guard)),
            Type::Variant(types) if types.is_empty() => !matches!(other, Type::Undef) && matches!(other, Type::Variant(_)),
            Type::Variant(types) => types.iter().any(|t| t.accepts_guarded(other, guard)),
            Type::Optional(inner) => matches!(other, Type::Undef) || inner.accepts_guarded(other, guard),
            Type::NotUndef(inner) => !other.accepts_guarded(&Type::Undef, guard) && inner.accepts_guarded(other, guard),
            Type::Scalar => is_scalar(other),
            Type::ScalarData => is_scalar_data(other),
            Type::Iterable(inner) => match other.iterable_element() {
                Some(element) if inner.accepts_guarded(&Type::Any, guard) => element.is_some() || other.is_iterable(),
                Some(Some(element)) => inner.accepts_guarded(&element, guard),
                _ => false,
            },
            Type::Iterator(inner) => matches!(other, Type::Iterator(element) if inner.accepts_guarded(element, guard)),
            Type::Sensitive(inner) => matches!(other, Type::Sensitive(element) if inner.accepts_guarded(element, guard)),
            Type::Type(inner) => matches!(other, Type::Type(element) if inner.accepts_guarded(element, guard)),
            Type::CatalogEntry => matches!(other, Type::CatalogEntry | Type::Class(_) | Type::Resource(..)),
            Type::Class(name) => matches!(other, Type::Class(other) if name.is_none() || name == other),
            Type::Resource(name, title) => match other {
                Type::Resource(other_name, other_title) => {
                    name.is_none() || (name == other_name && (title.is_none() || title == other_title))
                }
                _ => false,
            },
            Type::Collection(_) | Type::Array(..) | Type::Hash(..) | Type::Tuple(_) | Type::Struct(_) => {
                self.accepts_collection(other, guard)
            }
            Type::Callable(callable) => matches!(other, Type::Callable(other) if accepts_callable(callable, other, guard)),
            _ => self.accepts_scalar(other, guard),
        }
    }

    fn accepts_scalar(&self, other: &Type, guard: &mut AcceptGuard) -> bool {
        match (self, other) {
            (Type::Boolean(a), Type::Boolean(b)) => a.is_none() || a == b,
            (Type::Numeric, Type::Numeric | Type::Integer(_) | Type::Float(_)) => true,
            (Type::Integer(a), Type::Integer(b)) => a.includes(*b),
            (Type::Float(a), Type::Float(b)) => {
                a.from.is_none_or(|from| b.from.is_some_and(|b| from <= b)) && a.to.is_none_or(|to| b.to.is_some_and(|b| b <= to))
            }
            (Type::Timestamp(a), Type::Timestamp(b)) | (Type::Timespan(a), Type::Timespan(b)) => includes_time(*a, *b),
            (Type::String(_) | Type::Literal(_) | Type::Enum(_) | Type::Pattern(_), _) => self.accepts_text(other),
            (Type::Regexp(a), Type::Regexp(b)) => a.is_none() || a.as_ref().map(|p| &p.source) == b.as_ref().map(|p| &p.source),
            (Type::SemVer(a), Type::SemVer(b)) => {
                a.is_empty() || (!b.is_empty() && b.iter().all(|range| a.iter().any(|own| own.includes_range(range))))
            }
            (Type::Uri(a), Type::Uri(b)) => match (a, b) {
                (None, _) => true,
                (Some(_), None) => false,
                (Some(a), Some(b)) => a.iter().all(|(key, value)| b.get(key).is_some_and(|other| other == value)),
            },
            (Type::Runtime(runtime, name), Type::Runtime(other, other_name)) => {
                runtime.is_none() || (runtime == other && (name.is_none() || name == other_name))
            }
            (Type::Object(None), Type::Object(_)) => true,
            (Type::Object(Some(own)), Type::Object(Some(other))) => {
                let mut at = Some(other);
                while let Some(of) = at {
                    if of.name == own.name && of.init == own.init {
                        return true;
                    }
                    at = of.parent.as_ref();
                }
                false
            }
            (Type::Init(of, arguments), Type::Init(other, others)) => of.is_none() || (of == other && arguments == others),
            (Type::Init(None, _), _) => true,
            (Type::Init(Some(of), _), _) => super::named::init_accepts(of, other, guard),
            (Type::Undef, Type::Undef)
            | (Type::Default, Type::Default)
            | (Type::Binary, Type::Binary)
            | (Type::SemVerRange, Type::SemVerRange)
            | (Type::TypeAlias, Type::TypeAlias)
            | (Type::TypeSet, Type::TypeSet) => true,
            (Type::Reference(a), Type::Reference(b)) => a == b,
            _ => false,
        }
    }

    fn accepts_text(&self, other: &Type) -> bool {
        match (self, other) {
            (Type::Enum(a), Type::String(_) | Type::Literal(_) | Type::Enum(_) | Type::Pattern(_)) if a.values.is_empty() => true,
            (Type::Enum(a), Type::Literal(text)) => a.contains(text),
            (Type::Enum(a), Type::Enum(b)) => {
                !b.values.is_empty() && (a.ignores_case || !b.ignores_case) && b.values.iter().all(|value| a.contains(value))
            }
            (Type::String(bounds), Type::String(other)) => bounds.includes(*other),
            (Type::String(bounds), Type::Literal(text)) => bounds.contains_size(text.chars().count()),
            (Type::String(bounds), Type::Enum(enumeration)) => {
                let fits = |text: &ecow::EcoString| bounds.contains_size(text.chars().count());
                if enumeration.values.is_empty() { *bounds == IntegerBounds::SIZE } else { enumeration.values.iter().all(fits) }
            }
            (Type::String(bounds), Type::Pattern(_)) => *bounds == IntegerBounds::SIZE,
            (Type::Literal(a), Type::Literal(b)) => a == b,
            // Puppet compares the number of values alone.
            (Type::Literal(_), Type::Enum(b)) => b.values.len() == 1 && !b.ignores_case,
            (Type::Pattern(patterns), Type::Literal(text)) => patterns.is_empty() || patterns.iter().any(|p| p.regex.is_match(text)),
            (Type::Pattern(patterns), Type::String(_)) => patterns.is_empty(),
            (Type::Pattern(patterns), Type::Enum(enumeration)) => {
                let matches = |text: &ecow::EcoString| patterns.iter().any(|p| p.regex.is_match(text));
                patterns.is_empty() || (!enumeration.values.is_empty() && enumeration.values.iter().all(matches))
            }
            (Type::Pattern(a), Type::Pattern(b)) => a.is_empty() || self.exact_text() == Type::Pattern(b.clone()).exact_text(),
            _ => false,
        }
    }

    fn accepts_collection(&self, other: &Type, guard: &mut AcceptGuard) -> bool {
        match (self, other) {
            (Type::Collection(bounds), _) => match other {
                Type::Collection(other) | Type::Array(_, other) | Type::Hash(_, other) => bounds.includes(*other),
                Type::Tuple(tuple) => bounds.includes(tuple_size(tuple)),
                Type::Struct(members) => bounds.contains_size(members.len()),
                _ => false,
            },
            (Type::Array(element, bounds), Type::Array(other, size)) => bounds.includes(*size) && element.accepts_guarded(other, guard),
            (Type::Array(element, bounds), Type::Tuple(tuple)) => {
                let size = tuple.size.unwrap_or(count(tuple.types.len()));
                bounds.includes(size) && tuple.types.iter().all(|t| element.accepts_guarded(t, guard))
            }
            (Type::Hash(types, bounds), Type::Hash(others, size)) => {
                if bounds.from.is_none_or(|from| from <= 0) && *size == IntegerBounds::new(0, 0) {
                    return true;
                }
                types.0.accepts_guarded(&others.0, guard) && types.1.accepts_guarded(&others.1, guard) && bounds.includes(*size)
            }
            (Type::Hash(types, bounds), Type::Struct(members)) => {
                bounds.contains_size(members.len())
                    && members
                        .iter()
                        .all(|m| types.0.accepts_guarded(&Type::Literal(m.name.clone()), guard) && types.1.accepts_guarded(&m.value, guard))
            }
            (Type::Tuple(tuple), _) => accepts_tuple(tuple, other, guard),
            (Type::Struct(members), Type::Struct(others)) => accepts_struct(members, others, guard),
            (Type::Struct(members), Type::Hash(types, size)) => {
                let required = members.iter().filter(|m| !m.is_optional());
                let mut fits = |m: &StructMember| m.value.accepts_guarded(&types.1, guard) && Type::STRING.accepts_guarded(&types.0, guard);
                let sizes = IntegerBounds { from: count(required.clone().count()).from, to: count(members.len()).to };
                required.clone().all(&mut fits) && sizes.includes(*size)
            }
            _ => false,
        }
    }

    /// Returns the type of the elements: `None` if the type cannot be iterated over, `Some(None)` if the elements have no type.
    pub fn iterable_element(&self) -> Option<Option<Type>> {
        let pair = |key: Type, value: Type| {
            Type::Tuple(std::sync::Arc::new(Tuple { types: vec![key, value], size: Some(IntegerBounds::new(2, 2)) }))
        };
        Some(Some(match self.resolved() {
            Type::Enum(_) | Type::String(_) | Type::Literal(_) => Type::String(IntegerBounds::new(1, 1)),
            Type::Integer(_) => Type::INTEGER,
            Type::Array(element, _) if **element == Type::Any => return Some(None),
            Type::Array(element, _) => (**element).clone(),
            Type::Hash(types, bounds) if *bounds == IntegerBounds::new(0, 0) || (types.0 == Type::Any && types.1 == Type::Any) => {
                pair(Type::Unit, Type::Unit)
            }
            Type::Hash(types, _) => pair(types.0.clone(), types.1.clone()),
            Type::Struct(members) if members.is_empty() => pair(Type::Unit, Type::Unit),
            Type::Struct(members) => pair(
                Type::variant(members.iter().map(|m| Type::Literal(m.name.clone())).collect()),
                Type::variant(members.iter().map(|m| m.value.clone()).collect()),
            ),
            Type::Tuple(tuple) => Type::variant(tuple.types.clone()),
            Type::Iterable(inner) | Type::Iterator(inner) if **inner == Type::Any => return Some(None),
            Type::Iterable(inner) | Type::Iterator(inner) => (**inner).clone(),
            Type::Type(inner) => match &**inner {
                Type::Enum(_) => (**inner).clone(),
                Type::Integer(bounds) if bounds.from.is_some() && bounds.to.is_some() => (**inner).clone(),
                _ => return None,
            },
            Type::Collection(_) | Type::Binary => return if matches!(self, Type::Binary) { None } else { Some(None) },
            _ => return None,
        }))
    }

    /// Returns `true` for types whose values can be iterated over.
    pub fn is_iterable(&self) -> bool {
        self.iterable_element().is_some()
    }
}

impl super::Enumeration {
    /// Returns `true` if a string is one of the values.
    pub fn contains(&self, text: &str) -> bool {
        self.values.iter().any(|value| if self.ignores_case { value.eq_ignore_ascii_case(text) } else { value == text })
    }
}

fn is_scalar_data(other: &Type) -> bool {
    matches!(
        other,
        Type::ScalarData
            | Type::Numeric
            | Type::String(_)
            | Type::Literal(_)
            | Type::Enum(_)
            | Type::Pattern(_)
            | Type::Integer(_)
            | Type::Float(_)
            | Type::Boolean(_)
    )
}

fn is_scalar(other: &Type) -> bool {
    is_scalar_data(other)
        || matches!(other, Type::Scalar | Type::Regexp(_) | Type::SemVer(_) | Type::SemVerRange | Type::Timestamp(_) | Type::Timespan(_))
}

fn includes_time(a: TimeBounds, b: TimeBounds) -> bool {
    a.from.is_none_or(|from| b.from.is_some_and(|b| from <= b)) && a.to.is_none_or(|to| b.to.is_some_and(|b| b <= to))
}

fn count(number: usize) -> IntegerBounds {
    let number = i64::try_from(number).unwrap_or(i64::MAX);
    IntegerBounds::new(number, number)
}

/// Returns the number of elements of a tuple; `Tuple` alone may have any number.
fn tuple_size(tuple: &Tuple) -> IntegerBounds {
    if tuple.types.is_empty() && tuple.size.is_none() { IntegerBounds::SIZE } else { tuple.bounds() }
}

fn accepts_tuple(tuple: &Tuple, other: &Type, guard: &mut AcceptGuard) -> bool {
    let bounds = tuple_size(tuple);
    match other {
        Type::Tuple(other) => {
            if !bounds.includes(tuple_size(other)) {
                return false;
            }
            if tuple.types.is_empty() {
                return true;
            }
            if other.types.is_empty() {
                return bounds.from == Some(0);
            }
            other.types.iter().enumerate().all(|(at, of)| tuple.element(at).is_some_and(|own| own.accepts_guarded(of, guard)))
        }
        Type::Array(element, size) => {
            let limit = size.to.map_or(usize::MAX, |to| usize::try_from(to).unwrap_or(0));
            bounds.includes(*size) && tuple.types.iter().take(limit).all(|own| own.accepts_guarded(element, guard))
        }
        _ => false,
    }
}

fn accepts_struct(members: &[StructMember], others: &[StructMember], guard: &mut AcceptGuard) -> bool {
    let mut matched = 0;
    let fits = members.iter().all(|own| match others.iter().find(|other| other.name == own.name) {
        None => own.is_optional(),
        Some(other) => {
            matched += 1;
            (own.is_optional() || !other.is_optional()) && own.value.accepts_guarded(&other.value, guard)
        }
    });
    fits && matched == others.len()
}

fn accepts_callable(own: &Callable, other: &Callable, guard: &mut AcceptGuard) -> bool {
    if let Some(returns) = &own.returns
        && !returns.accepts_guarded(other.returns.as_ref().unwrap_or(&Type::Any), guard)
    {
        return false;
    }
    let Some(parameters) = &own.parameters else { return true };
    let Some(others) = &other.parameters else { return false };
    if !accepts_tuple(others, &Type::Tuple(std::sync::Arc::new(parameters.clone())), guard) {
        return false;
    }
    let own_block = own.block.as_ref().unwrap_or(&Type::Undef);
    other.block.as_ref().unwrap_or(&Type::Undef).accepts_guarded(own_block, guard)
}
