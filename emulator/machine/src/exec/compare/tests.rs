use super::*;
use crate::exec::harness::{eval, refused, run};
use crate::registers::{FULL, Registers, WARP};

/// Every operator, its value for (less, equal, greater, unordered).
const NUMBERS: [(&str, [u64; 4]); 14] = [
    ("eq", [0, 1, 0, 0]),
    ("ne", [1, 0, 1, 0]),
    ("lt", [1, 0, 0, 0]),
    ("le", [1, 1, 0, 0]),
    ("gt", [0, 0, 1, 0]),
    ("ge", [0, 1, 1, 0]),
    ("equ", [0, 1, 0, 1]),
    ("neu", [1, 0, 1, 1]),
    ("ltu", [1, 0, 0, 1]),
    ("leu", [1, 1, 0, 1]),
    ("gtu", [0, 0, 1, 1]),
    ("geu", [0, 1, 1, 1]),
    ("num", [1, 1, 1, 0]),
    ("nan", [0, 0, 0, 1]),
];

#[test]
fn every_operator_of_every_number_type() {
    for (ty, register, one, two, nan) in [
        ("f32", 'f', u64::from(1f32.to_bits()), u64::from(2f32.to_bits()), u64::from(f32::NAN.to_bits())),
        ("ftz.f32", 'f', u64::from(1f32.to_bits()), u64::from(2f32.to_bits()), 0x7f80_0001),
        ("f64", 'g', 1f64.to_bits(), 2f64.to_bits(), f64::NAN.to_bits()),
        ("f16", 'h', 0x3c00, 0x4000, 0x7e00),
        ("ftz.f16", 'h', 0x3c00, 0x4000, 0x7c01),
        ("bf16", 'h', 0x3f80, 0x4000, 0x7fc0),
    ] {
        for (operator, wants) in NUMBERS {
            let pairs = [(one, two), (two, two), (two, one), (nan, one)];
            for ((a, b), want) in pairs.into_iter().zip(wants) {
                // Halves have no second result.
                let both = if register == 'h' { "%p1" } else { "%p1|%p2" };
                let text = format!("setp.{operator}.{ty} {both}, %{register}2, %{register}3");
                let (first, second) = (format!("%{register}2"), format!("%{register}3"));
                let out = run(
                    &text,
                    &[(&first, a), (&second, b), ("%p2", if register == 'h' { 1 - want } else { want })],
                    &["%p1", "%p2"],
                );
                assert_eq!(out, [want, 1 - want], "{text} of {a:#x}, {b:#x}");
            }
        }
    }
}

#[test]
fn every_operator_of_every_integer_type() {
    for (ty, register, low, high) in [
        ("u16", 'h', 1u64, 0xffff),
        ("s16", 'h', 0xffff, 1),
        ("u32", 'r', 1, 0xffff_ffff),
        ("s32", 'r', 0xffff_ffff, 1),
        ("u64", 'd', 1, u64::MAX),
        ("s64", 'd', u64::MAX, 1),
    ] {
        let unsigned = [("lo", "lt"), ("ls", "le"), ("hi", "gt"), ("hs", "ge")];
        let operators = NUMBERS[..6].iter().map(|(name, _)| (*name, *name));
        for (name, same) in operators.chain(unsigned.into_iter().filter(|_| ty.starts_with('u'))) {
            let wants = NUMBERS.iter().find(|(operator, _)| *operator == same).map(|(_, wants)| wants);
            for ((a, b), want) in [(low, high), (low, low), (high, low)].into_iter().zip(wants.into_iter().flatten()) {
                let text = format!("setp.{name}.{ty} %p1, %{register}2, %{register}3");
                let (first, second) = (format!("%{register}2"), format!("%{register}3"));
                assert_eq!(eval(&text, &[(&first, a), (&second, b)], "%p1"), *want, "{text} of {a:#x}, {b:#x}");
            }
        }
    }
    assert_eq!(eval("setp.ne.b64 %p1, %d1, 0", &[("%d1", 1 << 63)], "%p1"), 1);
}

