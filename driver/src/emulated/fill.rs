//! Fills (CUDA Driver API, "Memory Management"): the host never waits, except where the target is memory it can see.

use super::outcome::Outcome;
use super::queue::LEGACY;
use super::state::{Context, State, current};
use super::stream::{self, Found};
use super::task::Task;
use cust_raw::CUresult::*;
use cust_raw::*;
use emulator::{Allocation, HostMemory, Order};
use std::ffi::{c_uchar, c_uint, c_ushort};
use std::sync::Arc;

/// `height` rows of `width` elements, `pitch` bytes apart.
#[derive(Clone, Copy)]
struct Rows {
    address: u64,
    pitch: usize,
    width: usize,
    height: usize,
}

/// A fill that can be made more than once.
#[derive(Clone, Copy)]
pub(crate) struct Fill {
    pub(crate) context: u64,
    rows: Rows,
    /// The first `size` bytes count.
    pattern: [u8; 4],
    size: usize,
}

impl Fill {
    /// With the memory that it lies in, unless it is empty.
    fn new(
        state: &State,
        context: u64,
        rows: Rows,
        pattern: [u8; 4],
        size: usize,
    ) -> Outcome<(Fill, Option<Allocation>)> {
        let Rows { address, pitch, width, height } = rows;
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
    pub(crate) fn of(state: &State, context: u64, wanted: CUDA_MEMSET_NODE_PARAMS) -> Outcome<Fill> {
        if !matches!(wanted.elementSize, 1 | 2 | 4) {
            return Err(CUDA_ERROR_INVALID_VALUE);
        }
        let rows = Rows { address: wanted.dst, pitch: wanted.pitch, width: wanted.width, height: wanted.height };
        let (fill, _) = Fill::new(state, context, rows, wanted.value.to_le_bytes(), wanted.elementSize as usize)?;
        Ok(fill)
    }

    pub(crate) fn parameters(&self) -> CUDA_MEMSET_NODE_PARAMS {
        let Rows { address, pitch, width, height } = self.rows;
        let value = u32::from_le_bytes(self.pattern);
        CUDA_MEMSET_NODE_PARAMS { dst: address, pitch, value, elementSize: self.size as c_uint, width, height }
    }

    pub(crate) fn run(&self, state: &mut State, order: &Order) {
        let Rows { address, pitch, width, height } = self.rows;
        for index in 0..height {
            let start = address + (index * pitch) as u64;
            state.left_elsewhere = None;
            let result = state.device.fill(start, &self.pattern[..self.size], width as u64, order);
            state.moved(result);
        }
    }
}

/// `None` stands for the synchronous form.
fn fill<const N: usize>(rows: Rows, pattern: [u8; N], stream: Option<CUstream>) -> Outcome {
    let (context, key): (Arc<Context>, u64) = match stream {
        None => (current()?, LEGACY),
        Some(stream) => {
            let Found { context, key } = stream::resolve_here(stream)?;
            (context, key)
        }
    };
    let mut state = context.lock()?;
    let is_captured = stream.is_some() && state.is_captured(key)?;
    let mut padded = [0; 4];
    padded[..N].copy_from_slice(&pattern);
    let (fill, target) = Fill::new(&state, context.handle, rows, padded, N)?;
    let Some(target) = target else { return Ok(()) };
    if is_captured {
        return state.capture(key, Task::Fill(fill));
    }
    let mark = state.submit(key, move |state, order| fill.run(state, order))?;
    if stream.is_none() && target.place != HostMemory::Device {
        context.wait(state, &mark).map(drop)?;
    }
    Ok(())
}

fn line(address: u64, count: usize) -> Rows {
    Rows { address, pitch: 0, width: count, height: 1 }
}

pub(crate) unsafe fn bytes(address: CUdeviceptr, value: c_uchar, count: usize) -> Outcome {
    fill(line(address, count), [value], None)
}

pub(crate) unsafe fn halves(address: CUdeviceptr, value: c_ushort, count: usize) -> Outcome {
    fill(line(address, count), value.to_ne_bytes(), None)
}

pub(crate) unsafe fn words(address: CUdeviceptr, value: c_uint, count: usize) -> Outcome {
    fill(line(address, count), value.to_ne_bytes(), None)
}

pub(crate) unsafe fn bytes_async(address: CUdeviceptr, value: c_uchar, count: usize, stream: CUstream) -> Outcome {
    fill(line(address, count), [value], Some(stream))
}

pub(crate) unsafe fn halves_async(address: CUdeviceptr, value: c_ushort, count: usize, stream: CUstream) -> Outcome {
    fill(line(address, count), value.to_ne_bytes(), Some(stream))
}

pub(crate) unsafe fn words_async(address: CUdeviceptr, value: c_uint, count: usize, stream: CUstream) -> Outcome {
    fill(line(address, count), value.to_ne_bytes(), Some(stream))
}

pub(crate) unsafe fn plane_bytes(
    address: CUdeviceptr,
    pitch: usize,
    value: c_uchar,
    width: usize,
    height: usize,
) -> Outcome {
    fill(Rows { address, pitch, width, height }, [value], None)
}

pub(crate) unsafe fn plane_halves(
    address: CUdeviceptr,
    pitch: usize,
    value: c_ushort,
    width: usize,
    height: usize,
) -> Outcome {
    fill(Rows { address, pitch, width, height }, value.to_ne_bytes(), None)
}

pub(crate) unsafe fn plane_words(
    address: CUdeviceptr,
    pitch: usize,
    value: c_uint,
    width: usize,
    height: usize,
) -> Outcome {
    fill(Rows { address, pitch, width, height }, value.to_ne_bytes(), None)
}

pub(crate) unsafe fn plane_bytes_async(
    address: CUdeviceptr,
    pitch: usize,
    value: c_uchar,
    width: usize,
    height: usize,
    stream: CUstream,
) -> Outcome {
    fill(Rows { address, pitch, width, height }, [value], Some(stream))
}

pub(crate) unsafe fn plane_halves_async(
    address: CUdeviceptr,
    pitch: usize,
    value: c_ushort,
    width: usize,
    height: usize,
    stream: CUstream,
) -> Outcome {
    fill(Rows { address, pitch, width, height }, value.to_ne_bytes(), Some(stream))
}

pub(crate) unsafe fn plane_words_async(
    address: CUdeviceptr,
    pitch: usize,
    value: c_uint,
    width: usize,
    height: usize,
    stream: CUstream,
) -> Outcome {
    fill(Rows { address, pitch, width, height }, value.to_ne_bytes(), Some(stream))
}
