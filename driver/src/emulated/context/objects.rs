//! The objects of a context, without the calls that act on them.

use crate::emulated::base::outcome::CallResult;
use crate::emulated::queue::StreamMark;
use cust_raw::CUfunction_attribute_enum::*;
use cust_raw::CUresult::CUDA_ERROR_INVALID_VALUE;
use cust_raw::{CUDA_ARRAY3D_DESCRIPTOR, CUDA_TEXTURE_DESC, CUarray_format};
use emulator::{Kernel, LoadedModule, MOST_IN_CLUSTER, Profile};
use std::ffi::{CString, c_int, c_uint};
use std::sync::Arc;
use std::time::Duration;

pub(crate) struct Module {
    pub(crate) loaded: Arc<LoadedModule>,
    /// Handles given out, by kernel: asking again gives the same one.
    pub(crate) functions: Vec<Option<u64>>,
}

pub(crate) struct Function {
    pub(crate) loaded: Arc<LoadedModule>,
    pub(crate) module: u64,
    pub(crate) index: usize,
    pub(crate) settings: Settings,
    /// For `cuFuncGetName`, as C has it.
    pub(crate) name: CString,
    pub(crate) in_steps: StepLaunch,
}

/// Launch settings of a function, as the deprecated calls make them.
#[derive(Clone)]
pub(crate) struct StepLaunch {
    pub(crate) block: [u32; 3],
    pub(crate) shared: u32,
    pub(crate) parameters: Vec<u8>,
}

impl Default for StepLaunch {
    fn default() -> StepLaunch {
        StepLaunch { block: [1; 3], shared: 0, parameters: Vec::new() }
    }
}

/// Attributes by number, as a newer header may know more of them.
const MAX_THREADS_PER_BLOCK: c_uint = CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK as c_uint;
const SHARED_SIZE_BYTES: c_uint = CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES as c_uint;
const CONST_SIZE_BYTES: c_uint = CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES as c_uint;
const LOCAL_SIZE_BYTES: c_uint = CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES as c_uint;
const NUM_REGS: c_uint = CU_FUNC_ATTRIBUTE_NUM_REGS as c_uint;
const PTX_VERSION: c_uint = CU_FUNC_ATTRIBUTE_PTX_VERSION as c_uint;
const BINARY_VERSION: c_uint = CU_FUNC_ATTRIBUTE_BINARY_VERSION as c_uint;
const CACHE_MODE_CA: c_uint = CU_FUNC_ATTRIBUTE_CACHE_MODE_CA as c_uint;
const MAX_DYNAMIC_SHARED: c_uint = CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES as c_uint;
const CARVEOUT: c_uint = CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT as c_uint;
/// Attributes of thread block clusters: whether the launch must give their size, the three sides that are compiled in,
/// whether more than eight blocks are allowed, and the scheduling policy.
const CLUSTER_MUST_BE_SET: c_uint = 10;
const CLUSTER_SIDES: std::ops::RangeInclusive<c_uint> = 11..=13;
const NON_PORTABLE_CLUSTER: c_uint = 14;
const CLUSTER_POLICY: c_uint = 15;
/// Blocks of a cluster that every GPU with clusters has room for.
const PORTABLE_CLUSTER: u32 = 8;

/// The program's settings for a kernel.
#[derive(Clone, Copy)]
pub(crate) struct Settings {
    /// `None`: what a block has without opting in.
    pub(crate) max_dynamic_shared: Option<u32>,
    pub(crate) carveout: c_int,
    /// Clusters may have more blocks than [`PORTABLE_CLUSTER`].
    pub(crate) non_portable_cluster: bool,
    /// The blocks of a cluster along each axis, for launches of a kernel that is compiled for none; zeros: not set.
    pub(crate) cluster: [u32; 3],
    /// Changes no result.
    cluster_policy: c_int,
}

