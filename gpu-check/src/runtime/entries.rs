//! The C functions of the runtime, one line each. Those for graphs are in [`super::graph_entries`],
//! those for arrays, textures and surfaces in [`super::texture_entries`].
//!
//! A line reads `cudaName(arguments) => where::it_runs(arguments);`. A second name, ending with `_ptsz` or `_ptds`, is
//! what a program calls that is built with `--default-stream per-thread`. In brackets stands what differs: what it is
//! under the first name, and under the second.

use super::array::Channels;
use super::call::*;
use super::copy::{Parameters3D, Rows, When};
use super::launch::{Call, Config, Dim3};
use super::memory::{Extent, Pitched};
use super::properties::Layout;
use super::{copy, device, error, event, function, launch, library, memory, pool, properties, stream, symbol, version};
use crate::cu::{Callback, Handle, HostFunction, Location};
use crate::registry;
use cust_raw::{CUipcEventHandle, CUipcMemHandle};
use driver::Entry;
use std::ffi::{c_char, c_int, c_uint, c_void};
use std::ptr::null_mut;

entries! {
    cudaGetDeviceCount(count: *mut c_int) => device::count(count);
    cudaGetDevice(device: *mut c_int) => device::get(device);
    cudaSetDevice(device: c_int) => device::set(device);
    cudaInitDevice(device: c_int, _flags: c_uint, _also: c_uint) => device::set(device);
    cudaSetValidDevices(_devices: *mut c_int, _count: c_int) => device::nothing();
    cudaChooseDevice(device: *mut c_int, _properties: *const c_void) => device::choose(device);
    cudaDeviceGetAttribute(value: *mut c_int, attribute: c_int, device: c_int) =>
        device::attribute(value, attribute, device);
    cudaGetDeviceProperties(properties: *mut c_void, device: c_int) => {
        properties::properties(properties, device, Layout::Cuda13)
    };
    cudaGetDeviceProperties_v2(properties: *mut c_void, device: c_int) => {
        properties::properties(properties, device, Layout::Cuda12)
    };
    cudaDeviceSynchronize() => device::synchronize();
    cudaThreadSynchronize() => device::synchronize();
    cudaDeviceReset() => device::reset();
    cudaThreadExit() => device::reset();
    cudaDeviceGetLimit(value: *mut usize, limit: c_int) => device::limit(value, limit);
    cudaDeviceSetLimit(limit: c_int, value: usize) => device::set_limit(limit, value);
    cudaDeviceGetCacheConfig(config: *mut c_int) => device::cache_config(config);
    cudaDeviceSetCacheConfig(config: c_int) => device::set_cache_config(config);
    cudaDeviceGetSharedMemConfig(config: *mut c_int) => device::shared_config(config);
    cudaDeviceSetSharedMemConfig(config: c_int) => device::set_shared_config(config);
    cudaGetDeviceFlags(flags: *mut c_uint) => device::flags(flags);
    cudaSetDeviceFlags(flags: c_uint) => device::set_flags(flags);
    cudaDriverGetVersion(version: *mut c_int) => device::driver_version(version);
    cudaRuntimeGetVersion(version: *mut c_int) => version::linked(version);
    cudaDeviceGetPCIBusId(id: *mut c_char, length: c_int, device: c_int) => device::pci_bus_id(id, length, device);
    cudaDeviceGetByPCIBusId(device: *mut c_int, id: *const c_char) => device::by_pci_bus_id(device, id);
    cudaDeviceCanAccessPeer(can: *mut c_int, device: c_int, peer: c_int) => device::can_access_peer(can, device, peer);
    cudaDeviceEnablePeerAccess(peer: c_int, _flags: c_uint) => device::no_peer(peer);
    cudaDeviceDisablePeerAccess(peer: c_int) => device::no_peer(peer);
    cudaDeviceGetStreamPriorityRange(least: *mut c_int, greatest: *mut c_int) =>
        stream::priority_range(least, greatest);
    cudaCtxResetPersistingL2Cache() => device::nothing();
    cudaGetDriverEntryPoint(symbol: *const c_char, function: *mut *mut c_void, flags: u64, status: *mut c_uint)
        / cudaGetDriverEntryPoint_ptsz [version = 0, 0] => {
        device::entry_point(symbol, function, version, flags, status)
    };
    cudaGetDriverEntryPointByVersion(
        symbol: *const c_char, function: *mut *mut c_void, version: c_uint, flags: u64, status: *mut c_uint,
    ) / cudaGetDriverEntryPointByVersion_ptsz [version = version as c_int, version as c_int] =>
        device::entry_point(symbol, function, version, flags, status);
    cudaProfilerInitialize(_configuration: *const c_char, _output: *const c_char, _mode: c_int) => device::nothing();
    cudaProfilerStart() => device::nothing();
    cudaProfilerStop() => device::nothing();

    cudaMalloc(pointer: *mut *mut c_void, bytes: usize) => memory::allocate(pointer, bytes);
    cudaMallocManaged(pointer: *mut *mut c_void, bytes: usize, flags: c_uint) => {
        memory::allocate_managed(pointer, bytes, flags)
    };
    cudaMallocPitch(pointer: *mut *mut c_void, pitch: *mut usize, width: usize, height: usize) => {
        memory::allocate_pitch(pointer, pitch, width, height)
    };
    cudaMalloc3D(pointer: *mut Pitched, extent: Extent) => memory::allocate_3d(pointer, extent);
    cudaFree(pointer: *mut c_void) => memory::free(pointer);
    cudaMallocHost(pointer: *mut *mut c_void, bytes: usize) => memory::allocate_host(pointer, bytes, 0);
    cudaHostAlloc(pointer: *mut *mut c_void, bytes: usize, flags: c_uint) =>
        memory::allocate_host(pointer, bytes, flags);
    cudaFreeHost(pointer: *mut c_void) => memory::free_host(pointer);
    cudaHostRegister(pointer: *mut c_void, bytes: usize, flags: c_uint) => memory::register(pointer, bytes, flags);
    cudaHostUnregister(pointer: *mut c_void) => memory::unregister(pointer);
    cudaHostGetDevicePointer(device: *mut *mut c_void, host: *mut c_void, flags: c_uint) => {
        memory::device_pointer(device, host, flags)
    };
    cudaHostGetFlags(flags: *mut c_uint, host: *mut c_void) => memory::host_flags(flags, host);
    cudaMemGetInfo(free: *mut usize, total: *mut usize) => memory::info(free, total);
    cudaMemAdvise(pointer: *const c_void, bytes: usize, advice: c_int, place: Location)
        / cudaMemAdvise_v2 [is_v2 = false, true] => memory::advise(pointer, bytes, advice, place, is_v2);
    cudaMemPrefetchAsync(pointer: *const c_void, bytes: usize, place: Location, last: usize, stream: Handle)
        / cudaMemPrefetchAsync_ptsz [is_v2 = false, false] => {
        memory::prefetch(pointer, bytes, place, last, stream, is_v2)
    };
    cudaMemPrefetchAsync_v2(pointer: *const c_void, bytes: usize, place: Location, flags: usize, stream: Handle)
        / cudaMemPrefetchAsync_v2_ptsz [is_v2 = true, true] => {
        memory::prefetch(pointer, bytes, place, flags, stream, is_v2)
    };
    cudaPointerGetAttributes(attributes: *mut memory::Attributes, pointer: *const c_void) => {
        memory::attributes(attributes, pointer)
    };

    cudaMallocAsync(pointer: *mut *mut c_void, bytes: usize, stream: Handle)
        / cudaMallocAsync_ptsz [stream = legacy(stream), mine(stream)] =>
        pool::allocate(pointer, bytes, stream);
    cudaFreeAsync(pointer: *mut c_void, stream: Handle) / cudaFreeAsync_ptsz [stream = legacy(stream), mine(stream)] =>
        pool::free(pointer, stream);
    cudaMallocFromPoolAsync(pointer: *mut *mut c_void, bytes: usize, pool: Handle, stream: Handle)
        / cudaMallocFromPoolAsync_ptsz [stream = legacy(stream), mine(stream)] => {
        pool::allocate_from(pointer, bytes, pool, stream)
    };
    cudaDeviceGetDefaultMemPool(pool: *mut Handle, device: c_int) => pool::default_pool(pool, device);
    cudaDeviceGetMemPool(pool: *mut Handle, device: c_int) => pool::device_pool(pool, device);
    cudaDeviceSetMemPool(device: c_int, pool: Handle) => pool::set_device_pool(device, pool);
    cudaIpcGetMemHandle(handle: *mut CUipcMemHandle, pointer: *mut c_void) => memory::ipc_handle(handle, pointer);
    cudaIpcOpenMemHandle(pointer: *mut *mut c_void, handle: CUipcMemHandle, flags: c_uint) => {
        memory::open_ipc(pointer, handle, flags)
    };
    cudaIpcCloseMemHandle(pointer: *mut c_void) => memory::close_ipc(pointer);
    cudaIpcGetEventHandle(handle: *mut CUipcEventHandle, event: Handle) => event::ipc_handle(handle, event);
    cudaIpcOpenEventHandle(event: *mut Handle, handle: CUipcEventHandle) => event::open_ipc(event, handle);
    cudaMemPoolCreate(pool: *mut Handle, properties: *const c_void) => pool::create(pool, properties);
    cudaMemPoolDestroy(pool: Handle) => pool::destroy(pool);
    cudaMemPoolSetAccess(pool: Handle, list: *const c_void, count: usize) => pool::set_access(pool, list, count);
    cudaMemPoolGetAccess(flags: *mut c_uint, pool: Handle, location: *const c_void) => {
        pool::access(flags, pool, location)
    };
    cudaMemGetDefaultMemPool(pool: *mut Handle, location: *const c_void, kind: c_uint) => {
        pool::default_pool_at(pool, location, kind)
    };
    cudaMemGetMemPool(pool: *mut Handle, location: *const c_void, kind: c_uint) => {
        pool::pool_at(pool, location, kind)
    };
    cudaMemSetMemPool(location: *const c_void, kind: c_uint, pool: Handle) => {
        pool::set_pool_at(location, kind, pool)
    };
    cudaMemPoolTrimTo(pool: Handle, keep: usize) => pool::trim(pool, keep);
    cudaMemPoolExportToShareableHandle(handle: *mut c_void, pool: Handle, kind: c_uint, flags: c_uint) => {
        pool::export(handle, pool, kind, flags)
    };
    cudaMemPoolImportFromShareableHandle(pool: *mut Handle, handle: *mut c_void, kind: c_uint, flags: c_uint) => {
        pool::import(pool, handle, kind, flags)
    };
    cudaMemPoolExportPointer(data: *mut c_void, pointer: *mut c_void) => pool::export_pointer(data, pointer);
    cudaMemPoolImportPointer(pointer: *mut *mut c_void, pool: Handle, data: *mut c_void) => {
        pool::import_pointer(pointer, pool, data)
    };
    cudaMemPoolSetAttribute(pool: Handle, attribute: c_int, value: *mut c_void) => {
        pool::set_attribute(pool, attribute, value)
    };
    cudaMemPoolGetAttribute(pool: Handle, attribute: c_int, value: *mut c_void) =>
        pool::attribute(pool, attribute, value);

    cudaMemcpy(to: *mut c_void, from: *const c_void, bytes: usize, kind: c_int)
        / cudaMemcpy_ptds [when = When::Now, When::NowIn(PER_THREAD)] => {
        copy::copy(to, from, bytes, kind, when)
    };
    cudaMemcpyAsync(to: *mut c_void, from: *const c_void, bytes: usize, kind: c_int, stream: Handle)
        / cudaMemcpyAsync_ptsz [stream = legacy(stream), mine(stream)] => {
        copy::copy(to, from, bytes, kind, When::Later(stream))
    };
    cudaMemcpyPeer(to: *mut c_void, _target: c_int, from: *const c_void, _source: c_int, bytes: usize) => {
        copy::copy(to, from, bytes, 4, When::Now)
    };
    cudaMemcpyPeerAsync(
        to: *mut c_void, _target: c_int, from: *const c_void, _source: c_int, bytes: usize, stream: Handle,
    ) => {
        copy::copy(to, from, bytes, 4, When::Later(stream))
    };
    cudaMemcpy2D(
        to: *mut c_void, to_pitch: usize, from: *mut c_void, from_pitch: usize,
        width: usize, height: usize, kind: c_int,
    ) / cudaMemcpy2D_ptds [when = When::Now, When::NowIn(PER_THREAD)] =>
        copy::copy_2d(rows(to, to_pitch), rows(from, from_pitch), (width, height), kind, when);
    cudaMemcpy2DAsync(
        to: *mut c_void, to_pitch: usize, from: *mut c_void, from_pitch: usize,
        width: usize, height: usize, kind: c_int,
        stream: Handle,
    ) / cudaMemcpy2DAsync_ptsz [stream = legacy(stream), mine(stream)] =>
        copy::copy_2d(rows(to, to_pitch), rows(from, from_pitch), (width, height), kind, When::Later(stream));
    cudaMemcpy3D(parameters: *const Parameters3D) / cudaMemcpy3D_ptds [when = When::Now, When::NowIn(PER_THREAD)] =>
        copy::copy_3d(parameters, when);
    cudaMemcpy3DAsync(parameters: *const Parameters3D, stream: Handle)
        / cudaMemcpy3DAsync_ptsz [stream = legacy(stream), mine(stream)] =>
        copy::copy_3d(parameters, When::Later(stream));
    cudaMemset(to: *mut c_void, value: c_int, bytes: usize)
        / cudaMemset_ptds [when = When::Now, When::NowIn(PER_THREAD)] =>
        copy::fill(to, value, bytes, when);
    cudaMemsetAsync(to: *mut c_void, value: c_int, bytes: usize, stream: Handle)
        / cudaMemsetAsync_ptsz [stream = legacy(stream), mine(stream)] => {
        copy::fill(to, value, bytes, When::Later(stream))
    };
    cudaMemset2D(to: *mut c_void, pitch: usize, value: c_int, width: usize, height: usize)
        / cudaMemset2D_ptds [when = When::Now, When::NowIn(PER_THREAD)] => {
        copy::fill_2d(rows(to, pitch), value, (width, height), when)
    };
    cudaMemset2DAsync(to: *mut c_void, pitch: usize, value: c_int, width: usize, height: usize, stream: Handle)
        / cudaMemset2DAsync_ptsz [stream = legacy(stream), mine(stream)] => {
        copy::fill_2d(rows(to, pitch), value, (width, height), When::Later(stream))
    };
    cudaMemset3D(to: Pitched, value: c_int, extent: Extent)
        / cudaMemset3D_ptds [when = When::Now, When::NowIn(PER_THREAD)] =>
        copy::fill_3d(to, value, extent, when);
    cudaMemset3DAsync(to: Pitched, value: c_int, extent: Extent, stream: Handle)
        / cudaMemset3DAsync_ptsz [stream = legacy(stream), mine(stream)] => {
        copy::fill_3d(to, value, extent, When::Later(stream))
    };
    cudaMemcpyToSymbol(symbol: *const c_void, from: *const c_void, bytes: usize, offset: usize, kind: c_int)
        / cudaMemcpyToSymbol_ptds [when = When::Now, When::NowIn(PER_THREAD)] => {
        symbol::copy_to(symbol, from, (bytes, offset), kind, when)
    };
    cudaMemcpyToSymbolAsync(
        symbol: *const c_void, from: *const c_void, bytes: usize, offset: usize, kind: c_int, stream: Handle,
    ) / cudaMemcpyToSymbolAsync_ptsz [stream = legacy(stream), mine(stream)] =>
        symbol::copy_to(symbol, from, (bytes, offset), kind, When::Later(stream));
    cudaMemcpyFromSymbol(to: *mut c_void, symbol: *const c_void, bytes: usize, offset: usize, kind: c_int)
        / cudaMemcpyFromSymbol_ptds [when = When::Now, When::NowIn(PER_THREAD)] => {
        symbol::copy_from(to, symbol, (bytes, offset), kind, when)
    };
    cudaMemcpyFromSymbolAsync(
        to: *mut c_void, symbol: *const c_void, bytes: usize, offset: usize, kind: c_int, stream: Handle,
    ) / cudaMemcpyFromSymbolAsync_ptsz [stream = legacy(stream), mine(stream)] =>
        symbol::copy_from(to, symbol, (bytes, offset), kind, When::Later(stream));
    cudaGetSymbolAddress(address: *mut *mut c_void, symbol: *const c_void) => symbol::address(address, symbol);
    cudaGetSymbolSize(size: *mut usize, symbol: *const c_void) => symbol::size(size, symbol);

    cudaStreamCreate(stream: *mut Handle) => stream::create(stream, 0, 0);
    cudaStreamCreateWithFlags(stream: *mut Handle, flags: c_uint) => stream::create(stream, flags, 0);
    cudaStreamCreateWithPriority(stream: *mut Handle, flags: c_uint, priority: c_int) => {
        stream::create(stream, flags, priority)
    };
    cudaStreamDestroy(stream: Handle) => stream::destroy(stream);
    cudaStreamQuery(stream: Handle) / cudaStreamQuery_ptsz [stream = legacy(stream), mine(stream)] =>
        stream::query(stream);
    cudaStreamSynchronize(stream: Handle) / cudaStreamSynchronize_ptsz [stream = legacy(stream), mine(stream)] =>
        stream::synchronize(stream);
    cudaStreamWaitEvent(stream: Handle, event: Handle, flags: c_uint)
        / cudaStreamWaitEvent_ptsz [stream = legacy(stream), mine(stream)] =>
        stream::wait_event(stream, event, flags);
    cudaStreamAddCallback(stream: Handle, callback: Option<Callback>, data: *mut c_void, flags: c_uint)
        / cudaStreamAddCallback_ptsz [stream = legacy(stream), mine(stream)] => {
        stream::add_callback(stream, callback, data, flags)
    };
    cudaStreamGetFlags(stream: Handle, flags: *mut c_uint)
        / cudaStreamGetFlags_ptsz [stream = legacy(stream), mine(stream)] =>
        stream::flags(stream, flags);
    cudaStreamGetPriority(stream: Handle, priority: *mut c_int)
        / cudaStreamGetPriority_ptsz [stream = legacy(stream), mine(stream)] =>
        stream::priority(stream, priority);
    cudaStreamGetDevice(stream: Handle, device: *mut c_int)
        / cudaStreamGetDevice_ptsz [stream = legacy(stream), mine(stream)] =>
        stream::device(stream, device);
    cudaStreamGetId(stream: Handle, id: *mut u64) / cudaStreamGetId_ptsz [stream = legacy(stream), mine(stream)] =>
        stream::id(stream, id);
    cudaStreamGetAttribute(stream: Handle, _attribute: c_int, value: *mut stream::Value)
        / cudaStreamGetAttribute_ptsz [stream = legacy(stream), mine(stream)] => {
        stream::attribute(stream, value)
    };
    cudaStreamSetAttribute(stream: Handle, attribute: c_int, value: *const stream::Value)
        / cudaStreamSetAttribute_ptsz [stream = legacy(stream), mine(stream)] => {
        stream::set_attribute(stream, attribute, value)
    };
    cudaStreamCopyAttributes(to: Handle, from: Handle) / cudaStreamCopyAttributes_ptsz [to = legacy(to), mine(to)] =>
        stream::copy_attributes(to, from);
    cudaStreamAttachMemAsync(stream: Handle, address: *mut c_void, bytes: usize, flags: c_uint)
        / cudaStreamAttachMemAsync_ptsz [stream = legacy(stream), mine(stream)] => {
        stream::attach(stream, address, bytes, flags)
    };

    cudaEventCreate(event: *mut Handle) => event::create(event, 0);
    cudaEventCreateWithFlags(event: *mut Handle, flags: c_uint) => event::create(event, flags);
    cudaEventRecord(event: Handle, stream: Handle) / cudaEventRecord_ptsz [stream = legacy(stream), mine(stream)] =>
        event::record(event, stream, 0);
    cudaEventRecordWithFlags(event: Handle, stream: Handle, flags: c_uint)
        / cudaEventRecordWithFlags_ptsz [stream = legacy(stream), mine(stream)] =>
        event::record(event, stream, flags);
    cudaEventQuery(event: Handle) => event::query(event);
    cudaEventSynchronize(event: Handle) => event::synchronize(event);
    cudaEventDestroy(event: Handle) => event::destroy(event);
    cudaEventElapsedTime(milliseconds: *mut f32, start: Handle, end: Handle) => {
        event::elapsed_time(milliseconds, start, end)
    };
    cudaEventElapsedTime_v2(milliseconds: *mut f32, start: Handle, end: Handle) => {
        event::elapsed_time(milliseconds, start, end)
    };

    cudaLaunchKernel(
        kernel: *const c_void, grid: Dim3, block: Dim3, arguments: *mut *mut c_void, shared: usize, stream: Handle,
    ) / cudaLaunchKernel_ptsz [stream = legacy(stream), mine(stream)] =>
        launch::kernel(kernel, Call { grid, block, shared, stream }, arguments);
    __cudaLaunchKernel(
        kernel: *const c_void, grid: Dim3, block: Dim3, arguments: *mut *mut c_void, shared: usize, stream: Handle,
    ) / __cudaLaunchKernel_ptsz [stream = legacy(stream), mine(stream)] =>
        launch::kernel(kernel, Call { grid, block, shared, stream }, arguments);
    cudaLaunchCooperativeKernel(
        kernel: *const c_void, grid: Dim3, block: Dim3, arguments: *mut *mut c_void, shared: usize, stream: Handle,
    ) / cudaLaunchCooperativeKernel_ptsz [stream = legacy(stream), mine(stream)] =>
        launch::cooperative(kernel, Call { grid, block, shared, stream }, arguments);
    cudaLaunchKernelExC(config: *const Config, kernel: *const c_void, arguments: *mut *mut c_void)
        / cudaLaunchKernelExC_ptsz [null = null_mut(), PER_THREAD] => {
        launch::extended(config, kernel, arguments, null)
    };
    cudaLaunchHostFunc(stream: Handle, function: Option<HostFunction>, data: *mut c_void)
        / cudaLaunchHostFunc_ptsz [stream = legacy(stream), mine(stream)] => {
        launch::host_function(stream, function, data)
    };
    __cudaPopCallConfiguration(grid: *mut Dim3, block: *mut Dim3, shared: *mut usize, stream: *mut c_void) => {
        launch::pop(grid, block, shared, stream)
    };
    cudaGetKernel(kernel: *mut Handle, stand_in: *const c_void) => launch::get_kernel(kernel, stand_in);
    __cudaGetKernel(kernel: *mut Handle, stand_in: *const c_void) => launch::get_kernel(kernel, stand_in);
    cudaLibraryLoadData(
        library: *mut Handle,
        code: *const c_void,
        options: *mut c_int,
        values: *mut *mut c_void,
        count: c_uint,
        library_options: *mut c_int,
        library_values: *mut *mut c_void,
        library_count: c_uint,
    ) => library::load(library, code, (options, values, count), (library_options, library_values, library_count));
    cudaLibraryLoadFromFile(
        library: *mut Handle,
        file: *const c_char,
        options: *mut c_int,
        values: *mut *mut c_void,
        count: c_uint,
        library_options: *mut c_int,
        library_values: *mut *mut c_void,
        library_count: c_uint,
    ) => library::load_file(library, file, (options, values, count), (library_options, library_values, library_count));
    cudaLibraryUnload(library: Handle) => library::unload(library);
    cudaLibraryGetKernel(kernel: *mut Handle, library: Handle, name: *const c_char) => {
        library::kernel(kernel, library, name)
    };
    cudaLibraryGetKernelCount(count: *mut c_uint, library: Handle) => library::kernel_count(count, library);
    cudaLibraryEnumerateKernels(kernels: *mut Handle, count: c_uint, library: Handle) => {
        library::kernels(kernels, count, library)
    };
    cudaLibraryGetGlobal(address: *mut *mut c_void, bytes: *mut usize, library: Handle, name: *const c_char) => {
        library::global(address, bytes, library, name)
    };
    cudaLibraryGetManaged(address: *mut *mut c_void, bytes: *mut usize, library: Handle, name: *const c_char) => {
        library::managed(address, bytes, library, name)
    };
    cudaKernelSetAttributeForDevice(kernel: Handle, attribute: c_int, value: c_int, device: c_int) => {
        library::set_attribute(kernel, attribute, value, device)
    };
    cudaGetFuncBySymbol(function: *mut Handle, stand_in: *const c_void) => launch::get_function(function, stand_in);

    cudaFuncGetAttributes(attributes: *mut function::Attributes, kernel: *const c_void) => {
        function::attributes(attributes, kernel)
    };
    cudaFuncSetAttribute(kernel: *const c_void, attribute: c_int, value: c_int) => {
        function::set_attribute(kernel, attribute, value)
    };
    cudaFuncGetParamInfo(kernel: *const c_void, index: usize, offset: *mut usize, size: *mut usize) => {
        function::parameter(kernel, index, offset, size)
    };
    cudaFuncSetCacheConfig(kernel: *const c_void, config: c_int) => function::set_cache_config(kernel, config);
    cudaFuncSetSharedMemConfig(kernel: *const c_void, config: c_int) => function::set_shared_config(kernel, config);
    cudaFuncGetName(name: *mut *const c_char, kernel: *const c_void) => function::name(name, kernel);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        blocks: *mut c_int, kernel: *const c_void, block: c_int, shared: usize,
    ) => function::active_blocks(blocks, kernel, block, shared, 0);
    cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        blocks: *mut c_int, kernel: *const c_void, block: c_int, shared: usize, flags: c_uint,
    ) => function::active_blocks(blocks, kernel, block, shared, flags);
    cudaOccupancyAvailableDynamicSMemPerBlock(
        shared: *mut usize, kernel: *const c_void, blocks: c_int, block: c_int,
    ) => function::available_shared(shared, kernel, blocks, block);
    cudaOccupancyMaxPotentialClusterSize(
        size: *mut c_int, kernel: *const c_void, config: *const Config,
    ) => function::potential_cluster_size(size, kernel, config);
    cudaOccupancyMaxActiveClusters(
        clusters: *mut c_int, kernel: *const c_void, config: *const Config,
    ) => function::active_clusters(clusters, kernel, config);
}

