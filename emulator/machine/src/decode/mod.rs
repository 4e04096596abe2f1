//! From the syntax tree to decoded operations: registers get slots, names get addresses,
//! modifiers are checked to the last one.

mod modifiers;
mod operand;
mod refused;

pub use modifiers::Modifiers;
pub use operand::special;
pub use refused::Refused;

use crate::memory::space;
use crate::registers::{Reg, Width};
use ptx::ast;
use std::collections::HashMap;

/// The value that fills a constant slot when a frame starts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Constant {
    Bits(u64),
    /// Address of a module-scope variable in this device's memory.
    Global {
        variable: usize,
        offset: i64,
    },
    /// Offset into the thread's local memory, from the frame's base.
    Frame(i64),
    /// A special register that never changes while a thread lives.
    Special(ThreadRegister),
    /// A function's address.
    Function(usize),
}

/// Special registers fixed for a thread's life (PTX ISA, "Special Registers").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ThreadRegister {
    Tid(u8),
    Ntid(u8),
    Ctaid(u8),
    Nctaid(u8),
    Clusterid(u8),
    Nclusterid(u8),
    ClusterCtaid(u8),
    ClusterNctaid(u8),
    ClusterCtarank,
    ClusterNctarank,
    IsExplicitCluster,
    LaneId,
    WarpId,
    NwarpId,
    SmId,
    NsmId,
    GridId,
    LaneMaskEq,
    LaneMaskLe,
    LaneMaskLt,
    LaneMaskGe,
    LaneMaskGt,
    DynamicSharedSize,
    TotalSharedSize,
    ReservedShared(Reserved),
    Envreg(u8),
}

impl ThreadRegister {
    /// True if it differs from block to block of one grid.
    pub fn is_of_block(self) -> bool {
        use ThreadRegister::*;
        matches!(self, Ctaid(_) | Clusterid(_) | ClusterCtaid(_) | ClusterCtarank)
    }
}

/// A property of the shared memory that the system reserves (`%reserved_smem_offset_...`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reserved {
    Begin,
    End,
    Cap,
    /// One of its two parts.
    Part(u8),
}

/// The storage of a variable declared inside a function, or of a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Home {
    /// Byte offset in the block's shared memory.
    Shared(u64),
    /// Byte offset from the frame's base in the thread's local memory.
    Frame(u64),
    /// Byte offset in the kernel's parameter block.
    KernelParam(u64),
    /// Module-scope variable by index (`.global` and `.const`).
    Global(usize),
    /// A device function by index.
    Function(usize),
}

/// Everything a function's body refers to outside itself.
pub trait SymbolScope {
    /// A module-scope name, or one of the function's parameters.
    fn symbol(&self, name: &str) -> Option<Home>;
    /// A variable declared in the function's body.
    fn variable(&self, var: ast::VarId) -> Home;
    /// True in a `.entry`.
    fn in_kernel(&self) -> bool;
    /// A function's parameter, or its result, if that is a register: its type, and how many elements it has.
    fn register_parameter(&self, function: usize, nth: usize, is_result: bool) -> Option<(ast::Type, u32)>;
    /// The `.target` of its module: 90 for `sm_90a`.
    fn architecture(&self) -> u32;
    /// Address of the instruction a label stands before, in the kernel's code.
    fn label(&self, label: ast::LabelId) -> u32;
}

/// Decodes one function body.
pub struct Decoder<'a> {
    pub body: &'a ast::Body,
    pub scope: &'a dyn SymbolScope,
    registers: Vec<Option<Reg>>,
    slots: u32,
    preds: u32,
    constants: Vec<(Reg, Constant)>,
    known: HashMap<(Constant, Width), Reg>,
    carry: Option<Reg>,
}

/// The size of a function's frame, and the contents of its constant slots.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    pub slots: u32,
    pub preds: u32,
    pub constants: Vec<(Reg, Constant)>,
}

