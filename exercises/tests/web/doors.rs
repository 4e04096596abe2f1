//! Tests of which requests the server admits, and which it does not.

use super::client::{NAME, Server, command};
use serde_json::json;
use std::fs;
use std::time::{Duration, Instant};

#[test]
fn a_browser_is_let_in_by_the_address_once() {
    let folder = tempfile::tempdir().unwrap();
    let starting = command(folder.path(), &["web", "--no-open"]);
    let mut server = Server::start(folder, starting);
    for path in ["/", "/api/list", "/run", "/api/exercise?name=02_sync/missing_barrier", "/open", "/open?token=", "/x"]
    {
        let reply = server.get(path);
        assert_eq!(reply.status, 403, "{path}: {}", reply.body);
        assert!(!reply.body.contains("missing_barrier"));
    }
    let wrong = "0".repeat(server.token.len());
    assert_eq!(server.get(&format!("/open?token={wrong}")).status, 403);
    let reply = server.get(&format!("/open?token={}", server.token));
    let cookie = reply.header("set-cookie").to_string();
    assert_eq!(reply.status, 200);
    assert!(cookie.contains("; HttpOnly") && cookie.contains("; SameSite=Strict") && !cookie.contains(&server.token));
    assert_eq!(reply.header("referrer-policy"), "no-referrer", "the token is in the address");
    // Used up; another browser needs a new one.
    assert_eq!(server.get(&format!("/open?token={}", server.token)).status, 403);
    server.new_address();
    assert!(server.get(&format!("/open?token={}", server.token)).header("set-cookie").starts_with(&cookie[..20]));
    server.cookie = cookie.split(';').next().unwrap().to_string();
    let reply = server.get("/");
    assert_eq!(reply.status, 200);
    assert!(reply.header("content-type").starts_with("text/html"));
    let policy = reply.header("content-security-policy");
    for part in ["default-src 'none'", "connect-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"] {
        assert!(policy.contains(part), "{policy}");
    }
    assert!(!policy.contains("unsafe"), "{policy}");
    assert_eq!(reply.header("x-content-type-options"), "nosniff");
    server.types("q");
    assert!(server.process.wait().unwrap().success());
}

#[test]
fn connections_that_ask_nothing_keep_nobody_out() {
    let server = Server::new();
    let silent: Vec<_> = (0..300).map(|_| std::net::TcpStream::connect(("127.0.0.1", server.port)).unwrap()).collect();
    let begin = Instant::now();
    assert_eq!(server.get("/api/list").status, 200);
    assert!(begin.elapsed() < Duration::from_secs(3), "{:?} beside {}", begin.elapsed(), silent.len());
}

#[test]
fn it_listens_on_the_loopback_address_only() {
    let server = Server::new();
    let port = format!(":{:04X}", server.port);
    let mut listening = Vec::new();
    for table in ["/proc/net/tcp", "/proc/net/tcp6"] {
        for line in fs::read_to_string(table).unwrap_or_default().lines().skip(1) {
            let fields: Vec<&str> = line.split_whitespace().collect();
            // 0A: it listens.
            if fields[1].ends_with(&port) && fields[3] == "0A" {
                listening.push(fields[1].to_string());
            }
        }
    }
    assert_eq!(listening, [format!("0100007F{port}")]);
}

#[test]
fn a_name_that_leads_here_and_a_page_of_another_site_are_refused() {
    let server = Server::with(&["--allow-host", "lab.example:8443"]);
    let cookie = format!("Cookie: {}\r\n", server.cookie);
    let own = server.host();
    let asked = |host: &str| server.get_as("/api/list", host, &cookie).status;
    assert_eq!([asked(&own), asked(&own.replace("127.0.0.1", "localhost")), asked("lab.example:8443")], [200; 3]);
    for host in ["evil.example", &format!("evil.example:{}", server.port), "lab.example", "127.0.0.1:1", "0.0.0.0"] {
        assert_eq!(asked(host), 421, "{host}");
    }
    let token = format!("/open?token={}", server.token);
    assert_eq!(server.get_as(&token, "evil.example", "").status, 421);
    assert_eq!(server.raw(format!("GET / HTTP/1.1\r\n{cookie}Connection: close\r\n\r\n").as_bytes()).status, 421);

    let hint = json!({ "name": NAME });
    let kind = "Content-Type: application/json\r\n";
    let posts = |more: &str| server.post_as("/api/hint", &hint, more).status;
    for origin in ["http://evil.example", "null", "http://127.0.0.1:1", "file://"] {
        assert_eq!(posts(&format!("Origin: {origin}\r\n{kind}")), 403, "{origin}");
    }
    assert_eq!(posts(kind), 403, "nobody says where it comes from");
    assert_eq!(posts(&format!("Origin: http://{own}\r\nContent-Type: text/plain\r\n")), 415);
    assert_eq!(posts(&format!("Origin: http://{own}\r\nSec-Fetch-Site: same-site\r\n{kind}")), 403);
    assert_eq!(server.get_as("/api/list", &own, &format!("{cookie}Origin: http://evil.example\r\n")).status, 403);
    assert!(server.learn(&["list"]).contains("missing_barrier") && !server.learn(&["list"]).contains("1 hint"));
    assert_eq!(posts(&format!("Origin: https://lab.example:8443\r\n{kind}")), 200);
    assert!(server.learn(&["list"]).contains("(1 hint)"), "progress is shared");
    // A request that changes something is never a plain link.
    for path in ["/api/hint", "/api/save", "/api/reset", "/api/solution"] {
        assert_eq!(server.get(&format!("{path}?name={NAME}")).status, 404);
    }
    let delete = format!(
        "DELETE /api/list HTTP/1.1\r\nHost: {own}\r\n{cookie}Origin: http://{own}\r\n{kind}Connection: close\r\n\r\n"
    );
    assert_eq!(server.raw(delete.as_bytes()).status, 405);
}
