//! The library is initialised before all others: before any constructor registers a kernel (see src/redirect.rs).

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-cdylib-link-arg=-Wl,-z,initfirst");
}
