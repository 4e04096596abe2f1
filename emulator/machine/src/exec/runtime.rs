//! The device runtime's functions by name (CUDA Programming Guide, "CUDA Dynamic Parallelism", "Programming
//! Interface").
//!
//! nvcc compiles `kernel<<<...>>>(...)` in a kernel to two calls: one asks for a buffer for the arguments, the other
//! launches. Functions of the older device runtime, which a GPU of compute capability 9.0 no longer has, are refused
//! by name. Those that copy or set memory are in [`crate::program`]'s library.

/// A function that the emulator runs itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeviceCall {
    GetParameterBuffer,
    Launch { per_thread: bool },
    GetLastError,
    PeekAtLastError,
    GetErrorName,
    GetErrorString,
    GetDevice,
    GetDeviceCount,
    DeviceGetAttribute,
    DeviceGetLimit,
    DeviceGetCacheConfig,
    RuntimeGetVersion,
    StreamCreate,
    StreamDestroy,
    StreamWaitEvent { per_thread: bool },
    EventCreate,
    EventRecord { per_thread: bool },
    EventDestroy,
    Malloc,
    Free,
    Occupancy,
}

impl DeviceCall {
    pub fn parse(name: &str) -> Option<DeviceCall> {
        use DeviceCall::*;
        let name = name.strip_prefix("__cudaCDP2")?;
        let (name, per_thread) = match name.strip_suffix("_ptsz") {
            Some(name) => (name, true),
            None => (name, false),
        };
        Some(match name {
            "GetParameterBufferV2" => GetParameterBuffer,
            "LaunchDeviceV2" => Launch { per_thread },
            "GetLastError" => GetLastError,
            "PeekAtLastError" => PeekAtLastError,
            "GetErrorName" => GetErrorName,
            "GetErrorString" => GetErrorString,
            "GetDevice" => GetDevice,
            "GetDeviceCount" => GetDeviceCount,
            "DeviceGetAttribute" => DeviceGetAttribute,
            "DeviceGetLimit" => DeviceGetLimit,
            "DeviceGetCacheConfig" => DeviceGetCacheConfig,
            "RuntimeGetVersion" => RuntimeGetVersion,
            "StreamCreateWithFlags" => StreamCreate,
            "StreamDestroy" => StreamDestroy,
            "StreamWaitEvent" => StreamWaitEvent { per_thread },
            "EventCreateWithFlags" => EventCreate,
            "EventRecord" | "EventRecordWithFlags" => EventRecord { per_thread },
            "EventDestroy" => EventDestroy,
            "Malloc" => Malloc,
            "Free" => Free,
            "OccupancyMaxActiveBlocksPerMultiprocessor" | "OccupancyMaxActiveBlocksPerMultiprocessorWithFlags" => {
                Occupancy
            }
            _ => return None,
        })
    }
}

/// `cudaError_t`, as far as the device runtime gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CudaErrorCode(pub u32);

pub const SUCCESS: CudaErrorCode = CudaErrorCode(0);
pub const INVALID_VALUE: CudaErrorCode = CudaErrorCode(1);
pub const MEMORY_ALLOCATION: CudaErrorCode = CudaErrorCode(2);
pub const INVALID_CONFIGURATION: CudaErrorCode = CudaErrorCode(9);
pub const MAX_DEPTH_EXCEEDED: CudaErrorCode = CudaErrorCode(65);
pub const PENDING_COUNT_EXCEEDED: CudaErrorCode = CudaErrorCode(69);
pub const INVALID_DEVICE_FUNCTION: CudaErrorCode = CudaErrorCode(98);
pub const INVALID_DEVICE: CudaErrorCode = CudaErrorCode(101);
pub const UNSUPPORTED_LIMIT: CudaErrorCode = CudaErrorCode(215);
pub const INVALID_HANDLE: CudaErrorCode = CudaErrorCode(400);
pub const OUT_OF_RESOURCES: CudaErrorCode = CudaErrorCode(701);
pub const UNKNOWN: CudaErrorCode = CudaErrorCode(999);

impl CudaErrorCode {
    pub const ALL: &'static [CudaErrorCode] = &[
        SUCCESS,
        INVALID_VALUE,
        MEMORY_ALLOCATION,
        INVALID_CONFIGURATION,
        MAX_DEPTH_EXCEEDED,
        PENDING_COUNT_EXCEEDED,
        INVALID_DEVICE_FUNCTION,
        INVALID_DEVICE,
        UNSUPPORTED_LIMIT,
        INVALID_HANDLE,
        OUT_OF_RESOURCES,
        UNKNOWN,
    ];

    pub fn name(self) -> &'static str {
        match self {
            SUCCESS => "cudaSuccess",
            INVALID_VALUE => "cudaErrorInvalidValue",
            MEMORY_ALLOCATION => "cudaErrorMemoryAllocation",
            INVALID_CONFIGURATION => "cudaErrorInvalidConfiguration",
            MAX_DEPTH_EXCEEDED => "cudaErrorLaunchMaxDepthExceeded",
            PENDING_COUNT_EXCEEDED => "cudaErrorLaunchPendingCountExceeded",
            INVALID_DEVICE_FUNCTION => "cudaErrorInvalidDeviceFunction",
            INVALID_DEVICE => "cudaErrorInvalidDevice",
            UNSUPPORTED_LIMIT => "cudaErrorUnsupportedLimit",
            INVALID_HANDLE => "cudaErrorInvalidResourceHandle",
            OUT_OF_RESOURCES => "cudaErrorLaunchOutOfResources",
            _ => "cudaErrorUnknown",
        }
    }

    /// Returns the text of `cudaGetErrorString`: shorter than the host's texts, which differ between versions.
    pub fn text(self) -> &'static str {
        match self {
            SUCCESS => "no error",
            INVALID_VALUE => "invalid argument",
            MEMORY_ALLOCATION => "out of memory",
            INVALID_CONFIGURATION => "invalid configuration argument",
            MAX_DEPTH_EXCEEDED => "launch would exceed maximum depth of nested launches",
            PENDING_COUNT_EXCEEDED => "launch failed due to insufficient pending launch slots",
            INVALID_DEVICE_FUNCTION => "invalid device function",
            INVALID_DEVICE => "invalid device ordinal",
            UNSUPPORTED_LIMIT => "limit is not supported on this architecture",
            INVALID_HANDLE => "invalid resource handle",
            OUT_OF_RESOURCES => "too many resources requested for launch",
            _ => "unknown error",
        }
    }
}
