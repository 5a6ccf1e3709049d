//! Each attribute of each standard type is declared `Sensitive` in a throw-away directory. No output, file, program argument or environment
//! contains the value, a part of the value, or the result of a simple function of the value.

use crate::common::machine::{Outputs, outputs, write, write_program};
use crate::common::secrets::{Leaks, NUMBER, PROBE};
use rtype_lang::library::TypeSet;
use rtype_lang::types::{Role, TypeDef};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use tempfile::TempDir;

/// The type, the title and the attributes of a resource.
type Declared = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

/// A resource of each type with valid values; `#` is a number. The tests replace one attribute at a time with a secret.
const RESOURCES: &[Declared] = &[
    ("alternative_entry", "/usr/bin/e#", &[("altlink", "'/usr/bin/editor#'"), ("altname", "'editor#'"), ("priority", "10")]),
    ("alternatives", "editor#", &[("path", "'/usr/bin/e#'")]),
    ("anchor", "a#", &[]),
    ("archive", "/srv/a#.tar", &[("source", "'/srv/from.tar'"), ("extract", "true"), ("extract_path", "'/srv'"), ("creates", "'/srv/x#'")]),
    ("augeas", "a#", &[("context", "'/files/etc/hosts'"), ("changes", "'set 1/ipaddr 10.0.0.#'")]),
    ("concat_file", "/srv/c#", &[("tag", "'t#'")]),
    ("concat_fragment", "f#", &[("target", "'/srv/c'"), ("content", "'c#'"), ("order", "'#'")]),
    ("cron", "j#", &[("command", "'/usr/bin/probe #'"), ("user", "'me'"), ("hour", "'3'"), ("environment", "['A=#']")]),
    ("exec", "e#", &[("command", "'/usr/bin/probe #'"), ("path", "'/usr/bin'"), ("onlyif", "'/usr/bin/probe'"), ("logoutput", "true")]),
    ("file", "/srv/f#", &[("content", "'new'"), ("mode", "'0644'"), ("validate_cmd", "'/usr/bin/probe %'"), ("show_diff", "true")]),
    ("file_line", "l#", &[("path", "'/srv/lines'"), ("line", "'a=#'"), ("match", "'^a=#$'"), ("after", "'^one'")]),
    ("filebucket", "b#", &[("path", "'/srv/bucket'")]),
    ("group", "g#", &[("gid", "20#"), ("allowdupe", "true")]),
    ("host", "h#", &[("ip", "'10.0.0.1'"), ("host_aliases", "['x#']"), ("comment", "'c#'")]),
    ("ini_setting", "i#", &[("path", "'/srv/settings.ini'"), ("section", "'a'"), ("setting", "'key#'"), ("value", "'v#'")]),
    (
        "ini_subsetting",
        "s#",
        &[("path", "'/srv/settings.ini'"), ("section", "'a'"), ("setting", "'sub'"), ("subsetting", "'-x#'"), ("value", "'v#'")],
    ),
    ("kmod", "m#", &[("options", "{'a' => 'b'}"), ("aliases", "['x#']"), ("target", "'/etc/modprobe.d/m#.conf'")]),
    ("mailalias", "m#", &[("recipient", "'me'")]),
    ("mount", "/mnt/m#", &[("device", "'/dev/sd#'"), ("fstype", "'cifs'"), ("options", "'ro'"), ("pass", "0"), ("dump", "0")]),
    ("notify", "n#", &[("message", "'m#'"), ("withpath", "true")]),
    ("package", "p#", &[("configfiles", "keep"), ("install_options", "['-o']"), ("responsefile", "'/srv/answers'")]),
    ("posix_acl", "/srv/acl#", &[("permission", "['user:me:rwx']"), ("action", "set")]),
    ("resources", "host", &[("purge", "true")]),
    ("schedule", "s#", &[("range", "'2 - 4'"), ("period", "daily")]),
    (
        "service",
        "s#",
        &[("enable", "true"), ("start", "'/usr/bin/probe start'"), ("status", "'/usr/bin/probe status'"), ("hasstatus", "true")],
    ),
    (
        "ssh_authorized_key",
        "k#",
        &[("user", "'me'"), ("type", "'ssh-rsa'"), ("key", "'AAAA#'"), ("target", "'/home/me/.ssh/authorized_keys'")],
    ),
    ("sshkey", "k#", &[("type", "'ssh-rsa'"), ("key", "'AAAA#'"), ("host_aliases", "['x#']")]),
    ("stage", "s#", &[]),
    ("sysctl", "kernel.k#", &[("val", "'#'"), ("target", "'/etc/sysctl.d/k.conf'")]),
    ("sysctl_runtime", "kernel.k#", &[("val", "'#'")]),
    ("tidy", "/srv/tidy#", &[("age", "'1d'"), ("recurse", "true"), ("matches", "['*.log']")]),
    (
        "user",
        "u#",
        &[
            ("uid", "30#"),
            ("comment", "'c#'"),
            ("home", "'/home/u#'"),
            ("shell", "'/bin/sh'"),
            ("password", "'*'"),
            ("groups", "['wheel']"),
        ],
    ),
    ("vcsrepo", "/srv/repo#", &[("provider", "git"), ("source", "'/srv/origin'"), ("revision", "'main'")]),
];

