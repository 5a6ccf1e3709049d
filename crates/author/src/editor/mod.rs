//! Support for editors of sources that may be unfinished: tokens, the context of the cursor, and descriptions. The language server, the
//! prompt and the playground use it.

pub mod candidates;
pub mod completion;
pub mod cursor;
pub mod describe;
pub mod lexer;
pub mod line_cursor;
pub mod suggestion;
pub mod tokens;
