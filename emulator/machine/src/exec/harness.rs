//! Runs lines of PTX on one warp's registers, for the tests of the instruction families.
//!
//! Registers by name: `%p` predicates, `%b` `%h` `%r` `%d` `%q` of 8 to 128 bits, `%f` `%g`
//! floats and doubles, 1 to 9 of each, and the vectors `%v` (`.v2 .b32`) and `%w` (`.v4 .b32`).

use super::decode;
use super::op::Op;
use crate::decode::{Constant, Decoder, Home, Refused, SymbolScope, ThreadRegister};
use crate::registers::{FULL, Reg, Registers, WARP};
use ptx::ast::{self, Operand};

struct NoScope;

impl SymbolScope for NoScope {
    fn symbol(&self, _: &str) -> Option<Home> {
        None
    }
    fn variable(&self, var: ast::VarId) -> Home {
        Home::Shared(u64::from(var.0) * 256)
    }
    fn in_kernel(&self) -> bool {
        true
    }
    fn register_parameter(&self, _: usize, _: usize, _: bool) -> Option<(ast::Type, u32)> {
        None
    }
    fn architecture(&self) -> u32 {
        90
    }
    fn label(&self, _: ast::LabelId) -> u32 {
        0
    }
}

/// Decodes `text` and runs it in every lane, `inputs` set before; returns what `outputs` hold after.
pub fn try_run(text: &str, inputs: &[(&str, u64)], outputs: &[&str]) -> Result<Vec<u64>, Refused> {
    let text = text.trim_end_matches(';');
    // Each named register is used once more, so that it has an entry in the body.
    let module = format!(
        ".version 8.8\n.target sm_90\n.address_size 64\n.visible .entry k()\n{{\n\
         .reg .pred %p<10>; .reg .b8 %b<10>; .reg .b16 %h<10>; .reg .b32 %r<10>; .reg .b64 %d<10>;\n\
         .reg .b128 %q<10>; .reg .f32 %f<10>; .reg .f64 %g<10>; .reg .v2 .b32 %v; .reg .v4 .b32 %w;\n\
         .shared .align 16 .b8 tile[64];\n{text};\n{}ret;\n}}\n",
        inputs.iter().map(|(name, _)| name).chain(outputs).map(|name| format!("use {name};\n")).collect::<String>(),
    );
    let module = ptx::parse(&module).unwrap_or_else(|error| panic!("{error}\n{module}"));
    let body = module.functions[0].body.as_ref().expect("a body");
    let mut decoder = Decoder::new(body, &NoScope);
    let (mut ops, mut named) = (Vec::new(), Vec::new());
    for instruction in &body.instructions {
        match instruction.opcode.as_str() {
            "use" => match &instruction.operands[0] {
                Operand::Register(id) => named.push(decoder.register(*id)),
                other => panic!("{other:?} is no register"),
            },
            "ret" => {}
            _ => ops.push(decode(instruction, &mut decoder)?),
        }
    }
    let frame = decoder.finish();
    let mut file = Registers::default();
    file.reserve(frame.slots as usize, frame.preds as usize);
    for (reg, constant) in frame.constants {
        let bits = match constant {
            Constant::Bits(bits) => bits,
            // The only block of its cluster.
            Constant::Special(ThreadRegister::ClusterCtarank) => 0,
            _ => panic!("{constant:?} has no value here"),
        };
        fill(&mut file, reg, bits);
    }
    // An instruction writes all of its results: what a register held before must not show.
    named.iter().skip(inputs.len()).for_each(|&reg| fill(&mut file, reg, u64::MAX));
    for (&reg, &(_, value)) in named.iter().zip(inputs) {
        fill(&mut file, reg, value);
    }
    for op in &ops {
        let steps = match op {
            Op::Alu(alu) => std::slice::from_ref(alu),
            Op::Steps(steps) => steps,
            other => panic!("{other:?} is not lane by lane"),
        };
        for alu in steps {
            alu.kernel.run(&mut file, &alu.args, FULL);
        }
    }
    let results = named[inputs.len()..].iter();
    Ok(results
        .map(|&reg| {
            let value = file.get(reg, 0);
            assert!((1..WARP).all(|lane| file.get(reg, lane) == value), "lanes differ: {text}");
            value
        })
        .collect())
}

fn fill(file: &mut Registers, reg: Reg, value: u64) {
    for lane in 0..WARP {
        file.set(reg, lane, value);
    }
}

pub fn run(text: &str, inputs: &[(&str, u64)], outputs: &[&str]) -> Vec<u64> {
    try_run(text, inputs, outputs).unwrap_or_else(|refused| panic!("{text}: {refused:?}"))
}

/// The one result of `text`.
pub fn eval(text: &str, inputs: &[(&str, u64)], output: &str) -> u64 {
    run(text, inputs, &[output])[0]
}

/// `text` must not decode.
pub fn refused(text: &str) {
    assert!(try_run(text, &[], &[]).is_err(), "{text} was accepted");
}
