//! Images that a caller hands over as a module: PTX text, an image that our linker made, or machine code.
//!
//! A linked image is text as well: a heading and the PTX sources, each behind a separator. Nothing in it is trusted,
//! and it is read like any PTX, up to its NUL.

use super::observer::kernel_name;
use super::outcome::CallResult;
use cust_raw::CUresult::{self, *};
use emulator::ptx::Error as PtxError;
use emulator::{LoadError, LoadErrorKind, NEWEST_PTX, Profile, Program};
use std::ffi::{CStr, CString, c_void};
use std::sync::OnceLock;

const HEADING: &str = "//@ linked for the emulated GPU\n";
const SEPARATOR: &str = "//@ next source\n";
/// Followed by a number, in the line after the heading.
const MAX_REGISTERS: &str = "//@ max registers ";

/// The PTX sources of a module.
#[derive(Debug, PartialEq)]
pub(crate) struct Image {
    pub(crate) sources: Vec<String>,
    /// The most registers that a thread may have, where the linker was told so.
    pub(crate) max_registers: Option<u32>,
}

impl Image {
    /// Returns the image with the stricter of its own limit and this one.
    pub(crate) fn with_max_registers(self, most: Option<u32>) -> Image {
        let max_registers = self.max_registers.into_iter().chain(most).min();
        Image { max_registers, ..self }
    }
}

/// The refusal of PTX: what the call returns, and the text for the error log.
#[derive(Debug, PartialEq)]
pub(crate) struct ImageRefusal {
    pub(crate) code: CUresult,
    pub(crate) log: String,
}

/// Readers of device code that is no PTX text.
#[derive(Clone, Copy)]
pub struct Unpacker {
    /// Reads an image in memory, as `cuModuleLoadData` takes it. `None` for text.
    pub image: unsafe fn(*const c_void) -> Option<Unpacked>,
    /// Reads the bytes of a file. `None` for text.
    pub file: fn(&[u8]) -> Option<Unpacked>,
}

/// PTX sources, or what the call returns. Why has been said then.
pub type Unpacked = Result<Vec<String>, CUresult>;

static UNPACKER: OnceLock<Unpacker> = OnceLock::new();

/// Has containers of device code read, which are refused otherwise. Later calls have no effect.
pub fn unpack_with(unpacker: Unpacker) {
    let _ = UNPACKER.set(unpacker);
}

/// Returns the PTX in a container that the linker is given as bytes; `None` if it is none, or nobody reads any.
pub(crate) fn unpacked(bytes: &[u8]) -> Option<Unpacked> {
    (UNPACKER.get()?.file)(bytes)
}

/// The caller's image as PTX sources.
///
/// # Safety
/// `image` is null, or NUL-terminated text, or starts with the header of a cubin or fatbin.
pub(crate) unsafe fn sources(image: *const c_void) -> CallResult<Image> {
    if image.is_null() {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: an image of the caller's.
    if let Some(found) = UNPACKER.get().and_then(|unpacker| unsafe { (unpacker.image)(image) }) {
        return found.map(|sources| Image { sources, max_registers: None });
    }
    // SAFETY: all three kinds are at least 4 bytes; shorter text ends the comparison at its NUL.
    if let Some(kind) = unsafe { machine_code(image.cast()) } {
        let file = crate::caller::name().unwrap_or_default();
        words::complain(&say!("unsupported-image", kind, has_file = !file.is_empty(), file));
        return Err(CUDA_ERROR_NO_BINARY_FOR_GPU);
    }
    // SAFETY: the caller gives NUL-terminated text.
    let text = unsafe { CStr::from_ptr(image.cast()) };
    let text = text.to_str().map_err(|_| CUDA_ERROR_INVALID_PTX)?;
    Ok(split(text))
}

/// # Safety
/// `image` is readable up to its fourth byte or its NUL, whichever is first.
unsafe fn machine_code(image: *const u8) -> Option<&'static str> {
    // SAFETY: `all` stops at the first difference, and no magic number holds a NUL before its end.
    let starts = |magic: &[u8]| magic.iter().enumerate().all(|(index, &byte)| unsafe { *image.add(index) } == byte);
    recognise(starts)
}

/// The kinds of machine code that the driver API takes, by their first bytes.
fn recognise(starts: impl Fn(&[u8]) -> bool) -> Option<&'static str> {
    const KINDS: [(&[u8], &str); 3] = [
        (b"\x7fELF", "cubin"),
        (&0xBA55_ED50_u32.to_le_bytes(), "fatbin"),
        (&0x4662_43B1_u32.to_le_bytes(), "fatbin wrapper"),
    ];
    KINDS.into_iter().find(|(magic, _)| starts(magic)).map(|(_, kind)| kind)
}

/// Reads text: PTX, or what the linker has made.
pub(crate) fn split(text: &str) -> Image {
    let Some(linked) = text.strip_prefix(HEADING) else {
        return Image { sources: vec![text.to_string()], max_registers: None };
    };
    let limited = linked.strip_prefix(MAX_REGISTERS).and_then(|rest| rest.split_once('\n'));
    let limited = limited.and_then(|(number, rest)| Some((number.parse().ok()?, rest)));
    let (max_registers, linked) = limited.map_or((None, linked), |(most, rest)| (Some(most), rest));
    Image { sources: linked.split(SEPARATOR).map(str::to_string).collect(), max_registers }
}

