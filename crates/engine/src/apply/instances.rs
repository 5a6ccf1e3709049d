//! The resources in a run. A resource is withheld if a value is unknown, or if a block left in Ruby affects the run. Providers therefore
//! never see unknown values.

use crate::read::{DesiredResource, code_for};
use foldhash::fast::RandomState;
use rtype_lang::redact::Foreign;
use rtype_lang::types::CodeBlock;
use rtype_lang::value::Symbol;
use rtype_model::resource::{Context, Instance, Order, Phase, Undecided, generated, may_be_undecided, undecided};
use rtype_provider::{NativeProviders, Request, System};
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

/// Why a resource is refused: its type depends on code that rtype cannot run.
pub(super) const LEFT_IN_RUBY: &str = "not checked, because its type is not translated completely";

/// Resources by their number in the order. Resources generated during the run come last.
pub(super) struct Instances {
    all: Vec<Member>,
}

enum Member {
    /// A class or defined resource, or a resource set aside.
    Other,
    /// A resource to evaluate.
    Usable(Arc<Instance>),
    /// A resource that cannot be evaluated, with the reason.
    Unusable(Arc<Instance>, Foreign),
}

impl Instances {
    /// Stores the catalog's resources, which come first in the order. A resource with a reason cannot be evaluated. `len` is the length of
    /// the whole order.
    pub fn new(catalog: impl Iterator<Item = (Arc<Instance>, Option<Foreign>)>, len: usize) -> Self {
        let mut all: Vec<Member> = catalog.map(member).collect();
        all.resize_with(len, || Member::Other);
        Instances { all }
    }

    /// Returns a resource that can be evaluated.
    pub fn get(&self, thing: usize) -> Option<&Arc<Instance>> {
        match self.all.get(thing)? {
            Member::Usable(instance) => Some(instance),
            Member::Unusable(..) | Member::Other => None,
        }
    }

    /// Returns a resource that cannot be evaluated, with the reason.
    pub fn unusable(&self, thing: usize) -> Option<(&Arc<Instance>, &Foreign)> {
        match self.all.get(thing)? {
            Member::Unusable(instance, why) => Some((instance, why)),
            Member::Usable(_) | Member::Other => None,
        }
    }

    /// Returns a resource by number, even if the resource cannot be evaluated.
    pub fn named(&self, thing: usize) -> Option<&Arc<Instance>> {
        self.get(thing).or_else(|| Some(self.unusable(thing)?.0))
    }

    /// Iterates over all resources.
    pub fn all(&self) -> impl Iterator<Item = &Arc<Instance>> {
        (0..self.all.len()).filter_map(|thing| self.named(thing))
    }

    /// Replaces the entry with this number. Returns true if the number exists.
    pub fn replace(&mut self, thing: usize, new: (Arc<Instance>, Option<Foreign>)) -> bool {
        self.all.get_mut(thing).map(|old| *old = member(new)).is_some()
    }

    /// Adds a resource generated during the run.
    pub fn push(&mut self, new: (Arc<Instance>, Option<Foreign>)) {
        self.all.push(member(new));
    }

    /// Returns the number of members.
    pub fn len(&self) -> usize {
        self.all.len()
    }
}

fn member((instance, why): (Arc<Instance>, Option<Foreign>)) -> Member {
    match why {
        Some(why) => Member::Unusable(instance, why),
        None => Member::Usable(instance),
    }
}

/// Decides which resources can be evaluated.
pub(super) struct Admission<'a> {
    natives: &'a NativeProviders,
    system: &'a System,
    /// By type name: true if blocks may be left in Ruby.
    types: RefCell<HashMap<Symbol, bool, RandomState>>,
}

impl<'a> Admission<'a> {
    pub fn new(natives: &'a NativeProviders, system: &'a System) -> Self {
        Admission { natives, system, types: RefCell::default() }
    }

