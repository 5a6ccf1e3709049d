//! Records changes to variables, objects and classes, to revert them later.
//!
//! If a condition is unknown, both branches run, one after the other and each from the same state. A [`Layer`] keeps the original state for
//! each changed storage.

use super::classes::{ClassKey, ClassState};
use super::frame::Environment;
use super::value::{Contents, HashContent, ObjectCell, RuntimeValue, SharedCell, UnknownValue};
use super::{Interpreter, classes::ClassTable};
use crate::hir::HirText;
use indexmap::IndexMap;
use std::rc::Rc;

/// Storage that code can change.
#[derive(Clone)]
pub(crate) enum Storage {
    Slot(Rc<Environment>, usize),
    Str(Rc<SharedCell<String>>),
    Array(Rc<SharedCell<Vec<RuntimeValue>>>),
    Hash(Rc<SharedCell<HashContent>>),
    Object(Rc<ObjectCell>),
    Class(ClassKey),
    Global(HirText),
}

/// Identifies a [`Storage`] in a layer.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) enum StorageKey {
    Address(usize, usize),
    Class(ClassKey),
    Global(HirText),
}

/// The state of a container: content, why it is lost, and a flag for frozen containers.
#[derive(Clone)]
pub(crate) struct CellState<T> {
    content: T,
    lost: Option<Rc<UnknownValue>>,
    frozen: bool,
}

/// The state of a [`Storage`].
#[derive(Clone)]
pub(crate) enum StorageState {
    Value(RuntimeValue),
    Str(CellState<String>),
    Array(CellState<Vec<RuntimeValue>>),
    Hash(Box<CellState<HashContent>>),
    Object(ClassKey, Box<CellState<IndexMap<HirText, RuntimeValue>>>),
    Class(Box<ClassState>),
}

/// The storage changed since the layer began, with the previous state.
#[derive(Default)]
pub(crate) struct Layer {
    pub(crate) saved: IndexMap<StorageKey, (Storage, StorageState)>,
}

/// Storage states after a branch.
pub(crate) type Delta = IndexMap<StorageKey, (Storage, StorageState)>;

impl Storage {
    /// Returns true if the object or scope is newer than the counter value `created`.
    pub(crate) fn is_newer(&self, created: u64) -> bool {
        let born = match self {
            Storage::Slot(variables, _) => variables.born,
            Storage::Str(cell) => cell.born,
            Storage::Array(cell) => cell.born,
            Storage::Hash(cell) => cell.born,
            Storage::Object(cell) => cell.variables.born,
            Storage::Class(_) | Storage::Global(_) => return false,
        };
        born >= created
    }

    pub(crate) fn key(&self) -> StorageKey {
        match self {
            Storage::Slot(variables, at) => StorageKey::Address(Rc::as_ptr(variables) as usize, *at + 1),
            Storage::Str(cell) => StorageKey::Address(Rc::as_ptr(cell) as usize, 0),
            Storage::Array(cell) => StorageKey::Address(Rc::as_ptr(cell) as usize, 0),
            Storage::Hash(cell) => StorageKey::Address(Rc::as_ptr(cell) as usize, 0),
            Storage::Object(cell) => StorageKey::Address(Rc::as_ptr(cell) as usize, 0),
            Storage::Class(key) => StorageKey::Class(*key),
            Storage::Global(name) => StorageKey::Global(HirText::clone(name)),
        }
    }
}

fn read<T: Contents + Clone>(cell: &SharedCell<T>) -> CellState<T> {
    CellState { content: cell.content.borrow().clone(), lost: cell.lost.borrow().clone(), frozen: cell.frozen.get() }
}

fn write<T: Contents + Clone>(cell: &SharedCell<T>, state: &CellState<T>) {
    cell.content.borrow_mut().clone_from(&state.content);
    cell.lost.borrow_mut().clone_from(&state.lost);
    cell.frozen.set(state.frozen);
}

/// Joins two states of a container.
fn join_cells<T: Clone>(
    a: &CellState<T>,
    b: &CellState<T>,
    why: &Rc<UnknownValue>,
    join: impl FnOnce(&T, &T) -> Option<T>,
) -> CellState<T> {
    let frozen = a.frozen && b.frozen;
    let is_sometimes_frozen = a.frozen != b.frozen;
    let lost = a.lost.clone().or_else(|| b.lost.clone()).or_else(|| is_sometimes_frozen.then(|| Rc::clone(why)));
    match join(&a.content, &b.content) {
        Some(content) => CellState { content, lost, frozen },
        None => CellState { content: a.content.clone(), lost: Some(lost.unwrap_or_else(|| Rc::clone(why))), frozen },
    }
}

