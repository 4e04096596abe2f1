//! `wmma` (PTX ISA, "Warp Level Matrix Load, Store and Multiply-and-Accumulate Instructions").
//!
//! The ISA leaves open which lane holds what. Here a fragment consists of tiles as `mma` has them, so a load or a store
//! becomes each lane's own accesses, and a product as many `mma` as there are tiles. One of `a` and `b` has tiles of 16
//! rows (or columns), the other of 8; `m8n32k16` is computed as the transposed product, with 16 columns of `b` in a
//! tile. Fragments of f16 have more registers than elements: the rest repeat the first ones.
//!
//! Left out, and refused: f16 products whose `c` and `d` differ in type, the types below eight bits, f64 that is
//! rounded otherwise than to nearest.

use super::replacement::{Replacement, number};
use ptx::ast::{Base, Instruction, Operand, Type};

pub fn concerns(instruction: &Instruction) -> bool {
    instruction.opcode == "wmma"
}

/// One fragment's tiles: eight groups of four lanes lie along `u`, the four along `v`.
struct Fragment {
    /// Elements in a register.
    packed: usize,
    /// From one of the four lanes to the next, along `v`.
    apart: usize,
    /// First `u` and `v` of each register, before what the lane adds.
    places: Vec<(usize, usize)>,
    /// In a row-major matrix neighbours along `v` are neighbours in memory.
    v_is_column: bool,
    extent: (usize, usize),
    ty: &'static str,
}

struct WmmaShape {
    m: usize,
    n: usize,
    k: usize,
}

impl WmmaShape {
    fn parse(name: &str) -> Option<WmmaShape> {
        let (m, n, k) = match name {
            "m16n16k16" => (16, 16, 16),
            "m32n8k16" => (32, 8, 16),
            "m8n32k16" => (8, 32, 16),
            "m16n16k8" => (16, 16, 8),
            "m8n8k4" => (8, 8, 4),
            _ => return None,
        };
        Some(WmmaShape { m, n, k })
    }

    fn is_turned(&self) -> bool {
        self.n == 32
    }

    /// Rows of the wide and of the narrow factor, each with the rows of its tiles.
    fn factors(&self) -> [(usize, usize); 2] {
        let (wide, narrow) = if self.is_turned() { (self.n, self.m) } else { (self.m, self.n) };
        [(wide, wide.min(16)), (narrow, 8)]
    }

    fn fits(&self, element: &str) -> bool {
        match element {
            "f16" | "bf16" | "s8" | "u8" => self.k == 16,
            "tf32" => self.k == 8,
            _ => self.k == 4 && element == "f64",
        }
    }

    /// `a` or `b`.
    fn factor(&self, is_a: bool, element: &str) -> Option<Fragment> {
        if !self.fits(element) {
            return None;
        }
        let (packed, ty) = match element {
            "f16" | "bf16" => (2, "b16"),
            "s8" | "u8" => (4, "b8"),
            "tf32" => (1, "b32"),
            _ => (1, "b64"),
        };
        let (rows, tile) = self.factors()[usize::from(is_a == self.is_turned())];
        let mut places = Vec::new();
        for first in (0..rows).step_by(tile) {
            for step in (0..self.k).step_by(4 * packed) {
                places.extend((0..tile).step_by(8).map(|half| (first + half, step)));
            }
        }
        // The ISA has eight registers for f16, whatever the shape.
        let count = if element == "f16" { 8 } else { places.len() };
        let places = (0..count).map(|at| places[at % places.len()]).collect();
        Some(Fragment { packed, apart: packed, places, v_is_column: is_a, extent: (rows, self.k), ty })
    }

    /// `c` or `d`.
    fn accumulators(&self, element: &str) -> Option<Fragment> {
        let fits = match element {
            "f16" | "s32" => self.k == 16,
            "f32" => self.k >= 8,
            _ => self.k == 4 && element == "f64",
        };
        let (packed, ty) = match element {
            "f16" => (2, "b16"),
            "f64" => (1, "b64"),
            _ => (1, "b32"),
        };
        let [(wide, tile), (narrow, _)] = self.factors();
        let mut places = Vec::new();
        for first in (0..wide).step_by(tile) {
            for column in (0..narrow).step_by(8) {
                for half in (0..tile).step_by(8) {
                    places.extend((0..2).step_by(packed).map(|next| (first + half, column + next)));
                }
            }
        }
        let fragment =
            Fragment { packed, apart: 2, places, v_is_column: !self.is_turned(), extent: (wide, narrow), ty };
        fits.then_some(fragment)
    }
}

