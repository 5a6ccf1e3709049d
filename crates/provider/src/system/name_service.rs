//! Users and groups that the machine's name service knows, also those of LDAP and SSSD.
//!
//! glibc asks each source that `/etc/nsswitch.conf` names. musl reads the files only, so a program that is linked with it asks `getent`,
//! which is part of glibc, where there are other sources: without, an account of the directory service would seem absent.

use super::System;
use crate::ProviderError;
use nix::unistd::{Gid, Group, Uid, User};
use std::collections::HashMap;
use std::ffi::CString;
use std::sync::{Arc, Mutex, PoisonError};

/// Whether the C library looks at the files only.
const READS_FILES_ONLY: bool = cfg!(not(target_env = "gnu"));
/// The exit status of `getent` if there is no such entry.
const NO_ENTRY: i32 = 2;

/// What an account is looked up by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AccountKey<'a> {
    /// Its name.
    Name(&'a str),
    /// Its number.
    Number(u32),
}

/// The answers of `getent` by database and key, `None` if there is no such entry; shared by all copies of a machine.
pub(super) type Answers = Arc<Mutex<HashMap<(&'static str, String), Option<String>>>>;

impl AccountKey<'_> {
    fn text(self) -> String {
        match self {
            AccountKey::Name(name) => name.to_owned(),
            AccountKey::Number(number) => number.to_string(),
        }
    }

    /// Returns whether this is the entry that was looked up: `getent` takes a name of digits for a number.
    fn is(self, name: &str, number: u32) -> bool {
        match self {
            AccountKey::Name(wanted) => wanted == name,
            AccountKey::Number(wanted) => wanted == number,
        }
    }
}

impl System {
    /// Looks up a user with the name service. A fixture has none.
    ///
    /// # Errors
    /// If the name service fails; an unknown user is not an error.
    pub(crate) fn find_user(&self, key: AccountKey<'_>) -> Result<Option<User>, ProviderError> {
        if self.is_fixture() { Ok(None) } else { self.user_here(key) }
    }

    /// Looks up a user of the machine where this process runs: commands of fixtures run here, too.
    ///
    /// # Errors
    /// As [`System::find_user`].
    pub(super) fn user_here(&self, key: AccountKey<'_>) -> Result<Option<User>, ProviderError> {
        let found = match key {
            AccountKey::Name(name) => User::from_name(name),
            AccountKey::Number(number) => User::from_uid(number.into()),
        };
        match found.map_err(|e| ProviderError::new(format!("cannot look up the user {}: {e}", key.text())))? {
            None if READS_FILES_ONLY => self.user_of_getent(key),
            found => Ok(found),
        }
    }

    /// Looks up a group with the name service. A fixture has none.
    ///
    /// # Errors
    /// If the name service fails; an unknown group is not an error.
    pub(crate) fn find_group(&self, key: AccountKey<'_>) -> Result<Option<Group>, ProviderError> {
        if self.is_fixture() {
            return Ok(None);
        }
        let found = match key {
            AccountKey::Name(name) => Group::from_name(name),
            AccountKey::Number(number) => Group::from_gid(number.into()),
        };
        match found.map_err(|e| ProviderError::new(format!("cannot look up the group {}: {e}", key.text())))? {
            None if READS_FILES_ONLY => self.group_of_getent(key),
            found => Ok(found),
        }
    }

    /// Returns whether the machine asks more than its files for this database (`passwd`, `group`): LDAP, SSSD, systemd.
    ///
    /// A machine without `/etc/nsswitch.conf` is taken to use its files only.
    pub(crate) fn has_other_sources(&self, database: &str) -> bool {
        let Ok(Some(text)) = self.read_kept("/etc/nsswitch.conf") else {
            return false;
        };
        text.lines()
            .filter_map(|line| line.split('#').next()?.split_once(':'))
            .filter(|(name, _)| name.trim() == database)
            .flat_map(|(_, sources)| sources.split_whitespace())
            .any(|source| !source.starts_with('[') && !matches!(source, "files" | "compat"))
    }

    fn user_of_getent(&self, key: AccountKey<'_>) -> Result<Option<User>, ProviderError> {
        let Some(line) = self.getent("passwd", key)? else { return Ok(None) };
        let fields: Vec<&str> = line.split(':').collect();
        let user = match fields.as_slice() {
            [name, _, uid, gid, gecos, home, shell] => uid.parse().ok().zip(gid.parse().ok()).map(|(uid, gid)| User {
                name: (*name).to_owned(),
                // Passwords are only read from the shadow file.
                passwd: CString::default(),
                uid: Uid::from_raw(uid),
                gid: Gid::from_raw(gid),
                gecos: CString::new(*gecos).unwrap_or_default(),
                dir: home.into(),
                shell: shell.into(),
            }),
            _ => None,
        };
        let user = user.ok_or_else(|| not_understood("passwd", key))?;
        Ok(Some(user).filter(|user| key.is(&user.name, user.uid.as_raw())))
    }

    fn group_of_getent(&self, key: AccountKey<'_>) -> Result<Option<Group>, ProviderError> {
        let Some(line) = self.getent("group", key)? else { return Ok(None) };
        let fields: Vec<&str> = line.split(':').collect();
        let group = match fields.as_slice() {
            [name, _, gid, members] => gid.parse().ok().map(|gid| Group {
                name: (*name).to_owned(),
                passwd: CString::default(),
                gid: Gid::from_raw(gid),
                mem: members.split(',').filter(|member| !member.is_empty()).map(str::to_owned).collect(),
            }),
            _ => None,
        };
        let group = group.ok_or_else(|| not_understood("group", key))?;
        Ok(Some(group).filter(|group| key.is(&group.name, group.gid.as_raw())))
    }

