//! A program with a CUDA runtime of its own inside, which is what nvcc makes by default: each function of that runtime
//! is made to jump to ours.
//!
//! Why so: the runtime inside a program talks to the driver through tables that NVIDIA does not document, so no other
//! driver can serve it. But its functions can be found. They stand by name in the symbol table of the program or
//! library that holds them ([`symbols`]). If that table was stripped, they are found by the names that each passes to
//! profiling tools ([`stripped`]). This library is loaded first and initialised first (`-z initfirst`), before any
//! constructor registers a kernel there. It writes a [`jump`] over the beginning of each function whose name it knows.
//! Nothing of that runtime runs from then on. Files that are loaded later are treated the same way before their
//! constructors run ([`later`]).
//!
//! The libraries of NVIDIA's compilers stay as they are, but for functions that give machine code: who looks these up
//! gets ours ([`crate::compilers`]).
//!
//! Where no functions are found, there is a word about it. The variable `GPU_CHECK_REDIRECT=off` leaves all as it is.

mod jump;
mod later;
mod loaded;
mod stripped;
mod symbols;
mod version;

use self::jump::{JUMP, hide, write_address, write_jump};
pub(crate) use self::symbols::Export;

use self::loaded::{MappedFile, Object, objects};
use crate::{compilers, driver_names, runtime};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, PoisonError};

/// `off` leaves a program's own runtime as it is.
const VARIABLE: &str = "GPU_CHECK_REDIRECT";

/// Our functions by name.
static TARGETS: LazyLock<HashMap<&str, usize>> =
    LazyLock::new(|| runtime::functions().iter().map(|entry| (entry.name, (entry.address)())).collect());

/// The names of the driver's functions. A library that looks them up itself may have variables of these names, which
/// would be taken for our functions.
static DRIVER: LazyLock<HashSet<&str>> = LazyLock::new(|| driver::exported().iter().map(|entry| entry.name).collect());

fn is_driver_function(name: &str) -> bool {
    DRIVER.contains(name) || driver_names::find(name).is_some()
}

/// The files that were looked at, by where they are loaded.
static SEEN: Mutex<Option<HashSet<(PathBuf, usize)>>> = Mutex::new(None);

/// The files whose runtime was replaced.
static REPLACED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// The files whose runtime was not found.
static UNSERVED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Sends each function of a runtime in the program, or in a library of its own, to ours. Does the same for libraries
/// that are loaded later. Returns false if the environment says that all is to stay as it is.
pub(crate) fn redirect() -> bool {
    if std::env::var_os(VARIABLE).is_some_and(|value| value == "off") {
        return false;
    }
    redirect_new();
    later::at_each_load(redirect_new);
    true
}

/// Redirects the runtimes in files that were not looked at before.
fn redirect_new() {
    let ours = TARGETS.get("cudaMalloc").copied().unwrap_or(0);
    let mut seen = SEEN.lock().unwrap_or_else(PoisonError::into_inner);
    let loaded = objects();
    let now: HashSet<_> = loaded.iter().map(|object| (object.path.clone(), object.base)).collect();
    let before = seen.replace(now).unwrap_or_default();
    let is_new = |object: &Object| !before.contains(&(object.path.clone(), object.base));
    for object in loaded.iter().filter(|object| is_new(object) && !object.range.contains(&ours)) {
        redirect_object(object);
    }
}

fn redirect_object(object: &Object) {
    let Some(mapped) = MappedFile::open(&object.path) else { return };
    let Some(found) = symbols::functions(mapped.contents()) else { return };
    let file = || object.path.display().to_string();
    for (export, address) in compilers::replaced(object.base, &found.exports) {
        // SAFETY: an entry of the file's table of symbols, which is only read.
        unsafe { write_address(object.base.wrapping_add(export), address.wrapping_sub(object.base)) };
    }
    for variable in found.pointers.iter().filter(|variable| is_driver_function(variable.name)) {
        // SAFETY: as above. The file is not relocated yet.
        unsafe { hide(object.base.wrapping_add(variable.visibility)) };
    }
    if let Some(number) = found.linked_runtime {
        runtime::know_linked_version(number);
    }
    if found.is_older_than_12() {
        words::complain(&say!("older-runtime", file = file()));
        return;
    }
    // Functions begin at multiples of 16, so a short one has room behind it.
    let has_room = |function: &&symbols::Function| function.bytes >= JUMP || function.address.is_multiple_of(16);
    let listed = found.list.iter().filter(has_room);
    let mut functions: Vec<(&str, usize)> =
        listed.map(|function| (function.name, object.base.wrapping_add(function.address))).collect();
    let is_listed = functions.iter().any(|(name, _)| *name == "cudaMalloc");
    if !is_listed && !found.imports_runtime {
        // SAFETY: the file was mapped by the loader, which does not unload it while it is being loaded.
        match unsafe { stripped::functions(object, &found) }.filter(stripped::Runtime::is_found) {
            Some(runtime) if runtime.is_older_than_12 => {
                words::complain(&say!("older-runtime", file = file()));
                return;
            }
            Some(runtime) if runtime.has_registration() || !found.has_device_code => functions = runtime.list,
            _ if found.has_device_code && !found.has_symbols => {
                words::complain(&say!("stripped", file = file()));
                UNSERVED.lock().unwrap_or_else(PoisonError::into_inner).push(object.path.clone());
            }
            _ => {}
        }
    }
    if functions.iter().any(|(name, _)| *name == "cudaMalloc") {
        REPLACED.lock().unwrap_or_else(PoisonError::into_inner).push(object.path.clone());
    }
    // SAFETY: the file was mapped by the loader, as above.
    let version = unsafe { version::of(object, &functions) };
    for (name, address) in functions {
        let own = version.filter(|_| name == version::FUNCTION).and_then(runtime::version_function);
        if let Some(target) = own.or_else(|| TARGETS.get(name).copied()) {
            // SAFETY: code of the program's that is not running: no constructor of its has been called.
            unsafe { write_jump(address, target) };
        }
    }
}

/// Returns true for a file whose runtime was replaced.
pub(crate) fn is_replaced(file: &Path) -> bool {
    REPLACED.lock().unwrap_or_else(PoisonError::into_inner).iter().any(|path| path == file)
}

/// Returns the names of loaded files whose runtime was not found.
pub(crate) fn unserved() -> Vec<String> {
    let unserved = UNSERVED.lock().unwrap_or_else(PoisonError::into_inner);
    unserved.iter().filter_map(|path| Some(path.file_name()?.to_string_lossy().into_owned())).collect()
}
