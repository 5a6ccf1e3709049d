use super::*;
use crate::value::{Flags, Map};

fn int(n: i64) -> TypeArg {
    TypeArg::Value(Value::Int(n))
}

fn text(s: &str) -> TypeArg {
    TypeArg::Value(Value::str(s))
}

fn t(name: &str, args: &[TypeArg]) -> DataType {
    DataType::from_parts(name, args).unwrap()
}

fn of(t: DataType) -> TypeArg {
    TypeArg::Type(t)
}

fn map(pairs: &[(&str, Value)]) -> Value {
    Value::Map(Arc::new(pairs.iter().map(|(k, v)| (Value::from(*k), v.clone())).collect::<Map>()))
}

#[test]
fn types_are_written_as_puppet_writes_them() {
    let regex = TypeArg::Value(Value::Regex(Arc::new(Regex::new("^a/b$", Flags::default()).unwrap())));
    let member = |name: &str, optional| Member { name: name.into(), optional, data_type: DataType::Boolean };
    for (data_type, wanted) in [
        (t("Integer", &[]), "Integer"),
        (t("Integer", &[int(1), int(65535)]), "Integer[1, 65535]"),
        (t("Integer", &[TypeArg::Default, int(5)]), "Integer[default, 5]"),
        (t("Float", &[int(0), TypeArg::Value(Value::Float(1.5))]), "Float[0.0, 1.5]"),
        (t("String", &[int(1)]), "String[1]"),
        (t("Optional", &[of(t("Enum", &[text("a"), text("b")]))]), "Optional[Enum['a', 'b']]"),
        (t("Pattern", &[regex]), "Pattern[/^a\\/b$/]"),
        (t("Array", &[]), "Array"),
        (t("Array", &[of(DataType::Boolean), int(1), int(3)]), "Array[Boolean, 1, 3]"),
        (t("Hash", &[of(t("String", &[])), of(DataType::Any)]), "Hash[String, Any]"),
        (
            t("Struct", &[TypeArg::Members(vec![member("a", false), member("b", true)])]),
            "Struct[{'a' => Boolean, Optional['b'] => Boolean}]",
        ),
        (t("Tuple", &[of(DataType::Boolean), of(DataType::Numeric)]), "Tuple[Boolean, Numeric]"),
        (t("Variant", &[of(DataType::Boolean), of(DataType::Undef)]), "Variant[Boolean, Undef]"),
        (t("Sensitive", &[of(t("String", &[]))]), "Sensitive[String]"),
    ] {
        assert_eq!(data_type.to_string(), wanted);
    }
}

