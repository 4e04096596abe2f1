//! Modules, launches, occupancy and faults on the emulated device.

use crate::support::own_context;
use cust::error::CudaError;
use cust::function::{FunctionAttribute, GridSize};
use cust::link::Linker;
use cust::memory::DeviceBox;
use cust::module::ModuleJitOption;
use cust::prelude::*;
use cust_raw::CUresult::*;
use cust_raw::*;
use driver::emulated::configure;
use driver::emulator::{Checks, Config};
use std::ffi::c_void;
use std::ptr::{null_mut, without_provenance_mut};
use std::sync::mpsc;
use std::time::Duration;

const PTX: &str = include_str!("kernels.ptx");

fn module() -> Module {
    Module::from_ptx(PTX, &[]).expect("the tests' kernels load")
}

#[test]
fn a_kernel_runs() {
    let _context = own_context();
    let module = module();
    let add = module.get_function("add").unwrap();
    let stream = Stream::new(StreamFlags::DEFAULT, None).unwrap();
    let data = DeviceBuffer::from_slice(&[0u32, 10, 20, 30, 40]).unwrap();
    // SAFETY: `data` holds the 5 elements that the kernel is told of.
    unsafe { launch!(add<<<2, 4, 0, stream>>>(data.as_device_ptr(), 3u32, 5u32)).unwrap() };
    stream.synchronize().unwrap();
    assert_eq!(data.as_host_vec().unwrap(), [3, 13, 23, 33, 43]);
}

#[test]
fn parameters_are_copied_at_the_launch() {
    let _context = own_context();
    let module = module();
    let add = module.get_function("add").unwrap();
    let data = DeviceBuffer::from_slice(&[0u32; 4]).unwrap();
    let (mut pointer, mut value, mut n) = (data.as_device_ptr().as_raw(), 7u32, 4u32);
    let mut parameters = [(&raw mut pointer).cast(), (&raw mut value).cast(), (&raw mut n).cast::<c_void>()];
    // SAFETY: three parameters, as wide as the kernel's.
    unsafe {
        let list = parameters.as_mut_ptr();
        assert_eq!(cuLaunchKernel(add.to_raw(), 1, 1, 1, 4, 1, 1, 0, null_mut(), list, null_mut()), CUDA_SUCCESS);
    }
    (pointer, value, n) = (0, 0, 0);
    assert_eq!((pointer, value, n), (0, 0, 0));
    assert_eq!(data.as_host_vec().unwrap(), [7; 4]);
}

#[test]
fn parameters_in_a_buffer() {
    let _context = own_context();
    let module = module();
    let add = module.get_function("add").unwrap().to_raw();
    let data = DeviceBuffer::from_slice(&[0u32; 4]).unwrap();
    #[repr(C)]
    struct Parameters(u64, u32, u32);
    let mut buffer = Parameters(data.as_device_ptr().as_raw(), 9, 4);
    let mut size = size_of::<Parameters>();
    let mut extra: [*mut c_void; 5] = [
        without_provenance_mut(1),
        (&raw mut buffer).cast(),
        without_provenance_mut(2),
        (&raw mut size).cast(),
        null_mut(),
    ];
    let launch = |parameters: *mut *mut c_void, extra: *mut *mut c_void| {
        // SAFETY: the buffer is laid out as the kernel's parameters are.
        unsafe { cuLaunchKernel(add, 1, 1, 1, 4, 1, 1, 0, null_mut(), parameters, extra) }
    };
    assert_eq!(launch(null_mut(), extra.as_mut_ptr()), CUDA_SUCCESS);
    assert_eq!(data.as_host_vec().unwrap(), [9; 4]);
    let mut both = [null_mut(); 3];
    assert_eq!(launch(both.as_mut_ptr(), extra.as_mut_ptr()), CUDA_ERROR_INVALID_VALUE, "one or the other");
    assert_eq!(launch(null_mut(), null_mut()), CUDA_ERROR_INVALID_VALUE, "the kernel has parameters");
    assert_eq!(launch(both.as_mut_ptr(), null_mut()), CUDA_ERROR_INVALID_VALUE, "a null parameter");
    size = 8;
    assert_eq!(launch(null_mut(), extra.as_mut_ptr()), CUDA_ERROR_INVALID_VALUE, "{size} bytes are too few");
}

