//! Edits that findings bring: each is exact, and none is there where only another launch or algorithm helps.

use crate::kernel::{lines, report};
use emulator::Policy;
use emulator::finding::{AtomicAccess, BarrierKind, Edit, Finding, Position, Remedy, Scope, SourceLocation};

/// The remedies of the finding between two lines.
fn remedies(grid: u32, block: u32, both: [u32; 2], body: &str) -> Vec<Remedy> {
    let found = report(grid, block, Policy::InOrder, body).findings;
    let is_it = |finding: &&Finding| lines(finding) == both || lines(finding) == [both[1], both[0]];
    found.iter().find(is_it).unwrap_or_else(|| panic!("none between {both:?}: {found:#?}")).remedies.clone()
}

fn at(line: u32) -> SourceLocation {
    SourceLocation { file: "kernel.cu".into(), line, column: 1 }
}

fn barrier(barrier: BarrierKind, at: Position) -> Vec<Remedy> {
    vec![vec![Edit::InsertBarrier { barrier, at }]]
}

fn fence(at: Position) -> Edit {
    Edit::InsertFence { scope: Scope::Device, at }
}

/// Each thread stores its own word in line 1 and loads another's in line 2.
fn exchange(apart: u32) -> String {
    format!(
        "mov.u32 %s, tile; mad.lo.u32 %s, %t, 4, %s; xor.b32 %o, %s, {};\n .loc 1 1 1\n st.shared.u32 [%s], %t;\n \
         .loc 1 2 1\n \
         ld.shared.u32 %r, [%o];",
        4 * apart
    )
}

#[test]
fn a_barrier_goes_between_two_lines_of_one_block() {
    let between = || Position::Between { first: at(1), second: at(2) };
    assert_eq!(remedies(1, 64, [1, 2], &exchange(32)), barrier(BarrierKind::Block, between()));
    assert_eq!(remedies(1, 32, [1, 2], &exchange(1)), barrier(BarrierKind::Warp { mask: !0 }, between()));
}

#[test]
fn between_blocks_there_is_none() {
    let body =
        "setp.eq.u32 %p, %b, 0;\n .loc 1 1 1\n @%p st.global.u32 [%a], 7;\n .loc 1 3 1\n @!%p ld.global.u32 %r, [%a];";
    assert_eq!(remedies(2, 1, [1, 3], body), Vec::<Remedy>::new());
}

#[test]
fn of_a_round_the_barrier_goes_behind_its_last_line() {
    let body = "mov.u32 %i, 0; mov.u32 %s, tile; mad.lo.u32 %s, %t, 4, %s; xor.b32 %o, %s, 252;\n again:\n .loc 1 18 \
        1\n \
                st.shared.u32 [%s], %i;\n .loc 1 19 1\n bar.sync 0;\n .loc 1 20 1\n ld.shared.u32 %r, [%o];\n add.u32 \
                %i, %i, 1;\n \
                setp.lt.u32 %p, %i, 4;\n @%p bra again;";
    assert_eq!(remedies(1, 64, [18, 20], body), barrier(BarrierKind::Block, Position::After { at: at(20) }));
}

/// Block 0 stores in line 1 and sets a flag in line 2; block 1 looks at it in line 3 and loads in line 4.
#[test]
fn a_flag_gets_the_fences_that_it_lacks() {
    let body = |release: &str, acquire: &str| {
        format!(
            "setp.ne.u32 %p, %b, 0;\n @%p bra reads;\n .loc 1 1 1\n st.global.u32 [%a], 7;\n {release}\n .loc 1 2 1\n \
             atom.global.exch.b32 %r, [%a+4], 1;\n bra done;\n reads:\n .loc 1 3 1\n atom.global.add.u32 %r, [%a+4], \
             0;\n {acquire}\n \
             setp.eq.u32 %p, %r, 0;\n @%p bra reads;\n .loc 1 4 1\n ld.global.u32 %s, [%a];\n done:"
        )
    };
    let (before, behind) =
        (fence(Position::Between { first: at(1), second: at(2) }), fence(Position::After { at: at(3) }));
    assert_eq!(remedies(2, 1, [1, 4], &body("", "")), [[before.clone(), behind.clone()]]);
    assert_eq!(remedies(2, 1, [1, 4], &body("", "fence.acq_rel.gpu;")), [[before]]);
    assert_eq!(remedies(2, 1, [1, 4], &body("fence.acq_rel.gpu;", "")), [[behind]]);
}

#[test]
fn a_narrow_scope_is_widened() {
    let body = "setp.eq.u32 %p, %b, 0;\n .loc 1 1 1\n @%p atom.cta.global.exch.b32 %r, [%a], 1;\n .loc 1 2 1\n \
                @!%p atom.cta.global.add.u32 %r, [%a], 0;";
    let widen = |line| Edit::WidenScope { at: at(line), to: Scope::Device };
    let [remedy] = &remedies(2, 1, [1, 2], body)[..] else { panic!("one remedy") };
    assert!(remedy.contains(&widen(1)) && remedy.contains(&widen(2)) && remedy.len() == 2, "{remedy:?}");
}

#[test]
fn an_update_in_one_line_becomes_atomic() {
    let body = ".loc 1 1 1\n ld.global.u32 %r, [%a];\n add.u32 %r, %r, 1;\n st.global.u32 [%a], %r;";
    let update = Edit::MakeAtomic { at: at(1), access: AtomicAccess::Update { operation: None } };
    assert_eq!(remedies(2, 1, [1, 1], body), [[update]]);
    // Beside an atomic operation the plain side does, where their order does not matter.
    let body = "setp.eq.u32 %p, %b, 0;\n .loc 1 1 1\n @%p atom.global.add.u32 %r, [%a], 1;\n .loc 1 2 1\n @!%p \
        ld.global.u32 %s, [%a];";
    let load = Edit::MakeAtomic { at: at(2), access: AtomicAccess::Load };
    assert_eq!(remedies(2, 1, [1, 2], body), [[load]]);
}

#[test]
fn an_address_out_of_bounds_gets_a_bound() {
    let found = report(1, 1, Policy::InOrder, ".loc 1 5 1\n st.global.u32 [%a+4096], 1;").findings;
    assert_eq!(found[0].remedies, [[Edit::BoundIndex { at: at(5), below: None }]]);
}

#[test]
fn a_loop_that_ends_by_a_count_waits_for_nothing() {
    let body = |until: &str| {
        format!(
            "mov.u32 %s, tile; mov.u32 %i, 0; setp.eq.u32 %p, %t, 32;\n .loc 1 1 1\n @%p st.shared.u32 [%s], 7;\n \
             again:\n .loc 1 2 1\n \
             ld.shared.u32 %r, [%s];\n add.u32 %i, %i, 1;\n setp.lt.u32 %p, {until};\n @%p bra again;"
        )
    };
    let cause = |until: &str| {
        let found = report(1, 64, Policy::Reverse, &body(until)).findings;
        let race = found.iter().find(|finding| lines(finding) == [1, 2] || lines(finding) == [2, 1]);
        race.unwrap_or_else(|| panic!("no race: {found:#?}")).cause.key()
    };
    assert_eq!(cause("%i, 4"), "no-barrier");
    assert_eq!(cause("%r, 7"), "plain-flag");
}
