//! Directives of Puppet's types and providers that rtype does not support, each with an alternative.

use super::Sink;
use super::words::{ATTRIBUTE_DIRECTIVES, PROVIDER_DIRECTIVES, TYPE_DIRECTIVES};
use crate::diagnostics::{Code, Diagnostic};
use crate::syntax::ast::Directive;

/// The kind of body in which a directive is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DirectiveScope {
    /// The body of a type or mixin.
    Type,
    /// The body of an attribute or kind.
    Attribute,
    /// The body of a provider, where an unknown directive is a setting.
    Provider,
}

use DirectiveScope::{Attribute, Provider, Type};

const ALL: &[DirectiveScope] = &[Type, Attribute, Provider];

const STATE: &str = "blocks keep no state; compute the value in a `fn`";
const MODULE: &str =
    "the functions of Ruby's modules are built in, or written as `fn`; a `mixin` holds directives that several types share";
const OWN_CODE: &str =
    "the code of a provider is native: declare the method with `queries [m]` or `actions [m]`, or build upon a provider that has it";
const OPTION: &str = "it is an option: write it after the name, as in `newproperty size, required_features: sized, kind: list`";
const LOOP: &str = "each attribute is written by itself; what they have in common is a `kind`: `newproperty x, kind: NAME(arguments)`";
const RUBY: &str = "a type file holds declarations, no Ruby: functions are written as `fn name(args) { … }`";

