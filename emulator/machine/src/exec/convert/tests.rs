//! Conversions as they are written, and every pair of integer types against wide arithmetic.

use crate::exec::harness::{eval, refused};

const INTEGERS: [&str; 8] = ["u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"];

fn width(ty: &str) -> u32 {
    ty[1..].parse().expect("a size")
}

/// The low bits of `bits` as a number of type `ty`.
fn number(ty: &str, bits: u64) -> i128 {
    let lost = 64 - width(ty);
    if ty.starts_with('s') { i128::from((bits << lost) as i64 >> lost) } else { i128::from(bits << lost >> lost) }
}

fn range(ty: &str) -> (i128, i128) {
    let values = [0, 1 << (width(ty) - 1), (1 << (width(ty) - 1)) - 1, u64::MAX].map(|bits| number(ty, bits));
    (*values.iter().min().expect("four"), *values.iter().max().expect("four"))
}

/// A register of each size that can hold a `ty`, and its size.
fn registers(ty: &str) -> impl Iterator<Item = (char, u32)> {
    let least = width(ty).max(16);
    [('h', 16), ('r', 32), ('d', 64)].into_iter().filter(move |&(_, bits)| bits >= least)
}

fn cut(value: i128, bits: u32) -> u64 {
    (value as u64) << (64 - bits) >> (64 - bits)
}

#[test]
fn every_pair_of_integer_types_in_every_register() {
    let values = [0u64, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff];
    let wide = [0x7fff_ffff_ffff_ffff, 0x8000_0000_0000_0000, u64::MAX, 0x0123_4567_89ab_cdef];
    for to in INTEGERS {
        for from in INTEGERS {
            let (least, most) = range(to);
            let (low, high) = range(from);
            let saturates = low < least || most < high;
            for ((d, d_bits), (a, a_bits)) in registers(to).flat_map(|d| registers(from).map(move |a| (d, a))) {
                for bits in values.into_iter().chain(wide) {
                    let value = number(from, bits);
                    let input = [(&*format!("%{a}2"), cut(i128::from(bits), a_bits))];
                    let output = format!("%{d}1");
                    let text = format!("cvt.{to}.{from} %{d}1, %{a}2");
                    let wrapped = number(to, value as u64);
                    assert_eq!(eval(&text, &input, &output), cut(wrapped, d_bits), "{text} {bits:#x}");
                    if saturates {
                        let text = format!("cvt.sat.{to}.{from} %{d}1, %{a}2");
                        let clamped = value.clamp(least, most);
                        assert_eq!(eval(&text, &input, &output), cut(clamped, d_bits), "{text} {bits:#x}");
                    }
                }
            }
            if !saturates {
                refused(&format!("cvt.sat.{to}.{from} %d1, %d2"));
            }
        }
    }
}

fn f(x: f32) -> u64 {
    u64::from(x.to_bits())
}

fn g(x: f64) -> u64 {
    x.to_bits()
}

