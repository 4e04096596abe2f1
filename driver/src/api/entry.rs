//! The tables of all calls, and entry points by name and version (CUDA Driver API, "Driver Entry Point Access").

use crate::api::{
    Entry, context, copy, device, event, external, graph, graphics, launch, memory, module, newer, numbered, occupancy,
    pool, stream, texture, tools, virtual_memory,
};
use crate::emulated::CallResult;
use crate::emulated::base::outcome::out;
use crate::emulated::calls::device::DRIVER_VERSION;
use crate::types::*;
use cust_raw::CUresult::*;
use std::collections::HashMap;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::{LazyLock, OnceLock};

/// The tables of all calls.
pub(crate) const TABLES: [&[Entry]; 18] = [
    context::ENTRIES,
    copy::ENTRIES,
    device::ENTRIES,
    event::ENTRIES,
    external::ENTRIES,
    graph::ENTRIES,
    graphics::ENTRIES,
    launch::ENTRIES,
    memory::ENTRIES,
    module::ENTRIES,
    newer::ENTRIES,
    numbered::ENTRIES,
    occupancy::ENTRIES,
    pool::ENTRIES,
    stream::ENTRIES,
    texture::ENTRIES,
    tools::ENTRIES,
    virtual_memory::ENTRIES,
];

/// Functions whose form has changed, with the CUDA version of each form: the first has the plain name, the next `_v2`,
/// and so on (`cudaTypedefs.h` of CUDA 13.5). Which forms there are here is another matter.
#[rustfmt::skip]
const FORMS: &[(&str, &[u32])] = &[
    ("cuArray3DCreate", &[2000, 3020]),
    ("cuArray3DGetDescriptor", &[2000, 3020]),
    ("cuArrayCreate", &[2000, 3020]),
    ("cuArrayGetDescriptor", &[2000, 3020]),
    ("cuCtxCreate", &[2000, 3020, 11040, 12050]),
    ("cuCtxDestroy", &[2000, 4000]),
    ("cuCtxGetDevice", &[2000, 13000]),
    ("cuCtxPopCurrent", &[2000, 4000]),
    ("cuCtxPushCurrent", &[2000, 4000]),
    ("cuCtxSynchronize", &[2000, 13000]),
    ("cuDeviceGetUuid", &[9020, 11040]),
    ("cuDevicePrimaryCtxRelease", &[7000, 11000]),
    ("cuDevicePrimaryCtxReset", &[7000, 11000]),
    ("cuDevicePrimaryCtxSetFlags", &[7000, 11000]),
    ("cuDeviceTotalMem", &[2000, 3020]),
    ("cuEventDestroy", &[2000, 4000]),
    ("cuEventElapsedTime", &[2000, 12080]),
    ("cuGetProcAddress", &[11030, 12000]),
    ("cuGraphAddDependencies", &[10000, 12030]),
    ("cuGraphAddKernelNode", &[10000, 12000]),
    ("cuGraphAddNode", &[12020, 12030, 13040]),
    ("cuGraphExecKernelNodeSetParams", &[10010, 12000]),
    ("cuGraphExecUpdate", &[10020, 12000]),
    ("cuGraphGetEdges", &[10000, 12030]),
    ("cuGraphInstantiate", &[10000, 11000]),
    ("cuGraphKernelNodeGetParams", &[10000, 12000]),
    ("cuGraphKernelNodeSetParams", &[10000, 12000]),
    ("cuGraphNodeGetDependencies", &[10000, 12030]),
    ("cuGraphNodeGetDependentNodes", &[10000, 12030]),
    ("cuGraphNodeSetParams", &[12020, 13040]),
    ("cuGraphRemoveDependencies", &[10000, 12030]),
    ("cuGraphicsResourceGetMappedPointer", &[3000, 3020]),
    ("cuGraphicsResourceSetMapFlags", &[3000, 6050]),
    ("cuIpcOpenMemHandle", &[4010, 11000]),
    ("cuLaunchHostFunc", &[10000, 13010]),
    ("cuLinkAddData", &[5050, 6050]),
    ("cuLinkAddFile", &[5050, 6050]),
    ("cuLinkCreate", &[5050, 6050]),
    ("cuMemAdvise", &[8000, 12020]),
    ("cuMemAlloc", &[2000, 3020]),
    ("cuMemAllocHost", &[2000, 3020]),
    ("cuMemAllocPitch", &[2000, 3020]),
    ("cuMemFree", &[2000, 3020]),
    ("cuMemGetAddressRange", &[2000, 3020]),
    ("cuMemGetInfo", &[2000, 3020]),
    ("cuMemHostGetDevicePointer", &[2020, 3020]),
    ("cuMemHostRegister", &[4000, 6050]),
    ("cuMemPrefetchAsync", &[8000, 12020]),
    ("cuMemcpy2D", &[2000, 3020]),
    ("cuMemcpy2DAsync", &[2000, 3020]),
    ("cuMemcpy2DUnaligned", &[2000, 3020]),
    ("cuMemcpy3D", &[2000, 3020]),
    ("cuMemcpy3DAsync", &[2000, 3020]),
    ("cuMemcpy3DBatchAsync", &[12080, 13000]),
    ("cuMemcpyAtoA", &[2000, 3020]),
    ("cuMemcpyAtoD", &[2000, 3020]),
    ("cuMemcpyAtoH", &[2000, 3020]),
    ("cuMemcpyAtoHAsync", &[2000, 3020]),
    ("cuMemcpyBatchAsync", &[12080, 13000]),
    ("cuMemcpyDtoA", &[2000, 3020]),
    ("cuMemcpyDtoD", &[2000, 3020]),
    ("cuMemcpyDtoDAsync", &[3000, 3020]),
    ("cuMemcpyDtoH", &[2000, 3020]),
    ("cuMemcpyDtoHAsync", &[2000, 3020]),
    ("cuMemcpyHtoA", &[2000, 3020]),
    ("cuMemcpyHtoAAsync", &[2000, 3020]),
    ("cuMemcpyHtoD", &[2000, 3020]),
    ("cuMemcpyHtoDAsync", &[2000, 3020]),
    ("cuMemsetD16", &[2000, 3020]),
    ("cuMemsetD2D16", &[2000, 3020]),
    ("cuMemsetD2D32", &[2000, 3020]),
    ("cuMemsetD2D8", &[2000, 3020]),
    ("cuMemsetD32", &[2000, 3020]),
    ("cuMemsetD8", &[2000, 3020]),
    ("cuModuleGetGlobal", &[2000, 3020]),
    ("cuMulticastBindAddr", &[12010, 13010]),
    ("cuMulticastBindMem", &[12010, 13010]),
    ("cuStreamBatchMemOp", &[8000, 11070]),
    ("cuStreamBeginCapture", &[10000, 10010]),
    ("cuStreamDestroy", &[2000, 4000]),
    ("cuStreamGetCaptureInfo", &[10010, 11030, 12030]),
    ("cuStreamGetCtx", &[9020, 12050]),
    ("cuStreamUpdateCaptureDependencies", &[11030, 12030]),
    ("cuStreamWaitValue32", &[8000, 11070]),
    ("cuStreamWaitValue64", &[9000, 11070]),
    ("cuStreamWriteValue32", &[8000, 11070]),
    ("cuStreamWriteValue64", &[9000, 11070]),
    ("cuTexRefGetAddress", &[2000, 3020]),
    ("cuTexRefSetAddress", &[2000, 3020]),
    ("cuTexRefSetAddress2D", &[2020, 3020, 4010]),
];

