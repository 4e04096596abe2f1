//! `--exhaust`: all executions of a few threads.

use serde_json::Value;
use std::process::Command;

/// The searches of a row at one size, by kernel.
fn exhausted(row: &str, n: u32) -> Vec<Value> {
    exhausted_with(row, n, &[])
}

fn exhausted_with(row: &str, n: u32, options: &[&str]) -> Vec<Value> {
    let n = n.to_string();
    let run = Command::new(env!("CARGO_BIN_EXE_lesson04-atomics"))
        .args(["--exhaust", "--only", row, "--n", &n, "--format", "json"])
        .args(options)
        .output()
        .expect("the lesson starts");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let object: Value = serde_json::from_slice(&run.stdout).expect("one object");
    object["exhausted"].as_array().expect("a list").clone()
}

#[test]
fn a_lock_is_right_in_every_order_of_its_threads() {
    for (threads, orders) in [(2, 2), (3, 6)] {
        for kernel in exhausted("lock", threads) {
            let name = kernel["kernel"].as_str().expect("a name");
            assert_eq!(kernel["complete"], true, "{kernel}");
            match name {
                "lock_broken" => assert_eq!(kernel["races"], kernel["executions"], "{kernel}"),
                // A warp adds its values before one lane takes the lock.
                "lock_warp" => {
                    assert_eq!((&kernel["wrong"], &kernel["executions"]), (&0.into(), &2.into()), "{kernel}")
                }
                _ => assert_eq!((&kernel["wrong"], &kernel["executions"]), (&0.into(), &orders.into()), "{kernel}"),
            }
        }
    }
}

#[test]
fn additions_that_lose_each_other_are_counted() {
    for kernel in exhausted("counter", 2) {
        let is_broken = kernel["kernel"] == "counter_broken";
        assert_eq!(kernel["wrong"].as_u64().expect("a number") > 0, is_broken, "{kernel}");
        assert_eq!(kernel["complete"], true, "{kernel}");
    }
}

#[test]
fn the_simplest_wrong_execution_is_told_step_by_step() {
    let counter = exhausted("counter", 2).into_iter().find(|kernel| kernel["kernel"] == "counter_broken");
    let simplest = &counter.expect("a row of the lesson")["simplest"];
    assert_eq!(simplest["sequential"], true, "{simplest}");
    let steps = simplest["steps"].as_array().expect("a list");
    let told = steps.iter().map(|step| (step["does"].as_str().expect("a word"), step["value"].as_i64()));
    let lost = [("read", Some(0)), ("read", Some(0)), ("write", Some(1)), ("write", Some(1))];
    assert_eq!(told.collect::<Vec<_>>(), lost, "{simplest}");
    assert!(steps.iter().all(|step| step["line"].is_u64() && step["word"] == "A"), "{simplest}");
}

/// The lost addition needs two threads in turns, and the lock without fences an older value.
#[test]
fn the_simplest_wrong_execution_is_a_run_that_can_be_made_again() {
    for (row, wrong) in [("counter", "got 1, expected 2"), ("lock", "got -5, expected -3")] {
        let broken = exhausted(row, 2).into_iter().find(|kernel| kernel["kernel"] == format!("{row}_broken"));
        let broken = broken.expect("a row of the lesson");
        let token = broken["simplest"]["replay"].as_str().expect("a token");
        let run = Command::new(env!("CARGO_BIN_EXE_lesson04-atomics"))
            .args(["--replay", token, "--format", "json"])
            .output()
            .expect("the lesson starts");
        let text = String::from_utf8_lossy(&run.stdout);
        assert!(text.contains(wrong), "{token}: {text} {}", String::from_utf8_lossy(&run.stderr));
    }
}

#[test]
fn synchronisation_that_is_not_needed_is_named() {
    for kernel in exhausted_with("lock", 2, &["--lean"]) {
        let needless = kernel["needless"].as_array().into_iter().flatten();
        let fences = needless.filter(|it| it["instruction"] == "membar.gl").map(|it| it["change"].clone());
        let fences: Vec<Value> = fences.collect();
        match kernel["kernel"].as_str().expect("a name") {
            // Both threads are in one block. Without the fences the sum is raced for.
            "lock_correct" => assert_eq!(fences, ["block-scope", "block-scope"], "{kernel}"),
            "lock_broken" => assert!(kernel["needless"].is_null(), "{kernel}"),
            _ => {}
        }
    }
}
