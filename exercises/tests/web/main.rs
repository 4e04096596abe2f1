//! `cargo learn web`: who is let in, what can be reached, and that a student's work is safe.

mod client;
mod doors;

use client::{NAME, Server, command};
use learn::catalog::Catalog;
use learn::compile::Compiler;
use learn::sandbox;
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn has_no_compiler() -> bool {
    skipped::unless(skipped::CUDA_COMPILER, &Compiler::find())
}

fn solution() -> String {
    let catalog = Catalog::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("catalog")).unwrap();
    fs::read_to_string(catalog.find(NAME).unwrap().solution()).unwrap()
}

/// Right, and with four million types for the compiler, which takes too long.
fn slow() -> String {
    let tree = "template <int D, long P> struct Tree { Tree<D - 1, 2 * P> left; Tree<D - 1, 2 * P + 1> right; };\n\
                template <long P> struct Tree<0, P> {};\n__device__ Tree<22, 1> tree;\n";
    format!("{tree}{}", solution())
}

#[test]
fn a_solution_is_shown_and_that_is_noted() {
    let server = Server::new();
    let reply = server.post("/api/solution", &json!({ "name": NAME }));
    assert!(reply.json()["text"].as_str().unwrap().starts_with(&solution()), "{}", reply.body);
    let noted = fs::read_to_string(server.folder.path().join("mine/progress.toml")).unwrap();
    assert_eq!(noted.matches("saw_solution = true").count(), 1, "{noted}");
}

#[test]
fn nothing_outside_the_copies_is_read_or_written() {
    let server = Server::new();
    let place = server.folder.path();
    fs::create_dir(place.join("other")).unwrap();
    let outside = place.join("other/missing_barrier.cu");
    fs::write(&outside, "secret").unwrap();
    let names = [
        "../other/missing_barrier",
        "02_sync/../../other/missing_barrier",
        "..%2Fother%2Fmissing_barrier",
        "%2e%2e/other/missing_barrier",
        "..%252Fother%252Fmissing_barrier",
        "02_sync%5C..%5C..%5Cother%5Cmissing_barrier",
        "/etc/passwd",
        "%2Fetc%2Fpasswd",
        "02_sync/missing_barrier%00",
        "missing_barrier",
        "",
    ];
    for name in names.iter().map(|name| name.to_string()).chain([outside.display().to_string()]) {
        let reply = server.get(&format!("/api/exercise?name={name}"));
        assert_eq!(reply.status, 404, "{name}: {}", reply.body);
        assert_eq!(server.save(&name, "written", "missing").status, 404, "{name}");
        assert!(server.get(&format!("/run?name={name}&version=missing")).status == 404);
    }
    for path in ["/../etc/passwd", "/%2e%2e/etc/passwd", "/my-exercises/progress.toml", "//etc/passwd"] {
        assert_eq!(server.get(path).status, 404, "{path}");
    }
    // A link in place of the file, and in place of its folder.
    let version = server.version(NAME);
    let file = server.file(NAME);
    let secret = learn::progress::hash("secret");
    fs::remove_file(&file).unwrap();
    symlink(&outside, &file).unwrap();
    let is_refused = || {
        for of in [&version, &secret, "missing"] {
            assert_eq!(server.save(NAME, "written", of).status, 422);
        }
        for path in ["/api/exercise", "/api/now"] {
            let reply = server.get(&format!("{path}?name={NAME}"));
            assert!(
                reply.status == 422 && reply.body.contains("link") && !reply.body.contains("secret"),
                "{}",
                reply.body
            );
        }
        let reply = server.post("/api/reset", &json!({ "name": NAME }));
        assert_eq!(reply.status, 422, "{}", reply.body);
    };
    is_refused();
    let topic = file.parent().unwrap();
    fs::rename(topic, place.join("topic")).unwrap();
    symlink(place.join("other"), topic).unwrap();
    is_refused();
    assert_eq!(fs::read_to_string(&outside).unwrap(), "secret");
    assert_eq!(fs::read_dir(place.join("other")).unwrap().count(), 1);
}

