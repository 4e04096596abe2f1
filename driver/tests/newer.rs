//! Calls that `cust_raw` does not declare, and numbers that its enums lack.
//!
//! The file is long because these calls have little in common.

use crate::support::own_context;
use cust_raw::CUresult::*;
use cust_raw::{CUcontext, CUevent, CUfunction, CUmemoryPool, CUmodule, CUresult, CUstream};
use cust_raw::{cuModuleGetFunction, cuModuleLoadData};
use driver::newer::*;
use driver::types::*;
use std::cell::Cell;
use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::ptr::{null, null_mut};

const PTX: &str = concat!(include_str!("kernels.ptx"), "\0");

/// A library of the tests' kernels.
fn library() -> CUlibrary {
    let mut library = null_mut();
    // SAFETY: an out-pointer to a local, and text that ends with a NUL.
    let code = unsafe {
        cuLibraryLoadData(&mut library, PTX.as_ptr().cast(), null_mut(), null_mut(), 0, null_mut(), null_mut(), 0)
    };
    assert_eq!(code, CUDA_SUCCESS);
    library
}

fn kernel(library: CUlibrary, name: &CStr) -> CUkernel {
    let mut kernel = null_mut();
    // SAFETY: an out-pointer to a local, and a name that ends with a NUL.
    assert_eq!(unsafe { cuLibraryGetKernel(&mut kernel, library, name.as_ptr()) }, CUDA_SUCCESS);
    kernel
}

/// A launch of one thread.
fn launch(function: CUfunction) -> CUresult {
    // SAFETY: the kernels used here have no parameters.
    unsafe { cust_raw::cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, null_mut(), null_mut(), null_mut()) }
}

/// Returns the value of `total` of the tests' kernels in the current context.
fn total(library: CUlibrary) -> u32 {
    let (mut address, mut bytes, mut value) = (0, 0, 0u32);
    // SAFETY: out-pointers to locals.
    unsafe {
        assert_eq!(cuLibraryGetGlobal(&mut address, &mut bytes, library, c"total".as_ptr()), CUDA_SUCCESS);
        assert_eq!(bytes, 4);
        assert_eq!(cust_raw::cuMemcpyDtoH_v2((&raw mut value).cast(), address, 4), CUDA_SUCCESS);
    }
    value
}

#[test]
fn a_kernel_of_a_library_is_a_function_of_each_context() {
    crate::support::emulator();
    // No context is current yet.
    let library = library();
    let count = kernel(library, c"count");
    assert_eq!(launch(count.cast()), CUDA_ERROR_INVALID_CONTEXT);
    let _first = own_context();
    assert_eq!([launch(count.cast()), launch(count.cast())], [CUDA_SUCCESS; 2]);
    assert_eq!(total(library), 7);
    {
        let _second = own_context();
        assert_eq!(launch(count.cast()), CUDA_SUCCESS);
        assert_eq!(total(library), 6, "its variables are a context's own");
    }
    // SAFETY: as in `library`.
    unsafe {
        let (mut function, mut again, mut module, mut owner) = (null_mut(), null_mut(), null_mut(), null_mut());
        assert_eq!(cuKernelGetFunction(&mut function, count), CUDA_SUCCESS);
        assert_eq!(cuKernelGetFunction(&mut again, count), CUDA_SUCCESS);
        assert_eq!(function, again);
        assert_eq!(launch(function), CUDA_SUCCESS);
        assert_eq!(total(library), 8);
        assert_eq!(cuLibraryGetModule(&mut module, library), CUDA_SUCCESS);
        assert_eq!(cust_raw::cuFuncGetModule(&mut owner, count.cast()), CUDA_SUCCESS);
        assert_eq!(owner, module);
        assert_eq!(cust_raw::cuModuleUnload(module), CUDA_ERROR_NOT_PERMITTED, "it goes with its library");
        let mut blocks = 0;
        let resident = cust_raw::cuOccupancyMaxActiveBlocksPerMultiprocessor(&mut blocks, count.cast(), 32, 0);
        assert!(resident == CUDA_SUCCESS && blocks > 0);

        assert_eq!(cuLibraryUnload(library), CUDA_SUCCESS);
        assert_eq!(cuLibraryUnload(library), CUDA_ERROR_INVALID_HANDLE);
        assert_eq!([launch(count.cast()), launch(function)], [CUDA_ERROR_INVALID_HANDLE; 2]);
        assert_eq!(cust_raw::cuModuleUnload(module), CUDA_ERROR_INVALID_HANDLE);
    }
}

