//! Tables of texts: what each becomes, or why it is refused and where.

use super::module;
use crate::ast::*;

const HEAD: &str = ".version 9.0\n.target sm_90\n.address_size 64\n";

/// Declarations that the bodies below may use.
const GLOBALS: &str = ".global .b32 g[8];\n.func (.param .b32 r) f (.param .b32 x);\n";

fn text(declarations: &str) -> Result<Module, String> {
    module(&format!("{HEAD}{declarations}")).map_err(|error| error.message)
}

/// As [`text`]; what is passed over is an error too.
fn whole(declarations: &str) -> Result<Module, String> {
    let module = text(declarations)?;
    module.skipped.first().map_or(Ok(()), |error| Err(error.message.clone())).map(|()| module)
}

fn body(statements: &str) -> Result<Body, String> {
    let module = text(&format!("{GLOBALS}.entry k (.param .b64 param) {{ {statements} }}"))?;
    let body = module.functions.into_iter().find_map(|function| function.body).unwrap();
    body.not_understood.clone().map_or(Ok(body), |error| Err(error.message))
}

/// The operands of the last instruction, after these registers: %r0 to %r9 and %p as they are used, then v, p.
fn operands(instruction: &str) -> Result<Vec<Operand>, String> {
    let declared = ".reg .v4 .f32 v; .reg .pred p; .reg .b32 %r<10>; .local .b32 local[4];";
    Ok(body(&format!("{declared} {instruction}"))?.instructions.pop().unwrap().operands)
}

#[test]
fn operands_of_every_form() {
    use Operand::*;
    let (v, p, r) = (RegId(0), RegId(1), RegId(2)); // `r`: the first of the range that is used.
    let symbol = |name: &str, offset| Symbol { name: name.into(), offset };
    let address = |base, offset| Address { base, offset };
    for (text, want) in [
        ("x %r7;", vec![Register(r)]),
        ("x !p, -%r1;", vec![NotRegister(p), NegatedRegister(r)]),
        ("x v.x, v.w, v.g;", vec![Element(v, 0), Element(v, 3), Element(v, 1)]),
        ("x %r1.b0, %r1.h1;", vec![Part(r, "b0".into()), Part(r, "h1".into())]),
        ("x -%r1.b3, -%r1;", vec![NegatedPart(r, "b3".into()), NegatedRegister(r)]),
        (
            "x %tid.x, %laneid, WARP_SZ;",
            vec![Special("%tid.x".into()), Special("%laneid".into()), Special("WARP_SZ".into())],
        ),
        (
            "x 1, -1, 0xFFFFFFFFFFFFFFFF;",
            vec![
                Immediate(self::Immediate::Int(1)),
                Immediate(self::Immediate::Int(-1)),
                Immediate(self::Immediate::Int(-1)),
            ],
        ),
        (
            "x 0f3F800000, 1.5, WARP_SZ*2;",
            vec![
                Immediate(self::Immediate::F32(0x3f80_0000)),
                Immediate(self::Immediate::F64(1.5f64.to_bits())),
                Immediate(self::Immediate::Int(64)),
            ],
        ),
        ("x local, local+4;", vec![Variable { var: VarId(0), offset: 0 }, Variable { var: VarId(0), offset: 4 }]),
        ("x g[2], local[1+1], g[-1];", vec![symbol("g", 8), Variable { var: VarId(0), offset: 8 }, symbol("g", -4)]),
        ("ld %r1, g[2];", vec![Register(r), address(Base::Symbol("g".into()), 8)]),
        ("st local[1], g;", vec![address(Base::Variable(VarId(0)), 4), symbol("g", 0)]),
        ("x %r1+4, %r1 + 8 - 12;", vec![Sum(r, 4), Sum(r, -4)]),
        ("x {%r1};", vec![Vector(vec![Register(r)])]),
        ("x g, g-4, param, f;", vec![symbol("g", 0), symbol("g", -4), symbol("param", 0), symbol("f", 0)]),
        (
            "x [%r1], [%r1+-4], [%r1 + 8 - 4];",
            vec![address(Base::Register(r), 0), address(Base::Register(r), -4), address(Base::Register(r), 4)],
        ),
        (
            "x [local+8], [g], [param+2*4], [64];",
            vec![
                address(Base::Variable(VarId(0)), 8),
                address(Base::Symbol("g".into()), 0),
                address(Base::Symbol("param".into()), 8),
                address(Base::Absolute, 64),
            ],
        ),
        (
            "x {%r1, _, 3}, p|_;",
            vec![
                Vector(vec![Register(r), Sink, Immediate(self::Immediate::Int(3))]),
                Pair(Box::new(Register(p)), Box::new(Sink)),
            ],
        ),
        (
            "x [g, {%r1, %r1}], [%r1, p];",
            vec![
                Bracket(vec![symbol("g", 0), Vector(vec![Register(r), Register(r)])]),
                Bracket(vec![Register(r), Register(p)]),
            ],
        ),
        (
            "call (%r1), f, (p, 1);",
            vec![List(vec![Register(r)]), symbol("f", 0), List(vec![Register(p), Immediate(self::Immediate::Int(1))])],
        ),
        ("call f;", vec![symbol("f", 0)]),
        ("x (1 + 2) * 3;", vec![Immediate(self::Immediate::Int(9))]),
        ("ret;", vec![]),
    ] {
        assert_eq!(operands(text), Ok(want), "{text}");
    }
}

