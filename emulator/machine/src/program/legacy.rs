//! Arithmetic of old PTX, with the modifiers that it left out (PTX ISA, "Floating-Point Instructions"): code for
//! `sm_1x` flushes subnormal numbers of single precision, and `mad.f32` needs no rounding modifier before PTX 3.2.
//!
//! ptxas 13 takes such code, and warns of the latter.

use super::targets;
use ptx::ast::{Instruction, Module};

/// The instructions that flush.
const FLUSHING: [&str; 18] = [
    "add", "sub", "mul", "mad", "abs", "neg", "min", "max", "div", "rcp", "sqrt", "rsqrt", "lg2", "ex2", "sin", "cos",
    "setp", "cvt",
];

/// Adds the modifiers in the whole module.
pub fn modernize(module: &mut Module) {
    let flushes = targets(module).any(|number| (10..20).contains(&number));
    let rounds = flushes || module.version < (3, 2);
    if !rounds {
        return;
    }
    let bodies = module.functions.iter_mut().filter_map(|function| function.body.as_mut());
    for instruction in bodies.flat_map(|body| &mut body.instructions) {
        if !instruction.modifiers.iter().any(|modifier| modifier == "f32") {
            continue;
        }
        if instruction.opcode == "mad" && !is_rounded(instruction) {
            instruction.modifiers.insert(0, "rn".to_string());
        }
        // Not to and from double precision (seen on an H200).
        let is_wide = instruction.modifiers.iter().any(|modifier| modifier == "f64");
        let is_of_floats = FLUSHING.contains(&instruction.opcode.as_str()) && !is_wide;
        if flushes && is_of_floats && !instruction.modifiers.iter().any(|modifier| modifier == "ftz") {
            instruction.modifiers.insert(0, "ftz".to_string());
        }
    }
}

fn is_rounded(instruction: &Instruction) -> bool {
    instruction.modifiers.iter().any(|modifier| matches!(modifier.as_str(), "rn" | "rz" | "rm" | "rp"))
}

#[cfg(test)]
mod tests {
    use crate::program::Program;

    /// Why a kernel with a `mad.f32` without a rounding modifier does not run.
    fn refused(version: &str, target: &str) -> Option<String> {
        let text = format!(
            ".version {version}\n.target {target}\n.visible .entry k()\n{{\n.reg .f32 %f<5>;\n\
             mad.f32 %f1, %f2, %f3, %f4;\nret;\n}}\n"
        );
        Program::from_ptx(&[&text]).expect("the module loads").unsupported(0).map(|why| why.what.clone())
    }

    #[test]
    fn a_product_and_sum_of_old_code_needs_no_rounding_modifier() {
        for (version, target) in
            [("1.4", "sm_10, map_f64_to_f32"), ("3.1", "sm_13"), ("3.1", "sm_30"), ("4.0", "sm_12")]
        {
            assert_eq!(refused(version, target), None, "{version} {target}");
        }
        let why = refused("3.2", "sm_30").unwrap_or_default();
        assert!(why.contains("mad needs a rounding modifier"), "{why}");
    }
}
