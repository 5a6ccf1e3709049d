//! Ruby classes of providers: their own methods and those of their ancestors.
//!
//! Puppet asks the class of a provider for its abilities: a class has a feature with `methods` if it defines them all.

use super::files::RubyFiles;
use super::provider::calls_of;
use super::provider_body::decides;
use super::ruby::{self, name};
use rtype_lang::library::standard;
use ruby_prism::{CallNode, DefNode, Node};
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of ancestor classes and modules of a provider.
const MAX_PARENTS: usize = 16;

/// Maximum nesting of modules and classes.
const MAX_DEPTH: usize = 8;

/// The superclass of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Parent {
    /// A provider of a type: type and name.
    Provider(String, String),
    /// A class by name.
    Class(String),
    /// A computed superclass.
    Unknown,
}

/// A class with its ancestors.
#[derive(Debug, Default)]
pub struct RubyClass {
    /// Instance methods, and whether each is public.
    methods: BTreeMap<String, bool>,
    /// The nearest ancestor that is a provider: type and name.
    pub provider: Option<(String, String)>,
    /// Instance and class methods that it or its ancestors define below that provider.
    pub own: BTreeSet<String>,
    /// Methods that this provider and its ancestors define.
    pub beyond: BTreeSet<String>,
    /// Class methods.
    pub of_class: BTreeSet<String>,
    /// Class methods that determine its suitability when called.
    pub deciding: BTreeSet<String>,
    /// Number of ancestor classes, without the common base class of providers.
    pub depth: usize,
    /// An ancestor class or module that could not be read.
    pub unknown: Option<String>,
}

impl RubyClass {
    fn defines(&mut self, method: &str) {
        let to = if self.provider.is_none() { &mut self.own } else { &mut self.beyond };
        to.insert(method.to_owned());
    }

    /// Records a class method.
    fn class_method(&mut self, def: &DefNode<'_>) {
        let method = name(&def.name());
        self.defines(&method);
        if decides(&String::from_utf8_lossy(def.location().as_slice())) {
            self.deciding.insert(method.clone());
        }
        self.of_class.insert(method);
    }

    /// Adds methods that the evaluation has found: also of modules and classes that are not where their names say.
    pub fn extend(&mut self, methods: &BTreeMap<String, bool>, is_complete: bool) {
        for (method, public) in methods {
            self.methods.entry(method.clone()).or_insert(*public);
        }
        if is_complete {
            self.unknown = None;
        }
    }

    /// Returns whether its instances have a public method.
    pub fn answers(&self, method: &str) -> bool {
        self.methods.get(method) == Some(&true)
    }
}

/// Reads classes and the files of their ancestors.
pub struct Classes<'f> {
    /// Files of the module path.
    pub files: &'f mut dyn RubyFiles,
    /// Attributes of the type, for which `mk_resource_methods` defines methods.
    pub attributes: &'f [String],
}