#[test]
fn modifiers_and_guards() {
    let body = body(".reg .pred p; @!p ld.global.L1::no_allocate.L2::128B.v4.f32 _, [g]; @p tex.1d .v4 _;").unwrap();
    let [load, texture] = &body.instructions[..] else { panic!("two instructions") };
    assert_eq!(load.guard, Some(Guard { register: RegId(0), negated: true }));
    assert_eq!((load.opcode.as_str(), load.line), ("ld", 6));
    assert_eq!(load.modifiers, ["global", "L1::no_allocate", "L2::128B", "v4", "f32"]);
    assert_eq!(texture.guard, Some(Guard { register: RegId(0), negated: false }));
    assert_eq!(texture.modifiers, ["1d", "v4"]);
}

#[test]
fn labels_belong_to_their_block() {
    let targets = |text: &str| {
        let body = body(text)?;
        let operands = body.instructions.iter().flat_map(|i| &i.operands);
        let labels = operands.filter_map(|o| if let Operand::Label(id) = o { Some(*id) } else { None });
        Ok::<_, String>(labels.map(|id| body.labels[id.0 as usize].target).collect::<Vec<_>>())
    };
    for (text, want) in [
        ("L: bra L;", Ok(vec![0])),
        ("bra L; ret; L:", Ok(vec![2])),
        ("{ bra L; } L: ret;", Ok(vec![1])),
        ("L: { bra L; }", Ok(vec![0])),
        ("ret; L: { bra L; L: ret; } bra L;", Ok(vec![2, 1])),
        ("{ L: bra L; } { L: bra L; bra M; } M: ret;", Ok(vec![0, 1, 3])),
        ("{ { bra L; } bra L; } L: bra L;", Ok(vec![2, 2, 2])),
        ("bra L; { L: ret; }", Err("label `L` is not declared")),
        ("{ bra L; }", Err("label `L` is not declared")),
        ("L: L:", Err("`L` is declared twice in one scope")),
        ("L: .reg .b32 L;", Err("`L` is declared twice in one scope")),
        (".reg .b32 L; L:", Err("`L` is declared twice in one scope")),
    ] {
        assert_eq!(targets(text), want.map_err(String::from), "{text}");
    }
}

#[test]
fn names_shadow_those_outside() {
    // One register a scope, one range, whatever the names.
    let body = body(
        ".reg .b32 %r<1000000000>, x; x %r999999999, x; { .reg .f32 x, %r<2>; x %r1, %r7, x; } \
         { .local .b32 g; x g; } x g, %r1;",
    )
    .unwrap();
    let seen: Vec<(&str, Type)> = body.registers.iter().map(|r| (r.name.as_str(), r.ty)).collect();
    assert_eq!(
        seen,
        [
            ("x", Type::B32),
            ("%r999999999", Type::B32),
            ("x", Type::F32),
            ("%r1", Type::F32),
            ("%r7", Type::B32),
            ("%r1", Type::B32),
        ]
    );
    assert!(matches!(body.instructions[2].operands[0], Operand::Variable { .. }));
    assert!(matches!(body.instructions[3].operands[0], Operand::Symbol { .. }));
}