impl Settings {
    pub(crate) const fn new() -> Settings {
        Settings {
            max_dynamic_shared: None,
            carveout: -1,
            non_portable_cluster: false,
            cluster: [0; 3],
            cluster_policy: 0,
        }
    }

    /// The clusters of a launch that asks for `asked`: as set for the function, if the launch does not say it. What is
    /// compiled in is looked at later.
    pub(crate) fn cluster(&self, asked: Option<[u32; 3]>) -> CallResult<Option<[u32; 3]>> {
        match (self.cluster, asked) {
            ([0, 0, 0], asked) => Ok(asked),
            (set, _) if set.contains(&0) => Err(CUDA_ERROR_INVALID_VALUE),
            (set, Some(asked)) if asked != set => Err(CUDA_ERROR_INVALID_VALUE),
            (set, _) => Ok(Some(set)),
        }
    }

    /// Dynamic shared memory that a launch may ask for.
    pub(crate) fn max_dynamic_shared(&self, kernel: &Kernel, profile: &Profile) -> u32 {
        let default = profile.shared_per_block.saturating_sub(kernel.shared_bytes);
        self.max_dynamic_shared.unwrap_or(default)
    }

    /// The most blocks that a cluster of a launch may have.
    pub(crate) fn most_in_cluster(&self) -> u32 {
        if self.non_portable_cluster { MOST_IN_CLUSTER } else { PORTABLE_CLUSTER }
    }

    /// An attribute of this kernel.
    pub(crate) fn attribute(&self, kernel: &Kernel, profile: &Profile, attribute: c_uint) -> CallResult<c_int> {
        Ok(match attribute {
            MAX_THREADS_PER_BLOCK => kernel.max_threads as c_int,
            SHARED_SIZE_BYTES => kernel.shared_bytes as c_int,
            CONST_SIZE_BYTES => kernel.const_bytes as c_int,
            LOCAL_SIZE_BYTES => kernel.local_bytes as c_int,
            NUM_REGS => kernel.registers as c_int,
            // The virtual architecture, as CUB relies on, and what a driver would have compiled it for.
            PTX_VERSION => kernel.written_for as c_int,
            BINARY_VERSION => (profile.capability.0 * 10 + profile.capability.1) as c_int,
            MAX_DYNAMIC_SHARED => self.max_dynamic_shared(kernel, profile) as c_int,
            CARVEOUT => self.carveout,
            CACHE_MODE_CA => 0,
            side if CLUSTER_SIDES.contains(&side) => {
                let cluster = kernel.required_cluster.unwrap_or(self.cluster);
                cluster[(side - CLUSTER_SIDES.start()) as usize] as c_int
            }
            NON_PORTABLE_CLUSTER => c_int::from(self.non_portable_cluster),
            CLUSTER_MUST_BE_SET => c_int::from(kernel.needs_cluster || kernel.required_cluster.is_some()),
            CLUSTER_POLICY => self.cluster_policy,
            _ => return Err(CUDA_ERROR_INVALID_VALUE),
        })
    }

    /// With this attribute set.
    pub(crate) fn with(
        self,
        kernel: &Kernel,
        profile: &Profile,
        attribute: c_uint,
        value: c_int,
    ) -> CallResult<Settings> {
        let room = profile.shared_per_block_optin.saturating_sub(kernel.shared_bytes);
        match attribute {
            MAX_DYNAMIC_SHARED if (0..=room as c_int).contains(&value) => {
                Ok(Settings { max_dynamic_shared: Some(value as u32), ..self })
            }
            CARVEOUT if (-1..=100).contains(&value) => Ok(Settings { carveout: value, ..self }),
            NON_PORTABLE_CLUSTER => Ok(Settings { non_portable_cluster: value != 0, ..self }),
            CLUSTER_POLICY if (0..=2).contains(&value) => Ok(Settings { cluster_policy: value, ..self }),
            side if CLUSTER_SIDES.contains(&side) && value >= 0 => {
                let (nth, blocks) = ((side - CLUSTER_SIDES.start()) as usize, value as u32);
                if let Some(required) = kernel.required_cluster {
                    // As on an H200: the size that is compiled in may be set again, and no other.
                    return if required[nth] == blocks { Ok(self) } else { Err(CUDA_ERROR_INVALID_VALUE) };
                }
                let mut cluster = self.cluster;
                cluster[nth] = blocks;
                Ok(Settings { cluster, ..self })
            }
            _ => Err(CUDA_ERROR_INVALID_VALUE),
        }
    }
}

