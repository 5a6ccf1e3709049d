//! Finds the code that implements a provider.

use crate::declared::{CommandLines, DeclaredRecords, Keyed};
use crate::external::{External, ExternalProgram};
use crate::ruby::RubyProvider;
use crate::simulated::Simulated;
use crate::{Attribute, NativeProviders, Provider, ResourceShape};
use indexmap::IndexMap;
use rtype_lang::types::{ArrayMatching, DeclaredKind, ProgramDef, ProviderBody, ProviderDef, Role, TypeDef};
use rtype_lang::value::{EcoString, Symbol};
use std::sync::Arc;
use std::time::Duration;

/// The default timeout for a program that implements a provider.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// The reason why no code can read and change the resources of a type or provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MissingCode {
    /// The type has no provider.
    NoProvider {
        /// The type.
        type_name: Symbol,
    },
    /// The type is managed on devices, which rtype does not support.
    OnDevice {
        /// The type.
        type_name: Symbol,
    },
    /// Neither the provider nor an ancestor has an implementation.
    DeclaredOnly {
        /// The provider.
        provider: Symbol,
    },
    /// The provider is `native`, and this program does not contain its code.
    NotBuiltIn {
        /// The type.
        type_name: Symbol,
        /// The provider of it.
        provider: Symbol,
    },
}

impl std::fmt::Display for MissingCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            MissingCode::NoProvider { type_name } => {
                write!(f, "`{type_name}` has no provider; `--ruby-providers` runs those of modules")
            }
            MissingCode::OnDevice { type_name } => {
                write!(f, "`{type_name}` is managed on devices, not on this host, and rtype has no transport to devices")
            }
            MissingCode::DeclaredOnly { provider } => {
                write!(f, "provider `{provider}` is declared, but has no implementation; `--ruby-providers` runs those of modules")
            }
            MissingCode::NotBuiltIn { type_name, provider } => {
                write!(f, "provider `{provider}` of `{type_name}` is `native`, but this program does not contain its code")
            }
        }
    }
}

impl std::error::Error for MissingCode {}

/// Returns the code of a provider: the provider's body, or the body of the nearest ancestor.
///
/// # Errors
/// If the provider is only declared, if this program has no code for its `native`, or if the type is managed on devices only.
pub fn code_of(type_def: &TypeDef, provider: &ProviderDef, natives: &NativeProviders) -> Result<Arc<dyn Provider>, MissingCode> {
    if let Some(simulated) = simulated(type_def, natives)? {
        return Ok(simulated);
    }
    let declared_only = || MissingCode::DeclaredOnly { provider: provider.name.clone() };
    let Some((of, worker)) = type_def.worker(provider) else {
        let ruby = natives.programs.ruby().ok_or_else(declared_only)?;
        return Ok(Arc::new(RubyProvider::new(shape(type_def), Some(provider.name.text()), Arc::clone(ruby))));
    };
    match &worker.body {
        ProviderBody::None => Err(declared_only()),
        ProviderBody::Native(_) => {
            let native = natives.get(of.name.as_str(), worker.name.as_str());
            let missing = || MissingCode::NotBuiltIn { type_name: of.name.clone(), provider: worker.name.clone() };
            native.cloned().ok_or_else(missing)
        }
        ProviderBody::Program(program) => {
            let conversation = natives.programs.of(of.name.as_str(), &program_of(program));
            Ok(Arc::new(External::new(shape(type_def), conversation, natives.programs.catalog())))
        }
        ProviderBody::Declared(declared) => {
            let shape = shape(type_def);
            Ok(match &declared.kind {
                DeclaredKind::Records => Arc::new(DeclaredRecords::new(shape)),
                DeclaredKind::Keyed(property) => Arc::new(Keyed::new(shape, property.clone())),
                DeclaredKind::CommandLines => {
                    let actions = type_def.lineage(provider).flat_map(|(_, provider)| provider.actions.iter().cloned());
                    Arc::new(CommandLines::new(shape, actions.collect()))
                }
            })
        }
    }
}

