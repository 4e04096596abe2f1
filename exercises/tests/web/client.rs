//! `cargo learn web` started as a student starts it, and asked over a plain connection: no client library sends what an
//! attacker would.

use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

pub const NAME: &str = "02_sync/missing_barrier";

/// A server with a folder of its own; the catalogue is the course's.
pub struct Server {
    pub folder: tempfile::TempDir,
    pub process: Child,
    input: ChildStdin,
    /// Lines that it prints.
    output: Receiver<String>,
    pub port: u16,
    pub token: String,
    /// `name=value`, once it was let in.
    pub cookie: String,
}

pub struct Reply {
    pub status: u16,
    /// With names in small letters.
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl Reply {
    pub fn header(&self, name: &str) -> &str {
        self.headers.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }
}

pub fn command(folder: &std::path::Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_learn"));
    command.env("LESSON_LANG", "en").arg("--dir").arg(folder.join("mine")).args(words);
    command
}

impl Server {
    /// Started, and the browser is let in.
    pub fn new() -> Server {
        Server::with(&[])
    }

    pub fn with(words: &[&str]) -> Server {
        let folder = tempfile::tempdir().unwrap();
        let command = command(folder.path(), &[&["web", "--no-open"], words].concat());
        let mut server = Server::start(folder, command);
        let reply = server.get(&format!("/open?token={}", server.token));
        let (pair, _) = reply.header("set-cookie").split_once(';').expect("a cookie");
        server.cookie = pair.to_string();
        server
    }

    pub fn start(folder: tempfile::TempDir, mut command: Command) -> Server {
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let (sender, output) = channel();
        std::thread::spawn(move || lines.map_while(Result::ok).try_for_each(|line| sender.send(line)));
        let input = process.stdin.take().unwrap();
        let (port, token, cookie) = (0, String::new(), String::new());
        let mut server = Server { folder, process, input, output, port, token, cookie };
        server.read_address();
        server
    }

    fn read_address(&mut self) {
        loop {
            let line = self.output.recv_timeout(Duration::from_secs(60)).expect("no address is printed");
            if let Some((_, rest)) = line.split_once("http://127.0.0.1:") {
                let (port, token) = rest.split_once("/open?token=").expect("an address with a token");
                (self.port, self.token) = (port.parse().unwrap(), token.trim().to_string());
                return;
            }
        }
    }

    /// Types a line into its terminal.
    pub fn types(&mut self, line: &str) {
        writeln!(self.input, "{line}").unwrap();
    }

    pub fn new_address(&mut self) {
        self.types("");
        self.read_address();
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join("mine").join(name).with_extension("cu")
    }

    /// Exactly these bytes; the connection is closed after the answer.
    pub fn raw(&self, request: &[u8]) -> Reply {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(90))).unwrap();
        // A server that has heard enough does not listen to the rest.
        let _ = stream.write_all(request);
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer: {text:?}"));
        let mut lines = head.lines();
        let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        let pair = |line: &str| {
            let (name, value) = line.split_once(':').unwrap();
            (name.to_ascii_lowercase(), value.trim().to_string())
        };
        Reply { status, headers: lines.map(pair).collect(), body: body.to_string() }
    }

    pub fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    pub fn get(&self, path: &str) -> Reply {
        self.get_as(path, &self.host(), &format!("Cookie: {}\r\n", self.cookie))
    }

    pub fn get_as(&self, path: &str, host: &str, more: &str) -> Reply {
        self.raw(format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{more}\r\n").as_bytes())
    }

    pub fn post(&self, path: &str, body: &Value) -> Reply {
        let origin = format!("http://{}", self.host());
        self.post_as(path, body, &format!("Origin: {origin}\r\nContent-Type: application/json\r\n"))
    }

    pub fn post_as(&self, path: &str, body: &Value, more: &str) -> Reply {
        let (host, cookie, body) = (self.host(), &self.cookie, body.to_string());
        let head = format!("POST {path} HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\nConnection: close\r\n{more}");
        self.raw(format!("{head}Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes())
    }

    /// The version of an exercise's file.
    pub fn version(&self, name: &str) -> String {
        let reply = self.get(&format!("/api/exercise?name={name}"));
        assert_eq!(reply.status, 200, "{}", reply.body);
        reply.json()["version"].as_str().unwrap().to_string()
    }

    pub fn save(&self, name: &str, text: &str, version: &str) -> Reply {
        self.post("/api/save", &serde_json::json!({ "name": name, "text": text, "version": version }))
    }

    /// Returns the state of an exercise, once `is_it` says so.
    pub fn wait(&self, name: &str, is_it: impl Fn(&Value) -> bool) -> Value {
        let end = Instant::now() + Duration::from_secs(120);
        let mut path = format!("/api/now?name={name}");
        loop {
            let reply = self.get(&path);
            assert_eq!(reply.status, 200, "{}", reply.body);
            let now = reply.json();
            if is_it(&now) {
                return now;
            }
            assert!(Instant::now() < end, "{now}");
            let version = now["version"].as_str().unwrap();
            path = format!("/api/now?name={name}&seen={}&version={version}", now["number"]);
        }
    }

    /// The verdict on what the file holds now.
    pub fn verdict(&self, name: &str) -> Value {
        let is_done = |now: &Value| now["is_judging"] == false && now["verdict"]["version"] == now["version"];
        self.wait(name, is_done)["verdict"].clone()
    }

    /// Returns the output of another `cargo learn` with the same folder.
    pub fn learn(&self, words: &[&str]) -> String {
        let output = command(self.folder.path(), words).stdin(Stdio::null()).output().unwrap();
        String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()
    }

    pub fn progress(&self) -> toml::Table {
        let text = std::fs::read_to_string(self.folder.path().join("mine/progress.toml")).unwrap();
        text.parse().unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It has mostly been asked to end.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
