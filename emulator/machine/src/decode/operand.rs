//! Operands: whatever is written, a decoded instruction sees a register slot.

use super::refused::Refused;
use super::{Constant, Decoder, Home, Reserved, ThreadRegister, space_of};
use crate::memory::space::Space;
use crate::registers::{Reg, Width};
use ptx::ast::{Base, Immediate, Instruction, Operand, Type};

/// `[base + offset]`, with what the written base says about the space.
#[derive(Clone, Copy, Debug)]
pub struct Address {
    pub base: Reg,
    pub offset: i64,
    /// The space of a named variable; `None` for a register or a number.
    pub named: Option<Space>,
}

impl Decoder<'_> {
    /// Refuses a wrong number of operands.
    pub fn arity(&self, instruction: &Instruction, allowed: std::ops::RangeInclusive<usize>) -> Result<(), Refused> {
        let given = instruction.operands.len();
        if allowed.contains(&given) {
            return Ok(());
        }
        Err(Refused::malformed(format!("{given} operands where {} to {} belong", allowed.start(), allowed.end())))
    }

    /// A source of type `ty`: register, immediate, special register or address of a variable.
    /// A register must be as wide as the type needs; a wider one is malformed.
    pub fn source(&mut self, operand: &Operand, ty: Type) -> Result<Reg, Refused> {
        if ty == Type::Pred {
            return self.predicate(operand);
        }
        let reg = self.any_source(operand, ty)?;
        self.same_size(operand, reg, ty)?;
        Ok(reg)
    }

    /// Refuses a register whose size is not that of `ty`: 8, 16 and 32 bits share a width here, not in PTX.
    fn same_size(&self, operand: &Operand, reg: Reg, ty: Type) -> Result<(), Refused> {
        let declared = match operand {
            Operand::Register(id) | Operand::Element(id, _) if reg.width != Width::Pred => {
                self.register_type(*id).bytes()
            }
            _ => ty.bytes(),
        };
        if reg.width == Width::for_bytes(ty.bytes()) && declared == ty.bytes() {
            return Ok(());
        }
        Err(Refused::malformed(format!("a register of another size stands where .{ty} belongs")))
    }

    /// A source that may be wider than `ty` (`ld`, `st`, `cvt` allow it).
    pub fn any_source(&mut self, operand: &Operand, ty: Type) -> Result<Reg, Refused> {
        let width = Width::for_bytes(ty.bytes());
        match operand {
            Operand::Register(id) => Ok(self.register(*id)),
            Operand::Element(id, element) => self.element(*id, *element),
            Operand::Immediate(value) => {
                let bits = immediate_bits(*value, ty)?;
                Ok(self.constant(Constant::Bits(bits), width))
            }
            Operand::Special(name) => match special(name) {
                Some(Special::Number(value)) => Ok(self.constant(Constant::Bits(value), width)),
                Some(Special::Thread(register)) => Ok(self.constant(Constant::Special(register), width)),
                None => Err(Refused::Unsupported(format!("special register {name}"))),
            },
            Operand::Variable { var, offset } => {
                let home = self.scope.variable(*var);
                Ok(self.address_of(&home, *offset, width))
            }
            Operand::Symbol { name, offset } => {
                let home = self.home(name)?;
                Ok(self.address_of(&home, *offset, width))
            }
            // A sum that has a meaning is an instruction by now: see `program::sums`.
            Operand::Sum(..) => Err(Refused::malformed("a constant is added to a register of integers only")),
            _ => Err(Refused::malformed("an operand is no source")),
        }
    }

    fn element(&mut self, id: ptx::ast::RegId, element: u8) -> Result<Reg, Refused> {
        let first = self.register(id);
        if u32::from(element) >= self.body.registers[id.0 as usize].vector {
            return Err(Refused::malformed("the vector register has no such element"));
        }
        let step = first.width.slots().max(1);
        Ok(Reg::new(first.index + u32::from(element) * step, first.width))
    }

    fn home(&self, name: &str) -> Result<Home, Refused> {
        self.scope.symbol(name).ok_or_else(|| Refused::malformed(format!("`{name}` is not declared")))
    }

    /// A destination of type `ty`; `_` drops the result.
    pub fn dest(&mut self, operand: &Operand, ty: Type) -> Result<Reg, Refused> {
        if ty == Type::Pred {
            return self.predicate_dest(operand);
        }
        let width = Width::for_bytes(ty.bytes());
        let reg = self.any_dest(operand, width)?;
        self.same_size(operand, reg, ty)?;
        Ok(reg)
    }

    /// A destination of any size (`ld`, `cvt`).
    pub fn any_dest(&mut self, operand: &Operand, sink: Width) -> Result<Reg, Refused> {
        match operand {
            Operand::Register(id) => Ok(self.register(*id)),
            Operand::Element(id, element) => self.element(*id, *element),
            Operand::Sink => Ok(self.scratch(sink)),
            _ => Err(Refused::malformed("an operand cannot be written")),
        }
    }

    /// A predicate source; `!p` is not allowed here (see [`Decoder::predicate_negatable`]).
    pub fn predicate(&mut self, operand: &Operand) -> Result<Reg, Refused> {
        match self.predicate_negatable(operand)? {
            (reg, false) => Ok(reg),
            (_, true) => Err(Refused::malformed("`!` is not allowed on this predicate")),
        }
    }

    /// A predicate source and whether a `!` stands before it.
    pub fn predicate_negatable(&mut self, operand: &Operand) -> Result<(Reg, bool), Refused> {
        let (reg, negated) = match operand {
            Operand::Register(id) => (self.register(*id), false),
            Operand::NotRegister(id) => (self.register(*id), true),
            Operand::Immediate(Immediate::Int(value)) => {
                (self.constant(Constant::Bits(u64::from(*value != 0)), Width::Pred), false)
            }
            Operand::Special(name) if name == "%is_explicit_cluster" => {
                (self.constant(Constant::Special(ThreadRegister::IsExplicitCluster), Width::Pred), false)
            }
            _ => return Err(Refused::malformed("an operand is no predicate")),
        };
        match reg.width {
            Width::Pred => Ok((reg, negated)),
            _ => Err(Refused::malformed("a predicate is needed")),
        }
    }

    /// A predicate destination; `_` is no register at all.
    pub fn predicate_dest(&mut self, operand: &Operand) -> Result<Reg, Refused> {
        match operand {
            Operand::Sink => Ok(Reg::NONE),
            Operand::Register(id) => match self.register(*id) {
                reg if reg.width == Width::Pred => Ok(reg),
                _ => Err(Refused::malformed("a predicate is needed")),
            },
            _ => Err(Refused::malformed("an operand is no predicate")),
        }
    }

    /// `d` or `d|p`: the two destinations as written.
    pub fn pair<'i>(&self, operand: &'i Operand) -> (&'i Operand, Option<&'i Operand>) {
        match operand {
            Operand::Pair(first, second) => (first, Some(second)),
            single => (single, None),
        }
    }

    /// A memory operand.
    pub fn address(&mut self, operand: &Operand) -> Result<Address, Refused> {
        let Operand::Address { base, offset } = operand else {
            return Err(Refused::malformed("an operand is no address"));
        };
        let named = |home: &Home| Some(space_of(home));
        match base {
            Base::Register(id) => {
                let base = self.register(*id);
                match base.width {
                    Width::Word | Width::Double => Ok(Address { base, offset: *offset, named: None }),
                    _ => Err(Refused::malformed("an address needs a 32-bit or 64-bit register")),
                }
            }
            Base::Variable(var) => {
                let home = self.scope.variable(*var);
                let base = self.address_of(&home, 0, Width::Double);
                Ok(Address { base, offset: *offset, named: named(&home) })
            }
            Base::Symbol(name) => {
                let home = self.home(name)?;
                let base = self.address_of(&home, 0, Width::Double);
                Ok(Address { base, offset: *offset, named: named(&home) })
            }
            Base::Absolute => {
                let base = self.constant(Constant::Bits(*offset as u64), Width::Double);
                Ok(Address { base, offset: 0, named: None })
            }
        }
    }
}