/// Forms of the value. `S` is the secret, `N` is a secret number, `V` is the valid value in [`RESOURCES`].
const SHAPES: &[&str] = &[
    "Sensitive('S')",
    "Sensitive('/srv/S')",
    "Sensitive('a=S b/c%\"é')",
    "Sensitive(['S', 'b'])",
    "Sensitive('V S')",
    "Sensitive('VS')",
    "Sensitive(['V S'])",
    "Sensitive(N)",
    "Sensitive('VN')",
    "Sensitive({'k' => 'S'})",
    "['a', Sensitive('S')]",
    "{'k' => Sensitive('S')}",
    "Sensitive(\"S\\nS\")",
    "[[Sensitive('xS')], {'k' => {Sensitive('S') => 1}}]",
];

/// Returns a program of the simulated machine. The script writes its arguments and its environment to files, and exits with this status.
fn program(status: u8) -> String {
    format!(
        "#!/bin/sh\n{{ /usr/bin/printf '%s\\n' \"$0\" \"$@\"; }} >> \"${{0%/*}}/../../started\"; /usr/bin/env >> \"${{0%/*}}/../../environment\"\n/bin/cat > /dev/null\nexit {status}\n"
    )
}

const PROGRAMS: &[&str] = &[
    "apt-cache",
    "apt-get",
    "apt-mark",
    "aws",
    "chage",
    "chpasswd",
    "cp",
    "crontab",
    "curl",
    "debconf-set-selections",
    "dpkg",
    "dpkg-query",
    "env",
    "getent",
    "getfacl",
    "git",
    "gpasswd",
    "groupadd",
    "groupdel",
    "groupmod",
    "journalctl",
    "lsmod",
    "modprobe",
    "mount",
    "postalias",
    "probe",
    "setfacl",
    "setpriv",
    "sh",
    "systemctl",
    "sysctl",
    "tar",
    "umount",
    "unzip",
    "update-alternatives",
    "update-rc.d",
    "useradd",
    "userdel",
    "usermod",
    "wget",
];

fn machine(status: u8) -> TempDir {
    let root = TempDir::new().unwrap();
    let at = |name: &str| root.path().join(name);
    write(&at("etc/passwd"), "root:x:0:0:root:/root:/bin/sh\nme:x:1000:1000::/home/me:/bin/sh\n");
    write(&at("etc/group"), "root:x:0:\nwheel:x:10:\nme:x:1000:\n");
    write(&at("etc/shadow"), "root:*:19000:0:99999:7:::\nme:*:19000:0:99999:7:::\n");
    write(&at("etc/hosts"), "127.0.0.1 localhost\n");
    write(&at("etc/os-release"), "ID=debian\nVERSION_ID=12\n");
    write(&at("etc/debian_version"), "12.0\n");
    write(&at("run/systemd/system/x"), "");
    write(&at("var/lib/dpkg/status"), "");
    write(&at("etc/fstab"), "");
    write(&at("srv/lines"), "one\na=1\n");
    write(&at("srv/settings.ini"), "[a]\nkey=1\nsub=-x1 -y\n");
    write(&at("srv/from.tar"), "");
    write(&at("srv/tidy/x.log"), "");
    PROGRAMS.iter().for_each(|name| write_program(&at("usr/bin").join(name), &program(status)));
    root
}

/// Returns a declaration for each of the type's own attributes that a user can set. The attribute contains the secret.
fn declarations(type_def: &TypeDef, shape: &str, secrets: &mut Vec<String>) -> String {
    let (_, title, given) = RESOURCES.iter().find(|(name, ..)| *name == type_def.name.as_str()).unwrap();
    let mut text = String::new();
    let settable = type_def.attributes.iter().filter(|attribute| attribute.readonly.is_none() && attribute.role != Role::Metaparam);
    for (number, attribute) in settable.enumerate() {
        let secret = format!("{PROBE}{}{number}", type_def.name);
        let number = (number + 10).to_string();
        text += &format!("{} {{ '{}':\n", type_def.name, title.replace('#', &number));
        let others = given.iter().filter(|(name, _)| *name != attribute.name.as_str());
        others.for_each(|(name, value)| text += &format!("  {name} => {},\n", value.replace('#', &number)));
        let valid = given.iter().find(|(name, _)| *name == attribute.name.as_str()).map_or("", |(_, value)| value);
        let valid = valid.replace(['\'', '[', ']', '{', '}'], "").replace('#', &number);
        let value = shape.replace("Sensitive", "\u{0}").replace('V', &valid).replace('N', NUMBER).replace('S', &secret);
        text += &format!("  {} => {},\n}}\n", attribute.name, value.replace('\u{0}', "Sensitive"));
        secrets.push(secret);
    }
    text
}