#[test]
fn shapes_that_a_gpu_refuses() {
    let _context = own_context();
    let module = module();
    let count = module.get_function("count").unwrap().to_raw();
    let small = module.get_function("small_blocks").unwrap().to_raw();
    let shared = module.get_function("static_shared").unwrap().to_raw();
    let launch = |function, grid: [u32; 3], block: [u32; 3], bytes| {
        let ([x, y, z], [bx, by, bz]) = (grid, block);
        // SAFETY: kernels without parameters.
        unsafe { cuLaunchKernel(function, x, y, z, bx, by, bz, bytes, null_mut(), null_mut(), null_mut()) }
    };
    let invalid = CUDA_ERROR_INVALID_VALUE;
    for (function, grid, block, bytes, expected) in [
        (count, [0, 1, 1], [1, 1, 1], 0, invalid),
        (count, [1, 1, 1], [1, 0, 1], 0, invalid),
        (count, [1, 65536, 1], [1, 1, 1], 0, invalid),
        (count, [1, 1, 1], [1025, 1, 1], 0, invalid),
        (count, [1, 1, 1], [1, 1, 65], 0, invalid),
        (count, [1, 1, 1], [64, 32, 1], 0, invalid),
        (count, [1, 1, 1], [1, 1, 1], 48 * 1024 + 1, invalid),
        (count, [1, 1, 1], [1, 1, 1], 48 * 1024, CUDA_SUCCESS),
        (shared, [1, 1, 1], [1, 1, 1], 10_000, invalid),
        (shared, [1, 1, 1], [1, 1, 1], 9_000, CUDA_SUCCESS),
        (small, [1, 1, 1], [65, 1, 1], 0, invalid),
        (small, [1, 1, 1], [64, 1, 1], 0, CUDA_SUCCESS),
    ] {
        assert_eq!(launch(function, grid, block, bytes), expected, "{grid:?} {block:?} {bytes}");
    }

    // More shared memory for those that ask.
    let limit = CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
    // SAFETY: a live function.
    unsafe {
        assert_eq!(cuFuncSetAttribute(count, limit, 227 * 1024 + 1), invalid);
        assert_eq!(cuFuncSetAttribute(count, limit, -1), invalid);
        assert_eq!(cuFuncSetAttribute(count, limit, 100 * 1024), CUDA_SUCCESS);
    }
    assert_eq!(launch(count, [1, 1, 1], [1, 1, 1], 100 * 1024), CUDA_SUCCESS);
    assert_eq!(launch(count, [1, 1, 1], [1, 1, 1], 100 * 1024 + 1), invalid);
    // SAFETY: no pointers.
    assert_eq!(unsafe { cuCtxSynchronize() }, CUDA_SUCCESS);
}

