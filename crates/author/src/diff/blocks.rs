//! Determines whether two blocks are the same by comparing their lowered trees without spans, so that layout and comments are
//! ignored.
//!
//! Attributes and functions are indices in a tree; the attributes and functions themselves are compared. In doubt, blocks differ.

use rtype_lang::types::{CodeBlock, FactTest, FactValue, Function, Lambda, Layers, MatchArm, Node, Op, Pattern, TypeDef, ValueStep};
use std::cell::RefCell;
use std::collections::HashSet;

/// Compares the blocks in two versions of a type.
pub struct Blocks<'a> {
    old: &'a TypeDef,
    new: &'a TypeDef,
    /// Pairs of functions already compared or under comparison, so that recursion ends.
    seen: RefCell<HashSet<(u16, u16)>>,
}

impl<'a> Blocks<'a> {
    pub fn new(old: &'a TypeDef, new: &'a TypeDef) -> Blocks<'a> {
        Blocks { old, new, seen: RefCell::default() }
    }

    pub fn same(&self, old: &CodeBlock, new: &CodeBlock) -> bool {
        let (a, b) = (&old.inner, &new.inner);
        // Each comparison visits the functions again, so that a difference in a function is not missed.
        self.seen.borrow_mut().clear();
        a.params == b.params && self.node(&a.body, &b.body) && both(a.replaced.as_ref(), b.replaced.as_ref(), |a, b| self.same(a, b))
    }

    pub fn same_maybe(&self, old: Option<&CodeBlock>, new: Option<&CodeBlock>) -> bool {
        both(old, new, |a, b| self.same(a, b))
    }

    /// Compares the layers of `munge`: all steps except checks.
    pub fn same_layers(&self, old: &Layers, new: &Layers) -> bool {
        let steps = |l: &Layers| {
            l.steps.iter().filter(|s| matches!(s, ValueStep::Native | ValueStep::Values | ValueStep::Code(_))).cloned().collect::<Vec<_>>()
        };
        let same = |a: &ValueStep, b: &ValueStep| match (a, b) {
            (ValueStep::Code(a), ValueStep::Code(b)) => self.same(a, b),
            (a, b) => std::mem::discriminant(a) == std::mem::discriminant(b),
        };
        all(&steps(old), &steps(new), same) && both(old.dropped.as_deref(), new.dropped.as_deref(), |a, b| self.same_layers(a, b))
    }

    fn node(&self, old: &Node, new: &Node) -> bool {
        use Op::*;
        match (&old.op, &new.op) {
            (Const(a), Const(b)) => a == b && std::mem::discriminant(a) == std::mem::discriminant(b),
            (Local(a), Local(b)) => a == b,
            (SetLocal(i, a), SetLocal(j, b)) => i == j && self.node(a, b),
            (Destructure(i, a), Destructure(j, b)) => i == j && self.node(a, b),
            (Concat(a), Concat(b)) | (Array(a), Array(b)) | (Seq(a), Seq(b)) => self.nodes(a, b),
            (Map(a), Map(b)) => self.pairs(a, b),
            (Range(a, b, c), Range(x, y, z)) => c == z && self.maybe(a.as_deref(), x.as_deref()) && self.maybe(b.as_deref(), y.as_deref()),
            (SelfRef, SelfRef) | (SelfManaged, SelfManaged) | (Attribute, Attribute) | (Should, Should) | (ProviderName, ProviderName) => {
                true
            }
            (SelfAttr(a), SelfAttr(b)) | (SelfTrue(a), SelfTrue(b)) => self.attribute(*a) == self.attribute_new(*b),
            (SetSelf(i, a), SetSelf(j, b)) => self.attribute(*i) == self.attribute_new(*j) && self.node(a, b),
            (SetSelfIndex(i, a), SetSelfIndex(j, b)) => self.node(i, j) && self.node(a, b),
            (SelfIndex(a), SelfIndex(b))
            | (SelfIsSet(a), SelfIsSet(b))
            | (SelfDeclared(a), SelfDeclared(b))
            | (SelfRaw(a), SelfRaw(b))
            | (SelfValues(a), SelfValues(b))
            | (ProviderHas(a), ProviderHas(b))
            | (Not(a), Not(b))
            | (Negate(a), Negate(b)) => self.node(a, b),
            (Is(a), Is(b)) | (Return(a), Return(b)) | (Next(a), Next(b)) => self.maybe(a.as_deref(), b.as_deref()),
            (Provider(m, a), Provider(n, b)) => m == n && self.nodes(a, b),
            (SetProvider(m, a), SetProvider(n, b)) => m == n && self.node(a, b),
            (Catalog(m, a), Catalog(n, b)) => m == n && self.nodes(a, b),
            (Super(a), Super(b)) => both(a.as_deref(), b.as_deref(), |a, b| self.nodes(a, b)),
            (Capture(a), Capture(b)) => a == b,
            (CallFn(f, a), CallFn(g, b)) => self.function(*f, *g) && self.nodes(a, b),
            (Call(f, a, k), Call(g, b, l)) => f == g && self.nodes(a, b) && self.lambda(k.as_deref(), l.as_deref()),
            (Method(f, x, a, k), Method(g, y, b, l)) => {
                f == g && self.node(x, y) && self.nodes(a, b) && self.lambda(k.as_deref(), l.as_deref())
            }
            (ResourceAttr(a, m), ResourceAttr(b, n)) => m == n && self.node(a, b),
            (Index(x, a), Index(y, b)) => self.node(x, y) && self.nodes(a, b),
            (Binary(o, a, b), Binary(p, x, y)) => o == p && self.node(a, x) && self.node(b, y),
            (If(a, b), If(x, y)) => self.pairs(a, x) && self.maybe(b.as_deref(), y.as_deref()),
            (Match(a, b), Match(x, y)) => self.node(a, x) && all(b, y, |a, b| self.arm(a, b)),
            (Try(a, b), Try(x, y)) => {
                b.errors == y.errors && (b.slot, b.class) == (y.slot, y.class) && self.node(a, x) && self.node(&b.body, &y.body)
            }
            (Fail(a, b, c), Fail(x, y, z)) => c == z && self.node(a, x) && self.maybe(b.as_deref(), y.as_deref()),
            _ => false,
        }
    }

    fn nodes(&self, old: &[Node], new: &[Node]) -> bool {
        all(old, new, |a, b| self.node(a, b))
    }

    fn pairs(&self, old: &[(Node, Node)], new: &[(Node, Node)]) -> bool {
        all(old, new, |a, b| self.node(&a.0, &b.0) && self.node(&a.1, &b.1))
    }

    fn maybe(&self, old: Option<&Node>, new: Option<&Node>) -> bool {
        both(old, new, |a, b| self.node(a, b))
    }

    fn lambda(&self, old: Option<&Lambda>, new: Option<&Lambda>) -> bool {
        both(old, new, |a, b| a.params == b.params && self.node(&a.body, &b.body))
    }

    fn arm(&self, old: &MatchArm, new: &MatchArm) -> bool {
        let pattern = |a: &Pattern, b: &Pattern| match (a, b) {
            (Pattern::Value(a), Pattern::Value(b)) => a == b,
            (Pattern::Regex(a), Pattern::Regex(b)) => a == b,
            (Pattern::Type(a), Pattern::Type(b)) => a == b,
            (Pattern::Any, Pattern::Any) => true,
            _ => false,
        };
        all(&old.patterns, &new.patterns, pattern) && self.maybe(old.guard.as_ref(), new.guard.as_ref()) && self.node(&old.body, &new.body)
    }

    fn attribute(&self, id: rtype_lang::types::AttrId) -> Option<&str> {
        self.old.attribute(id).map(|a| a.name.as_str())
    }

    fn attribute_new(&self, id: rtype_lang::types::AttrId) -> Option<&str> {
        self.new.attribute(id).map(|a| a.name.as_str())
    }

    fn function(&self, old: u16, new: u16) -> bool {
        if !self.seen.borrow_mut().insert((old, new)) {
            return true;
        }
        let (a, b) = (self.old.program.functions.get(usize::from(old)), self.new.program.functions.get(usize::from(new)));
        let same = |a: &Function, b: &Function| {
            a.code.inner.params == b.code.inner.params
                && self.node(&a.code.inner.body, &b.code.inner.body)
                && self.nodes(&a.defaults, &b.defaults)
        };
        a.zip(b).is_some_and(|(a, b)| same(a, b))
    }
}

/// Returns `true` if both are missing, or both exist and are the same.
pub fn both<T: ?Sized>(old: Option<&T>, new: Option<&T>, same: impl Fn(&T, &T) -> bool) -> bool {
    match (old, new) {
        (None, None) => true,
        (Some(a), Some(b)) => same(a, b),
        _ => false,
    }
}

/// Returns `true` if the lists have the same length and pairwise the same elements.
pub fn all<T>(old: &[T], new: &[T], same: impl Fn(&T, &T) -> bool) -> bool {
    old.len() == new.len() && old.iter().zip(new).all(|(a, b)| same(a, b))
}

/// Compares conditions on facts.
pub fn same_facts(old: &[FactTest], new: &[FactTest]) -> bool {
    all(old, new, |a, b| a.fact == b.fact && all(&a.values, &b.values, same_fact))
}

pub fn same_fact(old: &FactValue, new: &FactValue) -> bool {
    match (old, new) {
        (FactValue::Is(a), FactValue::Is(b)) => a == b,
        (FactValue::Matches(a), FactValue::Matches(b)) => a == b,
        _ => false,
    }
}
