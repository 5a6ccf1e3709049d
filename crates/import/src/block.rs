//! Translates Ruby blocks. Code that cannot be translated is an error with a reason; nothing is guessed.

use super::aliases::shared_changes;
pub use super::context::{AttributeContext, TypeScope};
pub(super) use super::context::{Caller, Fold, FunctionOf};
use super::core_calls::class_value;
use super::extended::on_one_line;
pub(super) use super::kinds::Kind;
use super::matches::group_of_last;
use super::mentions::FileMentions;
use super::ruby::{self, ByteRange, name};
use super::ruby_methods::RubyMethods;
use super::ruby_values;
use super::state::is_empty;
use super::statement::first_assignment;
use super::things::OwnScope;
use rtype_lang::syntax::{quote, written_symbol};
use ruby_prism::Node;
use std::collections::{BTreeMap, BTreeSet};

/// Why something cannot be translated, and its location.
#[derive(Clone, Debug, PartialEq)]
pub struct Untranslated {
    pub text: String,
    pub at: ByteRange,
}

pub(super) type Text<T = String> = Result<T, Untranslated>;

/// Precedence of operators.
pub(super) const TERNARY: u8 = 1;
pub(super) const OR: u8 = 2;
pub(super) const AND: u8 = 3;
pub(super) const COMPARE: u8 = 4;
pub(super) const ADD: u8 = 5;
pub(super) const TIMES: u8 = 6;
pub(super) const UNARY: u8 = 7;
pub(super) const OPERAND: u8 = 8;

/// Maximum nesting of expressions.
pub(super) const MAX_DEPTH: usize = 64;

/// Translates one block.
#[derive(Clone)]
pub struct BlockTranslator<'a> {
    pub(super) scope: &'a TypeScope,
    pub(super) source: &'a str,
    pub(super) mentions: FileMentions,
    /// The attribute that `self` refers to; `None` if it is the resource.
    pub(super) attribute: Option<&'a AttributeContext>,
    /// Parameters and locals.
    pub(super) locals: Vec<String>,
    pub(super) lists: Vec<String>,
    /// In `def should`: the parameter that replaces `@should`.
    pub(super) wanted: Option<String>,
    /// In `def should=`: the parameter that replaces the result of `super`.
    pub(super) stored: Option<String>,
    /// In a function that formats a value: `super` is Puppet's format.
    pub(super) words: bool,
    /// Locals that are strings, so that `<<` appends.
    pub(super) texts: Vec<String>,
    /// Locals that are resources of the catalog.
    pub(super) resources: Vec<String>,
    /// Locals that are lists of resources.
    pub(super) resource_lists: BTreeSet<String>,
    /// Locals that are the catalog.
    pub(super) catalogs: BTreeSet<String>,
    /// Locals that are lists of `Pathname`s.
    pub(super) path_lists: BTreeSet<String>,
    /// Locals that are the account of the current user.
    pub(super) accounts: Vec<String>,
    /// Names of the errors in enclosing `rescue => e`.
    pub(super) errors: Vec<String>,
    /// Assignments in conditions that have already been moved before them.
    pub(super) done: Vec<ByteRange>,
    /// Parameters of enclosing closures, each with the local whose elements it iterates over.
    pub(super) elements: Vec<(String, Option<String>)>,
    /// Locals whose elements Ruby has changed in place and the translation has not.
    pub(super) stale: BTreeSet<String>,
    /// Locals that are symbols, with their possible values.
    pub(super) symbols: BTreeMap<String, Vec<String>>,
    /// Maps that resources are created from, with the key of the title.
    pub(super) titles: BTreeMap<String, String>,
    /// Resources of the catalog with their types.
    pub(super) types: BTreeMap<String, String>,
    /// In a relation: the type of the resources that it names. Puppet has loaded that type, and accepts a `Pathname` as a name.
    pub(super) related: Option<String>,
    /// In `eval_generate`: the changed resource of the catalog.
    pub(super) late: Option<String>,
    /// Locations of `return` at the end of the block.
    pub(super) ends: Vec<ByteRange>,
    /// Location of its code.
    pub(super) range: ByteRange,
    /// Locals that are parameter objects, with the expression of their names.
    pub(super) parameters: BTreeMap<String, String>,
    /// Locals that are the content of a file.
    pub(super) contents: BTreeSet<String>,
    /// Locals that are an `IPAddr`.
    pub(super) addresses: Vec<String>,
    /// Locals that are the provider.
    pub(super) providers: Vec<String>,
    /// Whether it is an action of an attribute.
    pub(super) acting: bool,
    /// Attributes that it assigns.
    pub(super) writes: Vec<String>,
    /// Whether only the value of such an assignment is needed.
    pub(super) only_values: bool,
    /// Locals that are a `Pathname`: strings on which only methods of paths are called.
    pub(super) paths: Vec<String>,
    pub(super) hoisted: Vec<String>,
    pub(super) closures: usize,
    pub(super) depth: usize,
    /// Evaluates expressions whose value is known when the type is loaded.
    pub(super) fold: &'a Fold<'a>,
    /// Returns the functions that class methods become.
    pub(super) function_of: &'a FunctionOf<'a>,
    /// Locals that are the resource itself.
    pub(super) selves: Vec<String>,
    /// What `next` in the outermost loop returns.
    pub(super) result: Option<String>,
    /// What the enclosing closures return, if not the value of their last statement.
    pub(super) results: Vec<Option<String>>,
    /// Kinds of the values of locals.
    pub(super) kinds: BTreeMap<String, Kind>,
    /// Maps with a default, with its expression.
    pub(super) defaults: BTreeMap<String, String>,
    /// Maps whose values are lists.
    pub(super) list_values: BTreeSet<String>,
    /// Lists of texts, symbols and numbers.
    pub(super) plain_lists: BTreeSet<String>,
    /// Locals that are matches, with the names of their groups.
    pub(super) matches: BTreeMap<String, Vec<String>>,
    /// Names and number of the groups of the last pattern.
    pub(super) last_groups: Vec<String>,
    pub(super) last_count: Option<usize>,
    /// Whether the block has patterns with different groups.
    pub(super) patterns_differ: bool,
    /// What is known of objects, and of state.
    pub(super) own: OwnScope,
    /// The methods that Ruby code defines.
    pub(super) methods: Option<&'a dyn RubyMethods>,
}

