//! Types without ranges and sizes, and types in their simplest form.

use super::guard::AliasGuard;
use super::{Callable, Enumeration, FloatBounds, IntegerBounds, KeyForm, StructMember, Tuple, Type};
use ecow::EcoString;
use std::sync::Arc;

impl Type {
    /// Returns the type without ranges, sizes and values.
    #[must_use]
    pub fn generalized(&self) -> Type {
        match self {
            Type::Boolean(_) => Type::Boolean(None),
            Type::Integer(_) => Type::INTEGER,
            Type::Float(_) => Type::FLOAT,
            Type::String(_) | Type::Literal(_) => Type::STRING,
            Type::Enum(enumeration) => {
                let sizes = enumeration.values.iter().map(|v| i64::try_from(v.chars().count()).unwrap_or(i64::MAX));
                match (sizes.clone().min(), sizes.max()) {
                    (Some(from), Some(to)) => Type::String(IntegerBounds::new(from, to)),
                    _ => Type::STRING,
                }
            }
            Type::Collection(_) => Type::Collection(IntegerBounds::SIZE),
            Type::Array(element, _) => Type::array(element.generalized()),
            Type::Hash(_, bounds) if *bounds == IntegerBounds::new(0, 0) => self.clone(),
            Type::Hash(types, _) => Type::hash(types.0.generalized(), types.1.generalized()),
            Type::Callable(callable) => Type::Callable(Arc::new(callable.map(&Type::generalized))),
            Type::Timestamp(_) => Type::Timestamp(super::TimeBounds::default()),
            Type::Timespan(_) => Type::Timespan(super::TimeBounds::default()),
            Type::Variant(types) if !types.is_empty() => Type::variant(types.iter().map(Type::generalized).collect()),
            _ => self.map(&Type::generalized),
        }
    }

    /// Replaces names that are not known by the aliases of these names.
    #[must_use]
    pub fn with_aliases(&self, aliases: &[Type]) -> Type {
        let named = |name: &str| aliases.iter().find(|of| matches!(of, Type::Alias(alias) if alias.name.eq_ignore_ascii_case(name)));
        match self {
            Type::Resource(Some(name), None) => named(name).unwrap_or(self).clone(),
            Type::Struct(members) => {
                let member = |member: &StructMember| {
                    let value = member.value.with_aliases(aliases);
                    let is_optional = member.form == KeyForm::Plain && value.accepts(&Type::Undef);
                    StructMember { name: member.name.clone(), form: if is_optional { KeyForm::Optional } else { member.form }, value }
                };
                Type::Struct(Arc::new(members.iter().map(member).collect()))
            }
            _ => self.map(&|of| of.with_aliases(aliases)),
        }
    }

    /// Applies a function to the types inside.
    fn map(&self, change: &dyn Fn(&Type) -> Type) -> Type {
        match self {
            Type::Array(element, bounds) => Type::Array(Arc::new(change(element)), *bounds),
            Type::Hash(types, bounds) => Type::Hash(Arc::new((change(&types.0), change(&types.1))), *bounds),
            Type::Tuple(tuple) => Type::Tuple(Arc::new(Tuple { types: tuple.types.iter().map(change).collect(), size: tuple.size })),
            Type::Struct(members) => {
                let member = |m: &StructMember| StructMember { value: change(&m.value), ..m.clone() };
                Type::Struct(Arc::new(members.iter().map(member).collect()))
            }
            Type::Variant(types) => Type::Variant(Arc::new(types.iter().map(change).collect())),
            Type::Optional(inner) => Type::Optional(Arc::new(change(inner))),
            Type::NotUndef(inner) => Type::NotUndef(Arc::new(change(inner))),
            Type::Iterable(inner) => Type::Iterable(Arc::new(change(inner))),
            Type::Iterator(inner) => Type::Iterator(Arc::new(change(inner))),
            Type::Sensitive(inner) => Type::Sensitive(Arc::new(change(inner))),
            Type::Type(inner) => Type::Type(Arc::new(change(inner))),
            Type::Callable(callable) => Type::Callable(Arc::new(callable.map(change))),
            _ => self.clone(),
        }
    }