#[test]
fn floats_to_integers() {
    let (inf, nan) = (f32::INFINITY, f32::NAN);
    for (text, value, want) in [
        ("cvt.rni.s32.f32 %d1, %f2", f(2.5), 2),
        ("cvt.rni.s32.f32 %d1, %f2", f(-3.5), -4i64),
        ("cvt.rzi.s32.f32 %d1, %f2", f(-3.9), -3),
        ("cvt.rmi.s32.f32 %d1, %f2", f(-3.1), -4),
        ("cvt.rpi.s32.f32 %d1, %f2", f(3.1), 4),
        ("cvt.rpi.s32.f32 %d1, %f2", 1, 1),
        ("cvt.rpi.ftz.s32.f32 %d1, %f2", 1, 0),
        ("cvt.rzi.u32.f32 %d1, %f2", f(-3.0), 0),
        ("cvt.rzi.u32.f32 %d1, %f2", f(inf), 0xffff_ffff),
        ("cvt.rzi.s32.f32 %d1, %f2", f(inf), 0x7fff_ffff),
        ("cvt.rzi.s32.f32 %d1, %f2", f(-inf), i64::from(i32::MIN)),
        ("cvt.rzi.sat.s32.f32 %d1, %f2", f(nan), 0),
        ("cvt.rzi.u8.f32 %d1, %f2", f(300.0), 255),
        ("cvt.rni.s8.f32 %d1, %f2", f(-300.0), -128),
        ("cvt.rzi.s64.f32 %d1, %f2", f(nan), i64::MIN),
        ("cvt.rzi.u64.f32 %d1, %f2", f(nan), i64::MIN),
        ("cvt.rzi.u64.f32 %d1, %f2", f(1.0e30), -1),
        ("cvt.rzi.s64.f32 %d1, %f2", f(-1.0e30), i64::MIN),
        ("cvt.rzi.s32.f64 %d1, %g2", g(f64::NAN), i64::from(i32::MIN)),
        ("cvt.rzi.u32.f64 %d1, %g2", g(f64::NAN), 0x8000_0000),
        ("cvt.rzi.u16.f64 %d1, %g2", g(f64::NAN), 0x8000),
        ("cvt.rmi.s64.f64 %d1, %g2", g(-0.5), -1),
        ("cvt.rzi.s64.f64 %d1, %g2", g(9.0e15), 9_000_000_000_000_000),
        ("cvt.rni.s64.f16 %d1, %h2", 0x4100, 2),
        ("cvt.rni.s16.f16 %d1, %h2", 0xfc00, -32768),
        ("cvt.rzi.u32.f16 %d1, %h2", 0x7e00, 0),
        ("cvt.rpi.u32.bf16 %d1, %h2", 0x3f81, 2),
    ] {
        let input = text.rsplit(' ').next().expect("a source");
        assert_eq!(eval(text, &[(input, value)], "%d1") as i64, want, "{text} {value:#x}");
    }
}

#[test]
fn integers_to_floats() {
    let most = 0xffff_ffff_ffff_ffff;
    for (text, value, want) in [
        ("cvt.rn.f32.s32 %f1, %r2", 0xffff_ffff, f(-1.0)),
        ("cvt.rn.f32.u32 %f1, %r2", 0xffff_ffff, f(4_294_967_296.0)),
        ("cvt.rz.f32.u32 %f1, %r2", 0xffff_ffff, f(4_294_967_040.0)),
        ("cvt.rp.f32.s32 %f1, %r2", 0x0100_0001, f(16_777_218.0)),
        ("cvt.rm.f32.s32 %f1, %r2", 0x0100_0001, f(16_777_216.0)),
        ("cvt.rn.f32.s8 %f1, %r2", 0x1ff, f(-1.0)),
        ("cvt.rn.f32.u64 %f1, %d2", 0x8000_0080_0000_0001, f(9_223_373_136_366_403_584.0)),
        ("cvt.rz.f32.s64 %f1, %d2", 0x8000_0000_0000_0001, f((-9_223_372_036_854_775_808.0f32).next_up())),
        ("cvt.rn.sat.f32.s32 %f1, %r2", 7, f(1.0)),
        ("cvt.rn.ftz.f32.s32 %f1, %r2", 7, f(7.0)),
        ("cvt.rn.f64.u64 %g1, %d2", most, g(18_446_744_073_709_551_616.0)),
        ("cvt.rz.f64.u64 %g1, %d2", most, g(18_446_744_073_709_549_568.0)),
        ("cvt.rp.f64.s64 %g1, %d2", 0x8000_0000_0000_0001, g(-9_223_372_036_854_774_784.0)),
        ("cvt.rm.f64.u8 %g1, %h2", 0x1ff, g(255.0)),
        ("cvt.rn.f16.u32 %h1, %r2", 70000, 0x7c00),
        ("cvt.rz.f16.u32 %h1, %r2", 70000, 0x7bff),
        ("cvt.rp.f16.u64 %h1, %d2", 2049, 0x6801),
        ("cvt.rn.f16.s16 %h1, %h2", 0xffff, 0xbc00),
        ("cvt.rm.bf16.u64 %h1, %d2", most, 0x5f7f),
        ("cvt.rn.bf16.s32 %h1, %r2", 257, 0x4380),
    ] {
        let mut words = text.split(' ').skip(1).map(|word| word.trim_matches(','));
        let (output, input) = (words.next().expect("a result"), words.next().expect("a source"));
        assert_eq!(eval(text, &[(input, value)], output), want, "{text} {value:#x}");
    }
}

