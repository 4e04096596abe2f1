//! CUDA runtimes inside programs and their libraries: with a symbol table and without, loaded at the start and later.

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use support::Built;

impl Built {
    fn compile(&self, source: &Path, made: &str, flags: &[&str]) -> PathBuf {
        self.nvcc(&[&["-lineinfo", "-o", made, source.to_str().unwrap()], flags].concat());
        self.path(made)
    }

    /// A program without a runtime that loads the library named by its argument and calls `work` in it.
    fn loader(&self) -> PathBuf {
        let source = self.path("loader.c");
        let text = r#"#include <dlfcn.h>
            #include <stdio.h>
            int main(int count, char **all) {
                void *library = dlopen(all[1], RTLD_NOW);
                if (!library) return puts(dlerror());
                ((void (*)(void))dlsym(library, "work"))();
                return 0;
            }"#;
        fs::write(&source, text).unwrap();
        self.compile(&source, "loader", &["-cudart", "none", "-ldl"])
    }

    /// A library with a kernel that has a race.
    fn library(&self, name: &str, flags: &[&str]) -> PathBuf {
        let source = self.path("late.cu");
        let text = "__device__ int total;\n\
                    __global__ void adds() { total += threadIdx.x; }\n\
                    extern \"C\" void work() { adds<<<1, 64>>>(); cudaDeviceSynchronize(); }\n";
        fs::write(&source, text).unwrap();
        let all: Vec<&str> = ["-shared", "-Xcompiler", "-fPIC"].iter().chain(flags).copied().collect();
        self.compile(&source, name, &all)
    }
}

fn programs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs")
}

fn gpu_check(arguments: &[&Path]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gpu-check"));
    command.args(["--lang", "en"]).args(arguments).env_remove("LESSON_DEVICE").output().unwrap()
}

const STRIPPED: &[&str] = &["-Xlinker", "-s"];

/// Without a symbol table, and without the list of where functions begin.
const BARE: &[&str] = &["-Xlinker", "-s", "-Xlinker", "--no-eh-frame-hdr"];

/// A program and a library of it that have a static runtime each.
#[test]
fn two_runtimes_of_one_program_are_one() {
    let Some(built) = Built::new() else { return };
    for form in [&[], STRIPPED] {
        let part: Vec<&str> = ["-shared", "-Xcompiler", "-fPIC"].iter().chain(form).copied().collect();
        built.compile(&programs().join("two_runtimes_part.cu"), "libpart.so", &part);
        let here = built.folder.path().to_str().unwrap();
        let linked: Vec<&str> =
            ["-lpart", "-Xlinker", "-rpath", "-Xlinker", here].iter().chain(form).copied().collect();
        let program = built.compile(&programs().join("two_runtimes.cu"), "program", &linked);
        let output = gpu_check(&[&program]);
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(String::from_utf8_lossy(&output.stdout), "21 42\n", "{told}");
        assert!(output.status.success() && told.contains("2 launches of 2 kernels were checked"), "{told}");
    }
}

#[test]
#[cfg(target_arch = "x86_64")]
fn a_stripped_program_is_checked() {
    let Some(built) = Built::new() else { return };
    for (source, status) in [("reverse_broken.cu", 99), ("symbols.cu", 0), ("managed_variable.cu", 0)] {
        let output = gpu_check(&[&built.compile(&programs().join(source), "stripped", STRIPPED)]);
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{source}: {told}");
        assert!(told.contains("checked") && !told.contains("no launch"), "{source}: {told}");
    }
}

/// The kernels of such a library are registered while it is loaded.
#[test]
#[cfg(target_arch = "x86_64")]
fn a_library_that_is_loaded_later_is_checked() {
    let Some(built) = Built::new() else { return };
    let loader = built.loader();
    for (name, flags) in [("late.so", &[][..]), ("stripped.so", STRIPPED)] {
        let output = gpu_check(&[&loader, &built.library(name, flags)]);
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(99), "{name}: {told}");
        assert!(told.contains("error[race-global]") && told.contains("late.cu:2"), "{name}: {told}");
    }
}

