//! Hints: told on request of a run whose answer is wrong and that has no finding.

use crate::races::pair;
use crate::words::{Acted, Words};
use emulator::finding::{Action, Finding};
use emulator::{Checks, Config, Device, HostMemory, HostOrder, LaunchConfig, Observe, Policy, Profile, Program};
use std::sync::Arc;

/// The findings, and the hints, of `grid` blocks of `block` threads whose kernel does `body`; lines are those of its
/// `.loc`s.
fn run(grid: u32, block: u32, policy: Policy, body: &str) -> (Vec<Finding>, Vec<Finding>) {
    let text = format!(
        ".version 8.3\n.target sm_90\n.address_size 64\n.visible .entry kernel(.param .u64 at)\n{{\n\
         .reg .b64 %a;\n.reg .b32 %r, %s, %o, %t, %b, %x;\n.reg .pred %p, %q;\n.shared .align 4 .u32 tile[64];\n\
         ld.param.u64 %a, [at];\nmov.u32 %t, %tid.x;\nmov.u32 %b, %ctaid.x;\n\
         mov.u32 %s, tile; mad.lo.u32 %s, %t, 4, %s; xor.b32 %o, %s, 252;\n{body}\nret;\n}}\n.file 1 \"kernel.cu\""
    );
    let program = Arc::new(Program::from_ptx(&[&text]).unwrap());
    let mut device = Device::new(Profile::default());
    device.configure(Config { checks: Checks::Full, policy, ..Config::default() });
    device.observe(Observe { hints: true, ..Observe::default() });
    let module = device.load(&program).unwrap();
    let order = HostOrder::default();
    let buffer = device.allocate(4096, HostMemory::Device).unwrap();
    device.fill(buffer, &[0], 4096, &order).unwrap();
    let config =
        LaunchConfig { grid: [grid, 1, 1], block: [block, 1, 1], dynamic_shared: 0, cooperative: false, cluster: None };
    let report = device.launch(&module, 0, &config, &buffer.to_le_bytes(), &order).unwrap();
    (report.findings, device.observed().hints)
}

fn lines(hint: &Finding) -> Vec<u32> {
    let mut lines: Vec<u32> =
        hint.accesses.iter().filter_map(|access| access.location.as_ref()).map(|at| at.line).collect();
    lines.sort_unstable();
    lines
}

const POLICIES: [Policy; 4] =
    [Policy::InOrder, Policy::Reverse, Policy::Random { seed: 1 }, Policy::Adversarial { seed: 1 }];

#[test]
fn volatile_accesses_that_a_barrier_should_order_are_told_with_their_lines() {
    for policy in POLICIES {
        let told = |between: &str| {
            let body = format!(
                ".loc 1 1 1\n st.volatile.shared.u32 [%s], %t;\n {between}\n .loc 1 2 1\n ld.volatile.shared.u32 %r, \
                 [%o];"
            );
            let (findings, hints) = run(1, 64, policy.clone(), &body);
            // A value that is read before it is written is told as well.
            assert!(findings.iter().all(|finding| finding.slug.as_str() == "undefined-value"), "{findings:?}");
            hints
        };
        let [hint] = &told("")[..] else { panic!("one hint") };
        assert_eq!(lines(hint), [1, 2]);
        assert_eq!(hint.cause.key(), "order-left-open");
        assert!(hint.message().starts_with("either order is possible on `tile["), "{}", hint.message());
        assert!(hint.why().contains("wait for no other thread"), "{}", hint.why());
        assert!(hint.fix().starts_with("`__syncthreads()` between lines 1 and 2"), "{}", hint.fix());
        assert_eq!(told("bar.sync 0;"), []);
    }
}

