//! Each edit on a few lines of PTX.

use finding::{AtomicAccess, AtomicOperation, BarrierKind, Edit, Position, Scope, SourceLocation};
use repair::{Unfit, patch};

/// A kernel of one pointer and a bound, with `body` in `k.cu`; `%rd1` points to global memory.
fn module(body: &str) -> String {
    format!(
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 k_0, .param .u32 k_1)\n{{\n\
         .reg .pred %p<9>;\n.reg .b32 %r<99>;\n.reg .f32 %f<9>;\n.reg .b64 %rd<99>;\n{body}\n.loc 1 99 1\nret;\n}}\n\
         .file 1 \"/course/k.cu\"\n.file 2 \"<cuda>/include/h.hpp\"\n.file 3 \"/course/h.cuh\"\n"
    )
}

fn at(line: u32) -> SourceLocation {
    SourceLocation { file: "k.cu".into(), line, column: 1 }
}

/// Returns the patched body, without `.loc` and declarations; new declarations are put first.
fn patched(body: &str, remedy: &[Edit]) -> Result<Vec<String>, Unfit> {
    let text = patch::patched(&module(body), "k", remedy)?;
    let lines = text.lines().map(|it| it.split_whitespace().collect::<Vec<_>>().join(" "));
    let body = lines.skip_while(|it| it != "{").skip(1).take_while(|it| it != "}");
    let is_old = |it: &String| it.starts_with(".reg") && it.contains('<') || it.starts_with(".loc") || it.is_empty();
    Ok(body.filter(|it| !is_old(it)).collect())
}

fn fits(body: &str, edit: Edit, expected: &str) {
    let found = patched(body, &[edit]).expect("an edit that fits").join("\n");
    let expected: Vec<&str> = expected.lines().map(str::trim).filter(|it| !it.is_empty()).collect();
    assert_eq!(found, expected.join("\n") + "\nret;");
}

fn refused(body: &str, edit: Edit, line: u32) {
    assert_eq!(patched(body, &[edit]), Err(Unfit::OtherThing { line }));
}

fn block(at: Position) -> Edit {
    Edit::InsertBarrier { barrier: BarrierKind::Block, at }
}

fn access(line: u32, access: AtomicAccess) -> Edit {
    Edit::MakeAtomic { at: at(line), access }
}

fn update(line: u32) -> Edit {
    access(line, AtomicAccess::Update { operation: None })
}

const NESTED: &str = ".loc 1 3 1\n@%p1 bra L2;\n.loc 1 4 1\n@%p2 bra L2;\n.loc 1 5 1\nst.global.u32 [%rd1], 1;\nL2:\n\
                      .loc 1 8 1\nst.global.u32 [%rd1+4], 2;";

#[test]
fn an_inner_if_ends_before_the_outer_one() {
    let inner =
        "@%p1 bra L2;\n@%p2 bra $fix1;\nst.global.u32 [%rd1], 1;\n$fix1:\nbar.sync 0;\nL2:\nst.global.u32 [%rd1+4], 2;";
    fits(NESTED, block(Position::After { at: at(4) }), inner);
    let outer = "@%p1 bra L2;\n@%p2 bra L2;\nst.global.u32 [%rd1], 1;\nL2:\nbar.sync 0;\nst.global.u32 [%rd1+4], 2;";
    fits(NESTED, block(Position::After { at: at(3) }), outer);
    let before = "@%p1 bra L2;\nbar.sync 0;\n@%p2 bra L2;\nst.global.u32 [%rd1], 1;\nL2:\nst.global.u32 [%rd1+4], 2;";
    fits(NESTED, block(Position::Before { at: at(4) }), before);
}

