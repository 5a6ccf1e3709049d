//! Evaluates expressions: literals, variables and constants.

use super::classes::{ClassKey, ClassState};
use super::frame::{Environment, Frame};
use super::value::{HashContent, RangeCell, RegexCell, RuntimeValue, SharedCell, UnknownReason};
use super::{Eval, Interpreter};
use crate::hir::{ConstantPath, ConstantScope, Element, ExprId, HirKind, HirText, LocalRef, Pair, RegexFlags, Target};
use rtype_lang::value::{Flags, Regex};
use std::rc::Rc;
use std::sync::Arc;

impl<'h> Interpreter<'h> {
    /// Evaluates an expression.
    pub(crate) fn eval(&mut self, frame: &Frame, id: ExprId) -> Eval {
        self.spend(1)?;
        let hir = Arc::clone(&frame.hir);
        let Some(body) = hir.body(frame.body) else { return Ok(RuntimeValue::Nil) };
        let expr = body.expr(id);
        match &expr.kind {
            HirKind::Nil => Ok(RuntimeValue::Nil),
            HirKind::Bool(value) => Ok(RuntimeValue::Bool(*value)),
            HirKind::SelfValue => Ok(frame.self_value.clone()),
            HirKind::Integer(number) => Ok(RuntimeValue::Int(*number)),
            HirKind::Float(number) => Ok(RuntimeValue::Float(*number)),
            HirKind::Symbol(name) => Ok(RuntimeValue::Sym(HirText::clone(name))),
            HirKind::Local(local) => Ok(self.read_local(frame, *local)),
            kind => {
                let outer = std::mem::replace(&mut self.site, expr.origin);
                let result = self.deeper(|run| run.eval_kind(frame, kind));
                let result = self.as_value(result);
                self.site = outer;
                result
            }
        }
    }

    fn eval_kind(&mut self, frame: &Frame, kind: &HirKind) -> Eval {
        match kind {
            HirKind::BigInteger(_) => self.unknown_because("integers beyond 64 bits are not supported"),
            HirKind::Str { text, frozen } => {
                self.spend_bytes(text.len())?;
                let value = SharedCell::new(text.to_string());
                value.frozen.set(*frozen);
                Ok(RuntimeValue::Str(value))
            }
            HirKind::StrConcat(parts) => Ok(RuntimeValue::str(self.concat(frame, parts)?)),
            HirKind::SymbolConcat(parts) => Ok(RuntimeValue::sym(&self.concat(frame, parts)?)),
            HirKind::Regex { parts, flags } => self.regex_literal(frame, parts, *flags),
            HirKind::Array(elements) => {
                let items = self.elements(frame, elements)?;
                self.new_array(items)
            }
            HirKind::Hash(pairs) => {
                let pairs = self.pairs(frame, pairs)?;
                self.new_hash(pairs)
            }
            HirKind::Range { low, high, exclusive } => {
                let low = self.eval_optional(frame, *low)?;
                let high = self.eval_optional(frame, *high)?;
                self.new_range(low, high, *exclusive)
            }
            HirKind::Variable(name) => self.read_variable(frame, name),
            HirKind::Constant(path) => self.read_constant(frame, path),
            HirKind::Group(number) => self.group(frame, *number),
            HirKind::AroundMatch(which) => self.around_match(frame, *which),
            HirKind::FilePath => Ok(RuntimeValue::str(frame.hir.path.to_string())),
            HirKind::Line => Ok(RuntimeValue::count(frame.hir.line(self.site))),
            HirKind::Seq(list) => {
                let mut last = RuntimeValue::Nil;
                for part in list {
                    last = self.eval(frame, *part)?;
                }
                Ok(last)
            }
            HirKind::Assign { target, value } => self.assignment(frame, target, *value),
            HirKind::Call(call) => self.call_expr(frame, call),
            HirKind::Super(call) => self.super_expr(frame, call),
            HirKind::Yield(args) => self.yield_expr(frame, args),
            HirKind::Lambda(body) => Ok(self.closure(frame, *body, true, 0)),
            HirKind::Unsupported { what } => self.unknown(UnknownReason::Syntax(what)),
            other => self.control(frame, other),
        }
    }

