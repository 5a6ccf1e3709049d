//! Changes of `user/useradd`, made with shadow's and libuser's tools.
//!
//! Follows Puppet 7.23's `provider/user/useradd.rb` and `provider/nameservice.rb`, with these differences: all changes of a user share a
//! call of `usermod` and a call of `chage`; password hashes are always passed to `chpasswd` on standard input, whereas Puppet passes a new
//! user's hash to `usermod` as an argument; and duplicate IDs are only allowed if a UID is set, because `useradd` rejects the option alone.

use super::libuser;
use crate::native::accounts;
use crate::system::AccountKey;
use crate::{Change, Command, Operation, ProviderError, System};
use rtype_lang::value::Value;
use rtype_system::programs::{self, FileKind};
use std::time::Duration;

/// Timeout for a tool. Moving a large home directory takes long.
const PATIENCE: Duration = Duration::from_secs(600);

/// Properties set by `useradd` and `usermod`, in Puppet's order.
const FLAGS: [(&str, &str); 7] =
    [("comment", "-c"), ("expiry", "-e"), ("gid", "-g"), ("groups", "-G"), ("home", "-d"), ("shell", "-s"), ("uid", "-u")];

/// Properties set by `chage`.
const AGES: [(&str, &str); 3] = [("password_max_age", "-M"), ("password_min_age", "-m"), ("password_warn_days", "-W")];

/// Writes the recorded changes of a user.
pub(super) fn write(system: &System, change: &Change<'_>) -> Result<(), ProviderError> {
    let names: Vec<String> = change.value("groups").as_array().unwrap_or_default().iter().map(|name| name.to_text().into()).collect();
    let mut unknown = Vec::new();
    for name in names {
        if accounts::find_gid(system, &name)?.is_none() {
            unknown.push(name);
        }
    }
    let account = Account { system, change, local: libuser::is_local(change), unknown };
    match change.operation() {
        Operation::Create => account.create(),
        Operation::Update => account.update(),
        Operation::Delete => account.delete(),
        Operation::Nothing => Ok(()),
    }
}

struct Account<'a> {
    system: &'a System,
    change: &'a Change<'a>,
    /// Whether to change only local accounts.
    local: bool,
    /// The declared groups that do not exist. The user becomes a member of the others.
    unknown: Vec<String>,
}

