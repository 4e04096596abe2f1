//! The CUDA Runtime API, on top of the driver of this library.
//!
//! One file for each topic of the API's manual. [`entries`] has the C functions, a line each; what they share is in
//! [`call`].

/// Makes the C functions. A line `NAME(..) / NAME_ptsz [what = plain, own] => ..` also makes the twin for programs that
/// are built for a default stream for each thread: there `what` is `own`.
macro_rules! entries {
    ($(
        $name:ident $args:tt $(/ $mine:ident [$what:ident = $plain:expr, $own:expr])? => $body:expr;
    )*) => {
        $(
            entries!(@one $name $args { $(let $what = $plain;)? $body });
            $(entries!(@one $mine $args { let $what = $own; $body });)?
        )*
        /// Returns the functions that can be called.
        pub fn implemented() -> Vec<Entry> {
            let plain = [$(entries!(@entry $name $args)),*];
            let own = [$($(entries!(@entry $mine $args),)?)*];
            plain.into_iter().chain(own).collect()
        }
    };
    (@entry $name:ident ($($arg:ident: $ty:ty),* $(,)?)) => {
        Entry {
            name: stringify!($name),
            address: || $name as *const () as usize,
            arguments: &[$((stringify!($arg), stringify!($ty))),*],
        }
    };
    (@one $name:ident ($($arg:ident: $ty:ty),* $(,)?) $body:block) => {
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name($($arg: $ty),*) -> u32 {
            // SAFETY: pointers come from the caller, who vouches for them as with any CUDA runtime.
            answer(stringify!($name), || unsafe { $body })
        }
    };
}

mod array;
mod batch_entries;
mod call;
mod copy;
mod device;
mod entries;
mod error;
mod event;
mod function;
mod graph;
mod graph_any;
mod graph_entries;
mod graph_memory_entries;
mod launch;
mod library;
mod memory;
mod pool;
mod properties;
mod refused;
mod stream;
mod symbol;
mod texture;
mod texture_entries;
mod version;

pub use version::{function_for as version_function, know_linked as know_linked_version};

pub use call::{Error, RuntimeResult, check, context};

use driver::Entry;

/// Returns the runtime's functions. Calls of a runtime inside the program are redirected to them.
pub fn functions() -> Vec<Entry> {
    let of_graphs = [graph_entries::implemented(), graph_memory_entries::implemented()].concat();
    let of_memory = [entries::implemented(), batch_entries::implemented(), texture_entries::implemented()].concat();
    let implemented = [of_memory, of_graphs].concat();
    [implemented, entries::others(), refused::refused()].concat()
}