    pub(crate) fn eval_optional(&mut self, frame: &Frame, id: Option<ExprId>) -> Eval {
        id.map_or(Ok(RuntimeValue::Nil), |id| self.eval(frame, id))
    }

    fn concat(&mut self, frame: &Frame, parts: &[ExprId]) -> Eval<String> {
        let mut text = String::new();
        for part in parts {
            let value = self.eval(frame, *part)?;
            text.push_str(&self.interpolated(&value)?);
        }
        self.spend_bytes(text.len())?;
        Ok(text)
    }

    pub(crate) fn new_array(&mut self, items: Vec<RuntimeValue>) -> Eval {
        self.spend_bytes(items.len() * 16 + 32)?;
        Ok(RuntimeValue::array(items))
    }

    pub(crate) fn new_str(&mut self, text: impl Into<String>) -> Eval {
        let text = text.into();
        self.spend_bytes(text.len() + 32)?;
        Ok(RuntimeValue::str(text))
    }

    pub(crate) fn new_hash(&mut self, pairs: Vec<(RuntimeValue, RuntimeValue)>) -> Eval {
        self.spend_bytes(pairs.len() * 64 + 64)?;
        let mut content = HashContent::default();
        for (key, value) in pairs {
            let (hash_key, key) = self.prepared_key(key)?;
            content.entries.insert(hash_key, (key, value));
        }
        Ok(RuntimeValue::Hash(SharedCell::new(content)))
    }

    fn new_range(&mut self, low: RuntimeValue, high: RuntimeValue, exclusive: bool) -> Eval {
        for end in [&low, &high] {
            if let RuntimeValue::Unknown(why) = end {
                return Err(super::Flow::Unknown(Rc::clone(why)));
            }
        }
        let is_plain = |value: &RuntimeValue| matches!(value, RuntimeValue::Nil | RuntimeValue::Int(_) | RuntimeValue::Float(_));
        let is_ordered = low.is_nil() || high.is_nil() || (is_plain(&low) && is_plain(&high));
        if !is_ordered {
            let order = self.send(&low, "<=>", super::frame::Arguments::of(vec![high.clone()]))?;
            if order.is_nil() {
                return self.raise("ArgumentError", "bad value for range");
            }
        }
        Ok(RuntimeValue::Range(Rc::new(RangeCell { low, high, exclusive })))
    }

    fn regex_literal(&mut self, frame: &Frame, parts: &[ExprId], flags: RegexFlags) -> Eval {
        let hir = Arc::clone(&frame.hir);
        let body = hir.body(frame.body);
        let mut source = String::new();
        for part in parts {
            if let Some(HirKind::Str { text, .. }) = body.map(|body| body.kind(*part)) {
                source.push_str(text);
                continue;
            }
            match self.eval(frame, *part)? {
                RuntimeValue::Regex(regex) => source.push_str(&embedded(&regex)),
                other => source.push_str(&self.interpolated(&other)?),
            }
        }
        self.new_regex(&source, flags)
    }

    pub(crate) fn new_regex(&mut self, source: &str, flags: RegexFlags) -> Eval {
        self.spend_bytes(source.len() * 16)?;
        self.spend(200)?;
        Ok(RuntimeValue::Regex(Rc::new(compile(source, flags))))
    }

    /// Evaluates list elements or a call's positional arguments.
    pub(crate) fn elements(&mut self, frame: &Frame, elements: &[Element]) -> Eval<Vec<RuntimeValue>> {
        let mut items = Vec::with_capacity(elements.len());
        for element in elements {
            match element {
                Element::Plain(id) => items.push(self.eval(frame, *id)?),
                Element::Splat(id) => {
                    let list = self.eval(frame, *id)?;
                    let more = self.splatted(&list)?;
                    self.spend(more.len() as u64)?;
                    items.extend(more);
                }
            }
        }
        Ok(items)
    }

