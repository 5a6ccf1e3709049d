//! Programs of Puppet's language from arbitrary bytes. They parse; their values have any kind, so that code fails in all ways.

const TEXTS: &[&str] =
    &["", "a", "b c", "10.0.0.1/8", "é", "日本", "a,b;c", "12", "-1", "0x1f", "1e3", "%s %d", "%#.3x", "/etc/x", "File[/x]", "2h"];
const LITERALS: &[&str] = &[
    "1",
    "-3",
    "0",
    "9223372036854775807",
    "1.5",
    "1e300",
    "true",
    "false",
    "undef",
    "default",
    "[]",
    "{}",
    "/a(.)|b/",
    "$facts",
    "$missing",
];
const TYPES: &[&str] = &[
    "Any",
    "Integer",
    "Integer[1, 3]",
    "String[1]",
    "Enum[a, b]",
    "Pattern[/a/]",
    "Array[Integer]",
    "Hash[String, Any]",
    "Struct[{a => Any}]",
    "Tuple[String, 1, 3]",
    "Optional[Float]",
    "Variant[String, Integer]",
    "Type[Integer]",
    "Callable[1, 2]",
    "Sensitive",
    "Timestamp",
    "SemVer",
    "Notify['a']",
    "Class['c']",
    "Iterable",
    "Init[Integer]",
    "NotUndef",
    "T",
    "Regexp",
    "Boolean",
    "URI",
    "Timespan",
];
const OPERATORS: &[&str] = &["+", "-", "*", "/", "%", "<<", ">>", "==", "!=", "<", ">", "<=", ">=", "=~", "!~", "in", "and", "or"];
const FUNCTIONS: &[&str] = &[
    "abs",
    "any2array",
    "assert_type",
    "base64",
    "camelcase",
    "capitalize",
    "ceiling",
    "chomp",
    "compare",
    "concat",
    "convert_to",
    "count",
    "deep_merge",
    "defined",
    "delete",
    "dig",
    "downcase",
    "empty",
    "fail",
    "flatten",
    "floor",
    "format",
    "get",
    "getvar",
    "group_by",
    "index",
    "inline_epp",
    "intersection",
    "join",
    "keys",
    "length",
    "lookup",
    "match",
    "max",
    "member",
    "merge",
    "min",
    "new",
    "next",
    "parsejson",
    "parseyaml",
    "pick",
    "prefix",
    "range",
    "regsubst",
    "return",
    "reverse",
    "round",
    "shellquote",
    "sort",
    "split",
    "sprintf",
    "step",
    "strftime",
    "swapcase",
    "tagged",
    "to_json",
    "to_yaml",
    "type",
    "unique",
    "unwrap",
    "upcase",
    "values",
    "versioncmp",
    "warning",
    "zip",
];
const ITERATORS: &[&str] = &["all", "any", "each", "filter", "map", "reduce", "reverse_each", "slice", "tree_each", "with", "then", "lest"];

/// The bytes that choose.
struct Choices<'b> {
    bytes: std::slice::Iter<'b, u8>,
    depth: usize,
}

/// Returns a program.
pub fn program(bytes: &[u8]) -> String {
    let mut choices = Choices { bytes: bytes.iter(), depth: 0 };
    let mut out = String::from(
        "type T = Variant[Integer, Array[T]]\nfunction f($x, $y = 1) { [$x, $y] }\ndefine d($p = 1) { notify { \"d ${title}\": } }\n",
    );
    out.push_str("class c($q = 2) { $v = $q }\n");
    for number in 0..12 {
        if choices.bytes.len() == 0 {
            break;
        }
        let statement = choices.statement(number);
        out.push_str(&statement);
        out.push('\n');
    }
    let last = choices.expression();
    format!("{out}$last = {last}\n$last\n")
}

impl Choices<'_> {
    fn number(&mut self, below: usize) -> usize {
        usize::from(*self.bytes.next().unwrap_or(&0)) % below
    }

    fn choose<'t>(&mut self, all: &[&'t str]) -> &'t str {
        let at = self.number(all.len());
        all.get(at).copied().unwrap_or("1")
    }

    fn statement(&mut self, number: usize) -> String {
        let value = self.expression();
        match self.number(12) {
            0 => format!("if {value} {{ $i{number} = 1 }} else {{ notify {{ 'else {number}': }} }}"),
            1 => format!("case {value} {{ {}: {{ $c{number} = 1 }} default: {{ }} }}", self.expression()),
            2 => format!("notify {{ {value}: message => {} }}", self.expression()),
            3 => format!("d {{ 'd{number}': p => {value} }}"),
            4 => format!("class {{ 'c': q => {value} }}"),
            5 => format!("Notify {{ message => {value} }}"),
            6 => format!("Notify<| title == '{}' |> {{ message => {value} }}", self.choose(TEXTS)),
            7 => format!("@notify {{ 'virtual {number}': }}\nrealize({value})"),
            8 => format!("create_resources('notify', {value})"),
            9 => format!("file {{ '/f{number}': mode => '0644', * => {value} }} -> Class['c']"),
            10 => format!("include({value})"),
            _ => format!("$v{number} = {value}"),
        }
    }

    fn expression(&mut self) -> String {
        if self.depth > 5 {
            return self.choose(LITERALS).to_owned();
        }
        self.depth += 1;
        let made = self.composed();
        self.depth -= 1;
        made
    }

    fn composed(&mut self) -> String {
        match self.number(14) {
            0 => self.choose(LITERALS).to_owned(),
            1 => format!("'{}'", self.choose(TEXTS)),
            2 => self.choose(TYPES).to_owned(),
            3 => format!("$v{}", self.number(12)),
            4 => format!("[{}, {}]", self.expression(), self.expression()),
            5 => format!("{{{} => {}, 'k' => {}}}", self.expression(), self.expression(), self.expression()),
            6 => format!("({} {} {})", self.expression(), self.choose(OPERATORS), self.expression()),
            7 => format!("(-{})", self.expression()),
            8 => format!("({})[{}]", self.expression(), self.expression()),
            9 => format!("\"<${{{}}}>\"", self.expression()),
            10 => format!("{}({})", self.choose(FUNCTIONS), self.expression()),
            11 => format!("{}({}, {})", self.choose(FUNCTIONS), self.expression(), self.expression()),
            12 => format!("({}).{} |$a, $b = 0| {{ {} }}", self.expression(), self.choose(ITERATORS), self.lambda()),
            _ => format!("({} ? {{ {} => 1, default => {} }})", self.expression(), self.expression(), self.expression()),
        }
    }

    fn lambda(&mut self) -> String {
        match self.number(5) {
            0 => "$a".to_owned(),
            1 => format!("next({})", self.expression()),
            2 => "break()".to_owned(),
            3 => format!("f($a, {})", self.expression()),
            _ => format!("[$a, $b, {}]", self.expression()),
        }
    }
}