/// A literal's bits as a value of type `ty`.
pub fn immediate_bits(value: Immediate, ty: Type) -> Result<u64, Refused> {
    let bits = match (value, ty) {
        (Immediate::Int(value), ty) if !ty.is_float() => value as u64,
        // ptxas reads an integer literal in a floating-point instruction as a number.
        (Immediate::Int(value), Type::F32) => u64::from((value as f32).to_bits()),
        (Immediate::Int(value), Type::F64) => (value as f64).to_bits(),
        (Immediate::F32(bits), Type::F32 | Type::B32 | Type::U32 | Type::S32) => u64::from(bits),
        (Immediate::F32(bits), Type::F64) => f64::from(f32::from_bits(bits)).to_bits(),
        (Immediate::F64(bits), Type::F32 | Type::B32) => u64::from((f64::from_bits(bits) as f32).to_bits()),
        (Immediate::F64(bits), Type::F64 | Type::B64 | Type::U64 | Type::S64) => bits,
        _ => return Err(Refused::malformed(format!("this literal is no .{ty}"))),
    };
    Ok(match ty.bytes() {
        1 => bits & 0xff,
        2 => bits & 0xffff,
        4 => bits & 0xffff_ffff,
        _ => bits,
    })
}

/// A special register, if it is one that never changes.
pub enum Special {
    Number(u64),
    Thread(ThreadRegister),
}

