//! A provider by property: each property is read and set separately, and one flush writes all of them.
//!
//! The bridge stores its lamps in a file with lines `NAME STATE LEVEL`.

use crate::lamps;
use rtype::provider::{Change, ListedResource, Provider, ProviderError, Reading, Replace, Request, Select, State, System};
use rtype::value::{Symbol, Value};

pub struct Bridge;

/// The state of a lamp.
struct Lamp {
    name: String,
    state: String,
    level: i64,
}

impl Bridge {
    /// Reads all lamps at once, so that the file is not read for each of them.
    fn prefetch(system: &System) -> Result<Vec<Lamp>, ProviderError> {
        let text = system.read(&lamps("bridge"))?.unwrap_or_default();
        let lamp = |(number, line): (usize, &str)| match line.split(' ').collect::<Vec<_>>().as_slice() {
            [name, state, level] => {
                let level = level
                    .parse()
                    .map_err(|_| ProviderError::new(format!("line {} of the lamps: `{level}` is not a number", number + 1)))?;
                Ok(Lamp { name: name.to_string(), state: state.to_string(), level })
            }
            _ => Err(ProviderError::new(format!("line {} of the lamps is invalid", number + 1))),
        };
        text.lines().enumerate().map(lamp).collect()
    }

    fn state(lamp: &Lamp, select: Select<'_>) -> State {
        let all = [("ensure", Value::sym("present")), ("state", Value::sym(lamp.state.as_str())), ("level", Value::Int(lamp.level))];
        all.into_iter().filter(|(name, _)| select.wants(name)).map(|(name, value)| (Symbol::from(name), Ok(value))).collect()
    }
}

impl Provider for Bridge {
    // The getters.
    fn reads(&self) -> &'static [&'static str] {
        &["ensure", "state", "level"]
    }

    fn get(&self, system: &System, requests: &[Request<'_>], select: Select<'_>) -> Vec<Reading> {
        let known = match Bridge::prefetch(system) {
            Ok(known) => known,
            // What cannot be read must not be treated as absent.
            Err(e) => return requests.iter().map(|_| Reading::Unavailable(e.clone())).collect(),
        };
        let one = |request: &Request<'_>| match known.iter().find(|l| l.name == request.name) {
            Some(lamp) => Reading::Present(Bridge::state(lamp, select)),
            None => Reading::Absent,
        };
        requests.iter().map(one).collect()
    }

    fn instances(&self, system: &System, select: Select<'_>) -> Result<Vec<ListedResource>, ProviderError> {
        let known = Bridge::prefetch(system)?;
        Ok(known.iter().map(|lamp| ListedResource { name: lamp.name.as_str().into(), state: Bridge::state(lamp, select) }).collect())
    }

    // The setters. The default `set` and `call` record properties, `create` and `destroy` in the change.
    fn writes(&self) -> &'static [&'static str] {
        &["state", "level"]
    }

    fn actions(&self) -> &'static [&'static str] {
        &["create", "destroy", "blink"]
    }

    fn set(&self, _: &System, change: &mut Change<'_>, property: &str, value: &Value) -> Result<(), ProviderError> {
        if property == "level" && change.value("state").is_sym("off") {
            return Err(ProviderError::new("a lamp that is off has no level").help("let `state` be `on`"));
        }
        change.should.insert(Symbol::from(property), value.clone());
        Ok(())
    }

    // A method of the resource, which the type calls as `provider.blink(3)`.
    fn call(&self, system: &System, change: &mut Change<'_>, action: &str, arguments: &[Value]) -> Result<Value, ProviderError> {
        match (action, arguments) {
            ("blink", [times]) => {
                let log = system.read(&lamps("blinks"))?.unwrap_or_default() + &format!("{} {times}\n", change.name);
                system.replace(&lamps("blinks"), log.as_bytes(), Replace::default())?;
                Ok(Value::Nil)
            }
            _ => change.note(action),
        }
    }

    // Writes all properties at once, however many were set.
    fn flush(&self, system: &System, changes: &mut [Change<'_>]) -> Vec<Result<(), ProviderError>> {
        let write = |changes: &mut [Change<'_>]| -> Result<(), ProviderError> {
            let mut known = Bridge::prefetch(system)?;
            for change in changes.iter() {
                if change.exists == Some(false) {
                    known.retain(|l| l.name != change.name);
                    continue;
                }
                if !known.iter().any(|l| l.name == change.name) {
                    known.push(Lamp { name: change.name.to_string(), state: "off".to_string(), level: 100 });
                }
                for lamp in known.iter_mut().filter(|l| l.name == change.name) {
                    match change.value("state") {
                        Value::Nil => {}
                        state => lamp.state = state.to_text().to_string(),
                    }
                    if let Value::Int(level) = change.value("level") {
                        lamp.level = level;
                    }
                }
            }
            let text: String = known.iter().map(|l| format!("{} {} {}\n", l.name, l.state, l.level)).collect();
            system.replace(&lamps("bridge"), text.as_bytes(), Replace::default())
        };
        let result = write(changes);
        for change in changes.iter_mut().filter(|_| result.is_ok()) {
            change.should.clear();
            change.exists = None;
        }
        changes.iter().map(|_| result.clone()).collect()
    }

    fn batch(&self, _: &System) -> usize {
        100
    }
}
