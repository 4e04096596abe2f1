//! Kernels for which fast paths once differed from the plain rule, or would with one of the seeded defects of `cargo
//! xtask defects`: each is judged by both.

use emulator::finding::Slug;
use emulator::{Config, Device, HostMemory, HostOrder, Judgement, LaunchConfig, Policy, Profile, Program};
use std::sync::Arc;

/// Returns the findings of `blocks` blocks of `threads` threads, by the fast checker and by the rule.
fn findings(body: &str, shape: (u32, u32)) -> [Vec<Slug>; 2] {
    findings_under(&Policy::InOrder, body, shape)
}

/// As [`findings`], of two blocks under adversarial schedules. Asserts that both checkers always agree, and returns the
/// number of schedules without a finding and of those with one.
fn quiet_and_racing(body: &str, threads: u32) -> (usize, usize) {
    let reports = (0..24).map(|seed| {
        let [fast, rule] = findings_under(&Policy::Adversarial { seed }, body, (2, threads));
        assert_eq!(fast, rule, "seed {seed}");
        fast
    });
    let (quiet, racing): (Vec<_>, Vec<_>) = reports.partition(Vec::is_empty);
    (quiet.len(), racing.len())
}

fn findings_under(policy: &Policy, body: &str, (blocks, threads): (u32, u32)) -> [Vec<Slug>; 2] {
    let text = format!(
        ".version 8.3\n.target sm_90\n.address_size 64
        .visible .entry judged(.param .u64 word)
        {{
            .reg .b64 %word, %at, %own; .reg .b32 %x, %t, %b, %n, %old, %compared; .reg .pred %p, %q, %two, %three;
            ld.param.u64 %word, [word];
            mov.u32 %t, %tid.x;
            mov.u32 %b, %ctaid.x;
            {body}
            ret;
        }}"
    );
    let program = Arc::new(Program::from_ptx(&[&text]).expect("PTX"));
    [Judgement::Fast, Judgement::Rule].map(|judgement| {
        let mut device = Device::new(Profile::default());
        device.configure(Config { judgement, policy: policy.clone(), ..Config::default() });
        let module = device.load(&program).expect("it loads");
        let word = device.allocate(512, HostMemory::Device).expect("memory");
        device.write(word, &[0; 512], &HostOrder::default()).expect("its own buffer");
        let shape = LaunchConfig {
            grid: [blocks, 1, 1],
            block: [threads, 1, 1],
            dynamic_shared: 0,
            cooperative: false,
            cluster: None,
        };
        let report =
            device.launch(&module, 0, &shape, &word.to_le_bytes(), &HostOrder::default()).expect("it launches");
        assert_eq!(report.fault, None);
        report.findings.iter().map(|finding| finding.slug).collect()
    })
}

fn both(slug: Slug) -> [Vec<Slug>; 2] {
    [vec![slug], vec![slug]]
}

/// Block 0 writes the word in two lines, and block 1 reads it. The second write covers the first: the rule tells both
/// pairs, the fast checker that of the second alone.
#[test]
fn of_two_writes_that_race_with_a_read_the_covered_one_is_told_by_the_rule_alone() {
    let body = "setp.eq.u32 %p, %b, 1; @%p bra read;
        st.global.u32 [%word], 1; st.global.u32 [%word], 2; ret;
        read: ld.global.u32 %x, [%word];";
    assert_eq!(findings(body, (2, 1)), [vec![Slug::RaceGlobal], vec![Slug::RaceGlobal; 2]]);
}

