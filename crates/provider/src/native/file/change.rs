//! Changes of files: content, type, owner and permissions.
//!
//! Follows `Puppet::Type::File#write`, `#remove_existing` and the actions of its properties. Intentional differences:
//! a new file has its owner and mode before it has content; existing files are replaced atomically instead of being
//! removed first; the content of a followed link is written to its target (Puppet replaces the link); and a directory
//! that must not be removed is a failure (Puppet reports it as removed).

use super::backup;
use super::posix::is_true;
use super::source::{self, Source};
use crate::{Access, Change, Draft, Machine, ProviderError, Resource, System};
use rtype_lang::eval::{LogLevel, World};
use rtype_lang::value::{Value, digest, mode};
use rtype_system::Stat;
use std::time::Duration;

/// The permissions of a new file, and of a new directory that a symbolic mode is applied to.
const FILE_MODE: u32 = 0o644;
const DIRECTORY_MODE: u32 = 0o755;

/// How long `validate_cmd` may take.
const VALIDATION_LIMIT: Duration = Duration::from_secs(300);

/// Checksum types that do not depend on the content.
const TIMES: [&str; 3] = ["none", "mtime", "ctime"];

/// Returns an error if a resource must not replace what is at its path: a `there` such as `directory`, by a file of the kind `wanted`.
///
/// # Errors
/// For a directory without `force`, and for files of other kinds than those that may be removed, such as devices.
pub(super) fn may_be_replaced(name: &str, there: &str, wanted: &str, resource: &dyn Resource) -> Result<(), ProviderError> {
    match there {
        "directory" if wanted == "directory" || is_true(resource, "force") => Ok(()),
        "directory" => {
            let message = format!("{name} is a directory. Not removing directory; use 'force' to override");
            Err(ProviderError::new(message).help("give `force => true` if all that is in it may go"))
        }
        "file" | "link" | "fifo" | "socket" => Ok(()),
        _ => Err(ProviderError::new(format!("Could not remove files of type {there}: {name}"))),
    }
}

/// One file that is being changed.
pub(super) struct Changing<'a, 'c> {
    pub system: &'a System,
    pub change: &'a mut Change<'c>,
}

impl Changing<'_, '_> {
    fn name(&self) -> &str {
        self.change.name
    }

    fn resource(&self) -> &dyn Resource {
        self.change.resource
    }

    fn follows(&self) -> bool {
        self.resource().wanted("links").is_sym("follow")
    }

    /// Returns the current metadata, which may differ from what was read before.
    fn look(&self) -> Result<Option<Stat>, ProviderError> {
        let looked = self.system.look(self.name(), self.follows())?;
        if looked.is_none() && self.follows() { self.system.look(self.name(), false) } else { Ok(looked) }
    }

    /// Backs up an existing file, and returns an error if it must not be replaced by a file of the desired type.
    fn make_way(&mut self, wanted: &str) -> Result<Option<Stat>, ProviderError> {
        let Some(stat) = self.look()? else { return Ok(None) };
        let there = stat.kind();
        may_be_replaced(self.name(), there, wanted, self.resource())?;
        backup::keep(self.system, self.change, there)?;
        Ok(Some(stat))
    }

    /// Removes what is there.
    pub fn destroy(&mut self) -> Result<(), ProviderError> {
        if self.make_way("absent")?.is_none() {
            return Ok(());
        }
        self.system.remove(self.name())
    }

    /// Creates a symbolic link, replacing any existing file.
    pub fn create_link(&mut self) -> Result<(), ProviderError> {
        let target = self.resource().wanted("target");
        let Some(target) = target.as_text().filter(|_| !target.is_sym("notlink")) else {
            return Err(ProviderError::new("Cannot create a symlink without a target"));
        };
        self.make_way("link")?;
        let access = self.owners()?;
        self.system.make_link(self.name(), target, access)
    }

