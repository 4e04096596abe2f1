//! The emulator for a web page. A request is a JSON text and so is its answer; how they get in and out of WebAssembly
//! is in `wasm`.
//!
//! A page loads a [`Recording`] of what a program asked of its device, and has it run under one schedule after the
//! other. Nothing is decided here: findings, counters and traces are what the emulator gives anywhere else, which
//! `cargo xtask wasm --check` compares byte by byte.

mod answer;
mod counts;
mod refused;
mod request;
#[cfg(target_arch = "wasm32")]
mod wasm;

pub use request::{EmulatorRequest, RequestedRun};

use answer::EmulatorAnswer;
use emulator::{Checks, Config, Device, Observe, Policy, Profile, Recording};
use std::collections::BTreeMap;

/// The state that a page has loaded.
#[derive(Default)]
pub struct Player {
    recording: Recording,
    /// Texts of the files that reports quote, by the names that the PTX gives them.
    sources: BTreeMap<String, String>,
}

impl Player {
    /// Answers one request. What cannot be done is answered with `error`.
    pub fn answer(&mut self, request: &str) -> String {
        let answer = match serde_json::from_str(request) {
            Ok(EmulatorRequest::Load { recording, sources }) => {
                *self = Player { recording: *recording, sources };
                EmulatorAnswer::Loaded
            }
            Ok(EmulatorRequest::Run(run)) => self.run(&run),
            Err(error) => EmulatorAnswer::Error { error: refused::same(format!("no such request: {error}")) },
        };
        serde_json::to_string(&answer).unwrap_or_else(|error| format!("{{\"error\":\"{error}\"}}"))
    }

    fn run(&self, run: &RequestedRun) -> EmulatorAnswer {
        let mut device = Device::new(Profile::default());
        let policy = match &run.keep {
            None => Policy::from(run.policy.clone()),
            Some(keep) => Policy::Replay { of: Box::new(run.policy.clone().into()), keep: keep.as_slice().into() },
        };
        let policy = match (run.asks, run.tells_choices()) {
            (true, _) => policy.asking_also(&run.choices, &run.also),
            (false, true) => policy.after(&run.choices),
            (false, false) => policy,
        };
        let checks = if run.counts { Checks::Counters } else { Checks::Full };
        device.configure(Config { checks, policy, workers: 1, fuel: run.fuel, ..Config::default() });
        let trace = run.trace.clone().map(Into::into);
        device.observe(Observe { trace, ..Observe::default() });
        match self.recording.replay(&mut device) {
            Ok(replayed) => EmulatorAnswer::ran(replayed, device.observed().trace, &self.sources),
            Err(error) => EmulatorAnswer::Error { error: refused::refused(&error) },
        }
    }
}
