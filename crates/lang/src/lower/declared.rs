//! Checks the settings of declarative providers when a type is loaded, if the result is certain. For example, a record without its
//! identity would otherwise fail only after the machine has been changed.

use super::Sink;
use super::directives::body_directive;
use crate::diagnostics::{Code, Diagnostic, Help, nearest};
use crate::source::Span;
use crate::syntax::ast::{BinaryOp, Declaration};
use crate::types::builtin::Method;
use crate::types::{DeclaredKind, Node, Op, ProviderBody, ProviderDef, Setting, TypeDef};
use crate::value::{EcoString, Symbol, Value};
use indexmap::IndexSet;

const FILES: &[&str] = &["file_path", "file_mode"];
const RECORDS: &[&str] = &["parse", "print", "continuation", "duplicates"];
const KEYED: &[&str] = &["section", "setting", "separator", "section_prefix", "section_suffix", "all_in_section"];
const COMMANDS: &[&str] =
    &["to_list", "to_read", "rows", "parse", "to_create", "to_update", "to_delete", "input", "done_codes", "absent_codes", "time_limit"];

/// Checks the settings of a type's declarative providers.
pub(super) fn check(type_def: &TypeDef, declarations: &[&Declaration], sink: &Sink) {
    for declaration in declarations {
        let Some(provider) = type_def.providers.get(declaration.name.name.as_str()) else { continue };
        let ProviderBody::Declared(declared) = &provider.body else { continue };
        let check = Check { type_def, provider, declaration, sink };
        let (own, files): (&[&str], bool) = match &declared.kind {
            DeclaredKind::Records => (RECORDS, true),
            DeclaredKind::Keyed(_) => (KEYED, true),
            DeclaredKind::CommandLines => (COMMANDS, false),
        };
        check.names(&own.iter().chain(FILES.iter().filter(|_| files)).copied().collect::<Vec<_>>());
        match &declared.kind {
            DeclaredKind::Records => {
                check.needs(&["parse"], declared.span, "parse { |line| … }");
                check.parse();
                check.print();
            }
            DeclaredKind::Keyed(_) => check.needs(&["setting"], declared.span, "setting { self.name }"),
            DeclaredKind::CommandLines => {
                check.needs(&["to_list", "to_read"], declared.span, "to_list [\"program\", \"list\"]");
                check.needs(&["rows", "parse"], declared.span, "rows /\\A(?<name>\\S+)\\z/");
                check.rows();
                check.parse();
            }
        }
    }
}

struct Check<'a> {
    type_def: &'a TypeDef,
    provider: &'a ProviderDef,
    declaration: &'a Declaration,
    sink: &'a Sink,
}

