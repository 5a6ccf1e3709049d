//! Runs a file with Puppet's classes and records what it declares.

use super::{DeclaredBlock, DeclaredDirective, DeclaredMethod, PuppetType, without_replaced};
use super::{lookup, setup};
use crate::RubyFiles;
use rtype_lang::source::Source;
use rtype_ruby::hir::{FileId, Hir, ParseSettings, SourceRange};
use rtype_ruby::run::{
    ClassKey, CodeSource, EmbeddedCall, Embedder, Evaluation, Interpreter, PlainValue, RunError, RunLimits, RuntimeValue, SourceFiles,
};
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

/// A file that has been run.
pub struct LoadedFile<'f> {
    /// Puppet's part of the run.
    pub(super) host: Rc<Puppet<'f>>,
    /// The interpreter, which knows the constants and classes of the file.
    pub run: Interpreter<'f>,
    /// The types.
    pub types: Vec<PuppetType>,
    /// What the bodies of attributes and providers declare, with the class.
    pub directives: Vec<(ClassKey, DeclaredDirective)>,
    /// The tree of the file.
    pub hir: Option<Hir>,
    /// Puppet's classes.
    library: Vec<ClassKey>,
}

/// Puppet's part of a run.
pub(super) struct Puppet<'f> {
    pub(super) declared: RefCell<Vec<(ClassKey, DeclaredDirective)>>,
    /// Options of declarations that are blocks: the call, the option, the code.
    pub(super) option_blocks: RefCell<Vec<(SourceRange, String, CodeSource)>>,
    /// The methods that `commands` define.
    commands: RefCell<BTreeSet<String>>,
    pub(super) files: Rc<Files<'f>>,
    /// The file that is imported.
    main: Cell<FileId>,
}

/// The files that code may load.
pub(super) struct Files<'f> {
    pub(super) all: RefCell<&'f mut dyn RubyFiles>,
    /// The files that were read.
    pub(super) read: RefCell<Vec<Arc<Source>>>,
}

/// The method that declares a type of the Resource API.
const REGISTER: &str = "register_type";

/// Puppet files that are not read, because `data/puppet.rb` defines their classes.
const DEFINED: &[&str] = &[
    "puppet",
    "puppet/type",
    "puppet/error",
    "puppet/parameter",
    "puppet/property",
    "puppet/provider",
    "puppet/util",
    "puppet/resource_api",
];

/// Returns whether a file belongs to the library whose classes `data/puppet.rb` defines.
fn is_defined(name: &str) -> bool {
    DEFINED.contains(&name) || name.starts_with("puppet/resource_api/")
}

impl SourceFiles for Files<'_> {
    fn find(&self, feature: &str) -> Option<(String, String)> {
        let name = feature.strip_suffix(".rb").unwrap_or(feature);
        // Modules may name their files from the root.
        let name = name.rsplit_once("/lib/").map_or(name, |(_, inside)| inside);
        let found = self.all.borrow_mut().read(&format!("{name}.rb")).filter(|_| !is_defined(name));
        let Some(found) = found else {
            // Constants that files of Puppet's library define are not known.
            let is_library = name == "puppet" || name.starts_with("puppet/") || matches!(name, "facter" | "hiera");
            return is_library.then(|| (format!("{name}.rb"), String::new()));
        };
        let result = (found.name().to_owned(), found.text().to_owned());
        self.read.borrow_mut().push(found);
        Some(result)
    }
}

impl Files<'_> {
    /// Returns whether the module path has a file.
    pub(super) fn has(&self, feature: &str) -> bool {
        self.all.borrow_mut().read(&format!("{feature}.rb")).is_some()
    }
}

