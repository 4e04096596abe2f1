//! `cudaDeviceProp` (CUDA Runtime API, "Device Management"), whose layout differs between CUDA 12 and 13.

use super::call::{Error, RuntimeResult, check};
use super::device::check_device;
use crate::cu;
use std::ffi::{c_int, c_void};

/// The layout that a program was built with. With CUDA 12 it calls `cudaGetDeviceProperties_v2`, with 13 the name
/// without a suffix.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    Cuda12,
    Cuda13,
}

impl Layout {
    /// Returns the size of the structure.
    fn bytes(self) -> usize {
        match self {
            Layout::Cuda12 => 1032,
            Layout::Cuda13 => 1008,
        }
    }
}

/// The width of a field, in bytes.
#[derive(Clone, Copy)]
enum Width {
    Four,
    Eight,
}

use Width::{Eight, Four};

/// The fields that hold an attribute of the device: the attribute's number (`CUdevice_attribute`), the field's width,
/// its offset in CUDA 12, and its offset in CUDA 13, which has removed some. The offsets are the same up to byte 384.
const FIELDS: [(c_int, Width, usize, Option<usize>); 58] = [
    (8, Eight, 296, Some(296)),  // sharedMemPerBlock
    (12, Four, 304, Some(304)),  // regsPerBlock
    (10, Four, 308, Some(308)),  // warpSize
    (11, Eight, 312, Some(312)), // memPitch
    (1, Four, 320, Some(320)),   // maxThreadsPerBlock
    (2, Four, 324, Some(324)),   // maxThreadsDim
    (3, Four, 328, Some(328)),
    (4, Four, 332, Some(332)),
    (5, Four, 336, Some(336)), // maxGridSize
    (6, Four, 340, Some(340)),
    (7, Four, 344, Some(344)),
    (13, Four, 348, None),       // clockRate
    (9, Eight, 352, Some(352)),  // totalConstMem
    (75, Four, 360, Some(360)),  // major
    (76, Four, 364, Some(364)),  // minor
    (14, Eight, 368, Some(368)), // textureAlignment
    (51, Eight, 376, Some(376)), // texturePitchAlignment
    (15, Four, 384, None),       // deviceOverlap
    (16, Four, 388, Some(384)),  // multiProcessorCount
    (17, Four, 392, None),       // kernelExecTimeoutEnabled
    (18, Four, 396, Some(388)),  // integrated
    (19, Four, 400, Some(392)),  // canMapHostMemory
    (20, Four, 404, None),       // computeMode
    (21, Four, 408, Some(396)),  // maxTexture1D
    (22, Four, 420, Some(404)),  // maxTexture2D
    (23, Four, 424, Some(408)),
    (24, Four, 456, Some(440)), // maxTexture3D
    (25, Four, 460, Some(444)),
    (26, Four, 464, Some(448)),
    (30, Eight, 568, Some(552)), // surfaceAlignment
    (31, Four, 576, Some(560)),  // concurrentKernels
    (32, Four, 580, Some(564)),  // ECCEnabled
    (33, Four, 584, Some(568)),  // pciBusID
    (34, Four, 588, Some(572)),  // pciDeviceID
    (50, Four, 592, Some(576)),  // pciDomainID
    (35, Four, 596, Some(580)),  // tccDriver
    (40, Four, 600, Some(584)),  // asyncEngineCount
    (41, Four, 604, Some(588)),  // unifiedAddressing
    (36, Four, 608, None),       // memoryClockRate
    (37, Four, 612, Some(592)),  // memoryBusWidth
    (38, Four, 616, Some(596)),  // l2CacheSize
    (108, Four, 620, Some(600)), // persistingL2CacheMaxSize
    (39, Four, 624, Some(604)),  // maxThreadsPerMultiProcessor
    (78, Four, 628, Some(608)),  // streamPrioritiesSupported
    (79, Four, 632, Some(612)),  // globalL1CacheSupported
    (80, Four, 636, Some(616)),  // localL1CacheSupported
    (81, Eight, 640, Some(624)), // sharedMemPerMultiprocessor
    (82, Four, 648, Some(632)),  // regsPerMultiprocessor
    (83, Four, 652, Some(636)),  // managedMemory
    (87, Four, 668, None),       // singleToDoublePrecisionPerfRatio
    (89, Four, 676, Some(656)),  // concurrentManagedAccess
    (90, Four, 680, Some(660)),  // computePreemptionSupported
    (91, Four, 684, Some(664)),  // canUseHostPointerForRegisteredMem
    (95, Four, 688, Some(668)),  // cooperativeLaunch
    (97, Eight, 696, Some(672)), // sharedMemPerBlockOptin
    (106, Four, 712, Some(688)), // maxBlocksPerMultiProcessor
    (109, Four, 716, Some(692)), // accessPolicyMaxWindowSize
    (115, Four, 744, Some(720)), // memoryPoolsSupported
];