#[test]
fn floats_to_floats() {
    let least = f32::MIN_POSITIVE;
    for (text, value, want) in [
        ("cvt.rn.f32.f64 %f1, %g2", g(0.1), f(0.1)),
        ("cvt.rm.f32.f64 %f1, %g2", g(0.1), f(0.1f32.next_down())),
        ("cvt.rz.f32.f64 %f1, %g2", g(1.0e300), f(f32::MAX)),
        ("cvt.rp.f32.f64 %f1, %g2", g(-1.0e300), f(-f32::MAX)),
        ("cvt.rp.f32.f64 %f1, %g2", 1, 1),
        ("cvt.rn.ftz.f32.f64 %f1, %g2", g(1.0e-40), 0),
        ("cvt.rz.ftz.sat.f32.f64 %f1, %g2", g(2.0), f(1.0)),
        ("cvt.rn.f32.f64 %f1, %g2", g(f64::NAN), 0x7fff_ffff),
        ("cvt.f64.f32 %g1, %f2", f(1.5), g(1.5)),
        ("cvt.f64.f32 %g1, %f2", 1, g(f64::from(f32::from_bits(1)))),
        ("cvt.ftz.f64.f32 %g1, %f2", 1, 0),
        ("cvt.sat.f64.f32 %g1, %f2", f(1.5), g(1.0)),
        ("cvt.rni.f32.f32 %f1, %f2", f(-0.5), f(-0.0)),
        ("cvt.rmi.f32.f32 %f1, %f2", f(-0.5), f(-1.0)),
        ("cvt.rpi.ftz.f32.f32 %f1, %f2", 1, 0),
        ("cvt.rzi.f64.f64 %g1, %g2", g(1.0e300), g(1.0e300)),
        ("cvt.rni.f16.f16 %h1, %h2", 0x4100, 0x4000),
        ("cvt.rpi.bf16.bf16 %h1, %h2", 0x3f81, 0x4000),
        ("cvt.f16.f16 %h1, %r2", 0x1_4100, 0x4100),
        ("cvt.ftz.sat.f32.f32 %f1, %f2", f(-3.0), 0),
        ("cvt.f32.f32 %f1, %f2", 1, 1),
        ("cvt.ftz.f32.f32 %f1, %f2", 0x8000_0001, f(-0.0)),
        ("cvt.f32.f16 %f1, %h2", 0x3555, f(0.333_251_95)),
        ("cvt.f32.f16 %f1, %h2", 0x0001, f(5.960_464_5e-8)),
        ("cvt.f32.f16 %f1, %h2", 0xfc00, f(f32::NEG_INFINITY)),
        ("cvt.f32.f16 %f1, %h2", 0x7e00, 0x7fff_ffff),
        ("cvt.f64.bf16 %g1, %h2", 0xc040, g(-3.0)),
        ("cvt.ftz.f32.bf16 %f1, %h2", 0x8001, f(-0.0)),
        ("cvt.rn.f16.f32 %h1, %f2", f(65519.996), 0x7bff),
        ("cvt.rn.f16.f32 %h1, %f2", f(65520.0), 0x7c00),
        ("cvt.rp.f16.f32 %h1, %f2", f(1.0e-30), 1),
        ("cvt.rm.f16.f32 %h1, %f2", f(-1.0e-30), 0x8001),
        ("cvt.rp.ftz.sat.f16.f32 %h1, %f2", f(least / 2.0), 0),
        ("cvt.rn.relu.f16.f32 %h1, %f2", f(-1.0), 0),
        ("cvt.rz.relu.satfinite.f16.f32 %h1, %f2", f(f32::INFINITY), 0x7bff),
        ("cvt.rn.satfinite.bf16.f32 %h1, %f2", f(f32::MIN), 0xff7f),
        ("cvt.rn.f16.f32 %r1, %f2", f(-1.0), 0xbc00),
        ("cvt.rn.bf16.f32 %h1, %f2", 0x3f80_8000, 0x3f80),
        ("cvt.rn.bf16.f32 %h1, %f2", 0x3f81_8000, 0x3f82),
        ("cvt.rz.bf16.f32 %h1, %f2", 0x3f80_ffff, 0x3f80),
        ("cvt.rn.bf16.f64 %h1, %g2", g(1.003_906_25 + 1.0e-15), 0x3f81),
        ("cvt.rn.bf16.f16 %h1, %h2", 0x3c05, 0x3f81),
        ("cvt.rm.f16.bf16 %h1, %h2", 0x7f00, 0x7bff),
    ] {
        let mut words = text.split(' ').skip(1).map(|word| word.trim_matches(','));
        let (output, input) = (words.next().expect("a result"), words.next().expect("a source"));
        assert_eq!(eval(text, &[(input, value)], output), want, "{text} {value:#x}");
    }
}

