//! Long-running programs that receive requests line by line on standard input, and answer line by line on standard
//! output.

use super::System;
use super::command::GRACE;
use super::environment::Inherited;
use super::running::{self, MARK, Running};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use rtype_lang::value::EcoString;
use rtype_system::{Terminal, process, start};
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::time::Duration;

/// Maximum length of a line, in bytes.
pub const LINE_LIMIT: usize = 16 << 20;

/// Maximum number of unread lines; a program that writes more is blocked.
const WAITING: usize = 64;

/// Maximum number of unread lines on standard error; further lines are dropped.
const WAITING_LOGS: usize = 10_000;

/// Maximum line length on standard error; longer lines are truncated.
const LOG_LIMIT: usize = 4096;

/// A line of output, or the reason why no line was received.
#[derive(Debug, PartialEq, Eq)]
pub enum ProgramOutput {
    /// A line, without its end.
    Line(Vec<u8>),
    /// The beginning of a line that is longer than [`LINE_LIMIT`].
    TooLong(Vec<u8>),
    /// Its standard output is closed.
    Nothing,
    /// The program did not answer within the timeout.
    TooLate,
}

/// A running program that answers requests.
#[derive(Debug)]
pub struct Talk {
    child: Child,
    /// The process group, while the program runs.
    running: Running,
    mark: String,
    /// Lines for the thread that writes: a program that does not read must not hold us up.
    asked: Option<Sender<Vec<u8>>>,
    said: Receiver<ProgramOutput>,
    logged: Receiver<String>,
}

impl System {
    /// Starts a program to communicate with. Its environment is that of a [`Command`](super::Command), with `HOME`, `LANG`
    /// and the given variables.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn talk(&self, program: &Path, arguments: &[EcoString], environment: &[(&str, &str)]) -> std::io::Result<Talk> {
        // A program next to a type file belongs to this machine, even if a directory of fixtures is managed.
        let inherited =
            if self.is_fixture() { System::host().environment(Inherited::Network) } else { self.environment(Inherited::Network) };
        let mark = running::mark();
        let mut command = process::program(program);
        command
            .args(arguments.iter().map(EcoString::as_str))
            .env_clear()
            .envs(inherited)
            .env("HOME", process::variable("HOME").unwrap_or_else(|| "/".into()))
            .env("LANG", "C.UTF-8")
            .envs(environment.iter().copied())
            .env(MARK, &mark)
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = start(&mut command, Terminal::Detached)?;
        let running = Running::new(&child, Some(mark.clone()));
        let (asked, questions) = channel::<Vec<u8>>();
        if let Some(mut pipe) = child.stdin.take() {
            std::thread::spawn(
                move || while questions.recv().is_ok_and(|line| pipe.write_all(&line).and_then(|()| pipe.flush()).is_ok()) {},
            );
        }
        let (sender, said) = sync_channel(WAITING);
        if let Some(pipe) = child.stdout.take() {
            std::thread::spawn(move || pass_on(BufReader::new(pipe), &sender));
        }
        let (sender, logged) = sync_channel(WAITING_LOGS);
        if let Some(pipe) = child.stderr.take() {
            std::thread::spawn(move || pass_on_logs(BufReader::new(pipe), &sender));
        }
        Ok(Talk { child, running, mark, asked: Some(asked), said, logged })
    }
}

fn pass_on(mut pipe: impl BufRead, sender: &SyncSender<ProgramOutput>) {
    loop {
        let mut line = Vec::new();
        let count = (&mut pipe).take(LINE_LIMIT as u64 + 1).read_until(b'\n', &mut line).unwrap_or(0);
        let is_whole = line.last() == Some(&b'\n');
        if is_whole {
            line.pop();
        }
        let said = match count {
            0 => ProgramOutput::Nothing,
            _ if line.len() > LINE_LIMIT => ProgramOutput::TooLong(line.drain(..LOG_LIMIT).collect()),
            // The last line may lack its end.
            _ => ProgramOutput::Line(line),
        };
        let is_over = !matches!(said, ProgramOutput::Line(_));
        if sender.send(said).is_err() || is_over {
            return;
        }
    }
}

