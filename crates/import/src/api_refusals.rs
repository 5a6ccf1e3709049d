//! Definitions that `Puppet::ResourceApi.register_type` refuses.
//!
//! Follows `validate_schema` of `type_definition.rb` and `register_type` of `resource_api.rb` in the library 1.8.16.

use super::eval::RubyValue;
use super::items::LoadedRuby;
use super::ruby::{ByteRange, group_names};
use std::collections::BTreeSet;

/// Why Puppet refuses a type.
#[derive(Clone, Debug)]
pub struct TypeRefusal {
    /// Location of the entry.
    pub at: ByteRange,
    /// Index of its file.
    pub file: usize,
    /// The reason.
    pub reason: String,
    /// How to correct it.
    pub help: &'static str,
    /// Whether the type cannot be imported. Otherwise only its resources are refused.
    pub is_left_out: bool,
}

impl TypeRefusal {
    /// Returns what Puppet refuses.
    pub fn what(&self) -> &'static str {
        if self.is_left_out { "this type" } else { "resources of this type" }
    }
}

const HELP: &str = "correct the definition: `Puppet::ResourceApi.register_type` raises an error";

/// Names that attributes cannot have.
const RESERVED: &[&str] = &[
    "title",
    "provider",
    "alias",
    "audit",
    "before",
    "consume",
    "export",
    "loglevel",
    "noop",
    "notify",
    "require",
    "schedule",
    "stage",
    "subscribe",
    "tag",
];

/// Values of `behaviour`.
const BEHAVIOURS: &[&str] = &["read_only", "namevar", "parameter", "init_only"];

type Pairs<'p> = Vec<(RubyValue<'p>, RubyValue<'p>)>;

/// Returns why the library refuses a definition at a place, as far as the definition is known.
pub(super) fn refusal<'p>(definition: &RubyValue<'p>, at: &ByteRange, file: usize, loaded: &LoadedRuby<'_, 'p>) -> Option<TypeRefusal> {
    let place = |within: &ByteRange, key: &str| loaded.entry(file, within, key).unwrap_or_else(|| within.clone());
    let refused = |at: ByteRange, reason: String| Some(TypeRefusal { at, file, reason, help: HELP, is_left_out: true });
    let Some(pairs) = pairs(definition) else {
        return is_known(definition).then(|| refused(at.clone(), "the definition must be a hash".into())).flatten();
    };
    if !pairs.iter().all(|(key, _)| is_known(key)) {
        return None;
    }
    if find(&pairs, "name").is_none() {
        return refused(at.clone(), "`name` is missing".into());
    }
    let Some(attributes) = find(&pairs, "attributes") else { return refused(at.clone(), "`attributes` is missing".into()) };
    let within = place(at, "attributes");
    if !is_hash(attributes) {
        return refused(within, "`attributes` must be a hash".into());
    }
    if find(&pairs, "docs").is_some() && find(&pairs, "desc").is_some_and(|desc| desc.is_true() == Some(true)) {
        return refused(place(at, "docs"), "both `desc` and `docs` are given".into());
    }
    for (key, options) in self::pairs(attributes).unwrap_or_default() {
        let Some(name) = key.word() else { continue };
        // The library looks for symbols.
        let is_reserved = RESERVED.contains(&name.as_str()) && matches!(key, RubyValue::Sym(_));
        let refusal =
            if is_reserved { Some((None, format!("no attribute can be called `{name}`"))) } else { attribute_refusal(&name, &options) };
        if let Some((entry, reason)) = refusal {
            let own = place(&within, &name);
            return refused(entry.map_or_else(|| own.clone(), |entry| place(&own, entry)), reason);
        }
    }
    if find(&pairs, "title_patterns").is_some_and(|given| is_known(given) && !matches!(given, RubyValue::Array(_))) {
        return refused(place(at, "title_patterns"), "`title_patterns` must be an array".into());
    }
    if find(&pairs, "features").is_some_and(|given| is_known(given) && !given.is_nil() && !matches!(given, RubyValue::Array(_))) {
        return refused(place(at, "features"), "`features` must be an array".into());
    }
    let relations = ["autorequire", "autobefore", "autonotify", "autosubscribe"];
    let wrong = relations.into_iter().find(|of| find(&pairs, of).is_some_and(|given| !given.is_nil() && !is_hash(given)));
    if let Some(of) = wrong {
        return refused(place(at, of), format!("`{of}` must be a hash"));
    }
    // `register_type` accepts the rest, and the first resource raises an error.
    if let Some(group) = unknown_group(&pairs, attributes) {
        return Some(unknown_title_attribute(&group, place(at, "title_patterns"), file));
    }
    let help = "add `behaviour: :namevar` to the attribute that names the resource";
    let reason = "no attribute is a namevar, so that no resource can be created".to_owned();
    has_no_namevar(attributes).then_some(TypeRefusal { at: within, file, reason, help, is_left_out: true })
}

/// Describes a title pattern that sets something else than attributes.
pub(super) fn unknown_title_attribute(name: &str, at: ByteRange, file: usize) -> TypeRefusal {
    TypeRefusal {
        at,
        file,
        reason: format!("a title pattern sets `{name}`, which is not an attribute"),
        help: "declare the attribute, or correct its name in `title_patterns`",
        is_left_out: false,
    }
}

