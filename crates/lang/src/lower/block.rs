//! Blocks: the abilities of each kind of block, and the names in scope.

use super::names::Names;
use super::{NameKind, Sink};
use crate::diagnostics::{Code as DiagnosticCode, Diagnostic};
use crate::source::Span;
use crate::syntax::ast::{Block, Closure, Ident};
use crate::types::{AttrId, AttributeNames, CodeBlock, CodeInner, Node, Op, TestOutcome};
use crate::value::{EcoString, Value};
use indexmap::{IndexMap, IndexSet};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// The values for the parameters of a kind or mixin.
pub(super) type Bindings = Rc<IndexMap<EcoString, Bound>>;

/// A parameter's value, and the location of the parameter's declaration.
#[derive(Clone, Debug, Default)]
pub(super) struct Bound {
    pub value: Value,
    pub span: Span,
}

/// A kind of block: its parameters, result and abilities.
#[derive(Clone, Copy, Debug)]
pub struct BlockKind {
    /// The directive, for messages.
    pub name: &'static str,
    /// The constructs that accept the directive.
    pub of: &'static str,
    /// The names of the block's parameters, for messages.
    pub params: &'static [&'static str],
    /// The block's result.
    pub gives: BlockResult,
    /// `true` if the block may call the provider's actions.
    pub action: bool,
    /// `true` if the block may read `is` and `should`.
    pub sees_is: bool,
    /// `true` if the block may assign `self.x = …`.
    pub writes_self: bool,
    /// `true` if `super` is available.
    pub has_super: bool,
    /// `true` if `self` and `provider` are available.
    pub sees_self: bool,
    /// `true` if `plan`, `insync(:x)` and the other outcomes of a test are available.
    pub sees_outcomes: bool,
    /// `true` if `is(x)` and `should(x)` name an attribute by a bare word, as users write it at the prompt.
    pub bare_attributes: bool,
}

/// A block's result; [`Display`](std::fmt::Display) renders it for pages and help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockResult {
    /// True or false.
    Condition,
    /// Another result, described for readers.
    Other(&'static str),
}

impl std::fmt::Display for BlockResult {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            BlockResult::Condition => "true or false",
            BlockResult::Other(text) => text,
        })
    }
}

const VALUE: BlockKind = BlockKind {
    name: "",
    of: "types",
    params: &[],
    gives: BlockResult::Other(""),
    action: false,
    sees_is: false,
    writes_self: false,
    has_super: false,
    sees_self: true,
    sees_outcomes: false,
    bare_attributes: false,
};

const ATTRIBUTE: BlockKind = BlockKind { of: "attributes", ..VALUE };
/// A block that formats values for messages.
const WORDING: BlockKind = BlockKind { gives: BlockResult::Other("text"), sees_is: true, has_super: true, ..ATTRIBUTE };
/// A block that reads only the machine, not a resource.
const MACHINE: BlockKind = BlockKind { sees_self: false, gives: BlockResult::Condition, ..VALUE };

macro_rules! blocks {
    ($($name:ident $kind:expr;)*) => {
        impl BlockKind {
            $(pub(super) const $name: BlockKind = $kind;)*

            /// All kinds of blocks.
            pub const ALL: &[BlockKind] = &[$(BlockKind::$name,)*];
        }
    };
}