#[test]
fn the_boolean_operator_meets_both_results() {
    for (operator, function) in
        [("and", (|m, q| m & q) as fn(u64, u64) -> u64), ("or", |m, q| m | q), ("xor", |m, q| m ^ q)]
    {
        for (a, q, not) in (0..2).flat_map(|a| (0..2).flat_map(move |q| [(a, q, ""), (a, q, "!")])) {
            let given = if not.is_empty() { q } else { 1 - q };
            // `ge` is the order "less" with its results exchanged; the outcome must not notice.
            let text = format!("setp.ge.{operator}.s32 %p1|%p2, %r1, 1, {not}%p3");
            let out = run(&text, &[("%r1", a), ("%p3", q)], &["%p1", "%p2"]);
            assert_eq!(out, [function(a, given), function(1 - a, given)], "{text}");
        }
    }
}

#[test]
fn zeros_and_subnormals() {
    let (minus_zero, tiny) = (0x8000_0000, 1);
    for (text, a, want) in [
        ("setp.eq.f32 %p1, %f1, 0f00000000", minus_zero, 1),
        ("setp.lt.f32 %p1, %f1, 0f00000000", minus_zero, 0),
        ("setp.eq.f32 %p1, %f1, 0f00000000", tiny, 0),
        ("setp.eq.ftz.f32 %p1, %f1, 0f00000000", tiny, 1),
        ("setp.gt.ftz.f32 %p1, %f1, 0f00000000", tiny, 0),
        ("setp.ge.ftz.f32 %p1, %f1, 0f00000000", 0x807f_ffff, 1),
        ("setp.ne.ftz.f32 %p1, %f1, 0f00000000", 0x0080_0000, 1),
    ] {
        assert_eq!(eval(text, &[("%f1", a)], "%p1"), want, "{text} of {a:#x}");
    }
}

/// All halves against a few, 32 at a time, as the order of their exact doubles has it.
#[test]
fn every_half_compares_as_its_double() {
    let others = [0, 0x8000, 1, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e00];
    let mut file = Registers::default();
    file.reserve(2, 1);
    let word = |index| Reg::new(index, Width::Word);
    let d = Reg::new(0, Width::Pred);
    let args = Args { d, a: word(0), b: word(1), ..Args::default() };
    let double = |ty, bits| match ty {
        Type::F16 => f16::from_bits(bits).to_f64(),
        _ => bf16::from_bits(bits).to_f64(),
    };
    for (ty, order, holds) in [
        (Type::F16, LaneComparison::Less, (|a, b| a < b) as fn(f64, f64) -> bool),
        (Type::F16, LaneComparison::Equal, |a, b| a == b),
        (Type::F16, LaneComparison::LessOrEqual, |a, b| a <= b),
        (Type::F16, LaneComparison::Apart, |a, b| (a < b) | (a > b)),
        (Type::Bf16, LaneComparison::Less, |a, b| a < b),
        (Type::Bf16, LaneComparison::LessOrEqual, |a, b| a <= b),
    ] {
        let kernel = kernel(ty, order, false).unwrap_or_else(|refused| panic!("{refused:?}"));
        for (first, other) in (0..=u16::MAX).step_by(WARP).flat_map(|first| others.map(|other| (first, other))) {
            u16::store(&mut file, 0, std::array::from_fn(|lane| first + lane as u16), FULL);
            u16::store(&mut file, 1, [other; WARP], FULL);
            kernel.run(&mut file, &args, FULL);
            let want = (0..WARP).fold(0, |mask, lane| {
                mask | u32::from(holds(double(ty, first + lane as u16), double(ty, other))) << lane
            });
            assert_eq!(file.pred(0), want, "{ty} {order:?} from {first:#x} against {other:#x}");
        }
    }
}

#[test]
fn packed_halves_have_a_predicate_each() {
    // Low: 1.0 < 2.0; high: 2.0 against a NaN.
    let inputs = [("%r1", 0x4000_3c00), ("%r2", 0x7e00_4000), ("%p3", 1)];
    for (text, want) in [
        ("setp.lt.f16x2 %p1|%p2, %r1, %r2", [1, 0]),
        ("setp.ge.f16x2 %p1|%p2, %r1, %r2", [0, 0]),
        ("setp.geu.f16x2 %p1|%p2, %r1, %r2", [0, 1]),
        ("setp.nan.and.f16x2 %p1|%p2, %r1, %r2, %p3", [0, 1]),
        ("setp.lt.and.f16x2 %p1|%p2, %r1, %r2, !%p3", [0, 0]),
    ] {
        assert_eq!(run(text, &inputs, &["%p1", "%p2"]), want, "{text}");
    }
    // The source predicate is the first result too.
    let text = "setp.eq.or.bf16x2 %p3|%p2, %r1, %r2, %p3";
    assert_eq!(run(text, &[("%p3", 1), ("%r1", 0), ("%r2", 0x3f80_3f80)], &["%p3", "%p2"]), [1, 1]);
}