impl Check<'_> {
    fn setting(&self, name: &str) -> Option<&Setting> {
        self.provider.settings.get(name)
    }

    /// Returns the span of a setting.
    fn span(&self, name: &str) -> Span {
        body_directive(&self.declaration.body, name).map_or(self.declaration.name.span, |directive| directive.name.span)
    }

    fn namevars(&self) -> Vec<Symbol> {
        let names = self.type_def.namevars.iter().filter_map(|id| self.type_def.attribute(*id)).map(|a| a.name.clone());
        names.filter(|name| name.as_str() != "provider").collect()
    }

    /// Reports missing settings: the provider or a parent must have any of these settings.
    fn needs(&self, one_of: &[&str], place: Span, example: &str) {
        let has = |p: &ProviderDef| one_of.iter().any(|name| p.settings.contains_key(*name));
        let unknown_parent = self.provider.parent.is_some() && self.type_def.lineage(self.provider).count() < 2;
        if unknown_parent || self.type_def.lineage(self.provider).any(|(_, p)| has(p)) {
            return;
        }
        let names: Vec<String> = one_of.iter().map(|name| format!("`{name}`")).collect();
        let message = format!("the provider `{}` has no {}", self.provider.name, names.join(" or "));
        self.sink.report(Diagnostic::new(Code::SettingMissing, place, message).help(format!("add `{example}`")));
    }

    /// Reports misspelled settings: unused settings with a name similar to a setting that the provider uses.
    fn names(&self, known: &[&'static str]) {
        let is_action =
            |name: &str| self.provider.actions.iter().chain(&self.provider.queries).any(|m| name.strip_prefix("to_") == Some(m.as_str()));
        let unknown = self.provider.settings.keys().map(Symbol::as_str).filter(|name| !known.contains(name) && !is_action(name));
        for name in unknown {
            let given = |near: &&str| !self.provider.settings.contains_key(*near);
            let Some(near) = nearest(name, known.iter().copied()).filter(given) else { continue };
            if self.is_asked(name) {
                continue;
            }
            let message = format!("unknown setting `{name}`");
            self.sink.report(Diagnostic::new(Code::UnknownSetting, self.span(name), message).help(Help::suggestion(near)));
        }
    }

    /// Returns `true` if a block of the provider or a function reads the setting `name`.
    fn is_asked(&self, name: &str) -> bool {
        let mut blocks =
            self.provider.settings.values().filter_map(|s| if let Setting::Code(code) = s { Some(&code.inner.body) } else { None });
        let functions = || self.type_def.program.functions.iter().map(|f| &f.code.inner.body);
        blocks.by_ref().chain(functions()).any(|body| body.any(&|node| matches!(&node.op, Op::Provider(m, _) if m.as_str() == name)))
    }

    /// Checks that the groups in the regex `rows` are attributes.
    fn rows(&self) {
        let span = self.span("rows");
        let regex = match self.setting("rows") {
            Some(Setting::Value(Value::Regex(regex))) => regex,
            Some(Setting::Value(other)) if !matches!(other.as_text(), Some("json" | "key_value")) => {
                let message = format!("`rows` is a regex, `json` or `key_value`, not `{other}`");
                self.sink.report(Diagnostic::new(Code::WrongArgument, span, message).help("write `rows /\\A(?<name>\\S+)\\z/`"));
                return;
            }
            _ => return,
        };
        let groups: Vec<&str> = regex.group_names().into_iter().map(|(name, _)| name).collect();
        for missing in self.namevars().iter().filter(|name| !groups.contains(&name.as_str())) {
            let message = format!("`rows` has no group for the namevar `{missing}`");
            self.sink.report(Diagnostic::new(Code::NamevarUnread, span, message).help(format!("name the group: `(?<{missing}>…)`")));
        }
        for group in groups.iter().filter(|group| self.type_def.id_of(group).is_none()) {
            let known = self.type_def.attributes.iter().map(|a| a.name.as_str());
            let help = nearest(group, known)
                .map_or_else(|| "name groups after attributes; a group without a name is `(?:…)`".into(), Help::suggestion);
            let message = format!("the group `{group}` of `rows` is not an attribute of `{}`", self.type_def.name);
            self.sink.report(Diagnostic::new(Code::UnknownSetting, span, message).help(help));
        }
    }

    /// Checks that every map returned by `parse` has all namevars.
    fn parse(&self) {
        let Some(Setting::Code(code)) = self.setting("parse") else { return };
        let mut results = Vec::new();
        let body = &code.inner.body;
        returned(body, &mut |node| self.results(node, body, 0, &mut results));
        self.results(body, body, 0, &mut results);
        for (keys, span) in results {
            for missing in self.namevars().iter().filter(|name| !keys.contains(name.as_str())) {
                let message = format!("`parse` returns no value for the namevar `{missing}`");
                let help = format!("add `{missing}: …` to the map; return `nil` for a line that is not a record");
                self.sink.report(Diagnostic::new(Code::NamevarUnread, span, message).help(help));
            }
        }
    }

    /// Checks that `print` uses all namevars: a line without a namevar would be read back as a different record.
    fn print(&self) {
        let Some(Setting::Code(code)) = self.setting("print") else { return };
        if code.inner.params == 0 {
            return;
        }
        let body = &code.inner.body;
        let mut keys: IndexSet<EcoString> = IndexSet::new();
        if !only_indexed(body, &mut keys) || body.any(&|node| matches!(node.op, Op::SelfRef | Op::SelfIndex(_) | Op::CallFn(..))) {
            return;
        }
        for name in self.namevars() {
            let asked =
                self.type_def.id_of(name.as_str()).is_some_and(|id| body.any(&|node| matches!(node.op, Op::SelfAttr(a) if a == id)));
            if !asked && !keys.contains(name.as_str()) {
                let message = format!("`print` does not write the namevar `{name}`");
                let help = format!("put `record[:{name}]` into the line, so that it is found again");
                self.sink.report(Diagnostic::new(Code::NamevarUnread, self.span("print"), message).help(help));
            }
        }
    }

    /// Collects the maps that an expression may return, if their keys are constant, with the keys that can have a value.
    fn results(&self, node: &Node, block: &Node, depth: u8, out: &mut Vec<(IndexSet<EcoString>, Span)>) {
        if depth > 16 {
            return;
        }
        let mut of = |inner: &Node| self.results(inner, block, depth + 1, out);
        match &node.op {
            Op::Map(pairs) => {
                let keys: Option<IndexSet<EcoString>> = pairs
                    .iter()
                    .filter(|(_, value)| !matches!(&value.op, Op::Const(v) if v.is_nil()))
                    .map(|(key, _)| if let Op::Const(key) = &key.op { Some(key.to_text()) } else { None })
                    .collect();
                out.extend(keys.map(|keys| (keys, node.span)));
            }
            Op::Const(Value::Map(map)) => {
                let keys = map.iter().filter(|(_, v)| !v.is_nil()).map(|(k, _)| k.to_text()).collect();
                out.push((keys, node.span));
            }
            Op::Array(all) => all.iter().for_each(of),
            Op::Seq(all) => all.last().into_iter().for_each(of),
            Op::If(branches, otherwise) => {
                branches.iter().for_each(|(_, branch)| of(branch));
                otherwise.iter().for_each(|e| of(e));
            }
            Op::Match(_, arms) => arms.iter().for_each(|arm| of(&arm.body)),
            Op::Try(tried, handler) => [tried, &handler.body].into_iter().for_each(&mut of),
            Op::Binary(BinaryOp::And, _, right) => of(right),
            Op::Binary(BinaryOp::Or, left, right) => [left, right].into_iter().for_each(|e| of(e)),
            Op::SetLocal(_, value) => of(value),
            // A local with a single assignment has the assigned value.
            Op::Local(slot) => {
                let mut values = Vec::new();
                assigned(block, *slot, &mut values);
                if let [Some(only)] = values.as_slice() {
                    of(only);
                }
            }
            Op::Method(Method::Map | Method::FilterMap | Method::FlatMap, _, _, Some(closure)) => {
                of(&closure.body);
                nexts(&closure.body, &mut |inner| self.results(inner, block, depth + 1, out));
            }
            Op::Method(Method::Select | Method::Reject | Method::SortBy | Method::Uniq | Method::Compact, list, _, _)
                if !matches!(list.op, Op::Map(_)) =>
            {
                of(list);
            }
            _ => {}
        }
    }
}