fn pass_on_logs(mut pipe: impl BufRead, sender: &SyncSender<String>) {
    loop {
        let mut line = Vec::new();
        let count = (&mut pipe).take(LOG_LIMIT as u64).read_until(b'\n', &mut line).unwrap_or(0);
        if count == 0 {
            return;
        }
        if line.last() != Some(&b'\n') {
            // The rest of a line that is too long is read and dropped.
            while let Ok(more) = pipe.fill_buf()
                && !more.is_empty()
            {
                let end = more.iter().position(|b| *b == b'\n');
                let count = end.map_or(more.len(), |at| at + 1);
                pipe.consume(count);
                if end.is_some() {
                    break;
                }
            }
        }
        let text = String::from_utf8_lossy(&line).trim_end().to_owned();
        if !text.is_empty() {
            // If they are not taken, only the first ones are kept.
            let _ = sender.try_send(text);
        }
    }
}

impl Talk {
    /// Sends a line; the line ending is added.
    pub fn ask(&self, mut line: Vec<u8>) {
        line.push(b'\n');
        if let Some(asked) = &self.asked {
            // If the program has ended, `listen` reports the end.
            let _ = asked.send(line);
        }
    }

    /// Waits for the next output, at most for `patience`.
    pub fn listen(&self, patience: Duration) -> ProgramOutput {
        match self.said.recv_timeout(patience) {
            Ok(said) => said,
            Err(RecvTimeoutError::Disconnected) => ProgramOutput::Nothing,
            Err(RecvTimeoutError::Timeout) => ProgramOutput::TooLate,
        }
    }

    /// Returns the lines written to standard error since the last call.
    pub fn logs(&self) -> Vec<String> {
        self.logged.try_iter().collect()
    }

    /// Returns the remaining log lines of a program that has ended.
    pub fn logs_to_end(&self) -> Vec<String> {
        // Its child processes may keep the pipe open.
        std::iter::from_fn(|| self.logged.recv_timeout(Duration::from_millis(100)).ok()).collect()
    }

    /// Returns whether it has ended.
    pub fn has_ended(&mut self) -> bool {
        self.child.try_wait().is_ok_and(|status| status.is_some())
    }

    /// Closes standard input and waits for the program to end, if necessary with SIGTERM and then SIGKILL. Returns
    /// how it ended, `None` if it ended normally.
    pub fn end(&mut self, patience: Duration) -> Option<String> {
        self.asked = None;
        let mut status = self.wait(patience);
        // When it is gone, they are no longer known as its own.
        let descendants = if status.is_none() { running::descendants(self.running.group()) } else { Vec::new() };
        for signal in [Signal::SIGTERM, Signal::SIGKILL] {
            if status.is_none() {
                // That it may be gone already does not matter.
                let _ = killpg(self.running.group(), signal);
                status = self.wait(GRACE);
            }
        }
        self.end_leftovers(&descendants);
        let status = status?;
        match (status.code(), status.signal()) {
            (Some(0), _) => None,
            (Some(code), _) => Some(format!("exited with {code}")),
            (None, signal) => {
                let name = signal.and_then(|s| Signal::try_from(s).ok()).map_or_else(|| "a signal".to_owned(), |s| s.to_string());
                Some(format!("was ended by {name}"))
            }
        }
    }

    /// Kills the program and its child processes immediately.
    pub fn kill(&mut self) {
        let descendants = running::descendants(self.running.group());
        let _ = killpg(self.running.group(), Signal::SIGKILL);
        self.wait(GRACE);
        self.end_leftovers(&descendants);
    }

    /// Everything it has started ends with it, daemons included.
    fn end_leftovers(&self, descendants: &[Pid]) {
        running::end_leftovers(self.running.group(), &self.mark, descendants);
    }

    fn wait(&mut self, patience: Duration) -> Option<ExitStatus> {
        let begun = process::now();
        let mut pause = Duration::from_micros(200);
        loop {
            match self.child.try_wait() {
                Ok(None) if begun.elapsed() < patience => {}
                Ok(status) => return status,
                Err(_) => return None,
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(20));
        }
    }
}

impl Drop for Talk {
    fn drop(&mut self) {
        if self.has_ended() {
            self.end_leftovers(&[]);
        } else {
            self.end(GRACE);
        }
    }
}
