//! Classes and modules of Ruby and Puppet, with the functions of theirs that the evaluator knows.

use super::classes::{Class, ClassId, ClassTable, HostClass, OBJECT};
use super::host::DeclaredType;
use super::value::{CallArguments, Name, RubyValue};
use super::{Eval, Evaluator, RubyFrame};
use crate::ruby;
use rtype_lang::eval::error_class;
use rtype_lang::value::push_path;
use ruby_prism::Node;
use std::rc::Rc;

/// Classes that the evaluator refers to.
pub struct Native {
    pub class: ClassId,
    pub module: ClassId,
    pub type_class: ClassId,
    pub parameter: ClassId,
    pub property: ClassId,
    pub ensure: ClassId,
    pub provider: ClassId,
    pub error: ClassId,
}

/// Classes of Ruby, with their superclasses.
const CLASSES: &[(&str, &str)] = &[
    ("BasicObject", ""),
    ("Numeric", ""),
    ("Integer", "Numeric"),
    ("Float", "Numeric"),
    ("String", ""),
    ("Symbol", ""),
    ("Array", ""),
    ("Hash", ""),
    ("Range", ""),
    ("Regexp", ""),
    ("MatchData", ""),
    ("Proc", ""),
    ("Method", ""),
    ("NilClass", ""),
    ("TrueClass", ""),
    ("FalseClass", ""),
    ("Set", ""),
    ("Time", ""),
    ("Struct", ""),
    ("File", ""),
    ("Dir", ""),
    ("IO", ""),
    ("Pathname", ""),
    ("IPAddr", ""),
    ("Date", ""),
    ("DateTime", "Date"),
    ("Exception", ""),
    ("BigDecimal", "Numeric"),
    ("OpenStruct", ""),
    ("Struct", ""),
    ("Random", ""),
    ("Rational", "Numeric"),
    ("Complex", "Numeric"),
];

/// Modules of Ruby and of Puppet.
const MODULES: &[&str] = &[
    "Kernel",
    "Comparable",
    "Enumerable",
    "Math",
    "Etc",
    "Digest",
    "JSON",
    "YAML",
    "Psych",
    "URI",
    "Process",
    "Signal",
    "ENV",
    "GC",
    "ObjectSpace",
    "Marshal",
    "FileUtils",
    "Forwardable",
    "Singleton",
    "Observable",
    "SecureRandom",
    "Base64",
    "Shellwords",
    "Open3",
    "Timeout",
    "Socket",
    "OpenSSL",
    "CGI",
    "ERB",
    "Net",
    "Gem",
    "RbConfig",
    "Errno",
    "Benchmark",
    "Tempfile",
    "StringIO",
    "StringScanner",
    "Logger",
    "REXML",
    "Resolv",
    "Facter",
    "SemanticPuppet",
    "FastGettext",
    "Hiera",
    "Win32",
    "WIN32OLE",
    "Fiddle",
    "FFI",
];

/// ClassTable of Puppet, with their superclasses.
const OF_PUPPET: &[(&str, &str, Option<HostClass>)] = &[
    ("Puppet::Type", "", Some(HostClass::Type)),
    ("Puppet::Parameter", "", Some(HostClass::Parameter)),
    ("Puppet::Parameter::Boolean", "Puppet::Parameter", None),
    ("Puppet::Parameter::Path", "Puppet::Parameter", None),
    ("Puppet::Parameter::PackageOptions", "Puppet::Parameter", None),
    ("Puppet::Property", "Puppet::Parameter", Some(HostClass::Property)),
    ("Puppet::Property::Ensure", "Puppet::Property", None),
    ("Puppet::Property::Boolean", "Puppet::Property", None),
    ("Puppet::Property::List", "Puppet::Property", None),
    ("Puppet::Property::OrderedList", "Puppet::Property::List", None),
    ("Puppet::Property::KeyValue", "Puppet::Property", None),
    ("Puppet::Provider", "", Some(HostClass::Provider)),
    ("Puppet::Provider::ParsedFile", "Puppet::Provider", None),
    ("Puppet::Provider::NameService", "Puppet::Provider", None),
    ("Puppet::Provider::NameService::ObjectAdd", "Puppet::Provider::NameService", None),
    ("Puppet::Provider::Package", "Puppet::Provider", None),
    ("Puppet::Provider::Package::Targetable", "Puppet::Provider::Package", None),
    ("Puppet::Provider::Exec", "Puppet::Provider", None),
    ("Puppet::Provider::AixObject", "Puppet::Provider", None),
    ("Puppet::Provider::Ldap", "Puppet::Provider", None),
    ("Puppet::Provider::NameService::PW", "Puppet::Provider::NameService::ObjectAdd", None),
    ("Puppet::Provider::NetworkDevice", "Puppet::Provider", None),
    ("Puppet::Resource", "", None),
    ("Puppet::Resource::Catalog", "", None),
    ("Puppet::Transaction", "", None),
];