    /// Returns an equivalent type in its simplest form, as Puppet's messages have it.
    #[must_use]
    pub fn normalized(&self) -> Type {
        match self {
            Type::Variant(types) if !types.is_empty() => normalized_variant(types.iter().map(Type::normalized).collect()),
            Type::Optional(inner) => {
                let inner = inner.normalized();
                match &inner {
                    Type::Unit => self.clone(),
                    Type::NotUndef(of) => Type::Optional(of.clone()).normalized(),
                    _ if inner.accepts(&Type::Undef) => inner,
                    _ => Type::Optional(Arc::new(inner)),
                }
            }
            Type::NotUndef(inner) if **inner == Type::Any => self.clone(),
            Type::NotUndef(inner) => {
                let inner = inner.normalized();
                match &inner {
                    Type::Optional(of) => Type::NotUndef(of.clone()).normalized(),
                    _ if !inner.accepts(&Type::Undef) => inner,
                    _ => Type::NotUndef(Arc::new(inner)),
                }
            }
            Type::Collection(_) => Type::Collection(IntegerBounds::SIZE),
            _ => self.map(&Type::normalized),
        }
    }
}

impl Type {
    /// Returns the type of an alias in its simplest form, as Puppet keeps it.
    #[must_use]
    pub fn normalized_alias(&self) -> Type {
        if self.is_resolved(&mut AliasGuard::default()) { self.normalized() } else { self.clone() }
    }

    /// Returns `true` for an alias that refers to nothing but itself or other such aliases.
    #[must_use]
    pub fn is_empty_alias(&self) -> bool {
        matches!(self, Type::Alias(_)) && self.choices().is_empty() && self.is_resolved(&mut AliasGuard::default())
    }

    /// Returns `true` if all aliases inside the type are resolved.
    fn is_resolved(&self, guard: &mut AliasGuard<EcoString>) -> bool {
        match self {
            Type::Alias(alias) => guard.ask(alias.name.clone(), |guard| alias.target.get().is_some_and(|target| target.is_resolved(guard))),
            Type::Array(inner, _) | Type::Optional(inner) | Type::NotUndef(inner) | Type::Type(inner) => inner.is_resolved(guard),
            Type::Hash(types, _) => types.0.is_resolved(guard) && types.1.is_resolved(guard),
            Type::Variant(types) => types.iter().all(|t| t.is_resolved(guard)),
            Type::Tuple(tuple) => tuple.types.iter().all(|t| t.is_resolved(guard)),
            Type::Struct(members) => members.iter().all(|m| m.value.is_resolved(guard)),
            _ => true,
        }
    }
}

impl Callable {
    fn map(&self, change: &dyn Fn(&Type) -> Type) -> Callable {
        let parameters = self.parameters.as_ref().map(|tuple| Tuple { types: tuple.types.iter().map(change).collect(), size: tuple.size });
        Callable { parameters, block: self.block.as_ref().map(change), returns: self.returns.as_ref().map(change) }
    }
}

fn normalized_variant(types: Vec<Type>) -> Type {
    if let [single] = types.as_slice() {
        return single.clone();
    }
    if types.iter().any(|t| matches!(t, Type::Undef | Type::Optional(_))) {
        let rest = types.iter().filter(|t| !matches!(t, Type::Undef)).map(|t| match t {
            Type::Optional(inner) => (**inner).clone(),
            other => other.clone(),
        });
        return Type::Optional(Arc::new(Type::variant(rest.collect()))).normalized();
    }
    let types = match Type::variant(types) {
        Type::Variant(types) => types.to_vec(),
        single => vec![single],
    };
    let types = merge_enums(types);
    let types = merge_patterns(types);
    Type::variant(merge_floats(merge_integers(types)))
}

