//! Each form against three loops. The fragments are laid out as the ISA's pages of each shape say, element by element.

use super::*;
use ptx::ast::Type::{F16, F32, F64, S32};

/// A number that is exact in every type of `a` and `b`, signed where they are.
fn value(seed: usize, element: MatrixElement) -> f64 {
    let wild = seed.wrapping_mul(2_654_435_761) >> 7 & 0xff;
    match element {
        MatrixElement::U8 => wild as f64,
        MatrixElement::S8 => wild as f64 - 128.0,
        MatrixElement::U4 => (wild % 16) as f64,
        MatrixElement::S4 => (wild % 16) as f64 - 8.0,
        MatrixElement::B1 => (wild % 2) as f64,
        _ => (wild as f64 - 128.0) / 16.0,
    }
}

fn bits(value: f64, element: MatrixElement) -> u64 {
    match element {
        MatrixElement::F16 => f16::from_f64(value).to_bits().into(),
        MatrixElement::Bf16 => bf16::from_f64(value).to_bits().into(),
        // The bits that do not count.
        MatrixElement::Tf32 => u64::from((value as f32).to_bits() | 0x1a5a),
        MatrixElement::S8 | MatrixElement::U8 => value as i64 as u64 & 0xff,
        MatrixElement::S4 | MatrixElement::U4 => value as i64 as u64 & 0xf,
        MatrixElement::B1 => value as u64,
        _ => value.to_bits(),
    }
}

/// Row and `k` of element `i` of `a` in a lane; `k` and column of element `i` of `b` (PTX ISA, "Matrix Fragments for
/// mma").
fn of_a(mma: &Mma, lane: usize, i: usize) -> (usize, usize) {
    let (group, within) = (lane / 4, lane % 4);
    match (mma.a, mma.k) {
        (MatrixElement::F64, _) => (group + 8 * (i % 2), within + 4 * (i / 2)),
        (MatrixElement::Tf32, 4) => (group + 8 * i, within),
        (MatrixElement::Tf32, _) => (group + 8 * (i % 2), within + 4 * (i / 2)),
        (MatrixElement::F16 | MatrixElement::Bf16, 8) => (group + 8 * (i / 2), within * 2 + i % 2),
        (MatrixElement::F16 | MatrixElement::Bf16, _) => {
            (if i % 4 < 2 { group } else { group + 8 }, within * 2 + i % 2 + if i >= 4 { 8 } else { 0 })
        }
        (element, _) => {
            // Bytes in `m16n8k32`: row `group` for i < 4 and 8 <= i < 12, 16 columns on from i = 8.
            let packed = element.packed();
            let (register, within_register) = (i / packed, i % packed);
            (group + 8 * (register % 2), within * packed + within_register + register / 2 * 4 * packed)
        }
    }
}

fn of_b(mma: &Mma, lane: usize, i: usize) -> (usize, usize) {
    let (group, within) = (lane / 4, lane % 4);
    let k = match mma.a {
        MatrixElement::F64 | MatrixElement::Tf32 => within + 4 * i,
        MatrixElement::F16 | MatrixElement::Bf16 => within * 2 + i % 2 + if i >= 2 { 8 } else { 0 },
        element => within * element.packed() + i % element.packed() + i / element.packed() * 4 * element.packed(),
    };
    (k, group)
}

fn packed(registers: usize, element: MatrixElement, of: impl Fn(usize, usize) -> f64) -> Vec<LaneRegister> {
    let count = element.packed();
    let width = if count == 1 { 64 } else { 32 / count };
    let lane = |register: usize, lane: usize| {
        (0..count).fold(0, |word, part| word | bits(of(lane, register * count + part), element) << (width * part))
    };
    (0..registers).map(|register| std::array::from_fn(|at| lane(register, at))).collect()
}

