//! Compares syntax trees without spans.
//!
//!
//! Each field is listed by name, so that the compiler reports a forgotten field.

use super::ast::*;
use crate::source::Span;
use crate::value::{EcoString, Flags};

pub(super) trait Same {
    fn same(&self, other: &Self) -> bool;
}

impl Same for Span {
    fn same(&self, _: &Self) -> bool {
        true
    }
}

impl Same for f64 {
    fn same(&self, other: &Self) -> bool {
        self.to_bits() == other.to_bits()
    }
}

impl<T: Same> Same for Vec<T> {
    fn same(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().zip(other).all(|(one, other)| one.same(other))
    }
}

impl<T: Same> Same for Option<T> {
    fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Some(one), Some(other)) => one.same(other),
            (None, None) => true,
            _ => false,
        }
    }
}

impl<T: Same> Same for Box<T> {
    fn same(&self, other: &Self) -> bool {
        (**self).same(&**other)
    }
}

impl<A: Same, B: Same> Same for (A, B) {
    fn same(&self, other: &Self) -> bool {
        self.0.same(&other.0) && self.1.same(&other.1)
    }
}

macro_rules! plain {
    ($($name:ty)*) => { $(impl Same for $name {
        fn same(&self, other: &Self) -> bool {
            self == other
        }
    })* };
}

macro_rules! structs {
    ($($name:ident { $($field:ident)* })*) => { $(impl Same for $name {
        fn same(&self, other: &Self) -> bool {
            let $name { $($field),* } = self;
            true $(&& $field.same(&other.$field))*
        }
    })* };
}

// Each field has two names, for the values in the first and in the second tree.
macro_rules! enums {
    ($($name:ident {
        $($unit:ident)*;
        $($tuple:ident($($one:ident $other:ident),*))*;
        $($braces:ident { $($field:ident: $left:ident $right:ident),* })*
    })*) => { $(impl Same for $name {
        fn same(&self, other: &Self) -> bool {
            match (self, other) {
                $(($name::$unit, $name::$unit) => true,)*
                $(($name::$tuple($($one),*), $name::$tuple($($other),*)) => true $(&& $one.same($other))*,)*
                $(($name::$braces { $($field: $left),* }, $name::$braces { $($field: $right),* }) => true $(&& $left.same($right))*,)*
                _ => false,
            }
        }
    })* };
}

plain! { bool i64 u32 EcoString Flags Quote UnaryOp BinaryOp Arrow }

structs! {
    Ident { name span }
    Use { path path_span span }
    Declaration { name params options body span }
    Param { name default }
    Body { directives span }
    Directive { name is_override args options condition block span }
    Opt { name value }
    Condition { negated test }
    TitlePatternRow { pattern attributes span }
    FnDecl { name params body span }
    FeatureDecl { doc test }
    ConstDecl { name value span }
    TypeAliasDecl { name value span }
    TestDecl { title steps span }
    Expr { kind span }
    Call { name args named closure parens }
    Failing { message at error }
    Closure { params body span }
    Block { statements span }
    Arm { patterns guard body braces span }
    StrLit { parts quote span }
    RegexLit { source flags source_span }
    ResourceDecl { type_name bodies span }
    ResourceBody { title attributes span }
    AttributeDecl { name value }
    DefaultsDecl { type_name attributes span }
    PuppetExpr { kind span }
}

enums! {
    Item {
        ;
        Use(a b) Type(a b) Provider(a b) Kind(a b) Mixin(a b) Fn(a b) Const(a b) Feature(a b) TypeAlias(a b) Test(a b) Error(a b);
    }
    DirectiveBlock {
        ;
        Body(a b) Code(a b) TitlePatterns(a b, c d) Fn(a b) Const(a b) TypeAlias(a b);
    }
    TestStep {
        ;
        Setup(a b, c d) Also(a b, c d) Declare(a b) Expect(a b, c d) Rejects(a b, c d, e f);
    }
    ExprKind {
        Nil SelfRef Error;
        Bool(a b) Int(a b) Float(a b) Str(a b) Symbol(a b) Regex(a b) Words(a b) Array(a b) Map(a b) Word(a b) Name(a b) Splat(a b)
        Super(a b) Capture(a b) Call(a b) Method(a b, c d) Index(a b, c d) Unary(a b, c d) Ternary(a b, c d, e f) Match(a b, c d)
        Fail(a b) Return(a b) Next(a b) Let(a b, c d) Modified(a b, c d) Paren(a b);
        Range { from: a b, to: c d, exclusive: e f }
        Binary { op: a b, op_span: c d, left: e f, right: g h }
        If { branches: a b, otherwise: c d }
        Try { body: a b, errors: c d, params: e f, otherwise: g h }
        Assign { target: a b, add: c d, value: e f }
    }
    StrPart {
        ;
        Text(a b) Expr(a b);
    }
    Statement {
        ;
        Resource(a b) Defaults(a b) Chain(a b, c d, e f) Error(a b);
    }
    ChainOperand {
        ;
        References(a b) Resource(a b);
    }
    PuppetValue {
        Undef Default Error;
        Bool(a b) Int(a b) Float(a b) Str(a b) Interpolated(a b) Regex(a b) Array(a b) Hash(a b) Reference(a b, c d) Sensitive(a b) Binary(a b)
        Deferred(a b) Fact(a b) Variable(a b);
    }
}

#[cfg(test)]
mod tests {
    use crate::source::SourceMap;
    use crate::syntax::{parse_types, same_tree, tree};

    /// Removes each word and operator in turn, and checks that the trees differ whenever their printed forms do.
    #[test]
    fn trees_differ_where_their_texts_do() {
        let text = include_str!("../../../../tests/syntax/ok/everything.rtype");
        let parse = |text: &str| {
            let map = SourceMap::new();
            parse_types(&map.add("x", text).unwrap())
        };
        let (whole, _) = parse(text);
        let mut differ = 0;
        for (at, c) in text.char_indices().step_by(29).filter(|(_, c)| !c.is_whitespace()) {
            let (other, _) = parse(&format!("{}{}", &text[..at], &text[at + c.len_utf8()..]));
            assert_eq!(same_tree(&whole, &other), tree(&whole) == tree(&other), "without byte {at}");
            differ += u32::from(!same_tree(&whole, &other));
        }
        assert!(differ > 20);
        assert!(same_tree(&whole, &parse(&format!("\n\n{text}")).0));
    }
}
