//! Tests how Python's tools show findings: pytest with several workers, and IPython. And packages that bring CUDA's
//! runtime or compilers themselves: CuPy, Triton, Warp, and NVIDIA's own for Python.

use std::fs::File;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// The Python that the variable names, or the machine's, if it has these modules.
fn python(modules: &str) -> Option<String> {
    let python = std::env::var("GPU_CHECK_PYTHON").unwrap_or_else(|_| "python3".to_string());
    let found = Command::new(&python).args(["-c", &format!("import {modules}")]).output();
    if !found.is_ok_and(|output| output.status.success()) {
        skipped::because(skipped::NUMBA, &format!("{python} cannot import {modules}"));
        return None;
    }
    Some(python)
}

fn gpu_check(python: &str, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gpu-check"));
    command.args(["--lang", "en", python]).args(words).env_remove("LESSON_DEVICE");
    command
}

fn texts(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

/// A finding counts for the test that ran in its own process, in whatever phase, and not for one of another worker. The
/// command reports what a worker finds when it exits.
#[test]
fn each_worker_of_pytest_has_its_own_findings() {
    let Some(python) = python("numba.cuda, pytest, xdist") else { return };
    let place = tempfile::tempdir().unwrap();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/test_workers.py");
    let words = ["-m", "pytest", "-n", "2", "-p", "gpu_check_pytest", "-p", "no:cacheprovider", file.to_str().unwrap()];
    let output = gpu_check(&python, &words).env("TEST_WORKERS_PLACE", place.path()).output().unwrap();
    let (out, told) = texts(&output);
    assert_eq!(output.status.code(), Some(99), "{out}{told}");
    assert!(out.contains("2 passed") && out.contains("1 error"), "{out}{told}");
    assert!(out.contains("ERROR at teardown of test_that_races_in_its_teardown"), "{out}{told}");
    assert!(!out.contains("kernel `late`") && told.contains("kernel `late`"), "{out}{told}");
}

/// The report comes before the next cell runs, and has lines of the cell that defines the kernel.
#[test]
fn ipython_shows_reports_below_the_cell() {
    let Some(python) = python("numba.cuda, IPython") else { return };
    let place = tempfile::tempdir().unwrap();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/cells.ipy");
    let words = ["-m", "IPython", "--simple-prompt", "--no-banner", "--colors=NoColor", "--no-confirm-exit"];
    let mut command = gpu_check(&python, &words);
    let output =
        command.env("IPYTHONDIR", place.path()).stdin(Stdio::from(File::open(file).unwrap())).output().unwrap();
    let (out, told) = texts(&output);
    assert_eq!(output.status.code(), Some(99), "{out}{told}");
    let Some((before, after)) = told.split_once("the next cell") else { panic!("{out}{told}") };
    assert!(before.contains("--> In[3]:3, kernel `racy`"), "{before}");
    assert!(before.contains(" 3 |     bins[cuda.grid(1) % 8] += 1"), "{before}");
    assert!(!after.contains("In[3]") && after.contains("one error"), "{after}");
}

/// Somebody else's folder may have the module.
#[test]
fn outside_gpu_check_the_extension_says_how_to_start_it() {
    let Some(python) = python("IPython") else { return };
    let place = tempfile::tempdir().unwrap();
    let words = ["-m", "IPython", "--no-banner", "-c", "%load_ext gpu_check"];
    let modules = Path::new(env!("CARGO_MANIFEST_DIR")).join("python");
    let mut command = Command::new(&python);
    command.args(words).env("PYTHONPATH", modules).env("IPYTHONDIR", place.path()).env("PYTHONDONTWRITEBYTECODE", "1");
    for (language, part) in
        [("en", "Start it with `gpu-check -- ipython`"), ("es", "Inícialo con `gpu-check -- ipython`")]
    {
        let output = command.env("LESSON_LANG", language).env_remove("GPU_CHECK_RECORD").output().unwrap();
        let (out, told) = texts(&output);
        assert!(output.status.success() && told.contains(part) && told.lines().count() == 1, "{out}{told}");
    }
}

/// CuPy's modules have a runtime each, and are loaded late. Its kernels are compiled to machine code. Its reductions
/// are CUB's, of which there is PTX for newer devices alone, and which fail if any call before them has.
#[test]
fn cupy_runs_as_it_is() {
    let Some(python) = python("cupy") else { return };
    let place = tempfile::tempdir().unwrap();
    let program = r#"
import cupy
numbers = cupy.arange(10, dtype=cupy.int32)
print((numbers * 2 + 1).get(), int(numbers.sum()), float(cupy.arange(6, dtype=cupy.float32).max()))
racy = cupy.RawKernel('extern "C" __global__ void racy(int* a) { a[0] += threadIdx.x; }', "racy")
racy((1,), (64,), (cupy.zeros(1, dtype=cupy.int32),))
"#;
    let output = gpu_check(&python, &["-c", program]).env("CUPY_CACHE_DIR", place.path()).output().unwrap();
    let (out, told) = texts(&output);
    assert_eq!(out, "[ 1  3  5  7  9 11 13 15 17 19] 45 5.0\n", "{told}");
    assert_eq!(output.status.code(), Some(99), "{told}");
    assert!(told.contains("error[race-global]") && told.contains("kernel `racy`"), "{told}");
}

/// The runtime inside `cuda.bindings` is stripped, and NVRTC is asked for machine code.
#[test]
fn nvidias_own_packages_run_as_they_are() {
    let Some(python) = python("cuda.core, cuda.bindings.runtime, numpy") else { return };
    let program = r#"
import numpy
from cuda.bindings import runtime
from cuda.core import Device, LaunchConfig, Program, ProgramOptions, launch

device = Device()
device.set_current()
stream = device.create_stream()
code = 'extern "C" __global__ void twice(int* a) { a[threadIdx.x] *= 2; }'
architecture = "sm_" + "".join(str(part) for part in device.compute_capability)
module = Program(code, code_type="c++", options=ProgramOptions(arch=architecture)).compile("cubin")
numbers = numpy.arange(32, dtype=numpy.int32)
error, address = runtime.cudaMalloc(numbers.nbytes)
to_device, to_host = runtime.cudaMemcpyKind.cudaMemcpyHostToDevice, runtime.cudaMemcpyKind.cudaMemcpyDeviceToHost
runtime.cudaMemcpy(address, numbers.ctypes.data, numbers.nbytes, to_device)
device.sync()
launch(stream, LaunchConfig(grid=1, block=32), module.get_kernel("twice"), address)
stream.sync()
runtime.cudaMemcpy(numbers.ctypes.data, address, numbers.nbytes, to_host)
print(int(error), numbers[31])
"#;
    let output = gpu_check(&python, &["-c", program]).output().unwrap();
    let (out, told) = texts(&output);
    assert_eq!(out, "0 62\n", "{told}");
    assert!(output.status.success() && told.contains("one launch was checked"), "{told}");
}

/// Code for link-time optimisation is PTX from where it is made: by NVRTC, with libNVVM and without. What comes from
/// elsewhere is refused.
#[test]
fn code_for_link_time_optimisation_is_linked() {
    let Some(python) = python("cuda.core, cuda.bindings.nvvm, numpy") else { return };
    let program = r#"
import sys
import numpy
from cuda.core import Device, LaunchConfig, Linker, LinkerOptions, ObjectCode, Program, ProgramOptions, launch
from cuda.core import LegacyPinnedMemoryResource

device = Device()
device.set_current()
stream = device.create_stream()
architecture = "sm_" + "".join(str(part) for part in device.compute_capability)
options = ProgramOptions(arch=architecture, link_time_optimization=True)
caller = 'extern "C" __device__ int f(int); extern "C" __global__ void k(int* a) { a[threadIdx.x] = f(threadIdx.x); }'
callee = 'extern "C" __device__ int g(int); extern "C" __device__ int f(int i) { return g(i) + 1; }'
layout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-"
layout += "v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64"
last = f"""target triple = "nvptx64-unknown-cuda"
target datalayout = "{layout}"
define i32 @g(i32 %i) {{
  %r = mul i32 %i, 2
  ret i32 %r
}}
!nvvmir.version = !{{!0}}
!0 = !{{i32 2, i32 0}}
"""
parts = [Program(text, "c++", options=options).compile("ltoir") for text in (caller, callee)]
from cuda.bindings import nvvm
made = nvvm.create_program()
nvvm.add_module_to_program(made, last.encode(), len(last), "last")
nvvm.compile_program(made, 2, ["-arch=compute_90", "-gen-lto"])
code = bytearray(nvvm.get_compiled_result_size(made))
nvvm.get_compiled_result(made, code)
parts.append(ObjectCode.from_ltoir(bytes(code)))
linked = Linker(*parts, options=LinkerOptions(arch=architecture, link_time_optimization=True)).link("cubin")
memory = LegacyPinnedMemoryResource().allocate(128)
launch(stream, LaunchConfig(grid=1, block=32), linked.get_kernel("k"), memory)
stream.sync()
print(numpy.from_dlpack(memory).view(numpy.int32)[31], flush=True)
if len(sys.argv) > 1:
    Linker(ObjectCode.from_ltoir(b"\xedCN\x7f" + bytes(60)), options=LinkerOptions(arch=architecture)).link("cubin")
"#;
    let output = gpu_check(&python, &["-c", program]).output().unwrap();
    let (out, told) = texts(&output);
    assert_eq!(out, "63\n", "{told}");
    assert!(output.status.success() && told.contains("one launch was checked"), "{told}");
    let output = gpu_check(&python, &["-c", program, "other"]).output().unwrap();
    let (out, told) = texts(&output);
    assert_eq!(output.status.code(), Some(98), "{out}{told}");
    assert!(told.contains("code for link-time optimisation that was not compiled here"), "{told}");
}

/// NVIDIA's own library judges the options that a linker is created with, and says its version.
#[test]
fn options_of_a_linker_are_judged() {
    let Some(python) = python("cuda.bindings.nvjitlink") else { return };
    let program = r#"
from cuda.bindings import nvjitlink

print("version", nvjitlink.version())
for options in (["-arch=99"], ["-ptx"], ["-arch=sm_90", "-ptx"], ["-arch=sm_90", "-nonsense"], ["-arch=sm_90"]):
    try:
        nvjitlink.destroy(nvjitlink.create(len(options), options))
        print(options)
    except nvjitlink.nvJitLinkError as error:
        print(options, error.status)
"#;
    let real = Command::new(&python).args(["-c", program]).output().unwrap();
    if !real.status.success() {
        return skipped::because(skipped::NUMBA, &format!("{python} has no nvJitLink"));
    }
    let output = gpu_check(&python, &["-c", program]).output().unwrap();
    let ((real, _), (out, told)) = (texts(&real), texts(&output));
    assert_eq!(out, real, "{told}");
    assert!(out.contains("['-ptx'] 2\n") && out.ends_with("['-arch=sm_90']\n"), "{out}");
}

/// Programs ask NVML for a device before they use CUDA.
#[test]
fn nvml_knows_the_device() {
    let Some(python) = python("ctypes") else { return };
    let program = r#"
import ctypes
import os

nvml = ctypes.CDLL("libnvidia-ml.so.1")
assert nvml.nvmlInit_v2() == 0
count, device, text = ctypes.c_uint(), ctypes.c_void_p(), ctypes.create_string_buffer(96)
assert nvml.nvmlDeviceGetCount_v2(ctypes.byref(count)) == 0
assert nvml.nvmlDeviceGetHandleByIndex_v2(1, ctypes.byref(device)) == 2
assert nvml.nvmlDeviceGetHandleByIndex_v2(0, ctypes.byref(device)) == 0
assert nvml.nvmlDeviceGetName(device, text, 96) == 0
name = text.value.decode()
assert nvml.nvmlDeviceGetName(None, text, 96) == 2
memory = (ctypes.c_uint64 * 3)()
assert nvml.nvmlDeviceGetMemoryInfo(device, memory) == 0 and memory[0] == memory[1] + memory[2] > 0
assert nvml.nvmlDeviceGetUUID(device, text, 8) == 7
assert nvml.nvmlDeviceGetUUID(device, text, 96) == 0 and text.value.startswith(b"GPU-")
same = ctypes.c_void_p()
assert nvml.nvmlDeviceGetHandleByUUID(text, ctypes.byref(same)) == 0 and same.value == device.value
assert nvml.nvmlDeviceGetHandleByUUID(text.value[4:], ctypes.byref(same)) == 0 and same.value == device.value
assert nvml.nvmlDeviceGetHandleByUUID(b"GPU-0", ctypes.byref(same)) == 6
older = (ctypes.c_char * 68)(*[1] * 68)
assert nvml.nvmlDeviceGetPciInfo_v2(device, older) == 0 and older[:4] == b"0000" and older[36:] == b"\1" * 32
place = (ctypes.c_char * 68)()
assert nvml.nvmlDeviceGetPciInfo_v3(device, place) == 0
assert nvml.nvmlDeviceGetHandleByPciBusId_v2(place[36:], ctypes.byref(same)) == 0 and same.value == device.value
major, minor = ctypes.c_int(), ctypes.c_int()
assert nvml.nvmlDeviceGetCudaComputeCapability(device, ctypes.byref(major), ctypes.byref(minor)) == 0
assert nvml.nvmlDeviceGetTemperature(device, 0, ctypes.byref(count)) == 3
fixed = {"GetNumFans": 0, "GetPersistenceMode": 1, "GetDisplayActive": 0, "IsMigDeviceHandle": 0}
for query, want in fixed.items():
    value = ctypes.c_uint(9)
    assert getattr(nvml, "nvmlDevice" + query)(device, ctypes.byref(value)) == 0 and value.value == want, query
assert nvml.nvmlDeviceGetNumFans(None, ctypes.byref(count)) == 2
events = ctypes.c_uint64(9)
assert nvml.nvmlDeviceGetSupportedEventTypes(device, ctypes.byref(events)) == 0 and events.value == 0
clock = ctypes.c_uint()
assert nvml.nvmlDeviceGetClockInfo(device, 1, ctypes.byref(clock)) == 0 and clock.value == 1000
assert nvml.nvmlDeviceGetClockInfo(device, 4, ctypes.byref(clock)) == 2
nodes, processors = (ctypes.c_ulong * 2)(7, 7), (ctypes.c_ulong * 16)()
assert nvml.nvmlDeviceGetMemoryAffinity(device, 2, nodes, 0) == 0 and list(nodes) == [1, 0]
assert nvml.nvmlDeviceGetMemoryAffinity(device, 2, nodes, 2) == 2
assert nvml.nvmlDeviceGetCpuAffinity(device, 16, processors) == 0
near = {64 * word + bit for word in range(16) for bit in range(64) if processors[word] >> bit & 1}
assert near == os.sched_getaffinity(0), near
# A structure of another version is refused. One value that is not known does not refuse the others.
branch = (ctypes.c_uint * 21)(84 | 1 << 24)
assert nvml.nvmlSystemGetDriverBranch(branch, 80) == 0 and bytes(branch)[4:].startswith(b"r610_00\0")
branch[0] = 84 | 2 << 24
assert nvml.nvmlSystemGetDriverBranch(branch, 80) == 25
extended = (ctypes.c_uint * 16)(64 | 1 << 24)
assert nvml.nvmlDeviceGetPciInfoExt(device, extended) == 0
assert extended[6] == 3 and bytes(extended)[32:] == place[36:68]
fields = (ctypes.c_uint * 20)(*[81] * 20)
assert nvml.nvmlDeviceGetFieldValues(device, 2, fields) == 0 and list(fields[:20:10]) == [81, 81]
assert list(fields[7:20:10]) == [3, 3]
assert nvml.nvmlSystemGetProcessName(os.getpid(), text, 96) == 0 and b"python" in text.value, text.value
assert nvml.nvmlSystemGetProcessName(os.getpid(), text, 4) == 0 and len(text.value) == 3
assert nvml.nvmlSystemGetProcessName(2 ** 31 - 1, text, 96) == 6
nvml.nvmlErrorString.restype = ctypes.c_char_p
print(count.value, name, f"{major.value}.{minor.value}", nvml.nvmlErrorString(3).decode())
"#;
    let output = gpu_check(&python, &["-c", program]).output().unwrap();
    let (out, told) = texts(&output);
    assert_eq!(out, "1 Emulated GPU (compute capability 9.0) 9.0 Not Supported\n", "{told}");
}

/// Triton compiles to PTX, and starts a ptxas of its own.
#[test]
fn triton_runs_as_it_is() {
    let Some(python) = python("triton, cupy") else { return };
    let place = tempfile::tempdir().unwrap();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/histogram_triton_broken.py");
    let mut command = gpu_check(&python, &["-W", "ignore", file.to_str().unwrap()]);
    let output = command.env("TRITON_CACHE_DIR", place.path()).env_remove("TRITON_PTXAS_PATH").output().unwrap();
    let (out, told) = texts(&output);
    assert!(out.starts_with("sum is right: True\n"), "{out}{told}");
    assert_eq!(output.status.code(), Some(99), "{told}");
    assert!(told.contains("error[race-global]") && told.contains("histogram_triton_broken.py:21"), "{told}");
    assert!(told.contains("ptxas gave PTX") && !told.contains("kernel `add`"), "{told}");
}

/// The compiler is inside `warp.so`, and gives PTX for a driver that is as new as it.
#[test]
fn warp_runs_as_it_is() {
    let Some(python) = python("warp") else { return };
    let place = tempfile::tempdir().unwrap();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/histogram_warp_broken.py");
    let mut command = gpu_check(&python, &[file.to_str().unwrap()]);
    let output = command.env("WARP_CACHE_PATH", place.path()).output().unwrap();
    let (out, told) = texts(&output);
    assert!(out.contains("sum is right: True\n"), "{out}{told}");
    assert_eq!(output.status.code(), Some(99), "{told}");
    assert!(told.contains("error[race-global]") && told.contains("histogram_warp_broken.py:"), "{told}");
}