fn types() -> Vec<Arc<TypeDef>> {
    let library = TypeSet::default();
    library.names().iter().filter_map(|name| library.load(name)).collect()
}

/// Collects all files below a directory, with their contents and names.
fn files(directory: &Path, kept: &mut Vec<(String, String)>) {
    for entry in directory.read_dir().into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.is_symlink() {
            files(&path, kept);
        } else if path.is_file() {
            kept.push((path.display().to_string(), String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned()));
        }
    }
}

#[test]
fn each_type_has_a_resource() {
    let known: BTreeSet<String> = types().iter().map(|type_def| type_def.name.to_string()).collect();
    assert_eq!(known, RESOURCES.iter().map(|(name, ..)| (*name).to_owned()).collect());
}

#[test]
fn sensitive_attributes_appear_in_no_run() {
    let library = TypeSet::default();
    let mut leaks = Leaks::default();
    let mut applied = 0;
    for type_def in types() {
        for (number, shape) in SHAPES.iter().enumerate() {
            for noop in [true, false].into_iter().filter(|noop| !noop || number < 3) {
                // rtype repeats a failing command as often as a numeric attribute requests.
                let root = machine(u8::from(number % 2 == 0 && !shape.contains('N')));
                let mut secrets = Vec::new();
                let text = declarations(&type_def, shape, &mut secrets);
                let Outputs { texts, counts, .. } = outputs(root.path(), &library, &text, noop);
                applied += counts.total;
                let what = |name: &str| format!("{} with {shape}, noop: {noop}, {name}", type_def.name);
                texts.iter().for_each(|(name, text)| leaks.search(&what(name), text, &secrets));
                let mut kept = Vec::new();
                files(&root.path().join("var/lib/rtype"), &mut kept);
                // `exec` starts the declared command with the declared environment.
                let started = ["started", "environment"].into_iter().filter(|_| type_def.name != "exec");
                let started = started.map(|name| (name.to_owned(), std::fs::read_to_string(root.path().join(name)).unwrap_or_default()));
                kept.extend(started);
                kept.iter().for_each(|(name, text)| leaks.search(&what(name), text, &secrets));
            }
        }
    }
    assert!(applied > 3000, "{applied} resources");
    leaks.assert_none();
}

/// The arguments for reading `site.pp`, or files with the same secrets, by command. Commands with an empty list read no resources.
const COMMANDS: &[(&str, &[&str])] = &[
    ("agent", &[]),
    (
        "apply",
        &[
            "--simulate -v --report kept/run.jsonl --state-dir kept site.pp",
            "--simulate --format json --state-dir kept site.pp",
            "--simulate --noop --state-dir kept valid.pp",
            "--simulate -v --report kept/valid.jsonl --state-dir kept valid.pp",
            "--simulate --format json --state-dir kept valid.pp",
        ],
    ),
    (
        "check",
        &[
            "-v site.pp",
            "--statistics site.pp",
            "--format concise site.pp",
            "--format json site.pp",
            "--format jsonl site.pp",
            "--format github site.pp",
            "--format gitlab site.pp",
            "--format sarif site.pp",
            "--format junit site.pp",
            "--format checkstyle site.pp",
            "--format rdjson site.pp",
            "--unsafe-fixes --diff site.pp",
            "--fix-suppress --diff site.pp",
            "--update-baseline --baseline kept/baseline.json site.pp",
            "--report sarif=kept/out.sarif site.pp",
            "titles.pp",
            "broken.pp",
        ],
    ),
    ("compile", &["site.pp", "valid.pp", "titles.pp", "broken.pp"]),
    ("completions", &[]),
    ("describe", &[]),
    ("diff", &["old.json new.json", "--format json old.json new.json", "--format markdown old.json new.json"]),
    ("doc", &[]),
    ("explain", &[]),
    ("facts", &[]),
    ("fmt", &["--check site.pp", "--diff site.pp"]),
    ("import", &[]),
    ("inspect", &["-v broken.pp", "titles.pp"]),
    ("lsp", &[]),
    ("lookup", &[]),
    ("new", &[]),
    ("provider", &["test ./shop.py --types . --resources hinge.pp"]),
    ("repl", &["site.pp"]),
    ("resource", &["--noop archive /nonexistent/a password=QzxWvkJyqGbp"]),
    ("schema", &[]),
    ("test", &["shade.rtype", "shade.rtype -v", "shade.rtype --format json"]),
];