/// Why a call on the result of `IPAddr.new` cannot be translated.
pub(super) const NOT_A_VALUE: &str = "this method of an `IPAddr` is not supported";

pub(super) fn no<T>(node: &Node<'_>, text: impl Into<String>) -> Text<T> {
    Err(Untranslated { text: text.into(), at: ruby::place(node) })
}

impl<'a> BlockTranslator<'a> {
    /// Creates a translator for a block of an attribute or of the type.
    pub fn new(scope: &'a TypeScope, source: &'a str, attribute: Option<&'a AttributeContext>) -> BlockTranslator<'a> {
        BlockTranslator {
            scope,
            source,
            mentions: FileMentions::default(),
            attribute,
            locals: Vec::new(),
            lists: Vec::new(),
            paths: Vec::new(),
            wanted: None,
            stored: None,
            words: false,
            texts: Vec::new(),
            resources: Vec::new(),
            resource_lists: BTreeSet::new(),
            catalogs: BTreeSet::new(),
            path_lists: BTreeSet::new(),
            accounts: Vec::new(),
            errors: Vec::new(),
            elements: Vec::new(),
            stale: BTreeSet::new(),
            symbols: BTreeMap::new(),
            titles: BTreeMap::new(),
            types: BTreeMap::new(),
            done: Vec::new(),
            late: None,
            ends: Vec::new(),
            range: 0..0,
            parameters: BTreeMap::new(),
            contents: BTreeSet::new(),
            related: None,
            addresses: Vec::new(),
            providers: Vec::new(),
            acting: false,
            writes: Vec::new(),
            only_values: false,
            hoisted: Vec::new(),
            closures: 0,
            depth: 0,
            fold: &|_, _| None,
            function_of: &|_, _| None,
            selves: Vec::new(),
            result: None,
            results: Vec::new(),
            kinds: BTreeMap::new(),
            defaults: BTreeMap::new(),
            list_values: BTreeSet::new(),
            plain_lists: BTreeSet::new(),
            matches: BTreeMap::new(),
            last_groups: Vec::new(),
            last_count: None,
            patterns_differ: false,
            own: OwnScope::default(),
            methods: None,
        }
    }

    /// Sets the evaluator of expressions whose value is known when the type is loaded.
    pub fn folding(self, fold: &'a Fold<'a>, function_of: &'a FunctionOf<'a>) -> BlockTranslator<'a> {
        BlockTranslator { fold, function_of, ..self }
    }

