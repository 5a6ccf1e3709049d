//! Puppet's classes in the interpreter.

use crate::puppet_methods::{OF_ATTRIBUTES, OF_PROVIDERS, OF_TYPES};
use rtype_ruby::run::{ClassKey, Interpreter, RunError, RuntimeValue};

/// The path of `LIBRARY`.
pub(crate) const LIBRARY_PATH: &str = "puppet.rb";

/// Ruby code of Puppet's classes.
const LIBRARY: &str = include_str!("../../data/puppet.rb");

/// Class methods that only declare a part, by class, with the method that `puppet.rb` calls and a method of `Property::KeyValue`.
const DECLARING: &[(&str, &[&str], &[&str])] = &[
    ("Puppet::Type", OF_TYPES, &["__declare", "__class"]),
    ("Puppet::Parameter", OF_ATTRIBUTES, &["log_only_changed_or_new_keys="]),
    ("Puppet::Provider", OF_PROVIDERS, &["__leaves_early"]),
];

/// Functions of Puppet that code may call on any object, whose results are not known.
const FUNCTIONS: &[&str] = &["_", "n_", "debug", "info", "notice", "warning", "err"];

/// Puppet's classes that a file can subclass.
const CLASSES: &[&str] = &[
    "Puppet::Type",
    "Puppet::Provider",
    "Puppet::Provider::ParsedFile",
    "Puppet::Provider::Package",
    "Puppet::Parameter",
    "Puppet::Parameter::Boolean",
    "Puppet::Parameter::Path",
    "Puppet::Parameter::PackageOptions",
    "Puppet::Property",
    "Puppet::Property::Boolean",
    "Puppet::Property::Ensure",
    "Puppet::Property::List",
    "Puppet::Property::OrderedList",
    "Puppet::Property::KeyValue",
    "Puppet::Type::File::Owner",
    "Puppet::Type::File::Group",
    "Puppet::Type::File::Mode",
];

/// Defines Puppet's classes, and returns them.
pub(super) fn define(run: &mut Interpreter<'_>) -> Result<Vec<ClassKey>, RunError> {
    run.define_global_constant("RUBY_VERSION", RuntimeValue::str("2.7.8"));
    run.run(LIBRARY_PATH, LIBRARY)?;
    for (class, methods, further) in DECLARING {
        let class = run.define_class(class, None, false);
        for method in methods.iter().chain(*further) {
            run.define_method(class, method, true);
        }
        run.define_method(class, "method_missing", true);
    }
    let words = run.define_class("Puppet::ProviderWords", None, true);
    OF_PROVIDERS.iter().chain(&["method_missing", "__leaves_early"]).for_each(|method| run.define_method(words, method, false));
    let types = run.define_class("Puppet::Type", None, false);
    super::lookup::METHODS.iter().for_each(|method| run.define_method(types, method, true));
    let api = run.define_class("Puppet::ResourceApi", None, true);
    ["register_type", "register_transport", "method_missing"].iter().for_each(|method| run.define_method(api, method, true));
    let features = run.define_class("Puppet::FeatureSet", None, true);
    ["add", "method_missing"].iter().for_each(|method| run.define_method(features, method, true));
    for class in [run.define_class("Puppet", None, true), run.define_class("File", None, false)] {
        run.define_method(class, "method_missing", true);
    }
    let kernel = run.define_class("Kernel", None, true);
    for function in FUNCTIONS {
        run.define_method(kernel, function, false);
    }
    Ok(CLASSES.iter().map(|class| run.define_class(class, None, false)).collect())
}