/// `#include` names any file of the machine; the compiler's message would tell what is in it.
#[test]
fn an_answer_that_reads_other_files_is_judged_where_there_are_none() {
    if has_no_compiler() {
        return;
    }
    if !matches!(Compiler::find(), Ok(Compiler::Nvrtc(..))) || !sandbox::is_there() {
        skipped::because(skipped::SANDBOX, "it takes NVRTC, and Landlock in Linux");
        return;
    }
    let server = Server::new();
    let outside = server.folder.path().join("secret.txt");
    fs::write(&outside, "open_secret\n").unwrap();
    let text = format!("#include {:?}\n{}", outside.display().to_string(), solution());
    assert_eq!(server.save(NAME, &text, &server.version(NAME)).status, 200);
    let verdict = server.verdict(NAME);
    let told = verdict["told"].as_str().unwrap();
    assert_eq!(verdict["kinds"], json!(["compile"]));
    assert!(told.contains("secret.txt") && !told.contains("open_secret"), "{told}");
    // Inside of the folder it may.
    let near = server.folder.path().join("mine/02_sync/near.h");
    fs::write(&near, "near_and_read\n").unwrap();
    let text = format!("#include \"near.h\"\n{}", solution());
    assert_eq!(server.save(NAME, &text, &server.version(NAME)).status, 200);
    let verdict = server.verdict(NAME);
    assert!(verdict["told"].as_str().unwrap().contains("near_and_read"), "{verdict}");
}

#[test]
fn a_body_has_a_limit_and_a_file_too() {
    let server = Server::new();
    let (version, before) = (server.version(NAME), fs::read_to_string(server.file(NAME)).unwrap());
    let head = |more: &str| {
        let (host, cookie) = (server.host(), &server.cookie);
        format!(
            "POST /api/save HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\nOrigin: http://{host}\r\n\
             Content-Type: application/json\r\nConnection: close\r\n{more}\r\n\r\n"
        )
    };
    assert_eq!(server.raw(head("Content-Length: 99999999").as_bytes()).status, 413);
    let chunk = format!("100000\r\n{}\r\n", "x".repeat(1 << 20)).repeat(4);
    let reply = server.raw(format!("{}{chunk}0\r\n\r\n", head("Transfer-Encoding: chunked")).as_bytes());
    assert_eq!(reply.status, 413);
    assert_eq!(server.save(NAME, &"x".repeat(300 << 10), &version).status, 422);
    assert_eq!(server.post("/api/save", &json!([1])).status, 400);
    assert_eq!(server.post("/api/save", &json!({ "name": NAME, "path": "/etc/passwd" })).status, 400);
    assert_eq!(fs::read_to_string(server.file(NAME)).unwrap(), before);
}

#[test]
fn a_save_over_a_file_that_was_changed_meanwhile_is_refused() {
    let server = Server::new();
    let version = server.version(NAME);
    fs::write(server.file(NAME), "// theirs\n").unwrap();
    let reply = server.save(NAME, "// mine\n", &version);
    assert_eq!(reply.status, 409);
    let told = reply.json();
    assert_eq!(told["text"], "// theirs\n");
    assert_eq!(fs::read_to_string(server.file(NAME)).unwrap(), "// theirs\n");
    // Whoever has seen it may write over it.
    let reply = server.save(NAME, "// mine\n", told["version"].as_str().unwrap());
    assert_eq!((reply.status, fs::read_to_string(server.file(NAME)).unwrap()), (200, "// mine\n".into()));
    let version = reply.json()["version"].as_str().unwrap().to_string();
    assert_eq!(version, server.version(NAME));
    // The page hears of a change without asking again.
    let seen = server.wait(NAME, |now| now["is_judging"] == false);
    let begin = Instant::now();
    let change = std::thread::spawn({
        let file = server.file(NAME);
        move || {
            std::thread::sleep(Duration::from_millis(300));
            fs::write(file, "// theirs again\n").unwrap();
        }
    });
    let path = format!("/api/now?name={NAME}&seen={}&version={version}", seen["number"]);
    let now = server.get(&path).json();
    change.join().unwrap();
    assert!(now["version"] != version.as_str() && begin.elapsed() < Duration::from_secs(10), "{now}");
    // Reset keeps the work, and gives what was handed out.
    let reply = server.post("/api/reset", &json!({ "name": NAME }));
    assert_eq!(reply.status, 200, "{}", reply.body);
    assert!(reply.json()["said"].as_str().unwrap().contains("missing_barrier.mine-1.cu"));
    let kept = server.file(NAME).with_extension("mine-1.cu");
    assert_eq!(fs::read_to_string(kept).unwrap(), "// theirs again\n");
    assert!(reply.json()["exercise"]["text"].as_str().unwrap().contains("TODO"));
}

