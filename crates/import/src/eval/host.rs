//! The classes of Puppet that types, attributes and providers build upon, with the class methods that declare them.
//!
//! Follows `puppet/type.rb`, `puppet/parameter.rb`, `puppet/property.rb` and `puppet/provider.rb` of Puppet 7.23.

use super::classes::{Class, ClassDeclaration, ClassId, HostClass};
use super::native::native;
use super::value::{CallArguments, Name, RubyValue};
use super::{Eval, Evaluator, RubyFrame, Unknown};
use crate::budget::DECLARATION;
use crate::puppet_methods::{OF_ATTRIBUTES, OF_PROVIDERS, OF_TYPES};
use crate::ruby::{self, ByteRange};
use ruby_prism::Node;
use std::rc::Rc;

/// A type that Ruby code declares.
#[derive(Clone)]
pub struct DeclaredType<'w> {
    pub name: String,
    pub class: ClassId,
    pub options: Vec<(RubyValue<'w>, RubyValue<'w>)>,
    pub file: usize,
    pub at: ByteRange,
    /// The file whose loading declares it.
    pub loaded_by: usize,
    /// The argument of `Puppet::ResourceApi.register_type`.
    pub resource_api: Option<RubyValue<'w>>,
}

impl DeclaredType<'_> {
    /// Returns whether a file declares it, and it has this name.
    pub(super) fn is_in(&self, file: usize, name: &str) -> bool {
        self.file == file && self.name == name
    }
}

/// A provider that Ruby code declares.
pub struct DeclaredProvider {
    /// Name of its type.
    pub of: String,
    pub name: String,
    pub class: ClassId,
    /// Index of the file that declares it.
    pub file: usize,
}

