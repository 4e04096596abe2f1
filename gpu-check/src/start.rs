//! The start and the end of the library: it is loaded before any constructor of the program's, and ends with the
//! program.

use crate::containers::{self, NoPtx};
use crate::{driver_names, record, redirect};
use cust_raw::CUresult;
use driver::emulated::{self, InnerRuntimes, KernelFilter, LaunchLimits, Unpacked, Unpacker, Wanted};
use driver::emulator::{Checks, Config, Policy};
use std::ffi::{c_char, c_int, c_void};
use std::panic::catch_unwind;
use std::str::FromStr;
use std::time::{Duration, SystemTime};
use trial::Schedule;

#[used]
#[unsafe(link_section = ".init_array")]
static BEGIN: unsafe extern "C" fn(c_int, *const *const c_char, *const *const c_char) = begin;

unsafe extern "C" {
    fn atexit(call: extern "C" fn()) -> c_int;
    /// The C library's, which is not initialised before us.
    static mut environ: *const *const c_char;
}

/// Sets the emulated device up by the environment, before any constructor of the program. Panics are caught: the
/// program may not use CUDA at all.
unsafe extern "C" fn begin(_count: c_int, _arguments: *const *const c_char, environment: *const *const c_char) {
    // SAFETY: the loader passes it, and nothing else runs.
    unsafe {
        if environ.is_null() {
            environ = environment;
        }
    }
    // The command and the tests link this code too. A program that is checked has this variable.
    if std::env::var_os("LESSON_DEVICE").is_none_or(|device| device != "emulator") {
        return;
    }
    let _ = catch_unwind(|| {
        if redirect::redirect() {
            let (unserved, is_replaced) = (redirect::unserved, redirect::is_replaced);
            emulated::know_inner_runtimes(InnerRuntimes { unserved, is_replaced });
        }
        driver::more_entries(driver_names::find);
        emulated::configure_new(config());
        let deadline = variable(record::DEADLINE).map(|time| SystemTime::UNIX_EPOCH + Duration::from_millis(time));
        emulated::follow_launches(LaunchLimits { instructions: variable(record::LIMIT), deadline });
        observer::name_kernels();
        emulated::unpack_with(Unpacker { image: image_sources, file: file_sources });
        emulated::note_partial_copies();
        if std::env::var_os(record::AGAIN).is_some() {
            emulated::check_again();
        }
        let count = variable(record::COUNT);
        let kernel: Option<String> = variable(record::KERNEL);
        if kernel.is_some() || count.is_some() {
            emulated::check_only(Wanted { kernel: kernel.map(named), count });
        }
        if let Some(time) = exhaust() {
            emulated::explore_launches(time);
        }
        emulated::watch_managed();
        if std::env::var_os(record::FILE).is_some() {
            observer::listen(record::write);
            emulated::follow_refused_launches();
        }
        emulated::say_leaks(std::env::var_os(record::LEAKS).is_some());
        // SAFETY: a function of ours, which stays as long as the library.
        unsafe { atexit(end) };
    });
}

/// # Safety
/// As [`containers::of_image`].
unsafe fn image_sources(image: *const c_void) -> Option<Unpacked> {
    // SAFETY: by the caller.
    unsafe { containers::of_image(image) }.map(|found| found.map_err(refused))
}

fn file_sources(bytes: &[u8]) -> Option<Unpacked> {
    containers::of_file(bytes).map(|found| found.map_err(refused))
}

fn refused(missing: NoPtx) -> CUresult {
    missing.complain();
    match missing {
        NoPtx::Unreadable(_) => CUresult::CUDA_ERROR_INVALID_IMAGE,
        NoPtx::MachineCode => CUresult::CUDA_ERROR_NO_BINARY_FOR_GPU,
    }
}

/// Programs end without waiting for what they have launched.
extern "C" fn end() {
    if !emulated::is_forked() {
        let _ = catch_unwind(|| {
            emulated::end_process();
            emulated::say_all_leaks();
        });
    }
}

/// Returns the value of a variable that the command sets.
fn variable<T: FromStr>(name: &str) -> Option<T> {
    let value = std::env::var(name).ok()?;
    let read = value.parse().ok();
    if read.is_none() {
        words::complain(&say!("bad-variable", name, value));
    }
    read
}

/// Returns the configuration of launches that the environment asks for. A launch takes as long as it takes: without a
/// proof that it never ends, only the user can tell that it is too long.
fn config() -> Config {
    let policy = variable(record::RUN).map(|RunPolicy(policy)| policy);
    let is_fast = std::env::var_os(record::CHECKS).is_some_and(|checks| checks == "fast");
    let checks = if is_fast { Checks::Fast } else { Checks::Full };
    Config { checks, policy: policy.unwrap_or(Policy::InOrder), fuel: u64::MAX, ..Config::default() }
}

/// Returns the time for exploring all executions of a launch, if the environment asks for it.
fn exhaust() -> Option<Duration> {
    Duration::try_from_secs_f64(variable(record::EXHAUST)?).ok()
}

/// Chooses the kernels whose readable names have this part.
fn named(part: String) -> KernelFilter {
    Box::new(move |kernel| report::whole_name(kernel).contains(&part))
}

/// The policy of a run, written `random/3`.
#[derive(Debug, PartialEq)]
struct RunPolicy(Policy);

impl FromStr for RunPolicy {
    type Err = ();

    fn from_str(run: &str) -> Result<RunPolicy, ()> {
        let (schedule, seed) = run.split_once('/').ok_or(())?;
        let schedule: Schedule = schedule.parse().map_err(|_| ())?;
        Ok(RunPolicy(schedule.policy(seed.parse().map_err(|_| ())?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_a_schedule_and_a_seed() {
        assert_eq!("random/3".parse(), Ok(RunPolicy(Policy::Random { seed: 3 })));
        assert_eq!("in-order/0".parse(), Ok(RunPolicy(Policy::InOrder)));
        assert_eq!("random".parse::<RunPolicy>(), Err(()));
        assert_eq!("sorted/1".parse::<RunPolicy>(), Err(()));
    }
}