    /// Returns the reason if a resource cannot be evaluated: a value is unknown, or a block left in Ruby affects the run.
    pub fn refusal(&self, instance: &Instance, context: Context<'_>) -> Option<Foreign> {
        if let Some(why) = unknown(instance, self.natives) {
            return Some(why);
        }
        let type_def = &*instance.type_def;
        let may_be = *self.types.borrow_mut().entry(type_def.name.clone()).or_insert_with(|| may_be_undecided(type_def));
        if !may_be {
            return None;
        }
        undecided(instance, context).into_iter().find_map(|left| match self.checked_by_original(instance, &left, context) {
            Some(Ok(())) => None,
            Some(Err(why)) => Some(Foreign::from(format!("{}: ", left.block)).then(why)),
            None => Some(format!("{}: {LEFT_IN_RUBY}: {}", left.block, left.reason).into()),
        })
    }

    /// Runs `pre_run_check` in the type's Ruby code. Returns `None` if another block is left in Ruby, or if Ruby code does not decide for
    /// the type.
    fn checked_by_original(&self, instance: &Instance, left: &Undecided, context: Context<'_>) -> Option<Result<(), Foreign>> {
        const CHECK: &str = "pre_run_check";
        let code = code_for(instance, self.natives).filter(|code| code.decider().is_some() && left.block == CHECK)?;
        let (name, wanted) = (instance.name(), DesiredResource { instance, context });
        let checked = code.query(self.system, Request { name: &name, resource: &wanted }, CHECK, &[]);
        Some(checked.map(drop).map_err(|error| error.line()))
    }
}

/// Returns the error from a resource's relation block. Without these relations, the resource has no certain position in the order and
/// cannot be evaluated.
pub(super) fn unordered(thing: usize, order: &Order) -> Option<Foreign> {
    let relation = order.unresolved(thing)?;
    let left = if relation.is_untranslated { format!("{LEFT_IN_RUBY}: ") } else { String::new() };
    Some(format!("{}: {left}{}", relation.block(), relation.message).into())
}

/// Returns why a resource cannot be evaluated: an attribute has an unknown value.
pub(super) fn unknown(instance: &Instance, natives: &NativeProviders) -> Option<Foreign> {
    // The type's original code converts the values itself.
    let as_given = code_for(instance, natives).is_some_and(|code| code.decider().is_some());
    let attribute = instance.unknown_attribute(as_given)?;
    if let Some(why) = left_in_ruby(instance).filter(|_| !as_given) {
        return Some(why);
    }
    Some(not_known(attribute.name.as_str()))
}

/// Returns the message about an attribute with an unknown value.
pub(super) fn not_known(attribute: &str) -> Foreign {
    let help = "`--ruby-providers` calls the functions of deferred values";
    format!("{attribute}: what it should be is not known yet; {help}").into()
}

/// Returns why a resource cannot be managed: a required part of the type is left in Ruby.
pub(super) fn left_in_ruby(instance: &Instance) -> Option<Foreign> {
    let first = instance.not_checked().first()?;
    let attribute = first.attribute.as_ref().map(|a| format!("{a}: ")).unwrap_or_default();
    Some(format!("{attribute}{LEFT_IN_RUBY}: {}", first.reason).into())
}

/// Returns why a run without Ruby would refuse a resource: a required part of its type is left in Ruby.
pub(crate) fn refusal_without_ruby(instance: &Instance, context: Context<'_>) -> Option<Foreign> {
    if context.world.runs_ruby() || context.offline {
        return None;
    }
    left_in_ruby(instance).or_else(|| {
        let left = if may_be_undecided(&instance.type_def) { undecided(instance, context) } else { Vec::new() };
        left.first().map(|left| format!("{}: {LEFT_IN_RUBY}: {}", left.block, left.reason).into())
    })
}

/// Returns whether the `generate` block of a resource cannot be run, because it is left in Ruby.
pub(super) fn has_unknown_resources(instance: &Instance, context: Context<'_>) -> bool {
    let may_fail = instance.type_def.generate.as_ref().is_some_and(CodeBlock::has_untranslated);
    may_fail && generated(instance, Phase::Early, None, context).is_err_and(|failure| failure.is_untranslated())
}
