//! One word that every thread of a large launch uses: each access is judged against a few, not against all before it.
//! Were all compared with all, each of these launches would take many minutes.

use emulator::finding::Slug;
use emulator::{Config, Device, HostMemory, HostOrder, LaunchConfig, Profile, Program};
use std::sync::Arc;

/// Threads in a block, and blocks.
const SHAPE: (u32, u32) = (256, 1024);

/// The findings of a kernel that gets the word, and beside it memory that it may use as a lock.
fn findings(body: &str) -> Vec<Slug> {
    let text = format!(
        ".version 8.3\n.target sm_90\n.address_size 64
        .visible .entry everyone(.param .u64 word)
        {{
            .reg .b64 %word; .reg .b32 %x, %t, %old; .reg .pred %p;
            ld.param.u64 %word, [word];
            mov.u32 %t, %tid.x;
            {body}
            ret;
        }}"
    );
    let mut device = Device::new(Profile::default());
    device.configure(Config { workers: 1, ..Config::default() });
    let module = device.load(&Arc::new(Program::from_ptx(&[&text]).expect("PTX"))).expect("it loads");
    let word = device.allocate(64, HostMemory::Device).expect("memory");
    device.write(word, &[0; 64], &HostOrder::default()).expect("its own buffer");
    let (threads, blocks) = SHAPE;
    let shape = LaunchConfig {
        grid: [blocks, 1, 1],
        block: [threads, 1, 1],
        dynamic_shared: 0,
        cooperative: false,
        cluster: None,
    };
    let report = device.launch(&module, 0, &shape, &word.to_le_bytes(), &HostOrder::default()).expect("it launches");
    assert_eq!(report.fault, None);
    report.findings.iter().map(|finding| finding.slug).collect()
}

#[test]
fn plain_loads_and_atomic_operations() {
    let exchange = "ld.global.u32 %x, [%word]; add.u32 %x, %x, 1; atom.global.exch.b32 %old, [%word], %x;";
    assert_eq!(findings(exchange), [Slug::RaceGlobal]);
}

#[test]
fn updates_of_block_scope() {
    assert_eq!(findings("red.relaxed.cta.global.add.u32 [%word], 1;"), [Slug::RaceScope]);
}

#[test]
fn strong_loads_of_what_one_thread_has_stored() {
    let look = "atom.global.exch.b32 %old, [%word], 1; ld.volatile.global.u32 %x, [%word];";
    assert_eq!(
        findings(&format!("setp.ne.u32 %p, %t, 0; @%p bra look; {look} look: ld.volatile.global.u32 %x, [%word];")),
        []
    );
}

#[test]
fn strong_loads_and_few_updates() {
    let update = "ld.volatile.global.u32 %x, [%word]; setp.ne.u32 %p, %t, 7; @%p ret; red.global.add.u32 [%word], 1;";
    assert_eq!(findings(update), []);
}

#[test]
fn plain_loads_behind_strong_ones() {
    let both = "setp.ne.u32 %p, %t, 7; @%p bra look; red.global.add.u32 [%word], 1;
        look: ld.volatile.global.u32 %x, [%word]; ld.global.u32 %x, [%word];";
    assert_eq!(findings(both), [Slug::RaceGlobal]);
}

#[test]
fn a_lock_that_every_block_takes() {
    let lock = "setp.ne.u32 %p, %t, 0; @%p ret;
        spin: atom.acquire.gpu.global.cas.b32 %old, [%word+4], 0, 1; setp.ne.u32 %p, %old, 0; @%p bra spin;
        ld.global.u32 %x, [%word]; add.u32 %x, %x, 1; atom.global.exch.b32 %old, [%word], %x;
        atom.release.gpu.global.exch.b32 %old, [%word+4], 0;";
    assert_eq!(findings(lock), []);
}
