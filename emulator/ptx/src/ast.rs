//! The syntax tree of one PTX module (PTX ISA, "Directives" and "Instruction operands").
//!
//! Nested `{ }` scopes are flattened: two registers of one name in two scopes get two
//! [`RegId`]s, so nothing after the parser needs to know about scopes.

use std::fmt;
use std::sync::Arc;

/// One PTX source text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Module {
    /// `.version major.minor`.
    pub version: (u32, u32),
    /// `.target` and its options, as written: `["sm_90", "debug"]`.
    pub target: Vec<String>,
    /// `.address_size`, in bits.
    pub address_size: u32,
    /// `.file`: index to path, as written.
    pub files: Vec<(u32, String)>,
    /// Module-scope variables.
    pub variables: Vec<Variable>,
    /// Kernels and device functions, declarations (no body) included.
    pub functions: Vec<Function>,
    /// `.alias alias, aliasee;`, in that order.
    pub aliases: Vec<(String, String)>,
    /// Every `.loc` of the module, in order; [`Instruction::loc`] indexes it.
    pub locs: Vec<Loc>,
    /// Directives that the parser does not understand, passed over: why, and where.
    pub skipped: Vec<crate::Error>,
}

/// `.loc file line column [, function_name label, inlined_at file line column]`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Loc {
    pub file: u32,
    pub line: u32,
    pub column: u32,
    /// The call site that this code was inlined at: file, line, column.
    pub inlined_at: Option<(u32, u32, u32)>,
    /// The inlined function's mangled name, resolved through `.debug_str` where present.
    pub function: Option<Arc<str>>,
}

/// State spaces a variable can be declared in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Space {
    Global,
    Const,
    Shared,
    Local,
    Param,
}

/// Fundamental types. What a declaration or an instruction's modifier can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    B8,
    B16,
    B32,
    B64,
    B128,
    U8,
    U16,
    U32,
    U64,
    S8,
    S16,
    S32,
    S64,
    F16,
    F16x2,
    Bf16,
    Bf16x2,
    F32,
    F64,
    Pred,
}

impl Type {
    /// The type that a modifier such as `u32` names (no dot).
    pub fn parse(name: &str) -> Option<Type> {
        use Type::*;
        Some(match name {
            "b8" => B8,
            "b16" => B16,
            "b32" => B32,
            "b64" => B64,
            "b128" => B128,
            "u8" => U8,
            "u16" => U16,
            "u32" => U32,
            "u64" => U64,
            "s8" => S8,
            "s16" => S16,
            "s32" => S32,
            "s64" => S64,
            "f16" => F16,
            "f16x2" => F16x2,
            "bf16" => Bf16,
            "bf16x2" => Bf16x2,
            "f32" => F32,
            "f64" => F64,
            "pred" => Pred,
            _ => return None,
        })
    }

    /// Size in bytes; a predicate counts as one.
    pub fn bytes(self) -> u32 {
        use Type::*;
        match self {
            B8 | U8 | S8 | Pred => 1,
            B16 | U16 | S16 | F16 | Bf16 => 2,
            B32 | U32 | S32 | F32 | F16x2 | Bf16x2 => 4,
            B64 | U64 | S64 | F64 => 8,
            B128 => 16,
        }
    }

    pub fn is_signed(self) -> bool {
        matches!(self, Type::S8 | Type::S16 | Type::S32 | Type::S64)
    }

    pub fn is_float(self) -> bool {
        use Type::*;
        matches!(self, F16 | F16x2 | Bf16 | Bf16x2 | F32 | F64)
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&format!("{self:?}").to_lowercase())
    }
}

/// `.visible`, `.extern`, `.weak`, `.common`; none means private to the module.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Linkage {
    #[default]
    Internal,
    Visible,
    Extern,
    Weak,
    Common,
}

/// A variable of any space but registers. Kernel and function parameters are variables too.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    pub name: String,
    pub space: Space,
    pub linkage: Linkage,
    /// `.attribute(.managed)`: unified memory.
    pub managed: bool,
    pub ty: Type,
    /// 1, 2 or 4 (`.v2`, `.v4`).
    pub vector: u32,
    /// In bytes; the natural alignment where none is written.
    pub align: u32,
    /// Dimensions in order; empty for a scalar. `[]` (extern shared) is `[0]`.
    pub dims: Vec<u64>,
    /// Flattened initial values; shorter than the variable means the rest is zero.
    pub init: Vec<Init>,
    /// Line in the PTX text, from 1.
    pub line: u32,
}

impl Variable {
    /// Size in bytes; `None` where the dimensions overflow 64 bits.
    pub fn bytes(&self) -> Option<u64> {
        self.dims.iter().try_fold(u64::from(self.ty.bytes() * self.vector), |size, &n| size.checked_mul(n))
    }
}

/// One element of an initialiser, as wide as the variable's type.
#[derive(Clone, Debug, PartialEq)]
pub enum Init {
    /// The element's bits (floats included).
    Bits(u64),
    /// `symbol + offset`; `generic(symbol)` sets `generic`.
    Address { symbol: String, offset: i64, generic: bool },
    /// `0xFF00(symbol)`: the bits of the address that `mask` selects, moved down to bit 0.
    /// nvcc writes an unaligned pointer in a packed struct this way, byte by byte.
    Masked { mask: u64, symbol: String, offset: i64, generic: bool },
}

/// An index into [`Body::registers`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RegId(pub u32);

/// An index into [`Body::variables`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct VarId(pub u32);

