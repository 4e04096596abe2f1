//! Why a driver does not take PTX, in words: what its error code means for the reader, with the versions, and what to
//! do.
//!
//! The code is what `cuModuleLoadDataEx` returned (CUDA Driver API, `CUresult`), and the log is what its compiler
//! wrote. `cust` knows neither: it has no name for half of these codes, and asks for no log.

use cust_raw::CUjit_option_enum::{CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
use cust_raw::CUresult::{self, *};
use cust_raw::{CUdevice_attribute_enum, CUjit_option};
use std::ffi::{CString, c_void};
use std::fmt;
use std::ptr::null_mut;

/// The facts about PTX that was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PtxRefusal {
    pub code: CUresult,
    /// The log of the driver's compiler; may be empty.
    pub log: String,
    /// `.version` and `.target` of the PTX.
    pub written: Written,
    pub device: Abilities,
}

/// The version and the target in the head of a PTX text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// `9.5`
    pub version: Option<String>,
    /// `sm_75`
    pub target: Option<String>,
}

impl Written {
    pub fn of(ptx: &str) -> Written {
        let directive = |name: &str| {
            let rest = ptx.lines().find_map(|line| line.trim_start().strip_prefix(name))?;
            rest.split([',', ' ', '\t']).find(|word| !word.is_empty()).map(str::to_owned)
        };
        Written { version: directive(".version"), target: directive(".target") }
    }
}

/// The abilities of the device and its driver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Abilities {
    /// As `cuDriverGetVersion` says it: 12040 is CUDA 12.4.
    pub driver: Option<u32>,
    /// Compute capability, major and minor.
    pub capability: Option<(u32, u32)>,
}

/// The newest PTX that a driver for this CUDA reads (PTX ISA, "Release History"): one version for each CUDA, of the
/// same minor number from 13.0 on.
fn newest_ptx(driver: u32) -> (u32, u32) {
    match (driver / 1000, driver % 1000 / 10) {
        (12, minor @ 0..=5) => (8, minor),
        (12, minor) => (8, minor - 1),
        (major, minor) => (major.saturating_sub(4), minor),
    }
}

impl fmt::Display for PtxRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why())?;
        let log = self.log.trim();
        if log.is_empty() { Ok(()) } else { write!(f, "\n{}", say!("refused-log", log)) }
    }
}

impl std::error::Error for PtxRefusal {}

impl PtxRefusal {
    fn is_for_newer(&self) -> bool {
        let digits = |target: &str| target.strip_prefix("sm_")?.trim_end_matches(['a', 'f']).parse::<u32>().ok();
        let wanted = self.written.target.as_deref().and_then(digits);
        wanted.zip(self.device.capability).is_some_and(|(wanted, (major, minor))| wanted > 10 * major + minor)
    }

    fn why(&self) -> String {
        let unknown = || "?".to_string();
        match self.code {
            CUDA_ERROR_UNSUPPORTED_PTX_VERSION => {
                let version = self.written.version.clone().unwrap_or_else(unknown);
                match self.device.driver {
                    Some(driver) => {
                        let (major, minor) = newest_ptx(driver);
                        let (cuda, newest) = (cuda(driver), format!("{major}.{minor}"));
                        say!("refused-version", version, cuda, newest)
                    }
                    None => say!("refused-version-unknown", version),
                }
            }
            // A driver calls PTX for a newer GPU no valid PTX.
            code if code == CUDA_ERROR_NO_BINARY_FOR_GPU || (code == CUDA_ERROR_INVALID_PTX && self.is_for_newer()) => {
                let target = self.written.target.clone().unwrap_or_else(unknown);
                let device = self.device.capability.map_or_else(unknown, |(major, minor)| format!("sm_{major}{minor}"));
                say!("refused-target", target, device)
            }
            CUDA_ERROR_INVALID_PTX => say!("refused-invalid"),
            code => of_code(code as u32).unwrap_or_else(|| say!("refused-code", code = format!("{code:?}"))),
        }
    }
}

