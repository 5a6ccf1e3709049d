//! What it does: Reports unused definitions: functions, constants, kinds, mixins, type aliases, imported files, local
//! variables, and parameters.
//!
//! Why: Readers look for the use of a definition. Often its name is misspelled where it is used, or its use was forgotten.
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
//! Mark unused parameters with `_`: `|_key, value|`. Those of a directive's block, such as `|is, should|`, need no mark. In a file without
//! types and providers, only local variables and parameters are examined, because other files can use its definitions.
//!
//! Fix: safe; marks parameters of closures and variables of a `let` with several with `_`, and removes `use`.

use crate::check::visit::{Visit, walk, walk_block, walk_declaration, walk_expr, walk_item};
use crate::check::written::removal;
use crate::check::{FileSubject, Sink};
use rtype_lang::library::ReadFile;
use rtype_lang::diagnostics::Code;
use rtype_lang::diagnostics::Diagnostic;
use rtype_lang::source::Span;
use rtype_lang::syntax::ast::{Ast, Block, Closure, Declaration, Directive, DirectiveBlock, Expr, ExprKind, FnDecl, Ident, Item, Param, Use};
use std::collections::{HashMap, HashSet};

pub fn check(file: &FileSubject<'_>, sink: &mut Sink<'_>) {
    let mut locals = Locals { scopes: Vec::new(), found: Vec::new() };
    for item in &file.ast.items {
        match item {
            Item::Kind(d) | Item::Mixin(d) => locals.declaration(d),
            other => walk_item(&mut locals, other),
        }
    }
    locals.found.into_iter().for_each(|d| sink.report(d));
    // A file without types is used by other files, which determine what is needed.
    if !file.ast.items.iter().any(|i| matches!(i, Item::Type(_) | Item::Provider(_))) {
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
    /// One of several variables of a `let`.
    Part,
    Closure,
    /// A parameter of a directive's block, whose arguments the directive defines.
    Directive,
    Function,
    /// A parameter of a kind or mixin.
    Parameter,
}

struct Local<'a> {
    name: &'a Ident,
    role: Role,
    read: bool,
    changed: bool,
}

/// Tracks which locals and parameters are read.
struct Locals<'a> {
    scopes: Vec<Vec<Local<'a>>>,
    found: Vec<Diagnostic>,
}

impl<'a> Locals<'a> {
    fn within(&mut self, names: impl Iterator<Item = &'a Ident>, role: Role, inner: impl FnOnce(&mut Self)) {
        self.scopes.push(names.map(|name| Local { name, role, read: false, changed: false }).collect());
        inner(self);
        for local in self.scopes.pop().unwrap_or_default() {
            self.judge(&local);
        }
    }

    fn judge(&mut self, local: &Local<'a>) {
        let Ident { name, span } = local.name;
        if local.read || local.role == Role::Directive || name.starts_with('_') {
            return;
        }
        let (what, help) = match local.role {
            Role::Let | Role::Part => ("the local", "drop it, or use it"),
            Role::Closure | Role::Directive => ("the parameter", "leave it out, or say by a name like `_x` that it is not needed"),
            Role::Function | Role::Parameter => ("the parameter", "drop it, here and where it is given, or use it"),
        };
        let found = Diagnostic::new(Code::UnusedDefinition, *span, format!("{what} `{name}` is never read")).help(help);
        self.found.push(match local.role {
            Role::Closure | Role::Part if !local.changed => found.fix(format!("call it `_{name}`"), Span::new(span.start, span.start), "_"),
            _ => found,
        });
    }

    fn declare(&mut self, names: &'a [Ident]) {
        let role = if names.len() > 1 { Role::Part } else { Role::Let };
        if let Some(scope) = self.scopes.last_mut() {
            scope.extend(names.iter().map(|name| Local { name, role, read: false, changed: false }));
        }
    }

