//! Instructions that the threads of a warp execute together: `shfl.sync`, `vote.sync`,
//! `match.sync`, `redux.sync`, `elect.sync`, `bar.warp.sync`, and `activemask` (PTX ISA,
//! "Parallel Synchronization and Communication Instructions").
//!
//! The machine gathers the lanes that a member mask names; [`Collective::compute`] is the
//! pure part. The forms without `.sync` are gone from targets sm_70 and up and are refused.

use super::op::Op;
pub use super::op::warp::{Collective, CollectiveKind, Reduce, Shuffle, Vote};
use crate::decode::{Decoder, Modifiers, Refused};
use crate::registers::{Mask, WARP, lanes};
use ptx::ast::{Instruction, Type};

pub const OPCODES: &[&str] = &["shfl", "vote", "match", "redux", "elect", "activemask"];

pub fn decode(instruction: &Instruction, decoder: &mut Decoder) -> Result<Op, Refused> {
    let mut modifiers = Modifiers::new(&instruction.modifiers);
    let operands = &instruction.operands;
    if instruction.opcode == "activemask" {
        modifiers.take("b32");
        modifiers.finish()?;
        decoder.arity(instruction, 1..=1)?;
        return Ok(Op::ActiveMask(decoder.dest(&operands[0], Type::B32)?));
    }
    if !modifiers.take("sync") {
        return Err(Refused::Unsupported(format!("{} without .sync (gone since sm_70)", instruction.opcode)));
    }
    let mut op = match instruction.opcode.as_str() {
        "shfl" => {
            let mode = modifiers.take_map(|name| {
                Some(match name {
                    "up" => Shuffle::Up,
                    "down" => Shuffle::Down,
                    "bfly" => Shuffle::Bfly,
                    "idx" => Shuffle::Idx,
                    _ => return None,
                })
            });
            let kind = CollectiveKind::Shuffle(mode.ok_or_else(Refused::unsupported)?);
            if modifiers.ty()? != Type::B32 {
                return Err(Refused::malformed("shfl moves .b32"));
            }
            decoder.arity(instruction, 5..=5)?;
            let mut op = Collective::new(kind, decoder.source(&operands[4], Type::B32)?);
            op.a = decoder.source(&operands[1], Type::B32)?;
            op.b = decoder.source(&operands[2], Type::B32)?;
            op.c = decoder.source(&operands[3], Type::B32)?;
            op
        }
        "vote" => {
            let mode = modifiers.take_map(|name| {
                Some(match name {
                    "all" => Vote::All,
                    "any" => Vote::Any,
                    "uni" => Vote::Uni,
                    "ballot" => Vote::Ballot,
                    _ => return None,
                })
            });
            let mode = mode.ok_or_else(Refused::unsupported)?;
            let ty = modifiers.ty()?;
            if ty != (if mode == Vote::Ballot { Type::B32 } else { Type::Pred }) {
                return Err(Refused::malformed("vote gives .pred, ballot .b32"));
            }
            decoder.arity(instruction, 3..=3)?;
            let mut op = Collective::new(CollectiveKind::Vote(mode), decoder.source(&operands[2], Type::B32)?);
            (op.a, op.negated) = decoder.predicate_negatable(&operands[1])?;
            op
        }
        "match" => {
            let mode = modifiers.take_one_of(&["any", "all"]).ok_or_else(Refused::unsupported)?;
            let ty = modifiers.ty()?;
            if !matches!(ty, Type::B32 | Type::B64) {
                return Err(Refused::malformed("match compares .b32 or .b64"));
            }
            let bytes = ty.bytes();
            let kind =
                if mode == "any" { CollectiveKind::MatchAny { bytes } } else { CollectiveKind::MatchAll { bytes } };
            decoder.arity(instruction, 3..=3)?;
            let mut op = Collective::new(kind, decoder.source(&operands[2], Type::B32)?);
            op.a = decoder.source(&operands[1], ty)?;
            op
        }
        "redux" => {
            let name = modifiers.take_one_of(&["add", "min", "max", "and", "or", "xor"]);
            let kind = match (name.ok_or_else(Refused::unsupported)?, modifiers.ty()?) {
                ("add", Type::U32 | Type::S32) => Reduce::Add,
                ("min", Type::U32) => Reduce::MinU,
                ("min", Type::S32) => Reduce::MinS,
                ("max", Type::U32) => Reduce::MaxU,
                ("max", Type::S32) => Reduce::MaxS,
                ("and", Type::B32) => Reduce::And,
                ("or", Type::B32) => Reduce::Or,
                ("xor", Type::B32) => Reduce::Xor,
                _ => return Err(Refused::unsupported()),
            };
            decoder.arity(instruction, 3..=3)?;
            let mut op = Collective::new(CollectiveKind::Redux(kind), decoder.source(&operands[2], Type::B32)?);
            op.a = decoder.source(&operands[1], Type::B32)?;
            op
        }
        _ => {
            decoder.arity(instruction, 2..=2)?;
            Collective::new(CollectiveKind::Elect, decoder.source(&operands[1], Type::B32)?)
        }
    };
    modifiers.finish()?;
    let (first, second) = decoder.pair(&operands[0]);
    let first_type = match op.kind {
        CollectiveKind::Vote(Vote::All | Vote::Any | Vote::Uni) => Type::Pred,
        _ => Type::B32,
    };
    op.d = decoder.dest(first, first_type)?;
    if let Some(second) = second {
        if !matches!(op.kind, CollectiveKind::Shuffle(_) | CollectiveKind::MatchAll { .. } | CollectiveKind::Elect) {
            return Err(Refused::malformed("this instruction has one result"));
        }
        op.p = decoder.predicate_dest(second)?;
    }
    Ok(Op::Warp(op))
}