#[test]
fn of_two_places_the_one_that_all_reach_is_taken() {
    // The first is in a branch, the second is not.
    let between = |first, second| block(Position::Between { first: at(first), second: at(second) });
    let second = "@%p1 bra L2;\n@%p2 bra L2;\nst.global.u32 [%rd1], 1;\nL2:\nbar.sync 0;\nst.global.u32 [%rd1+4], 2;";
    fits(NESTED, between(5, 8), second);
    // The second is in a branch, the first is not.
    let body =
        ".loc 1 2 1\nst.global.u32 [%rd1], 1;\n.loc 1 3 1\n@%p1 bra L2;\n.loc 1 4 1\nst.global.u32 [%rd1], 2;\nL2:";
    let first = "st.global.u32 [%rd1], 1;\nbar.sync 0;\n@%p1 bra L2;\nst.global.u32 [%rd1], 2;\nL2:";
    fits(body, between(2, 4), first);
}

#[test]
fn a_guarded_store_is_an_if() {
    let body = ".loc 1 3 1\n@%p1 st.global.u32 [%rd1], 1;\n.loc 1 4 1\nst.global.u32 [%rd1+4], 2;";
    let both = [block(Position::Before { at: at(3) }), block(Position::After { at: at(3) })];
    let expected =
        ["bar.sync 0;", "@%p1 st.global.u32 [%rd1], 1;", "bar.sync 0;", "st.global.u32 [%rd1+4], 2;", "ret;"];
    assert_eq!(patched(body, &both).expect("edits that fit"), expected);
}

#[test]
fn an_early_return_and_the_end_are_not_told_apart() {
    let body = ".loc 1 3 1\n@%p1 bra L2;\n.loc 1 4 1\nst.global.u32 [%rd1], 1;\n.loc 1 5 1\nL2:";
    refused(body, block(Position::After { at: at(3) }), 3);
}

#[test]
fn a_loop_is_one_statement_and_its_body_another() {
    let body = ".loc 1 3 1\nL1:\nsetp.lt.u32 %p1, %r1, 9;\n.loc 1 4 1\nst.global.u32 [%rd1], 1;\n.loc 1 3 1\n\
        @%p1 bra L1;\n\
                .loc 1 6 1\nst.global.u32 [%rd1], 2;";
    let setp = "L1:\nsetp.lt.u32 %p1, %r1, 9;";
    let after = format!("{setp}\nst.global.u32 [%rd1], 1;\n@%p1 bra L1;\nbar.sync 0;\nst.global.u32 [%rd1], 2;");
    fits(body, block(Position::After { at: at(3) }), &after);
    let inside = format!("{setp}\nst.global.u32 [%rd1], 1;\nbar.sync 0;\n@%p1 bra L1;\nst.global.u32 [%rd1], 2;");
    fits(body, block(Position::After { at: at(4) }), &inside);
}

#[test]
fn a_loop_that_looks_first_is_one_statement_too() {
    let body = ".loc 1 2 1\nst.global.u32 [%rd1], 2;\n.loc 1 3 1\nL1:\n@%p1 bra L2;\n.loc 1 4 1\n\
        st.global.u32 [%rd1], 1;\n\
                .loc 1 3 9\nbra.uni L1;\nL2:\n.loc 1 6 1\nst.global.u32 [%rd1], 3;";
    let rest = "L1:\n@%p1 bra L2;\nst.global.u32 [%rd1], 1;\nbra.uni L1;\nL2:";
    let before = format!("st.global.u32 [%rd1], 2;\nbar.sync 0;\n{rest}\nst.global.u32 [%rd1], 3;");
    fits(body, block(Position::Before { at: at(3) }), &before);
    let after = format!("st.global.u32 [%rd1], 2;\n{rest}\nbar.sync 0;\nst.global.u32 [%rd1], 3;");
    fits(body, block(Position::After { at: at(3) }), &after);
}

#[test]
fn a_load_that_was_moved_out_of_a_loop_is_no_copy() {
    let body = ".loc 1 4 1\nld.global.u32 %r2, [%rd1];\nL1:\nst.global.u32 [%rd2], %r2;\n.loc 1 3 1\n@%p1 bra L1;";
    let expected = "ld.global.u32 %r2, [%rd1];\nL1:\nbar.sync 0;\nst.global.u32 [%rd2], %r2;\n@%p1 bra L1;";
    fits(body, block(Position::Before { at: at(4) }), expected);
}

