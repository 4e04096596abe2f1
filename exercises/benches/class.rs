//! Measures how long a class takes: `cargo bench -p learn --bench class -- 300`, a number of students, who hand in six
//! exercises each. `cargo test -p learn --bench class -- 30` does the same with what tests have built already.
//!
//! The class is made from the answers on file: half right, a third wrong, some as handed out, some not at all. Most are
//! edited as students' files are, a variable renamed, comments taken out or put in, so that few are equal byte for
//! byte. One student in fifty attacks. What is expected of each answer is known, and grades that differ from it stop
//! the run: a fast wrong grade is no grade.

use learn::catalog::{Catalog, Exercise};
use learn::reason::Reason;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

const EXERCISES: [&str; 6] = [
    "01_vectorized/forgotten_tail",
    "02_sync/missing_barrier",
    "03_warp_primitives/kept_in_front",
    "04_atomics/one_atomic_a_warp",
    "06_cooperative_groups/called_twice",
    "06_cooperative_groups/sums_by_label",
];

/// Seconds that two cores may take for one student: 300 students in nine minutes.
const AIM: f64 = 9.0 * 60.0 / 300.0;

/// The expected result of grading: passed, one of the verdict's kinds, or anything but passed.
#[derive(Clone, PartialEq)]
enum Expected {
    Passed,
    Kind(Reason),
    Rejected,
}

struct Draw(u64);

impl Draw {
    fn below(&mut self, bound: usize) -> usize {
        (emulator::split_mix(&mut self.0) % bound as u64) as usize
    }
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns an answer of one student, before edits; `None`: nothing.
fn answer(exercise: &Exercise, draw: &mut Draw) -> Option<(String, Expected)> {
    let files = |beginning: &str| exercise.files(beginning).expect("a folder of the catalogue");
    match draw.below(100) {
        0..5 => None,
        5..15 => Some((read(&exercise.shipped()), Expected::Kind(exercise.spec.fails))),
        15..65 => {
            let right: Vec<PathBuf> = files("right_").into_iter().chain([exercise.solution()]).collect();
            Some((read(&right[draw.below(right.len())]), Expected::Passed))
        }
        _ => {
            let wrong = files("wrong_");
            let text = read(&wrong[draw.below(wrong.len())]);
            let (first, rest) = text.split_once('\n').expect("two lines of comment");
            let kind =
                first.strip_prefix("// wrong: ").expect("the kind stands first").trim().parse().expect("a reason");
            Some((rest.to_string(), Expected::Kind(kind)))
        }
    }
}

/// A variable renamed, comments taken out or put in; one file in seven stays as it is.
fn edited(text: &str, student: &str, draw: &mut Draw) -> String {
    let how = draw.below(7);
    let mut text = text.to_string();
    if how & 1 != 0 {
        let names = declared(&text);
        if !names.is_empty() {
            let name = &names[draw.below(names.len())];
            text = renamed(&text, name, &format!("{name}_{}", draw.below(1000)));
        }
    }
    if how & 2 != 0 {
        let keep = |line: &&str| !line.trim_start().starts_with("//");
        text = text.lines().filter(keep).map(|line| format!("{line}\n")).collect();
    }
    if how & 4 != 0 {
        text = format!("// {student}, attempt {}\n{text}\n", draw.below(20));
    }
    text
}

/// Variables that are given a value where they are declared.
fn declared(text: &str) -> Vec<String> {
    let mut names = BTreeSet::new();
    for line in text.lines() {
        let Some((left, _)) = line.split_once(" = ") else { continue };
        let words: Vec<&str> = left.split_whitespace().collect();
        if let [.., kind, name] = words[..]
            && ["int", "unsigned", "float"].contains(&kind)
            && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
        {
            names.insert(name.to_string());
        }
    }
    names.into_iter().collect()
}

/// The word everywhere, but not as a member.
fn renamed(text: &str, old: &str, new: &str) -> String {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(old) {
        let (before, after) = (&rest[..at], &rest[at + old.len()..]);
        let stands_alone = !before.ends_with(|c: char| is_word(c) || c == '.') && !after.starts_with(is_word);
        // The word before it in the text as a whole decides, which may have been taken over already.
        let stands_alone = stands_alone && !(before.is_empty() && out.ends_with(|c: char| is_word(c) || c == '.'));
        out.push_str(before);
        out.push_str(if stands_alone { new } else { old });
        rest = after;
    }
    out + rest
}

/// Six ways to hurt whoever grades.
fn attack(exercise: &Exercise, number: usize) -> String {
    let shipped = read(&exercise.shipped());
    let kernel = shipped.find("__global__").expect("a kernel");
    let body = kernel + shipped[kernel..].find('{').expect("its body") + 1;
    let with_body = |line: &str| format!("{}\n    {line}{}", &shipped[..body], &shipped[body..]);
    match number {
        0 => with_body("volatile int stop = 0; while (stop == 0) {}"),
        1 => with_body("for (int i = 0;; ++i) printf(\"%d and so on\\n\", i);"),
        2 => {
            let levels: String =
                (1..12).map(|n| format!("#define X{n} X{0} X{0} X{0} X{0} X{0} X{0} X{0} X{0}\n", n - 1)).collect();
            format!("#define X0 0 +\n{levels}__device__ int bomb = X11 0;\n{shipped}")
        }
        3 => format!("#include \"/etc/passwd\"\n{shipped}"),
        4 => format!(
            "template <int N> struct S {{ typedef typename S<N + 1>::T T; }};\ntypedef S<0>::T bomb;\n{shipped}"
        ),
        _ => {
            let f = "constexpr long f(long n) { long s = 0; for (long i = 0; i < n; ++i) for (long j = 0; j < n; ++j) \
                s += i ^ j; return s; }";
            format!("{f}\nstatic_assert(f(1l << 40) != 1, \"\");\n{shipped}")
        }
    }
}

fn main() -> ExitCode {
    let students = std::env::args().filter_map(|word| word.parse().ok()).next();
    // `cargo test --benches` only looks whether it works.
    let default = if std::env::args().any(|word| word == "--bench") { 40 } else { 2 };
    let students: usize = students.unwrap_or(default);
    let catalog = Catalog::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("catalog")).expect("the catalogue");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let class = folder.path().join("class");

