//! All integration tests in a single program, because linking several programs takes long. Each area has a module.
//!
//! `cargo test --test it AREA::` runs the tests of an area.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "tests may panic"
)]

mod common;

mod account_changes;
mod act;
mod agent;
mod apply;
mod bounds;
mod change_messages;
mod checking;
mod compiling;
mod completions;
mod corpus;
mod coverage;
mod created;
mod current_secrets;
mod declared;
mod describe;
mod diff;
mod directories;
mod docs;
mod documented;
mod embedded;
mod external;
mod failing_blocks;
mod files;
mod format;
mod formats;
mod hidden;
mod hostile;
mod house;
mod https;
mod idioms;
mod import;
mod input;
mod left_hooks;
mod lifecycle;
mod lookup;
mod lower;
mod lsp;
mod lsp_stream;
mod markers;
mod messages;
mod mistakes;
mod mutants;
mod native;
mod native_types;
mod new;
mod new_terminal;
mod noop;
mod oracle;
mod outputs;
mod pages;
mod parts;
mod programs;
mod properties;
mod purging;
mod repl;
mod resource;
mod ruby;
mod rules;
mod run;
mod schema;
mod secret_walk;
mod secrets;
mod signals;
mod site;
mod started;
mod started_paths;
mod statuses;
mod suppress;
mod syntax;
mod testing;
mod text_bytes;
mod text_formats;
mod text_walk;
mod tour;
mod trust;
mod umask;
mod undecided;
mod unimplemented;
mod words;
