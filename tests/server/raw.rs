//! A client of its own: it speaks the protocol in plain JSON and trusts nothing of this
//! repository's clients.

use std::{
    io::{Read as _, Write as _},
    net::TcpStream,
    time::Duration,
};

use serde_json::{Value, json};
use tungstenite::{Message, WebSocket, client::client};

/// A connection to a server's WebSocket.
pub(crate) struct RawClient(WebSocket<TcpStream>);

impl RawClient {
    /// Connects; `None` if the server refuses the WebSocket.
    pub(crate) fn open(address: &str) -> Option<Self> {
        let stream = TcpStream::connect(address).ok()?;
        stream.set_read_timeout(Some(Duration::from_secs(30))).expect("a timeout");
        let (socket, _) = client(format!("ws://{address}/play"), stream).ok()?;
        Some(Self(socket))
    }

    /// Creates a game of rules such as `tablut/ashton`: the tickets of both seats and of
    /// the spectators.
    pub(crate) fn create(address: &str, rules: &str, clock: Value) -> [String; 3] {
        let mut client = Self::open(address).expect("a server");
        client.send(&json!({
            "type": "create", "version": VERSION, "terms": {"rules": rules, "clock": clock},
        }));
        let made = client.next().expect("an answer");
        let text = |value: &Value| value.as_str().unwrap_or_else(|| panic!("{made}")).to_owned();
        let seats = &made["links"]["seats"];
        [text(&seats[0]), text(&seats[1]), text(&made["links"]["watch"])]
    }

    /// Enters a game with a device, which is any letter.
    pub(crate) fn enter(address: &str, ticket: &str, device: char) -> Self {
        let mut client = Self::open(address).expect("a server");
        client.send(&hello(ticket, device));
        client
    }

    pub(crate) fn send(&mut self, message: &Value) {
        // The server may have closed the connection.
        _ = self.0.send(Message::text(message.to_string()));
    }

    /// The next message; `None` when the connection has ended.
    pub(crate) fn next(&mut self) -> Option<Value> {
        loop {
            match self.0.read() {
                Ok(Message::Text(text)) => {
                    return Some(serde_json::from_str(&text).expect("a message"));
                }
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }

    /// The next message of a type; other messages are skipped.
    pub(crate) fn next_of(&mut self, kind: &str) -> Value {
        loop {
            let message = self.next().unwrap_or_else(|| panic!("the end instead of '{kind}'"));
            if message["type"] == kind {
                return message;
            }
        }
    }
}

/// The version of the messages.
pub(crate) const VERSION: u32 = 2;

/// The secret of a device: 32 bytes in base64url.
pub(crate) fn device(letter: char) -> String {
    format!("{}A", letter.to_string().repeat(42))
}

/// The greeting for a ticket.
pub(crate) fn hello(ticket: &str, device: char) -> Value {
    json!({"type": "hello", "version": VERSION, "ticket": ticket, "device": self::device(device)})
}

/// Sends a request as it is, and returns the status line and headers of the answer.
pub(crate) fn request(address: &str, text: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("a server");
    stream.set_read_timeout(Some(Duration::from_secs(30))).expect("a timeout");
    stream.write_all(text.as_bytes()).expect("sent");
    let mut answer = Vec::new();
    _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

/// The answer to a plain GET.
pub(crate) fn get(address: &str, path: &str) -> String {
    request(
        address,
        &format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n"),
    )
}
