//! Checks a program's conformance to `rtype-provider/1` by sending valid and invalid requests.

mod violation;

pub use violation::Violation;

use super::read::{Current, DesiredResource};
use rtype_lang::redact::{Foreign, Redactor};
use rtype_lang::types::{ProviderDef, TypeDef};
use rtype_lang::value::{EcoString, Map, Symbol, Value};
use rtype_model::providers::of_hello;
use rtype_model::resource::{Context, Instance, canonicalized, compare_all};
use rtype_provider::code_of;
use rtype_provider::external::{ExternalProgram, Hello, List, Noop, Object, Programs, to_wire};
use rtype_provider::{Change, ErrorKind, NativeProviders, ProgramOutput, Provider, Reading, Request, Select, System, Talk};
use serde_json::{Value as Json, json};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// Number of resources in a large request.
const MANY: usize = 10_000;

/// Maximum number of existing resources to read by name.
const SAMPLE: usize = 100;

/// Delays, in milliseconds after the request, before a program is killed during a change.
const MOMENTS: &[u64] = &[0, 1, 3, 10, 30];

/// The outcome of a check.
#[derive(Debug)]
pub enum CheckOutcome {
    /// The program conforms.
    Passed,
    /// The program does not conform; contains the reason.
    Failed(Violation),
    /// The check was not run; contains the reason.
    Skipped(SkipReason),
}

/// Why a check was not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkipReason {
    /// The description file next to the program is missing.
    NoDescription,
    /// The program does not list resources.
    CannotList,
    /// The program changes nothing.
    ReadsOnly,
    /// The user named no resources for the checks to change.
    NoResources,
    /// The program does not support `noop`.
    NoNoop,
    /// The resources are not in sync after they were set.
    NotConverged,
    /// The program cannot remove resources.
    CannotRemove,
}

impl fmt::Display for SkipReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SkipReason::NoDescription => "no description file next to the program, so `rtype check` cannot check it",
            SkipReason::CannotList => "it does not support listing",
            SkipReason::ReadsOnly => "it declares that it only reads",
            SkipReason::NoResources => "`--resources FILE` must name resources that it may create, change and remove",
            SkipReason::NoNoop => "it declares `noop: none`",
            SkipReason::NotConverged => "the resources are not in sync",
            SkipReason::CannotRemove => "it cannot remove resources",
        })
    }
}

/// The result of one check.
#[derive(Debug)]
pub struct Conformance {
    /// The requirement.
    pub check: &'static str,
    /// The outcome.
    pub outcome: CheckOutcome,
}

/// A program to check.
pub struct Trial<'a> {
    /// The program.
    pub program: ExternalProgram,
    /// The type, and the program's provider.
    pub of: (&'a TypeDef, &'a ProviderDef),
    /// Resources for the checks to create and remove.
    pub resources: Vec<Arc<Instance>>,
    /// The machine.
    pub system: &'a System,
    /// The context of the resources.
    pub context: Context<'a>,
}

type Checked = Result<(), Violation>;

