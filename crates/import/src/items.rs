//! What a type, an attribute or a class of attributes declares, as the evaluator has found it.

use super::budget::Budget;
use super::eval::{ClassDeclaration, ClassId, Evaluator, Flow, MethodBody, OBJECT, Proc, ProcCode, RubyValue, Unknown};
use super::ignored::IgnoredParameters;
use super::known::{Locals, StaticValue, fixed};
use super::mentions::FileMentions;
use super::nodes::{Modules, Nodes};
use super::overrides::{is_type_class_hook, is_type_hook};
use super::ruby::{self, ByteRange, name};
use super::spread::{ClosureParams, closure_params};
use super::variables::ChangedParameters;
use ruby_prism::{DefNode, Node};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

/// The Ruby of a type after it was loaded.
pub struct LoadedRuby<'a, 'p> {
    pub ruby: RefCell<Evaluator<'a, 'p>>,
    /// The nodes of files by index.
    pub(super) nodes: RefCell<BTreeMap<usize, Nodes<'p>>>,
    /// The modules and classes of files by index.
    pub(super) modules: RefCell<BTreeMap<usize, Modules>>,
    /// The parameters that methods change in place.
    pub(super) changed: RefCell<ChangedParameters>,
    pub(super) ignored: RefCell<IgnoredParameters>,
    pub(super) mentions: RefCell<BTreeMap<usize, FileMentions>>,
    pub budget: Rc<Budget>,
    /// Whether the file was loaded to its end.
    pub is_whole: bool,
}

/// A declaration.
#[derive(Clone)]
pub struct ClassItem<'p> {
    /// The method called; `def` and `def self` for methods; `@doc` and similar for variables of the class.
    pub word: String,
    pub at: ByteRange,
    /// Index of its file.
    pub file: usize,
    pub plain: Vec<RubyValue<'p>>,
    pub named: Vec<(String, RubyValue<'p>)>,
    pub block: Option<Rc<Proc<'p>>>,
    /// The method that it defines, unless that is made from a block.
    pub def: Option<Rc<DefNode<'p>>>,
    /// The name of that method, if it is another one than in its definition.
    pub alias: Option<String>,
    /// The variable that it reads, without `@`, if it is the result of `attr_reader`.
    pub reads: Option<String>,
    /// The class of the attribute that it declares.
    pub class: Option<ClassId>,
    /// The enclosing locals.
    pub known: Rc<Locals>,
    /// Whether a mixin defines the method. It is translated if Puppet or translated code calls it.
    pub mixed_in: bool,
    /// What decides whether it is declared, if that is not known.
    pub condition: Option<Rc<Unknown>>,
    /// Whether its `super` calls a method of Ruby code that is not among the declarations.
    pub is_cut: bool,
}

/// Something with a location in a Ruby text.
pub trait Located {
    fn range(&self) -> ByteRange;

    /// Returns the index of its file, if it is not the current one.
    fn file(&self) -> Option<usize> {
        None
    }
}

impl Located for Node<'_> {
    fn range(&self) -> ByteRange {
        ruby::place(self)
    }
}

impl Located for ClassItem<'_> {
    fn range(&self) -> ByteRange {
        self.at.clone()
    }

    fn file(&self) -> Option<usize> {
        Some(self.file)
    }
}

impl Located for ByteRange {
    fn range(&self) -> ByteRange {
        self.clone()
    }
}

/// The class that attributes inherit from.
#[derive(Clone)]
pub struct ParentClass {
    pub class: ClassId,
    /// Its full name; empty if it has none.
    pub name: String,
    /// The class of Puppet that it builds upon.
    pub base: String,
    /// Whether it is itself a class of Puppet.
    pub is_native: bool,
    /// Location of its first declaration.
    pub at: ByteRange,
    pub file: usize,
}

/// The parameters and statements of a block.
pub struct ClosureCode<'p> {
    /// `None` if they are not all plain names.
    pub params: Option<Vec<String>>,
    /// What the parameters are that are taken apart, as in `|(a, b)|`.
    pub apart: Option<ClosureParams>,
    pub body: Vec<Node<'p>>,
    pub file: usize,
}

impl<'p> ClassItem<'p> {
    pub fn is(&self, word: &str) -> bool {
        self.word == word
    }

    /// Returns whether Puppet itself calls this method of a type.
    pub fn is_hook(&self) -> bool {
        let Some(method) = self.method() else { return false };
        self.is("def") && is_type_hook(&method) || self.is("def self") && is_type_class_hook(&method)
    }

