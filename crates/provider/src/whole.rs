//! Providers in terms of whole resources: get the current state, set the desired state.
//!
//! [`WholeResource`] turns a [`GetSet`] into a [`Provider`]; [`Simple`] splits it into functions for creating, updating and
//! deleting.

use super::{Change, ListedResource, Operation, Provider, ProviderError, Reading, Request, Select, State, System};
use indexmap::IndexMap;
use rtype_lang::eval::LogLevel;
use rtype_lang::redact::Foreign;
use rtype_lang::value::{EcoString, Symbol, Value};
use std::cell::RefCell;
use std::ops::Deref;

/// The desired properties.
pub type DesiredValues = IndexMap<Symbol, Value>;

/// The difference between the current and the desired state of a resource.
#[derive(Debug)]
pub struct Difference<'a> {
    /// The value of its namevar.
    pub name: &'a str,
    /// The current state, `None` if the resource does not exist.
    pub is: Option<&'a State>,
    /// All desired properties, `None` if the resource has to be removed. Secrets are wrapped.
    pub should: Option<DesiredValues>,
}

/// The machine, and a log for messages about the resources that are being changed.
#[derive(Clone, Copy)]
pub struct ChangeContext<'a> {
    system: &'a System,
    /// The resource that messages are about; `None` for messages about all changes.
    name: Option<&'a str>,
    messages: &'a RefCell<Vec<LoggedMessage>>,
}

/// A message with its level and, unless it is about all changes, the name of the resource.
type LoggedMessage = (Option<EcoString>, LogLevel, Foreign);

impl ChangeContext<'_> {
    /// Returns a context for messages about one resource.
    #[must_use]
    pub fn about<'b>(&'b self, name: &'b str) -> ChangeContext<'b> {
        ChangeContext { name: Some(name), ..*self }
    }

    /// Adds a message to the log of the run. Secrets in it are redacted.
    pub fn log(&self, level: LogLevel, message: impl Into<Foreign>) {
        self.messages.borrow_mut().push((self.name.map(EcoString::from), level, message.into()));
    }
}

impl Deref for ChangeContext<'_> {
    type Target = System;

    fn deref(&self) -> &System {
        self.system
    }
}

/// A provider with two functions.
pub trait GetSet: Send + Sync {
    /// Returns the properties that it reads and changes, including `ensure`.
    fn properties(&self) -> &'static [&'static str];

    /// Reads the resources with these names, or all of them. Resources missing from the result are absent.
    ///
    /// # Errors
    /// If the resources cannot be listed.
    fn get(&self, system: &System, names: Option<&[&str]>) -> Result<Vec<ListedResource>, ProviderError>;

    /// Applies the changes. Returns one result per change, in the same order.
    fn set(&self, context: &ChangeContext<'_>, changes: &[Difference<'_>]) -> Vec<Result<(), ProviderError>>;
}

/// A provider that creates, updates and deletes one resource at a time.
pub trait Simple: Send + Sync {
    /// Returns the properties that it reads and changes, including `ensure`.
    fn properties(&self) -> &'static [&'static str];

    /// Reads the resources with these names, or all of them. Resources missing from the result are absent.
    ///
    /// # Errors
    /// If the resources cannot be listed.
    fn get(&self, system: &System, names: Option<&[&str]>) -> Result<Vec<ListedResource>, ProviderError>;

    /// Creates a resource.
    ///
    /// # Errors
    /// If it could not be created.
    fn create(&self, context: &ChangeContext<'_>, name: &str, should: &DesiredValues) -> Result<(), ProviderError>;

    /// Updates a resource.
    ///
    /// # Errors
    /// If it could not be updated.
    fn update(&self, context: &ChangeContext<'_>, name: &str, should: &DesiredValues) -> Result<(), ProviderError>;

    /// Deletes a resource.
    ///
    /// # Errors
    /// If it could not be deleted.
    fn delete(&self, context: &ChangeContext<'_>, name: &str) -> Result<(), ProviderError>;
}

impl<T: Simple> GetSet for T {
    fn properties(&self) -> &'static [&'static str] {
        Simple::properties(self)
    }

    fn get(&self, system: &System, names: Option<&[&str]>) -> Result<Vec<ListedResource>, ProviderError> {
        Simple::get(self, system, names)
    }

    fn set(&self, context: &ChangeContext<'_>, changes: &[Difference<'_>]) -> Vec<Result<(), ProviderError>> {
        let one = |change: &Difference<'_>| {
            let context = context.about(change.name);
            match (change.is, &change.should) {
                (None, Some(should)) => self.create(&context, change.name, should),
                (Some(_), Some(should)) => self.update(&context, change.name, should),
                (Some(_), None) => self.delete(&context, change.name),
                (None, None) => Ok(()),
            }
        };
        changes.iter().map(one).collect()
    }
}

