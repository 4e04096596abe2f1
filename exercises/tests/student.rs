//! The program as a student runs it: in a terminal, in a pipe, with a disk that is full.

use learn::catalog::Catalog;
use learn::compile::Compiler;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

#[path = "../../xtask/src/pseudo_terminal.rs"]
mod pseudo_terminal;

const NAME: &str = "02_sync/missing_barrier";

fn course() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("catalog")
}

fn shipped(file: &str) -> PathBuf {
    course().join(NAME).join(file)
}

/// A student's folder of their own, with a catalogue of one exercise.
struct Student(tempfile::TempDir);

impl Student {
    fn new() -> Student {
        Student::with(&[NAME])
    }

    /// With these exercises, in this order.
    fn with(names: &[&str]) -> Student {
        let student = Student(tempfile::tempdir().unwrap());
        let catalog = student.0.path().join("catalog");
        fs::create_dir(&catalog).unwrap();
        let pack = format!("name = 'one'\ncourse = '{}'\n", learn::pack::COURSE);
        fs::write(catalog.join("pack.toml"), pack).unwrap();
        for name in names {
            let (topic, short) = name.split_once('/').unwrap();
            let folder = catalog.join(name);
            fs::create_dir_all(&folder).unwrap();
            let is_here = |name: &&&str| name.starts_with(topic);
            let order: Vec<&str> = names.iter().filter(is_here).map(|name| &name[topic.len() + 1..]).collect();
            let text = format!("title = 't'\nlesson = 'l'\norder = {order:?}\n");
            fs::write(catalog.join(topic).join("topic.toml"), text).unwrap();
            for file in [&format!("{short}.cu"), "check.cu", "solution.cu", "exercise.toml"] {
                fs::copy(course().join(name).join(file), folder.join(file)).unwrap();
            }
        }
        student
    }

    fn progress(&self) -> String {
        fs::read_to_string(self.mine("progress.toml")).unwrap()
    }

    /// What is said of an answer to an exercise of the course.
    fn told(&self, name: &str, answer: &str, language: &str) -> String {
        let file = self.0.path().join("answer.cu");
        fs::write(&file, answer).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_learn"));
        command.env("LESSON_LANG", language).arg("--catalog").arg(course()).args(["--dir", "mine", "run", name]);
        text(command.args(["--file", "answer.cu"]).current_dir(self.0.path()).stdin(Stdio::null()).output().unwrap()).1
    }

    fn file(&self) -> PathBuf {
        self.mine(NAME).with_extension("cu")
    }

    fn mine(&self, name: &str) -> PathBuf {
        self.0.path().join("mine").join(name)
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_learn"));
        command.env("LESSON_LANG", "en");
        command.args(["--catalog", "catalog", "--dir", "mine"]).args(words).current_dir(self.0.path());
        command
    }

    /// Exit status, and everything printed.
    fn learn(&self, words: &[&str]) -> (i32, String) {
        text(self.command(words).stdin(Stdio::null()).output().unwrap())
    }
}

fn text(output: Output) -> (i32, String) {
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    (output.status.code().unwrap_or(-1), text)
}

fn has_no_compiler() -> bool {
    let found = Compiler::find();
    if let Err(why) = &found {
        println!("skipped: {why:#}");
    }
    found.is_err()
}

/// The program in a terminal of its own.
struct Terminal {
    child: Child,
    master: File,
    output: Receiver<Vec<u8>>,
    seen: String,
}

