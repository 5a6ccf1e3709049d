//! Expressions of the language at the prompt: `fact('os.family')`, `2 * 3`, `let u = User['root'].is(uid)`.

use super::answer::Answer;
use super::backend::ReplSession;
use super::commands::{parse_reference, similar_command};
use super::input::word;
use indexmap::IndexMap;
use rtype_author::check::misspelled_facts;
use rtype_lang::diagnostics::{Code, Diagnostic, suggest_nearest};
use rtype_lang::eval::Failure;
use rtype_lang::library::Loaded;
use rtype_lang::lower::{EnteredCode, EnteredScope, lower_entered};
use rtype_lang::source::{Source, SourceMap, Span};
use rtype_lang::syntax::ast::{Ast, Block, Expr, ExprKind, Item};
use rtype_lang::syntax::visit::{Visit, walk_expr};
use rtype_lang::syntax::{parse_manifest, parse_statements};
use rtype_lang::value::{EcoString, ResourceRef, Value, inspect};
use rtype_model::resource::evaluate_entered;
use std::borrow::Cow;

/// The maximum number of values that a session keeps as `_1`, `_2` ….
const MAX_VALUES: usize = 1000;

/// The help for an unknown name without a similar one.
const LIST_NAMES: &str = "list the types with `:types` and the commands with `:help`; put strings in quotes";

/// Variables and definitions of a session.
#[derive(Debug, Default)]
pub(super) struct Workspace {
    /// Variables of `let`, and the values of earlier inputs. `_1` is the first value, `_` is the last value.
    pub variables: IndexMap<EcoString, Value>,
    /// Inputs with functions, constants, kinds and mixins, newest first.
    pub definitions: Vec<Loaded>,
    /// The number of values shown so far.
    values: usize,
    /// Whether values are shown with their names: `_1 = 6`.
    pub numbered: bool,
}

impl Workspace {
    /// Stores a value as `_` and `_N`, and returns it formatted for output.
    fn keep(&mut self, value: Value) -> String {
        self.values += 1;
        if let Some(oldest) = self.values.checked_sub(MAX_VALUES) {
            self.variables.shift_remove(format!("_{oldest}").as_str());
        }
        let shown = match value {
            Value::Unknown => "unknown: the value depends on data that is not available here".to_owned(),
            ref value => inspect(value),
        };
        let name = format!("_{}", self.values);
        let line = if self.numbered { format!("{name} = {shown}") } else { shown };
        self.variables.insert(name.into(), value.clone());
        self.variables.insert("_".into(), value);
        line
    }

    fn names(&self) -> Vec<EcoString> {
        self.variables.keys().cloned().collect()
    }

    /// Returns whether a word names a variable or a constant.
    pub fn has(&self, name: &str) -> bool {
        self.variables.contains_key(name) || self.defined().any(|(_, constant)| constant == name)
    }

    /// Returns the names of all variables and definitions.
    pub fn operands(&self) -> impl Iterator<Item = String> {
        self.variables.keys().map(ToString::to_string).chain(self.defined().map(|(_, name)| name.to_owned()))
    }

    /// Returns the kind and name of each definition, such as `("function", "double")`.
    pub fn defined(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.definitions.iter().flat_map(|loaded| loaded.ast().items.iter()).filter_map(reusable_definition)
    }
}

/// Returns the kind and name of a definition, if later inputs can use the definition.
pub(super) fn reusable_definition(item: &Item) -> Option<(&'static str, &str)> {
    Some(match item {
        Item::Kind(d) => ("kind", &d.name.name),
        Item::Mixin(d) => ("mixin", &d.name.name),
        Item::Fn(f) => ("function", &f.name.name),
        Item::Const(c) => ("constant", &c.name.name),
        Item::Feature(f) => ("feature", &f.test.name.name),
        Item::TypeAlias(a) => ("data type", &a.name.name),
        Item::Use(_) | Item::Type(_) | Item::Provider(_) | Item::Test(_) | Item::Error(_) => return None,
    })
}

/// Returns whether a part of an input is an expression, a word or a reference, rather than a declaration of resources.
pub(super) fn is_expression(text: &str) -> bool {
    let is_statement = || SourceMap::new().add("", text).is_ok_and(|source| statements(&source).is_some());
    word(text).is_some() || parse_reference(text).is_some() || resource_expression(text).is_some() || is_statement()
}