#[test]
fn text_becomes_what_it_spells_where_nothing_is_lost() {
    let port = t("Integer", &[int(1), int(65535)]);
    let strings = t("Array", &[of(t("String", &[]))]);
    let ports = t("Array", &[of(port.clone()), int(1)]);
    let either = t("Variant", &[of(t("Integer", &[])), of(t("Enum", &[text("auto")]))]);
    let one = t("Struct", &[TypeArg::Members(vec![Member { name: "n".into(), optional: false, data_type: port.clone() }])]);
    let rows: Vec<(&DataType, Value, Result<Value, &str>)> = vec![
        (&port, Value::str("80"), Ok(Value::Int(80))),
        (&port, Value::Int(80), Ok(Value::Int(80))),
        (&port, Value::Float(80.0), Ok(Value::Int(80))),
        (&port, Value::str("080"), Err("an Integer[1, 65535]")),
        (&port, Value::str("0x50"), Err("an Integer[1, 65535]")),
        (&port, Value::str("80 "), Err("an Integer[1, 65535]")),
        (&port, Value::str("0"), Err("an Integer[1, 65535]")),
        (&port, Value::Nil, Err("an Integer[1, 65535]")),
        (&DataType::Boolean, Value::str("true"), Ok(Value::Bool(true))),
        (&DataType::Boolean, Value::sym("false"), Ok(Value::Bool(false))),
        (&DataType::Boolean, Value::str("yes"), Err("a Boolean")),
        (&DataType::Numeric, Value::str("1.5"), Ok(Value::Float(1.5))),
        (&DataType::Numeric, Value::str("-3"), Ok(Value::Int(-3))),
        (&DataType::Numeric, Value::str("NaN"), Err("a number")),
        (&DataType::Numeric, Value::str("+1.5"), Err("a number")),
        (&DataType::Numeric, Value::str("1."), Err("a number")),
        (&strings, Value::array([Value::Int(1), Value::sym("b")]), Ok(Value::array([Value::str("1"), Value::str("b")]))),
        (&strings, Value::str("a"), Err("an Array[String]")),
        (&ports, Value::array([Value::str("1")]), Ok(Value::array([Value::Int(1)]))),
        (&ports, Value::array([]), Err("an Array[Integer[1, 65535], 1]")),
        (&ports, Value::array([Value::str("x")]), Err("an Array[Integer[1, 65535], 1]")),
        (&either, Value::str("auto"), Ok(Value::str("auto"))),
        (&either, Value::str("5"), Ok(Value::Int(5))),
        (&either, Value::str("x"), Err("a Variant[Integer, Enum['auto']]")),
        (&one, map(&[("n", Value::str("5"))]), Ok(map(&[("n", Value::Int(5))]))),
        (&one, map(&[]), Err("a Struct[{'n' => Integer[1, 65535]}]")),
        (&one, map(&[("n", Value::Int(1)), ("m", Value::Int(1))]), Err("a Struct[{'n' => Integer[1, 65535]}]")),
        (&DataType::AbsolutePath, Value::str("/a"), Ok(Value::str("/a"))),
        (&DataType::AbsolutePath, Value::str("a"), Err("an absolute path")),
        (&DataType::Any, Value::Unknown, Ok(Value::Unknown)),
    ];
    for (data_type, value, wanted) in rows {
        let got = data_type.coerce(&value);
        let got = got.as_ref().map_err(|m| m.expected.as_str());
        assert_eq!(got, wanted.as_ref().map_err(|e| *e), "{data_type} {value:?}");
    }
}

#[test]
fn secrets_stay_secret() {
    let secret = Value::Sensitive(Arc::new(Value::str("80")));
    let port = t("Integer", &[]);
    assert_eq!(port.coerce(&secret), Ok(Value::Sensitive(Arc::new(Value::Int(80)))));
    assert_eq!(t("Sensitive", &[of(port)]).coerce(&Value::str("5")), Ok(Value::Sensitive(Arc::new(Value::Int(5)))));
    let bad = DataType::Boolean.coerce(&secret).unwrap_err();
    assert!(!bad.expected.contains("80"));
}

#[test]
fn what_is_coerced_is_accepted() {
    let values = ["80", "true", "/a", "", "x", "1.5"].map(Value::from);
    for name in DataType::names() {
        let Ok(data_type) = DataType::from_parts(name, &[]) else { continue };
        for value in &values {
            if let Ok(coerced) = data_type.coerce(value) {
                assert!(data_type.accepts(&coerced), "{name} {value:?}");
                assert_eq!(data_type.coerce(&coerced), Ok(coerced.clone()), "twice gives the same");
            }
        }
    }
}

#[test]
fn mistakes_say_what_is_taken() {
    for (name, args, wanted) in [
        ("Strng", vec![], "unknown data type `Strng`"),
        ("Integer", vec![text("a")], "`Integer` takes whole numbers as limits, not a string `\"a\"`"),
        ("Integer", vec![int(5), int(1)], "the first limit of `Integer` is larger than the second"),
        ("Boolean", vec![int(5)], "`Boolean` takes `true` or `false` in brackets"),
        ("Enum", vec![], "`Enum` takes texts in brackets"),
        ("Optional", vec![], "`Optional` takes one data type in brackets"),
        ("Hash", vec![int(1)], "`Hash` takes the data types of keys and values: `Hash[String, Integer]`"),
        ("String", vec![int(-1)], "the limits of `String` are lengths: not below 0"),
        ("NilClass", vec![], "`NilClass` is written `Undef`, or compared: `v.nil?`"),
    ] {
        assert_eq!(DataType::from_parts(name, &args).map_err(|e| e.to_string()), Err(wanted.to_owned()));
    }
}