impl Function {
    pub(crate) fn new(loaded: Arc<LoadedModule>, module: u64, index: usize) -> Function {
        let name = c_name(&loaded.program.kernels()[index]);
        Function { loaded, module, index, settings: Settings::new(), name, in_steps: StepLaunch::default() }
    }

    pub(crate) fn kernel(&self) -> &Kernel {
        &self.loaded.program.kernels()[self.index]
    }
}

/// A kernel's name for C. A name in PTX holds no NUL.
pub(crate) fn c_name(kernel: &Kernel) -> CString {
    CString::new(kernel.name.as_str()).unwrap_or_default()
}

/// Priorities are accepted and have no effect on what runs first.
pub(crate) const LEAST_PRIORITY: c_int = 0;
pub(crate) const GREATEST_PRIORITY: c_int = -5;

#[derive(Clone, Copy, Default)]
pub(crate) struct Stream {
    pub(crate) flags: u32,
    pub(crate) priority: c_int,
}

pub(crate) struct Event {
    pub(crate) flags: u32,
    /// The stream position where it was last recorded.
    pub(crate) recorded: Option<StreamMark>,
    /// When the stream got to that record.
    pub(crate) time: Option<Duration>,
    /// The point where it was recorded since, in a stream that was captured.
    pub(crate) captured: Option<Captured>,
}

/// The point of a capture that an event stands for, if it was recorded in a captured stream.
#[derive(Clone)]
pub(crate) struct Captured {
    pub(crate) capture: u64,
    pub(crate) nodes: Vec<u64>,
}

pub(crate) struct Array {
    pub(crate) address: u64,
    /// Bytes of a row, and rows of a slice.
    pub(crate) pitch: usize,
    pub(crate) rows: usize,
    pub(crate) descriptor: CUDA_ARRAY3D_DESCRIPTOR,
    /// It is a level of a mipmapped array, and goes with it.
    pub(crate) is_level: bool,
}

/// A mipmapped array: the handles of its levels, the largest first.
pub(crate) struct MipmappedArray {
    pub(crate) levels: Vec<u64>,
}

/// A texture or surface object, as the program described it.
#[derive(Clone, Copy)]
pub(crate) struct ImageObject {
    pub(crate) resource: Resource,
    /// `None` for a surface.
    pub(crate) texture: Option<CUDA_TEXTURE_DESC>,
    pub(crate) view: Option<View>,
}

/// A resource view: the memory in another format, or some of its levels and layers (`CUDA_RESOURCE_VIEW_DESC`).
#[derive(Clone, Copy)]
pub(crate) struct View {
    /// `CUresourceViewFormat`
    pub(crate) format: u32,
    pub(crate) extent: [usize; 3],
    /// The first and the last one.
    pub(crate) levels: [u32; 2],
    pub(crate) layers: [u32; 2],
}

/// The memory of an object.
#[derive(Clone, Copy)]
pub(crate) enum Resource {
    /// By its handle.
    Array(u64),
    Mipmapped(u64),
    Linear {
        address: u64,
        format: CUarray_format,
        channels: u32,
        bytes: usize,
    },
    /// Rows of memory without an array.
    Plane {
        address: u64,
        format: CUarray_format,
        channels: u32,
        extent: [usize; 2],
        pitch: usize,
    },
}
