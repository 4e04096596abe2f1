//! All executions of a launch, counted ([`Device::survey`]).

use emulator::explore::{Bounds, Feature};
use emulator::{Device, HostMemory, HostOrder, LaunchConfig, NotExplored, Profile, Program, RacingAccess, Survey};
use std::sync::Arc;
use std::time::Duration;

const BOUNDS: Bounds = Bounds { executions: 1000, runs: u64::MAX, time: Duration::from_secs(100) };

/// Surveys a launch of a kernel with this body. `%a` is the address of 64 zeros, and `%t` the thread's index.
fn survey(body: &str, threads: u32, place: HostMemory) -> Result<Survey, NotExplored> {
    let text = format!(
        ".version 8.3\n.target sm_75\n.address_size 64\n.file 1 \"x.cu\"\n.visible .entry k(.param .u64 to)\n{{\n\
         .reg .b64 %a;\n.reg .b32 %t, %v;\n.reg .pred %p;\n\
         ld.param.u64 %a, [to];\nmov.u32 %t, %tid.x;\n{body}\nret;\n}}\n"
    );
    let mut device = Device::new(Profile::default());
    let memory = device.allocate(64, place).expect("there is room");
    device.fill(memory, &[0], 64, &HostOrder::default()).expect("it is there");
    let module = device.load(&Arc::new(Program::from_ptx(&[&text]).expect("it is PTX"))).expect("it loads");
    let shape =
        LaunchConfig { grid: [1, 1, 1], block: [threads, 1, 1], dynamic_shared: 0, cooperative: false, cluster: None };
    let found = device.survey(&module, 0, &shape, &memory.to_le_bytes(), BOUNDS);
    let mut bytes = [0; 64];
    device.read(memory, &mut bytes, &HostOrder::default()).expect("it is there");
    assert_eq!(bytes, [0; 64], "the device stays as it is");
    found
}

#[test]
fn results_are_counted() {
    let found = survey("atom.global.exch.b32 %v, [%a], %t;", 3, HostMemory::Device).unwrap();
    assert_eq!((found.executions, found.results, found.wrong, found.is_complete), (6, 3, 0, true));
}

#[test]
fn a_race_has_its_lines() {
    let body = ".loc 1 7 3\nst.global.u32 [%a], %t;\n.loc 1 8 5\nld.global.u32 %v, [%a];";
    let found = survey(body, 2, HostMemory::Device).unwrap();
    assert!(found.is_complete && found.racing == found.executions && found.wrong == found.racing, "{found:?}");
    assert_eq!(found.results, 2);
    let lines =
        |access: [u32; 2]| found.races.iter().any(|race| race.ends.each_ref().map(|it| it.location.line) == access);
    assert!(lines([7, 7]) && lines([7, 8]) && !lines([8, 8]), "{found:?}");
    assert!(found.races.iter().all(|race| !race.is_shared && race.ends[0].access == RacingAccess::Write), "{found:?}");
}

/// `%p` is set while the first word is 0.
const WAIT: &str = "W: ld.volatile.global.u32 %v, [%a];\nsetp.eq.u32 %p, %v, 0;\n@%p bra W;";

#[test]
fn an_execution_without_an_end_is_wrong_unless_the_host_may_end_it() {
    let found = survey(WAIT, 2, HostMemory::Device).unwrap();
    assert_eq!((found.executions, found.endless, found.is_complete), (1, 1, true), "{found:?}");
    assert_eq!(survey(WAIT, 2, HostMemory::Unified), Err(NotExplored::Host));
    let found = survey(&format!("st.volatile.global.u32 [%a], 1;\n{WAIT}"), 2, HostMemory::Device).unwrap();
    assert_eq!((found.endless, found.wrong, found.results), (0, 0, 1));
}

/// A lock-free maximum: the look before the swap may give an old value, but not for ever.
#[test]
fn old_values_do_not_last() {
    let body = "L: ld.volatile.global.u32 %v, [%a];\nsetp.ge.u32 %p, %v, %t;\n@%p ret;\n\
                atom.global.cas.b32 %w, [%a], %v, %t;\nsetp.ne.u32 %p, %w, %v;\n@%p bra L;";
    let found = survey(&format!(".reg .b32 %w;\nadd.u32 %t, %t, 1;\n{body}"), 3, HostMemory::Device).unwrap();
    assert!(found.is_complete && found.executions > 1, "{found:?}");
    assert_eq!((found.wrong, found.results), (0, 1), "{found:?}");
}

#[test]
fn a_barrier_that_nobody_completes_is_an_execution_without_an_end() {
    let found = survey("atom.global.exch.b32 %v, [%a], %t;\nbar.sync 1, 64;", 2, HostMemory::Device).unwrap();
    assert_eq!((found.executions, found.endless, found.is_complete), (2, 2, true), "{found:?}");
}

#[test]
fn a_trap_is_no_deadlock() {
    let body = "atom.global.exch.b32 %v, [%a], 1;\nsetp.ne.u32 %p, %v, 0;\n@%p trap;";
    let found = survey(body, 2, HostMemory::Device).unwrap();
    assert!(found.trapped > 0 && found.endless == 0 && found.wrong == found.trapped, "{found:?}");
}

#[test]
fn what_is_not_explored_has_a_reason() {
    assert_eq!(survey("", 1, HostMemory::Device).map(|found| found.executions), Ok(1));
    let long = "mov.u32 %v, 0;\nL: add.u32 %v, %v, 1;\nsetp.lt.u32 %p, %v, 600000;\n@%p bra L;";
    assert_eq!(survey(long, 1, HostMemory::Device), Err(NotExplored::Feature(Feature::Instructions)));
    let mixed = "st.global.u8 [%a], %t;\nst.global.u32 [%a], %t;";
    assert_eq!(survey(mixed, 2, HostMemory::Device), Err(NotExplored::Feature(Feature::MixedSizes)));
}
