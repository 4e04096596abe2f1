//! Admits only the browser to which the student has given the address, and no other page that is open in it.
//!
//! - The address holds a token. It works once, and the browser gets a cookie for it, which no script and no other site
//!   can use (RFC 6265bis, `HttpOnly`, `SameSite=Strict`).
//! - `Host` must name this server. A site whose name leads to 127.0.0.1 (DNS rebinding) sends its own.
//! - What changes something must come from a page of this server (`Origin`), and be JSON, which no form can send.

use http::header::{CONTENT_TYPE, COOKIE, HOST, ORIGIN};
use http::{HeaderMap, Method, StatusCode, Uri};
use hyper::http;
use std::sync::Mutex;

pub struct RequestGuard {
    /// Names under which this server is known, with their ports.
    hosts: Vec<String>,
    port: u16,
    /// The next token; `None` once it was used.
    token: Mutex<Option<String>>,
    /// The contents of the cookie.
    session: String,
}

/// Why not: a status, and what to say.
pub type RefusedRequest = (StatusCode, String);

impl RequestGuard {
    /// `allowed`: further names, as a forwarded port has them.
    pub fn new(port: u16, allowed: &[String]) -> std::io::Result<RequestGuard> {
        let own = ["127.0.0.1", "localhost"].map(|name| format!("{name}:{port}"));
        let hosts = own.into_iter().chain(allowed.iter().map(|name| name.to_ascii_lowercase())).collect();
        Ok(RequestGuard { hosts, port, token: Mutex::new(None), session: secret()? })
    }

    /// An address that works once, and that makes earlier ones useless.
    pub fn address(&self) -> std::io::Result<String> {
        let token = secret()?;
        let address = format!("http://127.0.0.1:{}/open?token={token}", self.port);
        *self.token.lock().unwrap_or_else(|error| error.into_inner()) = Some(token);
        Ok(address)
    }

    /// The cookie for a token, which is used up. Cookies do not tell ports apart, so its name does.
    pub fn exchange(&self, token: &str) -> Result<String, RefusedRequest> {
        let mut known = self.token.lock().unwrap_or_else(|error| error.into_inner());
        if !known.as_ref().is_some_and(|known| is_same(known, token)) {
            return Err((StatusCode::FORBIDDEN, say!("web-token")));
        }
        *known = None;
        Ok(format!("{}={}; Path=/; HttpOnly; SameSite=Strict", self.cookie(), self.session))
    }

    fn cookie(&self) -> String {
        format!("learn-{}", self.port)
    }

    /// True if a request was meant for this server.
    pub fn check_host(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), RefusedRequest> {
        let mut named = headers.get_all(HOST).iter();
        let is_known = |name: &str| self.hosts.iter().any(|host| name.eq_ignore_ascii_case(host));
        let host = named.next().and_then(|host| host.to_str().ok()).filter(|host| is_known(host));
        let is_whole = uri.authority().is_none_or(|authority| is_known(authority.as_str()));
        match (host, named.next()) {
            (Some(_), None) if is_whole => Ok(()),
            _ => Err((StatusCode::MISDIRECTED_REQUEST, say!("web-host"))),
        }
    }

    /// True if it comes from a browser that has been let in.
    pub fn has_cookie(&self, headers: &HeaderMap) -> bool {
        let all = headers.get_all(COOKIE).iter().filter_map(|cookie| cookie.to_str().ok());
        let mut pairs = all.flat_map(|cookies| cookies.split(';')).filter_map(|one| one.trim().split_once('='));
        pairs.any(|(name, value)| name == self.cookie() && is_same(&self.session, value))
    }

    pub fn check_cookie(&self, headers: &HeaderMap) -> Result<(), RefusedRequest> {
        if self.has_cookie(headers) { Ok(()) } else { Err((StatusCode::FORBIDDEN, say!("web-cookie"))) }
    }

    /// True if it comes from a page of this server. A browser always says so where something is to change.
    pub fn check_origin(&self, method: &Method, headers: &HeaderMap) -> Result<(), RefusedRequest> {
        let is_ours = |origin: &str| {
            let (scheme, host) = origin.split_once("://").unwrap_or_default();
            ["http", "https"].contains(&scheme) && self.hosts.iter().any(|known| host.eq_ignore_ascii_case(known))
        };
        let origins: Vec<&[u8]> = headers.get_all(ORIGIN).iter().map(|origin| origin.as_bytes()).collect();
        let is_right = match origins[..] {
            [] => method == Method::GET,
            [one] => std::str::from_utf8(one).is_ok_and(is_ours),
            _ => false,
        };
        let site = headers.get("sec-fetch-site").map(|site| site.as_bytes());
        if !is_right || !matches!(site, None | Some(b"same-origin" | b"none")) {
            return Err((StatusCode::FORBIDDEN, say!("web-origin")));
        }
        let is_json = || {
            let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
            kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
        };
        if method != Method::GET && !is_json() {
            return Err((StatusCode::UNSUPPORTED_MEDIA_TYPE, say!("web-no-json")));
        }
        Ok(())
    }
}

