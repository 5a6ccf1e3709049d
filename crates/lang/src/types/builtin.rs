//! The built-in functions and methods of the language: name, arguments and one line of documentation each.
//!
//! `lower` resolves names with this table, `eval` implements it, and `describe --language` prints it; nothing is listed twice.
//!
//! Paths, URIs and IP addresses are plain strings: `path()`, `uri()` and `ip()` check and return the string itself, and their
//! operations are methods of strings. Lists and maps are immutable: methods that modify their receiver in Ruby (`push`, `delete`,
//! `insert`) return a new value. A match is a list: the whole match, then its groups.

use crate::value::Value;

/// The number of arguments that a function or method takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arity {
    /// The minimum.
    pub min: u8,
    /// The maximum; `None` for any number.
    pub max: Option<u8>,
}

/// Whether a function or method takes a closure after its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClosureArgument {
    /// No closure.
    No,
    /// An optional closure.
    May,
    /// A required closure.
    Must,
}

/// The kind of value that a method is called on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Receiver {
    /// Every value.
    Any,
    /// `nil`
    Nil,
    /// `true`, `false`
    Bool,
    /// Integers.
    Int,
    /// Floating-point numbers.
    Float,
    /// Binary data.
    Binary,
    /// Strings.
    Str,
    /// Symbols.
    Sym,
    /// Lists.
    List,
    /// Maps.
    Map,
    /// Regexes.
    Regex,
    /// Resources.
    Resource,
    /// Objects.
    Object,
    /// Data types.
    Type,
}

impl Receiver {
    /// Returns the plural noun for messages.
    pub const fn plural(self) -> &'static str {
        match self {
            Receiver::Any => "all values",
            Receiver::Nil => "nil",
            Receiver::Bool => "booleans",
            Receiver::Int => "integers",
            Receiver::Float => "floats",
            Receiver::Str => "strings",
            Receiver::Binary => "binaries",
            Receiver::Sym => "symbols",
            Receiver::List => "lists",
            Receiver::Map => "maps",
            Receiver::Regex => "regexes",
            Receiver::Resource => "resources",
            Receiver::Object => "objects",
            Receiver::Type => "data types",
        }
    }

    /// Returns the kind of a value, `None` if the value is unknown. A sensitive value has the kind of the value it wraps.
    pub fn of(value: &Value) -> Option<Receiver> {
        Some(match value {
            Value::Nil => Receiver::Nil,
            Value::Bool(_) => Receiver::Bool,
            Value::Int(_) => Receiver::Int,
            Value::Float(_) => Receiver::Float,
            Value::Str(_) => Receiver::Str,
            Value::Binary(_) => Receiver::Binary,
            Value::Sym(_) => Receiver::Sym,
            Value::Array(_) => Receiver::List,
            Value::Map(_) => Receiver::Map,
            Value::Regex(_) => Receiver::Regex,
            Value::Resource(_) => Receiver::Resource,
            Value::Object(_) => Receiver::Object,
            Value::Type(_) => Receiver::Type,
            Value::Sensitive(inner) => return Receiver::of(inner),
            Value::Unknown => return None,
        })
    }
}

/// The platform features that Puppet and its core modules define. Those that a machine lacks, or whose presence cannot be determined, are
/// absent.
pub const PLATFORM_FEATURES: &[&str] = &[
    "augeas",
    "bolt",
    "cfpropertylist",
    "diff",
    "eventlog",
    "hiera",
    "hiera_eyaml",
    "hocon",
    "ldap",
    "libshadow",
    "libuser",
    "manages_symlinks",
    "microsoft_windows",
    "minitar",
    "msgpack",
    "openssl",
    "pe_license",
    "posix",
    "puppetserver_ca",
    "root",
    "selinux",
    "sqlite",
    "ssh",
    "syslog",
    "telnet",
    "usage",
    "zlib",
];