/// Returns the arguments of `useradd` and `usermod` for properties.
fn worded(all: impl IntoIterator<Item = (&'static str, String)>) -> Vec<String> {
    let flag = |property: &str| FLAGS.iter().find(|(name, _)| *name == property).map(|(_, flag)| (*flag).to_owned());
    all.into_iter().filter_map(|(property, text)| Some([flag(property)?, text])).flatten().collect()
}

impl<'a> Account<'a> {
    fn create(&self) -> Result<(), ProviderError> {
        self.check_shell()?;
        self.check_number()?;
        let mut words = Vec::new();
        // A group of the user's name that is there already is not made for it again.
        if self.change.value("gid").is_nil() && self.has_group()? {
            words.extend(["-g".to_owned(), self.change.name.to_owned()]);
        }
        let (own, foreign) = self.flags();
        // As in Puppet, empty values are omitted, because they are the defaults of useradd.
        let said = |(property, text): &(&str, String)| !text.is_empty() || *property == "expiry";
        words.extend(worded(own.into_iter().filter(said)));
        if self.is_set("allowdupe") && !self.change.value("uid").is_nil() && !self.local {
            words.push("-o".into());
        }
        // libuser's tool creates a home directory unless disabled.
        words.extend(match (self.is_set("managehome"), self.local) {
            (true, true) => None,
            (true, false) => Some("-m".to_owned()),
            (false, _) => Some("-M".to_owned()),
        });
        if self.is_set("system") {
            words.push("-r".into());
        }
        // If useradd chooses the home directory, root owns the parent directory.
        let home = text("home", &self.change.value("home")).filter(|home| self.is_set("managehome") && !home.is_empty());
        self.run("useradd", words, home)?;
        self.finish(foreign.into_iter().filter(said).collect())
    }

    fn update(&self) -> Result<(), ProviderError> {
        self.check_shell()?;
        self.check_number()?;
        // Nothing is written before the properties are written separately.
        if let Some(name) = self.unknown.first().filter(|_| self.change.should.len() > 1) {
            return Err(ProviderError::new(format!("could not find group {name}")));
        }
        let (own, foreign) = self.flags();
        let mut words = Vec::new();
        for (property, text) in own {
            words.extend(worded([(property, text)]));
            if property == "uid" && self.is_set("allowdupe") && !self.local {
                words.push("-o".into());
            }
        }
        if !words.is_empty() {
            self.run("usermod", words, None)?;
        }
        self.finish(foreign)
    }

    fn delete(&self) -> Result<(), ProviderError> {
        if !self.is_set("managehome") {
            return self.run("userdel", Vec::new(), None);
        }
        let text = self.system.read("/etc/passwd")?.unwrap_or_default();
        let home = accounts::passwd(&text).find(|user| user.name == self.change.name).map(|user| user.home.to_owned());
        self.run("userdel", vec!["-r".into()], home.filter(|home| home.starts_with('/')))
    }

    /// Returns the properties with a desired value, as text. The second list has the properties that libuser's tools do not support.
    #[expect(clippy::type_complexity, reason = "two lists of the same")]
    fn flags(&self) -> (Vec<(&'static str, String)>, Vec<(&'static str, String)>) {
        let value = |property: &str| match (property, self.change.value(property)) {
            ("groups", Value::Array(names)) => Value::array(names.iter().filter(|name| !self.is_unknown(name)).cloned()),
            (_, value) => value,
        };
        let set = |(property, _): &(&'static str, &str)| Some((*property, text(property, &value(property))?));
        FLAGS.iter().filter_map(set).partition(|(property, _)| !self.local || !matches!(*property, "groups" | "expiry"))
    }

    fn is_unknown(&self, group: &Value) -> bool {
        self.unknown.iter().any(|name| *name == group.to_text().as_str())
    }

    /// Sets the properties that need separate tools. A tool that fails does not prevent the others, except that a new user without the
    /// declared limits, who would have more rights than declared, gets no password.
    fn finish(&self, foreign: Vec<(&'static str, String)>) -> Result<(), ProviderError> {
        let rest = if foreign.is_empty() {
            Ok(())
        } else {
            self.tool("usermod", "--prefix").args(worded(foreign)).args(["--", self.change.name]).succeed().map(drop)
        };
        let set = |(property, flag): &(&str, &str)| Some([(*flag).to_owned(), text(property, &self.change.value(property))?]);
        let ages: Vec<String> = AGES.iter().filter_map(set).flatten().collect();
        let ages = if ages.is_empty() { Ok(()) } else { self.run("chage", ages, None) };
        let unknown = self.unknown.first().map(|name| ProviderError::new(format!("could not find group {name}")));
        let limits: Result<(), ProviderError> = [rest, ages].into_iter().collect();
        let is_unlimited = limits.is_err() && self.change.operation() == Operation::Create;
        let password = if is_unlimited { Ok(()) } else { self.set_password() };
        [limits, password, unknown.map_or(Ok(()), Err)].into_iter().collect()
    }

    fn set_password(&self) -> Result<(), ProviderError> {
        let password = self.change.value("password");
        let Some(hash) = text("password", &password) else { return Ok(()) };
        // The text after a line break would set the password of another user.
        if hash.contains('\n') {
            return Err(ProviderError::new("a password cannot have line breaks"));
        }
        let input = format!("{}:{hash}\n", self.change.name);
        self.tool("chpasswd", "--root").arg("-e").stdin(input).succeed().map(drop)
    }

    /// A tool that knows where the machine's files are.
    fn tool(&self, name: &str, elsewhere: &str) -> Command<'a> {
        tool(self.system, name, elsewhere)
    }

    /// Runs a tool, or its equivalent in libuser. `home` is the home directory that the tool creates or removes: no other user may control
    /// its path.
    fn run(&self, name: &str, words: Vec<String>, home: Option<String>) -> Result<(), ProviderError> {
        if self.local {
            return libuser::run(self.system, &format!("l{name}"), words, self.change.name, home);
        }
        let elsewhere = if name == "chage" { "--root" } else { "--prefix" };
        let tool = home.into_iter().fold(self.tool(name, elsewhere), Command::own_path);
        tool.args(words).args(["--", self.change.name]).succeed().map(drop)
    }

    /// libuser's tools accept duplicate IDs without an option.
    fn check_number(&self) -> Result<(), ProviderError> {
        let uid = self.change.value("uid");
        if !self.local || self.is_set("allowdupe") || uid.is_nil() {
            return Ok(());
        }
        let text = self.system.read("/etc/passwd")?.unwrap_or_default();
        let is_taken = accounts::passwd(&text).any(|user| user.name != self.change.name && Value::Int(user.uid.into()) == uid);
        if is_taken { Err(libuser::taken("UID", &uid)) } else { Ok(()) }
    }

    fn is_set(&self, param: &str) -> bool {
        self.change.resource.wanted(param) == Value::Bool(true)
    }

    fn has_group(&self) -> Result<bool, ProviderError> {
        let text = self.system.read("/etc/group")?.unwrap_or_default();
        if accounts::groups(&text).any(|g| g.name == self.change.name) {
            return Ok(true);
        }
        Ok(self.system.has_other_sources("group") && self.system.find_group(AccountKey::Name(self.change.name))?.is_some())
    }

    /// A shell that cannot be executed would lock the user out.
    fn check_shell(&self) -> Result<(), ProviderError> {
        let shell = self.change.value("shell");
        let Some(shell) = text("shell", &shell).filter(|s| !s.is_empty()) else { return Ok(()) };
        match programs::kind(self.system.path(&shell)) {
            FileKind::Missing => Err(ProviderError::new(format!("the shell {shell} does not exist")).help("install it first")),
            FileKind::Directory | FileKind::NotExecutable => Err(ProviderError::new(format!("the shell {shell} is not executable"))),
            FileKind::Program => Ok(()),
        }
    }
}

/// A tool of the shadow suite; `elsewhere` is the option by which it works on the files of another machine's tree.
pub(in crate::native) fn tool<'a>(system: &'a System, name: &str, elsewhere: &str) -> Command<'a> {
    let command = system.command(name).time_limit(Some(PATIENCE));
    if system.is_fixture() { command.arg(elsewhere).arg(system.path("/")) } else { command }
}