#[test]
fn what_one_line_reads_and_stores_is_told_though_both_are_strong() {
    let counts = |read: &str, store: &str| {
        let body = format!(".loc 1 1 1\n {read}\n add.u32 %r, %r, 1;\n {store}");
        let (findings, hints) = run(2, 32, Policy::Random { seed: 3 }, &body);
        assert_eq!(findings, []);
        hints
    };
    let (load, store) = ("ld.volatile.global.u32 %r, [%a];", "st.volatile.global.u32 [%a], %r;");
    let (look, exchange) = ("atom.global.add.u32 %r, [%a], 0;", "atom.global.exch.b32 %x, [%a], %r;");
    for (read, store) in [(load, store), (look, exchange), (load, exchange)] {
        let told = counts(read, store);
        let is_told = |hint: &Finding| pair(hint).one_line && hint.fix().contains("atomic operation");
        assert!(told.iter().any(|hint| lines(hint) == [1, 1] && is_told(hint)), "{told:#?}");
    }
    // An exchange and an addition that is looked at.
    let told = counts("atom.global.add.u32 %r, [%a], 1;", exchange);
    let is_told = |hint: &Finding| pair(hint).both_update && hint.fix().contains("that combines both values");
    assert!(told.iter().any(is_told), "{told:#?}");
    // The purpose of atomic operations.
    assert_eq!(counts("atom.global.add.u32 %r, [%a], 1;", "add.u32 %r, %r, 1;"), []);
}

/// A thread that waits for a flag looks before it is set, and a lock is tried by all.
#[test]
fn flags_that_are_waited_for_and_locks_are_not_told() {
    let flag = "
        setp.ne.u32 %p, %b, 0; @%p bra reader;
        .loc 1 1 1
        st.volatile.global.u32 [%a], 1;
        ret;
        reader: again:
        .loc 1 2 1
        ld.volatile.global.u32 %r, [%a];
        setp.eq.u32 %p, %r, 0;
        @%p bra again;";
    let lock = "
        take:
        .loc 1 1 1
        atom.acquire.gpu.global.cas.b32 %r, [%a], 0, 1;
        setp.ne.u32 %p, %r, 0;
        @%p bra take;
        .loc 1 2 1
        atom.release.gpu.global.exch.b32 %s, [%a], 0;";
    for policy in POLICIES {
        for body in [flag, lock] {
            assert_eq!(run(2, 1, policy.clone(), body), (vec![], vec![]), "{body}");
        }
    }
}

#[test]
fn a_mask_that_names_fewer_lanes_than_have_not_ended_is_told_with_where_it_came_from() {
    let body = "
        setp.lt.u32 %p, %t, 4;
        @%p bra few;
        bra over;
        few:
        .loc 1 7 1
        activemask.b32 %r;
        st.global.u32 [%a], %r;
        over:";
    let (_, hints) = run(1, 32, Policy::InOrder, body);
    let hint = hints.iter().find(|hint| lines(hint) == [7]).unwrap_or_else(|| panic!("{hints:?}"));
    assert_eq!(hint.cause.key(), "active-mask");
    assert_eq!(hint.accesses[0].action, Action::ActiveMaskGave { mask: 0xf, live: !0 });
    assert_eq!(
        hint.accesses[0].action(),
        "gets 0x0000000f from `__activemask()`: 4 of the 32 lanes that are still running"
    );
    let all = run(1, 32, Policy::InOrder, ".loc 1 7 1\n activemask.b32 %r;").1;
    assert_eq!(all, []);
}

#[test]
fn a_shuffle_that_finds_no_lane_is_told_with_all_lanes_of_its_line() {
    let shuffle = |mode: &str, offset: u32, clamp: u32| {
        format!(".loc 1 4 1\n shfl.sync.{mode}.b32 %r|%p, %t, {offset}, {clamp}, 0xffffffff;\n")
    };
    let told = |body: &str| run(1, 32, Policy::InOrder, body).1;
    let hints = told(&(shuffle("up", 1, 0) + &shuffle("up", 2, 0)));
    let [hint] = &hints[..] else { panic!("{hints:?}") };
    assert_eq!(lines(hint), [4]);
    assert_eq!(hint.accesses[0].action, Action::ShuffleGaveBack { lanes: 0x3 });
    assert_eq!(hint.accesses[0].action(), "lanes 0 and 1 get their own values: the lanes that they read do not exist");
    assert!(hint.fix().contains("in lanes from `offset` on"), "{hint:?}");
    assert!(hint.why().starts_with("`__shfl_up_sync()` reads another lane only where there is one"), "{hint:?}");
    // In groups of eight the last lane of each has nobody to the right.
    let last = Action::ShuffleGaveBack { lanes: 0x8080_8080 };
    assert_eq!(told(&shuffle("down", 1, 0x181f))[0].accesses[0].action, last);
    assert_eq!([shuffle("bfly", 16, 31), shuffle("idx", 0, 31)].map(|body| told(&body)), [[], []]);
}

