//! Method names with a meaning for Puppet. Ruby code of a type with such a method replaces a part of Puppet.

/// The methods that Puppet defines for types and attributes, recorded by `tests/hooks/record.rb`. A line is `type` or `attribute`, then
/// `#` for a method of objects or `.` for a method of classes, then the name.
const DEFINED: &str = include_str!("../data/puppet-hooks.txt");

/// Methods of a type without a definition in Puppet. Puppet calls them where they exist.
const OPTIONAL_HOOKS: &[&str] = &[
    "exists?",
    "flush",
    "instances",
    "refresh",
    "generate",
    "eval_generate",
    "title_patterns",
    "self_refresh?",
    "evaluate",
    "finish",
    "munge",
    "validate",
];

/// Class methods of a type. Puppet calls them where they exist.
const OPTIONAL_CLASS_HOOKS: &[&str] = &["instances", "title_patterns", "suitable?"];

/// Returns whether Puppet defines a method: `class` is `type#`, `type.`, `attribute#` or `attribute.`.
fn puppet_defines(class: &str, method: &str) -> bool {
    DEFINED.lines().any(|line| line.strip_prefix(class) == Some(method))
}

/// Returns whether Puppet calls this method of a resource.
pub(super) fn is_type_hook(method: &str) -> bool {
    OPTIONAL_HOOKS.contains(&method) || puppet_defines("type#", method)
}

/// Returns whether Puppet calls a method of the class of a type.
pub(super) fn is_type_class_hook(method: &str) -> bool {
    OPTIONAL_CLASS_HOOKS.contains(&method) || puppet_defines("type.", method)
}

/// Returns whether Puppet calls a method of an attribute.
pub(super) fn is_attribute_hook(method: &str) -> bool {
    puppet_defines("attribute#", method) || method == "default"
}

/// Returns whether Puppet calls a method of the class of an attribute.
pub(super) fn is_attribute_class_hook(method: &str) -> bool {
    puppet_defines("attribute.", method)
}
