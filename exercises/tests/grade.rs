//! A class of eight is graded: right, wrong, nothing, and those who try something.

use learn::compile::Compiler;
use learn::sandbox;
use serde_json::Value;
use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const EXERCISE: &str = "02_sync/missing_barrier";

fn course() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("catalog").join(EXERCISE)
}

struct Class(tempfile::TempDir);

impl Class {
    fn hand_in(&self, student: &str, text: &str) {
        let folder = self.0.path().join("class").join(student).join("02_sync");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("missing_barrier.cu"), text).unwrap();
    }

    /// Exit status, stdout, stderr.
    fn grade(&self, words: &[&str]) -> (i32, String, String) {
        let output = Command::new(env!("CARGO_BIN_EXE_learn"))
            .env("LESSON_LANG", "en")
            .args(["--catalog", "private", "grade", "class", "--only", "02_sync", "--cache", "cache"])
            .args(words)
            .current_dir(self.0.path())
            .output()
            .unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
    }
}

fn class() -> Class {
    let class = Class(tempfile::tempdir().unwrap());
    let read = |name: &str| fs::read_to_string(course().join(name)).unwrap();
    // Exercises of the lecturer's own, outside the course.
    let private = class.0.path().join("private/02_sync/missing_barrier");
    fs::create_dir_all(&private).unwrap();
    let pack = format!("name = 'exam'\ncourse = '{}'\n", learn::pack::COURSE);
    fs::write(class.0.path().join("private/pack.toml"), pack).unwrap();
    let topic = "title = 't'\nlesson = 'l'\norder = ['missing_barrier', 'twice']\n";
    fs::write(private.with_file_name("topic.toml"), topic).unwrap();
    fs::create_dir_all(private.with_file_name("twice")).unwrap();
    for file in ["missing_barrier.cu", "check.cu", "exercise.toml"] {
        fs::write(private.join(file), read(file)).unwrap();
        let same = private.with_file_name("twice").join(file.replace("missing_barrier", "twice"));
        fs::write(same, read(file)).unwrap();
    }
    fs::write(private.join("solution.cu"), read("solution.cu")).unwrap();
    class.hand_in("hal", &format!("#include \"{}\"\n", private.join("solution.cu").display()));
    class.hand_in("ada", &read("solution.cu"));
    class.hand_in("bob", &read("missing_barrier.cu"));
    class.hand_in("copycat", &read("solution.cu"));
    fs::create_dir_all(class.0.path().join("class/dora")).unwrap();
    let secret = class.0.path().join("secret.txt");
    fs::write(&secret, "#define EXAM 42\n").unwrap();
    class.hand_in("eve", &format!("#include \"{}\"\n{}", secret.display(), read("solution.cu")));
    // Headers that are kept from file to file are temporary files, which one who is shut in must be able to write.
    let groups = "#include <cooperative_groups.h>\n".to_string() + &read("solution.cu");
    class.hand_in("gil", &groups);
    fs::copy(class.0.path().join("class/gil/02_sync/missing_barrier.cu"), class.0.path().join("class/gil/twice.cu"))
        .unwrap();
    let folder = class.0.path().join("class/fay/02_sync");
    fs::create_dir_all(&folder).unwrap();
    std::os::unix::fs::symlink("../../ada/02_sync/missing_barrier.cu", folder.join("missing_barrier.cu")).unwrap();
    class
}

/// Shutting somebody in takes NVRTC, and Landlock in Linux.
fn has_no_sandbox() -> bool {
    let found = Compiler::find();
    let is_there = matches!(found, Ok(Compiler::Nvrtc(..))) && sandbox::is_there();
    match &found {
        Ok(_) if !is_there => skipped::because(skipped::SANDBOX, "it takes NVRTC, and Landlock in Linux"),
        _ => drop(skipped::unless(skipped::CUDA_COMPILER, &found)),
    }
    !is_there
}