    /// Returns the elements of `*value`.
    pub(crate) fn splatted(&mut self, value: &RuntimeValue) -> Eval<Vec<RuntimeValue>> {
        match value {
            RuntimeValue::Nil => Ok(Vec::new()),
            RuntimeValue::Array(list) => self.items(list),
            RuntimeValue::Unknown(why) => Err(super::Flow::Unknown(Rc::clone(why))),
            RuntimeValue::Hash(_) | RuntimeValue::Range(_) | RuntimeValue::Object(_) if self.responds(value, "to_a") => {
                let list = self.send(value, "to_a", super::frame::Arguments::default())?;
                match list {
                    RuntimeValue::Array(list) => self.items(&list),
                    RuntimeValue::Unknown(why) => Err(super::Flow::Unknown(why)),
                    _ => Ok(vec![value.clone()]),
                }
            }
            other => Ok(vec![other.clone()]),
        }
    }

    pub(crate) fn pairs(&mut self, frame: &Frame, pairs: &[Pair]) -> Eval<Vec<(RuntimeValue, RuntimeValue)>> {
        let mut all = Vec::with_capacity(pairs.len());
        for pair in pairs {
            match pair {
                Pair::Entry(key, value) => {
                    let key = self.eval(frame, *key)?;
                    all.push((key, self.eval(frame, *value)?));
                }
                Pair::Splat(id) => match self.eval(frame, *id)? {
                    RuntimeValue::Nil => return self.raise("TypeError", "no implicit conversion of nil into Hash"),
                    RuntimeValue::Hash(hash) => all.extend(self.hash_pairs(&hash)?),
                    RuntimeValue::Unknown(why) => return Err(super::Flow::Unknown(why)),
                    other => {
                        let hash = self.send(&other, "to_hash", super::frame::Arguments::default())?;
                        if let RuntimeValue::Hash(hash) = hash {
                            all.extend(self.hash_pairs(&hash)?);
                        }
                    }
                },
            }
        }
        Ok(all)
    }

    /// Returns the variables of an enclosing body.
    fn scope(frame: &Frame, depth: u32) -> Option<Rc<Environment>> {
        let mut variables = Rc::clone(&frame.variables);
        for _ in 0..depth {
            let outer = Rc::clone(variables.outer.as_ref()?);
            variables = outer;
        }
        Some(variables)
    }

    pub(crate) fn read_local(&self, frame: &Frame, local: LocalRef) -> RuntimeValue {
        let at = crate::hir::ArenaId::position(local.local) + 1;
        if local.depth == 0 {
            return frame.variables.slots.borrow().get(at).cloned().unwrap_or_default();
        }
        Self::scope(frame, local.depth).and_then(|scope| scope.slots.borrow().get(at).cloned()).unwrap_or_default()
    }

    pub(crate) fn set_local(&mut self, frame: &Frame, local: LocalRef, value: RuntimeValue) -> Eval<()> {
        let Some(scope) = Self::scope(frame, local.depth) else { return Ok(()) };
        self.set_slot(&scope, crate::hir::ArenaId::position(local.local) + 1, value)
    }

    pub(crate) fn set_slot(&mut self, scope: &Rc<Environment>, at: usize, value: RuntimeValue) -> Eval<()> {
        self.touch(|| super::journal::Storage::Slot(Rc::clone(scope), at))?;
        if let Some(slot) = scope.slots.borrow_mut().get_mut(at) {
            *slot = value;
        }
        Ok(())
    }

