//! Remedies of the lessons' broken kernels, applied to the PTX that is stored for them.

use finding::{AtomicAccess, AtomicOperation, BarrierKind, Edit, Position, Scope, SourceLocation};
use repair::{Unfit, patch};

fn text(name: &str) -> String {
    let path = format!("{}/../../cuda/ptx/{name}.ptx", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).expect("stored PTX")
}

fn at(name: &str, line: u32) -> SourceLocation {
    SourceLocation { file: format!("cuda/{name}.cu"), line, column: 5 }
}

/// Returns the lines that only the patched text has, with the line before and the line behind each.
fn changed(name: &str, kernel: &str, remedy: &[Edit]) -> Vec<[String; 3]> {
    let (old, new) = (text(name), patch::patched(&text(name), kernel, remedy).expect("a remedy that fits"));
    let trimmed = |text: &str| -> Vec<String> {
        let lines = text.lines().map(|it| it.split_whitespace().collect::<Vec<_>>().join(" "));
        lines.filter(|it| !it.is_empty() && !it.starts_with(".loc") && !it.starts_with("//")).collect()
    };
    let (old, new) = (trimmed(&old), trimmed(&new));
    let mut rest = old.iter().peekable();
    let mut found = Vec::new();
    for (index, line) in new.iter().enumerate() {
        if rest.next_if(|it| *it == line).is_some() {
            continue;
        }
        // Deleted lines are skipped.
        let ahead = rest.clone().take(3).position(|it| it == line);
        if let Some(ahead) = ahead {
            rest.nth(ahead);
            continue;
        }
        found.push([new[index - 1].clone(), line.clone(), new.get(index + 1).cloned().unwrap_or_default()]);
    }
    found
}

fn block(at: Position) -> Edit {
    Edit::InsertBarrier { barrier: BarrierKind::Block, at }
}

fn fence(at: Position) -> Edit {
    Edit::InsertFence { scope: Scope::Device, at }
}

fn after(name: &str, line: u32) -> Position {
    Position::After { at: at(name, line) }
}

fn before(name: &str, line: u32) -> Position {
    Position::Before { at: at(name, line) }
}

fn update(name: &str, line: u32, operation: Option<AtomicOperation>) -> Edit {
    Edit::MakeAtomic { at: at(name, line), access: AtomicAccess::Update { operation } }
}

fn refused(name: &str, kernel: &str, edit: Edit) -> Unfit {
    patch::patched(&text(name), kernel, &[edit]).expect_err("an edit that does not fit")
}

#[test]
fn a_barrier_between_two_lines() {
    let name = "lesson02/reverse";
    let between = Position::Between { first: at(name, 17), second: at(name, 19) };
    let end_of_first = [["st.shared.u32 [%r6], %r3;", "bar.sync 0;", "not.b32 %r7, %r2;"]];
    let start_of_second = [["add.s32 %r10, %r5, %r9;", "bar.sync 0;", "ld.shared.u32 %r11, [%r10];"]];
    assert_eq!(changed(name, "reverse_broken", &[block(after(name, 17))]), end_of_first);
    assert_eq!(changed(name, "reverse_broken", &[block(before(name, 19))]), start_of_second);
    assert_eq!(changed(name, "reverse_broken", &[block(between)]), start_of_second);
}

#[test]
fn a_barrier_after_each_round_of_an_unrolled_loop() {
    let name = "lesson02/block_sum";
    let found = changed(name, "block_sum_broken", &[block(after(name, 23))]);
    // The end of the `if` of a round, whoever was in it.
    let labels: Vec<String> = (2..=9).map(|it| format!("$L__BB0_{}:", 2 * it)).collect();
    assert_eq!(found.iter().map(|it| it[0].clone()).collect::<Vec<_>>(), labels);
    let found = changed(name, "block_sum_broken", &[block(before(name, 23))]);
    assert_eq!(found.len(), 8);
    assert_eq!(found[0], ["setp.gt.s32 %p2, %r2, 127;", "bar.sync 0;", "@%p2 bra $L__BB0_4;"]);
    // A choice of two values ends where the one chosen is stored.
    assert_eq!(changed(name, "block_sum_broken", &[block(after(name, 19))]).len(), 1);
}

#[test]
fn a_barrier_after_each_copy_in_one_basic_block() {
    let name = "lesson03/lockstep_sum";
    let barrier = BarrierKind::Warp { mask: u32::MAX };
    let found = changed(name, "lockstep_sum_broken", &[Edit::InsertBarrier { barrier, at: after(name, 27) }]);
    let stored = ["%r12", "%r15", "%r18", "%r21", "%r24"].map(|it| format!("st.shared.u32 [%r3], {it};"));
    let expected = stored.map(|it| [it, "bar.warp.sync 0xffffffff;".to_string(), "membar.cta;".to_string()]);
    assert_eq!(found, expected);
}

