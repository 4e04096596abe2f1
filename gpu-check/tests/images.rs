//! Device code in every form in which programs hand it over: fat binaries, objects, archives, and what NVRTC compiles
//! for a real architecture. And the names that programs look up.

mod support;

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};
use support::Built;

const KERNEL: &str = "extern \"C\" __global__ void add(int *a) { a[0] += threadIdx.x; }\n";

/// Loads an image and launches its kernel: `load FILE`, `link KIND FILE` with a kind of `CUjitInputType`, or
/// `nvrtc LIBRARY ARCHITECTURE`. With `names NAME...` it looks up entry points.
const HOST: &str = r#"
#include <cuda.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CALL(call) do { int code = (call); if (code) { printf("%s gives %d\n", #call, code); exit(1); } } while (0)

static const char *source = "extern \"C\" __global__ void add(int *a) { a[0] += threadIdx.x; }\n";

static char *compiled(const char *library, const char *architecture) {
    void *nvrtc = dlopen(library, RTLD_NOW);
    if (!nvrtc) { puts(dlerror()); exit(1); }
    int (*create)(void **, const char *, const char *, int, void *, void *) = dlsym(nvrtc, "nvrtcCreateProgram");
    int (*compile)(void *, int, const char **) = dlsym(nvrtc, "nvrtcCompileProgram");
    int (*size)(void *, size_t *) = dlsym(nvrtc, "nvrtcGetCUBINSize");
    int (*get)(void *, char *) = dlsym(nvrtc, "nvrtcGetCUBIN");
    void *program;
    size_t bytes;
    CALL(create(&program, source, "add.cu", 0, NULL, NULL));
    CALL(compile(program, 1, &architecture));
    CALL(size(program, &bytes));
    if (bytes == 0) { puts("no machine code"); exit(0); }
    char *image = malloc(bytes);
    CALL(get(program, image));
    return image;
}

int main(int count, char **all) {
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction function;
    CUdeviceptr a;
    int sum;
    CALL(cuInit(0));
    CALL(cuDeviceGet(&device, 0));
    CALL(cuDevicePrimaryCtxRetain(&context, device));
    CALL(cuCtxSetCurrent(context));
    if (!strcmp(all[1], "names")) {
        for (int at = 2; at < count; at++) {
            void *found;
            CUdriverProcAddressQueryResult why;
            CALL(cuGetProcAddress(all[at], &found, 13000, 0, &why));
            if (!found) printf("%s is missing: %d\n", all[at], why);
        }
        return 0;
    } else if (!strcmp(all[1], "load")) {
        CALL(cuModuleLoad(&module, all[2]));
    } else if (!strcmp(all[1], "link")) {
        CUlinkState state;
        void *image;
        size_t bytes;
        CALL(cuLinkCreate(0, NULL, NULL, &state));
        CALL(cuLinkAddFile(state, atoi(all[2]), all[3], 0, NULL, NULL));
        CALL(cuLinkComplete(state, &image, &bytes));
        CALL(cuModuleLoadData(&module, image));
    } else {
        CALL(cuModuleLoadData(&module, compiled(all[2], all[3])));
    }
    CALL(cuModuleGetFunction(&function, module, "add"));
    CALL(cuMemAlloc(&a, sizeof sum));
    CALL(cuMemsetD32(a, 7, 1));
    void *arguments[] = {&a};
    CALL(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL));
    CALL(cuMemcpyDtoH(&sum, a, sizeof sum));
    printf("%d\n", sum);
    return 0;
}
"#;

impl Built {
    /// A folder with the program and the kernel's source.
    fn with_host() -> Option<Built> {
        let built = Built::new()?;
        fs::write(built.path("kernel.cu"), KERNEL).unwrap();
        fs::write(built.path("host.c"), HOST).unwrap();
        let library = std::env::current_exe().unwrap().with_file_name("libgpu_check.so");
        std::os::unix::fs::symlink(library, built.path("libcuda.so")).unwrap();
        built.nvcc(&["-cudart", "none", "-o", "host", "host.c", "-lcuda", "-ldl"]);
        Some(built)
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.run_program(self.path("host").to_str().unwrap(), arguments)
    }

    fn run_program(&self, program: &str, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gpu-check"));
        command.args(["--lang", "en", program]).args(arguments);
        // NVRTC looks for a library of its own.
        command.env("LD_LIBRARY_PATH", format!("{0}/lib:{0}/lib64", self.toolkit.display()));
        command.env_remove("LESSON_DEVICE").current_dir(self.folder.path()).output().unwrap()
    }

