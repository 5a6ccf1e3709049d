//! The targets of options that write: never outside the repository, and never special files.
//!
//! The test reads the options from the command line definition. A new option with a path needs a row here.

use std::collections::BTreeSet;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tempfile::TempDir;

/// Options for input files, each with a command. `@` is the directory of the file.
const READ: &[(&str, &str)] = &[
    ("rtype --types", "--types @types describe lamp"),
    ("rtype --modulepath", "--modulepath @modules describe lantern"),
    ("rtype --config", "--config @read.toml check t.rtype"),
    ("rtype fmt --stdin-filename", "fmt --stdin-filename @t.rtype"),
    ("rtype compile --facts", "compile -e notice(1) --facts @facts.json"),
    ("rtype compile --all-nodes", "compile -e notice(1) --all-nodes @facts -o catalogs"),
    ("rtype lookup --facts", "lookup a --facts @facts.json"),
    ("rtype inspect --redact", "inspect --redact @secrets.json y.pp"),
    ("rtype apply --redact", "apply --noop --state-dir state --redact @secrets.json y.pp"),
    ("rtype agent --settings", "agent --test --state-dir state --settings @agent.toml"),
    ("rtype provider test --resources", "--types @flags/types provider test @flags/flag.sh --resources @flags/flags.pp"),
    ("rtype provider test --commands", "--types @hatch provider test hatch/commands --commands @hatch/commands --cases 2"),
];

/// Options that the help does not list.
const HIDDEN: &[(&str, &str)] = &[("rtype agent --confdir", "agent --test --state-dir state --confdir @")];

/// Options for directories of runs. Root and the caller control these directories; `trust`, `state` and `apply` test these options.
const OF_RUNS: &[&str] = &["rtype apply --state-dir", "rtype agent --state-dir", "rtype agent --report", "rtype repl --history-file"];

/// Options that write a file or a directory, each with a command. `@` is the path.
const WRITTEN: &[(&str, &str)] = &[
    ("rtype check --baseline", "check --update-baseline --baseline @ x.pp"),
    ("rtype check --report", "check --exit-zero --report sarif=@ x.pp"),
    ("rtype test --report", "test --report junit=@ t.rtype"),
    ("rtype import --report", "import --report @ t.rb"),
    ("rtype import --output", "import -o @ t.rb"),
    ("rtype compile --output", "compile -e notice(1) -o @"),
    ("rtype lookup --output", "lookup a --default 1 -o @"),
    ("rtype doc --output", "doc -o @ t.rtype"),
    ("rtype schema --output", "schema -o @ t.rtype"),
    ("rtype new type --output", "new type lamp -o @"),
    ("rtype new provider --output", "new provider lamp --for t --types . -o @"),
    ("rtype new module --output", "new module lamp -o @"),
];

/// Like [`WRITTEN`], for commands that no repository controls. Links are followed.
const WRITTEN_BY_RUNS: &[(&str, &str)] = &[("rtype apply --report", "apply --noop --state-dir state --report @ x.pp")];

/// Returns the options with a path as their value, as `rtype COMMAND --OPTION`.
fn options_with_paths() -> BTreeSet<String> {
    let output = Command::new(env!("CARGO_BIN_EXE_rtype")).args(["doc", "--cli"]).output().unwrap();
    let page = String::from_utf8(output.stdout).unwrap();
    let mut command = String::from("rtype");
    let mut found = BTreeSet::new();
    for line in page.lines() {
        if let Some(heading) = line.strip_prefix('#').map(|l| l.trim_start_matches('#').trim()) {
            command = heading.trim_matches('`').to_owned();
            if !command.starts_with("rtype") {
                command = "rtype".to_owned();
            }
        }
        let Some(option) = line.strip_prefix("| `").and_then(|l| l.split_once('`')).map(|(option, _)| option) else { continue };
        let Some((_, long)) = option.split_once("--") else { continue };
        if let Some((name, value)) = long.split_once(' ')
            && value.split(|c: char| !c.is_ascii_uppercase()).any(|word| ["FILE", "DIR", "PATH"].contains(&word))
        {
            found.insert(format!("{command} --{name}"));
        }
    }
    found
}

