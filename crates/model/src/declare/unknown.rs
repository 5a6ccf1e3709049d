//! Types of compiled catalogs that nobody knows: most come from modules.

use foldhash::fast::RandomState;
use indexmap::IndexMap;
use rtype_lang::diagnostics::{Code, Diagnostic};
use rtype_lang::library::Library;
use rtype_lang::source::Span;
use rtype_lang::value::Symbol;

/// The types, with how many resources there are of each. A catalog has hundreds of one type, so that they are told once.
#[derive(Clone, Debug, Default)]
pub struct UnknownTypes {
    types: IndexMap<Symbol, Unknown, RandomState>,
}

#[derive(Clone, Copy, Debug)]
struct Unknown {
    resources: usize,
    /// Where the first one stands.
    first: Span,
}

impl UnknownTypes {
    /// Counts a resource of a type that is among them; whether it is.
    pub(super) fn count(&mut self, type_name: &Symbol) -> bool {
        self.types.get_mut(type_name).map(|unknown| unknown.resources += 1).is_some()
    }

    /// Adds a type with its first resource.
    pub(super) fn add(&mut self, type_name: Symbol, first: Span) {
        self.types.insert(type_name, Unknown { resources: 1, first });
    }

    /// Adds those of another catalog.
    pub fn extend(&mut self, other: UnknownTypes) {
        for (name, unknown) in other.types {
            self.types.entry(name).and_modify(|u| u.resources += unknown.resources).or_insert(unknown);
        }
    }

    /// A warning for each type. Its resources are not checked.
    pub fn unchecked(&self, library: &Library) -> Vec<Diagnostic> {
        self.tell(library, Code::UncheckedType, |name, resources| match resources {
            1 => format!("unknown type `{name}`: one resource is not checked"),
            _ => format!("unknown type `{name}`: {resources} resources are not checked"),
        })
    }

    /// An error for each type: what nobody knows, nobody can apply.
    pub(super) fn unusable(&self, library: &Library) -> Vec<Diagnostic> {
        self.tell(library, Code::UnknownType, |name, resources| match resources {
            1 => format!("unknown type `{name}`: one resource cannot be applied"),
            _ => format!("unknown type `{name}`: {resources} resources cannot be applied"),
        })
    }

    fn tell(&self, library: &Library, code: Code, message: impl Fn(&str, usize) -> String) -> Vec<Diagnostic> {
        let names = library.names();
        let one = |(name, unknown): (&Symbol, &Unknown)| {
            let name = name.as_str();
            if names.iter().any(|n| n == name) {
                let message = format!("the type `{name}` has errors and cannot be used");
                return Diagnostic::new(code, unknown.first, message).help("`rtype check` on its file shows them");
            }
            let help = "name directories of Puppet modules with `--modulepath DIR`, directories of type files with `--types DIR`";
            Diagnostic::new(code, unknown.first, message(name, unknown.resources)).label("the first one").help(help)
        };
        self.types.iter().map(one).collect()
    }
}
