//! Unknown types in compiled catalogs, mostly types from modules.

use foldhash::fast::RandomState;
use indexmap::IndexMap;
use rtype_lang::diagnostics::{Code, Diagnostic, nearest, suggest_nearest};
use rtype_lang::library::TypeSet;
use rtype_lang::source::Span;
use rtype_lang::value::Symbol;

/// Unknown types with their resource counts. A catalog can contain hundreds of resources with the same unknown type, so each type is
/// reported once.
#[derive(Clone, Debug, Default)]
pub struct UnknownTypes {
    types: IndexMap<Symbol, Unknown, RandomState>,
}

#[derive(Clone, Copy, Debug)]
struct Unknown {
    resources: usize,
    /// Location of the first resource.
    first: Span,
}

impl UnknownTypes {
    /// Counts another resource with a recorded type. Returns `false` if the type is not recorded.
    pub(super) fn count(&mut self, type_name: &Symbol) -> bool {
        self.types.get_mut(type_name).map(|unknown| unknown.resources += 1).is_some()
    }

    /// Records a type and the first resource found.
    pub(super) fn add(&mut self, type_name: Symbol, first: Span) {
        self.types.insert(type_name, Unknown { resources: 1, first });
    }

    /// Merges the types of another catalog.
    pub fn extend(&mut self, other: UnknownTypes) {
        for (name, unknown) in other.types {
            self.types.entry(name).and_modify(|u| u.resources += unknown.resources).or_insert(unknown);
        }
    }

    /// Removes types whose names do not resemble a known type: they are probably types of modules that were not read. Returns the number of
    /// their resources.
    pub fn take_foreign(&mut self, types: &TypeSet) -> usize {
        let names = types.names();
        let mut resources = 0;
        self.types.retain(|name, unknown| {
            let is_similar = nearest(name.as_str(), names.iter().map(String::as_str)).is_some();
            resources += if is_similar { 0 } else { unknown.resources };
            is_similar
        });
        resources
    }

    /// Returns a warning for each type. Resources with an unknown type are not checked.
    pub fn unchecked(&self, types: &TypeSet) -> Vec<Diagnostic> {
        self.report(types, Code::UncheckedType, |name, resources| match resources {
            1 => format!("unknown type `{name}`: one resource is not checked"),
            _ => format!("unknown type `{name}`: {resources} resources are not checked"),
        })
    }

    /// Returns an error for each type. Resources with an unknown type cannot be applied.
    pub(super) fn unusable(&self, types: &TypeSet) -> Vec<Diagnostic> {
        self.report(types, Code::UnknownType, |name, resources| match resources {
            1 => format!("unknown type `{name}`: one resource cannot be applied"),
            _ => format!("unknown type `{name}`: {resources} resources cannot be applied"),
        })
    }

    fn report(&self, types: &TypeSet, code: Code, message: impl Fn(&str, usize) -> String) -> Vec<Diagnostic> {
        let names = types.names();
        let one = |(name, unknown): (&Symbol, &Unknown)| {
            let name = name.as_str();
            if names.iter().any(|n| n == name) {
                let message = format!("the type `{name}` has errors and cannot be used");
                return Diagnostic::new(code, unknown.first, message).help("`rtype check` on its file shows them");
            }
            let help = "name directories of Puppet modules with `--modulepath DIR`, directories of type files with `--types DIR`";
            let help = suggest_nearest(name, names.iter().map(String::as_str)).unwrap_or_else(|| help.into());
            Diagnostic::new(code, unknown.first, message(name, unknown.resources)).label("the first one").help(help)
        };
        self.types.iter().map(one).collect()
    }
}