/// The refused directives: the bodies, the names, and the alternative as help.
pub const REFUSED: &[(&[DirectiveScope], &[&str], &str)] = &[
    (
        ALL,
        &["newmetaparam"],
        "the eleven metaparameters are fixed, so that every tool knows them; declare a param in each type that needs one, or share it with a `mixin`",
    ),
    (ALL, &["newcheck"], "declare a param, and ask a query of the provider in the blocks that depend on it: `insync`, `sync`, `refresh`"),
    (ALL, &["apply_to_device"], "write `apply_to device`"),
    (ALL, &["apply_to_host"], "write `apply_to host`"),
    (ALL, &["apply_to_all"], "write `apply_to both`"),
    (ALL, &["accept_arrays"], "write `kind: path(arrays: true)`"),
    (ALL, &["isrequired"], "write `required`"),
    (ALL, &["namevar"], "write `isnamevar`"),
    (ALL, &["provide"], "write `provider NAME, for: TYPE { … }` at the top of the file"),
    (ALL, &["newtype"], "write `type NAME { … }` at the top of a file of that name"),
    (ALL, &["mk_resource_methods"], "a provider's readers and writers come from its body; leave it out"),
    (
        ALL,
        &["initvars", "cleanparams", "providify", "remove_method", "undef_method"],
        "a type is data, there is nothing to set up; leave it out",
    ),
    (ALL, &["def"], "write a function as `fn name(args) { … }`"),
    (ALL, &["attr_accessor", "attr_reader", "attr_writer"], STATE),
    (ALL, &["extend", "prepend"], MODULE),
    (
        ALL,
        &["class", "module", "begin", "loop", "if", "unless", "case", "private", "public", "protected", "alias_method", "define_method"],
        RUBY,
    ),
    (ALL, &["each", "each_pair", "each_with_index", "times", "for", "while", "until"], LOOP),
    (
        ALL,
        &["require", "require_relative", "load"],
        "write `use \"kinds/network\"` at the top of the file for kinds, mixins, functions and constants of another one",
    ),
    (ALL, &["raise"], "write `fail \"…\"` in a block"),
    (ALL, &["has_command"], "write `commands name: \"program\"` in the provider, or `optional_commands` where it can do without"),
    (&[Type], &["self"], "methods of the class are written as `fn`; `instances none` says that listing makes no sense"),
    (&[Type], &["copyparam"], "put the attribute into a `mixin` and `include` it in both types"),
    (&[Type], &["paramclass"], "write `provider { isnamevar }` in the type"),
    (&[Type], &["initialize"], "write `finalize { … }`: it sees the whole resource and may change its attributes"),
    (&[Type], &["depthfirst", "depthfirst?"], "generated resources are applied after the resource; set their `before` to change that"),
    (
        &[Type],
        &["exists?", "create", "destroy", "flush", "exist?"],
        "the provider does it; `newproperty ensure` has values with blocks and `retrieve` where none of that fits",
    ),
    (&[Type], &["retrieve", "sync"], "each property has its own: move it into the property"),
    (
        &[Type],
        &["finish", "suitable?", "to_resource", "uniqueness_key", "parameters_to_include", "needs_ensure_retrieved"],
        "the engine does that; leave it out",
    ),
    (
        &[Attribute],
        &["insync?", "safe_insync?", "is_insync?", "property_matches?"],
        "write `insync { |is| … }`, or `compare { |is, should| … }` for one value",
    ),
    (&[Attribute], &["unsafe_munge"], "write `munge { |value| … }`, or `override munge` to drop earlier steps"),
    (&[Attribute], &["unsafe_validate"], "write `validate { |value| … }`, or `override validate` to drop earlier steps"),
    (&[Attribute], &["unsafe_unmunge"], "write `unmunge { |value| … }`"),
    (&[Attribute], &["event_name"], "write the event at the value: `newvalue on, event: switched_on`"),
    (
        &[Attribute],
        &["membership", "delimiter", "separator", "inclusive?", "log_only_changed_or_new_keys"],
        "write it at the kind: `kind: list(membership: NAME, delimiter: \",\")`, `kind: key_value(show: changed)`",
    ),
    (&[Attribute], &["boolean", "parent", "kind", "required_features"], OPTION),
    (&[Attribute], &["set"], "write `sync { … }`, or give a value its own block: `newvalue on { … }`"),
    (&[Attribute], &["format", "to_s"], "to format values in messages, define `is_to_s`, `should_to_s` or `change_to_s`"),
    (&[Attribute], &["include"], "what attributes share is a `kind`: `newproperty size, kind: NAME`"),
    (&[Attribute], &["fail", "puts", "warning", "debug"], "write statements in a block: `validate { |value| … }`"),
    (&[Attribute], &["devfail"], "write `fail \"…\"` in a block"),
    (&[Attribute], &["idempotent", "noop", "call", "value_collection", "proxymethods"], "it has no effect on a resource; leave it out"),
    (&[Provider], &["include"], MODULE),
    (
        &[Provider],
        &["create", "destroy", "flush", "prefetch", "post_resource_eval", "initialize", "self", "instances", "method_missing"],
        OWN_CODE,
    ),
    (&[Provider], &["record_line", "text_line"], "how a file is taken apart is code of the provider, which is native"),
    (
        &[Provider],
        &["parent", "source", "resource_type", "for"],
        "it is an option: `provider NAME, for: TYPE, parent: NAME, source: NAME { … }`",
    ),
    (
        &[Provider],
        &["environment", "is_optional"],
        "programs are called by native code; a program that need not be there is one of `optional_commands`",
    ),
    (&[Provider], &["suitable?"], "it works where its commands are found and its conditions hold: write `confine { … }`"),
    (&[Provider], &["specificity", "default_match", "default?"], "write `defaultfor` with the facts that make it preferred"),
];

/// Returns `true` if a directive is refused in this body.
pub(super) fn is_refused(word: &str, place: DirectiveScope) -> bool {
    REFUSED.iter().any(|(places, names, _)| places.contains(&place) && names.contains(&word))
}

/// Returns `true` if a directive is refused in this body, and reports it.
pub(super) fn refused(directive: &Directive, place: DirectiveScope, sink: &Sink) -> bool {
    let name = directive.name.name.as_str();
    let found = REFUSED.iter().find(|(places, names, _)| places.contains(&place) && names.contains(&name));
    if let Some((_, _, instead)) = found {
        let elsewhere = [TYPE_DIRECTIVES, ATTRIBUTE_DIRECTIVES, PROVIDER_DIRECTIVES].iter().any(|d| d.contains(&name));
        let what = if elsewhere { "has no place here" } else { "does not exist in rtype" };
        sink.report(Diagnostic::new(Code::Refused, directive.name.span, format!("`{name}` {what}")).help(*instead));
    }
    found.is_some()
}
