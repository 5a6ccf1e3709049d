//! The keywords of the language: directives, options and kinds, each with its syntax and documentation.
//!
//! The rest of `lower` resolves names with these tables, and `describe --language` prints them; nothing is listed twice.

/// A keyword of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// The keyword.
    pub name: &'static str,
    /// The syntax.
    pub written: &'static str,
    /// The directives that take this keyword as an option; empty if the keyword is not an option.
    pub of: &'static [&'static str],
    /// The documentation in one line.
    pub doc: &'static str,
}

impl Word {
    /// Returns `true` if a directive takes a block.
    pub(super) fn takes_block(&self) -> bool {
        self.written.contains('{')
    }

    /// Returns `true` if a condition may follow a directive's arguments.
    pub(super) fn takes_condition(&self) -> bool {
        self.written.contains("[if ")
    }

    /// Returns `true` if the author chooses the names of a directive's options, such as commands or facts.
    pub(super) fn names_options(&self) -> bool {
        self.written.contains("NAME: ") || self.written.contains("FACT: ")
    }
}

/// Defines a table of keywords and, if a second name is given, a constant with the keywords alone.
macro_rules! words {
    ($(#[$meta:meta])* $table:ident { $($name:literal $written:literal $([$($of:literal)*])? $doc:literal;)* }) => {
        $(#[$meta])*
        pub const $table: &[Word] = &[$(Word { name: $name, written: $written, of: &[$($($of,)*)?], doc: $doc },)*];
    };
    ($(#[$meta:meta])* $names:ident $table:ident { $($name:literal $written:literal $doc:literal;)* }) => {
        $(#[$meta])*
        pub const $names: &[&str] = &[$($name,)*];
        words! { $(#[$meta])* $table { $($name $written $doc;)* } }
    };
}

words! {
    /// Directives in the body of a type.
    TYPE_DIRECTIVES TYPE_WORDS {
        "desc" "desc \"…\"" "what the type is for; the first sentence is its summary";
        "feature" "feature NAME, \"…\", methods: [m]" "something that providers may be able to do";
        "ensurable" "ensurable [{ … }]" "the property `ensure` with `present` and `absent`, or with the values of the block";
        "newparam" "newparam NAME, OPTIONS [{ … }]" "an attribute that configures how the resource is managed; it is never compared";
        "newproperty" "newproperty NAME, OPTIONS [{ … }]" "an attribute that is read from the machine, compared and changed";
        "title" "title { … }" "the canonical title in reports, where several titles mean the same";
        "title_patterns" "title_patterns { /…/ => a, b }" "how a title fills attributes: the first row that matches";
        "validate" "validate { … }" "a rule about the whole resource";
        "autorequire" "autorequire TYPE, … { … }" "what is managed before this resource, if it is declared";
        "autobefore" "autobefore TYPE, … { … }" "what is managed after this resource, if it is declared";
        "autonotify" "autonotify TYPE, … { … }" "what is managed after this resource and refreshed when it changes";
        "autosubscribe" "autosubscribe TYPE, … { … }" "what is managed before this resource and refreshes it when it changes";
        "pre_run_check" "pre_run_check { … }" "a check before any resource of the catalog is applied";
        "refresh" "refresh { … }" "what happens when something that the resource subscribes to has changed";
        "finalize" "finalize { self.x = … }" "changes attributes when all have their values";
        "late_finalize" "late_finalize { self.x = … }" "changes attributes when the resource's turn has come";
        "generate" "generate { resource(…) }" "resources that this one makes, once the catalog is complete";
        "eval_generate" "eval_generate { resource(…) }" "resources that this one makes when its turn has come";
        "canonicalize" "canonicalize { |values| … }" "converts all values of a resource together, those declared and those read";
        "purges" "purges { … }" "whether the resource removes undeclared resources without a limit";
        "include" "include NAME(…)" "inserts the directives of a mixin";
        "apply_to" "apply_to host" "where the type makes sense: `host`, `device` or `both`";
        "isomorphic" "isomorphic false" "several resources may have the same identity";
        "instances" "instances none" "listing all resources of the type makes no sense";
        "provider" "provider { isnamevar }" "the name of the provider belongs to the identity";
        "fn" "fn NAME(a, b = 1) { … }" "a function for the blocks of the type; it sees `self`";
        "const" "const NAME = e" "a constant; only at the top level of a file";
        "untranslated" "untranslated BLOCK, \"why\", ruby: \"…\"" "a block that the importer could not translate: what needs it is not checked and not applied";
    }
}

words! {
    /// Directives in the body of an attribute or kind.
    ATTRIBUTE_DIRECTIVES ATTRIBUTE_WORDS {
        "desc" "desc \"…\"" "what the attribute is";
        "isnamevar" "isnamevar" "a param identifies the resource; a property may be filled by `title_patterns`";
        "required" "required" "it must be given";
        "readonly" "readonly \"why\"" "it is read and shown, and cannot be set";
        "init_only" "init_only" "a property that is set when the resource is created, and not changed later";
        "sensitive" "sensitive [true]" "its value is always redacted";
        "deprecated" "deprecated \"use …\"" "setting it is a warning";
        "type" "type T" "a data type; text is converted to it";
        "newvalue" "newvalue V, event: E { … }" "an allowed value, and what sets it";
        "newvalues" "newvalues a, \"b\", /…/, *LIST" "allowed values";
        "aliasvalue" "aliasvalue OTHER, VALUE" "another name for an allowed value";
        "defaultto" "defaultto VALUE | { … }" "the value unless one is given";
        "nodefault" "nodefault" "takes the default of the kind away";
        "defaultvalues" "defaultvalues" "in `ensurable { … }`: `present` and `absent` in addition to the values of the block";
        "array_matching" "array_matching all" "as the option";
        "validate" "validate { |value| … }" "checks the value as it was given; `override validate` instead of all checks before it";
        "munge" "munge { |value| … }" "makes the value canonical; `override munge` instead of all steps before it";
        "conversion" "conversion \"why\"" "`munge` changes what is canonical already, on purpose";
        "from_title" "from_title { |text| … }" "the value for the text that a title gives";
        "unmunge" "unmunge { |value| … }" "what `self.x`, messages and providers see";
        "should" "should [shown] { |values| … }" "the desired value, built from all given values; with `shown` not for the comparison";
        "insync" "insync { |is| … }" "whether the property is in sync";
        "compare" "compare NAME | { |is, should| … }" "how the current and the desired value are compared";
        "is_to_s" "is_to_s { |value| … }" "how messages show the current value";
        "should_to_s" "should_to_s { |value| … }" "how messages show the desired value";
        "change_to_s" "change_to_s { |is, should| … }" "how messages describe a change";
        "retrieve" "retrieve { … }" "reads the current value";
        "sync" "sync { … }" "brings the property in sync";
        "redact" "redact is: \"…\", should: \"…\" [if c]" "texts that messages show instead of the values";
        "matches" "matches /…/, message: \"…\"" "the text of the value must match";
        "untranslated" "untranslated BLOCK, \"why\", ruby: \"…\"" "a block that the importer could not translate: what needs it is not checked and not applied";
    }
}

words! {
    /// Directives in the body of a provider, where any other word is a setting.
    PROVIDER_DIRECTIVES PROVIDER_WORDS {
        "desc" "desc \"…\"" "what the provider works with";
        "commands" "commands NAME: \"program\"" "programs without which it does not work";
        "optional_commands" "optional_commands NAME: \"program\"" "programs that it can do without";
        "confine" "confine FACT: v | exists: \"/…\" | feature: f | { … }" "where it works; every condition must hold";
        "defaultfor" "defaultfor FACT: v, …" "where it is preferred; the more facts fit, the more";
        "notdefaultfor" "notdefaultfor FACT: v, …" "where it is not preferred although `defaultfor` fits";
        "has_feature" "has_feature NAME | NAME, feature: f" "it has a feature of the type, where the platform has one";
        "has_features" "has_features a, b" "the same as `has_feature`";
        "queries" "queries [m, n?]" "methods that only read: every block may call them";
        "actions" "actions [m]" "methods that change the machine: action blocks may call them";
        "finalize" "finalize { self.x = … }" "changes attributes of a resource that uses it, before the resource is compared";
        "native" "native" "bound to the code that the program has under its type and name";
        "records" "records" "works with files of one record a line, as its settings `file_path`, `parse` and `print` say";
        "keyed" "keyed PROPERTY" "works with files of sections and settings, as its settings `file_path`, `section` and `setting` say";
        "command_lines" "command_lines" "works with programs, as its settings `to_list`, `to_read`, `to_create`, `to_update`, `to_delete` and `parse` say";
        "program" "program \"./x.py\", timeout: 60" "bound to a program that speaks `rtype-provider/1`";
        "untranslated" "untranslated confine, \"why\", ruby: \"…\"" "a condition that the importer could not translate: it never holds";
    }
}

words! {
    /// Options, with the directives that take them.
    OPTIONS {
        "self_refresh" "self_refresh: true" ["type"] "its own changes refresh a resource, too";
        "kind" "kind: NAME(…)" ["newparam" "newproperty" "kind"] "the kind that it builds upon";
        "array_matching" "array_matching: first | all" ["newparam" "newproperty"]
            "one matching value is enough, or the whole array must match (properties)";
        "required_features" "required_features: f | [f, g]" ["newparam" "newproperty" "newvalue" "newvalues"]
            "features of the provider without which it has no effect; a value is refused";
        "namevar" "namevar: true" ["newparam" "newproperty"] "the same as `isnamevar`";
        "boolean" "boolean: true" ["newparam" "newproperty"] "nothing: `self.x?` is there for every attribute";
        "event" "event: NAME" ["newvalue" "newvalues"] "the event that setting the value gives";
        "invalidate_refreshes" "invalidate_refreshes: true" ["newvalue" "newvalues"] "setting it drops refreshes that wait for the resource";
        "message" "message: \"… #{value}\"" ["matches" "confine"] "what to say instead of the usual text";
        "is" "is: \"…\"" ["redact"] "instead of the current value";
        "should" "should: \"…\"" ["redact"] "instead of the wanted value";
        "methods" "methods: [m]" ["feature"] "a provider that has all of these has the feature";
        "for" "for: TYPE" ["provider"] "the type that it is for";
        "parent" "parent: NAME | \"TYPE/NAME\"" ["provider"] "the provider that it builds upon";
        "source" "source: NAME" ["provider"] "the provider whose resources it lists as its own";
        "ruby" "ruby: \"…\"" ["untranslated"] "the Ruby code that it was";
        "timeout" "timeout: 300" ["program"] "how many seconds the program may take for an answer; 60 unless said";
        "exists" "exists: \"/…\"" ["confine"] "a path that must be there";
        "feature" "feature: NAME" ["confine" "defaultfor" "notdefaultfor" "has_feature" "has_features"] "a feature of the platform that must hold";
        "membership" "membership: PARAM" ["list" "ordered_list" "key_value"]
            "the param that says `minimum` or `inclusive`; without it always inclusive";
        "delimiter" "delimiter: \",\"" ["list" "ordered_list" "key_value"] "the text between elements";
        "separator" "separator: \"=\"" ["key_value"] "the text between key and value";
        "show" "show: changed" ["key_value"] "messages show only the pairs that change";
        "arrays" "arrays: true" ["path"] "a list of paths is allowed";
    }
}

words! {
    /// The built-in kinds, except for kinds that only metaparameters use.
    KINDS {
        "boolean" "kind: boolean" "true, false, yes, no, kept as `true` or `false`";
        "list" "kind: list(membership: PARAM, delimiter: \",\")" "a list without order; with `minimum` others may be there";
        "ordered_list" "kind: ordered_list(membership: PARAM, delimiter: \",\")" "a list in which order counts";
        "key_value" "kind: key_value(membership: PARAM, separator: \"=\", delimiter: \";\", show: changed)"
            "keys with values, as a map or as texts";
        "path" "kind: path(arrays: true)" "an absolute path";
        "package_options" "kind: package_options" "options of a package tool: texts and maps";
        "ini_value" "kind: ini_value(PARAM)" "a setting's text without blanks around it, hidden where the param is true";
        "file_owner" "kind: file_owner" "a user by name or number, compared by number";
        "file_group" "kind: file_group" "a group by name or number, compared by number";
        "file_mode" "kind: file_mode" "a file's mode, octal or symbolic";
        "file_content" "kind: file_content" "a file's content, compared by checksum";
        "file_source" "kind: file_source" "where a file's content comes from: a path or URI, or a list of them";
        "relationship" "kind: relationship" ["metaparameters"] "references to resources, as in `require`";
        "audit" "kind: audit" ["metaparameters"] "names of properties, or `all`, as in `audit`";
    }
}

/// Returns the options that a directive takes.
pub(super) fn options_of(word: &str) -> Vec<&'static str> {
    OPTIONS.iter().filter(|o| o.of.contains(&word)).map(|o| o.name).collect()
}