#[test]
fn cooperative_launches_must_be_resident() {
    let _context = own_context();
    configure(Config { checks: Checks::Fast, ..Config::default() }).unwrap();
    let module = module();
    let count = module.get_function("count").unwrap().to_raw();
    // SAFETY: a kernel without parameters.
    let launch =
        |blocks| unsafe { cuLaunchCooperativeKernel(count, blocks, 1, 1, 1024, 1, 1, 0, null_mut(), null_mut()) };
    assert_eq!(launch(16), CUDA_SUCCESS, "two blocks on each of 8 multiprocessors");
    assert_eq!(launch(17), CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
}

#[test]
fn occupancy() {
    let _context = own_context();
    let module = module();
    let count = module.get_function("count").unwrap();
    assert_eq!(count.max_active_blocks_per_multiprocessor(1024.into(), 0), Ok(2));
    assert_eq!(count.max_active_blocks_per_multiprocessor(32.into(), 0), Ok(32));
    assert_eq!(count.max_active_blocks_per_multiprocessor(32.into(), 100 * 1024), Ok(2));
    let (grid, block) = count.suggested_launch_configuration(0, 0.into()).unwrap();
    assert_eq!(grid * block, 8 * 2048, "a full device");
    // 16 blocks of 100 threads, 21 of 96, 32 of 64: only the last fill a multiprocessor.
    assert_eq!(count.suggested_launch_configuration(0, 100.into()), Ok((8 * 32, 64)));
    // No more than the function may have, and without what the system reserves in each block (seen on an H200).
    assert_eq!(count.available_dynamic_shared_memory_per_block(2.into(), 1024.into()), Ok(48 * 1024));
    let most = CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
    // SAFETY: a function of a live module.
    unsafe { assert_eq!(cuFuncSetAttribute(count.to_raw(), most, 227 * 1024), CUDA_SUCCESS) };
    assert_eq!(count.available_dynamic_shared_memory_per_block(2.into(), 1024.into()), Ok(114 * 1024));
    let too_many = count.available_dynamic_shared_memory_per_block(GridSize::x(3), 1024.into());
    assert_eq!(too_many, Err(CudaError::InvalidValue));
}

/// A kernel that keeps 90 registers at once, with these directives.
fn many_registers(directives: &str) -> String {
    let (loads, stores): (String, String) = (0..90)
        .map(|at| {
            let (load, store) = (format!("ld.global.u32 %r{at}, [%rd1+{}];\n", 4 * at), 4 * (89 - at));
            (load, format!("st.global.u32 [%rd1+{store}], %r{at};\n"))
        })
        .unzip();
    let head = ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 p)\n";
    let registers = ".reg .b32 %r<90>;\n.reg .b64 %rd<2>;\nld.param.u64 %rd1, [p];\n";
    format!("{head}{directives}\n{{\n{registers}{loads}{stores}ret;\n}}\n")
}

#[test]
fn the_largest_block_runs_whatever_its_registers_are_estimated_at() {
    let _context = own_context();
    let data = DeviceBuffer::from_slice(&[0u32; 90]).unwrap();
    let mut pointer = data.as_device_ptr().as_raw();
    let limited = [ModuleJitOption::MaxRegisters(40)];
    for (directives, options, block, registers) in [
        ("", &[][..], 1024, 64),
        (".maxntid 512, 1, 1", &[], 512, 104),
        (".maxntid 256, 1, 1\n.minnctapersm 4", &[], 256, 64),
        (".reqntid 32, 1, 1", &[], 32, 104),
        (".maxnreg 32", &[], 1024, 32),
        ("", &limited, 1024, 40),
    ] {
        let module = Module::from_ptx(many_registers(directives), options).unwrap();
        let kernel = module.get_function("k").unwrap();
        assert_eq!(kernel.get_attribute(FunctionAttribute::MaxThreadsPerBlock), Ok(block), "{directives}");
        assert_eq!(kernel.get_attribute(FunctionAttribute::NumRegisters), Ok(registers), "{directives}");
        let resident = kernel.max_active_blocks_per_multiprocessor((block as u32).into(), 0).unwrap();
        assert!(resident > 0, "{directives}");
        let (_, suggested) = kernel.suggested_launch_configuration(0, 0.into()).unwrap();
        for (threads, blocks) in [(block as u32, 8 * resident), (suggested, 1)] {
            let mut parameters = [(&raw mut pointer).cast()];
            let (kernel, parameters) = (kernel.to_raw(), parameters.as_mut_ptr());
            // SAFETY: one pointer, to as many elements as the kernel has registers.
            let code =
                unsafe { cuLaunchCooperativeKernel(kernel, blocks, 1, 1, threads, 1, 1, 0, null_mut(), parameters) };
            // A block that must have one size takes no other.
            let expected = if directives.starts_with(".reqntid") && threads != block as u32 {
                CUDA_ERROR_INVALID_VALUE
            } else {
                CUDA_SUCCESS
            };
            assert_eq!(code, expected, "{directives} {threads}");
        }
    }
}

