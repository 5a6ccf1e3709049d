//! `rtype new` at a terminal. The command prompts for missing names.

use nix::pty::{Winsize, openpty};
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// Keys that the terminal itself interprets.
const CTRL_C: &str = "\x03";
const CTRL_D: &str = "\x04";

/// A program at a separate terminal.
struct Session {
    child: Child,
    keyboard: File,
    screen: Receiver<String>,
    shown: String,
}

impl Session {
    fn new(directory: &Path, arguments: &[&str]) -> Session {
        Session::start(directory, &[("NO_COLOR", "1")], &[&["new"], arguments].concat())
    }

    /// Runs rtype at a terminal with these environment variables.
    fn start(directory: &Path, environment: &[(&str, &str)], arguments: &[&str]) -> Session {
        let size = Winsize { ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0 };
        let terminal = openpty(Some(&size), None).unwrap();
        let slave = || Stdio::from(terminal.slave.try_clone().unwrap());
        // The terminal must be the controlling terminal, or Ctrl-C sends no signal.
        let child = Command::new("env")
            // The parent of the tests may ignore the signal, and programs inherit ignored signals.
            .args(["--default-signal=INT", "setsid", "--ctty", "--wait", env!("CARGO_BIN_EXE_rtype")])
            .args(arguments)
            .current_dir(directory)
            .envs(environment.iter().copied())
            .env_remove("GITHUB_ACTIONS")
            .stdin(slave())
            .stdout(slave())
            .stderr(slave())
            .spawn()
            .unwrap();
        let keyboard = File::from(terminal.master.try_clone().unwrap());
        Session { child, keyboard, screen: reader(terminal.master), shown: String::new() }
    }

    /// Waits until the terminal shows a string after the previously awaited string.
    #[track_caller]
    fn shows(&mut self, text: &str) -> &mut Self {
        let begun = Instant::now();
        while !self.shown.contains(text) {
            assert!(begun.elapsed() < Duration::from_secs(30), "`{text}` is not shown, but:\n{}", self.shown);
            if let Ok(more) = self.screen.recv_timeout(Duration::from_millis(100)) {
                self.shown += &more;
            }
        }
        self.shown = self.shown.split_once(text).unwrap().1.to_owned();
        self
    }

    fn types(&mut self, keys: &str) -> &mut Self {
        self.keyboard.write_all(keys.as_bytes()).unwrap();
        self
    }

    /// Waits for the end, and returns the exit status and the rest of the output. The status for a signal is 128 plus the signal's number.
    fn ends(&mut self) -> (i32, String) {
        let status = self.child.wait().unwrap();
        while let Ok(more) = self.screen.recv_timeout(Duration::from_secs(5)) {
            self.shown += &more;
        }
        (status.code().unwrap_or_else(|| 128 + status.signal().unwrap()), std::mem::take(&mut self.shown))
    }
}

/// Reads a terminal until all programs have closed the terminal.
fn reader(terminal: OwnedFd) -> Receiver<String> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let (mut terminal, mut buffer) = (File::from(terminal), [0; 4096]);
        while let Ok(length @ 1..) = terminal.read(&mut buffer) {
            let text = String::from_utf8_lossy(&buffer[..length]).into_owned();
            if sender.send(text).is_err() {
                break;
            }
        }
    });
    receiver
}

fn is_empty(directory: &Path) -> bool {
    std::fs::read_dir(directory).unwrap().next().is_none()
}

#[test]
fn missing_names_are_asked_for() {
    let directory = tempfile::tempdir().unwrap();
    let ended = Session::new(directory.path(), &["type"]).shows("Name of the type: ").types("door\n").ends();
    assert!(ended.0 == 0 && ended.1.contains("created door.rtype"), "{ended:?}");
    // All other arguments have defaults: a text property, and a provider for a file of records.
    let text = std::fs::read_to_string(directory.path().join("door.rtype")).unwrap();
    let same = tempfile::tempdir().unwrap();
    let given = Command::new(env!("CARGO_BIN_EXE_rtype")).current_dir(&same).args(["new", "type", "door"]).output().unwrap();
    assert!(given.status.success());
    assert_eq!(text, std::fs::read_to_string(same.path().join("door.rtype")).unwrap());

    let mut session = Session::new(directory.path(), &["provider", "-i", "commands"]);
    let ended = session.shows("Name of the provider: ").types("other\n").shows("Type that it provides: ").types("door\n").ends();
    assert_eq!(ended.0, 0, "{ended:?}");
    assert!(directory.path().join("providers/door/other.rtype").exists());

    let ended = Session::new(directory.path(), &["module"]).shows("Name of the module: ").types("hinges\n").ends();
    assert_eq!(ended.0, 0, "{ended:?}");
    assert!(directory.path().join("hinges/types/hinges.rtype").exists());
}