#[test]
fn every_form_is_three_loops() {
    use MatrixElement::{B1, Bf16, F16 as Half, F64 as Double, S4, S8, Tf32, U4, U8};
    let form = |m, k, a, b, ty| Mma { m, k, a, b, c: ty, d: ty, saturates: false, is_xor: false };
    for mma in [
        form(16, 8, Half, Half, F32),
        form(16, 16, Half, Half, F32),
        form(16, 8, Half, Half, F16),
        form(16, 16, Half, Half, F16),
        form(16, 8, Bf16, Bf16, F32),
        form(16, 16, Bf16, Bf16, F32),
        form(16, 4, Tf32, Tf32, F32),
        form(16, 8, Tf32, Tf32, F32),
        form(16, 16, S8, S8, S32),
        form(16, 32, S8, U8, S32),
        form(16, 32, U8, S8, S32),
        form(8, 16, U8, S8, S32),
        form(8, 32, S4, S4, S32),
        form(16, 32, U4, S4, S32),
        form(16, 64, S4, U4, S32),
        form(8, 128, B1, B1, S32),
        form(16, 128, B1, B1, S32),
        form(16, 256, B1, B1, S32),
        form(8, 4, Double, Double, F64),
        form(16, 4, Double, Double, F64),
        form(16, 8, Double, Double, F64),
        form(16, 16, Double, Double, F64),
    ] {
        assert!(mma.is_known(), "{mma:?}");
        let a = |row: usize, k: usize| value(row * 256 + k, mma.a);
        let b = |k: usize, column: usize| value(5000 + column * 256 + k, mma.b);
        let c = |row: usize, column: usize| value(9000 + row * 8 + column, mma.a);
        let steps = mma.k / (4 * mma.a.packed());
        let in_a = packed(mma.m / 8 * steps, mma.a, |lane, i| {
            // With eight rows, elements of the upper half only.
            let i = if mma.m == 8 { i % mma.a.packed() } else { i };
            let (row, k) = of_a(&mma, lane, i);
            a(row, k)
        });
        let in_b = packed(steps, mma.b, |lane, i| {
            let (k, column) = of_b(&mma, lane, i);
            b(k, column)
        });
        let at = |lane: usize, i: usize| (lane / 4 + i / 2 * 8, lane % 4 * 2 + i % 2);
        let word = |value: f64| match mma.c {
            F16 => u64::from(f16::from_f64(value).to_bits()),
            F32 => u64::from((value as f32).to_bits()),
            S32 => u64::from(value as i32 as u32),
            _ => value.to_bits(),
        };
        let accumulators = |of: &dyn Fn(usize, usize) -> f64| -> Vec<LaneRegister> {
            let bits = |lane: usize, i: usize| {
                let (row, column) = at(lane, i);
                word(of(row, column))
            };
            match mma.c {
                F16 => (0..2)
                    .map(|nth| std::array::from_fn(|lane| bits(lane, 2 * nth + 1) << 16 | bits(lane, 2 * nth)))
                    .collect(),
                _ => (0..mma.m / 4).map(|nth| std::array::from_fn(|lane| bits(lane, nth))).collect(),
            }
        };
        let want = accumulators(&|row, column| {
            let mut sum = c(row, column);
            for k in 0..mma.k {
                sum += a(row, k) * b(k, column);
            }
            sum
        });
        assert_eq!(mma.compute(&in_a, &in_b, &accumulators(&c)), want, "{mma:?}");
    }
}

#[test]
fn integers_wrap_or_saturate() {
    let mut mma = Mma {
        m: 16,
        k: 16,
        a: MatrixElement::S8,
        b: MatrixElement::S8,
        c: S32,
        d: S32,
        saturates: false,
        is_xor: false,
    };
    let (a, b) = (vec![[0x0101_0101; WARP]; 2], vec![[0x0101_0101; WARP]]);
    let c = vec![[u64::from(i32::MAX as u32); WARP]; 4];
    assert_eq!(mma.compute(&a, &b, &c)[0][0], u64::from(i32::MIN as u32 + 15));
    mma.saturates = true;
    assert_eq!(mma.compute(&a, &b, &c)[3][31], u64::from(i32::MAX as u32));
}

#[test]
fn single_bits_are_counted_where_both_or_one_of_them_is_set() {
    use MatrixElement::B1;
    let mut mma = Mma { m: 8, k: 128, a: B1, b: B1, c: S32, d: S32, saturates: false, is_xor: false };
    let (a, b, c) = (vec![[0x0000_ffff; WARP]], vec![[0x00ff_00ff; WARP]], vec![[5; WARP]; 2]);
    assert_eq!(mma.compute(&a, &b, &c), [[4 * 8 + 5; WARP]; 2]);
    mma.is_xor = true;
    assert_eq!(mma.compute(&a, &b, &c), [[4 * 16 + 5; WARP]; 2]);
}

#[test]
fn a_sum_is_rounded_once() {
    let mma = Mma {
        m: 16,
        k: 8,
        a: MatrixElement::F16,
        b: MatrixElement::F16,
        c: F32,
        d: F32,
        saturates: false,
        is_xor: false,
    };
    // 2^-13 * 2^-12 is half of the last bit of 1: two of them count, and a sum rounded after each would lose both.
    let tiny = u64::from(f16::from_f64(1.0 / 8192.0).to_bits());
    let half = u64::from(f16::from_f64(1.0 / 4096.0).to_bits());
    let (a, b) = (vec![[tiny << 16 | tiny; WARP]; 2], vec![[half << 16 | half; WARP]]);
    let c = vec![[u64::from(1f32.to_bits()); WARP]; 4];
    assert_eq!(mma.compute(&a, &b, &c)[0][0], u64::from((1.0f32 + 8.0 / 33_554_432.0).to_bits()));
}

#[test]
fn what_is_not_done_is_refused_by_name() {
    use crate::exec::harness::{refused, try_run};
    for text in [
        "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%f1}, {%r1}, {%r2}, {%f1}",
        "mma.sync.aligned.m16n8k16.row.row.f32.f16.f16.f32 {%f1}, {%r1}, {%r2}, {%f1}",
        "mma.sync.aligned.m16n8k64.row.col.s32.s8.s8.s32 {%r1}, {%r1}, {%r2}, {%r1}",
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.bf16.f32 {%f1}, {%r1}, {%r2}, {%f1}",
    ] {
        assert_eq!(try_run(text, &[], &[]), Err(Refused::unsupported()), "{text}");
    }
    for text in [
        "mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.popc {%r1, %r2}, {%r3}, {%r4}, {%r1, %r2}",
        "mma.sync.m16n8k8.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, {%r1, %r2}, {%r3}, {%f1, %f2, %f3, %f4}",
        "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f1, %f2, %f3}, {%r1, %r2}, {%r3}, {%f1, %f2, %f3, %f4}",
        "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, {%r1, %d2}, {%r3}, {%f1, %f2, %f3, \
         %f4}",
    ] {
        refused(text);
    }
}
