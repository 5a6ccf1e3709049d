//! The session: loaded types, declared and pretended resources, and the evaluation of input.

use super::answer::Answer;
use super::commands::{self, Arguments};
use super::expression::{self, Workspace};
use super::input;
use super::load::Loaded;
use super::titles::Titles;
use crate::app::input::FileAccess;
use crate::app::session::block_messages;
use crate::app::target::Target;
use indexmap::IndexMap;
use rtype_author::docs::{self, Look, TypeDoc};
use rtype_engine::report;
use rtype_engine::{Current, Inspected, inspect_some, instance, judge};
use rtype_lang::diagnostics::{Code, Diagnostic, Help};
use rtype_lang::eval::CatalogQuery;
use rtype_lang::library::TypeSet;
use rtype_lang::source::{Source, Span};
use rtype_lang::types::TypeDef;
use rtype_lang::value::{ResourceRef, Symbol, Value};
use rtype_model::declare::{DeclareOptions, KnownResources, declare, generate, learn_defaults};
use rtype_model::manifest::{AllDefaults, Declarations, Declared, Edge, EdgeKind, from_source_after, suspects, to_puppet};
use rtype_model::resource::{BlockMessage, Catalog, Context, Instance, MessageLog, NoCatalog};
use rtype_provider::{Machine, NativeProviders};
use std::sync::Arc;

/// A declared resource, and the declaring file, if any.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub declared: Declared,
    pub file: Option<String>,
}

/// The state of a session.
pub struct ReplSession {
    /// The types and all sources of the session.
    pub types: TypeSet,
    /// The number of type diagnostics already reported.
    pub(super) reported: usize,
    /// Restricts the files that `:load` may read.
    pub(super) access: FileAccess,
    /// The layout of output.
    pub look: Look,
    pub(super) natives: NativeProviders,
    pub(super) machine: Machine,
    pub(super) declared: IndexMap<ResourceRef, Entry>,
    pub(super) loaded: Vec<Loaded>,
    /// The type files of the session by name, for running their tests.
    pub(super) texts: IndexMap<String, rtype_lang::library::Loaded>,
    pub(super) titles: Titles,
    pub(super) pretended: IndexMap<ResourceRef, IndexMap<Symbol, Value>>,
    /// Defaults of types from earlier inputs.
    pub(super) defaults: AllDefaults,
    catalog: Catalog,
    pub(super) edges: Vec<Edge>,
    last: Option<ResourceRef>,
    /// Errors of `generate` blocks that have already been reported.
    generate_errors: Vec<Diagnostic>,
    inputs: usize,
    /// Messages that blocks have logged since resources were last declared.
    log: MessageLog,
    /// Messages that were already reported while resources were built.
    reported_messages: Vec<BlockMessage>,
    /// Variables and definitions entered at the prompt.
    pub(super) workspace: Workspace,
    /// The last input that is not a command.
    pub(super) last_input: String,
}

impl ReplSession {
    /// Creates a session without declarations.
    pub fn new(mut types: TypeSet, access: FileAccess, natives: NativeProviders, machine: Machine, look: Look) -> ReplSession {
        types.share_redactor(machine.system().redactor());
        ReplSession {
            types,
            reported: 0,
            access,
            look,
            natives,
            machine,
            declared: IndexMap::new(),
            loaded: Vec::new(),
            texts: IndexMap::new(),
            titles: Titles::default(),
            pretended: IndexMap::new(),
            defaults: AllDefaults::new(),
            catalog: Catalog::default(),
            edges: Vec::new(),
            last: None,
            generate_errors: Vec::new(),
            inputs: 0,
            log: MessageLog::default(),
            reported_messages: Vec::new(),
            workspace: Workspace::default(),
            last_input: String::new(),
        }
    }

