//! dpkg's database, read as `dpkg-query -W` reads it, without starting a process.

use crate::native::common::{Property, pick};
use crate::{ListedResource, ProviderError, Reading, Request, Select, State, System};
use rtype_lang::value::{EcoString, Value};
use std::collections::HashSet;

const STATUS: &str = "/var/lib/dpkg/status";
const UPDATES: &str = "/var/lib/dpkg/updates";

/// The fields that name other packages.
const RELATIONS: [&str; 9] =
    ["Depends", "Pre-Depends", "Recommends", "Suggests", "Enhances", "Breaks", "Conflicts", "Replaces", "Provides"];

/// One package of one architecture.
#[derive(Debug, Clone, Default)]
pub(super) struct Package {
    pub name: EcoString,
    pub architecture: EcoString,
    version: EcoString,
    held: bool,
    state: Installed,
    provides: EcoString,
}

/// The last word of `Status:`, as far as Puppet distinguishes its values.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
enum Installed {
    /// The package is not installed at all.
    #[default]
    Not,
    /// Its configuration files alone are there.
    Configuration,
    /// Something is there, but it does not work: an installation that broke off.
    Partly,
    /// It is there, if only waiting for triggers.
    Fully,
}

impl Package {
    /// Puppet's `ensure`: the version, `:absent` or `:purged`.
    pub fn ensure(&self) -> Value {
        match self.state {
            Installed::Not => Value::sym("purged"),
            Installed::Configuration | Installed::Partly => Value::sym("absent"),
            Installed::Fully => Value::Str(self.version.clone()),
        }
    }

    /// Returns whether it is installed so far that it can be marked as manual.
    pub fn is_installed(&self) -> bool {
        self.state == Installed::Fully
    }

    /// Returns whether the package is removed; configuration files may remain.
    pub fn is_removed(&self) -> bool {
        matches!(self.state, Installed::Not | Installed::Configuration)
    }

    /// Returns whether the package is purged, including configuration files.
    pub fn is_purged(&self) -> bool {
        self.state == Installed::Not
    }

    /// Returns whether the installed version is on hold.
    pub fn is_held(&self) -> bool {
        self.held && self.is_installed()
    }

    /// Returns the properties; `manual` is whether apt marks the package as manually installed.
    pub fn properties(&self, manual: Result<bool, ProviderError>, select: Select<'_>) -> State {
        let mark = match (self.state, self.held) {
            // A package that is absent has no other properties, even if dpkg stores them.
            (Installed::Configuration | Installed::Partly, _) => "absent",
            (_, true) => "hold",
            (_, false) => "none",
        };
        let mark = manual.map(|manual| Value::sym(if manual { "manual" } else { mark }));
        let properties: [Property; 2] = [("ensure", Ok(self.ensure())), ("mark", mark)];
        pick(select, properties)
    }

    fn provides(&self, name: &str) -> bool {
        // A versioned item (`mail-agent (= 1)`) does not count in Puppet's search either.
        self.provides.split(',').any(|item| item.trim() == name)
    }
}

/// All packages that dpkg knows, sorted by name, each name's native architecture first.
#[derive(Debug, Default)]
pub(super) struct Database {
    packages: Vec<Package>,
    /// The machine's own architecture: `amd64`.
    pub native: EcoString,
    /// The status file.
    bytes: Vec<u8>,
}

impl Database {
    /// Reads the status file and the journal next to it, in which an interrupted dpkg leaves completed changes.
    ///
    /// # Errors
    /// If a file is missing, unreadable or invalid; dpkg then rejects the whole database, too.
    pub fn read(system: &System) -> Result<Database, ProviderError> {
        let missing = || ProviderError::new(format!("cannot read {STATUS}: no such file"));
        let bytes = system.read_bytes(STATUS)?.ok_or_else(missing)?;
        let mut packages = parse(&bytes, STATUS)?;
        for file in journal(system)? {
            for newer in parse(&system.read_bytes(&file)?.unwrap_or_default(), &file)? {
                packages.retain(|p| p.name != newer.name || p.architecture != newer.architecture);
                packages.push(newer);
            }
        }
        let native = packages.iter().find(|p| p.name == "dpkg").map(|p| p.architecture.clone()).unwrap_or_default();
        let foreign = |p: &Package| p.architecture != native && p.architecture != "all";
        packages.sort_by(|a, b| (&a.name, foreign(a), &a.architecture).cmp(&(&b.name, foreign(b), &b.architecture)));
        Ok(Database { packages, native, bytes })
    }

