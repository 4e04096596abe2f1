//! NVML (`libnvidia-ml.so.1`), as far as programs ask it before they use CUDA: one device with its name, memory,
//! versions and place. Queries that have no answer here are in [`nvml_names`](crate::nvml_names).

use crate::cu;
use std::ffi::{CStr, c_char, c_int, c_uint, c_ulonglong, c_void};

/// `nvmlReturn_t`
type NvmlReturn = c_uint;
const SUCCESS: NvmlReturn = 0;
const INVALID_ARGUMENT: NvmlReturn = 2;
const NOT_SUPPORTED: NvmlReturn = 3;
const NOT_FOUND: NvmlReturn = 6;
const INSUFFICIENT_SIZE: NvmlReturn = 7;
const UNKNOWN: NvmlReturn = 999;

/// `nvmlDeviceArchitecture_t` of compute capability 9.0.
const ARCHITECTURE_HOPPER: c_uint = 9;
/// `nvmlBrandType_t`
const BRAND_UNKNOWN: c_uint = 0;

/// `nvmlDevice_t`. Any value that is not null would do.
type NvmlDevice = *mut c_void;
const DEVICE: NvmlDevice = 1 as NvmlDevice;

/// A driver that is new enough for the CUDA version that `cuDriverGetVersion` gives.
const DRIVER_VERSION: &CStr = c"610.00";
const NVML_VERSION: &CStr = c"13.610.00";

/// Texts of `nvmlErrorString`, by code.
const ERRORS: [(NvmlReturn, &CStr); 6] = [
    (SUCCESS, c"Success"),
    (INVALID_ARGUMENT, c"Invalid Argument"),
    (NOT_SUPPORTED, c"Not Supported"),
    (NOT_FOUND, c"Not Found"),
    (INSUFFICIENT_SIZE, c"Insufficient Size"),
    (UNKNOWN, c"Unknown Error"),
];

/// `nvmlMemory_t`, in bytes.
#[repr(C)]
struct MemoryInfo {
    total: c_ulonglong,
    free: c_ulonglong,
    used: c_ulonglong,
}

/// `nvmlMemory_v2_t`, in bytes.
#[repr(C)]
struct MemoryInfoV2 {
    version: c_uint,
    total: c_ulonglong,
    reserved: c_ulonglong,
    free: c_ulonglong,
    used: c_ulonglong,
}

/// `nvmlPciInfo_t`
#[repr(C)]
struct PciInfo {
    place: PciPlace,
    id: [u8; 32],
}

/// The fields that the older forms of the structure have, too. These have 16 reserved bytes after them.
#[repr(C)]
struct PciPlace {
    short_id: [u8; 16],
    domain: c_uint,
    bus: c_uint,
    device: c_uint,
    device_id: c_uint,
    subsystem_id: c_uint,
}

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

/// The text that a caller gives to find the device by, without regard to case and leading zeros.
///
/// # Safety
/// `text` is null or ends with NUL.
unsafe fn is_text(text: *const c_char, known: Result<String, NvmlReturn>) -> bool {
    if text.is_null() {
        return false;
    }
    // SAFETY: by the caller.
    let given = unsafe { CStr::from_ptr(text) }.to_string_lossy().to_ascii_lowercase();
    known.is_ok_and(|known| known.to_ascii_lowercase().trim_start_matches('0') == given.trim_start_matches('0'))
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

functions! {
    nvmlInit / nvmlInit_v2 () => SUCCESS;
    nvmlInitWithFlags(_flags: c_uint) => SUCCESS;
    nvmlShutdown() => SUCCESS;
    // SAFETY: the caller's buffer, with its length.
    nvmlSystemGetDriverVersion(to: *mut c_char, length: c_uint) => unsafe { give_text(to, length, DRIVER_VERSION) };
    // SAFETY: as above.
    nvmlSystemGetNVMLVersion(to: *mut c_char, length: c_uint) => unsafe { give_text(to, length, NVML_VERSION) };
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
    // SAFETY: as above.
    nvmlDeviceGetIndex(device: NvmlDevice, index: *mut c_uint) => of(device, || unsafe { give(index, 0) });
    // SAFETY: as above.
    nvmlDeviceGetMinorNumber(device: NvmlDevice, number: *mut c_uint) => of(device, || unsafe { give(number, 0) });
    nvmlDeviceGetName(device: NvmlDevice, to: *mut c_char, length: c_uint) => of(device, || {
        // SAFETY: the caller's buffer, with its length.
        if unsafe { cu::cuInit(0) != 0 || cu::cuDeviceGetName(to, length as c_int, 0) != 0 } {
            return INVALID_ARGUMENT;
        }
        SUCCESS
    });
    nvmlDeviceGetUUID(device: NvmlDevice, to: *mut c_char, length: c_uint) => of(device, || match uuid() {
        // SAFETY: as above.
        Ok(text) => unsafe { give_text(to, length, &std::ffi::CString::new(text).unwrap_or_default()) },
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
    nvmlDeviceGetPciInfo_v3(device: NvmlDevice, to: *mut PciInfo) => {
        of(device, || match pci_info() {
            // SAFETY: an out-pointer of the caller.
            Ok(info) => unsafe { give(to, info) },
            Err(code) => code,
        })
    };
    nvmlDeviceGetArchitecture(device: NvmlDevice, to: *mut c_uint) => {
        // SAFETY: as above.
        of(device, || unsafe { give(to, ARCHITECTURE_HOPPER) })
    };
    nvmlDeviceGetBrand(device: NvmlDevice, to: *mut c_uint) => {
        // SAFETY: as above.
        of(device, || unsafe { give(to, BRAND_UNKNOWN) })
    };
    // Nothing is busy when a program asks: work runs when something waits for it.
    nvmlDeviceGetUtilizationRates(device: NvmlDevice, to: *mut [c_uint; 2]) => {
        // SAFETY: as above.
        of(device, || unsafe { give(to, [0, 0]) })
    };
    nvmlDeviceGetComputeRunningProcesses / nvmlDeviceGetComputeRunningProcesses_v3
        (device: NvmlDevice, count: *mut c_uint, _infos: *mut c_void) => {
        // SAFETY: as above.
        of(device, || unsafe { give(count, 0) })
    };
    nvmlDeviceGetTemperature(device: NvmlDevice, _sensor: c_uint, _to: *mut c_uint) => of(device, || NOT_SUPPORTED);
    nvmlDeviceGetPowerUsage(device: NvmlDevice, _to: *mut c_uint) => of(device, || NOT_SUPPORTED);
    nvmlDeviceGetFanSpeed(device: NvmlDevice, _to: *mut c_uint) => of(device, || NOT_SUPPORTED);
    nvmlDeviceGetPersistenceMode(device: NvmlDevice, _to: *mut c_uint) => of(device, || NOT_SUPPORTED);
    nvmlDeviceGetMigMode(device: NvmlDevice, _now: *mut c_uint, _pending: *mut c_uint) => of(device, || NOT_SUPPORTED);
    // There is no other device.
    nvmlDeviceGetP2PStatus(_one: NvmlDevice, _other: NvmlDevice, _index: c_uint, _to: *mut c_uint) => NOT_SUPPORTED;
}

#[unsafe(no_mangle)]
extern "C" fn nvmlErrorString(code: NvmlReturn) -> *const c_char {
    let known = ERRORS.iter().find(|(known, _)| *known == code);
    known.map_or(c"Unknown Error".as_ptr(), |(_, text)| text.as_ptr())
}
