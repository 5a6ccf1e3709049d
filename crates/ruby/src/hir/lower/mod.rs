//! Converts the parser's nodes to the owned tree.

mod assign;
mod calls;
mod control;
mod literals;
mod params;
mod patterns;

use super::comments::{self, StatementStart};
use super::index::ArenaId;
use super::{
    BodyId, BodyKind, ExprId, FileId, Hir, HirBody, HirExpr, HirKind, HirLocal, HirText, IndexVec, LocalId, LocalRef, Params, SourceRange,
};
use ruby_prism::{ConstantId, Location, Node, StatementsNode};
use std::collections::HashSet;

/// How a source is parsed.
#[derive(Clone, Debug, Default)]
pub struct ParseSettings {
    /// The file's number in source ranges.
    pub file: FileId,
    /// The path for `__FILE__`.
    pub path: String,
    /// Local variables that exist from the beginning.
    pub locals: Vec<String>,
}

/// The reason why a source has no tree.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HirError {
    /// A syntax error.
    #[error("{message}")]
    Syntax {
        /// The parser's message.
        message: String,
        /// The source.
        origin: SourceRange,
    },
    /// The source exceeds this many bytes.
    #[error("the file has more than {_0} bytes")]
    TooLarge(usize),
}

/// The maximum size of a file. The parser needs stack for each nesting level.
const MAX_BYTES: usize = 1 << 20;
/// The parser's maximum stack, and the stack required per source byte.
const PARSER_STACK: (usize, usize) = (256 << 20, 16 << 10);
/// The stack is extended by the second number of bytes when less than the first is left.
pub(super) const STACK: (usize, usize) = (256 << 10, 2 << 20);

/// Parses a source.
pub(super) fn parse(text: &str, settings: &ParseSettings) -> Result<Hir, HirError> {
    if text.len() > MAX_BYTES {
        return Err(HirError::TooLarge(MAX_BYTES));
    }
    let size = PARSER_STACK.0.min(text.len().saturating_mul(PARSER_STACK.1)).max(STACK.1);
    stacker::maybe_grow(size, size, || parse_here(text, settings))
}

fn parse_here(text: &str, settings: &ParseSettings) -> Result<Hir, HirError> {
    let locals = settings.locals.iter().map(|name| name.clone().into_bytes()).collect();
    let options = ruby_prism::Options::default().scopes(vec![ruby_prism::Scope::default().locals(locals)]);
    let options = if settings.locals.is_empty() { ruby_prism::Options::default().build() } else { options.build() };
    let parsed = ruby_prism::parse_with_options(text.as_bytes(), &options);
    let mut lowering = Lowering {
        file: settings.file,
        names: HashSet::new(),
        bodies: IndexVec::default(),
        open: Vec::new(),
        statements: Vec::new(),
        temporaries: 0,
    };
    if let Some(error) = parsed.errors().next() {
        return Err(HirError::Syntax {
            message: String::from_utf8_lossy(error.message()).into_owned(),
            origin: lowering.range(&error.location()),
        });
    }
    let main = lowering.file(&parsed.node(), &settings.locals);
    debug_assert_eq!(main.position(), 0);
    let found = parsed
        .comments()
        .map(|comment| {
            let origin = lowering.range(&comment.location());
            (lowering.text(comment.location().as_slice()), origin)
        })
        .collect();
    let comments = comments::attach(text, found, &mut lowering.statements);
    let lines = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| offset(at + 1))).collect();
    Ok(Hir { file: settings.file, path: settings.path.as_str().into(), bodies: lowering.bodies, comments, lines })
}

/// Converts an offset in a source with limited size.
fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// A body that is being filled.
struct OpenBody {
    id: BodyId,
    kind: BodyKind,
    params: Params,
    locals: IndexVec<LocalId, HirLocal>,
    exprs: IndexVec<ExprId, HirExpr>,
}

/// The state of lowering a file.
struct Lowering {
    file: FileId,
    names: HashSet<HirText>,
    bodies: IndexVec<BodyId, HirBody>,
    /// The enclosing bodies, innermost last.
    open: Vec<OpenBody>,
    statements: Vec<StatementStart>,
    /// Number of generated variables so far.
    temporaries: usize,
}

impl Lowering {
    fn range(&self, location: &Location<'_>) -> SourceRange {
        SourceRange { file: self.file, start: offset(location.start() as usize), end: offset(location.end() as usize) }
    }

    fn origin(&self, node: &Node<'_>) -> SourceRange {
        self.range(&node.location())
    }