#[test]
fn tables_of_one_name_stay_apart() {
    let body = body(
        ".reg .b64 %d; { t: .callprototype _ (); call %d, (), t; } \
         { t: .callprototype (.reg .b32 _) _ (.param .b32 _) .noreturn; call (%d), %d, (1), t; } \
         s: .calltargets f; call %d, s; c: .branchtargets L, M; brx.idx %d, c; L: M: ret;",
    )
    .unwrap();
    let names: Vec<&str> = body.prototypes.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(names[0], "t");
    assert_ne!(names[1], "t");
    assert_eq!(names[2], "s");
    let last = |i: usize| body.instructions[i].operands.last().unwrap().clone();
    for (i, name) in names.iter().enumerate() {
        assert_eq!(last(i), Operand::Symbol { name: name.to_string(), offset: 0 });
    }
    assert_eq!(body.prototypes[2].targets, ["f"]);
    assert_eq!(body.branch_targets, [("c".into(), vec![LabelId(0), LabelId(1)])]);
    assert_eq!(last(3), Operand::Symbol { name: "c".into(), offset: 0 });
}

#[test]
fn initial_values() {
    let bits = |values: &[u64]| Ok(values.iter().map(|&v| Init::Bits(v)).collect());
    let symbol = || "g".to_owned();
    for (text, want) in [
        (".b32 x", bits(&[])),
        (".b32 x = -1", bits(&[0xffff_ffff])),
        (".u8 x[] = {1, 256, -1}", bits(&[1, 0, 255])),
        (".b32 x[2][3] = {{1}, {2, 3}}", bits(&[1, 0, 0, 2, 3])),
        (".b32 x[2][3] = {1, 2, 3, 4}", bits(&[1, 2, 3, 4])),
        (".b32 x[][2] = {{1, 2}, {3}}", bits(&[1, 2, 3])),
        (".v2 .b32 x[2] = {{1}, {2}}", bits(&[1, 0, 2])),
        (".b32 x = {4}", bits(&[4])),
        (".f32 x[3] = {1.5, 0f3F800000, 2}", bits(&[0x3fc0_0000, 0x3f80_0000, 0x4000_0000])),
        (".f64 x[2] = {1.5, 0f3F800000}", bits(&[1.5f64.to_bits(), 1f64.to_bits()])),
        (".b64 x = 0d3FF0000000000000", bits(&[1f64.to_bits()])),
        (".b32 x = 1.0", bits(&[0x3f80_0000])),
        (".f16 x = 1.0", bits(&[0x3c00])),
        (".bf16 x = 1.0", bits(&[0x3f80])),
        (".u64 x = g", Ok(vec![Init::Address { symbol: symbol(), offset: 0, generic: false }])),
        (".u64 x = generic(g) + 4", Ok(vec![Init::Address { symbol: symbol(), offset: 4, generic: true }])),
        (".u64 x = generic(g + 4)", Ok(vec![Init::Address { symbol: symbol(), offset: 4, generic: true }])),
        (
            ".u8 x = 0xff00(g - 1)",
            Ok(vec![Init::Masked { mask: 0xff00, symbol: symbol(), offset: -1, generic: false }]),
        ),
        (".u64 x = x", Ok(vec![Init::Address { symbol: "x".into(), offset: 0, generic: false }])),
        (".u32 x = 1.5", Err("found a float, expected a value of type .u32")),
        (".b32 x[2] = {1, 2, 3}", Err("`x` has more initial values than elements")),
        (".b32 x[2][2] = {{1, 2, 3}}", Err("`x` has more initial values than elements")),
        (".b32 x[2] = {{1}}", Err("found `{`, expected a value")),
        (".b32 x[2][2] = {1, {2}}", Err("found `{`, expected a value: this row began without braces")),
        (".b32 x[2][9999999] = {{1}, {2}}", Err("more than 1048576 zeros are left out of initial values")),
        (".b32 x[][0] = {{}}", Err("found a row of no elements")),
        (".u64 x = y", Err("`y` is not declared")),
    ] {
        let got = whole(&format!("{GLOBALS}.global {text};")).map(|m| m.variables.last().unwrap().init.clone());
        assert_eq!(got, want.map_err(String::from), "{text}");
    }
}

