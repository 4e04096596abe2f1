//! Tests that a plain run finds bugs by running short launches again under other schedules, without false alarms or
//! side effects. Each kernel has a counterpart without the bug.

use kernel_build::Nvcc;
use serde_json::Value;
use std::fs;
use std::process::{Command, Output};

const KERNELS: &str = r#"
#include <cstdio>
// Thread 0 reads `here` while the other warps may still add to it.
template <bool WAITS> __global__ void last(int *mine, int *out) {
    __shared__ int here;
    if (threadIdx.x == 0) here = 0;
    __syncthreads();
    if (threadIdx.x % 32 == 0) mine[threadIdx.x / 32] = atomicAdd(&here, 1);
    if (WAITS) __syncthreads();
    if (threadIdx.x == 0) *out = here;
}
// Not all lanes need be together where the mask is asked for.
template <bool WHOLE> __global__ void sum(int *, int *out) {
    int value = threadIdx.x;
    unsigned mask = WHOLE ? 0xffffffff : __activemask();
    for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(mask, value, step);
    if (threadIdx.x == 0) *out = value;
}
// The last steps of a reduction as they were written before compute capability 7.0.
template <bool WAITS> __global__ void reduce(int *, int *out) {
    volatile __shared__ int part[64];
    int t = threadIdx.x;
    part[t] = t, part[t + 32] = 1;
    __syncwarp();
    for (int half = 32; half > 0; half /= 2) {
        int other = part[t + half];
        if (WAITS) __syncwarp();
        part[t] = part[t] + other;
        if (WAITS) __syncwarp();
    }
    if (t == 0) *out = part[0];
}
// Block 0 sends a message to block 1, which waits for the flag. All accesses are atomic, so no two race.
template <bool WIDE> __global__ void message(int *data, int *out) {
    int *flag = data + 1;
    if (blockIdx.x == 0) {
        atomicExch(data, 1);
        if (WIDE) __threadfence(); else __threadfence_block();
        atomicExch(flag, 1);
    } else {
        while (atomicAdd(flag, 0) == 0) {}
        if (WIDE) __threadfence(); else __threadfence_block();
        *out = atomicAdd(data, 0);
    }
}
// The same with volatile data. Its accesses are strong, too, but a fence of block scope orders none for the reader.
template <bool WIDE> __global__ void volatile_message(volatile int *data, int *out) {
    int *flag = (int *)data + 1;
    if (blockIdx.x == 0) {
        data[0] = 1;
        if (WIDE) __threadfence(); else __threadfence_block();
        atomicExch(flag, 1);
    } else {
        while (atomicAdd(flag, 0) == 0) {}
        if (WIDE) __threadfence(); else __threadfence_block();
        *out = data[0];
    }
}
__global__ void prints(int *a, int *out) { printf("kernel\n"); atomicAdd(a, 1); *out = atomicAdd(a + 1, 1); }
__global__ void allocates(int **kept) { *kept = (int *)malloc(4), **kept = 5; }
__global__ void uses(int **kept, int *out) { *out = **kept, free(*kept); }
__global__ void waits(volatile int *flag, int *out) { while (*flag == 0) {} *out = 1; }
int main() {
    int *a, *b, host;
    cudaMalloc(&a, 1024), cudaMalloc(&b, 1024), cudaMemset(a, 0, 1024);
"#;

const END: &str = "cudaMemcpy(&host, b, 4, cudaMemcpyDeviceToHost); printf(\"%d\\n\", host);\n}\n";

fn gpu_check(words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gpu-check"));
    command.args(["--lang", "en"]).args(words).env_remove("LESSON_DEVICE").output().expect("the command starts")
}

/// Runs a program with this `main`: its output, the report, and JSON.
fn run(main: &str, options: &[&str]) -> (Output, String, Value) {
    let place = tempfile::tempdir().unwrap();
    let (file, log) = (place.path().join("program.cu"), place.path().join("log.json"));
    fs::write(&file, format!("{KERNELS}{main}\n{END}")).unwrap();
    let (file, log) = (file.to_str().unwrap(), log.to_str().unwrap());
    let told = gpu_check(&[options, &[file]].concat());
    gpu_check(&[options, &["--format", "json", "--log-file", log, file]].concat());
    let text = String::from_utf8_lossy(&told.stderr).into_owned();
    let json = serde_json::from_str(&fs::read_to_string(log).unwrap_or_default()).expect(&text);
    (told, text, json)
}

fn errors(json: &Value) -> Vec<&str> {
    let findings = json["findings"].as_array().unwrap().iter();
    findings.filter(|one| one["isNote"] == false).map(|one| one["problem"]["rule"].as_str().unwrap()).collect()
}

/// A run in order finds none of these.
#[test]
fn a_plain_run_finds_what_other_schedules_show() {
    if skipped::unless(skipped::CUDA_COMPILER, &Nvcc::find()) {
        return;
    }
    for (broken, right, threads, slug) in [
        ("last<false>", "last<true>", 128, "race-shared"),
        ("sum<false>", "sum<true>", 32, "absent-lane"),
        ("reduce<false>", "reduce<true>", 32, "race-shared"),
    ] {
        let launch = |kernel: &str| format!("{kernel}<<<1, {threads}>>>(a, b);");
        let (told, text, json) = run(&launch(broken), &[]);
        let found = errors(&json);
        assert!(told.status.code() == Some(99) && !found.is_empty(), "{broken}: {text}");
        assert!(found.iter().all(|found| *found == slug), "{broken}: {text}");
        assert!(text.contains("one launch was checked under 3 schedules: "), "{broken}: {text}");

        let (told, text, json) = run(&launch(right), &[]);
        assert_eq!((told.status.code(), errors(&json)), (Some(0), vec![]), "{right}: {text}");
        assert!(text.contains("one launch was checked under 3 schedules: nothing found"), "{right}: {text}");
        assert_eq!(json["schedules"], serde_json::json!([{ "schedules": 3, "launches": 1 }]), "{right}");

        let (told, text, json) = run(&launch(broken), &["--schedules", "in-order"]);
        assert_eq!((told.status.code(), errors(&json)), (Some(0), vec![]), "{broken}: {text}");
        assert!(text.contains("one launch was checked: nothing found"), "{broken}: {text}");
    }
}

/// Runs under other schedules print nothing, change nothing, and do not wait for the host.
#[test]
fn the_program_sees_nothing_of_other_schedules() {
    if skipped::unless(skipped::CUDA_COMPILER, &Nvcc::find()) {
        return;
    }
    let host_flag = "int *flag; cudaHostAlloc(&flag, 4, cudaHostAllocMapped); *flag = 0; waits<<<1, 1>>>(flag, b); \
        cudaStreamQuery(0);\n\
                     *(volatile int *)flag = 1; cudaDeviceSynchronize();";
    for (main, prints) in [
        ("prints<<<1, 1>>>(a, b); prints<<<1, 1>>>(a, b);", "kernel\nkernel\n1\n"),
        ("allocates<<<1, 1>>>((int **)a); uses<<<1, 1>>>((int **)a, b);", "5\n"),
        (host_flag, "1\n"),
    ] {
        let (told, text, json) = run(main, &[]);
        assert_eq!((told.status.code(), errors(&json)), (Some(0), vec![]), "{main}: {text}");
        assert_eq!(String::from_utf8_lossy(&told.stdout), prints, "{main}: {text}");
    }
    for options in [&["--fast"][..], &["--kernel-name", "nobody"], &["--seeds", "1"]] {
        let (_, text, _) = run("last<false><<<1, 128>>>(a, b);", options);
        assert!(!text.contains("3 schedules") && !text.contains("error["), "{options:?}: {text}");
    }
}

/// Outputs that differ are never "nothing found". Volatile accesses that nothing orders explain them.
#[test]
fn outputs_that_differ_are_told_in_the_last_line() {
    if skipped::unless(skipped::CUDA_COMPILER, &Nvcc::find()) {
        return;
    }
    let options = ["--schedules", "in-order,adversarial", "--seeds", "4"];
    let (told, text, json) = run("reduce<false><<<1, 32>>>(a, b);", &options);
    assert!(told.status.code() == Some(99) && errors(&json).contains(&"race-shared"), "{text}");
    assert!(text.trim_end().lines().last().unwrap().contains("the output differs between schedules"), "{text}");
    let (told, text, json) = run("last<true><<<1, 128>>>(a, a); cudaMemcpy(b, a + 3, 4, cudaMemcpyDefault);", &options);
    assert_eq!((told.status.code(), errors(&json)), (Some(0), vec![]), "{text}");
    let last = text.trim_end().lines().last().unwrap();
    assert!(last.contains(": the output differs between schedules, in") && !text.contains("nothing found"), "{text}");
}

/// Notes on volatile accesses explain outputs that differ, also where something is known that is missing.
#[test]
fn a_message_by_volatile_accesses_needs_fences_that_reach_the_reader() {
    if skipped::unless(skipped::CUDA_COMPILER, &Nvcc::find()) {
        return;
    }
    let options = ["--schedules", "in-order,adversarial", "--seeds", "8"];
    let (told, text, json) = run("volatile_message<false><<<2, 1>>>(a, b);", &options);
    assert!(told.status.code() == Some(99) && errors(&json) == ["race-global"], "{text}");
    assert!(text.trim_end().lines().last().unwrap().contains("the output differs between schedules"), "{text}");
    let (told, text, json) = run("volatile_message<true><<<2, 1>>>(a, b);", &options);
    assert_eq!((told.status.code(), errors(&json)), (Some(0), vec![]), "{text}");
}

/// A fence that reaches its own block only orders nothing for another block. No data race says so: the answer does.
#[test]
fn a_message_by_atomic_operations_needs_fences_that_reach_the_reader() {
    if skipped::unless(skipped::CUDA_COMPILER, &Nvcc::find()) {
        return;
    }
    for (kernel, last) in [
        ("message<false>", "one launch was checked, in 9 runs: the output differs between schedules, in"),
        ("message<true>", "one launch was checked, in 9 runs: nothing found"),
    ] {
        let options = ["--schedules", "in-order,adversarial", "--seeds", "8"];
        let (told, text, json) = run(&format!("{kernel}<<<2, 1>>>(a, b);"), &options);
        assert_eq!((told.status.code(), errors(&json)), (Some(0), vec![]), "{kernel}: {text}");
        assert!(text.contains(last), "{kernel}: {text}");
        assert!(String::from_utf8_lossy(&told.stdout).ends_with("1\n"), "{kernel}: {text}");
    }
}
