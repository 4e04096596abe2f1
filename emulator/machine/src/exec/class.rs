//! The class of an instruction, for counting: the groups in which Nsight Compute counts thread instructions.
//!
//! They come from the opcode and the types as written. What SASS has no instruction for (a parameter is an operand
//! there) has a class of its own.

use crate::counters::Counter;
use ptx::ast::{Instruction, Type};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    Integer,
    Fp16,
    Fp32,
    Fp64,
    Conversion,
    Control,
    Memory,
    /// Parameters and `.const`: operands, registers and the constant cache in SASS, not the pipeline of loads.
    Constant,
    InterThread,
    Synchronisation,
    Misc,
}

impl Class {
    pub fn of(instruction: &Instruction) -> Class {
        let has = |name: &str| instruction.modifiers.iter().any(|modifier| modifier == name);
        match instruction.opcode.as_str() {
            "bra" | "brx" | "call" | "ret" | "exit" | "trap" | "brkpt" | "nanosleep" => Class::Control,
            "bar" | "barrier" | "fence" | "membar" | "mbarrier" | "griddepcontrol" => Class::Synchronisation,
            "shfl" | "vote" | "match" | "redux" | "elect" | "activemask" => Class::InterThread,
            "ld" | "st" if ["const", "param", "param::entry", "param::func"].into_iter().any(has) => Class::Constant,
            "ld" | "ldu" | "st" | "atom" | "red" | "cp" | "prefetch" | "prefetchu" | "discard" | "applypriority" => {
                Class::Memory
            }
            "cvt" => Class::Conversion,
            "mov" | "cvta" | "isspacep" | "mapa" | "getctarank" | "createpolicy" | "pmevent" | "alloca"
            | "stacksave" | "stackrestore" => Class::Misc,
            _ => arithmetic(instruction),
        }
    }

    pub fn counter(self) -> Counter {
        match self {
            Class::Integer => Counter::Integer,
            Class::Fp16 => Counter::Fp16,
            Class::Fp32 => Counter::Fp32,
            Class::Fp64 => Counter::Fp64,
            Class::Conversion => Counter::Conversion,
            Class::Control => Counter::Control,
            Class::Memory => Counter::Memory,
            Class::Constant => Counter::Constant,
            Class::InterThread => Counter::InterThread,
            Class::Synchronisation => Counter::Synchronisation,
            Class::Misc => Counter::Misc,
        }
    }
}

/// By the widest floating-point type that is named; `set.u32.f32` compares floats.
fn arithmetic(instruction: &Instruction) -> Class {
    let types = || instruction.modifiers.iter().filter_map(|name| Type::parse(name));
    let is = |wanted: fn(Type) -> bool| types().any(wanted);
    if is(|ty| ty == Type::F64) {
        Class::Fp64
    } else if is(|ty| ty == Type::F32) {
        Class::Fp32
    } else if is(Type::is_float) {
        Class::Fp16
    } else {
        Class::Integer
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opcode_and_types_tell_the_class() {
        for (text, class) in [
            ("add.s32", Class::Integer),
            ("setp.lt.u32", Class::Integer),
            ("and.pred", Class::Integer),
            ("fma.rn.f32", Class::Fp32),
            ("set.lt.u32.f32", Class::Fp32),
            ("add.f64", Class::Fp64),
            ("fma.rn.bf16x2", Class::Fp16),
            ("cvt.f32.f64", Class::Conversion),
            ("mov.b32", Class::Misc),
            ("ld.param.u64", Class::Constant),
            ("ld.const.f32", Class::Constant),
            ("st.param.b32", Class::Constant),
            ("ld.global.nc.v4.u32", Class::Memory),
            ("red.global.add.u32", Class::Memory),
            ("bar.warp.sync", Class::Synchronisation),
            ("vote.sync.ballot.b32", Class::InterThread),
            ("bra.uni", Class::Control),
        ] {
            let mut words = text.split('.').map(String::from);
            let instruction = Instruction {
                guard: None,
                opcode: words.next().unwrap(),
                modifiers: words.collect(),
                operands: vec![],
                loc: None,
                line: 1,
            };
            assert_eq!(Class::of(&instruction), class, "{text}");
        }
    }
}