macro_rules! builtins {
    ($(#[$meta:meta])* $enum:ident, $all:ident { $($variant:ident $name:literal ($min:literal, $max:expr) $block:ident [$($on:ident)*] $doc:literal;)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs, reason = "the table next to each name describes it")]
        pub enum $enum { $($variant,)* }

        impl $enum {
            /// All of them, in the order of the table.
            pub const $all: &[$enum] = &[$($enum::$variant,)*];

            /// Returns the name in the language.
            pub const fn name(self) -> &'static str {
                match self { $($enum::$variant => $name,)* }
            }

            /// Returns the number of arguments it takes.
            pub const fn arity(self) -> Arity {
                match self { $($enum::$variant => Arity { min: $min, max: $max },)* }
            }

            /// Returns whether it takes a closure.
            pub const fn block(self) -> ClosureArgument {
                match self { $($enum::$variant => ClosureArgument::$block,)* }
            }

            /// Returns the kinds of value that it can be called on; empty for a function.
            pub const fn receivers(self) -> &'static [Receiver] {
                match self { $($enum::$variant => &[$(Receiver::$on,)*],)* }
            }

            /// Returns its documentation in one line.
            pub const fn doc(self) -> &'static str {
                match self { $($enum::$variant => $doc,)* }
            }

            /// Returns the function or method of this name.
            pub fn named(name: &str) -> Option<$enum> {
                match name { $($name => Some($enum::$variant),)* _ => None }
            }
        }
    };
}

