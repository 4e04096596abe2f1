//! A host that follows a launch: how far it is told that the launch has come, and what ends a launch without a bound of
//! its own.

use emulator::{
    Checks, Config, Device, Fault, HostMemory, HostOrder, LaunchConfig, LaunchReport, Monitor, Policy, Profile, Program,
};
use std::sync::{Arc, Mutex};

const HEAD: &str = ".version 8.3\n.target sm_90\n.address_size 64\n\
    .visible .entry kernel(.param .u64 flag, .param .u64 other)\n{\n\
    .reg .b32 %x<4>;\n.reg .b64 %q<4>;\n.reg .pred %p;\nld.param.u64 %q0, [flag];\nld.param.u64 %q1, [other];\n";

/// Counts to four million, a thread by itself.
const COUNTS: &str =
    "mov.u32 %x0, 0;\nagain:\nadd.u32 %x0, %x0, 1;\nsetp.ne.u32 %p, %x0, 4000000;\n@%p bra again;\nret;\n}\n";
/// Waits for a word to change.
const WAITS: &str = "again:\nld.volatile.global.u32 %x0, [%q0];\nsetp.eq.u32 %p, %x0, 0;\n@%p bra again;\nret;\n}\n";

/// A launch of three blocks of one thread, with no bound but the monitor's. `flag` is where the word lies that it is
/// given.
fn launch(body: &str, flag: HostMemory, checks: Checks, monitor: Monitor) -> LaunchReport {
    let program = Arc::new(Program::from_ptx(&[&format!("{HEAD}{body}")]).expect(body));
    let mut device = Device::new(Profile::default());
    device.configure(Config { checks, policy: Policy::InOrder, workers: 1, fuel: u64::MAX, ..Config::default() });
    device.set_monitor(Some(Arc::new(monitor)));
    let module = device.load(&program).unwrap();
    let [flag, other] = [flag, HostMemory::PageLocked].map(|place| device.allocate(512, place).unwrap());
    device.write(flag, &[0; 512], &HostOrder::default()).unwrap();
    let parameters = [flag.to_le_bytes(), other.to_le_bytes()].concat();
    let config =
        LaunchConfig { grid: [3, 1, 1], block: [1, 1, 1], dynamic_shared: 0, cooperative: false, cluster: None };
    device.launch(&module, 0, &config, &parameters, &HostOrder::default()).unwrap()
}

#[test]
fn a_long_launch_ends_and_tells_how_far_it_has_come() {
    for checks in [Checks::Full, Checks::Fast] {
        let told = Arc::new(Mutex::new(Vec::new()));
        let monitor = Monitor::new(None, {
            let told = told.clone();
            move |progress| {
                told.lock().unwrap().push(*progress);
                true
            }
        });
        let report = launch(COUNTS, HostMemory::Device, checks, monitor);
        assert_eq!((report.fault, report.findings.len()), (None, 0));
        let told = told.lock().unwrap();
        assert!(told.len() >= 3 && told.iter().all(|one| one.blocks == 3 && one.blocks_done < 3), "{told:?}");
        let is_later = |pair: &[emulator::Progress]| {
            pair[0].instructions < pair[1].instructions && pair[0].blocks_done <= pair[1].blocks_done
        };
        assert!(told.windows(2).all(is_later), "{told:?}");
    }
}

#[test]
fn the_hosts_limit_is_no_livelock() {
    for checks in [Checks::Full, Checks::Fast] {
        let report = launch(COUNTS, HostMemory::Device, checks, Monitor::new(Some(1_000_000), |_| true));
        assert_eq!((report.fault, report.findings.len()), (Some(Fault::InstructionLimit), 0));
        let instructions = report.counters.thread_instructions;
        assert!((1_000_000..2_000_000).contains(&instructions), "{instructions}");
    }
}

#[test]
fn the_host_ends_a_launch_when_it_is_asked() {
    for checks in [Checks::Full, Checks::Fast] {
        let report = launch(COUNTS, HostMemory::Device, checks, Monitor::new(None, |_| false));
        assert_eq!((report.fault, report.findings.len()), (Some(Fault::InstructionLimit), 0));
    }
}

/// The host may write its own memory at any time, and nothing else. So only a loop that looks there may still end.
#[test]
fn memory_of_the_host_spoils_a_proof_only_where_a_loop_looks_at_it() {
    let limited = || Monitor::new(Some(1_000_000), |_| true);
    let report = launch(WAITS, HostMemory::Device, Checks::Full, limited());
    assert_eq!((report.fault, report.findings.len()), (Some(Fault::Timeout), 1), "a livelock");
    let report = launch(WAITS, HostMemory::PageLocked, Checks::Full, limited());
    assert_eq!((report.fault, report.findings.len()), (Some(Fault::InstructionLimit), 0));
}
