//! `vcsrepo/git`: git repositories, managed with the program git.
//!
//! Follows `puppet/provider/vcsrepo/git.rb` of Puppet's module puppetlabs-vcsrepo 1.3.2, with these differences:
//!
//! - Reading changes nothing. Puppet fetches whenever it reads, and with `force` even recreates the repository. Here
//!   `latest` queries the remote repository for its branch, and everything else is determined locally.
//! - `latest` without a `revision` follows the branch that is checked out. Puppet uses the current commit.
//! - A moved tag is updated; Puppet's way to fetch tags fails on it.
//! - The URL of a source is compared as text, not as a pattern.
//! - Without a `user`, git runs as the owner of the repository.

use super::repository::{Repository, without_credentials};
use crate::native::accounts;
use crate::native::common::{Property, pick};
use crate::native::needs;
use crate::{Access, Change, ListedResource, Need, Provider, ProviderError, Reading, Replace, Request, Select, System};
use rtype_lang::value::Value;
use std::path::Path;

/// Runs git.
#[derive(Clone, Copy, Debug, Default)]
pub struct Git;

fn repository<'a>(system: &'a System, request: Request<'a>) -> Repository<'a> {
    Repository { system, resource: request.resource, path: request.name }
}

impl Repository<'_> {
    /// Returns the desired revision if it is checked out, else the current commit; `None` in a repository without
    /// commits.
    fn revision(&self) -> Result<Option<String>, ProviderError> {
        let Some(head) = self.commit("HEAD")? else { return Ok(None) };
        let Some(wanted) = self.wanted("revision") else { return Ok(Some(head)) };
        check_name(&wanted)?;
        let remote = format!("refs/remotes/{}/{wanted}", self.remote());
        let mut canonical = None;
        for name in [&format!("refs/tags/{wanted}"), &format!("refs/heads/{wanted}"), &remote, &wanted] {
            canonical = self.commit(name)?;
            if canonical.is_some() {
                break;
            }
        }
        Ok(Some(if canonical.as_ref() == Some(&head) { wanted } else { head }))
    }

    /// Returns whether the branch that is checked out is where it is on the remote repository.
    fn is_latest(&self) -> Result<bool, ProviderError> {
        let Some(branch) = self.branch()? else { return Ok(true) };
        let head = self.commit("HEAD")?;
        let newest = self.newest(&branch)?.ok_or_else(|| {
            ProviderError::new(format!("the remote repository `{}` has no branch `{branch}`", self.remote()))
                .help("give a `revision` that it has")
        })?;
        Ok(head.as_ref() == Some(&newest))
    }

    fn ensure(&self) -> Result<Option<&'static str>, ProviderError> {
        Ok(if self.is_working_copy()? {
            let latest = self.resource.wanted("ensure").is_sym("latest") && self.is_latest()?;
            Some(if latest { "latest" } else { "present" })
        } else if self.is_bare()? {
            Some("bare")
        } else {
            None
        })
    }

    fn create(&self) -> Result<(), ProviderError> {
        let bare = self.resource.wanted("ensure").is_sym("bare");
        let revision = self.wanted("revision");
        if let (true, Some(revision)) = (bare, &revision) {
            return Err(ProviderError::new(format!("a bare repository has no revision ({revision}): nothing is checked out")));
        }
        revision.as_deref().map_or(Ok(()), check_name)?;
        let address = self.address()?;
        self.owners()?;
        self.make_room()?;
        // The next run would take an incomplete repository for the declared one.
        self.fill(address.as_deref(), bare, revision.as_deref()).inspect_err(|_| drop(self.destroy()))
    }

    /// Creates the repository in an empty place.
    fn fill(&self, address: Option<&str>, bare: bool, revision: Option<&str>) -> Result<(), ProviderError> {
        match address {
            None => self.init(bare)?,
            Some(address) => {
                self.clone_from(address, bare, revision)?;
                self.update_remotes()?;
                if let Some(revision) = revision {
                    self.check_out(revision)?;
                }
                self.update_submodules(bare)?;
            }
        }
        self.dress()
    }

    /// Removes what is at the path of the repository if that is allowed, else returns an error.
    fn make_room(&self) -> Result<(), ProviderError> {
        let is_directory = self.system.look(self.path, true)?.is_some_and(|stat| stat.is_dir());
        if !is_directory || self.system.names(self.path)?.is_empty() {
            return Ok(());
        }
        if !self.resource.wanted("force").is_sym("true") {
            return Err(ProviderError::new(format!("{} is there and is not this repository", self.path))
                .help("remove it, or give `force => true` to have it removed"));
        }
        self.destroy()
    }

    fn init(&self, bare: bool) -> Result<(), ProviderError> {
        if self.system.look(self.path, false)?.is_none() {
            self.system.make_directory(self.path, Access::default())?;
        }
        if let Some(user) = self.wanted("user") {
            let (uid, _) = accounts::ids_of(self.system, &user)?;
            self.system.set_owner(self.path, Access { owner: Some(uid), ..Access::default() }, false)?;
        }
        self.run(if bare { &["init", "--bare"] } else { &["init"] }).map(drop)
    }

    fn clone_from(&self, address: &str, bare: bool, revision: Option<&str>) -> Result<(), ProviderError> {
        let mut arguments = vec!["clone".to_owned()];
        if self.owners()? != Access::default() {
            // Otherwise the files of a repository on this machine would be shared with it, and get the owner of this one.
            arguments.push("--no-hardlinks".to_owned());
        }
        let mut option = |name: &str, value: &str| arguments.extend([name.to_owned(), value.to_owned()]);
        let depth = self.wanted("depth").filter(|depth| depth.parse::<u64>().is_ok_and(|n| n > 0));
        if let Some(depth) = &depth {
            option("--depth", depth);
        }
        if let Some(branch) = self.wanted("branch").as_deref().or(revision.filter(|_| depth.is_some())) {
            option("--branch", branch);
        }
        if self.remote() != "origin" {
            option("--origin", &self.remote());
        }
        if bare {
            arguments.push("--bare".into());
        }
        let command = self.git()?.args(arguments).arg("--").arg(address);
        let cannot_write = |e: std::io::Error| System::cannot_write(self.path, &e);
        let (tree, path) = (self.system.tree(), Path::new(self.path));
        // If another user could insert a link into the path, root creates the repository elsewhere and then moves it.
        if self.runner()?.is_none() && tree.check_own(path).is_err() {
            let parent = path.parent().unwrap_or(path);
            // As git does.
            tree.make_directories(parent).map_err(cannot_write)?;
            let scratch = tree.scratch(parent).map_err(cannot_write)?;
            command.arg(scratch.path().join("repository")).succeed()?;
            let target = tree.place(path).map_err(cannot_write)?;
            return scratch.entry("repository").move_to(&target).map_err(cannot_write);
        }
        let command = if self.runner()?.is_none() { command.own_path(self.path) } else { command };
        command.arg(self.system.path(self.path)).succeed().map(drop)
    }

    /// Sets the URLs of the remote repositories.
    fn update_remotes(&self) -> Result<(), ProviderError> {
        let mut changed = false;
        for (name, address) in self.remotes() {
            check_name(&name)?;
            let is = self.ask(&["config", "--get", &format!("remote.{name}.url")])?;
            let verb = if is.is_some() { "set-url" } else { "add" };
            if is.map(|is| without_credentials(&is)) != Some(address.clone()) {
                self.run(&["remote", verb, "--", &name, &address])?;
                changed = true;
            }
        }
        if changed { self.run(&["remote", "update"]).map(drop) } else { Ok(()) }
    }

    fn update_references(&self) -> Result<(), ProviderError> {
        self.update_remotes()?;
        self.run(&["fetch", "--tags", "--force", "--", &self.remote()]).map(drop)
    }

    fn check_out(&self, revision: &str) -> Result<(), ProviderError> {
        let branch = format!("{}/{revision}", self.remote());
        let only_there = !self.has(&format!("refs/heads/{revision}"))? && self.has(&format!("refs/remotes/{branch}"))?;
        if only_there {
            self.run(&["checkout", "--force", "-b", revision, "--track", &branch])
        } else {
            self.run(&["checkout", "--force", revision, "--"])
        }
        .map(drop)
    }

    fn set_revision(&self, revision: &str) -> Result<(), ProviderError> {
        check_name(revision)?;
        if !self.remotes().is_empty() || self.has_remote()? {
            self.update_references()?;
        }
        self.check_out(revision)?;
        if self.has(&format!("refs/heads/{revision}"))? {
            // As in Puppet the remote repository is right, and what was changed here goes.
            self.run(&["reset", "--hard", &format!("{}/{revision}", self.remote())])?;
        }
        self.update_submodules(self.resource.wanted("ensure").is_sym("bare"))?;
        self.dress()
    }

    fn has_remote(&self) -> Result<bool, ProviderError> {
        Ok(self.ask(&["config", "--get", &format!("remote.{}.url", self.remote())])?.is_some())
    }

    fn update_submodules(&self, bare: bool) -> Result<(), ProviderError> {
        if bare || !self.resource.wanted("submodules").is_sym("true") {
            return Ok(());
        }
        self.run(&["submodule", "update", "--init", "--recursive"]).map(drop)
    }

    /// Returns the declared owner and group.
    fn owners(&self) -> Result<Access, ProviderError> {
        let owner = self.wanted("owner").map(|owner| accounts::ids_of(self.system, &owner)).transpose()?.map(|(uid, _)| uid);
        let group = self.wanted("group").map(|group| accounts::gid_of(self.system, &group)).transpose()?;
        Ok(Access { owner, group, mode: None })
    }

    /// Sets the owner of the files and the patterns of ignored files.
    fn dress(&self) -> Result<(), ProviderError> {
        let access = self.owners()?;
        if access != Access::default() {
            self.system.tree().set_owner_of_all(Path::new(self.path), access).map_err(|e| System::cannot_write(self.path, &e))?;
        }
        let patterns: Vec<String> = match self.resource.wanted("excludes").unwrapped() {
            Value::Nil => return Ok(()),
            Value::Array(all) => all.iter().map(|v| v.to_text().to_string()).collect(),
            one => vec![one.to_text().to_string()],
        };
        let file = format!("{}/.git/info/exclude", self.path);
        // Its owner must not be able to have another file written in its place.
        for part in [".git", ".git/info", ".git/info/exclude"] {
            if self.system.look(&format!("{}/{part}", self.path), false)?.is_some_and(|stat| stat.is_symlink()) {
                return Err(ProviderError::new(format!("{file} is reached through a symbolic link, so that it is not written")));
            }
        }
        let text: String = patterns.iter().map(|pattern| format!("{pattern}\n")).collect();
        self.system.replace(&file, text.as_bytes(), Replace::default())
    }

    fn destroy(&self) -> Result<(), ProviderError> {
        self.system.remove(self.path)
    }
}