#[test]
fn attributes_of_a_function() {
    let _context = own_context();
    let module = module();
    let shared = module.get_function("static_shared").unwrap();
    assert_eq!(shared.get_attribute(FunctionAttribute::SharedMemorySizeBytes), Ok(40_000));
    // The architecture in `.target`, and the one that the driver compiles for.
    assert_eq!(shared.get_attribute(FunctionAttribute::PtxVersion), Ok(75));
    assert_eq!(shared.get_attribute(FunctionAttribute::BinaryVersion), Ok(90));
    assert_eq!(shared.get_attribute(FunctionAttribute::MaxThreadsPerBlock), Ok(1024));
    let small = module.get_function("small_blocks").unwrap();
    assert_eq!(small.get_attribute(FunctionAttribute::MaxThreadsPerBlock), Ok(64));
    let parameters = driver::emulated::kernel(module.get_function("add").unwrap().to_raw()).unwrap().parameters;
    assert_eq!(parameters.iter().map(|p| (p.offset, p.bytes)).collect::<Vec<_>>(), [(0, 8), (8, 4), (12, 4)]);
}

#[test]
fn globals_live_in_device_memory() {
    let _context = own_context();
    let (first, second) = (module(), module());
    let stream = Stream::new(StreamFlags::DEFAULT, None).unwrap();
    // SAFETY: a kernel without parameters.
    unsafe { launch!(first.count<<<3, 32, 0, stream>>>()).unwrap() };
    stream.synchronize().unwrap();
    let value = |module: &Module| {
        let mut value = 0u32;
        module.get_global::<u32>(c"total").unwrap().copy_to(&mut value).unwrap();
        value
    };
    assert_eq!(value(&first), 5 + 3 * 32);
    assert_eq!(value(&second), 5, "each load has its own variables");
    first.get_global::<u32>(c"total").unwrap().copy_from(&8).unwrap();
    assert_eq!(value(&first), 8);
    assert_eq!(first.get_global::<u32>(c"no_such").unwrap_err(), CudaError::NotFound);
    assert_eq!(first.get_function("no_such").unwrap_err(), CudaError::NotFound);
}

#[test]
fn functions_of_an_unloaded_module_are_stale() {
    let _context = own_context();
    let module = module();
    let (add, again) = (module.get_function("add").unwrap().to_raw(), module.get_function("add").unwrap().to_raw());
    assert_eq!(add, again, "one handle for one function");
    drop(module);
    let mut value = 0;
    let attribute = CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_NUM_REGS;
    // SAFETY: an out-pointer to a local.
    assert_eq!(unsafe { cuFuncGetAttribute(&mut value, attribute, add) }, CUDA_ERROR_INVALID_HANDLE);
}