/// Joins the values of two branches.
pub(crate) fn join_values(a: &RuntimeValue, b: &RuntimeValue, why: &Rc<UnknownValue>) -> RuntimeValue {
    if a.is_same(b) {
        return a.clone();
    }
    if let (RuntimeValue::Str(x), RuntimeValue::Str(y)) = (a, b)
        && x.frozen.get()
        && y.frozen.get()
        && *x.content.borrow() == *y.content.borrow()
    {
        return a.clone();
    }
    let is_opaque = |value: &RuntimeValue| matches!(value, RuntimeValue::Unknown(inner) if inner.options.is_empty());
    let may_change = |value: &&RuntimeValue| value.address().is_some() && !is_opaque(value);
    let options = [a, b].into_iter().filter(may_change).cloned().collect();
    let (reason, origin) = match (a, b) {
        (RuntimeValue::Unknown(inner), _) | (_, RuntimeValue::Unknown(inner)) => (inner.reason.clone(), inner.origin),
        _ => (why.reason.clone(), why.origin),
    };
    RuntimeValue::Unknown(Rc::new(UnknownValue { reason, origin, options }))
}

fn join_maps(
    a: &IndexMap<HirText, RuntimeValue>,
    b: &IndexMap<HirText, RuntimeValue>,
    why: &Rc<UnknownValue>,
) -> IndexMap<HirText, RuntimeValue> {
    let unknown = RuntimeValue::Unknown(Rc::clone(why));
    let mut all = IndexMap::new();
    for name in a.keys().chain(b.keys()) {
        let joined = match (a.get(name), b.get(name)) {
            (Some(x), Some(y)) => join_values(x, y, why),
            _ => unknown.clone(),
        };
        all.insert(HirText::clone(name), joined);
    }
    all
}

fn join_lists(a: &[RuntimeValue], b: &[RuntimeValue], why: &Rc<UnknownValue>) -> Option<Vec<RuntimeValue>> {
    (a.len() == b.len()).then(|| a.iter().zip(b).map(|(x, y)| join_values(x, y, why)).collect())
}

fn join_hashes(a: &HashContent, b: &HashContent, why: &Rc<UnknownValue>) -> Option<HashContent> {
    if a.entries.len() != b.entries.len() || !a.entries.keys().eq(b.entries.keys()) {
        return None;
    }
    let mut joined = a.clone();
    for (mine, other) in joined.entries.values_mut().zip(b.entries.values()) {
        mine.1 = join_values(&mine.1, &other.1, why);
    }
    joined.default = join_values(&a.default, &b.default, why);
    joined.default_proc = join_values(&a.default_proc, &b.default_proc, why);
    Some(joined)
}

fn join_classes(a: &ClassState, b: &ClassState, why: &Rc<UnknownValue>) -> ClassState {
    use super::frame::{MethodBody, MethodEntry};
    let mut joined = a.clone();
    for name in a.methods.keys().chain(b.methods.keys()) {
        let same = matches!((a.methods.get(name), b.methods.get(name)), (Some(x), Some(y)) if Rc::ptr_eq(x, y));
        if !same && let Some(entry) = a.methods.get(name).or_else(|| b.methods.get(name)) {
            let body = MethodBody::Unknown(Rc::clone(why));
            let entry = MethodEntry { name: HirText::clone(name), owner: entry.owner, visibility: entry.visibility, body };
            joined.methods.insert(HirText::clone(name), Rc::new(entry));
        }
    }
    joined.singleton = a.singleton.or(b.singleton);
    joined.name = a.name.clone().or_else(|| b.name.clone());
    joined.constants = join_maps(&a.constants, &b.constants, why);
    joined.variables = join_maps(&a.variables, &b.variables, why);
    if a.includes != b.includes || a.prepends != b.prepends {
        joined.lost = Some(Rc::clone(why));
    }
    joined.lost = joined.lost.or_else(|| b.lost.clone());
    joined
}

/// Joins a storage's states after two branches.
pub(crate) fn join_states(a: &StorageState, b: &StorageState, why: &Rc<UnknownValue>) -> StorageState {
    use StorageState as P;
    match (a, b) {
        (P::Value(a), P::Value(b)) => P::Value(join_values(a, b, why)),
        (P::Str(a), P::Str(b)) => P::Str(join_cells(a, b, why, |a, b| (a == b).then(|| a.clone()))),
        (P::Array(a), P::Array(b)) => P::Array(join_cells(a, b, why, |a, b| join_lists(a, b, why))),
        (P::Hash(a), P::Hash(b)) => P::Hash(Box::new(join_cells(a, b, why, |a, b| join_hashes(a, b, why)))),
        // A singleton class is newer than the class; its methods are joined separately.
        (P::Object(class, a), P::Object(other, b)) => {
            P::Object(*class.max(other), Box::new(join_cells(a, b, why, |a, b| Some(join_maps(a, b, why)))))
        }
        (P::Class(a), P::Class(b)) => P::Class(Box::new(join_classes(a, b, why))),
        _ => a.clone(),
    }
}