/// Returns a property as an argument for its tool, `None` if there is none.
fn text(property: &str, value: &Value) -> Option<String> {
    match value.unwrapped() {
        Value::Nil => None,
        Value::Array(all) => Some(all.iter().map(|v| v.unwrapped().to_text().to_string()).collect::<Vec<_>>().join(",")),
        value if value.is_absent() => (property == "expiry").then(String::new),
        value => Some(value.to_text().into()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::useradd::Useradd;
    use crate::native::common::testing::{Wants, executable, get, line, present};
    use crate::{Change, Provider, ProviderError, Reading, Request, State, System};
    use rtype_lang::value::{Symbol, Value};
    use std::os::unix::fs::symlink;
    use std::sync::Arc;
    use tempfile::TempDir;

    const TOOLS: [&str; 5] = ["useradd", "usermod", "userdel", "chage", "chpasswd"];
    const LOCAL: [&str; 4] = ["luseradd", "lusermod", "luserdel", "lchage"];

    fn root() -> TempDir {
        let root = TempDir::new().unwrap();
        for folder in ["etc", "usr/bin", "bin", "home"] {
            std::fs::create_dir_all(root.path().join(folder)).unwrap();
        }
        for (file, text) in [
            ("passwd", "root:x:0:0::/root:/bin/sh\nold:x:1500:100:Old:/home/old:/bin/sh\n"),
            ("shadow", "root:*:19000:0:99999:7:::\nold:!:19000::::::\n"),
            ("group", "root:x:0:\nusers:x:100:\nadm:x:4:\nstaff:x:50:old\ncarl:x:1600:\n"),
        ] {
            std::fs::write(root.path().join("etc").join(file), text).unwrap();
        }
        symlink("/bin/sh", root.path().join("bin/sh")).unwrap();
        std::fs::write(root.path().join("bin/data"), "").unwrap();
        root
    }

    /// A machine whose tools record their arguments; usermod does not know the user `bad`.
    fn machine() -> TempDir {
        let root = root();
        for name in TOOLS.into_iter().chain(LOCAL) {
            let path = root.path().join("usr/bin").join(name);
            let log = root.path().join("log");
            let script = format!(
                "#!/bin/sh\n{}\nfor word; do line=\"$line '$word'\"; done\n(echo \"{name}$line\"; /bin/cat) >> {}\n\
                 case $line in *bad*) echo 'no such user' >&2; exit 6 ;; esac\n",
                if LOCAL.contains(&name) { "test -s $LIBUSER_CONF || exit 9" } else { "shift 2" },
                log.display()
            );
            executable(&path, &script);
        }
        root
    }

    /// A machine with the real tools, which need root in order to set passwords there.
    fn real() -> Option<TempDir> {
        let find = |name: &&str| ["/usr/sbin", "/usr/bin"].iter().map(|f| format!("{f}/{name}")).find(|p| std::path::Path::new(p).exists());
        let tools: Vec<String> = TOOLS.iter().map_while(find).collect();
        if tools.len() < TOOLS.len() || !nix::unistd::Uid::effective().is_root() {
            return None;
        }
        let root = root();
        for (name, path) in TOOLS.iter().zip(tools) {
            symlink(path, root.path().join("usr/bin").join(name)).unwrap();
        }
        Some(root)
    }

    fn secret(text: &str) -> Value {
        Value::Sensitive(Arc::new(Value::str(text)))
    }

    fn names(all: &[&str]) -> Value {
        Value::array(all.iter().map(|n| Value::str(*n)))
    }

    /// Creates a user with these desired values.
    fn create(root: &TempDir, name: &str, wants: Vec<(&'static str, Value)>) -> Result<(), ProviderError> {
        write(root, name, Wants(wants), &Reading::Absent, |system, change| Useradd.call(system, change, "create", &[]).map(drop))
    }

    /// Changes these properties of a user, who may want more.
    fn update(root: &TempDir, name: &str, wants: Vec<(&'static str, Value)>, all: &[(&str, Value)]) -> Result<(), ProviderError> {
        write(root, name, Wants(wants), &there(), |system, change| {
            all.iter().try_for_each(|(property, value)| Useradd.set(system, change, property, value))
        })
    }

    fn delete(root: &TempDir, name: &str, wants: Vec<(&'static str, Value)>) -> Result<(), ProviderError> {
        write(root, name, Wants(wants), &there(), |system, change| Useradd.call(system, change, "delete", &[]).map(drop))
    }

    fn there() -> Reading {
        Reading::Present(State::from_iter([(Symbol::from("ensure"), Ok(Value::sym("present")))]))
    }

    fn write(
        root: &TempDir,
        name: &str,
        wants: Wants,
        is: &Reading,
        what: impl Fn(&System, &mut Change<'_>) -> Result<(), ProviderError>,
    ) -> Result<(), ProviderError> {
        let system = System::at(root.path());
        let mut change = Change::new(Request { name, resource: &wants }, is);
        what(&system, &mut change)?;
        Useradd.flush(&system, std::slice::from_mut(&mut change)).remove(0)?;
        // What was written is not written again.
        Useradd.flush(&system, std::slice::from_mut(&mut change)).remove(0)
    }

    fn log(root: &TempDir) -> Vec<String> {
        let log = std::fs::read_to_string(root.path().join("log")).unwrap_or_default();
        log.lines().map(str::to_owned).collect()
    }

    #[test]
    fn a_new_user_gets_all_that_is_wanted() {
        let root = machine();
        let wants = vec![
            ("uid", Value::Int(1501)),
            ("gid", Value::str("users")),
            ("comment", "B. Ob".into()),
            ("groups", names(&["adm", "staff"])),
            ("home", "/home/bob".into()),
            ("shell", "/bin/sh".into()),
            ("expiry", "2030-01-02".into()),
            ("password", "$6$salt$hash".into()),
            ("password_min_age", Value::Int(1)),
            ("password_max_age", Value::Int(90)),
            ("managehome", Value::Bool(true)),
            ("allowdupe", Value::Bool(true)),
            ("system", Value::Bool(true)),
        ];
        create(&root, "bob", wants).unwrap();
        assert_eq!(
            log(&root),
            [
                "useradd '-c' 'B. Ob' '-e' '2030-01-02' '-g' 'users' '-G' 'adm,staff' '-d' '/home/bob' '-s' '/bin/sh' '-u' '1501' '-o' '-m' '-r' '--' 'bob'",
                "chage '-M' '90' '-m' '1' '--' 'bob'",
                "chpasswd '-e'",
                "bob:$6$salt$hash",
            ]
        );
    }

    /// The ageing of a password is a limit: a new account without it would have more rights than declared.
    #[test]
    fn a_new_user_without_the_declared_limits_gets_no_password() {
        let root = machine();
        executable(&root.path().join("usr/bin/chage"), "#!/bin/sh\nexit 1\n");
        let wants = || vec![("password", "$6$salt$hash".into()), ("password_max_age", Value::Int(90))];
        create(&root, "bob", wants()).unwrap_err();
        assert_eq!(log(&root), ["useradd '-M' '--' 'bob'"]);
        // The password of an existing user is independent.
        update(&root, "old", vec![], &wants()).unwrap_err();
        assert_eq!(log(&root).last().map(String::as_str), Some("old:$6$salt$hash"));
    }

    #[test]
    fn a_new_user_of_whom_nothing_is_said_gets_what_useradd_gives() {
        let root = machine();
        create(&root, "bob", vec![("comment", "".into()), ("groups", names(&[])), ("allowdupe", Value::Bool(true))]).unwrap();
        assert_eq!(log(&root), ["useradd '-M' '--' 'bob'"]);
        // Without `-g`, useradd fails if a group with the user's name exists.
        let root = machine();
        create(&root, "carl", vec![]).unwrap();
        assert_eq!(log(&root), ["useradd '-g' 'carl' '-M' '--' 'carl'"]);
    }

    #[test]
    fn what_changes_at_once_is_written_at_once() {
        let root = machine();
        let all = [
            ("shell", Value::str("/bin/sh")),
            ("password_max_age", Value::Int(5)),
            ("uid", Value::Int(7)),
            ("password", secret("*")),
            ("groups", names(&[])),
            ("expiry", Value::sym("absent")),
            ("password_warn_days", Value::Int(2)),
            ("comment", "".into()),
        ];
        update(&root, "old", vec![("allowdupe", Value::Bool(true)), ("home", "/x".into())], &all).unwrap();
        assert_eq!(
            log(&root),
            [
                "usermod '-c' '' '-e' '' '-G' '' '-s' '/bin/sh' '-u' '7' '-o' '--' 'old'",
                "chage '-M' '5' '-W' '2' '--' 'old'",
                "chpasswd '-e'",
                "old:*"
            ]
        );
    }

    #[test]
    fn only_the_tools_that_are_needed_run() {
        let root = machine();
        update(&root, "old", vec![], &[("password_min_age", Value::Int(3))]).unwrap();
        update(&root, "old", vec![], &[("password", secret("!"))]).unwrap();
        assert_eq!(log(&root), ["chage '-m' '3' '--' 'old'", "chpasswd '-e'", "old:!"]);
    }

    #[test]
    fn a_home_directory_goes_where_it_is_managed() {
        let root = machine();
        delete(&root, "old", vec![]).unwrap();
        delete(&root, "old", vec![("managehome", Value::Bool(true))]).unwrap();
        assert_eq!(log(&root), ["userdel '--' 'old'", "userdel '-r' '--' 'old'"]);
    }

    #[test]
    fn local_users_are_managed_by_libuser() {
        let root = machine();
        let local = || ("forcelocal", Value::Bool(true));
        let uid = || ("uid", Value::Int(1501));
        let wants =
            vec![local(), uid(), ("groups", names(&["adm"])), ("password_max_age", Value::Int(9)), ("managehome", Value::Bool(true))];
        create(&root, "bob", wants).unwrap();
        update(&root, "old", vec![local()], &[("comment", "Öl".into()), ("expiry", "2030-01-02".into())]).unwrap();
        delete(&root, "old", vec![local(), ("managehome", Value::Bool(true))]).unwrap();
        let all = [
            "luseradd '-u' '1501' '--' 'bob'",
            "usermod '-G' 'adm' '--' 'bob'",
            "lchage '-M' '9' '--' 'bob'",
            "lusermod '-c' 'Öl' '--' 'old'",
            "usermod '-e' '2030-01-02' '--' 'old'",
            "luserdel '-r' '--' 'old'",
        ];
        assert_eq!(log(&root), all);
        let error = create(&root, "bob", vec![local(), ("uid", Value::Int(1500))]).unwrap_err();
        assert_eq!(error.message, "UID 1500 already exists");
        create(&root, "bob", vec![local(), ("uid", Value::Int(1500)), ("allowdupe", Value::Bool(true))]).unwrap();
        assert_eq!(log(&root).last().unwrap(), "luseradd '-u' '1500' '-M' '--' 'bob'");
    }

    #[test]
    fn a_shell_that_cannot_run_is_refused() {
        let root = machine();
        let error = |shell: &'static str| create(&root, "bob", vec![("shell", shell.into())]).unwrap_err().message;
        assert_eq!(error("/bin/nope"), "the shell /bin/nope does not exist");
        assert_eq!(error("/bin/data"), "the shell /bin/data is not executable");
        let error = update(&root, "old", vec![], &[("shell", "/bin/nope".into())]).unwrap_err();
        assert_eq!(error.message, "the shell /bin/nope does not exist");
        assert_eq!(log(&root), Vec::<String>::new());
    }

    #[test]
    fn a_failure_says_what_the_tool_said_and_no_secret() {
        let root = machine();
        let error = update(&root, "bad", vec![], &[("uid", Value::Int(7)), ("password", secret("h0rse"))]).unwrap_err();
        assert!(error.message.ends_with("exited with 6: no such user") && !error.message.contains("h0rse"), "{error}");
        let error = update(&root, "old", vec![], &[("password", secret("h0rse\nroot:"))]).unwrap_err();
        assert_eq!(error.message, "a password cannot have line breaks");
        assert!(!log(&root).iter().any(|line| line.contains("h0rse")));
    }

    #[test]
    fn real_tools_apply_every_change() {
        let Some(root) = real() else { return };
        let wants = vec![
            ("uid", Value::Int(1501)),
            ("gid", Value::Int(100)),
            ("comment", "Größe".into()),
            ("groups", names(&["adm", "staff"])),
            ("shell", "/bin/sh".into()),
            ("expiry", "2030-01-02".into()),
            ("password", secret("$6$a$b")),
            ("password_max_age", Value::Int(90)),
            ("managehome", Value::Bool(true)),
        ];
        create(&root, "bob", wants).unwrap();
        let read = |name| line(&present(get(&Useradd, &System::at(root.path()), name)));
        assert_eq!(
            read("bob"),
            "ensure=:present home=\"/home/bob\" uid=1501 gid=100 comment=\"Größe\" shell=\"/bin/sh\" password=\"$6$a$b\" password_min_age=-1 \
             password_max_age=90 password_warn_days=-1 groups=[\"adm\", \"staff\"] expiry=\"2030-01-02\""
        );
        let all = [
            ("groups", names(&["adm"])),
            ("expiry", Value::sym("absent")),
            ("comment", "".into()),
            ("password", secret("!")),
            ("home", "/srv".into()),
            ("password_min_age", Value::Int(2)),
        ];
        update(&root, "bob", vec![], &all).unwrap();
        assert_eq!(
            read("bob"),
            "ensure=:present home=\"/srv\" uid=1501 gid=100 comment=\"\" shell=\"/bin/sh\" password=\"!\" password_min_age=2 \
             password_max_age=90 password_warn_days=-1 groups=[\"adm\"] expiry=:absent"
        );
        delete(&root, "bob", vec![]).unwrap();
        assert_eq!(get(&Useradd, &System::at(root.path()), "bob"), Reading::Absent);
        assert!(create(&root, "other", vec![("uid", Value::Int(1500))]).unwrap_err().message.contains("not unique"));
    }
}
