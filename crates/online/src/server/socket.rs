//! A client's WebSocket: its limits, its greeting and its messages.

use std::{
    net::{IpAddr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use axum::{
    extract::{
        ConnectInfo, State,
        ws::{Message, Utf8Bytes, WebSocket, WebSocketUpgrade},
    },
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use futures_util::{
    SinkExt, StreamExt,
    stream::{SplitSink, SplitStream},
};
use tokio::{
    sync::mpsc,
    time::{Instant, interval, timeout, timeout_at},
};

use super::{
    Shared,
    games::{QUEUE, SeatHandle, to_text},
    limits::{Admission, Bucket},
};
use crate::{ClientMessage, MAX_CLIENT_MESSAGE, Refusal, ServerMessage, VERSION};

/// The time for the greeting, and for the client to take a message.
const PATIENCE: Duration = Duration::from_secs(10);
/// The server asks for a sign of life so often,
const PING: Duration = Duration::from_secs(20);
/// and ends a connection after so long without one.
const SILENCE: Duration = Duration::from_secs(60);
/// Messages at once, and a second.
const BURST: f64 = 60.0;
const RATE: f64 = 30.0;
/// Refused messages before the connection is ended.
const MAX_REFUSALS: u32 = 100;
/// The time for the client to close its side of a connection that the server ends.
const FAREWELL: Duration = Duration::from_secs(2);

/// Opens the WebSocket of a client whose page is ours, or that has no page.
pub(super) async fn upgrade(
    State(shared): State<Arc<Shared>>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    if !is_allowed_origin(&headers, &shared.origins) {
        return StatusCode::FORBIDDEN.into_response();
    }
    let address = client_address(peer.ip(), &headers, shared.is_behind_proxy);
    let Some(admission) = shared.limits.admit_player(address) else {
        return StatusCode::TOO_MANY_REQUESTS.into_response();
    };
    upgrade
        .max_message_size(MAX_CLIENT_MESSAGE)
        .max_frame_size(MAX_CLIENT_MESSAGE)
        .read_buffer_size(4096)
        .write_buffer_size(0)
        .on_upgrade(move |socket| talk(shared, admission, socket))
}

/// Whether a browser's page may connect: one of this host, or a named one. Programs
/// name no origin.
fn is_allowed_origin(headers: &HeaderMap, origins: &[String]) -> bool {
    let Some(origin) = headers.get(header::ORIGIN) else { return true };
    let Ok(origin) = origin.to_str() else { return false };
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let is_own = origin.split_once("://").zip(host).is_some_and(|((scheme, own), host)| {
        let usual = if scheme == "https" { ":443" } else { ":80" };
        // Browsers leave out the usual port; some proxies add it to the host.
        let without = |name: &str| name.strip_suffix(usual).unwrap_or(name).to_ascii_lowercase();
        without(own) == without(host)
    });
    is_own || origins.iter().any(|allowed| allowed.eq_ignore_ascii_case(origin))
}

/// The client's address: behind a proxy the last one in `X-Forwarded-For`, which the
/// proxy has written itself.
fn client_address(peer: IpAddr, headers: &HeaderMap, is_behind_proxy: bool) -> IpAddr {
    let forwarded = headers.get_all("x-forwarded-for").iter().next_back();
    let last = forwarded
        .and_then(|forwarded| parse_forwarded(forwarded.to_str().ok()?.rsplit(',').next()?));
    last.filter(|_| is_behind_proxy).unwrap_or(peer)
}

/// An address as proxies write it: alone, in brackets, in quotes, or with a port.
fn parse_forwarded(text: &str) -> Option<IpAddr> {
    let text = text.trim().trim_matches('"');
    let address = text.parse().or_else(|_| text.parse().map(|address: SocketAddr| address.ip()));
    address.ok().or_else(|| text.strip_prefix('[')?.strip_suffix(']')?.parse().ok())
}

/// Serves one client from its greeting to its end.
async fn talk(shared: Arc<Shared>, admission: Admission, socket: WebSocket) {
    let (mut sink, mut stream) = socket.split();
    let greeting = match timeout(PATIENCE, first_text(&mut stream)).await {
        Ok(Some(text)) => serde_json::from_str(&text),
        _ => return,
    };
    let (sender, mut queue) = mpsc::channel(QUEUE);
    let seat = match greeting {
        Ok(
            ClientMessage::Hello { version, .. }
            | ClientMessage::Create { version, .. }
            | ClientMessage::Status { version, .. },
        ) if version != VERSION => Err(Refusal::Version),
        Ok(ClientMessage::Hello { .. } | ClientMessage::Status { .. })
            if !admission.may_enter() =>
        {
            Err(Refusal::TooFast)
        }
        Ok(ClientMessage::Hello { ticket, since, name, device, .. }) => {
            shared.games.enter(&ticket, since, &name, device, sender).await.map(Ok)
        }
        Ok(ClientMessage::Status { ticket, device, .. }) => {
            let status = shared.games.status(&ticket, device).await;
            status.map(|status| Err(to_text(&ServerMessage::Status(status))))
        }
        Ok(ClientMessage::Create { terms, .. }) if admission.may_create() => {
            let links = shared.games.create(terms).await;
            links.map(|links| Err(to_text(&ServerMessage::Created { links })))
        }
        Ok(ClientMessage::Create { .. }) => Err(Refusal::Full),
        Ok(_) | Err(_) => Err(Refusal::Malformed),
    };
    // A seat, or the only answer.
    let seat = match seat.unwrap_or_else(|refusal| Err(refused(refusal, None))) {
        Ok(seat) => seat,
        Err(answer) => {
            _ = send(&mut sink, answer).await;
            return close(sink, stream).await;
        }
    };
    let (mut pings, mut heard) = (interval(PING), Instant::now());
    let (mut bucket, mut refusals) = (Bucket::new(BURST, RATE), 0);
    loop {
        tokio::select! {
            text = queue.recv() => {
                // A client that does not keep up has no sender any more.
                let Some(text) = text else { break };
                if !send(&mut sink, text).await {
                    break;
                }
            }
            message = timeout_at(heard + SILENCE, stream.next()) => {
                let Ok(Some(Ok(message))) = message else { break };
                heard = Instant::now();
                // Before anything that may take long: the player's clock runs until now.
                let time = shared.games.now();
                let text = match message {
                    Message::Text(text) => text,
                    Message::Ping(_) | Message::Pong(_) if bucket.take() => continue,
                    Message::Ping(_) | Message::Pong(_) => break,
                    Message::Binary(_) | Message::Close(_) => break,
                };
                let answer = if bucket.take() {
                    receive(&shared, &admission, &seat, &text, time).await
                } else {
                    Err((Refusal::TooFast, None))
                };
                match answer {
                    Ok(None) => {}
                    Ok(Some(text)) => {
                        if !send(&mut sink, text).await {
                            break;
                        }
                    }
                    Err((refusal, message)) => {
                        refusals += 1;
                        let is_too_much = refusals > MAX_REFUSALS;
                        if is_too_much || !send(&mut sink, refused(refusal, message)).await {
                            break;
                        }
                    }
                }
            }
            _ = pings.tick() => {
                let ping = sink.send(Message::Ping(Vec::new().into()));
                if !matches!(timeout(PATIENCE, ping).await, Ok(Ok(()))) {
                    break;
                }
            }
        }
    }
    shared.games.leave(&seat).await;
    close(sink, stream).await;
}

/// The first text that a client sends.
async fn first_text(stream: &mut SplitStream<WebSocket>) -> Option<Utf8Bytes> {
    loop {
        match stream.next().await {
            Some(Ok(Message::Text(text))) => return Some(text),
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
            _ => return None,
        }
    }
}

/// Ends a connection so that the client can still read what was sent: a socket that is
/// closed with unread messages loses the answers on their way.
async fn close(mut sink: SplitSink<WebSocket, Message>, mut stream: SplitStream<WebSocket>) {
    if matches!(timeout(PATIENCE, sink.close()).await, Ok(Ok(()))) {
        let rest = async { while let Some(Ok(_)) = stream.next().await {} };
        _ = timeout(FAREWELL, rest).await;
    }
}

/// Does what a message asks for, and returns an answer for its client alone, or why
/// not, with the message if it could be read.
async fn receive(
    shared: &Shared,
    admission: &Admission,
    seat: &SeatHandle,
    text: &str,
    heard: u64,
) -> Result<Option<Arc<str>>, (Refusal, Option<ClientMessage>)> {
    match serde_json::from_str(text).map_err(|_| (Refusal::Malformed, None))? {
        ClientMessage::Ping { id } => Ok(Some(to_text(&ServerMessage::Pong { id }))),
        message if !admission.may_act() => Err((Refusal::TooFast, Some(message))),
        message => match shared.games.answer(seat, &message, heard).await {
            Ok(()) => Ok(None),
            Err(refusal) => Err((refusal, Some(message))),
        },
    }
}

fn refused(refusal: Refusal, message: Option<ClientMessage>) -> Arc<str> {
    let reason = refusal.to_string();
    to_text(&ServerMessage::Refused { refusal, reason, message })
}

async fn send(sink: &mut SplitSink<WebSocket, Message>, text: Arc<str>) -> bool {
    let message = Message::Text(text.as_ref().into());
    matches!(timeout(PATIENCE, sink.send(message)).await, Ok(Ok(())))
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn headers(all: &[(&'static str, &'static str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in all {
            headers.append(*name, HeaderValue::from_static(value));
        }
        headers
    }

    #[test]
    fn only_own_and_named_pages_and_programs_may_connect() {
        let named = ["https://tab.example".to_owned()];
        let is_allowed = |all: &[_]| is_allowed_origin(&headers(all), &named);
        assert!(is_allowed(&[("host", "a.b")]));
        assert!(is_allowed(&[("host", "a.b:80"), ("origin", "http://a.b:80")]));
        assert!(is_allowed(&[("host", "a.b"), ("origin", "https://tab.example")]));
        for (host, origin) in [
            ("a.b", "https://a.b"),
            ("A.b", "https://a.b"),
            ("a.b:443", "https://a.b"),
            ("a.b", "https://a.b:443"),
            ("a.b:80", "http://a.b"),
            ("a.b:8443", "https://a.b:8443"),
        ] {
            assert!(is_allowed(&[("host", host), ("origin", origin)]), "{host} {origin}");
        }
        for (host, origin) in
            [("a.b:80", "https://a.b"), ("a.b", "https://a.b:8443"), ("a.b:8443", "https://a.b")]
        {
            assert!(!is_allowed(&[("host", host), ("origin", origin)]), "{host} {origin}");
        }
        for origin in ["https://evil.example", "null", "https://a.b.evil", "https://tab.example.c"]
        {
            assert!(!is_allowed(&[("host", "a.b"), ("origin", origin)]), "{origin}");
        }
        assert!(!is_allowed(&[("origin", "null")]));
    }

    #[test]
    fn an_address_is_the_proxys_word_only_behind_a_proxy() {
        let peer: IpAddr = "10.0.0.1".parse().expect("an address");
        let all = headers(&[("x-forwarded-for", "1.1.1.1, 2.2.2.2")]);
        assert_eq!(client_address(peer, &all, false), peer);
        assert_eq!(client_address(peer, &all, true).to_string(), "2.2.2.2");
        assert_eq!(client_address(peer, &headers(&[]), true), peer);
        for (text, address) in [
            ("1.1.1.1:5000", "1.1.1.1"),
            ("2001:db8::1", "2001:db8::1"),
            ("[2001:db8::1]", "2001:db8::1"),
            ("2.2.2.2, [2001:db8::1]:443", "2001:db8::1"),
            ("\"[2001:db8::1]:443\"", "2001:db8::1"),
            ("unknown", "10.0.0.1"),
        ] {
            let all = headers(&[("x-forwarded-for", text)]);
            assert_eq!(client_address(peer, &all, true).to_string(), address, "{text}");
        }
    }
}