    /// Returns the first argument if it is a symbol or string.
    pub fn first_word(&self) -> Option<String> {
        self.plain.first().and_then(RubyValue::word)
    }

    /// Returns a named argument.
    pub fn option(&self, of: &str) -> Option<&RubyValue<'p>> {
        self.named.iter().rev().find(|(key, _)| key == of).map(|(_, value)| value)
    }

    /// Returns the name of the method that it defines.
    pub fn method(&self) -> Option<String> {
        self.alias.clone().or_else(|| self.def.as_ref().map(|d| name(&d.name())))
    }

    /// Returns the method that it defines in the class of an attribute: `munge { … }` defines `unsafe_munge`.
    fn hook(&self) -> Option<String> {
        match self.word.as_str() {
            "def" => self.method(),
            "munge" | "validate" => Some(format!("unsafe_{}", self.word)),
            "defaultto" => Some("default".to_owned()),
            "unmunge" => Some("unmunge".to_owned()),
            _ => None,
        }
    }

    /// Returns the code of its block; `None` if it has none, or one without statements such as `&:to_i`.
    pub fn closure(&self) -> Option<ClosureCode<'p>> {
        let block = self.block.as_ref()?;
        Some(match &block.code {
            ProcCode::Block(node) => {
                let apart = if ruby::block_params(node).is_none() { closure_params(node, "") } else { None };
                ClosureCode { params: ruby::block_params(node), apart, body: ruby::statements(node.body()), file: block.file }
            }
            ProcCode::Lambda(node) => {
                ClosureCode { params: ruby::lambda_params(node), apart: None, body: ruby::statements(node.body()), file: block.file }
            }
            ProcCode::Method(method, _) => {
                let MethodBody::Def { node, file, .. } = &method.body else { return None };
                ClosureCode { params: ruby::def_params(node), apart: None, body: ruby::statements(node.body()), file: *file }
            }
            ProcCode::Symbol(_) => return None,
        })
    }

    /// Returns the index of the file with its code.
    pub fn code_file(&self) -> usize {
        self.closure().map_or(self.file, |c| c.file)
    }

    /// Returns `x` of `&:x`.
    pub fn symbol_block(&self) -> Option<String> {
        match &self.block.as_ref()?.code {
            ProcCode::Symbol(method) => Some(method.to_string()),
            _ => None,
        }
    }
}

impl<'a, 'p> LoadedRuby<'a, 'p> {
    pub fn new(ruby: Evaluator<'a, 'p>, budget: &Rc<Budget>, is_whole: bool) -> LoadedRuby<'a, 'p> {
        let (nodes, modules, changed, ignored) = (RefCell::default(), RefCell::default(), RefCell::default(), RefCell::default());
        let mentions = RefCell::default();
        LoadedRuby { ruby: RefCell::new(ruby), nodes, modules, changed, ignored, mentions, budget: Rc::clone(budget), is_whole }
    }

    fn item(&self, declaration: &ClassDeclaration<'p>, mixed_in: bool) -> ClassItem<'p> {
        let def = declaration.method.as_ref().and_then(|m| match &m.body {
            MethodBody::Def { node, .. } => Some(Rc::clone(node)),
            _ => None,
        });
        let reads = declaration.method.as_ref().and_then(|m| match &m.body {
            MethodBody::Reader(variable) => Some(variable.trim_start_matches('@').to_owned()),
            _ => None,
        });
        // `define_method(:x) { … }`.
        let made = declaration.method.as_ref().and_then(|m| match &m.body {
            MethodBody::Proc(code) => Some(Rc::clone(code)),
            _ => None,
        });
        let is_made = made.is_some();
        let block = declaration.block.clone().or(made);
        let known = block.as_ref().map(|block| self.locals(block)).unwrap_or_default();
        let mut named = Vec::new();
        for (key, value) in &declaration.named {
            named.extend(key.word().map(|key| (key, value.clone())));
        }
        let mut plain = declaration.plain.clone();
        // Options may be in braces.
        if matches!(&*declaration.word, "newparam" | "newproperty" | "newvalue")
            && let Some(RubyValue::Hash(hash)) = plain.last().filter(|_| plain.len() > 1)
        {
            let pairs = hash.pairs.borrow().clone();
            plain.pop();
            named.extend(pairs.into_iter().filter_map(|(key, value)| Some((key.word()?, value))));
        }
        ClassItem {
            word: declaration.word.to_string(),
            at: declaration.at.clone(),
            file: declaration.file,
            plain,
            named,
            block,
            alias: declaration
                .method
                .as_ref()
                .filter(|m| is_made || def.as_ref().is_some_and(|d| name(&d.name()) != *m.name))
                .map(|m| m.name.to_string()),
            def,
            reads,
            class: declaration.class,
            known: Rc::new(known),
            mixed_in,
            condition: declaration.condition.clone(),
            is_cut: false,
        }
    }

    /// Returns the locals around a block whose values are known, by their names in Ruby and in translated code.
    fn locals(&self, block: &Proc<'p>) -> Locals {
        let mut ruby = self.ruby.borrow_mut();
        let all = block.scope.all();
        let mut known = |value: &RubyValue<'p>| match value {
            RubyValue::Object(object) => Some(StaticValue::Object(ruby.object_number(object))),
            value => fixed(&ruby, value),
        };
        let found = all.iter().filter_map(|(of, value)| Some((of.to_string(), known(value)?)));
        found.flat_map(|(of, value)| [(ruby::local_named(&of), value.clone()), (of, value)]).collect()
    }

