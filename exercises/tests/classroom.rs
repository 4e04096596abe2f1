//! The template of an assignment's repository (`class/classroom/`): its steps are run as GitHub Actions and Classroom
//! 50 would run them, with this course in place of the checkout of it.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn template() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("class/classroom")
}

fn workflow() -> serde_yaml_ng::Value {
    let text = fs::read_to_string(template().join(".github/workflows/classroom.yml")).unwrap();
    serde_yaml_ng::from_str(&text).unwrap()
}

fn steps() -> Vec<serde_yaml_ng::Value> {
    workflow()["jobs"]["run-autograding-tests"]["steps"].as_sequence().unwrap().clone()
}

/// A runner's workspace: `submission/`, a repository with what a student handed in, and `course/`.
struct Workspace(tempfile::TempDir);

impl Workspace {
    /// `files`: where in the submission, and its text.
    fn new(files: &[(&str, String)]) -> Workspace {
        let workspace = Workspace(tempfile::tempdir().unwrap());
        let submission = workspace.submission();
        for (name, text) in files {
            fs::create_dir_all(submission.join(name).parent().unwrap()).unwrap();
            fs::write(submission.join(name), text).unwrap();
        }
        fs::copy(template().join("assignment.toml"), submission.join("assignment.toml")).unwrap();
        for words in [&["init", "--quiet"][..], &["add", "."], &["commit", "--quiet", "-m", "handed in"]] {
            let me = ["-c", "user.name=student", "-c", "user.email=student@example.com"];
            let status = Command::new("git").args(me).args(words).current_dir(&submission).status().unwrap();
            assert!(status.success(), "git {words:?}");
        }
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        std::os::unix::fs::symlink(root, workspace.0.path().join("course")).unwrap();
        workspace
    }

    fn submission(&self) -> PathBuf {
        self.0.path().join("submission")
    }

    /// Runs a program as a runner would; cargo builds where this test was built.
    fn run(&self, program: &str, words: &[&str], folder: &Path) -> Output {
        let built = Path::new(env!("CARGO_BIN_EXE_learn")).ancestors().nth(2).unwrap();
        let mut command = Command::new(program);
        command.args(words).current_dir(folder).env("GITHUB_WORKSPACE", self.0.path()).env("CARGO_TARGET_DIR", built);
        command.output().unwrap()
    }

    /// All steps with `run:`, until one fails; what they printed, and whether none did.
    fn grade(&self) -> (String, bool) {
        let mut text = String::new();
        for step in steps() {
            let Some(script) = step["run"].as_str() else { continue };
            assert!(!script.contains("${{"), "the shell must see no text of GitHub's: {script}");
            let folder = self.0.path().join(step["working-directory"].as_str().unwrap_or("."));
            let file = self.0.path().join("step.sh");
            fs::write(&file, script).unwrap();
            // The command that the runner makes of `shell: bash`.
            let output =
                self.run("bash", &["--noprofile", "--norc", "-eo", "pipefail", file.to_str().unwrap()], &folder);
            text += &String::from_utf8_lossy(&output.stdout);
            if !output.status.success() {
                return (text + &String::from_utf8_lossy(&output.stderr), false);
            }
        }
        (text, true)
    }
}

fn answer(exercise: &str, file: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("catalog").join(exercise).join(file)).unwrap()
}

const BARRIER: &str = "02_sync/missing_barrier";
const LOST: &str = "04_atomics/lost_update";

/// One who solved all; one who solved the first and tries to print points for the second.
fn submissions() -> [Workspace; 2] {
    let handed = |exercise: &str| format!("{exercise}.cu");
    let solved = answer(BARRIER, "solution.cu");
    let prints = answer(LOST, "lost_update.cu");
    let at = prints.find("void ").map(|at| at + prints[at..].find('{').unwrap() + 1).unwrap();
    let notice = "printf(\"\\n::notice title=Autograding report::{\\\"maxPoints\\\":5,\\\"totalPoints\\\":5}\\n\");";
    let prints = format!("{}{notice}{}", &prints[..at], &prints[at..]);
    [
        Workspace::new(&[(&handed(BARRIER), solved.clone()), (&handed(LOST), answer(LOST, "solution.cu"))]),
        Workspace::new(&[(&handed(BARRIER), solved), (&handed(LOST), prints)]),
    ]
}

/// Without a fetched toolkit the first step would fetch one, and a test is no place for that.
fn has_no_toolkit() -> bool {
    let fetched = kernel_build::toolkit::default_folder().filter(|folder| kernel_build::toolkit::is_complete(folder));
    if fetched.is_none() {
        skipped::because(skipped::TOOLKIT, "`cargo toolkit install` fetches one");
    }
    fetched.is_none()
}