fn rows(pointer: *mut c_void, pitch: usize) -> Rows {
    Rows { pointer, pitch }
}

macro_rules! others {
    ($(fn $name:ident($($arg:ident: $ty:ty),* $(,)?) $(-> $back:ty)? $body:block)*) => {
        $(
            #[unsafe(no_mangle)]
            unsafe extern "C" fn $name($($arg: $ty),*) $(-> $back)? $body
        )*
        /// Those that answer something else than an error.
        pub fn others() -> Vec<Entry> {
            vec![$(entries!(@entry $name ($($arg: $ty),*))),*]
        }
    };
}

others! {
    fn cudaCreateChannelDesc(x: c_int, y: c_int, z: c_int, w: c_int, kind: c_int) -> Channels {
        Channels { bits: [x, y, z, w], kind }
    }
    fn cudaGetLastError() -> u32 {
        take_last()
    }
    fn cudaPeekAtLastError() -> u32 {
        last()
    }
    fn cudaGetErrorName(code: u32) -> *const c_char {
        error::name(code)
    }
    fn cudaGetErrorString(code: u32) -> *const c_char {
        error::message(code)
    }
    fn __cudaPushCallConfiguration(grid: Dim3, block: Dim3, shared: usize, stream: Handle) -> c_uint {
        answer("__cudaPushCallConfiguration", || {
            launch::push(Call { grid, block, shared, stream });
            Ok(())
        })
    }
    fn __cudaRegisterFatBinary(wrapper: *const u8) -> *mut *mut c_void {
        let mut handle = 0;
        answer("__cudaRegisterFatBinary", || {
            // SAFETY: what nvcc has made, by the caller.
            handle = unsafe { registry::add(wrapper) };
            Ok(())
        });
        handle as *mut *mut c_void
    }
    fn __cudaRegisterFatBinaryEnd(_binary: *mut *mut c_void) {}
    fn __cudaUnregisterFatBinary(binary: *mut *mut c_void) {
        answer("__cudaUnregisterFatBinary", || {
            registry::remove(binary as usize);
            Ok(())
        });
    }
    fn __cudaRegisterFunction(
        binary: *mut *mut c_void,
        stand_in: *const c_void,
        _device: *mut c_char,
        name: *const c_char,
        _threads: c_int,
        _thread: *mut c_void,
        _block: *mut c_void,
        _block_size: *mut c_void,
        _grid_size: *mut c_void,
        _warp: *mut c_int,
    ) {
        // SAFETY: what nvcc has made, by the caller.
        answer("__cudaRegisterFunction", || unsafe { launch::register_function(binary, stand_in, name) });
    }
    fn __cudaRegisterVar(
        binary: *mut *mut c_void,
        stand_in: *const c_void,
        _device: *mut c_char,
        name: *const c_char,
        _is_external: c_int,
        bytes: usize,
        _is_constant: c_int,
        _is_global: c_int,
    ) {
        // SAFETY: what nvcc has made, by the caller.
        answer("__cudaRegisterVar", || unsafe { launch::register_variable(binary, stand_in, name, bytes) });
    }
    fn __cudaRegisterManagedVar(
        binary: *mut *mut c_void,
        pointer: *mut *mut c_void,
        _device: *mut c_char,
        name: *const c_char,
        _is_external: c_int,
        bytes: usize,
        _is_constant: c_int,
        _is_global: c_int,
    ) {
        // SAFETY: what nvcc has made, by the caller.
        answer("__cudaRegisterManagedVar", || unsafe { launch::register_managed(binary, pointer, name, bytes) });
    }
    fn __cudaInitModule(binary: *mut *mut c_void) -> c_char {
        // SAFETY: what nvcc has made, by the caller.
        let code = answer("__cudaInitModule", || unsafe { launch::begin_managed(binary) });
        (code == 0) as c_char
    }
}
