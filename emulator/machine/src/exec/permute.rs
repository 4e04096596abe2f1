//! `prmt`: four bytes picked from eight (PTX ISA, "Data Movement and Conversion Instructions").

use super::op::{Alu, Op};
use crate::decode::{Decoder, Modifiers, Refused};
use crate::lanes::{LaneFn, ternary};
use crate::watch::flow::UndefinedFlow;
use ptx::ast::{Instruction, Type};

pub const OPCODES: &[&str] = &["prmt"];

/// The selectors that the named modes stand for, by the low two bits of `c`.
const MODES: [(&str, [u32; 4]); 6] = [
    ("f4e", [0x3210, 0x4321, 0x5432, 0x6543]),
    ("b4e", [0x5670, 0x6701, 0x7012, 0x0123]),
    ("rc8", [0x0000, 0x1111, 0x2222, 0x3333]),
    ("ecl", [0x3210, 0x3211, 0x3222, 0x3333]),
    ("ecr", [0x0000, 0x1110, 0x2210, 0x3210]),
    ("rc16", [0x1010, 0x3232, 0x1010, 0x3232]),
];

pub fn decode(instruction: &Instruction, decoder: &mut Decoder) -> Result<Op, Refused> {
    let mut modifiers = Modifiers::new(&instruction.modifiers);
    let ty = modifiers.ty()?;
    let mode = modifiers.take_map(|name| MODES.iter().position(|(mode, _)| *mode == name));
    modifiers.finish()?;
    if ty != Type::B32 {
        return Err(Refused::malformed("prmt is of .b32"));
    }
    let (kernel, flow): (LaneFn, UndefinedFlow) = match mode {
        None => (ternary(permute), |v, u| {
            if u[2] & 0xffff != 0 { !0 } else { permute(u[0] as u32, u[1] as u32, v[2] as u32).into() }
        }),
        Some(0) => (ternary(by_mode::<0>), flow_of::<0>),
        Some(1) => (ternary(by_mode::<1>), flow_of::<1>),
        Some(2) => (ternary(by_mode::<2>), flow_of::<2>),
        Some(3) => (ternary(by_mode::<3>), flow_of::<3>),
        Some(4) => (ternary(by_mode::<4>), flow_of::<4>),
        Some(_) => (ternary(by_mode::<5>), flow_of::<5>),
    };
    Ok(Op::Alu(Alu::of(instruction, decoder, kernel, flow, ty, &[ty; 3])?))
}

/// Each nibble of `selector`: a byte of `b:a`, or with its top bit that byte's sign, eight times.
#[inline(always)]
fn permute(a: u32, b: u32, selector: u32) -> u32 {
    let bytes = u64::from(b) << 32 | u64::from(a);
    (0..4).fold(0, |d, i| {
        let nibble = selector >> (4 * i);
        let byte = (bytes >> (8 * (nibble & 7))) as u8;
        let byte = if nibble & 8 != 0 { (byte as i8 >> 7) as u8 } else { byte };
        d | u32::from(byte) << (8 * i)
    })
}

#[inline(always)]
fn by_mode<const MODE: usize>(a: u32, b: u32, c: u32) -> u32 {
    permute(a, b, MODES[MODE].1[(c & 3) as usize])
}

/// Undefined bits move as the bytes do.
fn flow_of<const MODE: usize>(v: [u64; 4], u: [u64; 4]) -> u64 {
    if u[2] & 3 != 0 { !0 } else { by_mode::<MODE>(u[0] as u32, u[1] as u32, v[2] as u32).into() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::harness::{eval, refused};

    #[test]
    fn every_selector_against_bytes_in_a_row() {
        let (a, b) = (0x8332_01f0_u32, 0x7614_95d4_u32);
        let row: Vec<u8> = a.to_le_bytes().into_iter().chain(b.to_le_bytes()).collect();
        for selector in 0..=0xffff_u32 {
            let want = std::array::from_fn(|i| {
                let nibble = selector >> (4 * i) & 15;
                let byte = row[(nibble & 7) as usize];
                if nibble < 8 {
                    byte
                } else if byte >= 0x80 {
                    0xff
                } else {
                    0
                }
            });
            assert_eq!(permute(a, b, selector), u32::from_le_bytes(want), "{selector:#x}");
        }
    }

    #[test]
    fn named_modes() {
        let inputs = [("%r2", 0x3322_1100), ("%r3", 0x7766_5544)];
        for (mode, wants) in [
            ("f4e", [0x3322_1100, 0x4433_2211, 0x5544_3322, 0x6655_4433]),
            ("b4e", [0x5566_7700, 0x6677_0011, 0x7700_1122, 0x0011_2233]),
            ("rc8", [0, 0x1111_1111, 0x2222_2222, 0x3333_3333]),
            ("ecl", [0x3322_1100, 0x3322_1111, 0x3322_2222, 0x3333_3333]),
            ("ecr", [0, 0x1111_1100, 0x2222_1100, 0x3322_1100]),
            ("rc16", [0x1100_1100, 0x3322_3322, 0x1100_1100, 0x3322_3322]),
        ] {
            for (c, want) in wants.into_iter().enumerate() {
                let text = format!("prmt.b32.{mode} %r1, %r2, %r3, {}", c + 4);
                assert_eq!(eval(&text, &inputs, "%r1"), want, "{text}");
            }
        }
    }

    #[test]
    fn undefined_bytes_move_with_their_bytes() {
        assert_eq!(flow_of::<0>([0, 0, 1, 0], [0xff00_0000, 0x3, 0, 0]), 0x03ff_0000);
        refused("prmt.b64 %d1, %d2, %d3, %r4");
        refused("prmt.b32.f8e %r1, %r2, %r3, %r4");
    }
}