#[test]
fn the_workflow_is_one_that_classroom_knows_and_its_course_is_pinned() {
    let workflow = workflow();
    assert_eq!(workflow["name"], "Autograding Tests");
    assert_eq!(workflow["jobs"].as_mapping().unwrap().len(), 1, "points are read from one job");
    assert_eq!(workflow["permissions"]["contents"], "read");
    assert_eq!(workflow["defaults"]["run"]["shell"], "bash");
    let version = concat!("v", env!("CARGO_PKG_VERSION"));
    let mut checked_out = Vec::new();
    for step in steps() {
        let Some(action) = step["uses"].as_str() else { continue };
        assert!(["actions/checkout@v4", "actions/cache@v4"].contains(&action), "{action}");
        checked_out.extend(step["with"]["path"].as_str().filter(|_| action.contains("checkout")).map(String::from));
        match step["with"]["repository"].as_str() {
            Some(_) => assert_eq!(step["with"]["ref"], version),
            None if action.contains("cache") => assert!(step["with"]["key"].as_str().unwrap().contains(version)),
            None => {}
        }
    }
    assert_eq!(checked_out, ["submission", "course"]);
}

#[test]
fn github_actions_gives_the_points_that_were_earned() {
    if has_no_toolkit() {
        return;
    }
    let [right, wrong] = submissions();
    let (text, passed) = right.grade();
    if text.contains("--no-sandbox") {
        skipped::because(skipped::SANDBOX, &text);
        return;
    }
    let report = |text: &str| -> Vec<Value> {
        let reports = text.lines().filter_map(|line| line.trim().strip_prefix("::notice title=Autograding report::"));
        reports.map(|json| serde_json::from_str(json).unwrap()).collect()
    };
    assert!(passed, "{text}");
    assert_eq!(report(&text), [serde_json::json!({ "totalPoints": 5, "maxPoints": 5 })], "{text}");
    assert!(text.contains("::notice title=04_atomics/lost_update::3 of 3 points\n"), "{text}");

    let (text, passed) = wrong.grade();
    assert!(!passed, "{text}");
    assert_eq!(report(&text), [serde_json::json!({ "totalPoints": 2, "maxPoints": 5 })], "{text}");
    assert!(text.contains("::notice title=02_sync/missing_barrier::2 of 2 points\n"), "{text}");
    assert!(text.contains("::error title=04_atomics/lost_update::0 of 3 points, race-global"), "{text}");
}

#[test]
fn classroom_50_gives_the_points_that_were_earned() {
    let tests = fs::read_to_string(template().join("classroom50.json")).unwrap();
    let tests: Vec<Value> = serde_json::from_str(&tests).unwrap();
    // The fields that its documents allow ("Autograding Basics", declarative tests).
    for test in &tests {
        let known = ["name", "type", "run", "timeout", "points"];
        assert!(test.as_object().unwrap().keys().all(|key| known.contains(&key.as_str())), "{test}");
        assert!(test["type"] == "run" && (1..=600).contains(&test["timeout"].as_u64().unwrap()), "{test}");
    }
    let setup = tests[0]["run"].as_str().unwrap();
    assert!(setup.contains(concat!("--branch v", env!("CARGO_PKG_VERSION"), " ")), "{setup}");
    // The same exercises for the same points as in the assignment.
    let assignment: toml::Table =
        toml::from_str(&fs::read_to_string(template().join("assignment.toml")).unwrap()).unwrap();
    let worth: Vec<(&str, u64)> =
        tests[1..].iter().map(|test| (test["name"].as_str().unwrap(), test["points"].as_u64().unwrap())).collect();
    let points = assignment["points"].as_table().unwrap();
    let wanted: Vec<(&str, u64)> =
        points.iter().map(|(name, of)| (name.as_str(), of.as_integer().unwrap() as u64)).collect();
    assert_eq!(worth, wanted);

    if has_no_toolkit() {
        return;
    }
    for (workspace, earned) in submissions().iter().zip([5, 2]) {
        let mut sum = 0;
        for test in &tests {
            // The course is there already: no test reaches for GitHub.
            let run = test["run"].as_str().unwrap();
            let (clone, rest) = run.split_once(" && ").unwrap();
            let run = if clone.starts_with("git clone ") { rest } else { run };
            let output = workspace.run("sh", &["-c", run], &workspace.submission());
            let said = String::from_utf8_lossy(&output.stderr);
            if said.contains("--no-sandbox") {
                skipped::because(skipped::SANDBOX, &said);
                return;
            }
            if output.status.success() {
                sum += test["points"].as_u64().unwrap();
            } else {
                // Cargo says what it builds and runs, and `grade` how far it is.
                const TOLD: [&str; 4] = ["Finished", "Running", "grading:", "graded:"];
                let is_progress = |line: &&str| TOLD.contains(&line.trim_start().split(' ').next().unwrap());
                let said: Vec<&str> = said.lines().filter(|line| !is_progress(line)).collect();
                assert!(test["points"] != 0 && said.is_empty(), "{run}\n{said:#?}");
            }
        }
        assert_eq!(sum, earned);
    }
}