#[test]
fn fences_are_those_of_nvcc_and_a_grid_has_no_simple_barrier() {
    let body = ".loc 1 3 1\nst.global.u32 [%rd1], 1;";
    for (scope, fence) in [(Scope::Block, "membar.cta;"), (Scope::Device, "membar.gl;"), (Scope::System, "membar.sys;")]
    {
        let edit = Edit::InsertFence { scope, at: Position::Before { at: at(3) } };
        fits(body, edit, &format!("{fence}\nst.global.u32 [%rd1], 1;"));
    }
    refused(body, Edit::InsertBarrier { barrier: BarrierKind::Grid, at: Position::Before { at: at(3) } }, 3);
}

#[test]
fn a_barrier_goes_with_all_its_copies() {
    let body = ".loc 1 3 1\n.loc 2 7 3, inlined_at 1 3 1\nbarrier.sync 0;\n.loc 1 4 1\nbar.sync 0;\n.loc 1 3 1\n\
        { bar.sync 0; }\n\
                .loc 1 3 1\nbar.red.popc.u32 %r1, 0, %p1;";
    fits(body, Edit::RemoveBarrier { at: at(3) }, "bar.sync 0;\n{ }\nbar.red.popc.u32 %r1, 0, %p1;");
}

#[test]
fn scopes_get_wider_and_never_narrower() {
    let body = ".loc 1 3 1\nfence.acq_rel.cta;\nmembar.cta;\natom.global.cta.add.u32 %r1, [%rd1], 1;\n\
                ld.acquire.cluster.global.u32 %r2, [%rd1];\nred.release.global.add.u32 [%rd1], 1;\nfence.sc.sys;";
    let device = "fence.acq_rel.gpu;\nmembar.gl;\natom.global.gpu.add.u32 %r1, [%rd1], 1;\n\
                  ld.acquire.gpu.global.u32 %r2, [%rd1];\nred.release.global.add.u32 [%rd1], 1;\nfence.sc.sys;";
    fits(body, Edit::WidenScope { at: at(3), to: Scope::Device }, device);
    let system = "fence.acq_rel.sys;\nmembar.sys;\natom.global.sys.add.u32 %r1, [%rd1], 1;\n\
                  ld.acquire.sys.global.u32 %r2, [%rd1];\nred.release.sys.global.add.u32 [%rd1], 1;\nfence.sc.sys;";
    fits(body, Edit::WidenScope { at: at(3), to: Scope::System }, system);
}

#[test]
fn loads_and_stores_become_atomic() {
    let body = ".loc 1 3 1\nld.global.nc.u32 %r1, [%rd1];\nst.volatile.shared.f32 [%r2], %f1;";
    let load = "ld.relaxed.gpu.global.u32 %r1, [%rd1];\nst.volatile.shared.f32 [%r2], %f1;";
    fits(body, access(3, AtomicAccess::Load), load);
    let store = "ld.global.nc.u32 %r1, [%rd1];\nst.relaxed.gpu.shared.f32 [%r2], %f1;";
    fits(body, access(3, AtomicAccess::Store), store);
    // If there are two loads, the one at the column changes.
    let body = ".loc 1 3 1\nld.u32 %r1, [%rd1];\n.loc 1 3 9\nld.u32 %r2, [%rd2];";
    fits(body, access(3, AtomicAccess::Load), "ld.relaxed.gpu.u32 %r1, [%rd1];\nld.u32 %r2, [%rd2];");
    refused(".loc 1 3 1\nld.global.v2.u32 {%r1, %r2}, [%rd1];", access(3, AtomicAccess::Load), 3);
}

