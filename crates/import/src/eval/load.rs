//! Loads the files of a module path.

use super::classes::{ClassId, OBJECT};
use super::native::named;
use super::value::RubyValue;
use super::{Eval, Evaluator, RubyFrame};
use crate::api_provider::ApiProvider;
use crate::ruby;
use rtype_lang::source::Source;
use ruby_prism::{Node, ParseResult};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use typed_arena::Arena;

/// Keeps Ruby texts and their syntax trees.
pub trait ParsedTexts<'w> {
    /// Parses a text, and returns its index; `None` if it has syntax errors.
    fn add(&self, source: &Arc<Source>) -> Option<usize>;

    /// Returns the syntax tree of a text.
    fn program(&self, file: usize) -> Option<Node<'w>>;

    /// Returns a text.
    fn source(&self, file: usize) -> Option<Arc<Source>>;
}

/// The texts of one evaluation.
pub struct Texts<'s, 'w> {
    sources: &'s Arena<Arc<Source>>,
    trees: &'w Arena<ParseResult<'s>>,
    all: RefCell<Vec<(&'s Arc<Source>, &'w ParseResult<'s>)>>,
}

impl<'s, 'w> Texts<'s, 'w> {
    pub fn new(sources: &'s Arena<Arc<Source>>, trees: &'w Arena<ParseResult<'s>>) -> Texts<'s, 'w> {
        Texts { sources, trees, all: RefCell::default() }
    }

    /// Returns all texts.
    pub fn all(&self) -> Vec<Arc<Source>> {
        self.all.borrow().iter().map(|(source, _)| Arc::clone(source)).collect()
    }
}

impl<'w> ParsedTexts<'w> for Texts<'_, 'w> {
    fn add(&self, source: &Arc<Source>) -> Option<usize> {
        let source: &_ = self.sources.alloc(Arc::clone(source));
        let tree: &_ = self.trees.alloc(ruby_prism::parse(source.text().as_bytes()));
        if tree.errors().next().is_some() {
            return None;
        }
        let mut all = self.all.borrow_mut();
        all.push((source, tree));
        Some(all.len() - 1)
    }

    fn program(&self, file: usize) -> Option<Node<'w>> {
        self.all.borrow().get(file).map(|(_, tree)| tree.node())
    }

    fn source(&self, file: usize) -> Option<Arc<Source>> {
        self.all.borrow().get(file).map(|(source, _)| Arc::clone(source))
    }
}

/// Maximum number of files that are loaded for one type.
const MAX_FILES: usize = 256;

/// Libraries that come with Ruby; requiring one does nothing here.
const LIBRARIES: &[&str] = &[
    "English",
    "base64",
    "benchmark",
    "bigdecimal",
    "cgi",
    "csv",
    "date",
    "delegate",
    "digest",
    "erb",
    "etc",
    "facter",
    "fileutils",
    "find",
    "forwardable",
    "io/console",
    "ipaddr",
    "json",
    "logger",
    "monitor",
    "net/ftp",
    "net/http",
    "net/https",
    "observer",
    "open-uri",
    "open3",
    "openssl",
    "optparse",
    "ostruct",
    "pathname",
    "pp",
    "prime",
    "psych",
    "puppet",
    "rbconfig",
    "resolv",
    "rexml/document",
    "securerandom",
    "semantic_puppet",
    "set",
    "shellwords",
    "singleton",
    "socket",
    "stringio",
    "strscan",
    "syslog",
    "tempfile",
    "time",
    "timeout",
    "tmpdir",
    "tsort",
    "uri",
    "weakref",
    "yaml",
    "zlib",
    "hocon",
    "fast_gettext",
    "hiera",
    "thread",
    "webrick",
    "win32ole",
];

/// Returns whether every Linux machine with Puppet has a library.
pub fn is_installed(path: &str) -> bool {
    LIBRARIES.contains(&path) && path != "win32ole"
}

/// Returns whether a library comes with Ruby or Puppet, or may do so by its path.
pub fn is_library(path: &str) -> bool {
    let first = path.split('/').next().unwrap_or_default();
    LIBRARIES.contains(&path) || LIBRARIES.contains(&first) || path.starts_with("puppet/")
}