impl Classes<'_> {
    /// Returns the class defined by a body with a known superclass.
    pub fn class(&mut self, body: &[Node<'_>], all: &[Node<'_>], parent: Option<Parent>) -> RubyClass {
        let mut class = RubyClass::default();
        let next = self.members(body, all, parent, &mut class);
        self.parents(next, &mut class);
        class
    }

    /// Follows ancestors through files.
    fn parents(&mut self, mut next: Option<Parent>, class: &mut RubyClass) {
        for _ in 0..MAX_PARENTS {
            let Some(parent) = next.take() else { return };
            match &parent {
                Parent::Class(known) if known == "Puppet::Provider" => return,
                Parent::Class(known) if core(known).is_some() => {
                    let (methods, depth) = core(known).unwrap_or_default();
                    class.depth += depth;
                    methods.iter().for_each(|m| self.method(class, m, true));
                    return;
                }
                Parent::Provider(of, provider) if class.provider.is_none() => {
                    class.provider = Some((of.clone(), provider.clone()));
                }
                _ => {}
            }
            class.depth += 1;
            let (path, wanted) = match &parent {
                Parent::Provider(of, provider) => (format!("puppet/provider/{of}/{provider}.rb"), format!("{of}/{provider}")),
                Parent::Class(constant) => (path_of(constant), constant.clone()),
                Parent::Unknown => {
                    class.unknown.get_or_insert_with(|| "a class that is computed".to_owned());
                    return;
                }
            };
            let Some(source) = self.files.read(&path) else {
                if matches!(&parent, Parent::Provider(of, _) if standard(of).is_some()) {
                    // Its methods are also available in the language.
                    return;
                }
                class.unknown.get_or_insert_with(|| format!("`{wanted}`, which has no file"));
                return;
            };
            let parsed = ruby_prism::parse(source.text().as_bytes());
            let nodes = top(&parsed);
            let found = match &parent {
                Parent::Provider(of, provider) => {
                    calls_of(&nodes, of).into_iter().find(|c| c.name == *provider).map(|c| (c.body, c.parent))
                }
                _ => find_class(&nodes, &wanted),
            };
            let Some((body, up)) = found else {
                class.unknown.get_or_insert_with(|| format!("`{wanted}`, which is not in its file"));
                return;
            };
            next = self.members(&body, &nodes, up, class);
        }
    }

    fn method(&self, class: &mut RubyClass, method: &str, public: bool) {
        class.methods.entry(method.to_owned()).or_insert(public);
        class.defines(method);
    }

    /// Records the methods that a body defines. Also reads ancestors in the same file and returns the first superclass that is
    /// not among them.
    fn members(&mut self, body: &[Node<'_>], all: &[Node<'_>], parent: Option<Parent>, class: &mut RubyClass) -> Option<Parent> {
        let mut public = true;
        let mut later: Vec<(String, bool)> = Vec::new();
        for node in body {
            if let Some(def) = node.as_def_node() {
                match def.receiver() {
                    None => later.push((name(&def.name()), public)),
                    Some(_) => class.class_method(&def),
                }
            } else if let Some(alias) = node.as_alias_method_node() {
                later.extend(ruby::symbol(&alias.new_name()).map(|n| (n, public)));
            } else if let Some(call) = node.as_call_node().filter(|c| c.receiver().is_none()) {
                self.member(&call, &mut public, &mut later, class);
            } else if let Some(inner) = node.as_singleton_class_node() {
                ruby::statements(inner.body()).iter().filter_map(Node::as_def_node).for_each(|d| class.class_method(&d));
            }
        }
        // The last definition wins, and a class takes precedence over its ancestors.
        let mut last: BTreeMap<String, bool> = BTreeMap::new();
        last.extend(later);
        last.into_iter().for_each(|(method, public)| self.method(class, &method, public));
        let Some(Parent::Class(constant)) = &parent else { return parent };
        // A class of the same file.
        match find_class(all, constant) {
            Some((body, up)) if class.depth < MAX_PARENTS => {
                class.depth += 1;
                self.members(&body, all, up, class)
            }
            _ => parent,
        }
    }

    fn member(&mut self, call: &CallNode<'_>, public: &mut bool, later: &mut Vec<(String, bool)>, class: &mut RubyClass) {
        let (plain, named) = ruby::arguments(call.arguments());
        let words = || plain.iter().filter_map(|n| ruby::symbol(n).or_else(|| ruby::text(n)));
        match name(&call.name()).as_str() {
            word @ ("private" | "protected" | "public") => {
                let to = word == "public";
                if plain.is_empty() {
                    *public = to;
                }
                later.extend(words().map(|w| (w, to)));
                later.extend(plain.iter().filter_map(|n| Some((name(&n.as_def_node()?.name()), to))));
            }
            word @ ("attr_accessor" | "attr_reader" | "attr_writer") => {
                let now = *public;
                if word != "attr_writer" {
                    later.extend(words().map(|w| (w, now)));
                }
                if word != "attr_reader" {
                    later.extend(words().map(|w| (format!("{w}="), now)));
                }
            }
            "undef_method" => later.extend(words().map(|w| (w, false))),
            "define_method" | "alias_method" | "has_command" => later.extend(words().take(1).map(|w| (w, true))),
            "commands" | "optional_commands" => {
                later.extend(named.iter().filter_map(|(k, _)| Some((ruby::symbol(k).or_else(|| ruby::text(k))?, true))));
            }
            "mk_resource_methods" => {
                let attributes = self.attributes.iter().filter(|a| *a != "name");
                later.extend(attributes.flat_map(|a| [(a.clone(), true), (format!("{a}="), true)]));
            }
            "include" => {
                for module in plain.iter().filter_map(ruby::constant) {
                    self.include(&module, later, class);
                }
            }
            _ => {}
        }
    }

    /// Records the methods of an included module.
    fn include(&mut self, module: &str, later: &mut Vec<(String, bool)>, class: &mut RubyClass) {
        if module.starts_with("Puppet::Util") {
            return;
        }
        let Some(source) = self.files.read(&path_of(module)) else {
            class.unknown.get_or_insert_with(|| format!("`{module}`, which has no file"));
            return;
        };
        let parsed = ruby_prism::parse(source.text().as_bytes());
        let Some((body, _)) = find_class(&top(&parsed), module) else {
            class.unknown.get_or_insert_with(|| format!("`{module}`, which is not in its file"));
            return;
        };
        for node in body {
            later.extend(node.as_def_node().filter(|d| d.receiver().is_none()).map(|d| (name(&d.name()), true)));
        }
    }
}

