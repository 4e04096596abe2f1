//! Instructions as they are written, decoded and run; what ptxas does not take is refused.

use crate::exec::harness::{eval, refused};

fn bits(x: f32) -> u64 {
    u64::from(x.to_bits())
}

/// The result of an instruction on `%r` or, of one that names them, on `%h`.
fn on_words(text: &str, a: u64, b: u64) -> u64 {
    match text.contains("%h") {
        true => eval(text, &[("%h2", a), ("%h3", b)], "%h1"),
        false => eval(text, &[("%r2", a), ("%r3", b)], "%r1"),
    }
}

const NAN: u64 = 0x7fff_ffff;
const LEAST: f32 = f32::from_bits(1);

#[test]
fn singles() {
    let inf = f32::INFINITY;
    for (text, a, b, want) in [
        ("add.f32 %f1, %f2, %f3", 1.5, 2.25, bits(3.75)),
        ("sub.rn.f32 %f1, %f2, %f3", 1.0, LEAST, bits(1.0)),
        ("sub.rz.f32 %f1, %f2, %f3", 1.0, LEAST, bits(1.0f32.next_down())),
        ("add.rp.f32 %f1, %f2, %f3", 1.0, LEAST, bits(1.0f32.next_up())),
        ("add.rm.f32 %f1, %f2, %f3", 1.0, -1.0, bits(-0.0)),
        ("add.f32 %f1, %f2, %f3", inf, -inf, NAN),
        ("add.ftz.f32 %f1, %f2, %f3", LEAST, LEAST, 0),
        ("add.f32 %f1, %f2, %f3", LEAST, LEAST, 2),
        ("add.sat.f32 %f1, %f2, %f3", 1.0, 1.0, bits(1.0)),
        ("add.rz.ftz.sat.f32 %f1, %f2, %f3", inf, -inf, 0),
        ("mul.f32 %f1, %f2, %f3", f32::MAX, 2.0, bits(inf)),
        ("mul.rz.f32 %f1, %f2, %f3", f32::MAX, -2.0, bits(-f32::MAX)),
        ("mul.ftz.f32 %f1, %f2, %f3", -f32::MIN_POSITIVE, 0.5, bits(-0.0)),
        ("mul.f32 %f1, %f2, 0f3F000000", 3.0, 0.0, bits(1.5)),
        (
            "fma.rn.f32 %f1, %f2, %f2, %f3",
            1.0 + f32::EPSILON,
            -1.0 - 2.0 * f32::EPSILON,
            bits(f32::EPSILON * f32::EPSILON),
        ),
        ("fma.rp.f32 %f1, %f2, %f2, %f3", f32::from_bits(1), -1.0, bits((-1.0f32).next_up())),
        ("fma.rn.sat.f32 %f1, %f2, %f3, %f3", 4.0, -1.0, 0),
        ("mad.rn.f32 %f1, %f2, %f3, %f3", 4.0, -1.0, bits(-5.0)),
        ("div.rn.f32 %f1, %f2, %f3", 1.0, 3.0, bits(1.0 / 3.0)),
        ("div.rm.f32 %f1, %f2, %f3", 1.0, 3.0, bits((1.0f32 / 3.0).next_down())),
        ("div.rn.f32 %f1, %f2, %f3", 0.0, 0.0, NAN),
        ("div.rn.ftz.f32 %f1, %f2, %f3", 1.0, LEAST, bits(inf)),
        ("div.approx.f32 %f1, %f2, %f3", 1.0, 3.0, bits(1.0 / 3.0)),
        ("div.approx.f32 %f1, %f2, %f3", -1.0e30, f32::MAX, bits(-0.0)),
        ("div.approx.ftz.f32 %f1, %f2, %f3", inf, f32::MAX, NAN),
        ("div.full.f32 %f1, %f2, %f3", 1.0e38, f32::MAX, bits(1.0e38 / f32::MAX)),
        ("rcp.rn.f32 %f1, %f2", 3.0, 0.0, bits(1.0 / 3.0)),
        ("rcp.rp.ftz.f32 %f1, %f2", f32::MAX, 0.0, 0),
        ("rcp.approx.ftz.f32 %f1, %f2", -0.0, 0.0, bits(-inf)),
        ("sqrt.rn.f32 %f1, %f2", 2.0, 0.0, bits(2f32.sqrt())),
        ("sqrt.rp.f32 %f1, %f2", 2.0, 0.0, bits(2f32.sqrt().next_up())),
        ("sqrt.rz.f32 %f1, %f2", 2.0, 0.0, bits(2f32.sqrt())),
        ("sqrt.approx.ftz.f32 %f1, %f2", -1.0, 0.0, NAN),
        ("rsqrt.approx.f32 %f1, %f2", 4.0, 0.0, bits(0.5)),
        ("rsqrt.approx.ftz.f32 %f1, %f2", -0.0, 0.0, bits(-inf)),
        ("sin.approx.f32 %f1, %f2", -0.0, 0.0, bits(-0.0)),
        ("cos.approx.ftz.f32 %f1, %f2", inf, 0.0, NAN),
        ("cos.approx.f32 %f1, %f2", 0.0, 0.0, bits(1.0)),
        ("lg2.approx.f32 %f1, %f2", 0.0, 0.0, bits(-inf)),
        ("lg2.approx.ftz.f32 %f1, %f2", 8.0, 0.0, bits(3.0)),
        ("ex2.approx.ftz.f32 %f1, %f2", -127.0, 0.0, 0),
        ("ex2.approx.f32 %f1, %f2", -127.0, 0.0, bits(f32::MIN_POSITIVE / 2.0)),
        ("tanh.approx.f32 %f1, %f2", -inf, 0.0, bits(-1.0)),
        ("neg.f32 %f1, %f2", 1.0, 0.0, bits(-1.0)),
        ("neg.ftz.f32 %f1, %f2", LEAST, 0.0, bits(-0.0)),
        ("abs.f32 %f1, %f2", -LEAST, 0.0, 1),
        ("abs.ftz.f32 %f1, %f2", -LEAST, 0.0, 0),
        ("copysign.f32 %f1, %f2, %f3", -0.0, 7.0, bits(-7.0)),
    ] {
        assert_eq!(eval(text, &[("%f2", bits(a)), ("%f3", bits(b))], "%f1"), want, "{text} {a:e} {b:e}");
    }
}

