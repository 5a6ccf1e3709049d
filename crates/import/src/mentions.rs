//! Where a Ruby text mentions instance variables, locals and methods, from its syntax tree. Comments and strings mention nothing.

use super::block::BlockTranslator;
use super::items::LoadedRuby;
use super::nodes::visiting;
use super::ruby::{ByteRange, at, local, name, place};
use super::type_decl::Reader;
use ruby_prism::{BlockParametersNode, CallNode, Node, Visit};
use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

/// Maximum length of the calls whose code is kept.
const MAX_CALL: usize = 200;

/// A use of an instance variable or a local.
#[derive(Debug)]
struct Mention {
    at: ByteRange,
    /// The variable, or an element of its value, is assigned.
    assigns: bool,
    /// The variable itself is assigned.
    assigns_whole: bool,
    /// A block declares the variable as its parameter.
    declares: bool,
}

/// All mentions of a text.
#[derive(Debug, Default)]
pub struct Mentions {
    variables: HashMap<String, Vec<Mention>>,
    locals: HashMap<String, Vec<Mention>>,
    /// Names of called and defined methods.
    methods: BTreeSet<String>,
    /// Names of methods that are called with a receiver.
    called_on: BTreeSet<String>,
    /// Short calls without whitespace.
    calls: Vec<String>,
    /// Names of assigned constants.
    constants: BTreeSet<String>,
    is_in_block_parameters: bool,
}

/// The mentions of a file, once they are needed.
pub type FileMentions = Rc<OnceCell<Mentions>>;

impl Mentions {
    /// Collects the mentions of a text.
    pub fn of(text: &str) -> Mentions {
        let parsed = ruby_prism::parse(text.as_bytes());
        let mut mentions = Mentions::default();
        visiting(&parsed.node(), || mentions.visit(&parsed.node()));
        mentions
    }

