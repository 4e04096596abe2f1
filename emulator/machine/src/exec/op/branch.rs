//! Control flow.

use crate::exec::runtime::DeviceCall;
use crate::registers::Reg;

#[derive(Clone, Debug)]
pub enum BranchOp {
    To(u32),
    /// `brx.idx`: the register of the index, and the targets. An index outside the table is undefined behaviour, and a
    /// fault here.
    Table(Box<(Reg, Vec<u32>)>),
}

/// Functions that the device runtime provides and the emulator runs itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Builtin {
    /// `int vprintf(const char* format, const void* arguments)`.
    Vprintf,
    /// `void __assertfail(message, file, line, function, char size)`.
    AssertFail,
    /// A call of the device runtime for launches by kernels.
    Device(DeviceCall),
    /// `void* malloc(size_t bytes)`: null if the heap has no room.
    Malloc,
    /// `void free(void* block)`: null is allowed.
    Free,
}

impl Builtin {
    pub fn parse(name: &str) -> Option<Builtin> {
        match name {
            "vprintf" => Some(Builtin::Vprintf),
            "__assertfail" => Some(Builtin::AssertFail),
            "malloc" => Some(Builtin::Malloc),
            "free" => Some(Builtin::Free),
            name => DeviceCall::parse(name).map(Builtin::Device),
        }
    }

    /// Returns true if it takes the address of a kernel to launch.
    pub fn names_a_kernel(self) -> bool {
        self == Builtin::Device(DeviceCall::GetParameterBuffer)
    }
}

#[derive(Clone, Debug)]
pub enum Callee {
    /// A function of the program, by index.
    Function(usize),
    Builtin(Builtin),
    /// A function whose address is in a register.
    Indirect(Reg),
}

/// One argument or result at the call site.
#[derive(Clone, Copy, Debug)]
pub enum PassedArgument {
    /// A `.param` variable, at an offset of the caller's frame.
    Memory {
        offset: u64,
        bytes: u64,
    },
    Register(Reg),
}

#[derive(Clone, Debug)]
pub struct CallOp {
    pub callee: Callee,
    pub arguments: Vec<PassedArgument>,
    pub results: Vec<PassedArgument>,
}