#[test]
fn linking_resolves_across_sources() {
    let _context = own_context();
    let header = ".version 8.0\n.target sm_75\n.address_size 64\n";
    let declaration = ".extern .func (.param .b32 r) answer();";
    let kernel = format!(
        "{header}{declaration}
        .visible .entry ask(.param .u64 to) {{
            .reg .b32 %r1; .reg .b64 %rd1;
            ld.param.u64 %rd1, [to];
            {{ .param .b32 result; call.uni (result), answer, (); ld.param.b32 %r1, [result]; }}
            st.global.u32 [%rd1], %r1;
            ret;
        }}"
    );
    let function = format!(
        "{header}.visible .func (.param .b32 r) answer() {{
            .reg .b32 %r1; mov.u32 %r1, 42; st.param.b32 [r], %r1; ret;
        }}"
    );
    let mut linker = Linker::new().unwrap();
    linker.add_ptx(&kernel).unwrap();
    linker.add_ptx(&function).unwrap();
    let image = linker.complete().unwrap();
    let module = Module::from_cubin(&image, &[]).unwrap();
    let stream = Stream::new(StreamFlags::DEFAULT, None).unwrap();
    let result = DeviceBox::new(&0u32).unwrap();
    // SAFETY: the kernel stores one word.
    unsafe { launch!(module.ask<<<1, 1, 0, stream>>>(result.as_device_ptr())).unwrap() };
    stream.synchronize().unwrap();
    assert_eq!(result.as_host_value(), Ok(42));

    let mut broken = Linker::new().unwrap();
    broken.add_ptx("not PTX").unwrap();
    assert_eq!(broken.complete(), Err(CudaError::InvalidPtx));
    assert_eq!(Linker::new().unwrap().add_cubin(b"\x7fELF"), Err(CudaError::NoBinaryForGpu));
}

/// The table of long names, as it begins `libcudadevrt.a` of CUDA 11 to 13.
const DEVICE_RUNTIME: &[u8] =
    b"!<arch>\n//                                              24        `\ncuda_device_runtime.o/\n";

#[test]
fn the_device_runtime_library_is_recognised() {
    let _context = own_context();
    let mut link = null_mut();
    let library = |link, bytes: &[u8]| {
        let kind = CUjitInputType_enum::CU_JIT_INPUT_LIBRARY;
        let data = bytes.as_ptr().cast_mut().cast();
        // SAFETY: as many bytes as said.
        unsafe { cuLinkAddData_v2(link, kind, data, bytes.len(), null_mut(), 0, null_mut(), null_mut()) }
    };
    // SAFETY: an out-pointer to a local; the link state is destroyed once.
    unsafe {
        assert_eq!(cuLinkCreate_v2(0, null_mut(), null_mut(), &mut link), CUDA_SUCCESS);
        assert_eq!(library(link, DEVICE_RUNTIME), CUDA_SUCCESS);
        assert_eq!(library(link, b"!<arch>\n something else"), CUDA_ERROR_NO_BINARY_FOR_GPU);
        assert_eq!(cuLinkDestroy(link), CUDA_SUCCESS);
    }
}

#[test]
fn a_kernel_that_launches_is_linked_with_the_device_runtime() {
    let _context = own_context();
    let ptx = include_str!("../../cuda/ptx/explain/device_launch.ptx");
    assert!(driver::device_runtime::is_called(ptx) && !driver::device_runtime::is_called(PTX));
    let image = driver::device_runtime::link(ptx, DEVICE_RUNTIME).unwrap();
    let module = Module::from_cubin(image, &[]).unwrap();
    let function = module.get_function("right").unwrap();
    let stream = Stream::new(StreamFlags::DEFAULT, None).unwrap();
    let out = DeviceBuffer::from_slice(&[0i32; 32]).unwrap();
    let scratch = DeviceBuffer::from_slice(&[0i32; 32]).unwrap();
    // SAFETY: both buffers hold an int for each of 32 threads.
    unsafe { launch!(function<<<1, 32, 0, stream>>>(out.as_device_ptr(), scratch.as_device_ptr())).unwrap() };
    // The launch is complete when its child is.
    stream.synchronize().unwrap();
    assert_eq!(out.as_host_vec().unwrap(), (0..32).map(|i| 2 * i).collect::<Vec<_>>());

    let refused = driver::device_runtime::link("not PTX", DEVICE_RUNTIME).unwrap_err();
    assert_eq!(refused.code, CUDA_ERROR_INVALID_PTX);
    assert!(!refused.log.is_empty());
}