impl Native {
    /// Defines the classes of Ruby and Puppet.
    pub fn define(classes: &mut ClassTable<'_>) -> Native {
        let class = native(classes, "Class", OBJECT, false);
        let module = native(classes, "Module", OBJECT, false);
        for name in MODULES {
            native(classes, name, OBJECT, true);
        }
        for (name, parent) in CLASSES {
            let parent = named(classes, parent).unwrap_or(OBJECT);
            native(classes, name, parent, false);
        }
        native(classes, "Puppet", OBJECT, true);
        native(classes, "Puppet::Util", OBJECT, true);
        for (name, parent) in error_class::with_parents() {
            let parent = named(classes, parent).unwrap_or(OBJECT);
            native(classes, name, parent, false);
        }
        let error = named(classes, "Puppet::Error").unwrap_or(OBJECT);
        classes.get_mut(error).host = Some(HostClass::Error);
        for (name, parent, host) in OF_PUPPET {
            let parent = named(classes, parent).unwrap_or(OBJECT);
            let id = native(classes, name, parent, false);
            classes.get_mut(id).host = *host;
        }
        let id = |name: &str| named(classes, name).unwrap_or(OBJECT);
        Native {
            class,
            module,
            type_class: id("Puppet::Type"),
            parameter: id("Puppet::Parameter"),
            property: id("Puppet::Property"),
            ensure: id("Puppet::Property::Ensure"),
            provider: id("Puppet::Provider"),
            error,
        }
    }
}

/// Returns a class by its full name.
pub fn named(classes: &ClassTable<'_>, name: &str) -> Option<ClassId> {
    let mut of = OBJECT;
    for part in name.split("::") {
        of = match classes.get(of).constants.get(part) {
            Some(RubyValue::Class(id)) => *id,
            _ => return None,
        };
    }
    (!name.is_empty()).then_some(of)
}

const URI_PARSER: &str = "URI::RFC2396_Parser";

/// Defines a class or module of Ruby or Puppet.
pub fn native(classes: &mut ClassTable<'_>, name: &str, parent: ClassId, is_module: bool) -> ClassId {
    let (outer, constant) = name.rsplit_once("::").unwrap_or(("", name));
    let outer = if outer.is_empty() { OBJECT } else { named(classes, outer).unwrap_or_else(|| native(classes, outer, OBJECT, true)) };
    if let Some(RubyValue::Class(id)) = classes.get(outer).constants.get(constant) {
        return *id;
    }
    let superclass = (!is_module).then_some(parent);
    let id = classes.add(Class { name: name.to_owned(), is_module, superclass, is_native: true, ..Class::default() });
    classes.get_mut(outer).constants.insert(Name::from(constant), RubyValue::Class(id));
    id
}

