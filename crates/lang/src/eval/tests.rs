//! Runs blocks built by hand in a small test world.

mod blocks;
mod hostile;
mod patterns;
mod random;
mod ruby;
mod secrets;
mod tables;
mod undecided;

use super::*;
use crate::diagnostics::Code as DiagnosticCode;
use crate::redact::Redactor;
use crate::source::Span;
use crate::types::builtin::{Function, Method};
use crate::types::{AttrId, BinaryOp, CodeInner, Handler, Lambda, MatchArm, Node, Op, Pattern, Program};
use crate::value::{DataType, Flags, Map, Regex, ResourceRef, Symbol};
use std::cell::{Cell, RefCell};
use std::sync::Arc;

/// A type without attributes, for inferring kinds in blocks outside types.
pub(super) fn bare_type() -> Arc<crate::types::TypeDef> {
    let mut types = crate::library::TypeSet::default();
    let source = types.sources.add("bare.rtype", "type bare { newparam name { isnamevar } }").unwrap();
    let loaded = types.load_text(&source, None);
    Arc::clone(&loaded.types[0])
}

pub(super) fn n(op: Op) -> Node {
    Node { op, span: Span::new(1, 2) }
}

pub(super) fn c(value: Value) -> Node {
    n(Op::Const(value))
}

pub(super) fn s(text: &str) -> Value {
    Value::str(text)
}

pub(super) fn i(number: i64) -> Value {
    Value::Int(number)
}

pub(super) fn list(items: impl IntoIterator<Item = Value>) -> Value {
    Value::array(items)
}

pub(super) fn map(pairs: impl IntoIterator<Item = (Value, Value)>) -> Value {
    Value::Map(Arc::new(pairs.into_iter().collect::<Map>()))
}

pub(super) fn re(source: &str) -> Value {
    Value::Regex(Arc::new(Regex::new(source, Flags::default()).unwrap()))
}

pub(super) fn handler(slot: Option<u16>, body: Node) -> Box<Handler> {
    Box::new(Handler { errors: Vec::new(), slot, class: None, body })
}

pub(super) fn local(slot: u16) -> Node {
    n(Op::Local(slot))
}

pub(super) fn method(receiver: Node, name: &str, arguments: Vec<Node>) -> Node {
    n(Op::Method(Method::named(name).expect(name), Box::new(receiver), arguments, None))
}

/// A method call with a closure; the closure's parameters have the slots from 1 on.
pub(super) fn with(receiver: Node, name: &str, arguments: Vec<Node>, params: u16, body: Node) -> Node {
    let lambda = Lambda { params: (1..=params).collect(), body };
    n(Op::Method(Method::named(name).expect(name), Box::new(receiver), arguments, Some(Box::new(lambda))))
}

pub(super) fn func(name: &str, arguments: Vec<Node>) -> Node {
    n(Op::Call(Function::named(name).expect(name), arguments, None))
}

pub(super) fn binary(op: BinaryOp, left: Node, right: Node) -> Node {
    n(Op::Binary(op, Box::new(left), Box::new(right)))
}

pub(super) fn code(body: Node) -> CodeBlock {
    CodeBlock { inner: Arc::new(CodeInner { params: 1, slots: 8, body, span: Span::new(0, 9), action: false, replaced: None }) }
}

/// A resource with the attributes `name`, `secret`, `later`, `list`, `flag` and `pair` (a list with one secret).
#[derive(Default)]
pub(super) struct Small {
    pub(super) program: Program,
    pub(super) log: RefCell<Vec<String>>,
    pub(super) assigned: RefCell<Vec<Value>>,
    /// The number of a block's accesses to the machine.
    pub(super) accesses: Cell<usize>,
}

pub(super) const SECRET: &str = "hunter2marker";

impl Small {
    pub(super) fn new() -> Small {
        let names = ["name", "secret", "later", "list", "flag", "pair"];
        let attributes = names.iter().enumerate().map(|(i, n)| (Symbol::from(*n), AttrId(i as u16))).collect();
        Small { program: Program { attributes, ..Program::default() }, ..Small::default() }
    }
}

