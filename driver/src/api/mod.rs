//! The table of calls: every function that `cust_raw` 0.11.3 declares, and newer ones ([`newer`]), one line each.
//!
//! A line reads `cuName(arguments) => where::it_runs;`. The right side is the function of the emulated device;
//! `unsupported` means that it has none. On the real device the call goes to the symbol of the same name, or
//! returns `CUDA_ERROR_NOT_FOUND` where the installed driver lacks it. In a `table!`, a line that differs from
//! `cust_raw`'s own declaration does not compile; `calls!` does not compare.

use crate::emulated::CallResult;
use cust_raw::CUresult;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

macro_rules! calls {
    (@emulated $name:ident unsupported ($($arg:ident),*)) => { crate::api::unsupported(stringify!($name)) };
    (@emulated $name:ident $module:ident::$function:ident ($($arg:ident),*)) => {
        crate::api::guard(stringify!($name), || {
            // SAFETY: pointers come from the caller, who vouches for them as with any CUDA driver.
            unsafe { $module::$function($($arg),*) }
        })
    };
    ($($(#[$attribute:meta])* $name:ident($($arg:ident: $ty:ty),* $(,)?) => $first:ident $(::$second:ident)?;)*) => {
        $(
            $(#[$attribute])*
            #[allow(clippy::missing_safety_doc, clippy::too_many_arguments)]
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $name($($arg: $ty),*) -> CUresult {
                static NATIVE: crate::native::Symbol = crate::native::Symbol::new(concat!(stringify!($name), "\0"));
                match crate::choose::target() {
                    crate::choose::CallTarget::Emulator => calls!(@emulated $name $first $(::$second)? ($($arg),*)),
                    crate::choose::CallTarget::Gpu(library) => {
                        let Some(address) = NATIVE.find(library) else { return CUresult::CUDA_ERROR_NOT_FOUND };
                        // SAFETY: the symbol of this name in libcuda has this type, by the CUDA headers.
                        let call: unsafe extern "C" fn($($ty),*) -> u32 = unsafe { std::mem::transmute(address) };
                        // SAFETY: the arguments are the caller's own, passed on unchanged.
                        crate::native::result(unsafe { call($($arg),*) })
                    }
                    crate::choose::CallTarget::Refused(code) => code,
                }
            }
        )*
        pub(crate) const ENTRIES: &[crate::api::Entry] = &[$(crate::api::Entry {
            name: stringify!($name),
            address: || $name as *const () as usize,
            arguments: &[$((stringify!($arg), stringify!($ty))),*],
        }),*];
    };
}

macro_rules! table {
    ($($name:ident($($arg:ident: $ty:ty),* $(,)?) => $first:ident $(::$second:ident)?;)*) => {
        calls! { $($name($($arg: $ty),*) => $first $(::$second)?;)* }
        $(const _: unsafe extern "C" fn($($ty),*) -> CUresult = cust_raw::$name;)*
    };
}

/// An exported function.
#[derive(Clone, Copy)]
pub struct Entry {
    pub name: &'static str,
    /// Returns its address in this process.
    pub address: fn() -> usize,
    /// Its arguments: each one's name and its type in Rust.
    pub arguments: &'static [(&'static str, &'static str)],
}

mod context;
mod copy;
mod device;
mod entry;
mod event;
mod external;
mod graph;
mod graphics;
mod launch;
mod memory;
mod module;
pub mod newer;
mod numbered;
mod occupancy;
mod pool;
mod stream;
mod texture;
mod tools;
mod virtual_memory;

pub(crate) use entry::TABLES;
pub use entry::more_entries;

/// Runs one call of the emulated device. A panic is our error, never the caller's, and must not cross into C.
fn guard(name: &str, call: impl FnOnce() -> CallResult) -> CUresult {
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(Ok(())) => CUresult::CUDA_SUCCESS,
        Ok(Err(code)) => {
            crate::emulated::refused(name, code);
            code
        }
        Err(_) => {
            words::complain(&say!("emulator-error", text = name));
            CUresult::CUDA_ERROR_UNKNOWN
        }
    }
}

/// Says once for each function that the emulated device has no such thing. Returns `CUDA_ERROR_NOT_SUPPORTED`.
pub fn unsupported(name: &'static str) -> CUresult {
    if name == "cuGetExportTable" && crate::caller::is_compiler() {
        return CUresult::CUDA_ERROR_NOT_SUPPORTED;
    }
    static NAMED: Mutex<BTreeSet<&str>> = Mutex::new(BTreeSet::new());
    if NAMED.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).insert(name) {
        // This function is asked for only by a runtime that is statically linked.
        let files = match name {
            "cuGetExportTable" => crate::emulated::unserved(),
            _ => Vec::new(),
        };
        words::complain(&match files.is_empty() {
            true => say!("unsupported-function", name),
            false => say!("unserved-runtime", files = files.join(", ")),
        });
    }
    crate::emulated::unsupported(name, CUresult::CUDA_ERROR_NOT_SUPPORTED);
    CUresult::CUDA_ERROR_NOT_SUPPORTED
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_an_error_code() {
        assert_eq!(guard("cuTest", || panic!("on purpose")), CUresult::CUDA_ERROR_UNKNOWN);
        assert_eq!(guard("cuTest", || Ok(())), CUresult::CUDA_SUCCESS);
    }
}
