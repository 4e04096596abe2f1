//! A build script's run, from the outside: a small repository, the environment of a machine, and what cargo would see.
//!
//! Nothing here needs an nvcc. Where one is wanted it is a shell script that stands for a particular nvcc: one that is
//! broken, one that refuses a file, one that counts how often it is asked.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use kernel_build::{KernelSource, stored};
use tempfile::TempDir;

const KERNEL: &str = "// lesson01/one.cu: a kernel.\n__global__ void one() {}\n";

/// Answers `--version`, and writes a file that looks like PTX to what follows `-o`; a line in `calls` for each.
const WORKING: &str = r#"#!/bin/sh
if [ "$1" = --version ]; then echo "Cuda compilation tools, release 13.0, V13.0.88"; exit 0; fi
echo "$PWD $*" >> "$(dirname "$0")/calls"
while [ "$1" != -o ]; do shift; done
printf '.version 9.0\n.target sm_75\n' > "$2"
"#;

/// Like gcc as far as the check for a C++ compiler goes.
const HOST: &str = "#!/bin/sh\necho 12.2.0\n";

/// A repository with one lesson, and the machine that builds it.
struct Machine {
    folder: TempDir,
}

impl Machine {
    fn new() -> Self {
        let machine = Machine { folder: tempfile::tempdir().unwrap() };
        machine.write("repo/Cargo.toml", "");
        machine.write("repo/lesson01/Cargo.toml", "");
        machine.write("repo/cuda/lesson01/one.cu", KERNEL);
        fs::create_dir(machine.path("out")).unwrap();
        fs::create_dir(machine.path("bin")).unwrap();
        machine
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        fs::write(self.path(name), text).unwrap();
    }

