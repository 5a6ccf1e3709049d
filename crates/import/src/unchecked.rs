//! Decides which attributes untranslated Ruby may change: its own attribute, other attributes, or all attributes of the type. Their values
//! are unknown.

use super::block::Untranslated;
use super::catalog_values::is_place;
use super::effects::{changed, default_code, is_resource, may_read_attribute};
use super::eval::ClassId;
use super::in_place::is_changing;
use super::items::ClassItem;
use super::overrides::{ATTRIBUTE, TYPE, blocks_of_hook, is_attribute_hook, puppet_defines};
use super::puppet_methods::RESOURCE_READERS;
use super::ruby::{self, ByteRange, name};
use super::type_decl::{Fragment, Reader};
use super::variables::MethodCode;
use rtype_lang::syntax::{quote, written_symbol};
use ruby_prism::{CallNode, Node};
use std::collections::BTreeSet;

/// Further methods that do not change a resource. Their results are not followed here.
const OBJECT_READERS: &[&str] = &[
    "inspect",
    "class",
    "nil?",
    "is_a?",
    "kind_of?",
    "instance_of?",
    "respond_to?",
    "==",
    "!=",
    "debug",
    "info",
    "notice",
    "warning",
    "err",
    "alert",
    "crit",
    "emerg",
];

/// Maximum number of followed methods.
const MAX_METHODS: usize = 64;

/// Instance variables through which code can change attributes.
const STORES: &[&str] = &["@parameters", "@original_parameters"];

/// The attributes that code may change.
#[derive(Default)]
pub(super) struct PossibleWrites {
    pub(super) named: BTreeSet<String>,
    /// Any attribute may be changed.
    pub(super) any: bool,
    /// Whether a method of the provider may change them. Methods of providers are not translated.
    by_provider: bool,
    /// The value of a variable is changed in place.
    changes_variable: bool,
    /// The names of the attributes that the code reads; none if the name is computed.
    read: Vec<Option<String>>,
}

/// The code that is examined.
struct Code {
    file: usize,
    at: ByteRange,
    /// Whether `self` is the resource.
    is_resource: bool,
    /// The provider, if the code is a method of it.
    provider: Option<ClassId>,
}