/// Returns the statements in an input; `None` for resource declarations. An input with syntax errors counts as statements if it begins with
/// a value, a call or `let`.
pub(super) fn statements(source: &Source) -> Option<(Block, Vec<Diagnostic>)> {
    let (block, found) = parse_statements(source);
    let is_word = matches!(block.statements.as_slice(), [one] if matches!(one.kind, ExprKind::Name(_)));
    let text = source.text().trim_start();
    let is_value = match text.find(|c: char| !c.is_alphanumeric() && c != '_') {
        Some(0) => !text.starts_with(['@', '$', '{', '}', '#']),
        Some(end) => {
            let (word, rest) = text.split_at(end);
            rest.starts_with('(') || word == "let" || text.starts_with(|c: char| c.is_ascii_digit())
        }
        None => text.starts_with(|c: char| c.is_ascii_digit()),
    };
    let is_expression = match found.is_empty() {
        true => !is_word && !block.statements.is_empty() && !parse_manifest(source).1.is_empty(),
        false => is_value,
    };
    is_expression.then_some((block, found))
}

/// An expression that reads a resource, such as `let u = User['root'].is(uid)`.
pub(super) struct ResourceExpression<'t> {
    /// `let u = `
    assignment: &'t str,
    /// `User['root']`
    pub resource: ResourceRef,
    /// `is(uid)`
    query: Cow<'t, str>,
}

/// Splits `User['root'].is(uid)` into the resource and the query `is(uid)`, and `User['root'][:uid]` into the resource and `uid`.
pub(super) fn resource_expression(text: &str) -> Option<ResourceExpression<'_>> {
    let text = text.trim();
    let start = match text.strip_prefix("let ") {
        Some(rest) => text.len() - rest.split_once('=')?.1.trim_start().len(),
        None => 0,
    };
    let (assignment, expression) = text.split_at_checked(start)?;
    expression.match_indices(']').find_map(|(at, _)| {
        let resource = parse_reference(expression.get(..=at)?).filter(|r| !r.title.contains(['\'', '"', '\n']))?;
        let query = match expression.get(at + 1..)?.split_at_checked(1)? {
            (".", query) => Cow::Borrowed(query),
            ("[", index) => {
                let (name, rest) = index.split_once(']')?;
                let name = name.trim();
                let name = name.strip_prefix(':').or_else(|| name.strip_prefix(['\'', '"'])?.strip_suffix(['\'', '"']))?;
                let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
                Cow::Owned(is_name.then(|| format!("{name}{rest}"))?)
            }
            _ => return None,
        };
        Some(ResourceExpression { assignment, resource, query })
    })
}

/// The name of the variable for an attribute's current value during the evaluation of a [`ResourceExpression`].
const ON_MACHINE: &str = "value_on_this_machine";

impl ResourceExpression<'_> {
    /// Splits the query `is(uid).to_s` or `uid.to_s` into the attribute and the rest; `None` for `should(uid)`.
    fn current(&self) -> Option<(&str, &str)> {
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        let split = |text: &'_ str| text.find(|c| !is_name(c)).unwrap_or(text.len());
        if self.query.starts_with("should(") {
            return None;
        }
        let Some(inner) = self.query.strip_prefix("is(") else {
            let found = self.query.split_at_checked(split(&self.query))?;
            return (!found.0.is_empty()).then_some(found);
        };
        let inner = inner.trim_start().trim_start_matches(':');
        let (name, rest) = inner.split_at_checked(split(inner))?;
        Some((name, rest.trim_start().strip_prefix(')')?))
    }
}

impl ReplSession {
    /// Evaluates an expression such as `User['root'].uid`. If the resource is not declared, reads the attribute from this machine.
    pub(super) fn evaluate_of_resource(&mut self, expression: &ResourceExpression<'_>, source: &Source, answer: &mut Answer) {
        let ResourceExpression { assignment, resource, query } = expression;
        let found = self.find(resource);
        let text = match &found {
            Some(_) if query.starts_with("is(") || query.starts_with("should(") => format!("{assignment}{query}"),
            Some(_) => format!("{assignment}self.{query}"),
            None => {
                // Undeclared resources have a current state, but no desired values.
                if self.known_type(resource.type_name.as_str(), source.span(), answer).is_none() {
                    return;
                }
                let Some((attribute, rest)) = expression.current() else {
                    let quoted = rtype_model::manifest::quoted(&resource.title);
                    let help = format!("declare it first: `{} {{ {quoted}: }}`", resource.type_name);
                    return answer.wrong(source.span(), format!("`{resource}` is not declared"), help);
                };
                let Some(value) = self.on_machine(resource, attribute, source.span(), answer) else { return };
                self.workspace.variables.insert(ON_MACHINE.into(), value);
                format!("{assignment}{ON_MACHINE}{rest}")
            }
        };
        match self.types.sources.add(source.name(), text) {
            Ok(source) => {
                let (block, diagnostics) = parse_statements(&source);
                self.evaluate(&block, diagnostics, found.as_ref(), answer);
            }
            Err(e) => answer.report([Diagnostic::new(Code::TooLarge, source.span(), e.to_string())]),
        }
        self.workspace.variables.shift_remove(ON_MACHINE);
    }