/// The linker's output.
pub(crate) fn join(Image { sources, max_registers }: &Image) -> CallResult<CString> {
    let limit = max_registers.map_or(String::new(), |most| format!("{MAX_REGISTERS}{most}\n"));
    CString::new(format!("{HEADING}{limit}{}", sources.join(SEPARATOR))).map_err(|_| CUDA_ERROR_INVALID_PTX)
}

/// Parses and links for this device.
pub(crate) fn program(image: &Image, profile: &Profile) -> Result<Program, ImageRefusal> {
    let sources: Vec<&str> = image.sources.iter().map(String::as_str).collect();
    let mut program = Program::from_ptx(&sources).map_err(|error| refusal(&error))?;
    if let Some(most) = image.max_registers {
        program.limit_registers(most);
    }
    let have = profile.capability.0 * 10 + profile.capability.1;
    match program.kernels().iter().find(|kernel| kernel.architecture > have) {
        Some(kernel) => Err(ImageRefusal {
            code: CUDA_ERROR_NO_BINARY_FOR_GPU,
            log: format!("{} is for sm_{}, and this device is sm_{have}", kernel.name, kernel.architecture),
        }),
        None => Ok(program),
    }
}

/// Returns a line for each kernel that cannot be launched because its PTX is not understood, for the information log.
pub(crate) fn remarks(program: &Program) -> String {
    let not_understood = (0..program.kernels().len()).filter_map(|kernel| program.unsupported(kernel));
    let not_understood = not_understood.filter(|unsupported| !unsupported.is_understood);
    let kernels = not_understood.map(unsupported_text);
    kernels.chain(program.skipped().iter().map(lost)).collect::<Vec<_>>().join("\n")
}

/// Which line of a kernel keeps it from running here.
pub(crate) fn unsupported_text(unsupported: &emulator::Unsupported) -> String {
    let emulator::Unsupported { what, is_understood, kernel, line, location } = unsupported;
    if !is_understood {
        return say!("not-understood", what, kernel = kernel_name(kernel), line = *line);
    }
    let kernel = kernel_name(kernel);
    let at = location.as_ref().map_or(String::new(), |place| format!("{}:{}, ", place.file, place.line));
    say!("unsupported-instruction", what, at, kernel, line = *line)
}

/// `text`, and the versions if the PTX is newer than what is known here.
pub(crate) fn of_version(text: String, program: &Program) -> String {
    let (version, newest) = (program.version(), NEWEST_PTX);
    if version <= newest {
        return text;
    }
    let shown = |(major, minor): (u32, u32)| format!("{major}.{minor}");
    say!("not-understood-newer", text, version = shown(version), newest = shown(newest), in_python = is_python())
}

/// True if this process is an interpreter of Python: no nvcc has compiled what it loads.
fn is_python() -> bool {
    let program = std::env::current_exe().ok();
    let name = program.as_deref().and_then(|path| path.file_name()).and_then(|name| name.to_str());
    name.is_some_and(|name| name.starts_with("python"))
}

/// A directive that was passed over.
fn lost(error: &PtxError) -> String {
    say!("not-understood-directive", line = error.line, what = error.message.clone())
}

/// A line for each directive that was passed over and may have declared `name`.
pub(crate) fn may_have_declared(program: &Program, name: &str) -> Vec<String> {
    program.skipped().iter().map(|error| say!("not-understood-lookup", text = lost(error), name)).collect()
}

fn refusal(error: &LoadError) -> ImageRefusal {
    let code = match error.kind {
        LoadErrorKind::Syntax | LoadErrorKind::Unresolved => CUDA_ERROR_INVALID_PTX,
        LoadErrorKind::NoBinary => CUDA_ERROR_NO_BINARY_FOR_GPU,
    };
    let log = match error.line {
        0 => error.message.clone(),
        line => format!("ptx line {line}: {}", error.message),
    };
    ImageRefusal { code, log }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_image_gives_back_its_sources() {
        for max_registers in [None, Some(32)] {
            let image = Image { sources: vec!["a\n".to_string(), "b\n".to_string()], max_registers };
            assert_eq!(split(join(&image).unwrap().to_str().unwrap()), image);
        }
        assert_eq!(split("plain").sources, ["plain"]);
    }

    #[test]
    fn machine_code_is_told_by_its_first_bytes() {
        let kind = |bytes: &[u8]| recognise(|magic| bytes.starts_with(magic));
        assert_eq!(kind(b"\x7fELF\x02\x01"), Some("cubin"));
        assert_eq!(kind(&[0x50, 0xed, 0x55, 0xba, 1, 0]), Some("fatbin"));
        assert_eq!(kind(b".version 9.0"), None);
        assert_eq!(kind(b""), None);
    }

    #[test]
    fn an_error_log_names_the_line() {
        let error = |line, kind| LoadError { line, message: "unknown directive".to_string(), kind };
        let bad = refusal(&error(3, LoadErrorKind::Syntax));
        assert_eq!((bad.code, bad.log.as_str()), (CUDA_ERROR_INVALID_PTX, "ptx line 3: unknown directive"));
        assert_eq!(refusal(&error(0, LoadErrorKind::NoBinary)).code, CUDA_ERROR_NO_BINARY_FOR_GPU);
    }
}
