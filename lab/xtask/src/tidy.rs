//! Checks that no compiler makes: a document that names a file that is gone, a kernel without its head, a course
//! without its syllabus ([`crate::syllabus`]), a test that nobody runs, a file that grew.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

const LONGEST: usize = 500;

/// The width of Rust, in comments, tables and texts too, which rustfmt leaves alone.
const COLUMNS: usize = 120;

/// The words in the first lines of a file over `LONGEST` lines, followed by the reason.
const EXCUSE: &str = "long because";

/// Folders and hosts of some machine or mirror; written in two parts so that this file does not hold them.
const FORBIDDEN: [&str; 6] = [
    concat!("/wo", "rk/"),
    concat!("/tm", "p/"),
    concat!("/ro", "ot/"),
    concat!("/ho", "me/"),
    concat!("py", "pi.org"),
    concat!("python", "hosted.org"),
];

pub fn check(root: &Path) -> Result<String> {
    let files = files(root)?;
    let mut problems = Vec::new();
    for path in &files {
        // A file that is no text (a sample image) has nothing to check.
        let Ok(text) = fs::read_to_string(root.join(path)) else { continue };
        problems.extend(check_file(path, &text).into_iter().map(|problem| format!("{path}: {problem}")));
        if path.ends_with(".md") {
            let missing = paths_in(&text).into_iter().filter(|named| !exists(root, path, named));
            problems.extend(missing.map(|named| format!("{path}: names {named}, which does not exist")));
        }
    }
    let of_syllabus = crate::syllabus::check(root)?;
    problems.extend(of_syllabus.into_iter().map(|problem| format!("{}: {problem}", crate::syllabus::PATH)));
    problems.extend(idle_tests(root, &files)?);
    problems.extend(crate::hosted::check(root, &files)?);
    problems.extend(crate::plain::check(root, &files)?);
    problems.extend(crate::references::check(root, &files)?);
    problems.extend(crate::features::check(root, lessons(&files))?);
    problems.extend(crate::workspaces::check(root)?);
    problems.extend(crate::crates::check(root)?);
    problems.extend(crate::circles::check(root, &files)?);
    problems.extend(crate::vague_names::check(root, &files)?);
    for folder in lessons(&files) {
        if !files.contains(&format!("{folder}/README.md")) {
            problems.push(format!("{folder}: a lesson without a README.md"));
        }
    }
    if problems.is_empty() {
        return Ok(format!("{} files are tidy", files.len()));
    }
    bail!("{} things are not tidy\n  {}", problems.len(), problems.join("\n  "))
}

/// Returns the files that git tracks, and those that it would track.
pub fn files(root: &Path) -> Result<Vec<String>> {
    let output = Command::new("git")
        .current_dir(root)
        .args(["ls-files", "--cached", "--others", "--exclude-standard", "-z"])
        .output()
        .context("cannot run git")?;
    if !output.status.success() {
        bail!("git ls-files: {}", String::from_utf8_lossy(&output.stderr).trim_end());
    }
    let names = String::from_utf8(output.stdout).context("a file name that is no UTF-8")?;
    let mut files: Vec<String> =
        names.split_terminator('\0').filter(|name| root.join(name).is_file()).map(String::from).collect();
    files.sort();
    files.dedup();
    Ok(files)
}

fn check_file(path: &str, text: &str) -> Vec<String> {
    let mut problems = Vec::new();
    let lines = text.lines().count();
    let excused = text.lines().take(20).any(|line| line.to_lowercase().contains(EXCUSE));
    if (path.ends_with(".rs") || path.ends_with(".cu")) && lines > LONGEST && !excused {
        problems.push(format!("{lines} lines; split it, or say at its top that it is \"{EXCUSE} ...\""));
    }
    for (number, line) in (1..).zip(text.lines()) {
        let columns = line.chars().count();
        if columns > COLUMNS && path.ends_with(".rs") && !is_of_student(path) {
            problems.push(format!("line {number} has {columns} columns, at most {COLUMNS}"));
        }
        for word in FORBIDDEN.iter().filter(|word| line.contains(**word)) {
            problems.push(format!("line {number} names `{word}`, which is one machine's"));
        }
        for odd in line.chars().filter(|one| is_unseen(*one)) {
            problems.push(format!("line {number} has {}, which no editor shows", odd.escape_unicode()));
        }
        if ["<<<<<<< ", ">>>>>>> "].iter().any(|mark| line.starts_with(mark)) {
            problems.push(format!("line {number} is what a merge has left open"));
        }
    }
    if is_kernel(path) {
        let head: Vec<&str> = text.lines().map_while(|line| line.strip_prefix("//")).collect();
        let mut wanted = vec!["Idea", "Contract", "Expect"];
        if text.contains("_broken(") {
            wanted.extend(["Broken", "Correct"]);
        }
        for word in wanted {
            if !head.iter().any(|line| line.trim_start().starts_with(word)) {
                problems.push(format!("its opening comment has no `{word}` line"));
            }
        }
    }
    problems
}