/// None: the instruction stays.
pub fn of(instruction: &Instruction, steps: &mut Replacement) -> Option<()> {
    if !concerns(instruction) {
        return None;
    }
    let words: Vec<&str> = instruction.modifiers.iter().map(String::as_str).collect();
    match words[..] {
        ["load", what, "sync", "aligned", ref rest @ ..] => moved(instruction, Some(what), rest, steps),
        ["store", "d", "sync", "aligned", ref rest @ ..] => moved(instruction, None, rest, steps),
        ["mma", "sync", "aligned", "row" | "col", "row" | "col", shape, ref types @ ..] => {
            product(instruction, &WmmaShape::parse(shape)?, types, steps)
        }
        _ => None,
    }
}

/// A load of `a`, `b` or `c`, or a store.
fn moved(instruction: &Instruction, what: Option<&str>, rest: &[&str], steps: &mut Replacement) -> Option<()> {
    let (layout, shape, space, element) = match *rest {
        [layout @ ("row" | "col"), shape, element] | [shape, layout @ ("row" | "col"), element] => {
            (layout, shape, "", element)
        }
        [layout @ ("row" | "col"), shape, space, element] | [shape, layout @ ("row" | "col"), space, element] => {
            (layout, shape, space, element)
        }
        _ => return None,
    };
    let space = match space {
        "" => "",
        "global" => ".global",
        "shared" | "shared::cta" => ".shared",
        _ => return None,
    };
    let shape = WmmaShape::parse(shape)?;
    let fragment = match what {
        Some("a" | "b") => shape.factor(what == Some("a"), element)?,
        Some("c") | None => shape.accumulators(element)?,
        Some(_) => return None,
    };
    let (held, address) = match what {
        Some(_) => (instruction.operands.first()?, instruction.operands.get(1)?),
        None => (instruction.operands.get(1)?, instruction.operands.first()?),
    };
    let (Operand::Vector(held), Operand::Address { base, offset }) = (held, address) else { return None };
    if held.len() != fragment.places.len() {
        return None;
    }
    let v_is_fast = (layout == "row") == fragment.v_is_column;
    let stride = match instruction.operands.get(2..)? {
        [] => number((if v_is_fast { fragment.extent.1 } else { fragment.extent.0 }) as i64),
        [stride @ Operand::Immediate(_)] => stride.clone(),
        // Copied, so that a result may take the register.
        [stride @ Operand::Register(_)] => steps.make("mov.b32", Type::U32, vec![stride.clone()]),
        _ => return None,
    };
    let (base, is_wide) = copied(base, steps)?;
    let lane = steps.make("mov.u32", Type::U32, vec![Operand::Special("%laneid".into())]);
    let group = steps.make("shr.u32", Type::U32, vec![lane.clone(), number(2)]);
    let within = steps.make("and.b32", Type::U32, vec![lane, number(3)]);
    let along = steps.make("mul.lo.u32", Type::U32, vec![within, number(fragment.apart as i64)]);
    let bytes: i64 = match fragment.ty {
        "b8" => 1,
        "b16" => 2,
        "b32" => 4,
        _ => 8,
    };
    for (&(u, v), held) in fragment.places.iter().zip(held) {
        let u = steps.make("add.u32", Type::U32, vec![group.clone(), number(u as i64)]);
        let v = steps.make("add.u32", Type::U32, vec![along.clone(), number(v as i64)]);
        let mut place = |nth: i64| {
            let v = steps.make("add.u32", Type::U32, vec![v.clone(), number(nth)]);
            let (slow, fast) = if v_is_fast { (u.clone(), v) } else { (v, u.clone()) };
            let index = steps.make("mad.lo.u32", Type::U32, vec![slow, stride.clone(), fast]);
            let address = match is_wide {
                true => steps.make("mad.wide.u32", Type::U64, vec![index, number(bytes), base.clone()]),
                false => steps.make("mad.lo.u32", Type::U32, vec![index, number(bytes), base.clone()]),
            };
            match address {
                Operand::Register(id) => Operand::Address { base: Base::Register(id), offset: *offset },
                other => other,
            }
        };
        if fragment.packed == 1 || v_is_fast {
            let (place, ty) = (place(0), if fragment.packed == 1 { fragment.ty } else { "b32" });
            match what {
                Some(_) => steps.push(&format!("ld{space}.{ty}"), vec![held.clone(), place]),
                None => steps.push(&format!("st{space}.{ty}"), vec![place, held.clone()]),
            }
            continue;
        }
        // Neighbours in the register, apart in memory.
        let places: Vec<Operand> = (0..fragment.packed as i64).map(place).collect();
        let part = if bytes == 1 { Type::B8 } else { Type::B16 };
        if what.is_some() {
            let text = format!("ld{space}.{}", fragment.ty);
            let parts = places.into_iter().map(|place| steps.make(&text, part, vec![place])).collect();
            steps.push("mov.b32", vec![held.clone(), Operand::Vector(parts)]);
            continue;
        }
        for (nth, place) in places.into_iter().enumerate() {
            let shifted = steps.make("shr.u32", Type::U32, vec![held.clone(), number(nth as i64 * 8 * bytes)]);
            let half = steps.make("cvt.u16.u32", Type::U16, vec![shifted]);
            steps.push(&format!("st{space}.{}", fragment.ty), vec![place, half]);
        }
    }
    Some(())
}

