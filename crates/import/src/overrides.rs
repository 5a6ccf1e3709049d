//! The methods of Puppet that the Ruby code of a type replaces if it defines methods of the same names.

/// The methods that Puppet itself defines for types and attributes, recorded by `tests/hooks/record.rb`. Ruby code that defines a method of
/// such a name replaces a part of Puppet. A line is `type` or `attribute`, `#` for a method of objects or `.` for a method of classes, and
/// the name.
const OF_PUPPET_ITSELF: &str = include_str!("../data/puppet-hooks.txt");

/// Methods that Puppet calls if a type defines them.
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

/// Methods that Puppet calls if the class of a type defines them.
const OPTIONAL_CLASS_HOOKS: &[&str] = &["instances", "title_patterns", "suitable?"];

/// Returns whether Puppet defines a method: `class` is `type#`, `type.`, `attribute#` or `attribute.`.
fn is_of_puppet(class: &str, method: &str) -> bool {
    OF_PUPPET_ITSELF.lines().any(|line| line.strip_prefix(class) == Some(method))
}

/// Returns whether Puppet calls a method of a resource, so that a type that defines it changes what Puppet does.
pub(super) fn is_type_hook(method: &str) -> bool {
    OPTIONAL_HOOKS.contains(&method) || is_of_puppet("type#", method)
}

/// Returns whether Puppet calls a method of the class of a type.
pub(super) fn is_type_class_hook(method: &str) -> bool {
    OPTIONAL_CLASS_HOOKS.contains(&method) || is_of_puppet("type.", method)
}

/// Returns whether Puppet calls a method of an attribute.
pub(super) fn is_attribute_hook(method: &str) -> bool {
    is_of_puppet("attribute#", method) || method == "default"
}

/// Returns whether Puppet calls a method of the class of an attribute.
pub(super) fn is_attribute_class_hook(method: &str) -> bool {
    is_of_puppet("attribute.", method)
}