#[test]
fn fences_on_both_sides_of_a_flag() {
    let name = "lesson02/flag";
    let between = Position::Between { first: at(name, 30), second: at(name, 32) };
    let found = changed(name, "flag_broken", &[fence(between), fence(after(name, 35))]);
    // Only the thread that has waited passes the second one.
    let expected =
        [["@%p4 bra $L__BB0_4;", "membar.gl;", "$L__BB0_5:"], ["bar.sync 0;", "membar.gl;", "@%p1 bra $L__BB0_13;"]];
    assert_eq!(found, expected);
    let found = changed(name, "flag_broken", &[fence(before(name, 35))]);
    assert_eq!(found, [["@%p1 bra $L__BB0_5;", "membar.gl;", "$L__BB0_4:"]]);
}

#[test]
fn after_a_loop_only_those_who_come_from_it_pass() {
    let name = "lesson02/flag";
    let found = changed(name, "flag_broken", &[fence(after(name, 39))]);
    let lines: Vec<&str> = found.iter().map(|it| it[1].as_str()).collect();
    assert_eq!(lines, ["@%p5 bra $fix1;", "bra.uni $fix1;", "$fix1:", "membar.gl;", "bra.uni $L__BB0_13;"]);
}

#[test]
fn an_update_becomes_one_atomic_operation() {
    let of = |name: &str, line| {
        let kernel = format!("{}_broken", name.split('/').next_back().expect("a name"));
        let found = changed(name, &kernel, &[update(name, line, None)]);
        assert_eq!(found.len(), 1, "{found:?}");
        found[0].join(" ")
    };
    let counter = "atom.global.add.u32 %r1, [%rd2], 1; add.s32 %r2, %r1, 1;";
    assert_eq!(of("lesson04/counter", 14), format!("cvta.to.global.u64 %rd2, %rd1; {counter}"));
    let histogram = "atom.shared.add.u32 %r22, [%r21], 1; add.s32 %r23, %r22, 1;";
    assert_eq!(of("lesson04/histogram", 23), format!("add.s32 %r21, %r20, %r19; {histogram}"));
    // Both loops have the load of the sum before them.
    let sum = "atom.global.add.u32 %r14, [%rd1], %r13; add.s32 %r14, %r14, %r13;";
    assert_eq!(of("lesson04/vector_sum", 23), format!("ld.global.u32 %r13, [%rd6]; {sum}"));
    let max = "atom.global.max.s32 %r16, [%rd1], %r7; setp.le.s32 %p2, %r7, %r16;";
    assert_eq!(of("lesson04/array_max", 24), format!("ld.global.u32 %r7, [%rd6]; {max}"));
    let name = "lesson04/array_max";
    let patched =
        patch::patched(&text(name), "array_max_broken", &[update(name, 24, None)]).expect("a remedy that fits");
    let kernel = patched.split(".entry").nth(1).expect("the first kernel");
    assert_eq!((kernel.matches("ld.global").count(), kernel.matches("st.global").count()), (1, 0));
    let other = update(name, 24, Some(AtomicOperation::Add));
    assert_eq!(refused(name, "array_max_broken", other), Unfit::OtherThing { line: 24 });
}

#[test]
fn scopes_masks_and_widths() {
    let name = "lesson02/flag_scope";
    let widen = |line, to| Edit::WidenScope { at: at(name, line), to };
    let both = changed(name, "flag_scope_broken", &[widen(26, Scope::Device), widen(32, Scope::Device)]);
    assert_eq!(both.iter().map(|it| it[1].as_str()).collect::<Vec<_>>(), ["membar.gl;"; 2]);
    let exchange = changed(name, "flag_scope_atomic", &[widen(48, Scope::Device)]);
    assert_eq!(exchange[0][1], "atom.global.gpu.exch.b32 %r15, [%rd2], 1;");
    assert_eq!(refused(name, "flag_scope_correct", widen(67, Scope::Device)), Unfit::NothingThere { line: 67 });

    let name = "lesson03/vote";
    let mask = Edit::ChangeMask { at: at(name, 24), mask: u32::MAX };
    assert_eq!(changed(name, "vote_broken", &[mask])[0][1], "vote.sync.any.pred %p2, %p1, 0xffffffff;");

    let name = "lesson03/activemask_sum";
    let mask = Edit::ChangeMask { at: at(name, 38), mask: u32::MAX };
    let width = Edit::ChangeWidth { at: at(name, 38), width: 16 };
    let found = changed(name, "activemask_sum_broken", &[mask, width]);
    assert_eq!(found.len(), 5);
    assert_eq!(found[0][1], "shfl.sync.down.b32 %r19|%p5, %r35, %r18, 4127, 0xffffffff;");
}

