//! Failures and messages of an evaluation as diagnostics.

use super::failure::{EvaluationFailure, EvaluationFailureKind};
use super::logs::{Level, LogMessage};
use rtype_lang::diagnostics::{Code, Diagnostic, Severity};
use rtype_lang::source::Span;

/// Parts of the messages about names that no module defines.
const MISSING: &[&str] = &["Could not find class", "Unknown resource type", "Unknown function", "Could not find template"];

impl EvaluationFailure {
    /// Returns the diagnostic of a failure that ended a compilation.
    pub fn diagnostic(&self) -> Diagnostic {
        let span = self.span().unwrap_or(Span::NONE);
        let text = self.text().strip_prefix("Evaluation Error: ").unwrap_or(self.text());
        // A diagnostic has one line; Puppet lists the signatures of a function and the place in a template in several.
        let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let text = lines.join("; ");
        match self.kind() {
            EvaluationFailureKind::Unsupported => {
                Diagnostic::new(Code::NotCompiled, span, text).help("Puppet may compile this manifest; rtype does not guess the value")
            }
            EvaluationFailureKind::Limit => Diagnostic::new(Code::EvaluationLimit, span, text)
                .help("look for a loop or a value that grows without end, or split the catalog"),
            _ => {
                let needs_module = MISSING.iter().any(|missing| text.contains(missing));
                let help = "if a module defines it, name the directory that contains the module with `--modulepath`";
                Diagnostic::new(Code::EvaluationFailed, span, text).maybe_help(needs_module.then_some(help))
            }
        }
    }
}

impl LogMessage {
    /// Returns the diagnostic of a message; `None` for debug and info.
    pub fn diagnostic(&self) -> Option<Diagnostic> {
        let severity = match self.level {
            Level::Debug | Level::Info => return None,
            Level::Notice => Severity::Note,
            _ => Severity::Warning,
        };
        // The span says where; Puppet has a second line for that.
        let text = self.text.split_once("\n   (file").map_or(self.text.as_str(), |(text, _)| text.trim_end_matches([';', ' ']));
        let found = Diagnostic::new(Code::ManifestMessage, self.span.unwrap_or(Span::NONE), text);
        Some(Diagnostic { severity, ..found })
    }
}