#[test]
fn what_is_known_of_a_kernel() {
    let _context = own_context();
    let library = library();
    let add = kernel(library, c"add");
    // SAFETY: as in `library`; names live as long as the library.
    unsafe {
        let (mut name, mut of, mut count) = (null(), null_mut(), 0);
        assert_eq!(cuKernelGetName(&mut name, add), CUDA_SUCCESS);
        assert_eq!(CStr::from_ptr(name), c"add");
        assert_eq!(cuFuncGetName(&mut name, add.cast()), CUDA_SUCCESS);
        assert_eq!(CStr::from_ptr(name), c"add");
        assert_eq!(cuKernelGetLibrary(&mut of, add), CUDA_SUCCESS);
        assert_eq!(of, library);
        assert_eq!(cuLibraryGetKernelCount(&mut count, library), CUDA_SUCCESS);
        let mut all = vec![null_mut(); count as usize + 1];
        assert_eq!(cuLibraryEnumerateKernels(all.as_mut_ptr(), count + 1, library), CUDA_SUCCESS);
        assert!(all.contains(&add) && all[count as usize].is_null());

        let (mut offset, mut size) = (0, 0);
        for (index, expected) in [(0, 8), (8, 4), (12, 4)].into_iter().enumerate() {
            assert_eq!(cuKernelGetParamInfo(add, index, &mut offset, &mut size), CUDA_SUCCESS);
            assert_eq!((offset, size), expected);
            assert_eq!(cuFuncGetParamInfo(add.cast(), index, &mut offset, null_mut()), CUDA_SUCCESS);
            assert_eq!(offset, expected.0);
        }
        assert_eq!(cuKernelGetParamInfo(add, 3, &mut offset, &mut size), CUDA_ERROR_INVALID_VALUE);

        let (mut loaded, mut mode) = (0, 0);
        assert_eq!(cuFuncIsLoaded(&mut loaded, add.cast()), CUDA_SUCCESS);
        assert_eq!(cuFuncLoad(add.cast()), CUDA_SUCCESS);
        assert_eq!(cuModuleGetLoadingMode(&mut mode), CUDA_SUCCESS);
        assert_eq!((loaded, mode), (1, 1));
        assert_eq!(cuLibraryUnload(library), CUDA_SUCCESS);
    }
}

#[test]
fn what_is_set_for_a_kernel_holds_in_every_context() {
    let _context = own_context();
    let library = library();
    let count = kernel(library, c"count");
    let dynamic_shared = |bytes| {
        // SAFETY: a kernel without parameters.
        unsafe { cust_raw::cuLaunchKernel(count.cast(), 1, 1, 1, 1, 1, 1, bytes, null_mut(), null_mut(), null_mut()) }
    };
    // SAFETY: out-pointers to locals.
    unsafe {
        const MAX_DYNAMIC_SHARED: c_uint = 8;
        let mut value = 0;
        assert_eq!(dynamic_shared(64 * 1024), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuKernelSetAttribute(MAX_DYNAMIC_SHARED, 64 * 1024, count, 0), CUDA_SUCCESS);
        assert_eq!(dynamic_shared(64 * 1024), CUDA_SUCCESS, "the function was there already");
        let _second = own_context();
        assert_eq!(dynamic_shared(64 * 1024), CUDA_SUCCESS);
        assert_eq!(cuKernelGetAttribute(&mut value, MAX_DYNAMIC_SHARED, count, 0), CUDA_SUCCESS);
        assert_eq!(value, 64 * 1024);
        assert_eq!(cuKernelSetAttribute(MAX_DYNAMIC_SHARED, -1, count, 0), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuKernelSetAttribute(0, 1, count, 0), CUDA_ERROR_INVALID_VALUE, "not to be set");
        assert_eq!(cuKernelSetAttribute(MAX_DYNAMIC_SHARED, 0, count, 1), CUDA_ERROR_INVALID_DEVICE);
        assert_eq!(cuKernelSetCacheConfig(count, 1, 0), CUDA_SUCCESS);
        assert_eq!(cuLibraryUnload(library), CUDA_SUCCESS);
    }
}