    /// Returns the variables of the method around the running block.
    pub(crate) fn method_scope(frame: &Frame) -> Rc<Environment> {
        let mut variables = Rc::clone(&frame.variables);
        while let Some(outer) = variables.outer.as_ref().map(Rc::clone) {
            variables = outer;
        }
        variables
    }

    fn group(&mut self, frame: &Frame, number: u32) -> Eval {
        let found = Self::method_scope(frame).slots.borrow().first().cloned().unwrap_or_default();
        match found {
            RuntimeValue::Match(found) => Ok(group_text(&found, number as usize)),
            RuntimeValue::Unknown(why) => Err(super::Flow::Unknown(why)),
            _ => Ok(RuntimeValue::Nil),
        }
    }

    fn around_match(&mut self, frame: &Frame, which: char) -> Eval {
        let found = Self::method_scope(frame).slots.borrow().first().cloned().unwrap_or_default();
        let RuntimeValue::Match(found) = found else { return Ok(RuntimeValue::Nil) };
        let Some(Some(range)) = found.groups.first() else { return Ok(RuntimeValue::Nil) };
        Ok(match which {
            '`' => RuntimeValue::str(found.text.get(..range.start).unwrap_or_default()),
            '\'' => RuntimeValue::str(found.text.get(range.end..).unwrap_or_default()),
            _ => {
                let last = (1..found.groups.len()).rev().find(|at| matches!(found.groups.get(*at), Some(Some(_))));
                last.map_or(RuntimeValue::Nil, |at| group_text(&found, at))
            }
        })
    }

    fn read_variable(&mut self, frame: &Frame, name: &HirText) -> Eval {
        if name.starts_with("@@") {
            return self.class_variable(frame, name);
        }
        if name.starts_with('@') {
            return self.instance_variable(&frame.self_value, name).map(Option::unwrap_or_default);
        }
        match &**name {
            "$~" => Ok(Self::method_scope(frame).slots.borrow().first().cloned().unwrap_or_default()),
            "$stdout" | "$stderr" | "$stdin" | "$0" | "$PROGRAM_NAME" | "$:" | "$LOAD_PATH" | "$/" | "$-0" | "$$" | "$?" | "$*" | "$."
            | "$<" | "$>" | "$_" | "$@" | "$\"" | "$LOADED_FEATURES" | "$VERBOSE" | "$DEBUG" | "$FILENAME" | "$-v" | "$-w" | "$-d"
            | "$-I"
                if !self.globals.contains_key(name) =>
            {
                self.unknown_because(format!("`{name}` is not supported"))
            }
            _ => Ok(self.globals.get(name).cloned().unwrap_or_default()),
        }
    }

    /// Returns an instance variable, if the object has it.
    pub(crate) fn instance_variable(&mut self, object: &RuntimeValue, name: &HirText) -> Eval<Option<RuntimeValue>> {
        match object {
            RuntimeValue::Object(object) => match &*object.variables.lost.borrow() {
                Some(why) => Err(super::Flow::Unknown(Rc::clone(why))),
                None => Ok(object.get(name)),
            },
            RuntimeValue::Class(class) => Ok(self.classes.get(*class).and_then(|state| state.variables.get(name).cloned())),
            RuntimeValue::Unknown(why) => Err(super::Flow::Unknown(Rc::clone(why))),
            _ => Ok(None),
        }
    }

    /// Returns the class with a class variable.
    pub(crate) fn class_variable_owner(&self, frame: &Frame, name: &str) -> Option<ClassKey> {
        let class = self.class_variable_scope(frame);
        self.classes.ancestors(class).into_iter().find(|key| self.classes.get(*key).is_some_and(|c| c.variables.contains_key(name)))
    }

    /// Returns the class in which code finds class variables.
    pub(crate) fn class_variable_scope(&self, frame: &Frame) -> ClassKey {
        let class = frame.lexical.class;
        match self.classes.get(class).and_then(|state| state.attached.clone()) {
            Some(RuntimeValue::Class(of)) => of,
            _ => class,
        }
    }

