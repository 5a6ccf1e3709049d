//! A directory in which tests run `rtype apply`.

use serde_json::Value as Json;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// A directory with the state and `site.pp`. `@` in a manifest is replaced by the directory's path.
pub struct Site(TempDir);

impl Site {
    pub fn new(manifest: &str) -> Site {
        let site = Site(tempfile::tempdir().unwrap());
        site.write("site.pp", manifest);
        site
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn write(&self, name: &str, text: &str) {
        std::fs::create_dir_all(self.path().join(name).parent().unwrap()).unwrap();
        std::fs::write(self.path().join(name), text.replace('@', self.path().to_str().unwrap())).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path().join(name)).unwrap()
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rtype"));
        command.current_dir(self.path()).args(["apply", "--state-dir", "state"]).args(arguments);
        command.env_remove("NO_COLOR").stdin(Stdio::null());
        command
    }

    /// Runs `rtype apply`. Returns both outputs, with `@` for the directory and without times, and the exit status.
    pub fn apply(&self, arguments: &[&str]) -> (String, i32) {
        let Output { status, stdout, stderr } = self.command(arguments).output().unwrap();
        let text = String::from_utf8(stdout).unwrap() + &String::from_utf8(stderr).unwrap();
        let text = text.replace(self.path().to_str().unwrap(), "@");
        let text = text.lines().map(|line| line.rsplit_once(" (").filter(|(_, t)| t.ends_with(" s)")).map_or(line, |(l, _)| l));
        (text.collect::<Vec<_>>().join("\n"), status.code().unwrap())
    }

    /// Returns the lines of a report.
    pub fn report(&self, name: &str) -> Vec<Json> {
        self.read(name).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}
