//! The results of each method: recorded from Ruby, or written by hand where the language differs.

use super::*;
use crate::typing::{Attributes, Typing};

fn decode(json: &serde_json::Value) -> Value {
    match json {
        serde_json::Value::Array(items) => list(items.iter().map(decode)),
        serde_json::Value::Object(o) => {
            if let Some(sym) = o.get("sym") {
                Value::sym(sym.as_str().unwrap())
            } else if let Some(source) = o.get("re") {
                let flags = Flags { ignore_case: o["i"] == true, ..Flags::default() };
                Value::Regex(Arc::new(Regex::new(source.as_str().unwrap(), flags).unwrap()))
            } else if let Some(pairs) = o.get("map") {
                map(pairs.as_array().unwrap().iter().map(|p| (decode(&p[0]), decode(&p[1]))))
            } else if let Some(name) = o.get("type") {
                assert_eq!(name, "Integer");
                Value::Type(Arc::new(DataType::Integer(Default::default())))
            } else {
                Value::Float(o["float"].as_str().unwrap().parse().unwrap())
            }
        }
        other => Value::from_json(other),
    }
}

fn operator(name: &str) -> Option<BinaryOp> {
    use BinaryOp::*;
    let all = [Power, Multiply, Modulo, Add, Subtract, Intersect, Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual, Compare];
    all.into_iter().find(|op| op.symbol() == name)
}

