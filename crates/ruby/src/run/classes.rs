//! Classes and modules: ancestors, methods and constants.

use super::frame::{MethodBody, MethodEntry, Visibility};
use super::value::{RuntimeValue, UnknownReason, UnknownValue};
use crate::hir::{HirText, SourceRange};
use indexmap::IndexMap;
use std::collections::HashMap;
use std::rc::Rc;

/// A class or module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ClassKey(pub(crate) u32);

/// A class or module's state.
#[derive(Clone, Default)]
pub(crate) struct ClassState {
    /// The full name; none for anonymous classes.
    pub(crate) name: Option<HirText>,
    pub(crate) is_module: bool,
    pub(crate) superclass: Option<ClassKey>,
    /// Included modules in lookup order.
    pub(crate) includes: Vec<ClassKey>,
    pub(crate) prepends: Vec<ClassKey>,
    pub(crate) methods: IndexMap<HirText, Rc<MethodEntry>>,
    pub(crate) constants: IndexMap<HirText, RuntimeValue>,
    /// Names given to `private_constant`.
    pub(crate) private_constants: Vec<HirText>,
    /// Paths of `autoload`.
    pub(crate) autoloads: IndexMap<HirText, String>,
    /// The class object's `@x` variables, and `@@x`.
    pub(crate) variables: IndexMap<HirText, RuntimeValue>,
    pub(crate) singleton: Option<ClassKey>,
    /// A singleton class's object.
    pub(crate) attached: Option<RuntimeValue>,
    /// Why some methods and ancestors are unknown.
    pub(crate) lost: Option<Rc<UnknownValue>>,
    /// True if Ruby itself defines the class.
    pub(crate) is_core: bool,
}

/// All classes and modules.
#[derive(Default)]
pub(crate) struct ClassTable {
    classes: Vec<ClassState>,
    /// Methods by class and name, until a class changes.
    found: HashMap<(ClassKey, HirText), Option<Rc<MethodEntry>>>,
}

static EMPTY: std::sync::LazyLock<HirText> = std::sync::LazyLock::new(|| "".into());

impl ClassTable {
    pub(crate) fn add(&mut self, state: ClassState) -> ClassKey {
        self.classes.push(state);
        ClassKey(u32::try_from(self.classes.len() - 1).unwrap_or(u32::MAX))
    }

    pub(crate) fn get(&self, key: ClassKey) -> Option<&ClassState> {
        self.classes.get(key.0 as usize)
    }

    /// Returns a class for a change.
    pub(crate) fn change(&mut self, key: ClassKey) -> Option<&mut ClassState> {
        self.found.clear();
        self.classes.get_mut(key.0 as usize)
    }

    pub(crate) fn keys(&self) -> impl Iterator<Item = ClassKey> + use<> {
        (0..u32::try_from(self.classes.len()).unwrap_or(0)).map(ClassKey)
    }

    /// Returns the full name; empty for anonymous classes.
    pub(crate) fn name(&self, key: ClassKey) -> HirText {
        self.get(key).and_then(|class| class.name.clone()).unwrap_or_else(|| HirText::clone(&EMPTY))
    }

    pub(crate) fn is_module(&self, key: ClassKey) -> bool {
        self.get(key).is_some_and(|class| class.is_module)
    }

    pub(crate) fn is_singleton(&self, key: ClassKey) -> bool {
        self.get(key).is_some_and(|class| class.attached.is_some())
    }

    /// Returns the class or, for a singleton class, the underlying class.
    pub(crate) fn real(&self, mut key: ClassKey) -> ClassKey {
        while self.is_singleton(key) {
            match self.get(key).and_then(|class| class.superclass) {
                Some(superclass) => key = superclass,
                None => break,
            }
        }
        key
    }

