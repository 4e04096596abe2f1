//! NVML (`libnvidia-ml.so.1`), as far as programs ask it before they use CUDA: one device with its name, memory,
//! versions and place, near all processors of the host. Queries that have no answer here are in
//! [`nvml_names`](crate::nvml_names).

mod types;

use self::types::*;
use crate::cu;
use rustix::thread::{CpuSet, sched_getaffinity};
use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_ulong, c_ulonglong, c_void};

/// `CU_DEVICE_ATTRIBUTE_CLOCK_RATE`, in kHz.
const CLOCK_RATE: c_int = 13;

/// A driver that is new enough for the CUDA version that `cuDriverGetVersion` gives.
const DRIVER_VERSION: &CStr = c"610.00";
const DRIVER_BRANCH: &CStr = c"r610_00";
const NVML_VERSION: &CStr = c"13.610.00";

/// Texts of `nvmlErrorString`, by code.
const ERRORS: [(NvmlReturn, &CStr); 8] = [
    (SUCCESS, c"Success"),
    (INVALID_ARGUMENT, c"Invalid Argument"),
    (NOT_SUPPORTED, c"Not Supported"),
    (NO_PERMISSION, c"Insufficient Permissions"),
    (NOT_FOUND, c"Not Found"),
    (INSUFFICIENT_SIZE, c"Insufficient Size"),
    (ARGUMENT_VERSION_MISMATCH, c"Argument Version Mismatch"),
    (UNKNOWN, c"Unknown Error"),
];

/// Writes a value to an out-pointer.
///
/// # Safety
/// `pointer` is null or writable.
unsafe fn give<T>(pointer: *mut T, value: T) -> NvmlReturn {
    if pointer.is_null() {
        return INVALID_ARGUMENT;
    }
    // SAFETY: by the caller.
    unsafe { pointer.write_unaligned(value) };
    SUCCESS
}

/// Compares the version at the beginning of a structure of the caller's with the first version, which is its size and
/// the number 1 in the highest byte.
///
/// # Safety
/// `to` is null, or points to a structure that begins with a number.
unsafe fn check_version<T>(to: *const T) -> Result<c_uint, NvmlReturn> {
    let first = size_of::<T>() as c_uint | 1 << 24;
    match () {
        () if to.is_null() => Err(INVALID_ARGUMENT),
        // SAFETY: by the caller.
        () if unsafe { to.cast::<c_uint>().read_unaligned() } != first => Err(ARGUMENT_VERSION_MISMATCH),
        () => Ok(first),
    }
}

/// Writes a set of numbers below 1024 as bits, lowest first. Those beyond the array are left out.
///
/// # Safety
/// `to` is null or has `words` words.
unsafe fn give_set(to: *mut c_ulong, words: c_uint, contains: impl Fn(usize) -> bool) -> NvmlReturn {
    if to.is_null() || words == 0 {
        return INVALID_ARGUMENT;
    }
    let bits = c_ulong::BITS as usize;
    for word in 0..words as usize {
        let is_in = |bit: &usize| word * bits + bit < CpuSet::MAX_CPU && contains(word * bits + bit);
        let set = (0..bits).filter(is_in).fold(0, |set, bit| set | 1 << bit);
        // SAFETY: by the caller.
        unsafe { to.add(word).write_unaligned(set) };
    }
    SUCCESS
}

/// Copies text with its NUL.
///
/// # Safety
/// `to` is null or has `length` bytes.
unsafe fn give_text(to: *mut c_char, length: c_uint, text: &CStr) -> NvmlReturn {
    let bytes = text.to_bytes_with_nul();
    match () {
        () if to.is_null() => INVALID_ARGUMENT,
        () if bytes.len() > length as usize => INSUFFICIENT_SIZE,
        () => {
            // SAFETY: by the caller, and the length was compared.
            unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), to.cast(), bytes.len()) };
            SUCCESS
        }
    }
}

