//! Sets of kinds of values.

use crate::types::builtin::ValueKind;
use crate::value::Value;

/// A set of kinds of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kinds(u16);

const fn bit(kind: ValueKind) -> u16 {
    match kind {
        // The bits of all kinds from `Nil` to `Type`; `Any` has no bit.
        ValueKind::Any => (2 << ValueKind::Type as u16) - 2,
        kind => 1 << kind as u16,
    }
}

impl Kinds {
    /// No kind: the expression has no value.
    pub const NONE: Kinds = Kinds(0);
    /// All kinds.
    pub const ANY: Kinds = Kinds::one_of(&[ValueKind::Any]);
    /// `nil`
    pub const NIL: Kinds = Kinds::one_of(&[ValueKind::Nil]);
    /// `true`, `false`
    pub const BOOL: Kinds = Kinds::one_of(&[ValueKind::Bool]);
    /// Integers and floating-point numbers.
    pub const NUMBER: Kinds = Kinds::one_of(&[ValueKind::Int, ValueKind::Float]);
    /// Strings.
    pub const STR: Kinds = Kinds::one_of(&[ValueKind::Str]);
    /// Symbols.
    pub const SYM: Kinds = Kinds::one_of(&[ValueKind::Sym]);
    /// Lists.
    pub const LIST: Kinds = Kinds::one_of(&[ValueKind::List]);
    /// Maps.
    pub const MAP: Kinds = Kinds::one_of(&[ValueKind::Map]);
    /// Resources.
    pub const RESOURCE: Kinds = Kinds::one_of(&[ValueKind::Resource]);
    /// Objects.
    pub const OBJECT: Kinds = Kinds::one_of(&[ValueKind::Object]);
    /// Kinds of values in manifests and data.
    pub(super) const DATA: Kinds = Kinds::ANY.without(Kinds::RESOURCE.or(Kinds::OBJECT));
    /// Kinds of values in declarations, which have no symbols.
    pub const DECLARED: Kinds = Kinds::ANY.without(Kinds::SYM);
    /// The kinds of values that a regex in `newvalues` can match.
    pub(super) const SCALAR: Kinds = Kinds::BOOL.or(Kinds::NUMBER).or(Kinds::STR).or(Kinds::SYM);

    const NAMES: &[(Kinds, &str)] = &[
        (Kinds::NIL, "nil"),
        (Kinds::BOOL, "a boolean"),
        (Kinds::NUMBER, "a number"),
        (Kinds::STR, "a string"),
        (Kinds::SYM, "a symbol"),
        (Kinds::LIST, "a list"),
        (Kinds::MAP, "a map"),
        (Kinds::RESOURCE, "a resource"),
        (Kinds::OBJECT, "an object"),
        (Kinds::one_of(&[ValueKind::Binary]), "binary data"),
        (Kinds::one_of(&[ValueKind::Regex]), "a regex"),
        (Kinds::one_of(&[ValueKind::Type]), "a data type"),
    ];

    /// Returns the set of these kinds.
    pub const fn one_of(kinds: &[ValueKind]) -> Kinds {
        let mut bits = 0;
        let mut rest = kinds;
        while let [first, others @ ..] = rest {
            bits |= bit(*first);
            rest = others;
        }
        Kinds(bits)
    }

    /// Returns the kind of a value; an unknown value may have any kind.
    pub fn of(value: &Value) -> Kinds {
        ValueKind::of(value).map_or(Kinds::ANY, |kind| Kinds::one_of(&[kind]))
    }

    /// Returns the kinds of both sets.
    pub const fn or(self, other: Kinds) -> Kinds {
        Kinds(self.0 | other.0)
    }

    /// Returns the kinds that both sets have.
    pub const fn and(self, other: Kinds) -> Kinds {
        Kinds(self.0 & other.0)
    }

    /// Returns the kinds that the other set lacks.
    pub const fn without(self, other: Kinds) -> Kinds {
        Kinds(self.0 & !other.0)
    }

    /// Returns `true` if both sets have a kind in common.
    pub const fn overlaps(self, other: Kinds) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns all kinds with values that can equal a value of these kinds: `1 == 1.0`.
    pub(super) const fn equal_kinds(self) -> Kinds {
        if self.overlaps(Kinds::NUMBER) { self.or(Kinds::NUMBER) } else { self }
    }

    /// Describes the kinds. Nil and lists are omitted if there are other kinds, because any attribute may be unset or have several
    /// values.
    pub fn words(self) -> String {
        if self == Kinds::DECLARED {
            return "a declared value".to_owned();
        }
        let rest = self.without(Kinds::NIL.or(Kinds::LIST));
        let shown = if rest == Kinds::NONE { self } else { rest };
        let names: Vec<&str> = Kinds::NAMES.iter().filter(|(kind, _)| shown.overlaps(*kind)).map(|(_, name)| *name).collect();
        names.join(" or ")
    }
}
