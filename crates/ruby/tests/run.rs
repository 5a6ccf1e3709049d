//! The interpreter: Ruby's recorded answers, unknown values, and hostile code.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice, reason = "tests may panic")]

use rtype_ruby::run::{
    EmbeddedCall, Embedder, Evaluation, Interpreter, NoSourceFiles, PlainRuby, RunError, RunLimits, RuntimeValue, SourceFiles,
};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::rc::Rc;

/// Runs a source in strict mode. Returns the output in the `tests/record.rb` format, or the message about an unsupported method.
fn answer(text: &str) -> Result<String, String> {
    answer_within(text, RunLimits::default())
}

fn answer_within(text: &str, limits: RunLimits) -> Result<String, String> {
    let mut run = Interpreter::new(Rc::new(PlainRuby), Rc::new(NoSourceFiles), limits, true).unwrap();
    let result = run.run("snippet.rb", text);
    let mut output = run.output().to_owned();
    match result {
        Ok(_) => {}
        Err(RunError::Unsupported { message, .. }) => return Err(message),
        Err(RunError::Raised { class, .. }) if class == "SystemExit" => {}
        Err(RunError::Raised { class, message }) => output.push_str(&format!("uncaught {class}: {message}\n")),
        Err(other) => return Err(format!("{other:?}")),
    }
    Ok(output)
}

/// `UPDATE_UNSUPPORTED=1` writes the list again. It may only become shorter.
#[test]
fn answers_are_those_of_ruby_or_unsupported() {
    let mut paths: Vec<PathBuf> = std::fs::read_dir("tests/snippets").unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let (mut agree, mut wrong, mut unsupported) = (0, Vec::new(), BTreeSet::new());
    for path in paths.iter().filter(|path| path.extension().is_some_and(|e| e == "rb")) {
        let text = std::fs::read_to_string(path).unwrap();
        let rows: Vec<serde_json::Value> = serde_json::from_str(&std::fs::read_to_string(path.with_extension("json")).unwrap()).unwrap();
        for (snippet, row) in text.split("\n# --\n").zip(rows) {
            match answer(snippet) {
                Err(_) => drop(unsupported.insert(snippet.trim().replace('\n', "\\n"))),
                Ok(output) if output == row["output"].as_str().unwrap() => agree += 1,
                Ok(output) => wrong.push(format!("{snippet}\n{output}")),
            }
        }
    }
    assert!(wrong.is_empty(), "{} answers differ from Ruby's:\n{}", wrong.len(), wrong.join("\n"));
    assert!(agree >= 350, "only {agree} answers agree");
    let listed = std::fs::read_to_string("tests/snippets/unsupported.txt").unwrap();
    let new: Vec<&String> = unsupported.iter().filter(|snippet| !listed.lines().any(|line| line == *snippet)).collect();
    assert!(new.is_empty(), "{} snippets are no longer supported: {new:#?}", new.len());
    if std::env::var_os("UPDATE_UNSUPPORTED").is_some() {
        let shorter: String = unsupported.iter().map(|snippet| format!("{snippet}\n")).collect();
        std::fs::write("tests/snippets/unsupported.txt", shorter).unwrap();
    } else {
        assert_eq!(listed.lines().count(), unsupported.len(), "some listed snippets are supported now; UPDATE_UNSUPPORTED=1 removes them");
    }
}

/// Defines `unknown`, which has an unknown result, `keep`, and `call_kept`, which calls the block passed to `keep`.
#[derive(Default)]
struct Host(std::cell::RefCell<Option<RuntimeValue>>);

impl Embedder for Host {
    fn call(&self, run: &mut Interpreter<'_>, call: EmbeddedCall) -> Evaluation {
        match call.name.as_str() {
            "keep" => {
                *self.0.borrow_mut() = call.block;
                Ok(RuntimeValue::Nil)
            }
            "call_kept" => {
                let block = self.0.borrow().clone().unwrap_or_default();
                run.call_block(&block, call.positional)
            }
            "refuse" => Err(run.error("ArgumentError", "refused")),
            _ => run.not_known("the machine is not known"),
        }
    }
}

struct Library;

impl SourceFiles for Library {
    fn find(&self, feature: &str) -> Option<(String, String)> {
        (feature == "helper").then(|| ("helper.rb".to_owned(), "module Helper; def self.two; 2; end; end".to_owned()))
    }
}

