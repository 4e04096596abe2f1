//! Checkers: they observe what a kernel does and never change a value.

pub mod flow;
