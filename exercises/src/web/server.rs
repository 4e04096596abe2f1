//! HTTP on the loopback address: `hyper` reads requests, [`RequestGuard`] says who may ask, [`api`] answers.
//!
//! Every answer carries a content security policy. The page may run its own script and nothing else, and may talk to
//! this server only. The page of a run is shut in further: it has no origin, so it cannot ask this server for anything.

use super::api::{self, HttpAnswer, PostBody};
use super::files::LONGEST;
use super::guard::{RefusedRequest, RequestGuard, secret};
use super::judging::Bench;
use anyhow::Result;
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::body::{Body, Bytes, Incoming};
use hyper::header::{ALLOW, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, SET_COOKIE};
use hyper::http::response::Builder;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use serde_json::Value;
use std::collections::VecDeque;
use std::convert::Infallible;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::{Notify, OnceCell, Semaphore};
use tokio::task::AbortHandle;

/// The page: `cargo xtask web` makes it.
static PAGE: &str = include_str!("../../../web/dist/learn.html");

/// The placeholder of the nonce by which the page marks scripts and styles as its own.
const NONCE: &str = "{{nonce}}";

/// Bytes of a request's body: a file, in which each byte may be written as `\u0000`.
const BODY: usize = 6 * LONGEST as usize + (16 << 10);

/// A request must be whole after so long.
const SLOW: Duration = Duration::from_secs(10);

/// Connections at a time that have asked something; a browser opens six.
const CONNECTIONS: usize = 64;

/// Connections at a time that have asked nothing yet. One more ends the oldest of them.
const SILENT: usize = 64;

pub struct Server {
    pub bench: Arc<Bench>,
    pub guard: RequestGuard,
    /// When it is to end.
    pub end: Notify,
}

/// The port is the system's choice where it is 0.
pub async fn listen(port: u16) -> Result<TcpListener> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    TcpListener::bind(address).await.map_err(|error| {
        let why = match error.kind() {
            std::io::ErrorKind::AddrInUse => "busy",
            std::io::ErrorKind::PermissionDenied => "closed",
            _ => "other",
        };
        anyhow::Error::new(error).context(say!("web-port", port = port.to_string(), why))
    })
}

/// Answers for ever.
pub async fn serve(listener: TcpListener, server: Arc<Server>) {
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    let mut silent: VecDeque<(AbortHandle, Arc<AtomicBool>)> = VecDeque::new();
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            // One who left at once, or too many open files: the next may do better.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        silent.retain(|(task, has_asked)| !task.is_finished() && !has_asked.load(Relaxed));
        if silent.len() >= SILENT
            && let Some((oldest, _)) = silent.pop_front()
        {
            oldest.abort();
        }
        let (server, places) = (server.clone(), places.clone());
        let has_asked = Arc::new(AtomicBool::new(false));
        let asks = has_asked.clone();
        let task = tokio::spawn(async move {
            let place = OnceCell::new();
            let service = service_fn(|request| {
                let (server, places, place) = (&server, &places, &place);
                asks.store(true, Relaxed);
                async move {
                    // Kept as long as the connection.
                    let _ = place.get_or_try_init(|| places.clone().acquire_owned()).await;
                    Ok::<_, Infallible>(respond(server, request).await)
                }
            });
            let mut connection = http1::Builder::new();
            connection.timer(TokioTimer::new()).header_read_timeout(SLOW).max_headers(64).max_buf_size(64 << 10);
            // A connection that breaks is the other side's affair.
            let _ = connection.serve_connection(TokioIo::new(stream), service).await;
        });
        silent.push_back((task.abort_handle(), has_asked));
    }
}

type Reply = Response<Full<Bytes>>;

async fn respond(server: &Arc<Server>, request: Request<Incoming>) -> Reply {
    let method = request.method().clone();
    let path = request.uri().path().to_string();
    let is_api = path.starts_with("/api/");
    match routed(server, request, &method, &path).await {
        Ok(reply) => reply,
        Err((status, why)) if is_api => json((status, serde_json::json!({ "error": why }))),
        Err((status, why)) => text(status, why),
    }
}

async fn routed(
    server: &Arc<Server>,
    request: Request<Incoming>,
    method: &Method,
    path: &str,
) -> Result<Reply, RefusedRequest> {
    let Server { bench, guard, .. } = &**server;
    let query = UrlQuery(request.uri().query().unwrap_or_default().to_string());
    guard.check_host(request.uri(), request.headers())?;
    if path == "/open" && method == Method::GET {
        return opened(guard, &query, guard.has_cookie(request.headers()));
    }
    guard.check_cookie(request.headers())?;
    guard.check_origin(method, request.headers())?;
    match (method, path) {
        (&Method::GET, "/") => page(),
        (&Method::GET, "/run") => Ok(run(bench, &query).await),
        (&Method::GET, "/api/list") => Ok(json(api::list(bench).await)),
        (&Method::GET, "/api/exercise") => Ok(json(api::open(bench, &query.get("name")).await)),
        (&Method::GET, "/api/now") => {
            let seen = query.get("seen").parse().ok();
            Ok(json(api::now(bench, &query.get("name"), seen, query.get("version")).await))
        }
        (&Method::GET, "/api/explain") => Ok(json(api::explain(&query.get("kind")))),
        (&Method::GET, _) => Err((StatusCode::NOT_FOUND, say!("web-nothing-here"))),
        (&Method::POST, _) => {
            let sent = body(request.into_body()).await?;
            let what = path.strip_prefix("/api/").unwrap_or_default();
            Ok(json(api::post(bench, what, sent).await))
        }
        _ => {
            let reply = text(StatusCode::METHOD_NOT_ALLOWED, say!("web-nothing-here"));
            let (mut head, body) = reply.into_parts();
            head.headers.insert(ALLOW, hyper::header::HeaderValue::from_static("GET, POST"));
            Ok(Response::from_parts(head, body))
        }
    }
}