/// Runs all checks. Without resources, checks on resources are skipped.
pub fn conform(trial: &Trial<'_>) -> Vec<Conformance> {
    let mut all = Vec::new();
    let mut add = |check: &'static str, outcome: CheckOutcome| all.push(Conformance { check, outcome });
    let outcome = |checked: Checked| checked.map_or_else(CheckOutcome::Failed, |()| CheckOutcome::Passed);
    let hello = match trial.hello() {
        Ok(hello) => hello,
        Err(violation) => {
            add("it answers `hello`", CheckOutcome::Failed(violation));
            return all;
        }
    };
    add("it answers `hello`", CheckOutcome::Passed);
    let sidecar = match trial.program.sidecar() {
        Ok(Some(described)) if described == hello => CheckOutcome::Passed,
        Ok(Some(_)) => CheckOutcome::Failed(Violation::SidecarDiffers),
        Ok(None) => CheckOutcome::Skipped(SkipReason::NoDescription),
        Err(error) => CheckOutcome::Failed(Violation::Sidecar(error)),
    };
    add("the description file agrees", sidecar);
    let differences = of_hello(trial.of.0, trial.of.1, &hello);
    let messages: Vec<String> = differences.into_iter().map(|(message, _)| message).collect();
    add(
        "it fits its type",
        if messages.is_empty() { CheckOutcome::Passed } else { CheckOutcome::Failed(Violation::TypeDiffers(messages)) },
    );
    let unknown = br#"{"id":1,"op":"no_such_op"}"#;
    add("an unknown operation is an error", outcome(trial.refuses(unknown, Some(1))));
    add("invalid JSON is an error", outcome(trial.refuses(b"?? this is not JSON", None)));
    add(
        "it survives invalid UTF-8",
        outcome(trial.survives(b"{\"id\":1,\"op\":\"get\",\"names\":[{\"name\":\"\xff\xfe\"}],\"attrs\":null}")),
    );
    add("it exits at the end of its input", outcome(trial.ends()));
    add("missing resources are not reported", outcome(trial.absent(1)));
    add("it answers a query for 10,000 resources", outcome(trial.absent(MANY)));
    if hello.ops.iter().any(|op| op == "call") {
        let unknown = br#"{"id":1,"op":"call","method":"no_such_method","arguments":[],"title":"x","namevars":{"name":"x"},"should":{}}"#;
        add("an unknown method is an error", outcome(trial.refuses(unknown, Some(1))));
        let answered =
            if trial.resources.is_empty() { CheckOutcome::Skipped(SkipReason::NoResources) } else { outcome(trial.queries(&hello)) };
        add("its queries are answered", answered);
    }
    let cannot_list = || CheckOutcome::Skipped(SkipReason::CannotList);
    add("listed resources are found by name", if hello.list == List::No { cannot_list() } else { outcome(trial.lists()) });
    if trial.of.0.canonicalize.is_some() {
        let done = if hello.list == List::No { cannot_list() } else { outcome(trial.canonicalizes()) };
        add("what `canonicalize` returns for listed resources stays as it is", done);
    }
    for (check, done) in trial.changes(&hello) {
        add(check, done);
    }
    all
}

