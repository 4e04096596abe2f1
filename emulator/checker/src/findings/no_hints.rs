//! Replaces `hints` on a page, which asks for none, so that their code need not be sent.

use crate::access::race::Race;
use crate::findings::list::Findings;
use crate::sites::Sites;
use finding::Finding;
use machine::code::KernelCode;
use machine::exec::atomic::Atomic;
use machine::exec::warp::CollectiveKind;
use machine::registers::Mask;
use machine::run::launch::Launch;
use machine::watch::At;

pub enum Hints {}

impl Hints {
    pub fn new(_: &KernelCode) -> Option<Hints> {
        None
    }

    pub fn of_volatile(_: &KernelCode) -> Option<Hints> {
        None
    }

    pub fn volatile_notes(&self, _: &[Finding]) -> Vec<Finding> {
        match *self {}
    }

    pub fn are_told(&self, _: &Launch, _: &Sites, _: &Race, _: bool) -> bool {
        match *self {}
    }

    pub fn pairs(&mut self) -> &mut Findings {
        match *self {}
    }

    pub fn asked(&mut self, _: &At, _: u32, _: Mask, _: Mask) {
        match *self {}
    }

    pub fn compared(&mut self, _: &At, _: u32, _: &Atomic, _: Mask) {
        match *self {}
    }

    pub fn shuffled(&mut self, _: &At, _: u32, _: CollectiveKind, _: Mask) {
        match *self {}
    }

    pub fn finish(self, _: &Launch, _: &Sites, _: Vec<Finding>) -> Vec<Finding> {
        match self {}
    }
}
