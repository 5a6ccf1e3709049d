//! `Struct.new(:name, :size)`: classes whose objects keep named values.

use super::classes::{Class, ClassId, MethodBody};
use super::value::{CallArguments, Name, RubyObject, RubyValue};
use super::{Eval, Evaluator, RubyFrame};
use ruby_prism::Node;
use std::rc::Rc;

/// The values of the objects of a class.
#[derive(Clone)]
pub struct StructMembers {
    names: Rc<[Name]>,
    /// Whether `new` takes them by name.
    is_by_name: bool,
}

impl<'w> Evaluator<'_, 'w> {
    /// Creates the class that `Struct.new` returns.
    pub(super) fn new_struct(&mut self, frame: &RubyFrame<'w>, node: &Node<'w>, of: ClassId, given: &CallArguments<'w>) -> Eval<'w> {
        let names: Option<Vec<Name>> =
            given.plain.iter().map(|v| if let RubyValue::Sym(name) = v { Some(Rc::clone(name)) } else { None }).collect();
        let option =
            |(key, value): &(RubyValue<'w>, RubyValue<'w>)| (key.word().as_deref() == Some("keyword_init")).then(|| value.is_true());
        let is_by_name = given.named.iter().map(option).next().unwrap_or(Some(Some(false))).flatten();
        let (Some(names), Some(is_by_name), true) = (names.filter(|n| !n.is_empty()), is_by_name, given.named.len() < 2) else {
            return Ok(self.unknown(frame, node, "a structure of this form"));
        };
        let members = StructMembers { names: names.into(), is_by_name };
        let class = self.classes.add(Class { superclass: Some(of), members: Some(members.clone()), ..Class::default() });
        for name in members.names.iter() {
            // Ruby code has no name for it.
            let variable = Rc::clone(name);
            self.add_method(class, name, MethodBody::Reader(Rc::clone(&variable)), true);
            self.add_method(class, &format!("{name}="), MethodBody::Writer(variable), true);
        }
        if let Some(block) = &given.block {
            self.in_class(block, class, vec![RubyValue::Class(class)])?;
        }
        Ok(RubyValue::Class(class))
    }

    /// Sets the values of a new object of such a class; returns whether they are known.
    pub(super) fn set_members(&self, object: &RubyObject<'w>, given: &CallArguments<'w>) -> bool {
        let Some(members) = self.members(object.class) else { return true };
        let of_name = |name: &Name| given.named.iter().find(|(key, _)| key.word().as_deref() == Some(name)).map(|(_, value)| value.clone());
        let (plain, named) = (given.plain.len(), given.named.len());
        let fits = if members.is_by_name { plain == 0 && named <= members.names.len() } else { named == 0 && plain <= members.names.len() };
        let mut variables = object.variables.borrow_mut();
        for (at, name) in members.names.iter().enumerate() {
            let value = if members.is_by_name { of_name(name) } else { given.plain.get(at).cloned() };
            variables.insert(Rc::clone(name), value.unwrap_or(RubyValue::Nil));
        }
        fits
    }

    /// Calls a method that all such objects have.
    pub(super) fn struct_call(&self, of: &RubyObject<'w>, method: &str, given: &CallArguments<'w>) -> Option<Eval<'w>> {
        let members = self.members(of.class)?;
        let variables = of.variables.borrow();
        let value = |name: &str| variables.get(name).cloned().unwrap_or(RubyValue::Nil);
        Some(Ok(match (method, given.plain.as_slice(), given.block.is_some()) {
            ("to_h", [], false) => RubyValue::hash(members.names.iter().map(|n| (RubyValue::Sym(Rc::clone(n)), value(n))).collect()),
            ("to_a" | "values" | "deconstruct", [], false) => RubyValue::array(members.names.iter().map(|n| value(n)).collect()),
            ("members", [], false) => RubyValue::array(members.names.iter().map(|n| RubyValue::Sym(Rc::clone(n))).collect()),
            ("[]", [RubyValue::Int(at)], false) => usize::try_from(*at).ok().and_then(|at| members.names.get(at)).map(|n| value(n))?,
            ("[]", [name], false) => members.names.iter().find(|n| name.word().as_deref() == Some(n)).map(|n| value(n))?,
            _ => return None,
        }))
    }

    fn members(&self, class: ClassId) -> Option<&StructMembers> {
        self.classes.ancestors(class).into_iter().find_map(|of| self.classes.get(of).members.as_ref())
    }
}
