//! Secrets that exist only on the machine appear in no output, even if native providers read them.
//!
//! Each current value is planted in the file that its provider reads. After the provider has read the value, programs repeat it in all
//! common encodings. Then the test searches all outputs, the state directory and the arguments of programs.

use crate::common::machine::{outputs, write, write_program};
use crate::common::secrets::{assert_hidden, forms, quoted};
use rtype_lang::library::TypeSet;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// Single-line values for settings; OpenSSH keys are base64.
const LINES: [&str; 3] = ["mArker-cur'rent \\ \"100%\" žluť+/&?", "mArker-plain-value", "mArkerÉ"];
const KEY: &str = "bUFya2VyLWN1cnJlbnQta2V5LW9mLWEtdXNlcg==";
const PEM: &str = "-----BEGIN PRIVATE KEY-----\nmArkerMIIBVQIBADANBgkqhkiG9w0BAQEFAASCAT8wggE7AgEAAkEAq7BFUpkGp3+LQm\nmArkerYx2eqzDV+xeG8kx/sQFV18S5JhzGeIJNA72wSeukEPojtqUyX2J0CciPBh7eqc\n-----END PRIVATE KEY-----\n";
const DESIRED: &str = "mArker-des'ired\\q \"5%\" ů";

/// Returns the contents of all files in a directory, joined.
fn files(directory: &Path) -> String {
    let Ok(entries) = directory.read_dir() else { return String::new() };
    entries
        .map(|entry| {
            let path = entry.unwrap().path();
            if path.is_dir() { files(&path) } else { String::from_utf8_lossy(&std::fs::read(path).unwrap_or_default()).into_owned() }
        })
        .collect()
}

/// Plants current values in files. Returns resources with other desired values; the last resource prints all encodings of the current
/// values.
fn plant(site: &Path, current: &str) -> String {
    let at = |name: &str| site.join(name).display().to_string();
    write(&site.join("settings.ini"), &format!("[a]\nkey = {current}\nsub = -x{current} -y z\n[b]\nopen = {current}\n"));
    write(&site.join("lines"), &format!("one\n{current}\n"));
    write(&site.join("pem"), PEM);
    write(&site.join("joined"), PEM);
    write(&site.join("keys"), &format!("ssh-rsa {KEY} me\n"));
    std::fs::set_permissions(site.join("keys"), std::fs::Permissions::from_mode(0o600)).unwrap();
    // After a value has been read, an equal setting or line is also secret. Keys belong to an account, and the user who runs the tests may
    // have no account.
    let account = nix::unistd::User::from_uid(nix::unistd::Uid::effective()).unwrap();
    let said = [current, PEM, DESIRED].into_iter().chain(account.is_some().then_some(KEY)).flat_map(forms);
    write(&site.join("forms"), &said.collect::<Vec<String>>().join("\n---\n"));
    let desired = quoted(DESIRED);
    let keys = account.map_or_else(String::new, |account| {
        let (user, keys) = (account.name, at("keys"));
        format!(
            "ssh_authorized_key {{ 'me': user => '{user}', target => '{keys}', type => 'ssh-rsa', key => Sensitive('AAAAmArkernewkey'), before => Exec['/bin/cat {forms}'] }}\n",
            forms = at("forms")
        )
    });
    format!(
        "ini_setting {{ 'i': path => '{ini}', section => 'a', setting => 'key', value => Sensitive({desired}) }}\n\
         ini_setting {{ 'o': path => '{ini}', section => 'b', setting => 'open', value => 'open', show_diff => true }}\n\
         ini_subsetting {{ 's': path => '{ini}', section => 'a', setting => 'sub', subsetting => '-x', subsetting_separator => ';', value => Sensitive({desired}) }}\n\
         file_line {{ 'l': path => '{lines}', line => Sensitive({desired}), match => '^mArk', append_on_no_match => false }}\n\
         file {{ '{pem}': content => Sensitive({desired}), backup => true }}\n\
         concat_file {{ 'c': path => '{joined}', tag => 't', backup => true }}\n\
         concat_fragment {{ 'f': target => '{joined}', tag => 't', content => Sensitive({desired}) }}\n\
         {keys}exec {{ '/bin/cat {forms}': logoutput => true, require => [Ini_setting['i'], File['{pem}']] }}\n\
         exec {{ '/bin/cat {forms} >&2; exit 3': provider => shell, logoutput => true, require => Ini_setting['i'] }}\n",
        ini = at("settings.ini"),
        lines = at("lines"),
        pem = at("pem"),
        joined = at("joined"),
        forms = at("forms"),
    )
}