    /// Evaluates an input, which may contain several commands, declarations and types.
    pub fn run(&mut self, text: &str) -> Answer {
        let mut answer = Answer::default();
        for part in input::parts(text) {
            if answer.quit {
                break;
            }
            // The rest of a paste may depend on the part that failed.
            if answer.failed(0) {
                answer.say("the rest of the input is not evaluated: correct the error, and enter it again");
                break;
            }
            self.inputs += 1;
            let source = match self.types.sources.add(format!("<repl:{}>", self.inputs), part) {
                Ok(source) => source,
                Err(e) => {
                    answer.report([Diagnostic::new(Code::TooLarge, Span::NONE, e.to_string())]);
                    break;
                }
            };
            // `l[0]` of a list `l` of this session does not refer to a resource.
            let is_variable = |of: &ResourceRef| self.workspace.has(of.type_name.as_str()) && part.contains(&format!("{}[", of.type_name));
            let reference = commands::parse_reference(part).filter(|r| !r.title.contains(['\'', '"', '\n']) && !is_variable(r));
            let of_resource = expression::resource_expression(part).filter(|found| !is_variable(&found.resource));
            if input::is_command(part) {
                let before = answer.parts.len();
                commands::run(self, part, source.base(), &mut answer);
                if answer.failed(before) {
                    self.types.secrets.extend(&suspects(&source));
                }
            } else if input::is_type_text(part) {
                self.take_types(&source, &mut answer);
            } else if let Some(meant) = commands::without_colon(part) {
                let word = part.split_whitespace().next().unwrap_or_default();
                let at = (part.len() - part.trim_start().len()) as u32;
                let span = Span::new(source.base() + at, source.base() + at + word.len() as u32);
                answer.wrong(span, format!("commands start with a colon: `{word}`"), Help::suggestion(format!(":{meant}")));
            } else if let Some(reference) = reference {
                self.look_up(&reference, source.span(), &mut answer);
            } else if let Some(expression) = of_resource {
                self.evaluate_of_resource(&expression, &source, &mut answer);
            } else if let Some(word) = input::word(part) {
                self.evaluate_word(word, &source, &mut answer);
            } else if let Some((block, found)) = expression::statements(&source) {
                self.evaluate(&block, found, None, &mut answer);
            } else if let Some(word) = commands::unknown_word(part, |word| self.is_known_word(word)) {
                let at = source.base() + (word.as_ptr() as usize - part.as_ptr() as usize) as u32;
                self.report_unknown_word(word, Span::new(at, at + word.len() as u32), &mut answer);
            } else {
                self.take_resources(&source, &mut answer);
            }
        }
        if !text.trim().is_empty() && !input::is_command(text) {
            text.clone_into(&mut self.last_input);
        }
        answer.redact(self.types.secrets.redactor());
        answer
    }

    /// Evaluates `User['bob']`: shows the declared resource, or the resource on the machine if it is not declared.
    fn look_up(&mut self, wanted: &ResourceRef, span: Span, answer: &mut Answer) {
        if let Some(declared) = self.find(wanted) {
            return self.show(&[declared], answer);
        }
        let Some(type_def) = self.known_type(wanted.type_name.as_str(), span, answer) else { return };
        let listed = instance(&type_def, &wanted.title, &self.natives, &self.machine);
        answer.report(listed.diagnostics);
        if !listed.resources.is_empty() {
            answer.say(to_puppet(&listed.resources));
        }
    }

    /// Returns a type, or reports the reason why the type cannot be used.
    pub(super) fn known_type(&mut self, name: &str, span: Span, answer: &mut Answer) -> Option<Arc<TypeDef>> {
        let type_def = self.types.load(name);
        if type_def.is_none() {
            let mut found = self.types.new_diagnostics(&mut self.reported);
            if found.is_empty() {
                found.push(self.types.unknown_type(name, span));
            }
            answer.report(found);
        }
        type_def
    }

