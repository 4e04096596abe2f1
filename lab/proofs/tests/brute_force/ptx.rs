//! The PTX of a random kernel.

use crate::kernel::{BUFFER, BYTES, Kernel, Kind, Step, Way};
use std::fmt::Write;

impl Kernel {
    pub fn ptx(&self) -> String {
        let mut numbers = 0..;
        let [before, body, after] = self.parts.each_ref().map(|steps| {
            let mut text = String::new();
            steps
                .iter()
                .zip(&mut numbers)
                .for_each(|(step, number)| step.write(&mut text, self.shared, number).unwrap());
            text
        });
        let (rounds, window) = (self.rounds, self.window);
        let base = if self.shared { "mov.u64 %rd1, data" } else { "ld.param.u64 %rd1, [buffer]" };
        format!(
            "
.version 8.3
.target sm_90
.address_size 64
.visible .entry kernel(.param .u64 buffer)
{{
    .reg .pred %p1;
    .reg .b16 %h<3>;
    .reg .b32 %r<3>, %tid1, %block, %round, %lane, %warp;
    .reg .b64 %rd<9>;
    .reg .f32 %f<5>;
    .shared .align 16 .b8 data[{BUFFER}];
    mov.u32 %tid1, %tid.x;
    mov.u32 %block, %ctaid.x;
    and.b32 %block, %block, 1;
    and.b32 %lane, %tid1, 31;
    shr.u32 %warp, %tid1, 5;
    cvt.u64.u32 %rd4, %tid1;
    cvt.u16.u32 %h1, %tid1;
    mov.f32 %f0, 0f3F800000;
    mov.u32 %round, 0;
    {base};
    add.u64 %rd1, %rd1, {window};
{before}again:
{body}    add.u32 %round, %round, 1;
    setp.lt.u32 %p1, %round, {rounds};
    @%p1 bra again;
{after}    ret;
}}
"
        )
    }
}

impl Step {
    /// `number` is its place in the kernel.
    fn write(&self, text: &mut String, shared: bool, number: u32) -> std::fmt::Result {
        match *self {
            Step::Access { way, base, stride, from, to, every, packed, flip, keep, drift, blocks } => {
                writeln!(text, "    setp.ge.u32 %p1, %tid1, {from};")?;
                writeln!(text, "    setp.lt.and.u32 %p1, %tid1, {to}, %p1;")?;
                writeln!(text, "    shr.u32 %r1, {blocks}, %block;\n    and.b32 %r1, %r1, 1;")?;
                writeln!(text, "    setp.ne.and.u32 %p1, %r1, 0, %p1;")?;
                writeln!(text, "    rem.u32 %r1, %tid1, {every};\n    setp.eq.and.u32 %p1, %r1, 0, %p1;")?;
                match packed {
                    true => writeln!(text, "    div.u32 %r1, %tid1, {every};")?,
                    false => writeln!(text, "    mov.u32 %r1, %tid1;")?,
                }
                writeln!(text, "    xor.b32 %r1, %r1, {flip};\n    and.b32 %r1, %r1, {keep};")?;
                writeln!(text, "    mad.lo.u32 %r1, %round, {drift}, %r1;")?;
                writeln!(text, "    mad.lo.u32 %r1, %r1, {stride}, {base};")?;
                writeln!(text, "    mul.lo.u32 %r1, %r1, {};\n    and.b32 %r1, %r1, {};", way.size, BYTES - 1)?;
                writeln!(text, "    cvt.u64.u32 %rd2, %r1;\n    add.u64 %rd2, %rd2, %rd1;")?;
                writeln!(text, "    @%p1 {}; // {number}", way.instruction(shared))
            }
            Step::Barrier => writeln!(text, "    bar.sync 0;"),
            Step::WarpBarrier(mask) => {
                writeln!(text, "    shr.u32 %r1, {mask}, %lane;\n    and.b32 %r1, %r1, 1;")?;
                writeln!(text, "    setp.ne.u32 %p1, %r1, 0;\n    @%p1 bar.warp.sync {mask};")
            }
            Step::Some { arrive, wait } => {
                // There are sixteen barriers, of which a `Step::Barrier` is the first.
                let (barrier, count) = (1 + number % 15, 32 * (arrive | wait).count_ones());
                for (warps, operation) in [(arrive, "arrive"), (wait, "sync")] {
                    writeln!(text, "    shr.u32 %r1, {warps}, %warp;\n    and.b32 %r1, %r1, 1;")?;
                    writeln!(text, "    setp.ne.u32 %p1, %r1, 0;\n    @%p1 bar.{operation} {barrier}, {count};")?;
                }
                Ok(())
            }
        }
    }
}

impl Way {
    /// The instruction, at `[%rd2]`.
    fn instruction(self, shared: bool) -> String {
        let space = if shared { "shared" } else { "global" };
        let scope = match self.wide {
            None => "",
            Some(false) => ".relaxed.cta",
            Some(true) => ".relaxed.gpu",
        };
        let (elements, bits) = (self.elements, 8 * self.size / self.elements);
        let vector = if elements == 1 { String::new() } else { format!(".v{elements}") };
        let list = |of: &dyn Fn(u32) -> String| match elements {
            1 => of(0),
            _ => format!("{{{}}}", (0..elements).map(of).collect::<Vec<_>>().join(", ")),
        };
        let ty = match (bits, elements) {
            (16, _) => "noftz.f16".into(),
            (_, 1) => format!("u{bits}"),
            _ => format!("v{elements}.f32"),
        };
        // The operand that is added, the result, and a use of it.
        let (value, old, used) = match (bits, elements) {
            (16, _) => ("%h1".into(), "%h2".into(), "mov.b16 %h1, %h2"),
            (32, 1) => ("%tid1".into(), "%r2".into(), "mov.b32 %r1, %r2"),
            (_, 1) => ("%rd4".into(), "%rd5".into(), "mov.b64 %rd3, %rd5"),
            _ => (list(&|_| "%f0".into()), list(&|at| format!("%f{}", 1 + at)), "mov.f32 %f1, %f1"),
        };
        match self.kind {
            Kind::Load => format!("ld{scope}.{space}{vector}.b{bits} {}, [%rd2]", list(&|at| format!("%rd{}", 5 + at))),
            Kind::Store => format!("st{scope}.{space}{vector}.b{bits} [%rd2], {}", list(&|_| "%rd4".into())),
            Kind::Update => format!("red{scope}.{space}.add.{ty} [%rd2], {value}"),
            Kind::Fetch => format!("atom{scope}.{space}.add.{ty} {old}, [%rd2], {value}; {used}"),
        }
    }
}
