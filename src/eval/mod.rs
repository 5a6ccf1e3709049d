//! The block interpreter. Pure: all it knows of a machine comes through [`World`].

mod world;

pub use world::{NoWorld, World};