    fn assert_runs(&self, arguments: &[&str]) {
        let output = self.run(arguments);
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(String::from_utf8_lossy(&output.stdout), "7\n", "{arguments:?}: {told}");
        assert!(output.status.success() && told.contains("one launch was checked"), "{arguments:?}: {told}");
    }
}

#[test]
fn ptx_is_found_in_every_container() {
    let Some(built) = Built::with_host() else { return };
    built.nvcc(&["-fatbin", "-arch=sm_90", "-o", "kernel.fatbin", "kernel.cu"]);
    built.nvcc(&["-dc", "-arch=sm_90", "-o", "kernel.o", "kernel.cu"]);
    built.nvcc(&["-lib", "-arch=sm_90", "-o", "kernel.a", "kernel.o"]);
    built.nvcc(&["-ptx", "-arch=sm_90", "-o", "kernel.ptx", "kernel.cu"]);
    built.assert_runs(&["load", "kernel.fatbin"]);
    // The last has another kind than its bytes say.
    for (kind, file) in
        [("1", "kernel.ptx"), ("2", "kernel.fatbin"), ("3", "kernel.o"), ("4", "kernel.a"), ("1", "kernel.fatbin")]
    {
        built.assert_runs(&["link", kind, file]);
    }
}

#[test]
fn ptx_for_a_newer_device_runs_and_that_is_said() {
    let Some(built) = Built::with_host() else { return };
    built.nvcc(&["-fatbin", "-gencode", "arch=compute_120,code=compute_120", "-o", "newer.fatbin", "kernel.cu"]);
    built.assert_runs(&["load", "newer.fatbin"]);
    let told = built.run(&["load", "newer.fatbin"]).stderr;
    let told = String::from_utf8_lossy(&told);
    assert!(told.contains("for compute capability 12.0 and newer") && told.contains("GPU of 9.0"), "{told}");
}

#[test]
fn machine_code_alone_is_refused_by_name() {
    let Some(built) = Built::with_host() else { return };
    built.nvcc(&["-cubin", "-arch=sm_90", "-o", "kernel.cubin", "kernel.cu"]);
    built.nvcc(&["-fatbin", "-gencode", "arch=compute_90,code=sm_90", "-o", "kernel.fatbin", "kernel.cu"]);
    for (arguments, words) in [
        (&["load", "kernel.cubin"][..], "the emulated GPU runs PTX, and this module is a cubin that host has loaded"),
        (&["load", "kernel.fatbin"], "machine code and no PTX"),
        (&["link", "0", "kernel.cubin"], "machine code and no PTX"),
    ] {
        let output = built.run(arguments);
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(98), "{arguments:?}: {told}");
        assert!(told.contains(words) && told.contains("not everything was checked"), "{arguments:?}: {told}");
    }
}

/// NVRTC keeps the PTX of a program that is compiled for a real architecture.
#[test]
fn nvrtc_hands_out_ptx_as_machine_code() {
    let Some(built) = Built::with_host() else { return };
    let libraries = ["lib", "lib64"].map(|folder| built.toolkit.join(folder));
    let is_nvrtc = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().starts_with("libnvrtc.so");
    let files = libraries.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten();
    let Some(nvrtc) = files.map(|entry| entry.path()).find(is_nvrtc) else {
        return skipped::because(skipped::CUDA_COMPILER, "the toolkit has no NVRTC");
    };
    built.assert_runs(&["nvrtc", nvrtc.to_str().unwrap(), "--gpu-architecture=sm_90"]);
    let output = built.run(&["nvrtc", nvrtc.to_str().unwrap(), "--gpu-architecture=compute_90"]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "no machine code\n");
}

