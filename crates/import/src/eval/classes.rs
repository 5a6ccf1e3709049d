//! The classes and modules that Ruby code defines, and those of Ruby and Puppet that it builds upon.

use super::structs::StructMembers;
use super::value::{Name, Proc, RubyValue, Unknown};
use crate::ruby::ByteRange;
use ruby_prism::DefNode;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Index of a class or module.
pub type ClassId = usize;

/// `Object`, the root of all classes.
pub const OBJECT: ClassId = 0;

/// The lexical nesting of modules at a place, which constants are looked up in.
pub struct Cref {
    pub class: ClassId,
    pub outer: Option<Rc<Cref>>,
}

/// What a class of Puppet is, as far as its class methods matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostClass {
    Type,
    Parameter,
    Property,
    Provider,
    Error,
}

/// A class or module.
#[derive(Default)]
pub struct Class<'w> {
    /// The full name; empty if it has none.
    pub name: String,
    pub is_module: bool,
    pub superclass: Option<ClassId>,
    pub prepended: Vec<ClassId>,
    pub included: Vec<ClassId>,
    /// Modules whose methods are its class methods.
    pub extended: Vec<ClassId>,
    pub methods: BTreeMap<Name, Rc<Method<'w>>>,
    pub class_methods: BTreeMap<Name, Rc<Method<'w>>>,
    pub constants: BTreeMap<Name, RubyValue<'w>>,
    /// Instance variables of the class itself.
    pub variables: BTreeMap<Name, RubyValue<'w>>,
    /// Class variables.
    pub shared: BTreeMap<Name, RubyValue<'w>>,
    /// The class of Puppet that it is.
    pub host: Option<HostClass>,
    /// Whether Ruby or Puppet defines it, so that its methods are only known by name.
    pub is_native: bool,
    /// Whether methods are private from here on.
    pub is_private: bool,
    /// Whether methods also become class methods from here on.
    pub module_function: bool,
    /// What its body declares, in order.
    pub declarations: Vec<ClassDeclaration<'w>>,
    /// The values of its objects, if it is one of `Struct`.
    pub members: Option<StructMembers>,
    /// A superclass or module that could not be read.
    pub unknown: Option<Rc<Unknown>>,
}

/// A method.
pub struct Method<'w> {
    pub name: Name,
    pub owner: ClassId,
    pub body: MethodBody<'w>,
    pub is_public: bool,
}

/// What a method does.
pub enum MethodBody<'w> {
    Def {
        node: Rc<DefNode<'w>>,
        file: usize,
        cref: Rc<Cref>,
    },
    /// `define_method`.
    Proc(Rc<Proc<'w>>),
    Reader(Name),
    Writer(Name),
    /// A method of Ruby or Puppet.
    Native,
    /// `undef_method`.
    Undefined,
}

/// A call or definition in the body of a class that declares a part of a type, attribute or provider.
#[derive(Clone)]
pub struct ClassDeclaration<'w> {
    /// The method called, or `def`.
    pub word: Name,
    pub at: ByteRange,
    pub file: usize,
    pub plain: Vec<RubyValue<'w>>,
    pub named: Vec<(RubyValue<'w>, RubyValue<'w>)>,
    pub block: Option<Rc<Proc<'w>>>,
    /// The class of the attribute or provider that it creates.
    pub class: Option<ClassId>,
    /// The method that it defines.
    pub method: Option<Rc<Method<'w>>>,
    /// The condition that is not known and decides whether it runs.
    pub condition: Option<Rc<Unknown>>,
    /// The call in the body of a class that led to it, with the index of its file.
    pub site: Option<(usize, ByteRange)>,
}

/// All classes and modules.
pub struct ClassTable<'w> {
    all: Vec<Class<'w>>,
    nowhere: Class<'w>,
}

impl<'w> Default for ClassTable<'w> {
    fn default() -> ClassTable<'w> {
        let object = Class { name: "Object".into(), is_native: true, ..Class::default() };
        ClassTable { all: vec![object], nowhere: Class::default() }
    }
}