#[test]
fn two_into_one_register() {
    let ab = |text: &str, a: f32, b: f32, d: &str| eval(text, &[("%f2", f(a)), ("%f3", f(b))], d);
    for (text, a, b, want) in [
        ("cvt.rn.f16x2.f32 %r1, %f2, %f3", 1.0, 2.0, 0x3c00_4000),
        ("cvt.rz.relu.f16x2.f32 %r1, %f2, %f3", -1.0, 1.0e6, 0x0000_7bff),
        ("cvt.rn.bf16x2.f32 %r1, %f2, %f3", 1.0, -2.0, 0x3f80_c000),
        ("cvt.rn.relu.satfinite.bf16x2.f32 %r1, %f2, %f3", f32::INFINITY, -2.0, 0x7f7f_0000),
        ("cvt.rn.satfinite.e4m3x2.f32 %h1, %f2, %f3", 448.0, -1.0, 0x7eb8),
        ("cvt.rn.satfinite.e4m3x2.f32 %h1, %f2, %f3", 1.0e9, f32::NAN, 0x7e7f),
        ("cvt.rn.satfinite.e4m3x2.f32 %h1, %f2, %f3", 0.001_953_125, 0.000_976_562_5, 0x0100),
        ("cvt.rn.satfinite.relu.e5m2x2.f32 %h1, %f2, %f3", f32::INFINITY, -1.0, 0x7b00),
    ] {
        let d = if text.contains("%r1") { "%r1" } else { "%h1" };
        assert_eq!(ab(text, a, b, d), want, "{text} {a} {b}");
    }
    for (text, a, b, c, want) in [
        ("cvt.pack.sat.s16.s32 %r1, %r2, %r3", 70000, -70000i32, 0, 0x7fff_8000u64),
        ("cvt.pack.sat.u16.s32 %r1, %r2, %r3", 70000, -1, 0, 0xffff_0000),
        ("cvt.pack.sat.u8.s32.b32 %r1, %r2, %r3, %r4", 300, -1, 0x1234, 0x1234_ff00),
        ("cvt.pack.sat.s8.s32.b32 %r1, %r2, %r3, %r4", -300, 1, 0x1234, 0x1234_8001),
        ("cvt.pack.sat.u4.s32.b32 %r1, %r2, %r3, %r4", 3, 20, 0xab, 0xab3f),
        ("cvt.pack.sat.s2.s32.b32 %r1, %r2, %r3, %r4", -9, 9, 1, 0b1_1001),
    ] {
        let inputs = [("%r2", u64::from(a as u32)), ("%r3", u64::from(b as u32)), ("%r4", c)];
        assert_eq!(eval(text, &inputs, "%r1"), want, "{text}");
    }
}