    fn take_resources(&mut self, source: &Source, answer: &mut Answer) {
        let (mut declarations, found) = from_source_after(source, &self.machine, &self.defaults);
        // Register secrets before rendering anything.
        self.types.secrets.extend(&declarations.secrets);
        learn_defaults(&declarations.defaults, &self.types);
        let failed = found.iter().any(Diagnostic::is_error);
        answer.report(found);
        let is_empty = declarations.resources.is_empty() && declarations.edges.is_empty() && declarations.defaults.is_empty();
        if failed && !is_empty {
            return answer.say("nothing is declared: the input has errors");
        }
        self.keep_defaults(std::mem::take(&mut declarations.defaults), answer);
        self.declare(declarations, None, answer);
    }

    /// Builds declared resources in addition to the existing ones, and shows them.
    pub(super) fn declare(&mut self, declarations: Declarations, file: Option<&str>, answer: &mut Answer) {
        let built = self.build(&declarations, answer);
        for reference in &built {
            let Some(declared) = declarations.resources.iter().rev().find(|d| d.reference() == *reference) else { continue };
            let entry = Entry { declared: declared.clone(), file: file.map(str::to_owned) };
            if let Some(older) = self.declared.insert(reference.clone(), entry) {
                let place = self.types.sources.locate(older.declared.title_span).unwrap_or_default();
                answer.say(format!("{reference} takes the place of the one declared at {place}"));
            }
        }
        for edge in declarations.edges {
            answer.say(edge_text(&edge));
            self.edges.push(edge);
        }
        self.show(&built, answer);
    }

    /// Builds and stores instances. Returns the successfully built resources.
    pub(super) fn build(&mut self, declarations: &Declarations, answer: &mut Answer) -> Vec<ResourceRef> {
        let mut references: Vec<ResourceRef> = Vec::new();
        for declared in &declarations.resources {
            if !references.contains(&declared.reference()) {
                references.push(declared.reference());
            }
        }
        let older: Vec<Option<Arc<Instance>>> = references.iter().map(|r| self.instance(r).cloned()).collect();
        // Generated resources depend on all other resources, so generate them again.
        self.catalog.remove_generated(None);
        let catalog = std::mem::take(&mut self.catalog);
        // Resources that are declared again may report the same messages again.
        self.reported_messages.retain(|message| !references.contains(&message.reference));
        self.log = MessageLog::after(&self.reported_messages);
        let target = self.target();
        let backend = target.backend();
        // Record a trace for `:trace`.
        let context = Context { trace: true, log: Some(&self.log), ..target.context(&backend, &NoCatalog) };
        let result = declare(declarations, &self.types, context, DeclareOptions::into_catalog(catalog));
        let mut catalog = result.catalog;
        let made = generate(&mut catalog, &|_| false, &self.types, context);
        let messages = self.log.take();
        self.catalog = catalog;
        answer.report(self.types.new_diagnostics(&mut self.reported));
        answer.report(result.diagnostics);
        // The blocks of earlier resources have run again. Only their new messages are in the log.
        answer.report(messages.iter().filter_map(|one| one.diagnostic(one.span)));
        self.reported_messages.extend(messages);
        answer.report(made.iter().filter(|d| !self.generate_errors.contains(d)).cloned());
        self.generate_errors = made;
        let is_new = |(reference, older): (ResourceRef, Option<Arc<Instance>>)| {
            let now = self.instance(&reference)?;
            older.is_none_or(|older| !Arc::ptr_eq(&older, now)).then_some(reference)
        };
        let mut built: Vec<ResourceRef> = references.into_iter().zip(older).filter_map(is_new).collect();
        self.last = built.last().cloned().or(self.last.take());
        for instance in self.catalog.generated() {
            if instance.generated_by().is_some_and(|by| built.contains(by)) {
                built.push(instance.reference());
            }
        }
        built
    }

