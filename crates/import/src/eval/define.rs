//! Definitions of classes, modules and methods, and constants.

use super::classes::{Class, ClassDeclaration, ClassId, Cref, HostClass, Method, MethodBody, OBJECT};
use super::value::{Name, RubyValue};
use super::{Eval, Evaluator, RubyFrame};
use crate::ruby::{self, name};
use ruby_prism::{ConstantPathNode, DefNode, Node};
use std::rc::Rc;

impl<'w> Evaluator<'_, 'w> {
    pub(super) fn definition(&mut self, frame: &RubyFrame<'w>, node: &Node<'w>) -> Option<Eval<'w>> {
        if let Some(def) = node.as_def_node() {
            return Some(self.define_method(frame, def));
        }
        if let Some(module) = node.as_module_node() {
            return Some(self.open(frame, node, &module.constant_path(), None, true).and_then(|id| match id {
                Some(id) => self.class_body(frame, id, module.body()),
                None => Ok(RubyValue::Nil),
            }));
        }
        if let Some(class) = node.as_class_node() {
            let parent = class.superclass().map(|s| self.eval(frame, &s)).transpose();
            return Some(parent.and_then(|parent| match self.open(frame, node, &class.constant_path(), parent, false)? {
                Some(id) => self.class_body(frame, id, class.body()),
                None => Ok(RubyValue::Nil),
            }));
        }
        if let Some(class) = node.as_singleton_class_node() {
            return Some(self.eval(frame, &class.expression()).and_then(|of| match of {
                RubyValue::Class(id) => self.singleton_body(frame, id, class.body()),
                other => Ok(other),
            }));
        }
        if let Some(alias) = node.as_alias_method_node() {
            let of = frame.definee;
            return Some(self.eval(frame, &alias.new_name()).and_then(|new| {
                let old = self.eval(frame, &alias.old_name())?;
                match (new.word(), old.word(), &frame.self_value) {
                    (Some(new), Some(old), RubyValue::Class(class)) if self.in_singleton(frame) => {
                        if let Some(found) = self.classes.class_method(*class, &old, None) {
                            self.classes.get_mut(*class).class_methods.insert(Name::from(new), found);
                        }
                    }
                    (Some(new), Some(old), _) => self.alias(of, &new, &old),
                    _ => {}
                }
                Ok(RubyValue::Nil)
            }));
        }
        if let Some(undef) = node.as_undef_node() {
            for of in undef.names().iter().filter_map(|n| ruby::symbol(&n)) {
                self.add_method(frame.definee, &of, MethodBody::Undefined, true);
            }
            return Some(Ok(RubyValue::Nil));
        }
        if node.as_alias_global_variable_node().is_some() || node.as_post_execution_node().is_some() {
            return Some(Ok(RubyValue::Nil));
        }
        None
    }

    /// Makes a method known by another name, too.
    pub(super) fn alias(&mut self, of: ClassId, new: &str, old: &str) {
        let found = self.classes.method(of, old, None);
        let method = match found {
            Some(found) => Rc::new(Method { name: Name::from(old), owner: of, body: found.body.again(), is_public: found.is_public }),
            None => Rc::new(Method { name: Name::from(old), owner: of, body: MethodBody::Native, is_public: true }),
        };
        let is_of_attribute = matches!(self.classes.host(of), Some(HostClass::Property | HostClass::Parameter));
        if is_of_attribute || self.classes.get(of).is_module {
            let place = match &method.body {
                MethodBody::Def { node, file, .. } => Some((*file, ruby::at(&node.location()))),
                MethodBody::Proc(code) => code.place(),
                _ => None,
            };
            if let Some((file, at)) = place {
                let declared = Rc::new(Method { name: Name::from(new), owner: of, body: method.body.again(), is_public: method.is_public });
                self.declare_definition(of, "def", file, at, declared);
            }
        }
        self.classes.get_mut(of).methods.insert(Name::from(new), method);
    }

    pub(super) fn add_method(&mut self, of: ClassId, method: &str, body: MethodBody<'w>, is_public: bool) -> Rc<Method<'w>> {
        let method = Rc::new(Method { name: Name::from(method), owner: of, body, is_public });
        self.classes.get_mut(of).methods.insert(Rc::clone(&method.name), Rc::clone(&method));
        method
    }

    fn define_method(&mut self, frame: &RubyFrame<'w>, def: DefNode<'w>) -> Eval<'w> {
        let (of, method_name) = (frame.definee, name(&def.name()));
        let receiver = match def.receiver() {
            Some(receiver) => Some(self.eval(frame, &receiver)?),
            None => None,
        };
        let at = ruby::at(&def.location());
        let body = MethodBody::Def { node: Rc::new(def), file: frame.file, cref: Rc::clone(&frame.cref) };
        match receiver {
            None if self.in_singleton(frame) => {
                let RubyValue::Class(class) = frame.self_value else { return Ok(RubyValue::sym(&method_name)) };
                let public = !self.classes.get(class).is_private;
                self.class_method(class, &method_name, body, at, frame, public);
            }
            None => {
                let class = self.classes.get(of);
                let (public, both) = (!class.is_private, class.module_function);
                if both {
                    self.class_method(of, &method_name, body.again(), at.clone(), frame, true);
                }
                let method = self.add_method(of, &method_name, body, public);
                self.declare_method(of, frame, at, method);
            }
            Some(RubyValue::Class(class)) => self.class_method(class, &method_name, body, at, frame, true),
            // A method of one object.
            Some(_) => {}
        }
        Ok(RubyValue::sym(&method_name))
    }

    pub(super) fn class_method(
        &mut self,
        of: ClassId,
        method: &str,
        body: MethodBody<'w>,
        at: ruby::ByteRange,
        frame: &RubyFrame<'w>,
        public: bool,
    ) {
        let method = Rc::new(Method { name: Name::from(method), owner: of, body, is_public: public });
        self.classes.get_mut(of).class_methods.insert(Rc::clone(&method.name), Rc::clone(&method));
        self.declare_definition(of, "def self", frame.file, at, method);
    }

    /// Records the definition of a method.
    pub(super) fn declare_method(&mut self, of: ClassId, frame: &RubyFrame<'w>, at: ruby::ByteRange, method: Rc<Method<'w>>) {
        self.declare_definition(of, "def", frame.file, at, method);
    }

    fn declare_definition(&mut self, of: ClassId, word: &str, file: usize, at: ruby::ByteRange, method: Rc<Method<'w>>) {
        let declaration = ClassDeclaration {
            word: Name::from(word),
            at,
            file,
            plain: Vec::new(),
            named: Vec::new(),
            block: None,
            class: None,
            method: Some(method),
            condition: self.doubt.last().cloned(),
            site: self.site.clone(),
        };
        self.classes.get_mut(of).declarations.push(declaration);
    }

    /// Returns whether a frame is the body of `class << self`.
    fn in_singleton(&self, frame: &RubyFrame<'w>) -> bool {
        matches!(frame.definee, SINGLETON | EVALUATED)
    }

    /// Opens a class or module, which is created if it does not exist.
    fn open(
        &mut self,
        frame: &RubyFrame<'w>,
        node: &Node<'w>,
        path: &Node<'w>,
        parent: Option<RubyValue<'w>>,
        is_module: bool,
    ) -> Eval<'w, Option<ClassId>> {
        let (outer, constant) = match path.as_constant_path_node() {
            Some(path) => match self.place_of_constant(frame, &path)? {
                Some(found) => found,
                // The module around it was not read.
                None => (self.namespace(&path), path.name().map(|n| name(&n)).unwrap_or_default()),
            },
            None => (frame.cref.class, path.as_constant_read_node().map(|n| name(&n.name())).unwrap_or_default()),
        };
        if let Some(RubyValue::Class(id)) = self.classes.get(outer).constants.get(constant.as_str()) {
            return Ok(Some(*id));
        }
        // `module Puppet` inside of another module is a new one only if the outer one is not `Object`.
        let id = self.classes.add(Class { name: self.full_name(outer, &constant), is_module, ..Class::default() });
        self.classes.get_mut(outer).constants.insert(Name::from(constant.as_str()), RubyValue::Class(id));
        if !is_module {
            match parent {
                Some(RubyValue::Class(parent)) => {
                    self.classes.get_mut(id).superclass = Some(parent);
                    self.inherited(frame, node, parent, id)?;
                }
                Some(RubyValue::Unknown(why)) => {
                    let class = self.classes.get_mut(id);
                    (class.superclass, class.unknown) = (Some(OBJECT), Some(why));
                }
                _ => self.classes.get_mut(id).superclass = Some(OBJECT),
            }
        }
        Ok(Some(id))
    }

    /// Calls the hook `inherited` of a class.
    pub(super) fn inherited(&mut self, frame: &RubyFrame<'w>, node: &Node<'w>, parent: ClassId, class: ClassId) -> Eval<'w, ()> {
        let of = RubyValue::Class(parent);
        if let Some(hook) = self.ruby_method(&of, "inherited") {
            self.invoke(frame, node, &hook, of, super::CallArguments::of(vec![RubyValue::Class(class)]))?;
        }
        Ok(())
    }

    /// Creates the modules around a constant that were not read.
    fn namespace(&mut self, path: &ConstantPathNode<'w>) -> ClassId {
        let mut of = OBJECT;
        let names = path.parent().and_then(|p| ruby::constant(&p)).unwrap_or_default();
        for part in names.split("::").filter(|p| !p.is_empty()) {
            of = match self.classes.get(of).constants.get(part) {
                Some(RubyValue::Class(id)) => *id,
                _ => {
                    let id = self.classes.add(Class { name: self.full_name(of, part), is_module: true, ..Class::default() });
                    self.classes.get_mut(of).constants.insert(Name::from(part), RubyValue::Class(id));
                    id
                }
            };
        }
        of
    }

    /// Runs the body of a class or module.
    pub(super) fn class_body(&mut self, frame: &RubyFrame<'w>, id: ClassId, body: Option<Node<'w>>) -> Eval<'w> {
        let class = self.classes.get_mut(id);
        let before = (class.is_private, class.module_function);
        (class.is_private, class.module_function) = (false, false);
        let inner = RubyFrame {
            self_value: RubyValue::Class(id),
            scope: self.scope(None),
            cref: Rc::new(Cref { class: id, outer: Some(Rc::clone(&frame.cref)) }),
            definee: id,
            method: None,
            ..frame.clone()
        };
        let result = self.body(&inner, body);
        let class = self.classes.get_mut(id);
        (class.is_private, class.module_function) = before;
        result
    }

    fn singleton_body(&mut self, frame: &RubyFrame<'w>, id: ClassId, body: Option<Node<'w>>) -> Eval<'w> {
        let before = std::mem::take(&mut self.classes.get_mut(id).is_private);
        let inner = RubyFrame {
            self_value: RubyValue::Class(id),
            scope: self.scope(None),
            cref: Rc::clone(&frame.cref),
            definee: SINGLETON,
            method: None,
            ..frame.clone()
        };
        let result = self.body(&inner, body);
        self.classes.get_mut(id).is_private = before;
        result
    }

    /// Returns the value of a constant as seen from a place.
    pub(super) fn constant(&mut self, frame: &RubyFrame<'w>, constant: &str, node: &Node<'w>) -> Eval<'w> {
        let mut cref = Some(&frame.cref);
        let mut around = Vec::new();
        while let Some(at) = cref {
            if at.class != OBJECT {
                if let Some(value) = self.classes.get(at.class).constants.get(constant) {
                    return Ok(value.clone());
                }
                around.push(at.class);
            }
            cref = at.outer.as_ref();
        }
        if let Some(value) = self.classes.constant(frame.cref.class, constant) {
            return Ok(value);
        }
        if let Some(value) = self.classes.get(OBJECT).constants.get(constant) {
            return Ok(value.clone());
        }
        for class in around.into_iter().chain([OBJECT]) {
            if let Some(value) = self.autoload(class, constant)? {
                return Ok(value);
            }
        }
        if let Some(value) = self.native_constant(OBJECT, constant) {
            return Ok(value);
        }
        Ok(self.unknown(frame, node, format!("the constant `{constant}` is not known here")))
    }

    pub(super) fn constant_path(&mut self, frame: &RubyFrame<'w>, path: &ConstantPathNode<'w>, node: &Node<'w>) -> Eval<'w> {
        let Some(constant) = path.name().map(|n| name(&n)) else { return Ok(RubyValue::Nil) };
        let of = match path.parent() {
            Some(parent) => self.eval(frame, &parent)?,
            None => RubyValue::Class(OBJECT),
        };
        match of {
            RubyValue::Class(class) => match self.constant_of(class, &constant)? {
                Some(value) => Ok(value),
                None => {
                    let full = self.full_name(class, &constant);
                    Ok(self.unknown(frame, node, format!("the constant `{full}` is not known here")))
                }
            },
            RubyValue::Unknown(_) => {
                let full = ruby::constant(node).unwrap_or(constant);
                // Its file may be named after it.
                match self.autoload_full(&full)? {
                    Some(value) => Ok(value),
                    None => Ok(self.unknown(frame, node, format!("the constant `{full}` is not known here"))),
                }
            }
            _ => Ok(self.unknown(frame, node, format!("the constant `{constant}` is not known here"))),
        }
    }

    /// Returns a constant of a class, whose file is loaded if necessary.
    pub(super) fn constant_of(&mut self, class: ClassId, constant: &str) -> Eval<'w, Option<RubyValue<'w>>> {
        // `A::File` is not Ruby's `File`.
        let found = self.classes.constant(class, constant);
        let top = self.classes.get(OBJECT).constants.get(constant);
        let is_top = class != OBJECT && matches!((&found, top), (Some(a), Some(b)) if a.equal(b) == Some(true));
        if let Some(value) = found.filter(|_| !is_top) {
            return Ok(Some(value));
        }
        if let Some(value) = self.autoload(class, constant)? {
            return Ok(Some(value));
        }
        Ok(self.native_constant(class, constant))
    }
}

/// The singleton class as the place where `def` defines methods.
pub(super) const SINGLETON: ClassId = usize::MAX;

/// The same in `instance_eval`, where methods of the class such as `define_method` still define methods of its objects.
pub(super) const EVALUATED: ClassId = usize::MAX - 1;

impl<'w> MethodBody<'w> {
    /// Returns a copy.
    pub(super) fn again(&self) -> MethodBody<'w> {
        match self {
            MethodBody::Def { node, file, cref } => MethodBody::Def { node: Rc::clone(node), file: *file, cref: Rc::clone(cref) },
            MethodBody::Proc(proc) => MethodBody::Proc(Rc::clone(proc)),
            MethodBody::Reader(variable) => MethodBody::Reader(Rc::clone(variable)),
            MethodBody::Writer(variable) => MethodBody::Writer(Rc::clone(variable)),
            MethodBody::Native => MethodBody::Native,
            MethodBody::Undefined => MethodBody::Undefined,
        }
    }
}
