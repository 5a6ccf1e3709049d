//! Files of the module that code reads while it is loaded: data in YAML and JSON, parts of types.

use super::load::MODULE;
use super::value::{CallArguments, MAX_NESTING, RubyValue, Unknown};
use super::{Eval, Evaluator, Flow, RubyFrame};
use crate::ruby;
use rtype_lang::source::Source;
use rtype_lang::value::{Value, parse_json, parse_yaml};
use ruby_prism::Node;
use std::rc::Rc;
use std::sync::Arc;

impl<'w> Evaluator<'_, 'w> {
    /// Calls a function that reads files of the module, or a document; `None` if it is another function, or the file another one.
    pub(super) fn module_file(
        &mut self,
        frame: &RubyFrame<'w>,
        node: &Node<'w>,
        (class, method): (&str, &str),
        given: &CallArguments<'w>,
    ) -> Option<Eval<'w>> {
        let first = given.plain.first().and_then(RubyValue::word);
        let has_symbols = given.named.iter().any(|(key, value)| {
            matches!(key.word().as_deref(), Some("symbolize_names" | "symbolize_keys")) && value.is_true() != Some(false)
        });
        let text = match (class, method) {
            (_, "read" | "binread") if given.plain.len() == 1 => {
                return Some(self.data_text(frame, &first?)?.map(|text| RubyValue::str(text.text())));
            }
            (_, "readlines" | "foreach") if given.plain.len() == 1 && given.named.is_empty() && given.block.is_none() => {
                let text = self.data_text(frame, &first?)?;
                return Some(text.map(|t| RubyValue::array(t.text().split_inclusive('\n').map(RubyValue::str).collect())));
            }
            (_, "exist?") if class != "Dir" => {
                let path = self.path_in_module(&first?)?;
                let of = self.texts.source(frame.file)?;
                let (directory, last) = path.rsplit_once('/').unwrap_or(("", &path));
                return Some(Ok(RubyValue::Bool(self.files.data_names(&of, directory).iter().any(|name| name == last))));
            }
            ("Dir", "glob" | "[]") if given.plain.len() == 1 && given.named.is_empty() && given.block.is_none() => {
                return self.files_like(frame, &first?).map(Ok);
            }
            ("YAML" | "Psych", "load_file" | "safe_load_file" | "unsafe_load_file") | ("JSON", "load_file" | "parse_file") => {
                match self.data_text(frame, &first?)? {
                    Ok(text) => text.text().to_owned(),
                    Err(flow) => return Some(Err(flow)),
                }
            }
            ("YAML" | "Psych", "load" | "safe_load" | "unsafe_load") | ("JSON", "parse" | "load" | "parse!") => first?,
            _ => return None,
        };
        let document = if class == "JSON" { parse_json(&text) } else { parse_yaml(&text) };
        Some(match document {
            Ok(value) => match value_of(&value, has_symbols, MAX_NESTING) {
                Some(value) => Ok(value),
                None => Ok(self.unknown(frame, node, "a document that nests too deeply")),
            },
            Err(_) => Ok(self.unknown(frame, node, "a document that cannot be read")),
        })
    }

    /// Runs code in a string; its `self` is that of `inner`. What a class does by code that is not known is not known either.
    pub(super) fn eval_text(&mut self, frame: &RubyFrame<'w>, node: &Node<'w>, code: &RubyValue<'w>, inner: &RubyFrame<'w>) -> Eval<'w> {
        let text = code.word();
        // Its text is parsed each time.
        self.budget.spend_bytes(text.as_ref().map_or(0, String::len)).ok_or(Flow::Exhausted)?;
        let of_file = |text: &String| self.data.iter().find(|source| source.text() == *text && source.name().ends_with(".rb")).cloned();
        let source = text.as_ref().and_then(of_file).or_else(|| {
            let of = self.texts.source(frame.file)?;
            let line = of.line(of.span_of(ruby::place(node)).start);
            self.files.code(&of, line, text.as_ref()?)
        });
        let Some(file) = source.and_then(|source| self.texts.add(&source)) else {
            if let RubyValue::Class(class) = inner.self_value {
                match self.classes.host(class) {
                    Some(_) => self.declare(class, frame, node, "class_eval", &CallArguments::default(), None),
                    None => {
                        let why = Unknown { reason: "code in a string is not run".to_owned(), file: frame.file, at: ruby::place(node) };
                        self.classes.get_mut(class).unknown.get_or_insert_with(|| Rc::new(why));
                    }
                }
            }
            return Ok(self.unknown(frame, node, "code in a string is not run"));
        };
        let Some(program) = self.texts.program(file).and_then(|p| p.as_program_node()) else { return Ok(RubyValue::Nil) };
        let inner = RubyFrame { file, ..inner.clone() };
        self.nested(|ruby| {
            let mut last = RubyValue::Nil;
            for statement in program.statements().body().iter() {
                last = ruby.eval(&inner, &statement)?;
            }
            Ok(last)
        })
    }

    /// Reads a file of the module of a file; `None` if it is not there, or may not be read.
    fn data_text(&mut self, frame: &RubyFrame<'w>, path: &str) -> Option<Eval<'w, Arc<Source>>> {
        let below = self.path_in_module(path)?;
        let of = self.texts.source(frame.file)?;
        let is_few = self.data.len() < MAX_DATA_FILES;
        let source = is_few.then(|| self.files.data(&of, &below))??;
        if self.budget.spend_bytes(source.text().len()).is_none() {
            return Some(Err(Flow::Exhausted));
        }
        self.data.push(Arc::clone(&source));
        Some(Ok(source))
    }

    /// Returns the path of a file below the directory of its module.
    fn path_in_module(&self, path: &str) -> Option<String> {
        let whole = ruby::join("/", path);
        whole.strip_prefix(MODULE)?.strip_prefix('/').map(str::to_owned)
    }

    /// Returns the files in one directory of the module that match a pattern.
    fn files_like(&mut self, frame: &RubyFrame<'w>, pattern: &str) -> Option<RubyValue<'w>> {
        let below = self.path_in_module(pattern)?;
        let (directory, last) = below.rsplit_once('/')?;
        let (start, end) = last.split_once('*').filter(|_| !directory.contains(WILD) && last.matches(WILD).count() == 1)?;
        let of = self.texts.source(frame.file)?;
        let names = self.files.data_names(&of, directory);
        self.budget.spend_bytes(names.iter().map(String::len).sum())?;
        let fits = |name: &&String| {
            name.len() >= start.len() + end.len() && name.starts_with(start) && name.ends_with(end) && !name.starts_with('.')
        };
        let files = names.iter().filter(fits).map(|name| RubyValue::str(format!("{MODULE}/{directory}/{name}")));
        Some(RubyValue::array(files.collect()))
    }
}

/// What has a meaning in patterns of files.
const WILD: [char; 4] = ['*', '?', '[', '{'];

/// Maximum number of files that are read for one type.
const MAX_DATA_FILES: usize = 256;

fn value_of<'w>(value: &Value, has_symbols: bool, depth: usize) -> Option<RubyValue<'w>> {
    let depth = depth.checked_sub(1)?;
    Some(match value {
        Value::Nil => RubyValue::Nil,
        Value::Bool(b) => RubyValue::Bool(*b),
        Value::Int(n) => RubyValue::Int(*n),
        Value::Float(n) => RubyValue::Float(*n),
        Value::Array(items) => RubyValue::array(items.iter().map(|i| value_of(i, has_symbols, depth)).collect::<Option<_>>()?),
        Value::Map(map) => {
            let key = |key: &Value| if has_symbols { RubyValue::sym(&key.to_text()) } else { RubyValue::str(key.to_text()) };
            let pairs = map.iter().map(|(k, v)| Some((key(k), value_of(v, has_symbols, depth)?)));
            RubyValue::hash(pairs.collect::<Option<_>>()?)
        }
        text => RubyValue::str(text.to_text()),
    })
}