#[test]
fn a_verdict_marks_both_lines_of_a_race_and_progress_is_shared() {
    if has_no_compiler() {
        return;
    }
    let server = Server::new();
    let opened = server.get(&format!("/api/exercise?name={NAME}")).json();
    let text = opened["text"].as_str().unwrap();
    assert_eq!(text, fs::read_to_string(server.file(NAME)).unwrap());
    let verdict = server.verdict(NAME);
    assert_eq!((&verdict["passed"], &verdict["kinds"][0]), (&json!(false), &json!("race-shared")));
    let line_of = |code: &str| text.lines().position(|line| line.contains(code)).unwrap() as u64 + 1;
    let marked: Vec<u64> =
        verdict["marks"].as_array().unwrap().iter().map(|mark| mark["line"].as_u64().unwrap()).collect();
    assert!(
        marked.contains(&line_of("tile[i] = data[i]")) && marked.contains(&line_of("data[i] = tile[")),
        "{marked:?}"
    );
    assert!(verdict["line"].as_str().unwrap().contains("not solved yet"), "{verdict}");

    // The run that fails, as a page that may do nothing but run its own script.
    let page = server.get(&format!("/run?name={NAME}&version={}", opened["version"].as_str().unwrap()));
    assert_eq!(page.status, 200, "{}", page.body);
    assert!(page.header("content-security-policy").contains("sandbox allow-scripts"));
    assert!(page.body.contains("\"race-shared\"") && page.body.contains("turn_round") && page.body.contains("tile"));
    assert_eq!(server.get(&format!("/run?name={NAME}&version=other")).status, 404);

    // A hint in the terminal is a hint in the page.
    assert!(server.learn(&["hint", NAME]).contains("hint 1 of 3"));
    let hints = server.get(&format!("/api/exercise?name={NAME}")).json()["hints"]["taken"].clone();
    assert!(hints.as_array().unwrap().len() == 1 && hints[0].as_str().unwrap().contains("hint 1 of 3"), "{hints}");
    let reply = server.post("/api/hint", &json!({ "name": NAME })).json();
    assert_eq!(reply["taken"].as_array().unwrap().len(), 2);

    // As it was handed out it is no attempt. The second failure is worth a fix that was tried, after the verdict.
    for count in 1..=2 {
        assert_eq!(server.post("/api/judge", &json!({ "name": NAME })).status, 200);
        server.wait(NAME, |now| now["is_judging"] == false);
        assert_eq!(server.progress()["exercise"][NAME]["attempts"].as_integer(), Some(count));
    }
    let fixed = server.wait(NAME, |now| now["verdict"]["fix"]["is_over"] == true);
    assert!(fixed["verdict"]["fix"]["text"].as_str().unwrap().contains("__syncthreads();"), "{fixed}");

    assert!(!server.learn(&["list"]).contains("[x]"));
    assert_eq!(server.save(NAME, &solution(), &server.version(NAME)).status, 200);
    assert_eq!(server.verdict(NAME)["passed"], true);
    assert!(server.learn(&["list"]).contains("[x] missing_barrier"));
    let next = server.post("/api/next", &json!({ "name": NAME })).json();
    assert_eq!(next["name"], "02_sync/who_went_first");
}

