//! Types by their names, and `Object` types.

use super::guard::AliasGuard;
use super::specialize::{Mistake, runtime};
use super::{Callable, Enumeration, IntegerBounds, ObjectAttribute, ObjectType, TimeBounds, Tuple, Type, infer_generic};
use crate::compile::value::ManifestValue;
use ecow::EcoString;
use std::sync::Arc;

/// Returns the `Object` type of a hash with `attributes`, `parent` and `constants`.
pub fn object(name: &str, init: &ManifestValue) -> Result<ObjectType, Mistake> {
    let mut attributes = Vec::new();
    let parent = match init.get("parent") {
        Some(ManifestValue::Type(of)) => match of.resolved() {
            Type::Object(Some(parent)) => Some(parent.clone()),
            _ => None,
        },
        _ => None,
    };
    attributes.extend(parent.iter().flat_map(|parent| parent.attributes.clone()));
    let all = init.get("attributes").and_then(ManifestValue::as_map).into_iter().flatten();
    for (key, value) in all {
        let name = EcoString::from(key.as_str().unwrap_or_default());
        let (of, default, kind) = match value {
            ManifestValue::Type(of) => ((**of).clone(), None, None),
            ManifestValue::Hash(map) => {
                let of = match map.get(&ManifestValue::string("type")) {
                    Some(ManifestValue::Type(of)) => (**of).clone(),
                    _ => return Err(runtime(format!("attribute {name} has no type"))),
                };
                (of, map.get(&ManifestValue::string("value")).cloned(), map.get(&ManifestValue::string("kind")).cloned())
            }
            _ => return Err(runtime(format!("attribute {name} has no type"))),
        };
        let is_constant = kind.as_ref().and_then(ManifestValue::as_str) == Some("constant");
        attributes.retain(|known: &ObjectAttribute| known.name != name);
        attributes.push(ObjectAttribute { name, of, value: default, is_constant });
    }
    let constants = init.get("constants").and_then(ManifestValue::as_map).into_iter().flatten();
    for (key, value) in constants {
        let name = EcoString::from(key.as_str().unwrap_or_default());
        attributes.push(ObjectAttribute { name, of: infer_generic(value), value: Some(value.clone()), is_constant: true });
    }
    Ok(ObjectType { name: name.into(), parent, attributes, init: init.clone() })
}

impl Type {
    /// Returns the type of a simple name such as `Integer`.
    pub fn named(name: &str) -> Option<Type> {
        let any = || Arc::new(Type::Any);
        Some(match name {
            "Any" => Type::Any,
            "Undef" => Type::Undef,
            "Default" => Type::Default,
            "Unit" => Type::Unit,
            "Scalar" => Type::Scalar,
            "ScalarData" => Type::ScalarData,
            "Data" => Type::Data,
            "RichData" => Type::RichData,
            "Numeric" => Type::Numeric,
            "CatalogEntry" | "Catalogentry" => Type::CatalogEntry,
            "Binary" => Type::Binary,
            "SemVerRange" | "Semverrange" => Type::SemVerRange,
            "Boolean" => Type::Boolean(None),
            "Integer" => Type::INTEGER,
            "Float" => Type::FLOAT,
            "Timestamp" => Type::Timestamp(TimeBounds::default()),
            "Timespan" => Type::Timespan(TimeBounds::default()),
            "String" => Type::STRING,
            "Enum" => Type::Enum(Arc::new(Enumeration { values: Vec::new(), ignores_case: false })),
            "Pattern" => Type::Pattern(Arc::default()),
            "Regexp" => Type::Regexp(None),
            "SemVer" | "Semver" => Type::SemVer(Arc::default()),
            "URI" | "Uri" => Type::Uri(None),
            "Collection" => Type::Collection(IntegerBounds::SIZE),
            "Array" => Type::array(Type::Any),
            "Hash" => Type::hash(Type::Any, Type::Any),
            "Tuple" => Type::Tuple(Arc::new(Tuple { types: Vec::new(), size: None })),
            "Struct" => Type::Struct(Arc::default()),
            "Variant" => Type::Variant(Arc::default()),
            "Optional" => Type::Optional(Arc::new(Type::Unit)),
            "NotUndef" | "Notundef" => Type::NotUndef(any()),
            "Iterable" => Type::Iterable(any()),
            "Iterator" => Type::Iterator(any()),
            "Sensitive" => Type::Sensitive(any()),
            "Type" => Type::Type(any()),
            "Callable" => Type::Callable(Arc::new(Callable { parameters: None, block: None, returns: None })),
            "Class" => Type::Class(None),
            "Resource" => Type::Resource(None, None),
            "Runtime" => Type::Runtime(None, None),
            "Init" => Type::Init(None, Arc::default()),
            "Object" => Type::Object(None),
            "TypeSet" => Type::TypeSet,
            "TypeAlias" => Type::TypeAlias,
            "TypeReference" => Type::Reference("UnresolvedReference".into()),
            "RichDataKey" => Type::Variant(Arc::new(vec![Type::STRING, Type::Numeric])),
            "Deferred" => Type::Object(Some(deferred())),
            _ => return None,
        })
    }

