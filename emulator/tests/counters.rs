//! Counts of launches, against values worked out by hand.

use emulator::counters::{Counter, LaunchCounts, LineName, Ratio};
use emulator::finding::Slug;
use emulator::{Checks, Config, Device, HostMemory, HostOrder, LaunchConfig, LaunchReport, Policy, Profile, Program};
use std::sync::Arc;

/// A kernel `k(data, n)` with these instructions; `%rd1` is data, `%r1` n, `%r2` the thread in its block, `%r3` in the
/// grid.
fn kernel(body: &str) -> String {
    format!(
        ".version 8.3\n.target sm_90\n.address_size 64\n\
         .visible .entry k(.param .u64 data, .param .u32 n) {{\n\
         .reg .b64 %rd<20>; .reg .b32 %r<20>; .reg .pred %p<8>;\n\
         .shared .align 16 .b8 tile[16384];\n\
         ld.param.u64 %rd1, [data]; ld.param.u32 %r1, [n]; mov.u32 %r2, %tid.x;\n\
         mov.u32 %r4, %ctaid.x; mov.u32 %r5, %ntid.x; mad.lo.s32 %r3, %r4, %r5, %r2;\n\
         {body}\nret;\n}}\n"
    )
}

/// One launch in order; `data` is 64 KiB, given as `data + skip` bytes.
fn launch(
    ptx: &str,
    blocks: u32,
    threads: u32,
    skip: u64,
    n: u32,
    checks: Checks,
    policy: Policy,
) -> Option<LaunchCounts> {
    launch_with(
        ptx,
        "k",
        [blocks, threads],
        |data| [&(data + skip).to_le_bytes()[..], &n.to_le_bytes()].concat(),
        checks,
        policy,
    )
}

fn launch_with(
    ptx: &str,
    kernel: &str,
    [blocks, threads]: [u32; 2],
    parameters: impl Fn(u64) -> Vec<u8>,
    checks: Checks,
    policy: Policy,
) -> Option<LaunchCounts> {
    let report = report(ptx, kernel, [blocks, threads], parameters, checks, policy);
    assert_eq!((report.fault, report.findings.len()), (None, 0));
    report.counters.counted.map(|counted| *counted)
}

fn report(
    ptx: &str,
    kernel: &str,
    [blocks, threads]: [u32; 2],
    parameters: impl Fn(u64) -> Vec<u8>,
    checks: Checks,
    policy: Policy,
) -> LaunchReport {
    let mut device = Device::new(Profile::default());
    device.configure(Config { checks, policy, ..Config::default() });
    let program = Arc::new(Program::from_ptx(&[ptx]).unwrap_or_else(|error| panic!("{error:?}")));
    let module = device.load(&program).unwrap();
    let data = device.allocate(65536, HostMemory::Device).unwrap();
    device.fill(data, &[0], 65536, &HostOrder::default()).unwrap();
    let kernel = program.kernels().iter().position(|known| known.name == kernel).expect("it is there");
    let shape = LaunchConfig {
        grid: [blocks, 1, 1],
        block: [threads, 1, 1],
        dynamic_shared: 0,
        cooperative: false,
        cluster: None,
    };
    device.launch(&module, kernel, &shape, &parameters(data), &HostOrder::default()).unwrap()
}

fn count(body: &str, blocks: u32, threads: u32, skip: u64, n: u32) -> LaunchCounts {
    launch(&kernel(body), blocks, threads, skip, n, Checks::Counters, Policy::InOrder).expect("counters are on")
}

/// `%rd2`: data + thread x n x 4.
const STRIDED: &str = "mul.lo.u32 %r6, %r3, %r1; mul.wide.u32 %rd2, %r6, 4; add.u64 %rd2, %rd1, %rd2;";

#[test]
fn strides_and_offsets_take_their_sectors() {
    let body = format!("{STRIDED} ld.global.u32 %r7, [%rd2]; st.global.u32 [%rd2], %r7;");
    for stride in 0..=32u64 {
        let counted = count(&body, 2, 64, 0, stride as u32);
        // A warp: 4 x 32 x stride bytes in sectors of 32, but no more than a sector a lane.
        let sectors = 4 * (4 * stride).clamp(1, 32);
        assert_eq!((counted[Counter::GlobalLoads], counted[Counter::GlobalLoadRequests]), (4, 4));
        assert_eq!(counted[Counter::GlobalLoadSectors], sectors, "stride {stride}");
        assert_eq!((counted[Counter::GlobalStoreRequests], counted[Counter::GlobalStoreSectors]), (4, sectors));
        assert_eq!((counted[Counter::GlobalLoadBytes], counted[Counter::GlobalStoreBytes]), (512, 512));
    }
    for offset in 0..32 {
        let counted = count(&body, 1, 32, 4 * offset, 1);
        let sectors = if offset % 8 == 0 { 4 } else { 5 };
        assert_eq!(counted[Counter::GlobalLoadSectors], sectors, "offset {offset}");
        assert_eq!(Ratio::LoadSectorsPerRequest.of(&counted.totals), Some(sectors as f64));
    }
}

