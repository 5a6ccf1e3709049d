//! Expressions of the language at the prompt: `fact('os.family')`, `2 * 3`, `User['root'].is(uid)`.

use super::answer::Answer;
use super::backend::ReplSession;
use super::commands::parse_reference;
use rtype_lang::diagnostics::{Code, Diagnostic};
use rtype_lang::eval::Failure;
use rtype_lang::lower::lower_entered;
use rtype_lang::source::Source;
use rtype_lang::syntax::ast::{Block, ExprKind};
use rtype_lang::syntax::{parse_manifest, parse_statements};
use rtype_lang::value::{ResourceRef, Value, inspect};
use rtype_model::resource::evaluate_here;

/// Returns the statements in an input, unless it declares resources. A text that is neither is read as statements if it begins like a
/// value.
pub(super) fn statements(source: &Source) -> Option<(Block, Vec<Diagnostic>)> {
    let (block, found) = parse_statements(source);
    let is_word = matches!(block.statements.as_slice(), [one] if matches!(one.kind, ExprKind::Name(_)));
    let text = source.text().trim_start();
    let is_value = match text.find(|c: char| !c.is_alphanumeric() && c != '_') {
        Some(0) => !text.starts_with(['@', '$', '{', '}', '#']),
        Some(end) => text.get(end..).is_some_and(|rest| rest.starts_with('(')) || text.starts_with(|c: char| c.is_ascii_digit()),
        None => text.starts_with(|c: char| c.is_ascii_digit()),
    };
    let is_expression = match found.is_empty() {
        true => !is_word && !block.statements.is_empty() && !parse_manifest(source).1.is_empty(),
        false => is_value,
    };
    is_expression.then_some((block, found))
}

/// Splits `User['root'].is(uid)` into the resource and what is asked of it.
pub(super) fn of_resource(text: &str) -> Option<(ResourceRef, &str)> {
    let text = text.trim();
    text.match_indices("].").find_map(|(at, _)| {
        let reference = parse_reference(text.get(..=at)?).filter(|r| !r.title.contains(['\'', '"', '\n']))?;
        Some((reference, text.get(at + 2..)?))
    })
}

impl ReplSession {
    /// Evaluates what is asked of one resource: an attribute that is declared, or its current value by `is(x)`.
    pub(super) fn ask(&mut self, wanted: &ResourceRef, question: &str, source: &Source, answer: &mut Answer) {
        let Some(found) = self.find(wanted) else {
            let help = format!("declare it first: `{} {{ {}: }}`", wanted.type_name, rtype_model::manifest::quoted(&wanted.title));
            return answer.wrong(source.span(), format!("`{wanted}` is not declared"), help);
        };
        let text =
            if question.starts_with("is(") || question.starts_with("should(") { question.to_owned() } else { format!("self.{question}") };
        match self.types.sources.add(source.name(), text) {
            Ok(source) => {
                let (block, diagnostics) = parse_statements(&source);
                self.evaluate(&block, diagnostics, Some(&found), answer);
            }
            Err(e) => answer.report([Diagnostic::new(Code::TooLarge, source.span(), e.to_string())]),
        }
    }

    /// Evaluates statements; `self` and `is(:x)` are of this resource, or of the last one that was declared.
    pub(super) fn evaluate(&mut self, block: &Block, found: Vec<Diagnostic>, of: Option<&ResourceRef>, answer: &mut Answer) {
        if !found.is_empty() {
            return answer.report(found);
        }
        // Most expressions need no resource, and none is read for them.
        let alone = lower_entered(block, None);
        let result = match (alone.value, of.cloned().or_else(|| self.last())) {
            (Some(code), None) => evaluate_here(&code, &self.machine),
            (Some(code), Some(_)) if of.is_none() => evaluate_here(&code, &self.machine),
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
            Ok(Value::Unknown) => answer.say("not known here"),
            Ok(value) => answer.say(inspect(&value)),
            Err(failure) => {
                answer.report([Diagnostic::new(failure.code, failure.span, failure.message).maybe_help(failure.help.map(|h| *h))])
            }
        }
    }

    /// Returns nothing if the statements have errors, which are reported.
    fn evaluate_in(&mut self, block: &Block, reference: &ResourceRef, answer: &mut Answer) -> Option<Result<Value, Failure>> {
        let type_def = self.types.load(reference.type_name.as_str())?;
        let lowered = lower_entered(block, Some(&type_def));
        answer.report(lowered.diagnostics);
        let code = lowered.value?;
        let inspected = self.inspect(std::slice::from_ref(reference)).pop()?;
        Some(self.in_context(|context| {
            let current = inspected.current.reader(&inspected.instance);
            rtype_model::resource::evaluate(&inspected.instance, &code, &[], &current, context)
        }))
    }
}
