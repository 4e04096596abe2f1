//! The emulated driver as a library that C can load; `driver/tests/process.rs` gives it the name `libcuda.so.1`.

use driver as _;
