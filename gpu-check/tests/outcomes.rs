//! Tests of how a run's outcome is told: found (99), not checked (98), or the program's own status. A refusal of ours
//! is never told as the program's bug, and neither is what follows from it.

use kernel_build::Nvcc;
use serde_json::Value;
use std::fs;
use std::process::{Command, Output};

/// Kernels of the programs below. `fill` cannot run on the emulated GPU: it stores to several GPUs at once.
const KERNELS: &str = r#"
#include <cassert>
#include <cstdio>
__global__ void fill(int *out) {
    asm volatile("multimem.st.relaxed.sys.global.u32 [%0], %1;" ::"l"(out + threadIdx.x), "r"(threadIdx.x) : "memory");
}
// Right if the elements of `from` are 0 to 255.
__global__ void scatter(const int *from, int *to) { to[from[threadIdx.x]] = threadIdx.x; }
__global__ void waits(volatile int *flag) { while (flag[1] == 0) {} }
__global__ void checks(const int *from) { if (from[5] != 5) __trap(); }
__global__ void asserts(const int *from) { printf("reads\n"), assert(from[5] == 5); }
__global__ void right(int *out) { out[threadIdx.x] = threadIdx.x; }
__global__ void races(int *out) { out[0] = out[0] + threadIdx.x; }
__global__ void copies(const int *from, int *to) { to[threadIdx.x] = from[threadIdx.x]; }
__global__ void adds(int *out) { atomicAdd(&out[threadIdx.x], 1); }
__global__ void counts(int *out, long n) { int x = 0; for (long i = 0; i < n; i++) x = x * 5 + i; *out = x; }
int main() {
    int *a, *b, host[256];
    cudaMalloc(&a, 1024), cudaMalloc(&b, 1024);
"#;

struct Told {
    output: Output,
    json: Value,
}

impl Told {
    fn status(&self) -> Option<i32> {
        self.output.status.code()
    }

    fn slugs(&self) -> Vec<&str> {
        let findings = self.json["findings"].as_array().unwrap().iter();
        findings.filter(|one| one["isNote"] == false).map(|one| one["problem"]["rule"].as_str().unwrap()).collect()
    }
}

fn gpu_check(words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gpu-check"));
    command.args(["--lang", "en", "--no-try", "--nvcc-flags=-arch=sm_90"]).args(words);
    command.env_remove("LESSON_DEVICE").output().expect("the command starts")
}

/// Runs a program with this `main`, once for its text and once for JSON.
fn run(main: &str, options: &[&str]) -> (Told, String) {
    let place = tempfile::tempdir().unwrap();
    let (file, log) = (place.path().join("program.cu"), place.path().join("log.json"));
    fs::write(&file, format!("{KERNELS}{main}\n}}\n")).unwrap();
    let (file, log) = (file.to_str().unwrap(), log.to_str().unwrap());
    let text = gpu_check(&[options, &[file]].concat());
    let text = String::from_utf8_lossy(&text.stderr).into_owned();
    let output = gpu_check(&[options, &["--format", "json", "--log-file", log, file]].concat());
    let json = serde_json::from_str(&fs::read_to_string(log).unwrap_or_default()).expect(&text);
    (Told { output, json }, text)
}

/// The last line of a report.
fn last(text: &str) -> &str {
    text.trim_end().lines().last().unwrap_or_default()
}

#[test]
fn a_refusal_is_the_outcome_whatever_the_program_does() {
    if skipped::unless(skipped::CUDA_COMPILER, &Nvcc::find()) {
        return;
    }
    let launch = "`fill`";
    for (main, what) in [
        // The status is the program's own: 0, or that it noticed, or that it crashed.
        ("fill<<<1, 256>>>(a);", launch),
        ("fill<<<1, 256>>>(a); if (cudaGetLastError()) return 5;", launch),
        ("fill<<<1, 256>>>(a); *(volatile int *)1 = 0;", launch),
        // After a launch that failed, neither unwritten memory nor stale values may be reported.
        ("fill<<<1, 256>>>(a); cudaMemcpy(host, a, 1024, cudaMemcpyDeviceToHost);", launch),
        ("cudaMemset(a, 0, 1024); fill<<<1, 256>>>(a); scatter<<<1, 256>>>(a, b); cudaDeviceSynchronize();", launch),
        ("fill<<<1, 256>>>(a); copies<<<1, 256>>>(a, b); cudaMemcpy(host, b, 1024, cudaMemcpyDeviceToHost);", launch),
        ("cudaMemset(a, 0, 1024); fill<<<1, 256>>>(a); waits<<<1, 1>>>(a); cudaDeviceSynchronize();", launch),
        ("cudaMemset(a, 0, 1024); fill<<<1, 256>>>(a); checks<<<1, 1>>>(a); cudaDeviceSynchronize();", launch),
        ("cudaMemset(a, 0, 1024); fill<<<1, 256>>>(a); adds<<<1, 256>>>(a); cudaDeviceSynchronize();", launch),
        // A launch that would have to record an event.
        (
            "cudaLaunchAttribute event = {cudaLaunchAttributeProgrammaticEvent};\n\
             cudaLaunchConfig_t config = {1, 9, 0, 0, &event, 1}; cudaLaunchKernelEx(&config, right, a);",
            "cudaLaunchKernelExC (cudaErrorNotSupported)",
        ),
        // A call in place of a launch.
        (
            "cudaExternalMemory_t m; cudaExternalMemoryHandleDesc d = {};\n\
             cudaImportExternalMemory(&m, &d); right<<<1, 9>>>(a); cudaDeviceSynchronize();",
            "cudaImportExternalMemory (cudaErrorNotSupported)",
        ),
    ] {
        let (told, text) = run(main, &[]);
        assert_eq!((told.status(), told.slugs()), (Some(98), vec![]), "{main}: {text}");
        assert_eq!(told.json["outcome"], "not-checked", "{main}");
        assert!(!text.contains("nothing found") && !text.contains("error:"), "{main}: {text}");
        let wanted = "gpu-check: not everything was checked: the emulated GPU refused ";
        assert!(last(&text).starts_with(wanted) && last(&text).contains(what), "{main}: {text}");
        assert!(last(&text).ends_with(", in program"), "{main}: {text}");
    }
}

#[test]
fn a_bug_beside_a_refusal_is_found_and_both_are_told() {
    if skipped::unless(skipped::CUDA_COMPILER, &Nvcc::find()) {
        return;
    }
    for (main, slug) in [
        ("cudaMemset(b, 0, 1024); fill<<<1, 256>>>(a); races<<<1, 64>>>(b); cudaDeviceSynchronize();", "race-global"),
        ("cudaMemset(b, 0, 1024); fill<<<1, 256>>>(a); waits<<<1, 1>>>(b); cudaDeviceSynchronize();", "livelock"),
        (
            "copies<<<1, 64>>>(b, a); cudaMemcpy(host, a, 256, cudaMemcpyDeviceToHost); fill<<<1, 256>>>(a);",
            "undefined-value",
        ),
    ] {
        let (told, text) = run(main, &[]);
        assert_eq!((told.status(), told.slugs()), (Some(99), vec![slug]), "{main}: {text}");
        assert!(
            text.contains(": one error, in ") && last(&text).contains("not everything was checked"),
            "{main}: {text}"
        );
    }
}

/// Errors that a GPU returns as well, and a kernel that is run as it should be, leave the program its own status.
#[test]
fn an_error_of_the_programs_own_is_no_refusal() {
    if skipped::unless(skipped::CUDA_COMPILER, &Nvcc::find()) {
        return;
    }
    let main = "right<<<1, 2000>>>(a); right<<<1, 64, 1 << 20>>>(a); cudaMemcpy(host, a, 1024, (cudaMemcpyKind)77); \
        cudaSetDevice(9);\n\
                cudaFree(host); cudaFuncSetAttribute(right, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 30); \
                cudaGetLastError();\n\
                right<<<1, 64>>>(a); cudaDeviceSynchronize();";
    for (end, status, last_words) in [("", 0, "nothing found"), ("return 7;", 7, "nothing found")] {
        let (told, text) = run(&format!("{main}{end}"), &[]);
        assert_eq!((told.status(), told.slugs()), (Some(status), vec![]), "{text}");
        assert!(last(&text).contains(last_words) && !text.contains("not everything"), "{text}");
    }
}

/// As on a GPU (CUDA C++ Programming Guide, "Assertion").
#[test]
fn the_message_of_an_assertion_goes_to_stderr() {
    if skipped::unless(skipped::CUDA_COMPILER, &Nvcc::find()) {
        return;
    }
    let (told, text) = run("cudaMemset(a, 0, 1024); asserts<<<1, 1>>>(a); cudaDeviceSynchronize();", &[]);
    let stdout = String::from_utf8_lossy(&told.output.stdout);
    assert!(stdout.contains("reads") && !stdout.contains("Assertion"), "{stdout}");
    assert!(text.contains("thread: [0,0,0] Assertion `from[5] == 5` failed."), "{text}");
}

#[test]
fn a_limit_that_is_reached_is_no_bug() {
    if skipped::unless(skipped::CUDA_COMPILER, &Nvcc::find()) {
        return;
    }
    let main = "counts<<<1, 32>>>(a, 3000000); return cudaDeviceSynchronize() == cudaErrorLaunchTimeout ? 3 : 4;";
    let (told, text) = run(main, &["--limit-instructions", "1000000"]);
    assert_eq!((told.status(), told.slugs()), (Some(98), vec![]), "{text}");
    assert!(last(&text).contains("--limit-instructions ended `counts`"), "{text}");
    assert!(!text.contains("nothing found") && !text.contains("livelock"), "{text}");
}
