//! Whole CUDA programs, each with a known bug or its fixed twin, through the command: every bug on its lines, every
//! twin silent and right, under every schedule.
//!
//! The first lines of a file in `tests/programs/` say what is expected. `// finds: SLUG at LINES` (of the file itself,
//! or of the one that is named), `// notes: WORDS` in the text of a note, `// no note: WORDS` in that of none,
//! `// prints: WORDS` of the output, `// flags: ...` for nvcc. `// other size: THIS => THAT` is a change of the text.
//! In Python they begin with `#`.

use driver::emulator::finding::TextEdit;
use kernel_build::Nvcc;
use repair::source::apply;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs")
}

struct Program {
    path: PathBuf,
    finds: Vec<String>,
    notes: Vec<String>,
    no_notes: Vec<String>,
    prints: Option<String>,
    flags: String,
    other_size: Option<(String, String)>,
}

impl Program {
    /// `None` for a part of another program.
    fn read(path: &Path) -> Option<Program> {
        let text = fs::read_to_string(path).unwrap();
        let all = |what: &str| -> Vec<String> {
            // Python has another sign for a comment.
            let plain = text.lines().filter_map(|line| line.strip_prefix("// ").or_else(|| line.strip_prefix("# ")));
            plain.filter_map(|line| Some(line.strip_prefix(what)?.trim().to_string())).collect()
        };
        let said = |what: &str| all(what).pop();
        if said("part of:").is_some() {
            return None;
        }
        let (finds, notes, prints) = (all("finds:"), all("notes:"), said("prints:"));
        assert!(!finds.is_empty() || prints.is_some(), "{} says what is expected of it", path.display());
        let other_size = said("other size:");
        let other_size = other_size.map(|text| text.split_once(" => ").map(|(a, b)| (a.into(), b.into())).unwrap());
        Some(Program {
            path: path.into(),
            finds,
            notes,
            no_notes: all("no note:"),
            prints,
            flags: said("flags:").unwrap_or_default(),
            other_size,
        })
    }

    fn name(&self) -> String {
        self.path.file_name().unwrap().to_string_lossy().into_owned()
    }
}

fn gpu_check(words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gpu-check"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).args(["--lang", "en"]).args(words);
    command.env_remove("LESSON_DEVICE").output().expect("the command starts")
}

/// Checks what the command says of a program. `run` is how one runs it, its path last.
fn judge(program: &Program, run: &[&str]) -> Result<(), String> {
    let log = tempfile::NamedTempFile::new().unwrap();
    let log = log.path().to_str().unwrap().to_string();
    let mut words = vec!["--schedules", "in-order,reverse,random,adversarial", "--seeds", "3", "--format", "json"];
    let flags = format!("--nvcc-flags={}", program.flags);
    words.extend(["--log-file", &log, &flags]);
    words.extend(run);
    let output = gpu_check(&words);
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let told = fs::read_to_string(&log).unwrap();
    let told: Value = serde_json::from_str(&told).map_err(|error| format!("{error}: {stderr}"))?;
    let findings = told["findings"].as_array().unwrap();
    let found: Vec<(String, u64)> = findings
        .iter()
        .filter(|one| one["isNote"] == false)
        .map(|one| {
            let problem = &one["problem"];
            let mut at: Vec<(String, u64)> =
                problem["related"].as_array().unwrap().iter().map(|end| place(&end[0])).collect();
            at.extend(problem["at"].as_object().map(|_| place(&problem["at"])));
            at.sort();
            at.dedup();
            let own = program.name();
            let file = at.first().map_or(String::new(), |(file, _)| file.clone());
            let lines: Vec<String> = at.iter().map(|(_, line)| line.to_string()).collect();
            let file = if file == own { String::new() } else { format!("{file} ") };
            (
                format!("{} at {file}{}", problem["rule"].as_str().unwrap(), lines.join(", ")).trim_end().to_string(),
                one["inRuns"].as_u64().unwrap(),
            )
        })
        .collect();
    let texts: BTreeSet<&str> = found.iter().map(|(text, _)| text.as_str()).collect();
    let wanted: BTreeSet<&str> = program.finds.iter().map(String::as_str).collect();
    if texts != wanted {
        return Err(format!("found {found:?}, wanted {wanted:?}: {stdout}{stderr}"));
    }
    // A bug of the source is met by every run, whatever the schedule.
    if let Some((text, runs)) = found.iter().find(|(_, runs)| told["runs"] != *runs) {
        return Err(format!("{text} in {runs} of {} runs", told["runs"]));
    }
    let notes = findings.iter().filter(|one| one["isNote"] == true).map(|one| one["problem"]["message"].to_string());
    let notes: Vec<String> = notes.collect();
    if let Some(missing) = program.notes.iter().find(|wanted| !notes.iter().any(|note| note.contains(*wanted))) {
        return Err(format!("no note has {missing:?}: {notes:?}"));
    }
    if let Some(told) = program.no_notes.iter().find(|wanted| notes.iter().any(|note| note.contains(*wanted))) {
        return Err(format!("a note has {told:?}: {notes:?}"));
    }
    let printed = stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    if program.prints.as_ref().is_some_and(|wanted| *wanted != printed) {
        return Err(format!("prints {printed:?}: {stderr}"));
    }
    let status = if wanted.is_empty() { 0 } else { 99 };
    if output.status.code() != Some(status) { Err(format!("{}: {stderr}", output.status)) } else { Ok(()) }
}