impl Embedder for Puppet<'_> {
    fn call(&self, run: &mut Interpreter<'_>, call: EmbeddedCall) -> Evaluation {
        if let Some(answer) = lookup::answer(run, &call, &self.files) {
            return answer;
        }
        if matches!(call.name.as_str(), "_" | "n_") && call.positional.len() == 1 {
            return Ok(call.positional.first().cloned().unwrap_or_default());
        }
        if let ("__class", [parent, known]) = (call.name.as_str(), call.positional.as_slice()) {
            return Ok(if matches!(parent, RuntimeValue::Class(_)) { parent.clone() } else { known.clone() });
        }
        if self.commands.borrow().contains(&call.name) {
            return run.not_known("the result of a command is not known");
        }
        let RuntimeValue::Class(class) = call.receiver else {
            return run.not_known(format!("the result of `{}` is not known", call.name));
        };
        let mut directive = declaration(run, &call);
        let is_of_main = call.origin.file == self.main.get() || run.is_called_from(self.main.get());
        if matches!(directive.word.as_str(), "newtype" | REGISTER) && !is_of_main {
            directive.word = "type of another file".to_owned();
        }
        let is_supported = call.name != "method_missing";
        for (key, value) in &call.keywords {
            if let (Some(code), Some(option)) = (run.block_source(value), run.plain(key).word()) {
                self.option_blocks.borrow_mut().push((directive.origin, option.to_owned(), code));
            }
        }
        for command in directive.commands() {
            run.define_method(class, &command, true);
            run.define_method(class, &command, false);
            self.commands.borrow_mut().insert(command);
        }
        self.declared.borrow_mut().push((class, directive));
        if is_supported { Ok(RuntimeValue::Nil) } else { run.not_known("this class method of Puppet is not supported") }
    }

    fn missing_constant(&self, run: &mut Interpreter<'_>, path: &str) -> Option<RuntimeValue> {
        if let Some(found) = lookup::constant(run, path, &self.files) {
            return Some(found);
        }
        match run.not_known(format!("`{path}` is not known when the type is loaded")) {
            Err(rtype_ruby::run::Unwind::Unknown(why)) => Some(RuntimeValue::Unknown(why)),
            _ => None,
        }
    }
}

/// Copies a call.
fn declaration(run: &mut Interpreter<'_>, call: &EmbeddedCall) -> DeclaredDirective {
    let mut arguments: Vec<PlainValue> = call.positional.iter().map(|value| run.plain(value)).collect();
    let mut options: Vec<(PlainValue, PlainValue)> = call.keywords.iter().map(|(key, value)| (run.plain(key), run.plain(value))).collect();
    if let Some(PlainValue::Hash(pairs)) = arguments.last().filter(|_| call.name != "defaultto") {
        options.extend(pairs.iter().cloned());
        arguments.pop();
    }
    if call.name == "defaultto" && arguments.is_empty() && call.block.is_none() {
        // A hash at the end of the arguments.
        arguments.push(PlainValue::Hash(std::mem::take(&mut options)));
    }
    let (mut word, mut class, mut origin) = (call.name.clone(), None, call.origin);
    if word == "__declare" {
        // The word, the name, the options and the class.
        if let Some(PlainValue::Class(key)) = arguments.last() {
            class = Some(*key);
            arguments.pop();
        }
        if let Some(PlainValue::Hash(pairs)) = arguments.last() {
            options.extend(pairs.iter().cloned());
            arguments.pop();
        }
        origin = run.call_outside(call.origin.file).unwrap_or(origin);
        let mut rest = arguments.into_iter();
        word = rest.next().as_ref().and_then(PlainValue::word).unwrap_or_default().to_owned();
        arguments = rest.collect();
    }
    let block = match &call.block {
        None => DeclaredBlock::None,
        Some(block) => match (run.block_source(block), run.symbol_of_block(block)) {
            (Some(code), _) => DeclaredBlock::Code(code),
            (None, Some(name)) => DeclaredBlock::Symbol(name),
            (None, None) => DeclaredBlock::Other,
        },
    };
    DeclaredDirective { word, arguments, options, block, class, is_conditional: run.is_conditional(), origin }
}

/// Runs a file.
///
/// # Errors
/// Returns why the run ended early.
pub fn load<'f>(source: &Source, files: &'f mut dyn RubyFiles) -> Result<LoadedFile<'f>, RunError> {
    let files = Rc::new(Files { all: RefCell::new(files), read: RefCell::default() });
    let host = Rc::new(Puppet {
        declared: RefCell::default(),
        option_blocks: RefCell::default(),
        commands: RefCell::default(),
        files: Rc::clone(&files),
        main: Cell::default(),
    });
    let embedder: Rc<dyn Embedder + 'f> = Rc::clone(&host) as Rc<dyn Embedder + 'f>;
    let mut run = Interpreter::new(embedder, files, RunLimits::default(), false)?;
    let library = setup::define(&mut run)?;
    host.main.set(run.next_file());
    run.run(source.name(), source.text())?;
    let declared = host.declared.take();
    let mut types = Vec::new();
    for (_, directive) in &declared {
        let (Some(class), Some(name)) = (directive.class, directive.first_word()) else { continue };
        if directive.word == "newtype" {
            types.push(declared_type(&mut run, name, class, directive, &declared, &library));
        }
    }
    let hir = Hir::parse(source.text(), &ParseSettings::default()).ok();
    Ok(LoadedFile { host, run, types, directives: declared, hir, library })
}

