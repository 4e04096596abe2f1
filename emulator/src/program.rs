//! PTX modules, linked and ready to load.

use crate::device::{Kernel, LoadError};

/// One or several PTX texts, parsed and linked together.
#[derive(Debug)]
pub struct Program {}

#[allow(unused_variables)]
impl Program {
    /// Parses and links; symbols are resolved across `sources` as `cuLink` does.
    pub fn from_ptx(sources: &[&str]) -> Result<Program, LoadError> {
        todo!()
    }
    pub fn kernels(&self) -> &[Kernel] {
        todo!()
    }
}