    /// Returns the declarations of a type: its own, and methods of mixins that it does not define itself.
    pub fn of_type(&self, class: ClassId) -> Vec<ClassItem<'p>> {
        let mut items = self.own(class);
        let mut defined: BTreeSet<String> = items.iter().filter_map(ClassItem::method).collect();
        let (ancestors, extended) = {
            let ruby = self.ruby.borrow();
            let ancestors: Vec<ClassId> = ruby.classes.ancestors(class).into_iter().skip(1).collect();
            let extended: Vec<ClassId> =
                ruby.classes.get(class).extended.iter().flat_map(|module| ruby.classes.ancestors(*module)).collect();
            (ancestors, extended)
        };
        let modules = ancestors.into_iter().map(|module| (module, "def"));
        // Methods of a module that extends the type's class are methods of the class.
        for (module, word) in modules.chain(extended.into_iter().map(|module| (module, "def self"))) {
            let methods = self.own(module).into_iter().filter(|i| i.is("def"));
            for item in methods {
                if item.method().is_some_and(|m| defined.insert(m)) {
                    items.push(ClassItem { mixed_in: true, word: word.to_owned(), ..item });
                }
            }
        }
        items.extend(self.of_all_types(class, &items));
        items
    }

    /// Returns what the Ruby code declares for all types, except for what the type itself replaces: metaparameters, which any class may
    /// declare, and the methods and `validate` block that a file adds to `Puppet::Type`.
    fn of_all_types(&self, class: ClassId, own: &[ClassItem<'p>]) -> Vec<ClassItem<'p>> {
        let declarations: Vec<(bool, ClassDeclaration<'p>)> = {
            let ruby = self.ruby.borrow();
            let base = ruby.base_of_types();
            let others = ruby.classes.ids().filter(|id| *id != class);
            others.flat_map(|id| ruby.classes.get(id).declarations.iter().map(move |d| (id == base, d.clone()))).collect()
        };
        let is_for_all = |declaration: &ClassDeclaration<'p>, is_base: bool| match &*declaration.word {
            "newmetaparam" => true,
            "validate" => is_base && !own.iter().any(|item| item.is("validate")),
            "def" => {
                is_base && declaration.method.as_ref().is_none_or(|m| !own.iter().any(|item| item.method().as_deref() == Some(&*m.name)))
            }
            _ => false,
        };
        let items = declarations.iter().filter(|(is_base, d)| is_for_all(d, *is_base));
        // Puppet calls hooks itself. Other methods are translated only if the type calls them.
        let is_called = |declaration: &ClassDeclaration<'p>| declaration.method.as_ref().is_none_or(|method| is_type_hook(&method.name));
        items.map(|(_, declaration)| self.item(declaration, !is_called(declaration))).collect()
    }

    /// Returns the declarations of a class itself. Of several definitions of a method or attribute, the last one counts.
    fn own(&self, class: ClassId) -> Vec<ClassItem<'p>> {
        let declarations = {
            let ruby = self.ruby.borrow();
            if class == OBJECT || ruby.classes.get(class).is_native {
                return Vec::new();
            }
            ruby.classes.get(class).declarations.clone()
        };
        let identity = |d: &ClassDeclaration<'p>| match (&d.method, d.class) {
            (Some(method), _) => Some((d.word.to_string(), method.name.to_string())),
            (None, Some(_)) => Some(("attribute".to_owned(), d.plain.first().and_then(RubyValue::word)?)),
            // Puppet keeps one block for each type.
            _ if RELATIONS.contains(&&*d.word) => Some((d.word.to_string(), d.plain.first().and_then(RubyValue::word)?)),
            // Each defines one method.
            _ if METHOD_BLOCKS.contains(&&*d.word) && d.condition.is_none() => Some((d.word.to_string(), String::new())),
            _ => None,
        };
        // A property with the name of the namevar replaces the parameter, and is the namevar.
        let named = |d: &ClassDeclaration<'p>| d.plain.first().and_then(RubyValue::word);
        let is_namevar = |d: &ClassDeclaration<'p>| {
            let says = d.named.iter().any(|(k, v)| k.word().as_deref() == Some("namevar") && v.is_true() == Some(true));
            &*d.word == "newparam" && (says || named(d).as_deref() == Some("name"))
        };
        let namevars: BTreeSet<String> = declarations.iter().filter(|d| is_namevar(d)).filter_map(named).collect();
        let properties: BTreeSet<String> = declarations.iter().filter(|d| &*d.word == "newproperty").filter_map(named).collect();
        let hidden = |d: &&ClassDeclaration<'p>| is_namevar(d) && named(d).is_some_and(|name| properties.contains(&name));
        let mut seen = BTreeSet::new();
        let mut kept: Vec<(usize, &ClassDeclaration<'p>)> = declarations
            .iter()
            .enumerate()
            .rev()
            .filter(|(_, d)| !hidden(d))
            .filter(|(_, d)| identity(d).is_none_or(|i| seen.insert(i)))
            .collect();
        // Ruby's map keeps the place of the first block for a type.
        let mut first = HashMap::new();
        for (place, relation) in declarations.iter().enumerate().filter(|(_, d)| RELATIONS.contains(&&*d.word)) {
            if let Some(relation) = identity(relation) {
                first.entry(relation).or_insert(place);
            }
        }
        kept.sort_by_key(|(place, d)| identity(d).and_then(|relation| first.get(&relation).copied()).unwrap_or(*place));
        let mut items: Vec<ClassItem<'p>> = kept.into_iter().map(|(_, d)| self.item(d, false)).collect();
        for item in items.iter_mut().filter(|i| i.is("newproperty")) {
            // Puppet ignores the option of a property.
            item.named.retain(|(option, _)| option != "namevar");
            if item.first_word().is_some_and(|name| namevars.contains(&name)) {
                item.named.push(("namevar".to_owned(), RubyValue::Bool(true)));
            }
        }
        items
    }

    /// Returns the functions outside of all classes in one file.
    pub fn outside(&self, file: usize) -> Vec<ClassItem<'p>> {
        let declarations = self.ruby.borrow().classes.get(OBJECT).declarations.clone();
        declarations.iter().filter(|d| d.file == file && &*d.word == "def").map(|d| self.item(d, true)).collect()
    }

    /// Returns the declarations of an attribute, with what its class inherits from classes and modules of Ruby code up to `stop`:
    /// methods, and the blocks that Puppet makes methods of.
    pub fn of_attribute(&self, class: ClassId, stop: Option<ClassId>) -> Vec<ClassItem<'p>> {
        let chain: Vec<ClassId> = {
            let ruby = self.ruby.borrow();
            let beyond: Vec<ClassId> = stop.map(|s| ruby.classes.ancestors(s)).unwrap_or_default();
            ruby.classes.ancestors(class).into_iter().skip(1).filter(|c| !beyond.contains(c)).collect()
        };
        let levels: Vec<Vec<ClassItem<'p>>> = std::iter::once(class).chain(chain).map(|of| self.own(of)).collect();
        let is_cut = |item: &ClassItem<'p>, level: usize| {
            let above = || levels.iter().skip(level + 1).flatten().any(|other| other.hook() == item.hook());
            item.hook().is_some() && above() && self.calls_super(item)
        };
        let mut defined: BTreeSet<String> = BTreeSet::new();
        let (mut own, mut inherited) = (Vec::new(), Vec::new());
        for (level, items) in levels.iter().enumerate() {
            for item in items {
                let is_new = item.hook().is_none_or(|hook| defined.insert(hook));
                let item = ClassItem { is_cut: is_cut(item, level), ..item.clone() };
                match (level, item.hook().is_some()) {
                    (0, _) => own.push(item),
                    (_, true) if is_new => inherited.push(ClassItem { mixed_in: true, ..item }),
                    _ => {}
                }
            }
        }
        inherited.extend(own);
        inherited
    }

    /// Returns whether a declaration contains `super`.
    fn calls_super(&self, item: &ClassItem<'p>) -> bool {
        self.inside(item.file, &item.at).iter().any(|(_, node)| node.as_super_node().is_some() || node.as_forwarding_super_node().is_some())
    }

    /// Returns whether methods of a class, down to another one, call with `super` what that one or a class above it defines.
    pub fn calls_above(&self, class: ClassId, above: ClassId) -> bool {
        let defined: BTreeSet<String> = self.of_attribute(above, None).iter().filter_map(ClassItem::hook).collect();
        let own = self.of_attribute(class, Some(above));
        own.iter().any(|item| item.hook().is_some_and(|hook| defined.contains(&hook)) && self.calls_super(item))
    }

    /// Returns the methods that declarations of an attribute's class call on the attribute.
    pub fn called_on_self(&self, items: &[ClassItem<'p>]) -> BTreeSet<String> {
        let mut called = BTreeSet::new();
        for item in items {
            let nodes = self.inside(item.file, &item.at);
            let inside = nodes.iter().filter(|(at, _)| *at != item.at);
            let calls = inside.filter_map(|(_, node)| node.as_call_node());
            let own = calls.filter(|call| call.receiver().is_none_or(|of| of.as_self_node().is_some()));
            called.extend(own.map(|call| name(&call.name())));
        }
        called
    }

    /// Returns the value of a method without parameters, if it is known when the type is loaded.
    pub fn result(&self, item: &ClassItem<'p>) -> Option<StaticValue> {
        let Some(def) = item.def.as_ref() else {
            let made = item.block.as_ref()?;
            let mut ruby = self.ruby.borrow_mut();
            let value = ruby.result_of_block(made)?;
            return fixed(&ruby, &value);
        };
        let frame = self.frame_at(item.file, &item.at);
        let mut ruby = self.ruby.borrow_mut();
        let value = match ruby.body(&frame, def.body()) {
            Ok(value) | Err(Flow::Return(_, value)) => value,
            Err(_) => return None,
        };
        fixed(&ruby, &value)
    }

    /// Returns whether Ruby code defines a class method.
    pub fn has_class_method(&self, class: ClassId, of: &str) -> bool {
        self.ruby.borrow().ruby_method(&RubyValue::Class(class), of).is_some()
    }

    /// Returns whether methods of modules come before those of a class, or of one that it inherits from: `prepend`.
    pub fn has_prepended(&self, class: ClassId) -> bool {
        let ruby = self.ruby.borrow();
        ruby.classes.ancestors(class).into_iter().any(|c| !ruby.classes.get(c).is_native && !ruby.classes.get(c).prepended.is_empty())
    }

    /// Returns whether a class, or one between it and another one that it inherits from, defines a class method, however it does.
    pub fn overrides_class_method(&self, class: ClassId, above: ClassId, of: &str) -> bool {
        let ruby = self.ruby.borrow();
        let (own, theirs) = (ruby.classes.class_method(class, of, None), ruby.classes.class_method(above, of, None));
        own.is_some_and(|own| theirs.is_none_or(|theirs| !Rc::ptr_eq(&own, &theirs)))
    }

    /// Returns the value of a class method that Ruby code defines, called without arguments.
    pub fn class_result(&self, class: ClassId, of: &str) -> Option<StaticValue> {
        let mut ruby = self.ruby.borrow_mut();
        let value = ruby.result_of(class, of)?;
        fixed(&ruby, &value)
    }

    /// Returns the class that an attribute's class inherits from.
    pub fn parent(&self, class: ClassId) -> Option<ParentClass> {
        let ruby = self.ruby.borrow();
        let parent = ruby.classes.get(class).superclass?;
        let found = ruby.classes.get(parent);
        let base = ruby.classes.ancestors(parent).into_iter().find(|c| ruby.classes.get(*c).is_native).unwrap_or(OBJECT);
        let (place, file) = found.declarations.first().map(|d| (d.at.clone(), d.file)).unwrap_or_default();
        Some(ParentClass {
            class: parent,
            name: found.name.clone(),
            base: ruby.classes.get(base).name.clone(),
            is_native: found.is_native,
            at: place,
            file,
        })
    }

    /// Returns the nearest class that an attribute's class inherits something from: methods, or blocks that Puppet makes methods of.
    pub fn kind_of(&self, class: ClassId) -> Option<ParentClass> {
        let mut parent = self.parent(class)?;
        while !parent.is_native && !self.own(parent.class).iter().any(|i| i.is("def") || i.block.is_some() || !i.word.starts_with("def")) {
            parent = self.parent(parent.class)?;
        }
        Some(parent)
    }

    /// Returns the frame of the code at a place, in which constants are those of the modules around it.
    pub fn frame_at(&self, file: usize, at: &ByteRange) -> super::eval::RubyFrame<'p> {
        let modules = self.modules(file);
        let mut ruby = self.ruby.borrow_mut();
        let mut frame = ruby.top(file);
        for module in modules.iter().filter(|module| module.contains(at)) {
            let mut of = frame.cref.class;
            for part in module.path.split("::") {
                let found = ruby.classes.get(of).constants.get(part).or_else(|| ruby.classes.get(OBJECT).constants.get(part));
                let Some(RubyValue::Class(class)) = found else { break };
                of = *class;
            }
            let outer = Rc::clone(&frame.cref);
            (frame.cref, frame.definee) = (Rc::new(super::eval::Cref { class: of, outer: Some(outer) }), of);
        }
        frame
    }

    /// Returns the class or module that the code at a place names.
    pub fn module_at(&self, file: usize, at: &ByteRange) -> Option<ClassId> {
        let node = self.node(file, at, &|n| n.as_constant_read_node().is_some() || n.as_constant_path_node().is_some())?;
        let frame = self.frame_at(file, at);
        match self.ruby.borrow_mut().eval(&frame, &node).ok()? {
            RubyValue::Class(class) => Some(class),
            _ => None,
        }
    }

    /// Returns a class method that Ruby code defines, with its file.
    pub fn class_method(&self, class: ClassId, of: &str) -> Option<(Rc<DefNode<'p>>, usize, ClassId)> {
        let method = self.ruby.borrow().ruby_method(&RubyValue::Class(class), of)?;
        match &method.body {
            MethodBody::Def { node, file, .. } => Some((Rc::clone(node), *file, method.owner)),
            _ => None,
        }
    }

    /// Returns a method of the objects of a class that Ruby code defines, with its file.
    pub fn object_method(&self, class: ClassId, of: &str) -> Option<(Rc<DefNode<'p>>, usize)> {
        let method = self.ruby.borrow().classes.method(class, of, None)?;
        match &method.body {
            MethodBody::Def { node, file, .. } => Some((Rc::clone(node), *file)),
            _ => None,
        }
    }

    /// Returns why a class is not known as a whole.
    pub fn unknown(&self, class: ClassId) -> Option<Rc<Unknown>> {
        self.ruby.borrow().classes.unknown(class)
    }

    /// Returns the value of a constant outside of all classes.
    pub fn constant(&self, of: &str) -> Option<RubyValue<'p>> {
        self.ruby.borrow().classes.get(OBJECT).constants.get(of).cloned()
    }

    /// Evaluates the code at a place with known locals; `unknown` are others, whose values are not.
    pub fn value_at(&self, file: usize, at: &ByteRange, known: &Locals, unknown: &[String]) -> Option<StaticValue> {
        // The only statement of a list has the same place.
        let node = self.node(file, at, &|n| n.as_statements_node().is_none())?;
        let frame = self.frame_at(file, at);
        let mut ruby = self.ruby.borrow_mut();
        let why = Rc::new(Unknown { reason: "a value of a resource".into(), file, at: at.clone() });
        let frame = super::eval::RubyFrame { self_value: RubyValue::Unknown(Rc::clone(&why)), ..frame };
        for (of, value) in known {
            let known = match value {
                StaticValue::Object(number) => ruby.object_of(*number),
                value => value.is_data().then(|| value.value()),
            };
            frame.scope.declare(of, known.unwrap_or_else(|| RubyValue::Unknown(Rc::clone(&why))));
        }
        for of in unknown {
            frame.scope.declare(of, RubyValue::Unknown(Rc::clone(&why)));
        }
        let value = ruby.eval(&frame, &node).ok()?;
        fixed(&ruby, &value)
    }

    /// Returns the value of a constant as written, if it is known.
    pub fn fixed(&self, value: &RubyValue<'p>) -> Option<StaticValue> {
        fixed(&self.ruby.borrow(), value)
    }
}

/// Relations of a type, each with the type that it names.
const RELATIONS: &[&str] = &["autorequire", "autobefore", "autonotify", "autosubscribe"];

/// Class methods that define a method of the type or attribute, so that the last call counts.
const METHOD_BLOCKS: &[&str] = &["munge", "unmunge", "validate", "defaultto"];