#[test]
fn rows_that_are_no_multiple_of_a_sector_take_one_more() {
    // Rows of 33 ints: a warp reads the first 32 of its row. Row r begins 4 r bytes into a sector, r modulo 8.
    let body = "shr.u32 %r6, %r3, 5; and.b32 %r7, %r3, 31; mad.lo.u32 %r8, %r6, 33, %r7;
        mul.wide.u32 %rd2, %r8, 4; add.u64 %rd2, %rd1, %rd2; ld.global.u32 %r9, [%rd2];";
    let counted = count(body, 1, 512, 0, 0);
    // Rows 0 and 8 of 16 are aligned.
    assert_eq!((counted[Counter::GlobalLoadRequests], counted[Counter::GlobalLoadSectors]), (16, 2 * 4 + 14 * 5));
}

#[test]
fn vectors_move_more_in_one_request() {
    for (elements, load, sectors) in [
        (1, "ld.global.u32 %r7", 4),
        (2, "ld.global.v2.u32 {%r7,%r8}", 8),
        (4, "ld.global.v4.u32 {%r7,%r8,%r9,%r10}", 16),
    ] {
        let counted = count(&format!("{STRIDED} {load}, [%rd2];"), 1, 32, 0, elements);
        assert_eq!((counted[Counter::GlobalLoadRequests], counted[Counter::GlobalLoadSectors]), (1, sectors));
        assert_eq!(counted[Counter::GlobalLoadBytes], 128 * u64::from(elements));
        assert_eq!(Ratio::LoadBytesPerSector.of(&counted.totals), Some(32.0));
    }
}

#[test]
fn part_of_a_warp_counts_as_what_it_is() {
    let body = format!("{STRIDED} ld.global.u32 %r7, [%rd2];");
    let counted = count(&body, 1, 40, 0, 1);
    // 32 lanes, then 8.
    assert_eq!((counted[Counter::Warps], counted[Counter::Threads]), (2, 40));
    assert_eq!((counted[Counter::GlobalLoadRequests], counted[Counter::GlobalLoadSectors]), (2, 5));
    assert_eq!(counted[Counter::Instructions], 2 * 11);
    assert_eq!(counted[Counter::ThreadInstructions], 40 * 11);
    assert_eq!(Ratio::ThreadsPerInstruction.of(&counted.totals), Some(20.0));
}

#[test]
fn a_guard_holds_threads_back_and_its_instruction_still_counts() {
    let body = format!(
        "{STRIDED} setp.lt.u32 %p1, %r2, 8; @%p1 ld.global.u32 %r7, [%rd2]; setp.gt.u32 %p2, %r2, 99;
         @%p2 ld.global.u32 %r7, [%rd2];"
    );
    let counted = count(&body, 1, 32, 0, 1);
    assert_eq!((counted[Counter::GlobalLoads], counted[Counter::GlobalLoadRequests]), (2, 1));
    assert_eq!(counted[Counter::GlobalLoadSectors], 1);
    let off = counted[Counter::ThreadInstructions] - counted[Counter::ThreadInstructionsOn];
    assert_eq!(off, 24 + 32);
    assert_eq!(counted[Counter::Memory], 8);
}

#[test]
fn classes_are_told_apart() {
    let body = "add.s32 %r6, %r2, 1; cvt.rn.f32.s32 %r7, %r6; add.f32 %r8, %r7, %r7; cvt.f64.f32 %rd3, %r8;
        add.f64 %rd3, %rd3, %rd3; shfl.sync.idx.b32 %r9, %r6, 0, 31, -1; bar.sync 0; membar.gl;";
    let body = body.replace("%rd3", "%fd3");
    let counted = count(&format!(".reg .f64 %fd<5>; {body}"), 1, 32, 0, 0);
    for (counter, instructions) in [
        (Counter::Constant, 2),
        (Counter::Misc, 3),
        (Counter::Integer, 2), // mad and add
        (Counter::Conversion, 2),
        (Counter::Fp32, 1),
        (Counter::Fp64, 1),
        (Counter::InterThread, 1),
        (Counter::Synchronisation, 2),
        (Counter::Control, 1),
        (Counter::Memory, 0),
    ] {
        assert_eq!(counted[counter], 32 * instructions, "{counter:?}");
    }
    assert_eq!(counted[Counter::Fences], 1);
}

