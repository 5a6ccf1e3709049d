//! What it does: finds examples in descriptions that are not understood, or that the type refuses.
//!
//! Why: what is copied from a description must work. Examples grow wrong when an attribute is renamed or a value goes.
//!
//! Example:
//!
//! ````rtype
//! type door {
//!   desc """
//!     A door of the house.
//!
//!     ```puppet
//!     door { 'front':
//!       colour => red,
//!     }
//!     ```
//!     """
//!   newparam name
//!   newproperty color { newvalues red, green }
//! }
//! ````
//!
//! Better:
//!
//! ````rtype
//! type door {
//!   desc """
//!     A door of the house.
//!
//!     ```puppet
//!     door { 'front':
//!       color => red,
//!     }
//!     ```
//!     """
//!   newparam name
//!   newproperty color { newvalues red, green }
//! }
//! ````
//!
//! It looks at what stands between ```` ```puppet ```` and ```` ``` ````. What only a compiler understands is left alone.

use crate::check::descriptions::{descriptions, examples, place};
use crate::check::{Sink, TypeSubject};
use crate::diagnostics::{Code, Diagnostic};
use crate::eval::UnknownWorld;
use crate::manifest::from_manifest;
use crate::resource::{Context, NoCatalog, Preparation};
use crate::source::{SourceMap, Span};
use crate::syntax::ast::StrLit;
use crate::syntax::parse_manifest;
use std::sync::Arc;

pub fn check(subject: &TypeSubject<'_>, sink: &mut Sink<'_>) {
    for (_, text) in descriptions(subject) {
        let Some(doc) = text.plain() else { continue };
        for example in examples(&doc) {
            look(subject, text, &example, sink);
        }
    }
}

fn look(subject: &TypeSubject<'_>, text: &StrLit, example: &str, sink: &mut Sink<'_>) {
    let mut sources = SourceMap::new();
    let Ok(source) = sources.add("example", example) else { return };
    let (manifest, mut found) = parse_manifest(&source);
    let (declarations, more) = from_manifest(&manifest, &UnknownWorld);
    found.extend(more);
    // Where a compiler is needed, what is left says little.
    if found.iter().any(|d| d.code == Code::NeedsCompiler) {
        return;
    }
    let around = subject.file.around;
    let context = Context { world: &UnknownWorld, catalog: &NoCatalog, backend: None, strict: false, trace: false, offline: true };
    for declared in &declarations.resources {
        let name = declared.type_name.as_str();
        let own = (name == subject.type_def.name.as_str()).then_some(subject.type_def);
        match own.or_else(|| around.library.registry.get(name)) {
            Some(type_def) => found.extend(Preparation::new(Arc::clone(type_def), context).build(declared, context).diagnostics),
            None if around.types.contains(name) => {}
            None => found.push(around.library.unknown_type(name, declared.type_span)),
        }
    }
    let Some(wrong) = found.into_iter().find(Diagnostic::is_error) else { return };
    let span = match wrong.span() {
        Span::NONE => text.span,
        at => {
            let line = source.position(at.start).line as usize;
            place(subject.file.source, text, example.lines().nth(line.saturating_sub(1)).unwrap_or_default().trim())
        }
    };
    let found = sink.finding(span, format!("this example does not work: {}", wrong.message));
    sink.report(found.maybe_help(wrong.help));
}