    /// Returns whether apt takes a suffix of a package name for the machine's own architecture.
    pub fn is_native_name(&self, architecture: &str) -> bool {
        self.native == architecture || ["native", "all"].contains(&architecture)
    }

    /// Returns the name of a package for dpkg. dpkg does not know suffixes such as `:native`, and several packages may have the same name.
    pub fn full_name(&self, name: &str) -> String {
        let package = self.find(name).filter(|package| !package.architecture.is_empty());
        package.map_or_else(|| name.to_owned(), |package| format!("{}:{}", package.name, package.architecture))
    }

    /// Returns the package of this name, with or without an architecture: `libc6`, `libc6:i386`.
    pub fn find(&self, name: &str) -> Option<&Package> {
        let (name, architecture) = name.split_once(':').map_or((name, None), |(n, a)| (n, Some(a)));
        let start = self.packages.partition_point(|p| p.name.as_str() < name);
        let same = self.packages.iter().skip(start).take_while(|p| p.name == name);
        // For apt, a package with the architecture `all` has the native architecture.
        let is_native = |p: &Package| p.architecture == self.native || p.architecture == "all";
        let has = |p: &Package, a: &str| p.architecture == a || self.is_native_name(a) && is_native(p) || a == "any";
        let mut fitting = same.filter(|p| architecture.is_none_or(|a| has(p, a)));
        let first = fitting.clone().next();
        fitting.find(|p| p.state != Installed::Not).or(first)
    }

    /// Returns the first package that provides a virtual name.
    pub fn provider_of(&self, name: &str) -> Option<&Package> {
        self.listed().find(|p| p.provides(name))
    }

    /// Returns the package of a resource: the package with the resource's name or, if allowed, a package that provides the name.
    pub fn meant(&self, request: Request<'_>) -> Option<&Package> {
        let virtual_allowed = || matches!(request.resource.wanted("allow_virtual"), Value::Bool(true));
        self.find(request.name).or_else(|| if virtual_allowed() { self.provider_of(request.name) } else { None })
    }

    /// Returns whether some package's relations mention the name: dpkg knows it then, though it has never been installed.
    fn mentions(&self, name: &str) -> bool {
        let of = |item: &[u8]| {
            let item = item.trim_ascii_start();
            let end = item.iter().position(|b| matches!(b, b' ' | b'(' | b':')).unwrap_or(item.len());
            item.split_at(end).0 == name.as_bytes()
        };
        let mut relations = self.bytes.split(|b| *b == b'\n').filter_map(relation);
        relations.any(|items| items.split(|b| matches!(b, b',' | b'|')).any(of))
    }

    /// Returns the packages that `dpkg-query -W` lists: all that have left something on the machine.
    fn listed(&self) -> impl Iterator<Item = &Package> {
        self.packages.iter().filter(|p| p.state != Installed::Not)
    }
}

/// Reads the requests against one reading of the database.
///
/// `manual` returns whether the package was installed manually; called only for packages where Puppet shows the mark (see
/// [`super::apt`]).
pub(super) fn get(
    system: &System,
    requests: &[Request<'_>],
    select: Select<'_>,
    mut manual: impl FnMut(&Database, &Package, &str) -> Result<bool, ProviderError>,
) -> Vec<Reading> {
    let database = match Database::read(system) {
        Ok(database) => database,
        Err(error) => {
            return requests.iter().map(|_| Reading::Error(error.clone())).collect();
        }
    };
    let mut read = |request: &Request<'_>| {
        let own = database.find(request.name);
        let found = database.meant(*request);
        let Some(package) = found else {
            // A package that was never installed counts as `:purged`, as in Puppet, which is in sync with both
            // `absent` and `purged`. It has a mark if dpkg knows the name.
            let mark = if select.wants("mark") && database.mentions(request.name) { "none" } else { "absent" };
            let nothing: [Property; 2] = [("ensure", Ok(Value::sym("purged"))), ("mark", Ok(Value::sym(mark)))];
            return Reading::Present(pick(select, nothing));
        };
        // Puppet lists plain names only, so that these alone keep the mark of the list.
        let plain = package.name == request.name;
        let asked = if own.is_some() { request.name } else { package.name.as_str() };
        let manual = if plain || !package.is_installed() || !select.wants("mark") { Ok(false) } else { manual(&database, package, asked) };
        Reading::Present(package.properties(manual, select))
    };
    requests.iter().map(&mut read).collect()
}