/// All count by one compare-and-swap each.
#[test]
fn a_compare_and_swap_that_failed_unseen_is_told() {
    let body = ".reg .b32 %u;\n .loc 1 4 1\n ld.volatile.global.u32 %r, [%a];\n add.u32 %x, %r, 1;\n .loc 1 5 1\n \
                atom.global.cas.b32 %u, [%a], %r, %x;\n";
    for policy in POLICIES {
        let (findings, hints) = run(1, 32, policy.clone(), body);
        assert_eq!(findings, []);
        let hint = hints.iter().find(|hint| lines(hint) == [5]).unwrap_or_else(|| panic!("{hints:?}"));
        assert_eq!(hint.cause.key(), "swap-failed-unseen");
        assert_eq!(hint.message(), "a compare-and-swap failed, and the kernel did not check");
        // A thread that looks at the result may try again, and one thread alone does not fail.
        let looks = format!("{body} st.global.u32 [%a+64], %u;");
        let is_told = |hints: &[Finding]| hints.iter().any(|hint| lines(hint) == [5]);
        assert!(!is_told(&run(1, 1, policy.clone(), body).1) && !is_told(&run(1, 32, policy, &looks).1));
    }
}

/// Block by block what its one thread does, each up to its end.
fn blocks(all: &[&str]) -> String {
    let one = |(block, what): (usize, &&str)| {
        format!("setp.ne.u32 %p, %b, {block}; @%p bra next{block};\n{what}\nret;\nnext{block}:\n")
    };
    all.iter().enumerate().map(one).collect()
}

/// Volatile accesses of two places, `x` and `y`, in the shapes that litmus tests give names: `first` stands between the
/// two of the first thread that makes two, `second` between those of the last.
fn shapes(first: &str, second: &str) -> Vec<(&'static str, u32, String)> {
    let store = |at: u32, line: u32| format!(".loc 1 {line} 1\n st.volatile.global.u32 [%a+{at}], 1;\n");
    let load = |at: u32, line: u32| format!(".loc 1 {line} 1\n ld.volatile.global.u32 %r, [%a+{at}];\n");
    let (x, y) = (0, 64);
    let again = "setp.eq.u32 %q, %r, 0;\n @%q bra again;\n";
    let wait = "again:\n".to_string() + &load(y, 3) + again;
    let look = load(y, 3) + "setp.eq.u32 %q, %r, 0;\n @%q ret;\n";
    let keep = "st.global.u32 [%a+128], %r;\n";
    let writer = store(x, 1) + first + &store(y, 2);
    let fenced_before = "fence.acq_rel.gpu;\n".to_string() + &writer;
    let reader = |wait: &str| wait.to_string() + second + &load(x, 4) + keep;
    let array = |fence: &str, of: [u32; 4], line: u32, what: fn(u32, u32) -> String| {
        let element = |nth: u32| what(of[nth as usize], line + nth);
        (0..4).map(|nth| element(nth) + if nth == 1 { fence } else { "" }).collect::<String>()
    };
    let stores = |fence: &str| {
        array(fence, [0, 4, y, 68], 1, |at, line| format!(".loc 1 {line} 1\n st.volatile.global.u32 [%a+{at}], 1;\n"))
    };
    let loads = |fence: &str| {
        array(fence, [68, y, 0, 4], 5, |at, line| format!(".loc 1 {line} 1\n ld.volatile.global.u32 %r, [%a+{at}];\n"))
    };
    let warps = format!(
        "setp.gt.u32 %p, %t, 31; @%p bra reader;\n .loc 1 1 1\n st.volatile.shared.u32 [%s], %t;\n bar.warp.sync \
         0xffffffff;\n \
         setp.ne.u32 %q, %t, 0;\n @%q ret;\n {first} mov.u32 %s, 1;\n .loc 1 2 1\n st.volatile.global.u32 [%a+64], \
         %s;\n ret;\n \
         reader:\n {wait}{second}.loc 1 4 1\n ld.volatile.shared.u32 %r, [%o];\n"
    );
    vec![
        ("message passing, waiting", 2, blocks(&[&writer, &reader(&wait)])),
        ("message passing, looking once", 2, blocks(&[&writer, &reader(&look)])),
        ("message passing, looking at nothing", 2, blocks(&[&writer, &reader(&load(y, 3))])),
        ("message passing behind another fence, waiting", 2, blocks(&[&fenced_before, &reader(&wait)])),
        ("message passing behind another fence, looking once", 2, blocks(&[&fenced_before, &reader(&look)])),
        ("arrays", 2, blocks(&[&stores(first), &loads(second)])),
        ("message passing between warps", 0, warps),
        ("store buffering", 2, blocks(&[&(store(x, 1) + first + &load(y, 2)), &(store(y, 3) + second + &load(x, 4))])),
        ("load buffering", 2, blocks(&[&(load(x, 1) + first + &store(y, 2)), &(load(y, 3) + second + &store(x, 4))])),
        ("2+2W", 2, blocks(&[&(store(x, 1) + first + &store(y, 2)), &(store(y, 3) + second + &store(x, 4))])),
        ("S", 2, blocks(&[&(store(x, 1) + first + &store(y, 2)), &(load(y, 3) + second + &store(x, 4))])),
        (
            "IRIW",
            4,
            blocks(&[
                &store(x, 1),
                &store(y, 2),
                &(load(x, 3) + first + &load(y, 4)),
                &(load(y, 5) + second + &load(x, 6)),
            ]),
        ),
        ("WRC", 3, blocks(&[&store(x, 1), &(load(x, 2) + first + &store(y, 5)), &reader(&wait)])),
    ]
}