impl<'w> Evaluator<'_, 'w> {
    /// Runs a text as the main file. Returns its index; `None` if it has syntax errors.
    pub fn run(&mut self, source: &Arc<Source>) -> Eval<'w, Option<usize>> {
        let path = lib_path(source.name());
        let Some(file) = self.texts.add(source) else { return Ok(None) };
        self.loaded.insert(path.trim_start_matches('/').to_owned(), Some(file));
        self.run_file(file)?;
        self.load_providers()?;
        Ok(Some(file))
    }

    /// Loads the providers of the types that the main file declares, as Puppet does after a type.
    fn load_providers(&mut self) -> Eval<'w, ()> {
        let names: Vec<String> = self.types.iter().filter(|t| t.loaded_by == 0).map(|t| t.name.clone()).collect();
        for of in names {
            let directory = format!("puppet/provider/{of}");
            for file in self.files.list(&directory) {
                self.load(&format!("{directory}/{file}"))?;
            }
        }
        Ok(())
    }

    fn run_file(&mut self, file: usize) -> Eval<'w, ()> {
        self.loading.push(file);
        let result = self.run_statements(file);
        self.loading.pop();
        result
    }

    fn run_statements(&mut self, file: usize) -> Eval<'w, ()> {
        let Some(program) = self.texts.program(file).and_then(|p| p.as_program_node()) else { return Ok(()) };
        let frame = self.top(file);
        let nodes: Vec<Node<'w>> = program.statements().body().iter().collect();
        for node in nodes {
            match self.eval(&frame, &node) {
                Ok(_) | Err(super::Flow::Return(0, _)) => {}
                Err(other) => return Err(other),
            }
        }
        Ok(())
    }

    /// Loads a file below `lib` once. Returns whether it exists.
    pub(super) fn load(&mut self, path: &str) -> Eval<'w, bool> {
        let path = match path.split_once("/lib/") {
            Some((_, below)) if path.starts_with('/') => below,
            _ => path.trim_start_matches('/'),
        };
        let path = if path.ends_with(".rb") { path.to_owned() } else { format!("{path}.rb") };
        if let Some(known) = self.loaded.get(&path) {
            return Ok(known.is_some());
        }
        self.loaded.insert(path.clone(), None);
        // The library of the Resource API is part of the evaluator.
        if path.starts_with("puppet/resource_api") {
            return Ok(true);
        }
        if self.loaded.len() > MAX_FILES {
            return Ok(false);
        }
        let Some(source) = self.files.read(&path) else { return Ok(false) };
        self.budget.spend_bytes(source.text().len()).ok_or(super::Flow::Exhausted)?;
        let Some(file) = self.texts.add(&source) else { return Ok(false) };
        self.loaded.insert(path, Some(file));
        let (doubt, unsure) = (std::mem::take(&mut self.doubt), std::mem::take(&mut self.unsure));
        let result = self.run_file(file);
        (self.doubt, self.unsure) = (doubt, unsure);
        match result {
            // An error while another file is loaded is that file's: what it has defined until then exists.
            Err(super::Flow::Exhausted) => Err(super::Flow::Exhausted),
            _ => Ok(true),
        }
    }

    /// `require` and similar calls.
    pub(super) fn require(&mut self, frame: &RubyFrame<'w>, node: &Node<'w>, path: &RubyValue<'w>, relative: bool) -> Eval<'w> {
        let Some(path) = path.word() else { return Ok(self.unknown(frame, node, "the path of a file is not known")) };
        let full = if relative { ruby::join(&ruby::dirname(&self.path_of(frame.file)), &path) } else { ruby::join("/", &path) };
        if self.load(&full)? {
            return Ok(RubyValue::Bool(true));
        }
        if !is_library(&path) && self.rescues_load > 0 {
            return self.raise("LoadError", format!("cannot load such file -- {path}"));
        }
        Ok(RubyValue::Bool(true))
    }

    /// Returns the provider of a type of the Resource API, whose file was loaded with the type.
    pub fn api_provider(&mut self, type_name: &str) -> ApiProvider {
        let class: String = type_name.split('_').map(|part| super::host::capitalized(&part.to_lowercase())).collect();
        match named(&self.classes, &format!("Puppet::Provider::{class}::{class}")) {
            Some(class) => ApiProvider::Loaded(class),
            None if self.loaded.get(&format!("puppet/provider/{type_name}/{type_name}.rb")).is_some_and(Option::is_some) => {
                ApiProvider::Unknown
            }
            None if self.files.list(&format!("puppet/provider/{type_name}")).is_empty() => ApiProvider::Unknown,
            None => ApiProvider::OnlyDevices,
        }
    }

    /// Creates an object of a class without arguments.
    pub fn object(&mut self, class: ClassId) -> Option<RubyValue<'w>> {
        let (frame, node) = (self.top(0), self.texts.program(0)?);
        self.instance(&frame, &node, class, &super::CallArguments::default()).ok()
    }

    /// Calls a class method that Ruby code defines, without arguments.
    pub fn result_of(&mut self, class: ClassId, method: &str) -> Option<RubyValue<'w>> {
        let (frame, node, of) = (self.top(0), self.texts.program(0)?, RubyValue::Class(class));
        let method = self.ruby_method(&of, method)?;
        self.invoke(&frame, &node, &method, of, super::CallArguments::default()).ok()
    }

    /// Calls a method without parameters that `define_method` makes from a block, for an object that is not known.
    pub fn result_of_made(&mut self, class: ClassId, method: &str) -> Option<RubyValue<'w>> {
        let method = self.classes.method(class, method, None)?;
        let super::MethodBody::Proc(proc) = &method.body else { return None };
        self.result_of_block(proc)
    }

    /// Returns the value of a block without parameters that is the body of a method, for an object that is not known.
    pub fn result_of_block(&mut self, proc: &super::Proc<'w>) -> Option<RubyValue<'w>> {
        let why = super::Unknown { reason: "an object".into(), file: proc.file, at: 0..0 };
        let of = RubyValue::Unknown(Rc::new(why));
        self.call_with(&super::Proc { is_lambda: true, ..proc.clone() }, super::CallArguments::default(), Some(of), None).ok()
    }

    /// Returns the number of an object, by which [`Evaluator::object_of`] returns it again.
    pub fn object_number(&mut self, object: &Rc<super::value::RubyObject<'w>>) -> usize {
        self.objects.iter().position(|known| Rc::ptr_eq(known, object)).unwrap_or_else(|| {
            self.objects.push(Rc::clone(object));
            self.objects.len() - 1
        })
    }

    /// Returns the object of a number.
    pub fn object_of(&self, number: usize) -> Option<RubyValue<'w>> {
        self.objects.get(number).cloned().map(RubyValue::Object)
    }

    /// Reads the file of a type alias.
    pub fn type_alias(&mut self, name: &str) -> Option<Arc<Source>> {
        let source = self.files.type_alias(name)?;
        self.budget.spend_bytes(source.text().len())?;
        Some(source)
    }

    /// Returns the path of a text as Ruby code sees it, below [`MODULE`].
    pub fn path_of(&self, file: usize) -> String {
        self.texts.source(file).map(|s| format!("{MODULE}/lib{}", lib_path(s.name()))).unwrap_or_default()
    }

    /// Loads the file of a constant, which another type may have loaded in Ruby: `puppet_x/motd/units.rb` for `PuppetX::Motd::Units`.
    pub(super) fn autoload(&mut self, class: ClassId, constant: &str) -> Eval<'w, Option<RubyValue<'w>>> {
        let of = self.classes.get(class);
        if of.name.is_empty() || (class == OBJECT && !constant.starts_with("Puppet")) {
            return Ok(None);
        }
        let full = self.full_name(class, constant);
        self.autoload_full(&full)
    }

    pub(super) fn autoload_full(&mut self, full: &str) -> Eval<'w, Option<RubyValue<'w>>> {
        if !full.contains("::") {
            return Ok(None);
        }
        let path = full.split("::").map(ruby::snake_case).collect::<Vec<_>>().join("/") + ".rb";
        if self.loaded.contains_key(&path) || !self.load(&path)? {
            return Ok(None);
        }
        let mut of = OBJECT;
        let mut value = None;
        for part in full.split("::") {
            value = self.classes.constant(of, part);
            match value {
                Some(RubyValue::Class(id)) => of = id,
                _ => break,
            }
        }
        Ok(value.filter(|v| !matches!(v, RubyValue::Class(id) if self.classes.get(*id).name != full)))
    }
}

/// The directory of the module of a file, in paths that Ruby code sees: where it really is must not show in a type.
pub const MODULE: &str = "/(module)";

/// Returns the path of a file below the `lib` directory of its module, such as `/puppet/type/motd.rb`.
pub fn lib_path(file: &str) -> String {
    match file.rsplit_once("/lib/") {
        Some((_, path)) => format!("/{path}"),
        None => format!("/puppet/type/{}", file.rsplit('/').next().unwrap_or(file)),
    }
}