#[test]
fn an_operation_on_memory_becomes_atomic() {
    let of = |ty: &str, operation: &str, atomic: &str| {
        let body = format!(".loc 1 3 1\nld.{ty} %r1, [%rd1+8];\n{operation};\nst.{ty} [%rd1+8], %r2;");
        fits(&body, update(3), &format!("{atomic};\n{operation};"));
    };
    of("u32", "or.b32 %r2, %r9, %r1", "atom.or.b32 %r1, [%rd1+8], %r9");
    of("u32", "min.s32 %r2, %r1, 7", "atom.min.s32 %r1, [%rd1+8], 7");
    let body = ".loc 1 3 1\nld.global.f32 %f1, [%rd1];\nsub.rn.f32 %f2, %f1, %f3;\nst.global.f32 [%rd1], %f2;";
    let expected =
        ".reg .f32 %fix1;\nneg.f32 %fix1, %f3;\natom.global.add.f32 %f1, [%rd1], %fix1;\nsub.rn.f32 %f2, %f1, %f3;";
    fits(body, update(3), expected);
    // A wrong operation, the wrong way round, too narrow, another address.
    let body = |ty: &str, operation: &str, to: &str| {
        format!(".loc 1 3 1\nld.{ty} %r1, [%rd1];\n{operation};\nst.{ty} [{to}], %r2;")
    };
    refused(&body("u32", "mul.lo.s32 %r2, %r1, 3", "%rd1"), update(3), 3);
    refused(&body("u32", "sub.s32 %r2, 3, %r1", "%rd1"), update(3), 3);
    refused(&body("u8", "add.s32 %r2, %r1, 3", "%rd1"), update(3), 3);
    refused(&body("u32", "add.s32 %r2, %r1, 3", "%rd1+4"), update(3), 3);
    let other = AtomicAccess::Update { operation: Some(AtomicOperation::Max) };
    refused(&body("u32", "add.s32 %r2, %r1, 3", "%rd1"), access(3, other), 3);
}

#[test]
fn rounds_that_hand_the_sum_on_are_atomic_each() {
    let body = ".loc 1 3 1\nld.u32 %r1, [%rd1];\nadd.s32 %r2, %r1, 1;\nst.u32 [%rd1], %r2;\nadd.s32 %r3, %r2, 2;\n\
        st.u32 [%rd1], %r3;";
    let expected =
        "atom.add.u32 %r1, [%rd1], 1;\nadd.s32 %r2, %r1, 1;\natom.add.u32 %r2, [%rd1], 2;\nadd.s32 %r3, %r2, 2;";
    fits(body, update(3), expected);
    // The value is asked for before: it would not be there.
    let body = ".loc 1 3 1\nld.u32 %r1, [%rd1];\n.loc 1 2 1\nst.u32 [%rd2], %r1;\n.loc 1 3 1\nadd.s32 %r2, %r1, 1;\n\
        st.u32 [%rd1], %r2;";
    refused(body, update(3), 3);
}

#[test]
fn a_comparison_and_a_store_become_max_or_min() {
    let of = |setp: &str, store: &str, operation: &str| {
        let body = format!(".loc 1 3 1\nld.global.u32 %r1, [%rd1];\n{setp};\n{store}");
        let rest = if store.contains("bra") { "@%p1 bra L2;\nL2:" } else { "" };
        fits(&body, update(3), &format!("atom.global.{operation} %r1, [%rd1], %r2;\n{setp};\n{rest}"));
    };
    let skipped = "@%p1 bra L2;\nst.global.u32 [%rd1], %r2;\nL2:";
    of("setp.le.s32 %p1, %r2, %r1", skipped, "max.s32");
    of("setp.le.u32 %p1, %r1, %r2", skipped, "min.u32");
    of("setp.gt.s32 %p1, %r2, %r1", "@%p1 st.global.u32 [%rd1], %r2;", "max.s32");
    of("setp.gt.s32 %p1, %r2, %r1", "@!%p1 st.global.u32 [%rd1], %r2;", "min.s32");
    refused(&format!(".loc 1 3 1\nld.global.u32 %r1, [%rd1];\nsetp.eq.s32 %p1, %r2, %r1;\n{skipped}"), update(3), 3);
}