#[test]
fn faults_are_sticky_and_stay_in_their_context() {
    let outer = own_context();
    for (kernel, address, expected) in [
        ("store", 0u64, CudaError::IllegalAddress),
        ("store", 2, CudaError::MisalignedAddress),
        ("trap_at_once", 0, CudaError::LaunchFailed),
    ] {
        let inner = own_context();
        let module = module();
        let stream = Stream::new(StreamFlags::DEFAULT, None).unwrap();
        let buffer = DeviceBuffer::from_slice(&[1u32]).unwrap();
        let address = if address == 2 { buffer.as_device_ptr().as_raw() + 2 } else { address };
        let function = module.get_function(kernel).unwrap();
        let mut parameters = [(&raw const address).cast_mut().cast::<c_void>()];
        // SAFETY: one parameter where the kernel has one.
        let code = unsafe {
            let list = if kernel == "store" { parameters.as_mut_ptr() } else { null_mut() };
            cuLaunchKernel(function.to_raw(), 1, 1, 1, 1, 1, 1, 0, stream.as_inner(), list, null_mut())
        };
        assert_eq!(code, CUDA_SUCCESS, "the launch itself is in order");
        assert_eq!(stream.synchronize(), Err(expected), "{kernel}");
        assert_eq!(stream.synchronize(), Err(expected), "again");
        assert_eq!(buffer.as_host_vec(), Err(expected), "and every other call");
        assert_eq!(DeviceBuffer::<u32>::zeroed(1).map(drop), Err(expected));
        let reports = driver::emulated::take_reports().unwrap();
        assert_eq!(reports.len(), 1, "the report outlives the fault");
        assert!(reports[0].fault.is_some());
        assert_eq!(reports[0].kernel.as_deref(), Some(kernel));
        drop(inner);
    }
    DeviceBuffer::from_slice(&[1u32]).unwrap();
    drop(outer);
}

#[test]
fn callbacks_hear_of_a_fault() {
    unsafe extern "C" fn heard(_stream: CUstream, status: CUresult, sender: *mut c_void) {
        // SAFETY: the test leaked it for this call.
        let sender = unsafe { Box::from_raw(sender.cast::<mpsc::Sender<CUresult>>()) };
        sender.send(status).unwrap();
    }
    let _context = own_context();
    let module = module();
    let stream = Stream::new(StreamFlags::DEFAULT, None).unwrap();
    let (sender, receiver) = mpsc::channel::<CUresult>();
    let sender = Box::into_raw(Box::new(sender)).cast();
    // SAFETY: a kernel without parameters; the callback takes the sender.
    unsafe {
        launch!(module.trap_at_once<<<1, 1, 0, stream>>>()).unwrap();
        assert_eq!(cuStreamAddCallback(stream.as_inner(), Some(heard), sender, 0), CUDA_SUCCESS);
        let status = receiver.recv_timeout(Duration::from_secs(20)).unwrap();
        assert_eq!(status, CUDA_ERROR_LAUNCH_FAILED);
    }
    assert_eq!(stream.synchronize(), Err(CudaError::LaunchFailed));
}

#[test]
fn what_kernels_print_can_be_captured() {
    let _context = own_context();
    driver::emulated::capture_output(true).unwrap();
    let module = module();
    let stream = Stream::new(StreamFlags::DEFAULT, None).unwrap();
    // SAFETY: a kernel without parameters.
    unsafe { launch!(module.greet<<<2, 1, 0, stream>>>()).unwrap() };
    let reports = driver::emulated::take_reports().unwrap();
    assert_eq!(reports.len(), 1);
    assert_eq!(String::from_utf8_lossy(&reports[0].printed), "hello\nhello\n");
    assert_eq!(reports[0].findings, []);
    assert!(reports[0].counters.thread_instructions > 0);
    assert!(driver::emulated::take_reports().unwrap().is_empty(), "taken once");
}