fn declared_type(
    run: &mut Interpreter<'_>,
    name: &str,
    class: ClassKey,
    call: &DeclaredDirective,
    declared: &[(ClassKey, DeclaredDirective)],
    library: &[ClassKey],
) -> PuppetType {
    let own = declared.iter().filter(|(of, directive)| *of == class && directive.word != "provide").map(|(_, d)| d.clone());
    let mut directives = without_replaced(own.collect());
    if let Some(doc) = run.class_instance_variable(class, "@doc") {
        let origin = SourceRange { end: call.origin.start, ..call.origin };
        let desc = DeclaredDirective {
            word: "desc".into(),
            arguments: vec![doc],
            options: Vec::new(),
            block: DeclaredBlock::None,
            class: None,
            is_conditional: false,
            origin,
        };
        directives.insert(0, desc);
    }
    let self_refresh = call.option("self_refresh") == Some(&PlainValue::Bool(true));
    PuppetType { name: name.to_owned(), self_refresh, class, directives, methods: methods(run, class, library), origin: call.origin }
}

/// Returns the methods of a class that are not Puppet's or Ruby's. An overridden method is left out.
fn methods(run: &mut Interpreter<'_>, class: ClassKey, library: &[ClassKey]) -> Vec<DeclaredMethod> {
    let mut all: Vec<DeclaredMethod> = Vec::new();
    for ancestor in run.ancestors_of(class).into_iter().take_while(|ancestor| !library.contains(ancestor)) {
        for own in run.own_methods(ancestor) {
            match all.iter_mut().find(|method| method.name == own.name) {
                Some(above) => above.is_lowest = false,
                None => all.push(DeclaredMethod { name: own.name, of_class: false, code: own.code, is_lowest: true }),
            }
        }
    }
    for own in run.class_of_class(class).map(|meta| run.own_methods(meta)).unwrap_or_default() {
        all.push(DeclaredMethod { name: own.name, of_class: true, code: own.code, is_lowest: true });
    }
    all
}

impl LoadedFile<'_> {
    /// Returns the file that is imported.
    pub fn main(&self) -> FileId {
        self.host.main.get()
    }

    /// Returns the calls that declare types.
    pub fn declared_types(&self) -> Vec<SourceRange> {
        self.types.iter().map(|declared| declared.origin).chain(self.api_types().iter().map(|call| call.origin)).collect()
    }

    /// Returns the types of the Resource API that the file declares.
    pub fn api_types(&self) -> Vec<DeclaredDirective> {
        self.directives.iter().filter(|(_, directive)| directive.word == REGISTER).map(|(_, directive)| directive.clone()).collect()
    }

    /// Returns the file of a type alias such as `Motd::Port`.
    pub fn type_alias(&mut self, name: &str) -> Option<Arc<Source>> {
        self.host.files.all.borrow_mut().type_alias(name)
    }

    /// Returns what the body of an attribute or provider declares.
    pub fn directives_of(&self, class: ClassKey) -> Vec<DeclaredDirective> {
        self.directives.iter().filter(|(of, _)| *of == class).map(|(_, directive)| directive.clone()).collect()
    }

    /// Returns the methods of the class of an attribute or provider.
    pub fn methods_of(&mut self, class: ClassKey) -> Vec<DeclaredMethod> {
        methods(&mut self.run, class, &self.library)
    }

    /// Returns the class of Puppet that an attribute or provider builds upon.
    pub fn base_of(&self, class: ClassKey) -> Option<String> {
        let base = self.run.ancestors_of(class).into_iter().find(|ancestor| self.library.contains(ancestor))?;
        Some(self.run.name_of_class(base).to_string())
    }

    /// Returns the classes between an attribute and Puppet's class, the one that the attribute itself builds upon last.
    pub fn parents_of(&self, class: ClassKey) -> Vec<ClassKey> {
        let ancestors = self.run.ancestors_of(class).into_iter();
        let mut parents: Vec<ClassKey> = ancestors.skip(1).take_while(|ancestor| !self.library.contains(ancestor)).collect();
        parents.reverse();
        parents
    }
}
