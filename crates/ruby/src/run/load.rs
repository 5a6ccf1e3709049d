//! Files, and the lookup of constants.

use super::classes::ClassKey;
use super::frame::{Arguments, Frame, LexicalScope, Visibility};
use super::value::{ObjectCell, RuntimeValue, UnknownReason, UnknownValue};
use super::{Eval, Flow, Interpreter, RunError};
use crate::hir::{FileId, Hir, HirText, ParseSettings, SourceRange};
use std::cell::Cell;
use std::collections::HashSet;
use std::rc::Rc;
use std::sync::{Arc, LazyLock};

/// The library's part written in Ruby.
const PRELUDE: &[(&str, &str)] = &[
    ("prelude/kernel.rb", include_str!("../../prelude/kernel.rb")),
    ("prelude/enumerable.rb", include_str!("../../prelude/enumerable.rb")),
    ("prelude/array.rb", include_str!("../../prelude/array.rb")),
    ("prelude/hash.rb", include_str!("../../prelude/hash.rb")),
    ("prelude/set.rb", include_str!("../../prelude/set.rb")),
];

/// Parsed once for all interpreters.
static PARSED: LazyLock<Vec<Arc<Hir>>> = LazyLock::new(|| {
    let parse = |(at, (path, text)): (usize, &(&str, &str))| {
        let file = FileId(u32::MAX - u32::try_from(at).unwrap_or(0));
        Hir::parse(text, &ParseSettings { file, path: (*path).to_owned(), locals: Vec::new() }).ok().map(Arc::new)
    };
    PRELUDE.iter().enumerate().filter_map(parse).collect()
});

/// Ruby libraries whose classes always exist.
const LIBRARIES: &[&str] = &[
    "set",
    "json",
    "yaml",
    "time",
    "date",
    "uri",
    "ipaddr",
    "pathname",
    "shellwords",
    "tempfile",
    "fileutils",
    "English",
    "digest",
    "open3",
    "securerandom",
    "base64",
    "ostruct",
    "forwardable",
    "singleton",
    "erb",
    "timeout",
    "delegate",
    "observer",
    "benchmark",
    "tsort",
    "optparse",
    "logger",
    "stringio",
    "strscan",
    "socket",
    "etc",
    "zlib",
    "rbconfig",
    "bigdecimal",
    "open-uri",
    "net/http",
    "net/https",
    "tmpdir",
    "monitor",
    "abbrev",
    "find",
    "csv",
    "openssl",
    "psych",
    "syslog",
    "weakref",
    "pp",
    "digest/md5",
    "digest/sha1",
    "digest/sha2",
    "cgi",
    "enumerator",
    "thread",
    "rational",
    "rexml/document",
    "prime",
    "resolv",
    "net/ftp",
    "webrick",
    "hocon",
    "semantic_puppet",
    "fast_gettext",
    "prettyprint",
    "io/console",
    "rubygems",
];

/// The files that have been loaded.
#[derive(Default)]
pub(crate) struct Loader {
    loaded: HashSet<String>,
    files: u32,
    /// Paths and places of newlines of the program's files.
    sources: Vec<(String, Vec<u32>)>,
    /// The first missing file.
    pub(crate) missing: Option<Rc<UnknownValue>>,
}

impl Loader {
    pub(crate) fn next_file(&self) -> FileId {
        FileId(self.files + 1)
    }
}