#[test]
fn a_class_is_graded_and_nobody_reads_what_is_not_theirs() {
    if has_no_sandbox() {
        return;
    }
    let class = class();
    let (status, json, said) = class.grade(&["--format", "json"]);
    assert_eq!(status, 0, "{json}{said}");
    let grades: Vec<Value> = serde_json::from_str(&json).unwrap();
    let kinds = |student: &str| {
        let is_it = |grade: &&Value| grade["student"] == student && grade["exercise"] == EXERCISE;
        let grade = grades.iter().find(is_it).unwrap();
        grade["verdict"]["kinds"].as_array().unwrap().iter().map(|kind| kind.as_str().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(grades.len(), 2 * 8);
    assert!(kinds("ada").is_empty() && kinds("copycat").is_empty());
    assert_eq!(kinds("bob")[0], "race-shared");
    assert_eq!((kinds("dora"), kinds("fay")), (vec!["missing"], vec!["missing"]));
    assert_eq!((kinds("eve"), kinds("hal")), (vec!["compile"], vec!["compile"]));
    let passed = grades.iter().filter(|grade| grade["student"] == "gil" && grade["verdict"]["passed"] == true).count();
    assert_eq!(passed, 2, "{json}");
    assert!(!json.contains("EXAM"), "{json}");
    // The refused file stands beside it, for the program that reads the report and for who graded.
    let secret = class.0.path().join("secret.txt").display().to_string();
    let eve = grades.iter().find(|grade| grade["student"] == "eve" && grade["exercise"] == EXERCISE).unwrap();
    assert_eq!(eve["verdict"]["refused"], serde_json::json!([secret]), "{eve}");
    assert!(eve["verdict"]["text"].as_str().unwrap().contains(&format!("refused: {secret}\n")), "{eve}");
    assert!(said.contains(&format!("eve: refused in {EXERCISE}: {secret}\n")), "{said}");
    assert_eq!(said.matches(": refused in ").count(), 2, "{said}");

    let (_, again, _) = class.grade(&["--format", "json"]);
    let again: Vec<Value> = serde_json::from_str(&again).unwrap();
    let cached = again.iter().filter(|grade| grade["cached"] == true).count();
    assert_eq!(cached, 5, "all that were judged and stand alone");

    // Without the sandbox they read it: that is what shut them out.
    fs::remove_dir_all(class.0.path().join("cache")).unwrap();
    let (_, open, _) = class.grade(&["--no-sandbox"]);
    for student in ["eve", "hal"] {
        assert!(open.contains(&format!("{student},02_sync/missing_barrier,true,")), "{open}");
    }

    let (_, csv, _) = class.grade(&[]);
    assert!(
        csv.contains("ada,02_sync/missing_barrier,true,,")
            && csv.contains(&format!(",0,1,{secret},refused: {secret}\n"))
            && csv.contains("dora,02_sync/missing_barrier,false,missing,"),
        "{csv}"
    );
    // One line says why.
    for (student, why) in [
        ("ada", ",1,1,,\n"),
        ("bob", "error[race-shared]: "),
        ("dora", "nothing was handed in"),
        ("fay", "is a symbolic link"),
    ] {
        let begin = format!("{student},02_sync/missing_barrier,");
        let row = csv.split_inclusive('\n').find(|row| row.starts_with(&begin)).unwrap();
        assert!(row.contains(why), "{row}");
    }
    let (_, junit, _) = class.grade(&["--format", "junit"]);
    assert!(junit.contains("<testsuite name=\"bob\" tests=\"2\" failures=\"2\">"), "{junit}");
}

#[test]
fn what_an_editor_or_a_browser_does_to_a_right_answer_costs_nothing() {
    if has_no_sandbox() {
        return;
    }
    let class = class();
    let right = fs::read(course().join("solution.cu")).unwrap();
    fs::remove_dir_all(class.0.path().join("class")).unwrap();
    let names = [&b"bom"[..], b"latin", b"o \"hare\" \\o", b"jos\xe9", b"numbered", b"deep"];
    let folders = names.map(|name| class.0.path().join("class").join(OsStr::from_bytes(name)));
    folders.iter().for_each(|folder| fs::create_dir_all(folder.join("a/02_sync")).unwrap());
    let [bom, latin, quoted, other, numbered, deep] = &folders;
    let file = "missing_barrier.cu";
    fs::write(bom.join(file), [b"\xef\xbb\xbf", &right[..]].concat()).unwrap();
    fs::write(latin.join(file), [b"// caf\xe9\n", &right[..]].concat()).unwrap();
    fs::write(quoted.join(file), &right).unwrap();
    fs::write(other.join(file), &right).unwrap();
    fs::write(numbered.join("missing_barrier (1).cu"), &right).unwrap();
    fs::write(deep.join("a/02_sync").join(file), &right).unwrap();
    std::os::unix::fs::symlink("bom", class.0.path().join("class/linked")).unwrap();
    let (status, json, said) = class.grade(&["--format", "json"]);
    assert_eq!(status, 0, "{json}{said}");
    let grades: Vec<Value> = serde_json::from_str(&json).unwrap();
    let of = |student: &str| {
        let is_it = |grade: &&Value| grade["student"] == student && grade["exercise"] == EXERCISE;
        grades.iter().find(is_it).unwrap_or_else(|| panic!("{student}: {json}"))["verdict"].clone()
    };
    for student in ["bom", "latin", "o \"hare\" \\o", "jos\u{fffd}"] {
        assert_eq!(of(student)["passed"], true, "{student}: {json}{said}");
    }
    for (student, found) in [("numbered", "missing_barrier (1).cu"), ("deep", "a/02_sync/missing_barrier.cu")] {
        let verdict = of(student);
        assert_eq!(verdict["kinds"][0], "missing");
        assert!(verdict["text"].as_str().unwrap().contains(found), "{verdict}");
    }
    assert!(said.contains("bom: 1 of 2 points"), "{said}");
    assert!(said.contains("all 6 students: 4 of 12 points"), "{said}");
}

#[test]
fn what_is_not_graded_is_said() {
    if has_no_sandbox() {
        return;
    }
    let class = class();
    let at = class.0.path().join("class");
    for student in fs::read_dir(&at).unwrap().flatten().filter(|entry| entry.file_name() != "ada") {
        fs::remove_dir_all(student.path()).unwrap();
    }
    let right = fs::read_to_string(course().join("solution.cu")).unwrap();
    fs::write(at.join("ada/missing_barrier.cu"), right + "// a second time\n").unwrap();
    fs::create_dir_all(at.join("bob")).unwrap();
    fs::write(at.join("bob/Missing-Barrier.cu.txt"), "").unwrap();
    // A second file without an end is not read.
    std::os::unix::fs::symlink("/dev/zero", at.join("bob/twice.cu")).unwrap();
    fs::create_dir_all(at.join("bob/02_sync")).unwrap();
    fs::write(at.join("bob/02_sync/twice.cu"), "").unwrap();
    fs::write(at.join("missing_barrier.cu"), "").unwrap();
    fs::write(at.join("readme.txt"), "").unwrap();
    std::os::unix::fs::symlink("ada", at.join("linked")).unwrap();
    std::os::unix::fs::symlink("nowhere", at.join("dangling")).unwrap();
    let (_, json, said) = class.grade(&["--format", "json"]);
    assert!(json.contains("There is Missing-Barrier.cu.txt"), "{json}");
    for what in [
        "missing_barrier.cu and one more file are in no student's folder",
        "ada handed in both 02_sync/missing_barrier.cu and missing_barrier.cu, and they differ",
        "linked is a link",
        "dangling is a link",
    ] {
        assert!(said.contains(what), "{what}: {said}");
    }
    fs::rename(&at, at.with_file_name("students")).unwrap();
    std::os::unix::fs::symlink("students/ada", &at).unwrap();
    let (status, _, said) = class.grade(&[]);
    assert!(status == 2 && said.contains("class is one student's folder"), "{said}");
}

/// The first word comes before anything that takes long, cargo's progress while it builds, and in a log the class in
/// lines.
#[test]
fn how_far_it_is_is_told_from_the_first_moment_on() {
    if skipped::unless(skipped::CUDA_COMPILER, &Compiler::find()) {
        return;
    }
    let class = class();
    let at = |path: &str| class.0.path().join(path);
    // A program of the host, and a cargo that builds for it until the test has seen enough.
    let host = Path::new(env!("CARGO_MANIFEST_DIR")).join("catalog/07_host/nobody_looked");
    let folder = at("private/02_sync/nobody_looked");
    fs::create_dir_all(&folder).unwrap();
    for entry in fs::read_dir(host).unwrap().flatten() {
        fs::copy(entry.path(), folder.join(entry.file_name())).unwrap();
    }
    let topic = "title = 't'\nlesson = 'l'\norder = ['missing_barrier', 'twice', 'nobody_looked']\n";
    fs::write(at("private/02_sync/topic.toml"), topic).unwrap();
    let cargo = "#!/bin/sh\nprintf '   Compiling serde v1.0.0\\n    Building [=>  ] 4/60: serde\\r\\n' >&2\n\
                 i=0; while [ ! -e go ] && [ $i != 600 ]; do sleep 0.05; i=$((i + 1)); done\n\
                 echo 'error: no more' >&2\nexit 101\n";
    fs::write(at("cargo"), cargo.replace("[ ! -e go ]", &format!("[ ! -e '{}' ]", at("go").display()))).unwrap();
    fs::set_permissions(at("cargo"), fs::Permissions::from_mode(0o755)).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_learn"))
        .env("LESSON_LANG", "en")
        .env("CARGO", at("cargo"))
        .args(["--catalog", "private", "grade", "class", "--no-sandbox"])
        .current_dir(class.0.path())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    let mut next = |wanted: &str| {
        let found = lines.by_ref().find(|line| !line.starts_with("note: fay"));
        let line = found.unwrap_or_else(|| panic!("{wanted}"));
        assert!(line.starts_with(wanted), "{line:?} in place of {wanted:?}");
    };
    next("grading: 8 students, 3 exercises");
    next("cargo builds what programs of the host need: 4 of 60, now serde, 2 s");
    fs::write(at("go"), "").unwrap();
    next("note: programs of the host cannot be built here: ");
    let rest: Vec<String> = lines.collect();
    let told: Vec<&String> = rest.iter().filter(|line| line.starts_with("graded: ")).collect();
    let wanted: Vec<String> = (1..=8).map(|ready| format!("graded: {ready} of 8 students")).collect();
    assert_eq!(told, wanted.iter().collect::<Vec<_>>(), "{rest:?}");
    assert!(child.wait().unwrap().code().is_some());
}

/// The policy of `exercises/class/README.md`: the verdict stands, and the row names what was refused.
#[test]
fn a_right_program_keeps_its_points_and_its_row_names_what_was_refused() {
    if has_no_sandbox() {
        return;
    }
    let name = "07_host/nobody_looked";
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("catalog").join(name);
    let right = fs::read_to_string(folder.join("solution.rs")).unwrap();
    let at = right.find("fn main()").unwrap();
    let begin = at + right[at..].find("{\n").unwrap() + 2;
    let tries = "    let _ = std::process::Command::new(\"ls\").status();\n    let _ = \
        std::net::TcpStream::connect(\"127.0.0.1:9\");\n";
    let class = tempfile::tempdir().unwrap();
    for (student, more) in [("ada", ""), ("eve", tries)] {
        let own = class.path().join(student);
        fs::create_dir_all(&own).unwrap();
        fs::write(own.join("nobody_looked.rs"), format!("{}{more}{}", &right[..begin], &right[begin..])).unwrap();
    }
    let output = Command::new(env!("CARGO_BIN_EXE_learn"))
        .env("LESSON_LANG", "en")
        .arg("grade")
        .arg(class.path())
        .args(["--only", name])
        .output()
        .unwrap();
    let csv = String::from_utf8(output.stdout).unwrap();
    let row = |student: &str| {
        csv.lines().find(|row| row.starts_with(&format!("{student},{name},true,,"))).unwrap_or_else(|| panic!("{csv}"))
    };
    assert!(row("ada").ends_with(",1,1,,"), "{csv}");
    assert!(row("eve").ends_with(",1,1,fork socket,"), "{csv}");
}