/// Runs `query` if this is the device.
fn of(device: NvmlDevice, query: impl FnOnce() -> NvmlReturn) -> NvmlReturn {
    if device == DEVICE { query() } else { INVALID_ARGUMENT }
}

/// The code of a driver call. Its errors have other numbers.
fn check(code: cu::Code) -> Result<(), NvmlReturn> {
    if code == 0 { Ok(()) } else { Err(UNKNOWN) }
}

/// Returns the bytes of device memory: all, and what is free. Without a context nothing is in use.
fn memory() -> Result<(u64, u64), NvmlReturn> {
    let (mut free, mut total) = (0, 0);
    // SAFETY: out-pointers to locals.
    unsafe {
        check(cu::cuInit(0))?;
        if check(cu::cuMemGetInfo_v2(&mut free, &mut total)).is_err() {
            check(cu::cuDeviceTotalMem_v2(&mut total, 0))?;
            free = total;
        }
    }
    Ok((total as u64, free as u64))
}

fn uuid() -> Result<String, NvmlReturn> {
    let mut bytes = [0; 16];
    // SAFETY: an out-pointer to a local.
    unsafe {
        check(cu::cuInit(0))?;
        check(cu::cuDeviceGetUuid(&mut bytes, 0))?;
    }
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let part = |from, to| &digits[from..to];
    Ok(format!("GPU-{}-{}-{}-{}-{}", part(0, 8), part(8, 12), part(12, 16), part(16, 20), part(20, 32)))
}

/// Returns the place on the bus, as in `0000:00:00.0`.
fn bus_id() -> Result<String, NvmlReturn> {
    let mut text = [0_u8; 16];
    // SAFETY: a buffer and its length.
    unsafe {
        check(cu::cuInit(0))?;
        check(cu::cuDeviceGetPCIBusId(text.as_mut_ptr().cast(), text.len() as c_int, 0))?;
    }
    CStr::from_bytes_until_nul(&text).map_or(Err(UNKNOWN), |text| Ok(text.to_string_lossy().into_owned()))
}

fn pci_info() -> Result<PciInfo, NvmlReturn> {
    let id = bus_id()?;
    let number = |text: &str| u32::from_str_radix(text, 16).unwrap_or(0);
    let mut parts = id.split([':', '.']).map(number);
    let mut next = || parts.next().unwrap_or(0);
    let (domain, bus, device) = (next(), next(), next());
    let place = PciPlace { short_id: [0; 16], domain, bus, device, device_id: 0, subsystem_id: 0 };
    let mut info = PciInfo { place, id: [0; 32] };
    info.place.short_id[..id.len()].copy_from_slice(id.as_bytes());
    let long = format!("{domain:08X}:{bus:02X}:{device:02X}.0");
    info.id[..long.len()].copy_from_slice(long.as_bytes());
    Ok(info)
}

/// Returns the processors that the program may use. All of them are near the device, which is where they are.
fn processors() -> Result<CpuSet, NvmlReturn> {
    sched_getaffinity(None).map_err(|_| UNKNOWN)
}

/// Returns the rate in MHz. The emulated device has one clock for everything.
fn clock_rate() -> Result<c_uint, NvmlReturn> {
    let mut rate = 0;
    // SAFETY: an out-pointer to a local.
    unsafe {
        check(cu::cuInit(0))?;
        check(cu::cuDeviceGetAttribute(&mut rate, CLOCK_RATE, 0))?;
    }
    Ok(rate as c_uint / 1000)
}

/// Returns the command that a process was started by, as `nvidia-smi` shows it: without arguments.
fn process_name(process: c_uint) -> Result<Vec<u8>, NvmlReturn> {
    let command = std::fs::read(format!("/proc/{process}/cmdline")).map_err(|_| NOT_FOUND)?;
    Ok(command.split(|byte| *byte == 0).next().unwrap_or_default().to_vec())
}