#[test]
fn declarations() {
    let module = whole(
        ".visible .global .attribute(.managed, .unified(1, 2)) .align 16 .v2 .f32 a[3][2], b;
         .extern .shared .b8 dynamic[];
         .visible .entry k (.param .u64 .ptr .global .align 32 p, .param .align 8 .b8 s[24])
         .maxntid 128, 2 .minnctapersm 3 .explicitcluster { ret; }
         .func (.reg .b32 r) f (.reg .f64 x, .param .b32 y) .noreturn;
         .func g; .alias g2, g;",
    );
    assert_eq!(module.unwrap_err(), "function `g2` is not declared");
    let module = whole(
        ".visible .global .attribute(.managed, .unified(1, 2)) .align 16 .v2 .f32 a[3][2], b;
         .extern .shared .b8 dynamic[];
         .visible .entry k (.param .u64 .ptr .global .align 32 p, .param .align 8 .b8 s[24])
         .maxntid 128, 2 .minnctapersm 3 .explicitcluster { ret; }
         .func (.reg .b32 r) f (.reg .f64 x, .param .b32 y) .noreturn;
         .func g; .func g2; .alias g2, g; .file 1 \"a\\303\\261o b.cu\", 5, 6 .target debug",
    )
    .unwrap();
    let a = &module.variables[0];
    assert!(a.managed && a.linkage == Linkage::Visible);
    assert_eq!((a.align, a.vector, &a.dims[..], a.bytes()), (16, 2, &[3, 2][..], Some(48)));
    assert_eq!((module.variables[2].linkage, &module.variables[2].dims[..]), (Linkage::Extern, &[0][..]));
    let k = &module.functions[0];
    assert!(k.is_kernel && k.body.is_some());
    assert_eq!(
        k.directives,
        [
            ("maxntid".to_owned(), vec![128, 2]),
            ("minnctapersm".to_owned(), vec![3]),
            ("explicitcluster".to_owned(), vec![]),
        ]
    );
    let Param::Memory(pointer) = &k.params[0] else { panic!("memory") };
    assert_eq!((pointer.ty, pointer.align, pointer.bytes()), (Type::U64, 8, Some(8)));
    let Param::Memory(object) = &k.params[1] else { panic!("memory") };
    assert_eq!((object.align, object.bytes()), (8, Some(24)));
    let f = &module.functions[1];
    assert!(matches!(f.returns[0], Param::Register { reg: RegId(0), ty: Type::B32, .. }));
    assert!(matches!(f.params[0], Param::Register { reg: RegId(1), ty: Type::F64, .. }));
    assert_eq!(module.aliases, [("g2".to_owned(), "g".to_owned())]);
    assert_eq!(module.files, [(1, "año b.cu".to_owned())]);
    assert_eq!((module.version, &module.target[..]), ((9, 0), &["sm_90".to_owned(), "debug".to_owned()][..]));
}

#[test]
fn local_limits_of_registers_are_read() {
    let module = whole(".entry k() .maxnreg 32 .local_maxnreg 16 { ret; }").unwrap();
    assert_eq!(module.functions[0].directives[1], ("local_maxnreg".to_owned(), vec![16]));
}

#[test]
fn inlined_functions_get_their_names() {
    let module = text(
        ".entry k { .loc 1 2 3 ret; .loc 1 4 5, function_name s, inlined_at 6 7 8 ret; \
         .loc 1 4 5, function_name t+1, inlined_at 6 7 8 ret; { .loc 2 3 4 } ret; } \
         .entry unknown { ret; } \
         .section .debug_info { .b32 .debug_str .b64 s - t, s+4 .b8 1, 2 x: } \
         .section .debug_str { s: .b8 97, 98 .b8 0 t: .b8 99, 100, 0 }",
    )
    .unwrap();
    let names: Vec<Option<&str>> = module.locs.iter().map(|loc| loc.function.as_deref()).collect();
    assert_eq!(names, [None, Some("ab"), Some("d"), None]);
    assert_eq!(module.locs[1].inlined_at, Some((6, 7, 8)));
    let locs = |index: usize| -> Vec<Option<u32>> {
        module.functions[index].body.iter().flat_map(|body| &body.instructions).map(|i| i.loc).collect()
    };
    assert_eq!(locs(0), [Some(0), Some(1), Some(2), Some(3)]);
    assert_eq!(locs(1), [None]);
}