/// A library that looks the driver's functions up itself may keep them in variables of their names. The driver, which
/// is loaded before it, must not take their place.
#[test]
fn a_library_has_pointers_that_are_named_as_the_functions() {
    let Some(built) = Built::new() else { return };
    let source = built.path("pointers.c");
    let text = r#"#include <dlfcn.h>
        #include <stdio.h>
        int (*cuInit)(unsigned);
        int (*cuDriverGetVersion)(int *);
        int (*cuCtxCreate)(void **, unsigned, int);
        void work(void) {
            void *driver = dlopen("libcuda.so.1", RTLD_NOW);
            *(void **)&cuInit = dlsym(driver, "cuInit");
            *(void **)&cuDriverGetVersion = dlsym(driver, "cuDriverGetVersion");
            *(void **)&cuCtxCreate = dlsym(driver, "cuCtxCreate");
            int version = 0;
            void *context = 0;
            printf("%d %d", cuInit(0), cuDriverGetVersion(&version));
            printf(" %d %d\n", version > 12000, cuCtxCreate(&context, 0, 0));
        }"#;
    fs::write(&source, text).unwrap();
    let flags = ["-shared", "-Xcompiler", "-fPIC", "-cudart", "none", "-ldl"];
    let library = built.compile(&source, "pointers.so", &flags);
    let output = gpu_check(&[&built.loader(), &library]);
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "0 0 1 0\n", "{told}");
}

/// Libraries of a version are chosen by it.
#[test]
fn the_version_is_that_of_the_runtime_that_was_replaced() {
    let Some(built) = Built::new() else { return };
    let source = built.path("version.cu");
    let text = r#"#include <cstdio>
        int main() {
            int version = 0;
            cudaRuntimeGetVersion(&version);
            printf("%d %d\n", CUDART_VERSION, version);
        }"#;
    fs::write(&source, text).unwrap();
    if cfg!(target_arch = "x86_64") {
        for flags in [&[], STRIPPED] {
            let output = gpu_check(&[&built.compile(&source, "version", flags)]);
            let out = String::from_utf8_lossy(&output.stdout);
            let (wanted, told) = out.trim().split_once(' ').unwrap();
            assert_eq!(told, wanted, "{flags:?}");
        }
    }
    // A library's major version is in its name.
    let (library, linked) = (built.path("library.c"), built.path("linked.c"));
    let text = "#include <stdio.h>\n\
                int cudaRuntimeGetVersion(int *);\n\
                int main() { int version; cudaRuntimeGetVersion(&version); printf(\"%d\\n\", version); return 0; }\n";
    fs::write(&linked, text).unwrap();
    fs::write(&library, "int cudaRuntimeGetVersion(int *version) { return *version = 1; }\n").unwrap();
    for (name, wanted) in [("libcudart.so.12", "12090"), ("libcudart.so.13", "13000")] {
        let soname = format!("-soname={name}");
        built.compile(&library, name, &["-cudart", "none", "-shared", "-Xcompiler", "-fPIC", "-Xlinker", &soname]);
        let linked = built.compile(&linked, "linked", &["-cudart", "none", "-Xlinker", &format!("-l:{name}")]);
        let output = gpu_check(&[&linked]);
        let out = String::from_utf8_lossy(&output.stdout);
        assert_eq!(out.trim(), wanted, "{}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn a_runtime_that_is_not_found_is_named() {
    let Some(built) = Built::new() else { return };
    let alone = built.compile(&programs().join("reverse_broken.cu"), "bare", BARE);
    let (loader, late) = (built.loader(), built.library("late.so", BARE));
    for (arguments, file) in [(vec![&*alone], "/proc/self/exe"), (vec![&*loader, &*late], "late.so")] {
        let output = gpu_check(&arguments);
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(98), "{told}");
        assert!(told.contains("no launch was checked"), "{told}");
        assert!(told.contains(&format!("{file} has device code, and no CUDA runtime was found in it")), "{told}");
    }
}