/// Returns true if this is the text that a caller gives to find the device by, without regard to case and leading
/// zeros, and to `GPU-` before a UUID.
///
/// # Safety
/// `text` is null or ends with NUL.
unsafe fn is_text(text: *const c_char, known: Result<String, NvmlReturn>) -> bool {
    if text.is_null() {
        return false;
    }
    // SAFETY: by the caller.
    let given = unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned();
    let plain = |text: String| {
        let text = text.to_ascii_lowercase();
        text.strip_prefix("gpu-").unwrap_or(&text).trim_start_matches('0').to_string()
    };
    known.is_ok_and(|known| plain(known) == plain(given))
}

/// The C functions of NVML, a line each. A second name is an older or newer form of the same arguments.
macro_rules! functions {
    ($($name:ident $(/ $other:ident)* ($($arg:ident: $ty:ty),*) => $body:expr;)*) => {
        $(functions!(@one [$name $($other)*] ($($arg: $ty),*) => $body);)*
    };
    (@one [$($name:ident)*] $arguments:tt => $body:expr) => {
        $(functions!(@define $name $arguments => $body);)*
    };
    (@define $name:ident ($($arg:ident: $ty:ty),*) => $body:expr) => {
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name($($arg: $ty),*) -> NvmlReturn {
            // A panic is ours, never the caller's, and must not cross into C.
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| $body)).unwrap_or(UNKNOWN)
        }
    };
}

/// Queries of the device that have the same answer at any time, a line each: what is written to the out-pointer.
macro_rules! values {
    ($($name:ident: $ty:ty = $value:expr;)*) => {
        functions! {
            // SAFETY: an out-pointer of the caller.
            $($name(device: NvmlDevice, to: *mut $ty) => of(device, || unsafe { give(to, $value) });)*
        }
    };
}

values! {
    nvmlDeviceGetIndex: c_uint = 0;
    nvmlDeviceGetMinorNumber: c_uint = 0;
    nvmlDeviceGetArchitecture: c_uint = ARCHITECTURE_HOPPER;
    nvmlDeviceGetBrand: c_uint = BRAND_UNKNOWN;
    nvmlDeviceGetComputeMode: c_uint = COMPUTE_MODE_DEFAULT;
    nvmlDeviceGetDisplayMode: c_uint = DISABLED;
    nvmlDeviceGetDisplayActive: c_uint = DISABLED;
    nvmlDeviceGetPersistenceMode: c_uint = ENABLED;
    nvmlDeviceGetPerformanceState: c_uint = PSTATE_0;
    nvmlDeviceGetPowerState: c_uint = PSTATE_0;
    nvmlDeviceGetNumFans: c_uint = 0;
    nvmlDeviceGetMultiGpuBoard: c_uint = 0;
    nvmlDeviceIsMigDeviceHandle: c_uint = 0;
    nvmlDeviceGetMaxMigDeviceCount: c_uint = 0;
    // Sets of bits: no event is reported, and nothing slows the clock.
    nvmlDeviceGetSupportedEventTypes: c_ulonglong = 0;
    nvmlDeviceGetSupportedClocksEventReasons: c_ulonglong = 0;
    nvmlDeviceGetCurrentClocksEventReasons: c_ulonglong = 0;
    nvmlDeviceGetSupportedClocksThrottleReasons: c_ulonglong = 0;
    nvmlDeviceGetCurrentClocksThrottleReasons: c_ulonglong = 0;
    // Nothing is busy when a program asks: work runs when something waits for it.
    nvmlDeviceGetUtilizationRates: [c_uint; 2] = [0, 0];
}