#[test]
fn shared_memory_conflicts_follow_the_stride() {
    // Each lane loads and stores the word `n` x its number.
    let body = "mul.lo.u32 %r6, %r2, %r1; shl.b32 %r6, %r6, 2; mov.u32 %r7, tile; add.u32 %r6, %r6, %r7;
        ld.shared.u32 %r8, [%r6]; st.shared.u32 [%r6], %r8;";
    for stride in 0..=64u32 {
        // Words that share a factor with 32 meet in a bank; a stride of 0 is one word for all.
        let ways = if stride == 0 { 1 } else { 1 << stride.trailing_zeros().min(5) };
        let counted = count(body, 1, 32, 0, stride);
        assert_eq!((counted[Counter::SharedLoadWavefronts], counted[Counter::SharedLoadConflicts]), (ways, ways - 1));
        assert_eq!((counted[Counter::SharedStoreWavefronts], counted[Counter::SharedStoreConflicts]), (ways, ways - 1));
        assert_eq!(Ratio::SharedLoadWays.of(&counted.totals), Some(ways as f64));
    }
}

#[test]
fn wide_shared_accesses_take_two_or_four_passes_without_a_conflict() {
    for (bytes, load, passes) in [(8, "ld.shared.v2.u32 {%r8,%r9}", 2), (16, "ld.shared.v4.u32 {%r8,%r9,%r10,%r11}", 4)]
    {
        let body = format!(
            "mov.u32 %r7, tile; mad.lo.u32 %r6, %r2, {bytes}, %r7; {load}, [%r6]; st.shared.v2.u32 [%r6], {{%r8,%r9}};"
        );
        let counted = count(&body, 1, 32, 0, 0);
        assert_eq!((counted[Counter::SharedLoadWavefronts], counted[Counter::SharedLoadConflicts]), (passes, 0));
        // Two words at a distance of `bytes`: none meet at 8, two do at 16.
        assert_eq!(counted[Counter::SharedStoreConflicts], bytes / 8 * 2 - 2);
    }
}

#[test]
fn atomics_on_one_address_meet_and_on_their_own_do_not() {
    let one = "red.global.add.u32 [%rd1], 1;";
    let counted = count(one, 2, 64, 0, 0);
    assert_eq!((counted[Counter::GlobalReductions], counted[Counter::GlobalReductionRequests]), (4, 4));
    assert_eq!((counted[Counter::GlobalReductionSectors], counted[Counter::GlobalAtomics]), (4, 0));
    assert_eq!((counted[Counter::AtomicOperations], counted[Counter::AtomicConflicts]), (128, 4 * 31));
    assert_eq!((counted[Counter::AtomicRounds], counted.atomic_addresses, counted.busiest_address), (128, 1, 128));

    let own = format!("{STRIDED} atom.global.add.u32 %r7, [%rd2], 1; st.global.u32 [%rd2+4], %r7;");
    let counted = count(&own, 2, 64, 0, 2);
    assert_eq!((counted[Counter::GlobalAtomics], counted[Counter::GlobalReductions]), (4, 0));
    assert_eq!((counted[Counter::AtomicOperations], counted[Counter::AtomicConflicts]), (128, 0));
    assert_eq!((counted[Counter::AtomicRounds], counted.atomic_addresses, counted.busiest_address), (4, 128, 1));
}

#[test]
fn an_old_value_that_nobody_uses_makes_it_a_reduction() {
    let counted = count("atom.global.add.u32 %r7, [%rd1], 1;", 1, 32, 0, 0);
    assert_eq!((counted[Counter::GlobalAtomics], counted[Counter::GlobalReductions]), (0, 1));
}

#[test]
fn a_blocks_own_counter_is_an_address_for_each_block() {
    let body = "mov.u32 %r7, tile; atom.shared.add.u32 %r8, [%r7], 1; st.global.u32 [%rd1], %r8;";
    let counted = count(body, 3, 32, 0, 0);
    assert_eq!((counted[Counter::SharedAtomics], counted[Counter::AtomicOperations]), (3, 96));
    assert_eq!((counted.atomic_addresses, counted.busiest_address), (3, 32));
}