impl<'p> Reader<'_, '_, 'p> {
    /// Returns what the code of an item of the type may do to other attributes while the resource gets its values.
    pub(super) fn left_writes(&self, item: &ClassItem<'p>) -> Vec<LeftWrite> {
        let attribute = item.first_word().filter(|_| item.is("newparam") || item.is("newproperty"));
        let is_rule = item.is("validate") || item.is("def") && item.method().as_deref() == Some("initialize");
        let code: Vec<ClassItem<'p>> = match item.word.as_str() {
            "newparam" | "newproperty" | "ensurable" => {
                let runs_later = |i: &ClassItem<'_>| {
                    i.method().is_some_and(|m| !is_attribute_hook(&m) || !matches!(blocks_of_hook(&m), ATTRIBUTE | "defaultto"))
                };
                let items = self.attribute_items(item).into_iter();
                items.filter(|i| !runs_later(i) && !matches!(i.word.as_str(), "newvalue" | "newvalues")).collect()
            }
            _ if is_rule => vec![item.clone()],
            _ => return Vec::new(),
        };
        let class = item.class.filter(|_| !is_rule);
        let possible = self.possible_writes(&code, class, is_rule);
        let by_provider = possible.by_provider;
        let written = if possible.any { self.scope.attributes.iter().cloned().collect() } else { possible.named };
        let is_param = item.is("newparam");
        // Puppet sets defaults after all that is declared.
        let has_default =
            |i: &ClassItem<'_>| matches!(i.word.as_str(), "defaultto" | "defaultvalues") || i.method().as_deref() == Some("default");
        let is_declared = attribute.is_some() && !self.attribute_items(item).iter().any(has_default);
        let stays = |of: &str| attribute.as_deref().is_some_and(|by| is_declared && self.scope.is_overwritten(is_param, by, of));
        let others = written.into_iter().filter(|of| attribute.as_ref() != Some(of));
        others.map(|of| LeftWrite { by: attribute.clone(), by_provider, stays: stays(&of), of }).collect()
    }

    /// Returns the attributes that code may change, with the methods of the type and the attribute that it calls. `attribute` is the
    /// class of the enclosing attribute; `is_resource` is true if `self` is the resource.
    fn possible_writes(&self, items: &[ClassItem<'p>], attribute: Option<ClassId>, is_resource: bool) -> PossibleWrites {
        let mut all = PossibleWrites::default();
        let mut next: Vec<Code> =
            items.iter().map(|item| Code { file: item.file, at: item.at.clone(), is_resource, provider: None }).collect();
        // The code of a block may be in another file than the call with it.
        next.extend(items.iter().filter_map(|item| {
            let code = item.closure()?;
            let (first, last) = (ruby::place(code.body.first()?), ruby::place(code.body.last()?));
            Some(Code { file: code.file, at: first.start..last.end, is_resource, provider: None })
        }));
        let mut seen = BTreeSet::new();
        while let Some(code) = next.pop() {
            if !seen.insert((code.file, code.at.start, code.at.end)) {
                continue;
            }
            if seen.len() > MAX_METHODS {
                all.any = true;
            }
            if all.any {
                break;
            }
            let before = (all.any, all.named.len());
            self.writes_of_code(&code, attribute, &mut all, &mut next);
            all.by_provider |= code.provider.is_some() && before != (all.any, all.named.len());
        }
        if all.changes_variable {
            std::mem::take(&mut all.read).into_iter().for_each(|key| self.add_attribute(key, &mut all));
        }
        all
    }

    fn writes_of_code(&self, code: &Code, attribute: Option<ClassId>, all: &mut PossibleWrites, next: &mut Vec<Code>) {
        let inside = self.loaded.inside(code.file, &code.at);
        // Receivers of calls and interpolated values are not passed on.
        let mut kept: BTreeSet<(usize, usize)> = BTreeSet::new();
        for (_, node) in inside.iter() {
            let place = |of: Node<'_>| (ruby::place(&of).start, ruby::place(&of).end);
            let receiver = node.as_call_node().and_then(|c| c.receiver());
            let receiver = receiver.or_else(|| node.as_index_or_write_node().and_then(|w| w.receiver()));
            let receiver = receiver.or_else(|| node.as_index_and_write_node().and_then(|w| w.receiver()));
            let receiver = receiver.or_else(|| node.as_index_operator_write_node().and_then(|w| w.receiver()));
            kept.extend(receiver.map(place));
            let text = node.as_embedded_statements_node().and_then(|e| e.statements());
            kept.extend(text.into_iter().flat_map(|s| s.body().iter().map(place).collect::<Vec<_>>()));
            kept.extend(node.as_def_node().and_then(|d| d.receiver()).map(place));
        }
        for (at, node) in inside.iter() {
            let is_self = code.is_resource && node.as_self_node().is_some();
            let passes_on = is_resource(node) || !code.is_resource && node.as_self_node().is_some() || is_self;
            let is_store = node.as_instance_variable_read_node().is_some_and(|v| STORES.contains(&name(&v.name()).as_str()));
            all.any |= is_store || passes_on && !kept.contains(&(at.start, at.end));
            if let Some(key) = changed(node, code.is_resource) {
                self.add_attribute(ruby::symbol(&key).or_else(|| ruby::text(&key)), all);
            }
            if let Some(call) = node.as_call_node() {
                self.writes_of_call(&call, code, attribute, all, next);
            }
        }
        // A variable may refer to the value of any attribute that the code reads.
        all.changes_variable |= inside.iter().any(|(_, node)| self.changes_variable(node, code));
        for read in inside.iter().filter_map(|(_, node)| node.as_call_node()).filter(may_read_attribute) {
            let of_resource = read.receiver().is_none_or(|of| of.as_self_node().is_some() || is_resource(&of));
            let key = ruby::arguments(read.arguments()).0.into_iter().next().filter(|_| of_resource);
            all.read.extend(key.map(|key| ruby::symbol(&key).or_else(|| ruby::text(&key))));
        }
    }

    /// Returns whether a call changes in place the value of a variable or a part of it. A variable with values of literals refers to no
    /// attribute.
    fn changes_variable(&self, node: &Node<'p>, code: &Code) -> bool {
        let call = node.as_call_node().filter(|call| is_changing(&name(&call.name())));
        let mut of = call.and_then(|call| call.receiver());
        of = of.or_else(|| node.as_index_operator_write_node().and_then(|w| w.receiver()));
        of = of.or_else(|| node.as_index_or_write_node().and_then(|w| w.receiver()));
        if let Some(local) = of.as_ref().and_then(Node::as_local_variable_read_node)
            && self.holds_literals(local.name().as_slice(), code)
        {
            return false;
        }
        while let Some(inner) = of.as_ref().and_then(Node::as_call_node).and_then(|call| call.receiver()) {
            of = Some(inner);
        }
        of.is_some_and(|of| of.as_local_variable_read_node().is_some() || of.as_it_local_variable_read_node().is_some())
    }

    /// Returns whether code assigns only literals to a local variable.
    fn holds_literals(&self, local: &[u8], code: &Code) -> bool {
        let inside = self.loaded.inside(code.file, &code.at);
        let writes = inside.iter().filter_map(|(_, node)| node.as_local_variable_write_node());
        let mut values = writes.filter(|write| write.name().as_slice() == local).map(|write| ruby::place(&write.value())).peekable();
        let is_computed = |node: &Node<'p>| {
            let is_variable = node.as_local_variable_read_node().is_some() || node.as_instance_variable_read_node().is_some();
            is_variable || node.as_call_node().is_some() || node.as_yield_node().is_some() || node.as_self_node().is_some()
        };
        values.peek().is_some() && values.all(|at| !self.loaded.inside(code.file, &at).iter().any(|(_, node)| is_computed(node)))
    }

    /// Adds an attribute; any attribute if the name is computed.
    fn add_attribute(&self, key: Option<String>, all: &mut PossibleWrites) {
        match key {
            Some(known) => all.named.extend(self.scope.attributes.get(&known).cloned()),
            None => all.any = true,
        }
    }

    /// Examines a call of a method of the resource, or of the attribute.
    fn writes_of_call(&self, call: &CallNode<'p>, code: &Code, attribute: Option<ClassId>, all: &mut PossibleWrites, next: &mut Vec<Code>) {
        let method = name(&call.name());
        let receiver = call.receiver();
        let of_self = receiver.as_ref().is_none_or(|of| of.as_self_node().is_some());
        let of_resource = receiver.as_ref().is_some_and(is_resource) || of_self && code.is_resource;
        let class = if of_resource { self.type_class } else { attribute.filter(|_| of_self) };
        let of_provider = receiver.as_ref().and_then(|of| of.as_call_node()).is_some_and(|c| name(&c.name()) == "provider");
        if of_provider || of_self && code.provider.is_some() {
            let sent = ruby::arguments(call.arguments()).0.first().filter(|_| is_dispatch(&method)).map(|name| ruby::symbol(name));
            match sent {
                // Translated blocks pass the names of attributes in a list.
                Some(None) if of_provider => all.any = true,
                sent => self.writes_of_provider(&sent.flatten().unwrap_or(method), code, all, next),
            }
            return;
        }
        // `changed` knows assignments.
        let Some(class) = class.filter(|_| method != "[]=") else { return };
        match self.loaded.method_code(class, &method) {
            Some(MethodCode::At(file, at)) => return next.push(Code { file, at, is_resource: of_resource, provider: None }),
            Some(MethodCode::Unknown) => return all.any = true,
            None => {}
        }
        let by_puppet = puppet_defines("type#", &method);
        let is_attribute = self.scope.attributes.contains(method.trim_end_matches('?')) && !by_puppet;
        let is_reader =
            RESOURCE_READERS.contains(&method.as_str()) || OBJECT_READERS.contains(&method.as_str()) || is_place(&method) || is_attribute;
        let is_known = if receiver.is_some() { of_resource } else { by_puppet && of_resource };
        all.any |= (is_known || is_sent(&method)) && !is_reader && !is_quiet(&method);
    }
}

