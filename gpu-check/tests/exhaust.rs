//! Tests of `--exhaust`: all executions of a program's launches.

use kernel_build::Nvcc;
use serde_json::Value;
use std::fs;
use std::process::{Command, Output};

const KERNELS: &str = r#"
// Each thread takes the lock once, so there are as many executions as orders of the threads.
__global__ void locked(int *lock, int *sum) {
    while (atomicCAS(lock, 0, 1) != 0) {}
    __threadfence();
    *sum = 2 * *sum + threadIdx.x;
    __threadfence();
    atomicExch(lock, 0);
}
// Races only where thread 1 sees the first number.
__global__ void rare(int *count, int *out) {
    int number = atomicAdd(count, 1);
    if (threadIdx.x == 0 || number == 0) *out = threadIdx.x;
}
__global__ void fill(int *out, int value) { out[blockIdx.x * blockDim.x + threadIdx.x] = value; }
// Thread 0 waits for the other, which waits for it.
__global__ void waits(volatile int *flags) { while (flags[1 - threadIdx.x] == 0) {} flags[threadIdx.x] = 1; }
// Without fences thread 1 may see the second write and not the first.
__global__ void passes(volatile int *first, volatile int *second) {
    if (threadIdx.x == 0) { *first = 1; *second = 1; }
    else { int later = *second, earlier = *first; if (later == 1 && earlier == 0) __trap(); }
}
int main() {
    int *a, *b, *flag;
    cudaMalloc(&a, 8192), cudaMalloc(&b, 8192), cudaMemset(a, 0, 8192), cudaMemset(b, 0, 8192);
"#;

fn gpu_check(words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gpu-check"));
    command.args(["--no-try"]).args(words).env_remove("LESSON_DEVICE").output().expect("the command starts")
}

/// The outcome of a program under `--exhaust`.
struct Explored {
    status: Option<i32>,
    text: String,
    json: Value,
}

impl Explored {
    /// Runs a program with this `main`.
    fn of(main: &str, options: &[&str]) -> Explored {
        let place = tempfile::tempdir().unwrap();
        let (file, log) = (place.path().join("program.cu"), place.path().join("log.json"));
        fs::write(&file, format!("{KERNELS}{main}\n    return cudaDeviceSynchronize();\n}}\n")).unwrap();
        let (file, log) = (file.to_str().unwrap(), log.to_str().unwrap());
        let output = gpu_check(&[&["--lang", "en"], options, &[file]].concat());
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        gpu_check(&[options, &["--format", "json", "--log-file", log, file]].concat());
        let json = serde_json::from_str(&fs::read_to_string(log).unwrap_or_default()).expect(&text);
        Explored { status: output.status.code(), text, json }
    }

    fn rows(&self) -> &[Value] {
        self.json["exhausted"].as_array().unwrap()
    }

    #[track_caller]
    fn assert_says(&self, words: &str) {
        assert!(self.text.contains(words), "{words}: {}", self.text);
    }
}

#[test]
fn a_lock_has_an_execution_for_each_order_of_its_threads() {
    if skipped::unless(skipped::CUDA_COMPILER, &Nvcc::find()) {
        return;
    }
    let found = Explored::of("locked<<<1, 2>>>(a, b); locked<<<3, 1>>>(a, b);", &["--exhaust"]);
    assert_eq!(found.status, Some(0), "{}", found.text);
    found.assert_says("locked<<<1, 2>>>: all 2 executions: no data race, 2 different results\n");
    found.assert_says("locked<<<3, 1>>>: all 6 executions: no data race, one result\n");
    assert_eq!((found.rows().len(), &found.json["outcome"]), (2, &Value::from("nothing-found")));
}

#[test]
fn a_race_in_some_executions_is_found_with_its_lines() {
    if skipped::unless(skipped::CUDA_COMPILER, &Nvcc::find()) {
        return;
    }
    let found = Explored::of("rare<<<1, 2>>>(a, b); fill<<<1, 4>>>(b, 1);", &["--exhaust", "--schedules", "in-order"]);
    assert_eq!(found.status, Some(99), "{}", found.text);
    found.assert_says("rare<<<1, 2>>>: 1 of 2 executions is wrong (1 with a data race), 2 different results\n");
    found.assert_says("program.cu:13, made by two threads\n");
    // Thread 1 comes first: both write only then.
    found.assert_says(
        "    the simplest wrong execution:
      thread 1  program.cu:12  updates A from 0 to 1
      thread 1  program.cu:13  writes B = 1
      thread 0  program.cu:12  updates A from 1 to 2
      thread 0  program.cu:13  writes B = 0
",
    );
    found.assert_says("fill<<<1, 4>>>: its one execution: no data race, one result\n");
    found.assert_says("2 launches of 2 kernels were checked: one error");
    let row = &found.rows()[0];
    assert_eq!((&row["races"], &row["complete"]), (&Value::from(1), &Value::from(true)), "{row}");
    assert_eq!(row["racing"][0]["accesses"][0]["line"], 13, "{row}");
    let step = serde_json::json!({ "block": 0, "thread": 1, "does": "write", "word": "B", "value": 1 });
    let mut written = row["simplest"]["steps"][1].clone();
    ["file", "line"].iter().for_each(|place| drop(written.as_object_mut().and_then(|step| step.remove(*place))));
    assert_eq!(written, step, "{row}");
    let plain = Explored::of("rare<<<1, 2>>>(a, b);", &["--schedules", "in-order"]);
    assert_eq!((plain.status, plain.rows().len()), (Some(0), 0), "{}", plain.text);
}

#[test]
fn a_launch_that_is_not_explored_says_why() {
    if skipped::unless(skipped::CUDA_COMPILER, &Nvcc::find()) {
        return;
    }
    let main = "for (int i = 0; i < 5; i++) fill<<<1, 8>>>(b, i); fill<<<2, 1024>>>(b, 1);";
    let found = Explored::of(main, &["--exhaust"]);
    assert_eq!(found.status, Some(0), "{}", found.text);
    found.assert_says("fill<<<1, 8>>>: its one execution: no data race, one result (3 launches)\n");
    found.assert_says("fill<<<1, 8>>>: not explored: the same launch was explored three times (2 launches)\n");
    found.assert_says("fill<<<2, 1024>>>: not explored: it has more than 1,024 threads\n");

    let host = "cudaHostAlloc(&flag, 8, cudaHostAllocMapped); waits<<<1, 2>>>(a);";
    let found = Explored::of(host, &["--exhaust=2"]);
    found.assert_says("waits<<<1, 2>>>: not explored: it may wait for the host");
}

#[test]
fn a_launch_that_never_ends_is_wrong() {
    if skipped::unless(skipped::CUDA_COMPILER, &Nvcc::find()) {
        return;
    }
    let found = Explored::of("waits<<<1, 2>>>(a);", &["--exhaust"]);
    assert_eq!(found.status, Some(99), "{}", found.text);
    found.assert_says("waits<<<1, 2>>>: no execution ends\n");
    found.assert_says("one launch was checked: one error");
}

#[test]
fn a_trap_ends_an_execution() {
    if skipped::unless(skipped::CUDA_COMPILER, &Nvcc::find()) {
        return;
    }
    let found = Explored::of("passes<<<1, 2>>>(a, b);", &["--exhaust"]);
    assert_eq!(found.status, Some(99), "{}", found.text);
    found.assert_says(
        "passes<<<1, 2>>>: 1 of 4 executions is wrong (1 with a trap or a failed assertion), one result\n",
    );
    found.assert_says("      Then a thread traps, or its assertion fails.\n");
    let simplest = &found.rows()[0]["simplest"];
    assert_eq!((&simplest["trapped"], &simplest["endless"]), (&Value::from(true), &Value::from(false)));
}

/// nvcc loads `total` in all threads, and only one uses it.
#[test]
fn a_race_of_a_load_that_was_moved_is_told_and_is_not_wrong() {
    if skipped::unless(skipped::CUDA_COMPILER, &Nvcc::find()) {
        return;
    }
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs/speculated_load.cu");
    let output = gpu_check(&["--lang", "en", "--exhaust=3", "--schedules", "in-order", file]);
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.contains(" with a race of a load whose value may be unused\n"), "{text}");
}