#[test]
fn generic_addresses_count_where_they_lead() {
    let body = "mov.u64 %rd3, tile; cvta.shared.u64 %rd3, %rd3; setp.lt.u32 %p1, %r2, 4;
        selp.b64 %rd4, %rd1, %rd3, %p1; ld.u32 %r9, [%rd4];";
    let counted = count(body, 1, 32, 0, 0);
    assert_eq!((counted[Counter::GlobalLoads], counted[Counter::GlobalLoadBytes]), (1, 16));
    assert_eq!((counted[Counter::SharedLoads], counted[Counter::SharedLoadWavefronts]), (1, 1));
}

#[test]
fn a_branch_that_splits_a_warp_is_told_from_one_that_does_not() {
    let body =
        "setp.lt.u32 %p1, %r3, %r1; @%p1 bra less; add.s32 %r7, %r2, 1; bra.uni end; less: add.s32 %r7, %r2, 2; end:";
    // Two warps; 40 threads go one way: the first warp all, the second 8 of 32.
    let counted = count(body, 1, 64, 0, 40);
    assert_eq!((counted[Counter::Branches], counted[Counter::DivergentBranches]), (3, 1));
    assert_eq!((count(body, 1, 64, 0, 32))[Counter::DivergentBranches], 0);
    // The second warp's two adds count apart, and end together.
    assert_eq!(counted[Counter::Instructions], 2 * 8 + 1 + 3 + 2);
}

#[test]
fn rounds_of_a_loop_are_branches_back() {
    let body = "mov.u32 %r6, 0; top: add.u32 %r6, %r6, 1; setp.lt.u32 %p1, %r6, %r1; @%p1 bra top;";
    let counted = count(body, 1, 64, 0, 10);
    // Two warps, ten rounds; the last branch does not go back, and ends a round all the same.
    assert_eq!((counted[Counter::LoopIterations], counted[Counter::Branches]), (20, 20));
    assert_eq!(counted[Counter::DivergentBranches], 0);
}

#[test]
fn barriers_and_who_waits_at_them() {
    let counted = count("bar.sync 0; bar.sync 0;", 2, 96, 0, 0);
    // Three warps, two blocks, two barriers: of three arrivals one finds the others there.
    assert_eq!(counted[Counter::Barriers], 4);
    assert_eq!((counted[Counter::BarrierArrivals], counted[Counter::BarrierWaits]), (12, 8));
    // One warp comes, the other has returned or will.
    let counted = count("setp.gt.u32 %p1, %r2, 31; @%p1 ret; bar.sync 0;", 1, 64, 0, 0);
    assert_eq!((counted[Counter::Barriers], counted[Counter::BarrierArrivals]), (1, 1));
    // The whole warp at once; then half a warp waits for the other half.
    let counted = count("bar.warp.sync -1;", 1, 32, 0, 0);
    assert_eq!((counted[Counter::WarpMeetings], counted[Counter::WarpWaits]), (1, 0));
    let body = "setp.lt.u32 %p1, %r2, 16; @%p1 bra low; bar.warp.sync -1; bra.uni end; low: bar.warp.sync -1; end:";
    let counted = count(body, 1, 32, 0, 0);
    assert_eq!((counted[Counter::WarpMeetings], counted[Counter::WarpWaits]), (1, 1));
}

#[test]
fn a_line_gets_what_its_instructions_did() {
    let ptx =
        kernel(".loc 1 7 3\nadd.u32 %r6, %r2, 1;\nld.global.u32 %r7, [%rd1];\n.loc 1 9 1\nst.global.u32 [%rd1], %r7;");
    let ptx = format!("{ptx}.file 1 \"/somewhere/a.cu\"\n");
    let counted = launch(&ptx, 1, 32, 0, 0, Checks::Counters, Policy::InOrder).unwrap();
    let line = |line| &counted.lines[&LineName { file: "/somewhere/a.cu".to_string(), line }];
    assert_eq!((line(7)[Counter::Instructions], line(7)[Counter::GlobalLoads]), (2, 1));
    assert_eq!((line(9)[Counter::GlobalStores], line(9)[Counter::GlobalLoads]), (1, 0));
    assert_eq!(counted.on_lines("a.cu", |line| line < 9)[Counter::GlobalLoadRequests], 1);
}