/// A type with failing tests. The failure messages contain secrets.
const SHADE: &str = "type shade {
  newparam name { isnamevar }
  newproperty tint {
    sensitive
    validate { |v| fail \"`#{v}` is not a tint\" if v == \"SECRETx\" }
    munge { |v| v.strip }
  }
  newproperty layers, array_matching: all
}

test \"a value that is compared\" {
  shade { 'a': tint => ' SECRET ' }
  is { tint: \"SECRET2\" }
  expect self.tint == \"other\"
  expect insync(:tint)
}

test \"a value that is refused\" {
  shade { 'a': tint => 'SECRETx' }
  expect true
}

test \"a value that is wrapped\" {
  shade { 'a': layers => ['a', Sensitive('SECRET')] }
  expect self.layers == []
}
";

#[test]
fn sensitive_attributes_appear_in_no_output_of_any_command() {
    let listed: BTreeSet<String> = COMMANDS.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(crate::common::commands(), listed, "each command has its arguments here");
    let directory = TempDir::new().unwrap();
    let at = |name: &str| directory.path().join(name);
    let mut secrets = Vec::new();
    let site: String = types().iter().map(|type_def| declarations(type_def, "Sensitive('S')", &mut secrets)).collect();
    write(&at("broken.pp"), &site.replacen("=>", "=", 1).replacen(",\n}", ",\n  1", 1));
    write(&at("titles.pp"), &format!("user {{ Sensitive('{PROBE}'): shell => '/bin/sh', homedir => '/' }}\n"));
    write(
        &at("valid.pp"),
        &format!("notify {{ 'n': message => Sensitive('{PROBE}') }}\nfile {{ '/x': content => Sensitive('{PROBE}f') }}\n"),
    );
    write(&at("site.pp"), &site);
    write(&at("shade.rtype"), &SHADE.replace("SECRET", PROBE));
    // Without the list of allowed values, the secret reaches the program.
    let values = "    newvalue polished { provider.polish(\"soft\", 2) }\n    newvalue rusty\n";
    write(&at("hinge.rtype"), &include_str!("external/hinge.rtype").replace(values, ""));
    write(&at("hinge.pp"), &format!("hinge {{ 'a': state => Sensitive('{PROBE}'), doors => 3 }}\n"));
    write_program(&at("shop.py"), &include_str!("external/shop.py").replace("VALUE", "say(id=id, value=4)"));
    for (name, value) in [("old.json", PROBE.to_owned()), ("new.json", format!("{PROBE}2"))] {
        let resource = |type_def: &Arc<TypeDef>| {
            let names: Vec<&str> = type_def.attributes.iter().map(|attribute| attribute.name.as_str()).collect();
            let parameters: serde_json::Map<_, _> = names.iter().map(|name| ((*name).to_owned(), value.clone().into())).collect();
            serde_json::json!({"type": type_def.name.as_str(), "title": "t", "parameters": parameters, "sensitive_parameters": names})
        };
        let resources: Vec<serde_json::Value> = types().iter().map(resource).collect();
        write(&at(name), &serde_json::json!({"name": "n", "resources": resources, "edges": []}).to_string());
    }
    let mut leaks = Leaks::default();
    for (command, all) in COMMANDS {
        for arguments in *all {
            std::fs::create_dir_all(at("kept")).unwrap();
            let mut run = assert_cmd::Command::cargo_bin("rtype").unwrap();
            let run = run.arg(command).args(arguments.split(' ')).current_dir(directory.path()).env("HOME", directory.path());
            let output = run.timeout(std::time::Duration::from_secs(120)).output().unwrap();
            // Exit status 2 means wrong usage.
            assert!(output.status.code().is_some_and(|code| code < 2), "{command} {arguments}: {output:?}");
            let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
            assert!(
                !text.contains("[RT404]") && !text.contains("what has errors was not tested"),
                "the file was not read: {command} {arguments}: {text}"
            );
            leaks.search(&format!("{command} {arguments}"), &text, &secrets);
            let mut kept = Vec::new();
            files(&at("kept"), &mut kept);
            kept.iter().for_each(|(name, text)| leaks.search(&format!("{command} {arguments}: {name}"), text, &secrets));
            std::fs::remove_dir_all(at("kept")).unwrap();
        }
    }
    leaks.assert_none();
}
