//! Text → Ast, and back. pest stays behind [`parse_types`] and [`parse_manifest`].

pub mod ast;