    /// Evaluates a word: shows the value of a variable or constant, or lists the resources of a type on this machine.
    pub(super) fn evaluate_word(&mut self, name: &str, source: &Source, answer: &mut Answer) {
        let at = source.text().find(name).unwrap_or_default() as u32;
        let span = Span::new(source.base() + at, source.base() + at + name.len() as u32);
        if self.workspace.has(name) || matches!(name, "nil" | "true" | "false" | "self") {
            let (block, found) = parse_statements(source);
            return self.evaluate(&block, found, None, answer);
        }
        let lower = name.to_lowercase();
        if self.types.names().contains(&lower) {
            return super::list::run(self, &lower, None, span, answer);
        }
        let types = self.types.names();
        let known: Vec<&str> = types.iter().map(String::as_str).chain(self.workspace.variables.keys().map(EcoString::as_str)).collect();
        let defined = self.workspace.defined().map(|(_, name)| name);
        let near = suggest_nearest(name, known.into_iter().chain(defined)).or_else(|| similar_command(name));
        let help = near.unwrap_or_else(|| LIST_NAMES.into());
        answer.report([Diagnostic::new(Code::UnknownName, span, format!("unknown name `{name}`")).help(help)]);
    }

    /// Returns whether a word is the name of a type or a variable.
    pub(super) fn is_known_word(&self, word: &str) -> bool {
        let lower = word.to_lowercase();
        self.workspace.variables.contains_key(word) || self.types.names().contains(&lower)
    }

    /// Reports the first of several words that form neither a declaration nor an expression.
    pub(super) fn report_unknown_word(&self, word: &str, span: Span, answer: &mut Answer) {
        let near = similar_command(word).or_else(|| suggest_nearest(word, self.types.names().iter().map(String::as_str)));
        answer.wrong(span, format!("unknown command or type `{word}`"), near.unwrap_or_else(|| LIST_NAMES.into()));
    }

    /// Evaluates statements. `self` and `is(:x)` refer to `resource`, or to the last declared resource.
    pub(super) fn evaluate(&mut self, block: &Block, found: Vec<Diagnostic>, resource: Option<&ResourceRef>, answer: &mut Answer) {
        if !found.is_empty() {
            return answer.report(found);
        }
        answer.report(misspelled_facts(block));
        // The resource is read only for expressions that refer to a resource.
        let alone = self.lower(block, None);
        let result = match (alone.value, resource.cloned().or_else(|| self.last())) {
            (Some(code), None) => self.evaluate_alone(&code),
            (Some(code), Some(_)) if resource.is_none() => self.evaluate_alone(&code),
            (_, Some(reference)) => {
                let Some(result) = self.evaluate_in(block, &reference, answer) else { return };
                result
            }
            (None, None) => match alone.diagnostics.iter().find(|d| d.code == Code::NotAllowedHere) {
                Some(d) => return answer.wrong(d.span(), "no resource is declared yet", "declare one: `TYPE { 'title': … }`"),
                None => return answer.report(alone.diagnostics),
            },
        };
        match result {
            Ok((value, variables)) => {
                self.workspace.variables.extend(variables);
                answer.say(self.workspace.keep(value));
            }
            Err(failure) => {
                answer.report([report_of(failure)]);
            }
        }
    }