builtins! {
    /// A built-in function: `fact("kernel")`.
    Function, ALL {
        Fact "fact" (1, Some(1)) No [] "the fact of this dotted name, nil where there is none";
        Feature "feature" (1, Some(1)) No [] "whether a feature of the platform holds: `feature(\"posix\")`";
        Setting "setting" (1, Some(1)) No [] "a setting of the run: `setting(\"show_diff\")`";
        Env "env" (1, Some(1)) No [] "a variable of the environment, nil where there is none";
        Which "which" (1, Some(1)) No [] "the path of a program, nil where there is none";
        Exists "exists" (1, Some(1)) No [] "whether something is at an absolute path";
        FilesBelow "files_below" (1, Some(2)) No [] "the file at a path and all below it, nil where there is none; see [files](#files)";
        FileText "file_text" (1, Some(1)) No [] "the text of the file at a path or source address, nil where there is none; see [files](#files)";
        Now "now" (0, Some(0)) No [] "the seconds since 1970";
        Time "time" (1, Some(1)) No [] "the seconds since 1970 of the time that a text names, or an error; see [times](#times)";
        FormatTime "format_time" (1, Some(2)) No [] "that time, or one in seconds since 1970, as ISO 8601 writes it or by a pattern: `format_time(v, \"%H:%M\")`";
        CurrentUser "current_user" (0, Some(0)) No [] "the name of the user who runs this";
        UidOf "uid_of" (1, Some(1)) No [] "the number of a user, nil where there is none";
        GidOf "gid_of" (1, Some(1)) No [] "the number of a group, nil where there is none";
        HomeDir "home_dir" (1, Some(1)) No [] "the home directory of a user, nil where there is none";
        ServicePort "service_port" (1, Some(2)) No [] "the port of a service and protocol (`tcp` unless given), nil where there is none";
        Versioncmp "versioncmp" (2, Some(2)) No [] "-1, 0 or 1: how two versions compare, as Puppet counts";
        GemVersion "gem_version" (1, Some(1)) No [] "the text of a version as RubyGems counts, or an error";
        GemVersioncmp "gem_versioncmp" (2, Some(2)) No [] "-1, 0 or 1: how two versions compare, as RubyGems counts";
        GemSatisfies "gem_satisfies" (2, Some(2)) No [] "whether a version meets a requirement of RubyGems, or a list of them: `gem_satisfies(v, \"~> 1.2\")`";
        Path "path" (1, None) No [] "the text itself, joined with what follows; its path methods give text, too";
        JoinPaths "join_paths" (1, None) No [] "paths, or lists of them, with one `/` between them, also where the next one is absolute";
        Uri "uri" (1, Some(1)) No [] "the text itself if it is a URI, else an error; see `scheme`, `host`, …";
        Ip "ip" (1, Some(1)) No [] "the text itself if it is an IP address, with or without `/prefix`, else an error";
        Range "range" (2, Some(3)) No [] "what is between two limits: `range(1, 9).include?(n)`; without the last one if the third argument is true";
        Re "re" (1, Some(2)) No [] "the regex of this text; flags as second argument: `re(\"^#{x}\", \"i\")`";
        ReEscape "re_escape" (1, Some(1)) No [] "the text with what is special in a regex escaped";
        Format "format" (1, None) No [] "text by a pattern: `format(\"%.2f of %s\", n, what)`";
        Md5 "md5" (1, Some(1)) No [] "the MD5 digest of a text, in hex";
        Sha1 "sha1" (1, Some(1)) No [] "the SHA-1 digest of a text, in hex";
        Sha256 "sha256" (1, Some(1)) No [] "the SHA-256 digest of a text, in hex";
        Sha384 "sha384" (1, Some(1)) No [] "the SHA-384 digest of a text, in hex";
        Sha512 "sha512" (1, Some(1)) No [] "the SHA-512 digest of a text, in hex";
        Base64 "base64" (1, Some(1)) No [] "the base64 of a text or of bytes, without line breaks";
        Integer "Integer" (1, Some(2)) No [] "the whole number that a text spells (`010` is 8, `0x1f` is 31) or an error";
        Float "Float" (1, Some(1)) No [] "the number that a text spells, or an error";
        Array "Array" (1, Some(1)) No [] "a list as it is, nil as `[]`, a map as its pairs, all else as a list of one";
        String "String" (1, Some(1)) No [] "the value as text";
        TypeOf "type_of" (1, Some(1)) No [] "what kind of value it is, in Ruby's words: `String`, `Hash`, `NilClass`";
        Sensitive "sensitive" (1, Some(1)) No [] "the value, redacted from here on";
        Title "title" (1, Some(1)) No [] "the title of a resource";
        Ref "ref" (1, Some(1)) No [] "the reference of a resource as text: `File[/etc/hosts]`";
        FileOf "file_of" (1, Some(1)) No [] "the file in which a resource is declared, nil where that is not known";
        LineOf "line_of" (1, Some(1)) No [] "the line of that file";
        TypeName "type_name" (1, Some(1)) No [] "the type of a resource, a symbol: `:file`";
        Resource "resource" (2, Some(3)) No [] "a new resource for `generate`: type, title and a map of attributes";
        Object "object" (2, Some(2)) May [] "a value with parts: the name of its class and a map of its parts; the closure gives the text that it is written as";
        Attributes "attributes" (0, None) No [] "a map of those of the named attributes that are set; of all without names";
        Metaparams "metaparams" (0, Some(0)) No [] "a map of the metaparameters that are set";
        Remember "remember" (2, Some(2)) No [] "keeps a value under a name, for the messages of this comparison (`retrieve` and `insync` only)";
        Remembered "remembered" (1, Some(1)) No [] "the value that `remember` has kept under this name, nil without one";
        Sync "sync" (1, Some(1)) No [] "brings an attribute in sync if it is set and out of sync (actions only)";
        SyncOthers "sync_others" (0, Some(0)) No [] "brings all other attributes in sync (actions only)";
        ToJson "to_json" (1, Some(2)) No [] "the value as JSON; `true` as second argument indents it";
        ParseJson "parse_json" (1, Some(1)) No [] "the value of a JSON text, or an error";
        ToYaml "to_yaml" (1, Some(1)) No [] "the value as YAML";
        ParseYaml "parse_yaml" (1, Some(1)) No [] "the value of a YAML text, or an error";
        Debug "debug" (1, Some(1)) No [] "a message for those who look for a mistake";
        Info "info" (1, Some(1)) No [] "a message of little weight";
        Notice "notice" (1, Some(1)) No [] "a message";
        Warning "warning" (1, Some(1)) No [] "a warning";
        Err "err" (1, Some(1)) No [] "an error message; the block goes on";
        Deprecated "deprecated" (1, Some(1)) No [] "a warning that something will go away";
    }
}