fn place(place: &Value) -> (String, u64) {
    let path = Path::new(place["path"].as_str().unwrap());
    (path.file_name().unwrap().to_string_lossy().into_owned(), place["line"].as_u64().unwrap())
}

#[test]
fn every_bug_is_found_on_its_lines_and_every_twin_is_silent_and_right() {
    if skipped::unless(skipped::CUDA_COMPILER, &Nvcc::find()) {
        return;
    }
    let programs = programs("cu");
    let chosen: Vec<&Program> = programs.iter().step_by(skipped::share(3, 1)).collect();
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(program) = chosen.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(why) = judge(program, &[program.path.to_str().unwrap()]) {
                        wrong.lock().unwrap().push(format!("{}: {why}", program.name()));
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The programs of one language, those that are parts of others left out.
fn programs(ending: &str) -> Vec<Program> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|found| found == ending));
    paths.sort();
    paths.iter().filter_map(|path| Program::read(path)).collect()
}

/// The Python that has numba: the one that the variable names, or the machine's.
#[test]
fn python_programs_are_told_in_lines_of_python() {
    let python = std::env::var("GPU_CHECK_PYTHON").unwrap_or_else(|_| "python3".to_string());
    let found = Command::new(&python).args(["-c", "import numba.cuda"]).output();
    if !found.is_ok_and(|output| output.status.success()) {
        return skipped::because(skipped::NUMBA, &format!("{python} cannot import numba.cuda"));
    }
    for program in programs("py").iter().take(skipped::share(2, usize::MAX)) {
        if let Err(why) = judge(program, &[&python, program.path.to_str().unwrap()]) {
            panic!("{}: {why}", program.name());
        }
    }
}

/// Launches can be left out by name and by number, and then that is said.
#[test]
fn launches_are_left_out_by_name_and_number() {
    if skipped::unless(skipped::CUDA_COMPILER, &Nvcc::find()) {
        return;
    }
    let path = folder().join("graph_broken.cu");
    let path = path.to_str().unwrap();
    for (words, status, checked, left_out) in [
        (&["--kernel-name", "scale"][..], 0, "6 launches of one kernel", "3 launches were left out"),
        (&["--launch-count", "1"], 0, "one launch was checked", "8 launches were left out"),
        (&["--kernel-name", "nobody"], 98, "no launch was checked", "9 launches were left out"),
        (&["--launch-count", "9"], 99, "9 launches of 2 kernels", ""),
    ] {
        let output = gpu_check(&[words, &[path]].concat());
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{words:?}: {told}");
        assert!(told.contains(checked) && told.contains(left_out), "{words:?}: {told}");
    }
}

/// The test in which something was found fails, and no other.
#[test]
fn the_plugin_fails_the_test_that_has_a_race() {
    let python = std::env::var("GPU_CHECK_PYTHON").unwrap_or_else(|_| "python3".to_string());
    let found = Command::new(&python).args(["-c", "import numba.cuda, pytest"]).output();
    if !found.is_ok_and(|output| output.status.success()) {
        return skipped::because(skipped::NUMBA, &format!("{python} cannot import numba.cuda and pytest"));
    }
    let file = folder().join("test_reversal.py");
    let words = ["-m", "pytest", "-q", "-p", "gpu_check_pytest", "-p", "no:cacheprovider", file.to_str().unwrap()];
    let output = gpu_check(&[&[python.as_str()], &words[..]].concat());
    let (out, told) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(99), "{out}{told}");
    assert!(out.contains("1 failed, 2 passed") && out.contains("error[race-shared]"), "{out}{told}");
    assert!(out.contains("FAILED") && out.contains("test_without_a_barrier"), "{out}{told}");
}