#[test]
fn given_names_are_not_asked_for() {
    let directory = tempfile::tempdir().unwrap();
    let ended = Session::new(directory.path(), &["type", "door"]).ends();
    assert!(ended.0 == 0 && !ended.1.contains("Name of"), "{ended:?}");
    let ended =
        Session::new(directory.path(), &["provider", "other", "-i", "commands"]).shows("Type that it provides: ").types("door\n").ends();
    assert!(ended.0 == 0 && !ended.1.contains("Name of"), "{ended:?}");
}

#[test]
fn invalid_names_are_asked_for_again() {
    let directory = tempfile::tempdir().unwrap();
    let mut session = Session::new(directory.path(), &["type"]);
    for wrong in ["Door\n", "\n", "../door\n", "1door\n", "my door\n"] {
        session.shows("Name of the type: ").types(wrong).shows("use lower-case letters, digits and `_`, beginning with a letter");
    }
    // Spaces around a name are ignored.
    let ended = session.shows("Name of the type: ").types("  door \n").ends();
    assert!(ended.0 == 0 && directory.path().join("door.rtype").exists(), "{ended:?}");
}

#[test]
fn interrupted_questions_create_no_file() {
    let directory = tempfile::tempdir().unwrap();
    for (arguments, question, argument) in [
        (&["type"][..], "Name of the type: ", "NAME"),
        (&["module"], "Name of the module: ", "NAME"),
        (&["provider"], "Name of the provider: ", "NAME"),
        (&["provider", "x"], "Type that it provides: ", "--for TYPE"),
    ] {
        let ended = Session::new(directory.path(), arguments).shows(question).types(CTRL_D).ends();
        // The message begins on a new line.
        assert!(ended.0 == 2 && ended.1.ends_with(&format!("\r\nrtype: missing {argument}\r\n")), "{ended:?}");
        let ended = Session::new(directory.path(), arguments).shows(question).types("half").types(CTRL_C).ends();
        assert!(ended.0 == 130 && !ended.1.contains("created"), "{ended:?}");
        assert!(is_empty(directory.path()), "{arguments:?}");
    }
}

/// A dumb terminal prints escape sequences instead of interpreting them, and keys do not move in the line.
#[test]
fn nothing_controls_a_dumb_terminal() {
    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str| directory.path().join(name);
    std::fs::write(at("door.rtype"), "type door {\n  newparam name\n  nosuch 3\n}\n").unwrap();
    std::fs::write(at("site.pp"), format!("file {{ '{}': ensure => file, content => 'x' }}\n", at("new").display())).unwrap();
    let home = directory.path().to_str().unwrap();
    let dumb = [("TERM", "dumb"), ("NO_COLOR", ""), ("HOME", home), ("XDG_STATE_HOME", home)];
    let runs: &[&[&str]] = &[
        &["check", "door.rtype"],
        &["inspect", "site.pp"],
        &["apply", "--noop", "--state-dir", "state", "site.pp"],
        &["apply", "--state-dir", "state", "site.pp"],
        &["describe", "file"],
        &["diff", "door.rtype", "door.rtype"],
    ];
    for arguments in runs {
        let (_, shown) = Session::start(directory.path(), &dumb, arguments).ends();
        assert!(!shown.contains('\x1b'), "{arguments:?}: {shown:?}");
    }
    // Long output is not shown in a pager either.
    let mut session = Session::start(directory.path(), &dumb, &["repl"]);
    session.types("1 + 1\n:describe file\nnotify { 'a':\n}\nnonsense(\n)\n:quit\n");
    let (status, shown) = session.ends();
    assert!(!shown.contains('\x1b') && shown.contains("2\r\n") && shown.contains("Notify[a]"), "{status}: {shown:?}");
}