#[test]
fn extrema() {
    let nan = f32::NAN;
    for (text, a, b, want) in [
        ("min.f32 %f1, %f2, %f3", 1.0, 2.0, bits(1.0)),
        ("max.f32 %f1, %f2, %f3", -1.0, -2.0, bits(-1.0)),
        ("min.f32 %f1, %f2, %f3", 0.0, -0.0, bits(-0.0)),
        ("max.f32 %f1, %f2, %f3", -0.0, 0.0, bits(0.0)),
        ("min.f32 %f1, %f2, %f3", nan, 2.0, bits(2.0)),
        ("max.f32 %f1, %f2, %f3", 2.0, nan, bits(2.0)),
        ("max.f32 %f1, %f2, %f3", nan, nan, NAN),
        ("max.NaN.f32 %f1, %f2, %f3", 2.0, nan, NAN),
        ("max.ftz.f32 %f1, %f2, %f3", LEAST, -1.0, 0),
        ("min.xorsign.abs.f32 %f1, %f2, %f3", -3.0, 2.0, bits(-2.0)),
        ("max.xorsign.abs.f32 %f1, %f2, %f3", -3.0, -2.0, bits(3.0)),
        ("max.ftz.NaN.xorsign.abs.f32 %f1, %f2, %f3", -3.0, nan, NAN),
    ] {
        assert_eq!(eval(text, &[("%f2", bits(a)), ("%f3", bits(b))], "%f1"), want, "{text} {a:e} {b:e}");
    }
    for (text, a, b, want) in [
        ("min.f16x2 %r1, %r2, %r3", 0x3c00_8000, 0x4000_0000, 0x3c00_8000),
        ("max.f16x2 %r1, %r2, %r3", 0x7e00_3c00, 0x4000_7e00, 0x4000_3c00),
        ("max.NaN.f16x2 %r1, %r2, %r3", 0x7e00_3c00, 0x4000_4000, 0x7fff_4000),
        ("min.ftz.f16x2 %r1, %r2, %r3", 0x0001_8001, 0x3c00_3c00, 0x0000_8000),
        ("max.xorsign.abs.bf16x2 %r1, %r2, %r3", 0xbf80_3f80, 0x4000_c000, 0xc000_c000),
        ("min.f16 %h1, %h2, %h3", 0x3c00, 0xbc00, 0xbc00),
        ("max.bf16 %h1, %h2, %h3", 0x7fc0, 0xbf80, 0xbf80),
    ] {
        assert_eq!(on_words(text, a, b), want, "{text}");
    }
}