#[test]
fn masks_and_widths() {
    let body = ".loc 1 3 1\nshfl.sync.up.b32 %r1|%p1, %r2, 1, 0, %r9;\nmatch.any.sync.b32 %r3, %r2, %r9;\n\
                redux.sync.add.s32 %r4, %r2, %r9;\nbar.warp.sync %r9;\nvote.sync.ballot.b32 %r5, %p1, 15;";
    let mask = "shfl.sync.up.b32 %r1|%p1, %r2, 1, 0, 0x000000ff;\nmatch.any.sync.b32 %r3, %r2, 0x000000ff;\n\
                redux.sync.add.s32 %r4, %r2, 0x000000ff;\nbar.warp.sync 0x000000ff;\n\
                vote.sync.ballot.b32 %r5, %p1, 0x000000ff;";
    fits(body, Edit::ChangeMask { at: at(3), mask: 255 }, mask);
    let width = body.replace(".loc 1 3 1\n", "").replace("1, 0, %r9", "1, 6144, %r9").replace("  ", "");
    fits(body, Edit::ChangeWidth { at: at(3), width: 8 }, &width);
    refused(body, Edit::ChangeWidth { at: at(3), width: 12 }, 3);
}

#[test]
fn an_index_is_bounded_by_a_parameter() {
    let edit = || Edit::BoundIndex { at: at(3), below: Some(1) };
    let made = "mul.wide.s32 %rd2, %r1, 4;\nadd.s64 %rd3, %rd1, %rd2;";
    let body = format!(".loc 1 3 1\n{made}\nld.global.u32 %r2, [%rd3+4];\n@!%p1 st.global.u32 [%rd3+4], %r2;");
    let expected = format!(
        ".reg .b32 %fix1;\n.reg .b32 %fix2;\n.reg .pred %fix3;\n.reg .pred %fix4;\n{made}\n\
         add.s32 %fix1, %r1, 1;\nld.param.u32 %fix2, [k_1];\nsetp.lt.s32 %fix3, %fix1, %fix2;\n\
         @%fix3 ld.global.u32 %r2, [%rd3+4];\nnot.pred %fix4, %p1;\nand.pred %fix4, %fix4, %fix3;\n\
         @%fix4 st.global.u32 [%rd3+4], %r2;"
    );
    fits(&body, edit(), &expected);
    refused(&body, Edit::BoundIndex { at: at(3), below: None }, 3);
    // A wide index.
    let made = "cvt.u64.u32 %rd4, %r1;\nshl.b64 %rd2, %rd4, 3;\nadd.s64 %rd3, %rd1, %rd2;";
    let body = format!(".loc 1 3 1\n{made}\nst.global.u64 [%rd3], %rd9;");
    let expected = format!(
        ".reg .b32 %fix1;\n.reg .pred %fix2;\n{made}\nld.param.u32 %fix1, [k_1];\nsetp.lt.u32 %fix2, %r1, %fix1;\n\
         @%fix2 st.global.u64 [%rd3], %rd9;"
    );
    fits(&body, edit(), &expected);
    // The index has another value by then.
    let body = ".loc 1 3 1\nmul.wide.s32 %rd2, %r1, 4;\nadd.s64 %rd3, %rd1, %rd2;\nadd.s32 %r1, %r1, 1;\n\
        st.global.u32 [%rd3], 1;";
    refused(body, edit(), 3);
}

