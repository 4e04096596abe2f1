//! `--exhaust` of kernels that the search does not know.

use serde_json::Value;
use std::process::Command;

/// `tile_bytes` does not end in order either. That must not count as an execution of its own.
#[test]
fn a_kernel_with_a_barrier_object_is_not_explored() {
    let run = Command::new(env!("CARGO_BIN_EXE_lesson07-beyond-the-block"))
        .args(["--exhaust", "--only", "tile", "--n", "512", "--format", "json"])
        .output()
        .expect("the lesson starts");
    let object: Value = serde_json::from_slice(&run.stdout).expect("one object");
    let kernels = object["exhausted"].as_array().expect("a list");
    assert_eq!(kernels.len(), 6);
    for kernel in kernels {
        assert_eq!((&kernel["refused"], &kernel["executions"]), (&"barrier-object".into(), &0.into()), "{kernel}");
    }
}