#[test]
fn a_rust_program_is_told_in_lines_of_its_kernel() {
    let nvcc = match Nvcc::find() {
        Ok(nvcc) => nvcc,
        Err(error) => return skipped::because(skipped::CUDA_COMPILER, &error.to_string()),
    };
    let place = tempfile::tempdir().unwrap();
    let beside = std::env::current_exe().unwrap().with_file_name("libgpu_check.so");
    std::os::unix::fs::symlink(beside, place.path().join("libcuda.so")).unwrap();
    let program = place.path().join("from_rust");
    let mut rustc = Command::new("rustc");
    rustc.args(["--edition", "2024", "-L"]).arg(place.path()).arg("-o").arg(&program);
    assert!(rustc.arg(folder().join("from_rust.rs")).status().unwrap().success());
    for (barrier, prints, lines) in [("-DBARRIER=__syncthreads()", "1 127 0\n", None), ("-UBARRIER", "", Some([9, 11]))]
    {
        let ptx = place.path().join("kernel.ptx");
        let mut command = Command::new(&nvcc.path);
        command.args(["-ptx", "-lineinfo", "-arch=sm_80", barrier, "-o"]).arg(&ptx);
        assert!(command.arg(folder().join("from_rust_kernel.cu")).status().unwrap().success());
        let output = gpu_check(&[program.to_str().unwrap(), ptx.to_str().unwrap()]);
        let told = String::from_utf8_lossy(&output.stderr);
        match lines {
            None => {
                assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(0), prints.as_bytes()), "{told}")
            }
            Some([first, second]) => {
                assert_eq!(output.status.code(), Some(99), "{told}");
                assert!(told.contains("error[race-shared]") && told.contains("from_rust_kernel.cu:"), "{told}");
                assert!([first, second].iter().all(|line| told.contains(&format!("{line:>2} |"))), "{told}");
            }
        }
    }
}

/// A change that only silences a finding is not told as tried. It may be an order of what nobody has written, or of two
/// arrays that overlap, or a barrier after which the host copies what nobody has written. Nor is a change of a line
/// after which the compiler would store more often.
#[test]
fn a_fix_that_was_tried_is_told_only_where_the_trial_says_something() {
    if skipped::unless(skipped::CUDA_COMPILER, &Nvcc::find()) {
        return;
    }
    for (name, is_tried) in [
        ("counter_broken.cu", false),
        ("two_arrays_broken.cu", false),
        ("warp_tail_broken.cu", false),
        ("barrier_in_branch_broken.cu", false),
        ("reverse_broken.cu", true),
    ] {
        let told = String::from_utf8_lossy(&gpu_check(&[folder().join(name).to_str().unwrap()]).stderr).into_owned();
        assert_eq!((told.contains("fix (tried"), told.contains("= idea:")), (is_tried, !is_tried), "{name}: {told}");
    }
}

/// Nobody knows the right answer of these programs. So each fix that is told as tried is put into the source, which is
/// then run under other schedules and seeds, and with another size.
#[test]
fn a_fix_that_was_tried_leaves_nothing_at_other_seeds_and_sizes() {
    if skipped::unless(skipped::CUDA_COMPILER, &Nvcc::find()) {
        return;
    }
    let programs: Vec<Program> = programs("cu").into_iter().filter(|program| program.other_size.is_some()).collect();
    assert!(programs.len() > 10);
    for program in programs.iter().step_by(skipped::share(4, 1)) {
        let place = tempfile::tempdir().unwrap();
        let log = place.path().join("log.json");
        let told = ["--format", "json", "--log-file", log.to_str().unwrap(), program.path.to_str().unwrap()];
        assert_eq!(gpu_check(&told).status.code(), Some(99), "{}", program.name());
        let told: Value = serde_json::from_str(&fs::read_to_string(&log).unwrap()).unwrap();
        let problems = told["findings"].as_array().unwrap().iter().map(|one| &one["problem"]["fix"]);
        let fixes: Vec<Vec<TextEdit>> = problems.map(|fix| serde_json::from_value(fix.clone()).unwrap()).collect();
        // The fix of the first finding may fix the others.
        let fix = fixes.iter().find(|fix| !fix.is_empty()).unwrap_or_else(|| panic!("{}", program.name()));
        let fixed = apply(&fs::read_to_string(&program.path).unwrap(), fix);
        let (this, that) = program.other_size.as_ref().unwrap();
        assert_eq!(
            fixed.split("// other size").next().unwrap().matches(this.as_str()).count(),
            1,
            "{}",
            program.name()
        );
        for text in [fixed.clone(), fixed.replacen(this.as_str(), that, 1)] {
            let file = place.path().join(program.name());
            fs::write(&file, text).unwrap();
            let file = file.to_str().unwrap();
            let output = gpu_check(&["--no-try", "--schedules", "random,adversarial,pct", "--seeds", "4", file]);
            let said = String::from_utf8_lossy(&output.stderr);
            // Its own status may say that a sum of another size is not the expected one.
            assert!(said.contains("nothing found"), "{} with {fix:?}: {said}", program.name());
        }
    }
}