// The offsets of other fields; two of them differ between CUDA 12 and 13.
const NAME: usize = 0;
const NAME_BYTES: c_int = 256;
const UUID: usize = 256;
const TOTAL_MEMORY: usize = 288;
const RESERVED_SHARED: [usize; 2] = [720, 696];
const HOST_REGISTER: [usize; 2] = [728, 704];

/// `CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED`.
const HOST_REGISTER_SUPPORTED: c_int = 99;
/// `CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK`.
const RESERVED_SHARED_MEMORY_PER_BLOCK: c_int = 111;

/// Returns the bytes of the whole structure. Properties that the device lacks are 0.
fn property_bytes(layout: Layout) -> RuntimeResult<Vec<u8>> {
    let mut bytes = vec![0; layout.bytes()];
    let mut set = |at: usize, width: Width, value: u64| match width {
        Four => bytes[at..at + 4].copy_from_slice(&(value as u32).to_le_bytes()),
        Eight => bytes[at..at + 8].copy_from_slice(&value.to_le_bytes()),
    };
    let index = usize::from(layout == Layout::Cuda13);
    for (number, width, offset_12, offset_13) in FIELDS {
        let offset = if layout == Layout::Cuda12 { Some(offset_12) } else { offset_13 };
        if let Some(offset) = offset {
            set(offset, width, attribute(number)?);
        }
    }
    set(RESERVED_SHARED[index], Eight, attribute(RESERVED_SHARED_MEMORY_PER_BLOCK)?);
    set(HOST_REGISTER[index], Four, attribute(HOST_REGISTER_SUPPORTED)?);
    let (mut memory, mut uuid) = (0, [0; 16]);
    // SAFETY: out-pointers to locals, and room for the name with its NUL.
    unsafe {
        check(cu::cuDeviceTotalMem_v2(&mut memory, 0))?;
        check(cu::cuDeviceGetUuid(&mut uuid, 0))?;
        check(cu::cuDeviceGetName(bytes[NAME..].as_mut_ptr().cast(), NAME_BYTES, 0))?;
    }
    bytes[UUID..UUID + 16].copy_from_slice(&uuid);
    bytes[TOTAL_MEMORY..TOTAL_MEMORY + 8].copy_from_slice(&(memory as u64).to_le_bytes());
    Ok(bytes)
}

/// Returns an attribute of the device.
fn attribute(number: c_int) -> RuntimeResult<u64> {
    let mut value = 0;
    // SAFETY: an out-pointer to a local.
    check(unsafe { cu::cuDeviceGetAttribute(&mut value, number, 0) }).map(|()| value as u64)
}

/// Writes the properties of a device.
///
/// # Safety
/// `properties` is null or has room for the structure of this layout.
pub unsafe fn properties(properties: *mut c_void, device: c_int, layout: Layout) -> RuntimeResult {
    // SAFETY: no pointers.
    check(unsafe { cu::cuInit(0) })?;
    check_device(device)?;
    if properties.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    let bytes = property_bytes(layout)?;
    // SAFETY: as above.
    unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), properties.cast(), bytes.len()) };
    Ok(())
}
