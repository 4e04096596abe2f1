//! Kernels for which fast paths once missed a race that the plain rule finds: each is judged by both.

use emulator::finding::Slug;
use emulator::{Config, Device, HostMemory, Judgement, LaunchConfig, Order, Profile, Program};
use std::sync::Arc;

/// Returns the findings of `blocks` blocks of `threads` threads, by the fast checker and by the rule.
fn findings(body: &str, (blocks, threads): (u32, u32)) -> [Vec<Slug>; 2] {
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
        device.configure(Config { judgement, ..Config::default() });
        let module = device.load(&program).expect("it loads");
        let word = device.allocate(512, HostMemory::Device).expect("memory");
        device.write(word, &[0; 512], &Order::default()).expect("its own buffer");
        let shape =
            LaunchConfig { grid: [blocks, 1, 1], block: [threads, 1, 1], dynamic_shared: 0, cooperative: false };
        let report = device.launch(&module, 0, &shape, &word.to_le_bytes(), &Order::default()).expect("it launches");
        assert_eq!(report.fault, None);
        report.findings.iter().map(|finding| finding.slug).collect()
    })
}

fn both(slug: Slug) -> [Vec<Slug>; 2] {
    [vec![slug], vec![slug]]
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
