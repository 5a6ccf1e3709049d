//! Versions and requirements of RubyGems: `Gem::Version.new(Puppet.version) < Gem::Version.new('6')`.

use super::classes::ClassId;
use super::value::{CallArguments, Name, RubyObject, RubyValue};
use super::{Eval, Evaluator};
use rtype_lang::value::GemVersion;
use std::rc::Rc;

impl<'w> Evaluator<'_, 'w> {
    /// Calls a method of a class of RubyGems; `None` if an argument or the method is not known.
    pub(super) fn gem_class_call(&self, class: ClassId, of: &str, method: &str, given: &CallArguments<'w>) -> Option<Eval<'w>> {
        let texts: Vec<RubyValue<'w>> = given.plain.iter().flat_map(|v| self.items_of(v).unwrap_or_else(|| vec![v.clone()])).collect();
        let words: Vec<String> = texts.iter().map(text_of).collect::<Option<_>>()?;
        let first = words.first()?;
        Some(match (of, method) {
            ("Gem::Version", "correct?") => Ok(RubyValue::Bool(GemVersion::parse(first).is_some())),
            ("Gem::Version", "new" | "create") if GemVersion::parse(first).is_none() => {
                self.raise("ArgumentError", format!("Malformed version number string {first}"))
            }
            ("Gem::Requirement", "new" | "create") if !words.iter().all(|w| GemVersion::is_requirement(w)) => {
                self.raise("Gem::Requirement::BadRequirementError", format!("Illformed requirement [\"{first}\"]"))
            }
            ("Gem::Version" | "Gem::Requirement", "new" | "create") => {
                let object = RubyObject { class, variables: Default::default() };
                object.variables.borrow_mut().insert(Name::from(TEXT), RubyValue::str(words.join("\n")));
                Ok(RubyValue::Object(Rc::new(object)))
            }
            _ => return None,
        })
    }

    /// Calls a method of a version or a requirement.
    pub(super) fn gem_call(&self, of: &RubyObject<'w>, method: &str, given: &CallArguments<'w>) -> Option<Eval<'w>> {
        let class = &self.classes.get(of.class).name;
        let text = of.variables.borrow().get(TEXT).and_then(RubyValue::word)?;
        let other = given.plain.first().and_then(text_of).and_then(|text| GemVersion::parse(&text));
        if class == "Gem::Requirement" {
            let version = other.filter(|_| matches!(method, "satisfied_by?" | "===" | "=~"))?;
            return Some(Ok(RubyValue::Bool(text.lines().all(|one| version.satisfies(one) == Some(true)))));
        }
        let version = GemVersion::parse(&text).filter(|_| class == "Gem::Version")?;
        Some(Ok(match method {
            "to_s" | "version" => RubyValue::str(version.text()),
            "prerelease?" => RubyValue::Bool(version.is_prerelease()),
            "<=>" => RubyValue::Int(version.compare(&other?) as i64),
            "<" => RubyValue::Bool(version.compare(&other?).is_lt()),
            "<=" => RubyValue::Bool(version.compare(&other?).is_le()),
            ">" => RubyValue::Bool(version.compare(&other?).is_gt()),
            ">=" => RubyValue::Bool(version.compare(&other?).is_ge()),
            "==" => RubyValue::Bool(version.compare(&other?).is_eq()),
            "!=" => RubyValue::Bool(version.compare(&other?).is_ne()),
            "between?" => {
                let last = given.plain.get(1).and_then(text_of).and_then(|text| GemVersion::parse(&text))?;
                RubyValue::Bool(version.compare(&other?).is_ge() && version.compare(&last).is_le())
            }
            _ => return None,
        }))
    }
}

/// The variable with the text.
const TEXT: &str = "@version";

/// Returns the text of a version, or of what becomes one.
fn text_of(value: &RubyValue<'_>) -> Option<String> {
    match value {
        RubyValue::Str(text) => Some(text.borrow().clone()),
        RubyValue::Int(number) => Some(number.to_string()),
        RubyValue::Object(object) => object.variables.borrow().get(TEXT).and_then(RubyValue::word),
        _ => None,
    }
}
