//! Puppet's classes in the interpreter.

use rtype_ruby::run::{Interpreter, RunError, RuntimeValue};

/// Ruby code of Puppet's classes.
const LIBRARY: &str = include_str!("../../data/puppet.rb");

/// Class methods that only declare something, by class.
const WORDS: &[(&str, &[&str])] = &[
    (
        "Puppet::Type",
        &[
            "validate",
            "autorequire",
            "autobefore",
            "autonotify",
            "autosubscribe",
            "feature",
            "apply_to_device",
            "apply_to_host",
            "apply_to_all",
            "apply_to",
            "desc",
            "doc=",
            "newmetaparam",
            "map_title_patterns",
            "isomorphic",
            "__declare",
        ],
    ),
    (
        "Puppet::Parameter",
        &[
            "desc",
            "doc=",
            "isnamevar",
            "isrequired",
            "newvalue",
            "newvalues",
            "aliasvalue",
            "defaultto",
            "nodefault",
            "defaultvalues",
            "validate",
            "munge",
            "unmunge",
            "array_matching=",
            "array_matching",
            "sensitive",
            "required_features=",
            "unmanaged=",
            "accept_arrays",
            "log_only_changed_or_new_keys=",
        ],
    ),
    (
        "Puppet::Provider",
        &[
            "desc",
            "doc=",
            "commands",
            "optional_commands",
            "has_command",
            "confine",
            "defaultfor",
            "notdefaultfor",
            "has_feature",
            "has_features",
            "mk_resource_methods",
            "initvars",
            "text_line",
            "record_line",
        ],
    ),
];

/// Functions of Puppet that code may call on any object, whose results are not known.
const FUNCTIONS: &[&str] = &["_", "n_", "debug", "info", "notice", "warning", "err"];

/// Defines Puppet's classes.
pub(super) fn define(run: &mut Interpreter<'_>) -> Result<(), RunError> {
    run.define_global_constant("RUBY_VERSION", RuntimeValue::str("2.7.8"));
    run.run("puppet.rb", LIBRARY)?;
    for (class, words) in WORDS {
        let class = run.define_class(class, None, false);
        for word in *words {
            run.define_method(class, word, true);
        }
        run.define_method(class, "method_missing", true);
    }
    let puppet = run.define_class("Puppet", None, true);
    run.define_method(puppet, "method_missing", true);
    let kernel = run.define_class("Kernel", None, true);
    for function in FUNCTIONS {
        run.define_method(kernel, function, false);
    }
    Ok(())
}