    /// A program on this machine's PATH.
    fn program(&self, name: &str, text: &str) {
        let name = format!("bin/{name}");
        self.write(&name, text);
        fs::set_permissions(self.path(&name), fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// Stored PTX for `one.cu` as it is now.
    fn store_ptx(&self) {
        let source = KernelSource::read(&self.path("repo"), Path::new("cuda/lesson01/one.cu")).unwrap();
        let text = stored::with_header(&source, "13.0.88", ".version 9.0\n");
        self.write(&format!("repo/{}", stored::path(&source).display()), &text);
    }

    fn build(&self) -> Output {
        self.command().output().unwrap()
    }

    fn command(&self) -> Command {
        // The scripts' own tools come after the machine's programs; a gcc or nvcc of the real machine must not.
        let tools = self.path("tools");
        if !tools.is_dir() {
            fs::create_dir(&tools).unwrap();
            for tool in ["sh", "dirname"] {
                let real = ["/bin", "/usr/bin"].map(|folder| Path::new(folder).join(tool));
                let real = real.into_iter().find(|path| path.is_file()).unwrap();
                std::os::unix::fs::symlink(real, tools.join(tool)).unwrap();
            }
        }
        let mut command = Command::new(env!("CARGO_BIN_EXE_kernel-build"));
        command
            .arg("lesson01")
            .env_clear()
            .env("PATH", std::env::join_paths([self.path("bin"), tools]).unwrap())
            .env("HOME", self.path("home"))
            .env("CARGO_MANIFEST_DIR", self.path("repo/lesson01"))
            .env("OUT_DIR", self.path("out"));
        command
    }

    fn succeeds(&self) -> String {
        let output = self.build();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// The message, after a check that nothing else reached cargo.
    fn fails(&self) -> String {
        let output = self.build();
        assert_eq!(output.status.code(), Some(1));
        assert!(output.stdout.is_empty(), "{}", String::from_utf8_lossy(&output.stdout));
        String::from_utf8(output.stderr).unwrap()
    }

    fn kernels(&self) -> String {
        fs::read_to_string(self.path("out/kernels.rs")).unwrap()
    }

    /// Returns how often the nvcc on PATH was asked to compile.
    fn calls(&self) -> usize {
        fs::read_to_string(self.path("bin/calls")).map_or(0, |text| text.lines().count())
    }
}

/// A machine with toolkits in the places that cannot be moved has an nvcc that these tests do not know of.
fn has_system_toolkit() -> bool {
    let found = ["/usr/local/cuda/bin/nvcc", "/opt/cuda/bin/nvcc"].iter().any(|path| Path::new(path).exists());
    if found {
        skipped::because(skipped::WITHOUT, "this machine has an nvcc that no environment can hide");
    }
    found
}

#[test]
fn stored_ptx_in_step_needs_no_compiler() {
    let machine = Machine::new();
    machine.store_ptx();
    machine.succeeds();
    let kernels = machine.kernels();
    assert!(kernels.starts_with("pub static KERNELS: &[::common::KernelFile] = &[\n"), "{kernels}");
    assert!(kernels.contains("name: \"one\", source_path: \"cuda/lesson01/one.cu\""), "{kernels}");
    assert!(kernels.contains("cuda/ptx/lesson01/one.ptx\")"), "{kernels}");
}

#[test]
fn a_changed_source_without_nvcc_is_an_error_that_says_how_to_get_one() {
    if has_system_toolkit() {
        return;
    }
    let machine = Machine::new();
    machine.store_ptx();
    machine.write("repo/cuda/lesson01/one.cu", &format!("{KERNEL}// changed\n"));
    let message = machine.fails();
    assert!(message.contains("cuda/lesson01/one.cu is new, or has changed"), "{message}");
    assert!(message.contains("cargo toolkit install"), "{message}");
    // A build script has no option, and speaks as the environment says.
    let output = machine.command().env("LESSON_LANG", "es").output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("cuda/lesson01/one.cu es nuevo o ha cambiado"), "{message}");
    assert!(message.contains("no se encontró nvcc") && message.contains("cargo toolkit install"), "{message}");
}

#[test]
fn only_the_edited_file_is_compiled_again() {
    let machine = Machine::new();
    machine.program("nvcc", WORKING);
    machine.program("gcc", HOST);
    machine.write("repo/cuda/lesson01/two.cu", "// lesson01/two.cu\n#include \"two.cuh\"\n");
    machine.write("repo/cuda/lesson01/two.cuh", "int x;\n");
    let directives = machine.succeeds();
    assert_eq!(machine.calls(), 2);
    assert!(directives.contains("/cuda/lesson01/two.cuh\n"), "{directives}");

    machine.succeeds();
    assert_eq!(machine.calls(), 2, "nothing changed");

    machine.write("repo/cuda/lesson01/one.cu", &format!("{KERNEL}// changed\n"));
    machine.succeeds();
    assert_eq!(machine.calls(), 3, "one file changed");

    machine.write("repo/cuda/lesson01/two.cuh", "long x;\n");
    machine.succeeds();
    assert_eq!(machine.calls(), 4, "a header of one file changed");

    machine.write("repo/cuda/lesson01/one.cu", &format!("// Arch sm_90\n{KERNEL}"));
    machine.succeeds();
    let calls = fs::read_to_string(machine.path("bin/calls")).unwrap();
    let last = calls.lines().last().unwrap();
    let root = machine.path("repo").canonicalize().unwrap();
    assert!(last.starts_with(&format!("{} -ptx -O3 -lineinfo -std=c++17 -arch=sm_90 ", root.display())), "{last}");
    assert!(last.contains(" cuda/lesson01/one.cu -o "), "{last}");
}

#[test]
fn a_broken_nvcc_is_named_and_does_no_harm_where_stored_ptx_serves() {
    if has_system_toolkit() {
        return;
    }
    for (script, problem) in [
        ("#!/bin/sh\nexit 3\n", "exit status: 3"),
        ("#!/no/such/shell\n", "cannot be run"),
        ("#!/bin/sh\necho hello\n", "names no version"),
    ] {
        let machine = Machine::new();
        machine.program("nvcc", script);
        machine.program("gcc", HOST);
        machine.store_ptx();
        machine.succeeds();

        machine.write("repo/cuda/lesson01/one.cu", &format!("{KERNEL}// changed\n"));
        let message = machine.fails();
        assert!(message.contains(machine.path("bin/nvcc").to_str().unwrap()), "{message}");
        assert!(message.contains(problem), "{message}");
    }
}

#[test]
fn a_missing_host_compiler_is_named_before_nvcc_is_asked() {
    for host in
        [None, Some("#!/bin/sh\n[ \"$1\" = -x ] && { echo \"cannot execute 'cc1plus'\" >&2; exit 1; }\necho 12\n")]
    {
        let machine = Machine::new();
        machine.program("nvcc", WORKING);
        if let Some(script) = host {
            machine.program("gcc", script); // A gcc without its C++ part.
        }
        let message = machine.fails();
        assert!(message.contains("needs a host C++ compiler"), "{message}");
        assert!(message.contains("apt-get install g++"), "{message}");
        assert_eq!(host.is_some(), message.contains("cc1plus"), "{message}");
        assert_eq!(machine.calls(), 0);
    }
}

/// nvcc called by a link does not find its own headers; a compiler cache works by being called by a link.
#[test]
fn a_link_to_nvcc_is_followed_and_a_link_to_a_cache_is_not() {
    for (real, called) in [("toolkit/nvcc", "toolkit/nvcc"), ("toolkit/cache", "bin/nvcc")] {
        let machine = Machine::new();
        machine.program("gcc", HOST);
        machine.program(&format!("../{real}"), &WORKING.replace("echo \"$PWD $*\"", "echo \"$0\""));
        std::os::unix::fs::symlink(machine.path(real), machine.path("bin/nvcc")).unwrap();
        machine.succeeds();
        let folder = machine.path(called).parent().unwrap().canonicalize().unwrap();
        let calls = fs::read_to_string(folder.join("calls")).unwrap();
        assert_eq!(calls.trim_end(), folder.join("nvcc").to_str().unwrap());
    }
}

#[test]
fn nvccs_own_words_are_shown_with_the_file() {
    let machine = Machine::new();
    machine.program("gcc", HOST);
    let refusing =
        WORKING.replace("printf", "echo 'cuda/lesson01/one.cu(2): error: expected a \";\"' >&2; exit 2; printf");
    machine.program("nvcc", &refusing);
    let message = machine.fails();
    assert!(message.starts_with("cuda/lesson01/one.cu(2): error: expected a \";\"\n"), "{message}");
    assert!(message.contains("nvcc refused cuda/lesson01/one.cu"), "{message}");
}

#[test]
fn warnings_of_nvcc_reach_the_reader() {
    let machine = Machine::new();
    machine.program("gcc", HOST);
    machine.program("nvcc", &WORKING.replace("printf", "echo 'one.cu(2): warning #177-D' >&2; printf"));
    assert!(machine.succeeds().contains("cargo::warning=one.cu(2): warning #177-D\n"));
}

/// Like `WORKING`, but takes no file from `compile_fail/`.
const REFUSING: &str = r#"#!/bin/sh
if [ "$1" = --version ]; then echo "Cuda compilation tools, release 13.0, V13.0.88"; exit 0; fi
case "$*" in *compile_fail/*) echo "$0/../..//include/a.h(1): error: gone"; exit 2;; esac
while [ "$1" != -o ]; do shift; done
printf '.version 9.0\n.target sm_75\n' > "$2"
"#;

#[test]
fn source_that_must_not_compile_comes_with_nvccs_message() {
    if has_system_toolkit() {
        return;
    }
    let machine = Machine::new();
    machine.store_ptx();
    machine.write("repo/cuda/lesson01/compile_fail/old.cu", KERNEL);
    assert!(
        machine.fails().contains("cuda/lesson01/compile_fail/old.cu is new, or has changed"),
        "nobody knows what nvcc says"
    );

    machine.program("nvcc", REFUSING);
    machine.program("gcc", HOST);
    machine.succeeds();
    assert!(machine.kernels().contains("pub const REFUSED"));
    assert!(machine.kernels().contains("include/a.h(1): error: gone"), "{}", machine.kernels());

    // It was kept: no nvcc is needed any more.
    fs::remove_file(machine.path("bin/nvcc")).unwrap();
    machine.succeeds();
    assert!(machine.kernels().contains("error: gone"));

    // Edited so that nvcc makes PTX of it, which the assembler refuses.
    machine.write("repo/cuda/lesson01/compile_fail/old.cu", &format!("{KERNEL}// half\n"));
    machine.program("nvcc", WORKING);
    machine.program("ptxas", "#!/bin/sh\necho \"$6, line 3; error : vote without .sync\" >&2\nexit 255\n");
    machine.succeeds();
    assert!(machine.kernels().contains("old.ptx, line 3; error : vote"), "{}", machine.kernels());
    fs::remove_file(machine.path("bin/ptxas")).unwrap();

    // Edited so that nvcc takes it.
    machine.write("repo/cuda/lesson01/compile_fail/old.cu", &format!("{KERNEL}// mended\n"));
    machine.program("nvcc", WORKING);
    machine.succeeds();
    assert!(machine.kernels().contains("message: None"), "{}", machine.kernels());
}
