//! HTTP transfers that do not delay the stop of a run.
//!
//! A server that sends nothing, or a byte now and then, can prolong a transfer until its timeout. The transfer
//! therefore runs in its own thread, and the caller periodically checks whether the run should stop.

use crate::interrupt::is_stopping;
use rtype_system::process;
use std::io::{self, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};
use ureq::http::response::Parts;
use ureq::http::{Request, Response};
use ureq::{Agent, AsSendBody, Body};

/// How often is looked whether the run is to stop.
const SLICE: Duration = Duration::from_millis(200);

/// When the run should stop, a transfer is abandoned if it receives less than `LEAST` bytes in this time.
const WINDOW: Duration = Duration::from_secs(3);
const LEAST: usize = 30 << 10;

/// The size of a chunk in bytes, and how many chunks may be buffered.
const PIECE: usize = 64 << 10;
const WAITING: usize = 4;

/// The content of an answer. Dropping it ends the transfer.
#[derive(Debug)]
pub struct Transfer {
    /// Ended with the transfer; `None` if it serves other requests, too.
    agent: Option<Agent>,
    is_whole: bool,
    pieces: Receiver<Chunk>,
    pace: Pace,
    piece: io::Cursor<Vec<u8>>,
}

#[derive(Debug)]
enum Chunk {
    Head(Box<Parts>),
    Failed(Box<ureq::Error>),
    Bytes(Vec<u8>),
    End(io::Result<()>),
}

/// How much has come since a run is to stop.
#[derive(Debug, Default)]
struct Pace {
    begun: Option<Instant>,
    bytes: usize,
}

/// Returns why a request failed, without the name that the library gives to the kind of error.
pub fn reason(error: &ureq::Error) -> String {
    match error {
        ureq::Error::Io(error) => error.to_string(),
        other => other.to_string(),
    }
}

/// Sends the only request of an HTTP client, which is shut down when the transfer is given up.
///
/// # Errors
/// If the server does not respond, or the run should stop and the response does not arrive soon.
pub fn ask<B: AsSendBody + Send + 'static>(agent: Agent, request: Request<B>) -> Result<Response<Transfer>, ureq::Error> {
    begin(agent.clone(), Some(agent), request)
}

/// Sends a request of an HTTP client that is used again. The connection of a transfer that is given up is closed when its timeout ends.
///
/// # Errors
/// As [`ask`].
pub fn ask_shared<B: AsSendBody + Send + 'static>(agent: &Agent, request: Request<B>) -> Result<Response<Transfer>, ureq::Error> {
    begin(agent.clone(), None, request)
}

fn begin<B: AsSendBody + Send + 'static>(
    asked: Agent,
    agent: Option<Agent>,
    request: Request<B>,
) -> Result<Response<Transfer>, ureq::Error> {
    let (sender, pieces) = sync_channel(WAITING);
    std::thread::Builder::new().name("transfer".to_owned()).spawn(move || {
        // The consumer may be gone.
        let _ = send(&asked, request, &sender);
    })?;
    let mut transfer = Transfer { agent, is_whole: false, pieces, pace: Pace::default(), piece: io::Cursor::default() };
    match transfer.next()? {
        Chunk::Head(parts) => Ok(Response::from_parts(*parts, transfer)),
        Chunk::Failed(error) => Err(*error),
        Chunk::Bytes(_) | Chunk::End(_) => Err(lost().into()),
    }
}

fn send<B: AsSendBody>(agent: &Agent, request: Request<B>, to: &SyncSender<Chunk>) -> Result<(), std::sync::mpsc::SendError<Chunk>> {
    let body: Body = match agent.run(request) {
        Ok(answer) => {
            let (parts, body) = answer.into_parts();
            to.send(Chunk::Head(Box::new(parts)))?;
            body
        }
        Err(error) => return to.send(Chunk::Failed(Box::new(error))),
    };
    let mut reader = body.into_reader();
    loop {
        let mut bytes = vec![0; PIECE];
        match reader.read(&mut bytes) {
            Ok(0) => return to.send(Chunk::End(Ok(()))),
            Ok(count) => {
                bytes.truncate(count);
                to.send(Chunk::Bytes(bytes))?;
            }
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return to.send(Chunk::End(Err(e))),
        }
    }
}

impl Transfer {
    fn next(&mut self) -> io::Result<Chunk> {
        loop {
            let next = self.pieces.recv_timeout(SLICE);
            let bytes = if let Ok(Chunk::Bytes(bytes)) = &next { bytes.len() } else { 0 };
            if !matches!(next, Ok(Chunk::End(_))) && self.pace.is_too_slow(is_stopping(), process::now(), bytes) {
                return Err(io::Error::other("given up because the run is stopping and the server sends too little"));
            }
            match next {
                Ok(piece) => return Ok(piece),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(lost()),
            }
        }
    }
}

impl Read for Transfer {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        loop {
            let count = self.piece.read(to)?;
            if count > 0 || to.is_empty() || self.is_whole {
                return Ok(count);
            }
            match self.next()? {
                Chunk::Bytes(bytes) => self.piece = io::Cursor::new(bytes),
                Chunk::End(end) => {
                    self.agent = None;
                    self.is_whole = true;
                    end?;
                }
                Chunk::Head(_) | Chunk::Failed(_) => return Err(lost()),
            }
        }
    }
}

impl Drop for Transfer {
    fn drop(&mut self) {
        if let Some(agent) = self.agent.take() {
            agent.shutdown();
        }
    }
}

impl Pace {
    /// Notes how much has come, and returns whether that is too little for a run that is to stop.
    fn is_too_slow(&mut self, is_stopping: bool, now: Instant, bytes: usize) -> bool {
        if !is_stopping {
            *self = Pace::default();
            return false;
        }
        let begun = *self.begun.get_or_insert(now);
        self.bytes = self.bytes.saturating_add(bytes);
        if now.duration_since(begun) < WINDOW {
            return false;
        }
        let is_slow = self.bytes < LEAST;
        *self = Pace { begun: Some(now), bytes: 0 };
        is_slow
    }
}

fn lost() -> io::Error {
    io::Error::other("the transfer ended before its content was complete")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_transfers_are_given_up_only_while_a_run_is_stopping() {
        let (mut pace, start) = (Pace::default(), Instant::now());
        let after = |seconds| start + Duration::from_secs(seconds);
        assert!(!pace.is_too_slow(false, after(0), 0));
        assert!(!pace.is_too_slow(false, after(1000), 1));
        assert!(!pace.is_too_slow(true, after(1001), 0), "time before the signal counts");
        assert!(!pace.is_too_slow(true, after(1003), LEAST));
        assert!(!pace.is_too_slow(true, after(1004), 0), "a fast transfer is given up");
        assert!(!pace.is_too_slow(true, after(1006), LEAST - 1));
        assert!(pace.is_too_slow(true, after(1007), 0), "a dripping transfer goes on");
    }
}