/// A name that git cannot take for an option.
fn check_name(name: &str) -> Result<(), ProviderError> {
    if name.starts_with('-') {
        return Err(ProviderError::new(format!("invalid name of a branch, tag, commit or remote: `{name}`")));
    }
    Ok(())
}

fn text(value: Option<String>) -> Value {
    value.map_or(Value::Nil, |v| Value::str(v.as_str()))
}

impl Provider for Git {
    fn needs(&self, _: &System, request: Request<'_>, properties: &[&str]) -> Vec<Need> {
        if needs::is_removed(request.resource) {
            return Vec::new();
        }
        // git creates the parent directories of a clone itself.
        let is_new = request.resource.wanted("source").is_nil();
        let parent = if is_new && properties.contains(&"ensure") { Need::directory_of(request.name) } else { None };
        parent.into_iter().chain(needs::accounts(request.resource, &["user", "owner"], &["group"])).collect()
    }

    fn reads(&self) -> &'static [&'static str] {
        &["ensure", "revision"]
    }

    fn queries(&self) -> &'static [&'static str] {
        &["exists?", "working_copy_exists?", "bare_exists?", "latest?", "latest"]
    }

    fn get(&self, system: &System, requests: &[Request<'_>], select: Select<'_>) -> Vec<Reading> {
        let read = |request: &Request<'_>| {
            let repository = repository(system, *request);
            let Some(ensure) = repository.ensure()? else { return Ok(Reading::Absent) };
            let mut properties: Vec<Property> = vec![("ensure", Ok(Value::sym(ensure)))];
            if select.wants("revision") {
                let revision = repository.revision().map(|r| r.map_or(Value::sym("absent"), |r| Value::str(r.as_str())));
                properties.push(("revision", revision));
            }
            Ok(Reading::Present(pick(select, properties)))
        };
        requests.iter().map(|request| read(request).unwrap_or_else(Reading::Error)).collect()
    }

    fn instances(&self, _: &System, _: Select<'_>) -> Result<Vec<ListedResource>, ProviderError> {
        Err(ProviderError::new("not all repositories of a machine are listed").help("name one: its absolute path"))
    }

    fn query(&self, system: &System, request: Request<'_>, method: &str, _: &[Value]) -> Result<Value, ProviderError> {
        let repository = repository(system, request);
        Ok(match method {
            "exists?" => Value::Bool(repository.is_working_copy()? || repository.is_bare()?),
            "working_copy_exists?" => Value::Bool(repository.is_working_copy()?),
            "bare_exists?" => Value::Bool(repository.is_bare()?),
            "latest?" => Value::Bool(repository.is_latest()?),
            "latest" => match repository.wanted("revision") {
                None if repository.is_working_copy()? => text(repository.branch()?),
                wanted => text(wanted),
            },
            _ => return Err(ProviderError::new(format!("the provider does not answer `{method}`"))),
        })
    }

    fn writes(&self) -> &'static [&'static str] {
        &["revision"]
    }

    fn actions(&self) -> &'static [&'static str] {
        &["create", "destroy", "update_references"]
    }

    fn call(&self, system: &System, change: &mut Change<'_>, action: &str, _: &[Value]) -> Result<Value, ProviderError> {
        let repository = repository(system, change.request());
        match action {
            "create" => repository.create(),
            "destroy" => repository.destroy(),
            "update_references" => repository.update_references(),
            other => Err(ProviderError::new(format!("the provider cannot `{other}`"))),
        }
        .map(|()| Value::Nil)
    }

    fn set(&self, system: &System, change: &mut Change<'_>, _: &str, value: &Value) -> Result<(), ProviderError> {
        repository(system, change.request()).set_revision(&value.unwrapped().to_text())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::native::common::testing::{Wants, get_wanting, line, present};
    use std::os::unix::fs::symlink;

    /// A machine with git and a repository `/srv/origin` of two commits: the first one has the tag `one`.
    fn machine() -> (tempfile::TempDir, System) {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        for sub in ["usr/bin", "srv/origin", "opt"] {
            std::fs::create_dir_all(root.join(sub)).unwrap();
        }
        for program in ["git", "sh", "sed", "basename", "uname"] {
            symlink(System::host().which(program).unwrap(), root.join("usr/bin").join(program)).unwrap();
        }
        let system = System::at(root);
        origin(&system, &["init", "-b", "main"]);
        commit(&system, "first");
        origin(&system, &["tag", "one"]);
        commit(&system, "second");
        (folder, system)
    }

    fn origin(system: &System, arguments: &[&str]) -> String {
        let command = system.command("git").directory(system.path("/srv/origin")).args(["-c", "user.name=a", "-c", "user.email=a@b"]);
        command.env("HOME", "/").args(arguments.iter().copied()).succeed().unwrap().stdout.for_parsing().trim().to_owned()
    }

    fn commit(system: &System, text: &str) {
        std::fs::write(system.path("/srv/origin/file"), text).unwrap();
        origin(system, &["add", "file"]);
        origin(system, &["commit", "-m", text]);
    }

    fn wants(system: &System, ensure: &str, more: &[(&'static str, &str)]) -> Wants {
        let source = system.path("/srv/origin");
        let mut all = vec![("ensure", Value::sym(ensure)), ("source", Value::str(source.to_str().unwrap()))];
        all.extend(more.iter().map(|(name, value)| (*name, Value::str(*value))));
        Wants(all)
    }

    fn shown(system: &System, wants: &Wants) -> String {
        match get_wanting(&Git, system, "/opt/copy", wants) {
            Reading::Absent => "absent".into(),
            reading => line(&present(reading)),
        }
    }

    fn create(system: &System, wants: &Wants) -> Result<Value, ProviderError> {
        let is = Reading::Absent;
        Git.call(system, &mut Change::new(Request { name: "/opt/copy", resource: wants }, &is), "create", &[])
    }

    fn set(system: &System, wants: &Wants, revision: &str) -> Result<(), ProviderError> {
        let is = Reading::Absent;
        Git.set(system, &mut Change::new(Request { name: "/opt/copy", resource: wants }, &is), "revision", &Value::str(revision))
    }

    fn file(system: &System) -> String {
        system.read("/opt/copy/file").unwrap().unwrap()
    }

    #[test]
    fn a_clone_at_a_tag_a_branch_and_a_commit() {
        let (_folder, system) = machine();
        let tag = wants(&system, "present", &[("revision", "one")]);
        assert_eq!(shown(&system, &tag), "absent");
        create(&system, &tag).unwrap();
        assert_eq!(shown(&system, &tag), r#"ensure=:present revision="one""#);
        assert_eq!(file(&system), "first");
        let branch = wants(&system, "present", &[("revision", "main")]);
        assert!(!shown(&system, &branch).contains("main"));
        set(&system, &branch, "main").unwrap();
        assert_eq!(shown(&system, &branch), r#"ensure=:present revision="main""#);
        let commit = origin(&system, &["rev-parse", "one"]);
        let commit = wants(&system, "present", &[("revision", &commit)]);
        set(&system, &commit, &commit.0[2].1.to_text()).unwrap();
        assert_eq!(file(&system), "first");
        assert!(shown(&system, &commit).contains(&*commit.0[2].1.to_text()));
    }

    #[test]
    fn a_depth_of_zero_clones_all_commits() {
        let (_folder, system) = machine();
        create(&system, &wants(&system, "present", &[("depth", "0")])).unwrap();
        assert_eq!(file(&system), "second");
    }

    #[test]
    fn latest_follows_the_branch_that_is_checked_out() {
        let (_folder, system) = machine();
        let latest = wants(&system, "latest", &[]);
        create(&system, &latest).unwrap();
        assert!(shown(&system, &latest).starts_with("ensure=:latest"));
        commit(&system, "third");
        let before = system.path("/opt/copy/.git/FETCH_HEAD").exists();
        assert!(shown(&system, &latest).starts_with("ensure=:present"));
        assert_eq!(system.path("/opt/copy/.git/FETCH_HEAD").exists(), before, "looking fetches nothing");
        let newest = Git.query(&system, Request { name: "/opt/copy", resource: &latest }, "latest", &[]).unwrap();
        assert_eq!(newest, Value::str("main"));
        set(&system, &latest, "main").unwrap();
        assert!(shown(&system, &latest).starts_with("ensure=:latest"));
        assert_eq!(file(&system), "third");
    }

    #[test]
    fn a_tag_that_moved_follows() {
        let (_folder, system) = machine();
        let tag = wants(&system, "present", &[("revision", "one")]);
        create(&system, &tag).unwrap();
        origin(&system, &["tag", "--force", "one"]);
        set(&system, &tag, "one").unwrap();
        assert_eq!(file(&system), "second");
    }

    #[test]
    fn what_is_in_the_way_goes_only_by_force() {
        let (_folder, system) = machine();
        std::fs::create_dir_all(system.path("/opt/copy/work")).unwrap();
        let error = create(&system, &wants(&system, "present", &[])).unwrap_err();
        assert_eq!(error.message, "/opt/copy is there and is not this repository");
        assert!(system.exists("/opt/copy/work"));
        let mut force = wants(&system, "present", &[]);
        force.0.push(("force", Value::sym("true")));
        create(&system, &force).unwrap();
        assert!(!system.exists("/opt/copy/work") && system.exists("/opt/copy/.git"));
    }

    #[test]
    fn bare_and_empty_repositories() {
        let (_folder, system) = machine();
        create(&system, &wants(&system, "bare", &[])).unwrap();
        assert!(shown(&system, &wants(&system, "bare", &[])).starts_with("ensure=:bare"));
        std::fs::remove_dir_all(system.path("/opt/copy")).unwrap();
        let empty = Wants(vec![("ensure", Value::sym("present"))]);
        create(&system, &empty).unwrap();
        assert_eq!(shown(&system, &empty), "ensure=:present revision=:absent");
        let error = create(&system, &wants(&system, "bare", &[("revision", "one")])).unwrap_err();
        assert!(error.message.starts_with("a bare repository has no revision"));
    }

    #[test]
    fn remotes_get_the_declared_addresses() {
        let (_folder, system) = machine();
        let source = Value::str(system.path("/srv/origin").to_str().unwrap());
        let map = [("up", source.clone()), ("second", source)].map(|(name, address)| (Value::str(name), address));
        let several = Wants(vec![("source", Value::Map(std::sync::Arc::new(map.into_iter().collect()))), ("remote", Value::str("up"))]);
        create(&system, &several).unwrap();
        let config = system.read("/opt/copy/.git/config").unwrap().unwrap();
        assert!(config.contains("[remote \"up\"]") && config.contains("[remote \"second\"]"), "{config}");
        assert!(shown(&system, &several).starts_with("ensure=:present"));
        assert_eq!(shown(&system, &Wants(vec![("source", Value::str("/srv/other"))])), "absent");
    }

    #[test]
    fn excludes_are_written_but_not_through_links() {
        let (_folder, system) = machine();
        let mut excludes = wants(&system, "present", &[]);
        excludes.0.push(("excludes", Value::array(["*.o", "tmp"].map(Value::str))));
        create(&system, &excludes).unwrap();
        assert_eq!(system.read("/opt/copy/.git/info/exclude").unwrap().unwrap(), "*.o\ntmp\n");
        std::fs::remove_file(system.path("/opt/copy/.git/info/exclude")).unwrap();
        symlink("/etc/passwd", system.path("/opt/copy/.git/info/exclude")).unwrap();
        assert!(set(&system, &excludes, "main").unwrap_err().message.contains("symbolic link"));
    }

    #[test]
    fn what_git_says_is_shown_and_options_are_no_revisions() {
        let (_folder, system) = machine();
        create(&system, &wants(&system, "present", &[])).unwrap();
        let error = set(&system, &wants(&system, "present", &[]), "nothing").unwrap_err();
        assert!(error.message.starts_with("`git checkout --force nothing --` exited with"), "{error}");
        assert!(set(&system, &wants(&system, "present", &[]), "--orphan").is_err());
    }
}