#[test]
fn an_index_is_bounded_where_the_ptx_still_has_it() {
    let name = "lesson05/mandelbrot";
    let edit = Edit::BoundIndex { at: at(name, 19), below: Some(2) };
    let found = changed(name, "mandelbrot_broken", &[edit]);
    let lines: Vec<&str> = found.iter().map(|it| it[1].as_str()).skip(2).collect();
    let expected = [
        "ld.param.u32 %fix1, [mandelbrot_broken_param_2];",
        "setp.lt.s32 %fix2, %r16, %fix1;",
        "@%fix2 st.global.u32 [%rd4], %r18;",
    ];
    assert_eq!(lines, expected);
    // The compiler counts addresses in this loop, no index.
    let name = "lesson01/copy";
    let edit = Edit::BoundIndex { at: at(name, 18), below: Some(2) };
    assert_eq!(refused(name, "copy_broken", edit), Unfit::OtherThing { line: 18 });
}

#[test]
fn the_flag_itself_becomes_atomic() {
    let name = "lesson02/flag";
    let load = Edit::MakeAtomic { at: at(name, 35), access: AtomicAccess::Load };
    let store = Edit::MakeAtomic { at: at(name, 32), access: AtomicAccess::Store };
    let found = changed(name, "flag_broken", &[load, store]);
    let lines: Vec<&str> = found.iter().map(|it| it[1].as_str()).collect();
    assert_eq!(lines, ["ld.relaxed.gpu.global.u32 %r11, [%rd2];", "st.relaxed.gpu.global.u32 [%rd2], %r15;"]);
}

#[test]
fn a_tree_of_shuffles_moves_before_its_branch() {
    let name = "explain/absent_lane";
    let edit = Edit::Hoist { at: at(name, 9), above: at(name, 8) };
    let patched = patch::patched(&text(name), "wrong", &[edit]).expect("a remedy that fits");
    let (before, after) = patched.split_once("bra \t$L__BB0_2").unwrap_or_else(|| panic!("{patched}"));
    assert_eq!(before.matches("shfl.sync").count(), 5);
    assert!(after.contains("add.s32 \t%r21, %r20, %r18;"), "{after}");
}

#[test]
fn lines_at_which_a_kernel_does_something() {
    let module = ptx::parse(&text("lesson02/reverse")).expect("stored PTX");
    assert_eq!(patch::lines(&module, "reverse_broken", "lesson02/reverse.cu"), [17, 19, 20]);
    let module = ptx::parse(&text("lesson02/flag")).expect("stored PTX");
    assert_eq!(patch::lines(&module, "flag_broken", "cuda/lesson02/flag.cuh"), [10, 11, 12]);
}

#[test]
fn other_kernels_and_other_files_stay_as_they_are() {
    let name = "lesson02/reverse";
    let edit = block(after(name, 26));
    assert_eq!(refused(name, "reverse_broken", edit), Unfit::NothingThere { line: 26 });
    let edit = block(after("lesson02/elsewhere", 17));
    let file = "cuda/lesson02/elsewhere.cu".to_string();
    assert_eq!(refused(name, "reverse_broken", edit), Unfit::OtherFile { file });
    // A line of a function that several kernels have inlined.
    let at = SourceLocation { file: "flag.cuh".into(), line: 12, column: 5 };
    let found = changed("lesson02/flag", "flag_correct", &[block(Position::Before { at })]);
    assert_eq!(found.len(), 1);
}

/// Every edit at every line fits or is refused, and what fits is PTX that can be read.
#[test]
fn no_edit_makes_text_that_is_no_ptx() {
    let folder = format!("{}/../../cuda/ptx/lesson02", env!("CARGO_MANIFEST_DIR"));
    let mut fitting = 0;
    for entry in std::fs::read_dir(folder).expect("stored PTX") {
        let text = std::fs::read_to_string(entry.expect("a file").path()).expect("stored PTX");
        let module = ptx::parse(&text).expect("stored PTX");
        let own = |file: &&(u32, String)| !file.1.contains("/include/");
        for (kernel, (_, file)) in
            module.functions.iter().flat_map(|it| module.files.iter().filter(own).map(move |file| (it, file)))
        {
            for line in patch::lines(&module, &kernel.name, file) {
                let at = || SourceLocation { file: file.clone(), line, column: 5 };
                let atomic = |access| Edit::MakeAtomic { at: at(), access };
                let edits = [
                    block(Position::Before { at: at() }),
                    fence(Position::After { at: at() }),
                    atomic(AtomicAccess::Load),
                    atomic(AtomicAccess::Store),
                    atomic(AtomicAccess::Update { operation: None }),
                    Edit::RemoveBarrier { at: at() },
                    Edit::WidenScope { at: at(), to: Scope::System },
                    Edit::BoundIndex { at: at(), below: Some(kernel.params.len() - 1) },
                ];
                for edit in edits {
                    match patch::patched(&text, &kernel.name, std::slice::from_ref(&edit)) {
                        Ok(_) => fitting += 1,
                        Err(why) => {
                            let is_known = matches!(why, Unfit::NothingThere { .. } | Unfit::OtherThing { .. });
                            assert!(is_known, "{edit:?} in {}: {why}", kernel.name);
                        }
                    }
                }
            }
        }
    }
    assert!(fitting > 400, "{fitting}");
}
