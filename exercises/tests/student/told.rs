//! Tests of the texts of verdicts for a student.

use super::support::{NAME, Student, course, has_no_compiler, shipped, text};
use learn::compile::Compiler;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

#[test]
fn one_finding_is_shown_and_the_rest_is_counted_until_everything_is_asked_for() {
    if has_no_compiler() {
        return;
    }
    let student = Student::new();
    let catalog = Path::new(env!("CARGO_MANIFEST_DIR")).join("catalog");
    let said = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_learn"));
        command.env("LESSON_LANG", "en").arg("--catalog").arg(&catalog).args(["--dir", "mine", "run"]);
        text(command.arg("block_forgotten").args(more).current_dir(student.0.path()).output().unwrap()).1
    };
    let findings = |text: &str| text.lines().filter(|line| line.contains(" = replay: ")).count();
    let short = said(&[]);
    assert!(findings(&short) == 1 && short.contains("1 more finding is not shown: add --verbose"), "{short}");
    let long = said(&["--verbose"]);
    assert!(findings(&long) == 2 && !long.contains("--verbose"), "{long}");
}

/// The shuffles of this answer are right, and worth a note only where nothing else explains its sum.
#[test]
fn a_value_that_nothing_has_written_comes_before_a_note() {
    if has_no_compiler() {
        return;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("catalog/04_atomics/last_block");
    let solution = fs::read_to_string(folder.join("solution.cu")).unwrap();
    let nobody_is_last = solution.replace("before == gridDim.x - 1", "before == gridDim.x");
    assert_ne!(solution, nobody_is_last);
    let said = Student::new().told("last_block", &nobody_is_last, "en");
    assert!(said.starts_with("error[undefined-value]: the host copies `sum[0]`"), "{said}");
    assert!(!said.contains("note: ") && said.contains("(undefined-value, answer)"), "{said}");
}

/// `turn_round` with other lines before its barrier.
fn answer_with(lines: &str) -> String {
    let solution = fs::read_to_string(shipped("solution.cu")).unwrap();
    let barrier = solution.find("    __syncthreads();").unwrap();
    format!("{}{lines}\n{}", &solution[..barrier], &solution[barrier..])
}

#[test]
fn a_kernel_that_ends_itself_is_told_with_its_line() {
    if has_no_compiler() {
        return;
    }
    let student = Student::new();
    let line_of = |answer: &str, code: &str| answer.lines().position(|line| line.contains(code)).unwrap() + 1;
    let trap = answer_with("    if (threadIdx.x == 3) __trap();");
    let said = student.told(NAME, &trap, "en");
    let line = line_of(&trap, "__trap");
    let wanted = format!(
        "error: `__trap()` stopped the kernel\n  --> answer.cu:{line}\n\
         {line:>2} |     if (threadIdx.x == 3) __trap();\n   \
         |     ^ block 0, thread 3\n"
    );
    assert!(said.contains(&wanted) && said.contains("answer.cu (fault)") && said.contains("n = 4"), "{said}");

    let assertion = answer_with("    assert(n < 5 && \"too many\");");
    let said = student.told(NAME, &assertion, "en");
    let line = line_of(&assertion, "assert(");
    let wanted = format!("error: an assertion does not hold: `n < 5 && \"too many\"`\n  --> answer.cu:{line}\n");
    assert!(said.contains(&wanted) && said.contains("n = 5") && !said.contains("printed by the kernel"), "{said}");
    assert!(said.contains("^ block 0, thread 0"), "{said}");
    let said = student.told(NAME, &assertion, "es");
    assert!(said.contains("error: una aserción (assert) no se cumple: `n < 5"), "{said}");
}

#[test]
fn a_header_that_is_not_needed_is_told_and_all_others_have_a_word() {
    if has_no_compiler() {
        return;
    }
    let student = Student::new();
    let with = |include: &str| format!("#include {include}\n{}", answer_with("    assert(n >= 0);"));
    for (include, wanted) in [
        ("<time.h>", "note: `time.h` is not needed"),
        ("<memory.h>", "without it; remove line 1"),
        ("<iostream>", "`iostream` is for programs of the host"),
        ("\"mine.h\"", "An answer is one file"),
        ("<stdint.h>", "write `#include <cuda/std/cstdint>`"),
    ] {
        let said = student.told(NAME, &with(include), "en");
        // With nvcc the host's headers are there.
        assert!(said.contains(wanted) || said.contains("solved: answer.cu"), "{include}: {said}");
        assert!(said.contains("solved: answer.cu") || said.contains("cannot open source file"), "{include}: {said}");
    }
    assert!(student.told(NAME, &with("\"mine.h\""), "es").contains("Una respuesta es un solo archivo"));
    // The advised header compiles, and so do headers whose functions a kernel knows.
    for include in ["<cuda/std/cstdint>", "<stdio.h>", "<cstdio>", "<cassert>", "<math.h>"] {
        let said = student.told(NAME, &with(include), "en");
        assert!(said.contains("solved: answer.cu"), "{include}: {said}");
    }
}

#[test]
fn what_the_compiler_warns_of_stands_above_a_verdict_that_it_may_explain() {
    if has_no_compiler() {
        return;
    }
    let student = Student::new();
    let solution = fs::read_to_string(shipped("solution.cu")).unwrap();
    let called = solution.replace("__syncthreads();", "__syncthreads;");
    let said = student.told(NAME, &called, "en");
    let (warning, report) = said.split_once("error[race-shared]").unwrap_or_else(|| panic!("{said}"));
    assert!(warning.starts_with("the compiler warns:\n") && warning.contains("no effect"), "{said}");
    assert!(!report.contains("warning"), "{said}");
    // A right one may look as it likes.
    let said = student.told(NAME, &answer_with("    int unused = 0;"), "en");
    assert!(said.starts_with("solved: answer.cu"), "{said}");
}

#[test]
fn a_function_of_the_host_has_a_plain_word() {
    if has_no_compiler() || !matches!(Compiler::find(), Ok(Compiler::Nvrtc(..))) {
        return;
    }
    let student = Student::new();
    let solution = fs::read_to_string(shipped("solution.cu")).unwrap();
    let helper = format!("int twice(int n) {{ return 2 * n; }}\n{solution}");
    let said = student.told(NAME, &helper, "en");
    assert!(said.contains("note: `twice` is a function of the host"), "{said}");
    let said = student.told(NAME, &format!("{solution}int main() {{ return 0; }}\n"), "es");
    assert!(said.contains("nota: una respuesta no necesita `main`"), "{said}");
}

/// The lines of the kernel, which the student has not written, and the call that failed without a word.
#[test]
fn a_program_of_the_host_is_told_why() {
    if has_no_compiler() {
        return;
    }
    let student = Student::new();
    let of = |name: &str, file: &str| fs::read_to_string(course().join(name).join(file)).unwrap();
    let said = student.program("07_host/two_streams", &of("07_host/two_streams", "two_streams.rs"));
    assert!(said.contains("data race on `v[0]`") && said.contains("if (i < n) v[i] = i + 1;"), "{said}");
    let said = student.program("07_host/nobody_looked", &of("07_host/nobody_looked", "nobody_looked.rs"));
    assert!(said.contains("cuLaunchKernel returned CUDA_ERROR_INVALID_VALUE, and your program went on"), "{said}");
}

#[test]
fn a_kernel_that_is_not_there_is_no_run_and_the_others_are_named() {
    if has_no_compiler() {
        return;
    }
    let student = Student::new();
    let solution = fs::read_to_string(shipped("solution.cu")).unwrap();
    for (answer, wanted) in [
        (solution.replace("turn_round", "turn_around"), "no kernel `turn_round` in the file, but `turn_around`"),
        (solution.replace("extern \"C\" ", ""), "has lost its `extern \"C\"`"),
        ("__device__ int nothing;".to_string(), "no kernel `turn_round` in the file. Keep the name"),
    ] {
        let said = student.told(NAME, &answer, "en");
        assert!(said.contains(wanted), "{said}");
        assert!(!["replay", "smallest failing run"].iter().any(|word| said.contains(word)), "{said}");
    }
}

/// Elements that are equal stand at another place; two equal beginnings would show nothing.
#[test]
fn where_the_order_is_free_what_is_missing_and_what_is_too_much_is_shown() {
    if has_no_compiler() {
        return;
    }
    let student = Student::new();
    let name = "04_atomics/each_once";
    let solution = fs::read_to_string(course().join(name).join("solution.cu")).unwrap();
    let wrong = fs::read_dir(course().join(name)).unwrap().flatten().map(|entry| entry.path());
    let wrong = wrong.filter(|path| path.file_name().unwrap().to_string_lossy().starts_with("wrong_"));
    let texts: Vec<String> = wrong.map(|path| student.told(name, &fs::read_to_string(path).unwrap(), "en")).collect();
    let told: Vec<&String> = texts.iter().filter(|text| text.contains("in any order")).collect();
    assert!(!told.is_empty(), "{texts:#?}");
    for text in told {
        assert!(text.contains("   = missing: [") && text.contains("   = too much: ["), "{text}");
        assert!(!text.contains("   = expected: ["), "{text}");
    }
    assert!(student.told(name, &solution, "en").contains("solved: answer.cu"));
}

#[test]
fn one_exceeded_limit_is_shown_and_the_others_are_counted_in_words_of_the_topic() {
    if has_no_compiler() {
        return;
    }
    let student = Student::new();
    let name = "01_vectorized/half_the_loads";
    let shipped = fs::read_to_string(course().join(name).join("half_the_loads.cu")).unwrap();
    let text = student.told(name, &shipped, "en");
    assert!(text.starts_with("error: global load requests: 96, at most 48 allowed\n"), "{text}");
    assert_eq!(text.matches("error: ").count(), 1, "{text}");
    assert!(text.contains("1 more finding is not shown: add --verbose"), "{text}");
    assert!(text.contains("\nnot solved yet: answer.cu (budget)\n"), "{text}");
    let solution = fs::read_to_string(course().join(name).join("solution.cu")).unwrap();
    let solved = student.told(name, &solution, "en");
    assert!(solved.contains("Within the budget: global load requests; global store requests."), "{solved}");
}

/// The place of the fence is the fix, and the fix is the student's to find.
#[test]
fn the_first_failure_does_not_name_the_fence_that_is_missing() {
    if has_no_compiler() {
        return;
    }
    let student = Student::new();
    let name = "02_sync/flag_without_fence";
    let shipped = fs::read_to_string(course().join(name).join("flag_without_fence.cu")).unwrap();
    for (language, fence, wanted) in [
        ("en", "no fence", "the flag (set in line 24, seen in line 27) does not order the two accesses"),
        ("es", "no hay fence", "el flag (activado en la línea 24, visto en la línea 27) no ordena los dos accesos"),
    ] {
        let text = student.told(name, &shipped, language);
        assert!(text.contains(wanted) && !text.to_lowercase().contains(fence), "{text}");
        assert!(!text.contains("__threadfence") && text.contains("= why: ") | text.contains("= por qué: "), "{text}");
    }
}

/// `volatile` in place of a barrier: no race, and a wrong answer. The store that comes too late is named all the same.
#[test]
fn a_wrong_answer_that_no_finding_explains_shows_what_nothing_orders() {
    if has_no_compiler() {
        return;
    }
    let student = Student::new();
    student.learn(&["list"]);
    // Each element is written before, so that no read is of a value that nothing has written.
    let volatile = fs::read_to_string(shipped("wrong_volatile.cu")).unwrap();
    let first = "    tile[i] = data[i];";
    assert!(volatile.contains(first));
    let written = volatile.replace(first, &format!("    tile[i] = 1000;\n    __syncthreads();\n{first}"));
    fs::write(student.file(), written).unwrap();
    let (_, said) = student.learn(&["run", "missing_barrier"]);
    let hint = said.split_once("\nnote: ").unwrap_or_else(|| panic!("{said}")).1;
    assert!(hint.starts_with("either order is possible on `tile["), "{said}");
    assert!(hint.contains("tile[i] = data[i];"), "{said}");
    // A race says it itself.
    fs::copy(shipped("missing_barrier.cu"), student.file()).unwrap();
    assert!(!student.learn(&["run", "missing_barrier"]).1.contains("\nnote: "));
}

/// Two places are taken for each element: at most sizes the result has holes, and where all elements are kept it is too
/// long.
#[test]
fn what_another_run_shows_is_told_beside_the_smallest() {
    if has_no_compiler() {
        return;
    }
    let student = Student::new();
    let name = "04_atomics/count_asked_twice";
    let catalog = Path::new(env!("CARGO_MANIFEST_DIR")).join("catalog");
    let shipped = fs::read_to_string(catalog.join(name).join("count_asked_twice.cu")).unwrap();
    let said = |place: &str| {
        let file = student.0.path().join("answer.cu");
        fs::write(&file, shipped.replace("*kept - 1", place)).unwrap();
        let catalog = catalog.to_string_lossy().into_owned();
        let words = ["--catalog", &catalog, "--dir", "mine", "run", name, "--file", &*file.to_string_lossy()];
        let mut command = Command::new(env!("CARGO_BIN_EXE_learn"));
        command.env("LESSON_LANG", "en");
        text(command.args(words).current_dir(student.0.path()).stdin(Stdio::null()).output().unwrap()).1
    };
    let text = said("atomicAdd(kept, 1)");
    assert!(text.contains("(answer)") && !text.contains("error[out-of-bounds]"), "{text}");
    let mut also = text.lines().filter_map(|line| line.strip_prefix("Another run shows out-of-bounds: "));
    assert!(also.next().is_some_and(|command| command.contains(" --replay n=")), "{text}");
    // A wrong answer, and nothing else anywhere.
    let text = said("atomicAdd(kept, 0) * 0");
    assert!(!text.contains("Another run shows"), "{text}");
}

/// The program's own report says what is wrong and where; the idea comes with the second failure.
#[test]
fn the_first_failure_of_a_program_of_the_host_has_no_idea() {
    let folder = tempfile::tempdir().unwrap();
    let said = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_learn"));
        command.env("LESSON_LANG", "en").arg("--catalog").arg(course()).args(["--dir", "mine", "run"]);
        text(command.arg("bytes_not_elements").current_dir(folder.path()).stdin(Stdio::null()).output().unwrap()).1
    };
    let first = said();
    assert!(first.contains("error[out-of-bounds]") && !first.contains("= idea: "), "{first}");
    let second = said();
    assert!(second.contains("error[out-of-bounds]") && second.contains("= idea: "), "{second}");
}
