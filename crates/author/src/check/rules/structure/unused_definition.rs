//! What it does: Reports unused definitions: functions, constants, kinds, mixins, type aliases, imported files, local
//! variables, and parameters.
//!
//! Why: Readers look for the use of a definition. Often a use of the definition is misspelled or was forgotten.
//!
//! Example:
//!
//! ```rtype
//! const COLORS = %w[red green]
//!
//! type door {
//!   newparam name
//!   newproperty color {
//!     validate { |v|
//!       let small = v.downcase
//!       fail "no color" unless v == "red"
//!     }
//!   }
//! }
//! ```
//!
//! Better:
//!
//! ```rtype
//! const COLORS = %w[red green]
//!
//! type door {
//!   newparam name
//!   newproperty color {
//!     validate { |v|
//!       let small = v.downcase
//!       fail "no color" unless COLORS.include?(small)
//!     }
//!   }
//! }
//! ```
//!
//! Mark unused parameters with `_`: `|_key, value|`. Parameters of a directive's block, such as `|is, should|`, need no mark. In a file
//! without types and providers, only local variables and parameters are examined, because other files can use its definitions. In Ruby,
//! only what blocks of types name is examined: providers are read in part.
//!
//! Fix: safe; marks parameters of closures and variables of a `let` with several with `_`, and removes `use`.

use crate::check::written::removal;
use crate::check::{FileSubject, Sink};
use rtype_lang::diagnostics::Code;
use rtype_lang::diagnostics::Diagnostic;
use rtype_lang::lower::NameKind;
use rtype_lang::source::Span;
use rtype_lang::syntax::ast::{Closure, Declaration, Directive, DirectiveBlock, Expr, ExprKind, FnDecl, Ident, Item, Use};
use rtype_lang::syntax::visit::{Visit, walk_expr, walk_function, walk_item};
use std::collections::HashSet;

pub fn check(file: &FileSubject<'_>, sink: &mut Sink<'_>) {
    let mut locals = Locals::default();
    for item in &file.ast.items {
        if let Item::Kind(d) | Item::Mixin(d) = item {
            d.params.iter().for_each(|p| locals.declare(&p.name, Role::Parameter));
        }
        // Providers in Ruby are read in part.
        if !(file.is_ruby() && matches!(item, Item::Provider(_))) {
            walk_item(&mut locals, item);
        }
    }
    let is_left = locals.parts > 0;
    locals.unread(file).for_each(|d| sink.report(d));
    // Unread code may use any definition.
    let is_broken = is_left || file.ast.items.iter().any(|i| matches!(i, Item::Error(_)));
    // Other files use a file without types, so they determine which definitions are needed.
    if is_broken || !file.ast.items.iter().any(|i| matches!(i, Item::Type(_) | Item::Provider(_))) {
        return;
    }
    definitions(file, sink);
    for item in &file.ast.items {
        if let Item::Use(used) = item
            && !is_needed(file, used)
        {
            let found = sink.finding(used.path_span, format!("nothing of `{}` is used here", used.path));
            sink.report(found.help("drop it").fixes("drop the `use`", true, vec![removal(file.source, used.span)]));
        }
    }
}

/// The kind of a local variable.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Let,
    /// A variable in a `let` with several variables.
    Part,
    Closure,
    Function,
    /// A parameter of a kind or mixin.
    Parameter,
}

/// The locals and parameters in a file, without the parameters of directives' blocks.
#[derive(Default)]
struct Locals<'a> {
    declared: Vec<(&'a Ident, Role)>,
    /// The names on the left of assignments, which are not reads.
    assigned: HashSet<Span>,
    /// Number of parts left in Ruby, which may read any local in scope.
    parts: usize,
}

impl<'a> Locals<'a> {
    fn declare(&mut self, name: &'a Ident, role: Role) {
        self.declared.push((name, role));
    }

    /// Looks at code. If part of the code is left in Ruby, its locals are not examined.
    fn within(&mut self, look: impl FnOnce(&mut Self)) {
        let (declared, parts) = (self.declared.len(), self.parts);
        look(self);
        if self.parts > parts {
            self.declared.truncate(declared);
        }
    }

    /// Returns a diagnostic for each local that is never read.
    fn unread(self, file: &FileSubject<'_>) -> impl Iterator<Item = Diagnostic> {
        let references = file.around.references;
        let Locals { declared, assigned, .. } = self;
        declared.into_iter().filter_map(move |(local, role)| {
            // Code with errors may not have been lowered.
            let is_marked = local.name.starts_with('_') || !file.is_written(&local.name, local.span);
            let is_known = references.is_definition(local.span) && !is_marked;
            let (changes, reads): (Vec<Span>, Vec<Span>) = references.uses(local.span).partition(|at| assigned.contains(at));
            (is_known && reads.is_empty()).then(|| unread(local, role, !changes.is_empty()))
        })
    }
}

