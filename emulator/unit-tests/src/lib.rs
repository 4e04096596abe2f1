//! The unit tests of `checker`, `machine` and `ptx`: `cargo test -p unit-tests`, or with `--test machine` those of one.
//!
//! The tests stand in the sources of these crates, below what they test. The crates are optimised in every profile (the
//! workspace's `Cargo.toml` says why), and cargo has no other level for a crate's own tests. Built like that they take
//! 40 seconds of a processor's time; here 8.