impl<'a> Decoder<'a> {
    pub fn new(body: &'a ast::Body, scope: &'a dyn SymbolScope) -> Decoder<'a> {
        Decoder {
            body,
            scope,
            registers: vec![None; body.registers.len()],
            slots: 0,
            preds: 0,
            constants: Vec::new(),
            known: HashMap::new(),
            carry: None,
        }
    }

    pub fn finish(self) -> Frame {
        Frame { slots: self.slots, preds: self.preds, constants: self.constants }
    }

    fn fresh(&mut self, width: Width) -> Reg {
        if width == Width::Pred {
            self.preds += 1;
            return Reg::new(self.preds - 1, width);
        }
        let index = self.slots;
        self.slots += width.slots().max(1);
        Reg::new(index, width)
    }

    /// A register nobody names, for a result that is dropped (`_`) or kept between two steps.
    pub fn scratch(&mut self, width: Width) -> Reg {
        self.fresh(width)
    }

    /// The declared register, given its slots at its first use.
    pub fn register(&mut self, id: ast::RegId) -> Reg {
        if let Some(reg) = self.registers[id.0 as usize] {
            return reg;
        }
        let declared = &self.body.registers[id.0 as usize];
        let width = match declared.ty {
            ast::Type::Pred => Width::Pred,
            ty => Width::for_bytes(ty.bytes()),
        };
        let reg = self.fresh(width);
        // The elements of a vector register stand side by side.
        for _ in 1..declared.vector {
            self.fresh(width);
        }
        self.registers[id.0 as usize] = Some(reg);
        reg
    }

    /// The elements of a vector register; `None` for any other.
    pub fn elements(&self, id: ast::RegId) -> Option<Vec<ast::Operand>> {
        let count = self.body.registers[id.0 as usize].vector;
        (count > 1).then(|| (0..count).map(|element| ast::Operand::Element(id, element as u8)).collect())
    }

    /// A register, or all elements of a vector register.
    pub fn each(&mut self, id: ast::RegId) -> Vec<Reg> {
        let first = self.register(id);
        let count = self.body.registers[id.0 as usize].vector;
        (0..count).map(|nth| Reg::new(first.index + nth * first.width.slots().max(1), first.width)).collect()
    }

    /// The declared type of a register.
    pub fn register_type(&self, id: ast::RegId) -> ast::Type {
        self.body.registers[id.0 as usize].ty
    }

    /// A slot that holds `constant` in every lane.
    pub fn constant(&mut self, constant: Constant, width: Width) -> Reg {
        if let Some(&reg) = self.known.get(&(constant.clone(), width)) {
            return reg;
        }
        let reg = self.fresh(width);
        self.constants.push((reg, constant.clone()));
        self.known.insert((constant, width), reg);
        reg
    }

    /// The condition code's carry flag, `CC.CF` (PTX ISA, "Extended-Precision Integer Arithmetic").
    pub fn carry_flag(&mut self) -> Reg {
        if self.carry.is_none() {
            self.carry = Some(self.fresh(Width::Pred));
        }
        self.carry.expect("just set")
    }

    /// The address, in its own space, of something with a home.
    fn address_of(&mut self, home: &Home, offset: i64, width: Width) -> Reg {
        let constant = match *home {
            Home::Shared(at) | Home::KernelParam(at) => Constant::Bits((at as i64).wrapping_add(offset) as u64),
            Home::Frame(at) => Constant::Frame((at as i64).wrapping_add(offset)),
            Home::Global(variable) => Constant::Global { variable, offset },
            Home::Function(index) => Constant::Function(index),
        };
        self.constant(constant, width)
    }
}

/// The space that `[operand]` of a space-less or `.param` access means, by its home.
pub fn space_of(home: &Home) -> space::Space {
    match home {
        Home::Shared(_) => space::Space::Shared,
        Home::Frame(_) => space::Space::Local,
        Home::KernelParam(_) => space::Space::Param,
        Home::Global(_) | Home::Function(_) => space::Space::Global,
    }
}
