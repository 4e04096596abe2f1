//! Reports about threads that cannot go on: who waits where, for whom, and where those stand.

use crate::words::{Acted, Words};
use emulator::finding::{Cause, Finding, Slug};
use emulator::{Checks, Config, Device, HostOrder, LaunchConfig, Policy, Profile, Program};
use std::sync::Arc;

/// The findings of one block whose kernel does `body` with its thread index in `%t`.
fn findings(threads: u32, checks: Checks, body: &str) -> Vec<Finding> {
    findings_behind(0, threads, checks, body)
}

/// As [`findings`], in a launch behind so many others.
fn findings_behind(launches: usize, threads: u32, checks: Checks, body: &str) -> Vec<Finding> {
    let text = format!(
        ".version 8.3\n.target sm_90\n.address_size 64\n.visible .entry kernel()\n{{\n\
         .reg .b32 %t, %x;\n.reg .pred %p, %q;\nmov.u32 %t, %tid.x;\n{body}\nret;\n}}\n\
         .visible .entry nothing() {{ ret; }}\n"
    );
    let program = Arc::new(Program::from_ptx(&[&text]).unwrap());
    let mut device = Device::new(Profile::default());
    device.configure(Config { checks, policy: Policy::InOrder, workers: 1, fuel: 1 << 25, ..Config::default() });
    let module = device.load(&program).unwrap();
    let config =
        LaunchConfig { grid: [1, 1, 1], block: [threads, 1, 1], dynamic_shared: 0, cooperative: false, cluster: None };
    for _ in 0..launches {
        device.launch(&module, 1, &config, &[], &HostOrder::default()).unwrap();
    }
    device.launch(&module, 0, &config, &[], &HostOrder::default()).unwrap().findings
}

fn said(finding: &Finding) -> Vec<String> {
    finding.accesses.iter().map(|access| access.action()).collect()
}

#[test]
fn a_deadlock_lists_who_waits_and_for_whom() {
    let body = "
        setp.lt.u32 %p, %t, 40;
        @%p bra wait;
        setp.lt.u32 %p, %t, 48;
        @%p ret;
        bar.warp.sync -1;
        ret;
        wait:
        bar.sync 0;";
    for checks in [Checks::Fast, Checks::Full] {
        let found = findings(96, checks, body);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].slug, Slug::Deadlock);
        assert_eq!(
            said(&found[0]),
            ["threads 48 to 63 wait at `__syncwarp()` for (2)", "threads 0 to 39 wait at `__syncthreads()` for (1)",]
        );
        assert!(
            found[0].why().ends_with("Of the block, threads 40 to 47 and 64 to 95 have ended."),
            "{}",
            found[0].why()
        );
    }
}

#[test]
fn a_counted_barrier_says_how_many_have_come() {
    let found = findings(64, Checks::Full, "bar.sync 3, 96;");
    assert_eq!(said(&found[0]), ["threads 0 to 63 wait at barrier 3: 64 of 96 threads are there"]);
}

#[test]
fn a_spin_that_nothing_ends_is_proven_and_says_who_wrote_the_word() {
    // Thread 0 takes the lock and waits at the barrier for the others, who spin on the lock.
    let body = "
        .shared .align 4 .b32 lock;
        setp.ne.u32 %p, %t, 0;
        @%p bra others;
        st.volatile.shared.u32 [lock], 1;
        bar.sync 0;
        ret;
        others:
        bar.warp.sync 0xfffffffe;
        again:
        ld.volatile.shared.u32 %x, [lock];
        setp.ne.u32 %q, %x, 7;
        @%q bra again;
        bar.sync 0;";
    let found = findings(32, Checks::Full, body);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].slug, Slug::Livelock);
    assert_eq!(
        said(&found[0]),
        [
            "sets `lock` to 1, and is at (2) now",
            "thread 0 waits at `__syncthreads()` for (3)",
            "threads 1 to 31 read here again and again: `lock` is 1",
        ]
    );
    assert_eq!(found[0].accesses[0].thread.map(|thread| thread.linear), Some(0));
    assert!(matches!(&found[0].cause, Cause::Livelock(livelock) if livelock.proven), "{found:#?}");
    assert!(found[0].why().contains("No schedule ends this"), "{}", found[0].why());
    // The lock's holder waits at a barrier, for no lock.
    assert!(found[0].fix().starts_with("let the thread that the others wait for"), "{}", found[0].fix());
}

#[test]
fn a_long_loop_is_no_livelock_before_its_fuel_is_used_up() {
    let body = "
        mov.u32 %x, 0;
        again:
        add.u32 %x, %x, 1;
        setp.lt.u32 %p, %x, 200000;
        @%p bra again;";
    assert_eq!(findings(32, Checks::Full, body), []);
    let endless = body.replace("setp.lt.u32 %p, %x, 200000;", "setp.ge.u32 %p, %x, 0;");
    let found = findings(32, Checks::Full, &endless);
    assert_eq!((found[0].slug, found[0].cause.key()), (Slug::Livelock, "out-of-fuel"));
    assert!(found[0].why().contains("It may only be slow."), "{}", found[0].why());
}

/// Each takes a lock and then tries the other's, for ever.
#[test]
fn a_circle_of_locks_is_told_whole() {
    let body = "
        .shared .align 4 .b32 left;
        .shared .align 4 .b32 right;
        .reg .b32 %own, %other;
        st.volatile.shared.u32 [left], 0;
        st.volatile.shared.u32 [right], 0;
        bar.sync 0;
        mov.u32 %own, left;
        mov.u32 %other, right;
        setp.lt.u32 %p, %t, 32;
        @%p bra take;
        mov.u32 %own, right;
        mov.u32 %other, left;
        take:
        atom.shared.cas.b32 %x, [%own], 0, 1;
        setp.ne.u32 %q, %x, 0;
        bar.sync 0;
        again:
        TRY
        setp.ne.u32 %q, %x, 0;
        @%q bra again;";
    // A try that fails, and one that puts back what was there, set nothing.
    for again in ["atom.shared.cas.b32 %x, [%other], 0, 1;", "atom.shared.exch.b32 %x, [%other], 1;"] {
        // One thread of each of two warps.
        let body = format!("and.b32 %x, %t, 31; setp.ne.u32 %p, %x, 0; @%p ret;\n{}", body.replace("TRY", again));
        let found = findings(64, Checks::Full, &body);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(
            said(&found[0]),
            [
                "sets `right` to 1, and is at (4) now",
                "sets `left` to 1, and is at (3) now",
                "thread 0 reads here again and again: `right` is 1",
                "thread 32 reads here again and again: `left` is 1",
            ]
        );
        assert!(found[0].why().contains("A course calls this a deadlock."), "{}", found[0].why());
        assert_eq!(found[0].fix(), "let all threads take the locks in the same order");
    }
}

#[test]
fn a_lock_that_was_never_given_back_is_told_with_who_took_it() {
    let body = "
        .shared .align 4 .b32 lock;
        setp.eq.u32 %p, %t, 0;
        @%p st.volatile.shared.u32 [lock], 0;
        bar.sync 0;
        again:
        atom.shared.cas.b32 %x, [lock], 0, 1;
        setp.ne.u32 %q, %x, 0;
        @%q bra again;";
    for launches in [0, 2] {
        let found = findings_behind(launches, 64, Checks::Full, body);
        let [finding] = &found[..] else { panic!("{found:?}") };
        let taken = finding.accesses.last().unwrap();
        assert_eq!(taken.action(), "sets `lock` to 1, and has ended");
        assert!(finding.accesses.iter().all(|access| access.thread.is_none() || access == taken), "{finding:?}");
    }
}
