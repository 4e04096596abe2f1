//! Schedules for programs that run under very many of them: in order, in reverse, then one seed after another, most of
//! them adversarial.

use emulator::Policy;

pub fn policy(number: u64) -> Policy {
    match number {
        0 => Policy::InOrder,
        1 => Policy::Reverse,
        // Seven shares no factor with the numbers by which a test divides its schedules among arrangements.
        n if n % 7 == 2 => Policy::Random { seed: n },
        n if n % 7 == 3 => Policy::Pct { seed: n, depth: 1 + (n / 7 % 4) as u32 },
        seed => Policy::Adversarial { seed },
    }
}