functions! {
    nvmlInit / nvmlInit_v2 () => SUCCESS;
    nvmlInitWithFlags(_flags: c_uint) => SUCCESS;
    nvmlShutdown() => SUCCESS;
    // SAFETY: the caller's buffer, with its length.
    nvmlSystemGetDriverVersion(to: *mut c_char, length: c_uint) => unsafe { give_text(to, length, DRIVER_VERSION) };
    // SAFETY: as above.
    nvmlSystemGetNVMLVersion(to: *mut c_char, length: c_uint) => unsafe { give_text(to, length, NVML_VERSION) };
    nvmlSystemGetDriverBranch(to: *mut DriverBranchInfo, length: c_uint) => {
        // SAFETY: a structure of the caller, which begins with its version and has 80 bytes for the text.
        unsafe {
            match check_version(to) {
                Ok(_) => give_text((&raw mut (*to).branch).cast(), length.min(80), DRIVER_BRANCH),
                Err(code) => code,
            }
        }
    };
    nvmlSystemGetProcessName(process: c_uint, to: *mut c_char, length: c_uint) => match process_name(process) {
        Ok(mut name) => {
            name.truncate((length as usize).saturating_sub(1));
            // SAFETY: the caller's buffer, with its length.
            unsafe { give_text(to, length, &CString::new(name).unwrap_or_default()) }
        }
        Err(code) => code,
    };
    nvmlSystemGetTopologyGpuSet(processor: c_uint, count: *mut c_uint, devices: *mut NvmlDevice) => {
        let processor = processor as usize;
        let is_near = processor < CpuSet::MAX_CPU && processors().is_ok_and(|all| all.is_set(processor));
        // SAFETY: the caller's count, which says how many devices there is room for.
        unsafe {
            if is_near && !count.is_null() && count.read_unaligned() > 0 && !devices.is_null() {
                give(devices, DEVICE);
            }
            give(count, is_near.into())
        }
    };
    nvmlSystemGetCudaDriverVersion / nvmlSystemGetCudaDriverVersion_v2 (version: *mut c_int) => {
        // SAFETY: an out-pointer of the caller, which the driver checks.
        if unsafe { cu::cuDriverGetVersion(version) } == 0 { SUCCESS } else { INVALID_ARGUMENT }
    };
    // SAFETY: an out-pointer of the caller, here and below.
    nvmlDeviceGetCount / nvmlDeviceGetCount_v2 (count: *mut c_uint) => unsafe { give(count, 1) };
    nvmlDeviceGetHandleByIndex / nvmlDeviceGetHandleByIndex_v2 (index: c_uint, device: *mut NvmlDevice) => {
        // SAFETY: as above.
        if index == 0 { unsafe { give(device, DEVICE) } } else { INVALID_ARGUMENT }
    };
    nvmlDeviceGetHandleByUUID(text: *const c_char, device: *mut NvmlDevice) => {
        // SAFETY: as above, and text that ends with NUL.
        unsafe { if is_text(text, uuid()) { give(device, DEVICE) } else { NOT_FOUND } }
    };
    nvmlDeviceGetHandleByPciBusId / nvmlDeviceGetHandleByPciBusId_v2 (text: *const c_char, device: *mut NvmlDevice) => {
        // SAFETY: as above, and text that ends with NUL.
        unsafe { if is_text(text, bus_id()) { give(device, DEVICE) } else { NOT_FOUND } }
    };
    nvmlDeviceGetName(device: NvmlDevice, to: *mut c_char, length: c_uint) => of(device, || {
        // SAFETY: the caller's buffer, with its length.
        if unsafe { cu::cuInit(0) != 0 || cu::cuDeviceGetName(to, length as c_int, 0) != 0 } {
            return INVALID_ARGUMENT;
        }
        SUCCESS
    });
    nvmlDeviceGetUUID(device: NvmlDevice, to: *mut c_char, length: c_uint) => of(device, || match uuid() {
        // SAFETY: as above.
        Ok(text) => unsafe { give_text(to, length, &CString::new(text).unwrap_or_default()) },
        Err(code) => code,
    });
    nvmlDeviceGetMemoryInfo(device: NvmlDevice, to: *mut MemoryInfo) => of(device, || match memory() {
        // SAFETY: as above.
        Ok((total, free)) => unsafe { give(to, MemoryInfo { total, free, used: total - free }) },
        Err(code) => code,
    });
    nvmlDeviceGetMemoryInfo_v2(device: NvmlDevice, to: *mut MemoryInfoV2) => of(device, || {
        // SAFETY: a struct of the caller, which begins with its version.
        let version = if to.is_null() { return INVALID_ARGUMENT } else { unsafe { (&raw const (*to).version).read() } };
        match memory() {
            // SAFETY: as above.
            Ok((total, free)) => unsafe {
                give(to, MemoryInfoV2 { version, total, reserved: 0, free, used: total - free })
            },
            Err(code) => code,
        }
    });
    nvmlDeviceGetCudaComputeCapability(device: NvmlDevice, major: *mut c_int, minor: *mut c_int) => of(device, || {
        if major.is_null() || minor.is_null() {
            return INVALID_ARGUMENT;
        }
        // SAFETY: out-pointers of the caller. The numbers are those of `CUdevice_attribute`.
        let done = unsafe {
            check(cu::cuInit(0))
                .and_then(|()| check(cu::cuDeviceGetAttribute(major, 75, 0)))
                .and_then(|()| check(cu::cuDeviceGetAttribute(minor, 76, 0)))
        };
        done.err().unwrap_or(SUCCESS)
    });
    nvmlDeviceGetPciInfo / nvmlDeviceGetPciInfo_v2 (device: NvmlDevice, to: *mut PciPlace) => {
        of(device, || match pci_info() {
            // SAFETY: an out-pointer of the caller.
            Ok(info) => unsafe { give(to, info.place) },
            Err(code) => code,
        })
    };
    nvmlDeviceGetPciInfoExt(device: NvmlDevice, to: *mut PciInfoExt) => {
        // SAFETY: a structure of the caller, which begins with its version.
        of(device, || match unsafe { check_version(to) }.and_then(|version| Ok((version, pci_info()?))) {
            Ok((version, PciInfo { place, id })) => {
                let PciPlace { domain, bus, device, device_id, subsystem_id, .. } = place;
                let (base_class, sub_class) = (BASE_CLASS, SUB_CLASS);
                let info =
                    PciInfoExt { version, domain, bus, device, device_id, subsystem_id, base_class, sub_class, id };
                // SAFETY: as above.
                unsafe { give(to, info) }
            }
            Err(code) => code,
        })
    };
    nvmlDeviceGetPciInfo_v3(device: NvmlDevice, to: *mut PciInfo) => {
        of(device, || match pci_info() {
            // SAFETY: an out-pointer of the caller.
            Ok(info) => unsafe { give(to, info) },
            Err(code) => code,
        })
    };
    nvmlDeviceGetComputeRunningProcesses / nvmlDeviceGetComputeRunningProcesses_v3
        / nvmlDeviceGetGraphicsRunningProcesses_v3 / nvmlDeviceGetMPSComputeRunningProcesses_v3
        (device: NvmlDevice, count: *mut c_uint, _infos: *mut c_void) => {
        // SAFETY: as above.
        of(device, || unsafe { give(count, 0) })
    };
    nvmlDeviceGetTemperature(device: NvmlDevice, _sensor: c_uint, _to: *mut c_uint) => of(device, || NOT_SUPPORTED);
    nvmlDeviceGetPowerUsage(device: NvmlDevice, _to: *mut c_uint) => of(device, || NOT_SUPPORTED);
    nvmlDeviceGetFanSpeed(device: NvmlDevice, _to: *mut c_uint) => of(device, || NOT_SUPPORTED);
    // As without the rights of root.
    nvmlDeviceSetPersistenceMode(device: NvmlDevice, _mode: c_uint) => of(device, || NO_PERMISSION);
    nvmlDeviceGetMigMode(device: NvmlDevice, now: *mut c_uint, pending: *mut c_uint) => of(device, || {
        // SAFETY: out-pointers of the caller.
        unsafe { give(now, DISABLED).max(give(pending, DISABLED)) }
    });
    nvmlDeviceGetCpuAffinity(device: NvmlDevice, words: c_uint, to: *mut c_ulong) => {
        of(device, || match processors() {
            // SAFETY: the caller's array, with its length.
            Ok(all) => unsafe { give_set(to, words, |processor| all.is_set(processor)) },
            Err(code) => code,
        })
    };
    nvmlDeviceGetCpuAffinityWithinScope(device: NvmlDevice, words: c_uint, to: *mut c_ulong, scope: c_uint) => {
        // SAFETY: as above.
        if scope < SCOPES { unsafe { nvmlDeviceGetCpuAffinity(device, words, to) } } else { INVALID_ARGUMENT }
    };
    nvmlDeviceGetMemoryAffinity(device: NvmlDevice, words: c_uint, to: *mut c_ulong, scope: c_uint) => {
        // SAFETY: as above.
        of(device, || if scope < SCOPES { unsafe { give_set(to, words, |node| node == 0) } } else { INVALID_ARGUMENT })
    };
    nvmlDeviceGetClockInfo / nvmlDeviceGetMaxClockInfo (device: NvmlDevice, kind: c_uint, to: *mut c_uint) => {
        of(device, || match clock_rate() {
            // SAFETY: an out-pointer of the caller.
            Ok(rate) if kind < CLOCKS => unsafe { give(to, rate) },
            Ok(_) => INVALID_ARGUMENT,
            Err(code) => code,
        })
    };
    nvmlDeviceGetClock(device: NvmlDevice, kind: c_uint, which: c_uint, to: *mut c_uint) => {
        // SAFETY: as above.
        if which == CLOCK_CURRENT { unsafe { nvmlDeviceGetClockInfo(device, kind, to) } } else { NOT_SUPPORTED }
    };
    nvmlDeviceGetMinMaxClockOfPState
        (device: NvmlDevice, kind: c_uint, state: c_uint, least: *mut c_uint, most: *mut c_uint) => {
        if state != PSTATE_0 {
            return INVALID_ARGUMENT;
        }
        // SAFETY: as above.
        unsafe { nvmlDeviceGetClockInfo(device, kind, least).max(nvmlDeviceGetClockInfo(device, kind, most)) }
    };
    // Each value has a code of its own.
    nvmlDeviceGetFieldValues(device: NvmlDevice, count: c_int, values: *mut FieldValue) => of(device, || {
        if values.is_null() {
            return INVALID_ARGUMENT;
        }
        for at in 0..usize::try_from(count).unwrap_or(0) {
            // SAFETY: `count` structures of the caller.
            let FieldValue { field_id, scope_id, .. } = unsafe { values.add(at).read_unaligned() };
            let (timestamp, latency, value_type, value) = (0, 0, 0, 0);
            let value = FieldValue { field_id, scope_id, timestamp, latency, value_type, code: NOT_SUPPORTED, value };
            // SAFETY: as above.
            unsafe { values.add(at).write_unaligned(value) };
        }
        SUCCESS
    });
    // There is no other device.
    nvmlDeviceGetTopologyNearestGpus
        (device: NvmlDevice, _level: c_uint, count: *mut c_uint, _devices: *mut NvmlDevice) => {
        // SAFETY: an out-pointer of the caller.
        of(device, || unsafe { give(count, 0) })
    };
    nvmlDeviceGetP2PStatus(_one: NvmlDevice, _other: NvmlDevice, _index: c_uint, _to: *mut c_uint) => NOT_SUPPORTED;
}

#[unsafe(no_mangle)]
extern "C" fn nvmlErrorString(code: NvmlReturn) -> *const c_char {
    let known = ERRORS.iter().find(|(known, _)| *known == code);
    known.map_or(c"Unknown Error".as_ptr(), |(_, text)| text.as_ptr())
}
