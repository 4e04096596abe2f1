//! The registers that change while a thread runs.

use crate::registers::Reg;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockRegister {
    Low,
    High,
    Whole,
}

#[derive(Clone, Copy, Debug)]
pub struct ClockRead {
    pub part: ClockRegister,
    pub global: bool,
    pub d: Reg,
}
