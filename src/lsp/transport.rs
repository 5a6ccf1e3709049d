//! Messages over standard input and output.
//!
//! `lsp-server` fails at the first message that is not JSON. This reader reports the error and reads the next message. An absurd length
//! does not allocate memory.

use lsp_server::{Message, Request, RequestId, Response};
use serde_json::Value as Json;
use std::io::{self, BufRead, Read, Write};

/// The maximum length of a message; longer messages are skipped. Editors send files of at most some megabytes.
const LONGEST: u64 = 256 << 20;

/// The JSON-RPC error code for invalid JSON.
const PARSE_ERROR: i32 = -32700;
/// The JSON-RPC error code for JSON that is not a message.
const INVALID_REQUEST: i32 = -32600;

/// A message read from the input.
enum Incoming {
    Message(Box<Message>),
    /// An invalid message: the ID, if readable, the error code and a description.
    Wrong(Option<RequestId>, i32, String),
    End,
}

/// Reads messages until the end of the input, `exit`, or a closed channel. Valid messages go to the server. Error responses to invalid
/// messages go to the client.
pub(super) fn read_all(input: &mut impl BufRead, server: impl Fn(Message) -> bool, client: impl Fn(Message) -> bool) {
    loop {
        match read(input) {
            Ok(Incoming::Message(message)) => {
                let ends = matches!(&*message, Message::Notification(n) if n.method == "exit");
                if !server(*message) || ends {
                    return;
                }
            }
            Ok(Incoming::Wrong(id, code, message)) => {
                // Without an ID, a response is impossible: `lsp-server` does not support the ID `null`.
                eprintln!("rtype lsp: {message}");
                if let Some(id) = id
                    && !client(Response::new_err(id, code, message).into())
                {
                    return;
                }
            }
            Ok(Incoming::End) | Err(_) => return,
        }
    }
}

fn read(input: &mut impl BufRead) -> io::Result<Incoming> {
    let mut length = None;
    let mut line = Vec::new();
    loop {
        line.clear();
        // A header ends with a line end.
        if input.by_ref().take(4096).read_until(b'\n', &mut line)? == 0 {
            return Ok(Incoming::End);
        }
        let text = String::from_utf8_lossy(&line);
        let text = text.trim();
        if text.is_empty() {
            if length.is_some() {
                break;
            }
            continue;
        }
        if let Some((name, value)) = text.split_once(':')
            && name.trim().eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse::<u64>().ok();
        }
    }
    let length = length.unwrap_or(0);
    if length > LONGEST {
        io::copy(&mut input.by_ref().take(length), &mut io::sink())?;
        return Ok(Incoming::Wrong(None, INVALID_REQUEST, format!("a message of {length} bytes is skipped")));
    }
    let mut body = Vec::new();
    if (input.by_ref().take(length).read_to_end(&mut body)? as u64) < length {
        return Ok(Incoming::End);
    }
    let json: Json = match serde_json::from_slice(&body) {
        Ok(json) => json,
        Err(e) => return Ok(Incoming::Wrong(None, PARSE_ERROR, format!("a message is not JSON: {e}"))),
    };
    let id = json.get("id").and_then(|id| serde_json::from_value::<RequestId>(id.clone()).ok());
    if let (Some(id), Some(method)) = (&id, json.get("method").and_then(Json::as_str)) {
        let params = json.get("params").cloned().unwrap_or_default();
        return Ok(Incoming::Message(Box::new(Request { id: id.clone(), method: method.to_owned(), params }.into())));
    }
    Ok(match serde_json::from_value::<Message>(json) {
        Ok(message) => Incoming::Message(Box::new(message)),
        Err(_) => Incoming::Wrong(id, INVALID_REQUEST, "a message is neither a request nor a notification".to_owned()),
    })
}

/// Writes all messages until the channel or the output is closed.
pub(super) fn write_all(output: &mut impl Write, messages: impl IntoIterator<Item = Message>) {
    for message in messages {
        if message.write(&mut *output).is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    fn framed(body: &str) -> String {
        format!("Content-Length: {}\r\n\r\n{body}", body.len())
    }

    #[test]
    fn invalid_message_keeps_the_connection() {
        let input = [
            "garbage\r\nContent-Length: x\r\n\r\n".to_owned(),
            framed("{"),
            framed("[1]"),
            framed("{\"id\": 7}"),
            "Content-Length: 99999999999999999999\r\n\r\n".to_owned(),
            framed("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"shutdown\"}"),
            framed("{\"jsonrpc\":\"2.0\",\"method\":\"exit\"}"),
            framed("{\"jsonrpc\":\"2.0\",\"method\":\"more\"}"),
        ]
        .concat();
        let (got, answered) = (RefCell::new(Vec::new()), RefCell::new(Vec::new()));
        let keep = |into: &RefCell<Vec<String>>, m: Message| {
            into.borrow_mut().push(serde_json::to_string(&m).unwrap());
            true
        };
        read_all(&mut input.as_bytes(), |m| keep(&got, m), |m| keep(&answered, m));
        assert_eq!(got.into_inner(), ["{\"id\":1,\"method\":\"shutdown\"}", "{\"method\":\"exit\"}"]);
        assert_eq!(
            answered.into_inner(),
            ["{\"id\":7,\"error\":{\"code\":-32600,\"message\":\"a message is neither a request nor a notification\"}}"]
        );
    }
}