/// A program as students build it has its own runtime inside.
#[test]
fn a_program_that_was_built_before_is_checked_as_it_is() {
    let nvcc = match Nvcc::find() {
        Ok(nvcc) => nvcc,
        Err(error) => return skipped::because(skipped::CUDA_COMPILER, &error.to_string()),
    };
    let place = tempfile::tempdir().unwrap();
    let built = |name: &str, flags: &[&str]| {
        let file = place.path().join(name);
        let libraries = nvcc.path.canonicalize().unwrap().parent().unwrap().join("../lib");
        let mut command = Command::new(&nvcc.path);
        command.args(flags).arg("-L").arg(libraries).arg("-o").arg(&file).arg(folder().join("reverse_broken.cu"));
        assert!(command.status().unwrap().success());
        file.to_str().unwrap().to_string()
    };
    let output = gpu_check(&[&built("lines", &["-lineinfo"])]);
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(99), "{told}");
    assert!(told.contains("error[race-shared]") && told.contains("reverse_broken.cu:11"), "{told}");
    assert!(told.contains("one launch was checked: one error"), "{told}");

    let output = gpu_check(&[&built("no_lines", &[])]);
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("kernel `reverse`") && told.contains("of the PTX") && told.contains("-lineinfo"), "{told}");
}

/// A launch that goes on when its program is stopped is named.
#[test]
fn a_launch_that_does_not_end_in_time_is_named() {
    if let Err(error) = Nvcc::find() {
        return skipped::because(skipped::CUDA_COMPILER, &error.to_string());
    }
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("endless.cu");
    let kernels = "__global__ void ends(int* a) { a[1] = 0; }\n\
                   __global__ void counts(volatile int* a) { while (a[0] == 0) a[1] = a[1] + 1; }\n";
    let main = |before: &str| {
        format!(
            "{kernels}int main() {{ int* a; cudaMalloc(&a, 8); cudaMemset(a, 0, 8); {before}counts<<<1, 1>>>(a); \
             cudaDeviceSynchronize(); }}"
        )
    };
    for (before, named, last) in [
        ("", "it was the first launch", "no launch was checked to its end: one had begun"),
        ("ends<<<1, 1>>>(a); ", "it was launch 2 of the program", "one launch was checked"),
    ] {
        fs::write(&file, main(before)).unwrap();
        let output = gpu_check(&["--limit", "3", file.to_str().unwrap()]);
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(99), "{told}");
        assert!(told.contains(&format!("`counts` did not end: {named}")) && told.contains(last), "{told}");
    }
}

/// The race comes before the loop.
#[test]
fn what_a_launch_has_shown_before_the_time_limit_is_told() {
    if let Err(error) = Nvcc::find() {
        return skipped::because(skipped::CUDA_COMPILER, &error.to_string());
    }
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("races.cu");
    let kernel = "__global__ void counts(volatile int* a) { __shared__ int s[64]; s[threadIdx.x] = 1;\n\
                  a[2] = s[63 - threadIdx.x]; while (a[0] == 0) a[1] = a[1] + 1; }\n";
    let main = "int main() { int* a; cudaMalloc(&a, 12); cudaMemset(a, 0, 12); counts<<<1, 64>>>(a); \
                cudaDeviceSynchronize(); }";
    fs::write(&file, format!("{kernel}{main}")).unwrap();
    let output = gpu_check(&["--limit", "3", file.to_str().unwrap()]);
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(99), "{told}");
    for words in ["error[race-shared]", "`counts` did not end: it was the first launch", "did not end in time"] {
        assert!(told.contains(words), "{told}");
    }
    assert!(!told.contains("cudaDeviceSynchronize"), "{told}");
}

