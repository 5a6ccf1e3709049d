//! Measures the time of a resource: declares 100,000 resources of each type (validated, munged, defaulted) and
//! compares them with a state.
//!
//! `cargo bench --bench resources_time` prints one line per type: `TYPE NANOSECONDS`, the CPU time of one resource in
//! the best of three rounds. `benches/resources/against-puppet` compares them with Puppet's.
#![allow(missing_docs, clippy::unwrap_used, reason = "a benchmark")]

mod declared;

use cpu_time::ProcessTime;
use declared::{COUNT, TYPES, prepare};
use rtype_lang::types::AttrId;
use rtype_lang::value::Value;
use rtype_model::declare::{DeclareOptions, declare};
use rtype_model::resource::{Catalog, Context, Status, compare_all};
use std::time::Duration;

const ROUNDS: usize = 3;

fn main() {
    for (name, make) in TYPES {
        let (declarations, library, context) = prepare(name, make);
        let mut best = Duration::MAX;
        for _ in 0..ROUNDS {
            let start = ProcessTime::now();
            let declared = declare(&declarations, &library, context, DeclareOptions::into_catalog(Catalog::default()));
            assert!(declared.diagnostics.is_empty(), "{:?}", declared.diagnostics.first());
            assert_eq!(declared.catalog.len(), COUNT);
            let mut different = 0;
            for instance in declared.catalog.iter() {
                let type_def = &instance.type_def;
                let absent = Value::sym("absent");
                let is = |id: AttrId| {
                    let ensure = type_def.attribute(id).is_some_and(|a| a.name.as_str() == "ensure");
                    Ok(if ensure { instance.get("ensure") } else { absent.clone() })
                };
                let verdict = compare_all(instance, &is, Context { catalog: &declared.catalog, ..context });
                different += verdict.properties.iter().filter(|c| matches!(c.status, Status::OutOfSync(_))).count();
            }
            assert!(different >= COUNT);
            best = best.min(start.elapsed());
        }
        println!("{name} {}", best.as_nanos() / COUNT as u128);
    }
}
