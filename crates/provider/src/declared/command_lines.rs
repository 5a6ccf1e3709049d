//! `command_lines`: programs that list, make, change and remove things.

use super::{Record, key, key_of, record};
use crate::{
    Change, ListedResource, Operation, Output, Provider, ProviderError, Reading, Request, Resource, ResourceShape, Select, State, System,
};
use rtype_lang::value::{Symbol, Value};
use rtype_model::providers::rows;
use std::time::Duration;

/// Runs the programs that `to_list`, `to_read`, `to_create`, `to_update` and `to_delete` name.
pub struct CommandLines {
    shape: ResourceShape,
    /// The actions that the provider declares.
    actions: Vec<Symbol>,
}

impl CommandLines {
    /// Creates a provider for resources of this shape.
    pub fn new(shape: ResourceShape, actions: Vec<Symbol>) -> CommandLines {
        CommandLines { shape, actions }
    }

    /// Runs the commands of `to_METHOD`, and returns the output of the last command.
    fn method(&self, system: &System, resource: &dyn Resource, method: &str, arguments: &[Value]) -> Result<Value, ProviderError> {
        let setting = format!("to_{method}");
        let span = resource.setting_span(&setting);
        let lines = lines_of(&resource.ask(&setting, arguments)?, &setting).map_err(|e| e.at(span))?;
        let mut said = None;
        for line in &lines {
            let output = run(system, resource, line, None).map_err(|e| e.at(span))?;
            said = Some(succeeded(resource, output, line).map_err(|e| e.at(span))?);
        }
        let said = said.ok_or_else(|| ProviderError::new(format!("the provider does not define `{setting}`")))?;
        Ok(Value::str(said.stdout.for_parsing().trim_end_matches('\n')))
    }

    /// Returns the resources in a program's output.
    fn records(&self, settings: &dyn Resource, output: &str) -> Result<Vec<Record>, ProviderError> {
        let rule = ["rows", "parse"].into_iter().find_map(|name| settings.setting_span(name));
        self.parse(settings, output).map_err(|e| e.at(rule))
    }

    fn parse(&self, settings: &dyn Resource, output: &str) -> Result<Vec<Record>, ProviderError> {
        let parsed = match settings.setting("rows")? {
            Value::Nil => settings.ask("parse", &[Value::str(output)])?.unwrapped().clone(),
            format => rows(&format, output).map_err(|e| ProviderError::new(e.to_string()))?,
        };
        match &parsed {
            Value::Array(all) => all.iter().filter_map(|one| record(&self.shape, one).transpose()).collect(),
            one => Ok(record(&self.shape, one)?.into_iter().collect()),
        }
    }

    /// Returns all resources, `None` if they cannot be listed.
    fn list(&self, system: &System, settings: &dyn Resource) -> Result<Option<Vec<Record>>, ProviderError> {
        let Some(line) = command_lines(settings, "to_list")?.into_iter().next() else { return Ok(None) };
        let span = settings.setting_span("to_list");
        let output = run(system, settings, &line, None).map_err(|e| e.at(span))?;
        let output = succeeded(settings, output, &line).map_err(|e| e.at(span))?;
        self.records(settings, output.stdout.for_parsing()).map(Some)
    }

    fn read(&self, system: &System, request: Request<'_>, line: &[String], select: Select<'_>) -> Result<Reading, ProviderError> {
        let span = request.resource.setting_span("to_read");
        let output = run(system, request.resource, line, None).map_err(|e| e.at(span))?;
        if codes(request.resource, "absent_codes")?.contains(&output.status.map(i64::from)) {
            return Ok(Reading::Absent);
        }
        let output = succeeded(request.resource, output, line).map_err(|e| e.at(span))?;
        let all = self.records(request.resource, output.stdout.for_parsing())?;
        Ok(self.find(&all, request, select))
    }

    fn find(&self, all: &[Record], request: Request<'_>, select: Select<'_>) -> Reading {
        let wanted = key(&self.shape, request);
        let found = all.iter().find(|r| key_of(&self.shape, r) == wanted);
        found.and_then(|r| self.state(r, select)).map_or(Reading::Absent, Reading::Present)
    }

    fn state(&self, record: &Record, select: Select<'_>) -> Option<State> {
        let of = |name: &str| record.get(name).cloned();
        self.shape.state_of(&of, select, "its program said that")
    }

    fn write(&self, system: &System, change: &Change<'_>) -> Result<(), ProviderError> {
        let setting = match change.operation() {
            Operation::Create => "to_create",
            Operation::Delete => "to_delete",
            Operation::Update => "to_update",
            Operation::Nothing => return Ok(()),
        };
        let lines = command_lines(change.resource, setting)?;
        if lines.is_empty() {
            return Err(ProviderError::new(format!("the provider does not define `{setting}`")));
        }
        let span = change.resource.setting_span(setting);
        let input = match change.operation() {
            Operation::Delete => None,
            _ => Some(change.resource.setting("input")?).filter(|i| !i.is_nil()).map(|i| i.to_text().to_string()),
        };
        for line in lines {
            let output = run(system, change.resource, &line, input.as_deref()).map_err(|e| e.at(span))?;
            succeeded(change.resource, output, &line).map_err(|e| e.at(span))?;
        }
        Ok(())
    }
}

/// Returns the command lines of a setting: one, several, or none.
fn command_lines(settings: &dyn Resource, setting: &str) -> Result<Vec<Vec<String>>, ProviderError> {
    arguments(settings, setting).map_err(|e| e.at(settings.setting_span(setting)))
}

fn arguments(settings: &dyn Resource, setting: &str) -> Result<Vec<Vec<String>>, ProviderError> {
    lines_of(&settings.ask(setting, &[])?, setting)
}