/// One thread of the parent's second block launches one block of one thread.
#[test]
fn what_a_kernel_launches_is_counted_with_it() {
    let ptx = include_str!("pass/tail_launch_of_another_block.ptx");
    let parameters = |data: u64| [data.to_le_bytes(), (data + 256).to_le_bytes()].concat();
    let counted = launch_with(ptx, "parent", [2, 1], parameters, Checks::Counters, Policy::InOrder).unwrap();
    assert_eq!((counted[Counter::HostLaunches], counted[Counter::DeviceLaunches]), (1, 1));
    assert_eq!((counted[Counter::Blocks], counted[Counter::Threads]), (3, 3));
    // The child loads one word and stores one; the first block stores one, the second two arguments.
    assert_eq!((counted[Counter::GlobalLoads], counted[Counter::GlobalStores]), (1, 1 + 1 + 2));
    // Arguments of calls are registers to a GPU.
    assert_eq!((counted[Counter::LocalLoadRequests], counted[Counter::LocalStoreRequests]), (0, 0));
    // kernel.cu, line 7: the launch.
    assert_eq!(counted.on_lines("kernel.cu", |line| line == 7)[Counter::DeviceLaunches], 1);
}

/// Nothing else is checked where a launch is counted; a child that is not there would be missing from the counts
/// unsaid.
#[test]
fn a_launch_that_fails_and_goes_unread_is_told_and_not_counted() {
    let ptx = include_str!("fail/device-launch/failed_launch_unread.ptx");
    let run = |threads: u32| {
        let ptx = ptx.replace(", 2000;", &format!(", {threads};"));
        report(&ptx, "parent", [1, 1], |data| data.to_le_bytes().to_vec(), Checks::Counters, Policy::InOrder)
    };
    for (threads, slugs, launches) in [(2000, vec![Slug::DeviceLaunch], 0), (1, vec![], 1)] {
        let report = run(threads);
        let told: Vec<Slug> = report.findings.iter().map(|finding| finding.slug).collect();
        assert_eq!((report.fault, told), (None, slugs), "{threads}");
        let counted = report.counters.counted.expect("counters are on");
        assert_eq!((counted[Counter::HostLaunches], counted[Counter::DeviceLaunches]), (1, launches), "{threads}");
    }
}

#[test]
fn counting_changes_no_count_and_takes_no_luck() {
    let body = format!(
        "{STRIDED} setp.lt.u32 %p1, %r2, 20; @%p1 atom.global.add.u32 %r7, [%rd1], 1; bar.sync 0;
         ld.global.u32 %r8, [%rd2]; shfl.sync.bfly.b32 %r9, %r8, 1, 31, -1;"
    );
    let ptx = kernel(&body);
    let again = || launch(&ptx, 4, 96, 0, 3, Checks::Counters, Policy::InOrder).unwrap();
    assert_eq!(again(), again());
    // The program's requests are the same whatever the order; how often a warp runs apart is not.
    let random = launch(&ptx, 4, 96, 0, 3, Checks::Counters, Policy::Random { seed: 3 }).unwrap();
    assert_eq!(random[Counter::AtomicOperations], again()[Counter::AtomicOperations]);
    assert_eq!(random[Counter::Barriers], again()[Counter::Barriers]);
    assert_eq!(random[Counter::ThreadInstructionsOn], again()[Counter::ThreadInstructionsOn]);
    for checks in [Checks::Fast, Checks::Full] {
        assert_eq!(launch(&kernel("bar.sync 0;"), 1, 32, 0, 0, checks, Policy::InOrder), None);
    }
}

#[test]
fn threads_that_write_are_counted_once_each() {
    let writers = |body: &str| count(body, 2, 64, 0, 4).writers.into_values().collect::<Vec<u64>>();
    let store = "st.global.u32 [%rd2], %r3;";
    assert_eq!(writers(&format!("{STRIDED} {store} {store}")), [128]);
    assert_eq!(writers(&format!("{STRIDED} setp.lt.u32 %p1, %r2, 3; @%p1 {store}")), [6]);
    assert_eq!(writers("setp.lt.u32 %p1, %r3, 70; @%p1 red.global.add.u32 [%rd1], 1;"), [70]);
    assert_eq!(writers(&format!("{STRIDED} ld.global.u32 %r9, [%rd2]; st.shared.u32 [tile], %r9;")), [0; 0]);
}