#[test]
fn set_gives_a_number() {
    let inputs = [("%r1", 0x4000_3c00), ("%r2", 0x4000_4000), ("%p2", 1)];
    for (text, output, want) in [
        ("set.lt.u32.s32 %r3, %r1, %r2", "%r3", 0xffff_ffff),
        ("set.gt.s32.s32 %r3, %r1, %r2", "%r3", 0),
        ("set.lt.f32.u32 %f3, %r1, %r2", "%f3", 0x3f80_0000),
        ("set.lt.and.f32.u32 %f3, %r1, %r2, !%p2", "%f3", 0),
        ("set.lt.f16.s32 %h3, %r1, %r2", "%h3", 0x3c00),
        ("set.lt.bf16.s32 %h3, %r1, %r2", "%h3", 0x3f80),
        ("set.lt.f16x2.f16x2 %r3, %r1, %r2", "%r3", 0x0000_3c00),
        ("set.eq.bf16x2.bf16x2 %r3, %r1, %r2", "%r3", 0x3f80_0000),
        ("set.eq.u32.f16x2 %r3, %r1, %r2", "%r3", 0xffff_0000),
        ("set.neu.u32.f16x2 %r3, %r1, %r2", "%r3", 0x0000_ffff),
    ] {
        assert_eq!(eval(text, &inputs, output), want, "{text}");
    }
    assert_eq!(eval("set.ge.u16.f16 %h3, %h1, %h2", &[("%h1", 0x3c00), ("%h2", 0x8000)], "%h3"), 0xffff);
}

#[test]
fn selection() {
    for (text, want) in [
        ("selp.b32 %r1, 5, 6, %p1", 5),
        ("selp.b32 %r1, 5, 6, !%p1", 6),
        ("slct.u32.s32 %r1, 5, 6, %r2", 6),
        ("slct.u32.s32 %r1, 5, 6, 0", 5),
        ("slct.b32.f32 %r1, 5, 6, 0f80000000", 5),
        ("slct.b32.f32 %r1, 5, 6, 0f80000001", 6),
        ("slct.ftz.b32.f32 %r1, 5, 6, 0f80000001", 5),
        ("slct.b32.f32 %r1, 5, 6, 0f7FC00000", 6),
    ] {
        assert_eq!(eval(text, &[("%p1", 1), ("%r2", 0x8000_0000)], "%r1"), want, "{text}");
    }
    assert_eq!(eval("selp.f64 %g1, %g2, 0d0000000000000000, %p1", &[("%g2", 1 << 62), ("%p1", 1)], "%g1"), 1 << 62);
    assert_eq!(by_sign([1, 2, 0, 0], [0, 0, 0x8000_0000, 0]), 3);
    assert_eq!(by_sign([1, 2, 0, 0], [0xf0, 0xf, 0x7fff_ffff, 0]), 0xf0);
}

#[test]
fn what_the_isa_does_not_allow_is_refused() {
    for text in [
        "setp.lt.b32 %p1, %r2, %r3",
        "setp.lo.s32 %p1, %r2, %r3",
        "setp.ltu.s32 %p1, %r2, %r3",
        "setp.lo.f32 %p1, %f2, %f3",
        "setp.eq.pred %p1, %p2, %p3",
        "setp.lt.ftz.f64 %p1, %g2, %g3",
        "setp.lt.ftz.bf16 %p1, %h2, %h3",
        "setp.lt.f16 %p1|%p2, %h2, %h3",
        "set.lt.ftz.bf16.f32 %h1, %f2, %f3",
        "setp.lt.s32 %p1, %h2, %h3",
        "setp.lt.and.s32 %p1, %r2, %r3",
        "setp.lt.s32 %p1, %r2, %r3, %p2",
        "setp.lt.s32 %r1, %r2, %r3",
        "set.lt.u16.s32 %h1, %r2, %r3",
        "set.lt.u64.s32 %d1, %r2, %r3",
        "set.lt.f32.f16 %f1, %h2, %h3",
        "set.lt.u16.f16x2 %h1, %r2, %r3",
        "set.lt.u32.b32 %r1, %r2, %r3",
        "selp.pred %p1, %p2, %p3, %p1",
        "selp.f16 %h1, %h2, %h3, %p1",
        "slct.ftz.u32.s32 %r1, %r2, %r3, %r4",
    ] {
        refused(text);
    }
}