    /// Returns the places that use an instance variable, `@` included, by name or as a symbol or string `@x`.
    pub fn variable<'m>(&'m self, variable: &str) -> impl Iterator<Item = &'m ByteRange> + use<'m> {
        self.variables.get(variable).into_iter().flatten().map(|m| &m.at)
    }

    /// Returns the places in a range that use a local.
    pub fn local<'m>(&'m self, local: &'m str, range: &'m ByteRange) -> impl Iterator<Item = &'m ByteRange> {
        self.locals_in(local, range).map(|m| &m.at)
    }

    /// Returns whether a range assigns a local, or an element of its value.
    pub fn assigns(&self, local: &str, range: &ByteRange) -> bool {
        self.locals_in(local, range).any(|m| m.assigns)
    }

    /// Returns how often a range assigns a local itself.
    pub fn assignments(&self, local: &str, range: &ByteRange) -> usize {
        self.locals_in(local, range).filter(|m| m.assigns_whole).count()
    }

    /// Returns whether some local or parameter of a block has a name.
    pub fn has_local(&self, local: &str) -> bool {
        self.locals.get(local).is_some_and(|all| all.iter().any(|m| m.assigns_whole || m.declares))
    }

    /// Returns whether some local, parameter or method has a name.
    pub fn has_name(&self, name: &str) -> bool {
        self.methods.contains(name) || self.locals.contains_key(name)
    }

    /// Returns whether the text assigns a constant.
    pub fn assigns_constant(&self, constant: &str) -> bool {
        self.constants.contains(constant)
    }

    /// Returns whether a method is called with a receiver.
    pub fn is_called_on_something(&self, method: &str) -> bool {
        self.called_on.contains(method)
    }

    /// Returns how many calls are written like this one, apart from whitespace; 0 if it is longer than [`MAX_CALL`].
    pub fn calls_like(&self, call: &str) -> usize {
        let call = without_whitespace(call);
        self.calls.iter().filter(|c| **c == call).count()
    }

    fn locals_in<'m>(&'m self, local: &'m str, range: &'m ByteRange) -> impl Iterator<Item = &'m Mention> {
        self.locals.get(local).into_iter().flatten().filter(move |m| range.start <= m.at.start && m.at.end <= range.end)
    }

    fn node(&mut self, node: &Node<'_>) {
        let value = || place(node);
        if let Some(n) = node.as_local_variable_read_node() {
            self.note_local(local(&n.name()), value(), false);
        } else if let Some(n) = node.as_required_parameter_node() {
            self.note_local(local(&n.name()), value(), false);
        } else if let Some(n) = node.as_block_local_variable_node() {
            self.note_local(local(&n.name()), value(), false);
        } else if let Some(n) = node.as_optional_parameter_node() {
            self.note_local(local(&n.name()), value(), self.is_in_block_parameters);
        } else if let Some(n) = node.as_local_variable_write_node() {
            self.note_local(local(&n.name()), at(&n.name_loc()), true);
        } else if let Some(n) = node.as_local_variable_target_node() {
            self.note_local(local(&n.name()), value(), true);
        } else if let Some(n) = node.as_local_variable_or_write_node() {
            self.note_local(local(&n.name()), at(&n.name_loc()), true);
        } else if let Some(n) = node.as_local_variable_and_write_node() {
            self.note_local(local(&n.name()), at(&n.name_loc()), true);
        } else if let Some(n) = node.as_local_variable_operator_write_node() {
            self.note_local(local(&n.name()), at(&n.name_loc()), true);
        } else if let Some(n) = node.as_index_or_write_node() {
            self.note_element(n.receiver());
        } else if let Some(n) = node.as_index_and_write_node() {
            self.note_element(n.receiver());
        } else if let Some(n) = node.as_index_operator_write_node() {
            self.note_element(n.receiver());
        } else if let Some(n) = node.as_index_target_node() {
            self.note_element(Some(n.receiver()));
        } else if let Some(n) = node.as_call_node() {
            self.note_call(&n);
        } else if let Some(n) = node.as_def_node() {
            self.methods.insert(name(&n.name()));
        } else {
            self.other(node);
        }
    }

    fn other(&mut self, node: &Node<'_>) {
        let value = || place(node);
        if let Some(n) = node.as_instance_variable_read_node() {
            self.note_variable(name(&n.name()), value());
        } else if let Some(n) = node.as_instance_variable_write_node() {
            self.note_variable(name(&n.name()), at(&n.name_loc()));
        } else if let Some(n) = node.as_instance_variable_or_write_node() {
            self.note_variable(name(&n.name()), at(&n.name_loc()));
        } else if let Some(n) = node.as_instance_variable_and_write_node() {
            self.note_variable(name(&n.name()), at(&n.name_loc()));
        } else if let Some(n) = node.as_instance_variable_operator_write_node() {
            self.note_variable(name(&n.name()), at(&n.name_loc()));
        } else if let Some(n) = node.as_instance_variable_target_node() {
            self.note_variable(name(&n.name()), value());
        } else if let Some(n) = node.as_constant_write_node() {
            self.constants.insert(name(&n.name()));
        } else if let Some(n) = node.as_symbol_node() {
            self.note_variable(String::from_utf8_lossy(n.unescaped()).into_owned(), value());
        } else if let Some(n) = node.as_string_node() {
            let text = String::from_utf8_lossy(n.unescaped());
            if text.starts_with('@') {
                self.note_variable(text.into_owned(), value());
            }
        }
    }

    fn note_local(&mut self, name: String, at: ByteRange, assigns: bool) {
        let mention = Mention { at, assigns, assigns_whole: assigns, declares: self.is_in_block_parameters };
        self.locals.entry(name).or_default().push(mention);
    }

    /// Notes that an element of a local's value is assigned.
    fn note_element(&mut self, receiver: Option<Node<'_>>) {
        let mut of = receiver;
        // `h[:a][:b] = 1`
        while let Some(call) = of.as_ref().and_then(Node::as_call_node).filter(|c| name(&c.name()) == "[]") {
            of = call.receiver();
        }
        if let Some(read) = of.as_ref().and_then(Node::as_local_variable_read_node) {
            let mention = Mention { at: at(&read.location()), assigns: true, assigns_whole: false, declares: false };
            self.locals.entry(local(&read.name())).or_default().push(mention);
        }
    }

    fn note_variable(&mut self, name: String, at: ByteRange) {
        self.variables.entry(name).or_default().push(Mention { at, assigns: false, assigns_whole: false, declares: false });
    }

    fn note_call(&mut self, call: &CallNode<'_>) {
        let method = name(&call.name());
        if method == "[]=" {
            self.note_element(call.receiver());
        }
        if call.receiver().is_some() {
            self.called_on.insert(method.clone());
        }
        let code = call.location().as_slice();
        if code.len() <= MAX_CALL {
            self.calls.push(without_whitespace(&String::from_utf8_lossy(code)));
        }
        self.methods.insert(method);
    }
}

fn without_whitespace(text: &str) -> String {
    text.split_whitespace().collect()
}

impl<'p> Visit<'p> for Mentions {
    fn visit_branch_node_enter(&mut self, node: Node<'p>) {
        self.node(&node);
    }

    fn visit_leaf_node_enter(&mut self, node: Node<'p>) {
        self.node(&node);
    }

    fn visit_block_parameters_node(&mut self, node: &BlockParametersNode<'p>) {
        self.is_in_block_parameters = true;
        ruby_prism::visit_block_parameters_node(self, node);
        self.is_in_block_parameters = false;
    }
}

impl BlockTranslator<'_> {
    /// Returns where the source mentions variables and methods.
    pub(super) fn mentions(&self) -> &Mentions {
        self.mentions.get_or_init(|| Mentions::of(self.source))
    }
}

impl LoadedRuby<'_, '_> {
    /// Returns where a file mentions variables and methods; the cell is empty until that is needed.
    pub fn mentions(&self, file: usize) -> FileMentions {
        Rc::clone(self.mentions.borrow_mut().entry(file).or_default())
    }
}

impl Reader<'_, '_, '_> {
    /// Returns whether some code may call a method of the type's class on that class.
    pub(super) fn is_called_on_class(&self, method: &str) -> bool {
        self.any_mentions(|mentions| mentions.is_called_on_something(method))
    }

    /// Returns whether a condition is true of the mentions of some text.
    pub(super) fn any_mentions(&self, is_true: impl Fn(&Mentions) -> bool) -> bool {
        self.texts.iter().enumerate().any(|(file, text)| is_true(self.loaded.mentions(file).get_or_init(|| Mentions::of(text.text()))))
    }
}