    /// Returns a string's shared copy.
    fn text(&mut self, bytes: &[u8]) -> HirText {
        self.intern(&String::from_utf8_lossy(bytes))
    }

    fn intern(&mut self, text: &str) -> HirText {
        if let Some(known) = self.names.get(text) {
            return HirText::clone(known);
        }
        let new = HirText::from(text);
        self.names.insert(HirText::clone(&new));
        new
    }

    fn name(&mut self, id: &ConstantId<'_>) -> HirText {
        self.text(id.as_slice())
    }

    /// Adds an expression to the innermost body.
    fn push(&mut self, kind: HirKind, origin: SourceRange) -> ExprId {
        match self.open.last_mut() {
            Some(body) => body.exprs.push(HirExpr { kind, origin }),
            None => ExprId::from_position(0),
        }
    }

    fn nil(&mut self, origin: SourceRange) -> ExprId {
        self.push(HirKind::Nil, origin)
    }

    fn unsupported(&mut self, what: &'static str, origin: SourceRange) -> ExprId {
        self.push(HirKind::Unsupported { what }, origin)
    }

    /// Lowers the body of a file.
    fn file(&mut self, program: &Node<'_>, locals: &[String]) -> BodyId {
        let origin = self.origin(program);
        self.in_body(BodyKind::File, origin, |lower| {
            for name in locals {
                let name = lower.intern(name);
                lower.declare(name, false);
            }
            let Some(program) = program.as_program_node() else { return lower.nil(origin) };
            let nodes: Vec<Node<'_>> = program.statements().body().iter().collect();
            // `BEGIN { }` runs first.
            let (first, rest): (Vec<Node<'_>>, Vec<Node<'_>>) = nodes.into_iter().partition(|n| n.as_pre_execution_node().is_some());
            let mut list = Vec::new();
            for begin in first.iter().filter_map(Node::as_pre_execution_node) {
                list.push(lower.statements(begin.statements(), origin));
            }
            for node in &rest {
                list.push(lower.statement(node));
            }
            lower.seq(list, origin)
        })
    }

    /// Lowers a scope of local variables.
    fn in_body(&mut self, kind: BodyKind, origin: SourceRange, fill: impl FnOnce(&mut Lowering) -> ExprId) -> BodyId {
        let parent = self.open.last().map(|body| body.id);
        let placeholder = HirBody {
            kind,
            parent,
            params: Params::default(),
            locals: IndexVec::default(),
            exprs: IndexVec::default(),
            root: ExprId::from_position(0),
            origin,
        };
        let id = self.bodies.push(placeholder);
        let (locals, exprs) = (IndexVec::default(), IndexVec::default());
        self.open.push(OpenBody { id, kind, params: Params::default(), locals, exprs });
        let root = fill(self);
        if let Some(done) = self.open.pop()
            && let Some(body) = self.bodies.get_mut(id)
        {
            *body = HirBody { kind, parent, params: done.params, locals: done.locals, exprs: done.exprs, root, origin };
        }
        id
    }

    /// Adds a local variable to the innermost body.
    fn declare(&mut self, name: HirText, is_temporary: bool) -> LocalId {
        match self.open.last_mut() {
            Some(body) => body.locals.push(HirLocal { name, is_captured: false, is_temporary }),
            None => LocalId::from_position(0),
        }
    }

    /// Adds a variable for an intermediate result.
    fn temporary(&mut self) -> LocalRef {
        self.temporaries += 1;
        let name = format!("__temp{}", self.temporaries);
        let name = self.intern(&name);
        LocalRef { depth: 0, local: self.declare(name, true) }
    }

    /// Returns the local variable with this name, `depth` bodies out.
    fn local(&mut self, id: &ConstantId<'_>, depth: u32) -> LocalRef {
        let name = self.name(id);
        self.local_named(name, depth)
    }

    fn local_named(&mut self, name: HirText, depth: u32) -> LocalRef {
        let name = printable(name);
        let position = self.open.len().saturating_sub(1 + depth as usize);
        let Some(body) = self.open.get_mut(position) else { return LocalRef { depth, local: LocalId::from_position(0) } };
        let known = body.locals.iter().find(|(_, local)| local.name == name).map(|(id, _)| id);
        let local = known.unwrap_or_else(|| body.locals.push(HirLocal { name, is_captured: false, is_temporary: false }));
        if depth > 0
            && let Some(local) = body.locals.get_mut(local)
        {
            local.is_captured = true;
        }
        LocalRef { depth, local }
    }