#[test]
fn a_shuffle_is_done_before_the_branch() {
    let edit = || Edit::Hoist { at: at(4), above: at(3) };
    let body = ".loc 1 3 1\n@%p1 bra L2;\n.loc 1 4 1\nadd.s32 %r2, %r1, 1;\n\
        shfl.sync.down.b32 %r3|%p2, %r2, 1, 31, -1;\n\
                st.global.u32 [%rd1], %r3;\nL2:";
    let expected = "add.s32 %r2, %r1, 1;\nshfl.sync.down.b32 %r3|%p2, %r2, 1, 31, -1;\n@%p1 bra L2;\n\
                    st.global.u32 [%rd1], %r3;\nL2:";
    fits(body, edit(), expected);
    // A register that has another value where the branch is taken.
    let merged = "mov.u32 %r3, 0;\n.loc 1 3 1\n@%p1 bra L2;\n.loc 1 4 1\nvote.sync.ballot.b32 %r3, %p2, -1;\nL2:";
    let expected = ".reg .b32 %fix1;\nmov.u32 %r3, 0;\nvote.sync.ballot.b32 %fix1, %p2, -1;\n@%p1 bra L2;\n\
                    mov.b32 %r3, %fix1;\nL2:";
    fits(merged, edit(), expected);
    // A register that it needs is there only inside.
    let body = body.replace("add.s32 %r2, %r1, 1;", "atom.global.add.u32 %r2, [%rd1], 1;");
    refused(&body, edit(), 4);
}

#[test]
fn what_the_atomic_operation_returned_is_used() {
    let edit = || Edit::UseReturned { at: at(4), of: at(3) };
    let body = ".loc 1 3 1\nred.global.add.u32 [%rd1], 1;\n.loc 1 4 1\nld.global.u32 %r1, [%rd1];";
    fits(body, edit(), ".reg .b32 %fix1;\natom.global.add.u32 %fix1, [%rd1], 1;\nmov.b32 %r1, %fix1;");
    let body = ".loc 1 3 1\natom.global.add.u32 %r5, [%rd1], 1;\n.loc 1 4 1\nld.global.u32 %r1, [%rd1];";
    let expected = ".reg .b32 %fix1;\natom.global.add.u32 %r5, [%rd1], 1;\nmov.b32 %fix1, %r5;\nmov.b32 %r1, %fix1;";
    fits(body, edit(), expected);
}

#[test]
fn a_line_of_a_header_of_the_course_counts_and_so_does_the_call() {
    let body = ".loc 1 3 1\n.loc 3 7 5, inlined_at 1 3 1\n.loc 2 9 9, inlined_at 3 7 5\n\
        atom.global.add.u32 %r1, [%rd1], 1;\n\
                .loc 1 4 1\n.loc 3 7 5, inlined_at 1 4 1\n.loc 2 9 9, inlined_at 3 7 5\n\
                atom.global.add.u32 %r2, [%rd1], 1;";
    let atoms = ["atom.global.add.u32 %r1, [%rd1], 1;", "atom.global.add.u32 %r2, [%rd1], 1;"];
    let call = format!("{}\nbar.sync 0;\n{}", atoms[0], atoms[1]);
    fits(body, block(Position::After { at: at(3) }), &call);
    let inside = SourceLocation { file: "course/h.cuh".into(), line: 7, column: 5 };
    let both = format!("{}\nbar.sync 0;\n{}\nbar.sync 0;", atoms[0], atoms[1]);
    fits(body, block(Position::After { at: inside }), &both);
}

#[test]
fn two_edits_of_one_statement_are_composed_or_refused() {
    let body = ".loc 1 3 1\nld.u32 %r1, [%rd1];\nadd.s32 %r2, %r1, 1;\nst.u32 [%rd1], %r2;";
    let strong = access(3, AtomicAccess::Store);
    assert!(matches!(patched(body, &[update(3), strong]), Err(Unfit::OtherThing { .. })));
    let both = [block(Position::Before { at: at(3) }), update(3)];
    let expected = ["bar.sync 0;", "atom.add.u32 %r1, [%rd1], 1;", "add.s32 %r2, %r1, 1;", "ret;"];
    assert_eq!(patched(body, &both).expect("edits that fit"), expected);
    assert_eq!(patch::patched("no PTX", "k", &both), Err(Unfit::Unreadable));
}