#[test]
fn every_option_with_a_path_is_known() {
    let rows = READ.iter().chain(WRITTEN).chain(WRITTEN_BY_RUNS);
    let listed = rows.map(|(option, _)| *option).chain(OF_RUNS.iter().copied());
    let listed: BTreeSet<String> = listed.map(str::to_owned).collect();
    let found = options_with_paths();
    let missing: Vec<_> = found.difference(&listed).collect();
    let gone: Vec<_> = listed.difference(&found).collect();
    assert!(missing.is_empty() && gone.is_empty(), "without a row: {missing:?}; without an option: {gone:?}");
}

/// A repository, and an outside directory with a file that must not change.
struct Site(TempDir);

impl Site {
    fn new() -> Site {
        let site = Site(tempfile::tempdir().unwrap());
        for directory in ["repository/.git", "outside/directory"] {
            std::fs::create_dir_all(site.path(directory)).unwrap();
        }
        std::fs::write(site.path("outside/victim"), "victim").unwrap();
        std::fs::write(site.path("repository/x.pp"), "file { '/x': moode => '1' }\n").unwrap();
        std::fs::write(site.path("repository/t.rtype"), "type t {\n  newparam name\n  newproperty p\n}\n").unwrap();
        std::fs::write(site.path("repository/t.rb"), "Puppet::Type.newtype(:u) do\n  newparam(:name, namevar: true)\nend\n").unwrap();
        site
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Returns the files outside the repository, with their contents.
    fn outside(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let mut found = Vec::new();
        let mut directories = vec![self.path("outside")];
        while let Some(directory) = directories.pop() {
            for entry in std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()) {
                if entry.is_dir() {
                    directories.push(entry);
                } else {
                    found.push((entry.clone(), std::fs::read(&entry).unwrap()));
                }
            }
        }
        found.sort();
        found
    }

    fn run(&self, arguments: &str, path: &str) -> (String, i32) {
        let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_rtype"));
        command.args(arguments.split(' ').map(|word| word.replace('@', path))).current_dir(self.path("repository"));
        let output =
            command.env_remove("GITHUB_ACTIONS").env("HOME", self.path("home")).timeout(Duration::from_secs(100)).output().unwrap();
        let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        (text, output.status.code().unwrap_or(-1))
    }
}

/// Prepares a path in the repository and returns its name.
type Plant = fn(&Site) -> &'static str;

const LINKS: &[(&str, Plant)] = &[
    ("a link to a file", |site| {
        symlink("../outside/victim", site.path("repository/planted")).unwrap();
        "planted"
    }),
    ("a link to a directory", |site| {
        symlink("../outside/directory", site.path("repository/planted")).unwrap();
        "planted"
    }),
    ("a link to nothing", |site| {
        symlink("../outside/new", site.path("repository/planted")).unwrap();
        "planted"
    }),
    ("a directory that is a link", |site| {
        symlink("../outside/directory", site.path("repository/planted")).unwrap();
        "planted/new"
    }),
];

const SPECIAL: &[(&str, Plant)] = &[
    ("a FIFO", |site| {
        nix::unistd::mkfifo(&site.path("repository/planted"), nix::sys::stat::Mode::S_IRWXU).unwrap();
        "planted"
    }),
    ("a full device", |_| "/dev/full"),
];