impl<'p> Reader<'_, '_, 'p> {
    /// Examines the methods of providers with a name. A provider has the resource, and its methods may assign attributes.
    fn writes_of_provider(&self, method: &str, code: &Code, all: &mut PossibleWrites, next: &mut Vec<Code>) {
        let ruby = self.loaded.ruby.borrow();
        let type_name = self.type_class.and_then(|class| ruby.type_name(class)).unwrap_or_default();
        let classes: Vec<ClassId> = match code.provider {
            Some(class) => vec![class],
            None => ruby.providers.iter().filter(|p| p.of == type_name).map(|p| p.class).collect(),
        };
        drop(ruby);
        let found: Vec<(ClassId, MethodCode)> =
            classes.iter().filter_map(|class| Some((*class, self.loaded.method_code(*class, method)?))).collect();
        // `mk_resource_methods` defines a reader and a writer for each attribute.
        let is_generated = !classes.is_empty() && self.scope.attributes.contains(method.trim_end_matches('='));
        let is_known = is_generated || is_quiet(method) || matches!(method, "class" | "name") || code.provider.is_some();
        if found.is_empty() && !is_known
            || code.provider.is_some() && is_sent(method)
            || found.iter().any(|(_, method)| matches!(method, MethodCode::Unknown))
        {
            all.any = true;
            all.by_provider = true;
        }
        for (class, found) in found {
            if let MethodCode::At(file, at) = found {
                next.push(Code { file, at, is_resource: false, provider: Some(class) });
            }
        }
    }
}