/// Moves the members that a test accepts to the end, merged into one. A single member is not wrapped.
fn merge(types: Vec<Type>, is_part: impl Fn(&Type) -> bool, merged: impl FnOnce(&[Type]) -> Type) -> Vec<Type> {
    let (parts, mut others): (Vec<Type>, Vec<Type>) = types.iter().cloned().partition(|t| is_part(t));
    if parts.len() < 2 {
        return types;
    }
    others.push(merged(&parts));
    others
}

fn merge_enums(types: Vec<Type>) -> Vec<Type> {
    let values = |parts: &[Type], ignores_case: bool| {
        let mut values: Vec<ecow::EcoString> = parts
            .iter()
            .flat_map(|t| match t {
                Type::Enum(e) if ignores_case => e.values.iter().map(|v| v.to_lowercase()).collect(),
                Type::Enum(e) => e.values.clone(),
                Type::Literal(text) => vec![text.clone()],
                _ => Vec::new(),
            })
            .collect();
        values.sort();
        values.dedup();
        Type::Enum(Arc::new(Enumeration { values, ignores_case }))
    };
    let is_exact = |t: &Type| match t {
        Type::Enum(e) => !e.values.is_empty() && !e.ignores_case,
        Type::Literal(_) => true,
        _ => false,
    };
    let types = merge(types, is_exact, |parts| values(parts, false));
    merge(types, |t| matches!(t, Type::Enum(e) if !e.values.is_empty() && e.ignores_case), |parts| values(parts, true))
}

fn merge_patterns(types: Vec<Type>) -> Vec<Type> {
    merge(
        types,
        |t| matches!(t, Type::Pattern(_)),
        |parts| {
            let mut all: Vec<Arc<crate::compile::value::ValuePattern>> = Vec::new();
            for part in parts {
                let Type::Pattern(patterns) = part else { continue };
                for pattern in patterns.iter() {
                    if !all.iter().any(|known| known.source == pattern.source) {
                        all.push(pattern.clone());
                    }
                }
            }
            Type::Pattern(Arc::new(all))
        },
    )
}

/// Merges ranges of integers that touch.
fn merge_integers(types: Vec<Type>) -> Vec<Type> {
    let (parts, others): (Vec<Type>, Vec<Type>) = types.iter().cloned().partition(|t| matches!(t, Type::Integer(_)));
    if parts.len() < 2 {
        return types;
    }
    let mut open: Vec<IntegerBounds> =
        parts.iter().filter_map(|t| if let Type::Integer(bounds) = t { Some(*bounds) } else { None }).collect();
    let mut merged = Vec::new();
    while let Some(mut current) = open.pop() {
        let mut apart = Vec::new();
        for next in open {
            if touches(current, next) {
                current = current.union(next);
            } else {
                apart.push(next);
            }
        }
        merged.push(Type::Integer(current));
        open = apart;
    }
    merged.into_iter().chain(others).collect()
}

fn touches(a: IntegerBounds, b: IntegerBounds) -> bool {
    let ends_before = |a: IntegerBounds, b: IntegerBounds| matches!((a.to, b.from), (Some(to), Some(from)) if to.saturating_add(1) < from);
    !ends_before(a, b) && !ends_before(b, a)
}

fn merge_floats(types: Vec<Type>) -> Vec<Type> {
    let (parts, others): (Vec<Type>, Vec<Type>) = types.iter().cloned().partition(|t| matches!(t, Type::Float(_)));
    if parts.len() < 2 {
        return types;
    }
    let mut open: Vec<FloatBounds> = parts.iter().filter_map(|t| if let Type::Float(bounds) = t { Some(*bounds) } else { None }).collect();
    let mut merged = Vec::new();
    let ends_before = |a: FloatBounds, b: FloatBounds| matches!((a.to, b.from), (Some(to), Some(from)) if to < from);
    while let Some(mut current) = open.pop() {
        let mut apart = Vec::new();
        for next in open {
            if ends_before(current, next) || ends_before(next, current) {
                apart.push(next);
            } else {
                current = super::unify::union(current, next);
            }
        }
        merged.push(Type::Float(current));
        open = apart;
    }
    merged.into_iter().chain(others).collect()
}