/// Intended differences from Ruby, as receiver and method. Integers have 64 bits, keys are equal if `==` is true (1 and 1.0), control
/// characters are always printed as `\u0000`, and `to_f` does not parse base 16.
const DIFFERENT: &[(&str, &str)] = &[
    ("1.0e+20", "to_i"),
    ("1.0e+20", "floor"),
    ("1.0e+20", "ceil"),
    ("1.0e+20", "round"),
    ("1.0e+20", "truncate"),
    ("{1=>2}", "[]"),
    ("0", "chr"),
    ("5", "chr"),
    (r#""a\#{b}\"\\\e\u0001""#, "to_sym"),
    ("\"\\u0000 x \\u0000\"", "to_sym"),
    ("\"-0x1f\"", "to_f"),
];

#[test]
fn methods_give_what_rubys_give() {
    let cases: Vec<serde_json::Value> = serde_json::from_str(include_str!("../../../../../tests/fixtures/methods.json")).unwrap();
    assert!(cases.len() > 1000);
    let type_def = bare_type();
    let mut wrong = Vec::new();
    for case in &cases {
        let call = case["call"].as_str().unwrap();
        let receiver = decode(&case["on"]);
        let arguments: Vec<_> = case["args"].as_array().unwrap().iter().map(|a| c(decode(a))).collect();
        let node = match (call, operator(call)) {
            ("call", _) => func(receiver.as_text().unwrap(), arguments),
            ("[]", _) => n(Op::Index(Box::new(c(receiver.clone())), arguments)),
            (_, Some(op)) => binary(op, c(receiver.clone()), arguments.into_iter().next().unwrap()),
            _ => method(c(receiver.clone()), call, arguments),
        };
        let attributes = Attributes::new(&type_def);
        let expected = Typing::new(&attributes, &code(node.clone()), &[], None).result();
        let result = eval(node);
        if let Ok(value) = &result {
            assert!(expected.admits(value), "{receiver:?}.{call} is {value:?}, the checker expects {expected:?}");
        }
        let wanted = case["gives"].as_str().unwrap();
        let same = match &result {
            Ok(value) => crate::value::inspect(value) == wanted,
            Err(_) => wanted == "error",
        };
        if !same && !DIFFERENT.contains(&(crate::value::inspect(&receiver).as_str(), call)) {
            wrong.push(format!("{receiver:?}.{call}{}: {}, Ruby {wanted}", case["args"], shown(result)));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

#[test]
fn the_languages_own_methods() {
    let p = |text: &str, name: &str, args: &[&str]| method(c(s(text)), name, args.iter().map(|a| c(s(a))).collect());
    let put = |on: Value, key: Value, new: Value| method(c(on), "put", vec![c(key), c(new)]);
    let rows: Vec<(Node, &str)> = vec![
        (put(list([i(1), i(2)]), i(0), i(9)), "[9, 2]"),
        (put(list([i(1), i(2)]), i(-1), i(9)), "[1, 9]"),
        (put(list([i(1)]), i(3), i(9)), "[1, nil, nil, 9]"),
        (put(list([i(1)]), i(-2), i(9)), "RT301: index -2 is out of range for a list of 1"),
        (put(map([(s("a"), i(1))]), s("a"), i(2)), "{\"a\"=>2}"),
        (put(map([(s("a"), i(1))]), i(0), i(2)), "{\"a\"=>1, 0=>2}"),
        (put(s("aßc"), i(1), s("--")), "\"a--c\""),
        (put(s("abcb"), s("b"), s("")), "\"acb\""),
        (put(s("ab"), i(2), s("c")), "\"abc\""),
        (put(s("ab"), s("x"), s("c")), "RT301: there is no such part of the text to replace"),
        (p("/a/b/c", "ancestors", &[]), r#"["/", "/a", "/a/b"]"#),
        (p("/", "ancestors", &[]), "[]"),
        (p("a/b", "ancestors", &[]), r#"["a"]"#),
        (p("//a//b/", "ancestors", &[]), r#"["/", "//a"]"#),
        (p("/a/b.tar.gz", "extname", &[]), "\".gz\""),
        (p("/a/.bashrc", "extname", &[]), "\"\""),
        (p("/a/b.txt", "basename", &[]), "\"b.txt\""),
        (p("/a/b.txt", "basename", &[".txt"]), "\"b\""),
        (p("/a/b.txt", "basename", &[".*"]), "\"b\""),
        (p("/", "basename", &[]), "\"/\""),
        (p("/a/b/", "dirname", &[]), "\"/a\""),
        (p("/a", "dirname", &[]), "\"/\""),
        (p("a", "dirname", &[]), "\".\""),
        (p("/a/./b/.", "parent", &[]), "\"/a\""),
        (p("/./a", "parent", &[]), "\"/\""),
        (p("/a/../b", "parent", &[]), "\"/a/..\""),
        (p("/a/..", "parent", &[]), "\"/a/../..\""),
        (p("/", "parent", &[]), "\"/\""),
        (p("./a", "parent", &[]), "\".\""),
        (p(".", "parent", &[]), "\"..\""),
        (p("/a/../b/./c/", "clean", &[]), "\"/b/c\""),
        (p("../a/..", "clean", &[]), "\"..\""),
        (p("b", "expand", &["/a"]), "\"/a/b\""),
        (p("b", "expand", &[]), "RT301: the path `b` is relative: `expand` needs the directory it is seen from"),
        (p("~bob/x", "expand", &[]), "RT301: the home directory of `bob` is not known"),
        (p("/a", "absolute?", &[]), "true"),
        (p("/a/b", "within?", &["/a"]), "true"),
        (p("/ab", "within?", &["/a"]), "false"),
        (p("/ab", "within?", &["/"]), "true"),
        (p("http://u:p@h.org:80/x?q#f", "scheme", &[]), "\"http\""),
        (p("HTTP://h.org", "scheme", &[]), "\"http\""),
        (p("http://u:p@h.org:80/x?q#f", "host", &[]), "\"h.org\""),
        (p("http://", "host", &[]), "nil"),
        (p("http:///x", "host", &[]), "nil"),
        (p("file:///x", "host", &[]), "\"\""),
        (p("http://u:p@h.org:81/x?q#f", "port", &[]), "81"),
        (p("https://h.org", "port", &[]), "443"),
        (p("http://u:p@h.org:80/x?q#f", "path", &[]), "\"/x\""),
        (p("http://u:p@h.org:80/x?q#f", "query", &[]), "\"q\""),
        (p("http://u:p@h.org:80/x?q#f", "fragment", &[]), "\"f\""),
        (p("http://u:p@h.org/x", "userinfo", &[]), "\"u:p\""),
        (p("http://h.org/x", "with_userinfo", &["a:b"]), "\"http://a:b@h.org/x\""),
        (func("uri", vec![c(s("http://[x"))]), "RT301: `http://[x` is not a URI"),
        (p("10.1.2.3/8", "ip_network", &[]), "\"10.0.0.0/8\""),
        (p("10.1.2.3/255.255.0.0", "ip_network", &[]), "\"10.1.0.0/16\""),
        (p("10.1.2.3", "in_network?", &["10.0.0.0/8"]), "true"),
        (p("::1", "ipv6?", &[]), "true"),
        (p("::1/64", "ip_network", &[]), "\"::/64\""),
        (p("0:0::1", "ip_address", &[]), "\"::1\""),
        (p("10.0.0.300", "ipv4?", &[]), "false"),
        (func("ip", vec![c(s("10.0.0.0/33"))]), "RT301: `10.0.0.0/33` is not an IP address"),
        (func("path", vec![c(s("/a")), c(s("b"))]), "\"/a/b\""),
        (func("md5", vec![c(s("a"))]), "\"0cc175b9c0f1b6a831c399e269772661\""),
        (func("base64", vec![c(s("a b"))]), "\"YSBi\""),
        (func("sha1", vec![c(s("a"))]), "\"86f7e437faa5a7fce15d1ddcb9eaeaea377667b8\""),
        (func("sha256", vec![c(s(""))]), "\"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\""),
        (func("to_json", vec![c(map([(Value::sym("a"), list([i(1), Value::Nil]))]))]), r#""{\"a\":[1,null]}""#),
        (func("parse_json", vec![c(s(r#"{"a": [1, 2.5]}"#))]), r#"{"a"=>[1, 2.5]}"#),
        (
            func("parse_json", vec![c(s("{"))]),
            "RT301: not JSON: expected a key in double quotes, found the end of the text at line 1, column 2",
        ),
        (func("parse_yaml", vec![c(s("a:\n  - 1\n  - x\n"))]), r#"{"a"=>[1, "x"]}"#),
        (func("to_yaml", vec![c(map([(s("a"), i(1))]))]), r#""---\na: 1\n""#),
        (func("to_yaml", vec![c(s("--- a"))]), r#""--- \"--- a\"\n""#),
        (func("to_yaml", vec![c(s("... a"))]), r#""--- \"... a\"\n""#),
        (method(c(i(6)), "bit_and", vec![c(i(3))]), "2"),
        (method(c(i(6)), "bit_or", vec![c(i(3))]), "7"),
        (method(c(map([(s("a"), i(1)), (s("b"), Value::Nil)])), "compact", vec![]), r#"{"a"=>1}"#),
        (func("Array", vec![c(Value::Nil)]), "[]"),
        (func("Array", vec![c(map([(s("a"), i(1))]))]), r#"[["a", 1]]"#),
        (func("type_of", vec![c(map([]))]), "\"Hash\""),
        (func("object", vec![c(s("Label")), c(map([(Value::sym("a"), i(1))]))]), "#<Label>"),
        (n(Op::Index(Box::new(func("object", vec![c(s("Label")), c(map([(Value::sym("a"), i(1))]))])), vec![c(Value::sym("a"))])), "1"),
        (func("type_of", vec![func("object", vec![c(s("Label")), c(map([]))])]), "\"Label\""),
        (func("object", vec![c(s("Label")), c(i(1))]), "RT301: the parts of an object are a map, and this is an integer"),
        (func("time", vec![c(s("1970-01-02T00:00:00Z"))]), "86400"),
        (func("time", vec![c(s("1970-01-01T00:00:00.5Z"))]), "0.5"),
        (func("time", vec![c(s("soon"))]), "RT301: no time information in \"soon\""),
        (func("time", vec![c(i(1))]), "RT305: `time` takes a string, not an integer `1`"),
        (func("format_time", vec![c(s("2026-01-31 08:30 +0100"))]), "\"2026-01-31T08:30:00+01:00\""),
        (func("format_time", vec![c(s("2026-01-31 08:30Z")), c(s("%H:%M %Z"))]), "\"08:30 UTC\""),
        (func("versioncmp", vec![c(s("1.10")), c(s("1.9"))]), "1"),
        (func("format", vec![c(s("%.2f")), c(i(2))]), "\"2.00\""),
        (func("re_escape", vec![c(s("a.b c"))]), r#""a\\.b\\ c""#),
        (func("re", vec![c(s("a("))]), "RT301: bad regex `a(`: this group is not closed"),
        (method(c(s("b@h")), "named_captures", vec![c(re("(?<u>.)@(?<h>.)"))]), r#"{"u"=>"b", "h"=>"h"}"#),
        (method(c(list([i(1), i(2), i(1)])), "delete", vec![c(i(1))]), "[2]"),
        (method(c(map([(s("a"), i(1)), (s("b"), i(2))])), "delete", vec![c(s("a"))]), r#"{"b"=>2}"#),
        (method(c(Value::Nil), "strip", vec![]), "RT305: nil has no method `strip`; strings have it"),
        (method(c(i(5)), "length", vec![]), "RT305: an integer has no method `length`; strings, symbols, lists and maps have it"),
        (n(Op::ResourceAttr(Box::new(c(s("x"))), "strp".into())), "RT305: a string has no method `strp`; did you mean `strip`?"),
        (
            n(Op::ResourceAttr(Box::new(c(map([]))), "colour".into())),
            "RT305: a map has no method `colour`; the value of a key is read with `[:colour]`",
        ),
        (
            binary(BinaryOp::Add, c(s("a")), c(i(1))),
            r##"RT305: `+` adds a string to a string, not an integer `1`; write it inside the string: "…#{x}""##,
        ),
        (method(c(s("a")), "is_a?", vec![c(Value::Type(Arc::new(DataType::String(Default::default()))))]), "true"),
    ];
    let wrong: Vec<_> = rows
        .into_iter()
        .map(|(node, wanted)| (shown(eval(node.clone())), wanted, node))
        .filter(|(got, wanted, _)| got != wanted)
        .map(|(got, wanted, node)| format!("{:?}\n  gives {got}\n not {wanted}", node.op))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn methods_with_closures() {
    let l = || c(list([i(3), i(1), i(2)]));
    let m = || c(map([(Value::sym("a"), i(1)), (Value::sym("b"), i(2))]));
    let more = || binary(BinaryOp::Greater, local(1), c(i(1)));
    let double = || binary(BinaryOp::Multiply, local(1), c(i(2)));
    let second = || binary(BinaryOp::Greater, local(2), c(i(1)));
    let sum = || binary(BinaryOp::Add, local(1), local(2));
    let rows: Vec<(Node, &str)> = vec![
        (with(l(), "map", vec![], 1, double()), "[6, 2, 4]"),
        (with(l(), "each", vec![], 1, double()), "[3, 1, 2]"),
        (with(l(), "select", vec![], 1, more()), "[3, 2]"),
        (with(l(), "reject", vec![], 1, more()), "[1]"),
        (with(l(), "partition", vec![], 1, more()), "[[3, 2], [1]]"),
        (with(l(), "find", vec![], 1, more()), "3"),
        (with(l(), "index", vec![], 1, binary(BinaryOp::Equal, local(1), c(i(2)))), "2"),
        (with(l(), "any?", vec![], 1, more()), "true"),
        (with(l(), "all?", vec![], 1, more()), "false"),
        (with(l(), "none?", vec![], 1, more()), "false"),
        (with(l(), "one?", vec![], 1, more()), "false"),
        (with(l(), "count", vec![], 1, more()), "2"),
        (with(l(), "sort_by", vec![], 1, n(Op::Negate(Box::new(local(1))))), "[3, 2, 1]"),
        (with(l(), "sort", vec![], 2, binary(BinaryOp::Compare, local(2), local(1))), "[3, 2, 1]"),
        (with(l(), "min_by", vec![], 1, n(Op::Negate(Box::new(local(1))))), "3"),
        (with(l(), "max_by", vec![], 1, n(Op::Negate(Box::new(local(1))))), "1"),
        (with(l(), "sum", vec![], 1, double()), "12"),
        (with(l(), "reduce", vec![], 2, sum()), "6"),
        (with(l(), "inject", vec![c(i(10))], 2, sum()), "16"),
        (with(l(), "group_by", vec![], 1, more()), "{true=>[3, 2], false=>[1]}"),
        (with(l(), "uniq", vec![], 1, more()), "[3, 1]"),
        (with(l(), "take_while", vec![], 1, more()), "[3]"),
        (with(l(), "drop_while", vec![], 1, more()), "[1, 2]"),
        (with(l(), "each_with_index", vec![], 2, sum()), "[3, 1, 2]"),
        (with(l(), "flat_map", vec![], 1, n(Op::Array(vec![local(1), local(1)]))), "[3, 3, 1, 1, 2, 2]"),
        (with(l(), "filter_map", vec![], 1, n(Op::If(vec![(more(), double())], None))), "[6, 4]"),
        (with(l(), "to_h", vec![], 1, n(Op::Array(vec![local(1), double()]))), "{3=>6, 1=>2, 2=>4}"),
        (with(l(), "fetch", vec![c(i(9))], 1, local(1)), "9"),
        (with(m(), "map", vec![], 2, local(1)), "[:a, :b]"),
        (with(m(), "select", vec![], 2, second()), "{:b=>2}"),
        (with(m(), "reject", vec![], 2, second()), "{:a=>1}"),
        (with(m(), "find", vec![], 2, second()), "[:b, 2]"),
        (with(m(), "any?", vec![], 2, second()), "true"),
        (with(m(), "to_h", vec![], 2, n(Op::Array(vec![local(2), local(1)]))), "{1=>:a, 2=>:b}"),
        (with(m(), "transform_values", vec![], 1, double()), "{:a=>2, :b=>4}"),
        (with(m(), "transform_keys", vec![], 1, method(local(1), "to_s", vec![])), "{\"a\"=>1, \"b\"=>2}"),
        (with(m(), "merge", vec![m()], 3, binary(BinaryOp::Add, local(2), local(3))), "{:a=>2, :b=>4}"),
        (with(m(), "sort_by", vec![], 2, n(Op::Negate(Box::new(local(2))))), "[[:b, 2], [:a, 1]]"),
        (with(m(), "each", vec![], 2, local(1)), "{:a=>1, :b=>2}"),
        (with(c(i(3)), "times", vec![], 1, local(1)), "3"),
        (with(c(s("a1b2")), "gsub", vec![c(re("(\\d)"))], 1, n(Op::Concat(vec![c(s("<")), n(Op::Capture(1)), c(s(">"))]))), "\"a<1>b<2>\""),
        (with(c(s("ab")), "each_char", vec![], 1, local(1)), "\"ab\""),
    ];
    for (node, wanted) in rows {
        let op = format!("{:?}", node.op);
        assert_eq!(shown(eval(node)), wanted, "{op}");
    }
}

#[test]
fn every_method_of_the_table_is_known_to_its_receivers() {
    use crate::types::builtin::ValueKind;
    let sample = |kind: ValueKind| match kind {
        ValueKind::Nil | ValueKind::Any => Value::Nil,
        ValueKind::Bool => Value::Bool(true),
        ValueKind::Int => i(2),
        ValueKind::Float => Value::Float(2.5),
        ValueKind::Str => s("a"),
        ValueKind::Sym => Value::sym("a"),
        ValueKind::List => list([list([i(1), i(2)])]),
        ValueKind::Map => map([(i(1), i(2))]),
        ValueKind::Regex => re("a"),
        ValueKind::Binary => Value::Binary([0xff].as_slice().into()),
        ValueKind::Resource | ValueKind::Object | ValueKind::Type => Value::Nil,
    };
    for m in Method::ALL {
        for kind in m.receivers() {
            let arguments = (0..m.arity().min).map(|_| c(i(1))).collect();
            let node = match m.block() {
                crate::types::builtin::ClosureArgument::Must => with(c(sample(*kind)), m.name(), arguments, 2, local(1)),
                _ => method(c(sample(*kind)), m.name(), arguments),
            };
            if let Err(f) = eval(node) {
                assert!(!f.message.contains("has no method"), "{kind:?}.{}: {}", m.name(), f.message);
            }
        }
    }
}