impl Interpreter<'_> {
    pub(crate) fn load_prelude(&mut self) -> Result<(), RunError> {
        let main = RuntimeValue::Object(ObjectCell::new(self.known.object));
        self.globals.insert("main".into(), main);
        for hir in PARSED.iter() {
            let result = self.run_hir(hir);
            self.finish(result)?;
        }
        for class in self.classes.keys() {
            if let Some(state) = self.classes.change(class) {
                state.is_core = true;
            }
        }
        Ok(())
    }

    /// Runs a file's source.
    ///
    /// # Errors
    /// Returns a syntax error, an unhandled error, or the exceeded limit.
    pub fn run(&mut self, path: &str, text: &str) -> Result<RuntimeValue, RunError> {
        self.loader.loaded.insert(path.to_owned());
        let result = self.run_text(path, text);
        self.finish(result)
    }

    /// Runs a file's source inside of running code.
    ///
    /// # Errors
    /// Returns how the code was left.
    pub fn evaluate(&mut self, path: &str, text: &str) -> super::Evaluation {
        self.run_text(path, text)
    }

    fn run_text(&mut self, path: &str, text: &str) -> Eval {
        let hir = self.parse(path, text, Vec::new())?;
        self.run_hir(&hir)
    }

    /// Parses a source of the program.
    pub(crate) fn parse(&mut self, path: &str, text: &str, locals: Vec<String>) -> Eval<Arc<Hir>> {
        self.spend_bytes(text.len() * 16)?;
        self.loader.files += 1;
        let newlines = text.match_indices('\n').filter_map(|(at, _)| u32::try_from(at).ok()).collect();
        self.loader.sources.push((path.to_owned(), newlines));
        let settings = ParseSettings { file: FileId(self.loader.files), path: path.to_owned(), locals };
        match Hir::parse(text, &settings) {
            Ok(hir) => Ok(Arc::new(hir)),
            Err(error) => Err(Flow::Stop(RunError::Parse(error))),
        }
    }

    fn run_hir(&mut self, hir: &Arc<Hir>) -> Eval {
        let object = self.known.object;
        let main = self.globals.get("main").cloned().unwrap_or_default();
        self.run_in(hir, main, object, Rc::new(LexicalScope { class: object, outer: None }))
    }

    /// Runs a file's body with a `self` and a class.
    pub(crate) fn run_in(&mut self, hir: &Arc<Hir>, self_value: RuntimeValue, definee: ClassKey, lexical: Rc<LexicalScope>) -> Eval {
        let home = self.number();
        let body = hir.main();
        let frame = Frame {
            hir: Arc::clone(hir),
            body,
            variables: self.variables(hir, body, None),
            self_value,
            lexical,
            definee,
            method: None,
            home,
            breaks: 0,
            visibility: Rc::new(Cell::new(Visibility::Public)),
        };
        let Some(code) = hir.body(body) else { return Ok(RuntimeValue::Nil) };
        let height = self.doubt.pending.len();
        let result = self.in_call(|run| run.eval(&frame, code.root));
        self.settle(height, result, &mut |_, result| match result {
            Err(Flow::Return(of, value)) if of == home => Ok(value),
            other => other,
        })
    }

    /// Returns path and line of an expression in a file of the program.
    pub fn place(&self, origin: SourceRange) -> Option<(String, usize)> {
        let (path, newlines) = self.loader.sources.get((origin.file.0 as usize).checked_sub(1)?)?;
        Some((path.clone(), newlines.partition_point(|at| *at < origin.start) + 1))
    }

    /// Returns path and line at which the last error was raised.
    pub fn raised_place(&self) -> Option<(String, usize)> {
        self.place(self.raised_at)
    }

    /// Keeps the place of an error: the innermost call in a file of the program.
    pub(crate) fn note_raise(&mut self) {
        let is_own = |at: &&SourceRange| at.file.0 < u32::MAX / 2;
        self.raised_at = std::iter::once(&self.site).chain(self.callers.iter().rev()).find(is_own).copied().unwrap_or_default();
    }

    /// Evaluates `require` or `load`.
    pub(crate) fn require(&mut self, feature: &str, again: bool) -> Eval {
        if LIBRARIES.contains(&feature) {
            return Ok(RuntimeValue::Bool(true));
        }
        let files = Rc::clone(&self.files);
        let Some((path, text)) = files.find(feature) else {
            let why = UnknownValue { reason: UnknownReason::File(feature.to_owned()), origin: self.site, options: Vec::new() };
            let why = Rc::new(why);
            self.loader.missing.get_or_insert_with(|| Rc::clone(&why));
            if self.is_strict {
                return Err(Flow::Unknown(why));
            }
            // The file may not exist for Ruby either.
            let (unknown, message) = (RuntimeValue::Unknown(Rc::clone(&why)), format!("cannot load such file -- {feature}"));
            return self.fork(&why, &mut [&mut |_| Ok(unknown.clone()), &mut |run| run.raise("LoadError", message.clone())]);
        };
        if !self.loader.loaded.insert(path.clone()) && !again {
            return Ok(RuntimeValue::Bool(false));
        }
        self.run_text(&path, &text)?;
        Ok(RuntimeValue::Bool(true))
    }

    /// Returns a constant defined directly in a class.
    pub(crate) fn own_constant(&mut self, class: ClassKey, name: &HirText) -> Eval<Option<RuntimeValue>> {
        if let Some(value) = self.classes.get(class).and_then(|state| state.constants.get(name)) {
            return Ok(Some(value.clone()));
        }
        let Some(path) = self.classes.get(class).and_then(|state| state.autoloads.get(name)).cloned() else { return Ok(None) };
        if let Some(state) = self.classes.change(class) {
            state.autoloads.shift_remove(name);
        }
        self.require(&path, false)?;
        Ok(self.classes.get(class).and_then(|state| state.constants.get(name)).cloned())
    }

    /// Looks up a constant in a class and the ancestors.
    pub(crate) fn constant_of(&mut self, class: ClassKey, name: &HirText, with_object: bool) -> Eval {
        let mut ancestors = self.classes.ancestors(class);
        if self.classes.is_singleton(class)
            && let Some(RuntimeValue::Class(of)) = self.classes.get(class).and_then(|state| state.attached.clone())
        {
            ancestors.extend(self.classes.ancestors(of));
        }
        for ancestor in ancestors {
            let is_root = ancestor == self.known.object && class != self.known.object && !with_object;
            if !is_root && let Some(value) = self.own_constant(ancestor, name)? {
                return Ok(value);
            }
        }
        if with_object && let Some(value) = self.own_constant(self.known.object, name)? {
            return Ok(value);
        }
        self.missing_constant(class, name)
    }

    fn missing_constant(&mut self, class: ClassKey, name: &HirText) -> Eval {
        let hook: HirText = "const_missing".into();
        let meta = self.class_of(&RuntimeValue::Class(class));
        if let Some(entry) = self.find_method(meta, &hook)
            && self.classes.get(entry.owner).is_some_and(|owner| !owner.is_core)
        {
            let given = Arguments::of(vec![RuntimeValue::Sym(HirText::clone(name))]);
            return self.call_entry(None, &entry, &RuntimeValue::Class(class), &hook, given);
        }
        let path = self.constant_path(class, name);
        let host = Rc::clone(&self.host);
        if let Some(value) = host.missing_constant(self, &path) {
            return Ok(value);
        }
        if self.loader.missing.is_some() || self.classes.lost(class).is_some() {
            return self.unknown(UnknownReason::Constant(path.to_string()));
        }
        let error = self.raise("NameError", format!("uninitialized constant {path}"));
        if let Err(Flow::Raise(RuntimeValue::Object(object))) = &error {
            object.variables.content.borrow_mut().insert("name".into(), RuntimeValue::Sym(HirText::clone(name)));
        }
        error
    }
}
