//! With a real nvcc, where this machine has one that works: the promises that only it can keep.

use std::fs;
use std::path::Path;

use kernel_build::{Error, KernelSource, Nvcc, host, ptx_with_flags};

/// Names with nvcc's module id in them: an unnamed namespace, and inlined helpers of the toolkit's headers.
const KERNEL: &str = "\
// t.cu
#include <cooperative_groups.h>
namespace { __device__ int hidden = 3; }
extern \"C\" __global__ void add(int* p) {
    auto group = cooperative_groups::coalesced_threads();
    if (group.thread_rank() == 0) atomicAdd(p, group.size() + hidden);
}
";

fn tools() -> Option<Nvcc> {
    match (Nvcc::find(), host::find()) {
        (Ok(nvcc), Ok(_)) => Some(nvcc),
        (Err(Error::NoNvcc), _) => {
            skipped::because(skipped::CUDA_COMPILER, "no nvcc on this machine");
            None
        }
        (Err(error), _) => panic!("{error}"),
        (_, Err(problem)) => {
            skipped::because(skipped::CUDA_COMPILER, &format!("no host compiler for nvcc: {problem}"));
            None
        }
    }
}

#[test]
fn the_same_source_gives_the_same_bytes_in_another_folder() {
    let Some(nvcc) = tools() else { return };
    let compile = |below: &str| {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join(below);
        fs::create_dir_all(root.join("cuda/lesson01")).unwrap();
        fs::write(root.join("cuda/lesson01/t.cu"), KERNEL).unwrap();
        let source = KernelSource::read(&root, Path::new("cuda/lesson01/t.cu")).unwrap();
        nvcc.compile(&root, &source).unwrap().ptx
    };
    let (one, two) = (compile("a"), compile("b/año nuevo"));
    assert_eq!(one, two);
    assert!(one.contains(".file\t1 \"cuda/lesson01/t.cu\"\n"), "{one}");
    assert!(one.contains("\"<cuda>/include/cooperative_groups.h\"\n"), "{one}");
    assert!(one.contains("_INTERNAL_"), "the kernel no longer holds what this test is about");
}

/// It is compiled where the system has room for files that nobody keeps.
#[test]
fn a_changed_text_goes_by_the_name_of_its_file() {
    let Some(nvcc) = tools() else { return };
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("t.cu"), KERNEL).unwrap();
    let source = KernelSource::read(folder.path(), Path::new("t.cu")).unwrap();
    let ptx = nvcc.compile_changed(folder.path(), &source, &format!("// More.\n{KERNEL}")).unwrap();
    assert!(ptx.contains("\t.file\t1 \"t.cu\"\n"), "{ptx}");
    assert!(!ptx.contains("<host>/t.cu"), "{ptx}");
}

#[test]
fn a_debug_build_keeps_its_lines() {
    if tools().is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("t.cu"), KERNEL).unwrap();
    let ptx = ptx_with_flags(folder.path(), "t.cu", &["-G"]).unwrap();
    assert!(ptx.contains(".target sm_75\n"), "{ptx}");
    assert!(!ptx.contains(".debug_info"), "{ptx}");
    assert!(ptx.contains("\t.loc\t1 "), "{ptx}");
    assert!(ptx.contains(".file\t1 \"t.cu\"\n"), "{ptx}");
}

#[test]
fn an_error_in_a_kernel_is_nvccs_own() {
    if tools().is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("t.cu"), "__global__ void k() { int x = ; }\n").unwrap();
    let message = ptx_with_flags(folder.path(), "t.cu", &[]).unwrap_err().to_string();
    assert!(message.starts_with("t.cu(1): error: expected an expression"), "{message}");
}
