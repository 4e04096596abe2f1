//! The parser on whole files: `ptx/*.ptx`, which nvcc 13.0 made from the `.cu` files beside
//! them (the flags are in their first lines; paths in `.file` are cut short), and on damaged
//! copies of them. Whatever parses must hold together; nothing may panic.

use emulator::ptx::ast::{Base, Body, Module, Operand};
use emulator::ptx::parse;
use proptest::prelude::*;

const SAMPLES: [(&str, &str); 9] = [
    ("assembly", include_str!("ptx/assembly.ptx")),
    ("control", include_str!("ptx/control.ptx")),
    ("cooperative", include_str!("ptx/cooperative.ptx")),
    ("debug", include_str!("ptx/debug.ptx")),
    ("half", include_str!("ptx/half.ptx")),
    ("launch", include_str!("ptx/launch.ptx")),
    ("memory", include_str!("ptx/memory.ptx")),
    ("syntax", include_str!("ptx/syntax.ptx")),
    ("tensor", include_str!("ptx/tensor.ptx")),
];

fn sample(name: &str) -> Module {
    let (_, text) = SAMPLES.iter().find(|(found, _)| *found == name).unwrap();
    parse(text).unwrap_or_else(|error| panic!("{name}.ptx:{error}"))
}

/// Every index in the tree points at something.
fn assert_sound(module: &Module) {
    for body in module.functions.iter().filter_map(|function| function.body.as_ref()) {
        let end = body.instructions.len() as u32;
        assert!(body.labels.iter().all(|label| label.target <= end));
        let targets = body.branch_targets.iter().flat_map(|(_, labels)| labels);
        targets.for_each(|label| assert!((label.0 as usize) < body.labels.len()));
        for instruction in &body.instructions {
            assert!(instruction.loc.is_none_or(|loc| (loc as usize) < module.locs.len()));
            assert!(instruction.guard.is_none_or(|guard| (guard.register.0 as usize) < body.registers.len()));
            instruction.operands.iter().for_each(|operand| assert_operand(body, operand));
        }
    }
}

fn assert_operand(body: &Body, operand: &Operand) {
    use Operand::*;
    match operand {
        Register(id) | NotRegister(id) | NegatedRegister(id) | Sum(id, _) | Part(id, _) | NegatedPart(id, _) => {
            assert!((id.0 as usize) < body.registers.len());
        }
        Element(id, element) => assert!(u32::from(*element) < body.registers[id.0 as usize].vector),
        Variable { var, .. } | Address { base: Base::Variable(var), .. } => {
            assert!((var.0 as usize) < body.variables.len());
        }
        Address { base: Base::Register(id), .. } => assert!((id.0 as usize) < body.registers.len()),
        Label(id) => assert!((id.0 as usize) < body.labels.len()),
        Vector(parts) | List(parts) | Bracket(parts) => parts.iter().for_each(|part| assert_operand(body, part)),
        Pair(first, second) => [first, second].into_iter().for_each(|part| assert_operand(body, part)),
        Special(_) | Immediate(_) | Symbol { .. } | Sink | Address { base: Base::Absolute | Base::Symbol(_), .. } => {}
    }
}

#[test]
fn every_sample_parses() {
    // Statements as a plain reading of the text counts them: `;` ends one.
    for (name, kernels, instructions) in [
        ("assembly", 2, 60),
        ("control", 2, 358),
        ("cooperative", 2, 121),
        ("debug", 1, 41),
        ("half", 2, 65),
        ("launch", 2, 49),
        ("memory", 2, 167),
        ("syntax", 1, 54),
        ("tensor", 2, 35),
    ] {
        let module = sample(name);
        assert_sound(&module);
        assert_eq!(module.functions.iter().filter(|f| f.is_kernel && f.body.is_some()).count(), kernels, "{name}");
        let bodies = module.functions.iter().filter_map(|function| function.body.as_ref());
        assert_eq!(bodies.map(|body| body.instructions.len()).sum::<usize>(), instructions, "{name}");
    }
}

#[test]
fn inlined_code_names_its_function() {
    let module = sample("cooperative");
    let inlined = module.locs.iter().filter(|loc| loc.inlined_at.is_some());
    let names: Vec<&str> = inlined.map(|loc| loc.function.as_deref().expect("each has a name")).collect();
    assert!(names.iter().all(|name| name.starts_with("_ZN")), "{names:?}");
    assert!(names.iter().any(|name| name.contains("grid_group4syncEv")), "{names:?}");
}

#[test]
fn values_of_the_memory_sample() {
    let module = sample("memory");
    let variable = |part: &str| module.variables.iter().find(|v| v.name.contains(part)).expect(part);
    assert!(variable("shared_with_host").managed);
    assert_eq!(variable("dynamic").dims, [0]);
    assert_eq!(variable("tight").bytes(), Some(9));
    assert_eq!(variable("tight").init.len(), 9);
}

/// Words that a PTX text is made of, and some that break it.
const WORDS: &[&str] = &[
    ".version 9.0 ",
    ".target sm_90 ",
    ".entry k ",
    ".func ",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "<",
    ">",
    ";",
    ",",
    ":",
    "=",
    "+",
    "-",
    "!",
    "@",
    "|",
    "_",
    ".reg ",
    ".b32 ",
    ".pred ",
    "%r",
    "%r<5>",
    "%r1",
    "L",
    "L:",
    "bra L;",
    "ret;",
    ".loc 1 2 3",
    ", function_name L, inlined_at 1 2 3",
    ".section .debug_str ",
    ".b8 97, 0",
    ".global ",
    ".param ",
    ".local ",
    ".align 8 ",
    "[4]",
    "99999999999",
    "0x",
    "1.5",
    "0f3F800000",
    "generic(",
    "add.s32 ",
    "call ",
    ".callprototype ",
    ".branchtargets ",
    "/*",
    "*/",
    "//",
    "\n",
    "\"",
    "é",
    "\0",
    ".v4 ",
    ".x",
    "?",
    "%tid.x",
    "WARP_SZ",
    "<<",
    "/0",
];

proptest! {
    #[test]
    fn any_text_gets_an_answer(text in any::<String>()) {
        let _ = parse(&text).map(|module| assert_sound(&module));
    }

    #[test]
    fn any_bytes_get_an_answer(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = parse(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn any_words_get_an_answer(words in prop::collection::vec(prop::sample::select(WORDS), 0..60)) {
        let loose = words.concat();
        let inside = format!(".version 9.0\n.target sm_90\n.entry k (.param .b32 p) {{ .reg .b32 %r<5>; {loose} }}");
        for text in [loose, inside] {
            let _ = parse(&text).map(|module| assert_sound(&module));
        }
    }

    /// A real file, from which a stretch is cut and in which words are put.
    #[test]
    fn damaged_files_get_an_answer(
        file in 0..SAMPLES.len(),
        cut in any::<prop::sample::Index>(),
        length in prop_oneof![Just(0usize), 1..4usize, 0..2000usize],
        put in prop::collection::vec((any::<prop::sample::Index>(), prop::sample::select(WORDS)), 0..3),
    ) {
        let mut text = SAMPLES[file].1.to_owned();
        let start = cut.index(text.len());
        text.replace_range(start..(start + length).min(text.len()), "");
        for (at, word) in put {
            let at = at.index(text.len() + 1);
            if text.is_char_boundary(at) {
                text.insert_str(at, word);
            }
        }
        let _ = parse(&text).map(|module| assert_sound(&module));
    }
}
