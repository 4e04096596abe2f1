//! NVIDIA's management library, if it is there: whether the GPU was slowed down, or somebody else used it.
//!
//! Everything here is optional. What the library does not answer is left out.

use anyhow::{Result, ensure};
use cust_raw::{CUresult, cuDeviceGetPCIBusId};
use libloading::Library;
use std::ffi::{CStr, c_char, c_int, c_uint, c_ulonglong, c_void};
use std::ptr::null_mut;

type Handle = *mut c_void;

/// Why clocks are low, by bit (`nvmlClocksEventReasons…`).
const REASONS: [(u64, &str); 5] = [
    (0x04, "power limit"),
    (0x08, "hardware slowdown"),
    (0x20, "temperature"),
    (0x40, "temperature (hardware)"),
    (0x80, "power brake"),
];

/// One GPU, watched.
pub struct Watch {
    library: Library,
    device: Handle,
    looks: u32,
    /// The number of looks that saw each reason.
    seen: [u32; REASONS.len()],
}

impl Watch {
    /// The first CUDA device; the runtime's numbers are not this library's, so it is found by its bus address.
    pub fn open() -> Result<Watch> {
        let mut address = [0u8; 32];
        // SAFETY: room for 32 bytes, of which the call writes at most as many with the zero at their end.
        let code = unsafe { cuDeviceGetPCIBusId(address.as_mut_ptr().cast::<c_char>(), 32, 0) };
        ensure!(code == CUresult::CUDA_SUCCESS, "no bus address: {code:?}");
        // SAFETY: the vendor's library; its initialisers do no more than those of the driver.
        let library = unsafe { Library::new("libnvidia-ml.so.1") }?;
        let mut watch = Watch { library, device: null_mut(), looks: 0, seen: [0; REASONS.len()] };
        // SAFETY: these are the types of `nvml.h`.
        unsafe {
            let init = watch.library.get::<unsafe extern "C" fn() -> c_int>(b"nvmlInit_v2\0")?;
            ensure!(init() == 0, "nvmlInit_v2 fails");
            let by_address = watch.library.get::<unsafe extern "C" fn(*const c_char, *mut Handle) -> c_int>(
                b"nvmlDeviceGetHandleByPciBusId_v2\0",
            )?;
            let mut device = null_mut();
            ensure!(by_address(address.as_ptr().cast(), &mut device) == 0, "the device is not known");
            watch.device = device;
        }
        Ok(watch)
    }

    /// `580.95.05`
    pub fn driver(&self) -> Option<String> {
        let mut text = [0u8; 80];
        // SAFETY: the type of `nvml.h`, and room for as many bytes as are announced.
        let code = unsafe {
            let version = self
                .library
                .get::<unsafe extern "C" fn(*mut c_char, c_uint) -> c_int>(b"nvmlSystemGetDriverVersion\0")
                .ok()?;
            version(text.as_mut_ptr().cast(), 80)
        };
        let text = CStr::from_bytes_until_nul(&text).ok()?.to_str().ok()?;
        (code == 0).then(|| text.to_string())
    }

    /// Asks once why clocks are low, if they are.
    pub fn look(&mut self) {
        let Ok(reasons) = self.reasons() else { return };
        self.looks += 1;
        for (seen, (bit, _)) in self.seen.iter_mut().zip(REASONS) {
            *seen += u32::from(reasons & bit != 0);
        }
    }

    fn reasons(&self) -> Result<u64> {
        let mut reasons: c_ulonglong = 0;
        // SAFETY: the type of `nvml.h`; the older name is the one that all drivers have.
        let code = unsafe {
            let ask = self.library.get::<unsafe extern "C" fn(Handle, *mut c_ulonglong) -> c_int>(
                b"nvmlDeviceGetCurrentClocksThrottleReasons\0",
            )?;
            ask(self.device, &mut reasons)
        };
        ensure!(code == 0, "no reasons");
        Ok(reasons)
    }

    /// Returns a sentence about what slowed the GPU.
    pub fn slowed(&self) -> Option<String> {
        told(self.looks, &self.seen)
    }

    /// True if the GPU was at work before this program began, in a sentence.
    pub fn busy_before(&mut self) -> Option<String> {
        let mut shares = [0 as c_uint; 2];
        // SAFETY: `nvmlUtilization_t` is two unsigned ints.
        let code = unsafe {
            let ask = self
                .library
                .get::<unsafe extern "C" fn(Handle, *mut c_uint) -> c_int>(b"nvmlDeviceGetUtilizationRates\0")
                .ok()?;
            ask(self.device, shares.as_mut_ptr())
        };
        (code == 0 && shares[0] > 5).then(|| say!("busy", percent = shares[0]))
    }
}

fn told(looks: u32, seen: &[u32]) -> Option<String> {
    let named: Vec<String> = REASONS
        .iter()
        .zip(seen)
        .filter(|&(_, &seen)| seen > 0)
        .map(|(&(_, name), seen)| format!("{name} ({seen}/{looks})"))
        .collect();
    (!named.is_empty()).then(|| say!("slowed", reasons = named.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_slowed_the_gpu_is_named_with_how_often() {
        assert_eq!(told(10, &[0; 5]), None);
        let text = told(10, &[3, 0, 1, 0, 0]).unwrap();
        assert!(text.contains("power limit (3/10)") && text.contains("temperature (1/10)"), "{text}");
    }
}