    let mut expected = BTreeMap::new();
    let mut contents: BTreeMap<String, usize> = BTreeMap::new();
    let mut attackers = 0;
    let mut draw = Draw(7);
    for number in 0..students {
        let student = format!("student_{number:03}");
        fs::create_dir_all(class.join(&student)).expect("a folder");
        let attacks = number % 50 == 17;
        attackers += usize::from(attacks);
        for (index, name) in EXERCISES.iter().enumerate() {
            let exercise = catalog.find(name).expect("an exercise");
            let handed_in = if attacks {
                Some((attack(exercise, index), Expected::Rejected))
            } else {
                answer(exercise, &mut draw).map(|(text, expected)| (edited(&text, &student, &mut draw), expected))
            };
            let (text, wanted) = match handed_in {
                Some((text, wanted)) => (Some(text), wanted),
                None => (None, Expected::Kind(Reason::Missing)),
            };
            if let Some(text) = text {
                fs::write(class.join(&student).join(exercise.file_name()), &text).expect("a file");
                *contents.entry(format!("{name}\n{text}")).or_default() += 1;
            }
            expected.insert((student.clone(), name.to_string()), wanted);
        }
    }
    let files: usize = contents.values().sum();
    let again = files - contents.len();
    println!(
        "{students} students, {attackers} of them attack; {files} files, of which {again} ({} %) equal an earlier one",
        100 * again / files.max(1)
    );