    /// Creates a directory, replacing any existing file.
    pub fn create_directory(&mut self) -> Result<(), ProviderError> {
        if let Some((parent, _)) = self.name().rsplit_once('/').filter(|(parent, _)| !parent.is_empty())
            && self.system.look(parent, true)?.is_none()
        {
            return Err(ProviderError::new(format!("Cannot create {}; parent directory {parent} does not exist", self.name())));
        }
        if self.make_way("directory")?.is_some_and(|stat| stat.is_dir()) {
            return Ok(());
        }
        let access = self.access(None, DIRECTORY_MODE, true)?;
        self.system.make_directory(self.name(), access)
    }

    /// Writes the file, which [`Posix::flush`](super::posix::Posix) moves to its path.
    pub fn write(&mut self) -> Result<(), ProviderError> {
        let old = self.make_way("file")?.filter(Stat::is_file);
        let mut access = self.access(old.as_ref(), FILE_MODE, false)?;
        if old.is_none() {
            access.mode = access.mode.or(Some(FILE_MODE));
        }
        let staging = self.resource().wanted("staging_location");
        let mut draft = self.system.draft(self.name(), access, self.follows(), staging.as_text())?;
        let from = self.fill(&mut draft)?;
        self.verify(&draft)?;
        self.validate(&draft)?;
        if let Some(from) = from.filter(|_| self.resource().wanted("checksum").is_sym("mtime")) {
            from.hand_time_on(&mut draft)?;
        }
        self.change.draft = Some(draft);
        Ok(())
    }

    /// Writes the content to the draft and returns the source of the content, if any.
    fn fill(&self, draft: &mut Draft) -> Result<Option<Source>, ProviderError> {
        if let Some(found) = source::find(self.system, self.resource())? {
            found.copy(self.system, draft)?;
            return Ok(Some(found));
        }
        let given = self.resource().given("content");
        let Some(text) = given.as_text() else {
            if let Some(bytes) = given.as_bytes() {
                draft.write(bytes)?;
            }
            return Ok(None);
        };
        // As in Puppet, a checksum as text refers to the content with that checksum in the filebucket.
        let sum = self.resource().wanted("content");
        match text.split_once('}').filter(|_| sum.as_text() == Some(text)) {
            Some((_, sum)) => backup::restore(self.system, self.resource(), sum, draft)?,
            None => draft.write(text.as_bytes())?,
        }
        Ok(None)
    }

    /// Checks that the content that was written has the expected checksum.
    fn verify(&self, draft: &Draft) -> Result<(), ProviderError> {
        let resource = self.resource();
        let wanted = |name: &str| resource.wanted(name);
        let expected = match (wanted("checksum"), wanted("checksum_value")) {
            (kind, value) if !kind.is_nil() && !value.is_nil() => format!("{{{}}}{}", kind.to_text(), value.to_text()),
            _ if !wanted("source").is_nil() => wanted("content").to_text().to_string(),
            _ => return Ok(()),
        };
        let kind = expected.strip_prefix('{').and_then(|e| e.split_once('}')).map(|(kind, _)| kind).unwrap_or_default();
        if TIMES.contains(&kind) || !digest::is_known(kind) {
            return Ok(());
        }
        let written = digest::of_reader(kind, draft.written()?).map_err(|e| draft.failed(&e))?;
        let written = format!("{{{kind}}}{}", written.unwrap_or_default());
        if written == expected {
            return Ok(());
        }
        let name = self.name();
        Err(ProviderError::new(format!(
            "File written to disk did not match desired checksum; discarding changes ({written} vs {expected}): {name}"
        )))
    }

    /// Asks `validate_cmd` whether the new content will do. As in Puppet it is a line for the shell.
    fn validate(&mut self, draft: &Draft) -> Result<(), ProviderError> {
        let command = self.resource().wanted("validate_cmd");
        let Some(command) = command.as_text() else { return Ok(()) };
        let placeholder = self.resource().wanted("validate_replacement");
        let placeholder = placeholder.as_text().filter(|p| !p.is_empty()).unwrap_or("%");
        let line = command.replace(placeholder, &draft.path().to_string_lossy());
        let output = self.system.command("/bin/sh").args(["-c", line.as_str()]).time_limit(Some(VALIDATION_LIMIT)).run()?;
        if output.status == Some(0) {
            return Ok(());
        }
        // The output of a program about a secret file may contain its content.
        let failure = if self.is_secret() {
            let status = output.status.map_or_else(|| "was ended by a signal".into(), |s| format!("exited with {s}"));
            ProviderError::new(format!("`{line}` {status}"))
        } else {
            output.failure(&line)
        };
        Err(failure.context(format!("the new content of {} is not valid: ", self.name())).help("the old content is kept"))
    }

