//! Instructions that become several: a sum as an operand (`sums`), matrices (`rows`, `transpose`, `wmma`), and accesses
//! to surfaces (`surface`).

use super::replacement::Replacement;
use super::{rows, sums, surface, transpose, wmma};
use crate::exec::IS_WHOLE;
use ptx::ast::{Body, Instruction, Module};

/// Does so in the whole module. What has no meaning here stays as it is, for the decoder to refuse.
pub fn expand(module: &mut Module) {
    if !IS_WHOLE {
        return;
    }
    let bodies = module.functions.iter_mut().filter_map(|function| function.body.as_mut());
    bodies.filter(|body| body.instructions.iter().any(concerns)).for_each(of);
}

fn concerns(instruction: &Instruction) -> bool {
    let all = [sums::concerns, rows::concerns, surface::concerns, transpose::concerns, wmma::concerns];
    all.iter().any(|concerns| concerns(instruction))
}

fn of(body: &mut Body) {
    let mut all = Vec::with_capacity(body.instructions.len() + 1);
    // The new index of each instruction, and of the end.
    let mut begins = Vec::with_capacity(body.instructions.len() + 1);
    for mut instruction in std::mem::take(&mut body.instructions) {
        begins.push(all.len() as u32);
        let Instruction { guard, loc, line, .. } = instruction;
        let mut steps = Replacement { registers: &mut body.registers, all: &mut all, guard, loc, line };
        sums::of(&mut instruction, &mut steps);
        let is_replaced =
            [rows::of, surface::of, transpose::of, wmma::of].iter().any(|of| of(&instruction, &mut steps).is_some());
        if !is_replaced {
            all.push(instruction);
        }
    }
    begins.push(all.len() as u32);
    body.instructions = all;
    for label in &mut body.labels {
        label.target = begins[label.target as usize];
    }
}

#[cfg(test)]
mod tests {
    use crate::program::Program;

    /// Why a kernel with this body does not run.
    fn refused(body: &str) -> Option<String> {
        let text = format!(
            ".version 8.8\n.target sm_100\n.address_size 64\n.visible .entry k()\n{{\n\
             .reg .b32 %r<10>; .reg .b16 %h<3>; \
             .reg .f32 %f<10>; .reg .b64 %d<3>; .shared .b32 one; .shared .align 16 .b8 rows[512];\n{body};\nret;\n}}\n"
        );
        Program::from_ptx(&[&text]).expect("the module loads").unsupported(0).map(|why| why.what.clone())
    }

    #[test]
    fn what_has_no_meaning_is_refused_by_name() {
        let four = "{%f1, %f2, %f3, %f4}";
        for (body, want) in [
            ("mov.f32 %f1, %f2+1", "mov.f32: a constant is added"),
            ("mov.u32 %r1+1, %r2", "cannot be written"),
            ("mov.b32 %r1, {%h1+1, %h2}", "mov.b32: a constant is added"),
            ("mov.u64 %d1, one[1]", "`one` is no array"),
            ("mov.u64 %d1, rows[%r1]", "expected a constant"),
            ("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r1}, [rows]", "ldmatrix.sync.aligned.m8n8.x2.shared.b16"),
            ("ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {%r1, %r2}, [rows]", "ldmatrix.sync.aligned.m16n16"),
            ("stmatrix.sync.aligned.m8n8.x1.b16 [%r1], {%r2}", "stmatrix.sync.aligned.m8n8.x1.b16"),
            ("wmma.load.a.sync.aligned.row.m16n16k16.f16 {%r1, %r2}, [%d1]", "wmma.load.a.sync.aligned.row"),
            ("wmma.load.a.sync.aligned.row.m16n16k8.f16 {%r1, %r2}, [%d1]", "wmma.load.a.sync.aligned.row"),
            (&format!("wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {four}, {four}, {four}, {four}"), "wmma.mma"),
        ] {
            let why = refused(body).unwrap_or_default();
            assert!(why.contains(want), "{body}: {why}");
        }
    }
}