blocks! {
    VALIDATE BlockKind { name: "validate", params: &["value"], gives: BlockResult::Other("nothing"), has_super: true, ..ATTRIBUTE };
    MUNGE BlockKind { name: "munge", params: &["value"], gives: BlockResult::Other("the value"), has_super: true, ..ATTRIBUTE };
    FROM_TITLE BlockKind { name: "from_title", params: &["text"], gives: BlockResult::Other("the value"), ..ATTRIBUTE };
    UNMUNGE BlockKind { name: "unmunge", params: &["value"], gives: BlockResult::Other("the value"), has_super: true, ..ATTRIBUTE };
    DEFAULTTO BlockKind { name: "defaultto", gives: BlockResult::Other("the value; `nil`: none"), ..ATTRIBUTE };
    SHOULD BlockKind { name: "should", params: &["values"], gives: BlockResult::Other("the wanted value"), has_super: true, ..ATTRIBUTE };
    INSYNC BlockKind { name: "insync", params: &["is"], gives: BlockResult::Condition, sees_is: true, has_super: true, ..ATTRIBUTE };
    COMPARE BlockKind { name: "compare", params: &["is", "should"], gives: BlockResult::Condition, sees_is: true, ..ATTRIBUTE };
    IS_TO_S BlockKind { name: "is_to_s", params: &["value"], ..WORDING };
    SHOULD_TO_S BlockKind { name: "should_to_s", params: &["value"], ..WORDING };
    CHANGE_TO_S BlockKind { name: "change_to_s", params: &["is", "should"], ..WORDING };
    REDACT BlockKind { name: "redact", gives: BlockResult::Condition, ..ATTRIBUTE };
    MESSAGE BlockKind { name: "message", params: &["value"], gives: BlockResult::Other("text"), ..ATTRIBUTE };
    RETRIEVE BlockKind { name: "retrieve", gives: BlockResult::Other("the current value"), has_super: true, ..ATTRIBUTE };
    SYNC BlockKind { name: "sync", gives: BlockResult::Other("nothing"), action: true, sees_is: true, has_super: true, ..ATTRIBUTE };
    NEWVALUE BlockKind { name: "newvalue", gives: BlockResult::Other("nothing"), action: true, sees_is: true, ..ATTRIBUTE };
    REFRESH BlockKind { name: "refresh", gives: BlockResult::Other("nothing"), action: true, sees_is: true, ..VALUE };
    CANONICALIZE BlockKind { name: "canonicalize", params: &["values"], sees_self: false, gives: BlockResult::Other("the map of values"), ..VALUE };
    TYPE_VALIDATE BlockKind { name: "validate", gives: BlockResult::Other("nothing"), ..VALUE };
    FINALIZE BlockKind { name: "finalize", gives: BlockResult::Other("nothing"), writes_self: true, ..VALUE };
    LATE_FINALIZE BlockKind { name: "late_finalize", gives: BlockResult::Other("nothing"), writes_self: true, ..VALUE };
    AUTORELATION BlockKind { name: "autorequire", gives: BlockResult::Other("names or resources"), ..VALUE };
    PRE_RUN_CHECK BlockKind { name: "pre_run_check", gives: BlockResult::Other("nothing"), ..VALUE };
    TITLE BlockKind { name: "title", gives: BlockResult::Other("text; `nil`: as declared"), ..VALUE };
    GENERATE BlockKind { name: "generate", gives: BlockResult::Other("a list of resources"), ..VALUE };
    EVAL_GENERATE BlockKind { name: "eval_generate", gives: BlockResult::Other("a list of resources"), ..VALUE };
    PURGES BlockKind { name: "purges", gives: BlockResult::Condition, ..VALUE };
    TYPE_FN BlockKind { name: "fn", gives: BlockResult::Other("any value"), ..VALUE };
    PROVIDER_FINALIZE BlockKind { name: "finalize", of: "providers", gives: BlockResult::Other("nothing"), writes_self: true, ..VALUE };
    SETTING BlockKind { name: "a provider's setting", of: "providers", gives: BlockResult::Other("any value"), ..VALUE };
    PARSE BlockKind { name: "parse", params: &["text"], of: "providers", gives: BlockResult::Other("a map of attributes, a list of them, or `nil`"), ..VALUE };
    PRINT BlockKind { name: "print", params: &["record"], of: "providers", gives: BlockResult::Other("the line"), ..VALUE };
    CONFINE BlockKind { name: "confine", of: "providers", ..MACHINE };
    FEATURE BlockKind { name: "feature", of: "files", ..MACHINE };
    FILE_FN BlockKind { name: "fn", of: "files", gives: BlockResult::Other("any value"), ..MACHINE };
    EXPECT BlockKind { name: "expect", of: "tests", gives: BlockResult::Condition, sees_outcomes: true, ..VALUE };
}

/// The names visible to a type's blocks.
pub(super) struct TypeScope<'a> {
    pub names: &'a Names<'a>,
    pub sink: &'a Sink,
    /// The name of the type or mixin; empty for a kind, or for a mixin checked alone.
    pub owner: Span,
    /// The attributes by name; empty if a kind or mixin is checked alone.
    pub attributes: AttributeNames,
    /// The locations of the attributes' declarations, by index; shorter if some attributes are not declared.
    pub attribute_spans: Vec<Span>,
    /// `true` if the attributes are unknown because a kind or mixin is checked alone.
    pub open: bool,
    /// The attributes with `:false` among their values. `:false` is true in a condition.
    pub falsy: IndexSet<AttrId>,
    /// The features that the type declares.
    pub features: IndexMap<EcoString, Span>,
    /// The functions by name.
    pub functions: IndexMap<EcoString, FunctionSignature>,
    /// The provider methods that value blocks may call.
    pub queries: IndexMap<EcoString, Span>,
    /// The provider methods that only action blocks may call.
    pub actions: IndexMap<EcoString, Span>,
    /// `true` if the type has any providers.
    pub has_providers: bool,
    /// The attributes with raw values that blocks read.
    pub reads_raw: RefCell<IndexSet<AttrId>>,
}

/// The index, arity and span of a function.
#[derive(Clone, Copy, Debug)]
pub(super) struct FunctionSignature {
    pub id: u16,
    pub min: usize,
    pub max: usize,
    pub span: Span,
}

/// Lowers one block. All locals get slots in the block, including closure parameters.
pub(super) struct BlockLowerer<'a> {
    pub scope: &'a TypeScope<'a>,
    pub bindings: &'a Bindings,
    pub kind: BlockKind,
    pub locals: RefCell<Vec<(EcoString, u16, Span)>>,
    /// The locals whose scope has ended, with their declarations.
    pub ended: RefCell<IndexMap<EcoString, Span>>,
    pub slots: RefCell<u16>,
    /// `true` if the block may have a reference to another resource. An unknown method may then be an attribute of the other resource.
    pub sees_resources: RefCell<bool>,
    /// The provider methods that the block may call after a test with `provider.has?(:m)`.
    pub guarded: RefCell<Vec<EcoString>>,
    /// The attributes that the block refers to.
    pub asked: RefCell<Vec<AttrId>>,
    /// The outcomes that a test reads, with their slots.
    pub outcomes: RefCell<Vec<(u16, TestOutcome, Span)>>,
}