    fn local(&mut self, name: &str) -> Option<&mut Local<'a>> {
        self.scopes.iter_mut().rev().flat_map(|s| s.iter_mut().rev()).find(|l| l.name.name == name)
    }

    fn read(&mut self, name: &str) {
        self.local(name).into_iter().for_each(|l| l.read = true);
    }

    fn declaration(&mut self, declaration: &'a Declaration) {
        self.within(names(&declaration.params), Role::Parameter, |locals| walk_declaration(locals, declaration));
    }
}

fn names(params: &[Param]) -> impl Iterator<Item = &Ident> {
    params.iter().map(|p| &p.name)
}

impl<'a> Visit<'a> for Locals<'a> {
    fn closure(&mut self, closure: &'a Closure, of: Option<&'a Directive>) {
        let role = if of.is_some() { Role::Directive } else { Role::Closure };
        self.within(closure.params.iter(), role, |locals| locals.block(&closure.body));
    }

    fn function(&mut self, function: &'a FnDecl) {
        self.within(names(&function.params), Role::Function, |locals| crate::check::visit::walk_function(locals, function));
    }

    fn block(&mut self, block: &'a Block) {
        self.within(std::iter::empty(), Role::Let, |locals| walk_block(locals, block));
    }

    fn expr(&mut self, expr: &'a Expr) {
        match &expr.kind {
            ExprKind::Name(name) | ExprKind::Word(name) => self.read(name),
            ExprKind::Splat(name) => self.read(&name.name),
            ExprKind::Let(names, value) => {
                self.expr(value);
                self.declare(names);
            }
            ExprKind::Assign { target, value, .. } => {
                match &target.kind {
                    ExprKind::Name(name) => self.local(name).into_iter().for_each(|l| l.changed = true),
                    _ => self.expr(target),
                }
                self.expr(value);
            }
            ExprKind::Try { body, param, otherwise } => {
                self.block(body);
                self.within(param.iter(), Role::Closure, |locals| locals.block(otherwise));
            }
            _ => walk_expr(self, expr),
        }
    }
}

/// The words that occur in items and directives.
#[derive(Default)]
struct Mentions<'a> {
    words: HashSet<&'a str>,
}

impl<'a> Visit<'a> for Mentions<'a> {
    fn expr(&mut self, expr: &'a Expr) {
        match &expr.kind {
            ExprKind::Name(word) | ExprKind::Word(word) => {
                self.words.insert(word);
            }
            ExprKind::Splat(name) => {
                self.words.insert(&name.name);
            }
            ExprKind::Call(call) => {
                self.words.insert(&call.name.name);
            }
            // A string may be the name of a feature.
            ExprKind::Str(text) => {
                if let [rtype_lang::syntax::ast::StrPart::Text(word)] = text.parts.as_slice() {
                    self.words.insert(word);
                }
            }
            _ => {}
        }
        walk_expr(self, expr);
    }
}

fn mentions<'a>(walk: impl FnOnce(&mut Mentions<'a>)) -> HashSet<&'a str> {
    let mut mentions = Mentions::default();
    walk(&mut mentions);
    mentions.words
}

/// Returns the name that an item defines for others, and the kind of the item.
fn defined(item: &Item) -> Option<(&Ident, &'static str)> {
    Some(match item {
        Item::Kind(d) => (&d.name, "kind"),
        Item::Mixin(d) => (&d.name, "mixin"),
        Item::Fn(f) => (&f.name, "function"),
        Item::Const(c) => (&c.name, "constant"),
        Item::TypeAlias(t) => (&t.name, "data type"),
        _ => return None,
    })
}

