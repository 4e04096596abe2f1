//! Tests of the command as somebody has it without this repository: `gpu-check toolkit`, what is said without nvcc, and
//! the library of a command that was moved.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

const COMMAND: &str = env!("CARGO_BIN_EXE_gpu-check");

/// A machine with a shell and no nvcc, and a folder in which commands run.
struct Machine(TempDir);

impl Machine {
    fn new() -> Machine {
        let machine = Machine(tempfile::tempdir().unwrap());
        std::os::unix::fs::symlink("/bin/sh", machine.0.path().join("sh")).unwrap();
        machine
    }

    fn program(&self, name: &str, text: &str) {
        let path = self.0.path().join(name);
        fs::write(&path, text).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// Exit status, and everything printed.
    fn gpu_check(&self, folder: &Path, arguments: &[&str]) -> (i32, String) {
        self.run(COMMAND.as_ref(), folder, arguments)
    }

    fn run(&self, program: &Path, folder: &Path, arguments: &[&str]) -> (i32, String) {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(folder).env_clear().env("PATH", self.0.path()).env("HOME", self.0.path());
        // Named, so that a toolkit in one of the system's folders does not take part.
        let output = command.env("NVCC", self.0.path().join("nvcc")).output().unwrap();
        let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap()).concat();
        (output.status.code().unwrap(), text)
    }

    fn here(&self, arguments: &[&str]) -> (i32, String) {
        self.gpu_check(self.0.path(), arguments)
    }
}

#[test]
fn it_has_the_commands_of_cargo_toolkit_under_its_own_name() {
    let machine = Machine::new();
    for (arguments, status, words) in [
        (&["toolkit", "status"][..], 1, "not yet; `gpu-check toolkit install` would put it in "),
        (&["--lang", "es", "toolkit", "status"], 1, "aún no; `gpu-check toolkit install` lo pondría en "),
        (&["toolkit", "install"], 1, "no pip found"),
        (&["toolkit", "uninstall"], 0, "there is nothing to remove in "),
        (&["toolkit", "remove"], 0, "there is nothing to remove in "),
        (&["toolkit", "--help"], 0, "usage: gpu-check toolkit install [--dir FOLDER]"),
        (&["toolkit"], 2, "usage: gpu-check toolkit install [--dir FOLDER]"),
    ] {
        let (was, text) = machine.here(arguments);
        assert!(was == status && text.contains(words), "{arguments:?}: {was}\n{text}");
        assert!(!text.contains("cargo"), "{arguments:?}: {text}");
    }
}

#[test]
fn without_nvcc_the_command_is_named_that_the_user_has() {
    let machine = Machine::new();
    fs::write(machine.0.path().join("my.cu"), "int main() {}\n").unwrap();
    let (status, text) = machine.here(&["my.cu"]);
    assert!(status == 97 && text.contains("`gpu-check toolkit install` fetches one"), "{status}\n{text}");
    let (status, text) = machine.here(&["--lang", "es", "my.cu"]);
    assert!(status == 97 && text.contains("`gpu-check toolkit install` descarga uno"), "{status}\n{text}");

    let source = machine.0.path().join("my.cu");
    let repository = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (status, text) = machine.gpu_check(repository, &[source.to_str().unwrap()]);
    assert!(status == 97 && text.contains("`cargo toolkit install` fetches one"), "{status}\n{text}");
}

#[test]
fn a_program_of_that_name_is_still_run() {
    let machine = Machine::new();
    machine.program("toolkit", "#!/bin/sh\nexit 5\n");
    for arguments in [&["./toolkit"][..], &["--", "toolkit"], &["--fast", "toolkit"], &["--", "./toolkit", "install"]] {
        let (status, text) = machine.here(arguments);
        assert_eq!(status, 5, "{arguments:?}: {text}");
    }
}

/// `cargo install` moves the program alone.
#[test]
fn a_command_that_was_moved_finds_the_library_where_it_was_built() {
    let machine = Machine::new();
    machine.program("ends", "#!/bin/sh\nexit 5\n");
    let moved = machine.0.path().join("gpu-check");
    fs::copy(COMMAND, &moved).unwrap();
    let (status, text) = machine.run(&moved, machine.0.path(), &["./ends"]);
    assert_eq!(status, 5, "{text}");
}