#[test]
fn doubles() {
    let f = f64::to_bits;
    let payload = 0xfff4_0000_0000_0001;
    for (text, a, b, want) in [
        ("add.f64 %g1, %g2, %g3", f(1.5), f(2.0), f(3.5)),
        ("sub.rm.f64 %g1, %g2, %g3", f(1.0), 1, f(1.0f64.next_down())),
        ("mul.rp.f64 %g1, %g2, %g3", f(0.1), f(0.1), f(0.1f64 * 0.1)),
        ("fma.rz.f64 %g1, %g2, %g3, %g3", f(2.0), f(-1.0), f(-3.0)),
        ("mad.rn.f64 %g1, %g2, %g3, %g3", f(2.0), f(-1.0), f(-3.0)),
        ("div.rp.f64 %g1, %g2, %g3", f(1.0), f(3.0), f((1.0f64 / 3.0).next_up())),
        ("rcp.rn.f64 %g1, %g2", f(3.0), 0, f(1.0 / 3.0)),
        ("sqrt.rm.f64 %g1, %g2", f(2.0), 0, f(2f64.sqrt().next_down())),
        ("add.f64 %g1, %g2, %g3", f(1.0), payload, payload | 1 << 51),
        ("sub.f64 %g1, %g2, %g3", f(1.0), payload, payload | 1 << 51),
        ("mul.rz.f64 %g1, %g2, %g3", f(0.0), f(f64::INFINITY), 0xfff8_0000_0000_0000),
        ("min.f64 %g1, %g2, %g3", payload, f(2.0), f(2.0)),
        ("max.f64 %g1, %g2, %g3", f(-0.0), f(0.0), 0),
        ("neg.f64 %g1, %g2", f(1.0), 0, f(-1.0)),
        ("abs.f64 %g1, %g2", f(-1.0), 0, f(1.0)),
        ("copysign.f64 %g1, %g2, %g3", f(-1.0), f(5.0), f(-5.0)),
        ("rcp.approx.ftz.f64 %g1, %g2", f(-2.0), 0, f(-0.5)),
        ("rcp.approx.ftz.f64 %g1, %g2", f(3.0), 0, 0x3fd5_5555 << 32),
        ("rcp.approx.ftz.f64 %g1, %g2", 1, 0, f(f64::INFINITY)),
        ("rcp.approx.ftz.f64 %g1, %g2", f(f64::MAX), 0, 0),
        ("rsqrt.approx.ftz.f64 %g1, %g2", f(4.0), 0, f(0.5)),
        ("rsqrt.approx.ftz.f64 %g1, %g2", f(-4.0), 0, 0x7fff_ffff << 32),
        ("rsqrt.approx.f64 %g1, %g2", f(4.0), 0, f(0.5)),
    ] {
        assert_eq!(eval(text, &[("%g2", a), ("%g3", b)], "%g1"), want, "{text}");
    }
}

#[test]
fn halves() {
    for (text, a, b, want) in [
        ("add.f16 %h1, %h2, %h3", 0x3c00, 0x4000, 0x4200),
        ("add.rn.sat.f16 %h1, %h2, %h3", 0x3c00, 0x4000, 0x3c00),
        ("sub.ftz.sat.f16x2 %r1, %r2, %r3", 0x3c00_0002, 0x3800_0001, 0x3800_0000),
        ("mul.bf16x2 %r1, %r2, %r3", 0x4000_bf80, 0x4040_3f80, 0x40c0_bf80),
        ("fma.rn.f16x2 %r1, %r2, %r3, %r3", 0x3c00_4000, 0x3c00_3c00, 0x4000_4200),
        ("fma.rn.relu.f16x2 %r1, %r2, %r3, %r3", 0xc000_4000, 0x3c00_3c00, 0x0000_4200),
        ("fma.rn.relu.bf16 %h1, %h2, %h3, %h3", 0xc000, 0x3f80, 0),
        ("fma.rn.bf16 %h1, %h2, %h2, %h3", 0x3f88, 0x0080, 0x3f91),
        ("neg.f16x2 %r1, %r2", 0x3c00_bc00, 0, 0xbc00_3c00),
        ("abs.bf16x2 %r1, %r2", 0xbf80_bf80, 0, 0x3f80_3f80),
        ("neg.ftz.f16 %h1, %h2", 1, 0, 0x8000),
        ("ex2.approx.f16x2 %r1, %r2", 0xbc00_4000, 0, 0x3800_4400),
        ("ex2.approx.ftz.bf16 %h1, %h2", 0x4000, 0, 0x4080),
        ("tanh.approx.bf16x2 %r1, %r2", 0x7f80_ff80, 0, 0x3f80_bf80),
        ("tanh.approx.f16 %h1, %h2", 0x7e00, 0, 0x7fff),
    ] {
        assert_eq!(on_words(text, a, b), want, "{text}");
    }
}