#[test]
fn a_newer_save_ends_an_older_judgement() {
    if has_no_compiler() {
        return;
    }
    let server = Server::new();
    server.version(NAME);
    assert_eq!(server.verdict(NAME)["passed"], false);
    let before = server.progress()["exercise"][NAME]["attempts"].as_integer().unwrap();
    assert_eq!(server.save(NAME, &slow(), &server.version(NAME)).status, 200);
    server.wait(NAME, |now| now["is_judging"] == true);
    // Long enough to be at work, and not to be ready.
    std::thread::sleep(Duration::from_secs(2));
    assert!(server.get(&format!("/api/now?name={NAME}")).json()["is_judging"] == true, "it is not slow");
    let begin = Instant::now();
    let version = learn::progress::hash(&slow());
    assert_eq!(server.save(NAME, &solution(), &version).status, 200);
    assert_eq!(server.verdict(NAME)["passed"], true);
    assert!(begin.elapsed() < Duration::from_secs(15), "{:?}", begin.elapsed());
    let after = server.progress()["exercise"][NAME]["attempts"].as_integer().unwrap();
    assert_eq!(after, before + 1, "what was ended counts for nothing");
}

#[test]
fn a_file_that_was_deleted_names_reset_and_comes_back_by_it() {
    if has_no_compiler() {
        return;
    }
    let server = Server::new();
    server.version(NAME);
    assert_eq!(server.verdict(NAME)["passed"], false);
    fs::remove_file(server.file(NAME)).unwrap();
    server.version(NAME);
    let now = server.wait(NAME, |now| now.to_string().contains("is not there any more"));
    assert!(now.to_string().contains("reset missing_barrier` puts it back"), "{now}");
    assert_eq!(server.post("/api/reset", &json!({ "name": NAME })).status, 200);
    assert_eq!(server.verdict(NAME)["passed"], false);
}

#[test]
fn what_needs_no_compiler_is_answered_without_one() {
    let folder = tempfile::tempdir().unwrap();
    let mut starting = command(folder.path(), &["web", "--no-open"]);
    let none = folder.path().join("none");
    fs::create_dir(&none).unwrap();
    starting.env("PATH", &none).env("HOME", &none).env("XDG_CACHE_HOME", &none).env("NVRTC", none.join("none.so"));
    for name in ["NVCC", "CUDA_HOME", "CUDA_PATH"] {
        starting.env_remove(name);
    }
    let mut server = Server::start(folder, starting);
    server.cookie = server.get(&format!("/open?token={}", server.token)).header("set-cookie").to_string();
    server.cookie.truncate(server.cookie.find(';').unwrap());
    let list = server.get("/api/list").json();
    if list["missing"] == Value::Null {
        skipped::because(skipped::WITHOUT, "a compiler is found wherever it is looked for");
        return;
    }
    assert!(list["missing"].as_str().unwrap().contains("cargo toolkit install"), "{list}");
    server.version(NAME);
    let verdict = server.verdict(NAME);
    assert!(verdict["told"].as_str().unwrap().contains("cargo toolkit install"), "{verdict}");
    let puzzle = "02_sync/who_went_first";
    let opened = server.get(&format!("/api/exercise?name={puzzle}")).json();
    assert_eq!(opened["questions"].as_array().unwrap().len(), 5);
    let text = opened["text"].as_str().unwrap();
    let mut answers = ["63", "63", "0", "0", "race-global"].iter();
    let filled: String = text
        .lines()
        .map(|line| match line.strip_suffix("ANSWER: ?") {
            Some(begin) => format!("{begin}ANSWER: {}\n", answers.next().unwrap()),
            None => format!("{line}\n"),
        })
        .collect();
    assert_eq!(server.save(puzzle, &filled, opened["version"].as_str().unwrap()).status, 200);
    let verdict = server.verdict(puzzle);
    assert!(verdict["told"].as_str().unwrap().contains("right data[0]"), "{verdict}");
}

#[test]
fn a_port_that_is_taken_and_a_folder_that_cannot_be_made_are_named() {
    let server = Server::new();
    let place = tempfile::tempdir().unwrap();
    let port = server.port.to_string();
    let output = command(place.path(), &["web", "--no-open", "--port", &port]).stdin(Stdio::null()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(2) && said.contains(&port) && said.contains("another program"), "{said}");
    let words = ["web", "--no-open", "--allow-host", "http://lab.example/"];
    let output = command(place.path(), &words).stdin(Stdio::null()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(2) && said.contains("lab.example:8443"), "{said}");
    fs::remove_dir_all(place.path().join("mine")).unwrap();
    fs::write(place.path().join("mine"), "a file where the folder should be").unwrap();
    let output = command(place.path(), &["web", "--no-open"]).stdin(Stdio::null()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(2) && said.contains("cannot create"), "{said}");
}

