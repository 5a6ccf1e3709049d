//! The table of built-in functions and methods: name, arity, closure, receivers, result kinds, facts and documentation.
//!
//! `lower` resolves names with this table, `eval` implements the rows and charges costs by their facts, `typing` and completion infer
//! kinds from the results, and `describe --language` prints the documentation.
//!
//! Paths, URIs and IP addresses are plain strings: `path()`, `uri()` and `ip()` check and return the string itself, and operations on
//! them are string methods. Lists and maps are immutable: methods that modify their receiver in Ruby (`push`, `delete`, `insert`)
//! return a new value. A match is a list: the whole match, then its groups.

use crate::value::Value;

/// The number of arguments for a function or method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arity {
    /// The minimum.
    pub min: u8,
    /// The maximum; `None` for any number.
    pub max: Option<u8>,
}

/// The closure after a function's or method's arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClosureArgument {
    /// No closure.
    No,
    /// An optional closure.
    May,
    /// A required closure.
    Must,
}

/// A kind of value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValueKind {
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

impl ValueKind {
    /// Returns the plural noun for messages.
    pub const fn plural(self) -> &'static str {
        match self {
            ValueKind::Any => "all values",
            ValueKind::Nil => "nil",
            ValueKind::Bool => "booleans",
            ValueKind::Int => "integers",
            ValueKind::Float => "floats",
            ValueKind::Str => "strings",
            ValueKind::Binary => "binaries",
            ValueKind::Sym => "symbols",
            ValueKind::List => "lists",
            ValueKind::Map => "maps",
            ValueKind::Regex => "regexes",
            ValueKind::Resource => "resources",
            ValueKind::Object => "objects",
            ValueKind::Type => "data types",
        }
    }

    /// Returns the kind of a value, `None` if the value is unknown. A sensitive value has the kind of the wrapped value.
    pub fn of(value: &Value) -> Option<ValueKind> {
        Some(match value {
            Value::Nil => ValueKind::Nil,
            Value::Bool(_) => ValueKind::Bool,
            Value::Int(_) => ValueKind::Int,
            Value::Float(_) => ValueKind::Float,
            Value::Str(_) => ValueKind::Str,
            Value::Binary(_) => ValueKind::Binary,
            Value::Sym(_) => ValueKind::Sym,
            Value::Array(_) => ValueKind::List,
            Value::Map(_) => ValueKind::Map,
            Value::Regex(_) => ValueKind::Regex,
            Value::Resource(_) => ValueKind::Resource,
            Value::Object(_) => ValueKind::Object,
            Value::Type(_) => ValueKind::Type,
            Value::Sensitive(inner) => return ValueKind::of(inner),
            Value::Unknown => return None,
        })
    }
}

/// The platform features defined by Puppet and its core modules. A feature is absent if the machine lacks it or its presence cannot be
/// determined.
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

/// The kinds of value returned by a function or method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Returns {
    /// The kind of the receiver.
    Same,
    /// One of these kinds.
    Kinds(&'static [ValueKind]),
}

/// Facts about a method. The interpreter needs them for costs, secrets and unknown values, the checker for closures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Traits(u16);

impl Traits {
    /// No fact.
    const NONE: Traits = Traits(0);
    /// The closure is a condition on elements.
    pub const CONDITION: Traits = Traits(1);
    /// The method does not read the elements of a list or map, so they may be unknown.
    pub const UNREAD: Traits = Traits(1 << 1);
    /// The result is a part of the receiver.
    pub const PART: Traits = Traits(1 << 2);
    /// The method only moves elements, so sensitive elements stay wrapped.
    pub const REARRANGES: Traits = Traits(1 << 3);
    /// The result is a length, which is not a secret.
    pub const LENGTH: Traits = Traits(1 << 4);
    /// The cost does not depend on the length of a string.
    pub const FREE_STR: Traits = Traits(1 << 5);
    /// The cost does not depend on the length of a list.
    pub const FREE_LIST: Traits = Traits(1 << 6);
    /// The cost does not depend on the length of a map.
    pub const FREE_MAP: Traits = Traits(1 << 7);

    /// For a list, the result is a list of the receiver's elements.
    pub const ELEMENTS: Traits = Traits(1 << 8);
    /// The call fails for some values of the right kind, so that it may be a check: `Integer(v)`, `v.ip_address`.
    pub const CHECKS: Traits = Traits(1 << 9);
    /// The call does more than to compute a value.
    pub const EFFECT: Traits = Traits(1 << 10);

    const fn and(self, other: Traits) -> Traits {
        Traits(self.0 | other.0)
    }
}

macro_rules! returns {
    (Same) => { Returns::Same };
    ([$($kind:ident)*]) => { Returns::Kinds(&[$(ValueKind::$kind,)*]) };
}