builtins! {
    /// A built-in method: `v.strip`.
    Method, ALL {
        ToS "to_s" (0, Some(1)) No [Any] "the value as text; integers in a base: `255.to_s(16)`";
        Inspect "inspect" (0, Some(0)) No [Any] "the value as it would be written: `\"a\"`, `:b`, `[1, nil]`";
        IsA "is_a?" (1, Some(1)) No [Any] "whether the value is of a data type: `v.is_a?(String)`";
        KindOf "kind_of?" (1, Some(1)) No [Any] "the same as `is_a?`";
        IsNil "nil?" (0, Some(0)) No [Any] "whether it is nil";
        Eql "eql?" (1, Some(1)) No [Any] "whether it is the same value of the same kind: 1 and 1.0 are not";
        Then "then" (0, Some(0)) Must [Any] "what the closure gives for the value";
        Itself "itself" (0, Some(0)) No [Any] "the value";
        Unwrap "unwrap" (0, Some(0)) No [Any] "the value itself; blocks see inside sensitive values anyway";
        ToJson "to_json" (0, Some(0)) No [Any] "the value as JSON";
        ToYaml "to_yaml" (0, Some(0)) No [Any] "the value as YAML";
        ToA "to_a" (0, Some(0)) No [Nil List Map] "a list: `[]` of nil, the pairs of a map";
        ToH "to_h" (0, Some(0)) May [Nil List Map] "a map of pairs; the closure gives the pairs";
        ToI "to_i" (0, Some(1)) No [Nil Int Float Str] "the whole number at the beginning, else 0; texts in a base: `\"755\".to_i(8)`";
        ToF "to_f" (0, Some(0)) No [Nil Int Float Str] "the number at the beginning, else 0.0";
        ToSym "to_sym" (0, Some(0)) No [Str Sym] "the symbol of these letters";
        Intern "intern" (0, Some(0)) No [Str Sym] "the same as `to_sym`";
        Between "between?" (2, Some(2)) No [Int Float Str Sym] "whether it is between two values, inclusive";
        Clamp "clamp" (2, Some(2)) No [Int Float Str] "the value, or the nearer of two limits";
        Length "length" (0, Some(0)) No [Str Sym List Map] "how many letters, elements or pairs it has";
        Size "size" (0, Some(0)) No [Str Sym List Map] "the same as `length`";
        Empty "empty?" (0, Some(0)) No [Str Sym List Map] "whether it has no letter, element or pair";
        Include "include?" (1, Some(1)) No [Str List Map] "whether it holds this text, element or key";
        Member "member?" (1, Some(1)) No [List Map] "the same as `include?`";
        Strip "strip" (0, Some(0)) No [Str] "without blanks at both ends";
        Lstrip "lstrip" (0, Some(0)) No [Str] "without blanks at the beginning";
        Rstrip "rstrip" (0, Some(0)) No [Str] "without blanks at the end";
        Chomp "chomp" (0, Some(1)) No [Str] "without the newline (or the given text) at the end";
        Chop "chop" (0, Some(0)) No [Str] "without the last letter";
        Capitalize "capitalize" (0, Some(0)) No [Str Sym] "first letter large, all others small";
        Downcase "downcase" (0, Some(0)) No [Str Sym] "in small letters";
        Upcase "upcase" (0, Some(0)) No [Str Sym] "in capital letters";
        Swapcase "swapcase" (0, Some(0)) No [Str Sym] "small letters large and large ones small";
        Split "split" (0, Some(2)) No [Str] "the parts between blanks, a text or a regex, at most so many";
        Rpartition "rpartition" (1, Some(1)) No [Str] "the parts before, at and after the last match of a text or regex";
        StartWith "start_with?" (0, None) No [Str Sym] "whether it begins with one of these texts or regexes";
        EndWith "end_with?" (0, None) No [Str Sym] "whether it ends with one of these texts";
        DeletePrefix "delete_prefix" (1, Some(1)) No [Str] "without this text at the beginning";
        DeleteSuffix "delete_suffix" (1, Some(1)) No [Str] "without this text at the end";
        DeleteChars "delete_chars" (1, None) No [Str] "the same as `delete`: `s.delete_chars(\"a-z\")`";
        Squeeze "squeeze" (0, None) No [Str] "with runs of the same letter made one";
        Tr "tr" (2, Some(2)) No [Str] "letters replaced one for one: `s.tr(\"a-z\", \"A-Z\")`";
        Match "match" (1, Some(1)) No [Str Sym Regex] "the list of the whole match and its groups, nil without a match";
        IsMatch "match?" (1, Some(1)) No [Str Sym Regex] "whether it matches; `$1` stays as it was";
        NamedCaptures "named_captures" (1, Some(1)) No [Str Sym Regex] "a map of the named groups of the match, nil without one";
        Scan "scan" (1, Some(1)) May [Str] "all matches, or the lists of their groups";
        Sub "sub" (1, Some(2)) May [Str] "with the first match replaced; `\\\\1` and `\\\\k<n>` refer to groups";
        Gsub "gsub" (1, Some(2)) May [Str] "with all matches replaced: by a text, a map or what the closure gives";
        Chars "chars" (0, Some(0)) No [Str] "the list of its letters";
        Lines "lines" (0, Some(0)) No [Str] "the list of its lines, newlines kept";
        Bytes "bytes" (0, Some(0)) No [Str] "the list of its bytes";
        Bytesize "bytesize" (0, Some(0)) No [Str] "how many bytes it has";
        Rjust "rjust" (1, Some(2)) No [Str] "filled on the left to a width";
        Ljust "ljust" (1, Some(2)) No [Str] "filled on the right to a width";
        Center "center" (1, Some(2)) No [Str] "filled on both sides to a width";
        Slice "slice" (1, None) No [Str List Map] "as `[…]`; of a map: the pairs of these keys";
        Ord "ord" (0, Some(0)) No [Int Str] "the number of the first letter";
        Hex "hex" (0, Some(0)) No [Str] "the number that it spells in base 16";
        Oct "oct" (0, Some(0)) No [Str] "the number that it spells in base 8";
        Casecmp "casecmp" (1, Some(1)) No [Str Sym] "-1, 0 or 1 without regard to case";
        IsCasecmp "casecmp?" (1, Some(1)) No [Str Sym] "whether it is the same text without regard to case";
        EachChar "each_char" (0, Some(0)) Must [Str] "runs the closure for each letter";
        EachLine "each_line" (0, Some(0)) Must [Str] "runs the closure for each line";
        Shellescape "shellescape" (0, Some(0)) No [Str] "quoted for a shell";
        IsAbsolute "absolute?" (0, Some(0)) No [Str] "whether a path begins at the root";
        IsRelative "relative?" (0, Some(0)) No [Str] "whether a path does not begin at the root";
        IsRoot "root?" (0, Some(0)) No [Str] "whether a path is the root";
        Dirname "dirname" (0, Some(0)) No [Str] "a path without its last part";
        Parent "parent" (0, Some(0)) No [Str] "the path above a path: without `.`, and with `/..` after one that ends in `..`";
        Basename "basename" (0, Some(1)) No [Str] "the last part of a path, without a suffix if it is given";
        Extname "extname" (0, Some(0)) No [Str] "the dot and what follows in the last part of a path";
        Ancestors "ancestors" (0, Some(0)) No [Str] "the paths above a path, outermost first";
        Expand "expand" (0, Some(1)) No [Str] "an absolute path without `.`, `..` and `~`, seen from a directory";
        Clean "clean" (0, Some(0)) No [Str] "a path without `.`, `..` and double slashes";
        IsWithin "within?" (1, Some(1)) No [Str] "whether a path is this directory or below it";
        Scheme "scheme" (0, Some(0)) No [Str] "the scheme of a URI, nil without one";
        Host "host" (0, Some(0)) No [Str] "the host of a URI, nil without one";
        Port "port" (0, Some(0)) No [Str] "the port of a URI or that of its scheme, nil without one";
        UriPath "path" (0, Some(0)) No [Str] "the path of a URI";
        Query "query" (0, Some(0)) No [Str] "what follows `?` in a URI, nil without one";
        Fragment "fragment" (0, Some(0)) No [Str] "what follows `#` in a URI, nil without one";
        Userinfo "userinfo" (0, Some(0)) No [Str] "the part before `@` in a URI, nil without one";
        WithUserinfo "with_userinfo" (1, Some(1)) No [Str] "the URI with this before `@`";
        IsIpv4 "ipv4?" (0, Some(0)) No [Str] "whether it is an IPv4 address, with or without `/prefix`";
        IsIpv6 "ipv6?" (0, Some(0)) No [Str] "whether it is an IPv6 address, with or without `/prefix`";
        IpAddress "ip_address" (0, Some(0)) No [Str] "an IP address in its usual form, without `/prefix`";
        IpPrefix "ip_prefix" (0, Some(0)) No [Str] "the length of the prefix after `/`, nil without one";
        IpNetwork "ip_network" (0, Some(0)) No [Str] "the network of an address with a prefix: `10.0.0.0/8`";
        IsInNetwork "in_network?" (1, Some(1)) No [Str] "whether an address is in a network";
        Abs "abs" (0, Some(0)) No [Int Float] "the amount without its sign";
        Ceil "ceil" (0, Some(1)) No [Int Float] "the next larger whole number, or with so many places";
        Floor "floor" (0, Some(1)) No [Int Float] "the next smaller whole number, or with so many places";
        Round "round" (0, Some(1)) No [Int Float] "the nearest whole number, or with so many places";
        Truncate "truncate" (0, Some(0)) No [Int Float] "the whole number towards zero";
        Div "div" (1, Some(1)) No [Int Float] "how often a number goes into it, rounded down";
        Fdiv "fdiv" (1, Some(1)) No [Int Float] "the quotient with a fraction";
        Modulo "modulo" (1, Some(1)) No [Int Float] "what is left when it is divided; has the sign of the divisor";
        Divmod "divmod" (1, Some(1)) No [Int Float] "the list of `div` and `modulo`";
        Pow "pow" (1, Some(1)) No [Int Float] "to the power of";
        IsEven "even?" (0, Some(0)) No [Int] "whether 2 divides it";
        IsOdd "odd?" (0, Some(0)) No [Int] "whether 2 does not divide it";
        IsZero "zero?" (0, Some(0)) No [Int Float] "whether it is 0";
        IsPositive "positive?" (0, Some(0)) No [Int Float] "whether it is more than 0";
        IsNegative "negative?" (0, Some(0)) No [Int Float] "whether it is less than 0";
        IsNan "nan?" (0, Some(0)) No [Float] "whether it is not a number";
        IsFinite "finite?" (0, Some(0)) No [Int Float] "whether it is not infinite";
        Succ "succ" (0, Some(0)) No [Int Str] "one more; the text after a text, as Ruby counts: `az` and `ba`, `a9` and `b0`";
        Pred "pred" (0, Some(0)) No [Int] "one less";
        Chr "chr" (0, Some(0)) No [Int Str] "the letter of this number; the first letter of a text";
        Digits "digits" (0, Some(1)) No [Int] "the list of its digits, the last one first";
        BitLength "bit_length" (0, Some(0)) No [Int] "how many bits it needs";
        Gcd "gcd" (1, Some(1)) No [Int] "the greatest common divisor";
        Lcm "lcm" (1, Some(1)) No [Int] "the least common multiple";
        BitAnd "bit_and" (1, Some(1)) No [Int] "the bits that both have";
        BitOr "bit_or" (1, Some(1)) No [Int] "the bits that one of both has";
        Times "times" (0, Some(0)) May [Int] "runs the closure for 0, 1, …; without one the list of these";
        Upto "upto" (1, Some(1)) May [Int] "runs the closure for each number up to another; without one the list";
        Downto "downto" (1, Some(1)) May [Int] "runs the closure for each number down to another; without one the list";
        First "first" (0, Some(1)) No [List Map] "the first element, or a list of so many";
        Last "last" (0, Some(1)) No [List] "the last element, or a list of so many";
        At "at" (1, Some(1)) No [List] "the element at a place, nil outside";
        FetchValues "fetch_values" (0, None) May [Map] "the list of the values of these keys, else what the closure gives, else an error";
        Fetch "fetch" (1, Some(2)) May [List Map] "the element or value, else the second argument, else an error";
        Dig "dig" (1, None) No [List Map] "the value at the end of a path of keys and indexes, nil if a step is missing";
        ValuesAt "values_at" (0, None) No [List Map] "the list of the values at these indexes or keys";
        Each "each" (0, Some(0)) Must [List Map] "runs the closure for each element or pair";
        EachPair "each_pair" (0, Some(0)) Must [Map] "the same as `each`";
        EachKey "each_key" (0, Some(0)) Must [Map] "runs the closure for each key";
        EachValue "each_value" (0, Some(0)) Must [Map] "runs the closure for each value";
        EachWithIndex "each_with_index" (0, Some(0)) May [List Map] "runs the closure for each element and its place";
        EachSlice "each_slice" (1, Some(1)) May [List Map] "lists of so many elements each";
        SliceWhen "slice_when" (0, Some(0)) Must [List Map] "the elements in lists, a new one begun where the closure is true for two that follow each other";
        ChunkWhile "chunk_while" (0, Some(0)) Must [List Map] "the elements in lists, a new one begun where the closure is not true for two that follow each other";
        EachCons "each_cons" (1, Some(1)) May [List Map] "all runs of so many elements";
        Map "map" (0, Some(0)) Must [List Map] "the list of what the closure gives";
        Collect "collect" (0, Some(0)) Must [List Map] "the same as `map`";
        FlatMap "flat_map" (0, Some(0)) Must [List Map] "the same as `map`, lists in it opened";
        FilterMap "filter_map" (0, Some(0)) Must [List Map] "what the closure gives where that is true";
        Select "select" (0, Some(0)) Must [List Map] "those for which the closure is true";
        Filter "filter" (0, Some(0)) Must [List Map] "the same as `select`";
        FindAll "find_all" (0, Some(0)) Must [List Map] "the same as `select`";
        Reject "reject" (0, Some(0)) Must [List Map] "those for which the closure is not true";
        Partition "partition" (0, Some(1)) May [Str List Map] "those for which the closure is true, and the others; of a text: the parts before, at and after a text or regex";
        Find "find" (0, Some(0)) Must [List Map] "the first for which the closure is true";
        Detect "detect" (0, Some(0)) Must [List Map] "the same as `find`";
        FindIndex "find_index" (0, Some(1)) May [List Map] "the place of an element, or of the first for which the closure is true";
        Index "index" (0, Some(2)) May [Str List] "the place of an element, text or regex, nil where there is none";
        Rindex "rindex" (0, Some(1)) May [Str List] "the last such place";
        Any "any?" (0, Some(1)) May [List Map] "whether the closure (the value itself, without one) is true for one";
        All "all?" (0, Some(1)) May [List Map] "whether it is true for all";
        None "none?" (0, Some(1)) May [List Map] "whether it is true for none";
        One "one?" (0, Some(1)) May [List Map] "whether it is true for exactly one";
        Count "count" (0, None) May [Str List Map] "how many there are, equal something or make the closure true; of a text: letters of a set";
        TakeWhile "take_while" (0, Some(0)) Must [List Map] "the elements before the first for which the closure is not true";
        DropWhile "drop_while" (0, Some(0)) Must [List Map] "the elements from there on";
        Sort "sort" (0, Some(0)) May [List Map] "sorted; the closure compares two";
        SortBy "sort_by" (0, Some(0)) Must [List Map] "sorted by what the closure gives";
        Min "min" (0, Some(0)) No [List Map] "the smallest";
        Max "max" (0, Some(0)) No [List Map] "the largest";
        Minmax "minmax" (0, Some(0)) No [List Map] "the list of the smallest and the largest";
        MinBy "min_by" (0, Some(0)) Must [List Map] "the one for which the closure gives the least";
        MaxBy "max_by" (0, Some(0)) Must [List Map] "the one for which the closure gives the most";
        Sum "sum" (0, Some(1)) May [List Map] "all added, beginning with 0 or the argument";
        Reduce "reduce" (0, Some(2)) May [List Map] "folds: `xs.reduce(0) { |sum, x| sum + x }`";
        Inject "inject" (0, Some(2)) May [List Map] "the same as `reduce`";
        GroupBy "group_by" (0, Some(0)) Must [List Map] "a map from what the closure gives to the list of those";
        Tally "tally" (0, Some(0)) No [List Map] "a map of how often each occurs";
        Uniq "uniq" (0, Some(0)) May [List Map] "without repetitions (of what the closure gives)";
        Flatten "flatten" (0, Some(1)) No [List] "with lists in it opened, down to a depth";
        Compact "compact" (0, Some(0)) No [List Map] "without nils";
        Reverse "reverse" (0, Some(0)) No [Str List] "the other way round";
        Rotate "rotate" (0, Some(1)) No [List] "with so many moved from the beginning to the end";
        Take "take" (1, Some(1)) No [List Map] "the first so many";
        Drop "drop" (1, Some(1)) No [List Map] "all but the first so many";
        Zip "zip" (0, None) No [List Map] "lists of elements of the same place";
        Product "product" (1, Some(1)) No [List] "all pairs with another list";
        Permutation "permutation" (0, Some(1)) No [List] "all orders of its elements, or of so many of them";
        Combination "combination" (1, Some(1)) No [List] "all selections of so many elements";
        Transpose "transpose" (0, Some(0)) No [List] "rows made columns";
        Join "join" (0, Some(1)) No [List] "the elements as one text, a text between";
        Push "push" (1, None) No [List] "a list with these at the end";
        Append "append" (1, None) No [List] "the same as `push`";
        Unshift "unshift" (1, None) No [List] "a list with these at the beginning";
        Prepend "prepend" (1, None) No [Str List] "the same as `unshift`; of a text: with these texts before it";
        Insert "insert" (2, None) No [Str List] "with elements or text inserted at an index";
        Put "put" (2, Some(2)) No [Str List Map] "with another element at an index, value of a key, or part of a text";
        Concat "concat" (0, None) No [Str List] "with other lists or texts appended";
        Union "union" (0, None) No [List] "the elements of all, each once";
        Difference "difference" (0, None) No [List] "without the elements of others";
        Intersection "intersection" (0, None) No [List] "the elements that all have, each once";
        Intersect "intersect?" (1, Some(1)) No [List] "whether both have an element";
        Captures "captures" (0, Some(0)) No [List] "the groups of a match: all but the first";
        Delete "delete" (1, None) No [Str List Map] "a list without an element, a map without keys, a text without letters of a set";
        KeepIf "keep_if" (0, Some(0)) Must [List Map] "the same as `select`";
        DeleteIf "delete_if" (0, Some(0)) Must [List Map] "the same as `reject`";
        IsKey "key?" (1, Some(1)) No [Map] "whether there is such a key";
        HasKey "has_key?" (1, Some(1)) No [Map] "the same as `key?`";
        IsValue "value?" (1, Some(1)) No [Map] "whether there is such a value";
        HasValue "has_value?" (1, Some(1)) No [Map] "the same as `value?`";
        Key "key" (1, Some(1)) No [Map] "the first key of a value, nil without one";
        Keys "keys" (0, Some(0)) No [Map] "the list of keys";
        Values "values" (0, Some(0)) No [Map] "the list of values";
        Merge "merge" (0, None) May [Map] "with the pairs of others; the closure decides between two values";
        Invert "invert" (0, Some(0)) No [Map] "values as keys, keys as values";
        Except "except" (0, None) No [Map] "without these keys";
        TransformValues "transform_values" (0, Some(0)) Must [Map] "with what the closure gives for each value";
        TransformKeys "transform_keys" (0, Some(0)) Must [Map] "with what the closure gives for each key";
        Source "source" (0, Some(0)) No [Regex] "the text between the slashes";
    }
}

impl Method {
    /// Returns whether values of this kind have the method. A resource has the methods of [`Receiver::Any`]; other names are attributes.
    pub fn belongs_to(self, kind: Receiver) -> bool {
        self.receivers().iter().any(|r| *r == Receiver::Any || *r == kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back_to_their_row() {
        for m in Method::ALL {
            assert_eq!(Method::named(m.name()), Some(*m));
            assert!(!m.receivers().is_empty(), "{}", m.name());
        }
        for f in Function::ALL {
            assert_eq!(Function::named(f.name()), Some(*f));
        }
    }

    #[test]
    fn arities_are_ranges() {
        for (name, a) in Method::ALL.iter().map(|m| (m.name(), m.arity())).chain(Function::ALL.iter().map(|f| (f.name(), f.arity()))) {
            assert!(a.max.is_none_or(|max| max >= a.min), "{name}");
        }
    }
}
