//! Measures the memory of a resource: declares 100,000 resources of each type, and counts the bytes of these and
//! their catalog.
//!
//! `cargo bench --bench resources_memory` prints one line per type: `TYPE BYTES`, the bytes of one resource without
//! texts that are too long to be stored inline, which any program has to keep.
#![allow(missing_docs, clippy::unwrap_used, reason = "a benchmark")]

mod declared;

use declared::{COUNT, TYPES, prepare};
use peak_alloc::PeakAlloc;
use rtype_lang::value::{EcoString, Value};
use rtype_model::declare::{DeclareOptions, declare};
use rtype_model::resource::{Catalog, Instance};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

fn main() {
    for (name, make) in TYPES {
        let before = ALLOCATOR.current_usage();
        let (declarations, library, context) = prepare(name, make);
        let catalog = declare(&declarations, &library, context, DeclareOptions::into_catalog(Catalog::default())).catalog;
        // Only count what the resources keep of their declarations.
        drop((declarations, library));
        let all = ALLOCATOR.current_usage() - before;
        assert_eq!(catalog.len(), COUNT);
        let texts: usize = catalog.iter().map(|i| texts(i)).sum();
        println!("{name} {}", (all - texts) / COUNT);
    }
}

/// Returns the bytes of an instance's texts that are too long to be stored inline, each counted once.
fn texts(instance: &Instance) -> usize {
    // The header that the string library stores before the text.
    const HEADER: usize = 2 * size_of::<usize>();
    let values = instance.slots.iter().flat_map(|s| s.wanted()).filter_map(|v| if let Value::Str(text) = v { Some(text) } else { None });
    let mut distinct: Vec<&EcoString> = [&instance.title].into_iter().chain(values).collect();
    distinct.sort();
    distinct.dedup();
    distinct.iter().map(|text| text.len()).filter(|len| *len > EcoString::INLINE_LIMIT).map(|len| len + HEADER).sum()
}
