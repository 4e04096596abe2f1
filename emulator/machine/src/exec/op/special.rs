//! The registers that change while a thread runs.

use crate::registers::Reg;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    Low,
    High,
    Whole,
}

#[derive(Clone, Copy, Debug)]
pub struct Read {
    pub part: Clock,
    pub global: bool,
    pub d: Reg,
}