    let points: String = EXERCISES.iter().map(|name| format!("\"{name}\" = 1\n")).collect();
    fs::write(folder.path().join("points.toml"), format!("[points]\n{points}")).expect("a file");
    let begin = Instant::now();
    let output = Command::new(env!("CARGO_BIN_EXE_learn"))
        .args(["grade", "class", "--points", "points.toml", "--cache", "cache", "--format", "json"])
        .current_dir(folder.path())
        .stderr(Stdio::inherit())
        .output()
        .expect("learn starts");
    let wall = begin.elapsed().as_secs_f64();
    let grades: Vec<Value> = match serde_json::from_slice(&output.stdout) {
        Ok(grades) => grades,
        Err(error) => {
            eprintln!("no grades ({error}); grading says why above");
            return ExitCode::FAILURE;
        }
    };
    let surprises = tell(&grades, &expected, wall);
    if surprises == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Prints what it took; how many grades are not what was expected.
fn tell(grades: &[Value], expected: &BTreeMap<(String, String), Expected>, wall: f64) -> usize {
    let mut surprises = 0;
    let (mut judged, mut cached, mut attacks) = (BTreeMap::<&str, Vec<f64>>::new(), 0, Vec::new());
    let mut marked: BTreeMap<String, usize> = BTreeMap::new();
    for grade in grades {
        let text = |name: &str| grade[name].as_str().expect("a text");
        let (seconds, verdict) = (grade["seconds"].as_f64().expect("a number"), &grade["verdict"]);
        let kinds: Vec<&str> = verdict["kinds"].as_array().expect("kinds").iter().filter_map(Value::as_str).collect();
        let passed = verdict["passed"] == true;
        let wanted = &expected[&(text("student").to_string(), text("exercise").to_string())];
        let is_as_expected = match wanted {
            Expected::Passed => passed,
            Expected::Kind(kind) => !passed && kinds.contains(&kind.as_str()),
            // One includes a file of the system, which must stand beside it.
            Expected::Rejected => {
                let reads = verdict["text"].as_str().is_some_and(|text| text.contains("\"/etc/passwd\""));
                !passed && !kinds.contains(&"error") && reads == (verdict["refused"][0] == "/etc/passwd")
            }
        };
        if !is_as_expected {
            surprises += 1;
            println!("surprise: {} {} {kinds:?}\n{}", text("student"), text("exercise"), verdict["text"]);
        }
        match (wanted, grade["cached"] == true) {
            (Expected::Rejected, _) => {
                attacks.push(seconds);
                let refused = verdict["refused"][0].as_str().map_or(String::new(), |what| format!(", refused: {what}"));
                *marked.entry(format!("{}{refused}", kinds.join(", "))).or_default() += 1;
            }
            (_, true) => cached += 1,
            (_, false) if kinds != ["missing"] => judged.entry(text("exercise")).or_default().push(seconds),
            _ => {}
        }
    }
    let mut saved = 0.0;
    for (name, times) in &mut judged {
        times.sort_by(f64::total_cmp);
        let (sum, last) = (times.iter().sum::<f64>(), times[times.len() - 1]);
        saved += sum;
        println!("{name:<36} {:>4} judged, median {:.2} s, longest {last:.2} s", times.len(), times[times.len() / 2]);
    }
    let count: usize = judged.values().map(Vec::len).sum();
    saved *= cached as f64 / count.max(1) as f64;
    println!(
        "known already: {cached}, which saved about {saved:.0} s; attacks took {:.0} s",
        attacks.iter().sum::<f64>()
    );
    for (how, count) in &marked {
        println!("attacks told as {how}: {count}");
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let students = grades.len() / EXERCISES.len();
    println!("the aim on {cores} cores: {:.0} s", students as f64 * AIM * 2.0 / cores as f64);
    println!("{} grades in {wall:.0} s on {cores} cores, {surprises} not as expected", grades.len());
    surprises
}
