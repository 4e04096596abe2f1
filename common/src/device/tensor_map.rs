//! Tensor maps of matrices: `cuTensorMapEncodeTiled` (CUDA Driver API, "Tensor Map Object Management"). `cust` has no
//! call for it, and the crate `driver` brings the function.

use cust::memory::{DeviceBuffer, DeviceCopy};
use cust_raw::CUresult;
use driver::newer::cuTensorMapEncodeTiled;
use driver::types::CUtensorMap;
use std::ffi::c_void;

/// Values of `cuda.h`: the type of elements, the pattern in which a box lies in shared memory, and 0 for no interleaved
/// layout, no promotion in the L2 cache, and zeros outside of the tensor.
const FLOAT16: u32 = 6;
const SWIZZLE_128_BYTES: u32 = 3;
const NONE: u32 = 0;

/// Elements of f16 in 16 bytes, the unit in which a map counts the bytes from one row to the next.
const UNIT: usize = 8;

/// A map of a matrix of f16, an argument of [`launch!`](crate::launch) for a `const __grid_constant__ CUtensorMap`.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct TensorMap(CUtensorMap);

// SAFETY: plain bytes. The device address among them is used by kernels only.
unsafe impl DeviceCopy for TensorMap {}

impl TensorMap {
    /// Elements from one row of a matrix with so many columns to the next.
    pub fn pitch(columns: usize) -> usize {
        columns.next_multiple_of(UNIT)
    }

    /// Returns the map of a matrix of `(rows, columns)` elements, whose bits are in `matrix` with
    /// [`TensorMap::pitch`]. Copies bring boxes of `(rows, columns)` elements, in the pattern of 128 bytes, with zeros
    /// for what is outside of the matrix.
    pub fn of_f16(
        matrix: &DeviceBuffer<u16>,
        (rows, columns): (usize, usize),
        (box_rows, box_columns): (u32, u32),
    ) -> anyhow::Result<TensorMap> {
        let pitch = TensorMap::pitch(columns);
        let held = matrix.len();
        anyhow::ensure!(rows * pitch <= held, say!("tensor-map-too-large", elements = rows * pitch, held));
        let extents = [columns as u64, rows as u64];
        let pitch = (pitch * size_of::<u16>()) as u64;
        let (box_extents, steps) = ([box_columns, box_rows], [1, 1]);
        let mut map = TensorMap(CUtensorMap { opaque: [0; 128] });
        // SAFETY: arrays of two values, one for the strides, and a map that is aligned to 64 bytes.
        let code = unsafe {
            cuTensorMapEncodeTiled(
                &mut map.0,
                FLOAT16,
                2,
                matrix.as_device_ptr().as_raw() as *mut c_void,
                extents.as_ptr(),
                &pitch,
                box_extents.as_ptr(),
                steps.as_ptr(),
                NONE,
                SWIZZLE_128_BYTES,
                NONE,
                NONE,
            )
        };
        anyhow::ensure!(code == CUresult::CUDA_SUCCESS, say!("tensor-map-refused", code = format!("{code:?}")));
        Ok(map)
    }
}