/// Returns whether a method calls the method that its first argument names.
fn is_dispatch(method: &str) -> bool {
    matches!(method, "send" | "public_send" | "__send__")
}

/// Returns whether a method calls code that its arguments name, or gives access to the variables of an object.
fn is_sent(method: &str) -> bool {
    let names_code = is_dispatch(method) || matches!(method, "method" | "instance_eval" | "instance_exec");
    names_code || matches!(method, "instance_variable_get" | "instance_variable_set" | "binding" | "eval")
}

/// Returns whether a method of Ruby's objects, called on a resource, is known not to change it.
fn is_quiet(method: &str) -> bool {
    method.ends_with('?') || matches!(method, "methods" | "object_id" | "hash" | "to_resource")
}

/// An attribute that code may change if a part of it is left in Ruby.
#[derive(Clone, Debug)]
pub(super) struct LeftWrite {
    /// The attribute whose code it is; none of the type's `validate`.
    by: Option<String>,
    of: String,
    /// Whether a method of the provider may change it: the method is not translated even if the code that calls it is.
    by_provider: bool,
    /// Whether a declared value stays, because Puppet sets it later.
    stays: bool,
}

impl LeftWrite {
    fn unknown(&self) -> String {
        let by = self.by.as_deref().unwrap_or("validate");
        let code = if self.by_provider { "by a method of the provider" } else { "in code that is left in Ruby" };
        format!("untranslated({})", quote(&format!("`{by}` may assign it, {code}")))
    }

    fn condition(&self) -> Option<String> {
        self.by.as_ref().map(|by| format!("self.set?({})", written_symbol(by)))
    }
}

/// Makes the attributes unknown that code left in Ruby may change: a block, or a function that a block calls.
pub(super) fn leave_writes(pieces: &mut Vec<Fragment>, before: &[Fragment]) {
    let function = |piece: &Fragment| Some(piece.text.strip_prefix("fn ")?.split('(').next()?.to_owned());
    let mut left: BTreeSet<String> = BTreeSet::new();
    loop {
        let is_new = |piece: &Fragment| is_left(piece, &left).then(|| function(piece)).flatten().filter(|name| !left.contains(name));
        let new: Vec<String> = before.iter().chain(pieces.iter()).filter_map(is_new).collect();
        if new.is_empty() {
            break;
        }
        left.extend(new);
    }
    let mut writes = Vec::new();
    for piece in pieces.iter_mut().filter(|piece| !piece.possible.is_empty()) {
        // Functions count at their callers.
        if function(piece).is_none() {
            let is_left = is_left(piece, &left);
            writes.extend(piece.possible.extract_if(.., |write| is_left || write.by_provider));
        }
    }
    if !writes.is_empty() {
        unknown_values(pieces, &writes);
    }
}

/// Returns whether a piece has a part that is left in Ruby, or calls a function that has.
fn is_left(piece: &Fragment, functions: &BTreeSet<String>) -> bool {
    let calls = || {
        let names = piece
            .text
            .split('(')
            .filter_map(|before| before.rsplit(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '?' | '!')).next());
        !functions.is_empty() && names.into_iter().any(|name| functions.contains(name))
    };
    piece.residue.is_some() && !piece.kept.is_empty()
        || !piece.parts.is_empty()
        || calls()
        || piece.children.iter().any(|child| is_value_block(child) && is_left(child, functions))
}

/// Returns whether a directive of an attribute runs while the resource gets its values.
fn is_value_block(piece: &Fragment) -> bool {
    let word = if piece.residue.is_some() { &piece.kept } else { &piece.text };
    let word = word.lines().find(|line| !line.starts_with('#')).and_then(|line| line.split(' ').next()).unwrap_or_default();
    matches!(word, "munge" | "validate" | "override" | "defaultto" | "unmunge" | "from_title") || word == ATTRIBUTE
}