/// 256 bits that nobody can guess, in hexadecimal digits.
pub fn secret() -> std::io::Result<String> {
    let mut bytes = [0; 32];
    let filled = rustix::rand::getrandom(&mut bytes, rustix::rand::GetRandomFlags::empty())?;
    if filled != bytes.len() {
        return Err(std::io::Error::other("the system gave too few random bytes"));
    }
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Compares all of it, so that the time says nothing about where they differ.
fn is_same(secret: &str, given: &str) -> bool {
    let differing = secret.bytes().zip(given.bytes()).fold(0, |all, (a, b)| all | (a ^ b));
    secret.len() == given.len() && differing == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderValue;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(*name, HeaderValue::from_str(value).unwrap());
        }
        headers
    }

    fn guard() -> RequestGuard {
        RequestGuard::new(8080, &["Lab.example:443".to_string()]).unwrap()
    }

    #[test]
    fn a_token_works_once_and_a_new_one_ends_the_last() {
        let guard = guard();
        let token = |address: String| address.rsplit_once('=').unwrap().1.to_string();
        let first = token(guard.address().unwrap());
        let second = token(guard.address().unwrap());
        assert!(first != second && second.len() == 64);
        assert!(guard.exchange(&first).is_err() && guard.exchange("").is_err());
        let cookie = guard.exchange(&second).unwrap();
        assert!(guard.exchange(&second).is_err());
        assert!(cookie.starts_with("learn-8080=") && cookie.ends_with("; Path=/; HttpOnly; SameSite=Strict"));
        assert!(!cookie.contains(&second), "the address does not tell the cookie");
        let (pair, _) = cookie.split_once(';').unwrap();
        assert!(guard.has_cookie(&headers(&[("cookie", &format!("a=b; {pair}"))])));
        for wrong in ["learn-8080=", "learn-8080", &pair.replace("8080", "8081"), &pair[..pair.len() - 1], "a=b"] {
            assert!(guard.check_cookie(&headers(&[("cookie", wrong)])).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_request_must_name_this_server_once() {
        let guard = guard();
        let asked = |uri: &str, hosts: &[&str]| {
            let pairs: Vec<_> = hosts.iter().map(|host| ("host", *host)).collect();
            guard.check_host(&uri.parse().unwrap(), &headers(&pairs)).is_ok()
        };
        for host in ["127.0.0.1:8080", "localhost:8080", "LOCALHOST:8080", "lab.example:443"] {
            assert!(asked("/", &[host]), "{host}");
        }
        for host in ["127.0.0.1", "localhost:80", "evil.example:8080", "lab.example", "127.0.0.1:8080.evil.example", ""]
        {
            assert!(!asked("/", &[host]), "{host}");
        }
        assert!(!asked("/", &[]) && !asked("/", &["localhost:8080", "localhost:8080"]));
        assert!(!asked("http://evil.example/", &["localhost:8080"]));
        assert!(asked("http://localhost:8080/", &["localhost:8080"]));
    }

    #[test]
    fn what_changes_something_comes_from_a_page_of_this_server() {
        let guard = guard();
        let json = ("content-type", "application/json; charset=utf-8");
        let posts = |pairs: &[_]| guard.check_origin(&Method::POST, &headers(pairs)).map_err(|(status, _)| status);
        assert_eq!(posts(&[("origin", "http://127.0.0.1:8080"), json]), Ok(()));
        assert_eq!(posts(&[("origin", "https://lab.example:443"), json]), Ok(()));
        let not =
            ["null", "http://evil.example", "http://127.0.0.1:9999", "http://127.0.0.1:8080.evil", "127.0.0.1:8080"];
        for origin in not {
            assert_eq!(posts(&[("origin", origin), json]), Err(StatusCode::FORBIDDEN), "{origin}");
        }
        assert_eq!(posts(&[json]), Err(StatusCode::FORBIDDEN));
        let ours = ("origin", "http://localhost:8080");
        assert_eq!(posts(&[ours, ("sec-fetch-site", "cross-site"), json]), Err(StatusCode::FORBIDDEN));
        assert_eq!(posts(&[ours, ("sec-fetch-site", "same-origin"), json]), Ok(()));
        assert_eq!(posts(&[ours, ours, json]), Err(StatusCode::FORBIDDEN));
        assert_eq!(posts(&[ours, ("content-type", "text/plain")]), Err(StatusCode::UNSUPPORTED_MEDIA_TYPE));
        let gets = |pairs: &[_]| guard.check_origin(&Method::GET, &headers(pairs)).is_ok();
        assert!(gets(&[]) && gets(&[("sec-fetch-site", "none")]));
        assert!(!gets(&[("origin", "http://evil.example")]) && !gets(&[("sec-fetch-site", "same-site")]));
    }
}