/// Lanes 3 and 5 swap one word, and lane 7 another. Lane 3 fails, so it has observed nothing of lane 5's write.
#[test]
fn a_lane_whose_swap_fails_comes_before_the_next_lane() {
    let body = "setp.eq.u32 %p, %t, 3; setp.eq.u32 %q, %t, 7; setp.eq.u32 %two, %t, 5;
        or.pred %two, %two, %p; or.pred %two, %two, %q;
        selp.u32 %compared, 2, 0, %p; selp.u32 %x, 4, 0, %q; cvt.u64.u32 %at, %x; add.u64 %at, %word, %at;
        mul.wide.u32 %own, %t, 4; add.u64 %own, %word, %own;
        @%two atom.relaxed.gpu.global.cas.b32 %old, [%at], %compared, 1;
        @%two st.global.u32 [%own+64], %old;
        @%p st.global.u32 [%word], 9;";
    assert_eq!(findings(body, (1, 32)), both(Slug::RaceGlobal));
}

/// Block 0 reads the word strongly, and blocks 1 and 2 add to it. Block 1 reads it plainly after a volatile flag, which
/// orders nothing.
#[test]
fn a_strong_read_is_no_update_of_another_block() {
    let body = "setp.eq.u32 %p, %b, 0; @%p bra read; setp.eq.u32 %two, %b, 2;
        red.relaxed.gpu.global.add.u32 [%word], 1;
        @%two bra tell;
        red.relaxed.gpu.global.add.u32 [%word], 1;
        wait: ld.volatile.global.u32 %x, [%word+8]; setp.eq.u32 %p, %x, 0; @%p bra wait;
        ld.global.u32 %x, [%word]; ret;
        tell: st.volatile.global.u32 [%word+8], 1; ret;
        read: ld.relaxed.gpu.global.u32 %x, [%word];";
    assert_eq!(findings(body, (3, 1)), both(Slug::RaceGlobal));
}

/// Blocks 0 to 2 read one byte, blocks 2 and 3 the whole word, and block 2 then writes another byte.
#[test]
fn a_read_of_a_word_is_not_as_redundant_as_reads_of_its_byte() {
    let body = "mov.u32 %n, 0; setp.eq.u32 %two, %b, 2; setp.eq.u32 %three, %b, 3; @%three bra wait_for_two;
        again: ld.global.u8 %x, [%word]; add.u32 %n, %n, 1; setp.lt.and.u32 %p, %n, 2, %two; @%p bra again;
        @!%two ret; bra whole;
        wait_for_two: ld.volatile.global.u32 %x, [%word+8]; setp.eq.u32 %p, %x, 0; @%p bra wait_for_two;
        whole: ld.global.u32 %x, [%word]; @%three bra tell;
        st.volatile.global.u32 [%word+8], 1;
        wait_for_three: ld.volatile.global.u32 %x, [%word+12]; setp.eq.u32 %p, %x, 0; @%p bra wait_for_three;
        st.global.u8 [%word+3], %x; ret;
        tell: st.volatile.global.u32 [%word+12], 1;";
    assert_eq!(findings(body, (4, 1)), both(Slug::RaceGlobal));
}

/// Block 1 only reads, since its swap fails. Block 2 has observed block 0's store, and nothing of block 1.
#[test]
fn nobody_observes_a_swap_that_fails_behind_the_last_write() {
    let body = "setp.eq.u32 %p, %b, 1; @%p bra swap; setp.eq.u32 %two, %b, 2; @%two bra last;
        st.relaxed.gpu.global.u32 [%word], 1; ret;
        swap: atom.relaxed.gpu.global.cas.b32 %old, [%word], 5, 6; st.global.u32 [%word+64], %old; ret;
        last: ld.relaxed.gpu.global.u32 %x, [%word]; st.global.u32 [%word+68], %x; st.global.u32 [%word], 9;";
    assert_eq!(findings(body, (3, 1)), both(Slug::RaceGlobal));
}

/// The second lane's swap succeeds, and block 1 has observed it.
#[test]
fn a_swap_that_succeeds_behind_one_that_fails_is_observed() {
    let body = "setp.eq.u32 %p, %b, 1; @%p bra look;
        setp.eq.u32 %q, %t, 1; @%q atom.relaxed.gpu.global.exch.b32 %old, [%word], 2;
        add.u32 %compared, %t, 1; mul.wide.u32 %own, %t, 4; add.u64 %own, %word, %own;
        atom.relaxed.gpu.global.cas.b32 %old, [%word], %compared, 2; st.global.u32 [%own+64], %old; ret;
        look: setp.ne.u32 %p, %t, 0; @%p ret;
        ld.relaxed.gpu.global.u32 %x, [%word]; st.global.u32 [%word+128], %x; ld.global.u32 %x, [%word];";
    assert_eq!(findings(body, (2, 2)), [vec![], vec![]]);
}

