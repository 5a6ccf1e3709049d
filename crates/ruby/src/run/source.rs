//! Access to classes, methods, blocks and values for embedders.

use super::classes::ClassKey;
use super::frame::{MethodBody, Visibility};
use super::value::{ProcCode, RuntimeValue, UnknownReason};
use super::{Flow, Interpreter};
use crate::hir::{BodyId, FileId, Hir, HirText, LocalId, RegexFlags, SourceRange};
use std::rc::Rc;
use std::sync::Arc;

/// A copy of a value without shared parts.
#[derive(Clone, Debug, PartialEq)]
pub enum PlainValue {
    /// `nil`.
    Nil,
    /// `true` or `false`.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A floating-point number.
    Float(f64),
    /// A symbol.
    Sym(String),
    /// A string.
    Str(String),
    /// A list.
    Array(Vec<PlainValue>),
    /// A hash.
    Hash(Vec<(PlainValue, PlainValue)>),
    /// A regex.
    Regex(HirText, RegexFlags),
    /// A class or module.
    Class(ClassKey),
    /// Another object, described by the class.
    Other(String),
    /// A value that is not known.
    Unknown(UnknownReason),
}

impl PlainValue {
    /// Returns a string's or symbol's characters.
    pub fn word(&self) -> Option<&str> {
        match self {
            PlainValue::Sym(text) | PlainValue::Str(text) => Some(text),
            _ => None,
        }
    }
}

/// A method's or block's code.
#[derive(Clone)]
pub struct CodeSource {
    /// The file.
    pub hir: Arc<Hir>,
    /// The body.
    pub body: BodyId,
    /// The block with the readable variables; none for a method.
    pub block: Option<RuntimeValue>,
    /// The class around the code, in which constants are looked up.
    pub class: ClassKey,
}

/// A method that code defines.
#[derive(Clone)]
pub struct MethodSource {
    /// The name.
    pub name: HirText,
    /// True if other objects may call the method; false if removed by `undef`.
    pub is_public: bool,
    /// The code; none if the method depends on an unknown condition, or has no body.
    pub code: Option<CodeSource>,
}

/// The maximum nesting of copied values.
const MAX_COPY: usize = 32;