/// A control character, or one that changes a text's direction or joins its letters: code may read otherwise than it
/// runs (CVE-2021-42574).
fn is_unseen(one: char) -> bool {
    let formats = ['\u{200b}'..='\u{200f}', '\u{2028}'..='\u{202e}', '\u{2060}'..='\u{206f}'];
    let is_format = ['\u{ad}', '\u{61c}', '\u{feff}'].contains(&one) || formats.iter().any(|some| some.contains(&one));
    is_format || (one.is_control() && one != '\t')
}

/// A file of an exercise, whose lines are as its lesson needs them.
fn is_of_student(path: &str) -> bool {
    path.starts_with("exercises/catalog/") || path.starts_with("exercises/templates/")
}

/// `cuda/lesson04/counter.cu`, and not what lies deeper.
fn is_kernel(path: &str) -> bool {
    path.ends_with(".cu") && path.starts_with("cuda/lesson") && path.matches('/').count() == 2
}

/// Lesson packages: folders of the root that are named `lesson...` and hold a `Cargo.toml`.
fn lessons(files: &[String]) -> impl Iterator<Item = &str> {
    files.iter().filter_map(|path| path.strip_suffix("/Cargo.toml")).filter(|folder| folder.starts_with("lesson"))
}

/// Test programs that no `cargo test` runs: of packages that list theirs themselves, those that are neither listed nor
/// a module of another.
fn idle_tests(root: &Path, files: &[String]) -> Result<Vec<String>> {
    let read = |path: &str| fs::read_to_string(root.join(path)).with_context(|| format!("cannot read {path}"));
    let mut idle = Vec::new();
    for manifest in files.iter().filter(|path| *path == "Cargo.toml" || path.ends_with("/Cargo.toml")) {
        let text = read(manifest)?;
        if !text.lines().any(|line| line.starts_with("autotests = false")) {
            continue;
        }
        let folder = manifest.replace("Cargo.toml", "tests/");
        let within = || files.iter().filter_map(|path| Some((path, path.strip_prefix(&folder)?)));
        let mut known: Vec<String> = listed_tests(&text).map(String::from).collect();
        for (path, _) in within().filter(|(_, name)| name.ends_with(".rs") && !name.contains('/')) {
            known.extend(modules(&read(path)?).map(String::from));
        }
        idle.extend(within().filter_map(|(path, name)| {
            let program = name.strip_suffix("/main.rs").or(name.strip_suffix(".rs"))?;
            let is_idle = !program.contains('/') && !known.iter().any(|known| known == program);
            is_idle
                .then(|| format!("{path}: nobody runs it; list it in {manifest}, or make it a module of a listed one"))
        }));
    }
    Ok(idle)
}

/// The names of a manifest's `[[test]]` tables.
fn listed_tests(manifest: &str) -> impl Iterator<Item = &str> {
    let tables = manifest.split("[[test]]\n").skip(1).map(|rest| rest.split("\n[").next().unwrap_or(rest));
    tables.flat_map(str::lines).filter_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"'))
}

/// The names of the files that a program is made of.
fn modules(program: &str) -> impl Iterator<Item = &str> {
    program.lines().filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';'))
}

/// The paths that a Markdown text names: targets of links, and words in backquotes with a slash and a known ending,
/// or with a slash at their end. Fenced blocks are left out: they show commands and output.
fn paths_in(text: &str) -> Vec<&str> {
    let mut named = Vec::new();
    let mut fenced = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if !fenced {
            named.extend(line.split('`').skip(1).step_by(2).filter(|word| looks_like_a_path(word)));
            let links = line.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
            named.extend(links.filter(|target| !target.is_empty() && !target.contains("://")));
        }
    }
    named
}