/// Returns the code for a resource without a provider: the type's Ruby code, if a module has the type. `None` if the type needs no code,
/// because the type has no properties or its blocks read and compare every property. With `has_unchecked_parts`, code left in Ruby decides
/// about a value of the resource.
///
/// # Errors
/// If the type needs a provider and has no Ruby code, or if the type is managed on devices only.
pub fn code_without_provider(
    type_def: &TypeDef,
    has_unchecked_parts: bool,
    natives: &NativeProviders,
) -> Result<Option<Arc<dyn Provider>>, MissingCode> {
    if let Some(simulated) = simulated(type_def, natives)? {
        return Ok(type_def.needs_provider().then_some(simulated));
    }
    let ruby = natives.programs.ruby().filter(|ruby| ruby.has_type(type_def.name.as_str()));
    let is_managed = type_def.providers.is_empty() && (has_unchecked_parts || type_def.properties().next().is_some());
    match ruby.filter(|_| is_managed) {
        Some(ruby) => Ok(Some(Arc::new(RubyProvider::new(shape(type_def), None, Arc::clone(ruby))))),
        None if type_def.needs_provider() => Err(MissingCode::NoProvider { type_name: type_def.name.clone() }),
        None => Ok(None),
    }
}

/// Returns the code that simulates resources, if the run is simulated.
///
/// # Errors
/// If the run is not simulated and the type is managed on devices only.
fn simulated(type_def: &TypeDef, natives: &NativeProviders) -> Result<Option<Arc<dyn Provider>>, MissingCode> {
    match natives.simulation() {
        Some(simulation) => Ok(Some(Arc::new(Simulated::new(type_def, simulation)))),
        None if type_def.applies_to_host => Ok(None),
        None => Err(MissingCode::OnDevice { type_name: type_def.name.clone() }),
    }
}

/// Returns whether a provider has code, so that its resources can be read.
pub fn has_code(type_def: &TypeDef, provider: &ProviderDef, natives: &NativeProviders) -> bool {
    let has = natives.programs.ruby().is_some() || type_def.worker(provider).is_some();
    natives.simulation().is_some() || (type_def.applies_to_host && has)
}

/// Returns the program with its timeout, ready to run.
pub fn program_of(def: &ProgramDef) -> ExternalProgram {
    let time_limit = def.timeout.map_or(TIME_LIMIT, Duration::from_secs);
    ExternalProgram { path: def.path.clone(), directory: def.directory.clone(), arguments: Vec::new(), time_limit }
}

/// Returns the shape of a type for programs: its properties and params, without `provider` and metaparams.
pub fn shape(type_def: &TypeDef) -> ResourceShape {
    let is_own = |role: Role, name: &str| role != Role::Metaparam && name != "provider";
    let attributes = type_def.attributes.iter().filter(|a| is_own(a.role, a.name.as_str()));
    let attribute = |a: &rtype_lang::types::AttributeDef| {
        let literals = a.values.literals().map(|s| (s.text(), s.clone()));
        let aliases = a.values.aliases.iter().map(|alias| (alias.name.text(), alias.target.clone()));
        let symbols: IndexMap<EcoString, Symbol> = literals.chain(aliases).collect();
        Attribute {
            is_property: a.role == Role::Property,
            is_secret: a.sensitive,
            is_list: a.array_matching == ArrayMatching::All,
            symbols,
            data_type: a.data_type.clone(),
        }
    };
    let namevars = type_def.namevars.iter().filter_map(|id| type_def.attribute(*id)).map(|a| a.name.clone());
    ResourceShape {
        type_name: type_def.name.text(),
        namevars: namevars.filter(|n| n.as_str() != "provider").collect(),
        attributes: attributes.map(|a| (a.name.clone(), attribute(a))).collect(),
    }
}