fn refused(cases: &[(&str, &str)], plants: &[(&str, Plant)]) {
    let mut wrong = Vec::new();
    for (option, arguments) in cases {
        for (what, plant) in plants {
            let site = Site::new();
            let path = plant(&site);
            let before = site.outside();
            let (text, status) = site.run(arguments, path);
            if before != site.outside() {
                wrong.push(format!("{option}: {what}: a file outside is changed"));
            }
            if !matches!(status, 1..=4) || text.contains("panicked") {
                wrong.push(format!("{option}: {what}: status {status}: {text}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn links_of_a_repository_lead_no_output_out_of_it() {
    refused(WRITTEN, LINKS);
}

#[test]
fn special_files_are_errors() {
    refused(WRITTEN, SPECIAL);
    refused(WRITTEN_BY_RUNS, SPECIAL);
}

#[test]
fn files_that_are_directories_are_errors() {
    let files: Vec<_> = WRITTEN.iter().chain(WRITTEN_BY_RUNS).filter(|(option, _)| !option.ends_with("--output")).copied().collect();
    refused(
        &files,
        &[("a directory", |site| {
            std::fs::create_dir(site.path("repository/planted")).unwrap();
            "planted"
        })],
    );
}

#[test]
fn relative_paths_are_below_the_working_directory() {
    let mut wrong = Vec::new();
    // The seconds that a run takes.
    let seconds = regex::Regex::new(r"\(\d+\.\d s\)").unwrap();
    for (option, arguments) in READ.iter().chain(HIDDEN) {
        let site = Site::new();
        let directory = site.path("repository");
        for made in ["types", "modules/m/lib/puppet/type"] {
            std::fs::create_dir_all(directory.join(made)).unwrap();
        }
        let write = |name: &str, text: &str| std::fs::write(directory.join(name), text).unwrap();
        write("types/lamp.rtype", "type lamp {\n  newparam name\n}\n");
        write("modules/m/lib/puppet/type/lantern.rb", "Puppet::Type.newtype(:lantern) do\n  newparam(:name, namevar: true)\nend\n");
        write("read.toml", "[check]\nselect = [\"RT001\"]\n");
        write("facts.json", "{\"kernel\": \"Linux\"}");
        std::fs::create_dir_all(directory.join("facts")).unwrap();
        write("facts/web1.json", "{\"kernel\": \"Linux\"}");
        write("secrets.json", "[\"some secret\"]");
        write("y.pp", "notify { 'y': }\n");
        copy_all("examples/providers", &directory.join("flags"));
        copy_all("examples/providers/types", &directory.join("flags/types"));
        copy_all("tests/fixtures/lifecycle", &directory.join("hatch"));
        copy_all("tests/fixtures/lifecycle/commands", &directory.join("hatch/commands"));
        let ssl = site.path("ssl");
        write("agent.toml", &format!("server = \"127.0.0.1\"\nserverport = 9\nssldir = \"{}\"\n", ssl.display()));
        write("puppet.conf", &format!("[main]\nserver = 127.0.0.1\nserverport = 9\nssldir = {}\n", ssl.display()));
        let absolute = format!("{}/", directory.display());
        if option.contains(" fmt ") {
            // The first run formats all files.
            site.run(arguments, &absolute);
        }
        let (expected, code) = site.run(arguments, &absolute);
        let expected = (seconds.replace_all(&expected, "(1 s)").into_owned(), code);
        for relative in ["", "./", "../repository/"] {
            // `--confdir` refers to the directory itself.
            let relative = if arguments.ends_with('@') && relative.is_empty() { "." } else { relative };
            let (text, status) = site.run(arguments, relative);
            let text = seconds.replace_all(&text, "(1 s)").into_owned();
            let plain = |text: &str| text.replace(&absolute, "").replace("../repository/", "").replace("./", "");
            let is_tested = !option.starts_with("rtype provider test") || status == 0;
            let is_same = (plain(&text), status) == (plain(&expected.0), expected.1);
            if !is_tested || !is_same || text.contains("does not exist") || text.contains("unexpected argument") {
                wrong.push(format!("{option} {relative}: {status} {text}\nexpected: {} {}", expected.1, expected.0));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Copies the files in a directory, without subdirectories.
fn copy_all(from: &str, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap).filter(|entry| entry.file_type().unwrap().is_file()) {
        std::fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
}

#[test]
fn paths_in_the_repository_are_written() {
    for (option, arguments) in WRITTEN {
        let site = Site::new();
        let (text, _) = site.run(arguments, "planted");
        assert!(Path::new(&site.path("repository/planted")).exists(), "{option}: {text}");
    }
}
