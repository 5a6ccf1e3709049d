//! Finds the attributes of a resource that Ruby code may assign.

use super::{BodyFacts, Denotation, Fact, SelfObject};
use crate::overrides::puppet_defines;
use crate::puppet_methods::RESOURCE_READERS;
use rtype_ruby::hir::{BodyId, CallArgs, CallStyle, Element, ExprId, Hir, HirBody, HirChild, HirKind, Pair, Target};
use rtype_ruby::run::CodeSource;
use std::collections::BTreeSet;

/// Further methods that do not change a resource. Writes to the objects that they return are found by what the objects denote.
const FOLLOWED_READERS: &[&str] =
    &["parameter", "property", "parameters", "properties", "to_hash", "retrieve", "insync?", "isomorphic?", "line", "present?"];

/// Methods that every Ruby object has, and that can change the object, or call a method or block that is an argument.
const REFLECTING: &[&str] = &[
    "send",
    "public_send",
    "__send__",
    "instance_variable_set",
    "instance_variable_get",
    "instance_eval",
    "instance_exec",
    "tap",
    "then",
    "method",
];

/// A search ends after this number of methods. Code that calls more methods may change any attribute.
const MAX_METHODS: usize = 64;

/// The attributes that code may change.
#[derive(Clone, Debug, Default)]
pub struct PossibleWrites {
    /// The attributes whose names are known.
    pub named: BTreeSet<String>,
    /// Whether it may change any attribute.
    pub any: bool,
}

/// Searches code, and the methods that the code calls, for assignments.
struct WriteSearch<'a> {
    /// Returns the code of a method of the resource or attribute.
    method: &'a dyn Fn(SelfObject, &str) -> Option<CodeSource>,
    all: PossibleWrites,
    read: BTreeSet<String>,
    changes_value: bool,
    next: Vec<(CodeSource, SelfObject)>,
}

/// Returns the attributes that code may change, with the methods that it calls.
pub fn possible_writes(
    code: &CodeSource,
    self_object: SelfObject,
    params: &[Fact],
    method: &dyn Fn(SelfObject, &str) -> Option<CodeSource>,
) -> PossibleWrites {
    let mut search = WriteSearch {
        method,
        all: PossibleWrites::default(),
        read: BTreeSet::new(),
        changes_value: false,
        next: vec![(code.clone(), self_object)],
    };
    let mut seen: Vec<(usize, BodyId)> = Vec::new();
    let mut given = params;
    while let Some((code, of)) = search.next.pop() {
        let key = (std::sync::Arc::as_ptr(&code.hir) as usize, code.body);
        if seen.contains(&key) {
            continue;
        }
        seen.push(key);
        if seen.len() > MAX_METHODS {
            search.all.any = true;
            break;
        }
        let facts = BodyFacts::of(&code.hir, code.body, of, std::mem::take(&mut given), None);
        search.body(&code.hir, code.body, &facts);
    }
    if search.changes_value {
        search.all.named.extend(search.read);
    }
    search.all
}

impl WriteSearch<'_> {
    fn body(&mut self, hir: &Hir, id: BodyId, facts: &BodyFacts<'_>) {
        let Some(body) = hir.body(id) else { return };
        for (_, expr) in body.exprs.iter() {
            match &expr.kind {
                HirKind::Assign { target: Target::Index { receiver, args }, .. } => match facts.get(*receiver).denotes {
                    Denotation::Resource => self.write(body, args),
                    _ => self.changes_value = true,
                },
                HirKind::Assign { target: Target::Attribute { receiver, .. }, .. } => {
                    self.all.any |= facts.get(*receiver).denotes == Denotation::Resource;
                }
                HirKind::Assign { target: Target::Variable(_) | Target::Constant(_), value } => self.escapes(facts, *value),
                HirKind::Variable(name) => self.all.any |= &**name == "@parameters",
                HirKind::Array(items) => items.iter().for_each(|item| self.element(facts, item)),
                HirKind::Hash(pairs) => pairs.iter().for_each(|pair| self.pair(facts, pair)),
                HirKind::Call(call) => {
                    let receiver = facts.get(call.receiver).denotes;
                    self.called(body, &receiver, &call.name, &call.args, call.style, facts.self_object);
                    call.args.positional.iter().for_each(|item| self.element(facts, item));
                    call.args.keywords.iter().for_each(|pair| self.pair(facts, pair));
                }
                _ => {}
            }
            expr.kind.each_child(&mut |child| {
                if let HirChild::Body(inner) = child {
                    let inside = BodyFacts::of(hir, inner, facts.self_object, &[], Some(facts));
                    self.body(hir, inner, &inside);
                }
            });
        }
    }

    fn called(&mut self, body: &HirBody, receiver: &Denotation, name: &str, args: &CallArgs, style: CallStyle, of: SelfObject) {
        let target = match receiver {
            Denotation::Resource => SelfObject::Resource,
            Denotation::Attribute if of == SelfObject::Attribute => SelfObject::Attribute,
            _ => {
                self.changes_value |= rtype_ruby::run::changes_receiver(name);
                return;
            }
        };
        if let Some(code) = (self.method)(target, name) {
            self.next.push((code, target));
            return;
        }
        if target == SelfObject::Attribute {
            self.all.any |= REFLECTING.contains(&name);
            return;
        }
        match name {
            "[]" | "should" | "value" => self.read.extend(key_of(body, args)),
            "[]=" => self.write(body, args),
            _ if RESOURCE_READERS.contains(&name) || FOLLOWED_READERS.contains(&name) => {}
            _ if style == CallStyle::Explicit || puppet_defines("type#", name) => {
                self.all.any |= REFLECTING.contains(&name) || puppet_defines("type#", name) && !name.ends_with('?');
            }
            _ => {}
        }
    }

    fn write(&mut self, body: &HirBody, args: &CallArgs) {
        match key_of(body, args) {
            Some(key) => {
                self.all.named.insert(key);
            }
            None => self.all.any = true,
        }
    }

    fn element(&mut self, facts: &BodyFacts<'_>, item: &Element) {
        let (Element::Plain(id) | Element::Splat(id)) = item;
        self.escapes(facts, *id);
    }

    fn pair(&mut self, facts: &BodyFacts<'_>, pair: &Pair) {
        if let Pair::Entry(_, value) = pair {
            self.escapes(facts, *value);
        }
    }

    /// Marks all attributes as changed if the resource is passed on, because the callee may assign any attribute.
    fn escapes(&mut self, facts: &BodyFacts<'_>, value: ExprId) {
        self.all.any |= facts.get(value).denotes == Denotation::Resource;
    }
}

/// Returns the name in `resource[:name]`.
fn key_of(body: &HirBody, args: &CallArgs) -> Option<String> {
    match args.positional.as_slice() {
        [Element::Plain(key), ..] => match body.kind(*key) {
            HirKind::Symbol(name) => Some(name.to_string()),
            HirKind::Str { text, .. } => Some(text.to_string()),
            _ => None,
        },
        _ => None,
    }
}