macro_rules! builtins {
    ($(#[$meta:meta])* $enum:ident, $all:ident {
        $($variant:ident $name:literal ($min:literal, $max:expr) $block:ident $([$($on:ident)*])? -> $returns:tt $({$($fact:ident)*})? $doc:literal;)*
    }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs, reason = "the table next to each name describes it")]
        pub enum $enum { $($variant,)* }

        impl $enum {
            /// All variants, in the order of the table.
            pub const $all: &[$enum] = &[$($enum::$variant,)*];

            /// Returns the name in the language.
            pub const fn name(self) -> &'static str {
                match self { $($enum::$variant => $name,)* }
            }

            /// Returns the number of arguments.
            pub const fn arity(self) -> Arity {
                match self { $($enum::$variant => Arity { min: $min, max: $max },)* }
            }

            /// Returns the closure rule: none, optional or required.
            pub const fn block(self) -> ClosureArgument {
                match self { $($enum::$variant => ClosureArgument::$block,)* }
            }

            /// Returns the kinds of the receiver; a function has no receiver.
            pub const fn receivers(self) -> &'static [ValueKind] {
                match self { $($enum::$variant => &[$($(ValueKind::$on,)*)?],)* }
            }

            /// Returns the kinds of the result.
            pub const fn returns(self) -> Returns {
                match self { $($enum::$variant => returns!($returns),)* }
            }

            const fn traits(self) -> Traits {
                match self { $($enum::$variant => Traits::NONE$($(.and(Traits::$fact))*)?,)* }
            }

            /// Returns `true` if a fact in the table holds.
            pub const fn is(self, fact: Traits) -> bool {
                self.traits().0 & fact.0 != 0
            }

            /// Returns the documentation in one line.
            pub const fn doc(self) -> &'static str {
                match self { $($enum::$variant => $doc,)* }
            }

            /// Returns the function or method with this name.
            pub fn named(name: &str) -> Option<$enum> {
                match name { $($name => Some($enum::$variant),)* _ => None }
            }
        }
    };
}

