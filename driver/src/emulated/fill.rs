//! Fills (CUDA Driver API, "Memory Management"): the host never waits, except where the target is memory it can see.

use super::outcome::Outcome;
use super::queue::LEGACY;
use super::state::{self, current};
use super::stream::{self, Found};
use cust_raw::CUresult::*;
use cust_raw::*;
use emulator::HostMemory;
use std::ffi::{c_uchar, c_uint, c_ushort};
use std::sync::Arc;

/// `height` rows of `width` elements, `pitch` bytes apart.
struct Rows {
    address: u64,
    pitch: usize,
    width: usize,
    height: usize,
}

/// `None` stands for the synchronous form.
fn fill<const N: usize>(rows: Rows, pattern: [u8; N], stream: Option<CUstream>) -> Outcome {
    let (context, key): (Arc<state::Context>, u64) = match stream {
        None => (current()?, LEGACY),
        Some(stream) => {
            let Found { context, key } = stream::resolve_here(stream)?;
            (context, key)
        }
    };
    let mut state = context.lock()?;
    let Rows { address, pitch, width, height } = rows;
    if width == 0 || height == 0 {
        return Ok(());
    }
    let row = width.checked_mul(N).ok_or(CUDA_ERROR_INVALID_VALUE)?;
    let bytes = pitch.checked_mul(height - 1).and_then(|before| before.checked_add(row));
    if address % N as u64 != 0 || (height > 1 && (pitch < row || pitch % N != 0)) {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    let target = state.check_range(address, bytes.ok_or(CUDA_ERROR_INVALID_VALUE)?)?;
    let mark = state.submit(key, move |state, order| {
        for index in 0..height {
            let start = address + (index * pitch) as u64;
            let result = state.device.fill(start, &pattern, width as u64, order);
            state.moved(result);
        }
    });
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
