//! The table of the language's own functions and methods: names, arguments, one line of doc each.
//!
//! `lower` looks names up here, `eval` does the work, `describe --language` prints it. Nothing is listed twice.

/// How many arguments are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arity {
    /// At least.
    pub min: u8,
    /// At most; `None`: any number.
    pub max: Option<u8>,
}

/// Whether a closure stands behind the arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Block {
    /// None is taken.
    No,
    /// One may be given.
    May,
    /// One must be given.
    Must,
}

macro_rules! builtins {
    ($(#[$meta:meta])* $enum:ident, $all:ident { $($variant:ident $name:literal ($min:literal, $max:expr) $block:ident $doc:literal;)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs, reason = "the table beside each name says what it is")]
        pub enum $enum { $($variant,)* }

        impl $enum {
            /// All in the order of the table.
            pub const $all: &[$enum] = &[$($enum::$variant,)*];

            /// Its name.
            pub const fn name(self) -> &'static str {
                match self { $($enum::$variant => $name,)* }
            }

            /// How many arguments it takes.
            pub const fn arity(self) -> Arity {
                match self { $($enum::$variant => Arity { min: $min, max: $max },)* }
            }

            /// Whether it takes a closure.
            pub const fn block(self) -> Block {
                match self { $($enum::$variant => Block::$block,)* }
            }

            /// What it gives, in one line.
            pub const fn doc(self) -> &'static str {
                match self { $($enum::$variant => $doc,)* }
            }

            /// The one of this name.
            pub fn named(name: &str) -> Option<$enum> {
                match name { $($name => Some($enum::$variant),)* _ => None }
            }
        }
    };
}

builtins! {
    /// A function of the language: `fact("kernel")`.
    Function, ALL {
        Fact "fact" (1, Some(1)) No "the fact of this dotted name, nil where there is none";
    }
}

builtins! {
    /// A method of the language's values: `v.strip`.
    Method, ALL {
        ToS "to_s" (0, Some(0)) No "the value as text";
    }
}
