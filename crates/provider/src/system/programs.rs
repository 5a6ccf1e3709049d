//! Finds programs, and checks that root may start a program.

use super::System;
use crate::ProviderError;
use nix::unistd::Uid;
use rtype_system::programs::{self, FileKind};
use rtype_system::trust;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

impl System {
    /// Returns the path of a program, given by name or by absolute path.
    pub fn which(&self, program: &str) -> Option<PathBuf> {
        self.search(program).next()
    }

    /// Returns the path of a program to start. Root does not start programs that are found by name and controlled by
    /// another user.
    ///
    /// # Errors
    /// If there is no such program.
    pub fn find(&self, program: &str) -> Result<PathBuf, ProviderError> {
        let mut refused = None;
        for path in self.search(program) {
            match self.check_program(&path) {
                // A program given by absolute path is started even if another user controls it.
                Err(why) if !program.starts_with('/') => drop(refused.get_or_insert(why)),
                _ => return Ok(path),
            }
        }
        Err(match refused {
            Some(why) => ProviderError::new(format!("cannot run `{program}`: {}", why.message)).help(why.help),
            None => ProviderError::new(format!("command `{program}` not found")),
        })
    }

    /// Checks the interpreter of a script, or the program that `env` looks for.
    ///
    /// # Errors
    /// When another user controls it.
    pub fn check_interpreter(&self, script: &Path) -> Result<(), trust::Untrusted> {
        // What cannot be read cannot be started either, and that is reported then.
        let words = programs::interpreter(script).unwrap_or_default();
        let mut words = words.iter();
        let Some(interpreter) = words.next() else { return Ok(()) };
        // As for the kernel, a relative path begins where the program is started.
        self.check_program(&Path::new("/").join(interpreter))?;
        if Path::new(interpreter).file_name().is_none_or(|name| name != "env") {
            return Ok(());
        }
        // Options and variables of `env` come before the program.
        let name = words.find(|word| !word.starts_with('-') && !word.contains('='));
        name.and_then(|name| self.which(name)).map_or(Ok(()), |path| self.check_program(&path))
    }

    /// Where programs look for others: directories in which other users decide what a program is are left out for root.
    pub(super) fn search_path(&self) -> OsString {
        let directories = self.path.iter().filter(|directory| self.check_program(directory).is_ok());
        std::env::join_paths(directories).unwrap_or_default()
    }

    /// Returns the programs of this name, in the order in which they are looked for.
    fn search(&self, program: &str) -> impl Iterator<Item = PathBuf> {
        let candidates: Vec<PathBuf> = if program.starts_with('/') {
            vec![self.path(program)]
        } else {
            self.path.iter().map(|directory| directory.join(program)).collect()
        };
        candidates.into_iter().filter(|path| programs::kind(path) == FileKind::Program)
    }

    /// Checks who controls a program. Not done for fixtures, which belong to the user who checked out the repository.
    fn check_program(&self, path: &Path) -> Result<(), trust::Untrusted> {
        if self.is_fixture() || !Uid::effective().is_root() { Ok(()) } else { trust::check_program(path).map(drop) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, lchown};

    #[test]
    fn root_starts_no_program_of_another_user_that_it_finds_by_its_name() {
        if !Uid::effective().is_root() {
            eprintln!("skipped: needs root");
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        let at = |path: &str| folder.path().join(path);
        let program = |path: &str, text: &str| {
            fs::create_dir_all(at(path).parent().unwrap()).unwrap();
            fs::write(at(path), text).unwrap();
            fs::set_permissions(at(path), fs::Permissions::from_mode(0o755)).unwrap();
        };
        for path in ["foreign/tool", "foreign/only", "own/tool", "own/given"] {
            program(path, "#!/bin/sh\n");
        }
        for path in ["foreign", "own/given"] {
            lchown(at(path), Some(65534), None).unwrap();
        }
        let system = System { path: vec![at("foreign"), at("own")], ..System::host() };
        assert_eq!(system.find("tool").unwrap(), at("own/tool"));
        for (name, path) in [("only", "foreign"), ("given", "own/given")] {
            let error = system.find(name).unwrap_err();
            let expected = format!("`{}` is owned by `nobody` (mode 0755), not by root", at(path).display());
            assert!(error.to_string().starts_with(&format!("cannot run `{name}`: ")) && error.to_string().contains(&expected), "{error}");
        }
        assert_eq!(system.find("none").unwrap_err().to_string(), "command `none` not found");
        assert_eq!(system.search_path(), at("own"));
        // A program given by absolute path is started even if another user controls it.
        assert!(system.find(at("foreign/only").to_str().unwrap()).is_ok());
        for (name, line, is_refused) in [
            ("path", format!("#! {} -x", at("foreign/only").display()), true),
            ("env", "#!/usr/bin/env -S only --option".to_owned(), true),
            ("sh", "#!/bin/sh".to_owned(), false),
            ("env-sh", "#!/usr/bin/env A=1 tool".to_owned(), false),
            ("binary", "\u{7f}ELF".to_owned(), false),
        ] {
            program(name, &format!("{line}\n"));
            let system = if name == "env-sh" { System { path: vec![at("own")], ..System::host() } } else { system.clone() };
            assert_eq!(system.check_interpreter(&at(name)).is_err(), is_refused, "{name}");
        }
    }
}