#[test]
fn parts_of_a_data_type_are_limited() {
    let pattern = |n: usize| t("Pattern", &[text(&format!("\\Ax{n}y\\z"))]);
    let variant = |n: usize| DataType::from_parts("Variant", &(0..n).map(|n| of(pattern(n))).collect::<Vec<_>>());
    let largest = variant(999).unwrap();
    assert!(largest.accepts(&Value::str("x998y")) && !largest.accepts(&Value::str("z")));
    assert!(variant(1_000).is_err() && DataType::from_parts("Optional", &[of(largest.clone())]).is_ok());
    assert!(DataType::from_parts("Hash", &[of(largest.clone()), of(largest)]).is_err());
    let regexes = |n: usize| DataType::from_parts("Pattern", &(0..n).map(|n| text(&format!("x{n}"))).collect::<Vec<_>>());
    assert!(regexes(1_999).is_ok() && regexes(2_000).is_err());
    // Each alias doubles the data type, or takes it 496 times.
    for (name, more) in [("Variant", vec![]), ("Hash", vec![]), ("Tuple", vec![]), ("Tuple", vec![int(0), int(31)])] {
        let mut nested = Ok(DataType::Boolean);
        for _ in 0..30 {
            nested = nested.and_then(|inner| {
                let args: Vec<_> = [of(inner.clone()), of(inner)].into_iter().chain(more.iter().cloned()).collect();
                DataType::from_parts(name, &args)
            });
        }
        assert_eq!(nested.map_err(|e| e.to_string()), Err(format!("`{name}` has more than 2000 data types and regexes in its brackets")));
    }
    for length in [1_000_000_000, i64::MAX] {
        let elements = [of(DataType::Boolean), int(length), int(length)];
        assert!(matches!(DataType::from_parts("Tuple", &elements), Ok(DataType::Array(..))));
        let elements = [of(DataType::Boolean), of(DataType::Numeric), int(length), int(length)];
        assert!(DataType::from_parts("Tuple", &elements).is_err());
    }
    assert_eq!(t("Tuple", &[of(DataType::Boolean), int(1), int(2)]).to_string(), "Variant[Tuple[Boolean], Tuple[Boolean, Boolean]]");
}