/// The address before its offset, and whether it has 64 bits.
fn copied(base: &Base, steps: &mut Replacement) -> Option<(Operand, bool)> {
    let named = match base {
        Base::Register(id) => {
            let given = Operand::Register(*id);
            return match steps.registers[id.0 as usize].ty.bytes() {
                4 => Some((steps.make("mov.b32", Type::U32, vec![given]), false)),
                8 => Some((steps.make("mov.b64", Type::U64, vec![given]), true)),
                _ => None,
            };
        }
        Base::Variable(var) => Operand::Variable { var: *var, offset: 0 },
        Base::Symbol(name) => Operand::Symbol { name: name.clone(), offset: 0 },
        Base::Absolute => return None,
    };
    Some((steps.make("mov.u64", Type::U64, vec![named]), true))
}

fn product(instruction: &Instruction, shape: &WmmaShape, types: &[&str], steps: &mut Replacement) -> Option<()> {
    // The mode stands before the types in the ISA's grammar, behind them in what nvcc writes. Only f64 has one.
    let types = match *types {
        ["rn", ref rest @ ..] | [ref rest @ .., "rn"] if rest.first() == Some(&"f64") => rest,
        _ => types,
    };
    let (d, a, b, c, end) = match *types {
        [d, c] if d == c => (d, "f16", "f16", c, ""),
        [d, a, b, c] => (d, a, b, c, ""),
        [d, a, b, c, "satfinite"] => (d, a, b, c, ".satfinite"),
        _ => return None,
    };
    if a != b || d != c {
        return None;
    }
    let ([(wide, tile), (narrow, _)], fragment) = (shape.factors(), shape.accumulators(d)?);
    let [Operand::Vector(to), Operand::Vector(first), Operand::Vector(second), Operand::Vector(from)] =
        &instruction.operands[..]
    else {
        return None;
    };
    let counts = [&fragment, &shape.factor(true, a)?, &shape.factor(false, b)?].map(|it| it.places.len());
    if [to.len(), first.len(), second.len()] != counts || from.len() != to.len() {
        return None;
    }
    let (first, second, a, b) = if shape.is_turned() { (second, first, b, a) } else { (first, second, a, b) };
    // Registers of a tile of `c`, and of the wide and the narrow factor.
    let tiles = wide / tile * (narrow / 8);
    let (held, k) = (to.len() / tiles, shape.k);
    let steps_of = k / (4 * shape.factor(true, a)?.packed);
    let (wide_held, narrow_held) = (tile / 8 * steps_of, steps_of);
    let text = format!("mma.sync.aligned.m{tile}n8k{k}.row.col{end}.{d}.{a}.{b}.{c}");
    let ty = match d {
        "f64" => Type::F64,
        "f32" => Type::F32,
        "s32" => Type::S32,
        _ => Type::B32,
    };
    let mut results = Vec::new();
    for at in 0..tiles {
        let (row, column) = (at / (narrow / 8), at % (narrow / 8));
        let part = |list: &[Operand], nth: usize, count: usize| Operand::Vector(list[nth * count..][..count].to_vec());
        let made: Vec<Operand> = (0..held).map(|_| steps.register(ty)).collect();
        let sources = [part(first, row, wide_held), part(second, column, narrow_held), part(from, at, held)];
        steps.push(&text, [vec![Operand::Vector(made.clone())], sources.to_vec()].concat());
        results.extend(made);
    }
    // After every product: a result may take a register of `a` or `b`.
    for (to, made) in to.iter().zip(results) {
        steps.push(if ty == Type::F64 { "mov.b64" } else { "mov.b32" }, vec![to.clone(), made]);
    }
    Some(())
}
