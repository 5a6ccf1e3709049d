//! Programs in the language, generated from arbitrary bytes. Names, arities and rights in blocks are correct, but value kinds are not: most
//! programs load, and their blocks fail in every possible way.

use arbitrary::{Result, Unstructured};
use rtype_lang::types::builtin::{Arity, ClosureArgument, Function, Method};
use rtype_lang::value::{Flags, Map, Regex, ResourceRef, Value};
use std::fmt::Write;
use std::sync::Arc;

/// The marker in all secrets. No output may contain it.
pub const MARKER: &str = "qzxwvkjy-unseen";

/// The attributes in every program, in addition to `name` and `ensure`. Properties come first.
pub const ATTRIBUTES: &[&str] = &["alpha", "beta", "gamma", "secret", "delta", "quiet"];
const PROPERTIES: usize = 4;

const TEXTS: &[&str] = &[
    "",
    "a",
    "b c",
    "/etc/passwd",
    "10.0.0.1/8",
    "é",
    "ß",
    "日本",
    "👩‍👩‍👧",
    "i\u{307}",
    "a,b;c",
    "12",
    "-1",
    "0x1f",
    "1e3",
    "%s %d",
    "http://u@h:1/p?q#f",
    "\u{202e}x",
    "\n",
    "x=y",
];
const REGEXES: &[&str] = &["a", "(.)(.)", "^(a+)+$", "(?<n>\\w)", "\\s*,\\s*", "(a|a)*(?!b)\\1", "", "[é-ü]", "\\b", "(?m:^x$)"];
const SYMBOLS: &[&str] = &["absent", "present", "a", "true", "none", "red"];

/// Returns the source of a program.
pub fn program(bytes: &mut Unstructured<'_>) -> String {
    let mut writer = Writer { bytes, locals: Vec::new(), next: 0, can: Can::default() };
    // Without bytes, every choice is the first choice. Only strings can fail, and the first choices contain no string.
    writer.program().unwrap_or_default()
}

/// Returns an arbitrary value, including kinds that no declaration can contain.
pub fn value(bytes: &mut Unstructured<'_>, depth: u8) -> Value {
    any_value(bytes, depth).unwrap_or_default()
}

fn any_value(u: &mut Unstructured<'_>, depth: u8) -> Result<Value> {
    let most = if depth == 0 { 9 } else { 15 };
    Ok(match u.int_in_range(0..=most)? {
        0 => Value::str(*u.choose(TEXTS)?),
        1 => Value::Nil,
        2 => Value::Bool(u.arbitrary()?),
        3 => Value::Int(u.int_in_range(-3..=100)?),
        4 => Value::Int(u.arbitrary()?),
        5 => Value::Float(u.arbitrary()?),
        6 => Value::sym(*u.choose(SYMBOLS)?),
        7 => Value::str(u.arbitrary::<&str>()?),
        8 => Value::Regex(Arc::new(Regex::new(u.choose(REGEXES)?, Flags::default()).map_err(|_| arbitrary::Error::IncorrectFormat)?)),
        9 => Value::Unknown,
        10 => Value::Sensitive(Arc::new(Value::str(MARKER))),
        11 | 12 => {
            let some = u.int_in_range(0..=4)?;
            Value::array((0..some).map(|_| value(u, depth - 1)).collect::<Vec<_>>())
        }
        13 => {
            let some = u.int_in_range(0..=3)?;
            Value::Map(Arc::new((0..some).map(|_| (value(u, depth - 1), value(u, depth - 1))).collect::<Map>()))
        }
        14 => Value::Resource(Arc::new(ResourceRef { type_name: "thing".into(), title: (*u.choose(TEXTS)?).into() })),
        _ => match u.int_in_range(0..=3)? {
            0 => Value::str(u.choose(TEXTS)?.repeat(20_000)),
            1 => (0..100).fold(Value::Nil, |inner, _| Value::array([inner])),
            2 => Value::array((0..20_000).map(Value::Int)),
            _ => Value::Sensitive(Arc::new(Value::array([Value::str(MARKER), Value::Int(1)]))),
        },
    })
}

/// The rights of the current block.
#[derive(Clone, Copy, Default)]
struct Can {
    /// `self`, `provider` and the type's functions.
    see_self: bool,
    /// `is` and `should`.
    see_is: bool,
    /// `super`, with this number of arguments.
    call_super: Option<usize>,
    /// Actions of the provider.
    act: bool,
    /// `self.x = …`
    write: bool,
    /// `next`
    next: bool,
    /// The number of functions written so far. A function only calls earlier functions and itself.
    functions: usize,
}