#[test]
fn every_byte_of_a_tensor_format_comes_back() {
    for (format, nans) in [("e4m3x2", &[0x7fu64][..]), ("e5m2x2", &[0x7d, 0x7e, 0x7f])] {
        for byte in 0..256u64 {
            let special = nans.contains(&(byte & 0x7f));
            let wide = eval(&format!("cvt.rn.f16x2.{format} %r1, %h2"), &[("%h2", byte << 8)], "%r1");
            let back = eval(&format!("cvt.rn.satfinite.{format}.f16x2 %h1, %r2"), &[("%r2", wide)], "%h1");
            let want = match (special, format, byte & 0x7f) {
                (true, ..) => 0x7f,
                // Infinity saturates.
                (_, "e5m2x2", 0x7c) => byte - 1,
                _ => byte,
            };
            assert_eq!(back, want << 8, "{format} {byte:#x} {wide:#x}");
            assert_eq!(wide & 0xffff_0000 == 0x7fff_0000, special, "{format} {byte:#x}");
        }
    }
    let one = eval("cvt.rn.f16x2.e4m3x2 %r1, %h2", &[("%h2", 0x38b9)], "%r1");
    assert_eq!(one, 0x3c00_bc80);
    assert_eq!(eval("cvt.rn.relu.f16x2.e5m2x2 %r1, %h2", &[("%h2", 0x3cbc)], "%r1"), 0x3c00_0000);
}

#[test]
fn tensor_floats() {
    for (text, value, want) in [
        ("cvt.rna.tf32.f32 %r1, %f2", 0x3f80_1000, 0x3f80_2000),
        ("cvt.rna.tf32.f32 %r1, %f2", 0xbf80_0fff, 0xbf80_0000),
        ("cvt.rna.tf32.f32 %r1, %f2", 0x7f7f_ffff, 0x7f80_0000),
        ("cvt.rna.satfinite.tf32.f32 %r1, %f2", 0xff7f_ffff, 0xff7f_e000),
        ("cvt.rna.tf32.f32 %r1, %f2", 0xffc0_0000, 0x7fff_ffff),
        ("cvt.rn.tf32.f32 %r1, %f2", 0x3f80_1000, 0x3f80_0000),
        ("cvt.rz.relu.tf32.f32 %r1, %f2", 0x3f80_3fff, 0x3f80_2000),
        ("cvt.rn.relu.tf32.f32 %r1, %f2", 0xbf80_0000, 0),
    ] {
        assert_eq!(eval(text, &[("%f2", value)], "%r1"), want, "{text} {value:#x}");
    }
}

#[test]
fn what_the_assembler_does_not_take_is_refused() {
    for text in [
        "cvt.u32.s64 %r1, %h2",
        "cvt.u32.b32 %r1, %r2",
        "cvt.s32.f32 %r1, %f2",
        "cvt.sat.u32.f32 %r1, %f2",
        "cvt.rz.s32.f32 %r1, %f2",
        "cvt.rzi.ftz.s32.f64 %r1, %g2",
        "cvt.rni.ftz.s16.f16 %h1, %h2",
        "cvt.f32.s32 %f1, %r2",
        "cvt.rn.sat.bf16.s32 %h1, %r2",
        "cvt.rn.f32.f32 %f1, %f2",
        "cvt.rni.f64.f32 %g1, %f2",
        "cvt.rn.f64.f32 %g1, %f2",
        "cvt.f32.f64 %f1, %g2",
        "cvt.sat.f32.bf16 %f1, %h2",
        "cvt.rm.relu.f16.f32 %h1, %f2",
        "cvt.rn.ftz.relu.f16.f32 %h1, %f2",
        "cvt.rn.sat.bf16.f32 %h1, %f2",
        "cvt.rn.relu.f16.f64 %h1, %g2",
        "cvt.rm.f16x2.f32 %r1, %f2, %f3",
        "cvt.rn.sat.f16x2.f32 %r1, %f2, %f3",
        "cvt.rn.ftz.f16x2.f32 %r1, %f2, %f3",
        "cvt.rs.f16x2.f32 %r1, %f2, %f3, %r4",
        "cvt.rn.satfinite.relu.tf32.f32 %r1, %f2",
        "cvt.rn.e4m3x2.f32 %h1, %f2, %f3",
        "cvt.rn.satfinite.e2m1x2.f32 %h1, %f2, %f3",
        "cvt.pack.sat.u8.u32.b32 %r1, %r2, %r3, %r4",
        "cvt.pack.s16.s32 %r1, %r2, %r3",
        "cvt.pack.sat.s8.s32 %r1, %r2, %r3",
        "cvt.f64.f32 %g1, %g2",
        "cvt.u16.u32 %f1, %r2",
        "cvt.u32.u32 %r1",
    ] {
        refused(text);
    }
}
