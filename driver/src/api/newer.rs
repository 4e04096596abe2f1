//! Calls newer than `cust_raw` 0.11.3, as CUDA 13 declares them: libraries, extensible launches, and later forms of
//! older calls (CUDA Driver API). Programs in Python and C++ make them.

use crate::api::entry;
use crate::emulated::calls::{
    array, batch, capture, context, event, function, graph_any, graph_attributes, graph_condition, graph_exec,
    graph_newer, launch_attributes, library, log, memory, mipmapped, module, occupancy, pool, stream, stream_value,
    tensor,
};
use crate::types::*;
use cust_raw::{
    CUarray, CUcontext, CUdevice, CUdeviceptr, CUevent, CUfunction, CUgraph, CUgraphExec, CUgraphNode, CUjit_option,
    CUmemoryPool, CUmipmappedArray, CUmodule, CUresult, CUstream, CUstreamBatchMemOpParams, CUstreamCaptureStatus,
    cuuint32_t, cuuint64_t,
};
use std::ffi::{c_char, c_int, c_uint, c_ulonglong, c_void};

calls! {
    cuArrayGetMemoryRequirements(
        memory_requirements: *mut c_void,
        array: CUarray,
        device: CUdevice,
    ) => array::memory_requirements;
    cuMipmappedArrayGetMemoryRequirements(
        memory_requirements: *mut c_void,
        mipmap: CUmipmappedArray,
        device: CUdevice,
    ) => mipmapped::memory_requirements;
    cuStreamWaitValue32_v2(
        stream: CUstream,
        addr: CUdeviceptr,
        value: cuuint32_t,
        flags: c_uint,
    ) => stream_value::wait_32;
    cuStreamWaitValue64_v2(
        stream: CUstream,
        addr: CUdeviceptr,
        value: cuuint64_t,
        flags: c_uint,
    ) => stream_value::wait_64;
    cuStreamWriteValue32_v2(
        stream: CUstream,
        addr: CUdeviceptr,
        value: cuuint32_t,
        flags: c_uint,
    ) => stream_value::write_32;
    cuStreamWriteValue64_v2(
        stream: CUstream,
        addr: CUdeviceptr,
        value: cuuint64_t,
        flags: c_uint,
    ) => stream_value::write_64;
    cuStreamBatchMemOp_v2(
        stream: CUstream,
        count: c_uint,
        param_array: *mut CUstreamBatchMemOpParams,
        flags: c_uint,
    ) => stream_value::batch;

    cuGetProcAddress_v2(
        symbol: *const c_char,
        pfn: *mut *mut c_void,
        cuda_version: c_int,
        flags: cuuint64_t,
        symbol_status: *mut CUdriverProcAddressQueryResult,
    ) => entry::find_and_say;

    cuLibraryLoadData(
        library: *mut CUlibrary,
        code: *const c_void,
        jit_options: *mut CUjit_option,
        jit_options_values: *mut *mut c_void,
        num_jit_options: c_uint,
        library_options: *mut CUlibraryOption,
        library_option_values: *mut *mut c_void,
        num_library_options: c_uint,
    ) => library::load_data;
    cuLibraryLoadFromFile(
        library: *mut CUlibrary,
        file_name: *const c_char,
        jit_options: *mut CUjit_option,
        jit_options_values: *mut *mut c_void,
        num_jit_options: c_uint,
        library_options: *mut CUlibraryOption,
        library_option_values: *mut *mut c_void,
        num_library_options: c_uint,
    ) => library::load_file;
    cuLibraryUnload(library: CUlibrary) => library::unload;
    cuLibraryGetKernel(kernel: *mut CUkernel, library: CUlibrary, name: *const c_char) => library::kernel;
    cuLibraryGetKernelCount(count: *mut c_uint, library: CUlibrary) => library::kernel_count;
    cuLibraryEnumerateKernels(kernels: *mut CUkernel, num_kernels: c_uint, library: CUlibrary) => library::kernels;
    cuLibraryGetModule(module: *mut CUmodule, library: CUlibrary) => library::module;
    cuLibraryGetGlobal(
        dptr: *mut CUdeviceptr,
        bytes: *mut usize,
        library: CUlibrary,
        name: *const c_char,
    ) => library::global;
    cuLibraryGetManaged(
        dptr: *mut CUdeviceptr,
        bytes: *mut usize,
        library: CUlibrary,
        name: *const c_char,
    ) => library::managed;
    cuLibraryGetUnifiedFunction(fptr: *mut *mut c_void, library: CUlibrary, symbol: *const c_char) => unsupported;

    cuKernelGetFunction(func: *mut CUfunction, kernel: CUkernel) => library::kernel_function;
    cuKernelGetLibrary(library: *mut CUlibrary, kernel: CUkernel) => library::kernel_library;
    cuKernelGetName(name: *mut *const c_char, kernel: CUkernel) => library::kernel_name;
    cuKernelGetAttribute(
        value: *mut c_int,
        attribute: c_uint,
        kernel: CUkernel,
        device: CUdevice,
    ) => library::kernel_attribute;
    cuKernelSetAttribute(
        attribute: c_uint,
        value: c_int,
        kernel: CUkernel,
        device: CUdevice,
    ) => library::set_kernel_attribute;
    cuKernelSetCacheConfig(kernel: CUkernel, config: c_uint, device: CUdevice) => library::set_kernel_cache_config;
    cuKernelGetParamInfo(
        kernel: CUkernel,
        index: usize,
        offset: *mut usize,
        size: *mut usize,
    ) => library::kernel_parameter;

    cuFuncGetName(name: *mut *const c_char, func: CUfunction) => function::name;
    cuFuncGetParamInfo(func: CUfunction, index: usize, offset: *mut usize, size: *mut usize) => function::parameter;
    cuFuncIsLoaded(state: *mut c_uint, func: CUfunction) => function::is_loaded;
    cuFuncLoad(func: CUfunction) => function::load;
    cuModuleGetLoadingMode(mode: *mut c_uint) => module::loading_mode;
    cuModuleGetFunctionCount(count: *mut c_uint, module: CUmodule) => module::function_count;
    cuModuleEnumerateFunctions(
        functions: *mut CUfunction,
        num_functions: c_uint,
        module: CUmodule,
    ) => module::functions;
    cuLaunchKernelEx(
        config: *const CUlaunchConfig,
        func: CUfunction,
        kernel_params: *mut *mut c_void,
        extra: *mut *mut c_void,
    ) => launch_attributes::launch;
    cuOccupancyMaxPotentialClusterSize(
        cluster_size: *mut c_int,
        func: CUfunction,
        config: *const CUlaunchConfig,
    ) => occupancy::potential_cluster_size;
    cuOccupancyMaxActiveClusters(
        num_clusters: *mut c_int,
        func: CUfunction,
        config: *const CUlaunchConfig,
    ) => occupancy::active_clusters;

    cuCtxCreate_v4(
        context: *mut CUcontext,
        params: *mut CUctxCreateParams,
        flags: c_uint,
        device: CUdevice,
    ) => context::create_with;
    cuCtxGetDevice_v2(device: *mut CUdevice, context: CUcontext) => context::device_of;
    cuCtxSynchronize_v2(context: CUcontext) => context::synchronize_one;
    cuCtxGetId(context: CUcontext, id: *mut c_ulonglong) => context::id;
    cuStreamGetId(stream: CUstream, id: *mut c_ulonglong) => stream::id;
    cuStreamGetDevice(stream: CUstream, device: *mut CUdevice) => stream::device;
    cuStreamGetCtx_v2(stream: CUstream, context: *mut CUcontext, green: *mut CUgreenCtx) => stream::contexts;
    cuStreamGetCaptureInfo_v3(
        stream: CUstream,
        status: *mut CUstreamCaptureStatus,
        id: *mut cuuint64_t,
        graph: *mut CUgraph,
        dependencies: *mut *const CUgraphNode,
        edges: *mut *const CUgraphEdgeData,
        count: *mut usize,
    ) => capture::info_with_edges;
    cuStreamBeginCaptureToGraph(
        stream: CUstream,
        graph: CUgraph,
        dependencies: *const CUgraphNode,
        edges: *const CUgraphEdgeData,
        count: usize,
        mode: c_int,
    ) => capture::begin_to_graph;
    cuStreamUpdateCaptureDependencies_v2(
        stream: CUstream,
        dependencies: *mut CUgraphNode,
        edges: *const CUgraphEdgeData,
        count: usize,
        flags: c_uint,
    ) => capture::update_dependencies_with_edges;
    cuEventElapsedTime_v2(milliseconds: *mut f32, start: CUevent, end: CUevent) => event::elapsed_time;

    cuMemPrefetchAsync_v2(
        dptr: CUdeviceptr,
        count: usize,
        location: CUmemLocation,
        flags: c_uint,
        stream: CUstream,
    ) => memory::prefetch_to;
    cuMemAdvise_v2(dptr: CUdeviceptr, count: usize, advice: c_uint, location: CUmemLocation) => memory::advise_at;
    cuMemGetDefaultMemPool(
        pool: *mut CUmemoryPool,
        location: *mut CUmemLocation,
        kind: CUmemAllocationType,
    ) => pool::default_pool_at;
    cuMemGetMemPool(
        pool: *mut CUmemoryPool,
        location: *mut CUmemLocation,
        kind: CUmemAllocationType,
    ) => pool::pool_at;
    cuMemSetMemPool(
        location: *mut CUmemLocation,
        kind: CUmemAllocationType,
        pool: CUmemoryPool,
    ) => pool::set_pool_at;

    cuLogsRegisterCallback(
        callback: CUlogsCallback,
        user_data: *mut c_void,
        callback_out: *mut u64,
    ) => log::register;
    cuLogsUnregisterCallback(callback: u64) => log::unregister;
    cuLogsCurrent(iterator: *mut c_uint, flags: c_uint) => log::current;

    cuMemcpyBatchAsync(
        dsts: *mut CUdeviceptr,
        srcs: *mut CUdeviceptr,
        sizes: *mut usize,
        count: usize,
        attrs: *mut CUmemcpyAttributes,
        attrs_idxs: *mut usize,
        num_attrs: usize,
        fail_idx: *mut usize,
        stream: CUstream,
    ) => batch::copies_until;
    cuMemcpyBatchAsync_v2(
        dsts: *mut CUdeviceptr,
        srcs: *mut CUdeviceptr,
        sizes: *mut usize,
        count: usize,
        attrs: *mut CUmemcpyAttributes,
        attrs_idxs: *mut usize,
        num_attrs: usize,
        stream: CUstream,
    ) => batch::copies;
    cuMemcpyWithAttributesAsync(
        dst: CUdeviceptr,
        src: CUdeviceptr,
        size: usize,
        attr: *mut CUmemcpyAttributes,
        stream: CUstream,
    ) => batch::copy_with_attributes;
    cuMemPrefetchBatchAsync(
        dptrs: *mut CUdeviceptr,
        sizes: *mut usize,
        count: usize,
        locations: *mut CUmemLocation,
        location_idxs: *mut usize,
        num_locations: usize,
        flags: c_ulonglong,
        stream: CUstream,
    ) => batch::prefetches;
    cuMemDiscardBatchAsync(
        dptrs: *mut CUdeviceptr,
        sizes: *mut usize,
        count: usize,
        flags: c_ulonglong,
        stream: CUstream,
    ) => batch::discards;
    cuMemDiscardAndPrefetchBatchAsync(
        dptrs: *mut CUdeviceptr,
        sizes: *mut usize,
        count: usize,
        locations: *mut CUmemLocation,
        location_idxs: *mut usize,
        num_locations: usize,
        flags: c_ulonglong,
        stream: CUstream,
    ) => batch::prefetches;

    cuGraphNodeGetParams(node: CUgraphNode, params: *mut CUgraphNodeParams) => graph_any::params;
    cuGraphNodeGetEnabled(
        executable: CUgraphExec,
        node: CUgraphNode,
        is_enabled: *mut c_uint,
    ) => graph_attributes::is_enabled;
    cuGraphNodeSetEnabled(executable: CUgraphExec, node: CUgraphNode, is_enabled: c_uint) =>
        graph_attributes::set_enabled;
    cuGraphAddNode(
        node: *mut CUgraphNode,
        graph: CUgraph,
        dependencies: *const CUgraphNode,
        count: usize,
        params: *mut CUgraphNodeParams,
    ) => graph_any::add;
    cuGraphAddNode_v2(
        node: *mut CUgraphNode,
        graph: CUgraph,
        dependencies: *const CUgraphNode,
        data: *const CUgraphEdgeData,
        count: usize,
        params: *mut CUgraphNodeParams,
    ) => graph_any::add_with_edges;
    cuGraphAddNode_v3(
        node: *mut CUgraphNode,
        graph: CUgraph,
        dependencies: *const CUgraphNode,
        data: *const CUgraphEdgeData,
        count: usize,
        params: *mut CUgraphNodeParams,
    ) => graph_any::add_in_context;
    cuGraphConditionalHandleCreate(
        handle: *mut cuuint64_t,
        graph: CUgraph,
        ctx: CUcontext,
        default_launch_value: c_uint,
        flags: c_uint,
    ) => graph_condition::create_handle;
    cuGraphNodeSetParams(node: CUgraphNode, params: *mut CUgraphNodeParams) => graph_any::set_params;
    cuGraphNodeSetParams_v2(node: CUgraphNode, params: *mut CUgraphNodeParams) => graph_any::set_params_in_context;
    cuGraphExecNodeSetParams(
        executable: CUgraphExec,
        node: CUgraphNode,
        params: *mut CUgraphNodeParams,
    ) => graph_any::set_executable_params;

    cuGraphAddKernelNode_v2(
        node: *mut CUgraphNode,
        graph: CUgraph,
        dependencies: *const CUgraphNode,
        count: usize,
        params: *const CUDA_KERNEL_NODE_PARAMS_v2,
    ) => graph_newer::add_kernel_node;
    cuGraphKernelNodeGetParams_v2(
        node: CUgraphNode,
        params: *mut CUDA_KERNEL_NODE_PARAMS_v2,
    ) => graph_newer::kernel_node_params;
    cuGraphKernelNodeSetParams_v2(
        node: CUgraphNode,
        params: *const CUDA_KERNEL_NODE_PARAMS_v2,
    ) => graph_newer::set_kernel_node_params;
    cuGraphExecKernelNodeSetParams_v2(
        executable: CUgraphExec,
        node: CUgraphNode,
        params: *const CUDA_KERNEL_NODE_PARAMS_v2,
    ) => graph_newer::set_executable_kernel_params;
    cuGraphExecUpdate_v2(
        executable: CUgraphExec,
        graph: CUgraph,
        result: *mut CUgraphExecUpdateResultInfo,
    ) => graph_exec::update_and_tell;
    cuGraphInstantiateWithParams(
        executable: *mut CUgraphExec,
        graph: CUgraph,
        params: *mut CUDA_GRAPH_INSTANTIATE_PARAMS,
    ) => graph_newer::instantiate;
    cuGraphGetEdges_v2(
        graph: CUgraph,
        from: *mut CUgraphNode,
        to: *mut CUgraphNode,
        data: *mut CUgraphEdgeData,
        count: *mut usize,
    ) => graph_newer::edges;
    cuGraphNodeGetDependencies_v2(
        node: CUgraphNode,
        list: *mut CUgraphNode,
        data: *mut CUgraphEdgeData,
        count: *mut usize,
    ) => graph_newer::dependencies;
    cuGraphNodeGetDependentNodes_v2(
        node: CUgraphNode,
        list: *mut CUgraphNode,
        data: *mut CUgraphEdgeData,
        count: *mut usize,
    ) => graph_newer::dependent_nodes;
    cuGraphAddDependencies_v2(
        graph: CUgraph,
        from: *const CUgraphNode,
        to: *const CUgraphNode,
        data: *const CUgraphEdgeData,
        count: usize,
    ) => graph_newer::add_dependencies;
    cuGraphRemoveDependencies_v2(
        graph: CUgraph,
        from: *const CUgraphNode,
        to: *const CUgraphNode,
        data: *const CUgraphEdgeData,
        count: usize,
    ) => graph_newer::remove_dependencies;

    cuTensorMapEncodeTiled(
        map: *mut CUtensorMap,
        data_type: c_uint,
        rank: cuuint32_t,
        address: *mut c_void,
        extents: *const cuuint64_t,
        strides: *const cuuint64_t,
        box_extents: *const cuuint32_t,
        steps: *const cuuint32_t,
        interleave: c_uint,
        swizzle: c_uint,
        promotion: c_uint,
        fill: c_uint,
    ) => tensor::encode_tiled;
    cuTensorMapReplaceAddress(map: *mut CUtensorMap, address: *mut c_void) => tensor::replace_address;
}