    /// Translates a whole block to `{ |params| statements }`.
    pub fn whole(&mut self, params: &[String], body: Vec<Node<'_>>) -> Text {
        self.locals.extend(params.iter().cloned());
        self.own.tests.is_whole |= self.attribute.is_some_and(|of| of.compares);
        if !self.only_values {
            self.own.given.extend(params.iter().cloned());
        }
        if let (Some(first), Some(last)) = (body.first(), body.last()) {
            self.range = ruby::place(first).start..ruby::place(last).end;
        }
        if let Some(last) = body.last() {
            self.find_ends(last, 0);
        }
        self.own.shared = shared_changes(&body);
        let code = self.in_parts(|block| block.body(&body, true))?;
        let hoisted: String = self.hoisted.iter().map(|h| format!("let {h} = nil\n")).collect();
        let bars = if params.is_empty() { String::new() } else { format!("|{}| ", params.join(", ")) };
        let code = format!("{hoisted}{code}");
        Ok(if code.contains('\n') { format!("{{ {bars}\n{code}\n}}") } else { format!("{{ {bars}{code} }}") })
    }

    /// Translates a block that consists of one expression.
    pub fn single(&mut self, node: &Node<'_>) -> Text {
        // Nothing can read what it assigns.
        let value = node.as_local_variable_write_node().map(|write| write.value());
        let text = self.expr(value.as_ref().unwrap_or(node), TERNARY)?;
        if self.hoisted.is_empty() { Ok(text) } else { no(node, "an assignment within an expression is not supported") }
    }

    /// Translates a condition; the symbol `:false` is truthy in Ruby.
    pub(super) fn condition(&mut self, node: &Node<'_>, min: u8) -> Text {
        self.note_test(node);
        self.truth(node, min)
    }

    /// Translates an operand of which matters whether it is true, and also its value if that was not noted before.
    pub(super) fn truth(&mut self, node: &Node<'_>, min: u8) -> Text {
        if let Some(inner) = node.as_parentheses_node()
            && let [one] = ruby::statements(inner.body()).as_slice()
        {
            return self.deeper(node, |block| block.truth(one, min));
        }
        if let Some(and) = node.as_and_node() {
            if self.asks_for_provider(&and.left()) {
                // The following condition implies this one.
                return self.deeper(node, |block| block.truth(&and.right(), min));
            }
            let both = self.deeper(node, |block| Ok((block.truth(&and.left(), AND)?, block.truth(&and.right(), COMPARE)?)));
            return both.map(|(left, right)| if left == "true" { right } else { wrap(format!("{left} && {right}"), AND, min) });
        }
        if let Some(or) = node.as_or_node() {
            let both = self.deeper(node, |block| Ok((block.truth(&or.left(), OR)?, block.truth(&or.right(), AND)?)));
            return both.map(|(left, right)| wrap(format!("{left} || {right}"), OR, min));
        }
        if let Some(attribute) = self.attribute_read(node) {
            if self.scope.falsy.contains(&attribute) {
                return Ok(wrap(format!("!self.{attribute}.nil?"), UNARY, min));
            }
            if self.scope.joined.contains_key(&attribute) {
                return Ok(format!("self.{attribute}"));
            }
        }
        if self.is_provider(node) {
            return Ok("provider.name".into());
        }
        if let Some((test, binds)) = self.assigned_condition(node)? {
            return Ok(wrap(test, binds, min));
        }
        if let Some((test, binds)) = self.catalog_condition(node)? {
            return Ok(wrap(test, binds, min));
        }
        if let Some(given) = self.has_block(node) {
            return Ok(given.to_string());
        }
        if let Some(key) = self.parameter_local(node) {
            return Ok(format!("self.set?({key})"));
        }
        if let Some(attribute) = self.parameter(node) {
            return Ok(format!("self.set?({})", written_symbol(&attribute)));
        }
        // `if {` begins a block.
        self.expr(node, min).map(|text| if text.starts_with('{') { format!("({text})") } else { text })
    }

