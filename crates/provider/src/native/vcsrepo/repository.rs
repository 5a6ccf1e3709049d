//! A repository and how git is run in it: user, environment and arguments.

use crate::native::accounts;
use crate::{Command, Output, ProviderError, Resource, System};
use nix::unistd::{Gid, Uid};
use rtype_lang::redact::without_password;
use rtype_lang::value::Value;
use std::path::Path;
use std::time::Duration;

/// How long git may take. Puppet has no limit, and a server that never answers keeps it for ever.
const TIME_LIMIT: Duration = Duration::from_secs(3600);

/// The ssh command for an `identity`. Follows Puppet, except that Puppet accepts any host key: here the first one is
/// stored, and a different one is rejected.
const SSH: &str =
    "ssh -oStrictHostKeyChecking=accept-new -oPasswordAuthentication=no -oKbdInteractiveAuthentication=no -oConnectTimeout=120 -i";

/// A resource of the type.
#[derive(Clone, Copy)]
pub(super) struct Repository<'a> {
    pub system: &'a System,
    pub resource: &'a dyn Resource,
    pub path: &'a str,
}

/// An address as it may be shown, and given to git as an argument.
pub(super) fn without_credentials(address: &str) -> String {
    without_password(address).map_or_else(|| address.to_owned(), |(rest, _)| rest)
}

impl<'a> Repository<'a> {
    /// An attribute as text; none where it is not set.
    pub fn wanted(&self, attribute: &str) -> Option<String> {
        match self.resource.wanted(attribute).unwrapped() {
            Value::Nil => None,
            value => Some(value.to_text().to_string()),
        }
    }

    /// Returns the name of the remote repository that is followed.
    pub fn remote(&self) -> String {
        self.wanted("remote").unwrap_or_else(|| "origin".into())
    }

    /// All remote repositories that are declared, with their addresses. Passwords are taken out: arguments can be read by everybody,
    /// and so can the configuration of a repository.
    pub fn remotes(&self) -> Vec<(String, String)> {
        let bare = |(name, address): (String, String)| (name, without_credentials(&address));
        self.declared().into_iter().map(bare).collect()
    }

    fn declared(&self) -> Vec<(String, String)> {
        match self.resource.wanted("source").unwrapped() {
            Value::Nil => Vec::new(),
            Value::Map(map) => {
                let mut all: Vec<(String, String)> =
                    map.iter().map(|(name, address)| (name.to_text().to_string(), address.unwrapped().to_text().to_string())).collect();
                all.sort();
                all
            }
            address => vec![(self.remote(), address.to_text().to_string())],
        }
    }

    /// Where it comes from; none where it comes from nowhere.
    ///
    /// # Errors
    /// When several addresses are declared, and none for the remote that is followed.
    pub fn address(&self) -> Result<Option<String>, ProviderError> {
        let (all, remote) = (self.remotes(), self.remote());
        let own = all.iter().find(|(name, _)| *name == remote).map(|(_, address)| address.clone());
        if own.is_none() && !all.is_empty() {
            return Err(ProviderError::new(format!("`source` has no address for the remote `{remote}`")));
        }
        Ok(own)
    }

    /// Returns the user who runs git: `user`, else the owner of the existing repository. As root, git would refuse
    /// repositories of other users or, if configured to accept them, run their hooks as root.
    pub fn runner(&self) -> Result<Option<(Uid, Gid)>, ProviderError> {
        let user = match self.wanted("user") {
            Some(user) => Some(user),
            None => self.system.look(self.path, true)?.map(|stat| stat.uid.to_string()),
        };
        let Some(user) = user else { return Ok(None) };
        let (uid, gid) = accounts::ids_of(self.system, &user)?;
        Ok((uid != Uid::effective().as_raw()).then(|| (Uid::from_raw(uid), Gid::from_raw(gid.unwrap_or(uid)))))
    }