/// Calls `found` for each expression that a block returns with `return`.
fn returned<'a>(node: &'a Node, found: &mut impl FnMut(&'a Node)) {
    if let Op::Return(Some(value)) = &node.op {
        found(value);
    }
    node.children().into_iter().for_each(|child| returned(child, found));
}

/// Calls `found` for each expression that a closure returns with `next`, without nested closures.
fn nexts<'a>(node: &'a Node, found: &mut impl FnMut(&'a Node)) {
    match &node.op {
        Op::Next(Some(value)) => found(value),
        Op::Method(_, on, all, Some(_)) => std::iter::once(&**on).chain(all).for_each(|e| nexts(e, found)),
        _ => node.children().into_iter().for_each(|child| nexts(child, found)),
    }
}

/// Collects the expressions assigned to a local; `None` for another kind of assignment, such as destructuring.
fn assigned<'a>(node: &'a Node, slot: u16, out: &mut Vec<Option<&'a Node>>) {
    match &node.op {
        Op::SetLocal(s, value) if *s == slot => out.push(Some(value)),
        Op::Destructure(slots, _) if slots.contains(&slot) => out.push(None),
        Op::Try(_, handler) if [handler.slot, handler.class].contains(&Some(slot)) => out.push(None),
        Op::Method(_, _, _, Some(closure)) | Op::Call(_, _, Some(closure)) if closure.params.contains(&slot) => out.push(None),
        _ => {}
    }
    node.children().into_iter().for_each(|child| assigned(child, slot, out));
}

/// Returns `true` if the first parameter is used only as `x[KEY]` with constant keys, and collects the keys.
fn only_indexed(node: &Node, keys: &mut IndexSet<EcoString>) -> bool {
    match &node.op {
        Op::Local(0) => false,
        Op::SetLocal(0, _) => false,
        Op::Index(on, arguments) if matches!(on.op, Op::Local(0)) => match arguments.as_slice() {
            [Node { op: Op::Const(key), .. }] => {
                keys.insert(key.to_text());
                true
            }
            _ => false,
        },
        _ => node.children().into_iter().all(|child| only_indexed(child, keys)),
    }
}