impl<'w> ClassTable<'w> {
    pub fn get(&self, id: ClassId) -> &Class<'w> {
        self.all.get(id).unwrap_or(&self.nowhere)
    }

    pub fn get_mut(&mut self, id: ClassId) -> &mut Class<'w> {
        self.all.get_mut(id).unwrap_or(&mut self.nowhere)
    }

    pub fn add(&mut self, class: Class<'w>) -> ClassId {
        self.all.push(class);
        self.all.len() - 1
    }

    pub fn ids(&self) -> std::ops::Range<ClassId> {
        0..self.all.len()
    }

    /// Returns a class and everything that it inherits from, in the order in which methods are looked up.
    pub fn ancestors(&self, id: ClassId) -> Vec<ClassId> {
        let mut out = Vec::new();
        let mut next = Some(id);
        while let Some(id) = next.filter(|_| out.len() < MAX_ANCESTORS) {
            self.with_modules(id, &mut out);
            next = self.get(id).superclass;
        }
        out
    }

    fn with_modules(&self, id: ClassId, out: &mut Vec<ClassId>) {
        if out.contains(&id) || out.len() >= MAX_ANCESTORS {
            return;
        }
        let class = self.get(id);
        class.prepended.iter().rev().for_each(|m| self.with_modules(*m, out));
        out.push(id);
        class.included.iter().rev().for_each(|m| self.with_modules(*m, out));
    }

    /// Returns the modules and classes whose methods are methods of a class itself: own ones first. The flag is true for those whose
    /// class methods count, not their methods.
    pub fn class_ancestors(&self, id: ClassId) -> Vec<(ClassId, bool)> {
        let mut out = Vec::new();
        let mut next = Some(id);
        while let Some(id) = next.filter(|_| out.len() < MAX_ANCESTORS) {
            out.push((id, true));
            for module in self.get(id).extended.iter().rev() {
                out.extend(self.ancestors(*module).into_iter().map(|m| (m, false)));
            }
            next = self.get(id).superclass;
        }
        out
    }

    /// Returns an instance method, the first one after `after` in the order of lookup.
    pub fn method(&self, id: ClassId, name: &str, after: Option<ClassId>) -> Option<Rc<Method<'w>>> {
        let all = self.ancestors(id);
        let from = after.and_then(|a| all.iter().position(|c| *c == a)).map_or(0, |at| at + 1);
        let found = all.into_iter().skip(from).find_map(|c| self.get(c).methods.get(name).cloned());
        found.filter(|m| !matches!(m.body, MethodBody::Undefined))
    }

    /// Returns a class method, the first one after `after` in the order of lookup.
    pub fn class_method(&self, id: ClassId, name: &str, after: Option<ClassId>) -> Option<Rc<Method<'w>>> {
        let all = self.class_ancestors(id);
        let from = after.and_then(|a| all.iter().position(|(c, _)| *c == a)).map_or(0, |at| at + 1);
        all.into_iter().skip(from).find_map(|(c, own)| {
            let class = self.get(c);
            if own { &class.class_methods } else { &class.methods }.get(name).cloned()
        })
    }

    pub fn is_a(&self, id: ClassId, of: ClassId) -> bool {
        id == of || self.ancestors(id).contains(&of)
    }

    /// Returns the class of Puppet that a class builds upon.
    pub fn host(&self, id: ClassId) -> Option<HostClass> {
        self.ancestors(id).into_iter().find_map(|c| self.get(c).host)
    }

    /// Returns what could not be read of a class, if anything.
    pub fn unknown(&self, id: ClassId) -> Option<Rc<Unknown>> {
        self.ancestors(id).into_iter().find_map(|c| self.get(c).unknown.clone())
    }

    /// Returns the value of a constant of a class or what it inherits from.
    pub fn constant(&self, id: ClassId, name: &str) -> Option<RubyValue<'w>> {
        self.ancestors(id).into_iter().find_map(|c| self.get(c).constants.get(name).cloned())
    }
}

/// Maximum number of classes and modules that a class inherits from.
const MAX_ANCESTORS: usize = 256;
