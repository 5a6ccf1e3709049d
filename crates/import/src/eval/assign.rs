//! Assignments.

use super::classes::ClassId;
use super::value::{CallArguments, Name, RubyValue};
use super::{Eval, Evaluator, RubyFrame};
use crate::ruby::{self, name};
use ruby_prism::{ConstantPathNode, Node};

impl<'w> Evaluator<'_, 'w> {
    pub(super) fn assignment(&mut self, frame: &RubyFrame<'w>, node: &Node<'w>) -> Option<Eval<'w>> {
        if let Some(write) = node.as_local_variable_write_node() {
            self.budget.computing(frame.file, ruby::place(&write.value()));
            return Some(self.eval(frame, &write.value()).inspect(|value| frame.scope.set(&name(&write.name()), value.clone())));
        }
        if let Some(write) = node.as_instance_variable_write_node() {
            return Some(
                self.eval(frame, &write.value())
                    .inspect(|value| self.set_instance_variable(frame, &name(&write.name()), value, ruby::place(node))),
            );
        }
        if let Some(write) = node.as_class_variable_write_node() {
            return Some(self.eval(frame, &write.value()).inspect(|value| self.set_class_variable(frame, &name(&write.name()), value)));
        }
        if let Some(write) = node.as_global_variable_write_node() {
            return Some(self.eval(frame, &write.value()).inspect(|value| {
                self.globals.insert(name(&write.name()), value.clone());
            }));
        }
        if let Some(write) = node.as_constant_write_node() {
            return Some(self.eval(frame, &write.value()).inspect(|value| {
                let (of, constant) = (frame.cref.class, name(&write.name()));
                self.set_constant(of, &constant, value);
                if of == super::OBJECT {
                    self.constants.retain(|c| *c.name != *constant);
                    self.constants.push(super::WrittenConstant { name: constant.into(), file: frame.file, at: ruby::place(node) });
                }
            }));
        }
        if let Some(write) = node.as_constant_path_write_node() {
            return Some(self.eval(frame, &write.value()).and_then(|value| {
                if let Some((class, constant)) = self.place_of_constant(frame, &write.target())? {
                    self.set_constant(class, &constant, &value);
                }
                Ok(value)
            }));
        }
        if let Some(write) = node.as_multi_write_node() {
            return Some(self.eval(frame, &write.value()).and_then(|value| {
                self.destructure(frame, write.lefts().iter(), write.rest(), write.rights().iter(), &value)?;
                Ok(value)
            }));
        }
        self.local_operator(frame, node).or_else(|| self.other_operator(frame, node)).or_else(|| self.index_operator(frame, node))
    }

    fn local_operator(&mut self, frame: &RubyFrame<'w>, node: &Node<'w>) -> Option<Eval<'w>> {
        let (of, operator, value) = if let Some(write) = node.as_local_variable_or_write_node() {
            (name(&write.name()), "||".to_owned(), write.value())
        } else if let Some(write) = node.as_local_variable_and_write_node() {
            (name(&write.name()), "&&".to_owned(), write.value())
        } else if let Some(write) = node.as_local_variable_operator_write_node() {
            (name(&write.name()), name(&write.binary_operator()), write.value())
        } else {
            return None;
        };
        let now = frame.scope.get(&of).unwrap_or(RubyValue::Nil);
        Some(self.operated(frame, node, now, &operator, &value).map(|(value, changed)| {
            if changed {
                frame.scope.set(&of, value.clone());
            }
            value
        }))
    }

    fn other_operator(&mut self, frame: &RubyFrame<'w>, node: &Node<'w>) -> Option<Eval<'w>> {
        let (of, operator, value) = if let Some(write) = node.as_instance_variable_or_write_node() {
            (name(&write.name()), "||".to_owned(), write.value())
        } else if let Some(write) = node.as_instance_variable_and_write_node() {
            (name(&write.name()), "&&".to_owned(), write.value())
        } else if let Some(write) = node.as_instance_variable_operator_write_node() {
            (name(&write.name()), name(&write.binary_operator()), write.value())
        } else if let Some(write) = node.as_class_variable_or_write_node() {
            (name(&write.name()), "||".to_owned(), write.value())
        } else if let Some(write) = node.as_class_variable_operator_write_node() {
            (name(&write.name()), name(&write.binary_operator()), write.value())
        } else if let Some(write) = node.as_global_variable_or_write_node() {
            (name(&write.name()), "||".to_owned(), write.value())
        } else if let Some(write) = node.as_global_variable_operator_write_node() {
            (name(&write.name()), name(&write.binary_operator()), write.value())
        } else if let Some(write) = node.as_constant_or_write_node() {
            (name(&write.name()), "||".to_owned(), write.value())
        } else {
            return None;
        };
        let now = match of.chars().next() {
            Some('$') => self.globals.get(&of).cloned(),
            _ if of.starts_with("@@") => self.class_variable(frame, &of),
            Some('@') => self.instance_variable(frame, &of),
            _ => self.classes.get(frame.cref.class).constants.get(of.as_str()).cloned(),
        };
        Some(self.operated(frame, node, now.unwrap_or(RubyValue::Nil), &operator, &value).map(|(value, changed)| {
            if changed {
                match of.chars().next() {
                    Some('$') => {
                        self.globals.insert(of, value.clone());
                    }
                    _ if of.starts_with("@@") => self.set_class_variable(frame, &of, &value),
                    Some('@') => self.set_instance_variable(frame, &of, &value, ruby::place(node)),
                    _ => self.set_constant(frame.cref.class, &of, &value),
                }
            }
            value
        }))
    }

    /// `x[k] ||= v`, `x[k] += v`, `x.y ||= v`, `x.y += v`.
    fn index_operator(&mut self, frame: &RubyFrame<'w>, node: &Node<'w>) -> Option<Eval<'w>> {
        let (receiver, arguments, read, write, operator, value) = if let Some(w) = node.as_index_or_write_node() {
            (w.receiver(), w.arguments(), "[]".to_owned(), "[]=".to_owned(), "||".to_owned(), w.value())
        } else if let Some(w) = node.as_index_and_write_node() {
            (w.receiver(), w.arguments(), "[]".to_owned(), "[]=".to_owned(), "&&".to_owned(), w.value())
        } else if let Some(w) = node.as_index_operator_write_node() {
            (w.receiver(), w.arguments(), "[]".to_owned(), "[]=".to_owned(), name(&w.binary_operator()), w.value())
        } else if let Some(w) = node.as_call_or_write_node() {
            (w.receiver(), None, name(&w.read_name()), name(&w.write_name()), "||".to_owned(), w.value())
        } else if let Some(w) = node.as_call_and_write_node() {
            (w.receiver(), None, name(&w.read_name()), name(&w.write_name()), "&&".to_owned(), w.value())
        } else if let Some(w) = node.as_call_operator_write_node() {
            (w.receiver(), None, name(&w.read_name()), name(&w.write_name()), name(&w.binary_operator()), w.value())
        } else {
            return None;
        };
        let run = || {
            let of = match receiver {
                Some(receiver) => self.eval(frame, &receiver)?,
                None => frame.self_value.clone(),
            };
            let keys = match arguments {
                Some(arguments) => self.items(frame, arguments.arguments().iter())?,
                None => Vec::new(),
            };
            let now = self.send(frame, node, of.clone(), &read, CallArguments::of(keys.clone()))?;
            let (value, changed) = self.operated(frame, node, now, &operator, &value)?;
            if changed {
                let mut given = keys;
                given.push(value.clone());
                self.send(frame, node, of, &write, CallArguments::of(given))?;
            }
            Ok(value)
        };
        Some(run())
    }

    /// Returns the value after `now OPERATOR= value`, and whether it is assigned.
    fn operated(
        &mut self,
        frame: &RubyFrame<'w>,
        at: &Node<'w>,
        now: RubyValue<'w>,
        operator: &str,
        value: &Node<'w>,
    ) -> Eval<'w, (RubyValue<'w>, bool)> {
        match (operator, now.is_true()) {
            ("||", Some(true)) | ("&&", Some(false)) | ("||" | "&&", None) => Ok((now, false)),
            ("||" | "&&", _) => Ok((self.eval(frame, value)?, true)),
            _ => {
                let value = self.eval(frame, value)?;
                Ok((self.send(frame, at, now, operator, CallArguments::of(vec![value]))?, true))
            }
        }
    }

    pub(super) fn set_instance_variable(&mut self, frame: &RubyFrame<'w>, variable: &str, value: &RubyValue<'w>, at: ruby::ByteRange) {
        match &frame.self_value {
            RubyValue::Class(id) => {
                let class = self.classes.get_mut(*id);
                class.variables.insert(Name::from(variable), value.clone());
                self.describe(*id, frame, variable, value, at);
            }
            RubyValue::Object(object) => {
                object.variables.borrow_mut().insert(Name::from(variable), value.clone());
            }
            _ => {}
        }
    }

    fn set_class_variable(&mut self, frame: &RubyFrame<'w>, variable: &str, value: &RubyValue<'w>) {
        let of = self.of_class_variables(frame);
        let known = self.classes.ancestors(of).into_iter().find(|c| self.classes.get(*c).shared.contains_key(variable));
        self.classes.get_mut(known.unwrap_or(of)).shared.insert(Name::from(variable), value.clone());
    }

    pub(super) fn set_constant(&mut self, class: ClassId, constant: &str, value: &RubyValue<'w>) {
        // `X = Class.new` names the class.
        if let RubyValue::Class(id) = value
            && self.classes.get(*id).name.is_empty()
        {
            self.classes.get_mut(*id).name = self.full_name(class, constant);
        }
        self.classes.get_mut(class).constants.insert(Name::from(constant), value.clone());
    }

    pub(super) fn full_name(&self, class: ClassId, constant: &str) -> String {
        let outer = &self.classes.get(class).name;
        if outer.is_empty() || outer == "Object" { constant.to_owned() } else { format!("{outer}::{constant}") }
    }

    /// Returns the module and the name of `A::B`, for an assignment or a definition.
    pub(super) fn place_of_constant(&mut self, frame: &RubyFrame<'w>, path: &ConstantPathNode<'w>) -> Eval<'w, Option<(ClassId, String)>> {
        let Some(constant) = path.name().map(|n| name(&n)) else { return Ok(None) };
        let class = match path.parent() {
            Some(parent) => match self.eval(frame, &parent)? {
                RubyValue::Class(class) => class,
                _ => return Ok(None),
            },
            None => super::OBJECT,
        };
        Ok(Some((class, constant)))
    }

    /// Assigns the parts of a value to targets.
    pub(super) fn destructure(
        &mut self,
        frame: &RubyFrame<'w>,
        lefts: impl Iterator<Item = Node<'w>>,
        rest: Option<Node<'w>>,
        rights: impl Iterator<Item = Node<'w>>,
        value: &RubyValue<'w>,
    ) -> Eval<'w, ()> {
        let (lefts, rights): (Vec<Node<'w>>, Vec<Node<'w>>) = (lefts.collect(), rights.collect());
        if let RubyValue::Unknown(_) = value {
            for target in lefts.iter().chain(&rights).chain(&rest) {
                self.target(frame, target, value.clone())?;
            }
            return Ok(());
        }
        let items = match value {
            RubyValue::Array(items) => items.borrow().0.clone(),
            other => vec![other.clone()],
        };
        let at = |i: usize| items.get(i).cloned().unwrap_or(RubyValue::Nil);
        for (i, target) in lefts.iter().enumerate() {
            self.target(frame, target, at(i))?;
        }
        let behind = items.len().saturating_sub(rights.len()).max(lefts.len());
        if let Some(rest) = rest {
            let middle = items.get(lefts.len()..behind).unwrap_or_default().to_vec();
            let inner = rest.as_splat_node().and_then(|s| s.expression());
            if let Some(target) = inner {
                self.target(frame, &target, RubyValue::array(middle))?;
            }
        }
        for (i, target) in rights.iter().enumerate() {
            self.target(frame, target, at(behind + i))?;
        }
        Ok(())
    }

    /// Assigns a value to a target.
    pub(super) fn target(&mut self, frame: &RubyFrame<'w>, target: &Node<'w>, value: RubyValue<'w>) -> Eval<'w, ()> {
        if let Some(local) = target.as_local_variable_target_node() {
            frame.scope.set(&name(&local.name()), value);
        } else if let Some(param) = target.as_required_parameter_node() {
            frame.scope.declare(&name(&param.name()), value);
        } else if let Some(variable) = target.as_instance_variable_target_node() {
            self.set_instance_variable(frame, &name(&variable.name()), &value, ruby::place(target));
        } else if let Some(constant) = target.as_constant_target_node() {
            self.set_constant(frame.cref.class, &name(&constant.name()), &value);
        } else if let Some(splat) = target.as_splat_node() {
            if let Some(inner) = splat.expression() {
                self.target(frame, &inner, value)?;
            }
        } else if let Some(several) = target.as_multi_target_node() {
            self.destructure(frame, several.lefts().iter(), several.rest(), several.rights().iter(), &value)?;
        } else if let Some(index) = target.as_index_target_node() {
            let of = self.eval(frame, &index.receiver())?;
            let mut given = match index.arguments() {
                Some(arguments) => self.items(frame, arguments.arguments().iter())?,
                None => Vec::new(),
            };
            given.push(value);
            self.send(frame, target, of, "[]=", CallArguments::of(given))?;
        } else if let Some(call) = target.as_call_target_node() {
            let of = self.eval(frame, &call.receiver())?;
            let method = name(&call.name());
            let method = if method.ends_with('=') { method } else { format!("{method}=") };
            self.send(frame, target, of, &method, CallArguments::of(vec![value]))?;
        }
        Ok(())
    }
}
