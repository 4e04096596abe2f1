use crate::exec::harness::{eval, refused};

#[test]
fn scalar_parts() {
    let inputs = [("%r2", 0x80ff_7f01), ("%r3", 0x0102_fffe), ("%r4", 0x1111_1111)];
    for (text, want) in [
        ("vadd.s32.s32.s32 %r1, %r2.b1, %r3.b0", 0x7f - 2),
        ("vadd.u32.u32.u32 %r1, %r2.b1, %r3.b0", 0x7f + 0xfe),
        ("vsub.s32.s32.s32 %r1, %r2.h1, %r3.h0", 0xffff_80ff + 2),
        ("vsub.u32.u32.u32.sat %r1, %r2.b0, %r3.b0", 0),
        ("vabsdiff.s32.s32.u32 %r1, %r2.b3, %r3.b3", 129),
        ("vadd.s32.s32.s32.sat %r1.b2, %r2.b1, %r2.b1, %r4", 0x117f_1111),
        ("vadd.s32.s32.s32 %r1.h1, %r2.b1, %r2.b1, %r4", 0x00fe_1111),
        ("vmin.s32.s32.s32.add %r1, %r2.h0, %r3.h0, %r4", 0x1111_110f),
        ("vmax.u32.u32.u32.min %r1, %r2, %r3, %r4", 0x1111_1111),
        ("vmax.s32.s32.s32.max %r1, %r2, %r3, %r4", 0x1111_1111),
        ("vshl.u32.u32.u32.sat.clamp %r1, %r2, 32", 0xffff_ffff),
        ("vshl.u32.u32.u32.clamp %r1, %r2, 32", 0),
        ("vshl.s32.s32.u32.sat.wrap %r1, %r2, 33", 0x8000_0000),
        ("vshr.s32.s32.u32.clamp %r1, %r2, 99", 0xffff_ffff),
        ("vshr.u32.u32.u32.wrap %r1, %r2, 36", 0x080f_f7f0),
        ("vset.s32.u32.lt %r1, %r2, %r3.b0", 1),
        ("vset.u32.u32.lt.add %r1, %r2.b0, %r3.b0, %r4", 0x1111_1112),
    ] {
        assert_eq!(eval(text, &inputs, "%r1"), want, "{text}");
    }
}

#[test]
fn products() {
    let inputs = [("%r2", 0xffff_ffff), ("%r3", 3), ("%r4", 10)];
    for (text, want) in [
        ("vmad.s32.s32.s32 %r1, %r2, %r3, %r4", 7),
        ("vmad.u32.u32.u32.sat %r1, %r2, %r3, %r4", 0xffff_ffff),
        ("vmad.u32.u32.u32.sat %r1, -%r2, %r3, %r4", 0x8000_0000),
        ("vmad.s32.s32.s32 %r1, -%r2, %r3, %r4", 13),
        ("vmad.s32.s32.s32 %r1, %r2, %r3, -%r4", 0xffff_fff3),
        ("vmad.u32.u32.u32.po %r1, %r3, %r3, %r4", 20),
        ("vmad.u32.u32.u32.shr7 %r1, %r2.h0, %r3, %r4", (0xffff * 3 + 10) >> 7),
        ("vmad.s32.s32.s32.shr15 %r1, %r2, %r4, 0", 0xffff_ffff),
        ("vmad.u32.u32.u32 %r1, -%r2.h1, %r3, %r4", 0xfffd_000d),
        ("vmad.s32.s32.s32 %r1, -%r2.b3, -%r3.b0, %r4", 7),
        ("vmad.u32.u32.u32 %r1, %r3, %r3, -%r4", 0xffff_ffff),
    ] {
        assert_eq!(eval(text, &inputs, "%r1"), want, "{text}");
    }
}

#[test]
fn halves_and_bytes_in_parallel() {
    let inputs = [("%r2", 0x80ff_7f01), ("%r3", 0x01ff_01ff), ("%r4", 0x1111_1111)];
    for (text, want) in [
        ("vadd4.u32.u32.u32 %r1, %r2, %r3, %r4", 0x81fe_8000),
        ("vadd4.u32.u32.u32.sat %r1, %r2, %r3, %r4", 0x81ff_80ff),
        ("vadd4.s32.s32.s32.sat %r1, %r2, %r3, %r4", 0x81fe_7f00),
        ("vadd4.s32.s32.s32.sat %r1.b20, %r2, %r3, %r4", 0x11fe_1100),
        ("vabsdiff4.u32.u32.u32.add %r1, %r2, %r3, 1", 1 + 0x7f + 0x7e + 0xfe),
        ("vadd2.u32.u32.u32 %r1, %r2.h01, %r3, %r4", 0x8100_82fe),
        ("vsub2.s32.s32.s32 %r1.h1, %r2.h33, %r3.h32, %r4", 0x0000_1111),
        ("vavrg4.s32.s32.s32 %r1, %r2, %r3, %r4", 0xc0ff_4000),
        ("vavrg2.u32.u32.u32 %r1, %r2, %r3, %r4", 0x417f_4080),
        ("vmin4.s32.s32.s32 %r1, %r2, %r3, %r4", 0x80ff_01ff),
        ("vmax2.u32.u32.u32 %r1, %r2, %r3, %r4", 0x80ff_7f01),
        ("vset4.u32.u32.gt %r1, %r2, %r3, %r4", 0x0100_0100),
        ("vset2.s32.s32.lt.add %r1, %r2, %r3, 5", 6),
    ] {
        assert_eq!(eval(text, &inputs, "%r1"), want, "{text}");
    }
}

#[test]
fn what_the_isa_does_not_allow_is_refused() {
    for text in [
        "vadd.s32.s32.s32 %r1.b0, %r2, %r3",
        "vadd.s32.s32.s32.add %r1.b0, %r2, %r3, %r4",
        "vadd.s32.s32.s32 %r1, %r2.b4, %r3",
        "vadd.s32.s32.s32 %r1, %r2, -%r3",
        "vshl.s32.s32.s32.clamp %r1, %r2, %r3",
        "vshl.s32.s32.u32 %r1, %r2, %r3",
        "vmad.s32.s32.s32.po %r1, -%r2, %r3, %r4",
        "vadd4.u32.u32.u32 %r1.b01, %r2, %r3, %r4",
        "vadd4.u32.u32.u32 %r1, %r2.b01, %r3, %r4",
        "vadd2.u32.u32.u32.sat.add %r1, %r2, %r3, %r4",
        "vadd2.u32.u32.u32 %r1, %r2.b10, %r3, %r4",
    ] {
        refused(text);
    }
}