builtins! {
    /// A built-in function: `fact("kernel")`.
    Function, ALL {
        Fact "fact" (1, Some(1)) No -> [Any] "the value of a fact; a dotted name reads a part; nil if the fact is unknown";
        Feature "feature" (1, Some(1)) No -> [Bool] "whether the platform has a feature: `feature(\"posix\")`";
        Setting "setting" (1, Some(1)) No -> [Any] "the value of a setting: `setting(\"show_diff\")`";
        Env "env" (1, Some(1)) No -> [Str Nil] "the value of an environment variable, nil if it is unset";
        Which "which" (1, Some(1)) No -> [Str Nil] "the path of a program, nil if it is not in the search path";
        Exists "exists" (1, Some(1)) No -> [Bool] "whether a file, directory or link exists at an absolute path";
        FilesBelow "files_below" (1, Some(2)) No -> [List Nil] {CHECKS} "the path of a file and all paths below, nil if the file does not exist; see [files](#files)";
        FileText "file_text" (1, Some(1)) No -> [Any] {CHECKS} "the content of the file at a path or source address, nil if it does not exist; see [files](#files)";
        Now "now" (0, Some(0)) No -> [Int] "the current time in seconds since 1970";
        Time "time" (1, Some(1)) No -> [Any] {CHECKS} "the time that a string names, in seconds since 1970; other strings are errors; see [times](#times)";
        FormatTime "format_time" (1, Some(2)) No -> [Str] {CHECKS} "a time (a string, or seconds since 1970) in ISO 8601, or in a given format: `format_time(v, \"%H:%M\")`";
        CurrentUser "current_user" (0, Some(0)) No -> [Str Nil] "the name of the user who runs rtype, nil if the user has no account";
        UidOf "uid_of" (1, Some(1)) No -> [Int Nil] "the number of a user, nil if there is no such user";
        GidOf "gid_of" (1, Some(1)) No -> [Int Nil] "the number of a group, nil if there is no such group";
        HomeDir "home_dir" (1, Some(1)) No -> [Str Nil] "the home directory of a user, nil if there is no such user";
        ServicePort "service_port" (1, Some(2)) No -> [Int Nil] "the port of a service for a protocol (default `tcp`), nil if it is unknown";
        Versioncmp "versioncmp" (2, Some(2)) No -> [Int] "-1, 0 or 1: compares two versions by Puppet's rules";
        GemVersion "gem_version" (1, Some(1)) No -> [Str] {CHECKS} "a version, if it is valid for RubyGems; other strings are errors";
        GemVersioncmp "gem_versioncmp" (2, Some(2)) No -> [Int] {CHECKS} "-1, 0 or 1: compares two versions by RubyGems' rules";
        GemSatisfies "gem_satisfies" (2, Some(2)) No -> [Bool] {CHECKS} "whether a version meets a requirement of RubyGems, or a list of requirements: `gem_satisfies(v, \"~> 1.2\")`";
        Path "path" (1, None) No -> [Str] "a path as a string, joined with further paths";
        JoinPaths "join_paths" (1, None) No -> [Str] "paths, or lists of paths, joined with `/`, even before absolute paths";
        Uri "uri" (1, Some(1)) No -> [Str] {CHECKS} "a URI as a string; other strings are errors; see `scheme`, `host`, …";
        Ip "ip" (1, Some(1)) No -> [Str] {CHECKS} "an IP address as a string, with or without `/prefix`; other strings are errors";
        Range "range" (2, Some(3)) No -> [Any] "a range: `range(1, 9).include?(n)`; a third argument `true` excludes the end";
        Re "re" (1, Some(2)) No -> [Regex] {CHECKS} "the regex of a string; flags are a second argument: `re(\"^#{x}\", \"i\")`";
        ReEscape "re_escape" (1, Some(1)) No -> [Str] "a string with the special characters of regexes escaped";
        Format "format" (1, None) No -> [Str] {CHECKS} "values in a format: `format(\"%.2f of %s\", n, name)`";
        Md5 "md5" (1, Some(1)) No -> [Str] "the MD5 digest of a string, in hexadecimal";
        Sha1 "sha1" (1, Some(1)) No -> [Str] "the SHA-1 digest of a string, in hexadecimal";
        Sha256 "sha256" (1, Some(1)) No -> [Str] "the SHA-256 digest of a string, in hexadecimal";
        Sha384 "sha384" (1, Some(1)) No -> [Str] "the SHA-384 digest of a string, in hexadecimal";
        Sha512 "sha512" (1, Some(1)) No -> [Str] "the SHA-512 digest of a string, in hexadecimal";
        Base64 "base64" (1, Some(1)) No -> [Str] "a string or binary in Base64, without line breaks";
        Integer "Integer" (1, Some(2)) No -> [Int] {CHECKS} "the integer that a string spells (`010` is 8, `0x1f` is 31); other strings are errors";
        Float "Float" (1, Some(1)) No -> [Float] {CHECKS} "the number that a string spells; other strings are errors";
        Array "Array" (1, Some(1)) No -> [List] "a list unchanged, nil as `[]`, a map as its pairs, any other value as a list of one";
        String "String" (1, Some(1)) No -> [Str] "a value as a string";
        TypeOf "type_of" (1, Some(1)) No -> [Str] "the class of a value in Ruby: `String`, `Hash`, `NilClass`";
        Sensitive "sensitive" (1, Some(1)) No -> [Any] "a value that is redacted from now on";
        Title "title" (1, Some(1)) No -> [Str] "the title of a resource";
        Ref "ref" (1, Some(1)) No -> [Str] "the reference of a resource as a string: `File[/etc/hosts]`";
        FileOf "file_of" (1, Some(1)) No -> [Str Nil] "the file that declares a resource, nil if it is unknown";
        LineOf "line_of" (1, Some(1)) No -> [Int Nil] "the line that declares a resource, nil if it is unknown";
        TypeName "type_name" (1, Some(1)) No -> [Sym] "the type of a resource as a symbol: `:file`";
        Resource "resource" (2, Some(3)) No -> [Resource] "a new resource for `generate`: type, title and a map of attributes";
        Object "object" (2, Some(2)) May -> [Object] "an object: class name and a map of parts; a closure computes the string form";
        Attributes "attributes" (0, None) No -> [Map] "a map of the given attributes that are set; without arguments, of all attributes";
        Metaparams "metaparams" (0, Some(0)) No -> [Map] "a map of all set metaparameters";
        Remember "remember" (2, Some(2)) No -> [Any] {EFFECT} "stores a value under a name for the messages of this comparison (`retrieve` and `insync` only)";
        Remembered "remembered" (1, Some(1)) No -> [Any] "the value that `remember` stored under a name, nil without one";
        Sync "sync" (1, Some(1)) No -> [Any] {EFFECT} "brings an attribute in sync if it is set and out of sync (actions only)";
        SyncOthers "sync_others" (0, Some(0)) No -> [Any] {EFFECT} "brings all other attributes in sync (actions only)";
        ToJson "to_json" (1, Some(2)) No -> [Str] "a value as JSON; a second argument `true` indents it";
        ParseJson "parse_json" (1, Some(1)) No -> [Any] {CHECKS} "the value of a JSON document; other strings are errors";
        ToYaml "to_yaml" (1, Some(1)) No -> [Str] "a value as YAML";
        ParseYaml "parse_yaml" (1, Some(1)) No -> [Any] {CHECKS} "the value of a YAML document; other strings are errors";
        Debug "debug" (1, Some(1)) No -> [Any] {EFFECT} "logs a message at level `debug`";
        Info "info" (1, Some(1)) No -> [Any] {EFFECT} "logs a message at level `info`";
        Notice "notice" (1, Some(1)) No -> [Any] {EFFECT} "logs a message at level `notice`";
        Warning "warning" (1, Some(1)) No -> [Any] {EFFECT} "logs a message at level `warning`";
        Err "err" (1, Some(1)) No -> [Any] {EFFECT} "logs a message at level `err`; the block goes on";
        Deprecated "deprecated" (1, Some(1)) No -> [Any] {EFFECT} "logs a deprecation warning";
    }
}