    /// Returns the machine that the session reads and changes.
    pub(super) fn target(&self) -> Target<'_> {
        Target { machine: &self.machine, natives: &self.natives, strict: false }
    }

    /// Returns the instance with exactly this type and title.
    fn instance(&self, reference: &ResourceRef) -> Option<&Arc<Instance>> {
        self.catalog.get(reference.type_name.as_str(), &reference.title).filter(|i| i.title == reference.title)
    }

    /// Removes the instance of a resource, but keeps its declaration.
    pub(super) fn drop_instance(&mut self, reference: &ResourceRef) {
        self.catalog.remove(reference);
    }

    /// Runs code in the evaluation context of the session.
    pub(super) fn in_context<T>(&self, run: impl FnOnce(Context<'_>) -> T) -> T {
        let target = self.target();
        let backend = target.backend();
        let catalog = KnownResources::new(&self.catalog, &self.types, Some(&backend));
        run(Context { trace: true, ..target.context(&backend, &catalog) })
    }

    /// Reads and compares resources, in order.
    pub(super) fn inspect(&mut self, references: &[ResourceRef]) -> Vec<Inspected> {
        let instances: Vec<Arc<Instance>> = references.iter().filter_map(|r| self.instance(r).cloned()).collect();
        let target = self.target();
        let backend = target.backend();
        let catalog = KnownResources::new(&self.catalog, &self.types, Some(&backend));
        let context = Context { trace: true, log: Some(&self.log), ..target.context(&backend, &catalog) };
        let (pretended, real): (Vec<_>, Vec<_>) = instances.iter().cloned().partition(|i| self.pretended.contains_key(&i.reference()));
        let mut inspected = inspect_some(real, &self.natives, self.machine.system(), context);
        inspected.extend(pretended.into_iter().map(|instance| {
            let state = self.pretended.get(&instance.reference()).cloned().unwrap_or_default();
            judge(instance, Current::Stated(state), context)
        }));
        let place = |one: &Inspected| instances.iter().position(|i| Arc::ptr_eq(i, &one.instance));
        inspected.sort_by_key(place);
        inspected
    }

    /// Reports new block messages.
    pub(super) fn report_messages(&self, answer: &mut Answer) {
        answer.report(block_messages(&self.log.take(), &self.catalog));
    }

    /// Shows the state of resources, each as a table.
    pub(super) fn show(&mut self, references: &[ResourceRef], answer: &mut Answer) {
        let inspected = self.inspect(references);
        self.report_messages(answer);
        for one in inspected {
            let mut out =
                report::short_resource(&one, &self.types.sources, self.machine.system().redactor(), self.look.colors, self.look.width);
            let reference = one.instance.reference();
            if self.pretended.contains_key(&reference) && one.instance.provider().is_some() {
                out.push_str(&format!("    its state is pretended; `:is {reference} off` reads the machine again\n"));
            }
            let has_no_code = one.instance.provider().is_none() && one.instance.type_def.needs_provider();
            if has_no_code && !self.pretended.contains_key(&reference) {
                out.push_str(&format!("    `:is {reference} {{…}}` pretends a state, `:is {reference} {{}}` an absent resource\n"));
            }
            answer.say(out);
        }
    }

    /// Returns the documentation of a type, and reports errors in it.
    pub(super) fn describe(&mut self, name: &str, arguments: &Arguments<'_>, answer: &mut Answer) -> Option<TypeDoc> {
        let lower = name.to_lowercase();
        let loaded = self.types.load(&lower);
        answer.report(self.types.new_diagnostics(&mut self.reported));
        match loaded {
            Some(t) => Some(docs::describe(&t, Some(&self.machine), &self.natives, &self.types.sources)),
            None if self.types.names().contains(&lower) => {
                answer.wrong(arguments.span, format!("the type `{lower}` has errors and cannot be used"), "edit its file, then `:reload`");
                None
            }
            None => {
                let offset = arguments.text.find(name).unwrap_or(0) as u32;
                let span = Span::new(arguments.at + offset, arguments.at + offset + name.len() as u32);
                answer.report([self.types.unknown_type(&lower, span)]);
                None
            }
        }
    }

    /// Removes all declared and pretended resources.
    pub(super) fn clear(&mut self, answer: &mut Answer) {
        let count = self.declared.len();
        self.declared.clear();
        self.pretended.clear();
        self.edges.clear();
        self.catalog = Catalog::default();
        self.last = None;
        answer.say(match count {
            1 => "1 resource is forgotten".to_owned(),
            n => format!("{n} resources are forgotten"),
        });
        self.forget_defaults(None, answer);
    }

    /// Removes some declared resources.
    pub(super) fn forget(&mut self, gone: &[ResourceRef], answer: &mut Answer) {
        for reference in gone {
            self.declared.shift_remove(reference);
            self.pretended.shift_remove(reference);
            self.catalog.remove(reference);
            self.edges.retain(|edge| edge.from != *reference && edge.to != *reference);
            answer.say(format!("{reference} is forgotten"));
        }
        // Generated resources may depend on the removed resources.
        self.build(&Declarations::default(), answer);
    }

    /// Returns the declarations that can be built with the current types, with their dependencies. Reports all left-out declarations.
    pub(super) fn usable(&self, answer: &mut Answer) -> Declarations {
        let (built, unbuilt): (Vec<_>, Vec<_>) = self.declared.iter().partition(|(reference, _)| self.instance(reference).is_some());
        for (reference, _) in unbuilt {
            answer.say(format!("{reference} is left out: it no longer matches its type; `:forget {reference}` forgets it"));
        }
        let is_there = |reference: &ResourceRef| self.catalog.find(reference.type_name.as_str(), &reference.title).is_some();
        Declarations {
            resources: built.into_iter().map(|(_, entry)| entry.declared.clone()).collect(),
            edges: self.edges.iter().filter(|edge| is_there(&edge.from) && is_there(&edge.to)).cloned().collect(),
            ..Declarations::default()
        }
    }

    /// Returns all successfully built resources in the order of declaration, followed by generated resources.
    pub(super) fn references(&self) -> impl Iterator<Item = ResourceRef> {
        let declared = self.declared.keys().filter(|r| self.instance(r).is_some()).cloned();
        let generated = self.catalog.generated().map(|i| i.reference());
        declared.chain(generated)
    }

    /// Finds a resource by title or by the value of its namevar.
    pub(super) fn find(&self, wanted: &ResourceRef) -> Option<ResourceRef> {
        self.catalog.find(wanted.type_name.as_str(), &wanted.title)
    }

    /// Returns the instance with exactly this reference.
    pub(super) fn built(&self, reference: &ResourceRef) -> Option<Arc<Instance>> {
        self.instance(reference).cloned()
    }

    /// Returns the resource that was declared last.
    pub(super) fn last(&self) -> Option<ResourceRef> {
        self.last.clone().filter(|r| self.instance(r).is_some())
    }

    /// Returns the dependencies declared with arrows, formatted for output.
    pub(super) fn edges(&self) -> impl Iterator<Item = String> + '_ {
        self.edges.iter().map(edge_text)
    }
}

fn edge_text(edge: &Edge) -> String {
    match edge.kind {
        EdgeKind::Before => format!("{} goes before {}", edge.from, edge.to),
        EdgeKind::Notify => format!("{} goes before {} and refreshes it", edge.from, edge.to),
    }
}

#[cfg(test)]
impl ReplSession {
    /// Creates a session with fixture types and a fixture machine.
    pub(super) fn for_tests() -> ReplSession {
        let library = crate::app::input::types_in(vec!["tests/repl/types".into()]);
        let machine = Machine::new(rtype_provider::System::at("tests/fixtures/roots/debian"));
        ReplSession::new(library, FileAccess::default(), NativeProviders::standard(), machine, Look::default())
    }
}