/// Why each body of `text` is not understood, by function.
fn bodies(text: &str) -> Vec<(String, Option<String>)> {
    let functions = self::text(text).unwrap().functions;
    let why = |body: Option<Body>| body.and_then(|body| body.not_understood).map(|error| error.message);
    functions.into_iter().map(|function| (function.name, why(function.body))).collect()
}

/// Returns the parts of `text` outside of functions that are left out of the tree.
fn skipped(text: &str) -> Vec<String> {
    self::text(text).unwrap().skipped.into_iter().map(|error| error.message).collect()
}

#[test]
fn a_body_that_is_not_understood_costs_its_function() {
    let brackets = format!("x {} ;", "[".repeat(1000));
    let nested = "{".repeat(100) + &"}".repeat(100);
    for (body, want) in [
        (".foo 3;", "unknown directive `.foo`"),
        (";", "found `;`, expected a statement or `}`"),
        ("ret", "found `}`, expected an operand"),
        ("add %r1;", "register `%r1` is not declared"),
        ("add x;", "`x` is not declared"),
        (".reg .b32 %r<5>; add %r5;", "register `%r5` is not declared"),
        (".reg .b32 v; add v.x;", "`v` has no element `.x`"),
        (".reg .b32 a, a;", "`a` is declared twice in one scope"),
        (".reg .b32 %r<5>, %r3;", "`%r3` is declared twice in one scope"),
        (".reg .b32 %r3, %r<5>;", "`%r3` is declared twice in one scope"),
        (".reg .b32 %r<5>, %r<9>;", "`%r` is declared twice in one scope"),
        (".reg .b256 a;", "found `.b256`, expected a type"),
        ("bra there;", "label `there` is not declared"),
        ("call f;", "`f` is not declared"),
        (".reg .b32 a; @a.x ret;", "found `.x`, expected an instruction"),
        (".loc 1 2 3, foo", "found `foo`, expected `function_name` or `inlined_at`"),
        ("{ .foo { } } ret;", "unknown directive `.foo`"),
        ("mov é, 1;", "found a character that PTX does not use: `é`, expected an operand"),
        (&brackets, "more than 64 levels of nesting"),
        (&nested, "more than 64 levels of nesting"),
    ] {
        let text = format!(".entry before {{ ret; }} .entry k {{ {body} }} .func f {{ ret; }}");
        let want = [("before", None), ("k", Some(want.to_owned())), ("f", None)];
        assert_eq!(bodies(&text), want.map(|(name, why)| (name.to_owned(), why)), "{}", &text[..text.len().min(80)]);
    }
}

#[test]
fn a_header_that_is_not_understood_costs_its_function() {
    for (header, want) in [
        (".entry k .foo", "found `.foo`, expected `{`, `;` or a performance directive"),
        (".entry k (.param .b256 a, .param .b32 b)", "found `.b256`, expected a type"),
        (".entry k (.param .b32 a) .foo 1, 2", "found `.foo`, expected `{`, `;` or a performance directive"),
        (".entry k (.param .b32 a, .param .b32 a)", "`a` is declared twice in one scope"),
    ] {
        let text = format!("{header} {{ {{ ret; }} }} .entry after {{ ret; }}");
        let want = [("k", Some(want.to_owned())), ("after", None)];
        assert_eq!(bodies(&text), want.map(|(name, why)| (name.to_owned(), why)), "{header}");
    }
}