/// Returns the state of storage after an unknown number of changes.
pub(crate) fn widen(before: &StorageState, after: &StorageState, why: &Rc<UnknownValue>) -> StorageState {
    use StorageState as P;
    match (before, after) {
        (P::Value(_), P::Value(_)) => P::Value(RuntimeValue::Unknown(Rc::clone(why))),
        (P::Str(a), P::Str(_)) => P::Str(CellState { lost: Some(Rc::clone(why)), ..a.clone() }),
        (P::Array(a), P::Array(_)) => P::Array(CellState { lost: Some(Rc::clone(why)), ..a.clone() }),
        (P::Hash(a), P::Hash(_)) => P::Hash(Box::new(CellState { lost: Some(Rc::clone(why)), ..(**a).clone() })),
        (P::Object(class, a), P::Object(_, b)) => {
            let mut state = (**b).clone();
            for (name, value) in &mut state.content {
                if !a.content.get(name).is_some_and(|old| old.is_same(value)) {
                    *value = RuntimeValue::Unknown(Rc::clone(why));
                }
            }
            P::Object(*class, Box::new(state))
        }
        _ => join_states(before, after, why),
    }
}

/// Returns true if part of an object or class is known before widening, but not afterwards.
pub(crate) fn knows_more(before: &StorageState, wide: &StorageState) -> bool {
    use super::frame::MethodBody;
    let is_unknown = |value: Option<&RuntimeValue>| matches!(value, Some(RuntimeValue::Unknown(_)));
    let maps = |a: &IndexMap<HirText, RuntimeValue>, b: &IndexMap<HirText, RuntimeValue>| {
        b.iter().any(|(name, value)| is_unknown(Some(value)) && !is_unknown(a.get(name)))
    };
    match (before, wide) {
        (StorageState::Object(_, a), StorageState::Object(_, b)) => maps(&a.content, &b.content),
        (StorageState::Class(a), StorageState::Class(b)) => {
            let is_open = |class: &ClassState, name: &str| matches!(class.methods.get(name), Some(entry) if matches!(entry.body, MethodBody::Unknown(_)));
            maps(&a.constants, &b.constants)
                || maps(&a.variables, &b.variables)
                || (a.lost.is_none() && b.lost.is_some())
                || b.methods.keys().any(|name| is_open(b, name) && !is_open(a, name))
        }
        _ => false,
    }
}

impl Interpreter<'_> {
    pub(crate) fn place_state(&self, place: &Storage) -> StorageState {
        match place {
            Storage::Slot(variables, at) => StorageState::Value(variables.slots.borrow().get(*at).cloned().unwrap_or_default()),
            Storage::Str(cell) => StorageState::Str(read(cell)),
            Storage::Array(cell) => StorageState::Array(read(cell)),
            Storage::Hash(cell) => StorageState::Hash(Box::new(read(cell))),
            Storage::Object(cell) => StorageState::Object(cell.class.get(), Box::new(read(&cell.variables))),
            Storage::Class(key) => StorageState::Class(Box::new(self.classes.get(*key).cloned().unwrap_or_default())),
            Storage::Global(name) => StorageState::Value(self.globals.get(name).cloned().unwrap_or_default()),
        }
    }

    pub(crate) fn set_place(&mut self, place: &Storage, state: &StorageState) {
        match (place, state) {
            (Storage::Slot(variables, at), StorageState::Value(value)) => {
                if let Some(slot) = variables.slots.borrow_mut().get_mut(*at) {
                    *slot = value.clone();
                }
            }
            (Storage::Str(cell), StorageState::Str(state)) => write(cell, state),
            (Storage::Array(cell), StorageState::Array(state)) => write(cell, state),
            (Storage::Hash(cell), StorageState::Hash(state)) => write(cell, state),
            (Storage::Object(cell), StorageState::Object(class, state)) => {
                cell.class.set(*class);
                write(&cell.variables, state);
            }
            (Storage::Class(key), StorageState::Class(state)) => restore_class(&mut self.classes, *key, state),
            (Storage::Global(name), StorageState::Value(value)) => {
                self.globals.insert(HirText::clone(name), value.clone());
            }
            _ => {}
        }
    }

    /// Records a storage's state before a change.
    pub(crate) fn touch(&mut self, place: impl FnOnce() -> Storage) -> super::Eval<()> {
        if self.doubt.layers.is_empty() {
            return Ok(());
        }
        let place = place();
        let key = place.key();
        if self.doubt.layers.last().is_some_and(|layer| layer.saved.contains_key(&key)) {
            return Ok(());
        }
        let state = self.place_state(&place);
        self.spend_bytes(state_size(&state))?;
        if let Some(layer) = self.doubt.layers.last_mut() {
            layer.saved.insert(key, (place, state));
        }
        Ok(())
    }
}

fn restore_class(classes: &mut ClassTable, key: ClassKey, state: &ClassState) {
    if let Some(class) = classes.change(key) {
        class.clone_from(state);
    }
}

/// Returns a state's approximate size in bytes.
fn state_size(state: &StorageState) -> usize {
    match state {
        StorageState::Value(_) => 16,
        StorageState::Str(cell) => cell.content.len(),
        StorageState::Array(cell) => 16 * cell.content.len(),
        StorageState::Hash(cell) => 64 * cell.content.entries.len(),
        StorageState::Object(_, cell) => 32 * cell.content.len(),
        StorageState::Class(class) => 32 * class.methods.len() + 32 * class.constants.len(),
    }
}