/// Turns a [`GetSet`] into a [`Provider`].
#[derive(Clone, Copy, Debug, Default)]
pub struct WholeResource<T>(pub T);

impl<T: GetSet> WholeResource<T> {
    fn difference<'a>(&self, change: &'a Change<'_>) -> Difference<'a> {
        let is = match change.is {
            Reading::Present(state) if change.was_there() => Some(state),
            _ => None,
        };
        let mut should = IndexMap::new();
        for property in self.0.properties() {
            let wanted = change.resource.wanted(property);
            let noted = change.should.get(*property).cloned();
            if let Some(value) = noted.or(Some(wanted).filter(|v| !v.is_nil())) {
                should.insert(Symbol::from(*property), value);
            }
        }
        let goes = change.exists == Some(false);
        Difference { name: change.name, is, should: (!goes).then_some(should) }
    }
}

impl<T: GetSet> Provider for WholeResource<T> {
    fn reads(&self) -> &'static [&'static str] {
        self.0.properties()
    }

    fn writes(&self) -> &'static [&'static str] {
        self.0.properties()
    }

    fn actions(&self) -> &'static [&'static str] {
        &["create", "destroy"]
    }

    fn get(&self, system: &System, requests: &[Request<'_>], select: Select<'_>) -> Vec<Reading> {
        let names: Vec<&str> = requests.iter().map(|r| r.name).collect();
        let found = match self.0.get(system, Some(&names)) {
            Ok(found) => found,
            Err(e) => return requests.iter().map(|_| Reading::Unavailable(e.clone())).collect(),
        };
        let one = |request: &Request<'_>| match found.iter().find(|f| f.name == request.name) {
            Some(found) => {
                let wanted = found.state.iter().filter(|(name, _)| select.wants(name.as_str()));
                Reading::Present(wanted.map(|(name, value)| (name.clone(), value.clone())).collect())
            }
            None => Reading::Absent,
        };
        requests.iter().map(one).collect()
    }

    fn instances(&self, system: &System, _: Select<'_>) -> Result<Vec<ListedResource>, ProviderError> {
        self.0.get(system, None)
    }

    fn set(&self, _: &System, change: &mut Change<'_>, property: &str, value: &Value) -> Result<(), ProviderError> {
        if property == "ensure" {
            change.exists = Some(!value.unwrapped().is_absent());
        }
        change.should.insert(Symbol::from(property), value.clone());
        Ok(())
    }

    fn flush(&self, system: &System, changes: &mut [Change<'_>]) -> Vec<Result<(), ProviderError>> {
        let is_asked = |c: &Change<'_>| c.operation() != Operation::Nothing;
        let differences: Vec<Difference<'_>> = changes.iter().filter(|c| is_asked(c)).map(|c| self.difference(c)).collect();
        let messages = RefCell::default();
        let mut done = self.0.set(&ChangeContext { system, name: None, messages: &messages }, &differences).into_iter();
        let results: Vec<Result<(), ProviderError>> =
            changes
                .iter()
                .map(|c| {
                    if is_asked(c) { done.next().unwrap_or_else(|| Err(ProviderError::new("its provider gave no answer"))) } else { Ok(()) }
                })
                .collect();
        for (name, level, message) in messages.into_inner() {
            let place = changes.iter().position(|change| name.as_deref() == Some(change.name)).unwrap_or_default();
            if let Some(change) = changes.get_mut(place) {
                change.log(level, message);
            }
        }
        for change in changes {
            change.should.clear();
            change.exists = None;
        }
        results
    }

    fn batch(&self, _: &System) -> usize {
        usize::MAX
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Resource;
    use std::sync::Mutex;

    /// Records its calls; `broken` cannot be read, and `stuck` cannot be changed.
    #[derive(Default)]
    struct Diary(Mutex<Vec<String>>);

    impl GetSet for Diary {
        fn properties(&self) -> &'static [&'static str] {
            &["ensure", "colour", "size"]
        }
        fn get(&self, _: &System, names: Option<&[&str]>) -> Result<Vec<ListedResource>, ProviderError> {
            if names.is_some_and(|names| names.contains(&"broken")) {
                return Err(ProviderError::new("nothing can be read"));
            }
            let state = [("colour", Value::str("red")), ("size", Value::Int(1))].map(|(n, v)| (Symbol::from(n), Ok(v)));
            Ok(vec![ListedResource { name: "there".into(), state: state.into_iter().collect() }])
        }
        fn set(&self, context: &ChangeContext<'_>, changes: &[Difference<'_>]) -> Vec<Result<(), ProviderError>> {
            context.log(LogLevel::Debug, "all of them");
            changes.iter().for_each(|change| context.about(change.name).log(LogLevel::Warning, format!("{} changes", change.name)));
            let shown = |d: &Difference<'_>| {
                let should = d.should.as_ref().map(|s| s.iter().map(|(n, v)| format!("{n}={v}")).collect::<Vec<_>>().join(" "));
                format!("{} {} -> {}", d.name, d.is.map_or("nothing", |_| "something"), should.unwrap_or_else(|| "nothing".to_owned()))
            };
            self.0.lock().unwrap().push(changes.iter().map(shown).collect::<Vec<_>>().join("; "));
            changes.iter().map(|d| if d.name == "stuck" { Err(ProviderError::new("it is stuck")) } else { Ok(()) }).collect()
        }
    }

    /// A provider whose desired color is blue.
    struct Blue;

    impl Resource for Blue {
        fn wanted(&self, attribute: &str) -> Value {
            if attribute == "colour" { Value::str("blue") } else { Value::Nil }
        }
    }

    fn request(name: &str) -> Request<'_> {
        Request { name, resource: &Blue }
    }

    #[test]
    fn all_changes_are_one_set_and_without_a_should_it_goes() {
        let (system, whole) = (System::at("/nonexistent"), WholeResource(Diary::default()));
        let read = whole.get(&system, &[request("there"), request("new")], Select::Only(&[Symbol::from("size")]));
        let [there, absent] = read.as_slice() else { panic!("{read:?}") };
        assert_eq!(there, &Reading::Present([(Symbol::from("size"), Ok(Value::Int(1)))].into_iter().collect()));
        assert_eq!(absent, &Reading::Absent);
        let mut changes: Vec<Change<'_>> = ["changed", "gone", "same", "stuck"].map(|name| Change::new(request(name), there)).into();
        changes.push(Change::new(request("new"), absent));
        for (name, property) in [("changed", "colour"), ("changed", "size"), ("stuck", "size")] {
            let change = changes.iter_mut().find(|c| c.name == name).unwrap();
            whole.set(&system, change, property, &Value::str("blue")).unwrap();
        }
        whole.call(&system, changes.get_mut(1).unwrap(), "destroy", &[]).unwrap();
        whole.call(&system, changes.get_mut(4).unwrap(), "create", &[]).unwrap();
        let done: Vec<bool> = whole.flush(&system, &mut changes).iter().map(Result::is_ok).collect();
        assert_eq!(done, [true, true, true, false, true]);
        let expected = "changed something -> colour=blue size=blue; gone something -> nothing; \
                        stuck something -> colour=blue size=blue; new nothing -> colour=blue";
        assert_eq!(*whole.0.0.lock().unwrap(), [expected]);
        let messages = |change: &Change<'_>| change.messages.iter().map(|(level, message)| (*level, message.clone())).collect::<Vec<_>>();
        assert_eq!(messages(&changes[0]), [(LogLevel::Debug, "all of them".into()), (LogLevel::Warning, "changed changes".into())]);
        assert_eq!(messages(&changes[4]), [(LogLevel::Warning, "new changes".into())]);
    }

    #[test]
    fn what_cannot_be_read_is_said_of_all() {
        let read = WholeResource(Diary::default()).get(&System::at("/nonexistent"), &[request("there"), request("broken")], Select::All);
        assert_eq!(read, vec![Reading::Unavailable(ProviderError::new("nothing can be read")); 2]);
    }
}