impl Scope for Small {
    fn program(&self) -> &Program {
        &self.program
    }
    fn world(&self) -> &dyn World {
        self.accesses.set(self.accesses.get() + 1);
        &NoWorld
    }
    fn coverage(&self) -> Option<&Coverage> {
        None
    }
    fn reference(&self) -> ResourceRef {
        ResourceRef { type_name: "thing".into(), title: "me".into() }
    }
    fn attribute(&self, id: AttrId) -> Value {
        match id.0 {
            0 => s("bob"),
            1 => Value::Sensitive(Arc::new(s(SECRET))),
            2 => Value::Unknown,
            3 => list([s("b"), s("a")]),
            4 => Value::sym("true"),
            _ => list([Value::Sensitive(Arc::new(s(SECRET))), s("open")]),
        }
    }
    fn is_set(&self, id: AttrId) -> bool {
        id.0 < 4
    }
    fn declared(&self, id: AttrId) -> Value {
        Scope::attribute(self, id)
    }
    fn raw(&self, id: AttrId) -> Value {
        Scope::attribute(self, id)
    }
    fn values(&self, id: AttrId) -> Value {
        Value::array([Scope::attribute(self, id)])
    }
    fn is_managed(&self) -> bool {
        true
    }
    fn current(&self, id: AttrId) -> Result<Value, Failure> {
        Ok(Scope::attribute(self, id))
    }
    fn assign(&self, _: AttrId, value: Value) -> Result<(), Failure> {
        self.assigned.borrow_mut().push(value);
        Ok(())
    }
    fn provider(&self) -> Option<&dyn ProviderQuery> {
        Some(self)
    }
    fn catalog(&self) -> Option<&dyn CatalogQuery> {
        Some(self)
    }
    fn log(&self, _: Option<&Symbol>, level: LogLevel, message: &str) {
        self.log.borrow_mut().push(format!("{level:?}: {message}"));
    }
}

impl ProviderQuery for Small {
    fn name(&self) -> Option<Symbol> {
        Some("small".into())
    }
    fn has(&self, name: &str) -> Option<bool> {
        Some(name == "echo")
    }
    fn call(&self, method: &str, arguments: &[Value]) -> Result<Value, QueryError> {
        match method {
            "echo" => Ok(list(arguments.iter().cloned())),
            _ => Err(QueryError::Reported(Redactor::default().redacted(&format!("no {method} for {arguments:?}").into()))),
        }
    }
}

impl CatalogQuery for Small {
    fn resources(&self, _: Option<&str>) -> Vec<ResourceRef> {
        vec![ResourceRef { type_name: "file".into(), title: "/a".into() }]
    }
    fn find(&self, type_name: &str, title: &str) -> Option<ResourceRef> {
        self.resources(None).into_iter().find(|r| r.type_name.as_str() == type_name && r.title == title)
    }
    fn attribute(&self, resource: &ResourceRef, name: &str) -> Value {
        s(&format!("{}.{name}", resource.title))
    }
}

pub(super) fn run_in(scope: &Small, body: Node, arguments: &[Value]) -> Result<Value, Failure> {
    let attribute = Symbol::from("name");
    let is = s("current");
    let base = |values: &[Value]| Ok(list(values.iter().cloned()));
    let frame = Frame { scope, attribute: Some(&attribute), is: Some(&is), should: None, base: Some(&base) };
    run(&code(body), arguments, &frame)
}

pub(super) fn eval(body: Node) -> Result<Value, Failure> {
    run_in(&Small::new(), body, &[])
}

pub(super) fn fails(body: Node) -> (DiagnosticCode, String) {
    match eval(body) {
        Ok(value) => panic!("gives {value:?}"),
        Err(f) => (f.code, f.message),
    }
}

/// Formats the value as a literal, or the failure as code and message.
pub(super) fn shown(result: Result<Value, Failure>) -> String {
    match result {
        Ok(value) => crate::value::inspect(&value),
        Err(f) => format!("{}: {}", f.code, f.message),
    }
}