    fn class_variable(&mut self, frame: &Frame, name: &HirText) -> Eval {
        if let Some(owner) = self.class_variable_owner(frame, name) {
            return Ok(self.classes.get(owner).and_then(|class| class.variables.get(name).cloned()).unwrap_or_default());
        }
        let class = self.class_label(self.class_variable_scope(frame));
        self.raise("NameError", format!("uninitialized class variable {name} in {class}"))
    }

    pub(crate) fn read_constant(&mut self, frame: &Frame, path: &ConstantPath) -> Eval {
        match path.scope {
            ConstantScope::Lexical => {
                let mut scope = Some(Rc::clone(&frame.lexical));
                while let Some(inner) = scope {
                    // Constants of `Object` are found last.
                    if (inner.outer.is_some() || frame.lexical.outer.is_none())
                        && let Some(value) = self.own_constant(inner.class, &path.name)?
                    {
                        return Ok(value);
                    }
                    scope = inner.outer.clone();
                }
                self.constant_of(frame.lexical.class, &path.name, true)
            }
            ConstantScope::Top => self.constant_of(self.known.object, &path.name, true),
            ConstantScope::Of(scope) => match self.eval(frame, scope)? {
                RuntimeValue::Class(class) => {
                    let has = |state: &ClassState| state.constants.contains_key(&path.name) || state.autoloads.contains_key(&path.name);
                    let owner = self.classes.ancestors(class).into_iter().find(|ancestor| self.classes.get(*ancestor).is_some_and(has));
                    let is_private = |state: &ClassState| state.private_constants.contains(&path.name);
                    if let Some(owner) = owner.filter(|owner| self.classes.get(*owner).is_some_and(is_private)) {
                        let path = self.constant_path(owner, &path.name);
                        return self.raise("NameError", format!("private constant {path} referenced"));
                    }
                    self.constant_of(class, &path.name, false)
                }
                RuntimeValue::Unknown(why) => Err(super::Flow::Unknown(why)),
                other => {
                    let shown = self.inspect(&other)?;
                    self.raise("TypeError", format!("{shown} is not a class/module"))
                }
            },
        }
    }

    /// Assigns the target in a `rescue`, `for` or multiple assignment.
    pub(crate) fn assign_value(&mut self, frame: &Frame, target: &Target, value: RuntimeValue) -> Eval<()> {
        let result = self.assign(frame, target, value);
        match self.as_value(result.map(|()| RuntimeValue::Nil)) {
            Ok(_) => Ok(()),
            Err(flow) => Err(flow),
        }
    }
}

/// Returns a group of a match.
pub(crate) fn group_text(found: &super::value::MatchCell, at: usize) -> RuntimeValue {
    let range = found.groups.get(at).cloned().flatten();
    range.and_then(|range| found.text.get(range)).map_or(RuntimeValue::Nil, RuntimeValue::str)
}

/// Compiles a regex of Ruby.
pub(crate) fn compile(source: &str, flags: RegexFlags) -> RegexCell {
    let lang_flags = Flags { ignore_case: flags.ignore_case, dot_all: flags.multi_line, extended: flags.extended, is_ruby: true };
    RegexCell { source: source.into(), flags, compiled: Regex::new(source, lang_flags).ok() }
}

/// Returns a regex for embedding in another regex, like `Regexp#to_s`.
pub(crate) fn embedded(regex: &RegexCell) -> String {
    let all = [(regex.flags.multi_line, 'm'), (regex.flags.ignore_case, 'i'), (regex.flags.extended, 'x')];
    let on: String = all.iter().filter(|(is_on, _)| *is_on).map(|(_, letter)| letter).collect();
    let off: String = all.iter().filter(|(is_on, _)| !is_on).map(|(_, letter)| letter).collect();
    let sign = if off.is_empty() { "" } else { "-" };
    format!("(?{on}{sign}{off}:{})", regex.source)
}
