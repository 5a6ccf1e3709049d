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

/// Methods of a type with which Puppet stores and reads attribute values.
const STORE: &[&str] = &[
    "[]",
    "[]=",
    "add_property_parameter",
    "copy_metaparams",
    "delete",
    "eachparameter",
    "eachproperty",
    "finish",
    "initialize",
    "managed?",
    "merge_into",
    "munge",
    "newattr",
    "original_parameters",
    "parameter",
    "parameters",
    "parameters_with_value",
    "properties",
    "property",
    "propertydefined?",
    "provider",
    "provider=",
    "remove",
    "set_default",
    "set_name",
    "set_parameters",
    "set_sensitive_parameters",
    "should",
    "validate_resource",
];

/// Class methods of a type that Puppet calls for `puppet resource` only.
const LISTING: &[&str] = &["instances", "parameters_to_include"];

/// Attribute methods with which Puppet compares and changes a property.
const COMPARING: &[&str] =
    &["idempotent?", "insync_values?", "match_all?", "prepare_is_for_comparison", "property_matches?", "safe_insync?"];
const CHANGING: &[&str] = &["call_provider", "event", "event_name", "set"];

/// Class methods for declarations in the body of an attribute.
const DECLARING: &[&str] = &[
    "aliasvalue",
    "array_matching=",
    "defaultto",
    "desc",
    "isnamevar",
    "isrequired",
    "munge",
    "newvalue",
    "newvalues",
    "nodefault",
    "unmunge",
    "validate",
];

/// The argument of `untranslated` for code that may change how the attribute is checked, converted and compared.
pub(super) const ATTRIBUTE: &str = "attribute";

/// Marks code that may change all attributes of the type.
pub(super) const TYPE: &str = "type";

/// Class methods of a type. Puppet calls them where they exist.
const OPTIONAL_CLASS_HOOKS: &[&str] = &["instances", "title_patterns", "suitable?", CONSTRUCTOR];

/// The method of Ruby that creates types and attributes.
const CONSTRUCTOR: &str = "new";

/// Returns whether Puppet defines a method: `class` is `type#`, `type.`, `attribute#` or `attribute.`.
pub(super) fn puppet_defines(class: &str, method: &str) -> bool {
    DEFINED.lines().any(|line| line.strip_prefix(class) == Some(method))
}

/// Returns the argument of `untranslated` for a replaced method of `Puppet::Type`.
pub(super) fn kept_of_hook(method: &str) -> &'static str {
    if STORE.contains(&method) || method == CONSTRUCTOR { TYPE } else { "validate" }
}

/// Returns the argument of `untranslated` for a replaced method of `Puppet::Property` or `Puppet::Parameter`.
pub(super) fn blocks_of_hook(method: &str) -> &'static str {
    match method {
        "insync?" | "retrieve" => "insync",
        "is_to_s" | "should_to_s" | "change_to_s" => "change_to_s",
        "sync" => "sync",
        "default" => "defaultto",
        _ if COMPARING.contains(&method) => "insync",
        _ if CHANGING.contains(&method) => "sync",
        _ => ATTRIBUTE,
    }
}

/// Returns whether a class method of a type only affects the list that `puppet resource` prints.
pub(super) fn only_lists(method: &str) -> bool {
    LISTING.contains(&method)
}

/// Returns whether the body of an attribute declares a part of it with a class method.
pub(super) fn declares_attribute(method: &str) -> bool {
    DECLARING.contains(&method)
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
    puppet_defines("attribute.", method) || method == CONSTRUCTOR
}