impl<'w> Evaluator<'_, 'w> {
    /// Returns a constant of Ruby or Puppet that is known by its name only.
    pub(super) fn native_constant(&mut self, class: ClassId, constant: &str) -> Option<RubyValue<'w>> {
        let of = self.classes.get(class);
        let full = self.full_name(class, constant);
        match full.as_str() {
            "RUBY_VERSION" => return Some(RubyValue::str("3.1.2")),
            "RUBY_PLATFORM" => return Some(RubyValue::str("x86_64-linux-gnu")),
            "Float::INFINITY" => return Some(RubyValue::Float(f64::INFINITY)),
            "RUBY_ENGINE" => return Some(RubyValue::str("ruby")),
            "File::SEPARATOR" | "File::Separator" => return Some(RubyValue::str("/")),
            "Regexp::IGNORECASE" => return Some(RubyValue::Int(1)),
            "Regexp::EXTENDED" => return Some(RubyValue::Int(2)),
            "Regexp::MULTILINE" => return Some(RubyValue::Int(4)),
            "File::PATH_SEPARATOR" => return Some(RubyValue::str(":")),
            "URI::DEFAULT_PARSER" => return Some(RubyValue::Class(native(&mut self.classes, URI_PARSER, OBJECT, true))),
            "Puppet::PUPPETVERSION" => return Some(RubyValue::str(PUPPET_VERSION)),
            _ => {}
        }
        let is_class = constant.chars().any(|c| c.is_ascii_lowercase());
        if !of.is_native || class == OBJECT || !is_class {
            return None;
        }
        // A type by its constant: `Puppet::Type::File`.
        if class == self.native.type_class {
            return self.type_by_name(&ruby::snake_case(constant)).map(RubyValue::Class);
        }
        let host = self.classes.host(class);
        let parent = match (full.as_str(), host) {
            (_, Some(HostClass::Type)) if full.starts_with("Puppet::Type::") => {
                // `Puppet::Type::File::Owner` is an attribute, `Puppet::Type::User::ProviderUseradd` a provider.
                if constant.starts_with("Provider") { self.native.provider } else { self.native.property }
            }
            // What Puppet has there is listed above; other classes belong to modules that were not read.
            (_, Some(HostClass::Provider | HostClass::Property | HostClass::Parameter)) => return None,
            _ if constant.ends_with("Error") => self.native.error,
            _ => OBJECT,
        };
        let is_module = parent == OBJECT;
        Some(RubyValue::Class(native(&mut self.classes, &full, parent, is_module)))
    }

    /// Calls functions of Puppet's and Ruby's modules.
    pub(super) fn native_call(
        &mut self,
        frame: &RubyFrame<'w>,
        node: &Node<'w>,
        class: ClassId,
        method: &str,
        given: &CallArguments<'w>,
    ) -> Option<Eval<'w>> {
        let of = self.classes.get(class);
        if !of.is_native {
            return None;
        }
        // Its methods do what those of the module do, except that `regexp` are several patterns.
        let is_parser = of.name == URI_PARSER && method != "regexp";
        let name = if is_parser { "URI".to_owned() } else { of.name.clone() };
        let words: Option<Vec<String>> = given.plain.iter().map(RubyValue::word).collect();
        let first = given.plain.first().and_then(RubyValue::word);
        let unknown = |ruby: &Self, what: String| Some(Ok(ruby.unknown(frame, node, what)));
        match (name.as_str(), method) {
            ("Puppet::ResourceApi", "register_type") => {
                let value = given.all().into_iter().next().unwrap_or(RubyValue::Nil);
                let of = match &value {
                    RubyValue::Hash(hash) => hash.get(&RubyValue::sym("name")).and_then(|n| n.word()),
                    _ => None,
                };
                let class = self.classes.add(Class { superclass: Some(self.native.type_class), ..Class::default() });
                // A later declaration replaces an earlier one, but not if whether it runs is not known.
                let is_earlier = |t: &DeclaredType<'w>| t.is_in(frame.file, of.as_deref().unwrap_or_default());
                if self.doubtful().is_some() && self.types.iter().any(is_earlier) {
                    return unknown(self, "whether a type is declared in another way".into());
                }
                self.types.retain(|t| !is_earlier(t));
                self.types.push(DeclaredType {
                    name: of.unwrap_or_default(),
                    class,
                    options: Vec::new(),
                    file: frame.file,
                    at: ruby::place(node),
                    loaded_by: self.loading_file(),
                    resource_api: Some(value),
                });
                // The type needs its provider when a resource is created.
                if let Some(name) = self.types.last().map(|t| t.name.clone())
                    && let Err(super::Flow::Exhausted) = self.load(&format!("puppet/provider/{name}/{name}.rb"))
                {
                    return Some(Err(super::Flow::Exhausted));
                }
                Some(Ok(RubyValue::Class(class)))
            }
            ("Puppet", "version") => Some(Ok(RubyValue::str(PUPPET_VERSION))),
            ("Puppet", "[]") => unknown(self, format!("the setting `{}`", first.unwrap_or_default())),
            ("Puppet", "features") => unknown(self, "a feature of the machine".into()),
            ("Puppet", "debug" | "info" | "notice" | "warning" | "err" | "deprecation_warning" | "warnonce" | "warn_once") => {
                Some(Ok(RubyValue::Nil))
            }
            ("Facter", _) => unknown(self, format!("the fact `{}`", first.unwrap_or_default())),
            ("Puppet::Util::Package", "versioncmp") => match words.as_deref() {
                Some([a, b]) => Some(Ok(RubyValue::Int(rtype_lang::value::versioncmp(a, b) as i64))),
                _ => unknown(self, "a comparison of versions".into()),
            },
            ("Gem::Version" | "Gem::Requirement", _) => match self.gem_class_call(class, &name, method, given) {
                Some(found) => Some(found),
                None => unknown(self, format!("`{name}.{method}` is not supported")),
            },
            ("File" | "IO" | "Dir" | "YAML" | "Psych" | "JSON", _)
                if let Some(found) = self.module_file(frame, node, (&name, method), given) =>
            {
                Some(found)
            }
            ("File", "join") => {
                let parts = given.plain.iter().flat_map(|v| self.items_of(v).unwrap_or_else(|| vec![v.clone()]));
                let joined = parts.map(|v| v.word()).reduce(|path, next| {
                    let mut path = path?;
                    push_path(&mut path, &next?);
                    Some(path)
                });
                match joined.unwrap_or_else(|| Some(String::new())) {
                    Some(path) => Some(Ok(RubyValue::str(path))),
                    None => unknown(self, "a path".into()),
                }
            }
            ("File", "dirname") => words.as_deref().and_then(<[String]>::first).map(|p| Ok(RubyValue::str(ruby::dirname(p)))),
            ("File", "expand_path" | "realpath" | "absolute_path") => match words.as_deref() {
                Some([path]) => Some(Ok(RubyValue::str(ruby::join("/", path)))),
                Some([path, directory]) => Some(Ok(RubyValue::str(ruby::join(directory, path)))),
                _ => unknown(self, "a path".into()),
            },
            ("File", "basename") => match words.as_deref() {
                Some([path]) => Some(Ok(RubyValue::str(path.rsplit('/').next().unwrap_or_default()))),
                Some([path, suffix]) => {
                    let last = path.rsplit('/').next().unwrap_or_default();
                    let bare = if suffix == ".*" {
                        last.rsplit_once('.').map_or(last, |(b, _)| b)
                    } else {
                        last.strip_suffix(suffix.as_str()).unwrap_or(last)
                    };
                    Some(Ok(RubyValue::str(bare)))
                }
                _ => unknown(self, "a path".into()),
            },
            ("Struct", "new") => Some(self.new_struct(frame, node, class, given)),
            ("Pathname", "new") => first.map(|p| Ok(RubyValue::path(&p))),
            ("Regexp", "new" | "compile") => Some(Ok(self.regex_of(frame, node, given))),
            ("URI", "regexp" | "make_regexp") => {
                let schemes = given.plain.first().map(|v| self.items_of(v).unwrap_or_else(|| vec![v.clone()]));
                let words: Option<Vec<String>> = schemes.iter().flatten().map(|v| v.word()).collect();
                let Some(words) = words else { return unknown(self, "the schemes of a URI".into()) };
                let source = super::uris::absolute(&words);
                Some(Ok(RubyValue::Regex(Rc::new(super::value::RubyPattern { source, flags: String::new() }))))
            }
            ("Regexp", "escape" | "quote") => first.map(|t| Ok(RubyValue::str(super::data::escaped(&t)))),
            ("Regexp", "union") => Some(Ok(self.union(frame, node, given))),
            ("Set", "new" | "[]") => match (method, given.plain.first()) {
                ("[]", _) => Some(Ok(RubyValue::set(given.plain.clone()))),
                (_, None | Some(RubyValue::Nil)) => Some(Ok(RubyValue::set(Vec::new()))),
                (_, Some(of)) => match self.items_of(of) {
                    Some(items) => Some(Ok(RubyValue::set(items))),
                    None => unknown(self, "the elements of a set".into()),
                },
            },
            ("Array", "new") => Some(self.new_array(frame, node, given)),
            ("Array", "[]") => Some(Ok(RubyValue::array(given.plain.clone()))),
            ("Hash", "new") => Some(Ok(super::core::new_hash(given))),
            ("Hash", "[]") => Some(Ok(self.hash_from(frame, node, given))),
            ("String", "new") if given.plain.is_empty() => Some(Ok(RubyValue::str(""))),
            ("String", "new") => first.map(|text| Ok(RubyValue::str(text))),
            ("Range", "new") => match given.plain.as_slice() {
                [first, last] => Some(Ok(RubyValue::Range(Rc::new((first.clone(), last.clone(), false))))),
                _ => unknown(self, "a range".into()),
            },
            ("Proc", "new") => given.block.clone().map(|b| Ok(RubyValue::Proc(b))),
            ("Puppet::Util" | "Puppet::Util::Errors", "fail") => Some(self.raise("Puppet::Error", first.unwrap_or_default())),
            (_, "new" | "exception") if self.classes.is_a(class, named(&self.classes, "Exception").unwrap_or(OBJECT)) => {
                let object = super::value::RubyObject { class, variables: Default::default() };
                object.variables.borrow_mut().insert(Name::from("@message"), RubyValue::str(first.unwrap_or(name)));
                Some(Ok(RubyValue::Object(Rc::new(object))))
            }
            _ if name == "Object" || name == "Class" || name == "Module" => None,
            _ => unknown(self, format!("`{name}.{method}` is not supported")),
        }
    }
}

/// The version of Puppet whose behaviour is assumed.
pub const PUPPET_VERSION: &str = "7.23.0";