#[test]
fn handles_of_nothing() {
    let _context = own_context();
    let local = Box::leak(Box::new(0u64)) as *mut u64 as usize;
    // SAFETY: handles are looked up, never followed; out-pointers are local or null.
    unsafe {
        let (mut kernel, mut module, mut function, mut number) = (null_mut(), null_mut(), null_mut(), 0);
        let (mut address, mut bytes, mut name) = (0, 0, null());
        for bad in [0, 3, 0xdead_beef, usize::MAX, local] {
            let (library, wild) = (bad as CUlibrary, bad as CUkernel);
            assert_eq!(cuLibraryUnload(library), CUDA_ERROR_INVALID_HANDLE);
            assert_eq!(cuLibraryGetKernel(&mut kernel, library, c"add".as_ptr()), CUDA_ERROR_INVALID_HANDLE);
            assert_eq!(cuLibraryGetKernelCount(&mut number, library), CUDA_ERROR_INVALID_HANDLE);
            assert_eq!(cuLibraryEnumerateKernels(&mut kernel, 1, library), CUDA_ERROR_INVALID_HANDLE);
            assert_eq!(cuLibraryGetModule(&mut module, library), CUDA_ERROR_INVALID_HANDLE);
            let got = cuLibraryGetGlobal(&mut address, &mut bytes, library, c"total".as_ptr());
            assert_eq!(got, CUDA_ERROR_INVALID_HANDLE);
            let got = cuLibraryGetManaged(&mut address, &mut bytes, library, c"total".as_ptr());
            assert_eq!(got, CUDA_ERROR_INVALID_HANDLE);
            assert_eq!(cuKernelGetFunction(&mut function, wild), CUDA_ERROR_INVALID_HANDLE);
            assert_eq!(cuKernelGetName(&mut name, wild), CUDA_ERROR_INVALID_HANDLE);
            assert_eq!(cuKernelGetParamInfo(wild, 0, &mut bytes, &mut bytes), CUDA_ERROR_INVALID_HANDLE);
            assert_eq!(cuFuncGetName(&mut name, wild.cast()), CUDA_ERROR_INVALID_HANDLE);
            assert_eq!(cuFuncIsLoaded(&mut number, wild.cast()), CUDA_ERROR_INVALID_HANDLE);
            assert_eq!(cuModuleGetFunctionCount(&mut number, bad as CUmodule), CUDA_ERROR_INVALID_HANDLE);
            assert_eq!(launch(wild.cast()), CUDA_ERROR_INVALID_HANDLE);
            if bad > 2 {
                assert_eq!(cuStreamGetDevice(bad as CUstream, &mut 0), CUDA_ERROR_INVALID_HANDLE);
            }
            if bad > 0 {
                assert_eq!(cuCtxSynchronize_v2(bad as CUcontext), CUDA_ERROR_INVALID_CONTEXT);
            }
            assert_eq!(cuEventElapsedTime_v2(&mut 0.0, bad as CUevent, bad as CUevent), CUDA_ERROR_INVALID_HANDLE);
        }
        let library = library();
        assert_eq!(cuLibraryGetKernel(&mut kernel, library, c"nothing".as_ptr()), CUDA_ERROR_NOT_FOUND);
        assert_eq!(cuLibraryGetKernel(&mut kernel, library, null()), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuLibraryGetKernel(null_mut(), library, c"add".as_ptr()), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuLibraryEnumerateKernels(null_mut(), 1, library), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuLaunchKernelEx(null(), null_mut(), null_mut(), null_mut()), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuMemGetMemPool(&mut module.cast(), null_mut(), 1), CUDA_ERROR_INVALID_VALUE);
        let load = |code: *const c_char, option: CUlibraryOption| {
            let (mut library, mut option) = (null_mut(), option);
            let options = &raw mut option;
            cuLibraryLoadData(&mut library, code.cast(), null_mut(), null_mut(), 0, options, null_mut(), 1)
        };
        assert_eq!(load(null(), 1), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(load(PTX.as_ptr().cast(), 2), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(load(c"nonsense".as_ptr(), 1), CUDA_ERROR_INVALID_PTX);
        assert_eq!(load(c"\x7fELF".as_ptr(), 1), CUDA_ERROR_NO_BINARY_FOR_GPU);
        assert_eq!(cuLibraryUnload(library), CUDA_SUCCESS);
    }
}

#[test]
fn a_library_from_a_file() {
    let _context = own_context();
    let load = |path: &CStr, options: &mut [CUlibraryOption]| {
        let (mut library, count) = (null_mut(), options.len() as c_uint);
        let (path, options) = (path.as_ptr(), options.as_mut_ptr());
        // SAFETY: a name that ends with a NUL, and as many options as are said.
        let code =
            unsafe { cuLibraryLoadFromFile(&mut library, path, null_mut(), null_mut(), 0, options, null_mut(), count) };
        (code, library)
    };
    const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/kernels.ptx\0");
    let path = CStr::from_bytes_with_nul(FILE.as_bytes()).unwrap();
    let (code, library) = load(path, &mut []);
    assert_eq!(code, CUDA_SUCCESS);
    assert_eq!(launch(kernel(library, c"count").cast()), CUDA_SUCCESS);
    // SAFETY: a live library.
    assert_eq!(unsafe { cuLibraryUnload(library) }, CUDA_SUCCESS);
    assert_eq!(load(path, &mut [CU_LIBRARY_BINARY_IS_PRESERVED]).0, CUDA_ERROR_INVALID_VALUE);
    assert_eq!(load(c"/no/such/file", &mut []).0, CUDA_ERROR_FILE_NOT_FOUND);
}

/// A kernel that is compiled for clusters of two, and one whose launches give the size.
const CLUSTERS: &str = "\
.version 8.3
.target sm_90
.address_size 64
.visible .entry pairs() .explicitcluster .reqnctapercluster 2, 1, 1 { ret; }
.visible .entry sized() .explicitcluster { ret; }
.visible .entry plain() { ret; }
";

#[test]
fn clusters_of_allowed_sizes() {
    let _context = own_context();
    let image = CString::new(CLUSTERS).unwrap();
    let mut module = null_mut();
    // SAFETY: an out-pointer, and a text with its end.
    assert_eq!(unsafe { cuModuleLoadData(&mut module, image.as_ptr().cast()) }, CUDA_SUCCESS);
    let function = |name: &CStr| {
        let mut function = null_mut();
        // SAFETY: a live module and a name.
        assert_eq!(unsafe { cuModuleGetFunction(&mut function, module, name.as_ptr()) }, CUDA_SUCCESS);
        function
    };
    let [pairs, sized, plain] = [c"pairs", c"sized", c"plain"].map(function);
    let with = |cluster: [u32; 3], call: &dyn Fn(&CUlaunchConfig) -> CUresult| {
        let mut value = [0; 16];
        value[..3].copy_from_slice(&cluster);
        let mut list = [CUlaunchAttribute { id: CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, pad: [0; 4], value }];
        call(&CUlaunchConfig {
            gridDimX: 32,
            gridDimY: 1,
            gridDimZ: 1,
            blockDimX: 32,
            blockDimY: 1,
            blockDimZ: 1,
            sharedMemBytes: 0,
            hStream: null_mut(),
            attrs: list.as_mut_ptr(),
            numAttrs: 1,
        })
    };
    // SAFETY: kernels without parameters, and a configuration that lives through the call.
    let launch = |function, cluster| {
        // SAFETY: a configuration on the stack, and a kernel without parameters.
        with(cluster, &|config| unsafe { cuLaunchKernelEx(config, function, null_mut(), null_mut()) })
    };
    // A size that is compiled in need not be said, and may not be another one. Others have to be.
    assert_eq!((launch(pairs, [0; 3]), launch(pairs, [4, 1, 1])), (CUDA_SUCCESS, CUDA_ERROR_INVALID_VALUE));
    assert_eq!((launch(sized, [0; 3]), launch(sized, [4, 1, 1])), (CUDA_ERROR_INVALID_VALUE, CUDA_SUCCESS));
    assert_eq!(
        (launch(plain, [3, 1, 1]), launch(plain, [16, 1, 1])),
        (CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_INVALID_VALUE)
    );
    let count =
        |call: unsafe extern "C" fn(*mut c_int, CUfunction, *const CUlaunchConfig) -> CUresult, function, cluster| {
            let number = Cell::new(0);
            // SAFETY: an out-pointer to a local.
            let code = with(cluster, &|config| unsafe { call(number.as_ptr(), function, config) });
            (code, number.get())
        };
    assert_eq!(count(cuOccupancyMaxPotentialClusterSize, plain, [0; 3]), (CUDA_SUCCESS, 8));
    assert_eq!(count(cuOccupancyMaxActiveClusters, plain, [0; 3]), (CUDA_SUCCESS, 0));
    let (by_two, by_four) =
        (count(cuOccupancyMaxActiveClusters, pairs, [0; 3]).1, count(cuOccupancyMaxActiveClusters, plain, [4, 1, 1]).1);
    assert!(by_four > 0 && by_two == 2 * by_four, "{by_two} {by_four}");
    type SetAttribute = unsafe extern "C" fn(CUfunction, c_uint, c_int) -> CUresult;
    // SAFETY: the function has this type in C.
    let attribute: SetAttribute = unsafe { std::mem::transmute(entry(c"cuFuncSetAttribute", 13000, 0).2) };
    // SAFETY: a function of a live module.
    let set = |function, number, value| unsafe { attribute(function, number, value) };
    assert_eq!((set(plain, 14, 1), launch(plain, [16, 1, 1])), (CUDA_SUCCESS, CUDA_SUCCESS));
    assert_eq!(count(cuOccupancyMaxPotentialClusterSize, plain, [0; 3]), (CUDA_SUCCESS, 16));
    // Sizes that are set for a function: all three of them.
    assert_eq!((set(pairs, 11, 4), set(plain, 11, 2)), (CUDA_ERROR_INVALID_VALUE, CUDA_SUCCESS));
    assert_eq!(set(pairs, 11, 2), CUDA_SUCCESS, "the size that is compiled in");
    assert_eq!(launch(plain, [0; 3]), CUDA_ERROR_INVALID_VALUE);
    assert_eq!((set(plain, 12, 1), set(plain, 13, 1)), (CUDA_SUCCESS, CUDA_SUCCESS));
    assert_eq!((launch(plain, [0; 3]), launch(plain, [4, 1, 1])), (CUDA_SUCCESS, CUDA_ERROR_INVALID_VALUE));
}

#[test]
fn a_launch_with_attributes() {
    let _context = own_context();
    let library = library();
    let count = kernel(library, c"count");
    let with = |grid, attributes: &[(CUlaunchAttributeID, [u32; 3])]| {
        let attribute = |&(id, words): &(CUlaunchAttributeID, [u32; 3])| {
            let mut value = [0; 16];
            value[..3].copy_from_slice(&words);
            CUlaunchAttribute { id, pad: [0; 4], value }
        };
        let mut list: Vec<CUlaunchAttribute> = attributes.iter().map(attribute).collect();
        let config = CUlaunchConfig {
            gridDimX: grid,
            gridDimY: 1,
            gridDimZ: 1,
            blockDimX: 1,
            blockDimY: 1,
            blockDimZ: 1,
            sharedMemBytes: 0,
            hStream: null_mut(),
            attrs: list.as_mut_ptr(),
            numAttrs: list.len() as c_uint,
        };
        // SAFETY: a kernel without parameters; the list is as long as it says.
        unsafe { cuLaunchKernelEx(&config, count.cast(), null_mut(), null_mut()) }
    };
    let cooperative = (CU_LAUNCH_ATTRIBUTE_COOPERATIVE, [1, 0, 0]);
    let cluster = |x| (CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, [x, 1, 1]);
    assert_eq!(with(2, &[]), CUDA_SUCCESS);
    assert_eq!(with(2, &[cooperative, cluster(1), (8, [0; 3]), (6, [1, 0, 0])]), CUDA_SUCCESS);
    assert_eq!(total(library), 9);
    assert_eq!(with(1 << 20, &[cooperative]), CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
    assert_eq!(with(2, &[cluster(2)]), CUDA_SUCCESS);
    assert_eq!(total(library), 11);
    assert_eq!(with(3, &[cluster(2)]), CUDA_ERROR_INVALID_VALUE);
    assert_eq!(with(16, &[cluster(16)]), CUDA_ERROR_INVALID_VALUE);
    assert_eq!(with(2, &[(12, [0; 3])]), CUDA_ERROR_NOT_SUPPORTED);
    assert_eq!(with(2, &[(1000, [0; 3])]), CUDA_ERROR_INVALID_VALUE);
    assert_eq!(total(library), 11);
    // SAFETY: a live library.
    assert_eq!(unsafe { cuLibraryUnload(library) }, CUDA_SUCCESS);
}

#[test]
fn later_forms_of_older_calls() {
    let context = own_context();
    // SAFETY: out-pointers to locals.
    unsafe {
        let (mut current, mut made, mut device, mut id, mut stream_id) = (null_mut(), null_mut(), 7, 0, 0);
        assert_eq!(cust_raw::cuCtxGetCurrent(&mut current), CUDA_SUCCESS);
        assert_eq!(cuCtxCreate_v4(&mut made, null_mut(), 0, 0), CUDA_SUCCESS);
        let mut params =
            CUctxCreateParams { execAffinityParams: null_mut(), numExecAffinityParams: 1, cigParams: null_mut() };
        assert_eq!(cuCtxCreate_v4(&mut made, &mut params, 0, 0), CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY);
        for one in [null_mut(), current, made] {
            assert_eq!(cuCtxGetDevice_v2(&mut device, one), CUDA_SUCCESS);
            assert_eq!(cuCtxSynchronize_v2(one), CUDA_SUCCESS);
        }
        assert_eq!(device, 0);
        let mut ids = [0; 3];
        for (id, one) in ids.iter_mut().zip([null_mut(), made, current]) {
            assert_eq!(cuCtxGetId(one, id), CUDA_SUCCESS);
        }
        assert!(ids[0] == ids[1] && ids[1] != ids[2], "{ids:?}");

        let (mut stream, mut of, mut green) = (null_mut(), null_mut(), 1 as CUgreenCtx);
        assert_eq!(cust_raw::cuStreamCreate(&mut stream, 0), CUDA_SUCCESS);
        assert_eq!(cuStreamGetId(stream, &mut id), CUDA_SUCCESS);
        assert_eq!(cuStreamGetId(null_mut(), &mut stream_id), CUDA_SUCCESS);
        assert_ne!(id, stream_id);
        assert_eq!(cuStreamGetDevice(stream, &mut device), CUDA_SUCCESS);
        assert_eq!(cuStreamGetCtx_v2(stream, &mut of, &mut green), CUDA_SUCCESS);
        assert!(of == made && green.is_null());

        let mut status = cust_raw::CUstreamCaptureStatus_enum::CU_STREAM_CAPTURE_STATUS_ACTIVE;
        let (id, graph, nodes, edges, count) = (null_mut(), null_mut(), null_mut(), null_mut(), null_mut());
        let code = cuStreamGetCaptureInfo_v3(stream, &mut status, id, graph, nodes, edges, count);
        assert_eq!((code, status as u32), (CUDA_SUCCESS, 0), "there is no capture");

        let (mut managed, place) = (0, |kind, id| CUmemLocation { kind, id });
        let (gpu, host) = (place(CU_MEM_LOCATION_TYPE_DEVICE, 0), place(CU_MEM_LOCATION_TYPE_HOST, 99));
        assert_eq!(cust_raw::cuMemAllocManaged(&mut managed, 64, 1), CUDA_SUCCESS);
        assert_eq!(cuMemPrefetchAsync_v2(managed, 64, gpu, 0, stream), CUDA_SUCCESS);
        assert_eq!(cuMemPrefetchAsync_v2(managed, 64, host, 0, stream), CUDA_SUCCESS);
        assert_eq!(cuMemPrefetchAsync_v2(managed, 64, place(0, 0), 0, stream), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuMemPrefetchAsync_v2(managed, 64, place(1, 5), 0, stream), CUDA_ERROR_INVALID_DEVICE);
        assert_eq!(cuMemAdvise_v2(managed, 64, 1, place(0, 0)), CUDA_SUCCESS, "the place does not matter");
        assert_eq!(cuMemAdvise_v2(managed, 64, 3, host), CUDA_SUCCESS);
        assert_eq!(cuMemAdvise_v2(managed, 64, 7, gpu), CUDA_ERROR_INVALID_VALUE);

        let (mut pool, mut same): (CUmemoryPool, CUmemoryPool) = (null_mut(), null_mut());
        let (mut gpu, mut host) = (gpu, host);
        assert_eq!(cuMemGetDefaultMemPool(&mut pool, &mut gpu, 1), CUDA_SUCCESS);
        assert_eq!(cust_raw::cuDeviceGetDefaultMemPool(&mut same, 0), CUDA_SUCCESS);
        assert_eq!(pool, same);
        assert_eq!(cuMemSetMemPool(&mut gpu, 1, pool), CUDA_SUCCESS);
        assert_eq!(cuMemGetMemPool(&mut pool, &mut gpu, 1), CUDA_SUCCESS);
        assert_eq!(cuMemGetMemPool(&mut pool, &mut host, 1), CUDA_SUCCESS);
        assert_eq!(cust_raw::cuCtxDestroy_v2(made), CUDA_SUCCESS);
    }
    drop(context);
}

#[test]
fn a_graph_of_a_librarys_kernels() {
    let _context = own_context();
    let library = library();
    let v1 = cust_raw::CUDA_KERNEL_NODE_PARAMS {
        gridDimX: 1,
        gridDimY: 1,
        gridDimZ: 1,
        blockDimX: 1,
        blockDimY: 1,
        blockDimZ: 1,
        ..Default::default()
    };
    let mut params = CUDA_KERNEL_NODE_PARAMS_v2 { v1, kern: kernel(library, c"count"), ctx: null_mut() };
    // SAFETY: pointers to locals; lists are as long as is said.
    unsafe {
        let (mut graph, mut first, mut second) = (null_mut(), null_mut(), null_mut());
        assert_eq!(cust_raw::cuGraphCreate(&mut graph, 0), CUDA_SUCCESS);
        assert_eq!(cuGraphAddKernelNode_v2(&mut first, graph, null(), 0, &params), CUDA_SUCCESS);
        assert_eq!(cuGraphAddKernelNode_v2(&mut second, graph, null(), 0, &params), CUDA_SUCCESS);
        let mut data = CUgraphEdgeData { kind: 1, ..Default::default() };
        assert_eq!(cuGraphAddDependencies_v2(graph, &first, &second, &data, 1), CUDA_ERROR_NOT_SUPPORTED);
        let programmatic = CUgraphEdgeData { kind: 1, from_port: 1, ..Default::default() };
        assert_eq!(cuGraphAddDependencies_v2(graph, &first, &second, &programmatic, 1), CUDA_SUCCESS);
        let (mut found, mut one) = (null_mut(), 1);
        assert_eq!(cuGraphNodeGetDependencies_v2(second, &mut found, &mut data, &mut one), CUDA_SUCCESS);
        assert!((found, one, data) == (first, 1, programmatic));
        assert_eq!(cuGraphRemoveDependencies_v2(graph, &first, &second, &programmatic, 1), CUDA_SUCCESS);
        assert_eq!(cuGraphAddDependencies_v2(graph, &first, &second, null(), 1), CUDA_SUCCESS);
        let (mut from, mut to, mut count) = (null_mut(), null_mut(), 1);
        assert_eq!(cuGraphGetEdges_v2(graph, &mut from, &mut to, &mut data, &mut count), CUDA_SUCCESS);
        assert!((from, to, count, data) == (first, second, 1, CUgraphEdgeData::default()));
        assert_eq!(cuGraphNodeGetDependencies_v2(second, &mut from, &mut data, &mut count), CUDA_SUCCESS);
        assert_eq!(cuGraphNodeGetDependentNodes_v2(first, &mut to, null_mut(), &mut count), CUDA_SUCCESS);
        assert_eq!((from, to), (first, second));
        assert_eq!(cuGraphKernelNodeGetParams_v2(first, &mut params), CUDA_SUCCESS);
        assert!(!params.v1.func.is_null() && params.kern.is_null());
        assert_eq!(cuGraphKernelNodeSetParams_v2(first, &params), CUDA_SUCCESS);

        let (mut executable, stream) = (null_mut(), null_mut());
        let mut how =
            CUDA_GRAPH_INSTANTIATE_PARAMS { flags: 2, hUploadStream: stream, hErrNode_out: first, result_out: 7 };
        assert_eq!(cuGraphInstantiateWithParams(&mut executable, graph, &mut how), CUDA_SUCCESS);
        assert!(how.hErrNode_out.is_null() && how.result_out == 0);
        assert_eq!(cust_raw::cuGraphLaunch(executable, stream), CUDA_SUCCESS);
        assert_eq!(total(library), 7);

        params.v1.func = null_mut();
        assert_eq!(cuGraphAddKernelNode_v2(&mut first, graph, null(), 0, &params), CUDA_ERROR_INVALID_HANDLE);
        assert_eq!(cuGraphAddKernelNode_v2(&mut first, graph, null(), 0, null()), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuGraphInstantiateWithParams(&mut executable, graph, null_mut()), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuLibraryUnload(library), CUDA_SUCCESS);
    }
}

/// Returns the results of `cuGetProcAddress_v2`.
fn entry(name: &CStr, version: c_int, flags: u64) -> (CUresult, CUdriverProcAddressQueryResult, *mut c_void) {
    let (mut found, mut status) = (std::ptr::dangling_mut(), 9);
    // SAFETY: out-pointers to locals, and a name that ends with a NUL.
    let code = unsafe { cuGetProcAddress_v2(name.as_ptr(), &mut found, version, flags, &mut status) };
    (code, status, found)
}

#[test]
fn entry_points_by_name_and_version() {
    crate::support::emulator();
    let given = |function: *const ()| (CUDA_SUCCESS, CU_GET_PROC_ADDRESS_SUCCESS, function.cast_mut().cast());
    let nothing = |status| (CUDA_SUCCESS, status, null_mut());
    for flags in [0, CU_GET_PROC_ADDRESS_LEGACY_STREAM, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM] {
        assert_eq!(entry(c"cuMemAlloc", 13000, flags), given(cust_raw::cuMemAlloc_v2 as *const ()));
        assert_eq!(entry(c"cuLaunchKernel", 4000, flags), given(cust_raw::cuLaunchKernel as *const ()));
    }
    assert_eq!(entry(c"cuCtxCreate", 3020, 0), given(cust_raw::cuCtxCreate_v2 as *const ()));
    assert_eq!(entry(c"cuCtxCreate", 13000, 0), given(cuCtxCreate_v4 as *const ()));
    assert_eq!(entry(c"cuGetProcAddress", 12000, 0), given(cuGetProcAddress_v2 as *const ()));
    assert_eq!(entry(c"cuGetProcAddress", 11030, 0), given(cust_raw::cuGetProcAddress as *const ()));
    assert_eq!(entry(c"cuDeviceGetUuid", 9000, 0), nothing(CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT));
    assert_eq!(entry(c"cuNothing", 13000, 0), nothing(CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND));
    assert_eq!(entry(c"cuMemAlloc_v2", 13000, 0), nothing(CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND));
    assert_eq!(entry(c"cuInit", 13060, 0).0, CUDA_ERROR_INVALID_VALUE, "this driver is of CUDA 13.5");
    // This form takes other arguments, and is not here.
    assert_eq!(entry(c"cuMulticastBindAddr", 13010, 0), nothing(CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND));
    assert_eq!(entry(c"cuStreamBatchMemOp", 13000, 0), given(cuStreamBatchMemOp_v2 as *const ()));
    // SAFETY: as in `entry`.
    unsafe {
        let mut found = null_mut();
        let name = c"cuMemAlloc".as_ptr();
        assert_eq!(cust_raw::cuGetProcAddress(name, &mut found, 11030, 0), CUDA_SUCCESS);
        assert_eq!(found.cast_const(), cust_raw::cuMemAlloc_v2 as *const c_void);
        assert_eq!(cust_raw::cuGetProcAddress(c"".as_ptr(), &mut found, 11030, 0), CUDA_ERROR_NOT_FOUND);
        assert!(found.is_null());
        assert_eq!(cuGetProcAddress_v2(name, &mut found, 13000, 0, null_mut()), CUDA_SUCCESS);
        assert_eq!(cuGetProcAddress_v2(name, &mut found, 13000, 3, null_mut()), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuGetProcAddress_v2(name, null_mut(), 13000, 0, null_mut()), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuGetProcAddress_v2(null(), &mut found, 13000, 0, null_mut()), CUDA_ERROR_INVALID_VALUE);
    }
}

/// A header newer than `cust_raw` names more attributes than its enums hold.
#[test]
fn numbers_that_no_enum_here_holds() {
    let _context = own_context();
    type Attribute = unsafe extern "C" fn(*mut c_int, c_uint, c_int) -> CUresult;
    let attribute = entry(c"cuDeviceGetAttribute", 13000, 0).2;
    // SAFETY: the function has this type in C.
    let attribute: Attribute = unsafe { std::mem::transmute(attribute) };
    let of = |number| {
        let mut value = 7;
        // SAFETY: an out-pointer to a local.
        let code = unsafe { attribute(&mut value, number, 0) };
        (code, value)
    };
    assert_eq!(of(10), (CUDA_SUCCESS, 32), "CU_DEVICE_ATTRIBUTE_WARP_SIZE");
    // Clusters and tensor maps are there. The last two: the NUMA node of the host that is nearest, which an H200 has,
    // too, and that of the device.
    let known = [1, 1, 0, 0, -1].map(|value| (CUDA_SUCCESS, value));
    assert_eq!([of(120), of(127), of(147), of(134), of(131)], known);
    let invalid = (CUDA_ERROR_INVALID_VALUE, 7);
    assert_eq!([of(0), of(162), of(u32::MAX)], [invalid; 3]);

    let library = library();
    let count = kernel(library, c"count");
    let mut value = 7;
    // SAFETY: an out-pointer to a local.
    unsafe {
        assert_eq!(cuKernelGetAttribute(&mut value, 12, count, 0), CUDA_SUCCESS);
        assert_eq!(value, 0, "no cluster is asked for");
        assert_eq!(cuKernelGetAttribute(&mut value, 16, count, 0), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuLibraryUnload(library), CUDA_SUCCESS);
    }
    type Name = unsafe extern "C" fn(c_uint, *mut *const c_char) -> CUresult;
    // SAFETY: the function has this type in C.
    let name: Name = unsafe { std::mem::transmute(entry(c"cuGetErrorName", 13000, 0).2) };
    let mut text = c"".as_ptr();
    // SAFETY: an out-pointer to a local.
    unsafe {
        assert_eq!(name(913, &mut text), CUDA_ERROR_INVALID_VALUE);
        assert!(text.is_null());
        assert_eq!(name(1, &mut text), CUDA_SUCCESS);
        assert_eq!(CStr::from_ptr(text), c"CUDA_ERROR_INVALID_VALUE");
    }
}

/// Programs register a function for the log of errors when they start.
#[test]
fn nobody_is_called_for_the_log_of_errors() {
    unsafe extern "C" fn entry(_data: *mut c_void, _level: c_uint, _text: *mut c_char, _length: usize) {
        unreachable!("there is no log");
    }
    let _context = own_context();
    let (mut handle, mut end) = (0, 7);
    // SAFETY: out-pointers to locals.
    unsafe {
        assert_eq!(cuLogsRegisterCallback(None, null_mut(), &mut handle), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuLogsRegisterCallback(Some(entry), null_mut(), &mut handle), CUDA_SUCCESS);
        assert_eq!(cust_raw::cuMemFree_v2(1), CUDA_ERROR_INVALID_VALUE);
        assert_eq!((cuLogsCurrent(&mut end, 0), end), (CUDA_SUCCESS, 0));
        assert_eq!(cuLogsUnregisterCallback(handle), CUDA_SUCCESS);
        assert_eq!(cuLogsUnregisterCallback(handle), CUDA_ERROR_INVALID_VALUE);
    }
}