    /// Returns the attribute in `resource[:x]`, `self[:x]` or `resource.value(:x)`.
    pub(super) fn attribute_read(&self, node: &Node<'_>) -> Option<String> {
        let call = node.as_call_node()?;
        let method = name(&call.name());
        let is_resource = match call.receiver() {
            None => method == "value" && self.attribute.is_none() && !self.scope.functions.contains("value"),
            Some(receiver) => self.is_resource(&receiver),
        };
        let (plain, named) = ruby::arguments(call.arguments());
        let [argument] = plain.as_slice() else { return None };
        if !is_resource || !named.is_empty() || !matches!(method.as_str(), "[]" | "value") {
            return None;
        }
        // The name of the provider is not the value of an attribute.
        let wanted = ruby::symbol(argument).or_else(|| ruby::text(argument)).filter(|w| w != "provider")?;
        let known = self.scope.attributes.contains(&wanted);
        match (&self.scope.namevar, wanted.as_str()) {
            (Some(namevar), "name") if !known => Some(namevar.clone()),
            _ => Some(wanted),
        }
    }

    pub(super) fn is_resource(&self, node: &Node<'_>) -> bool {
        if node.as_local_variable_read_node().is_some_and(|l| self.selves.contains(&ruby::local(&l.name()))) {
            return true;
        }
        if self.is_resource_thing(node) {
            return true;
        }
        if self.attribute.is_some_and(|owner| owner.is_module) {
            return false;
        }
        if self.attribute.is_none() {
            return node.as_self_node().is_some();
        }
        if let Some(variable) = node.as_instance_variable_read_node() {
            return name(&variable.name()) == "@resource";
        }
        node.as_call_node().is_some_and(|c| {
            name(&c.name()) == "resource"
                && c.arguments().is_none()
                && c.receiver().is_none_or(|r| r.as_self_node().is_some() || self.is_provider(&r))
        })
    }

    pub(super) fn expr(&mut self, node: &Node<'_>, min: u8) -> Text {
        let discards = std::mem::replace(&mut self.own.discards, false);
        let of_object = self.known_of_object(node).map(|text| Ok((text, OPERAND)));
        let found = of_object.unwrap_or_else(|| self.deeper(node, |block| block.any(node)));
        self.own.discards = discards;
        let (text, binds) = match found {
            Err(reason) => (self.known(node).or_else(|| self.range_argument(node, min)).ok_or(reason)?, OPERAND),
            Ok(expression) => expression,
        };
        Ok(wrap(text, binds, min))
    }