fn lines_of(given: &Value, setting: &str) -> Result<Vec<Vec<String>>, ProviderError> {
    if given.has_secret() {
        let error = ProviderError::new(format!("`{setting}` contains a secret, which every user could see"));
        return Err(error.help("pass secrets with `input`"));
    }
    let wrong = || ProviderError::new(format!("`{setting}` must return a program with its arguments, or a list of them"));
    let line = |words: &Value| -> Result<Vec<String>, ProviderError> {
        let words = words.as_array().filter(|w| !w.is_empty()).ok_or_else(wrong)?;
        Ok(words.iter().filter(|w| !w.is_nil()).map(|w| w.to_text().into()).collect())
    };
    match given {
        Value::Nil => Ok(Vec::new()),
        Value::Array(all) if all.iter().all(|one| one.as_array().is_some()) => all.iter().map(line).collect(),
        one => Ok(vec![line(one)?]),
    }
}

fn run(system: &System, settings: &dyn Resource, line: &[String], input: Option<&str>) -> Result<Output, ProviderError> {
    let (program, arguments) = line.split_first().ok_or_else(|| ProviderError::new("a command line without a program"))?;
    let mut command = system.command(program).args(arguments);
    if let Value::Int(seconds @ 1..) = settings.setting("time_limit")? {
        command = command.time_limit(u64::try_from(seconds).ok().map(Duration::from_secs));
    }
    if let Some(input) = input {
        command = command.stdin(input);
    }
    command.run()
}

fn succeeded(settings: &dyn Resource, output: Output, line: &[String]) -> Result<Output, ProviderError> {
    let good = codes(settings, "done_codes")?;
    let is_good = if good.is_empty() { output.status == Some(0) } else { good.contains(&output.status.map(i64::from)) };
    if is_good { Ok(output) } else { Err(output.failure(&line.join(" "))) }
}

/// Returns the exit statuses that a setting lists.
fn codes(settings: &dyn Resource, setting: &str) -> Result<Vec<Option<i64>>, ProviderError> {
    let code = |value: &Value| match value {
        Value::Int(code) => Ok(Some(*code)),
        _ => Err(ProviderError::new(format!("`{setting}` lists exit statuses"))),
    };
    match settings.setting(setting)? {
        Value::Nil => Ok(Vec::new()),
        Value::Array(all) => all.iter().map(code).collect(),
        one => Ok(vec![code(&one)?]),
    }
}

impl Provider for CommandLines {
    fn reads(&self) -> &'static [&'static str] {
        &[]
    }

    fn can_read(&self, property: &str) -> bool {
        self.shape.is_property(property)
    }

    fn can_write(&self, property: &str) -> bool {
        self.shape.is_property(property)
    }

    fn actions(&self) -> &'static [&'static str] {
        &["create", "destroy"]
    }

    fn get(&self, system: &System, requests: &[Request<'_>], select: Select<'_>) -> Vec<Reading> {
        let mut listed = None;
        let mut one = |request: &Request<'_>| -> Result<Reading, ProviderError> {
            if let Some(line) = command_lines(request.resource, "to_read")?.into_iter().next() {
                return self.read(system, *request, &line, select);
            }
            let all = listed.get_or_insert_with(|| self.list(system, request.resource)).clone()?;
            let all = all.ok_or_else(|| ProviderError::new("the provider says neither `to_list` nor `to_read`"))?;
            Ok(self.find(&all, *request, select))
        };
        requests.iter().map(|request| one(request).unwrap_or_else(Reading::Error)).collect()
    }

    fn instances(&self, _: &System, _: Select<'_>) -> Result<Vec<ListedResource>, ProviderError> {
        Err(ProviderError::new("a provider of command lines lists nothing without its settings"))
    }

    fn instances_of(&self, system: &System, settings: &dyn Resource, select: Select<'_>) -> Result<Vec<ListedResource>, ProviderError> {
        let all = self.list(system, settings)?.ok_or_else(|| ProviderError::new("the provider does not define `to_list`"))?;
        let found = |record: &Record| {
            let key = key_of(&self.shape, record);
            let mut state = self.state(record, select)?;
            if key.len() > 1 {
                state.extend(self.shape.namevars.iter().cloned().zip(key.iter().cloned().map(|part| Ok(Value::Str(part)))));
            }
            Some(ListedResource { name: key.join("/").into(), state })
        };
        Ok(all.iter().filter_map(found).collect())
    }

    fn can_call(&self, action: &str) -> bool {
        ["create", "destroy", "delete"].contains(&action) || self.actions.iter().any(|declared| declared.as_str() == action)
    }

    fn call(&self, system: &System, change: &mut Change<'_>, action: &str, arguments: &[Value]) -> Result<Value, ProviderError> {
        change.note(action).or_else(|_| self.method(system, change.resource, action, arguments))
    }

    fn query(&self, system: &System, request: Request<'_>, method: &str, arguments: &[Value]) -> Result<Value, ProviderError> {
        self.method(system, request.resource, method, arguments)
    }

    fn set(&self, _: &System, change: &mut Change<'_>, property: &str, value: &Value) -> Result<(), ProviderError> {
        if property == "ensure" {
            change.exists = Some(!value.unwrapped().is_absent());
        }
        change.should.insert(Symbol::from(property), value.clone());
        Ok(())
    }

    fn flush(&self, system: &System, changes: &mut [Change<'_>]) -> Vec<Result<(), ProviderError>> {
        let mut results = Vec::new();
        for change in changes {
            results.push(self.write(system, change));
            change.should.clear();
            change.exists = None;
        }
        results
    }
}