/// Returns the meaning of a code that has nothing to do with the PTX: the installation is to blame.
pub(crate) fn of_code(code: u32) -> Option<String> {
    // `cudaErrorInsufficientDriver` and `cudaErrorCallRequiresNewerDriver`: newer than `cust_raw`.
    const TOO_OLD: [u32; 2] = [35, 36];
    const IS_COMPILER_MISSING: u32 = CUDA_ERROR_JIT_COMPILER_NOT_FOUND as u32;
    const IS_COMPILER_OFF: u32 = CUDA_ERROR_JIT_COMPILATION_DISABLED as u32;
    const IS_STUB: u32 = CUDA_ERROR_STUB_LIBRARY as u32;
    const DIFFERS: u32 = CUDA_ERROR_SYSTEM_DRIVER_MISMATCH as u32;
    const NO_COMPATIBILITY: u32 = CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE as u32;
    Some(match code {
        code if TOO_OLD.contains(&code) => say!("refused-old-driver", code),
        IS_COMPILER_MISSING => say!("refused-no-compiler", code),
        IS_COMPILER_OFF => say!("refused-compiler-off", code),
        IS_STUB => say!("refused-stub", code),
        DIFFERS => say!("refused-mismatch", code),
        NO_COMPATIBILITY => say!("refused-compatibility", code),
        _ => return None,
    })
}

/// `12.4`
fn cuda(driver: u32) -> String {
    format!("{}.{}", driver / 1000, driver % 1000 / 10)
}

/// A buffer for the error log, as options of `cuModuleLoadDataEx`.
pub(crate) struct ErrorLog {
    bytes: Vec<u8>,
    pub(crate) options: [CUjit_option; 2],
    pub(crate) values: [*mut c_void; 2],
}

impl ErrorLog {
    pub(crate) fn new() -> ErrorLog {
        let mut bytes = vec![0u8; 8192];
        let values = [bytes.as_mut_ptr().cast(), std::ptr::without_provenance_mut(bytes.len())];
        ErrorLog { bytes, options: [CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES], values }
    }

    /// Returns the text that was written, up to its NUL.
    pub(crate) fn text(&self) -> String {
        let end = self.bytes.iter().position(|&byte| byte == 0).unwrap_or(self.bytes.len());
        String::from_utf8_lossy(&self.bytes[..end]).trim().to_string()
    }
}

/// Asks the device of the current context once more for a module of this PTX. `None` if it takes it.
pub fn why_refused(ptx: &str) -> Option<PtxRefusal> {
    let refusal = |code, log| Some(of_ptx(ptx, code, log));
    let Ok(image) = CString::new(ptx) else { return refusal(CUDA_ERROR_INVALID_PTX, "a NUL in the PTX".into()) };
    let (mut log, mut module) = (ErrorLog::new(), null_mut());
    let (options, values) = (log.options.as_mut_ptr(), log.values.as_mut_ptr());
    // SAFETY: two options with their values, NUL-terminated text and an out-pointer to a local.
    let code = unsafe { cust_raw::cuModuleLoadDataEx(&mut module, image.as_ptr().cast(), 2, options, values) };
    if code == CUDA_SUCCESS {
        // SAFETY: just made, and nobody else has it.
        let _ = unsafe { cust_raw::cuModuleUnload(module) };
        return None;
    }
    refusal(code, log.text())
}

/// Returns the refusal for a call of the current context that returned this code for this PTX.
pub(crate) fn of_ptx(ptx: &str, code: CUresult, log: String) -> PtxRefusal {
    PtxRefusal { code, log, written: Written::of(ptx), device: abilities() }
}

