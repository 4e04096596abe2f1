//! `cargo learn` in a terminal, while its student works.

use super::support::{NAME, Student, Terminal, has_no_compiler, shipped, text};
use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

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

    terminal.types("f");
    let again = terminal.sees("This fix is above");
    assert_eq!(again.matches("fix (tried").count(), 1, "{again}");

    terminal.types("h");
    let hint = terminal.sees("hint 1 of 3");
    assert!(!hint.contains("hint 2"), "{hint}");
    terminal.types("help");
    terminal.sees("h hint");

    // As an editor that empties the file first, then one that replaces it.
    terminal.forget();
    fs::write(student.file(), "").unwrap();
    fs::write(student.file(), "int nonsense").unwrap();
    terminal.sees("does not compile");
    terminal.forget();
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
    terminal.forget();
    fs::write(student.file(), bomb()).unwrap();
    terminal.sees("judging…");
    terminal.types("h");
    let hint = terminal.sees("hint 1 of 3");
    terminal.types("help");
    let help = terminal.sees("h hint");
    assert!(![hint, help].iter().any(|text| text.contains("solved yet")), "it is not slow");
    terminal.sees("and may be stuck");
    terminal.forget();
    let begin = Instant::now();
    fs::copy(shipped("solution.cu"), student.file()).unwrap();
    let last = terminal.sees("1 of 1 solved");
    assert!(begin.elapsed() < Duration::from_secs(15), "{:?}", begin.elapsed());
    assert!(last.contains("judging…") && !last.contains("does not compile"), "{last}");
    // A verdict that was ended is no attempt.
    assert!(student.progress().contains("attempts = 1"), "{}", student.progress());
    // A key that leaves while it is judged.
    terminal.forget();
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
    terminal.types("correccion");
    terminal.sees("Probando pequeños cambios");
    terminal.forget();
    fs::remove_file(student.file()).unwrap();
    terminal.sees(
        "missing_barrier.cu ya no está. `cargo learn --catalog catalog --dir mine reset missing_barrier` lo restaura",
    );
}

#[test]
fn a_file_that_was_deleted_names_reset_and_is_judged_when_it_comes_back() {
    if has_no_compiler() {
        return;
    }
    let student = Student::new();
    let mut terminal = Terminal::open(&student, &[]);
    terminal.sees("q quit");
    terminal.forget();
    fs::remove_file(student.file()).unwrap();
    let gone = "missing_barrier.cu is not there any more. `cargo learn --catalog catalog --dir mine reset \
        missing_barrier` puts it";
    terminal.sees(gone);
    // Also for one who asks.
    terminal.types("r");
    terminal.sees(gone);
    terminal.forget();
    assert_eq!(student.learn(&["reset", "missing_barrier", "--yes"]).0, 0);
    terminal.sees("not solved yet: mine/02_sync/missing_barrier.cu");
    // An editor that takes its time: nothing is said of a file that comes back at once.
    terminal.forget();
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
    // A student who changes the file has tried.
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
    // A solved exercise is left out, unless it is named; after the last comes the first.
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

#[test]
fn one_chooses_from_the_list_and_opens_ones_editor_without_leaving() {
    if has_no_compiler() {
        return;
    }
    let student = Student::with(&THREE);
    // It reads the terminal, as an editor does.
    let editor = student.0.path().join("editor");
    let script = "printf '#!/bin/sh\\nread word\\necho \"// $word\" >> \"$1\"\\n' > \"$0\" && chmod +x \"$0\"";
    assert!(Command::new("sh").args(["-c", script]).arg(&editor).status().unwrap().success());
    let mut command = student.command(&[]);
    command.env_remove("VISUAL").env("EDITOR", &editor);
    let mut terminal = Terminal::of(command);
    let first = terminal.sees("q quit");
    assert!(first.contains("Each exercise is a file"), "{first}");
    terminal.types("l");
    let list = terminal.sees("Enter alone goes back");
    assert!(list.contains("   1 [>] bounds_check_missing") && list.contains("02_sync  [----------] 0/2"), "{list}");
    terminal.types("tile");
    let some = terminal.sees("Enter alone goes back");
    assert!(some.contains("   3 [ ] tile_used_again") && !some.contains("bounds_check"), "{some}");
    terminal.types("");
    terminal.sees("01_vectorized/bounds_check_missing: ");
    terminal.sees("q quit");
    terminal.types("l");
    terminal.sees("Enter alone goes back");
    terminal.types("3");
    terminal.sees("02_sync/tile_used_again: ");
    terminal.sees("q quit");
    let file = student.mine(THREE[2]).with_extension("cu");
    terminal.types("e");
    std::thread::sleep(Duration::from_millis(500));
    terminal.types("quit");
    terminal.sees("The editor has ended");
    terminal.sees("judging…");
    terminal.forget();
    let second = terminal.sees("q quit");
    assert!(fs::read_to_string(&file).unwrap().ends_with("// quit\n") && !second.contains("Each exercise"), "{second}");
    // A solution is shown, and the file begins anew, only for who says yes.
    for (key, answer, said) in
        [("s", "n", "h hint"), ("s", "y", "__global__"), ("x", "n", "h hint"), ("x", "y", "as it was handed out")]
    {
        terminal.types(key);
        terminal.sees("[y/N]");
        terminal.types(answer);
        terminal.sees(said);
    }
    terminal.sees("not solved yet");
    assert!(!fs::read_to_string(&file).unwrap().contains("// quit"));
    terminal.types("q");
    assert!(terminal.child.wait().unwrap().success());
}

#[test]
fn an_exercise_whose_file_is_gone_has_its_own_heading() {
    if has_no_compiler() {
        return;
    }
    let student = Student::with(&THREE);
    let mut terminal = Terminal::open(&student, &[]);
    terminal.sees("q quit");
    // At the next start it would be laid out again.
    fs::remove_file(student.file()).unwrap();
    terminal.types("n");
    let seen = terminal.sees("is not there any more");
    assert!(seen.contains("02_sync/missing_barrier: "), "{seen}");
    terminal.types("q");
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