impl Terminal {
    fn open(student: &Student, words: &[&str]) -> Terminal {
        let mut command = student.command(words);
        let master = pseudo_terminal::open(&mut command).unwrap();
        let child = command.spawn().unwrap();
        // The command holds the program's side, which must end with the program.
        drop(command);
        let mut reader = master.try_clone().unwrap();
        let (sender, output) = channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            // The terminal's end gives an error, and that is the end.
            while let Ok(count @ 1..) = reader.read(&mut bytes) {
                if sender.send(bytes[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        Terminal { child, master, output, seen: String::new() }
    }

    fn types(&mut self, line: &str) {
        self.seen.clear();
        writeln!(self.master, "{line}").unwrap();
    }

    /// Waits until `wanted` is on the screen; gives what came.
    fn sees(&mut self, wanted: &str) -> String {
        let end = Instant::now() + Duration::from_secs(60);
        while !self.seen.contains(wanted) {
            let left = end.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(left) {
                Ok(bytes) => self.seen.push_str(&String::from_utf8_lossy(&bytes)),
                Err(why) => panic!("{wanted:?} does not come ({why}):\n{}", self.seen),
            }
        }
        self.seen.clone()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // It has mostly quit by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn saving_the_file_gives_a_verdict_until_it_is_solved() {
    if has_no_compiler() {
        return;
    }
    let student = Student::new();
    let mut terminal = Terminal::open(&student, &[]);
    let first = terminal.sees("q quit");
    assert!(first.contains("edit mine/02_sync/missing_barrier.cu"), "{first}");
    assert!(first.contains("race-shared") && first.contains("not solved yet"), "{first}");

    assert!(!first.contains("fix (tried") && !first.contains("idea:"), "{first}");
    terminal.types("f");
    terminal.sees("fix (tried, right in");
    // As it was handed out it is no attempt, so this is the first failure.
    terminal.types("r");
    let again = terminal.sees("q quit");
    assert!(again.contains("judging…") && !again.contains("fix (tried"), "{again}");
    // The second failure; the verdict comes first.
    terminal.types("r");
    let second = terminal.sees("fix (tried, right in");
    assert!(second.find("not solved yet") < second.find("fix (tried"), "{second}");

    terminal.types("h");
    let hint = terminal.sees("hint 1 of 3");
    assert!(!hint.contains("hint 2"), "{hint}");
    terminal.types("help");
    terminal.sees("h hint");

    // As an editor that empties the file first, then one that replaces it.
    terminal.seen.clear();
    fs::write(student.file(), "").unwrap();
    fs::write(student.file(), "int nonsense").unwrap();
    terminal.sees("does not compile");
    terminal.seen.clear();
    let beside = student.mine("new");
    fs::copy(shipped("solution.cu"), &beside).unwrap();
    let begin = Instant::now();
    fs::rename(&beside, student.file()).unwrap();
    let last = terminal.sees("1 of 1 solved");
    println!("from saving to the verdict: {:.2} s", begin.elapsed().as_secs_f64());
    assert!(last.contains("solved: mine/02_sync/missing_barrier.cu"), "{last}");

    terminal.types("n");
    terminal.sees("All exercises are solved");
    assert!(terminal.child.wait().unwrap().success());
    let (_, list) = student.learn(&["list"]);
    assert!(list.contains("[x] missing_barrier") && list.contains("(1 hint)"), "{list}");
}

/// Eight macros, each ten times the one before: the compiler does not end within a minute.
fn bomb() -> String {
    let levels: String =
        (1..=9).map(|level| format!("#define A{level} {}\n", format!("A{} ", level - 1).repeat(10))).collect();
    format!("#define A0 data[0]++;\n{levels}extern \"C\" __global__ void turn_round(int* data, int n) {{ A9 }}\n")
}

#[test]
fn while_an_answer_is_judged_keys_work_a_stuck_compiler_is_named_and_a_newer_save_ends_it() {
    if has_no_compiler() {
        return;
    }
    let student = Student::new();
    let mut terminal = Terminal::open(&student, &[]);
    let first = terminal.sees("q quit");
    assert!(first.find("judging…") < first.find("not solved yet"), "{first}");
    terminal.seen.clear();
    fs::write(student.file(), bomb()).unwrap();
    terminal.sees("judging…");
    terminal.types("h");
    let hint = terminal.sees("hint 1 of 3");
    terminal.types("help");
    let help = terminal.sees("h hint");
    assert!(![hint, help].iter().any(|text| text.contains("solved yet")), "it is not slow");
    terminal.sees("and may be stuck");
    terminal.seen.clear();
    let begin = Instant::now();
    fs::copy(shipped("solution.cu"), student.file()).unwrap();
    let last = terminal.sees("1 of 1 solved");
    assert!(begin.elapsed() < Duration::from_secs(15), "{:?}", begin.elapsed());
    assert!(last.contains("judging…") && !last.contains("does not compile"), "{last}");
    // What was ended is no attempt.
    assert!(student.progress().contains("attempts = 1"), "{}", student.progress());
    // A key that leaves while it is judged.
    terminal.seen.clear();
    fs::write(student.file(), bomb()).unwrap();
    terminal.sees("judging…");
    terminal.types("q");
    let begin = Instant::now();
    assert!(terminal.child.wait().unwrap().success() && begin.elapsed() < Duration::from_secs(10));
}

#[test]
fn in_spanish_it_is_said_that_it_is_judged_and_that_a_file_is_gone() {
    if has_no_compiler() {
        return;
    }
    let student = Student::new();
    let mut terminal = Terminal::open(&student, &["--lang", "es"]);
    let first = terminal.sees("q salir");
    assert!(first.find("evaluando…") < first.find("sin resolver"), "{first}");
    terminal.seen.clear();
    fs::remove_file(student.file()).unwrap();
    terminal.sees("missing_barrier.cu ya no está. `cargo learn --catalog catalog reset missing_barrier` lo restaura");
}

#[test]
fn a_file_that_was_deleted_names_reset_and_is_judged_when_it_comes_back() {
    if has_no_compiler() {
        return;
    }
    let student = Student::new();
    let mut terminal = Terminal::open(&student, &[]);
    terminal.sees("q quit");
    terminal.seen.clear();
    fs::remove_file(student.file()).unwrap();
    let gone =
        "missing_barrier.cu is not there any more. `cargo learn --catalog catalog reset missing_barrier` puts it";
    terminal.sees(gone);
    // Also for one who asks.
    terminal.types("r");
    terminal.sees(gone);
    terminal.seen.clear();
    assert_eq!(student.learn(&["reset", "missing_barrier", "--yes"]).0, 0);
    terminal.sees("not solved yet: mine/02_sync/missing_barrier.cu");
    // An editor that takes its time: nothing is said of a file that comes back at once.
    terminal.seen.clear();
    fs::remove_file(student.file()).unwrap();
    std::thread::sleep(Duration::from_millis(100));
    fs::copy(shipped("solution.cu"), student.file()).unwrap();
    let last = terminal.sees("1 of 1 solved");
    assert!(!last.contains("not there any more"), "{last}");
}

/// Three exercises in two topics.
const THREE: [&str; 3] = ["01_vectorized/bounds_check_missing", NAME, "02_sync/tile_used_again"];

#[test]
fn passing_by_is_no_attempt_and_changes_nothing_that_is_stored() {
    if has_no_compiler() {
        return;
    }
    let student = Student::with(&THREE);
    student.learn(&["list"]);
    let before = student.progress();
    let mut terminal = Terminal::open(&student, &[]);
    for name in THREE.iter().cycle().take(7) {
        let seen = terminal.sees(&format!("{name}: "));
        assert!(seen.contains("judging…") || terminal.sees("judging…").contains(name));
        // Every second one is left before its verdict.
        if name.starts_with("02") {
            terminal.sees("q quit");
        }
        terminal.types("n");
    }
    terminal.types("q");
    assert!(terminal.child.wait().unwrap().success());
    assert_eq!(student.progress(), before);
    // Who changes the file has tried.
    fs::write(student.mine(THREE[0]).with_extension("cu"), "int nonsense").unwrap();
    let mut terminal = Terminal::open(&student, &[]);
    terminal.sees("q quit");
    assert_eq!(student.progress().matches("attempts = 1").count(), 1, "{}", student.progress());
}

#[test]
fn one_begins_at_an_exercise_or_a_topic_and_that_is_remembered() {
    if has_no_compiler() {
        return;
    }
    let student = Student::with(&THREE);
    let begins = |words: &[&str]| {
        let (_, text) = student.learn(words);
        let is_heading = |line: &&str| THREE.iter().any(|name| line.starts_with(&format!("{name}: ")));
        text.lines().find(is_heading).unwrap_or_else(|| panic!("{text}")).split(':').next().unwrap().to_string()
    };
    assert_eq!(begins(&[]), THREE[0]);
    assert_eq!(begins(&["tile_used_again"]), THREE[2]);
    assert_eq!(begins(&[]), THREE[2]);
    assert!(student.learn(&["list"]).1.contains("[>] tile_used_again"));
    for topic in ["02_sync", "02_sync/", "sync", "2"] {
        assert_eq!(begins(&["bounds_check_missing"]), THREE[0]);
        assert_eq!((begins(&[topic]), begins(&[])), (NAME.to_string(), NAME.to_string()), "{topic}");
    }
    // What is solved is left out, unless it is named; after the last comes the first.
    fs::copy(shipped("solution.cu"), student.file()).unwrap();
    assert_eq!(student.learn(&["run", NAME]).0, 0);
    assert_eq!(begins(&[]), THREE[2]);
    assert_eq!((begins(&["2"]), begins(&[NAME])), (THREE[2].to_string(), NAME.to_string()));
    let mut terminal = Terminal::open(&student, &["tile_used_again"]);
    terminal.sees(THREE[2]);
    terminal.types("n");
    terminal.sees(THREE[0]);
    terminal.types("q");
    let (status, text) = student.learn(&["lits"]);
    assert!(status == 2 && text.contains("`lits` is no command, no topic and no exercise"), "{text}");
    let (status, text) = student.learn(&["barrier"]);
    assert!(status == 2 && text.contains("did you mean `02_sync/missing_barrier`"), "{text}");
}

/// With an nvcc that does not answer. It takes its time, and then does not work.
#[test]
fn a_compiler_that_does_not_answer_is_not_waited_for_in_silence() {
    let student = Student::new();
    let nvcc = student.0.path().join("nvcc");
    let script = "printf '#!/bin/sh\\nsleep 3\\nexit 1\\n' > \"$0\" && chmod +x \"$0\"";
    assert!(Command::new("sh").args(["-c", script]).arg(&nvcc).status().unwrap().success());
    let mut command = student.command(&[]);
    command.env("NVCC", &nvcc).env("NVRTC", "no-nvrtc").stdin(Stdio::null());
    let (status, said) = text(command.output().unwrap());
    assert!(status == 2 && said.contains("An nvcc that does not answer may be stuck"), "{said}");
    assert!(said.find("Looking for a CUDA compiler") < said.find("there is no CUDA compiler"), "{said}");
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
        "error: `__trap()` stopped the kernel\n  --> answer.cu:{line}\n{line:>2} |     if (threadIdx.x == 3) __trap();\n   \
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
        ("<stdio.h>", "note: `stdio.h` is not needed"),
        ("<cassert>", "without it; remove line 1"),
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
    // What is advised compiles.
    let said = student.told(NAME, &with("<cuda/std/cstdint>"), "en");
    assert!(said.contains("solved: answer.cu"), "{said}");
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
    assert!(text.starts_with("error: global load requests: 32, at most 16 allowed\n"), "{text}");
    assert_eq!(text.matches("error: ").count(), 1, "{text}");
    assert!(text.contains("1 more finding is not shown: add --verbose"), "{text}");
    let solution = fs::read_to_string(course().join(name).join("solution.cu")).unwrap();
    let solved = student.told(name, &solution, "en");
    assert!(solved.contains("Within the budget: global load requests; global store requests."), "{solved}");
}

/// Where the fence goes is the fix, and the fix is the student's to find.
#[test]
fn the_first_failure_does_not_name_the_fence_that_is_missing() {
    if has_no_compiler() {
        return;
    }
    let student = Student::new();
    let name = "02_sync/flag_without_fence";
    let shipped = fs::read_to_string(course().join(name).join("flag_without_fence.cu")).unwrap();
    for (language, fence, wanted) in [
        ("en", "no fence", "the flag (set in line 23, seen in line 26) does not order the two accesses"),
        ("es", "no hay fence", "el flag (activado en la línea 23, visto en la línea 26) no ordena los dos accesos"),
    ] {
        let text = student.told(name, &shipped, language);
        assert!(text.contains(wanted) && !text.to_lowercase().contains(fence), "{text}");
        assert!(!text.contains("__threadfence") && text.contains("= why: ") | text.contains("= por qué: "), "{text}");
    }
}

#[test]
fn in_a_terminal_the_student_is_asked_before_work_is_put_aside() {
    let student = Student::new();
    student.learn(&["list"]);
    fs::write(student.file(), "my work").unwrap();
    let mut terminal = Terminal::open(&student, &["reset", "missing_barrier"]);
    terminal.sees("[y/N]");
    terminal.types("n");
    terminal.child.wait().unwrap();
    assert_eq!(fs::read_to_string(student.file()).unwrap(), "my work");
    let mut terminal = Terminal::open(&student, &["reset", "missing_barrier"]);
    terminal.sees("[y/N]");
    terminal.types("y");
    terminal.sees("your file is kept as mine/02_sync/missing_barrier.mine-1.cu");
    assert_eq!(fs::read_to_string(student.file().with_extension("mine-1.cu")).unwrap(), "my work");
}

#[test]
fn in_spanish_the_copy_the_verdict_and_the_help_are_spanish_and_another_language_refreshes_the_copy() {
    if has_no_compiler() {
        return;
    }
    let student = Student::new();
    let beside = student.0.path().join("catalog").join(NAME).join("exercise.es.toml");
    fs::copy(shipped("exercise.es.toml"), beside).unwrap();
    let (status, text) = student.learn(&["--lang", "es"]);
    assert_eq!(status, 1, "{text}");
    assert!(text.contains("La barrera que falta") && text.contains("sin resolver: mine/02_sync"), "{text}");
    assert!(text.contains("error[race-shared]: condición de carrera"), "the judging process knows it: {text}");
    let spanish = fs::read_to_string(student.file()).unwrap();
    assert!(spanish.starts_with("// missing_barrier: cada bloque invierte"), "{spanish}");
    assert!(spanish.contains("    // TODO: el thread que escribe"), "{spanish}");
    let (_, text) = student.learn(&["list"]);
    assert!(text.contains("1 exercise that you have not edited was updated"), "{text}");
    assert_eq!(fs::read_to_string(student.file()).unwrap(), fs::read_to_string(shipped("missing_barrier.cu")).unwrap());
    let (status, text) = student.learn(&["run", "--help", "--lang=es"]);
    assert!(status == 0 && text.contains("Evalúa un ejercicio una vez"), "{text}");
    let (status, text) = student.learn(&["--lang", "de", "list"]);
    assert!(status == 2 && text.contains("no language `de`"), "{text}");
}

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

#[test]
fn in_a_pipe_the_next_exercise_is_judged_once_and_nothing_waits() {
    if has_no_compiler() {
        return;
    }
    let student = Student::new();
    let (status, text) = student.learn(&[]);
    assert_eq!(status, 1, "{text}");
    assert!(text.contains("race-shared") && !text.contains('\x1b'), "{text}");
    fs::copy(shipped("solution.cu"), student.file()).unwrap();
    assert_eq!(student.learn(&["run", "missing_barrier"]).0, 0);
    let (status, text) = student.learn(&["run", "missing_barrier", "--replay", "n=33/2/reverse"]);
    assert_eq!(status, 0, "{text}");
}

#[test]
fn the_second_failure_shows_a_fix_that_was_tried_and_the_first_does_not() {
    if has_no_compiler() {
        return;
    }
    let student = Student::new();
    student.learn(&["list"]);
    let fix = "   = fix (tried, right in ";
    let (status, first) = student.learn(&["run", "missing_barrier"]);
    assert!(status == 1 && !first.contains(fix) && !first.contains("idea:"), "{first}");
    let (status, second) = student.learn(&["run", "missing_barrier"]);
    assert!(status == 1 && second.starts_with(&first), "the verdict is the same, and comes first: {second}");
    let told = &second[first.len()..];
    assert!(told.contains(fix) && told.contains("add `__syncthreads();` before line "), "{second}");
    // One that is right begins a new count.
    fs::copy(shipped("solution.cu"), student.file()).unwrap();
    assert_eq!(student.learn(&["run", "missing_barrier"]).0, 0);
    fs::copy(shipped("missing_barrier.cu"), student.file()).unwrap();
    assert!(!student.learn(&["run", "missing_barrier"]).1.contains(fix));
    // So does a new copy, and who asks need not fail twice.
    student.learn(&["reset", "missing_barrier", "--yes"]);
    let asked = student.learn(&["run", "missing_barrier", "--fix"]).1;
    assert!(asked.contains(fix), "{asked}");
    assert!(student.learn(&["run", "missing_barrier"]).1.contains(fix));
    // A file without a kernel has nothing to try.
    let empty = student.0.path().join("empty.cu");
    fs::write(&empty, "int nonsense").unwrap();
    let (_, none) = student.learn(&["run", "missing_barrier", "--fix", "--file", empty.to_str().unwrap()]);
    assert!(none.ends_with("No small change to try here. `h` shows a hint.\n"), "{none}");
}

#[test]
fn hints_come_one_at_a_time_and_a_solution_only_when_wanted() {
    let student = Student::new();
    for number in 1..=3 {
        let (_, text) = student.learn(&["hint", "missing_barrier"]);
        assert!(text.contains(&format!("hint {number} of 3")), "{text}");
        assert!(!text.contains(&format!("hint {} of 3", number + 1)), "{text}");
    }
    let (status, text) = student.learn(&["solution", "missing_barrier"]);
    assert_eq!(status, 2, "{text}");
    assert!(text.contains("--yes") && !text.contains("__syncthreads"), "{text}");
    let (status, text) = student.learn(&["solution", "missing_barrier", "--yes"]);
    assert_eq!(status, 0, "{text}");
    assert!(text.contains("__syncthreads"), "{text}");
    let (status, text) = student.learn(&["solution", "missing_bar"]);
    assert_eq!(status, 2, "{text}");
    assert!(text.contains("did you mean `02_sync/missing_barrier`"), "{text}");
}

#[test]
fn without_a_compiler_there_is_something_to_do_and_the_rest_says_what_is_missing() {
    let student = Student::new();
    let bare = |words: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_learn"));
        command.env("LESSON_LANG", "en");
        command.args(["--dir", "mine"]).args(words).current_dir(student.0.path()).stdin(Stdio::null());
        command.env("NVCC", "no-nvcc").env("NVRTC", "no-nvrtc").env("HOME", student.0.path());
        text(command.output().unwrap())
    };
    let catalog = Catalog::read(&shipped("").join("../..")).unwrap();
    let puzzles: Vec<_> = catalog.exercises.iter().filter(|exercise| exercise.spec.kind.is_puzzle()).collect();
    assert!(!puzzles.is_empty());
    for exercise in puzzles {
        let solution = exercise.solution();
        let (status, text) = bare(&["run", &exercise.name, "--file", solution.to_str().unwrap()]);
        assert_eq!(status, 0, "{}: {text}", exercise.name);
    }
    let (status, text) = bare(&["run", "missing_barrier"]);
    assert_eq!(status, 2, "{text}");
    assert!(text.contains("cargo toolkit install"), "{text}");
    let (status, text) = bare(&["doctor"]);
    assert_eq!(status, 1, "{text}");
    assert!(text.contains("cargo toolkit install"), "{text}");
}

/// `volatile` in place of a barrier: no race, and a wrong answer. The store that comes too late is named all the same.
#[test]
fn a_wrong_answer_that_no_finding_explains_shows_what_nothing_orders() {
    if has_no_compiler() {
        return;
    }
    let student = Student::new();
    student.learn(&["list"]);
    fs::copy(shipped("wrong_volatile.cu"), student.file()).unwrap();
    let (_, said) = student.learn(&["run", "missing_barrier"]);
    let hint = said.split_once("\nnote: ").unwrap_or_else(|| panic!("{said}")).1;
    assert!(hint.starts_with("either order is possible on `tile["), "{said}");
    assert!(hint.contains("tile[i] = data[i];"), "{said}");
    // A race says it itself.
    fs::copy(shipped("missing_barrier.cu"), student.file()).unwrap();
    assert!(!student.learn(&["run", "missing_barrier"]).1.contains("\nnote: "));
}

/// Two places are taken for each element: at most sizes the result has holes, and where all elements are kept it is too long.
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

#[test]
fn kinds_are_explained() {
    let student = Student::new();
    let (status, text) = student.learn(&["explain", "race-shared"]);
    assert!(status == 0 && text.starts_with("# race-shared"), "{text}");
    let (status, text) = student.learn(&["explain", "race"]);
    assert!(status == 2 && text.contains("race-global"), "{text}");
}

/// A limit on the size of files stands for a full disk.
#[test]
fn a_full_disk_is_named_and_costs_no_work() {
    let student = Student::new();
    student.learn(&["list"]);
    fs::write(student.file(), "my work").unwrap();
    let before = fs::read_to_string(student.mine("progress.toml")).unwrap();
    let script = "trap '' XFSZ; ulimit -f 0; exec \"$0\" --catalog catalog --dir mine reset missing_barrier --yes";
    let output = Command::new("sh")
        .env("LESSON_LANG", "en")
        .args(["-c", script, env!("CARGO_BIN_EXE_learn")])
        .current_dir(student.0.path())
        .output();
    let (status, text) = text(output.unwrap());
    assert_eq!(status, 2, "{text}");
    assert!(text.contains("cannot write") && text.contains("free some space"), "{text}");
    assert_eq!(fs::read_to_string(student.mine("progress.toml")).unwrap(), before);
    let kept = student.file().with_extension("mine-1.cu");
    assert_eq!(fs::read_to_string(kept).unwrap(), "my work");
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let student = Student::new();
    fs::write(student.0.path().join("mine"), "a file where the folder should be").unwrap();
    let (status, text) = student.learn(&["list"]);
    assert_eq!(status, 2, "{text}");
    assert!(text.contains("cannot create") && text.contains("--dir"), "{text}");
}