    /// Translates one nesting level deeper. Nesting in the file is nesting of calls here.
    pub(super) fn deeper<T>(&mut self, node: &Node<'_>, read: impl FnOnce(&mut Self) -> Text<T>) -> Text<T> {
        if self.depth >= MAX_DEPTH {
            return no(node, "it nests too deeply");
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    pub(super) fn any(&mut self, node: &Node<'_>) -> Text<(String, u8)> {
        let operand = |text: String| Ok((text, OPERAND));
        if node.as_nil_node().is_some() {
            return operand("nil".into());
        }
        if node.as_true_node().is_some() {
            return operand("true".into());
        }
        if node.as_false_node().is_some() {
            return operand("false".into());
        }
        if node.as_integer_node().is_some() || node.as_float_node().is_some() {
            let text = self.slice(node);
            let binds = if text.starts_with('-') { UNARY } else { OPERAND };
            return Ok((text, binds));
        }
        if let Some(symbol) = ruby::symbol(node) {
            return operand(written_symbol(&symbol));
        }
        if let Some(text) = ruby::text(node) {
            return operand(quote(&text));
        }
        if let Some(string) = node.as_interpolated_string_node() {
            let mut out = String::from("\"");
            for part in string.parts().iter() {
                self.part(&part, &mut out)?;
            }
            out.push('"');
            return operand(out);
        }
        if let Some(symbol) = node.as_interpolated_symbol_node() {
            let mut out = String::from("\"");
            for part in symbol.parts().iter() {
                self.part(&part, &mut out)?;
            }
            return operand(format!("{out}\".to_sym"));
        }
        if let Some(regex) = node.as_interpolated_regular_expression_node() {
            return Ok((self.computed_regex(&regex)?, OPERAND));
        }
        if let Some(write) = node.as_local_variable_write_node()
            && self.done.contains(&ruby::place(node))
        {
            return operand(ruby::local(&write.name()));
        }
        if let Some(defined) = node.as_defined_node() {
            let is_should = defined.value().as_instance_variable_read_node().is_some_and(|v| name(&v.name()) == "@should");
            if self.attribute.is_some() && is_should {
                // Blocks of a property only run if it has a desired value.
                return operand("true".into());
            }
        }
        if let Some(memo) = node.as_instance_variable_or_write_node() {
            // A memoized value that is not read elsewhere.
            let variable = name(&memo.name());
            if let Some(kept) = self.kept_value(&variable, &memo.value())? {
                return Ok(kept);
            }
            if self.mentions().variable(&variable).count() == 1 {
                // Callers fill it.
                if is_empty(&memo.value()) || !self.is_same_each_time(&memo.value()) {
                    return no(node, format!("what `{variable}` keeps is not known"));
                }
                return self.deeper(node, |block| block.any(&memo.value()));
            }
        }
        if let Some(regex) = node.as_regular_expression_node() {
            let source = String::from_utf8_lossy(regex.content_loc().as_slice()).into_owned();
            self.remember_pattern(&on_one_line(&source, regex.is_extended()));
            return operand(ruby::regex(&source, regex.is_ignore_case(), regex.is_multi_line(), regex.is_extended()));
        }
        if let Some(array) = node.as_array_node() {
            let elements: Vec<Node<'_>> = array.elements().iter().collect();
            if elements.iter().any(|e| e.as_splat_node().is_some()) {
                return operand(self.joined(&elements)?);
            }
            let items: Text<Vec<String>> = elements.iter().map(|e| self.expr(e, TERNARY)).collect();
            return operand(format!("[{}]", items?.join(", ")));
        }
        if let Some(hash) = node.as_hash_node() {
            let Some(pairs) = ruby::pairs(&hash.elements()) else { return self.merged(&hash) };
            let mut items = Vec::new();
            for (key, value) in pairs {
                let value = self.expr(&value, TERNARY)?;
                items.push(format!("{} => {value}", self.expr(&key, TERNARY)?));
            }
            return operand(format!("{{{}}}", items.join(", ")));
        }
        if node.as_call_node().is_some() && self.is_address(node) {
            return operand(self.address_value(node)?);
        }
        if let Some(object) = self.object_value(node)?.or(self.yielded(node)?) {
            return Ok(object);
        }
        if let Some(local) = node.as_local_variable_read_node() {
            let local = ruby::local(&local.name());
            if self.stale.contains(&local) {
                return no(node, format!("the elements of `{local}` were changed in place"));
            }
            if self.addresses.contains(&local) {
                return operand(self.address_value(node)?);
            }
            if self.providers.contains(&local) {
                return operand("provider".into());
            }
            if self.paths.contains(&local) && self.related.is_none() {
                return no(node, "a `Pathname` is not a string");
            }
            if self.own.times.contains(&local) {
                return no(node, "a local that is a time, as a value, is not supported");
            }
            if self.own.versions.contains(&local) || self.own.requirements.contains(&local) {
                return no(node, "a local that is a version, as a value, is not supported");
            }
            if self.own.sets.contains(&local) {
                return no(node, "a set as a value is not supported");
            }
            if self.own.failures.contains(&local) || self.own.things.contains_key(&local) || self.selves.contains(&local) {
                return no(node, format!("`{local}` is an object, not a value"));
            }
            let known = self.scope.known.get(&local).filter(|_| !self.locals.contains(&local));
            return operand(known.and_then(|k| k.in_code()).unwrap_or(local));
        }
        if let Some(text) = self.assigned_operand(node)?.or_else(|| self.constant_of_class(node)) {
            return operand(text);
        }
        if node.as_defined_node().is_some_and(|defined| self.is_defined(&defined.value())) {
            return operand("true".into());
        }
        if let Some(group) = group_of_last(node) {
            return operand(format!("${group}"));
        }
        if let Some(constant) = ruby::constant(node) {
            if self.scope.constants.contains(&constant) {
                return operand(constant);
            }
            if let Some(pattern) = ruby_values::pattern_constant(&constant) {
                return operand(pattern);
            }
            if let Some(data) = class_value(&constant) {
                return operand(data.to_owned());
            }
            return no(node, format!("the constant `{constant}` is not known here"));
        }
        if let Some(inner) = node.as_parentheses_node() {
            let inner = ruby::statements(inner.body());
            return match inner.as_slice() {
                [one] => self.deeper(node, |block| block.any(one)),
                _ => no(node, "several statements in parentheses are not supported"),
            };
        }
        if let Some(found) = self.and_or(node)? {
            return Ok(found);
        }
        if let Some(value) = self.memoized(node) {
            return self.deeper(node, |block| block.any(&value));
        }
        if let Some(branch) = node.as_if_node() {
            if branch.if_keyword_loc().is_some() {
                if first_assignment(&branch.predicate()).is_some() {
                    return no(node, "an assignment in the condition of an operand");
                }
                return Ok((self.if_chain(node)?, OPERAND));
            }
            return self.ternary(&branch);
        }
        if let Some(case) = node.as_case_node() {
            return self.any_case(&case);
        }
        if let Some(begin) = node.as_begin_node() {
            return self.begin(&begin, node);
        }
        if let Some(rescue) = node.as_rescue_modifier_node() {
            let (one, other) = (self.expr(&rescue.expression(), TERNARY)?, self.expr(&rescue.rescue_expression(), TERNARY)?);
            return operand(format!("try {{ {one} }} else {{ {other} }}"));
        }
        if node.as_instance_variable_read_node().is_some() {
            return operand(self.read_variable(node)?);
        }
        if let Some(call) = self.super_call(node)? {
            return operand(call);
        }
        if let Some(text) = self.compared_list(node)? {
            return operand(text);
        }
        if node.as_forwarding_super_node().is_some() {
            if self.words {
                return operand(format!("shown({})", self.locals.first().cloned().unwrap_or_default()));
            }
            return operand(self.stored.clone().unwrap_or_else(|| "super".into()));
        }
        if self.replaces_nothing(node) {
            return operand("nil".into());
        }
        if let Some(up) = node.as_super_node() {
            if let Some(stored) = &self.stored {
                return operand(stored.clone());
            }
            let (plain, named) = ruby::arguments(up.arguments());
            if !named.is_empty() || up.block().is_some() {
                return no(node, "`super` of this form is not supported");
            }
            let plain: Text<Vec<String>> = plain.iter().map(|a| self.expr(a, TERNARY)).collect();
            return operand(format!("{}({})", if self.words { "shown" } else { "super" }, plain?.join(", ")));
        }
        if let Some(element) = self.only_element(node) {
            return operand(element.to_owned());
        }
        if let Some(range) = self.range(node)? {
            return operand(range);
        }
        if let Some(call) = node.as_call_node() {
            if let Some(found) = self.address_call(&call)? {
                return Ok(found);
            }
            return self.call(&call);
        }
        if let Some(branch) = node.as_unless_node() {
            return self.unless_value(&branch);
        }
        if node.as_return_node().is_some() {
            return Ok((self.statement(node, false, true)?, 0));
        }
        no(node, format!("`{}` is not supported", ruby::first_line(&self.slice(node))))
    }

    pub(super) fn slice(&self, node: &Node<'_>) -> String {
        self.source.get(ruby::place(node)).unwrap_or_default().to_owned()
    }
}

pub(super) fn wrap(text: String, binds: u8, min: u8) -> String {
    if binds < min { format!("({text})") } else { text }
}
