//! Calls blocks, procs and lambdas.

use super::classes::ClassKey;
use super::frame::{Arguments, Frame, Visibility};
use super::value::{MethodCell, ProcCell, ProcCode, RuntimeValue};
use super::{Eval, Flow, Interpreter};
use crate::hir::BodyId;
use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

impl Interpreter<'_> {
    /// Calls a block, proc or lambda.
    pub(crate) fn call_proc(&mut self, code: &Rc<ProcCell>, arguments: Arguments) -> Eval {
        match &code.code {
            ProcCode::Body(body) => self.run_block(code, *body, arguments),
            ProcCode::Symbol(name) => {
                let mut arguments = arguments;
                if arguments.positional.is_empty() {
                    return self.raise("ArgumentError", "no receiver given");
                }
                let receiver = arguments.positional.remove(0);
                self.invoke(None, &receiver, name, arguments, false)
            }
            ProcCode::Method(method) => {
                let method = Rc::clone(method);
                self.call_method_cell(&method, arguments)
            }
            ProcCode::Compose(first, second) => {
                let (first, second) = (first.clone(), second.clone());
                let inner = self.send(&first, "call", arguments)?;
                self.send(&second, "call", Arguments::of(vec![inner]))
            }
        }
    }

    pub(crate) fn call_method_cell(&mut self, method: &MethodCell, arguments: Arguments) -> Eval {
        match &method.receiver {
            Some(receiver) => self.call_entry(None, &method.entry, receiver, &method.entry.name, arguments),
            None => self.unknown_because("a method without an object cannot be called"),
        }
    }

    fn run_block(&mut self, code: &Rc<ProcCell>, body: BodyId, arguments: Arguments) -> Eval {
        let outer = &code.frame;
        let variables = self.variables(&outer.hir, body, Some(Rc::clone(&outer.variables)));
        let home = if code.is_lambda { self.number() } else { outer.home };
        let breaks = if code.is_lambda { home } else { outer.breaks };
        let frame = Frame { body, variables, home, breaks, ..outer.clone() };
        let hir = Arc::clone(&outer.hir);
        let Some(block) = hir.body(body) else { return Ok(RuntimeValue::Nil) };
        let height = self.doubt.pending.len();
        let result = self.in_call(|run| {
            run.bind(&frame, &block.params, arguments, code.is_lambda)?;
            loop {
                match run.eval(&frame, block.root) {
                    Err(Flow::Redo) => run.spend(1)?,
                    result => return result,
                }
            }
        });
        let is_lambda = code.is_lambda;
        self.settle(height, result, &mut |_, result| match result {
            Err(Flow::Next(value)) => Ok(value),
            Err(Flow::Return(of, value) | Flow::Break(of, value)) if is_lambda && of == home => Ok(value),
            other => other,
        })
    }

    /// Calls a block with another `self`.
    pub(crate) fn call_proc_as(
        &mut self,
        code: &Rc<ProcCell>,
        self_value: &RuntimeValue,
        definee: Option<ClassKey>,
        arguments: Arguments,
    ) -> Eval {
        if !matches!(code.code, ProcCode::Body(_)) {
            return self.call_proc(code, arguments);
        }
        let mut frame = Frame { self_value: self_value.clone(), ..code.frame.clone() };
        if let Some(class) = definee {
            frame.definee = class;
            frame.visibility = Rc::new(Cell::new(Visibility::Public));
        }
        let code = ProcCell { code: code.code.clone(), frame, is_lambda: code.is_lambda };
        self.call_proc(&Rc::new(code), arguments)
    }
}
