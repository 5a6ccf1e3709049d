//! `sysctl/parsed`: the lines of `/etc/sysctl.conf`.
//!
//! Follows `puppet/provider/sysctl/parsed.rb` of duritong-sysctl 0.0.11. Lines are told apart as sysctl.conf(5) says: one that begins
//! with `;` is a comment, and blanks before a name do not belong to it. What stands before the value of a line stays.

use crate::provider::native::common::{Property, is_blank, pick};
use crate::provider::text::Files;
use crate::provider::text::records::{self, Format, Wish};
use crate::provider::{Change, Found, Provider, ProviderError, Reading, Request, Select, State, System};
use crate::value::{EcoString, Value};
use std::collections::HashSet;

/// The file where a resource names no other.
const FILE: &str = "/etc/sysctl.conf";

/// Reads and writes parameters of the kernel as they are at boot.
#[derive(Clone, Copy, Debug, Default)]
pub struct Parsed;

/// One line.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    name: String,
    val: String,
    /// What stands before the value: `name = `.
    before: String,
}

impl Parameter {
    fn state(&self, target: &str, select: Select<'_>) -> State {
        let properties: [Property; 3] =
            [("ensure", Ok(Value::sym("present"))), ("val", Ok(Value::str(self.val.as_str()))), ("target", Ok(Value::str(target)))];
        pick(select, properties)
    }
}

impl Format for Parsed {
    type Record = Parameter;

    fn file(&self) -> Option<EcoString> {
        Some(FILE.into())
    }

    fn parse(&self, line: &str) -> Option<Parameter> {
        let (name, behind) = line.split_once('=')?;
        let name = name.trim_matches(is_blank);
        let val = behind.trim_start_matches(is_blank);
        let before = line.strip_suffix(val)?.to_owned();
        let is_name = !name.is_empty() && !name.starts_with(['#', ';']);
        is_name.then(|| Parameter { name: name.into(), val: val.into(), before })
    }

    fn is_of(&self, parameter: &Parameter, request: Request<'_>) -> bool {
        parameter.name == request.name
    }

    fn print(&self, was: Option<&Parameter>, wish: &Wish<'_, '_>) -> Result<String, ProviderError> {
        let val = wish.text("val", was.map(|p| p.val.as_str()));
        let val = val.ok_or_else(|| ProviderError::new("a parameter of the kernel needs a `val`"))?;
        let before = was.map_or_else(|| format!("{}=", wish.name()), |p| p.before.clone());
        Ok(format!("{before}{val}"))
    }
}

impl Provider for Parsed {
    fn reads(&self) -> &'static [&'static str] {
        &["ensure", "val", "target"]
    }

    fn get(&self, system: &System, requests: &[Request<'_>], select: Select<'_>) -> Vec<Reading> {
        let open = records::opener(self);
        let mut files = Files::new(system, &open);
        requests.iter().map(|request| records::read(self, &mut files, *request, |p, target| p.state(target, select))).collect()
    }

    fn instances(&self, system: &System, select: Select<'_>) -> Result<Vec<Found>, ProviderError> {
        let open = records::opener(self);
        let mut files = Files::new(system, &open);
        let mut seen = HashSet::new();
        let all = files.open(FILE)?.iter().map(|(_, p)| p).filter(|p| seen.insert(&p.name));
        Ok(all.map(|p| Found { name: p.name.as_str().into(), state: p.state(FILE, select) }).collect())
    }

    fn writes(&self) -> &'static [&'static str] {
        &["val", "target"]
    }

    fn actions(&self) -> &'static [&'static str] {
        &["create", "destroy", "flush"]
    }

    fn flush(&self, system: &System, changes: &mut [Change<'_>]) -> Vec<Result<(), ProviderError>> {
        records::flush(self, system, changes)
    }

    fn batch(&self) -> usize {
        records::BATCH
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provider::native::common::testing::{apply, get, line, machine, present};

    const TEXT: &str = "# kernel.sysrq = 1\n;kernel.sysrq=2\n kernel.panic = 10\n\nnet.ipv4.tcp_rmem=4096 87380\n";

    fn after(name: &str, wants: &[(&'static str, Value)]) -> String {
        let (_folder, system) = machine(&[(FILE, TEXT)]);
        apply(&Parsed, &system, name, wants).unwrap();
        system.read(FILE).unwrap().unwrap()
    }

    #[test]
    fn parameters_are_read_and_comments_are_none() {
        let (_folder, system) = machine(&[(FILE, TEXT)]);
        assert_eq!(line(&present(get(&Parsed, &system, "kernel.panic"))), r#"ensure=:present val="10" target="/etc/sysctl.conf""#);
        assert_eq!(get(&Parsed, &system, "kernel.sysrq"), Reading::Absent);
        assert_eq!(Parsed.instances(&system, Select::All).unwrap().len(), 2);
    }

    #[test]
    fn a_new_parameter_has_no_blanks_and_a_changed_one_keeps_its_own() {
        assert_eq!(after("kernel.sysrq", &[("val", Value::Int(0))]), format!("{TEXT}kernel.sysrq=0\n"));
        assert_eq!(after("kernel.panic", &[("val", Value::str("5"))]), TEXT.replace("= 10", "= 5"));
        assert_eq!(after("kernel.panic", &[("ensure", Value::sym("absent"))]), TEXT.replace(" kernel.panic = 10\n", ""));
    }

    #[test]
    fn a_parameter_without_a_value_is_refused() {
        let (_folder, system) = machine(&[(FILE, TEXT)]);
        apply(&Parsed, &system, "kernel.sysrq", &[]).unwrap_err();
        assert_eq!(system.read(FILE).unwrap().unwrap(), TEXT);
    }
}
