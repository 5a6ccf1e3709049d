//! String forms and equality of values.

use super::classes::ClassKey;
use super::frame::Arguments;
use super::keys::MAX_NESTING;
use super::value::{ObjectCell, RuntimeValue};
use super::{Eval, Flow, Interpreter};
use rtype_lang::value::Value;
use std::rc::Rc;

impl Interpreter<'_> {
    /// Returns a class's name in messages.
    pub(crate) fn class_label(&self, class: ClassKey) -> String {
        match self.classes.get(class) {
            Some(state) if state.name.is_some() => self.classes.name(class).to_string(),
            Some(state) => match &state.attached {
                Some(RuntimeValue::Class(of)) => format!("#<Class:{}>", self.class_label(*of)),
                Some(_) => "#<Class:#<Object>>".into(),
                None => format!("#<{}:0x{:016x}>", if state.is_module { "Module" } else { "Class" }, class.0),
            },
            None => String::new(),
        }
    }

    pub(crate) fn is_main(&self, object: &Rc<ObjectCell>) -> bool {
        matches!(self.globals.get("main"), Some(RuntimeValue::Object(main)) if Rc::ptr_eq(main, object))
    }

    /// Returns an object's default string form. The form contains an unknown address.
    pub(crate) fn plain_inspect(&mut self, value: &RuntimeValue) -> Eval<String> {
        match value {
            RuntimeValue::Object(object) if self.is_main(object) => Ok("main".into()),
            _ => self.unknown_because("addresses are not supported"),
        }
    }

    /// Returns the result of `inspect`.
    pub(crate) fn inspect(&mut self, value: &RuntimeValue) -> Eval<String> {
        self.inspect_within(value, MAX_NESTING, &mut Vec::new())
    }

    fn inspect_within(&mut self, value: &RuntimeValue, depth: usize, open: &mut Vec<usize>) -> Eval<String> {
        let Some(depth) = depth.checked_sub(1) else { return self.unknown_because("values nest too deeply") };
        self.spend(1)?;
        let text = match value {
            RuntimeValue::Nil => "nil".into(),
            RuntimeValue::Bool(value) => value.to_string(),
            RuntimeValue::Int(number) => number.to_string(),
            RuntimeValue::Float(number) => rtype_lang::value::inspect(&Value::Float(*number)),
            RuntimeValue::Sym(name) if is_plain_symbol(name) => format!(":{name}"),
            RuntimeValue::Sym(name) => rtype_lang::value::inspect(&Value::sym(&**name)),
            RuntimeValue::Str(_) => {
                let text = self.text_of(value)?;
                rtype_lang::value::inspect(&Value::str(text))
            }
            RuntimeValue::Array(_) | RuntimeValue::Hash(_) => self.inspect_container(value, depth, open)?,
            RuntimeValue::Range(range) => {
                let low = if range.low.is_nil() { String::new() } else { self.inspect_within(&range.low, depth, open)? };
                let high = if range.high.is_nil() { String::new() } else { self.inspect_within(&range.high, depth, open)? };
                if range.low.is_nil() && range.high.is_nil() {
                    "nil..".to_owned()
                } else {
                    format!("{low}{}{high}", if range.exclusive { "..." } else { ".." })
                }
            }
            RuntimeValue::Regex(regex) => {
                let flags = [(regex.flags.multi_line, "m"), (regex.flags.ignore_case, "i"), (regex.flags.extended, "x")];
                let flags: String = flags.iter().filter(|(is_on, _)| *is_on).map(|(_, letter)| *letter).collect();
                format!("/{}/{flags}", escaped_slashes(&regex.source))
            }
            RuntimeValue::Class(class) => self.class_label(*class),
            RuntimeValue::Unknown(why) => return Err(Flow::Unknown(Rc::clone(why))),
            RuntimeValue::Match(_) | RuntimeValue::Proc(_) | RuntimeValue::Method(_) | RuntimeValue::Object(_) => {
                let text = self.send(value, "inspect", Arguments::default())?;
                self.text_of(&text)?
            }
        };
        self.spend_bytes(text.len())?;
        Ok(text)
    }

    fn inspect_container(&mut self, value: &RuntimeValue, depth: usize, open: &mut Vec<usize>) -> Eval<String> {
        let address = value.address().unwrap_or(0);
        let is_open = open.contains(&address);
        open.push(address);
        let text = match value {
            RuntimeValue::Array(_) if is_open => "[...]".into(),
            RuntimeValue::Array(list) => {
                let mut parts = Vec::new();
                for item in self.items(list)? {
                    parts.push(self.inspect_element(&item, depth, open)?);
                }
                format!("[{}]", parts.join(", "))
            }
            RuntimeValue::Hash(_) if is_open => "{...}".into(),
            RuntimeValue::Hash(hash) => {
                let mut parts = Vec::new();
                for (key, value) in self.hash_pairs(hash)? {
                    let value = self.inspect_element(&value, depth, open)?;
                    let key_text = self.inspect_element(&key, depth, open)?;
                    parts.push(format!("{key_text}=>{value}"));
                }
                format!("{{{}}}", parts.join(", "))
            }
            _ => String::new(),
        };
        open.pop();
        Ok(text)
    }

    /// Returns an element's string form.
    fn inspect_element(&mut self, value: &RuntimeValue, depth: usize, open: &mut Vec<usize>) -> Eval<String> {
        self.inspect_within(value, depth, open)
    }

    /// Returns the result of `to_s`.
    pub(crate) fn interpolated(&mut self, value: &RuntimeValue) -> Eval<String> {
        match value {
            RuntimeValue::Str(_) | RuntimeValue::Sym(_) => self.text_of(value),
            RuntimeValue::Nil => Ok(String::new()),
            RuntimeValue::Bool(_) | RuntimeValue::Int(_) | RuntimeValue::Float(_) => self.inspect(value),
            RuntimeValue::Unknown(why) => Err(Flow::Unknown(Rc::clone(why))),
            other => {
                let text = self.send(other, "to_s", Arguments::default())?;
                match text {
                    RuntimeValue::Str(_) => self.text_of(&text),
                    RuntimeValue::Unknown(why) => Err(Flow::Unknown(why)),
                    _ => self.plain_inspect(other),
                }
            }
        }
    }

    /// Returns true if two values are equal: `==`.
    pub(crate) fn equal(&mut self, a: &RuntimeValue, b: &RuntimeValue) -> Eval<bool> {
        self.equal_within(a, b, MAX_NESTING)
    }

    fn equal_within(&mut self, a: &RuntimeValue, b: &RuntimeValue, depth: usize) -> Eval<bool> {
        use RuntimeValue as V;
        let Some(depth) = depth.checked_sub(1) else { return self.unknown_because("values nest too deeply") };
        self.spend(1)?;
        if let (V::Unknown(why), _) | (_, V::Unknown(why)) = (a, b) {
            return Err(Flow::Unknown(Rc::clone(why)));
        }
        Ok(match (a, b) {
            (V::Int(x), V::Float(y)) | (V::Float(y), V::Int(x)) => *x as f64 == *y,
            (V::Float(x), V::Float(y)) => x == y,
            (V::Str(x), V::Str(y)) => {
                self.check_known(&**x)?;
                self.check_known(&**y)?;
                self.spend(x.content.borrow().len() as u64 / 64)?;
                *x.content.borrow() == *y.content.borrow()
            }
            (V::Array(x), V::Array(y)) => {
                if Rc::ptr_eq(x, y) {
                    return Ok(true);
                }
                let (x, y) = (self.items(x)?, self.items(y)?);
                if x.len() != y.len() {
                    return Ok(false);
                }
                for (a, b) in x.iter().zip(&y) {
                    if !self.equal_within(a, b, depth)? {
                        return Ok(false);
                    }
                }
                true
            }
            (V::Hash(x), V::Hash(y)) => {
                if Rc::ptr_eq(x, y) {
                    return Ok(true);
                }
                let pairs = self.hash_pairs(x)?;
                self.check_known(&**y)?;
                if pairs.len() != y.content.borrow().entries.len() {
                    return Ok(false);
                }
                for (key, value) in &pairs {
                    match self.find_in_hash(y, key)? {
                        Some(other) if self.equal_within(value, &other, depth)? => {}
                        _ => return Ok(false),
                    }
                }
                true
            }
            (V::Range(x), V::Range(y)) => {
                x.exclusive == y.exclusive && self.equal_within(&x.low, &y.low, depth)? && self.equal_within(&x.high, &y.high, depth)?
            }
            (V::Regex(x), V::Regex(y)) => x.source == y.source && x.flags == y.flags,
            (V::Object(_), _) => {
                let class = self.class_of(a);
                let entry = self.find_method(class, &"==".into());
                let is_own = entry.is_some_and(|entry| !matches!(&*self.classes.name(entry.owner), "Kernel" | "BasicObject"));
                if !is_own {
                    return Ok(a.is_same(b));
                }
                self.send(a, "==", Arguments::of(vec![b.clone()]))?.truth().map_err(Flow::Unknown)?
            }
            _ => a.is_same(b),
        })
    }
}

/// Returns true if a symbol is a variable name, or a method name ending with `=`.
fn is_plain_symbol(name: &str) -> bool {
    let word = match name.strip_suffix('=') {
        Some(word) => word,
        None => match name.strip_prefix("@@").or_else(|| name.strip_prefix('@')).or_else(|| name.strip_prefix('$')) {
            Some(word) => word,
            None => return false,
        },
    };
    word.starts_with(|c: char| c.is_alphabetic() || c == '_') && word.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// Returns a regex's source as `inspect` writes it.
fn escaped_slashes(source: &str) -> String {
    let mut out = String::new();
    let mut letters = source.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => {
                out.push('\\');
                out.extend(letters.next());
            }
            '/' => out.push_str("\\/"),
            other => out.push(other),
        }
    }
    out
}
