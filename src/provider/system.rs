//! The machine as providers touch it: files below a root, programs on a path.

use super::ReadError;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How long a program may take before it is ended.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// Where a provider reads. Tests give a folder of fixtures as root.
#[derive(Clone, Debug)]
pub struct System {
    root: PathBuf,
    path: Vec<PathBuf>,
}

/// What a program said.
#[derive(Clone, Debug)]
pub struct Output {
    /// Its exit status; `None` when a signal ended it.
    pub status: Option<i32>,
    /// Standard output; bytes that are no UTF-8 are replaced.
    pub stdout: String,
    /// Standard error, likewise.
    pub stderr: String,
}

impl System {
    /// This machine, with the usual places for programs.
    pub fn host() -> System {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let mut path: Vec<PathBuf> = std::env::split_paths(&path)
            .filter(|p| p.is_absolute())
            .collect();
        for usual in [
            "/usr/local/sbin",
            "/usr/local/bin",
            "/usr/sbin",
            "/usr/bin",
            "/sbin",
            "/bin",
        ] {
            if !path.iter().any(|p| p == Path::new(usual)) {
                path.push(usual.into());
            }
        }
        System {
            root: "/".into(),
            path,
        }
    }

    /// A folder that stands for a machine; programs are looked for in its `usr/bin` only.
    pub fn at(root: impl Into<PathBuf>) -> System {
        let root = root.into();
        System {
            path: vec![root.join("usr/bin")],
            root,
        }
    }

    /// Whether this is a folder of fixtures rather than the machine itself.
    pub fn is_fixture(&self) -> bool {
        self.root != Path::new("/")
    }

    /// Where the absolute path lies below the root.
    pub fn path(&self, absolute: &str) -> PathBuf {
        self.root.join(absolute.trim_start_matches('/'))
    }

    /// The bytes of a file; `None` when there is none.
    ///
    /// # Errors
    /// When it exists and cannot be read.
    pub fn read_bytes(&self, absolute: &str) -> Result<Option<Vec<u8>>, ReadError> {
        match std::fs::read(self.path(absolute)) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(e) => Err(Self::cannot_read(absolute, &e)),
        }
    }

    /// The text of a file, bytes that are no UTF-8 replaced; `None` when there is none.
    ///
    /// # Errors
    /// When it exists and cannot be read.
    pub fn read(&self, absolute: &str) -> Result<Option<String>, ReadError> {
        Ok(self
            .read_bytes(absolute)?
            .map(|bytes| match String::from_utf8(bytes) {
                Ok(text) => text,
                Err(e) => String::from_utf8_lossy(e.as_bytes()).into_owned(),
            }))
    }

    /// The error of a file that exists but cannot be read, with the way out where there is one.
    pub fn cannot_read(absolute: &str, error: &std::io::Error) -> ReadError {
        let denied = error.kind() == std::io::ErrorKind::PermissionDenied;
        let reason = if denied {
            "permission denied".to_owned()
        } else {
            error.to_string()
        };
        let read = ReadError::new(format!("cannot read {absolute}: {reason}"));
        if denied {
            read.help("run as root")
        } else {
            read
        }
    }

    /// Whether something is at the path.
    pub fn exists(&self, absolute: &str) -> bool {
        self.path(absolute).symlink_metadata().is_ok()
    }

    /// Where the program is, by name or by absolute path.
    pub fn which(&self, program: &str) -> Option<PathBuf> {
        use std::os::unix::fs::PermissionsExt;
        let runs = |p: &Path| {
            p.metadata()
                .is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0)
        };
        if program.starts_with('/') {
            let path = self.path(program);
            return runs(&path).then_some(path);
        }
        self.path
            .iter()
            .map(|dir| dir.join(program))
            .find(|p| runs(p))
    }

    /// Runs a program without a shell, with a clean environment, no standard input and a time limit.
    ///
    /// # Errors
    /// When it cannot be started or takes too long. An exit status other than 0 is no error.
    pub fn run(&self, program: &str, arguments: &[&str]) -> Result<Output, ReadError> {
        let path = self
            .which(program)
            .ok_or_else(|| ReadError::new(format!("command `{program}` not found")))?;
        let failed = |e: std::io::Error| ReadError::new(format!("cannot run `{program}`: {e}"));
        let mut child = Command::new(path)
            .args(arguments)
            .env_clear()
            .env("PATH", std::env::join_paths(&self.path).unwrap_or_default())
            .env("LC_ALL", "C.UTF-8")
            .env("LANG", "C.UTF-8")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        let reader = |pipe: Option<Box<dyn Read + Send>>| {
            std::thread::spawn(move || {
                let mut bytes = Vec::new();
                if let Some(mut pipe) = pipe {
                    // What was read before an error is all there is to show.
                    let _ = pipe.read_to_end(&mut bytes);
                }
                String::from_utf8_lossy(&bytes).into_owned()
            })
        };
        let stdout = reader(child.stdout.take().map(|p| Box::new(p) as _));
        let stderr = reader(child.stderr.take().map(|p| Box::new(p) as _));
        let begun = Instant::now();
        let mut pause = Duration::from_micros(200);
        let status = loop {
            if let Some(status) = child.try_wait().map_err(failed)? {
                break status;
            }
            if begun.elapsed() > TIME_LIMIT {
                // It is past its time; that it may already be gone does not matter.
                let _ = child.kill();
                let _ = child.wait();
                return Err(ReadError::new(format!(
                    "`{program}` took longer than {} seconds",
                    TIME_LIMIT.as_secs()
                )));
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(20));
        };
        let text = |t: std::thread::JoinHandle<String>| t.join().unwrap_or_default();
        Ok(Output {
            status: status.code(),
            stdout: text(stdout),
            stderr: text(stderr),
        })
    }
}
