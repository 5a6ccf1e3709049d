//! Blocks: what each kind of block may do, and the names it sees.

use super::Sink;
use super::names::Names;
use crate::diagnostics::{Code as DiagnosticCode, Diagnostic};
use crate::source::Span;
use crate::syntax::ast::{Block, Closure, Ident};
use crate::types::{AttrId, AttributeNames, Code, CodeInner, Node, Op, Outcome};
use crate::value::{EcoString, Value};
use indexmap::{IndexMap, IndexSet};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// The values of a kind's or mixin's parameters.
pub(super) type Bindings = Rc<IndexMap<EcoString, Value>>;

/// What a kind of block may do and see.
#[derive(Clone, Copy, Debug)]
pub struct BlockKind {
    /// The directive, for messages.
    pub name: &'static str,
    /// Where it stands.
    pub of: &'static str,
    /// The names of its parameters, for messages.
    pub params: &'static [&'static str],
    /// What it gives.
    pub gives: &'static str,
    /// Whether it may call actions of the provider.
    pub action: bool,
    /// Whether `is` and `should` can be read.
    pub sees_is: bool,
    /// Whether it may write `self.x = …`.
    pub writes_self: bool,
    /// Whether `super` means something.
    pub has_super: bool,
    /// Whether `self` and `provider` can be seen.
    pub sees_self: bool,
    /// Whether `plan`, `insync(:x)` and the other outcomes of a test can be asked.
    pub sees_outcomes: bool,
}

const VALUE: BlockKind = BlockKind {
    name: "",
    of: "types",
    params: &[],
    gives: "",
    action: false,
    sees_is: false,
    writes_self: false,
    has_super: false,
    sees_self: true,
    sees_outcomes: false,
};

const ATTRIBUTE: BlockKind = BlockKind { of: "attributes", ..VALUE };
/// What words values for messages.
const WORDING: BlockKind = BlockKind { gives: "text", sees_is: true, has_super: true, ..ATTRIBUTE };
/// What sees the machine alone.
const MACHINE: BlockKind = BlockKind { sees_self: false, gives: "true or false", ..VALUE };

macro_rules! blocks {
    ($($name:ident $kind:expr;)*) => {
        impl BlockKind {
            $(pub(super) const $name: BlockKind = $kind;)*

            /// All of them.
            pub const ALL: &[BlockKind] = &[$(BlockKind::$name,)*];
        }
    };
}

blocks! {
    VALIDATE BlockKind { name: "validate", params: &["value"], gives: "nothing", has_super: true, ..ATTRIBUTE };
    MUNGE BlockKind { name: "munge", params: &["value"], gives: "the value", has_super: true, ..ATTRIBUTE };
    UNMUNGE BlockKind { name: "unmunge", params: &["value"], gives: "the value", has_super: true, ..ATTRIBUTE };
    DEFAULTTO BlockKind { name: "defaultto", gives: "the value; `nil`: none", ..ATTRIBUTE };
    SHOULD BlockKind { name: "should", params: &["values"], gives: "the wanted value", has_super: true, ..ATTRIBUTE };
    INSYNC BlockKind { name: "insync", params: &["is"], gives: "true or false", sees_is: true, has_super: true, ..ATTRIBUTE };
    COMPARE BlockKind { name: "compare", params: &["is", "should"], gives: "true or false", sees_is: true, ..ATTRIBUTE };
    IS_TO_S BlockKind { name: "is_to_s", params: &["value"], ..WORDING };
    SHOULD_TO_S BlockKind { name: "should_to_s", params: &["value"], ..WORDING };
    CHANGE_TO_S BlockKind { name: "change_to_s", params: &["is", "should"], ..WORDING };
    REDACT BlockKind { name: "redact", gives: "true or false", ..ATTRIBUTE };
    MESSAGE BlockKind { name: "message", params: &["value"], gives: "text", ..ATTRIBUTE };
    RETRIEVE BlockKind { name: "retrieve", gives: "the current value", has_super: true, ..ATTRIBUTE };
    SYNC BlockKind { name: "sync", gives: "nothing", action: true, sees_is: true, has_super: true, ..ATTRIBUTE };
    NEWVALUE BlockKind { name: "newvalue", gives: "nothing", action: true, sees_is: true, ..ATTRIBUTE };
    REFRESH BlockKind { name: "refresh", gives: "nothing", action: true, sees_is: true, ..VALUE };
    TYPE_VALIDATE BlockKind { name: "validate", gives: "nothing", ..VALUE };
    FINALIZE BlockKind { name: "finalize", gives: "nothing", writes_self: true, ..VALUE };
    LATE_FINALIZE BlockKind { name: "late_finalize", gives: "nothing", writes_self: true, ..VALUE };
    AUTORELATION BlockKind { name: "autorequire", gives: "names or resources", ..VALUE };
    PRE_RUN_CHECK BlockKind { name: "pre_run_check", gives: "nothing", ..VALUE };
    TITLE BlockKind { name: "title", gives: "text; `nil`: as declared", ..VALUE };
    GENERATE BlockKind { name: "generate", gives: "a list of resources", ..VALUE };
    EVAL_GENERATE BlockKind { name: "eval_generate", gives: "a list of resources", ..VALUE };
    PURGES BlockKind { name: "purges", gives: "true or false", ..VALUE };
    TYPE_FN BlockKind { name: "fn", gives: "any value", ..VALUE };
    SETTING BlockKind { name: "a provider's setting", of: "providers", gives: "any value", ..VALUE };
    PARSE BlockKind { name: "parse", params: &["text"], of: "providers", gives: "a map of attributes, a list of them, or `nil`", ..VALUE };
    PRINT BlockKind { name: "print", params: &["record"], of: "providers", gives: "the line", ..VALUE };
    CONFINE BlockKind { name: "confine", of: "providers", ..MACHINE };
    FEATURE BlockKind { name: "feature", of: "files", ..MACHINE };
    FILE_FN BlockKind { name: "fn", of: "files", gives: "any value", ..MACHINE };
    EXPECT BlockKind { name: "expect", of: "tests", gives: "true or false", sees_outcomes: true, ..VALUE };
}