fn unread(Ident { name, span }: &Ident, role: Role, is_changed: bool) -> Diagnostic {
    let (what, help) = match role {
        Role::Let | Role::Part => ("the local", "drop it, or use it"),
        Role::Closure => ("the parameter", "leave it out, or say by a name like `_x` that it is not needed"),
        Role::Function | Role::Parameter => ("the parameter", "drop it, here and where it is given, or use it"),
    };
    let found = Diagnostic::new(Code::UnusedDefinition, *span, format!("{what} `{name}` is never read")).help(help);
    match role {
        Role::Closure | Role::Part if !is_changed => found.fix(format!("call it `_{name}`"), Span::new(span.start, span.start), "_"),
        _ => found,
    }
}

impl<'a> Visit<'a> for Locals<'a> {
    fn closure(&mut self, closure: &'a Closure, of: Option<&'a Directive>) {
        self.within(|locals| {
            if of.is_none() {
                closure.params.iter().for_each(|p| locals.declare(p, Role::Closure));
            }
            locals.block(&closure.body);
        });
    }

    fn function(&mut self, function: &'a FnDecl) {
        self.within(|locals| {
            function.params.iter().for_each(|p| locals.declare(&p.name, Role::Function));
            walk_function(locals, function);
        });
    }

    fn expr(&mut self, expr: &'a Expr) {
        match &expr.kind {
            ExprKind::Let(names, _) => {
                let role = if names.len() > 1 { Role::Part } else { Role::Let };
                names.iter().for_each(|name| self.declare(name, role));
            }
            ExprKind::Assign { target, .. } if matches!(target.kind, ExprKind::Name(_)) => {
                self.assigned.insert(target.span);
            }
            ExprKind::Call(call) if call.name.name == "untranslated" => self.parts += 1,
            ExprKind::Try { params, .. } => params.iter().for_each(|p| self.declare(p, Role::Closure)),
            _ => {}
        }
        walk_expr(self, expr);
    }
}

/// Returns the name that an item defines for other items, the item's kind, and the span in which uses do not count.
fn defined(item: &Item) -> Option<(&Ident, &'static str, Span)> {
    Some(match item {
        Item::Kind(d) => (&d.name, "kind", d.span),
        Item::Mixin(d) => (&d.name, "mixin", d.span),
        Item::Fn(f) => (&f.name, "function", f.span),
        Item::Const(c) => (&c.name, "constant", c.span),
        Item::TypeAlias(t) => (&t.name, "data type", t.span),
        _ => return None,
    })
}

/// Reports definitions that are used neither in the file, except by themselves, nor in another file.
fn definitions(file: &FileSubject<'_>, sink: &mut Sink<'_>) {
    // Untranslated Ruby and other files may call definitions that come from Ruby.
    if file.around.types.sources.is_derived(file.source) {
        return;
    }
    let references = file.around.references;
    let types = file.ast.items.iter().filter_map(|i| if let Item::Type(d) = i { Some(d) } else { None });
    // Tests of a type with errors are unknown, and may use any function. A file that other files use may define things for them.
    let start = Span::new(file.source.base(), file.source.base());
    let has_tests = file.ast.items.iter().any(|i| matches!(i, Item::Test(_)));
    if has_tests && types.clone().count() > file.types.len() || references.uses(start).next().is_some() {
        return;
    }
    for (name, what, own) in file.ast.items.iter().filter_map(defined).chain(types.flat_map(functions)) {
        if references.uses(name.span).all(|at| own.contains(at)) {
            let found = sink.finding(name.span, format!("the {what} `{}` is never used", name.name));
            sink.report(found.help("drop it, or use it"));
        }
    }
}

/// Returns the functions of a type.
fn functions(declaration: &Declaration) -> impl Iterator<Item = (&Ident, &'static str, Span)> {
    declaration.body.directives.iter().filter_map(|d| match &d.block {
        Some(DirectiveBlock::Fn(f)) => Some((&f.name, "function", d.span)),
        _ => None,
    })
}

/// Returns `true` if this file, or another file that this file uses, refers to a definition in a used file.
fn is_needed(file: &FileSubject<'_>, used: &Use) -> bool {
    let (sources, references) = (&file.around.types.sources, file.around.references);
    let target = |r: &rtype_lang::lower::Reference| sources.find(r.target).map(|s| s.span());
    let files_of = |text: Span| references.within(text).iter().filter(|r| r.kind == NameKind::File).filter_map(move |r| Some((r.span, target(r)?)));
    let Some((_, first)) = files_of(file.source.span()).find(|(span, _)| *span == used.path_span) else { return true };
    let mut files = vec![first];
    let mut next = 0;
    while let Some(text) = files.get(next).copied() {
        next += 1;
        let more: Vec<Span> = files_of(text).map(|(_, more)| more).filter(|more| !files.contains(more)).collect();
        files.extend(more);
    }
    let refers = |text: Span| references.within(text).iter().any(|r| r.kind != NameKind::File && files.iter().any(|f| f.contains(r.target)));
    let is_broken = |read: rtype_lang::library::ReadFile| read.ast().items.iter().any(|i| matches!(i, Item::Error(_)));
    file.around.types.read_as(&used.path, file.source).is_none_or(is_broken)
        || refers(file.source.span())
        || files_of(file.source.span()).any(|(_, other)| other != first && refers(other))
}