#[test]
fn classes() {
    let nan = bits(f32::NAN);
    for (class, value, want) in [
        ("finite", bits(1.0), 1),
        ("finite", nan, 0),
        ("infinite", bits(f32::NEG_INFINITY), 1),
        ("number", bits(f32::INFINITY), 1),
        ("number", nan, 0),
        ("notanumber", nan, 1),
        // Zero counts as normal (PTX ISA, "testp"; seen on an H200).
        ("normal", bits(0.0), 1),
        ("normal", 1, 0),
        ("normal", bits(-1.0), 1),
        ("subnormal", 1, 1),
        ("subnormal", bits(0.0), 0),
    ] {
        assert_eq!(eval(&format!("testp.{class}.f32 %p1, %f2"), &[("%f2", value)], "%p1"), want, "{class} {value:#x}");
    }
    assert_eq!(eval("testp.subnormal.f64 %p1, %g2", &[("%g2", 1)], "%p1"), 1);
}

#[test]
fn what_the_assembler_does_not_take_is_refused() {
    for text in [
        "add.sat.f64 %g1, %g2, %g3",
        "add.ftz.f64 %g1, %g2, %g3",
        "mad.f32 %f1, %f2, %f3, %f4",
        "mad.f64 %g1, %g2, %g3, %g4",
        "fma.f32 %f1, %f2, %f3, %f4",
        "fma.rn.relu.f32 %f1, %f2, %f3, %f4",
        "add.rz.f16 %h1, %h2, %h3",
        "add.sat.bf16 %h1, %h2, %h3",
        "add.ftz.bf16 %h1, %h2, %h3",
        "add.relu.f16 %h1, %h2, %h3",
        "fma.rn.sat.relu.f16 %h1, %h2, %h3, %h4",
        "fma.rn.sat.bf16 %h1, %h2, %h3, %h4",
        "fma.rn.oob.f16 %h1, %h2, %h3, %h4",
        "fma.f16 %h1, %h2, %h3, %h4",
        "mad.rn.f16 %h1, %h2, %h3, %h4",
        "div.f32 %f1, %f2, %f3",
        "div.rn.sat.f32 %f1, %f2, %f3",
        "div.f64 %g1, %g2, %g3",
        "div.approx.f64 %g1, %g2, %g3",
        "div.rn.f16 %h1, %h2, %h3",
        "neg.ftz.f64 %g1, %g2",
        "neg.ftz.bf16 %h1, %h2",
        "min.xorsign.f32 %f1, %f2, %f3",
        "min.abs.f32 %f1, %f2, %f3",
        "min.NaN.f64 %g1, %g2, %g3",
        "min.ftz.bf16 %h1, %h2, %h3",
        "min.f32 %f1, %f2, %f3, %f4",
        "rcp.f32 %f1, %f2",
        "rcp.approx.f64 %g1, %g2",
        "rcp.full.f32 %f1, %f2",
        "rcp.rn.approx.f32 %f1, %f2",
        "sqrt.approx.f64 %g1, %g2",
        "sqrt.approx.ftz.f64 %g1, %g2",
        "rsqrt.rn.f32 %f1, %f2",
        "sin.f32 %f1, %f2",
        "cos.approx.sat.f32 %f1, %f2",
        "ex2.approx.ftz.f16 %h1, %h2",
        "ex2.approx.bf16 %h1, %h2",
        "tanh.approx.ftz.f32 %f1, %f2",
        "copysign.f16 %h1, %h2, %h3",
        "testp.normal.f16 %p1, %h2",
        "testp.f32 %p1, %f2",
        "add.rn.f32.f16 %f1, %h2, %f3",
        "add.rn.f32x2 %d1, %d2, %d3",
        "add.f32 %f1, %g2, %f3",
        "add.f32 %f1, %f2",
    ] {
        refused(text);
    }
}