/// Block 1 observes block 0's store and tells blocks 0 and 2. Block 0 then reads the word plainly.
#[test]
fn a_plain_read_does_not_replace_a_strong_one_that_has_observed_a_write() {
    let body = "setp.eq.u32 %p, %b, 1; @%p bra look; setp.eq.u32 %two, %b, 2; @%two bra last;
        st.relaxed.gpu.global.u32 [%word], 1;
        st.volatile.global.u32 [%word+32], 1;
        wait: ld.acquire.gpu.global.u32 %x, [%word+36]; setp.eq.u32 %p, %x, 0; @%p bra wait;
        ld.global.u32 %x, [%word];
        st.volatile.global.u32 [%word+40], 1; ret;
        look: ld.volatile.global.u32 %x, [%word+32]; setp.eq.u32 %p, %x, 0; @%p bra look;
        ld.relaxed.gpu.global.u32 %x, [%word]; st.global.u32 [%word+64], %x;
        st.release.gpu.global.u32 [%word+36], 1; ret;
        last: ld.volatile.global.u32 %x, [%word+40]; setp.eq.u32 %p, %x, 0; @%p bra last;
        ld.acquire.gpu.global.u32 %x, [%word+36];
        ld.global.u32 %x, [%word];";
    assert_eq!(findings(body, (3, 1)), [vec![], vec![]]);
}

/// The first two of the lanes that swap in one step fail, and block 1 has observed what the third wrote.
#[test]
fn a_swap_that_succeeds_behind_two_that_fail_is_observed() {
    let body = "setp.eq.u32 %p, %b, 1; @%p bra look;
        setp.eq.u32 %q, %t, 2; @%q atom.relaxed.gpu.global.exch.b32 %old, [%word], 2;
        mul.wide.u32 %own, %t, 4; add.u64 %own, %word, %own;
        atom.relaxed.gpu.global.cas.b32 %old, [%word], %t, 3; st.global.u32 [%own+64], %old; ret;
        look: setp.ne.u32 %p, %t, 0; @%p ret;
        ld.relaxed.gpu.global.u32 %x, [%word]; st.global.u32 [%word+128], %x; ld.global.u32 %x, [%word];";
    assert_eq!(findings(body, (2, 3)), [vec![], vec![]]);
}

/// Warp 0 adds to the word once, and warps 1 and 2 twice, at two clocks. Warp 3 has met those two only.
#[test]
fn a_warp_that_adds_again_does_not_replace_the_additions_of_another() {
    let body = "shr.u32 %n, %t, 5; setp.eq.u32 %three, %n, 3; @%three bra last;
        red.relaxed.gpu.global.add.u32 [%word], 1;
        setp.eq.u32 %p, %n, 0; @%p ret;
        fence.acq_rel.gpu;
        red.relaxed.gpu.global.add.u32 [%word], 1;
        bar.arrive 1, 96; ret;
        last: bar.sync 1, 96; setp.eq.u32 %p, %t, 96; @%p ld.global.u32 %x, [%word];";
    assert_eq!(findings(body, (1, 128)), both(Slug::RaceGlobal));
}