/// `bar.warp.sync membermask` (the `bar` and `warp` are taken already).
pub fn decode_barrier(
    instruction: &Instruction,
    decoder: &mut Decoder,
    mut modifiers: Modifiers,
) -> Result<Op, Refused> {
    if !modifiers.take("sync") {
        return Err(Refused::unsupported());
    }
    modifiers.finish()?;
    decoder.arity(instruction, 1..=1)?;
    Ok(Op::Warp(Collective::new(CollectiveKind::Barrier, decoder.source(&instruction.operands[0], Type::B32)?)))
}

/// The value that a shuffle reads from an absent lane. The ISA leaves it undefined; a number that spoils sums, of
/// floats too, lets the harm be seen.
pub const ABSENT: u64 = 0xdead_beef;

/// The operands of each lane.
#[derive(Clone, Debug)]
pub struct CollectiveInputs {
    /// The lanes taking part.
    pub lanes: Mask,
    pub a: [u64; WARP],
    pub b: [u32; WARP],
    pub c: [u32; WARP],
}

/// The results of each lane.
#[derive(Clone, Debug)]
pub struct Outputs {
    pub d: [u32; WARP],
    pub p: Mask,
    /// For a shuffle, the lane read.
    pub source: [u8; WARP],
}

/// The lane that `lane` reads and whether it lies in range (PTX ISA, "shfl.sync").
#[inline]
pub fn source_lane(mode: Shuffle, lane: u32, b: u32, c: u32) -> (u32, bool) {
    let (b, clamp, segment) = (b & 0x1f, c & 0x1f, c >> 8 & 0x1f);
    let max = lane & segment | clamp & !segment;
    let min = lane & segment;
    let (from, valid) = match mode {
        Shuffle::Up => {
            let from = lane.wrapping_sub(b);
            (from, from as i32 >= max as i32)
        }
        Shuffle::Down => (lane + b, lane + b <= max),
        Shuffle::Bfly => (lane ^ b, lane ^ b <= max),
        Shuffle::Idx => {
            let from = min | b & !segment;
            (from, from <= max)
        }
    };
    if valid { (from & 0x1f, true) } else { (lane, false) }
}

impl CollectiveKind {
    /// The pure part: results from the lanes that came.
    pub fn compute(self, inputs: &CollectiveInputs) -> Outputs {
        let mut out = Outputs { d: [0; WARP], p: 0, source: [0; WARP] };
        let here = inputs.lanes;
        let truths: Mask = lanes(here).map(|lane| u32::from(inputs.a[lane] != 0) << lane).sum();
        match self {
            // A product of matrices is `Mma::compute`, or `Wgmma::compute`.
            CollectiveKind::Barrier
            | CollectiveKind::Mma(_)
            | CollectiveKind::Warpgroup(_)
            | CollectiveKind::MapCopy(_) => {}
            CollectiveKind::Shuffle(mode) => {
                for lane in lanes(here) {
                    let (from, valid) = source_lane(mode, lane as u32, inputs.b[lane], inputs.c[lane]);
                    out.d[lane] = inputs.a[from as usize] as u32;
                    out.p |= u32::from(valid) << lane;
                    out.source[lane] = from as u8;
                }
            }
            CollectiveKind::Vote(vote) => {
                let answer = match vote {
                    Vote::All => u32::from(truths == here),
                    Vote::Any => u32::from(truths != 0),
                    Vote::Uni => u32::from(truths == 0 || truths == here),
                    Vote::Ballot => truths,
                };
                out.d = [answer; WARP];
            }
            CollectiveKind::MatchAny { .. } => {
                for lane in lanes(here) {
                    out.d[lane] = lanes(here).map(|other| u32::from(inputs.a[other] == inputs.a[lane]) << other).sum();
                }
            }
            CollectiveKind::MatchAll { .. } => {
                let first = inputs.a[here.trailing_zeros() as usize % WARP];
                if lanes(here).all(|lane| inputs.a[lane] == first) {
                    out.d = [here; WARP];
                    out.p = !0;
                }
            }
            CollectiveKind::Redux(reduce) => {
                let values = lanes(here).map(|lane| inputs.a[lane] as u32);
                let signed = |pick: fn(i32, i32) -> i32| values.clone().reduce(|a, b| pick(a as i32, b as i32) as u32);
                let result = match reduce {
                    Reduce::Add => values.reduce(u32::wrapping_add),
                    Reduce::MinU => values.min(),
                    Reduce::MaxU => values.max(),
                    Reduce::MinS => signed(i32::min),
                    Reduce::MaxS => signed(i32::max),
                    Reduce::And => values.reduce(|a, b| a & b),
                    Reduce::Or => values.reduce(|a, b| a | b),
                    Reduce::Xor => values.reduce(|a, b| a ^ b),
                };
                out.d = [result.unwrap_or(0); WARP];
            }
            CollectiveKind::Elect => {
                let leader = here.trailing_zeros() % WARP as u32;
                out.d = [leader; WARP];
                out.p = 1 << leader;
            }
        }
        out
    }