/// What the blocks of one type see of it.
pub(super) struct TypeScope<'a> {
    pub names: &'a Names<'a>,
    pub sink: &'a Sink,
    /// The attributes by name; in a kind or mixin by itself nothing is known of them.
    pub attributes: AttributeNames,
    /// Whether attributes are unknown because a kind or mixin is looked at by itself.
    pub open: bool,
    /// Attributes whose values include `:false`, which counts as true.
    pub falsy: IndexSet<AttrId>,
    /// Declared features.
    pub features: IndexSet<EcoString>,
    /// Functions by name, with their place.
    pub functions: IndexMap<EcoString, FunctionSignature>,
    /// What value blocks may ask the providers for; `None` when nothing is declared.
    pub queries: IndexSet<EcoString>,
    /// What only action blocks may call.
    pub actions: IndexSet<EcoString>,
    /// Whether the type has providers at all.
    pub has_providers: bool,
    /// Attributes whose values as given a block asks for.
    pub reads_raw: RefCell<IndexSet<AttrId>>,
}

/// How a function is called.
#[derive(Clone, Copy, Debug)]
pub(super) struct FunctionSignature {
    pub id: u16,
    pub min: usize,
    pub max: usize,
    pub span: Span,
}

/// Lowers one block. Locals get places; the places of a closure's parameters are the block's.
pub(super) struct BlockLowerer<'a> {
    pub scope: &'a TypeScope<'a>,
    pub bindings: &'a Bindings,
    pub kind: BlockKind,
    pub locals: RefCell<Vec<(EcoString, u16)>>,
    pub slots: RefCell<u16>,
    /// Whether a resource of the catalog has been met, so that an unknown method may be its attribute.
    pub sees_resources: RefCell<bool>,
    /// Methods that the block asks for with `provider.has?(:m)` before it calls them.
    pub guarded: RefCell<Vec<EcoString>>,
    /// The attributes that are named.
    pub asked: RefCell<Vec<AttrId>>,
    /// The outcomes that a test asks for, and the places where they are put.
    pub outcomes: RefCell<Vec<(u16, Outcome, Span)>>,
}

impl<'a> TypeScope<'a> {
    /// Lowers the block of a directive.
    pub fn block(&self, closure: &Closure, kind: BlockKind, bindings: &Bindings) -> Code {
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
    pub fn code(&self, params: &[Ident], body: &Block, span: Span, kind: BlockKind, bindings: &Bindings) -> Code {
        let lowerer = self.lowerer(kind, bindings);
        for param in params {
            lowerer.declare(&param.name);
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
            slots: RefCell::default(),
            // What a function is given may be a resource.
            sees_resources: RefCell::new(!kind.sees_self || kind.sees_outcomes || kind.name == "fn"),
            guarded: RefCell::default(),
            asked: RefCell::default(),
            outcomes: RefCell::default(),
        }
    }
}

impl BlockLowerer<'_> {
    /// A place for a new local that is seen until the block around it ends.
    pub fn declare(&self, name: &EcoString) -> u16 {
        let mut slots = self.slots.borrow_mut();
        let slot = *slots;
        *slots = slots.saturating_add(1);
        self.locals.borrow_mut().push((name.clone(), slot));
        slot
    }

    pub fn local(&self, name: &str) -> Option<u16> {
        self.locals.borrow().iter().rev().find(|(n, _)| n == name).map(|(_, slot)| *slot)
    }

    /// Runs `inner` with locals of its own.
    pub fn scoped<T>(&self, inner: impl FnOnce() -> T) -> T {
        let before = self.locals.borrow().len();
        let result = inner();
        self.locals.borrow_mut().truncate(before);
        result
    }

    /// The statements of a block, with locals of their own.
    pub fn block(&self, block: &Block) -> Node {
        self.scoped(|| match block.statements.as_slice() {
            [one] => self.expr(one),
            all => Node { op: Op::Seq(all.iter().map(|s| self.expr(s)).collect()), span: block.span },
        })
    }

    pub fn finish(self, params: usize, body: Node, span: Span) -> Code {
        let slots = *self.slots.borrow();
        if slots == u16::MAX {
            self.scope.sink.error(DiagnosticCode::NestingTooDeep, span, "a block may have at most 65534 locals");
        }
        let inner = CodeInner { params: params as u16, slots, body, span, action: self.kind.action };
        Code { inner: Arc::new(inner) }
    }
}
