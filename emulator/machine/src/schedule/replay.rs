//! `replay`: a few choices of another schedule, and `in-order`'s for all the rest.
//!
//! Choices are numbered as they are made in a launch. Which ones to keep is a list, so a run
//! that went wrong can be cut down to the switches that it takes. Both schedules are asked
//! every time, so that each goes on as if it alone had decided.

use super::Schedule;
use super::in_order::InOrder;
use crate::run::warp::Group;

pub struct Replay {
    of: Box<dyn Schedule>,
    otherwise: InOrder,
    /// Choices to keep, ascending.
    keep: Vec<u64>,
    /// Choices made so far, and how many of `keep` lie behind.
    made: u64,
    passed: usize,
}

impl Replay {
    /// `keep` may hold choices of several launches ([`crate::types::choice`]); those of `launch` count.
    pub fn new(of: Box<dyn Schedule>, keep: &[u64], launch: u64) -> Replay {
        let of_launch = |choice: &u64| (choice >> 32 == launch).then_some(choice & 0xffff_ffff);
        let mut keep: Vec<u64> = keep.iter().filter_map(of_launch).collect();
        keep.sort_unstable();
        keep.dedup();
        Replay { of, otherwise: InOrder::default(), keep, made: 0, passed: 0 }
    }

    fn choose<T>(&mut self, theirs: T, otherwise: T) -> T {
        let is_kept = self.keep.get(self.passed) == Some(&self.made);
        self.passed += usize::from(is_kept);
        self.made += 1;
        if is_kept { theirs } else { otherwise }
    }
}

impl Schedule for Replay {
    fn residents(&mut self, most: u64) -> u64 {
        let answers = (self.of.residents(most), self.otherwise.residents(most));
        self.choose(answers.0, answers.1)
    }

    fn begins(&mut self, nth: u64, of: u64) -> u64 {
        // All or nothing: each block begins once.
        self.of.begins(nth, of)
    }

    fn block(&mut self, resident: &[u64]) -> usize {
        let answers = (self.of.block(resident), self.otherwise.block(resident));
        self.choose(answers.0, answers.1)
    }

    fn grid(&mut self, ready: usize) -> usize {
        let answers = (self.of.grid(ready), self.otherwise.grid(ready));
        self.choose(answers.0, answers.1)
    }

    fn launched(&mut self) -> bool {
        let theirs = self.of.launched();
        self.choose(theirs, false)
    }

    fn block_slice(&mut self) -> u64 {
        let answers = (self.of.block_slice(), self.otherwise.block_slice());
        self.choose(answers.0, answers.1)
    }

    fn warp(&mut self, ready: &[usize], last: usize) -> usize {
        let answers = (self.of.warp(ready, last), self.otherwise.warp(ready, last));
        self.choose(answers.0, answers.1)
    }

    fn group(&mut self, groups: &[Group], ready: &[usize]) -> usize {
        let answers = (self.of.group(groups, ready), self.otherwise.group(groups, ready));
        self.choose(answers.0, answers.1)
    }

    fn slice(&mut self) -> u64 {
        let answers = (self.of.slice(), self.otherwise.slice());
        self.choose(answers.0, answers.1)
    }

    fn spent(&mut self) {
        self.of.spent();
        self.otherwise.spent();
    }

    fn ran(&mut self, instructions: u64) {
        self.of.ran(instructions);
        self.otherwise.ran(instructions);
    }

    fn converges(&mut self) -> bool {
        let answers = (self.of.converges(), self.otherwise.converges());
        self.choose(answers.0, answers.1)
    }

    fn stops_to_converge(&self) -> bool {
        self.of.stops_to_converge()
    }

    fn split(&mut self, mask: u32) -> u32 {
        let answers = (self.of.split(mask), self.otherwise.split(mask));
        self.choose(answers.0, answers.1)
    }

    fn divide(&mut self, mask: u32) -> u32 {
        let answers = (self.of.divide(mask), self.otherwise.divide(mask));
        self.choose(answers.0, answers.1)
    }

    fn is_adverse(&self) -> bool {
        self.of.is_adverse()
    }

    fn wrote(&mut self) -> bool {
        let theirs = self.of.wrote();
        self.choose(theirs, false)
    }

    fn holds_back(&mut self) -> bool {
        let theirs = self.of.holds_back();
        self.choose(theirs, false)
    }

    fn moves(&mut self, under_way: usize) -> Option<usize> {
        let theirs = self.of.moves(under_way);
        self.choose(theirs, None)
    }

    fn older(&mut self, most: u32) -> u32 {
        let theirs = self.of.older(most);
        self.choose(theirs, 0)
    }

    fn behind(&mut self, places: u32) -> u32 {
        let theirs = self.of.behind(places);
        self.choose(theirs, 0)
    }
}
