//! Barrier objects.

use super::memory::Semantics;
use crate::memory::space::Space;
use crate::registers::Reg;
use finding::Decision;

/// The name of a phase.
#[derive(Clone, Copy, Debug)]
pub enum Phase {
    /// By the state that an arrival in it has returned.
    State(Reg),
    /// By its parity.
    Parity(Reg),
}

/// An arrival of `count` threads; without one it is of one.
#[derive(Clone, Copy, Debug)]
pub struct Arrive {
    pub count: Reg,
    /// They are not expected in later phases.
    pub drops: bool,
    /// It must not complete the phase.
    pub no_complete: bool,
    /// Transactions that the phase is to wait for besides.
    pub transactions: Reg,
}

#[derive(Clone, Copy, Debug)]
pub enum ObjectAction {
    Init(Reg),
    Inval,
    Arrive(Arrive),
    ExpectTx(Reg),
    CompleteTx(Reg),
    /// True if a phase is complete.
    Test(Phase),
    /// An arrival once the thread's asynchronous copies are done. `true`: the phase waits for it besides all others.
    Track(bool),
}

#[derive(Clone, Copy, Debug)]
pub struct Mbarrier {
    pub action: ObjectAction,
    pub space: Space,
    pub base: Reg,
    pub offset: i64,
    /// A state, or a predicate.
    pub dst: Reg,
    pub semantics: Semantics,
}

impl Mbarrier {
    /// The registers that it reads besides its address, and what they are.
    pub fn sources(&self) -> [(Reg, Decision); 2] {
        let count = Decision::BarrierCount;
        match self.action {
            ObjectAction::Init(reg) | ObjectAction::ExpectTx(reg) | ObjectAction::CompleteTx(reg) => {
                [(reg, count), (Reg::NONE, count)]
            }
            ObjectAction::Arrive(arrive) => [(arrive.count, count), (arrive.transactions, count)],
            ObjectAction::Test(Phase::State(reg) | Phase::Parity(reg)) => {
                [(reg, Decision::BarrierPhase), (Reg::NONE, count)]
            }
            ObjectAction::Inval | ObjectAction::Track(_) => [(Reg::NONE, count); 2],
        }
    }
}