impl<'a> TypeScope<'a> {
    /// Records the use of an attribute.
    pub fn refer_attribute(&self, id: AttrId, span: Span) {
        let declared = self.attribute_spans.get(usize::from(id.0)).copied();
        self.sink.refer(NameKind::Attribute, span, declared.unwrap_or(Span::NONE));
    }

    /// Lowers the block of a directive.
    pub fn block(&self, closure: &Closure, kind: BlockKind, bindings: &Bindings) -> CodeBlock {
        if let Some(extra) = closure.params.get(kind.params.len()) {
            let takes = match kind.params {
                [] => "takes no parameter".to_owned(),
                names => format!("takes `|{}|`", names.join(", ")),
            };
            let d = Diagnostic::new(DiagnosticCode::WrongArity, extra.span, format!("the block of `{}` {takes}", kind.name));
            self.sink.report(d.help("delete the parameter"));
        }
        self.code(&closure.params, &closure.body, closure.span, kind, bindings)
    }

    /// Lowers statements with named parameters.
    pub fn code(&self, params: &[Ident], body: &Block, span: Span, kind: BlockKind, bindings: &Bindings) -> CodeBlock {
        let lowerer = self.lowerer(kind, bindings);
        for param in params {
            lowerer.declare(param);
        }
        if kind.gives_truth() {
            lowerer.refuse_assignment_at_end(body);
        }
        let body = lowerer.block(body);
        lowerer.finish(params.len(), body, span)
    }

    pub fn lowerer<'s>(&'s self, kind: BlockKind, bindings: &'s Bindings) -> BlockLowerer<'s>
    where
        'a: 's,
    {
        BlockLowerer {
            scope: self,
            bindings,
            kind,
            locals: RefCell::default(),
            ended: RefCell::default(),
            slots: RefCell::default(),
            // The arguments of a function may be resources.
            sees_resources: RefCell::new(!kind.sees_self || kind.sees_outcomes || kind.name == "fn"),
            guarded: RefCell::default(),
            asked: RefCell::default(),
            outcomes: RefCell::default(),
        }
    }
}

impl BlockLowerer<'_> {
    /// Allocates a slot for a new local, which is in scope until the enclosing block ends.
    pub fn declare(&self, local: &Ident) -> u16 {
        self.scope.sink.define(NameKind::Local, local.span);
        self.declare_as(&local.name, local.span)
    }

    /// Allocates a slot for a name without a declaration.
    pub fn declare_as(&self, name: &EcoString, span: Span) -> u16 {
        let mut slots = self.slots.borrow_mut();
        let slot = *slots;
        *slots = slots.saturating_add(1);
        self.locals.borrow_mut().push((name.clone(), slot, span));
        slot
    }

    pub fn local(&self, name: &str) -> Option<u16> {
        self.locals.borrow().iter().rev().find(|(n, ..)| n == name).map(|(_, slot, _)| *slot)
    }

    /// Returns a local's slot, and records a use of the local at `span`.
    pub fn used_local(&self, name: &str, span: Span) -> Option<u16> {
        let locals = self.locals.borrow();
        let (_, slot, declared) = locals.iter().rev().find(|(n, ..)| n == name)?;
        self.scope.sink.refer(NameKind::Local, span, *declared);
        Some(*slot)
    }

    /// Runs `inner` in a new scope: locals declared by `inner` are out of scope afterwards.
    pub fn scoped<T>(&self, inner: impl FnOnce() -> T) -> T {
        let before = self.locals.borrow().len();
        let result = inner();
        self.ended.borrow_mut().extend(self.locals.borrow_mut().drain(before..).map(|(name, _, span)| (name, span)));
        result
    }

    /// Lowers the statements of a block in a new scope.
    pub fn block(&self, block: &Block) -> Node {
        self.scoped(|| self.statements(block))
    }

    /// Lowers the statements of a block in the current scope. Their locals stay in scope.
    pub fn statements(&self, block: &Block) -> Node {
        match block.statements.as_slice() {
            [one] => self.expr(one),
            all => Node { op: Op::Seq(all.iter().map(|s| self.expr(s)).collect()), span: block.span },
        }
    }

    /// Returns the locals in scope, with their slots, in declaration order.
    pub fn visible_locals(&self) -> Vec<(EcoString, u16)> {
        self.locals.borrow().iter().map(|(name, slot, _)| (name.clone(), *slot)).collect()
    }

    pub fn finish(self, params: usize, body: Node, span: Span) -> CodeBlock {
        let slots = *self.slots.borrow();
        if slots == u16::MAX {
            self.scope.sink.error(DiagnosticCode::NestingTooDeep, span, "a block may have at most 65534 locals");
        }
        let inner = CodeInner { params: params as u16, slots, body, span, action: self.kind.action, replaced: None };
        CodeBlock { inner: Arc::new(inner) }
    }
}