/// The body of a request, if it is not too long and comes in time.
async fn body(body: Incoming) -> Result<PostBody, RefusedRequest> {
    let too_large = || (StatusCode::PAYLOAD_TOO_LARGE, say!("web-too-long", most = LONGEST));
    if body.size_hint().lower() > BODY as u64 {
        return Err(too_large());
    }
    let bytes = match tokio::time::timeout(SLOW, Limited::new(body, BODY).collect()).await {
        Ok(Ok(body)) => body.to_bytes(),
        Ok(Err(error)) if error.is::<LengthLimitError>() => return Err(too_large()),
        Ok(Err(error)) => return Err((StatusCode::BAD_REQUEST, error.to_string())),
        Err(late) => return Err((StatusCode::REQUEST_TIMEOUT, late.to_string())),
    };
    serde_json::from_slice(&bytes).map_err(|error| (StatusCode::BAD_REQUEST, error.to_string()))
}

/// Parts of a query, as `encodeURIComponent` writes them.
struct UrlQuery(String);

impl UrlQuery {
    /// Empty where there is none.
    fn get(&self, name: &str) -> String {
        let mut pairs = self.0.split('&').filter_map(|pair| pair.split_once('='));
        pairs.find(|(key, _)| *key == name).map_or(String::new(), |(_, value)| decoded(value))
    }
}

/// `%2F` is `/`; what is no such code stays as it is.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let code = after.get(..2).filter(|_| *first == b'%').and_then(|digits| std::str::from_utf8(digits).ok());
        match code.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => (bytes.push(byte), rest = &after[2..]).1,
            None => (bytes.push(*first), rest = after).1,
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Lets a browser in. The page is opened by a page of this server: after a link from elsewhere a browser would not send
/// the cookie along with a redirection.
fn opened(guard: &RequestGuard, query: &UrlQuery, is_in: bool) -> Result<Reply, RefusedRequest> {
    let html = "<!doctype html><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" content=\"0;url=/\">\
                <title>cargo learn</title><a href=\"/\">cargo learn</a>";
    // Whoever is in may press the link again.
    let cookie = if is_in { None } else { Some(guard.exchange(&query.get("token"))?) };
    let mut reply = head(StatusCode::OK, "text/html; charset=utf-8", "default-src 'none'; frame-ancestors 'none'");
    if let Some(cookie) = cookie {
        reply = reply.header(SET_COOKIE, cookie);
    }
    Ok(whole(reply, html))
}

fn page() -> Result<Reply, RefusedRequest> {
    let nonce = secret().map_err(|error| (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()))?;
    let policy = format!(
        "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; connect-src 'self'; frame-src \
         'self'; img-src data:; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    );
    let head = head(StatusCode::OK, "text/html; charset=utf-8", &policy);
    Ok(whole(head.header("cross-origin-opener-policy", "same-origin"), PAGE.replace(NONCE, &nonce)))
}

/// The player of a failing run. What it may run it says itself, by hashes.
async fn run(bench: &Arc<Bench>, query: &UrlQuery) -> Reply {
    match api::run(bench, &query.get("name"), query.get("version")).await {
        Ok(page) => {
            let policy = "sandbox allow-scripts; connect-src 'none'; frame-ancestors 'self'";
            whole(head(StatusCode::OK, "text/html; charset=utf-8", policy), page)
        }
        Err((status, value)) => text(status, value["error"].as_str().unwrap_or_default().to_string()),
    }
}

fn json((status, value): HttpAnswer) -> Reply {
    let body = if value == Value::Null { String::new() } else { value.to_string() };
    whole(head(status, "application/json", "default-src 'none'; frame-ancestors 'none'"), body)
}

fn text(status: StatusCode, text: String) -> Reply {
    let policy = "default-src 'none'; frame-ancestors 'self'";
    whole(head(status, "text/plain; charset=utf-8", policy), text + "\n")
}

fn head(status: StatusCode, kind: &str, policy: &str) -> Builder {
    Response::builder()
        .status(status)
        .header(CONTENT_TYPE, kind)
        .header(CONTENT_SECURITY_POLICY, policy)
        .header(CACHE_CONTROL, "no-store")
        .header("x-content-type-options", "nosniff")
        .header("referrer-policy", "no-referrer")
        .header("cross-origin-resource-policy", "same-origin")
}

fn whole(head: Builder, body: impl Into<Bytes>) -> Reply {
    head.body(Full::new(body.into())).expect("headers of plain characters")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_is_read_as_a_page_writes_it() {
        let query = UrlQuery("name=02_sync%2Fx&seen=3&text=a%C3%A9%zz%2&x".into());
        assert_eq!(query.get("name"), "02_sync/x");
        assert_eq!((query.get("seen"), query.get("x"), query.get("none")), ("3".into(), String::new(), String::new()));
        assert_eq!(query.get("text"), "aé%zz%2");
    }

    /// Script and style are allowed by a nonce that each answer draws anew.
    #[test]
    fn the_page_names_nothing_outside_and_its_parts_have_a_nonce() {
        assert!(!PAGE.contains("<script>") && !PAGE.contains("<style>"));
        assert_eq!(PAGE.matches("<script nonce=\"{{nonce}}\"").count(), 1);
        let replies: Vec<Reply> = (0..2).map(|_| page().unwrap()).collect();
        let [first, second] = [0, 1].map(|at| replies[at].headers()[CONTENT_SECURITY_POLICY].to_str().unwrap());
        assert!(first != second && !first.contains("unsafe") && !first.contains(NONCE), "{first}");
    }
}