#[test]
fn a_stream_that_waits_for_a_value_in_vain_is_told() {
    if let Err(error) = Nvcc::find() {
        return skipped::because(skipped::CUDA_COMPILER, &error.to_string());
    }
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("waits.cu");
    let main = "#include <cuda.h>\nint main() { int* a; cudaMalloc(&a, 4); cudaMemset(a, 0, 4);\n\
                cuStreamWaitValue32(0, (CUdeviceptr)a, 1, CU_STREAM_WAIT_VALUE_EQ); cudaDeviceSynchronize(); }";
    fs::write(&file, main).unwrap();
    let output = gpu_check(&["--nvcc-flags", "-lcuda", "--limit", "6", file.to_str().unwrap()]);
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(99), "{told}");
    assert!(told.contains("for a stream that waits for a value"), "{told}");
}

/// Returns the report on a program of this text.
fn report_on(text: &str) -> String {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("program.cu");
    fs::write(&file, text).unwrap();
    String::from_utf8_lossy(&gpu_check(&[file.to_str().unwrap()]).stderr).into_owned()
}

/// Threads 128 to 255 lack a barrier. The others never come to their lines, but have ended by then.
#[test]
fn a_barrier_that_a_part_of_the_block_skips_is_no_fix() {
    if skipped::unless(skipped::CUDA_COMPILER, &Nvcc::find()) {
        return;
    }
    let kernel = |missing: &str| {
        format!(
            "__global__ void parts(int* a, float* b) {{ __shared__ int s[128]; __shared__ float f[128];\n\
             int t = threadIdx.x % 128; if (threadIdx.x < 128) {{ f[t] = 1.5f * t;\n\
             asm volatile(\"bar.sync 1, 128;\" ::: \"memory\");\nb[t] = f[127 - t];\n}}\n\
             else {{ s[t] = t;\n{missing}a[t] = s[127 - t];\n}} }}\n\
             int main() {{ int* a; float* b; cudaMalloc(&a, 512); cudaMalloc(&b, 512);\n\
             parts<<<1, 256>>>(a, b); cudaDeviceSynchronize(); }}"
        )
    };
    let found = report_on(&kernel(""));
    assert!(found.contains("error[race-shared]") && !found.contains("add `__syncthreads();`"), "{found}");
    let right = report_on(&kernel("asm volatile(\"bar.sync 2, 128;\" ::: \"memory\");\n"));
    assert!(right.contains("nothing found"), "{right}");
}

/// A barrier in each of two branches orders their warps here, and the CUDA guide does not allow it.
#[test]
fn a_barrier_in_each_of_two_branches_is_no_fix() {
    if skipped::unless(skipped::CUDA_COMPILER, &Nvcc::find()) {
        return;
    }
    let program = |between: &str| {
        format!(
            "__device__ __noinline__ void put(int* s, int i, int v) {{\ns[i] = v;\n}}\n\
             __device__ __noinline__ int get(int* s, int i) {{\nreturn s[i];\n}}\n\
             __global__ void k(int* o) {{ __shared__ int s[32]; int t = threadIdx.x, a = 0;\n\
             if (t < 32)\nput(s, t, t);\n{between}if (t >= 32)\na = get(s, t - 32);\no[t] = a; }}\n\
             int main() {{ int* o; cudaMalloc(&o, 256); k<<<1, 64>>>(o); cudaDeviceSynchronize(); }}"
        )
    };
    let found = report_on(&program("else\n").replace("else\nif (t >= 32)", "else"));
    assert!(found.contains("error[race-shared]") && !found.contains("add `__syncthreads();` before"), "{found}");
    let right = report_on(&program("__syncthreads();\n"));
    assert!(right.contains("nothing found"), "{right}");
}

#[test]
fn what_is_no_cuda_program_is_run_as_it_is() {
    let output = gpu_check(&["sh", "-c", "echo out; exit 3"]);
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(3), b"out\n".as_slice()));
    let told = String::from_utf8_lossy(&gpu_check(&["true"]).stderr).into_owned();
    assert!(told.contains("no launch was checked"), "{told}");
    let output = gpu_check(&["--limit", "0.2", "sleep", "20"]);
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(99) && told.contains("did not end in time"), "{told}");
    for words in [&["./no-such-program"][..], &["no-such-file.cu"]] {
        let output = gpu_check(words);
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(97) && told.contains(words[0]), "{told}");
    }
}
