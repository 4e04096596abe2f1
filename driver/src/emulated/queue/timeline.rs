//! When queued operations begin and end, on one time axis of host and device (CUDA Driver API, "Event Management").
//!
//! A launch takes what the emulated device's clock says, so events agree with `%clock64`, `%globaltimer` and the clock
//! rate. Anything else takes the host's time. Work begins when it was submitted, or when all that it waits for has
//! ended, as on a GPU. The emulator runs it later, while the host waits. That time is left out of the axis, and a host
//! that has waited goes on no earlier than the work ended.

use std::time::{Duration, Instant};

/// Minimum duration of an operation. It keeps the time between two events above zero, so programs can divide by it.
const LEAST: Duration = Duration::from_micros(1);

/// The axis, and where the host is on it.
pub(crate) struct Timeline {
    began: Instant,
    /// Time of the host that went into emulation.
    emulating: Duration,
    /// Time of the device that the host has waited for.
    waited: Duration,
    latest: Duration,
}

/// An operation that runs now.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Running {
    pub(crate) start: Duration,
    began: Instant,
    /// Time of the device that it takes, if that is known.
    pub(crate) takes: Option<Duration>,
}

impl Timeline {
    pub(crate) fn new() -> Timeline {
        Timeline { began: Instant::now(), emulating: Duration::ZERO, waited: Duration::ZERO, latest: Duration::ZERO }
    }

    /// Returns the host's time. It is monotonic, also if several host threads emulate at once.
    pub(crate) fn now(&mut self) -> Duration {
        let now = (self.began.elapsed() + self.waited).saturating_sub(self.emulating);
        self.latest = self.latest.max(now);
        self.latest
    }

    /// The host has waited for what ended then.
    pub(crate) fn host_reaches(&mut self, end: Duration) {
        let missing = end.saturating_sub(self.now());
        self.waited += missing;
    }

    pub(crate) fn begin(&self, start: Duration) -> Running {
        Running { start, began: Instant::now(), takes: None }
    }

    /// Returns when the operation ends.
    pub(crate) fn end(&mut self, running: Running) -> Duration {
        let real = running.began.elapsed();
        self.emulating += real;
        running.start + running.takes.unwrap_or(real).max(LEAST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_host_goes_on_after_what_it_waited_for() {
        let mut timeline = Timeline::new();
        let start = timeline.now();
        let mut running = timeline.begin(start);
        running.takes = Some(Duration::from_secs(20));
        let end = timeline.end(running);
        assert_eq!(end, start + Duration::from_secs(20));
        assert!(timeline.now() < end);
        timeline.host_reaches(end);
        let later = timeline.now();
        assert!(later >= end && later < end + Duration::from_secs(10));
        timeline.host_reaches(start);
        assert!(timeline.now() >= later);
    }

    #[test]
    fn emulation_takes_no_time_of_the_host() {
        let mut timeline = Timeline::new();
        let before = timeline.now();
        let running = timeline.begin(before);
        std::thread::sleep(Duration::from_millis(200));
        let end = timeline.end(running);
        assert!(end >= before + Duration::from_millis(200), "what is no launch takes as long as it does");
        assert!(timeline.now() < before + Duration::from_millis(150));
    }
}
