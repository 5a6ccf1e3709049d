//! The Ruby texts of a type: its own file, and files of the module path that it requires.

use super::budget::Budget;
use super::files::RubyFiles;
use super::known::Folder;
use super::ruby::{self, name};
use rtype_lang::source::Source;
use ruby_prism::{CallNode, Node, ParseResult};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

/// Maximum number of files per type.
const MAX_FILES: usize = 64;
/// Maximum nesting of modules.
const MAX_NESTING: usize = 8;

/// Returns the text and everything that it requires, directly or indirectly.
pub fn gather(source: &Arc<Source>, files: &mut dyn RubyFiles, budget: &Rc<Budget>) -> Vec<Arc<Source>> {
    let none = RubyModules { budget: Rc::clone(budget), ..RubyModules::default() };
    let mut all = vec![Arc::clone(source)];
    let mut at = 0;
    while let Some(text) = all.get(at).cloned() {
        at += 1;
        let parsed = ruby_prism::parse(text.text().as_bytes());
        let mut wanted = Vec::new();
        requires(statements_of(&parsed), &lib_path(text.name()), &none, &mut wanted, 0);
        wanted.extend(constants(text.text()));
        if at == 1 {
            wanted.extend(providers(&parsed, files));
        }
        for path in wanted {
            let known = all.iter().any(|s| lib_path(s.name()) == format!("/{path}"));
            if !known && all.len() < MAX_FILES {
                // A file with syntax errors provides nothing; what needs it is left untranslated.
                all.extend(files.read(&path));
            }
        }
    }
    all
}

/// Returns the files of constants in Puppet's namespace: `Puppet::Provider::Motd` may have been loaded elsewhere, from
/// `puppet/provider/motd.rb`.
fn constants(text: &str) -> BTreeSet<String> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ':');
    let paths = text.match_indices("Puppet").filter_map(|(at, _)| {
        let whole = text.get(at..)?;
        let whole = whole.get(..whole.find(|c| !is_name(c)).unwrap_or(whole.len()))?;
        let parts: Vec<&str> = whole.split("::").take_while(|p| p.chars().next().is_some_and(|c| c.is_ascii_uppercase())).collect();
        // Puppet's own constants are not part of a module.
        let own =
            matches!(parts.as_slice(), ["Puppet", "Type" | "Error" | "Parameter" | "Property" | "Settings" | "Node" | "Resource", ..]);
        (parts.len() > 2 && !own).then(|| parts.iter().map(|p| ruby::snake_case(p)).collect::<Vec<_>>().join("/") + ".rb")
    });
    paths.collect()
}

/// Returns the files of the types' providers: constants in Ruby blocks are visible everywhere.
fn providers(parsed: &ParseResult<'_>, files: &mut dyn RubyFiles) -> Vec<String> {
    let nodes = statements_of(parsed);
    let named = nodes.iter().filter_map(Node::as_call_node).filter(|c| name(&c.name()) == "newtype");
    let names = named.filter_map(|c| ruby::symbol(ruby::arguments(c.arguments()).0.first()?)).map(|of| format!("puppet/provider/{of}"));
    names.flat_map(|path| files.list(&path).into_iter().map(move |file| format!("{path}/{file}"))).collect()
}

fn statements_of<'p>(parsed: &'p ParseResult<'_>) -> Vec<Node<'p>> {
    parsed.node().as_program_node().map(|p| p.statements().body().iter().collect()).unwrap_or_default()
}

/// Returns the path of a file below the `lib` directory of its module, such as `/puppet/type/motd.rb`.
pub fn lib_path(file: &str) -> String {
    match file.rsplit_once("/lib/") {
        Some((_, path)) => format!("/{path}"),
        None => format!("/puppet/type/{}", file.rsplit('/').next().unwrap_or(file)),
    }
}

fn requires(nodes: Vec<Node<'_>>, file: &str, none: &RubyModules<'_>, out: &mut Vec<String>, depth: usize) {
    for node in nodes {
        if let Some(body) = nested(&node).filter(|_| depth < MAX_NESTING) {
            requires(body, file, none, out, depth + 1);
            continue;
        }
        let Some(call) = node.as_call_node() else { continue };
        let (plain, _) = ruby::arguments(call.arguments());
        let relative = match (name(&call.name()).as_str(), plain.as_slice()) {
            ("newtype" | "provide", _) if depth < MAX_NESTING => {
                let body = ruby::block(&call).map(|b| ruby::statements(b.body())).unwrap_or_default();
                requires(body, file, none, out, depth + 1);
                continue;
            }
            ("require", [_]) => false,
            ("require_relative", [_]) => true,
            _ => continue,
        };
        let Some(path) = plain.first().and_then(|p| Folder::new(none, file).value(p)).and_then(|v| v.word()) else { continue };
        let path = if relative { ruby::join(&ruby::dirname(file), &path) } else { ruby::join("/", &path) };
        let path = path.trim_start_matches('/');
        out.push(if path.ends_with(".rb") { path.to_owned() } else { format!("{path}.rb") });
    }
}