/// The exported name of the newest form that a program for this version knows. `None`: the function is newer.
fn spelled(base: &str, version: u32) -> Option<String> {
    let Some((_, since)) = FORMS.iter().find(|row| row.0 == base) else { return Some(base.to_string()) };
    match since.iter().filter(|&&since| since <= version).count() {
        0 => None,
        1 => Some(base.to_string()),
        form => Some(format!("{base}_v{form}")),
    }
}

/// Finds further functions by their whole names.
type MoreEntries = fn(&str) -> Option<usize>;

static MORE: OnceLock<MoreEntries> = OnceLock::new();

/// Registers functions that `find` knows beside those of this crate. Later calls have no effect.
pub fn more_entries(find: MoreEntries) {
    let _ = MORE.set(find);
}

/// The address of an exported function, by its whole name.
fn address(name: &str) -> Option<usize> {
    static ENTRIES: LazyLock<HashMap<&str, usize>> =
        LazyLock::new(|| TABLES.concat().into_iter().map(|entry| (entry.name, (entry.address)())).collect());
    ENTRIES.get(name).copied().or_else(|| MORE.get()?(name))
}

/// Returns the function that a program for this version means by a name without suffix; else why there is none.
fn look_up(base: &str, version: u32, per_thread: bool) -> Result<usize, CUdriverProcAddressQueryResult> {
    // No name without a suffix has this in it.
    if base.contains('_') {
        return Err(CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
    }
    let name = spelled(base, version).ok_or(CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT)?;
    // Those whose default stream is the calling thread's own.
    let suffixes = if per_thread { &["_ptsz", "_ptds", ""][..] } else { &[""] };
    let found = suffixes.iter().find_map(|suffix| address(&format!("{name}{suffix}")));
    found.ok_or(CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND)
}

/// The older form, for which a function that is not there is an error.
pub(crate) unsafe fn find(symbol: *const c_char, place: *mut *mut c_void, version: c_int, flags: u64) -> CallResult {
    let mut status = CU_GET_PROC_ADDRESS_SUCCESS;
    // SAFETY: passed on as it came, and an out-pointer to a local.
    unsafe { find_and_say(symbol, place, version, flags, &mut status)? };
    if status == CU_GET_PROC_ADDRESS_SUCCESS { Ok(()) } else { Err(CUDA_ERROR_NOT_FOUND) }
}

/// Works before `cuInit`. What is not there is null, and its status says why: no error, as with a real driver.
pub(crate) unsafe fn find_and_say(
    symbol: *const c_char,
    place: *mut *mut c_void,
    version: c_int,
    flags: u64,
    status: *mut CUdriverProcAddressQueryResult,
) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let place = unsafe { out(place)? };
    if symbol.is_null() || version > DRIVER_VERSION || flags > CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: a NUL-terminated name of the caller.
    let symbol = unsafe { CStr::from_ptr(symbol) }.to_string_lossy();
    let found = look_up(&symbol, version.max(0) as u32, flags == CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM);
    place.set(found.unwrap_or(0) as *mut c_void);
    if !status.is_null() {
        // SAFETY: an out-pointer of the caller.
        unsafe { out(status)? }.set(found.err().unwrap_or(CU_GET_PROC_ADDRESS_SUCCESS));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_table_holds_each_of_the_353_functions_once() {
        let all = TABLES.concat();
        let names: BTreeSet<_> = all.iter().map(|entry| entry.name).collect();
        assert_eq!(names.len(), all.len());
        assert_eq!(all.len() - newer::ENTRIES.len(), 353);
    }

    #[test]
    fn a_version_gets_the_newest_form_it_knows() {
        for (base, version, name) in [
            ("cuMemAlloc", 13000, Some("cuMemAlloc_v2")),
            ("cuMemAlloc", 3010, Some("cuMemAlloc")),
            ("cuCtxCreate", 12040, Some("cuCtxCreate_v3")),
            ("cuCtxCreate", 12050, Some("cuCtxCreate_v4")),
            ("cuDeviceGetUuid", 9000, None),
            ("cuLaunchKernel", 13000, Some("cuLaunchKernel")),
        ] {
            assert_eq!(spelled(base, version).as_deref(), name, "{base} {version}");
        }
    }

    #[test]
    fn every_later_form_of_ours_is_listed() {
        for Entry { name, .. } in TABLES.concat() {
            let Some((base, form)) = name.rsplit_once("_v") else { continue };
            let since = FORMS.iter().find(|row| row.0 == base).map(|row| row.1.len());
            assert!(since.is_some_and(|forms| forms >= form.parse().unwrap()), "{name}");
        }
    }
}