    /// Returns the line of an entry, `None` if there is none or the machine only has its files. Each entry is asked for once in a run.
    fn getent(&self, database: &'static str, key: AccountKey<'_>) -> Result<Option<String>, ProviderError> {
        if !self.has_other_sources(database) {
            return Ok(None);
        }
        let wanted = (database, key.text());
        if let Some(known) = self.answers.lock().unwrap_or_else(PoisonError::into_inner).get(&wanted) {
            return Ok(known.clone());
        }
        let command = self.command("getent").args([database, "--", &wanted.1]);
        let asked = command.line();
        let output = command.run()?;
        let line = match output.status {
            Some(NO_ENTRY) => None,
            Some(0) => output.stdout.for_parsing().lines().next().map(str::to_owned),
            _ => return Err(output.failure(&asked)),
        };
        self.answers.lock().unwrap_or_else(PoisonError::into_inner).insert(wanted, line.clone());
        Ok(line)
    }
}

fn not_understood(database: &str, key: AccountKey<'_>) -> ProviderError {
    ProviderError::new(format!("`getent {database}` has no valid answer for {}", key.text()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    /// A machine whose `getent` knows one user and one group of a directory service, and counts the questions.
    fn machine(sources: &str) -> (tempfile::TempDir, System) {
        let folder = tempfile::tempdir().unwrap();
        let at = |path: &str| folder.path().join(path);
        fs::create_dir_all(at("usr/bin")).unwrap();
        fs::create_dir_all(at("etc")).unwrap();
        fs::write(at("etc/nsswitch.conf"), format!("passwd: {sources}\ngroup: {sources}\n")).unwrap();
        let script = format!(
            "#!/bin/sh\necho \"$*\" >>{asked}\ncase \"$1 $3\" in\n\
             'passwd eve' | 'passwd 5001') echo 'eve:*:5001:5002:Eve,,,:/home/eve:/bin/zsh' ;;\n\
             'group ops' | 'group 5002') echo 'ops:*:5002:eve,root' ;;\n\
             'passwd broken') echo 'eve' ;;\n\
             'passwd down') echo 'no answer' >&2; exit 3 ;;\n\
             *) exit 2 ;;\nesac\n",
            asked = at("asked").display()
        );
        fs::write(at("usr/bin/getent"), script).unwrap();
        fs::set_permissions(at("usr/bin/getent"), fs::Permissions::from_mode(0o755)).unwrap();
        let system = System::at(folder.path());
        (folder, system)
    }

    #[test]
    fn accounts_of_a_directory_service_are_found_by_name_and_number() {
        let (_folder, system) = machine("files sss");
        for key in [AccountKey::Name("eve"), AccountKey::Number(5001)] {
            let eve = system.user_of_getent(key).unwrap().unwrap();
            assert_eq!((eve.name.as_str(), eve.uid.as_raw(), eve.gid.as_raw()), ("eve", 5001, 5002));
            assert_eq!(
                (eve.gecos.to_str().unwrap(), eve.dir.to_str().unwrap(), eve.shell.to_str().unwrap()),
                ("Eve,,,", "/home/eve", "/bin/zsh")
            );
        }
        for key in [AccountKey::Name("ops"), AccountKey::Number(5002)] {
            let ops = system.group_of_getent(key).unwrap().unwrap();
            assert_eq!((ops.name.as_str(), ops.gid.as_raw(), ops.mem), ("ops", 5002, vec!["eve".to_owned(), "root".to_owned()]));
        }
        assert!(system.user_of_getent(AccountKey::Name("mallory")).unwrap().is_none());
        assert!(system.group_of_getent(AccountKey::Number(1)).unwrap().is_none());
    }

    #[test]
    fn names_of_digits_are_not_numbers() {
        let (_folder, system) = machine("files sss");
        assert!(system.user_of_getent(AccountKey::Name("5001")).unwrap().is_none());
        assert!(system.group_of_getent(AccountKey::Name("5002")).unwrap().is_none());
    }

    #[test]
    fn each_account_is_asked_for_once_and_only_where_there_are_other_sources() {
        let (folder, system) = machine("files sss");
        for _ in 0..3 {
            system.clone().user_of_getent(AccountKey::Name("eve")).unwrap();
            system.clone().user_of_getent(AccountKey::Name("mallory")).unwrap();
        }
        assert_eq!(fs::read_to_string(folder.path().join("asked")).unwrap(), "passwd -- eve\npasswd -- mallory\n");
        let (folder, system) = machine("files");
        assert!(system.user_of_getent(AccountKey::Name("eve")).unwrap().is_none());
        assert!(!folder.path().join("asked").exists());
    }

    #[test]
    fn an_account_that_cannot_be_looked_up_is_an_error() {
        let (folder, system) = machine("files sss");
        let error = |key| system.user_of_getent(AccountKey::Name(key)).unwrap_err().to_string();
        assert_eq!(error("broken"), "`getent passwd` has no valid answer for broken");
        assert_eq!(error("down"), "`getent passwd -- down` exited with 3: no answer");
        fs::remove_file(folder.path().join("usr/bin/getent")).unwrap();
        assert_eq!(error("other"), "command `getent` not found");
    }

    #[test]
    fn getent_and_the_c_library_agree_about_this_machine() {
        let system = System::host();
        let root = system.find_user(AccountKey::Name("root")).unwrap().unwrap();
        assert_eq!(system.find_user(AccountKey::Number(0)).unwrap().unwrap().name, "root");
        if system.has_other_sources("passwd") {
            let asked = system.user_of_getent(AccountKey::Name("root")).unwrap().unwrap();
            assert_eq!((asked.uid, asked.gid, asked.dir, asked.shell), (root.uid, root.gid, root.dir, root.shell));
        }
    }
}