/// Makes the values unknown that attributes may have from code of others that is left in Ruby.
fn unknown_values(pieces: &mut Vec<Fragment>, left: &[LeftWrite]) {
    for piece in pieces.iter_mut() {
        let Some(attribute) = piece.text.split([' ', ',']).nth(1).filter(|_| piece.text.starts_with("new")).map(str::to_owned) else {
            continue;
        };
        // A default may read an attribute that has no value yet.
        let default = piece.children.iter().find(|c| c.text.starts_with("defaultto ")).map(|c| c.text.as_str()).unwrap_or_default();
        let reads =
            |of: &str| default.split("self.").skip(1).any(|rest| rest.split(|c: char| !c.is_alphanumeric() && c != '_').next() == Some(of));
        // The defaults are set before `validate` runs.
        let by: Vec<&LeftWrite> = left.iter().filter(|write| (write.of == attribute || reads(&write.of)) && write.by.is_some()).collect();
        let Some(first) = by.first() else { continue };
        let conditions: BTreeSet<String> = by.iter().filter_map(|write| write.condition()).collect();
        let conditions: Vec<String> = conditions.into_iter().collect();
        let ends = format!("{} if {}", first.unknown(), conditions.join(" || "));
        let at = piece.at.clone();
        let Some(own) = piece.children.iter_mut().find(|c| c.text.starts_with("defaultto ")) else {
            piece.children.push(Fragment { text: format!("defaultto {{ {ends} }}"), at, file: piece.file, ..Fragment::default() });
            continue;
        };
        // Without it, the attribute has the default.
        own.text = format!("defaultto {{\n{ends}\n{}\n}}", default_code(&own.text));
    }
    let line = |write: &LeftWrite| {
        let condition = write.condition().map(|c| format!(" if {c}")).unwrap_or_default();
        format!("self.{} = {}{condition}", write.of, write.unknown())
    };
    let lines: Vec<String> = left.iter().filter(|write| !write.stays).map(line).collect();
    if !lines.is_empty() {
        before_rules(pieces, Fragment { text: format!("finalize {{\n{}\n}}", lines.join("\n")), ..Fragment::default() });
    }
}

/// Leaves all attributes open if code that may change all of them is left in Ruby.
pub(super) fn leave_all(pieces: &mut [Fragment]) {
    let mut reason = None;
    for piece in pieces.iter_mut().filter(|piece| piece.kept == TYPE) {
        "validate".clone_into(&mut piece.kept);
        reason = reason.or_else(|| piece.residue.as_ref().map(|residue| residue.text.clone()));
    }
    let Some(reason) = reason.map(|reason| quote(&reason)) else { return };
    let attributes = pieces
        .iter_mut()
        .filter(|p| p.residue.is_none() && matches!(p.text.split([' ', ',']).next(), Some("newparam" | "newproperty" | "ensurable")));
    for piece in attributes {
        let left = |block: &str| Fragment {
            text: format!("untranslated {block}, {reason}"),
            at: piece.at.clone(),
            file: piece.file,
            ..Fragment::default()
        };
        let identifies = piece.children.iter().any(|c| c.text.starts_with("isnamevar"));
        let blocks = [left(ATTRIBUTE), left("defaultto")];
        piece.children.extend(blocks.into_iter().filter(|left| !identifies || !left.text.starts_with("untranslated defaultto")));
    }
}

/// Inserts a piece before the checks of the whole resource: in Puppet it runs while attributes are set.
pub(super) fn before_rules(pieces: &mut Vec<Fragment>, piece: Fragment) {
    let is_rule = |p: &Fragment| p.text.starts_with("validate ") || p.text.starts_with("finalize {\nself.");
    let at = pieces.iter().position(is_rule).unwrap_or(pieces.len());
    pieces.insert(at, piece);
}

/// Returns the piece for an untranslated part.
pub(super) fn left_at(at: ByteRange, file: usize, kept: &str, reason: &str) -> Fragment {
    let residue = Some(Untranslated { text: reason.to_owned(), at: at.clone() });
    Fragment { at, file, kept: kept.to_owned(), residue, blocks: 1, ..Fragment::default() }
}