impl Interpreter<'_> {
    /// Returns a copy of a value.
    pub fn plain(&mut self, value: &RuntimeValue) -> PlainValue {
        match self.plain_within(value, MAX_COPY) {
            Ok(plain) => plain,
            Err(Flow::Unknown(why)) => PlainValue::Unknown(why.reason.clone()),
            Err(_) => PlainValue::Unknown(UnknownReason::Other("the value is too large".into())),
        }
    }

    fn plain_within(&mut self, value: &RuntimeValue, depth: usize) -> super::Eval<PlainValue> {
        let Some(depth) = depth.checked_sub(1) else { return self.unknown_because("the value nests too deeply") };
        self.spend(1)?;
        Ok(match value {
            RuntimeValue::Nil => PlainValue::Nil,
            RuntimeValue::Bool(value) => PlainValue::Bool(*value),
            RuntimeValue::Int(number) => PlainValue::Int(*number),
            RuntimeValue::Float(number) => PlainValue::Float(*number),
            RuntimeValue::Sym(name) => PlainValue::Sym(name.to_string()),
            RuntimeValue::Str(_) => PlainValue::Str(self.text_of(value)?),
            RuntimeValue::Array(list) => {
                let items = self.items(list)?;
                PlainValue::Array(items.iter().map(|item| self.plain_within(item, depth)).collect::<super::Eval<_>>()?)
            }
            RuntimeValue::Hash(hash) => {
                let pairs = self.hash_pairs(hash)?;
                let copied = pairs.iter().map(|(key, value)| Ok((self.plain_within(key, depth)?, self.plain_within(value, depth)?)));
                PlainValue::Hash(copied.collect::<super::Eval<_>>()?)
            }
            RuntimeValue::Regex(regex) => PlainValue::Regex(HirText::clone(&regex.source), regex.flags),
            RuntimeValue::Class(class) => PlainValue::Class(*class),
            RuntimeValue::Unknown(why) => PlainValue::Unknown(why.reason.clone()),
            other => PlainValue::Other(self.real_class_name(other).to_string()),
        })
    }

    /// Returns the elements of a list; `None` if the value is not a list, or its elements are not known.
    pub fn list_items(&mut self, list: &RuntimeValue) -> Option<Vec<RuntimeValue>> {
        match list {
            RuntimeValue::Array(list) => self.items(list).ok(),
            _ => None,
        }
    }

    /// Returns the code of a block; `None` if the value has no code in Ruby.
    pub fn block_source(&self, block: &RuntimeValue) -> Option<CodeSource> {
        let RuntimeValue::Proc(cell) = block else { return None };
        let ProcCode::Body(body) = cell.code else { return None };
        let hir = Arc::clone(&cell.frame.hir);
        Some(CodeSource { hir, body, block: Some(block.clone()), class: cell.frame.lexical.class })
    }

    /// Returns the method name in `&:name`.
    pub fn symbol_of_block(&self, block: &RuntimeValue) -> Option<HirText> {
        match block {
            RuntimeValue::Proc(cell) => match &cell.code {
                ProcCode::Symbol(name) => Some(HirText::clone(name)),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the value of a variable around a block. `depth` is 1 for the block's direct parent.
    pub fn outer_variable(&mut self, block: &RuntimeValue, depth: u32, local: LocalId) -> PlainValue {
        use crate::hir::ArenaId;
        let RuntimeValue::Proc(cell) = block else { return PlainValue::Nil };
        let mut variables = Rc::clone(&cell.frame.variables);
        for _ in 1..depth {
            let Some(outer) = variables.outer.as_ref().map(Rc::clone) else { break };
            variables = outer;
        }
        let value = variables.slots.borrow().get(local.position() + 1).cloned().unwrap_or_default();
        self.plain(&value)
    }

    /// Returns the methods defined directly in a class or module.
    pub fn own_methods(&self, class: ClassKey) -> Vec<MethodSource> {
        let Some(state) = self.classes.get(class) else { return Vec::new() };
        let is_code = |body: &MethodBody| !matches!(body, MethodBody::Embedded | MethodBody::Native(..) | MethodBody::Missing);
        let methods = state.methods.iter().filter(|(_, entry)| is_code(&entry.body));
        let source = |name: &HirText, body: &MethodBody, visibility: Visibility| {
            let code = match body {
                MethodBody::Code { hir, body, lexical } => {
                    Some(CodeSource { hir: Arc::clone(hir), body: *body, block: None, class: lexical.class })
                }
                MethodBody::Proc(cell) => self.block_source(&RuntimeValue::Proc(Rc::clone(cell))),
                _ => None,
            };
            let is_public = visibility == Visibility::Public && !matches!(body, MethodBody::Undefined | MethodBody::Unknown(_));
            MethodSource { name: HirText::clone(name), is_public, code }
        };
        methods.map(|(name, entry)| source(name, &entry.body, entry.visibility)).collect()
    }

    /// Returns a class's singleton class.
    pub fn class_of_class(&self, class: ClassKey) -> Option<ClassKey> {
        self.classes.get(class)?.singleton
    }

    /// Returns a class and its ancestors.
    pub fn ancestors_of(&self, class: ClassKey) -> Vec<ClassKey> {
        self.classes.ancestors(class).to_vec()
    }

    /// Returns a class's name; anonymous classes have an empty name.
    pub fn name_of_class(&self, class: ClassKey) -> HirText {
        self.classes.name(class)
    }

    /// Returns why further methods in a class are unknown.
    pub fn unknown_methods(&self, class: ClassKey) -> Option<UnknownReason> {
        self.classes.lost(class).map(|why| why.reason.clone())
    }

    /// Returns true if Ruby's class or module with this name has an instance method not replaced by the program.
    pub fn ruby_has_method(&mut self, class: &str, method: &str) -> bool {
        self.method_is_replaced(class, method) == Some(false)
    }

    /// Returns true if the program defines an instance method in Ruby's class or module with this name.
    pub fn program_has_method(&mut self, class: &str, method: &str) -> bool {
        self.method_is_replaced(class, method) == Some(true)
    }

    fn method_is_replaced(&mut self, class: &str, method: &str) -> Option<bool> {
        let class = self.core_class(class);
        let entry = self.find_method(class, &method.into())?;
        Some(match &entry.body {
            // The prelude's files have the last numbers.
            MethodBody::Code { hir, .. } => hir.file.0 < u32::MAX / 2,
            MethodBody::Proc(_) | MethodBody::Unknown(_) | MethodBody::Undefined => true,
            _ => false,
        })
    }

    /// Returns a constant's value as read by code in a class.
    pub fn constant_in(&mut self, class: ClassKey, name: &HirText) -> PlainValue {
        for ancestor in self.ancestors_of(class) {
            if let Some(value) = self.classes.get(ancestor).and_then(|state| state.constants.get(name)).cloned() {
                return self.plain(&value);
            }
        }
        let outer = self.classes.name(class).rsplit_once("::").map(|(outer, _)| outer.to_owned());
        let mut scope = self.known.object;
        for part in outer.iter().flat_map(|path| path.split("::")) {
            match self.classes.get(scope).and_then(|state| state.constants.get(part)) {
                Some(RuntimeValue::Class(inner)) => scope = *inner,
                _ => break,
            }
        }
        if let Some(value) = self.classes.get(scope).and_then(|state| state.constants.get(name)).cloned() {
            return self.plain(&value);
        }
        match self.classes.get(self.known.object).and_then(|state| state.constants.get(name)).cloned() {
            Some(value) => self.plain(&value),
            None => PlainValue::Unknown(UnknownReason::Constant(name.to_string())),
        }
    }

    /// Returns a class's instance variable.
    pub fn class_instance_variable(&mut self, class: ClassKey, name: &str) -> Option<PlainValue> {
        let value = self.classes.get(class)?.variables.get(name).cloned()?;
        Some(self.plain(&value))
    }

    /// Returns the innermost running call in another file.
    pub fn call_outside(&self, file: FileId) -> Option<SourceRange> {
        self.callers.iter().rev().find(|call| call.file != file).copied()
    }

    /// Returns true if code in a file called the running code.
    pub fn is_called_from(&self, file: FileId) -> bool {
        self.callers.iter().any(|call| call.file == file)
    }

    /// Returns the number for the next parsed file.
    pub fn next_file(&self) -> FileId {
        self.loader.next_file()
    }

    /// Returns the superclass of a class.
    pub fn superclass_of(&self, class: ClassKey) -> Option<ClassKey> {
        self.classes.get(class)?.superclass.map(|superclass| self.classes.real(superclass))
    }

    /// Returns the constant with this path, if defined.
    pub fn existing_constant(&self, path: &str) -> Option<RuntimeValue> {
        let mut value = RuntimeValue::Class(self.known.object);
        for part in path.split("::") {
            let RuntimeValue::Class(class) = value else { return None };
            value = self.classes.get(class)?.constants.get(part)?.clone();
        }
        Some(value)
    }

    /// Returns the number of unknown conditions with an early exit in one branch, for example with `raise`.
    pub fn open_branches(&self) -> usize {
        self.doubt.pending.len()
    }

    /// Returns true if the running code depends on an unknown condition.
    pub fn is_conditional(&self) -> bool {
        self.doubt.is_conditional()
    }
}