    /// Returns `true` for types of lambdas.
    pub fn is_callable(&self) -> bool {
        self.is_callable_guarded(&mut AliasGuard::default())
    }

    fn is_callable_guarded(&self, guard: &mut AliasGuard<EcoString>) -> bool {
        match self {
            Type::Alias(alias) => {
                guard.ask(alias.name.clone(), |guard| alias.target.get().is_some_and(|target| target.is_callable_guarded(guard)))
            }
            Type::Callable(_) => true,
            Type::Optional(inner) => inner.is_callable_guarded(guard),
            Type::Variant(types) => !types.is_empty() && types.iter().all(|of| of.is_callable_guarded(guard)),
            _ => false,
        }
    }
}

/// Returns the type `Deferred`.
pub fn deferred() -> Arc<ObjectType> {
    static DEFERRED: std::sync::OnceLock<Arc<ObjectType>> = std::sync::OnceLock::new();
    DEFERRED
        .get_or_init(|| {
            let name = Type::parse("Pattern[/\\A[$]?[a-z][a-z0-9_]*(?:::[a-z][a-z0-9_]*)*\\z/]").unwrap_or(Type::STRING);
            let arguments = Type::Optional(Arc::new(Type::array(Type::Any)));
            let options =
                [(ManifestValue::from("type"), ManifestValue::of_type(arguments)), (ManifestValue::from("value"), ManifestValue::Undef)];
            let attributes = [
                (ManifestValue::from("name"), ManifestValue::of_type(name)),
                (ManifestValue::from("arguments"), ManifestValue::hash(options)),
            ];
            let init = ManifestValue::hash([(ManifestValue::from("attributes"), ManifestValue::hash(attributes))]);
            let made = object("Deferred", &init);
            Arc::new(made.unwrap_or(ObjectType { name: "Deferred".into(), parent: None, attributes: Vec::new(), init }))
        })
        .clone()
}

/// Returns the types of single arguments with which a value of a type can be created.
fn init_argument(of: &Type) -> Option<Type> {
    let text = match of.resolved() {
        Type::Integer(_) | Type::Float(_) | Type::Numeric => {
            "Variant[Numeric, Boolean, Pattern[/\\A[+-]?\\s*(?:\\d+|0[xX][0-9A-Fa-f]+|0[bB][01]+)(?:\\.\\d+)?(?:[eE]-?\\d+)?\\z/], Timespan, Timestamp]"
        }
        Type::Boolean(_) => "Variant[Integer, Float, Boolean, Enum['false', 'true', 'yes', 'no', 'y', 'n', true]]",
        Type::String(_) => "Any",
        Type::Array(..) | Type::Tuple(_) => "Variant[Array, Hash, Binary, Iterable]",
        Type::Timestamp(_) => "Variant[Integer, Float, String[1]]",
        Type::SemVer(_) | Type::Uri(_) => "String[1]",
        Type::Sensitive(_) => "Any",
        _ => return None,
    };
    Type::parse(text).ok()
}

/// Returns `true` if `Init[of]` accepts a type.
pub fn init_accepts(of: &Type, other: &Type, guard: &mut super::assign::AcceptGuard) -> bool {
    of.accepts_guarded(other, guard) || init_argument(of).is_some_and(|argument| argument.accepts_guarded(other, guard))
}

/// Returns `true` if a value of the type could be created from a value.
pub fn is_init_instance(of: &Type, value: &ManifestValue, guard: &mut super::instance::InstanceGuard) -> bool {
    match of {
        Type::Init(Some(of), _) => {
            of.is_instance_guarded(value, guard) || init_argument(of).is_some_and(|argument| argument.is_instance(value))
        }
        Type::Init(None, _) => Type::RichData.is_instance(value),
        _ => false,
    }
}