/// Compilers that run as commands emit PTX in place of machine code, and the driver loads it.
#[test]
fn compilers_that_a_program_starts_give_ptx() {
    let Some(built) = Built::with_host() else { return };
    built.nvcc(&["-ptx", "-arch=sm_90", "-o", "kernel.ptx", "kernel.cu"]);
    for compile in [
        "nvcc -cubin -arch=sm_90 -o made kernel.cu",
        "nvcc --cubin -arch sm_90 kernel.cu && mv kernel.cubin made",
        "nvcc -cubin -arch=sm_90 -o=made kernel.cu",
        "cp kernel.cu a.b.cu; mkdir d; nvcc -cubin -arch=sm_90 -odir d kernel.cu a.b.cu && mv d/a.b.cubin made \
         && ls d/kernel.cubin >&2",
        "cp kernel.cu k.cpp; nvcc -cubin -arch=sm_90 -x cu k.cpp && mv k.cubin made",
        "nvcc -cubin -arch=sm_90 kernel.ptx -o made",
        "nvcc -arch=sm_90 --cubin -dc -o k.o kernel.cu && nvcc -arch=sm_90 --cubin --device-link k.o -o made",
        "ptxas -lineinfo -v --gpu-name=sm_90a kernel.ptx -o made",
    ] {
        let output = built.run_program("sh", &["-c", &format!("{compile} && ./host load made")]);
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(String::from_utf8_lossy(&output.stdout), "7\n", "{compile}: {told}");
        assert!(output.status.success() && told.contains("gave PTX"), "{compile}: {told}");
    }
}

#[test]
fn a_stand_in_fails_as_the_compiler_does() {
    let Some(built) = Built::with_host() else { return };
    fs::write(built.path("bad.ptx"), ".version 9.0\n.target sm_90\n.address_size 64\nnonsense;\n").unwrap();
    for (call, status, words) in [
        ("ptxas bad.ptx -o made", 255, "bad.ptx, line 4; error"),
        ("ptxas missing.ptx -o made", 255, "missing.ptx: No such file"),
        ("nvcc -cubin missing.cu", 1, "missing.cu"),
        ("nvcc -cubin --dryrun kernel.cu", 0, "cicc"),
        ("nvcc --version", 0, "release"),
        ("ptxas --version", 0, "release 13."),
    ] {
        let output = built.run_program("sh", &["-c", &format!("{call} 2>&1; echo status $?")]);
        let printed = String::from_utf8_lossy(&output.stdout);
        assert!(printed.contains(words) && printed.ends_with(&format!("status {status}\n")), "{call}: {printed}");
        assert!(!built.path("made").exists(), "{call}");
    }
}

/// A stand-in that took itself for the real compiler would start itself for ever.
#[test]
fn without_a_real_nvcc_there_is_no_stand_in() {
    let Some(built) = Built::new() else { return };
    let mut command = Command::new(env!("CARGO_BIN_EXE_gpu-check"));
    command.args(["--limit", "60", "sh", "-c", "command -v nvcc || echo none"]).env_remove("LESSON_DEVICE");
    let output = command.env("NVCC", "nvcc-that-is-not-there").env("PATH", "/usr/bin:/bin").output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "none\n");
    let nvcc = built.toolkit.join("bin/nvcc");
    let output = command.env("NVCC", nvcc).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).ends_with("/toolkit/bin/nvcc\n"));
}

/// Programs look up names before they know whether they need them.
#[test]
fn every_function_of_cudas_headers_has_its_name() {
    let Some(built) = Built::new() else { return };
    let header = fs::read_to_string(built.toolkit.join("include/cuda.h")).unwrap();
    let is_part = |sign: char| sign.is_ascii_alphanumeric() || sign == '_';
    let declared = |line: &str| {
        let (before, after) = line.split_once("CUDAAPI cu")?;
        let name = format!("cu{}", after.split(|sign| !is_part(sign)).next()?);
        (before.contains("CUresult") && after[name.len() - 2..].trim_start().starts_with('(')).then_some(name)
    };
    let names: BTreeSet<String> = header.lines().filter_map(declared).collect();
    assert!(names.len() > 400, "{names:?}");
    let library = std::env::current_exe().unwrap().with_file_name("libgpu_check.so");
    // SAFETY: our own library, which does nothing at its start unless it is told to.
    let library = unsafe { libloading::Library::new(library) }.unwrap();
    // SAFETY: the address is not used.
    let is_missing = |name: &&String| unsafe { library.get::<*const ()>(name.as_bytes()) }.is_err();
    let missing: Vec<_> = names.iter().filter(is_missing).collect();
    assert!(missing.is_empty(), "{missing:?}");
    // By `cuGetProcAddress` they are looked up without the suffix of their form.
    let Some(built) = Built::with_host() else { return };
    let plain: Vec<&str> = names.iter().map(String::as_str).filter(|name| !name.contains('_')).collect();
    let output = built.run(&[&["names"], &plain[..]].concat());
    assert_eq!(String::from_utf8_lossy(&output.stdout), "");
}
