//! Tests of a whole process: which library the loader finds, what runs at its end, whose output comes first.

#[path = "support/alone.rs"]
mod alone;
mod support;

use alone::{alone, is_inner};
use cust_raw::CUresult::*;
use cust_raw::*;
use libloading::Library;
use std::ffi::{CStr, c_char, c_int};
use std::path::PathBuf;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicU64, Ordering};

const PTX: &CStr = match CStr::from_bytes_with_nul(concat!(include_str!("kernels.ptx"), "\0").as_bytes()) {
    Ok(text) => text,
    Err(_) => panic!("no NUL in it"),
};

unsafe extern "C" {
    fn atexit(handler: extern "C" fn()) -> c_int;
    fn puts(text: *const c_char) -> c_int;
}

/// `examples/as_library.rs`, which cargo builds with all tests of a package.
fn library() -> PathBuf {
    let program = std::env::current_exe().expect("this test's own program");
    let built = program.parent().and_then(|deps| deps.parent()).expect("target/debug/deps");
    let library = built.join("examples/libas_library.so");
    assert!(library.exists(), "`cargo test -p driver` builds it, and with `--test` `cargo build -p driver --examples`");
    library
}

#[test]
fn a_library_that_is_named_as_the_driver_does_not_take_itself_for_it() {
    if is_inner() {
        // SAFETY: the functions have these types.
        unsafe {
            let library = Library::new("libcuda.so.1").unwrap();
            let init = library.get::<unsafe extern "C" fn(u32) -> u32>(b"cuInit\0").unwrap();
            let name = library.get::<unsafe extern "C" fn(*mut c_char, c_int, c_int) -> u32>(b"cuDeviceGetName\0");
            let mut text = [0; 100];
            assert_eq!(init(0), 0);
            assert_eq!(name.unwrap()(text.as_mut_ptr(), 100, 0), 0);
            println!("device: {}", CStr::from_ptr(text.as_ptr()).to_str().unwrap());
            std::mem::forget(library);
        }
        // The driver within this program finds the library too.
        println!("why: {}", driver::choose(driver::Choice::Auto, None).unwrap().why);
        return;
    }
    let folder = std::env::temp_dir().join(format!("driver-test-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::copy(library(), folder.join("libcuda.so.1")).unwrap();
    let output = alone("a_library_that_is_named_as_the_driver_does_not_take_itself_for_it", |command| {
        command.env("LD_LIBRARY_PATH", &folder);
    });
    std::fs::remove_dir_all(&folder).unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{output:?}");
    let name = driver::emulated::profile().name;
    // A machine with a GPU under WSL has its driver in a second place.
    if !PathBuf::from("/usr/lib/wsl/lib/libcuda.so.1").exists() {
        assert!(said.contains(&format!("device: {name}")), "{said}");
        assert!(said.contains("no NVIDIA driver is installed (libcuda.so.1 is the emulated GPU itself)"), "{said}");
    }
}

/// A function of the tests' kernels, in a context of its own.
fn function(name: &CStr) -> CUfunction {
    std::mem::forget(support::own_context());
    let (mut module, mut function) = (null_mut(), null_mut());
    // SAFETY: out-pointers are local; PTX and name end with a NUL.
    unsafe {
        assert_eq!(cuModuleLoadData(&mut module, PTX.as_ptr().cast()), CUDA_SUCCESS);
        assert_eq!(cuModuleGetFunction(&mut function, module, name.as_ptr()), CUDA_SUCCESS);
    }
    function
}

/// Launches a kernel without parameters in a stream, and waits for it.
fn run(function: CUfunction, stream: CUstream) {
    // SAFETY: the kernels used here have no parameters.
    unsafe {
        let launched = cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, null_mut(), null_mut());
        assert_eq!(launched, CUDA_SUCCESS);
        assert_eq!(cuCtxSynchronize(), CUDA_SUCCESS);
    }
}

static GREET: AtomicU64 = AtomicU64::new(0);

/// Runs after the destructors of the thread that ends the program.
extern "C" fn at_exit() {
    let per_thread = 2;
    run(GREET.load(Ordering::Relaxed) as CUfunction, per_thread as CUstream);
    let (mut context, mut address) = (null_mut(), 0);
    // SAFETY: out-pointers are local.
    unsafe {
        assert_eq!(cuMemAlloc_v2(&mut address, 64), CUDA_SUCCESS);
        assert_eq!(cuMemsetD8_v2(address, 1, 64), CUDA_SUCCESS);
        assert_eq!(cuMemFree_v2(address), CUDA_SUCCESS);
        assert_eq!(cuCtxPopCurrent_v2(&mut context), CUDA_SUCCESS);
        assert_eq!(cuCtxPushCurrent_v2(context), CUDA_SUCCESS);
        // Says on stderr that there is none.
        assert_eq!(cuTexRefDestroy(null_mut()), CUDA_ERROR_NOT_SUPPORTED);
        assert_eq!(cuCtxDestroy_v2(context), CUDA_SUCCESS);
        puts(c"all well at exit".as_ptr());
    }
}

#[test]
fn calls_in_an_exit_handler_work_as_before() {
    if is_inner() {
        GREET.store(function(c"greet") as u64, Ordering::Relaxed);
        // SAFETY: the handler does what a C program may do there.
        unsafe { assert_eq!(atexit(at_exit), 0) };
        std::process::exit(0);
    }
    let output = alone("calls_in_an_exit_handler_work_as_before", |_| ());
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("hello\nall well at exit\n"), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("cuTexRefDestroy"), "{output:?}");
}