/// An index into [`Body::labels`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LabelId(pub u32);

/// An `.entry` or a `.func`.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    pub name: String,
    /// `.entry`.
    pub is_kernel: bool,
    pub linkage: Linkage,
    /// Return parameters (`.func` only).
    pub returns: Vec<Param>,
    pub params: Vec<Param>,
    /// `.maxntid`, `.reqntid`, `.minnctapersm`, `.maxnreg`, ...: name without dot, numbers.
    pub directives: Vec<(String, Vec<u32>)>,
    /// `None` for a declaration.
    pub body: Option<Body>,
    pub line: u32,
}

/// A parameter: memory (`.param`, the usual) or, for a `.func`, a register (`.reg`).
#[derive(Clone, Debug, PartialEq)]
pub enum Param {
    Memory(Variable),
    /// The register is also declared in the body; without a body, `reg` counts the register parameters.
    Register {
        name: String,
        ty: Type,
        /// As [`Register::vector`].
        vector: u32,
        reg: RegId,
    },
}

/// The text between a function's braces.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Body {
    pub registers: Vec<Register>,
    /// `.local`, `.shared`, `.param`, `.const` and `.global` variables declared inside the function, any scope.
    pub variables: Vec<Variable>,
    pub labels: Vec<Label>,
    pub instructions: Vec<Instruction>,
    /// Its part of [`Module::locs`].
    pub locs: std::ops::Range<usize>,
    /// `.branchtargets` lists, by label name.
    pub branch_targets: Vec<(String, Vec<LabelId>)>,
    /// `.callprototype` and `.calltargets` declarations, by label name.
    pub prototypes: Vec<Prototype>,
    /// Why the parser does not understand this function, and where. All else here is empty then.
    pub not_understood: Option<crate::Error>,
}

/// `.reg .b32 %r1;`. Only registers that are declared singly or used get an entry: `%r<1000000000>` costs nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Register {
    pub name: String,
    pub ty: Type,
    /// 1, 2 or 4 (`.reg .v4 .f32`).
    pub vector: u32,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    pub name: String,
    /// Index of the instruction it stands before; `instructions.len()` at the end of the body.
    pub target: u32,
}

/// `name: .callprototype (returns) _ (params);` or `name: .calltargets f, g;`
#[derive(Clone, Debug, PartialEq)]
pub struct Prototype {
    pub name: String,
    pub returns: Vec<Param>,
    pub params: Vec<Param>,
    /// `.calltargets` only.
    pub targets: Vec<String>,
}

/// `@p opcode.modifier.modifier operands;`
#[derive(Clone, Debug, PartialEq)]
pub struct Instruction {
    /// `@p` or `@!p` (`negated`).
    pub guard: Option<Guard>,
    /// First word: `"ld"`.
    pub opcode: String,
    /// The rest, without dots, `::` kept inside: `["shared::cta", "v4", "f32"]`, `["L2::128B"]`.
    pub modifiers: Vec<String>,
    pub operands: Vec<Operand>,
    /// Index into [`Module::locs`]: the `.loc` in force.
    pub loc: Option<u32>,
    /// Line in the PTX text, from 1.
    pub line: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guard {
    pub register: RegId,
    pub negated: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Operand {
    Register(RegId),
    /// `!%p`.
    NotRegister(RegId),
    /// `-%r1`, as the video instructions allow.
    NegatedRegister(RegId),
    /// `%r1 + 4`: the register's integer and a constant.
    Sum(RegId, i64),
    /// One element of a vector register: `%v.x`.
    Element(RegId, u8),
    /// Bytes or a half of a register, as the video instructions name them: `%r1.b0`, `%r1.h1`, `%r1.b7654`.
    Part(RegId, String),
    /// `-%r1.h0`, in `vmad`.
    NegatedPart(RegId, String),
    /// Any predefined name: `%tid.x`, `%laneid`, `%envreg1`, `WARP_SZ` (no `%` on that one).
    Special(String),
    Immediate(Immediate),
    /// A variable declared in this function: `name`, `name+4` or `name[1]`, standing for its address.
    Variable {
        var: VarId,
        offset: i64,
    },
    /// A module-scope name (variable, function) or a parameter, with its offset. The name of a
    /// `.branchtargets`, `.calltargets` or `.callprototype` table is a symbol too.
    Symbol {
        name: String,
        offset: i64,
    },
    Label(LabelId),
    /// `[base + offset]`.
    Address {
        base: Base,
        offset: i64,
    },
    /// `{a, b, c, d}`.
    Vector(Vec<Operand>),
    /// `d|p`, as `shfl` and `setp` write two results; either may be [`Operand::Sink`].
    Pair(Box<Operand>, Box<Operand>),
    /// `_`.
    Sink,
    /// `( a, b )` of a call.
    List(Vec<Operand>),
    /// `[a, {b, c}]`: brackets that hold more than an address (textures, tensors).
    Bracket(Vec<Operand>),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Base {
    Register(RegId),
    Variable(VarId),
    Symbol(String),
    /// `[1024]`: the offset is the address.
    Absolute,
}

/// A literal. PTX integers are 64 bits wide, signed unless a `U` follows or the value needs the top bit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Immediate {
    /// Bits of a 64-bit integer literal (a leading minus applied).
    Int(i64),
    /// `0f3F800000`.
    F32(u32),
    /// `0d3FF0000000000000`, or a decimal literal such as `1.5`.
    F64(u64),
}