#[test]
fn current_secrets_of_native_providers_appear_in_no_run() {
    let has_strace = Command::new("strace").arg("-V").output().is_ok();
    if !has_strace {
        println!("SKIPPED: strace is not installed, arguments of programs are not searched");
    }
    for current in LINES {
        let site = TempDir::new().unwrap();
        let run = |arguments: &[&str], trace: bool| {
            write(&site.path().join("site.pp"), &plant(site.path(), current));
            let program = env!("CARGO_BIN_EXE_rtype");
            let mut command = Command::new(if trace { "strace" } else { program });
            if trace {
                command.args(["-f", "-qq", "-e", "trace=execve", "-s", "100000", "-o", "trace", program]);
            }
            let output = command.current_dir(site.path()).args(arguments).env("HOME", site.path()).stdin(Stdio::null()).output().unwrap();
            let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
            assert!(text.contains("[redacted]"), "{arguments:?}: {text}");
            assert_hidden(&format!("{arguments:?} of {current}"), &text);
        };
        run(&["inspect", "-v", "site.pp"], false);
        run(&["inspect", "--format", "json", "site.pp"], false);
        run(&["apply", "--state-dir", "state", "-v", "--noop", "--report", "report", "site.pp"], false);
        run(&["apply", "--state-dir", "state", "-v", "--format", "json", "site.pp"], false);
        run(&["apply", "--state-dir", "state", "-v", "--report", "report", "site.pp"], has_strace);
        assert_hidden("the state and the bucket", &files(&site.path().join("state")));
        assert_hidden("the report", &std::fs::read_to_string(site.path().join("report")).unwrap());
        assert_hidden("the arguments of programs", &std::fs::read_to_string(site.path().join("trace")).unwrap_or_default());
    }
}

/// Creates a directory that simulates a machine. The programs of the machine print all encodings of the secrets, and fail.
fn machine(current: &str) -> TempDir {
    let root = TempDir::new().unwrap();
    let at = |name: &str| root.path().join(name);
    let hash = "$6$mArkersalt$mArkerhash/of.a.password";
    write(&at("etc/passwd"), "root:x:0:0:root:/root:/bin/sh\nme:x:1000:1000:mArker-comment:/home/me:/bin/sh\n");
    write(&at("etc/group"), "root:x:0:\nme:x:1000:\n");
    write(&at("etc/shadow"), &format!("root:*:19000:0:99999:7:::\nme:{hash}:19000:0:99999:7:::\n"));
    write(&at("etc/hosts"), "127.0.0.1 localhost\n10.0.0.1 mArker-host mArker-alias\n");
    write(&at("etc/fstab"), "/dev/sda1 /srv cifs username=me,password=mArker-mount 0 0\n");
    write(&at("etc/aliases"), "me: mArker-recipient@example.org\n");
    write(&at("etc/ssh/ssh_known_hosts"), &format!("me ssh-rsa {KEY}\n"));
    write(&at("var/spool/cron/crontabs/me"), "# Puppet Name: job\nTOKEN=mArker-env\n* * * * * /bin/echo mArker-cron\n");
    let secrets = [hash, "mArker-comment", "mArker-host", "mArker-mount", "mArker-cron", "mArker-env", current, DESIRED];
    let said: Vec<String> = secrets.into_iter().flat_map(forms).collect();
    write(&at("forms"), &said.join("\n---\n"));
    for program in ["usermod", "chpasswd", "chage", "groupmod", "useradd", "crontab"] {
        let path = at("usr/bin").join(program);
        write_program(&path, &format!("#!/bin/sh\n/bin/cat {} >&2\nexit 3\n", at("forms").display()));
    }
    root
}

#[test]
fn current_secrets_of_accounts_and_tables_appear_in_no_run() {
    let (desired, password) = (quoted(DESIRED), quoted("$6$mArkernew$mArkernewhash"));
    let manifest = format!(
        "user {{ 'me': password => {password}, comment => Sensitive({desired}) }}\n\
         host {{ 'mArker-host': ip => Sensitive('10.0.0.2'), host_aliases => Sensitive(['mArker-other']) }}\n\
         mount {{ '/srv': device => '/dev/sda1', fstype => 'cifs', ensure => present, options => Sensitive('password=mArker-new') }}\n\
         mailalias {{ 'me': recipient => Sensitive('mArker-new@example.org') }}\n\
         sshkey {{ 'me': type => 'ssh-rsa', key => Sensitive('AAAAmArkernewkey') }}\n\
         cron {{ 'job': user => 'me', command => Sensitive('/bin/echo mArker-new'), environment => Sensitive(['TOKEN=mArker-new']) }}\n"
    )
    // Titles are never secrets.
    .replace("host { 'mArker-host'", "host { 'db'");
    for noop in [true, false] {
        let root = machine("mArker-alias");
        let hosts = std::fs::read_to_string(root.path().join("etc/hosts")).unwrap().replace("mArker-host", "db");
        write(&root.path().join("etc/hosts"), &hosts);
        let run = outputs(root.path(), &TypeSet::default(), &manifest, noop);
        assert!(run.errors.is_empty(), "{:?}", run.errors);
        for (what, text) in run.texts {
            assert!(what == "the state" || text.contains("[redacted]"), "{what}: {text}");
            assert_hidden(&format!("{what}, noop: {noop}"), &text);
        }
    }
}
