//! What a resource costs in memory: 100,000 of a type are declared, and what they and their catalog take up is counted.
//!
//! `cargo bench --bench resources_memory`. Prints one line a type: `TYPE BYTES`, those of one resource without its texts that are
//! too long to stand in the values themselves: these any program has to keep.
#![allow(missing_docs, clippy::unwrap_used, reason = "a benchmark")]

mod declared;

use declared::{COUNT, TYPES, prepare};
use peak_alloc::PeakAlloc;
use rtype::engine::declare_into;
use rtype::resource::{Catalog, Instance};
use rtype::value::{EcoString, Value};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

fn main() {
    for (name, make) in TYPES {
        let (declarations, mut library, context) = prepare(name, make);
        let before = ALLOCATOR.current_usage();
        let declared = declare_into(Catalog::default(), &declarations, &mut library, context);
        let all = ALLOCATOR.current_usage() - before;
        assert_eq!(declared.catalog.len(), COUNT);
        let texts: usize = declared.catalog.iter().map(|i| texts(i)).sum();
        println!("{name} {}", (all - texts) / COUNT);
    }
}

/// The bytes of an instance's texts that are too long to stand in the values themselves.
fn texts(instance: &Instance) -> usize {
    let long = |text: &str| if text.len() > EcoString::INLINE_LIMIT { text.len() } else { 0 };
    let of_values = instance.slots.iter().flat_map(|s| s.wanted()).filter(|v| !matches!(v, Value::Sym(_)));
    of_values.filter_map(Value::as_text).map(long).sum()
}