/// Returns the abilities of the driver and of the device of the current context.
fn abilities() -> Abilities {
    let (mut driver, mut device) = (0, 0);
    // SAFETY: an out-pointer to a local.
    let driver = unsafe { cust_raw::cuDriverGetVersion(&mut driver) == CUDA_SUCCESS }.then_some(driver as u32);
    // SAFETY: an out-pointer to a local.
    let has_device = unsafe { cust_raw::cuCtxGetDevice(&mut device) } == CUDA_SUCCESS;
    let attribute = |attribute| {
        let mut value = 0;
        // SAFETY: an out-pointer to a local; `device` is only used if there is one.
        let code = unsafe { cust_raw::cuDeviceGetAttribute(&mut value, attribute, device) };
        (has_device && code == CUDA_SUCCESS).then_some(value as u32)
    };
    let major = attribute(CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
    let minor = attribute(CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    Abilities { driver, capability: major.zip(minor) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "// a comment\n.version 9.5\n.target sm_120, debug\n.address_size 64\n";

    fn refusal(code: CUresult) -> PtxRefusal {
        let device = Abilities { driver: Some(12040), capability: Some((9, 0)) };
        PtxRefusal { code, log: String::new(), written: Written::of(HEAD), device }
    }

    fn said(refusal: &PtxRefusal) -> String {
        words::Language::English.speak();
        refusal.to_string()
    }

    #[test]
    fn the_head_of_a_ptx_text_is_read() {
        let written = Written { version: Some("9.5".into()), target: Some("sm_120".into()) };
        assert_eq!(Written::of(HEAD), written);
        assert_eq!(Written::of("nothing"), Written::default());
    }

    #[test]
    fn a_driver_reads_the_ptx_of_its_own_cuda() {
        for (driver, want) in [
            (11080, (7, 8)),
            (12000, (8, 0)),
            (12040, (8, 4)),
            (12060, (8, 5)),
            (12080, (8, 7)),
            (12090, (8, 8)),
            (13000, (9, 0)),
            (13050, (9, 5)),
        ] {
            assert_eq!(newest_ptx(driver), want, "{driver}");
        }
    }

    #[test]
    fn every_refusal_says_what_it_is_and_what_to_do() {
        for (code, parts) in [
            (
                CUDA_ERROR_UNSUPPORTED_PTX_VERSION,
                &["PTX version 9.5", "CUDA 12.4", "up to 8.4", "NVCC", "LESSON_PTX"][..],
            ),
            (CUDA_ERROR_NO_BINARY_FOR_GPU, &["for sm_120", "is sm_90", "// Arch:"]),
            (CUDA_ERROR_INVALID_PTX, &["for sm_120", "is sm_90", "// Arch:"]),
            (CUDA_ERROR_JIT_COMPILER_NOT_FOUND, &["libnvidia-ptxjitcompiler"]),
            (CUDA_ERROR_JIT_COMPILATION_DISABLED, &["CUDA_DISABLE_PTX_JIT"]),
            (CUDA_ERROR_SYSTEM_DRIVER_MISMATCH, &["restart"]),
            (CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE, &["LD_LIBRARY_PATH"]),
            (CUDA_ERROR_STUB_LIBRARY, &["stub"]),
            (CUDA_ERROR_OUT_OF_MEMORY, &["CUDA_ERROR_OUT_OF_MEMORY"]),
        ] {
            let text = said(&refusal(code));
            parts.iter().for_each(|part| assert!(text.contains(part), "{code:?}: `{part}` is not in: {text}"));
        }
        words::Language::English.speak();
        assert!(of_code(35).unwrap().contains("newer driver"));
        assert_eq!(of_code(1), None);
    }

    #[test]
    fn what_is_for_this_gpu_and_not_valid_is_told_so() {
        for target in ["sm_75", "sm_90a"] {
            let mut refusal = refusal(CUDA_ERROR_INVALID_PTX);
            refusal.written.target = Some(target.into());
            assert!(said(&refusal).contains("inline assembly"), "{target}");
        }
    }

    #[test]
    fn the_log_is_shown_if_there_is_one() {
        let mut refusal = refusal(CUDA_ERROR_INVALID_PTX);
        assert!(!said(&refusal).contains('\n'));
        refusal.log = "ptxas fatal : line 3\n".into();
        assert!(said(&refusal).ends_with("\nthe driver's compiler says: ptxas fatal : line 3"), "{}", said(&refusal));
    }

    #[test]
    fn a_version_is_told_without_the_drivers() {
        let mut refusal = refusal(CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
        refusal.device.driver = None;
        assert!(said(&refusal).contains("PTX version 9.5"));
    }
}