builtins! {
    /// A built-in method: `v.strip`.
    Method, ALL {
        ToS "to_s" (0, Some(1)) No [Any] -> [Str] {FREE_STR} "the value as a string; integers in a base: `255.to_s(16)`";
        Inspect "inspect" (0, Some(0)) No [Any] -> [Str] "the value as source code: `\"a\"`, `:b`, `[1, nil]`";
        IsA "is_a?" (1, Some(1)) No [Any] -> [Bool] {FREE_STR} "whether the value has a data type: `v.is_a?(String)`";
        KindOf "kind_of?" (1, Some(1)) No [Any] -> [Bool] {FREE_STR} "the same as `is_a?`";
        IsNil "nil?" (0, Some(0)) No [Any] -> [Bool] {FREE_STR FREE_LIST FREE_MAP UNREAD} "whether the value is nil";
        Eql "eql?" (1, Some(1)) No [Any] -> [Bool] "whether two values are equal and of one kind: 1 and 1.0 are not";
        Then "then" (0, Some(0)) Must [Any] -> [Any] "the result of the closure for the value";
        Itself "itself" (0, Some(0)) No [Any] -> Same "the value";
        Unwrap "unwrap" (0, Some(0)) No [Any] -> [Any] {FREE_STR FREE_LIST FREE_MAP PART} "the value; blocks read sensitive values without `unwrap`, too";
        ToJson "to_json" (0, Some(0)) No [Any] -> [Str] "the value as JSON";
        ToYaml "to_yaml" (0, Some(0)) No [Any] -> [Str] "the value as YAML";
        ToA "to_a" (0, Some(0)) No [Nil List Map] -> [List] "a list: nil becomes `[]`, a map becomes a list of pairs";
        ToH "to_h" (0, Some(0)) May [Nil List Map] -> [Map] "a map of pairs; the closure computes the pairs";
        ToI "to_i" (0, Some(1)) No [Nil Int Float Str] -> [Int] "the integer at the start of a string, else 0; in a base: `\"755\".to_i(8)`";
        ToF "to_f" (0, Some(0)) No [Nil Int Float Str] -> [Float] "the number at the start of a string, else 0.0";
        ToSym "to_sym" (0, Some(0)) No [Str Sym] -> [Sym] "the symbol with this name";
        Intern "intern" (0, Some(0)) No [Str Sym] -> [Sym] "the same as `to_sym`";
        Between "between?" (2, Some(2)) No [Int Float Str Sym] -> [Bool] "whether the value is between two values, inclusive";
        Clamp "clamp" (2, Some(2)) No [Int Float Str] -> [Any] "the value, or the nearer of two limits";
        Length "length" (0, Some(0)) No [Str Sym List Map] -> [Int] {UNREAD LENGTH FREE_LIST FREE_MAP} "the number of characters, elements or pairs";
        Size "size" (0, Some(0)) No [Str Sym List Map] -> [Int] {UNREAD LENGTH FREE_LIST FREE_MAP} "the same as `length`";
        Empty "empty?" (0, Some(0)) No [Str Sym List Map] -> [Bool] {UNREAD FREE_STR FREE_LIST FREE_MAP} "whether its length is 0";
        Include "include?" (1, Some(1)) No [Str List Map] -> [Bool] {FREE_MAP} "whether a string, element or key is included";
        Member "member?" (1, Some(1)) No [List Map] -> [Bool] "the same as `include?`";
        Strip "strip" (0, Some(0)) No [Str] -> [Str] "without whitespace at both ends";
        Lstrip "lstrip" (0, Some(0)) No [Str] -> [Str] "without whitespace at the start";
        Rstrip "rstrip" (0, Some(0)) No [Str] -> [Str] "without whitespace at the end";
        Chomp "chomp" (0, Some(1)) No [Str] -> [Str] "without a newline (or the given string) at the end";
        Chop "chop" (0, Some(0)) No [Str] -> [Str] "without the last character";
        Capitalize "capitalize" (0, Some(0)) No [Str Sym] -> Same "with the first letter in upper case, the others in lower case";
        Downcase "downcase" (0, Some(0)) No [Str Sym] -> Same "in lower case";
        Upcase "upcase" (0, Some(0)) No [Str Sym] -> Same "in upper case";
        Swapcase "swapcase" (0, Some(0)) No [Str Sym] -> Same "with upper and lower case exchanged";
        Split "split" (0, Some(2)) No [Str] -> [List] "the parts between whitespace, a string or a regex, at most the given number";
        Rpartition "rpartition" (1, Some(1)) No [Str] -> [List] "the parts before, at and after the last match of a string or regex";
        StartWith "start_with?" (0, None) No [Str Sym] -> [Bool] "whether it starts with any of the given strings or regexes";
        EndWith "end_with?" (0, None) No [Str Sym] -> [Bool] "whether it ends with any of the given strings";
        DeletePrefix "delete_prefix" (1, Some(1)) No [Str] -> [Str] "without the given string at the start";
        DeleteSuffix "delete_suffix" (1, Some(1)) No [Str] -> [Str] "without the given string at the end";
        DeleteChars "delete_chars" (1, None) No [Str] -> [Str] "without a set of characters: `s.delete_chars(\"a-z\")`";
        Squeeze "squeeze" (0, None) No [Str] -> [Str] "with repeated characters reduced to a single character";
        Tr "tr" (2, Some(2)) No [Str] -> [Str] "with characters replaced one by one: `s.tr(\"a-z\", \"A-Z\")`";
        Match "match" (1, Some(1)) No [Str Sym Regex] -> [List Nil] "the list of the match and its groups, nil without a match";
        IsMatch "match?" (1, Some(1)) No [Str Sym Regex] -> [Bool] "whether a regex matches; `$1` stays unchanged";
        NamedCaptures "named_captures" (1, Some(1)) No [Str Sym Regex] -> [Map Nil] "a map of the named groups of the match, nil without a match";
        Scan "scan" (1, Some(1)) May [Str] -> [Any] "all matches, or lists of their groups";
        Sub "sub" (1, Some(2)) May [Str] -> [Str] "with the first match replaced; `\\\\1` and `\\\\k<n>` refer to groups";
        Gsub "gsub" (1, Some(2)) May [Str] -> [Str] "with all matches replaced by a string, by values of a map or by results of the closure";
        Chars "chars" (0, Some(0)) No [Str] -> [List] "the list of characters";
        Lines "lines" (0, Some(0)) No [Str] -> [List] "the list of lines, with their newlines";
        Bytes "bytes" (0, Some(0)) No [Str] -> [List] "the list of bytes";
        Bytesize "bytesize" (0, Some(0)) No [Str] -> [Int] {LENGTH FREE_STR} "the number of bytes";
        Rjust "rjust" (1, Some(2)) No [Str] -> [Str] "padded on the left to a width";
        Ljust "ljust" (1, Some(2)) No [Str] -> [Str] "padded on the right to a width";
        Center "center" (1, Some(2)) No [Str] -> [Str] "padded on both sides to a width";
        Slice "slice" (1, None) No [Str List Map] -> [Any] {REARRANGES FREE_LIST} "the same as `[…]`; of a map: the pairs of the given keys";
        Ord "ord" (0, Some(0)) No [Int Str] -> [Int] "the code point of the first character";
        Hex "hex" (0, Some(0)) No [Str] -> [Int] "the hexadecimal number at the start of a string";
        Oct "oct" (0, Some(0)) No [Str] -> [Int] "the octal number at the start of a string";
        Casecmp "casecmp" (1, Some(1)) No [Str Sym] -> [Int Nil] "-1, 0 or 1: compares without regard to case";
        IsCasecmp "casecmp?" (1, Some(1)) No [Str Sym] -> [Bool Nil] "whether two strings are equal without regard to case";
        EachChar "each_char" (0, Some(0)) Must [Str] -> [Any] "calls the closure with each character";
        EachLine "each_line" (0, Some(0)) Must [Str] -> [Any] "calls the closure with each line";
        Shellescape "shellescape" (0, Some(0)) No [Str] -> [Str] "quoted for a shell";
        IsAbsolute "absolute?" (0, Some(0)) No [Str] -> [Bool] "whether a path is absolute";
        IsRelative "relative?" (0, Some(0)) No [Str] -> [Bool] "whether a path is relative";
        IsRoot "root?" (0, Some(0)) No [Str] -> [Bool] "whether a path is the root directory";
        Dirname "dirname" (0, Some(0)) No [Str] -> [Str] "a path without its last component";
        Parent "parent" (0, Some(0)) No [Str] -> [Str] "the parent of a path, without `.`; `..` at the end is kept and followed by `/..`";
        Basename "basename" (0, Some(1)) No [Str] -> [Str] "the last component of a path, without the given suffix";
        Extname "extname" (0, Some(0)) No [Str] -> [Str] "the extension of a path, including the dot";
        Ancestors "ancestors" (0, Some(0)) No [Str] -> [List] "the directories above a path, outermost first";
        Expand "expand" (0, Some(1)) No [Str] -> [Str] {CHECKS} "an absolute path without `.`, `..` and `~`, relative to a directory";
        Clean "clean" (0, Some(0)) No [Str] -> [Str] "a path without `.`, `..` and double slashes";
        IsWithin "within?" (1, Some(1)) No [Str] -> [Bool] "whether a path is the given directory or below it";
        Scheme "scheme" (0, Some(0)) No [Str] -> [Str Nil] {CHECKS} "the scheme of a URI, nil if missing";
        Host "host" (0, Some(0)) No [Str] -> [Str Nil] {CHECKS} "the host of a URI, nil if missing";
        Port "port" (0, Some(0)) No [Str] -> [Int Nil] {CHECKS} "the port of a URI, by default the usual port of the scheme, nil if missing";
        UriPath "path" (0, Some(0)) No [Str] -> [Str Nil] {CHECKS} "the path of a URI";
        Query "query" (0, Some(0)) No [Str] -> [Str Nil] {CHECKS} "the part after `?` of a URI, nil without one";
        Fragment "fragment" (0, Some(0)) No [Str] -> [Str Nil] {CHECKS} "the part after `#` of a URI, nil without one";
        Userinfo "userinfo" (0, Some(0)) No [Str] -> [Str Nil] {CHECKS} "the part before `@` of a URI, nil without one";
        WithUserinfo "with_userinfo" (1, Some(1)) No [Str] -> [Str] {CHECKS} "the URI with the given part before `@`";
        IsIpv4 "ipv4?" (0, Some(0)) No [Str] -> [Bool] "whether it is an IPv4 address, with or without `/prefix`";
        IsIpv6 "ipv6?" (0, Some(0)) No [Str] -> [Bool] "whether it is an IPv6 address, with or without `/prefix`";
        IpAddress "ip_address" (0, Some(0)) No [Str] -> [Str] {CHECKS} "an IP address in canonical form, without `/prefix`";
        IpPrefix "ip_prefix" (0, Some(0)) No [Str] -> [Int Nil] {CHECKS} "the prefix length after `/`, nil without one";
        IpNetwork "ip_network" (0, Some(0)) No [Str] -> [Str] {CHECKS} "the network of an address with a prefix: `10.0.0.0/8`";
        IsInNetwork "in_network?" (1, Some(1)) No [Str] -> [Bool] {CHECKS} "whether an address is in a network";
        Abs "abs" (0, Some(0)) No [Int Float] -> Same "the absolute value";
        Ceil "ceil" (0, Some(1)) No [Int Float] -> [Int Float] "rounded up to an integer, or to a number of decimal places";
        Floor "floor" (0, Some(1)) No [Int Float] -> [Int Float] "rounded down to an integer, or to a number of decimal places";
        Round "round" (0, Some(1)) No [Int Float] -> [Int Float] "rounded to the nearest integer, or to a number of decimal places";
        Truncate "truncate" (0, Some(0)) No [Int Float] -> [Int] "rounded towards zero";
        Div "div" (1, Some(1)) No [Int Float] -> [Int] "the quotient, rounded down";
        Fdiv "fdiv" (1, Some(1)) No [Int Float] -> [Float] "the quotient as a float";
        Modulo "modulo" (1, Some(1)) No [Int Float] -> [Int Float] "the remainder, with the sign of the divisor";
        Divmod "divmod" (1, Some(1)) No [Int Float] -> [List] "the list of `div` and `modulo`";
        Pow "pow" (1, Some(1)) No [Int Float] -> [Int Float] "to the given power";
        IsEven "even?" (0, Some(0)) No [Int] -> [Bool] "whether it is even";
        IsOdd "odd?" (0, Some(0)) No [Int] -> [Bool] "whether it is odd";
        IsZero "zero?" (0, Some(0)) No [Int Float] -> [Bool] "whether it is 0";
        IsPositive "positive?" (0, Some(0)) No [Int Float] -> [Bool] "whether it is greater than 0";
        IsNegative "negative?" (0, Some(0)) No [Int Float] -> [Bool] "whether it is less than 0";
        IsNan "nan?" (0, Some(0)) No [Float] -> [Bool] "whether it is not a number";
        IsFinite "finite?" (0, Some(0)) No [Int Float] -> [Bool] "whether it is finite";
        Succ "succ" (0, Some(0)) No [Int Str] -> Same "plus one; the next string in Ruby's order: `az` and `ba`, `a9` and `b0`";
        Pred "pred" (0, Some(0)) No [Int] -> [Int] "minus one";
        Chr "chr" (0, Some(0)) No [Int Str] -> [Str] {CHECKS} "the character with this code point; the first character of a string";
        Digits "digits" (0, Some(1)) No [Int] -> [List] "the list of digits, least significant first";
        BitLength "bit_length" (0, Some(0)) No [Int] -> [Int] "the number of bits";
        Gcd "gcd" (1, Some(1)) No [Int] -> [Int] "the greatest common divisor";
        Lcm "lcm" (1, Some(1)) No [Int] -> [Int] "the least common multiple";
        BitAnd "bit_and" (1, Some(1)) No [Int] -> [Int] "the bits set in both";
        BitOr "bit_or" (1, Some(1)) No [Int] -> [Int] "the bits set in either";
        Times "times" (0, Some(0)) May [Int] -> [Any] "calls the closure with 0, 1, …; without a closure, the list of these";
        Upto "upto" (1, Some(1)) May [Int] -> [Any] "calls the closure with each integer up to another; without a closure, the list";
        Downto "downto" (1, Some(1)) May [Int] -> [Any] "calls the closure with each integer down to another; without a closure, the list";
        First "first" (0, Some(1)) No [List Map] -> [Any] {UNREAD PART FREE_LIST FREE_MAP} "the first element, or a list of the given number";
        Last "last" (0, Some(1)) No [List] -> [Any] {UNREAD PART FREE_LIST} "the last element, or a list of the given number";
        At "at" (1, Some(1)) No [List] -> [Any] {PART FREE_LIST} "the element at an index, nil outside";
        FetchValues "fetch_values" (0, None) May [Map] -> [List] {CHECKS} "the values of the given keys; missing keys are computed by the closure, else errors";
        Fetch "fetch" (1, Some(2)) May [List Map] -> [Any] {PART FREE_LIST FREE_MAP CHECKS} "the element or value, else the second argument, else an error";
        Dig "dig" (1, None) No [List Map] -> [Any] {PART FREE_LIST FREE_MAP} "the value at the end of a path of keys and indexes, nil if one is missing";
        ValuesAt "values_at" (0, None) No [List Map] -> [List] "the values at the given indexes or keys";
        Each "each" (0, Some(0)) Must [List Map] -> [Any] {UNREAD} "calls the closure with each element or pair";
        EachPair "each_pair" (0, Some(0)) Must [Map] -> [Any] "the same as `each`";
        EachKey "each_key" (0, Some(0)) Must [Map] -> [Any] "calls the closure with each key";
        EachValue "each_value" (0, Some(0)) Must [Map] -> [Any] "calls the closure with each value";
        EachWithIndex "each_with_index" (0, Some(0)) May [List Map] -> [Any] {UNREAD} "calls the closure with each element and its index";
        EachSlice "each_slice" (1, Some(1)) May [List Map] -> [Any] "consecutive sublists of the given length";
        SliceWhen "slice_when" (0, Some(0)) Must [List Map] -> [List] {CONDITION} "sublists; a new one starts between two elements for which the closure is true";
        ChunkWhile "chunk_while" (0, Some(0)) Must [List Map] -> [List] {CONDITION} "sublists; a new one starts between two elements for which the closure is not true";
        EachCons "each_cons" (1, Some(1)) May [List Map] -> [Any] "all runs of the given length";
        Map "map" (0, Some(0)) Must [List Map] -> [List] {UNREAD} "the results of the closure";
        Collect "collect" (0, Some(0)) Must [List Map] -> [List] {UNREAD} "the same as `map`";
        FlatMap "flat_map" (0, Some(0)) Must [List Map] -> [List] "the results of the closure, with lists flattened by one level";
        FilterMap "filter_map" (0, Some(0)) Must [List Map] -> [List] "the true results of the closure";
        Select "select" (0, Some(0)) Must [List Map] -> Same {CONDITION UNREAD ELEMENTS} "the elements for which the closure is true";
        Filter "filter" (0, Some(0)) Must [List Map] -> Same {CONDITION UNREAD ELEMENTS} "the same as `select`";
        FindAll "find_all" (0, Some(0)) Must [List Map] -> [List] {CONDITION ELEMENTS} "the same as `select`";
        Reject "reject" (0, Some(0)) Must [List Map] -> Same {CONDITION UNREAD ELEMENTS} "the elements for which the closure is not true";
        Partition "partition" (0, Some(1)) May [Str List Map] -> [List] {CONDITION} "the elements for which the closure is true, and the others; of a string: the parts before, at and after a string or regex";
        Find "find" (0, Some(0)) Must [List Map] -> [Any] {CONDITION UNREAD PART} "the first element for which the closure is true";
        Detect "detect" (0, Some(0)) Must [List Map] -> [Any] {CONDITION UNREAD PART} "the same as `find`";
        FindIndex "find_index" (0, Some(1)) May [List Map] -> [Int Nil] {CONDITION} "the index of an element, or of the first for which the closure is true";
        Index "index" (0, Some(2)) May [Str List] -> [Int Nil] "the index of an element, string or regex, nil if it is not found";
        Rindex "rindex" (0, Some(1)) May [Str List] -> [Int Nil] "the last such index";
        Any "any?" (0, Some(1)) May [List Map] -> [Bool] {CONDITION UNREAD} "whether the closure (without one: the element) is true for any element";
        All "all?" (0, Some(1)) May [List Map] -> [Bool] {CONDITION UNREAD} "whether the closure is true for all elements";
        None "none?" (0, Some(1)) May [List Map] -> [Bool] {CONDITION UNREAD} "whether the closure is true for no element";
        One "one?" (0, Some(1)) May [List Map] -> [Bool] {CONDITION UNREAD} "whether the closure is true for exactly one element";
        Count "count" (0, None) May [Str List Map] -> [Int] {CONDITION LENGTH} "the number of elements, all or equal to a value or accepted by the closure; in a string, the number of characters in a set";
        TakeWhile "take_while" (0, Some(0)) Must [List Map] -> [List] {CONDITION ELEMENTS} "the elements before the first for which the closure is not true";
        DropWhile "drop_while" (0, Some(0)) Must [List Map] -> [List] {CONDITION ELEMENTS} "the elements from the first for which the closure is not true";
        Sort "sort" (0, Some(0)) May [List Map] -> [List] {ELEMENTS} "sorted; the closure compares two elements";
        SortBy "sort_by" (0, Some(0)) Must [List Map] -> [List] {ELEMENTS} "sorted by the results of the closure";
        Min "min" (0, Some(0)) No [List Map] -> [Any] {PART} "the smallest element";
        Max "max" (0, Some(0)) No [List Map] -> [Any] {PART} "the largest element";
        Minmax "minmax" (0, Some(0)) No [List Map] -> [List] "the list of the smallest and the largest element";
        MinBy "min_by" (0, Some(0)) Must [List Map] -> [Any] {PART} "the element with the smallest result of the closure";
        MaxBy "max_by" (0, Some(0)) Must [List Map] -> [Any] {PART} "the element with the largest result of the closure";
        Sum "sum" (0, Some(1)) May [List Map] -> [Any] "the sum, starting with 0 or the argument";
        Reduce "reduce" (0, Some(2)) May [List Map] -> [Any] "folds: `xs.reduce(0) { |sum, x| sum + x }`";
        Inject "inject" (0, Some(2)) May [List Map] -> [Any] "the same as `reduce`";
        GroupBy "group_by" (0, Some(0)) Must [List Map] -> [Map] "a map from each result of the closure to the list of its elements";
        Tally "tally" (0, Some(0)) No [List Map] -> [Map] "a map from each element to its number of occurrences";
        Uniq "uniq" (0, Some(0)) May [List Map] -> [List] {ELEMENTS} "without duplicates; with a closure, elements with equal results are duplicates";
        Flatten "flatten" (0, Some(1)) No [List] -> [List] "with nested lists flattened, up to a depth";
        Compact "compact" (0, Some(0)) No [List Map] -> Same {REARRANGES ELEMENTS} "without nils";
        Reverse "reverse" (0, Some(0)) No [Str List] -> Same {ELEMENTS} "in reverse order";
        Rotate "rotate" (0, Some(1)) No [List] -> [List] {ELEMENTS} "with the given number of elements moved from the start to the end";
        Take "take" (1, Some(1)) No [List Map] -> [List] {ELEMENTS} "the first elements, as many as given";
        Drop "drop" (1, Some(1)) No [List Map] -> [List] {ELEMENTS} "without the first elements, as many as given";
        Zip "zip" (0, None) No [List Map] -> [List] "lists of the elements at the same index";
        Product "product" (1, Some(1)) No [List] -> [List] "all pairs with the elements of another list";
        Permutation "permutation" (0, Some(1)) No [List] -> [List] "all permutations, or all permutations of the given length";
        Combination "combination" (1, Some(1)) No [List] -> [List] "all combinations of the given length";
        Transpose "transpose" (0, Some(0)) No [List] -> [List] "rows and columns exchanged";
        Join "join" (0, Some(1)) No [List] -> [Str] "the elements as one string, with a separator";
        Push "push" (1, None) No [List] -> [List] "with elements added at the end";
        Append "append" (1, None) No [List] -> [List] "the same as `push`";
        Unshift "unshift" (1, None) No [List] -> [List] "with elements added at the start";
        Prepend "prepend" (1, None) No [Str List] -> Same "the same as `unshift`; of a string: with strings added at the start";
        Insert "insert" (2, None) No [Str List] -> Same "with elements or a string inserted at an index";
        Put "put" (2, Some(2)) No [Str List Map] -> Same "with the element at an index, the value of a key or a part of a string replaced";
        Concat "concat" (0, None) No [Str List] -> Same "with other lists or strings added at the end";
        Union "union" (0, None) No [List] -> [List] "the elements of all lists, without duplicates";
        Difference "difference" (0, None) No [List] -> [List] "without the elements of other lists";
        Intersection "intersection" (0, None) No [List] -> [List] "the elements that all lists have, without duplicates";
        Intersect "intersect?" (1, Some(1)) No [List] -> [Bool] "whether two lists have a common element";
        Captures "captures" (0, Some(0)) No [List] -> [List] "the groups of a match: all elements but the first";
        Delete "delete" (1, None) No [Str List Map] -> Same "a list without an element, a map without keys, a string without a set of characters";
        KeepIf "keep_if" (0, Some(0)) Must [List Map] -> Same {CONDITION ELEMENTS} "the same as `select`";
        DeleteIf "delete_if" (0, Some(0)) Must [List Map] -> Same {CONDITION ELEMENTS} "the same as `reject`";
        IsKey "key?" (1, Some(1)) No [Map] -> [Bool] {FREE_MAP} "whether a key exists";
        HasKey "has_key?" (1, Some(1)) No [Map] -> [Bool] {FREE_MAP} "the same as `key?`";
        IsValue "value?" (1, Some(1)) No [Map] -> [Bool] "whether a value exists";
        HasValue "has_value?" (1, Some(1)) No [Map] -> [Bool] "the same as `value?`";
        Key "key" (1, Some(1)) No [Map] -> [Any] "the first key with a value, nil without one";
        Keys "keys" (0, Some(0)) No [Map] -> [List] "the list of keys";
        Values "values" (0, Some(0)) No [Map] -> [List] "the list of values";
        Merge "merge" (0, None) May [Map] -> [Map] {REARRANGES} "with the pairs of other maps; the closure decides between two values";
        Invert "invert" (0, Some(0)) No [Map] -> [Map] "with keys and values exchanged";
        Except "except" (0, None) No [Map] -> [Map] {REARRANGES} "without the given keys";
        TransformValues "transform_values" (0, Some(0)) Must [Map] -> [Map] "with each value replaced by the result of the closure";
        TransformKeys "transform_keys" (0, Some(0)) Must [Map] -> [Map] "with each key replaced by the result of the closure";
        Source "source" (0, Some(0)) No [Regex] -> [Str] "the text between the slashes";
    }
}

impl Method {
    /// Returns `true` if values of this kind have the method. A resource has the methods of [`ValueKind::Any`]; other names are
    /// attributes.
    pub fn belongs_to(self, kind: ValueKind) -> bool {
        self.receivers().iter().any(|r| *r == ValueKind::Any || *r == kind)
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