/// All packages. Of packages with the same name, the first has the plain name, and the others have a suffix with their architecture.
pub(super) fn instances(system: &System, select: Select<'_>) -> Result<Vec<ListedResource>, ProviderError> {
    let database = Database::read(system)?;
    let mut seen = HashSet::new();
    let name = |p: &Package, is_first: bool| if is_first { p.name.clone() } else { ecow::eco_format!("{}:{}", p.name, p.architecture) };
    let mut listed = |p: &Package| {
        let is_first = seen.insert(p.name.clone());
        ListedResource { name: name(p, is_first), state: p.properties(Ok(false), select) }
    };
    Ok(database.listed().map(&mut listed).collect())
}

/// Returns the journal's files in order. dpkg names them by number.
fn journal(system: &System) -> Result<Vec<String>, ProviderError> {
    let is_part = |name: &String| !name.is_empty() && name.bytes().all(|b| b.is_ascii_digit());
    Ok(system.names(UPDATES)?.into_iter().filter(is_part).map(|name| format!("{UPDATES}/{name}")).collect())
}

/// Returns the packages of a file in dpkg's format. Only the fields that are needed are copied.
fn parse(bytes: &[u8], file: &str) -> Result<Vec<Package>, ProviderError> {
    let bad = |number: usize, what: &str| ProviderError::new(format!("cannot read {file}: line {number} {what}"));
    let mut packages = Vec::new();
    let mut package = Package::default();
    let mut inside = false;
    for (number, line) in (1..).zip(bytes.split(|b| *b == b'\n')) {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.iter().all(u8::is_ascii_whitespace) {
            if inside {
                packages.push(finish(&mut package).ok_or_else(|| bad(number, "ends a package without a name"))?);
            }
            inside = false;
            continue;
        }
        inside = true;
        if line.first().is_some_and(u8::is_ascii_whitespace) {
            continue;
        }
        let colon = line.iter().position(|b| *b == b':').ok_or_else(|| bad(number, "is not a field"))?;
        let (field, value) = line.split_at(colon);
        let target = match field.to_ascii_lowercase().as_slice() {
            b"package" => &mut package.name,
            b"architecture" => &mut package.architecture,
            b"version" => &mut package.version,
            b"provides" => &mut package.provides,
            b"status" => {
                (package.held, package.state) = status(&text(value)).ok_or_else(|| bad(number, "has an unknown status"))?;
                continue;
            }
            _ => continue,
        };
        *target = text(value);
    }
    if inside {
        packages.push(finish(&mut package).ok_or_else(|| bad(0, "ends a package without a name"))?);
    }
    Ok(packages)
}

/// Returns the value of a line that names other packages.
fn relation(line: &[u8]) -> Option<&[u8]> {
    let (field, value) = line.split_at(line.iter().position(|b| *b == b':')?);
    RELATIONS.iter().any(|r| field.eq_ignore_ascii_case(r.as_bytes())).then(|| value.strip_prefix(b":").unwrap_or(value))
}

/// Takes the package, leaving an empty one.
fn finish(package: &mut Package) -> Option<Package> {
    Some(std::mem::take(package)).filter(|p| !p.name.is_empty())
}

/// A field's value without the colon before it and the blanks around it.
fn text(value: &[u8]) -> EcoString {
    let value = value.strip_prefix(b":").unwrap_or(value).trim_ascii();
    EcoString::from(&*String::from_utf8_lossy(value))
}

/// Parses `install ok installed`: selection, error flag and state.
fn status(text: &str) -> Option<(bool, Installed)> {
    let mut words = text.split_ascii_whitespace();
    let wish = words.next()?;
    let _error_flag = words.next()?;
    let state = match words.next()? {
        "not-installed" => Installed::Not,
        "config-files" => Installed::Configuration,
        "half-installed" | "unpacked" | "half-configured" => Installed::Partly,
        "installed" | "triggers-awaited" | "triggers-pending" => Installed::Fully,
        _ => return None,
    };
    Some((wish == "hold", state))
}