/// A limit on the size of files stands for a full disk.
#[test]
fn a_full_disk_is_named_and_costs_no_work() {
    let folder = tempfile::tempdir().unwrap();
    assert!(command(folder.path(), &["list"]).stdout(Stdio::null()).status().unwrap().success());
    let mut starting = Command::new("sh");
    let script = "trap '' XFSZ; ulimit -f 0; exec \"$0\" --dir \"$1\" web --no-open";
    starting.env("LESSON_LANG", "en").args(["-c", script, env!("CARGO_BIN_EXE_learn")]).arg(folder.path().join("mine"));
    // On that disk too: without a compiler the first line goes there.
    starting.env("NVRTC", "/nonexistent").stderr(fs::File::create(folder.path().join("stderr")).unwrap());
    let mut server = Server::start(folder, starting);
    server.cookie = server.get(&format!("/open?token={}", server.token)).header("set-cookie").to_string();
    server.cookie.truncate(server.cookie.find(';').unwrap());
    let before = fs::read_to_string(server.file(NAME)).unwrap();
    let reply = server.save(NAME, "// mine\n", &learn::progress::hash(&before));
    assert!(reply.status == 422 && reply.body.contains("free some space"), "{}", reply.body);
    assert_eq!(fs::read_to_string(server.file(NAME)).unwrap(), before);
    let names = fs::read_dir(server.file(NAME).parent().unwrap()).unwrap();
    assert!(names.flatten().all(|entry| !entry.file_name().to_string_lossy().contains("web-")));
}

#[test]
fn a_save_that_two_programs_judge_counts_once() {
    if has_no_compiler() {
        return;
    }
    let server = Server::new();
    server.version(NAME);
    assert_eq!(server.verdict(NAME)["passed"], false);
    // Another page of the same folder, as the terminal's watch is another program.
    let mut other = Server::start(tempfile::tempdir().unwrap(), command(server.folder.path(), &["web", "--no-open"]));
    let reply = other.get(&format!("/open?token={}", other.token));
    other.cookie = reply.header("set-cookie").split_once(';').expect("a cookie").0.to_string();
    let attempts = || server.progress()["exercise"][NAME]["attempts"].as_integer().unwrap();
    for (changed, count) in [("", 0), ("// again\n", 1)] {
        let text = fs::read_to_string(server.file(NAME)).unwrap() + changed;
        assert_eq!(server.save(NAME, &text, &server.version(NAME)).status, 200);
        assert_eq!(server.verdict(NAME)["passed"], false);
        other.version(NAME);
        assert_eq!(other.verdict(NAME)["passed"], false);
        assert_eq!(attempts(), count);
    }
    // A student who asks for a verdict has tried once more.
    assert_eq!(other.post("/api/judge", &json!({ "name": NAME })).status, 200);
    other.wait(NAME, |now| now["is_judging"] == false);
    assert_eq!(attempts(), 2);
}

#[test]
fn an_interrupt_leaves_no_temporary_files() {
    if has_no_compiler() {
        return;
    }
    for signal in ["INT", "TERM", "HUP"] {
        let folder = tempfile::tempdir().unwrap();
        let temporary = folder.path().join("temporary");
        fs::create_dir(&temporary).unwrap();
        let left = || fs::read_dir(&temporary).unwrap().count();
        let mut starting = command(folder.path(), &["web", "--no-open"]);
        starting.env("TMPDIR", &temporary);
        let mut server = Server::start(folder, starting);
        let reply = server.get(&format!("/open?token={}", server.token));
        server.cookie = reply.header("set-cookie").split_once(';').expect("a cookie").0.to_string();
        server.version(NAME);
        server.verdict(NAME);
        assert_ne!(left(), 0, "a judge has a folder");
        let sent = Command::new("kill").args(["-s", signal, &server.process.id().to_string()]).status().unwrap();
        assert!(sent.success() && server.process.wait().unwrap().success(), "{signal}");
        assert_eq!(left(), 0, "{signal}");
    }
}