/// Runs a source that may use unknown values. Returns the inspected result, or `unknown`.
fn lenient(text: &str) -> String {
    lenient_within(text, RunLimits::default())
}

fn lenient_within(text: &str, limits: RunLimits) -> String {
    let mut run = Interpreter::new(Rc::new(Host::default()), Rc::new(Library), limits, false).unwrap();
    let kernel = run.define_class("Kernel", None, true);
    for name in ["unknown", "keep", "call_kept", "refuse"] {
        run.define_method(kernel, name, false);
    }
    match run.run("test.rb", text) {
        Ok(RuntimeValue::Unknown(_)) => "unknown".into(),
        Ok(value) => match run.call_method(&value, "inspect", Vec::new()) {
            Ok(RuntimeValue::Unknown(_)) => "unknown inside".into(),
            Ok(text) => format!("{text:?}"),
            Err(flow) => format!("{flow:?}"),
        },
        Err(error) => format!("{error:?}"),
    }
}

/// Rows in `tests/unknown.rb`: a source, and the result after `#=>`. `UPDATE_UNKNOWN=1` writes the results again.
#[test]
fn both_branches_of_an_unknown_condition_count() {
    let recorded = std::fs::read_to_string("tests/unknown.rb").unwrap();
    let results: Vec<String> = recorded
        .split("\n# --\n")
        .map(|row| row.rsplit_once("\n#=> ").map_or(row.trim_end(), |(text, _)| text))
        .map(|text| format!("{text}\n#=> {}", lenient(text)))
        .collect();
    let results = format!("{}\n", results.join("\n# --\n"));
    if std::env::var_os("UPDATE_UNKNOWN").is_some() {
        std::fs::write("tests/unknown.rb", &results).unwrap();
    }
    let differing: Vec<_> = recorded.lines().zip(results.lines()).filter(|(old, new)| old != new).collect();
    assert!(recorded == results, "{differing:#?}");
}

#[test]
fn embedders_keep_blocks_and_raise_errors() {
    assert_eq!(lenient("x = 1; keep { |n| x += n }; call_kept(4); call_kept(5); x"), "10");
    assert_eq!(lenient("begin; refuse; rescue ArgumentError => e; e.message; end"), "\"refused\"");
    assert!(lenient("refuse").contains("ArgumentError"));
}

#[test]
fn hostile_code_ends() {
    for text in [
        "while true; end",
        "loop { }",
        "def f; f; end; f",
        "def f(n); [n].each { |x| f(x + 1) }; end; f(0)",
        "a = []; while true; a << a.dup; end",
        "a = 'x'; while true; a = a + a; end",
        "a = []; while true; a = [a]; end",
        "'x' * 100_000_000_000",
        "[0] * 100_000_000_000",
        "a = []; a[100_000_000_000] = 1",
        "'%0999999999d' % 1",
        "(1..).to_a",
        "x = 1; while true; x = -> { x }; end",
        "while unknown_method_of_nobody; end",
        "h = {}; i = 0; while true; h[i] = 'x' * 1000; i += 1; end",
        "class A; def method_missing(*a); b; end; end; A.new.x",
        "a = []; a << a; a.flatten",
        "a = []; a << a; a.hash",
    ] {
        let start = std::time::Instant::now();
        // A tenth of the default limits, because test builds are not optimized.
        let limits = RunLimits { steps: 200_000, bytes: 32 << 20, calls: 600 };
        let _ = answer_within(text, limits);
        let _ = lenient_within(text, limits);
        assert!(start.elapsed().as_secs() < 60, "{:?} for {text}", start.elapsed());
    }
    let unknown = "if unknown then 1 else 2 end\n".repeat(300);
    assert_eq!(lenient(&format!("{unknown}\n3")), "3");
    let returns = "return 1 if unknown\n".repeat(100);
    assert_eq!(lenient(&format!("def f\n{returns}\n2\nend\nf")), "unknown");
}

#[test]
fn strict_mode_names_the_method_and_the_class() {
    assert_eq!(answer("'abc'.crypt('ab')").unwrap_err(), "method `crypt` of `String` is not supported");
    assert_eq!(answer("x = 1r").unwrap_err(), "rational number is not supported");
}
