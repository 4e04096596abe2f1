//! Buffers that cannot be right by luck: what a kernel should have written is not there before it writes it.

use crate::device::context::DeviceKind;
use cust::memory::bytemuck::Pod;
use cust::memory::{DeviceBuffer, DeviceCopy};
use driver::emulated;

/// Every byte of a poisoned buffer. As an int -1515870811, as a float -2.87e-16: no lesson's right answer.
pub const POISON: u8 = 0xa5;

/// Overwrites the whole buffer; on the emulator its bytes count as never written from here on.
pub(crate) fn poison<T: DeviceCopy + Pod>(device: DeviceKind, buffer: &mut DeviceBuffer<T>) -> anyhow::Result<()> {
    buffer.set_8(POISON)?;
    if device == DeviceKind::Emulator && !buffer.is_empty() {
        let bytes = (buffer.len() * size_of::<T>()) as u64;
        emulated::mark_undefined(buffer.as_device_ptr().as_raw(), bytes)
            .map_err(|code| anyhow::anyhow!("the emulator does not mark a buffer as undefined: {code:?}"))?;
    }
    Ok(())
}