    fn is_secret(&self) -> bool {
        is_secret(self.resource())
    }

    /// Returns the owner and group that the resource declares, without a mode.
    fn owners(&self) -> Result<Access, ProviderError> {
        let id = |attribute: &str, is_user: bool| match self.resource().wanted(attribute) {
            Value::Nil => Ok(None),
            value => account(self.system, &value, is_user).map(Some),
        };
        Ok(Access { owner: id("owner", true)?, group: id("group", false)?, mode: None })
    }

    /// Returns owner, group and mode as the resource declares them. A symbolic mode is applied to the permissions of the file `old`, or
    /// to `new` if there is none.
    fn access(&self, old: Option<&Stat>, new: u32, is_directory: bool) -> Result<Access, ProviderError> {
        let owners = self.owners()?;
        self.with_mode(owners, old.map_or(new, |old| owners.kept_mode(old)), is_directory)
    }

    /// Adds the declared mode. A symbolic one changes `current`, which must not have bits that the previous owner granted: they would
    /// be declared then.
    fn with_mode(&self, access: Access, current: u32, is_directory: bool) -> Result<Access, ProviderError> {
        let mode = match self.resource().wanted("mode") {
            Value::Nil => None,
            wanted => Some(permissions(&wanted, current, is_directory)?),
        };
        Ok(Access { mode, ..access })
    }

    /// Sets the owner or group.
    pub fn set_account(&mut self, property: &str, value: &Value) -> Result<(), ProviderError> {
        let number = account(self.system, value, property == "owner")?;
        let access = match property {
            "owner" => Access { owner: Some(number), ..Access::default() },
            _ => Access { group: Some(number), ..Access::default() },
        };
        // A declared mode holds from the moment that the file is the new owner's.
        let access = match self.look()? {
            Some(stat) => self.with_mode(access, access.kept_mode(&stat), stat.is_dir())?,
            None => access,
        };
        self.system.set_owner(self.name(), access, self.follows())
    }

    /// Sets the permissions.
    pub fn set_mode(&mut self, value: &Value) -> Result<(), ProviderError> {
        let Some(stat) = self.look()? else {
            return Err(ProviderError::new(format!("{} is not there any more", self.name())).help("run again"));
        };
        if stat.is_symlink() {
            return Ok(());
        }
        let mode = permissions(value, stat.mode(), stat.is_dir())?;
        self.system.set_mode(self.name(), mode, self.follows())
    }
}

/// Returns whether the content is a secret.
pub(super) fn is_secret(resource: &dyn Resource) -> bool {
    ["content", "source"].iter().any(|a| resource.is_secret(a))
}

/// Logs a message that is not a failure.
pub(super) fn note(change: &mut Change<'_>, level: LogLevel, message: String) {
    change.log(level, message);
}

/// Returns the bits of a mode for what has these.
fn permissions(wanted: &Value, current: u32, is_directory: bool) -> Result<u32, ProviderError> {
    let text = wanted.to_text();
    let mode = mode::applied_to(&text, current, is_directory);
    mode.ok_or_else(|| ProviderError::new(format!("failed to set mode {text}: it is not a file mode")))
}

/// Returns the ID of an account, which may have been created during the run.
fn account(system: &System, value: &Value, is_user: bool) -> Result<u32, ProviderError> {
    let text = value.to_text();
    let octal = text.strip_prefix('0').filter(|rest| !rest.is_empty());
    let number = match octal {
        Some(digits) => i64::from_str_radix(digits, 8).ok(),
        None => text.parse().ok(),
    };
    let found = number.or_else(|| {
        let machine = Machine::new(system.clone());
        if is_user { machine.uid_of(&text) } else { machine.gid_of(&text) }
    });
    let what = if is_user { "user" } else { "group" };
    found.and_then(|n| u32::try_from(n).ok()).ok_or_else(|| ProviderError::new(format!("Could not find {what} {text}")))
}