impl Trial<'_> {
    fn start(&self) -> Result<Talk, Violation> {
        let path = self.program.find(self.system)?;
        let environment = [("RTYPE_PROTOCOL", "1"), ("RTYPE_LOG", "info")];
        self.system.talk(&path, &[], &environment).map_err(Violation::NotStarted)
    }

    /// Creates a provider with a new program process.
    fn fresh(&self) -> Result<Arc<dyn Provider>, Violation> {
        Ok(code_of(self.of.0, self.of.1, &NativeProviders::default())?)
    }

    fn hello(&self) -> Result<Hello, Violation> {
        let programs = Programs::default();
        let hello = programs.hello(self.of.0.name.as_str(), &self.program, self.system);
        programs.end();
        Ok(hello?)
    }

    /// Sends one line and returns the answer.
    fn exchange(&self, talk: &Talk, line: &[u8]) -> Result<Object, Violation> {
        talk.ask(line.to_vec());
        match talk.listen(self.program.time_limit) {
            ProgramOutput::Line(said) => match serde_json::from_slice(&said) {
                Ok(Json::Object(answer)) => Ok(answer),
                _ => Err(Violation::NotAnObject(quoted(&said))),
            },
            ProgramOutput::TooLong(_) => Err(Violation::AnswerTooLong),
            ProgramOutput::TooLate => Err(Violation::Timeout),
            ProgramOutput::Nothing => Err(Violation::Ended),
        }
    }

    /// Checks that the program answers with an error and accepts further requests.
    fn refuses(&self, line: &[u8], id: Option<u64>) -> Checked {
        let mut talk = self.start()?;
        let answer = self.exchange(&talk, line)?;
        if answer.get("error").is_none_or(Json::is_null) {
            return Err(Violation::ErrorMissing(Json::Object(answer)));
        }
        if let Some(id) = id
            && answer.get("id").and_then(Json::as_u64) != Some(id)
        {
            return Err(Violation::WrongId(Json::Object(answer)));
        }
        self.goes_on(&mut talk)
    }

    /// Checks that the program answers anything and accepts further requests.
    fn survives(&self, line: &[u8]) -> Checked {
        let mut talk = self.start()?;
        self.exchange(&talk, line)?;
        self.goes_on(&mut talk)
    }

    /// Checks that the program accepts further requests. The program may exit successfully after the answer; otherwise, the program must
    /// answer `hello`.
    fn goes_on(&self, talk: &mut Talk) -> Checked {
        let hello = json!({"id": 2, "op": "hello", "protocol": 1, "type": self.of.0.name.as_str()}).to_string();
        talk.ask(hello.into_bytes());
        match talk.listen(self.program.time_limit) {
            ProgramOutput::Line(said)
                if serde_json::from_slice::<Object>(&said).is_ok_and(|a| a.get("id").and_then(Json::as_u64) == Some(2)) =>
            {
                Ok(())
            }
            ProgramOutput::Line(said) => Err(Violation::LaterAnswer(quoted(&said))),
            ProgramOutput::Nothing => talk.end(Duration::from_secs(2)).map_or(Ok(()), |how| Err(Violation::LaterEnd(how))),
            ProgramOutput::TooLong(_) | ProgramOutput::TooLate => Err(Violation::LaterTimeout),
        }
    }

    fn ends(&self) -> Checked {
        let mut talk = self.start()?;
        self.goes_on(&mut talk)?;
        talk.end(Duration::from_secs(2)).map_or(Ok(()), |how| Err(Violation::UnsuccessfulEnd(how)))
    }

    /// Checks that nonexistent names are absent.
    fn absent(&self, count: usize) -> Checked {
        let provider = self.fresh()?;
        let names: Vec<EcoString> = (0..count).map(|i| ecow::eco_format!("no-such-thing-{i}")).collect();
        let requests: Vec<Request<'_>> = names.iter().map(|name| Request { name, resource: &EmptyResource }).collect();
        let readings = provider.get(self.system, &requests, Select::All);
        let violation = readings.into_iter().zip(names).find_map(|(reading, name)| match reading {
            Reading::Absent => None,
            Reading::Present(_) => Some(Violation::Invented(name)),
            // Other errors are accepted: the program may know that no resource can have such a name.
            Reading::Error(e) | Reading::Unavailable(e) => (e.kind == ErrorKind::Protocol).then_some(Violation::Provider(e)),
        });
        violation.map_or(Ok(()), Err)
    }

    /// Checks that the program answers every query in `hello` for each resource.
    fn queries(&self, hello: &Hello) -> Checked {
        let provider = self.fresh()?;
        for (name, resource) in &self.wanted() {
            for query in &hello.queries {
                provider.query(self.system, Request { name, resource }, query, &[])?;
            }
        }
        Ok(())
    }

    /// Checks that listed resources are also found by name.
    fn lists(&self) -> Checked {
        let provider = self.fresh()?;
        let found = provider.instances(self.system, Select::All)?;
        let some: Vec<_> = found.iter().take(SAMPLE).collect();
        let named: Vec<Named<'_>> = some.iter().map(|f| Named(&f.state)).collect();
        let requests: Vec<Request<'_>> = some.iter().zip(&named).map(|(f, resource)| Request { name: &f.name, resource }).collect();
        for (listed, reading) in some.iter().zip(provider.get(self.system, &requests, Select::All)) {
            match reading {
                Reading::Present(state) => {
                    let differs = state.iter().find(|(name, value)| listed.state.get(*name) != Some(value));
                    if let Some((property, _)) = differs {
                        return Err(Violation::ValueDiffers { property: property.clone(), name: listed.name.clone() });
                    }
                }
                Reading::Absent => return Err(Violation::NotFoundByName(listed.name.clone())),
                Reading::Error(e) | Reading::Unavailable(e) => return Err(Violation::Provider(e)),
            }
        }
        Ok(())
    }

    /// Checks that the type's `canonicalize` returns already canonicalized values of listed resources unchanged.
    fn canonicalizes(&self) -> Checked {
        let provider = self.fresh()?;
        for found in provider.instances(self.system, Select::All)?.iter().take(SAMPLE) {
            let values = found.state.iter().filter_map(|(name, value)| Some((Value::Sym(name.clone()), value.as_ref().ok()?.clone())));
            let convert = |values: &Map| match canonicalized(self.of.0, values, self.context) {
                Some(Err(failure)) if !failure.is_unknown() => Err(Violation::CanonicalizeFailed(found.name.clone(), failure.message)),
                result => Ok(result.and_then(Result::ok)),
            };
            let Some(once) = convert(&values.collect())? else { continue };
            if convert(&once)?.is_some_and(|twice| twice != once) {
                return Err(Violation::NotStable(found.name.clone()));
            }
        }
        Ok(())
    }

    fn changes(&self, hello: &Hello) -> Vec<(&'static str, CheckOutcome)> {
        const NOOP: &str = "with `noop` it changes nothing";
        const CONVERGES: &str = "what is set is read afterwards";
        const AGAIN: &str = "what is set again changes nothing";
        const KILLED: &str = "killed in the middle, it leaves the old or the new";
        let all = [NOOP, CONVERGES, AGAIN, KILLED];
        let skip = |why| all.map(|check| (check, CheckOutcome::Skipped(why))).into();
        if !hello.sets() {
            return skip(SkipReason::ReadsOnly);
        }
        if self.resources.is_empty() {
            return skip(SkipReason::NoResources);
        }
        let outcome = |checked: Checked| checked.map_or_else(CheckOutcome::Failed, |()| CheckOutcome::Passed);
        let noop = match hello.noop {
            Noop::Native => outcome(self.noop()),
            Noop::None => CheckOutcome::Skipped(SkipReason::NoNoop),
        };
        let converges = self.converge();
        let is_done = converges.is_ok();
        let mut done = vec![(NOOP, noop), (CONVERGES, outcome(converges))];
        let can_delete = hello.attributes_write.iter().any(|a| a == "ensure");
        let not_done = || CheckOutcome::Skipped(SkipReason::NotConverged);
        done.push((AGAIN, if is_done { outcome(self.again()) } else { not_done() }));
        done.push((
            KILLED,
            match (is_done, can_delete) {
                (true, true) => outcome(self.killed(hello.batch)),
                (true, false) => CheckOutcome::Skipped(SkipReason::CannotRemove),
                (false, _) => not_done(),
            },
        ));
        done
    }

    fn wanted(&self) -> Vec<(EcoString, DesiredResource<'_>)> {
        self.resources.iter().map(|i| (i.name(), DesiredResource { instance: i, context: self.context })).collect()
    }

    fn read(&self) -> Result<Vec<Reading>, Violation> {
        let wanted = self.wanted();
        let requests: Vec<Request<'_>> = wanted.iter().map(|(name, resource)| Request { name, resource }).collect();
        let readings = self.fresh()?.get(self.system, &requests, Select::All);
        let read = |reading| match reading {
            Reading::Error(e) | Reading::Unavailable(e) => Err(Violation::Provider(e)),
            reading @ (Reading::Present(_) | Reading::Absent) => Ok(reading),
        };
        readings.into_iter().map(read).collect()
    }

    /// Builds the changes for a `set` request, including changes never sent by the adapter.
    fn changes_of(&self, readings: &[Reading], wanted: impl Fn(&Instance) -> Json) -> Vec<Json> {
        let is = |reading: &Reading| match reading {
            Reading::Present(state) => {
                Json::Object(state.iter().filter_map(|(n, v)| Some((n.to_string(), to_wire(v.as_ref().ok()?)))).collect())
            }
            _ => Json::Null,
        };
        let of = |(instance, reading): (&Arc<Instance>, &Reading)| {
            let should = wanted(instance);
            let attributes: Vec<String> = should.as_object().map_or(vec!["ensure".to_owned()], |s| s.keys().cloned().collect());
            json!({"title": instance.name().as_str(), "loc": null, "namevars": self.namevars(instance), "is": is(reading), "should": should, "attrs": attributes})
        };
        self.resources.iter().zip(readings).map(of).collect()
    }

    fn namevars(&self, instance: &Instance) -> Json {
        let names = instance.type_def.params().filter(|p| p.name.as_str() != "provider").map(|p| p.name.clone());
        let namevars = instance.type_def.namevars.iter().filter_map(|id| instance.type_def.attribute(*id)).map(|a| a.name.clone());
        let all = names.chain(namevars).map(|n| (n.to_string(), to_wire(&instance.get(n.as_str()))));
        Json::Object(all.filter(|(_, v)| !v.is_null()).collect())
    }

    fn should(&self, instance: &Instance) -> Json {
        if instance.get("ensure").unwrapped().is_absent() {
            return Json::Null;
        }
        let all = instance.type_def.properties().map(|p| (p.name.to_string(), to_wire(&instance.get(p.name.as_str()))));
        Json::Object(all.filter(|(_, v)| !v.is_null()).collect())
    }

    fn noop(&self) -> Checked {
        let before = self.read()?;
        let talk = self.start()?;
        for (i, change) in self.changes_of(&before, |i| self.should(i)).into_iter().enumerate() {
            let line = json!({"id": i + 1, "op": "set", "changes": [change], "noop": true}).to_string();
            let answer = self.exchange(&talk, line.as_bytes())?;
            if let Some(error) = answer.get("error").filter(|e| !e.is_null()) {
                return Err(Violation::UnexpectedError(error.clone()));
            }
        }
        drop(talk);
        let after = self.read()?;
        let changed = self.resources.iter().zip(before.iter().zip(&after)).find(|(_, (a, b))| a != b);
        changed.map_or(Ok(()), |(instance, _)| Err(Violation::ChangedByNoop(instance.name())))
    }

    /// Creates the resources as a run does, and reads them again.
    fn converge(&self) -> Checked {
        let provider = self.fresh()?;
        let readings = self.read()?;
        let wanted = self.wanted();
        let mut changes = Vec::new();
        for (((name, resource), reading), instance) in wanted.iter().zip(&readings).zip(&self.resources) {
            let mut change = Change::new(Request { name, resource }, reading);
            for comparison in verdict(instance, reading, self.system.redactor(), self.context).plan() {
                let should = comparison.should.clone();
                if comparison.name.as_str() == "ensure" {
                    change.exists = Some(!should.unwrapped().is_absent());
                }
                change.should.insert(comparison.name.clone(), should);
            }
            changes.push(change);
        }
        // A program's self-description is known after the first request.
        let first: Vec<Request<'_>> = wanted.iter().take(1).map(|(name, resource)| Request { name, resource }).collect();
        provider.get(self.system, &first, Select::Only(&[]));
        for (change, done) in self.resources.iter().zip(provider.flush(self.system, &mut changes)) {
            done.map_err(|e| Violation::Resource(change.name(), e))?;
        }
        for (instance, reading) in self.resources.iter().zip(self.read()?) {
            let verdict = verdict(instance, &reading, self.system.redactor(), self.context);
            if let Some(out) = verdict.properties.iter().find(|p| p.status.in_sync() != Some(true)) {
                return Err(Violation::NotInSync { property: out.name.clone(), name: instance.name() });
            }
        }
        Ok(())
    }

    fn again(&self) -> Checked {
        let readings = self.read()?;
        let talk = self.start()?;
        for (i, change) in self.changes_of(&readings, |i| self.should(i)).into_iter().enumerate() {
            let line = json!({"id": i + 1, "op": "set", "changes": [change], "noop": false}).to_string();
            let answer = self.exchange(&talk, line.as_bytes())?;
            let result =
                answer.get("results").and_then(|r| r.get(0)).ok_or_else(|| Violation::ResultMissing(Json::Object(answer.clone())))?;
            if let Some(error) = result.get("error").filter(|e| !e.is_null()) {
                return Err(Violation::UnexpectedError(error.clone()));
            }
            if let Some(changed) = result.get("changed").and_then(Json::as_object).filter(|c| !c.is_empty()) {
                let title = result.get("title").cloned().unwrap_or_default();
                return Err(Violation::ChangedAgain { properties: changed.keys().cloned().collect(), title });
            }
        }
        Ok(())
    }

    /// Kills the program while it removes the resources. Each resource must then be unchanged or absent. Afterwards creates them again.
    fn killed(&self, batch: usize) -> Checked {
        for moment in MOMENTS {
            let before = self.read()?;
            let mut talk = self.start()?;
            let all = self.changes_of(&before, |_| Json::Null);
            for (i, changes) in all.chunks(batch.max(1)).enumerate() {
                talk.ask(json!({"id": i + 1, "op": "set", "changes": changes, "noop": false}).to_string().into_bytes());
            }
            std::thread::sleep(Duration::from_millis(*moment));
            talk.kill();
            for (instance, (before, after)) in self.resources.iter().zip(before.iter().zip(self.read()?)) {
                if after != Reading::Absent && after != *before {
                    return Err(Violation::Torn { after: *moment, name: instance.name() });
                }
            }
            self.converge().map_err(|why| Violation::NotRestored { after: *moment, cause: Box::new(why) })?;
        }
        Ok(())
    }
}

/// Returns a line from the program without surrounding white space.
fn quoted(line: &[u8]) -> Foreign {
    Foreign::output(String::from_utf8_lossy(line).trim())
}

fn verdict(instance: &Arc<Instance>, reading: &Reading, redactor: &Redactor, context: Context<'_>) -> rtype_model::resource::Verdict {
    let current = Current::Read(reading.clone(), redactor.clone());
    let answer = current.reader(instance);
    compare_all(instance, &answer, context)
}

/// A resource with only a name.
struct EmptyResource;

impl rtype_provider::Resource for EmptyResource {
    fn wanted(&self, _: &str) -> Value {
        Value::Nil
    }
}

/// A listed resource, identified by at least one attribute.
struct Named<'a>(&'a rtype_provider::State);

impl rtype_provider::Resource for Named<'_> {
    fn wanted(&self, attribute: &str) -> Value {
        self.0.get(&Symbol::from(attribute)).and_then(|v| v.as_ref().ok()).cloned().unwrap_or_default()
    }
}