struct Writer<'w, 'b> {
    bytes: &'w mut Unstructured<'b>,
    locals: Vec<String>,
    next: usize,
    can: Can,
}

const PLAIN: Can = Can { see_self: true, see_is: false, call_super: None, act: false, write: false, next: false, functions: 2 };
const ALONE: Can = Can { see_self: false, functions: 0, ..PLAIN };

impl Writer<'_, '_> {
    fn below(&mut self, n: usize) -> Result<usize> {
        self.bytes.int_in_range(0..=n.saturating_sub(1))
    }

    fn pick<'t>(&mut self, of: &[&'t str]) -> Result<&'t str> {
        let at = self.below(of.len())?;
        Ok(of.get(at).copied().unwrap_or_default())
    }

    /// Returns true in one case out of `n` on average; never without bytes.
    fn rarely(&mut self, n: usize) -> Result<bool> {
        Ok(self.below(n)? == 1)
    }

    fn program(&mut self) -> Result<String> {
        let mut out = format!("const LIST = {}\n", self.literal(2)?);
        self.can = ALONE;
        let body = self.block(&["a", "b"])?;
        writeln!(out, "fn outer(a, b) {{\n{body}}}").ok();
        out += "type thing {\n  feature lamp, \"Shines.\", methods: [shine]\n";
        out += "  newparam name {\n    isnamevar\n";
        if self.rarely(4)? {
            self.directive(&mut out, "munge", &["v"], Can { call_super: Some(1), ..PLAIN })?;
        }
        out += "  }\n";
        if !self.rarely(4)? {
            out += "  ensurable\n";
        }
        for (i, name) in ATTRIBUTES.iter().enumerate() {
            self.attribute(&mut out, name, i < PROPERTIES)?;
        }
        for (i, parameters) in [&["a"][..], &["a", "b"]].iter().enumerate() {
            self.can = Can { functions: i + 1, ..PLAIN };
            let body = self.block(parameters)?;
            writeln!(out, "  fn f{i}({}) {{\n{body}  }}", parameters.join(", ")).ok();
        }
        let blocks: &[(&str, Can)] = &[
            ("finalize", Can { write: true, ..PLAIN }),
            ("validate", PLAIN),
            ("title", PLAIN),
            ("autorequire thing", PLAIN),
            ("autonotify file", PLAIN),
            ("generate", PLAIN),
            ("eval_generate", PLAIN),
            ("pre_run_check", PLAIN),
            ("refresh", Can { act: true, see_is: true, ..PLAIN }),
        ];
        for (name, can) in blocks {
            if self.rarely(3)? {
                self.directive(&mut out, name, &[], *can)?;
            }
        }
        out += "}\nprovider one, for: thing {\n  queries [ask]\n  actions [shine]\n  width 12\n";
        if self.rarely(3)? {
            self.directive(&mut out, "height", &[], PLAIN)?;
        } else {
            out += "  height 3\n";
        }
        if self.rarely(4)? {
            self.directive(&mut out, "confine", &[], ALONE)?;
        }
        out += "}\n";
        Ok(out)
    }

    fn attribute(&mut self, out: &mut String, name: &str, property: bool) -> Result<()> {
        writeln!(out, "  {} {name} {{", if property { "newproperty" } else { "newparam" }).ok();
        if name == "secret" || name == "quiet" {
            *out += "    sensitive\n";
        }
        match self.below(8)? {
            1 => *out += "    newvalues red, green, /x(.)/\n    aliasvalue rot, red\n",
            2 => {
                let named =
                    self.pick(&["Integer[0, 99]", "String", "Array[String]", "Variant[Integer, Boolean]", "Optional[Float]", "Hash"])?;
                writeln!(out, "    type {named}").ok();
            }
            3 if property => *out += "    array_matching all\n",
            4 if property => {
                let how = self.pick(&["set", "unordered", "nocase", "version", "json", "path", "mode", "intersect"])?;
                writeln!(out, "    compare {how}").ok();
            }
            5 => *out += "    newvalues \"true\", \"false\"\n",
            _ => {}
        }
        let one = Can { call_super: Some(1), ..PLAIN };
        let seen = Can { see_is: true, ..one };
        for (directive, parameters, can, both) in [
            ("defaultto", &[][..], PLAIN, true),
            ("validate", &["v"][..], one, true),
            ("munge", &["v"][..], one, true),
            ("unmunge", &["v"][..], one, true),
            ("should", &["v"][..], one, false),
            ("insync", &["is"][..], seen, false),
            ("is_to_s", &["v"][..], seen, false),
            ("should_to_s", &["v"][..], seen, false),
            ("change_to_s", &["is", "should"][..], Can { call_super: Some(2), ..seen }, false),
            ("sync", &[][..], Can { act: true, call_super: Some(0), ..seen }, false),
        ] {
            if (both || property) && self.rarely(5)? {
                self.directive(out, directive, parameters, can)?;
            }
        }
        *out += "  }\n";
        Ok(())
    }

    fn directive(&mut self, out: &mut String, name: &str, parameters: &[&str], can: Can) -> Result<()> {
        self.can = can;
        let body = self.block(parameters)?;
        let head = if parameters.is_empty() { String::new() } else { format!(" |{}|", parameters.join(", ")) };
        writeln!(out, "    {name} {{{head}\n{body}    }}").ok();
        Ok(())
    }

    /// Writes the statements of a block, one per line.
    fn block(&mut self, parameters: &[&str]) -> Result<String> {
        let before = std::mem::replace(&mut self.locals, parameters.iter().map(|p| (*p).to_owned()).collect());
        let body = self.statements(4);
        self.locals = before;
        body
    }

    /// Writes some statements. Their locals go out of scope at the end.
    fn statements(&mut self, depth: u8) -> Result<String> {
        let scope = self.locals.len();
        let mut out = String::new();
        for _ in 0..self.below(3)? {
            writeln!(out, "      {}", self.statement(depth)?).ok();
        }
        writeln!(out, "      {}", self.expr(depth)?).ok();
        self.locals.truncate(scope);
        Ok(out)
    }

    fn statement(&mut self, depth: u8) -> Result<String> {
        let at = depth.saturating_sub(1);
        Ok(match self.below(9)? {
            1 if !self.locals.is_empty() => {
                let known = self.local()?;
                let op = self.pick(&["=", "+="])?;
                format!("{known} {op} {}", self.expr(at)?)
            }
            2 => format!("return {} if {}", self.expr(at)?, self.expr(at)?),
            3 => format!("fail {} unless {}", self.expr(at)?, self.expr(at)?),
            4 if self.can.next => format!("next {} if {}", self.expr(at)?, self.expr(at)?),
            5 if self.can.write => format!("self.{} = {}", self.pick(ATTRIBUTES)?, self.expr(at)?),
            6 if self.can.act => match self.below(4)? {
                0 => format!("provider.shine({})", self.expr(at)?),
                1 => format!("sync(:{})", self.pick(&ATTRIBUTES[..PROPERTIES])?),
                2 => "sync_others()".to_owned(),
                _ => format!("provider.{} = {}", self.pick(&ATTRIBUTES[..PROPERTIES])?, self.expr(at)?),
            },
            7 => {
                let value = self.expr(at)?;
                let (one, two) = (self.declare(), self.declare());
                format!("let {one}, {two} = {value}")
            }
            8 => self.expr(at)?,
            _ => {
                let value = self.expr(at)?;
                format!("let {} = {value}", self.declare())
            }
        })
    }

    fn declare(&mut self) -> String {
        let name = format!("x{}", self.next);
        self.next += 1;
        self.locals.push(name.clone());
        name
    }

    fn local(&mut self) -> Result<String> {
        let at = self.below(self.locals.len())?;
        Ok(self.locals.get(at).cloned().unwrap_or_else(|| "nil".into()))
    }

    fn literal(&mut self, depth: u8) -> Result<String> {
        Ok(match self.below(if depth == 0 { 9 } else { 12 })? {
            1 => ["0", "1", "-1", "2", "7", "64", "1000000", "9223372036854775807"].get(self.below(8)?).copied().unwrap_or("3").to_owned(),
            2 => self.pick(&["1.5", "0.0", "-2.25", "1e9"])?.to_owned(),
            3 => quoted(self.pick(TEXTS)?),
            4 => format!(":{}", self.pick(SYMBOLS)?),
            5 => self.pick(&["true", "false"])?.to_owned(),
            6 => format!("/{}/", self.pick(REGEXES)?),
            7 => "%w[a b é]".to_owned(),
            8 => "[]".to_owned(),
            9 => format!("[{}, {}]", self.literal(depth - 1)?, self.literal(depth - 1)?),
            10 => format!("({{a: {}, \"k\" => {}}})", self.literal(depth - 1)?, self.literal(depth - 1)?),
            11 => "({})".to_owned(),
            _ => "nil".to_owned(),
        })
    }

    fn leaf(&mut self) -> Result<String> {
        Ok(match self.below(12)? {
            1..=3 if !self.locals.is_empty() => self.local()?,
            4 if self.can.see_self => format!("self.{}", self.pick(ATTRIBUTES)?),
            5 if self.can.see_self => {
                let name = self.pick(ATTRIBUTES)?;
                match self.below(8)? {
                    0 => format!("self.{name}?"),
                    1 => format!("self.set?(:{name})"),
                    2 => format!("self.raw(:{name})"),
                    3 => format!("self[:{name}]"),
                    4 => "self.managed?".to_owned(),
                    5 => "title(self)".to_owned(),
                    6 => "provider.name".to_owned(),
                    _ => "attributes()".to_owned(),
                }
            }
            6 if self.can.see_is => match self.below(3)? {
                0 => "is".to_owned(),
                1 => "should".to_owned(),
                _ => format!("is(:{})", self.pick(&ATTRIBUTES[..PROPERTIES])?),
            },
            7 => format!("${}", self.below(3)?),
            8 => "LIST".to_owned(),
            _ => self.literal(1)?,
        })
    }

    /// Returns an expression valid in any position. Expressions that a context could split are in parentheses.
    fn expr(&mut self, depth: u8) -> Result<String> {
        if depth == 0 {
            return self.leaf();
        }
        let at = depth - 1;
        Ok(match self.below(24)? {
            1..=7 => self.method(at)?,
            8 | 9 => {
                const OPS: &[&str] = &["+", "-", "*", "**", "%", "&", "==", "!=", "<", "<=", ">", ">=", "<=>", "=~", "!~", "&&", "||"];
                let op = self.pick(OPS)?;
                format!("({} {op} {})", self.expr(at)?, self.expr(at)?)
            }
            10 => format!("({} ? {} : {})", self.expr(at)?, self.expr(at)?, self.expr(at)?),
            11 => format!("!({})", self.expr(at)?),
            12 => format!("-({})", self.expr(at)?),
            13 => match self.below(4)? {
                0 => format!("({})[{}]", self.expr(at)?, self.expr(at)?),
                1 => format!("({})[{}..{}]", self.expr(at)?, self.expr(at)?, self.expr(at)?),
                2 => format!("({})[{}...]", self.expr(at)?, self.expr(at)?),
                _ => format!("({})[{}, {}]", self.expr(at)?, self.expr(at)?, self.expr(at)?),
            },
            14 => format!("\"{} é #{{{}}}\"", self.pick(&["", "a", "\\n"])?, self.expr(at)?),
            15 => format!("[{}, {}]", self.expr(at)?, self.expr(at)?),
            16 => format!("({{a: {}, ({}) => {}}})", self.expr(at)?, self.expr(at)?, self.expr(at)?),
            17 => format!("(if {} {{\n{}}} else {{\n{}}})", self.expr(at)?, self.statements(at)?, self.statements(at)?),
            18 => self.choice(at)?,
            19 => {
                let body = self.statements(at)?;
                let scope = self.locals.len();
                let why = self.declare();
                let otherwise = self.statements(at)?;
                self.locals.truncate(scope);
                format!("(try {{\n{body}}} else {{ |{why}|\n{otherwise}}})")
            }
            20 | 21 => self.function(at)?,
            22 => self.call(at)?,
            23 if self.can.see_self => match self.below(6)? {
                0 => format!("provider.ask({})", self.expr(at)?),
                1 => format!("provider.has?(:{})", self.pick(&["lamp", "ask", "shine"])?),
                2 => format!("catalog.find(:thing, {})", self.expr(at)?),
                3 => format!("catalog.resources(:thing).map {{ |r| r.{} }}", self.pick(ATTRIBUTES)?),
                4 => format!("provider.{}", self.pick(&["width", "height", "lamp?", "features"])?),
                _ => "catalog.type(:file)".to_owned(),
            },
            _ => self.leaf()?,
        })
    }

    fn method(&mut self, depth: u8) -> Result<String> {
        let at = self.below(Method::ALL.len())?;
        let Some(method) = Method::ALL.get(at) else { return self.leaf() };
        let receiver = self.expr(depth)?;
        let arguments = match method {
            Method::IsA | Method::KindOf => {
                format!("({})", self.pick(&["String", "Integer", "Array[String]", "Numeric", "Symbol", "Optional[Hash]", "Sensitive"])?)
            }
            _ => self.arguments(method.arity(), depth)?,
        };
        let closure = match method.block() {
            ClosureArgument::No => false,
            ClosureArgument::May => self.rarely(2)?,
            ClosureArgument::Must => true,
        };
        let closure = if closure { format!(" {}", self.closure(depth)?) } else { String::new() };
        Ok(format!("({receiver}).{}{arguments}{closure}", method.name()))
    }

    fn arguments(&mut self, arity: Arity, depth: u8) -> Result<String> {
        let (min, max) = (usize::from(arity.min), arity.max.map_or(usize::from(arity.min) + 2, usize::from));
        let count = min + self.below(max - min + 1)?;
        let all = (0..count).map(|_| self.expr(depth)).collect::<Result<Vec<_>>>()?;
        Ok(format!("({})", all.join(", ")))
    }

    fn closure(&mut self, depth: u8) -> Result<String> {
        let scope = self.locals.len();
        let parameters: Vec<String> = (0..=self.below(2)?).map(|_| self.declare()).collect();
        let outer = std::mem::replace(&mut self.can.next, true);
        let body = self.statements(depth)?;
        self.can.next = outer;
        self.locals.truncate(scope);
        Ok(format!("{{ |{}|\n{body}}}", parameters.join(", ")))
    }

    fn choice(&mut self, depth: u8) -> Result<String> {
        let mut out = format!("(match {} {{\n", self.expr(depth)?);
        for _ in 0..=self.below(2)? {
            let pattern = match self.below(4)? {
                0 => self.literal(0)?,
                1 => self.pick(&["String", "Integer[0, 3]", "Array", "Hash", "nil | :absent"])?.to_owned(),
                2 => format!("/{}/", self.pick(REGEXES)?),
                _ => format!("_ if {}", self.expr(depth)?),
            };
            // Patterns are literals.
            let pattern = if pattern.starts_with(['[', '(', '%']) { "\"a\"".to_owned() } else { pattern };
            writeln!(out, "        {pattern} => {{\n{}        }}", self.statements(depth)?).ok();
        }
        if !self.rarely(3)? {
            writeln!(out, "        _ => {}", self.expr(depth)?).ok();
        }
        out += "      })";
        Ok(out)
    }

    fn function(&mut self, depth: u8) -> Result<String> {
        let at = self.below(Function::ALL.len())?;
        let Some(function) = Function::ALL.get(at) else { return self.leaf() };
        match function {
            Function::Sync | Function::SyncOthers | Function::Remember => self.leaf(),
            // Only comparing or formatting blocks may call this function.
            Function::Remembered if !self.can.see_is || self.can.act || self.can.call_super.is_none() => self.leaf(),
            Function::Attributes
            | Function::Metaparams
            | Function::Resource
            | Function::Title
            | Function::Ref
            | Function::FileOf
            | Function::LineOf
                if !self.can.see_self =>
            {
                self.leaf()
            }
            Function::Attributes => Ok(format!("attributes(:{})", self.pick(ATTRIBUTES)?)),
            Function::Feature => Ok(format!("feature(\"{}\")", self.pick(&["posix", "root", "selinux"])?)),
            Function::Resource => {
                let name = self.pick(&["thing", "notify", "file"])?;
                Ok(format!("resource(:{name}, {}, {})", self.expr(depth)?, self.expr(depth)?))
            }
            _ => Ok(format!("{}{}", function.name(), self.arguments(function.arity(), depth)?)),
        }
    }

    fn call(&mut self, depth: u8) -> Result<String> {
        Ok(match (self.below(4)?, self.can.call_super) {
            (0, Some(count)) => {
                let all = (0..count).map(|_| self.expr(depth)).collect::<Result<Vec<_>>>()?;
                if all.is_empty() { "super".to_owned() } else { format!("super({})", all.join(", ")) }
            }
            (1, _) if self.can.functions > 0 => format!("f0({})", self.expr(depth)?),
            (2, _) if self.can.functions > 1 => format!("f1({}, {})", self.expr(depth)?, self.expr(depth)?),
            _ => format!("outer({}, {})", self.expr(depth)?, self.expr(depth)?),
        })
    }
}

/// Returns a string in double quotes.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('#', "\\#"))
}