/// Blocks 0 to 4 read the word. All but block 3 tell block 5, which writes it.
#[test]
fn readers_of_two_blocks_do_not_stand_for_a_third_where_blocks_synchronise() {
    let body = "setp.eq.u32 %p, %b, 5; @%p bra wait; ld.global.u32 %x, [%word];
        setp.eq.u32 %three, %b, 3; @%three bra tell; red.release.gpu.global.add.u32 [%word+32], 1; ret;
        tell: st.volatile.global.u32 [%word+36], 1; ret;
        wait: ld.volatile.global.u32 %x, [%word+36]; setp.eq.u32 %p, %x, 0; @%p bra wait;
        others: ld.acquire.gpu.global.u32 %x, [%word+32]; setp.ne.u32 %p, %x, 4; @%p bra others;
        st.global.u32 [%word], 1;";
    assert_eq!(findings(body, (6, 1)), both(Slug::RaceGlobal));
}

/// Block 1 stores so often that block 0's store has no number any more, and reads its own last one.
#[test]
fn a_read_of_a_store_has_not_observed_a_store_long_before() {
    let body = "setp.eq.u32 %p, %b, 1; @%p bra wait;
        st.relaxed.gpu.global.u32 [%word], 1; st.volatile.global.u32 [%word+32], 1; ret;
        wait: ld.volatile.global.u32 %x, [%word+32]; setp.eq.u32 %p, %x, 0; @%p bra wait;
        mov.u32 %n, 0;
        again: st.relaxed.gpu.global.u32 [%word], %n; add.u32 %n, %n, 1; setp.lt.u32 %p, %n, 20; @%p bra again;
        ld.acquire.gpu.global.u32 %x, [%word]; st.global.u32 [%word+64], %x;
        ld.global.u32 %x, [%word];";
    assert_eq!(findings(body, (2, 1)), both(Slug::RaceGlobal));
}

/// Block 0 stores the word strongly and then its first byte plainly. Block 1 reads the word strongly, which races with
/// the byte and observes no store of the word, and then the last byte.
#[test]
fn a_read_of_a_plain_byte_has_not_observed_the_word_before() {
    let body = "setp.eq.u32 %p, %b, 1; @%p bra wait;
        st.relaxed.gpu.global.u32 [%word], 1; st.global.u8 [%word], %t; st.volatile.global.u32 [%word+32], 1; ret;
        wait: ld.volatile.global.u32 %x, [%word+32]; setp.eq.u32 %p, %x, 0; @%p bra wait;
        ld.relaxed.gpu.global.u32 %x, [%word]; st.global.u32 [%word+64], %x;
        ld.global.u8 %x, [%word+3];";
    assert_eq!(findings(body, (2, 1)), [vec![Slug::RaceGlobal; 2], vec![Slug::RaceGlobal; 2]]);
}

/// Block 1's store may come before block 0's in coherence order. Then block 1's read observes block 0's.
#[test]
fn a_write_after_an_earlier_position_is_observed() {
    let body = "setp.eq.u32 %p, %b, 1; @%p bra wait;
        st.relaxed.gpu.global.u32 [%word], 1; st.volatile.global.u32 [%word+32], 1; ret;
        wait: ld.volatile.global.u32 %x, [%word+32]; setp.eq.u32 %p, %x, 0; @%p bra wait;
        st.relaxed.gpu.global.u32 [%word], 2;
        ld.relaxed.gpu.global.u32 %x, [%word]; st.global.u32 [%word+64], %x; ld.global.u32 %x, [%word];";
    let (quiet, racing) = quiet_and_racing(body, 1);
    assert!(quiet > 0 && racing > 0, "{quiet} quiet, {racing} racing");
}

/// Block 0 may read its own store although block 1 has stored since, and has not observed that store then.
#[test]
fn a_read_of_an_older_value_has_not_observed_the_latest() {
    let body = "setp.eq.u32 %p, %b, 1; @%p bra other;
        st.relaxed.gpu.global.u32 [%word], 1; st.volatile.global.u32 [%word+32], 1;
        wait: ld.volatile.global.u32 %x, [%word+36]; setp.eq.u32 %p, %x, 0; @%p bra wait;
        bra look;
        other: ld.volatile.global.u32 %x, [%word+32]; setp.eq.u32 %p, %x, 0; @%p bra other;
        st.relaxed.gpu.global.u32 [%word], 2; st.volatile.global.u32 [%word+36], 1; ret;
        look: ld.relaxed.gpu.global.u32 %x, [%word]; st.global.u32 [%word+64], %x; ld.global.u32 %x, [%word];";
    let (quiet, racing) = quiet_and_racing(body, 1);
    assert!(quiet > 0 && racing > 0, "{quiet} quiet, {racing} racing");
}

