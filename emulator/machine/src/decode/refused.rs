//! Errors for code that cannot be decoded.

/// Why an instruction cannot run here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// PTX that this emulator does not do. Empty: the instruction as a whole.
    Unsupported(String),
    /// Not PTX: the assembler would refuse it too.
    Malformed(String),
    /// A function that nobody defines: the linker would refuse it.
    Unresolved(String),
}

impl Refused {
    /// The instruction as a whole.
    pub fn unsupported() -> Refused {
        Refused::Unsupported(String::new())
    }

    pub fn malformed(why: impl Into<String>) -> Refused {
        Refused::Malformed(why.into())
    }
}
