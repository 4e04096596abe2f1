//! A judge whose processes are shell scripts.

use super::process::WALL_TIME_FACTOR;
use super::*;
use std::process::{Command, Stdio};
use std::time::Instant;

/// Runs a shell in place of a judging process. Returns its answer, and the time that it took.
fn asked(script: &str, time: Duration) -> (Result<String, String>, Duration) {
    let mut shell = Command::new("sh");
    let shell = shell.args(["-c", script]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let process = JudgeProcess::attach(shell, PathBuf::new()).unwrap();
    let begin = Instant::now();
    let mut judge = Judge::new(Path::new("sh"), Limits::default());
    let time_limit = TimeLimit::start(&process, time);
    judge.pending = Some(PendingTask { time_limit, is_built: false, shown: String::new() });
    judge.process = Some(process);
    let answer = loop {
        match judge.poll_line(POLL_INTERVAL) {
            Some(Ok(answer)) => break Ok(answer),
            Some(Err(NoAnswer::LimitReached(why))) => break Err(why),
            Some(Err(NoAnswer::Cancelled | NoAnswer::Failed(_))) => unreachable!(),
            None => {}
        }
    };
    (answer, begin.elapsed())
}

/// A student must not read a guess about the kernel's loops if it is the compiler that hangs.
#[test]
fn a_compiler_that_is_stuck_is_called_that() {
    let time = Duration::from_millis(200);
    let why = |script| asked(script, time).0.unwrap_err();
    assert!(why("while :; do :; done").contains("the compiler did not finish within 0 s"));
    assert!(why("echo compiled; while :; do :; done").contains("endless loop"));
    assert_eq!(asked("echo compiled; echo verdict", time).0, Ok("verdict\n".into()));
}

/// A newer save cancels the older judgement, whose answer is never taken for the newer one's.
#[test]
fn what_is_begun_ends_what_was_begun_before() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("judge");
    let script = "printf '#!/bin/sh\\nread task\\ncase $task in *first*) sleep 60;; esac\\necho verdict\\n' > \
        \"$0\" \
                  && chmod +x \"$0\"";
    assert!(Command::new("sh").args(["-c", script]).arg(&program).status().unwrap().success());
    let task = |shown: &str| -> Task {
        serde_json::from_str(&format!(
            r#"{{"catalog":"","exercise":"","file":"","shown":"{shown}","replay":null,"colour":false,"command":"",
                "is_built":false,"is_verbose":false}}"#,
        ))
        .unwrap()
    };
    let mut judge = Judge::new(&program, Limits::default());
    judge.begin(&task("first")).unwrap();
    let process = format!("/proc/{}", judge.process.as_ref().unwrap().process.id());
    assert!(judge.answer(Duration::ZERO).is_none() && Path::new(&process).exists());
    judge.begin(&task("second")).unwrap();
    assert!(!Path::new(&process).exists());
    // It is no JSON, and it is an answer.
    assert!(
        judge
            .answer(Duration::from_secs(30))
            .unwrap()
            .unwrap_err()
            .contains("the judging process answered something else")
    );
    assert!(judge.answer(Duration::ZERO).is_none(), "it is answered once");
}

/// A newer answer needs no fix of the last one.
#[test]
fn a_fix_is_asked_for_without_waiting_and_trying_it_ends_when_nobody_wants_it() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("judge");
    // Written by another process: what this one holds open, as long as another test's child does too, cannot be
    // run.
    let script = "printf '#!/bin/sh\\nread task\\nexec sleep 60\\n' > \"$0\" && chmod +x \"$0\"";
    assert!(Command::new("sh").args(["-c", script]).arg(&program).status().unwrap().success());
    let task: Task = serde_json::from_str(
        r#"{"catalog":"","exercise":"","file":"","shown":"","replay":null,"colour":false,"command":"",
            "is_built":false,"is_verbose":false}"#,
    )
    .unwrap();
    assert_eq!(task.asked, AnswerKind::Verdict, "a task that does not say is judged");
    let trying = Judge::new(&program, Limits::default()).try_fix(&task).unwrap();
    assert_eq!(trying.poll(Duration::ZERO), None);
    let process = format!("/proc/{}", trying.process.process.id());
    assert!(Path::new(&process).exists());
    drop(trying);
    assert!(!Path::new(&process).exists());
}

#[test]
fn time_is_a_processors_and_only_at_last_the_clocks() {
    let time = Duration::from_millis(500);
    // Kept waiting, it has used nothing.
    assert_eq!(asked("sleep 1; echo verdict", time).0, Ok("verdict\n".into()));
    assert!(asked("while :; do :; done", time).0.is_err());
    let (answer, passed) = asked("sleep 60", time);
    assert!(answer.is_err() && passed >= WALL_TIME_FACTOR * time, "{answer:?} after {passed:?}");
}