/// C's stdio keeps back what goes to a pipe; Rust's stdout what is no whole line.
#[test]
fn what_a_kernel_prints_comes_after_what_the_host_printed_before() {
    if is_inner() {
        let greet = function(c"greet");
        // SAFETY: text that ends with a NUL.
        unsafe { puts(c"C before".as_ptr()) };
        run(greet, null_mut());
        // SAFETY: as above.
        unsafe { puts(c"C after".as_ptr()) };
        print!("Rust before, ");
        run(greet, null_mut());
        return;
    }
    let output = alone("what_a_kernel_prints_comes_after_what_the_host_printed_before", |_| ());
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{output:?}");
    let order = ["C before\n", "hello\n", "Rust before, ", "C after\n", "hello\n"];
    let mut rest = &said[..];
    for part in order {
        let at = rest.find(part).unwrap_or_else(|| panic!("{part:?} is missing in {said:?}"));
        rest = &rest[at + part.len()..];
    }
}

/// Two blocks store the same value to one place.
#[test]
fn the_log_tells_a_note_from_a_finding() {
    if is_inner() {
        let (store, mut address) = (function(c"store"), 0);
        // SAFETY: the kernel takes the address of one int.
        unsafe {
            assert_eq!(cuMemAlloc_v2(&mut address, 4), CUDA_SUCCESS);
            let mut list = [(&raw mut address).cast()];
            let list = list.as_mut_ptr();
            assert_eq!(cuLaunchKernel(store, 2, 1, 1, 1, 1, 1, 0, null_mut(), list, null_mut()), CUDA_SUCCESS);
            assert_eq!(cuCtxSynchronize(), CUDA_SUCCESS);
        }
        return;
    }
    let log = std::env::temp_dir().join(format!("driver-test-log-{}", std::process::id()));
    let output = alone("the_log_tells_a_note_from_a_finding", |command| {
        command.env("LESSON_LOG", &log);
    });
    let text = std::fs::read_to_string(&log).unwrap();
    std::fs::remove_file(&log).unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(text, "launch store\nstream 0 store\nnote race-global\n");
}

/// The primary context has its handle again, and none of its work.
#[test]
fn a_graph_does_not_wait_for_a_launch_from_before_a_reset() {
    if is_inner() {
        let (mut context, mut graph, mut node, mut executable) = (null_mut(), null_mut(), null_mut(), null_mut());
        // SAFETY: out-pointers to locals.
        unsafe {
            assert_eq!(cuInit(0), CUDA_SUCCESS);
            assert_eq!(cuDevicePrimaryCtxRetain(&mut context, 0), CUDA_SUCCESS);
            assert_eq!(cuCtxSetCurrent(context), CUDA_SUCCESS);
            assert_eq!(cuGraphCreate(&mut graph, 0), CUDA_SUCCESS);
            assert_eq!(cuGraphAddEmptyNode(&mut node, graph, std::ptr::null(), 0), CUDA_SUCCESS);
            assert_eq!(cuGraphInstantiateWithFlags(&mut executable, graph, 0), CUDA_SUCCESS);
            assert_eq!(cuGraphLaunch(executable, null_mut()), CUDA_SUCCESS);
            assert_eq!(cuCtxSynchronize(), CUDA_SUCCESS);
            assert_eq!(cuDevicePrimaryCtxReset_v2(0), CUDA_SUCCESS);
            assert_eq!(cuDevicePrimaryCtxRetain(&mut context, 0), CUDA_SUCCESS);
            assert_eq!(cuCtxSetCurrent(context), CUDA_SUCCESS);
            // Whether it may be launched is another question: it must end.
            cuGraphLaunch(executable, null_mut());
            assert_eq!(cuCtxSynchronize(), CUDA_SUCCESS);
        }
        return;
    }
    let output = alone("a_graph_does_not_wait_for_a_launch_from_before_a_reset", |_| ());
    assert!(output.status.success(), "{output:?}");
}