/// Returns the first group of the title patterns that no attribute has the name of.
fn unknown_group(definition: &Pairs<'_>, attributes: &RubyValue<'_>) -> Option<String> {
    let names: Option<BTreeSet<String>> = pairs(attributes)?.iter().map(|(key, _)| key.word()).collect();
    let (names, RubyValue::Array(patterns)) = (names?, find(definition, "title_patterns")?) else { return None };
    let patterns = patterns.borrow();
    let mut sources = patterns.0.iter().filter_map(|entry| match find(&pairs(entry)?, "pattern") {
        Some(RubyValue::Regex(regex)) => Some(regex.source.to_string()),
        _ => None,
    });
    sources.find_map(|source| {
        let groups = group_names(&source).filter_map(|at| source.get(at..)?.split('>').next());
        groups.map(str::to_owned).find(|group| !names.contains(group))
    })
}

fn has_no_namevar(attributes: &RubyValue<'_>) -> bool {
    let may_be_namevar = |options: &RubyValue<'_>| {
        let Some(options) = pairs(options) else { return true };
        let behaviours = options.iter().filter(|(key, _)| key.word().is_none_or(|key| key == "behaviour" || key == "behavior"));
        behaviours.into_iter().any(|(_, value)| !is_known(value) || value.word().as_deref() == Some("namevar"))
    };
    pairs(attributes).is_some_and(|all| all.iter().all(|(key, options)| is_known(key) && !may_be_namevar(options)))
}

/// Returns why the library refuses an attribute, and the entry of its options.
fn attribute_refusal(name: &str, options: &RubyValue<'_>) -> Option<(Option<&'static str>, String)> {
    if name == "rsapi_custom_insync_trigger" {
        return Some((None, format!("the name `{name}` is reserved")));
    }
    if !is_known(options) {
        return None;
    }
    let Some(options) = pairs(options) else { return Some((None, format!("the options of `{name}` must be a hash"))) };
    let Some(data_type) = find(&options, "type") else { return Some((None, format!("`{name}` has no `type`"))) };
    let (first, second) = (find(&options, "behaviour"), find(&options, "behavior"));
    let is_given = |value: Option<&RubyValue<'_>>| value.is_some_and(|value| value.is_true() == Some(true));
    if is_given(first) && is_given(second) {
        return Some((Some("behavior"), format!("`{name}` has both `behaviour` and `behavior`")));
    }
    if let Some(value) = [first, second].into_iter().flatten().find(|value| is_known(value) && value.is_true() == Some(true)) {
        let is_valid = matches!(value, RubyValue::Sym(word) if BEHAVIOURS.contains(&&**word));
        if !is_valid {
            let entry = if is_given(first) { "behaviour" } else { "behavior" };
            let shown = value.word().unwrap_or_default();
            return Some((Some(entry), format!("`{shown}` is not a behaviour: `:{}`", BEHAVIOURS.join("`, `:"))));
        }
    }
    let text: String = data_type.word()?.split_whitespace().collect();
    if name == "ensure" && !is_ensure(&text.replace(['\'', '"'], "")) && is_known(data_type) {
        return Some((Some("type"), "the type of `ensure` must be `Enum[present, absent]` or `Optional[Enum[present, absent]]`".into()));
    }
    (text.matches('[').count() != text.matches(']').count() && !text.contains(['\'', '"', '/']))
        .then(|| (Some("type"), format!("the type of `{name}` has unbalanced brackets")))
}

/// Returns whether the library accepts a data type of `ensure`, written without blanks and quotes: the words `present` and `absent`, and nil.
fn is_ensure(data_type: &str) -> bool {
    let inner = |of: &str| data_type.strip_prefix(of).and_then(|rest| rest.strip_suffix(']')).map(|list| list.trim_end_matches(','));
    if let Some(words) = inner("Enum[") {
        // `true` ignores case.
        let words: BTreeSet<&str> = words.split(',').filter(|word| *word != "true").collect();
        return words == BTreeSet::from(["absent", "present"]);
    }
    if let Some(optional) = inner("Optional[") {
        return !optional.starts_with("Optional[") && is_ensure(optional);
    }
    let mut members: BTreeSet<&str> = inner("Variant[").map(members).unwrap_or_default();
    members.remove("Undef");
    members.len() == 1 && members.first().is_some_and(|member| is_ensure(member))
}

/// Splits a list of data types at its own commas.
fn members(list: &str) -> BTreeSet<&str> {
    let mut depth = 0_usize;
    let is_separator = |c: char| {
        match c {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    };
    list.split(is_separator).collect()
}

fn pairs<'p>(value: &RubyValue<'p>) -> Option<Pairs<'p>> {
    let RubyValue::Hash(hash) = value else { return None };
    Some(hash.pairs.borrow().iter().map(|(key, value)| (key.clone(), value.clone())).collect())
}

/// Returns the value of a symbol: the library does not look for texts.
fn find<'e, 'p>(pairs: &'e Pairs<'p>, of: &str) -> Option<&'e RubyValue<'p>> {
    pairs.iter().rev().find(|(key, _)| matches!(key, RubyValue::Sym(word) if **word == *of)).map(|(_, value)| value)
}

/// Returns whether a value is a hash, or may be one.
fn is_hash(value: &RubyValue<'_>) -> bool {
    matches!(value, RubyValue::Hash(_)) || !is_known(value)
}

fn is_known(value: &RubyValue<'_>) -> bool {
    value.unknown().is_none()
}