fn looks_like_a_path(word: &str) -> bool {
    const ENDINGS: [&str; 8] = [".rs", ".cu", ".cuh", ".md", ".ptx", ".toml", ".a", "/"];
    let plain = word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-./".contains(&byte));
    plain && !word.starts_with('/') && word.contains('/') && ENDINGS.iter().any(|ending| word.ends_with(ending))
}

/// Below the root, or below the folder of the document.
fn exists(root: &Path, document: &str, named: &str) -> bool {
    let folder = root.join(document).parent().map(Path::to_path_buf).unwrap_or_default();
    // Cargo makes it, perhaps elsewhere.
    named.starts_with("target/") || root.join(named).exists() || folder.join(named).exists()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_name_paths_in_backquotes_and_links() {
        let text = "See `driver/src/lib.rs`, `and/or`, `cuda/`, `cuda/lessonNN/*.cu`, `x.rs` and [it](docs/a.md#top).\n\
                    ```\n`gone/a.rs`\n```\n[web](https://example.com/a.md) [here](#part)\n";
        assert_eq!(paths_in(text), ["driver/src/lib.rs", "cuda/", "docs/a.md"]);
    }

    #[test]
    fn kernels_open_with_their_syllabus() {
        let head = "// lesson01/a.cu: one line\n//\n// Idea  i\n// Contract  c\n// Expect  e\n";
        let path = "cuda/lesson01/a.cu";
        assert!(check_file(path, head).is_empty());
        assert_eq!(check_file(path, &head.replace("Idea", "")).len(), 1);
        assert_eq!(check_file(path, &format!("{head}void a_broken() {{}}\n")).len(), 2);
        assert!(check_file("emulator/tests/a.cu", "int x;\n").is_empty());
    }

    #[test]
    fn long_files_say_why() {
        let long = "x\n".repeat(LONGEST + 1);
        assert_eq!(check_file("a.rs", &long).len(), 1);
        assert!(check_file("a.rs", &format!("//! Long because one table reads better.\n{long}")).is_empty());
        assert!(check_file("a.rs", &"x\n".repeat(LONGEST)).is_empty());
    }

    #[test]
    fn a_test_program_that_nobody_runs_is_found() {
        let root = tempfile::tempdir().unwrap();
        let manifest = "[package]\nautotests = false # Listed.\n\n[[test]]\nname = \"a\"\n\n[[test]]\n\
            name = \"deep\"\n\n\
                        [[bench]]\nname = \"speed\"\n";
        let files = [
            ("one/Cargo.toml", manifest),
            ("one/tests/a.rs", "//! About b.\nmod b;\nmod c { mod e; }\n"),
            ("one/tests/b.rs", ""),
            ("one/tests/deep/main.rs", "mod part;\n"),
            ("one/tests/deep/part.rs", ""),
            ("one/tests/e.rs", ""),
            ("one/tests/folder/main.rs", ""),
            ("one/tests/speed.rs", ""),
            ("two/Cargo.toml", "[package]\n"),
            ("two/tests/found.rs", ""),
        ];
        for (path, text) in files {
            fs::create_dir_all(root.path().join(path).parent().unwrap()).unwrap();
            fs::write(root.path().join(path), text).unwrap();
        }
        let idle = idle_tests(root.path(), &files.map(|(path, _)| path.to_string())).unwrap();
        let idle: Vec<&str> = idle.iter().filter_map(|problem| problem.split(':').next()).collect();
        assert_eq!(idle, ["one/tests/e.rs", "one/tests/folder/main.rs", "one/tests/speed.rs"]);
    }

    #[test]
    fn machine_paths_are_found() {
        assert_eq!(check_file("a.md", &format!("see {}x\n", FORBIDDEN[0])).len(), 1);
    }

    #[test]
    fn characters_that_no_editor_shows_are_found() {
        for odd in ['\u{202e}', '\u{200b}', '\u{feff}', '\u{1f}', '\u{7f}'] {
            assert_eq!(check_file("a.rs", &format!("let a{odd} = 1;\n")).len(), 1, "{odd:?}");
        }
        assert!(check_file("a.md", "\tá, «1»: 2 × 3 ≥ 5 ‖ ✗\n").is_empty());
    }

    #[test]
    fn a_merge_that_was_left_open_is_found() {
        assert_eq!(check_file("a.md", "a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> main\n").len(), 2);
        assert!(check_file("a.md", "a title\n=======\n cat <<<<<<< x\n").is_empty());
    }
}