fn definitions(file: &FileSubject<'_>, sink: &mut Sink<'_>) {
    let items = &file.ast.items;
    if items.iter().any(|i| matches!(i, Item::Error(_))) {
        return;
    }
    // An item that only mentions itself is unused.
    let mut times: HashMap<&str, usize> = HashMap::new();
    let mut own: Vec<HashSet<&str>> = Vec::new();
    for item in items {
        let words = mentions(|m| walk_item(m, item));
        words.iter().for_each(|word| *times.entry(word).or_default() += 1);
        own.push(words);
    }
    let mut unused = Vec::new();
    for (item, words) in items.iter().zip(&own) {
        if let Some((name, what)) = defined(item) {
            let elsewhere = times.get(name.name.as_str()).copied().unwrap_or(0) - usize::from(words.contains(name.name.as_str()));
            if elsewhere == 0 {
                unused.push((name, what));
            }
        } else if let Item::Type(declaration) = item {
            let outside = |name: &str| times.get(name).copied().unwrap_or(0) > usize::from(words.contains(name));
            unused.extend(functions(declaration).filter(|(name, _)| !outside(&name.name)));
        }
    }
    if unused.is_empty() || used_elsewhere(file) {
        return;
    }
    for (name, what) in unused {
        let found = sink.finding(name.span, format!("the {what} `{}` is never used", name.name));
        sink.report(found.help("drop it, or use it"));
    }
}

/// Returns the functions of a type that no other directive of it mentions.
fn functions(declaration: &Declaration) -> impl Iterator<Item = (&Ident, &'static str)> {
    let functions: Vec<&FnDecl> = declaration
        .body
        .directives
        .iter()
        .filter_map(|d| if let Some(DirectiveBlock::Fn(f)) = &d.block { Some(&**f) } else { None })
        .collect();
    let mut used: HashSet<&str> = HashSet::new();
    if !functions.is_empty() {
        for directive in &declaration.body.directives {
            let mut words = mentions(|m| m.directive(directive));
            if let Some(DirectiveBlock::Fn(own)) = &directive.block {
                words.remove(own.name.name.as_str());
            }
            used.extend(words);
        }
    }
    functions.into_iter().filter(move |f| !used.contains(f.name.name.as_str())).map(|f| (&f.name, "function"))
}

/// Returns whether another file has a `use` for this one.
fn used_elsewhere(file: &FileSubject<'_>) -> bool {
    let stem = file.source.name().rsplit('/').next().and_then(|n| n.strip_suffix(".rtype")).unwrap_or_default();
    let end = format!("{stem}\"");
    let uses = |text: &str| text.lines().any(|l| l.starts_with("use \"") && l.trim_end().ends_with(&end));
    file.around.types.sources.iter().any(|s| s.base() != file.source.base() && uses(s.text()))
}

/// Returns whether something that a used file defines is mentioned in this file or in other used files.
fn is_needed(file: &FileSubject<'_>, used: &Use) -> bool {
    let types = file.around.types;
    let mut files: Vec<ReadFile> = types.read_as(&used.path, file.source).into_iter().collect();
    let mut at = 0;
    while let Some(user) = files.get(at).cloned() {
        at += 1;
        for inner in uses(user.ast()) {
            files.extend(types.read_as(&inner.path, file.source).filter(|more| !files.contains(more)));
        }
    }
    let mut names: HashSet<&str> = HashSet::new();
    for item in files.iter().flat_map(|file| &file.ast().items) {
        match item {
            Item::Error(_) => return true,
            Item::Feature(f) => {
                names.insert(f.test.name.name.as_str());
            }
            other => names.extend(defined(other).map(|(name, _)| name.name.as_str())),
        }
    }
    let holds = |ast: &Ast| mentions(|m| walk(m, ast)).iter().any(|word| names.contains(word));
    let others = || {
        let others = uses(file.ast).filter(|other| other.path != used.path);
        others.filter_map(|other| types.read_as(&other.path, file.source)).any(|other| holds(other.ast()))
    };
    files.is_empty() || file.ast.items.iter().any(|i| matches!(i, Item::Error(_))) || holds(file.ast) || others()
}

/// Returns the `use` directives of a file.
fn uses(ast: &Ast) -> impl Iterator<Item = &Use> {
    ast.items.iter().filter_map(|item| if let Item::Use(used) = item { Some(used) } else { None })
}
