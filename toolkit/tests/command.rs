//! `cargo toolkit` as a user runs it, on machines that lack something.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;
use toolkit::wheels;

/// A machine whose PATH holds a shell, and what the test puts there.
struct Machine(TempDir);

impl Machine {
    fn new() -> Self {
        let machine = Machine(tempfile::tempdir().unwrap());
        fs::create_dir(machine.path("bin")).unwrap();
        let shell = ["/bin/sh", "/usr/bin/sh"].into_iter().find(|path| Path::new(path).is_file()).unwrap();
        std::os::unix::fs::symlink(shell, machine.path("bin/sh")).unwrap();
        machine
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn program(&self, name: &str, text: &str) {
        let path = self.path("bin").join(name);
        fs::write(&path, text).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_toolkit"));
        command.args(arguments).env_clear();
        command.env("PATH", self.path("bin")).env("HOME", self.path("home")).env("XDG_CACHE_HOME", self.path("cache"));
        // Named, so that a toolkit in one of the system's folders does not take part.
        command.env("NVCC", self.path("bin/nvcc"));
        command
    }

    /// Exit status, and everything printed.
    fn toolkit(&self, arguments: &[&str]) -> (i32, String) {
        let output = self.command(arguments).output().unwrap();
        let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap()).concat();
        (output.status.code().unwrap(), text)
    }

    fn cache(&self) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.path("cache/gpu-concurrency")) else { return Vec::new() };
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.filter(|name| !name.ends_with(".lock")).collect()
    }
}

#[test]
fn without_pip_it_says_how_to_get_one() {
    let machine = Machine::new();
    let (status, text) = machine.toolkit(&["install"]);
    assert_eq!(status, 1, "{text}");
    assert!(text.contains("no pip found"), "{text}");
    assert!(text.contains("apt-get install python3-pip"), "{text}");
    assert_eq!(machine.cache(), [""; 0]);
}

/// A python3 whose pip answers `--version`, and then does as told with `$dest`, the folder it was given.
fn pip(does: &str) -> String {
    format!(
        "#!/bin/sh\n[ \"$3\" = --version ] && exit 0\n\
         while [ \"$1\" != --dest ]; do shift; done; dest=\"$2\"\n{does}\n"
    )
}

#[test]
fn a_mirror_that_changed_the_files_is_found_out() {
    let machine = Machine::new();
    let files = wheels::for_this_machine().unwrap();
    let lines = files.iter().map(|wheel| {
        format!("echo other > \"$dest/{}-{}-py3-none-any.whl\"\n", wheel.name.replace('-', "_"), wheel.version)
    });
    machine.program("python3", &pip(&lines.collect::<String>()));
    let (status, text) = machine.toolkit(&["install"]);
    assert_eq!(status, 1, "{text}");
    assert!(text.contains("wrong sha256"), "{text}");
    assert!(text.contains(&files[0].sha256), "{text}");
    assert_eq!(machine.cache(), [""; 0]);
}

/// Its first line is there before pip has done anything.
#[test]
fn what_is_fetched_is_told_at_once() {
    let machine = Machine::new();
    let go = machine.path("go");
    machine.program(
        "python3",
        &pip(&format!("i=0; until [ -e '{}' ] || [ $i = 3000000 ]; do i=$((i + 1)); done; exit 7", go.display())),
    );
    let mut child = machine.command(&["install"]).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let first = lines.next().unwrap().unwrap();
    fs::write(go, "").unwrap();
    assert_eq!(
        first,
        format!(
            "fetching {} files of the CUDA toolkit with pip, which tells how far it is",
            wheels::for_this_machine().unwrap().len()
        )
    );
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

#[test]
fn a_pip_that_fails_speaks_for_itself() {
    let machine = Machine::new();
    machine.program("python3", &pip("echo 'ERROR: no route to the index' >&2; exit 7"));
    let (status, text) = machine.toolkit(&["install"]);
    assert_eq!(status, 1, "{text}");
    assert!(text.contains("ERROR: no route to the index"), "{text}");
    assert!(text.contains("did not get the wheels (exit status: 7)"), "{text}");
    assert_eq!(machine.cache(), [""; 0]);
}

#[test]
fn status_names_what_is_missing_and_what_mends_it() {
    let machine = Machine::new();
    let (status, text) = machine.toolkit(&["status"]);
    assert_eq!(status, 1, "{text}");
    for command in ["cargo toolkit install", "apt-get install g++", "apt-get install python3-pip"] {
        assert!(text.contains(command), "{command} is not in\n{text}");
    }

    machine.program("nvcc", "#!/bin/sh\necho half an nvcc; exit 5\n");
    machine.program("gcc", "#!/bin/sh\necho 12.2.0\n");
    let (status, text) = machine.toolkit(&["status"]);
    assert_eq!(status, 1, "{text}");
    assert!(text.contains("`--version` ends with exit status: 5"), "{text}");
    assert!(text.contains("host compiler  gcc 12.2.0"), "{text}");

    // It answers `--version`; the trial kernel shows that it is no compiler.
    machine.program(
        "nvcc",
        "#!/bin/sh\n[ \"$1\" = --version ] && { echo V13.0.88; exit 0; }\necho 'no cicc' >&2; exit 1\n",
    );
    let (status, text) = machine.toolkit(&["status"]);
    assert_eq!(status, 1, "{text}");
    assert!(text.contains("no cicc"), "{text}");
}

#[test]
fn it_speaks_the_language_that_it_is_asked_for() {
    let machine = Machine::new();
    for arguments in [&["--lang", "es", "status"][..], &["status", "--lang=es"]] {
        let (status, text) = machine.toolkit(arguments);
        assert_eq!(status, 1, "{text}");
        for words in ["nvcc ", "descargado ", "compilador host ", "para instalarlo: ", "no se puede usar el nvcc"] {
            assert!(text.contains(words), "{words} is not in\n{text}");
        }
    }
    let (status, text) = machine.toolkit(&["--help", "--lang", "es"]);
    assert!(status == 0 && text.starts_with("uso:   cargo toolkit install"), "{text}");
    let (status, _) = machine.toolkit(&["status", "--lang", "de"]);
    assert_eq!(status, 2);
}

#[test]
fn bad_arguments_show_the_usage() {
    let machine = Machine::new();
    for arguments in [&[][..], &["instal"], &["install", "--dir"], &["status", "now"]] {
        let (status, text) = machine.toolkit(arguments);
        assert_eq!(status, 2, "{arguments:?}: {text}");
        assert!(text.starts_with("usage: cargo toolkit install"), "{text}");
    }
}