    /// Returns the classes and modules in which methods are looked up.
    pub(crate) fn ancestors(&self, key: ClassKey) -> Vec<ClassKey> {
        let mut all = Vec::new();
        let mut next = Some(key);
        while let Some(class) = next {
            self.expand(class, &mut all, 0);
            next = self.get(class).and_then(|class| class.superclass);
        }
        all
    }

    fn expand(&self, key: ClassKey, all: &mut Vec<ClassKey>, depth: usize) {
        let Some(class) = self.get(key) else { return };
        if all.contains(&key) || depth > 100 {
            return;
        }
        for module in class.prepends.iter().rev() {
            self.expand(*module, all, depth + 1);
        }
        all.push(key);
        for module in class.includes.iter().rev() {
            self.expand(*module, all, depth + 1);
        }
    }

    pub(crate) fn is_a(&self, key: ClassKey, of: ClassKey) -> bool {
        key == of || self.ancestors(key).contains(&of)
    }

    /// Finds a method by name.
    pub(crate) fn find(&mut self, key: ClassKey, name: &HirText) -> Option<Rc<MethodEntry>> {
        let at = (key, HirText::clone(name));
        if let Some(known) = self.found.get(&at) {
            return known.clone();
        }
        let entry = self.implementation(key, name);
        let entry = entry.filter(|entry| !matches!(entry.body, MethodBody::Undefined));
        self.found.insert(at, entry.clone());
        entry
    }

    /// Finds the first method with a name. An unimplemented Ruby method usually does the same as the implemented method in a module or
    /// superclass, and is only faster: `Array#select` and `Enumerable#select`.
    fn implementation(&self, key: ClassKey, name: &str) -> Option<Rc<MethodEntry>> {
        let mut all = self.ancestors(key).into_iter().filter_map(|class| self.own_method(class, name));
        let first = all.next()?;
        if !matches!(first.body, MethodBody::Missing) {
            return Some(first);
        }
        let is_other = match &*self.name(first.owner) {
            "Proc" | "MatchData" => matches!(name, "==" | "eql?" | "hash"),
            "Method" | "UnboundMethod" => matches!(name, "==" | "eql?" | "hash" | "inspect" | "to_s"),
            "Module" => name == "freeze",
            "Set" => name == "<=>",
            // `Enumerable`'s methods return lists.
            "Enumerator::Lazy" => true,
            _ => false,
        };
        if is_other {
            return Some(first);
        }
        Some(all.find(|entry| !matches!(entry.body, MethodBody::Missing)).unwrap_or(first))
    }

    pub(crate) fn own_method(&self, key: ClassKey, name: &str) -> Option<Rc<MethodEntry>> {
        self.get(key)?.methods.get(name).cloned()
    }

    /// Finds the overridden method.
    pub(crate) fn find_after(&self, key: ClassKey, owner: ClassKey, name: &str) -> Option<Rc<MethodEntry>> {
        let mut ancestors = self.ancestors(key).into_iter().skip_while(|class| *class != owner);
        ancestors.next();
        ancestors.find_map(|class| self.own_method(class, name)).filter(|entry| !matches!(entry.body, MethodBody::Undefined))
    }

    /// Returns why some methods in a class are unknown, if so.
    pub(crate) fn lost(&self, key: ClassKey) -> Option<Rc<UnknownValue>> {
        let attached = self.get(key).and_then(|class| class.attached.clone());
        // If the superclass is unknown, the class methods are also unknown.
        let of_class = match attached {
            Some(RuntimeValue::Class(of)) if of != key => self.lost(of),
            _ => None,
        };
        of_class.or_else(|| self.ancestors(key).into_iter().find_map(|class| self.get(class)?.lost.clone()))
    }

    pub(crate) fn define(&mut self, key: ClassKey, name: HirText, visibility: Visibility, body: MethodBody) -> Rc<MethodEntry> {
        let entry = Rc::new(MethodEntry { name: HirText::clone(&name), owner: key, visibility, body });
        if let Some(class) = self.change(key) {
            class.methods.insert(name, Rc::clone(&entry));
        }
        entry
    }

