//! `:plan`, `:noop` and `:apply`: shows what a run of all declared resources would do, and runs it.

use super::answer::Answer;
use super::backend::ReplSession;
use rtype_engine::apply::{ApplyOptions, Counts, Event, EventStatus, Listener};
use rtype_engine::report::{Live, initial_lines};
use rtype_lang::diagnostics::{Diagnostic, printable_lines};
use rtype_lang::redact::Redactor;
use rtype_lang::value::ResourceRef;
use rtype_model::declare::Purpose;
use rtype_provider::interrupt;
use rtype_system::process;
use std::time::Duration;

/// Collects the changes of a run.
struct Plan {
    changes: Vec<String>,
    redactor: Redactor,
}

impl Listener for Plan {
    fn event(&mut self, reference: &ResourceRef, event: &Event) {
        let place = event.property.as_ref().map_or_else(|| reference.to_string(), |p| format!("{reference}/{p}"));
        if event.status == EventStatus::Noop {
            let mut change = printable_lines(&format!("{place}: {}", self.redactor.reveal(&event.message)));
            for line in initial_lines(&event.initial, &self.redactor) {
                change.push_str(&format!("\n   {}", printable_lines(&line)));
            }
            self.changes.push(change);
        }
    }
}

impl ReplSession {
    /// `:plan`: shows the changes that a run would make, in order.
    pub(super) fn plan(&mut self, answer: &mut Answer) {
        let mut plan = Plan { changes: Vec::new(), redactor: self.machine.system().redactor().clone() };
        let Some(counts) = self.go(true, &mut plan, answer) else { return };
        for (number, change) in plan.changes.iter().enumerate() {
            answer.say(format!("{:>3}. {change}", number + 1));
        }
        answer.say(match (plan.changes.len(), counts.failed + counts.skipped) {
            (0, 0) => "nothing would be changed".to_owned(),
            (0, failed) => format!("nothing could be changed; {failed} would fail or be skipped: `:noop` shows why"),
            (_, 0) => "`:apply` applies it".to_owned(),
            (_, failed) => format!("`:apply` applies it; {failed} would fail or be skipped: `:noop` shows why"),
        });
    }

    /// `:noop`: runs without changes, and reports like `rtype apply --noop`.
    pub(super) fn rehearse(&mut self, answer: &mut Answer) {
        self.tell(true, answer);
    }

    /// Asks for confirmation before the declared resources are applied.
    pub(super) fn ask_to_apply(&mut self, answer: &mut Answer) {
        if self.declared.is_empty() {
            answer.say("nothing is declared");
            return;
        }
        let before = answer.parts.len();
        self.rehearse(answer);
        if !answer.failed(before) {
            answer.question = Some("change this machine? [y/N] ".to_owned());
        }
    }

    /// Applies the declared resources after confirmation.
    pub fn apply(&mut self) -> Answer {
        let mut answer = Answer::default();
        self.tell(false, &mut answer);
        answer.redact(self.types.secrets.redactor());
        answer
    }

    fn tell(&mut self, noop: bool, answer: &mut Answer) {
        let begun = process::now();
        let live = Live::new(Vec::new(), self.machine.system().redactor().clone(), self.look.colors, false, false);
        let mut live = live.with_sources(self.types.sources.clone());
        let Some(counts) = self.go(noop, &mut live, answer) else { return };
        // Writing to memory cannot fail.
        let text = live.finish(&counts, begun.elapsed().as_secs_f64()).unwrap_or_default();
        answer.say(String::from_utf8_lossy(&text));
    }

    /// Runs all declared resources. Returns `None` if the run could not start.
    fn go(&mut self, noop: bool, listener: &mut dyn Listener, answer: &mut Answer) -> Option<Counts> {
        if let Some(pretended) = self.pretended.keys().next() {
            answer.say(format!("what is pretended does not count here: {pretended} is read from the machine"));
        }
        let declarations = self.usable(answer);
        let target = self.target();
        let declared = target.declare(&declarations, &self.types, Purpose::Run);
        let failed = declared.diagnostics.iter().any(Diagnostic::is_error);
        answer.report(declared.diagnostics);
        if failed {
            return None;
        }
        let mut run = target.begin(noop, Duration::ZERO, &mut |_| {}).map_err(|why| answer.report([why])).ok()?;
        let stop = interrupt::graceful();
        let options = ApplyOptions { noop, tags: Vec::new(), skip_tags: Vec::new(), now: jiff::Zoned::now(), show_diff: true };
        let result = run.apply(&declarations, declared.catalog, &self.types, &options, stop.stopped(), listener);
        if let Err(why) = run.finish() {
            answer.report([why]);
        }
        result.map_err(|found| answer.report(found)).ok()
    }
}
