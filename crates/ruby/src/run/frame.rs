//! Frames of running code: variables, `self`, and the running method.

use super::classes::ClassKey;
use super::value::{ProcCell, RuntimeValue, UnknownValue, bury};
use crate::hir::{BodyId, Hir, HirText};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

/// A running body's variables. The first slot holds a method's last match, the others the local variables.
pub(crate) struct Environment {
    pub(crate) slots: RefCell<Vec<RuntimeValue>>,
    /// The variables in the body around a block.
    pub(crate) outer: Option<Rc<Environment>>,
    /// The number of previously created containers and scopes.
    pub(crate) born: u64,
}

impl Drop for Environment {
    fn drop(&mut self) {
        bury(|out| out.append(self.slots.get_mut()));
    }
}

/// The classes around the code, innermost first.
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
    /// `module_function`: private, and a method on the module itself.
    ModuleFunction,
}

/// A call's positional arguments, keywords and block.
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
    /// True if the method was defined with a block, where `super` needs arguments.
    pub(crate) is_block: bool,
}

/// The context of running code.
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
    /// The call number that `return` ends.
    pub(crate) home: u64,
    /// The call or loop number that `break` ends.
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
    /// An interpreter method with the minimum and maximum argument count.
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
    /// The method depends on an unknown condition.
    Unknown(Rc<UnknownValue>),
}
