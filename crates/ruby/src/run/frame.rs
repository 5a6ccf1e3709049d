//! Frames of running code: variables, `self`, and the running method.

use super::classes::ClassKey;
use super::value::{ProcCell, RuntimeValue, UnknownValue, bury};
use crate::hir::{BodyId, Hir, HirText};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

/// The variables of a running body. The first slot holds the last match of a method, the others the local variables.
pub(crate) struct Environment {
    pub(crate) slots: RefCell<Vec<RuntimeValue>>,
    /// The variables of the body that contains a block.
    pub(crate) outer: Option<Rc<Environment>>,
    /// The number of containers and scopes that were created before.
    pub(crate) born: u64,
}

impl Drop for Environment {
    fn drop(&mut self) {
        bury(|out| out.append(self.slots.get_mut()));
    }
}

/// The classes whose bodies contain the code, innermost first.
pub(crate) struct LexicalScope {
    pub(crate) class: ClassKey,
    pub(crate) outer: Option<Rc<LexicalScope>>,
}

/// Who may call a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Visibility {
    Public,
    Protected,
    Private,
    /// `module_function`: private, and a method of the module itself.
    ModuleFunction,
}

/// Positional arguments, keywords and the block of a call.
#[derive(Clone, Default)]
pub(crate) struct Arguments {
    pub(crate) positional: Vec<RuntimeValue>,
    pub(crate) keywords: Vec<(RuntimeValue, RuntimeValue)>,
    pub(crate) block: Option<Rc<ProcCell>>,
}

impl Arguments {
    pub(crate) fn of(positional: Vec<RuntimeValue>) -> Arguments {
        Arguments { positional, ..Arguments::default() }
    }
}

/// A running method.
pub(crate) struct Activation {
    pub(crate) entry: Rc<MethodEntry>,
    pub(crate) block: Option<Rc<ProcCell>>,
    /// Whether the method was defined with a block, where `super` needs arguments.
    pub(crate) is_block: bool,
}

/// What code runs in.
#[derive(Clone)]
pub(crate) struct Frame {
    pub(crate) hir: Arc<Hir>,
    pub(crate) body: BodyId,
    pub(crate) variables: Rc<Environment>,
    pub(crate) self_value: RuntimeValue,
    pub(crate) lexical: Rc<LexicalScope>,
    /// The class in which `def` defines methods.
    pub(crate) definee: ClassKey,
    pub(crate) method: Option<Rc<Activation>>,
    /// The method call that `return` ends, by number.
    pub(crate) home: u64,
    /// The call or loop that `break` ends, by number.
    pub(crate) breaks: u64,
    /// The visibility of the following definitions.
    pub(crate) visibility: Rc<Cell<Visibility>>,
}

/// A method of a class.
pub(crate) struct MethodEntry {
    pub(crate) name: HirText,
    /// The class that has the method.
    pub(crate) owner: ClassKey,
    pub(crate) visibility: Visibility,
    pub(crate) body: MethodBody,
}

/// A function of the interpreter.
pub(crate) type NativeFunction = fn(&mut super::Interpreter<'_>, &super::natives::Call<'_>) -> super::Eval;

/// The code of a method.
#[derive(Clone)]
pub(crate) enum MethodBody {
    /// `def`.
    Code { hir: Arc<Hir>, body: BodyId, lexical: Rc<LexicalScope> },
    /// `define_method`.
    Proc(Rc<ProcCell>),
    /// A method of the interpreter with the minimum and maximum number of arguments.
    Native(NativeFunction, usize, usize),
    /// `attr_reader`: the name of the variable.
    Reader(HirText),
    /// `attr_writer`: the name of the variable.
    Writer(HirText),
    /// A method of the embedder.
    Embedded,
    /// An unimplemented method of Ruby.
    Missing,
    /// `undef`.
    Undefined,
    /// Which method this is depends on a condition that is not known.
    Unknown(Rc<UnknownValue>),
}
