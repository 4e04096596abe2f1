//! Which device this process runs on: settled once, before or at the first CUDA call.
//!
//! `auto` takes the real driver if it loads, reports a device and accepts our PTX (a driver or a GPU that is too
//! old does not), else the emulator. Where [`choose`] was not called, the environment variable `LESSON_DEVICE`
//! decides at the first call, without the PTX probe.

use crate::emulated::calls::error;
use crate::native;
use crate::refused::{self, Abilities, ErrorLog, PtxRefusal, Written};
use cust_raw::{CUcontext, CUjit_option, CUmodule, CUresult};
use libloading::Library;
use std::ffi::{CString, c_char, c_int, c_uint, c_void};
use std::fmt;
use std::sync::{Mutex, OnceLock};

/// The environment variable that stands in for `--device`.
const VARIABLE: &str = "LESSON_DEVICE";

/// The user's choice of a device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    #[default]
    Auto,
    Gpu,
    Emulator,
}

impl std::str::FromStr for Choice {
    type Err = ChooseError;

    fn from_str(text: &str) -> Result<Choice, ChooseError> {
        match text {
            "auto" => Ok(Choice::Auto),
            "gpu" => Ok(Choice::Gpu),
            "emulator" => Ok(Choice::Emulator),
            other => Err(ChooseError(say!("unknown-device", name = other))),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChosenDevice {
    Gpu,
    Emulator,
}

/// The device that every later CUDA call goes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chosen {
    pub kind: ChosenDevice,
    pub name: String,
    /// Why this one, in words for the user.
    pub why: String,
}

/// The device asked for is not to be had; the text says why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChooseError(String);

impl fmt::Display for ChooseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ChooseError {}

/// The target of calls. `Refused` answers every call after a choice that could not be met.
#[derive(Clone, Copy)]
pub(crate) enum CallTarget {
    Gpu(&'static Library),
    Emulator,
    Refused(CUresult),
}

static TARGET: OnceLock<CallTarget> = OnceLock::new();
static CHOSEN: Mutex<Option<Chosen>> = Mutex::new(None);

/// Settles the device for this process. To be called before the first CUDA call; a later call only succeeds
/// where it asks for what is already in force. `probe_ptx` is PTX that a usable GPU must accept.
pub fn choose(choice: Choice, probe_ptx: Option<&str>) -> Result<Chosen, ChooseError> {
    let mut chosen = CHOSEN.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if let Some(before) = chosen.as_ref() {
        return match (choice, before.kind) {
            (Choice::Gpu, ChosenDevice::Emulator) | (Choice::Emulator, ChosenDevice::Gpu) => {
                Err(ChooseError(say!("already-chosen", name = &before.name, why = &before.why)))
            }
            _ => Ok(before.clone()),
        };
    }
    let (target, settled) = decide(choice, probe_ptx)?;
    if TARGET.set(target).is_err() {
        return Err(ChooseError(say!("already-refused")));
    }
    Ok(chosen.insert(settled).clone())
}

/// The target of a call, settled by the environment if nothing else did.
pub(crate) fn target() -> CallTarget {
    if let Some(target) = TARGET.get() {
        return *target;
    }
    let wanted = match std::env::var(VARIABLE) {
        Ok(text) => text.parse().map_err(|error| ChooseError(format!("{VARIABLE}: {error}"))),
        Err(std::env::VarError::NotPresent) => Ok(Choice::Auto),
        Err(error) => Err(ChooseError(format!("{VARIABLE}: {error}"))),
    };
    if let Err(error) = wanted.and_then(|choice| choose(choice, None)) {
        let mut said = false;
        TARGET.get_or_init(|| {
            said = true;
            CallTarget::Refused(CUresult::CUDA_ERROR_NO_DEVICE)
        });
        if said {
            words::complain(&say!("error", why = error.to_string()));
        }
    }
    *TARGET.get().expect("settled above")
}

fn decide(choice: Choice, probe_ptx: Option<&str>) -> Result<(CallTarget, Chosen), ChooseError> {
    let emulator = |why: String| {
        let name = crate::emulated::profile().name;
        (CallTarget::Emulator, Chosen { kind: ChosenDevice::Emulator, name, why })
    };
    if choice == Choice::Emulator {
        return Ok(emulator(say!("asked-for")));
    }
    match probe(probe_ptx) {
        Ok((library, name)) => {
            let why = if choice == Choice::Gpu { say!("asked-for") } else { say!("driver-reports-it") };
            Ok((CallTarget::Gpu(library), Chosen { kind: ChosenDevice::Gpu, name, why }))
        }
        Err(reason) if choice == Choice::Gpu => Err(ChooseError(say!("no-gpu", reason))),
        Err(reason) => Ok(emulator(say!("no-gpu", reason))),
    }
}

/// Asks the real driver for a device that runs our PTX; gives its name.
fn probe(ptx: Option<&str>) -> Result<(&'static Library, String), String> {
    let library = native::open().map_err(|error| say!("no-driver", error = error.to_string()))?;
    let driver = Driver { library };
    driver.init()?;
    let name = driver.first_device()?;
    if let Some(ptx) = ptx {
        driver.accepts(ptx).map_err(|error| say!("ptx-refused", name = &name, error))?;
    }
    Ok((library, name))
}

/// The few calls that the probe makes, straight to the library.
struct Driver {
    library: &'static Library,
}

macro_rules! native_call {
    ($driver:expr, $name:literal, ($($ty:ty),*), ($($arg:expr),*)) => {{
        let mut _code = 0;
        native_call!($driver, $name, ($($ty),*), ($($arg),*), _code)
    }};
    // `$code` gets what the call returned.
    ($driver:expr, $name:literal, ($($ty:ty),*), ($($arg:expr),*), $code:ident) => {{
        let name = concat!($name, "\0").as_bytes();
        // SAFETY: these are the types of this function in the CUDA headers.
        let symbol = unsafe { $driver.library.get::<unsafe extern "C" fn($($ty),*) -> u32>(name) };
        match symbol {
            // SAFETY: the out-pointers are to locals that outlive the call.
            Ok(call) => match { $code = unsafe { call($($arg),*) }; $code } {
                0 => Ok(()),
                code => Err(call_failed($name, code)),
            },
            Err(error) => Err(say!("driver-too-old", error = error.to_string())),
        }
    }};
}

/// Returns the text for what a call returned, or for its meaning if the installation is to blame.
fn call_failed(name: &str, code: u32) -> String {
    let plain = || say!("call-failed", name, code = format!("{:?}", native::result(code)));
    refused::of_code(code).unwrap_or_else(plain)
}

impl Driver {
    fn init(&self) -> Result<(), String> {
        native_call!(self, "cuInit", (c_uint), (0))
    }

    fn first_device(&self) -> Result<String, String> {
        let mut count: c_int = 0;
        native_call!(self, "cuDeviceGetCount", (*mut c_int), (&mut count))?;
        if count == 0 {
            return Err(say!("no-device"));
        }
        let mut name = [0u8; 256];
        native_call!(
            self,
            "cuDeviceGetName",
            (*mut c_char, c_int, c_int),
            (name.as_mut_ptr().cast(), name.len() as c_int - 1, 0)
        )?;
        let end = name.iter().position(|&byte| byte == 0).unwrap_or(0);
        Ok(String::from_utf8_lossy(&name[..end]).into_owned())
    }

    /// Loads the PTX in the primary context and lets go of both again.
    fn accepts(&self, ptx: &str) -> Result<(), String> {
        let text = CString::new(ptx).map_err(|_| "the PTX holds a NUL byte".to_string())?;
        let mut context: CUcontext = std::ptr::null_mut();
        native_call!(self, "cuDevicePrimaryCtxRetain", (*mut CUcontext, c_int), (&mut context, 0))?;
        let loaded = self.load(context, &text);
        native_call!(self, "cuDevicePrimaryCtxRelease_v2", (c_int), (0))?;
        loaded
    }

    /// The refusal in words, if its code is known.
    fn why_refused(&self, code: u32, log: String, text: &CString) -> Option<String> {
        let code = error::from_code(code)?;
        let refusal = PtxRefusal { code, log, written: Written::of(&text.to_string_lossy()), device: self.abilities() };
        Some(refusal.to_string())
    }

    fn abilities(&self) -> Abilities {
        let mut driver: c_int = 0;
        let version: Result<(), String> = native_call!(self, "cuDriverGetVersion", (*mut c_int), (&mut driver));
        let attribute = |number: c_int| {
            let mut value: c_int = 0;
            let types: Result<(), String> =
                native_call!(self, "cuDeviceGetAttribute", (*mut c_int, c_int, c_int), (&mut value, number, 0));
            types.ok().map(|()| value as u32)
        };
        // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR and _MINOR.
        let capability = attribute(75).zip(attribute(76));
        Abilities { driver: version.ok().map(|()| driver as u32), capability }
    }

    fn load(&self, context: CUcontext, text: &CString) -> Result<(), String> {
        let mut previous: CUcontext = std::ptr::null_mut();
        let mut module: CUmodule = std::ptr::null_mut();
        native_call!(self, "cuCtxPushCurrent_v2", (CUcontext), (context))?;
        let (mut log, mut code) = (ErrorLog::new(), 0);
        let (options, values) = (log.options.as_mut_ptr(), log.values.as_mut_ptr());
        let called: Result<(), String> = native_call!(
            self,
            "cuModuleLoadDataEx",
            (*mut CUmodule, *const c_void, c_uint, *mut CUjit_option, *mut *mut c_void),
            (&mut module, text.as_ptr().cast(), 2, options, values),
            code
        );
        let loaded = called.map_err(|plain| self.why_refused(code, log.text(), text).unwrap_or(plain));
        if loaded.is_ok() {
            native_call!(self, "cuModuleUnload", (CUmodule), (module))?;
        }
        native_call!(self, "cuCtxPopCurrent_v2", (*mut CUcontext), (&mut previous))?;
        loaded
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_are_spelled_as_on_the_command_line() {
        words::Language::English.speak();
        assert_eq!("auto".parse(), Ok(Choice::Auto));
        assert_eq!("gpu".parse(), Ok(Choice::Gpu));
        assert_eq!("emulator".parse(), Ok(Choice::Emulator));
        let error = "cuda".parse::<Choice>().unwrap_err().to_string();
        assert_eq!(error, "unknown device \"cuda\": expected auto, gpu or emulator");
    }

    #[test]
    fn the_emulator_needs_no_driver() {
        words::Language::English.speak();
        let (target, chosen) = decide(Choice::Emulator, None).unwrap();
        assert!(matches!(target, CallTarget::Emulator));
        assert_eq!((chosen.kind, chosen.why.as_str()), (ChosenDevice::Emulator, "you asked for it"));
    }
}