    /// Returns the number of blocks between the current code and the enclosing method, or `None` outside a method.
    fn method_depth(&self) -> Option<u32> {
        let position = self.open.iter().rposition(|body| !matches!(body.kind, BodyKind::Block | BodyKind::Lambda))?;
        let is_method = self.open.get(position).is_some_and(|body| body.kind == BodyKind::Method);
        is_method.then(|| offset(self.open.len() - 1 - position))
    }

    /// Returns an expression that runs others in sequence.
    fn seq(&mut self, mut list: Vec<ExprId>, origin: SourceRange) -> ExprId {
        match list.len() {
            0 => self.nil(origin),
            1 => list.pop().unwrap_or(ExprId::from_position(0)),
            _ => self.push(HirKind::Seq(list), origin),
        }
    }

    fn statement(&mut self, node: &Node<'_>) -> ExprId {
        let id = self.expr(node);
        let start = self.origin(node).start;
        if let Some(body) = self.open.last() {
            self.statements.push((start, body.id, id));
        }
        id
    }

    fn statements(&mut self, list: Option<StatementsNode<'_>>, origin: SourceRange) -> ExprId {
        let Some(list) = list else { return self.nil(origin) };
        let origin = self.range(&list.location());
        let all = list.body().iter().map(|node| self.statement(&node)).collect();
        self.seq(all, origin)
    }

    /// Lowers an optional node; `nil` if it is missing.
    fn optional(&mut self, node: Option<Node<'_>>, origin: SourceRange) -> ExprId {
        match node {
            Some(node) => self.expr(&node),
            None => self.nil(origin),
        }
    }

    /// Lowers an expression.
    fn expr(&mut self, node: &Node<'_>) -> ExprId {
        stacker::maybe_grow(STACK.0, STACK.1, || {
            let origin = self.origin(node);
            let found = self.literal(node, origin);
            let found = found.or_else(|| self.variable(node, origin));
            let found = found.or_else(|| self.call_form(node, origin));
            let found = found.or_else(|| self.assignment(node, origin));
            let found = found.or_else(|| self.control(node, origin));
            let found = found.or_else(|| self.definition(node, origin));
            found.unwrap_or_else(|| self.unsupported(unsupported_name(node), origin))
        })
    }

    /// Lowers reading a variable or constant.
    fn variable(&mut self, node: &Node<'_>, origin: SourceRange) -> Option<ExprId> {
        let kind = match node {
            Node::LocalVariableReadNode { .. } => {
                let read = node.as_local_variable_read_node()?;
                HirKind::Local(self.local(&read.name(), read.depth()))
            }
            Node::ItLocalVariableReadNode { .. } => {
                let name = self.intern("it");
                HirKind::Local(self.local_named(name, 0))
            }
            Node::InstanceVariableReadNode { .. } => HirKind::Variable(self.name(&node.as_instance_variable_read_node()?.name())),
            Node::ClassVariableReadNode { .. } => HirKind::Variable(self.name(&node.as_class_variable_read_node()?.name())),
            Node::GlobalVariableReadNode { .. } => HirKind::Variable(self.name(&node.as_global_variable_read_node()?.name())),
            Node::ConstantReadNode { .. } | Node::ConstantPathNode { .. } => HirKind::Constant(self.constant(node)?),
            Node::NumberedReferenceReadNode { .. } => HirKind::Group(node.as_numbered_reference_read_node()?.number()),
            Node::BackReferenceReadNode { .. } => {
                let name = self.name(&node.as_back_reference_read_node()?.name());
                match name.chars().last() {
                    Some('&') | None => HirKind::Group(0),
                    Some(which) => HirKind::AroundMatch(which),
                }
            }
            _ => return None,
        };
        Some(self.push(kind, origin))
    }
}

/// Returns a printable name for a local variable: generated parameters have other names in the tree.
fn printable(name: HirText) -> HirText {
    match name.as_bytes() {
        [b'_', digit @ b'1'..=b'9'] => format!("__n{}", char::from(*digit)).into(),
        _ => name,
    }
}

/// Names the syntax without a core form.
fn unsupported_name(node: &Node<'_>) -> &'static str {
    match node {
        Node::FlipFlopNode { .. } => "flip-flop",
        Node::RationalNode { .. } => "rational number",
        Node::ImaginaryNode { .. } => "imaginary number",
        Node::MatchLastLineNode { .. } | Node::InterpolatedMatchLastLineNode { .. } => "regex as a condition",
        Node::SourceEncodingNode { .. } => "__ENCODING__",
        Node::AliasGlobalVariableNode { .. } => "alias of a global variable",
        Node::PreExecutionNode { .. } => "BEGIN inside other code",
        Node::ErrorRecoveryNode { .. } => "missing code",
        _ => "this syntax",
    }
}
