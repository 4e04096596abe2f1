//! A fill of rows of memory, checked.

use crate::emulated::base::outcome::CallResult;
use crate::emulated::context::state::ContextState;
use crate::emulated::task::transfer::HostTouch;
use cust_raw::CUDA_MEMSET_NODE_PARAMS;
use cust_raw::CUresult::CUDA_ERROR_INVALID_VALUE;
use emulator::finding::HostOperation;
use emulator::{Allocation, HostOrder};
use std::ffi::c_uint;

/// `height` rows of `width` elements, `pitch` bytes apart.
#[derive(Clone, Copy)]
pub(crate) struct FillRows {
    pub(crate) address: u64,
    pub(crate) pitch: usize,
    pub(crate) width: usize,
    pub(crate) height: usize,
}

/// A fill that can be made more than once.
#[derive(Clone, Copy)]
pub(crate) struct Fill {
    pub(crate) context: u64,
    rows: FillRows,
    /// The first `size` bytes count.
    pattern: [u8; 4],
    size: usize,
}

impl Fill {
    /// With the memory that it lies in, unless it is empty.
    pub(crate) fn new(
        state: &ContextState,
        context: u64,
        rows: FillRows,
        pattern: [u8; 4],
        size: usize,
    ) -> CallResult<(Fill, Option<Allocation>)> {
        let FillRows { address, pitch, width, height } = rows;
        let fill = Fill { context, rows, pattern, size };
        if width == 0 || height == 0 {
            return Ok((fill, None));
        }
        let row = width.checked_mul(size).ok_or(CUDA_ERROR_INVALID_VALUE)?;
        let bytes = pitch.checked_mul(height - 1).and_then(|before| before.checked_add(row));
        if address % size as u64 != 0 || (height > 1 && (pitch < row || pitch % size != 0)) {
            return Err(CUDA_ERROR_INVALID_VALUE);
        }
        let target = state.check_range(address, bytes.ok_or(CUDA_ERROR_INVALID_VALUE)?)?;
        Ok((fill, Some(target)))
    }

    /// As a node of a graph describes it.
    pub(crate) fn of(state: &ContextState, context: u64, wanted: CUDA_MEMSET_NODE_PARAMS) -> CallResult<Fill> {
        if !matches!(wanted.elementSize, 1 | 2 | 4) {
            return Err(CUDA_ERROR_INVALID_VALUE);
        }
        let rows = FillRows { address: wanted.dst, pitch: wanted.pitch, width: wanted.width, height: wanted.height };
        let (fill, _) = Fill::new(state, context, rows, wanted.value.to_le_bytes(), wanted.elementSize as usize)?;
        Ok(fill)
    }

    pub(crate) fn parameters(&self) -> CUDA_MEMSET_NODE_PARAMS {
        let FillRows { address, pitch, width, height } = self.rows;
        let value = u32::from_le_bytes(self.pattern);
        CUDA_MEMSET_NODE_PARAMS { dst: address, pitch, value, elementSize: self.size as c_uint, width, height }
    }

    pub(crate) fn run(&self, state: &mut ContextState, order: &HostOrder) {
        let FillRows { address, pitch, width, height } = self.rows;
        for index in 0..height {
            let start = address + (index * pitch) as u64;
            state.left_elsewhere = None;
            let result = state.device.fill(start, &self.pattern[..self.size], width as u64, order);
            let bytes = (width * self.size) as u64;
            state.moved(result, &[HostTouch::write(HostOperation::Fill, start, bytes)]);
        }
    }
}