/// `%tid.x` and its kin, by name (PTX ISA, "Special Registers").
pub fn special(name: &str) -> Option<Special> {
    use ThreadRegister::*;
    let axis = |suffix: &str| match suffix {
        "x" => Some(0),
        "y" => Some(1),
        "z" => Some(2),
        _ => None,
    };
    let register = match name {
        "WARP_SZ" => return Some(Special::Number(32)),
        "%laneid" => LaneId,
        "%warpid" => WarpId,
        "%nwarpid" => NwarpId,
        "%smid" => SmId,
        "%nsmid" => NsmId,
        "%gridid" => GridId,
        "%lanemask_eq" => LaneMaskEq,
        "%lanemask_le" => LaneMaskLe,
        "%lanemask_lt" => LaneMaskLt,
        "%lanemask_ge" => LaneMaskGe,
        "%lanemask_gt" => LaneMaskGt,
        "%cluster_ctarank" => ClusterCtarank,
        "%cluster_nctarank" => ClusterNctarank,
        // No launch is a node of a graph.
        "%current_graph_exec" => return Some(Special::Number(0)),
        "%dynamic_smem_size" => DynamicSharedSize,
        "%total_smem_size" | "%aggr_smem_size" => TotalSharedSize,
        _ => {
            if let Some(number) = name.strip_prefix("%envreg") {
                return number.parse().ok().filter(|&n: &u8| n < 32).map(|n| Special::Thread(Envreg(n)));
            }
            if let Some(what) = name.strip_prefix("%reserved_smem_offset_") {
                return Some(Special::Thread(ReservedShared(match what {
                    "begin" => Reserved::Begin,
                    "end" => Reserved::End,
                    "cap" => Reserved::Cap,
                    "0" => Reserved::Part(0),
                    "1" => Reserved::Part(1),
                    _ => return None,
                })));
            }
            let (register, suffix) = name.split_once('.')?;
            // The fourth element of the old vector form is always zero.
            if suffix == "w" {
                return ["%tid", "%ntid", "%ctaid", "%nctaid"].contains(&register).then_some(Special::Number(0));
            }
            let axis = axis(suffix)?;
            match register {
                "%tid" => Tid(axis),
                "%ntid" => Ntid(axis),
                "%ctaid" => Ctaid(axis),
                "%nctaid" => Nctaid(axis),
                "%clusterid" => Clusterid(axis),
                "%nclusterid" => Nclusterid(axis),
                "%cluster_ctaid" => ClusterCtaid(axis),
                "%cluster_nctaid" => ClusterNctaid(axis),
                _ => return None,
            }
        }
    };
    Some(Special::Thread(register))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_take_the_type_of_their_place() {
        assert_eq!(immediate_bits(Immediate::Int(-1), Type::S16), Ok(0xffff));
        assert_eq!(immediate_bits(Immediate::F32(0x3f80_0000), Type::F32), Ok(0x3f80_0000));
        assert_eq!(immediate_bits(Immediate::F64(1.5f64.to_bits()), Type::F32), Ok(u64::from(1.5f32.to_bits())));
        assert!(immediate_bits(Immediate::F64(0), Type::S16).is_err());
    }
}
