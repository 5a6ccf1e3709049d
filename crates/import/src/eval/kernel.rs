//! Functions that all Ruby code can call, and methods that all objects have.

use super::classes::{ClassId, OBJECT};
use super::data::whole_number;
use super::native::named;
use super::value::{CallArguments, MAX_NESTING, Name, Proc, ProcCode, RubyValue, Unknown};
use super::{Eval, Evaluator, Flow, RubyError, RubyFrame};
use crate::budget::BYTES;
use crate::ruby;
use ruby_prism::Node;
use std::num::IntErrorKind;
use std::rc::Rc;

impl<'w> Evaluator<'_, 'w> {
    /// Calls a function of `Kernel`; `None` if there is none of this name.
    pub(super) fn kernel(&mut self, frame: &RubyFrame<'w>, node: &Node<'w>, method: &str, given: &CallArguments<'w>) -> Option<Eval<'w>> {
        let first = || given.plain.first().cloned().unwrap_or(RubyValue::Nil);
        Some(match method {
            "require" | "load" => self.require(frame, node, &first(), false),
            "require_relative" => self.require(frame, node, &first(), true),
            "raise" | "fail" => self.raise_call(given),
            "lambda" => match &given.block {
                Some(block) => Ok(RubyValue::Proc(Rc::new(Proc { is_lambda: true, ..(**block).clone() }))),
                None => Ok(RubyValue::Nil),
            },
            "proc" => Ok(given.block.clone().map_or(RubyValue::Nil, RubyValue::Proc)),
            "block_given?" => Ok(RubyValue::Bool(frame.method.as_ref().is_some_and(|m| m.arguments.block.is_some()))),
            "binding" | "caller" | "rand" | "gets" | "system" | "`" | "spawn" | "fork" | "sleep" | "srand" | "open" => {
                Ok(self.unknown(frame, node, format!("`{method}` is not run")))
            }
            "eval" => self.eval_text(frame, node, &first(), frame),
            "puts" | "print" | "p" | "pp" | "warn" | "gem" | "at_exit" | "trap" | "set_trace_func" | "using" => Ok(RubyValue::Nil),
            "Pathname" => match first().word() {
                Some(path) => Ok(RubyValue::path(&path)),
                None => Ok(self.unknown(frame, node, "a path is not known")),
            },
            "_" | "N_" | "s_" => Ok(first()),
            "n_" => Ok(given.plain.get(1).cloned().unwrap_or(RubyValue::Nil)),
            "__method__" => Ok(frame.method.as_ref().map_or(RubyValue::Nil, |m| RubyValue::Sym(Rc::clone(&m.name)))),
            "__dir__" => Ok(RubyValue::str(ruby::dirname(&self.path_of(frame.file)))),
            "loop" => match &given.block {
                Some(block) => loop {
                    if let Err(flow) = self.call(block, CallArguments::default()) {
                        break match flow {
                            Flow::Raise(error) if error.class == "StopIteration" => Ok(RubyValue::Nil),
                            other => Err(other),
                        };
                    }
                    if let Err(flow) = self.spend(1) {
                        break Err(flow);
                    }
                },
                None => Ok(RubyValue::Nil),
            },
            "catch" => {
                let tag = first();
                let Some(block) = given.block.clone() else { return Some(Ok(RubyValue::Nil)) };
                match self.call(&block, CallArguments::of(vec![tag.clone()])) {
                    Err(Flow::Throw(of, value)) if of.equal(&tag) == Some(true) => Ok(value),
                    other => other,
                }
            }
            "throw" => Err(Flow::Throw(first(), given.plain.get(1).cloned().unwrap_or(RubyValue::Nil))),
            "Array" => Ok(match first() {
                RubyValue::Nil => RubyValue::array(Vec::new()),
                list @ (RubyValue::Array(_) | RubyValue::Unknown(_)) => list,
                other => match self.items_of(&other) {
                    Some(items) => RubyValue::array(items),
                    None => RubyValue::array(vec![other]),
                },
            }),
            "String" => self.text_of(frame, node, &first()).map(|t| t.map_or_else(RubyValue::Unknown, RubyValue::str)),
            "Integer" => Ok(match (&first(), given.plain.get(1)) {
                (RubyValue::Int(n), None) => RubyValue::Int(*n),
                (RubyValue::Str(text), base @ (None | Some(RubyValue::Int(_)))) => {
                    let base = if let Some(RubyValue::Int(base)) = base { u32::try_from(*base).ok() } else { Some(0) };
                    let text = text.borrow().clone();
                    match base.filter(|base| *base == 0 || (2..=36).contains(base)).and_then(|base| whole_number(&text, base)) {
                        Some(Ok(n)) => RubyValue::Int(n),
                        Some(Err(IntErrorKind::PosOverflow | IntErrorKind::NegOverflow)) | None => {
                            self.unknown(frame, node, "this number is not known")
                        }
                        Some(Err(_)) if given.named.is_empty() => {
                            return Some(self.raise(
                                "ArgumentError",
                                format!(
                                    "invalid value for Integer(): {}",
                                    rtype_lang::value::inspect(&rtype_lang::value::Value::str(text))
                                ),
                            ));
                        }
                        Some(Err(_)) => self.unknown(frame, node, "this number is not known"),
                    }
                }
                _ => self.unknown(frame, node, "this number is not known"),
            }),
            "Float" => self.data_call(frame, node, &first(), "to_f", &[]),
            "format" | "sprintf" => {
                let rest = CallArguments { plain: given.plain.iter().skip(1).cloned().collect(), ..given.clone() };
                self.format(frame, node, &first(), &rest.all())
            }
            _ => return None,
        })
    }

    fn raise_call(&mut self, given: &CallArguments<'w>) -> Eval<'w> {
        let text = |v: Option<&RubyValue<'w>>| v.and_then(RubyValue::word);
        let (class, message, value) = match given.plain.first() {
            Some(RubyValue::Class(class)) => {
                let name = self.classes.get(*class).name.clone();
                (name.clone(), text(given.plain.get(1)).unwrap_or(name), RubyValue::Nil)
            }
            Some(RubyValue::Object(object)) => {
                let message = object.variables.borrow().get("@message").and_then(RubyValue::word).unwrap_or_default();
                (self.classes.get(object.class).name.clone(), message, RubyValue::Object(Rc::clone(object)))
            }
            first => ("RuntimeError".to_owned(), text(first).unwrap_or_default(), RubyValue::Nil),
        };
        Err(Flow::Raise(RubyError { class, message, value }))
    }

    /// Returns the exception as `rescue => e` sees it.
    pub(super) fn error_value(&mut self, error: &RubyError<'w>) -> RubyValue<'w> {
        if let RubyValue::Object(_) = error.value {
            return error.value.clone();
        }
        let class = named(&self.classes, &error.class).unwrap_or(self.native.error);
        let object = super::value::RubyObject { class, variables: Default::default() };
        object.variables.borrow_mut().insert(Name::from("@message"), RubyValue::str(error.message.as_str()));
        RubyValue::Object(Rc::new(object))
    }

    /// Calls a method that all objects have.
    pub(super) fn object_call(
        &mut self,
        frame: &RubyFrame<'w>,
        node: &Node<'w>,
        of: &RubyValue<'w>,
        method: &str,
        given: &CallArguments<'w>,
    ) -> Option<Eval<'w>> {
        let first = given.plain.first();
        let compared = |answer: Option<bool>| match (answer, first) {
            (Some(is), _) => RubyValue::Bool(is),
            (None, Some(RubyValue::Unknown(why))) => RubyValue::Unknown(Rc::clone(why)),
            (None, _) => of
                .first_unknown(MAX_NESTING)
                .or_else(|| first.and_then(|f| f.first_unknown(MAX_NESTING)))
                .map_or(RubyValue::Bool(false), RubyValue::Unknown),
        };
        Some(Ok(match method {
            "nil?" => RubyValue::Bool(of.is_nil()),
            "!" => RubyValue::Bool(of.is_true() == Some(false)),
            "==" | "eql?" | "equal?" => compared(first.and_then(|f| of.equal(f))),
            "!=" => compared(first.and_then(|f| of.equal(f)).map(|is| !is)),
            "==="
                if !matches!(
                    of,
                    RubyValue::Class(_) | RubyValue::Regex(_) | RubyValue::Range(_) | RubyValue::Proc(_) | RubyValue::Set(_)
                ) =>
            {
                compared(first.and_then(|f| of.equal(f)))
            }
            "freeze" | "itself" | "to_enum" | "untaint" | "taint" => of.clone(),
            "dup" | "clone" => of.copied(),
            "frozen?" => RubyValue::Bool(false),
            "class" => RubyValue::Class(self.class_of(of)),
            "is_a?" | "kind_of?" | "instance_of?" => match first {
                Some(RubyValue::Class(class)) => self.is_a(of, *class),
                Some(RubyValue::Unknown(why)) => RubyValue::Unknown(Rc::clone(why)),
                _ => RubyValue::Bool(false),
            },
            "tap" => match &given.block {
                Some(block) => match self.call(block, CallArguments::of(vec![of.clone()])) {
                    Ok(_) => of.clone(),
                    Err(flow) => return Some(Err(flow)),
                },
                None => of.clone(),
            },
            "then" | "yield_self" => return given.block.clone().map(|block| self.call(&block, CallArguments::of(vec![of.clone()]))),
            "send" | "public_send" | "__send__" => {
                let Some(wanted) = first.and_then(RubyValue::word) else {
                    return Some(Ok(self.unknown(frame, node, "the name of a method is not known")));
                };
                let rest = CallArguments { plain: given.plain.iter().skip(1).cloned().collect(), ..given.clone() };
                return Some(self.bare(frame, node, of.clone(), &wanted, rest));
            }
            "respond_to?" => {
                let wanted = first.and_then(RubyValue::word).unwrap_or_default();
                match of {
                    RubyValue::Object(_) => RubyValue::Bool(self.ruby_method(of, &wanted).is_some()),
                    _ => match self.responds(of, &wanted) {
                        Some(is) => RubyValue::Bool(is),
                        None => self.unknown(frame, node, format!("whether `{wanted}` exists")),
                    },
                }
            }
            "method" => match first.and_then(RubyValue::word).and_then(|m| self.ruby_method(of, &m)) {
                Some(found) => RubyValue::Proc(Rc::new(self.closure(frame, ProcCode::Method(found, of.clone()), true))),
                None => {
                    // What it does to the class when it is called is not known.
                    if let RubyValue::Class(class) = of
                        && self.classes.host(*class).is_some()
                    {
                        self.declare(*class, frame, node, method, &CallArguments::default(), None);
                    }
                    self.unknown(frame, node, "a method as a value")
                }
            },
            "instance_variable_get" => match of {
                RubyValue::Object(object) => {
                    let word = first.and_then(RubyValue::word).unwrap_or_default();
                    object.variables.borrow().get(word.as_str()).cloned().unwrap_or(RubyValue::Nil)
                }
                _ => RubyValue::Nil,
            },
            "instance_variable_set" => {
                let value = given.plain.get(1).cloned().unwrap_or(RubyValue::Nil);
                if let (RubyValue::Object(object), Some(word)) = (of, first.and_then(RubyValue::word)) {
                    object.variables.borrow_mut().insert(Name::from(word.as_str()), value.clone());
                }
                value
            }
            "instance_variable_defined?" => match of {
                RubyValue::Object(object) => {
                    RubyValue::Bool(first.and_then(RubyValue::word).is_some_and(|w| object.variables.borrow().contains_key(w.as_str())))
                }
                _ => RubyValue::Bool(false),
            },
            "extend" | "object_id" | "hash" | "__id__" | "singleton_class" | "methods" | "instance_variables" | "display" => {
                self.unknown(frame, node, format!("`{method}` of an object"))
            }
            "instance_eval" | "instance_exec" => {
                let block = given.block.clone()?;
                let arguments = if method == "instance_exec" { given.plain.clone() } else { vec![of.clone()] };
                return Some(self.call_with(&block, CallArguments::of(arguments), Some(of.clone()), None));
            }
            "message" | "to_s" if matches!(of, RubyValue::Object(_)) => match of {
                RubyValue::Object(object) => match object.variables.borrow().get("@message") {
                    Some(message) => message.clone(),
                    None => self.unknown(frame, node, "the text of an object"),
                },
                _ => RubyValue::Nil,
            },
            "to_s" => return Some(self.text_of(frame, node, of).map(|t| t.map_or_else(RubyValue::Unknown, RubyValue::str))),
            "inspect" => match self.inspect(of, MAX_NESTING) {
                Some(text) => RubyValue::str(text),
                None => self.unknown(frame, node, "the text of an object"),
            },
            "backtrace" => RubyValue::array(Vec::new()),
            _ => return None,
        }))
    }

    /// Returns whether a value of Ruby's own classes has a method, if that is known.
    fn responds(&self, of: &RubyValue<'w>, method: &str) -> Option<bool> {
        let listed: &[&str] = match of {
            RubyValue::Array(_) | RubyValue::Set(_) | RubyValue::Range(_) => {
                &["each", "map", "to_a", "first", "include?", "join", "size", "count"]
            }
            RubyValue::Hash(_) => &["each", "map", "to_a", "keys", "values", "key?", "to_h", "each_pair", "has_key?", "size"],
            RubyValue::Str(_) => &[
                "to_s",
                "to_str",
                "to_sym",
                "upcase",
                "downcase",
                "split",
                "empty?",
                "gsub",
                "sub",
                "strip",
                "start_with?",
                "match",
                "to_i",
            ],
            RubyValue::Sym(_) => &["to_s", "to_sym", "to_proc"],
            RubyValue::Proc(_) => &["call", "to_proc", "arity"],
            _ => &[],
        };
        let never: &[&str] = &["each", "keys", "call", "unwrap", "to_ary", "to_hash", "to_str"];
        if listed.contains(&method) || matches!(method, "to_s" | "nil?" | "dup" | "freeze" | "is_a?" | "class") {
            Some(true)
        } else if never.contains(&method) {
            Some(false)
        } else {
            None
        }
    }

    /// Returns the class of a value.
    pub(super) fn class_of(&self, of: &RubyValue<'w>) -> ClassId {
        let name = match of {
            RubyValue::Object(object) => return object.class,
            RubyValue::Nil => "NilClass",
            RubyValue::Bool(true) => "TrueClass",
            RubyValue::Bool(false) => "FalseClass",
            RubyValue::Int(_) => "Integer",
            RubyValue::Float(_) => "Float",
            RubyValue::Sym(_) => "Symbol",
            RubyValue::Str(_) => "String",
            RubyValue::Path(_) => "Pathname",
            RubyValue::Array(_) => "Array",
            RubyValue::Hash(_) => "Hash",
            RubyValue::Set(_) => "Set",
            RubyValue::Range(_) => "Range",
            RubyValue::Regex(_) => "Regexp",
            RubyValue::Proc(_) => "Proc",
            RubyValue::Class(id) => return if self.classes.get(*id).is_module { self.native.module } else { self.native.class },
            RubyValue::Unknown(_) => "Object",
        };
        named(&self.classes, name).unwrap_or(OBJECT)
    }

    /// `value.is_a?(class)`.
    pub(super) fn is_a(&self, of: &RubyValue<'w>, class: ClassId) -> RubyValue<'w> {
        match of {
            RubyValue::Unknown(why) => RubyValue::Unknown(Rc::clone(why)),
            _ => {
                let own = self.class_of(of);
                let name = &self.classes.get(class).name;
                let mixed = match of {
                    RubyValue::Array(_) | RubyValue::Hash(_) | RubyValue::Set(_) | RubyValue::Range(_) => name == "Enumerable",
                    RubyValue::Str(_) | RubyValue::Int(_) | RubyValue::Float(_) => name == "Comparable",
                    _ => false,
                };
                RubyValue::Bool(mixed || name == "Kernel" || self.classes.is_a(own, class))
            }
        }
    }

    /// Describes a kind of value in messages.
    pub(super) fn kind_of(&self, of: &RubyValue<'w>) -> String {
        match of {
            RubyValue::Class(id) if !self.classes.get(*id).name.is_empty() => format!("`{}`", self.classes.get(*id).name),
            other => format!("a {}", self.classes.get(self.class_of(other)).name),
        }
    }

    /// Returns the items of a value that can be expanded by `*`.
    pub(super) fn items_of(&self, of: &RubyValue<'w>) -> Option<Vec<RubyValue<'w>>> {
        Some(match of {
            RubyValue::Array(items) | RubyValue::Set(items) => items.borrow().0.clone(),
            RubyValue::Nil => Vec::new(),
            RubyValue::Hash(hash) => hash.pairs.borrow().iter().map(|(k, v)| RubyValue::array(vec![k.clone(), v.clone()])).collect(),
            RubyValue::Range(range) => match (&range.0, &range.1) {
                (RubyValue::Int(from), RubyValue::Int(to)) => {
                    let to = if range.2 { to.saturating_sub(1) } else { *to };
                    if to.saturating_sub(*from) > MAX_RANGE {
                        return None;
                    }
                    (*from..=to).map(RubyValue::Int).collect()
                }
                (RubyValue::Str(from), RubyValue::Str(to)) => {
                    let letter = |t: &str| t.bytes().next().filter(|b| t.len() == 1 && b.is_ascii_alphanumeric());
                    let (from, to) = (letter(&from.borrow())?, letter(&to.borrow())?);
                    let to = if range.2 { to.saturating_sub(1) } else { to };
                    (from..=to).map(|b| RubyValue::str(char::from(b))).collect()
                }
                _ => return None,
            },
            _ => return None,
        })
    }

    /// Returns the result of `to_s`, or what of it is not known.
    pub(super) fn text_of(&mut self, frame: &RubyFrame<'w>, node: &Node<'w>, of: &RubyValue<'w>) -> Eval<'w, Result<String, Rc<Unknown>>> {
        Ok(Ok(match of {
            RubyValue::Unknown(why) => return Ok(Err(Rc::clone(why))),
            RubyValue::Object(_) => {
                let Some(method) = self.ruby_method(of, "to_s") else {
                    let text = match of {
                        RubyValue::Object(object) => object.variables.borrow().get("@message").and_then(RubyValue::word),
                        _ => None,
                    };
                    return Ok(text.ok_or_else(|| {
                        Rc::new(Unknown { reason: "the text of an object".into(), file: frame.file, at: ruby::place(node) })
                    }));
                };
                let value = self.invoke(frame, node, &method, of.clone(), CallArguments::default())?;
                return Ok(match (value.word(), value) {
                    (Some(text), _) => Ok(text),
                    (None, RubyValue::Unknown(why)) => Err(why),
                    _ => Ok(String::new()),
                });
            }
            other => match self.plain_text(other) {
                Some(text) => text,
                None => {
                    let why = other.first_unknown(MAX_NESTING);
                    return Ok(Err(why.unwrap_or_else(|| {
                        Rc::new(Unknown { reason: "the text of an object".into(), file: frame.file, at: ruby::place(node) })
                    })));
                }
            },
        }))
    }

    fn plain_text(&self, of: &RubyValue<'w>) -> Option<String> {
        Some(match of {
            RubyValue::Nil => String::new(),
            RubyValue::Str(text) => text.borrow().clone(),
            RubyValue::Sym(word) | RubyValue::Path(word) => word.to_string(),
            RubyValue::Class(id) => Some(self.classes.get(*id).name.clone()).filter(|n| !n.is_empty())?,
            RubyValue::Regex(regex) => super::data::embedded(regex),
            other => self.inspect(other, MAX_NESTING)?,
        })
    }

    /// Returns the result of `inspect`, if it is known and the budget is not exhausted: a value can contain another several times.
    pub(super) fn inspect(&self, of: &RubyValue<'w>, depth: usize) -> Option<String> {
        let text = self.inspect_within(of, depth.checked_sub(1)?)?;
        self.budget.spend(1 + (text.len() / BYTES) as u64)?;
        Some(text)
    }

    fn inspect_within(&self, of: &RubyValue<'w>, depth: usize) -> Option<String> {
        let all = |items: &[RubyValue<'w>]| items.iter().map(|i| self.inspect(i, depth)).collect::<Option<Vec<_>>>();
        Some(match of {
            RubyValue::Nil => "nil".into(),
            RubyValue::Bool(b) => b.to_string(),
            RubyValue::Int(n) => n.to_string(),
            RubyValue::Array(items) => format!("[{}]", all(&items.borrow())?.join(", ")),
            RubyValue::Set(items) => format!("#<Set: {{{}}}>", all(&items.borrow())?.join(", ")),
            RubyValue::Hash(hash) => {
                let pairs = hash.pairs.borrow();
                let pairs = pairs.iter().map(|(k, v)| Some(format!("{}=>{}", self.inspect(k, depth)?, self.inspect(v, depth)?)));
                format!("{{{}}}", pairs.collect::<Option<Vec<_>>>()?.join(", "))
            }
            RubyValue::Range(range) => {
                let dots = if range.2 { "..." } else { ".." };
                format!("{}{dots}{}", self.inspect(&range.0, depth)?, self.inspect(&range.1, depth)?)
            }
            RubyValue::Regex(regex) => format!("/{}/{}", regex.source, regex.flags),
            RubyValue::Path(path) => format!("#<Pathname:{path}>"),
            RubyValue::Class(id) => self.classes.get(*id).name.clone(),
            RubyValue::Str(_) | RubyValue::Sym(_) | RubyValue::Float(_) => rtype_lang::value::inspect(&super::data::data(of)?).to_string(),
            RubyValue::Object(_) | RubyValue::Proc(_) | RubyValue::Unknown(_) => return None,
        })
    }
}

/// Maximum number of items of a range.
const MAX_RANGE: i64 = 100_000;