/// All lanes but lane 7 meet. Lane 24 reads what lane 7 has written, the last word of its line.
#[test]
fn the_last_lane_of_a_row_must_be_ordered_too() {
    let body = "mul.wide.u32 %own, %t, 4; add.u64 %at, %word, %own; sub.u64 %own, %word, %own;
        setp.ne.u32 %p, %t, 7; setp.ge.u32 %q, %t, 24;
        st.global.u32 [%at], %t;
        @%p bar.warp.sync 0xffffff7f;
        @%q ld.global.u32 %x, [%own+124];";
    assert_eq!(findings(body, (1, 32)), both(Slug::RaceGlobal));
}

/// Lanes 0 to 7 write the last line downwards, and all lanes but lane 0 meet. Lane 31 reads what lane 0 has written.
#[test]
fn the_first_lane_of_a_row_that_falls_must_be_ordered_too() {
    let body = "mul.wide.u32 %own, %t, 4; add.u64 %at, %word, %own; sub.u64 %own, %word, %own;
        setp.ne.u32 %p, %t, 0; setp.ge.u32 %q, %t, 24;
        st.global.u32 [%own+124], %t;
        @%p bar.warp.sync 0xfffffffe;
        @%q ld.global.u32 %x, [%at];";
    assert_eq!(findings(body, (1, 32)), both(Slug::RaceGlobal));
}

/// Block 0 reads the word and tells block 1, which reads it as well. Then block 1's second warp writes it at block
/// scope: that is morally strong with the read by its own block alone.
#[test]
fn a_read_by_another_block_still_races_with_a_narrow_write() {
    let body = "setp.eq.u32 %p, %b, 1; @%p bra other; setp.ne.u32 %q, %t, 0; @%q ret;
        ld.relaxed.gpu.global.u32 %x, [%word]; st.release.gpu.global.u32 [%word+32], 1; ret;
        other: setp.eq.u32 %p, %t, 32; @%p bra last; setp.ne.u32 %q, %t, 0; @%q ret;
        wait: ld.acquire.gpu.global.u32 %x, [%word+32]; setp.eq.u32 %p, %x, 0; @%p bra wait;
        ld.relaxed.gpu.global.u32 %x, [%word]; st.volatile.global.u32 [%word+36], 1; ret;
        last: ld.volatile.global.u32 %x, [%word+36]; setp.eq.u32 %p, %x, 0; @%p bra last;
        st.relaxed.cta.global.u32 [%word], 1;";
    assert_eq!(findings(body, (2, 33)), both(Slug::RaceScope));
}

/// Two lanes of block 1 add to what block 0 has added, and the first lane may read its own sum, which hands that on.
#[test]
fn a_read_in_the_midst_of_a_warps_updates_has_observed_what_was_before_them() {
    let body = "setp.eq.u32 %p, %b, 1; setp.ne.u32 %q, %t, 0; @%p bra wait; @%q ret;
        red.relaxed.gpu.global.add.u32 [%word], 1; st.volatile.global.u32 [%word+32], 1; ret;
        wait: ld.volatile.global.u32 %x, [%word+32]; setp.eq.u32 %p, %x, 0;
        vote.sync.any.pred %p, %p, 3; @%p bra wait;
        red.relaxed.gpu.global.add.u32 [%word], 1;
        @%q ret;
        ld.relaxed.gpu.global.u32 %x, [%word]; st.global.u32 [%word+64], %x; st.relaxed.cta.global.u32 [%word], 1;";
    assert_eq!(quiet_and_racing(body, 2), (24, 0));
}