    /// Returns whether an expression is computed rather than a literal or the name of a constant.
    pub(super) fn is_computed(&self, expression: &Expr) -> bool {
        struct Search<'s> {
            variables: &'s IndexMap<EcoString, Value>,
            is_computed: bool,
        }
        impl<'a> Visit<'a> for Search<'_> {
            fn expr(&mut self, expr: &'a Expr) {
                self.is_computed |= match &expr.kind {
                    ExprKind::Binary { .. } | ExprKind::Method(..) | ExprKind::Ternary(..) | ExprKind::If { .. } | ExprKind::Match(..) => {
                        true
                    }
                    ExprKind::Call(call) => call.name.name != "range",
                    ExprKind::Str(text) => text.plain().is_none(),
                    ExprKind::Name(name) => self.variables.contains_key(name),
                    _ => false,
                };
                walk_expr(self, expr);
            }
        }
        let mut search = Search { variables: &self.workspace.variables, is_computed: false };
        search.expr(expression);
        search.is_computed
    }

    /// Returns the value of an expression in an input, or reports why it has none.
    pub(super) fn value_of(&self, expression: &Expr, input: &Ast, answer: &mut Answer) -> Option<Value> {
        let block = Block { span: expression.span, statements: vec![expression.clone()] };
        let definitions: Vec<&Ast> = std::iter::once(input).chain(self.workspace.definitions.iter().map(Loaded::ast)).collect();
        let scope = EnteredScope { definitions: &definitions, variables: &self.workspace.names(), type_def: None };
        let lowered = lower_entered(&block, scope);
        let Some(code) = lowered.value else {
            answer.report(lowered.diagnostics);
            return None;
        };
        self.evaluate_alone(&code).map(|(value, _)| value).map_err(|failure| answer.report([report_of(failure)])).ok()
    }

    /// Lowers statements with the variables and definitions of the session.
    pub(super) fn lower(
        &self,
        block: &Block,
        type_def: Option<&rtype_lang::types::TypeDef>,
    ) -> rtype_lang::diagnostics::Outcome<Option<EnteredCode>> {
        let definitions: Vec<&Ast> = self.workspace.definitions.iter().map(Loaded::ast).collect();
        lower_entered(block, EnteredScope { definitions: &definitions, variables: &self.workspace.names(), type_def })
    }

    fn evaluate_alone(&self, code: &EnteredCode) -> Evaluated {
        let arguments: Vec<Value> = self.workspace.variables.values().cloned().collect();
        self.in_context(|context| evaluate_entered(code, &arguments, None, context))
    }

    /// Evaluates statements about a resource. Reports errors in the statements and returns `None`.
    fn evaluate_in(&mut self, block: &Block, reference: &ResourceRef, answer: &mut Answer) -> Option<Evaluated> {
        let type_def = self.types.load(reference.type_name.as_str())?;
        let lowered = self.lower(block, Some(&type_def));
        answer.report(lowered.diagnostics);
        let code = lowered.value?;
        let inspected = self.inspect(std::slice::from_ref(reference)).pop()?;
        let arguments: Vec<Value> = self.workspace.variables.values().cloned().collect();
        Some(self.in_context(|context| {
            let current = inspected.current.reader(&inspected.instance);
            evaluate_entered(&code, &arguments, Some((&inspected.instance, &current)), context)
        }))
    }
}

fn report_of(failure: Failure) -> Diagnostic {
    Diagnostic::new(failure.code, failure.span, failure.message).maybe_help(failure.help.map(|h| *h))
}

/// The value of the last statement, and all variables at the end.
type Evaluated = Result<(Value, Vec<(EcoString, Value)>), Failure>;

#[cfg(test)]
mod tests {
    use crate::repl::ReplSession;

    #[test]
    fn rest_of_a_paste_after_an_error_is_reported_as_not_evaluated() {
        let mut session = ReplSession::for_tests();
        let shown = session.run("let x = 1\nmotd { 'a': text => }\nlet y = 2\n").plain();
        assert!(shown.starts_with("1\nRT201 ") && shown.ends_with("enter it again\n"), "{shown}");
        assert!(session.run("y").plain().contains("unknown name `y`"));
        // An error in the last part leaves no parts out.
        assert!(!session.run("motd { 'a': text => }").plain().contains("not evaluated"));
    }

    #[test]
    fn failed_statements_leave_variables_unchanged() {
        let mut session = ReplSession::for_tests();
        session.run("let x = 1");
        session.run("x = 2; fail \"no\"");
        assert_eq!(session.run("x").plain(), "1\n");
    }

    #[test]
    fn the_oldest_values_are_dropped() {
        let mut session = ReplSession::for_tests();
        for _ in 0..1001 {
            session.run("7");
        }
        assert!(session.run("_1").plain().contains("unknown name `_1`"));
        assert_eq!(session.run("_1001").plain(), "7\n");
    }
}
