//! The functions of the module stdlib that need no machine.

mod arrays;
mod booleans;
mod checks;
mod deprecation;
mod escapes;
mod facts;
mod hashes;
mod json;
mod loading;
mod network;
mod paths;
mod ranges;
mod resources;
mod seeds;
mod selection;
mod toml;
mod validation;
mod writing;

use crate::compile::function::Table;

/// The tables of functions.
pub static TABLES: &[Table] = &[
    Table { module: "stdlib", rows: arrays::TABLE },
    Table { module: "stdlib", rows: booleans::TABLE },
    Table { module: "stdlib", rows: checks::TABLE },
    Table { module: "stdlib", rows: deprecation::TABLE },
    Table { module: "stdlib", rows: escapes::TABLE },
    Table { module: "stdlib", rows: facts::TABLE },
    Table { module: "stdlib", rows: hashes::TABLE },
    Table { module: "stdlib", rows: loading::TABLE },
    Table { module: "stdlib", rows: network::TABLE },
    Table { module: "stdlib", rows: paths::TABLE },
    Table { module: "stdlib", rows: ranges::TABLE },
    Table { module: "stdlib", rows: resources::TABLE },
    Table { module: "stdlib", rows: seeds::TABLE },
    Table { module: "stdlib", rows: selection::TABLE },
    Table { module: "stdlib", rows: validation::TABLE },
    Table { module: "stdlib", rows: writing::TABLE },
];