    /// git, to be run somewhere else than in the repository.
    pub fn git(&self) -> Result<Command<'a>, ProviderError> {
        // Without `HOME`, as in Puppet, so that the user's git configuration has no effect.
        let command = self.system.command("git").env("GIT_TERMINAL_PROMPT", "0").time_limit(Some(TIME_LIMIT));
        let command = match self.wanted("identity") {
            Some(file) => {
                // git passes the file to ssh as an argument.
                self.system.check_argument("ssh", &file)?;
                let file = shlex::try_quote(&file).map_err(|e| ProviderError::new(format!("cannot pass `identity` to ssh: {e}")))?;
                command.env("GIT_SSH_COMMAND", format!("{SSH} {file}"))
            }
            None => command,
        };
        let command = self.with_credentials(command)?;
        Ok(match self.runner()? {
            Some((user, group)) => command.user(user, group),
            None => command,
        })
    }

    /// Passwords of addresses go to git by its environment, each for its own server alone.
    fn with_credentials(&self, mut command: Command<'a>) -> Result<Command<'a>, ProviderError> {
        let mut count = 0;
        for (address, credentials) in self.declared().iter().filter_map(|(_, address)| without_password(address)) {
            if [&credentials.user, &credentials.password].iter().any(|text| text.contains(['\n', '\0'])) {
                return Err(ProviderError::new(format!("git takes no line break in the user or password of `{address}`")));
            }
            let server: Vec<&str> = address.splitn(4, '/').take(3).collect();
            let server = server.join("/");
            let server = server
                .split_once('@')
                .map_or(server.clone(), |(before, host)| format!("{}//{host}", before.split_once("//").map_or("", |(scheme, _)| scheme)));
            // Only names of variables: the script is an argument of a shell.
            let helper = format!(
                r#"!f() {{ test "$1" = get && printf 'username=%s\npassword=%s\n' "$RTYPE_USER_{count}" "$RTYPE_PASSWORD_{count}"; }}; f"#
            );
            command = command
                .env(format!("GIT_CONFIG_KEY_{count}"), format!("credential.{server}.helper"))
                .env(format!("GIT_CONFIG_VALUE_{count}"), helper)
                .env(format!("RTYPE_USER_{count}"), credentials.user)
                .env(format!("RTYPE_PASSWORD_{count}"), credentials.password);
            count += 1;
        }
        Ok(if count == 0 { command } else { command.env("GIT_CONFIG_COUNT", count.to_string()) })
    }

    fn inside<T: AsRef<str>>(&self, arguments: &[T]) -> Result<Command<'a>, ProviderError> {
        let directory = self.system.tree().directory(Path::new(self.path)).map_err(|e| System::cannot_read(self.path, &e))?;
        Ok(self.git()?.inside(directory).args(arguments.iter().map(|a| a.as_ref().to_owned())))
    }

    /// Runs git in the repository.
    ///
    /// # Errors
    /// When it fails.
    pub fn run<T: AsRef<str>>(&self, arguments: &[T]) -> Result<Output, ProviderError> {
        self.inside(arguments)?.succeed()
    }

    /// What git answers to a question; none where it says no.
    ///
    /// # Errors
    /// When it cannot look.
    pub fn ask(&self, arguments: &[&str]) -> Result<Option<String>, ProviderError> {
        let command = self.inside(arguments)?;
        let line = command.line();
        let output = command.run()?;
        match output.status {
            Some(0) => Ok(Some(output.stdout.for_parsing().trim().to_owned())),
            // Not found; 128 is what it dies with.
            Some(1) => Ok(None),
            _ => Err(output.failure(&line)),
        }
    }

    /// Returns the commit that a name refers to, `None` if there is none.
    pub fn commit(&self, name: &str) -> Result<Option<String>, ProviderError> {
        self.ask(&["rev-parse", "--verify", "--quiet", &format!("{name}^{{commit}}")])
    }

    /// Returns whether there is a reference of this full name.
    pub fn has(&self, reference: &str) -> Result<bool, ProviderError> {
        Ok(self.ask(&["show-ref", "--verify", "--quiet", reference])?.is_some())
    }

    /// Returns the checked out branch; `None` for a commit or a tag.
    pub fn branch(&self) -> Result<Option<String>, ProviderError> {
        self.ask(&["symbolic-ref", "--quiet", "--short", "HEAD"])
    }

    /// Returns the current commit of a branch on the remote repository, without fetching.
    pub fn newest(&self, branch: &str) -> Result<Option<String>, ProviderError> {
        let listed = self.run(&["ls-remote", "--", &self.remote(), &format!("refs/heads/{branch}")])?;
        Ok(listed.stdout.for_parsing().split_whitespace().next().map(str::to_owned))
    }

    /// Returns whether there is a working copy, of the declared source if there is one.
    pub fn is_working_copy(&self) -> Result<bool, ProviderError> {
        let config = format!("{}/.git/config", self.path);
        match (self.address()?, self.system.read(&config)?) {
            (Some(address), Some(text)) => {
                // Puppet leaves the password in the configuration.
                let is_address = |line: &str| line.contains(&address) || without_credentials(line).contains(&address);
                Ok(text.lines().any(is_address))
            }
            _ => Ok(self.system.look(&format!("{}/.git", self.path), true)?.is_some_and(|stat| stat.is_dir())),
        }
    }

    /// Returns whether there is a repository without a working copy.
    pub fn is_bare(&self) -> Result<bool, ProviderError> {
        Ok(self.system.exists(&format!("{}/config", self.path)) && !self.is_working_copy()?)
    }
}