fn nested<'p>(node: &Node<'p>) -> Option<Vec<Node<'p>>> {
    let body = match (node.as_module_node(), node.as_class_node()) {
        (Some(module), _) => module.body(),
        (_, Some(class)) => class.body(),
        _ => return None,
    };
    Some(ruby::statements(body))
}

/// The declarations of texts apart from types. The first text is that of the type.
#[derive(Default)]
pub struct RubyModules<'p> {
    /// Modules and classes by full name, with the index of the file; each may be reopened.
    bodies: BTreeMap<String, Vec<(usize, Node<'p>)>>,
    /// Statements in blocks of providers, whose constants are visible everywhere.
    of_blocks: Vec<(usize, Node<'p>)>,
    /// Calls of `newtype` in the first text.
    pub types: Vec<CallNode<'p>>,
    /// Other top-level statements of the first text.
    pub outside: Vec<Node<'p>>,
    /// The path of each text below its `lib` directory.
    pub paths: Vec<String>,
    /// The remaining budget for these texts.
    pub budget: Rc<Budget>,
}

impl<'p> RubyModules<'p> {
    /// Reads the declarations of texts.
    pub fn new(texts: &[Arc<Source>], parsed: &'p [ParseResult<'_>], budget: &Rc<Budget>) -> RubyModules<'p> {
        let paths = texts.iter().map(|t| lib_path(t.name())).collect();
        let mut modules = RubyModules { paths, budget: Rc::clone(budget), ..RubyModules::default() };
        for (file, parsed) in parsed.iter().enumerate() {
            modules.walk(statements_of(parsed), file, "", 0);
        }
        modules
    }

    fn walk(&mut self, nodes: Vec<Node<'p>>, file: usize, outer: &str, depth: usize) {
        for node in nodes {
            let path = node.as_module_node().map(|m| m.constant_path()).or_else(|| node.as_class_node().map(|c| c.constant_path()));
            if let Some(path) = path.as_ref().and_then(ruby::constant).filter(|_| depth < MAX_NESTING) {
                let full = if outer.is_empty() { path } else { format!("{outer}::{path}") };
                self.walk(nested(&node).unwrap_or_default(), file, &full, depth + 1);
                self.bodies.entry(full).or_default().push((file, node));
            } else if file > 0 {
                // Types are only declared by the type's own file.
                if let Some(block) = node.as_call_node().filter(|c| name(&c.name()) == "provide").and_then(|c| ruby::block(&c)) {
                    self.of_blocks.extend(ruby::statements(block.body()).into_iter().map(|n| (file, n)));
                }
            } else if let Some(call) = node.as_call_node().filter(|c| name(&c.name()) == "newtype") {
                self.types.push(call);
            } else if depth == 0 || outer.starts_with("Puppet") {
                self.outside.push(node);
            }
        }
    }

    /// Returns the bodies of a module, resolved from inside another one.
    pub fn bodies(&self, module: &str, seen_from: &str) -> Option<(String, &[(usize, Node<'p>)])> {
        let mut scope = seen_from;
        loop {
            let full = if scope.is_empty() { module.to_owned() } else { format!("{scope}::{module}") };
            if let Some(bodies) = self.bodies.get(&full) {
                return Some((full, bodies));
            }
            if scope.is_empty() {
                return None;
            }
            scope = scope.rsplit_once("::").map_or("", |(outer, _)| outer);
        }
    }

    /// Returns the statements of a module, each with the index of its file.
    pub fn statements(&self, module: &str, seen_from: &str) -> Option<(String, Vec<(usize, Node<'p>)>)> {
        let (full, bodies) = self.bodies(module, seen_from)?;
        let all = bodies.iter().flat_map(|(file, node)| nested(node).unwrap_or_default().into_iter().map(|n| (*file, n)));
        let all: Vec<_> = all.collect();
        self.budget.spend(all.len() as u64 / 4)?;
        Some((full, all))
    }

    /// Returns a module function: `def self.name`, or any method with `module_function` or in `class << self`.
    pub fn function(&self, module: &str, method: &str) -> Option<(usize, Node<'p>)> {
        let (_, all) = self.statements(module, "")?;
        all.into_iter().find(|(_, n)| n.as_def_node().is_some_and(|d| d.receiver().is_some() && name(&d.name()) == method))
    }

    /// Returns the value of a module's constant.
    pub fn constant(&self, path: &str, seen_from: &str) -> Option<(usize, Node<'p>)> {
        let (module, constant) = path.rsplit_once("::").unwrap_or(("", path));
        let mut scope = seen_from;
        loop {
            let full = [scope, module].iter().filter(|p| !p.is_empty()).copied().collect::<Vec<_>>().join("::");
            let value = |n: &Node<'p>| n.as_constant_write_node().filter(|w| name(&w.name()) == constant).map(|w| w.value());
            let of = |all: &[(usize, Node<'p>)]| all.iter().find_map(|(file, n)| value(n).map(|v| (*file, v)));
            if let Some(found) = self.statements(&full, "").and_then(|(_, all)| of(&all)) {
                return Some(found);
            }
            if scope.is_empty() {
                return if module.is_empty() { of(&self.of_blocks) } else { None };
            }
            scope = scope.rsplit_once("::").map_or("", |(outer, _)| outer);
        }
    }
}