#[test]
fn what_the_emulator_cannot_run_is_refused_at_the_launch() {
    let _context = own_context();
    let module = module();
    let tensor = module.get_function("tensor").unwrap();
    let stream = Stream::new(StreamFlags::DEFAULT, None).unwrap();
    // SAFETY: no parameters.
    let refused = unsafe { launch!(tensor<<<1, 1, 0, stream>>>()) };
    assert_eq!(refused, Err(CudaError::NotSupported));
    assert_eq!(stream.synchronize(), Ok(()), "the context is as it was");
    // SAFETY: a kernel without parameters.
    unsafe { launch!(module.count<<<1, 1, 0, stream>>>()).unwrap() };
    assert_eq!(stream.synchronize(), Ok(()), "its neighbours run");
}

#[test]
fn a_graph_of_kernels() {
    let _context = own_context();
    let module = module();
    let add = module.get_function("add").unwrap();
    let data = DeviceBuffer::from_slice(&[1u32; 4]).unwrap();
    let (mut pointer, mut value, mut n) = (data.as_device_ptr().as_raw(), 2u32, 4u32);
    let mut list = [(&raw mut pointer).cast(), (&raw mut value).cast(), (&raw mut n).cast::<c_void>()];
    let parameters = CUDA_KERNEL_NODE_PARAMS {
        func: add.to_raw(),
        gridDimX: 1,
        gridDimY: 1,
        gridDimZ: 1,
        blockDimX: 4,
        blockDimY: 1,
        blockDimZ: 1,
        sharedMemBytes: 0,
        kernelParams: list.as_mut_ptr(),
        extra: null_mut(),
    };
    // SAFETY: three parameters, as wide as the kernel's; out-pointers to locals.
    unsafe {
        let (mut graph, mut first, mut second, mut executable) = (null_mut(), null_mut(), null_mut(), null_mut());
        assert_eq!(cuGraphCreate(&mut graph, 0), CUDA_SUCCESS);
        assert_eq!(cuGraphAddKernelNode(&mut first, graph, null_mut(), 0, &parameters), CUDA_SUCCESS);
        value = 10;
        assert_eq!(cuGraphAddKernelNode(&mut second, graph, &first, 1, &parameters), CUDA_SUCCESS);
        let mut shown = parameters;
        assert_eq!(cuGraphKernelNodeGetParams(second, &mut shown), CUDA_SUCCESS);
        assert_eq!((*(*shown.kernelParams.add(1)).cast::<u32>(), shown.blockDimX), (value, 4));
        assert_eq!(cuGraphInstantiateWithFlags(&mut executable, graph, 0), CUDA_SUCCESS);
        assert_eq!(cuGraphDestroy(graph), CUDA_SUCCESS, "the copy lives on");
        assert_eq!(cuGraphLaunch(executable, null_mut()), CUDA_SUCCESS);
        assert_eq!(cuGraphLaunch(executable, null_mut()), CUDA_SUCCESS);
        assert_eq!(cuGraphExecDestroy(executable), CUDA_SUCCESS);
    }
    assert_eq!(data.as_host_vec().unwrap(), [1 + 2 * 12; 4]);
}

#[test]
fn contexts_run_side_by_side() {
    std::thread::scope(|scope| {
        for value in 0..4u32 {
            scope.spawn(move || {
                let _context = own_context();
                let module = module();
                let stream = Stream::new(StreamFlags::DEFAULT, None).unwrap();
                let data = DeviceBuffer::from_slice(&[value; 1000]).unwrap();
                for _ in 0..10 {
                    // SAFETY: `data` holds the 1000 elements that the kernel is told of.
                    unsafe { launch!(module.add<<<4, 256, 0, stream>>>(data.as_device_ptr(), 1u32, 1000u32)).unwrap() };
                }
                stream.synchronize().unwrap();
                assert_eq!(data.as_host_vec().unwrap(), [value + 10; 1000]);
            });
        }
    });
}