    /// Returns a class's singleton class, which inherits from the superclass's singleton class.
    pub(crate) fn singleton_of_class(&mut self, key: ClassKey, class_class: ClassKey, module_class: ClassKey) -> ClassKey {
        if let Some(singleton) = self.get(key).and_then(|class| class.singleton) {
            return singleton;
        }
        let superclass = match self.get(key).and_then(|class| class.superclass) {
            Some(superclass) => self.singleton_of_class(superclass, class_class, module_class),
            None if self.is_module(key) => module_class,
            None => class_class,
        };
        let state = ClassState { superclass: Some(superclass), attached: Some(RuntimeValue::Class(key)), ..ClassState::default() };
        let singleton = self.add(state);
        if let Some(class) = self.change(key) {
            class.singleton = Some(singleton);
        }
        singleton
    }
}

/// Frequently used classes.
#[derive(Clone, Copy)]
pub(crate) struct KnownClasses {
    pub(crate) object: ClassKey,
    pub(crate) module: ClassKey,
    pub(crate) class: ClassKey,
    pub(crate) kernel: ClassKey,
}

/// Returns the value for a Ruby constant outside the prelude.
fn unknown_constant(class: &str, name: &str) -> RuntimeValue {
    let path = if class == "Object" { name.to_owned() } else { format!("{class}::{name}") };
    let reason = UnknownReason::Other(format!("constant `{path}` is not supported"));
    RuntimeValue::Unknown(Rc::new(UnknownValue { reason, origin: SourceRange::default(), options: Vec::new() }))
}

/// Ruby's classes, their ancestors and method names. `data/record.rb` writes the file.
const CORE: &str = include_str!("../../data/core.txt");

/// Creates Ruby's classes with unimplemented methods.
pub(crate) fn core(table: &mut ClassTable) -> KnownClasses {
    let mut keys: HashMap<&str, ClassKey> = HashMap::new();
    let rows: Vec<Vec<&str>> = CORE.lines().map(|line| line.split('\t').collect()).collect();
    for row in &rows {
        if let [name, kind, ..] = row.as_slice() {
            let state = ClassState { name: Some((*name).into()), is_module: *kind == "module", is_core: true, ..ClassState::default() };
            keys.insert(name, table.add(state));
        }
    }
    let key = |name: &str| keys.get(name).copied().unwrap_or(ClassKey(0));
    let known = KnownClasses { object: key("Object"), module: key("Module"), class: key("Class"), kernel: key("Kernel") };
    for row in &rows {
        let [name, _, superclass, includes, ..] = row.as_slice() else { continue };
        let own = key(name);
        let path: (&str, &str) = name.rsplit_once("::").unwrap_or(("Object", name));
        if let Some(outer) = table.change(key(path.0)) {
            outer.constants.insert(path.1.into(), RuntimeValue::Class(own));
        }
        let values = row.last().into_iter().flat_map(|list| list.split(' ')).filter(|value| !value.is_empty());
        if let Some(class) = table.change(own) {
            class.constants.extend(values.map(|value| (value.into(), unknown_constant(name, value))));
            class.superclass = keys.get(superclass).copied();
            class.includes = includes.split(' ').filter_map(|module| keys.get(module).copied()).collect();
            class.includes.reverse();
        }
    }
    for row in &rows {
        let [name, _, _, _, public, private, singleton, _] = row.as_slice() else { continue };
        let own = key(name);
        for (list, visibility) in [(public, Visibility::Public), (private, Visibility::Private)] {
            for method in list.split(' ').filter(|name| !name.is_empty()) {
                table.define(own, method.into(), visibility, MethodBody::Missing);
            }
        }
        if !singleton.is_empty() {
            let meta = table.singleton_of_class(own, known.class, known.module);
            for method in singleton.split(' ') {
                table.define(meta, method.into(), Visibility::Public, MethodBody::Missing);
            }
        }
    }
    known
}