#[test]
fn volatile_accesses_with_a_fence_missing_are_told_in_every_shape_and_with_both_fences_none() {
    let fence = "fence.sc.gpu;\n";
    let mut differ = Vec::new();
    for (first, second) in [("", ""), (fence, ""), ("", fence), (fence, fence)] {
        let is_missing = first.is_empty() || second.is_empty();
        for (name, grid, body) in shapes(first, second) {
            // A reader that takes all of an array may look at two elements in either order.
            if name == "arrays" && !is_missing {
                continue;
            }
            let (grid, threads) = if grid == 0 { (1, 64) } else { (grid, 1) };
            let seeds = (0..8).flat_map(|seed| [Policy::Random { seed }, Policy::Adversarial { seed }]);
            for policy in POLICIES.into_iter().chain(seeds) {
                let (findings, hints) = run(grid, threads, policy.clone(), &body);
                let unwritten = |finding: &Finding| finding.slug.as_str() == "undefined-value";
                if !findings.iter().all(unwritten) || hints.is_empty() == is_missing {
                    let told: Vec<_> = hints.iter().map(lines).collect();
                    differ.push(format!("{name}, {first:?}, {second:?}, {policy:?}: {told:?} {}", findings.len()));
                }
            }
        }
    }
    assert!(differ.is_empty(), "{}", differ.join("\n"));
}

/// A value that is only counted up, or shown to whoever looks, needs no order with anything.
#[test]
fn progress_that_others_look_at_is_not_told() {
    let grows = "mov.u32 %r, 0;\nmore: add.u32 %r, %r, 1;\n.loc 1 1 1\n st.volatile.global.u32 [%a], %r;\n\
                 setp.lt.u32 %q, %r, 4;\n @%q bra more;\n";
    let body = blocks(&[grows, ".loc 1 2 1\n ld.volatile.global.u32 %r, [%a];\n st.global.u32 [%a+128], %r;\n"]);
    for policy in POLICIES {
        assert_eq!(run(2, 1, policy, &body), (vec![], vec![]));
    }
}
