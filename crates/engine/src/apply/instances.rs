//! The resources of a run. One with a value that is not known yet is never handed out, so that no provider sees such a value.

use crate::read::code_for;
use rtype_lang::redact::Foreign;
use rtype_model::resource::Instance;
use rtype_provider::NativeProviders;
use std::sync::Arc;

/// Why a resource is refused whose type depends on code that rtype cannot run.
pub(super) const LEFT_IN_RUBY: &str = "not checked, because its type is not translated completely";

/// Resources by their number in the order; those generated during the run come last.
pub(super) struct Instances<'a> {
    natives: &'a NativeProviders,
    all: Vec<Member>,
}

enum Member {
    /// A class or defined resource, or a resource that was set aside.
    Other,
    /// A resource that can be evaluated.
    Usable(Arc<Instance>),
    /// A resource that cannot, and why.
    Unusable(Arc<Instance>, Foreign),
}

impl<'a> Instances<'a> {
    /// Takes the resources of a catalog, which are first in the order, and leaves room for the rest of the order, which has `len` members.
    pub fn new<'c>(catalog: impl Iterator<Item = &'c Arc<Instance>>, len: usize, natives: &'a NativeProviders) -> Self {
        let mut all: Vec<Member> = catalog.map(|instance| member(Arc::clone(instance), natives)).collect();
        all.resize_with(len, || Member::Other);
        Instances { natives, all }
    }

    /// Returns a resource that can be evaluated.
    pub fn get(&self, thing: usize) -> Option<&Arc<Instance>> {
        match self.all.get(thing)? {
            Member::Usable(instance) => Some(instance),
            Member::Unusable(..) | Member::Other => None,
        }
    }

    /// Returns a resource that cannot be evaluated, and why.
    pub fn unusable(&self, thing: usize) -> Option<(&Arc<Instance>, &Foreign)> {
        match self.all.get(thing)? {
            Member::Unusable(instance, why) => Some((instance, why)),
            Member::Usable(_) | Member::Other => None,
        }
    }

    /// Returns a resource, whether it can be evaluated or not, for its name.
    pub fn named(&self, thing: usize) -> Option<&Arc<Instance>> {
        self.get(thing).or_else(|| Some(self.unusable(thing)?.0))
    }

    /// Iterates over the resources that can be evaluated.
    pub fn usable(&self) -> impl Iterator<Item = &Arc<Instance>> {
        (0..self.all.len()).filter_map(|thing| self.get(thing))
    }

    /// Iterates over all resources.
    pub fn all(&self) -> impl Iterator<Item = &Arc<Instance>> {
        (0..self.all.len()).filter_map(|thing| self.named(thing))
    }

    /// Replaces what has a number in the order; returns whether there is such a number.
    pub fn replace(&mut self, thing: usize, instance: Arc<Instance>) -> bool {
        let new = member(instance, self.natives);
        self.all.get_mut(thing).map(|old| *old = new).is_some()
    }

    /// Adds a resource that was generated during the run.
    pub fn push(&mut self, instance: Arc<Instance>) {
        self.all.push(member(instance, self.natives));
    }

    /// Returns the number of members.
    pub fn len(&self) -> usize {
        self.all.len()
    }
}

fn member(instance: Arc<Instance>, natives: &NativeProviders) -> Member {
    match unknown(&instance, natives) {
        Some(why) => Member::Unusable(instance, why),
        None => Member::Usable(instance),
    }
}

/// Returns why a resource cannot be evaluated: a value of it is not known yet.
pub(super) fn unknown(instance: &Instance, natives: &NativeProviders) -> Option<Foreign> {
    // The original code of a type converts values itself.
    let as_given = code_for(instance, natives).is_some_and(|code| code.decides());
    let attribute = instance.unknown_attribute(as_given)?;
    if let Some(why) = left_in_ruby(instance).filter(|_| !as_given) {
        return Some(why);
    }
    Some(not_known(attribute.name.as_str()))
}

/// Returns the message about an attribute whose value is not known yet.
pub(super) fn not_known(attribute: &str) -> Foreign {
    let help = "`--ruby-providers` calls the functions of deferred values";
    format!("{attribute}: what it should be is not known yet; {help}").into()
}

/// Returns why a resource cannot be managed: it depends on a part of its type that is left in Ruby.
pub(super) fn left_in_ruby(instance: &Instance) -> Option<Foreign> {
    let first = instance.not_checked().first()?;
    let attribute = first.attribute.as_ref().map(|a| format!("{a}: ")).unwrap_or_default();
    Some(format!("{attribute}{LEFT_IN_RUBY}: {}", first.reason).into())
}
