//! Methods of classes and modules: mixins, accessors, evaluation in a class.

use super::classes::{Class, ClassId, HostClass, MethodBody, OBJECT};
use super::define::{EVALUATED, SINGLETON};
use super::value::{CallArguments, Name, Proc, ProcCode, RubyObject, RubyValue};
use super::{Eval, Evaluator, RubyFrame};
use crate::ruby;
use ruby_prism::Node;
use std::rc::Rc;

/// Methods of the classes of Puppet 7's attributes.
const OF_ATTRIBUTES: &[&str] = &[
    "desc",
    "munge",
    "unmunge",
    "validate",
    "defaultto",
    "nodefault",
    "isnamevar",
    "isrequired",
    "newvalue",
    "newvalues",
    "aliasvalue",
    "sensitive",
    "required_features=",
];

/// The setting that only the classes of properties with keys and values have.
const OF_KEY_VALUE: &str = "log_only_changed_or_new_keys=";

impl<'w> Evaluator<'_, 'w> {
    /// Calls a method that classes have in Ruby or Puppet; `None` if there is none of this name.
    pub(super) fn class_call(
        &mut self,
        frame: &RubyFrame<'w>,
        node: &Node<'w>,
        class: ClassId,
        method: &str,
        given: &CallArguments<'w>,
    ) -> Option<Eval<'w>> {
        if let Some(result) = self.host_call(frame, node, class, method, given) {
            return Some(result);
        }
        if let Some(result) = self.mixing(frame, node, class, method, given) {
            return Some(result);
        }
        if let Some(result) = self.evaluating(frame, node, class, method, given) {
            return Some(result);
        }
        if let Some(result) = self.accessors(frame, node, class, method, given) {
            return Some(result);
        }
        if let Some(result) = self.reflecting(frame, node, class, method, given) {
            return Some(result);
        }
        self.native_call(frame, node, class, method, given)
    }

    fn mixing(
        &mut self,
        frame: &RubyFrame<'w>,
        node: &Node<'w>,
        class: ClassId,
        method: &str,
        given: &CallArguments<'w>,
    ) -> Option<Eval<'w>> {
        let hook = match method {
            "include" => "included",
            "extend" => "extended",
            "prepend" => "prepended",
            _ => return None,
        };
        let singleton = frame.definee == SINGLETON && matches!(frame.self_value, RubyValue::Class(of) if of == class);
        Some(self.mix(frame, node, class, (if singleton && method == "include" { "extend" } else { method }, hook), given))
    }

    fn mix(
        &mut self,
        frame: &RubyFrame<'w>,
        node: &Node<'w>,
        class: ClassId,
        (how, hook): (&str, &str),
        given: &CallArguments<'w>,
    ) -> Eval<'w> {
        for module in given.plain.iter().rev() {
            let module = match module {
                RubyValue::Class(module) => *module,
                RubyValue::Unknown(why) => {
                    self.classes.get_mut(class).unknown.get_or_insert_with(|| Rc::clone(why));
                    continue;
                }
                _ => continue,
            };
            let of = self.classes.get_mut(class);
            let list = match how {
                "include" => &mut of.included,
                "extend" => &mut of.extended,
                _ => &mut of.prepended,
            };
            if !list.contains(&module) {
                list.push(module);
            }
            let of = RubyValue::Class(module);
            if let Some(method) = self.ruby_method(&of, hook) {
                let what = format!("the module `{}`", self.classes.get(module).name);
                let arguments = CallArguments::of(vec![RubyValue::Class(class)]);
                self.within(frame, ruby::place(node), || what, |ruby| ruby.invoke(frame, node, &method, of, arguments))?;
            }
        }
        Ok(RubyValue::Class(class))
    }

    /// `class_eval`, `define_method`, `Class.new` and similar calls.
    fn evaluating(
        &mut self,
        frame: &RubyFrame<'w>,
        node: &Node<'w>,
        class: ClassId,
        method: &str,
        given: &CallArguments<'w>,
    ) -> Option<Eval<'w>> {
        let block = given.block.clone();
        Some(match (method, block) {
            ("class_eval" | "module_eval" | "class_exec" | "module_exec", Some(block)) => self.in_class(&block, class, given.plain.clone()),
            ("instance_eval" | "instance_exec", Some(block)) => {
                let arguments = if method == "instance_exec" { given.plain.clone() } else { vec![RubyValue::Class(class)] };
                self.call_with(&block, CallArguments::of(arguments), Some(RubyValue::Class(class)), Some(EVALUATED))
            }
            ("class_eval" | "module_eval" | "instance_eval", None) => {
                let definee = if method == "instance_eval" { EVALUATED } else { class };
                let inner = RubyFrame { self_value: RubyValue::Class(class), definee, ..frame.clone() };
                let code = given.plain.first().cloned().unwrap_or(RubyValue::Nil);
                self.eval_text(frame, node, &code, &inner)
            }
            ("define_method", block) => {
                let Some(of) = given.plain.first().and_then(RubyValue::word) else {
                    return Some(Ok(self.unknown(frame, node, "the name of a method is not known")));
                };
                let code = block.or_else(|| match given.plain.get(1) {
                    Some(RubyValue::Proc(proc)) => Some(Rc::clone(proc)),
                    _ => None,
                });
                let Some(code) = code else { return Some(Ok(RubyValue::Nil)) };
                let public = !self.classes.get(class).is_private;
                let body = match &code.code {
                    ProcCode::Method(method, _) => method.body.again(),
                    _ => MethodBody::Proc(code),
                };
                let singleton = frame.definee == SINGLETON && matches!(frame.self_value, RubyValue::Class(c) if c == class);
                let at = ruby::place(node);
                if singleton {
                    self.class_method(class, &of, body, at, frame, true);
                } else {
                    let method = self.add_method(class, &of, body, public);
                    self.declare_method(class, frame, at, method);
                }
                Ok(RubyValue::sym(&of))
            }
            ("define_singleton_method", Some(block)) => {
                let of = given.plain.first().and_then(RubyValue::word).unwrap_or_default();
                self.class_method(class, &of, MethodBody::Proc(block), ruby::place(node), frame, true);
                Ok(RubyValue::sym(&of))
            }
            ("alias_method", _) => {
                let words: Vec<String> = given.plain.iter().filter_map(RubyValue::word).collect();
                if let [new, old] = words.as_slice() {
                    self.alias(class, new, old);
                    self.declare(class, frame, node, method, given, None);
                }
                Ok(RubyValue::Nil)
            }
            ("remove_method" | "undef_method", _) => {
                for of in given.plain.iter().filter_map(RubyValue::word) {
                    let defined = self.classes.get_mut(class);
                    defined.methods.remove(of.as_str());
                    defined.declarations.retain(|d| &*d.word != "def" || d.method.as_ref().is_none_or(|m| *m.name != *of));
                    if method == "undef_method" {
                        self.add_method(class, &of, MethodBody::Undefined, true);
                    }
                }
                // A method of a class above that is not there any more is not the method of that class.
                if method == "undef_method" && matches!(self.classes.host(class), Some(HostClass::Property | HostClass::Parameter)) {
                    self.declare(class, frame, node, method, given, None);
                }
                Ok(RubyValue::Class(class))
            }
            ("instance_variable_set", _) => {
                let of = given.plain.first().and_then(RubyValue::word).unwrap_or_default();
                let value = given.plain.get(1).cloned().unwrap_or(RubyValue::Nil);
                let inner = RubyFrame { self_value: RubyValue::Class(class), ..frame.clone() };
                self.set_instance_variable(&inner, &of, &value, ruby::place(node));
                Ok(value)
            }
            ("instance_variable_get", _) => {
                let of = given.plain.first().and_then(RubyValue::word).unwrap_or_default();
                Ok(self.classes.get(class).variables.get(of.as_str()).cloned().unwrap_or(RubyValue::Nil))
            }
            ("const_set", _) => {
                let of = given.plain.first().and_then(RubyValue::word).unwrap_or_default();
                let value = given.plain.get(1).cloned().unwrap_or(RubyValue::Nil);
                self.set_constant(class, &of, &value);
                Ok(value)
            }
            ("new", block) if class == self.native.class || class == self.native.module => {
                let is_module = class == self.native.module;
                self.anonymous(frame, node, is_module, given.plain.first().cloned(), block)
            }
            _ => return None,
        })
    }

    /// Runs a block in a class.
    pub(super) fn in_class(&mut self, block: &Rc<Proc<'w>>, class: ClassId, given: Vec<RubyValue<'w>>) -> Eval<'w> {
        // Constants are still looked up where the block is written; new ones belong there, too.
        let given = CallArguments::of(if given.is_empty() { vec![RubyValue::Class(class)] } else { given });
        self.run_block(block, given, Some(RubyValue::Class(class)), Some(class), false)
    }

    fn anonymous(
        &mut self,
        frame: &RubyFrame<'w>,
        node: &Node<'w>,
        is_module: bool,
        parent: Option<RubyValue<'w>>,
        block: Option<Rc<Proc<'w>>>,
    ) -> Eval<'w> {
        let id = self.classes.add(Class { is_module, ..Class::default() });
        if !is_module {
            let class = self.classes.get_mut(id);
            class.superclass = Some(OBJECT);
            match parent {
                Some(RubyValue::Class(parent)) => {
                    class.superclass = Some(parent);
                    self.inherited(frame, node, parent, id)?;
                }
                Some(RubyValue::Unknown(why)) => class.unknown = Some(why),
                _ => {}
            }
        }
        if let Some(block) = block {
            self.in_class(&block, id, vec![RubyValue::Class(id)])?;
        }
        Ok(RubyValue::Class(id))
    }

    fn accessors(
        &mut self,
        frame: &RubyFrame<'w>,
        node: &Node<'w>,
        class: ClassId,
        method: &str,
        given: &CallArguments<'w>,
    ) -> Option<Eval<'w>> {
        let words: Vec<String> =
            given.plain.iter().flat_map(|v| self.items_of(v).unwrap_or_else(|| vec![v.clone()])).filter_map(|v| v.word()).collect();
        let singleton = frame.definee == SINGLETON && matches!(frame.self_value, RubyValue::Class(c) if c == class);
        match method {
            "attr_accessor" | "attr_reader" | "attr_writer" | "attr" => {
                for word in words {
                    let variable = Name::from(format!("@{word}"));
                    let mut methods = Vec::new();
                    if method != "attr_writer" {
                        methods.push((word.clone(), MethodBody::Reader(Rc::clone(&variable))));
                    }
                    if matches!(method, "attr_accessor" | "attr_writer") {
                        methods.push((format!("{word}="), MethodBody::Writer(variable)));
                    }
                    for (of, body) in methods {
                        let public = !self.classes.get(class).is_private;
                        let at = ruby::place(node);
                        if singleton {
                            self.class_method(class, &of, body, at, frame, true);
                        } else {
                            let method = self.add_method(class, &of, body, public);
                            self.declare_method(class, frame, at, method);
                        }
                    }
                }
            }
            "private" | "public" | "protected" | "module_function" if given.plain.is_empty() => {
                let class = self.classes.get_mut(class);
                (class.is_private, class.module_function) = (matches!(method, "private" | "protected"), method == "module_function");
            }
            "private" | "public" | "protected" => {
                for word in words {
                    if let Some(found) = self.classes.method(class, &word, None) {
                        self.add_method(class, &word, found.body.again(), method == "public");
                    }
                }
                return Some(Ok(given.plain.first().cloned().unwrap_or(RubyValue::Nil)));
            }
            "module_function" => {
                for word in words {
                    if let Some(found) = self.classes.method(class, &word, None) {
                        self.class_method(class, &word, found.body.again(), ruby::place(node), frame, true);
                    }
                }
            }
            "private_class_method" | "public_class_method" | "private_constant" | "public_constant" | "autoload" | "refine" | "using" => {}
            _ => return None,
        }
        Some(Ok(RubyValue::Nil))
    }

    fn reflecting(
        &mut self,
        frame: &RubyFrame<'w>,
        node: &Node<'w>,
        class: ClassId,
        method: &str,
        given: &CallArguments<'w>,
    ) -> Option<Eval<'w>> {
        let word = given.plain.first().and_then(RubyValue::word);
        let symbols = |names: Vec<String>| RubyValue::array(names.iter().map(|n| RubyValue::sym(n)).collect());
        Some(match (method, word) {
            ("const_get", Some(path)) => {
                let mut of = RubyValue::Class(class);
                for part in path.trim_start_matches("::").split("::") {
                    let RubyValue::Class(id) = of else { break };
                    of = match self.constant_of(id, part) {
                        Ok(Some(value)) => value,
                        Ok(None) => match self.classes.get(OBJECT).constants.get(part) {
                            Some(value) => value.clone(),
                            None => self.unknown(frame, node, format!("the constant `{path}` is not known here")),
                        },
                        Err(flow) => return Some(Err(flow)),
                    };
                }
                Ok(of)
            }
            ("const_defined?", Some(of)) => {
                let known = self.classes.constant(class, &of).is_some() || self.classes.get(OBJECT).constants.contains_key(of.as_str());
                Ok(if known { RubyValue::Bool(true) } else { self.unknown(frame, node, format!("whether the constant `{of}` exists")) })
            }
            ("constants", _) => Ok(symbols(self.classes.get(class).constants.keys().map(ToString::to_string).collect())),
            ("instance_methods" | "public_instance_methods", _) => {
                let own = given.plain.first().is_some_and(|v| v.is_true() == Some(false));
                let all = if own { vec![class] } else { self.classes.ancestors(class) };
                let names = all.into_iter().flat_map(|c| {
                    self.classes.get(c).methods.iter().filter(|(_, m)| m.is_public).map(|(n, _)| n.to_string()).collect::<Vec<_>>()
                });
                Ok(symbols(names.collect()))
            }
            ("method_defined?" | "instance_method_defined?" | "public_method_defined?", Some(of)) => {
                let known = self.classes.method(class, &of, None).is_some();
                let open = self.classes.unknown(class).is_some() || self.classes.host(class).is_some();
                Ok(if !known && open { self.unknown(frame, node, format!("whether `{of}` exists")) } else { RubyValue::Bool(known) })
            }
            ("instance_method", Some(of)) => Ok(match self.classes.method(class, &of, None) {
                Some(found) => {
                    RubyValue::Proc(Rc::new(Proc { ..self.closure(frame, ProcCode::Method(found, RubyValue::Class(class)), true) }))
                }
                None => self.unknown(frame, node, format!("the method `{of}` is not known here")),
            }),
            ("respond_to?" | "singleton_method_defined?", Some(of)) => {
                let is_attribute = matches!(self.classes.host(class), Some(HostClass::Parameter | HostClass::Property));
                let known = self.ruby_method(&RubyValue::Class(class), &of).is_some() || is_attribute && OF_ATTRIBUTES.contains(&&*of);
                let has_keys =
                    || self.classes.ancestors(class).into_iter().any(|id| self.classes.get(id).name == "Puppet::Property::KeyValue");
                if &*of == OF_KEY_VALUE && is_attribute {
                    return Some(Ok(RubyValue::Bool(has_keys())));
                }
                Ok(if known { RubyValue::Bool(true) } else { self.unknown(frame, node, format!("whether `{of}` exists")) })
            }
            ("name" | "to_s" | "inspect", _) => {
                let name = self.classes.get(class).name.clone();
                Ok(if name.is_empty() { RubyValue::Nil } else { RubyValue::str(name) })
            }
            ("superclass", _) => Ok(self.classes.get(class).superclass.map_or(RubyValue::Nil, RubyValue::Class)),
            ("ancestors", _) => Ok(RubyValue::array(self.classes.ancestors(class).into_iter().map(RubyValue::Class).collect())),
            ("included_modules", _) => {
                Ok(RubyValue::array(self.classes.get(class).included.iter().map(|c| RubyValue::Class(*c)).collect()))
            }
            ("include?" | "<" | "<=", _) => match given.plain.first() {
                Some(RubyValue::Class(of)) => Ok(RubyValue::Bool(self.classes.is_a(class, *of) && (method == "<=" || *of != class))),
                _ => Ok(RubyValue::Nil),
            },
            ("===", _) => {
                let of = given.plain.first().cloned().unwrap_or(RubyValue::Nil);
                Ok(self.is_a(&of, class))
            }
            ("class", _) => Ok(RubyValue::Class(if self.classes.get(class).is_module { self.native.module } else { self.native.class })),
            ("is_a?" | "kind_of?", _) => Ok(match given.plain.first() {
                Some(RubyValue::Class(of)) => RubyValue::Bool(*of == self.native.class || *of == self.native.module || *of == OBJECT),
                _ => RubyValue::Bool(false),
            }),
            ("freeze" | "itself" | "dup" | "clone", _) => Ok(RubyValue::Class(class)),
            ("new", _) if !self.classes.get(class).is_native && self.classes.host(class).is_none() => {
                self.instance(frame, node, class, given)
            }
            _ => return None,
        })
    }

    /// Creates an object of a class that Ruby code defines.
    pub(super) fn instance(&mut self, frame: &RubyFrame<'w>, node: &Node<'w>, class: ClassId, given: &CallArguments<'w>) -> Eval<'w> {
        if let Some(why) = self.classes.unknown(class) {
            return Ok(RubyValue::Unknown(why));
        }
        let new = Rc::new(RubyObject { class, variables: Default::default() });
        let own = self.classes.method(class, "initialize", None).filter(|m| !matches!(m.body, MethodBody::Native));
        if !self.set_members(&new, given) || own.is_some() && !new.variables.borrow().is_empty() {
            return Ok(self.unknown(frame, node, "a structure that is created in this way"));
        }
        let object = RubyValue::Object(new);
        if let Some(method) = own {
            self.invoke(frame, node, &method, object.clone(), given.clone())?;
        }
        Ok(object)
    }
}
