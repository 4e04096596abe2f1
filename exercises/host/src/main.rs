//! The crates that a student's program may name. Cargo builds these crates for this package; `cargo learn` then gives
//! them to rustc, with the program in place of this one.

use {anyhow as _, common as _, cust as _, driver as _, observer as _};

fn main() {}