/// Returns the statements of a file.
pub fn top<'p>(parsed: &'p ruby_prism::ParseResult<'p>) -> Vec<Node<'p>> {
    parsed.node().as_program_node().map(|p| p.statements().body().iter().collect()).unwrap_or_default()
}

/// Returns the instance methods of a class that is part of Puppet, and the number of its classes.
///
/// Follows `puppet/provider/parsedfile.rb`, `package.rb` and `exec.rb` of Puppet 7.23.
fn core(class: &str) -> Option<(&'static [&'static str], usize)> {
    Some(match class {
        "Puppet::Provider::ParsedFile" => {
            (&["create", "destroy", "exists?", "flush", "prefetch", "record_type", "mark_target_modified"], 1)
        }
        "Puppet::Provider::Package" => (&["flush", "properties", "validate_source", "join_options"], 1),
        _ => return None,
    })
}

/// Returns the path of a class: `puppet_x/motd/units.rb` for `PuppetX::Motd::Units`.
pub fn path_of(constant: &str) -> String {
    let mut path = String::new();
    for part in constant.split("::") {
        if !path.is_empty() {
            path.push('/');
        }
        let mut before = None;
        for letter in part.chars() {
            if letter.is_ascii_uppercase() && before.is_some_and(|b: char| !b.is_ascii_uppercase()) {
                path.push('_');
            }
            path.push(letter.to_ascii_lowercase());
            before = Some(letter);
        }
    }
    path + ".rb"
}

/// Returns the body of a class or module by name, and the superclass.
pub fn find_class<'p>(nodes: &[Node<'p>], wanted: &str) -> Option<(Vec<Node<'p>>, Option<Parent>)> {
    fn look<'p>(nodes: &[Node<'p>], outer: &str, wanted: &str, depth: usize) -> Option<(Vec<Node<'p>>, Option<Parent>)> {
        for node in nodes {
            let (path, body, parent) = if let Some(class) = node.as_class_node() {
                (class.constant_path(), class.body(), class.superclass())
            } else if let Some(module) = node.as_module_node() {
                (module.constant_path(), module.body(), None)
            } else {
                continue;
            };
            let Some(path) = ruby::constant(&path) else { continue };
            let full = if outer.is_empty() { path } else { format!("{outer}::{path}") };
            let body = ruby::statements(body);
            if full == wanted {
                return Some((body, parent.map(|p| parent_of(&p, None))));
            }
            if depth < MAX_DEPTH
                && let Some(found) = look(&body, &full, wanted, depth + 1)
            {
                return Some(found);
            }
        }
        None
    }
    look(nodes, "", wanted, 0)
}

/// Returns the superclass that a node names; a single word is a provider of the type `own`.
pub fn parent_of(node: &Node<'_>, own: Option<&str>) -> Parent {
    if let Some(class) = ruby::constant(node) {
        return Parent::Class(class);
    }
    if let (Some(own), Some(word)) = (own, ruby::symbol(node).or_else(|| ruby::text(node))) {
        return Parent::Provider(own.to_owned(), word);
    }
    let of = || {
        let call = node.as_call_node().filter(|c| name(&c.name()) == "provider")?;
        let (plain, _) = ruby::arguments(call.arguments());
        let [provider] = plain.as_slice() else { return None };
        Some(Parent::Provider(type_named(&call.receiver()?)?, ruby::symbol(provider).or_else(|| ruby::text(provider))?))
    };
    of().unwrap_or(Parent::Unknown)
}

/// Returns the type in `Puppet::Type.type(:motd)`.
pub fn type_named(node: &Node<'_>) -> Option<String> {
    if let Some(constant) = ruby::constant(node) {
        return constant.strip_prefix("Puppet::Type::").map(str::to_lowercase);
    }
    let call = node.as_call_node().filter(|c| name(&c.name()) == "type")?;
    if !matches!(ruby::constant(&call.receiver()?).as_deref(), Some("Puppet::Type" | "Type")) {
        return None;
    }
    let (plain, _) = ruby::arguments(call.arguments());
    let [named] = plain.as_slice() else { return None };
    ruby::symbol(named).or_else(|| ruby::text(named))
}