impl<'w> Evaluator<'_, 'w> {
    /// Returns the class of a type, which is loaded from the module path or part of Puppet.
    pub(super) fn type_by_name(&mut self, of: &str) -> Option<ClassId> {
        if let Some(known) = self.types.iter().rev().find(|t| t.name == of) {
            return Some(known.class);
        }
        let constant = capitalized(of);
        if let Some(RubyValue::Class(id)) = self.classes.get(self.native.type_class).constants.get(constant.as_str()) {
            return Some(*id);
        }
        if matches!(self.load(&format!("puppet/type/{of}.rb")), Ok(true))
            && let Some(known) = self.types.iter().rev().find(|t| t.name == of)
        {
            return Some(known.class);
        }
        let id = native(&mut self.classes, &format!("Puppet::Type::{constant}"), self.native.type_class, false);
        Some(id)
    }

    pub(super) fn loading_file(&self) -> usize {
        self.loading.last().copied().unwrap_or(0)
    }

    /// Returns the name of the type of a class.
    pub fn type_name(&self, class: ClassId) -> Option<String> {
        let declared = self.types.iter().find(|t| t.class == class).map(|t| t.name.clone());
        declared.or_else(|| self.classes.get(class).name.strip_prefix("Puppet::Type::").map(ruby::snake_case))
    }

    /// Calls a class method of Puppet's types, attributes and providers.
    pub(super) fn host_call(
        &mut self,
        frame: &RubyFrame<'w>,
        node: &Node<'w>,
        class: ClassId,
        method: &str,
        given: &CallArguments<'w>,
    ) -> Option<Eval<'w>> {
        match self.classes.host(class)? {
            HostClass::Type => self.type_call(frame, node, class, method, given),
            HostClass::Property | HostClass::Parameter => {
                if OF_ATTRIBUTES.contains(&method) {
                    self.declare(class, frame, node, method, given, None);
                    return Some(Ok(RubyValue::Nil));
                }
                match method {
                    "name" => self.classes.get(class).variables.get("@name").cloned().map(Ok),
                    "value_collection" => Some(Ok(self.unknown(frame, node, "the values of an attribute as an object"))),
                    _ if is_writer(method) && given.plain.len() == 1 => {
                        self.declare(class, frame, node, method, given, None);
                        Some(Ok(RubyValue::Nil))
                    }
                    _ => None,
                }
            }
            HostClass::Provider => self.provider_call(frame, node, class, method, given),
            HostClass::Error => None,
        }
    }

    fn type_call(
        &mut self,
        frame: &RubyFrame<'w>,
        node: &Node<'w>,
        class: ClassId,
        method: &str,
        given: &CallArguments<'w>,
    ) -> Option<Eval<'w>> {
        if OF_TYPES.contains(&method) {
            self.declare(class, frame, node, method, given, None);
            return Some(Ok(RubyValue::Nil));
        }
        let word = given.plain.first().and_then(RubyValue::word);
        Some(match (method, word) {
            ("newtype", Some(of)) => self.new_type(frame, node, &of, given),
            ("newtype", None) => Ok(self.unknown(frame, node, "the name of a type is not known")),
            ("type", Some(of)) => Ok(self.type_by_name(&of.to_lowercase()).map_or(RubyValue::Nil, RubyValue::Class)),
            ("newparam" | "newproperty", _) => self.new_attribute(frame, node, class, method, given),
            ("ensurable", _) => {
                let given = CallArguments { plain: vec![RubyValue::sym("ensure")], ..given.clone() };
                self.new_attribute(frame, node, class, method, &given)
            }
            ("provide", Some(of)) => self.new_provider(frame.file, class, &of, given),
            ("provide", None) => Ok(self.unknown(frame, node, "the name of a provider is not known")),
            ("provider", Some(of)) => self.provider_by_name(class, &of).map(|p| p.map_or(RubyValue::Nil, RubyValue::Class)),
            ("name", _) => Ok(self.type_name(class).map_or(RubyValue::Nil, |n| RubyValue::sym(&n))),
            (
                "attrclass" | "paramclass" | "propertybyname" | "validproperty?" | "validparameter?" | "validattr?" | "validparam?",
                Some(of),
            ) => {
                let known = self.attribute_class(class, &of);
                Ok(match known {
                    Some(_) if method.ends_with('?') => RubyValue::Bool(true),
                    Some(id) => RubyValue::Class(id),
                    None if method.ends_with('?') => RubyValue::Bool(false),
                    None => RubyValue::Nil,
                })
            }
            ("properties" | "validproperties" | "parameters" | "allattrs", _) => {
                let wants = |word: &str| match method {
                    "properties" | "validproperties" => word != "newparam",
                    "parameters" => word == "newparam",
                    _ => true,
                };
                let all = self.attributes(class).into_iter().filter(|d| wants(&d.word));
                let items =
                    all.filter_map(|d| if method == "properties" { d.class.map(RubyValue::Class) } else { d.plain.first().cloned() });
                Ok(RubyValue::array(items.collect()))
            }
            ("instances" | "defaultprovider" | "providers" | "suitableprovider" | "eachmetaparam" | "metaparams" | "metaparam?", _) => {
                Ok(self.unknown(frame, node, format!("`{method}` of a type")))
            }
            ("initvars" | "rmtype" | "unprovide" | "providify" | "mk_resource_methods" | "set_params", _) => Ok(RubyValue::Nil),
            _ => return None,
        })
    }

    /// Returns the class `Puppet::Type`.
    pub fn base_of_types(&self) -> ClassId {
        self.native.type_class
    }

    /// Returns the declarations of a type's attributes, own and inherited.
    pub fn attributes(&self, class: ClassId) -> Vec<ClassDeclaration<'w>> {
        let mut all = Vec::new();
        for class in self.classes.ancestors(class).into_iter().rev() {
            all.extend(self.classes.get(class).declarations.iter().filter(|d| d.class.is_some()).cloned());
        }
        all
    }

    fn attribute_class(&self, class: ClassId, of: &str) -> Option<ClassId> {
        self.attributes(class).into_iter().rev().find(|d| d.plain.first().and_then(RubyValue::word).as_deref() == Some(of))?.class
    }

    /// Records that the body of a class declares something.
    pub(super) fn declare(
        &mut self,
        of: ClassId,
        frame: &RubyFrame<'w>,
        node: &Node<'w>,
        word: &str,
        given: &CallArguments<'w>,
        class: Option<ClassId>,
    ) {
        let declaration = ClassDeclaration {
            word: Name::from(word),
            at: ruby::place(node),
            file: frame.file,
            plain: given.plain.clone(),
            named: given.named.clone(),
            block: given.block.clone(),
            class,
            method: None,
            condition: self.doubt.last().cloned(),
            site: self.site.clone(),
        };
        self.classes.get_mut(of).declarations.push(declaration);
    }

    /// Records an instance variable of a class of Puppet, such as `@doc`.
    pub(super) fn describe(&mut self, of: ClassId, frame: &RubyFrame<'w>, variable: &str, value: &RubyValue<'w>, at: ByteRange) {
        if self.classes.host(of).is_some() {
            let declaration = ClassDeclaration {
                word: Name::from(variable),
                at,
                file: frame.file,
                plain: vec![value.clone()],
                named: Vec::new(),
                block: None,
                class: None,
                method: None,
                condition: self.doubt.last().cloned(),
                site: self.site.clone(),
            };
            self.classes.get_mut(of).declarations.push(declaration);
        }
    }

    fn new_type(&mut self, frame: &RubyFrame<'w>, node: &Node<'w>, of: &str, given: &CallArguments<'w>) -> Eval<'w> {
        let of = of.to_lowercase();
        // Of branches that each declare it, the attributes of all are kept.
        if !self.doubt.is_empty()
            && let Some(known) = self.types.iter().find(|t| t.is_in(frame.file, &of) && t.resource_api.is_none())
        {
            let class = known.class;
            if let Some(block) = &given.block {
                self.in_class(block, class, vec![RubyValue::Class(class)])?;
            }
            return Ok(RubyValue::Class(class));
        }
        let constant = capitalized(&of);
        let name = format!("Puppet::Type::{constant}");
        let class = self.classes.add(Class { name, superclass: Some(self.native.type_class), ..Class::default() });
        self.classes.get_mut(self.native.type_class).constants.insert(Name::from(constant), RubyValue::Class(class));
        let rest = CallArguments { plain: given.plain.iter().skip(1).cloned().collect(), ..given.clone() };
        let options = rest.options();
        let first = node.as_call_node().and_then(|c| c.arguments()).and_then(|a| a.arguments().iter().next());
        let at = first.map_or_else(|| ruby::place(node), |n| ruby::place(&n));
        // A later declaration replaces an earlier one.
        self.types.retain(|t| !t.is_in(frame.file, &of));
        self.types.push(DeclaredType {
            name: of,
            class,
            options,
            file: frame.file,
            at,
            loaded_by: self.loading_file(),
            resource_api: None,
        });
        if let Some(block) = &given.block {
            self.in_class(block, class, vec![RubyValue::Class(class)])?;
        }
        Ok(RubyValue::Class(class))
    }

    /// `newparam`, `newproperty` and `ensurable`.
    fn new_attribute(&mut self, frame: &RubyFrame<'w>, node: &Node<'w>, of: ClassId, word: &str, given: &CallArguments<'w>) -> Eval<'w> {
        let options = given.options();
        let parent = options.iter().rev().find(|(k, _)| k.word().as_deref() == Some("parent")).map(|(_, v)| v.clone());
        let attribute = given.plain.first().and_then(RubyValue::word);
        // As Puppet's `genclass` calls it.
        let constant = attribute.as_ref().map(|a| if word == "newparam" { format!("Parameter{}", capitalized(a)) } else { capitalized(a) });
        let name = constant.as_ref().map(|c| format!("{}::{c}", self.classes.get(of).name)).unwrap_or_default();
        let default = match word {
            "newparam" => self.native.parameter,
            "newproperty" => self.native.property,
            _ => self.native.ensure,
        };
        let (superclass, unknown) = match parent {
            Some(RubyValue::Class(parent)) => (parent, None),
            Some(RubyValue::Unknown(why)) => (default, Some(why)),
            _ => (default, None),
        };
        // Unrolled declarations are parsed, translated and checked like literal ones.
        if self.budget.is_unrolling() {
            self.spend(DECLARATION)?;
        }
        let class = self.classes.add(Class { name, superclass: Some(superclass), unknown, ..Class::default() });
        if let (Some(attribute), Some(constant)) = (&attribute, constant) {
            self.classes.get_mut(class).variables.insert(Name::from("@name"), RubyValue::sym(attribute));
            self.classes.get_mut(of).constants.insert(Name::from(constant), RubyValue::Class(class));
        }
        self.inherited(frame, node, superclass, class)?;
        // That is what `ensurable` with a block does.
        let is_ensure = attribute.as_deref() == Some("ensure") && superclass == self.native.ensure && options.len() == 1;
        let word = if is_ensure && given.block.is_some() { "ensurable" } else { word };
        self.declare(of, frame, node, word, given, Some(class));
        if let Some(block) = &given.block {
            self.in_class(block, class, vec![RubyValue::Class(class)])?;
        }
        Ok(RubyValue::Class(class))
    }

    fn new_provider(&mut self, file: usize, of: ClassId, name: &str, given: &CallArguments<'w>) -> Eval<'w> {
        let rest = CallArguments { plain: given.plain.iter().skip(1).cloned().collect(), ..given.clone() };
        let options = rest.options();
        let parent = options.iter().rev().find(|(k, _)| k.word().as_deref() == Some("parent")).map(|(_, v)| v.clone());
        let (superclass, unknown) = match parent {
            None | Some(RubyValue::Nil) => (self.native.provider, None),
            Some(RubyValue::Class(parent)) => (parent, None),
            Some(RubyValue::Unknown(why)) => (self.native.provider, Some(why)),
            Some(other) => match other.word() {
                Some(word) => (self.provider_by_name(of, &word)?.unwrap_or(self.native.provider), None),
                None => (self.native.provider, None),
            },
        };
        let type_name = self.type_name(of).unwrap_or_default();
        let class_name = format!("{}::Provider{}", self.classes.get(of).name, capitalized(name));
        let class = self.classes.add(Class { name: class_name, superclass: Some(superclass), unknown, ..Class::default() });
        self.classes.get_mut(class).variables.insert(Name::from("@name"), RubyValue::sym(name));
        let constant = format!("Provider{}", capitalized(name));
        self.classes.get_mut(of).constants.insert(Name::from(constant), RubyValue::Class(class));
        self.providers.retain(|p| p.of != type_name || p.name != name);
        self.providers.push(DeclaredProvider { of: type_name, name: name.to_owned(), class, file });
        if let Some(block) = &given.block {
            self.in_class(block, class, vec![RubyValue::Class(class)])?;
        }
        Ok(RubyValue::Class(class))
    }

    /// Returns the class of a provider, which is loaded from the module path or part of Puppet.
    fn provider_by_name(&mut self, of: ClassId, name: &str) -> Eval<'w, Option<ClassId>> {
        let Some(type_name) = self.type_name(of) else { return Ok(None) };
        let known = |ruby: &Self| ruby.providers.iter().find(|p| p.of == type_name && p.name == name).map(|p| p.class);
        if let Some(known) = known(self) {
            return Ok(Some(known));
        }
        self.load(&format!("puppet/provider/{type_name}/{name}.rb"))?;
        if let Some(known) = known(self) {
            return Ok(Some(known));
        }
        let full = format!("{}::Provider{}", self.classes.get(of).name, capitalized(name));
        let class = native(&mut self.classes, &full, self.native.provider, false);
        if rtype_lang::library::standard(&type_name).is_none() {
            let reason = format!("the provider `{name}` of `{type_name}` has no file");
            let unknown = Unknown { reason, file: self.loading_file(), at: 0..0 };
            self.classes.get_mut(class).unknown = Some(Rc::new(unknown));
        }
        Ok(Some(class))
    }

    fn provider_call(
        &mut self,
        frame: &RubyFrame<'w>,
        node: &Node<'w>,
        class: ClassId,
        method: &str,
        given: &CallArguments<'w>,
    ) -> Option<Eval<'w>> {
        if OF_PROVIDERS.contains(&method) {
            self.declare(class, frame, node, method, given, None);
            // Each command becomes a method.
            if matches!(method, "commands" | "optional_commands" | "has_command") {
                let names = given.options().into_iter().filter_map(|(k, _)| k.word()).chain(given.plain.first().and_then(RubyValue::word));
                for of in names.collect::<Vec<_>>() {
                    self.add_method(class, &of, super::MethodBody::Native, true);
                }
            }
            return Some(Ok(RubyValue::Nil));
        }
        Some(match method {
            "name" => Ok(self.classes.get(class).variables.get("@name").cloned().unwrap_or(RubyValue::Nil)),
            "command" | "suitable?" | "instances" | "resource_type" | "feature?" | "execute" | "execpipe" | "which" | "default?" => {
                Ok(self.unknown(frame, node, format!("`{method}` of a provider")))
            }
            _ => return None,
        })
    }
}

/// Returns the constant of a name: `Ini_setting` for `ini_setting`.
pub fn capitalized(name: &str) -> String {
    let mut out = name.to_owned();
    if let Some(first) = out.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    out
}

/// Returns whether a method is called by an assignment such as `x.name = 1`.
fn is_writer(method: &str) -> bool {
    method.strip_suffix('=').is_some_and(ruby::is_word)
}