#[test]
fn what_one_type_has_of_another() {
    let regex = |source: &str| TypeArg::Value(Value::Regex(Arc::new(Regex::new(source, Flags::default()).unwrap())));
    let range = |a: i64, b: i64| t("Integer", &[int(a), int(b)]);
    let member = |name: &str, optional, data_type| Member { name: name.into(), optional, data_type };
    let shape = |members: Vec<Member>| t("Struct", &[TypeArg::Members(members)]);
    let string = || t("String", &[]);
    // The wide type, the narrow type, the expected result, and a counterexample.
    for (wide, narrow, includes, example) in [
        (range(1, 9), range(2, 3), Some(true), None),
        (range(2, 9), range(1, 3), Some(false), Some(Value::Int(1))),
        (range(1, 50), t("Integer", &[]), Some(false), Some(Value::Int(0))),
        (t("Float", &[]), t("Float", &[int(0), int(1)]), Some(true), None),
        (string(), t("Enum", &[text("a")]), Some(true), None),
        (t("Enum", &[text("a"), text("b")]), t("Pattern", &[regex("^[ab]$")]), Some(true), None),
        (t("Enum", &[text("a")]), t("Enum", &[text("a"), text("b")]), Some(false), Some(Value::str("b"))),
        (t("Pattern", &[regex("^[a-z]+$")]), t("String", &[int(1)]), Some(false), Some(Value::str("1"))),
        (t("String", &[int(1)]), t("Pattern", &[regex("^[a-z]+$")]), Some(true), None),
        (t("String", &[int(1)]), string(), Some(false), Some(Value::str(""))),
        (DataType::AbsolutePath, string(), Some(false), Some(Value::str("x"))),
        (string(), t("Optional", &[of(string())]), Some(false), Some(Value::Nil)),
        (t("Variant", &[of(range(0, 5)), of(string())]), range(1, 2), Some(true), None),
        (t("Variant", &[of(range(0, 5)), of(range(6, 9))]), range(1, 7), None, None),
        (t("Array", &[of(string()), int(1)]), t("Array", &[of(string())]), Some(false), Some(Value::array([]))),
        (t("Array", &[of(DataType::Scalar)]), t("Tuple", &[of(string()), of(DataType::Boolean)]), Some(true), None),
        (shape(vec![member("a", true, string())]), shape(vec![member("a", false, string())]), Some(true), None),
        (shape(vec![member("a", false, range(0, 1))]), shape(vec![member("a", true, range(0, 1))]), Some(false), Some(map(&[]))),
        // A numeric string is accepted by conversion, but is a different value.
        (string(), range(0, 1), Some(false), None),
        (range(0, 1), string(), Some(false), Some(Value::str("x"))),
        (DataType::Any, DataType::Scalar, Some(true), None),
        (string(), DataType::Any, Some(false), Some(Value::array([]))),
        (t("Sensitive", &[of(string())]), string(), Some(true), None),
    ] {
        assert_eq!(wide.includes(&narrow), includes, "{wide} {narrow}");
        assert_eq!(wide.example_outside(&narrow), example, "{wide} {narrow}");
    }
}

#[test]
fn abbreviations_of_puppet_are_data_types() {
    let only = |b: bool| TypeArg::Value(Value::Bool(b));
    let text = |s: &str| TypeArg::Value(Value::str(s));
    let rows: &[(DataType, Value, bool)] = &[
        (t("Boolean", &[only(true)]), Value::Bool(true), true),
        (t("Boolean", &[only(true)]), Value::Bool(false), false),
        (t("Enum", &[text("a.b"), only(true)]), Value::str("A.B"), true),
        (t("Enum", &[text("a.b"), only(true)]), Value::str("axb"), false),
        (t("Enum", &[text("a"), only(false)]), Value::str("A"), false),
        (t("Collection", &[]), Value::array([]), true),
        (t("Collection", &[]), Value::str("x"), false),
        (t("Collection", &[int(1), int(2)]), Value::array([]), false),
        (t("Collection", &[int(1), int(2)]), Value::array([Value::Nil]), true),
        (t("Timestamp", &[]), Value::str("2020-01-01"), false),
        (t("ScalarData", &[]), Value::Float(1.5), true),
        (t("NotUndef", &[]), Value::Nil, false),
        (t("NotUndef", &[of(DataType::Optional(Box::new(DataType::Boolean)))]), Value::Nil, false),
        (t("Tuple", &[of(DataType::Boolean), of(DataType::Numeric), int(1)]), Value::array([Value::Bool(true)]), true),
        (t("Tuple", &[of(DataType::Boolean), of(DataType::Numeric), int(1)]), Value::array([]), false),
        (t("Tuple", &[of(DataType::Boolean), int(1), int(3)]), Value::array([Value::Bool(true), Value::Bool(false)]), true),
        (t("Tuple", &[of(DataType::Boolean), int(2), TypeArg::Default]), Value::array([Value::Bool(true)]), false),
    ];
    for (data_type, value, accepted) in rows {
        assert_eq!(data_type.accepts(value), *accepted, "{data_type} {value:?}");
    }
    assert!(DataType::from_parts("Tuple", &[of(DataType::Boolean), of(DataType::Numeric), int(1), TypeArg::Default]).is_err());
    assert_eq!(t("Boolean", &[only(false)]).coerce(&Value::str("false")), Ok(Value::Bool(false)));
    assert!(t("Boolean", &[only(false)]).coerce(&Value::str("true")).is_err());
}