#[test]
fn a_directive_that_is_not_understood_is_passed_over() {
    for (directive, want) in [
        (".globl x;", "unknown directive `.globl`"),
        (".globl x\n", "unknown directive `.globl`"),
        (".globl x = { 1, { 2 } };", "unknown directive `.globl`"),
        (".globl x { y; z }", "unknown directive `.globl`"),
        (".visible .globl x;", "found `.globl`, expected `.entry`, `.func` or a state space"),
        (".global .b33 x;", "found `.b33`, expected a type"),
        (".global .b32 .b32 x;", "found `.b32`, expected a name"),
        (".global .align 3 .b32 x;", "alignment 3 is no power of two"),
        (".global .pred x;", "a predicate has no place in memory, expected `.reg`"),
        (".global .b32 x[-1];", "-1 is no size of an array"),
        (".global .b32 x[0x7fffffffffffffff][9];", "`x` is larger than 64 bits can count"),
        (".shared .b32 x = 1;", "a variable in `.shared` has no initial value"),
        (".global .b32 é;", "found a character that PTX does not use: `é`, expected a name"),
        (".func f (.param .b256 a);", "found `.b256`, expected a type"),
        (".file 1 x;", "found `x`, expected a string"),
        (".loc 1 2 3, function_name x, foo;", "found `foo`, expected `function_name` or `inlined_at`"),
        (".alias a, b;", "function `a` is not declared"),
        (".section .debug_str { x: .b8 65, 0 .b128 1 }", "found `.b128`, expected data, a label or `}`"),
    ] {
        let text = format!(".entry before {{ ret; }}\n{directive}\n.entry k {{ .loc 1 2 3, function_name y ret; }}");
        assert_eq!(skipped(&text), [want], "{text}");
        assert_eq!(bodies(&text), [("before".to_owned(), None), ("k".to_owned(), None)], "{text}");
    }
}

#[test]
fn what_uses_a_name_that_was_passed_over_says_so() {
    let text = ".globl x;\n.entry k { mov.b64 a, x; }".replace("mov", ".reg .b64 a; mov");
    let want = "`x` is not declared (line 4 is not understood: unknown directive `.globl`)";
    assert_eq!(bodies(&text), [("k".to_owned(), Some(want.to_owned()))]);
}

#[test]
fn modules_that_are_refused() {
    let deep = format!(".entry k {{ {}", "{".repeat(1000));
    let locs: String = (0..20).map(|n| format!(".loc 1 1 1, function_name s+{n}, inlined_at 1 1 1 ")).collect();
    let overlapping = format!("{locs} .section .debug_str {{ s: .b8 {} 0 }}", "65, ".repeat(200));
    let cut_off = "the text ends before the `{` of line 4 is closed: the file is cut off or damaged, compile it again";
    for (text, want) in [
        ("mov.b32 a, b;", "found `mov`, expected a directive"),
        (".entry k { ret; } }", "found `}`, expected a directive"),
        (".globl x };", "found `}`, which nothing opens: a line above it is missing"),
        (".entry k { ret; ", cut_off),
        (".entry k { .foo ", cut_off),
        (".entry k { ret; .entry l { ret; }", cut_off),
        (".entry k .foo { ret; ", cut_off),
        (".globl x { ", cut_off),
        (".entry k .foo ", "found `.foo`, expected `{`, `;` or a performance directive"),
        (".global .b32 ", "found the end of the text, expected a name"),
        (".file 1 \"x", "found a string that does not end: `\"x`, expected a string"),
        (".func f { } .func f { }", "`f` is declared twice in one scope"),
        (".func f; .global .b32 f;", "`f` is declared twice in one scope"),
        (".global .b32 x; .global .b32 x;", "`x` is declared twice in one scope"),
        (
            ".entry k { .loc 1 2 3, function_name x } .section .debug_str { y: .b8 0 }",
            "label `x` is not in `.debug_str`",
        ),
        (&overlapping, "names in `.debug_str` overlap"),
        (&deep, cut_off),
    ] {
        assert_eq!(self::text(text).unwrap_err(), want, "{}", &text[..text.len().min(80)]);
    }
    for (text, want) in [
        ("", "found the end of the text, expected `.version`"),
        (".version 9 .target sm_90", "`9` is no version"),
        (".version 9.0 .entry k {}", "found `.entry`, expected `.target`"),
        (".version 9.0 .target sm_90 .address_size 16", "found address size 16, expected 32 or 64"),
    ] {
        assert_eq!(module(text).unwrap_err().message, want, "{text}");
    }
}

#[test]
fn errors_say_where() {
    let error = module(".version 9.0\n.target sm_90 /* é */ foo").unwrap_err();
    assert_eq!((error.line, error.column), (2, 23));
    assert_eq!(error.to_string(), "2:23: found `foo`, expected a directive");
}
