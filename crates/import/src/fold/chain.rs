//! The methods of a provider's class and of the classes that it inherits from, as text.

use super::documents::Documents;
use crate::class::{Parent, find_class, path_of, top};
use crate::files::RubyFiles;
use crate::provider::calls_of;
use crate::ruby::{self, name};
use rtype_lang::source::Source;
use ruby_prism::{DefNode, Node};
use std::sync::Arc;

/// Maximum number of ancestor classes.
const MAX_PARENTS: usize = 16;

/// Calls that define methods in a way that is not followed.
const MIXES: &[&str] = &["include", "extend", "prepend", "mk_resource_methods", "instance_eval", "class_eval"];

/// Where the text of a class is.
pub(super) struct ClassText {
    source: Arc<Source>,
    named: Named,
}

enum Named {
    Provider(String, String),
    Class(String),
}

/// The texts of a class and its ancestors, up to a native provider.
pub(super) struct Chain {
    pub texts: Vec<ClassText>,
    /// The native provider that they end at.
    pub base: Option<(String, String)>,
}

impl Chain {
    /// Reads the files of a provider's ancestors; `None` if one of them cannot be read.
    pub fn read(
        source: &Arc<Source>,
        (of, provider): (&str, &str),
        parent: Option<Parent>,
        documents: &Documents,
        files: &mut dyn RubyFiles,
    ) -> Option<Chain> {
        let first = ClassText { source: Arc::clone(source), named: Named::Provider(of.to_owned(), provider.to_owned()) };
        let mut chain = Chain { texts: vec![first], base: None };
        let mut next = parent;
        for _ in 0..MAX_PARENTS {
            let Some(parent) = next.take() else { return Some(chain) };
            let (text, up) = match parent {
                Parent::Class(class) if class == "Puppet::Provider" => return Some(chain),
                Parent::Provider(of, provider) if documents.is_native(&of, &provider) => {
                    chain.base = Some((of, provider));
                    return Some(chain);
                }
                Parent::Provider(of, provider) => {
                    let source = files.read(&format!("puppet/provider/{of}/{provider}.rb"))?;
                    let parsed = ruby_prism::parse(source.text().as_bytes());
                    let up = calls_of(&top(&parsed), &of).into_iter().find(|c| c.name == provider)?.parent;
                    (ClassText { source: Arc::clone(&source), named: Named::Provider(of, provider) }, up)
                }
                Parent::Class(class) => {
                    let beside = Arc::clone(&chain.texts.last()?.source);
                    let (source, up) = superclass(&beside, &class).or_else(|| superclass(&files.read(&path_of(&class))?, &class))?;
                    (ClassText { source, named: Named::Class(class) }, up)
                }
                Parent::Unknown => return None,
            };
            chain.texts.push(text);
            next = up;
        }
        None
    }
}

/// Returns the superclass of a class, if the text has the class.
fn superclass(source: &Arc<Source>, class: &str) -> Option<(Arc<Source>, Option<Parent>)> {
    let parsed = ruby_prism::parse(source.text().as_bytes());
    let (_, up) = find_class(&top(&parsed), class)?;
    Some((Arc::clone(source), up))
}

impl ClassText {
    pub fn text(&self) -> &str {
        self.source.text()
    }

    /// Returns the methods of the class.
    pub fn level<'p>(&'p self, nodes: &[Node<'p>]) -> Option<Level<'p>> {
        let body = match &self.named {
            Named::Provider(of, provider) => calls_of(nodes, of).into_iter().find(|c| c.name == *provider)?.body,
            Named::Class(class) => find_class(nodes, class)?.0,
        };
        let mut level = Level { text: self.text(), methods: Vec::new(), opaque: Vec::new() };
        for node in body {
            level.member(node);
        }
        Some(level)
    }
}

/// A method of a class.
pub(super) struct MethodText<'p> {
    pub name: String,
    pub of_class: bool,
    pub def: DefNode<'p>,
}

/// The methods that one class defines.
pub(super) struct Level<'p> {
    pub text: &'p str,
    pub methods: Vec<MethodText<'p>>,
    /// Methods that are defined in another way; `*` for any.
    pub opaque: Vec<String>,
}

impl<'p> Level<'p> {
    fn member(&mut self, node: Node<'p>) {
        if let Some(def) = node.as_def_node() {
            self.methods.push(MethodText { name: name(&def.name()), of_class: def.receiver().is_some(), def });
        } else if let Some(singleton) = node.as_singleton_class_node() {
            for inner in ruby::statements(singleton.body()) {
                if let Some(def) = inner.as_def_node() {
                    self.methods.push(MethodText { name: name(&def.name()), of_class: true, def });
                }
            }
        } else if let Some(call) = node.as_call_node().filter(|c| c.receiver().is_none()) {
            let (plain, named) = ruby::arguments(call.arguments());
            let words = plain.iter().filter_map(|n| ruby::symbol(n).or_else(|| ruby::text(n)));
            match name(&call.name()).as_str() {
                "include" | "extend" if plain.iter().all(|n| ruby::constant(n).is_some_and(|c| c.starts_with("Puppet::Util"))) => {}
                word if MIXES.contains(&word) => self.opaque.push("*".into()),
                "alias_method" | "define_method" | "has_command" => self.opaque.extend(words.take(1)),
                "attr_accessor" | "attr_reader" | "attr_writer" => self.opaque.extend(words.flat_map(|w| [format!("{w}="), w])),
                "commands" | "optional_commands" => {
                    self.opaque.extend(named.iter().filter_map(|(k, _)| ruby::symbol(k).or_else(|| ruby::text(k))));
                }
                "private" | "protected" | "public" => {
                    for def in plain.iter().filter_map(Node::as_def_node) {
                        self.methods.push(MethodText { name: name(&def.name()), of_class: false, def });
                    }
                }
                _ => {}
            }
        } else if let Some(alias) = node.as_alias_method_node() {
            self.opaque.extend(ruby::symbol(&alias.new_name()));
        } else if node.as_class_node().is_none() && self.text.get(ruby::place(&node)).is_some_and(|text| text.contains("def ")) {
            self.opaque.push("*".into());
        }
    }
}
