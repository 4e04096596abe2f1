//! The calls of the CUDA Driver API that the runtime is made of, as C declares them: enums are numbers, since a program
//! may pass one that this crate has no name for. The crate `driver` defines them.

mod types;

pub use types::*;

use cust_raw::{CUipcEventHandle, CUipcMemHandle};
use driver::types::CUlaunchConfig;
use std::ffi::{c_char, c_int, c_uint, c_ulonglong, c_void};

// SAFETY: these are the types of the CUDA headers; the crate `driver` defines each.
unsafe extern "C" {
    pub fn cuInit(flags: c_uint) -> Code;
    pub fn cuGetErrorString(code: Code, text: *mut *const c_char) -> Code;
    pub fn cuDriverGetVersion(version: *mut c_int) -> Code;

    pub fn cuDeviceGetCount(count: *mut c_int) -> Code;
    pub fn cuDeviceGetName(name: *mut c_char, length: c_int, device: c_int) -> Code;
    pub fn cuDeviceGetUuid(uuid: *mut [u8; 16], device: c_int) -> Code;
    pub fn cuDeviceGetAttribute(value: *mut c_int, attribute: c_int, device: c_int) -> Code;
    pub fn cuDeviceTotalMem_v2(bytes: *mut usize, device: c_int) -> Code;
    pub fn cuDeviceGetPCIBusId(id: *mut c_char, length: c_int, device: c_int) -> Code;
    pub fn cuDeviceGetByPCIBusId(device: *mut c_int, id: *const c_char) -> Code;
    pub fn cuDeviceCanAccessPeer(can: *mut c_int, device: c_int, peer: c_int) -> Code;
    pub fn cuDeviceGetDefaultMemPool(pool: *mut Handle, device: c_int) -> Code;
    pub fn cuDeviceGetMemPool(pool: *mut Handle, device: c_int) -> Code;
    pub fn cuDeviceSetMemPool(device: c_int, pool: Handle) -> Code;

    pub fn cuDevicePrimaryCtxRetain(context: *mut Handle, device: c_int) -> Code;
    pub fn cuDevicePrimaryCtxRelease_v2(device: c_int) -> Code;
    pub fn cuDevicePrimaryCtxReset_v2(device: c_int) -> Code;
    pub fn cuDevicePrimaryCtxGetState(device: c_int, flags: *mut c_uint, active: *mut c_int) -> Code;
    pub fn cuDevicePrimaryCtxSetFlags_v2(device: c_int, flags: c_uint) -> Code;
    pub fn cuCtxGetCurrent(context: *mut Handle) -> Code;
    pub fn cuCtxSetCurrent(context: Handle) -> Code;
    pub fn cuCtxGetDevice(device: *mut c_int) -> Code;
    pub fn cuCtxSynchronize() -> Code;
    pub fn cuCtxGetLimit(value: *mut usize, limit: c_int) -> Code;
    pub fn cuCtxSetLimit(limit: c_int, value: usize) -> Code;
    pub fn cuCtxGetCacheConfig(config: *mut c_int) -> Code;
    pub fn cuCtxSetCacheConfig(config: c_int) -> Code;
    pub fn cuCtxGetSharedMemConfig(config: *mut c_int) -> Code;
    pub fn cuCtxSetSharedMemConfig(config: c_int) -> Code;
    pub fn cuCtxGetStreamPriorityRange(least: *mut c_int, greatest: *mut c_int) -> Code;

    pub fn cuModuleLoadDataEx(
        module: *mut Handle,
        image: *const c_void,
        count: c_uint,
        options: *mut c_int,
        values: *mut *mut c_void,
    ) -> Code;
    pub fn cuModuleGetFunction(function: *mut Handle, module: Handle, name: *const c_char) -> Code;
    pub fn cuModuleGetGlobal_v2(address: *mut Address, bytes: *mut usize, module: Handle, name: *const c_char) -> Code;
    pub fn cuLinkCreate_v2(count: c_uint, options: *mut c_int, values: *mut *mut c_void, state: *mut Handle) -> Code;
    pub fn cuLinkAddData_v2(
        state: Handle,
        kind: c_int,
        data: *mut c_void,
        bytes: usize,
        name: *const c_char,
        count: c_uint,
        options: *mut c_int,
        values: *mut *mut c_void,
    ) -> Code;
    pub fn cuLinkComplete(state: Handle, image: *mut *mut c_void, bytes: *mut usize) -> Code;
    pub fn cuLinkDestroy(state: Handle) -> Code;

    pub fn cuFuncGetAttribute(value: *mut c_int, attribute: c_int, function: Handle) -> Code;
    pub fn cuFuncSetAttribute(function: Handle, attribute: c_int, value: c_int) -> Code;
    pub fn cuFuncSetCacheConfig(function: Handle, config: c_int) -> Code;
    pub fn cuFuncSetSharedMemConfig(function: Handle, config: c_int) -> Code;
    pub fn cuLaunchKernelEx(
        config: *const CUlaunchConfig,
        function: Handle,
        parameters: *mut *mut c_void,
        extra: *mut *mut c_void,
    ) -> Code;
    pub fn cuLaunchHostFunc(stream: Handle, function: Option<HostFunction>, data: *mut c_void) -> Code;
    pub fn cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        blocks: *mut c_int,
        function: Handle,
        block: c_int,
        shared: usize,
        flags: c_uint,
    ) -> Code;
    pub fn cuOccupancyMaxPotentialClusterSize(
        size: *mut c_int,
        function: Handle,
        config: *const CUlaunchConfig,
    ) -> Code;
    pub fn cuOccupancyMaxActiveClusters(clusters: *mut c_int, function: Handle, config: *const CUlaunchConfig) -> Code;
    pub fn cuOccupancyAvailableDynamicSMemPerBlock(
        shared: *mut usize,
        function: Handle,
        blocks: c_int,
        block: c_int,
    ) -> Code;

    pub fn cuMemGetInfo_v2(free: *mut usize, total: *mut usize) -> Code;
    pub fn cuMemAlloc_v2(address: *mut Address, bytes: usize) -> Code;
    pub fn cuMemAllocPitch_v2(
        address: *mut Address,
        pitch: *mut usize,
        width: usize,
        height: usize,
        element: c_uint,
    ) -> Code;
    pub fn cuMemAllocManaged(address: *mut Address, bytes: usize, flags: c_uint) -> Code;
    pub fn cuMemFree_v2(address: Address) -> Code;
    pub fn cuMemHostAlloc(pointer: *mut *mut c_void, bytes: usize, flags: c_uint) -> Code;
    pub fn cuMemFreeHost(pointer: *mut c_void) -> Code;
    pub fn cuMemHostRegister_v2(pointer: *mut c_void, bytes: usize, flags: c_uint) -> Code;
    pub fn cuMemHostUnregister(pointer: *mut c_void) -> Code;
    pub fn cuMemHostGetDevicePointer_v2(device: *mut Address, host: *mut c_void, flags: c_uint) -> Code;
    pub fn cuMemHostGetFlags(flags: *mut c_uint, host: *mut c_void) -> Code;
    pub fn cuMemAllocAsync(address: *mut Address, bytes: usize, stream: Handle) -> Code;
    pub fn cuMemFreeAsync(address: Address, stream: Handle) -> Code;
    pub fn cuMemAllocFromPoolAsync(address: *mut Address, bytes: usize, pool: Handle, stream: Handle) -> Code;
    pub fn cuMemPoolCreate(pool: *mut Handle, properties: *const c_void) -> Code;
    pub fn cuMemPoolDestroy(pool: Handle) -> Code;
    pub fn cuIpcGetMemHandle(handle: *mut CUipcMemHandle, address: Address) -> Code;
    pub fn cuIpcOpenMemHandle_v2(address: *mut Address, handle: CUipcMemHandle, flags: c_uint) -> Code;
    pub fn cuIpcCloseMemHandle(address: Address) -> Code;
    pub fn cuIpcGetEventHandle(handle: *mut CUipcEventHandle, event: Handle) -> Code;
    pub fn cuIpcOpenEventHandle(event: *mut Handle, handle: CUipcEventHandle) -> Code;
    pub fn cuMemPoolGetAccess(flags: *mut c_uint, pool: Handle, location: *const c_void) -> Code;
    pub fn cuMemGetDefaultMemPool(pool: *mut Handle, location: *const c_void, kind: c_uint) -> Code;
    pub fn cuMemGetMemPool(pool: *mut Handle, location: *const c_void, kind: c_uint) -> Code;
    pub fn cuMemSetMemPool(location: *const c_void, kind: c_uint, pool: Handle) -> Code;
    pub fn cuMemPoolSetAccess(pool: Handle, list: *const c_void, count: usize) -> Code;
    pub fn cuMemPoolExportToShareableHandle(
        handle: *mut c_void,
        pool: Handle,
        kind: c_uint,
        flags: c_ulonglong,
    ) -> Code;
    pub fn cuMemPoolImportFromShareableHandle(
        pool: *mut Handle,
        handle: *mut c_void,
        kind: c_uint,
        flags: c_ulonglong,
    ) -> Code;
    pub fn cuMemPoolExportPointer(data: *mut c_void, address: Address) -> Code;
    pub fn cuMemPoolImportPointer(address: *mut Address, pool: Handle, data: *mut c_void) -> Code;
    pub fn cuMemPoolTrimTo(pool: Handle, keep: usize) -> Code;
    pub fn cuMemPoolSetAttribute(pool: Handle, attribute: c_int, value: *mut c_void) -> Code;
    pub fn cuMemPoolGetAttribute(pool: Handle, attribute: c_int, value: *mut c_void) -> Code;
    pub fn cuMemAdvise(address: Address, bytes: usize, advice: c_uint, device: c_int) -> Code;
    pub fn cuMemAdvise_v2(address: Address, bytes: usize, advice: c_uint, place: Location) -> Code;
    pub fn cuMemPrefetchAsync(address: Address, bytes: usize, device: c_int, stream: Handle) -> Code;
    pub fn cuMemPrefetchAsync_v2(
        address: Address,
        bytes: usize,
        place: Location,
        flags: c_uint,
        stream: Handle,
    ) -> Code;
    pub fn cuPointerGetAttribute(data: *mut c_void, attribute: c_int, address: Address) -> Code;

    pub fn cuMemcpy(to: Address, from: Address, bytes: usize) -> Code;
    pub fn cuMemcpyAsync(to: Address, from: Address, bytes: usize, stream: Handle) -> Code;
    pub fn cuMemcpyHtoD_v2(to: Address, from: *const c_void, bytes: usize) -> Code;
    pub fn cuMemcpyDtoH_v2(to: *mut c_void, from: Address, bytes: usize) -> Code;
    pub fn cuMemcpyDtoD_v2(to: Address, from: Address, bytes: usize) -> Code;
    pub fn cuMemcpyHtoDAsync_v2(to: Address, from: *const c_void, bytes: usize, stream: Handle) -> Code;
    pub fn cuMemcpyDtoHAsync_v2(to: *mut c_void, from: Address, bytes: usize, stream: Handle) -> Code;
    pub fn cuMemcpyDtoDAsync_v2(to: Address, from: Address, bytes: usize, stream: Handle) -> Code;
    pub fn cuMemcpy2DUnaligned_v2(copy: *const Copy2D) -> Code;
    pub fn cuMemcpy2DAsync_v2(copy: *const Copy2D, stream: Handle) -> Code;
    pub fn cuMemcpy3D_v2(copy: *const Copy3D) -> Code;
    pub fn cuMemcpy3DAsync_v2(copy: *const Copy3D, stream: Handle) -> Code;

    pub fn cuArray3DCreate_v2(array: *mut Handle, description: *const ArrayDescription) -> Code;
    pub fn cuArray3DGetDescriptor_v2(description: *mut ArrayDescription, array: Handle) -> Code;
    pub fn cuArrayDestroy(array: Handle) -> Code;
    pub fn cuArrayGetPlane(plane: *mut Handle, array: Handle, index: c_uint) -> Code;
    pub fn cuArrayGetMemoryRequirements(requirements: *mut c_void, array: Handle, device: c_int) -> Code;
    pub fn cuArrayGetSparseProperties(properties: *mut c_void, array: Handle) -> Code;
    pub fn cuMipmappedArrayCreate(array: *mut Handle, description: *const ArrayDescription, levels: c_uint) -> Code;
    pub fn cuMipmappedArrayGetLevel(level: *mut Handle, array: Handle, nth: c_uint) -> Code;
    pub fn cuMipmappedArrayDestroy(array: Handle) -> Code;
    pub fn cuMipmappedArrayGetMemoryRequirements(requirements: *mut c_void, array: Handle, device: c_int) -> Code;
    pub fn cuMipmappedArrayGetSparseProperties(properties: *mut c_void, array: Handle) -> Code;
    pub fn cuTexObjectCreate(
        object: *mut u64,
        resource: *const ResourceDescription,
        texture: *const TextureDescription,
        view: *const c_void,
    ) -> Code;
    pub fn cuTexObjectDestroy(object: u64) -> Code;
    pub fn cuTexObjectGetResourceDesc(resource: *mut ResourceDescription, object: u64) -> Code;
    pub fn cuTexObjectGetTextureDesc(texture: *mut TextureDescription, object: u64) -> Code;
    pub fn cuTexObjectGetResourceViewDesc(view: *mut c_void, object: u64) -> Code;
    pub fn cuSurfObjectCreate(object: *mut u64, resource: *const ResourceDescription) -> Code;
    pub fn cuSurfObjectDestroy(object: u64) -> Code;
    pub fn cuSurfObjectGetResourceDesc(resource: *mut ResourceDescription, object: u64) -> Code;

    pub fn cuMemsetD8_v2(address: Address, value: u8, bytes: usize) -> Code;
    pub fn cuMemsetD8Async(address: Address, value: u8, bytes: usize, stream: Handle) -> Code;
    pub fn cuMemsetD2D8_v2(address: Address, pitch: usize, value: u8, width: usize, height: usize) -> Code;
    pub fn cuMemsetD2D8Async(
        address: Address,
        pitch: usize,
        value: u8,
        width: usize,
        height: usize,
        stream: Handle,
    ) -> Code;

    pub fn cuStreamCreateWithPriority(stream: *mut Handle, flags: c_uint, priority: c_int) -> Code;
    pub fn cuLibraryLoadData(
        library: *mut Handle,
        code: *const c_void,
        options: *mut c_int,
        values: *mut *mut c_void,
        count: c_uint,
        library_options: *mut c_int,
        library_values: *mut *mut c_void,
        library_count: c_uint,
    ) -> Code;
    pub fn cuLibraryLoadFromFile(
        library: *mut Handle,
        file: *const c_char,
        options: *mut c_int,
        values: *mut *mut c_void,
        count: c_uint,
        library_options: *mut c_int,
        library_values: *mut *mut c_void,
        library_count: c_uint,
    ) -> Code;
    pub fn cuLibraryUnload(library: Handle) -> Code;
    pub fn cuLibraryGetKernel(kernel: *mut Handle, library: Handle, name: *const c_char) -> Code;
    pub fn cuLibraryGetKernelCount(count: *mut c_uint, library: Handle) -> Code;
    pub fn cuLibraryEnumerateKernels(kernels: *mut Handle, count: c_uint, library: Handle) -> Code;
    pub fn cuLibraryGetGlobal(address: *mut Address, bytes: *mut usize, library: Handle, name: *const c_char) -> Code;
    pub fn cuLibraryGetManaged(address: *mut Address, bytes: *mut usize, library: Handle, name: *const c_char) -> Code;
    pub fn cuKernelGetFunction(function: *mut Handle, kernel: Handle) -> Code;
    pub fn cuKernelSetAttribute(attribute: c_int, value: c_int, kernel: Handle, device: c_int) -> Code;
    pub fn cuStreamDestroy_v2(stream: Handle) -> Code;
    pub fn cuStreamQuery(stream: Handle) -> Code;
    pub fn cuStreamSynchronize(stream: Handle) -> Code;
    pub fn cuStreamWaitEvent(stream: Handle, event: Handle, flags: c_uint) -> Code;
    pub fn cuStreamAddCallback(stream: Handle, callback: Option<Callback>, data: *mut c_void, flags: c_uint) -> Code;
    pub fn cuStreamGetFlags(stream: Handle, flags: *mut c_uint) -> Code;
    pub fn cuStreamGetPriority(stream: Handle, priority: *mut c_int) -> Code;
    pub fn cuStreamIsCapturing(stream: Handle, status: *mut c_int) -> Code;
    pub fn cuStreamAttachMemAsync(stream: Handle, address: Address, bytes: usize, flags: c_uint) -> Code;

    pub fn cuEventCreate(event: *mut Handle, flags: c_uint) -> Code;
    pub fn cuEventRecordWithFlags(event: Handle, stream: Handle, flags: c_uint) -> Code;
    pub fn cuEventQuery(event: Handle) -> Code;
    pub fn cuEventSynchronize(event: Handle) -> Code;
    pub fn cuEventDestroy_v2(event: Handle) -> Code;
    pub fn cuEventElapsedTime(milliseconds: *mut f32, start: Handle, end: Handle) -> Code;

    pub fn cuStreamGetId(stream: Handle, id: *mut u64) -> Code;
    pub fn cuFuncGetParamInfo(function: Handle, index: usize, offset: *mut usize, size: *mut usize) -> Code;
    pub fn cuGetProcAddress_v2(
        symbol: *const c_char,
        function: *mut *mut c_void,
        version: c_int,
        flags: u64,
        status: *mut c_uint,
    ) -> Code;
    pub fn cuGraphCreate(graph: *mut Handle, flags: c_uint) -> Code;
    pub fn cuGraphDestroy(graph: Handle) -> Code;
    pub fn cuGraphClone(copy: *mut Handle, graph: Handle) -> Code;
    pub fn cuGraphNodeFindInClone(found: *mut Handle, node: Handle, copy: Handle) -> Code;
    pub fn cuGraphNodeGetType(node: Handle, kind: *mut c_uint) -> Code;
    pub fn cuGraphGetNodes(graph: Handle, nodes: *mut Handle, count: *mut usize) -> Code;
    pub fn cuGraphGetRootNodes(graph: Handle, nodes: *mut Handle, count: *mut usize) -> Code;
    pub fn cuGraphGetEdges_v2(
        graph: Handle,
        from: *mut Handle,
        to: *mut Handle,
        data: *mut c_void,
        count: *mut usize,
    ) -> Code;
    pub fn cuGraphNodeGetDependencies_v2(
        node: Handle,
        nodes: *mut Handle,
        data: *mut c_void,
        count: *mut usize,
    ) -> Code;
    pub fn cuGraphNodeGetDependentNodes_v2(
        node: Handle,
        nodes: *mut Handle,
        data: *mut c_void,
        count: *mut usize,
    ) -> Code;
    pub fn cuGraphAddDependencies_v2(
        graph: Handle,
        from: *const Handle,
        to: *const Handle,
        data: *const c_void,
        count: usize,
    ) -> Code;
    pub fn cuGraphRemoveDependencies_v2(
        graph: Handle,
        from: *const Handle,
        to: *const Handle,
        data: *const c_void,
        count: usize,
    ) -> Code;
    pub fn cuGraphDestroyNode(node: Handle) -> Code;
    pub fn cuGraphDebugDotPrint(graph: Handle, path: *const c_char, flags: c_uint) -> Code;
    pub fn cuGraphAddKernelNode(
        node: *mut Handle,
        graph: Handle,
        after: *const Handle,
        count: usize,
        parameters: *const KernelNode,
    ) -> Code;
    pub fn cuGraphKernelNodeGetParams(node: Handle, parameters: *mut KernelNode) -> Code;
    pub fn cuGraphKernelNodeSetParams(node: Handle, parameters: *const KernelNode) -> Code;
    pub fn cuGraphAddMemcpyNode(
        node: *mut Handle,
        graph: Handle,
        after: *const Handle,
        count: usize,
        copy: *const Copy3D,
        context: Handle,
    ) -> Code;
    pub fn cuGraphMemcpyNodeGetParams(node: Handle, copy: *mut Copy3D) -> Code;
    pub fn cuGraphMemcpyNodeSetParams(node: Handle, copy: *const Copy3D) -> Code;
    pub fn cuGraphAddMemsetNode(
        node: *mut Handle,
        graph: Handle,
        after: *const Handle,
        count: usize,
        fill: *const c_void,
        context: Handle,
    ) -> Code;
    pub fn cuGraphMemsetNodeGetParams(node: Handle, fill: *mut c_void) -> Code;
    pub fn cuGraphMemsetNodeSetParams(node: Handle, fill: *const c_void) -> Code;
    pub fn cuGraphAddHostNode(
        node: *mut Handle,
        graph: Handle,
        after: *const Handle,
        count: usize,
        host: *const c_void,
    ) -> Code;
    pub fn cuGraphHostNodeGetParams(node: Handle, host: *mut c_void) -> Code;
    pub fn cuGraphHostNodeSetParams(node: Handle, host: *const c_void) -> Code;
    pub fn cuGraphAddChildGraphNode(
        node: *mut Handle,
        graph: Handle,
        after: *const Handle,
        count: usize,
        child: Handle,
    ) -> Code;
    pub fn cuGraphChildGraphNodeGetGraph(node: Handle, graph: *mut Handle) -> Code;
    pub fn cuGraphAddEmptyNode(node: *mut Handle, graph: Handle, after: *const Handle, count: usize) -> Code;
    pub fn cuGraphAddEventRecordNode(
        node: *mut Handle,
        graph: Handle,
        after: *const Handle,
        count: usize,
        event: Handle,
    ) -> Code;
    pub fn cuGraphEventRecordNodeGetEvent(node: Handle, event: *mut Handle) -> Code;
    pub fn cuGraphEventRecordNodeSetEvent(node: Handle, event: Handle) -> Code;
    pub fn cuGraphAddEventWaitNode(
        node: *mut Handle,
        graph: Handle,
        after: *const Handle,
        count: usize,
        event: Handle,
    ) -> Code;
    pub fn cuGraphEventWaitNodeGetEvent(node: Handle, event: *mut Handle) -> Code;
    pub fn cuGraphEventWaitNodeSetEvent(node: Handle, event: Handle) -> Code;
    pub fn cuGraphInstantiateWithFlags(executable: *mut Handle, graph: Handle, flags: u64) -> Code;
    pub fn cuGraphInstantiateWithParams(executable: *mut Handle, graph: Handle, parameters: *mut c_void) -> Code;
    pub fn cuGraphUpload(executable: Handle, stream: Handle) -> Code;
    pub fn cuGraphLaunch(executable: Handle, stream: Handle) -> Code;
    pub fn cuGraphExecDestroy(executable: Handle) -> Code;
    pub fn cuGraphExecUpdate_v2(executable: Handle, graph: Handle, result: *mut c_void) -> Code;
    pub fn cuGraphExecKernelNodeSetParams(executable: Handle, node: Handle, parameters: *const KernelNode) -> Code;
    pub fn cuGraphExecMemcpyNodeSetParams(
        executable: Handle,
        node: Handle,
        copy: *const Copy3D,
        context: Handle,
    ) -> Code;
    pub fn cuGraphExecMemsetNodeSetParams(
        executable: Handle,
        node: Handle,
        fill: *const c_void,
        context: Handle,
    ) -> Code;
    pub fn cuGraphExecHostNodeSetParams(executable: Handle, node: Handle, host: *const c_void) -> Code;
    pub fn cuGraphExecEventRecordNodeSetEvent(executable: Handle, node: Handle, event: Handle) -> Code;
    pub fn cuGraphExecEventWaitNodeSetEvent(executable: Handle, node: Handle, event: Handle) -> Code;
    pub fn cuStreamBeginCapture_v2(stream: Handle, mode: c_int) -> Code;
    pub fn cuStreamBeginCaptureToGraph(
        stream: Handle,
        graph: Handle,
        after: *const Handle,
        data: *const c_void,
        count: usize,
        mode: c_int,
    ) -> Code;
    pub fn cuStreamEndCapture(stream: Handle, graph: *mut Handle) -> Code;
    pub fn cuThreadExchangeStreamCaptureMode(mode: *mut c_int) -> Code;
    pub fn cuStreamGetCaptureInfo_v3(
        stream: Handle,
        status: *mut c_int,
        id: *mut u64,
        graph: *mut Handle,
        after: *mut *const Handle,
        data: *mut *const c_void,
        count: *mut usize,
    ) -> Code;
    pub fn cuStreamUpdateCaptureDependencies_v2(
        stream: Handle,
        after: *mut Handle,
        data: *const c_void,
        count: usize,
        flags: c_uint,
    ) -> Code;
}