#[test]
fn an_update_is_split_by_a_barrier() {
    let edit = || Edit::SplitUpdate { at: at(3), barrier: BarrierKind::Block };
    let round =
        |offset| format!("ld.shared.u32 %r1, [%rd1];\nld.shared.u32 %r2, [%rd1+{offset}];\nadd.s32 %r3, %r1, %r2;\n");
    let store = "st.shared.u32 [%rd1], %r3;\n";
    // Unrolled.
    let body = format!(".loc 1 3 1\n{}{store}{}{store}", round(8), round(4));
    fits(&body, edit(), &format!("{}bar.sync 0;\n{store}{}bar.sync 0;\n{store}", round(8), round(4)));
    // Something else in between may not reach the barrier.
    let parted = format!(".loc 1 3 1\n{}@%p1 bra L2;\n{store}L2:", round(8));
    refused(&parted, edit(), 3);
    refused(&format!(".loc 1 3 1\n{store}"), edit(), 3);
    refused(".loc 1 3 1\natom.add.u32 %r1, [%rd1], 1;", edit(), 3);
}

#[test]
fn a_thread_waits_for_its_copies() {
    let copy = "cp.async.ca.shared.global [%r1], [%rd1], 4;";
    let body = format!(".loc 1 3 1\n{copy}\n.loc 1 4 1\nld.shared.u32 %r2, [%r1];");
    let expected = format!("{copy}\ncp.async.wait_all;\nld.shared.u32 %r2, [%r1];");
    fits(&body, Edit::InsertWait { at: Position::After { at: at(3) } }, &expected);
}

#[test]
fn one_thread_stores() {
    let guard = |condition: &str| Edit::Guard { at: at(3), condition: condition.into() };
    let body = ".loc 1 3 1\nst.shared.u32 [%r1], 1;\n@!%p1 st.shared.u32 [%r2], 1;";
    let own = "mov.u32 %fix1, %tid.x;\nsetp.eq.u32 %fix4, %fix1, 0;\n";
    let both = "not.pred %fix5, %p1;\nand.pred %fix5, %fix5, %fix4;\n";
    let text = patched(body, &[guard("threadIdx.x == 0")]).expect("an edit that fits").join("\n");
    let expected = format!("{own}@%fix4 st.shared.u32 [%r1], 1;\n{own}{both}@%fix5 st.shared.u32 [%r2], 1;\nret;");
    assert!(text.ends_with(&expected), "{text}");
    let of_grid = patched(body, &[guard("blockIdx.x * blockDim.x + threadIdx.x == 0")]).expect("it fits").join("\n");
    assert!(of_grid.contains("mad.lo.u32 %fix1, %fix2, %fix3, %fix1;\nsetp.eq.u32 %fix4, %fix1, 0;"), "{of_grid}");
    // For a compiler.
    refused(body, guard("i < n"), 3);
    refused(".loc 1 3 1\nld.shared.u32 %r2, [%r1];\nst.shared.u32 [%r1], 1;", guard("threadIdx.x == 0"), 3);
}

#[test]
fn a_barrier_waits_for_so_many_threads() {
    let edit = || Edit::ChangeCount { at: at(3), threads: 64 };
    fits(".loc 1 3 1\nbar.sync 1, 48;\nbarrier.arrive 2, %r1;", edit(), "bar.sync 1, 64;\nbarrier.arrive 2, 64;");
    assert_eq!(patched(".loc 1 3 1\nbar.sync 0;", &[edit()]), Err(Unfit::NothingThere { line: 3 }));
    let vote = ".loc 1 3 1\nbar.red.popc.u32 %r1, 0, %p1;";
    assert_eq!(patched(vote, &[edit()]), Err(Unfit::NothingThere { line: 3 }));
}