/// A copy past registers is no load and no store to shared memory; what its lanes take are requests and sectors of
/// loads.
#[test]
fn asynchronous_copies_count_by_what_they_take() {
    let head = format!("{STRIDED} mul.lo.u32 %r8, %r2, 16; mov.u32 %r9, tile; add.u32 %r8, %r9, %r8;");
    let names =
        [Counter::AsyncCopies, Counter::GlobalLoadRequests, Counter::GlobalLoadSectors, Counter::AsyncCopyBytes];
    let count_copy = |copy: &str, stride| {
        let counted = count(&format!("{head} {copy} cp.async.wait_all;"), 1, 64, 0, stride);
        let others = [Counter::GlobalLoads, Counter::GlobalLoadBytes, Counter::SharedStores];
        assert_eq!(others.map(|counter| counted[counter]), [0; 3], "{copy}");
        names.map(|counter| counted[counter])
    };
    // Two warps. 4 bytes a lane, side by side; every eighth; 16 bytes, side by side.
    assert_eq!(count_copy("cp.async.ca.shared.global [%r8], [%rd2], 4;", 1), [2, 2, 8, 256]);
    assert_eq!(count_copy("cp.async.ca.shared.global [%r8], [%rd2], 4;", 8), [2, 2, 64, 256]);
    assert_eq!(count_copy("cp.async.cg.shared.global [%r8], [%rd2], 16;", 4), [2, 2, 32, 1024]);
    // Lanes 0 to 7 of the first warp take 8 bytes each, the others zeros; the second warp asks for nothing.
    let some = "setp.lt.u32 %p1, %r2, 8; selp.u32 %r10, 8, 0, %p1; cp.async.cg.shared.global [%r8], [%rd2], 16, %r10;";
    assert_eq!(count_copy(some, 4), [2, 1, 4, 64]);
    // Guarded off, an instruction is executed and asks for nothing.
    let none = "setp.lt.u32 %p1, %r2, 32; @%p1 cp.async.ca.shared.global [%r8], [%rd2], 8;";
    assert_eq!(count_copy(none, 2), [2, 1, 8, 256]);
}

#[test]
fn the_busiest_thread_is_the_one_that_works_and_not_one_that_waits() {
    let round = |end: &str| {
        format!("mov.u32 %r7, 0; AGAIN: add.u32 %r7, %r7, {end}; setp.lt.u32 %p1, %r7, 50; @%p1 bra AGAIN;")
    };
    // Thread 0 alone goes round 50 times.
    let alone = format!("setp.ne.u32 %p1, %r2, 0; @%p1 bra END; {} END:", round("1"));
    let works = count(&alone, 1, 64, 0, 0).busiest_thread;
    let none = count("setp.ne.u32 %p1, %r2, 0; @%p1 bra END; END:", 1, 64, 0, 0).busiest_thread;
    assert!((none + 140..none + 160).contains(&works), "{works} {none}");
    let reads = format!(
        "setp.ne.u32 %p1, %r2, 0; @%p1 bra END; {} ld.global.v4.u32 {{%r8,%r9,%r10,%r11}}, [%rd1]; END:",
        round("1")
    );
    assert_eq!(count(&reads, 1, 64, 0, 0).most_accesses, 4);
    // The first of two blocks waits for a word that the other one writes; how often it looks does not count.
    let waits = "mov.u32 %r7, %ctaid.x; setp.ne.u32 %p1, %r7, 0; @%p1 bra WRITE;
        AGAIN: ld.volatile.global.u32 %r8, [%rd1]; setp.ne.u32 %p1, %r8, 77; @%p1 bra AGAIN; bra END;
        WRITE: st.volatile.global.u32 [%rd1], 77; END:";
    let counted = count(waits, 2, 1, 0, 0);
    assert!(counted[Counter::LoopIterations] > 10, "{}", counted[Counter::LoopIterations]);
    assert!(counted.busiest_thread < none + 20, "{}", counted.busiest_thread);
    assert!(counted.most_accesses <= 3, "{}", counted.most_accesses);
}

#[test]
fn a_barrier_at_which_one_warp_meets_is_none_of_the_block() {
    let own = "shr.u32 %r7, %r2, 5; add.u32 %r7, %r7, 1; bar.sync %r7, 32;";
    assert_eq!(count(own, 2, 64, 0, 0)[Counter::Barriers], 0);
    assert_eq!(count("bar.sync 0;", 2, 64, 0, 0)[Counter::Barriers], 2);
    // A block of one warp has no smaller one.
    assert_eq!(count("bar.sync 0;", 2, 32, 0, 0)[Counter::Barriers], 2);
}