    /// As CUDA names it.
    pub fn name(self) -> &'static str {
        match self {
            CollectiveKind::Barrier => "__syncwarp()",
            CollectiveKind::Shuffle(Shuffle::Up) => "__shfl_up_sync()",
            CollectiveKind::Shuffle(Shuffle::Down) => "__shfl_down_sync()",
            CollectiveKind::Shuffle(Shuffle::Bfly) => "__shfl_xor_sync()",
            CollectiveKind::Shuffle(Shuffle::Idx) => "__shfl_sync()",
            CollectiveKind::Vote(Vote::All) => "__all_sync()",
            CollectiveKind::Vote(Vote::Any) => "__any_sync()",
            CollectiveKind::Vote(Vote::Uni) => "__uni_sync()",
            CollectiveKind::Vote(Vote::Ballot) => "__ballot_sync()",
            CollectiveKind::MatchAny { .. } => "__match_any_sync()",
            CollectiveKind::MatchAll { .. } => "__match_all_sync()",
            CollectiveKind::Redux(Reduce::Add) => "__reduce_add_sync()",
            CollectiveKind::Redux(Reduce::MinU | Reduce::MinS) => "__reduce_min_sync()",
            CollectiveKind::Redux(Reduce::MaxU | Reduce::MaxS) => "__reduce_max_sync()",
            CollectiveKind::Redux(Reduce::And) => "__reduce_and_sync()",
            CollectiveKind::Redux(Reduce::Or) => "__reduce_or_sync()",
            CollectiveKind::Redux(Reduce::Xor) => "__reduce_xor_sync()",
            CollectiveKind::Elect => "elect.sync",
            CollectiveKind::Mma(_) => "mma.sync",
            CollectiveKind::Warpgroup(kind) => kind.name(),
            CollectiveKind::MapCopy(_) => "tensormap.cp_fenceproxy",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shuffle_reads_its_own_lane_where_the_other_is_out_of_range() {
        use Shuffle::*;
        // c as __shfl_*_sync build it: (32 - width) << 8 | clamp.
        let (whole, eights) = (0x1f, 24 << 8 | 0x1f);
        for (mode, lane, b, c, want) in [
            (Down, 30, 1, whole, (31, true)),
            (Down, 31, 1, whole, (31, false)),
            (Down, 7, 1, eights, (7, false)),
            (Down, 8, 7, eights, (15, true)),
            (Up, 0, 1, 0, (0, false)),
            (Up, 9, 1, 24 << 8, (8, true)),
            (Up, 8, 1, 24 << 8, (8, false)),
            (Bfly, 5, 16, whole, (21, true)),
            (Bfly, 5, 8, eights, (5, false)),
            (Idx, 13, 2, eights, (10, true)),
            (Idx, 13, 2, whole, (2, true)),
        ] {
            assert_eq!(source_lane(mode, lane, b, c), want, "{mode:?} lane {lane} b {b} c {c:#x}");
        }
    }

    fn inputs(here: Mask, a: impl Fn(usize) -> u64) -> CollectiveInputs {
        CollectiveInputs { lanes: here, a: std::array::from_fn(a), b: [0; WARP], c: [0; WARP] }
    }

    #[test]
    fn votes_count_only_the_lanes_that_came() {
        let odd = inputs(0xff, |lane| lane as u64 & 1);
        assert_eq!(CollectiveKind::Vote(Vote::Ballot).compute(&odd).d[0], 0xaa);
        assert_eq!(CollectiveKind::Vote(Vote::All).compute(&inputs(0xaa, |lane| lane as u64 & 1)).d[1], 1);
        assert_eq!(CollectiveKind::Vote(Vote::Uni).compute(&odd).d[0], 0);
    }

    #[test]
    fn match_and_redux() {
        let thirds = inputs(0x3f, |lane| lane as u64 % 3);
        assert_eq!(CollectiveKind::MatchAny { bytes: 4 }.compute(&thirds).d[4], 0b010010);
        assert_eq!(CollectiveKind::MatchAll { bytes: 4 }.compute(&thirds).p, 0);
        assert_eq!(CollectiveKind::Redux(Reduce::Add).compute(&thirds).d[0], 6);
        let signed = inputs(0b11, |lane| if lane == 0 { 5 } else { u64::from(u32::MAX) });
        assert_eq!(CollectiveKind::Redux(Reduce::MinS).compute(&signed).d[0], u32::MAX);
        assert_eq!(CollectiveKind::Redux(Reduce::MinU).compute(&signed).d[0], 5);
    }
}
