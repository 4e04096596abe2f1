//! NVIDIA's run-time compiler: CUDA C++ to PTX inside this process (NVRTC, "Introduction" and "User Interface").
//!
//! It needs no host C++ compiler and takes a tenth of nvcc's time. The library comes with every CUDA toolkit and as a
//! wheel. It finds its built-in functions by the name of a second library, which is opened here first, from the same
//! folder: so neither has to be on the loader's path.

use libloading::os::unix;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::{Path, PathBuf};

type Program = *mut c_void;
type Create = unsafe extern "C" fn(
    *mut Program,
    *const c_char,
    *const c_char,
    c_int,
    *const *const c_char,
    *const *const c_char,
) -> c_int;
type Compile = unsafe extern "C" fn(Program, c_int, *const *const c_char) -> c_int;
type GetSize = unsafe extern "C" fn(Program, *mut usize) -> c_int;
type GetText = unsafe extern "C" fn(Program, *mut c_char) -> c_int;
type Destroy = unsafe extern "C" fn(*mut Program) -> c_int;
type Version = unsafe extern "C" fn(*mut c_int, *mut c_int) -> c_int;

/// The library, opened, with the functions that are used.
pub struct Nvrtc {
    path: PathBuf,
    version: (u32, u32),
    create: Create,
    compile: Compile,
    ptx: (GetSize, GetText),
    log: (GetSize, GetText),
    destroy: Destroy,
    // The functions above live as long as these do.
    _libraries: [Option<unix::Library>; 2],
}

/// The result of one compilation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compilation {
    pub ptx: String,
    /// Warnings; empty most of the time.
    pub log: String,
}

/// Why there is no PTX: the compiler's own messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompileError {
    pub log: String,
}

impl Nvrtc {
    /// `library` is the path of a `libnvrtc.so`. The error is the loader's own words.
    pub fn open(library: &Path) -> Result<Nvrtc, String> {
        let builtins = builtins_beside(library).map(|path| {
            // SAFETY: a library of NVIDIA's compiler; it has no initialisers but those of its runtime.
            unsafe { unix::Library::open(Some(path), unix::RTLD_NOW | unix::RTLD_GLOBAL) }
        });
        let builtins = builtins.transpose().map_err(|error| error.to_string())?;
        // SAFETY: as above.
        let opened =
            unsafe { unix::Library::open(Some(library), unix::RTLD_NOW) }.map_err(|error| error.to_string())?;
        // SAFETY: the types are those that nvrtc.h declares for these names.
        unsafe {
            let version: Version = function(&opened, "nvrtcVersion")?;
            let (mut major, mut minor) = (0, 0);
            let code = version(&mut major, &mut minor);
            if code != 0 {
                return Err(format!("nvrtcVersion gives error {code}"));
            }
            Ok(Nvrtc {
                path: library.to_path_buf(),
                version: (major as u32, minor as u32),
                create: function(&opened, "nvrtcCreateProgram")?,
                compile: function(&opened, "nvrtcCompileProgram")?,
                ptx: (function(&opened, "nvrtcGetPTXSize")?, function(&opened, "nvrtcGetPTX")?),
                log: (function(&opened, "nvrtcGetProgramLogSize")?, function(&opened, "nvrtcGetProgramLog")?),
                destroy: function(&opened, "nvrtcDestroyProgram")?,
                _libraries: [Some(opened), builtins],
            })
        }
    }

    /// `(13, 0)`
    pub fn version(&self) -> (u32, u32) {
        self.version
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Compiles one source. `name` is what messages and line tables call it; `options` are NVRTC's. To include one of
    /// the `empty` headers includes nothing: the declarations in it are built into NVRTC.
    pub fn compile(
        &self,
        source: &str,
        name: &str,
        options: &[String],
        empty: &[&str],
    ) -> Result<Compilation, CompileError> {
        let text =
            |what: &str| CString::new(what).map_err(|_| CompileError { log: "the text holds a zero byte".into() });
        let (source, name) = (text(source)?, text(name)?);
        let options = options.iter().map(|option| text(option)).collect::<Result<Vec<_>, _>>()?;
        let pointers: Vec<*const c_char> = options.iter().map(|option| option.as_ptr()).collect();
        let empty = empty.iter().map(|header| text(header)).collect::<Result<Vec<_>, _>>()?;
        let headers: Vec<*const c_char> = empty.iter().map(|header| header.as_ptr()).collect();
        let texts = vec![c"".as_ptr(); headers.len()];
        let count = headers.len() as c_int;
        let mut program = std::ptr::null_mut();
        // SAFETY: all strings end in zero and outlive the calls, and both lists of headers hold `count` of them.
        let created = unsafe {
            (self.create)(&mut program, source.as_ptr(), name.as_ptr(), count, texts.as_ptr(), headers.as_ptr())
        };
        if created != 0 {
            return Err(CompileError { log: format!("nvrtcCreateProgram gives error {created}") });
        }
        // SAFETY: `program` was just made; `pointers` holds as many strings as it says.
        let code = unsafe { (self.compile)(program, pointers.len() as c_int, pointers.as_ptr()) };
        let log = fetch(program, self.log).unwrap_or_default();
        let ptx = if code == 0 { fetch(program, self.ptx) } else { None };
        // SAFETY: made above and not used again.
        unsafe { (self.destroy)(&mut program) };
        match ptx {
            Some(ptx) => Ok(Compilation { ptx, log }),
            None if log.trim().is_empty() => Err(CompileError { log: format!("NVRTC gives error {code}") }),
            None => Err(CompileError { log }),
        }
    }
}

/// One of a program's texts.
fn fetch(program: Program, (size, get): (GetSize, GetText)) -> Option<String> {
    let mut bytes = 0;
    // SAFETY: `program` is alive, as both callers see to.
    if unsafe { size(program, &mut bytes) } != 0 {
        return None;
    }
    let mut text = vec![0u8; bytes + 1];
    // SAFETY: `program` is alive, as above, and `text` has room for the bytes that were announced.
    if unsafe { get(program, text.as_mut_ptr().cast()) } != 0 {
        return None;
    }
    Some(CStr::from_bytes_until_nul(&text).ok()?.to_string_lossy().into_owned())
}

/// # Safety
/// `T` is the function's type.
unsafe fn function<T: Copy>(library: &unix::Library, name: &str) -> Result<T, String> {
    // SAFETY: passed on to the caller.
    unsafe { library.get::<T>(name.as_bytes()) }.map(|symbol| *symbol).map_err(|error| error.to_string())
}

/// `libnvrtc-builtins.so.*` in the folder of `library`, where a toolkit has it.
fn builtins_beside(library: &Path) -> Option<PathBuf> {
    let real = library.canonicalize().ok()?;
    let mut found: Vec<PathBuf> = std::fs::read_dir(real.parent()?)
        .ok()?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("libnvrtc-builtins.so")))
        .collect();
    found.sort();
    found.pop()
}
