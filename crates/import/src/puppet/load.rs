//! Runs a file with Puppet's classes and records what it declares.

use super::setup;
use super::{DeclaredBlock, DeclaredDirective, DeclaredMethod, PuppetType};
use crate::RubyFiles;
use rtype_lang::source::Source;
use rtype_ruby::hir::SourceRange;
use rtype_ruby::run::{
    ClassKey, EmbeddedCall, Embedder, Evaluation, Interpreter, PlainValue, RunError, RunLimits, RuntimeValue, SourceFiles,
};
use std::cell::RefCell;
use std::rc::Rc;

/// A file that has been run.
pub struct LoadedFile<'f> {
    /// The interpreter, which knows the constants and classes of the file.
    pub run: Interpreter<'f>,
    /// The types.
    pub types: Vec<PuppetType>,
    /// What the bodies of attributes and providers declare, with the class.
    pub directives: Vec<(ClassKey, DeclaredDirective)>,
}

/// Puppet's part of a run.
#[derive(Default)]
struct Puppet {
    declared: RefCell<Vec<(ClassKey, DeclaredDirective)>>,
}

/// The files that code may load.
struct Files<'f>(RefCell<&'f mut dyn RubyFiles>);

/// Puppet files that are not read, because `data/puppet.rb` defines their classes.
const DEFINED: &[&str] =
    &["puppet", "puppet/type", "puppet/error", "puppet/parameter", "puppet/property", "puppet/provider", "puppet/util"];

impl SourceFiles for Files<'_> {
    fn find(&self, feature: &str) -> Option<(String, String)> {
        let name = feature.strip_suffix(".rb").unwrap_or(feature);
        if DEFINED.contains(&name) || name.starts_with("puppet/parameter/") || name.starts_with("puppet/property/") {
            return Some((format!("{name}.rb"), String::new()));
        }
        let found = self.0.borrow_mut().read(&format!("{name}.rb"))?;
        Some((found.name().to_owned(), found.text().to_owned()))
    }
}

impl Embedder for Puppet {
    fn call(&self, run: &mut Interpreter<'_>, call: EmbeddedCall) -> Evaluation {
        if matches!(call.name.as_str(), "_" | "n_") && call.positional.len() == 1 {
            return Ok(call.positional.first().cloned().unwrap_or_default());
        }
        let RuntimeValue::Class(class) = call.receiver else {
            return run.not_known(format!("the result of `{}` is not known", call.name));
        };
        let directive = declaration(run, &call);
        let is_supported = call.name != "method_missing";
        self.declared.borrow_mut().push((class, directive));
        if is_supported { Ok(RuntimeValue::Nil) } else { run.not_known("this class method of Puppet is not supported") }
    }

    fn missing_constant(&self, run: &mut Interpreter<'_>, path: &str) -> Option<RuntimeValue> {
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
    if let Some(PlainValue::Hash(pairs)) = arguments.last() {
        options.extend(pairs.iter().cloned());
        arguments.pop();
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
    let host = Rc::new(Puppet::default());
    let embedder: Rc<dyn Embedder> = Rc::clone(&host) as Rc<dyn Embedder>;
    let mut run = Interpreter::new(embedder, Rc::new(Files(RefCell::new(files))), RunLimits::default(), false)?;
    setup::define(&mut run)?;
    run.run(source.name(), source.text())?;
    let declared = host.declared.take();
    let mut types = Vec::new();
    for (_, directive) in &declared {
        let (Some(class), Some(name)) = (directive.class, directive.first_word()) else { continue };
        if directive.word == "newtype" {
            types.push(declared_type(&mut run, name, class, directive, &declared));
        }
    }
    Ok(LoadedFile { run, types, directives: declared })
}

fn declared_type(
    run: &mut Interpreter<'_>,
    name: &str,
    class: ClassKey,
    call: &DeclaredDirective,
    declared: &[(ClassKey, DeclaredDirective)],
) -> PuppetType {
    let mut directives: Vec<DeclaredDirective> =
        declared.iter().filter(|(of, directive)| *of == class && directive.word != "provide").map(|(_, d)| d.clone()).collect();
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
    PuppetType { name: name.to_owned(), self_refresh, class, directives, methods: methods(run, class), origin: call.origin }
}

/// Returns the methods of a class that are not Puppet's or Ruby's.
pub(super) fn methods(run: &mut Interpreter<'_>, class: ClassKey) -> Vec<DeclaredMethod> {
    let mut all: Vec<DeclaredMethod> = Vec::new();
    let is_library = |run: &Interpreter<'_>, key: ClassKey| {
        let name = run.name_of_class(key);
        name.starts_with("Puppet::Parameter")
            || name.starts_with("Puppet::Property")
            || matches!(&*name, "Puppet::Type" | "Puppet::Provider")
    };
    for ancestor in run.ancestors_of(class) {
        if ancestor != class && is_library(run, ancestor) {
            break;
        }
        let own = run.own_methods(ancestor);
        all.extend(own.into_iter().map(|method| DeclaredMethod { name: method.name, of_class: false, code: method.code }));
    }
    for own in run.class_of_class(class).map(|meta| run.own_methods(meta)).unwrap_or_default() {
        all.push(DeclaredMethod { name: own.name, of_class: true, code: own.code });
    }
    all
}

impl LoadedFile<'_> {
    /// Returns what the body of an attribute or provider declares.
    pub fn directives_of(&self, class: ClassKey) -> Vec<DeclaredDirective> {
        self.directives.iter().filter(|(of, _)| *of == class).map(|(_, directive)| directive.clone()).collect()
    }

    /// Returns the methods of the class of an attribute or provider.
    pub fn methods_of(&mut self, class: ClassKey) -> Vec<DeclaredMethod> {
        methods(&mut self.run, class)
    }

    /// Returns the class of Puppet that an attribute or provider builds upon; `None` if another class is between them.
    pub fn base_of(&self, class: ClassKey) -> Option<String> {
        let parent = *self.run.ancestors_of(class).get(1)?;
        let name = self.run.name_of_class(parent);
        name.starts_with("Puppet::").then(|| name.to_string())
    }
}
